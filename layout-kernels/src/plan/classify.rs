//! From a loop nest to a job: strides in bytes, the unit promoted, a kernel chosen.

use super::asked::Loops;
use super::padded::Fill;
use super::shuffles::{self, Found};
use crate::kernel::{Job, Kernel, Loop, Pad, Stores, lanes_are_columns};

/// The most loops of a nest that becomes a job.
const MOST_LOOPS: usize = Loops::CAPACITY;

/// Loops over units, the bytes that are moved as one; strides count bytes.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// From the slowest to the fastest in the destination.
    pub loops: [Loop; MOST_LOOPS],
    /// How many loops there are.
    pub count: usize,
    /// The bytes of a unit: 1, 2, 4, 8 or 16.
    pub unit: usize,
}

impl Units {
    /// One byte.
    pub const NONE: Self = Self { loops: [Loop::ONCE; MOST_LOOPS], count: 0, unit: 1 };
}

/// The loops of `nest` over elements of `bytes` bytes, as long units as can be, or `None` where they
/// are too many.
pub const fn units(nest: &Loops, bytes: usize) -> Option<Units> {
    // The largest unit that whole elements are made of; the rest is a loop.
    let mut unit = 1 << bytes.trailing_zeros();
    if unit > 16 {
        unit = 16;
    }
    let Loops { list: mut loops, mut count, .. } = *nest;
    let mut i = 0;
    while i < count {
        loops[i].source *= bytes as isize;
        loops[i].destination *= bytes as isize;
        i += 1;
    }
    if bytes > unit {
        if count == MOST_LOOPS {
            return None;
        }
        let step = unit as isize;
        loops[count] = Loop { size: bytes / unit, source: step, destination: step };
        count += 1;
    }
    // What stays together on both sides is moved as one.
    while count > 0 && unit < 16 {
        let last = loops[count - 1];
        let together = last.source == unit as isize && last.destination == unit as isize;
        if !together || last.size % 2 != 0 {
            break;
        }
        unit *= 2;
        let step = unit as isize;
        loops[count - 1] = Loop { size: last.size / 2, source: step, destination: step };
        if last.size == 2 {
            count -= 1;
        }
    }
    Some(Units { loops, count, unit })
}

/// The job that does what `nest` says with elements of `bytes` bytes.
pub(super) const fn job(nest: &Loops, bytes: usize, stores: Stores) -> Option<Job> {
    let Some(Units { mut loops, count, unit }) = units(nest, bytes) else { return None };
    let (mut source, mut destination) = (nest.source * bytes, nest.destination * bytes);
    let (mut kernel, mut taken) = kernel(&loops, count, unit as isize);
    if let Some(columns) = backwards(&loops, count, unit as isize) {
        let Loop { size, source: from, destination: to } = loops[columns];
        let mut forwards = loops;
        forwards[columns] = Loop { size, source: -from, destination: -to };
        let (other, taken_then) = self::kernel(&forwards, count, unit as isize);
        // Tiles that are not full gain less than a shuffle does.
        if !matches!(kernel, Kernel::Shuffle(_)) || fills_tiles(&other, unit) {
            let last = size as isize - 1;
            source = source.wrapping_add_signed(last * from);
            destination = destination.wrapping_add_signed(last * to);
            (loops, kernel, taken) = (forwards, other, taken_then);
        }
    }
    let Some(outer) = outer(loops.split_at(count).0, &taken) else { return None };
    Some(Job { source, destination, unit, kernel, outer, stores })
}

/// The job that moves what `job` moves and fills the padding of the destination too, if there is one.
pub const fn padded(job: &Job, fill: &Fill) -> Option<Job> {
    if let Some(job) = shuffles::padded(job, fill) {
        return Some(job);
    }
    let [outer @ .., pixels] = &job.outer;
    let mut i = 0;
    while i < outer.len() {
        if outer[i].size != 1 {
            return None;
        }
        i += 1;
    }
    let (from, to) = (Pad::FROM as isize, Pad::TO as isize);
    let lies = pixels.source == from && pixels.destination == to && job.destination == 0;
    // All elements, so that what is left out is padding.
    let all = pixels.size * Pad::TO == fill.bytes && pixels.size * Pad::FROM == fill.count;
    let bytes = matches!(job.kernel, Kernel::Copy(Pad::FROM)) && fill.bits == 8;
    if !(lies && all && bytes) {
        return None;
    }
    let kernel = Kernel::Pad(Pad { pixels: pixels.size, fill: fill.value as u8 });
    Some(Job { kernel, outer: [Loop::ONCE; Job::CAPACITY], ..*job })
}

/// The loops that are not taken, or `None` if they are more than a job holds.
pub(super) const fn outer(
    loops: &[Loop],
    taken: &[bool; MOST_LOOPS],
) -> Option<[Loop; Job::CAPACITY]> {
    let mut outer = [Loop::ONCE; Job::CAPACITY];
    let mut free = Job::CAPACITY;
    let mut i = loops.len();
    while i > 0 {
        i -= 1;
        if !taken[i] {
            if free == 0 {
                return None;
            }
            free -= 1;
            outer[free] = loops[i];
        }
    }
    Some(outer)
}

/// The loop whose units lie together in the source, but backwards, if no others do: columns of a matrix, once it
/// runs the other way. What lies together in the destination keeps its order.
const fn backwards(loops: &[Loop; MOST_LOOPS], count: usize, unit: isize) -> Option<usize> {
    let mut backwards = None;
    let mut i = 0;
    while i < count {
        if loops[i].source == unit {
            return None;
        }
        if loops[i].source == -unit && loops[i].destination != unit {
            backwards = Some(i);
        }
        i += 1;
    }
    backwards
}

/// Whether a kernel takes whole vectors of both sides.
const fn fills_tiles(kernel: &Kernel, unit: usize) -> bool {
    match kernel {
        Kernel::Interleave { .. } | Kernel::Deinterleave { .. } | Kernel::ColumnGroups { .. } => {
            true
        }
        Kernel::Transpose { rows, columns } | Kernel::Groups { rows, columns, .. } => {
            rows.size * unit >= 16 && columns.size * unit >= 16
        }
        _ => false,
    }
}

/// The loop in which few columns, those of loop `columns`, go on in the source, so that both together fill tiles.
const fn groups_of_columns(
    loops: &[Loop; MOST_LOOPS],
    count: usize,
    columns: usize,
    unit: isize,
) -> Option<usize> {
    let size = loops[columns].size;
    let bytes = size as isize * unit;
    let mut i = 0;
    while i < count {
        let fills = loops[i].source == bytes && loops[i].size as isize * bytes >= 16;
        if fills && bytes < 16 && size.is_power_of_two() {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// The shuffle that was found for so many loops, or else another kernel; and which loops it takes over.
const fn or_else(
    found: Option<Found>,
    count: usize,
    other: (Kernel, [bool; MOST_LOOPS]),
) -> (Kernel, [bool; MOST_LOOPS]) {
    match found {
        Some(found) => found.kernel(count),
        None => other,
    }
}

/// The kernel, and which loops it takes over.
const fn kernel(
    loops: &[Loop; MOST_LOOPS],
    count: usize,
    unit: isize,
) -> (Kernel, [bool; MOST_LOOPS]) {
    let mut taken = [false; MOST_LOOPS];
    if count == 0 {
        return (Kernel::Copy(unit as usize), taken);
    }
    let last = count - 1;
    let rows = loops[last];
    taken[last] = true;
    if rows.destination == unit && rows.source == unit {
        let bytes = rows.size * unit as usize;
        let found = Found::pieces(loops, count, unit, bytes);
        return or_else(found, count, (Kernel::Copy(bytes), taken));
    }
    let mut i = 0;
    while i < last {
        let columns = loops[i];
        if rows.destination == unit && columns.source == unit {
            taken[i] = true;
            let row_bytes = rows.size as isize * unit;
            let column_bytes = columns.size as isize * unit;
            if unit <= 4 && matches!(rows.size, 3 | 4) && columns.destination == row_bytes {
                let found = Found::less_than_a_vector(loops, count, unit, rows.size, column_bytes);
                return or_else(found, count, (Kernel::Interleave { rows, columns }, taken));
            }
            if unit <= 4 && matches!(columns.size, 3 | 4) && rows.source == column_bytes {
                let found = Found::less_than_a_vector(loops, count, unit, columns.size, row_bytes);
                return or_else(found, count, (Kernel::Deinterleave { rows, columns }, taken));
            }
            if let Some(j) = groups_of_columns(loops, last, i, unit) {
                if row_bytes >= 16 {
                    taken[j] = true;
                    return (Kernel::ColumnGroups { rows, columns, groups: loops[j] }, taken);
                }
            }
            // Rows of less than a line go on in the next loop, where that follows them.
            let line = row_bytes < 64 && rows.size.is_power_of_two();
            let go_on = i != last - 1 && line && loops[last - 1].destination == row_bytes;
            let groups = if go_on { loops[last - 1] } else { Loop::ONCE };
            let count_of_rows = rows.size * groups.size;
            let are_lanes = column_bytes >= 16
                && lanes_are_columns(count_of_rows, unit as usize, columns.destination);
            let found = match are_lanes {
                true => None,
                false => {
                    Found::few_rows_or_columns(loops, count, unit, count_of_rows, columns.size)
                }
            };
            if let Some(found) = found {
                return found.kernel(count);
            }
            if go_on {
                taken[last - 1] = true;
                return (Kernel::Groups { rows, groups, columns }, taken);
            }
            return (Kernel::Transpose { rows, columns }, taken);
        }
        i += 1;
    }
    or_else(Found::units(loops, count, unit), count, (Kernel::Strided(rows), taken))
}
