//! Families of moves against memcpy in the same loop, and against today's library.
//!
//! `cargo bench -p layout-engine --features std --bench engine -- FAMILY [PART OF A CASE] [--isa=NAME] [--stores=..]` prints a case, `eff` (the
//! time of memcpy over the time of the candidate) of the engine and of the library, and the engine's plan. Families:
//! rows, permutations, real, cases, channels, widths, plans.

use std::collections::HashMap;
use std::hint::black_box;

use cpu_time::ThreadTime;
use layout_engine::{Isa, Loop, Move, Plan, Stores};

/// A permutation of digits: a dense source of `sizes`, and the dense destination in `order`, both slowest first.
struct Case {
    name: String,
    sizes: Vec<usize>,
    order: Vec<usize>,
    bytes: usize,
}

impl Case {
    fn new(name: &str, sizes: &[usize], order: &[usize], bytes: usize) -> Self {
        Self { name: format!("{name} x{bytes}"), sizes: sizes.into(), order: order.into(), bytes }
    }

    fn length(&self) -> usize {
        self.sizes.iter().product::<usize>() * self.bytes
    }

    fn loops(&self) -> Vec<Loop> {
        let rank = self.sizes.len();
        let (mut from, mut to) = (vec![0isize; rank], vec![0isize; rank]);
        let (mut s, mut d) = (self.bytes as isize, self.bytes as isize);
        for axis in (0..rank).rev() {
            from[axis] = s;
            s *= self.sizes[axis] as isize;
            let own = self.order[axis];
            to[own] = d;
            d *= self.sizes[own] as isize;
        }
        (0..rank).map(|i| Loop::new(self.sizes[i], from[i], to[i])).collect()
    }
}

fn permutations() -> Vec<Case> {
    let shapes: [(&[usize], &[&str]); 15] = [
        (&[1024, 1024], &["10"]),
        (&[6510, 184], &["10"]),
        (&[184, 6510], &["10"]),
        (&[96, 96, 96], &["021", "102", "210"]),
        (&[384, 24, 96], &["021", "102", "210"]),
        (&[24, 384, 100], &["021", "102", "210"]),
        (&[192, 8, 10, 60], &["0321", "1032", "2031", "2130", "3210"]),
        (&[20, 24, 120, 16], &["0321", "1032", "2031", "2130", "3210"]),
        (&[32, 32, 30, 32], &["0321", "1032", "2031", "2130", "3210"]),
        (&[24, 6, 20, 9, 40], &["04213", "13042", "20413", "32140", "43210"]),
        (&[64, 8, 10, 8, 24], &["04213", "13042", "20413", "32140", "43210"]),
        (&[16, 16, 15, 16, 16], &["04213", "13042", "20413", "32140", "43210"]),
        (&[12, 10, 9, 8, 10, 12], &["032541", "204153", "320514", "325104", "543210"]),
        (&[40, 4, 6, 8, 6, 20], &["032541", "204153", "320514", "325104", "543210"]),
        (&[7, 9, 10, 11, 13, 8], &["032541", "204153", "320514", "325104", "543210"]),
    ];
    let mut cases = Vec::new();
    for bytes in [1, 2, 4] {
        for (sizes, orders) in shapes {
            for order in orders {
                let name: Vec<_> = sizes.iter().map(usize::to_string).collect();
                let digits: Vec<_> = order.bytes().map(|b| (b - b'0') as usize).collect();
                cases.push(Case::new(
                    &format!("{} {order}", name.join("x")),
                    sizes,
                    &digits,
                    bytes,
                ));
            }
        }
    }
    cases
}

/// The two outer axes of [a, b, w] exchanged.
fn rows() -> Vec<Case> {
    let mut cases = Vec::new();
    for bytes in [1, 2, 4] {
        for w in [
            1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 18, 20, 24, 28, 30, 32, 36, 40, 48, 56, 64,
            72, 80, 96, 100, 128, 250,
        ] {
            let a = ((800_000 / (w * bytes)) as f64).sqrt() as usize;
            cases.push(Case::new(&format!("rows {}", w * bytes), &[a, a, w], &[1, 0, 2], bytes));
        }
    }
    cases
}

/// The same around every width.
fn widths() -> Vec<Case> {
    (1..=260)
        .map(|w| {
            let a = ((400_000 / w) as f64).sqrt() as usize;
            Case::new(&format!("width {w}"), &[a, a, w], &[1, 0, 2], 1)
        })
        .collect()
}

fn channels() -> Vec<Case> {
    let mut cases = Vec::new();
    for bytes in [1, 2, 4] {
        for c in 1..=130 {
            cases.push(Case::new(&format!("planes to pixels {c}"), &[c, 56 * 56], &[1, 0], bytes));
            cases.push(Case::new(&format!("pixels to planes {c}"), &[56 * 56, c], &[1, 0], bytes));
        }
    }
    cases
}

fn real() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, sizes: &[usize], order: &[usize], widths: &[usize]| {
        for &bytes in widths {
            cases.push(Case::new(name, sizes, order, bytes));
        }
    };
    let all: &[usize] = &[1, 2, 4];
    for r in [2, 3, 4] {
        // C r r H W -> C H r W r, and back.
        add(&format!("pixel shuffle {r}"), &[16, r, r, 96, 96], &[0, 3, 1, 4, 2], all);
        add(&format!("pixel unshuffle {r}"), &[16, 96, r, 96, r], &[0, 2, 4, 1, 3], all);
        add(&format!("depth to space NHWC {r}"), &[64, 64, r, r, 16], &[0, 2, 1, 3, 4], all);
    }
    add("OIHW to HWIO", &[128, 64, 9], &[2, 1, 0], all);
    add("HWIO to OIHW", &[9, 64, 128], &[2, 1, 0], all);
    add("OIHW to 4i16o4i", &[8, 16, 4, 4, 4, 9], &[0, 2, 5, 3, 1, 4], all);
    add("OIHW to 16i16o", &[8, 16, 8, 16, 9], &[0, 2, 4, 3, 1], all);
    add("window 7x7 of 96 channels", &[8, 7, 8, 7, 96], &[0, 2, 1, 3, 4], all);
    add("heads of 72", &[512, 16, 72], &[1, 0, 2], &[1, 2]);
    add("heads of 80", &[512, 16, 80], &[1, 0, 2], &[1, 2]);
    add("heads of 64", &[512, 16, 64], &[1, 0, 2], &[1, 2]);
    add("NK to K/4 N 4k", &[512, 128, 4], &[1, 0, 2], &[1]);
    add("KN to K/4 N 4k", &[128, 4, 512], &[0, 2, 1], &[1]);
    add("KN to K/2 N 2k", &[128, 2, 512], &[0, 2, 1], &[2]);
    add("32x4x4 scales", &[8, 4, 32, 32, 4], &[0, 3, 2, 1, 4], &[1]);
    // M = 8 x (2 x 8), K = 32 x (2 x 4 x 2): to thread, register.
    add("mma fragment", &[32, 2, 8, 32, 2, 4, 2], &[0, 3, 2, 5, 4, 1, 6], &[1, 2]);
    add("mma fragment of 4", &[32, 2, 8, 16, 2, 4, 4], &[0, 3, 2, 5, 4, 1, 6], &[1]);
    add("NHWC to NCHW8", &[3136, 8, 8], &[1, 0, 2], all);
    add("NHWC to NCHW16", &[3136, 4, 16], &[1, 0, 2], all);
    add("8x8 blocks", &[32, 8, 32, 8], &[0, 2, 1, 3], all);
    cases
}

/// The benchmarked conversions: every shape by every conversion.
fn cases() -> Vec<Case> {
    let shapes: [[usize; 4]; 13] = [
        [2, 64, 3, 3],
        [1, 64, 7, 7],
        [1, 256, 14, 14],
        [1, 3, 224, 224],
        [1, 64, 56, 56],
        [1, 64, 63, 65],
        [1, 64, 64, 64],
        [4, 96, 27, 27],
        [8, 64, 112, 112],
        [64, 64, 28, 28],
        [128, 64, 3, 3],
        [1, 4, 224, 224],
        [8, 64, 127, 127],
    ];
    let mut cases = Vec::new();
    for bytes in [4, 2, 1] {
        for [n, c, h, w] in shapes {
            let mut add = |name: &str, sizes: &[usize], order: &[usize]| {
                cases.push(Case::new(&format!("{name} {n}x{c}x{h}x{w}"), sizes, order, bytes));
            };
            let p = h * w;
            add("NCHW->NHWC", &[n, c, p], &[0, 2, 1]);
            add("NHWC->NCHW", &[n, p, c], &[0, 2, 1]);
            if c % 4 == 0 {
                add("NCHW->NCHW4", &[n, c / 4, 4, p], &[0, 1, 3, 2]);
                add("NCHW4->NHWC", &[n, c / 4, p, 4], &[0, 2, 1, 3]);
                add("NCHW->CHWN4", &[n, c, p], &[1, 2, 0]);
            }
            if c % 32 == 0 {
                add("NCHW->NCHW32", &[n, c / 32, 32, p], &[0, 1, 3, 2]);
            }
            if n % 16 == 0 && c % 16 == 0 {
                add("OIHW->OIHW4i16o4i", &[n / 16, 16, c / 16, 4, 4, p], &[0, 2, 5, 3, 1, 4]);
            }
        }
    }
    cases
}

/// What today's library does for the case, through a plan made at run time.
fn library(case: &Case) -> Option<Candidate<'static>> {
    use tensor_layout::{ElementType, Format, Layout, Plan, relayout};
    let rank = case.sizes.len();
    if rank > 8 {
        return None;
    }
    let element = match case.bytes {
        1 => ElementType::U8,
        2 => ElementType::U16,
        _ => ElementType::U32,
    };
    let names = &"ABCDEFGH"[..rank];
    let permuted: String = case.order.iter().map(|&axis| &names[axis..=axis]).collect();
    let source = Layout::of(Format::parse(names).ok()?, &case.sizes, element).ok()?;
    let destination = Layout::of(Format::parse(&permuted).ok()?, &case.sizes, element).ok()?;
    let plan = Plan::new(&source, &destination).ok()?;
    let bytes = case.bytes;
    Some(Box::new(move |source, destination| {
        macro_rules! of {
            ($unit:ty) => {{
                // SAFETY: all bytes are numbers.
                let source = unsafe { source.align_to::<$unit>() }.1;
                // SAFETY: as above.
                let destination = unsafe { destination.align_to_mut::<$unit>() }.1;
                relayout(&plan, source, destination).expect("buffers of these layouts");
            }};
        }
        match bytes {
            1 => of!(u8),
            2 => of!(u16),
            _ => of!(u32),
        }
    }))
}

type Candidate<'a> = Box<dyn Fn(&[u8], &mut [u8]) + 'a>;

fn seconds(candidate: &Candidate<'_>, calls: u32, source: &[u8], destination: &mut [u8]) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..calls {
        candidate(black_box(source), black_box(destination));
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

fn calls(candidate: &Candidate<'_>, batch: f64, source: &[u8], destination: &mut [u8]) -> u32 {
    let mut calls = 1;
    while seconds(candidate, calls, source, destination) * f64::from(calls) < batch {
        calls *= 2;
    }
    calls
}

/// The time of memcpy over that of each candidate, all in turn: medians over rounds.
fn effs(
    candidates: &[Candidate<'_>],
    rounds: usize,
    source: &[u8],
    destination: &mut [u8],
) -> Vec<f64> {
    let memcpy: Candidate<'_> = Box::new(|source, destination| {
        let bytes = source.len().min(destination.len());
        destination[..bytes].copy_from_slice(&source[..bytes]);
    });
    let counts: Vec<_> = candidates.iter().map(|c| calls(c, 1e-4, source, destination)).collect();
    let copies = calls(&memcpy, 1e-4, source, destination);
    let mut all = vec![Vec::new(); candidates.len()];
    let mut before = seconds(&memcpy, copies, source, destination);
    for _ in 0..rounds {
        for (i, candidate) in candidates.iter().enumerate() {
            let own = seconds(candidate, counts[i], source, destination);
            let after = seconds(&memcpy, copies, source, destination);
            all[i].push((before + after) / 2.0 / own);
            before = after;
        }
    }
    let median = |mut ratios: Vec<f64>| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    all.into_iter().map(median).collect()
}

/// A case, and the eff of the engine and of the library.
type Measured = (String, f64, Option<f64>);

/// Times a family.
fn family(
    cases: &[Case],
    isa: Isa,
    part: &[String],
    rounds: usize,
    with_library: bool,
    stores: Stores,
) {
    let mut groups: HashMap<usize, Vec<Measured>> = HashMap::new();
    for case in cases.iter().filter(|case| part.iter().all(|part| case.name.contains(part))) {
        let loops = case.loops();
        let plan = Plan::for_isa(&Move::new(&loops, case.bytes), isa).expect("a plan");
        let plan = plan.with_stores(stores);
        let bytes = case.length();
        // The source 16 bytes past a line, the destination at one.
        let (mut from, mut to) = (vec![0u8; bytes + 128], vec![0u8; bytes + 64]);
        let (start, at) = (from.as_ptr().align_offset(64) + 16, to.as_ptr().align_offset(64));
        let (source, destination) = (&mut from[start..][..bytes], &mut to[at..][..bytes]);
        source.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 7 % 251) as u8);
        let mut candidates: Vec<Candidate<'_>> =
            vec![Box::new(|source, destination| assert!(plan.run(source, destination)))];
        if let Some(library) = library(case).filter(|_| with_library) {
            let mut expected = vec![0; bytes];
            library(source, &mut expected);
            candidates[0](source, destination);
            assert!(destination == expected, "{}: {plan}", case.name);
            candidates.push(library);
        }
        let effs = effs(&candidates, rounds, source, destination);
        let (own, theirs) = (effs[0], effs.get(1).copied());
        println!("{:42} {own:.3} {:.3}  {plan}", case.name, theirs.unwrap_or(f64::NAN));
        groups.entry(case.bytes).or_default().push((case.name.clone(), own, theirs));
    }
    let mut widths: Vec<_> = groups.into_iter().collect();
    widths.sort_by_key(|(bytes, _)| *bytes);
    for (bytes, all) in widths {
        let mean = |of: fn(&Measured) -> Option<f64>| {
            let logs: Vec<_> = all.iter().filter_map(of).map(f64::ln).collect();
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        };
        let worst = all.iter().min_by(|a, b| a.1.total_cmp(&b.1)).expect("a case");
        println!(
            "# {bytes} bytes, {} cases: engine {:.3}, library {:.3}, ratio {:.3}; worst {:.3} {}; below .9 of the library {}",
            all.len(),
            mean(|case| Some(case.1)),
            mean(|case| case.2),
            mean(|case| case.2.map(|theirs| case.1 / theirs)),
            worst.1,
            worst.0,
            all.iter().filter(|case| case.2.is_some_and(|theirs| case.1 < 0.9 * theirs)).count(),
        );
    }
}

/// How long plans take to be made.
fn plans(isa: Isa) {
    let mut times = Vec::new();
    for case in permutations().into_iter().chain(real()).chain(cases()) {
        let loops = case.loops();
        let start = ThreadTime::now();
        for _ in 0..2000 {
            black_box(
                Plan::for_isa(black_box(&Move::new(&loops, case.bytes)), isa).expect("a plan"),
            );
        }
        times.push((start.elapsed().as_secs_f64() / 2000.0 * 1e9, case.name));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ns, name) in times.iter().rev().take(8).chain(times.iter().take(3)) {
        println!("{ns:8.0} ns {name}");
    }
    println!("median {:.0} ns, a plan is {} bytes", times[times.len() / 2].0, size_of::<Plan>());
}

fn main() {
    let (options, parts): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let option = |name: &str| options.iter().find_map(|option| option.strip_prefix(name));
    let isa = option("--isa=").map_or(Isa::best(), |name| {
        let isa = Isa::ALL.into_iter().find(|isa| format!("{isa:?}") == name);
        isa.filter(|isa| isa.is_available()).expect("an instruction set of this CPU")
    });
    let rounds = option("--rounds=").map_or(15, |rounds| rounds.parse().expect("a number"));
    let with_library = option("--alone").is_none();
    let (name, parts) = parts.split_first().expect("a family");
    let cases = match name.as_str() {
        "permutations" => permutations(),
        "rows" => rows(),
        "widths" => widths(),
        "channels" => channels(),
        "real" => real(),
        "cases" => cases(),
        "plans" => return plans(isa),
        other => panic!("{other} is not a family"),
    };
    let stores = match option("--stores=") {
        Some("cached") => Stores::Cached,
        Some("non-temporal") => Stores::NonTemporal,
        _ => Stores::Auto,
    };
    family(&cases, isa, parts, rounds, with_library, stores);
}
