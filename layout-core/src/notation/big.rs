//! Integers of many bits, for exact conversions of decimal floats.

/// An integer of up to 2048 bits, lowest limb first.
#[derive(Clone, Copy)]
pub(super) struct Big([u32; Self::LIMBS]);

impl Big {
    const LIMBS: usize = 64;
    pub(super) const ZERO: Self = Self([0; Self::LIMBS]);
    pub(super) const ONE: Self = {
        let mut one = Self::ZERO;
        one.0[0] = 1;
        one
    };

    pub(super) const fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = addend as u64;
        let mut i = 0;
        while i < Self::LIMBS {
            carry += self.0[i] as u64 * factor as u64;
            self.0[i] = carry as u32;
            carry >>= 32;
            i += 1;
        }
    }

    /// The number of bits up to the highest 1.
    pub(super) const fn bits(&self) -> usize {
        let mut i = Self::LIMBS;
        while i > 0 {
            i -= 1;
            if self.0[i] != 0 {
                return 32 * i + (32 - self.0[i].leading_zeros() as usize);
            }
        }
        0
    }

    pub(super) const fn shift_left(&mut self, bits: usize) {
        let (limbs, bits) = (bits / 32, bits % 32);
        let mut i = Self::LIMBS;
        while i > 0 {
            i -= 1;
            let high = if i >= limbs { (self.0[i - limbs] as u64) << 32 } else { 0 };
            let low = if i > limbs { self.0[i - limbs - 1] as u64 } else { 0 };
            self.0[i] = ((high | low) << bits >> 32) as u32;
        }
    }

    pub(super) const fn shift_right_once(&mut self) {
        let mut i = 0;
        while i < Self::LIMBS {
            let high = if i + 1 < Self::LIMBS { self.0[i + 1] } else { 0 };
            self.0[i] = self.0[i] >> 1 | high << 31;
            i += 1;
        }
    }

    pub(super) const fn is_less_than(&self, other: &Self) -> bool {
        let mut i = Self::LIMBS;
        while i > 0 {
            i -= 1;
            if self.0[i] != other.0[i] {
                return self.0[i] < other.0[i];
            }
        }
        false
    }

    pub(super) const fn subtract(&mut self, other: &Self) {
        let mut borrow = 0i64;
        let mut i = 0;
        while i < Self::LIMBS {
            let difference = self.0[i] as i64 - other.0[i] as i64 - borrow;
            self.0[i] = difference as u32;
            borrow = (difference < 0) as i64;
            i += 1;
        }
    }

    /// The quotient, which must be below 2^64, and whether there is no remainder.
    pub(super) const fn divided_by(mut self, below: &Self) -> (u64, bool) {
        let mut quotient = 0;
        let mut bit = self.bits().saturating_sub(below.bits());
        let mut divisor = *below;
        divisor.shift_left(bit);
        loop {
            quotient <<= 1;
            if !self.is_less_than(&divisor) {
                self.subtract(&divisor);
                quotient |= 1;
            }
            if bit == 0 {
                return (quotient, self.bits() == 0);
            }
            divisor.shift_right_once();
            bit -= 1;
        }
    }
}
