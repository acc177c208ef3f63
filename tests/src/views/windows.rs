//! Windows, layouts in larger buffers, renamed axes and other element types, against tables of offsets.

use tensor_layout::{Dynamic, ElementType, Layout, Plan, Tensor, layout};

type Image = layout!(NHWC<N = 2, C = 3, H = 5, W = 6>, u8);

/// The element of the image at a coordinate, by its offset in NHWC.
fn pixel([n, c, h, w]: [usize; 4]) -> u8 {
    (((n * 5 + h) * 6 + w) * 3 + c) as u8
}

fn image() -> Tensor<Image, Vec<u8>> {
    Tensor::new((0..180).map(|i| i as u8).collect()).unwrap()
}

#[test]
fn windows_overlap_and_are_read_in_place() {
    let image = image();
    for (size, step, dilation) in [(3, 1, 1), (2, 2, 1), (3, 2, 2), (1, 3, 1), (2, 1, 3)] {
        let wide = (size - 1) * dilation + 1;
        if wide > 5 {
            continue;
        }
        let windows = |layout: Layout| {
            let rows =
                layout.windows('H', wide, step, 'R')?.slice('R', 0, dilation as isize, size)?;
            rows.windows('W', wide, step, 'S')?.slice('S', 0, dilation as isize, size)
        };
        let view = image.view::<6>(windows).unwrap();
        let out = |extent: usize| (extent - wide) / step + 1;
        assert_eq!(view.extents(), [2, 3, out(5), out(6), size, size]);
        for ([n, c, h, w, r, s], element) in &view {
            let at = [n, c, h * step + r * dilation, w * step + s * dilation];
            assert_eq!(element, pixel(at), "{size} {step} {dilation}: {n} {c} {h} {w} {r} {s}");
        }
        // im2col: the windows as columns, by a relayout whose source overlaps.
        let columns = view.to_format("CRSNHW").unwrap();
        assert_eq!(columns, view);
        let mut places = columns.buffer().iter();
        for c in 0..3 {
            for r in 0..size {
                for s in 0..size {
                    for n in 0..2 {
                        for h in 0..out(5) {
                            for w in 0..out(6) {
                                let at = [n, c, h * step + r * dilation, w * step + s * dilation];
                                assert_eq!(*places.next().unwrap(), pixel(at));
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn windows_are_unique_where_they_do_not_overlap() {
    let row = Layout::of("W", &[12], ElementType::F32).unwrap();
    for (size, step) in [(1, 1), (2, 1), (3, 2), (3, 3), (2, 5), (12, 1), (12, 4)] {
        let windows = row.windows('W', size, step, 'K').unwrap();
        let mut offsets = std::collections::HashSet::new();
        let mut unique = true;
        for w in 0..windows.extents()[0] {
            for k in 0..size {
                unique &= offsets.insert(w * step + k);
                assert_eq!(windows.offset(&[w, k]), w * step + k);
                let found = windows.coordinate(w * step + k).unwrap();
                assert_eq!(windows.offset(&found), w * step + k);
            }
        }
        assert_eq!(windows.is_unique(), unique, "{size} {step}");
        let dense = windows.in_format("WK").unwrap();
        assert_eq!(Plan::new(&dense, &windows).is_ok(), unique);
        assert!(Plan::new(&windows, &dense).is_ok());
        assert_eq!(windows.to_string().parse(), Ok(windows), "{windows}");
        // One window shares nothing.
        assert!(windows.index('W', 0).unwrap().is_unique());
    }
    let windows = row.windows('W', 3, 1, 'K').unwrap();
    assert_eq!(windows.to_string(), "WK<10, 3>, f32, strides = [1, 1], overlap");
    assert!(!windows.flip('W').unwrap().is_unique() && !windows.is_contiguous());
    assert!(!windows.merge("WK", 'X').unwrap().is_unique());
    assert!(windows.slice('W', 0, 3, 4).unwrap().is_unique());
    let error = Plan::new(&windows.in_format("KW").unwrap(), &windows).unwrap_err();
    assert!(error.to_string().contains("before `broadcast` or `windows`"), "{error}");
    let mut buffer = [0.0f32; 12];
    let mut tensor =
        Tensor::with_layout(Dynamic::<f32, 2>::new(windows).unwrap(), &mut buffer[..]).unwrap();
    assert!(tensor.for_each_mut(|_, _| ()).is_err());
    assert!(tensor.borrow_mut().split('W', 4).is_err());
    let apart = tensor.view_mut::<2>(|layout| layout.slice('W', 0, 3, 4)).unwrap();
    assert!(apart.split('W', 2).is_ok());

    let refused = [
        (
            row.windows('W', 13, 1, 'K'),
            "window of 13 coordinates does not fit axis `W` of extent 12",
        ),
        (row.windows('W', 0, 1, 'K'), "window of 0 coordinates does not fit"),
        (row.windows('W', 2, 0, 'K'), "slice of axis `W` has step 0"),
        (row.windows('W', 2, 1, 'W'), ""),
        (row.windows('X', 2, 1, 'K'), "layout has no axis `X`"),
        (
            Layout::parse("NCHW4<1, 8, 2, 2>, i8").unwrap().windows('C', 2, 1, 'K'),
            "axis `C` has blocks of 4, so its windows are not a view",
        ),
    ];
    for (result, text) in refused {
        assert!(result.unwrap_err().to_string().starts_with(text), "{text}");
    }
}

#[test]
fn layouts_lie_anywhere_in_a_larger_buffer() {
    let rows = Layout::parse("HW<3, 4>, f32, align(H = 64)").unwrap();
    for (start, align) in [(0, 64), (16, 64), (4, 16), (1, 4), (8, 32)] {
        let within = rows.within(start, 100).unwrap();
        assert_eq!((within.len(), within.align()), (100, align));
        for h in 0..3 {
            for w in 0..4 {
                assert_eq!(within.offset(&[h, w]), start + 16 * h + w);
            }
        }
        assert_eq!(within.to_string().parse(), Ok(within));
    }
    // The last row ends where its elements do.
    assert!(rows.within(64, 100).is_ok() && rows.within(65, 100).is_err());
    let error = rows.within(65, 100).unwrap_err().to_string();
    assert!(
        error.contains("do not fit in a buffer of 100 from element 65 on; write a lower start"),
        "{error}"
    );
    assert!(rows.within(usize::MAX, usize::MAX).is_err() && rows.within(0, usize::MAX).is_err());
    let back = Layout::from_strides("W", &[3], &[-2], ElementType::I8).unwrap().within(5, 10);
    assert_eq!([0, 1, 2].map(|w| back.unwrap().offset(&[w])), [9, 7, 5]);
    // An empty layout has no first element.
    let none = Layout::of("HW", &[usize::MAX, 0], ElementType::I8).unwrap().flip('H').unwrap();
    assert_eq!(none.within(64, 100).map(|none| (none.numel(), none.len())), Ok((0, 100)));
}

#[test]
fn axes_get_other_letters() {
    let act = Layout::parse("NCHW4<2, 6, 3, 5>, i8, pad = -1").unwrap();
    let renamed = act.rename('C', 'k').unwrap();
    assert_eq!([0, 1, 2, 3].map(|axis| renamed.letters().at(axis)), ['N', 'K', 'H', 'W']);
    for offset in 0..act.len() {
        let (a, b) = (act.coordinate(offset), renamed.coordinate(offset));
        assert_eq!(a.map(|c| c.to_vec()), b.map(|c| c.to_vec()));
    }
    assert_eq!((renamed.fill(), renamed.len()), (act.fill(), act.len()));
    assert_eq!(renamed.to_string().parse(), Ok(renamed));
    assert_eq!(renamed.rename('K', 'C'), Ok(act));
    assert_eq!(act.rename('N', 'n'), Ok(act));
    assert!(act.rename('N', 'C').is_err() && act.rename('X', 'Y').is_err());
    let lanes = Layout::parse("NCHW<1, 70, 3, 5>, u8, lanes(C, 64), pad").unwrap();
    let renamed = lanes.rename('C', 'K').unwrap();
    assert_eq!(renamed.to_string().parse(), Ok(renamed));
    assert_eq!(renamed.lanes().and_then(|lanes| lanes.axis()), Some('K'));
}

#[test]
fn layouts_hold_other_elements() {
    for (text, other, expected) in [
        ("NCHW4<2, 6, 3, 5>, u8, pad", ElementType::F32, "NCHW4c<2, 6, 3, 5>, f32, pad"),
        ("HW<3, 5>, f16, align(H = 64)", ElementType::I8, "HW<3, 5>, i8, align(H = 64)"),
        ("HW<3, 6>, i8, strides = [10, 1]", ElementType::F64, "HW<3, 6>, f64, pitch(H = 80)"),
        ("HW<3, 6>, i8, pitch(H = 10)", ElementType::F64, "HW<3, 6>, f64, pitch(H = 80)"),
        (
            "NHW<2, 3, 6>, i8, strides = [50, 10, 1]",
            ElementType::I16,
            "NHW<2, 3, 6>, i16, strides = [50, 10, 1]",
        ),
        ("MK<2, 6>, i4", ElementType::U16, "MK<2, 6>, u16"),
    ] {
        let layout = Layout::parse(text).unwrap();
        assert_eq!(layout.with_element(other).unwrap().to_string(), expected);
    }
    let parse = |text| Layout::parse(text).unwrap();
    let error = parse("HW<2, 3>, u8, align(H = 6)").with_element(ElementType::F32).unwrap_err();
    assert!(error.to_string().starts_with("alignment of 6 bytes"), "{error}");
    let error = parse("HW<2, 3>, u8").with_element(ElementType::I4).unwrap_err();
    assert!(error.to_string().starts_with("rows of 3 elements"), "{error}");
    let error = parse("C4c<3>, u8, pad = 7").with_element(ElementType::I8).unwrap_err();
    assert!(error.to_string().starts_with("padding holds 0x7 as `u8`"), "{error}");
}
