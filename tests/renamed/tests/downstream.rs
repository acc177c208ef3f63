//! A third crate that reaches the macros through the one that renamed them.

use renamed_dependency::layouts::{StaticLayout, f16};
use renamed_dependency::{Layer, act, formats, moves, notation};

/// Compiles only where both layouts are one type.
fn same<L: StaticLayout>(_: L, _: L) {}

type Quads = renamed_dependency::layout!(renamed_dependency::QUADS!<1, 8, 2, 2>, f16);
type Act = act!(4 * 2, f16);

#[derive(renamed_dependency::layouts::Relayout)]
#[relayout(crate = renamed_dependency::layouts, Act => notation::Planes)]
struct Unpack;

#[test]
fn exported_formats_and_macros_mean_the_same_here() {
    same(Quads::default(), notation::Table::default());
    same(Act::default(), notation::Table::default());
    same(Layer::<f16, 8>::default().act(), notation::Table::default());
    same(notation::Paired::default(), notation::ByPath::default());
    assert_eq!(Layer::<f16, 8>::LEN, 32);
    assert_eq!(notation::Batch::new([2]).map(|batch| batch.extents()), Ok([2, 8, 2, 2]));
    assert_eq!(formats::Tiles::offset([0, 5, 6, 7]), 256 + 128 + 64 + 2 * 16 + 3 * 4 + 1);
}

#[test]
fn local_memory_is_placed_here() {
    use renamed_dependency::memory::{MINE, Pair};
    assert_eq!((Pair::FIRST, Pair::SECOND), (0x10, MINE.bank_bytes()));
    assert_eq!(Pair::MAP.tensors()[1].name, "SECOND");
}

#[test]
fn relayouts_run_here() {
    let planes = std::array::from_fn(|i| f16::from_bits(i as u16));
    let packed = moves::Pack::constant(&planes);
    assert_eq!(packed[Act::offset([0, 5, 1, 0])], planes[22]);
    assert_eq!(Unpack::constant(&packed), planes);
    assert_eq!(renamed_dependency::round_trip(&planes), planes);
    assert_eq!(renamed_dependency::first_of_packed(&[7; 12]), Ok(7));
    assert_eq!(moves::Swap::constant(&[0x21, 0x43]), [0x31, 0x42]);
}
