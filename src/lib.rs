//! Memory layouts of tensors as Rust types: checked at compile time, indexed by plain arithmetic,
//! moved by SIMD kernels.
//!
//! A neural network's data is stored in a *format*: NCHW, NHWC, NCHW4, OIHW4i16o4i, padded, aligned.
//! Code with wrong index arithmetic still runs, and scrambles its result. Here the layout is part of
//! the type. The compiler does the arithmetic and finds the mistakes.
//!
//! ```
//! use tensor_layout::{Relayout, Tensor, layout};
//!
//! type Image = layout!(NHWC<N = 1, C = 3, H = 4, W = 4>, u8);
//! type Packed = layout!(NCHW4<1, 3, 4, 4>, u8, pad); // channels in blocks of 4
//!
//! #[derive(Relayout)]
//! #[relayout(Image => Packed)]
//! struct Pack;
//!
//! let pixels: [u8; Image::LEN] = core::array::from_fn(|i| i as u8);
//! let image: Tensor<Image, _> = pixels.into(); // the length is a type, so this cannot fail
//! let packed = Pack::tensor(&image); // a tensor of another format does not compile
//!
//! // Coordinates are [n, c, h, w] in every format.
//! assert_eq!(packed[[0, 2, 3, 1]], image[[0, 2, 3, 1]]);
//! assert_eq!(packed.buffer()[Packed::offset([0, 2, 3, 1])], 3 * 12 + 3 + 2);
//! ```
//!
//! An invalid layout is a compile error that points at the offending token and says how to fix it:
//!
//! ```text
//! error: axis `C` has extent 63, which is not a multiple of its block 4; write 60 or 64, or add
//!        the option `pad` to store the rest of the last block as padding
//!   |
//! 1 | type Act = layout!(NCHW4<2, 63, 3, 3>, f16);
//!   |                             ^^
//! ```
//!
//! # Where to go on
//!
//! | to do this | use | the guide explains it |
//! |---|---|---|
//! | declare a layout | [`layout!`], [`named_format!`] | [layouts](guide::layouts), [notation](guide::notation) |
//! | make a layout at run time | [`Layout`], [`Format`], [`Dynamic`] | [layouts](guide::layouts#layouts-from-run-time) |
//! | index a buffer | [`Tensor`], [`Static::offset`] | [tensors](guide::tensors) |
//! | know what lies on the stack | [`Tensor::zeroed`], [`tensor!`] | [stack and heap](guide::stack_and_heap) |
//! | write a kernel | [`Tensor::row`], [`Tensor::panel`], [`tensor::zip`](tensor::zip()) | [your own kernel](guide::own_kernel) |
//! | move a tensor | [`#[derive(Relayout)]`](derive@Relayout), [`Plan`], [`Tensor::relayout_into`] | [moving](guide::moving) |
//! | change the element type on the way | [`Conversion`], [`Tensor::convert_to`] | [moving](guide::moving#a-conversion) |
//! | know what a plan will do | [`Plan`] prints it | [plans](guide::plans) |
//! | slice, permute, reshape | [`view!`], [`Tensor::view`] | [views](guide::views) |
//! | compose, divide, invert layouts as in CuTe | [`algebra`] | [views](guide::views) |
//! | swizzle a tile, count bank conflicts and sectors | [`access`][access], feature `access`, [`Swizzle`] | [gpu](guide::gpu) |
//! | place tensors in an accelerator | [`place!`][place], feature `chip`, [`chip`] | [accelerators](guide::accelerators) |
//! | let tensors share memory | [`arena!`][arena], feature `arena` | [arena](guide::arena) |
//! | include weights in the program | [`include_tensor!`][include], feature `include` | [moving](guide::moving#weights-in-the-program) |
//! | draw a layout, explain it in words | [`picture!`][picture], [`show`][show], feature `pictures` | [pictures](guide::pictures) |
//! | describe several tensors in one buffer | feature `records` | [records](guide::records) |
//! | index a buffer in C, CUDA, OpenCL, Metal, WGSL or GLSL | [`source`][source], feature `source` | [other languages](guide::languages) |
//! | read files, share tensors with other crates | [`adapters`][adapters], a feature each | [tensors](guide::tensors#bytes-and-files) |
//! | repack checkpoints larger than memory | the program `layout`, package `tensor-layout-checkpoints` | [checkpoints](guide::checkpoints) |
//! | copy between slices by shape and strides; C, Python | [`strided`], packages of their own | [interfaces](guide::interfaces) |
//! | run on a microcontroller | `default-features = false` | [targets](guide::targets) |
//! | copy a whole job | camera to model, weights, a key-value cache | [cookbook](guide::cookbook) |
//! | decide whether to use it | what does other jobs | [what it is not for](guide::not_for) |
//! | translate from PyTorch, einops, oneDNN, CuTe | tables of both | [coming from elsewhere](guide::coming_from) |
//!
#![cfg_attr(feature = "access", doc = "[access]: mod@access")]
#![cfg_attr(not(feature = "access"), doc = "[access]: guide::targets#features")]
#![cfg_attr(feature = "arena", doc = "[arena]: arena!")]
#![cfg_attr(not(feature = "arena"), doc = "[arena]: guide::targets#features")]
#![cfg_attr(feature = "chip", doc = "[place]: place!")]
#![cfg_attr(not(feature = "chip"), doc = "[place]: guide::targets#features")]
#![cfg_attr(feature = "include", doc = "[include]: include_tensor!")]
#![cfg_attr(not(feature = "include"), doc = "[include]: guide::targets#features")]
#![cfg_attr(feature = "pictures", doc = "[picture]: picture!\n[show]: mod@show")]
#![cfg_attr(not(feature = "pictures"), doc = "[picture]: guide::targets#features")]
#![cfg_attr(not(feature = "pictures"), doc = "[show]: guide::targets#features")]
#![cfg_attr(feature = "source", doc = "[source]: mod@source")]
#![cfg_attr(not(feature = "source"), doc = "[source]: guide::targets#features")]
#![cfg_attr(feature = "std", doc = "[adapters]: mod@adapters")]
#![cfg_attr(not(feature = "std"), doc = "[adapters]: guide::targets#features")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "alloc", feature = "pictures"))]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(any(doc, doctest))]
pub mod guide;

#[cfg(feature = "std")]
pub mod adapters;
#[cfg(feature = "arena")]
pub mod arena;
mod buffers;
pub mod chip;
mod convert;
#[cfg(feature = "records")]
pub mod records;
mod relayout;
pub mod strided;
pub mod tensor;
pub mod typed;

/// Pictures of layouts as SVG, HTML and text, and explanations of what a layout is and why a relayout takes its path.
#[cfg(feature = "pictures")]
pub mod show {
    pub use layout_kernels::{Choice, Loop, Reasons};
    pub use layout_show::*;

    pub use crate::relayout::{BoxExplanation, RelayoutExplanation};
}
#[cfg(feature = "source")]
#[doc(inline)]
pub use layout_source as source;

/// The parts of layouts: factors, axes, names, and the errors of rules.
pub mod spec {
    pub use layout_types::spec::{
        AxisExtent, Factor, FloatBits, IntegerWidth, Kind, Length, Letters, MAX_FACTORS, MAX_RANK,
        Message, NAMED_FORMATS, Name, SWIZZLE_NAMES, Spec, Specials, SubByte, Subject, Swizzling,
        Text, Violation, Violations, check_stride_count, coordinate_order,
    };
    #[doc(hidden)]
    pub use layout_types::spec::{Rule, broken, half_floats, weight};
}

/// Functions that move a tensor from one static layout to another.
///
/// ```
/// use tensor_layout::{Relayout, Tensor, layout, tensor};
///
/// type Planes = layout!(NCHW<1, 8, 2, 2>, i8);
/// type Packed = layout!(NCHW4<1, 8, 2, 2>, i8);
///
/// #[derive(Relayout)]
/// #[relayout(Planes => Packed)]
/// struct Pack;
///
/// let planes: [i8; Planes::LEN] = core::array::from_fn(|i| i as i8);
/// let planes: Tensor<Planes, _> = planes.into();
/// let mut packed = <tensor!(Packed)>::default();
/// Pack::run(&planes, &mut packed);
/// assert_eq!(packed.buffer()[..4], [0, 4, 8, 12]);
/// ```
///
/// The derive takes a type without generic parameters and `#[relayout(Source => Destination)]` beside it, or for record
/// types `#[relayout(records, Source => Destination)]`, which gives it `run` alone. It generates:
///
/// | item | what it does |
/// |---|---|
/// | `fn run(source: &Tensor<Source, _>, destination: &mut Tensor<Destination, _>)` | Moves one tensor to the other, over any buffers. It cannot fail and does not allocate. |
/// | `fn tensor(source: &Tensor<Source, _>) -> Tensor<Destination>` | Moves the tensor to one of its own on the heap. It needs feature `alloc`; without it, a call is a compile error. |
/// | `fn array(source: &Tensor<Source, _>) -> tensor!(Destination)` | Moves the tensor to an array of its own, which is returned on the stack. More than 64 KiB are a compile error. |
/// | `fn try_run(..) -> Result<(), LayoutError>` | Does what `run` does, also for extents known only at run time. |
/// | `fn run_arrays(source: &[Unit; _], destination: &mut [Unit; _])` | Moves the tensor between arrays. Their types state their lengths but not their formats. |
/// | `fn run_in_place(buffer: &mut [Unit; _])` | Moves the tensor within one array, as [`Plan::run_in_place`] does. If one side is padded, a call is a compile error. |
/// | `const fn constant(source: &[Unit; _]) -> [Unit; _]` | Moves the tensor at compile time. It takes 3 to 20 microseconds an element, so it is for small tables; `include_tensor!` packs large ones. |
/// | `const PLAN: &'static Plan` | Describes how the tensor is moved. |
/// | an implementation of the trait [`Relayout`](trait@Relayout) | Adds `run_slices` over slices and, with feature `rayon`, `par_run` on several threads. |
///
/// Layouts with extents written `_` have `try_run` alone. The compiler compares axes, known extents and elements;
/// `try_run` compares the other extents and makes the plan at run time.
///
/// ```
/// use tensor_layout::{Relayout, Tensor, layout};
///
/// type Images = layout!(NHWC<N = _, C = 3, H = 1, W = 2>, u8);
/// type Batch = layout!(NCHW4<_, 3, 1, 2>, u8, pad);
///
/// #[derive(Relayout)]
/// #[relayout(Images => Batch)]
/// struct PackBatch;
///
/// let images = Tensor::with_layout(Images::new([2])?, vec![7; 12])?;
/// let mut batch = Tensor::zeroed_in(Batch::new([2])?)?;
/// PackBatch::try_run(&images, &mut batch)?;
/// assert_eq!(batch.buffer()[..4], [7, 7, 7, 0]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// A unit is an element, or a byte for elements of less than a byte. Both sides must have the same axes, extents and
/// element type; anything else is a compile error. The relayout fills the padding of the destination as its layout
/// declares.
///
/// `constant` moves at most about 1.9 million elements if many of them stay adjacent, and 180,000 if only four
/// do. For elements of less than a byte, the limits are 230,000 and 100,000.
///
/// `#[relayout(Source => Destination, convert = CONVERSION)]` takes sides of different element types. A constant
/// [`Conversion`] says what happens to the elements, `PLAN` is a [`ConversionPlan`], and there is no `constant`.
///
/// The derive finds a renamed dependency on `tensor-layout` in `Cargo.toml`. A crate that reaches this one
/// through another crate names the path: `#[relayout(crate = other::tensor_layout, Source => Destination)]`.
#[doc(inline)]
pub use __private::Relayout;
#[cfg(feature = "access")]
#[doc(inline)]
pub use layout_access as access;
#[cfg(feature = "names")]
#[doc(inline)]
pub use layout_names as names;
pub use layout_types::{
    AsFormat, Conversion, Coordinates, Digit, Dynamic, Element, ElementType, Epilogue, FixedPoint,
    Format, FormatType, Formats, HighFirst, Layout, LayoutBuilder, LayoutError, LayoutTemplate,
    LayoutType, Mixed, NotationError, Number, PerAxis, PlainElement, Rounding, Static,
    StaticLayout, SubByteElement, Swizzle, UnitOf, WholeElement, WithElement, algebra,
};
#[cfg(feature = "half")]
pub use layout_types::{bf16, f16};
#[doc(inline)]
pub use layout_types::{named::*, plain};

pub use convert::ConversionPlan;
#[cfg(feature = "alloc")]
pub use convert::Quantized;
pub use relayout::{InPlaceError, Plan, Relayout, relayout_cost};
#[doc(inline)]
pub use tensor::Tensor;

/// A layout as a type: `layout!(FORMAT<EXTENTS>, ELEMENT, OPTIONS)`.
///
/// The guide explains the [notation](guide::notation). The compiler reports every mistake in a layout at
/// once, each on its token.
///
/// ```
/// use tensor_layout::layout;
///
/// type Last = layout!(NHWC<N = 1, C = 64, H = 5, W = 4>, f32);
/// assert_eq!(Last::STRIDES, Some([1280, 1, 256, 64]));
///
/// type Weights = layout!(OIHW4i16o4i<64, 64, 3, 3>, i8);
/// assert_eq!(Weights::offset([1, 5, 0, 0]), 64 + 4 + 1);
///
/// type Heads = layout!(BSHD<8, 128, 12, 64>, f32);
/// assert_eq!(Heads::EXTENTS, [8, 128, 12, 64]);
/// ```
#[macro_export]
macro_rules! layout {
    ($($tokens:tt)*) => { $crate::__private::layout! { [$crate] $($tokens)* } };
}

/// Names a format, with options if there are any, or a whole layout.
///
/// ```
/// use tensor_layout::{layout, named_format};
///
/// named_format!(TILED = NCHW4h4w4c);
///
/// type Act = layout!(TILED!<1, 64, 8, 8>, i8);
/// assert_eq!(Act::offset([0, 5, 6, 7]), 256 + 128 + 64 + 2 * 16 + 3 * 4 + 1);
///
/// // Operand A of the tensor core instruction m16n8k16: 8 registers of each of 32 lanes.
/// named_format!(MMA_A = 8m4k KM2k, lanes(32));
///
/// type A = layout!(MMA_A!<M = 16, K = 16>, f16);
/// assert_eq!(A::LAYOUT, <layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32))>::LAYOUT);
///
/// named_format!(CONV = OIHW4i4o<8, 4, 3, 3>, i8);
///
/// type Conv = layout!(CONV!);
/// assert_eq!(Conv::LEN, 288);
/// ```
///
/// Options of the layout follow those of the name; each option may be written once.
///
/// The name is a macro and follows the scope of macros. It is visible below its line. Write
/// `pub(crate) use TILED;` to use it in other modules, and
/// `named_format!(#[macro_export] TILED = NCHW4h4w4c)` to use it in other crates.
#[macro_export]
macro_rules! named_format {
    ($($tokens:tt)*) => { $crate::__private::named_format! { [$crate] $($tokens)* } };
}

/// A view of a layout as a constant: operations of [`Layout`], applied one after another. A wrong operation is
/// a compile error on its token, with the text that [`LayoutError`] prints at run time.
///
/// ```
/// use tensor_layout::{Layout, layout, view};
///
/// type Act = layout!(NCHW4<1, 64, 56, 56>, i8);
/// const CROP: Layout = view!(Act::LAYOUT, slice('H', 8, 1, 40), slice('W', 55, -1, 40));
/// assert_eq!(CROP.offset(&[0, 5, 0, 0]), Act::offset([0, 5, 8, 55]));
/// ```
///
/// The layout and all arguments must be constant; otherwise the compiler reports `attempt to use a non-constant
/// value` (E0435). For a layout or a number known only at run time, call the operations, which return errors:
///
/// ```
/// use tensor_layout::layout;
///
/// type Act = layout!(NCHW4<1, 64, 56, 56>, i8);
/// let top = 8; // from a file
/// let crop = Act::LAYOUT.slice('H', top, 1, 40)?.slice('W', 55, -1, 40)?;
/// assert_eq!(crop.extents(), [1, 64, 40, 40]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[macro_export]
macro_rules! view {
    ($($tokens:tt)*) => { $crate::__private::view! { [$crate] $($tokens)* } };
}

/// A tensor from a file, packed while the program compiles: `include_tensor!(PATH, FORMAT => LAYOUT,
/// OPTIONS)`.
///
/// ```
/// use tensor_layout::{Tensor, include_tensor, layout};
///
/// // The file holds a NumPy array of 8 x 4 x 3 x 3.
/// type Conv = layout!(OIHW4i4o<8, 4, 3, 3>, f32);
/// static CONV: Tensor<Conv, &[f32; Conv::LEN]> =
///     include_tensor!("tests/files/weights_f32.npy", OIHW => OIHW4i4o<8, 4, 3, 3>, f32);
///
/// assert_eq!(CONV[[0, 0, 0, 1]], 1f64.sin() as f32);
///
/// include_tensor! {
///     /// The same in 8 bits, with a scale for each filter.
///     pub struct Small = "tests/files/weights_f32.npy",
///         OIHW => OIHW4i4o<8, 4, 3, 3>, i8, quantize(O)
/// }
///
/// let about = f32::from(Small::TENSOR[[5, 3, 2, 1]]) * Small::SCALES[5];
/// assert!((about - CONV[[5, 3, 2, 1]]).abs() <= Small::SCALES[5] / 2.0);
/// // What a zero point of the input adds to each result, once for each unit of it.
/// assert_eq!(Small::SUMS[5], Small::TENSOR.sums('O')?[5]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// The value is a [`Tensor`] over a `&'static` array in read-only memory. The address of the array is a multiple
/// of 16 bytes, or of the alignment of the layout if that is larger. The tensor needs no work at run time, neither
/// `std` nor an allocator. After `struct NAME =`, the value becomes the constant `TENSOR` of that struct.
///
/// **PATH** starts at the directory of the package's `Cargo.toml`. The extension of the file, in upper or lower
/// case, names the file format:
///
/// | file | what it holds |
/// |---|---|
/// | `.npy` | one array as NumPy saves it, in either byte order, in C or Fortran order |
/// | `.safetensors`, `.gguf` | several arrays; the name of one follows the path: `"model.safetensors", "conv1.weight", OIHW => ..`. Blocks of `.gguf` are moved to a record |
/// | `.tflite` | the tensors of a network; the name or the index of one follows the path: `"model.tflite", 10, OHWI => ..`. A struct has `SCALE` and `ZERO_POINT`, or `SCALES` and `ZERO_POINTS`, and weights of a layer its `EPILOGUE`, an [`Epilogue`] |
/// | any other | elements and nothing else, little-endian, in C order |
///
/// **FORMAT** names the axes of the array in the order of its shape, slowest first. It may have blocks.
/// `FORMAT, ELEMENT =>` also names the element type of a raw file, which is otherwise that of the layout.
///
/// **LAYOUT** is written as for [`layout!`], with its options and with literal numbers. A macro cannot see through a
/// type alias, but it knows the names that [`named_format!`] gives: `OIHW => CONV!`, or `OIHW => CONV!, quantize(O)`.
/// A record gets its fields from those of blocks that are bytes of the file, `MK, ggml::Q4_0 => MK<8, 64>, ggml::q4_0x8_8`,
/// or its one field from the array. The value is a `RecordBuffer`, and the constant of a struct `BUFFER`.
///
/// | option | meaning |
/// |---|---|
/// | `cast` | [`Conversion::cast`] from the elements of the file |
/// | `quantize(scale = 0.05, zero_point = 3)` | [`Conversion::quantize`]; without a zero point it is 0 |
/// | `quantize` | the same with a computed scale: the largest magnitude becomes the largest integer, and 0 stays 0 |
/// | `quantize(O)` | the same with one scale for each coordinate of the axis |
///
/// The last three accept `rounding = half_away`: `quantize(O, rounding = half_away)`. A struct has its scale and the sum of its
/// integers as the constants `SCALE: f32` and `SUM: i64`, or `SCALES` and `SUMS`. [`adapters::Array`] does the same at run time.
///
/// A missing or truncated file, a different shape and a different element type are errors on the path. The error
/// names the file's and the expected value. An unknown name or index is an error on it. Cargo rebuilds the program when the file changes.
///
/// # Cost
///
/// 8 MiB of weights add about .9 s of processor time to a build, 8 Mi weights quantized from `f32`
/// 2.2 s, in debug and release builds alike (`benches/builds.md`).
#[cfg(feature = "include")]
#[macro_export]
macro_rules! include_tensor {
    ($($tokens:tt)*) => { $crate::__private::include_tensor! { [$crate] $($tokens)* } };
}

/// A picture of a layout for documentation, as a string literal: an SVG that follows the light or dark mode of the
/// page.
///
/// ```
/// /// Activations: the channels are in blocks of 4.
/// #[doc = tensor_layout::picture!(NCHW4<1, 6, 1, 4>, i8, pad)]
/// pub struct Activations;
/// ```
///
/// puts this into the documentation of `Activations`:
///
#[doc = layout_macros::picture!([] NCHW4<1, 6, 1, 4>, i8, pad)]
///
/// In place of an expression, the macro also takes the declaration of a layout type, and puts the picture into its
/// documentation. So the two are one layout:
///
/// ```
/// tensor_layout::picture! {
///     /// Weights as the kernel reads them.
///     pub type Weights = OI4i<4, 8>, i8;
/// }
/// assert_eq!(Weights::offset([1, 5]), 8 + 5);
/// ```
///
/// The layout has the notation of [`Layout::parse`]. `picture!(LAYOUT => LAYOUT)` shows the buffers of a relayout, and
/// `picture!(ARENA)` is the [`Picture`](show::Picture) of an arena's plan. Options of layouts follow after `;`:
///
/// | option | meaning |
/// |---|---|
/// | `memory` | a cell for each offset of the buffer, not for each coordinate |
/// | `lanes` | a row for each lane of an accelerator |
/// | `access = M` | the banks of an NVIDIA GPU that an instruction reads; the coordinates of these axes are its lanes |
/// | `rows = C`, `columns = HW` | the axes that count rows and columns; each coordinate of the others has a panel |
/// | `color = order` | the meaning of colors: `block`, `order`, `lane`, or `banks` of NVIDIA GPUs; see [`Color`](show::Color) |
///
/// Of `memory`, `lanes`, `access` and the two for axes one is written at most, and none of a relayout.
///
/// The macro runs while the program compiles. A wrong layout is a compile error on its token.
#[cfg(feature = "pictures")]
#[macro_export]
macro_rules! picture {
    ($($tokens:tt)*) => { $crate::__private::picture! { [$crate] $($tokens)* } };
}

/// The index functions of a layout as source text in another language, as a string literal:
/// `source!(LANGUAGE, NAME = LAYOUT)`.
///
/// ```
/// const ACT: &str = tensor_layout::source!(Wgsl, act = NCHW4<2, 64, 56, 56>, i8);
/// assert!(ACT.contains("fn act_offset(n: u32, c: u32, h: u32, w: u32) -> u32"));
///
/// // A whole shader is a constant.
/// const SHADER: &str = concat!(
///     tensor_layout::source!(Wgsl, act = NCHW4<2, 64, 56, 56>, i8),
///     "@compute @workgroup_size(64) fn run(@builtin(global_invocation_id) id: vec3<u32>) {}",
/// );
/// assert!(SHADER.starts_with(ACT));
/// ```
///
/// Languages are those of [`source::Language`]: `C`, `Cuda`, `OpenCl`, `Metal`, `Wgsl`, `Glsl`. The layout is written
/// as [`Layout::parse`] takes it; for the layout of a type, and for extents known only at run time, see
/// [`Source::of`](source::Source::of). Options follow after `;`:
///
/// | option | meaning |
/// |---|---|
/// | `wide` | indices of 64 bits: [`Source::wide`](source::Source::wide) |
/// | `strides` | a struct of extents and strides in place of the functions: [`Source::strides`](source::Source::strides) |
/// | `header` | a C header in place of the functions: [`Source::header`](source::Source::header) |
///
/// A wrong layout is a compile error on its token; what the language cannot express is one on the name.
#[cfg(feature = "source")]
#[macro_export]
macro_rules! source {
    ($($tokens:tt)*) => { $crate::__private::source! { [$crate] $($tokens)* } };
}

/// What the expanded macros refer to. It is not part of the interface and may change at any time.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "chip")]
    pub use layout_chip::room;
    #[cfg(feature = "alloc")]
    pub use layout_macros::Relayout;
    #[cfg(not(feature = "alloc"))]
    pub use layout_macros::RelayoutWithoutHeap as Relayout;
    #[cfg(feature = "arena")]
    pub use layout_macros::arena;
    #[cfg(all(feature = "include", target_endian = "big"))]
    pub use layout_macros::include_tensor_big as include_tensor;
    #[cfg(all(feature = "include", target_endian = "little"))]
    pub use layout_macros::include_tensor_little as include_tensor;
    #[cfg(feature = "pictures")]
    pub use layout_macros::picture;
    #[cfg(feature = "chip")]
    pub use layout_macros::place;
    #[cfg(feature = "records")]
    pub use layout_macros::record;
    #[cfg(feature = "source")]
    pub use layout_macros::source;
    pub use layout_macros::{layout, named_format, view};
    pub use layout_types::{numbers::bits_of, spec::report, view as __view};

    pub use crate::convert::{
        Converts, checked_conversion_plan, run_conversion, run_conversion_of_arrays,
        run_conversion_of_slices, try_run_conversion,
    };
    #[cfg(feature = "rayon")]
    pub use crate::relayout::par_run_in_parts;
    pub use crate::relayout::{
        Allocates, array_align_of, can_run_in_place, checked_plan, constant, expect_static, run,
        run_arrays, run_in_place, try_run, units_of,
    };
    pub use crate::tensor::{Included, included};

    /// Element types by the names that `layout!` knows.
    pub mod elements {
        pub use core::primitive::{bool, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64};
        pub use layout_types::named::*;
        #[cfg(feature = "half")]
        pub use layout_types::{bf16, f16};
    }
}

/// Runs the example on the first page of the repository.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
