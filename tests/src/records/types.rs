//! Records as types: the same as their texts, with the same places, and fields that are read and written.

use tensor_layout::records::{Record, RecordBuffer, RecordTemplate, RecordType};
use tensor_layout::{Element, HighFirst, f16, i4, layout, record, u1, u2, u4};
use test_support::coordinates;

mod formats {
    use tensor_layout::record;

    record! {
        /// ggml's Q4_0.
        pub Q4_0 = MK { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)
    }
    record! { pub Q8_0 = MK { d: f16, q: 32k i8 } = d * q }
}

record! { Q6K = MK { q: 2k/128 2k/32 32k 2k/64 u4, h: 2k/128 32k 4k/32 u2, s: 16k/16 i8, d: f16 } }
record! { Frame = { y: H W u8, uv: H/2 W/2 2c u8 } }
record! { Straddling = N { q: K u5 } align(4) }
record! { Pixel = HW { r: u5, g: u6, b: u5 } high_first }
record! { Odd = K { e: f8e8m0, d: f32, h: 32k u1, n: 8k/4 i12, t: 32k i4 } }
record! { Rotated = GN { bias: 8n i32, w: K 4k-8n 8n 2k i8 } pad }
record! { Split = HW { hi: 2w[0] u8, lo: 2w u4, hi: 2w[1] u8 } pad }

record! { Keywords = K { type: u8, k: { r#fn: u8 } } }

/// A keyword is the name of a method after `r#`.
#[test]
fn fields_may_be_keywords() {
    let buffer = RecordBuffer::<layout!(K<2>, Keywords!), _>::new([1, 2, 3, 4]).unwrap();
    assert_eq!((buffer.r#type().get([1]), buffer.k_fn().get([0])), (Some(3), Some(2)));
}

record! { Particles = N { x: f32 align(4), id: 2i u32, kind: u16 align(2), flag: bool } }

#[repr(C)]
struct Particle {
    x: f32,
    id: [u32; 2],
    kind: u16,
    flag: bool,
}

#[repr(C)]
struct Block {
    d: f16,
    q: [u8; 16],
}

tensor_layout::check_struct!(Particle = Particles { flag, x, id, kind });
tensor_layout::check_struct!(Block = formats::Q4_0 { d, q });

/// Blocks are the structs that `check_struct!` compares.
#[test]
fn structs_are_blocks() {
    let own = Particle { x: 1.5, id: [7, 0x0102_0304], kind: 9, flag: true };
    let mut bytes = [0; size_of::<Particle>()];
    bytes[..4].copy_from_slice(&own.x.to_le_bytes());
    bytes[8..12].copy_from_slice(&own.id[1].to_le_bytes());
    bytes[12..15].copy_from_slice(&[own.kind as u8, 0, u8::from(own.flag)]);
    let all = RecordBuffer::<layout!(N<1>, Particles!), _>::new(bytes).unwrap();
    assert_eq!((all.x().get([0, 0]), all.kind().get([0, 0])), (Some(own.x), Some(own.kind)));
    assert_eq!((all.id().get([0, 1]), all.flag().get([0, 0])), (Some(own.id[1]), Some(own.flag)));
}

/// Elements of less than a byte have an order of bits in a tensor's type, and wider ones of the highest byte first none.
#[test]
fn tensors_of_high_first_fields() {
    type Codes = layout!(K<4>, { q: u4 } high_first);
    let codes = RecordBuffer::<Codes, _>::new([0x12, 0x34]).unwrap();
    let tensor = codes.tensor::<HighFirst<u4>, 1>("q").unwrap();
    assert_eq!(tensor.get([1]).map(|code| code.0.get()), Some(2));
    let error = codes.tensor::<u4, 1>("q").unwrap_err().to_string();
    assert_eq!(error, "elements of `q` begin with their highest bit; ask for `HighFirst<u4>`");
    let low = RecordBuffer::<layout!(K<4>, { q: u4 }), _>::new([0x12, 0x34]).unwrap();
    let error = low.tensor::<HighFirst<u4>, 1>("q").unwrap_err().to_string();
    assert_eq!(error, "elements of `q` begin with their lowest bit; ask for `u4`");
    let wide = Record::parse("K<2>, f64 high_first").unwrap();
    let error = wide.field("").unwrap().elements().unwrap_err().to_string();
    assert!(error.starts_with("elements of `` have their highest byte first; "), "{error}");
}

/// `record!` knows the methods of buffers, which would hide those of fields.
#[test]
fn methods_of_buffers_are_no_names_of_fields() {
    let reserved = include_str!("../../../layout-macros/src/record_item.rs");
    let sources = [
        include_str!("../../../src/records/record_buffer.rs"),
        include_str!("../../../src/records/block_iter.rs"),
        include_str!("../../../src/records/plan.rs"),
    ];
    let mut methods = 0;
    for source in sources {
        for part in source
            .split("\nimpl<")
            .filter(|part| part.lines().next().unwrap().contains("RecordBuffer<R"))
        {
            for own in part
                .split("fn ")
                .skip(1)
                .filter(|own| own.split(')').next().unwrap().contains("self"))
            {
                let name = own.split(['<', '(']).next().unwrap();
                let is_public = part.contains(&format!("pub fn {name}"))
                    || part.contains(&format!("pub const fn {name}"));
                assert!(!is_public || reserved.contains(&format!("\"{name}\"")), "{name}");
                methods += usize::from(is_public);
            }
        }
    }
    assert!(methods > 10, "{methods}");
}

#[test]
fn types_are_their_texts() {
    const M: usize = 6;
    macro_rules! same {
        ($text:literal, $($tokens:tt)*) => {{
            type Own = layout!($($tokens)*);
            assert_eq!(Own::default().record(), Record::parse($text).unwrap(), "{}", $text);
            assert_eq!(Own::RECORD.to_string(), Record::parse($text).unwrap().to_string());
        }};
    }
    use formats::*;
    same!("MK<6, 64>, ggml::Q4_0", MK<M, { M + 58 }>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8));
    same!("MK<6, 64>, ggml::Q4_0", MK<M, 64>, Q4_0!);
    same!("MK<6, 64>, ggml::Q4_0", MK<M, 64>, formats::Q4_0!);
    same!("MK<6, 64>, ggml::Q4_0", Q4_0!<M, 64>);
    same!("MK<6, 64>, ggml::Q4_0", MK<6, 64>, ggml::Q4_0!);
    same!("MK<6, 64>, ggml::Q4_0", MK<6, 64>, ggml::Q4_0);
    same!("D<S = 3, D = 64>, { k: S ggml::Q8_0(k = d) }", D<S = 3, D = 64>, { k: S ggml::Q8_0(k = d) });
    same!("KM<M = 6, K = 64>, ggml::Q4_0", KM<M = M, K = 64>, Q4_0!);
    same!("MK<6, 64>, { d: f16, q: 16k 2k/16 u4 } pad(M = last) = d * (q - 8)", MK<M, 64>, Q4_0! pad(M = last));
    same!(
        "P<P = 2, S = 3, H = 1, D = 64>, { k: S H D ggml::Q8_0(k = d), v: S H D ggml::Q4_0(k = d) }",
        P<P = 2, S = 3, H = 1, D = 64>, { k: S H D Q8_0!(k = d), v: S H D formats::Q4_0!(k = d) }
    );
    same!("<H = 5, W = 6>, { y: H W u8 pitch(H = 8), uv: H/2 W/2 2c u8 pitch(H = 8) }",
        <H = 5, W = 6>, { y: H W u8 pitch(H = 8), uv: H/2 W/2 2c u8 pitch(H = 8) });
    same!("<K = 128, N = 8>, { q: K N 8k u4; s: K/128 N f16 }", <K = 128, N = 8>, { q: K N 8k u4; s: K/128 N f16 });
    same!("{ x: 4n u8, y: u16 }", { x: 4n u8, y: u16 });
    same!("N<N = 4, K = 6>, { q: K u5 } align(4)", Straddling!<N = 4, K = 6>);
    same!("MK<256, 256>, ggml::Q5_K", MK<256, 256>, ggml::Q5_K!);
    same!("MK<256, 256>, ggml::q4_Kx8_8", MK<256, 256>, ggml::q4_Kx8_8!);
    same!("NK<N = 5, K = 64>, kleidiai::qsi4c32p", NK<N = 5, K = 64>, kleidiai::qsi4c32p!);
    same!("GN<G = 2, N = 8, K = 64>, { bias: 8n i32, w: K 4k-8n 8n 2k i8 } pad", Rotated!<G = 2, N = 8, K = 64>);
}

#[test]
fn extents_of_generic_items_and_of_run_time() {
    use formats::*;
    fn bytes<const M: usize, const K: usize>() -> usize {
        <layout!(MK<M, K>, Q4_0!)>::BYTES
    }
    assert_eq!((bytes::<3, 64>(), bytes::<1, 32>()), (3 * 36, 18));
    type Rows = layout!(MK<_, 64>, Q4_0!);
    assert_eq!(Rows::new([3]).unwrap().record(), Record::parse("MK<3, 64>, ggml::Q4_0").unwrap());
    assert_eq!(Rows::new([0]).unwrap().record().bytes(0), 0);
    type All = layout!(MK<_, _>, Q4_0!);
    let error = All::new([3, 48]).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("axis `K` has extent 48"), "{error}");
}

/// The bits of an element from its first bit on, one by one.
fn naive_bits(bytes: &[u8], first: u64, count: usize, high_first: bool) -> u64 {
    (0..count as u64).fold(0, |bits, i| {
        let at = first + i;
        let place = if high_first { 7 - at % 8 } else { at % 8 };
        let bit = u64::from(bytes[(at / 8) as usize] >> place & 1);
        bits | bit << if high_first { count as u64 - 1 - i } else { i }
    })
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x1234_5678_9abc_def1u64;
    let next = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    (0..length).map(next).collect()
}

/// Compares every element of a field, by its name and by its method, with bits that are read one by one; then writes
/// it, and finds nothing else changed.
macro_rules! check_field {
    ($ty:ty, $field:literal $method:ident $method_mut:ident $element:ty) => {{
        let (record, bytes) = (<$ty>::RECORD, noise(<$ty>::BYTES));
        let all = RecordBuffer::<$ty, _>::new(&bytes[..]).unwrap();
        let field = record.field($field).unwrap();
        let (width, high_first) = (field.bits(), field.is_high_first());
        for at in coordinates(record.extents()) {
            let first = record.bit_offset($field, &at).unwrap();
            let bits = naive_bits(&bytes, first, width, high_first);
            let value = all.$method().get(&at).unwrap();
            assert_eq!(
                tensor_layout_tests_bits(value) & (u64::MAX >> (64 - width)),
                bits,
                "{record} {at:?}"
            );
            assert_eq!(
                tensor_layout_tests_bits(all.field::<$element>($field).unwrap().get(&at).unwrap()),
                tensor_layout_tests_bits(value)
            );
            let mut copy = bytes.clone();
            let mut own = RecordBuffer::<$ty, _>::new(&mut copy[..]).unwrap();
            own.$method_mut().set(&at, all.$method().get(vec![0; at.len()]).unwrap()).unwrap();
            for bit in 0..8 * bytes.len() as u64 {
                let is_own = bit >= first && bit < first + width as u64;
                let expected = match is_own {
                    true => {
                        let zero = record.bit_offset($field, &vec![0; at.len()]).unwrap();
                        naive_bits(&bytes, zero + bit - first, 1, high_first)
                    }
                    false => naive_bits(&bytes, bit, 1, high_first),
                };
                assert_eq!(
                    naive_bits(&copy, bit, 1, high_first),
                    expected,
                    "{record} {at:?} {bit}"
                );
            }
        }
        let mut outside = record.extents().to_vec();
        assert!(all.$method().get(&outside).is_none());
        outside.pop();
        assert!(all.$method().get(&outside).is_none());
    }};
}

/// The bits of an element.
fn tensor_layout_tests_bits<E: Element>(element: E) -> u64 {
    tensor_layout::__private::bits_of(element)
}

#[test]
fn fields_are_read_and_written_at_any_bit() {
    use formats::*;
    type Q4 = layout!(MK<2, 64>, Q4_0!);
    check_field!(Q4, "d" d d_mut f16);
    check_field!(Q4, "q" q q_mut u4);
    check_field!(layout!(KM<M = 2, K = 32>, Q8_0!), "q" q q_mut i8);
    type Six = layout!(Q6K!<1, 256>);
    check_field!(Six, "s" s s_mut i8);
    check_field!(Six, "h" h h_mut u2);
    type Nv12 = layout!(<H = 5, W = 6>, Frame!);
    check_field!(Nv12, "uv" uv uv_mut u8);
    type Bits = layout!(Straddling!<N = 2, K = 7>);
    check_field!(Bits, "q" q q_mut layout_element!(u5));
    type Rgb = layout!(Pixel!<2, 3>);
    check_field!(Rgb, "g" g g_mut layout_element!(u6));
    type Odds = layout!(K<64>, Odd!);
    check_field!(Odds, "d" d d_mut f32);
    check_field!(Odds, "h" h h_mut u1);
    check_field!(Odds, "n" n n_mut layout_element!(i12));
    check_field!(Odds, "t" t t_mut i4);
    check_field!(layout!(Rotated!<G = 1, N = 8, K = 16>), "w" w w_mut i8);
    check_field!(layout!(Split!<2, 5>), "hi" hi hi_mut u8);
}

macro_rules! layout_element {
    (u5) => { tensor_layout::Int<u8, 5> };
    (u6) => { tensor_layout::Int<u8, 6> };
    (i12) => { tensor_layout::Int<i16, 12> };
}
use layout_element;

#[test]
fn blocks_are_records() {
    use formats::*;
    let bytes = noise(3 * 36);
    let rows = RecordBuffer::<layout!(MK<3, 64>, Q4_0!), _>::new(&bytes[..]).unwrap();
    let blocks = rows.blocks().unwrap();
    assert_eq!(blocks.len(), 6);
    for (i, block) in blocks.enumerate() {
        assert_eq!(block.q().bytes(), Some(&bytes[18 * i + 2..18 * i + 18]));
        for k in 0..32 {
            let (m, column) = (i / 2, i % 2 * 32 + k);
            assert_eq!(block.q().get([k]), rows.q().get([m, column]));
            assert_eq!(block.d().get([k]), rows.d().get([m, column]));
        }
    }
    // The same of extents that are known at run time, and of a record that is a value.
    let rows = <layout!(MK<_, _>, Q4_0!)>::new([3, 64]).unwrap();
    let rows = RecordBuffer::with_record(rows, [&bytes[..]]).unwrap();
    let starts: Vec<_> = rows.blocks().unwrap().map(|block| block.d().get([0]).unwrap()).collect();
    let value = RecordBuffer::with_record(rows.record().record(), [&bytes[..]]).unwrap();
    let same =
        value.blocks().unwrap().map(|block| block.field::<f16>("d").unwrap().get([0]).unwrap());
    assert_eq!(starts, same.collect::<Vec<_>>());
    assert_eq!(starts[5].to_bits(), u16::from_le_bytes([bytes[90], bytes[91]]));
}

#[test]
fn blocks_with_distances_are_written() {
    record! { Padded = HW { r: 2w u8, g: u8 } pitch(H = 10) }
    type Image = layout!(Padded!<3, 4>);
    let mut bytes = [0xee; Image::BYTES];
    let mut image = RecordBuffer::<Image, _>::new(&mut bytes[..]).unwrap();
    for (i, mut block) in image.blocks_mut().unwrap().enumerate() {
        block.r_mut().set([1], i as u8).unwrap();
        block.g_mut().set([0], 100 + i as u8).unwrap();
    }
    for (at, byte) in bytes.iter().enumerate() {
        let (row, column) = (at / 10, at % 10);
        let block = row * 2 + column / 3;
        let expected = match column % 3 {
            _ if column >= 6 => 0xee,
            0 => 0xee,
            1 => block as u8,
            _ => 100 + block as u8,
        };
        assert_eq!(*byte, expected, "{at}");
    }
}

#[test]
fn buffers_are_checked() {
    type Two = layout!(<K = 8, N = 2>, { q: K N u8; s: N f32 });
    let error = RecordBuffer::<Two, _, 2>::of_buffers([vec![0; 16], vec![0; 7]]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "buffer 1 of the record has 7 bytes and needs 8; give one of that length"
    );
    let error = RecordBuffer::<Two, _>::new(vec![0; 16]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "1 buffer is given for the record, which has 2; give one for each item that `;` separates"
    );
    let two = RecordBuffer::<Two, _, 2>::of_buffers([vec![0; 16], vec![0; 8]]).unwrap();
    let error = two.field::<u16>("q").unwrap_err();
    assert_eq!(error.to_string(), "elements of `q` are u8, not u16; ask for u8");
}

#[test]
fn records_are_serialized_as_text() {
    let record = Record::parse("MK<2, 64>, ggml::Q8_0").unwrap();
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(json, r#""v1:MK<2, 64>, { d: f16, q: 32k i8 } = d * q""#);
    assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record);
    let template: RecordTemplate = serde_json::from_str(r#""MK { d: f16, q: 32k i8 }""#).unwrap();
    assert_eq!(template.unknown().as_str(), "MK");
    let json = serde_json::to_string(&template).unwrap();
    assert_eq!(json, r#""v1:MK<_, _>, { d: f16, q: 32k i8 }""#);
    assert_eq!(serde_json::from_str::<RecordTemplate>(&json).unwrap(), template);
    let error = serde_json::from_str::<Record>(&json).unwrap_err();
    assert!(error.to_string().contains("extent `_` is not known"), "{error}");
    assert!(serde_json::from_str::<Record>(r#""v2:K<4>, u8""#).is_err());
}

#[test]
fn a_text_without_extents_is_a_template() {
    let error = Record::parse("MK { d: f16, q: 32k i8 }").unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0, `M`: axis M has no extent; write the extents before the fields, as in `<M = 64>`"
    );
    let template = RecordTemplate::parse("MK { d: f16, q: 32k i8 } = d * q").unwrap();
    let record = template.with_extents(&[('K', 64), ('M', 2)]).unwrap();
    assert_eq!(record, Record::parse("MK<2, 64>, ggml::Q8_0").unwrap());
}

/// Elements in the other order of a byte are another type, blocks whose digits are added to one before them have no layout
/// of their own, and pieces in falling order are not a slice.
#[test]
fn what_fields_and_blocks_refuse() {
    let nibbles = Record::parse("<K = 4>, { q: K u4 }").unwrap();
    let buffer = RecordBuffer::with_record(nibbles, [[0x21u8, 0x43]]).unwrap();
    assert!(buffer.field::<HighFirst<u4>>("q").is_err());
    let added = Record::parse("M 4m K<M = 8, K = 8>, { q: 8k-4m u8 }").unwrap();
    assert!(added.template().block().is_err());
    let falling = Record::parse("N<N = 2, W = 2>, { y: 2w[1] u8, y: 2w[0] u8, _: u16 }").unwrap();
    let buffer = RecordBuffer::with_record(falling, [[1u8, 2, 3, 4, 5, 6, 7, 8]]).unwrap();
    assert!(buffer.field::<u8>("y").unwrap().bytes().is_none());
}
