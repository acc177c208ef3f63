//! Layouts of the most axes and of the most digits: what goes one step too far leaves every list.

use campaign::check::views;
use campaign::element::Element;
use campaign::isolation::{caught, limit};
use campaign::notation::{Notation, Part};
use campaign::step::{Step, Viewed};
use tensor_layout::{ElementType, Layout, Plan, algebra};
use test_support::{Random, coordinates};

/// Twelve axes with four blocks, in any order.
fn full(random: &mut Random, letters: &[char]) -> Notation {
    let extent = |at: usize| match at {
        0 | 1 => 4,
        2..5 => 2,
        _ => 1,
    };
    let mut axes: Vec<(char, usize)> =
        letters.iter().enumerate().map(|(at, letter)| (*letter, extent(at))).collect();
    random.shuffle(&mut axes);
    let mut notation = Notation::dense(axes, Element::Named("u8"));
    random.shuffle(&mut notation.order);
    for letter in [letters[0], letters[0], letters[1], letters[2]] {
        let axis = notation.order.iter().position(|part| *part == Part::Axis(letter));
        let at = random.between(axis.expect("an axis") + 1, notation.order.len());
        notation.order.insert(at, Part::Block(letter, 2));
    }
    notation
}

/// The letters of twelve axes in any order.
fn letters(random: &mut Random) -> Vec<char> {
    let mut letters: Vec<char> = ('A'..='L').collect();
    random.shuffle(&mut letters);
    letters
}

fn layout(notation: &Notation) -> Layout {
    Layout::parse(&notation.to_string()).unwrap_or_else(|error| panic!("{notation}: {error}"))
}

#[test]
fn full_layouts_say_what_their_notation_says() {
    for number in 0..60 {
        limit(20);
        let mut random = Random::new(51, number);
        let letters = letters(&mut random);
        let root = full(&mut random, &letters);
        let [long, other] = [letters[0], letters[2]];
        let all: String = letters.iter().collect();
        let mut order = letters.clone();
        random.shuffle(&mut order);
        let first = [
            Step::Flip(long),
            Step::Permute(order.iter().collect()),
            Step::Slice { axis: long, start: 1, step: 1, length: 3 },
            Step::Merge(format!("{long}{other}"), 'M'),
            Step::Diagonal(long, other, 'M'),
            Step::Index(letters[11], 0),
        ];
        let steps = vec![
            first[random.below(first.len())].clone(),
            Step::Merge(all, 'W'),
            Step::Slice { axis: 'W', start: 5, step: 1, length: 96 },
            Step::Tile { axis: 'W', tiles: vec![('X', 48), ('Y', 2)] },
            Step::Flip('X'),
        ];
        let viewed = Viewed { root, steps };
        if let Err(failure) = caught(|| views::check(&viewed)) {
            panic!("case {number}: {failure}\n{viewed}");
        }
    }
}

/// Elements move from any full layout to any other, and one composed with another is read at its offsets.
#[test]
fn full_layouts_move_and_compose() {
    let mut composed = 0;
    for number in 0..40 {
        limit(20);
        let mut random = Random::new(52, number);
        let letters = letters(&mut random);
        let (source, mut destination) = (full(&mut random, &letters), full(&mut random, &letters));
        destination.axes.clone_from(&source.axes);
        let (source, destination) = (layout(&source), layout(&destination));
        let numbers: Vec<u8> = (0..128).collect();
        let mut moved = vec![0xff; 128];
        let plan = Plan::new(&source, &destination).expect("equal axes");
        plan.run(&numbers, &mut moved).expect("whole buffers");
        let is_moved =
            |at: &Vec<usize>| moved[destination.offset(at)] == numbers[source.offset(at)];
        assert!(coordinates(source.extents()).all(|at| is_moved(&at)), "{source} to {destination}");
        let all: Vec<Vec<usize>> = coordinates(source.extents()).collect();
        if let Ok(made) = algebra::compose(&source, &destination) {
            composed += 1;
            for at in &all {
                assert_eq!(made.offset(at), source.offset(&all[destination.offset(at)]), "{made}");
            }
        }
        assert!(algebra::product(&source, &destination).is_err(), "24 axes");
        assert!(
            source.same_map(&source) && source.same_map(&destination) == (source == destination)
        );
    }
    assert!(composed > 5, "{composed}");
}

/// One axis of sixteen digits, at some of its coordinates.
#[test]
fn an_axis_has_sixteen_digits() {
    let both = Layout::of(&*format!("BA{}", "2b2a".repeat(7)), &[256, 256], ElementType::U8);
    let both = both.expect("sixteen digits");
    let axis = both.merge("AB", 'W').expect("whole axes");
    let bits =
        |number: usize, from: usize| (0..8).map(move |bit| (number >> bit & 1) << (2 * bit + from));
    // A and B alternate, bit by bit; the fastest digit is of A.
    let at =
        |index: usize| bits(index / 256, 0).sum::<usize>() + bits(index % 256, 1).sum::<usize>();
    let samples = || (0..500).map(|i| i * 131);
    let slice = axis.slice('W', 0x1234, 1, 0xa000).expect("a slice");
    let tiles = axis.tile('W', &[('X', 16), ('Y', 4096)]).expect("tiles");
    let back = axis.flip('W').expect("backwards");
    for i in samples() {
        assert_eq!(axis.offset(&[i]), at(i));
        assert_eq!(axis.coordinate(at(i)).expect("each offset").as_slice(), [i]);
        assert_eq!(back.offset(&[i]), at(65535 - i));
        assert_eq!(tiles.offset(&[i / 4096, i % 4096]), at(i));
        assert_eq!(axis.index('W', i).expect("in range").offset(&[]), at(i));
        if i < 0xa000 {
            assert_eq!(slice.offset(&[i]), at(0x1234 + i));
        }
    }
    assert!(axis.is_unique() && axis.is_exhaustive() && !axis.is_contiguous());
    assert_eq!(
        (axis.span(), axis.strides(), axis.format()),
        (65536, None, both.merge("AB", 'W').expect("axes").format())
    );
    assert!(axis.same_map(&axis) && !axis.same_map(&back) && tiles.same_map(&tiles));
    let line = Layout::of("T", &[65536], ElementType::U8).expect("a line");
    let composed = algebra::compose(&axis, &line).expect("the same steps");
    assert!(samples().all(|i| composed.offset(&[i]) == at(i)));
    let inverse = algebra::right_inverse(&axis, 'V').expect("each offset once");
    assert!(samples().all(|i| axis.offset(&[inverse.offset(&[i])]) == i));
    assert_eq!(Layout::parse(&axis.to_string()), Ok(axis));
    let error = axis.windows('W', 4, 2, 'K').expect_err("digits beside the windows").to_string();
    assert!(error.contains("`W`"), "{error}");
}
