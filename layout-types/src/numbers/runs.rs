//! Runs of contiguous elements between buffers and the types that conversions compute with, and conversions
//! element by element.

use super::arithmetic;
use super::conversion::Conversion;
use super::number::{Exact, Number, Value};
use super::plain::{self, as_bytes, as_bytes_mut};
use layout_core::nests::{Boxes, Pair};

/// Reads the elements of a buffer from offset `first` on. Beyond the end of the buffer, `run` is left unchanged.
#[inline(always)]
pub fn read_run<S: Value>(units: &[S::Unit], first: usize, run: &mut [S::Held]) {
    let (head, whole) = parts::<S>(first, run.len());
    let (start, rest) = run.split_at_mut(head);
    let (bytes, end) = rest.split_at_mut(whole);
    read_each::<S>(units, first, start);
    if const { S::TYPE.per_byte() > 1 } {
        let units = units.get((first + head) / const { S::TYPE.per_byte() }..).unwrap_or(&[]);
        if const { cfg!(target_os = "none") } {
            spread_each::<S>(as_bytes(units), as_bytes_mut(bytes));
        } else {
            spread::<S>(as_bytes(units), as_bytes_mut(bytes));
            // A byte of each has its bits alone, and the element knows its sign.
            if const { S::RANGE.0 < 0 } {
                for held in bytes {
                    *held = S::release(*held).hold();
                }
            }
        }
    }
    read_each::<S>(units, first + head + whole, end);
}

/// Writes elements to a buffer from offset `first` on. What lies beyond the end of the buffer is not written.
#[inline(always)]
pub fn write_run<D: Value>(run: &[D::Held], units: &mut [D::Unit], first: usize) {
    let (head, whole) = parts::<D>(first, run.len());
    let (start, rest) = run.split_at(head);
    let (bytes, end) = rest.split_at(whole);
    write_each::<D>(start, units, first);
    if const { D::TYPE.per_byte() > 1 } {
        let units = units.get_mut((first + head) / const { D::TYPE.per_byte() }..);
        collect::<D>(as_bytes(bytes), as_bytes_mut(units.unwrap_or(&mut [])));
    }
    write_each::<D>(end, units, first + head + whole);
}

/// The elements of a run before the first whole byte, and those of whole bytes. Others may follow.
#[inline(always)]
const fn parts<E: Value>(first: usize, length: usize) -> (usize, usize) {
    let per_byte = const { E::TYPE.per_byte() };
    if per_byte == 1 {
        return (length, 0);
    }
    let head = first.wrapping_neg() % per_byte;
    let head = if head < length { head } else { length };
    (head, (length - head) / per_byte * per_byte)
}

#[inline(always)]
fn read_each<S: Value>(units: &[S::Unit], first: usize, run: &mut [S::Held]) {
    for (i, held) in run.iter_mut().enumerate() {
        if let Some(element) = S::read(units, first + i) {
            *held = element.hold();
        }
    }
}

#[inline(always)]
fn write_each<D: Value>(run: &[D::Held], units: &mut [D::Unit], first: usize) {
    for (i, held) in run.iter().enumerate() {
        // The result is `None` past the end.
        let _ = D::write(units, first + i, D::release(*held));
    }
}

/// Calls `$then` with the word that has a byte for each element of one byte, and the steps between one and the other:
/// an element moves by `.0` bits, with all that are above it, and `.1` are the bits where elements are afterwards.
///
/// Four elements of 2 bits: `dcba` is `dc..ba` after the first step, and `d.c.b.a` after the second, where a letter is
/// an element and a point the 6 bits above it.
macro_rules! with_steps {
    ($element:ident, $then:ident) => {
        match const { $element::TYPE.per_byte() } {
            2 => $then!(u16, [(4, 0x0f0f)]),
            4 => $then!(u32, [(12, 0x000f_000f), (6, 0x0303_0303)]),
            _ => $then!(
                u64,
                [
                    (28, 0x0000_000f_0000_000f),
                    (14, 0x0003_0003_0003_0003),
                    (7, 0x0101_0101_0101_0101)
                ]
            ),
        }
    };
}

/// Gives each element of these bytes a byte of its own, of which it has the lowest bits. Words rather than elements, so
/// that the compiler vectorizes the loop.
#[inline(always)]
fn spread<S: Value>(bytes: &[u8], elements: &mut [u8]) {
    macro_rules! spread {
        ($word:ident, $steps:expr) => {
            for (byte, element) in bytes.iter().zip(elements.chunks_exact_mut(size_of::<$word>())) {
                let mut word = <$word>::from(*byte);
                for (by, mask) in $steps {
                    word = (word | word << by) & mask;
                }
                let is_high_first = const { S::TYPE.is_high_first() };
                element.copy_from_slice(&if is_high_first {
                    word.to_be_bytes()
                } else {
                    word.to_le_bytes()
                });
            }
        };
    }
    with_steps!(S, spread)
}

/// Gives each element of these bytes a byte of its own, with its sign: without vectors, it takes fewer instructions than
/// [`spread`].
#[inline(always)]
fn spread_each<S: Value>(bytes: &[u8], elements: &mut [u8]) {
    let (bits, per_byte) = const { (S::TYPE.bits(), S::TYPE.per_byte()) };
    for (byte, group) in bytes.iter().zip(elements.chunks_exact_mut(per_byte)) {
        for (i, element) in group.iter_mut().enumerate() {
            let above = if const { S::TYPE.is_high_first() } { i } else { per_byte - 1 - i };
            let top = byte << (bits * above);
            let is_signed = const { S::RANGE.0 < 0 };
            *element = if is_signed { (top as i8 >> (8 - bits)) as u8 } else { top >> (8 - bits) };
        }
    }
}

/// The reverse of [`spread`]. Bits above those of an element mean nothing.
#[inline(always)]
fn collect<D: Value>(elements: &[u8], bytes: &mut [u8]) {
    macro_rules! collect {
        ($word:ident, $steps:expr) => {
            for (byte, element) in bytes.iter_mut().zip(elements.chunks_exact(size_of::<$word>())) {
                let mut word = [0; size_of::<$word>()];
                word.copy_from_slice(element);
                let is_high_first = const { D::TYPE.is_high_first() };
                let mut word = if is_high_first {
                    <$word>::from_be_bytes(word)
                } else {
                    <$word>::from_le_bytes(word)
                };
                for (by, mask) in $steps.into_iter().rev() {
                    word &= mask;
                    word |= word >> by;
                }
                *byte = word as u8;
            }
        };
    }
    with_steps!(D, collect)
}

/// Converts every element of the source and moves it to its offset in the destination. The caller has checked
/// `conversion` against both layouts.
pub fn convert_elements<S: Number, D: Number>(
    pair: &Pair,
    conversion: &Conversion<'_>,
    source: &[S::Unit],
    destination: &mut [D::Unit],
) {
    let mut boxes = Boxes::new(pair, conversion.axis_in(pair.destination()));
    while let Some(nest) = boxes.next() {
        let mut places = nest.places();
        while let Some(place) = places.next() {
            let Some(element) = S::read(source, place.source) else { continue };
            let arithmetic = conversion.arithmetic::<S, D, _>(place.parameter);
            let mut converted = [plain::zero::<D::Held>()];
            let held = [element.hold()];
            arithmetic::run::<S, D, D, Exact<S, D>>(&held, &mut converted, &arithmetic);
            // `None` only beyond the end, where there is no coordinate.
            let _ = D::write(destination, place.destination, D::release(converted[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::elements::HighFirst;
    use super::super::named::{f4e2m1, i1, i2, i4, u1, u2, u4};
    use super::*;
    use core::fmt::Debug;
    use std::vec::Vec;

    /// Bytes in which each bit of a byte differs from its neighbors at times.
    fn bytes(seed: u32) -> Vec<u8> {
        (0..32u32).map(|i| ((i + seed).wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
    }

    fn check<E: Value<Unit = u8, Held: PartialEq + Debug>>() {
        let (source, mut each) = (bytes(1), std::vec![E::from_f32(0.0); 32 * E::TYPE.per_byte()]);
        spread_each::<E>(&source, as_bytes_mut(&mut each));
        for (at, held) in each.iter().enumerate() {
            assert_eq!(E::read(&source, at).map(E::hold), Some(*held), "{} at {at}", E::TYPE);
        }
        for (first, length) in (0..19).flat_map(|first| (0..90).map(move |length| (first, length)))
        {
            let (source, mut written) = (bytes(1), bytes(2));
            let mut run = std::vec![E::from_f32(0.0); length];
            read_run::<E>(&source, first, &mut run);
            let count = 32 * E::TYPE.per_byte();
            for (i, held) in run.iter().enumerate().take(count - first) {
                assert_eq!(
                    E::read(&source, first + i).map(E::hold),
                    Some(*held),
                    "{first} {length}"
                );
            }
            write_run::<E>(&run, &mut written, first);
            let before = bytes(2);
            for at in 0..count {
                let inside = (first..first + length).contains(&at);
                let from = if inside { &source } else { &before };
                let [found, expected] = [&written, from].map(|of| E::read(of, at).map(E::hold));
                assert_eq!(found, expected, "{} at {at} of {first} {length}", E::TYPE);
            }
        }
    }

    #[test]
    fn runs_are_read_and_written_as_elements_are() {
        check::<u1>();
        check::<i1>();
        check::<i2>();
        check::<u2>();
        check::<i4>();
        check::<u4>();
        check::<f4e2m1>();
        check::<HighFirst<u1>>();
        check::<HighFirst<i2>>();
        check::<HighFirst<u4>>();
        check::<u8>();
    }
}
