//! Couriers against a real mail server and against fakes that check what each service documents.

mod any;
mod chats;
mod fakes;
mod mail;
mod markup;
mod sample;
mod smtp;
mod webhook;

use crate::{Fake, client, settings};
use tidemark_engine::courier::{Courier, Refusal};
use tidemark_engine::message::Message;
use tidemark_net::{Bases, Couriers, MailSettings};
use url::Url;

/// Couriers that may visit this machine, with all services at one address.
fn couriers(base: &str) -> Couriers {
    couriers_allowed("127.0.0.1", base)
}

fn couriers_allowed(allow: &str, base: &str) -> Couriers {
    let base = Url::parse(base).unwrap();
    let bases = Bases { discord: base.clone(), telegram: base.clone(), pushover: base };
    let client = client(settings(allow), Fake::default());
    Couriers::with_bases(&client, MailSettings::default(), bases).unwrap()
}

async fn deliver(couriers: &Couriers, target: &str, message: &Message) -> Result<(), Refusal> {
    couriers.deliver(target, message).await
}
