//! A tile of 128x64 f16 in shared memory, with and without a swizzle of 128 bytes. Constants assert the cost of
//! each access of a matrix multiplication. Then the fragment of a tensor core is read from the tile.

use tensor_layout::access::{
    Access, Banks, Segments, Unresolved, coalescing, conflicts, padding, swizzle,
};
use tensor_layout::{Layout, Plan, Swizzle, Tensor, layout, view};

type Global = layout!(MK<128, 64>, f16);
type Plain = layout!(MK<128, 64>, f16);
type Tile = layout!(MK<128, 64>, f16, swizzle = b128);

/// The A operand of m16n8k16 in the registers of a warp, as the PTX manual draws it: m % 8 and k / 2 % 4 give
/// the lane, k / 8, m / 8 and k % 2 the register.
type A = layout!(8m4k KM2k<M = 16, K = 16>, f16, lanes(32));

/// The addresses that lanes pass to `ldmatrix.x4`: 8 elements of row m from column k / 8 * 8 on.
type Rows = layout!(KM 8k<M = 16, K = 16>, f16, lanes(32));

/// The elements that each lane of a warp writes to fill the tile: 16 bytes, 8 lanes for each row.
type Filling = layout!(MK 8k<M = 4, K = 64>, f16, lanes(32));

/// Returns what `ldmatrix.x4` reads for the fragment that begins at this row and column.
const fn matrices(tile: &Layout, m: usize, k: usize) -> Access {
    Access::of_fragment(tile, &[m, k], &Rows::LAYOUT, 0..8)
}

/// Returns what lanes read for the fragment without `ldmatrix`: registers 2 * `pair` and the next.
const fn registers(tile: &Layout, m: usize, k: usize, pair: usize) -> Access {
    Access::of_fragment(tile, &[m, k], &A::LAYOUT, 2 * pair..2 * pair + 2)
}

/// Returns what a warp writes from this row on.
const fn filling(tile: &Layout, m: usize) -> Access {
    Access::of_fragment(tile, &[m, 0], &Filling::LAYOUT, 0..8)
}

const BANKS: Banks = Banks::NVIDIA;

/// Whether `ldmatrix.x4` fills the registers of the fragment that begins at this row and column. Lane `l` receives
/// columns `2 * (l % 4)` and the next of row `l / 4` of each matrix. Lanes `8 * j` to `8 * j + 7` pass the addresses of
/// the rows of matrix `j`, which goes to registers `2 * j` and the next.
const fn is_loaded(tile: &Layout, m: usize, k: usize) -> bool {
    let rows = matrices(tile, m, k);
    let (mut lane, mut register) = (0, 0);
    while lane < 32 {
        let Some(own) = A::LAYOUT.coordinate(lane * 8 + register) else { return false };
        let [own_m, own_k] = [own.as_slice()[0], own.as_slice()[1]];
        let column = lane % 4 * 2 + register % 2;
        let read = rows.start(register / 2 * 8 + lane / 4) + 2 * column;
        if read != 2 * tile.offset(&[m + own_m, k + own_k]) {
            return false;
        }
        register += 1;
        if register == 8 {
            (lane, register) = (lane + 1, 0);
        }
    }
    true
}

/// Returns the worst degree of bank conflicts of all reads of fragments. Banks and the swizzle begin anew after 16 rows,
/// so the first 16 rows stand for the others.
const fn worst(tile: &Layout) -> usize {
    assert!(tile.offset(&[16, 0]) * 2 % (BANKS.count * BANKS.width) == 0);
    let (mut worst, mut k) = (0, 0);
    while k < 64 {
        let degree = conflicts(&matrices(tile, 0, k), &BANKS).degree();
        if degree > worst {
            worst = degree;
        }
        k += 16;
    }
    worst
}

// Without a swizzle, eight rows of 128 bytes begin in the same bank.
const _: () = assert!(worst(&Plain::LAYOUT) == 8);
const _: () = assert!(conflicts(&registers(&Plain::LAYOUT, 16, 32, 1), &BANKS).degree() == 8);
const _: () = assert!(conflicts(&filling(&Plain::LAYOUT, 0), &BANKS).degree() == 1);

// The swizzle moves chunks of 16 bytes, as one writes it by hand.
const fn by_hand(m: usize, k: usize) -> usize {
    m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8
}
const _: () = assert!(Tile::offset([21, 34]) == by_hand(21, 34));

// The fragment at row 16 and column 32 is read from either tile.
const _: () = assert!(is_loaded(&Plain::LAYOUT, 16, 32) && is_loaded(&Tile::LAYOUT, 16, 32));

// With the swizzle, neither reads nor writes have conflicts.
const _: () = assert!(worst(&Tile::LAYOUT) == 1);
const _: () = assert!(conflicts(&registers(&Tile::LAYOUT, 16, 32, 1), &BANKS).degree() == 1);
const _: () = conflicts(&filling(&Tile::LAYOUT, 0), &BANKS).expect_none();

// The search finds this swizzle, and the usual padding.
const ACCESSES: [Access; 2] = [matrices(&Plain::LAYOUT, 0, 0), filling(&Plain::LAYOUT, 0)];
const FOUND: Result<Swizzle, Unresolved> = swizzle(&ACCESSES, &BANKS);
const PADDING: Result<usize, Unresolved> = padding(&ACCESSES, 128, &BANKS);
const _: () = assert!(matches!(FOUND, Ok(s) if s.bits() == 3 && s.base() == 4 && s.shift() == 3));
const _: () = assert!(matches!(PADDING, Ok(16)));
type Padded = layout!(MK<128, 64>, f16, align(M = 144));
const _: () = assert!(worst(&Padded::LAYOUT) == 1);

// In global memory, 4 rows of 128 bytes are 16 sectors, each of which is used whole.
const _: () = assert!(coalescing(&filling(&Global::LAYOUT, 0), &Segments::NVIDIA).sectors() == 16);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, tile) in [("plain", Plain::LAYOUT), ("swizzled", Tile::LAYOUT)] {
        println!("{name}: {}", conflicts(&matrices(&tile, 0, 0), &BANKS));
    }
    println!("{FOUND:?} of bytes, or {PADDING:?} bytes after each row");
    println!("{}", coalescing(&filling(&Global::LAYOUT, 0), &Segments::NVIDIA));

    // The same tile on the host, and the registers of the warp that reads the fragment at row 16 and column 32.
    type HostTile = layout!(MK<128, 64>, u16, swizzle = b128);
    type HostA = layout!(8m4k KM2k<M = 16, K = 16>, u16, lanes(32));
    const PART: Layout = view!(HostTile::LAYOUT, slice('M', 16, 1, 16), slice('K', 32, 1, 16));
    let values: Vec<u16> = (0..8192).collect();
    let rows = Layout::parse("MK<128, 64>, u16")?;
    let mut shared = vec![0u16; HostTile::LEN];
    Plan::new(&rows, &HostTile::LAYOUT)?.run(&values, &mut shared)?;
    let tile = Tensor::<HostTile, _>::new(&shared[..])?;
    assert_eq!(tile[[77, 13]], 77 * 64 + 13);

    let mut held = [0u16; HostA::LEN];
    Plan::new(&PART, &HostA::LAYOUT)?.run(&shared, &mut held)?;
    let lanes = HostA::LAYOUT.lanes().ok_or("a fragment has lanes")?;
    let (lane, register) = (6, 3);
    let place = lanes.coordinate(lane, register).ok_or("each register holds an element")?;
    println!("register {register} of lane {lane} holds row {} and column {}", place[0], place[1]);
    assert_eq!(held[lane * lanes.len() + register], tile[[16 + place[0], 32 + place[1]]]);
    Ok(())
}
