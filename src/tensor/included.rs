//! Tensors whose bytes are part of the program: what `include_tensor!` expands to.

use core::marker::PhantomData;

use super::Tensor;
use layout_types::plain::Plain;
use layout_types::{StaticLayout, UnitOf};

/// Bytes with the alignment of the unit `U`.
#[repr(C)]
pub struct Included<U, const BYTES: usize> {
    aligned: [U; 0],
    bytes: [u8; BYTES],
}

impl<U: Plain, const BYTES: usize> Included<U, BYTES> {
    /// Wraps these bytes.
    pub const fn new(bytes: [u8; BYTES]) -> Self {
        Self { aligned: [], bytes }
    }
}

/// Returns the tensor of layout `L` in these bytes, which are in the target's byte order. A number of bytes or units
/// other than the layout's is a compile error.
pub const fn included<L: StaticLayout, const BYTES: usize, const UNITS: usize>(
    included: &'static Included<UnitOf<L>, BYTES>,
) -> Tensor<L, &'static [UnitOf<L>; UNITS]> {
    const {
        assert!(L::LAYOUT.bytes() == BYTES && L::LAYOUT.units() == UNITS);
        assert!(UNITS * size_of::<UnitOf<L>>() == BYTES);
    }
    let bytes = included.bytes.as_ptr();
    // SAFETY: the check above found that the array has the size of the units. `Included` is `repr(C)`, aligned for
    // units, and its first field is an empty array of units, so the bytes begin aligned. Units are `Plain`, so any
    // bytes are valid units.
    let buffer = unsafe { &*bytes.cast::<[UnitOf<L>; UNITS]>() };
    Tensor { layout: L::VALUE, buffer, space: PhantomData }
}
