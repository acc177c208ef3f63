//! Codes of at most 8 bits, and the numbers that they stand for.

use alloc::vec::Vec;

use layout_kernels::look_up;
use layout_types::ElementType;

use super::quantizer::{GroupScale, Quantizer};
use super::value_form::{ValueForm, number_of};
use super::value_groups::GroupTile;
use super::value_side::StoredField;

/// Half-way between the magnitudes of `f4e2m1`.
const MAGNITUDES: [f32; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];

/// Calls a function with the length of a tile's runs as a constant, where it is usual, or 0.
macro_rules! with_run {
    ($tile:expr, $call:ident($($argument:expr),*)) => {
        match $tile.run() {
            16 => $call::<16>($($argument),*),
            32 => $call::<32>($($argument),*),
            _ => $call::<0>($($argument),*),
        }
    };
}
pub(super) use with_run;

/// The numbers that codes stand for.
#[derive(Clone, Debug)]
pub(super) struct CodeMap {
    /// The numbers of codes of at most 4 bits.
    table: [f32; 16],
    bits: usize,
    /// Whether the number is the code, signed if the flag is set, less a constant.
    line: Option<(bool, i32)>,
    low: f32,
    high: f32,
    /// The type of codes that are floats.
    float: Option<ElementType>,
    /// The codes in the order of their numbers, and between each two the number up to which the lower one is nearer.
    order: [u8; 16],
    is_sorted: bool,
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
        let is_sorted = order.is_sorted();
        let table = core::array::from_fn(|i| numbers[i]);
        Ok(Some(Self { table, bits, line, low, high, float, order, is_sorted, steps }))
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

    /// The values of the codes of a tile, whose groups have scales, zeros and minima.
    #[inline(always)]
    pub(super) fn decode(
        &self,
        tile: &GroupTile,
        codes: &[u8],
        groups: &[Vec<f32>; 3],
        values: &mut [f32],
    ) {
        let Some((is_signed, zero)) = self.line else {
            match self.float {
                Some(float) if self.bits > 4 => {
                    let both = values.iter_mut().zip(codes);
                    both.for_each(|(own, &code)| *own = float.kind().small_float(code));
                }
                _ => look_up(&self.table, codes, values),
            }
            return with_run!(tile, each_value(tile, groups, codes, values, |own, _| own));
        };
        // The code with its sign flipped is the signed number plus this one.
        let sign = if is_signed { 1 << (self.bits - 1) } else { 0 };
        let from = i32::from(sign) + zero;
        let number = |_, code| (i32::from(code ^ sign) - from) as f32;
        with_run!(tile, each_value(tile, groups, codes, values, number));
    }

    /// The codes of the values of a tile whose groups have one scale each.
    #[inline(always)]
    pub(super) fn encode(
        &self,
        values: &[f32],
        codes: &mut [u8],
        quantizer: Quantizer,
        group: GroupScale,
    ) {
        let both = codes.iter_mut().zip(values);
        if let Some((_, zero)) = self.line {
            let mask = (u16::MAX >> (16 - self.bits)) as u8;
            let integer = quantizer.integers(&group, self.range());
            both.for_each(|(code, &value)| *code = (integer(value) + zero) as u8 & mask);
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
            None => {
                for (code, &value) in both {
                    let scaled = value * group.inverse;
                    let scaled = if scaled.is_nan() { 0.0 } else { scaled };
                    *code = self.steps.iter().map(|step| u8::from(scaled > *step)).sum();
                }
                if !self.is_sorted {
                    codes.iter_mut().for_each(|own| *own = self.order[usize::from(*own & 15)]);
                }
            }
        }
    }
}

/// Computes the value of each code from its number, which follows from the value that is there or from the code.
#[inline(always)]
fn each_value<const RUN: usize>(
    tile: &GroupTile,
    [scales, zeros, minima]: &[Vec<f32>; 3],
    codes: &[u8],
    values: &mut [f32],
    number: impl Fn(f32, u8) -> f32,
) {
    let run = if RUN > 0 { RUN } else { tile.run().max(1) };
    let runs = values.chunks_exact_mut(run).zip(codes.chunks_exact(run)).zip(tile.groups());
    macro_rules! each {
        (|$group:ident, $number:ident| $value:expr $(, $name:ident: $list:expr)*) => {
            for ((values, codes), &$group) in runs {
                $(let $name = $list[$group as usize];)*
                for (own, &code) in values.iter_mut().zip(codes) {
                    let $number = number(*own, code);
                    *own = $value;
                }
            }
        };
    }
    match (&zeros[..], &minima[..]) {
        ([], []) => each!(|group, number| number * scale, scale: scales),
        ([], _) => each!(|group, number| number * scale + minimum, scale: scales, minimum: minima),
        (_, []) => each!(|group, number| (number - zero) * scale, scale: scales, zero: zeros),
        _ => each!(
            |group, number| (number - zero) * scale + minimum,
            scale: scales, zero: zeros, minimum: minima
        ),
    }
}
