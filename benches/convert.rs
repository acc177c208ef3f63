//! Conversions against memcpy of the larger side, side by side in one run.
//!
//! `cargo bench --bench convert [-- PART OF A CASE]` prints CSV: the case, the
//! microseconds of one conversion, and eff, the time of memcpy of the larger buffer over that of the
//! conversion. memcpy is timed right before and after; buffers begin at cache lines.

use std::hint::black_box;

use bytemuck::Zeroable;
use cpu_time::ThreadTime;
use tensor_layout::{Conversion, ConversionPlan, Format, Layout, Number, bf16, convert, f16};

/// A conversion between two formats of one shape.
struct Case<'a> {
    from: &'a str,
    to: &'a str,
    shape: [usize; 4],
    name: &'a str,
    conversion: Conversion<'a>,
}

impl Case<'_> {
    fn run<S: Number, D: Number>(&self) {
        let layout = |format: &str, element| {
            let format = Format::parse(format).expect("a format");
            Layout::builder(format, element).pad(0).extents(&self.shape).expect("a layout")
        };
        let (source, destination) = (layout(self.from, S::TYPE), layout(self.to, D::TYPE));
        let title = format!("{source} -> {destination}, {}", self.name);
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        if filter.is_some_and(|filter| !title.contains(&filter)) {
            return;
        }
        let plan =
            ConversionPlan::<S, D>::new(&source, &destination, &self.conversion).expect("a plan");
        let mut from = vec![S::Unit::zeroed(); source.units() + 64];
        let mut to = vec![D::Unit::zeroed(); destination.units() + 64];
        let from = aligned(&mut from, source.units());
        // Fresh pages of zeros may all be one; these bytes are ordinary numbers of every type.
        bytemuck::cast_slice_mut::<S::Unit, u8>(from).fill(0x41);
        let to = aligned(&mut to, destination.units());
        let bytes = source.bytes().max(destination.bytes());
        let (mut a, mut b) = (vec![1u8; bytes + 64], vec![0u8; bytes + 64]);
        let (a, b) = (aligned(&mut a, bytes), aligned(&mut b, bytes));
        let mut round = || {
            let before = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
            let own = seconds(|| convert(&plan, black_box(from), black_box(to)).expect("lengths"));
            let after = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
            ((before + after) / 2.0 / own, own)
        };
        let mut rounds: Vec<_> = (0..9).map(|_| round()).collect();
        rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (eff, own) = rounds[4];
        println!("{title}; {:.1}; {eff:.2}", own * 1e6);
    }
}

/// `length` units that begin at a cache line.
fn aligned<U>(units: &mut [U], length: usize) -> &mut [U] {
    let start = units.as_ptr().align_offset(64);
    &mut units[start..start + length]
}

/// Seconds that one call takes, over a batch of at least half a millisecond.
fn seconds(mut call: impl FnMut()) -> f64 {
    let mut repeats = 1;
    loop {
        let start = ThreadTime::now();
        (0..repeats).for_each(|_| call());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 5e-4 {
            return elapsed / f64::from(repeats);
        }
        repeats *= 2;
    }
}

/// Parameters for up to 256 channels.
static MEANS: [f32; 256] = [120.0; 256];
static SCALES: [f32; 256] = [0.02; 256];
static ZERO_POINTS: [i32; 256] = [3; 256];

fn main() {
    println!("case; us; eff");
    for shape in [[1, 3, 224, 224], [8, 3, 224, 224], [1, 3, 1080, 1920]] {
        let conversion = Conversion::normalize_per_axis('C', &MEANS[..3], &SCALES[..3]);
        let case =
            Case { from: "NHWC", to: "NCHW", shape, name: "normalize per channel", conversion };
        case.run::<u8, f32>();
        case.run::<u8, f16>();
        Case { to: "NHWC", ..case }.run::<u8, f32>();
    }
    for shape in [[1, 64, 7, 7], [1, 64, 56, 56], [8, 64, 112, 112], [1, 256, 14, 14]] {
        let channels = shape[1];
        let quantize = Conversion::quantize(0.02, 3);
        let per_channel =
            Conversion::quantize_per_axis('C', &SCALES[..channels], &ZERO_POINTS[..channels]);
        for (name, conversion) in [("quantize", quantize), ("quantize per channel", per_channel)] {
            for (from, to) in
                [("NCHW", "NCHW4"), ("NCHW", "NHWC"), ("NHWC", "NHWC"), ("NHWC", "NCHW")]
            {
                Case { from, to, shape, name, conversion }.run::<f32, i8>();
            }
        }
        let dequantize = Conversion::dequantize(0.02, 3);
        let case =
            Case { from: "NCHW4", to: "NCHW", shape, name: "dequantize", conversion: dequantize };
        case.run::<i8, f32>();
        for (from, to) in [("NCHW", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "NCHW")] {
            let case = Case { from, to, shape, name: "cast", conversion: Conversion::cast() };
            case.run::<f32, f16>();
            case.run::<f16, f32>();
            case.run::<f32, bf16>();
            case.run::<bf16, f32>();
            case.run::<i32, i8>();
            case.run::<f64, f32>();
        }
    }
}
