//! Layouts and views in a few seconds: what mutation testing and other machines run.
//!
//! `cargo test -p campaign --no-default-features` builds layout-core and nothing else of the
//! library. Cases are the same in every run, so that a mutant is killed or survives each time.

use campaign::check::forms::enumerate;
use campaign::check::views;
use campaign::element::Element;
use campaign::generate;
use campaign::isolation::{caught, limit};
use campaign::small::Bounds;
use campaign::step::Viewed;
use test_support::Random;

/// The number of cases that a debug build checks in a few seconds.
const CASES: u64 = 800;

fn run(seed: u64, mut choose: impl FnMut(&mut Random) -> Viewed) {
    for number in 0..CASES {
        let mut random = Random::new(seed, number);
        let viewed = choose(&mut random);
        // A mutant that loops forever is ended, which counts as noticed.
        limit(20);
        if let Err(failure) = caught(|| views::check(&viewed)) {
            panic!("case {number} of seed {seed}: {failure}\n{viewed}");
        }
    }
}

#[test]
fn random_layouts_say_what_their_notation_says() {
    run(1, |random| {
        let element = random.pick(&Element::ALL);
        let axes = generate::axes(random, 100);
        Viewed::plain(generate::notation(random, axes, element))
    });
}

#[test]
fn random_views_say_what_their_tables_say() {
    run(2, |random| {
        let element = random.pick(&Element::ALL);
        generate::viewed(random, element, 80, 7)
    });
}

/// Every third of two axes; `--enumerate` has all, of three axes too.
#[test]
fn small_layouts_are_the_same_in_all_forms() {
    let bounds = Bounds { axes: 2, extent: 2, blocks: 1 };
    assert_eq!(enumerate(bounds, 0, 3, 20), 0);
}
