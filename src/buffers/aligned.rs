//! A buffer inside its tensor, aligned by its type.

use layout_types::plain::{self, Plain};

/// A value at an address that is a multiple of `ALIGN` bytes, also after a move. With an array in it, it is the
/// buffer of a tensor whose layout requires an alignment.
///
/// [`tensor!`](crate::tensor!) writes the type. `ALIGN` is a power of two up to 4096.
///
/// ```
/// use tensor_layout::{Tensor, layout, tensor, tensor::Aligned};
///
/// type Rows = layout!(HW<4, 12>, f32, align(H = 64));
///
/// let rows = Aligned::<64, _>::new([0.0f32; Rows::LEN]);
/// let rows: tensor!(Rows) = rows.into(); // infallible: the type says length and alignment
/// assert_eq!(rows.buffer().as_ptr().addr() % 64, 0);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Aligned<const ALIGN: usize, T>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    aligned: [<Alignment<ALIGN> as sealed::PowerOfTwo>::Marker; 0],
    value: T,
}

impl<const ALIGN: usize, T> Aligned<ALIGN, T>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self { aligned: [], value }
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<const ALIGN: usize, const BYTES: usize> Aligned<ALIGN, [u8; BYTES]>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    /// Bytes that are all 0, for statics of any size.
    pub const ZEROED: Self = Self::new([0; BYTES]);
}

impl<const ALIGN: usize, U: Plain, const UNITS: usize> Default for Aligned<ALIGN, [U; UNITS]>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    fn default() -> Self {
        Self::new([plain::zero(); UNITS])
    }
}

impl<const ALIGN: usize, U, const UNITS: usize> AsRef<[U]> for Aligned<ALIGN, [U; UNITS]>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    #[inline(always)]
    fn as_ref(&self) -> &[U] {
        &self.value
    }
}

impl<const ALIGN: usize, U, const UNITS: usize> AsMut<[U]> for Aligned<ALIGN, [U; UNITS]>
where
    Alignment<ALIGN>: PowerOfTwo,
{
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [U] {
        &mut self.value
    }
}

/// A number of bytes as a type.
#[derive(Clone, Copy, Debug)]
pub struct Alignment<const BYTES: usize>;

/// An alignment that a type can have.
pub trait PowerOfTwo: sealed::PowerOfTwo {}

impl<T: sealed::PowerOfTwo> PowerOfTwo for T {}

mod sealed {
    #[diagnostic::on_unimplemented(
        message = "no array is aligned as `{Self}`",
        note = "alignments of arrays are powers of two up to 4096; own a tensor of a larger one on the heap, with `Tensor::zeroed`"
    )]
    pub trait PowerOfTwo {
        /// A type of size 0 with this alignment.
        type Marker: Copy + core::fmt::Debug;
    }
}

macro_rules! powers {
    ($($marker:ident $bytes:literal)*) => {$(
        #[derive(Clone, Copy, Debug)]
        #[repr(align($bytes))]
        #[doc(hidden)]
        pub struct $marker;

        impl sealed::PowerOfTwo for Alignment<$bytes> {
            type Marker = $marker;
        }
    )*};
}

powers! {
    By1 1 By2 2 By4 4 By8 8 By16 16 By32 32 By64 64 By128 128 By256 256 By512 512 By1024 1024
    By2048 2048 By4096 4096
}
