//! What the compiler must not make of kernels. Tiles are transposed in registers: a loop over their vectors
//! would keep them in memory, and takes three times as long.

use super::functions::functions;

/// The functions of a set of kernels that transpose tiles, for elements of so many bytes: how many
/// shuffles a tile takes, and what those end with. Wider elements have few vectors in a tile.
const FUNCTIONS: [(&str, usize, usize, &str); 15] = [
    ("tile", 1, 64, "bw"),
    ("group", 1, 64, "bw"),
    ("staged_tile", 1, 64, "bw"),
    ("staged_group", 1, 64, "bw"),
    ("few_column", 1, 64, "bw"),
    ("few_row", 1, 64, "bw"),
    ("grouped_column", 1, 64, "bw"),
    ("nibble", 1, 64, "bw"),
    ("tile", 2, 24, "wd"),
    ("group", 2, 24, "wd"),
    ("staged_tile", 2, 24, "wd"),
    ("staged_group", 2, 24, "wd"),
    ("few_column", 2, 24, "wd"),
    ("few_row", 2, 24, "wd"),
    ("grouped_column", 2, 24, "wd"),
];

/// The most tiles of a function of which one column is wanted: of `tile` and `group` with its own vectors and
/// with half as long ones, of the staged ones with its own past the caches or not; those of bytes also have
/// what goes through a scratch.
const SINGLES: usize = 2;
const STAGED_SINGLES: usize = 3;
const SINGLES_OF_BYTES: usize = 6;

/// The shuffles of a tile of bytes of which nine columns are wanted, as `few_column` has one: 16, 12, 10 and 9
/// in its rounds. It may share the first ones with the tile of any columns.
const NINE_COLUMNS: usize = 47;

/// The shuffles of eight rows of bytes, which `few_row` has besides tiles; those of five to seven too, where vectors
/// look up in lanes.
const HALF_LANES: usize = 24;

/// Names that tell which parameters a function has.
const MANGLING: &str = "-Csymbol-mangling-version=v0";

#[test]
fn no_tile_is_left_in_a_loop() {
    let functions = functions("layout-kernels", &["--features", "std"], &[MANGLING]);
    for (name, width, shuffles, suffix) in FUNCTIONS {
        // The end of a mangled name: the function, then the value of its parameter.
        let mangled = format!("{}{name}Kj{width}_", name.len());
        let own: Vec<_> =
            functions.iter().filter(|(symbol, _)| symbol.contains(&mangled)).collect();
        let is_staged = name.starts_with("staged");
        let sets = if is_staged { 2 } else { 3 };
        assert_eq!(
            own.len(),
            sets,
            "{name} of {width} bytes, for AVX2 and AVX-512, and SSE2 unless staged"
        );
        for (symbol, instructions) in own {
            let is_shuffle = |line: &&String| {
                let name = line.split(' ').next().unwrap_or_default();
                name.contains("punpck") && name.ends_with(suffix)
            };
            let found = instructions.iter().filter(is_shuffle).count();
            // Of some tiles only one column is wanted: half as many in each round.
            let single = 16 / width - 1;
            let most = match name {
                "tile" | "group" => SINGLES,
                "staged_tile" if width == 1 => SINGLES_OF_BYTES,
                _ if is_staged => STAGED_SINGLES,
                _ => 0,
            };
            let whole = |singles: usize| {
                let rest = found.saturating_sub(singles * single);
                rest > 0 && rest % shuffles == 0
            };
            let is_right = if name == "few_column" && width == 1 {
                (shuffles + 1..=shuffles + NINE_COLUMNS).contains(&found)
            } else if name == "few_row" && width == 1 {
                let in_tiles = |halves: &usize| found.checked_sub(halves * HALF_LANES);
                [1, 2].iter().filter_map(in_tiles).any(|rest| rest > 0 && rest % shuffles == 0)
            } else {
                (0..=most).any(whole)
            };
            assert!(
                is_right,
                "{symbol}: {found} shuffles, in tiles of {shuffles} or {single}: a loop is not unrolled",
            );
            // What does not fit the registers goes to the stack and back, but not every vector.
            let on_stack =
                instructions.iter().filter(|line| line.contains("mm") && line.contains("(%rsp"));
            let on_stack = on_stack.count();
            assert!(
                !matches!(name, "tile" | "staged_tile") || on_stack <= found / 2,
                "{symbol}: {on_stack} vectors on the stack, {found} shuffles",
            );
        }
    }
}

/// Copies of a few vectors are loops of their own, which the compiler must not take for calls of memcpy: one of
/// a line takes longer to call than to copy. What is long is copied by memcpy, in one place.
#[test]
fn few_vectors_are_no_call() {
    let functions = functions("layout-kernels", &["--features", "std"], &[MANGLING]);
    let own: Vec<_> = functions.iter().filter(|(symbol, _)| symbol.contains("4copyKj1_")).collect();
    assert_eq!(own.len(), 3, "for SSE2, AVX2 and AVX-512");
    for (symbol, instructions) in own {
        let calls: Vec<_> = instructions.iter().filter(|line| line.contains("memcpy")).collect();
        assert_eq!(calls.len(), 1, "{symbol}: {calls:?}");
    }
}

/// The choice of a kernel at run time, and running it, have nothing that could panic: firmware that runs
/// plans needs no text for it.
#[test]
fn running_a_job_does_not_panic() {
    let functions = functions("layout-kernels", &["--features", "std"], &[MANGLING]);
    let parts = [
        "8dispatch4SETS",
        "6kernel7shuffle",
        "6kernel15shuffle_vectors",
        "6kernel8look_ups",
        "6kernel13column_groups",
    ];
    let is_part = |symbol: &String| {
        parts.iter().any(|part| symbol.contains(part)) || symbol.ends_with("3Job3run")
    };
    let own: Vec<_> = functions.iter().filter(|(symbol, _)| is_part(symbol)).collect();
    assert!(own.len() > 100, "one function runs a job, and each kernel is one: {}", own.len());
    for (symbol, instructions) in own {
        let panics: Vec<_> = instructions.iter().filter(|line| line.contains("panic")).collect();
        assert!(panics.is_empty(), "{symbol}: {panics:?}");
    }
}
