//! Tensors compared by their elements.

use super::Tensor;
use layout_types::{LayoutType, UnitOf};

/// Whether two tensors have the same axes in the same order, the same extents, and equal elements at every
/// coordinate.
///
/// The formats may differ: an NHWC tensor equals the NCHW tensor with the same elements. The comparison ignores
/// padding, gaps, and elements of the buffer that are not part of a view.
///
/// ```
/// use tensor_layout::{Tensor, layout};
///
/// type Last = layout!(NHWC<N = 1, C = 3, H = 1, W = 2>, u8);
/// type Packed = layout!(NCHW4<1, 3, 1, 2>, u8, pad);
///
/// let last: Tensor<Last, _> = [1, 2, 3, 4, 5, 6].into();
/// let mut packed: Tensor<Packed, _> = [99; 8].into(); // in the padding too
/// last.relayout_into(&mut packed)?;
/// assert_eq!(last, packed);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
impl<L, M, B, C> PartialEq<Tensor<M, C>> for Tensor<L, B>
where
    L: LayoutType,
    M: LayoutType<Element = L::Element>,
    L::Element: PartialEq,
    B: AsRef<[UnitOf<L>]>,
    C: AsRef<[UnitOf<L>]>,
{
    fn eq(&self, other: &Tensor<M, C>) -> bool {
        let (layout, others) = (self.layout(), other.layout());
        layout.letters() == others.letters()
            && layout.extents() == others.extents()
            && self.iter().map(|(_, element)| element).eq(other.iter().map(|(_, element)| element))
    }
}

impl<L: LayoutType<Element: Eq>, B: AsRef<[UnitOf<L>]>> Eq for Tensor<L, B> {}

/// Iterates over all elements with their coordinates, as [`Tensor::iter`] does.
impl<'a, L: LayoutType, B: AsRef<[UnitOf<L>]>> IntoIterator for &'a Tensor<L, B> {
    type Item = (L::Coordinate, L::Element);
    type IntoIter = super::Elements<'a, L>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
