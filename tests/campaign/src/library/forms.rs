//! The forms in which a layout can be given: a spec, the extents of a type, a builder, text, and a type whose extents
//! are known at run time.

use layout_core::spec::{AxisExtent, Length, MAX_FACTORS, Spec};
use layout_core::{Digit, Layout, LayoutError, Partial};

use super::layouts::{builder, element, factors};
use crate::notation::Notation;

/// What the library makes of a form, or what it says against it.
pub type Made = Result<Layout, LayoutError>;

/// Each form by its name. Left out are those that cannot say it: specs of a broadcast axis with a stride, builders of
/// something that is not a `Swizzle`, and builder and text of axes in another order than theirs.
pub fn forms(notation: &Notation) -> Vec<(&'static str, Made)> {
    let mut all = Vec::new();
    let text = Layout::parse(&notation.to_string()).map_err(|error| error.error());
    let builder = builder(notation);
    let is_ordered = |layout: &Layout| {
        notation.axes.iter().enumerate().all(|(at, axis)| layout.letters().at(at) == axis.0)
    };
    if text.as_ref().map_or(true, is_ordered) {
        all.push(("text", text));
        all.extend(builder.map(|builder| ("builder", builder)));
    }
    let has_stride = |(axis, stride): (&(char, usize), &isize)| {
        *stride != 0 && notation.broadcast.contains(&axis.0)
    };
    if !notation
        .strides
        .as_ref()
        .is_some_and(|strides| notation.axes.iter().zip(strides).any(has_stride))
    {
        all.push(("spec", with_spec(notation, |_, extent| Length::Runtime(extent), Layout::new)));
        if notation.axes.iter().all(|axis| axis.1 > 0) {
            all.push(("type", with_spec(notation, |_, extent| Length::Fixed(extent), Layout::new)));
        }
    }
    all
}

/// The rules that a type breaks, in the words of `layout!`. Some of its extents are unknown.
pub fn violations(notation: &Notation, unknown: &[bool]) -> Vec<String> {
    let extent =
        |at: usize, extent| if unknown[at] { Length::Unknown } else { Length::Fixed(extent) };
    let all = with_spec(notation, extent, Layout::check);
    all.iter().map(|violation| format!("{:#}", violation.error)).collect()
}

/// The spec of a notation, whose extents are `extent` of an axis and its extent.
fn with_spec<T>(
    notation: &Notation,
    extent: impl Fn(usize, usize) -> Length,
    make: impl FnOnce(&Spec<'_>) -> T,
) -> T {
    let axes = notation.axes.iter().enumerate();
    let axis = |(at, &(letter, count))| AxisExtent { letter, extent: extent(at, count) };
    let axes: Vec<AxisExtent> = axes.map(axis).collect();
    let (element, factors) = (element(notation.element), factors(notation));
    make(&Spec { element, axes: &axes, factors: &factors, fill: notation.pad })
}

/// A layout some of whose extents are known at run time alone, as `Mixed` has it, with these extents.
#[derive(Clone, Copy)]
pub struct Unknown<'a> {
    partial: Partial,
    extents: &'a [usize],
}

impl<'a> Unknown<'a> {
    /// The layout of a notation whose axes at the bits of `unknown` are written `_`, of these extents. `None` where the
    /// type has no arithmetic of its own.
    ///
    /// # Errors
    /// What the library says against it, whatever the unknown extents are.
    pub fn new(
        notation: &Notation,
        unknown: usize,
        extents: &'a [usize],
    ) -> Result<Option<Self>, LayoutError> {
        let extent = |at: usize, extent| match unknown >> at & 1 {
            1 => Length::Unknown,
            _ => Length::Fixed(extent),
        };
        let partial = with_spec(notation, extent, Partial::new)?;
        Ok(partial.is_complete.then_some(Self { partial, extents }))
    }

    /// The size of a digit.
    fn size(&self, at: usize) -> usize {
        match self.partial.digit(at) {
            Digit { size: Partial::UNKNOWN, axis, weight, .. } => {
                (self.extents[axis] + self.partial.extra(at)) / weight
            }
            digit => digit.size,
        }
    }

    /// What digits count in, by the loops that `Mixed::steps` is compiled to.
    fn steps(&self) -> [usize; MAX_FACTORS] {
        let partial = &self.partial;
        let (mut steps, mut step, mut room) = ([0; MAX_FACTORS], 0, 1usize);
        for at in (0..MAX_FACTORS).rev().filter(|at| partial.is_counted(*at)) {
            if partial.is_step(at) {
                step = partial.step(at).after(room.wrapping_mul(step), &[]);
                (steps[at], room) = (step, 1);
            }
            room = room.wrapping_mul(self.size(at));
        }
        steps
    }

    /// Whether the library finds that its offsets are those of a layout.
    pub fn agrees(&self, layout: &Layout) -> bool {
        self.partial.agrees(layout, &[])
    }

    /// The offset of a coordinate, by the sum that `Mixed::offset` is compiled to.
    pub fn offset(&self, coordinate: &[usize]) -> usize {
        let Self { partial, extents } = self;
        let (mut offset, mut count) = (0usize, 0usize);
        for (at, step) in self.steps().into_iter().enumerate() {
            let digit = partial.digit(at);
            if partial.is_counted(at) {
                let value = digit.value(coordinate[digit.axis], partial.extent(at));
                count = count.wrapping_mul(self.size(at)).wrapping_add(value);
                if partial.is_step(at) {
                    offset = offset.wrapping_add(count.wrapping_mul(step));
                    count = 0;
                }
            } else if partial.is_constant(at) {
                offset = offset.wrapping_add(if digit.stride < 0 {
                    let last = extents[digit.axis].wrapping_sub(1);
                    last.wrapping_sub(coordinate[digit.axis])
                        .wrapping_mul(digit.stride.unsigned_abs())
                } else {
                    digit.place(coordinate[digit.axis], partial.extent(at))
                });
            }
        }
        partial.swizzle.map_or(offset, |swizzle| swizzle.apply(offset))
    }
}
