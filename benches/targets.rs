//! The cases of `cases/targets.csv` against memcpy and other crates, side by side in one run.
//!
//! `cargo bench --features std --bench targets [-- PART OF A CASE]` prints CSV: the case, then
//! `eff`, the time of memcpy over the time of the candidate, of ours and of each peer, and at the
//! end what misses its target. memcpy is timed right before and after each candidate, on the same
//! buffers, which begin at cache lines; times are those of the thread.

use std::hint::black_box;

use cpu_time::ThreadTime;
use fast_transpose::{FlipMode, FlopMode};
use ndarray::{ArrayView4, ArrayViewMut4, ShapeBuilder};
use tensor_layout::{Layout, Plan, relayout};

mod cases;

use cases::{Case, cases};

/// An element as the peers take it.
trait Unit: bytemuck::Pod {
    fn fast_transpose(source: &[Self], destination: &mut [Self], width: usize, height: usize);
}

macro_rules! units {
    ($($unit:ty => $function:ident;)*) => {$(
        impl Unit for $unit {
            fn fast_transpose(source: &[Self], destination: &mut [Self], width: usize, height: usize) {
                let (flip, flop) = (FlipMode::NoFlip, FlopMode::NoFlop);
                fast_transpose::$function(
                    source, width, destination, height, width, height, flip, flop,
                )
                .expect("a plane");
            }
        }
    )*};
}

units! {
    u8 => transpose_plane;
    u16 => transpose_plane16;
    f32 => transpose_plane_f32;
}

/// Batches of planes, rows and columns, where the case is a transpose of planes.
fn planes(case: &Case) -> Option<(usize, usize, usize)> {
    let &[n, c, h, w] = case.source.extents() else { return None };
    match case.name.split(',').next()? {
        "NCHW->NHWC" => Some((n, c, h * w)),
        "NHWC->NCHW" => Some((n, h * w, c)),
        _ => None,
    }
}

/// eff of ours and of each peer that can do the case.
fn measure<U: Unit>(case: &Case) -> [Option<f64>; 5] {
    let length = case.source.length();
    let (mut from, mut to) = (vec![U::zeroed(); length + 64], vec![U::zeroed(); length + 64]);
    let (source, destination) = (aligned(&mut from, length), aligned(&mut to, length));
    for (i, byte) in bytemuck::cast_slice_mut::<U, u8>(source).iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let mut eff = |candidate: &mut dyn FnMut(&[U], &mut [U])| {
        let rounds = if length * size_of::<U>() > 1 << 24 { 3 } else { 7 };
        let mut round = || {
            let before =
                seconds(|| black_box(&mut *destination).copy_from_slice(black_box(source)));
            let own = seconds(|| candidate(black_box(source), black_box(destination)));
            let after = seconds(|| black_box(&mut *destination).copy_from_slice(black_box(source)));
            (before + after) / 2.0 / own
        };
        let mut ratios: Vec<f64> = (0..rounds).map(|_| round()).collect();
        ratios.sort_by(f64::total_cmp);
        Some(ratios[rounds / 2])
    };
    let plan = Plan::new(&case.source, &case.destination).expect("a plan");
    let ours = eff(&mut |from, to| relayout(&plan, from, to).expect("buffers of these layouts"));
    let (transpose, fast) = match planes(case) {
        None => (None, None),
        Some((batches, rows, columns)) => (
            eff(&mut |from, to| {
                let planes = from.chunks(length / batches).zip(to.chunks_mut(length / batches));
                planes.for_each(|(from, to)| transpose::transpose(from, to, columns, rows));
            }),
            eff(&mut |from, to| {
                let planes = from.chunks(length / batches).zip(to.chunks_mut(length / batches));
                planes.for_each(|(from, to)| U::fast_transpose(from, to, columns, rows));
            }),
        ),
    };
    let strides =
        |layout: &Layout| layout.strides().map(|all| [0, 1, 2, 3].map(|i| all[i] as usize));
    let (nd, plain) = match (strides(&case.source), strides(&case.destination)) {
        (Some(a), Some(b)) => {
            let extents: [usize; 4] = case.source.extents().try_into().expect("four axes");
            (
                eff(&mut |from, to| {
                    let from = ArrayView4::from_shape(extents.strides(a), from).expect("a view");
                    let mut to = ArrayViewMut4::from_shape(extents.strides(b), to).expect("a view");
                    to.assign(&from);
                }),
                eff(&mut |from, to| plain_loops(extents, a, b, from, to)),
            )
        }
        _ => (None, None),
    };
    [ours, transpose, fast, nd, plain]
}

/// Loops in the order of the destination, with the strides in registers.
fn plain_loops<U: Copy>(
    extents: [usize; 4],
    source: [usize; 4],
    destination: [usize; 4],
    from: &[U],
    to: &mut [U],
) {
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|&axis| std::cmp::Reverse(destination[axis]));
    let [a, b, c, d] = order;
    for i in 0..extents[a] {
        for j in 0..extents[b] {
            for k in 0..extents[c] {
                let start = |s: [usize; 4]| i * s[a] + j * s[b] + k * s[c];
                let (mut at, mut put) = (start(source), start(destination));
                for _ in 0..extents[d] {
                    to[put] = from[at];
                    at += source[d];
                    put += destination[d];
                }
            }
        }
    }
}

/// `length` units that begin at a cache line.
fn aligned<U>(units: &mut [U], length: usize) -> &mut [U] {
    let start = units.as_ptr().align_offset(64);
    &mut units[start..start + length]
}

/// Seconds that one call takes, over a batch of at least half a millisecond.
fn seconds(mut call: impl FnMut()) -> f64 {
    let mut repeats = 1;
    loop {
        let start = ThreadTime::now();
        (0..repeats).for_each(|_| call());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 5e-4 {
            return elapsed / f64::from(repeats);
        }
        repeats *= 2;
    }
}

fn main() {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let wanted = |case: &Case| filter.as_ref().is_none_or(|filter| case.name.contains(filter));
    println!("conversion,shape,type,ours,transpose,fast_transpose,ndarray,plain_loops");
    let mut missed = Vec::new();
    for case in cases().filter(wanted) {
        let effs = match case.source.element().bits() {
            8 => measure::<u8>(&case),
            16 => measure::<u16>(&case),
            _ => measure::<f32>(&case),
        };
        let fields = effs.map(|eff| eff.map_or(String::new(), |eff| format!("{eff:.2}")));
        println!("{},{}", case.name, fields.join(","));
        let ours = effs[0].unwrap_or(0.0);
        let best = effs[1..].iter().flatten().fold(case.target, |best, &eff| best.max(eff));
        // 5 % for noise.
        if ours < 0.95 * best {
            missed.push(format!("{}: {ours:.2}, target {best:.2}", case.name));
        }
    }
    println!("\n{} cases miss their target", missed.len());
    missed.iter().for_each(|case| println!("{case}"));
}
