//! Conversions of bytes, for some pairs of element types.

use bytemuck::{cast_slice, cast_slice_mut};
use tensor_layout::{Conversion, ConversionPlan, Layout, Number, Rounding, bf16, f16, i4, u4};

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
    i4 Kind::Integer(-8, 7), one => Value::Integer(one.get().into());
    u4 Kind::Integer(0, 15), one => Value::Integer(one.get().into());
    i8 Kind::Integer(i8::MIN as i128, i8::MAX as i128), one => Value::Integer(one.into());
    u8 Kind::Integer(0, u8::MAX as i128), one => Value::Integer(one.into());
    i16 Kind::Integer(i16::MIN as i128, i16::MAX as i128), one => Value::Integer(one.into());
    i32 Kind::Integer(i32::MIN as i128, i32::MAX as i128), one => Value::Integer(one.into());
    i64 Kind::Integer(i64::MIN as i128, i64::MAX as i128), one => Value::Integer(one.into());
    f16 Kind::Float(11, -14, 15), one => Value::Float(one.to_f64());
    bf16 Kind::Float(8, -126, 127), one => Value::Float(one.to_f64());
    f32 F32, one => Value::Float(one.into());
    f64 F64, one => Value::Float(one);
}

/// Converts bytes from a layout to another.
type Run = fn(&Layout, &Layout, &Converted, &[u8], &mut [u8]) -> Result<(), String>;
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
}

fn value<E: Numeral>(buffer: &[u8], offset: usize) -> Value {
    E::read(cast_slice(buffer), offset).expect("an offset of the buffer").value()
}

/// Converts a tensor in bytes, which must be aligned for the elements.
///
/// # Errors
/// What the library says against it.
pub fn convert(
    pair: &Pair,
    layouts: (&Layout, &Layout),
    how: &Converted,
    source: &[u8],
    destination: &mut [u8],
) -> Result<(), String> {
    (pair.run)(layouts.0, layouts.1, how, source, destination)
}

fn run<S: Number, D: Number>(
    from: &Layout,
    to: &Layout,
    how: &Converted,
    source: &[u8],
    destination: &mut [u8],
) -> Result<(), String> {
    let list =
        |field: fn(&Parameters) -> f32| how.parameters.iter().map(field).collect::<Vec<f32>>();
    let (scales, means) = (list(|one| one.scale), list(|one| one.mean));
    let zero_points: Vec<i32> = how.parameters.iter().map(|one| one.zero_point).collect();
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
    };
    let rounding = if how.is_away { Rounding::HalfAway } else { Rounding::HalfEven };
    let plan = ConversionPlan::<S, D>::new(from, to, &conversion.rounding(rounding))
        .map_err(|error| error.to_string())?;
    let plan = match how.is_streaming {
        Some(is_streaming) => plan.streaming(is_streaming),
        None => plan,
    };
    tensor_layout::convert(&plan, cast_slice(source), cast_slice_mut(destination))
        .map_err(|error| error.to_string())
}
