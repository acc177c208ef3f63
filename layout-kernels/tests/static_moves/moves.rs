// Static moves, and what each must leave. Tests inside and outside of the package include it.

macro_rules! moves {
    ($($name:ident: [$(($size:expr, $from:expr, $to:expr)),*] of $unit:literal $(.$more:ident $arguments:tt)*;)*) => {
        $(
            struct $name;

            impl StaticMove for $name {
                const MOVE: Move =
                    Move::new(&[$(Loop::new($size, $from, $to)),*], $unit)$(.$more $arguments)*;
            }
        )*

        /// Calls a macro with all names.
        macro_rules! for_all {
            ($all:ident) => { $all! { $($name)* LowHalves Elements Streamed } };
        }
    };
}

moves! {
    Nothing: [(0, 1, 1), (3, 1, 7)] of 4 .from(5, 2);
    Unit: [] of 3;
    Contiguous: [(1000, 1, 1)] of 1;
    Rows: [(7, 150, 100), (2, 1200, 1000)] of 100;
    Backwards: [(40, -3, 3), (3, 1, 1)] of 1 .from(117, 0);
    Channels: [(49, 1, 4), (4, 49, 1), (4, 196, 196)] of 1;
    Last: [(196, 1, 16), (16, 196, 1)] of 1;
    Odd: [(7, 1, 13), (13, 7, 1), (3, 91, 91)] of 1;
    Planes: [(100, 3, 1), (3, 1, 100)] of 1;
    Pixels: [(100, 1, 3), (3, 100, 1)] of 1;
    TwoRows: [(75, 2, 4), (2, 150, 2)] of 2;
    TwoRowsOfBytes: [(75, 1, 2), (2, 75, 1)] of 1;
    TwoRowsOfFours: [(40, 4, 8), (2, 160, 4)] of 4;
    TwoRowsOfEights: [(21, 8, 16), (2, 168, 8)] of 8;
    FourRows: [(37, 2, 8), (4, 74, 2)] of 2;
    FourRowsOf33: [(33, 2, 8), (4, 66, 2)] of 2;
    FourRowsOf36: [(36, 2, 8), (4, 72, 2)] of 2;
    SixRows: [(70, 2, 12), (6, 140, 2)] of 2;
    EightRows: [(50, 1, 8), (8, 50, 1)] of 1;
    TwoPlanes: [(101, 2, 1), (2, 1, 101)] of 1;
    FiveRows: [(70, 1, 5), (5, 70, 1)] of 1;
    SevenPlanes: [(37, 14, 2), (7, 2, 74)] of 2;
    Halves: [(50, 2, 20), (10, 100, 2)] of 2;
    HalvesOfOddRows: [(9, 2, 14), (7, 18, 2)] of 2;
    Words: [(12, 4, 60), (15, 48, 4)] of 4;
    Doubles: [(9, 8, 40), (5, 72, 8)] of 8;
    Long: [(9, 16, 80), (5, 144, 16)] of 16;
    Tiny: [(3, 1, 4), (4, 3, 1)] of 1;
    FewColumns: [(5, 1, 200), (200, 5, 1)] of 1;
    Broadcast: [(6, 0, 12), (12, 1, 1)] of 1;
    Windows: [(4, 1, 16), (4, 4, 256), (4, 16, 4), (4, 64, 64), (4, 256, 1)] of 1;
    Several: [(6, 1, 40), (5, 6, 240), (8, 30, 5), (5, 240, 1)] of 1;
    Maps: [(9, 4, 256), (64, 36, 4), (2, 2304, 2304)] of 4;
    MapsBack: [(9, 256, 4), (64, 4, 36), (2, 2304, 2304)] of 4;
    MapsOfHalves: [(49, 2, 128), (64, 98, 2)] of 2;
    MapsOfBytes: [(49, 1, 64), (64, 49, 1)] of 1;
    Fours: [(49, 4, 16), (4, 196, 4), (16, 784, 784)] of 4;
    FoursOfBytes: [(9, 1, 4), (4, 9, 1), (16, 36, 36)] of 1;
    NinesOfBytes: [(9, 1, 32), (32, 9, 1), (4, 288, 288)] of 1;
    NinesOfEights: [(9, 8, 64), (8, 72, 8), (4, 576, 576)] of 8;
    RowsInATable: [(9, 1, 48), (16, 432, 3), (3, 9, 1), (15, 27, 432)] of 1;
    ColumnsPastATable: [(8, 300, 1), (3, 2500, 8), (130, 1, 24)] of 1;
    TensOfFives: [(5, 40, 4), (10, 4, 20), (6, 200, 200)] of 4;
    ThreeRowsOf10: [(3, 400, 10), (40, 10, 30)] of 10;
    SixLoads: [(7, 3, 1), (9, 147, 7), (7, 21, 63), (3, 1, 441)] of 1;
    EightLoads: [(7, 40, 1), (2, 1, 7), (16, 280, 14), (20, 2, 224)] of 1;
    FoursOfTwoImages: [(4, 9, 1), (2, 576, 4), (9, 1, 8), (16, 36, 72)] of 1;
    FoursBack: [(49, 4, 1), (4, 1, 49), (16, 196, 196)] of 1;
    FoursToLast: [(49, 16, 256), (16, 784, 16)] of 16;
    Threes: [(200, 2, 6), (3, 400, 2)] of 2;
    RowsOf12: [(20, 240, 12), (20, 12, 240)] of 12;
    RowsOf23: [(20, 460, 23), (20, 23, 460)] of 23;
    RowsOf40: [(12, 480, 40), (12, 40, 480)] of 40;
    RowsOf100: [(12, 1200, 100), (12, 100, 1200)] of 100;
    RowsOf200: [(6, 1200, 200), (6, 200, 1200)] of 200;
    Large: [(300, 1, 4096), (512, 4096, 1)] of 1;
    Padded: [(45, 3, 4)] of 3 .padded(Padding { group: 4, fill: [9; 8] });
    PaddedOnes: [(45, 1, 4)] of 1 .padded(Padding { group: 4, fill: [1, 2, 3, 4, 5, 6, 7, 8] });
    PaddedRows: [(21, 3, 4), (2, 64, 100)] of 3 .from(4, 8) .padded(Padding { group: 4, fill: [9; 8] });
    ThreeOfFour: [(45, 1, 4), (3, 45, 1)] of 1;
    Interleaved: [(32, 1, 2), (2, 32, 63)] of 1;
    EverySecond: [(40, 2, 4), (3, 80, 170)] of 2;
    PaddedPlanes: [(45, 1, 4), (3, 45, 1)] of 1 .padded(Padding { group: 4, fill: [9; 8] });
    PaddedWord: [(21, 4, 16)] of 4 .padded(Padding { group: 16, fill: [1, 2, 3, 4, 5, 6, 7, 8] });
    PaddedTwoWords: [(21, 8, 16)] of 8 .padded(Padding { group: 16, fill: [1, 2, 3, 4, 5, 6, 7, 8] });
    PaddedThreeWords: [(45, 12, 16)] of 12 .padded(Padding { group: 16, fill: [1, 2, 3, 4, 5, 6, 7, 8] });
    PaddedVectors: [(21, 12, 48)] of 12 .padded(Padding { group: 48, fill: [1, 2, 3, 4, 5, 6, 7, 8] });
}

const FOUR_BITS: SubByte = SubByte::new(4).unwrap();

struct LowHalves;

impl StaticMove for LowHalves {
    const MOVE: Move =
        Move::of_elements(FOUR_BITS, &[Loop::new(20, 1, 30), Loop::new(30, 20, 1)], 1);
}

struct Elements;

impl StaticMove for Elements {
    const MOVE: Move =
        Move::of_elements(FOUR_BITS, &[Loop::new(5, 1, 7), Loop::new(7, 5, 1)], 1).from(1, 2);
}

struct Streamed;

impl StaticMove for Streamed {
    const MOVE: Move = Move::new(&[Loop::new(300, 1, 1003), Loop::new(1003, 300, 1)], 1);
    const STORES: Stores = Stores::NonTemporal;
}

/// Where element `index` of a buffer of bytes, or of two elements a byte, is.
fn element(buffer: &[u8], index: usize, has_nibbles: bool) -> u8 {
    if has_nibbles { buffer[index / 2] >> (index % 2 * 4) & 0xf } else { buffer[index] }
}

fn set_element(buffer: &mut [u8], index: usize, has_nibbles: bool, value: u8) {
    if has_nibbles {
        let own = &mut buffer[index / 2];
        *own = *own & !(0xf << (index % 2 * 4)) | value << (index % 2 * 4);
    } else {
        buffer[index] = value;
    }
}

fn naive(of: &Move, has_nibbles: bool, source: &[u8], destination: &mut [u8]) {
    let loops = of.loops();
    let count: usize = loops.iter().map(|own| own.size).product();
    for i in 0..count {
        let (mut rest, mut from, mut to) = (i, of.source as isize, of.destination as isize);
        for own in loops {
            let at = (rest % own.size) as isize;
            (rest, from, to) = (rest / own.size, from + at * own.source, to + at * own.destination);
        }
        for byte in 0..of.unit {
            let value = element(source, from as usize + byte, has_nibbles);
            set_element(destination, to as usize + byte, has_nibbles, value);
        }
    }
}

/// Compares what `run` leaves with the naive loop, on either side of a word, with guard bytes.
fn check_with<M: StaticMove>(name: &str, pads: bool, run: impl Fn(&[u8], &mut [u8])) {
    const GUARD: usize = 80;
    let of = M::MOVE;
    let has_nibbles = name.starts_with("LowHalves") || name.starts_with("Elements");
    let plan = Plan::for_isa(&of, Isa::Portable).expect("a plan");
    let (source_len, len) = (plan.source_len(), plan.destination_len());
    for (source_shift, shift) in [(0, 0), (1, 0), (0, 1), (3, 2), (4, 4), (16, 1)] {
        let bytes = |i: usize| (i * 31 + i / 251 * 17) as u8;
        let source: Vec<u8> = (0..source_len + 64 + source_shift).map(bytes).collect();
        let start = source.as_ptr().align_offset(64) % 64 + source_shift;
        // Exact bounds matter where the end of the source does.
        let source = if start + source_len <= source.len() {
            &source[start..][..source_len]
        } else {
            &source[..source_len]
        };
        let mut destination: Vec<u8> = (0..len + 2 * GUARD + 64).map(|i| i as u8 | 0x80).collect();
        let at =
            destination.as_ptr().align_offset(64) % 64 + GUARD.next_multiple_of(64) - 64 + shift;
        let mut expected = destination.clone();
        if pads {
            fill(&of, &mut expected[at..][..len]);
        }
        naive(&of, has_nibbles, source, &mut expected[at..][..len]);
        run(source, &mut destination[at..][..len]);
        let wrong = (0..expected.len()).find(|&i| destination[i] != expected[i]);
        assert_eq!(
            wrong, None,
            "the first wrong byte, from {at} on: {name}, shifted by {source_shift} and {shift}"
        );
    }
}

/// Fills the groups of the moves with padding above, of which the first loop goes through groups.
fn fill(of: &Move, destination: &mut [u8]) {
    let group = of.loops()[0].destination as usize;
    let fill = match (of.unit, of.loops()) {
        (3, _) | (_, [_, _]) => [9; 8],
        _ => [1, 2, 3, 4, 5, 6, 7, 8],
    };
    let outer = of
        .loops()
        .get(1)
        .filter(|own| own.destination > 4)
        .map_or((1, 0), |own| (own.size, own.destination as usize));
    for i in 0..outer.0 {
        for at in (0..of.loops()[0].size).map(|own| of.destination + i * outer.1 + own * group) {
            let bytes = destination[at..][..group].iter_mut().zip(fill.iter().cycle());
            bytes.for_each(|(byte, fill)| *byte = *fill);
        }
    }
}
