//! Codes of at most 8 bits, and the numbers that they stand for.

use alloc::vec::Vec;

use layout_kernels::CodeNumbers;
use layout_types::ElementType;
use layout_types::spec::Kind;

use super::quantizer::{GroupScale, Quantizer, Rounding, fitted};
use super::quantizer_search::search;
use super::rule_form::{GroupValue, ValueForm, number_of};
use super::scale_groups::{GroupTile, RunElements};
use super::side::StoredField;

/// Half-way between the magnitudes of `f4e2m1`.
const MAGNITUDES: [f32; 7] = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0];

/// Computes elements from others at the same places, some at a time: all are computed before one is written, since the
/// compiler does not know that they are not the same.
#[inline(always)]
fn each<A: Copy, B: Copy + Default>(from: &[A], to: &mut [B], of: impl Fn(A) -> B) {
    const PART: usize = 16;
    let count = from.len().min(to.len());
    let whole = count - count % PART;
    for i in (0..whole).step_by(PART) {
        let (Ok(own), mut new) = (<[A; PART]>::try_from(&from[i..i + PART]), [B::default(); PART])
        else {
            return;
        };
        for (own, new) in own.into_iter().zip(&mut new) {
            *new = of(own);
        }
        to[i..i + PART].copy_from_slice(&new);
    }
    for i in whole..count {
        to[i] = of(from[i]);
    }
}

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
    /// The type of codes that are floats, and what is subtracted from these.
    float: Option<(ElementType, f32)>,
    /// The power of two that the scale of a code is times its field.
    by: f32,
    /// The types of scales and of minima that are floats of at most 8 bits.
    small: [Option<Kind>; 2],
    /// The codes in the order of their numbers, and between each two the number up to which the lower one is nearer.
    order: [u8; 16],
    is_sorted: bool,
    steps: [f32; 15],
}

impl CodeMap {
    /// The map of a form, or `None` if the values are those of a field. The error is a code of too many bits.
    pub(super) fn of(form: &ValueForm, fields: &[StoredField]) -> Result<Option<Self>, ()> {
        let is_one = form.codes.len() == 1 && form.codes[0].1 == 0;
        // Bits that are joined or shifted are those of unsigned integers.
        let is_unsigned = |field: usize| {
            fields[field].element().integer_range().is_some_and(|range| range.0 >= 0)
        };
        if !is_one && !form.codes.iter().all(|code| is_unsigned(code.0)) {
            return Err(());
        }
        let is_alone = is_one
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
        let own = numbers[..1 << bits].iter().copied().filter(|number| number.is_finite());
        let low = own.clone().fold(f32::INFINITY, f32::min);
        let high = own.fold(f32::NEG_INFINITY, f32::max);
        let float = element.filter(|own| line.is_none() && form.table.is_none() && own.bits() <= 8);
        let float = float.map(|own| (own, form.zero as f32));
        let mut order: [u8; 16] = core::array::from_fn(|i| i as u8);
        if bits <= 4 {
            order.sort_by(|a, b| numbers[usize::from(*a)].total_cmp(&numbers[usize::from(*b)]));
        }
        let own = |i: usize| numbers[usize::from(order[i])];
        let steps = core::array::from_fn(|i| (own(i) + own(i + 1)) / 2.0);
        let is_sorted = order.is_sorted();
        let table = core::array::from_fn(|i| numbers[i]);
        let small = [form.scale.as_ref(), form.minimum.as_ref()].map(|value| {
            let field = &fields[value?.multiple()?.0];
            (field.is_float() && field.bits <= 8).then(|| field.element().kind())
        });
        let by = form.scale.as_ref().and_then(GroupValue::multiple).map_or(1.0, |own| own.1);
        Ok(Some(Self { table, bits, line, low, high, float, by, small, order, is_sorted, steps }))
    }

    pub(super) const fn bits(&self) -> usize {
        self.bits
    }

    /// Whether codes count numbers one apart.
    pub(super) const fn is_linear(&self) -> bool {
        self.line.is_some()
    }

    /// Whether codes stand for the numbers of a table.
    pub(super) const fn is_table(&self) -> bool {
        self.line.is_none() && self.float.is_none()
    }

    /// The type of codes that are floats, and what is subtracted from these.
    pub(super) const fn float(&self) -> Option<(ElementType, f32)> {
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

    /// The power of two that the scale of a code is times its field.
    pub(super) const fn factor(&self) -> f32 {
        self.by
    }

    /// The least and the largest number.
    pub(super) const fn range(&self) -> (f32, f32) {
        (self.low, self.high)
    }

    /// What codes stand for, if they are integers or have at most 4 bits.
    pub(super) fn numbers(&self) -> Option<CodeNumbers<'_>> {
        match self.line {
            Some((is_signed, zero)) => Some(CodeNumbers::Integers(is_signed, zero)),
            None => (self.bits <= 4).then_some(CodeNumbers::Table(&self.table)),
        }
    }

    /// The values of floats of more than 4 bits, which are there as they are. Groups have scales, and maybe zeros, which no
    /// constant accompanies, and minima.
    pub(super) fn scale(
        &self,
        group: usize,
        [scales, zeros, minima]: [&[f32]; 3],
        values: &mut [f32],
    ) {
        let less = self.float.map_or(0.0, |own| own.1);
        for (run, values) in values.chunks_mut(group).enumerate() {
            let (scale, zero) = (scales[run], zeros.get(run).copied().unwrap_or(less));
            // A sum with this zero is the other number.
            let low = minima.get(run).copied().unwrap_or(-0.0);
            values.iter_mut().for_each(|own| *own = (*own - zero) * scale + low);
        }
    }

    /// Computes scales, zeros, minima and inverse scales of the groups of a tile.
    #[inline(always)]
    pub(super) fn groups(
        &self,
        tile: &GroupTile,
        quantizer: Quantizer,
        values: &[f32],
        shared: [Option<&RunElements>; 3],
        lists: &mut [Vec<f32>; 4],
    ) {
        lists.iter_mut().for_each(|list| list.resize(tile.count(), 0.0));
        // The scale that is stored, and the inverse of that times the factor.
        let range = (self.low * self.by, self.high * self.by);
        if matches!(quantizer, Quantizer::Fitted) && self.is_linear() {
            return search(values, tile.run(), range, lists);
        }
        quantizer.groups(values, tile.run(), [range, self.codes()], self.small, shared, lists);
        if self.by != 1.0 {
            lists[3].iter_mut().for_each(|own| *own /= self.by);
            lists[3].iter_mut().filter(|own| own.is_infinite()).for_each(|own| *own = 0.0);
        }
    }

    /// Computes the codes of values of groups.
    #[inline(always)]
    pub(super) fn encode(
        &self,
        run: usize,
        quantizer: Quantizer,
        values: &[f32],
        lists: &mut [Vec<f32>; 4],
        codes: &mut [u8],
    ) {
        let both = values.chunks_exact(run).zip(codes.chunks_exact_mut(run));
        let [scales, zeros, minima, inverses] = &*lists;
        let groups = scales.iter().zip(inverses).zip(minima).zip(zeros);
        let groups = groups.map(|(((scale, inverse), minimum), zero)| GroupScale {
            scale: *scale * self.by,
            inverse: *inverse,
            minimum: *minimum,
            zero: *zero,
        });
        let all = both.zip(groups);
        if self.line.is_some() {
            return self.encode_integers(quantizer.rounding(), all);
        }
        match self.float {
            Some(_) if quantizer.is_exact() => {
                for ((values, codes), group) in all {
                    magnitudes(values, codes, group.scale);
                }
            }
            Some((element, less)) => {
                let ((low, high), kind) = (self.range(), element.kind());
                for ((values, codes), group) in all {
                    each(values, codes, |value| {
                        let scaled = value * group.inverse;
                        let scaled = if scaled > high { high } else { scaled };
                        let scaled = if scaled < low { low } else { scaled };
                        let scaled = if scaled.is_nan() { 0.0 } else { scaled };
                        kind.nearest_small_float(if less == 0.0 { scaled } else { scaled + less })
                    });
                }
            }
            None => {
                let fits = matches!(quantizer, Quantizer::Fitted);
                self.encode_table(fits, all);
                if !self.is_sorted {
                    codes.iter_mut().for_each(|own| *own = self.order[usize::from(*own & 15)]);
                }
                if fits {
                    self.fit(run, values, codes, lists);
                }
            }
        }
    }

    /// Computes the scales that fit the codes of values best.
    #[inline(always)]
    fn fit(&self, run: usize, values: &[f32], codes: &[u8], lists: &mut [Vec<f32>; 4]) {
        let [scales, _, _, inverses] = lists;
        let groups = values.chunks_exact(run).zip(codes.chunks_exact(run));
        for ((values, codes), (scale, inverse)) in groups.zip(scales.iter_mut().zip(inverses)) {
            if *inverse != 0.0 {
                *scale = fitted(values, codes, &self.table);
            }
        }
    }

    /// The places of the nearest numbers of a table in their order, the higher one of two equally near ones if the flag is
    /// set.
    #[inline(always)]
    fn encode_table<'a>(
        &self,
        is_up: bool,
        all: impl Iterator<Item = ((&'a [f32], &'a mut [u8]), GroupScale)>,
    ) {
        // The signs of differences are counted, which takes less than to compare: a value counts the
        // steps above it, or those below it.
        let (sign, flip) = if is_up { (1.0f32, 15) } else { (-1.0, 0) };
        let steps = self.steps.map(|step| sign * step);
        for ((values, codes), group) in all {
            let inverse = sign * group.inverse;
            each(values, codes, |value| {
                let scaled = value * inverse;
                // -0 becomes 0: -0 less 0 has a sign.
                let scaled = if scaled.is_nan() { 0.0 } else { scaled + 0.0 };
                let count = |all: u32, step: f32| all + ((scaled - step).to_bits() >> 31);
                (steps.into_iter().fold(0, count) ^ flip) as u8
            });
        }
    }

    /// The codes of values that become integers, for each group.
    #[inline(always)]
    fn encode_integers<'a>(
        &self,
        rounding: Rounding,
        all: impl Iterator<Item = ((&'a [f32], &'a mut [u8]), GroupScale)>,
    ) {
        let zero = self.line.map_or(0, |line| line.1);
        let (range, mask) = (self.range(), u8::MAX >> (8 - self.bits));
        macro_rules! round {
            ($($rounding:ident)*) => {
                // Each in loops of its own, in which it is a constant.
                match rounding {
                    $(Rounding::$rounding => {
                        for ((values, codes), group) in all {
                            let integer = Rounding::$rounding.integers(group, range);
                            each(values, codes, |value| (integer(value) + zero) as u8 & mask);
                        }
                    })*
                }
            };
        }
        round!(Away Up Even Divided);
    }
}

/// The codes of `f4e2m1` that are nearest to values over a scale: a magnitude, which is the lower half of a code, and a
/// sign.
#[inline(always)]
fn magnitudes(values: &[f32], codes: &mut [u8], scale: f32) {
    // Nothing is above a step of a group without a scale.
    let steps = MAGNITUDES.map(|step| if scale > 0.0 { step * scale } else { f32::INFINITY });
    each(values, codes, |value| {
        let size = value.abs();
        let nearest = steps.iter().fold(0, |own, step| own + i32::from(size > *step));
        (nearest | (i32::from(nearest > 0) & i32::from(value < 0.0)) << 3) as u8
    });
}
