//! Several threads leave the same bytes as one.

use tensor_layout::spec::Rule;
use tensor_layout::{
    Conversion, ConversionPlan, ElementType, Layout, LayoutError, Plan, Relayout, Tensor, u4,
};

fn layout(format: &str, extents: &[usize], element: ElementType) -> Layout {
    Layout::builder(format, element).pad(9).extents(extents).unwrap()
}

#[test]
fn large_tensors() {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
    let pairs = [
        ("NCHW", "NHWC"),
        ("NHWC", "NCHW"),
        ("NCHW", "NCHW4"),
        ("NCHW32", "NCHW"),
        ("NCHW", "CHWN4"),
        ("NCHW", "NCHW"),
    ];
    // Repeated at a distance that is not a multiple of anything in a layout.
    let pattern: Vec<u8> = (0..65_521u32).map(|i| (i * 31 + i / 251) as u8).collect();
    for extents in [[1, 3, 2048, 2900], [18, 35, 162, 166], [2, 640, 1, 14_401], [1, 3, 33, 35]] {
        for element in [ElementType::U8, ElementType::I4] {
            for (from, to) in pairs {
                let from = layout(from, &extents, element);
                let to = layout(to, &extents, element);
                let plan = Plan::new(&from, &to).unwrap();
                let mut source = pattern.repeat(from.units().div_ceil(pattern.len()));
                source.truncate(from.units());
                let (mut one, mut several) = (vec![1; to.units()], vec![2; to.units()]);
                plan.run(&source, &mut one).unwrap();
                threads.install(|| plan.par_run(&source, &mut several)).unwrap();
                assert!(one == several, "{plan}");
            }
        }
    }
}

#[test]
fn wrong_buffers_are_refused() {
    let plane = layout("HW", &[1024, 2048], ElementType::U8);
    let plan = Plan::new(&plane, &plane).unwrap();
    let (source, mut destination) = (vec![1u8; 2 << 20], vec![2u8; 2 << 20]);
    let error = plan.par_run(&source[1..], &mut destination).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::BufferLength { .. })), "{error}");
    let error = plan.par_run(&[0u16], &mut [0u16]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::UnitSize { .. })), "{error}");
    assert!(destination.iter().all(|&byte| byte == 2), "written");
}

#[test]
fn tensors_and_derived_relayouts_move_on_several_threads() {
    type Planes = tensor_layout::layout!(NCHW<2, 3, 1024, 768>, u16);
    type Packed = tensor_layout::layout!(NCHW4<2, 3, 1024, 768>, u16, pad = 7);
    #[derive(Relayout)]
    #[relayout(Planes => Packed)]
    struct Pack;
    type Batch = tensor_layout::layout!(NCHW4<_, 3, 1024, 768>, u16, pad = 7);

    let planes = Tensor::<Planes>::from_fn(|[n, c, h, w]| (n * 31 + c * 7 + h * 5 + w) as u16);
    let expected = Pack::tensor(&planes);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (mut packed, mut moved) = (Tensor::<Packed>::zeroed(), Tensor::<Packed>::zeroed());
    let mut batch = Tensor::zeroed_in(Batch::new([2]).unwrap()).unwrap();
    threads.install(|| {
        Pack::par_run(&planes, &mut packed);
        planes.par_relayout_into(&mut moved).unwrap();
        planes.par_relayout_into(&mut batch).unwrap();
    });
    assert!(packed.buffer() == expected.buffer() && moved.buffer() == expected.buffer());
    assert!(batch.buffer() == expected.buffer());
    let mut other = Tensor::zeroed_in(Batch::new([3]).unwrap()).unwrap();
    assert!(planes.par_relayout_into(&mut other).is_err());
}

/// Conversions in parts of any size leave what a loop over coordinates computes.
#[test]
fn conversions_in_parts() {
    let extents = [3, 10, 7, 6];
    let coordinates =
        || (0..3 * 10 * 7 * 6).map(|i| [i / (10 * 7 * 6), i / (7 * 6) % 10, i / 6 % 7, i % 6]);
    let (means, scales) = ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|i| i as f32), [0.5; 10]);
    let normalize = Conversion::normalize_per_axis('C', &means, &scales);
    // The channels are a slice of those of the destination, from this one on.
    for (from, to, first) in [
        ("NHWC", "NCHW", 0),
        ("NCHW", "NCHW", 0),
        ("NCHW", "NCHW4", 0),
        ("NCHW4", "CHWN", 0),
        ("NHWC", "NCHW4c2n", 0),
        ("NCHW", "WNHC", 0),
        ("NCHW", "NCHW4", 3),
        ("NHWC", "NCHW4c2n", 6),
        ("NCHW", "NCHW", 2),
    ] {
        let from = layout(from, &extents, ElementType::U8);
        let source: Vec<u8> = (0..from.units()).map(|i| (i * 7) as u8).collect();
        let sliced = |ty| {
            let whole = layout(to, &[3, 10 + first, 7, 6], ty);
            whole.slice('C', first, 1, 10).expect("channels")
        };
        let (floats, codes) = (sliced(ElementType::F32), sliced(ElementType::U4));
        // Of a slice, what lies between stays; else it is padding.
        let between = if first > 0 { (9.0, 0x99) } else { (0.0, 0) };
        let (mut numbers, mut packed) =
            (vec![between.0; floats.units()], vec![between.1; codes.units()]);
        for at in coordinates() {
            let own = source[from.offset(&at)];
            numbers[floats.offset(&at)] = (f32::from(own) - means[at[1]]) * 0.5;
            let (place, code) = (codes.offset(&at), own.min(15));
            let shift = place % 2 * 4;
            packed[place / 2] = packed[place / 2] & !(15 << shift) | code << shift;
        }
        for least in [1, 100, 1000, 1 << 20] {
            let plan = ConversionPlan::<u8, f32>::new(&from, &floats, &normalize).unwrap();
            let mut own = vec![between.0; floats.units()];
            plan.par_run_in_parts(least, &source, &mut own).unwrap();
            assert!(own == numbers, "{plan} in parts of {least} bytes");
            assert!(plan.par_run(&source, &mut own[1..]).is_err());
            let plan = ConversionPlan::<u8, u4>::new(&from, &codes, &Conversion::cast()).unwrap();
            let mut own = vec![between.1; codes.units()];
            plan.par_run_in_parts(least, &source, &mut own).unwrap();
            assert!(own == packed, "{plan} in parts of {least} bytes");
        }
    }
}
