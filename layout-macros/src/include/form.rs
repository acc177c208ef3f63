//! The axes of the array in a file, and the order of its elements.

use layout_core::spec::{AxisExtent, Factor, Letters, Rule, Spec};
use layout_core::{ElementType, Layout, LayoutError};

use super::syntax::FormatText;
use super::texts;
use crate::errors::Errors;

/// A layout without its element type.
pub(super) struct Form {
    axes: Vec<AxisExtent>,
    factors: Vec<Factor>,
}

impl Form {
    /// Applies `format`, as written, to the extents of the destination. In Fortran order, the memory order of the
    /// axes is reversed.
    pub(super) fn new(
        format: &FormatText,
        axes: Vec<AxisExtent>,
        is_fortran: bool,
        errors: &mut Errors,
    ) -> Option<Self> {
        let understood = format.format(errors)?;
        let mut factors = understood.factors().to_vec();
        if is_fortran {
            if factors.iter().any(|factor| factor.is_block()) {
                errors.on(&format.tokens, texts::FORTRAN_OF_BLOCKS);
                return None;
            }
            factors.reverse();
        }
        let needed = axes.iter().fold(Letters::EMPTY, |letters, axis| letters.with(axis.letter));
        let own = understood.axes();
        let is_there = |i| needed.position(own.at(i)).is_some();
        if own.count() != needed.count() || !(0..own.count()).all(is_there) {
            errors.on(
                &format.tokens,
                LayoutError(Rule::RelayoutAxes { source: own, destination: needed }),
            );
            return None;
        }
        Some(Self { axes, factors })
    }

    /// Returns the layout with elements of this type.
    pub(super) fn layout(&self, element: ElementType) -> Result<Layout, LayoutError> {
        Layout::new(&Spec { element, axes: &self.axes, factors: &self.factors, fill: None })
    }
}
