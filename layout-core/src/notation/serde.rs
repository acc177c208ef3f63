//! Serialization of layouts, formats and element types as their text. Before the text of a layout or a format stands the
//! version of the notation; an element type is a name, and has none.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::layout_template::LayoutTemplate;
use super::sentence::Notation;
use super::{Versioned, without_version};
use crate::layout::Layout;
use crate::spec::{ElementType, Format};

/// A visitor that parses a value from text.
struct TextVisitor<T, F> {
    what: &'static str,
    read: fn(&str) -> Result<T, F>,
}

impl<T, F: fmt::Display> Visitor<'_> for TextVisitor<T, F> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}

/// Parses a value from text. `what` says what is expected.
///
/// # Errors
/// It is no text, or `read` returns an error.
pub fn from_text<'a, T, F: fmt::Display, D: Deserializer<'a>>(
    deserializer: D,
    what: &'static str,
    read: fn(&str) -> Result<T, F>,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(TextVisitor { what, read })
}

macro_rules! as_text {
    ($type:ty, $what:literal, $written:expr, $read:expr, $text:literal) => {
        #[doc = concat!("Serializes the text ", $text, ".")]
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&$written(*self))
            }
        }

        /// Parses the text, with or without a version. Text that does not parse is an error.
        impl<'a> Deserialize<'a> for $type {
            fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer, $what, $read)
            }
        }
    };
}

as_text!(
    Layout,
    "a layout such as `NCHW4c<1, 64, 56, 56>, i8`",
    Versioned,
    Layout::parse,
    "of [`versioned`](Self::versioned): `v1:NCHW4c<1, 64, 56, 56>, i8`"
);
as_text!(
    LayoutTemplate,
    "a layout such as `NCHW4c<_, 64, 56, 56>, i8`, with or without `_`",
    Versioned,
    LayoutTemplate::parse,
    "of `Display` after the version of the notation: `v1:NCHW4c<_, 64, 56, 56>, i8`"
);
as_text!(
    Format,
    "a format such as `NCHW4c`",
    Versioned,
    |text| without_version(text).and_then(Format::parse),
    "of `Display` after the version of the notation: `v1:NCHW4c`"
);
as_text!(
    ElementType,
    "an element type such as `f32`",
    Notation,
    |text: &str| text.parse::<ElementType>(),
    "that `FromStr` reads: `f32`, `u4, high_first`, `plain(12, align = 4)`"
);
