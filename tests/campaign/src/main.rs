//! Runs the campaign: `cargo run --release -p campaign -- --minutes 2`.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use campaign::case::KINDS;
use campaign::run::{Options, run};

const USAGE: &str = "\
campaign [--minutes M] [--seconds S] [--seed N] [--case K] [--kinds a,b] [--failures F]
         [--limit S] [--enumerate K/N]
  --minutes, --seconds  how long to run; 1 minute if neither is given
  --seed                the seed; a fresh one if none is given
  --case                one case of the seed
  --kinds               which kinds of cases: views forms moves converts parts statics files
                        extremes threads; all if none is given
  --enumerate           K/N: not cases, but the forms of each N-th small layout from the K-th on; 0/1 is all
  --limit               how many seconds one case may take; 20 if none is given
  --failures            how many failures end the run; 1 if none is given";

fn main() -> ExitCode {
    match options(std::env::args().skip(1)) {
        Some(options) if run(&options) == 0 => ExitCode::SUCCESS,
        Some(_) => ExitCode::FAILURE,
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn options(mut words: impl Iterator<Item = String>) -> Option<Options> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut options = Options {
        seed: now.as_nanos() as u64 % 1_000_000_007,
        case: None,
        enumerate: None,
        time: Duration::from_secs(60),
        kinds: KINDS.to_vec(),
        failures: 1,
        limit: 20,
    };
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--minutes" => {
                options.time = Duration::from_secs_f64(60.0 * value.parse::<f64>().ok()?)
            }
            "--seconds" => options.time = Duration::from_secs_f64(value.parse().ok()?),
            "--seed" => options.seed = value.parse().ok()?,
            "--case" => options.case = Some(value.parse().ok()?),
            "--limit" => options.limit = value.parse().ok()?,
            "--failures" => options.failures = value.parse().ok()?,
            "--enumerate" => {
                let (first, step) = value.split_once('/')?;
                let step = step.parse().ok().filter(|step| *step > 0)?;
                options.enumerate = Some((first.parse().ok()?, step));
            }
            "--kinds" => {
                let kind = |name| KINDS.into_iter().find(|kind| *kind == name);
                options.kinds = value.split(',').map(kind).collect::<Option<_>>()?;
            }
            _ => return None,
        }
    }
    Some(options)
}
