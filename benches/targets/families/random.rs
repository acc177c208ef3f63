//! Random permutations: of sizes as those of `permutations.csv`, and small ones, of a few digits each.

use test_support::Random;

use crate::cases::{Case, ELEMENTS};

const CASES: usize = 200;

/// Permutations of about 0.7 to 4 MB.
pub(crate) fn cases(seed: u64) -> Vec<Case> {
    of_sizes(seed, (700e3, 4e6))
}

/// Permutations of about 1 to 64 KB.
pub(crate) fn small(seed: u64) -> Vec<Case> {
    of_sizes(seed, (1e3, 64e3))
}

/// Each of a random rank, shape, order and width, and of a size in bytes; prints the seed, which repeats them.
fn of_sizes(seed: u64, bytes: (f64, f64)) -> Vec<Case> {
    println!("\n--seed={seed}");
    let mut random = Random::new(seed, 0);
    (0..CASES).map(|_| case(&mut random, bytes)).collect()
}

fn case(random: &mut Random, (least, most): (f64, f64)) -> Case {
    let rank = 3 + random.below(4);
    let element = ELEMENTS[random.below(3)];
    let width = [4.0, 2.0, 1.0][ELEMENTS.iter().position(|&one| one == element).expect("one")];
    // The logarithm of the number of elements, in uneven parts, one for each axis.
    let bytes = least * (most / least).powf(random.share());
    let parts: Vec<f64> = (0..rank).map(|_| 0.3 + random.share()).collect();
    let logarithm = (bytes / width).ln() / parts.iter().sum::<f64>();
    let extent = |part: &f64| ((part * logarithm).exp().round() as usize).max(2);
    let shape: Vec<_> = parts.iter().map(|part| extent(part).to_string()).collect();

    let source = &"ABCDEF"[..rank];
    let mut letters: Vec<char> = source.chars().collect();
    while letters.iter().copied().eq(source.chars()) {
        random.shuffle(&mut letters);
    }
    let destination: String = letters.into_iter().collect();
    let conversion = format!("{source}->{destination}");
    Case::new(&conversion, [source, &destination], &shape.join("x"), element)
}
