//! Plans say what they will do: boxes, kernels, loops, and whether stores are non-temporal.

use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{Conversion, ConversionPlan, ElementType, Format, Layout, LayoutBuilder, Plan};

fn plan(from: &str, to: &str, extents: &[usize], element: ElementType) -> Plan {
    let layout = |format| Layout::builder(format, element).pad(0).extents(extents);
    Plan::new(&layout(from).unwrap(), &layout(to).unwrap()).unwrap()
}

/// Whether kernels have non-temporal stores here.
const STREAMS: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// The lines that a plan prints after the first, one for each box. Which kernel one names depends on the CPU: what each
/// prints is a test of `layout-kernels`.
fn boxes(plan: &Plan) -> Vec<String> {
    let text = plan.to_string();
    let lines: Vec<_> = text.lines().skip(1).map(|line| line.trim().to_owned()).collect();
    for line in &lines {
        let kernels = ["copy ", "transpose ", "permute bytes: ", "4-bit elements"];
        assert!(kernels.iter().any(|kernel| line.starts_with(kernel)), "{text}");
    }
    lines
}

#[test]
fn plans_print_a_line_for_each_box() {
    let planes = plan("NCHW", "NHWC", &[1, 64, 56, 56], ElementType::F16);
    let first = "NCHW<1, 64, 56, 56>, f16, pad -> NHWC<N = 1, C = 64, H = 56, W = 56>, f16, pad: 401408 bytes\n  \
                 transpose ";
    assert!(planes.to_string().starts_with(first), "{planes}");
    assert_eq!(boxes(&planes).len(), 1);
    // Padding is part of the box, or filled before it.
    assert_eq!(boxes(&plan("NHWC", "NCHW4", &[2, 3, 5, 7], ElementType::U8)).len(), 1);
    // The last block is cut short: a box of its own.
    assert_eq!(boxes(&plan("NCHW", "NCHW4", &[1, 7, 8, 8], ElementType::F32)).len(), 2);
    let whole = plan("NHWC", "NHWC", &[1, 3, 5, 7], ElementType::U8);
    assert!(boxes(&whole)[0].starts_with("copy 1 x 1 runs of 105 bytes"));
    // 4-bit elements move as whole bytes if pairs stay contiguous, and as pairs of rows if not.
    let words = plan("NCHW4", "NCHW64", &[1, 64, 56, 56], ElementType::I4);
    assert!(boxes(&words)[0].starts_with("transpose "));
    let nibbles = plan("NCHW", "NCHW64", &[1, 64, 56, 56], ElementType::I4);
    assert!(boxes(&nibbles)[0].starts_with("4-bit elements, 2 rows at a time: "));
    let odd = plan("NHWC", "NCHW", &[1, 64, 7, 7], ElementType::U4);
    assert!(boxes(&odd)[0].starts_with("4-bit elements in runs of "));
}

/// What is not planned box by box prints why.
#[test]
fn plans_print_why_there_is_no_line_for_each_box() {
    let last = |from: &Layout, to: &Layout| {
        let text = Plan::new(from, to).expect("a plan").to_string();
        text.lines().last().map(|line| line.trim().to_owned())
    };
    let of = |text: &str| Layout::parse(text).expect("a layout");
    let many = last(&of("CH4c<30, 3>, u8, pad"), &of("CH7c<30, 3>, u8, pad"));
    assert_eq!(many.as_deref(), Some("more than four boxes"));
    let swizzled = of("CH4c<30, 3>, u8, pad, swizzle(1, 4, 2)");
    let several = last(&swizzled, &of("CH7c<30, 3>, u8, pad"));
    assert_eq!(several.as_deref(), Some("several boxes between swizzles"));
    let bits = last(&of("MK<8, 16>, u4"), &of("MK<8, 16>, u4, swizzle(1, 0, 2)"));
    assert_eq!(bits.as_deref(), Some("element by element, between swizzles"));
}

#[test]
fn constant_plans_print_what_the_cpu_runs() {
    let of = |format: &str| Layout::of(format, &[2, 8, 5, 7], ElementType::F32).unwrap();
    let (from, to) = (of("NCHW"), of("NHWC"));
    let constant = Plan::const_new(&from, &to).unwrap();
    assert_eq!(constant.to_string(), Plan::new(&from, &to).unwrap().to_string());
}

#[test]
fn conversions_print_their_passes() {
    let layout = |format, extents: &[usize], element| Layout::of(format, extents, element).unwrap();
    let text = |from, to, extents: &[usize]| {
        let (from, to) =
            (layout(from, extents, ElementType::U8), layout(to, extents, ElementType::F32));
        ConversionPlan::<u8, f32>::new(&from, &to, &Conversion::cast()).unwrap().to_string()
    };
    let gathered = text("NHWC", "NCHW", &[1, 3, 4, 16]);
    assert!(
        gathered.starts_with(
            "NHWC<N = 1, C = 3, H = 4, W = 16>, u8 -> NCHW<1, 3, 4, 16>, f32: 768 bytes\n  \
             1 tile of 192 elements; gather: "
        ) && gathered.ends_with("; convert 1 run of 192"),
        "{gathered}"
    );
    assert_eq!(
        text("NCHW", "NCHW", &[2, 3, 4, 16]),
        "NCHW<2, 3, 4, 16>, u8 -> NCHW<2, 3, 4, 16>, f32: 1536 bytes\n  1 tile of 384 elements; \
         convert 1 run of 384",
    );
}

#[test]
fn large_plans_store_non_temporally_unless_told() {
    let large = plan("NCHW", "NHWC", &[8, 64, 112, 112], ElementType::F32);
    assert_eq!(large.to_string().contains("non-temporal"), STREAMS);
    assert!(!large.streaming(false).to_string().contains("non-temporal"));
    let [from, to] = [ElementType::F32, ElementType::I8]
        .map(|element| Layout::of("NCHW", &[8, 64, 112, 112], element).unwrap());
    let plan_of_conversion =
        ConversionPlan::<f32, i8>::new(&from, &to, &Conversion::cast()).unwrap();
    let text = plan_of_conversion.to_string();
    assert_eq!(text.contains("non-temporal"), STREAMS, "{text}");
    assert!(text.contains("; scatter: copy ") == STREAMS && !text.contains("gather"), "{text}");
    assert!(!plan_of_conversion.streaming(false).to_string().contains("non-temporal"));
    let medium = plan("NCHW", "NHWC", &[8, 64, 112, 112], ElementType::I8);
    assert!(!medium.to_string().contains("non-temporal"));
    let small = plan("NCHW", "NHWC", &[1, 64, 56, 56], ElementType::F32);
    assert!(!small.to_string().contains("non-temporal"));
}

#[test]
fn plans_of_huge_strides_do_not_overflow() {
    let far = |strides: [isize; 2]| {
        let axis = |letter| AxisExtent { letter, extent: Length::Runtime(2) };
        let factors = [Factor::Stride('M', strides[0]), Factor::Stride('K', strides[1])];
        let axes = [axis('M'), axis('K')];
        let element = ElementType::U8;
        Layout::new(&Spec { element, axes: &axes, factors: &factors, fill: None }).unwrap()
    };
    let near = far([2, 1]);
    for strides in [[1, 1 << 62], [1 << 62, 1], [1, (1 << 62) - 5], [-1, -(1 << 62)]] {
        let plan = Plan::new(&far(strides), &near).unwrap();
        assert_eq!(plan.to_string().lines().count(), 2, "{plan}");
        assert!(Plan::new(&near, &far(strides)).is_ok());
    }
}

#[test]
fn plans_of_views_count_their_elements() {
    let images = Layout::of("NCHW", &[64, 64, 112, 112], ElementType::F32);
    let one = images.unwrap().index('N', 5).unwrap().slice('C', 0, 1, 4).unwrap();
    let last = one.in_format("HWC").unwrap();
    for (from, to) in [(one, last), (last, one)] {
        let plan = Plan::new(&from, &to).unwrap();
        let first = plan.to_string().lines().next().map(String::from);
        assert_eq!(first, Some(format!("{from} -> {to}: 200704 bytes")));
    }
}

/// Const evaluation is given up after two million calls and turns of loops: a layout takes at most
/// 1,000 of them, a plan 3,000. A program may have hundreds of both.
const _: () = {
    let Ok(format) = Format::parse("NCHW4") else { panic!() };
    let Ok(planes) = Format::parse("NCHW") else { panic!() };
    let mut i = 0;
    while i < 400 {
        let extents = [2, 64, 28, 28];
        let Ok(source) = LayoutBuilder::new(&planes, ElementType::U8).extents(&extents) else {
            panic!()
        };
        let Ok(destination) = LayoutBuilder::new(&format, ElementType::U8).extents(&extents) else {
            panic!()
        };
        assert!(Plan::const_new(&source, &destination).is_ok());
        i += 1;
    }
};

/// `{:#}` says more of each box, after the same line.
#[test]
fn plans_print_their_kernels() {
    let layout = |text: &str| text.parse::<Layout>().expect("a layout");
    let plan = Plan::new(
        &layout("NHWC<N = 1, C = 64, H = 56, W = 56>, u8"),
        &layout("NCHW<1, 64, 56, 56>, u8"),
    );
    let plan = plan.expect("the same axes");
    let (short, long) = (plan.to_string(), format!("{plan:#}"));
    assert!(long.starts_with(&format!("{short}\n    ")), "{long}");
    assert!(long.ends_with("\n    stores: into the caches"), "{long}");
}

/// Bytes at odd addresses, with padding and between swizzles too, beside offsets of coordinates.
#[test]
fn bytes_are_moved_whatever_the_elements() {
    for (source, destination, unit) in [
        ("MK<4, 4>, f32", "KM<M = 4, K = 4>, f32", 4),
        ("MK<5, 6>, u16", "MK4k<5, 6>, u16, pad = 257", 2),
        ("MK<8, 64>, u64", "MK<8, 64>, u64, swizzle(3, 3, 3)", 8),
        ("MK<3, 7>, u8", "KM<M = 3, K = 7>, u8", 1),
    ] {
        let of = |text: &str| Layout::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let (source, destination) = (of(source), of(destination));
        let bytes: Vec<u8> = (0..=source.bytes()).map(|i| (i % 251) as u8).collect();
        let mut expected = vec![1; destination.bytes()];
        for m in 0..source.extents()[0] {
            for k in 0..source.extents()[1] {
                let place = |of: &Layout| unit * of.offset(&[m, k]);
                let (from, to) = (place(&source), place(&destination));
                expected[to..to + unit].copy_from_slice(&bytes[1 + from..1 + from + unit]);
            }
        }
        let plan = Plan::new(&source, &destination).unwrap();
        let mut moved = vec![0; 1 + destination.bytes()];
        plan.run_bytes(&bytes[1..], &mut moved[1..]).unwrap();
        assert_eq!(moved[1..], expected, "{plan}");
        moved.fill(0);
        plan.par_run_bytes(&bytes[1..], &mut moved[1..]).unwrap();
        assert_eq!(moved[1..], expected, "{plan}");
        moved.fill(0);
        assert!(plan.run_bytes(&bytes, &mut moved[1..]).is_err());
        assert!(plan.par_run_bytes(&bytes[1..], &mut moved).is_err());
        assert!(moved.iter().all(|&byte| byte == 0));
    }
}
