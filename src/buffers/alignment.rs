//! What a layout requires of a buffer: a length in units, and an alignment of its start.

use layout_types::nests::Pair;
use layout_types::spec::{LayoutError, Rule, broken};
use layout_types::{Layout, LayoutType, StaticLayout, ok};

/// Length in units and alignment in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    units: usize,
    /// The units up to the last element, without padding after it.
    last: usize,
    /// The alignment that the element type gives every buffer.
    natural: usize,
    align: usize,
}

impl Needs {
    const fn of_layout(layout: &Layout) -> Self {
        let (units, natural) = (layout.units(), layout.element().align());
        let last = match layout.element().bits() {
            bits @ 0..8 => layout.span() / 8 * bits + (layout.span() % 8 * bits).div_ceil(8),
            _ => layout.span(),
        };
        Self { units, last, natural, align: layout.align() }
    }

    /// For static layouts this is a constant, so that an alignment that elements have anyway costs nothing.
    #[inline(always)]
    pub(crate) fn of<L: LayoutType>(layout: &L) -> Self {
        let known = const {
            match L::STATIC {
                Some(layout) => Some(Self::of_layout(&layout)),
                None => None,
            }
        };
        match known {
            Some(needs) => needs,
            None => Self::of_layout(&layout.layout()),
        }
    }

    /// Returns an error unless `units`, borrowed from `holder`, have this length and alignment.
    #[inline(always)]
    pub(crate) fn check<B, U>(self, holder: &B, units: &[U]) -> Result<(), LayoutError> {
        if units.len() != self.units {
            return Err(self.wrong_length(units.len()));
        }
        if self.align <= self.natural { Ok(()) } else { self.check_start(holder, units) }
    }

    /// The error of a buffer of another length, which may lack only the padding after the last element.
    #[cold]
    #[inline(never)]
    fn wrong_length(self, given: usize) -> LayoutError {
        let needed = self.units;
        match self.align > self.natural && (self.last..needed).contains(&given) {
            true => LayoutError(Rule::BufferTail { needed, given }),
            false => wrong_length("buffer", needed, given),
        }
    }

    /// If the units lie inside the holder, their address changes when the holder moves, so the alignment of its type
    /// counts.
    fn check_start<B, U>(self, holder: &B, units: &[U]) -> Result<(), LayoutError> {
        let needed = self.align;
        let address = units.as_ptr().addr();
        let inside = address.wrapping_sub(core::ptr::from_ref(holder).addr());
        if units.is_empty() {
            Ok(())
        } else if inside < size_of::<B>() {
            let given = align_of::<B>() | inside;
            match 1 << given.trailing_zeros() {
                given if given < needed => {
                    Err(LayoutError(Rule::HolderAlignment { given, needed }))
                }
                _ => Ok(()),
            }
        } else {
            match address % needed {
                0 => Ok(()),
                _ => Err(LayoutError(Rule::BufferAlignment { address: address as u64, needed })),
            }
        }
    }
}

/// Returns an error unless a buffer of `units` units meets the layout's needs at every address that its type allows.
/// The type aligns it to `given` bytes, and it may move with its tensor.
pub(crate) const fn check_promised<L: StaticLayout>(
    units: usize,
    given: usize,
    moves: bool,
) -> Result<(), LayoutError> {
    let Needs { units: length, natural, align: needed, .. } = Needs::of_layout(&L::LAYOUT);
    layout_types::ok!(check_length("buffer", length, units));
    if needed <= natural || needed <= given {
        Ok(())
    } else if moves {
        Err(LayoutError(Rule::HolderAlignment { given, needed }))
    } else {
        Err(LayoutError(Rule::PromisedAlignment { given, needed }))
    }
}

/// Returns an error unless every buffer of one layout has the alignment of the other.
pub(crate) const fn check_promised_alignment(
    given: &Layout,
    needed: &Layout,
) -> Result<(), LayoutError> {
    let (given, needed) = (given.align(), needed.align());
    if needed <= given {
        Ok(())
    } else {
        Err(LayoutError(Rule::PromisedAlignment { given, needed }))
    }
}

/// The lengths of two buffers in units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) source: usize,
    pub(crate) destination: usize,
}

impl Lengths {
    /// Returns the lengths of the layouts of a pair.
    pub(crate) const fn of(pair: &Pair) -> Self {
        Self { source: pair.source().units(), destination: pair.destination().units() }
    }

    /// Returns an error unless the buffers have these lengths.
    #[inline]
    pub(crate) const fn check(self, source: usize, destination: usize) -> Result<(), LayoutError> {
        ok!(check_length("source", self.source, source));
        check_length("destination", self.destination, destination)
    }

    /// Panics unless the buffers have these lengths.
    #[inline]
    #[track_caller]
    pub(crate) fn expect(self, source: usize, destination: usize) {
        if source != self.source {
            refuse_length("source", self.source, source)
        }
        if destination != self.destination {
            refuse_length("destination", self.destination, destination)
        }
    }
}

/// Returns an error unless a buffer has the length of its layout, in units.
#[inline]
pub(crate) const fn check_length(
    buffer: &'static str,
    needed: usize,
    given: usize,
) -> Result<(), LayoutError> {
    if given == needed { Ok(()) } else { Err(wrong_length(buffer, needed, given)) }
}

/// Returns the error of a buffer whose length differs from that of its layout.
#[cold]
pub(crate) const fn wrong_length(buffer: &'static str, needed: usize, given: usize) -> LayoutError {
    LayoutError(Rule::BufferLength { buffer, needed, given })
}

/// Panics because the length of a buffer differs from that of its layout, in units.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn refuse_length(buffer: &'static str, needed: usize, given: usize) -> ! {
    panic!("{}", broken::BufferLength { buffer, needed, given })
}
