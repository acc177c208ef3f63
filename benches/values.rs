//! Casts of elements of less than a byte and of small floats, and requantization, against memcpy of the larger side and
//! against loops by hand, side by side in one run.
//!
//! `RUSTFLAGS=-Ctarget-cpu=native cargo bench --bench values [-- PART OF A CASE]` prints CSV: the case, the elements of
//! a nanosecond, eff, the time of memcpy of the larger buffer over that of the conversion, and the time of a loop by
//! hand over that of the conversion, where both sides have one order. Each takes its turn in each of nine rounds;
//! figures are medians. The larger side has 64 KiB or 64 MiB. Beside values of records, `GGML=FILE` runs ggml's
//! functions, from the library that `tests/conformance/ggml_values.py GGML --library FILE` makes.

use std::ffi::{CString, c_char, c_int, c_void};
use std::hint::black_box;

use tensor_layout::plain;
use tensor_layout::records::{Record, ValuePlan, ValueSide};
use tensor_layout::{
    Conversion, ConversionPlan, FixedPoint, HighFirst, Layout, Number, f4e2m1, f8e4m3, f8e5m2, i4,
    u1, u2, u4,
};

mod stopwatch;

use stopwatch::{aligned, seconds};

/// The number of columns of requantized matrices.
const COLUMNS: usize = 256;

/// Casts tensors of one type to another. `hand` converts a buffer of elements in order.
fn run<S: Number, D: Number>(hand: impl Fn(&[S::Unit], &mut [D::Unit]) + Copy)
where
    S::Unit: Copy,
    D::Unit: Copy,
{
    run_by::<S, D>(&Conversion::cast(), "", None, hand);
}

/// The same with any conversion, and with this number of columns.
fn run_by<S: Number, D: Number>(
    conversion: &Conversion<'_>,
    name: &str,
    columns: Option<usize>,
    hand: impl Fn(&[S::Unit], &mut [D::Unit]) + Copy,
) where
    S::Unit: Copy,
    D::Unit: Copy,
{
    for bytes in [64 << 10, 64 << 20] {
        let bits = S::TYPE.bits().max(D::TYPE.bits());
        let columns = columns.unwrap_or(1 << (bytes * 8 / bits).ilog2().div_ceil(2));
        let rows = bytes * 8 / bits / columns;
        for to in ["MK", "KM"] {
            let layout =
                |format, element| Layout::of(format, &[rows, columns], element).expect("a layout");
            measure::<S, D>(
                layout("MK", S::TYPE),
                layout(to, D::TYPE),
                (conversion, name),
                (to == "MK").then_some(&hand),
            );
        }
    }
}

fn measure<S: Number, D: Number>(
    source: Layout,
    destination: Layout,
    (conversion, name): (&Conversion<'_>, &str),
    hand: Option<&impl Fn(&[S::Unit], &mut [D::Unit])>,
) where
    S::Unit: Copy,
    D::Unit: Copy,
{
    let title = format!("{source} -> {destination}{name}");
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if filter.is_some_and(|filter| !title.contains(&filter)) {
        return;
    }
    let plan = ConversionPlan::<S, D>::new(&source, &destination, conversion).expect("a plan");
    let mut from = vec![plain::zero::<S::Unit>(); source.units() + 64];
    let mut to = vec![plain::zero::<D::Unit>(); destination.units() + 64];
    let from = aligned(&mut from, source.units());
    // Fresh pages of zeros may all be one; these bytes are ordinary numbers of every type.
    plain::as_bytes_mut(from).fill(0x35);
    let to = aligned(&mut to, destination.units());
    let bytes = source.bytes().max(destination.bytes());
    let (mut a, mut b) = (vec![1u8; bytes + 64], vec![0u8; bytes + 64]);
    let (a, b) = (aligned(&mut a, bytes), aligned(&mut b, bytes));
    if let Some(hand) = hand {
        plan.run(from, to).expect("lengths");
        let mut same = to.to_vec();
        plain::as_bytes_mut(&mut same).fill(0);
        hand(from, &mut same);
        let bytes = |units| plain::as_bytes(units);
        assert!(bytes(to) == bytes(&same), "{title}: the loop by hand makes the same elements");
    }
    let mut round = || {
        let memcpy = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
        let own = seconds(|| plan.run(black_box(from), black_box(to)).expect("lengths"));
        let hand = hand.map_or(f64::NAN, |hand| seconds(|| hand(black_box(from), black_box(to))));
        [own, memcpy / own, hand / own]
    };
    let rounds: [_; 9] = std::array::from_fn(|_| round());
    let [own, eff, by_hand] = std::array::from_fn(|i| {
        let mut all = rounds.map(|round: [f64; 3]| round[i]);
        all.sort_by(f64::total_cmp);
        all[4]
    });
    println!("{title}; {:.2}; {eff:.2}; {by_hand:.2}", source.numel() as f64 / own * 1e-9);
}

/// A loop over bytes that hold `N` elements each.
fn bytes_to<const N: usize, D>(one: impl Fn(u8) -> D + Copy) -> impl Fn(&[u8], &mut [D]) + Copy {
    move |from, to| {
        for (from, to) in from.iter().zip(to.chunks_exact_mut(N)) {
            for (i, to) in to.iter_mut().enumerate() {
                *to = one(from >> (8 / N * i) & (0xff >> (8 - 8 / N)));
            }
        }
    }
}

/// A loop over elements.
fn each<S: Copy, D>(one: impl Fn(S) -> D + Copy) -> impl Fn(&[S], &mut [D]) + Copy {
    move |from, to| {
        for (from, to) in from.iter().zip(to) {
            *to = one(*from);
        }
    }
}

fn main() {
    println!("case; elements / ns; eff; hand / ours");
    run::<u4, i8>(bytes_to::<2, _>(|code| code as i8));
    run::<u4, f32>(bytes_to::<2, _>(f32::from));
    run::<i4, f32>(bytes_to::<2, _>(|code| f32::from((code << 4) as i8 >> 4)));
    run::<HighFirst<u4>, f32>(|from, to: &mut [f32]| {
        for (from, to) in from.iter().zip(to.chunks_exact_mut(2)) {
            (to[0], to[1]) = ((from >> 4).into(), (from & 15).into());
        }
    });
    run::<u2, i8>(bytes_to::<4, _>(|code| code as i8));
    run::<u1, i8>(bytes_to::<8, _>(|code| code as i8));
    run::<i8, u4>(|from, to: &mut [u8]| {
        for (from, to) in from.chunks_exact(2).zip(to) {
            let [low, high] = [0, 1].map(|i| from[i].clamp(0, 15) as u8);
            *to = low | high << 4;
        }
    });
    run::<f4e2m1, f32>(bytes_to::<2, _>(|code| f4e2m1::from_bits(code).to_f32()));
    run::<f8e4m3, f32>(each(f8e4m3::to_f32));
    run::<f8e5m2, f32>(each(f8e5m2::to_f32));
    run::<f32, f8e4m3>(each(f8e4m3::from_f32));
    run::<f32, f8e5m2>(each(f8e5m2::from_f32));
    run_by::<u8, i8>(&Conversion::offset(-128), " by offset", None, each(|one| (one ^ 0x80) as i8));
    requantize(FixedPoint::single(), "once");
    requantize(FixedPoint::double(), "twice");
    records();
}

/// Values of records of rows: to f32 and from it, in order and in columns.
fn records() {
    let names = "Q4_0 Q4_1 Q5_0 Q8_0 IQ4_NL MXFP4 NVFP4 Q4_K Q2_K Q6_K";
    for (name, rows) in names.split(' ').flat_map(|name| [(name, 4), (name, 4096)]) {
        let blocks = Record::parse(&format!("MK<{rows}, 4096>, ggml::{name}")).expect("a record");
        for format in ["MK", "KM"] {
            let extents = format!("{format}<M = {rows}, K = 4096>, f32");
            let plain = Layout::parse(&extents).expect("a layout");
            let title = format!("MK<{rows}, 4096>, {name}");
            let ggml = |start: &str, end: &str| match format {
                "MK" => {
                    ggml(&format!("{start}_row_{}{end}", name.to_lowercase().replace("_k", "_K")))
                }
                _ => None,
            };
            let (from, to) = ((&blocks).into(), (&plain).into());
            record(&format!("{title} -> {format}"), from, to, ggml("dequantize", ""));
            record(&format!("{format} -> {title}"), to, from, ggml("quantize", "_ref"));
        }
    }
}

/// A function of ggml, from a buffer to one of this number of elements.
type Ggml = unsafe extern "C" fn(*const u8, *mut u8, i64);

/// A function of the library `GGML`, if this variable is set and the library has it.
fn ggml(name: &str) -> Option<Ggml> {
    unsafe extern "C" {
        fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }

    let path = CString::new(std::env::var("GGML").ok()?).ok()?;
    let name = CString::new(name).ok()?;
    // SAFETY: the path is a string that ends with 0; 1 is RTLD_LAZY. The library of this variable runs nothing yet.
    let library = unsafe { dlopen(path.as_ptr(), 1) };
    assert!(!library.is_null(), "no library {path:?}");
    // SAFETY: the library is open, and the name ends with 0.
    let function = unsafe { dlsym(library, name.as_ptr()) };
    // SAFETY: functions of ggml of these names have this type.
    (!function.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Ggml>(function) })
}

/// Measures a conversion of values, if the destination has a quantizer, beside a function of ggml.
fn record(title: &str, from: ValueSide<'_>, to: ValueSide<'_>, ggml: Option<Ggml>) {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if filter.is_some_and(|filter| !title.contains(&filter)) {
        return;
    }
    let Ok(plan) = ValuePlan::new(from, to, None) else { return };
    let bytes = |side| match side {
        ValueSide::Record(record) => record.bytes(0),
        ValueSide::Layout(layout) => layout.bytes(),
        ValueSide::Tensors { .. } => 0,
    };
    // Numbers of many magnitudes below 2, also as scales.
    let random = |i: usize| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8;
    let byte = |i| if i % 4 == 3 { 0x3e | random(i) & 0x81 } else { random(i) };
    let (mut source, mut destination) = (vec![0u8; bytes(from) + 64], vec![0u8; bytes(to) + 64]);
    let source = aligned(&mut source, bytes(from));
    source.iter_mut().enumerate().for_each(|(i, own)| *own = byte(i));
    let destination = aligned(&mut destination, bytes(to));
    let larger = source.len().max(destination.len());
    let (a, mut b) = (vec![1u8; larger], vec![0u8; larger]);
    let mut round = || {
        let memcpy = seconds(|| black_box(&mut b).copy_from_slice(black_box(&a)));
        let own = seconds(|| {
            plan.run(&[black_box(&*source)], &mut [black_box(&mut *destination)]).expect("lengths");
        });
        let hand = ggml.map_or(f64::NAN, |ggml| {
            let (from, to) = (black_box(source.as_ptr()), black_box(destination.as_mut_ptr()));
            // SAFETY: both sides have rows of whole blocks, and the larger one an `f32` for each element.
            seconds(|| unsafe { ggml(from, to, larger as i64 / 4) })
        });
        [own, memcpy / own, hand / own]
    };
    let rounds: [_; 9] = std::array::from_fn(|_| round());
    let [own, eff, by_hand] = std::array::from_fn(|i| {
        let mut all = rounds.map(|round| round[i]);
        all.sort_by(f64::total_cmp);
        all[4]
    });
    println!("{title}; {:.2}; {eff:.2}; {by_hand:.2}", larger as f64 / 4.0 / own * 1e-9);
}

/// Requantizes sums to bytes, with a factor for the tensor or one for each column, beside loops over one number.
fn requantize(how: FixedPoint, rounded: &str) {
    let how = how.zero_point(-3).range(-128, 127);
    let multipliers: [i32; COLUMNS] =
        std::array::from_fn(|i| (1 << 30) + ((i as i32 * 0x0061_c887) & 0x3fff_ffff));
    let shifts: [i32; COLUMNS] = std::array::from_fn(|i| -20 - (i % 7) as i32);
    let conversion = Conversion::requantize(multipliers[0], shifts[0], how);
    run_by::<i32, i8>(
        &conversion,
        &format!(" rounded {rounded}"),
        Some(COLUMNS),
        move |from, to| {
            let (multiplier, shift) = (black_box(multipliers[0]), black_box(shifts[0]));
            for (from, to) in from.iter().zip(to) {
                *to = how.requantize(*from, multiplier, shift) as i8;
            }
        },
    );
    let conversion = Conversion::requantize_per_axis('K', &multipliers, &shifts, how);
    let name = format!(" rounded {rounded}, a factor for each K");
    run_by::<i32, i8>(&conversion, &name, Some(COLUMNS), move |from, to| {
        for (from, to) in from.chunks_exact(COLUMNS).zip(to.chunks_exact_mut(COLUMNS)) {
            let factors = multipliers.iter().zip(&shifts);
            for ((from, to), (multiplier, shift)) in from.iter().zip(to).zip(factors) {
                *to = how.requantize(*from, *multiplier, *shift) as i8;
            }
        }
    });
}
