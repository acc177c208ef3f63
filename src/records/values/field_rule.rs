//! Rules of fields: what is computed of the codes of a group, of its scale, of the source and of values by name.

use alloc::vec;
use alloc::vec::Vec;

use layout_kernels::Work;
use layout_records::{RecordError, RulePart, UseFault, ValueRule};

use super::rule_form::ValueForm;
use super::side::StoredField;
use crate::records::record_buffer::fault;

/// The list of the sums of codes, after those of scales, zeros and minima. Those of the fields of the source follow it.
pub(super) const SUMS: usize = 3;

/// A part of a rule, or what a name there stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldPart {
    Number(f64),
    /// A list of numbers, one for each group.
    List(usize),
    /// A field of which there are sums.
    Code(usize),
    /// The sums of codes, each less a number.
    Sum(f64),
    Operation(u8),
}

/// What the elements of a field are computed of: operands before their operator, each with whether it is an integer.
#[derive(Clone, Debug)]
pub(super) struct FieldRule {
    pub(super) field: usize,
    parts: Vec<(FieldPart, bool)>,
}

impl FieldRule {
    /// The fields of the source.
    pub(super) fn given(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| match part.0 {
            FieldPart::List(list) => list.checked_sub(SUMS + 1),
            _ => None,
        })
    }

    /// The number of each group of `run` codes: integers of 32 bits that wrap, or `f32`.
    pub(super) fn numbers(&self, run: usize, count: usize, lists: &[Vec<f64>]) -> Vec<f64> {
        let mut stack: Vec<Vec<f64>> = Vec::new();
        for &(part, is_whole) in &self.parts {
            let next = match part {
                FieldPart::Number(number) => vec![number; count],
                FieldPart::Sum(less) => lists[SUMS]
                    .iter()
                    .map(|sum| wrapped((sum - less * run as f64) as i64))
                    .collect(),
                FieldPart::List(list) | FieldPart::Code(list) => lists[list].clone(),
                FieldPart::Operation(sign) => {
                    let right = stack.pop().unwrap_or_default();
                    let mut left = stack.pop().unwrap_or_default();
                    let both = left.iter_mut().zip(right);
                    both.for_each(|(own, right)| *own = result(sign, [*own, right], is_whole));
                    left
                }
            };
            stack.push(next);
        }
        stack.pop().unwrap_or_default()
    }
}

/// An integer of 32 bits.
fn wrapped(value: i64) -> f64 {
    f64::from(value as i32)
}

fn result(sign: u8, both: [f64; 2], is_whole: bool) -> f64 {
    let ([a, b], [left, right]) = (both.map(|own| own as f32), both.map(|own| own as i64));
    match (sign, is_whole) {
        (b'*', true) => wrapped(left * right),
        (b'+', true) => wrapped(left + right),
        (_, true) => wrapped(left - right),
        (b'*', _) => f64::from(a * b),
        (b'/', _) => f64::from(a / b),
        (b'+', _) => f64::from(a + b),
        _ => f64::from(a - b),
    }
}

/// Reads rules of fields.
#[derive(Default)]
pub(super) struct RuleReader<'a> {
    /// What names stand for, and whether it is an integer.
    pub(super) names: Vec<(&'a str, FieldPart, bool)>,
    /// The places of names that rules have.
    pub(super) used: Vec<usize>,
    /// The codes that all sums are of: their fields, and how far each is shifted to the left.
    pub(super) codes: Vec<(usize, u32)>,
}

impl RuleReader<'_> {
    /// Reads the rule of a field. One without a rule is what its name stands for.
    pub(super) fn read(
        &mut self,
        (field, name): (usize, &str),
        text: Option<&str>,
        own: &StoredField,
    ) -> Result<FieldRule, RecordError> {
        let place = |word: &str| self.names.iter().position(|own| own.0 == word);
        if text.is_none() && place(name).is_none() {
            return Err(fault(UseFault::ValueUnnamed(name)));
        }
        let (text, mut parts) = (text.unwrap_or(name), Vec::new());
        let rule = ValueRule::parse(Some(text), self.names.len(), &place)?;
        let is_whole = self.push(&rule, rule.root(), &mut parts);
        // Elements hold what is computed.
        let holds = |is_whole: bool| own.bits <= 32 && (own.is_float() || is_whole);
        match is_whole.is_some_and(holds) {
            true => Ok(FieldRule { field, parts }),
            false => Err(fault(UseFault::FieldRule(name, text))),
        }
    }

    /// Adds a part of a rule, and returns whether it is an integer.
    fn push(
        &mut self,
        rule: &ValueRule<'_>,
        at: usize,
        parts: &mut Vec<(FieldPart, bool)>,
    ) -> Option<bool> {
        let part = match rule.part(at) {
            RulePart::Number(number) => (FieldPart::Number(f64::from(number)), true),
            RulePart::Field(name) => {
                self.used.push(name);
                let (_, part, is_whole) = self.names[name];
                (part, is_whole)
            }
            RulePart::Sum(inner) => (FieldPart::Sum(self.summed(rule, inner)?), true),
            RulePart::Operation(sign @ (b'*' | b'/' | b'+' | b'-'), left, right) => {
                let (left, right) = (self.push(rule, left, parts)?, self.push(rule, right, parts)?);
                (FieldPart::Operation(sign), left && right && sign != b'/')
            }
            _ => return None,
        };
        parts.push(part);
        Some(part.1).filter(|_| !matches!(part.0, FieldPart::Code(_)))
    }

    /// What is subtracted from each code of a sum.
    fn summed(&mut self, rule: &ValueRule<'_>, at: usize) -> Option<f64> {
        let is_code = |name: usize| matches!(self.names[name].1, FieldPart::Code(_));
        let form = ValueForm::of_part(rule, at, &is_code)?;
        let less = match form.zeros.as_ref() {
            None => f64::from(form.zero),
            Some(zeros) => {
                let name = zeros.field()?;
                let (_, FieldPart::Number(value), true) = self.names[name] else { return None };
                self.used.push(name);
                value
            }
        };
        let field = |&(name, shift): &(usize, u32)| match self.names[name].1 {
            FieldPart::Code(field) => Some((field, shift)),
            _ => None,
        };
        let codes: Vec<_> = form.codes.iter().filter_map(field).collect();
        let is_same = self.codes.is_empty() || self.codes == codes;
        self.codes = codes;
        (is_same && form.is_code() && form.table.is_none()).then_some(less)
    }
}

/// The sums of the codes of groups, each of which counts as an unsigned integer with a bit flipped, less that bit.
pub(super) struct CodeSums<'a> {
    pub(super) codes: &'a [u8],
    pub(super) run: usize,
    pub(super) sign: u8,
    pub(super) sums: &'a mut Vec<f64>,
}

impl Work for CodeSums<'_> {
    #[inline(always)]
    fn run(self) {
        // Loops, since closures are not compiled for the instruction set.
        for group in self.codes.chunks_exact(self.run) {
            let mut sum = f64::from(self.sign) * -(self.run as f64);
            // 32 bits hold the sum of a part.
            for part in group.chunks(1 << 16) {
                let mut own = 0;
                for code in part {
                    own += u32::from(code ^ self.sign);
                }
                sum += f64::from(own);
            }
            self.sums.push(sum);
        }
    }
}
