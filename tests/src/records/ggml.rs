//! Blocks beside ggml's C code: `ggml_values.json`, which `tests/conformance/ggml_values.py` makes, has hashes of what it
//! computes from the numbers of a generator, which this file has too.

use serde_json::{Map, Value};
use tensor_layout::Layout;
use tensor_layout::records::{Record, ValuePlan};

const BLOCKS: usize = 1024;

/// Xorshift of 64 bits: its highest 32.
fn generator(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u32
    }
}

/// Random bytes. In a scale, the highest bits of an exponent are 0, so that values are finite.
fn random_blocks(name: &str, size: usize) -> Vec<u8> {
    let mut next = generator(60 + size as u64);
    let mut blocks: Vec<u8> = (0..size * BLOCKS).map(|_| next() as u8).collect();
    let places: &[usize] = match name {
        "MXFP4" => &[0],
        "NVFP4" => &[0, 1, 2, 3],
        "Q4_1" | "Q5_1" | "Q4_K" | "Q5_K" => &[1, 3],
        "Q2_K" => &[81, 83],
        "Q3_K" => &[109],
        "Q6_K" => &[209],
        "TQ2_0" => &[65],
        _ => &[1],
    };
    for block in blocks.chunks_mut(size) {
        for &place in places {
            block[place] &= if name == "NVFP4" { 0x3f } else { 0xbf };
        }
    }
    blocks
}

fn random_numbers(count: usize) -> Vec<f32> {
    let mut next = generator(7);
    let one = |i: usize, next: u32| {
        let (block, word) = (i / 32, (next & 0xffff) as f32);
        let whole = match () {
            () if block % 31 == 5 || i / 256 % 16 == 3 => 0.0,
            () if block % 29 == 7 => 77.0,
            () if block % 11 == 1 => word,
            () => word - 32768.0,
        };
        whole * 2f32.powi((block % 13 % if i < count / 2 { 13 } else { 3 }) as i32 - 20)
    };
    (0..count).map(|i| one(i, next())).collect()
}

/// FNV-1a of words, in 64 bits.
fn hashed(words: impl Iterator<Item = u32>) -> String {
    let hash = words.fold(0xcbf2_9ce4_8422_2325u64, |own, word| {
        (own ^ u64::from(word)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The values of blocks. Of the two zeros there is one.
fn values(record: &Record, plain: &Layout, blocks: &[u8]) -> String {
    let plan = ValuePlan::new(record, plain, None).unwrap();
    let mut values = vec![0u8; plain.bytes()];
    plan.run(&[blocks], &mut [&mut values]).unwrap();
    let values = values.chunks(4).map(|own| f32::from_ne_bytes(own.try_into().unwrap()));
    hashed(values.map(|value| (value + 0.0).to_bits()))
}

fn table() -> Map<String, Value> {
    serde_json::from_str(include_str!("ggml_values.json")).unwrap()
}

#[test]
fn values_and_blocks_are_those_of_ggml() {
    let numbers = random_numbers(32 * BLOCKS);
    let source: Vec<u8> = numbers.iter().flat_map(|own| own.to_ne_bytes()).collect();
    let (mut types, mut quantized) = (0, 0);
    for (name, entry) in table().iter().filter(|(name, _)| *name != "_about") {
        let parsed =
            |columns: usize| Record::parse(&format!("MK<1, {columns}>, ggml::{name}")).ok();
        let elements = [32, 64, 256].into_iter().find(|own| parsed(*own).is_some()).unwrap();
        let one = |columns: usize| parsed(columns).unwrap();
        let record = one(elements * BLOCKS);
        let plain = Layout::parse(&format!("MK<1, {}>, f32", elements * BLOCKS)).unwrap();
        if let Some(expected) = entry.get("values") {
            let blocks = random_blocks(name, record.bytes(0) / BLOCKS);
            assert_eq!(values(&record, &plain, &blocks), *expected, "{name}");
            types += 1;
        }
        let Some(expected) = entry.get("blocks") else { continue };
        let record = one(numbers.len());
        let plain = Layout::parse(&format!("MK<1, {}>, f32", numbers.len())).unwrap();
        let mut own = vec![0xa5; record.bytes(0)];
        let plan = ValuePlan::new(&plain, &record, None).unwrap();
        plan.run(&[&source], &mut [&mut own]).unwrap();
        let own = match &name[..] {
            // The codes of zeros are those of the block before there, or of a search: values are compared.
            "IQ4_NL" | "Q3_K" => values(&record, &plain, &own),
            _ => hashed(own.iter().map(|byte| u32::from(*byte))),
        };
        assert_eq!(own, *expected, "{name}");
        quantized += 1;
    }
    assert_eq!((types, quantized), (15, 14));
}
