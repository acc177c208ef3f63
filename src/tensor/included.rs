//! Tensors whose bytes are part of the program: what `include_tensor!` leaves.

use core::marker::PhantomData;

use bytemuck::Pod;

use super::Tensor;
use layout_types::{StaticLayout, UnitOf};

/// The bytes of units `U`, aligned for them.
#[repr(C)]
pub struct Included<U, const BYTES: usize> {
    aligned: [U; 0],
    bytes: [u8; BYTES],
}

impl<U: Pod, const BYTES: usize> Included<U, BYTES> {
    /// These bytes.
    pub const fn new(bytes: [u8; BYTES]) -> Self {
        Self { aligned: [], bytes }
    }
}

/// The tensor of layout `L` that the bytes are, in the target's byte order. Other numbers of bytes
/// or units than the layout's are a compile error.
pub const fn included<L: StaticLayout, const BYTES: usize, const UNITS: usize>(
    included: &'static Included<UnitOf<L>, BYTES>,
) -> Tensor<L, &'static [UnitOf<L>; UNITS]> {
    const {
        assert!(L::LAYOUT.bytes() == BYTES && L::LAYOUT.units() == UNITS);
        assert!(UNITS * size_of::<UnitOf<L>>() == BYTES);
    }
    let bytes = included.bytes.as_ptr();
    // SAFETY: the array has as many bytes as the units take, as was just checked: a layout's units
    // are its bytes. It begins where `Included` does, which is aligned for units, since nothing
    // but no units lies in front of it in `repr(C)`. Any bytes are units, which are `Pod`.
    let buffer = unsafe { &*bytes.cast::<[UnitOf<L>; UNITS]>() };
    Tensor { layout: L::VALUE, buffer, space: PhantomData }
}
