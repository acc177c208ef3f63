//! Integers of many bits, for exact conversions of decimal floats.

/// An integer of up to 2048 bits, lowest limb first.
#[derive(Clone, Copy)]
pub(super) struct Big([u32; Self::LIMBS]);

impl Big {
    const LIMBS: usize = 64;
    pub(super) const ZERO: Self = Self([0; Self::LIMBS]);

    pub(super) const fn multiply_add(&mut self, factor: u64, addend: u32) {
        let mut carry = addend as u128;
        each!(i, 0..Self::LIMBS, {
            carry += self.0[i] as u128 * factor as u128;
            self.0[i] = carry as u32;
            carry >>= 32;
        });
    }

    pub(super) const fn shift_left(&mut self, bits: usize) {
        let (limbs, bits) = (bits / 32, bits % 32);
        each!(rev i, 0..Self::LIMBS, {
            let high = if i >= limbs { (self.0[i - limbs] as u64) << 32 } else { 0 };
            let low = if i > limbs { self.0[i - limbs - 1] as u64 } else { 0 };
            self.0[i] = ((high | low) << bits >> 32) as u32;
        });
    }

    /// Whether this is larger than `other`, or equal to it where `or_equal` is set.
    pub(super) const fn is_above(&self, other: &Self, or_equal: bool) -> bool {
        each!(rev i, 0..Self::LIMBS, {
            if self.0[i] != other.0[i] {
                return self.0[i] > other.0[i];
            }
        });
        or_equal
    }
}
