//! The guide, one chapter a page.
//!
//! | chapter | what it explains |
//! |---|---|
//! | [layouts] | layout types, compile errors, extents and layouts from run time, generic code |
//! | [notation] | everything that `layout!` accepts |
//! | [tensors] | buffers with a layout, files and other crates, memory spaces |
//! | [moving] | relayouts, conversions, weights in the program |
//! | [views] | views, relayouts of views, CuTe's algebra, parts for several threads |
//! | [gpu] | swizzles of shared memory, bank conflicts, coalescing |
//! | [accelerators] | lanes, addresses in local memory, DMA descriptors |
//! | [languages] | index functions as source text in C, CUDA and shader languages |
//! | [targets] | features, instruction sets, firmware |

macro_rules! chapters {
    ($($chapter:ident)*) => {$(
        #[doc = include_str!(concat!(stringify!($chapter), ".md"))]
        pub mod $chapter {}
    )*};
}

chapters!(layouts notation tensors moving views gpu accelerators targets);

#[cfg(feature = "source")]
#[doc = include_str!("languages.md")]
pub mod languages {}
