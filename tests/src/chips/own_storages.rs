//! Storages of the user's own: as constants at run time, and as named formats in types.

use tensor_layout::ElementType::{self, F16, F32, I8};
use tensor_layout::chip::{Chip, STORAGES, Step, Storage};
use tensor_layout::{Layout, LayoutError, layout, named_format};

const MINE: Chip =
    Chip { name: "mine", lanes: 16, lane_bytes: 4096, banks: 4, alignment: 32, kernel_bytes: 32 };

const ROWS: Storage = Storage {
    name: "rows",
    format: "NCHW",
    steps: &[
        Step::Lanes(2),
        Step::Rest(2),
        Step::Rest(0),
        Step::Rest(1),
        Step::Aligned,
        Step::Rest(3),
    ],
    elements: &[F16, I8],
};

named_format!(ROWS_OF_MINE = HNCW, lanes(H, MINE.lanes), align(C = MINE.alignment));

/// A layout in a storage of this chip.
fn stored(
    storage: Storage,
    format: &str,
    extents: &[usize],
    element: ElementType,
    (start, width): (usize, Option<usize>),
) -> Result<Layout, LayoutError> {
    let storage = Box::leak(Box::new(storage));
    Layout::builder(format, element).storage(&MINE, storage, start, width).extents(extents)
}

/// Rows over lanes, one after the other: each row of 20 elements takes 32, and a lane has rows 16 apart.
#[test]
fn rows_over_lanes() {
    type Typed = layout!(ROWS_OF_MINE!<N = 2, C = 3, H = 40, W = 20>, f16, lanes(start = 5));
    let layout = stored(ROWS, "NCHW", &[2, 3, 40, 20], F16, (5, None)).unwrap();
    assert_eq!(layout, Typed::LAYOUT);
    let lanes = layout.lanes().unwrap();
    assert_eq!((lanes.count(), lanes.rows(), lanes.axis()), (16, 3, Some('H')));
    for n in 0..2 {
        for c in 0..3 {
            for h in 0..40 {
                for w in 0..20 {
                    let place = lanes.place(&[n, c, h, w]).unwrap();
                    let row = ((h + 5) / 16 * 2 + n) * 3 + c;
                    assert_eq!((place.lane, place.offset), ((h + 5) % 16, row * 32 + w));
                }
            }
        }
    }
    // Without a start lane it is the first.
    type First = layout!(ROWS_OF_MINE!<N = 2, C = 3, H = 40, W = 20>, f16);
    assert_eq!(stored(ROWS, "NCHW", &[2, 3, 40, 20], F16, (0, None)), Ok(First::LAYOUT));
}

/// Lanes that several axes count: a systolic array of 4 by 8 cells.
#[test]
fn lanes_of_several_axes() {
    named_format!(CELLS = 4m 8nMN, lanes(32));
    type Tile = layout!(CELLS!<M = 12, N = 16>, i8);
    let lanes = Tile::LAYOUT.lanes().unwrap();
    for m in 0..12 {
        for n in 0..16 {
            let place = lanes.place(&[m, n]).unwrap();
            assert_eq!((place.lane, place.offset), (m % 4 * 8 + n % 8, m / 4 * 2 + n / 8));
        }
    }
    // Instructions that take one axis over lanes return an error.
    assert!(lanes.tensor().is_none() && lanes.strides().is_none());
}

#[test]
fn steps_that_are_not_a_memory_order_are_refused() {
    let of = |steps: &'static [Step]| Storage { name: "bad", format: "", steps, elements: &[F32] };
    let error = |steps| {
        let error = stored(of(steps), "MN", &[4, 4], F32, (0, None)).unwrap_err();
        assert_eq!(of(steps).check(), Err(error));
        error.to_string()
    };
    let numbered = "storage `bad` has steps that do not form a memory order; write `Step::Rest` once for each axis, numbered 0 to 1";
    assert_eq!(error(&[Step::Rest(0), Step::Rest(2)]), numbered);
    assert_eq!(error(&[Step::Rest(0), Step::Rest(0)]), numbered);
    assert_eq!(error(&[Step::Lanes(7), Step::Rest(0), Step::Rest(1)]), numbered);
    assert_eq!(error(&[Step::Rest(0), Step::Rest(1), Step::Width(5)]), numbered);
    let lanes = "storage `bad` has steps that do not form a memory order; write `Step::Lanes` once, as the first step";
    assert_eq!(error(&[Step::Rest(0), Step::Lanes(0), Step::Rest(1)]), lanes);
    assert_eq!(error(&[Step::Lanes(0), Step::Lanes(1), Step::Rest(0), Step::Rest(1)]), lanes);
    let long = &[Step::Aligned; 17];
    assert_eq!(
        error(long),
        "storage `bad` has steps that do not form a memory order; write 1 to 16 steps, with a `Step::Rest` for each axis"
    );
    let refused = |format: &str| {
        stored(of(&[Step::Rest(0), Step::Rest(1)]), format, &[4, 4, 4], F32, (0, None))
    };
    assert!(
        refused("ABC").unwrap_err().to_string().starts_with("storage `bad` does not take format")
    );
    // No steps are a scalar.
    assert_eq!(stored(of(&[]), "", &[], F32, (0, None)).map(|own| own.len()), Ok(1));
    // Those that every chip has are memory orders.
    assert!(STORAGES.iter().all(|storage| storage.check().is_ok()));
}

/// Steps with an argument, and element types.
#[test]
fn arguments_of_own_storages() {
    const PIECES: Storage = Storage {
        name: "pieces",
        format: "",
        steps: &[Step::Lanes(1), Step::Rest(0), Step::Rest(1), Step::Words, Step::Width(1)],
        elements: &[I8],
    };
    let of = |element, width| stored(PIECES, "MN", &[3, 20], element, (0, width));
    let layout = of(I8, Some(6)).unwrap();
    // Pieces of 6 bytes begin at words.
    assert_eq!(
        layout.lanes().unwrap().place(&[2, 7]).map(|place| (place.lane, place.byte)),
        Ok((1, 17))
    );
    assert!(of(I8, None).unwrap_err().to_string().contains("needs argument `w`"));
    assert!(of(F16, Some(6)).unwrap_err().to_string().contains("does not take element type `f16`"));
    assert_eq!(layout.to_string().parse::<Layout>(), Ok(layout));
}
