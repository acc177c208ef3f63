//! Storage that is an array of lanes.

use super::Layout;
use crate::spec::{Factor, LayoutError, Rule, Spec, Subject};

/// The storage of a layout over lanes: an array of lanes, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneImage {
    /// How many lanes.
    pub(crate) lanes: usize,
    /// The elements that the tensor takes in each of them, padding included.
    pub(crate) len: usize,
    /// The axis that is distributed over them, and how many coordinates of it stay together in a lane;
    /// `None` where the slowest digits count the lanes.
    pub(crate) axis: Option<(char, usize)>,
}

impl Layout {
    /// The same layout, whose storage is an array of so many lanes, one after the other: the option
    /// `lanes(LANES)` of `layout!`. The element at an offset lies in lane `offset / n`, and there at
    /// `offset % n`, where `n` is [`len`](Self::len) divided by the lanes.
    ///
    /// So fragments of a tensor core are made of views, with lane and register as axes:
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Operand A of m16n8k16: lanes A, B and registers C, D, E, seen as rows and columns.
    /// let digits = Layout::of("ABCDE", &[8, 4, 2, 2, 2], ElementType::F16)?;
    /// let matrix = digits.merge("DA", 'M')?.merge("CBE", 'K')?.permute("MK")?;
    /// let fragment = matrix.over_lanes(32)?;
    /// let lanes = fragment.lanes().expect("32 lanes");
    /// let place = lanes.place(&[9, 5])?; // row 9, column 5
    /// assert_eq!((place.lane, place.offset), (6, 3));
    ///
    /// // It is what this layout is.
    /// let named: Layout = "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)".parse()?;
    /// assert!(named.same_map(&fragment) && named.lanes().map(|own| own.count()) == Some(32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An axis that is distributed over lanes already, no lanes, lanes that do not share the storage equally,
    /// and 4-bit elements of a lane that end inside a byte.
    pub const fn over_lanes(&self, lanes: usize) -> Result<Self, LayoutError> {
        if let Some(LaneImage { axis: Some((letter, _)), .. }) = self.lanes {
            return Err(LayoutError(Rule::LanesTwice { letter }));
        }
        let (length, element) = (self.length, self.element);
        if lanes == 0 || length % lanes != 0 {
            return Err(LayoutError(Rule::LaneShare { length, lanes }));
        }
        let len = length / lanes;
        if lanes > 1 && len % 8 * element.bits() % 8 != 0 {
            return Err(LayoutError(Rule::LaneBytes { lanes, len, element }));
        }
        Ok(Self { lanes: Some(LaneImage { lanes, len, axis: None }), ..*self })
    }

    /// The array of lanes that a spec says that storage is.
    pub(super) const fn place_lanes(
        &mut self,
        spec: &Spec<'_>,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some(&Factor::LaneArray(lanes)) = spec.factors.first() else { return Ok(()) };
        // What lanes share waits for the extents.
        if spec.unknown().is_some() && lanes > 0 {
            let len = self.length / lanes;
            self.lanes = Some(LaneImage { lanes, len, axis: None });
            return Ok(());
        }
        match self.over_lanes(lanes) {
            Ok(layout) => {
                *self = layout;
                Ok(())
            }
            Err(error) => Err((error, Subject::Factor(0))),
        }
    }
}
