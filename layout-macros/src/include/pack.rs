//! Moves the array of a file to its layout and converts it, as bytes for the target.

use layout_core::nests::{Padding, Pair, move_bits, move_elements};
use layout_core::{ElementType, Layout, LayoutError};
use layout_types::numbers::ByteOrder;
use layout_types::numbers::{
    ForNumber, Real, add_sums, convert_elements, is_convertible, is_wide, read_values, with_number,
};
use layout_types::plain::{self, Plain, zeros};
use layout_types::{Conversion, Number, Rounding};

use super::array::FileArray;
use super::change::{ElementChange, Kind};
use super::form::FileForm;
use super::scales::Scales;
use super::texts::{self, Problem};

/// What is included in the program.
pub(super) struct PackedArray {
    pub(super) bytes: Vec<u8>,
    pub(super) scales: Option<Scales>,
}

/// Packs the array, whose axes are those of `form`, into `destination`.
pub(super) fn pack(
    array: &FileArray<'_>,
    form: &FileForm,
    destination: &Layout,
    change: Option<&ElementChange>,
    target: ByteOrder,
) -> Result<PackedArray, Problem> {
    let (from, to) = (array.element, destination.element());
    let is_cast = |change: &ElementChange| matches!(change.kind, Kind::Cast);
    if from.low_first() == to.low_first() && change.is_none_or(is_cast) {
        let bytes = moved(array, &form.layout(from)?, destination, target)?;
        return Ok(PackedArray { bytes, scales: None });
    }
    let Some(change) = change else {
        return Err(Problem::File(texts::needs_change(array.path, from, destination)));
    };
    if !is_convertible(from, to) {
        return Err(Problem::File(texts::not_convertible(array.path, from, to)));
    }
    if let Kind::Quantize { .. } = change.kind {
        // Checks the file's own type, since the elements are read as floats whatever it is.
        Conversion::quantize(1.0, 0).check_elements(from, to)?;
    }
    let mut bytes = array.bytes.to_vec();
    reorder(&mut bytes, from, array.order, ByteOrder::NATIVE);
    let mut packed = match is_wide(from) {
        false => converted::<f32>(array.path, &values(from, &bytes)?, form, destination, change)?,
        true => converted::<f64>(array.path, &values(from, &bytes)?, form, destination, change)?,
    };
    reorder(&mut packed.bytes, to, ByteOrder::NATIVE, target);
    Ok(packed)
}

/// Converts the elements as `change` says.
fn converted<W: Number<Unit = W>>(
    path: &str,
    values: &[W],
    form: &FileForm,
    destination: &Layout,
    change: &ElementChange,
) -> Result<PackedArray, Problem> {
    let source = form.layout(W::TYPE)?;
    let (scales, rounding) = match change.kind {
        Kind::Cast => (None, Rounding::default()),
        Kind::Quantize { given: Some((scale, zero_point)), rounding } => {
            (Some(Scales::given(scale, zero_point)), rounding)
        }
        Kind::Quantize { given: None, rounding } => {
            let element = destination.element();
            if element.integer_range().is_some_and(|(low, _)| low == 0) {
                return Err(Problem::Change(texts::unsigned_scale(element)));
            }
            (Some(Scales::of(path, values, &source, change.axis, element)?), rounding)
        }
    };
    let conversion = scales.as_ref().map_or(Conversion::cast(), Scales::conversion);
    let conversion = conversion.rounding(rounding);
    let sums = scales.as_ref().map(|scales| vec![0; scales.values.len()]);
    let axis = change.axis.and_then(|letter| destination.letters().position(letter));
    let element = destination.element();
    let run = Run { values, source: &source, destination, conversion: &conversion, axis, sums };
    let refused = || Problem::File(texts::not_convertible(path, W::TYPE, element));
    let (bytes, sums) = with_number(element, run).ok_or_else(refused)??;
    let scales = scales.zip(sums).map(|(scales, sums)| scales.with_sums(sums));
    Ok(PackedArray { bytes, scales })
}

/// A conversion of floats.
struct Run<'a, S> {
    values: &'a [S],
    source: &'a Layout,
    destination: &'a Layout,
    conversion: &'a Conversion<'a>,
    /// The axis whose coordinates have sums.
    axis: Option<usize>,
    /// That number of zeros, if there are sums.
    sums: Option<Vec<i64>>,
}

impl<S: Number<Unit = S>> ForNumber for Run<'_, S> {
    /// Bytes in this machine's order, and sums.
    type Output = Result<(Vec<u8>, Option<Vec<i64>>), LayoutError>;

    fn run<D: Number>(self) -> Self::Output {
        let Self { values, source, destination, conversion, axis, mut sums } = self;
        let pair = Pair::new(source, destination)?;
        conversion.check(S::TYPE, D::TYPE, destination)?;
        let mut units = zeros::<D::Unit>(destination.units())?;
        fill_padding(destination, &mut units);
        convert_elements::<S, D>(&pair, conversion, values, &mut units);
        if let Some(sums) = &mut sums {
            add_sums::<D>(&Pair::new(destination, destination)?, axis, &units, sums)?;
        }
        Ok((plain::as_bytes(&units).to_vec(), sums))
    }
}

/// Moves the array without changing its elements.
fn moved(
    array: &FileArray<'_>,
    source: &Layout,
    destination: &Layout,
    target: ByteOrder,
) -> Result<Vec<u8>, Problem> {
    let pair = Pair::of_equal_elements(source, destination)?;
    let mut bytes = zeros(destination.bytes())?;
    let run = match source.element().bits() {
        0..8 => |pair: &Pair, from: &[u8], to: &mut [u8]| {
            fill_padding(pair.destination(), to);
            move_bits(pair, from, to);
        },
        8 => in_units::<u8>,
        16 => in_units::<[u8; 2]>,
        32 => in_units::<[u8; 4]>,
        _ => in_units::<[u8; 8]>,
    };
    // Padding is filled in this machine's byte order.
    let mut elements = array.bytes.to_vec();
    reorder(&mut elements, source.element(), array.order, ByteOrder::NATIVE);
    run(&pair, &elements, &mut bytes);
    reorder(&mut bytes, source.element(), ByteOrder::NATIVE, target);
    Ok(bytes)
}

/// Runs a relayout of bytes in units of more than one byte.
fn in_units<U: Plain>(pair: &Pair, from: &[u8], to: &mut [u8]) {
    let to = plain::cast_mut(to);
    fill_padding::<U>(pair.destination(), to);
    move_elements::<U>(pair, plain::cast(from), to);
}

/// Fills the padding of a layout, if it has any, in this machine's byte order.
fn fill_padding<U: Plain>(layout: &Layout, units: &mut [U]) {
    let Some(padding) = Padding::of(layout) else { return };
    padding.fill(units, plain::from_bits(layout.unit_of_fill()));
}

/// Converts elements of more than one byte to another byte order.
pub(super) fn reorder(bytes: &mut [u8], element: ElementType, from: ByteOrder, to: ByteOrder) {
    let size = element.bits() / 8;
    if from != to && size > 1 {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}

/// Reads the elements in `bytes`, which are in this machine's order, as floats.
fn values<W: Real>(element: ElementType, bytes: &[u8]) -> Result<Vec<W>, LayoutError> {
    let count = bytes.len() * 8 / element.bits();
    let mut values = zeros(count)?;
    read_values(element, bytes, &mut values);
    Ok(values)
}
