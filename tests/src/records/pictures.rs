//! Pictures of records, read back: each element is at its bits, and what is hatched is of no element.

use tensor_layout::records::Record;
use tensor_layout::show::Picture;
use tensor_layout::{picture, record};
use test_support::coordinates;

use super::vectors::parsed;

/// The bits of a cell, and the texts of the cells of each panel, with `()` for hatched ones.
fn panels(text: &str) -> Vec<(u64, Vec<String>)> {
    let mut all: Vec<(u64, Vec<String>)> = Vec::new();
    let (mut ends, mut labels) = (Vec::new(), 0);
    for line in text.lines() {
        if let Some((_, unit)) = line.split_once("cells of ") {
            all.push((unit.split(' ').next().unwrap().parse().unwrap(), Vec::new()));
        } else if line.starts_with(' ') && line.contains(" +0") {
            let sign =
                |(at, _): (usize, &str)| at + line[at..].find(' ').unwrap_or(line.len() - at);
            ends = line.match_indices('+').map(sign).collect();
            labels = line.find("byte").unwrap() + 4;
        } else if line.is_empty() || !line.starts_with(' ') {
            ends.clear();
        } else {
            let mut start = labels;
            for end in &ends {
                // Hatched cells end a letter later.
                let end = if line.get(*end..=*end) == Some(")") { end + 1 } else { *end };
                let cell = line.get(start..end.min(line.len())).unwrap_or("");
                all.last_mut().unwrap().1.push(cell.trim().into());
                start = end;
            }
        }
    }
    all
}

#[test]
fn cells_are_elements_of_their_fields() {
    for text in [
        "MK<1, 64>, { d: f16, q: 16k 2k/16 u4 }",
        "<H = 4, W = 6>, { y: H W u8 pitch(H = 8), uv: H/2 W/2 2c u8 pitch(H = 8) }",
        "<N = 8, K = 8>, { N { b: 8n i32, w: K 4k-8n 8n 2k i8, _: 3 u8 } }",
        "<K = 8, N = 4>, { q: K N 4n i8; s: K N f32 }",
        "HW<2, 4>, { r: u5, g: u6, b: u5 } high_first",
        "MK<2, 5>, { k: { d: f16, q: 4k u4 } } pad",
        "N<9>, u5",
    ] {
        let record = parsed(text);
        let drawn = Picture::records(&[record]).to_text();
        let panels = panels(&drawn);
        assert_eq!(panels.len(), record.buffers(), "{drawn}");
        for (buffer, (unit, cells)) in panels.iter().enumerate() {
            let count = 8 * record.bytes(buffer) as u64 / unit;
            let mut expected = vec!["()".to_owned(); count as usize];
            for i in 0..record.field_count() {
                let name = record.field_name(i);
                let field = record.field(name.as_str()).unwrap();
                // The first coordinate of the record that has an element.
                for at in coordinates(field.extents()).filter(|_| field.buffer() == buffer) {
                    let first = field.bit_offset(&at).unwrap();
                    let long = (0..at.len()).filter(|axis| {
                        let own = record.letters().position(field.letters().at(*axis)).unwrap();
                        record.extents()[own] > 1
                    });
                    let index = long.map(|axis| (at[axis] * field.shared(axis)).to_string());
                    let label = format!("{name} {}", index.collect::<Vec<_>>().join(","));
                    let bits = (0..field.bits() as u64).step_by(*unit as usize);
                    for bit in bits {
                        let text = if bit == 0 { label.trim() } else { "" };
                        expected[((first + bit) / unit) as usize] = text.into();
                    }
                }
            }
            let shown: Vec<_> = cells.iter().take(expected.len()).cloned().collect();
            assert_eq!(shown, expected, "{drawn}");
        }
        let svg = Picture::records(&[record]).to_svg();
        assert!(!svg.contains('\n') && svg.contains("cells of "), "{svg}");
        assert!(Picture::records(&[record]).to_html().contains("</table>"));
    }
}

#[test]
fn pictures_of_large_records_are_small() {
    let record = parsed("MK<4096, 4096>, ggml::Q4_K");
    let pictures = [Picture::records(&[record]), Picture::records(&[record, record]).fold(3, 4)];
    for picture in pictures {
        assert!(picture.to_text().len() < 200_000 && picture.to_text().contains("more row"));
    }
    assert!(Picture::records(&[Record::parse("N<0>, u8").unwrap()]).to_text().contains("0 bytes"));
}

#[test]
fn the_macro_draws_records_too() {
    let drawn = picture!(MK<1, 64>, ggml::Q8_0);
    assert!(drawn.contains(&Picture::records(&[parsed("MK<1, 64>, ggml::Q8_0")]).to_svg()));
    let moved = picture!(N<2>, { x: f32, y: u8 } => N<2>, { y: u8, x: f32 });
    assert!(moved.contains("x: f32, N = 2, from byte 1"));
}

record! {
    /// Blocks of bytes with a scale each.
    pub Named = MK { d: f16, q: 32k i8 } = d * q
}

picture! {
    /// A picture in the documentation of a type.
    pub type Drawn = MK<2, 64>, Named!;
}

/// The record by its name, and in a record of other axes, on both sides of an arrow.
#[test]
fn names_of_a_program_are_drawn() {
    assert_eq!(Drawn::RECORD, Record::parse("MK<2, 64>, ggml::Q8_0").unwrap());
    assert_eq!(picture!(MK<2, 64>, Named!), picture!(MK<2, 64>, ggml::Q8_0));
    assert_eq!(
        picture!(P<P = 2, D = 64>, { k: D Named!(k = d) } => <P = 2, D = 64>, { k: P D self::Named!(k = d) }),
        picture!(P<P = 2, D = 64>, { k: D ggml::Q8_0(k = d) } => <P = 2, D = 64>, { k: P D ggml::Q8_0(k = d) }),
    );
}
