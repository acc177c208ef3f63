//! Which plans are chosen, on every instruction set: a listing of typical and of random moves with the estimates that
//! decide between their steps. A change of the planner shows in it what else it changes. Numbers at the end stand for
//! the choices of some thousand more moves.
//!
//! `CHOICES=overwrite cargo test -p tensor-layout-kernels --features std --test choices` rewrites it; read every changed line.

mod random;

use std::fmt::Write;

use layout_kernels::{Isa, Loop, Move, Padding, Plan, Stores, SubByte};

use random::{
    random, random_elements, random_far_apart, random_planes, random_reversed, random_with_gaps,
    random_with_padding,
};

/// What is listed: a heading for each family, then moves.
type Families = Vec<(&'static str, Vec<Move>)>;

/// Hundreds of random moves whose choices are listed as a number.
const MORE: u64 = 60;

/// Loops given as size and strides.
fn loops(of: &[(usize, isize, isize)], unit: usize) -> Move {
    let all: Vec<_> = of.iter().map(|&(size, from, to)| Loop::new(size, from, to)).collect();
    Move::new(&all, unit)
}

/// `rows` rows of `columns` units, transposed, `times` times.
fn transposed(times: usize, rows: usize, columns: usize, unit: usize) -> Move {
    let all = (rows * columns * unit) as isize;
    let (row, column, own) = ((columns * unit) as isize, (rows * unit) as isize, unit as isize);
    loops(&[(times, all, all), (rows, row, own), (columns, own, column)], unit)
}

/// Two loops around runs that change places.
fn heads(outer: usize, inner: usize, bytes: usize) -> Move {
    transposed(1, outer, inner, bytes)
}

/// Planes of `pixels` to groups of `block` channels for each pixel.
fn blocked(channels: usize, pixels: usize, block: usize, unit: usize) -> Move {
    let (plane, group) = ((pixels * unit) as isize, (block * unit) as isize);
    let all = [
        (channels / block, plane * block as isize, group * pixels as isize),
        (block, plane, unit as isize),
        (pixels, unit as isize, group),
    ];
    loops(&all, unit)
}

/// Blocks of `from` channels to blocks of `to`, one of which divides the other.
fn reblocked(channels: usize, pixels: usize, from: usize, to: usize, unit: usize) -> Move {
    let offset = |block: usize, channel: usize| {
        (channel / block * pixels * block + channel % block) as isize * unit as isize
    };
    let least = from.min(to);
    let most = from.max(to);
    let digit = |size: usize, weight: usize| (size, offset(from, weight), offset(to, weight));
    let pixel = |block: usize| (block * unit) as isize;
    let all = [
        digit(channels / most, most),
        digit(most / least, least),
        digit(least, 1),
        (pixels, pixel(from), pixel(to)),
    ];
    loops(&all, unit)
}

/// A tile of `rows` by `columns` that steps over more of both sides.
fn pitched(rows: usize, columns: usize, unit: usize, pitches: (isize, isize)) -> Move {
    let own = unit as isize;
    loops(&[(rows, pitches.0, own), (columns, own, pitches.1)], unit)
}

/// Pixels of `channels` bytes out of planes or pixels, with `more` bytes of padding each.
fn padded(channels: usize, more: usize, pixels: usize, is_planar: bool) -> Move {
    let group = channels + more;
    let (channel, pixel) = if is_planar { (pixels, 1) } else { (1, channels) };
    let all = [(channels, channel as isize, 1), (pixels, pixel as isize, group as isize)];
    loops(&all, 1).padded(Padding { group, fill: [7; 8] })
}

fn elements(bits: usize, of: &[(usize, isize, isize)], unit: usize) -> Move {
    let all: Vec<_> = of.iter().map(|&(size, from, to)| Loop::new(size, from, to)).collect();
    Move::of_elements(SubByte::new(bits).expect("less than a byte"), &all, unit)
}

/// Matrices and runs.
fn matrices() -> Families {
    let square = [(8, 8), (16, 16), (17, 33), (31, 32), (63, 65), (64, 64), (100, 7), (250, 130)];
    let few = [(2, 500), (3, 700), (4, 700), (5, 300), (6, 90), (7, 64), (9, 48), (12, 100)];
    let units = [1, 2, 3, 4, 6, 8, 16];
    let each = |shapes: &[(usize, usize)], units: &[usize]| -> Vec<Move> {
        let all = shapes.iter().flat_map(|&(a, b)| units.iter().map(move |&unit| (a, b, unit)));
        all.map(|(a, b, unit)| transposed(2, a, b, unit)).collect()
    };
    let exchanged: Vec<_> = few.iter().map(|&(a, b)| (b, a)).collect();
    let runs = [1, 2, 3, 5, 9, 15, 17, 24, 33, 48, 49, 63, 64, 72, 130, 191, 192, 320, 2049];
    let sharing = |bytes| loops(&[(64, 4096, bytes), (12, bytes, 4096)], bytes as usize);
    let ordered = [(24, 288), (33, 288), (24, 180)].map(|(a, b)| heads(100, a, b));
    vec![
        ("transposes", each(&square, &[1, 2, 4])),
        ("few rows", each(&few, &[1, 2])),
        ("few columns", each(&exchanged, &[4])),
        ("units", units.map(|unit| transposed(1, 24, 40, unit)).to_vec()),
        ("runs", runs.map(|bytes| heads(12, 50, bytes)).to_vec()),
        ("runs that share sets", [72, 130, 320].map(sharing).to_vec()),
        ("runs in order", ordered.to_vec()),
        (
            "large runs of 16 bytes and more",
            [16, 64, 256].map(|bytes| heads(8, 2_000_000 / bytes, bytes)).to_vec(),
        ),
    ]
}

/// Blocks, and matrices that are parts of larger ones.
fn parts() -> Families {
    let blocks =
        [(16, 49, 4, 1), (64, 56, 8, 2), (32, 196, 16, 4), (12, 25, 3, 1), (64, 784, 32, 1)];
    let both = [(64, 49, 4, 16, 1), (64, 49, 16, 4, 1), (32, 25, 2, 8, 2), (24, 9, 3, 12, 4)];
    let pitches = [
        pitched(64, 64, 4, (4096, 4096)),
        pitched(64, 300, 1, (4096, 1000)),
        pitched(64, 300, 1, (4096, 1024)),
        pitched(64, 300, 1, (2048, 1000)),
        pitched(300, 200, 2, (65536, 4096)),
        pitched(2048, 40, 4, (160, 8192)),
        pitched(64, 65, 4, (260, 256)),
        pitched(20, 3, 1, (-60, 60)).from(1140, 0),
    ];
    let digits = |(outer, inner, unit): (usize, usize, usize)| {
        let (all, own) = ((64 * unit) as isize, unit as isize);
        let (row, between) = ((outer * inner) as isize * own, inner as isize * own);
        let columns = [(outer, between, all), (inner, own, all * outer as isize)];
        loops(&[(64, row, own), columns[0], columns[1]], unit)
    };
    let columns = [(7, 5, 1), (3, 7, 1), (9, 3, 2), (6, 5, 4), (40, 5, 1)].map(digits);
    // A fragment of a tensor core, and fewer rows than a lane has by columns of two digits.
    let rows = [
        loops(&[(2, 8192, 4), (2, 16, 8), (4, 4, 16), (8, 1024, 64), (32, 32, 512)], 4),
        loops(&[(15, 256, 1), (16, 1, 15), (16, 16, 3840), (16, 3840, 240)], 1),
        loops(&[(2, 600, 2), (3, 1200, 4), (300, 2, 12)], 2),
    ];
    vec![
        ("blocks", blocks.map(|(c, p, block, unit)| blocked(c, p, block, unit)).to_vec()),
        ("blocks of blocks", both.map(|(c, p, a, b, unit)| reblocked(c, p, a, b, unit)).to_vec()),
        ("pitches", pitches.to_vec()),
        ("columns of several digits", columns.to_vec()),
        ("rows of several digits", rows.to_vec()),
    ]
}

/// What is neither.
fn others() -> Families {
    let reversed = [
        loops(&[(500, -1, 1)], 1).from(499, 0),
        loops(&[(224, -3, 3), (224, 672, 672)], 3).from(669, 0),
        loops(&[(56, 1, -4), (56, 56, 224)], 1).from(0, 220),
    ];
    let steps = [
        loops(&[(300, 2, 1)], 1),
        loops(&[(300, 6, 2)], 2),
        loops(&[(300, 0, 1), (20, 1, 300)], 1),
        loops(&[(4, 0, 2), (100, 2, 8)], 2),
    ];
    let padding = [
        padded(3, 1, 100, true),
        padded(3, 1, 100, false),
        padded(5, 3, 90, true),
        padded(7, 9, 20, false),
        padded(60, 4, 20, true),
    ];
    let elements = [
        elements(4, &[(64, 3136, 1), (3136, 1, 64)], 1),
        elements(4, &[(6, 400, 1), (400, 1, 6)], 1),
        elements(2, &[(64, 128, 1), (128, 1, 64)], 1),
        elements(1, &[(4, 1, 2), (2, 4, 1), (100, 8, 8)], 1),
        elements(4, &[(63, 100, 1), (100, 1, 63)], 1),
        elements(4, &[(64, 100, 2), (50, 2, 128)], 2),
        elements(4, &[(64, 100, 2), (50, 2, 128)], 2).from(6, 4),
        elements(4, &[(64, 100, 1), (100, 1, 64), (3, 6400, 6400)], 1),
        elements(4, &[(64, 100, 1), (100, 1, 64), (3, 6400, 6400)], 1).from(2, 6),
        elements(2, &[(64, 128, 1), (128, 1, 64), (5, 8192, 8192)], 1),
        elements(4, &[(8, 1, 2), (2, 8, 1), (50, 16, 16)], 1).from(16, 32),
    ];
    vec![
        ("reversed", reversed.to_vec()),
        ("steps and broadcasts", steps.to_vec()),
        ("padding", padding.to_vec()),
        ("elements of less than a byte", elements.to_vec()),
        ("random", (1..=30).map(random).collect()),
    ]
}

/// What the sets of a machine choose, those of one choice together.
fn choices(of: &Move, text: &mut String) {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for isa in Isa::ALL {
        let plan = Plan::for_isa(of, isa).expect("a plan").with_stores(Stores::Cached);
        let name = isa.to_string();
        let mut choice = plan.to_string().replace(&format!(" ({name})"), "");
        let streamed = plan.with_stores(Stores::NonTemporal).to_string();
        let streamed = streamed.replace(&format!(" ({name})"), "");
        let own = streamed.strip_suffix(", non-temporal stores").unwrap_or(&streamed);
        if own != choice {
            let same = own.bytes().zip(choice.bytes()).take_while(|(a, b)| a == b).count();
            write!(choice, "; non-temporally {}", own[same..].trim_start_matches([',', ' ']))
                .expect("text");
        }
        let reasons = plan.reasons(of);
        let costs =
            [("copies", reasons.copies), ("tiles", reasons.tiles), ("permutes", reasons.permutes)];
        for (kind, cost) in costs {
            if let Some(cost) = cost {
                write!(choice, "; {kind} {cost}").expect("text");
            }
        }
        match found.iter_mut().find(|own| own.0 == choice) {
            Some((_, names)) => names.push(name),
            None => found.push((choice, vec![name])),
        }
    }
    for (choice, names) in found {
        writeln!(text, "    {}: {choice}", names.join(", ")).expect("text");
    }
}

/// FNV-1a of a text.
fn digest(text: &str) -> u64 {
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The whole plan of part `index` of `parts` for each set, with what is not printed for people. The addresses of
/// kernels are left out.
fn details(of: &Move, (index, parts): (usize, usize), text: &mut String) {
    for isa in Isa::ALL {
        let plan = Plan::for_part(of, isa, index, parts).expect("a plan");
        for stores in [Stores::Cached, Stores::NonTemporal] {
            write!(text, "{:#}", plan.with_stores(stores)).expect("text");
        }
        if parts == 1 {
            let reasons = plan.with_stores(Stores::Cached).reasons(of);
            write!(text, "{reasons}").expect("text");
        }
        let plan = format!("{plan:?}");
        let mut pieces = plan.split("0x");
        text.push_str(pieces.next().expect("a plan"));
        for piece in pieces {
            text.push_str(piece.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        }
    }
}

/// What is chosen for many more moves, as one number for each hundred: it differs if one choice does.
fn digests(text: &mut String) {
    text.push_str("digests of 100 random moves each\n");
    for hundred in 0..MORE {
        let mut own = String::new();
        for seed in 0..50 {
            let of = [
                random(1000 + 50 * hundred + seed),
                random_with_gaps(100_000 + 50 * hundred + seed),
            ];
            for of in &of {
                choices(of, &mut own);
                // Of some, since this takes ten times as long.
                if seed % 10 == 0 {
                    details(of, (0, 1), &mut own);
                }
            }
        }
        writeln!(text, "  {:016x}", digest(&own)).expect("text");
    }
    digests_of_families(text);
    digests_of_kinds(text);
}

/// The whole plans of what is listed, and of transposes of few rows or columns.
fn digests_of_families(text: &mut String) {
    text.push_str("digests of the families above\n");
    for (family, moves) in [matrices(), parts(), others()].concat() {
        let mut own = String::new();
        moves.iter().for_each(|of| details(of, (0, 1), &mut own));
        writeln!(text, "  {:016x} {family}", digest(&own)).expect("text");
    }
    text.push_str("digests of transposes of 2 to 20 rows or columns\n");
    for unit in [1, 2, 4] {
        let mut all = [(); 2].map(|()| String::new());
        for few in 2..=20 {
            details(&transposed(1, few, 100 - few, unit), (0, 1), &mut all[0]);
            details(&transposed(1, 100 - few, few, unit), (0, 1), &mut all[1]);
        }
        let all = all.map(|own| format!("{:016x}", digest(&own)));
        writeln!(text, "  {} of {unit} bytes", all.join(" ")).expect("text");
    }
}

/// The whole plans of random moves of each kind.
fn digests_of_kinds(text: &mut String) {
    text.push_str(
        "digests of 10 random moves each: with padding, in parts, in reverse, of elements of less than a byte, far apart, planes and rows\n",
    );
    for ten in 0..MORE / 3 {
        let mut all = [(); 6].map(|()| String::new());
        for seed in 10 * ten..10 * ten + 10 {
            let [padded, parts, reversed, elements, far, planes] = &mut all;
            let of = random_with_padding(seed);
            choices(&of, padded);
            details(&of, (0, 1), padded);
            let count = 2 + seed as usize % 3;
            (0..count).for_each(|index| details(&random(seed), (index, count), parts));
            details(&random_with_padding(seed), (1, 2), parts);
            details(&random_reversed(seed), (0, 1), reversed);
            let of = random_far_apart(seed);
            choices(&of, far);
            details(&of, (0, 1), far);
            for seed in 3 * seed..3 * seed + 3 {
                details(&random_planes(seed), (0, 1), planes);
            }
            for seed in 3 * seed..3 * seed + 3 {
                let of = random_elements(seed);
                choices(&of, elements);
                details(&of, (0, 1), elements);
            }
        }
        let all = all.map(|own| format!("{:016x}", digest(&own)));
        writeln!(text, "  {}", all.join(" ")).expect("text");
    }
}

fn listing() -> String {
    let mut text = String::new();
    for (family, moves) in [matrices(), parts(), others()].concat() {
        writeln!(text, "{family}").expect("text");
        for of in moves {
            write!(text, "  {}", of.unit).expect("text");
            for Loop { size, source, destination } in of.loops() {
                write!(text, ", {size} x {source} > {destination}").expect("text");
            }
            text.push('\n');
            choices(&of, &mut text);
        }
    }
    digests(&mut text);
    text
}

#[test]
fn plans_are_those_of_the_listing() {
    // A machine without vectors has no tables for the plans of others, and a smaller scratch.
    if Isa::compiled() == Isa::Portable {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/choices.txt");
    let found = listing();
    if std::env::var_os("CHOICES").is_some() {
        std::fs::write(path, &found).expect("a file");
    }
    let listed = std::fs::read_to_string(path).expect("a listing");
    let mut lines = found.lines().zip(listed.lines()).enumerate();
    if let Some((number, (now, before))) = lines.find(|(_, (now, before))| now != before) {
        panic!("line {} of choices.txt is now\n{now}\nand was\n{before}", number + 1);
    }
    assert_eq!(found.len(), listed.len(), "lines are gone, or new");
}
