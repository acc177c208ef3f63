//! Static moves, against a naive loop over units: the plan of every instruction set as a constant, and `run_static`.

use layout_kernels::{
    Isa, Loop, Move, Padding, Plan, StaticMove, Stores, SubByte, run_static, static_pads,
    static_plan,
};

include!("moves.rs");

/// A plan of each instruction set.
struct Plans<M>(core::marker::PhantomData<M>);

const fn planned(of: &Move, stores: Stores, isa: Isa) -> Plan {
    match Plan::for_isa(of, isa) {
        Ok(plan) => plan.with_stores(stores),
        Err(_) => panic!("a move within its buffers"),
    }
}

impl<M: StaticMove> Plans<M> {
    const ALL: [&'static Plan; 7] = [
        &planned(&M::MOVE, M::STORES, Isa::ALL[0]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[1]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[2]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[3]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[4]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[5]),
        &planned(&M::MOVE, M::STORES, Isa::ALL[6]),
    ];
}

/// Checks a move, and returns what its plans print.
fn check<M: StaticMove>(name: &str) -> String {
    let mut paths = String::new();
    check_with::<M>(name, static_pads::<M>(), |source, destination| {
        assert!(run_static::<M>(source, destination), "{name}");
    });
    for plan in Plans::<M>::ALL.into_iter().filter(|plan| plan.isa().is_available()) {
        paths += &format!("{plan}\n");
        check_with::<M>(&format!("{name}: {plan}"), plan.pads(), |source, destination| {
            assert!(plan.run(source, destination), "{name}: {plan}");
        });
    }
    let plan = static_plan::<M>();
    let (mut short, mut whole) = (vec![0; plan.source_len()], vec![0; plan.destination_len()]);
    if short.pop().is_some() {
        assert!(!run_static::<M>(&short, &mut whole), "{name}");
    }
    paths
}

#[test]
fn static_moves() {
    let mut paths = String::new();
    macro_rules! check_all {
        ($($name:ident)*) => {$(paths += &check::<$name>(stringify!($name));)*};
    }
    for_all!(check_all);
    for step in ["copy", "transpose", "in runs of", "2 rows at a time"] {
        assert!(paths.contains(step), "no move is a {step}:\n{paths}");
    }
    if Isa::best() > Isa::Sse2 {
        for step in ["permute", "through a scratch", "tables"] {
            assert!(paths.contains(step), "no move is a {step}:\n{paths}");
        }
    }
}
