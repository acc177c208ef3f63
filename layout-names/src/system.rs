//! The systems whose names are supported, one row each.

use core::fmt;

/// Runs a macro with the rows: a variant, its module, the function there that parses a name over given extents, the
/// system's name, and what its names can express.
///
/// Each property becomes a `match`, so that a program that prints a system's name has no parser of another system.
macro_rules! each_system {
    ($then:ident) => {
        $then! {
            /// oneDNN's format tags.
            OneDnn onednn parse = "oneDNN", "a blocking that has a tag, such as `aBcd16b`";
            /// TVM's layout names.
            Tvm tvm parse = "TVM", "whole axes with at most one block each, such as `NCHW16c`";
            /// TensorRT's `TensorFormat`.
            TensorRt tensorrt parse = "TensorRT",
                "kLINEAR, kCHW2, kHWC8, kCHW4, kCHW16, kCHW32, kDHWC8, kCDHW32, kHWC, kDLA_LINEAR, kDLA_HWC4, \
                 kHWC16 or kDHWC";
            /// The formats of Ascend's CANN.
            Ascend ascend parse = "Ascend",
                "ND, NC, NCL, NCHW, NHWC, HWCN, CHWN, NCDHW, NDHWC, DHWCN, NC1HWC0, NC1HWC0_C04, NDC1HWC0, \
                 FRACTAL_Z, FRACTAL_Z_3D, FRACTAL_NZ, FRACTAL_NZ_C0_16, FRACTAL_ZZ or FRACTAL_ZN";
            /// The formats of Rockchip's RKNN.
            Rknn rknn parse = "RKNN", "NCHW, NHWC or NC1HWC2";
            /// The formats of Arm's Ethos-U.
            EthosU ethosu parse = "Ethos-U", "NHWC or NHCWB16";
            /// XLA's dimension orders and tiles.
            Xla xla parse = "XLA", "whole axes with tiles of the fastest ones after them";
            /// CuTe's shapes and strides.
            Cute cute parse_over = "CuTe", "a buffer of its own, with extents that are multiples of the blocks";
            /// PyTorch's `memory_format`.
            PyTorch pytorch parse = "PyTorch", "contiguous_format, channels_last or channels_last_3d";
            /// MLIR's `linalg.pack`, formerly `tensor.pack`.
            Mlir mlir parse = "MLIR", "whole axes with at most one tile of each after them";
            /// The scale factors of cuBLASLt.
            CublasLt cublaslt parse = "cuBLASLt", "VEC32_UE8M0 or VEC16_UE4M3, tiles of 128 x 4";
            /// The scale factors of hipBLASLt.
            HipblasLt hipblaslt parse = "hipBLASLt", "BLK32_UE8M0_32_8, tiles of 32 x 8";
        }
    };
}

pub(crate) use each_system;

macro_rules! systems {
    ($($(#[$doc:meta])* $system:ident $module:ident $parse:ident = $name:literal, $limits:literal;)*) => {
        /// A system that names memory layouts.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[non_exhaustive]
        pub enum System {
            $($(#[$doc])* $system,)*
        }

        impl System {
            /// All systems.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$system),*];

            /// The name of the system.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$system => $name,)*
                }
            }

            /// A description of the layouts that the system's names can express.
            pub(crate) const fn limits(self) -> &'static str {
                match self {
                    $(Self::$system => $limits,)*
                }
            }
        }
    };
}

each_system!(systems);

/// Writes [`System::name`].
impl fmt::Display for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
