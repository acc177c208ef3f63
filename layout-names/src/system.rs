//! The systems whose names are supported, one row each.

use core::fmt;

use crate::error::{LayoutName, NameError};
use crate::{
    ascend, cublaslt, cute, ethosu, hipblaslt, mlir, onednn, pytorch, rknn, tensorrt, tvm, xla,
};
use layout_core::Layout;
use layout_core::spec::ElementType;

/// Makes the enum of the rows: a variant, the system's name, two functions, and what its names can express.
///
/// Each property is a `match`, so that a program that prints a system's name has no parser of another system.
macro_rules! systems {
    ($($(#[$doc:meta])* $system:ident = $name:literal, $parse:path, $print:path, $limits:literal;)*) => {
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

            /// Returns the layout that the system calls `name`. Extents are in the coordinate order of the system's module.
            /// CuTe's names contain the extents, which must be the same.
            ///
            /// # Errors
            /// The errors of the system's module.
            ///
            /// ```
            /// use tensor_layout::ElementType;
            /// use tensor_layout::names::System;
            ///
            /// let act = System::Ascend.parse("NC1HWC0", &[1, 32, 7, 7], ElementType::F16)?;
            /// assert_eq!(System::OneDnn.print(&act)?.as_str(), "aBcd16b");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn parse(
                self,
                name: &str,
                extents: &[usize],
                element: ElementType,
            ) -> Result<Layout, NameError> {
                match self {
                    $(Self::$system => $parse(name, extents, element),)*
                }
            }

            /// Returns the name of the layout in the system.
            ///
            /// # Errors
            /// - The system cannot express the layout.
            /// - The system does not store these elements in this format.
            pub fn print(self, layout: &Layout) -> Result<LayoutName, NameError> {
                match self {
                    $(Self::$system => $print(layout),)*
                }
            }
        }
    };
}

systems! {
    /// oneDNN's format tags.
    OneDnn = "oneDNN", onednn::parse, onednn::print,
        "a blocking that has a tag, such as `aBcd16b`";
    /// TVM's layout names.
    Tvm = "TVM", tvm::parse, tvm::print,
        "whole axes with at most one block each, such as `NCHW16c`";
    /// TensorRT's `TensorFormat`.
    TensorRt = "TensorRT", tensorrt::parse, tensorrt::print,
        "kLINEAR, kCHW2, kHWC8, kCHW4, kCHW16, kCHW32, kDHWC8, kCDHW32, kHWC, kDLA_LINEAR, \
         kDLA_HWC4, kHWC16 or kDHWC";
    /// The formats of Ascend's CANN.
    Ascend = "Ascend", ascend::parse, ascend::print,
        "ND, NC, NCL, NCHW, NHWC, HWCN, CHWN, NCDHW, NDHWC, DHWCN, NC1HWC0, NC1HWC0_C04, \
         NDC1HWC0, FRACTAL_Z, FRACTAL_Z_3D, FRACTAL_NZ, FRACTAL_NZ_C0_16, FRACTAL_ZZ or \
         FRACTAL_ZN";
    /// The formats of Rockchip's RKNN.
    Rknn = "RKNN", rknn::parse, rknn::print,
        "NCHW, NHWC or NC1HWC2";
    /// The formats of Arm's Ethos-U.
    EthosU = "Ethos-U", ethosu::parse, ethosu::print,
        "NHWC or NHCWB16";
    /// XLA's dimension orders and tiles.
    Xla = "XLA", xla::parse, xla::print,
        "whole axes with tiles of the fastest ones after them";
    /// CuTe's shapes and strides.
    Cute = "CuTe", cute::parse_over, cute::print,
        "a buffer of its own, with extents that are multiples of the blocks";
    /// PyTorch's `memory_format`.
    PyTorch = "PyTorch", pytorch::parse, pytorch::print,
        "contiguous_format, channels_last or channels_last_3d";
    /// MLIR's `linalg.pack`, formerly `tensor.pack`.
    Mlir = "MLIR", mlir::parse, mlir::print,
        "whole axes with at most one tile of each after them";
    /// The scale factors of cuBLASLt.
    CublasLt = "cuBLASLt", cublaslt::parse, cublaslt::print,
        "VEC32_UE8M0 or VEC16_UE4M3, tiles of 128 x 4";
    /// The scale factors of hipBLASLt.
    HipblasLt = "hipBLASLt", hipblaslt::parse, hipblaslt::print,
        "BLK32_UE8M0_32_8, tiles of 32 x 8";
}

/// Writes [`System::name`].
impl fmt::Display for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
