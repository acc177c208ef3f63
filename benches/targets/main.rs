//! Cases against memcpy and other crates, side by side in one run.
//!
//! `cargo bench --bench targets [-- [--markdown] [--alone] [--passes=N] [--seed=N] [FAMILY..] [PART OF A CASE..]]`
//! measures families of cases, where none is named the `conversions` of `cases/targets.csv`; with `--alone` this crate
//! without its peers:
//!
//! - `rows`: the two outer axes of rows of 1 to 1000 bytes exchanged, in 800 KB;
//! - `permutations`: those of `cases/permutations.csv`; `random`: 200 others, from a seed that changes and is
//!   printed, and that `--seed` repeats; `small`: 200 of 1 to 64 KB;
//! - `views`: 200 flipped, stepped, cut and repeated tensors, from the same seed;
//! - `real`: packed weights, pixel shuffles, heads of attention and the like;
//! - `neighbours`: 1 to 130 channels and rows of 1 to 260 bytes, and which of them are slower than their
//!   neighbours;
//! - `speed`: the table of the README, with oneDNN and PyTorch where `benches/peers/run` runs it.
//!
//! It prints CSV: the case, then `eff`, the time of memcpy over the time of the candidate, of this crate and of
//! each peer, and the nanoseconds that a plan takes to make. What the family comes to follows, and what misses its
//! target. With `--markdown` the lines are tables. With several passes over all cases each figure is
//! the median of them: a machine that does other things is slow for seconds at a time.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::process::ExitCode;
use std::str::FromStr;

mod candidates;
#[path = "../cases/mod.rs"]
mod cases;
mod families;
mod measure;
mod nest;
mod packages;
mod peers;
mod report;
mod targets;
mod timing;

use cases::Case;
use families::{FAMILIES, Family};
use measure::{Figures, Measured};

/// The options of the command line.
struct Options {
    markdown: bool,
    alone: bool,
    passes: usize,
    seed: u64,
    families: Vec<Family>,
    /// What the cases have in their names.
    parts: Vec<String>,
}

impl Options {
    /// # Errors
    /// An option is unknown, or its number is not one that it can be.
    fn read() -> Result<Self, String> {
        let (options, others): (Vec<_>, Vec<_>) =
            std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
        // Cargo adds the first one.
        let is_known = |own: &String| {
            ["--bench", "--markdown", "--alone"].contains(&&own[..])
                || ["--passes=", "--seed="].iter().any(|name| own.starts_with(name))
        };
        if let Some(unknown) = options.iter().find(|own| !is_known(own)) {
            return Err(match &unknown[..] {
                "--passes" | "--seed" => format!("{unknown} has no number; write {unknown}=3"),
                _ => format!("no option {unknown}; these are all"),
            });
        }
        let (names, parts): (Vec<_>, Vec<_>) = others
            .into_iter()
            .partition(|argument| FAMILIES.iter().any(|family| family.name == argument));
        let passes = number(&options, "--passes=")?.unwrap_or(1);
        if passes == 0 {
            return Err("--passes=0 measures nothing; write a number from 1 on".into());
        }
        let is_wanted = |family: &Family| match &names[..] {
            [] => family.name == FAMILIES[0].name,
            names => names.iter().any(|name| name == family.name),
        };
        Ok(Self {
            markdown: options.iter().any(|option| option == "--markdown"),
            alone: options.iter().any(|option| option == "--alone"),
            passes,
            seed: number(&options, "--seed=")?.unwrap_or_else(|| RandomState::new().hash_one(0)),
            families: FAMILIES.into_iter().filter(is_wanted).collect(),
            parts,
        })
    }
}

/// The number of an option, if there is one.
fn number<N: FromStr>(options: &[String], name: &str) -> Result<Option<N>, String> {
    let Some(text) = options.iter().find_map(|option| option.strip_prefix(name)) else {
        return Ok(None);
    };
    text.parse().map(Some).map_err(|_| {
        format!("{name}{text} is not a whole number of at most 64 bits; write {name}3")
    })
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| ["--help", "-h"].contains(&&argument[..])) {
        println!("{USAGE}\n{}", families());
        return ExitCode::SUCCESS;
    }
    match Options::read() {
        Ok(options) => measure_all(&options),
        Err(error) => {
            eprintln!("{error}\n{USAGE}\n{}", families());
            ExitCode::from(2)
        }
    }
}

/// The names of all families.
fn families() -> String {
    format!("Families: {}", FAMILIES.map(|family| family.name).join(", "))
}

/// Measures the wanted families. Fails if no case has the wanted name.
fn measure_all(options: &Options) -> ExitCode {
    let count: usize = options.families.iter().map(|family| run(family, options)).sum();
    if count > 0 {
        return ExitCode::SUCCESS;
    }
    let names: Vec<_> = options.families.iter().map(|family| family.name).collect();
    let (names, parts) = (names.join(", "), options.parts.join(" and "));
    eprintln!(
        "no case of {names} has {parts} in its name, and no family is called so\n{}",
        families()
    );
    ExitCode::from(2)
}

/// How to call the program.
const USAGE: &str = "cargo bench --bench targets [-- [--markdown] [--alone] [--passes=N] [--seed=N] [FAMILY..] [PART OF A CASE..]]";

/// Measures the cases of a family, and prints what came out. Returns the number of cases.
fn run(family: &Family, options: &Options) -> usize {
    let mut cases = (family.cases)(options.seed);
    cases.retain(|case| options.parts.iter().all(|part| case.to_string().contains(part)));
    let count = cases.len();
    if count == 0 {
        return 0;
    }
    println!("\n# {}, {count} cases\n", family.name);
    let movers = if options.alone { candidates::own(family.movers) } else { family.movers };
    let figures = |case: &Case| Figures::new(case, movers);
    let mut passes: Vec<Vec<Figures>> = cases.iter().map(|_| Vec::new()).collect();
    for _ in 1..options.passes {
        passes.iter_mut().zip(&cases).for_each(|(passes, case)| passes.push(figures(case)));
    }
    report::head(movers, options.markdown);
    let last = cases.into_iter().zip(passes).map(|(case, mut passes)| {
        passes.push(figures(&case));
        let figures = Figures::medians(&passes);
        let measured = Measured { case, movers, figures };
        report::line(&measured, options.markdown);
        measured
    });
    let all: Vec<_> = last.collect();
    report::summary(&all);
    (family.report)(&all);
    targets::misses(&all);
    count
}
