//! The guide, one chapter a page.
//!
//! | chapter | what it explains |
//! |---|---|
//! | [layouts] | layout types, compile errors, extents and layouts from run time, generic code |
//! | [notation] | everything that `layout!` accepts |
//! | [tensors] | buffers with a layout, files and other crates, memory spaces |
//! | [own_kernel] | rows, panels, views and zips: kernels of your own, generic over extents |
//! | [moving] | relayouts, conversions, weights in the program |
//! | [views] | views, relayouts of views, CuTe's algebra, parts for several threads |
//! | [gpu] | swizzles of shared memory, bank conflicts, coalescing |
//! | [accelerators] | lanes, addresses in local memory, DMA descriptors |
//! | [pictures] | layouts as pictures, in documentation and terminals; what a layout is, in words |
//! | [languages] | index functions as source text in C, CUDA and shader languages |
//! | [targets] | features, instruction sets, firmware |
//! | [cookbook] | whole jobs to copy: camera to model, weights, a key-value cache, audio, an accelerator of your own |
//! | [coming_from] | what you write in PyTorch, NumPy, einops, oneDNN and CuTe, and what here |

macro_rules! chapters {
    ($($chapter:ident)*) => {$(
        #[doc = include_str!(concat!(stringify!($chapter), ".md"))]
        pub mod $chapter {}
    )*};
}

chapters!(notation tensors own_kernel moving views gpu accelerators targets);

#[doc = include_str!("first_layout.md")]
#[cfg_attr(feature = "pictures", doc = "The offsets of its first image, of 8 channels here:")]
#[cfg_attr(feature = "pictures", doc = layout_macros::picture!([] NCHW4<1, 8, 3, 3>, f16))]
#[doc = include_str!("layouts.md")]
pub mod layouts {}

#[cfg(feature = "pictures")]
#[doc = include_str!("pictures.md")]
#[doc = layout_macros::picture!([] NHWC<1, 3, 2, 4>, u8 => NCHW4<1, 3, 2, 4>, u8, pad)]
#[doc = include_str!("pictures_of_banks.md")]
#[doc = layout_macros::picture!([] MK<8, 16>, f32; color = banks)]
#[doc = layout_macros::picture!([] MK<8, 16>, f32, swizzle(2, 2, 2); color = banks)]
#[doc = include_str!("explanations.md")]
pub mod pictures {}

#[cfg(feature = "source")]
#[doc = include_str!("languages.md")]
pub mod languages {}

#[cfg(all(feature = "ndarray", feature = "pictures", feature = "safetensors"))]
#[doc = include_str!("cookbook.md")]
pub mod cookbook {}

#[cfg(feature = "names")]
#[doc = include_str!("coming_from.md")]
pub mod coming_from {}
