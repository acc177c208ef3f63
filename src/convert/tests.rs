//! Forces each instruction set of the CPU in turn and compares it with the arithmetic of the tests' oracle: all
//! operations, unaligned buffers, guards around the destination.

#[path = "../../tests/src/support/arithmetic.rs"]
mod arithmetic;

use std::vec::Vec;

#[cfg(all(target_arch = "x86_64", target_os = "linux", feature = "std"))]
use layout_kernels::Isa;
use layout_kernels::{LINE, Runs, converters};
use layout_types::numbers::{Arithmetic, Number};
use layout_types::plain;
use layout_types::{Conversion, Coordinates, FixedPoint, Layout, Rounding};

use super::element_loops::Elements;
use super::plan::ConversionPlan;
use super::run::convert_with;
use crate::{HighFirst, bf16, f4e2m1, f8e4m3, f8e5m2, f16, i2, i4, u1, u2, u4};
use arithmetic::Scalar::Float;
use arithmetic::{Element, Kind, Operation, Requantize, Scalar, elements};

const CHANNELS: usize = 5;
const SCALES: [f32; CHANNELS] = [0.05, 1.0, 3.7, 1e-3, 2.0];
const ZERO_POINTS: [i32; CHANNELS] = [3, 0, 7, 1, 2];
const MEANS: [f32; CHANNELS] = [0.0, 123.675, -7.5, 1e-3, 3.0];

const MULTIPLIERS: [i32; CHANNELS] = [0x5a82_799a, i32::MAX, 1 << 30, 0x7654_3210, 0];
const SHIFTS: [i32; CHANNELS] = [-3, -1, -31, -20, -7];
const SINGLE: FixedPoint = FixedPoint::single().zero_point(3);
const DOUBLE: FixedPoint = FixedPoint::double().zero_point(3);

const STREAMING: [bool; 2] = [false, true];

/// A conversion, and its operation at a channel.
type Case = (Conversion<'static>, fn(usize) -> Operation);

/// The product with the factor of a channel.
fn product(channel: usize, single: bool) -> Operation {
    Operation::Requantize(Requantize {
        multiplier: MULTIPLIERS[channel],
        shift: SHIFTS[channel],
        zero_points: (0, 3),
        range: (i32::MIN, i32::MAX),
        single,
    })
}

/// Returns all conversions from `S` to `D`.
fn conversions<S: Number, D: Number>() -> Vec<Case> {
    let mut all: Vec<Case> = std::vec![(Conversion::cast(), |_| Operation::Cast)];
    if !S::INTEGER && D::INTEGER && size_of::<D::Held>() < 8 {
        all.push((Conversion::quantize(0.1, 3), |_| Operation::Quantize {
            scale: 0.1,
            zero_point: 3,
        }));
        all.push((Conversion::quantize_per_axis('C', &SCALES, &ZERO_POINTS), |channel| {
            Operation::Quantize { scale: SCALES[channel], zero_point: ZERO_POINTS[channel] }
        }));
    }
    if S::INTEGER && !D::INTEGER && size_of::<S::Held>() < 8 {
        all.push((Conversion::dequantize(0.1, 3), |_| Operation::Dequantize {
            scale: 0.1,
            zero_point: 3,
        }));
        all.push((Conversion::dequantize_per_axis('C', &SCALES, &ZERO_POINTS), |channel| {
            Operation::Dequantize { scale: SCALES[channel], zero_point: ZERO_POINTS[channel] }
        }));
    }
    if !D::INTEGER {
        all.push((Conversion::normalize(-7.5, 0.3), |_| Operation::Normalize {
            mean: -7.5,
            scale: 0.3,
        }));
        all.push((Conversion::normalize_per_axis('C', &MEANS, &SCALES), |channel| {
            Operation::Normalize { mean: MEANS[channel], scale: SCALES[channel] }
        }));
    }
    if S::INTEGER && D::INTEGER && size_of::<D::Held>() < 8 {
        all.push((Conversion::cast().wrapping(), |_| Operation::Offset { offset: 0, wraps: true }));
    }
    let is = |conversion: Conversion<'_>| conversion.check_elements(S::TYPE, D::TYPE).is_ok();
    if is(Conversion::offset(-100)) {
        all.push((Conversion::offset(-100), |_| Operation::Offset { offset: -100, wraps: false }));
    }
    if is(Conversion::requantize(0, 0, SINGLE)) {
        all.push((Conversion::requantize(MULTIPLIERS[0], SHIFTS[0], SINGLE), |_| product(0, true)));
        all.push((Conversion::requantize(MULTIPLIERS[1], SHIFTS[1], DOUBLE), |_| {
            product(1, false)
        }));
        all.push((
            Conversion::requantize_per_axis('C', &MULTIPLIERS, &SHIFTS, SINGLE),
            |channel| product(channel, true),
        ));
        all.push((
            Conversion::requantize_per_axis('C', &MULTIPLIERS, &SHIFTS, DOUBLE),
            |channel| product(channel, false),
        ));
    }
    all
}

/// Converts a tensor with each instruction set and element by element, and compares the results.
fn check<S: Element, D: Element>() {
    // Longer than the vectors of every kernel, and not a multiple of them.
    check_of::<S, D>([2, CHANNELS, 3, 43]);
}

/// Returns the units of `source` with these elements, after one unit that makes them unaligned.
fn unaligned<S: Element>(source: &Layout, elements: &[S]) -> Vec<S::Unit> {
    let mut units = std::vec![plain::zero(); source.units() + 1];
    for (offset, &element) in elements.iter().enumerate() {
        S::write(&mut units[1..], offset, element).unwrap();
    }
    units
}

/// Returns where to write: at a cache line, or one unit after it. Only whole lines are stored non-temporally.
fn start_in<U>(output: &[U], after: usize) -> usize {
    output[1..].as_ptr().align_offset(LINE) + 1 + after
}

/// For each coordinate of both tensors: its channel, and the offsets.
fn places(source: Layout, destination: Layout) -> Vec<[usize; 3]> {
    Coordinates::<4>::new(destination)
        .map(|at| [at[1], source.offset(&at), destination.offset(&at)])
        .collect()
}

/// What the oracle makes of the values at each place.
fn expected(
    values: &[Scalar],
    places: &[[usize; 3]],
    [from, to]: [Kind; 2],
    operation: fn(usize) -> Operation,
    away: bool,
) -> Vec<Scalar> {
    let one = |&[channel, at, _]: &[usize; 3]| {
        arithmetic::converted(values[at], from, to, operation(channel), away)
    };
    places.iter().map(one).collect()
}

/// The same for tensors of these extents.
fn check_of<S: Element, D: Element>(extents: [usize; 4]) {
    for (from, to, backwards) in [
        ("NCHW", "NCHW", None),
        ("NHWC", "NHWC", None),
        ("NHWC", "NCHW", None),
        ("NCHW", "NCHW4", None),
        ("NHWC", "NCHW", Some('C')),
        ("NCHW", "NHWC", Some('W')),
    ] {
        let layout =
            |format, element| Layout::builder(format, element).pad(0).extents(&extents).unwrap();
        let (mut source, destination) = (layout(from, S::TYPE), layout(to, D::TYPE));
        if let Some(axis) = backwards {
            source = source.flip(axis).unwrap();
        }
        let inputs = elements::<S>(source.len());
        let values: Vec<_> = inputs.iter().map(|input| input.scalar()).collect();
        let input = unaligned(&source, &inputs);
        let places = places(source, destination);
        for (i, (conversion, operation)) in conversions::<S, D>().into_iter().enumerate() {
            for (rounding, away) in [(Rounding::HalfEven, false), (Rounding::HalfAway, true)] {
                let conversion = conversion.rounding(rounding);
                let plan = ConversionPlan::<S, D>::new(&source, &destination, &conversion).unwrap();
                // Any rule is good that takes all kinds of stores to every conversion.
                let plan = plan.streaming(STREAMING[(i / 2 + usize::from(away)) % 2]);
                let kinds = [S::KIND, D::KIND];
                let expected = expected(&values, &places, kinds, operation, away);
                let sets = converters::<Elements<S, D>>().filter(|(set, _)| set.is_available());
                for (set, converter) in sets {
                    let guard: D::Unit = plain::from_bits(0xa5a5_a5a5_a5a5_a5a5);
                    let mut output = std::vec![guard; destination.units() + LINE + 3];
                    let start = start_in(&output, i % 2);
                    let end = start + destination.units();
                    // SAFETY: the CPU has the instruction set, and the lengths are those of the plan.
                    unsafe {
                        convert_with(converter, &plan, &input[1..], &mut output[start..end]);
                    }
                    let guarded = output[..start].iter().chain(&output[end..]);
                    assert!(guarded.copied().all(|unit| unit == guard), "outside");
                    for (&[channel, from, to], &expected) in places.iter().zip(&expected) {
                        let own = D::read(&output[start..end], to).unwrap().scalar();
                        assert!(
                            arithmetic::same(own, expected),
                            "{set}: {:?} becomes {own:?}, not {expected:?}, by {:?}, away {away}, \
                             {source} to {destination}",
                            values[from],
                            operation(channel),
                        );
                    }
                }
            }
        }
    }
}

/// Tests of pairs of types. With `few_types`, for valgrind, sources are unsigned integers and all floats but `bf16`.
macro_rules! pairs {
    ($($(#[$only:meta])? $name:ident: $source:ident to $($destination:ident)*;)*) => {$(
        $(#[$only])?
        #[test]
        fn $name() {
            $(check::<$source, $destination>();)*
        }
    )*};
}

pairs! {
    #[cfg(not(few_types))]
    from_i4: i4 to i4 u4 i8 f16 f32;
    from_u4: u4 to i4 u8 bf16 f32 f64;
    #[cfg(not(few_types))]
    from_i8: i8 to i8 u8 i16 f16 bf16 f32 f64;
    from_u8: u8 to i8 u8 u4 f16 bf16 f32 f64;
    #[cfg(not(few_types))]
    from_i16: i16 to i8 u8 i32 f16 f32;
    from_u16: u16 to i8 i16 u64 bf16 f32;
    #[cfg(not(few_types))]
    from_i32: i32 to i8 u8 u32 i64 f16 f32 f64;
    from_u32: u32 to u8 i32 u64 bf16 f32 f64;
    #[cfg(not(few_types))]
    from_i64: i64 to i8 i32 u64 bf16 f32 f64;
    from_u64: u64 to u8 i64 u32 f16 f32 f64;
    from_f16: f16 to i4 i8 u8 i16 u32 u64 f16 bf16 f8e5m2 f32 f64;
    #[cfg(not(few_types))]
    from_bf16: bf16 to u4 i8 u16 i64 f16 bf16 f32;
    from_f32: f32 to i4 u4 i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f8e4m3 f32 f64;
    from_f64: f64 to i4 i8 u16 i32 u32 i64 u64 f16 bf16 f32 f64;
    #[cfg(not(few_types))]
    from_f8e4m3: f8e4m3 to i8 f16 f32 f64;
}

/// Tests tensors of several tiles, including shorter tiles at the ends. Six tiles of bytes converted to floats would
/// fit the scratch buffer, but not as whole cache lines.
#[test]
fn tiles() {
    let extents = [1, CHANNELS, 90, 43];
    check_of::<u8, f32>(extents);
    check_of::<f32, i8>(extents);
    check_of::<f32, f16>(extents);
}

/// Converts all halves to floats. Converts back all floats that are halves, that lie in the middle of two halves, or
/// next to either. Compares each instruction set with the crate `half`.
#[test]
fn every_half() {
    let halves: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let near = |half: &f16| {
        let own = half.to_f32().to_bits();
        [own - 1, own, own + 1, own + 0xfff, own + 0x1000, own + 0x1001].map(f32::from_bits)
    };
    let floats: Vec<f32> =
        halves.iter().filter(|half| half.to_bits() & 0x7fff > 0).flat_map(near).collect();
    let runs = |length| Runs {
        count: 1,
        length,
        source: 0,
        source_step: 0,
        destination: 0,
        destination_step: 0,
        ahead: false,
    };
    for (set, converter) in converters::<Elements<f16, f32>>().filter(|set| set.0.is_available()) {
        let mut wide = std::vec![0.0; halves.len()];
        // SAFETY: the CPU has the features of this instruction set.
        unsafe { converter(&runs(halves.len()), &Arithmetic::Cast, &halves, &mut wide) };
        for (half, own) in halves.iter().zip(wide) {
            let (a, b) = (Float(own.into()), Float(half.to_f64()));
            assert!(arithmetic::same(a, b), "{set}: {half} becomes {own}");
        }
    }
    for (set, converter) in converters::<Elements<f32, f16>>().filter(|set| set.0.is_available()) {
        let mut narrow = std::vec![f16::ZERO; floats.len()];
        // SAFETY: the CPU has the features of this instruction set.
        unsafe { converter(&runs(floats.len()), &Arithmetic::Cast, &floats, &mut narrow) };
        for (float, own) in floats.iter().zip(narrow) {
            let (a, b) = (Float(own.to_f64()), Float(f16::from_f32_const(*float).to_f64()));
            assert!(arithmetic::same(a, b), "{set}: {float:e} becomes {own}");
        }
    }
}

/// Checks that no instruction set of the CPU is skipped silently.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux", feature = "std"))]
fn no_set_of_the_cpu_is_left_out() {
    let info = std::fs::read_to_string("/proc/cpuinfo").expect("a list of what the CPU can do");
    let flags = info.lines().find(|line| line.starts_with("flags")).expect("a line of flags");
    let has = |features: &[&str]| {
        features.iter().all(|feature| flags.split_whitespace().any(|flag| flag == *feature))
    };
    let expected = [
        (Isa::Portable, true),
        (Isa::Avx2, has(&["avx2", "f16c"])),
        (Isa::Avx512, has(&["avx512f", "avx512bw", "avx512dq", "avx512vl", "f16c"])),
    ];
    let found = converters::<Elements<f32, i8>>().map(|(set, _)| (set, set.is_available()));
    assert!(found.eq(expected));
}
