use std::hint::black_box;
use tensor_layout::records::{FieldChange, Record, RecordPlan};
mod stopwatch;
use stopwatch::{aligned, seconds};
fn main() {
    let cases = [
        ("d: f16, q: 16k 2k/16 u4", "d: 8m f16, q: 2k/8 8m 8k 2k/16 u4"),
        ("_: f16, q: 16k 2k/16 u4", "_: 8m f16, q: 2k/8 8m 8k 2k/16 u4"),
        ("d: f16, _: 32k u4", "d: 8m f16, _: 8m 32k u4"),
        ("d: f16, q: 32k i8", "d: 4m f16, q: 4k 4m 8k i8"),
        ("_: f16, q: 32k i8", "_: 4m f16, q: 4k 4m 8k i8"),
        ("d: f16, _: 32k i8", "d: 4m f16, _: 4m 32k i8"),
        ("d: f16, q: 16k 2k/16 u4", "d: 4m f16, q: 4k/4 4m 4k 2k/16 u4"),
        ("_: f16, q: 16k 2k/16 u4", "_: 4m f16, q: 4k/4 4m 4k 2k/16 u4"),
    ];
    let only = std::env::args().nth(2);
    for (i, (a, b)) in cases.into_iter().enumerate() {
        if only.as_ref().is_some_and(|own| *own != i.to_string()) {
            continue;
        }
        for (a, b) in [(a, b), (b, a)] {
            for (rows, k) in [(24, 4096), (1816, 4096)] {
                let p = |t: &str| Record::parse(&format!("MK<{rows}, {k}>, {{ {t} }}")).unwrap();
                let (from, to) = (p(a), p(b));
                let plan = RecordPlan::new(&from, &to).unwrap();
                if rows == 1 {
                    println!("{plan}");
                }
                let n = to.bytes(0);
                let (mut s, mut d, mut c) =
                    (vec![1u8; n + 64], vec![2u8; n + 64], vec![3u8; n + 64]);
                let (s, d, c) = (aligned(&mut s, n), aligned(&mut d, n), aligned(&mut c, n));
                let (mut x, mut y) = (f64::INFINITY, f64::INFINITY);
                for _ in 0..9 {
                    x = x.min(seconds(|| black_box(&mut *c).copy_from_slice(black_box(s))));
                    // In the caches, as after memcpy's first call.
                    plan.run(&[&*s], &mut [&mut *d]).unwrap();
                    y = y.min(seconds(|| plan.run(&[&*s], &mut [&mut *d]).unwrap()));
                }
                println!(
                    "  {rows} x {k}: memcpy {:.1} GB/s, ours {:.1} ({:.2})",
                    n as f64 / x * 1e-9,
                    n as f64 / y * 1e-9,
                    x / y
                );
            }
        }
    }
    let _ = FieldChange::Drop("");
}
