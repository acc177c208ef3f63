//! XLA's layouts: `{1,0:T(8,128)(2,1)}`, after a shape `bf16[20,300]{1,0:T(8,128)(2,1)}`.
//!
//! The first numbers are the dimensions from the fastest to the slowest. `T(8,128)` divides the two fastest dimensions
//! into tiles of 8 x 128, and each further list divides the tiles before it. A dimension that ends inside a tile is
//! padded to its end. `E(4)` says that two elements of 4 bits share a byte.

use core::fmt::Write;

use super::error::{LayoutName, NameError};
use super::memory_order::{
    MemoryOrder, alphabet, check_element, check_rank, is_same, orders, other_order, stored,
};
use super::scanner::{Numbers, Scanner};
use super::system::System;
use crate::layout::Layout;
use crate::spec::ElementType::{
    self, BF16, F8E4M3, F8E5M2, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, U16, U32, U64,
};
use crate::spec::{Factor, Format, Letters, MAX_FACTORS, MAX_RANK};

const ELEMENTS: &[ElementType] =
    &[F32, F16, BF16, F64, I4, U4, I8, U8, I16, U16, I32, U32, I64, U64, F8E4M3, F8E5M2];

/// The largest number of nested tiles.
const MAX_TILES: usize = 4;

/// Returns the layout of `{..}` over `extents` of dimensions 0, 1 and so on, which become axes A, B and so on.
///
/// # Errors
/// - The text is not a layout of XLA.
/// - It has a memory space, a sparse dimension, or a tile that merges dimensions.
/// - A tile has more dimensions than it divides, or does not divide them evenly.
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
    let (fastest_first, tiled) = dimensions(&mut scanner)?;
    let rank = fastest_first.as_slice().len();
    if !fastest_first.is_permutation() {
        return Err(numbers.error("each dimension once, the fastest first"));
    }
    check_rank(System::Xla, text, (rank, rank), extents.len())?;
    check_element(System::Xla, text, element, ELEMENTS)?;
    let axes = alphabet(rank);
    let mut order = MemoryOrder::EMPTY;
    for &dimension in fastest_first.as_slice().iter().rev() {
        order.push(Factor::Axis(axes.at(dimension)))?;
    }
    let mut is_packed = false;
    if tiled {
        tiles(&mut scanner, &mut order, fastest_first.as_slice())?;
        is_packed = scanner.eat("E(4)");
        scanner.expect("}")?;
    }
    scanner.expect_end()?;
    if is_packed != (element.bits() < 8) {
        return Err(
            scanner.error("`E(4)` for elements of 4 bits in packed bytes, and for no others")
        );
    }
    stored(&order.format(), axes, &[], extents, element)
}

/// Returns the layout in braces. Axes are matched by position.
///
/// # Errors
/// - The layout is not whole axes with tiles of the fastest ones.
/// - XLA does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    for format in orders(layout) {
        let Some(text) = text_of(&format, layout) else { continue };
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

/// Parses `T(..)(..)` and appends its blocks.
fn tiles(
    scanner: &mut Scanner<'_>,
    order: &mut MemoryOrder,
    fastest_first: &[usize],
) -> Result<(), NameError> {
    if !scanner.eat("T") {
        return Ok(());
    }
    let axes = alphabet(fastest_first.len());
    let mut tile: Option<Numbers> = None;
    while tile.is_none() || scanner.rest().trim_start().starts_with('(') {
        let start = *scanner;
        scanner.expect("(")?;
        let inner = scanner.numbers(")")?;
        let sizes = inner.as_slice();
        let cut = tile.map_or(fastest_first.len(), |outer| outer.as_slice().len());
        if sizes.is_empty() || sizes.len() > cut {
            return Err(start.error("a tile with no more dimensions than it divides"));
        }
        if let Some(outer) = tile {
            let outer = outer.as_slice();
            for (i, &size) in outer.iter().enumerate() {
                let inside = (i + sizes.len()).checked_sub(outer.len()).map_or(1, |k| sizes[k]);
                if inside == 0 || size % inside != 0 {
                    return Err(start.error("a tile that divides the one before it"));
                }
                let dimension = fastest_first[outer.len() - 1 - i];
                order.push(Factor::Block(axes.at(dimension), size / inside))?;
            }
        }
        tile = Some(inner);
    }
    for (i, &size) in tile.iter().flat_map(|tile| tile.as_slice().iter().enumerate()) {
        let count = tile.map_or(0, |tile| tile.as_slice().len());
        order.push(Factor::Block(axes.at(fastest_first[count - 1 - i]), size))?;
    }
    Ok(())
}

/// Whole axes and then blocks as text, if the blocks form tiles. The caller verifies it by parsing it.
fn text_of(format: &Format, layout: &Layout) -> Option<LayoutName> {
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
    push_tiles(&mut text, blocks, memory)?;
    if layout.element().bits() < 8 {
        text.push("E(4)");
    }
    text.push("}");
    Some(text)
}

/// Appends the tiles that blocks of axes in this memory order form.
fn push_tiles(text: &mut LayoutName, blocks: &[Factor], memory: Letters) -> Option<()> {
    // The tile of each block, and the position of its axis: a tile has its axes in memory order.
    let mut places = [(0, 0, 1); MAX_FACTORS];
    let mut tile = 0;
    for (i, &block) in blocks.iter().enumerate() {
        let Factor::Block(letter, size) = block else { return None };
        let position = memory.position(letter)?;
        if i > 0 && position <= places[i - 1].1 {
            tile += 1;
        }
        places[i] = (tile, position, size);
    }
    let places = &places[..blocks.len()];
    if places.is_empty() {
        return Some(());
    }
    if tile >= MAX_TILES {
        return None;
    }
    text.push("T");
    for outer in 0..=tile {
        let inside = places.iter().filter(|place| place.0 >= outer);
        let start = inside.clone().map(|place| place.1).min()?;
        text.push("(");
        for position in start..memory.count() {
            let sizes = inside.clone().filter(|place| place.1 == position).map(|place| place.2);
            let size = sizes.fold(1usize, usize::saturating_mul);
            let comma = if position > start { "," } else { "" };
            write!(text, "{comma}{size}").ok()?;
        }
        text.push(")");
    }
    Some(())
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
        return Err(scanner.error("at most 8 dimensions"));
    }
    if scanner.rest().trim_start().is_empty() {
        let axes = alphabet(extents.len());
        let mut order = MemoryOrder::EMPTY;
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
    let own = print(layout)?;
    let mut text = LayoutName::new(label(layout.element()));
    text.push("[");
    for (i, &extent) in layout.extents().iter().enumerate() {
        text.push(if i > 0 { "," } else { "" });
        text.push_number(extent);
    }
    text.push("]");
    text.push(own.as_str());
    Ok(text)
}

/// XLA's name of an element type.
const fn label(element: ElementType) -> &'static str {
    match element {
        I4 => "s4",
        U4 => "u4",
        I8 => "s8",
        I16 => "s16",
        I32 => "s32",
        I64 => "s64",
        F8E4M3 => "f8e4m3fn",
        F8E5M2 => "f8e5m2",
        U8 => "u8",
        U16 => "u16",
        U32 => "u32",
        U64 => "u64",
        F16 => "f16",
        BF16 => "bf16",
        F32 => "f32",
        F64 => "f64",
        ElementType::Bool => "pred",
        _ => "opaque",
    }
}
