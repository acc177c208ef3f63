//! The cases of `cases/targets.csv` against memcpy and other crates, side by side in one run.
//!
//! `cargo bench --bench targets [-- [--markdown] [--passes=N] [PART OF A CASE]]` prints
//! CSV: the case, then `eff`, the time of memcpy over the time of the candidate, of this crate and of
//! each peer. Geometric means follow, and what misses its target. With `--markdown` the lines are those
//! of `results.md`. With several passes over all cases each figure is the median of them: a machine that
//! does other things is slow for seconds at a time.

use std::num::NonZeroUsize;

use tensor_layout::f16;

mod candidates;
#[path = "../cases/mod.rs"]
mod cases;
mod report;
mod targets;
mod timing;

use candidates::{NAMES, Unit, candidates};
use cases::{Case, cases};

/// A case, and the eff of each candidate that can do it, in the order of `NAMES`.
struct Measured {
    case: Case,
    effs: [Option<f64>; NAMES.len()],
}

impl Measured {
    /// The medians, of two the lower, of what several passes over all cases measured.
    fn new(case: Case, passes: &[[Option<f64>; NAMES.len()]]) -> Self {
        let median = |candidate: usize| {
            let mut effs: Vec<_> = passes.iter().filter_map(|effs| effs[candidate]).collect();
            effs.sort_by(f64::total_cmp);
            effs.get(effs.len().saturating_sub(1) / 2).copied()
        };
        Self { case, effs: std::array::from_fn(median) }
    }

    /// The eff of this crate's static pair.
    fn own(&self) -> f64 {
        self.effs[0].expect("each case is a static pair")
    }
}

/// The eff of each candidate.
fn effs_of(case: &Case) -> [Option<f64>; NAMES.len()] {
    match case.element {
        "i8" => effs::<i8>(case),
        "f16" => effs::<f16>(case),
        "f32" => effs::<f32>(case),
        other => panic!("{other} is not an element of the cases"),
    }
}

/// Times every candidate on the same buffers, which begin at cache lines.
///
/// # Panics
/// If two candidates disagree about the result.
fn effs<U: Unit>(case: &Case) -> [Option<f64>; NAMES.len()] {
    let length = case.source.len();
    let (mut from, mut to) = (vec![U::zeroed(); length + 64], vec![U::zeroed(); length + 64]);
    let (source, destination) = (aligned(&mut from, length), aligned(&mut to, length));
    for (i, byte) in bytemuck::cast_slice_mut::<U, u8>(source).iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let candidates = candidates::<U>(case);
    let mut expected = vec![U::zeroed(); length];
    candidates.iter().flatten().next().expect("a candidate")(source, &mut expected);
    let mut names = NAMES.iter();
    candidates.map(|candidate| {
        let name = names.next();
        let candidate = candidate?;
        destination.fill(U::zeroed());
        candidate(source, destination);
        let same =
            bytemuck::cast_slice::<U, u8>(destination) == bytemuck::cast_slice::<U, u8>(&expected);
        assert!(same, "{case}: {name:?} gives another result");
        Some(timing::eff(&candidate, source, destination))
    })
}

/// `length` units that begin at a cache line.
fn aligned<U>(units: &mut [U], length: usize) -> &mut [U] {
    let start = units.as_ptr().align_offset(64);
    &mut units[start..start + length]
}

fn main() {
    let (options, parts): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let markdown = options.iter().any(|option| option == "--markdown");
    let passes = options.iter().find_map(|option| option.strip_prefix("--passes="));
    let passes = passes.map_or("1", |passes| passes).parse::<NonZeroUsize>();
    let passes = passes.expect("--passes= and a number from 1 on").get();
    let wanted = |case: &Case| parts.iter().all(|part| case.to_string().contains(part));
    let wanted: Vec<_> = cases().filter(wanted).collect();
    let mut measured = vec![Vec::new(); wanted.len()];
    for _ in 1..passes {
        measured.iter_mut().zip(&wanted).for_each(|(effs, case)| effs.push(effs_of(case)));
    }
    report::head(markdown);
    let last = wanted.into_iter().zip(measured).map(|(case, mut effs)| {
        effs.push(effs_of(&case));
        let measured = Measured::new(case, &effs);
        report::line(&measured, markdown);
        measured
    });
    let all: Vec<_> = last.collect();
    report::means(&all);
    report::misses(&all);
}
