//! The tests of rules, algebra and loop nests, as one program without the rest of the library.
//!
//! Mutation testing runs the tests that enter what is changed, the shortest first, and needs no more than the first
//! failure, which ends the program.

extern crate alone as tensor_layout;

#[path = "../../campaign/tests/laws.rs"]
mod campaign_laws;
#[path = "../../campaign/tests/rules.rs"]
mod campaign_rules;
#[path = "."]
mod chips {
    #[path = "../../src/chips/descriptors.rs"]
    mod descriptors;
}
#[path = "../../src/layouts/element_table.rs"]
mod element_table;
#[path = "../../src/layouts/extremes.rs"]
mod extremes;
mod full;
#[path = "../../src/layouts/laws.rs"]
mod laws;
mod limits;
mod long;
mod members;
mod nests;
#[path = "../../src/layouts/notation.rs"]
mod notation;
#[path = "../../campaign/tests/quick.rs"]
mod quick;
mod recasts;
mod runs;
#[path = "../../src/layouts/shared_offsets.rs"]
mod shared_offsets;
mod small;
#[path = "../../src/layouts/strides.rs"]
mod strides;
#[path = "../../src/layouts/swizzles.rs"]
mod swizzles;
mod values;
#[path = "../../src/algebra/mod.rs"]
mod weighty;

mod a {
    use std::panic;

    /// Comes first by its name, and before any other hook is set.
    #[test]
    fn failure_ends_the_program() {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            print(info);
            std::process::exit(101);
        }));
        // A mutant that loops forever is ended.
        campaign::isolation::limit(20);
    }
}

#[path = "."]
mod support {
    use proptest::test_runner::Config;

    #[path = "../../../examples/tpu_local/device.rs"]
    pub(crate) mod device;
    #[path = "../../src/support/oracle/mod.rs"]
    pub(crate) mod oracle;
    #[path = "../../src/support/random.rs"]
    pub(crate) mod random;

    /// Few random cases, the same in every run, and none reduced: a mutant that they leave is a survivor.
    fn config(config: Config) -> Config {
        let rng_seed = proptest::test_runner::RngSeed::Fixed(20);
        Config { cases: config.cases / 2, max_shrink_iters: 0, rng_seed, ..config }
    }
}

#[path = "."]
mod views {
    #[path = "../../src/views/cases.rs"]
    mod cases;
    #[path = "../../src/views/errors.rs"]
    mod errors;
    #[path = "../../src/views/recast.rs"]
    mod recast;

    mod random {
        use tensor_layout::Layout;

        /// All coordinates.
        pub(crate) fn coordinates(layout: &Layout) -> Vec<Vec<usize>> {
            test_support::coordinates(layout.extents()).collect()
        }
    }
}
