//! Divisibility as a bound, so that a generic function fails at its call and under `cargo check`.

use core::ops::Rem;

use typenum::generic_const_mappings::U;
use typenum::{Const, ToUInt, UTerm};

use super::markers::Extent;

/// An extent that is a multiple of `BLOCK`.
///
/// Const evaluation finds a wrong extent in a generic function only at the end of a build; as a
/// bound it is found where the function is called, and by `cargo check`:
///
/// ```
/// use layout_types::typed::{Extent, MultipleOf};
///
/// fn pack<const C: usize>()
/// where
///     Extent<'C', C>: MultipleOf<4>,
/// {
/// }
///
/// pack::<64>();
/// ```
///
/// typenum divides, so extents and blocks are those it knows: 0 to 1024, and powers of two.
pub trait MultipleOf<const BLOCK: usize> {}

/// The remainder of `EXTENT` by `BLOCK` is nothing.
#[diagnostic::on_unimplemented(
    message = "axis {LETTER} has extent {EXTENT}, which is not a multiple of its block {BLOCK}",
    label = "extent {EXTENT} is not a multiple of {BLOCK}",
    note = "call it with a multiple of {BLOCK}, or pad the axis to one"
)]
pub trait NoRemainder<const LETTER: char, const EXTENT: usize, const BLOCK: usize> {}

impl<const LETTER: char, const EXTENT: usize, const BLOCK: usize>
    NoRemainder<LETTER, EXTENT, BLOCK> for UTerm
{
}

impl<const LETTER: char, const EXTENT: usize, const BLOCK: usize> MultipleOf<BLOCK>
    for Extent<LETTER, EXTENT>
where
    Const<EXTENT>: ToUInt,
    Const<BLOCK>: ToUInt,
    U<EXTENT>: Rem<U<BLOCK>>,
    <U<EXTENT> as Rem<U<BLOCK>>>::Output: NoRemainder<LETTER, EXTENT, BLOCK>,
{
}
