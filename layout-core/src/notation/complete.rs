//! Completes a draft: from format, options, element and extents to factors, and to the layout that they make.

use super::draft::Site;
use super::layout_template::LayoutTemplate;
use super::options::{AxisBytes, BufferPart, Stored};
use crate::layout::Layout;
use crate::spec::storages::Step;
use crate::spec::{
    Factor, LayoutError, Length, MAX_PARTS, Name, Rule, Spec, Subject, check_element,
    check_stride_count, stride_factor, weight,
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

    /// The factors with the other parts of a spec.
    pub const fn spec<'a>(&'a self, of: &'a LayoutTemplate) -> Spec<'a> {
        let (element, axes) = (of.element, of.axes());
        Spec { element, axes, factors: self.factors(), fill: self.fill }
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

impl LayoutTemplate {
    /// The layout, or the first rule that it breaks and its subject.
    #[doc(hidden)]
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn layout(&self) -> Result<Layout, Fault> {
        let assembly = ok!(self.assembly());
        match Layout::of_spec(&assembly.spec(self)) {
            Ok(layout) => Ok(layout),
            Err((error, subject)) => Err((error, assembly.site(subject))),
        }
    }

    /// The template, unless the layout breaks a rule whatever the numbers are that are `_`.
    pub(super) const fn checked(&self) -> Result<Self, Fault> {
        let assembly = ok!(self.assembly());
        match Layout::check(&assembly.spec(self)).first_violation() {
            Some(found) => Err((found.error, assembly.site(found.subject))),
            None => Ok(*self),
        }
    }

    /// The factors of the format with the options.
    ///
    /// # Errors
    /// The options contradict one another.
    #[doc(hidden)]
    #[inline(never)]
    pub const fn assembly(&self) -> Result<Assembly, Fault> {
        let (format, element) = (&self.format, self.element);
        if let Err(error) = check_element(element) {
            return Err((error, Site::Format));
        }
        let (factors, sites) = ([Factor::Align(1); MAX_PARTS], [Site::Format; MAX_PARTS]);
        let mut new = Assembly { factors, sites, count: 0, fill: self.options.fill };
        let mut i = ok!(self.push_lanes(&mut new));
        match self.options.storage {
            Some(stored) => ok!(self.push_storage(stored, &mut new)),
            None => {
                ok!(self.check_strides());
                while i < format.factors().len() {
                    let (factor, site) = ok!(self.factor(i));
                    self.push_aligned(factor, site, &mut new);
                    i += 1;
                }
            }
        }
        if self.options.lane_align.is_some() && !matches!(new.factors[0], Factor::Lanes(..)) {
            let (name, axes) = (Name::new("lanes"), format.axes());
            let site = Site::Bytes(AxisBytes::Align);
            return Err((LayoutError(Rule::UnknownAxis { name, axes }), site));
        }
        self.push_part(&mut new);
        if let Some(bytes) = self.options.alignment {
            new.push(Factor::Start(bytes), Site::Alignment);
        }
        if let Some(swizzling) = self.options.swizzle {
            new.push(Factor::Swizzle(swizzling), Site::Swizzle);
        }
        Ok(new)
    }

    /// Adds the lanes. Returns the number of factors of the format that they are: with strides, the first block.
    const fn push_lanes(&self, new: &mut Assembly) -> Result<usize, Fault> {
        let Some(factor) = self.options.lanes else { return Ok(0) };
        new.push(factor, Site::Lanes);
        ok!(self.align_lanes(new));
        let (Factor::Lanes(letter, lanes @ 2.., _), Some(_), Some(BufferPart::Whole { .. })) =
            (factor, self.options.strides, self.options.part)
        else {
            return Ok(0);
        };
        match self.format.factors().first() {
            Some(Factor::Block(block, size) | Factor::Weighted(block, size, _))
                if *block as u32 == letter as u32 && *size == lanes => {}
            _ => return Err((LayoutError(Rule::LanesNotFirst { letter, lanes }), Site::Lanes)),
        }
        Ok(1)
    }

    /// Adds what only layouts with strides have: positions in blocks, shared elements, and the part of a buffer.
    const fn push_part(&self, new: &mut Assembly) {
        let axes = self.format.axes();
        each!(axis, 0..axes.count(), {
            if self.options.from[axis] > 0 {
                let letter = axes.at(axis);
                new.push(Factor::Shift(letter, self.options.from[axis]), Site::From(letter));
            }
        });
        if self.options.overlap {
            new.push(Factor::Overlap, Site::Overlap);
        }
        match self.options.part {
            Some(BufferPart::View { start, length }) => {
                new.push(Factor::Part(start, length), Site::Part);
            }
            Some(BufferPart::Whole { length }) => {
                let lane = match (self.options.lanes, self.options.strides) {
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
        if let (Some(bytes), Factor::Lanes(..)) = (self.options.lane_align, new.factors[0]) {
            new.push(Factor::Align(bytes), Site::LaneAlign);
        }
        Ok(())
    }

    /// Adds a factor, and the pitch and the alignment of its axis after it.
    const fn push_aligned(&self, factor: Factor, site: Site, new: &mut Assembly) {
        new.push(factor, site);
        let (Factor::Axis(letter) | Factor::Broadcast(letter) | Factor::Stride(letter, _)) = factor
        else {
            return;
        };
        let Some(axis) = self.format.axes().position(letter) else { return };
        if let Some(pitch) = self.options.bytes[AxisBytes::Pitch as usize][axis] {
            new.push(Factor::Pitch(pitch), Site::BytesOf(AxisBytes::Pitch, letter));
        }
        if let Some(Length::Fixed(bytes)) = self.options.bytes[AxisBytes::Align as usize][axis] {
            new.push(Factor::Align(bytes), Site::BytesOf(AxisBytes::Align, letter));
        }
    }

    /// Adds the factors of a storage, which replace those of the format.
    const fn push_storage(&self, stored: Stored, new: &mut Assembly) -> Result<(), Fault> {
        let Stored { chip, storage, start, width } = stored;
        if self.options.lanes.is_some() {
            return Err((LayoutError(Rule::LanesAndStorage), Site::Distribution));
        }
        let order = match storage.axes(&self.format) {
            Ok(order) => order,
            Err(error) => return Err((error, Site::Format)),
        };
        if !storage.takes(self.element) {
            return Err((storage.wrong_element(self.element.name()), Site::Element));
        }
        if self.options.strides.is_some() {
            let mut other = Name::new("storage `");
            other.push(storage.name);
            other.push("`");
            return Err((LayoutError(Rule::StridesWith { other }), Site::Storage(0)));
        }
        each!(i, 0..storage.steps.len(), {
            let mut factor = storage.steps[i].factor(chip, order, self.element, start, width);
            if let Factor::Axis(letter) = factor {
                if self.is_broadcast(letter) {
                    factor = Factor::Broadcast(letter);
                }
            }
            let site = match storage.steps[i] {
                Step::Width(_) => Site::Width,
                _ => Site::Storage(i),
            };
            self.push_aligned(factor, site, new);
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
    const fn check_strides(&self) -> Result<(), Fault> {
        let format = &self.format;
        let (factors, given) = (format.factors().len(), self.options.stride_count);
        let error = match self.options.strides {
            Some(_) if factors > format.axes().count() && factors != given => {
                LayoutError(Rule::FactorStrides { format: format.name(), factors, given })
            }
            Some(_) if factors == format.axes().count() => {
                match check_stride_count(self.letters(), given) {
                    Ok(()) => return Ok(()),
                    Err(error) => error,
                }
            }
            _ => return Ok(()),
        };
        Err((error, Site::Strides))
    }

    /// Factor `i` of the format: with its stride, broadcast, or in its place of the memory order.
    const fn factor(&self, i: usize) -> Result<(Factor, Site), Fault> {
        let (factors, axes) = (self.format.factors(), self.axes());
        let written = factors[i];
        let Some(strides) = &self.options.strides else {
            return Ok(match written {
                Factor::Axis(letter) if self.is_broadcast(letter) => {
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
                    && self.options.zero_broadcasts
                    && factors.len() == axes.len()
                    && !matches!(extent, Some(0 | 1)) =>
            {
                Ok(Factor::Broadcast(letter))
            }
            Factor::Axis(letter) => stride_factor(letter, self.is_broadcast(letter), stride),
            // A format has only axes and blocks.
            _ => unreachable!(),
        };
        match factor {
            Ok(factor) => Ok((factor, site)),
            Err(error) => Err((error, site)),
        }
    }
}
