//! Layouts, views and plans as values.

use core::hint::black_box;

use tensor_layout::{ElementType, Format, Layout, LayoutError, Plan};

use crate::{bytes, count};

fn layout(format: &str, extents: &[usize], element: ElementType) -> Layout {
    let format = Format::parse(format).expect("a format");
    Layout::builder(format, element).pad(0).extents(extents).expect("a layout")
}

pub(crate) fn run() {
    let format = Format::parse("NCHW4").expect("a format");
    count("layout of a format and extents", &mut || {
        let layout = Layout::of(black_box(format), black_box(&[1, 64, 56, 56]), ElementType::F32);
        _ = black_box(layout);
    });
    count("layout of text", &mut || {
        _ = black_box(Layout::parse(black_box("NCHW4<1, 63, 56, 56>, f16, pad")));
    });
    views();
    plans();
}

#[inline(never)]
fn views() {
    type View = fn(&Layout) -> Result<Layout, LayoutError>;
    let planes = layout("NCHW", &[8, 64, 56, 56], ElementType::F32);
    let blocks = layout("NCHW4", &[8, 64, 56, 56], ElementType::F32);
    let views: [(&str, &str, View); 5] = [
        ("permute", "permute of blocks", |layout| layout.permute("NHWC")),
        ("slice", "slice of blocks", |layout| layout.slice('H', 1, 2, 20)),
        ("index", "index of blocks", |layout| layout.index('C', 5)),
        ("flip", "flip of blocks", |layout| layout.flip('H')),
        ("merge", "merge of blocks", |layout| layout.merge("HW", 'X')),
    ];
    for (name, of_blocks, view) in views {
        let view = black_box(view);
        count(name, &mut || _ = black_box(view(black_box(&planes))));
        count(of_blocks, &mut || _ = black_box(view(black_box(&blocks))));
    }
}

#[inline(never)]
fn plans() {
    let pairs = [
        ("plan: NCHW to NHWC", "run: NCHW to NHWC", "NCHW", "NHWC", [1, 16, 12, 12]),
        ("plan: NHWC of 3 to NCHW", "run: NHWC of 3 to NCHW", "NHWC", "NCHW", [1, 3, 16, 16]),
        (
            "plan: NHWC of 3 to NCHW4, padded",
            "run: NHWC of 3 to NCHW4, padded",
            "NHWC",
            "NCHW4",
            [1, 3, 16, 16],
        ),
        ("plan: NCHW4 to NCHW6c", "run: NCHW4 to NCHW6c", "NCHW4", "NCHW6c", [1, 12, 8, 8]),
        ("plan: CHWN4 to NCHW32", "run: CHWN4 to NCHW32", "CHWN4", "NCHW32", [4, 32, 4, 4]),
    ];
    let source = bytes::<2304>();
    let mut destination = [0; 2304];
    for (plan, run, from, to, extents) in pairs {
        let [from, to] = [from, to].map(|format| layout(format, &extents, ElementType::U8));
        count(plan, &mut || _ = black_box(Plan::new(black_box(&from), black_box(&to))));
        let plan = Plan::new(&from, &to).expect("a plan");
        let (source, destination) = (&source[..from.units()], &mut destination[..to.units()]);
        count(run, &mut || {
            plan.run(black_box(source), black_box(&mut *destination)).expect("lengths")
        });
    }
}
