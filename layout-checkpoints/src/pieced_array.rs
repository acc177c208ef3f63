//! An output as an array that consists of pieces of inputs.

use std::ops::Range;

use tensor_layout::{ElementType, Layout};

use crate::error::{CheckpointError, FileResult, refuse};
use crate::rows_of_blocks::RecordRows;
use crate::stored_tensor::{StoredTensor, bytes_of};

/// Pieces of inputs in an array in C order. What no piece covers is padding.
#[derive(Clone, Debug)]
pub(crate) struct PiecedArray {
    pub(crate) extents: Vec<usize>,
    pub(crate) element: ElementType,
    pub(crate) pieces: Vec<SourcePiece>,
}

/// A box of an input, and where it lies.
#[derive(Clone, Debug)]
pub(crate) struct SourcePiece {
    /// The number of the tensor in the checkpoint.
    pub(crate) tensor: usize,
    /// The extents of the tensor.
    pub(crate) extents: Vec<usize>,
    /// How the tensor lies in its file.
    pub(crate) form: SourceForm,
    /// The first coordinates of the box in the tensor.
    pub(crate) from: Vec<usize>,
    /// The first coordinates of the box in the array.
    pub(crate) to: Vec<usize>,
    pub(crate) size: Vec<usize>,
}

/// How the values of a tensor lie in its file.
#[derive(Clone, Debug)]
pub(crate) enum SourceForm {
    /// As an array with its axes in this order, the slowest first: `0..rank` is C order.
    Array(Vec<usize>),
    /// In another layout, whose axes in the order of its letters are those of the array.
    Layout(Box<Layout>),
    /// In the blocks of a record, whose axes in C order are those of the array. They are read as `f32`.
    Record(RecordRows),
}

impl PiecedArray {
    /// All of a tensor.
    pub(crate) fn whole(
        tensor: usize,
        extents: Vec<usize>,
        element: ElementType,
        form: SourceForm,
    ) -> Self {
        let start = vec![0; extents.len()];
        let piece = SourcePiece {
            tensor,
            extents: extents.clone(),
            form,
            from: start.clone(),
            to: start,
            size: extents.clone(),
        };
        Self { extents, element, pieces: vec![piece] }
    }

    /// The bytes of a tensor.
    pub(crate) fn bytes_of(tensor: usize, stored: &StoredTensor) -> Self {
        let bytes = vec![stored.bytes as usize];
        Self::whole(tensor, bytes, ElementType::U8, SourceForm::Array(vec![0]))
    }

    /// Selects coordinates of an axis.
    pub(crate) fn window(&self, axis: usize, range: Range<usize>) -> Self {
        let mut new = self.clone();
        new.extents[axis] = range.len();
        new.pieces.retain_mut(|piece| {
            let start = piece.to[axis].max(range.start);
            let end = (piece.to[axis] + piece.size[axis]).min(range.end);
            piece.from[axis] += start - piece.to[axis].min(start);
            piece.to[axis] = start.saturating_sub(range.start);
            piece.size[axis] = end.saturating_sub(start);
            end > start
        });
        new
    }

    /// Puts arrays one after another along an axis.
    pub(crate) fn joined(parts: &[Self], axis: usize) -> FileResult<Self> {
        let mut new = parts[0].clone();
        for part in &parts[1..] {
            let differ = |i: usize| i != axis && part.extents.get(i) != new.extents.get(i);
            if part.extents.len() != new.extents.len() || (0..new.extents.len()).any(differ) {
                return refuse(format!(
                    "shapes {:?} and {:?} differ besides axis {axis}; fuse tensors of equal shapes",
                    new.extents, part.extents
                ));
            }
            if part.element != new.element {
                return refuse(format!(
                    "elements {} and {} differ; convert them first",
                    new.element, part.element
                ));
            }
            let before = new.extents[axis];
            new.extents[axis] += part.extents[axis];
            new = new.checked()?;
            new.pieces.extend(part.pieces.iter().cloned().map(|mut piece| {
                piece.to[axis] += before;
                piece
            }));
        }
        Ok(new)
    }

    /// Joins arrays group by group: the first part of each, then the second, and so on.
    pub(crate) fn fused(parts: &[Self], axis: usize, groups: usize) -> FileResult<Self> {
        let mut all = Vec::new();
        for group in 0..groups {
            for part in parts {
                let step = part.part(axis, groups)?;
                all.push(part.window(axis, group * step..(group + 1) * step));
            }
        }
        Self::joined(&all, axis)
    }

    /// The inverse of [`fused`](Self::fused): cuts each group into parts of these sizes, or into equal ones.
    pub(crate) fn split(
        &self,
        axis: usize,
        groups: usize,
        count: usize,
        sizes: &[usize],
    ) -> FileResult<Vec<Self>> {
        let all = self.part(axis, groups)?;
        let sizes = match sizes {
            [] => vec![self.part(axis, groups.saturating_mul(count))?; count],
            // Sizes are those of whole tensors, as an index of them has.
            sizes if sizes.iter().all(|size| size % groups == 0) => {
                sizes.iter().map(|size| size / groups).collect()
            }
            _ => {
                return refuse(format!(
                    "sizes {sizes:?} are not multiples of {groups} groups; change one of them"
                ));
            }
        };
        let sum = sizes.iter().try_fold(0usize, |sum, &size| sum.checked_add(size));
        if sum != Some(all) {
            let sum = sum.and_then(|sum| sum.checked_mul(groups));
            return refuse(format!(
                "the parts take {} of the {} coordinates of axis {axis}; write sizes that add up",
                sum.map_or("too many".into(), |sum| sum.to_string()),
                self.extents[axis]
            ));
        }
        let mut before = 0;
        let part = |size: usize| {
            let start = before;
            before += size;
            let group = |group| self.window(axis, group * all + start..group * all + start + size);
            Self::joined(&(0..groups).map(group).collect::<Vec<_>>(), axis)
        };
        sizes.into_iter().map(part).collect()
    }

    /// The extent of one of `count` equal parts of an axis.
    pub(crate) fn part(&self, axis: usize, count: usize) -> FileResult<usize> {
        match self.extents[axis] % count {
            0 => Ok(self.extents[axis] / count),
            _ => refuse(format!(
                "axis {axis} has extent {}, which is not a multiple of {count}; add `pad`, or change the numbers",
                self.extents[axis]
            )),
        }
    }

    /// Adds an axis of one coordinate.
    pub(crate) fn add_axis(&mut self) {
        self.extents.push(1);
        for piece in &mut self.pieces {
            if let SourceForm::Array(order) = &mut piece.form {
                order.push(order.len());
            }
            piece.extents.push(1);
            piece.from.push(0);
            piece.to.push(0);
            piece.size.push(1);
        }
    }

    /// Extends an axis by padding to a multiple.
    pub(crate) fn padded(mut self, axis: usize, multiple: usize) -> FileResult<Self> {
        let extent = self.extents[axis].checked_next_multiple_of(multiple);
        self.extents[axis] = extent.unwrap_or(usize::MAX);
        self.checked()
    }

    /// Returns an error if memory cannot hold the array.
    fn checked(self) -> FileResult<Self> {
        let bytes = bytes_of(self.element, &self.extents);
        match bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) {
            true => Ok(self),
            false => refuse(format!(
                "an array of shape {:?} of {} is too large; write smaller numbers",
                self.extents, self.element
            )),
        }
    }
}

/// The layout of an array in C order.
pub(crate) fn array_of(
    letters: &str,
    extents: &[usize],
    element: ElementType,
) -> FileResult<Layout> {
    if letters.is_empty() && !extents.is_empty() {
        return refuse("it has more than eight axes; it can be kept, dropped or renamed alone");
    }
    let extents: Vec<_> = letters.chars().zip(extents.iter().copied()).collect();
    let builder = Layout::builder(letters, element).coordinates(letters);
    builder.named_extents(&extents).map_err(|error| CheckpointError::of(letters, error))
}
