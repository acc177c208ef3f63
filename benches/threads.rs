//! Relayouts of tensors that are cut, those above 8 MiB, on two threads, against one.
//!
//! `cargo bench --features rayon --bench threads [-- [--threads=N] [PART OF A CASE]]` prints CSV: the case, the
//! microseconds on one thread and on N, and their ratio; then the same for memcpy in N parts. If memcpy gains
//! nothing, one thread saturates memory. Each figure is the median of rounds in which all four take turns.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Instant;

use bytemuck::Pod;
use rayon::prelude::*;
use tensor_layout::{Plan, f16};

#[path = "cases/case.rs"]
mod case;
#[path = "cases/table.rs"]
mod table;

use case::Case;
use table::cases;

/// What one thread moves alone.
const ALONE: usize = 8 << 20;

/// The rounds of a case.
const ROUNDS: usize = 41;

fn main() {
    let (options, parts): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let threads = options.iter().find_map(|option| option.strip_prefix("--threads="));
    let threads = threads.map_or("2", |threads| threads).parse::<NonZeroUsize>();
    let threads = threads.expect("--threads= and a number from 1 on").get();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    println!(
        "conversion,shape,type,one_us,{threads}_us,gain,memcpy_one_us,memcpy_{threads}_us,gain"
    );
    for case in cases().filter(|case| case.source.bytes() > ALONE) {
        if !parts.iter().all(|part| case.to_string().contains(part)) {
            continue;
        }
        match case.element {
            "i8" => print::<i8>(&case, &pool),
            "f16" => print::<f16>(&case, &pool),
            "f32" => print::<f32>(&case, &pool),
            other => panic!("{other} is not an element of the cases"),
        }
    }
}

fn print<U: Pod + Send + Sync>(case: &Case, pool: &rayon::ThreadPool) {
    let plan = Plan::new(&case.source, &case.destination).expect("a plan");
    let length = case.source.len();
    // Written to, so that each page of the source is memory of its own.
    let mut source = vec![U::zeroed(); length];
    bytemuck::cast_slice_mut::<U, u8>(&mut source).fill(1);
    let mut destination = vec![U::zeroed(); length];
    let part = length.div_ceil(pool.current_num_threads());
    let mut rounds = vec![Vec::new(); 4];
    for _ in 0..ROUNDS {
        let (source, destination) = (black_box(&source[..]), black_box(&mut destination[..]));
        let copies = |to: &mut [U]| {
            let parts = to.par_chunks_mut(part).zip(source.par_chunks(part));
            parts.for_each(|(to, from)| to.copy_from_slice(from));
        };
        rounds[0].push(seconds(|| plan.run(source, destination).expect("lengths")));
        rounds[1].push(seconds(|| {
            pool.install(|| plan.par_run(source, destination)).expect("lengths");
        }));
        rounds[2].push(seconds(|| destination.copy_from_slice(source)));
        rounds[3].push(seconds(|| pool.install(|| copies(destination))));
    }
    let medians: Vec<_> = rounds.into_iter().map(median).collect();
    let (one, several) = (medians[0], medians[1]);
    let (copy, copies) = (medians[2], medians[3]);
    println!(
        "{case},{:.0},{:.0},{:.2},{:.0},{:.0},{:.2}",
        one * 1e6,
        several * 1e6,
        one / several,
        copy * 1e6,
        copies * 1e6,
        copy / copies,
    );
}

fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
