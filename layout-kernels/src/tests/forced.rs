//! Every set of kernels that the CPU has, forced one after the other, against moving elements one
//! by one: all small shapes, unaligned buffers, guard bytes around the destination.

use std::format;
use std::vec;
use std::vec::Vec;

use layout_types::spec::{AxisExtent, ElementType, Format, Length, Spec};
use layout_types::{Coordinates, Layout};

use super::pairs::Plan;
use crate::kernel::{self, Job, Kernel, KnownJob, LOOKS_UP, Pad, Stores};

const GUARD: u8 = 0xa5;
/// What lies around a destination, at most.
const GUARDS: [u8; 256] = [GUARD; 256];
/// Whether the CPU is taken for Intel's, where kernels ask.
const MAKERS: &[bool] = if cfg!(target_arch = "x86_64") { &[true, false] } else { &[false] };
const WIDTHS: [usize; 7] = [1, 2, 3, 4, 8, 12, 16];

/// An element of so many bytes.
pub(super) const fn bytes(bytes: usize) -> ElementType {
    ElementType::Plain { bytes, align: 1 }
}

/// `format` over axes N, C, H, W in this order.
pub(super) const fn layout(format: &str, extents: [usize; 4], element: ElementType) -> Layout {
    filled(format, extents, element, 0)
}

/// [`layout`] with bits that padding holds.
const fn filled(format: &str, [n, c, h, w]: [usize; 4], element: ElementType, fill: u64) -> Layout {
    const fn axis(letter: char, extent: usize) -> AxisExtent {
        AxisExtent { letter, extent: Length::Runtime(extent) }
    }
    let axes = &[axis('N', n), axis('C', c), axis('H', h), axis('W', w)];
    let Ok(format) = Format::parse(format) else { panic!("a format") };
    match Layout::new(&Spec { element, axes, factors: format.factors(), fill: Some(fill) }) {
        Ok(layout) => layout,
        Err(error) => error.panic(),
    }
}

/// Bytes that no two places near each other share.
fn source_bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + i / 251 * 17) as u8).collect()
}

/// A move: what the source holds, and what the destination must hold in the end, with guard bytes
/// where nothing is written.
struct Case<'a> {
    plan: &'a Plan,
    source: Vec<u8>,
    expected: Vec<u8>,
}

impl<'a> Case<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self::over(plan, &[GUARD])
    }

    /// The same for what writes these bytes, over and over, where no elements go.
    fn over(plan: &'a Plan, padding: &[u8]) -> Self {
        let (source, destination) = (plan.source(), plan.destination());
        let bits = source.element().bits();
        let from = source_bytes(source.bytes());
        let mut expected = padding.repeat(destination.bytes() / padding.len());
        for coordinate in Coordinates::<4>::new(*destination) {
            let a = source.offset(&coordinate);
            let b = destination.offset(&coordinate);
            if bits == 4 {
                let element = from[a / 2] >> (a % 2 * 4) & 0xf;
                let pair = &mut expected[b / 2];
                *pair =
                    if b % 2 == 0 { *pair & 0xf0 | element } else { *pair & 0xf | element << 4 };
                continue;
            }
            let bytes = bits / 8;
            let (a, b) = (a * bytes, b * bytes);
            expected[b..b + bytes].copy_from_slice(&from[a..a + bytes]);
        }
        Self { plan, source: from, expected }
    }

    /// Lets `run` move the tensor by `how` and compares all bytes, those around the destination too.
    /// Both buffers begin `skew` bytes past an aligned address.
    fn check(&self, how: &str, skew: usize, run: impl FnOnce(&[u8], &mut [u8])) {
        // Memory ends where the tensor does, so that sanitizers see what reads past it. It begins at a
        // multiple of 8 though only bytes are asked for: skews are counted from there.
        let mut from = Vec::<u8>::with_capacity(skew + self.source.len());
        assert_eq!(from.as_ptr().align_offset(8), 0, "an allocation at {:?}", from.as_ptr());
        from.resize(skew, 0);
        from.extend_from_slice(&self.source);
        let bytes = self.expected.len();
        let mut to = vec![GUARD; bytes + GUARDS.len()];
        let start = to[64..].as_ptr().align_offset(64) + 64 + skew;
        run(&from[skew..], &mut to[start..][..bytes]);
        let (before, rest) = to.split_at(start);
        let (moved, after) = rest.split_at(bytes);
        let guarded = [before, after].iter().all(|guards| **guards == GUARDS[..guards.len()]);
        let (from, to) = (self.plan.source(), self.plan.destination());
        assert!(guarded, "{how} writes outside: {from} to {to}, skew {skew}");
        assert!(moved == self.expected, "{how}: {from} to {to}, skew {skew}");
    }
}

/// Moves a tensor with every set of kernels, and element by element, and compares all bytes.
fn check(from: &str, to: &str, extents: [usize; 4], bytes: usize, stream: bool) {
    check_element(from, to, extents, self::bytes(bytes), stream);
}

/// [`check`] for any element type.
fn check_element(from: &str, to: &str, extents: [usize; 4], element: ElementType, stream: bool) {
    let plan = Plan::new(&layout(from, extents, element), &layout(to, extents, element)).unwrap();
    check_plan(&plan, stream);
}

/// [`check`] for a plan of few loops.
pub(super) fn check_plan(plan: &Plan, stream: bool) {
    // Stores go past the caches in whole lines of the destination.
    check_plan_at(plan, stream, if stream { &[0, 1, 16] } else { &[] });
}

/// [`check_plan`] with buffers that begin so far past aligned addresses, or as is of use to each set.
fn check_plan_at(plan: &Plan, stream: bool, own: &[usize]) {
    let stores = if stream { Stores::Past } else { Stores::Cached };
    let jobs: Vec<Job> = plan.plain_jobs(stores).collect();
    let case = Case::new(plan);
    for &intels in MAKERS {
        for set in sets() {
            for &skew in if own.is_empty() { skews(set) } else { own } {
                case.check(&format!("{set}, {stores:?}, Intel {intels}"), skew, |from, to| {
                    for job in &jobs {
                        assert!(job.fits(from.len(), to.len()), "{job:?}");
                        // SAFETY: the job moves elements of the layouts, whose lengths the buffers
                        // have, and the set is one that the CPU has. `finish` follows.
                        kernel::pretending(intels, || unsafe {
                            kernel::run_named(set, job, from, to);
                        });
                    }
                    stores.finish();
                });
            }
        }
    }
}

/// How far buffers lie from what is aligned: to vectors that is all the same.
fn skews(set: &str) -> &'static [usize] {
    if set.starts_with("words") { &[0, 1, 2] } else { &[1] }
}

pub(super) fn sets() -> Vec<&'static str> {
    kernel::names().into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

#[test]
fn small_shapes() {
    for bytes in WIDTHS {
        for channels in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33] {
            for pixels in (1..=20).chain([31, 32, 33, 63, 64, 65, 70]) {
                let extents = [2, channels, 1, pixels];
                check("NCHW", "NHWC", extents, bytes, false);
                check("NHWC", "NCHW", extents, bytes, false);
                check("NCHW", "NCHW4", extents, bytes, false);
            }
        }
    }
}

#[test]
fn blocks_and_groups() {
    let formats = ["NCHW", "NHWC", "NCHW4", "CHWN4", "NCHW32", "NCHW6c", "CHWN", "NCHW4c16n4c"];
    for bytes in WIDTHS {
        for extents in [[1, 4, 3, 3], [5, 12, 3, 3], [16, 32, 3, 3], [3, 35, 2, 9], [4, 64, 5, 13]]
        {
            for from in formats {
                for to in formats {
                    check(from, to, extents, bytes, false);
                }
            }
        }
        // Columns in groups that are not whole tiles, nor are the rows.
        check("CHWN4", "NCHW", [9, 8, 7, 11], bytes, false);
        // Rows that take turns, and of which a vector takes two.
        check("NCHW", "NCWH", [4, 32, 2, 21], bytes, false);
    }
}

/// Matrices of less than a lane each way, as filters are: a few, and so many that shuffles of longer steps pay.
#[test]
fn tiny_matrices() {
    for (width, channels) in
        [1, 2, 4].into_iter().flat_map(|width| [2, 3, 4, 5, 8, 13].map(|c| (width, c)))
    {
        for pixels in [2, 4, 5, 9, 15] {
            for matrices in
                [3, 600 / (width * channels * pixels) + 1, 4096 / (width * channels * pixels) + 1]
            {
                let extents = [matrices, channels, 1, pixels];
                check("NCHW", "NHWC", extents, width, false);
                check("NHWC", "NCHW", extents, width, false);
                check("NCHW", "NCHW4", extents, width, false);
            }
        }
    }
}

/// Less than a lane of rows: lanes of long vectors are columns, or pairs of them.
#[test]
fn few_rows() {
    for (bytes, channels) in [(1, 5..16), (2, 2..8)] {
        for channels in channels {
            for pixels in [15, 16, 17, 31, 32, 63, 64, 65, 100, 128, 191, 200] {
                check("NCHW", "NHWC", [2, channels, 1, pixels], bytes, false);
                check("NCHW", "CHWN", [channels, 1, 3, pixels], bytes, true);
            }
        }
    }
    // Rows in groups, and columns that do not lie together.
    for (channels, all) in [(6, 7), (12, 13), (8, 9)] {
        check("NCHW", "HWCN", [channels / 2, 2, 10, 13], 1, false);
        check("NCHW", "HWCN", [4, channels / 2, 10, 13], 1, false);
        let from = layout("NCHW", [2, channels, 10, 13], bytes(1));
        let to = layout("NHWC", [2, all, 10, 13], bytes(1)).slice('C', 0, 1, channels).unwrap();
        check_plan(&Plan::new(&from, &to).unwrap(), false);
    }
}

/// Columns that come to lines together, but not with their first row: what is left of the last line is less
/// than half a vector or more, the columns are several strips or one, and rows share a set or not.
#[test]
fn rows_before_lines() {
    let check = |from, to, extents, bytes| {
        let [from, to] = [from, to].map(|format| layout(format, extents, self::bytes(bytes)));
        let plan = Plan::new(&from, &to).unwrap();
        check_plan_at(&plan, false, &[16, 40]);
        check_plan_at(&plan, true, &[16, 40]);
    };
    check("NCHW", "NHWC", [1, 256, 1, 4099], 1);
    for bytes in [1, 2, 4, 8] {
        check("NCHW", "NHWC", [2, 256, 1, 150], bytes);
        check("NCHW", "NHWC", [1, 1024 / bytes, 1, 257], bytes);
        check("NHWC", "NCHW", [1, 257, 1, 320], bytes);
        check("NHWC", "NCHW", [1, 33, 1, 1024 / bytes], bytes);
    }
}

#[test]
fn rows_a_page_apart_and_stores_past_the_caches() {
    for bytes in [1, 2, 4] {
        for pixels in [4096 / bytes, 4096 / bytes - 1, 4096 / bytes + 3] {
            let extents = [1, 66, 1, pixels];
            for (from, to) in [("NCHW", "NHWC"), ("NHWC", "NCHW"), ("NCHW", "NCHW4")] {
                check(from, to, extents, bytes, false);
                check(from, to, extents, bytes, true);
            }
        }
        // Runs of columns that begin anywhere in lines.
        for (columns, pixels) in [(64, 256 / bytes), (66, 256 / bytes + 1), (79, 300), (130, 601)] {
            check("NHWC", "NCHW", [1, columns, 1, pixels], bytes, true);
        }
        // Columns of whole lines; copies of whole lines and of more; what is left of an
        // interleave.
        for channels in [64 / bytes, 80 / bytes, 64, 80, 256] {
            check("NCHW", "NHWC", [2, channels, 1, 150], bytes, true);
        }
        check("NCHW", "CHWN4", [4, 3, 1, 128 / bytes], bytes, true);
        // One column more than tiles have.
        check("NCHW", "NHWC", [2, 64 / bytes, 7, 7], bytes, true);
        check("NHWC", "CHWN", [1, 256, 3, 5], bytes, true);
        check("NCHW", "NCHW", [2, 3, 16, 40], bytes, true);
        check("NHWC", "NCHW", [3, 160, 1, 1], bytes, true);
        check("NHWC", "HNWC", [2, 100, 3, 3], bytes, true);
        // Lines in the order of the source.
        for (images, width) in [(20, 64 / bytes), (17, 192 / bytes), (40, 80 / bytes)] {
            check("NCHW", "CNHW", [images, 3, 1, width], bytes, true);
            check("NCHW", "HCNW", [images, 18, 2, width], bytes, true);
        }
        check("NHWC", "CHWN", [2, 1, 3, 192], bytes, true);
        check("CHWN", "CHWN", [2, 3, 5, 7], bytes, true);
        check("NCHW", "NHWC", [1, 3, 1, 1000], bytes, true);
        check("NHWC", "NCHW", [1, 3, 1, 1000], bytes, true);
    }
    // Units of which few make a vector: rows of whole lines, and of half ones.
    for (channels, bytes) in [(5, 16), (8, 16), (16, 8), (12, 8)] {
        check("NCHW", "NHWC", [2, channels, 3, 3], bytes, true);
        check("NHWC", "NCHW", [2, channels, 4, 5], bytes, true);
    }
}

/// Columns that share few sets: rows of a stack but one, of one and a row, of one and all but a row of a tile, of
/// two and more; rows in groups, and columns that begin anywhere in lines.
#[test]
fn columns_that_share_sets() {
    for (bytes, pitch) in [(1, 4096), (2, 4096), (4, 2048), (4, 1024), (8, 1024)] {
        // Of the longest vectors.
        let tile = 64 / bytes;
        let stack = 8 * tile;
        for rows in [stack - 1, stack + 1, stack + tile - 1, stack + tile, 2 * stack - 3] {
            let rows = rows.min(pitch / bytes);
            for (from, to, axis, extents, whole) in [
                ("NHWC", "NCHW", 'W', [1, tile, 1, rows], [1, tile, 1, pitch / bytes]),
                ("NHWC", "NCHW", 'W', [1, 81, 1, rows], [1, 81, 1, pitch / bytes]),
                // Rows that are farther apart than columns are.
                ("NCHW", "NHWC", 'C', [1, rows, 1, 607], [1, pitch / bytes, 1, 607]),
            ] {
                let (element, part) =
                    (self::bytes(bytes), extents[if axis == 'C' { 1 } else { 3 }]);
                let whole = layout(to, whole, element).slice(axis, 0, 1, part).unwrap();
                let plan = Plan::new(&layout(from, extents, element), &whole).unwrap();
                check_plan(&plan, false);
                check_plan(&plan, true);
            }
        }
        let pixels = pitch / bytes;
        // Rows that share a set too, fewer and more of them than are copied side by side.
        for (rows, columns) in [(4 * tile, tile), (256 + tile - 1, 81), (257 + tile, tile + 3)] {
            let element = self::bytes(bytes);
            let view = layout("NHWC", [1, 4096 / bytes, 1, rows], element);
            let view = view.slice('C', 0, 1, columns).unwrap();
            let whole = layout("NCHW", [1, columns, 1, pixels.max(rows)], element);
            let whole = whole.slice('W', 0, 1, rows).unwrap();
            let plan = Plan::new(&view, &whole).unwrap();
            check_plan(&plan, false);
            check_plan(&plan, true);
        }
        for stream in [false, true] {
            check("NHWC", "NCHW", [1, 65, 1, pixels + 1], bytes, stream);
            check("NCHW", "CHWN4", [pixels / 4, 4, 5, 30], bytes, stream);
            check("NCHW", "NHWC4c8n", [24, pixels / 8, 2, 33], bytes, stream);
        }
    }
}

/// From line to line, in the caches and past them.
#[test]
fn interleaves_of_lines() {
    for bytes in [1, 2, 4] {
        for pixels in [256 / bytes, 300 / bytes + 1, 500] {
            for (from, to, extents) in [
                ("NCHW", "NHWC", [2, 4, 1, pixels]),
                ("NCHW", "CHWN4", [4, 3, 1, pixels]),
                ("NCHW", "NCHW4", [2, 7, 1, pixels]),
                ("NHWC", "NCHW", [2, 4, 1, pixels]),
                ("NCHW4", "NCHW", [2, 7, 1, pixels]),
                ("NCHW", "NHWC", [2, 3, 1, pixels]),
                ("NHWC", "NCHW", [2, 3, 1, pixels]),
            ] {
                let (from, to) = (
                    layout(from, extents, self::bytes(bytes)),
                    layout(to, extents, self::bytes(bytes)),
                );
                let plan = Plan::new(&from, &to).unwrap();
                check_plan_at(&plan, false, &[0, 16, 4]);
                check_plan_at(&plan, true, &[0, 16, 4, 5]);
            }
        }
    }
}

#[test]
fn nibbles() {
    for channels in [1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 64, 65, 127, 200] {
        for pixels in (1..=8).chain([15, 31, 32, 33, 34, 63, 64, 127, 129, 300]) {
            for (from, to) in [("NCHW", "NHWC"), ("NHWC", "NCHW"), ("NCHW", "NCHW64")] {
                check_element(from, to, [2, channels, 1, pixels], ElementType::U4, false);
                check_element(from, to, [1, channels, 3, pixels], ElementType::I4, true);
            }
        }
    }
    let formats = ["NCHW", "NHWC", "NCHW4", "CHWN4", "NCHW64", "NCHW6c", "CHWN", "NCHW4c16n4c"];
    for extents in [[1, 4, 3, 3], [5, 12, 3, 3], [16, 32, 3, 4], [3, 35, 2, 9], [2, 64, 5, 13]] {
        for from in formats {
            for to in formats {
                check_element(from, to, extents, ElementType::U4, false);
            }
        }
    }
}

/// Pixels of few channels, whose padding the kernel fills too.
#[test]
fn pads_of_pixels() {
    let counts = (1..=70).chain([127, 128, 129, 200, 257, 600]);
    for (from, to, channels) in [
        ("NHWC", "NCHW4", 1),
        ("NHWC", "NCHW4", 2),
        ("NHWC", "NCHW4", 3),
        ("NCHW", "NCHW4", 1),
        ("NCHW", "NCHW4", 2),
        ("NCHW", "NCHW4", 3),
        ("NCHW", "NCHW8", 5),
        ("NHWC", "CHWN4", 3),
    ] {
        let elements = [ElementType::U8, ElementType::U16, ElementType::U32];
        for (element, pixels) in
            elements.into_iter().flat_map(|one| counts.clone().map(move |two| (one, two)))
        {
            let width = element.bits() / 8;
            let extents = [2, channels, 1, pixels];
            let fill = 0x7b5a_9c31 + pixels as u64 % 7;
            let from = layout(from, extents, element);
            let to = filled(to, extents, element, fill & (u64::MAX >> (64 - 8 * width)));
            let plan = Plan::new(&from, &to).unwrap();
            let Some(job) = plan.job(0).filter(Job::fills) else {
                // Few pixels, steps longer than a lane, or nothing looks up.
                let is_long = channels == 5 && width == 4;
                assert!(pixels < 16 || is_long || !LOOKS_UP, "{plan}");
                continue;
            };
            assert_eq!(format!("{plan}").lines().count(), 2, "{plan}");
            let case = Case::over(&plan, &fill.to_le_bytes()[..width]);
            for set in sets() {
                for &skew in skews(set) {
                    case.check(&format!("{set}, {job}"), skew, |from, to| {
                        assert!(job.fits(from.len(), to.len()), "{job:?}");
                        // SAFETY: the job moves elements of the layouts, whose lengths the buffers have, and the
                        // set is one that the CPU has.
                        unsafe { kernel::run_named(set, &job, from, to) };
                    });
                }
            }
        }
    }
}

/// Blocks that end with padding behind others that do not: parts of the tensor, filled or padded as they are moved.
#[test]
fn last_blocks() {
    for (to, channels, pads) in [
        ("NCHW4", 6, true),
        ("NCHW4", 7, true),
        ("NCHW8", 13, true),
        ("NHWC8c", 9, false),
        ("NCHW32", 35, false),
        ("CHWN4", 5, true),
        ("NCHW4h4w4c", 8, false),
    ] {
        for (from, pixels) in [("NCHW", 31), ("NHWC", 31), ("CHWN", 70)] {
            let is_either = from == "CHWN";
            let extents = [3, channels, 2, pixels];
            let from = layout(from, extents, ElementType::U8);
            let to = filled(to, extents, ElementType::U8, 77);
            let plan = Plan::new(&from, &to).unwrap();
            let by_a_job = plan.jobs().any(Job::fills);
            assert!(is_either || by_a_job == (pads && LOOKS_UP), "{plan}");
            Case::over(&plan, &[77]).check("all", 1, |from, to| {
                if let Some(padding) = plan.padding() {
                    padding.fill(to, 77);
                }
                for job in plan.jobs() {
                    assert!(job.fits(from.len(), to.len()), "{job:?}");
                    // SAFETY: the job moves elements of the layouts, whose lengths the buffers have.
                    unsafe { job.run(from, to) };
                    job.stores.finish();
                }
            });
        }
    }
}

/// Pixels of three bytes, where nothing looks bytes up.
#[test]
fn pads_of_three_bytes() {
    for set in sets() {
        for (i, pixels) in (2..=70).enumerate() {
            for skews in [[0, 0], [0, 1], [1, 0], [2, 2]] {
                let source = source_bytes(3 * pixels + 16);
                let mut moved = vec![GUARD; 4 * pixels + 32];
                let start = source.as_ptr().align_offset(4) + skews[0];
                let source = &source[start..][..3 * pixels];
                let start = moved.as_ptr().align_offset(4) + 4 + skews[1];
                let pad = Pad { pixels, fill: 200 + i as u8 % 5 };
                let job = Job { kernel: Kernel::Pad(pad), ..Job::NOTHING };
                assert!(job.fits(source.len(), 4 * pixels), "{job:?}");
                // SAFETY: the job fits the buffers, and the set is one that the CPU has.
                unsafe { kernel::run_named(set, &job, source, &mut moved[start..][..4 * pixels]) };
                let words = source.chunks(3).flat_map(|pixel| [pixel, &[pad.fill]].concat());
                let (before, rest) = moved.split_at(start);
                let (words_moved, after) = rest.split_at(4 * pixels);
                assert!(words.eq(words_moved.iter().copied()), "{set}: {job}, skews {skews:?}");
                assert!(before.iter().chain(after).all(|&byte| byte == GUARD), "{set}: {job}");
            }
        }
    }
}

/// Jobs that are known at compile time, with the kernel that each is there to test.
#[test]
fn known_jobs() {
    macro_rules! jobs {
        ($($kernel:literal: $from:literal to $to:literal $extents:tt, $element:expr;)*) => {$({
            const PLAN: Plan = {
                let from = layout($from, $extents, $element);
                match Plan::new(&from, &layout($to, $extents, $element)) {
                    Ok(plan) => plan,
                    Err(error) => error.panic(),
                }
            };
            struct Known;
            impl KnownJob for Known {
                const JOB: Job = PLAN.job(0).expect("one job");
            }
            let printed = format!("{}", Known::JOB);
            assert!(printed.contains($kernel), "{printed}");
            let case =
                if Known::JOB.fills() { Case::over(&PLAN, &[0]) } else { Case::new(&PLAN) };
            for set in sets() {
                for &skew in skews(set) {
                    case.check(set, skew, |from, to| {
                        // SAFETY: the job moves elements of the layouts, whose lengths the buffers
                        // have, and the set is one that the CPU has.
                        unsafe { kernel::run_known_named::<Known>(set, from, to) };
                    });
                }
            }
        })*};
    }
    jobs! {
        "transpose 64 rows by 9 columns of 1": "NCHW" to "NHWC" [2, 64, 3, 3], bytes(1);
        "transpose 64 rows by 9 columns of 2": "NCHW" to "NHWC" [2, 64, 3, 3], bytes(2);
        "transpose 9 rows by 64 columns of 4": "NHWC" to "NCHW" [2, 64, 3, 3], bytes(4);
        "transpose 16 rows by 9 columns of 8": "NCHW" to "NHWC" [2, 16, 3, 3], bytes(8);
        "transpose 2 rows by 9 columns of 8": "NCHW" to "NHWC" [2, 2, 3, 3], bytes(8);
        "transpose 16 rows by 81 columns of 1": "NCHW" to "NHWC" [2, 16, 9, 9], bytes(1);
        "transpose 16 rows by 81 columns of 1": "NCHW" to "CHWN4" [4, 4, 9, 9], bytes(1);
        "transpose 5 rows by 9 columns of 16": "NCHW" to "NHWC" [2, 5, 3, 3], bytes(16);
        "transpose 13 rows by 70 columns of 16": "NCHW" to "NHWC" [1, 13, 1, 70], bytes(16);
        "transpose 8 rows by 9 columns of 2": "NCHW" to "CHWN4" [2, 8, 3, 3], bytes(2);
        "transpose 8 rows by 81 columns of 1": "NCHW" to "CHWN4" [2, 8, 9, 9], bytes(1);
        "interleave 4 rows by 100 columns of 1": "NCHW" to "NCHW4" [1, 8, 10, 10], bytes(1);
        "transpose 7 rows by 45 columns of 1": "NCHW" to "NHWC" [2, 7, 5, 9], bytes(1);
        "transpose 6 rows by 130 columns of 1": "NCHW" to "NHWC" [1, 6, 10, 13], bytes(1);
        "transpose 12 rows by 130 columns of 1": "NCHW" to "NHWC" [2, 12, 10, 13], bytes(1);
        "transpose 6 rows by 70 columns of 2": "NCHW" to "NHWC" [1, 6, 7, 10], bytes(2);
        "transpose 25 rows by 20 columns of 1": "CHWN4" to "NCHW" [5, 8, 5, 5], bytes(1);
        "transpose 33 rows by 12 columns of 2": "CHWN4" to "NCHW" [3, 8, 3, 11], bytes(2);
        "transpose 40 rows by 9 columns of 1": "NCHW" to "CHWN4" [10, 4, 3, 3], bytes(1);
        "transpose 40 rows by 9 columns of 2": "NCHW" to "CHWN4" [10, 4, 3, 3], bytes(2);
        "interleave 4 rows by 49 columns of 1": "NCHW" to "NCHW4" [1, 8, 7, 7], bytes(1);
        "interleave 4 rows by 49 columns of 2": "NCHW" to "NCHW4" [1, 8, 7, 7], bytes(2);
        "interleave 4 rows by 9 columns of 1": "NCHW" to "NCHW4" [2, 8, 3, 3], bytes(1);
        "interleave 4 rows by 16 columns of 1": "NCHW" to "NCHW4" [2, 8, 4, 4], bytes(1);
        "interleave 4 rows by 9 columns of 2": "NCHW" to "NCHW4" [2, 8, 3, 3], bytes(2);
        "interleave 4 rows by 6 columns of 4": "NCHW" to "NCHW4" [2, 8, 2, 3], bytes(4);
        "interleave 4 rows by 196 columns of 1": "NCHW" to "NCHW4" [1, 8, 14, 14], bytes(1);
        "interleave 4 rows by 49 columns of 1": "NCHW" to "NCHW4" [1, 68, 7, 7], bytes(1);
        "interleave 4 rows by 49 columns of 2": "NCHW" to "CNHW4c" [3, 8, 7, 7], bytes(2);
        "interleave 3 rows by 100 columns of 2": "NCHW" to "NHWC" [1, 3, 10, 10], bytes(2);
        "deinterleave 100 rows by 3 columns of 4": "NHWC" to "NCHW" [1, 3, 10, 10], bytes(4);
        "deinterleave 49 rows by 4 columns of 1": "NCHW4" to "NCHW" [1, 8, 7, 7], bytes(1);
        "deinterleave 81 rows by 4 columns of 2": "NCHW4" to "NCHW" [1, 8, 9, 9], bytes(2);
        "deinterleave 35 rows by 4 columns of 4": "NHWC" to "NCHW" [2, 4, 5, 7], bytes(4);
        "copy 12 bytes": "CHWN" to "NHWC" [5, 3, 7, 1], bytes(12);
        "transpose 64 rows by 36 columns of 4 bits": "NCHW" to "NHWC" [2, 64, 6, 6], ElementType::I4;
        "transpose 24 rows by 30 columns of 4 bits": "NHWC" to "NCHW" [2, 30, 3, 8], ElementType::I4;
        "transpose 8 rows by 36 columns of 2 bytes": "NCHW4" to "NHWC" [1, 32, 6, 6], ElementType::I4;
        "move 9 times 4 bits": "NCHW" to "NHWC6c" [2, 1, 1, 9], ElementType::I4;
        "move 14 times 4 bytes": "NCHW" to "NHWC6c" [2, 1, 1, 7], bytes(4);
    }
    if !LOOKS_UP {
        return;
    }
    jobs! {
        "shuffle 9 times 4 bytes, 16 times": "NCHW" to "NCHW4" [8, 8, 3, 3], bytes(1);
        "shuffle 7 times 6 bytes, 16 times": "NCHW" to "NHWC" [16, 3, 1, 7], bytes(2);
        "shuffle 4 times 9 bytes, 15 times": "NHWC" to "NCHW" [15, 4, 3, 3], bytes(1);
        "shuffle 9 times 7 bytes, 9 times": "NCHW" to "NHWC" [9, 7, 3, 3], bytes(1);
        "shuffle 35 times 3 bytes": "NCHW4" to "NHWC" [1, 3, 5, 7], bytes(1);
        "shuffle 70 times 6 bytes": "NCHW4" to "NHWC" [1, 3, 7, 10], bytes(2);
        "shuffle 21 times 2 bytes": "NCHW" to "NCWH" [4, 32, 2, 21], bytes(1);
        "shuffle 35 times 8 bytes": "NCHW" to "NHWC" [2, 2, 5, 7], bytes(4);
        "pad 14 times 1 bytes to 6": "NCHW" to "NHWC6c" [2, 1, 1, 7], bytes(1);
        "pad 350 times 6 bytes to 8": "NCHW" to "NCHW4" [1, 3, 14, 25], bytes(2);
    }
    // Three rows of less than two lanes are less than a vector there only.
    if cfg!(target_arch = "x86_64") {
        jobs! {
            "shuffle 9 times 6 bytes, 10 times": "NCHW" to "NHWC" [10, 3, 3, 3], bytes(2);
        }
    }
}

/// Parts of a job write each byte that the job writes, and each of them once.
#[test]
#[cfg(feature = "rayon")]
fn parts_of_jobs() {
    let formats = ["NCHW", "NHWC", "NCHW4", "CHWN4", "NCHW64"];
    let elements = [ElementType::U4, bytes(1), bytes(4), bytes(16)];
    // Of the last ones, 9 parts leave a row of its own.
    let extents = [
        [1, 3, 1, 300],
        [2, 4, 1, 133],
        [16, 64, 1, 3],
        [1, 257, 1, 35],
        [1, 1, 1, 9],
        [1, 8, 1, 65],
        [4, 8, 1, 130],
    ];
    for (extents, element) in extents.into_iter().flat_map(|one| elements.map(|two| (one, two))) {
        for (from, to) in formats.into_iter().flat_map(|one| formats.map(|two| (one, two))) {
            let (from, to) = (layout(from, extents, element), layout(to, extents, element));
            let plan = Plan::new(&from, &to).unwrap();
            let source = source_bytes(from.bytes());
            for job in plan.jobs() {
                for count in [2, 9] {
                    // A byte is written where it is the same over zeros and over ones.
                    let written = |job: &Job| {
                        let (mut zeros, mut ones) = (vec![0; to.bytes()], vec![!0; to.bytes()]);
                        for over in [&mut zeros, &mut ones] {
                            assert!(job.fits(source.len(), over.len()), "{job:?}");
                            // SAFETY: the job moves elements of the layouts.
                            unsafe { job.run(&source, over) };
                        }
                        zeros.into_iter().zip(ones)
                    };
                    let mut together = vec![(0, 0xff); to.bytes()];
                    for part in job.parts(count) {
                        for (byte, (zero, one)) in together.iter_mut().zip(written(&part)) {
                            let first = zero | !one;
                            let before = byte.0 | !byte.1;
                            assert!(before == 0 || first == 0, "twice: {part:?} of {job:?}");
                            *byte = (byte.0 | zero, byte.1 & one);
                        }
                    }
                    assert!(together.into_iter().eq(written(job)), "{from} to {to}, {count} parts");
                }
            }
        }
    }
}
