//! Random views of tensors of one to four axes, packed in the order of their axes or another: images that are flipped,
//! every second pixel, some channels, and what is repeated.

use crate::cases::{Case, ELEMENTS, View};
use test_support::Random;

const CASES: usize = 200;

const EXTENTS: [usize; 20] =
    [2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 48, 56, 64, 112, 128, 224];

/// Packs 2 KB to 2 MB each; prints the seed, which repeats them.
pub(crate) fn cases(seed: u64) -> Vec<Case> {
    println!("\n--seed={seed}");
    let mut random = Random::new(seed, 0);
    std::iter::repeat_with(|| case(&mut random)).flatten().take(CASES).collect()
}

/// Returns `None` for other sizes, and if no axis is viewed.
fn case(random: &mut Random) -> Option<Case> {
    let element = ELEMENTS[random.below(3)];
    let extents: Vec<_> =
        (0..1 + random.below(4)).map(|_| EXTENTS[random.below(EXTENTS.len())]).collect();
    if !(2_000..2_000_000).contains(&extents.iter().product::<usize>()) {
        return None;
    }
    let source = &"ABCD"[..extents.len()];
    let mut letters: Vec<char> = source.chars().collect();
    if random.share() < 0.4 {
        random.shuffle(&mut letters);
    }
    let view = |axis| match random.share() {
        share if share < 0.35 => Some(View::Flip(axis)),
        share if share < 0.45 => Some(View::Every(axis, 2 + random.below(2))),
        share if share < 0.55 => Some(View::Skip(axis, [1, 2, 4][random.below(3)])),
        share if share < 0.60 => Some(View::Repeat(axis)),
        _ => None,
    };
    let views: Vec<View> = source.chars().filter_map(view).collect();
    let destination: String = letters.into_iter().collect();
    let texts: Vec<_> = views.iter().map(View::to_string).collect();
    let conversion = format!("{source}->{destination} {}", texts.join(" "));
    let shape: Vec<_> = extents.iter().map(usize::to_string).collect();
    let whole = Case::new(&conversion, [source, &destination], &shape.join("x"), element);
    (!views.is_empty()).then(|| whole.of_views(&views))
}
