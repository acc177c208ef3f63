//! Repacks checkpoints.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use layout_checkpoints::{Checkpoint, Repack, RepackOptions, RepackRules};
use tensor_layout::LayoutTemplate;
use tensor_layout::records::RecordTemplate;

use crate::arguments::{Arguments, read_text, text_of};
use crate::failure::{Failure, cut, visible};
use crate::options::{bytes_of, is_record};

/// Repacks files by rules.
pub(crate) fn repack(arguments: &Arguments) -> Result<String, Failure> {
    let (output, inputs) = match (arguments.file("-o"), arguments.files.split_last()) {
        (Some(output), _) => (output, &arguments.files[..]),
        (None, Some((output, inputs))) => (output.as_os_str(), inputs),
        (None, None) => (OsStr::new(""), &[][..]),
    };
    if inputs.is_empty() {
        return Err(Failure::usage("no input and output given; write layout repack FILE.. OUTPUT"));
    }
    let Some(file) = arguments.file("--rules") else {
        return Err(Failure::usage("`--rules` is missing; write --rules RULES.toml"));
    };
    let text = read_text(file, "rules")?;
    let rules = RepackRules::parse(&text, &file.to_string_lossy()).map_err(Failure::input)?;
    run(arguments, inputs, &rules, output)
}

/// Moves all tensors of a file to one layout.
pub(crate) fn convert(arguments: &Arguments) -> Result<String, Failure> {
    let usage = || Failure::usage("write layout FILE '=>' LAYOUT -o OUTPUT");
    // A name of a file may hold anything where the arrow is an argument of its own.
    let joined = |all: &[OsString]| -> Result<String, Failure> {
        Ok(all.iter().map(|word| text_of(word)).collect::<Result<Vec<_>, _>>()?.join(" "))
    };
    let (input, to) = match &arguments.files[..] {
        [input, arrow, to @ ..] if arrow == "=>" => (input.clone(), joined(to)?),
        all => {
            let all = joined(all)?;
            let (input, to) = all.split_once("=>").ok_or_else(usage)?;
            (input.trim().into(), to.to_string())
        }
    };
    let to = to.trim();
    let rules = RepackRules::one(&axes_of(to)?, to);
    run(arguments, &[input], &rules, arguments.file("-o").ok_or_else(usage)?)
}

/// The letters of a layout, a record or a format, in the order of coordinates.
fn axes_of(to: &str) -> Result<String, Failure> {
    let letters = if is_record(to) {
        RecordTemplate::parse(to).map_err(Failure::input)?.letters()
    } else if to.contains('<') {
        to.parse::<LayoutTemplate>()
            .map_err(|error| Failure::text(to, error.message(), error.range()))?
            .letters()
    } else {
        let mut axes: Vec<String> = Vec::new();
        for letter in to.chars().filter(char::is_ascii_uppercase) {
            let axis = format!("{letter} = _");
            if !axes.contains(&axis) {
                axes.push(axis);
            }
        }
        // Any element will do.
        let whole = format!("{to}<{}>, u8", axes.join(", "));
        whole
            .parse::<LayoutTemplate>()
            .map_err(|error| Failure::text(&whole, error.message(), error.range()))?
            .letters()
    };
    Ok(letters.as_str().into())
}

fn run(
    arguments: &Arguments,
    inputs: &[OsString],
    rules: &RepackRules,
    output: &OsStr,
) -> Result<String, Failure> {
    let mut options = RepackOptions::default();
    if let Some(size) = arguments.value("--memory")? {
        options.memory = bytes_of(size)?;
    }
    if let Some(ranks) = arguments.value("--ranks")? {
        options.ranks =
            ranks.parse().ok().filter(|ranks| (1..=1024).contains(ranks)).ok_or_else(|| {
                Failure::usage(format!(
                    "`{}` is not a number of ranks; write 1 to 1024",
                    cut(ranks)
                ))
            })?;
    }
    options.shard = match arguments.value("--max-shard")? {
        Some(size) => Some(bytes_of(size)? as u64),
        None => None,
    };
    options.is_cached = arguments.has("--cached");
    let checkpoint = Checkpoint::open(inputs).map_err(Failure::input)?;
    let repack =
        Repack::new(checkpoint, rules, Path::new(output), options).map_err(Failure::input)?;
    for warning in repack.warnings() {
        // Nobody reads the line if it cannot be written.
        let _ = writeln!(io::stderr(), "layout: warning: {}", visible(warning));
    }
    if arguments.has("--dry-run") {
        return Ok(format!("{}{} bytes in all, with headers\n", repack.table(), repack.bytes()));
    }
    let all = repack.bytes();
    let progress = Progress::new(all);
    if !repack.is_fresh() {
        repack
            .run(arguments.has("--resume"), &|bytes| progress.show(bytes, "written"))
            .map_err(Failure::input)?;
    }
    if arguments.has("--check") {
        repack.check(&|bytes| progress.show(bytes, "checked")).map_err(Failure::input)?;
    }
    progress.end();
    Ok(String::new())
}

/// A line that says how much is done, if the standard error is a terminal.
struct Progress {
    all: u64,
    begin: Instant,
    /// When the line was written last. `None` if there is no terminal.
    last: Option<Mutex<Instant>>,
}

impl Progress {
    fn new(all: u64) -> Self {
        let begin = Instant::now();
        Self { all, begin, last: io::stderr().is_terminal().then(|| Mutex::new(begin)) }
    }

    fn show(&self, bytes: u64, what: &str) {
        let Some(Ok(mut last)) = self.last.as_ref().map(Mutex::try_lock) else { return };
        if last.elapsed().as_millis() < 200 {
            return;
        }
        *last = Instant::now();
        let seconds = self.begin.elapsed().as_secs_f64();
        let rate = bytes as f64 / seconds;
        let left = self.all.saturating_sub(bytes) as f64 / rate.max(1.0);
        let percent = 100 * bytes / self.all.max(1);
        // Nobody reads the line if it cannot be written.
        let _ = write!(
            io::stderr(),
            "\r{percent:3} % {what}, {:.0} MB/s, {left:.0} s left   ",
            rate / 1e6
        );
    }

    fn end(&self) {
        if self.last.is_some() {
            let _ = write!(io::stderr(), "\r{:50}\r", "");
        }
    }
}
