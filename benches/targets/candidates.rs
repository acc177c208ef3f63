//! What can move a case: this crate and its peers.

use fast_transpose::{FlipMode, FlopMode};
use ndarray::{ArrayView4, ArrayViewMut4, ShapeBuilder};
use tensor_layout::{Layout, Plan, relayout};

use crate::cases::{Case, pair};
use crate::timing::Candidate;

/// Their names: this crate with static layouts and with a plan made at run time, then its peers.
pub(crate) const NAMES: [&str; 8] = [
    "static",
    "planned",
    "native_loops",
    "baseline_loops",
    "transpose",
    "fast_transpose",
    "ndarray",
    "strided_loops",
];

/// How many of them are this crate's; the peers follow.
pub(crate) const OURS: usize = 2;

/// An element as `fast_transpose` takes it.
pub(crate) trait Unit: bytemuck::Pod {
    fn fast_transpose(source: &[Self], destination: &mut [Self], columns: usize, rows: usize);
}

macro_rules! units {
    ($($unit:ty as $bits:ty => $function:ident;)*) => {$(
        impl Unit for $unit {
            fn fast_transpose(
                source: &[Self],
                destination: &mut [Self],
                columns: usize,
                rows: usize,
            ) {
                fast_transpose::$function(
                    bytemuck::cast_slice::<_, $bits>(source),
                    columns,
                    bytemuck::cast_slice_mut::<_, $bits>(destination),
                    rows,
                    columns,
                    rows,
                    FlipMode::NoFlip,
                    // Without it the matrix is rotated.
                    FlopMode::Flop,
                )
                .expect("a matrix");
            }
        }
    )*};
}

units! {
    i8 as u8 => transpose_plane;
    tensor_layout::f16 as u16 => transpose_plane16;
    f32 as f32 => transpose_plane_f32;
}

/// Those that can do the case, in the order of their names.
pub(crate) fn candidates<U: Unit>(case: &Case) -> [Option<Candidate<'_, U>>; NAMES.len()] {
    let pair = pair::<U>(case);
    let plan = Plan::new(&case.source, &case.destination).expect("a plan");
    let planned: Candidate<U> = Box::new(move |source, destination| {
        relayout(&plan, source, destination).expect("buffers of these layouts")
    });
    let [transpose, fast_transpose] = transposes(case);
    let [ndarray, strided_loops] = strided(case);
    [
        Some(Box::new(pair.run)),
        Some(planned),
        Some(Box::new(pair.native_loops)),
        Some(Box::new(pair.baseline_loops)),
        transpose,
        fast_transpose,
        ndarray,
        strided_loops,
    ]
}

/// The crates that transpose matrices, where the case is one for each image.
fn transposes<'a, U: Unit>(case: &Case) -> [Option<Candidate<'a, U>>; 2] {
    let &[images, c, h, w] = case.source.extents() else { return [None, None] };
    let (rows, columns) = match case.conversion {
        "NCHW->NHWC" => (c, h * w),
        "NHWC->NCHW" => (h * w, c),
        _ => return [None, None],
    };
    let length = case.source.len() / images;
    [
        Some(Box::new(move |source, destination| {
            for (from, to) in source.chunks(length).zip(destination.chunks_mut(length)) {
                transpose::transpose(from, to, columns, rows);
            }
        })),
        Some(Box::new(move |source, destination| {
            for (from, to) in source.chunks(length).zip(destination.chunks_mut(length)) {
                U::fast_transpose(from, to, columns, rows);
            }
        })),
    ]
}

/// What takes strides, where each axis of both layouts has one.
fn strided<'a, U: Unit>(case: &Case) -> [Option<Candidate<'a, U>>; 2] {
    let strides =
        |layout: &Layout| layout.strides().map(|all| [0, 1, 2, 3].map(|axis| all[axis] as usize));
    let (Some(from), Some(to)) = (strides(&case.source), strides(&case.destination)) else {
        return [None, None];
    };
    let extents: [usize; 4] = case.source.extents().try_into().expect("four axes");
    [
        Some(Box::new(move |source, destination| {
            let source = ArrayView4::from_shape(extents.strides(from), source);
            let destination = ArrayViewMut4::from_shape(extents.strides(to), destination);
            destination.expect("a view").assign(&source.expect("a view"));
        })),
        Some(Box::new(move |source, destination| {
            strided_loops(extents, from, to, source, destination)
        })),
    ]
}

/// Loops in the order of the destination, with the strides in registers.
fn strided_loops<U: Copy>(
    extents: [usize; 4],
    from: [usize; 4],
    to: [usize; 4],
    source: &[U],
    destination: &mut [U],
) {
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|&axis| std::cmp::Reverse(to[axis]));
    let [a, b, c, d] = order;
    for i in 0..extents[a] {
        for j in 0..extents[b] {
            for k in 0..extents[c] {
                let start = |s: [usize; 4]| i * s[a] + j * s[b] + k * s[c];
                let (mut at, mut put) = (start(from), start(to));
                for _ in 0..extents[d] {
                    destination[put] = source[at];
                    at += from[d];
                    put += to[d];
                }
            }
        }
    }
}
