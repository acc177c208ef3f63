//! `layout arena`: addresses of tensors that share memory.

use tensor_layout::Layout;
use tensor_layout::arena::{ArenaMemory, ArenaPlan, ArenaTensor};
use tensor_layout::show::Picture;

use crate::arguments::{Arguments, read_text};
use crate::failure::{Failure, cut};
use crate::options::bytes_of;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
Finds an address for each of many tensors that share a memory, and draws steps across and addresses down.

usage: layout arena FILE [--memory SIZE] [--svg | --html]       - is standard input

A line of the file has a tensor: its name, the first and the last step at which it is alive, and its layout or bytes.

  image    0-1  NHWC<N = 1, C = 1, H = 96, W = 96>, i8
  hidden   1-2  18432                                           # a comment
  state@0  0-2  64                                              # at address 0

  --memory SIZE       the bytes of the memory, such as 64KiB; more are an error
  --svg, --html       the picture as SVG or HTML
";

/// The most tensors, and the last step.
const MOST: usize = 256;
const LAST: usize = 4095;

/// Returns the picture of the tensors in a file.
pub(crate) fn arena(arguments: &Arguments) -> Result<String, Failure> {
    let [file] = &arguments.files[..] else {
        return Err(Failure::usage("expected one file of tensors; see layout arena --help"));
    };
    let text = read_text(file, "tensors")?;
    let file = file.display();
    let mut tensors = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let at = |what| Failure::input(format!("{file}, line {}: {what}", i + 1));
            let new = tensor(line).map_err(at)?;
            if tensors.iter().any(|other: &ArenaTensor| other.name == new.name) {
                return Err(at(format!("two tensors are named `{}`; rename one", cut(new.name))));
            }
            tensors.push(new);
        }
    }
    let size = arguments.value("--memory")?.map(bytes_of).transpose()?;
    let bytes = Some(size.unwrap_or(isize::MAX as usize));
    let memory = ArenaMemory { name: "memory", bytes };
    let picture = match tensors.len() {
        0..=16 => picture::<16>(&tensors, memory)?,
        17..=64 => picture::<64>(&tensors, memory)?,
        65..=MOST => picture::<MOST>(&tensors, memory)?,
        count => {
            let text = format!("{file} has {count} tensors; write at most {MOST}");
            return Err(Failure::input(text));
        }
    };
    match (arguments.has("--svg"), arguments.has("--html")) {
        (true, true) => Err(Failure::usage("--svg and --html are two pictures; leave one out")),
        (true, false) => Ok(picture.to_svg() + "\n"),
        (false, true) => Ok(picture.to_html()),
        (false, false) => Ok(picture.to_text()),
    }
}

/// Reads `NAME FIRST-LAST LAYOUT` or `NAME@ADDRESS FIRST-LAST BYTES`.
fn tensor(line: &str) -> Result<ArenaTensor, String> {
    const LINE: &str = "write NAME FIRST-LAST LAYOUT, as in `image 0-1 HW<96, 96>, i8`";
    let (name, rest) = line.split_once(char::is_whitespace).ok_or(LINE)?;
    let (steps, what) = rest.trim_start().split_once(char::is_whitespace).ok_or(LINE)?;
    let number = |text: &str| {
        let wrong = || format!("`{}` is not a number of steps or bytes; {LINE}", cut(text));
        text.parse::<usize>().map_err(|_| wrong())
    };
    let (first, last) = steps.split_once('-').ok_or(LINE)?;
    let (first, last) = (number(first)?, number(last)?);
    if first > last || last > LAST {
        return Err(format!(
            "steps {first} to {last} are not a range up to step {LAST}; write FIRST-LAST"
        ));
    }
    let (name, address) = match name.split_once('@') {
        Some((name, address)) => (name, Some(number(address)?)),
        None => (name, None),
    };
    let what = what.trim();
    let tensor = match what.parse::<usize>() {
        // Names live as long as the program, which ends soon.
        Ok(bytes) => ArenaTensor::of_bytes(String::leak(name.into()), bytes, first, last),
        Err(_) => {
            let layout: Layout = what.parse().map_err(|error| format!("{error}"))?;
            ArenaTensor::of_layout(String::leak(name.into()), &layout, first, last)
        }
    };
    Ok(ArenaTensor { address, ..tensor })
}

/// Draws the plan of at most `N` tensors; others of the plan have no names.
fn picture<const N: usize>(
    tensors: &[ArenaTensor],
    memory: ArenaMemory,
) -> Result<Picture, Failure> {
    let mut all = [ArenaTensor::of_bytes("", 0, 0, 0); N];
    for (place, tensor) in all.iter_mut().zip(tensors) {
        *place = *tensor;
    }
    let plan = Box::new(ArenaPlan::new(all, [memory], &[]));
    plan.check().map_err(Failure::input)?;
    Ok(plan.picture())
}
