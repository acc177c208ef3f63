//! The plan of a relayout: the checks and choices made once, before anything moves.

use core::fmt;

#[cfg(not(target_os = "none"))]
use layout_kernels::Isa;
use layout_kernels::{Move, Stores};
use layout_types::Layout;
use layout_types::nests::{Boxes, Nest, Padding, Pair};
use layout_types::ok;
use layout_types::plain::Plain;
use layout_types::spec::{LayoutError, Rule};

#[cfg(not(target_os = "none"))]
use super::lowering::set_lowered;
use super::lowering::{is_moved_by_rows, lowered, moved_between};
use super::swizzled::SwizzledMove;
use crate::buffers::{Lengths, PaddingFill};

/// How to move a tensor from a source layout to a destination layout with the same axes, extents and element type.
///
/// ```
/// use tensor_layout::{Layout, Plan};
///
/// let image = Layout::parse("NHWC<N = 1, C = 3, H = 1, W = 2>, u8")?;
/// let planes = Layout::parse("NCHW<1, 3, 1, 2>, u8")?;
/// let plan = Plan::new(&image, &planes)?; // made once
///
/// let mut moved = [0; 6];
/// plan.run(&[1u8, 2, 3, 4, 5, 6], &mut moved)?; // run any number of times
/// assert_eq!(moved, [1, 4, 2, 5, 3, 6]);
/// println!("{plan}"); // the path that it takes
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
///
/// If both layouts are types, [`#[derive(Relayout)]`](derive@crate::Relayout) has the plan as a constant.
/// [`Tensor::relayout_into`](crate::Tensor::relayout_into) makes a plan for two tensors and runs it.
///
/// A plan is a `Copy` value that can be run any number of times. [`new`](Self::new) plans for the CPU that the
/// program runs on; [`const_new`](Self::const_new) makes a constant.
///
/// A relayout from `#[derive(Relayout)]` contains no code that panics, if its plan prints as a list of moves. A plan
/// that is made or run as a value indexes arrays. Its indices are always inside the arrays, but the compiler cannot
/// prove it, so firmware with such plans contains a panic handler.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) pair: Pair,
    /// The lengths of buffers in units, and the bytes of a unit. Kept, since few elements take less time than these.
    pub(super) lengths: Lengths,
    pub(super) unit: usize,
    /// The kind of stores: non-temporal or not.
    pub(super) stores: Stores,
    /// How this CPU moves each box. Boxes are planned when the plan runs if it is a constant, has more than two boxes,
    /// or has a box with more loops than a move.
    pub(super) moves: Moves,
    /// The padding that is filled before the boxes are moved. It is `None` if there is none or a move fills it.
    pub(super) padding: Option<Padding>,
}

/// The moves of a relayout, planned for a CPU.
///
/// With vectors, a move takes 3 KiB, and copying it is part of the cost of a plan, so moves of more than two boxes are
/// not kept. Without an operating system none are kept, since a stack may have only a few KiB.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "a plan allocates nothing")]
pub(super) enum Moves {
    /// They are planned when the plan runs.
    Unknown,
    /// The same, but a relayout between layout types has the moves of few boxes as constants.
    Static,
    /// Those of one or two boxes.
    #[cfg(not(target_os = "none"))]
    Boxes([Option<layout_kernels::Plan>; 2]),
    /// How the only box is moved, which lies between swizzles, and the move of a block, if blocks are moved.
    #[cfg(not(target_os = "none"))]
    Swizzled(SwizzledMove, Option<layout_kernels::Plan>),
}

impl Moves {
    pub(super) const CAPACITY: usize = 4;

    /// Whether one of the moves fills the padding.
    const fn pads(&self) -> bool {
        match self {
            #[cfg(not(target_os = "none"))]
            Self::Boxes([Some(first), _]) => first.pads(),
            _ => false,
        }
    }

    /// Makes plans store non-temporally, or not.
    #[cfg(not(target_os = "none"))]
    const fn set_stores(&mut self, stores: Stores) {
        match self {
            // Blocks between swizzles may go to a scratch buffer, which is read again.
            Self::Unknown | Self::Static | Self::Swizzled(..) => {}
            Self::Boxes([first, second]) => {
                set_stores(first, stores);
                set_stores(second, stores);
            }
        }
    }
}

#[cfg(not(target_os = "none"))]
const fn set_stores(of: &mut Option<layout_kernels::Plan>, stores: Stores) {
    if let Some(plan) = of {
        plan.set_stores(stores);
    }
}

/// Moves are planned in place: copying one takes a good part of the time that planning takes. Functions of their own set
/// what has no plan yet, so that no copy of it is on the stack meanwhile.
#[cfg(not(target_os = "none"))]
impl Moves {
    /// Plans the moves between the layouts of `pair` for a CPU, if they are kept.
    fn set(&mut self, pair: &Pair, isa: Isa) {
        let is_planned = match pair.is_swizzled() {
            true => self.set_swizzled(pair, isa),
            false => self.set_boxes(pair, isa),
        };
        if !is_planned {
            self.set_unknown();
        }
    }

    #[inline]
    fn set_unknown(&mut self) {
        *self = Self::Unknown;
    }

    /// Plans the move of the only box between swizzles. Returns false if there are several, or it has no plan.
    fn set_swizzled(&mut self, pair: &Pair, isa: Isa) -> bool {
        let of = self.set_no_block(pair);
        match (self, &of) {
            (Self::Swizzled(_, block), Some(of)) => plan_in_place(block, of, isa),
            (Self::Swizzled(..), None) => true,
            _ => false,
        }
    }

    /// Sets how the only box between swizzles is moved, if there is one, and returns the move of a block.
    #[inline]
    fn set_no_block(&mut self, pair: &Pair) -> Option<Move> {
        let (swizzled, of) = swizzled_box(pair)?;
        *self = Self::Swizzled(swizzled, None);
        of
    }

    #[inline]
    fn set_no_boxes(&mut self) {
        *self = Self::Boxes([None, None]);
    }

    /// Plans the moves of one or two boxes. Returns false if there are more, or one has no plan.
    fn set_boxes(&mut self, pair: &Pair, isa: Isa) -> bool {
        let mut boxes = Boxes::new(pair, None);
        let mut first = Move::new(&[], 1);
        if !boxes.next().is_some_and(|nest| set_lowered(&mut first, nest, pair)) {
            return false;
        }
        self.set_no_boxes();
        let Self::Boxes([first_plan, next]) = self else { return false };
        if boxes.is_done() {
            return plan_in_place(first_plan, &first, isa);
        }
        let mut second = Move::new(&[], 1);
        boxes.next().is_some_and(|nest| set_lowered(&mut second, nest, pair))
            && boxes.is_done()
            && plan_in_place(first_plan, &first, isa)
            && plan_in_place(next, &second, isa)
    }
}

/// Plans a move in place, and returns whether it has a plan.
#[cfg(not(target_os = "none"))]
fn plan_in_place(place: &mut Option<layout_kernels::Plan>, of: &Move, isa: Isa) -> bool {
    layout_kernels::Plan::set(place, of, isa).is_ok()
}

/// The moves of a relayout that has few boxes.
pub(super) type FewMoves = [Option<Move>; Moves::CAPACITY];

/// How the box between the swizzles of `pair` is moved, and the move of a block. Returns `None` if there are several
/// boxes, or if elements are moved one by one.
const fn swizzled_box(pair: &Pair) -> Option<(SwizzledMove, Option<Move>)> {
    if !pair.is_swizzled() {
        return None;
    }
    let mut boxes = Boxes::new(pair, None);
    let found = match boxes.next() {
        Some(nest) if !nest.is_affine() => SwizzledMove::of(nest, pair),
        _ => None,
    };
    if boxes.next().is_some() { None } else { found }
}

impl Plan {
    /// Makes the plan from `source` to `destination` for the CPU that the program runs on. Axes are matched by
    /// letter, so the coordinate orders may differ.
    ///
    /// # Errors
    /// - The axes, extents or element types differ.
    /// - Several coordinates of the destination share an element.
    // The stack of a board is too small for a plan in the frame of each caller.
    #[cfg_attr(not(target_os = "none"), inline)]
    #[cfg_attr(target_os = "none", inline(never))]
    pub fn new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        #[allow(unused_mut, reason = "without an operating system a plan keeps no moves")]
        let mut made = Self::const_new(source, destination);
        // In place in the caller's frame: a copy of a plan would take a tenth of the time.
        #[cfg(not(target_os = "none"))]
        if let Ok(plan) = &mut made {
            plan.set_moves();
        }
        made
    }

    /// Sets the moves for this CPU.
    #[cfg(not(target_os = "none"))]
    #[inline(never)]
    fn set_moves(&mut self) {
        self.moves.set(&self.pair, Isa::best());
    }

    /// [`new`](Self::new) for constants. The plan chooses kernels for the CPU each time it runs, which takes one
    /// to four microseconds for each box. Boxes of up to some 400 elements are moved row by row instead. In a derived
    /// relayout the choices are constants too.
    ///
    /// # Errors
    /// The same as [`new`](Self::new).
    #[inline]
    pub const fn const_new(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        let pair = ok!(Pair::of_equal_elements(source, destination));
        let (padding, lengths) = (Padding::of(destination), Lengths::of(&pair));
        let unit = pair.source().element().bits().div_ceil(8);
        let (stores, moves) = (Stores::Auto, Moves::Unknown);
        Ok(Self { pair, lengths, unit, stores, moves, padding })
    }

    /// [`const_new`](Self::const_new) for layout types, whose relayouts have their moves as constants.
    pub(crate) const fn of_static(
        source: &Layout,
        destination: &Layout,
    ) -> Result<Self, LayoutError> {
        Ok(Self { moves: Moves::Static, ..ok!(Self::const_new(source, destination)) })
    }

    /// Returns the same plan with or without non-temporal stores. These bypass the caches: the result is not cached.
    ///
    /// By default, a plan uses them if source and destination together take more than a share of the last-level
    /// cache: between 16 and 24 MiB, depending on the CPU. Bytes outside of whole lines of 64 bytes are stored plainly.
    /// Kernels without such stores, and moves between swizzles, ignore the setting.
    #[must_use]
    pub const fn streaming(mut self, stream: bool) -> Self {
        self.stores = if stream { Stores::NonTemporal } else { Stores::Cached };
        #[cfg(not(target_os = "none"))]
        self.moves.set_stores(self.stores);
        self
    }

    /// Whether a move of the plan fills the padding.
    pub(super) const fn pads(&self) -> bool {
        self.moves.pads()
    }

    /// Fills the padding, unless a move of the plan fills it.
    pub(super) fn fill<U: Plain>(&self, destination: &mut [U]) {
        if let Some(padding) = self.padding {
            if !self.pads() {
                PaddingFill::of(self.pair.destination()).pad(&padding, destination);
            }
        }
    }

    /// How the only box is moved if it lies between swizzles, and the move of a block.
    pub(super) const fn swizzled_box(&self) -> Option<(SwizzledMove, Option<Move>)> {
        swizzled_box(&self.pair)
    }

    /// Returns the moves of all boxes in order. Returns `None` if there are more than four boxes, a box has more loops
    /// than a move, or a layout has a swizzle. Not inlined: a move takes several hundred bytes.
    #[inline(never)]
    pub(super) const fn few_moves(&self) -> Option<FewMoves> {
        let mut few = [None; Moves::CAPACITY];
        let mut boxes = Boxes::new(&self.pair, None);
        let mut count = 0;
        while let Some(nest) = boxes.next() {
            if count == Moves::CAPACITY {
                return None;
            }
            few[count] = match self.padding {
                Some(_) => lowered(nest, &self.pair),
                None => moved_between(nest, &self.pair),
            };
            if few[count].is_none() {
                return None;
            }
            count += 1;
        }
        Some(few)
    }

    /// Whether the plan moves a box row by row, since it has no plan of the box and making one takes longer.
    pub(super) fn moves_row_by_row(&self, nest: &Nest) -> bool {
        let are_planned = match self.moves {
            Moves::Unknown => false,
            Moves::Static => !self.has_more_boxes(Moves::CAPACITY),
            #[cfg(not(target_os = "none"))]
            Moves::Boxes(_) | Moves::Swizzled(..) => true,
        };
        !are_planned && is_moved_by_rows(nest, self.pair.source().element())
    }

    /// Whether there are more than `count` boxes.
    fn has_more_boxes(&self, count: usize) -> bool {
        let mut boxes = Boxes::new(&self.pair, None);
        (0..=count).all(|_| boxes.next().is_some())
    }

    /// Returns the source layout.
    pub const fn source(&self) -> &Layout {
        self.pair.source()
    }

    /// Returns the destination layout.
    pub const fn destination(&self) -> &Layout {
        self.pair.destination()
    }

    /// Returns an error unless the plan moves units of `given` bytes.
    #[inline]
    pub(super) const fn check_unit(&self, given: usize) -> Result<(), LayoutError> {
        let needed = self.unit;
        if given == needed { Ok(()) } else { Err(LayoutError(Rule::UnitSize { needed, given })) }
    }

    /// Returns an error unless the buffers have the lengths of the layouts, in units.
    #[inline]
    pub const fn check_lengths(
        &self,
        source: usize,
        destination: usize,
    ) -> Result<(), LayoutError> {
        self.lengths.check(source, destination)
    }
}

/// Prints the two layouts, then for each box the kernel and the loops around it. `{:#}` adds the tile of registers or
/// the tables of the kernel, and where stores go.
///
/// ```text
/// NCHW<1, 64, 56, 56>, f16 -> NHWC<N = 1, C = 64, H = 56, W = 56>, f16: 401408 bytes
///   transpose 64 rows by 3136 columns of 2 bytes (AVX2)
/// ```
impl fmt::Display for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_moved(formatter, self.pair.source(), self.pair.destination())?;
        if let Some((swizzled, of)) = self.swizzled_box() {
            write!(formatter, "\n  {swizzled}")?;
            return of.map_or(Ok(()), |of| write_move(formatter, &of, Stores::Auto));
        }
        let Some(few) = self.few_moves() else {
            return formatter.write_str(match self.pair.is_swizzled() {
                true if self.has_more_boxes(1) => "\n  several boxes between swizzles",
                true => "\n  element by element, between swizzles",
                false if self.has_more_boxes(Moves::CAPACITY) => "\n  more than four boxes",
                false => "\n  element by element, in more loops than a kernel has",
            });
        };
        let mut boxes = Boxes::new(&self.pair, None);
        few.iter().flatten().try_for_each(|of| match boxes.next() {
            Some(nest) if self.moves_row_by_row(nest) => formatter.write_str("\n  row by row"),
            _ => write_move(formatter, of, self.stores),
        })
    }
}

/// Writes a line that says how a box is moved. Not inlined, since two plans do not fit the stack of a board.
#[inline(never)]
fn write_move(formatter: &mut fmt::Formatter<'_>, of: &Move, stores: Stores) -> fmt::Result {
    match layout_kernels::Plan::new(of) {
        Ok(mut plan) => {
            plan.set_stores(stores);
            match formatter.alternate() {
                true => write!(formatter, "\n  {plan:#}"),
                false => write!(formatter, "\n  {plan}"),
            }
        }
        Err(_) => formatter.write_str("\n  element by element"),
    }
}

/// Writes the two layouts and the number of bytes that are moved.
pub(crate) fn write_moved(
    formatter: &mut fmt::Formatter<'_>,
    source: &Layout,
    destination: &Layout,
) -> fmt::Result {
    let bytes = destination.moved_bytes();
    let s = if bytes == 1 { "" } else { "s" };
    write!(formatter, "{source} -> {destination}: {bytes} byte{s}")
}
