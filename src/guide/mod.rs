//! The guide, one chapter a page.
//!
//! | chapter | what it explains |
//! |---|---|
//! | [layouts] | layout types, compile errors, extents and layouts known at run time, generic code |
//! | [notation] | everything that `layout!` accepts |
//! | [tensors] | tensors over buffers, files and other crates, memory spaces |
//! | [stack_and_heap] | where elements lie, and how much stack functions take |
//! | [own_kernel] | writing kernels with rows, panels, views and zips, generic over extents |
//! | [moving] | relayouts, conversions, weights included in the program |
//! | [views] | views, relayouts of views, CuTe's algebra, parts for several threads |
//! | [gpu] | swizzles of shared memory, fragments of tensor cores, bank conflicts, coalescing |
//! | [arena] | tensors that share memory: lifetimes, steps, fast and slow memory |
//! | [accelerators] | lanes, storages of your own, addresses in local memory, DMA descriptors |
//! | [records] | several tensors in one buffer: frames of planes, weights with scales, structs |
//! | [pictures] | pictures of layouts in documentation and terminals; explanations of layouts and plans as text |
//! | [checkpoints] | checkpoints repacked by rules: files larger than memory, fused, split, sharded, in other layouts |
//! | [languages] | index functions as source text in C, CUDA and shader languages |
//! | [interfaces] | raw slices, C and Python |
//! | [targets] | features, instruction sets, firmware |
//! | [plans] | reference: the lines that a plan prints |
//! | [not_for] | what the library is not for, and what does these jobs |
//! | [cookbook] | complete examples: camera to model, weights, a key-value cache, an accelerator of your own |
//! | [coming_from] | operations of PyTorch, NumPy, einops, oneDNN and CuTe and what to write here |

macro_rules! chapters {
    ($($chapter:ident)*) => {$(
        #[doc = include_str!(concat!(stringify!($chapter), ".md"))]
        pub mod $chapter {}
    )*};
}

chapters!(tensors stack_and_heap own_kernel views checkpoints interfaces targets plans not_for);

#[doc = include_str!("notation.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "\nThe offsets in two tiles of 8 x 2 with such blocks:",
    doc = layout_macros::picture!([] RC4r2r/4 2c<R = 8, C = 4>, u8)
)]
#[doc = include_str!("notation_weights.md")]
pub mod notation {}

#[doc = include_str!("moving.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "\nThe two buffers, each element with its offset in the first:",
    doc = layout_macros::picture!([] NHWC<N = 1, C = 3, H = 4, W = 4>, u8 => NCHW4<1, 3, 4, 4>, u8, pad = 128)
)]
#[doc = include_str!("moving_values.md")]
pub mod moving {}

#[doc = include_str!("gpu.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "\n[`Picture::access`](crate::show::Picture::access) draws the banks that an instruction reads. One \
           phase of `ldmatrix` reads 16 bytes of each of 8 rows. A row of 128 bytes spans all banks:",
    doc = layout_macros::picture!([] MK<8, 8>, f16, strides = [64, 1]; access = M),
    doc = "With the swizzle, the rows begin in different banks:",
    doc = layout_macros::picture!([] MK<8, 8>, f16, strides = [64, 1], swizzle = b128; access = M)
)]
#[doc = include_str!("gpu_coalescing.md")]
pub mod gpu {}

#[doc = include_str!("accelerators.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "\nThree channels from lane 62 on, each element with its coordinates:",
    doc = layout_macros::picture!([] NCHW<1, 3, 2, 2>, f16, bm1684x::compact(start = 62); lanes)
)]
#[doc = include_str!("accelerators_storages.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "\n[`Picture::local_memory`](crate::show::Picture::local_memory) draws the map of the tensors:",
    doc = concat!("\n\n<div style=\"overflow-x:auto\">", include_str!("local_memory.svg"), "</div>\n\n")
)]
pub mod accelerators {}

#[doc = include_str!("first_layout.md")]
#[cfg_attr(
    feature = "pictures",
    doc = "The offsets of its first image, of 8 channels here:",
    doc = layout_macros::picture!([] NCHW4<1, 8, 3, 3>, f16)
)]
#[doc = include_str!("layouts.md")]
pub mod layouts {}

#[cfg(feature = "pictures")]
#[doc = include_str!("pictures.md")]
#[doc = layout_macros::picture!([] NHWC<N = 1, C = 3, H = 2, W = 4>, u8 => NCHW4<1, 3, 2, 4>, u8, pad)]
#[doc = include_str!("pictures_of_banks.md")]
#[doc = layout_macros::picture!([] MK<8, 16>, f32; color = banks)]
#[doc = layout_macros::picture!([] MK<8, 16>, f32, swizzle(2, 2, 2); color = banks)]
#[doc = include_str!("explanations.md")]
pub mod pictures {}

#[cfg(feature = "arena")]
#[doc = include_str!("arena.md")]
pub mod arena {}

#[cfg(feature = "records")]
#[doc = include_str!("records.md")]
#[cfg_attr(feature = "include", doc = include_str!("records_in_programs.md"))]
pub mod records {}

#[cfg(feature = "source")]
#[doc = include_str!("languages.md")]
pub mod languages {}

#[cfg(all(feature = "ndarray", feature = "safetensors"))]
#[doc = include_str!("cookbook.md")]
pub mod cookbook {}

#[cfg(feature = "names")]
#[doc = include_str!("coming_from.md")]
pub mod coming_from {}
