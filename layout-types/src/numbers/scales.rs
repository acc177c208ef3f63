//! Scales for the values of a tensor, and sums of integers.

use super::number::{Number, Real};
use super::plain;
use super::runs::read_run;
use layout_core::Layout;
use layout_core::nests::{Boxes, Level, MAX_LEVELS, Pair, Place, Places};
use layout_core::spec::{ElementType, LayoutError, Rule};

/// Returns the smallest scale with which integers of type `element` hold all values up to `magnitude`. The zero point
/// is 0.
///
/// # Errors
/// The type is not a signed integer. With zero point 0, other types could hold half of the values, or none.
pub fn scale_of(magnitude: f64, element: ElementType) -> Result<f32, LayoutError> {
    let largest = match element.integer_range() {
        Some((low, high)) if low < 0 => high as f64,
        _ => return Err(LayoutError(Rule::UnsignedScale { element })),
    };
    if magnitude == 0.0 {
        // All values are 0, so any scale works.
        return Ok(1.0);
    }
    // A smaller scale would have no finite inverse.
    Ok(((magnitude / largest) as f32).max(f32::MIN_POSITIVE))
}

/// Raises `magnitudes` to the largest magnitudes of the elements: one for each coordinate of `axis`, or one for the
/// whole tensor.
///
/// # Errors
/// The offset of an element that is not finite.
pub fn raise_magnitudes<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    magnitudes: &mut [f64],
) -> Result<(), usize> {
    let mut infinite = None;
    for_each_run::<S>(pair, axis, units, |run, Place { destination, parameter, .. }, step| {
        let magnitude = |held: S::Held| S::Exact::of::<S>(held).signed_as(S::Exact::ONE);
        if step == 0 {
            raise(magnitudes.get_mut(parameter), largest(run, magnitude));
        } else {
            for (i, &held) in run.iter().enumerate() {
                let at = parameter.wrapping_add_signed(step * i as isize);
                raise(magnitudes.get_mut(at), magnitude(held));
            }
        }
        if infinite.is_none() && !are_finite::<S>(run) {
            let is_infinite = |held: &S::Held| !S::to_f64(*held).is_finite();
            infinite = run.iter().position(is_infinite).map(|i| destination + i);
        }
    });
    infinite.map_or(Ok(()), Err)
}

/// The number of elements that loops work on side by side.
const LANES: usize = 16;

/// What some elements become together in each lane, so that the compiler vectorizes the loop.
#[inline(always)]
fn in_lanes<T: Copy, F: Real>(
    run: &[T],
    value: impl Fn(T) -> F,
    both: impl Fn(F, F) -> F,
) -> [F; LANES] {
    let mut lanes = [F::ZERO; LANES];
    let chunks = run.chunks_exact(LANES);
    for (lane, held) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane = value(*held);
    }
    for chunk in chunks {
        for (lane, held) in lanes.iter_mut().zip(chunk) {
            *lane = both(*lane, value(*held));
        }
    }
    lanes
}

/// The largest magnitude, or any if one is NaN.
#[inline(always)]
fn largest<T: Copy, F: Real>(run: &[T], magnitude: impl Fn(T) -> F) -> F {
    let larger = |a: F, b: F| if b > a { b } else { a };
    in_lanes(run, magnitude, larger).into_iter().fold(F::ZERO, larger)
}

/// Whether all elements are finite: the product of others and 0 is NaN.
#[inline(always)]
fn are_finite<S: Number>(run: &[S::Held]) -> bool {
    let zero = |held| S::Exact::of::<S>(held) * S::Exact::ZERO;
    in_lanes(run, zero, |a, b| a + b).into_iter().all(|lane| lane == S::Exact::ZERO)
}

#[inline(always)]
fn raise<F: Real>(magnitude: Option<&mut f64>, to: F) {
    if let Some(magnitude) = magnitude {
        *magnitude = magnitude.max(<F as Real>::to::<f64>(to));
    }
}

/// Adds the elements to `sums`: one sum for each coordinate of `axis`, or one for the whole tensor.
///
/// # Errors
/// The elements are not integers of up to 32 bits.
pub fn add_sums<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    sums: &mut [i64],
) -> Result<(), LayoutError> {
    if S::TYPE.bits() > 32 || !S::INTEGER {
        return Err(LayoutError(Rule::SumElement { element: S::TYPE }));
    }
    let integer = |held: &S::Held| S::clamped_bits(*held, const { S::RANGE }) as i64;
    // 32 bits hold the sum of a run of integers of up to 16.
    let sum = |run: &[S::Held]| match const { S::TYPE.bits() <= 16 } {
        true => i64::from(run.iter().map(|held| integer(held) as i32).sum::<i32>()),
        false => run.iter().map(integer).sum(),
    };
    for_each_run::<S>(pair, axis, units, |run, Place { parameter, .. }, step| {
        if step == 0 {
            if let Some(total) = sums.get_mut(parameter) {
                *total += sum(run);
            }
            return;
        }
        for (i, held) in run.iter().enumerate() {
            if let Some(sum) = sums.get_mut(parameter.wrapping_add_signed(step * i as isize)) {
                *sum += integer(held);
            }
        }
    });
    Ok(())
}

/// Returns how many numbers there are if each coordinate of `axis` has one: 1 without an axis.
///
/// # Errors
/// There are many, and no elements. An extent next to one of 0 takes no memory, and so it may be any number.
pub fn count_of(layout: &Layout, axis: Option<usize>) -> Result<usize, LayoutError> {
    const MOST_OF_NONE: usize = 1 << 16;

    let Some(axis) = axis else { return Ok(1) };
    let extent = layout.extents()[axis];
    if layout.numel() == 0 && extent > MOST_OF_NONE {
        return Err(LayoutError(Rule::NumberForEach { letter: layout.letters().at(axis), extent }));
    }
    Ok(extent)
}

/// The most elements of a run: a buffer on the stack holds as many.
const MOST: usize = 256;

/// Calls `visit` with runs of elements of a pair's destination that are contiguous there, the place of the first, and
/// the step from the parameter of one element to that of the next.
fn for_each_run<S: Number>(
    pair: &Pair,
    axis: Option<usize>,
    units: &[S::Unit],
    mut visit: impl FnMut(&[S::Held], Place, isize),
) {
    let mut buffer = [plain::zero::<S::Held>(); MOST];
    let mut visit_run = |start: Place, run: Level| {
        let mut done = 0;
        while done < run.size {
            let length = MOST.min(run.size - done);
            let parameter = start.parameter.wrapping_add_signed(run.parameter * done as isize);
            let place = Place { destination: start.destination + done, parameter, ..start };
            done += length;
            let held = if const { S::TYPE.per_byte() == 1 } {
                // A unit has the bytes of an element.
                let all = plain::cast::<S::Unit, S::Held>(units);
                all.get(place.destination..).and_then(|all| all.get(..length)).unwrap_or(&[])
            } else {
                read_run::<S>(units, place.destination, &mut buffer[..length]);
                &buffer[..length]
            };
            visit(held, place, run.parameter);
        }
    };
    let mut boxes = Boxes::new(pair, axis);
    while let Some(nest) = boxes.next() {
        if !nest.is_affine() {
            let mut places = nest.places();
            while let Some(place) = places.next() {
                visit_run(place, Level::ONCE);
            }
            continue;
        }
        let (mut run, mut rows) = (Level::ONCE, Level::ONCE);
        let (mut outer, mut count) = ([Level::ONCE; MAX_LEVELS], 0);
        for level in nest.levels().iter().rev() {
            if run.size == 1 && level.strides[1] == 1 {
                run = *level;
            } else if rows.size == 1 {
                rows = *level;
            } else {
                outer[count] = *level;
                count += 1;
            }
        }
        let mut places = Places::new(&outer[..count], nest.start());
        while let Some(start) = places.next() {
            for row in 0..rows.size as isize {
                let destination = start.destination.wrapping_add_signed(rows.strides[1] * row);
                let parameter = start.parameter.wrapping_add_signed(rows.parameter * row);
                visit_run(Place { destination, parameter, ..start }, run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{i4, u2};
    use std::vec::Vec;

    /// The coordinates of extents, in order.
    fn coordinates(extents: &[usize]) -> impl Iterator<Item = Vec<usize>> {
        (0..extents.iter().product()).map(|mut number| {
            let mut coordinate: Vec<usize> = extents
                .iter()
                .rev()
                .map(|extent| {
                    let index = number % extent;
                    number /= extent;
                    index
                })
                .collect();
            coordinate.reverse();
            coordinate
        })
    }

    const FORMATS: [&str; 5] = [
        "NCHW<2, 6, 5, 70>",
        "NHWC<N = 2, C = 6, H = 5, W = 7>",
        "NCHW4c<2, 6, 5, 7>",
        "NHWC<N = 2, C = 8, H = 4, W = 8>",
        "WHCN<W = 300, H = 2, C = 1, N = 3>",
    ];

    fn layouts(element: ElementType) -> impl Iterator<Item = Layout> {
        FORMATS.into_iter().enumerate().map(move |(i, format)| {
            let options = ["pad", "pad", "pad", "pad, swizzle(2, 1, 3)", "pad"][i];
            Layout::parse(&std::format!("{format}, {element}, {options}")).unwrap()
        })
    }

    fn check<S: Number>(unit: impl Fn(usize) -> S::Unit, of: impl Fn(S) -> f64) {
        for layout in layouts(S::TYPE) {
            let units: Vec<S::Unit> = (0..layout.units()).map(&unit).collect();
            let pair = Pair::new(&layout, &layout).unwrap();
            for axis in (0..layout.rank()).map(Some).chain([None]) {
                let count = axis.map_or(1, |axis| layout.extent(axis));
                let (mut largest, mut sums) = (std::vec![0.0f64; count], std::vec![0; count]);
                for coordinate in coordinates(layout.extents()) {
                    let element = S::read(&units, layout.offset(&coordinate)).unwrap();
                    let at = axis.map_or(0, |axis| coordinate[axis]);
                    largest[at] = largest[at].max(of(element).abs());
                    sums[at] += of(element) as i64;
                }
                let mut found = std::vec![0.0; count];
                assert_eq!(raise_magnitudes::<S>(&pair, axis, &units, &mut found), Ok(()));
                assert_eq!(found, largest, "{layout} along {axis:?}");
                let mut found = std::vec![0; count];
                if add_sums::<S>(&pair, axis, &units, &mut found).is_ok() {
                    assert_eq!(found, sums, "{layout} along {axis:?}");
                }
            }
        }
    }

    #[test]
    fn magnitudes_and_sums_are_those_of_all_coordinates() {
        let mixed = |i: usize| i.wrapping_mul(0x9e37_79b9) >> 7;
        check::<i8>(|i| mixed(i) as i8, f64::from);
        check::<i4>(|i| mixed(i) as u8, |one| one.get().into());
        check::<u2>(|i| mixed(i) as u8, |one| one.get().into());
        check::<i32>(|i| mixed(i) as i32, f64::from);
        check::<f32>(|i| mixed(i) as i16 as f32 / 8.0, f64::from);
        check::<f64>(|i| mixed(i) as i32 as f64 / 3.0, |one| one);
    }

    #[test]
    fn what_is_not_finite_is_named() {
        for layout in layouts(ElementType::F32) {
            let pair = Pair::new(&layout, &layout).unwrap();
            let last: Vec<usize> = layout.extents().iter().map(|extent| extent - 1).collect();
            for (value, axis) in [(f32::NAN, None), (f32::NEG_INFINITY, Some(1))] {
                let mut units = std::vec![1.0; layout.units()];
                units[layout.offset(&last)] = value;
                let mut found = std::vec![0.0; layout.extent(1)];
                let result = raise_magnitudes::<f32>(&pair, axis, &units, &mut found);
                assert_eq!(result, Err(layout.offset(&last)), "{layout}");
            }
        }
    }
}
