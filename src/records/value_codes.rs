//! Codes of at most 8 bits, and the numbers that they stand for.

use layout_types::ElementType;

use super::quantizer::{GroupScale, Quantizer};
use super::value_form::{ValueForm, number_of};
use super::value_side::StoredField;

/// Half-way between the magnitudes of `f4e2m1`.
const MAGNITUDES: [f32; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];

/// The numbers that codes stand for.
#[derive(Clone, Debug)]
pub(super) struct CodeMap {
    numbers: [f32; 256],
    bits: usize,
    /// Whether the number is the code, signed if the flag is set, less a constant.
    line: Option<(bool, i32)>,
    low: f32,
    high: f32,
    /// The type of codes that are floats.
    float: Option<ElementType>,
    /// The codes in the order of their numbers, and between each two the number up to which the lower one is nearer.
    order: [u8; 16],
    steps: [f32; 15],
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
        let float = element.filter(|own| line.is_none() && form.table.is_none() && own.bits() <= 8);
        let mut order: [u8; 16] = core::array::from_fn(|i| i as u8);
        if bits <= 4 {
            order.sort_by(|a, b| numbers[usize::from(*a)].total_cmp(&numbers[usize::from(*b)]));
        }
        let own = |i: usize| numbers[usize::from(order[i])];
        let steps = core::array::from_fn(|i| (own(i) + own(i + 1)) / 2.0);
        Ok(Some(Self { numbers, bits, line, low, high, float, order, steps }))
    }

    pub(super) const fn bits(&self) -> usize {
        self.bits
    }

    /// Whether codes count numbers one apart.
    pub(super) const fn is_linear(&self) -> bool {
        self.line.is_some()
    }

    /// The type of codes that are floats.
    pub(super) const fn float(&self) -> Option<ElementType> {
        self.float
    }

    /// The least and the largest code of integers.
    pub(super) const fn codes(&self) -> (f32, f32) {
        let zero = match self.line {
            Some((_, zero)) => zero as f32,
            None => 0.0,
        };
        (self.low + zero, self.high + zero)
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
                for (v, &code) in both {
                    *v = value((i32::from(code) - from) as f32);
                }
            }
            Some((true, from)) => {
                let above = 8 - self.bits;
                for (v, &code) in both {
                    let code = i32::from((code << above) as i8 >> above);
                    *v = value((code - from) as f32);
                }
            }
            None => {
                for (v, &code) in both {
                    *v = value(self.numbers[usize::from(code)]);
                }
            }
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
        let mask = (u16::MAX >> (16 - self.bits)) as u8;
        let both = codes.iter_mut().zip(values);
        if let Some((_, zero)) = self.line {
            // The lowest bits of a sum with this number are those of the integer.
            let (zero, range) = (zero as f32 + (3 << 22) as f32, self.range());
            for (code, &value) in both {
                let number = quantizer.integer(value, &group, range);
                *code = (number + zero).to_bits() as u8 & mask;
            }
            return;
        }
        let is_exact = matches!(quantizer, Quantizer::MxGgml | Quantizer::Nvfp4);
        match self.float {
            // Magnitudes, each of which is the lower half of the codes.
            Some(_) if is_exact => {
                let steps = MAGNITUDES.map(|step| step * group.scale);
                for (code, &value) in both {
                    let steps = steps.iter().map(|step| u8::from(value.abs() > *step));
                    let nearest = if group.scale > 0.0 { steps.sum() } else { 0u8 };
                    *code = nearest | u8::from(nearest > 0 && value < 0.0) << 3;
                }
            }
            Some(element) => both.for_each(|(code, &value)| {
                let scaled = value * group.inverse;
                let scaled = if scaled > self.high { self.high } else { scaled };
                let scaled = if scaled < self.low { self.low } else { scaled };
                let scaled = if scaled.is_nan() { 0.0 } else { scaled };
                *code = element.kind().nearest_small_float(scaled);
            }),
            None => both.for_each(|(code, &value)| {
                let scaled = value * group.inverse;
                let scaled = if scaled.is_nan() { 0.0 } else { scaled };
                let place: u8 = self.steps.iter().map(|step| u8::from(scaled > *step)).sum();
                *code = self.order[usize::from(place & 15)];
            }),
        }
    }

    /// The bits of a code that a field holds.
    pub(super) const fn part(&self, code: u8, shift: u32, bits: usize) -> u8 {
        code >> shift & (u16::MAX >> (16 - bits)) as u8
    }
}
