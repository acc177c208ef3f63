//! The laws of layouts, over random ones: each stands above the method it speaks of, and the
//! oracle, which walks memory loop by loop, says what is true.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tensor_layout::spec::{Factor, MAX_RANK, Rule};
use tensor_layout::{Coordinates, ElementType, Format, Layout, LayoutError};

use crate::support::oracle;
use crate::support::random::{self, Case};

/// Any layout.
fn any_layout() -> impl Strategy<Value = Case> {
    (random::axes(), random::element())
        .prop_flat_map(|(axes, element)| random::layout_of(axes, element, true))
}

/// Axes in any order with 4-bit elements and `pad`.
fn nibbles() -> impl Strategy<Value = Case> {
    let orders =
        random::axes().prop_flat_map(|axes| (Just(axes.clone()), Just(axes).prop_shuffle()));
    orders.prop_map(|(axes, order)| {
        let factors = order.iter().map(|axis| Factor::Axis(axis.0)).collect();
        Case { element: ElementType::I4, bits: 4, axes, factors, fill: Some(0) }
    })
}

/// The coordinates of a layout of any rank, as `Coordinates` yields them.
fn iterated(layout: Layout) -> Vec<Vec<usize>> {
    macro_rules! by_rank {
        ($($rank:literal)*) => {
            match layout.rank() {
                $($rank => Coordinates::<$rank>::new(layout).map(|c| c.to_vec()).collect(),)*
                other => panic!("rank {other}"),
            }
        };
    }
    by_rank!(0 1 2 3 4 5 6 7 8 9 10 11 12)
}

/// The coordinate at `offset`, without the entries after the rank.
fn coordinate(layout: &Layout, offset: usize) -> Option<Vec<usize>> {
    layout.coordinate(offset).map(|all| all.to_vec())
}

/// The difference of offsets for a step along each axis that has one.
fn steps(memory: &oracle::Memory) -> Vec<HashSet<isize>> {
    let mut steps = vec![HashSet::new(); memory.axes.len()];
    for from in memory.coordinates() {
        for axis in 0..from.len() {
            let mut to = from.clone();
            to[axis] += 1;
            if to[axis] < memory.axes[axis].1 {
                steps[axis].insert(memory.offset(&to) as isize - memory.offset(&from) as isize);
            }
        }
    }
    steps
}

proptest! {
    #![proptest_config(random::cases(400))]

    /// The offset of every coordinate is the oracle's. The inverse returns the coordinate, with 0 for broadcast axes.
    #[test]
    fn offset_and_coordinate_are_inverse(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        for c in memory.coordinates() {
            let offset = layout.offset(&c);
            prop_assert_eq!(offset, memory.offset(&c), "offset of {:?}", &c);
            prop_assert_eq!(layout.checked_offset(&c), Ok(offset));
            prop_assert_eq!(coordinate(&layout, offset), Some(memory.owner(&c)));
        }
    }

    /// The inverse at each offset is the oracle's: a coordinate, or `None` for padding, gaps and offsets after the
    /// end.
    #[test]
    fn coordinate_is_none_exactly_for_padding(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        prop_assert_eq!(layout.len(), memory.cells.len());
        for (offset, cell) in memory.cells.iter().enumerate() {
            prop_assert_eq!(&coordinate(&layout, offset), cell, "at offset {}", offset);
        }
        for past in [layout.len(), layout.len() + 1, usize::MAX / 2, usize::MAX] {
            prop_assert_eq!(layout.coordinate(past), None);
        }
    }

    /// The span is the largest offset plus one. Exhaustive means that every offset belongs to a coordinate. Unique
    /// means that the numbers of offsets and of coordinates are equal.
    #[test]
    fn extremes_agree_with_counting(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        let all = memory.coordinates();
        let reached: HashSet<usize> = all.iter().map(|c| memory.offset(c)).collect();
        prop_assert_eq!(layout.numel(), all.len());
        prop_assert_eq!(layout.span(), reached.iter().max().map_or(0, |last| last + 1));
        prop_assert_eq!(layout.is_exhaustive(), reached.len() == memory.cells.len());
        prop_assert_eq!(layout.is_unique(), reached.len() == all.len());
        let holes = memory.cells.contains(&None);
        prop_assert_eq!(layout.has_padding(), holes && !memory.strided);
    }

    /// Storage takes its elements' bits in whole bytes; its alignment serves the element and
    /// every aligned row.
    #[test]
    fn sizes_follow_from_bits(case in any_layout()) {
        let (layout, positions) = (case.layout(), case.memory().cells.len());
        prop_assert_eq!(layout.bytes(), (positions * case.bits).div_ceil(8));
        let units = if case.bits < 8 { layout.bytes() } else { positions };
        prop_assert_eq!(layout.units(), units);
        prop_assert_eq!(layout.align() % case.element.align(), 0);
        for factor in &case.factors {
            if let Factor::Align(bytes) = factor {
                // A buffer begins at a multiple of a power of two.
                prop_assert_eq!(layout.align() % (1 << bytes.trailing_zeros()), 0);
            }
        }
    }

    /// An axis that is distributed over lanes is, from its start lane on, and each lane holds as much.
    #[test]
    fn lanes_follow_from_the_start_lane(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        let Some(&Factor::Lanes(letter, lanes, start)) = case.factors.first() else {
            prop_assert_eq!(layout.lanes(), None);
            return Ok(());
        };
        let image = layout.lanes().unwrap();
        prop_assert_eq!((image.count(), image.len() * lanes), (lanes, memory.cells.len()));
        prop_assert_eq!(image.bytes() * lanes, layout.bytes());
        prop_assert_eq!(image.axis(), Some(letter));
        let axis = case.axes.iter().position(|axis| axis.0 == letter).unwrap();
        let size = |factor: &Factor| match *factor {
            Factor::Block(own, size) | Factor::Weighted(own, size, _) if own == letter => size,
            _ => 1,
        };
        let block: usize = case.factors.iter().map(size).product();
        let mut rows = vec![HashSet::new(); lanes];
        for c in memory.coordinates() {
            let (position, place) = (start + c[axis] / block, image.place(&c).unwrap());
            rows[position % lanes].insert(position / lanes);
            prop_assert_eq!(place.lane, position % lanes, "{:?}", &c);
            let within = memory.offset(&c) - place.lane * image.len();
            prop_assert_eq!(place.byte, within * case.bits / 8, "{:?}", &c);
        }
        if layout.numel() > 0 {
            prop_assert_eq!(image.start(), start);
            let all: HashSet<_> = rows.iter().flatten().collect();
            prop_assert_eq!(image.rows(), all.iter().max().map_or(0, |row| **row + 1));
        }
        for (lane, rows) in rows.iter().enumerate() {
            prop_assert_eq!(image.rows_in(lane), rows.len(), "lane {}", lane);
        }
    }

    /// Inside of a lane, a step along an axis moves by its lane stride, and on the axis that is
    /// distributed over lanes a step to the next row does.
    #[test]
    fn lane_strides_are_the_steps_in_a_lane(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        let (Some(&Factor::Lanes(letter, lanes, _)), Some(strides)) =
            (case.factors.first(), layout.lanes().and_then(|lanes| lanes.strides()))
        else {
            return Ok(());
        };
        let blocks = |factor: &Factor| {
            matches!(factor, Factor::Block(own, 2..) | Factor::Weighted(own, 2.., _) if *own == letter)
        };
        for from in memory.coordinates() {
            for (axis, &(own, extent)) in case.axes.iter().enumerate() {
                let mut to = from.clone();
                to[axis] += if own == letter { lanes } else { 1 };
                if to[axis] < extent && !(own == letter && case.factors.iter().any(blocks)) {
                    let step = memory.offset(&to) as isize - memory.offset(&from) as isize;
                    prop_assert_eq!(strides[axis], step, "axis {}", own);
                }
            }
        }
    }

    /// A step along an axis changes the offset by its stride; if two steps differ, there are no strides. (An empty
    /// tensor has no steps, but has strides if its axes have no blocks.)
    #[test]
    fn strides_are_the_steps_of_offsets(case in any_layout()) {
        let (layout, steps) = (case.layout(), steps(&case.memory()));
        if layout.numel() > 0 {
            prop_assert_eq!(layout.strides().is_some(), steps.iter().all(|steps| steps.len() < 2));
        }
        for (axis, steps) in steps.iter().enumerate() {
            for step in layout.strides().iter().flat_map(|_| steps) {
                prop_assert_eq!(layout.strides().unwrap()[axis], *step, "axis {}", axis);
            }
        }
    }

    /// The iterator yields every coordinate once, and none before one with a lower offset.
    #[test]
    fn coordinates_come_once_and_in_memory_order(case in any_layout()) {
        let (layout, memory) = (case.layout(), case.memory());
        let iterated = iterated(layout);
        let offsets: Vec<usize> = iterated.iter().map(|c| memory.offset(c)).collect();
        prop_assert!(offsets.is_sorted(), "{offsets:?}");
        let (mut found, mut all) = (iterated, memory.coordinates());
        found.sort();
        all.sort();
        prop_assert_eq!(found, all);
    }

    /// Outside the extents, and with another rank, there is an error that names the axis.
    #[test]
    fn checked_offset_errs_outside(
        case in any_layout(),
        axis in any::<prop::sample::Index>(),
        beyond in select(vec![0, 1, 2, 100, usize::MAX / 2]),
        extra in vec(0..3usize, 1..3),
    ) {
        let layout = case.layout();
        let mut c = vec![0; layout.rank()];
        let longer = [&c[..], &extra].concat();
        prop_assert_eq!(
            layout.checked_offset(&longer),
            Err(LayoutError(Rule::CoordinateCount { axes: layout.letters(), given: longer.len() }))
        );
        if layout.numel() > 0 && layout.rank() > 0 {
            let axis = axis.index(layout.rank());
            let (letter, extent) = case.axes[axis];
            c[axis] = extent + beyond;
            let axes = layout.letters();
            let error = LayoutError(Rule::Coordinate { axes, letter, extent, coordinate: c[axis] });
            prop_assert_eq!(layout.checked_offset(&c), Err(error));
            let message = error.to_string();
            let fact = format!(
                "coordinate {} is out of bounds for axis `{letter}` of extent {extent}, in coordinates [",
                c[axis]
            );
            prop_assert!(message.contains(&fact), "{}", message);
            prop_assert!(layout.checked_offset(&c[..axis]).is_err());
        }
    }

    /// Rows of 4-bit elements are refused without `pad` exactly where `pad` would round one up.
    /// An empty tensor has none.
    #[test]
    fn odd_rows_of_nibbles_need_padding(case in nibbles()) {
        let count: usize = case.axes.iter().map(|axis| axis.1).product();
        let padded = case.memory().cells.len();
        let unpadded = Case { fill: None, ..case };
        match unpadded.try_layout() {
            Ok(layout) => {
                prop_assert_eq!(padded, count);
                prop_assert_eq!(layout.len(), layout.numel());
            }
            Err(error) => {
                let is_odd = matches!(error, LayoutError(Rule::OddRow { length, .. }) if length % 2 == 1);
                prop_assert!(is_odd && padded > count, "{}", error);
            }
        }
    }

    /// An extent that is not a multiple of its blocks is an error without `pad`.
    #[test]
    fn blocks_divide_their_extent_or_pad(case in any_layout()) {
        let unpadded = Case { fill: None, ..case.clone() };
        let block_of = |letter| -> usize {
            let size = |factor: &Factor| match *factor {
                Factor::Block(own, size) | Factor::Weighted(own, size, _) if own == letter => size,
                _ => 1,
            };
            case.factors.iter().map(size).product()
        };
        let broken = case.axes.iter().find(|&&(letter, extent)| extent % block_of(letter) != 0);
        match (broken, unpadded.try_layout()) {
            (Some(&(letter, extent)), found) => {
                let block = block_of(letter);
                prop_assert_eq!(found, Err(LayoutError(Rule::NotDivisible { letter, extent, block })));
            }
            (None, Ok(layout)) => prop_assert_eq!(layout.len(), case.memory().cells.len()),
            (None, Err(error)) => {
                prop_assert!(matches!(error, LayoutError(Rule::OddRow { .. })), "{}", error);
            }
        }
    }

    /// Any strides: a layout if no two coordinates share an offset, otherwise an error with two
    /// that do.
    #[test]
    fn strides_are_unique_or_refused(
        axes in vec((select(vec![1usize, 2, 2, 3, 4, 5]), -14isize..=14), 0..=5),
    ) {
        let letters = 'A'..='H';
        let case = Case {
            element: ElementType::U8,
            bits: 8,
            axes: letters.clone().zip(&axes).map(|(letter, axis)| (letter, axis.0)).collect(),
            factors: letters.zip(&axes).map(|(c, axis)| Factor::Stride(c, axis.1)).collect(),
            fill: None,
        };
        strides_against_brute_force(&case)?;
    }
}

/// The law of `strides_are_unique_or_refused` for one case.
fn strides_against_brute_force(case: &Case) -> Result<(), TestCaseError> {
    let stride = |factor: &Factor| match factor {
        Factor::Stride(_, stride) => *stride,
        _ => panic!("{factor:?} is not a stride"),
    };
    let strides: Vec<isize> = case.factors.iter().map(stride).collect();
    let sum = |c: &[usize]| -> isize { c.iter().zip(&strides).map(|(&i, s)| i as isize * s).sum() };
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for &(_, extent) in &case.axes {
        let longer = |c: &Vec<usize>| (0..extent).map(|i| [&c[..], &[i]].concat()).collect();
        all = all.iter().flat_map::<Vec<_>, _>(longer).collect();
    }
    let sums: HashSet<isize> = all.iter().map(|c| sum(c)).collect();
    let still = case.axes.iter().zip(&strides).position(|(axis, &s)| s == 0 && axis.1 > 1);
    match case.try_layout() {
        Ok(layout) => {
            prop_assert_eq!(sums.len(), all.len(), "coordinates share an offset");
            prop_assert!(layout.is_unique());
            let lowest = *sums.iter().min().unwrap();
            for c in &all {
                let offset = layout.offset(c);
                prop_assert_eq!(offset as isize, sum(c) - lowest);
                prop_assert_eq!(coordinate(&layout, offset), Some(c.clone()));
            }
            let (mut found, highest) = (iterated(layout), *sums.iter().max().unwrap());
            found.sort();
            prop_assert_eq!(&found, &all);
            prop_assert_eq!(layout.span() as isize, highest - lowest + 1);
            let holes = (0..layout.len()).filter(|&at| layout.coordinate(at).is_none()).count();
            prop_assert_eq!(layout.len() - holes, all.len());
        }
        Err(LayoutError(Rule::ZeroStride { letter, extent })) => {
            prop_assert_eq!(still.map(|axis| case.axes[axis]), Some((letter, extent)));
        }
        Err(LayoutError(Rule::Overlap { first, second, .. })) => {
            prop_assert_eq!(still, None);
            let own = |c: [u32; MAX_RANK]| -> Vec<usize> {
                c[..case.axes.len()].iter().map(|&index| index as usize).collect()
            };
            let (first, second) = (own(first), own(second));
            prop_assert!(all.contains(&first) && all.contains(&second) && first != second);
            prop_assert_eq!(sum(&first), sum(&second), "{:?} and {:?}", first, second);
        }
        Err(error) => prop_assert!(false, "{}", error),
    }
    Ok(())
}

/// A single lane takes all of the storage, including the half byte after an odd number of 4-bit elements.
#[test]
fn one_lane_ends_at_a_byte() {
    let layout = |lanes, extent| {
        let factors = vec![Factor::Lanes('J', lanes, 0), Factor::Axis('J')];
        let axes = vec![('J', extent)];
        Case { element: ElementType::U4, bits: 4, axes, factors, fill: Some(0) }.layout()
    };
    for (lanes, extent, length) in [(1, 13, 14), (1, 1, 1), (1, 0, 0), (2, 13, 8), (4, 13, 4)] {
        let layout = layout(lanes, extent);
        let image = layout.lanes().unwrap();
        assert_eq!((image.len(), image.len() * lanes), (length, layout.len()), "{layout}");
        assert_eq!(image.bytes() * lanes, layout.bytes(), "{layout}");
    }
}

#[test]
fn strides_may_interleave() {
    // Strides, and whether 2 x 3 coordinates (or 2 x 3 x 2) keep apart.
    let cases: [(&[isize], bool); 9] = [
        (&[3, 2], true),
        (&[2, 3], true),
        (&[3, -2], true),
        (&[-3, 2], true),
        (&[2, 1], false),
        (&[4, 2], false),
        (&[5, 2], true),
        (&[3, 2, 12], true),
        (&[3, 2, 4], false),
    ];
    for (strides, unique) in cases {
        let letters = 'A'..='C';
        let case = Case {
            element: ElementType::U8,
            bits: 8,
            axes: letters.clone().zip([2, 3, 2]).take(strides.len()).collect(),
            factors: letters.zip(strides).map(|(letter, &s)| Factor::Stride(letter, s)).collect(),
            fill: None,
        };
        assert_eq!(case.try_layout().is_ok(), unique, "{strides:?}");
        strides_against_brute_force(&case).unwrap();
    }
}

/// A format's factors: every axis once, then blocks of some, all in any order.
fn format() -> impl Strategy<Value = Vec<Factor>> {
    let letters = Just(('A'..='Z').collect::<Vec<char>>()).prop_shuffle();
    let block = prop_oneof![1..10usize, 1..100_000usize];
    (letters, 1..=12usize, vec((any::<prop::sample::Index>(), block), 0..=8)).prop_flat_map(
        |(letters, rank, blocks)| {
            let axes = letters[..rank].to_vec();
            let blocks = blocks.iter().take(16 - rank);
            let blocks = blocks.map(|(axis, size)| Factor::Block(*axis.get(&axes), *size));
            let factors: Vec<_> =
                axes.iter().map(|&axis| Factor::Axis(axis)).chain(blocks).collect();
            Just(factors).prop_shuffle()
        },
    )
}

/// The notation of `factors`, each letter in upper case where `upper` says so.
fn notation(factors: &[Factor], upper: impl Fn(usize, bool) -> bool) -> String {
    let word = |(i, factor): (usize, &Factor)| {
        let (number, letter) = match *factor {
            Factor::Axis(letter) => (String::new(), letter),
            Factor::Block(letter, size) => (size.to_string(), letter),
            _ => panic!("{factor:?} stands in no format"),
        };
        let upper = upper(i, number.is_empty());
        let letter = if upper { letter } else { letter.to_ascii_lowercase() };
        format!("{number}{letter}")
    };
    factors.iter().enumerate().map(word).collect()
}

proptest! {
    #![proptest_config(random::cases(400))]

    /// A format reads back as what was written, in any case; it prints axes in upper case and
    /// blocks in lower case, and reads back from that too.
    #[test]
    fn formats_print_and_parse(factors in format(), upper in vec(any::<bool>(), 16)) {
        let format: Format = notation(&factors, |i, _| upper[i]).parse().unwrap();
        prop_assert_eq!(format.factors(), &factors[..]);
        let printed = format.to_string();
        prop_assert_eq!(&printed, &notation(&factors, |_, axis| axis));
        prop_assert_eq!(printed.parse(), Ok(format));
    }

    /// No text makes the parser panic, and what it accepts it can print and read again.
    #[test]
    fn any_text_parses_or_errs(
        text in "\\PC{0,40}|[A-Ha-h0-9]{0,24}|[NCHWnchw]{1,5}[0-9]{0,30}.?",
    ) {
        match text.parse::<Format>() {
            Ok(format) => prop_assert_eq!(format.to_string().parse(), Ok(format)),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn named_formats_parse_in_any_case() {
    for (name, order) in [("NCHW4", "NCHW4c"), ("chwn4", "CHWN4c"), ("nhwCD4", "NHCW4c")] {
        assert_eq!(name.parse::<Format>(), order.parse());
    }
    let scalar: Format = "scalar".parse().unwrap();
    assert_eq!((scalar.to_string().as_str(), scalar.factors()), ("SCALAR", &[][..]));
}

#[test]
fn layouts_out_of_a_format_have_its_coordinate_order() {
    let of = |text: &str, extents: &[usize]| Layout::of(text, extents, ElementType::I8);
    let layout = of("HWIO4i", &[0, 8, 3, 5]).unwrap();
    assert_eq!((layout.extents(), layout.len()), (&[0, 8, 3, 5][..], 0));
    let layout = of("HWIO4i", &[2, 8, 3, 5]).unwrap();
    assert_eq!(layout.offset(&[1, 6, 2, 3]), ((2 * 5 + 3) * 2 + 1) * 8 + 4 + 2);
    let error = of("NCHW", &[1, 2, 3]).unwrap_err();
    assert!(matches!(error, LayoutError(Rule::ExtentCount { given: 3, .. })), "{error}");
    assert_eq!(of("BSHD", &[1, 2, 3, 4]).unwrap().to_string(), "BSHD<1, 2, 3, 4>, i8");
    assert!(matches!(of("AB", &[usize::MAX, 2]), Err(LayoutError(Rule::TooLarge { .. }))));
    assert!(matches!(of("A", &[isize::MAX as usize + 1]), Err(LayoutError(Rule::TooLarge { .. }))));
    assert_eq!(of("A", &[isize::MAX as usize]).unwrap().bytes(), isize::MAX as usize);
}
