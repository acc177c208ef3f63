//! Accelerators whose memory consists of lanes and banks, and their storages, one entry each.

use super::check::check_element;
use super::element::ElementType;
use super::error::LayoutError;
use super::factor::{Factor, Letters};
use super::format::Format;
use super::rules::Rule;
use super::text::{Name, position, same_text};

use ElementType::*;
use Step::*;

/// The names of the entries of a table.
macro_rules! names {
    ($table:expr) => {{
        let mut names = [""; $table.len()];
        each!(i, 0..$table.len(), {
            names[i] = $table[i].name;
        });
        names
    }};
}

/// The numbers that describe an accelerator with local memory in lanes. Each bank is a part of every lane.
///
/// ```
/// use tensor_layout::chip::Chip;
///
/// // A chip of your own.
/// const MINE: Chip = Chip {
///     name: "mine",
///     lanes: 16,
///     lane_bytes: 64 << 10,
///     banks: 8,
///     alignment: 32,
///     kernel_bytes: 32,
/// };
/// assert_eq!(MINE.bank_of(3 * MINE.bank_bytes() + 1), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chip {
    /// The name in errors and maps.
    pub name: &'static str,
    /// The number of lanes.
    pub lanes: usize,
    /// The bytes of one lane.
    pub lane_bytes: usize,
    /// The number of banks of a lane.
    pub banks: usize,
    /// The alignment of tensors in the aligned storages, in bytes.
    pub alignment: usize,
    /// The bytes of adjacent input channels in convolution kernels, for all element types except `f32`.
    pub kernel_bytes: usize,
}

/// The accelerators that have a name in `layout!`, one entry each.
#[rustfmt::skip]
pub const CHIPS: &[Chip] = &[
    Chip { name: "bm1684x", lanes: 64, lane_bytes: 256 << 10, banks: 16, alignment: 64, kernel_bytes: 64 },
    Chip { name: "bm1688",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
    Chip { name: "cv186x",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
    Chip { name: "bm1690",  lanes: 64, lane_bytes: 256 << 10, banks: 16, alignment: 64, kernel_bytes: 64 },
    Chip { name: "sg2380",  lanes: 32, lane_bytes: 128 << 10, banks: 16, alignment: 16, kernel_bytes: 32 },
];

const CHIP_NAMES: [&str; CHIPS.len()] = names!(CHIPS);

impl Chip {
    /// Returns the chip of this name in [`CHIPS`].
    ///
    /// # Errors
    /// There is no chip of this name.
    pub const fn named(name: &str) -> Result<&'static Self, LayoutError> {
        match position(&CHIP_NAMES, name) {
            Some(i) => Ok(&CHIPS[i]),
            None => {
                Err(LayoutError(Rule::UnknownChip { name: Name::new(name), known: &CHIP_NAMES }))
            }
        }
    }

    /// The bytes of one bank in one lane.
    ///
    /// # Panics
    /// If the number of banks is 0, which [`check`](Self::check) reports as an error.
    pub const fn bank_bytes(&self) -> usize {
        self.lane_bytes / self.banks
    }

    /// The bank of an address within a lane, in bytes.
    pub const fn bank_of(&self, address: usize) -> usize {
        address / self.bank_bytes()
    }

    /// The first bank of `bytes` bytes from `address`, and the bank after their last. No bytes have no bank.
    pub const fn banks_of(&self, address: usize, bytes: usize) -> (usize, usize) {
        let first = self.bank_of(address);
        match bytes {
            0 => (first, first),
            _ => (first, self.bank_of(address.saturating_add(bytes - 1)) + 1),
        }
    }

    /// The number of adjacent input channels in a convolution kernel. 0 if an element takes more bytes than a kernel
    /// has for them.
    ///
    /// # Panics
    /// - If the bits of the kernel bytes overflow, which [`check`](Self::check) reports as an error.
    /// - If memory cannot hold an array of the elements, a type of your own.
    pub const fn channels_together(&self, element: ElementType) -> usize {
        if let Err(error) = check_element(element) {
            error.panic()
        }
        match (element, self.kernel_bytes.checked_mul(8)) {
            (ElementType::F32, _) => 1,
            (other, Some(bits)) => bits / other.bits(),
            (_, None) => self.no_memory(Self::KERNEL_IN_LANE).panic(),
        }
    }

    /// Returns the chip if its numbers are valid. `layout!` calls it for a chip of the user's own.
    ///
    /// # Panics
    /// If its numbers describe no memory.
    #[doc(hidden)]
    #[track_caller]
    pub const fn checked(&self) -> &Self {
        match self.check() {
            Ok(()) => self,
            Err(error) => error.panic(),
        }
    }

    /// Returns an error unless the numbers describe a memory.
    pub const fn check(&self) -> Result<(), LayoutError> {
        let remedy = if self.lanes == 0 {
            "at least 1 lane"
        } else if self.banks == 0 || self.lane_bytes == 0 || self.lane_bytes % self.banks != 0 {
            "lane bytes that are a multiple of its banks"
        } else if !self.alignment.is_power_of_two() || self.lane_bytes % self.alignment != 0 {
            "an alignment that is a power of two and divides its lane bytes"
        } else if self.kernel_bytes < 4 || !self.kernel_bytes.is_power_of_two() {
            "kernel bytes that are a power of two of at least 4"
        } else if self.kernel_bytes > self.lane_bytes || self.kernel_bytes > usize::MAX / 8 {
            Self::KERNEL_IN_LANE
        } else {
            return Ok(());
        };
        Err(self.no_memory(remedy))
    }

    const KERNEL_IN_LANE: &str = "kernel bytes that fit in its lane bytes";

    const fn no_memory(&self, remedy: &'static str) -> LayoutError {
        LayoutError(Rule::NoMemory { name: Name::new(self.name), remedy })
    }
}

/// A way of storing tensors in the memories of a [`Chip`].
///
/// [`STORAGES`] are the storages that every chip has in `layout!`. A storage of your own is a constant like them. At
/// run time, [`LayoutBuilder::storage`](crate::LayoutBuilder::storage) takes it. In `layout!`, use a format named by
/// `named_format!`, with options, instead.
///
/// ```
/// use tensor_layout::chip::{Chip, Step, Storage};
/// use tensor_layout::{ElementType, Layout};
///
/// // Rows over lanes: each lane holds whole rows, which begin at the chip's alignment.
/// const ROWS: Storage = Storage {
///     name: "rows",
///     format: "NCHW",
///     steps: &[Step::Lanes(2), Step::Rest(2), Step::Rest(0), Step::Rest(1), Step::Aligned, Step::Rest(3)],
///     elements: &[ElementType::F16, ElementType::I8],
/// };
/// let chip = Chip::named("bm1688")?;
/// let rows = Layout::builder("NCHW", ElementType::F16).storage(chip, &ROWS, 0, None);
/// let rows = rows.extents(&[1, 3, 40, 20])?;
/// assert_eq!(rows.lanes().expect("32 lanes").place(&[0, 1, 33, 2])?.lane, 1);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    /// The name in errors. In [`STORAGES`], it is the name in `layout!` after the chip's.
    pub name: &'static str,
    /// The format that the storage takes, or `""` if the axes may have any letters.
    pub format: &'static str,
    /// The memory order, slowest first: [`Step::Rest`] for each axis of the format, and other steps between them.
    pub steps: &'static [Step],
    /// The element types that the storage takes.
    pub elements: &'static [ElementType],
}

/// One factor of a storage. Axes are numbered from 0 in the order of the format, slowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The axis that is distributed over the chip's lanes. If there is one, it is the first step.
    Lanes(usize),
    /// What remains of the axis after its blocks and lanes.
    // A variant `Axis` would make the compiler print `tensor_layout::typed::Axis` in every error about a static layout.
    Rest(usize),
    /// The faster steps begin and end at the chip's [`alignment`](Chip::alignment).
    Aligned,
    /// The faster steps begin and end at a word of 4 bytes.
    Words,
    /// Pieces of the axis, whose width is the argument `w`.
    Width(usize),
    /// Adjacent coordinates of the axis, whose number is [`Chip::channels_together`].
    Channels(usize),
}

const NUMBERS: &[ElementType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32];
const KERNELS: &[ElementType] = &[I8, U8, F16, BF16, F32, I4, U4];
const ALL: &[ElementType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32, I4, U4];

/// The storages that every chip has, one entry each.
///
/// Strides count elements of a tensor in the four dimensions of [`Lanes::tensor`](crate::chip::Lanes::tensor), with H'
/// by W' elements in each of C' channels. `al` rounds up, E is the number of elements in the chip's alignment, P the
/// number of adjacent channels in kernels ([`channels_together`](Chip::channels_together)), and R the number of rows in
/// a lane.
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
/// `start = LANE` is the lane of the first channel, of the first piece, or of the first O; it is 0 by default.
/// `w = WIDTH` is required.
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

const STORAGE_NAMES: [&str; STORAGES.len()] = names!(STORAGES);

impl Storage {
    /// Returns the storage of this name in [`STORAGES`].
    ///
    /// # Errors
    /// There is no storage of this name.
    pub const fn named(name: &str) -> Result<&'static Self, LayoutError> {
        match position(&STORAGE_NAMES, name) {
            Some(i) => Ok(&STORAGES[i]),
            None => Err(LayoutError(Rule::UnknownStorage {
                name: Name::new(name),
                known: &STORAGE_NAMES,
            })),
        }
    }

    /// Returns the axes of `format`, slowest first.
    ///
    /// # Errors
    /// The storage does not take the format.
    #[doc(hidden)]
    pub const fn axes(&self, format: &Format) -> Result<Letters, LayoutError> {
        ok!(self.check());
        let (axes, count) = (format.axes(), self.count_of_axes());
        let is_any = self.format.is_empty() && axes.count() == count;
        match format.factors().len() == count && (is_any || same_text(axes.as_str(), self.format)) {
            true => Ok(axes),
            false => Err(LayoutError(Rule::StorageFormat {
                storage: self.name,
                format: format.name(),
                expected: self.format,
                axes: count,
            })),
        }
    }

    /// Returns an error unless the steps form a memory order: each axis once, and lanes at most once, as the first
    /// step.
    pub const fn check(&self) -> Result<(), LayoutError> {
        let (axes, count) = (self.count_of_axes(), self.steps.len());
        let storage = self.name;
        if count > Self::MOST_STEPS {
            return Err(LayoutError(Rule::StorageSteps { storage, lanes: false, axes: 0 }));
        }
        let mut rests = [0; Self::MOST_STEPS];
        let (mut lanes_first, mut numbered) = (true, true);
        each!(i, 0..count, {
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
        });
        match lanes_first && numbered {
            true => Ok(()),
            false => Err(LayoutError(Rule::StorageSteps { storage, lanes: !lanes_first, axes })),
        }
    }

    /// The largest number of steps.
    pub(crate) const MOST_STEPS: usize = 16;

    const fn count_of_axes(&self) -> usize {
        let mut count = 0;
        each!(i, 0..self.steps.len(), {
            if let Rest(_) = self.steps[i] {
                count += 1;
            }
        });
        count
    }

    /// Whether the storage takes elements of this type.
    pub const fn takes(&self, element: ElementType) -> bool {
        each!(i, 0..self.elements.len(), {
            if self.elements[i].same(element) {
                return true;
            }
        });
        false
    }

    /// The error for an element type, by name, that the storage does not take.
    #[doc(hidden)]
    pub const fn wrong_element(&self, name: Name) -> LayoutError {
        LayoutError(Rule::StorageElement { storage: self.name, name, known: self.elements })
    }

    /// Returns an error if a given argument does not exist, or if the required width is missing.
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

    /// Whether there is an argument `w`, which is then required.
    #[doc(hidden)]
    pub const fn has_width(&self) -> bool {
        each!(i, 0..self.steps.len(), {
            if let Width(_) = self.steps[i] {
                return true;
            }
        });
        false
    }

    /// The error for malformed arguments. `path` is the name of the storage, with its chip.
    #[doc(hidden)]
    pub const fn malformed(&self, path: Name) -> Rule {
        let (width, start) = (self.has_width(), self.has_start());
        Rule::StorageForm { path, storage: self.name, width, start }
    }

    /// Whether an axis may end inside a block, so that the rest of the block is padding.
    pub const fn pads(&self) -> bool {
        let mut pads = false;
        each!(i, 0..self.steps.len(), {
            pads |= matches!(self.steps[i], Width(_) | Channels(_));
        });
        pads
    }
}

impl Step {
    /// The factor of this step, for the axes of a format, slowest first.
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
