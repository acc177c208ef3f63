//! Fields that are computed: those of a destination that its value rule does not name, or that a source lacks.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::work_on_best;
use layout_records::{MatchedFields, RecordError, UseFault};
use layout_types::{ElementType, numbers};

use super::field_rule::{CodeSums, FieldPart, RuleReader, SUMS};
use super::planned_side::{PlannedSide, SideTile, ValueScratch};
use super::rule_form::GroupValue;
use super::side::{StoredField, ValueSide};
use crate::records::passes::field_change::FieldChange;
use crate::records::record_buffer::fault;

/// A side in a tile, and the first bits of its fields.
pub(super) type SideOfTile<'a> = (&'a PlannedSide, &'a SideTile, &'a [i64]);

impl PlannedSide {
    /// Finds what computes fields of a destination: their rules, values, or fields of the source.
    pub(super) fn set_rules(
        &mut self,
        from: &mut Self,
        sides: &[ValueSide<'_>; 2],
        fields: &[usize],
        changes: &[FieldChange<'_>],
    ) -> Result<(), RecordError> {
        let ([source, own], axes) = (sides.each_ref().map(ValueSide::names), sides[1].axes());
        let mut reader = RuleReader::default();
        for (i, name) in own.iter().enumerate() {
            let operand = self.operand(i, &axes);
            reader.names.extend(operand.map(|(part, is_whole)| (&name[..], part, is_whole)));
        }
        let values = reader.names.len();
        for change in changes {
            let FieldChange::Add(name, element, bits) = *change else { continue };
            if !element.is_number() {
                continue;
            }
            let is_whole = element.integer_range().is_some();
            reader.names.push((name, FieldPart::Number(number_of(element, bits)), is_whole));
        }
        let given = reader.names.len();
        let share = |field: &StoredField, (letter, extent): (char, usize)| {
            Some(field.shared(letter)).filter(|own| *own > 0).map_or(extent, |own| own.min(extent))
        };
        for &field in fields {
            let (field_own, name) = (&self.fields[field], &own[field][..]);
            reader.names.truncate(given);
            for (i, other) in from.fields.iter().enumerate() {
                let is_like = axes.iter().all(|&axis| share(other, axis) == share(field_own, axis));
                if is_like && (other.is_float() || other.bits <= 32) {
                    let list = FieldPart::List(SUMS + 1 + i);
                    reader.names.push((&source[i], list, !other.is_float()));
                }
            }
            let rule = match sides[1] {
                ValueSide::Record(record) => record.field_value(name)?,
                _ => None,
            };
            let rule = rule.filter(|_| !changes.iter().any(|change| change.adds(name)));
            let new = reader.read((field, name), rule, field_own)?;
            if !self.is_computed && !reader.codes.is_empty() && reader.codes != self.form.codes {
                return Err(fault(UseFault::FieldRule(name, rule.unwrap_or(name))));
            }
            from.given.extend(new.given());
            self.rules.push(new);
        }
        if self.is_computed {
            let moved = |code: &_| moved_code(sides, &own, *code, changes);
            match reader.codes.iter().map(moved).collect() {
                Some(codes) => from.form.codes = codes,
                None => self.form.codes.clone_from(&reader.codes),
            }
        } else if let Some(name) = (values..given).find(|own| !reader.used.contains(own)) {
            return Err(fault(UseFault::UnusedValue(reader.names[name].0)));
        }
        Ok(())
    }

    /// What a field of a destination is in rules of others, and whether it is an integer.
    fn operand(&self, field: usize, axes: &[(char, usize)]) -> Option<(FieldPart, bool)> {
        let (own, form) = (&self.fields[field], &self.form);
        let is_code = self.is_computed && own.is_code(axes);
        if is_code || form.codes.iter().any(|code| code.0 == field) {
            let is_integer = own.bits <= 8 && !own.is_float();
            return is_integer.then_some((FieldPart::Code(field), true));
        }
        let is_own = |value: &Option<&GroupValue>| {
            value.and_then(GroupValue::multiple).is_some_and(|own| own.0 == field)
        };
        let list = form.parts().iter().position(is_own)?;
        Some((FieldPart::List(list), !own.is_float()))
    }

    /// The numbers of the fields that rules of the destination name, and nothing for others.
    pub(super) fn given(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        source: &[&[u8]],
        held: &mut Vec<u8>,
    ) -> Vec<Vec<f64>> {
        let mut lists = vec![Vec::new(); self.fields.len()];
        for &field in &self.given {
            self.read_field((tile, firsts), field, source, held);
            let own = &self.fields[field];
            let whole = |bytes: &[u8]| {
                let bytes = bytes.try_into().unwrap_or_default();
                if own.is_native { u32::from_ne_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            let all = held.chunks_exact(own.held());
            lists[field] = match own.element() {
                // `f32` does not hold these.
                ElementType::I32 => all.map(|own| f64::from(whole(own) as i32)).collect(),
                ElementType::U32 => all.map(|own| f64::from(whole(own))).collect(),
                _ => {
                    let mut values = vec![0.0; tile.fields[field].count];
                    own.decode(held, &mut values);
                    values.into_iter().map(f64::from).collect()
                }
            };
        }
        lists
    }

    /// Computes the fields that have a rule, of the codes of a tile, its scales, zeros and minima, and what is given.
    pub(super) fn write_rules(
        &self,
        (tile, firsts): (&SideTile, &[i64]),
        (from, source): (SideOfTile<'_>, &[&[u8]]),
        scratch: &mut ValueScratch,
        destination: &mut [&mut [u8]],
    ) {
        let given = from.0.given((from.1, from.2), source, &mut scratch.held);
        let ValueScratch { held, codes, groups, .. } = scratch;
        // The side that has the codes.
        let mut side = self;
        if self.is_computed {
            let bytes: Vec<&[u8]> = destination.iter().map(|own| &**own).collect();
            let (own, tile, firsts, bytes) = match self.form.codes.is_empty() {
                true => (from.0, from.1, from.2, source),
                false => (self, tile, firsts, &bytes[..]),
            };
            match own.form.codes[..] {
                [(code, 0)] => own.read_field((tile, firsts), code, bytes, codes),
                [(first, _), ..] => {
                    codes.resize(tile.fields[first].count, 0);
                    own.read_codes((tile, firsts), &own.form.codes, bytes, codes);
                }
                [] => codes.clear(),
            }
            side = own;
        }
        let sign = match side.form.codes[..] {
            [(code, 0)] if side.fields[code].is_signed() => 1 << (side.fields[code].bits - 1),
            _ => 0,
        };
        let (run, mut sums) = (tile.groups.run().max(1), Vec::new());
        work_on_best(CodeSums { codes, run, sign, sums: &mut sums });
        let lists = groups[..SUMS].iter().map(|list| list.iter().copied().map(f64::from).collect());
        let lists: Vec<Vec<f64>> = lists.chain([sums]).chain(given).collect();
        for rule in &self.rules {
            let own = &self.fields[rule.field];
            let numbers = rule.numbers(run, tile.groups.count(), &lists);
            held.resize(numbers.len() * own.held(), 0);
            match own.element().integer_range() {
                // 32 bits wrap, and fewer saturate.
                Some((low, high)) => {
                    let wraps = own.bits == 32;
                    let one =
                        |own: f64| if wraps { own } else { own.clamp(low as f64, high as f64) };
                    own.put_integers(numbers.into_iter().map(|own| one(own) as i64), held);
                }
                None => {
                    let values: Vec<f32> = numbers.into_iter().map(|own| own as f32).collect();
                    own.encode(&values, held);
                }
            }
            self.store((tile, firsts), rule.field, held, destination);
        }
    }
}

/// The field of the source that codes are moved from as they are: there, they lie together more often.
fn moved_code(
    sides: &[ValueSide<'_>; 2],
    names: &[String],
    (code, shift): (usize, u32),
    changes: &[FieldChange<'_>],
) -> Option<(usize, u32)> {
    let name = &names[code][..];
    let [ValueSide::Record(from), ValueSide::Record(to)] = sides else { return None };
    let is_same = MatchedFields::new([from, to], name).is_ok_and(|own| own.flipped == 0);
    let is_kept = !changes.iter().any(|change| change.field() == name);
    let place = sides[0].names().iter().position(|own| own == name)?;
    (is_same && is_kept).then_some((place, shift))
}

/// The number that bits of an element are.
fn number_of(element: ElementType, bits: u64) -> f64 {
    let (mut number, mut bytes) = ([f64::NAN], bits.to_le_bytes());
    let own = &mut bytes[..element.bits().div_ceil(8).min(8)];
    if cfg!(target_endian = "big") {
        own.reverse();
    }
    numbers::read_values(element, own, &mut number);
    number[0]
}
