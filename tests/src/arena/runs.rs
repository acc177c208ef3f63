//! Runs of arenas: each step sees what the steps before have written.

use tensor_layout::arena::TakeOnce;
use tensor_layout::{Relayout, arena, layout, picture, u4};

type Planes = layout!(NCHW<1, 4, 3, 5>, i8);
type Pixels = layout!(NHWC<N = 1, C = 4, H = 3, W = 5>, i8);
type Sums = layout!(NCHW<1, 4, 3, 5>, i32, align(H = 32));
type Nibbles = layout!(NCHW<1, 4, 3, 6>, u4);

#[derive(Relayout)]
#[relayout(Planes => Pixels)]
struct Last;

arena! {
    /// A graph with a branch, a state, a change, and a relayout in place.
    pub(crate) struct Branches {
        input: Planes,
        /// Alive from run to run.
        static count: layout!(C<C = 1>, u64),
        twice: Planes,
        sums: Sums,
        nibbles: Nibbles,
        branch: Planes,
        pixels: Pixels,
    }
    fn run(input) -> (pixels, sums) {
        twice = double(input);
        (sums, nibbles) = add(input, twice);
        tick(mut count);
        branch = join(sums, nibbles, count);
        negate(mut branch, twice);
        pixels = last(branch in place);
    }
}

/// Some element of each coordinate.
fn value(at: [usize; 4]) -> i8 {
    let [_, c, h, w] = at;
    (c * 13 + h * 5 + w) as i8 - 30
}

fn run(memory: &mut BranchesMemory) -> [i64; 2] {
    let none = Ok::<(), tensor_layout::LayoutError>(());
    let (pixels, sums) =
        Branches::run(memory, |input| input.for_each_mut(|at, out| *out = value(at)))
            .and_then(|step| {
                step.double(|input, twice| twice.for_each_mut(|at, out| *out = 2 * input[at]))
            })
            .and_then(|step| {
                step.add(|input, twice, sums, nibbles| {
                    nibbles.for_each_mut(|[_, c, h, w], out| {
                        *out = u4::from_bits((c + h + w) as u8)
                    })?;
                    sums.for_each_mut(|at, out| *out = i32::from(input[at]) + i32::from(twice[at]))
                })
            })
            .map(|step| step.tick(|count| count[[0]] += 1))
            .and_then(|step| {
                step.join(|sums, nibbles, count, branch| {
                    branch.for_each_mut(|at, out| {
                        let nibble = nibbles.get(at).expect("inside").to_bits();
                        *out = (sums[at] as i8).wrapping_add(nibble as i8 + count[[0]] as i8);
                    })
                })
            })
            .map(|step| {
                step.negate(|branch, twice| {
                    branch
                        .for_each_mut(|at, out| *out = out.wrapping_neg() ^ twice[at])
                        .expect("unique");
                    none
                })
            })
            .expect("all layouts are unique")
            .expect("as before")
            .last(|branch| Last::run_in_place(branch.into_buffer()))
            .finish();
    assert_eq!(sums.buffer().as_ptr().addr() % 32, 0);
    let mut result = [0, 0];
    for (c, h, w) in (0..4).flat_map(|c| (0..3).flat_map(move |h| (0..5).map(move |w| (c, h, w)))) {
        let at = [0, c, h, w];
        assert_eq!(sums[at], 3 * i32::from(value(at)));
        result[0] += i64::from(pixels[at]) * (1 + c + 4 * h + 12 * w) as i64;
    }
    result
}

/// The same without an arena.
fn expected(count: i8) -> i64 {
    let mut result = 0;
    for (c, h, w) in (0..4).flat_map(|c| (0..3).flat_map(move |h| (0..5).map(move |w| (c, h, w)))) {
        let value = value([0, c, h, w]);
        let joined = (3 * i32::from(value)) as i8;
        let joined = joined.wrapping_add((c + h + w) as i8 + count);
        let pixel = joined.wrapping_neg() ^ (2 * value);
        result += i64::from(pixel) * (1 + c + 4 * h + 12 * w) as i64;
    }
    result
}

#[test]
fn steps_see_what_was_written_and_states_stay() {
    let mut memory = BranchesMemory::ZEROED;
    for count in 1..4 {
        assert_eq!(run(&mut memory)[0], expected(count), "run {count}");
    }
    let unshared = 64 + 16 + 64 + 4 * 3 * 32 + 48 + 64;
    let (bytes, bound) = (Branches::PLAN.bytes(0), Branches::PLAN.bound(0));
    assert!(bytes < unshared, "{}", Branches::PLAN);
    assert!(bytes as f64 <= 1.05 * bound as f64, "{}", Branches::PLAN);
    assert_eq!(size_of::<BranchesMemory>(), bytes.next_multiple_of(32));
}

arena! {
    /// Two memories: what is used most is in the first.
    struct Two in Fast(64), Slow(256) {
        input: layout!(C<C = 100>, u8) in Slow = 32,
        table: layout!(C<C = 40>, u8),
        once: layout!(C<C = 40>, u8),
        output: layout!(C<C = 100>, u8),
    }
    fn begin(input) -> output {
        (table, once) = load(input);
        use_once(table, once);
        use_again(mut table);
        output = store(table);
    }
}

#[test]
fn the_most_used_tensors_are_in_the_first_memory() {
    let place = |i| (Two::PLAN.memory(i), Two::PLAN.address(i));
    assert_eq!((place(0), place(1)), ((1, 32), (0, 0)));
    assert_eq!((Two::PLAN.memory(2), Two::PLAN.memory(3)), (1, 1));
    assert_eq!((Two::PLAN.bytes(0), Two::PLAN.bytes(1), Two::PLAN.bound(1)), (40, 184, 148));
    let (mut fast, mut slow) = (Fast::ZEROED, Slow::ZEROED);
    let output = Two::begin(&mut fast, &mut slow, |input| input.buffer_mut().fill(3))
        .load(|input, table, once| {
            table.buffer_mut().copy_from_slice(&input.buffer()[..40]);
            once.buffer_mut().fill(4);
        })
        .use_once(|table, once| assert_eq!((table[[39]], once[[39]]), (3, 4)))
        .use_again(|table| table[[39]] = 5)
        .store(|table, output| output.buffer_mut().fill(table[[39]]))
        .finish();
    assert_eq!(output.buffer(), [5; 100]);
}

#[test]
fn a_plan_prints_as_a_table_and_as_a_picture() {
    assert_eq!(
        Two::PLAN.to_string(),
        "\
Fast: 40 of 64 bytes, at least 40 in every plan
Slow: 184 of 256 bytes, at least 148 in every plan
tensor  memory  address   bytes  steps
input   Slow    0x00020     100  0-1
table   Fast    0x00000      40  1-4
once    Slow    0x00090      40  1-2
output  Slow    0x00000     100  4-5"
    );
    let text = picture!(Two).to_text();
    assert!(text.contains("Fast: 40 bytes, at least 40\n byte↓ step→ 0 1 2 3 4\n"), "{text}");
    assert!(text.contains("step 2  use_once\n"), "{text}");
}

#[test]
fn an_error_of_a_step_ends_the_run() {
    let mut memory = BranchesMemory::ZEROED;
    let begun = Branches::run(&mut memory, |_| Err("no input"));
    assert_eq!(begun.err(), Some("no input"));
    let doubled = Branches::run(&mut memory, |_| ()).double(|_, _| Err(7));
    assert_eq!(doubled.err(), Some(7));
}

type Large = layout!(C<C = 300>, i8);

arena! {
    /// Moves at whose step there is room, beside one at which there is none, and one whose input is read later.
    struct Moves {
        moved: Pixels,
        input: Planes,
        large: Large,
        planes: Planes,
        pixels: Pixels,
        copy: Pixels,
    }
    fn begin(input) -> (pixels, copy) {
        moved = first(input) by Last;
        large = grow(moved);
        planes = shrink(large);
        pixels = second(planes) by Last;
        copy = third(planes) by Last;
    }
}

#[derive(Relayout)]
#[relayout(Pixels => Planes)]
struct Back;

arena! {
    struct OnlyMoves {
        // Before the tensors in whose place they are.
        back: Planes,
        pixels: Pixels,
        input: Planes,
    }
    fn begin(input) -> back {
        pixels = first(input) by Last;
        again(pixels);
        back = back(pixels in place);
    }
}

#[test]
fn relayouts_are_in_place_where_that_saves_memory() {
    let is_in_place = |i| Moves::PLAN.is_in_place(i);
    assert!([0, 1, 2, 3, 4, 5].iter().all(|&i| !is_in_place(i)), "{}", Moves::PLAN);
    let is_in_place = |i| OnlyMoves::PLAN.is_in_place(i);
    assert_eq!([0, 1, 2].map(is_in_place), [true, true, false], "{}", OnlyMoves::PLAN);
    assert_eq!(OnlyMoves::PLAN.bytes(0), 60);
    let mut memory = MovesMemory::ZEROED;
    let write =
        |input: &mut [i8; 60]| input.iter_mut().enumerate().for_each(|(i, out)| *out = i as i8);
    let (pixels, copy) = Moves::begin(&mut memory, |input| write(input.array_mut()))
        .first()
        .grow(|moved, large| large.buffer_mut()[..60].copy_from_slice(moved.buffer()))
        .shrink(|large, planes| planes.buffer_mut().copy_from_slice(&large.buffer()[..60]))
        .second()
        .third()
        .finish();
    let mut memory = OnlyMovesMemory::ZEROED;
    let in_place = OnlyMoves::begin(&mut memory, |input| write(input.array_mut()))
        .first()
        .again(|pixels| assert_eq!(pixels[[0, 1, 0, 0]], 15))
        .back(|pixels| Back::run_in_place(pixels.into_buffer()))
        .finish();
    for (c, h, w) in (0..4).flat_map(|c| (0..3).flat_map(move |h| (0..5).map(move |w| (c, h, w)))) {
        let once = |at: usize| at % 4 * 15 + at / 4;
        let at = (h * 5 + w) * 4 + c;
        assert_eq!(pixels.buffer()[at], once(once(at)) as i8);
        assert_eq!(copy.buffer()[at], pixels.buffer()[at]);
        assert_eq!(in_place[[0, c, h, w]], (c * 15 + h * 5 + w) as i8);
    }
}

static ONCE: TakeOnce<BranchesMemory> = TakeOnce::new(BranchesMemory::ZEROED);

#[test]
fn a_static_gives_its_value_once() {
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| ONCE.take().is_some())).collect();
    let taken = threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|&taken| taken);
    assert_eq!(taken.count(), 1);
}

arena! {
    struct Raw in { 1 << 6 } {
        /// Comments are welcome.
        r#type: Planes,
    }
    fn r#loop(r#type) -> r#type {
        /// Comments are welcome.
        r#move(mut r#type);
    }
}

/// Names that are the same if an underscore joins them.
#[allow(non_camel_case_types)]
mod alike {
    use super::{Planes, arena};

    arena! {
        pub(super) struct Joined { _names: Planes }
        fn run(_names) -> _names {}
    }

    arena! {
        pub(super) struct Joined_ { names: Planes }
        fn run(names) -> names {}
    }
}

#[test]
fn plans_have_names_without_the_sign_of_raw_ones() {
    assert_eq!(Raw::PLAN.steps(), ["loop", "move"]);
    assert!(Raw::PLAN.to_string().contains("\ntype "), "{}", Raw::PLAN);
    assert_eq!((alike::Joined::PLAN.bytes(0), alike::Joined_::PLAN.bytes(0)), (60, 60));
}
