//! MLIR's `linalg.pack`, formerly `tensor.pack`:
//! `outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 4]`. The whole operation is read too:
//! `%1 = linalg.pack %0 inner_dims_pos = [1] inner_tiles = [4] into %dest : tensor<16x8xf32> -> tensor<16x2x4xf32>`.
//!
//! The outer dimensions are in the order of `outer_dims_perm`. One tile for each of `inner_dims_pos` follows, in that
//! order. A dimension has at most one tile. With `padding_value(%zero : f32)` before the lists, dimensions may end
//! inside a tile. Without it, that is an error. The value itself is not part of the text and is assumed to be 0.

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    FactorOrder, alphabet, check_element, check_rank, elements, is_same, label_of, orders,
    other_order, stored,
};
use crate::scanner::{Numbers, Scanner};
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::ElementType::{self, *};
use layout_core::spec::{Factor, Format, MAX_RANK, Name};

/// The element types and their names in MLIR, whose integers have no sign.
#[rustfmt::skip]
const NAMES: &[(ElementType, &str)] = &[
    (F32, "f32"), (F16, "f16"), (BF16, "bf16"), (F64, "f64"), (U1, "i1"), (I1, "i1"), (I2, "i2"), (U2, "i2"),
    (I4, "i4"), (U4, "i4"), (I8, "i8"), (U8, "i8"), (I16, "i16"), (U16, "i16"), (I32, "i32"), (U32, "i32"),
    (I64, "i64"), (U64, "i64"), (F8E4M3, "f8E4M3FN"), (F8E5M2, "f8E5M2"), (F8E4M3FNUZ, "f8E4M3FNUZ"),
    (F8E5M2FNUZ, "f8E5M2FNUZ"), (F8E4M3B11FNUZ, "f8E4M3B11FNUZ"), (F8E3M4, "f8E3M4"), (F8E4M3IEEE, "f8E4M3"),
    (F8E8M0, "f8E8M0FNU"), (F6E2M3, "f6E2M3FN"), (F6E3M2, "f6E3M2FN"), (F4E2M1, "f4E2M1FN"), (Bool, "i1"),
];

const ELEMENTS: &[ElementType] = &elements::<{ NAMES.len() }>(NAMES);

/// Returns the layout of the packed tensor over `extents` of dimensions 0, 1 and so on, which become axes A, B and so
/// on. The name of the operation may come first, and so may the other parts of the whole operation.
///
/// # Errors
/// - The text does not have the form of a pack.
/// - A tile is 0, or a dimension has two tiles.
/// - A dimension ends inside a tile, without a padding value.
/// - The lists are for another number of dimensions.
/// - The types have another shape or element type.
/// - MLIR does not have the element type.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::mlir;
///
/// let text = "outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 4]";
/// let packed = mlir::parse(text, &[8, 8], ElementType::F32)?;
/// assert_eq!(packed.to_string(), "BA2a4b<8, 8>, f32");
/// assert_eq!(mlir::print(&packed)?.as_str(), text);
/// assert_eq!(
///     mlir::parse(text, &[7, 8], ElementType::F32).unwrap_err().to_string(),
///     "MLIR `inner_tiles` has no extent 7 of axis `A`; write padding_value(%zero : TYPE) first, with the elements' type",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &str, extents: &[usize], element: ElementType) -> Result<Layout, NameError> {
    check_element(System::Mlir, "linalg.pack", element, ELEMENTS)?;
    check_rank(System::Mlir, "linalg.pack", (0, MAX_RANK), extents.len())?;
    let mut scanner = Scanner::new(System::Mlir, text);
    let Pack { is_padded, outer, positions, tiles } =
        Pack::read(&mut scanner, extents.len(), element)?;
    let (outer, positions, tiles) = (outer.as_slice(), positions.as_slice(), tiles.as_slice());
    let axes = alphabet(extents.len());
    let mut order = FactorOrder::EMPTY;
    for &dimension in outer {
        order.push(Factor::Axis(axes.at(dimension)))?;
    }
    for (&position, &tile) in positions.iter().zip(tiles) {
        order.push(Factor::Block(axes.at(position), tile))?;
        if !is_padded && extents[position] % tile != 0 {
            let (system, name, remedy) = (System::Mlir, Name::new("inner_tiles"), PADDING);
            let (axis, extent) = (axes.at(position), extents[position]);
            return Err(NameError::Extent { system, name, axis, extent, remedy });
        }
    }
    let tile_of = |dimension: usize| {
        let tile = positions.iter().position(|&position| position == dimension);
        tile.map_or(1, |tile| tiles[tile])
    };
    let outer = outer.iter().map(|&dimension| extents[dimension].div_ceil(tile_of(dimension)));
    types(&mut scanner, extents.iter().copied(), outer.chain(tiles.iter().copied()), element)?;
    stored(&order.format(), axes, &[], extents, element)
}

/// What the text of a pack says, up to the types.
struct Pack {
    is_padded: bool,
    /// The dimensions outside.
    outer: Numbers,
    positions: Numbers,
    tiles: Numbers,
}

impl Pack {
    fn read(
        scanner: &mut Scanner<'_>,
        rank: usize,
        element: ElementType,
    ) -> Result<Self, NameError> {
        if scanner.eat("%") {
            scanner.word();
            scanner.expect("=")?;
        }
        if (scanner.eat("linalg.pack") || scanner.eat("tensor.pack")) && scanner.eat("%") {
            scanner.word();
        }
        let is_padded = padding(scanner, element)?;
        let mut outer = Numbers::EMPTY;
        if scanner.eat("outer_dims_perm") {
            let start = *scanner;
            outer = list(scanner)?;
            if !outer.is_permutation() {
                return Err(start.error("each dimension once"));
            }
            let count = outer.as_slice().len();
            check_rank(System::Mlir, "outer_dims_perm", (count, count), rank)?;
        } else {
            (0..rank).for_each(|dimension| _ = outer.push(dimension));
        }
        scanner.expect("inner_dims_pos")?;
        let start = *scanner;
        let positions = list(scanner)?;
        scanner.expect("inner_tiles")?;
        let tiles = list(scanner)?;
        let all = positions.as_slice();
        let is_wrong = |i: usize| all[i] >= rank || all[..i].contains(&all[i]);
        if all.len() != tiles.as_slice().len() || (0..all.len()).any(is_wrong) {
            return Err(
                start.error("dimensions of the tensor, each at most once, with a tile each")
            );
        }
        Ok(Self { is_padded, outer, positions, tiles })
    }
}

const PADDING: &str = "write padding_value(%zero : TYPE) first, with the elements' type";

/// Returns the lists of the pack that makes the layout from a tensor in coordinate order. Axes are matched by position.
///
/// # Errors
/// - The layout is not whole axes, followed by at most one tile of each.
/// - The fill of padding is not 0.
/// - MLIR does not have the element type.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    check_element(System::Mlir, "linalg.pack", layout.element(), ELEMENTS)?;
    for format in orders(layout) {
        let Some(text) = text_of(&format, layout) else { continue };
        let named = parse(text.as_str(), layout.extents(), layout.element());
        if named.is_ok_and(|named| is_same(layout, &named)) {
            return Ok(text);
        }
    }
    Err(other_order(System::Mlir, layout))
}

/// Parses `padding_value(%NAME : TYPE)`.
fn padding(scanner: &mut Scanner<'_>, element: ElementType) -> Result<bool, NameError> {
    if !scanner.eat("padding_value") {
        return Ok(false);
    }
    scanner.expect("(")?;
    scanner.expect("%")?;
    scanner.word();
    scanner.expect(":")?;
    scanner.expect(label(element))?;
    scanner.expect(")")?;
    Ok(true)
}

/// Reads `into %NAME : TYPE -> TYPE` of these shapes, or nothing, up to the end.
fn types(
    scanner: &mut Scanner<'_>,
    source: impl Iterator<Item = usize>,
    packed: impl Iterator<Item = usize>,
    element: ElementType,
) -> Result<(), NameError> {
    if scanner.eat("into") {
        scanner.expect("%")?;
        scanner.word();
        scanner.expect(":")?;
        tensor(scanner, source, element)?;
        scanner.expect("->")?;
        tensor(scanner, packed, element)?;
    }
    scanner.expect_end()
}

/// Reads the type of a tensor of this shape; `?` stands for any extent.
fn tensor(
    scanner: &mut Scanner<'_>,
    mut shape: impl Iterator<Item = usize>,
    element: ElementType,
) -> Result<(), NameError> {
    scanner.expect("tensor<")?;
    let start = *scanner;
    let is_shape = shape
        .all(|extent| (scanner.eat("?") || scanner.number() == Some(extent)) && scanner.eat("x"));
    match is_shape && scanner.eat(label(element)) && scanner.eat(">") {
        true => Ok(()),
        false => Err(start.error("the shape and the element type of the layout")),
    }
}

fn list(scanner: &mut Scanner<'_>) -> Result<Numbers, NameError> {
    scanner.expect("=")?;
    scanner.expect("[")?;
    scanner.numbers("]")
}

/// Whole axes and then blocks as text. The caller verifies it by parsing it.
fn text_of(format: &Format, layout: &Layout) -> Option<LayoutName> {
    let (factors, axes) = (format.factors(), layout.letters());
    let blocks = factors.get(axes.count()..)?;
    let mut text = LayoutName::EMPTY;
    let ends_inside = |&block: &Factor| match block {
        Factor::Block(letter, size) => {
            axes.position(letter).is_some_and(|axis| layout.extents()[axis] % size != 0)
        }
        _ => false,
    };
    if blocks.iter().any(ends_inside) {
        write!(text, "padding_value(%zero : {}) ", label(layout.element())).ok()?;
    }
    let memory = format.axes();
    if (0..axes.count()).any(|i| axes.at(i) != memory.at(i)) {
        text.push("outer_dims_perm = ");
        push_list(&mut text, (0..axes.count()).map(|i| axes.position(memory.at(i))))?;
        text.push(" ");
    }
    text.push("inner_dims_pos = ");
    let position = |block: &Factor| block.letter().and_then(|letter| axes.position(letter));
    push_list(&mut text, blocks.iter().map(position))?;
    text.push(" inner_tiles = ");
    let size = |block: &Factor| match *block {
        Factor::Block(_, size) => Some(size),
        _ => None,
    };
    push_list(&mut text, blocks.iter().map(size))?;
    Some(text)
}

fn push_list(text: &mut LayoutName, numbers: impl Iterator<Item = Option<usize>>) -> Option<()> {
    text.push("[");
    for (i, number) in numbers.enumerate() {
        text.push(if i > 0 { ", " } else { "" });
        text.push_number(number?);
    }
    text.push("]");
    Some(())
}

/// MLIR's name of an element type.
fn label(element: ElementType) -> &'static str {
    label_of(NAMES, element)
}
