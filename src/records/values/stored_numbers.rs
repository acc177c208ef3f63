//! The numbers of elements, and elements of numbers, out of their buffer.

use layout_types::ElementType;
use layout_types::spec::Kind;
use layout_types::spec::half_floats::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};

use super::side::StoredField;

impl StoredField {
    /// The values of elements out of their buffer.
    #[inline(always)]
    pub(super) fn decode(&self, held: &[u8], values: &mut [f32]) {
        let element = self.element();
        if self.bits <= 8 {
            // Loops, since closures may not be inlined into functions of an instruction set.
            macro_rules! each {
                (|$code:ident| $value:expr) => {
                    for (own, &$code) in values.iter_mut().zip(held) {
                        *own = $value;
                    }
                };
            }
            let (kind, above) = (element.kind(), 8 - self.bits);
            match (element.integer_range(), kind) {
                (Some((low, _)), _) if low < 0 => {
                    each!(|code| f32::from((code << above) as i8 >> above));
                }
                (Some((_, most)), _) => each!(|code| f32::from(code.min(most as u8))),
                // With a constant, vectors compute it.
                (None, Kind::Scale) => each!(|code| Kind::Scale.small_float(code)),
                (None, kind) => each!(|code| kind.small_float(code)),
            }
            return;
        }
        match element {
            ElementType::F16 => self.each(held, values, |b| f16_to_f32(u16::from_le_bytes(b))),
            ElementType::BF16 => self.each(held, values, |b| bf16_to_f32(u16::from_le_bytes(b))),
            ElementType::F32 => self.each(held, values, f32::from_le_bytes),
            ElementType::F64 => self.each(held, values, |b| f64::from_le_bytes(b) as f32),
            _ => {
                let is_signed = self.is_signed();
                for (value, own) in values.iter_mut().zip(held.chunks_exact(self.held())) {
                    let mut bits = [0; 8];
                    bits[..own.len()].copy_from_slice(own);
                    if self.is_native && cfg!(target_endian = "big") {
                        bits[..own.len()].reverse();
                    }
                    let above = 64 - self.bits;
                    let bits = u64::from_le_bytes(bits) << above;
                    *value = match is_signed {
                        true => (bits as i64 >> above) as f32,
                        false => (bits >> above) as f32,
                    };
                }
            }
        }
    }

    #[inline(always)]
    fn each<const BYTES: usize>(
        &self,
        held: &[u8],
        values: &mut [f32],
        of: impl Fn([u8; BYTES]) -> f32,
    ) {
        let turns = self.is_native && cfg!(target_endian = "big");
        for (value, own) in values.iter_mut().zip(held.chunks_exact(BYTES)) {
            let mut bytes = [0; BYTES];
            bytes.copy_from_slice(own);
            if turns {
                bytes.reverse();
            }
            *value = of(bytes);
        }
    }

    /// The elements that are nearest to values, out of their buffer.
    #[inline(always)]
    pub(super) fn encode(&self, values: &[f32], held: &mut [u8]) {
        match self.element() {
            ElementType::F16 => self.put(values, held, |v| f16_from_f32(v).to_le_bytes()),
            ElementType::BF16 => self.put(values, held, |v| bf16_from_f32(v).to_le_bytes()),
            ElementType::F32 => self.put(values, held, f32::to_le_bytes),
            ElementType::F64 => self.put(values, held, |v| f64::from(v).to_le_bytes()),
            element if element.integer_range().is_some() => {
                self.put_integers(values.iter().map(|value| *value as i64), held);
            }
            element => {
                let kind = element.kind();
                for (value, own) in values.iter().zip(held) {
                    *own = kind.nearest_small_float(*value);
                }
            }
        }
    }

    /// The elements that integers are, out of their buffer.
    #[inline(always)]
    pub(super) fn put_integers(&self, values: impl Iterator<Item = i64>, held: &mut [u8]) {
        for (value, own) in values.zip(held.chunks_exact_mut(self.held())) {
            own.copy_from_slice(&value.to_le_bytes()[..own.len()]);
            if self.is_native && cfg!(target_endian = "big") {
                own.reverse();
            }
            own[0] &= (u16::MAX >> (16 - self.bits.min(8))) as u8;
        }
    }

    #[inline(always)]
    fn put<const BYTES: usize>(
        &self,
        values: &[f32],
        held: &mut [u8],
        of: impl Fn(f32) -> [u8; BYTES],
    ) {
        let turns = self.is_native && cfg!(target_endian = "big");
        for (value, own) in values.iter().zip(held.chunks_exact_mut(BYTES)) {
            let mut bytes = of(*value);
            if turns {
                bytes.reverse();
            }
            own.copy_from_slice(&bytes);
        }
    }
}
