//! Completes a draft: from format, options, element and extents to factors, and to the layout that they make.

use super::assembly::{Assembly, Fault, Origin};
use super::draft::{Draft, Site};
use super::options::{BufferPart, Options, Stored};
use super::{gaps, listed};
use crate::layout::Layout;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, Letters, Name, Rule, Spec, check_element,
    check_stride_count, stride_factor,
};

impl Options {
    /// The layout of this format over `axes`, which are in coordinate order.
    pub(super) const fn layout(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        if self.strides.is_none() && self.has_digit_options() {
            return Err((LayoutError(Rule::PartWithoutStrides), Site::Part));
        }
        let layout = match (self.strides, self.part) {
            (None, Some(BufferPart::View { .. })) if axes.is_empty() => {
                listed::view(self, format, element, axes)
            }
            (None, Some(_)) if !axes.is_empty() => {
                return Err((LayoutError(Rule::PartWithoutStrides), Site::Part));
            }
            (_, Some(BufferPart::Whole { .. })) => gaps::with_gaps(self, format, element, axes),
            (Some(_), _) if self.is_view(format) => listed::view(self, format, element, axes),
            _ => self.placed(format, element, axes),
        };
        let mut layout = ok!(layout);
        if let Some(bytes) = self.alignment {
            if !bytes.is_power_of_two() || bytes < element.align() {
                let error = Rule::BufferStart { given: bytes, least: element.align() };
                return Err((LayoutError(error), Site::Alignment));
            }
            layout.buffer.set_alignment(bytes);
        }
        Ok(layout)
    }

    /// The layout of a memory order, or of one stride for each axis.
    #[inline(never)]
    const fn placed(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        let assembly = ok!(self.assembly(format, element, axes));
        assembly.resolved(element, axes)
    }

    /// The factors of this format with the options that a memory order has.
    #[inline(never)]
    pub(super) const fn assembly(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Assembly, Fault> {
        if let Err(error) = check_element(element) {
            return Err((error, Site::Format));
        }
        let mut new = Assembly::EMPTY;
        new.fill = self.fill;
        if let Some(lanes) = self.lanes {
            new.push(lanes, Origin::of(Site::Lanes, Site::Distribution));
            ok!(self.align_lanes(&mut new));
        }
        match self.storage {
            Some(stored) => ok!(self.push_storage(stored, format, element, &mut new)),
            None => {
                ok!(self.check_strides(format, axes));
                let mut i = 0;
                while i < format.factors().len() {
                    let factor = format.factors()[i];
                    let (factor, origin) = match factor {
                        Factor::Axis(letter) => ok!(self.axis(letter, format, axes)),
                        // Blocks contradict strides.
                        _ if self.strides.is_some() => {
                            (factor, Origin::of(Site::Strides, Site::Strides))
                        }
                        _ => (factor, Origin::FORMAT),
                    };
                    self.push_aligned(factor, origin, format, &mut new);
                    i += 1;
                }
            }
        }
        if self.lane_align.is_some() && !matches!(new.factors[0], Factor::Lanes(..)) {
            let (name, axes) = (Name::new("lanes"), format.axes());
            return Err((LayoutError(Rule::UnknownAxis { name, axes }), Site::Aligns));
        }
        if let Some(bytes) = self.alignment {
            new.push(Factor::Start(bytes), Origin::of(Site::Alignment, Site::Alignment));
        }
        if let Some(swizzling) = self.swizzle {
            new.push(Factor::Swizzle(swizzling), Origin::of(Site::Swizzle, Site::Swizzle));
        }
        Ok(new)
    }

    /// Adds the alignment of each lane after the lanes.
    const fn align_lanes(&self, new: &mut Assembly) -> Result<(), Fault> {
        if let (Some(bytes), Factor::Lanes(..)) = (self.lane_align, new.factors[0]) {
            new.push(Factor::Align(bytes), Origin::of(Site::LaneAlign, Site::Aligns));
        }
        Ok(())
    }

    /// Adds a factor, and the alignment of its axis after it.
    const fn push_aligned(
        &self,
        factor: Factor,
        origin: Origin,
        format: &Format,
        new: &mut Assembly,
    ) {
        new.push(factor, origin);
        let (Factor::Axis(letter) | Factor::Broadcast(letter) | Factor::Stride(letter, _)) = factor
        else {
            return;
        };
        if let Some(axis) = format.axes().position(letter) {
            if let Some(bytes) = self.pitches[axis] {
                new.push(Factor::Pitch(bytes), Origin::of(Site::Pitch(letter), Site::Pitches));
            }
            if let Some(bytes) = self.aligns[axis] {
                new.push(Factor::Align(bytes), Origin::of(Site::Align(letter), Site::Aligns));
            }
        }
    }

    /// Adds the factors of a storage, which replace those of the format.
    const fn push_storage(
        &self,
        stored: Stored,
        format: &Format,
        element: ElementType,
        new: &mut Assembly,
    ) -> Result<(), Fault> {
        let Stored { chip, storage, start, width } = stored;
        if self.strides.is_some() {
            let mut other = Name::new("storage `");
            other.push(storage.name);
            other.push("`");
            return Err((LayoutError(Rule::StridesWith { other }), Site::Storage));
        }
        let order = match storage.axes(format) {
            Ok(order) => order,
            Err(error) => return Err((error, Site::Format)),
        };
        // Storages in text are those of the table, which have no more steps.
        let mut i = 0;
        while i < storage.steps.len() {
            let mut factor = storage.steps[i].factor(chip, order, element, start, width);
            if let Factor::Axis(letter) = factor {
                if self.is_broadcast(format, letter) {
                    factor = Factor::Broadcast(letter);
                }
            }
            let number = if factor.is_block() { Site::Width } else { Site::Storage };
            let origin = Origin { number, option: Site::Storage, step: Some(i) };
            self.push_aligned(factor, origin, format, new);
            if i == 0 {
                ok!(self.align_lanes(new));
            }
            i += 1;
        }
        if storage.pads() && new.fill.is_none() {
            new.fill = Some(0);
        }
        Ok(())
    }

    /// Returns an error unless strides, if there are any, are one for each axis.
    const fn check_strides(&self, format: &Format, axes: &[AxisExtent]) -> Result<(), Fault> {
        // Blocks contradict strides, whatever their number.
        if self.strides.is_none() || format.factors().len() > format.axes().count() {
            return Ok(());
        }
        self.check_stride_count(format, axes)
    }

    /// Returns an error unless there is one stride for each axis.
    pub(super) const fn check_stride_count(
        &self,
        format: &Format,
        axes: &[AxisExtent],
    ) -> Result<(), Fault> {
        match check_stride_count(letters_of(format, axes), self.stride_count) {
            Ok(()) => Ok(()),
            Err(error) => Err((error, Site::Strides)),
        }
    }

    /// The rest of an axis: with its stride, broadcast, or in its place of the memory order.
    const fn axis(
        &self,
        letter: char,
        format: &Format,
        axes: &[AxisExtent],
    ) -> Result<(Factor, Origin), Fault> {
        let is_broadcast = self.is_broadcast(format, letter);
        let Some(strides) = &self.strides else {
            let factor =
                if is_broadcast { Factor::Broadcast(letter) } else { Factor::Axis(letter) };
            return Ok((factor, Origin::FORMAT));
        };
        let mut at = 0;
        while at < axes.len() && axes[at].letter as u32 != letter as u32 {
            at += 1;
        }
        let extent = if at < axes.len() { axes[at].extent.value() } else { None };
        let has_blocks = format.factors().len() > format.axes().count();
        if has_blocks {
            // The blocks are the error.
            let origin = Origin::of(Site::Strides, Site::Strides);
            return Ok((Factor::Stride(letter, 1), origin));
        }
        let factor = match strides[at] {
            // Other libraries write a broadcast axis as stride 0.
            0 if self.zero_broadcasts && !matches!(extent, Some(0 | 1)) => {
                Ok(Factor::Broadcast(letter))
            }
            stride => stride_factor(letter, is_broadcast, stride),
        };
        match factor {
            Ok(factor) => Ok((factor, Origin::of(Site::Stride(at), Site::Strides))),
            Err(error) => Err((error, Site::Stride(at))),
        }
    }

    /// The factor of an axis with a stride in elements, the `i`-th of the list.
    pub(super) const fn stride_factor(
        &self,
        format: &Format,
        letter: char,
        (i, stride): (usize, isize),
    ) -> Result<Factor, Fault> {
        match stride_factor(letter, self.is_broadcast(format, letter), stride) {
            Ok(factor) => Ok(factor),
            Err(error) => Err((error, Site::Stride(i))),
        }
    }
}

const fn letters_of(format: &Format, axes: &[AxisExtent]) -> Letters {
    Spec { element: ElementType::U8, axes, factors: format.factors(), fill: None }.letters()
}

impl Draft {
    /// Whether an extent is `_`.
    pub(super) const fn is_open(&self) -> bool {
        self.spec_without_factors().unknown().is_some()
    }

    const fn spec_without_factors(&self) -> Spec<'_> {
        Spec { element: self.element, axes: self.axes(), factors: &[], fill: None }
    }

    /// The first rule that the layout breaks whatever the extents are that are `_`, and its subject. Strides of blocks
    /// and options of views are not checked.
    pub(super) const fn broken_for_all(&self) -> Option<Fault> {
        if self.options.is_view(&self.format) && self.options.strides.is_some() {
            return None;
        }
        let assembly = match self.assembly() {
            Ok(assembly) => assembly,
            Err(fault) => return Some(fault),
        };
        let violations = Layout::check(&assembly.spec(self.element, self.axes()));
        match violations.first_violation() {
            Some(found) => Some((found.error, assembly.site(found.subject))),
            None => None,
        }
    }

    /// The layout, or the first error and its subject.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn layout(&self) -> Result<Layout, Fault> {
        self.options.layout(&self.format, self.element, self.axes())
    }

    /// The factors of a type.
    ///
    /// # Errors
    /// The options contradict one another.
    pub const fn assembly(&self) -> Result<Assembly, Fault> {
        self.options.assembly(&self.format, self.element, self.axes())
    }
}
