//! Conversions against arithmetic on one element at a time.

use super::moves::goes_together;
use super::views::{Built, build};
use super::{Verdict, bytes, element_of_bits, ensure, first_difference, position, read, write};
use crate::arithmetic::{self, Kind, Operation, Parameters};
use crate::guard::Buffer;
use crate::library::{self, PAIRS, Threads};
use crate::step::Viewed;
use crate::table::for_each_coordinate;
use test_support::Random;

/// What a conversion does.
#[derive(Clone, PartialEq, Debug)]
pub struct Converted {
    /// What it does to an element.
    pub operation: Operation,
    /// The axis whose coordinates have parameters of their own.
    pub axis: Option<char>,
    /// The parameters: of each coordinate of the axis, or of all.
    pub parameters: Vec<Parameters>,
    /// Whether halves are rounded away from zero, or products twice.
    pub is_away: bool,
    /// Whether stores are non-temporal, if the case says so.
    pub is_streaming: Option<bool>,
}

/// A conversion from one view to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    /// What is read.
    pub source: Viewed,
    /// What is written.
    pub destination: Viewed,
    /// Which of the pairs of element types.
    pub pair: usize,
    /// What happens to the elements.
    pub how: Converted,
    /// What the bytes and positions are made from.
    pub data: u64,
    /// The threads that run one plan at once, each to a destination of its own, if the case is about threads.
    pub threads: Option<Threads>,
}

/// The pair of element types whose tensors are also converted in chunks: `f32` to `i8`.
pub const CHUNKS: usize = 2;

/// Random parameters for a pair of kinds over these axes.
pub fn random(random: &mut Random, kinds: (Kind, Kind), axes: &[(char, usize)]) -> Converted {
    let is_quantized = |kind| matches!(kind, Kind::Integer(low, high) if high - low < 1 << 33);
    let is_float = |kind| matches!(kind, Kind::Float(..));
    let mut operations = vec![Operation::Cast];
    if is_float(kinds.0) && is_quantized(kinds.1) {
        operations.extend([Operation::Quantize, Operation::Quantize]);
    }
    if is_quantized(kinds.0) && is_float(kinds.1) {
        operations.push(Operation::Dequantize);
    }
    if is_float(kinds.1) {
        operations.push(Operation::Normalize);
    }
    if !is_float(kinds.0) && is_quantized(kinds.0) && !is_float(kinds.1) && is_quantized(kinds.1) {
        operations.extend([Operation::Requantize, Operation::Requantize]);
    }
    let operation = operations[random.below(operations.len())].clone();
    let axis = (!axes.is_empty() && operation != Operation::Cast && random.once_in(2))
        .then(|| random.pick(axes));
    let integer = match (&operation, kinds) {
        (Operation::Dequantize, (kind, _)) | (_, (_, kind)) => kind,
    };
    let zero_point = |random: &mut Random| match integer {
        Kind::Integer(low, high) => {
            let (low, high) = (low.max(-300) as i32, high.min(300) as i32);
            low + random.below((high - low + 1) as usize) as i32
        }
        Kind::Float(..) => 0,
    };
    // Kernels have a way of their own where all shifts are negative.
    let most = random.pick(&[6, 8]);
    let mut parameters: Vec<Parameters> = (0..axis.map_or(1, |axis| axis.1))
        .map(|_| Parameters {
            scale: random.pick(&[1.0, 0.5, 0.25, 0.1, 3.7, 0.007_843_138]),
            zero_point: zero_point(random),
            mean: random.pick(&[0.0, 127.5, -3.25, 0.1]),
            multiplier: (1 << 30) + random.below(1 << 30) as i32,
            shift: random.pick(&[-1, -2, -7, -9, -31, -24, 0, 3][..most]),
        })
        .collect();
    if let (Operation::Requantize, Some(first)) = (&operation, parameters.first().copied()) {
        // One for the whole tensor.
        parameters.iter_mut().for_each(|one| one.zero_point = first.zero_point);
    }
    let is_streaming = random.pick(&[None, Some(true), Some(false)]);
    Converted {
        operation,
        axis: axis.map(|axis| axis.0),
        parameters,
        is_away: random.once_in(2),
        is_streaming,
    }
}

/// The conversion succeeds if the two sides match, and changes nothing else.
///
/// # Errors
/// What went wrong.
pub fn check(case: &Conversion) -> Result<Verdict, String> {
    let nothing = |_: &Built| Ok(());
    let (Some(from), Some(to)) =
        (build(&case.source, nothing)?, build(&case.destination, nothing)?)
    else {
        return Ok(Verdict::Refused);
    };
    let pair = &PAIRS[case.pair];
    if let Some(axis) = case.how.axis {
        if to.table.extent(axis) != Some(case.how.parameters.len()) {
            return Ok(Verdict::Refused);
        }
    }
    let (source_element, element) = (case.source.root.element, case.destination.root.element);
    let mut random = Random::new(case.data, 1);
    let align = |built: &Built| library::facts(&built.layout).alignment.max(8);
    let source = sources(&mut random, pair.source, source_element.bytes_of(from.length));
    let source = Buffer::new(&source, position(&mut random, align(&from)));
    let before = bytes(&mut random, element.bytes_of(to.length));
    let goes = goes_together(&from, &to) && to.table.is_unique();
    let mut buffer = || Buffer::new(&before, position(&mut random, align(&to)));
    let mut destinations = vec![buffer()];
    destinations.extend((1..case.threads.map_or(1, |threads| threads.count)).map(|_| buffer()));
    let mut given: Vec<&mut [u8]> = destinations.iter_mut().map(Buffer::bytes_mut).collect();
    let layouts = (&from.layout, &to.layout);
    let found =
        library::convert(pair, layouts, &case.how, source.bytes(), &mut given, case.threads);
    for destination in &destinations {
        ensure!(destination.is_guarded() && source.is_guarded(), "writes outside");
        if let Err(error) = &found {
            ensure!(!goes, "is refused: {error}");
            ensure!(destination.bytes() == before, "a refused conversion writes");
            continue;
        }
        ensure!(goes, "the conversion is accepted; unique: {}", to.table.is_unique());
        compare(case, (&from, &to), source.bytes(), (&before, !to.is_view), destination.bytes())?;
    }
    if found.is_err() {
        return Ok(Verdict::Refused);
    }
    chunks(case, (&from, &to), source.bytes(), &before)?;
    Ok(Verdict::Done)
}

/// The same in chunks that threads convert at once, of the types for which the campaign has them.
fn chunks(
    case: &Conversion,
    (from, to): (&Built, &Built),
    source: &[u8],
    before: &[u8],
) -> Result<(), String> {
    let mut random = Random::new(case.data, 4);
    let letters = to.table.letters.iter().filter(|letter| case.how.axis != Some(**letter));
    let letters: Vec<char> = letters.copied().collect();
    let Some(threads) = case.threads.filter(|_| case.pair == CHUNKS && !letters.is_empty()) else {
        return Ok(());
    };
    let axis = random.pick(&letters);
    let extent = to.table.extent(axis).unwrap_or(0);
    let part = (axis, random.between(1, extent.clamp(1, 9)));
    // A chunk that is the whole tensor has its padding too.
    let is_filled = !to.is_view && part.1 >= extent;
    let place = position(&mut random, library::facts(&to.layout).alignment.max(8));
    let mut destination = Buffer::new(before, place);
    let layouts = (&from.layout, &to.layout);
    let found =
        library::convert_chunks(layouts, &case.how, source, destination.bytes_mut(), part, threads);
    ensure!(destination.is_guarded(), "writes outside of chunks");
    let Some(found) = found else { return Ok(()) };
    found
        .and_then(|()| compare(case, (from, to), source, (before, is_filled), destination.bytes()))
        .map_err(|text| format!("chunks {part:?}: {text}"))
}

/// Bytes of elements of a type: random bits, and halves of small numbers for floats.
fn sources(random: &mut Random, element: &str, count: usize) -> Vec<u8> {
    let mut all = bytes(random, count);
    let quarter = |random: &mut Random| (random.below(2400) as f64 - 1200.0) * 0.25;
    match element {
        "f32" => all.chunks_exact_mut(4).filter(|_| !random.once_in(3)).for_each(|one| {
            let value = f64::from(one[0]) * 0.5 - 40.0;
            one.copy_from_slice(&(value as f32).to_ne_bytes());
        }),
        "f64" => all.chunks_exact_mut(8).for_each(|one| {
            if !random.once_in(3) {
                one.copy_from_slice(&quarter(random).to_ne_bytes());
            }
        }),
        _ => {}
    }
    all
}

fn compare(
    case: &Conversion,
    (from, to): (&Built, &Built),
    source: &[u8],
    (before, is_filled): (&[u8], bool),
    after: &[u8],
) -> Result<(), String> {
    let (pair, how, root) = (&PAIRS[case.pair], &case.how, &case.destination.root);
    let element = root.element;
    let mut expected = before.to_vec();
    if is_filled {
        let fill = element_of_bits(root.pad.unwrap_or(0), element.bits());
        (0..to.length).for_each(|offset| write(&mut expected, element, offset, &fill));
    }
    let axes: Vec<usize> = from
        .table
        .letters
        .iter()
        .map(|letter| to.table.axis(*letter).expect("the same axes"))
        .collect();
    let parameter_axis = how.axis.and_then(|axis| to.table.axis(axis));
    let mut result = Ok(());
    for_each_coordinate(&to.table.extents, |coordinate| {
        let other: Vec<usize> = axes.iter().map(|&axis| coordinate[axis]).collect();
        let value = pair.source_value(source, from.table.at(&other));
        let with = how.parameters[parameter_axis.map_or(0, |axis| coordinate[axis])];
        let (kinds, is_away) = (pair.kinds, how.is_away);
        let wanted = arithmetic::convert(value, kinds.0, kinds.1, &how.operation, with, is_away);
        let offset = to.table.at(coordinate);
        let found = pair.destination_value(after, offset);
        if result.is_ok() && !found.is(wanted) {
            result = Err(format!("{value:?} at {coordinate:?} becomes {found:?}, not {wanted:?}"));
        }
        write(&mut expected, element, offset, &read(after, element, offset));
    });
    result?;
    match first_difference(after, &expected) {
        Some(text) => Err(format!("beside the elements {text}")),
        None => Ok(()),
    }
}
