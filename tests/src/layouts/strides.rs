//! Layouts out of strides, the formats that strides match, and what is contiguous.

use tensor_layout::spec::Rule;
use tensor_layout::{ElementType, Format, Layout, LayoutError, algebra};

use crate::support::oracle;

/// A layout of this format.
fn layout(format: &str, extents: &[usize]) -> Layout {
    Layout::of(format, extents, ElementType::F32).unwrap()
}

#[test]
fn strides_in_and_out() {
    let channels_last =
        Layout::from_strides("NCHW", &[1, 64, 5, 4], &[1280, 1, 256, 64], ElementType::F16)
            .unwrap();
    assert_eq!(channels_last.format(), Format::parse("NHWC").ok());
    let same = Layout::builder("nchw", ElementType::F16).byte_strides(&[2560, 2, 512, 128]);
    assert_eq!(same.extents(&[1, 64, 5, 4]), Ok(channels_last));
    assert_eq!(same.extents_of(&channels_last), Ok(channels_last));
    let broadcast = Layout::from_strides("MK", &[3, 2], &[0, -1], ElementType::U8).unwrap();
    assert_eq!((broadcast.offset(&[2, 0]), broadcast.offset(&[2, 1]), broadcast.len()), (1, 0, 2));
    assert!(!broadcast.is_contiguous() && broadcast.format().is_none());
    let of = |extents: &[usize], strides: &[isize]| {
        let builder = Layout::builder("MK", ElementType::F32).byte_strides(strides);
        builder.extents(extents).unwrap_err().to_string()
    };
    assert_eq!(
        of(&[3, 2], &[6, 4]),
        "axis `M` has byte stride 6, which is not a multiple of the element size; write a multiple of 4",
    );
    assert!(of(&[3], &[8, 4]).starts_with("format `MK` has 2 axes (M, K) but 1 extent is"));
    assert!(of(&[3, 2], &[8]).starts_with("1 stride is given for 2 axes (M, K)"));
    assert!(of(&[3, 2], &[8; 9]).starts_with("9 strides are given for 2 axes (M, K)"));
    assert!(of(&[3, 2], &[4, 4]).starts_with("coordinates [1, 0] and [0, 1] share an offset"));
    let bytes = Layout::builder("MK", ElementType::F32).byte_strides(&[0, 4]);
    assert_eq!(
        bytes.extents(&[3, 2]),
        Layout::from_strides("MK", &[3, 2], &[0, 1], ElementType::F32)
    );
    assert_eq!(
        bytes.extents(&[1, 2]),
        Layout::from_strides("MK", &[1, 2], &[0, 1], ElementType::F32)
    );
    assert_eq!(bytes.broadcast('M').extents(&[3, 2]), bytes.extents(&[3, 2]));
}

#[test]
fn letters_of_strides() {
    let of = |axes: &str, extents: &[usize], strides: &[isize]| {
        Layout::from_strides(axes, extents, strides, ElementType::F32).unwrap_err().to_string()
    };
    assert_eq!(of("Mm", &[3, 2], &[2, 1]), "axis `M` is given twice; keep one");
    assert!(of("MK", &[3], &[2, 1]).starts_with("format `MK` has 2 axes (M, K) but 1 extent is"));
    assert!(of("MK", &[3, 2], &[2]).starts_with("1 stride is given for 2 axes (M, K)"));
    for letter in ['4', 'é', ' '] {
        let text = format!("axis `{letter}` is not an upper-case ASCII letter; name axes A to Z");
        assert_eq!(of(&format!("M{letter}"), &[3, 2], &[1, 1]), text);
    }
    assert!(of("ABCDEFGHIJKLM", &[3], &[1]).starts_with("layout has more than 12 axes"));
}

/// At the limits of numbers: the stride of an axis without steps may have any value.
#[test]
fn the_largest_strides() {
    let of = |extent: usize, element| {
        Layout::builder("M", element).byte_strides(&[isize::MIN]).extents(&[extent])
    };
    let error = of(2, ElementType::F32).unwrap_err().to_string();
    assert!(error.starts_with("layout takes more than"));
    for (element, stride) in [(ElementType::F32, isize::MIN / 4), (ElementType::U8, isize::MIN)] {
        let one = of(1, element).unwrap();
        assert_eq!((one.strides().unwrap()[0], one.offset(&[0]), one.span()), (stride, 0, 1));
        assert_eq!(one.flip('M').unwrap().offset(&[0]), 0);
        assert_eq!(algebra::compose(&one, &one).unwrap().offset(&[0]), 0);
        assert!(one.is_contiguous() && one.to_string().contains("strides = [-"));
    }
    assert!(matches!(of(1, ElementType::I4), Err(LayoutError(Rule::TooLarge { .. }))));
}

#[test]
fn formats_that_strides_match() {
    let formats =
        ["NCHW", "NHWC", "NCHW4", "CHWN4", "NCHW8"].map(|text| Format::parse(text).unwrap());
    let matching = |layout: &Layout| formats.map(|format| layout.matches(format));
    assert_eq!(matching(&layout("NCHW", &[2, 8, 3, 3])), [true, false, false, false, false]);
    assert_eq!(matching(&layout("NCHW4", &[2, 8, 3, 3])), [false, false, true, false, false]);
    assert_eq!(matching(&layout("NCHW", &[2, 4, 1, 1])), [true, true, true, true, false]);
    assert_eq!(matching(&layout("NHWC", &[1, 8, 3, 3])), [false, true, false, false, true]);
    // The start of a view does not matter, what it leaves out does.
    let act = layout("NCHW4", &[4, 8, 3, 3]);
    assert_eq!(matching(&act.slice('N', 1, 1, 2).unwrap()), [false, false, true, false, false]);
    assert_eq!(matching(&act.slice('N', 1, 2, 2).unwrap()), [false; 5]);
    assert!(act.index('N', 3).unwrap().matches("CHW4c"));
    // The rows of an image of one channel, interleaved by four.
    assert_eq!(act.index('C', 0).unwrap().format(), None);
    let permuted = layout("NHWC", &[2, 3, 4, 5]).permute("WNCH").unwrap();
    assert_eq!(permuted.format(), Format::parse("NHWC").ok());
    assert_eq!(permuted.in_format("WNCH").unwrap().extents(), [5, 2, 3, 4]);
    let error = permuted.in_format("NCHW4").unwrap_err();
    assert!(error.to_string().starts_with("axis `C` has extent 3, which is not a multiple of"));
    let padded = Layout::builder("NCHW4", ElementType::F32).pad(0).extents_of(&permuted).unwrap();
    assert_eq!((padded.len(), padded.extents()), (2 * 4 * 4 * 5, &[5, 2, 3, 4][..]));
    assert!(padded.matches(formats[2]));
}

/// All orders of these letters.
fn orders(letters: &[char]) -> Vec<Vec<char>> {
    if letters.is_empty() {
        return vec![vec![]];
    }
    let rest = |i: usize| [&letters[..i], &letters[i + 1..]].concat();
    let with = |i: usize| orders(&rest(i)).into_iter().map(move |o| [vec![letters[i]], o].concat());
    (0..letters.len()).flat_map(with).collect()
}

/// Whether the elements are stored as the oracle stores them in this format, from any offset on.
fn lies_in(layout: &Layout, format: &Format) -> bool {
    let letters = (0..layout.rank()).map(|axis| layout.letters().at(axis));
    let axes: Vec<(char, usize)> = letters.zip(layout.extents().iter().copied()).collect();
    let has = |axes: &[(char, usize)], letter: char| axes.iter().any(|axis| axis.0 == letter);
    if format.axes().count() != axes.len()
        || (0..axes.len()).any(|i| !has(&axes, format.axes().at(i)))
    {
        return false;
    }
    let memory = oracle::Memory::new(&axes, format.factors(), 32);
    let from = memory.coordinates().first().map(|c| (layout.offset(c), memory.offset(c)));
    memory.coordinates().iter().all(|c| {
        from.is_some_and(|(a, b)| {
            layout.offset(c).wrapping_sub(a) == memory.offset(c).wrapping_sub(b)
        })
    })
}

#[test]
fn all_formats_that_strides_match_are_listed_once() {
    let of = |extents: &[usize], strides: &[isize]| {
        Layout::from_strides("NCHW", extents, strides, ElementType::F32).unwrap()
    };
    let weights = layout("OIHW4i16o4i", &[32, 32, 3, 3]);
    let five = layout("NCHW5c", &[2, 10, 3, 3]);
    for (layout, count) in [
        (of(&[2, 3, 1, 1], &[3, 1, 1, 1]), 12), // wherever H and W stand
        (of(&[2, 3, 4, 5], &[60, 20, 5, 1]), 1),
        (of(&[2, 3, 4, 5], &[60, 1, 15, 3]), 1),
        (of(&[2, 3, 4, 5], &[80, 1, 20, 4]), 2), // NCHW4 and NHWCD4, padded
        (of(&[2, 3, 4, 5], &[120, 1, 30, 6]), 0),
        (of(&[2, 3, 4, 5], &[20, 0, 5, 1]), 0),
        (of(&[2, 3, 4, 5], &[60, 20, -5, 1]), 0),
        (of(&[1, 1, 1, 1], &[7, 7, 7, 7]), 24 + 7),
        (layout("NCHW4", &[2, 4, 3, 3]), 1 + 2), // one block: NHWC and NHWCD4 too
        (layout("NCHW4", &[2, 8, 3, 3]).slice('C', 0, 1, 3).unwrap(), 0),
        (layout("NCHW4", &[2, 4, 3, 3]).slice('C', 0, 1, 3).unwrap(), 2),
        (layout("CHWN4", &[3, 8, 2, 2]), 1),
        (layout("SCALAR", &[]), 1),
        (weights, 1),
        (five, 1),
    ] {
        let found: Vec<Format> = layout.formats().collect();
        let letters: Vec<char> = (0..layout.rank()).map(|axis| layout.letters().at(axis)).collect();
        let plain = orders(&letters).into_iter().map(String::from_iter);
        let named = ["NCHW4c", "NCHW8c", "NCHW16c", "NCHW32c", "NCHW64c", "CHWN4c", "NHCW4c"];
        // Two of the cases lie in formats without a name.
        let is_own = layout.extents().iter().any(|&extent| extent == 32 || extent == 10);
        let own = ["OIHW4i16o4i", "NCHW5c"].into_iter().filter(|_| is_own);
        let names = plain.chain(named.into_iter().chain(own).map(String::from));
        let expected: Vec<Format> = names
            .map(|name| Format::parse(&name).unwrap())
            .filter(|format| lies_in(&layout, format))
            .collect();
        assert_eq!(found, expected, "{layout}");
        assert_eq!(found.len(), count, "{layout}: {found:?}");
        assert_eq!(layout.format().is_some(), count > 0, "{layout}");
    }
    // Found without trying all 40320 orders of eight axes.
    let letters = "STUVWXYZ";
    for order in ["VSZTXUWY", "STUVWXYZ", "ZYXWVUTS"] {
        let mut strides = [0; 8];
        let mut room = 1;
        for letter in order.chars().rev() {
            strides[letters.find(letter).unwrap()] = room;
            room *= 3;
        }
        let all = Layout::from_strides(letters, &[3; 8], &strides, ElementType::U8).unwrap();
        let found: Vec<Format> = all.formats().collect();
        assert_eq!(found, [Format::parse(order).unwrap()]);
    }
}

/// What PyTorch answers of empty tensors, as `torch.empty` makes them, with and without
/// `memory_format=torch.channels_last`, and as views have them.
#[test]
fn empty_tensors_match_as_in_pytorch() {
    let (nchw, nhwc) = (Format::parse("NCHW").unwrap(), Format::parse("NHWC").unwrap());
    for (extents, strides, channels_last) in [
        ([0, 3, 4, 4], [48, 16, 4, 1], false),
        ([0, 3, 4, 4], [48, 1, 12, 3], true),
        ([2, 0, 4, 4], [16, 16, 4, 1], false),
        ([0, 1, 4, 4], [16, 16, 4, 1], true),
        ([0, 3, 1, 1], [3, 1, 1, 1], true),
        ([0, 3, 4, 5], [1, 2, 3, 4], false),
    ] {
        let empty = Layout::from_strides("NCHW", &extents, &strides, ElementType::F32).unwrap();
        assert!(empty.is_contiguous() && empty.matches(nchw), "{empty:?}");
        assert_eq!(empty.matches(nhwc), channels_last, "{empty:?}");
        assert_eq!(empty.formats().any(|format| format == nhwc), channels_last);
    }
    for format in ["NCHW", "NHWC", "CHWN", "NCHW4", "CHWN4"] {
        let format = Format::parse(format).unwrap();
        for extents in [[0, 4, 2, 3], [2, 0, 2, 3], [2, 4, 0, 1], [0, 0, 0, 0]] {
            let empty = Layout::of(format, &extents, ElementType::F32).unwrap();
            assert!(empty.matches(format) && empty.formats().any(|found| found == format));
        }
    }
}

#[test]
fn axes_of_stride_zero_are_not_contiguous() {
    for format in ["NCHW", "NHWC", "NCHW4", "CHWN4"] {
        let all = layout(format, &[1, 4, 1, 1]);
        for axis in ['N', 'H', 'W'] {
            let shared = all.broadcast(axis, 2).unwrap();
            assert!(all.is_contiguous() && !shared.is_contiguous(), "{shared}");
            assert_eq!(shared.formats().next(), None, "{shared}");
            // Not all of its coordinates, and no part of them either.
            assert!(!shared.merge("NCHW", 'X').unwrap().is_contiguous());
            assert!(shared.slice(axis, 1, 1, 1).unwrap().is_contiguous());
        }
    }
    let strides = Layout::from_strides("MK", &[2, 1], &[0, 1], ElementType::F32).unwrap();
    assert!(!strides.is_contiguous());
}

/// Strides of axes of one coordinate may have any value, also 0.
#[test]
fn an_axis_of_one_coordinate_stands_where_it_is_listed() {
    for (extents, strides) in [
        (&[1, 2][..], &[0, 1][..]),
        (&[2, 1], &[1, 0]),
        (&[2, 1, 3], &[3, 0, 1]),
        (&[1, 1, 3], &[0, 0, 1]),
        (&[1, 3, 1], &[0, 1, 0]),
        (&[2, 1, 1, 3], &[3, 0, 0, 1]),
    ] {
        let letters = &"MNKL"[..extents.len()];
        let layout = Layout::from_strides(letters, extents, strides, ElementType::U8).unwrap();
        let listed: Vec<usize> = layout.digits().iter().map(|digit| digit.size).collect();
        assert_eq!(listed, extents, "{layout}");
        assert_eq!(layout.strides().unwrap(), strides);
    }
}

/// Slices of merged blocks from any coordinate on. Evenly spaced offsets have one stride, whatever blocks they are
/// in, and consecutive ones are contiguous.
#[test]
fn even_offsets_have_one_stride() {
    let mut even = 0;
    for (format, order, extents) in [
        ("AB2a2b", "AB", &[4, 4][..]),
        ("AB2b2a", "AB", &[4, 4]),
        ("AB2a2b", "BA", &[4, 4]),
        ("A2a3a", "A", &[18]),
        ("BAC2a3b", "ABC", &[4, 6, 2]),
        ("B4a2bAC", "CAB", &[8, 4, 2]),
    ] {
        let axes: Vec<(char, usize)> = ('A'..).zip(extents.iter().copied()).collect();
        let blocks = Layout::builder(format, ElementType::I8);
        let merged = blocks.named_extents(&axes).unwrap().merge(order, 'W').unwrap();
        let count = merged.numel();
        for (start, length) in
            (0..count).flat_map(|start| (2..=count - start).map(move |length| (start, length)))
        {
            for slice in [
                merged.slice('W', start, 1, length),
                merged.slice('W', start + length - 1, -1, length),
            ] {
                let slice = slice.unwrap();
                let offsets: Vec<isize> =
                    (0..length).map(|i| slice.offset(&[i]) as isize).collect();
                let step = offsets[1] - offsets[0];
                let is_even = offsets.windows(2).all(|pair| pair[1] - pair[0] == step);
                even += usize::from(is_even && length > 2);
                let stride = slice.strides().map(|strides| strides[0]);
                assert_eq!(stride, is_even.then_some(step), "{slice:?}: {offsets:?}");
                assert_eq!(slice.is_contiguous(), is_even && step == 1, "{slice}: {offsets:?}");
            }
        }
    }
    assert!(even > 50, "{even}");
}

/// An axis of one coordinate takes no memory. So it is placed after the axis of several coordinates with the same
/// stride, as in the memory order that gives it this stride.
#[test]
fn an_axis_of_one_coordinate_stands_where_a_memory_order_gives_it_its_stride() {
    for (format, extents) in [("NHWC", [2, 1, 4, 5]), ("HWCN", [1, 64, 5, 4])] {
        let dense = layout(format, &extents);
        let strides = dense.strides().unwrap();
        let given = Layout::from_strides("NCHW", &extents, &strides, dense.element()).unwrap();
        assert_eq!(given.format(), Some(Format::parse(format).unwrap()), "{given}");
        assert_eq!(given.digits(), dense.digits());
    }
    let hwcn = Layout::from_strides("NCHW", &[1, 64, 5, 4], &[1, 1, 256, 64], ElementType::F32);
    assert_eq!(hwcn.unwrap().format().unwrap().to_string(), "HWCN");
}
