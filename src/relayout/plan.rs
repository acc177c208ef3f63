//! The plan of a relayout: what is checked once, before anything moves.

use core::fmt;

use bytemuck::Pod;

use layout_kernels::{Isa, MAX_LOOPS, Move, Stores};
use layout_types::Layout;
use layout_types::nests::{Boxes, Padding, Pair};
use layout_types::spec::{LayoutError, Rule};

use super::lowering::lowered;
use crate::buffers::{Lengths, unit_from_bits};

/// How to move a tensor from a source layout to a destination layout of the same axes, extents
/// and elements.
///
/// A `Copy` value that can be run any number of times. [`new`](Self::new) plans for the CPU that the program runs on;
/// [`const_new`](Self::const_new) makes a constant.
///
/// What `#[derive(Relayout)]` writes runs without anything that could panic, if its plan is printed as a
/// list of moves. Plans that are made or run as values look into arrays at checked indices: none is
/// past the end, but the compiler does not know that, so that firmware with such plans holds a panic
/// handler.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) pair: Pair,
    /// Which stores are non-temporal.
    pub(super) stores: Stores,
    /// How this CPU moves each box. That is found out when the plan runs of constants, and where there are more boxes, or
    /// more loops than a move has.
    pub(super) moves: Moves,
    /// The padding that is filled before the boxes are moved, unless a move fills it.
    pub(super) padding: Option<Padding>,
}

/// The moves of a relayout that has few boxes, planned for a CPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves {
    list: [Option<layout_kernels::Plan>; Self::KEPT],
    /// Whether these are the moves of all boxes.
    is_whole: bool,
}

impl Moves {
    pub(super) const CAPACITY: usize = 4;

    /// How many of them a plan keeps: more boxes than that are planned when the plan runs, for each takes 2 KiB, and to
    /// copy it is part of what a plan costs. None where there is no operating system and a stack of some KiB.
    pub(super) const KEPT: usize = if cfg!(target_os = "none") { 0 } else { 2 };

    /// Finds the moves between the layouts of `pair`, if there are few. In place: a plan takes some KiB.
    fn find(&mut self, pair: &Pair, stores: Stores, isa: Isa) {
        let mut boxes = Boxes::new(pair, None);
        let mut list = self.list.iter_mut();
        while let Some(nest) = boxes.next() {
            let Some(place) = list.next() else { return };
            let Some(of) = lowered(nest, pair) else {
                return;
            };
            *place = layout_kernels::Plan::for_isa(&of, isa).ok();
            match place {
                Some(plan) => plan.set_stores(stores),
                None => return,
            }
        }
        self.is_whole = true;
    }

    /// Whether one of them fills the padding.
    const fn pads(&self) -> bool {
        self.is_whole && matches!(self.list.as_slice().first(), Some(Some(plan)) if plan.pads())
    }

    /// The moves of all boxes, if they are known.
    pub(super) fn all(&self) -> Option<impl Iterator<Item = &layout_kernels::Plan>> {
        self.is_whole.then(|| self.list.iter().flatten())
    }
}

impl Plan {
    /// The plan from `source` to `destination`, for the CPU that the program runs on. Axes are matched by letter, so
    /// coordinate orders may differ.
    ///
    /// # Errors
    /// Different axes, extents or element types; a destination in which coordinates share an
    /// element.
    // Boards have no room for it in the frame of each caller.
    #[cfg_attr(not(target_os = "none"), inline)]
    #[cfg_attr(target_os = "none", inline(never))]
    pub fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        // In place: a plan takes some KiB.
        let mut made = Self::const_new(source, destination);
        if let Ok(plan) = &mut made {
            plan.find_moves();
        }
        made
    }

    /// Inlined: a plan takes some KiB, and a copy of it as long as half of what makes one.
    #[inline(always)]
    const fn of(pair: Pair) -> Self {
        let padding = Padding::of(&pair.destination);
        // Made here: a constant would be copied whole.
        let moves = Moves { list: [None; Moves::KEPT], is_whole: false };
        Self { pair, stores: Stores::Auto, moves, padding }
    }

    /// [`new`](Self::new) for constants. What depends on the CPU is found out each time that the plan runs, which takes
    /// up to a microsecond for each box; [`run`](fn@super::run) has it as constants.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn const_new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        match Pair::of_equal_elements(source, destination) {
            Ok(pair) => Ok(Self::of(pair)),
            Err(error) => Err(error),
        }
    }

    /// The same plan, with non-temporal stores or without. Non-temporal stores leave the result out of the
    /// caches.
    ///
    /// A new plan uses them for tensors that are larger than a share of the last-level cache: 8 MiB or more. A
    /// kernel that has no such stores, or whose destination does not come in whole lines of 64 bytes, stores as
    /// without them.
    #[must_use]
    pub const fn streaming(mut self, stream: bool) -> Self {
        self.stores = if stream { Stores::NonTemporal } else { Stores::Cached };
        let mut i = 0;
        while i < Moves::KEPT {
            if let Some(plan) = &mut self.moves.list[i] {
                plan.set_stores(self.stores);
            }
            i += 1;
        }
        self
    }

    /// Finds out how this CPU moves each box.
    pub(super) fn find_moves(&mut self) {
        if Moves::KEPT > 0 {
            self.moves.find(&self.pair, self.stores, Isa::best());
        }
    }

    /// Whether a move of the plan fills the padding.
    pub(super) const fn pads(&self) -> bool {
        self.moves.pads()
    }

    /// Fills the padding, unless a move of the plan does that.
    pub(super) fn fill<U: Pod>(&self, destination: &mut [U]) {
        if let Some(padding) = self.padding {
            if !self.pads() {
                padding.fill(destination, self.unit_of_fill());
            }
        }
    }

    /// What padding holds.
    pub(super) const fn unit_of_fill<U: Pod>(&self) -> U {
        unit_from_bits(self.pair.destination.unit_of_fill())
    }

    /// The move of box number `index`, where there are few, for a static relayout.
    #[inline(never)]
    pub(super) const fn nth_move(&self, index: usize) -> Option<Move> {
        let mut boxes = Boxes::new(&self.pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            if count == index {
                return lowered(nest, &self.pair);
            }
            count += 1;
        }
        None
    }

    /// Whether the plan has few boxes, none of which has more loops than a move, and no swizzle.
    pub(super) const fn has_few_moves(&self) -> bool {
        let mut boxes = Boxes::new(&self.pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            if !nest.is_affine() || nest.levels().len() > MAX_LOOPS || count == Moves::CAPACITY {
                return false;
            }
            count += 1;
        }
        true
    }

    /// The layout that is read.
    pub const fn source(&self) -> &Layout {
        &self.pair.source
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &Layout {
        &self.pair.destination
    }

    /// Errors unless units of so many bytes are what the plan moves.
    pub(super) const fn check_unit(&self, given: usize) -> Result<(), LayoutError> {
        let needed = self.pair.source.element().bits().div_ceil(8);
        if given == needed { Ok(()) } else { Err(LayoutError(Rule::UnitSize { needed, given })) }
    }

    /// Errors unless the buffers have the lengths, in units, that the layouts take.
    #[inline]
    pub const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        Lengths::of(&self.pair).check(source, destination)
    }
}

/// The two layouts, then how each box is moved: the kernel and the loops around it.
///
/// ```text
/// NCHW<1, 64, 56, 56>, f16 -> NHWC<1, 64, 56, 56>, f16: 401408 bytes
///   transpose 64 rows by 3136 columns of 2 bytes (AVX2)
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_moved(formatter, &self.pair)?;
        if !self.has_few_moves() {
            return formatter
                .write_str("\n  element by element, between swizzles, or in more than four boxes");
        }
        (0..Moves::CAPACITY)
            .filter_map(|index| self.nth_move(index))
            .try_for_each(|of| write_move(formatter, &of, self.stores))
    }
}

/// A line that says how a box is moved. Not inlined: a plan takes more stack than boards have twice.
#[inline(never)]
fn write_move(formatter: &mut fmt::Formatter<'_>, of: &Move, stores: Stores) -> fmt::Result {
    match layout_kernels::Plan::new(of) {
        Ok(mut plan) => {
            plan.set_stores(stores);
            write!(formatter, "\n  {plan}")
        }
        Err(_) => formatter.write_str("\n  element by element"),
    }
}

/// What is moved where, and how many bytes that is.
pub(crate) fn write_moved(
    formatter: &mut fmt::Formatter<'_>,
    Pair { source, destination, .. }: &Pair,
) -> fmt::Result {
    write!(formatter, "{source} -> {destination}: {} bytes", destination.moved_bytes())
}
