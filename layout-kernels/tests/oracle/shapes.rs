//! Moves that kernels make special, in every instruction set: few rows and columns, planes, long runs, shared sets.

use layout_kernels::{Isa, Loop, Move, Plan, Stores};

use super::{GUARD, Random, naive, seeds};

/// Matrices that kernels make special: few interleaved rows or columns, columns that no line fits or that share sets,
/// units several of which a load holds, runs of every class.
#[test]
fn special_shapes() {
    let random = &mut Random(11);
    let shapes = [
        (2, 500),
        (3, 700),
        (4, 700),
        (5, 300),
        (6, 67),
        (7, 129),
        (8, 300),
        (16, 300),
        (23, 90),
        (32, 300),
        (65, 700),
        (130, 530),
        (1024, 37),
    ];
    for (a, b, unit) in shapes
        .into_iter()
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .flat_map(|(a, b)| [1, 2, 3, 4, 5, 6, 7, 8, 16].map(|unit| (a, b, unit)))
        .chain((17..420).step_by(9).map(|unit| (23, 31, unit)))
        // One of seven is of each kind still.
        .step_by(if seeds() < 500 { 7 } else { 1 })
    {
        let [rows, row, unit_stride] = [a, b * unit, a * unit].map(|value| value as isize);
        let unit_of = unit as isize;
        let loops = [
            Loop::new(a, row, unit_of),
            Loop::new(b, unit_of, unit_stride),
            Loop::new(2, row * rows, row * rows),
        ];
        check_from(random, &Move::new(&loops, unit), &[0, 1, 4, 16, 33]);
    }
}

/// Runs that follow one another in the destination and are nearly a vector, at distances in the source at which their
/// vectors end with the next run, just before it or after it, in one loop or in two; lines that share sets.
#[test]
fn runs_of_nearly_a_vector() {
    let random = &mut Random(23);
    for unit in (9_usize..16).chain(17..32) {
        let excess = unit.next_power_of_two() - unit;
        for stride in [excess - 1, excess, excess + 1, unit, unit + 5, 1000, 2048, 4096] {
            for (runs, rows) in [(4, 3), (5, 1), (9, 20), (40, 2)] {
                let [step, row] = [stride.max(1), unit].map(|bytes| bytes as isize);
                let along = Loop::new(runs, step, row);
                let loops = [along, Loop::new(rows, row, row * runs as isize)];
                check_from(random, &Move::new(&loops, unit), &[0, 3, 16]);
            }
        }
    }
}

/// Rows of two digits and more columns than a table has offsets: contiguous in the destination, or with gaps.
#[test]
fn more_columns_than_a_table() {
    let (random, mut count) = (&mut Random(41), 0);
    for (first, second) in [(3, 2), (4, 4), (5, 5), (8, 4), (7, 16)] {
        for unit in [1_usize, 2, 4, 8] {
            for columns in [112, 121, 127, 128, 129, 136, 193, 260, 391] {
                for gap in [0, 3, 64] {
                    let [own, row, column] =
                        [unit, columns * unit, first * second * unit].map(|bytes| bytes as isize);
                    let loops = [
                        Loop::new(first, row, own),
                        Loop::new(second, row * first as isize + 40, own * first as isize),
                        Loop::new(columns, own, column + gap),
                    ];
                    let of = Move::new(&loops, unit);
                    check_from(random, &of, &[0, 3, 16]);
                    let plan = Plan::new(&of).expect("a plan").to_string();
                    let past = columns > 128 && plan.contains(&format!("by {columns} columns"));
                    count += usize::from(past && plan.contains("tables"));
                }
            }
        }
    }
    assert!(
        count > 0 || Isa::best() == Isa::Portable,
        "no matrix with tables has more than 128 columns"
    );
}

/// Two to nine rows that are interleaved, and planes that are separated: some vectors, and what is left after them. The
/// source has a row or a plane more, or it ends with the last. Rows may be in the opposite order, and planes apart.
#[test]
fn few_rows_and_planes() {
    let random = &mut Random(31);
    let counts = (2..=9).flat_map(|few| [1, 2, 4, 8].map(|unit| (few, unit)));
    for (few, unit) in counts {
        for size in [15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100, 129, 333] {
            for more in [0, 1] {
                let (own, row) = (unit as isize, (size * unit) as isize);
                let (all, pixel) = ((few + more) as isize, (few * unit) as isize);
                let (reversed, gap) = (random.below(4) == 0, random.of(&[0, 0, 1, 16]));
                let step = if reversed { -row } else { row };
                let first = if reversed { (few - 1) * size * unit } else { 0 };
                let rows = [Loop::new(few, step, own), Loop::new(size, own, pixel)];
                let planes = [Loop::new(few, own, row + gap), Loop::new(size, all * own, own)];
                for ([one, other], first, end) in
                    [(rows, first, pixel * size as isize), (planes, 0, few as isize * (row + gap))]
                {
                    let loops = [one, other, Loop::new(2, all * row, end)];
                    check_from(random, &Move::new(&loops, unit).from(first, 0), &[0, 16]);
                }
            }
        }
    }
}

/// Columns of several lines that begin at different offsets in lines, or at the same one.
#[test]
fn columns_inside_lines() {
    let random = &mut Random(29);
    let all = [1, 2, 4, 8].into_iter().flat_map(|unit| {
        [192, 200, 208, 224, 256, 384, 392, 416, 576, 800, 1024, 1568, 2056, 3000]
            .map(|bytes| (unit, bytes / unit))
    });
    for (unit, rows) in all {
        // More bytes than a first-level cache holds.
        let columns = (26 << 10) / (rows * unit) + 1;
        let (row, own) = ((columns * unit) as isize, unit as isize);
        let loops = [Loop::new(rows, row, own), Loop::new(columns, own, (rows * unit) as isize)];
        check_from(random, &Move::new(&loops, unit), &[0, unit, 8, 16, 32, 48, 63]);
    }
}

/// Two and four interleaved rows, in moves larger than a first-level cache: most vectors begin at lines.
#[test]
fn rows_in_lines() {
    let random = &mut Random(41);
    for (rows, unit) in [(4, 1), (4, 2), (4, 4), (2, 8)] {
        for columns in [1024, 1031, 1089] {
            let (row, pixel) = ((columns * unit) as isize, (rows * unit) as isize);
            let all = row * rows as isize;
            let loops = [
                Loop::new((32 << 10) / all as usize + 1, all, all),
                Loop::new(rows, row, unit as isize),
                Loop::new(columns, unit as isize, pixel),
            ];
            check_from(random, &Move::new(&loops, unit), &[0, unit, 8, 16, 63]);
        }
    }
}

/// Columns of less than a lane, of several digits, that begin at lines but do not follow one another.
#[test]
fn short_columns_a_line_apart() {
    let random = &mut Random(29);
    for (sizes, unit) in [([3, 5], 1), ([3, 2], 1), ([2, 2], 2), ([7, 2], 1), ([2, 3], 2)] {
        for (pitch, columns) in [64, 128, 192].into_iter().flat_map(|own| [(own, 40), (own, 300)]) {
            let (row, first) = ((4096 * unit) as isize, (sizes[0] * unit) as isize);
            let loops = [
                Loop::new(sizes[0], sizes[1] as isize * row, unit as isize),
                Loop::new(sizes[1], row, first),
                Loop::new(columns, unit as isize, pitch),
            ];
            check_from(random, &Move::new(&loops, unit), &[0, 4, 63]);
        }
    }
}

/// Two small axes that are exchanged in each of many blocks, in the same order or another, up to the end of the source:
/// 16 bytes are readable neither before the first of these bytes nor after the last.
#[test]
fn small_axes_exchanged() {
    let random = &mut Random(37);
    let pairs = (2..=8).flat_map(|a| [2, 3, 5, 7].map(|b| (a, b)));
    for ((a, b), unit) in pairs.flat_map(|pair| [1, 2, 3, 4].map(|unit| (pair, unit))) {
        for (n, m) in [(1, 1), (1, 2), (1, 40), (2, 3), (5, 40), (64, 5)] {
            let [own, all, gap] = [unit, a * b * unit, random.of(&[0, 0, 1])].map(|of| of as isize);
            let (row, column) = (b as isize * own, a as isize * own);
            let (next, outer) = (all + gap, (all + gap) * n as isize);
            let small = [Loop::new(a, row, own), Loop::new(b, own, column)];
            for blocks in [
                [Loop::new(m, n as isize * all, outer), Loop::new(n, all, next)],
                [Loop::new(m, all, outer), Loop::new(n, m as isize * all, next)],
            ] {
                let loops = [small, blocks].concat();
                check_from(random, &Move::new(&loops, unit), &[0, 16, 21]);
            }
        }
    }
    // Vectors hold two blocks, and the last of them would be read after the source: then units were copied.
    if Isa::Avx2.is_available() {
        let blocks = [Loop::new(2, 6, 6), Loop::new(320, 12, 13)];
        let loops = [[Loop::new(3, 2, 1), Loop::new(2, 1, 3)], blocks].concat();
        let plan = Plan::for_isa(&Move::new(&loops, 1), Isa::Avx2).expect("a plan").to_string();
        assert!(!plan.starts_with("copy"), "{plan}");
    }
}

/// A few pixels of a few channels of two or three images, which follow one another in the destination, in either order
/// of pixels and images, and flipped along one axis: blocks whose loads lie apart. The images are the ends of the
/// source.
#[test]
fn blocks_of_several_images() {
    let (random, mut blocks) = (&mut Random(41), [0; 2]);
    let sizes = (2..=4).flat_map(|c| [2, 3].map(|n| (c, n)));
    for (((c, n), p), unit) in sizes
        .flat_map(|size| [3, 5, 6, 9, 12].map(|p| (size, p)))
        .flat_map(|size| [1, 2, 4].map(|unit| (size, unit)))
    {
        for (groups, flipped) in [(1, 3), (2, 3), (7, 3), (2, 0), (7, 1), (2, 2)] {
            let own = unit as isize;
            let [row, all, image] = [p, c * p, c * p * groups].map(|of| of as isize * own);
            for (image_step, pixel_step) in [(c, c * n), (c * p, c)] {
                let mut loops = [
                    Loop::new(c, row, own),
                    Loop::new(n, image, image_step as isize * own),
                    Loop::new(p, own, pixel_step as isize * own),
                    Loop::new(groups, all, all * n as isize),
                ];
                let mut start = 0;
                if flipped < 3 {
                    let of = &mut loops[flipped];
                    start = (of.size as isize - 1) * of.source;
                    of.source = -of.source;
                }
                let of = Move::new(&loops, unit).from(start as usize, 0);
                check_from(random, &of, &[0, 16, 21]);
                let plan = Plan::for_isa(&of, Isa::Avx2).expect("a plan").to_string();
                // Of several vectors that are not whole, only blocks are made by such loads.
                let bytes = plan.split_once(" loads of vectors for ").map_or("", |own| own.1);
                let bytes = bytes.split(' ').next().and_then(|own| own.parse::<usize>().ok());
                let is_block = bytes.is_some_and(|own| own > 16 && own % 16 > 0);
                blocks[usize::from(flipped < 3)] += usize::from(is_block);
            }
        }
    }
    assert!(blocks.iter().all(|own| *own > 50) || !Isa::Avx2.is_available(), "{blocks:?}");
}

/// Tensors that fill their buffers, in each order of three axes, flipped along some axes and at times broadcast along
/// the outermost. Loads that reach the end of the source are not those of the last iteration.
#[test]
fn flipped_tensors() {
    let random = &mut Random(41);
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let units = [1, 2, 3, 4, 6, 8];
    for sizes in [[3, 7, 5], [5, 6, 3], [2, 9, 28], [4, 20, 17], [1, 24, 33], [7, 2, 64]] {
        let cases = orders.iter().flat_map(|order| (0..16).map(move |flips| (order, flips)));
        for ((order, flips), unit) in cases.flat_map(|case| units.map(|unit| (case, unit))) {
            let is_broadcast = flips >= 8;
            let mut loops = [Loop::ONCE; 3];
            let (mut next, mut start) = (unit as isize, 0);
            for axis in (0..3).rev() {
                let size = sizes[axis];
                let stride = if flips >> axis & 1 == 1 { -next } else { next };
                if stride < 0 {
                    start += (size as isize - 1) * next;
                }
                (loops[axis].size, loops[axis].source) = (size, stride);
                next *= size as isize;
            }
            if is_broadcast {
                let last = (loops[0].size as isize - 1) * loops[0].source;
                start += last.min(0);
                loops[0].source = 0;
            }
            let mut next = unit as isize;
            for axis in order.iter().rev() {
                loops[*axis].destination = next;
                next *= sizes[*axis] as isize;
            }
            let of = Move::new(&loops, unit).from(start as usize, 0);
            let shift = random.of(&[0, 1, 16]);
            check_from(random, &of, &[shift]);
        }
    }
}

/// A few values, each or all of them repeated: most loads end after the source.
#[test]
fn repeated_values() {
    let random = &mut Random(43);
    for unit in [1, 2, 3, 4, 5, 6, 8, 12, 16] {
        for (count, sign) in [(1, 1), (2, 1), (3, -1), (5, 1), (7, -1), (16, 1), (30, -1)] {
            for times in [2, 3, 50, 257] {
                let own = unit as isize;
                let start = if sign < 0 { (count - 1) * unit } else { 0 };
                let (many, few) = (times as isize, count as isize);
                for loops in [
                    [Loop::new(times, 0, own), Loop::new(count, sign * own, many * own)],
                    [Loop::new(count, sign * own, own), Loop::new(times, 0, few * own)],
                ] {
                    let of = Move::new(&loops, unit).from(start, 0);
                    let shift = random.of(&[0, 1, 16]);
                    check_from(random, &of, &[shift]);
                }
            }
        }
    }
}

/// Moves with every instruction set to destinations that begin `shifts` bytes after a line.
pub(super) fn check_from(random: &mut Random, of: &Move, shifts: &[usize]) {
    let best = Plan::new(of).expect("a plan");
    let len = best.destination_len();
    let source: Vec<u8> = (0..best.source_len()).map(|_| random.next() as u8).collect();
    let mut expected = vec![0xaa; len];
    naive(of, &source, &mut expected);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let plan = Plan::for_isa(of, isa).expect("a plan");
        for shift in shifts {
            let stores = random.of(&[Stores::Cached, Stores::NonTemporal]);
            let mut destination = vec![0xaa; len + 3 * GUARD];
            let start = destination.as_ptr().align_offset(64) + 64 + shift;
            let own = &mut destination[start..][..len];
            assert!(plan.with_stores(stores).run(&source, own), "{plan}");
            assert!(own == expected, "{:?} of {}, {isa:?}, {shift}: {plan}", of.loops(), of.unit);
            let guards = destination[..start].iter().chain(&destination[start + len..]);
            assert!(guards.into_iter().all(|byte| *byte == 0xaa), "{plan}");
        }
    }
}

/// Runs of several vectors, up to where memcpy copies them.
#[test]
fn long_runs() {
    let random = &mut Random(23);
    let lengths = (100..700).step_by(7).chain([1023, 1024, 2047, 2049, 8190, 8192, 8193, 9000]);
    for bytes in lengths.step_by(if seeds() < 500 { 7 } else { 1 }) {
        let (unit, pitch) = (bytes as isize, bytes as isize + random.below(70) as isize);
        let loops = [Loop::new(3, 2 * unit, pitch), Loop::new(2, unit, 3 * pitch)];
        check_paths(random, &loops, bytes, "copy");
    }
}

/// Two to eight planes of pixels that have more channels, or padding.
#[test]
fn some_planes() {
    let (random, mut count) = (&mut Random(17), 0);
    let all = (2..9).flat_map(|planes| (planes..17).map(move |channels| (planes, channels)));
    for (planes, channels) in all.step_by(if seeds() < 500 { 7 } else { 1 }) {
        for (unit, pixels) in [1, 2, 4, 8].into_iter().flat_map(|unit| [(unit, 64), (unit, 131)]) {
            let plane = (pixels + random.below(3)) * unit;
            let loops = [
                Loop::new(planes, unit as isize, plane as isize),
                Loop::new(pixels, (channels * unit) as isize, unit as isize),
            ];
            count += check_paths(random, &loops, unit, "8 loads of vectors");
        }
    }
    assert!(count > 5 || Isa::best() != Isa::Avx512Vbmi, "{count} plans");
}

/// Moves loops of one unit with every instruction set, and returns how many plans print `path`.
fn check_paths(random: &mut Random, loops: &[Loop], unit: usize, path: &str) -> usize {
    let (of, mut count) = (Move::new(loops, unit), 0);
    let best = Plan::for_isa(&of, Isa::best()).expect("a plan");
    let source: Vec<u8> = (0..best.source_len()).map(|_| random.next() as u8).collect();
    let mut expected = vec![0xaa; best.destination_len() + GUARD];
    naive(&of, &source, &mut expected);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let plan = Plan::for_isa(&of, isa).expect("a plan");
        count += usize::from(plan.to_string().contains(path));
        for stores in [Stores::Cached, Stores::NonTemporal] {
            let mut destination = vec![0xaa; expected.len()];
            let own = &mut destination[..plan.destination_len()];
            assert!(plan.with_stores(stores).run(&source, own), "{plan}");
            assert!(destination == expected, "{loops:?} of {unit}, {isa:?}: {plan}");
        }
    }
    count
}

/// Rows that share sets of a first level cache go through a scratch, those of several digits by tables.
#[test]
fn rows_that_share_sets() {
    let (random, mut count) = (&mut Random(13), 0);
    for sizes in [[16, 3, 5, 16], [33, 1, 7, 20], [64, 2, 3, 24], [20, 4, 9, 48], [128, 1, 5, 10]] {
        for (unit, more) in [(1, 0), (2, 0), (4, 0), (8, 0), (1, 16), (2, -16)] {
            // The first digit is 4 KiB apart in the source, and the fastest in the destination.
            let from = [4096 + more, 16 * 48 * unit, sizes[3] * unit, unit];
            let [a, b, c, _] = sizes;
            let to = [unit, a * unit, b * a * unit, c * b * a * unit];
            let loops: Vec<_> =
                (0..4).map(|i| Loop::new(sizes[i] as usize, from[i], to[i])).collect();
            count += check_paths(random, &loops, unit as usize, "tables, rows through a scratch");
        }
    }
    // Of one instruction set, as on AArch64, there are four.
    assert!(count > 3 || Isa::best() == Isa::Portable, "{count} plans");
}

/// Columns that share a set, as their rows do, go through a scratch with AVX-512, evenly spaced or by tables.
#[test]
fn rows_and_columns_that_share_sets() {
    let (random, mut count) = (&mut Random(19), 0);
    for sizes in [[16, 9, 4, 16], [33, 5, 2, 20], [64, 3, 3, 67], [150, 1, 2, 130], [24, 4, 5, 24]]
    {
        for (unit, more) in [1, 2, 4, 8].into_iter().flat_map(|unit| [(unit, 0), (unit, 512)]) {
            let [a, b, c, d] = sizes;
            // With more between them, the outer digits do not continue the inner ones.
            let from = [4096, a * 4096 + more, d * unit, unit];
            let to = [unit, a * unit, d * 4096 + more, 4096];
            let loops: Vec<_> =
                (0..4).map(|i| Loop::new(sizes[i] as usize, from[i], to[i])).collect();
            assert!(a * b * unit <= 4096 && c * d * unit <= 4096, "strides that do not overlap");
            count += check_paths(random, &loops, unit as usize, "bytes, columns");
        }
    }
    assert!(count > 1 || Isa::best() == Isa::Portable, "{count} plans");
}

/// Crowded columns of 4 and 8 bytes whose rows are those of a table, of which a block of the scratch buffer has all or
/// not.
#[test]
fn crowded_columns_with_tables() {
    let (random, mut count) = (&mut Random(31), 0);
    for (first, second, columns) in [(2, 64, 12), (2, 33, 40), (4, 16, 9), (3, 40, 17)] {
        for unit in [4, 8] {
            let (row, own) = (24 * columns * unit, unit as isize);
            let loops = [
                Loop::new(first, second as isize * row as isize, own),
                Loop::new(second, row as isize, first as isize * own),
                Loop::new(columns, own, 4096),
                Loop::new(24, (columns * unit) as isize, 4096 * columns as isize),
            ];
            count += check_paths(random, &loops, unit, "tables, columns through a scratch");
        }
    }
    assert!(count > 1 || Isa::best() == Isa::Portable, "{count} plans");
}

/// Large moves of runs of multiples of 16 bytes, some of which have other strides.
#[test]
fn large_runs() {
    let random = &mut Random(37);
    for (unit, blocks, more) in [(16, 8, 0), (64, 16, 8), (64, 16, 16), (272, 5, 0), (48, 17, 0)] {
        let rows = (13 << 20) / (unit * blocks);
        let (own, stride) = (unit as isize, (unit * blocks + more) as isize);
        let loops = [Loop::new(blocks, own * rows as isize, own), Loop::new(rows, own, stride)];
        check_from(random, &Move::new(&loops, unit), &[0, 16, 33]);
    }
}

/// Moves too large for memory have plans.
#[test]
fn huge_moves() {
    for unit in [1, 4, usize::MAX / 64 / 8 * 8] {
        let (own, count) = (unit as isize, usize::MAX / 32 / unit);
        for loops in [
            vec![Loop::new(isize::MAX as usize / unit, own, own)],
            vec![Loop::new(2, 2 * own, own), Loop::new(2, own, 2 * own)],
            vec![Loop::new(2, own * count as isize, own), Loop::new(count, own, 2 * own)],
            vec![Loop::new(count, 2 * own, own), Loop::new(2, own, own * count as isize)],
        ] {
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let plan = Plan::for_isa(&Move::new(&loops, unit), isa).expect("a plan");
                assert!(!plan.run(&[], &mut []), "{plan}");
            }
        }
    }
    // A far digit in blocks.
    for own in [1, 2, 4] {
        let far = (isize::MAX / own - 1000) * own;
        let small = [Loop::new(3, 3 * own, 2 * own), Loop::new(3, own, 6 * own)];
        let loops = [Loop::new(2, far, own), small[0], small[1], Loop::new(50, 9 * own, 18 * own)];
        for isa in Isa::ALL {
            let plan = Plan::for_isa(&Move::new(&loops, own as usize), isa).expect("a plan");
            assert!(!plan.run(&[], &mut []), "{plan}");
        }
    }
}
