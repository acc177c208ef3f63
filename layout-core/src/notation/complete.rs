//! Completes a draft: from format, options, element and extents to factors, and to the layout that they make.

use super::draft::{Draft, Site};
use super::options::{AxisBytes, BufferPart, Options, Stored};
use crate::layout::Layout;
use crate::spec::storages::Step;
use crate::spec::{
    AxisExtent, ElementType, Factor, Format, LayoutError, Length, Letters, MAX_PARTS, Name, Rule,
    Spec, Subject, check_element, check_stride_count, stride_factor, weight,
};

/// An error and its subject.
pub(super) type Fault = (LayoutError, Site);

/// The factors of a layout, and where each comes from.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    factors: [Factor; MAX_PARTS],
    sites: [Site; MAX_PARTS],
    count: usize,
    /// The bits of the fill, if padding is allowed.
    pub fill: Option<u64>,
}

impl Assembly {
    /// The factors, slowest first.
    pub const fn factors(&self) -> &[Factor] {
        self.factors.split_at(self.count).0
    }

    /// The part that has the number of factor `i`.
    pub const fn site_of(&self, i: usize) -> Site {
        self.sites[i]
    }

    /// Adds the next faster factor.
    const fn push(&mut self, factor: Factor, site: Site) {
        (self.factors[self.count], self.sites[self.count]) = (factor, site);
        self.count += 1;
    }

    pub(super) const fn spec<'a>(
        &'a self,
        element: ElementType,
        axes: &'a [AxisExtent],
    ) -> Spec<'a> {
        Spec { element, axes, factors: self.factors(), fill: self.fill }
    }

    /// The layout, or the first rule that it breaks and its subject.
    const fn resolved(&self, element: ElementType, axes: &[AxisExtent]) -> Result<Layout, Fault> {
        let spec = self.spec(element, axes);
        let summary = spec.summary();
        let violations = spec.check_with(&summary);
        if let Some(found) = violations.first_violation() {
            return Err((found.error, self.site(found.subject)));
        }
        if let Some((rule, subject)) = spec.missing(&summary) {
            return Err((LayoutError(rule), self.site(subject)));
        }
        match Layout::resolve(&spec, &summary, 0) {
            Ok(layout) => Ok(layout),
            Err((error, subject)) => Err((error, self.site(subject))),
        }
    }

    /// The part of the layout that the subject of an error is.
    pub const fn site(&self, subject: Subject) -> Site {
        match subject {
            Subject::Format => Site::Format,
            Subject::Size => Site::Extents,
            Subject::Extent(letter) => Site::Extent(letter),
            Subject::Strides => Site::Strides,
            Subject::Fill => Site::Fill,
            Subject::Start(_) => Site::StartLane,
            Subject::Factor(i) => self.sites[i],
            Subject::Option(i) => match self.sites[i].whole() {
                Some(whole) => whole,
                None => self.sites[i],
            },
        }
    }
}

impl Options {
    /// The layout of this format over `axes`, which are in coordinate order.
    pub(super) const fn layout(
        &self,
        format: &Format,
        element: ElementType,
        axes: &[AxisExtent],
    ) -> Result<Layout, Fault> {
        let assembly = ok!(self.assembly(format, element, axes));
        assembly.resolved(element, axes)
    }

    /// The factors of this format with the options.
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
        let (factors, sites) = ([Factor::Align(1); MAX_PARTS], [Site::Format; MAX_PARTS]);
        let mut new = Assembly { factors, sites, count: 0, fill: self.fill };
        let mut i = ok!(self.push_lanes(format, &mut new));
        match self.storage {
            Some(stored) => ok!(self.push_storage(stored, format, element, &mut new)),
            None => {
                ok!(self.check_strides(format, axes));
                while i < format.factors().len() {
                    let (factor, site) = ok!(self.factor(format, axes, i));
                    self.push_aligned(factor, site, format, &mut new);
                    i += 1;
                }
            }
        }
        if self.lane_align.is_some() && !matches!(new.factors[0], Factor::Lanes(..)) {
            let (name, axes) = (Name::new("lanes"), format.axes());
            let site = Site::Bytes(AxisBytes::Align);
            return Err((LayoutError(Rule::UnknownAxis { name, axes }), site));
        }
        self.push_part(format, &mut new);
        if let Some(bytes) = self.alignment {
            new.push(Factor::Start(bytes), Site::Alignment);
        }
        if let Some(swizzling) = self.swizzle {
            new.push(Factor::Swizzle(swizzling), Site::Swizzle);
        }
        Ok(new)
    }

    /// Adds the lanes. Returns the number of factors of the format that they are: with strides, the first block.
    const fn push_lanes(&self, format: &Format, new: &mut Assembly) -> Result<usize, Fault> {
        let Some(factor) = self.lanes else { return Ok(0) };
        new.push(factor, Site::Lanes);
        ok!(self.align_lanes(new));
        let (Factor::Lanes(letter, lanes @ 2.., _), Some(_), Some(BufferPart::Whole { .. })) =
            (factor, self.strides, self.part)
        else {
            return Ok(0);
        };
        match format.factors().first() {
            Some(Factor::Block(own, size) | Factor::Weighted(own, size, _))
                if *own as u32 == letter as u32 && *size == lanes => {}
            _ => return Err((LayoutError(Rule::LanesNotFirst { letter, lanes }), Site::Lanes)),
        }
        Ok(1)
    }

    /// Adds what only layouts with strides have: positions in blocks, shared elements, and the part of a buffer.
    const fn push_part(&self, format: &Format, new: &mut Assembly) {
        let axes = format.axes();
        each!(axis, 0..axes.count(), {
            if self.from[axis] > 0 {
                let letter = axes.at(axis);
                new.push(Factor::Shift(letter, self.from[axis]), Site::From(letter));
            }
        });
        if self.overlap {
            new.push(Factor::Overlap, Site::Overlap);
        }
        match self.part {
            Some(BufferPart::View { start, length }) => {
                new.push(Factor::Part(start, length), Site::Part);
            }
            Some(BufferPart::Whole { length }) => {
                let lane = match (self.lanes, self.strides) {
                    (Some(Factor::Lanes(_, 2.., _)), Some(strides)) => strides[0],
                    _ => 0,
                };
                new.push(Factor::Whole(length, lane), Site::Part);
            }
            None => {}
        }
    }

    /// Adds the alignment of each lane after the lanes.
    const fn align_lanes(&self, new: &mut Assembly) -> Result<(), Fault> {
        if let (Some(bytes), Factor::Lanes(..)) = (self.lane_align, new.factors[0]) {
            new.push(Factor::Align(bytes), Site::LaneAlign);
        }
        Ok(())
    }

    /// Adds a factor, and the pitch and the alignment of its axis after it.
    const fn push_aligned(&self, factor: Factor, site: Site, format: &Format, new: &mut Assembly) {
        new.push(factor, site);
        let (Factor::Axis(letter) | Factor::Broadcast(letter) | Factor::Stride(letter, _)) = factor
        else {
            return;
        };
        let Some(axis) = format.axes().position(letter) else { return };
        if let Some(pitch) = self.bytes[AxisBytes::Pitch as usize][axis] {
            new.push(Factor::Pitch(pitch), Site::BytesOf(AxisBytes::Pitch, letter));
        }
        if let Some(Length::Fixed(bytes)) = self.bytes[AxisBytes::Align as usize][axis] {
            new.push(Factor::Align(bytes), Site::BytesOf(AxisBytes::Align, letter));
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
            return Err((LayoutError(Rule::StridesWith { other }), Site::Storage(0)));
        }
        let order = match storage.axes(format) {
            Ok(order) => order,
            Err(error) => return Err((error, Site::Format)),
        };
        // Storages in text are those of the table, which have no more steps.
        each!(i, 0..storage.steps.len(), {
            let mut factor = storage.steps[i].factor(chip, order, element, start, width);
            if let Factor::Axis(letter) = factor {
                if self.is_broadcast(format, letter) {
                    factor = Factor::Broadcast(letter);
                }
            }
            let site = match storage.steps[i] {
                Step::Width(_) => Site::Width,
                _ => Site::Storage(i),
            };
            self.push_aligned(factor, site, format, new);
            if i == 0 {
                ok!(self.align_lanes(new));
            }
        });
        if storage.pads() && new.fill.is_none() {
            new.fill = Some(0);
        }
        Ok(())
    }

    /// Returns an error unless strides, if there are any, are one for each axis, or for each axis and block.
    const fn check_strides(&self, format: &Format, axes: &[AxisExtent]) -> Result<(), Fault> {
        let (factors, given) = (format.factors().len(), self.stride_count);
        let error = match self.strides {
            Some(_) if factors > format.axes().count() && factors != given => {
                LayoutError(Rule::FactorStrides { format: format.name(), factors, given })
            }
            Some(_) if factors == format.axes().count() => {
                match check_stride_count(Letters::of(axes), given) {
                    Ok(()) => return Ok(()),
                    Err(error) => error,
                }
            }
            _ => return Ok(()),
        };
        Err((error, Site::Strides))
    }

    /// Factor `i` of the format: with its stride, broadcast, or in its place of the memory order.
    const fn factor(
        &self,
        format: &Format,
        axes: &[AxisExtent],
        i: usize,
    ) -> Result<(Factor, Site), Fault> {
        let factors = format.factors();
        let written = factors[i];
        let Some(strides) = &self.strides else {
            return Ok(match written {
                Factor::Axis(letter) if self.is_broadcast(format, letter) => {
                    (Factor::Broadcast(letter), Site::Format)
                }
                _ => (written, Site::Format),
            });
        };
        // Without blocks, strides are in coordinate order.
        let mut at = i;
        let mut extent = None;
        if factors.len() == axes.len() {
            at = 0;
            while at + 1 < axes.len() && !written.is_rest_of(axes[at].letter) {
                at += 1;
            }
            extent = axes[at].extent.value();
        }
        let (stride, site) = (strides[at], Site::Stride(at));
        let factor = match written {
            Factor::Block(letter, size) | Factor::Weighted(letter, size, _) => {
                let weight = weight(factors, i);
                Ok(Factor::StridedBlock(letter, size, weight, stride))
            }
            // Other libraries write a broadcast axis as stride 0.
            Factor::Axis(letter)
                if stride == 0
                    && self.zero_broadcasts
                    && factors.len() == axes.len()
                    && !matches!(extent, Some(0 | 1)) =>
            {
                Ok(Factor::Broadcast(letter))
            }
            Factor::Axis(letter) => {
                stride_factor(letter, self.is_broadcast(format, letter), stride)
            }
            // A format has only axes and blocks.
            _ => unreachable!(),
        };
        match factor {
            Ok(factor) => Ok((factor, site)),
            Err(error) => Err((error, site)),
        }
    }
}

impl Draft {
    /// The first rule that the layout breaks whatever the numbers are that are `_`, and its subject.
    pub(super) const fn broken(&self) -> Option<Fault> {
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
