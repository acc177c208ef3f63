//! Layouts as values: what run-time code can hand in that the types cannot, and how they print.

use tensor_layout::spec::{AxisExtent, Factor, Length, Name, Rule, Spec};
use tensor_layout::{ElementType, Format, Layout, LayoutBuilder, LayoutError, Plan, layout};

/// A layout of one axis.
fn line(letter: char, extent: usize, element: ElementType, fill: Option<u64>) -> Spec<'static> {
    let axes = Box::leak(Box::new([AxisExtent { letter, extent: Length::Runtime(extent) }]));
    let factors = Box::leak(Box::new([Factor::Axis(letter)]));
    Spec { element, axes, factors, fill }
}

#[test]
fn elements_that_memory_cannot_hold_are_refused() {
    for (bytes, align) in [(0, 1), (3, 0), (3, 2), (6, 4), (usize::MAX / 4, 1)] {
        let element = ElementType::Plain { bytes, align };
        let error = Layout::new(&line('N', 2, element, None)).unwrap_err();
        assert_eq!(error, LayoutError(Rule::ElementSize { bytes, align }));
    }
    let rgb = ElementType::Plain { bytes: 3, align: 1 };
    assert_eq!(Layout::new(&line('N', 2, rgb, None)).unwrap().bytes(), 6);
}

#[test]
fn axes_are_upper_case_letters() {
    for letter in ['n', 'é', '4', ' '] {
        let error = Layout::new(&line(letter, 2, ElementType::U8, None)).unwrap_err();
        assert_eq!(error, LayoutError(Rule::AxisLetter { letter }));
    }
}

#[test]
fn extents_are_known() {
    let axes = [AxisExtent { letter: 'N', extent: Length::Unknown }];
    let factors = [Factor::Axis('N')];
    let spec = Spec { element: ElementType::U8, axes: &axes, factors: &factors, fill: None };
    assert_eq!(
        Layout::new(&spec),
        Err(LayoutError(Rule::UnknownNumber { what: "extent", letter: 'N' }))
    );
    assert!(Layout::check(&spec).is_empty());
}

#[test]
fn fills_are_one_element() {
    let plain = ElementType::Plain { bytes: 16, align: 8 };
    for (element, bits) in
        [(ElementType::U8, 0x1ff), (ElementType::I4, 16), (ElementType::I8, u64::MAX), (plain, 7)]
    {
        let error = Layout::new(&line('N', 2, element, Some(bits))).unwrap_err();
        assert_eq!(error, LayoutError(Rule::Fill { bits, element }));
        let text = format!("fill {bits:#x} does not fit in one `");
        assert!(error.to_string().starts_with(&text), "{error}");
    }
    for (element, bits) in [(ElementType::U8, 255), (ElementType::F64, u64::MAX), (plain, 0)] {
        assert!(Layout::new(&line('N', 2, element, Some(bits))).is_ok());
    }
}

#[test]
fn empty_tensors_break_no_rule_of_size() {
    let nchw = Format::parse("NCHW").unwrap();
    for (extents, element) in [
        ([0, 1 << 32, 1 << 32, 1], ElementType::F64),
        ([1 << 32, 1 << 32, 1 << 32, 0], ElementType::F64),
        ([3, 3, 3, 0], ElementType::I4),
        ([3, 0, 3, 3], ElementType::I4),
    ] {
        let layout = Layout::of(nchw, &extents, element).unwrap();
        assert_eq!((layout.len(), layout.bytes(), layout.span()), (0, 0, 0), "{extents:?}");
        assert_eq!(layout.coordinate(0), None);
    }
}

#[test]
fn alignments_of_any_size_round_rows() {
    type Twelve = layout!(HW<2, 2>, f32, align(H = 12));
    assert_eq!((Twelve::STRIDES, Twelve::ALIGN), (Some([3, 1]), 4));
    type Huge = layout!(HW<2, 2>, u8, align(H = 8589934593, W = 8589934591));
    assert_eq!(Huge::ALIGN, 1);
    type Full = layout!(
        NGCDHW2n2g2c2d2h2w2n2g2c2d<4, 4, 4, 4, 2, 2>, u8, align(N = 64, W = 64)
    );
    assert_eq!(Full::ALIGN, 64);
}

#[test]
fn layouts_print_as_they_are_written() {
    macro_rules! prints {
        ($($layout:ty => $text:literal;)*) => {
            $(assert_eq!(<$layout>::LAYOUT.to_string(), $text);)*
        };
    }
    prints! {
        layout!(SCALAR, f32) => "SCALAR, f32";
        layout!(nChw4c<2, 64, 3, 3>, f16) => "NCHW4c<2, 64, 3, 3>, f16";
        layout!(NCHW4<2, 3, 2, 5>, u8, pad) => "NCHW4c<2, 3, 2, 5>, u8, pad";
        layout!(NCHW4<2, 3, 2, 5>, i8, pad = -7) => "NCHW4c<2, 3, 2, 5>, i8, pad = -7";
        layout!(NCHW4<2, 3, 2, 5>, i4, pad = -8) => "NCHW4c<2, 3, 2, 5>, i4, pad = -8";
        layout!(NCHW4<2, 3, 2, 5>, f16, pad = 0.5) => "NCHW4c<2, 3, 2, 5>, f16, pad = 0.5";
        layout!(NCHW<2, 3, 2, 5>, f16, align(H = 64)) => "NCHW<2, 3, 2, 5>, f16, align(H = 64)";
        layout!(NCHW<2, 3, 2, 7>, i4, pad) => "NCHW<2, 3, 2, 7>, i4, pad";
        layout!(NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2])
            => "NCHW<4, 3, 2, 2>, i8, strides = [24, 8, -4, 2]";
        layout!(MK<4, 3>, i8, strides = [0, 1], broadcast(M))
            => "MK<4, 3>, i8, strides = [0, 1], broadcast(M)";
        layout!(CN<N = 4, C = 3>, i8, broadcast(C)) => "NC<4, 3>, i8, broadcast(C)";
        layout!(BSHD<B = 8, H = 12, S = 128, D = 64>, f32) => "BSHD<8, 128, 12, 64>, f32";
        layout!(BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D))
            => "BSHD<B = 8, H = 12, S = 128, D = 64>, f32, coordinates(B, H, S, D)";
    }
}

#[test]
fn options_make_at_run_time_what_the_macro_makes() {
    let of = |format: &str, element| Layout::builder(format, element);
    let (u8, f16) = (ElementType::U8, ElementType::F16);
    for (built, written) in [
        (of("NCHW4", f16).extents(&[2, 8, 3, 3]), <layout!(NCHW4<2, 8, 3, 3>, f16)>::LAYOUT),
        (
            of("NCHW4", u8).pad(7).extents(&[2, 6, 3, 3]),
            <layout!(NCHW4<2, 6, 3, 3>, u8, pad = 7)>::LAYOUT,
        ),
        (
            of("NCHW4", u8).align('h', 64).align('N', 4096).pad(0).extents(&[2, 6, 3, 3]),
            <layout!(NCHW4<2, 6, 3, 3>, u8, pad, align(H = 64, N = 4096))>::LAYOUT,
        ),
        (
            of("NHWC", u8).broadcast('N').align('H', 16).extents(&[2, 3, 3, 3]),
            <layout!(NHWC<N = 2, C = 3, H = 3, W = 3>, u8, broadcast(N), align(H = 16))>::LAYOUT,
        ),
        (
            of("NCHW", u8).strides(&[24, 8, -4, 2]).extents(&[4, 3, 2, 2]),
            <layout!(NCHW<4, 3, 2, 2>, u8, strides = [24, 8, -4, 2])>::LAYOUT,
        ),
        (
            of("MK", u8).broadcast('M').strides(&[0, 1]).extents(&[4, 3]),
            <layout!(MK<4, 3>, u8, strides = [0, 1], broadcast(M))>::LAYOUT,
        ),
        (
            of("BSHD", f16).align('S', 64).named_extents(&[('b', 2), ('H', 3), ('S', 5), ('D', 8)]),
            <layout!(BSHD<B = 2, H = 3, S = 5, D = 8>, f16, align(S = 64))>::LAYOUT,
        ),
        (
            of("BSHD", f16).coordinates("bhsd").extents(&[2, 3, 5, 8]),
            <layout!(BSHD<B = 2, H = 3, S = 5, D = 8>, f16, coordinates(B, H, S, D))>::LAYOUT,
        ),
        (
            of("NCHW4", u8).pitch('H', 64).extents(&[2, 8, 3, 3]),
            <layout!(NCHW4<2, 8, 3, 3>, u8, pitch(H = 64))>::LAYOUT,
        ),
        (of("SCALAR", u8).extents(&[]), <layout!(SCALAR, u8)>::LAYOUT),
    ] {
        assert_eq!(built, Ok(written));
    }
}

#[test]
fn lanes_and_alignments_make_at_run_time_what_the_macro_makes() {
    let of = |format: &str, element| Layout::builder(format, element);
    let (u8, f16) = (ElementType::U8, ElementType::F16);
    for (built, written) in [
        // After the last axis nothing is faster: each element begins at a multiple.
        (
            of("NCHW", f16).align('W', 8).extents(&[2, 1, 3, 5]),
            <layout!(NCHW<2, 1, 3, 5>, f16, align(W = 8))>::LAYOUT,
        ),
        (
            of("NHWC4c", u8).align('C', 16).align('N', 128).extents(&[2, 8, 3, 5]),
            <layout!(NHWC4c<N = 2, C = 8, H = 3, W = 5>, u8, align(N = 128, C = 16))>::LAYOUT,
        ),
        (
            of("NCHW", u8).lanes('c', 64, 2).align('H', 4).align_lanes(64).extents(&[2, 70, 3, 5]),
            <layout!(NCHW<2, 70, 3, 5>, u8, lanes(C, 64, start = 2), align(H = 4, lanes = 64))>::LAYOUT,
        ),
        (of("T", u8).extents(&[5]), <layout!(T<5>, u8)>::LAYOUT),
        (
            of("NGCDHW2n2g2c2d2h2w2n2g2c2d", u8)
                .align('N', 8)
                .align('G', 8)
                .align('C', 8)
                .align('D', 8)
                .align('H', 8)
                .align('W', 8)
                .extents(&[4, 4, 4, 4, 2, 2]),
            <layout!(
                NGCDHW2n2g2c2d2h2w2n2g2c2d<4, 4, 4, 4, 2, 2>, u8,
                align(N = 8, G = 8, C = 8, D = 8, H = 8, W = 8)
            )>::LAYOUT,
        ),
    ] {
        assert_eq!(built, Ok(written));
    }
}

/// A format as text is read where one as a value is taken.
#[test]
fn formats_are_values_or_text() {
    let (extents, i8) = (&[2, 8, 3, 3], ElementType::I8);
    let format = Format::parse("NCHW4").unwrap();
    let layout = Layout::of(format, extents, i8).unwrap();
    assert_eq!(Layout::of("nchw4c", extents, i8), Ok(layout));
    assert_eq!(Layout::of(format, extents, i8), Ok(layout));
    assert_eq!(Layout::of(&*String::from("NCHW4"), extents, i8), Ok(layout));
    assert!(layout.matches("NCHW4") && layout.matches(format) && !layout.matches("NHWC"));
    let nhwc = Layout::of("NHWC", extents, i8).unwrap();
    assert_eq!((layout.in_format("NHWC"), nhwc.in_format(format)), (Ok(nhwc), Ok(layout)));

    let error = Format::parse("NC?").unwrap_err();
    assert_eq!(Layout::of("NC?", extents, i8), Err(error));
    assert_eq!(Layout::builder("NC?", i8).align('Q', 3).extents(extents), Err(error));
    let without_lanes = Layout::builder("NCHW", i8).align_lanes(4).extents(extents).unwrap_err();
    assert!(without_lanes.to_string().starts_with("layout has no axis `lanes`"));
    assert_eq!(Layout::builder("NC?", i8).named_extents(&[]), Err(error));
    assert_eq!(Layout::builder("NC?", i8).extents_of(&layout), Err(error));
    assert_eq!((layout.in_format("NC?"), layout.matches("NC?")), (Err(error), false));
}

#[test]
fn options_make_constants() {
    const ROWS: Layout = match Format::parse("HW") {
        Ok(format) => {
            match LayoutBuilder::new(&format, ElementType::U8).align('H', 16).extents(&[3, 5]) {
                Ok(layout) => layout,
                Err(error) => error.panic(),
            }
        }
        Err(error) => error.panic(),
    };
    assert_eq!(ROWS.len(), 48);
}

#[test]
fn options_that_cannot_be_are_errors() {
    let nchw = Layout::builder("NCHW", ElementType::F16);
    let blocked = Layout::builder("NCHW4", ElementType::F16);
    let four = [2, 8, 3, 3];
    for (found, text) in [
        (nchw.align('X', 4).extents(&four), "layout has no axis `X`; write one of N, C, H, W"),
        (
            nchw.align('é', 4).pad(0).extents(&four),
            "layout has no axis `é`; write one of N, C, H, W",
        ),
        (nchw.align('H', 4).align('h', 4).extents(&four), "axis `H` is given twice; keep one"),
        (nchw.align('W', 4).align('W', 4).extents(&four), "axis `W` is given twice; keep one"),
        (
            nchw.lanes('C', 4, 4).extents(&four),
            "start lane 4 of axis `C` is out of bounds for 4 lanes; write 0 to 3",
        ),
        (nchw.lanes('D', 4, 0).extents(&four), "layout has no axis `D`; write one of N, C, H, W"),
        (
            nchw.lanes('C', 4, 0).lanes('C', 2, 0).extents(&four),
            "option `lanes` is given twice; keep one",
        ),
        (nchw.broadcast('H').broadcast('h').extents(&four), "axis `H` is given twice; keep one"),
        (
            nchw.align('H', 3).extents(&four),
            "alignment of 3 bytes is not a multiple of the element size; write a multiple of 2 bytes",
        ),
        (
            blocked.broadcast('C').extents(&four),
            "axis `C` is broadcast but has blocks; remove its blocks, or remove `broadcast`",
        ),
        (
            blocked.strides(&[1, 2, 16, 48]).extents(&four),
            "4 strides are given for 5 axes and blocks of `NCHW4c`; write one stride for each, in this order",
        ),
        (
            nchw.strides(&[1, 2, 16]).extents(&four),
            "3 strides are given for 4 axes (N, C, H, W); write one stride for each axis, in this order",
        ),
        (
            nchw.broadcast('W').strides(&[1, 2, 16, -48]).extents(&four),
            "axis `W` is broadcast but has stride -48; write stride 0, or remove `broadcast`",
        ),
        (
            nchw.strides(&[1, 2, 16, 0]).extents(&four),
            "axis `W` has stride 0, so its 3 coordinates share an offset; write another stride, or call `broadcast('W')` if they should",
        ),
        (
            nchw.extents(&[2, 8, 3]),
            "format `NCHW` has 4 axes (N, C, H, W) but 3 extents are given; write one extent for each axis, in this order",
        ),
    ] {
        assert_eq!(found.map(|layout| layout.to_string()).unwrap_err().to_string(), text);
    }
}

/// One rule, one text; what to write instead is what there is where one asks.
#[test]
fn remedies_are_those_of_the_reader() {
    let of = |format: &str, extents: &[usize], element| Layout::of(format, extents, element);
    let act = of("NCHW", &[1, 6, 3, 3], ElementType::F32).unwrap();
    for (found, function, macros) in [
        (
            act.in_format("NCHW4"),
            "axis `C` has extent 6, which is not a multiple of its block 4; write 4 or 8, or add the option `pad` to store the rest of the last block as padding",
            "axis `C` has extent 6, which is not a multiple of its block 4; write 4 or 8, or add the option `pad` to store the rest of the last block as padding",
        ),
        (
            of("MK", &[2, 3], ElementType::I4),
            "rows of 3 elements along axis `K` end in the middle of a byte, since `i4` has 4 bits; make the rows even, or add the option `pad` to round them up to whole bytes",
            "rows of 3 elements along axis `K` end in the middle of a byte, since `i4` has 4 bits; make the rows even, or add the option `pad` to round them up to whole bytes",
        ),
    ] {
        let error = found.unwrap_err();
        assert_eq!(error.to_string(), function);
        assert_eq!(error.message().as_str(), function);
        assert_eq!(format!("{error:#}"), macros);
    }
    // What functions are told to write can be written.
    let (f32, i4) = (ElementType::F32, ElementType::I4);
    let heads = [('B', 1), ('S', 2), ('H', 3), ('D', 4)];
    let format = Format::parse("BSHD").unwrap();
    assert!(Layout::builder(format, f32).named_extents(&heads).is_ok());
    assert!(Layout::builder("NCHW4", act.element()).pad(0).extents_of(&act).is_ok());
    assert!(Layout::builder("MK", i4).pad(0).extents(&[2, 3]).is_ok());
}

/// Functions tell their callers what functions there are, macros what options.
#[test]
fn remedies_of_relayouts_are_those_of_the_reader() {
    let source = <layout!(HW<3, 4>, u8)>::LAYOUT;
    let refused = |to: Layout| Plan::new(&source, &to).unwrap_err();
    let spread = source.index('H', 0).unwrap().unsqueeze('H', 0).unwrap();
    let overlap = Layout::from_strides("HW", &[2, 2], &[1, 1], ElementType::U8).unwrap_err();
    for (error, function, option) in [
        (
            refused(<layout!(HW<5, 4>, u8)>::LAYOUT),
            "in the destination; slice the longer one, or store more than the extent with the option `pad`",
            "in the destination; write the same extent on both sides, with the option `pad` on a side \
             that stores more",
        ),
        (
            refused(<layout!(HW<3, 4>, i8)>::LAYOUT),
            "; write the same element type on both sides, or convert the elements, as `convert` does",
            "; write the same element type on both sides, or convert the elements with `convert = Conversion::cast()` after the layouts",
        ),
        (
            refused(spread.broadcast('H', 3).unwrap()),
            "; move to the layout before `broadcast` or `windows`, or `index` the axis",
            "; remove its `broadcast`",
        ),
        (
            overlap,
            "; write strides that give every coordinate its own offset, or copy the elements to another buffer first",
            "; write strides that give every coordinate its own offset",
        ),
    ] {
        assert!(error.to_string().ends_with(function), "{error}");
        assert!(format!("{error:#}").ends_with(option), "{error:#}");
    }
}

#[test]
fn what_a_relayout_in_place_refuses_is_said() {
    let of = |format, extents: &[usize], fill| {
        Layout::builder(format, ElementType::U8).pad(fill).extents(extents).unwrap()
    };
    let refusal = |source: &Layout, destination: &Layout| {
        let mut buffer: Vec<u8> = (0..destination.len()).map(|i| i as u8).collect();
        let before = buffer.clone();
        let plan = Plan::new(source, destination).unwrap();
        let error = plan.run_in_place(&mut buffer).unwrap_err();
        assert_eq!(buffer, before);
        error
    };
    let [nchw, nhwc] = ["NCHW", "NHWC"].map(|format| of(format, &[1, 4, 1, 2], 0));
    assert_eq!(
        refusal(&nchw.slice('C', 0, 1, 1).unwrap().broadcast('C', 4).unwrap(), &nhwc),
        LayoutError(Rule::InPlaceShared { letter: 'C' }),
    );
    assert_eq!(
        refusal(&of("NCHW", &[1, 3, 1, 2], 0), &of("NCHW4", &[1, 3, 1, 2], 0)),
        LayoutError(Rule::InPlaceGaps { side: Name::new("destination"), bytes: 8, elements: 6 }),
    );
    assert_eq!(
        refusal(&nchw, &nhwc.flip('W').unwrap()),
        LayoutError(Rule::InPlaceReversed { letter: 'W' })
    );
    let [four, six] = ["NCHW4", "NCHW6c"].map(|format| of(format, &[1, 12, 1, 2], 0));
    assert_eq!(
        refusal(&four, &six),
        LayoutError(Rule::InPlaceBlocks { letter: 'C', smaller: 4, larger: 6 })
    );
    // From one to the other through a format without such blocks, as the error says.
    let whole = of("NCHW", &[1, 12, 1, 2], 0);
    let before: Vec<u8> = (0..24).collect();
    let (mut there, mut moved) = (before.clone(), vec![0; 24]);
    for (source, destination) in [(&four, &whole), (&whole, &six)] {
        Plan::new(source, destination).unwrap().run_in_place(&mut there).unwrap();
    }
    Plan::new(&four, &six).unwrap().run(&before, &mut moved).unwrap();
    assert_eq!(there, moved);
    let [one, other] = ["NCHW2n2c2h2w2n2c2h2w2n2c2h2w", "WHCN2w2h2c2n2w2h2c2n2w2h2c2n"];
    assert_eq!(
        refusal(&of(one, &[16; 4], 0), &of(other, &[16; 4], 0)),
        LayoutError(Rule::InPlaceLoops { most: 12 })
    );
    // Nothing moves in an empty tensor, so there is no error.
    let [four, six, nhwc] = ["NCHW4", "NCHW6c", "NHWC"].map(|format| of(format, &[0, 12, 1, 2], 0));
    for (source, destination) in [(four, six), (nhwc, nhwc.flip('W').unwrap())] {
        let plan = Plan::new(&source, &destination).unwrap();
        assert_eq!(plan.run_in_place::<u8>(&mut []), Ok(()));
    }
}

/// Elements of empty tensors may be as far apart as numbers go, which no alignment says.
#[test]
fn empty_tensors_of_any_extents_print_as_they_are_written() {
    let huge = [usize::MAX, usize::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 62, 3];
    for format in ["NCHW", "NHWC", "NC4chw", "NC2chw3c"] {
        for element in [ElementType::I4, ElementType::U8, ElementType::F64] {
            for (a, b) in huge.iter().flat_map(|a| huge.map(|b| (*a, b))) {
                let format = Format::parse(format).unwrap();
                for extents in [[0, a, b, 1], [a, b, 0, 2], [2, a, b, 0]] {
                    let dense = Layout::builder(format, element).pad(0).extents(&extents).unwrap();
                    let text = dense.to_string();
                    assert!(!text.contains("align"), "{text}");
                    let aligned = Layout::builder(format, element).pad(0).align('H', 64);
                    let aligned = aligned.extents(&extents).unwrap();
                    assert!(aligned.digits().iter().all(|digit| digit.stride >= 0), "{aligned:?}");
                    let _ = (aligned.range(), aligned.is_exhaustive(), aligned.formats().count());
                }
            }
        }
    }
    let dense = Layout::of("NCH", &[0, 3, 1 << 63], ElementType::F32);
    assert_eq!(dense.unwrap().to_string(), "NCH<0, 3, 9223372036854775808>, f32");
}

/// Views of empty tensors of huge extents are views or errors.
#[test]
fn views_of_empty_tensors_do_not_overflow() {
    let (huge, format) = ([usize::MAX, usize::MAX - 1, 1 << 63, 1 << 33, 3], "NC4chw");
    let empty = Layout::builder(format, ElementType::U8).pad(0).extents(&[0, 4, 2, 2]);
    let empty = empty.unwrap();
    for (a, b) in huge.iter().flat_map(|a| huge.map(|b| (*a, b))) {
        for axes in [[('A', a), ('B', b), ('D', 0)], [('D', 0), ('A', a), ('B', b)]] {
            let views = [empty.tile('N', &axes), empty.reshape(&axes)];
            for view in views.into_iter().flatten() {
                for (i, &extent) in view.extents().iter().enumerate() {
                    let axis = view.letters().at(i);
                    let _ = (view.to_string(), view.flip(axis).map(|view| view.to_string()));
                    let _ = view.slice(axis, extent / 2, 1, extent / 3).map(|view| view.range());
                    let _ = view.slice(axis, 0, isize::MAX, 2).map(|view| view.flip(axis));
                }
                let _ = view.merge("AB", 'X').map(|view| view.to_string());
                let _ = view.diagonal('A', 'B', 'X').map(|view| view.flip('X'));
            }
        }
        let padded = Layout::builder(format, ElementType::U8).pad(0).extents(&[0, a, b, 1]);
        let padded = padded.unwrap();
        for axis in ['C', 'H'] {
            let _ = (padded.flip(axis).unwrap().to_string(), padded.slice(axis, 1, 1, 2).unwrap());
            let _ = padded.slice(axis, 1, 3, 2).map(|view| view.flip(axis));
        }
        let _ = padded.merge("CH", 'X');
    }
}

#[test]
fn remedies_of_formats_are_formats() {
    for (written, remedy) in
        [("NHWC4", "NHWC4c"), ("NC1HWC0", "16c"), ("NC1HWC016", "16c"), ("aBcd8", "aBcd8c")]
    {
        let error = Format::parse(written).unwrap_err().to_string();
        let text = error.split("such as `").nth(1).and_then(|rest| rest.split('`').next());
        assert!(text.is_some_and(|text| text.eq_ignore_ascii_case(remedy)), "{error}");
    }
}
