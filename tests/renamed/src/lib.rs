//! A crate without std that calls tensor-layout `layouts` and denies every lint: what the macros
//! expand to must be silent in it.
#![no_std]
#![deny(warnings)]
#![deny(
    future_incompatible,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    refining_impl_trait
)]
#![deny(
    rust_2018_compatibility,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility
)]
#![deny(unused)]
#![deny(
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    deprecated_in_future,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unstable_features,
    unused_crate_dependencies,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

pub use layouts;
pub use layouts::layout;
use layouts::{Relayout, Tensor, named_format};

/// Formats of this crate's own.
pub mod formats {
    layouts::named_format! {
        /// Only this module's.
        TILES = NCHW4h4w4c
    }

    /// A layout in a format without a name outside.
    pub type Tiles = layouts::layout!(TILES!<1, 8, 8, 8>, i8);

    layouts::named_format!(PAIRS = NCHW2c);
    pub(crate) use PAIRS;

    // Nobody uses it yet.
    layouts::named_format!(SPARE = NHWC);
}

/// Tensors in the local memory of an accelerator.
pub mod memory {
    use layouts::chip::Chip;

    /// A chip of this crate's own.
    pub const MINE: Chip = Chip {
        name: "mine",
        lanes: 8,
        lane_bytes: 1024,
        banks: 4,
        alignment: 16,
        kernel_bytes: 16,
    };

    /// Distributed over its lanes.
    pub type Act = layouts::layout!(NCHW<1, 12, 4, 4>, i8, MINE::aligned(start = 3));

    layouts::place! {
        /// Two of them.
        #[derive(Clone, Copy, Debug)]
        pub struct Pair in MINE {
            FIRST: Act = 0x10,
            /// Where there is room.
            SECOND: Act,
            apart(FIRST, SECOND),
        }
    }
}

named_format! {
    /// Blocks of 4 channels, for every crate.
    #[macro_export]
    QUADS = NCHW4c
}

/// A layout by its channels.
#[macro_export]
macro_rules! act {
    ($channels:expr, $element:ty) => { $crate::layout!(NCHW4<1, $channels, 2, 2>, $element) };
}

/// Every part of the notation.
pub mod notation {
    use crate::formats::PAIRS;

    const ROW: usize = 64;
    const STEP: isize = 8;
    const ZERO_POINT: i8 = -3;

    /// Letters.
    pub type Planes = layouts::layout!(NCHW<1, 8, 2, 2>, f16);
    /// A name out of the table.
    pub type Table = layouts::layout!(NCHW4<1, 8, 2, 2>, f16);
    /// Several blocks.
    pub type Weights = layouts::layout!(OIHW4i16o4i<64, 64, 3, 3>, i8);
    /// A block in front.
    pub type Front = layouts::layout!(4cNCHW<1, 64, 2, 2>, i8);
    /// Names.
    pub type Heads =
        layouts::layout!(BSHD<B = 2, H = 3, S = 4, D = 8>, f32, coordinates(B, H, S, D));
    /// A format of a user's own.
    pub type Paired = layouts::layout!(PAIRS!<1, 8, 2, 2>, f16);
    /// The same with a path.
    pub type ByPath = layouts::layout!(crate::formats::PAIRS!<1, 8, 2, 2>, f16);
    /// No axis.
    pub type Point = layouts::layout!(SCALAR, f32);
    /// An extent that is found at run time.
    pub type Batch = layouts::layout!(NHWC4c<N = _, C = 8, H = 2, W = 2>, f16);
    /// Expressions.
    pub type Computed = layouts::layout!(NCHW<1, { ROW / 8 }, ROW, (ROW + 1)>, u8);
    /// Padding.
    pub type Padded = layouts::layout!(NCHW4<1, 3, 2, 2>, u8, pad);
    /// Padding with a literal.
    pub type Filled = layouts::layout!(NCHW4<1, 3, 2, 2>, i8, pad = -3);
    /// Padding with a constant.
    pub type FilledLater = layouts::layout!(NCHW4<1, 3, 2, 2>, i8, pad = ZERO_POINT);
    /// Padding with an expression.
    pub type FilledEarlier = layouts::layout!(NCHW4<1, 3, 2, 2>, i8, pad = { ZERO_POINT + 1 });
    /// Alignment.
    pub type Aligned = layouts::layout!(NCHW<1, 3, 2, 2>, i8, align(H = ROW, C = 256));
    /// Strides.
    pub type Strided = layouts::layout!(NCHW<4, 3, 2, 2>, i8, strides = [-24, STEP, 4, STEP / 4]);
    /// Broadcast.
    pub type Shared = layouts::layout!(NCHW<4, 3, 2, 2>, i8, broadcast(N));
    /// Halves of bytes.
    pub type Nibbles = layouts::layout!(NCHW64<1, 64, 7, 7>, i4);
}

/// A type of this crate's own as an element.
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Complex {
    /// The real part.
    pub re: f32,
    /// The imaginary part.
    pub im: f32,
}

impl layouts::PlainElement for Complex {}

/// A layout with parameters. (`derive` on a generic type takes no macros in fields, but this.)
pub type Act<E, const C: usize> = layout!(NCHW4<1, C, 2, 2>, E);

/// Layouts in the fields and signatures of generic code.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer<E: layouts::Element, const C: usize> {
    /// The activations.
    pub act: Act<E, C>,
}

impl<E: layouts::Element, const C: usize> Layer<E, C> {
    /// How many elements there are.
    pub const LEN: usize = <layout!(NCHW4<1, C, 2, 2>, E)>::LEN;

    /// The layout.
    #[must_use]
    pub const fn act(&self) -> layout!(NCHW4<1, C, 2, 2>, E) {
        self.act
    }
}

/// Relayouts, in every form of the derive.
pub mod moves {
    use super::{Complex, Relayout, layout, notation};

    /// Out of the module.
    #[derive(Relayout, Clone, Copy, Debug)]
    #[relayout(notation::Planes => notation::Table)]
    pub struct Pack;

    /// Literals.
    #[derive(Relayout, Clone, Copy, Debug)]
    #[relayout(crate = ::layouts, layout!(NCHW<1, 3, 2, 2>, Complex) => layout!(NCHW4<1, 3, 2, 2>, Complex, pad))]
    pub struct PackComplex;

    /// Halves of bytes.
    #[derive(Relayout, Clone, Copy, Debug)]
    #[relayout(crate = layouts, layout!(NCHW<1, 2, 1, 2>, i4) => layout!(NHWC<N = 1, C = 2, H = 1, W = 2>, i4))]
    pub struct Swap;

    /// For this crate only.
    #[derive(Relayout, Clone, Copy, Debug)]
    #[relayout(crate = layouts, notation::Table => notation::Planes)]
    pub(crate) struct Unpack;

    /// For this module only; not even used at run time.
    #[derive(Relayout, Clone, Copy, Debug)]
    #[relayout(crate = layouts, notation::Padded => notation::Padded)]
    struct Same;

    const _: [u8; 16] = Same::constant(&[0; 16]);
}

/// There and back.
#[must_use]
pub fn round_trip(planes: &[layouts::f16; 32]) -> [layouts::f16; 32] {
    let mut packed = [layouts::f16::ZERO; 32];
    moves::Pack::run_arrays(planes, &mut packed);
    let mut back = [layouts::f16::ZERO; 32];
    moves::Unpack::run_arrays(&packed, &mut back);
    back
}

/// A relayout inside a function.
///
/// # Errors
/// None: the buffer has the length of the layout.
pub fn first_of_packed(image: &[u8; 12]) -> Result<u8, layouts::LayoutError> {
    type Packed = layout!(NCHW4<1, 3, 2, 2>, u8, pad = 128);

    #[derive(Relayout)]
    #[relayout(layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, u8) => Packed)]
    struct Pack;

    let packed = Tensor::<Packed, _>::new(Pack::constant(image))?;
    Ok(packed[[0, 0, 0, 0]])
}
