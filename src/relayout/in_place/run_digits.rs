//! The digits of positions in a buffer, and the runs and blocks that they make up.

use core::cmp::Reverse;

use layout_kernels::{Loop, Move};
use layout_types::nests::Level;

use super::cycles::{Cycles, MovedUnits};

/// The bytes of a run that are sought first, the least that are worth three stages, and the most, since one run is held
/// aside.
const RUN: usize = 512;
const SHORTEST: usize = 16;
pub(super) const LONGEST: usize = 4 << 10;

/// A digit of a position: the number of its values, and its strides in units.
#[derive(Clone, Copy)]
pub(super) struct RunDigit {
    pub(super) size: usize,
    pub(super) source: usize,
    pub(super) destination: usize,
    /// Whether runs of the source and those of the destination contain it.
    pub(super) is_of_source: bool,
    pub(super) is_of_destination: bool,
    /// Its strides while blocks have the runs of the source one after another, and those of the destination.
    pub(super) apart: usize,
    pub(super) blocked: usize,
}

impl RunDigit {
    const ONCE: Self = Self {
        size: 1,
        source: 0,
        destination: 0,
        is_of_source: false,
        is_of_destination: false,
        apart: 0,
        blocked: 0,
    };

    pub(super) fn is_of_block(&self) -> bool {
        self.is_of_source || self.is_of_destination
    }
}

/// The digits of a position.
pub(super) struct RunDigits {
    all: [RunDigit; Self::CAPACITY],
    count: usize,
}

impl RunDigits {
    /// Those of [`MovedUnits`], of which two may be divided.
    const CAPACITY: usize = MovedUnits::CAPACITY + 2;

    /// Returns `None` if there are too many, or one runs backwards in the source.
    pub(super) fn of(units: &MovedUnits) -> Option<Self> {
        let mut list = Self { all: [RunDigit::ONCE; Self::CAPACITY], count: 0 };
        let mut destination = 1;
        for Level { size, strides: [source, _], .. } in units.loops.get(..units.count)?.iter().rev()
        {
            let source = usize::try_from(*source).ok()? / units.unit;
            list.push(RunDigit { size: *size, source, destination, ..RunDigit::ONCE })?;
            destination *= size;
        }
        Some(list)
    }

    fn push(&mut self, digit: RunDigit) -> Option<()> {
        *self.all.get_mut(self.count)? = digit;
        self.count += 1;
        Some(())
    }

    fn digits(&self) -> &[RunDigit] {
        self.all.get(..self.count).unwrap_or(&[])
    }

    /// The number of values of the digits that `of` chooses.
    pub(super) fn count_of(&self, of: impl Fn(&RunDigit) -> bool) -> usize {
        self.digits().iter().filter(|digit| of(digit)).map(|digit| digit.size).product()
    }

    /// Divides digits so that runs of both sides are as long as a block of `most` bytes allows. Returns the units of a
    /// run of the source and of one of the destination.
    pub(super) fn divide(&mut self, unit: usize, most: usize) -> Option<(usize, usize)> {
        let mut run = RUN;
        while run >= SHORTEST {
            let mut list = Self { ..*self };
            let wanted = (run / unit).max(2);
            let of_destination = list.take(
                |digit| digit.destination,
                |digit| digit.is_of_destination = true,
                wanted,
            )?;
            let of_source =
                list.take(|digit| digit.source, |digit| digit.is_of_source = true, wanted)?;
            if of_source.min(of_destination) * unit >= SHORTEST
                && of_source.max(of_destination) * unit <= LONGEST
                && list.count_of(RunDigit::is_of_block) * unit <= most
            {
                *self = list;
                return Some((of_source, of_destination));
            }
            run /= 2;
        }
        None
    }

    /// Marks the fastest digits of a side, until they have about `wanted` values together, and returns how many they
    /// have.
    fn take(
        &mut self,
        stride: fn(&RunDigit) -> usize,
        mark: fn(&mut RunDigit),
        wanted: usize,
    ) -> Option<usize> {
        let mut taken = 1;
        while taken < wanted {
            let count = self.count;
            let mut all = self.all.iter_mut().take(count);
            let Some(next) = all.find(|digit| stride(digit) == taken && digit.size > 1) else {
                break;
            };
            let divisor = divisor(next.size, wanted.div_ceil(taken));
            if divisor == 1 {
                break;
            }
            let rest = RunDigit {
                size: next.size / divisor,
                source: next.source * divisor,
                destination: next.destination * divisor,
                ..*next
            };
            next.size = divisor;
            mark(next);
            taken *= divisor;
            if rest.size > 1 {
                self.push(rest)?;
                break;
            }
        }
        Some(taken)
    }

    /// Sets the strides of both kinds of blocks: the digits outside of blocks keep their order, then come those of the
    /// other side's runs, then those of a run.
    pub(super) fn place(&mut self) {
        let count = self.count;
        let Some(all) = self.all.get_mut(..count) else { return };
        sort_by_key(all, |digit| {
            let class = usize::from(digit.is_of_block()) + usize::from(digit.is_of_source);
            (class, Reverse(digit.source))
        });
        all.iter_mut().rev().fold(1, |stride, digit| {
            digit.apart = stride;
            stride * digit.size
        });
        sort_by_key(all, |digit| {
            let class = usize::from(digit.is_of_block()) + usize::from(digit.is_of_destination);
            (class, Reverse(if digit.is_of_destination { digit.destination } else { digit.source }))
        });
        all.iter_mut().rev().fold(1, |stride, digit| {
            digit.blocked = stride;
            stride * digit.size
        });
    }

    /// Returns the move of the digits that `of` chooses, with the given strides.
    pub(super) fn move_of(
        &self,
        strides: impl Fn(&RunDigit) -> (usize, usize),
        of: impl Fn(&RunDigit) -> bool,
        unit: usize,
    ) -> Move {
        let mut all = Move::new(&[], unit);
        for digit in self.digits().iter().filter(|digit| of(digit)) {
            let (source, destination) = strides(digit);
            let bytes = |stride| (stride * unit) as isize;
            all.push(Loop::new(digit.size, bytes(source), bytes(destination)));
        }
        all
    }

    /// Returns the permutation of runs of `run` units, of the digits that `of` chooses, with the given strides.
    pub(super) fn cycles(
        &self,
        strides: impl Fn(&RunDigit) -> (usize, usize),
        of: impl Fn(&RunDigit) -> bool,
        run: usize,
        unit: usize,
    ) -> Option<Cycles> {
        let mut list = [RunDigit::ONCE; Self::CAPACITY];
        let mut count = 0;
        for digit in self.digits().iter().filter(|digit| of(digit)) {
            *list.get_mut(count)? = *digit;
            count += 1;
        }
        let list = list.get_mut(..count)?;
        sort_by_key(list, |digit| Reverse(strides(digit).1));
        // Slow digits with equal strides on both sides leave their parts where they are.
        let same = list.iter().take_while(|digit| strides(digit).0 == strides(digit).1).count();
        let mut units = MovedUnits { unit: run * unit, ..MovedUnits::NONE };
        let mut all = 1;
        for digit in list.get(same..)? {
            let source = (strides(digit).0 * unit) as isize;
            *units.loops.get_mut(units.count)? = Level::new(digit.size, [source, 0]);
            units.count += 1;
            all *= digit.size;
        }
        Some(Cycles::plain(units, all))
    }
}

/// Sorts a few digits. A sort of the standard library is ten times the machine code.
fn sort_by_key<K: Ord>(digits: &mut [RunDigit], key: impl Fn(&RunDigit) -> K) {
    for count in 2..=digits.len() {
        for end in (2..=count).rev() {
            match digits.get_mut(..end) {
                Some([.., a, b]) if key(a) > key(b) => core::mem::swap(a, b),
                _ => break,
            }
        }
    }
}

/// Returns a divisor of a number, about `wanted`, at most eight times that.
fn divisor(number: usize, wanted: usize) -> usize {
    if number <= wanted {
        return number;
    }
    let near = (wanted..=2 * wanted).chain((wanted / 2 + 1..wanted).rev());
    let mut all = near.chain(2 * wanted..=8 * wanted).chain((1..=wanted / 2).rev());
    all.find(|divisor| number % divisor == 0).unwrap_or(1)
}
