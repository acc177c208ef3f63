//! What plans print, on every instruction set: no CPU is needed to plan for one.

use layout_kernels::{Choice, Isa, Loop, Move, Padding, Plan, Stores, SubByte};

fn print(of: &Move, isa: Isa) -> String {
    Plan::for_isa(of, isa).expect("a plan").to_string()
}

/// `rows` rows of `columns` units, transposed.
fn transpose(rows: usize, columns: usize, unit: usize) -> Move {
    let (row, column) = ((columns * unit) as isize, (rows * unit) as isize);
    let unit = unit as isize;
    Move::new(&[Loop::new(rows, row, unit), Loop::new(columns, unit, column)], unit as usize)
}

/// Each instruction set that permutes bytes.
const PERMUTES: [Isa; 5] = [Isa::Avx2, Isa::Avx512, Isa::Avx512Vbmi, Isa::Neon, Isa::Simd128];

#[test]
fn plans_say_what_they_do() {
    // A machine without vectors has no tables for the plans of others, and a smaller scratch.
    if Isa::compiled() == Isa::Portable {
        return;
    }
    for isa in Isa::ALL {
        let planes = print(&transpose(64, 3136, 2), isa);
        let expected = "transpose 64 rows by 3136 columns of 2 bytes";
        assert!(planes.starts_with(expected) && planes.ends_with(&format!(" ({isa})")), "{planes}");
        let heads = [Loop::new(12, 72, 72 * 128), Loop::new(128, 72 * 12, 72)];
        let heads = print(&Move::new(&heads, 72), isa);
        assert!(heads.starts_with("copy ") && heads.contains(" runs of 72 bytes"), "{heads}");
        let four = SubByte::new(4).expect("4 bits are less than a byte");
        let nibbles = [Loop::new(64, 3136, 1), Loop::new(3136, 1, 64)];
        let nibbles = print(&Move::of_elements(four, &nibbles, 1), isa);
        let expected = "4-bit elements, 2 rows at a time: transpose 64 rows by ";
        assert!(nibbles.starts_with(expected), "{nibbles}");
        let odd = Move::of_elements(four, &[Loop::new(63, 3136, 1), Loop::new(3136, 1, 63)], 1);
        assert_eq!(print(&odd, isa), "4-bit elements in runs of 1");
        let reversed = four.high_first(true, false);
        let reversed = print(&Move::of_elements(reversed, &[], 64), isa);
        assert!(reversed.starts_with("4-bit elements of each byte reversed: copy "), "{reversed}");
    }
    for isa in PERMUTES {
        let pixels = print(&transpose(3, 3136, 1), isa);
        assert!(pixels.starts_with("permute bytes: 3 loads of "), "{pixels}");
    }
}

/// The columns of some of these matrices share sets, or begin inside lines.
#[test]
fn plans_without_vectors_have_no_scratch_buffer() {
    for (rows, columns) in [(4096, 20), (3586, 96), (1024, 1024)] {
        let printed = print(&transpose(rows, columns, 2), Isa::Portable);
        let expected = format!("transpose {rows} rows by {columns} columns of 2 bytes");
        assert!(printed.starts_with(&expected) && !printed.contains("scratch"), "{printed}");
    }
}

#[test]
fn plans_say_where_stores_go() {
    let of = transpose(64, 3136, 2);
    for isa in Isa::ALL {
        let plan = Plan::for_isa(&of, isa).expect("a plan");
        let (cached, past) =
            (plan.with_stores(Stores::Cached), plan.with_stores(Stores::NonTemporal));
        assert!(!cached.to_string().contains("non-temporal"), "{cached}");
        let streams = !matches!(isa, Isa::Portable | Isa::Neon | Isa::Simd128);
        assert_eq!(past.to_string().ends_with(", non-temporal stores"), streams, "{past}");
    }
}

/// What is said of the share of the last-level cache is so, whatever CPU this is.
#[test]
fn reasons_compare_bytes_with_the_cache() {
    let number = |text: &str, after: &str| -> usize {
        let rest = text.split(after).nth(1).expect(text);
        rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).expect(text)
    };
    let mut compared = [0; 2];
    for bits in 10..30 {
        for isa in [Isa::Avx2, Isa::Sse2] {
            let of = transpose(64, 1 << (bits - 6), 1);
            let plan = Plan::for_isa(&of, isa).expect("a plan");
            let text = plan.reasons(&of).to_string();
            let stores = text.lines().last().expect("a line of stores");
            let both = number(stores, "source and destination together have ");
            assert_eq!(both, 2 << bits, "{text}");
            let is_less = stores.contains(" bytes, less than ");
            let than = number(stores, if is_less { "less than " } else { "at least " });
            assert_eq!(both < than, is_less, "{stores}");
            assert!(!is_less || stores.starts_with("stores: into the caches"), "{stores}");
            let lacks = stores.contains("but this kernel has no such stores");
            let is_cached = stores.starts_with("stores: into the caches");
            assert_eq!(lacks, is_cached && !is_less, "{stores}");
            compared[usize::from(is_less)] += 1;
        }
    }
    assert!(
        cfg!(not(target_arch = "x86_64")) || compared.iter().all(|&all| all > 2),
        "{compared:?}"
    );
}

/// Four rows that are interleaved: their kernel has no non-temporal stores.
#[test]
fn interleaved_rows_are_stored_into_the_caches() {
    if Isa::compiled() == Isa::Portable {
        return;
    }
    let rows = [Loop::new(5, 8192, 8192), Loop::new(4, 2048, 2), Loop::new(1024, 2, 8)];
    let of = Move::new(&rows, 2);
    let plan = Plan::for_isa(&of, Isa::Avx512Vbmi).expect("a plan");
    let text = plan.with_stores(Stores::NonTemporal).to_string();
    assert!(text.contains("4 loads of vectors") && !text.contains("non-temporal"), "{text}");
}

/// Copies are chosen where no byte permute can fill the padding of groups and tiles cost more.
#[test]
fn padding_that_nothing_fills() {
    let padding = Padding { group: 100, fill: [0; 8] };
    let of = Move::new(&[Loop::new(5, 90, 1), Loop::new(90, 1, 100)], 1).padded(padding);
    let plan = Plan::for_isa(&of, Isa::Avx2).expect("a plan");
    if Isa::compiled() != Isa::Portable {
        assert!(plan.to_string().starts_with("copy 90 x 5 runs of 1 byte"), "{plan}");
    }
    assert!(!plan.pads());
}

/// A plan fills padding after its groups, or after its only one, if groups are as far apart as the padding says.
#[test]
fn padding_follows_groups() {
    let pads = |loops: &[Loop], unit, group| {
        let of = Move::new(loops, unit).padded(Padding { group, fill: [0; 8] });
        Plan::for_isa(&of, Isa::Avx2).expect("a plan").pads()
    };
    if Isa::compiled() == Isa::Portable {
        return;
    }
    assert!(pads(&[Loop::new(45, 3, 4)], 3, 4));
    assert!(pads(&[Loop::new(3, 7, 1), Loop::new(45, 1, 4)], 1, 4));
    assert!(pads(&[], 3, 4));
    assert!(pads(&[Loop::new(3, 7, 1)], 1, 4));
    assert!(!pads(&[Loop::new(45, 3, 8)], 3, 4), "groups are farther apart");
    assert!(!pads(&[Loop::new(45, 5, 4)], 4, 4), "groups are full");
    assert!(!pads(&[Loop::new(45, 3, 4), Loop::new(2, 200, 2)], 3, 4), "loops cross");
}

/// A move in two passes names both, and what they cost beside what one step costs.
#[test]
fn two_passes_are_printed() {
    if Isa::compiled() == Isa::Portable {
        return;
    }
    // Bytes of 9 x 8 x 3 in the order 2, 1, 0, of each of 12 matrices.
    let loops =
        [Loop::new(12, 216, 216), Loop::new(9, 24, 1), Loop::new(8, 3, 9), Loop::new(3, 1, 72)];
    let of = Move::new(&loops, 1);
    let plan = Plan::for_isa(&of, Isa::Avx2).expect("a plan");
    let text = plan.to_string();
    assert!(text.starts_with("2592 bytes at a time in two passes: "), "{text}");
    assert!(text.contains("; ") && text.ends_with(" (AVX2)"), "{text}");
    let reasons = plan.reasons(&of);
    assert_eq!(reasons.choice, Choice::Passes);
    let one = [reasons.copies, reasons.tiles, reasons.permutes].into_iter().flatten().min();
    assert!(reasons.passes < one, "{reasons:?}");
    assert!(reasons.to_string().contains(", two passes "), "{reasons}");
}

#[test]
fn reasons_name_units_loops_and_costs() {
    if Isa::compiled() == Isa::Portable {
        return;
    }
    let of = transpose(64, 3136, 2);
    let plan = Plan::for_isa(&of, Isa::Avx2).expect("a plan").with_stores(Stores::Cached);
    let lines: Vec<String> = plan.reasons(&of).to_string().lines().map(str::to_string).collect();
    let expected = [
        "contiguous on both sides: 2 bytes",
        "loops around that: 64 with strides 6272 and 2; 3136 with strides 2 and 128",
        "chosen: the lowest estimate. Estimates are cycles for each KiB, without the slower loads near the end of the source: copies of runs 614, a transpose in tiles 75, a byte permute 183",
    ];
    assert_eq!(lines[..3], expected);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("stores: into the caches, as chosen by the caller")
    );
    let one = Move::new(&[], 1);
    let one = Plan::for_isa(&one, Isa::Avx2).expect("a plan").reasons(&one).to_string();
    assert!(
        one.starts_with(
            "contiguous on both sides: 1 byte\nloops around that: none\nchosen: the move is one run\n"
        ),
        "{one}"
    );
    let four = SubByte::new(4).expect("4 bits are less than a byte");
    let odd = Move::of_elements(four, &[Loop::new(63, 100, 1), Loop::new(100, 1, 63)], 1);
    let odd = Plan::for_isa(&odd, Isa::Avx2).expect("a plan").reasons(&odd).to_string();
    assert!(odd.starts_with("contiguous on both sides: 1 4-bit element\n"), "{odd}");
}

/// `{:#}` says what registers, scratch buffers and tables hold.
#[test]
fn plans_print_tiles_and_tables() {
    if Isa::compiled() == Isa::Portable {
        return;
    }
    let print = |of: &Move, isa| {
        let plan = Plan::for_isa(of, isa).expect("a plan").with_stores(Stores::Cached);
        let text = format!("{plan:#}");
        assert_eq!(text.lines().next(), Some(&*plan.to_string()), "{text}");
        text.lines().skip(1).map(|line| line.trim().to_string()).collect::<Vec<_>>()
    };
    let stores = "stores: into the caches";
    let planes = print(&transpose(64, 3136, 2), Isa::Avx2);
    assert_eq!(planes, ["a tile in registers: 16 rows by 8 columns", stores]);
    // Rows that share a set of the cache.
    let planes = print(&transpose(64, 4096, 1), Isa::Avx512);
    let tile = "a tile in registers: 64 rows by 16 columns";
    assert_eq!(planes, [tile, "a block in a scratch buffer: 64 rows by 256 columns", stores]);
    // Three planes of units of two bytes become pixels. The first load has the units at bytes 0, 6, 12 and so on, the
    // second one those that follow them.
    let pixels = print(&transpose(3, 3136, 2), Isa::Avx512Vbmi);
    let starts = |line: usize, with: &str| pixels[line].starts_with(with);
    assert!(starts(0, "bytes of load 0 in vector 0: 0 1 - - - - 2 3 - - - - 4 5 "), "{pixels:#?}");
    assert!(
        starts(3, "bytes of load 1 in vector 0: - - 0 1 - - - - 2 3 - - - - 4 5 "),
        "{pixels:#?}"
    );
    assert_eq!(pixels.last().map(String::as_str), Some(stores));
}

#[test]
fn errors_have_their_numbers() {
    let of = |of: &Move| Plan::new(of).expect_err("an error").to_string();
    let one = |own, unit| of(&Move::new(&[own], unit));
    let huge = isize::MAX / 2;
    for (text, expected) in [
        (
            one(Loop::new(4, -3, 1), 1),
            "a unit lies before the start of the source (at offset -9); begin later or reverse a loop",
        ),
        (
            one(Loop::new(4, 1, -huge), 1),
            "a unit lies before the start of the destination (out of range); begin later or reverse a loop",
        ),
        (
            one(Loop::new(4, huge, 1), 1),
            "the source ends after offset `isize::MAX`; shorten loops or strides",
        ),
        (
            one(Loop::new(4, 16, 0), 1),
            "units overlap, since a loop has destination stride 0 (4 iterations, source stride 16); leave the loop out",
        ),
        (
            of(&Move::new(&[Loop::new(2, 1, 1); 17], 1)),
            "the move has too many loops of more than one iteration (17, of at most 16); merge some or move in parts",
        ),
        (
            of(&Move::new(&[], 8).padded(Padding { group: 4, fill: [0; 8] })),
            "a group with its padding is smaller than a unit (4 and 8 bytes); set `Padding::group` to the destination stride between groups",
        ),
    ] {
        assert_eq!(text, expected);
    }
}

/// The loads of planes are transposed in parts.
#[test]
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn loads_that_are_transposed_have_their_bytes() {
    let pixels = Move::new(&[Loop::new(640, 4, 1), Loop::new(4, 1, 640)], 1);
    let plan = Plan::for_isa(&pixels, Isa::Avx2).expect("a plan");
    let text = format!("{plan:#}");
    let of_lane = "0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15";
    for load in 0..4 {
        let expected = format!("\n    bytes of load {load}: {of_lane} {of_lane}\n");
        assert!(text.contains(&expected), "{text}");
    }
    assert!(!text.contains("last:"), "{text}");
    let rows = Move::new(&[Loop::new(8, 640, 1), Loop::new(640, 1, 8)], 1);
    let text = format!("{:#}", Plan::for_isa(&rows, Isa::Avx2).expect("a plan"));
    assert!(text.contains("\n    bytes of each vector, last: 0 2 4 6 8 10 12 14 1 3"), "{text}");
}
