//! What layouts cost that are found at run time: to make one, to plan a relayout, to find an
//! element.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tensor_layout::{Dynamic, ElementType, Format, Layout, LayoutType, Plan, layout};

/// Formats, extents and whether the second is padded.
const PAIRS: &[(&str, &str, [usize; 4])] = &[
    ("NCHW", "NHWC", [1, 64, 56, 56]),
    ("NCHW", "NCHW4", [1, 63, 56, 56]),
    ("NCHW4", "NCHW6c", [1, 12, 56, 56]),
    ("CHWN4", "NCHW32", [8, 64, 7, 7]),
    ("NCHW4h4w4c", "CHWN", [1, 64, 56, 56]),
];

fn making(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("layout");
    for &(_, format, extents) in PAIRS {
        let format = Format::parse(format).expect("a format");
        group.bench_function(format!("{format}"), |bencher| {
            bencher.iter(|| Layout::padded(&format, black_box(&extents), ElementType::F32, 0))
        });
    }
    type Act = layout!(NCHW4<_, 64, 56, 56>, f32);
    group.bench_function("NCHW4<_, 64, 56, 56>", |bencher| {
        bencher.iter(|| Act::new(black_box([8])))
    });
    group.finish();
}

fn planning(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("plan");
    for &(source, destination, extents) in PAIRS {
        let of = |format| {
            let format = Format::parse(format).expect("a format");
            Layout::padded(&format, &extents, ElementType::F32, 0).expect("a layout")
        };
        let layouts = (of(source), of(destination));
        group.bench_function(format!("{source} -> {destination}"), |bencher| {
            bencher.iter(|| Plan::new(black_box(&layouts.0), black_box(&layouts.1)))
        });
    }
    group.finish();
}

fn finding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("offset");
    type Act = layout!(NCHW4<_, 64, _, _>, f32);
    let act = Act::new([8, 56, 56]).expect("extents");
    let at = [7, 63, 55, 54];
    group.bench_function("some extents known", |bencher| {
        bencher.iter(|| black_box(&act).offset_of(black_box(at)))
    });
    let dynamic: Dynamic<f32, 4> = act.into();
    group.bench_function("none known", |bencher| {
        bencher.iter(|| black_box(&dynamic).offset_of(black_box(at)))
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = making, planning, finding
}
criterion_main!(benches);
