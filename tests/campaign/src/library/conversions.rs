//! Conversions of bytes, for some pairs of element types.

use tensor_layout::plain::{cast, cast_mut};
use tensor_layout::{
    Conversion, ConversionPlan, Dynamic, FixedPoint, Layout, Number, Rounding, Tensor, bf16,
    f8e5m2, f16, i4, u1, u4,
};

use super::layouts::with_rank;
use super::threads::{Threads, for_each};
use crate::arithmetic::{F32, F64, Kind, Operation, Parameters, Value};
use crate::check::converts::Converted;

/// A number with its kind and value.
trait Numeral: Number {
    const KIND: Kind;
    fn value(self) -> Value;
}

macro_rules! numerals {
    ($($type:ident $kind:expr, $one:ident => $value:expr;)*) => {$(
        impl Numeral for $type {
            const KIND: Kind = $kind;

            fn value(self) -> Value {
                let $one = self;
                $value
            }
        }
    )*};
}

numerals! {
    u1 Kind::Integer(0, 1), one => Value::Integer(one.get().into());
    i4 Kind::Integer(-8, 7), one => Value::Integer(one.get().into());
    u4 Kind::Integer(0, 15), one => Value::Integer(one.get().into());
    i8 Kind::Integer(i8::MIN as i128, i8::MAX as i128), one => Value::Integer(one.into());
    u8 Kind::Integer(0, u8::MAX as i128), one => Value::Integer(one.into());
    i16 Kind::Integer(i16::MIN as i128, i16::MAX as i128), one => Value::Integer(one.into());
    i32 Kind::Integer(i32::MIN as i128, i32::MAX as i128), one => Value::Integer(one.into());
    i64 Kind::Integer(i64::MIN as i128, i64::MAX as i128), one => Value::Integer(one.into());
    f16 Kind::Float(11, -14, 15), one => Value::Float(one.to_f64());
    f8e5m2 Kind::Float(3, -14, 15), one => Value::Float(one.to_f32().into());
    bf16 Kind::Float(8, -126, 127), one => Value::Float(one.to_f64());
    f32 F32, one => Value::Float(one.into());
    f64 F64, one => Value::Float(one);
}

/// Converts bytes from a layout to another.
type Run = fn(&Layout, &Layout, &Converted, &[u8], &mut [&mut [u8]]) -> Result<(), String>;
/// Reads the number at an offset.
type Read = fn(&[u8], usize) -> Value;

/// A pair of element types.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The name of the source's elements.
    pub source: &'static str,
    /// The name of the destination's elements.
    pub destination: &'static str,
    /// The kinds of both.
    pub kinds: (Kind, Kind),
    run: Run,
    values: (Read, Read),
}

impl Pair {
    /// The number at an offset of a source.
    pub fn source_value(&self, buffer: &[u8], offset: usize) -> Value {
        (self.values.0)(buffer, offset)
    }

    /// The number at an offset of a destination.
    pub fn destination_value(&self, buffer: &[u8], offset: usize) -> Value {
        (self.values.1)(buffer, offset)
    }
}

macro_rules! pairs {
    ($($source:ident to $destination:ident,)*) => {
        /// The pairs of element types that the campaign converts.
        pub const PAIRS: &[Pair] = &[$(Pair {
            source: stringify!($source),
            destination: stringify!($destination),
            kinds: (<$source as Numeral>::KIND, <$destination as Numeral>::KIND),
            run: run::<$source, $destination>,
            values: (value::<$source>, value::<$destination>),
        },)*];
    };
}

pairs! {
    u8 to f32, f32 to u8, f32 to i8, i8 to f32, u8 to f16, f16 to f32, f32 to f16, f32 to bf16,
    i32 to i8, i64 to f64, f64 to f32, i4 to f32, f32 to u4, u8 to u8, i16 to u4, f32 to f32,
    f32 to f8e5m2, f8e5m2 to f32, u1 to i8, f32 to u1, u4 to i4,
}

fn value<E: Numeral>(buffer: &[u8], offset: usize) -> Value {
    E::read(cast(buffer), offset).expect("an offset of the buffer").value()
}

/// Converts a tensor in bytes, which must be aligned for the elements, to each of some destinations, on these threads
/// if there are any.
///
/// # Errors
/// What the library says against it.
pub fn convert(
    pair: &Pair,
    layouts: (&Layout, &Layout),
    how: &Converted,
    source: &[u8],
    destinations: &mut [&mut [u8]],
    threads: Option<Threads>,
) -> Result<(), String> {
    match threads {
        None => (pair.run)(layouts.0, layouts.1, how, source, destinations),
        Some(threads) => {
            threads.run(|| (pair.run)(layouts.0, layouts.1, how, source, destinations))
        }
    }
}

fn run<S, D>(
    from: &Layout,
    to: &Layout,
    how: &Converted,
    source: &[u8],
    destinations: &mut [&mut [u8]],
) -> Result<(), String>
where
    S: Number<Unit: Sync> + Sync,
    D: Number + Sync,
{
    with_conversion(how, |conversion| {
        let plan =
            ConversionPlan::<S, D>::new(from, to, conversion).map_err(|error| error.to_string())?;
        let plan = match how.is_streaming {
            Some(is_streaming) => plan.streaming(is_streaming),
            None => plan,
        };
        for_each(destinations, |(_, destination)| {
            plan.run(cast(source), cast_mut(destination)).map_err(|error| error.to_string())
        })
    })
}

/// Calls a function with the library's value of a conversion.
fn with_conversion<T>(how: &Converted, run: impl FnOnce(&Conversion<'_>) -> T) -> T {
    let list =
        |field: fn(&Parameters) -> f32| how.parameters.iter().map(field).collect::<Vec<f32>>();
    let (scales, means) = (list(|one| one.scale), list(|one| one.mean));
    let zero_points: Vec<i32> = how.parameters.iter().map(|one| one.zero_point).collect();
    let multipliers: Vec<i32> = how.parameters.iter().map(|one| one.multiplier).collect();
    let shifts: Vec<i32> = how.parameters.iter().map(|one| one.shift).collect();
    let fixed = if how.is_away { FixedPoint::double() } else { FixedPoint::single() };
    let fixed = fixed.zero_point(zero_points.first().copied().unwrap_or(0));
    let conversion = match (&how.operation, how.axis) {
        (Operation::Cast, _) => Conversion::cast(),
        (Operation::Quantize, None) => Conversion::quantize(scales[0], zero_points[0]),
        (Operation::Quantize, Some(axis)) => {
            Conversion::quantize_per_axis(axis, &scales, &zero_points)
        }
        (Operation::Dequantize, None) => Conversion::dequantize(scales[0], zero_points[0]),
        (Operation::Dequantize, Some(axis)) => {
            Conversion::dequantize_per_axis(axis, &scales, &zero_points)
        }
        (Operation::Normalize, None) => Conversion::normalize(means[0], scales[0]),
        (Operation::Normalize, Some(axis)) => Conversion::normalize_per_axis(axis, &means, &scales),
        (Operation::Requantize, None) => Conversion::requantize(multipliers[0], shifts[0], fixed),
        (Operation::Requantize, Some(axis)) => {
            Conversion::requantize_per_axis(axis, &multipliers, &shifts, fixed)
        }
    };
    let rounding = if how.is_away { Rounding::HalfAway } else { Rounding::HalfEven };
    run(&conversion.rounding(rounding))
}

/// Cuts a tensor of `i8` into chunks of an axis, and converts to each the same coordinates of a tensor of `f32`, the
/// chunks on several threads. `None` if the library has no such chunks.
///
/// # Errors
/// What the library says against it.
pub fn convert_chunks(
    layouts: (&Layout, &Layout),
    how: &Converted,
    source: &[u8],
    destination: &mut [u8],
    (axis, size): (char, usize),
    threads: Threads,
) -> Option<Result<(), String>> {
    threads.run(
        || with_rank!(layouts.0.rank(), chunks[](layouts, how, source, destination, (axis, size))),
    )
}

fn chunks<const RANK: usize>(
    (from, to): (&Layout, &Layout),
    how: &Converted,
    source: &[u8],
    destination: &mut [u8],
    (axis, size): (char, usize),
) -> Option<Result<(), String>> {
    let from = Dynamic::<f32, RANK>::new(*from).expect("the element and the rank");
    let to = Dynamic::<i8, RANK>::new(*to).expect("the element and the rank");
    let source = Tensor::with_layout(from, cast::<_, f32>(source)).ok()?;
    let tensor = Tensor::with_layout(to, cast_mut::<_, i8>(destination)).ok()?;
    let mut chunks: Vec<_> = tensor.chunks(axis, size).ok()?.collect();
    Some(with_conversion(how, |conversion| {
        for_each(&mut chunks, |(number, chunk)| {
            let own = chunk.layout();
            let extent = own.extents()[own.axis(axis).map_err(|error| error.to_string())?];
            let part = source.view::<RANK>(|layout| layout.slice(axis, number * size, 1, extent));
            part.and_then(|part| part.convert_into(chunk, conversion))
                .map_err(|error| error.to_string())
        })
    }))
}
