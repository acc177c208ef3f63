//! The loops around blocks of bits, which moves share.

use alloc::vec::Vec;

use crate::steps::{Loop, WINDOW};

/// The most bits of a block, each of which is traced.
const MOST_BITS: usize = 32 << 10;

/// The most vectors of a block of several sources.
const MOST_VECTORS: usize = 8;

/// Loops over bits. Their strides, and both starts, count bits.
#[derive(Clone, Debug)]
pub struct BitLoops {
    /// The loops.
    pub loops: Vec<Loop>,
    /// The first bit of the source, and of the destination.
    pub starts: [usize; 2],
    /// Whether bits of the source, and of the destination, count from the highest one of a byte.
    pub high_first: [bool; 2],
    /// The buffer of the source.
    pub buffer: usize,
}

/// The bytes from the first iteration of loops to the last one.
pub(super) fn span(loops: &[Loop], of: fn(&Loop) -> isize) -> Option<usize> {
    loops.iter().try_fold(0, |all: usize, own| {
        all.checked_add((of(own) as usize).checked_mul(own.size - 1)?)
    })
}

/// Takes loops over whole bytes out of all moves, slowest first, until few bits are left, and one at least. Their steps in
/// the source may differ if blocks are multiples of some vectors.
pub(super) fn outer_loops(moves: &mut [BitLoops], apart: Option<usize>) -> Option<Vec<Vec<Loop>>> {
    let mut all: Vec<Vec<Loop>> = moves.iter().map(|_| Vec::new()).collect();
    let most = apart.map_or(MOST_BITS, |vectors| 8 * MOST_VECTORS * vectors);
    loop {
        let bits_of =
            |own: &BitLoops| own.loops.iter().map(|own| own.size).try_fold(1, usize::checked_mul);
        let bits = moves.iter().try_fold(0, |all: usize, own| all.checked_add(bits_of(own)?))?;
        if bits == 0 {
            return None;
        }
        if bits <= most && !all.first()?.is_empty() {
            break;
        }
        let part = |own: &Loop| outer_part(*own, apart);
        let mut candidates: Vec<Loop> = moves.first()?.loops.iter().filter_map(part).collect();
        candidates.sort_by_key(|own| core::cmp::Reverse(own.size));
        let taken = |of: &Loop| {
            let each = moves.iter().map(|own| without(&own.loops, *of, apart.is_some()));
            each.collect::<Option<Vec<_>>>()
        };
        match candidates.iter().find_map(taken) {
            Some(taken) => {
                for ((of, own), (rest, Loop { size, source, destination })) in
                    moves.iter_mut().zip(&mut all).zip(taken)
                {
                    of.loops = rest;
                    own.push(Loop::new(size, source / 8, destination / 8));
                }
            }
            None if bits <= most => all.iter_mut().for_each(|own| own.push(Loop::ONCE)),
            None => return None,
        }
    }
    // The first one taken is the longest, and runs over blocks.
    all.iter_mut().for_each(|own| own.reverse());
    Some(all)
}

/// The part of a loop that steps over whole bytes, and in the destination over a vector at least, or a multiple of some
/// bytes if that can be.
fn outer_part(own: Loop, apart: Option<usize>) -> Option<Loop> {
    let Loop { size, source, destination } = own;
    if source < 0 || destination <= 0 {
        return None;
    }
    let vector = 8 * apart.unwrap_or(WINDOW);
    let fits = |inner: &usize| {
        let step = *inner as isize;
        let is_whole = step * source % 8 == 0 && step * destination % 8 == 0;
        size % inner == 0 && is_whole && step * destination >= vector as isize
    };
    let all = || (1..=size / 2).take(vector).filter(fits);
    let whole = apart.and_then(|_| all().find(|inner| inner * destination as usize % vector == 0));
    let inner = whole.or_else(|| all().next())?;
    let step = inner as isize;
    Some(Loop::new(size / inner, step * source, step * destination))
}

/// Loops without one that is part of one of them, and that part, with `apart` with steps of its own in the source.
fn without(all: &[Loop], part: Loop, apart: bool) -> Option<(Vec<Loop>, Loop)> {
    let inner_of = |own: &Loop| part.destination.checked_div(own.destination).unwrap_or(0);
    let at = all.iter().position(|own| {
        let inner = inner_of(own);
        let is_multiple = inner * own.destination == part.destination
            && inner.checked_mul(own.source).is_some_and(|source| {
                source == part.source || apart && source >= 0 && source % 8 == 0
            });
        let size = (inner as usize).checked_mul(part.size);
        inner > 0 && is_multiple && size.is_some_and(|size| own.size % size == 0)
    })?;
    let (mut rest, own) = (all.to_vec(), all[at]);
    let inner = inner_of(&own);
    rest[at].size = inner as usize;
    let taken = Loop::new(part.size, inner * own.source, part.destination);
    let steps = part.size as isize;
    let outer = own.size / (inner as usize * part.size);
    let (source, destination) =
        (steps.checked_mul(taken.source)?, steps.checked_mul(part.destination)?);
    rest.push(Loop::new(outer, source, destination));
    Some((rest, taken))
}
