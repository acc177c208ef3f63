//! New memory: what tensors on the heap cost, against memcpy into memory that exists, side by side in one run.
//!
//! `cargo bench --bench memory [-- --numpy=PYTHON]` prints a table in the time of this thread, in microseconds: the
//! fastest of some rounds. A Python with NumPy runs `memory.py` for the same copies right after.

use std::hint::black_box;
use std::process::Command;

use cpu_time::ThreadTime;
use tensor_layout::{Dynamic, Layout, Plan, Tensor};

/// Megabytes of a tensor.
const SIZES: [usize; 5] = [1, 4, 16, 64, 480];

/// The rounds of a size: fewer of the large ones.
fn rounds(megabytes: usize) -> usize {
    (2000 / megabytes).clamp(9, 200)
}

/// The layout of a tensor of this size in a format.
fn layout(format: &str, megabytes: usize) -> Layout {
    let text = format!("{format}<{megabytes}, 16, 125, 125>, f32");
    Layout::parse(&text).expect("a layout")
}

fn main() {
    println!(
        "| MB | memcpy | move to NHWC into it | `zeroed` | `zeroed`, filled | `clone` | `to_format`, same | \
         `to_format` to NHWC |\n|---|---|---|---|---|---|---|---|"
    );
    for megabytes in SIZES {
        let times = times(megabytes).map(|seconds| format!("{:.1}", 1e6 * seconds));
        println!("| {megabytes} | {} |", times.join(" | "));
    }
    let python = std::env::args().find_map(|own| own.strip_prefix("--numpy=").map(String::from));
    if let Some(python) = python {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/memory.py");
        let sizes = SIZES.map(|megabytes| megabytes.to_string());
        let rounds = SIZES.map(|megabytes| rounds(megabytes).to_string());
        let status = Command::new(python).arg(script).args(sizes).args(rounds).status();
        assert!(status.expect("Python runs").success(), "NumPy runs");
    }
}

/// The seconds of each column of the table.
fn times(megabytes: usize) -> [f64; 7] {
    let (planes, pixels) = (layout("NCHW", megabytes), layout("NHWC", megabytes));
    let planes = Dynamic::<f32, 4>::new(planes).expect("a layout of f32");
    let plan = Plan::new(&tensor_layout::LayoutType::layout(&planes), &pixels).expect("a plan");
    let zeroed = || Tensor::zeroed_in(planes).expect("memory");
    let mut source = zeroed();
    source.buffer_mut().fill(1.0);
    let mut there = vec![1.0; source.buffer().len()];
    let mut times = [f64::MAX; 7];
    let mut best = |column: usize, call: &mut dyn FnMut()| {
        let start = ThreadTime::now();
        call();
        times[column] = times[column].min(start.elapsed().as_secs_f64());
    };
    for _ in 0..rounds(megabytes) {
        best(0, &mut || black_box(&mut there).copy_from_slice(black_box(source.buffer())));
        best(1, &mut || {
            plan.run(black_box(source.buffer()), black_box(&mut there)).expect("a move");
        });
        best(2, &mut || drop(black_box(zeroed())));
        best(3, &mut || {
            let mut filled = zeroed();
            filled.buffer_mut().fill(1.0);
            drop(black_box(filled));
        });
        best(4, &mut || drop(black_box(source.clone())));
        best(5, &mut || drop(black_box(source.to_format("NCHW").expect("memory"))));
        best(6, &mut || drop(black_box(source.to_format("NHWC").expect("memory"))));
    }
    times
}
