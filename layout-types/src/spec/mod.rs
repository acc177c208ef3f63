//! What a layout is: axes, factors, elements, formats, and the rules they obey.
//!
//! Everything here is plain data and `const fn`s over it. `layout!` calls them on what the user
//! wrote, const evaluation calls them for const parameters, run time calls them for the rest, so
//! that every rule and every message exists once.

mod buffer_error;
mod check;
mod chip_error;
mod element;
mod error;
mod extents;
mod factor;
mod file_names;
mod format;
mod format_error;
mod formats;
pub(crate) mod half_floats;
mod in_place_error;
mod message;
mod phrases;
mod relayout_error;
mod text;
mod type_error;
mod view_error;
mod view_message;

pub use buffer_error::BufferError;
pub use check::{Found, Place, Problems, Spec};
pub use chip_error::ChipError;
pub use element::ElementType;
pub use error::LayoutError;
pub use extents::coordinate_order;
pub use factor::{AxisExtent, Factor, Length, Letters, MAX_FACTORS, MAX_RANK};
pub use format::Format;
pub(crate) use format::character_at;
pub use format_error::FormatError;
pub use formats::NAMED_FORMATS;
pub use in_place_error::InPlaceError;
pub use relayout_error::RelayoutError;
pub(crate) use text::same_text;
pub use text::{Message, Name, Text};
pub use type_error::TypeError;
pub use view_error::ViewError;
