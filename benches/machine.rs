//! Suggests the table of `layout-kernels/src/plan/machine.rs` for the CPU that it runs on:
//! `RUSTFLAGS=-Ctarget-cpu=native cargo bench --bench machine`.
//!
//! For each instruction set it prints the numbers of the table, those of this CPU and the ratio, then the row of the table.
//! Numbers follow from moves in the first-level cache whose plans have mostly one of them; those of byte permutes, of
//! which each move has several, are fitted. What cannot be measured apart from the rest is kept. Only the order of
//! estimates decides, so a row that is a multiple of the present one changes nothing.

use std::hint::black_box;

use cpu_time::ThreadTime;
use layout_kernels::{Choice, Isa, Loop, Move, Plan, Stores};

const TABLE: &str = include_str!("../layout-kernels/src/plan/machine.rs");

const FIELDS: [&str; 10] = [
    "call",
    "runs",
    "overlapping",
    "tiles",
    "edge",
    "network",
    "iteration",
    "ends",
    "lanes",
    "pass",
];

/// About the bytes of a side, so that a first-level cache holds both.
const BYTES: usize = 8 << 10;

/// What byte permutes have: loads, inserts, zips, tables, stores, and an iteration.
const PARTS: usize = 6;

/// How much a fitted number counts that differs from the present one, beside a move whose estimate differs as much.
const STIFFNESS: f64 = 0.3;

fn of(loops: &[(usize, isize, isize)], unit: usize) -> Move {
    let all: Vec<_> = loops.iter().map(|&(size, from, to)| Loop::new(size, from, to)).collect();
    Move::new(&all, unit)
}

/// `rows` rows of units, transposed.
fn transposed(rows: usize, unit: usize) -> Move {
    let columns = BYTES / unit / rows;
    let row = (columns * unit) as isize;
    of(&[(rows, row, unit as isize), (columns, unit as isize, (rows * unit) as isize)], unit)
}

/// Runs of `unit` bytes that are contiguous on no side, so that neither tiles nor byte permutes move them.
fn runs(unit: usize) -> Move {
    let own = unit as isize;
    of(&[(BYTES / unit, 3 * own, 2 * own)], unit)
}

/// Runs that follow one another in the destination, `count` at a time.
fn overlapping(count: usize) -> Move {
    let (unit, all) = (12, count as isize);
    of(&[(count, 40, unit), (BYTES / 40 / count, 40 * all + 8, unit * all + 8)], 12)
}

/// Byte permutes of many kinds.
fn permutes() -> Vec<Move> {
    let every = |step: usize, unit: usize| {
        of(&[(BYTES / unit, (step * unit) as isize, unit as isize)], unit)
    };
    let planes = |count: usize, unit: usize| {
        let (size, own) = (BYTES / 2 / count / unit, unit as isize);
        of(&[(size, own * count as isize, own), (count, own, own * size as isize)], unit)
    };
    let mut all = vec![
        of(&[(BYTES / 4, 4, 4), (2, 1, 2), (2, 2, 1)], 1),
        of(&[(4, 1, 4), (4, 4, 1), (BYTES / 16, 16, 16)], 1),
        of(&[(2, 2, 4), (2, 4, 2), (BYTES / 8, 8, 8)], 2),
        of(&[(BYTES / 3, 3, 3), (3, -1, 1)], 1).from(2, 0),
    ];
    all.extend(
        [(2, 1), (3, 1), (4, 1), (5, 1), (3, 2), (2, 4)].map(|(step, unit)| every(step, unit)),
    );
    for unit in [1, 2, 4] {
        all.extend([2, 3, 4, 6, 8].map(|rows| transposed(rows, unit)));
        all.extend([2, 3, 4, 8].map(|count| planes(count, unit)));
    }
    all
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

/// The numbers of the table for an instruction set: its own, or those that it takes from other vectors.
fn present(isa: Isa, field: &str) -> Vec<f64> {
    let row = match isa {
        Isa::Portable => "WORDS",
        Isa::Avx512Vbmi => "LINES",
        Isa::Avx2 | Isa::Avx512 => "VECTORS",
        _ => "LANES",
    };
    let own = |row: &str| {
        let (_, after) = TABLE.split_once(&format!("const {row}: Machine = Machine {{"))?;
        let (own, _) = after.split_once("};")?;
        let (_, value) = own.split_once(&format!("{field}: "))?;
        let value = value.split(if value.starts_with('[') { ']' } else { ',' }).next()?;
        let number = |own: &str| own.trim().parse().unwrap_or(f64::INFINITY);
        Some(value.trim_start_matches('[').split(',').map(number).collect())
    };
    own(row).or_else(|| own("VECTORS")).expect("the table has the field")
}

/// The move's plan if it is of a kind, with its estimate and the cycles that this CPU takes for each KiB.
struct Measured {
    plan: Plan,
    estimate: usize,
    cycles: f64,
}

impl Measured {
    fn of(of: &Move, isa: Isa, kind: Choice, cycle: f64) -> Option<Self> {
        let plan = Plan::for_isa(of, isa).ok()?.with_stores(Stores::Cached);
        let reasons = plan.reasons(of);
        let estimate = match reasons.choice {
            choice if choice != kind => None,
            Choice::Copies => reasons.copies,
            Choice::Transpose => reasons.tiles,
            _ => reasons.permutes,
        };
        let (estimate, source) = (estimate?, vec![1; plan.source_len()]);
        let mut destination = vec![0; plan.destination_len()];
        let seconds = seconds(|| assert!(plan.run(black_box(&source), &mut destination)));
        let cycles = seconds / cycle / (plan.bytes() as f64 / 1024.0);
        Some(Self { plan, estimate, cycles })
    }

    /// Tenths of a cycle for each `bytes` bytes.
    fn tenths(&self, bytes: usize) -> f64 {
        10.0 * self.cycles * bytes as f64 / 1024.0
    }

    /// What the byte permute has, and the bytes that it moves at a time: the numbers with which the table gives its estimate.
    fn parts(&self, numbers: &[f64; PARTS]) -> Option<([f64; PARTS], usize)> {
        let text = self.plan.to_string();
        let (loads, rest) = text.strip_prefix("permute bytes: ")?.split_once(" load")?;
        let bytes: usize = rest.split_once(" for ")?.1.split_once(" bytes")?.0.parse().ok()?;
        let (loads, is_line) = (loads.parse::<usize>().ok()?, self.plan.isa() == Isa::Avx512Vbmi);
        let inserts = if is_line && text.contains("lanes") { 3 * loads } else { 0 };
        let zips = loads * loads.ilog2() as usize;
        for (bytes, outputs) in
            [bytes, bytes / 2].into_iter().flat_map(|own| (1..=8).map(move |n| (own, n)))
        {
            let joined = if is_line && outputs > 1 { loads - 1 } else { loads };
            let mixed = [
                (0, joined * outputs),
                (zips, 0),
                (zips, loads),
                (zips, outputs),
                (zips, loads + outputs),
            ];
            for ((zips, tables), stores) in
                mixed.into_iter().flat_map(|own| [1, 2].map(|n| (own, n * outputs)))
            {
                let parts = [loads, inserts, zips, tables, stores, 1].map(|own| own as f64);
                let tenths: f64 = parts.iter().zip(numbers).map(|(a, b)| a * b).sum();
                if 1024 * tenths as usize / 10 / bytes == self.estimate {
                    return Some((parts, bytes));
                }
            }
        }
        None
    }
}

/// The numbers, none below 0, that give the tenths of a cycle of all samples best, near the present ones.
fn fitted(samples: &[([f64; PARTS], f64)], present: &[f64; PARTS]) -> [f64; PARTS] {
    let mut own = *present;
    for i in (0..2000 * PARTS).map(|i| i % PARTS).filter(|i| present[*i] > 0.0) {
        let (mut over, mut under) = (STIFFNESS / present[i], STIFFNESS / present[i].powi(2));
        for (parts, tenths) in samples {
            let others = (0..PARTS).filter(|j| *j != i).map(|j| parts[j] * own[j]).sum::<f64>();
            let share = parts[i] / tenths;
            (over, under) = (over + share * (1.0 - others / tenths), under + share * share);
        }
        own[i] = (over / under).max(0.0);
    }
    own
}

/// The numbers of this CPU, of those that can be measured.
fn measured(isa: Isa, cycle: f64) -> Vec<(&'static str, usize, f64)> {
    let on = |of: &Move, kind| Measured::of(of, isa, kind, cycle);
    let mut all = Vec::new();
    let classes: [&[usize]; 5] = [&[1, 2, 4, 8], &[16], &[3, 6, 12], &[24, 32], &[40, 48]];
    for (i, class) in classes.into_iter().enumerate() {
        let logs = class
            .iter()
            .filter_map(|unit| Some(on(&runs(*unit), Choice::Copies)?.tenths(*unit).ln()));
        let logs: Vec<f64> = logs.collect();
        all.push(("runs", i, (logs.iter().sum::<f64>() / logs.len() as f64).exp()));
    }
    // Calls that copy four runs of 16 bytes.
    let few = of(&[(2, 48, 32), (2, 112, 80), (BYTES / 128, 256, 192)], 16);
    if let Some(own) = on(&few, Choice::Copies) {
        all.push(("call", 0, 4.0 * (own.tenths(16) - all[1].2 + present(isa, "call")[1])));
    }
    if let (Some(few), Some(many)) =
        (on(&overlapping(5), Choice::Copies), on(&overlapping(50), Choice::Copies))
    {
        let ends = (few.tenths(12) - many.tenths(12)).max(0.0) / (1.0 / 5.0 - 1.0 / 50.0);
        all.extend([("overlapping", 0, many.tenths(12) - ends / 50.0), ("overlapping", 1, ends)]);
    }
    for (i, unit) in [1, 2, 4, 8].into_iter().enumerate() {
        let Some(own) = on(&transposed(if unit < 4 { 64 } else { 32 }, unit), Choice::Transpose)
        else {
            continue;
        };
        // Vectors of 16 bytes take twice what the table says.
        let times = (own.estimate as f64 / present(isa, "tiles")[i]).round().max(1.0);
        all.push(("tiles", i, own.cycles / times));
    }
    let numbers: Vec<f64> = [present(isa, "network"), present(isa, "iteration")].concat();
    let numbers = numbers.try_into().expect("six numbers");
    let samples: Vec<_> = permutes()
        .iter()
        .filter_map(|of| {
            let own = on(of, Choice::Permute)?;
            let (parts, bytes) = own.parts(&numbers)?;
            Some((parts, own.tenths(bytes)))
        })
        .collect();
    if samples.len() > PARTS {
        let own = fitted(&samples, &numbers);
        all.extend((0..5).filter(|i| numbers[*i] > 0.0).map(|i| ("network", i, own[i])));
        all.push(("iteration", 0, own[5]));
        println!("{} byte permutes", samples.len());
    }
    let lanes = on(&transposed(4, 16), Choice::Permute);
    all.extend(lanes.map(|own| ("lanes", 0, own.cycles)));
    all
}

fn main() {
    // A chain of sums and rotations takes two cycles a link.
    let chain = || (0..500).fold(black_box(1u64), |sum, _| sum.rotate_left(1).wrapping_add(sum));
    let cycle = seconds(|| _ = black_box(chain())) / 1000.0;
    println!("{:.2} GHz", 1e-9 / cycle);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        println!("\n{isa}");
        let (found, mut row) = (measured(isa, cycle), String::new());
        println!("| | the table | this CPU | ratio |\n|---|---|---|---|");
        for field in FIELDS {
            let mut numbers = present(isa, field);
            for (i, own) in numbers.iter_mut().enumerate() {
                let new = found
                    .iter()
                    .find(|found| (found.0, found.1) == (field, i) && found.2.is_finite());
                match new {
                    Some((.., new)) => {
                        println!("| {field} {i} | {own} | {new:.0} | {:.2} |", new / *own);
                        *own = new.round();
                    }
                    None if own.is_finite() => println!("| {field} {i} | {own} | kept | |"),
                    None => {}
                }
            }
            let texts: Vec<_> =
                numbers.iter().map(|own| own.to_string().replace("inf", "usize::MAX")).collect();
            let text =
                if texts.len() > 1 { format!("[{}]", texts.join(", ")) } else { texts.concat() };
            row += &format!(" {field}: {text},");
        }
        println!("Machine {{{row} }}");
    }
}
