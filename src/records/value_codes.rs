//! Codes of at most 8 bits, and the numbers that they stand for.

use super::quantizer::{GroupScale, Quantizer};
use super::value_form::{ValueForm, number_of};
use super::value_side::StoredField;

/// The numbers that codes stand for.
#[derive(Clone, Debug)]
pub(super) struct CodeMap {
    numbers: [f32; 256],
    bits: usize,
    /// Whether the number is the code, signed if the flag is set, less a constant.
    line: Option<(bool, i32)>,
    low: f32,
    high: f32,
}

impl CodeMap {
    /// The map of a form, or `None` if the values are those of a field. The error is a code of too many bits.
    pub(super) fn of(form: &ValueForm, fields: &[StoredField]) -> Result<Option<Self>, ()> {
        let is_alone = form.codes.len() == 1
            && form.table.is_none()
            && form.zero == 0
            && form.zeros.is_none()
            && form.scale.is_none()
            && form.minimum.is_none();
        if is_alone {
            return Ok(None);
        }
        let bits = form.codes.iter().map(|&(field, shift)| fields[field].bits + shift as usize);
        let bits = bits.max().unwrap_or(0);
        if bits > 8 || form.table.is_some() && bits > 4 {
            return Err(());
        }
        let element = match form.codes[..] {
            [(field, 0)] => Some(fields[field].element()),
            _ => None,
        };
        let range = element.map_or(Some((0, 0)), |element| element.integer_range());
        let line = range.filter(|_| form.table.is_none()).map(|range| (range.0 < 0, form.zero));
        let mut numbers = [0.0; 256];
        for (code, number) in numbers.iter_mut().enumerate().take(1 << bits) {
            let plain = match (form.table, element) {
                (Some(table), _) => table[code],
                (None, Some(element)) => number_of(element, bits, code as u8),
                (None, None) => code as f32,
            };
            *number = plain - form.zero as f32;
        }
        let own = &numbers[..1 << bits];
        let low = own.iter().copied().fold(f32::INFINITY, f32::min);
        let high = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Ok(Some(Self { numbers, bits, line, low, high }))
    }

    pub(super) const fn bits(&self) -> usize {
        self.bits
    }

    /// Whether codes count numbers one apart.
    pub(super) const fn is_linear(&self) -> bool {
        self.line.is_some()
    }

    /// The least and the largest number.
    pub(super) const fn range(&self) -> (f32, f32) {
        (self.low, self.high)
    }

    /// The values of codes that share a scale, a zero and a minimum.
    #[inline(always)]
    pub(super) fn decode(&self, codes: &[u8], values: &mut [f32], group: [Option<f32>; 3]) {
        // The sum with -0 is the same number, of either sign.
        let [scale, zero, minimum] = group;
        let (scale, zero) = (scale.unwrap_or(1.0), zero.unwrap_or(0.0));
        let minimum = minimum.unwrap_or(-0.0);
        let value = |number: f32| (number - zero) * scale + minimum;
        let both = values.iter_mut().zip(codes);
        match self.line {
            Some((false, from)) => {
                both.for_each(|(v, &code)| *v = value((i32::from(code) - from) as f32))
            }
            Some((true, from)) => {
                let above = 8 - self.bits;
                both.for_each(|(v, &code)| {
                    let code = i32::from((code << above) as i8 >> above);
                    *v = value((code - from) as f32);
                });
            }
            None => both.for_each(|(v, &code)| *v = value(self.numbers[usize::from(code)])),
        }
    }

    /// The codes of values that share a scale.
    #[inline(always)]
    pub(super) fn encode(
        &self,
        values: &[f32],
        codes: &mut [u8],
        quantizer: Quantizer,
        group: GroupScale,
    ) {
        let zero = self.line.map_or(0, |line| line.1);
        let mask = (u16::MAX >> (16 - self.bits)) as u8;
        for (code, &value) in codes.iter_mut().zip(values) {
            let number = quantizer.code(value, group, self.range());
            *code = (number as i32 + zero) as u8 & mask;
        }
    }

    /// The bits of a code that a field holds.
    pub(super) const fn part(&self, code: u8, shift: u32, bits: usize) -> u8 {
        code >> shift & (u16::MAX >> (16 - bits)) as u8
    }
}
