//! Several threads leave the same bytes as one.

use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Layout, LayoutError, Plan, par_relayout, relayout};

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
                relayout(&plan, &source, &mut one).unwrap();
                threads.install(|| par_relayout(&plan, &source, &mut several)).unwrap();
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
    let error = par_relayout(&plan, &source[1..], &mut destination).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::BufferLength { .. })), "{error}");
    let error = par_relayout(&plan, &[0u16], &mut [0u16]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::UnitSize { .. })), "{error}");
    assert!(destination.iter().all(|&byte| byte == 2), "written");
}
