//! One layout at the offsets of another: CuTe's composition.
//!
//! **Statement.** The coordinates of the outer layout are counted with the last axis fastest. Each offset of the inner
//! layout is such a count. At each coordinate of the inner layout, the composition has the offset of the outer
//! coordinate with that count.
//!
//! **Reason.** A count is a number in mixed radix, in the digits of all outer axes. Adding a stride of the inner
//! layout changes those digits in the same way each time, as long as nothing carries from one digit into the next.
//! Then the stride of the composition is the same step in the outer strides (`digits.rs`). If a step carries, the
//! following steps differ. Then a composition exists only if these steps are those of some digits (`carry_chain.rs`).
//!
//! **Example.** Rows of 6 elements 10 apart, and every third element: counts 0 3 6 9 12 have offsets 0 3 10 13 20. A
//! step of 3 divides 6 and never carries in between: digits of sizes 2, n and strides 3, 10. Every fourth element has
//! offsets 0 4 12 20 24. Their steps 4 8 8 4 8 8 are those of digits of sizes 3, n that begin at the third value.

use crate::algebra::AxisDigits;
use crate::layout::Layout;
use crate::spec::{LayoutError, Rule};

/// The coordinates of `outer` at the offsets of `inner`: CuTe's `composition`. Coordinates are counted with the last
/// axis fastest. The result has the axes of `inner` and the buffer of `outer`.
///
/// Law: `compose(a, b).offset(c) == a.offset(d)`, where `d` is the coordinate of `a` that `b.offset(c)` coordinates
/// precede.
///
/// The cost depends on the number of axes and blocks, not on extents. Where steps carry from one block of `outer`
/// into the next, the function looks at 4096 coordinates at most.
///
/// # Errors
/// - `inner` has an offset at which `outer` has no coordinate.
/// - The steps of `inner` leave a block of `outer` in such a way that no blocks describe the result, or 4096
///   coordinates do not show that they repeat.
/// - `inner` is swizzled.
///
/// ```
/// use tensor_layout::{ElementType, Layout, algebra};
///
/// // Every other column of a matrix, by a layout that does not mention rows and columns.
/// let matrix = Layout::of("KM", &[4, 6], ElementType::F32)?;
/// let pairs = Layout::from_strides("XY", &[4, 3], &[6, 2], ElementType::F32)?;
/// let composed = algebra::compose(&matrix, &pairs)?;
/// assert_eq!(composed.offset(&[3, 2]), matrix.offset(&[3, 4]));
///
/// let fours = Layout::from_strides("XY", &[4, 6], &[1, 4], ElementType::F32)?;
/// assert_eq!(
///     algebra::compose(&matrix, &fours).unwrap_err().to_string(),
///     "steps along axis `Y` of the inner layout land at different positions in the outer layout's \
///      blocks of 6; write strides and extents that divide the block, or move the tensor to another \
///      format first",
/// );
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub const fn compose(outer: &Layout, inner: &Layout) -> Result<Layout, LayoutError> {
    if inner.swizzle().is_some() {
        return Err(LayoutError(Rule::Swizzled { operation: "the inner side of `compose`" }));
    }
    if outer.swizzle().is_some() {
        // The outer swizzle is applied after all offsets.
        let mut view = ok!(compose(&outer.linear(), inner));
        view.buffer.after = outer.buffer.after;
        return Ok(view);
    }
    let mut view = outer.origin();
    let (count, span) = (outer.numel(), inner.span());
    if span > count {
        return Err(LayoutError(Rule::ComposeSpan { span, count }));
    }
    if inner.numel() == 0 {
        each!(axis, 0..inner.rank(), {
            let digits = AxisDigits::single(inner.extent(axis), 0);
            ok!(view.put(axis, inner.letters().at(axis), &digits));
        });
        return Ok(view);
    }
    if outer.checked_count().is_none() {
        return Err(LayoutError(Rule::TooLarge { element: outer.element() }));
    }
    let found = match outer.compose_digits(inner) {
        Some(found) => found,
        None => ok!(outer.compose_carry_chain(inner)),
    };
    view.buffer.base = found.0;
    each!(axis, 0..inner.rank(), {
        ok!(view.put(axis, inner.letters().at(axis), &found.1[axis]));
    });
    // If both layouts are unique, so is the composition.
    if !(outer.is_unique() && inner.is_unique()) {
        ok!(view.check_open());
    }
    Ok(view)
}
