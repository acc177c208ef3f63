//! A tile of 128x64 f16 in shared memory, with and without a swizzle of 128 bytes: what each access of a matrix
//! multiplication costs, asserted in constants.

use tensor_layout::access::{
    Access, Banks, Segments, Unresolved, coalescing, conflicts, padding, swizzle,
};
use tensor_layout::{ElementType, Layout, LayoutError, Swizzle, Tensor, layout, relayout, view};

type Global = layout!(MK<128, 64>, f16);
type Plain = layout!(MK<128, 64>, f16);
type Tile = layout!(MK<128, 64>, f16, swizzle = b128);

/// The A operand of m16n8k16: in coordinates of M and K, lane and register of each element, as the PTX manual
/// draws it. Digits: m % 8 and k / 2 % 4 are the lane; k / 8, m / 8 and k % 2 the register.
const FRAGMENT: Layout = {
    const DIGITS: Layout = match Layout::from_strides(
        "ABCDE",
        &[8, 4, 2, 2, 2],
        &[32, 8, 4, 2, 1],
        ElementType::F16,
    ) {
        Ok(digits) => digits,
        Err(error) => error.panic(),
    };
    view!(DIGITS, merge("DA", 'M'), merge("CBE", 'K'))
};
const LANES: usize = 32;

/// The view, or a compile error with the reason why there is none.
const fn view(made: Result<Layout, LayoutError>) -> Layout {
    match made {
        Ok(view) => view,
        Err(error) => error.panic(),
    }
}

/// So many rows and columns of a tile.
const fn part(tile: &Layout, (m, rows): (usize, usize), (k, columns): (usize, usize)) -> Layout {
    view(view(tile.slice('M', m, 1, rows)).slice('K', k, 1, columns))
}

/// What `ldmatrix.x4` reads of the fragment that begins at this row and column: each lane one row of 8.
const fn matrices(tile: &Layout, m: usize, k: usize) -> Access {
    let fragment = part(tile, (m, 16), (k, 16));
    Access::of(&view(fragment.tile('K', &[('H', 2), ('K', 8)])), "HM")
}

/// What lanes read of the fragment without `ldmatrix`: registers 2 * `pair` and the next.
const fn registers(tile: &Layout, m: usize, k: usize, pair: usize) -> Access {
    Access::of_fragment(&part(tile, (m, 16), (k, 16)), &FRAGMENT, LANES, 2 * pair..2 * pair + 2)
}

/// What a warp writes when it fills the tile: 16 bytes a lane, 8 lanes a row.
const fn filling(tile: &Layout, m: usize) -> Access {
    Access::of(&view(part(tile, (m, 4), (0, 64)).tile('K', &[('H', 8), ('K', 8)])), "MH")
}

const BANKS: Banks = Banks::NVIDIA;

/// The worst degree of all reads of fragments.
const fn worst(tile: &Layout) -> usize {
    let mut worst = 0;
    let (mut m, mut k) = (0, 0);
    while m < 128 {
        let degree = conflicts(&matrices(tile, m, k), &BANKS).degree();
        if degree > worst {
            worst = degree;
        }
        k += 16;
        if k == 64 {
            (m, k) = (m + 16, 0);
        }
    }
    worst
}

// Before: eight rows of 128 bytes begin in the same bank.
const _: () = assert!(worst(&Plain::LAYOUT) == 8);
const _: () = assert!(conflicts(&registers(&Plain::LAYOUT, 16, 32, 1), &BANKS).degree() == 8);
const _: () = assert!(conflicts(&filling(&Plain::LAYOUT, 0), &BANKS).degree() == 1);

// After: nothing conflicts, neither reads nor writes.
const _: () = assert!(worst(&Tile::LAYOUT) == 1);
const _: () = assert!(conflicts(&registers(&Tile::LAYOUT, 16, 32, 1), &BANKS).degree() == 1);
const _: () = conflicts(&filling(&Tile::LAYOUT, 0), &BANKS).expect_none();

// The search finds this swizzle, and the padding that others use.
const ACCESSES: [Access; 2] = [matrices(&Plain::LAYOUT, 0, 0), filling(&Plain::LAYOUT, 0)];
const FOUND: Result<Swizzle, Unresolved> = swizzle(&ACCESSES, &BANKS);
const PADDING: Result<usize, Unresolved> = padding(&ACCESSES, 128, &BANKS);

// Out of global memory, 4 rows of 128 bytes are 16 sectors, each used whole.
const _: () = assert!(coalescing(&filling(&Global::LAYOUT, 0), &Segments::NVIDIA).sectors() == 16);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, tile) in [("plain", Plain::LAYOUT), ("swizzled", Tile::LAYOUT)] {
        println!("{name}: {}", conflicts(&matrices(&tile, 0, 0), &BANKS));
    }
    println!("{FOUND:?} of bytes, or {PADDING:?} bytes after each row");
    println!("{}", coalescing(&filling(&Global::LAYOUT, 0), &Segments::NVIDIA));

    // The same tile on the host.
    let values: Vec<u16> = (0..8192).collect();
    let mut shared = vec![0u16; Tile::LEN];
    let plan = tensor_layout::Plan::new(
        &Layout::parse("MK<128, 64>, u16")?,
        &Layout::parse("MK<128, 64>, u16, swizzle = b128")?,
    )?;
    relayout(&plan, &values, &mut shared)?;
    let tile = Tensor::<layout!(MK<128, 64>, u16, swizzle = b128), _>::new(&shared[..])?;
    assert_eq!(tile[[77, 13]], 77 * 64 + 13);
    Ok(())
}
