//! What layouts cost that are found at run time: to make one, a view of one, a plan, to find an
//! element, to go over all of them, and to move those of a view.

use std::fmt;
use std::hint::black_box;

use bytemuck::Pod;
use criterion::{Criterion, Throughput, criterion_group};
use tensor_layout::strided::{self, StridedCopy};
use tensor_layout::{
    Conversion, ConversionPlan, Dynamic, Element, ElementType, Format, Layout, LayoutError,
    LayoutType, Plan, Tensor, f16, layout,
};

#[path = "targets/timing.rs"]
mod timing;

/// Formats, extents and whether the second is padded.
const PAIRS: &[(&str, &str, [usize; 4])] = &[
    ("NCHW", "NHWC", [1, 64, 56, 56]),
    ("NCHW", "NCHW4", [1, 64, 56, 56]),
    ("NCHW", "NCHW4", [1, 63, 56, 56]),
    ("NCHW4", "NCHW6c", [1, 12, 56, 56]),
    ("CHWN4", "NCHW32", [8, 64, 7, 7]),
    ("NCHW4h4w4c", "CHWN", [1, 64, 56, 56]),
];

fn making(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("layout");
    for &(_, format, extents) in PAIRS {
        let format = Format::parse(format).expect("a format");
        let [_, channels, ..] = extents;
        group.bench_function(format!("{format} of {channels} channels"), |bencher| {
            bencher.iter(|| {
                Layout::builder(format, ElementType::F32).pad(0).extents(black_box(&extents))
            })
        });
    }
    type Act = layout!(NCHW4<_, 64, 56, 56>, f32);
    group.bench_function("NCHW4<_, 64, 56, 56>", |bencher| {
        bencher.iter(|| Act::new(black_box([8])))
    });
    group.finish();
}

fn planning(criterion: &mut Criterion) {
    println!("a plan takes {} bytes", size_of::<Plan>());
    let mut group = criterion.benchmark_group("plan");
    for &(source, destination, extents) in PAIRS {
        let of = |format| {
            let format = Format::parse(format).expect("a format");
            Layout::builder(format, ElementType::F32).pad(0).extents(&extents).expect("a layout")
        };
        let layouts = (of(source), of(destination));
        let [_, channels, ..] = extents;
        group.bench_function(
            format!("{source} -> {destination} of {channels} channels"),
            |bencher| bencher.iter(|| Plan::new(black_box(&layouts.0), black_box(&layouts.1))),
        );
    }
    for source in SOURCES {
        let (view, packed) = source.layouts(ElementType::F32);
        group.bench_function(source.to_string(), |bencher| {
            bencher.iter(|| Plan::new(black_box(&view), black_box(&packed)))
        });
    }
    let image = |format, element| {
        let format = Format::parse(format).expect("a format");
        Layout::of(format, &[1, 3, 224, 224], element).expect("a layout")
    };
    let (frame, planes) = (image("NHWC", ElementType::U8), image("NCHW", ElementType::F32));
    let conversion = Conversion::normalize_per_axis('C', &[120.0; 3], &[0.02; 3]);
    group.bench_function("NHWC, u8 -> NCHW, f32, normalize per channel", |bencher| {
        bencher.iter(|| {
            ConversionPlan::<u8, f32>::new(black_box(&frame), black_box(&planes), &conversion)
        })
    });
    group.finish();
}

/// Operations on a layout.
type Chain = fn(Layout) -> Result<Layout, LayoutError>;

/// Those on the layout of an image batch.
const CHAINS: &[(&str, Chain)] = &[
    ("split into tiles", |layout| layout.tile('C', &[('C', 4), ('K', 16)])),
    ("merge", |layout| layout.merge("HW", 'X')),
    ("reshape", |layout| layout.reshape(&[('A', 8), ('B', 64), ('C', 49), ('D', 64)])),
    ("slice, permute, merge", |layout| {
        layout.slice('N', 2, 1, 4)?.permute("HWNC")?.merge("HW", 'X')
    }),
];

fn viewing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("view");
    for format in ["NCHW", "NCHW4"] {
        let parsed = Format::parse(format).expect("a format");
        let layout = Layout::of(parsed, &[8, 64, 56, 56], ElementType::F32).expect("a layout");
        for &(name, chain) in CHAINS {
            chain(layout).expect("a view");
            group.bench_function(format!("{format}: {name}"), |bencher| {
                bencher.iter(|| chain(black_box(layout)))
            });
        }
    }
    group.finish();
}

/// Copies of 64 bytes between strided arrays, beside loops.
fn copying(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("64 bytes");
    group.throughput(Throughput::Bytes(64));
    let source: [f32; 16] = core::array::from_fn(|i| i as f32);
    let mut moved = [0f32; 16];
    let (shape, from, to) = ([4, 4], [1, 4], [4, 1]);
    let plan = StridedCopy::of::<f32>(&shape, (0, &from), (0, &to)).expect("a plan");
    group.bench_function("a kept plan", |bencher| {
        bencher.iter(|| plan.run(black_box(&source), black_box(&mut moved)));
    });
    let of = |text| Layout::parse(text).expect("a layout");
    let plan = Plan::new(&of("MK<4, 4>, f32"), &of("KM<M = 4, K = 4>, f32")).expect("a plan");
    group.bench_function("a kept plan of layouts", |bencher| {
        bencher.iter(|| plan.run(black_box(&source), black_box(&mut moved)));
    });
    group.bench_function("a copy without a plan", |bencher| {
        bencher.iter(|| {
            let (source, moved) = (black_box(&source), black_box(&mut moved));
            strided::copy(&shape, (source, 0, &from), (moved, 0, &to))
        });
    });
    // What the plan does: a shape and strides that the compiler does not know.
    let (shape, from, to) = black_box((shape, [1usize, 4], [4usize, 1]));
    group.bench_function("a loop", |bencher| {
        bencher.iter(|| {
            let (source, moved) = (black_box(&source), black_box(&mut moved));
            for row in 0..shape[0] {
                for column in 0..shape[1] {
                    moved[row * to[0] + column * to[1]] = source[row * from[0] + column * from[1]];
                }
            }
        });
    });
}

fn iterating(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("iterate");
    type Static = layout!(NCHW4<1, 64, 56, 56>, f32);
    type Mixed = layout!(NCHW4<_, 64, _, _>, f32);
    let buffer: Vec<f32> = (0..Static::LEN).map(|i| i as f32).collect();
    group.throughput(Throughput::Elements(Static::LEN as u64));
    macro_rules! both_orders {
        ($name:literal, $tensor:expr) => {
            let tensor = $tensor;
            group.bench_function(concat!($name, ", coordinates"), |bencher| {
                bencher.iter(|| black_box(&tensor).iter().map(|(_, number)| number).sum::<f32>())
            });
            group.bench_function(concat!($name, ", memory"), |bencher| {
                let numbers = || black_box(&tensor).iter_in_memory().map(|(_, number)| number);
                bencher.iter(|| numbers().sum::<f32>())
            });
        };
    }
    let mixed = Mixed::new([1, 56, 56]).expect("extents");
    let blocked: Dynamic<f32, 4> = mixed.into();
    let image = blocked.layout().in_format("NHWC");
    let image = Dynamic::<f32, 4>::new(image.expect("a layout")).expect("four axes");
    let new =
        |layout| Tensor::with_layout(layout, &buffer[..]).expect("a buffer of the right length");
    both_orders!(
        "NCHW4, static",
        Tensor::<Static, _>::new(&buffer[..]).expect("a buffer of the right length")
    );
    both_orders!(
        "NCHW4, mixed",
        Tensor::with_layout(mixed, &buffer[..]).expect("a buffer of the right length")
    );
    both_orders!("NCHW4, dynamic", new(blocked));
    both_orders!("NHWC, dynamic", new(image));
    both_orders!(
        "NCHW4 as NHWC, dynamic",
        new(blocked).into_view::<4>(|layout| layout.permute("NHWC")).expect("a view")
    );
    group.bench_function("NCHW4, loops with digits", |bencher| {
        bencher.iter(|| {
            let [channels, height, width] = black_box([64, 56, 56]);
            let mut sum = 0.0;
            for c in 0..channels {
                for h in 0..height {
                    for w in 0..width {
                        sum += buffer[((c / 4 * height + h) * width + w) * 4 + c % 4];
                    }
                }
            }
            sum
        })
    });
    group.finish();
}

/// A view whose elements are moved into a tensor of their own.
struct Source {
    name: &'static str,
    format: &'static str,
    extents: &'static [(char, usize)],
    view: Chain,
    /// The format of that tensor.
    packed: &'static str,
}

fn each_second_pixel(layout: Layout) -> Result<Layout, LayoutError> {
    layout.slice('H', 0, 2, 56)?.slice('W', 0, 2, 56)
}

/// Rows and columns of pixels apart from those of blocks of 2 x 2.
fn blocks_of_pixels(layout: Layout) -> Result<Layout, LayoutError> {
    layout.tile('H', &[('H', 56), ('A', 2)])?.tile('W', &[('W', 56), ('B', 2)])
}

/// The views and what they are packed into: `name, format<axes> => packed, view`.
macro_rules! sources {
    ($($name:literal, $format:literal $extents:tt => $packed:literal, $view:expr;)*) => {
        &[$(Source {
            name: $name,
            format: $format,
            extents: &$extents,
            view: $view,
            packed: $packed,
        }),*]
    };
}

const SOURCES: &[Source] = sources! {
    "8 of 32 heads", "BSHD" [('B', 1), ('S', 256), ('H', 32), ('D', 128)] => "BHSD",
        |layout| layout.slice('H', 8, 1, 8);
    "half of the channels", "NCHW" [('N', 1), ('C', 128), ('H', 56), ('W', 56)] => "NHWC",
        |layout| layout.slice('C', 32, 1, 64)?.permute("NHWC");
    "a row broadcast along H", "NCHW" [('N', 1), ('C', 64), ('H', 1), ('W', 56)] => "NCHW",
        |layout| layout.broadcast('H', 56);
    "all", "NCHW4" [('N', 1), ('C', 64), ('H', 56), ('W', 56)] => "NCHW", Ok;
    "all", "NHWC" [('N', 1), ('C', 4), ('H', 224), ('W', 224)] => "NCHW", Ok;
    "all", "NHWC" [('N', 1), ('C', 2), ('H', 224), ('W', 224)] => "NCHW", Ok;
    "all", "NCHW" [('N', 1), ('C', 2), ('H', 224), ('W', 224)] => "NHWC", Ok;
    "all", "NCHW" [('N', 1), ('C', 5), ('H', 224), ('W', 224)] => "NHWC", Ok;
    "all", "NCHW" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NCHW4", Ok;
    "all", "NHWC" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NCHW4", Ok;
    "all", "NCHW" [('N', 256), ('C', 256), ('H', 3), ('W', 3)] => "NCHW4", Ok;
    "all", "NCHW" [('N', 256), ('C', 3), ('H', 3), ('W', 3)] => "NHWC", Ok;
    "3 of 4 channels", "NHWC" [('N', 1), ('C', 4), ('H', 224), ('W', 224)] => "NHWC",
        |layout| layout.slice('C', 0, 1, 3);
    "one of 3 channels", "NHWC" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NHWC",
        |layout| layout.slice('C', 1, 1, 1);
    "channels backwards", "NHWC" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NHWC",
        |layout| layout.flip('C');
    "channels backwards", "NHWC" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NCHW",
        |layout| layout.flip('C');
    "flipped along W", "NHWC" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NHWC",
        |layout| layout.flip('W');
    "flipped along W", "NCHW" [('N', 1), ('C', 3), ('H', 224), ('W', 224)] => "NCHW",
        |layout| layout.flip('W');
    "flipped along W", "NCHW" [('N', 1), ('C', 64), ('H', 56), ('W', 56)] => "NCHW",
        |layout| layout.flip('W');
    "each second pixel", "NHWC" [('N', 1), ('C', 64), ('H', 112), ('W', 112)] => "NHWC",
        each_second_pixel;
    "each second pixel", "NCHW" [('N', 1), ('C', 64), ('H', 112), ('W', 112)] => "NCHW",
        each_second_pixel;
    "each pixel twice along W", "NHWC" [('N', 64), ('H', 56), ('W', 56), ('C', 1)] => "NHWC",
        |layout| layout.broadcast('C', 2);
    "space to depth", "NCHW" [('N', 1), ('C', 16), ('H', 112), ('W', 112)] => "NCABHW",
        blocks_of_pixels;
};

impl Source {
    /// The tensor that the view is of.
    fn whole(&self, element: ElementType) -> Layout {
        let format = Format::parse(self.format).expect("a format");
        let whole = Layout::builder(format, element).named_extents(self.extents);
        whole.expect("a layout")
    }

    /// The view, and the tensor of its elements alone.
    fn layouts(&self, element: ElementType) -> (Layout, Layout) {
        let view = (self.view)(self.whole(element)).expect("a view");
        let format = Format::parse(self.packed).expect("a format");
        // Channels that do not fill a block are padded, in the same order of axes.
        let packed = view
            .in_format(format)
            .or_else(|_| Layout::builder(format, element).pad(0).extents(view.extents()));
        (view, packed.expect("a layout"))
    }

    /// The time of memcpy for the same number of bytes, divided by that of the relayout. A slow moment of the machine
    /// slows both.
    fn eff<U: Element<Unit = U> + Pod>(&self, element: ElementType) -> f64 {
        let (view, packed) = self.layouts(element);
        let plan = Plan::new(&view, &packed).expect("a plan");
        let mut from = vec![U::zeroed(); view.units()];
        for (i, byte) in bytemuck::cast_slice_mut::<U, u8>(&mut from).iter_mut().enumerate() {
            *byte = i as u8;
        }
        let (copied, mut to) =
            (vec![U::zeroed(); packed.units()], vec![U::zeroed(); packed.units()]);
        let own: timing::Candidate<U> =
            Box::new(|_, to| plan.run(black_box(&from), to).expect("lengths"));
        timing::eff(&own, &copied, &mut to)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {} -> {}", self.name, self.whole(ElementType::F32), self.packed)
    }
}

fn moving() {
    println!("view; eff of 8, 16 and 32 bits: the time of memcpy over that of the relayout");
    for source in SOURCES {
        let (bytes, halves, words) = (
            source.eff::<u8>(ElementType::U8),
            source.eff::<f16>(ElementType::F16),
            source.eff::<f32>(ElementType::F32),
        );
        println!("{source}; {bytes:.2} {halves:.2} {words:.2}");
    }
}

/// The time of memcpy, divided by that of a relayout in place.
fn moving_in_place() {
    println!("in place; eff");
    for (source, destination, extents) in [
        ("NCHW", "NHWC", [1, 64, 56, 56]),
        ("NHWC", "NCHW", [1, 3, 224, 224]),
        ("NHWC", "NCHW", [4, 256, 64, 64]),
        ("NCHW", "NCHW4", [1, 64, 56, 56]),
        ("NCHW4", "NCHW32", [8, 64, 7, 7]),
        ("NCHW4", "NCHW64", [2, 64, 113, 113]),
        ("NHWC", "CHWN", [16, 64, 31, 32]),
    ] {
        let [from, to] = [source, destination]
            .map(|format| Layout::of(format, &extents, ElementType::F32).expect("a layout"));
        let plan = Plan::new(&from, &to).expect("a plan");
        let (copied, mut buffer) = (vec![1f32; from.units()], vec![0f32; from.units()]);
        let own: timing::Candidate<f32> =
            Box::new(|_, buffer| plan.run_in_place(buffer).expect("lengths"));
        println!("{from} -> {to}; {:.2}", timing::eff(&own, &copied, &mut buffer));
    }
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
    targets = making, planning, viewing, finding, iterating, copying
}

/// `cargo bench --bench runtime -- moves` compares relayouts with memcpy, each in turns, which criterion does not; all
/// else is criterion's.
fn main() {
    if std::env::args().any(|argument| argument == "moves") {
        moving();
        moving_in_place();
    } else {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
}
