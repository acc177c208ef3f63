//! Families of cases.

mod neighbours;
mod random;
mod real;
mod rows;
mod speed;
mod views;

use crate::candidates::Mover;
use crate::cases::{Case, cases, cases_of};
use crate::measure::Measured;
use crate::targets;

/// Cases that are measured and reported together.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// What moves the cases.
    pub(crate) movers: &'static [Mover],
    /// The cases, of which those of `random`, `small` and `views` depend on the seed.
    pub(crate) cases: fn(u64) -> Vec<Case>,
    /// Prints what only this family is measured for.
    pub(crate) report: fn(&[Measured]),
}

/// All of them, and first the one that is measured where no other is asked for.
pub(crate) const FAMILIES: [Family; 9] = [
    Family {
        name: "conversions",
        movers: Mover::OF_STATIC_PAIRS,
        cases: |_| cases().collect(),
        report: targets::means,
    },
    Family { name: "rows", movers: Mover::AT_RUN_TIME, cases: |_| rows::cases(), report: |_| () },
    Family {
        name: "permutations",
        movers: Mover::AT_RUN_TIME,
        cases: |_| cases_of(include_str!("../../cases/permutations.csv")).collect(),
        report: |_| (),
    },
    Family { name: "random", movers: Mover::AT_RUN_TIME, cases: random::cases, report: |_| () },
    Family { name: "small", movers: Mover::AT_RUN_TIME, cases: random::small, report: |_| () },
    Family { name: "views", movers: Mover::AT_RUN_TIME, cases: views::cases, report: |_| () },
    Family { name: "real", movers: Mover::AT_RUN_TIME, cases: |_| real::cases(), report: |_| () },
    Family {
        name: "neighbours",
        // A case is compared with its neighbours.
        movers: &[Mover::Planned],
        cases: |_| neighbours::cases(),
        report: neighbours::dips,
    },
    Family {
        name: "speed",
        movers: Mover::OF_README,
        cases: |_| speed::of_readme(),
        report: speed::table,
    },
];
