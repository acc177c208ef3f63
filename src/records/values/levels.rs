//! Scales of two levels: a float that several groups share, times a small number of each.

use alloc::vec::Vec;

use layout_kernels::{Work, larger};
use layout_types::spec::Kind;

use super::quantizer::{COUNTS_AS_ZERO, greater, half_even};
use super::rule_form::{GroupPart, GroupValue};
use super::scale_groups::{GroupTile, RunElements};
use super::side::StoredField;

/// The numbers of groups that have one float, if some are multiplied at a time: a multiple of these.
pub(super) const PART: usize = 8;

/// What a scale or a minimum of two levels is.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// The field that several groups share.
    pub(super) float: usize,
    /// The fields of the number of a group, and how far each is shifted to the left.
    pub(super) codes: Vec<(usize, u32)>,
    /// What is subtracted from these, which are floats if they have a kind, and the sign of the product.
    zero: f32,
    pub(super) sign: f32,
    pub(super) kind: Option<Kind>,
    /// The least and the largest number of a group.
    pub(super) range: (f32, f32),
}

impl Levels {
    /// The levels of a value, if it has them.
    pub(super) fn of(value: &GroupValue, fields: &[StoredField]) -> Option<Self> {
        use GroupPart::{Field, Number, Operation};
        let parts: Vec<GroupPart> = value.0.iter().map(|part| part.1).collect();
        // The sign of a minimum is that of its operator.
        let (parts, sign) = match &parts[..] {
            [all @ .., Number(-1), Operation(b'*')] => (all, -1.0),
            all => (all, 1.0),
        };
        let [Field(float), parts @ .., Operation(b'*')] = parts else { return None };
        let (parts, zero) = match parts {
            [all @ .., Number(zero), Operation(b'-')] => (all, *zero),
            all => (all, 0),
        };
        let (float, codes) = match *parts {
            [Field(own)] => (*float, alloc::vec![(own, 0)]),
            [Field(low), Field(high), Number(by @ 0..8), Operation(b'<'), Operation(b'|')] => {
                (*float, alloc::vec![(low, 0), (high, by as u32)])
            }
            _ => return None,
        };
        let own = |(field, by): &(usize, u32)| {
            let own = &fields[*field];
            (own.element(), own.bits + *by as usize, own.element().integer_range())
        };
        let (element, _, ends) = own(&codes[0]);
        let bits = codes.iter().map(|code| own(code).1).max().filter(|bits| *bits <= 8)?;
        // Bits that are joined are those of unsigned integers.
        let are_unsigned = codes.iter().all(|code| matches!(own(code).2, Some((0, _))));
        let (kind, zero) = (ends.is_none().then(|| element.kind()), zero as f32);
        let range = match ends {
            Some((low, high)) if codes.len() == 1 => (low as f32, high as f32),
            Some(_) => (0.0, ((1 << bits) - 1) as f32),
            None => (0.0, element.kind().largest_float() as f32),
        };
        let range = (range.0 - zero, range.1 - zero);
        let is_alone = codes.len() == 1 && bits == 8 && kind != Some(Kind::Scale);
        let is_held = are_unsigned || is_alone && (kind.is_none() || zero == 0.0);
        let is_range = range.0 <= 0.0 && range.1 > 0.0 && fields[float].is_float();
        let new = Self { float, codes, zero, sign, kind, range };
        (is_held && is_range).then_some(new)
    }

    /// Whether each group has a number of its own.
    pub(super) fn are_own(&self, groups: &GroupTile) -> bool {
        self.codes.iter().all(|code| groups.elements(code.0).is_own())
    }

    /// Rounds the numbers of groups to what both levels hold. The greatest magnitude of those that share a float becomes the
    /// lowest number of a group, or the largest one if that is 0. With an infinity or NaN, the float is infinite.
    #[inline(always)]
    pub(super) fn round(
        &self,
        field: &StoredField,
        elements: &RunElements,
        numbers: &mut [f32],
        (floats, codes): (&mut Vec<f32>, &mut Vec<u8>),
    ) {
        let ((low, high), is_signed) = (self.range, self.range.0 < 0.0);
        let end = if is_signed { low } else { high };
        floats.clear();
        floats.extend(numbers.iter().map(|own| if own.is_nan() { f32::INFINITY } else { *own }));
        elements.join(floats, if is_signed { greater } else { larger });
        let least = if is_signed { COUNTS_AS_ZERO } else { 0.0 };
        let mut inverses = floats.clone();
        for (most, inverse) in floats.iter_mut().zip(&mut inverses) {
            let is_zero = if is_signed { most.abs() } else { *most } <= least;
            *inverse = if is_zero { 0.0 } else { end / *most };
            // A float without an inverse counts as 0.
            if inverse.is_infinite() {
                *inverse = 0.0;
            }
            *most = match is_signed {
                _ if most.is_infinite() => {
                    *inverse = f32::INFINITY;
                    *most / end
                }
                _ if *inverse == 0.0 => 0.0,
                true => 1.0 / *inverse,
                false => *most / end,
            };
        }
        // The float as it is stored.
        let mut held = alloc::vec![0; floats.len() * field.held()];
        field.encode(floats, &mut held);
        field.decode(&held, floats);
        codes.clear();
        for ((own, inverse), float) in numbers.iter_mut().zip(inverses).zip(&*floats) {
            let scaled = if inverse.is_infinite() { end } else { *own * inverse };
            let (code, number) = match self.kind {
                Some(kind) => {
                    let code = kind.nearest_small_float(scaled.clamp(low, high));
                    (code, kind.small_float(code))
                }
                // Where the float is 0, all bits are.
                None if inverse == 0.0 => (0, -self.zero),
                None => {
                    let whole = half_even(scaled).clamp(low, high);
                    ((whole + self.zero) as i32 as u8, whole)
                }
            };
            codes.push(code);
            *own = float * number;
        }
    }
}

/// The products of both levels. Each float is that of some groups, a multiple of [`PART`].
pub(super) struct LevelProducts<'a> {
    pub(super) own: &'a Levels,
    pub(super) each: usize,
    pub(super) floats: &'a [f32],
    pub(super) codes: &'a [u8],
    pub(super) values: &'a mut [f32],
}

impl Work for LevelProducts<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { own: &Levels { zero, sign, range, .. }, each, floats, codes, values } = self;
        macro_rules! each {
            (|$code:ident| $number:expr) => {
                for (value, &$code) in values.iter_mut().zip(codes) {
                    *value = $number;
                }
            };
        }
        match range.0 + zero < 0.0 {
            true => each!(|code| f32::from(code as i8) - zero),
            false => each!(|code| f32::from(code) - zero),
        }
        let mut parts = values.chunks_exact_mut(PART);
        for float in floats {
            let float = sign * float;
            for part in parts.by_ref().take(each / PART) {
                part.iter_mut().for_each(|own| *own *= float);
            }
        }
    }
}
