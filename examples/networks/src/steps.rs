//! Activations in one array: a step reads its input at one end and writes its output at the other.

use tensor_layout::{StaticLayout, Tensor, layout};

/// An activation: height, width and channels.
pub(crate) type Act<const H: usize, const W: usize, const C: usize> =
    layout!(NHWC<N = 1, C = C, H = H, W = W>, i8);

/// Returns the first `FRONT` and the last `BACK` bytes.
#[inline(always)]
pub(crate) fn ends<const FRONT: usize, const BACK: usize, const ALL: usize>(
    arena: &mut [i8; ALL],
) -> (&mut [i8; FRONT], &mut [i8; BACK]) {
    const { assert!(FRONT + BACK <= ALL, "the input and the output of a step overlap") }
    let (front, back) = arena.split_at_mut(ALL - BACK);
    match (front.first_chunk_mut(), back.first_chunk_mut()) {
        (Some(front), Some(back)) => (front, back),
        _ => unreachable!("the lengths are constants"),
    }
}

/// Runs steps one after another: `TENSOR: INPUT => OUTPUT = OPERATOR`, where `TENSOR` is the index of the output in the
/// file, for the observer. The first input is at the front of the arena, and the output of a step at the other end.
/// The value is a copy of the last output.
macro_rules! steps {
    (@$side:ident $arena:ident $observe:ident; return $last:ty;) => {{
        let mut last = [0; <$last>::LEN];
        last.copy_from_slice(crate::steps::output!(@$side $arena $last));
        last
    }};
    (@front $arena:ident $observe:ident; $tensor:literal: $from:ty => $to:ty = $run:expr; $($rest:tt)*) => {{
        let (from, to) = crate::steps::ends::<{ <$from>::LEN }, { <$to>::LEN }, _>($arena);
        crate::steps::step::<$from, $to, _, _>(from, to, $run);
        $observe($tensor, to);
        crate::steps::steps!(@back $arena $observe; $($rest)*)
    }};
    (@back $arena:ident $observe:ident; $tensor:literal: $from:ty => $to:ty = $run:expr; $($rest:tt)*) => {{
        let (to, from) = crate::steps::ends::<{ <$to>::LEN }, { <$from>::LEN }, _>($arena);
        crate::steps::step::<$from, $to, _, _>(from, to, $run);
        $observe($tensor, to);
        crate::steps::steps!(@front $arena $observe; $($rest)*)
    }};
}

/// Borrows the activation at one end of the arena.
macro_rules! output {
    (@front $arena:ident $last:ty) => {
        crate::steps::ends::<{ <$last>::LEN }, 0, _>($arena).0
    };
    (@back $arena:ident $last:ty) => {
        crate::steps::ends::<0, { <$last>::LEN }, _>($arena).1
    };
}

/// Runs an operator on tensors of these layouts.
#[inline(always)]
pub(crate) fn step<From, To, const FROM: usize, const TO: usize>(
    from: &[i8; FROM],
    to: &mut [i8; TO],
    run: impl FnOnce(Tensor<From, &[i8; FROM]>, Tensor<To, &mut [i8; TO]>),
) where
    From: StaticLayout<Element = i8>,
    To: StaticLayout<Element = i8>,
{
    run(Tensor::from(from), Tensor::from(to));
}

pub(crate) use {output, steps};
