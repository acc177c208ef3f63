//! Tensors whose elements lie in an array in the tensor.

use super::Tensor;
use crate::buffers::{Aligned, Alignment, PowerOfTwo, check_promised};
use core::marker::PhantomData;
use layout_types::plain;
use layout_types::spec::{LayoutError, Rule};
use layout_types::{StaticLayout, UnitOf};

/// The type of a tensor of a static layout that holds its elements in an array with the layout's alignment. It needs
/// no allocator and fits statics of any size, and fields and local variables of small tensors; see the
/// [guide](crate::guide::stack_and_heap).
///
/// ```
/// use tensor_layout::{layout, tensor};
///
/// type Rows = layout!(HW<4, 12>, f32, align(H = 64));
///
/// /// A `static` for the whole life of the program.
/// static ROWS: tensor!(Rows) = <tensor!(Rows)>::ZEROED;
///
/// let mut rows = <tensor!(Rows)>::default();
/// rows[[1, 2]] = 7.0;
/// assert_eq!((rows[[1, 2]], ROWS[[1, 2]]), (7.0, 0.0));
/// assert_eq!((rows.buffer().as_ptr().addr() % 64, rows.buffer().len()), (0, 4 * 16));
/// ```
#[macro_export]
macro_rules! tensor {
    ($layout:ty) => {
        $crate::Tensor<
            $layout,
            $crate::tensor::Aligned<
                { <$layout as $crate::StaticLayout>::LAYOUT.align() },
                [$crate::UnitOf<$layout>; { <$layout as $crate::StaticLayout>::LAYOUT.units() }],
            >,
        >
    };
}

impl<L, const ALIGN: usize, const UNITS: usize> Tensor<L, Aligned<ALIGN, [UnitOf<L>; UNITS]>>
where
    L: StaticLayout,
    Alignment<ALIGN>: PowerOfTwo,
{
    /// A tensor whose bytes are all 0, also the padding: the layout's fill value is ignored here, and a relayout into
    /// the tensor writes it. It is a constant, for statics of any size. At run time, use [`Default`].
    pub const ZEROED: Self = {
        if let Err(error) = check_promised::<L>(UNITS, ALIGN, true) {
            error.panic()
        }
        let buffer = Aligned::new([plain::from_bits(0); UNITS]);
        Self { layout: L::VALUE, buffer, space: PhantomData }
    };
}

/// The most bytes of an array that a function makes on the stack. A thread of a test has 2 MiB, and without optimization
/// each function that returns the array keeps some copies of it.
const MOST: usize = 64 << 10;

/// Returns a tensor whose bytes are all 0. A tensor of more than 64 KiB, which would pass through the stack, is a compile
/// error; [`ZEROED`](Tensor::ZEROED) is a constant for statics.
impl<L, const ALIGN: usize, const UNITS: usize> Default
    for Tensor<L, Aligned<ALIGN, [UnitOf<L>; UNITS]>>
where
    L: StaticLayout,
    Alignment<ALIGN>: PowerOfTwo,
{
    fn default() -> Self {
        const {
            let bytes = size_of::<Self>();
            if bytes > MOST {
                LayoutError(Rule::ArrayOnStack { bytes, most: MOST }).panic()
            }
        }
        Aligned::new([plain::zero(); UNITS]).into()
    }
}

/// Access to the array of a tensor that also works in constants. At run time, use [`buffer`](Tensor::buffer).
impl<L: StaticLayout, const UNITS: usize> Tensor<L, [UnitOf<L>; UNITS]> {
    /// Returns the array that holds the elements.
    pub const fn array(&self) -> &[UnitOf<L>; UNITS] {
        &self.buffer
    }
}

impl<'a, L: StaticLayout, const UNITS: usize> Tensor<L, &'a [UnitOf<L>; UNITS]> {
    /// Returns the array that holds the elements.
    ///
    /// ```
    /// use tensor_layout::{Tensor, layout};
    ///
    /// type Gains = layout!(C<C = 3>, f32);
    /// static GAINS: [f32; 3] = [0.5, 1.0, 2.0];
    ///
    /// const fn first(gains: &Tensor<Gains, &[f32; 3]>) -> f32 {
    ///     gains.array()[Gains::offset([0])]
    /// }
    /// assert_eq!(first(&Tensor::from(&GAINS)), 0.5);
    /// ```
    pub const fn array(&self) -> &'a [UnitOf<L>; UNITS] {
        self.buffer
    }
}

impl<L: StaticLayout, const UNITS: usize> Tensor<L, &mut [UnitOf<L>; UNITS]> {
    /// Returns the array that holds the elements, mutably. [`buffer`](Tensor::buffer) and
    /// [`buffer_mut`](Tensor::buffer_mut) return it as a slice.
    pub const fn array_mut(&mut self) -> &mut [UnitOf<L>; UNITS] {
        self.buffer
    }
}
