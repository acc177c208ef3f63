//! Transfers: their descriptors, executed on a model of the chip's memories, leave the same bytes as the
//! relayout on the host and change nothing else.

use proptest::prelude::*;
use tensor_layout::chip::{Chip, Descriptor, Direction, Storage, Transfer};
use tensor_layout::spec::{AxisExtent, Factor, Length, Rule, Spec};
use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan, layout, relayout};

use crate::support::device::Device;
use crate::support::oracle::{self, Origin};
use crate::support::random::{self, Case};

const SMALL: Chip =
    Chip { name: "small", lanes: 4, lane_bytes: 4096, banks: 4, alignment: 8, kernel_bytes: 4 };

const GLOBAL: u64 = 0x1_0000_0000;
const LOCAL: usize = 64;

/// The initial content of memory.
const BEFORE: u8 = 0xee;

fn descriptors(transfer: &Transfer) -> Vec<Descriptor> {
    let mut list = vec![Descriptor::NONE; transfer.count()];
    assert_eq!(transfer.write(&mut list), list.len());
    list
}

/// Bytes such that no two near each other are equal.
fn source_bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + i / 251 * 17) as u8).collect()
}

/// The tensor in `bytes`, moved by the host.
fn moved(from: &Layout, to: &Layout, bytes: &[u8]) -> Vec<u8> {
    let plan = Plan::new(from, to).unwrap();
    let mut moved = vec![BEFORE; to.bytes()];
    fn run<U: bytemuck::Pod>(plan: &Plan, from: &[u8], to: &mut [u8]) {
        let units: Vec<U> = bytemuck::pod_collect_to_vec(from);
        let mut moved: Vec<U> = bytemuck::pod_collect_to_vec(to);
        relayout(plan, &units, &mut moved).unwrap();
        to.copy_from_slice(bytemuck::cast_slice(&moved));
    }
    match from.element().bits() {
        4 | 8 => run::<u8>(&plan, bytes, &mut moved),
        16 => run::<u16>(&plan, bytes, &mut moved),
        32 => run::<u32>(&plan, bytes, &mut moved),
        bits => panic!("{bits} bits"),
    }
    moved
}

/// The half bytes of every coordinate: of the layout's own buffer, and on the device.
fn halves(layout: &Layout) -> Vec<usize> {
    let extents = layout.extents();
    let count: usize = extents.iter().product();
    let bits = layout.element().bits();
    let mut halves = Vec::new();
    for index in 0..count {
        let mut rest = index;
        let mut coordinate = vec![0; extents.len()];
        for (own, extent) in coordinate.iter_mut().zip(extents).rev() {
            *own = rest % extent;
            rest /= extent;
        }
        let first = layout.offset(&coordinate) * bits / 4;
        halves.extend(first..first + bits / 4);
    }
    halves
}

/// Moves a tensor both ways, on the host and on the device, and compares all memory. Blocks of the
/// global and of the local layout are `cut` short, or are not.
fn check(chip: &Chip, global: &Layout, local: &Layout, cut: (bool, bool)) -> (usize, usize) {
    let at = format!("{global} and {local}");
    let load = Transfer::load(global, GLOBAL, local, LOCAL).unwrap_or_else(|e| panic!("{e}: {at}"));
    let store = Transfer::store(local, LOCAL, global, GLOBAL).unwrap();
    let lane_bytes = local.lanes().unwrap().bytes();

    // There.
    let source = source_bytes(global.bytes());
    let image = moved(global, local, &source);
    let mut device = Device::new(chip, GLOBAL, global.bytes(), BEFORE);
    device.global.copy_from_slice(&source);
    device.run(&descriptors(&load));
    let mut expected = Device::new(chip, GLOBAL, global.bytes(), BEFORE);
    expected.global.copy_from_slice(&source);
    let image_of = |lane: usize| &image[lane * lane_bytes..][..lane_bytes];
    for lane in 0..chip.lanes {
        if cut.1 && local.lanes().unwrap().rows_in(lane) > 0 {
            expected.lanes[lane][LOCAL..][..lane_bytes].copy_from_slice(image_of(lane));
        }
    }
    for half in halves(local) {
        let (lane, byte) = (half / 2 / lane_bytes, half / 2 % lane_bytes);
        expected.lanes[lane][LOCAL + byte] = image_of(lane)[byte];
    }
    assert!(device == expected, "load: {at}");

    // And back.
    device.global.fill(BEFORE);
    device.run(&descriptors(&store));
    let back = moved(local, global, &image);
    let mut expected = vec![BEFORE; global.bytes()];
    if cut.0 {
        expected.copy_from_slice(&back);
    }
    for half in halves(global) {
        expected[half / 2] = back[half / 2];
    }
    assert!(device.global == expected, "store: {at}");
    (load.count(), store.count())
}

/// A layout in global memory; padded where its format has blocks.
fn global(format: &str, extents: &[usize], element: ElementType) -> Layout {
    let parsed = Format::parse(format).unwrap();
    match Layout::of(parsed, extents, element) {
        Ok(layout) => layout,
        Err(_) => Layout::builder(parsed, element).pad(3).extents(extents).unwrap(),
    }
}

fn local(
    chip: &Chip,
    storage: &str,
    format: &str,
    extents: &[usize],
    element: ElementType,
    start: usize,
    width: Option<usize>,
) -> Layout {
    let storage = Storage::named(storage).unwrap();
    storage.layout(chip, Format::parse(format).unwrap(), extents, element, start, width).unwrap()
}

const ELEMENTS: [ElementType; 3] = [ElementType::I8, ElementType::BF16, ElementType::F32];

#[test]
fn activations() {
    for storage in ["aligned", "compact", "line_aligned"] {
        for element in ELEMENTS {
            for extents in [[1, 1, 1, 1], [2, 3, 4, 5], [1, 9, 3, 3], [3, 8, 1, 7], [2, 13, 2, 8]] {
                for start in 0..4 {
                    let local = local(&SMALL, storage, "NCHW", &extents, element, start, None);
                    for format in ["NCHW", "NHWC", "CHWN", "NCHW4", "NCHW6c", "NHWC4c2n"] {
                        let global = global(format, &extents, element);
                        let (load, store) =
                            check(&SMALL, &global, &local, (global.fill().is_some(), false));
                        if let "NCHW" | "NHWC" | "CHWN" = format {
                            assert_eq!((load, store), (1, 1), "{global} and {local}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn strides_in_global_memory() {
    let axes: Vec<AxisExtent> = "NCHW"
        .chars()
        .zip([2, 9, 3, 5])
        .map(|(letter, extent)| AxisExtent { letter, extent: Length::Runtime(extent) })
        .collect();
    for strides in [[360, 40, 10, 2], [-360, 40, -10, 2], [7, 14, 130, 1000]] {
        let factors: Vec<Factor> =
            "NCHW".chars().zip(strides).map(|(letter, s)| Factor::Stride(letter, s)).collect();
        for element in ELEMENTS {
            let spec = Spec { element, axes: &axes, factors: &factors, fill: None };
            let global = Layout::new(&spec).unwrap();
            for start in 0..4 {
                let local = local(&SMALL, "aligned", "NCHW", &[2, 9, 3, 5], element, start, None);
                assert_eq!(
                    check(&SMALL, &global, &local, (global.fill().is_some(), false)),
                    (1, 1)
                );
            }
        }
    }
}

/// The global side may be a view: the second half of a batch, every other row from the last.
#[test]
fn views_of_global_memory() {
    let batch = global("NCHW", &[4, 9, 6, 5], ElementType::BF16);
    let view = batch.slice('N', 2, 1, 2).and_then(|half| half.slice('H', 5, -2, 3)).unwrap();
    for start in 0..4 {
        let extents = [2, 9, 3, 5];
        let local = local(&SMALL, "compact", "NCHW", &extents, ElementType::BF16, start, None);
        assert_eq!(check(&SMALL, &view, &local, (false, false)), (1, 1));
    }
}

#[test]
fn matrices_and_vectors() {
    for element in ELEMENTS {
        for (n, m) in [(1, 1), (2, 7), (3, 12), (2, 40)] {
            for w in [1, 3, 5, 8, m].into_iter().filter(|w| *w <= m) {
                for start in 0..4 {
                    let matrix = local(&SMALL, "matrix", "MN", &[n, m], element, start, Some(w));
                    for format in ["MN", "NM", "MN4n"] {
                        let global = global(format, &[n, m], element);
                        let (load, _) =
                            check(&SMALL, &global, &matrix, (global.fill().is_some(), m % w != 0));
                        if format != "MN4n" {
                            // Whole pieces, or the padding, whole pieces and the rest of the last.
                            assert_eq!(load, if m % w == 0 { 1 } else { 3 }, "{matrix}");
                        }
                    }
                    let vector = local(&SMALL, "vector", "N", &[m], element, start, Some(w));
                    check(&SMALL, &global("N", &[m], element), &vector, (false, m % w != 0));
                }
            }
        }
    }
}

#[test]
fn kernels() {
    let elements = [ElementType::I8, ElementType::F16, ElementType::F32];
    for element in elements {
        for extents in [[1, 1, 1, 1], [5, 3, 3, 3], [9, 4, 1, 1], [4, 8, 3, 3], [6, 11, 2, 3]] {
            for start in 0..4 {
                let local = local(&SMALL, "ic", "OIHW", &extents, element, start, None);
                for format in ["OIHW", "OHWI", "OIHW4i", "OIHW2i4o", "HWIO"] {
                    let cut = extents[1] % SMALL.channels_together(element) != 0;
                    let global = global(format, &extents, element);
                    // `global` pads where it has to.
                    check(&SMALL, &global, &local, (global.fill().is_some(), cut));
                }
            }
        }
    }
}

#[test]
fn pairs_of_4_bit_elements() {
    // 8 input channels in 4 bytes.
    for extents in [[1, 8, 1, 1], [5, 16, 3, 3], [9, 8, 2, 3]] {
        let local = local(&SMALL, "ic", "OIHW", &extents, ElementType::I4, 1, None);
        for format in ["OIHW8i", "OHWI"] {
            check(&SMALL, &global(format, &extents, ElementType::I4), &local, (false, false));
        }
    }
    let extents = [5, 16, 4, 4];
    let local = local(&SMALL, "ic", "OIHW", &extents, ElementType::I4, 0, None);
    let global = global("OIHW", &extents, ElementType::I4);
    let error = Transfer::load(&global, 0, &local, 0).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::TransferSubByte { .. })), "{error}");
    let fact = "pairs of `i4` elements do not stay adjacent;";
    assert!(error.to_string().contains(fact), "{error}");
}

/// Any layout over lanes, and any layout of the same axes in global memory.
fn pair() -> impl Strategy<Value = (Case, Case)> {
    let elements = random::element().prop_filter("descriptors hold bytes", |(_, bits)| *bits >= 8);
    let pairs = (random::axes(), elements).prop_flat_map(|(axes, element)| {
        let order = Just(axes.clone()).prop_shuffle();
        let global = order.prop_flat_map(move |axes| random::layout_of(axes, element, false));
        (global, random::layout_of(axes, element, false))
    });
    pairs.prop_filter("only the local side is distributed over lanes", |(global, local)| {
        let distributed = |case: &Case| matches!(case.factors.first(), Some(Factor::Lanes(..)));
        !distributed(global) && distributed(local)
    })
}

/// Whether an axis ends inside of its blocks.
fn is_cut(case: &Case) -> bool {
    let block = |letter| -> usize {
        let size = |factor: &Factor| match *factor {
            Factor::Block(own, size) | Factor::Weighted(own, size, _) if own == letter => size,
            _ => 1,
        };
        case.factors.iter().map(size).product()
    };
    case.axes.iter().any(|&(letter, extent)| extent % block(letter) != 0)
}

/// Writes to `to` what the oracle's relayout leaves at each position: an element of `from`, or
/// `fill`, where blocks are cut short.
fn expect(to: &mut [u8], from: &[u8], origins: &[Origin], bytes: usize, fill: Option<u64>) {
    for (own, origin) in to.chunks_exact_mut(bytes).zip(origins) {
        match (*origin, fill) {
            (Origin::Element(at), _) => own.copy_from_slice(&from[at * bytes..][..bytes]),
            (Origin::Fill, Some(bits)) => {
                let bits = u128::from(bits).to_le_bytes();
                own.copy_from_slice(&bits[..bytes]);
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(random::cases(300))]

    /// There and back, the device's memories hold what the oracle says.
    #[test]
    fn a_transfer_is_the_relayout((global, local) in pair()) {
        let bytes = global.bits / 8;
        let (memory, lanes_of) = (global.memory(), local.memory());
        let (g, l) = (global.layout(), local.layout());
        let lanes = l.lanes().unwrap().count();
        let address = LOCAL.next_multiple_of(l.align());
        let lane_bytes = lanes_of.cells.len() / lanes * bytes;
        let chip = Chip { lanes, lane_bytes: address + lane_bytes + 64, ..SMALL };
        let source = source_bytes(memory.cells.len() * bytes);
        let mut device = Device::new(&chip, GLOBAL, source.len(), BEFORE);
        device.global.copy_from_slice(&source);

        let load = Transfer::load(&g, GLOBAL, &l, address).unwrap();
        device.run(&descriptors(&load));
        let mut expected = Device::new(&chip, GLOBAL, source.len(), BEFORE);
        expected.global.copy_from_slice(&source);
        let mut image = vec![BEFORE; lanes * lane_bytes];
        let fill = local.fill.filter(|_| is_cut(&local));
        expect(&mut image, &source, &oracle::relayout(&memory, &lanes_of), bytes, fill);
        for (lane, part) in image.chunks_exact(lane_bytes.max(1)).enumerate() {
            let cells = &lanes_of.cells[lane * lane_bytes / bytes..][..lane_bytes / bytes];
            if cells.iter().any(Option::is_some) {
                expected.lanes[lane][address..][..lane_bytes].copy_from_slice(part);
            }
        }
        prop_assert!(device == expected, "load");

        let store = Transfer::store(&l, address, &g, GLOBAL).unwrap();
        device.global.fill(BEFORE);
        device.run(&descriptors(&store));
        let mut back = vec![BEFORE; source.len()];
        let fill = global.fill.filter(|_| is_cut(&global));
        expect(&mut back, &image, &oracle::relayout(&lanes_of, &memory), bytes, fill);
        prop_assert!(device.global == back, "store");
    }
}

/// The minimal number of descriptors for the strides, also as constants.
#[test]
fn descriptors_are_constants() {
    type Global = layout!(NCHW<2, 100, 28, 28>, i8);
    type Act = layout!(NCHW<2, 100, 28, 28>, i8, bm1684x::aligned(start = 60));
    const LOAD: Transfer = match Transfer::load(&Global::LAYOUT, 0x8000_0000, &Act::LAYOUT, 0x4000)
    {
        Ok(load) => load,
        Err(error) => error.panic(),
    };
    const LIST: [Descriptor; LOAD.count()] = LOAD.descriptors();
    assert_eq!(
        LIST,
        [Descriptor {
            direction: Direction::Load,
            bytes: 1,
            global: 0x8000_0000,
            lane: 60,
            local: 0x4000,
            shape: [1, 100, 2, 784],
            global_strides: [0, 784, 78400, 1],
            local_strides: [0, 832, 2496, 1],
        }]
    );
    assert_eq!(
        LIST[0].to_string(),
        "load 1 x 100 x 2 x 784 of 1 byte: global 0x80000000 [0, 784, 78400, 1], \
         lane 60 local 0x04000 [0, 832, 2496, 1]"
    );
}

#[test]
fn descriptors_are_few() {
    type Filters = layout!(OIHW<64, 64, 3, 3>, i8);
    type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);
    let load = Transfer::load(&Filters::LAYOUT, 0, &Weights::LAYOUT, 0).unwrap();
    let all = descriptors(&load)[0];
    assert_eq!(all.shape, [1, 64, 9, 64]);
    // One row in each lane: there is no next.
    assert_eq!(all.local_strides, [0, 0, 64, 1]);
    assert_eq!(load.count(), 1);
    // Blocks of the global side as wide as the pieces of a matrix, and wider ones.
    type Matrix = layout!(MN<2, 1280>, i8, bm1684x::matrix(w = 20));
    for (format, count) in [("NM20n", 1), ("NM80n", 16), ("NM4n", 1), ("NM", 1)] {
        let blocked = global(format, &[2, 1280], ElementType::I8);
        let load = Transfer::load(&blocked, 0, &Matrix::LAYOUT, 0).unwrap();
        assert_eq!(load.count(), count, "{blocked}");
    }
    // Runs of lanes as long as a block, each over all rows.
    type Rows = layout!(NCHW<2, 256, 4, 5>, i8, bm1684x::aligned);
    for (format, count) in [("NCHW4", 16), ("NCHW", 1), ("NHWC", 1), ("NCHW64", 1)] {
        let blocked = global(format, &[2, 256, 4, 5], ElementType::I8);
        assert_eq!(Transfer::load(&blocked, 0, &Rows::LAYOUT, 0).unwrap().count(), count);
    }
    // First the fill, then the existing channels.
    type First = layout!(OIHW<64, 3, 7, 7>, i8);
    type FirstWeights = layout!(OIHW<64, 3, 7, 7>, i8, bm1684x::ic);
    let load = Transfer::load(&First::LAYOUT, 0, &FirstWeights::LAYOUT, 0).unwrap();
    let list = descriptors(&load);
    assert_eq!(list.len(), 2);
    assert_eq!(
        list[0].to_string(),
        "fill with 0x0 1 x 64 x 1 x 3136 of 1 byte: lane 0 local 0x00000 [0, 0, 0, 1]"
    );
    assert_eq!(list[1].shape, [1, 64, 49, 3]);
}

#[test]
fn what_cannot_be_transferred() {
    let nchw = global("NCHW", &[1, 4, 2, 2], ElementType::I8);
    let distributed = local(&SMALL, "aligned", "NCHW", &[1, 4, 2, 2], ElementType::I8, 0, None);
    let other = global("NCHW", &[1, 4, 2, 3], ElementType::I8);
    let message = |found: Result<Transfer, LayoutError>| found.unwrap_err().to_string();
    assert_eq!(
        message(Transfer::load(&nchw, 0, &nchw, 0)),
        "local side of a transfer is not distributed over lanes; give its layout a storage of the chip, such as `bm1684x::aligned`"
    );
    assert_eq!(
        message(Transfer::store(&distributed, 0, &distributed, 0)),
        "global side of a transfer is distributed over lanes; use a layout without lanes"
    );
    assert_eq!(
        message(Transfer::load(&nchw, 0, &distributed, 4)),
        "tensor `destination` begins at byte 4, but its storage needs a multiple of 8; write 0 or 8"
    );
    assert_eq!(
        message(Transfer::load(&nchw, u64::MAX - 3, &distributed, 0)),
        "tensor `source` begins at byte 18446744073709551612 and takes 16 bytes, so it ends after the \
         last address; write at most 18446744073709551600"
    );
    assert_eq!(
        message(Transfer::store(&distributed, 0, &nchw, u64::MAX - 3)),
        "tensor `destination` begins at byte 18446744073709551612 and takes 16 bytes, so it ends after \
         the last address; write at most 18446744073709551600"
    );
    let last = Transfer::load(&nchw, u64::MAX - 15, &distributed, 0).unwrap();
    assert_eq!(descriptors(&last)[0].global, u64::MAX - 15);
    let two = global("NCHW", &[2, 4, 2, 2], ElementType::I8);
    let distributed_two = local(&SMALL, "aligned", "NCHW", &[2, 4, 2, 2], ElementType::I8, 0, None);
    assert_eq!(Transfer::load(&nchw, 0, &distributed, usize::MAX - 7).unwrap().count(), 1);
    assert_eq!(
        message(Transfer::load(&two, 0, &distributed_two, usize::MAX - 7)),
        "tensor `destination` begins at byte 18446744073709551608 and takes 16 bytes, so it ends after \
         the last address; write at most 18446744073709551600"
    );
    assert!(matches!(
        Transfer::load(&other, 0, &distributed, 0),
        Err(LayoutError(Rule::RelayoutExtent { .. }))
    ));
    let empty = local(&SMALL, "aligned", "NCHW", &[1, 0, 2, 2], ElementType::I8, 0, None);
    let nothing = global("NCHW", &[1, 0, 2, 2], ElementType::I8);
    assert_eq!(Transfer::load(&nothing, 0, &empty, 0).unwrap().count(), 0);
}
