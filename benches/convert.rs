//! Conversions against memcpy of the larger side and against loops by hand, side by side in one run.
//!
//! `cargo bench --bench convert [-- PART OF A CASE]` prints CSV: the case, the
//! microseconds of one conversion, eff, the time of memcpy of the larger buffer over that of the
//! conversion, and the time of a loop by hand over that of the conversion. memcpy is timed right before and after;
//! buffers begin at cache lines. The loop by hand writes the destination in the order of memory.

use std::hint::black_box;

use bytemuck::Pod;
use tensor_layout::{Conversion, ConversionPlan, Element, Format, Layout, Number, bf16, f16};

mod stopwatch;

use stopwatch::{aligned, seconds};

/// A conversion between two formats of one shape.
struct Case<'a> {
    from: &'a str,
    to: &'a str,
    shape: [usize; 4],
    name: &'a str,
    conversion: Conversion<'a>,
}

impl Case<'_> {
    /// `hand` converts an element of a channel.
    fn run<S, D>(&self, hand: impl Fn(S, usize) -> D + Copy)
    where
        S: Number + Element<Unit = S> + Pod,
        D: Number + Element<Unit = D> + Pod + PartialEq,
    {
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
        let mut from = vec![S::zeroed(); source.units() + 64];
        let mut to = vec![D::zeroed(); destination.units() + 64];
        let from = aligned(&mut from, source.units());
        // Fresh pages of zeros may all be one; these bytes are ordinary numbers of every type.
        bytemuck::cast_slice_mut::<S, u8>(from).fill(0x41);
        let to = aligned(&mut to, destination.units());
        let bytes = source.bytes().max(destination.bytes());
        let (mut a, mut b) = (vec![1u8; bytes + 64], vec![0u8; bytes + 64]);
        let (a, b) = (aligned(&mut a, bytes), aligned(&mut b, bytes));
        let by_hand = |from: &[S], to: &mut [D]| self.by_hand(from, to, hand);
        plan.run(from, to).expect("lengths");
        let mut same = vec![D::zeroed(); destination.units()];
        by_hand(from, &mut same);
        assert!(*to == same[..], "{title}: the loop by hand makes the same elements");
        let mut round = || {
            let before = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
            let own = seconds(|| plan.run(black_box(from), black_box(to)).expect("lengths"));
            let after = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
            let hand = seconds(|| by_hand(black_box(from), black_box(to)));
            ((before + after) / 2.0 / own, own, hand / own)
        };
        let rounds: [_; 9] = std::array::from_fn(|_| round());
        let median = |of: fn(&(f64, f64, f64)) -> f64| {
            let mut all = rounds.each_ref().map(of);
            all.sort_by(f64::total_cmp);
            all[4]
        };
        let [eff, own, hand] = [median(|all| all.0), median(|all| all.1), median(|all| all.2)];
        println!("{title}; {:.1}; {eff:.2}; {hand:.2}", own * 1e6);
    }

    /// What a user would write for these two formats. Neither extents nor formats are constants, as for ours.
    fn by_hand<S: Copy, D>(&self, from: &[S], to: &mut [D], one: impl Fn(S, usize) -> D) {
        let [_, channels, height, width] = self.shape;
        let pixels = height * width;
        let images = from.chunks_exact(channels * pixels);
        for (from, to) in images.zip(to.chunks_exact_mut(channels * pixels)) {
            match (self.from, self.to) {
                ("NHWC", "NHWC") => {
                    for (from, to) in from.chunks_exact(channels).zip(to.chunks_exact_mut(channels))
                    {
                        for (c, (from, to)) in from.iter().zip(to).enumerate() {
                            *to = one(*from, c);
                        }
                    }
                }
                ("NCHW", "NCHW") => {
                    let planes = from.chunks_exact(pixels).zip(to.chunks_exact_mut(pixels));
                    for (c, (from, to)) in planes.enumerate() {
                        for (from, to) in from.iter().zip(to) {
                            *to = one(*from, c);
                        }
                    }
                }
                ("NHWC", "NCHW") => {
                    for (c, to) in to.chunks_exact_mut(pixels).enumerate() {
                        for (to, from) in to.iter_mut().zip(from[c..].iter().step_by(channels)) {
                            *to = one(*from, c);
                        }
                    }
                }
                ("NCHW", "NHWC") => {
                    for (pixel, to) in to.chunks_exact_mut(channels).enumerate() {
                        for (c, to) in to.iter_mut().enumerate() {
                            *to = one(from[c * pixels + pixel], c);
                        }
                    }
                }
                ("NCHW", "NCHW4") => {
                    for (block, to) in to.chunks_exact_mut(4 * pixels).enumerate() {
                        let from = &from[4 * block * pixels..][..4 * pixels];
                        for (pixel, to) in to.chunks_exact_mut(4).enumerate() {
                            for (c, to) in to.iter_mut().enumerate() {
                                *to = one(from[c * pixels + pixel], 4 * block + c);
                            }
                        }
                    }
                }
                ("NCHW4", "NCHW") => {
                    for (c, to) in to.chunks_exact_mut(pixels).enumerate() {
                        let from = &from[c / 4 * 4 * pixels + c % 4..];
                        for (to, from) in to.iter_mut().zip(from.iter().step_by(4)) {
                            *to = one(*from, c);
                        }
                    }
                }
                (from, to) => panic!("no loop by hand from {from} to {to}"),
            }
        }
    }
}

/// Parameters for up to 256 channels.
static MEANS: [f32; 256] = [120.0; 256];
static SCALES: [f32; 256] = [0.02; 256];
static ZERO_POINTS: [i32; 256] = [3; 256];

/// As PyTorch quantizes.
fn quantized(x: f32, inverse: f32, zero_point: i32) -> i8 {
    let rounded = (x * inverse).round_ties_even();
    (rounded + zero_point as f32).clamp(-128.0, 127.0) as i8
}

fn main() {
    println!("case; us; eff; hand / ours");
    for shape in [[1, 3, 224, 224], [8, 3, 224, 224], [1, 3, 1080, 1920]] {
        let conversion = Conversion::normalize_per_axis('C', &MEANS[..3], &SCALES[..3]);
        let case =
            Case { from: "NHWC", to: "NCHW", shape, name: "normalize per channel", conversion };
        let normalized = |x: u8, c: usize| (f32::from(x) - MEANS[c]) * SCALES[c];
        case.run(normalized);
        case.run(|x: u8, c| f16::from_f32(normalized(x, c)));
        Case { to: "NHWC", ..case }.run(normalized);
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
                let case = Case { from, to, shape, name, conversion };
                match name {
                    "quantize" => case.run(|x: f32, _| quantized(x, 1.0 / 0.02, 3)),
                    _ => case.run(|x: f32, c| quantized(x, 1.0 / SCALES[c], ZERO_POINTS[c])),
                }
            }
        }
        let dequantize = Conversion::dequantize(0.02, 3);
        let case =
            Case { from: "NCHW4", to: "NCHW", shape, name: "dequantize", conversion: dequantize };
        case.run(|x: i8, _| (i32::from(x) - 3) as f32 * 0.02);
        for (from, to) in [("NCHW", "NCHW"), ("NCHW", "NHWC"), ("NHWC", "NCHW")] {
            let case = Case { from, to, shape, name: "cast", conversion: Conversion::cast() };
            case.run(|x: f32, _| f16::from_f32(x));
            case.run(|x: f16, _| f32::from(x));
            case.run(|x: f32, _| bf16::from_f32(x));
            case.run(|x: bf16, _| f32::from(x));
            case.run(|x: i32, _| x.clamp(-128, 127) as i8);
            case.run(|x: f64, _| x as f32);
        }
    }
}
