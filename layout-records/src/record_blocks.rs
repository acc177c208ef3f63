//! Blocks: what the outermost digits of a record repeat.

use layout_core::LayoutError;
use layout_core::spec::{MAX_RANK, Rule, coordinate_order};

use crate::checked_tree::{check_operands, letters_of};
use crate::error::{Broken, RecordError};
use crate::record::{Record, RecordTemplate};
use crate::record_rules::RecordRule;

/// Where the blocks of a buffer lie, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockSteps {
    /// The number of bytes of a block, without those between it and the next one.
    pub bytes: usize,
    /// How often the outermost digits repeat, and the distances, the slowest first.
    steps: [(usize, usize); MAX_RANK],
    count: usize,
}

impl BlockSteps {
    /// The number of blocks.
    pub const fn blocks(&self) -> usize {
        let mut blocks = 1;
        layout_core::each!(i, 0..self.count, {
            // Empty blocks have no bound.
            blocks = self.steps[i].0.saturating_mul(blocks);
        });
        blocks
    }

    /// The start of a block, in bytes. Blocks count in the order of memory.
    #[inline(always)]
    pub const fn start(&self, mut block: usize) -> usize {
        if self.count == 1 {
            return block * self.steps[0].1;
        }
        let mut start = 0;
        // What is checked here cannot panic.
        layout_core::each!(rev i, 0..if self.count < MAX_RANK { self.count } else { MAX_RANK }, {
            let (size, stride) = self.steps[i];
            if size > 0 {
                start += block % size * stride;
                block /= size;
            }
        });
        start
    }

    /// Adds a faster digit. Digits that continue one another become one.
    const fn push(&mut self, size: usize, stride: usize) {
        if self.count > 0 && self.steps[self.count - 1].1 == size.saturating_mul(stride) {
            let slower = self.steps[self.count - 1].0;
            self.steps[self.count - 1] = (slower.saturating_mul(size), stride);
        } else {
            self.steps[self.count] = (size, stride);
            self.count += 1;
        }
    }
}

impl RecordTemplate {
    /// One block as a record of its own: without the digits before the outermost braces, and with the extents that a
    /// step of them covers. Axes that have no other digits are gone.
    ///
    /// # Errors
    /// - The extent of an axis without such a digit is not known.
    /// - A digit is added to one before the outermost braces.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn block(&self) -> Result<Record, RecordError> {
        RecordError::without_place(self.block_record())
    }

    const fn block_record(&self) -> Result<Record, Broken> {
        let (tree, block) = (self.tree(), self.tree().without_outermost_digits());
        // A digit that is added to one before the braces has another place in each block.
        layout_core::each!(node, 0..block.count(), {
            if let (Some(_), Ok(path)) = (block.element(node), block.path(node)) {
                ok!(check_operands(&block, node, &path));
            }
        });
        let letters = coordinate_order(letters_of(&block));
        let mut extents = [0; MAX_RANK];
        layout_core::each!(axis, 0..letters.count(), {
            let letter = letters.at(axis);
            let mut least = u32::MAX;
            layout_core::each!(item, 1..tree.digits_end(0), {
                match tree.digit(item) {
                    Some(digit) if digit.letter == letter as u8 && digit.weight < least => {
                        least = digit.weight;
                    }
                    _ => {}
                }
            });
            let extent = match self.letters().position(letter) {
                Some(axis) => self.axes()[axis].extent.value(),
                None => None,
            };
            extents[axis] = match extent {
                _ if least < u32::MAX => least as usize,
                Some(extent) => extent,
                None => {
                    let rule = Rule::MissingNumber { what: "extent", letter };
                    return Err((RecordRule::Layout(LayoutError(rule)), 0));
                }
            };
        });
        Record::of_tree(block, letters, extents)
    }
}

impl Record {
    /// Where the blocks of a buffer lie: what the digits before the outermost braces repeat. Panics if there is no such
    /// buffer.
    ///
    /// # Errors
    /// Blocks do not begin at bytes.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn block_steps(&self, buffer: usize) -> Result<BlockSteps, RecordError> {
        let tree = self.tree();
        let block = ok!(self.template().block());
        let bytes = block.bytes(buffer);
        let placement = self.placement().for_buffer(tree, self.sizes(), buffer);
        let mut all = BlockSteps { bytes, steps: [(1, 0); MAX_RANK], count: 0 };
        let mut item = 1;
        while let Some(digit) = tree.digit(item) {
            let bits = placement.stride(item);
            if bits % 8 > 0 {
                return Err(RecordError::new(RecordRule::BlockBits { bits: bits as usize }));
            }
            if all.count == MAX_RANK {
                return Err(RecordError::new(RecordRule::TooManyDigits));
            }
            all.push(self.sizes().count(&digit), (bits / 8) as usize);
            item += 1;
        }
        if all.count == 0 {
            all.push(1, bytes);
        }
        Ok(all)
    }
}
