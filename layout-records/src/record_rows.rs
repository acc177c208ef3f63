//! Rows of the slowest axis as a record.

use core::ops::Range;

use layout_core::spec::MAX_RANK;

use crate::error::RecordError;
use crate::item::{NodeContent, WrittenDigit};
use crate::record::Record;
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

impl Record {
    /// Rows of an axis as a record of their own, and the bytes of each buffer that it takes. Only the first entries,
    /// one for each buffer, are valid.
    ///
    /// # Errors
    /// - The axis is not the slowest of every buffer.
    /// - The rows do not begin and end at whole blocks, or reach outside of the axis.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    #[allow(clippy::type_complexity, reason = "a range for each buffer")]
    pub const fn rows(
        &self,
        axis: char,
        rows: Range<usize>,
    ) -> Result<(Self, [Range<usize>; MAX_RANK]), RecordError> {
        match part_of(self, axis.to_ascii_uppercase(), rows.start, rows.end) {
            Ok(part) => Ok(part),
            Err(rule) => Err(RecordError::new(rule)),
        }
    }
}

/// The part of a record that rows of an axis are.
#[allow(clippy::type_complexity, reason = "a range for each buffer")]
const fn part_of(
    record: &Record,
    letter: char,
    start: usize,
    end: usize,
) -> Result<(Record, [Range<usize>; MAX_RANK]), RecordRule> {
    let outermost = RecordRule::RowsOutermost { axis: letter };
    let Some(axis) = record.letters().position(letter) else { return Err(outermost) };
    let extent = record.extents()[axis];
    let mut ranges = [const { 0..0 }; MAX_RANK];
    let tree = record.tree();
    if record.buffers() > MAX_RANK || start > end || end > extent {
        let rule = RecordRule::RowsBlock { axis: letter, start, end, block: 1 };
        return Err(rule);
    }
    let mut buffer = 0;
    while buffer < record.buffers() {
        let Some((digit, item)) = slowest(tree, buffer) else { return Err(outermost) };
        if !digit.is_rest() || digit.letter != letter as u8 {
            return Err(outermost);
        }
        let block = digit.weight as usize;
        if start % block > 0 || end % block > 0 && end < extent {
            return Err(RecordRule::RowsBlock { axis: letter, start, end, block });
        }
        let placement = record.placement().for_buffer(tree, record.sizes(), buffer);
        let bits = placement.stride(item);
        let (first, last) = ((start / block) as u64 * bits, end.div_ceil(block) as u64 * bits);
        if bits % 8 > 0 && (first % 8 > 0 || last % 8 > 0 && end < extent) {
            return Err(RecordRule::RowsBlock { axis: letter, start, end, block: 8 * block });
        }
        ranges[buffer] = (first / 8) as usize..last.div_ceil(8) as usize;
        buffer += 1;
    }
    Ok((record.with_extent(axis, end - start), ranges))
}

/// The slowest digit of a buffer.
const fn slowest(tree: &RecordTree, buffer: usize) -> Option<(WrittenDigit, usize)> {
    let mut node = 0;
    loop {
        if let Some(digit) = tree.digit(node + 1) {
            return Some((digit, node + 1));
        }
        let mut item = tree.digits_end(node);
        let mut only = 0;
        let mut count = 0;
        while item < tree.end(node) {
            if tree.is_node(item) {
                let is_own = match tree.content(node) {
                    NodeContent::Buffers => tree.buffer(item) == buffer,
                    _ => true,
                };
                (only, count) = (if is_own { item } else { only }, count + is_own as usize);
            }
            item = tree.end(item);
        }
        // Several items lie one after the other, so none of their digits is the slowest of all.
        if count != 1 {
            return None;
        }
        node = only;
    }
}
