//! The systems whose names are supported.

use core::fmt;

/// A system that names memory layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum System {
    /// oneDNN's format tags.
    OneDnn,
    /// TVM's layout names.
    Tvm,
    /// TensorRT's `TensorFormat`.
    TensorRt,
    /// The formats of Ascend's CANN.
    Ascend,
    /// The formats of Rockchip's RKNN.
    Rknn,
    /// The formats of Arm's Ethos-U.
    EthosU,
    /// XLA's dimension orders and tiles.
    Xla,
    /// CuTe's shapes and strides.
    Cute,
    /// PyTorch's `memory_format`.
    PyTorch,
    /// MLIR's `linalg.pack`, formerly `tensor.pack`.
    Mlir,
    /// The scale factors of cuBLASLt.
    CublasLt,
    /// The scale factors of hipBLASLt.
    HipblasLt,
}

impl System {
    /// All systems.
    pub const ALL: [Self; 12] = [
        Self::OneDnn,
        Self::Tvm,
        Self::TensorRt,
        Self::Ascend,
        Self::Rknn,
        Self::EthosU,
        Self::Xla,
        Self::Cute,
        Self::PyTorch,
        Self::Mlir,
        Self::CublasLt,
        Self::HipblasLt,
    ];

    /// The name of the system.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneDnn => "oneDNN",
            Self::Tvm => "TVM",
            Self::TensorRt => "TensorRT",
            Self::Ascend => "Ascend",
            Self::Rknn => "RKNN",
            Self::EthosU => "Ethos-U",
            Self::Xla => "XLA",
            Self::Cute => "CuTe",
            Self::PyTorch => "PyTorch",
            Self::Mlir => "MLIR",
            Self::CublasLt => "cuBLASLt",
            Self::HipblasLt => "hipBLASLt",
        }
    }

    /// A description of the layouts that the system's names can express.
    pub(crate) const fn limits(self) -> &'static str {
        match self {
            Self::OneDnn => "a blocking that has a tag, such as `aBcd16b`",
            Self::Tvm => "whole axes with at most one block each, such as `NCHW16c`",
            Self::TensorRt => {
                "kLINEAR, kCHW2, kHWC8, kCHW4, kCHW16, kCHW32, kDHWC8, kCDHW32, kHWC, \
                 kDLA_LINEAR, kDLA_HWC4, kHWC16 or kDHWC"
            }
            Self::Ascend => {
                "ND, NC, NCL, NCHW, NHWC, HWCN, CHWN, NCDHW, NDHWC, DHWCN, NC1HWC0, NC1HWC0_C04, NDC1HWC0, \
                 FRACTAL_Z, FRACTAL_Z_3D, FRACTAL_NZ, FRACTAL_NZ_C0_16, FRACTAL_ZZ or FRACTAL_ZN"
            }
            Self::Rknn => "NCHW, NHWC or NC1HWC2",
            Self::EthosU => "NHWC or NHCWB16",
            Self::Xla => "whole axes with tiles of the fastest ones after them",
            Self::Cute => "a buffer of its own, with extents that are multiples of the blocks",
            Self::PyTorch => "contiguous_format, channels_last or channels_last_3d",
            Self::Mlir => "whole axes with at most one tile of each after them",
            Self::CublasLt => "VEC32_UE8M0 or VEC16_UE4M3, tiles of 128 x 4",
            Self::HipblasLt => "BLK32_UE8M0_32_8, tiles of 32 x 8",
        }
    }
}

/// Writes [`System::name`].
impl fmt::Display for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
