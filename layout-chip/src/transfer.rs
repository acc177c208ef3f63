//! A relayout between global memory and lanes as descriptors for a DMA engine.

use crate::descriptor::{Descriptor, Direction};
use crate::dimensions::Dimensions;
use crate::lane_runs::{Run, Runs};
use crate::local_tensor::{lane_bytes, lanes_used};
use layout_core::nests::{Boxes, Level, Nest, Pair};
use layout_core::spec::{LayoutError, Name, Rule};
use layout_core::{Layout, ok};

/// A move of a tensor between global memory and the lanes of a chip: the list of descriptors that move it.
///
/// A descriptor covers neighboring lanes, and continues at lane 0, as long as they have one stride in global memory.
/// If blocks of the distributed axis end a run of lanes earlier, it covers several rows of that run. Extents are not
/// limited to the fields of a particular engine.
///
/// If blocks are padded, a separate descriptor first fills the tensor's part of the lanes that hold elements, or of
/// global memory. If no block is padded, padding of alignments is left unchanged.
///
/// ```
/// use tensor_layout::Layout;
/// use tensor_layout::chip::{Descriptor, Transfer};
///
/// let global = Layout::parse("NCHW<2, 100, 28, 28>, i8")?;
/// let local = Layout::parse("NCHW<2, 100, 28, 28>, i8, bm1684x::aligned")?;
/// let load = Transfer::load(&global, 0x8000_0000, &local, 0x4000)?;
/// assert_eq!(load.count(), 1);
/// let [all]: [Descriptor; 1] = load.descriptors();
/// assert_eq!(all.shape, [1, 100, 2, 784]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    pair: Pair,
    load: bool,
    global: u64,
    local: usize,
    count: usize,
}

impl Transfer {
    /// Returns the transfer from `global` to `local`. The buffers begin at these addresses of global memory and of
    /// each lane, in bytes. The global side may be a view.
    ///
    /// # Errors
    /// - Axes, extents or element types differ.
    /// - Coordinates of the destination share an element.
    /// - The local layout is not distributed over lanes, or the global one is.
    /// - A layout has a swizzle.
    /// - The local address is not a multiple of the alignment of the local layout.
    /// - A tensor would end after the last address.
    /// - Elements that share a byte on one side do not on the other.
    pub const fn load(
        global: &Layout,
        global_address: u64,
        local: &Layout,
        local_address: usize,
    ) -> Result<Self, LayoutError> {
        let pair = ok!(Pair::of_equal_elements(global, local));
        Self::new(pair, true, global_address, local_address)
    }

    /// Returns the transfer from `local` to `global`. The buffers begin at these addresses of each lane and of global
    /// memory, in bytes.
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    pub const fn store(
        local: &Layout,
        local_address: usize,
        global: &Layout,
        global_address: u64,
    ) -> Result<Self, LayoutError> {
        let pair = ok!(Pair::of_equal_elements(local, global));
        Self::new(pair, false, global_address, local_address)
    }

    const fn new(pair: Pair, load: bool, global: u64, local: usize) -> Result<Self, LayoutError> {
        let mut new = Self { pair, load, global, local, count: 0 };
        if pair.is_swizzled() {
            return Err(LayoutError(Rule::Swizzled { operation: "transfer" }));
        }
        let global_lanes = new.global_layout().lanes().is_some();
        let local_distributed =
            matches!(new.local_layout().lanes(), Some(lanes) if lanes.axis().is_some());
        if global_lanes || !local_distributed {
            return Err(LayoutError(Rule::TransferLanes { local: !local_distributed }));
        }
        let alignment = new.local_layout().align();
        if local % alignment != 0 {
            let tensor = Name::new(if load { "destination" } else { "source" });
            return Err(LayoutError(Rule::AddressAlignment { tensor, address: local, alignment }));
        }
        let global_bytes = new.global_layout().bytes() as u64;
        let (far, near) = if load { ("source", "destination") } else { ("destination", "source") };
        ok!(check_range(far, global, global_bytes, u64::MAX));
        let lane_bytes = lane_bytes(new.local_layout()) as u64;
        ok!(check_range(near, local as u64, lane_bytes, usize::MAX as u64));
        new.count = ok!(new.visit(&mut []));
        Ok(new)
    }

    /// The number of descriptors.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the descriptors, to be run one after the other.
    ///
    /// # Panics
    /// If `N` is not [`count`](Self::count).
    pub const fn descriptors<const N: usize>(&self) -> [Descriptor; N] {
        assert!(N == self.count, "the number of descriptors is not `count`");
        let mut list = [Descriptor::NONE; N];
        self.write(&mut list);
        list
    }

    /// Writes the first descriptors to `list`, as many as fit. Returns the number of all descriptors.
    pub const fn write(&self, list: &mut [Descriptor]) -> usize {
        match self.visit(list) {
            Ok(count) => count,
            // The same descriptors were counted when the transfer was made.
            Err(error) => error.panic(),
        }
    }

    const fn global_layout(&self) -> &Layout {
        if self.load { self.pair.source() } else { self.pair.destination() }
    }

    const fn local_layout(&self) -> &Layout {
        if self.load { self.pair.destination() } else { self.pair.source() }
    }

    /// [`write`](Self::write), with an error for elements that cannot be moved.
    const fn visit(&self, list: &mut [Descriptor]) -> Result<usize, LayoutError> {
        let mut count = 0;
        let Some(image) = self.local_layout().lanes() else { return Ok(0) };
        let (Some(letter), Some(row_stride)) = (image.axis(), image.row_stride()) else {
            return Ok(0);
        };
        if self.pair.destination().len() == 0 {
            return Ok(0);
        }
        if let Some(fill) = self.fill() {
            put(list, &mut count, fill);
        }
        // The same axis on the side that is written. Plans count by that side.
        let (Some(axis), Some(global_axis)) = (
            self.pair.destination().letters().position(letter),
            self.global_layout().letters().position(letter),
        ) else {
            return Ok(0);
        };
        let extent = self.pair.destination().extents()[axis];
        let runs = Runs {
            layout: self.global_layout(),
            axis: global_axis,
            extent,
            together: image.together(),
            row: image.together() * image.count(),
        };
        let mut from = 0;
        while from < extent {
            let run = runs.at(from);
            let Run { width, pieces } = run;
            if runs.is_row_of_earlier(from) {
                from += pieces * width;
                continue;
            }
            let lanes = self.level(global_axis, from, (width, pieces), row_stride);
            let rows = self.level(global_axis, from, (runs.row, runs.rows(from)), row_stride);
            let piece = ok!(self.pair.narrowed(axis, from, width));
            let mut boxes = Boxes::new(&piece, None);
            while let Some(nest) = boxes.next() {
                ok!(self.visit_box(nest, lanes, rows, list, &mut count));
            }
            from += pieces * width;
        }
        Ok(count)
    }

    /// A loop over pieces of the global side's `axis`, each `width` coordinates after the previous.
    const fn level(
        &self,
        axis: usize,
        from: usize,
        (width, pieces): (usize, usize),
        row_stride: isize,
    ) -> Level {
        match pieces {
            1 => Level::ONCE,
            size => Level::new(size, [self.global_layout().step_of(axis, from, width), row_stride]),
        }
    }

    /// Writes the descriptors of one box over neighboring lanes and over rows. The source stride of `lanes` and `rows`
    /// is the stride of the global side.
    const fn visit_box(
        &self,
        nest: &Nest,
        lanes: Level,
        rows: Level,
        list: &mut [Descriptor],
        count: &mut usize,
    ) -> Result<(), LayoutError> {
        let element = self.pair.source().element();
        let mut dimensions = Dimensions::of(nest, self.load).with(rows);
        let start = nest.start();
        let (mut global, mut local) = match self.load {
            true => (start.source, start.destination),
            false => (start.destination, start.source),
        };
        let mut lanes = lanes;
        let (bytes, per_byte) = (element.bits().div_ceil(8), element.per_byte());
        let step = per_byte as isize;
        let whole = global % per_byte == 0 && local % per_byte == 0 && lanes.strides[0] % step == 0;
        let same_order = element.same(self.pair.destination().element());
        if !whole || !same_order || !dimensions.count_bytes(per_byte) {
            return Err(LayoutError(Rule::TransferSubByte { element }));
        }
        global /= per_byte;
        local /= per_byte;
        lanes.strides = [lanes.strides[0] / step, lanes.strides[1] / step];
        dimensions.keep_largest();
        loop {
            let (global_way, local_way) = dimensions.way();
            let [n, h, w] = dimensions.kept();
            let Some(image) = self.local_layout().lanes() else { return Ok(()) };
            let length = image.len() / per_byte;
            let lane = local / length;
            // Rows end with the last lane.
            let row_stride = if lane + lanes.size > image.count() { lanes.strides[1] } else { 0 };
            put(
                list,
                count,
                Descriptor {
                    direction: if self.load { Direction::Load } else { Direction::Store },
                    bytes,
                    global: self.global + ((global as isize + global_way) as usize * bytes) as u64,
                    lane,
                    local: self.local + ((local % length) as isize + local_way) as usize * bytes,
                    shape: [n.size, lanes.size, h.size, w.size],
                    global_strides: [n.strides[0], lanes.strides[0], h.strides[0], w.strides[0]],
                    local_strides: [n.strides[1], row_stride, h.strides[1], w.strides[1]],
                },
            );
            if !dimensions.advance() {
                return Ok(());
            }
        }
    }

    /// The descriptor that fills the padding of the side that is written, if it declares any.
    const fn fill(&self) -> Option<Descriptor> {
        let to = self.pair.destination();
        if to.fill().is_none() || !to.is_cut_short() {
            return None;
        }
        let (bits, bytes) = (to.unit_of_fill(), to.element().bits().div_ceil(8));
        let (first, lanes) = lanes_used(to);
        Some(match to.lanes() {
            Some(_) => Descriptor {
                direction: Direction::FillLocal(bits),
                bytes,
                lane: first,
                local: self.local,
                shape: [1, lanes, 1, lane_bytes(to) / bytes],
                local_strides: [0, 0, 0, 1],
                ..Descriptor::NONE
            },
            None => Descriptor {
                direction: Direction::FillGlobal(bits),
                bytes,
                global: self.global,
                shape: [1, 1, 1, to.units()],
                global_strides: [0, 0, 0, 1],
                ..Descriptor::NONE
            },
        })
    }
}

/// Returns an error unless a tensor ends at or before the last address.
const fn check_range(tensor: &str, address: u64, bytes: u64, last: u64) -> Result<(), LayoutError> {
    if bytes == 0 || bytes - 1 <= last - address {
        return Ok(());
    }
    let tensor = Name::new(tensor);
    Err(LayoutError(Rule::AddressRange { tensor, address, bytes, last }))
}

const fn put(list: &mut [Descriptor], count: &mut usize, descriptor: Descriptor) {
    if *count < list.len() {
        list[*count] = descriptor;
    }
    *count += 1;
}
