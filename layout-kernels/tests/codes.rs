//! Codes in bytes and the values that follow from them, beside loops over their bits.

use layout_kernels::{
    CodeBlocks, CodeNumbers, CodePart, CodeRun, CodeStep, Isa, Work, extremes, truncated,
    work_on_best,
};

const TABLE: [f32; 16] =
    [4.0, 2.5, 1.0, -0.5, -2.0, -3.5, -5.0, -6.5, -8.0, 9.5, 11.0, 12.5, 14.0, 15.5, 17.0, 18.5];

/// Each code by itself, bit by bit.
fn value(codes: &CodeBlocks<'_>, byte: u8, shift: u32, [scale, zero, low]: [f32; 3]) -> f32 {
    let mut code = 0;
    for bit in 0..codes.bits {
        let is_last = bit + 1 == codes.bits;
        let is_sign = is_last && matches!(codes.numbers, CodeNumbers::Integers(true, _));
        let weight = if is_sign { -(1 << bit) } else { 1 << bit };
        code += i32::from(byte >> (shift + bit) & 1) * weight;
    }
    let number = match codes.numbers {
        CodeNumbers::Integers(_, less) => (code - less) as f32,
        CodeNumbers::Table(table) => table[code as usize],
    };
    (number - zero) * scale + low
}

#[test]
fn values_are_those_of_each_code() {
    let bytes: Vec<u8> = (0..900u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
    let list = |by: f32| -> Vec<f32> { (0..99).map(|i| (i - 40) as f32 * by).collect() };
    let lists = [list(0.1), list(3.0), list(0.7)];
    let shapes = [(32, 32, 64), (16, 32, 64), (16, 16, 32), (19, 95, 38), (3, 3, 6), (16, 96, 64)];
    let kinds = (1..=8).flat_map(|bits| (0..=8 - bits).map(move |shift| (shift, bits)));
    let integers = [false, true]
        .into_iter()
        .flat_map(|is_signed| [0, 8, 128, -300].map(|less| CodeNumbers::Integers(is_signed, less)));
    let all: Vec<_> = integers.chain([CodeNumbers::Table(&TABLE)]).collect();
    for ((count, group, period), (shift, bits)) in
        shapes.into_iter().flat_map(|own| kinds.clone().map(move |bits| (own, bits)))
    {
        for (numbers, lines) in all.iter().flat_map(|own| (0..4).map(move |i| (*own, i))) {
            match numbers {
                CodeNumbers::Table(_) if bits > 4 => continue,
                CodeNumbers::Integers(_, -300) if lines & 1 == 1 => continue,
                _ => {}
            }
            let run =
                |byte, value, shift| CodeRun { places: (byte, value), shift, group: value / group };
            let runs = [run(3, 0, shift), run(5 + count, count, 8 - bits - shift)];
            let strides = (2 * count + 7, period);
            let codes = CodeBlocks { runs: &runs, count, blocks: 7, strides, bits, group, numbers };
            let has = |i: usize| lines >> (i - 1) & 1 == 1;
            let own = [0, 1, 2].map(|i| if i == 0 || has(i) { &lists[i][..] } else { &[] });
            let mut values = vec![0.5; 6 * period + 2 * count];
            let (mut portable, mut expected) = (values.clone(), values.clone());
            work_on_best(codes.work(&bytes, own, &mut values));
            codes.work(&bytes, own, &mut portable).run();
            for (block, run) in (0..7).flat_map(|block| runs.map(|run| (block, run))) {
                for i in 0..count {
                    let at = block * period + run.places.1 + i;
                    let own = [0, 1, 2].map(|list| own[list].get(at / group).copied());
                    let own = [own[0].unwrap(), own[1].unwrap_or(0.0), own[2].unwrap_or(-0.0)];
                    let byte = bytes[block * strides.0 + run.places.0 + i];
                    expected[at] = value(&codes, byte, run.shift, own);
                }
            }
            let bits = |all: &[f32]| all.iter().map(|own| own.to_bits()).collect::<Vec<_>>();
            assert!(bits(&values) == bits(&expected), "{codes:?}");
            assert!(bits(&portable) == bits(&expected), "{codes:?}, portable");
        }
    }
}

/// The bits from one on, one by one.
fn code(bytes: &[u8], first: usize, bits: usize, is_high_first: bool) -> u8 {
    (0..bits).fold(0, |own, bit| {
        let at = first + bit;
        let (at, weight) = if is_high_first { (at ^ 7, bits - 1 - bit) } else { (at, bit) };
        own | (bytes[at / 8] >> (at % 8) & 1) << weight
    })
}

#[test]
fn codes_are_their_bits() {
    let bytes: Vec<u8> = (0..300u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
    let orders: [fn(usize, usize) -> usize; 3] = [
        |i, bits| i * bits,
        |i, bits| 40 + 8 * (i % 16) + (i / 16).min(8 - bits),
        |i, bits| (31 - i) * bits + if bits < 8 { 3 } else { 0 },
    ];
    for (bits, is_high_first, order) in (1..=8usize)
        .flat_map(|bits| [(bits, false), (bits, true)])
        .flat_map(|(bits, high)| orders.map(|order| (bits, high, order)))
    {
        for (count, joins) in [32, 21, 16, 11, 8, 5].map(|own| [(own, false), (own, true)]).concat()
        {
            // Those above, if there are, lie in the other order.
            let above = if joins { 8 - bits } else { 0 };
            let places = |bits| (0..count).map(|i| order(i, bits)).collect::<Vec<_>>();
            let step = |bits: usize, is_high_first| {
                let step = CodeStep::new(bits as u32, is_high_first, &places(bits));
                (bits > 0).then(|| step.expect("windows"))
            };
            let (own, other) = (step(bits, is_high_first).unwrap(), step(above, !is_high_first));
            let up = if joins { 0 } else { (8 - bits).min(3) };
            let part = CodePart { step: &own, bytes: (&bytes, 33), up: up as u32 };
            let other = other.as_ref().map(|step| CodePart {
                step,
                bytes: (&bytes[1..], 35),
                up: bits as u32,
            });
            let mut codes: Vec<u8> = (0..192).collect();
            for runs in [4, 5] {
                let done = CodeStep::read(part, other, (runs, count), &mut codes);
                for (i, own) in codes.iter().enumerate().take(done * count) {
                    let of = |stride: usize, bits, high| {
                        let first = 8 * stride * (i / count) + order(i % count, bits);
                        code(&bytes[stride / 34..], first, bits, high)
                    };
                    let high = if above > 0 { of(35, above, !is_high_first) } else { 0 };
                    let expected = of(33, bits, is_high_first) << up | high << (bits % 8);
                    assert_eq!(*own, expected, "{own:?} {other:?} {i}");
                }
                let after = count * (done.max(1) - 1) + 32;
                assert!((after..192).all(|i| usize::from(codes[i]) == i));
                let all = cfg!(target_arch = "x86_64") && Isa::best() >= Isa::Avx2;
                assert_eq!(done, if all { runs } else { 0 });
            }
            let short = CodePart { bytes: (&bytes[..100], 33), ..part };
            assert!(CodeStep::read(short, other, (4, count), &mut codes) < 4);
            assert_eq!(CodeStep::read(part, other, (4, count), &mut codes[..count - 1]), 0);
        }
    }
    assert!(CodeStep::new(4, false, &[0, 128]).is_none());
    assert!(CodeStep::new(4, false, &[0, 125]).is_none());
    assert!(CodeStep::new(4, false, &[0; 33]).is_none());
    let [few, many] = [8, 32].map(|count| CodeStep::new(1, false, &vec![0; count]).unwrap());
    let [few, many] = [&few, &many].map(|step| CodePart { step, bytes: (&bytes, 33), up: 0 });
    assert_eq!(CodeStep::read(few, Some(many), (1, 8), &mut [0; 64]), 0);
}

#[test]
fn ends_are_those_of_each_group() {
    let values: Vec<f32> = (0..480u32)
        .map(|i| match i % 31 {
            7 => f32::NAN,
            _ => (i.wrapping_mul(0x9e37_79b9) >> 20) as f32 - 2000.0,
        })
        .collect();
    for (run, none) in [(32, (0.0, 0.0)), (8, (1e9, -1e9)), (40, (5.0, 5.0)), (7, (0.0, 9.0))] {
        let groups = values.len() / run;
        let (mut least, mut most) = (vec![0.5; groups], vec![0.5; groups]);
        extremes(&values, run, none, (&mut least, &mut most));
        for (i, group) in values.chunks_exact(run).enumerate() {
            let own = group.iter().copied();
            assert_eq!(least[i], own.clone().fold(none.0, f32::min), "{run}: {i}");
            assert_eq!(most[i], own.fold(none.1, f32::max), "{run}: {i}");
        }
    }
}

#[test]
fn numbers_beyond_the_range_are_its_ends() {
    let all = [f32::NAN, f32::NEG_INFINITY, -9e9, -3.9, -0.9, 0.9, 3.9, 200.0, f32::INFINITY];
    let own = all.map(|value| truncated(value, -3, 127));
    assert_eq!(own, [-3, -3, -3, -3, 0, 0, 3, 127, 127]);
}
