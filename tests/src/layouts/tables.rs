//! The tables that other systems print, from `vectors.json`, against the layouts that say the same.

use serde_json::Value;
use tensor_layout::chip::{CHIPS, Chip};
use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{ElementType, Format, Layout, LayoutType, Relayout, Tensor, layout};
use test_support::coordinates;
use test_support::vectors::numbers;

/// The table at `path`, such as `/pytorch/1x64x5x4`.
fn table(path: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("vectors.json")).expect("vectors.json");
    all.pointer(path).unwrap_or_else(|| panic!("vectors.json has no {path}")).clone()
}

/// The strides of `layout`.
fn strides(layout: &Layout) -> Vec<usize> {
    let strides = layout.strides().expect("one stride for each axis");
    strides.iter().map(|&stride| usize::try_from(stride).unwrap()).collect()
}

/// A tensor with these `strides`, its axes called A, B, C ...
fn strided(shape: &[usize], strides: &[usize]) -> Layout {
    let letters = || 'A'..='H';
    let axis = |(letter, &extent)| AxisExtent { letter, extent: Length::Runtime(extent) };
    let factor = |(letter, &stride)| Factor::Stride(letter, stride as isize);
    let axes: Vec<AxisExtent> = letters().zip(shape).map(axis).collect();
    let factors: Vec<Factor> = letters().zip(strides).map(factor).collect();
    Layout::new(&Spec { element: ElementType::I8, axes: &axes, factors: &factors, fill: None })
        .unwrap()
}

#[test]
fn megengine_rows_of_a_matrix() {
    type Matrix = layout!(MN<3, 3>, f32);
    let rows = table("/megengine/row_major_3x3_offsets");
    for (m, row) in rows.as_array().unwrap().iter().enumerate() {
        for (n, offset) in numbers(row).into_iter().enumerate() {
            assert_eq!(Matrix::offset([m, n]), offset);
        }
    }
}

#[test]
fn megengine_strides_in_bytes() {
    type Matrix = layout!(MN<2, 5>, i32);
    let table = table("/megengine/int32_2x5");
    let own: Vec<usize> = strides(&Matrix::LAYOUT).iter().map(|stride| stride * 4).collect();
    assert_eq!(Matrix::EXTENTS.to_vec(), numbers(&table["shape"]));
    assert_eq!(own, numbers(&table["strides_bytes"]));
    assert_eq!(Some(Matrix::BYTES as u64), table["total_bytes"].as_u64());
    let index: [usize; 2] = numbers(&table["index"]).try_into().unwrap();
    assert_eq!(Some(Matrix::offset(index) as u64 * 4), table["byte_offset"].as_u64());
    let filled = Tensor::<Matrix, _>::new([0i32, 1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
    assert_eq!(Some(i64::from(filled[index])), table["value_when_filled_0_to_9"].as_i64());
}

#[test]
fn megengine_formats_position_by_position() {
    let tables = table("/megengine/formats_2x64x3x3/memory");
    let tables = tables.as_object().unwrap();
    assert_eq!(tables.len(), 6);
    for (name, memory) in tables {
        let format = Format::parse(name).unwrap();
        let layout = Layout::of(format, &[2, 64, 3, 3], ElementType::I8).unwrap();
        let memory = numbers(memory);
        assert_eq!(layout.len(), memory.len(), "{name}");
        for (position, index) in memory.into_iter().enumerate() {
            let coordinate = [index / 576, index / 9 % 64, index / 3 % 3, index % 3];
            assert_eq!(layout.offset(&coordinate), position, "{name} at {coordinate:?}");
            let back = layout.coordinate(position).map(|all| all.to_vec());
            assert_eq!(back, Some(coordinate.to_vec()), "{name} at position {position}");
        }
    }
}

#[test]
fn sophgo_bytes_of_an_element() {
    let table = table("/sophgo/dtype_bytes");
    for (name, bytes) in table.as_object().unwrap() {
        let own = ElementType::names_for_foreign(&name.to_lowercase());
        let element = ElementType::from_name(own.as_str()).unwrap();
        assert_eq!(element.bytes_of(1).map(|own| own as u64), bytes.as_u64(), "{name}");
        assert_eq!(Some(element.bits() as u64 / 8), bytes.as_u64(), "{name}");
    }
}

#[test]
fn sophgo_explicit_strides() {
    let tables = table("/sophgo/explicit_strides");
    let [dense, spread] = tables.as_array().unwrap().as_slice() else { panic!("{tables}") };
    type Dense = layout!(NCHW<4, 3, 2, 2>, i8, strides = [12, 4, 2, 1]);
    type Spread = layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, 4, 2]);
    for (table, own) in [(dense, Dense::LAYOUT), (spread, Spread::LAYOUT)] {
        assert_eq!(own.extents(), numbers(&table["shape"]));
        assert_eq!(strides(&own), numbers(&table["strides"]));
        assert_eq!(Some(own.is_exhaustive()), table["dense"].as_bool());
        assert!(own.is_unique());
    }
    assert_eq!(Some(Spread::SPAN as u64), spread["span_elems"].as_u64());
}

#[test]
fn sophgo_global_memory_is_continuous() {
    type Global = layout!(NCHW<2, 2, 3, 2>, f16);
    let table = table("/sophgo/global_continuous");
    assert_eq!(Global::EXTENTS.to_vec(), numbers(&table["shape"]));
    assert_eq!(strides(&Global::LAYOUT), numbers(&table["strides"]));
}

/// The strides of `layout` inside of a lane.
fn lane_strides(layout: &Layout) -> Vec<usize> {
    let strides =
        layout.lanes().and_then(|lanes| lanes.strides()).expect("one stride for each axis");
    strides.iter().map(|&stride| usize::try_from(stride).unwrap()).collect()
}

#[test]
fn sophgo_local_memory() {
    let table = table("/sophgo/bm1684x_local_memory");
    let chip = Chip::named("bm1684x").unwrap();
    for (key, own) in [
        ("banks", chip.banks),
        ("bank_bytes_over_all_lanes", chip.bank_bytes() * chip.lanes),
        ("total_bytes", chip.lane_bytes * chip.lanes),
        ("lanes", chip.lanes),
        ("lane_bytes", chip.lane_bytes),
        ("bank_slice_bytes_per_lane", chip.bank_bytes()),
    ] {
        assert_eq!(Some(own as u64), table[key].as_u64(), "{key}");
    }
}

#[test]
fn sophgo_channels_are_distributed_over_lanes() {
    // Channels nine elements apart do not match a named storage.
    type Distributed = layout!(NCHW<2, 3, 2, 3>, i8, lanes(C, 64), align(C = 9));
    let table = table("/sophgo/channel_to_lane");
    assert_eq!(Distributed::EXTENTS.to_vec(), numbers(&table["shape"]));
    assert_eq!(lane_strides(&Distributed::LAYOUT), numbers(&table["strides"]));
    let lane =
        |channel| Distributed::LAYOUT.lanes().unwrap().place(&[1, channel, 1, 2]).unwrap().lane;
    assert_eq!([0, 1, 2].map(lane).to_vec(), numbers(&table["lane_of_channel"]));
}

/// The chip of the printed examples: BM1684X with four lanes.
const FOUR_LANES: Chip = Chip { lanes: 4, ..CHIPS[0] };

#[test]
fn sophgo_strides_in_local_memory() {
    type Aligned0 = layout!(NCHW<2, 3, 4, 5>, f16, FOUR_LANES::aligned);
    type Aligned2 = layout!(NCHW<2, 3, 4, 5>, f16, FOUR_LANES::aligned(start = 2));
    type Compact0 = layout!(NCHW<2, 3, 4, 5>, f16, FOUR_LANES::compact);
    type Compact2 = layout!(NCHW<2, 3, 4, 5>, f16, FOUR_LANES::compact(start = 2));
    let aligned = table("/sophgo/aligned_64B_4_lanes_f16_2x3x4x5");
    let compact = table("/sophgo/compact_4_lanes_f16_2x3x4x5");
    for (table, own) in [
        (&aligned[0], Aligned0::LAYOUT),
        (&aligned[1], Aligned2::LAYOUT),
        (&compact[0], Compact0::LAYOUT),
        (&compact[1], Compact2::LAYOUT),
    ] {
        assert_eq!(lane_strides(&own), numbers(&table["strides"]), "{own}");
        let lanes = own.lanes().unwrap();
        assert_eq!(Some(lanes.start() as u64), table["start_lane"].as_u64(), "{own}");
        if let Some(rows) = table["channels_per_lane"].as_u64() {
            assert_eq!(lanes.rows() as u64, rows, "{own}");
        }
    }
}

#[test]
fn sophgo_matrices() {
    type Whole = layout!(MN<2, 40>, f16, bm1684x::matrix(w = 40));
    type Halves = layout!(MN<2, 40>, f16, bm1684x::matrix(w = 20));
    let tables = table("/sophgo/matrix_2x40_f16");
    for (table, own) in [(&tables[0], Whole::LAYOUT), (&tables[1], Halves::LAYOUT)] {
        let lanes = own.lanes().unwrap();
        let tensor = lanes.tensor().unwrap();
        assert_eq!(tensor.shape.to_vec(), numbers(&table["tensor_shape"]), "{own}");
        assert_eq!(Some(tensor.shape[3] as u64), table["w"].as_u64(), "{own}");
        assert_eq!(Some(tensor.strides[1] as u64), table["c_stride"].as_u64(), "{own}");
        // Column pieces lie in lanes.
        assert_eq!(lanes.place(&[0, 39]).unwrap().lane, tensor.shape[1] - 1);
    }
}

#[test]
fn infinilm_matrix_and_its_transpose() {
    // The table is in letters: m rows of n.
    let (m, n) = (3usize, 5usize);
    let table = table("/infinilm/c_array_m_n");
    let value = |entry: &Value| match entry.as_str() {
        Some("m") => m,
        Some("n") => n,
        _ => entry.as_u64().unwrap() as usize,
    };
    let list = |key: &str| table[key].as_array().unwrap().iter().map(value).collect::<Vec<_>>();
    type Array = layout!(MN<3, 5>, f32);
    assert_eq!(
        (Array::EXTENTS.to_vec(), strides(&Array::LAYOUT)),
        (list("shape"), list("strides"))
    );
    let transposed = strided(&list("transposed_shape"), &list("transposed_strides"));
    for (row, column) in coordinates(&[m, n]).map(|c| (c[0], c[1])) {
        assert_eq!(transposed.offset(&[column, row]), Array::offset([row, column]));
    }
    // The same view without a stride written down: memory order M N, coordinates [n, m].
    assert_eq!(strides(&<layout!(ba<5, 3>, f32)>::LAYOUT), list("transposed_strides"));
}

#[test]
fn infinilm_bytes_of_a_large_matrix() {
    type Large = layout!(MN<4096, 4096>, f16);
    assert_eq!(Some(Large::BYTES as u64), table("/infinilm/f16_4096x4096_bytes").as_u64());
}

#[test]
fn pytorch_strides_of_the_memory_formats() {
    let table = table("/pytorch/1x64x5x4");
    let contiguous = <layout!(NCHW<1, 64, 5, 4>, f32)>::LAYOUT;
    let channels_last = <layout!(NHWC<N = 1, C = 64, H = 5, W = 4>, f32)>::LAYOUT;
    assert_eq!(strides(&contiguous), numbers(&table["contiguous_strides"]));
    assert_eq!(strides(&channels_last), numbers(&table["channels_last_strides"]));
}

#[test]
fn pytorch_transpose_leaves_the_data() {
    let table = table("/pytorch/1x3x2x2_transpose_0_2");
    let before = <layout!(NCHW<1, 3, 2, 2>, f32)>::LAYOUT;
    assert_eq!(strides(&before), numbers(&table["strides_before"]));
    let shape = numbers(&table["shape_after"]);
    let after = strided(&shape, &numbers(&table["strides_after"]));
    for c in coordinates(&shape) {
        assert_eq!(after.offset(&c), before.offset(&[c[2], c[1], c[0], c[3]]), "{c:?}");
    }
    let contiguous = Layout::of("abcd", &shape, ElementType::I8).unwrap();
    let same = coordinates(&shape).all(|c| after.offset(&c) == contiguous.offset(&c));
    assert_eq!(Some(same), table["contiguous_after"].as_bool());
}

type Contiguous = layout!(NCHW<1, 3, 2, 2>, u8);
type ChannelsLast = layout!(NHWC<N = 1, C = 3, H = 2, W = 2>, u8);

#[derive(Relayout)]
#[relayout(Contiguous => ChannelsLast)]
struct ToChannelsLast;

#[test]
fn pytorch_storage_of_the_memory_formats() {
    let table = table("/pytorch/1x3x2x2_storage");
    let storage = |key: &str| -> [u8; 12] {
        let bytes: Vec<u8> = numbers(&table[key]).into_iter().map(|n| n as u8).collect();
        bytes.try_into().unwrap()
    };
    let (contiguous, channels_last) = (storage("contiguous"), storage("channels_last"));
    let mut moved = [0; ChannelsLast::LEN];
    ToChannelsLast::run_arrays(&contiguous, &mut moved);
    assert_eq!(moved, channels_last);
    let before = Tensor::<Contiguous, _>::new(contiguous).unwrap();
    let after = Tensor::<ChannelsLast, _>::new(channels_last).unwrap();
    for c in coordinates(&[1, 3, 2, 2]) {
        let index: <Contiguous as LayoutType>::Coordinate = c.try_into().unwrap();
        assert_eq!(before[index], after[index], "{index:?}");
    }
}
