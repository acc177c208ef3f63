//! What can move a case: this crate and its peers.

use tensor_layout::Plan;

use crate::cases::{Case, pair};
use crate::nest::Nest;
use crate::packages;
use crate::peers::{Unit, ndarray, strided_loops, strided_perm, transposes};
use crate::timing::Candidate;

/// Who moves a case.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mover {
    /// This crate, with static layouts.
    Static,
    /// This crate, with a plan made at run time.
    Planned,
    /// Loops with literal bounds, compiled for the CPU at hand.
    NativeLoops,
    /// The same, compiled as this crate is.
    BaselineLoops,
    /// The crate of this name, as the three that follow.
    Transpose,
    FastTranspose,
    Ndarray,
    StridedPerm,
    /// Loops in the order of the destination, whose strides are found at run time.
    StridedLoops,
    /// The same in the order of the source.
    SourceLoops,
    /// The library of this name, as the one that follows.
    OneDnn,
    PyTorch,
}

/// Those of some movers that are this crate, which come first.
pub(crate) fn own(movers: &[Mover]) -> &[Mover] {
    let count = movers.iter().take_while(|mover| mover.is_own()).count();
    &movers[..count]
}

impl Mover {
    /// Those that move a static pair.
    pub(crate) const OF_STATIC_PAIRS: &[Self] = &[
        Self::Static,
        Self::Planned,
        Self::NativeLoops,
        Self::BaselineLoops,
        Self::Transpose,
        Self::FastTranspose,
        Self::Ndarray,
        Self::StridedPerm,
        Self::StridedLoops,
        Self::SourceLoops,
    ];

    /// Those of the README's table.
    pub(crate) const OF_README: &[Self] = &[
        Self::Static,
        Self::Planned,
        Self::BaselineLoops,
        Self::Transpose,
        Self::FastTranspose,
        Self::Ndarray,
        Self::StridedPerm,
        Self::OneDnn,
        Self::PyTorch,
    ];

    /// Those that move what is known at run time alone.
    pub(crate) const AT_RUN_TIME: &[Self] = &[
        Self::Planned,
        Self::Transpose,
        Self::FastTranspose,
        Self::Ndarray,
        Self::StridedPerm,
        Self::StridedLoops,
        Self::SourceLoops,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Planned => "planned",
            Self::NativeLoops => "native_loops",
            Self::BaselineLoops => "baseline_loops",
            Self::Transpose => "transpose",
            Self::FastTranspose => "fast_transpose",
            Self::Ndarray => "ndarray",
            Self::StridedPerm => "strided-perm",
            Self::StridedLoops => "strided_loops",
            Self::SourceLoops => "source_loops",
            Self::OneDnn => "oneDNN",
            Self::PyTorch => "PyTorch",
        }
    }

    /// Whether this crate moves it.
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Self::Static | Self::Planned)
    }

    /// How it moves the case, if it can.
    pub(crate) fn candidate<'a, U: Unit>(
        self,
        case: &Case,
        nest: &Nest,
    ) -> Option<Candidate<'a, U>> {
        Some(match self {
            Self::Static => Box::new(pair::<U>(case).run),
            Self::Planned => {
                let plan = Plan::new(&case.source, &case.destination).expect("a plan");
                Box::new(move |source, destination| {
                    plan.run(source, destination).expect("buffers of these layouts")
                })
            }
            Self::NativeLoops => Box::new(pair::<U>(case).native_loops),
            Self::BaselineLoops => Box::new(pair::<U>(case).baseline_loops),
            Self::Transpose => transposes(nest, transpose::transpose)?,
            Self::FastTranspose => transposes(nest, U::fast_transpose)?,
            Self::Ndarray => ndarray(nest),
            Self::StridedPerm => strided_perm(nest),
            Self::StridedLoops => strided_loops(nest.digits.clone(), nest.start),
            Self::SourceLoops => strided_loops(nest.by_source(), nest.start),
            Self::OneDnn | Self::PyTorch => packages::candidate(self.name(), case, nest)?,
        })
    }
}
