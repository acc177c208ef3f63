//! Printing tensors by their axes in coordinate order. Large tensors are shortened as in NumPy.

use core::fmt;

use super::Tensor;
use layout_types::Element;
use layout_types::Layout;
use layout_types::spec::MAX_RANK;
use layout_types::{LayoutType, UnitOf};

/// The number of elements from which a tensor is shortened to the ends of its axes.
const SHORTENED_FROM: usize = 1001;

/// The number of coordinates kept at each end of a shortened axis.
const ENDS: usize = 3;

/// Prints the elements by axes; the last axis runs across. An empty tensor prints as `[]`.
///
/// From 1001 elements on, an axis of more than 6 coordinates is shortened to 3 at each end. A width and a precision,
/// such as `{:.2}`, apply to each element.
///
/// ```
/// use tensor_layout::{Dynamic, ElementType, Layout, Tensor};
///
/// let layout = Layout::of("MK", &[2, 3], ElementType::U8)?;
/// let matrix = Tensor::with_layout(Dynamic::<u8, 2>::new(layout)?, [1, 2, 3, 4, 5, 6])?;
/// assert_eq!(matrix.to_string(), "[[1, 2, 3],\n [4, 5, 6]]");
/// let turned = matrix.view::<2>(|layout| layout.permute("KM"))?;
/// assert_eq!(turned.to_string(), "[[1, 4],\n [2, 5],\n [3, 6]]");
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
impl<L: LayoutType<Element: fmt::Display>, B: AsRef<[UnitOf<L>]>> fmt::Display for Tensor<L, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.printer(fmt::Display::fmt).write(formatter, &mut [0; MAX_RANK], 0)
    }
}

/// Prints the layout, then the elements as [`Display`](fmt::Display) does.
impl<L: LayoutType<Element: fmt::Debug>, B: AsRef<[UnitOf<L>]>> fmt::Debug for Tensor<L, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.layout.layout())?;
        self.printer(fmt::Debug::fmt).write(formatter, &mut [0; MAX_RANK], 0)
    }
}

impl<L: LayoutType, B: AsRef<[UnitOf<L>]>> Tensor<L, B> {
    fn printer(&self, element: WriteElement<L::Element>) -> Printer<'_, L> {
        Printer { layout: self.layout.layout(), units: self.buffer(), element }
    }
}

type WriteElement<E> = fn(&E, &mut fmt::Formatter<'_>) -> fmt::Result;

struct Printer<'a, L: LayoutType> {
    layout: Layout,
    units: &'a [UnitOf<L>],
    element: WriteElement<L::Element>,
}

impl<L: LayoutType> Printer<'_, L> {
    /// Writes the elements whose first `axis` indices are those of `coordinate`.
    fn write(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        coordinate: &mut [usize; MAX_RANK],
        axis: usize,
    ) -> fmt::Result {
        if self.layout.numel() == 0 {
            // An axis of extent 0 empties the tensor, whatever the other extents are.
            return formatter.write_str("[]");
        }
        let rank = self.layout.rank();
        if axis == rank {
            let offset = self.layout.offset(&coordinate[..rank]);
            return match L::Element::read(self.units, offset) {
                Some(element) => (self.element)(&element, formatter),
                // The buffer has become too short since the tensor was made.
                None => formatter.write_str("?"),
            };
        }
        let extent = self.layout.extents()[axis];
        let shortened = self.layout.numel() >= SHORTENED_FROM && extent > 2 * ENDS;
        formatter.write_str("[")?;
        let mut index = 0;
        while index < extent {
            if index > 0 {
                write_separator(formatter, axis, rank)?;
            }
            if shortened && index == ENDS {
                formatter.write_str("...")?;
                index = extent - ENDS;
                continue;
            }
            coordinate[axis] = index;
            self.write(formatter, coordinate, axis + 1)?;
            index += 1;
        }
        formatter.write_str("]")
    }
}

/// Writes what separates two indices of `axis`: a line break for each axis but the last, and one more for each slower
/// axis.
fn write_separator(formatter: &mut fmt::Formatter<'_>, axis: usize, rank: usize) -> fmt::Result {
    let faster = rank - 1 - axis;
    if faster == 0 {
        return formatter.write_str(", ");
    }
    formatter.write_str(",")?;
    (0..faster).try_for_each(|_| formatter.write_str("\n"))?;
    (0..=axis).try_for_each(|_| formatter.write_str(" "))
}
