//! Every case of `cases/targets.csv` under criterion, with its throughput: as a static pair, as a plan made at run time,
//! as plain loops, and memcpy of the same bytes. `cargo bench -- 1x3x224x224` takes the cases with that in their name,
//! and `--save-baseline` and `--baseline` compare two versions.

use std::hint::black_box;
use std::time::Duration;

use bytemuck::Pod;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use tensor_layout::{Plan, f16};

mod cases;

use cases::{Case, cases, pair};

fn relayouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("relayout");
    for case in cases() {
        group.throughput(Throughput::Bytes(case.source.bytes() as u64));
        match case.element {
            "i8" => add::<i8>(&mut group, &case),
            "f16" => add::<f16>(&mut group, &case),
            "f32" => add::<f32>(&mut group, &case),
            other => panic!("{other} is not an element of the cases"),
        }
    }
}

fn add<U: Pod>(group: &mut BenchmarkGroup<'_, WallTime>, case: &Case) {
    // Written to, so that each page of the source is memory of its own.
    let mut source = vec![U::zeroed(); case.source.len()];
    bytemuck::cast_slice_mut::<U, u8>(&mut source).fill(1);
    let mut destination = vec![U::zeroed(); case.destination.len()];

    let pair = pair::<U>(case);
    group.bench_function(BenchmarkId::new("static", case), |bencher| {
        bencher.iter(|| (pair.run)(black_box(&source), black_box(&mut destination)));
    });
    group.bench_function(BenchmarkId::new("loops", case), |bencher| {
        bencher.iter(|| (pair.baseline_loops)(black_box(&source), black_box(&mut destination)));
    });
    group.bench_function(BenchmarkId::new("memcpy", case), |bencher| {
        bencher.iter(|| black_box(&mut destination).copy_from_slice(black_box(&source)));
    });
    let plan = Plan::new(&case.source, &case.destination).expect("a plan");
    group.bench_function(BenchmarkId::new("planned", case), |bencher| {
        bencher
            .iter(|| plan.run(black_box(&source), black_box(&mut destination)).expect("lengths"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    targets = relayouts
}
criterion_main!(benches);
