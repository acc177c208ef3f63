//! Conversions of elements.

use core::ffi::{c_char, c_int, c_void};

use tensor_layout::plain;
use tensor_layout::{
    Conversion, ConversionPlan, Element, ElementType, Layout, Number, Rounding, bf16, f8e4m3,
    f8e5m2, f16, i4, u4,
};

use crate::c_memory::{Sides, slice};
use crate::c_plans::check_bytes;
use crate::c_stored::{LayoutOfC, exported, null};
use crate::c_text::{Fault, Status, report};

/// What happens to the elements: `tl_conversion`.
#[repr(C)]
#[derive(Debug)]
pub struct ConversionOfC {
    size: usize,
    kind: c_int,
    axis: c_char,
    count: usize,
    scales: *const f32,
    zero_points: *const i32,
    means: *const f32,
    half_away: c_int,
    saturate: c_int,
}

impl ConversionOfC {
    /// Returns the conversion.
    ///
    /// # Safety
    /// The lists must be null or have `count` values, which nothing changes while the result is used.
    unsafe fn conversion(&self) -> Result<Conversion<'_>, Fault> {
        if self.size != size_of::<Self>() {
            return Err(argument(
                "`size` is not that of tl_conversion; set it to `sizeof` the struct",
            ));
        }
        let choices = (self.half_away != 0, self.saturate != 0);
        if self.kind == 0 {
            return conversion_of(0, None, Default::default(), choices).ok_or_else(null);
        }
        self.check()?;
        // SAFETY: the caller's promise.
        let scales = unsafe { slice(self.scales, self.count) }?;
        let (zero_points, means) = (self.zero_points, self.means);
        let is_each = self.axis != 0;
        // One that is missing is 0 if there is one in all.
        let zero_points = match zero_points.is_null() && !is_each {
            true => &[0][..],
            false if self.kind == 3 => &[],
            // SAFETY: the caller's promise.
            false => unsafe { slice(zero_points, self.count) }?,
        };
        let means = match means.is_null() && !is_each {
            true => &[0.0][..],
            false if self.kind != 3 => &[],
            // SAFETY: the caller's promise.
            false => unsafe { slice(means, self.count) }?,
        };
        let axis = is_each.then_some(char::from(self.axis as u8));
        // One scale has one of each, as checked above.
        conversion_of(self.kind, axis, (scales, zero_points, means), choices).ok_or_else(null)
    }

    /// Returns an error unless the lists are those of the kind, which is not a cast.
    fn check(&self) -> Result<(), Fault> {
        let is_each = self.axis != 0;
        Err(argument(if !(1..=3).contains(&self.kind) {
            "`kind` is not a tl_conversion_kind; write TL_CAST, TL_QUANTIZE, TL_DEQUANTIZE or TL_NORMALIZE"
        } else if self.scales.is_null() {
            "`scales` is NULL; give one for each coordinate of the axis, or one"
        } else if !is_each && self.count != 1 {
            "without an axis there is one scale; set `count` to 1, or `axis` to a letter"
        } else if is_each && self.zero_points.is_null() && self.kind < 3 {
            "`zero_points` is NULL; with an axis there is one for each scale, give 0 for each"
        } else if is_each && self.means.is_null() && self.kind == 3 {
            "`means` is NULL; with an axis there is one for each scale, give 0 for each"
        } else {
            return Ok(());
        }))
    }
}

/// Returns the conversion of a `tl_conversion_kind` with these scales, zero points and means: one in all, or one for each
/// coordinate of an axis. `choices` say whether halves are rounded away from 0, and whether floats saturate. `None` if the kind
/// is another number, or several parameters have no axis.
pub fn conversion_of<'a>(
    kind: c_int,
    axis: Option<char>,
    (scales, zero_points, means): (&'a [f32], &'a [i32], &'a [f32]),
    (half_away, saturates): (bool, bool),
) -> Option<Conversion<'a>> {
    let conversion = match (kind, axis, scales, zero_points, means) {
        (0, ..) => Conversion::cast(),
        (1, None, &[scale], &[zero_point], _) => Conversion::quantize(scale, zero_point),
        (2, None, &[scale], &[zero_point], _) => Conversion::dequantize(scale, zero_point),
        (3, None, &[scale], _, &[mean]) => Conversion::normalize(mean, scale),
        (1, Some(axis), ..) => Conversion::quantize_per_axis(axis, scales, zero_points),
        (2, Some(axis), ..) => Conversion::dequantize_per_axis(axis, scales, zero_points),
        (3, Some(axis), ..) => Conversion::normalize_per_axis(axis, means, scales),
        _ => return None,
    };
    let rounding = if half_away { Rounding::HalfAway } else { Rounding::HalfEven };
    let conversion = conversion.rounding(rounding);
    Some(if saturates { conversion.saturating() } else { conversion })
}

/// An argument is wrong.
fn argument(text: &'static str) -> Fault {
    Fault::Fixed(Status::Argument, text)
}

/// Runs a conversion between these types of elements.
fn run<S: Number, D: Number>(
    (source, destination): (&Layout, &Layout),
    conversion: &Conversion<'_>,
    (from, to): (&[u8], &mut [u8]),
) -> Result<(), Fault> {
    let plan = ConversionPlan::<S, D>::new(source, destination, conversion)?;
    let unaligned = || {
        Fault::Fixed(
            Status::Memory,
            "a buffer is not aligned to its elements; give one that begins at a multiple of their size",
        )
    };
    // Without bytes, an address need not be aligned.
    let from = match from {
        [] => &[],
        from => plain::try_cast::<u8, S::Unit>(from).ok_or_else(unaligned)?,
    };
    let to = match to {
        [] => &mut [],
        to => plain::try_cast_mut::<u8, D::Unit>(to).ok_or_else(unaligned)?,
    };
    Ok(plan.run(from, to)?)
}

/// Moves a tensor to another layout, and its elements to another type, of which one is `f32`. The bytes begin at
/// multiples of the sizes of their elements.
///
/// # Errors
/// - [`ConversionPlan::new`] or [`ConversionPlan::run`] returns an error.
/// - Neither type is `f32`, or the other one is not among those that the error lists.
/// - Bytes are not aligned to their elements.
pub fn convert_bytes(
    layouts: (&Layout, &Layout),
    conversion: &Conversion<'_>,
    bytes: (&[u8], &mut [u8]),
) -> Result<(), Fault> {
    macro_rules! run {
        ($($element:ident)*) => {
            match (layouts.0.element(), layouts.1.element()) {
                $((kind, ElementType::F32) if kind == <$element as Element>::TYPE => {
                    run::<$element, f32>(layouts, conversion, bytes)
                })*
                $((ElementType::F32, kind) if kind == <$element as Element>::TYPE => {
                    run::<f32, $element>(layouts, conversion, bytes)
                })*
                _ => Err(Fault::Fixed(
                    Status::Unsupported,
                    "the library converts to and from f32 alone, and of these types: i8, u8, i16, u16, i32, u32, i4, \
                     u4, f16, bf16, f32, f64, f8e4m3 and f8e5m2; convert to f32 first",
                )),
            }
        };
    }
    run!(i8 u8 i16 u16 i32 u32 i4 u4 f16 bf16 f32 f64 f8e4m3 f8e5m2)
}

exported! { report;
    /// Moves a tensor to another layout, and its elements to another type.
    fn tl_convert(
        &source_layout: LayoutOfC,
        &destination_layout: LayoutOfC,
        conversion: *const ConversionOfC,
        source: *const c_void,
        source_bytes: usize,
        destination: *mut c_void,
        destination_bytes: usize,
    ) {
        let sides = Sides { source, source_bytes, destination, destination_bytes };
        // SAFETY: the caller's promise.
        let conversion = unsafe { conversion.as_ref() }.ok_or_else(null)?;
        // SAFETY: the caller's promise.
        let conversion = unsafe { conversion.conversion() }?;
        check_bytes(&sides, (source_layout.bytes(), destination_layout.bytes()))?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { sides.slices() }?;
        convert_bytes((source_layout, destination_layout), &conversion, bytes)
    }
}
