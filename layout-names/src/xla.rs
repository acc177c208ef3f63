//! XLA's layouts: `{1,0:T(8,128)(2,1)}`, after a shape `bf16[20,300]{1,0:T(8,128)(2,1)}`.
//!
//! The first numbers are the dimensions from the fastest to the slowest. `T(8,128)` divides the two fastest dimensions
//! into tiles of 8 x 128, and each further list divides the result of the lists before it: `T(1024)(128)(2,1)` divides
//! one dimension. A dimension that ends inside a tile is padded to its end. `E(4)` says that two elements of 4 bits
//! share a byte. It does not say which of them comes first: [`parse`] takes both orders, and [`parse_shape`] reads the
//! first element in the lowest bits. XLA's `PackIntN`, for literals of the host, puts it into the highest bits.

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    FactorOrder, alphabet, check_element, check_rank, elements, is_same, label_of, orders,
    other_order, stored,
};
use crate::scanner::{Numbers, Scanner};
use crate::system::System;
use crate::xla_tiles::{Tiled, tiles_of_digits, tiles_of_tiles};
use layout_core::Layout;
use layout_core::spec::ElementType::{self, *};
use layout_core::spec::{Factor, Format, MAX_RANK};

/// The element types and their names in XLA.
#[rustfmt::skip]
const NAMES: &[(ElementType, &str)] = &[
    (F32, "f32"), (F16, "f16"), (BF16, "bf16"), (F64, "f64"), (U1, "u1"), (I1, "s1"), (I2, "s2"), (U2, "u2"),
    (I4, "s4"), (U4, "u4"), (I8, "s8"), (U8, "u8"), (I16, "s16"), (U16, "u16"), (I32, "s32"), (U32, "u32"),
    (I64, "s64"), (U64, "u64"), (F8E4M3, "f8e4m3fn"), (F8E5M2, "f8e5m2"), (F8E4M3FNUZ, "f8e4m3fnuz"),
    (F8E5M2FNUZ, "f8e5m2fnuz"), (F8E4M3B11FNUZ, "f8e4m3b11fnuz"), (F8E3M4, "f8e3m4"), (F8E4M3IEEE, "f8e4m3"),
    (F8E8M0, "f8e8m0fnu"), (F4E2M1, "f4e2m1fn"), (Bool, "pred"),
];

const ELEMENTS: &[ElementType] = &elements::<{ NAMES.len() }>(NAMES);

/// Returns the layout of `{..}` over `extents` of dimensions 0, 1 and so on, which become axes A, B and so on.
///
/// # Errors
/// - The text is not a layout of XLA.
/// - It has a memory space, a sparse dimension, or a tile that merges dimensions.
/// - A tile has more dimensions than it divides, or does not divide a tile before it.
/// - The text is for another number of dimensions.
/// - XLA does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::xla;
///
/// let tiled = xla::parse("{1,0:T(2,2)}", &[3, 5], ElementType::F32)?;
/// assert_eq!((tiled.offset(&[2, 3]), tiled.len()), (17, 24));
/// assert_eq!(xla::print(&tiled)?.as_str(), "{1,0:T(2,2)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    let mut scanner = Scanner::new(System::Xla, text);
    scanner.expect("{")?;
    let numbers = scanner;
    let (fastest_first, has_tiles) = dimensions(&mut scanner)?;
    let rank = fastest_first.as_slice().len();
    if !fastest_first.is_permutation() {
        return Err(numbers.error("each dimension once, the fastest first"));
    }
    check_rank(System::Xla, text, (rank, rank), extents.len())?;
    check_element(System::Xla, text, element.low_first(), ELEMENTS)?;
    let axes = alphabet(rank);
    let slowest_first = fastest_first.as_slice().iter().rev();
    let mut tiled = Tiled::of(slowest_first.map(|&dimension| axes.at(dimension)));
    let mut bits = None;
    if has_tiles {
        tiled.read(&mut scanner)?;
        if scanner.eat("E(") {
            bits = Some(scanner.expect_number()?);
            scanner.expect(")")?;
        }
        if scanner.rest().trim_start().starts_with("S(") {
            return Err(scanner.error("`}`: a layout is in no memory space"));
        }
        scanner.expect("}")?;
    }
    scanner.expect_end()?;
    if bits != (element.bits() < 8).then_some(element.bits()) {
        return Err(
            scanner.error("`E` and the bits of elements of less than a byte, for no others")
        );
    }
    stored(&tiled.order()?.format(), axes, &[], extents, element)
}

/// Returns the layout in braces. Axes are matched by position.
///
/// # Errors
/// - The layout is not whole axes with tiles of the fastest ones.
/// - XLA does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    let texts = orders(layout).flat_map(|format| {
        [tiles_of_tiles, tiles_of_digits].map(|push_tiles| text_of(&format, layout, push_tiles))
    });
    for text in texts.flatten() {
        match parse(text.as_str(), layout.extents(), layout.element()) {
            Ok(named) if is_same(layout, &named) => return Ok(text),
            Err(error @ NameError::Element { .. }) => return Err(error),
            _ => {}
        }
    }
    Err(other_order(System::Xla, layout))
}

/// Parses the numbers before `:` or `}`. Also returns whether `:` follows.
fn dimensions(scanner: &mut Scanner<'_>) -> Result<(Numbers, bool), NameError> {
    let list = *scanner;
    if scanner.eat(":") {
        return Ok((Numbers::EMPTY, true));
    }
    if let Ok(numbers) = scanner.numbers(":") {
        return Ok((numbers, true));
    }
    *scanner = list;
    Ok((scanner.numbers("}")?, false))
}

/// Whole axes and then blocks as text, if the blocks form tiles. The caller verifies it by parsing it.
fn text_of(
    format: &Format,
    layout: &Layout,
    push_tiles: fn(&mut LayoutName, &Format) -> Option<()>,
) -> Option<LayoutName> {
    let (factors, axes) = (format.factors(), layout.letters());
    let rank = axes.count();
    let blocks = factors.get(rank..)?;
    if factors[..rank].iter().any(|factor| !matches!(factor, Factor::Axis(_))) {
        return None;
    }
    let memory = format.axes();
    let mut text = LayoutName::EMPTY;
    text.push("{");
    for i in (0..rank).rev() {
        let comma = if i + 1 < rank { "," } else { "" };
        write!(text, "{comma}{}", axes.position(memory.at(i))?).ok()?;
    }
    if !blocks.is_empty() || layout.element().bits() < 8 {
        text.push(":");
    }
    if !blocks.is_empty() {
        push_tiles(&mut text, format)?;
    }
    if layout.element().bits() < 8 {
        write!(text, "E({})", layout.element().bits()).ok()?;
    }
    text.push("}");
    Some(text)
}

/// Returns the layout of a shape with its layout, such as `f32[3,5]{1,0:T(2,2)}`. Without a layout, dimension 0 is the
/// slowest and the last one the fastest.
///
/// # Errors
/// - The errors of [`parse`].
/// - The text is not a shape.
///
/// ```
/// use tensor_layout::names::xla;
///
/// let tiled = xla::parse_shape("bf16[20,300]{1,0:T(8,128)(2,1)}")?;
/// assert_eq!(tiled.to_string(), "AB4a128b2a<20, 300>, bf16, pad");
/// assert_eq!(xla::print_shape(&tiled)?.as_str(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_shape(text: &str) -> Result<Layout, NameError> {
    let mut scanner = Scanner::new(System::Xla, text);
    let mut found = ELEMENTS.iter().filter(|&&element| {
        scanner.rest().strip_prefix(label(element)).is_some_and(|rest| rest.starts_with('['))
    });
    let Some(&element) = found.next() else {
        return Err(scanner.error("an element type of XLA's, such as `f32`, and `[`"));
    };
    scanner.expect(label(element))?;
    scanner.expect("[")?;
    let extents = scanner.numbers("]")?;
    let extents = extents.as_slice();
    if extents.len() > MAX_RANK {
        return Err(scanner.error("at most 12 dimensions"));
    }
    if scanner.rest().trim_start().is_empty() {
        let axes = alphabet(extents.len());
        let mut order = FactorOrder::EMPTY;
        for i in 0..extents.len() {
            order.push(Factor::Axis(axes.at(i)))?;
        }
        return stored(&order.format(), axes, &[], extents, element);
    }
    parse(scanner.rest(), extents, element)
}

/// Returns the shape with its layout.
///
/// # Errors
/// The errors of [`print`](fn@print).
pub fn print_shape(layout: &Layout) -> Result<LayoutName, NameError> {
    let order = print(layout)?;
    let mut text = LayoutName::new(label(layout.element()));
    text.push("[");
    for (i, &extent) in layout.extents().iter().enumerate() {
        text.push(if i > 0 { "," } else { "" });
        text.push_number(extent);
    }
    text.push("]");
    text.push(order.as_str());
    Ok(text)
}

/// XLA's name of an element type, whatever the order of its elements in a byte.
fn label(element: ElementType) -> &'static str {
    label_of(NAMES, element.low_first())
}
