//! Explanations of relayouts: what they say adds up, and agrees with what the plan prints.

use proptest::prelude::*;
use tensor_layout::show::Choice;
use tensor_layout::{ElementType, Layout, Plan, Relayout, layout};

use crate::support::random;

proptest! {
    #![proptest_config(random::cases(300))]

    #[test]
    fn boxes_add_up_to_the_relayout(
        (source, destination) in (random::axes(), random::element()).prop_flat_map(|(axes, element)| {
            let destination = random::layout_of(axes.clone(), element, false);
            (random::layout_of(axes, element, true), destination)
        })
    ) {
        let (source, destination) = (source.layout(), destination.layout());
        let plan = Plan::new(&source, &destination).expect("the same axes");
        let explanation = plan.explain();
        let bits = source.element().bits();
        prop_assert_eq!(explanation.source.layout, source);
        prop_assert_eq!(explanation.destination.layout, destination);
        let mut moved = 0;
        for part in &explanation.boxes {
            prop_assert!(part.reasons.is_some() != part.without.is_some());
            let Some(reasons) = &part.reasons else { continue };
            let word = match reasons.choice {
                Choice::Copies => "copy ",
                Choice::Transpose => "transpose ",
                Choice::Permute => "permute bytes: ",
                Choice::Passes => " bytes at a time in two passes",
                Choice::Reversed => "-bit elements of each byte reversed: ",
                Choice::Words => "-bit elements permuted in words",
                Choice::Groups => " rows at a time: ",
                _ => "-bit elements in runs of ",
            };
            prop_assert!(part.path.contains(word), "{}: {:?}", part.path, reasons);
            prop_assert!(part.path.contains("non-temporal") == reasons.non_temporal);
            let sizes = reasons.loops().iter().map(|own| own.size).product::<usize>();
            moved += sizes * reasons.unit * reasons.bits;
            // An estimate that decided is the least, unless the vectors of the least cannot be loaded.
            let least = [reasons.copies, reasons.tiles, reasons.permutes].into_iter().flatten().min();
            let own = match reasons.choice {
                Choice::Copies => reasons.copies,
                Choice::Transpose => reasons.tiles,
                _ => None,
            };
            let may_fail = reasons.permutes == least;
            prop_assert!(own.is_none() || own == least || may_fail, "{:?}", reasons);
        }
        let whole = explanation.more == 0 && explanation.boxes.iter().all(|part| part.reasons.is_some());
        prop_assert!(!whole || moved == source.numel() * bits, "{}: {}", explanation, moved);
        let (text, printed) = (explanation.to_string(), plan.to_string());
        prop_assert_eq!(text.lines().next(), printed.lines().next());
    }
}

#[test]
fn the_facts_that_decide_are_said() {
    let explain = |source: &str, destination: &str| {
        let layout = |text: &str| text.parse::<Layout>().expect("a layout");
        Plan::new(&layout(source), &layout(destination)).expect("the same axes").explain()
    };
    let text =
        explain("NHWC<N = 1, C = 3, H = 5, W = 7>, u8", "NCHW4<1, 3, 5, 7>, u8, pad").to_string();
    assert!(text.contains("\n  35 bytes of padding are filled\n"), "{text}");
    assert!(text.contains("\nsource\n  105 bytes, alignment 1\n  oneDNN acdb\n"), "{text}");
    let text = explain("MK<64, 64>, f16", "MK<64, 64>, f16, swizzle = b128").to_string();
    assert!(
        text.contains("\n  copy 16 bytes at a time, which swizzles keep contiguous\n"),
        "{text}"
    );
    assert!(text.contains("\n  CuTe Sw<3,3,3> o 0 o (64,64):(64,1)"), "{text}");
    let text = explain("NCHW<1, 8, 9, 9>, f32", "NCHW<1, 8, 9, 9>, f32").to_string();
    assert!(text.contains("\n    chosen: the move is one run\n"), "{text}");
    let text = explain("NCHW<1, 7, 8, 8>, f32", "NCHW4<1, 7, 8, 8>, f32, pad").to_string();
    assert!(
        text.contains(
            "\n  2 boxes, since blocks do not divide each other or the last one is not full\n"
        ),
        "{text}"
    );
    let text = explain("NHWC<N = 1, C = 64, H = 7, W = 7>, u4, pad", "NCHW<1, 64, 7, 7>, u4, pad")
        .to_string();
    let chosen =
        "\n    chosen: a size or stride is not a multiple of the number of elements in a byte\n";
    assert!(text.contains(chosen), "{text}");
    let layout = |format| Layout::of(format, &[8, 64, 112, 112], ElementType::F32).unwrap();
    let plan = Plan::new(&layout("NCHW"), &layout("NHWC")).unwrap();
    let told = plan.clone().streaming(false).explain().to_string();
    assert!(told.contains("\n    stores: into the caches, as chosen by the caller\n"), "{told}");
    let chosen = plan.explain().to_string();
    assert!(
        chosen.contains("source and destination together have 51380224 bytes, at least "),
        "{chosen}"
    );
}

#[derive(Relayout)]
#[relayout(layout!(HW<16, 16>, u8) => layout!(WH<H = 16, W = 16>, u8))]
struct Small;

/// Boxes that are planned when the plan runs have no plan if they are small.
#[test]
fn small_boxes_are_moved_row_by_row() {
    let of = |text: &str| text.parse::<Layout>().expect("a layout");
    let new = |from, to| Plan::new(&of(from), &of(to)).expect("the same axes");
    let rows = |plan: &Plan| {
        let boxes = plan.explain().boxes;
        let reason = Some("making a plan takes longer than moving the box row by row");
        for own in &boxes {
            assert_eq!(own.path == "row by row", own.without == reason, "{own:?}");
        }
        (boxes.iter().filter(|own| own.path == "row by row").count(), boxes.len())
    };
    let printed = |plan: &Plan| plan.to_string().matches("\n  row by row").count();
    assert_eq!(rows(&new("CH4c<30, 3>, u8, pad", "CH7c<30, 3>, u8, pad")), (11, 11));
    let (small, all) = rows(&new("CH4c<30, 300>, u8, pad", "CH7c<30, 300>, u8, pad"));
    assert!(small < all, "{small} of {all}");
    let four = new("HW<10, 10>, u8", "HW8h8w<10, 10>, u8, pad");
    assert_eq!((rows(&four), printed(&four)), ((4, 4), 4));
    // One or two boxes have plans, except of constants.
    let (from, to) = (of("HC<C = 3, H = 4>, u8"), of("CH<3, 4>, u8"));
    let one = Plan::new(&from, &to).expect("the same axes");
    assert_eq!((rows(&one), printed(&one)), ((0, 1), 0));
    let constant = Plan::const_new(&from, &to).expect("the same axes");
    assert_eq!((rows(&constant), printed(&constant)), ((1, 1), 1));
    // Derived relayouts have their moves as constants.
    assert_eq!((rows(Small::PLAN), printed(Small::PLAN)), ((0, 1), 0));
    // Boxes between swizzles are planned.
    let swizzled = new("CH4c<30, 3>, u8, pad, swizzle(1, 4, 2)", "CH7c<30, 3>, u8, pad");
    assert_eq!(rows(&swizzled).0, 0);
}
