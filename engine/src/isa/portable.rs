//! Micro-kernels without vector instructions.

use super::{CopyKernel, Kernels};
use crate::micro::copy::{self, Runs};

macro_rules! portable {
    ($kernel:expr) => {{
        unsafe fn kernel(runs: &Runs, from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise, which is that of the micro-kernel.
            unsafe { ($kernel)(runs, from, to) }
        }
        kernel as CopyKernel
    }};
}

/// The micro-kernels of [`Isa::Portable`](super::Isa::Portable).
pub(super) static KERNELS: Kernels = Kernels {
    copies: [
        portable!(copy::any),
        portable!(copy::ones::<u8>),
        portable!(copy::ones::<u16>),
        portable!(copy::ones::<u32>),
        portable!(copy::ones::<u64>),
        portable!(copy::ones::<u128>),
        portable!(copy::twos::<u16>),
        portable!(copy::twos::<u32>),
        portable!(copy::twos::<u64>),
        portable!(copy::twos::<u128>),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
        portable!(copy::any),
    ],
    tiles: &[],
    streams: None,
    finish: || {},
    permutes: None,
};
