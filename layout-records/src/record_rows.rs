//! Rows of the slowest axis as a record.

use core::ops::Range;

use crate::error::RecordError;
use crate::item::{NodeContent, WrittenDigit};
use crate::record::Record;
use crate::record_places::word_bits;
use crate::record_rules::RecordRule;
use crate::tree::RecordTree;

impl Record {
    /// Rows of an axis as a record of their own. [`row_bytes`](Self::row_bytes) says where they lie.
    ///
    /// ```
    /// use tensor_layout::records::Record;
    ///
    /// let matrix = Record::parse("MK<8, 64>, { d: 4m f16, q: 4k 4m 8k i8 }")?;
    /// let rows = matrix.rows('M', 4..8)?;
    /// assert_eq!(rows, Record::parse("MK<4, 64>, { d: 4m f16, q: 4k 4m 8k i8 }")?);
    /// assert_eq!(matrix.row_bytes(0, 'M', 4..8)?, 272..544);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// - The axis is not the slowest of every buffer.
    /// - The rows do not begin and end at whole blocks and bytes, or reach outside of the axis.
    /// - The end of a record of them is aligned, and lies elsewhere.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn rows(&self, axis: char, rows: Range<usize>) -> Result<Self, RecordError> {
        let (letter, Range { start, end }) = (axis.to_ascii_uppercase(), rows);
        let mut buffer = 0;
        while buffer < self.buffers() {
            if let Err(rule) = bytes_of(self, buffer, letter, start, end) {
                return Err(RecordError::new(rule));
            }
            buffer += 1;
        }
        let Some(position) = self.letters().position(letter) else {
            return Err(RecordError::new(RecordRule::RowsOutermost { axis: letter }));
        };
        let part = self.with_extent(position, end - start);
        while buffer > 0 {
            buffer -= 1;
            let own = ok!(self.row_bytes(buffer, axis, start..end));
            let (bytes, needed) = (own.end - own.start, part.bytes(buffer));
            if bytes != needed {
                let rule = RecordRule::RowsEnd { axis: letter, start, end, bytes, needed };
                return Err(RecordError::new(rule));
            }
        }
        Ok(part)
    }

    /// The bytes of a buffer that rows of an axis take. Panics if there is no such buffer.
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows), for this buffer.
    #[allow(clippy::result_large_err, reason = "const evaluation cannot box the error")]
    pub const fn row_bytes(
        &self,
        buffer: usize,
        axis: char,
        rows: Range<usize>,
    ) -> Result<Range<usize>, RecordError> {
        assert!(buffer < self.buffers(), "record has fewer buffers");
        match bytes_of(self, buffer, axis.to_ascii_uppercase(), rows.start, rows.end) {
            Ok(bytes) => Ok(bytes),
            Err(rule) => Err(RecordError::new(rule)),
        }
    }
}

/// The bytes of a buffer that rows take.
const fn bytes_of(
    record: &Record,
    buffer: usize,
    letter: char,
    start: usize,
    end: usize,
) -> Result<Range<usize>, RecordRule> {
    let (tree, extents) = (record.tree(), record.sizes());
    let Some((digit, item)) = slowest(tree, buffer) else {
        return Err(RecordRule::RowsOutermost { axis: letter });
    };
    if !digit.is_rest() || digit.letter as char != letter {
        return Err(RecordRule::RowsOutermost { axis: letter });
    }
    let (extent, block) = (extents.of(digit.letter), digit.weight as usize);
    ok!(check_rows(letter, (start, end), extent, block));
    let bits = record.placement().for_buffer(tree, extents, buffer).stride(item);
    let (first, last) = ((start / block) as u64 * bits, end.div_ceil(block) as u64 * bits);
    if first % 8 > 0 || last % 8 > 0 && end < extent {
        return Err(RecordRule::RowsBlock { axis: letter, start, end, block: 8 * block });
    }
    // What is aligned after the last row belongs to it.
    let is_end = start < end && end == extent;
    let last = if is_end { record.bytes(buffer) } else { (last / 8) as usize };
    Ok((first / 8) as usize..last)
}

/// Checks that rows of an axis are in its extent, and begin and end at whole blocks.
pub(crate) const fn check_rows(
    axis: char,
    (start, end): (usize, usize),
    extent: usize,
    block: usize,
) -> Result<(), RecordRule> {
    if start > end || end > extent {
        return Err(RecordRule::RowsRange { axis, start, end, extent });
    }
    if start % block > 0 || end % block > 0 && end < extent {
        return Err(RecordRule::RowsBlock { axis, start, end, block });
    }
    Ok(())
}

/// The slowest digit of a buffer.
const fn slowest(tree: &RecordTree, buffer: usize) -> Option<(WrittenDigit, usize)> {
    let mut node = 0;
    loop {
        if let Some(digit) = tree.digit(node + 1) {
            let is_one = word_bits(tree, node, node + 1) == 0;
            return if is_one { Some((digit, node + 1)) } else { None };
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
