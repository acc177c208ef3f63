//! C headers for firmware: constants, and declarations of packed tables.

use core::fmt::{self, Display};

use layout_core::ElementType;
use layout_core::spec::Kind;

use super::Code;
use crate::error::{NoSource, SourceError};
use crate::language::{is_name, show};
use crate::symbolic::Symbolic;

/// A C header as text, made by [`Source::header`](crate::Source::header).
#[derive(Clone, Copy)]
pub struct Header<'a> {
    pub(crate) code: Code<'a>,
    pub(crate) layout: Symbolic,
    pub(crate) tables: &'a [&'a str],
}

/// Words of C23 and C++23 that are identifiers otherwise, and types of the header that is included.
const WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if \
    inline int int16_t int32_t int64_t int8_t long main mutable namespace new noexcept not not_eq nullptr operator or \
    or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static \
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof \
    typeof_unqual uint16_t uint32_t uint64_t uint8_t union unsigned using virtual void volatile wchar_t while xor \
    xor_eq";

impl<'a> Header<'a> {
    /// Adds declarations of constant tables with this layout.
    ///
    /// # Errors
    /// The name of a table is not an identifier, or is a keyword of C or C++.
    pub fn with_tables(self, tables: &'a [&'a str]) -> Result<Self, SourceError> {
        let is_taken = |table: &&str| WORDS.split_ascii_whitespace().any(|word| word == *table);
        if !tables.iter().all(|table| is_name(table)) {
            return Err(SourceError(NoSource::Name));
        }
        if tables.iter().any(is_taken) {
            return Err(SourceError(NoSource::Word));
        }
        Ok(Self { tables, ..self })
    }
}

/// Prints the source text.
impl Display for Header<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, layout, tables } = self;
        let guard = code.upper("H");
        writeln!(f, "#ifndef {guard}\n#define {guard}\n")?;
        code.begin(f)?;
        code.constants(f, layout)?;
        code.alignment(f, layout.align)?;
        let (kind, note) = (c_type(layout.element), contents(layout.element));
        let count = code.upper(if kind.starts_with("unsigned") || layout.element.bits() < 8 {
            "BYTES"
        } else {
            "LEN"
        });
        if !tables.is_empty() {
            writeln!(f, "\n{}// Elements: {note}.", c_plus_plus("extern \"C\" {"))?;
        }
        for table in *tables {
            writeln!(f, "{} extern const {kind} {table}[{count}];", code.upper("ALIGNED"))?;
        }
        if !tables.is_empty() {
            write!(f, "{}", c_plus_plus("}"))?;
        }
        writeln!(f, "\n#endif")
    }
}

layout_core::debug_as_display!(Header<'_>);

/// Returns a line for C++ alone.
fn c_plus_plus(line: &str) -> impl Display {
    show(move |f| write!(f, "#ifdef __cplusplus\n{line}\n#endif\n"))
}

impl Code<'_> {
    /// Writes the alignment before a declaration whose address must be a multiple of `align`.
    fn alignment(&self, f: &mut fmt::Formatter<'_>, align: usize) -> fmt::Result {
        let name = self.upper("ALIGNED");
        self.comment(f, &"Aligns a buffer if it is written before the declaration.")?;
        writeln!(f, "#if defined(__cplusplus)\n#define {name} alignas({align})")?;
        writeln!(f, "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L")?;
        writeln!(f, "#define {name} _Alignas({align})")?;
        writeln!(f, "#elif defined(__GNUC__) || defined(__clang__)")?;
        writeln!(f, "#define {name} __attribute__((aligned({align})))")?;
        writeln!(f, "#elif defined(_MSC_VER)\n#define {name} __declspec(align({align}))")?;
        writeln!(f, "#else\n#error \"this compiler has no known way to align a buffer\"\n#endif")
    }
}

/// Returns the C type of an element.
fn c_type(element: ElementType) -> &'static str {
    let is_signed = element.integer_range().is_some_and(|(low, _)| low < 0);
    match (element, element.bits(), is_signed) {
        (ElementType::Plain { .. }, ..) => "unsigned char",
        (ElementType::F32, ..) => "float",
        (ElementType::F64, ..) => "double",
        (_, 8, true) => "int8_t",
        (_, 16, true) => "int16_t",
        (_, 32, true) => "int32_t",
        (_, 64, true) => "int64_t",
        (_, 16, false) => "uint16_t",
        (_, 32, false) => "uint32_t",
        (_, 64, false) => "uint64_t",
        // Several share a byte.
        _ => "uint8_t",
    }
}

/// Returns a description of what an element holds.
fn contents(element: ElementType) -> impl Display {
    show(move |f| {
        let what = element.description();
        match element.kind() {
            Kind::Bool => f.write_str("0 for false, 1 for true")?,
            Kind::Integer { .. } => write!(f, "{}-bit integers", element.value_bits())?,
            Kind::Plain => f.write_str("the bytes of a type of the program")?,
            _ if matches!(element, ElementType::F32 | ElementType::F64) => f.write_str(what)?,
            _ => write!(f, "the bits of {}: {what}", element.low_first())?,
        }
        match element.per_byte() {
            2 => f.write_str(", two in a byte")?,
            4 => f.write_str(", four in a byte")?,
            8 => f.write_str(", eight in a byte")?,
            _ => {}
        }
        match (element.is_high_first(), element.bits()) {
            (false, _) => Ok(()),
            (true, 1) => f.write_str(", the first in the highest bit"),
            (true, 2) => f.write_str(", the first in the highest bits"),
            (true, _) => f.write_str(", the first in the high half"),
        }
    })
}
