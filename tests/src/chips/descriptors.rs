//! The descriptors of a transfer, executed on a model of the chip's memories, against the oracle's relayout.

use proptest::prelude::*;
use tensor_layout::chip::{Chip, Descriptor, Storage, Transfer};
use tensor_layout::spec::{Factor, Rule};
use tensor_layout::{ElementType, Format, Layout, LayoutError};

use crate::support::device::Device;
use crate::support::oracle::{self, Origin};
use crate::support::random::{self, Case};

pub(super) const SMALL: Chip =
    Chip { name: "small", lanes: 4, lane_bytes: 4096, banks: 4, alignment: 8, kernel_bytes: 4 };

pub(super) const GLOBAL: u64 = 0x1_0000_0000;
pub(super) const LOCAL: usize = 64;

/// The initial content of memory.
pub(super) const BEFORE: u8 = 0xee;

pub(super) fn descriptors(transfer: &Transfer) -> Vec<Descriptor> {
    let mut list = vec![Descriptor::NONE; transfer.count()];
    assert_eq!(transfer.write(&mut list), list.len());
    list
}

/// Bytes such that no two near each other are equal.
pub(super) fn source_bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + i / 251 * 17) as u8).collect()
}

/// A layout in global memory; padded where its format has blocks.
pub(super) fn global(format: &str, extents: &[usize], element: ElementType) -> Layout {
    let parsed = Format::parse(format).unwrap();
    match Layout::of(parsed, extents, element) {
        Ok(layout) => layout,
        Err(_) => Layout::builder(parsed, element).pad(3).extents(extents).unwrap(),
    }
}

pub(super) fn local(
    chip: &'static Chip,
    storage: &str,
    format: &str,
    extents: &[usize],
    element: ElementType,
    start: usize,
    width: Option<usize>,
) -> Layout {
    let storage = Storage::named(storage).unwrap();
    let built = Layout::builder(format, element).storage(chip, storage, start, width);
    built.extents(extents).unwrap()
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

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn descriptors_are_few() {
    let filters = layout("OIHW<64, 64, 3, 3>, i8");
    let weights = layout("OIHW<64, 64, 3, 3>, i8, bm1684x::ic");
    let load = Transfer::load(&filters, 0, &weights, 0).unwrap();
    let all = descriptors(&load)[0];
    assert_eq!(all.shape, [1, 64, 9, 64]);
    // One row in each lane: there is no next.
    assert_eq!(all.local_strides, [0, 0, 64, 1]);
    assert_eq!(load.count(), 1);
    // Blocks of the global side as wide as the pieces of a matrix, and wider ones.
    let matrix = layout("MN<2, 1280>, i8, bm1684x::matrix(w = 20)");
    for (format, count) in [("NM20n", 1), ("NM80n", 16), ("NM4n", 1), ("NM", 1)] {
        let blocked = global(format, &[2, 1280], ElementType::I8);
        let load = Transfer::load(&blocked, 0, &matrix, 0).unwrap();
        assert_eq!(load.count(), count, "{blocked}");
    }
    // Runs of lanes as long as a block, each over all rows.
    let rows = layout("NCHW<2, 256, 4, 5>, i8, bm1684x::aligned");
    for (format, count) in [("NCHW4", 16), ("NCHW", 1), ("NHWC", 1), ("NCHW64", 1)] {
        let blocked = global(format, &[2, 256, 4, 5], ElementType::I8);
        assert_eq!(Transfer::load(&blocked, 0, &rows, 0).unwrap().count(), count);
    }
    // First the fill, then the existing channels.
    let first = layout("OIHW<64, 3, 7, 7>, i8");
    let first_weights = layout("OIHW<64, 3, 7, 7>, i8, bm1684x::ic");
    let load = Transfer::load(&first, 0, &first_weights, 0).unwrap();
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
        "tensor `destination` begins at byte 4, but needs a multiple of 8; write 0 or 8"
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
