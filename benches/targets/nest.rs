//! A case as loops over its elements, worked out from the letters of its formats. Peers take these loops, and the
//! check of every result shares no code with the library.

use crate::cases::{Case, View};

/// A loop, with its strides in elements: of the source any, 0 of what is repeated.
#[derive(Clone, Copy)]
pub(crate) struct Digit {
    pub(crate) extent: usize,
    pub(crate) from: isize,
    pub(crate) to: usize,
}

impl Digit {
    /// Where iteration `i` reads, if the first one reads at `start`.
    pub(crate) fn at(&self, start: usize, i: usize) -> usize {
        (start as isize + i as isize * self.from) as usize
    }
}

/// The loops of a case, in the order of the destination, slowest first. Loops that are one in both tensors are
/// merged.
pub(crate) struct Nest {
    pub(crate) digits: Vec<Digit>,
    /// Where the first element is in the source.
    pub(crate) start: usize,
}

impl Nest {
    pub(crate) fn new(case: &Case) -> Self {
        let letters = case.source.letters();
        let axes = (0..letters.count()).map(|axis| (letters.at(axis), case.source.extents()[axis]));
        let axes: Vec<_> = axes.collect();
        let whole = axes.iter().map(|own| (own.0, View::whole(&case.views, own.0, own.1)));
        let whole: Vec<_> = whole.collect();
        let [source, destination] = case.formats.each_ref();
        let (from, to) = (factors(source, &whole), factors(destination, &axes));
        let of = |factors: &[Factor], letter| -> Vec<Factor> {
            factors.iter().filter(|factor| factor.letter == letter).copied().collect()
        };
        let mut start = 0;
        let digits = axes.iter().flat_map(|&(letter, _)| {
            let (read, written) = (of(&from, letter), of(&to, letter));
            match case.views.iter().find(|view| view.axis() == letter) {
                Some(view) => vec![viewed(view, &read, &written, &mut start)],
                None => common(read, written),
            }
        });
        let mut digits: Vec<_> = digits.filter(|digit| digit.extent > 1).collect();
        digits.sort_by_key(|digit| std::cmp::Reverse(digit.to));
        let is_one = |outer: &Digit, inner: &Digit| {
            outer.from == inner.from * inner.extent as isize && outer.to == inner.to * inner.extent
        };
        let mut merged: Vec<Digit> = Vec::new();
        for digit in digits {
            match merged.last_mut() {
                Some(last) if is_one(last, &digit) => {
                    *last = Digit { extent: last.extent * digit.extent, ..digit };
                }
                _ => merged.push(digit),
            }
        }
        Self { digits: merged, start }
    }

    /// The loops in the order of the source.
    pub(crate) fn by_source(&self) -> Vec<Digit> {
        let mut digits = self.digits.clone();
        digits.sort_by_key(|digit| std::cmp::Reverse(digit.from.unsigned_abs()));
        digits
    }
}

/// Moves one element after the other.
pub(crate) fn move_naively<U: Copy>(nest: &Nest, source: &[U], destination: &mut [U]) {
    fn each(digits: &[Digit], from: usize, to: usize, see: &mut impl FnMut(usize, usize)) {
        match digits {
            [] => see(from, to),
            [first, rest @ ..] => (0..first.extent)
                .for_each(|i| each(rest, first.at(from, i), to + i * first.to, see)),
        }
    }
    each(&nest.digits, nest.start, 0, &mut |from, to| destination[to] = source[from]);
}

/// An axis, or a block of it, in memory.
#[derive(Clone, Copy)]
struct Factor {
    letter: char,
    extent: usize,
    stride: usize,
}

/// The factors of a dense tensor in this format, slowest first.
fn factors(format: &str, axes: &[(char, usize)]) -> Vec<Factor> {
    let mut factors = Vec::new();
    let mut block = 0;
    for character in format.chars() {
        match character.to_digit(10) {
            Some(digit) => block = 10 * block + digit as usize,
            None => {
                let letter = character.to_ascii_uppercase();
                factors.push(Factor { letter, extent: std::mem::take(&mut block), stride: 0 });
            }
        }
    }
    // A number at the end is a block of channels.
    if block > 0 {
        factors.push(Factor { letter: 'C', extent: block, stride: 0 });
    }
    // An axis counts what its blocks leave of it.
    for at in 0..factors.len() {
        let letter = factors[at].letter;
        let blocks = factors.iter().filter(|factor| factor.letter == letter && factor.extent > 0);
        let blocks: usize = blocks.map(|factor| factor.extent).product();
        if factors[at].extent == 0 {
            let (_, extent) = axes.iter().find(|axis| axis.0 == letter).expect("an axis");
            factors[at].extent = extent / blocks;
        }
    }
    let mut stride = 1;
    for factor in factors.iter_mut().rev() {
        factor.stride = stride;
        stride *= factor.extent;
    }
    factors
}

/// The loop over an axis without blocks that a view reads, and adds to `start` where it begins.
fn viewed(view: &View, read: &[Factor], written: &[Factor], start: &mut usize) -> Digit {
    let ([read], [written]) = (read, written) else { panic!("an axis of a view has no blocks") };
    let stride = read.stride as isize;
    let from = match *view {
        View::Flip(_) => {
            *start += (read.extent - 1) * read.stride;
            -stride
        }
        View::Every(_, step) => stride * step as isize,
        View::Skip(_, count) => {
            *start += count * read.stride;
            stride
        }
        View::Repeat(_) => 0,
    };
    Digit { extent: written.extent, from, to: written.stride }
}

/// The loops over an axis that these factors of it make in the source and those in the destination, both slowest
/// first.
///
/// # Panics
/// If a factor would begin inside another.
fn common(mut from: Vec<Factor>, mut to: Vec<Factor>) -> Vec<Digit> {
    let mut digits = Vec::new();
    while let (Some(read), Some(written)) = (from.last_mut(), to.last_mut()) {
        let extent = read.extent.min(written.extent);
        digits.push(Digit { extent, from: read.stride as isize, to: written.stride });
        for factor in [read, written] {
            assert!(factor.extent % extent == 0, "{extent} does not divide {}", factor.extent);
            factor.extent /= extent;
            factor.stride *= extent;
        }
        for factors in [&mut from, &mut to] {
            if factors.last().is_some_and(|factor| factor.extent == 1) {
                factors.pop();
            }
        }
    }
    digits
}
