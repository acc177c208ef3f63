//! Relayouts that convert elements.

use core::hint::black_box;

use tensor_layout::{Conversion, ConversionPlan, Element, Format, Layout, Relayout, layout};

use crate::{bytes, count, floats};

/// Relayouts between arrays: `name: layout, units => layout, unit of the destination, conversion`.
macro_rules! conversions {
    ($($name:literal: $from:ty, $units:expr => $to:ty, $unit:expr, $conversion:expr;)*) => {$({
        #[derive(Relayout)]
        #[relayout($from => $to, convert = $conversion)]
        struct Convert;

        #[inline(never)]
        fn run() {
            let from: [_; <$from>::UNITS] = $units;
            let mut to = [$unit; <$to>::UNITS];
            count($name, &mut || Convert::run_arrays(black_box(&from), black_box(&mut to)));
        }
        run();
    })*};
}

pub(crate) fn run() {
    conversions! {
        "u8 NHWC of 3 to f32 NCHW, normalized": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, u8), bytes()
            => layout!(NCHW<1, 3, 16, 16>, f32), 0.0, Conversion::normalize(127.5, 1.0 / 127.5);
        "u8 to f32": layout!(NCHW<1, 3, 16, 16>, u8), bytes() => layout!(NCHW<1, 3, 16, 16>, f32), 0.0,
            Conversion::cast();
        "f32 to i8, quantized": layout!(NCHW<1, 4, 16, 16>, f32), floats() => layout!(NCHW<1, 4, 16, 16>, i8), 0,
            Conversion::quantize(0.5, 3);
        "f32 NHWC of 3 to i8 NCHW4, quantized, padded": layout!(NHWC<N = 1, C = 3, H = 16, W = 16>, f32), floats()
            => layout!(NCHW4<1, 3, 16, 16>, i8, pad), 0, Conversion::quantize(0.5, 3);
    }
    let [from, to] = ["NHWC", "NCHW"].map(|text| Format::parse(text).expect("a format"));
    let extents = [1, 3, 16, 16];
    let from = Layout::of(from, &extents, u8::TYPE).expect("a layout");
    let to = Layout::of(to, &extents, f32::TYPE).expect("a layout");
    let conversion = Conversion::normalize_per_axis('C', &[120.0; 3], &[0.02; 3]);
    let plan = ConversionPlan::<u8, f32>::new(&from, &to, &conversion).expect("a plan");
    let (source, mut destination) = (bytes::<768>(), [0.0; 768]);
    count("run: u8 NHWC of 3 to f32 NCHW, normalized per channel", &mut || {
        plan.run(black_box(&source), black_box(&mut destination)).expect("lengths");
    });
}
