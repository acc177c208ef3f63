//! Weights of blocks: the number of coordinates of the axis in one step of a block.
//!
//! The blocks of an axis are digits of its coordinate in mixed radix. Sorted by weight, the first has weight 1, and
//! the weight of each other block is the size times the weight of the one below it. Then every coordinate has exactly
//! one value of each digit. A format lists blocks in memory order, which may be any other order: `RC32r4r/32 4c` has
//! `r % 32` before `r / 32 % 4`.

use super::factor::{Factor, MAX_FACTORS};
use super::rules::Rule;

/// The size of a block, and its weight if one is written.
const fn block_of(factor: Factor, letter: char) -> Option<(usize, Option<usize>)> {
    match factor {
        Factor::Block(axis, size) if axis as u32 == letter as u32 => Some((size, None)),
        Factor::Weighted(axis, size, weight) | Factor::StridedBlock(axis, size, weight, _)
            if axis as u32 == letter as u32 =>
        {
            Some((size, Some(weight)))
        }
        _ => None,
    }
}

/// The weight of the block at `i`: as written, or the product of the blocks of the axis that are listed after it
/// without a weight. It saturates at `usize::MAX`, and is 1 if the factor is not a block.
pub const fn weight(factors: &[Factor], i: usize) -> usize {
    match factors[i] {
        Factor::Weighted(_, _, weight) | Factor::StridedBlock(_, _, weight, _) => weight,
        Factor::Block(letter, _) => product_after(factors, i, letter, false),
        _ => 1,
    }
}

/// The product of the blocks of an axis after `i`, with or without those that have a weight.
const fn product_after(factors: &[Factor], i: usize, letter: char, weighted: bool) -> usize {
    let mut product = 1usize;
    let mut k = i + 1;
    while k < factors.len() {
        if let Some((size, weight)) = block_of(factors[k], letter) {
            if weighted || weight.is_none() {
                product = product.saturating_mul(size);
            }
        }
        k += 1;
    }
    product
}

/// Normalizes the blocks, so that each order is written in one way: an axis has weights only if its blocks are not
/// listed from the outer to the inner, and only weights above 1.
pub(super) const fn canonical(factors: &mut [Factor; MAX_FACTORS], count: usize) {
    let written = *factors;
    let written = written.split_at(count).0;
    each!(i, 0..count, {
        if let Factor::Block(letter, size) | Factor::Weighted(letter, size, _) = written[i] {
            let weight = weight(written, i);
            factors[i] = match size < 2 || weight == 1 || is_nested(written, letter) {
                true => Factor::Block(letter, size),
                false => Factor::Weighted(letter, size, weight),
            };
        }
    });
}

/// Whether the blocks of an axis are listed from the outer to the inner.
const fn is_nested(factors: &[Factor], letter: char) -> bool {
    let mut nested = true;
    let mut i = 0;
    while nested && i < factors.len() {
        if let Some((2.., _)) = block_of(factors[i], letter) {
            nested = weight(factors, i) == product_after(factors, i, letter, true);
        }
        i += 1;
    }
    nested
}

/// The first block whose weight is not that of a digit in mixed radix, and the rule that it breaks.
pub(super) const fn misplaced(factors: &[Factor]) -> Option<(usize, Rule)> {
    each!(i, 0..factors.len(), {
        if let Factor::Weighted(letter, _, weight) | Factor::StridedBlock(letter, _, weight, _) =
            factors[i]
        {
            if weight == 0 {
                return Some((i, Rule::ZeroWeight { letter }));
            }
            let broken = misplaced_of(factors, letter);
            if broken.is_some() {
                return broken;
            }
        }
    });
    None
}

/// The same for one axis, beginning with the smallest weight.
const fn misplaced_of(factors: &[Factor], letter: char) -> Option<(usize, Rule)> {
    // Blocks of one position are not digits.
    let (mut blocks, mut count) = ([(0, 0, 0); MAX_FACTORS], 0);
    each!(i, 0..factors.len(), {
        if let (Some((size @ 2.., _)), true) = (block_of(factors[i], letter), count < MAX_FACTORS) {
            blocks[count] = (i, size, weight(factors, i));
            count += 1;
        }
    });
    let (mut below, mut below_weight, mut covered) = (0, 1, 1usize);
    while count > 0 {
        let mut least = 0;
        each!(k, 1..count, {
            if blocks[k].2 < blocks[least].2 {
                least = k;
            }
        });
        let (i, size, weight) = blocks[least];
        if weight < covered {
            return Some((i, Rule::BlockOverlap { letter, size, weight, below, below_weight }));
        }
        if weight > covered {
            return Some((i, Rule::BlockGap { letter, size, weight, below, below_weight }));
        }
        (below, below_weight) = (size, weight);
        covered = covered.saturating_mul(size);
        // The rest keep their order, so that of two blocks of one weight the first is named.
        count -= 1;
        while least < count {
            blocks[least] = blocks[least + 1];
            least += 1;
        }
    }
    None
}
