//! Tiling: which digits of a nest are the rows of a matrix, and which are its columns.

use super::machine::{self as t, Machine};
use super::nests::Nest;
use crate::isa::Isa;
use crate::steps::tiles::MOST_ROW_BYTES;
use crate::steps::{
    LINE, Loop, MAX_LOOPS, MAX_OFFSETS, OuterLoop, OuterLoops, Step, Tiles, balanced, distance,
    greater, least,
};

/// Loops of a nest, fastest first: bytes, since a tiling is copied several times while a plan is made.
type Digits = [u8; MAX_LOOPS];

/// All loops in the order of the destination.
pub(super) const IN_ORDER: Digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The matrix of a nest: its digits of rows and of columns.
#[derive(Clone, Copy)]
pub(super) struct Tiling {
    /// The number of fast digits of the destination that are rows, and the number of iterations of the last of them.
    row_digits: usize,
    row_chunk: usize,
    rows: usize,
    /// Whether a column has less than the 16 bytes of a lane, so that columns go through a scratch buffer.
    has_short_columns: bool,
    share_sets: bool,
    /// The digits that are columns, and the number of iterations of the last of them.
    columns_of: Digits,
    pub(super) column_digits: usize,
    column_chunk: usize,
    columns: usize,
    /// The bytes of columns up to which digits are [reversed](Nest::forwards_in_source), and where the matrix then
    /// begins in the source and the destination.
    reversed: usize,
    pub(super) start: (isize, isize),
    pub(super) cost: usize,
}

impl Tiling {
    pub(super) const NONE: Self = Self {
        row_digits: 0,
        row_chunk: 0,
        rows: 0,
        has_short_columns: false,
        share_sets: false,
        columns_of: [MAX_LOOPS as u8; MAX_LOOPS],
        column_digits: 0,
        column_chunk: 0,
        columns: 0,
        reversed: 0,
        start: (0, 0),
        cost: usize::MAX,
    };

    /// Returns the least number of columns, or 0 if there are enough. Short ones need those that are joined at once;
    /// packed rows and small matrices those of a row in the scratch buffer.
    const fn least_columns(&self, unit: usize, isa: Isa) -> usize {
        let bytes = self.columns.saturating_mul(unit);
        // Kernels with tables take longer to begin.
        let has_tables = self.row_digits > 1 || self.column_digits > 1;
        let is_small = match isa.vector() {
            LINE => self.rows.saturating_mul(bytes) <= t::SMALL / 2,
            _ => has_tables || bytes <= LINE / 2 && self.rows.saturating_mul(bytes) < t::SMALL,
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
        let nest = one_of(&reversed, nest);
        let start = (nest.source, nest.destination);
        Self { reversed: least, start, ..Self::of_forwards(nest, isa, least) }
    }

    /// [`of`](Self::of) a nest whose columns are contiguous in the source.
    #[inline(always)]
    const fn of_forwards(nest: &Nest, isa: Isa, least: usize) -> Self {
        let (mut own, unit) = (Self { columns: 1, ..Self::NONE }, nest.unit);
        let lane = isa.lane().div_ceil(unit);
        // The fast digits of the source, until they take `least` bytes.
        while own.column_digits == 0 || own.columns * unit < least {
            if !own.add_column_digit(nest) {
                return Self::NONE;
            }
        }
        let (rows, digits) = fast_rows(nest, isa, &own.columns_of, own.column_digits);
        // Without vectors there is no scratch buffer, and no table.
        if digits == 0 || rows.saturating_mul(unit) < isa.lane() && isa.lane() < 16 {
            return Self::NONE;
        }
        own.row_digits = digits;
        (own.row_chunk, own.rows) = chunk(rows, nest.loops[digits - 1].size, digits, LINE / unit);
        let (along, of_tile) = (&nest.loops[0], isa.vector() / unit);
        let of_tile = if along.size < of_tile { along.size } else { of_tile };
        own.share_sets = unit < 4 && !t::stay(of_tile, t::sets(along.source));
        own.has_short_columns = own.rows < lane;
        let least = own.least_columns(unit, isa);
        // Adds digits to the columns if tiles would move too much twice, or packed rows would be short.
        while isa.lane() == 16
            && own.column_digits < nest.count
            && (waste(own.columns, lane) > t::WASTE || own.columns < least)
            && own.add_column_digit(nest)
        {}
        (own.column_chunk, own.columns) =
            chunk(own.columns, nest.loops[own.last_column_digit()].size, own.column_digits, lane);
        if own.column_chunk == 1 && own.column_digits > 1 {
            // A table has no room for the last digit.
            own.column_digits -= 1;
            own.column_chunk = nest.loops[own.last_column_digit()].size;
        }
        own.set_cost(nest, isa);
        own
    }

    /// Adds the next digit of the source to the columns, unless it belongs to the rows. Returns false if there is none.
    const fn add_column_digit(&mut self, nest: &Nest) -> bool {
        let next = digit_at(nest, self.columns.saturating_mul(nest.unit));
        if next == MAX_LOOPS || next < self.row_digits {
            return false;
        }
        self.columns_of[self.column_digits] = next as u8;
        self.column_digits += 1;
        self.columns = self.columns.saturating_mul(nest.loops[next].size);
        true
    }

    /// Returns the digit that the columns contain in part.
    const fn last_column_digit(&self) -> usize {
        self.columns_of[self.column_digits - 1] as usize
    }

    /// Sets the cost, if there are kernels for the matrix.
    const fn set_cost(&mut self, nest: &Nest, isa: Isa) {
        let Self { rows, columns, has_short_columns, .. } = *self;
        let (unit, has_few) = (nest.unit, isa.loads_beyond(columns * nest.unit));
        let is_strided = self.row_digits == 1 && self.column_digits == 1;
        if isa.lane() < 16 && (!is_strided || has_short_columns)
            || has_short_columns && (has_few || nest.is_pass)
        {
            return;
        }
        // Moves that may need a scratch buffer are not inlined, nor is any with SSE2.
        let may_be_packed = has_few || has_short_columns || self.share_sets;
        let may_be_inlined = nest.may_be_inlined && !may_be_packed && isa.vector() > 16;
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
        match self.column_digits {
            1 if self.row_digits > 1 && waste(self.columns, 16 / unit) > t::WASTE => {
                self.columns * unit + 1
            }
            1 => 0,
            _ => t::NARROWEST,
        }
    }

    /// Returns the number of columns that are contiguous in the destination, at most the number that a table holds.
    const fn run(&self, nest: &Nest) -> usize {
        let (column, mut run, mut i) = (self.rows * nest.unit, 1usize, 0);
        while i < self.column_digits && run < MAX_OFFSETS {
            let digit = self.columns_of[i] as usize;
            if !nest.loops[digit].follows(column * run) {
                return run;
            }
            run = run.saturating_mul(self.chunk_of(nest, digit));
            i += 1;
        }
        least(run, MAX_OFFSETS)
    }

    /// Returns the number of iterations of a loop that the matrix contains.
    const fn chunk_of(&self, nest: &Nest, digit: usize) -> usize {
        let is_column = holds(&self.columns_of, self.column_digits, digit);
        if digit + 1 == self.row_digits {
            self.row_chunk
        } else if is_column && self.last_column_digit() == digit {
            self.column_chunk
        } else if digit < self.row_digits || is_column {
            nest.loops[digit].size
        } else {
            1
        }
    }

    /// Sets the tables of a matrix with uneven strides. Returns false if a table or the loops have no room.
    const fn set_tables(&self, nest: &Nest, tiles: &mut Tiles, loops: &mut OuterLoops) -> bool {
        let (mut rows, columns) = (self.rows, self.columns);
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
            || !offsets(nest, &IN_ORDER, rows, true, &mut tiles.row_offsets)
            || !offsets(nest, &self.columns_of, known, false, &mut tiles.column_offsets)
        {
            return false;
        }
        // A tile has at least a lane of rows, which repeat the first.
        let (least, mut i) = (tiles.units_of(16), rows);
        while i < least {
            tiles.row_offsets[i % MAX_OFFSETS] = tiles.row_offsets[0];
            i += 1;
        }
        // All offsets after those of the table are 0.
        let (mut bits, mut nearest, mut farthest, mut i) = (0, 0, 0, 0);
        while i < rows || i < known {
            let (row, column) = (tiles.row_offsets[i], tiles.column_offsets[i]);
            nearest = if row < nearest { row } else { nearest };
            farthest = if row > farthest { row } else { farthest };
            bits |= column;
            i += 1;
        }
        tiles.alignment = alignment(bits as isize);
        (tiles.nearest, tiles.farthest) = (nearest as isize, farthest as isize);
        true
    }
}

/// Returns the rows of the fast digits of the destination that are not columns, and the number of those digits: until
/// they take a cache line, or several if columns share sets.
const fn fast_rows(nest: &Nest, isa: Isa, columns: &Digits, found: usize) -> (usize, usize) {
    let (unit, mut rows, mut digits) = (nest.unit, 1usize, 0);
    let line = if isa.lane() < 16 { isa.lane() } else { LINE };
    let share = isa.lane() == 16 && t::share_sets(nest.loops[columns[0] as usize].destination);
    while digits < nest.count {
        // A line that is stored in two parts leaves the cache in between.
        let bytes = rows * unit;
        let is_more = share && rows < MAX_OFFSETS && bytes % LINE != 0 && bytes < t::LONG;
        if rows * unit >= line && !is_more {
            break;
        }
        let digit = &nest.loops[digits];
        if !digit.follows(rows * unit) || holds(columns, found, digits) {
            break;
        }
        rows = rows.saturating_mul(digit.size);
        digits += 1;
    }
    (rows, digits)
}

/// Divides the iterations of digits so that tables hold them. Returns the iterations of the last digit, and of all.
const fn chunk(total: usize, last: usize, digits: usize, tile: usize) -> (usize, usize) {
    if digits == 1 || total <= MAX_OFFSETS {
        return (last, total);
    }
    let others = total / last;
    let most = greater(MAX_OFFSETS / others, 1);
    let (mut best, mut least, mut own) = (most, usize::MAX, most);
    while own > 0 && least > 0 {
        // The waste of the tiles, and of the last iteration.
        let waste = waste(own * others, tile) + (last.next_multiple_of(own) - last) * 64 / last;
        (best, least) = if waste < least { (own, waste) } else { (best, least) };
        own -= 1;
    }
    (best, best * others)
}

/// Returns the share of units that tiles of `tile` units move twice, in 64ths.
const fn waste(count: usize, tile: usize) -> usize {
    let moved = if count == usize::MAX { count } else { count.div_ceil(tile) * tile };
    if moved == count { 0 } else { (moved - count) * 64 / moved }
}

/// Returns the digit whose source stride is `bytes` bytes, if there is one.
const fn digit_at(nest: &Nest, bytes: usize) -> usize {
    let mut i = 0;
    while i < nest.count && nest.loops[i % MAX_LOOPS].source != bytes as isize {
        i += 1;
    }
    if i < nest.count { i } else { MAX_LOOPS }
}

const fn holds(digits: &Digits, count: usize, digit: usize) -> bool {
    let mut i = 0;
    while i < count && digits[i] as usize != digit {
        i += 1;
    }
    i < count
}

/// Returns the reversed nest, if there is one.
const fn one_of<'a>(reversed: &'a Option<Nest>, nest: &'a Nest) -> &'a Nest {
    match reversed {
        Some(reversed) => reversed,
        None => nest,
    }
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
    let nest = one_of(&reversed, nest);
    loops.clear();
    let mut i = nest.count;
    while i > 0 {
        i -= 1;
        if !loops.push(OuterLoop::of(nest.loops[i], tiling.chunk_of(nest, i))) {
            return false;
        }
    }
    loops.sort();
    let Tiling { rows, columns, .. } = *tiling;
    let are_columns_strided = tiling.column_digits == 1;
    let is_strided = tiling.row_digits == 1 && are_columns_strided && !tiling.has_short_columns;
    let row = nest.loops[0];
    let column = nest.loops[tiling.columns_of[0] as usize];
    *step = Step::Tiles(Tiles {
        unit: nest.unit,
        rows,
        columns,
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
        let last = Loop { size: rows, ..row }.last().0;
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
        let mut i = known;
        while i < end {
            table[i] = table[i - known] + stride as i32;
            i += 1;
        }
        known = end;
        digit += 1;
    }
    debug_assert!(known == count || count == 0, "the digits have fewer iterations");
    true
}

#[cfg(test)]
mod tests {
    use super::{IN_ORDER, offsets};
    use crate::plan::{Move, Nest};
    use crate::steps::Loop;

    /// Tables have the offsets of all iterations, or there are none if those may exceed the table's numbers.
    #[test]
    fn offsets_of_digits() {
        let of = |first: isize, second: isize| {
            let loops = [Loop::new(3, first, 2), Loop::new(2, second, 6)];
            let nest = Nest::new(&Move::new(&loops, 1).from(1 << 40, 0)).expect("a nest");
            let mut table = [0; 6];
            offsets(&nest, &IN_ORDER, 6, true, &mut table).then_some(table)
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
