//! The commands of checkpoints.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::{find, inspect, repack};

/// The text that `--help` of the commands prints.
const HELP: &str = "\
Lists, compares and repacks checkpoints: .safetensors, GGUF, .npy and .npz files, and model.safetensors.index.json.

usage: layout inspect FILE.. [--json]      names, shapes, elements, bytes, and a layout to paste; - is standard input
       layout diff FILE FILE               which values differ, whatever the layouts; exits with 1 if some do
       layout repack FILE.. OUTPUT --rules RULES.toml [OPTIONS]
       layout find RAW --like KNOWN.npy    the layouts of bytes whose elements are known; --axes NCHW names the axes
       layout FILE '=>' LAYOUT -o OUTPUT   one layout for all tensors

  --rules FILE        what happens to the tensors of which names; the guide's page \"checkpoints\" lists the keys
  --memory SIZE       the most memory for the contents of tensors, such as 64MiB (default 256MiB)
  --ranks N           an output for each of N ranks: model.rank0.safetensors and so on
  --max-shard SIZE    several .safetensors files of at most this size each, such as 5GB, and their index
  --check             reads the outputs back, and compares them with what the inputs give
  --cached            writes nothing where the output is that of the same rules and of inputs of the same bytes
  --dry-run           prints a table of the outputs, and writes nothing
  --resume            goes on with a run that was killed or has failed
  -o FILE             the output, in place of the last FILE
  --                  the arguments after it are files
";

/// The options of repacks that have no value.
const FLAGS: [&str; 4] = ["--cached", "--check", "--dry-run", "--resume"];

/// Runs a command, and returns what it prints. `None` for arguments that begin with none.
pub(crate) fn run(given: &[String]) -> Result<Option<String>, Failure> {
    let Some(first) = given.first() else { return Ok(None) };
    let is_output = |own: &String| own == "-o";
    let help = || given.iter().any(|own| own == "--help" || own == "-h");
    match first.as_str() {
        "--version" | "-V" => Ok(Some(format!("layout {}\n", env!("CARGO_PKG_VERSION")))),
        "inspect" | "diff" | "find" | "repack" if help() => Ok(Some(HELP.into())),
        "inspect" => {
            inspect::inspect(&Arguments::parse("inspect", &given[1..], &["--json"], &[])?).map(Some)
        }
        "diff" => inspect::diff(&Arguments::parse("diff", &given[1..], &[], &[])?).map(Some),
        "find" => find::find(&Arguments::parse("find", &given[1..], &[], &["--like", "--axes"])?)
            .map(Some),
        "repack" => {
            let valued = ["--rules", "--memory", "--ranks", "--max-shard", "-o"];
            repack::repack(&Arguments::parse("repack", &given[1..], &FLAGS, &valued)?).map(Some)
        }
        _ if given.iter().any(is_output) => {
            repack::convert(&Arguments::parse("repack", given, &FLAGS, &["--memory", "-o"])?)
                .map(Some)
        }
        _ => Ok(None),
    }
}
