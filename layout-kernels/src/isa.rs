//! Instruction sets: their properties, and detection of those that the CPU has.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The result of CPU detection: the index of a set among all, once there is one.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
static BEST: AtomicU8 = AtomicU8::new(u8::MAX);

/// The bytes of the shortest vector, and of a lane of a longer one.
pub(crate) const LANE: usize = 16;

/// An instruction set as a type.
pub(crate) trait OfIsa {
    const ISA: Isa;
}

/// The instruction sets, as values and as types, and their names.
macro_rules! sets {
    ($($(#[$about:meta])* $name:ident $text:literal;)*) => {
        /// A set of vector instructions that kernels are compiled for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Isa {
            $($(#[$about])* $name,)*
        }

        impl Isa {
            /// Every instruction set.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$name),*];
        }

        impl core::fmt::Display for Isa {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $text,)*
                })
            }
        }

        $(
            $(#[$about])*
            #[allow(dead_code, reason = "no target asks for all")]
            pub(crate) struct $name;

            impl OfIsa for $name {
                const ISA: Isa = Isa::$name;
            }
        )*
    };
}

sets! {
    /// No vectors.
    Portable "no vectors";
    /// x86-64: SSE2.
    Sse2 "SSE2";
    /// x86-64: AVX2 and F16C.
    Avx2 "AVX2";
    /// x86-64: AVX-512 F, BW, DQ and VL.
    Avx512 "AVX-512";
    /// x86-64: AVX-512 F, BW, DQ, VL and VBMI.
    Avx512Vbmi "AVX-512 VBMI";
    /// Little-endian aarch64: NEON.
    Neon "NEON";
    /// WebAssembly: simd128.
    Simd128 "simd128";
}

/// The type of [`Isa::compiled`].
#[cfg(not(vectors))]
pub(crate) type Compiled = Portable;
#[cfg(all(target_arch = "x86_64", vectors, target_feature = "avx2", target_feature = "f16c"))]
pub(crate) type Compiled = Avx2;
#[cfg(all(
    target_arch = "x86_64",
    vectors,
    not(all(target_feature = "avx2", target_feature = "f16c"))
))]
pub(crate) type Compiled = Sse2;
#[cfg(all(target_arch = "aarch64", vectors))]
pub(crate) type Compiled = Neon;
#[cfg(all(target_arch = "wasm32", vectors))]
pub(crate) type Compiled = Simd128;

impl Isa {
    /// Returns the best instruction set that the program is compiled for, up to AVX2.
    pub const fn compiled() -> Self {
        Compiled::ISA
    }

    /// Whether the CPU has the instruction set and this library has kernels for it.
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Neon | Self::Simd128 => self == Self::compiled(),
            _ => cfg!(all(target_arch = "x86_64", target_feature = "sse2")) && self <= Self::best(),
        }
    }

    /// Returns the best instruction set that the CPU has.
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[inline]
    pub fn best() -> Self {
        // The result is cached here, since calling the detection costs as much as a small move.
        match Self::ALL.get(BEST.load(Ordering::Relaxed) as usize) {
            Some(best) => *best,
            None => Self::first_detected(),
        }
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    #[cold]
    fn first_detected() -> Self {
        let best = Self::detected();
        BEST.store(best as u8, Ordering::Relaxed);
        best
    }

    /// Returns the best instruction set that the CPU has.
    #[cfg(not(all(target_arch = "x86_64", feature = "std")))]
    pub fn best() -> Self {
        Self::compiled()
    }

    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    fn detected() -> Self {
        use std::arch::is_x86_feature_detected as has;
        if !(has!("avx2") && has!("f16c")) {
            return Self::Sse2;
        }
        // The model needs AVX2 for halves of its vectors.
        if cfg!(avx512_model) {
            return Self::Avx512Vbmi;
        }
        let is_512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        match (is_512, has!("avx512vbmi")) {
            (true, true) => Self::Avx512Vbmi,
            (true, false) => Self::Avx512,
            _ => Self::Avx2,
        }
    }

    /// Returns the bytes of each row that a tile loads.
    pub(crate) const fn lane(self) -> usize {
        if self.has_vectors() { LANE } else { 4 }
    }

    /// Whether tiles are made of vectors.
    pub(crate) const fn has_vectors(self) -> bool {
        !matches!(self, Self::Portable)
    }

    /// Whether a tile loads more than rows of `bytes` bytes. Without vectors, only what there is is loaded.
    pub(crate) const fn loads_beyond(self, bytes: usize) -> bool {
        self.has_vectors() && bytes < LANE
    }

    /// Returns the bytes of the longest vector, or word, in tiles.
    pub(crate) const fn vector(self) -> usize {
        match self {
            Self::Portable => 4,
            Self::Sse2 | Self::Neon | Self::Simd128 => 16,
            Self::Avx2 => 32,
            Self::Avx512 | Self::Avx512Vbmi => 64,
        }
    }

    /// Returns the bytes of a column of the highest tiles with plain stores. AVX2 stores units of 4 and 8 bytes as two
    /// vectors that fill a line; for units of 1 and 2 bytes it has too few registers.
    pub(crate) const fn column_bytes(self, unit: usize) -> usize {
        match self {
            Self::Avx2 if unit >= 4 => 64,
            _ => self.vector(),
        }
    }

    /// Whether the instruction set has AVX2 and F16C.
    pub(crate) const fn has_avx2(self) -> bool {
        matches!(self, Self::Avx2 | Self::Avx512 | Self::Avx512Vbmi)
    }

    /// Whether the instruction set has non-temporal stores.
    pub(crate) const fn has_streams(self) -> bool {
        matches!(self, Self::Sse2 | Self::Avx2 | Self::Avx512 | Self::Avx512Vbmi)
    }

    /// Returns the bytes of a vector of a byte permute, or 0 if there is no byte permute. Without vectors, one
    /// fills padding and nothing else.
    pub(crate) const fn permute(self) -> usize {
        match self {
            Self::Sse2 => 0,
            Self::Portable => 4,
            Self::Avx2 | Self::Avx512 | Self::Neon | Self::Simd128 => 16,
            Self::Avx512Vbmi => 64,
        }
    }

    /// Whether byte permutes have a second lane, which a vector of them does not use.
    pub(crate) const fn has_second_lane(self) -> bool {
        matches!(self, Self::Avx2 | Self::Avx512)
    }

    /// Whether byte permutes can store some bytes of a vector and leave those between them as they are.
    pub(crate) const fn stores_some(self) -> bool {
        matches!(self, Self::Avx512Vbmi)
    }
}
