//! Serialization of records as their text, after the version of the notation.

use layout_core::reading::{Versioned, from_text};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::record::{Record, RecordTemplate};

macro_rules! as_text {
    ($($type:ident $what:literal)+) => {$(
        /// Serializes the text of `Display` after the version of the notation: `v1:MK<2, 64>, { d: f16, q: 32k i8 }`.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&Versioned(*self))
            }
        }

        /// Parses the text, with or without a version. Text that does not parse is an error.
        impl<'a> Deserialize<'a> for $type {
            fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer, $what, Self::parse)
            }
        }
    )+};
}

as_text! {
    Record "a record such as `MK<2, 64>, { d: f16, q: 32k i8 }`"
    RecordTemplate "a record such as `MK<_, 64>, { d: f16, q: 32k i8 }`, with or without `_`"
}
