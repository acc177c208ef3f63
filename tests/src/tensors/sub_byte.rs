//! Elements of less than a byte: what other systems store, and bits that are read one by one.

use serde_json::Value;
use tensor_layout::{
    Conversion, ConversionPlan, Dynamic, Element, ElementType, HighFirst, Layout, Plan, Relayout,
    Tensor, f16, i2, i4, layout, u1, u2, u4,
};

/// Weights and the bytes that other systems store them in.
fn vectors(start: &str) -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(include_str!("sub_byte.json")).expect("a list");
    let is = |vector: &Value| vector["id"].as_str().unwrap().starts_with(start);
    all.into_iter().filter(is).collect()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// The numbers of a list of lists.
fn numbers(value: &Value) -> Vec<i64> {
    let rows = value.as_array().unwrap().iter();
    rows.flat_map(|row| row.as_array().unwrap()).map(|one| one.as_i64().unwrap()).collect()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    let pairs = hex.as_str().unwrap().as_bytes().chunks(2);
    pairs.map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Words of 32 bits as bytes.
fn words(list: &Value) -> Vec<u8> {
    let words = list.as_array().unwrap().iter().map(|word| word.as_i64().unwrap() as u32);
    words.flat_map(u32::to_le_bytes).collect()
}

fn parsed(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// A row-major tensor of `u4` of these axes moved to `to`.
fn moved(values: &[u8], to: &Layout) -> Vec<u8> {
    let extents: Vec<usize> = to.extents().to_vec();
    let axes: String = (0..to.rank()).map(|i| to.letters().at(i)).collect();
    let named: Vec<(char, usize)> = axes.chars().zip(extents).collect();
    let rows = Layout::builder(axes.as_str(), ElementType::U4).named_extents(&named).unwrap();
    let mut source = vec![0; rows.units()];
    for (offset, &value) in values.iter().enumerate() {
        u4::write(&mut source, offset, u4::new(value).unwrap()).unwrap();
    }
    let mut destination = vec![0; to.units()];
    Plan::new(&rows, to).unwrap().run(&source, &mut destination).unwrap();
    destination
}

#[test]
fn awq_packs_nibbles_as_digits() {
    let vectors = vectors("awq");
    assert_eq!(vectors.len(), 3);
    for vector in &vectors {
        let (k, n) = (number(&vector["extents"][0]), number(&vector["extents"][1]));
        let layout = parsed(&format!("KN2n4n/2<K = {k}, N = {n}>, u4"));
        let weights: Vec<u8> = numbers(&vector["weights"]).iter().map(|&one| one as u8).collect();
        let expected = words(&vector["int32_words"]);
        assert_eq!(moved(&weights, &layout), expected, "{}", vector["id"]);
        let mut tensor =
            Tensor::with_layout(Dynamic::<u4, 2>::new(layout).unwrap(), vec![0; layout.units()])
                .unwrap();
        for (i, &weight) in weights.iter().enumerate() {
            assert!(tensor.set([i / n, i % n], u4::new(weight).unwrap()).is_ok());
        }
        assert_eq!(tensor.buffer(), &expected, "{}", vector["id"]);
    }
}

#[test]
fn compressed_tensors_packs_rows() {
    let vector = &vectors("ct")[0];
    let biased = |one: &i64| (one + 8) as u8;
    let values: Vec<u8> = numbers(&vector["values"]).iter().map(biased).collect();
    let layout = parsed("NK<N = 1, K = 32>, u4, align(N = 4)");
    assert_eq!(moved(&values, &layout), words(&vector["int32_words"]));
}

/// The codes of a block of ggml as floats: `scale * (code - zero_point)`.
fn dequantized<E: tensor_layout::Number<Unit = u8>>(
    codes: &[u8],
    text: &str,
    scale: f32,
    zero_point: i32,
) -> Vec<f32> {
    let from = parsed(text);
    let to = Layout::builder("E", ElementType::F32).named_extents(&[('E', from.numel())]).unwrap();
    let conversion = Conversion::dequantize(scale, zero_point);
    let plan = ConversionPlan::<E, f32>::new(&from, &to, &conversion).unwrap();
    let mut floats = vec![0.0; from.numel()];
    plan.run(codes, &mut floats).unwrap();
    floats
}

#[test]
fn blocks_of_ggml_dequantize() {
    let vectors = vectors("ggml-Q4_0").into_iter().chain(vectors("ggml-TQ2_0"));
    let mut count = 0;
    for vector in vectors {
        let of = &vector["layout"];
        let (size, at) = (number(&of["bytes"]), number(&of["codes"]["at"]));
        let scale_at = number(&of["fields"][0][2]);
        let mut floats = Vec::new();
        for block in bytes(&vector["bytes"]).chunks(size) {
            let bits = u16::from_le_bytes([block[scale_at], block[scale_at + 1]]);
            // The sign of a scale is that of its codes.
            let scale = f16::from_bits(bits).to_f32();
            let own = match number(&of["codes"]["bits"]) {
                4 => {
                    dequantized::<u4>(&block[at..at + 16], "E16e2e/16<E = 32>, u4", scale.abs(), 8)
                }
                _ => dequantized::<u2>(&block[..64], "E32e4e/32<E = 256>, u2", scale.abs(), 1),
            };
            floats.extend(own.into_iter().map(|one| one * scale.signum()));
        }
        let expected = bytes(&vector["dequantised_f32_hex"]);
        let expected = expected.chunks(4).map(|word| f32::from_le_bytes(word.try_into().unwrap()));
        // Results that differ only in the sign of zero count as equal.
        assert!(floats.iter().copied().eq(expected), "{}", vector["id"]);
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn ggml_interleaves_rows_after_headers() {
    let vectors = vectors("ggml-repack");
    assert_eq!(vectors.len(), 2);
    for vector in &vectors {
        let source = bytes(&vector["source"]);
        let from = parsed("AK16k2k/16<A = 4, K = 64>, u4, strides = [72, 36, 2, 1], from 4 of 288");
        let to = match number(&vector["interleave"]) {
            4 => "K4k/4 A4k2k/16<A = 4, K = 64>, u4, strides = [144, 32, 8, 2, 1], from 16 of 288",
            _ => "K2k/8 A8k2k/16<A = 4, K = 64>, u4, strides = [144, 64, 16, 2, 1], from 16 of 288",
        };
        let mut own = vec![0x88; source.len()];
        Plan::new(&from, &parsed(to)).unwrap().run(&source, &mut own).unwrap();
        let expected = bytes(&vector["hex"]);
        for (block, (own, expected)) in own.chunks(72).zip(expected.chunks(72)).enumerate() {
            let codes: Vec<u8> = own[8..].iter().map(|code| code ^ 0x88).collect();
            assert_eq!(codes, expected[8..], "{}, block {block}", vector["id"]);
        }
    }
}

#[test]
fn kleidi_packs_columns() {
    let vectors = vectors("kai");
    assert_eq!(vectors.len(), 3);
    for vector in &vectors {
        let [n, k, nr, bl] = ["n", "k", "nr", "bl"].map(|name| number(&vector[name]));
        assert_eq!(n, nr, "one group, whose codes are all at its begin");
        let half = 16 / bl;
        let to = match half {
            1 => format!("NK{nr}n{bl}k2k/16<N = {n}, K = {k}>, u4"),
            _ => format!("NK{half}k/{bl} {nr}n{bl}k2k/16<N = {n}, K = {k}>, u4"),
        };
        let source = bytes(&vector["source"]);
        let from = parsed(&format!("NK<N = {n}, K = {k}>, u4"));
        let mut own = vec![0; source.len()];
        Plan::new(&from, &parsed(&to)).unwrap().run(&source, &mut own).unwrap();
        let bias = if number(&vector["zero_point"]) == 8 { 0x88 } else { 0 };
        own.iter_mut().for_each(|code| *code ^= bias);
        assert_eq!(own, bytes(&vector["hex"])[..own.len()], "{}", vector["id"]);
    }
}

/// The examples of `numpy.packbits` and of torchao's `pack_uint4`.
#[test]
fn first_elements_lie_in_the_highest_bits() {
    type Bits = layout!(ABK<A = 2, B = 2, K = 3>, u1, pad, high_first);
    let mut bits = Tensor::<Bits, _>::new([0u8; 4]).unwrap();
    for (i, row) in [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]].iter().enumerate() {
        for (k, &bit) in row.iter().enumerate() {
            bits.set([i / 2, i % 2, k], HighFirst(u1::new(bit).unwrap())).unwrap();
        }
    }
    assert_eq!(bits.buffer(), &[160, 64, 192, 32]);
    assert_eq!(bits.get([1, 0, 1]).map(|bit| bit.get()), Some(1));

    // torchao: `even << 4 | odd`.
    type Packed = layout!(HW<2, 6>, u4, high_first);
    type Onnx = layout!(HW<2, 6>, u4);
    #[derive(Relayout)]
    #[relayout(Packed => Onnx)]
    struct Reorder;
    let values: [u8; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    let packed: [u8; 6] = std::array::from_fn(|i| values[2 * i] << 4 | values[2 * i + 1]);
    let low: [u8; 6] = std::array::from_fn(|i| values[2 * i] | values[2 * i + 1] << 4);
    let mut moved = [0; 6];
    Reorder::run_arrays(&packed, &mut moved);
    assert_eq!(moved, low);
    const CONSTANT: [u8; 6] = Reorder::constant(&[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc]);
    assert_eq!(CONSTANT, low);
    let tensor = Tensor::<Packed, _>::new(packed).unwrap();
    assert_eq!(tensor.to_string(), "[[1, 2, 3, 4, 5, 6],\n [7, 8, 9, 10, 11, 12]]");
}

/// The bits of element `offset`, one by one.
fn bits_of(units: &[u8], offset: usize, bits: usize, high_first: bool) -> u8 {
    let bit = |i: usize| match high_first {
        // Within a byte elements go down, the bits of each up.
        true => 8 - bits - offset * bits % 8 + i,
        false => offset * bits % 8 + i,
    };
    (0..bits).map(|i| (units[offset * bits / 8] >> bit(i) & 1) << i).sum()
}

#[test]
fn elements_are_their_bits() {
    let units: Vec<u8> = (0..64u32).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    macro_rules! check {
        ($($element:ident $bits:literal)*) => {$(
            for offset in 0..units.len() * 8 / $bits {
                let expected = [false, true].map(|high| bits_of(&units, offset, $bits, high));
                assert_eq!($element::read(&units, offset).unwrap().to_bits(), expected[0]);
                let high = HighFirst::<$element>::read(&units, offset).unwrap();
                assert_eq!(high.to_bits(), expected[1]);
                // Writing the same leaves all as it is; writing others changes these bits alone.
                let mut own = units.clone();
                let other = HighFirst($element::from_bits(!high.to_bits()));
                HighFirst::<$element>::write(&mut own, offset, other).unwrap();
                assert_eq!(bits_of(&own, offset, $bits, true), !expected[1] & (0xff >> (8 - $bits)));
                HighFirst::<$element>::write(&mut own, offset, high).unwrap();
                assert_eq!(own, units);
            }
            assert_eq!($element::read(&units, units.len() * 8 / $bits), None);
        )*};
    }
    check! { u1 1 i2 2 u2 2 i4 4 u4 4 }
}

/// Rows begin at bytes, or several fill one; storage is whole bytes.
#[test]
fn rows_are_whole_bytes() {
    let layout = |text: &str| parsed(text);
    for (text, strides, units) in [
        ("HW<3, 5>, u2, pad", [8, 1], 6),
        ("HW<3, 8>, u1", [8, 1], 3),
        ("HW<4, 2>, u2", [2, 1], 2),
        ("HW<3, 2>, u2, pad", [2, 1], 2),
        ("HW<5, 4>, u1, pad", [4, 1], 3),
        ("HW<2, 9>, u1, high_first, pad", [16, 1], 4),
        ("HW<4, 1>, i2", [1, 1], 1),
    ] {
        let own = layout(text);
        assert_eq!((&own.strides().unwrap()[..], own.units()), (&strides[..], units), "{text}");
        assert_eq!(own.to_string(), text);
    }
    for (text, error) in [
        (
            "HW<3, 5>, u2",
            "rows of 5 elements along axis `W` end in the middle of a byte, since `u2` has 2 bits; make the rows a multiple of 4, or add the option `pad` to round them up to whole bytes",
        ),
        (
            "HW<3, 3>, u1",
            "rows of 3 elements along axis `W` end in the middle of a byte, since `u1` has 1 bit; make the rows a multiple of 8, or add the option `pad` to round them up to whole bytes",
        ),
        (
            "HW<3, 5>, i4, high_first",
            "rows of 5 elements along axis `W` end in the middle of a byte, since `i4, high_first` has 4 bits; make the rows even, or add the option `pad` to round them up to whole bytes",
        ),
        (
            "HW<3, 8>, f32, high_first",
            "option `high_first` orders the elements that share a byte, but `f32` takes 4 bytes; remove the option, or write an element type of less than a byte, such as `u4`",
        ),
        ("HW<3, 8>, u4, high_first, high_first", "option `high_first` is given twice; keep one"),
    ] {
        let found = text.parse::<Layout>().unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
}

/// Operations that move only whole bytes return an error.
#[test]
fn refusals() {
    let rows = parsed("HW<4, 16>, u2");
    let columns = parsed("WH<H = 4, W = 16>, u2");
    let plan = Plan::new(&columns, &parsed("HW<4, 16>, u2")).unwrap();
    let error = plan.run_in_place(&mut [0u8; 16]).unwrap_err().to_string();
    let expected = "elements of `u2` have 2 bits, but a relayout in place moves whole bytes; move the tensor to another buffer with `run` or `relayout`";
    assert_eq!(error, expected);
    let error = Plan::new(&rows, &parsed("HW<4, 16>, u4")).unwrap_err().to_string();
    assert!(error.starts_with("source holds `u2` but destination holds `u4`"), "{error}");
    assert!(Dynamic::<u2, 2>::new(parsed("HW<4, 16>, u2, high_first")).is_err());
    let signed =
        Tensor::with_layout(Dynamic::<i2, 2>::new(parsed("HW<1, 4>, i2")).unwrap(), [0xe4u8]);
    let signed = signed.unwrap();
    assert_eq!(signed.iter().map(|(_, one)| one.get()).collect::<Vec<_>>(), [0, 1, -2, -1]);
}
