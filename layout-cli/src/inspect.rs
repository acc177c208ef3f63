//! What files hold: lists and compares checkpoints, and finds the layout of bytes.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};

use layout_checkpoints::{
    Checkpoint, CheckpointHeader, Content, StoredTensor, TensorDifference, compare,
};
use serde_json::{Value, json};
use tensor_layout::Layout;

use crate::arguments::Arguments;
use crate::failure::{Failure, visible};

/// The widest column. Longer texts move what follows.
const WIDEST: usize = 60;

/// Why the bytes of a tensor have no layout to paste: those of layouts are in the order of the machine, the text of
/// the file must be that of its bytes, and types have elements.
fn fault(tensor: &StoredTensor) -> Option<String> {
    if tensor.is_big_endian {
        return Some("big endian; repack it to use it in a layout".into());
    }
    if tensor.shape.contains(&0) {
        return Some("no elements; make its layout at run time".into());
    }
    if let Err(error) = tensor.layout().map(drop).and_then(|()| tensor.record().map(drop)) {
        return Some(error.to_string());
    }
    // Rows of elements that are not whole bytes may end inside one.
    match (&tensor.content, lettered(tensor)) {
        (Content::Element(_), Some(text)) => {
            text.parse::<Layout>().err().map(|error| error.to_string())
        }
        _ => None,
    }
}

/// A layout to paste: that of the file, or one with the letters of the alphabet. Empty if there is none.
fn ready(tensor: &StoredTensor) -> String {
    let text = tensor.layout.clone().or_else(|| lettered(tensor));
    let text = text.filter(|_| fault(tensor).is_none());
    text.map_or_else(String::new, |text| format!("layout!({text})"))
}

/// The text of a layout with the letters of the alphabet. `None` if the file has another, or no numbers.
fn lettered(tensor: &StoredTensor) -> Option<String> {
    if tensor.layout.is_some() {
        return None;
    }
    let letters = "ABCDEFGHIJKL".get(..tensor.shape.len()).unwrap_or_default();
    let extents: Vec<String> = tensor.shape.iter().map(ToString::to_string).collect();
    let extents = extents.join(", ");
    match (&tensor.content, letters.to_lowercase().chars().last()) {
        (Content::Element(element), None) if extents.is_empty() => {
            Some(format!("SCALAR, {element}"))
        }
        (Content::Element(element), Some(_)) => Some(format!("{letters}<{extents}>, {element}")),
        // Blocks lie along the last axis.
        (Content::Record(known), Some(last)) => {
            Some(format!("{letters}<{extents}>, {}(k = {last})", known.name()))
        }
        _ => None,
    }
}

/// Prints names, shapes, elements and layouts.
pub(crate) fn inspect(arguments: &Arguments) -> Result<String, Failure> {
    let tensors: Vec<StoredTensor> = match &arguments.files[..] {
        [] => return Err(Failure::usage("no file given; see layout inspect --help")),
        [file] if file == "-" => {
            let of = |error| Failure::input(format!("standard input: {error}"));
            let mut tensors = CheckpointHeader::read(&mut io::stdin().lock()).map_err(of)?.tensors;
            // That of an .npy file has the name of the file.
            for tensor in tensors.iter_mut().filter(|tensor| tensor.name.is_empty()) {
                tensor.name = "-".into();
            }
            tensors
        }
        files if files.iter().any(|file| file == "-") => {
            return Err(Failure::usage(
                "`-` is standard input, which is listed alone; leave out the other files",
            ));
        }
        files => Checkpoint::open(files).map_err(Failure::input)?.tensors().cloned().collect(),
    };
    if arguments.has("--json") {
        let all: Vec<Value> = tensors.iter().map(json_of).collect();
        return Ok(format!("{:#}\n", Value::from(all)));
    }
    let mut rows = vec![["name", "shape", "element", "bytes", "layout"].map(String::from)];
    for tensor in &tensors {
        rows.push([
            tensor.name.escape_debug().to_string(),
            format!("{:?}", tensor.shape),
            visible(&tensor.content.to_string()),
            tensor.bytes.to_string(),
            visible(&fault(tensor).unwrap_or_else(|| ready(tensor))),
        ]);
    }
    let [a, b, c, d] = [0, 1, 2, 3]
        .map(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).min(WIDEST));
    let mut text = String::new();
    for [name, shape, element, bytes, layout] in &rows {
        let line = format!("{name:a$}  {shape:b$}  {element:c$}  {bytes:>d$}  {layout}");
        text += line.trim_end();
        text.push('\n');
    }
    let bytes: u64 = tensors.iter().map(|tensor| tensor.bytes).sum();
    let _ = writeln!(
        text,
        "{} {}, {bytes} bytes",
        tensors.len(),
        if tensors.len() == 1 { "tensor" } else { "tensors" }
    );
    Ok(text)
}

fn json_of(tensor: &StoredTensor) -> Value {
    json!({
        "name": tensor.name,
        "shape": tensor.shape,
        "element": tensor.content.to_string(),
        "bytes": tensor.bytes,
        "at": tensor.at,
        "layout": tensor.layout,
        "is_big_endian": tensor.is_big_endian,
        "ready": ready(tensor),
    })
}

/// The memory of a comparison.
const MEMORY: usize = 64 << 20;

/// Prints how two checkpoints differ. That values differ is a fault of the files.
pub(crate) fn diff(arguments: &Arguments) -> Result<String, Failure> {
    let [first, second] = &arguments.files[..] else {
        return Err(Failure::usage("two files are compared; see layout diff --help"));
    };
    let open = |file: &OsString| Checkpoint::open(&[file]).map_err(Failure::input);
    let all = compare(&open(first)?, &open(second)?, MEMORY).map_err(Failure::input)?;
    let mut text = String::new();
    let mut equal = 0;
    for (name, difference) in &all {
        if *difference != TensorDifference::None {
            let shown = visible(&difference.to_string());
            let _ = writeln!(text, "{}: {shown}", name.escape_debug());
        }
        if matches!(difference, TensorDifference::None | TensorDifference::Layout(..)) {
            equal += 1;
        }
    }
    let _ = writeln!(text, "{equal} of {} tensors have equal values", all.len());
    match equal == all.len() {
        true => Ok(text),
        false => Err(Failure::Differ(text)),
    }
}

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
    let of = |error| Failure::input(format!("{}: {error}", like.display()));
    let found = known.find_layouts(&bytes, arguments.value("--axes")?).map_err(of)?;
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
