//! Tensors in local memory: where `place!` puts them, what it refuses, and the map it prints.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use tensor_layout::chip::{Chip, LocalMemory, LocalTensor, Storage};
use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Format, Layout, LayoutError, layout, place};

type Weights = layout!(OIHW<64, 64, 3, 3>, i8, bm1684x::ic);
type Act = layout!(NCHW<1, 64, 56, 56>, i8, bm1684x::aligned);

place! {
    /// One convolution.
    pub struct Conv in bm1684x {
        /// The weights.
        WEIGHTS: Weights = 0x3c000,
        INPUT: Act,
        OUTPUT: Act,
        apart(WEIGHTS, INPUT, OUTPUT),
    }
}

#[test]
fn addresses_are_constants() {
    const SUM: usize = Conv::WEIGHTS + Conv::INPUT + Conv::OUTPUT;
    assert_eq!(SUM, 0x3c000 + 0x4000);
    assert_eq!(
        Conv::MAP.to_string(),
        "\
bm1684x: 64 lanes of 256 KiB in 16 banks
tensor   address   bytes  lanes   0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
WEIGHTS  0x3c000     576  0-63    .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  +
INPUT    0x00000    3136  0-63    +  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
OUTPUT   0x04000    3136  0-63    .  +  .  .  .  .  .  .  .  .  .  .  .  .  .  ."
    );
}

/// A chip of the user's own, constant addresses, and a struct inside a function.
#[test]
fn chips_of_the_user() {
    const MINE: Chip =
        Chip { name: "mine", lanes: 8, lane_bytes: 1000, banks: 2, alignment: 8, kernel_bytes: 8 };
    const FIRST: usize = 16;
    type Few = layout!(NCHW<1, 3, 4, 4>, i8, MINE::aligned(start = 7));
    type Others = layout!(NCHW<1, 4, 4, 4>, i16, MINE::aligned(start = 2));
    place! {
        struct Mine in MINE {
            /// Lanes 7, 0 and 1, two rows.
            FEW: Few = FIRST,
            /// Other lanes, so the same bytes.
            OTHERS: Others = FIRST + 8,
        }
    }
    assert_eq!((Mine::FEW, Mine::OTHERS), (16, 24));
    assert_eq!(
        Mine::MAP.to_string(),
        "\
mine: 8 lanes of 1000 bytes in 2 banks
tensor  address   bytes  lanes   0  1
FEW     0x00010      32  7-1     +  .
OTHERS  0x00018      32  2-5     +  ."
    );
    place! { struct Nothing in sg2380 {} }
    assert!(Nothing::MAP.to_string().starts_with("sg2380: 32 lanes of 128 KiB in 16 banks\n"));
}

/// Four lanes of 32 bytes in four banks.
const TINY: Chip =
    Chip { name: "tiny", lanes: 4, lane_bytes: 32, banks: 4, alignment: 4, kernel_bytes: 4 };

/// A tensor of this number of bytes, rounded up to words, in `lanes` lanes from `start` on.
fn tensor(name: &'static str, bytes: usize, lanes: usize, start: usize) -> LocalTensor {
    let (storage, format) = (Storage::named("compact").unwrap(), Format::parse("NCHW").unwrap());
    let extents = [bytes, lanes, 1, 1];
    // Around the end, rows would take twice as much.
    let start = start.min(4 - lanes);
    let layout = Layout::builder(format, ElementType::I8).storage(&TINY, storage, start, None);
    let layout = layout.extents(&extents).unwrap();
    assert_eq!(layout.lanes().unwrap().bytes(), bytes.next_multiple_of(4));
    LocalTensor { name, layout, address: None }
}

/// The bytes of all lanes that a tensor takes at an address, one bit for each; `None` if they end outside.
fn bytes_of(tensor: &LocalTensor, address: usize) -> Option<u128> {
    let bytes = address..address + tensor.layout.lanes().unwrap().bytes();
    let lanes = (0..TINY.lanes).filter(|lane| tensor.layout.lanes().unwrap().rows_in(*lane) > 0);
    let bit = |lane: usize, byte: usize| 1u128 << (lane * TINY.lane_bytes + byte);
    let all = lanes.flat_map(|lane| bytes.clone().map(move |byte| bit(lane, byte)));
    (bytes.end <= TINY.lane_bytes).then(|| all.sum())
}

/// Whether tensors at these addresses follow all rules.
fn is_right(tensors: &[LocalTensor], addresses: &[usize], apart: &[&[usize]]) -> bool {
    let given = tensors.iter().zip(addresses);
    let as_given = given.clone().all(|(t, a)| t.address.is_none_or(|given| given == *a));
    let aligned = given.clone().all(|(t, a)| a % t.layout.align() == 0);
    let bytes: Option<Vec<u128>> = given.clone().map(|(t, &a)| bytes_of(t, a)).collect();
    let Some(bytes) = bytes else { return false };
    let banks = |i: usize| {
        addresses[i] / 8..(addresses[i] + tensors[i].layout.lanes().unwrap().bytes()).div_ceil(8)
    };
    let share_bank = |i, j| banks(i).any(|bank| banks(j).contains(&bank));
    let listed = |i, j| apart.iter().any(|list| list.contains(&i) && list.contains(&j));
    let mut pairs = (0..tensors.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let clear = |(i, j)| bytes[i] & bytes[j] == 0 && !(listed(i, j) && share_bank(i, j));
    as_given && aligned && pairs.all(clear)
}

/// Whether any addresses follow all rules.
fn can_be(tensors: &[LocalTensor], apart: &[&[usize]]) -> bool {
    let words = TINY.lane_bytes / 4;
    let count = words.pow(tensors.len() as u32);
    (0..count).any(|mut index| {
        let mut addresses = vec![0; tensors.len()];
        for address in &mut addresses {
            *address = index % words * 4;
            index /= words;
        }
        is_right(tensors, &addresses, apart)
    })
}

fn check<const N: usize>(tensors: [LocalTensor; N], apart: &[&[usize]]) {
    match LocalMemory::new(&TINY, &tensors, apart) {
        Ok(memory) => {
            let addresses: Vec<usize> = (0..N).map(|i| memory.address(i)).collect();
            assert!(is_right(&tensors, &addresses, apart), "{memory} {apart:?}");
        }
        Err(error) => assert!(!can_be(&tensors, apart), "{error}: {tensors:?} {apart:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Chosen addresses follow all rules, and an error means that no addresses do.
    #[test]
    fn room_is_found_where_there_is_some(
        sizes in vec((1..20usize, 1..=4usize, 0..4usize), 4),
        given in vec(prop::option::weighted(0.2, 0..8usize), 4),
        first in vec(0..4usize, 0..4),
        second in vec(0..4usize, 0..3),
    ) {
        let names = ["A", "B", "C", "D"];
        let mut tensors: Vec<LocalTensor> = names
            .iter()
            .zip(sizes)
            .map(|(name, (bytes, lanes, start))| tensor(name, bytes, lanes, start))
            .collect();
        for (tensor, address) in tensors.iter_mut().zip(given) {
            tensor.address = address.map(|word| word * 4);
        }
        let once = |list: Vec<usize>, below: usize| -> Vec<usize> {
            let own: HashSet<usize> = list.into_iter().filter(|i| *i < below).collect();
            own.into_iter().collect()
        };
        let lists = |below| [once(first.clone(), below), once(second.clone(), below)];
        let of = |lists: &[Vec<usize>; 2], n: usize| {
            let apart = [&lists[0][..], &lists[1][..]];
            match n {
                1 => check::<1>(tensors[..1].try_into().unwrap(), &apart),
                2 => check::<2>(tensors[..2].try_into().unwrap(), &apart),
                3 => check::<3>(tensors[..3].try_into().unwrap(), &apart),
                _ => check::<4>(tensors[..4].try_into().unwrap(), &apart),
            }
        };
        for n in 1..=4 {
            of(&lists(n), n);
        }
    }
}

/// In the order in which they are written, there is no space for the last.
#[test]
fn another_order_makes_room() {
    // Lowest first, B would begin at 8, and leave C 20 bytes.
    let tensors = [tensor("A", 4, 4, 0), tensor("B", 4, 4, 0), tensor("C", 24, 4, 0)];
    let memory = LocalMemory::new(&TINY, &tensors, &[&[0, 1]]).unwrap();
    let addresses = [0, 1, 2].map(|i| memory.address(i));
    assert_eq!(addresses, [0, 28, 4]);
}

/// The last of ten tensors, almost as large as a lane, fits only between two that must be apart. The small tensors
/// between them have far more orders than the macro tries.
#[test]
fn a_large_tensor_finds_space_after_many_small_ones() {
    let chip = Chip::named("bm1684x").unwrap();
    let (storage, format) = (Storage::named("compact").unwrap(), Format::parse("NCHW").unwrap());
    let tensor = |bytes: usize| {
        let extents = [1, 64, 1, bytes];
        let layout = Layout::builder(format, ElementType::I8).storage(chip, storage, 0, None);
        let layout = layout.extents(&extents).unwrap();
        assert_eq!(layout.lanes().unwrap().bytes(), bytes);
        LocalTensor { name: "", layout, address: None }
    };
    let tensors = [3136, 3136, 4, 4, 4, 4, 4, 4, 4, 245760].map(tensor);
    let memory = LocalMemory::new(chip, &tensors, &[&[0, 1]]).unwrap();
    let addresses: [usize; 10] = core::array::from_fn(|i| memory.address(i));
    let small = [3136, 3140, 3144, 3148, 3152, 3156, 3160];
    assert_eq!(addresses[0], 0);
    assert_eq!(addresses[2..9], small);
    assert_eq!(addresses[9], 3164);
    assert_eq!(addresses[1], 3164 + 245760);
}

/// The map contains both given and chosen addresses.
#[test]
fn placed_tensors_know_their_addresses() {
    const TENSORS: &[LocalTensor; 3] = Conv::MAP.tensors();
    let known = [0, 1, 2].map(|i| TENSORS[i].address);
    assert_eq!(known, [Some(Conv::WEIGHTS), Some(Conv::INPUT), Some(Conv::OUTPUT)]);
}

/// The lane in the error is one that overflows: that of the last channel, not the first.
#[test]
fn a_lane_without_room() {
    let chip = Chip::named("bm1684x").unwrap();
    let (storage, format) = (Storage::named("aligned").unwrap(), Format::parse("NCHW").unwrap());
    let extents = [1, 64, 1, 204_800];
    let layout = Layout::builder(format, ElementType::I8).storage(chip, storage, 3, None);
    let layout = layout.extents(&extents).unwrap();
    let place =
        |c| layout.lanes().unwrap().place(&[0, c, 0, 0]).map(|place| (place.lane, place.byte));
    assert_eq!((place(0), place(63)), (Ok((3, 0)), Ok((2, 204_800))));
    let tensors = [LocalTensor { name: "A", layout, address: None }];
    assert_eq!(
        LocalMemory::new(chip, &tensors, &[]).unwrap_err().to_string(),
        "tensor `A` takes 409600 bytes of lane 2, but a lane has 262144; split the tensor, or distribute it over more lanes"
    );
}

#[test]
fn what_cannot_lie_there() {
    let at = |tensor: LocalTensor, address| LocalTensor { address: Some(address), ..tensor };
    let message = |tensors: [LocalTensor; 2], apart: &[&[usize]]| {
        LocalMemory::new(&TINY, &tensors, apart).unwrap_err().to_string()
    };
    let small = tensor("B", 4, 4, 0);
    for (found, expected) in [
        (
            message([tensor("A", 33, 1, 2), small], &[]),
            "tensor `A` takes 36 bytes of lane 2, but a lane has 32; split the tensor, or distribute it over more lanes",
        ),
        (
            message([at(tensor("A", 20, 4, 0), 16), small], &[]),
            "tensor `A` takes 20 bytes of lane 3 from byte 16, but a lane has 32; split the tensor, or distribute it over more lanes, or write a lower address",
        ),
        (
            message([at(small, usize::MAX - 3), small], &[]),
            "tensor `B` takes 4 bytes of lane 3 from byte 18446744073709551612, but a lane has 32; split the tensor, or distribute it over more lanes, or write a lower address",
        ),
        (
            message([at(small, usize::MAX - 3), at(small, usize::MAX)], &[&[0, 1]]),
            "tensor `B` takes 4 bytes of lane 3 from byte 18446744073709551612, but a lane has 32; split the tensor, or distribute it over more lanes, or write a lower address",
        ),
        (
            message([at(tensor("A", 4, 4, 0), 6), small], &[]),
            "tensor `A` begins at byte 6, but needs a multiple of 4; write 4 or 8",
        ),
        (
            message([at(tensor("A", 8, 4, 0), 4), at(tensor("B", 8, 1, 3), 8)], &[]),
            "tensors `B` and `A` both take bytes 8 to 11; write another address, or remove it to have one chosen",
        ),
        (
            message([at(tensor("A", 4, 4, 0), 8), at(small, 12)], &[&[0, 1]]),
            "tensors `B` and `A` share bank 1 but must be apart; write another address, or remove it to have one chosen",
        ),
        (
            message([tensor("A", 20, 4, 0), tensor("B", 16, 4, 0)], &[]),
            "no free space was found for tensor `B`, which needs 16 of the 32 bytes of a lane; make tensors smaller, or keep fewer apart",
        ),
        (
            message([LocalTensor { layout: plain(), ..small }, small], &[]),
            "tensor `B` is not distributed over lanes, but `tiny` has 4; give its layout a storage of that chip, such as `tiny::aligned`",
        ),
        (
            message([LocalTensor { layout: wide(), ..small }, small], &[]),
            "tensor `B` is distributed over 64 lanes, but `tiny` has 4; give its layout a storage of that chip, such as `tiny::aligned`",
        ),
    ] {
        assert_eq!(found, expected);
    }
    let no_bank = Chip { banks: 0, ..TINY };
    let found = LocalMemory::new(&no_bank, &[small, at(small, 0)], &[&[0, 1]]);
    assert!(matches!(found, Err(LayoutError(Rule::NoMemory { .. }))));
}

fn plain() -> Layout {
    <layout!(NCHW<1, 4, 1, 1>, i8)>::LAYOUT
}

fn wide() -> Layout {
    <layout!(NCHW<1, 4, 1, 1>, i8, bm1684x::compact)>::LAYOUT
}

/// A lane that ends with the last address has no tensor beyond it.
#[test]
fn lanes_end_with_the_last_address() {
    let chip = Chip {
        name: "large",
        lanes: 4,
        lane_bytes: usize::MAX,
        banks: 3,
        alignment: 1,
        kernel_bytes: 4,
    };
    let fits = |addresses: [Option<usize>; 2]| {
        let own = |address| LocalTensor { address, ..tensor("own", 64, 1, 0) };
        LocalMemory::new(&chip, &addresses.map(own), &[&[0, 1]]).is_ok()
    };
    assert!(fits([None, Some(usize::MAX - 127)]));
    assert!(fits([Some(0), None]));
    assert!(!fits([Some(usize::MAX - 63), None]));
    assert!(!fits([None, Some(usize::MAX)]));
}
