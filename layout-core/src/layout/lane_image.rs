//! Storage that is an array of lanes.

use super::Layout;
use crate::spec::{Factor, LayoutError, Rule, Spec, Subject};

/// The storage of a layout over lanes: an array of lanes, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct LaneImage {
    /// The number of lanes.
    pub(crate) lanes: usize,
    /// The elements of the tensor in each lane, padding included.
    pub(crate) len: usize,
    /// The axis that is distributed over the lanes, and the number of its coordinates that stay together in a lane.
    /// `None` if the slowest digits count the lanes.
    pub(crate) axis: Option<(char, usize)>,
}

impl Layout {
    /// Returns the same layout with storage that is an array of `lanes` lanes, one after the other. The option
    /// `lanes(LANES)` of `layout!` does the same.
    ///
    /// The element at an offset is in lane `offset / n`, at position `offset % n` of that lane, where `n` is
    /// [`len`](Self::len) divided by the number of lanes.
    ///
    /// With it, a view whose axes are lane and register becomes a fragment of a tensor core:
    ///
    /// ```
    /// use tensor_layout::{ElementType, Layout};
    ///
    /// // Operand A of m16n8k16: lanes A and B and registers C, D and E, as rows and columns.
    /// let digits = Layout::of("ABCDE", &[8, 4, 2, 2, 2], ElementType::F16)?;
    /// let matrix = digits.merge("DA", 'M')?.merge("CBE", 'K')?.permute("MK")?;
    /// let fragment = matrix.over_lanes(32)?;
    /// let lanes = fragment.lanes().expect("32 lanes");
    /// let place = lanes.place(&[9, 5])?; // row 9, column 5
    /// assert_eq!((place.lane, place.offset), (6, 3));
    ///
    /// // This format gives the same layout.
    /// let named: Layout = "8m4kKM2k<M = 16, K = 16>, f16, lanes(32)".parse()?;
    /// assert!(named.same_map(&fragment) && named.lanes().map(|own| own.count()) == Some(32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - An axis is distributed over lanes already.
    /// - `lanes` is 0.
    /// - The length is not a multiple of `lanes`.
    /// - The elements of a lane end inside a byte (elements of less than a byte).
    pub const fn over_lanes(&self, lanes: usize) -> Result<Self, LayoutError> {
        if let Some(LaneImage { axis: Some((letter, _)), .. }) = self.lanes {
            return Err(LayoutError(Rule::LanesTwice { letter }));
        }
        let (length, element) = (self.length, self.element);
        if lanes == 0 || length % lanes != 0 {
            return Err(LayoutError(Rule::LaneShare { length, lanes }));
        }
        let len = length / lanes;
        if lanes > 1 && len % element.per_byte() != 0 {
            return Err(LayoutError(Rule::LaneBytes { lanes, len, element }));
        }
        Ok(Self { lanes: Some(LaneImage { lanes, len, axis: None }), ..*self })
    }

    /// Sets the array of lanes that the spec asks for.
    pub(super) const fn place_lanes(
        &mut self,
        spec: &Spec<'_>,
    ) -> Result<(), (LayoutError, Subject)> {
        let Some(&Factor::LaneArray(lanes)) = spec.factors.first() else { return Ok(()) };
        // Without all extents, the length is not known yet.
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
