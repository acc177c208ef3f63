//! CuTe's layouts: `(4,(2,3)):(1,(4,8))`, and with a swizzle `Sw<3,3,3> o 0 o (8,64):(64,1)`.
//!
//! Shapes and strides have the same nesting. Each outer item is an axis. Inside an item, the leftmost digit is the
//! fastest. Strides count elements. `_8` is a compile-time constant, and parses as 8. The text does not contain the
//! length of the buffer. A layout of this crate requires that coordinates share an offset only by digits of stride 0.
//! CuTe allows other layouts too.
//!
//! `Sw<B,M,S> o START o` before the layout is a swizzle of offsets in elements, after `START` is added. If
//! `smem_ptr[16b](unset)` replaces `START`, as in CUTLASS's atoms of shared memory, the swizzle applies to byte
//! addresses, and elements have 16 bits. A pointer before a layout without a swizzle, as tensors print it, is
//! ignored: `gmem_ptr[32b](0x7f00) o (4,2):(1,4)`.

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
use crate::memory_order::alphabet;
use crate::scanner::Scanner;
use crate::system::System;
use layout_core::spec::{ElementType, MAX_FACTORS, MAX_RANK, Swizzling};
use layout_core::{Digit, Layout};

/// What CuTe prints before the address of a tensor.
const POINTERS: &[&str] = &["smem_ptr", "gmem_ptr", "rmem_ptr", "ptr"];

/// Returns the layout of `SHAPE:STRIDE`. The outer items are axes A, B and so on, and their sizes are the extents.
///
/// # Errors
/// - The text is not a layout of CuTe, or the strides are nested differently.
/// - The swizzle is for elements of another width.
/// - There are more than 12 axes or 16 digits.
/// - Coordinates share an offset.
/// - The layout breaks another rule.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::cute;
///
/// let layout = cute::parse("((2,2),(4,2)):((1,8),(2,16))", ElementType::F32)?;
/// assert_eq!((layout.extents(), layout.offset(&[3, 5])), ([4, 8].as_slice(), 1 + 8 + 2 + 16));
/// assert_eq!(cute::print(&layout)?.as_str(), "((2,2),(4,2)):((1,8),(2,16))");
///
/// // The atom of shared memory for 128-byte swizzles, as CUTLASS prints it.
/// let atom = cute::parse("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", ElementType::F16)?;
/// assert_eq!(atom.offset(&[3, 5]), 3 * 64 + (3 << 3) + 5);
/// assert_eq!(cute::print(&atom)?.as_str(), "Sw<3,3,3> o 0 o (8,64):(64,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &str, element: ElementType) -> Result<Layout, NameError> {
    let mut scanner = Scanner::new(System::Cute, text);
    let swizzle = swizzle(&mut scanner, element)?;
    if swizzle.is_none() && POINTERS.iter().any(|pointer| scanner.eat(pointer)) {
        address(&mut scanner, element)?;
        scanner.expect("o")?;
    }
    let (shape, mut tree) = (scanner, Tree::EMPTY);
    tree.read(&mut scanner, 0, true)?;
    let mut strides = Tree::EMPTY;
    scanner.expect(":")?;
    let second = scanner;
    strides.read(&mut scanner, 0, false)?;
    scanner.expect_end()?;
    if !tree.is_like(&strides) {
        return Err(second.error("strides nested like the shape"));
    }
    if tree.axes > MAX_RANK {
        return Err(shape.error("at most 12 axes"));
    }
    let Some((swizzling, start)) = swizzle else { return tree.layout(&strides, 0, element) };
    // With a start, offsets are those of the text: nothing shifts them up to 0.
    let Some(above) = start.checked_sub(tree.below(&strides)) else {
        return Err(second.error("a start from which no stride leads below offset 0"));
    };
    let mut layout = tree.layout(&strides, above, element)?;
    layout.add_swizzle(swizzling)?;
    Ok(layout)
}

/// Parses `[16b](unset)` or `[16b](0x7f00)`, which come after a pointer's kind.
fn address(scanner: &mut Scanner<'_>, element: ElementType) -> Result<(), NameError> {
    scanner.expect("[")?;
    let number = *scanner;
    if scanner.expect_number()? != element.bits() {
        return Err(number.error("the bits of the layout's elements"));
    }
    scanner.expect("b](")?;
    scanner.word();
    scanner.expect(")")
}

/// Parses `Sw<B,M,S> o START o`, if it comes next: the swizzle and the start.
fn swizzle(
    scanner: &mut Scanner<'_>,
    element: ElementType,
) -> Result<Option<(Swizzling, usize)>, NameError> {
    if !["Sw<", "Swizzle<", "S<"].into_iter().any(|name| scanner.eat(name)) {
        return Ok(None);
    }
    let bits = scanner.expect_number()?;
    scanner.expect(",")?;
    let base = scanner.expect_number()?;
    scanner.expect(",")?;
    let is_negative = scanner.eat("-");
    let number = *scanner;
    let shift = isize::try_from(scanner.expect_number()?);
    let shift = shift.map_err(|_| number.error("a smaller number"))?;
    let shift = if is_negative { -shift } else { shift };
    scanner.expect(">")?;
    // Of a tensor, `_` stands before its pointer.
    let is_pointer = scanner.eat("_smem_ptr") || {
        scanner.expect("o")?;
        scanner.eat("smem_ptr")
    };
    let (swizzling, start) = if is_pointer {
        address(scanner, element)?;
        (Swizzling::Bytes(bits, base, shift), 0)
    } else {
        let _ = scanner.eat("_");
        (Swizzling::Elements(bits, base, shift), scanner.expect_number()?)
    };
    scanner.expect("o")?;
    Ok(Some((swizzling, start)))
}

/// [`parse`] with known extents, which must be those of the text.
pub(crate) fn parse_over(
    text: &str,
    extents: &[usize],
    element: ElementType,
) -> Result<Layout, NameError> {
    let layout = parse(text, element)?;
    match layout.extents() == extents {
        true => Ok(layout),
        false => Err(Scanner::new(System::Cute, text).error("a shape with the given extents")),
    }
}

/// Returns the text of a layout. Every axis is an item, in parentheses if it has several digits.
///
/// # Errors
/// The notation cannot express the layout:
/// - It begins inside its buffer, without a swizzle.
/// - An axis begins or ends inside a block.
/// - Its storage is an array of lanes.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    let refuse = |reason| Err(NameError::inexpressible(System::Cute, layout, reason));
    let mut text = LayoutName::EMPTY;
    match layout.swizzle() {
        None if layout.base() > 0 => return refuse("coordinate 0 is not at offset 0"),
        None => {}
        Some(swizzle) => {
            let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
            // Text is truncated when it is full, which 16 digits do not reach.
            let _ = write!(text, "Sw<{bits},{base},{shift}> o {} o ", layout.base());
        }
    }
    if layout.lanes().is_some() {
        return refuse("it is distributed over lanes");
    }
    let (mut shape, mut strides) = (LayoutName::new("("), LayoutName::new("("));
    for axis in 0..layout.rank() {
        let digits = layout.digits_along(axis);
        let size = digits.iter().map(|digit| digit.size).fold(1, usize::saturating_mul);
        if size != layout.extents()[axis] || digits.iter().any(|digit| digit.shift > 0) {
            return refuse("an axis begins or ends inside a block");
        }
        push_item(&mut shape, axis, &digits, |text, digit| text.push_number(digit.size));
        push_item(&mut strides, axis, &digits, |text, digit| text.push_signed(digit.stride));
    }
    let _ = write!(text, "{shape}):{strides})");
    Ok(text)
}

/// Appends the numbers of one axis, the fastest digit first.
fn push_item(
    text: &mut LayoutName,
    axis: usize,
    digits: &[Digit],
    push: impl Fn(&mut LayoutName, &Digit),
) {
    // A digit of one value is always 0.
    let is_digit = |digit: &&Digit| digit.size != 1;
    let several = digits.iter().filter(is_digit).count() > 1;
    text.push(if axis > 0 { "," } else { "" });
    text.push(if several { "(" } else { "" });
    let mut count = 0;
    for digit in digits.iter().filter(is_digit) {
        text.push(if count > 0 { "," } else { "" });
        push(text, digit);
        count += 1;
    }
    if let (0, Some(digit)) = (count, digits.first()) {
        push(text, digit);
    }
    text.push(if several { ")" } else { "" });
}

/// The largest number of numbers in a shape. Ones are not digits.
const MOST_NUMBERS: usize = 2 * MAX_FACTORS;

/// A nest of numbers.
struct Tree {
    /// The numbers from left to right: for each, its axis, a code of its brackets, and its value.
    items: [(usize, usize, isize); MOST_NUMBERS],
    count: usize,
    axes: usize,
    /// The number of brackets so far.
    brackets: usize,
}

impl Tree {
    const EMPTY: Self = Self { items: [(0, 0, 0); MOST_NUMBERS], count: 0, axes: 0, brackets: 0 };

    /// Parses a number or a nest of numbers. Items at depth 1 are axes.
    fn read(
        &mut self,
        scanner: &mut Scanner<'_>,
        depth: usize,
        is_shape: bool,
    ) -> Result<(), NameError> {
        if depth > MAX_FACTORS {
            return Err(scanner.error("fewer brackets"));
        }
        if !scanner.eat("(") {
            self.axes += usize::from(depth == 0);
            return self.number(scanner, is_shape);
        }
        self.brackets += 1;
        if depth == 0 && scanner.eat(")") {
            return Ok(());
        }
        loop {
            self.axes += usize::from(depth == 0);
            self.read(scanner, depth + 1, is_shape)?;
            if scanner.eat(")") {
                self.brackets += 1;
                return Ok(());
            }
            scanner.expect(",")?;
            // Python writes a list of one with a comma.
            if scanner.eat(")") {
                self.brackets += 1;
                return Ok(());
            }
        }
    }

    fn number(&mut self, scanner: &mut Scanner<'_>, is_shape: bool) -> Result<(), NameError> {
        let start = *scanner;
        let _ = scanner.eat("_");
        let is_negative = !is_shape && scanner.eat("-");
        let number = isize::try_from(scanner.expect_number()?);
        let number = number.map_err(|_| start.error("a smaller number"))?;
        if scanner.eat("@") {
            return Err(start.error("strides that are numbers"));
        }
        if self.count == MOST_NUMBERS {
            return Err(start.error("at most 32 numbers"));
        }
        let number = if is_negative { -number } else { number };
        self.items[self.count] = (self.axes, self.brackets, number);
        self.count += 1;
        Ok(())
    }

    fn numbers(&self) -> &[(usize, usize, isize)] {
        &self.items[..self.count]
    }

    /// Whether the other tree has the same brackets.
    fn is_like(&self, other: &Self) -> bool {
        let brackets = |tree: &Self| tree.items.map(|(axis, brackets, _)| (axis, brackets));
        (self.count, self.axes, self.brackets) == (other.count, other.axes, other.brackets)
            && brackets(self) == brackets(other)
    }

    /// The distance from coordinate 0 to the lowest offset, which negative strides lead to.
    fn below(&self, strides: &Self) -> usize {
        if self.numbers().iter().any(|size| size.2 == 0) {
            return 0;
        }
        let digits = self.numbers().iter().zip(strides.numbers());
        let backwards = digits.filter(|(_, stride)| stride.2 < 0);
        let ways = backwards.map(|(size, stride)| {
            (size.2.unsigned_abs() - 1).saturating_mul(stride.2.unsigned_abs())
        });
        ways.fold(0, usize::saturating_add)
    }

    /// The layout of this shape with these strides. Its lowest offset is `above`.
    fn layout(
        &self,
        strides: &Self,
        above: usize,
        element: ElementType,
    ) -> Result<Layout, NameError> {
        let mut digits = [(0, 0, 0); MOST_NUMBERS];
        for (i, (size, stride)) in self.numbers().iter().zip(strides.numbers()).enumerate() {
            digits[i] = (size.0 - 1, size.2.unsigned_abs(), stride.2);
        }
        let digits = &digits[..self.count];
        Ok(Layout::from_digits(alphabet(self.axes), digits, above, element)?)
    }
}
