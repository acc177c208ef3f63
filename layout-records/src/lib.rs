//! Records: several tensors in one buffer, a line each.
//!
//! Quantized weights with their scales, packed weights with biases, camera frames of planes, pages of keys and values,
//! and structs of C are several tensors that share axes and lie in one buffer, or belong together in several. A
//! [`Record`] says all of it in one line, and each of its fields is a layout.
//!
//! This crate is the inside of `tensor-layout`, whose feature `records` exports it; depend on that one.
//!
//! # Notation
//!
//! ```text
//! record  = [FORMAT] ["<" extents ">"] "," content           a template without extents: FORMAT "{" .. "}"
//! content = ELEMENT | "{" item { "," item } "}" | NAME        NAME: ggml::Q4_0, or ggml::Q8_0(k = d) with another axis
//! item    = [NAME ":"] digits content { mark } [ "=" value ]  only a group may lack a name
//! digits  = { AXIS ["/" W] | SIZE axis ["/" W] [ "[" STEP "]" | ("-" | "+" | "^") SIZE axis ["/" W] ] }
//! mark    = align(BYTES) | align(AXIS = BYTES) | pitch(AXIS = BYTES)
//!         | pad | pad(AXIS = VALUE | last | keep) | high_first | words(AXIS = BYTES)
//! ```
//!
//! - **Order.** Left to right is slowest to fastest. What is in braces repeats for each step of the digits before it.
//!   Fields follow one another without gaps, in bits. An element of whole bytes begins at a byte. In a byte, all fields
//!   have one order of bits, `high_first` or not.
//! - **Blocks** have weights as in formats. A block without one gets the next free weight from the right, above all
//!   blocks in its braces. An axis without a size, a capital letter, is what remains of it.
//! - **Sharing.** A field whose smallest weight on an axis is 32 has one element for 32 coordinates, and a field
//!   without a digit of an axis has one for all of it. Fields in one pair of braces, with digits of an axis before it,
//!   cover the same number of its coordinates.
//! - **Buffers.** `;` in place of `,` in the outermost braces puts each item into a buffer of its own.
//! - **Padding.** An extent that ends inside a block is an error without `pad`. A weight of what remains, `H/2`, rounds
//!   up.
//! - **Alignment** is 1 unless it is written. `align(4)` is that of the item and of the group around it, as in C.
//!   `pitch` and `align` of an axis are about the distance from one of its steps to the next.
//! - **Pieces.** `y: 2w[0] u8, u: u8, y: 2w[1] u8` is one field in two places.
//! - **Words.** `q: N 32k u3 words(N = 4)` cuts the bits after `N`, three words of four bytes, and the first words of all of N
//!   come before the second ones. An element may go on in the next word.
//! - **Added digits.** `4k-8n` stores step `(digit of k - digit of n) mod 4`, and `^` is an XOR.
//! - **Names.** The fields of a group `k` are `k.d` and `k.q`, of at most 64 bytes together. Unused bits are named `_`.
//! - **Value rules** after `=` have operands and operators in turn, and at most 16 brackets in one another. A name may
//!   be a parameter of a program. `value_rule` reads those that are computed: of numbers, fields, tables of numbers,
//!   and the operators `*`, `/`, `+`, `-`, `<<` and `|`, in the order of Rust. A field has a rule too, `= d * sum(q)`,
//!   where `sum` is that of all codes which share one of its elements.
//!
//! Extents follow the rule of every layout. An axis that is not in the format needs its name, and one that only has
//! blocks needs no extent.
//!
//! `item` has the parts of a tree, `tree` holds them, and `read` and `whole_text` read them. `digit_weights` and
//! `checked_tree` are the rules of digits, `field_padding` and `record_places` those that need extents. `record`,
//! `fields`, `field`, `field_digit`, `field_layout`, `field_move`, `field_part` and `field_inverse` are what the user has; `record_rows`, `record_slice` and `record_blocks` are parts of a record.
//! `in_macro` reads for macros, and `tree_words` is a tree as parameters of a type. `known_records` lists the records of other libraries.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[macro_use(ok)]
extern crate layout_core;

/// Unwraps a value, or returns the rule that an item breaks with the place of the item.
macro_rules! ok_at {
    ($result:expr, $spans:expr) => {
        match $result {
            Ok(value) => value,
            Err((rule, item)) => return Err((rule, $spans[item])),
        }
    };
}

mod checked_tree;
mod digit_weights;
mod error;
mod field;
mod field_digit;
mod field_inverse;
mod field_layout;
mod field_move;
mod field_padding;
mod field_part;
mod fields;
mod in_macro;
mod item;
mod known;
mod known_records;
mod print;
mod read;
mod record;
mod record_blocks;
mod record_explanation;
mod record_places;
mod record_rows;
mod record_rules;
mod record_slice;
#[cfg(feature = "serde")]
mod serde_text;
mod tree;
mod tree_words;
mod value_rule;
mod whole_text;

pub use error::RecordError;
#[doc(hidden)]
pub use error::UseFault;
pub use field::RecordField;
#[doc(hidden)]
pub use field_digit::FieldDigit;
pub use field_layout::FieldLayout;
#[doc(hidden)]
pub use field_layout::{FieldUnit, free_letter};
#[doc(hidden)]
pub use field_move::{FieldMove, MatchedFields};
pub use field_padding::FieldPadding;
#[doc(hidden)]
pub use field_part::{MovedPart, constant};
#[doc(hidden)]
pub use fields::PlacedRecord;
#[doc(hidden)]
pub use in_macro::{MacroField, MacroRecord};
#[doc(hidden)]
pub use item::DigitChange;
pub use known::{known, named, of_gguf_type};
pub use known_records::{KNOWN_RECORDS, KnownRecord};
pub use record::{Record, RecordTemplate};
pub use record_blocks::BlockSteps;
pub use record_explanation::RecordExplanation;
#[doc(hidden)]
pub use value_rule::{RulePart, ValueRule};
