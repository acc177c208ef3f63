//! Groups that share scales and minima, and blocks of several axes, against the places of bits.

use tensor_layout::records::{Record, ValuePlan};
use test_support::Random;

use super::values::{layout, native, run};

/// The numbers of a field of `f32` or of bytes at each coordinate of two axes, by the places of its bits.
fn numbers_at(record: &Record, name: &str, bytes: &[u8]) -> Vec<f32> {
    let field = record.field(name).unwrap();
    let (rows, columns) = (record.extents()[0], record.extents()[1]);
    let number = |i: usize| {
        let at = record.bit_offset(name, &[i / columns, i % columns]).unwrap() as usize / 8;
        match field.bits() {
            32 => f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()),
            16 => f32::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())),
            _ => f32::from(bytes[at]),
        }
    };
    (0..rows * columns).map(number).collect()
}

/// Scales and minima are shared by groups of any extents, of which none need divide the other.
#[test]
fn groups_and_blocks_are_any() {
    for case in 0..60 {
        let mut random = Random::new(0x6d1c, case);
        // The coordinates that share an element: along one axis perhaps each has its own.
        let mut digits = |least, most| {
            let mut shares = [random.between(least, most), random.between(1, most)];
            random.shuffle(&mut shares);
            let mut own = [("M", shares[0]), ("K", shares[1])].map(|(axis, share)| match share {
                1 => axis.into(),
                share => format!("{axis}/{share}"),
            });
            random.shuffle(&mut own);
            own.join(" ")
        };
        let (scales, minima, codes) = (digits(2, 6), digits(2, 6), digits(1, 1));
        let blocks = ["", "2m 2k", "2k 2m", "4m 4k", "3k 2m", "2m 6k"][case as usize % 6];
        let (rows, columns) = (4 * random.between(1, 3), 12 * random.between(1, 3));
        let of = |fields: &str, rule: &str| {
            let text =
                format!("<M = {rows}, K = {columns}>, {{ q: {codes} {blocks} {fields} }} = {rule}");
            Record::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let shared = format!("u8; d: {scales} f32; m: {minima} f32");
        let plain = layout(&format!("MK<{rows}, {columns}>, f32"));
        let float = |i: usize| (((i * 7 + 3) % 31) as f32 - 11.0).to_le_bytes();
        let floats = |bytes: usize, from: usize| (0..bytes / 4).flat_map(move |i| float(i + from));
        for (record, is_written) in
            [(of(&shared, "d * q + m"), false), (of("u16", "q"), false), (of("f32", "q"), true)]
        {
            let own: Vec<Vec<u8>> = (0..record.buffers())
                .map(|i| match i == 0 && !is_written {
                    true => (0..record.bytes(0)).map(|i| (i * 37 % 251) as u8).collect(),
                    false => floats(record.bytes(i), i).collect(),
                })
                .collect();
            let q = numbers_at(&record, "q", &own[0]);
            let expected: Vec<f32> = if let [_, d, m] = &own[..] {
                let (d, m) = (numbers_at(&record, "d", d), numbers_at(&record, "m", m));
                (0..q.len()).map(|i| d[i] * q[i] + m[i]).collect()
            } else {
                q
            };
            let mut values = vec![0; plain.bytes()];
            let plan = ValuePlan::new(&record, &plain, None).unwrap();
            plan.run(&own, &mut [&mut values]).unwrap();
            assert_eq!(values, native(&expected), "{record}");
            if is_written {
                let plan = ValuePlan::new(&plain, &record, None).unwrap();
                assert_eq!(run(&plan, &values, record.bytes(0)), own[0], "{record}");
            }
        }
    }
}
