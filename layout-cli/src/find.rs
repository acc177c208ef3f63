//! Finds the layout of bytes.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};

use layout_checkpoints::Checkpoint;

use crate::arguments::Arguments;
use crate::failure::Failure;

/// Prints the layouts of a file of bytes whose elements are those of a known tensor.
pub(crate) fn find(arguments: &Arguments) -> Result<String, Failure> {
    let ([raw], Some(like)) = (&arguments.files[..], arguments.file("--like")) else {
        return Err(Failure::usage("write layout find RAW --like KNOWN.npy"));
    };
    let known = Checkpoint::open(&[like]).map_err(Failure::input)?;
    let mut bytes = Vec::new();
    let read = match raw == "-" {
        true => io::stdin().lock().read_to_end(&mut bytes),
        false => File::open(raw).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    let raw = raw.display();
    read.map_err(|error| Failure::input(format!("{raw}: {error}; name a file of elements")))?;
    let found = known.find_layouts(&bytes, arguments.value("--axes")?).map_err(Failure::input)?;
    if found.is_empty() {
        return Err(Failure::Differ(format!(
            "no layout was found: orders of the axes with up to three blocks, rows with gaps, and reversed axes, in {} bytes\n",
            bytes.len()
        )));
    }
    let mut text = String::new();
    for layout in &found {
        let _ = writeln!(text, "layout!({layout})");
    }
    Ok(text)
}
