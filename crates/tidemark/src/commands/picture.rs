//! `tidemark picture`: how a version looks, with where it changed marked.

use super::print_json;
use crate::cli::PictureCommand;
use crate::input;
use crate::named;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Limits, Transformations};
use serde::Serialize;
use std::io::Cursor;
use tidemark_engine::fetch::Area;
use tidemark_engine::record::ChangedBox;
use tidemark_engine::watch::WatchId;

/// Bytes that a picture may have when unpacked.
const LARGEST: usize = 512 << 20;
/// The outline of a box, in pixels: so far outside of it, and so thick.
const MARGIN: i64 = 2;
const THICK: i64 = 2;

/// Told apart by people who see few colours, too (Okabe and Ito).
const ADDED: [u8; 3] = [0x00, 0x9e, 0x73];
const CHANGED: [u8; 3] = [0xd5, 0x5e, 0x00];
const MOVED: [u8; 3] = [0x00, 0x72, 0xb2];

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    watch: WatchId,
    version: u32,
    at: jiff::Timestamp,
    width: u32,
    height: u32,
    /// Where it changed since the version before.
    boxes: &'a [ChangedBox],
    file: String,
}

pub(crate) fn run(command: &PictureCommand, settings: &Settings) -> Result<()> {
    if command.json.json && input::is_standard(&command.output) {
        bail!("--json and the picture would both go to standard output; use -o FILE");
    }
    let store = settings.open()?;
    let (watch, snapshot) = named::version(&*store, &command.version)?;
    let picture = store.picture(watch.page, snapshot.version)?.with_context(|| {
        format!(
            "version {} has no picture; 'tidemark add --render always' keeps one of each version",
            snapshot.version
        )
    })?;
    let boxes = if command.plain { &[][..] } else { &picture.boxes };
    let png =
        marked(&picture.png, boxes).context("the picture cannot be read; run 'tidemark doctor --deep'")?;
    input::write(&command.output, &png, true)?;
    if !command.json.json {
        return Ok(());
    }
    print_json(&Report {
        schema: "tidemark/picture/1",
        watch: watch.id,
        version: snapshot.version,
        at: snapshot.at,
        width: picture.width,
        height: picture.height,
        boxes: &picture.boxes,
        file: command.output.display().to_string(),
    })
}

/// The picture with the boxes outlined; as it is, if there are none.
fn marked(png: &[u8], boxes: &[ChangedBox]) -> Result<Vec<u8>> {
    if boxes.is_empty() {
        return Ok(png.to_vec());
    }
    let mut canvas = Canvas::read(png)?;
    for changed in boxes {
        let colour = match changed.kind.as_str() {
            "added" => ADDED,
            "moved" => MOVED,
            _ => CHANGED,
        };
        canvas.outline(changed.area, colour);
    }
    canvas.write()
}

struct Canvas {
    width: i64,
    height: i64,
    /// Bytes of a pixel: the first three are red, green and blue.
    channels: usize,
    bytes: Vec<u8>,
}

impl Canvas {
    fn read(png: &[u8]) -> Result<Self> {
        let mut decoder = Decoder::new_with_limits(Cursor::new(png), Limits { bytes: LARGEST });
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes =
            vec![0; reader.output_buffer_size().filter(|size| *size <= LARGEST).context("it is too large")?];
        let info = reader.next_frame(&mut bytes)?;
        if !matches!(info.color_type, ColorType::Rgb | ColorType::Rgba) {
            bail!("it has no colours");
        }
        let channels = info.color_type.samples();
        Ok(Self { width: info.width.into(), height: info.height.into(), channels, bytes })
    }

    fn outline(&mut self, area: Area, colour: [u8; 3]) {
        let (left, top) = (i64::from(area.x) - MARGIN, i64::from(area.y) - MARGIN);
        let (right, bottom) = (
            i64::from(area.x) + i64::from(area.width) + MARGIN,
            i64::from(area.y) + i64::from(area.height) + MARGIN,
        );
        for (from, to) in [
            ((left, top), (right, top + THICK)),
            ((left, bottom - THICK), (right, bottom)),
            ((left, top), (left + THICK, bottom)),
            ((right - THICK, top), (right, bottom)),
        ] {
            self.fill(from, to, colour);
        }
    }

    /// What is beyond the edge is not drawn.
    fn fill(&mut self, (left, top): (i64, i64), (right, bottom): (i64, i64), colour: [u8; 3]) {
        for y in top.max(0)..bottom.min(self.height) {
            for x in left.max(0)..right.min(self.width) {
                let at = usize::try_from(y * self.width + x).unwrap_or(0) * self.channels;
                if let Some(pixel) = self.bytes.get_mut(at..at + self.channels) {
                    pixel[..3].copy_from_slice(&colour);
                    pixel[3..].fill(255);
                }
            }
        }
    }

    fn write(&self) -> Result<Vec<u8>> {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, u32::try_from(self.width)?, u32::try_from(self.height)?);
        encoder.set_color(if self.channels == 4 { ColorType::Rgba } else { ColorType::Rgb });
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        encoder.write_header()?.write_image_data(&self.bytes)?;
        Ok(png)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_outlined_and_what_is_beyond_the_edge_is_not() {
        let white = Canvas { width: 60, height: 40, channels: 3, bytes: vec![255; 60 * 40 * 3] };
        let png = white.write().unwrap();
        let inside = ChangedBox { kind: "added".into(), area: Area { x: 10, y: 10, width: 20, height: 10 } };
        let beyond = ChangedBox {
            kind: "changed".into(),
            area: Area { x: -50, y: 30, width: 1_000_000, height: 1_000_000 },
        };
        let drawn = Canvas::read(&marked(&png, &[inside, beyond]).unwrap()).unwrap();
        let pixel = |x: usize, y: usize| &drawn.bytes[(y * 60 + x) * 3..][..3];
        assert_eq!((drawn.width, drawn.height), (60, 40));
        assert_eq!((pixel(8, 8), pixel(15, 15), pixel(0, 0)), (&ADDED[..], &[255; 3][..], &[255; 3][..]));
        assert_eq!(pixel(30, 28), &CHANGED[..]);
        assert_eq!(marked(&png, &[]).unwrap(), png);
        assert!(marked(b"\x89PNG no", &[ChangedBox { kind: String::new(), area: Area::default() }]).is_err());
    }
}
