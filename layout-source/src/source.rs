//! A named layout, from which source text is made.

use core::fmt;

use layout_core::Layout;
use layout_core::spec::Spec;
use layout_types::LayoutType;

use crate::error::{NoSource, SourceError};
use crate::functions::{Code, Functions, Header, Strides};
use crate::language::{Language, Target, is_name};
use crate::limits::{check, check_strides};
use crate::symbolic::Symbolic;

/// A layout with a name, with which all identifiers in its source text begin.
///
/// ```
/// use tensor_layout::source::{Language, Source};
/// use tensor_layout::layout;
///
/// type Act = layout!(NCHW4<2, 64, 56, 56>, i8);
///
/// let text = Source::new("act", Act::LAYOUT).functions(Language::C)?.to_string();
/// assert!(text.contains("#define ACT_LEN 401408u"));
/// assert!(text.contains("uint32_t act_offset(uint32_t n, uint32_t c, uint32_t h, uint32_t w)"));
/// assert!(text.contains("+ (c & 3u)"));
/// # Ok::<(), tensor_layout::source::SourceError>(())
/// ```
///
/// Extents written `_` are parameters of the functions:
///
/// ```
/// use tensor_layout::source::{Language, Source};
/// use tensor_layout::layout;
///
/// type Images = layout!(NHWC<N = _, C = 3, H = _, W = _>, u8);
///
/// let text = Source::of::<Images>("images").functions(Language::Wgsl)?.to_string();
/// assert!(text.contains("fn images_len(extent_n: u32, extent_h: u32, extent_w: u32) -> u32"));
/// # Ok::<(), tensor_layout::source::SourceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub(crate) name: &'a str,
    layout: Result<Symbolic, SourceError>,
    heading: Option<Layout>,
    wide: bool,
}

/// Writes the name, and the layout if it is known.
impl fmt::Debug for Source<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, heading, wide, .. } = self;
        let mut fields = formatter.debug_struct("Source");
        fields.field("name", name).field("layout", heading).field("wide", wide).finish()
    }
}

impl<'a> Source<'a> {
    /// Makes the source of a [`Layout`], which may be a view.
    ///
    /// The name must be an identifier of lower-case letters, digits and single underscores. Functions are named
    /// `NAME_offset` and constants `NAME_LEN`, in upper case, so one file can hold several sources.
    pub fn new(name: &'a str, layout: Layout) -> Self {
        Self { name, layout: Ok(Symbolic::closed(&layout)), heading: Some(layout), wide: false }
    }

    /// Makes the source of a layout type. Extents written `_` become parameters.
    pub fn of<L: LayoutType>(name: &'a str) -> Self {
        match (L::STATIC, L::SPEC) {
            (Some(layout), _) => Self::new(name, layout),
            (None, Some(spec)) => Self::of_spec(name, &spec),
            (None, None) => {
                let layout = Err(SourceError(NoSource::NoStaticType));
                Self { name, layout, heading: None, wide: false }
            }
        }
    }

    /// Makes the source of a field of a record, whose coordinates are those of the record: those that share an element
    /// have the same offset.
    ///
    /// Offsets count elements of the buffer that the field is in. If elements begin at bytes that are not multiples of
    /// their size, or inside of bytes, offsets count bytes or bits, and the last coordinate is that of a byte or bit of
    /// the element, from the lowest on.
    ///
    /// ```
    /// use tensor_layout::records::Record;
    /// use tensor_layout::source::{Language, Source};
    ///
    /// // The scale of 32 columns is the `f16` before their codes.
    /// let weights = Record::parse("MK<4096, 4096>, ggml::Q4_0")?;
    /// let scales = Source::of_field("scales", &weights, "d")?.functions(Language::Cuda)?.to_string();
    /// assert!(scales.contains("unsigned int scales_offset(unsigned int m, unsigned int k)"));
    /// assert!(scales.contains("return (m * 1152u)\n        + ((k >> 5u) * 9u);"));
    /// let codes = Source::of_field("codes", &weights, "q")?.functions(Language::Cuda)?.to_string();
    /// assert!(codes.contains("codes_load(const unsigned char *buffer, unsigned int offset)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - There is no such field.
    /// - Pieces of the field lie at unequal distances.
    /// - The field has more than 16 digits of more than one step, or its bytes or bits are a 13th axis.
    #[cfg(feature = "records")]
    #[allow(clippy::result_large_err, reason = "the error of all questions about records")]
    pub fn of_field(
        name: &'a str,
        record: &layout_records::Record,
        field: &str,
    ) -> Result<Self, layout_records::RecordError> {
        let layout = Ok(Symbolic::of_field(record, &record.field(field)?)?);
        Ok(Self { name, layout, heading: None, wide: false })
    }

    /// [`of`](Self::of) for a type with this content.
    #[doc(hidden)]
    pub fn of_spec(name: &'a str, spec: &Spec<'_>) -> Self {
        Self { name, layout: Symbolic::open(spec), heading: None, wide: false }
    }

    /// Selects indices of 64 bits instead of 32.
    #[must_use]
    pub fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    /// Returns the functions of the layout:
    ///
    /// | function | what it returns |
    /// |---|---|
    /// | `NAME_offset(n, c, ..)` | the offset of a coordinate, in elements |
    /// | `NAME_contains(n, c, ..)` | whether the coordinate is inside the extents |
    /// | `NAME_coordinate(offset, n, c, ..)` | whether an element has this offset; it writes the coordinate |
    /// | `NAME_load`, `NAME_store` | an element of less than a byte in a buffer of bytes; in WGSL and GLSL, in a word of 32 bits |
    /// | `NAME_len(extent_n, ..)` | the length of a buffer, if extents are parameters; for a swizzled layout, a multiple of the swizzle's period |
    /// | `NAME_fits(extent_n, ..)` | whether these extents are valid and no number overflows |
    ///
    /// If extents are parameters, they come first in every function. If not, there are constants: `NAME_EXTENT_N`,
    /// `NAME_LEN` in elements, `NAME_BYTES`, and `NAME_ALIGN` in bytes. For an axis distributed over lanes there are
    /// also `NAME_LANES`, `NAME_LANE_LEN` and `NAME_LANE_BYTES`.
    ///
    /// # Errors
    /// - The name is not an identifier.
    /// - The indices of the layout do not fit the integers of the language.
    pub fn functions(&self, language: Language) -> Result<Functions<'a>, SourceError> {
        let (code, layout) = self.code(language)?;
        Ok(Functions { code, layout })
    }

    /// Returns a struct of extents and strides, for kernels that accept layouts known only at run time. The text is
    /// `struct NAME_strides`, the functions `NAME_strided_offset` and `NAME_strided_contains`, which take it as their
    /// first parameter, and the constant `NAME_STRIDES`, the struct of this layout.
    ///
    /// The struct fits all layouts with the same axes and blocks. Make it from a layout whose blocked axes are longer
    /// than a block. Strides are signed and count elements. An axis with blocks has a stride for each digit, named
    /// after its weight: `stride_c_4` and `stride_c_1` for `NCHW4c`. [`Strides::words_of`] returns the struct of
    /// another layout, for the host.
    ///
    /// ```
    /// use tensor_layout::source::{Language, Source};
    /// use tensor_layout::layout;
    ///
    /// type Rows = layout!(NHWC<N = 1, C = 3, H = 4, W = 5>, f32);
    /// let text = Source::new("rows", Rows::LAYOUT).strides(Language::Cuda)?.to_string();
    /// assert!(text.contains("#define ROWS_STRIDES {1u, 3u, 4u, 5u, 0u, 0, 15, 3, 1}"));
    /// # Ok::<(), tensor_layout::source::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// - [`functions`](Self::functions) returns an error.
    /// - A stride does not fit.
    /// - An extent is known only at run time.
    pub fn strides(&self, language: Language) -> Result<Strides<'a>, SourceError> {
        let (code, layout) = self.fixed_code(language)?;
        check_strides(&layout, code.target)?;
        Ok(Strides { code, layout })
    }

    /// Returns a C header for firmware: constants, an alignment attribute `NAME_ALIGNED`, and declarations of tables.
    ///
    /// ```
    /// use tensor_layout::source::Source;
    /// use tensor_layout::layout;
    ///
    /// type Weights = layout!(OIHW4i4o<16, 8, 3, 3>, i8);
    /// let conv = Source::new("conv", Weights::LAYOUT).header()?;
    /// let text = conv.with_tables(&["conv1", "conv2"])?.to_string();
    /// assert!(text.contains("CONV_ALIGNED extern const int8_t conv1[CONV_LEN];"));
    /// # Ok::<(), tensor_layout::source::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// - [`functions`](Self::functions) returns an error.
    /// - An extent is known only at run time.
    pub fn header(&self) -> Result<Header<'a>, SourceError> {
        let (code, layout) = self.fixed_code(Language::C)?;
        Ok(Header { code, layout, tables: &[] })
    }

    fn fixed_code(&self, language: Language) -> Result<(Code<'a>, Symbolic), SourceError> {
        let (code, layout) = self.code(language)?;
        match layout.is_fixed() {
            true => Ok((code, layout)),
            false => Err(SourceError(NoSource::OpenExtents)),
        }
    }

    fn code(&self, language: Language) -> Result<(Code<'a>, Symbolic), SourceError> {
        let layout = self.layout?;
        if !is_name(self.name) {
            return Err(SourceError(NoSource::Name));
        }
        if self.wide && !language.has_wide_integers() {
            return Err(SourceError(NoSource::NoWideIntegers { language }));
        }
        let target = Target { language, wide: self.wide };
        check(&layout, target)?;
        Ok((Code { name: self.name, heading: self.heading, target }, layout))
    }
}
