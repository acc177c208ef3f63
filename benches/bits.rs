//! Relayouts of elements of less than a byte and of swizzled layouts against memcpy, side by side in one run.
//!
//! `cargo bench --bench bits [-- PART OF A CASE]` prints CSV: the case, the microseconds of one relayout, and
//! eff, the time of memcpy of the larger buffer over that of the relayout. memcpy is timed right before and after;
//! buffers begin at cache lines.

use std::hint::black_box;

use tensor_layout::{Layout, Plan};

mod stopwatch;

use stopwatch::{aligned, seconds};

/// What is moved, from where to where.
const CASES: &[(&str, &str, &str)] = &[
    ("same bytes", "HW<1024, 4096>, u4", "HW<1024, 4096>, u4"),
    ("other order", "HW<1024, 4096>, u4, high_first", "HW<1024, 4096>, u4"),
    ("other order", "HW<1024, 4096>, u2, high_first", "HW<1024, 4096>, u2"),
    ("other order", "HW<1024, 4096>, u1, high_first", "HW<1024, 4096>, u1"),
    ("transpose", "NK<N = 1024, K = 1024>, u4", "KN<N = 1024, K = 1024>, u4"),
    (
        "transpose, other order",
        "NK<N = 1024, K = 1024>, u4, high_first",
        "KN<N = 1024, K = 1024>, u4",
    ),
    ("transpose", "NK<N = 1024, K = 1024>, u2", "KN<N = 1024, K = 1024>, u2"),
    ("transpose", "NK<N = 1024, K = 1024>, u1", "KN<N = 1024, K = 1024>, u1"),
    (
        "rows from an odd element on",
        "HW<256, 4096>, u4, strides = [4100, 1], from 1 of 1049600",
        "HW<256, 4096>, u4",
    ),
    ("to AWQ", "KN<K = 1024, N = 1024>, u4", "KN2n4n/2<K = 1024, N = 1024>, u4"),
    ("to GPTQ", "KN<K = 1024, N = 1024>, u4", "KN8k<K = 1024, N = 1024>, u4"),
    ("to GPTQ", "KN<K = 1024, N = 1024>, u2", "KN16k<K = 1024, N = 1024>, u2"),
    ("to a tile", "MK<128, 64>, f16", "MK<128, 64>, f16, swizzle = b128"),
    ("from a tile", "MK<128, 64>, f16, swizzle = b128", "MK<128, 64>, f16"),
    ("to a tile of columns", "MK<128, 64>, f16", "KM<M = 128, K = 64>, f16, swizzle = b128"),
    ("from a tile to columns", "MK<128, 64>, f16, swizzle = b128", "KM<M = 128, K = 64>, f16"),
    ("columns, no tile", "MK<128, 64>, f16", "KM<M = 128, K = 64>, f16"),
    ("columns, no tile", "MK<1024, 64>, f16", "KM<M = 1024, K = 64>, f16"),
    ("to a tile of columns", "MK<1024, 64>, f16", "KM<M = 1024, K = 64>, f16, swizzle = b128"),
    ("columns to a tile", "KM<M = 128, K = 64>, f16", "MK<128, 64>, f16, swizzle = b128"),
    ("columns to a tile", "KM<M = 1024, K = 64>, f16", "MK<1024, 64>, f16, swizzle = b128"),
    ("from a tile to columns", "MK<1024, 64>, f16, swizzle = b128", "KM<M = 1024, K = 64>, f16"),
    (
        "channels to tiles",
        "NHWC<N = 1, C = 256, H = 16, W = 16>, f16",
        "NC64cHW<1, 256, 16, 16>, f16, swizzle = b128",
    ),
    (
        "pixels to tiles",
        "NHWC<N = 1, C = 256, H = 16, W = 16>, f16",
        "NHC64cW<N = 1, C = 256, H = 16, W = 16>, f16, swizzle = b128",
    ),
    (
        "planes to tiles",
        "NCHW<1, 64, 32, 32>, f16",
        "NHWC<N = 1, C = 64, H = 32, W = 32>, f16, swizzle = b128",
    ),
    ("between tiles", "MK<128, 64>, f16, swizzle = b32", "MK<128, 64>, f16, swizzle = b128"),
    ("to a large tile", "MK<4096, 64>, f16", "MK<4096, 64>, f16, swizzle = b128"),
    (
        "from a large tile to columns",
        "MK<4096, 64>, f16, swizzle = b128",
        "KM<M = 4096, K = 64>, f16",
    ),
    ("to a tile of f32", "MK<128, 32>, f32", "MK<128, 32>, f32, swizzle = b128"),
    ("single elements", "MK<32, 32>, f32", "MK<32, 32>, f32, swizzle(5, 0, 5)"),
    ("padded rows", "MK<128, 64>, f16, align(M = 144), pad", "MK<128, 64>, f16, swizzle = b128"),
    ("rows of another length", "MK<120, 56>, f16", "MK<120, 56>, f16, swizzle(3, 3, 3), pad"),
];

fn main() {
    println!("case; us; eff");
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (name, source, destination) in CASES {
        let title = format!("{name}: {source} -> {destination}");
        if filter.as_ref().is_some_and(|filter| !title.contains(filter)) {
            continue;
        }
        let [source, destination] =
            [source, destination].map(|text| text.parse::<Layout>().expect("a layout"));
        let (us, eff) = measured(&source, &destination);
        println!("{title}; {us:.2}; {eff:.2}");
    }
}

/// The microseconds of a relayout, and the time of memcpy over it.
fn measured(source: &Layout, destination: &Layout) -> (f64, f64) {
    let plan = Plan::new(source, destination).expect("a plan");
    let unit = source.element().bits().div_ceil(8);
    let bytes = source.bytes().max(destination.bytes());
    let mut buffers = [(); 4].map(|()| vec![1u8; bytes + 64]);
    let [from, to, a, b] = &mut buffers;
    let [from, to, a, b] = [from, to, a, b].map(|buffer| aligned(buffer, bytes));
    let (from, to) = (&from[..source.bytes()], &mut to[..destination.bytes()]);
    let mut moved = || match unit {
        1 => plan.run(black_box(from), black_box(&mut *to)).expect("lengths"),
        2 => moved::<u16>(&plan, from, to),
        _ => moved::<u32>(&plan, from, to),
    };
    let mut round = || {
        let before = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
        let own = seconds(&mut moved);
        let after = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
        ((before + after) / 2.0 / own, own)
    };
    let mut rounds: Vec<_> = (0..9).map(|_| round()).collect();
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    (rounds[4].1 * 1e6, rounds[4].0)
}

fn moved<U: bytemuck::Pod>(plan: &Plan, from: &[u8], to: &mut [u8]) {
    let (from, to) = (bytemuck::cast_slice::<u8, U>(from), bytemuck::cast_slice_mut(to));
    plan.run(black_box(from), black_box(to)).expect("lengths");
}
