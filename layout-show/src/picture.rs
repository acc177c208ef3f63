//! Pictures: constructors for each subject, and the output formats.

use alloc::string::String;
use alloc::vec::Vec;

use layout_access::{Access, Banks};
use layout_chip::LocalMemory;
use layout_core::chip::Lanes;
use layout_core::nests::Pair;
use layout_core::spec::Rule;
use layout_core::{Layout, LayoutError};

use crate::color::Color;
use crate::grid::{self, Axes, Limits};
use crate::lifetimes::{self, SharedMemory};
use crate::memory_map::Local;
use crate::sheet::Sheet;
use crate::{bank_map, by_lane, by_offset, html, svg, terminal};

/// A picture of a layout as SVG, text or HTML, for light and dark pages.
///
/// [`of`](Self::of) has a cell for each coordinate, [`memory`](Self::memory) one for each offset, and
/// [`relayout`](Self::relayout) shows two buffers. [`lanes`](Self::lanes) and [`local_memory`](Self::local_memory)
/// show memory of accelerators, [`access`](Self::access) shows banks, [`lifetimes`](Self::lifetimes) tensors that
/// share memory, and `records`, with that feature, records. A picture has at most 64 rows, 64 columns
/// and 4096 cells, unless [`fold`](Self::fold) says otherwise; a note says what is left out.
///
/// ```
/// use tensor_layout::Layout;
/// use tensor_layout::show::Picture;
///
/// let act: Layout = "NCHW4<1, 6, 1, 2>, i8, pad".parse()?;
/// assert_eq!(Picture::of(&act).to_text(), "\
/// NCHW4c<1, 6, 1, 2>, i8, pad
///
///  C↓ W→   0    1
///      0   0    4
///      1   1    5
///      2   2    6
///      3   3    7
///      4   8   12
///      5   9   13
///      6 (10) (14)
///      7 (11) (15)
///
/// numbers are offsets in elements; one color for each 4 elements in memory
/// in parentheses: 4 elements of padding
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    subject: Shown,
    color: Color,
    limits: Limits,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a program holds few pictures")]
enum Shown {
    Coordinates(Layout, Axes),
    Memory(Layout),
    Relayout(Layout, Layout),
    Lanes(Layout, Lanes),
    Access(Access, Banks),
    Local(Local),
    Lifetimes(Vec<SharedMemory>, Vec<String>),
    #[cfg(feature = "records")]
    Records(Vec<layout_records::Record>),
}

/// Constructors.
impl Picture {
    /// Draws the layout by coordinates. The last axes are rows and columns, and each coordinate of the others has a
    /// panel of its own. A cell shows the offset of its coordinate, in elements. Padding of blocks is hatched.
    pub fn of(layout: &Layout) -> Self {
        Self::new(Shown::Coordinates(*layout, Axes::of(layout)))
    }

    /// [`of`](Self::of) with chosen axes. Several axes are counted together, the last one fastest.
    ///
    /// # Errors
    /// A letter is not an axis of the layout, or is given twice.
    ///
    /// ```
    /// use tensor_layout::Layout;
    /// use tensor_layout::show::Picture;
    ///
    /// let act: Layout = "NCHW4<1, 8, 2, 2>, i8".parse()?;
    /// let text = Picture::with_axes(&act, "HW", "C")?.to_text();
    /// assert!(text.contains("   1,1 12 13 14 15 28 29 30 31\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_axes(layout: &Layout, rows: &str, columns: &str) -> Result<Self, LayoutError> {
        let mut seen = Vec::new();
        let mut axes = |names: &str| {
            let mut positions = Vec::new();
            for letter in names.chars() {
                let axis = layout.axis(letter)?;
                if seen.contains(&axis) {
                    return Err(LayoutError(Rule::RepeatedName { letter }));
                }
                seen.push(axis);
                positions.push(axis);
            }
            Ok::<_, LayoutError>(positions)
        };
        let axes = Axes { rows: axes(rows)?, columns: axes(columns)? };
        Ok(Self::new(Shown::Coordinates(*layout, axes)))
    }

    /// Draws the buffer by offsets. A cell shows the coordinate of its element. Padding and gaps are hatched. If
    /// coordinates share an element, its cell shows the lowest one.
    pub fn memory(layout: &Layout) -> Self {
        Self::new(Shown::Memory(*layout))
    }

    /// Draws the buffers of a relayout side by side. A cell shows the offset of its element in the source. An element
    /// has the same color on both sides: by default, that of [`Color::Order`] in the source.
    ///
    /// # Errors
    /// - The axes or extents differ.
    /// - Several coordinates of the destination share an element.
    pub fn relayout(source: &Layout, destination: &Layout) -> Result<Self, LayoutError> {
        Pair::new(source, destination)?;
        Ok(Self::new(Shown::Relayout(*source, *destination)).color(Color::Order))
    }

    /// Draws the elements of each lane of an accelerator: a row for each lane that holds elements, and a column for
    /// each of its elements. A cell shows the coordinate. Padding is hatched. Returns `None` if the layout is not
    /// distributed over lanes.
    ///
    /// ```
    /// use tensor_layout::Layout;
    /// use tensor_layout::show::Picture;
    ///
    /// let act: Layout = "NCHW<1, 3, 1, 2>, f16, bm1684x::compact(start = 61)".parse()?;
    /// let text = Picture::lanes(&act).expect("channels are distributed over lanes").to_text();
    /// assert!(text.contains("   61 0,0 0,1\n   62 1,0 1,1\n   63 2,0 2,1\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lanes(layout: &Layout) -> Option<Self> {
        let lanes = layout.lanes()?;
        Some(Self::new(Shown::Lanes(*layout, lanes)).color(Color::Lane))
    }

    /// Draws what one instruction reads from a memory with banks. There is a panel for each phase, a column for each
    /// bank, and a row for each line of all banks of which a lane reads a word. A cell shows the lanes that read the
    /// word. Different words of a bank have different colors, so a column of one color has no conflict.
    ///
    /// ```
    /// use tensor_layout::access::{Access, Banks};
    /// use tensor_layout::show::Picture;
    ///
    /// // Two banks of four bytes, and four lanes that read every other word.
    /// let banks = Banks { count: 2, width: 4, phase_bytes: 16 };
    /// let text = Picture::access(&Access::at(&[0, 8, 16, 24], 4), &banks).to_text();
    /// assert!(text.contains("4-way bank conflict"));
    /// assert!(text.contains("     24 3\n"));
    /// ```
    ///
    /// # Panics
    /// If the memory has no banks, more than [`Banks::MOST`] banks, or words of no bytes.
    pub fn access(access: &Access, banks: &Banks) -> Self {
        assert!(
            (1..=Banks::MOST).contains(&banks.count) && banks.width > 0,
            "a memory has 1 to 256 banks, of words of at least one byte"
        );
        Self::new(Shown::Access(*access, *banks))
    }

    /// Draws tensors in the local memory of a chip, such as the constant `MAP` that `place!` generates: banks across,
    /// lanes down. Lanes with the same contents share a row. A cell shows the numbers of the tensors that use the
    /// bank. Notes say which tensors these are.
    pub fn local_memory<const N: usize>(memory: &LocalMemory<N>) -> Self {
        Self::new(Shown::Local(Local::new(memory)))
    }

    /// Draws tensors that share memory, such as those of `arena!`: steps across, addresses down, a panel for each memory.
    /// A cell shows the number of the tensor that has these bytes at this step. Notes say which tensors these are, and
    /// the names of the steps.
    pub fn lifetimes(memories: Vec<SharedMemory>, steps: Vec<String>) -> Self {
        Self::new(Shown::Lifetimes(memories, steps))
    }

    /// Draws the buffers of records, such as the two of a move: a color for each field, which fields of the same name
    /// share. A cell has as many bits as divide all places, and the first one of an element shows its field and the
    /// first coordinate of the record that has it, of axes of more than one coordinate. Notes say what
    /// [`explain`](layout_records::Record::explain) says.
    ///
    /// ```
    /// use tensor_layout::records::Record;
    /// use tensor_layout::show::Picture;
    ///
    /// let blocks = Record::parse("K<8>, { d: f16, q: 4k i8 }")?;
    /// assert_eq!(Picture::records(&[blocks]).to_text(), "\
    /// K<8>, { d: f16, q: 4k i8 }
    ///
    /// cells of 8 bits
    ///  byte  +0  +1  +2  +3  +4  +5
    ///     0 d 0     q 0 q 1 q 2 q 3
    ///     6 d 4     q 4 q 5 q 6 q 7
    ///
    /// one color for each field; the first cell of an element has its coordinate
    /// d: f16, K = 2, from byte 0: one for 4 of k
    /// q: i8, K = 8, from byte 2
    /// 12 bytes
    /// ");
    /// # Ok::<(), tensor_layout::records::RecordError>(())
    /// ```
    #[cfg(feature = "records")]
    pub fn records(records: &[layout_records::Record]) -> Self {
        Self::new(Shown::Records(records.to_vec()))
    }

    fn new(subject: Shown) -> Self {
        let limits = Limits { rows: 64, columns: 64, cells: 4096 };
        Self { subject, color: Color::default(), limits }
    }
}

/// Options and output formats.
impl Picture {
    /// Sets the meaning of colors. For a relayout, they are those of the source. Records have a color for each field.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// Sets the maximal numbers of rows and columns of a panel, from 1 to 4096. All panels together have at most 4096
    /// cells, so rows may be left out below these numbers.
    #[must_use]
    pub fn fold(mut self, rows: usize, columns: usize) -> Self {
        self.limits.rows = rows.clamp(1, 4096);
        self.limits.columns = columns.clamp(1, 4096);
        self
    }

    /// Returns the picture as an `<svg>` element in one line, with its style inside. It is smaller than 200 KB for 64
    /// x 64 elements. Colors follow `prefers-color-scheme`, or the theme of a rustdoc page.
    pub fn to_svg(&self) -> String {
        svg::write(&self.sheet())
    }

    /// Returns the picture as an HTML document that needs no other file.
    pub fn to_html(&self) -> String {
        html::write(&self.sheet())
    }

    /// Returns the picture as text. Padding is in parentheses.
    pub fn to_text(&self) -> String {
        terminal::write(&self.sheet(), false)
    }

    /// [`to_text`](Self::to_text) with the colors of a terminal, as ANSI escape codes for 24-bit colors.
    pub fn to_ansi(&self) -> String {
        terminal::write(&self.sheet(), true)
    }

    fn sheet(&self) -> Sheet {
        match &self.subject {
            Shown::Coordinates(layout, axes) => grid::sheet(layout, axes, self.color, self.limits),
            Shown::Lanes(layout, lanes) => by_lane::sheet(layout, lanes, self.color, self.limits),
            Shown::Access(access, banks) => bank_map::sheet(access, banks, self.limits),
            Shown::Local(local) => local.sheet(self.limits),
            Shown::Lifetimes(memories, steps) => lifetimes::sheet(memories, steps, self.limits),
            #[cfg(feature = "records")]
            Shown::Records(records) => crate::by_field::sheet(records, self.limits),
            Shown::Memory(layout) => by_offset::sheet(layout, self.color, self.limits),
            Shown::Relayout(source, destination) => {
                by_offset::relayout(source, destination, self.color, self.limits)
            }
        }
    }
}
