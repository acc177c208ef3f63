//! CuTe's layouts: `(4,(2,3)):(1,(4,8))`.
//!
//! Shapes and strides, nested alike. Each item outside is an axis; inside one, the leftmost digit is the
//! fastest. Strides count elements. `_8` is a number known when the program compiles, and reads as 8. The text
//! says neither where a buffer ends nor where in it the layout begins. A layout of ours is one in which no
//! two coordinates share an offset, but for digits of stride 0; CuTe takes others too.

use core::fmt::Write;

use super::error::{LayoutName, NameError};
use super::memory_order::alphabet;
use super::scanner::Scanner;
use super::system::System;
use crate::layout::{Digit, Layout};
use crate::spec::{ElementType, LayoutError, MAX_FACTORS, MAX_RANK, Rule};

/// The layout of `SHAPE:STRIDE`. The items outside are axes A, B and so on; its extents are its own.
///
/// # Errors
/// Text that is not a layout of CuTe's, a swizzle, strides of another shape, more than 8 digits, coordinates that share an offset,
/// or another rule of layouts that is broken.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::names::cute;
///
/// let layout = cute::parse("((2,2),(4,2)):((1,8),(2,16))", ElementType::F32)?;
/// assert_eq!((layout.extents(), layout.offset(&[3, 5])), ([4, 8].as_slice(), 1 + 8 + 2 + 16));
/// assert_eq!(cute::print(&layout)?.as_str(), "((2,2),(4,2)):((1,8),(2,16))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &str, element: ElementType) -> Result<Layout, NameError> {
    let mut scanner = Scanner::new(System::Cute, text);
    if scanner.eat("Sw<") {
        return Err(Scanner::new(System::Cute, text).error("a layout without a swizzle"));
    }
    let (shape, mut tree) = (scanner, Tree::EMPTY);
    tree.read(&mut scanner, 0, true)?;
    let mut strides = Tree::EMPTY;
    scanner.expect(":")?;
    let second = scanner;
    strides.read(&mut scanner, 0, false)?;
    scanner.expect_end()?;
    if !tree.is_like(&strides) {
        return Err(second.error("strides nested as the shape is"));
    }
    if tree.count > MAX_RANK || tree.axes > MAX_RANK {
        return Err(shape.error("at most 8 numbers"));
    }
    tree.layout(&strides, element)
}

/// [`parse`] where the extents of the axes are known and have to be these.
pub(super) fn parse_over(
    text: &str,
    extents: &[usize],
    element: ElementType,
) -> Result<Layout, NameError> {
    let layout = parse(text, element)?;
    match layout.extents() == extents {
        true => Ok(layout),
        false => Err(Scanner::new(System::Cute, text).error("a shape of the extents given")),
    }
}

/// The layout as text. Every axis is an item of its own, with more than one digit in brackets.
///
/// # Errors
/// A layout that begins inside its buffer, an axis that ends inside a block, and memory of lanes: the text
/// has no words for them.
pub fn print(layout: &Layout) -> Result<LayoutName, NameError> {
    let refuse = |reason| Err(NameError::inexpressible(System::Cute, layout, reason));
    if layout.base > 0 {
        return refuse("coordinate 0 is not at offset 0");
    }
    if layout.swizzle.is_some() {
        return refuse("it has a swizzle");
    }
    if layout.lanes.is_some() {
        return refuse("it is distributed over lanes");
    }
    let (mut shape, mut strides) = (LayoutName::new("("), LayoutName::new("("));
    for axis in 0..layout.rank() {
        let mut digits = [Digit::NONE; MAX_FACTORS];
        let mut count = 0;
        for &digit in layout.digits().iter().filter(|digit| digit.axis == axis) {
            (digits[count], count) = (digit, count + 1);
        }
        let digits = &mut digits[..count];
        digits.sort_unstable_by_key(|digit| digit.weight);
        let size = digits.iter().map(|digit| digit.size).fold(1, usize::saturating_mul);
        if size != layout.extents()[axis] || digits.iter().any(|digit| digit.shift > 0) {
            return refuse("an axis begins or ends inside a block");
        }
        push_item(&mut shape, axis, digits, |text, digit| text.push_number(digit.size));
        push_item(&mut strides, axis, digits, |text, digit| text.push_signed(digit.stride));
    }
    // A text is cut where it is full, which 16 digits do not reach.
    let _ = write!(shape, "):{strides})");
    Ok(shape)
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

/// A nest of numbers.
struct Tree {
    /// The numbers from left to right: the axis of each, how deep it is nested with which brackets before
    /// it, and itself.
    items: [(usize, usize, isize); MAX_FACTORS],
    count: usize,
    axes: usize,
    /// Brackets so far.
    brackets: usize,
}

impl Tree {
    const EMPTY: Self = Self { items: [(0, 0, 0); MAX_FACTORS], count: 0, axes: 0, brackets: 0 };

    /// Reads a number or a nest of them. Items at depth 1 are axes.
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
        if self.count == MAX_FACTORS {
            return Err(start.error("at most 8 numbers"));
        }
        let number = if is_negative { -number } else { number };
        self.items[self.count] = (self.axes, self.brackets, number);
        self.count += 1;
        Ok(())
    }

    /// Whether the other has the same brackets.
    fn is_like(&self, other: &Self) -> bool {
        let brackets = |tree: &Self| tree.items.map(|(axis, brackets, _)| (axis, brackets));
        (self.count, self.axes, self.brackets) == (other.count, other.axes, other.brackets)
            && brackets(self) == brackets(other)
    }

    /// The layout of this shape with these strides: one axis for each digit, and then these joined.
    fn layout(&self, strides: &Self, element: ElementType) -> Result<Layout, NameError> {
        let (mut extents, mut steps) = ([0; MAX_RANK], [0; MAX_RANK]);
        for i in 0..self.count {
            extents[i] = self.items[i].2.unsigned_abs();
            steps[i] = strides.items[i].2;
        }
        // Letters that no axis of the result has.
        const PARTS: &str = "STUVWXYZ";
        let parts = &PARTS[..self.count];
        let count = self.count;
        let mut layout = Layout::from_strides(parts, &extents[..count], &steps[..count], element)?;
        let axes = alphabet(self.axes);
        for axis in 0..self.axes {
            let mut slowest_first = crate::spec::Name::EMPTY;
            for i in (0..count).rev().filter(|&i| self.items[i].0 == axis + 1) {
                slowest_first.push(&parts[i..=i]);
            }
            if slowest_first.as_str().is_empty() {
                return Err(LayoutError(Rule::NoAxes).into());
            }
            layout = layout.merge(slowest_first.as_str(), axes.at(axis))?;
        }
        Ok(layout)
    }
}
