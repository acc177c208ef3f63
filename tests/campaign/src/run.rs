//! Runs cases for some time, and prints what fails.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::case::{Case, KINDS};
use crate::check::Verdict;
use crate::check::forms::enumerate;
use crate::isolation;
use crate::reduce::reduced;
use crate::small::Bounds;
use test_support::Random;

/// The longest that reducing a failure may take.
const REDUCTION: Duration = Duration::from_secs(60);

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of all cases.
    pub seed: u64,
    /// One case, or all from 0 on.
    pub case: Option<u64>,
    /// Instead of cases, each small layout whose number has the first as its remainder by the second.
    pub enumerate: Option<(u64, u64)>,
    /// How long to run.
    pub time: Duration,
    /// The kinds of cases.
    pub kinds: Vec<&'static str>,
    /// How many failures end the run.
    pub failures: usize,
    /// The longest that one case may take, in seconds.
    pub limit: u32,
}

/// What a process that runs cases tells the one that waits for it.
#[derive(Default)]
struct Progress {
    /// The number of the case that runs.
    case: AtomicU64,
    refused: AtomicU64,
}

/// The case of a number.
fn case(options: &Options, number: u64) -> Case {
    Case::random(&mut Random::new(options.seed, number), &options.kinds)
}

/// Runs cases until the time is over, and says how many failed.
pub fn run(options: &Options) -> usize {
    if let Some((first, step)) = options.enumerate {
        return enumerate(Bounds::ALL, first, step, options.failures);
    }
    if let Some(number) = options.case {
        let found = case(options, number);
        println!("case {number} of seed {}: {found}", options.seed);
        return usize::from(alone(options, &found).is_some_and(|failure| {
            report(options, number, &found, failure);
            true
        }));
    }
    let kinds = options.kinds.join(",");
    println!("campaign: seed {}, {} s, kinds {kinds}", options.seed, options.time.as_secs());
    let progress = isolation::shared::<Progress>();
    let (start, mut first, mut failures) = (Instant::now(), 0, 0);
    while start.elapsed() < options.time && failures < options.failures {
        let worked = isolation::run(0, || {
            let mut number = first;
            while start.elapsed() < options.time {
                progress.case.store(number, Ordering::Relaxed);
                isolation::limit(options.limit);
                if isolation::caught(|| case(options, number).check())? == Verdict::Refused {
                    progress.refused.fetch_add(1, Ordering::Relaxed);
                }
                number += 1;
            }
            Ok(())
        });
        let number = progress.case.load(Ordering::Relaxed);
        first = number + 1;
        if let Err(failure) = worked {
            failures += 1;
            report(options, number, &case(options, number), failure);
        }
    }
    let refused = progress.refused.load(Ordering::Relaxed);
    let seconds = start.elapsed().as_secs();
    println!(
        "{first} cases in {seconds} s, {refused} of them refused by the library, {failures} failed"
    );
    failures
}

/// How a case fails in a process of its own.
fn alone(options: &Options, case: &Case) -> Option<String> {
    isolation::run(options.limit, || case.check().map(|_| ())).err()
}

/// Prints a failure: how to run it again, and the smallest case like it.
fn report(options: &Options, number: u64, case: &Case, failure: String) {
    let kinds = match options.kinds == KINDS {
        true => String::new(),
        false => format!(" --kinds {}", options.kinds.join(",")),
    };
    println!("\nFAILED: {failure}\n{case}");
    println!(
        "again: cargo run --release -p campaign -- --seed {} --case {number}{kinds}",
        options.seed
    );
    let (small, failure) = reduced(case, failure, REDUCTION, |case| alone(options, case));
    println!("reduced: {small}\n{failure}\n");
}
