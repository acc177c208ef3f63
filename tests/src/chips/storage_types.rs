//! Storages as layout types, how they print, and what is refused at run time.

use std::any::TypeId;

use tensor_layout::chip::{Chip, Descriptor, Direction, STORAGES, Storage, Transfer};
use tensor_layout::spec::Rule;
use tensor_layout::{Coordinates, ElementType, Layout, LayoutError, StaticLayout, layout};

use super::storages::SMALL;

/// Storages in `layout!` are what the same storage is at run time, and what the generic options
/// spell out; a chip of the user's own works like one of the table.
#[test]
fn storages_as_types() {
    fn same<A: StaticLayout + 'static, B: StaticLayout + 'static>() {
        assert_eq!(TypeId::of::<A>(), TypeId::of::<B>(), "{} and {}", A::LAYOUT, B::LAYOUT);
    }
    type Aligned = layout!(NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 2));
    same::<Aligned, layout!(NCHW<2, 3, 4, 5>, f16, lanes(C, 64, start = 2), align(C = 64))>();
    type Small = layout!(NCHW<2, 3, 4, 5>, f16, SMALL::aligned(start = { 1 + 1 }));
    same::<Small, layout!(NCHW<2, 3, 4, 5>, f16, lanes(C, 4, start = 2), align(C = 8))>();
    type Compact = layout!(NCHW<2, 3, 4, 5>, i8, SMALL::compact);
    same::<Compact, layout!(NCHW<2, 3, 4, 5>, i8, lanes(C, 4), align(lanes = 4))>();
    type Lines = layout!(NCHW<2, 3, 4, 5>, i8, bm1688::line_aligned);
    same::<Lines, layout!(NCHW<2, 3, 4, 5>, i8, lanes(C, 32), align(H = 16))>();
    type Matrix = layout!(MN<2, 40>, f16, bm1684x::matrix(w = 20));
    same::<Matrix, layout!(MN20n<2, 40>, f16, pad, lanes(N, 64), align(N = 64))>();
    type Vector = layout!(K<40>, f32, sg2380::vector(w = 16, start = 5));
    same::<Vector, layout!(K16k<40>, f32, pad, lanes(K, 32, start = 5), align(K = 16))>();
    type Kernel = layout!(OIHW<64, 128, 3, 3>, i8, bm1684x::ic);
    same::<Kernel, layout!(OIHW64i<64, 128, 3, 3>, i8, pad, lanes(O, 64), align(lanes = 64))>();
    type OwnKernel = layout!(OIHW<8, 6, 3, 3>, i4, SMALL::ic(start = 1));
    same::<OwnKernel, layout!(OIHW8i<8, 6, 3, 3>, i4, pad, lanes(O, 4, start = 1), align(lanes = 8))>(
    );
    type Global = layout!(NCHW<2, 3, 4, 5>, f16, bm1690::continuous);
    same::<Global, layout!(NCHW<2, 3, 4, 5>, f16)>();

    let storage = |chip, name: &str, format: &str, extents: &[usize], element, start, width| {
        let storage = Storage::named(name).unwrap();
        let built = Layout::builder(format, element).storage(chip, storage, start, width);
        built.extents(extents).unwrap()
    };
    let named = |name: &str| Chip::named(name).unwrap();
    use ElementType::{F16, F32, I4, I8};
    let chip = named("bm1684x");
    assert_eq!(Aligned::LAYOUT, storage(chip, "aligned", "NCHW", &[2, 3, 4, 5], F16, 2, None));
    assert_eq!(Small::LAYOUT, storage(&SMALL, "aligned", "NCHW", &[2, 3, 4, 5], F16, 2, None));
    assert_eq!(Compact::LAYOUT, storage(&SMALL, "compact", "NCHW", &[2, 3, 4, 5], I8, 0, None));
    assert_eq!(Matrix::LAYOUT, storage(chip, "matrix", "MN", &[2, 40], F16, 0, Some(20)));
    let sg2380 = named("sg2380");
    assert_eq!(Vector::LAYOUT, storage(sg2380, "vector", "K", &[40], F32, 5, Some(16)));
    assert_eq!(Kernel::LAYOUT, storage(chip, "ic", "OIHW", &[64, 128, 3, 3], I8, 0, None));
    assert_eq!(OwnKernel::LAYOUT, storage(&SMALL, "ic", "OIHW", &[8, 6, 3, 3], I4, 1, None));

    // Numbers that const evaluation finds.
    fn from_lane<const START: usize, const C: usize>() -> Layout {
        <layout!(NCHW<1, C, 2, 2>, i8, SMALL::aligned(start = START))>::LAYOUT
    }
    assert_eq!(from_lane::<3, 5>().lanes().unwrap().place(&[0, 4, 0, 0]).unwrap().lane, 3);
    const W: usize = 5;
    type Wide = layout!(MN<2, 12>, i8, SMALL::matrix(w = W, start = 1));
    assert_eq!(Wide::LAYOUT, storage(&SMALL, "matrix", "MN", &[2, 12], I8, 1, Some(5)));
}

/// Extents found at run time: a batch, and the axis that is distributed.
#[test]
fn storages_of_extents_found_at_run_time() {
    type Batch = layout!(NCHW<_, 3, 4, 5>, f16, SMALL::aligned(start = 2));
    type Channels = layout!(NCHW<2, _, 4, 5>, f16, SMALL::compact(start = 3));
    let storage = |name: &str, extents: &[usize], start| {
        let storage = Storage::named(name).unwrap();
        let built = Layout::builder("NCHW", ElementType::F16);
        built.storage(&SMALL, storage, start, None).extents(extents).unwrap()
    };
    for (found, expected) in [
        (Batch::new([7]).unwrap().layout(), storage("aligned", &[7, 3, 4, 5], 2)),
        (Channels::new([9]).unwrap().layout(), storage("compact", &[2, 9, 4, 5], 3)),
    ] {
        assert_eq!(found, expected);
    }
    let (batch, channels) = (Batch::new([7]).unwrap(), Channels::new([9]).unwrap());
    for c in Coordinates::<4>::new(batch.layout()) {
        assert_eq!(batch.offset(c), batch.layout().offset(&c));
    }
    for c in Coordinates::<4>::new(channels.layout()) {
        assert_eq!(channels.offset(c), channels.layout().offset(&c));
    }
    assert_eq!(Channels::new([0]).unwrap().layout().bytes(), 0);
}

/// Checks that a layout prints as this text, and that the text is the same layout.
macro_rules! prints {
    ([$($layout:tt)*] as [$($text:tt)*]) => {
        let (own, read) = (<layout!($($layout)*)>::LAYOUT, <layout!($($text)*)>::LAYOUT);
        let without_spaces = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(without_spaces(&own.to_string()), without_spaces(stringify!($($text)*)));
        assert_eq!(own, read);
        assert_eq!(own.align(), read.align(), "{own}");
    };
}

/// A printed layout reads back: the generic options say all that a storage does.
#[test]
fn storages_print_as_generic_options() {
    prints!([NCHW<2, 3, 4, 5>, f16, bm1684x::aligned(start = 2)]
        as [NCHW<2, 3, 4, 5>, f16, align(C = 64), lanes(C, 64, start = 2)]);
    // Rounded up to more than the alignment, and to a whole number of it without being asked.
    prints!([NCHW<2, 3, 10, 10>, i8, bm1684x::aligned]
        as [NCHW<2, 3, 10, 10>, i8, align(C = 64), lanes(C, 64)]);
    prints!([NCHW<2, 3, 8, 8>, i8, bm1684x::aligned]
        as [NCHW<2, 3, 8, 8>, i8, align(lanes = 64), lanes(C, 64)]);
    prints!([NCHW<1, 3, 3, 3>, i8, SMALL::compact]
        as [NCHW<1, 3, 3, 3>, i8, align(lanes = 4), lanes(C, 4)]);
    prints!([NCHW<1, 3, 5, 6>, i8, SMALL::compact]
        as [NCHW<1, 3, 5, 6>, i8, align(lanes = 4), lanes(C, 4)]);
    prints!([NCHW<1, 3, 4, 4>, i8, SMALL::compact]
        as [NCHW<1, 3, 4, 4>, i8, align(lanes = 4), lanes(C, 4)]);
    prints!([NCHW<1, 3, 4, 20>, i8, bm1688::line_aligned]
        as [NCHW<1, 3, 4, 20>, i8, align(H = 16), lanes(C, 32)]);
    prints!([OIHW<64, 128, 3, 3>, i8, bm1684x::ic]
        as [OIHW64i<64, 128, 3, 3>, i8, pad, align(lanes = 64), lanes(O, 64)]);
    prints!([OIHW<64, 3, 3, 3>, f32, bm1684x::ic]
        as [OIHW<64, 3, 3, 3>, f32, pad, align(lanes = 64), lanes(O, 64)]);
    prints!([OIHW<8, 6, 3, 3>, i4, SMALL::ic(start = 1)]
        as [OIHW8i<8, 6, 3, 3>, i4, pad, align(lanes = 8), lanes(O, 4, start = 1)]);
    prints!([MN<2, 40>, f16, bm1684x::matrix(w = 20)]
        as [MN20n<2, 40>, f16, pad, align(N = 64), lanes(N, 64)]);
    prints!([C<7>, i8, lanes(C, 1)] as [C<7>, i8, lanes(C, 1)]);
    // Also without lanes, and for alignments that are not powers of two.
    prints!([NCHW<2, 3, 8, 8>, i8, align(C = 64)] as [NCHW<2, 3, 8, 8>, i8, align(C = 64)]);
    prints!([NCHW<2, 3, 5, 30>, i8, align(H = 24)] as [NCHW<2, 3, 5, 30>, i8, align(H = 24)]);
}

/// The message of a storage that is not for this format and element type, or for these arguments.
fn message(
    name: &str,
    format: &str,
    extents: &[usize],
    element: ElementType,
    start: usize,
    width: Option<usize>,
) -> String {
    let chip = Chip::named("bm1684x").unwrap();
    let storage = match Storage::named(name) {
        Ok(storage) => storage,
        Err(error) => return error.to_string(),
    };
    let built = Layout::builder(format, element).storage(chip, storage, start, width);
    match built.extents(extents) {
        Ok(layout) => panic!("{layout}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn wrong_storages_at_run_time() {
    use ElementType::{F64, I4, I8, I16};
    for (found, expected) in [
        (
            message("align", "NCHW", &[1; 4], I8, 0, None),
            "unknown storage `align`; write `aligned`, `compact`, `line_aligned`, `continuous`, \
             `matrix`, `vector` or `ic`",
        ),
        (
            message("aligned", "NHWC", &[1; 4], I8, 0, None),
            "storage `aligned` does not take format `NHWC`; write `NCHW`",
        ),
        (
            message("matrix", "NCHW", &[1; 4], I8, 0, Some(1)),
            "storage `matrix` does not take format `NCHW`; write a format of 2 axes without blocks, such as `MN`",
        ),
        (
            message("ic", "OIHW", &[1; 4], I16, 0, None),
            "storage `ic` does not take element type `i16`; write i8, u8, f16, bf16, f32, i4 or u4",
        ),
        (
            message("aligned", "NCHW", &[1; 4], F64, 0, None),
            "storage `aligned` does not take element type `f64`; write i8, u8, i16, u16, i32, u32, f16, bf16 or f32",
        ),
        (
            message("compact", "NCHW", &[1; 4], I4, 0, None),
            "storage `compact` does not take element type `i4`; write i8, u8, i16, u16, i32, u32, f16, bf16 or f32",
        ),
        (
            message("aligned", "NCHW", &[1; 4], I8, 64, None),
            "start lane 64 of axis `C` is out of bounds for 64 lanes; write 0 to 63",
        ),
        (
            message("continuous", "NCHW", &[1; 4], I8, 1, None),
            "storage `continuous` has no argument `start`; remove it",
        ),
        (
            message("aligned", "NCHW", &[1; 4], I8, 0, Some(1)),
            "storage `aligned` has no argument `w`; remove it",
        ),
        (
            message("matrix", "MN", &[2, 40], I8, 0, None),
            "storage `matrix` needs argument `w`; pass it",
        ),
        (
            message("matrix", "MN", &[2, 40], I8, 0, Some(41)),
            "width 41 of axis `N` is out of bounds for extent 40; write a width of 1 to 40",
        ),
        (
            message("vector", "N", &[40], I8, 0, Some(0)),
            "width 0 of axis `N` is out of bounds for extent 40; write a width of 1 to 40",
        ),
    ] {
        assert_eq!(found, expected);
    }
}

#[test]
fn wrong_chips_at_run_time() {
    assert!(matches!(Chip::named("bm1684"), Err(LayoutError(Rule::UnknownChip { .. }))));
    assert_eq!(Chip { kernel_bytes: 1024, ..SMALL }.check(), Ok(()));
    for wrong in [
        Chip { lanes: 0, ..SMALL },
        Chip { banks: 0, ..SMALL },
        Chip { banks: 3, ..SMALL },
        Chip { alignment: 0, ..SMALL },
        Chip { alignment: 24, ..SMALL },
        Chip { kernel_bytes: 2, ..SMALL },
        Chip { kernel_bytes: 2048, ..SMALL },
        Chip { kernel_bytes: 1 << 62, ..SMALL },
    ] {
        let wrong = Box::leak(Box::new(wrong));
        for storage in STORAGES {
            let built = Layout::builder("NCHW", ElementType::I8).storage(wrong, storage, 0, None);
            let found = built.extents(&[1; 4]);
            assert!(matches!(found, Err(LayoutError(Rule::NoMemory { .. }))), "{found:?}");
        }
    }
}

/// The minimal number of descriptors for the strides, also as constants.
#[test]
fn descriptors_are_constants() {
    type Global = layout!(NCHW<2, 100, 28, 28>, i8);
    type Act = layout!(NCHW<2, 100, 28, 28>, i8, bm1684x::aligned(start = 60));
    const LOAD: Transfer = match Transfer::load(&Global::LAYOUT, 0x8000_0000, &Act::LAYOUT, 0x4000)
    {
        Ok(load) => load,
        Err(error) => error.panic(),
    };
    const LIST: [Descriptor; LOAD.count()] = LOAD.descriptors();
    assert_eq!(
        LIST,
        [Descriptor {
            direction: Direction::Load,
            bytes: 1,
            global: 0x8000_0000,
            lane: 60,
            local: 0x4000,
            shape: [1, 100, 2, 784],
            global_strides: [0, 784, 78400, 1],
            local_strides: [0, 832, 2496, 1],
        }]
    );
    assert_eq!(
        LIST[0].to_string(),
        "load 1 x 100 x 2 x 784 of 1 byte: global 0x80000000 [0, 784, 78400, 1], \
         lane 60 local 0x04000 [0, 832, 2496, 1]"
    );
}
