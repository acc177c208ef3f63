//! Every element type as a Rust type: in `layout!`, in files, in the names of other systems, and moved.

use serde_json::Value;
use tensor_layout::adapters::{dlpack, npy, safetensors};
use tensor_layout::names::{mlir, xla};
use tensor_layout::plain::{as_bytes, as_bytes_mut, cast, cast_mut};
use tensor_layout::{
    Conversion, ConversionPlan, Element, ElementType, HighFirst, Int, Layout, StaticLayout, Tensor,
    UnitOf, bf16, f4e2m1, f6e2m3, f6e3m2, f8e3m4, f8e4m3, f8e4m3b11fnuz, f8e4m3fnuz, f8e4m3ieee,
    f8e5m2, f8e5m2fnuz, f8e8m0, f16, i1, i2, i4, layout, u1, u2, u4,
};
use test_support::elements::{self, elements};

/// A tensor moves to another order and back, byte for byte, and says in files what it holds.
fn moves_and_is_written<F, T>(own: &elements::Element)
where
    F: StaticLayout<Coordinate = [usize; 2]> + Send + 'static,
    UnitOf<F>: Send,
    T: StaticLayout<Element = F::Element, Coordinate = [usize; 2]>,
{
    let name = own.name;
    let element = ElementType::from_name(name).expect(name);
    assert_eq!((F::Element::TYPE, F::LAYOUT.element()), (element, element), "{name}");
    let mut tensor =
        Tensor::<F, _>::new(vec![tensor_layout::plain::zero::<UnitOf<F>>(); F::LAYOUT.units()])
            .unwrap();
    let bytes = as_bytes_mut(tensor.buffer_mut());
    bytes.iter_mut().zip(0u8..).for_each(|(byte, i)| *byte = i.wrapping_mul(37));
    let turned = tensor.to_layout::<T>().expect(name);
    let size = own.bits.1;
    let bits = |bytes: &[u8], offset: usize| -> Vec<bool> {
        let all = offset * size..(offset + 1) * size;
        all.map(|bit| bytes[bit / 8] >> (bit % 8) & 1 == 1).collect()
    };
    for (m, k) in (0..2).flat_map(|m| (0..8).map(move |k| (m, k))) {
        let from = bits(as_bytes(tensor.buffer()), m * 8 + k);
        assert_eq!(bits(as_bytes(turned.buffer()), k * 2 + m), from, "{name} at {m}, {k}");
    }
    let back = turned.to_layout::<F>().expect(name);
    assert_eq!(as_bytes(back.buffer()), as_bytes(tensor.buffer()), "{name}");

    let mut file = Vec::new();
    match safetensors::Entry::new(&tensor) {
        Ok(entry) => {
            safetensors::write([("a", entry)], &mut file).expect(name);
            let header = String::from_utf8_lossy(&file);
            assert!(header.contains(&format!("\"dtype\":\"{}\"", own.safetensors)), "{header}");
            let file = safetensors::File::new(&file).expect(name);
            assert_eq!(file.array("a").expect(name).element(), element);
        }
        Err(_) => assert_eq!(own.safetensors, "", "{name}"),
    }
    let mut file = Vec::new();
    match npy::write(&tensor, &mut file) {
        Ok(()) => {
            let header = String::from_utf8_lossy(&file);
            assert!(own.numpy.len() == 2 && header.contains(&format!("{}'", own.numpy)), "{name}");
        }
        Err(_) => assert_eq!(own.numpy, "", "{name}"),
    }
    match dlpack::export(tensor) {
        Ok(exported) => {
            let found = exported.validate().expect(name).dtype();
            assert_eq!((Some(found.code.0), usize::from(found.bits)), (own.dlpack, size), "{name}");
            assert_eq!(found.lanes, 1);
        }
        Err(_) => assert_eq!(own.dlpack, None, "{name}"),
    }
}

#[test]
fn every_named_type_moves_and_is_written() {
    let mut rest: Vec<_> = elements().collect();
    macro_rules! moved {
        ($($element:ident)*) => {$(
            let at = rest.iter().position(|own| own.name == stringify!($element));
            let own = rest.remove(at.expect(stringify!($element)));
            moves_and_is_written::<layout!(MK<2, 8>, $element), layout!(KM<M = 2, K = 8>, $element)>(&own);
            assert_eq!(<$element as Element>::TYPE.name().as_str(), own.name);
        )*};
    }
    moved! {
        u1 i1 i2 u2 i4 u4 bool i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 f8e4m3 f8e5m2 f8e4m3fnuz
        f8e5m2fnuz f8e4m3b11fnuz f8e3m4 f8e4m3ieee f8e8m0 f4e2m1 f6e2m3 f6e3m2
    }
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn systems_name_the_types_as_their_specifications_do() {
    for own in elements() {
        let element = ElementType::from_name(own.name).unwrap();
        let layout = Layout::of("AB", &[20, 320], element).unwrap();
        match xla::print_shape(&layout) {
            Ok(text) => {
                assert!(text.as_str().starts_with(&format!("{}[20,320]", own.xla)), "{text}");
                assert_eq!(xla::parse_shape(text.as_str()), Ok(layout), "{text}");
            }
            Err(error) => assert_eq!(own.xla, "", "{error}"),
        }
        let pack = |name: &str| {
            let text = format!(
                "linalg.pack %0 inner_dims_pos = [1] inner_tiles = [4] into %dest : \
                 tensor<8x16x{name}> -> tensor<8x4x4x{name}>"
            );
            mlir::parse(&text, &[8, 16], element)
        };
        assert_eq!(pack(own.mlir), Layout::of("AB4b", &[8, 16], element).map_err(Into::into));
        assert!(pack("tf32").is_err());
    }
}

/// The inputs of tests/files/small_floats.py, which `f32` holds exactly.
fn sources() -> [(&'static str, Vec<f32>); 3] {
    let near =
        |half: u32| [-1, 0, 1].map(|by| f32::from_bits((half << 15).wrapping_add_signed(by)));
    [
        ("f16", (0..=u16::MAX).map(|bits| f16::from_bits(bits).to_f32()).collect()),
        ("bf16", (0..=u16::MAX).map(|bits| bf16::from_bits(bits).to_f32()).collect()),
        ("f32", (0..1 << 17).flat_map(near).collect()),
    ]
}

/// `2*7f 1*0` as 7f, 7f and 0.
fn runs(text: &str) -> Vec<u8> {
    let run = |run: &str| {
        let (count, code) = run.split_once('*').unwrap();
        vec![u8::from_str_radix(code, 16).unwrap(); count.parse().unwrap()]
    };
    text.split(' ').flat_map(run).collect()
}

/// The values of all codes are those that ml_dtypes has, and it makes the same codes of all 16-bit floats.
#[test]
fn small_floats_are_those_of_ml_dtypes() {
    let all: Value = serde_json::from_str(include_str!("../../files/small_floats.json")).unwrap();
    let mut found = 0;
    macro_rules! values {
        ($($element:ident)*) => {$(
            let facts = &all[stringify!($element)];
            let element = <$element as Element>::TYPE;
            assert_eq!(facts["bits"].as_u64(), Some(element.value_bits() as u64));
            let values = facts["values"].as_str().unwrap().split(' ');
            for (code, value) in values.enumerate() {
                let value: f64 = value.parse().unwrap();
                let own = f64::from($element::from_bits(code as u8).to_f32());
                let same = own.to_bits() == value.to_bits() || own.is_nan() && value.is_nan();
                assert!(same, "{} of {code:#x}: {own}, not {value}", stringify!($element));
                found += 1;
            }
            for (of, sources) in sources() {
                let codes = runs(facts["nearest"][of].as_str().unwrap());
                assert_eq!(codes.len(), sources.len());
                for (value, code) in sources.into_iter().zip(codes) {
                    let own = $element::from_f32(value).to_bits();
                    assert_eq!(own, code, "{} of {value:e} ({:#x})", stringify!($element), value.to_bits());
                }
            }
        )*};
    }
    values! {
        f8e4m3 f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz f8e3m4 f8e4m3ieee f8e8m0 f6e2m3 f6e3m2 f4e2m1
    }
    assert_eq!(found, 8 * 256 + 2 * 64 + 16);
    for name in ["i1", "i2", "i4", "u1", "u2", "u4"] {
        let range = ElementType::from_name(name).unwrap().integer_range().unwrap();
        let expected = [0, 1].map(|i| all[name]["range"][i].as_i64().map(i128::from));
        assert_eq!([Some(range.0), Some(range.1)], expected, "{name}");
    }
}

/// Saturating casts differ from others only where the result is too large: there it is the largest finite number.
#[test]
fn floats_saturate_at_the_largest_number() {
    let values: Vec<f32> =
        sources().into_iter().flat_map(|(_, values)| values).step_by(7).collect();
    let own = Layout::of("A", &[values.len()], ElementType::F32).unwrap();
    macro_rules! saturate {
        ($($element:ident $largest:literal)*) => {$(
            let to = own.with_element($element::TYPE).unwrap();
            let cast = |conversion: &Conversion| {
                let mut cast = vec![$element::from_bits(0); values.len()];
                let plan = ConversionPlan::<f32, $element>::new(&own, &to, conversion).unwrap();
                plan.run(&values, &mut cast).unwrap();
                cast
            };
            let saturated = cast(&Conversion::cast().saturating());
            let (plain, mut large) = (cast(&Conversion::cast()), 0);
            for (i, value) in values.iter().enumerate() {
                let own = [&saturated, &plain].map(|of| f64::from(of[i].to_f32()));
                if own[1].is_finite() || value.is_nan() {
                    assert_eq!(saturated[i].to_bits(), plain[i].to_bits(), "{value:e}");
                } else {
                    assert_eq!(own[0], f64::copysign($largest, (*value).into()), "{value:e}");
                    large += 1;
                }
            }
            assert!(large > 100, "{large} of {}", $element::TYPE);
        )*};
    }
    saturate! {
        f16 65504.0 f8e4m3 448.0 f8e5m2 57344.0 f8e4m3fnuz 240.0 f8e5m2fnuz 57344.0 f8e4m3b11fnuz 30.0 f8e3m4 15.5
        f8e4m3ieee 240.0
    }
}

/// What a saturating cast does not change, it does not touch: integers too are rounded as often as in any cast. So it
/// is element by element, between swizzled layouts.
#[test]
fn saturating_casts_round_as_all_others() {
    let large = [(1i64 << 60) + (1 << 36) + 1, -3, i64::MIN, (3 << 59) - 1];
    let from = Layout::parse("MK<2, 2>, i64").unwrap();
    let cast = |conversion: &Conversion| {
        let mut cast = [0f32; 4];
        let to = from.with_element(ElementType::F32).unwrap();
        ConversionPlan::<i64, f32>::new(&from, &to, conversion)
            .unwrap()
            .run(&large, &mut cast)
            .unwrap();
        cast
    };
    assert_eq!(cast(&Conversion::cast()), large.map(|number| number as f32));
    assert_eq!(cast(&Conversion::cast().saturating()), large.map(|number| number as f32));

    let [from, to] = ["f32", "f8e4m3"]
        .map(|element| Layout::parse(&format!("MK<4, 4>, {element}, swizzle(2, 0, 2)")).unwrap());
    let floats: Vec<f32> = (0..16).map(|i| if i % 3 == 0 { -1e9 } else { i as f32 }).collect();
    let mut saturated = [f8e4m3::from_bits(0); 16];
    let plan =
        ConversionPlan::<f32, f8e4m3>::new(&from, &to, &Conversion::cast().saturating()).unwrap();
    plan.run(&floats, &mut saturated).unwrap();
    let expected: Vec<f32> =
        floats.iter().map(|float| f8e4m3::from_f32(float.max(-448.0)).to_f32()).collect();
    assert_eq!(saturated.map(|number| number.to_f32())[..], expected);
}

#[test]
fn integers_of_other_widths_are_stored_in_the_next_of_rust() {
    type Samples = layout!(CT<C = 2, T = 6>, i24, align(C = 32), pad = -2);
    assert_eq!((Samples::LEN, Samples::BYTES), (16, 64));
    let mut samples = Tensor::<Samples>::from_fn(|[c, t]| {
        Int::<i32, 24>::new(-8_388_608 + (c * 6 + t) as i32).unwrap()
    });
    let stored: &[i32] = cast(samples.buffer());
    assert_eq!((stored[0], stored[9], stored[6]), (-8_388_608, -8_388_601, -2));
    // Bits from elsewhere above a value mean nothing.
    cast_mut::<_, u32>(samples.buffer_mut())[1] = 0xab00_0005;
    cast_mut::<_, u32>(samples.buffer_mut())[2] = 0x00ff_ffff;
    assert_eq!([1, 2].map(|t| samples[[0, t]].get()), [5, -1]);
    assert_eq!(Some(samples[[0, 2]]), Int::<i32, 24>::new(-1));
    assert_eq!(format!("{} {:?}", samples[[0, 2]], samples[[0, 1]]), "-1 5");
    let turned = samples.to_layout::<layout!(TC<C = 2, T = 6>, i24)>().unwrap();
    assert_eq!(turned[[5, 1]].get(), -8_388_597);

    assert_eq!(Int::<i32, 24>::new(1 << 23), None);
    assert_eq!(Int::<u8, 3>::new(7).map(Int::<u8, 3>::get), Some(7));
    assert_eq!((Int::<u8, 3>::new(8), Int::<i8, 3>::new(-5)), (None, None));
    assert_eq!(Int::<u64, 33>::new(1 << 32).map(Int::<u64, 33>::get), Some(1 << 32));
    assert_eq!(<Int<u64, 33> as Element>::TYPE, ElementType::integer(33, false).unwrap());
    const FILL: Int<i16, 12> = Int::<i16, 12>::new(-3).unwrap();
    type Filled = layout!(NC4c<1, 3>, i12, pad = FILL);
    assert_eq!(Filled::LAYOUT.fill(), Some(0xfffd));
    type Third = layout!(NC4c<1, 3>, u3, pad = 5);
    assert_eq!((Third::LAYOUT.fill(), Third::BYTES), (Some(5), 4));
    type Tenth = layout!(NC4c<1, 3>, f4e2m1, pad = f4e2m1::from_bits(6));
    assert_eq!(Tenth::LAYOUT.to_string(), "NC4c<1, 3>, f4e2m1, pad = 4");
    type High = layout!(MK<1, 4>, f4e2m1, high_first);
    let high = Tensor::<High, _>::new([0x12u8, 0x34]).unwrap();
    assert_eq!(high.get([0, 1]), Some(HighFirst(f4e2m1::from_bits(2))));
}

/// A conversion of elements without arithmetic is an error that names them.
#[test]
fn conversions_name_the_type_that_has_no_arithmetic() {
    for name in ["i24", "u3"] {
        let element = ElementType::from_name(name).unwrap();
        for (from, to) in [(element, ElementType::F32), (ElementType::F32, element)] {
            let conversions =
                [Conversion::cast(), Conversion::quantize(1.0, 0), Conversion::normalize(0.0, 1.0)];
            for conversion in conversions {
                let error = conversion.check_elements(from, to).unwrap_err().to_string();
                assert_eq!(
                    error,
                    format!(
                        "no conversion reads or writes `{name}`; convert its elements before or after the relayout"
                    )
                );
            }
        }
    }
    assert_eq!(Conversion::cast().check_elements(ElementType::I4, ElementType::F16), Ok(()));
}
