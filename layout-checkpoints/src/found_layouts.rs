//! Finds the layout of bytes whose elements are known.

use tensor_layout::{ElementType, Layout};

use crate::error::{CheckpointError, FileResult, refuse};
use crate::stored_tensor::{bytes_of, check_letters};

/// The sizes of blocks that are tried.
const BLOCKS: [usize; 6] = [2, 4, 8, 16, 32, 64];

/// The most layouts that are found. Equal elements fit many.
const MOST: usize = 64;

/// A digit of an axis, slowest first: its size, and the coordinates of one step.
#[derive(Clone, Copy)]
struct FoundDigit {
    axis: usize,
    size: usize,
    weight: usize,
    stride: usize,
}

/// The stride that is larger than needed: that of an outer digit, in elements, and whether the last row has it too.
type Slack = Option<(usize, usize, bool)>;

/// The known elements: an array in C order.
struct KnownArray<'a> {
    bytes: &'a [u8],
    extents: &'a [usize],
    letters: &'a str,
    element: ElementType,
    /// Coordinates that are looked at first, and their elements.
    probes: Vec<(Vec<usize>, usize)>,
}

/// Returns the layouts of `raw` whose elements are those of an array in C order: of formats in any order of the axes with
/// up to three blocks of 2, 4, 8 .. 64 coordinates of one axis or two, rows that are aligned or have a pitch, and reversed
/// axes. The simplest come first; of layouts with the same offsets, the first alone. At most 64 are returned.
///
/// ```
/// use layout_checkpoints::find_layouts;
/// use tensor_layout::ElementType;
///
/// let array: Vec<u8> = (0..12).collect();
/// let raw = [3, 7, 11, 2, 6, 10, 1, 5, 9, 0, 4, 8];
/// let found = find_layouts(&raw, &array, "MK", &[3, 4], ElementType::U8)?;
/// assert_eq!(found[0].to_string(), "MK<3, 4>, u8, strides = [1, -3]");
/// # Ok::<(), layout_checkpoints::CheckpointError>(())
/// ```
///
/// # Errors
/// - The array has not the bytes of its shape, or elements of less than a byte, or no elements.
/// - There is not one capital letter for each axis.
pub fn find_layouts(
    raw: &[u8],
    array: &[u8],
    letters: &str,
    extents: &[usize],
    element: ElementType,
) -> Result<Vec<Layout>, CheckpointError> {
    let unit = element.bits() / 8;
    let known = KnownArray::new(array, letters, extents, element)?;
    let mut found: Vec<(usize, Vec<Vec<usize>>, Layout)> = Vec::new();
    for blocks in blocks_of(extents.len()) {
        let counts = |axis: usize| {
            let own = blocks.iter().filter(|block| block.0 == axis);
            let block = own.map(|block| block.1).product::<usize>();
            (extents[axis].div_ceil(block), block)
        };
        let inner: usize = blocks.iter().map(|block| block.1).product();
        let outer: usize = (0..extents.len()).map(|axis| counts(axis).0).product();
        if inner * outer > raw.len() / unit {
            continue;
        }
        for order in orders(extents.len()) {
            let mut digits: Vec<FoundDigit> = Vec::new();
            for &axis in &order {
                let (size, weight) = counts(axis);
                digits.push(FoundDigit { axis, size, weight, stride: 0 });
            }
            let mut weights: Vec<usize> = (0..extents.len()).map(|axis| counts(axis).1).collect();
            for &(axis, size) in &blocks {
                weights[axis] /= size;
                digits.push(FoundDigit { axis, size, weight: weights[axis], stride: 0 });
            }
            for slack in slacks(&digits, extents.len(), raw.len() / unit) {
                set_strides(&mut digits, slack);
                let tables = known.tables(&digits);
                for flips in known.fitting(&tables, raw) {
                    let tables = flipped(&tables, flips);
                    if found.iter().any(|own| own.1 == tables) {
                        continue;
                    }
                    let steps =
                        blocks.len() + flips.count_ones() as usize + usize::from(slack.is_some());
                    found.push((steps, tables, known.layout(&digits, slack, flips)?));
                    if found.len() == MOST {
                        return Ok(sorted(found));
                    }
                }
            }
        }
    }
    Ok(sorted(found))
}

fn sorted(mut found: Vec<(usize, Vec<Vec<usize>>, Layout)>) -> Vec<Layout> {
    found.sort_by_key(|own| own.0);
    found.into_iter().map(|own| own.2).collect()
}

/// All blocks, fastest last: none, one, two, or three of which the first and the last are of one axis.
fn blocks_of(rank: usize) -> Vec<Vec<(usize, usize)>> {
    let one: Vec<(usize, usize)> =
        (0..rank).flat_map(|axis| BLOCKS.map(|size| (axis, size))).collect();
    let mut all = vec![Vec::new()];
    all.extend(one.iter().map(|&own| vec![own]));
    if rank > 5 {
        return all;
    }
    for &first in &one {
        for &second in one.iter().filter(|own| own.0 != first.0) {
            all.push(vec![first, second]);
            all.extend(BLOCKS.map(|size| vec![first, second, (first.0, size)]));
        }
    }
    all
}

/// All orders of the axes.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for axis in (0..rank).rev() {
        let add = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| [&order[..at], &[axis], &order[at..]].concat())
        };
        all = all.into_iter().flat_map(add).collect();
    }
    all
}

/// What strides may be larger than needed, so that all elements are `length`.
fn slacks(digits: &[FoundDigit], rank: usize, length: usize) -> Vec<Slack> {
    let needed: usize = digits.iter().map(|digit| digit.size).product();
    if needed == length {
        return vec![None];
    }
    let (mut count, mut row, mut all) = (1, needed, Vec::new());
    for (i, digit) in digits[..rank].iter().enumerate().filter(|(_, digit)| digit.size > 1) {
        count *= digit.size;
        row /= digit.size;
        let whole = length / count;
        let last = (length - row.min(length)) / (count - 1);
        if whole * count == length && whole > row {
            all.push(Some((i, whole, true)));
        }
        if last * (count - 1) + row == length && last > row {
            all.push(Some((i, last, false)));
        }
    }
    all
}

fn set_strides(digits: &mut [FoundDigit], slack: Slack) {
    let mut stride = 1;
    for (i, digit) in digits.iter_mut().enumerate().rev() {
        if let Some((_, own, _)) = slack.filter(|slack| slack.0 == i) {
            stride = own;
        }
        digit.stride = stride;
        stride *= digit.size;
    }
}

/// The offsets of each axis, with these axes reversed.
fn flipped(tables: &[Vec<usize>], flips: usize) -> Vec<Vec<usize>> {
    let mut own = tables.to_vec();
    own.iter_mut()
        .enumerate()
        .filter(|(axis, _)| flips >> axis & 1 == 1)
        .for_each(|own| own.1.reverse());
    own
}

impl<'a> KnownArray<'a> {
    fn new(
        bytes: &'a [u8],
        letters: &'a str,
        extents: &'a [usize],
        element: ElementType,
    ) -> FileResult<Self> {
        if !element.bits().is_multiple_of(8) || bytes.is_empty() {
            return refuse(format!(
                "a tensor of shape {extents:?} of {element} says nothing about offsets; name one with elements of whole bytes"
            ));
        }
        if bytes_of(element, extents) != Some(bytes.len() as u64) {
            return refuse(format!(
                "an array of shape {extents:?} of {element} has not {} bytes; correct the shape",
                bytes.len()
            ));
        }
        check_letters(letters, extents)?;
        let mut new = Self { bytes, extents, letters, element, probes: Vec::new() };
        let mut state = 1u64;
        for _ in 0..64 {
            let mut place = 0;
            let mut coordinate = Vec::new();
            for &extent in extents {
                // Knuth's constants: any coordinates do.
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let own = (state >> 33) as usize % extent;
                place = place * extent + own;
                coordinate.push(own);
            }
            new.probes.push((coordinate, place));
        }
        Ok(new)
    }

    /// The offset of each coordinate of each axis.
    fn tables(&self, digits: &[FoundDigit]) -> Vec<Vec<usize>> {
        let offset = |axis: usize, at: usize| {
            let own = digits.iter().filter(|digit| digit.axis == axis);
            own.map(|digit| at / digit.weight % digit.size * digit.stride).sum()
        };
        let axis = |axis: usize| (0..self.extents[axis]).map(|at| offset(axis, at)).collect();
        (0..self.extents.len()).map(axis).collect()
    }

    /// The axes that are reversed where all elements are those of `raw`, as bits.
    fn fitting(&self, tables: &[Vec<usize>], raw: &[u8]) -> Vec<usize> {
        let unit = self.element.bits() / 8;
        let is_equal = |offset: usize, place: usize| {
            raw.get(offset * unit..(offset + 1) * unit)
                == Some(&self.bytes[place * unit..(place + 1) * unit])
        };
        let fits = |&flips: &usize| {
            self.probes.iter().all(|(coordinate, place)| {
                let of = |(axis, &at): (usize, &usize)| match flips >> axis & 1 {
                    0 => tables[axis][at],
                    _ => tables[axis][self.extents[axis] - 1 - at],
                };
                is_equal(coordinate.iter().enumerate().map(of).sum(), *place)
            })
        };
        let all = |&flips: &usize| {
            let tables = flipped(tables, flips);
            let mut offsets = vec![0];
            for (axis, table) in tables.iter().enumerate() {
                if axis + 1 < tables.len() {
                    offsets = offsets
                        .iter()
                        .flat_map(|start| table.iter().map(move |own| start + own))
                        .collect();
                }
            }
            let last = tables.last().map_or(&[0][..], |own| own);
            let row = |(i, start): (usize, &usize)| {
                last.iter().enumerate().all(|(at, own)| is_equal(start + own, i * last.len() + at))
            };
            offsets.iter().enumerate().all(row)
        };
        let is_new = |&flips: &usize| {
            (0..self.extents.len()).all(|axis| flips >> axis & 1 == 0 || self.extents[axis] > 1)
        };
        (0..1 << self.extents.len()).filter(is_new).filter(fits).filter(all).collect()
    }

    /// The layout of these digits.
    fn layout(&self, digits: &[FoundDigit], slack: Slack, flips: usize) -> FileResult<Layout> {
        let letter = |axis: usize| &self.letters[axis..axis + 1];
        let unit = self.element.bits() / 8;
        let (mut format, rank) = (String::new(), self.extents.len());
        for (i, digit) in digits.iter().enumerate() {
            match i < rank {
                true => format += letter(digit.axis),
                false => format += &format!("{}{}", digit.size, letter(digit.axis).to_lowercase()),
            }
        }
        let letters = (0..rank).map(letter).collect::<Vec<_>>().join(", ");
        let extents: Vec<String> =
            (0..rank).map(|axis| format!("{} = {}", letter(axis), self.extents[axis])).collect();
        let mut text =
            format!("{format}<{}>, {}, coordinates({letters})", extents.join(", "), self.element);
        if digits[..rank].iter().any(|own| own.size * own.weight != self.extents[own.axis]) {
            text += ", pad";
        }
        if let Some((i, stride, is_last)) = slack {
            let axis = letter(digits[i].axis);
            let row = digits[i + 1..].iter().map(|digit| digit.size).product::<usize>() * unit;
            let bytes = stride * unit;
            // A power of two, as aligned rows usually have.
            let power = 1 << bytes.trailing_zeros();
            text += &match is_last {
                true if row.next_multiple_of(power) == bytes => {
                    format!(", align({axis} = {power})")
                }
                true => format!(", align({axis} = {bytes})"),
                false => format!(", pitch({axis} = {bytes})"),
            };
        }
        let of = |error: &dyn std::fmt::Display| CheckpointError::of(&text, error);
        let mut layout: Layout = text.parse().map_err(|error| of(&error))?;
        for (axis, own) in self.letters.chars().enumerate() {
            if flips >> axis & 1 == 1 {
                layout = layout.flip(own).map_err(|error| of(&error))?;
            }
        }
        Ok(layout)
    }
}
