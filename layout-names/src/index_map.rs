//! TVM's index maps: `lambda r, c: (r // 128, c // 4, r % 32, r // 32 % 4, c % 4)`.

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
use crate::memory_order::{
    FactorOrder, alphabet, check_rank, is_same, orders, other_order, stored,
};
use crate::scanner::Scanner;
use crate::system::System;
use layout_core::Layout;
use layout_core::spec::{ElementType, Factor, Format, Letters, MAX_RANK, weight};

/// Returns the layout of a tensor after `transform_layout` with an index map. `extents` are those before it. The map
/// has one `x // WEIGHT % SIZE` for each digit, the slowest first, in Python's notation or as TVM prints it.
///
/// An axis may end inside its digits, and the rest is padding of zeros. If all names in the map are single letters,
/// they name the axes. Otherwise the axes are A, B and so on.
///
/// # Errors
/// - The text is not an index map of this form.
/// - The quotients and remainders of an axis are not the digits of its coordinates.
/// - The map has another number of axes.
/// - The layout breaks a rule.
///
/// ```
/// use tensor_layout::names::tvm;
/// use tensor_layout::{ElementType, Layout};
///
/// // Blocks of one axis in any order, which TVM's layout names cannot express.
/// let map = "lambda r, c: (r // 128, c // 4, r % 32, r // 32 % 4, c % 4)";
/// let scales = tvm::parse_index_map(map, &[256, 8], ElementType::U8)?;
/// assert_eq!(scales, Layout::parse("RC32r4r/32 4c<R = 256, C = 8>, u8")?);
/// assert_eq!(tvm::index_map(&scales)?.as_str(), map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_index_map(
    text: &str,
    extents: &[usize],
    element: ElementType,
) -> Result<Layout, NameError> {
    let mut scanner = Scanner::new(System::Tvm, text);
    let is_printed = scanner.eat("T.index_map(");
    scanner.expect("lambda")?;
    let mut names = [""; MAX_RANK];
    let mut rank = 0;
    while !scanner.eat(":") {
        if rank > 0 {
            scanner.expect(",")?;
        }
        let start = scanner;
        let name = scanner.name();
        if rank == MAX_RANK || name.is_empty() || names[..rank].contains(&name) {
            return Err(start.error("at most 12 names, each once"));
        }
        (names[rank], rank) = (name, rank + 1);
    }
    let names = &names[..rank];
    check_rank(System::Tvm, "lambda", (rank, rank), extents.len())?;
    let axes = letters(names);
    let start = scanner;
    let close = if scanner.eat("[") { "]" } else { ")" };
    if close == ")" {
        scanner.expect("(")?;
    }
    let mut order = FactorOrder::EMPTY;
    let mut quotients = [0; MAX_RANK];
    while !scanner.eat(close) {
        let (axis, weight, size) = digit(&mut scanner, names)?;
        match size {
            Some(size) => order.push(Factor::Weighted(axes.at(axis), size, weight))?,
            None if quotients[axis] > 0 => return Err(start.error("one quotient for each axis")),
            None => {
                quotients[axis] = weight;
                order.push(Factor::Axis(axes.at(axis)))?;
            }
        }
        let _ = scanner.eat(",");
    }
    if is_printed {
        scanner.expect(")")?;
    }
    scanner.expect_end()?;
    let format = order.format();
    for (axis, &quotient) in quotients[..rank].iter().enumerate() {
        if quotient != blocks(&format, axes.at(axis)) {
            return Err(start.error("a quotient by the product of the other digits for each axis"));
        }
    }
    stored(&format, axes, &[], extents, element)
}

/// Returns the index map that makes the layout from a tensor in coordinate order, with the letters of its axes.
///
/// # Errors
/// The layout has gaps, other strides than those of a memory order, or a swizzle.
pub fn index_map(layout: &Layout) -> Result<LayoutName, NameError> {
    for format in orders(layout) {
        let named = stored(&format, layout.letters(), &[], layout.extents(), layout.element());
        if named.is_ok_and(|named| is_same(layout, &named)) {
            let mut text = LayoutName::new("lambda");
            // Text is truncated when it is full, which 16 digits do not reach.
            let _ = push_map(&mut text, &format, layout.letters());
            return Ok(text);
        }
    }
    Err(other_order(System::Tvm, layout))
}

fn push_map(text: &mut LayoutName, format: &Format, axes: Letters) -> core::fmt::Result {
    for i in 0..axes.count() {
        write!(text, "{} {}", if i > 0 { "," } else { "" }, axes.at(i).to_ascii_lowercase())?;
    }
    text.push(": (");
    for (i, &factor) in format.factors().iter().enumerate() {
        let Some(letter) = factor.letter() else { continue };
        let step = match factor.is_block() {
            true => weight(format.factors(), i),
            false => blocks(format, letter),
        };
        write!(text, "{}{}", if i > 0 { ", " } else { "" }, letter.to_ascii_lowercase())?;
        if step > 1 {
            write!(text, " // {step}")?;
        }
        if let Factor::Block(_, size) | Factor::Weighted(_, size, _) = factor {
            write!(text, " % {size}")?;
        }
    }
    text.push(if format.factors().len() == 1 { ",)" } else { ")" });
    Ok(())
}

/// Parses `x // WEIGHT % SIZE`, `x % N // WEIGHT`, or a part of it: the axis, the weight and the size.
fn digit(
    scanner: &mut Scanner<'_>,
    names: &[&str],
) -> Result<(usize, usize, Option<usize>), NameError> {
    let start = *scanner;
    let word = scanner.name();
    let axis = names.iter().position(|&name| name == word);
    let axis = axis.ok_or(start.error("a name from before the colon"))?;
    let (mut weight, mut size) = (1, None);
    if scanner.eat("//") {
        weight = integer(scanner)?;
    }
    if scanner.eat("%") {
        size = Some(integer(scanner)?);
        if weight == 1 && scanner.eat("//") {
            weight = integer(scanner)?;
            let all = size.filter(|all| weight > 0 && all % weight == 0);
            size = all.map(|all| all / weight);
        }
    }
    match (weight, size) {
        (0, _) | (_, Some(0)) => Err(start.error("a quotient or remainder by 1 or more")),
        _ => Ok((axis, weight, size)),
    }
}

/// Parses a number, or `T.int64(NUMBER)`.
fn integer(scanner: &mut Scanner<'_>) -> Result<usize, NameError> {
    let is_typed = scanner.eat("T.int64(") || scanner.eat("T.int32(");
    let number = scanner.expect_number()?;
    if is_typed {
        scanner.expect(")")?;
    }
    Ok(number)
}

/// The product of the blocks of an axis, or 0 if it overflows.
fn blocks(format: &Format, letter: char) -> usize {
    let of_axis = format.factors().iter().filter(|factor| factor.letter() == Some(letter));
    of_axis.fold(1usize, |product, &factor| match factor {
        Factor::Block(_, size) | Factor::Weighted(_, size, _) => {
            product.checked_mul(size).unwrap_or(0)
        }
        _ => product,
    })
}

/// The letters of the names, or those of the alphabet.
fn letters(names: &[&str]) -> Letters {
    let mut letters = Letters::EMPTY;
    for name in names {
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(letter), None)
                if letter.is_ascii_alphabetic()
                    && letters.position(letter.to_ascii_uppercase()).is_none() =>
            {
                letters = letters.with(letter.to_ascii_uppercase());
            }
            _ => return alphabet(names.len()),
        }
    }
    letters
}
