//! The texts of errors that only `include_tensor!` can cause.
//! Also the reasons why a file cannot be included.

use layout_core::{ElementType, Layout, LayoutError};
use layout_types::Conversion;
use std::fmt::Display;
use std::io;

pub(super) const INCLUDE_EXPECTED: &str = "expected a file and two layouts; write them as in \
     `include_tensor!(\"conv1.npy\", OIHW => OIHW4i16o4i<64, 64, 3, 3>, i8)`, or the same after \
     `struct NAME =`";

pub(super) const SOURCE_EXPECTED: &str = "expected the format of the file's array and `=>`; write them as in \
     `OIHW => OIHW4i16o4i<64, 64, 3, 3>, i8`";

pub(super) const NEGATIVE_INDEX: &str = "the index of a tensor is negative; count from 0, or write the name of the \
     tensor in quotes";

pub(super) const UNKNOWN_NUMBER: &str =
    "constants are unknown when a file is read; write a literal number";

pub(super) const PLAIN_ELEMENT: &str = "files cannot hold element types of your own; write one of this crate, \
     such as u4, i8, f16, f32 or f8e4m3";

pub(super) const FORTRAN_OF_BLOCKS: &str = "the file is in Fortran order, which reverses axes and \
     blocks; save it in C order with `numpy.ascontiguousarray`";

#[cfg(feature = "records")]
pub(super) const LAST_OF_BLOCKS: &str = "blocks of a .gguf file lie along its last axis, and the format ends with a block; \
     end it with the letter of an axis, such as `K`";

pub(super) const TWO_CHANGES: &str =
    "more than one conversion is given; keep one of the options `cast` and `quantize`";

/// The file cannot be opened or read.
pub(super) fn unread(path: &str, error: &io::Error) -> String {
    format!(
        "file `{path}` cannot be read: {error}; write a path relative to the directory of \
         Cargo.toml"
    )
}

/// The file has the wrong content.
pub(super) fn refused(path: &str, problem: &str) -> String {
    format!("file `{path}` cannot be used: {problem}")
}

pub(super) fn shape(
    path: &str,
    given: &[usize],
    needed: &[usize],
    format: &str,
    layout: &impl Display,
) -> String {
    format!(
        "file `{path}` holds an array of shape {given:?} but `{format}` of layout `{layout}` has \
         shape {needed:?}; write the format and the extents of the file"
    )
}

/// `is_raw` says that the file has no header.
pub(super) fn length(
    path: &str,
    given: usize,
    source: &impl Display,
    needed: usize,
    is_raw: bool,
) -> String {
    let what = if given < needed { "ends after" } else { "holds" };
    let taken = match is_raw {
        true => ", read as raw elements,",
        false => "",
    };
    format!(
        "file `{path}`{taken} {what} {given} bytes but `{source}` takes {needed}; use a complete file that \
         holds nothing else"
    )
}

/// What the file holds takes too many bytes of the program.
pub(super) fn too_large(path: &str, bytes: usize) -> String {
    format!(
        "file `{path}` makes {bytes} bytes of the program, more than 512 MiB; read it at run time"
    )
}

/// The element type differs from the one written.
pub(super) fn element(path: &str, given: impl Display, needed: impl Display) -> String {
    format!("file `{path}` holds `{given}`, not `{needed}`; write `{given}`")
}

/// Elements that are not bytes are read as blocks of a record.
#[cfg(feature = "records")]
pub(super) fn blocks(path: &str, given: &str) -> String {
    format!("file `{path}` holds `{given}`, and blocks of a record are bytes; save them as `u8`")
}

/// The element type differs from the layout's.
pub(super) fn needs_change(path: &str, given: ElementType, layout: &Layout) -> String {
    let is_quantized = Conversion::quantize(1.0, 0).check_elements(given, layout.element()).is_ok();
    let options = if is_quantized { "`cast` or `quantize`" } else { "`cast`" };
    let (given, needed) = (given.name(), layout.element().name());
    format!(
        "file `{path}` holds `{given}` but layout `{layout}` holds `{needed}`; add the option {options}, \
         or write `{given}`"
    )
}

pub(super) fn not_convertible(path: &str, from: ElementType, to: ElementType) -> String {
    let (from, to) = (from.name(), to.name());
    format!("file `{path}` holds `{from}`, which cannot be converted to `{to}`; save it as `{to}`")
}

pub(super) fn not_finite(path: &str, value: impl Display, index: usize) -> String {
    format!(
        "file `{path}` holds {value} as element {index} of its array, so no scale can be derived; \
         save it with finite numbers, or write `quantize(scale = SCALE)`"
    )
}

pub(super) fn unsigned_scale(element: ElementType) -> String {
    let element = element.name();
    format!(
        "scales can be derived for signed integers only, not for `{element}`; write \
         `quantize(scale = SCALE, zero_point = POINT)`"
    )
}

/// The elements should be converted, but the file does not say what they are.
pub(super) fn raw_element(path: &str, format: &str) -> String {
    format!(
        "file `{path}` does not name its element type, which `cast` and `quantize` need; write it after \
         the format, as in `{format}, f32 => ..`"
    )
}

/// The file has several tensors, and no name is given.
pub(super) fn no_tensor(path: &str, there: &[String]) -> String {
    let list = list(there);
    format!("file `{path}` holds named tensors; add a name after the path, one of {list}")
}

pub(super) fn unknown_tensor(name: &str, there: &[String]) -> String {
    format!("it has no tensor `{name}`; write one of {}", list(there))
}

/// `kind` is the number of a type in the format.
pub(super) fn gguf_type(name: &str, kind: u32, shape: &[usize]) -> String {
    format!(
        "its tensor `{name}` of shape {shape:?} has type {kind} of GGUF, which is not an element type, nor a record in whole \
         blocks; convert the file, or add feature `records`"
    )
}

pub(super) fn tensor_start(name: &str, at: u64, align: u32) -> String {
    format!(
        "its tensor `{name}` begins at byte {at} after the header, which is no multiple of {align}; save the file again"
    )
}

pub(super) fn cut_tensor(name: &str) -> String {
    format!("it ends before tensor `{name}` does; copy the whole file again")
}

/// The destination of blocks is a layout.
pub(super) fn needs_record(path: &str, blocks: &str) -> String {
    format!(
        "file `{path}` holds blocks `{blocks}`, which are several tensors; write a record as in `MK<8, 64>, {blocks}`"
    )
}

/// `count` is the number of tensors.
pub(super) fn tensor_index(index: &str, count: usize) -> String {
    format!("it has {count} tensors and no tensor {index}; write an index below {count}")
}

pub(super) fn activation(path: &str) -> String {
    format!(
        "file `{path}` has no elements of this tensor, which is an activation; write `struct NAME =` before the \
         path for its scale and zero point alone"
    )
}

/// `code` is the number of an operator in the schema.
pub(super) fn operator(code: u32) -> String {
    format!(
        "operator {code} of the schema reads this tensor, and only CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED have \
         an epilogue; remove `struct NAME =` for the tensor alone"
    )
}

/// `code` is the number of a type in the schema.
pub(super) fn tensor_type(tensor: usize, code: u8) -> String {
    format!(
        "its tensor {tensor} has elements of type {code} of the schema, which is not an element type; convert the model"
    )
}

/// `index` is the position of the scale in the tensor's list.
pub(super) fn scale(tensor: usize, index: usize, scale: f32) -> String {
    format!(
        "scale {index} of its tensor {tensor} is {scale}, and scales are finite and above 0; convert the model again"
    )
}

/// `counts` are the numbers of scales and zero points.
pub(super) fn quantization(
    tensor: usize,
    [scales, points]: [usize; 2],
    axis: usize,
    shape: &[usize],
) -> String {
    let plural = if scales == 1 { "" } else { "s" };
    format!(
        "its tensor {tensor} of shape {shape:?} has {scales} scale{plural} and {points} zero points along axis {axis}; \
         convert the model with one of each, or with one for each coordinate of the axis"
    )
}

pub(super) const SEVERAL_OPERATORS: &str = "several operators read this tensor, each with an epilogue of its own; \
     remove `struct NAME =` for the tensor alone";

pub(super) const NO_EPILOGUE: &str = "the operator that reads this tensor has zero points of weights, an activation, \
     an element type or a quantization that an epilogue of int8 cannot express; \
     remove `struct NAME =` for the tensor alone";

pub(super) fn no_names(path: &str) -> String {
    format!("file `{path}` holds one array without a name; remove the name")
}

/// Lists the first of many names.
fn list(names: &[String]) -> String {
    const MOST: usize = 8;
    let mut list: Vec<String> = names.iter().take(MOST).map(|name| format!("{name:?}")).collect();
    if names.len() > MOST {
        list.push("..".into());
    }
    list.join(", ")
}

/// The subject of the text.
pub(super) enum Problem {
    /// The content of the file is wrong.
    File(String),
    /// The option is impossible.
    Change(String),
    /// A rule of relayouts or conversions is broken.
    Layouts(LayoutError),
}

/// Why a tensor of a file cannot be read.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The file has no such tensor.
    Name(String),
    /// The content of the file is wrong.
    File(String),
}

impl From<LayoutError> for Problem {
    fn from(error: LayoutError) -> Self {
        Self::Layouts(error)
    }
}
