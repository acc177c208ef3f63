//! How accelerators store a tensor: each storage a line of data.

use super::{Chip, position};
use crate::layout::Layout;
use crate::spec::{AsFormat, ElementType, Factor, Format, LayoutError, Letters, Name, Rule, Spec};

use ElementType::*;
use Step::*;

/// A way of storing tensors in the memories of a [`Chip`].
///
/// [`STORAGES`] are those that every chip has in `layout!`. One of your own is a constant like them, for
/// [`layout`](Self::layout) at run time; in `layout!` it is a
/// format named by `named_format!`, with options.
///
/// ```
/// use tensor_layout::ElementType;
/// use tensor_layout::chip::{Chip, Step, Storage};
///
/// // Rows over lanes: each lane holds whole rows, which begin at the chip's alignment.
/// const ROWS: Storage = Storage {
///     name: "rows",
///     format: "NCHW",
///     steps: &[Step::Lanes(2), Step::Rest(2), Step::Rest(0), Step::Rest(1), Step::Aligned, Step::Rest(3)],
///     elements: &[ElementType::F16, ElementType::I8],
/// };
/// let chip = Chip::named("bm1688")?;
/// let rows = ROWS.layout(chip, "NCHW", &[1, 3, 40, 20], ElementType::F16, 0, None)?;
/// assert_eq!(rows.lanes().expect("32 lanes").place(&[0, 1, 33, 2])?.lane, 1);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// What errors call it; in [`STORAGES`] its name in `layout!`, after the chip's.
    pub name: &'static str,
    /// The format it is for, or `""` where axes may have any letter.
    pub format: &'static str,
    /// The memory order, slowest first: [`Step::Rest`] for each axis of the format, and others between them.
    pub steps: &'static [Step],
    /// The element types that it takes.
    pub elements: &'static [ElementType],
}

/// One factor of a storage. Axes are numbered from 0 as the format has them, slowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The axis distributed over the chip's lanes: the first step, if there is one.
    Lanes(usize),
    /// What remains of the axis.
    // A variant `Axis` would make the compiler print `tensor_layout::typed::Axis` in every error about a static layout.
    Rest(usize),
    /// What is faster begins and ends at the chip's [`alignment`](Chip::alignment).
    Aligned,
    /// What is faster begins and ends at a word of 4 bytes.
    Words,
    /// Pieces of the axis, as wide as the argument `w` says.
    Width(usize),
    /// Coordinates of the axis that lie together, as many as [`Chip::channels_together`] says.
    Channels(usize),
}

const NUMBERS: &[ElementType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32];
const KERNELS: &[ElementType] = &[I8, U8, F16, BF16, F32, I4, U4];
const ALL: &[ElementType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32, I4, U4];

/// The storages that every chip has: one line each.
///
/// Strides count elements, of a tensor of the four dimensions that
/// [`Lanes::tensor`](super::Lanes::tensor) gives, with H' by W' elements in each of C' channels.
/// `al` rounds up; E is the elements in the chip's alignment, P the channels together in kernels
/// ([`channels_together`](Chip::channels_together)), R the rows in a lane.
///
/// | storage | format | elements | arguments | W | H | C | N | begins at |
/// |---|---|---|---|---|---|---|---|---|
/// | `aligned` | NCHW | 8 to 32 bits | `start` | 1 | W' | al(H' W', E) | R C | alignment |
/// | `compact` | NCHW | 8 to 32 bits | `start` | 1 | W' | H' W' | R C | 4 bytes |
/// | `line_aligned` | NCHW | 8 to 32 bits | `start` | 1 | al(W', E) | H' H | R C | alignment |
/// | `continuous`, in global memory | NCHW | 4 to 32 bits | | 1 | W' | H' W' | C' C | an element |
/// | `matrix`, in pieces of w columns | 2 axes | 8 to 32 bits | `w`, `start` | 1 | w | al(w, E) | R C | alignment |
/// | `vector`, in pieces of w | 1 axis | 8 to 32 bits | `w`, `start` | 1 | w | al(w, E) | R C | alignment |
/// | `ic`, kernels: O is c, I / P is n | OIHW | i8, u8, f16, bf16, f32, i4, u4 | `start` | P | P W' | al(I, P) H' W' | P H' W' | alignment |
///
/// `start = LANE` is the lane of the first channel, column piece or O, else 0; `w = WIDTH` must be
/// given.
#[rustfmt::skip]
pub const STORAGES: &[Storage] = &[
    Storage { name: "aligned",      format: "NCHW", elements: NUMBERS, steps: &[Lanes(1), Rest(0), Rest(1), Aligned, Rest(2), Rest(3)] },
    Storage { name: "compact",      format: "NCHW", elements: NUMBERS, steps: &[Lanes(1), Words, Rest(0), Rest(1), Rest(2), Rest(3)] },
    Storage { name: "line_aligned", format: "NCHW", elements: NUMBERS, steps: &[Lanes(1), Rest(0), Rest(1), Rest(2), Aligned, Rest(3)] },
    Storage { name: "continuous",   format: "NCHW", elements: ALL,     steps: &[Rest(0), Rest(1), Rest(2), Rest(3)] },
    Storage { name: "matrix",       format: "",     elements: NUMBERS, steps: &[Lanes(1), Rest(0), Rest(1), Aligned, Width(1)] },
    Storage { name: "vector",       format: "",     elements: NUMBERS, steps: &[Lanes(0), Rest(0), Aligned, Width(0)] },
    Storage { name: "ic",           format: "OIHW", elements: KERNELS, steps: &[Lanes(0), Aligned, Rest(0), Rest(1), Rest(2), Rest(3), Channels(1)] },
];

const NAMES: [&str; STORAGES.len()] = names!(STORAGES);

impl Storage {
    /// The storage of this name in [`STORAGES`].
    ///
    /// # Errors
    /// A name that is not there.
    pub const fn named(name: &str) -> Result<&'static Self, LayoutError> {
        match position(&NAMES, name) {
            Some(i) => Ok(&STORAGES[i]),
            None => Err(LayoutError(Rule::UnknownStorage { name: Name::new(name), known: &NAMES })),
        }
    }

    /// A tensor over `extents`, in coordinate order, in this storage on `chip`, from lane `start`
    /// on and in pieces of `width` for storages that have one.
    ///
    /// # Errors
    /// A chip that cannot be; a format or an element type that the storage is not for; an argument
    /// that it needs or does not take; or a broken rule of layouts.
    ///
    /// ```
    /// use tensor_layout::chip::{Chip, Storage};
    /// use tensor_layout::ElementType;
    ///
    /// let (chip, storage) = (Chip::named("bm1684x")?, Storage::named("aligned")?);
    /// let layout = storage.layout(chip, "NCHW", &[2, 3, 4, 5], ElementType::F16, 2, None)?;
    /// let lanes = layout.lanes().expect("channels are distributed over lanes");
    /// assert_eq!(lanes.strides().as_deref(), Some(&[32, 32, 5, 1][..]));
    /// assert_eq!(lanes.place(&[1, 2, 0, 1])?.lane, 4);
    /// # Ok::<(), tensor_layout::LayoutError>(())
    /// ```
    pub fn layout(
        &self,
        chip: &Chip,
        format: impl AsFormat,
        extents: &[usize],
        element: ElementType,
        start: usize,
        width: Option<usize>,
    ) -> Result<Layout, LayoutError> {
        chip.check()?;
        let format = format.as_format()?;
        let axes = self.axes(&format)?;
        if !self.takes(element) {
            return Err(self.wrong_element(element.name()));
        }
        self.check_arguments(start > 0, width.is_some())?;
        let lengths = format.axes_of(extents)?;
        let mut factors = [Factor::Align(1); Self::MOST_STEPS];
        for (factor, step) in factors.iter_mut().zip(self.steps) {
            *factor = step.factor(chip, axes, element, start, width.unwrap_or(0));
        }
        Layout::new(&Spec {
            element,
            axes: &lengths[..extents.len()],
            factors: &factors[..self.steps.len()],
            fill: self.pads().then_some(0),
        })
    }

    /// The axes of `format`, slowest first.
    ///
    /// # Errors
    /// A format that the storage is not for.
    #[doc(hidden)]
    pub const fn axes(&self, format: &Format) -> Result<Letters, LayoutError> {
        if let Err(error) = self.check() {
            return Err(error);
        }
        let axes = format.axes();
        let mut fits =
            format.factors().len() == axes.count() && axes.count() == self.count_of_axes();
        let expected = self.format.as_bytes();
        let mut i = 0;
        while fits && i < expected.len() {
            fits = axes.at(i) as u32 == expected[i] as u32;
            i += 1;
        }
        match fits {
            true => Ok(axes),
            false => Err(LayoutError(Rule::StorageFormat {
                storage: self.name,
                format: format.name(),
                expected: self.format,
                axes: self.count_of_axes(),
            })),
        }
    }

    /// Errors unless the steps are a memory order: each axis once, and lanes at most once and first.
    pub const fn check(&self) -> Result<(), LayoutError> {
        let (axes, count) = (self.count_of_axes(), self.steps.len());
        let storage = self.name;
        if count > Self::MOST_STEPS {
            return Err(LayoutError(Rule::StorageSteps { storage, lanes: false, axes: 0 }));
        }
        let mut rests = [0; Self::MOST_STEPS];
        let (mut lanes_first, mut numbered) = (true, true);
        let mut i = 0;
        while i < count {
            let axis = match self.steps[i] {
                Lanes(axis) => {
                    lanes_first &= i == 0;
                    Some(axis)
                }
                Rest(axis) | Width(axis) | Channels(axis) => Some(axis),
                Aligned | Words => None,
            };
            numbered &= !matches!(axis, Some(axis) if axis >= axes);
            if let (Rest(axis), true) = (self.steps[i], numbered) {
                rests[axis] += 1;
                numbered &= rests[axis] == 1;
            }
            i += 1;
        }
        match lanes_first && numbered {
            true => Ok(()),
            false => Err(LayoutError(Rule::StorageSteps { storage, lanes: !lanes_first, axes })),
        }
    }

    /// The most steps.
    const MOST_STEPS: usize = 16;

    const fn count_of_axes(&self) -> usize {
        let mut count = 0;
        let mut i = 0;
        while i < self.steps.len() {
            if let Rest(_) = self.steps[i] {
                count += 1;
            }
            i += 1;
        }
        count
    }

    /// Whether the storage takes elements of this type.
    pub const fn takes(&self, element: ElementType) -> bool {
        let mut i = 0;
        while i < self.elements.len() {
            if self.elements[i].same(element) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The error of an element type, by name, that the storage does not take.
    #[doc(hidden)]
    pub const fn wrong_element(&self, name: Name) -> LayoutError {
        LayoutError(Rule::StorageElement { storage: self.name, name, known: self.elements })
    }

    /// Errors unless a start lane and a width are given where they mean something, and a width
    /// where it must be.
    #[doc(hidden)]
    pub const fn check_arguments(&self, start: bool, width: bool) -> Result<(), LayoutError> {
        let storage = self.name;
        if start && !self.has_start() {
            return Err(LayoutError(Rule::StorageArgument {
                storage,
                argument: "start",
                takes: false,
            }));
        }
        let takes = self.has_width();
        if takes != width {
            return Err(LayoutError(Rule::StorageArgument { storage, argument: "w", takes }));
        }
        Ok(())
    }

    /// Whether there is an argument `start`.
    #[doc(hidden)]
    pub const fn has_start(&self) -> bool {
        matches!(self.steps.first(), Some(Lanes(_)))
    }

    /// Whether there is an argument `w`, which must be given.
    #[doc(hidden)]
    pub const fn has_width(&self) -> bool {
        let mut i = 0;
        while i < self.steps.len() {
            if let Width(_) = self.steps[i] {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The rule that arguments break which the storage does not take; `path` names it with its chip.
    #[doc(hidden)]
    pub const fn malformed(&self, path: Name) -> Rule {
        let (width, start) = (self.has_width(), self.has_start());
        Rule::StorageForm { path, storage: self.name, width, start }
    }

    /// Whether an axis may end inside of a block, the rest of which is padding.
    pub const fn pads(&self) -> bool {
        let mut pads = false;
        let mut i = 0;
        while i < self.steps.len() {
            pads |= matches!(self.steps[i], Width(_) | Channels(_));
            i += 1;
        }
        pads
    }
}

impl Step {
    /// The factor that this step is for the axes of a format, slowest first.
    #[doc(hidden)]
    pub const fn factor(
        self,
        chip: &Chip,
        axes: Letters,
        element: ElementType,
        start: usize,
        width: usize,
    ) -> Factor {
        match self {
            Lanes(axis) => Factor::Lanes(axes.at(axis), chip.lanes, start),
            Rest(axis) => Factor::Axis(axes.at(axis)),
            Aligned => Factor::Align(chip.alignment),
            Words => Factor::Align(4),
            Width(axis) => Factor::Block(axes.at(axis), width),
            Channels(axis) => Factor::Block(axes.at(axis), chip.channels_together(element)),
        }
    }
}
