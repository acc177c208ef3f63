//! Files of checkpoints, their rules and indexes: any bytes are read or refused. The first byte says as what.
#![no_main]

#[path = "../../layout-cli/tests/checkpoints/any_bytes.rs"]
mod any_bytes;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    match input.split_first() {
        Some((b'r', text)) => any_bytes::rules(text),
        Some((b'i', text)) => {
            let name = format!("layout-fuzz-{}.index.json", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::write(&path, text).expect("a file");
            let _ = layout_checkpoints::Checkpoint::open(&[&path]);
        }
        Some((_, file)) => any_bytes::header(file),
        None => {}
    }
});
