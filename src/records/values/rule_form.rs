//! A value rule in its normal form: a scale times a code, plus a minimum.

use alloc::vec;
use alloc::vec::Vec;

use layout_records::{RecordError, RulePart, UseFault, ValueRule};
use layout_types::ElementType;
use layout_types::spec::ListText;

use crate::records::record_buffer::fault;

/// A part of what is computed for a group of elements.
#[derive(Clone, Copy, Debug)]
pub(super) enum GroupPart {
    /// A field that they share.
    Field(usize),
    Number(i32),
    /// The sign of an operator, as [`RulePart`] has it.
    Operation(u8),
}

/// What is computed for a group of elements: its parts, the operands of an operator before it. Each has the number of
/// the list that it computes. The operands of an operator are in its own list and the next one.
#[derive(Clone, Debug)]
pub(super) struct GroupValue(pub(super) Vec<(usize, GroupPart)>);

/// `(code - zero) * scale + minimum`, where the code is an element of a table if there is one. Fields are numbers of
/// the record.
#[derive(Clone, Debug)]
pub(super) struct ValueForm {
    pub(super) scale: Option<GroupValue>,
    /// The fields of the code, and how far each is shifted to the left.
    pub(super) codes: Vec<(usize, u32)>,
    pub(super) table: Option<&'static [f32; 16]>,
    /// What is subtracted from a code: a constant, and a value of the group.
    pub(super) zero: i32,
    pub(super) zeros: Option<GroupValue>,
    /// What is added.
    pub(super) minimum: Option<GroupValue>,
}

/// Values of 4-bit codes in tables.
static TABLES: [(&str, [f32; 16]); 2] = [
    (
        "iq4nl",
        [
            -127.0, -104.0, -83.0, -65.0, -49.0, -35.0, -22.0, -10.0, 1.0, 13.0, 25.0, 38.0, 53.0,
            69.0, 89.0, 113.0,
        ],
    ),
    (
        "nf4",
        [
            -1.0,
            -0.696_192_8,
            -0.525_073_05,
            -0.394_917_5,
            -0.284_441_38,
            -0.184_773_43,
            -0.091_050_036,
            0.0,
            0.079_580_3,
            0.160_930_2,
            0.246_112_3,
            0.337_915_24,
            0.440_709_83,
            0.562_617,
            0.722_956_84,
            1.0,
        ],
    ),
];

/// What a part of a rule is.
enum Part {
    Group(GroupValue),
    /// Without a scale and a minimum it is a code.
    Value(ValueForm),
}

impl ValueForm {
    /// The form of a rule of fields with these names. `is_own` says of which of them each coordinate has an element of
    /// its own, and how many bits these have: those of at most 8 are codes.
    pub(super) fn of(
        rule: Option<&str>,
        names: &[&str],
        is_own: &dyn Fn(usize) -> Option<usize>,
    ) -> Result<Self, RecordError> {
        let field = |name: &str| names.iter().position(|own| *own == name);
        let parts = ValueRule::parse(rule, names.len(), &field)?;
        let is_code = |field: usize| is_own(field).is_some_and(|bits| bits <= 8);
        let forming = Forming { text: rule.unwrap_or(""), rule: &parts, is_code: &is_code };
        match forming.part(parts.root())? {
            Part::Value(form) => Ok(form),
            Part::Group(value) => match value.field().filter(|field| is_own(*field).is_some()) {
                Some(field) => Ok(Self::of_codes(vec![(field, 0)])),
                None if rule.is_none() => Err(fault(UseFault::ValueShared(names[0]))),
                None => Err(forming.fault()),
            },
        }
    }

    /// The form of a part of a rule, if it is one of codes.
    pub(super) fn of_part(
        rule: &ValueRule<'_>,
        at: usize,
        is_code: &dyn Fn(usize) -> bool,
    ) -> Option<Self> {
        match (Forming { text: "", rule, is_code }).part(at) {
            Ok(Part::Value(form)) => Some(form),
            _ => None,
        }
    }

    /// The form without a scale, a zero and a minimum.
    pub(super) const fn of_codes(codes: Vec<(usize, u32)>) -> Self {
        Self { scale: None, codes, table: None, zero: 0, zeros: None, minimum: None }
    }

    /// Whether the value is a code, or an element of a table, less something.
    pub(super) const fn is_code(&self) -> bool {
        self.scale.is_none() && self.minimum.is_none()
    }

    /// Whether nothing is subtracted from the code, which is not an element of a table.
    const fn is_plain(&self) -> bool {
        self.is_code() && self.table.is_none() && self.zero == 0 && self.zeros.is_none()
    }

    /// What is computed for groups: scales, zeros and minima.
    pub(super) fn parts(&self) -> [Option<&GroupValue>; 3] {
        [self.scale.as_ref(), self.zeros.as_ref(), self.minimum.as_ref()]
    }
}

impl GroupValue {
    fn of(part: GroupPart) -> Self {
        Self(vec![(0, part)])
    }

    fn operation(sign: u8, left: Self, right: Self) -> Self {
        let mut parts = left.0;
        parts.extend(right.0.into_iter().map(|(list, part)| (list + 1, part)));
        parts.push((0, GroupPart::Operation(sign)));
        Self(parts)
    }

    /// The constant, if the value is one.
    fn number(&self) -> Option<i32> {
        match self.0[..] {
            [(_, GroupPart::Number(number))] => Some(number),
            _ => None,
        }
    }

    /// The field, if the value is that of one.
    pub(super) fn field(&self) -> Option<usize> {
        match self.0[..] {
            [(_, GroupPart::Field(field))] => Some(field),
            _ => None,
        }
    }

    /// The field, and the power of two that the value is times its elements, if it is that.
    pub(super) fn multiple(&self) -> Option<(usize, f32)> {
        use GroupPart::{Field, Number, Operation};
        let (field, number, divides) = match self.0[..] {
            [(_, Field(field))] => (field, 1, false),
            [(_, Number(number)), (_, Field(field)), (_, Operation(b'*'))] => {
                (field, number, false)
            }
            [(_, Field(field)), (_, Number(number)), (_, Operation(sign @ (b'*' | b'/')))] => {
                (field, number, sign == b'/')
            }
            _ => return None,
        };
        let is_power = number > 0 && number.count_ones() == 1;
        let factor = if divides { 1.0 / number as f32 } else { number as f32 };
        is_power.then_some((field, factor))
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().filter_map(|(_, part)| match *part {
            GroupPart::Field(field) => Some(field),
            _ => None,
        })
    }
}

struct Forming<'a> {
    text: &'a str,
    rule: &'a ValueRule<'a>,
    is_code: &'a dyn Fn(usize) -> bool,
}

impl Forming<'_> {
    fn fault(&self) -> RecordError {
        fault(UseFault::ValueForm(self.text))
    }

    fn part(&self, at: usize) -> Result<Part, RecordError> {
        Ok(match self.rule.part(at) {
            RulePart::Number(number) => Part::Group(GroupValue::of(GroupPart::Number(number))),
            RulePart::Field(field) if (self.is_code)(field) => {
                Part::Value(ValueForm::of_codes(vec![(field, 0)]))
            }
            RulePart::Field(field) => Part::Group(GroupValue::of(GroupPart::Field(field))),
            RulePart::Table(name, inner) => match self.part(inner)? {
                Part::Value(form) if form.is_plain() => {
                    Part::Value(ValueForm { table: Some(table(name)?), ..form })
                }
                _ => return Err(self.fault()),
            },
            RulePart::Sum(_) => return Err(self.fault()),
            RulePart::Operation(sign, left, right) => {
                self.operation(sign, self.part(left)?, self.part(right)?)?
            }
        })
    }

    fn operation(&self, sign: u8, left: Part, right: Part) -> Result<Part, RecordError> {
        // Integers have 32 bits.
        if let (b'<', Part::Group(by)) = (sign, &right) {
            by.number().filter(|by| *by > 31).map_or(Ok(()), |_| Err(self.fault()))?;
        }
        let form = match (left, right) {
            (Part::Group(left), Part::Group(right)) => {
                return Ok(Part::Group(GroupValue::operation(sign, left, right)));
            }
            (Part::Group(scale), Part::Value(form)) | (Part::Value(form), Part::Group(scale))
                if sign == b'*' && form.is_code() =>
            {
                ValueForm { scale: Some(scale), ..form }
            }
            (Part::Value(mut form), Part::Group(by)) if sign == b'<' && form.is_plain() => {
                let by = by.number().ok_or_else(|| self.fault())?;
                form.codes.iter_mut().for_each(|code| code.1 += by as u32);
                form
            }
            (Part::Value(form), Part::Group(zeros))
                if matches!(sign, b'+' | b'-') && form.is_plain() =>
            {
                match zeros.number() {
                    // `f32` does not hold it.
                    Some(zero) if f64::from(zero as f32) != f64::from(zero) => {
                        return Err(self.fault());
                    }
                    Some(zero) if sign == b'-' => ValueForm { zero, ..form },
                    Some(zero) => ValueForm { zero: -zero, ..form },
                    None if sign == b'-' => ValueForm { zeros: Some(zeros), ..form },
                    None => {
                        let nothing = GroupValue::of(GroupPart::Number(0));
                        let zeros = GroupValue::operation(b'-', nothing, zeros);
                        ValueForm { zeros: Some(zeros), ..form }
                    }
                }
            }
            (Part::Value(form), Part::Group(minimum))
            | (Part::Group(minimum), Part::Value(form))
                if sign == b'+' && form.minimum.is_none() =>
            {
                ValueForm { minimum: Some(minimum), ..form }
            }
            (Part::Value(form), Part::Group(minimum)) if sign == b'-' && form.minimum.is_none() => {
                let sign = GroupValue::of(GroupPart::Number(-1));
                let minimum = Some(GroupValue::operation(b'*', minimum, sign));
                ValueForm { minimum, ..form }
            }
            (Part::Value(left), Part::Value(right))
                if sign == b'|' && left.is_plain() && right.is_plain() =>
            {
                let codes = left.codes.iter().chain(&right.codes).copied().collect();
                ValueForm { codes, ..left }
            }
            _ => return Err(self.fault()),
        };
        Ok(Part::Value(form))
    }
}

fn table(name: &str) -> Result<&'static [f32; 16], RecordError> {
    let found = TABLES.iter().find(|table| table.0 == name);
    found.map(|table| &table.1).ok_or_else(|| {
        let names = TABLES.iter().map(|table| table.0);
        fault(UseFault::ValueTable(name, listed(names)))
    })
}

/// Names with commas between them.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> ListText {
    let mut text = ListText::EMPTY;
    for (i, name) in names.enumerate() {
        text.push(if i > 0 { ", " } else { "" });
        text.push(name);
    }
    text
}

/// The number that a code of at most 8 bits is.
pub(super) fn number_of(element: ElementType, bits: usize, code: u8) -> f32 {
    let mut value = [0.0f32];
    match element.integer_range() {
        Some((low, _)) if low < 0 => f32::from((code << (8 - bits)) as i8 >> (8 - bits)),
        Some(_) => f32::from(code),
        None => {
            layout_types::numbers::read_values(element, &[code], &mut value);
            value[0]
        }
    }
}
