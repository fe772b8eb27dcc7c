//! Runs the evaluations of the laboratory.

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use tidemark_lab::{corpus, dictionary, size};

#[derive(Parser)]
#[command(name = "tidemark-lab", about = "Evaluations of Tidemark over real and generated pages")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the dictionary of the packed native form from the corpus
    Dictionary {
        /// Where to write it
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Sizes of packed digests beside zstd -19 and brotli 11, page by page and in total
    Size {
        /// Also with dictionaries made without the sites they are tried on
        #[arg(long)]
        cross_validate: bool,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Dictionary { output } => {
            let (documents, _) = corpus::pages()?;
            let dictionary = dictionary::build(&documents)?;
            std::fs::write(&output, &dictionary)?;
            println!("{} bytes to {}", dictionary.len(), output.display());
        }
        Command::Size { cross_validate } => {
            let (documents, _) = corpus::pages()?;
            let mut total = size::Sizes::default();
            for d in &documents { let s = size::Sizes::of(&d.bytes)?; total.add(s); println!("{} {:?}", d.name, s); }
            println!("{total:?}");
            if cross_validate { println!("cv {}", size::cross_validated(&documents, 3)?); }
        }
    }
    Ok(())
}
