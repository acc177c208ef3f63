//! The cases as static pairs, and as plain loops with the same literal bounds.

use std::any::Any;

use bytemuck::Pod;
use tensor_layout::{Element, Layout, Relayout, StaticLayout, layout};

use super::Case;
#[cfg_attr(few_pairs, allow(unused_imports, reason = "all pairs use them"))]
use super::native::{
    Loops, Move, NchwToChwn4, OihwTo4i16o4i, OihwTo16i16o, Transpose, TransposeUnits, fastest,
};

/// What is compiled for one case.
#[derive(Clone, Copy)]
pub(crate) struct Pair<U> {
    source: Layout,
    destination: Layout,
    /// The relayout of this crate.
    pub(crate) run: Move<U>,
    /// Plain loops, compiled for the CPU at hand.
    #[allow(dead_code, reason = "only `targets` compares")]
    pub(crate) native_loops: Move<U>,
    /// The same, compiled as this crate is.
    pub(crate) baseline_loops: Move<U>,
}

impl<U: Element<Unit = U>> Pair<U> {
    fn of<R, L>() -> Self
    where
        R: Relayout<Source: StaticLayout<Element = U>, Destination: StaticLayout<Element = U>>,
        L: Loops<U>,
    {
        Self {
            source: R::Source::LAYOUT,
            destination: R::Destination::LAYOUT,
            run: |source, destination| {
                R::run_slices(source, destination).expect("buffers of these layouts")
            },
            native_loops: fastest::<U, L>(),
            baseline_loops: L::run,
        }
    }
}

/// What is compiled for `case`.
///
/// # Panics
/// If nothing is.
pub(crate) fn pair<U: Pod>(case: &Case) -> Pair<U> {
    all()
        .iter()
        .filter_map(|pair| pair.downcast_ref::<Pair<U>>())
        .find(|pair| pair.source == case.source && pair.destination == case.destination)
        .copied()
        .unwrap_or_else(|| panic!("{case} is not a static pair: add it to benches/cases/pairs.rs"))
}

/// `[axes] source format => destination format, loops { [extents] elements; .. }`, where the
/// loops' parameters are expressions of the axes.
macro_rules! pairs {
    ($([$($axis:ident)*] $source:ident => $destination:ident, $loops:ty { $($shapes:tt)* })*) => {
        fn all() -> Vec<Box<dyn Any>> {
            let mut all: Vec<Box<dyn Any>> = Vec::new();
            $(pairs!(@shapes all [$($axis)*] $source $destination [$loops] $($shapes)*);)*
            all
        }
    };
    (@shapes $all:ident $axes:tt $source:ident $destination:ident $loops:tt
        $($extents:tt $($element:ident)*;)*) => {
        $($(pairs!(@pair $all $axes $extents $source $destination $loops $element);)*)*
    };
    (@pair $all:ident [$($axis:ident)*] [$($extent:literal)*] $source:ident $destination:ident
        [$loops:ty] $element:ident) => {{
        #[derive(Relayout)]
        #[relayout(
            layout!($source<$($axis = $extent),*>, $element)
                => layout!($destination<$($axis = $extent),*>, $element)
        )]
        struct Static;
        $(
            #[allow(dead_code)]
            const $axis: usize = $extent;
        )*
        $all.push(Box::new(Pair::of::<Static, $loops>()));
    }};
}

// Those of the README alone, which compile in seconds.
#[cfg(few_pairs)]
pairs! {
    [N C H W] NCHW => NHWC, Transpose<N, C, { H * W }> {
        [2 64 3 3] f32 i8;
        [1 64 56 56] f32;
    }
    [N C H W] NHWC => NCHW, Transpose<N, { H * W }, C> {
        [1 3 224 224] f32 i8;
    }
    [O I H W] OIHW => OIHW4i16o4i, OihwTo4i16o4i<{ O / 16 }, 16, { I / 16 }, 4, 4, { H * W }> {
        [256 256 3 3] i8;
    }
}

#[cfg(not(few_pairs))]
pairs! {
    [N C H W] NCHW => NHWC, Transpose<N, C, { H * W }> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 3 224 224] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [1 64 63 65] f32 i8;
        [1 64 64 64] f32 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [8 64 127 127] f32 i8;
        [8 64 128 128] f32 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NHWC => NCHW, Transpose<N, { H * W }, C> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 3 224 224] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [1 64 63 65] f32 i8;
        [1 64 64 64] f32 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [8 64 127 127] f32 i8;
        [8 64 128 128] f32 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NCHW => NCHW4, Transpose<{ N * C / 4 }, 4, { H * W }> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NCHW => NCHW32, Transpose<{ N * C / 32 }, 32, { H * W }> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NCHW => CHWN4, NchwToChwn4<N, { C / 4 }, 4, { H * W }> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NCHW4 => NHWC, TransposeUnits<N, { C / 4 }, { H * W }, 4> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [32 256 56 56] f32;
    }
    [N C H W] NCHW4 => NCHW32, TransposeUnits<{ N * C / 32 }, 8, { H * W }, 4> {
        [2 64 3 3] f32 f16 i8;
        [1 64 7 7] f32 f16 i8;
        [1 256 14 14] f32 f16 i8;
        [1 64 56 56] f32 f16 i8;
        [4 96 27 27] f32 f16 i8;
        [8 64 112 112] f32 f16 i8;
        [32 256 56 56] f32;
    }
    [O I H W] OIHW => OIHW4i16o4i, OihwTo4i16o4i<{ O / 16 }, 16, { I / 16 }, 4, 4, { H * W }> {
        [256 256 3 3] f32 f16 i8;
    }
    [O I H W] OIHW => OIHW16i16o, OihwTo16i16o<{ O / 16 }, 16, { I / 16 }, 16, { H * W }> {
        [256 256 3 3] f32 f16 i8;
    }
    [B S H D] BSHD => BHSD, TransposeUnits<B, S, H, D> {
        [8 128 12 64] f32 f16 i8;
    }
}
