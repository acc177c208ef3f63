//! The estimates that plans are chosen by, beside the time that this CPU takes:
//! `RUSTFLAGS=-Ctarget-cpu=native cargo bench --bench machine`.
//!
//! Each line is a move in the first-level cache that takes mostly what one field of the table `Machine` in
//! `layout-kernels/src/plan/machine.rs` says, if its plan is of the kind that has the field. That number, times the last
//! column over the mean of its instruction set, is that of this CPU: only the order of estimates decides.

use std::hint::black_box;

use cpu_time::ThreadTime;
use layout_kernels::{Choice, Isa, Loop, Move, Plan, Stores};

/// About the bytes of a side, so that a first-level cache holds both.
const BYTES: usize = 8 << 10;

fn of(loops: &[(usize, usize, usize)], unit: usize) -> Move {
    let all: Vec<_> =
        loops.iter().map(|&(size, from, to)| Loop::new(size, from as isize, to as isize)).collect();
    Move::new(&all, unit)
}

/// `rows` rows of units, transposed.
fn transposed(rows: usize, unit: usize) -> Move {
    let columns = BYTES / unit / rows;
    of(&[(rows, columns * unit, unit), (columns, unit, rows * unit)], unit)
}

/// What is measured, and the field that matters.
fn moves() -> Vec<(String, Choice, Move)> {
    let runs = [1, 2, 4, 8, 16, 12, 24, 48].map(|unit| {
        // No loop is contiguous on a side, so that neither tiles nor byte permutes do it.
        (format!("runs: {unit} bytes"), of(&[(BYTES / unit, 3 * unit, 2 * unit)], unit))
    });
    let overlapping = [12, 24]
        .map(|unit| (format!("overlapping: {unit} bytes"), of(&[(BYTES / 24, 40, unit)], unit)));
    let tiles = [1, 2, 4, 8].map(|unit| {
        (format!("tiles: {unit} bytes"), transposed(if unit < 4 { 64 } else { 32 }, unit))
    });
    let permutes = [
        ("network: one load", of(&[(BYTES / 4, 4, 4), (2, 1, 2), (2, 2, 1)], 1)),
        ("network: loads and tables", of(&[(BYTES, 5, 1)], 1)),
        ("network: loads and tables", of(&[(BYTES / 2, 6, 2)], 2)),
        ("network: zips and stores", transposed(2, 1)),
        ("network: zips and stores", transposed(4, 2)),
        ("network: loads, tables and stores", transposed(3, 1)),
        ("network: tables and zips", of(&[(BYTES / 4, 4, 1), (4, 1, BYTES / 4)], 1)),
        ("network: tables and zips", of(&[(BYTES / 8, 8, 1), (8, 1, BYTES / 8)], 1)),
        ("ends: rows of 24 bytes", of(&[(24, 2, 1), (BYTES / 24, 48, 40)], 1)),
        ("lanes", transposed(4, 16)),
    ];
    let passes = of(&[(BYTES / 216, 216, 216), (9, 24, 1), (8, 3, 9), (3, 1, 72)], 1);
    let all = runs.into_iter().chain(overlapping).map(|(name, of)| (name, Choice::Copies, of));
    let all = all.chain(tiles.map(|(name, of)| (name, Choice::Transpose, of)));
    let all = all.chain(permutes.map(|(name, of)| (name.to_owned(), Choice::Permute, of)));
    all.chain([("pass".to_owned(), Choice::Passes, passes)]).collect()
}

/// Seconds that a call takes: the least of many batches.
fn seconds(mut call: impl FnMut()) -> f64 {
    let batch = |_| {
        let start = ThreadTime::now();
        (0..1000).for_each(|_| call());
        start.elapsed().as_secs_f64() / 1000.0
    };
    (0..60).map(batch).fold(f64::MAX, f64::min)
}

fn main() {
    // A chain of sums and rotations takes two cycles a link.
    let chain = || (0..500).fold(black_box(1u64), |sum, _| sum.rotate_left(1).wrapping_add(sum));
    let cycle = seconds(|| _ = black_box(chain())) / 1000.0;
    println!("{:.2} GHz", 1e-9 / cycle);
    let source = vec![1; 8 * BYTES];
    let mut destination = vec![0; 8 * BYTES];
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        println!("\n| {isa} | | estimate | cycles | cycles / estimate |\n|---|---|---|---|---|");
        let (mut sum, mut count) = (0.0, 0.0);
        for (name, kind, of) in moves() {
            let plan = Plan::for_isa(&of, isa).expect("a plan").with_stores(Stores::Cached);
            let reasons = plan.reasons(&of);
            let estimate = match reasons.choice {
                choice if choice != kind => continue,
                Choice::Copies => reasons.copies,
                Choice::Transpose => reasons.tiles,
                Choice::Permute => reasons.permutes,
                _ => reasons.passes,
            };
            let Some(estimate) = estimate else { continue };
            let seconds = seconds(|| assert!(plan.run(black_box(&source), &mut destination)));
            let cycles = seconds / cycle / (plan.bytes() as f64 / 1024.0);
            let share = cycles / estimate as f64;
            (sum, count) = (sum + share.ln(), count + 1.0);
            println!("| {name} | {plan} | {estimate} | {cycles:.0} | {share:.2} |");
        }
        println!("| mean | | | | {:.2} |", f64::exp(sum / count));
    }
}
