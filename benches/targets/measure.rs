//! Measures a case, with every candidate on the same buffers.

use std::hint::black_box;

use tensor_layout::{Plan, f16};

use crate::candidates::Mover;
use crate::cases::Case;
use crate::nest::{Nest, move_naively};
use crate::peers::Unit;
use crate::timing;

/// What a case takes.
pub(crate) struct Figures {
    /// The eff of each mover of the family, in their order, where it can move the case.
    pub(crate) effs: Vec<Option<f64>>,
    /// The nanoseconds that a plan takes to make.
    pub(crate) plan: f64,
}

impl Figures {
    pub(crate) fn new(case: &Case, movers: &[Mover]) -> Self {
        let effs = match case.element {
            "i8" => effs::<i8>(case, movers),
            "f16" => effs::<f16>(case, movers),
            "f32" => effs::<f32>(case, movers),
            other => panic!("{other} is not an element of the cases"),
        };
        let plan = timing::seconds_of_a_call(|| {
            let plan = Plan::new(black_box(&case.source), black_box(&case.destination));
            black_box(plan.expect("a plan"));
        });
        Self { effs, plan: plan * 1e9 }
    }

    /// The medians, of two the lower, of what several passes over all cases measured.
    pub(crate) fn medians(passes: &[Self]) -> Self {
        let median = |mut figures: Vec<f64>| {
            figures.sort_by(f64::total_cmp);
            figures.get(figures.len().saturating_sub(1) / 2).copied()
        };
        let movers = passes[0].effs.len();
        let of = |mover: usize| passes.iter().filter_map(|figures| figures.effs[mover]).collect();
        let plans = passes.iter().map(|figures| figures.plan).collect();
        Self {
            effs: (0..movers).map(|mover| median(of(mover))).collect(),
            plan: median(plans).expect("a pass"),
        }
    }
}

/// A case with its figures.
pub(crate) struct Measured {
    pub(crate) case: Case,
    /// What moved it, this crate first.
    pub(crate) movers: &'static [Mover],
    pub(crate) figures: Figures,
}

impl Measured {
    /// The eff of this crate: of the static pair where there is one.
    pub(crate) fn own(&self) -> f64 {
        self.figures.effs[0].expect("this crate moves every case")
    }

    /// The best peer of this run, and its eff.
    pub(crate) fn best_peer(&self) -> Option<(&'static str, f64)> {
        let all = self.movers.iter().zip(&self.figures.effs);
        let peers = all.filter(|(mover, _)| !mover.is_own());
        peers
            .filter_map(|(mover, eff)| Some((mover.name(), (*eff)?)))
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
    }
}

/// The eff of each candidate. Buffers begin at cache lines.
///
/// # Panics
/// If a candidate gives another result than a loop over the elements.
fn effs<U: Unit>(case: &Case, movers: &[Mover]) -> Vec<Option<f64>> {
    // A view may read a part of its tensor, or some elements again and again.
    let (length, whole) = (case.destination.len(), case.source.units());
    let [mut from, mut copied, mut to] =
        [whole, length, length].map(|length| vec![U::zeroed(); length + 64]);
    let (source, copied) = (aligned(&mut from, whole), aligned(&mut copied, length));
    let destination = aligned(&mut to, length);
    for (i, byte) in bytemuck::cast_slice_mut::<U, u8>(source).iter_mut().enumerate() {
        // The high bits of a product: they do not repeat.
        *byte = ((i as u32).wrapping_mul(2_654_435_769) >> 24) as u8;
    }
    let nest = Nest::new(case);
    let mut expected = vec![U::zeroed(); length];
    move_naively(&nest, source, &mut expected);
    let eff = |mover: &Mover| {
        let candidate = mover.candidate::<U>(case, &nest)?;
        destination.fill(U::zeroed());
        candidate(source, destination);
        let is_same =
            bytemuck::cast_slice::<U, u8>(destination) == bytemuck::cast_slice::<U, u8>(&expected);
        assert!(is_same, "{case}: {} gives another result than plain loops", mover.name());
        if case.views.is_empty() {
            return Some(timing::eff(&candidate, source, destination));
        }
        let of_view: timing::Candidate<U> = Box::new(|_, to| candidate(black_box(source), to));
        Some(timing::eff(&of_view, copied, destination))
    };
    movers.iter().map(eff).collect()
}

/// `length` units that begin at a cache line.
fn aligned<U>(units: &mut [U], length: usize) -> &mut [U] {
    let start = units.as_ptr().align_offset(64);
    &mut units[start..start + length]
}
