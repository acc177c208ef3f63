//! The rules that can be checked on a spec before any stride is known.
//!
//! Const evaluation checks every layout type, and each call costs it time. So lengths are read once, not in loops.

use super::element::ElementType;
use super::error::{LayoutError, Subject, Violations};
use super::factor::{AxisExtent, Factor, Length, Letters, MAX_FACTORS, MAX_RANK, Swizzling};
use super::given_extents::{Open, pitched};
use super::rules::Rule;
use super::summary::{SLOTS, Summary, slot};
use super::text::Name;
use super::weights::misplaced;

/// An unchecked layout: what `layout!` or a builder describes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Spec<'a> {
    /// The element type.
    pub element: ElementType,
    /// The axes in coordinate order.
    pub axes: &'a [AxisExtent],
    /// The memory order, slowest first.
    pub factors: &'a [Factor],
    /// The bits of the element that fills padding, lowest bit first, or `None` if padding is not allowed.
    pub fill: Option<u64>,
}

/// Returns an error unless memory can hold an array of these elements: a type of the user's own has at least one byte,
/// its alignment is a power of two, and its size is a multiple of the alignment.
pub(crate) const fn check_element(element: ElementType) -> Result<(), LayoutError> {
    match element {
        // The number of bits does not overflow either.
        ElementType::Plain { bytes, align }
            if bytes == 0
                || bytes > isize::MAX as usize / 8
                || !align.is_power_of_two()
                || bytes % align != 0 =>
        {
            Err(LayoutError(Rule::ElementSize { bytes, align }))
        }
        _ => Ok(()),
    }
}

/// Returns an error unless there is one stride for each axis.
#[doc(hidden)]
pub const fn check_stride_count(axes: Letters, given: usize) -> Result<(), LayoutError> {
    match given == axes.count() {
        true => Ok(()),
        false => Err(LayoutError(Rule::StrideCount { axes, given })),
    }
}

/// The factor of an axis with a stride in elements. The stride is 0 if the axis is broadcast.
pub(crate) const fn stride_factor(
    letter: char,
    is_broadcast: bool,
    stride: isize,
) -> Result<Factor, LayoutError> {
    match (is_broadcast, stride) {
        (false, _) => Ok(Factor::Stride(letter, stride)),
        (true, 0) => Ok(Factor::Broadcast(letter)),
        (true, _) => {
            let mut text = Name::EMPTY;
            text.push_signed(stride);
            Err(LayoutError(Rule::BroadcastStride { letter, stride: text }))
        }
    }
}

impl Spec<'_> {
    /// The axes' letters in coordinate order. Letters beyond [`MAX_RANK`] are left out.
    pub const fn letters(&self) -> Letters {
        Letters::of(self.axes)
    }

    /// The first axis of unknown extent.
    pub const fn unknown(&self) -> Option<char> {
        let axes = self.axes.len();
        each!(i, 0..axes, {
            if let Length::Unknown = self.axes[i].extent {
                return Some(self.axes[i].letter);
            }
        });
        None
    }

    /// The error of a number that is not known, and its subject.
    pub(crate) const fn missing(&self, summary: &Summary) -> Option<(Rule, Subject)> {
        let (what, letter, subject) = match (self.unknown(), summary.open_pitch) {
            (Some(letter), _) => (Open::Extent, letter, Subject::Extent(letter)),
            (None, Summary::NONE) => return None,
            (None, i) => (Open::Pitch, pitched(self.factors, i), Subject::Factor(i)),
        };
        Some((Rule::UnknownNumber { what: what.name(), letter }, subject))
    }

    /// The summary of the axes and factors.
    pub(crate) const fn summary(&self) -> Summary {
        Summary::of(self.axes, self.factors)
    }

    /// Checks all rules that need no strides.
    pub const fn check(&self) -> Violations {
        self.check_with(&self.summary())
    }

    /// [`check`](Self::check) with the summary of this spec.
    pub(crate) const fn check_with(&self, summary: &Summary) -> Violations {
        let mut violations = Violations::NONE;
        self.check_values(summary, &mut violations);
        if !violations.is_empty() {
            return violations;
        }
        if !summary.names_each_axis_once || summary.digits > MAX_FACTORS {
            self.check_axes(summary, &mut violations);
        }
        self.check_extents(summary, &mut violations);
        if !summary.is_plain {
            self.check_factors(summary, &mut violations);
        }
        if summary.has_weights && violations.is_empty() {
            if let Some((i, rule)) = misplaced(self.factors) {
                violations.rule(rule, Subject::Factor(i));
            }
        }
        violations
    }

    /// Checks values that would make other rules meaningless.
    const fn check_values(&self, summary: &Summary, violations: &mut Violations) {
        let mut i = 0;
        while summary.has_other_letters && i < summary.rank {
            let letter = self.axes[i].letter;
            if slot(letter) == SLOTS - 1 {
                violations.rule(Rule::AxisLetter { letter }, Subject::Extent(letter));
            }
            i += 1;
        }
        if let Err(error) = check_element(self.element) {
            violations.push(error, Subject::Format);
        }
        if let Some(bits) = self.fill {
            let element = self.element;
            if !element.fits(bits) {
                violations.rule(Rule::Fill { bits, element }, Subject::Fill);
            }
        }
    }

    /// Checks that the memory order names every axis once, and no other axis.
    const fn check_axes(&self, summary: &Summary, violations: &mut Violations) {
        let axes = summary.rank;
        if axes > MAX_RANK {
            violations.rule(Rule::TooManyAxes, Subject::Format);
            return;
        }
        if summary.digits > MAX_FACTORS {
            violations.rule(Rule::TooManyFactors, Subject::Format);
        }
        let mut is_axis = [false; SLOTS];
        each!(i, 0..axes, {
            let letter = self.axes[i].letter;
            let slot = slot(letter);
            if is_axis[slot] || summary.rests[slot] > 1 {
                violations.rule(Rule::RepeatedAxis { letter }, Subject::Extent(letter));
            } else if summary.rests[slot] == 0 {
                violations.rule(Rule::AxisWithoutFactor { letter }, Subject::Extent(letter));
            }
            is_axis[slot] = true;
        });
        let factors = self.factors.len();
        each!(i, 0..factors, {
            if let Some(letter) = self.factors[i].letter() {
                if !is_axis[slot(letter)] {
                    let error = LayoutError::unknown_axis(letter, self.letters());
                    violations.push(error, Subject::Factor(i));
                }
            }
        });
    }

    /// Checks that no fixed extent is 0, and that extents are multiples of their blocks.
    const fn check_extents(&self, summary: &Summary, violations: &mut Violations) {
        let axes = summary.rank;
        // Without blocks, each axis is one digit. A view may end inside a block.
        let has_blocks = summary.digits > axes || !summary.names_each_axis_once;
        let is_view = summary.has_strides && !summary.is_whole;
        let divides = has_blocks && !is_view && self.fill.is_none();
        each!(i, 0..axes, {
            let AxisExtent { letter, extent } = self.axes[i];
            if let Length::Fixed(0) = extent {
                violations.rule(Rule::ZeroExtent { letter }, Subject::Extent(letter));
            }
            if let (Length::Fixed(extent) | Length::Runtime(extent), true) = (extent, divides) {
                match summary.blocks[slot(letter)] {
                    Some(block) if block > 0 && extent % block != 0 => {
                        let rule = Rule::NotDivisible { letter, extent, block };
                        violations.rule(rule, Subject::Extent(letter));
                    }
                    _ => {}
                }
            }
        });
    }

    /// Checks that factors fit each other and the element type.
    const fn check_factors(&self, summary: &Summary, violations: &mut Violations) {
        let has_strides = summary.has_strides;
        if has_strides && self.fill.is_some() && !summary.is_whole {
            let other = Name::new("option `pad`");
            violations.rule(Rule::StridesWith { other }, Subject::Fill);
        }
        let factors = self.factors.len();
        each!(i, 0..factors, {
            let subject = Subject::Factor(i);
            match self.factors[i] {
                Factor::Align(_) | Factor::Start(_) | Factor::Pitch(_) => {
                    self.check_bytes(i, summary, violations);
                }
                Factor::Shift(..) | Factor::Overlap => self.check_digits(i, summary, violations),
                Factor::Axis(_) | Factor::Block(..) | Factor::Weighted(..) if has_strides => {
                    // All others break the same rule.
                    return self.push_strideless(i, summary, violations);
                }
                Factor::Block(letter, size)
                | Factor::Weighted(letter, size, _)
                | Factor::StridedBlock(letter, size, ..) => {
                    if summary.has_lanes(slot(letter)) && self.is_too_wide(letter, summary) {
                        self.push_width(i, letter, summary, violations);
                    } else if size == 0 {
                        violations.rule(Rule::EmptyBlock { letter }, subject);
                    } else if summary.is_broadcast[slot(letter)] {
                        violations.rule(Rule::BroadcastBlock { letter }, subject);
                    }
                }
                Factor::Stride(letter, stride) => {
                    let extent = self.extent_of(letter);
                    let has_blocks = !matches!(summary.blocks[slot(letter)], Some(1));
                    let element = self.element;
                    if stride == 0 && extent > 1 && !has_blocks {
                        violations.rule(Rule::ZeroStride { letter, extent }, subject);
                    }
                    // Steps of a view may end inside a byte.
                    if extent > 1 && !summary.is_view && !element.is_row(stride.unsigned_abs()) {
                        violations.rule(Rule::OddStride { letter, stride, element }, subject);
                    }
                }
                Factor::Lanes(..) => self.check_lanes(i, summary, violations),
                Factor::Swizzle(swizzling) => self.check_swizzle(i, swizzling, violations),
                // The shares of lanes are checked when the length is known.
                Factor::Axis(_)
                | Factor::Broadcast(_)
                | Factor::LaneArray(_)
                | Factor::Part(..)
                | Factor::Whole(..) => {}
            }
        });
    }

    /// Checks an alignment, that of the buffer, or a pitch: first what it stands beside, which says the same of elements
    /// whose size the macro does not know.
    const fn check_bytes(&self, i: usize, summary: &Summary, violations: &mut Violations) {
        let (element, subject) = (self.element, Subject::Factor(i));
        match self.factors[i] {
            Factor::Start(bytes) if !bytes.is_power_of_two() || bytes < element.align() => {
                let rule = Rule::BufferStart { given: bytes, least: element.align() };
                violations.rule(rule, subject);
            }
            Factor::Align(bytes) => {
                if summary.has_strides {
                    let other = Name::new("option `align`");
                    violations.rule(Rule::StridesWith { other }, Subject::Option(i));
                }
                if bytes == 0 || element.count_in(bytes).is_none() {
                    violations.rule(Rule::Alignment { bytes, element }, subject);
                }
            }
            Factor::Pitch(pitch) => {
                if let Some(other) = self.beside_pitch(i, summary) {
                    let rule = Rule::OptionWith { name: "pitch", other };
                    violations.rule(rule, Subject::Option(i));
                }
                // A pitch that is not known breaks no rule of its number.
                let align = match self.factors.split_at(i + 1).1 {
                    [Factor::Align(align), ..] if *align > 0 => *align,
                    _ => 1,
                };
                match pitch.value() {
                    Some(bytes) if bytes == 0 || element.count_in(bytes).is_none() => {
                        violations.rule(Rule::Pitch { bytes, element }, subject);
                    }
                    Some(bytes) if bytes > isize::MAX as usize => {
                        violations.rule(Rule::TooLarge { element }, subject);
                    }
                    Some(bytes) if bytes % align != 0 => {
                        violations.rule(Rule::PitchAlign { bytes, align }, subject);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// A factor without a stride, beside strides or a part of a buffer.
    const fn push_strideless(&self, i: usize, summary: &Summary, violations: &mut Violations) {
        if summary.part < self.factors.len() {
            let name = if summary.is_whole { "len" } else { "from" };
            violations.rule(Rule::WithoutStrides { name }, Subject::Option(summary.part));
        } else {
            let other = Name::new("an axis or a block without a stride");
            violations.rule(Rule::StridesWith { other }, Subject::Option(i));
        }
    }

    /// Checks a factor that changes how digits with strides are counted.
    const fn check_digits(&self, i: usize, summary: &Summary, violations: &mut Violations) {
        let (name, shift) = match self.factors[i] {
            Factor::Shift(letter, position) => ("AXIS from POSITION", Some((letter, position))),
            _ => ("overlap", None),
        };
        if !summary.has_strides {
            violations.rule(Rule::WithoutStrides { name }, Subject::Option(i));
        } else if summary.is_whole {
            let rule = Rule::OptionWith { name, other: "option `len`" };
            violations.rule(rule, Subject::Option(i));
        }
        let Some((letter, position)) = shift else { return };
        if summary.rests[slot(letter)] == 0 {
            let error = LayoutError::unknown_axis(letter, self.letters());
            violations.push(error, Subject::Factor(i));
        }
        match summary.blocks[slot(letter)] {
            Some(block) if position >= block => {
                let rule = Rule::BlockPosition { letter, position, block };
                violations.rule(rule, Subject::Factor(i));
            }
            _ => {}
        }
    }

    /// What gaps of somebody else contradict.
    const fn beside_pitch(&self, i: usize, summary: &Summary) -> Option<&'static str> {
        match self.factors[0] {
            _ if summary.has_strides => Some("explicit strides"),
            Factor::Lanes(..) => Some("lanes"),
            _ if self.fill.is_some() => Some("option `pad`"),
            _ if i > 0 && matches!(self.factors[i - 1], Factor::Broadcast(_)) => {
                Some("option `broadcast` of the same axis")
            }
            _ => None,
        }
    }

    /// Blocks of an axis in lanes that hold no coordinate, or more than there are: once for each axis.
    const fn push_width(
        &self,
        i: usize,
        letter: char,
        summary: &Summary,
        violations: &mut Violations,
    ) {
        each!(before, 0..i, {
            let is_block = self.factors[before].is_block();
            if is_block
                && matches!(self.factors[before].letter(), Some(found) if found as u32 == letter as u32)
            {
                return;
            }
        });
        if let Some(width) = summary.blocks[slot(letter)] {
            let extent = self.extent_of(letter);
            violations.rule(Rule::Width { letter, extent, width }, Subject::Factor(i));
        }
    }

    /// Checks a swizzle: only one, and not beside lanes. Rules about rows are checked when rows are known.
    const fn check_swizzle(&self, i: usize, swizzling: Swizzling, violations: &mut Violations) {
        let subject = Subject::Factor(i);
        if let Factor::Lanes(letter, ..) = self.factors[0] {
            violations.rule(Rule::SwizzleLanes { letter }, subject);
        } else if i + 1 < self.factors.len() {
            violations.rule(Rule::RepeatedSwizzle, subject);
        } else if let Err(error) = swizzling.of(self.element, 0) {
            if !matches!(error.0, Rule::SwizzleRow { .. }) {
                violations.push(error, subject);
            }
        }
    }

    /// Checks a factor of lanes: it comes first, not beside strides, and not on a broadcast axis.
    const fn check_lanes(&self, i: usize, summary: &Summary, violations: &mut Violations) {
        let Factor::Lanes(letter, lanes, start) = self.factors[i] else { return };
        let subject = Subject::Factor(i);
        if lanes == 0 {
            violations.rule(Rule::NoLanes { letter }, subject);
        } else if start >= lanes {
            violations.rule(Rule::StartLane { letter, start, lanes }, Subject::Start(i));
        }
        if summary.has_strides && !summary.is_whole {
            let other = Name::new("lanes");
            violations.rule(Rule::StridesWith { other }, Subject::Option(i));
        } else if summary.is_broadcast[slot(letter)] {
            violations.rule(Rule::BroadcastLanes { letter }, subject);
        } else if i > 0 {
            violations.rule(Rule::LanesOrder { letter }, subject);
        }
    }

    /// Whether the blocks of an axis hold no coordinate, or more coordinates than the axis has.
    const fn is_too_wide(&self, letter: char, summary: &Summary) -> bool {
        let extent = self.extent_of(letter);
        match summary.blocks[slot(letter)] {
            Some(block) => extent > 0 && (block == 0 || block > extent),
            None => false,
        }
    }

    /// The extent of `letter`, or 0 if it is unknown.
    const fn extent_of(&self, letter: char) -> usize {
        let axes = self.axes.len();
        each!(i, 0..axes, {
            if self.axes[i].letter as u32 == letter as u32 {
                if let Some(extent) = self.axes[i].extent.value() {
                    return extent;
                }
            }
        });
        0
    }
}
