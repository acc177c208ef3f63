//! The table of records.

use layout_core::reading::same_text;

/// A record of another library: its name, its line, and where the library defines it.
///
/// ```
/// use tensor_layout::records;
///
/// let q4 = records::named("ggml::Q4_0")?;
/// assert_eq!(q4.text(), "MK<_, _>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)");
/// assert_eq!((q4.gguf_type(), records::of_gguf_type(2)), (Some(2), Some(q4)));
///
/// let weights = q4.template()?.with_extents(&[('M', 2), ('K', 64)])?;
/// assert_eq!(weights, records::Record::parse("MK<2, 64>, ggml::Q4_0")?);
/// assert_eq!(records::known(&weights), Some(q4));
/// # Ok::<(), records::RecordError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownRecord {
    name: &'static str,
    text: &'static str,
    gguf: Option<u32>,
    source: &'static str,
}

impl KnownRecord {
    /// The name with that of its system: `ggml::Q4_0`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The record as text, with `_` for its extents.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The number of the type in GGUF files, if it is one of them.
    pub const fn gguf_type(&self) -> Option<u32> {
        self.gguf
    }

    /// Where the library defines it.
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// The text of the fields: what follows the extents, or all.
    pub(crate) const fn fields(&self) -> &'static str {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && bytes[at] != b'{' {
            at += 1;
        }
        match core::str::from_utf8(bytes.split_at(at).1) {
            Ok(fields) => fields,
            // A brace begins a character.
            Err(_) => "",
        }
    }
}

/// The record of this name.
pub(crate) const fn find(name: &str) -> Option<&'static KnownRecord> {
    layout_core::each!(i, 0..KNOWN_RECORDS.len(), {
        if same_text(KNOWN_RECORDS[i].name, name) {
            return Some(&KNOWN_RECORDS[i]);
        }
    });
    None
}

/// The name that begins like this one for the longest, in either case: the one that was meant, or one of its system.
pub(crate) const fn nearest(name: &str) -> &'static str {
    let (name, mut best, mut longest) = (name.as_bytes(), 0, 0);
    layout_core::each!(i, 0..KNOWN_RECORDS.len(), {
        let own = KNOWN_RECORDS[i].name.as_bytes();
        let mut same = 0;
        while same < own.len() && same < name.len() && own[same].eq_ignore_ascii_case(&name[same]) {
            same += 1;
        }
        if same > longest {
            (best, longest) = (i, same);
        }
    });
    KNOWN_RECORDS[best].name
}

const GGML: &str = "ggml, src/ggml-common.h: the structs block_*";
const REPACK: &str = "ggml, src/ggml-cpu/repack.cpp";
const KLEIDIAI: &str = "KleidiAI, kai/ukernels/matmul/pack";
const XNNPACK: &str = "XNNPACK, src/reference/packing.cc";
const ONEDNN: &str = "oneDNN, compensation after reordered weights of s8s8 convolutions";
const COMPRESSED: &str = "compressed-tensors, pack_to_int32: rows of whole words";
const MX: &str = "OCP Microscaling Formats 1.0; scale factors of cuBLAS, block scaling";
const RAW: &str = "MIPI CSI-2, data formats RAW10, RAW12 and RAW14; GigE Vision, Mono12Packed";
const VIDEO: &str = "FFmpeg, libavutil/pixdesc.c; Linux, V4L2 pixel formats";

const fn row(name: &'static str, text: &'static str, source: &'static str) -> KnownRecord {
    KnownRecord { name, text, gguf: None, source }
}

const fn gguf(name: &'static str, number: u32, text: &'static str) -> KnownRecord {
    KnownRecord { name, text, gguf: Some(number), source: GGML }
}

/// The records of other libraries.
#[rustfmt::skip]
pub static KNOWN_RECORDS: &[KnownRecord] = &[
    gguf("ggml::Q4_0", 2, "MK<_, _>, { d: f16, q: 16k 2k/16 u4 } = d * (q - 8)"),
    gguf("ggml::Q4_1", 3, "MK<_, _>, { d: f16, m: f16, q: 16k 2k/16 u4 } = d * q + m"),
    gguf("ggml::Q5_0", 6, "MK<_, _>, { d: f16, h: 32k u1, q: 16k 2k/16 u4 } = d * ((q | h << 4) - 16)"),
    gguf("ggml::Q5_1", 7, "MK<_, _>, { d: f16, m: f16, h: 32k u1, q: 16k 2k/16 u4 } = d * (q | h << 4) + m"),
    gguf("ggml::Q8_0", 8, "MK<_, _>, { d: f16, q: 32k i8 } = d * q"),
    gguf("ggml::Q8_1", 9, "MK<_, _>, { d: f16, s: f16 = d * sum(q), q: 32k i8 } = d * q"),
    gguf("ggml::Q2_K", 10, "MK<_, _>, { 16k/16 { s: u4, m: u4 }, q: 2k/128 32k 4k/32 u2, d: f16, dm: f16 } = d * s * q - dm * m"),
    gguf("ggml::Q3_K", 11, "MK<_, _>, { h: 32k 8k/32 u1, q: 2k/128 32k 4k/32 u2, s: 8k/16 2k/128 u4, sh: 4k/16 4k/64 u2, d: f16 } = d * ((s | sh << 4) - 32) * ((q | h << 2) - 4)"),
    gguf("ggml::Q4_K", 12, "MK<_, _>, { d: f16, dm: f16, 4k/32 { s: 2k/128[0] u4, sh: 2k/128 u2 }, 4k/32 { m: 2k/128[0] u4, mh: 2k/128 u2 }, 4k/32 { s: 2k/128[1] u4, m: 2k/128[1] u4 }, q: 4k/64 32k 2k/32 u4 } = d * (s | sh << 4) * q - dm * (m | mh << 4)"),
    gguf("ggml::Q5_K", 13, "MK<_, _>, { d: f16, dm: f16, 4k/32 { s: 2k/128[0] u4, sh: 2k/128 u2 }, 4k/32 { m: 2k/128[0] u4, mh: 2k/128 u2 }, 4k/32 { s: 2k/128[1] u4, m: 2k/128[1] u4 }, h: 32k 8k/32 u1, q: 4k/64 32k 2k/32 u4 } = d * (s | sh << 4) * (q | h << 4) - dm * (m | mh << 4)"),
    gguf("ggml::Q6_K", 14, "MK<_, _>, { q: 2k/128 2k/32 32k 2k/64 u4, h: 2k/128 32k 4k/32 u2, s: 16k/16 i8, d: f16 } = d * s * ((q | h << 4) - 32)"),
    gguf("ggml::IQ4_NL", 20, "MK<_, _>, { d: f16, q: 16k 2k/16 u4 } = d * iq4nl[q]"),
    gguf("ggml::IQ4_XS", 23, "MK<_, _>, { d: f16, sh: 8k/32 u2, s: 8k/32 u4, q: 8k/32 16k 2k/16 u4 } = d * ((s | sh << 4) - 32) * iq4nl[q]"),
    gguf("ggml::TQ2_0", 35, "MK<_, _>, { q: 2k/128 32k 4k/32 u2, d: f16 } = d * (q - 1)"),
    gguf("ggml::MXFP4", 39, "MK<_, _>, { e: f8e8m0, q: 16k 2k/16 f4e2m1 } = e * q"),
    gguf("ggml::NVFP4", 40, "MK<_, _>, { d: 4k/16 f8e4m3, q: 4k/16 8k 2k/8 f4e2m1 } = d * q"),

    row("ggml::q4_0x4_4", "MK<_, _>, { d: 4m f16, q: 4k/4 4m 4k 2k/16 i4 } = d * q", REPACK),
    row("ggml::q4_0x4_8", "MK<_, _>, { d: 4m f16, q: 2k/8 4m 8k 2k/16 i4 } = d * q", REPACK),
    row("ggml::q4_0x8_8", "MK<_, _>, { d: 8m f16, q: 2k/8 8m 8k 2k/16 i4 } = d * q", REPACK),
    row("ggml::q4_0x16_1", "MK<_, _>, { d: 16m f16, q: 16k 16m 2k/16 i4 } = d * q", REPACK),
    row("ggml::q8_0x4_4", "MK<_, _>, { d: 4m f16, q: 8k 4m 4k i8 } = d * q", REPACK),
    row("ggml::q8_0x4_8", "MK<_, _>, { d: 4m f16, q: 4k 4m 8k i8 } = d * q", REPACK),
    row("ggml::q8_0x16_1", "MK<_, _>, { d: 16m f16, q: 32k 16m i8 } = d * q", REPACK),
    row("ggml::iq4_nlx4_4", "MK<_, _>, { d: 4m f16, q: 4k/4 4m 4k 2k/16 u4 } = d * iq4nl[q]", REPACK),
    row("ggml::iq4_nlx8_8", "MK<_, _>, { d: 8m f16, q: 2k/8 8m 8k 2k/16 u4 } = d * iq4nl[q]", REPACK),
    row("ggml::mxfp4x4_4", "MK<_, _>, { e: 4m f8e8m0, q: 4k/4 4m 4k 2k/16 f4e2m1 } = e * q", REPACK),
    row("ggml::q4_Kx8_4", "MK<_, _>, { d: 8m f16, dm: 8m f16, 8k/32 { 4m/1 { s: 2m/4[0] u4, sh: 2m/4 u2 }, 4m/1 { m: 2m/4[0] u4, mh: 2m/4 u2 }, 4m/1 { s: 2m/4[1] u4, m: 2m/4[1] u4 } }, q: 4k/64 8k/4 8m 4k 2k/32 u4 } = d * (s | sh << 4) * q - dm * (m | mh << 4)", REPACK),
    row("ggml::q4_Kx8_8", "MK<_, _>, { d: 8m f16, dm: 8m f16, 8k/32 { 4m/1 { s: 2m/4[0] u4, sh: 2m/4 u2 }, 4m/1 { m: 2m/4[0] u4, mh: 2m/4 u2 }, 4m/1 { s: 2m/4[1] u4, m: 2m/4[1] u4 } }, q: 4k/64 4k/8 8m 8k 2k/32 u4 } = d * (s | sh << 4) * q - dm * (m | mh << 4)", REPACK),

    row("kleidiai::qsi4c32p", "NK<N = _, K = _>, { d: 4n f16, q: 2k/8 4n 8k 2k/16 i4 } pad(N = last) = d * q", KLEIDIAI),
    row("kleidiai::qsi4cxp", "N<N = _, K = _>, { q: K 2k/8 4n 8k 2k/16 i4, sum: 4n i32 = 16 * sum(q), scale: 4n f32 = s / 16, bias: 4n f32 } pad(N = last, K = 0) = 16 * scale * q", KLEIDIAI),
    row("kleidiai::qsi8cxp", "N<N = _, K = _>, { q: K 4k 4n 8k i8, sum: 4n i32 = izp * sum(q), scale: 4n f32, bias: 4n f32 } pad(N = last, K = 0) = scale * q", KLEIDIAI),
    row("kleidiai::qai8dxp", "M<M = _, K = _>, { q: K 4k 4m 8k i8, nzp: 4m i32, scale: 4m f32 } pad(M = keep, K = last) = scale * (q + nzp)", KLEIDIAI),

    row("xnnpack::qs8_gemm_8x4", "GN<G = _, N = _, K = _>, { bias: 8n i32 = b - izp * sum(w - kzp), w: K 8n 4k i8 } pad(N = keep, K = 0)", XNNPACK),
    row("xnnpack::qs8_gemm_8x4_16", "GN<G = _, N = _, K = _>, { bias: 8n i32 = b - izp * sum(w - kzp), w: K 8n 4k i8, _: 16 u8 } pad(N = keep, K = 0)", XNNPACK),
    row("xnnpack::qs8_gemm_8x2s4", "GN<G = _, N = _, K = _>, { bias: 8n i32 = b - izp * sum(w - kzp), w: K 4k-8n 8n 2k i8 } pad(N = keep, K = 0)", XNNPACK),

    row("onednn::s8s8_4b32a4b", "<A = _, B = _, C = _, D = _>, { w: A C D B 4b/4 32a 4b i8, c: A 32a i32 = -128 * sum(w), z: A 32a i32 = -sum(w), _: A 32a i32 } pad", ONEDNN),

    row("gptq::q4", "<K = _, N = _>, { q: K N 8k u4; z: K/128 N 8n u4; s: K/128 N f16 } = s * (q - (z + 1))", "AutoGPTQ, qlinear: qweight, qzeros and scales of version 1, groups of 128"),
    row("gptq::q3", "<K = _, N = _>, { q: K N 32k u3 words(N = 4); z: K/128 N 32n u3; s: K/128 N f16 } = s * (q - (z + 1))", "AutoGPTQ, qlinear of 3 bits: 32 codes in three words"),
    row("awq::gemm", "<K = _, N = _>, { q: K N 2n 4n/2 u4; z: K/128 N 2n 4n/2 u4; s: K/128 N f16 } = s * (q - z)", "AutoAWQ, modules/linear/gemm.py, groups of 128"),
    row("marlin::q4", "<K = _, N = _>, { q: K N 8n 4k/2 4n/16 2k 2n/8 2k/8 u4; s: K/128 N 8n 8n/8 f16 } = s * (q - 8)", "Marlin, __init__.py: weights and scales of groups of 128"),
    row("compressed_tensors::pack3", "N<N = _, K = _>, { q: K u3 } align(4) = s * (q - 4)", COMPRESSED),
    row("compressed_tensors::pack4", "N<N = _, K = _>, { q: K u4 } align(4) = s * (q - 8)", COMPRESSED),
    row("compressed_tensors::pack5", "N<N = _, K = _>, { q: K u5 } align(4) = s * (q - 16)", COMPRESSED),
    row("compressed_tensors::pack8", "N<N = _, K = _>, { q: K u8 } align(4) = s * (q - 128)", COMPRESSED),

    row("mx::fp8_e4m3", "<M = _, K = _>, { q: M K f8e4m3; s: M K/32 f8e8m0 } = s * q", MX),
    row("mx::int8", "<M = _, K = _>, { q: M K i8; s: M K/32 f8e8m0 } = s / 64 * q", MX),
    row("mx::fp4", "<M = _, K = _>, { q: M K f4e2m1; s: M K/32 f8e8m0 } = s * q", MX),
    row("mx::nvfp4_cublas", "<M = _, K = _>, { q: M K f4e2m1; s: M K 32m 4m/32 4k/16 f8e4m3; g: f32 } pad = g * s * q", MX),
    row("mx::fp8_cublas", "<M = _, K = _>, { q: M K f8e4m3; s: M K 32m 4m/32 4k/32 f8e8m0 } pad = s * q", MX),

    row("video::i420", "<H = _, W = _>, { y: H W u8, u: H/2 W/2 u8, v: H/2 W/2 u8 }", VIDEO),
    row("video::nv12", "<H = _, W = _>, { y: H W u8, uv: H/2 W/2 2c u8 }", VIDEO),
    row("video::p010", "<H = _, W = _>, { H W { _: u6, y: u10 }, H/2 W/2 2c { _: u6, uv: u10 } }", VIDEO),
    row("video::yuyv422", "HW<_, _>, { y: 2w[0] u8, u: u8, y: 2w[1] u8, v: u8 } pad", VIDEO),
    row("video::uyvy422", "HW<_, _>, { u: u8, y: 2w[0] u8, v: u8, y: 2w[1] u8 } pad", VIDEO),
    row("video::rgb565le", "HW<_, _>, { b: u5, g: u6, r: u5 }", VIDEO),
    row("video::rgb565be", "HW<_, _>, { r: u5, g: u6, b: u5 } high_first", VIDEO),
    row("video::x2bgr10le", "HW<_, _>, { r: u10, g: u10, b: u10, _: u2 }", VIDEO),
    row("video::bayer_rggb8", "H/2<H = _, W = _>, { W/2 { r: u8, gr: u8 }, W/2 { gb: u8, b: u8 } }", VIDEO),

    row("raw::raw10", "HW<_, _>, { hi: 4w u8, lo: 4w u2 } pad = hi << 2 | lo", RAW),
    row("raw::raw12", "HW<_, _>, { hi: 2w u8, lo: 2w u4 } pad = hi << 4 | lo", RAW),
    row("raw::raw14", "HW<_, _>, { hi: 4w u8, lo: 4w u6 } pad = hi << 6 | lo", RAW),
    row("raw::mono12_packed", "HW<_, _>, { hi: 2w[0] u8, lo: 2w u4, hi: 2w[1] u8 } pad = hi << 4 | lo", RAW),
    row("raw::tiff12", "HW<_, _>, u12 high_first align(H = 1)", "TIFF 6.0: 12 bits a sample, rows of whole bytes"),
];
