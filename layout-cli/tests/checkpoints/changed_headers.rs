//! Files whose headers are changed at random: a sample of what the fuzz target runs. `SEED` and `CASES` choose others.

use layout_checkpoints::Checkpoint;

use super::archives::{archive, npy};
use super::{Folder, any_bytes, floats, gguf, safetensors};

/// Numbers that differ for each seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    /// Bytes with some changes.
    fn changed(&mut self, bytes: &[u8]) -> Vec<u8> {
        const PIECES: [&[u8]; 10] = [
            &[0xff; 8],
            &[0; 8],
            &[0, 0, 0, 0, 0, 0, 0, 0x80],
            b"9223372036854775807",
            b"0",
            b"[]",
            b"\"",
            b"\n",
            b"-1",
            b"\xc3",
        ];
        let mut all = bytes.to_vec();
        for _ in 0..1 + self.below(3) {
            let at = self.below(all.len());
            match self.below(5) {
                0 if !all.is_empty() => all[at] = self.below(256) as u8,
                1 if !all.is_empty() => all[at] ^= 1 << self.below(8),
                2 => all.truncate(at),
                3 => {
                    let end = (at + self.below(20)).min(all.len());
                    let piece = all[at..end].to_vec();
                    let to = self.below(all.len());
                    all.splice(to..to, piece);
                }
                _ => {
                    let piece = PIECES[self.below(PIECES.len())];
                    let end = (at + piece.len() * self.below(2)).min(all.len());
                    all.splice(at..end, piece.iter().copied());
                }
            }
        }
        all
    }
}

#[test]
fn changed_files_are_read_or_refused() {
    let one = npy("<f4", "True", "(2, 3)", &[1; 24]);
    let mut weights = safetensors(&[("a", floats(&[2, 3], 0)), ("b", floats(&[4], 1))]);
    let text = String::from_utf8_lossy(&weights[8..weights.len() - 40]).into_owned();
    let text = text.replace(r#""format":"pt""#, r#""tensor_layout.a":"v1:KM<K = 3, M = 2>, f32""#);
    weights.splice(
        ..weights.len() - 40,
        [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat(),
    );
    let files = [
        weights,
        gguf(),
        archive(&[("a.npy", &one[..]), ("b.npy", &one)], false),
        archive(&[("a.npy", &one[..])], true),
        one,
    ];
    let number = |name: &str| std::env::var(name).ok().and_then(|own| own.parse().ok());
    let cases = number("CASES").unwrap_or(1500);
    let mut random = Random(number("SEED").unwrap_or(7));
    for file in &files {
        any_bytes::header(file);
        for _ in 0..cases {
            any_bytes::header(&random.changed(file));
        }
    }
    let rules = include_str!("../../../src/guide/checkpoints.md");
    let rules = rules.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let rules = rules.expect("rules").as_bytes();
    for _ in 0..cases {
        any_bytes::rules(&random.changed(rules));
    }
    let folder = Folder::new("changed");
    folder.write("1.safetensors", safetensors(&[("a", floats(&[2], 0))]));
    let index = br#"{"metadata":{"total_size":8},"weight_map":{"a":"1.safetensors"}}"#;
    for _ in 0..300 {
        let path = folder.write("x.index.json", random.changed(index));
        if let Ok(checkpoint) = Checkpoint::open(&[path]) {
            assert!(checkpoint.tensors().all(|tensor| tensor.name == "a"));
        }
    }
}
