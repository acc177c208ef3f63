//! Plans say what they will do: boxes, kernels, loops, and whether stores are non-temporal.

use tensor_layout::spec::{AxisExtent, Factor, Length, Spec};
use tensor_layout::{Conversion, ConversionPlan, ElementType, Format, Layout, LayoutBuilder, Plan};

fn plan(from: &str, to: &str, extents: &[usize], element: ElementType) -> Plan {
    let layout = |format| Layout::builder(format, element).pad(0).extents(extents);
    Plan::new(&layout(from).unwrap(), &layout(to).unwrap()).unwrap()
}

/// Whether kernels have stores past the caches here.
const STREAMS: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

/// Whether kernels look bytes up in vectors here; what comes first is said where they do. Those of tests have feature
/// `std`.
const LOOKS_UP: bool = cfg!(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128"),
));

fn looked_up<'a>(shuffle: &'a str, otherwise: &'a str) -> &'a str {
    if LOOKS_UP { shuffle } else { otherwise }
}

/// The kernels that a plan prints, one on a line.
fn check_lines(plan: &Plan, lines: &[&str]) {
    let text = plan.to_string();
    let own: Vec<_> = text.lines().skip(1).map(str::trim).collect();
    assert_eq!(own, lines, "{text}");
}

#[test]
fn plans_print_their_kernels() {
    for (plan, lines) in [
        (
            plan("NCHW", "NHWC", &[1, 64, 56, 56], ElementType::F16),
            &["transpose 64 rows by 3136 columns of 2 bytes"][..],
        ),
        (
            plan("NCHW4", "NHWC", &[2, 64, 56, 56], ElementType::I8),
            &["transpose 16 rows by 3136 columns of 4 bytes, 2 times"],
        ),
        (
            plan("NHWC", "NCHW", &[1, 3, 224, 224], ElementType::U8),
            &["deinterleave 50176 rows by 3 columns of 1 bytes"],
        ),
        // Rows that take turns in the destination; units of 8 bytes are moved as any others.
        (
            plan("NCHW", "NHWC", &[1, 3, 224, 224], ElementType::U8),
            &["interleave 3 rows by 50176 columns of 1 bytes"],
        ),
        (
            plan("NCHW", "NHWC", &[2, 3, 5, 7], ElementType::F16),
            &["interleave 3 rows by 35 columns of 2 bytes, 2 times"],
        ),
        (
            plan("NCHW", "NHWC", &[1, 3, 5, 7], ElementType::F64),
            &["transpose 3 rows by 35 columns of 8 bytes"],
        ),
        // A camera's pixels become words with padding, and lose it again.
        (plan("NHWC", "NCHW4", &[2, 3, 5, 7], ElementType::U8), &["pad 70 times 3 bytes to 4"]),
        (
            plan("NCHW4", "NHWC", &[2, 3, 5, 7], ElementType::U8),
            &[looked_up("shuffle 70 times 3 bytes", "copy 3 bytes, 70 times")],
        ),
        // One row of pixels and the next.
        (
            plan("NCHW", "NHWC", &[2, 2, 5, 7], ElementType::F16),
            &[looked_up(
                "shuffle 35 times 4 bytes, 2 times",
                "transpose 2 rows by 35 columns of 2 bytes, 2 times",
            )],
        ),
        // Columns of which four make a lane, and others.
        (
            plan("NCHW4", "NCHW", &[2, 8, 5, 7], ElementType::F16),
            &["deinterleave 35 rows by 4 columns of 2 bytes, 4 times"],
        ),
        (
            plan("NCHW4", "NCHW", &[2, 8, 5, 7], ElementType::F32),
            &["deinterleave 35 rows by 4 columns of 4 bytes, 4 times"],
        ),
    ] {
        check_lines(&plan, lines);
    }
}

#[test]
fn plans_of_several_boxes_copies_and_halves_of_bytes_print_their_kernels() {
    for (plan, lines) in [
        // One channel of four.
        (
            plan("NCHW", "NCHW4", &[1, 1, 5, 7], ElementType::F32),
            &[looked_up("pad 35 times 4 bytes to 16", "move 35 times 4 bytes")][..],
        ),
        (
            plan("OIHW", "OIHW4i16o4i", &[64, 64, 3, 3], ElementType::I8),
            &["transpose 64 rows by 9 columns of 1 bytes, 4 x 4 x 4 times"],
        ),
        // The last block is cut short: a box of its own.
        (
            plan("NCHW", "NCHW4", &[1, 7, 8, 8], ElementType::F32),
            &[
                "interleave 4 rows by 64 columns of 4 bytes",
                looked_up(
                    "pad 64 times 12 bytes to 16",
                    "transpose 3 rows by 64 columns of 4 bytes",
                ),
            ],
        ),
        (plan("NHWC", "NHWC", &[1, 3, 5, 7], ElementType::U8), &["copy 105 bytes"]),
        // In the order of the destination; what goes past the caches is put in another one when it runs.
        (
            plan("NHCW", "NCHW", &[1, 12, 128, 64], ElementType::F32),
            &["copy 256 bytes, 12 x 128 times"],
        ),
        (
            plan("NHCW", "NCHW", &[1, 12, 512, 256], ElementType::F32),
            &["copy 1024 bytes, 12 x 512 times"],
        ),
        (
            plan("NHCW", "NCHW", &[1, 64, 512, 20], ElementType::F32),
            &["copy 80 bytes, 64 x 512 times"],
        ),
        // 4-bit elements: whole bytes where they stay together, pairs of rows where they do not.
        (
            plan("NCHW4", "NCHW64", &[1, 64, 56, 56], ElementType::I4),
            &["transpose 16 rows by 3136 columns of 2 bytes"],
        ),
        (
            plan("NCHW", "NCHW64", &[1, 64, 56, 56], ElementType::I4),
            &["transpose 64 rows by 3136 columns of 4 bits"],
        ),
        (
            plan("NHWC", "NCHW", &[1, 64, 7, 7], ElementType::U4),
            &["transpose 6 rows by 64 columns of 4 bits, 7 times", "move 64 times 4 bits, 7 times"],
        ),
    ] {
        check_lines(&plan, lines);
    }
}

#[test]
fn plans_of_views_print_their_kernels() {
    let of =
        |format: &str, extents: &[usize], element| Layout::of(format, extents, element).unwrap();
    let packed = |view: &Layout, format| view.in_format(format).unwrap();
    // 4 of 12 heads of 64 elements, in 128 positions of 2 sequences.
    let tokens = Layout::builder("BSHD", ElementType::F16);
    let tokens = tokens.named_extents(&[('B', 2), ('S', 128), ('H', 12), ('D', 64)]).unwrap();
    let heads = tokens.slice('H', 4, 1, 4).unwrap();
    let image = of("NCHW", &[1, 3, 16, 32], ElementType::F32);
    let flipped = image.flip('W').unwrap();
    let columns = image.slice('W', 0, 2, 16).unwrap();
    let pixels = of("NHWC", &[1, 32, 16, 16], ElementType::F16).slice('W', 1, 2, 8).unwrap();
    let wide = of("NCHW", &[1, 32, 16, 8], ElementType::F16).flip('W').unwrap();
    let camera = of("NHWC", &[1, 3, 16, 16], ElementType::F16);
    let (mirrored, swapped) = (camera.flip('W').unwrap(), camera.flip('C').unwrap());
    let row = of("HW", &[1, 64], ElementType::F32).broadcast('H', 8).unwrap();
    let column = of("HW", &[5, 1], ElementType::F32).broadcast('W', 6).unwrap();
    for (source, destination, line) in [
        // The heads of a position lie side by side on both sides, and positions in even steps.
        (heads, packed(&heads, "BSHD"), "copy 512 bytes, 256 times"),
        (heads, packed(&heads, "BHSD"), "copy 128 bytes, 2 x 4 x 128 times"),
        (packed(&heads, "BHSD"), heads, "copy 128 bytes, 2 x 128 x 4 times"),
        // Backward in each row; the rows of all channels lie in even steps.
        (
            flipped,
            packed(&flipped, "NCHW"),
            looked_up("shuffle 32 times 4 bytes, 48 times", "move 32 times 4 bytes, 48 times"),
        ),
        // Steps of 2 go on from row to row, and from channel to channel.
        (
            columns,
            packed(&columns, "NCHW"),
            looked_up("shuffle 768 times 4 bytes", "move 768 times 4 bytes"),
        ),
        (pixels, packed(&pixels, "NHWC"), "copy 64 bytes, 128 times"),
        // Columns of a matrix that run backwards, and rows of pixels and channels that do.
        (flipped, packed(&flipped, "NHWC"), "transpose 3 rows by 32 columns of 4 bytes, 16 times"),
        (wide, packed(&wide, "NHWC"), "transpose 32 rows by 8 columns of 2 bytes, 16 times"),
        (
            mirrored,
            packed(&mirrored, "NHWC"),
            looked_up("shuffle 16 times 6 bytes, 16 times", "copy 6 bytes, 16 x 16 times"),
        ),
        (
            swapped,
            packed(&swapped, "NHWC"),
            looked_up("shuffle 256 times 6 bytes", "move 3 times 2 bytes, 256 times"),
        ),
        (swapped, packed(&swapped, "NCHW"), "deinterleave 256 rows by 3 columns of 2 bytes"),
        // A row eight times; each of five elements six times, which are six equal rows transposed.
        (row, packed(&row, "HW"), "copy 256 bytes, 8 times"),
        (column, packed(&column, "HW"), "transpose 6 rows by 5 columns of 4 bytes"),
    ] {
        let text = Plan::new(&source, &destination).unwrap().to_string();
        assert_eq!(text.lines().skip(1).map(str::trim).collect::<Vec<_>>(), [line], "{text}");
    }
}

#[test]
fn conversions_print_their_passes() {
    let layout = |format, extents: &[usize], element| Layout::of(format, extents, element).unwrap();
    let text = |from, to, extents: &[usize]| {
        let (from, to) =
            (layout(from, extents, ElementType::U8), layout(to, extents, ElementType::F32));
        ConversionPlan::<u8, f32>::new(&from, &to, &Conversion::cast()).unwrap().to_string()
    };
    assert_eq!(
        text("NHWC", "NCHW", &[1, 3, 4, 16]),
        "NHWC<1, 3, 4, 16>, u8 -> NCHW<1, 3, 4, 16>, f32: 768 bytes\n  1 tiles of 192 elements; \
         gather: deinterleave 64 rows by 3 columns of 1 bytes; convert 1 runs of 192",
    );
    assert_eq!(
        text("NCHW", "NCHW", &[2, 3, 4, 16]),
        "NCHW<2, 3, 4, 16>, u8 -> NCHW<2, 3, 4, 16>, f32: 1536 bytes\n  1 tiles of 384 elements; \
         convert 1 runs of 384",
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
    assert_eq!(text.contains("6422528 bytes, non-temporal stores\n"), STREAMS, "{text}");
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
        assert!(Plan::new(&source, &destination).is_ok());
        i += 1;
    }
};
