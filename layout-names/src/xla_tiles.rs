//! XLA's tiles: `T(8,128)(2,1)`. Each list cuts the fastest dimensions of what the lists before it made.
//!
//! A list of sizes `t` makes of the last dimensions first their quotients by `t` and then, after all of them, their
//! remainders. So `T(1024)(128)(2,1)` makes of dimension x, in turn: `x / 1024, x % 1024`; `x / 1024, x / 128 % 8,
//! x % 128`; and `x / 1024, x / 256 % 4, x % 128, x / 128 % 2` and a last one of size 1.

use core::fmt::Write;

use crate::error::{LayoutName, NameError};
use crate::memory_order::FactorOrder;
use crate::scanner::{Numbers, Scanner};
use crate::system::System;
use layout_core::spec::{Factor, Format, LayoutError, MAX_FACTORS, Rule, weight};

/// The most dimensions of a tiled shape, those of size 1 included.
const MOST: usize = 2 * MAX_FACTORS;

/// The most lists of tiles of tiles that are printed.
const MAX_TILES: usize = 4;

/// A dimension of a tiled shape: `index / weight % size` of an axis, or `index / weight`.
#[derive(Clone, Copy)]
struct Dimension {
    axis: char,
    size: Option<usize>,
    weight: usize,
}

/// A tiled shape, the slowest dimension first.
pub(crate) struct Tiled {
    list: [Dimension; MOST],
    count: usize,
}

impl Tiled {
    const EMPTY: Self =
        Self { list: [Dimension { axis: 'A', size: None, weight: 1 }; MOST], count: 0 };

    /// A shape without tiles.
    pub(crate) fn of(axes: impl Iterator<Item = char>) -> Self {
        let mut tiled = Self::EMPTY;
        for axis in axes {
            (tiled.list[tiled.count].axis, tiled.count) = (axis, tiled.count + 1);
        }
        tiled
    }

    /// Reads `T(..)(..)`, if it comes next, and cuts the shape.
    pub(crate) fn read(&mut self, scanner: &mut Scanner<'_>) -> Result<(), NameError> {
        if !scanner.eat("T") {
            return Ok(());
        }
        let mut is_first = true;
        while is_first || scanner.rest().trim_start().starts_with('(') {
            let start = *scanner;
            scanner.expect("(")?;
            if scanner.rest().split(')').next().is_some_and(|list| list.contains('*')) {
                return Err(start.error("a size for each dimension, none of them merged by `*`"));
            }
            let sizes = scanner.numbers(")")?;
            self.cut(sizes.as_slice(), start)?;
            is_first = false;
        }
        Ok(())
    }

    fn cut(&mut self, sizes: &[usize], start: Scanner<'_>) -> Result<(), NameError> {
        if sizes.is_empty() || sizes.len() > self.count {
            return Err(start.error("a tile with no more dimensions than it divides"));
        }
        if self.count + sizes.len() > MOST {
            return Err(LayoutError(Rule::TooManyFactors).into());
        }
        let first = self.count - sizes.len();
        for (i, &size) in sizes.iter().enumerate() {
            let outer = &mut self.list[first + i];
            if size == 0 || outer.size.is_some_and(|all| all % size != 0) {
                return Err(start.error("a tile that divides the one before it"));
            }
            let Some(weight) = outer.weight.checked_mul(size) else {
                return Err(start.error("a smaller tile"));
            };
            let inner = Dimension { size: Some(size), ..*outer };
            (outer.size, outer.weight) = (outer.size.map(|all| all / size), weight);
            self.list[self.count + i] = inner;
        }
        self.count += sizes.len();
        Ok(())
    }

    /// The shape as a memory order.
    pub(crate) fn order(&self) -> Result<FactorOrder, NameError> {
        let mut order = FactorOrder::EMPTY;
        for dimension in &self.list[..self.count] {
            order.push(match dimension.size {
                Some(size) => Factor::Weighted(dimension.axis, size, dimension.weight),
                None => Factor::Axis(dimension.axis),
            })?;
        }
        Ok(order)
    }

    /// The shape of a memory order.
    fn of_format(format: &Format) -> Self {
        let factors = format.factors();
        let mut tiled = Self::EMPTY;
        for (i, &factor) in factors.iter().enumerate() {
            let Some(axis) = factor.letter() else { continue };
            let size_of = |factor: Factor| match factor {
                Factor::Block(_, size) | Factor::Weighted(_, size, _) => Some(size),
                _ => None,
            };
            let of_axis = factors.iter().filter(|factor| factor.letter() == Some(axis));
            let blocks = of_axis.filter_map(|&block| size_of(block)).fold(1, usize::saturating_mul);
            let size = size_of(factor);
            let weight = if size.is_some() { weight(factors, i) } else { blocks };
            tiled.list[tiled.count] = Dimension { axis, size, weight };
            tiled.count += 1;
        }
        tiled
    }

    /// Takes back the longest list that can have been the last: the dimensions that it made. Those of size 1 are
    /// neither in the shape nor in the list.
    fn uncut(&mut self) -> Option<Cuts> {
        'lengths: for length in (1..self.count).rev() {
            let (outer, inner) = self.list[..self.count].split_at_mut(self.count - length);
            let mut cuts = Cuts { list: [inner[0]; MAX_FACTORS], count: 0 };
            let mut at = [0; MAX_FACTORS];
            let mut next = 0;
            for dimension in inner.iter() {
                let above = dimension.size.and_then(|size| dimension.weight.checked_mul(size));
                let is_outer =
                    |of: &Dimension| of.axis == dimension.axis && Some(of.weight) == above;
                match outer.iter().position(is_outer) {
                    Some(found) if found >= next => (at[cuts.count], next) = (found, found + 1),
                    _ => continue 'lengths,
                }
                *cuts.list.get_mut(cuts.count)? = *dimension;
                cuts.count += 1;
            }
            for (&at, dimension) in at.iter().zip(inner.iter()) {
                outer[at].weight = dimension.weight;
                let size = dimension.size.unwrap_or(1);
                outer[at].size = outer[at].size.map(|all| all.saturating_mul(size));
            }
            self.count -= length;
            return Some(cuts);
        }
        None
    }

    /// The list that makes these dimensions at the end of the shape.
    fn sizes_of(&self, cuts: &Cuts) -> Option<Numbers> {
        let mut sizes = Numbers::EMPTY;
        let mut cuts = cuts.list[..cuts.count].iter().peekable();
        for dimension in &self.list[..self.count] {
            let is_long = dimension.size.is_none_or(|size| size > 1);
            let is_cut = |cut: &&Dimension| {
                is_long && (cut.axis, cut.weight) == (dimension.axis, dimension.weight)
            };
            match cuts.next_if(is_cut) {
                Some(cut) => sizes.push(cut.size?)?,
                None if sizes.as_slice().is_empty() => {}
                None => sizes.push(1)?,
            }
        }
        cuts.next().is_none().then_some(sizes)
    }
}

/// The dimensions that a list of sizes makes, without those of size 1.
#[derive(Clone, Copy)]
struct Cuts {
    list: [Dimension; MAX_FACTORS],
    count: usize,
}

/// Appends the tiles that the blocks of a memory order make, each of the one before it, as `T(8,128)(2,1)`.
pub(crate) fn tiles_of_tiles(text: &mut LayoutName, format: &Format) -> Option<()> {
    let memory = format.axes();
    let blocks = format.factors().get(memory.count()..)?;
    // The tile of each block, and where its axis stands: a tile has its axes in memory order.
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

/// Appends the lists that make a memory order with blocks in any order, as `T(1024)(128)(2,1)`.
pub(crate) fn tiles_of_digits(text: &mut LayoutName, format: &Format) -> Option<()> {
    let rank = format.axes().count();
    let mut tiled = Tiled::of_format(format);
    let mut lists = [Cuts { list: [tiled.list[0]; MAX_FACTORS], count: 0 }; MAX_FACTORS];
    let mut count = 0;
    while tiled.count > rank {
        *lists.get_mut(count)? = tiled.uncut()?;
        count += 1;
    }
    text.push("T");
    for cuts in lists[..count].iter().rev() {
        // Here the dimensions of size 1 count.
        let sizes = tiled.sizes_of(cuts)?;
        let sizes = sizes.as_slice();
        tiled.cut(sizes, Scanner::new(System::Xla, "")).ok()?;
        text.push("(");
        for (i, size) in sizes.iter().enumerate() {
            write!(text, "{}{size}", if i > 0 { "," } else { "" }).ok()?;
        }
        text.push(")");
    }
    Some(())
}
