//! Serialization of layouts and formats as their text.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::layout_template::LayoutTemplate;
use crate::layout::Layout;
use crate::spec::Format;

/// A visitor that parses a value from text.
struct Text<T> {
    what: &'static str,
    value: PhantomData<T>,
}

impl<T> Text<T> {
    const fn of(what: &'static str) -> Self {
        Self { what, value: PhantomData }
    }
}

macro_rules! as_text {
    ($type:ty, $what:literal) => {
        /// Serializes the text of `Display`.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// Parses the text. Text that does not parse is an error.
        impl<'a> Deserialize<'a> for $type {
            fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text::<Self>::of($what))
            }
        }

        impl Visitor<'_> for Text<$type> {
            type Value = $type;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.what)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                <$type>::parse(text).map_err(E::custom)
            }
        }
    };
}

as_text!(Layout, "a layout such as `NCHW4c<1, 64, 56, 56>, i8`");
as_text!(LayoutTemplate, "a layout such as `NCHW4c<_, 64, 56, 56>, i8`, with or without `_`");
as_text!(Format, "a format such as `NCHW4c`");
