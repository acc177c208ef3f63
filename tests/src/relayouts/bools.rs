//! Conversions from and to `bool`, against what NumPy's `astype` gives.

use tensor_layout::{
    Conversion, ConversionPlan, Dynamic, ElementType, Layout, Number, Tensor, UnitOf, bf16, f16,
    i4, layout, u4,
};

/// Casts numbers in planes to `bool` in blocks with padding, and back.
fn check<E: Number + PartialEq + std::fmt::Debug>(
    numbers: [E; 6],
    of: fn(bool) -> E,
    expected: [bool; 6],
) {
    type Flags = layout!(CW4c<C = 6, W = 1>, bool, pad);
    let layout = Layout::of("CW", &[6, 1], E::TYPE).unwrap();
    let mut tensor = Tensor::zeroed_in(Dynamic::<E, 2>::new(layout).unwrap()).unwrap();
    for (c, number) in numbers.into_iter().enumerate() {
        tensor.set([c, 0], number).unwrap();
    }
    let flags = tensor.convert_to::<Flags>(&Conversion::cast()).unwrap();
    let expected_bytes: Vec<u8> =
        expected.iter().map(|flag| u8::from(*flag)).chain([0, 0]).collect();
    assert_eq!(flags.buffer(), expected_bytes, "{:?}", E::TYPE);
    flags.convert_into(&mut tensor, &Conversion::cast()).unwrap();
    for (c, flag) in expected.into_iter().enumerate() {
        assert_eq!(tensor.get([c, 0]), Some(of(flag)), "{:?}", E::TYPE);
    }
}

macro_rules! of {
    ($type:ty) => {
        |flag| if flag { 1 as $type } else { 0 as $type }
    };
}

/// `numpy.array([0, 1, -1, 2, 0, 100]).astype(dtype).astype(bool)` and the like.
#[test]
fn every_number_but_0_is_true() {
    let integers = [false, true, true, true, false, true];
    check([0i8, 1, -1, 2, 0, 100], of!(i8), integers);
    check([0u8, 1, 255, 2, 0, 100], of!(u8), integers);
    check([0i16, 1, -1, 256, 0, 100], of!(i16), integers);
    check([0u16, 1, 256, 2, 0, 100], of!(u16), integers);
    check([0i32, 1, i32::MIN, 65536, 0, 100], of!(i32), integers);
    check([0u32, 1, u32::MAX, 65536, 0, 100], of!(u32), integers);
    check([0i64, 1, i64::MIN, 1 << 32, 0, 100], of!(i64), integers);
    check([0u64, 1, u64::MAX, 1 << 32, 0, 100], of!(u64), integers);
    let small = |value| i4::new(value).unwrap();
    let of_i4 = |flag| i4::new(i8::from(flag)).unwrap();
    check([0, 1, -8, 7, 0, 2].map(small), of_i4, integers);
    let small = |value| u4::new(value).unwrap();
    let of_u4 = |flag| u4::new(u8::from(flag)).unwrap();
    check([0, 1, 15, 8, 0, 2].map(small), of_u4, integers);
    let floats = [0.0, 0.25, f64::NAN, 5e-324, -0.0, f64::NEG_INFINITY];
    check(floats, of!(f64), integers);
    check([0.0, 0.25, f32::NAN, 1e-45, -0.0, f32::NEG_INFINITY], of!(f32), integers);
    let halves = [0.0, 0.25, f32::NAN, 6e-8, -0.0, f32::NEG_INFINITY];
    check(halves.map(f16::from_f32), |flag| f16::from_f32(of!(f32)(flag)), integers);
    check(halves.map(bf16::from_f32), |flag| bf16::from_f32(of!(f32)(flag)), integers);
    check(integers, |flag| flag, integers);
}

/// Bytes from elsewhere need not be 0 or 1, in vectors and after them.
#[test]
fn every_byte_but_0_is_true() {
    type Flags = layout!(A<A = 300>, bool);
    type Floats = layout!(A<A = 300>, f32);
    let bytes: [UnitOf<Flags>; 300] = std::array::from_fn(|i| (i % 256) as u8);
    let flags = Tensor::<Flags, _>::from(bytes);
    let floats = flags.convert_to::<Floats>(&Conversion::cast()).unwrap();
    for (i, float) in floats.buffer().iter().enumerate() {
        assert_eq!(*float, if i % 256 == 0 { 0.0 } else { 1.0 }, "{i}");
    }
    let plan =
        ConversionPlan::<bool, bool>::new(&Flags::LAYOUT, &Flags::LAYOUT, &Conversion::cast());
    let mut same = [9; 300];
    plan.unwrap().run(&bytes, &mut same).unwrap();
    assert!(same.iter().zip(bytes).all(|(same, byte)| *same == u8::from(byte != 0)));
    let normalized = flags.convert_to::<Floats>(&Conversion::normalize(0.5, 2.0)).unwrap();
    assert_eq!(normalized.buffer()[..3], [-1.0, 1.0, 1.0]);
}

#[test]
fn a_bool_is_only_cast() {
    use ElementType::{Bool, F32, I8};
    let refused =
        |conversion: Conversion<'_>, from, to| conversion.check_elements(from, to).is_err();
    assert!(refused(Conversion::quantize(1.0, 0), F32, Bool));
    assert!(refused(Conversion::quantize(1.0, 0), Bool, I8));
    assert!(refused(Conversion::dequantize(1.0, 0), Bool, F32));
    assert!(refused(Conversion::normalize(0.0, 1.0), F32, Bool));
    assert!(!refused(Conversion::normalize(0.0, 1.0), Bool, F32));
}
