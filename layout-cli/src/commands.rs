//! The commands of checkpoints.

use std::ffi::OsString;

use crate::arguments::{Arguments, COMMANDS, CommandOptions};
use crate::failure::Failure;
use crate::{arena_file, completions, inspect, options, repack};

/// The text that `--help` of the commands prints.
const HELP: &str = "\
Lists, compares and repacks checkpoints: .safetensors, GGUF, .npy and .npz files, and model.safetensors.index.json.

usage: layout inspect FILE.. [--json]      names, shapes, elements, bytes, and a layout to paste; - is standard input
       layout diff FILE FILE               which values differ, whatever the layouts; exits with 1 if some do
       layout repack FILE.. OUTPUT --rules RULES.toml [OPTIONS]
       layout find RAW --like KNOWN.npy    the layouts of bytes whose elements are known; --axes NCHW names the axes
       layout FILE '=>' LAYOUT -o OUTPUT   one layout for all tensors, or a format or record; its letters in
                                           coordinate order are the axes of the file
       layout completions bash             what a shell completes; zsh and fish too

  --rules FILE        what happens to the tensors of which names; the guide's page \"checkpoints\" lists the keys; - is
                      standard input
  --memory SIZE       the most memory for the contents of tensors, such as 64MiB (default 256MiB)
  --ranks N           an output for each of N ranks: model.rank0.safetensors and so on
  --max-shard SIZE    several .safetensors files with at most these bytes of tensors, such as 5GB, and their index
  --check             reads the outputs back, and compares them with what the inputs give
  --cached            writes nothing where the output is that of the same rules and of inputs of the same bytes
  --dry-run           prints a table of the outputs, and writes nothing
  --resume            goes on with a run that was killed or has failed
  -o FILE             the output, in place of the last FILE
  --                  the arguments after it are files
";

/// Runs a command, and returns what it prints. `None` for arguments that begin with none.
pub(crate) fn run(given: &[OsString]) -> Result<Option<String>, Failure> {
    let Some(first) = given.first() else { return Ok(None) };
    if first == "--version" || first == "-V" {
        return Ok(Some(format!("layout {}\n", env!("CARGO_PKG_VERSION"))));
    }
    let by_name = |name: &OsString| COMMANDS.iter().find(|command| name == command.name);
    let before = given.split(|word| word == "--").next().unwrap_or_default();
    let help = match by_name(first) {
        Some(command) if command.name == "arena" => arena_file::HELP,
        Some(_) => HELP,
        None => options::HELP,
    };
    if first == "help" || before.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Some(help.into()));
    }
    let (command, given) = match by_name(first) {
        Some(command) => (command, &given[1..]),
        // One layout for a file is a repack without rules.
        None if before.iter().any(|word| word == "-o") => return convert(given).map(Some),
        None => return Ok(None),
    };
    let arguments = Arguments::parse(command, given)?;
    let answer = match command.name {
        "arena" => arena_file::arena(&arguments),
        "inspect" => inspect::inspect(&arguments),
        "diff" => inspect::diff(&arguments),
        "find" => inspect::find(&arguments),
        "completions" => completions::completions(&arguments.files),
        _ => repack::repack(&arguments),
    };
    answer.map(Some)
}

fn convert(given: &[OsString]) -> Result<String, Failure> {
    let options = CommandOptions {
        name: "repack",
        flags: &["--check", "--dry-run", "--resume"],
        valued: &["--memory", "-o"],
    };
    repack::convert(&Arguments::parse(&options, given)?)
}
