//! Moves of elements between layouts that are known at run time.

use tensor_layout::plain;
use tensor_layout::{
    Conversion, ConversionPlan, Element, ElementType, Layout, LayoutError, Number, Plan, bf16,
    f8e4m3, f8e5m2, f16,
};

use crate::error::{CheckpointError, FileResult, refuse};

/// Whether [`move_elements`] converts between these elements.
pub(crate) fn is_converted(from: ElementType, to: ElementType) -> bool {
    let is_float = |element| FLOATS.contains(&element);
    from == to
        || from == ElementType::F32 && is_float(to)
        || to == ElementType::F32 && is_float(from)
        || is_half(from) && is_half(to)
}

const FLOATS: [ElementType; 5] = [
    ElementType::F16,
    ElementType::BF16,
    ElementType::F64,
    ElementType::F8E4M3,
    ElementType::F8E5M2,
];

fn is_half(element: ElementType) -> bool {
    element == ElementType::F16 || element == ElementType::BF16
}

/// The source's bytes and the destination's. `None` to plan alone.
type MovedBytes<'a> = Option<(&'a [u8], &'a mut [u8])>;

/// Moves a tensor to another layout, and its elements to another type. The slices begin at multiples of 8 bytes, or of
/// the elements. Elements are little endian.
pub(crate) fn move_elements(
    (from, to): (&Layout, &Layout),
    source: &[u8],
    destination: &mut [u8],
) -> FileResult<()> {
    planned((from, to), Some((source, destination)))
}

/// Returns an error if [`move_elements`] would, whatever the elements.
pub(crate) fn check_move((from, to): (&Layout, &Layout)) -> FileResult<()> {
    planned((from, to), None)
}

/// Plans a move, and runs it where there is memory.
fn planned((from, to): (&Layout, &Layout), bytes: MovedBytes<'_>) -> FileResult<()> {
    let (own, other) = (from.element(), to.element());
    let of = |error: LayoutError| CheckpointError::of(format!("{from} -> {to}"), error);
    if own == other {
        let plan = Plan::new(from, to).map_err(of)?;
        let Some((source, destination)) = bytes else { return Ok(()) };
        return plan.run_bytes(source, destination).map_err(of);
    }
    macro_rules! convert {
        ($($element:ident)*) => {
            match (own, other) {
                $((one, ElementType::F32) if one == <$element as Element>::TYPE => {
                    convert::<$element, f32>((from, to), bytes)
                })*
                $((ElementType::F32, one) if one == <$element as Element>::TYPE => {
                    convert::<f32, $element>((from, to), bytes)
                })*
                (ElementType::F16, ElementType::BF16) => {
                    convert::<f16, bf16>((from, to), bytes)
                }
                (ElementType::BF16, ElementType::F16) => {
                    convert::<bf16, f16>((from, to), bytes)
                }
                _ => return refuse(format!(
                    "{own} is not converted to {other}; conversions are those between f32 and f16, bf16, f64, \
                     f8e4m3, f8e5m2, and between f16 and bf16"
                )),
            }
        };
    }
    convert!(f16 bf16 f64 f8e4m3 f8e5m2).map_err(of)
}

fn convert<S: Number, D: Number>(
    (from, to): (&Layout, &Layout),
    bytes: MovedBytes<'_>,
) -> Result<(), LayoutError> {
    let plan = ConversionPlan::<S, D>::new(from, to, &Conversion::cast())?;
    let Some((source, destination)) = bytes else { return Ok(()) };
    if cfg!(target_endian = "little") {
        return plan.run(plain::cast(source), plain::cast_mut(destination));
    }
    let mut swapped = source.to_vec();
    reverse_elements(size_of::<S>(), &mut swapped);
    plan.run(plain::cast(&swapped), plain::cast_mut(destination))?;
    reverse_elements(size_of::<D>(), destination);
    Ok(())
}

/// Reverses the bytes of each element.
pub(crate) fn reverse_elements(size: usize, bytes: &mut [u8]) {
    bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
}
