//! Small values beside layouts, against what they are by hand or by counting.

use tensor_layout::{ElementType, Layout, Swizzle};

fn layout(text: &str) -> Layout {
    Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn lists_of_axes_compare_as_slices() {
    let strides = layout("NC<2, 3>, u8").strides().expect("strides");
    assert!(strides == [3, 1] && [3, 1] == strides && strides != [3, 2] && [3, 2] != strides);
    let (same, other): (&[isize], &[isize]) = (&[3, 1], &[3]);
    assert!(*same == strides && *other != strides);
    assert_eq!(strides.into_iter().copied().collect::<Vec<isize>>(), [3, 1]);
}

#[test]
fn units_of_padding_hold_fills() {
    for (text, unit) in [
        ("NC2c<1, 3>, i4, pad = 3", 0x33),
        ("NC2c<1, 3>, u4, pad = 9", 0x99),
        ("NC2c<1, 3>, i4, pad = -1", 0xff),
        ("NC2c<1, 3>, u8, pad = 3", 3),
        ("NC2c<1, 3>, i8, pad = -2", 0xfe),
        ("NC2c<1, 3>, u16, pad = 770", 770),
        ("NC2c<1, 4>, u8", 0),
    ] {
        assert_eq!(layout(text).unit_of_fill(), unit, "{text}");
    }
}

/// Triton's swizzles as XOR of rows and groups.
#[test]
fn phases_are_swizzles() {
    for (vec, per_phase, max_phase, row) in
        [(8, 1, 8, 64), (4, 2, 4, 32), (1, 4, 2, 16), (2, 1, 1, 8)]
    {
        let swizzle = Swizzle::phases(vec, per_phase, max_phase, row).expect("powers of two");
        for (i, j) in (0..32).flat_map(|i| (0..row).map(move |j| (i, j))) {
            let group = j / vec ^ i / per_phase % max_phase;
            assert_eq!(swizzle.apply(i * row + j), i * row + group * vec + j % vec);
        }
        for wrong in [
            (vec + 2, 1, 8, 64),
            (8, 3, 8, 64),
            (8, 1, 6, 64),
            (8, 1, 8, 60),
            (8, 1, 16, 64),
            (0, 1, 1, 1),
        ] {
            let (vec, per_phase, max_phase, row) = wrong;
            let powers = [vec, per_phase, max_phase, row].iter().all(|one| one.is_power_of_two());
            let fits = vec * max_phase <= row;
            let found = Swizzle::phases(vec, per_phase, max_phase, row);
            assert_eq!(found.is_some(), powers && fits, "{wrong:?}");
        }
    }
    let named = layout("MK<16, 64>, f16, swizzle(vec = 8, per_phase = 1, max_phase = 8)");
    assert_eq!(named.swizzle(), Some(Swizzle::new(3, 3, 3)));
}

/// A swizzle of bytes does to addresses what that of elements does to offsets.
#[test]
fn swizzles_of_bytes_and_elements_are_one() {
    for element in [ElementType::U8, ElementType::F16, ElementType::F32, ElementType::F64] {
        let bytes = element.bits() / 8;
        for swizzle in [
            Swizzle::B32,
            Swizzle::B64,
            Swizzle::B128,
            Swizzle::B128_ATOM_32,
            Swizzle::new(2, 4, -3),
        ] {
            let elements = swizzle.of_elements(element).expect("whole elements");
            assert_eq!(elements.of_bytes(element), Some(swizzle));
            for offset in 0..swizzle.period() / bytes {
                assert_eq!(elements.apply(offset) * bytes, swizzle.apply(offset * bytes));
            }
        }
    }
    assert!(Swizzle::new(1, 0, 1).of_elements(ElementType::F16).is_err());
    assert!(Swizzle::new(1, 1, 1).of_elements(ElementType::F16).is_ok());
    assert_eq!(Swizzle::new(1, 0, 1).of_bytes(ElementType::I4), None);
    assert!(Swizzle::checked_new(3, 0, 2).is_err() && Swizzle::checked_new(3, 0, -3).is_ok());
    assert!(Swizzle::checked_new(10, 43, 10).is_ok() || usize::BITS < 64);
    assert!(Swizzle::checked_new(10, 44, 10).is_err());
}

/// The nearest of all numbers of a type, of two the one whose last bit is 0.
#[test]
fn floats_are_rounded_to_the_nearest() {
    let largest = [
        (ElementType::F16, 65504.0, 0x7bff),
        (ElementType::BF16, f64::from(f32::from_bits(0x7f7f << 16)), 0x7f7f),
    ];
    for (element, number, bits) in largest {
        assert_eq!(element.bits_of_float(number), Some(bits));
        assert_eq!(element.bits_of_float(-number), Some(bits | 0x8000));
        assert_eq!(element.bits_of_float(number * 1.01), None);
        assert_eq!(element.bits_of_float(f64::NAN), None);
    }
    for (number, bits) in
        [(1.0, 0x3c00), (2049.0, 0x6800), (2051.0, 0x6802), (2049.000001, 0x6801), (0.1, 0x2e66)]
    {
        assert_eq!(ElementType::F16.bits_of_float(number), Some(bits), "{number}");
    }
    for (number, bits) in
        [(1.0, 0x3f80), (257.0, 0x4380), (259.0, 0x4382), (257.000001, 0x4381), (0.1, 0x3dcd)]
    {
        assert_eq!(ElementType::BF16.bits_of_float(number), Some(bits), "{number}");
    }
    assert_eq!(ElementType::F32.bits_of_float(0.1), Some(0x3dcc_cccd));
    assert_eq!(ElementType::F64.bits_of_float(0.1), Some(0.1f64.to_bits()));
    assert_eq!(ElementType::F8E4M3.bits_of_float(0.0), Some(0));
    assert_eq!(ElementType::F8E5M2.bits_of_float(0.0), Some(0));
    assert_eq!(ElementType::F8E4M3.bits_of_float(1.0), None);
    assert_eq!(ElementType::I8.bits_of_float(0.0), None);
}

/// The first notation of a layout, not just any that is read as it.
#[test]
fn layouts_print_as_they_are_written() {
    for text in [
        "NCHW<1, 6, 2, 2>, f16, lanes(C, 4, start = 1)",
        "NCHW<1, 6, 2, 2>, f16, lanes(C, 4)",
        "NCHW4c<1, 6, 2, 2>, f16, pad = 1",
        "NCHW<1, 6, 2, 2>, f16, align(H = 64)",
        "NC<2, 3>, u8, strides = [8, 2]",
        "MK<128, 64>, f16, swizzle(3, 3, 3)",
    ] {
        assert_eq!(layout(text).to_string(), text);
    }
}
