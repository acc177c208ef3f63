//! The languages and their differences.

use core::fmt::{self, Display};

/// A language of source text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Language {
    /// C99. The text includes `<stdbool.h>` and `<stdint.h>`.
    C,
    /// CUDA C++, for the device and the host. HIP compiles it too.
    Cuda,
    /// OpenCL C, from 1.2 on.
    OpenCl,
    /// The Metal Shading Language. Indices of 64 bits need version 2.2.
    Metal,
    /// The WebGPU Shading Language.
    Wgsl,
    /// The OpenGL Shading Language from 4.5 on, or Vulkan's. The file must contain `#version`.
    Glsl,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] =
        [Self::C, Self::Cuda, Self::OpenCl, Self::Metal, Self::Wgsl, Self::Glsl];

    /// Whether the language has 64-bit indices.
    pub const fn has_wide_integers(self) -> bool {
        !matches!(self, Self::Wgsl | Self::Glsl)
    }

    /// Whether variables can be pointers to bytes of a buffer.
    pub(crate) fn has_bytes(self) -> bool {
        self.has_wide_integers()
    }

    /// Whether the compiler warns about unused parameters, and `(void)` prevents it.
    pub(crate) fn is_c(self) -> bool {
        self.has_wide_integers()
    }
}

/// Prints the name of the language.
impl Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::C => "C",
            Self::Cuda => "CUDA",
            Self::OpenCl => "OpenCL C",
            Self::Metal => "Metal",
            Self::Wgsl => "WGSL",
            Self::Glsl => "GLSL",
        })
    }
}

/// A language, and the number of bits of its indices.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) language: Language,
    pub(crate) wide: bool,
}

impl Target {
    /// Returns the largest index.
    pub(crate) fn limit(self) -> u64 {
        if self.wide { i64::MAX as u64 } else { u32::MAX.into() }
    }

    /// Returns the unsigned type of indices.
    pub(crate) fn index(self) -> &'static str {
        match (self.language, self.wide) {
            (Language::C, false) => "uint32_t",
            (Language::C, true) => "uint64_t",
            (Language::Cuda, false) => "unsigned int",
            (Language::Cuda, true) => "unsigned long long",
            (Language::Wgsl, _) => "u32",
            (_, false) => "uint",
            (_, true) => "ulong",
        }
    }

    /// Returns the signed type of strides.
    pub(crate) fn signed(self) -> &'static str {
        match (self.language, self.wide) {
            (Language::C, false) => "int32_t",
            (Language::C, true) => "int64_t",
            (Language::Cuda, true) => "long long",
            (Language::Wgsl, _) => "i32",
            (_, false) => "int",
            (_, true) => "long",
        }
    }

    /// Returns a stride as a literal.
    pub(crate) fn signed_number(self, number: i64) -> impl Display {
        show(move |f| match (self.language, self.wide) {
            (_, false) => write!(f, "{number}"),
            (Language::OpenCl | Language::Metal, true) => write!(f, "{number}l"),
            (_, true) => write!(f, "{number}ll"),
        })
    }

    /// Returns a number as a literal index.
    pub(crate) fn number(self, number: u64) -> impl Display {
        show(move |f| {
            let suffix = match (self.language, self.wide) {
                (_, false) => "u",
                (Language::OpenCl | Language::Metal, true) => "ul",
                (_, true) => "ull",
            };
            write!(f, "{number}{suffix}")
        })
    }

    /// Returns the qualifiers before a function.
    fn qualifiers(self) -> &'static str {
        match self.language {
            Language::C | Language::OpenCl | Language::Metal => "static inline ",
            Language::Cuda => "static __host__ __device__ inline ",
            Language::Wgsl | Language::Glsl => "",
        }
    }

    /// Writes a function with its parameters and body.
    pub(crate) fn function(
        self,
        f: &mut fmt::Formatter<'_>,
        result: &str,
        name: &dyn Display,
        parameters: impl FnOnce(&mut Parameters<'_, '_>) -> fmt::Result,
        body: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        match self.language {
            Language::Wgsl => write!(f, "fn {name}(")?,
            _ => write!(f, "{}{result} {name}(", self.qualifiers())?,
        }
        let mut list = Parameters { f, target: self, count: 0 };
        parameters(&mut list)?;
        let count = list.count;
        match self.language {
            Language::Wgsl if result.is_empty() => f.write_str(") {\n")?,
            Language::Wgsl => writeln!(f, ") -> {result} {{")?,
            Language::C | Language::OpenCl if count == 0 => f.write_str("void)\n{\n")?,
            _ => f.write_str(")\n{\n")?,
        }
        body(f)?;
        f.write_str("}\n")
    }

    /// Declares a constant variable: `name = value`.
    pub(crate) fn declare(
        self,
        f: &mut fmt::Formatter<'_>,
        indent: usize,
        name: &dyn Display,
        value: &dyn Display,
    ) -> fmt::Result {
        let indent = indentation(indent);
        match self.language {
            Language::Wgsl => writeln!(f, "{indent}let {name} = {value};"),
            Language::Glsl => writeln!(f, "{indent}{} {name} = {value};", self.index()),
            _ => writeln!(f, "{indent}const {} {name} = {value};", self.index()),
        }
    }

    /// Writes the head of a loop from 0 to `end`, exclusive.
    pub(crate) fn count_to(
        self,
        f: &mut fmt::Formatter<'_>,
        indent: usize,
        name: &dyn Display,
        end: &dyn Display,
    ) -> fmt::Result {
        let (indent, zero, one) = (indentation(indent), self.number(0), self.number(1));
        match self.language {
            Language::Wgsl => write!(f, "{indent}for (var {name} = {zero}; ")?,
            _ => write!(f, "{indent}for ({} {name} = {zero}; ", self.index())?,
        }
        writeln!(f, "{name} < {end}; {name} += {one}) {{")
    }

    /// Writes `yes` for the case that the condition holds, else `no`.
    pub(crate) fn choose(
        self,
        condition: impl Display,
        yes: impl Display,
        no: impl Display,
    ) -> impl Display {
        show(move |f| match self.language {
            Language::Wgsl => write!(f, "select({no}, {yes}, {condition})"),
            _ => write!(f, "({condition} ? {yes} : {no})"),
        })
    }
}

/// The parameters of a function, written one by one.
pub(crate) struct Parameters<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    target: Target,
    count: usize,
}

impl Parameters<'_, '_> {
    /// Writes a parameter of this type.
    pub(crate) fn of(&mut self, kind: &dyn Display, name: &dyn Display) -> fmt::Result {
        if self.count > 0 {
            self.f.write_str(", ")?;
        }
        self.count += 1;
        match self.target.language {
            Language::Wgsl => write!(self.f, "{name}: {kind}"),
            _ => write!(self.f, "{kind} {name}"),
        }
    }

    pub(crate) fn index(&mut self, name: &dyn Display) -> fmt::Result {
        self.of(&self.target.index(), name)
    }

    /// Writes a parameter for an index that the function returns.
    pub(crate) fn output(&mut self, name: &dyn Display) -> fmt::Result {
        let kind = self.target.index();
        match self.target.language {
            Language::C | Language::Cuda => self.of(&kind, &show(|f| write!(f, "*{name}"))),
            Language::OpenCl => {
                self.of(&show(|f| write!(f, "__private {kind}")), &show(|f| write!(f, "*{name}")))
            }
            Language::Metal => {
                self.of(&show(|f| write!(f, "thread {kind}")), &show(|f| write!(f, "&{name}")))
            }
            Language::Wgsl => self.of(&"ptr<function, u32>", name),
            Language::Glsl => self.of(&"out uint", name),
        }
    }
}

impl Target {
    /// Assigns to a parameter of [`Parameters::output`].
    pub(crate) fn assign(
        self,
        f: &mut fmt::Formatter<'_>,
        indent: usize,
        name: &dyn Display,
        value: &dyn Display,
    ) -> fmt::Result {
        let star = match self.language {
            Language::Metal | Language::Glsl => "",
            _ => "*",
        };
        writeln!(f, "{}{star}{name} = {value};", indentation(indent))
    }
}

/// Whether a name is an identifier in all languages, also with a suffix and in upper case.
pub(crate) fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 40
        && !name.ends_with('_')
        && !name.contains("__")
        && name != "gl"
        && !name.starts_with("gl_")
        && name.chars().all(is_part)
}

/// Returns the indentation of a line.
pub(crate) fn indentation(levels: usize) -> impl Display {
    show(move |f| (0..levels).try_for_each(|_| f.write_str("    ")))
}

/// Text that a function writes.
pub(crate) fn show<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result>(write: F) -> Show<F> {
    Show(write)
}

pub(crate) struct Show<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Show<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}
