//! Tiling: which digits of a nest are the rows of a matrix, and which are its columns.

use super::machine::{self as t, Machine};
use super::nests::Nest;
use crate::isa::{Isa, LANE};
use crate::steps::tiles::MOST_ROW_BYTES;
use crate::steps::{
    LINE, Loop, MAX_LOOPS, MAX_OFFSETS, OuterLoop, OuterLoops, Step, Tiles, balanced, blank,
    distance, each, greater, least,
};

/// Loops of a nest, fastest first: bytes, since a tiling is copied several times while a plan is made.
type Digits = [u8; MAX_LOOPS];

/// The rows or the columns of a matrix: digits of a nest, and how many iterations of the last of them, and of all.
#[derive(Clone, Copy)]
struct MatrixSide {
    digits: Digits,
    count: usize,
    chunk: usize,
    all: usize,
}

impl MatrixSide {
    const NONE: Self = Self { digits: [MAX_LOOPS as u8; MAX_LOOPS], count: 0, chunk: 0, all: 1 };

    /// Adds a digit.
    const fn push(&mut self, nest: &Nest, digit: usize) {
        self.digits[self.count] = digit as u8;
        self.count += 1;
        self.chunk = nest.loops[digit].size;
        self.all = self.all.saturating_mul(self.chunk);
    }

    /// Returns the number of iterations of a loop.
    const fn chunk_of(&self, nest: &Nest, digit: usize) -> usize {
        let mut i = 0;
        while i < self.count && self.digits[i] as usize != digit {
            i += 1;
        }
        match i + 1 {
            _ if i == self.count => 1,
            last if last == self.count => self.chunk,
            _ => nest.loops[digit].size,
        }
    }

    /// Divides the iterations so that tables hold them, with the least waste by tiles of `tile` units.
    const fn divide(&mut self, nest: &Nest, tile: usize) {
        if self.count == 1 || self.all <= MAX_OFFSETS {
            return;
        }
        let (last, others) = (self.chunk, self.all / self.chunk);
        let most = greater(MAX_OFFSETS / others, 1);
        let (mut least, mut own) = (usize::MAX, most);
        while own > 0 && least > 0 {
            // The waste of the tiles, and of the last iteration.
            let waste = waste(own * others, tile) + (last.next_multiple_of(own) - last) * 64 / last;
            (self.chunk, least) = if waste < least { (own, waste) } else { (self.chunk, least) };
            own -= 1;
        }
        self.all = self.chunk * others;
        if self.chunk == 1 {
            // A table has no room for the last digit.
            self.count -= 1;
            self.chunk = nest.loops[self.digits[self.count - 1] as usize].size;
        }
    }
}

blank! {
    /// The matrix of a nest.
    #[derive(Clone, Copy)]
    pub(super) struct Tiling, const NONE {
        /// The fast digits of the destination that are rows.
        rows: MatrixSide = MatrixSide::NONE,
        columns: MatrixSide = MatrixSide::NONE,
        /// Whether a column has less than the 16 bytes of a lane, so that columns go through a scratch buffer.
        has_short_columns: bool = false,
        share_sets: bool = false,
        /// The bytes of columns up to which digits are [reversed](Nest::forwards_in_source), and where the matrix then
        /// begins in the source and the destination.
        reversed: usize = 0,
        pub(super) start: (isize, isize) = (0, 0),
        pub(super) cost: usize = usize::MAX,
    }
}

impl Tiling {
    /// Returns the least number of columns, or 0 if there are enough. Short ones need those that are joined at once;
    /// packed rows and small matrices those of a row in the scratch buffer.
    const fn least_columns(&self, unit: usize, isa: Isa) -> usize {
        let bytes = self.columns.all.saturating_mul(unit);
        let all = self.rows.all.saturating_mul(bytes);
        // Kernels with tables take longer to begin.
        let has_tables = self.rows.count > 1 || self.columns.count > 1;
        let is_small = match isa.vector() {
            LINE => all <= t::SMALL / 2,
            _ => has_tables || bytes <= LINE / 2 && all < t::SMALL,
        };
        match MOST_ROW_BYTES / unit {
            _ if self.has_short_columns => t::LEAST_JOINED,
            _ if bytes >= 2 * LINE || !self.share_sets && !is_small => 0,
            columns if columns < MAX_OFFSETS => columns,
            _ => MAX_OFFSETS,
        }
    }

    /// Returns the best matrix. It collects digits of columns of at least `least` bytes before it chooses rows.
    #[inline(never)]
    pub(super) const fn of(nest: &Nest, isa: Isa, least: usize) -> Self {
        if !nest.unit.is_power_of_two() || nest.unit > 8 {
            return Self::NONE;
        }
        let reversed = nest.forwards_in_source(least);
        let nest = if let Some(reversed) = &reversed { reversed } else { nest };
        let start = (nest.source, nest.destination);
        Self { reversed: least, start, ..Self::of_forwards(nest, isa, least) }
    }

    /// [`of`](Self::of) a nest whose columns are contiguous in the source.
    #[inline(always)]
    const fn of_forwards(nest: &Nest, isa: Isa, least: usize) -> Self {
        let (mut own, unit) = (Self::NONE, nest.unit);
        let lane = isa.lane().div_ceil(unit);
        // The fast digits of the source, until they take `least` bytes.
        while own.columns.count == 0 || own.columns.all * unit < least {
            if !own.add_columns(nest) {
                return Self::NONE;
            }
        }
        own.add_rows(nest, isa);
        let rows = own.rows.all;
        // Without vectors there is no scratch buffer, and no table.
        if own.rows.count == 0 || rows.saturating_mul(unit) < isa.lane() && !isa.has_vectors() {
            return Self::NONE;
        }
        own.rows.divide(nest, LINE / unit);
        let (along, of_tile) = (&nest.loops[0], isa.vector() / unit);
        let of_tile = if along.size < of_tile { along.size } else { of_tile };
        own.share_sets = unit < 4 && !t::stay(of_tile, t::sets(along.source));
        own.has_short_columns = own.rows.all < lane;
        let least = own.least_columns(unit, isa);
        // Adds digits to the columns if tiles would move too much twice, or packed rows would be short.
        while isa.has_vectors()
            && own.columns.count < nest.count
            && (waste(own.columns.all, lane) > t::WASTE || own.columns.all < least)
            && own.add_columns(nest)
        {}
        own.columns.divide(nest, lane);
        own.set_cost(nest, isa);
        own
    }

    /// Adds the next digit of the source to the columns, unless it belongs to the rows. Returns false if there is none.
    const fn add_columns(&mut self, nest: &Nest) -> bool {
        let (bytes, mut next) = (self.columns.all.saturating_mul(nest.unit), 0);
        while next < nest.count && nest.loops[next % MAX_LOOPS].source != bytes as isize {
            next += 1;
        }
        let is_column = next < nest.count && next >= self.rows.count;
        if is_column {
            self.columns.push(nest, next);
        }
        is_column
    }

    /// Adds the fast digits of the destination that are not columns to the rows, until they take a cache line, or several
    /// if columns share sets.
    const fn add_rows(&mut self, nest: &Nest, isa: Isa) {
        let line = if isa.has_vectors() { LINE } else { isa.lane() };
        let column = nest.loops[self.columns.digits[0] as usize].destination;
        let share = isa.has_vectors() && t::share_sets(column);
        while self.rows.count < nest.count {
            let (rows, digit) = (self.rows.all, self.rows.count);
            let bytes = rows * nest.unit;
            // A line that is stored in two parts leaves the cache in between.
            let is_more = share && rows < MAX_OFFSETS && bytes % LINE != 0 && bytes < t::LONG;
            let is_row =
                nest.loops[digit].follows(bytes) && self.columns.chunk_of(nest, digit) == 1;
            if bytes >= line && !is_more || !is_row {
                return;
            }
            self.rows.push(nest, digit);
        }
    }

    /// Sets the cost, if there are kernels for the matrix.
    const fn set_cost(&mut self, nest: &Nest, isa: Isa) {
        let (rows, columns, has_short_columns) =
            (self.rows.all, self.columns.all, self.has_short_columns);
        let (unit, has_few) = (nest.unit, isa.loads_beyond(columns * nest.unit));
        let is_strided = self.rows.count == 1 && self.columns.count == 1;
        if !isa.has_vectors() && (!is_strided || has_short_columns)
            || has_short_columns && (has_few || nest.is_pass)
        {
            return;
        }
        // Moves that may need a scratch buffer are not inlined, nor is any with SSE2.
        let may_be_packed = has_few || has_short_columns || self.share_sets;
        let may_be_inlined = nest.may_be_inlined && !may_be_packed && isa.vector() > LANE;
        let sides = (rows * unit, columns * unit);
        self.cost = Machine::of(isa).tile(unit, sides, may_be_inlined, isa);
        if has_short_columns {
            self.cost = t::joined(self.cost, rows * unit * self.run(nest));
        }
    }

    /// Returns another minimum of bytes of columns that may find a better matrix, or 0. If one digit is enough, a
    /// smaller one finds the same; a larger one makes columns of a digit of the rows if tiles would move too much
    /// twice.
    pub(super) const fn other_least(&self, unit: usize) -> usize {
        let columns = self.columns.all;
        match self.columns.count {
            1 if self.rows.count > 1 && waste(columns, LANE / unit) > t::WASTE => {
                columns * unit + 1
            }
            1 => 0,
            _ => t::NARROWEST,
        }
    }

    /// Returns the number of columns that are contiguous in the destination, at most the number that a table holds.
    const fn run(&self, nest: &Nest) -> usize {
        let (column, mut run, mut i) = (self.rows.all * nest.unit, 1usize, 0);
        while i < self.columns.count && run < MAX_OFFSETS {
            let digit = self.columns.digits[i] as usize;
            if !nest.loops[digit].follows(column * run) {
                return run;
            }
            run = run.saturating_mul(self.columns.chunk_of(nest, digit));
            i += 1;
        }
        least(run, MAX_OFFSETS)
    }

    /// Sets the tables of a matrix with uneven strides. Returns false if a table or the loops have no room.
    const fn set_tables(&self, nest: &Nest, tiles: &mut Tiles, loops: &mut OuterLoops) -> bool {
        let (mut rows, columns) = (self.rows.all, self.columns.all);
        // The table has a maximal size; further iterations of a digit become a loop.
        if rows > MAX_OFFSETS {
            rows = balanced(rows, MAX_OFFSETS);
            if !loops.push(OuterLoop::of(nest.loops[0], rows)) {
                return false;
            }
        }
        loops.sort();
        let known = least(columns, MAX_OFFSETS);
        tiles.rows = rows;
        if columns > MAX_OFFSETS && !tiles.are_columns_strided
            || !offsets(nest, &self.rows.digits, rows, true, &mut tiles.row_offsets)
            || !offsets(nest, &self.columns.digits, known, false, &mut tiles.column_offsets)
        {
            return false;
        }
        // A tile has at least a lane of rows, which repeat the first.
        each!(i, rows..tiles.units_of(LANE), {
            tiles.row_offsets[i % MAX_OFFSETS] = tiles.row_offsets[0];
        });
        // All offsets after those of the table are 0.
        let (mut bits, mut nearest, mut farthest) = (0, 0, 0);
        each!(i, 0..greater(rows, known), {
            let (row, column) = (tiles.row_offsets[i], tiles.column_offsets[i]);
            nearest = if row < nearest { row } else { nearest };
            farthest = if row > farthest { row } else { farthest };
            bits |= column;
        });
        tiles.alignment = alignment(bits as isize);
        (tiles.nearest, tiles.farthest) = (nearest as isize, farthest as isize);
        true
    }
}

/// Returns the share of units that tiles of `tile` units move twice, in 64ths.
const fn waste(count: usize, tile: usize) -> usize {
    let moved = if count == usize::MAX { count } else { count.div_ceil(tile) * tile };
    if moved == count { 0 } else { (moved - count) * 64 / moved }
}

/// Returns the largest power of two that divides an offset, at most the bytes of a cache line.
const fn alignment(offset: isize) -> usize {
    1 << (offset | LINE as isize).trailing_zeros()
}

/// Makes a transpose in tiles.
#[inline(never)]
pub(super) const fn tiled(
    nest: &Nest,
    tiling: &Tiling,
    (step, loops): (&mut Step, &mut OuterLoops),
) -> bool {
    let reversed = nest.forwards_in_source(tiling.reversed);
    let nest = if let Some(reversed) = &reversed { reversed } else { nest };
    let Tiling { rows, columns, .. } = tiling;
    loops.clear();
    each!(rev i, 0..nest.count, {
        if !loops
            .push(OuterLoop::of(nest.loops[i], rows.chunk_of(nest, i) * columns.chunk_of(nest, i)))
        {
            return false;
        }
    });
    loops.sort();
    let are_columns_strided = columns.count == 1;
    let is_strided = rows.count == 1 && are_columns_strided && !tiling.has_short_columns;
    let row = nest.loops[0];
    let column = nest.loops[columns.digits[0] as usize];
    *step = Step::Tiles(Tiles {
        unit: nest.unit,
        rows: rows.all,
        columns: columns.all,
        row: row.source,
        column: column.destination,
        is_strided,
        are_columns_strided,
        alignment: if is_strided { alignment(column.destination) } else { LINE },
        nearest: 0,
        farthest: 0,
        share_sets: tiling.share_sets,
        column_sets: t::sets(column.destination),
        row_offsets: [0; MAX_OFFSETS],
        column_offsets: [0; MAX_OFFSETS],
    });
    let Step::Tiles(tiles) = step else { return false };
    if is_strided {
        let last = Loop { size: rows.all, ..row }.last().0;
        (tiles.nearest, tiles.farthest) = if last < 0 { (last, 0) } else { (0, last) };
    } else if !tiling.set_tables(nest, tiles, loops) {
        return false;
    }
    true
}

/// Computes the offsets of the first `count` iterations of digits in the source or the destination. Returns false if
/// an offset might be too large for the table.
///
/// The first offsets are those of the first digit alone. Each further digit repeats all offsets before it, one stride
/// further at each step: strides 1 and 10 of sizes 2 and 3 have 0 1, then 10 11 and 20 21.
pub(super) const fn offsets(
    nest: &Nest,
    digits: &[u8],
    count: usize,
    is_source: bool,
    table: &mut [i32],
) -> bool {
    let (mut known, mut digit) = (1, 0);
    // No offset is farther from the first one than all digits before it together.
    let mut farthest = 0usize;
    table[0] = 0;
    while known < count && digit < digits.len() && (digits[digit] as usize) < nest.count {
        let own = &nest.loops[digits[digit] as usize];
        let stride = if is_source { own.source } else { own.destination };
        let all = known.saturating_mul(own.size);
        let end = least(all, count);
        let steps = (end - 1) / known;
        farthest = farthest.saturating_add(steps.saturating_mul(distance(stride)));
        if farthest > i32::MAX as usize {
            return false;
        }
        each!(i, known..end, {
            table[i] = table[i - known] + stride as i32;
        });
        known = end;
        digit += 1;
    }
    debug_assert!(known == count || count == 0, "the digits have fewer iterations");
    true
}

#[cfg(test)]
mod tests {
    use super::offsets;
    use crate::plan::{Move, Nest};
    use crate::steps::Loop;

    /// Tables have the offsets of all iterations, or there are none if those may exceed the table's numbers.
    #[test]
    fn offsets_of_digits() {
        let of = |first: isize, second: isize| {
            let loops = [Loop::new(3, first, 2), Loop::new(2, second, 6)];
            let nest = Nest::new(&Move::new(&loops, 1).from(1 << 40, 0)).expect("a nest");
            let mut table = [0; 6];
            offsets(&nest, &[0, 1], 6, true, &mut table).then_some(table)
        };
        assert_eq!(of(5, -7), Some([0, 5, 10, -7, -2, 3]));
        let most = i32::MAX as isize;
        assert_eq!(
            of(1, most - 2),
            Some([0, 1, 2, most - 2, most - 1, most].map(|own| own as i32))
        );
        assert_eq!(of(1, most - 1), None);
        assert_eq!(
            of(-1, 2 - most),
            Some([0, -1, -2, 2 - most, 1 - most, -most].map(|own| own as i32))
        );
        assert_eq!(of(-1, 1 - most), None);
        assert_eq!(of(1 << 60, -1), None);
    }
}
