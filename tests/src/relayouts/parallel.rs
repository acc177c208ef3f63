//! Several threads leave the same bytes as one.

use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError, Plan, Relayout, Tensor};

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
