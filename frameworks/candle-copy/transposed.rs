//! `contiguous` of permuted tensors: the shortest of some calls.

use std::time::{Duration, Instant};

use candle_core::{DType, Device, Tensor};

fn main() -> candle_core::Result<()> {
    for (shape, axes) in [
        (vec![8, 512, 64], vec![0, 2, 1]),
        (vec![2048, 2048], vec![1, 0]),
        (vec![1, 32, 1024, 64], vec![0, 2, 1, 3]),
        (vec![1, 3, 224, 224], vec![0, 2, 3, 1]),
        (vec![64, 64, 56, 56], vec![1, 0, 3, 2]),
    ] {
        for dtype in [DType::U8, DType::F16, DType::F32] {
            let tensor = Tensor::ones(shape.clone(), dtype, &Device::Cpu)?.permute(axes.clone())?;
            let mut shortest = Duration::MAX;
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_millis(300) {
                let start = Instant::now();
                std::hint::black_box(tensor.contiguous()?);
                shortest = shortest.min(start.elapsed());
            }
            println!("    {shape:?} {axes:?} {dtype:?}: {:.1} us", shortest.as_secs_f64() * 1e6);
        }
    }
    Ok(())
}
