//! Moving a tensor to another layout in the buffer that it lies in.

use bytemuck::{Pod, try_cast_slice_mut};

use layout_types::nests::{Boxes, Level, MAX_LEVELS, Nest};
use layout_types::spec::{LayoutError, Name, Rule};
use layout_types::{Layout, UnitOf};

use super::plan::Plan;
use super::run::{Relayout, check_units};
use super::swizzled_rows::Xor;
use crate::buffers::as_bytes_mut;

/// Loops over units, the bytes that are moved as one; strides count bytes.
#[derive(Clone, Copy)]
struct Units {
    /// From the slowest to the fastest in the destination.
    loops: [Level; Self::CAPACITY],
    count: usize,
    /// The bytes of a unit: 1, 2, 4, 8 or 16.
    unit: usize,
}

impl Units {
    /// The most loops.
    const CAPACITY: usize = 12;

    /// One byte.
    const NONE: Self = Self { loops: [Level::ONCE; Self::CAPACITY], count: 0, unit: 1 };

    /// The loops of `nest` over elements of `bytes` bytes, as long units as can be, of `most` bytes at most, or `None`
    /// where they are too many.
    const fn of(nest: &Nest, bytes: usize, most: usize) -> Option<Self> {
        let mut own = Self::NONE;
        own.unit = if bytes.trailing_zeros() > 4 { 16 } else { 1 << bytes.trailing_zeros() };
        let levels = nest.levels();
        const { assert!(Self::CAPACITY < MAX_LEVELS) };
        if levels.len() + (bytes > own.unit) as usize > Self::CAPACITY {
            return None;
        }
        while own.count < levels.len() {
            let Level { size, source, destination, .. } = levels[own.count];
            let (source, destination) = (source * bytes as isize, destination * bytes as isize);
            own.loops[own.count] = Level { size, source, destination, parameter: 0 };
            own.count += 1;
        }
        if bytes > own.unit {
            own.loops[own.count] = own.together(bytes / own.unit);
            own.count += 1;
        }
        // What stays together on both sides is moved as one.
        while own.count > 0 && own.unit < 16 && own.unit < most {
            let last = own.loops[own.count - 1];
            let Level { source, destination, .. } = own.together(last.size);
            if last.source != source || last.destination != destination || last.size % 2 != 0 {
                break;
            }
            own.unit *= 2;
            own.loops[own.count - 1] = own.together(last.size / 2);
            if last.size == 2 {
                own.count -= 1;
            }
        }
        Some(own)
    }

    /// A loop over so many units that lie together on both sides.
    const fn together(&self, size: usize) -> Level {
        let step = self.unit as isize;
        Level { size, source: step, destination: step, parameter: 0 }
    }
}

/// A permutation of the units of a buffer: which one comes to each place.
///
/// Law: `source_of` is a bijection of `0..count`, and takes, in each part of so many, the place of
/// every coordinate in the destination to its place in the source.
#[derive(Clone, Copy)]
struct Cycles {
    units: Units,
    /// The units of a part of the buffer that the loops permute.
    count: usize,
    /// The swizzles of the source and of the destination, of units.
    swizzles: (Xor, Xor),
}

impl Cycles {
    /// # Errors
    /// What is no permutation of units, or not one that a single set of loops follows.
    const fn of(plan: &Plan) -> Result<Self, LayoutError> {
        match Self::find(plan) {
            Ok(cycles) => Ok(cycles),
            Err(rule) => Err(LayoutError(rule)),
        }
    }

    const fn find(plan: &Plan) -> Result<Self, Rule> {
        let (source, destination) = (plan.source(), plan.destination());
        let bits = source.element().bits();
        let swizzles = (Xor::of(source.swizzle()), Xor::of(destination.swizzle()));
        let is_swizzled = plan.pair.is_swizzled();
        if is_swizzled && !bits.is_power_of_two() {
            return Err(Rule::InPlaceSwizzle { element: source.element() });
        }
        if bits < 8 {
            return Err(Rule::InPlaceSubByte { element: source.element() });
        }
        if let Some(letter) = source.shared_axis() {
            return Err(Rule::InPlaceShared { letter });
        }
        if let Some(error) = gaps("source", source) {
            return Err(error);
        }
        if let Some(error) = gaps("destination", destination) {
            return Err(error);
        }
        let mut boxes = Boxes::new(&plan.pair, None);
        // In an empty tensor nothing moves, whatever its axes are like.
        let none = Self { units: Units::NONE, count: 1, swizzles };
        let Some(&nest) = boxes.next() else { return Ok(none) };
        if let Some(letter) = reversed_axis(source) {
            return Err(Rule::InPlaceReversed { letter });
        }
        if let Some(letter) = reversed_axis(destination) {
            return Err(Rule::InPlaceReversed { letter });
        }
        if let Some((letter, [smaller, larger])) = boxes.unlike_blocks() {
            return Err(Rule::InPlaceBlocks { letter, smaller, larger });
        }
        let (from, to) = (swizzles.0.group_bytes(bits / 8), swizzles.1.group_bytes(bits / 8));
        let units = Units::of(&nest, bits / 8, if from < to { from } else { to });
        let loops = Rule::InPlaceLoops { most: Units::CAPACITY };
        let (Some(units), None) = (units, boxes.next()) else { return Err(loops) };
        // What the slowest loops step over stays where it is, if they do so on both sides and no swizzle reads where.
        let mut same = 0;
        while !is_swizzled
            && same < units.count
            && units.loops[same].source == units.loops[same].destination
        {
            same += 1;
        }
        // Each loop begins anew where the next slower one steps, so that a place is a number of
        // which the loops are the digits.
        let (mut places, mut count) = (1, 1);
        let mut i = units.count;
        while i > 0 {
            i -= 1;
            let level = units.loops[i];
            if level.destination != (places * units.unit) as isize || level.source < 0 {
                return Err(loops);
            }
            places *= level.size;
            if i >= same {
                count = places;
            }
        }
        let mut inner = Units { count: units.count - same, unit: units.unit, ..Units::NONE };
        while i + same < units.count {
            inner.loops[i] = units.loops[i + same];
            i += 1;
        }
        let (element, unit) = ((bits / 8).trailing_zeros(), units.unit.trailing_zeros());
        let (from, to) = swizzles;
        let swizzles = (
            from.of_units(element as usize, unit as usize),
            to.of_units(element as usize, unit as usize),
        );
        Ok(Self { units: inner, count, swizzles })
    }

    /// Where the unit comes from that belongs to a place.
    #[inline(always)]
    fn source_of(&self, place: usize) -> usize {
        let Units { loops, count, unit } = &self.units;
        let (mut rest, mut source) = (self.swizzles.1.apply(place), 0);
        for level in loops.iter().take(*count).rev() {
            // A loop of no steps has no places.
            let (Some(digit), Some(slower)) =
                (rest.checked_rem(level.size), rest.checked_div(level.size))
            else {
                return place;
            };
            source += digit * (level.source as usize / *unit);
            rest = slower;
        }
        self.swizzles.0.apply(source)
    }

    #[inline(always)]
    fn run(&self, bytes: &mut [u8]) {
        // Arrays of bytes, which lie anywhere.
        match self.units.unit {
            1 => self.follow::<[u8; 1]>(bytes),
            2 => self.follow::<[u8; 2]>(bytes),
            4 => self.follow::<[u8; 4]>(bytes),
            8 => self.follow::<[u8; 8]>(bytes),
            _ => self.follow::<[u8; 16]>(bytes),
        }
    }

    #[inline(always)]
    fn follow<N: Pod>(&self, bytes: &mut [u8]) {
        let Ok(units) = try_cast_slice_mut::<u8, N>(bytes) else { return };
        for part in units.chunks_exact_mut(self.count.max(1)) {
            self.follow_in(part);
        }
    }

    /// Moves the units of each cycle, from the place of which none is lower.
    #[inline(always)]
    fn follow_in<N: Pod>(&self, units: &mut [N]) {
        for first in 0..self.count {
            let next = self.source_of(first);
            let mut at = next;
            while at > first {
                at = self.source_of(at);
            }
            if at < first || next == first {
                continue;
            }
            let Some(&held) = units.get(first) else { return };
            let (mut to, mut from) = (first, next);
            while from != first {
                let Some(&unit) = units.get(from) else { return };
                if let Some(place) = units.get_mut(to) {
                    *place = unit;
                }
                (to, from) = (from, self.source_of(from));
            }
            if let Some(place) = units.get_mut(to) {
                *place = held;
            }
        }
    }
}

/// The error of a layout in which elements are not all that storage holds.
const fn gaps(side: &str, layout: &Layout) -> Option<Rule> {
    if layout.is_exhaustive() {
        return None;
    }
    let (bytes, elements) = (layout.bytes(), layout.bytes_of(layout.count()));
    Some(Rule::InPlaceGaps { side: Name::new(side), bytes, elements })
}

/// An axis that runs backwards.
const fn reversed_axis(layout: &Layout) -> Option<char> {
    let digits = layout.digits();
    let mut i = 0;
    while i < digits.len() {
        if digits[i].stride < 0 && digits[i].size > 1 {
            return Some(layout.letters().at(digits[i].axis));
        }
        i += 1;
    }
    None
}

/// Moves a tensor to another layout in the buffer that it lies in, for devices that cannot hold it
/// twice. The buffer's length counts elements.
///
/// Each unit of elements that stay together, up to 16 bytes, moves once, and one is held aside. Between
/// static layouts the permutation is a constant, as a few loops. No table and no marks say what has moved,
/// nor where its cycles begin: there may be half as many as units, so that a table of them would
/// be larger than firmware has room for. A cycle of places is gone through from its lowest one, and to find
/// that, it is followed from every place until a lower one comes. On average that computes a place about
/// `ln(n)` times for each of `n` units, with a division for each loop of the plan. On a Cortex-M4, 16
/// channels of 14 x 14 bytes take 54 instructions an element from NCHW to NHWC and 64 to NCHW4 between
/// static layouts, and five to six times as many where the program is compiled for size;
/// [`relayout`](super::relayout()) takes 1.3 with a second buffer.
///
/// # Errors
/// elements of less than a byte; swizzled elements whose size is not a power of two; layouts with padding or gaps, or in which coordinates share an element; reversed
/// axes, and blocks that do not divide each other; layouts whose orders differ by more than 12 loops; a
/// unit of another size than the plan's, or a slice of another length. Nothing is moved then.
///
/// ```
/// use tensor_layout::{ElementType, Layout, Plan, relayout_in_place};
///
/// let of = |format| Layout::of(format, &[1, 2, 1, 3], ElementType::U8);
/// let plan = Plan::new(&of("NCHW")?, &of("NHWC")?)?;
/// let mut tensor = [1u8, 2, 3, 10, 20, 30];
/// relayout_in_place(&plan, &mut tensor)?;
/// assert_eq!(tensor, [1, 10, 2, 20, 3, 30]);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub fn relayout_in_place<U: Pod>(plan: &Plan, buffer: &mut [U]) -> Result<(), LayoutError> {
    // First, for where sizes differ no length would be right.
    let cycles = Cycles::of(plan)?;
    super::run::check(plan, buffer, buffer)?;
    cycles.run(as_bytes_mut(buffer));
    Ok(())
}

/// [`relayout_in_place`] for arrays between static layouts: what cannot be done is a compile error.
#[inline]
pub fn run_in_place<R: Relayout, const LENGTH: usize>(
    buffer: &mut [UnitOf<R::Destination>; LENGTH],
) {
    let cycles = const {
        check_units::<R>();
        // First, for where sizes differ no length would be right.
        let cycles = match Cycles::of(R::PLAN) {
            Ok(cycles) => cycles,
            Err(error) => error.panic(),
        };
        if let Err(error) = R::PLAN.check_lengths(LENGTH, LENGTH) {
            error.panic()
        }
        cycles
    };
    cycles.run(as_bytes_mut(buffer));
}
