//! Blocks of a record: what the digits before its braces repeat, one after another.

use layout_records::{BlockSteps, RecordError};

use super::record_buffer::RecordBuffer;
use super::record_type::RecordType;

/// The blocks of a buffer, in the order of memory. [`RecordBuffer::blocks`] makes it.
#[derive(Clone, Debug)]
pub struct Blocks<'a, R: RecordType> {
    bytes: &'a [u8],
    block: R::Block,
    steps: BlockSteps,
    next: usize,
    end: usize,
}

/// The blocks of a buffer to write, in the order of memory. [`RecordBuffer::blocks_mut`] makes it.
#[derive(Debug)]
pub struct BlocksMut<'a, R: RecordType> {
    /// What is left of the buffer, and where it begins.
    bytes: &'a mut [u8],
    start: usize,
    block: R::Block,
    steps: BlockSteps,
    next: usize,
    end: usize,
}

impl<R: RecordType, B> RecordBuffer<R, B> {
    fn block_parts(&self) -> Result<(R::Block, BlockSteps), RecordError> {
        let record = self.record().record();
        let block = self.record().block(&record.template().block()?);
        Ok((block, record.block_steps(0)?))
    }
}

impl<R: RecordType, B: AsRef<[u8]>> RecordBuffer<R, B> {
    /// Returns the blocks in the order of memory: what the digits before the outermost braces repeat. Each is a buffer
    /// with a record, whose fields are those of this one. Padding at the end of an axis is part of its last block.
    ///
    /// ```
    /// use tensor_layout::records::RecordBuffer;
    /// use tensor_layout::{f16, layout, record, u4};
    ///
    /// record! {
    ///     /// Codes with a scale for 32 of them.
    ///     pub Q4_0 = MK { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)
    /// }
    ///
    /// let weights = RecordBuffer::<layout!(MK<2, 64>, Q4_0!), _>::new([0x11; 72])?;
    /// let mut sum = 0.0;
    /// for block in weights.blocks()? {
    ///     let scale = block.d().get([0]).unwrap();
    ///     for k in 0..32 {
    ///         sum += scale.to_f32() * (f32::from(block.q().get([k]).unwrap().get()) - 8.0);
    ///     }
    /// }
    /// assert_eq!(sum, f16::from_bits(0x1111).to_f32() * -7.0 * 128.0);
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// Blocks do not begin at bytes.
    pub fn blocks(&self) -> Result<Blocks<'_, R>, RecordError> {
        let (block, steps) = self.block_parts()?;
        Ok(Blocks { bytes: self.bytes(), block, steps, next: 0, end: steps.blocks() })
    }

    /// Returns the blocks in the order of memory, to write. See [`blocks`](Self::blocks).
    ///
    /// # Errors
    /// The same as [`blocks`](Self::blocks).
    pub fn blocks_mut(&mut self) -> Result<BlocksMut<'_, R>, RecordError>
    where
        B: AsMut<[u8]>,
    {
        let (block, steps) = self.block_parts()?;
        let end = steps.blocks();
        Ok(BlocksMut { bytes: self.bytes_mut(), start: 0, block, steps, next: 0, end })
    }
}

/// The number of bytes of a block, a constant if the type has it.
#[inline(always)]
fn block_bytes<R: RecordType>(steps: &BlockSteps) -> usize {
    let bytes = const {
        match R::Block::STATIC {
            Some(record) => Some(record.bytes(0)),
            None => None,
        }
    };
    bytes.unwrap_or(steps.bytes)
}

impl<'a, R: RecordType> Iterator for Blocks<'a, R> {
    type Item = RecordBuffer<R::Block, &'a [u8]>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        let start = self.steps.start(self.next);
        self.next += 1;
        let bytes = self.bytes.get(start..)?.get(..block_bytes::<R>(&self.steps))?;
        Some(RecordBuffer::of_parts(self.block, [bytes]))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl<R: RecordType> ExactSizeIterator for Blocks<'_, R> {}

impl<'a, R: RecordType> Iterator for BlocksMut<'a, R> {
    type Item = RecordBuffer<R::Block, &'a mut [u8]>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        let start = self.steps.start(self.next);
        self.next += 1;
        let all = core::mem::take(&mut self.bytes);
        let (_, rest) = all.split_at_mut_checked(start.checked_sub(self.start)?)?;
        let (block, rest) = rest.split_at_mut_checked(block_bytes::<R>(&self.steps))?;
        self.start = start + block.len();
        self.bytes = rest;
        Some(RecordBuffer::of_parts(self.block, [block]))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl<R: RecordType> ExactSizeIterator for BlocksMut<'_, R> {}
