//! Every case of `cases/targets.csv` under criterion, with its throughput.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tensor_layout::{Plan, relayout};

mod cases;

fn relayouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("relayout");
    for case in cases::cases() {
        let plan = Plan::new(&case.source, &case.destination).expect("a plan");
        group.throughput(Throughput::Bytes(case.source.bytes() as u64));
        let bits = case.source.element().bits();
        group.bench_function(&case.name, |bencher| {
            // Units of the element's size; what they hold does not matter to a relayout.
            macro_rules! run {
                ($unit:ty) => {{
                    let source = vec![<$unit>::MAX; case.source.length()];
                    let mut destination = vec![0; case.destination.length()];
                    bencher.iter(|| relayout(&plan, &source, &mut destination).expect("lengths"));
                }};
            }
            match bits {
                8 => run!(u8),
                16 => run!(u16),
                _ => run!(u32),
            }
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = relayouts
}
criterion_main!(benches);
