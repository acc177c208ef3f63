//! Moves between records, against memcpy of the larger side, side by side in one run.
//!
//! `cargo bench --bench records [-- PART OF A CASE]` prints CSV: the case, and memcpy's time over ours where source and
//! destination take about 64 KB, 4 MB and 72 MB each, then the geometric mean of the three. Each takes its turn in each of
//! nine rounds; figures are the ratios of the least times. Lines of `plain loops` are those of Q4_0 as ggml writes them.
//! `sums` are packs whose sums are computed, then the same packs from the sums.
//!
//! With `--features rayon`, moves and memcpy take two threads, each thread of memcpy a half, and wall time counts.

use std::hint::black_box;

use tensor_layout::records::{FieldChange, Record, RecordPlan};

#[cfg_attr(feature = "rayon", allow(dead_code, reason = "wall time counts"))]
mod stopwatch;

use stopwatch::aligned;
#[cfg(not(feature = "rayon"))]
use stopwatch::seconds;

/// Wall time of a call: as [`stopwatch::seconds`], whose time is that of one thread.
#[cfg(feature = "rayon")]
fn seconds(mut call: impl FnMut()) -> f64 {
    let start = std::time::Instant::now();
    let mut repeats = 0;
    while repeats == 0 || start.elapsed().as_secs_f64() < 5e-4 {
        call();
        repeats += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(repeats)
}

fn copy(from: &[u8], to: &mut [u8]) {
    #[cfg(feature = "rayon")]
    {
        let ((a, b), (to, more)) = (from.split_at(from.len() / 2), to.split_at_mut(from.len() / 2));
        rayon::join(|| to.copy_from_slice(a), || more.copy_from_slice(b));
    }
    #[cfg(not(feature = "rayon"))]
    to.copy_from_slice(from);
}

fn run(plan: &RecordPlan, source: &[&mut [u8]], destination: &mut [&mut [u8]]) {
    #[cfg(feature = "rayon")]
    plan.par_run(source, destination).expect("lengths");
    #[cfg(not(feature = "rayon"))]
    plan.run(source, destination).expect("lengths");
}

/// The bytes of a side, about.
const SIZES: [usize; 3] = [64 << 10, 4 << 20, 72 << 20];

/// Records of ggml: rows, and those beside one another.
const PACKED: &str = "Q4_0 q4_0x4_4, Q4_0 q4_0x4_8, Q4_0 q4_0x8_8, Q4_0 q4_0x16_1, Q8_0 q8_0x4_4, Q8_0 q8_0x4_8, \
    Q8_0 q8_0x16_1, IQ4_NL iq4_nlx4_4, IQ4_NL iq4_nlx8_8, MXFP4 mxfp4x4_4, Q4_K q4_Kx8_4, Q4_K q4_Kx8_8";

/// Other pairs: extents but for the first one, and two sides.
const PAIRS: [[&str; 3]; 11] = [
    [
        "M = _, K = 4096",
        "MK<>, ggml::Q2_K",
        "MK<>, { d: 8m f16, dm: 8m f16, 8k/32 8m 2k/16 { s: u4, m: u4 }, q: 2k/128 4k/8 8m 8k 4k/32 u2 }",
    ],
    ["N = _, K = 4096", "NK<>, kleidiai::qsi4c32p", "NK<>, { d: f16, q: 32k i4 } = d * q"],
    [
        "N = _, K = 4096",
        "<>, { q: N K i8; sum: N i32; scale: N f32; bias: N f32 }",
        "N<>, kleidiai::qsi8cxp",
    ],
    [
        "N = _, K = 4096",
        "<>, { q: N K i4; sum: N i32; scale: N f32; bias: N f32 }",
        "N<>, kleidiai::qsi4cxp",
    ],
    ["N = _, K = 4096, G = 1", "<>, { w: G N K i8; bias: G N i32 }", "GN<>, xnnpack::qs8_gemm_8x4"],
    [
        "A = _, B = 4096, C = 1, D = 1",
        "<>, { w: A B C D i8; c: A i32; z: A i32 }",
        "<>, onednn::s8s8_4b32a4b",
    ],
    ["H = _, W = 2048", "<>, video::nv12", "<>, { y: H W u8; uv: 2c H/2 W/2 u8 }"],
    ["H = _, W = 2048", "<>, video::i420", "<>, { y: H W u8; u: H/2 W/2 u8; v: H/2 W/2 u8 }"],
    ["H = _, W = 2048", "HW<>, video::yuyv422", "<>, { y: H W u8; u: H W/2 u8; v: H W/2 u8 }"],
    ["H = _, W = 2048", "HW<>, raw::raw10", "<>, { hi: H W u8; lo: H W u2 }"],
    ["N = _, K = 4096", "<>, { q: N K u4 }", "<>, { q: N/8 K 8n u4 }"],
];

/// Packs from what has no sums, and from what has them, and the values that sums take.
const SUMS: [[&str; 5]; 4] = [
    [
        "N = _, K = 4096",
        "<>, { q: N K i8; scale: N f32; bias: N f32 }",
        "<>, { q: N K i8; sum: N i32; scale: N f32; bias: N f32 }",
        "N<>, kleidiai::qsi8cxp",
        "izp",
    ],
    [
        "N = _, K = 4096",
        "<>, { q: N K i4; s: N f32; bias: N f32 }",
        "<>, { q: N K i4; sum: N i32; scale: N f32; bias: N f32 }",
        "N<>, kleidiai::qsi4cxp",
        "",
    ],
    [
        "N = _, K = 4096, G = 1",
        "<>, { w: G N K i8; b: G N i32 }",
        "<>, { w: G N K i8; bias: G N i32 }",
        "GN<>, xnnpack::qs8_gemm_8x4",
        "izp kzp",
    ],
    [
        "A = _, B = 4096, C = 1, D = 1",
        "<>, { w: A B C D i8 }",
        "<>, { w: A B C D i8; c: A i32; z: A i32 }",
        "<>, onednn::s8s8_4b32a4b",
        "",
    ],
];

fn main() {
    #[cfg(feature = "rayon")]
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().expect("threads");
    println!("case; 64 KB; 4 MB; 72 MB; mean");
    for pair in PACKED.split(", ") {
        let (from, to) = pair.split_once(' ').expect("two names");
        let sides = [from, to].map(|name| format!("MK<M = _, K = 4096>, ggml::{name}"));
        both(&sides);
    }
    plain::<4, 4>("q4_0x4_4");
    plain::<4, 8>("q4_0x4_8");
    plain::<8, 8>("q4_0x8_8");
    plain::<16, 1>("q4_0x16_1");
    for [extents, from, to] in PAIRS {
        both(&[from, to].map(|side| side.replace("<>", &format!("<{extents}>"))));
    }
    for [extents, from, with, to, values] in SUMS {
        let [from, with, to] =
            [from, with, to].map(|side| side.replace("<>", &format!("<{extents}>")));
        measure("sums, ", [&from, &to], values);
        measure("sums are given, ", [&with, &to], "");
    }
}

/// The bytes of a block, and the blocks of a row.
const BLOCK: usize = 18;
const BLOCKS: usize = 128;

/// Loops over blocks of `ROWS` rows of Q4_0: their scales, then `WORD` bytes of codes of each row in turn, flipped.
fn packed<const ROWS: usize, const WORD: usize>(rows: &mut [u8], all: &mut [u8], back: bool) {
    let groups = rows.chunks_exact_mut(ROWS * BLOCKS * BLOCK);
    for (rows, all) in groups.zip(all.chunks_exact_mut(ROWS * BLOCKS * BLOCK)) {
        for (block, all) in all.chunks_exact_mut(ROWS * BLOCK).enumerate() {
            let at = |row: usize, byte: usize| (row * BLOCKS + block) * BLOCK + byte;
            let (scales, codes) = all.split_at_mut(2 * ROWS);
            for (row, scale) in scales.chunks_exact_mut(2).enumerate() {
                let own = &mut rows[at(row, 0)..][..2];
                if back { own.copy_from_slice(scale) } else { scale.copy_from_slice(own) }
            }
            for (i, codes) in codes.chunks_exact_mut(WORD).enumerate() {
                let own = &mut rows[at(i % ROWS, 2 + i / ROWS * WORD)..][..WORD];
                let (from, to) = if back { (codes, own) } else { (own, codes) };
                let word: [u8; WORD] = (&*from).try_into().expect("a word");
                to.copy_from_slice(&word.map(|byte| byte ^ 0x88));
            }
        }
    }
}

/// Measures plain loops in both directions.
fn plain<const ROWS: usize, const WORD: usize>(name: &str) {
    for back in [false, true] {
        let title = if back { format!("{name} -> Q4_0") } else { format!("Q4_0 -> {name}") };
        let ratios = SIZES.map(|size| {
            let length = size / (16 * BLOCKS * BLOCK) * 16 * BLOCKS * BLOCK;
            let mut both = [vec![1u8; length + 64], vec![2u8; length + 64]];
            let [a, b] = both.each_mut().map(|own| aligned(own, length));
            let mut least = [f64::INFINITY; 2];
            for _ in 0..9 {
                let memcpy = seconds(|| black_box(&mut *b).copy_from_slice(black_box(a)));
                let own = seconds(|| packed::<ROWS, WORD>(black_box(a), black_box(b), back));
                least = [least[0].min(memcpy), least[1].min(own)];
            }
            least[0] / least[1]
        });
        let [a, b, c] = ratios;
        println!("plain loops, {title}; {a:.2}; {b:.2}; {c:.2}; {:.2}", (a * b * c).cbrt());
    }
}

/// Measures a pair in both directions.
fn both([from, to]: &[String; 2]) {
    measure("", [from, to], "");
    measure("", [to, from], "");
}

fn measure(kind: &str, [from, to]: [&str; 2], values: &str) {
    let title = format!("{kind}{from} -> {to}").replace("K = 4096", "4096").replace("M = _", "_");
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if filter.is_some_and(|filter| !title.contains(&filter)) {
        return;
    }
    let ratios = SIZES.map(|bytes| ratio([from, to], values, bytes));
    let mean = ratios.iter().product::<f64>().cbrt();
    let [a, b, c] = ratios;
    println!("{title}; {a:.2}; {b:.2}; {c:.2}; {mean:.2}");
}

/// The time of memcpy over that of the move.
fn ratio([from, to]: [&str; 2], values: &str, size: usize) -> f64 {
    let with = |text: &str, rows: usize| {
        Record::parse(&text.replacen('_', &rows.to_string(), 1)).expect("a record")
    };
    let all = |own: &Record| (0..own.buffers()).map(|i| own.bytes(i)).sum::<usize>();
    let least = all(&with(from, 32)).max(all(&with(to, 32)));
    let rows = (size / least).max(1) * 32;
    let (from, to) = (with(from, rows), with(to, rows));
    let values: Vec<_> =
        values.split_terminator(' ').map(|name| FieldChange::add(name, 1i8)).collect();
    let plan = RecordPlan::with_changes(&from, &to, &values).expect("a plan");
    let new = |of: &Record| (0..of.buffers()).map(|i| vec![3u8; of.bytes(i) + 64]).collect();
    let (mut source, mut destination): (Vec<_>, Vec<_>) = (new(&from), new(&to));
    let source: Vec<_> =
        source.iter_mut().enumerate().map(|(i, own)| aligned(own, from.bytes(i))).collect();
    let mut destination: Vec<_> =
        destination.iter_mut().enumerate().map(|(i, own)| aligned(own, to.bytes(i))).collect();
    let bytes = all(&from).max(all(&to));
    let (mut a, mut b) = (vec![1u8; bytes + 64], vec![2u8; bytes + 64]);
    let (a, b) = (aligned(&mut a, bytes), aligned(&mut b, bytes));
    let mut least = [f64::INFINITY; 2];
    for _ in 0..9 {
        let memcpy = seconds(|| copy(black_box(a), black_box(b)));
        // In the caches, as after memcpy's first call.
        run(&plan, &source, &mut destination);
        let own = seconds(|| run(&plan, &source, &mut destination));
        least = [least[0].min(memcpy), least[1].min(own)];
    }
    least[0] / least[1]
}
