//! Every number of channels and length of rows: cases of almost the same size take almost the same time.

use super::rows::rows;
use crate::cases::{Case, ELEMENTS};
use crate::measure::Measured;

/// The share of the median of its neighbors that every case should reach.
const LEAST: f64 = 0.6;

/// The number of neighbors of a case, on both sides together.
const NEIGHBOURS: usize = 8;

/// Series of cases, one after the other.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for element in ELEMENTS {
        for [from, to] in [["NCHW", "NHWC"], ["NHWC", "NCHW"]] {
            cases.extend((1..=130).map(|channels| {
                let shape = format!("1x{channels}x56x56");
                Case::new(&format!("{from}->{to}"), [from, to], &shape, element)
            }));
        }
    }
    cases.extend((1..=260).map(|length| rows(length, "i8", 400_000)));
    cases
}

/// Prints every case that is slower than its neighbours.
pub(crate) fn dips(all: &[Measured]) {
    println!("\nBelow {LEAST} of the median of {NEIGHBOURS} neighbours:\n");
    let is_one = |one: &Measured, next: &Measured| {
        (&one.case.conversion, one.case.element) == (&next.case.conversion, next.case.element)
    };
    for series in all.chunk_by(is_one).filter(|series| series.len() > NEIGHBOURS) {
        for (at, measured) in series.iter().enumerate() {
            // At the ends of a series they are on one side.
            let first = at.saturating_sub(NEIGHBOURS / 2).min(series.len() - NEIGHBOURS - 1);
            let near = (first..=first + NEIGHBOURS).filter(|&other| other != at);
            let mut effs: Vec<f64> = near.map(|other| series[other].own()).collect();
            effs.sort_by(f64::total_cmp);
            let median = (effs[NEIGHBOURS / 2 - 1] + effs[NEIGHBOURS / 2]) / 2.0;
            if measured.own() < LEAST * median {
                println!("- {}: {:.2}, neighbours {median:.2}", measured.case, measured.own());
            }
        }
    }
}
