//! Element access beside loops over raw slices, side by side in one run.
//!
//! `cargo bench --bench access` prints CSV: the case, ours, the loop written by hand, and eff, the time of the
//! loop over ours; rates are 10^9 multiply-adds a second, times are ns an element. Both are timed in turns, and
//! the fastest of many rounds counts, since only slower ones are disturbed.

use std::hint::black_box;

use cpu_time::ThreadTime;
use tensor_layout::tensor::zip;
use tensor_layout::{Dynamic, Layout, Tensor, layout};

const C: usize = 32;
const H: usize = 58;
const W: usize = 58;

type Input = layout!(NCHW<1, C, H, W>, i8);
type Filter = layout!(CHW<C, 3, 3>, i8);
type Output = layout!(NCHW<1, C, { H - 2 }, { W - 2 }>, i32);

type X<'a> = Tensor<Input, &'a [i8]>;
type F<'a> = Tensor<Filter, &'a [i8]>;
type Y<'a> = Tensor<Output, &'a mut [i32]>;

#[inline(never)]
fn depthwise_index(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        for h in 0..H - 2 {
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(x[[0, c, h + r, w + s]]) * i32::from(filter[[c, r, s]]);
                    }
                }
                y[[0, c, h, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_borrowed(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    let (x, filter, mut y) = (x.borrow(), filter.borrow(), y.borrow_mut());
    for c in 0..C {
        for h in 0..H - 2 {
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(x[[0, c, h + r, w + s]]) * i32::from(filter[[c, r, s]]);
                    }
                }
                y[[0, c, h, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_rows(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        let filter = filter.row([c]);
        for h in 0..H - 2 {
            let rows = [x.row([0, c, h]), x.row([0, c, h + 1]), x.row([0, c, h + 2])];
            for (w, y) in y.row_mut([0, c, h]).iter_mut().enumerate() {
                *y = 0;
                for (row, filter) in rows.iter().zip(filter) {
                    for s in 0..3 {
                        *y += i32::from(row[w + s]) * i32::from(filter[s]);
                    }
                }
            }
        }
    }
}

#[inline(never)]
fn depthwise_views(x: &X<'_>, filter: &F<'_>, y: &mut Y<'_>) {
    for c in 0..C {
        let filter = filter.at::<'C'>(c);
        let (plane, mut y) = (x.at::<'C'>(c), y.at_mut::<'C'>(c));
        for h in 0..H - 2 {
            let rows = plane.window::<'H', 3>(h);
            let mut y = y.at_mut::<'H'>(h);
            for w in 0..W - 2 {
                let mut sum = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        sum += i32::from(rows[[0, r, w + s]]) * i32::from(filter[[r, s]]);
                    }
                }
                y[[0, w]] = sum;
            }
        }
    }
}

#[inline(never)]
fn depthwise_by_hand(x: &[i8], filter: &[i8], y: &mut [i32]) {
    for c in 0..C {
        let filter = &filter[c * 9..][..9];
        for h in 0..H - 2 {
            let row = |r: usize| &x[(c * H + h + r) * W..][..W];
            let rows = [row(0), row(1), row(2)];
            let y = &mut y[(c * (H - 2) + h) * (W - 2)..][..W - 2];
            for (w, y) in y.iter_mut().enumerate() {
                *y = 0;
                for r in 0..3 {
                    for s in 0..3 {
                        *y += i32::from(rows[r][w + s]) * i32::from(filter[r * 3 + s]);
                    }
                }
            }
        }
    }
}

const M: usize = 64;
const N: usize = 64;
const K: usize = 128;

type A = layout!(MK<M = M, K = K>, f32);
type B = layout!(NK16n<N = N, K = K>, f32);
type Product = layout!(MN<M = M, N = N>, f32);

#[inline(never)]
fn matmul_panels(
    a: &Tensor<A, &[f32]>,
    b: &Tensor<B, &[f32]>,
    c: &mut Tensor<Product, &mut [f32]>,
) {
    for n in 0..N / 16 {
        let panel: &[[f32; 16]; K] = b.row([n]);
        for m in 0..M {
            let mut sums = [0.0; 16];
            for (a, b) in a.row([m]).iter().zip(panel) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            c.row_mut([m])[n * 16..][..16].copy_from_slice(&sums);
        }
    }
}

#[inline(never)]
fn matmul_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for n in 0..N / 16 {
        let panel = &b[n * K * 16..][..K * 16];
        for m in 0..M {
            let mut sums = [0.0; 16];
            for (a, b) in a[m * K..][..K].iter().zip(panel.chunks_exact(16)) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
            c[m * N + n * 16..][..16].copy_from_slice(&sums);
        }
    }
}

#[inline(never)]
fn sum_for_each(x: &X<'_>) -> usize {
    let mut sum = 0;
    x.iter().for_each(|([_, c, _, w], element)| sum += (c ^ w) * element as usize);
    sum
}

#[inline(never)]
fn sum_in_a_for_loop(x: &X<'_>) -> usize {
    let mut sum = 0;
    for ([_, c, _, w], element) in x.iter() {
        sum += (c ^ w) * element as usize;
    }
    sum
}

#[inline(never)]
fn sum_by_hand(x: &[i8]) -> usize {
    let mut sum = 0;
    for c in 0..C {
        for h in 0..H {
            for w in 0..W {
                sum += (c ^ w) * x[(c * H + h) * W + w] as usize;
            }
        }
    }
    sum
}

type D<'a> = Tensor<Dynamic<i8, 4>, &'a [i8]>;

#[inline(never)]
fn sum_of_dynamic(x: &D<'_>) -> usize {
    let [_, channels, height, width] = x.extents();
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                sum += (c ^ w) * x[[0, c, h, w]] as usize;
            }
        }
    }
    sum
}

/// Strides and extents as a program has them that is told of both at run time.
struct Strided<'a> {
    units: &'a [i8],
    extents: [usize; 4],
    strides: [usize; 4],
}

#[inline(never)]
fn sum_of_strided_by_hand(x: &Strided<'_>) -> usize {
    let ([_, channels, height, width], strides) = (x.extents, x.strides);
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                let at = c * strides[1] + h * strides[2] + w * strides[3];
                sum += (c ^ w) * x.units[at] as usize;
            }
        }
    }
    sum
}

/// As [`Strided`], with channels in blocks.
struct Blocked<'a> {
    units: &'a [i8],
    extents: [usize; 4],
    strides: [usize; 4],
    block: usize,
}

#[inline(never)]
fn sum_of_blocks_by_hand(x: &Blocked<'_>) -> usize {
    let ([_, channels, height, width], strides) = (x.extents, x.strides);
    let mut sum = 0;
    for c in 0..channels {
        for h in 0..height {
            for w in 0..width {
                let at = c / x.block * strides[1] + h * strides[2] + w * strides[3] + c % x.block;
                sum += (c ^ w) * x.units[at] as usize;
            }
        }
    }
    sum
}

type Planes = layout!(NCHW<1, 64, 28, 28>, f32);
type Blocks = layout!(NCHW4<1, 64, 28, 28>, f32);

#[inline(never)]
fn zip_of_one_layout(
    a: &Tensor<Blocks, &[f32]>,
    b: &Tensor<Blocks, &[f32]>,
    c: &mut Tensor<Blocks, &mut [f32]>,
) {
    zip((a, b, c)).expect("one layout").for_each(|a, b, c| *c = a * 2.0 + b);
}

#[inline(never)]
fn zip_of_one_layout_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        *c = a * 2.0 + b;
    }
}

#[inline(never)]
fn zip_of_two_layouts(
    a: &Tensor<Planes, &[f32]>,
    b: &Tensor<Blocks, &[f32]>,
    c: &mut Tensor<Blocks, &mut [f32]>,
) {
    zip((a, b, c)).expect("the same extents").for_each(|a, b, c| *c = a * 2.0 + b);
}

#[inline(never)]
fn zip_of_two_layouts_by_hand(a: &[f32], b: &[f32], c: &mut [f32]) {
    for block in 0..16 {
        for pixel in 0..784 {
            for i in 0..4 {
                let at = (block * 784 + pixel) * 4 + i;
                c[at] = a[(block * 4 + i) * 784 + pixel] * 2.0 + b[at];
            }
        }
    }
}

type SwizzledRows = layout!(MK<M = 512, K = 64>, f32, swizzle = b128);
type SwizzledColumns = layout!(KM<M = 512, K = 64>, f32, swizzle = b128);

#[inline(never)]
fn zip_of_swizzles(a: &Tensor<SwizzledRows, &[f32]>, c: &mut Tensor<SwizzledColumns, &mut [f32]>) {
    zip((a, c)).expect("the same extents").for_each(|a, c| *c = a * 2.0);
}

#[inline(never)]
fn zip_of_swizzles_by_hand(a: &[f32], c: &mut [f32]) {
    for m in 0..512 {
        for k in 0..64 {
            let at = k * 512 + m;
            let from = m * 64 + k;
            c[at ^ (((at >> 5) & 7) << 2)] = a[from ^ (((from >> 5) & 7) << 2)] * 2.0;
        }
    }
}

/// Seconds that one call takes, over a batch of at least a millisecond.
fn seconds(call: &mut dyn FnMut()) -> f64 {
    let mut repeats = 1;
    loop {
        let start = ThreadTime::now();
        (0..repeats).for_each(|_| call());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed > 1e-3 {
            return elapsed / f64::from(repeats);
        }
        repeats *= 2;
    }
}

/// Prints the fastest of both, for `count` elements or multiply-adds.
fn compare(title: &str, count: usize, rate: bool, ours: &mut dyn FnMut(), hand: &mut dyn FnMut()) {
    let mut least = [f64::MAX; 2];
    for _ in 0..60 {
        least[0] = least[0].min(seconds(ours));
        least[1] = least[1].min(seconds(hand));
    }
    let count = count as f64;
    let shown = least.map(|s| if rate { count / s / 1e9 } else { s / count * 1e9 });
    println!("{title}; {:.2}; {:.2}; {:.2}", shown[0], shown[1], least[1] / least[0]);
}

fn convolutions() {
    let x: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let filter: Vec<i8> = (0..Filter::LEN).map(|i| (i * 5 % 31) as i8).collect();
    let (mut ours, mut by_hand) = (vec![0; Output::LEN], vec![0; Output::LEN]);
    let tensors =
        (Tensor::new(&x[..]).expect("a length"), Tensor::new(&filter[..]).expect("a length"));
    type Kernel = fn(&X<'_>, &F<'_>, &mut Y<'_>);
    let kernels: [(&str, Kernel); 4] = [
        ("index", depthwise_index),
        ("index of borrowed tensors", depthwise_borrowed),
        ("rows", depthwise_rows),
        ("views", depthwise_views),
    ];
    for (name, kernel) in kernels {
        let mut y = Tensor::<Output, _>::new(&mut ours[..]).expect("a length");
        compare(
            &format!("depthwise 3x3 i8 by {name}, 10^9 multiply-adds/s"),
            Output::LEN * 9,
            true,
            &mut || kernel(black_box(&tensors.0), black_box(&tensors.1), black_box(&mut y)),
            &mut || depthwise_by_hand(black_box(&x), black_box(&filter), black_box(&mut by_hand)),
        );
        assert_eq!(ours, by_hand);
    }
}

fn products() {
    let a: Vec<f32> = (0..A::LEN).map(|i| (i % 17) as f32).collect();
    let b: Vec<f32> = (0..B::LEN).map(|i| (i % 13) as f32).collect();
    let (mut ours, mut by_hand) = (vec![0.0; Product::LEN], vec![0.0; Product::LEN]);
    let tensors = (Tensor::new(&a[..]).expect("a length"), Tensor::new(&b[..]).expect("a length"));
    let mut c = Tensor::new(&mut ours[..]).expect("a length");
    compare(
        "packed matmul f32 by rows, 10^9 multiply-adds/s",
        M * N * K,
        true,
        &mut || matmul_panels(black_box(&tensors.0), black_box(&tensors.1), black_box(&mut c)),
        &mut || matmul_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand)),
    );
    assert_eq!(ours, by_hand);
}

fn visits() {
    let x: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let tensor = Tensor::<Input, _>::new(&x[..]).expect("a length");
    type Sum = fn(&X<'_>) -> usize;
    let sums: [(&str, Sum); 2] = [("for_each", sum_for_each), ("a for loop", sum_in_a_for_loop)];
    for (name, sum) in sums {
        assert_eq!(sum(&tensor), sum_by_hand(&x));
        compare(
            &format!("iter by {name}, ns"),
            Input::LEN,
            false,
            &mut || _ = black_box(sum(black_box(&tensor))),
            &mut || _ = black_box(sum_by_hand(black_box(&x))),
        );
    }
    let (a, b) = (vec![1.0; Blocks::LEN], vec![3.0; Blocks::LEN]);
    let (mut ours, mut by_hand) = (vec![0.0; Blocks::LEN], vec![0.0; Blocks::LEN]);
    let (planes, blocks) =
        (Tensor::new(&a[..]).expect("a length"), Tensor::new(&a[..]).expect("a length"));
    let other = Tensor::new(&b[..]).expect("a length");
    let mut c = Tensor::new(&mut ours[..]).expect("a length");
    compare(
        "zip of one layout, ns",
        Blocks::LEN,
        false,
        &mut || zip_of_one_layout(black_box(&blocks), black_box(&other), black_box(&mut c)),
        &mut || zip_of_one_layout_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand)),
    );
    compare(
        "zip of two layouts, ns",
        Blocks::LEN,
        false,
        &mut || zip_of_two_layouts(black_box(&planes), black_box(&other), black_box(&mut c)),
        &mut || zip_of_two_layouts_by_hand(black_box(&a), black_box(&b), black_box(&mut by_hand)),
    );
    assert_eq!(ours, by_hand);
}

fn dynamic_layouts() {
    let units: Vec<i8> = (0..Input::LEN).map(|i| (i * 7 % 251) as i8).collect();
    let tensor = |format: &str| {
        let layout = Layout::parse(&format!("{format}<1, {C}, {H}, {W}>, i8")).expect("a layout");
        Tensor::with_layout(Dynamic::<i8, 4>::new(layout).expect("4 axes"), &units[..])
            .expect("a length")
    };
    let extents = [1, C, H, W];
    let planes = tensor("NCHW");
    let by_hand = Strided { units: &units, extents, strides: [0, H * W, W, 1] };
    assert_eq!(sum_of_dynamic(&planes), sum_of_strided_by_hand(&by_hand));
    compare(
        "index of a layout at run time, ns",
        Input::LEN,
        false,
        &mut || _ = black_box(sum_of_dynamic(black_box(&planes))),
        &mut || _ = black_box(sum_of_strided_by_hand(black_box(&by_hand))),
    );
    let blocks = tensor("NCHW4");
    let by_hand = Blocked { units: &units, extents, strides: [0, H * W * 4, W * 4, 4], block: 4 };
    assert_eq!(sum_of_dynamic(&blocks), sum_of_blocks_by_hand(&by_hand));
    compare(
        "index of blocks at run time, ns",
        Input::LEN,
        false,
        &mut || _ = black_box(sum_of_dynamic(black_box(&blocks))),
        &mut || _ = black_box(sum_of_blocks_by_hand(black_box(&by_hand))),
    );
}

fn swizzles() {
    let a: Vec<f32> = (0..SwizzledRows::LEN).map(|i| i as f32).collect();
    let (mut ours, mut by_hand) = (vec![0.0; a.len()], vec![0.0; a.len()]);
    let from = Tensor::new(&a[..]).expect("a length");
    let mut to = Tensor::new(&mut ours[..]).expect("a length");
    compare(
        "zip of swizzles, ns",
        a.len(),
        false,
        &mut || zip_of_swizzles(black_box(&from), black_box(&mut to)),
        &mut || zip_of_swizzles_by_hand(black_box(&a), black_box(&mut by_hand)),
    );
    assert_eq!(ours, by_hand);
}

fn main() {
    println!("case; ours; by hand; eff");
    convolutions();
    products();
    visits();
    dynamic_layouts();
    swizzles();
}
