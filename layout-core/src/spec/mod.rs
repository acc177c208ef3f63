//! The parts of a layout: axes, factors, elements, formats, and their rules.
//!
//! Everything here is plain data with `const fn`s. `layout!` calls them on its tokens, const evaluation calls them for
//! const parameters, and run time calls them for everything else. So every rule and every message exists once.

mod bounds;
mod check;
mod element;
mod element_values;
mod error;
mod extents;
mod factor;
mod format;
mod given_extents;
#[doc(hidden)]
pub mod half_floats;
mod per_axis;
mod rule_texts;
mod rule_values;
mod rules;
mod small_floats;
pub(crate) mod storages;
mod summary;
mod swizzle;
mod template;
mod text;
mod weights;

pub use bounds::{gcd, greatest_divisor};
pub(crate) use bounds::{greatest, least};
pub use check::{Spec, check_stride_count};
pub(crate) use check::{check_element, stride_factor};
pub use element::{ElementCode, ElementType, FloatBits, IntegerWidth, Kind, Specials, SubByte};
#[doc(hidden)]
pub use element_values::InBytes;
pub(crate) use element_values::padded_row;
pub use error::{LayoutError, Subject, Violation, Violations, report};
pub(crate) use extents::{Argument, Listed, Misread, axes_of_list};
pub use extents::{coordinate_order, positions_allowed, unknown_in_two_orders};
pub use factor::{
    AxisExtent, Factor, Length, Letters, MAX_FACTORS, MAX_PARTS, MAX_RANK, Swizzling,
};
pub(crate) use format::character_at;
pub use format::{AsFormat, Format, NAMED_FORMATS};
pub use given_extents::{Open, complete, completed_pitches, open_pitches, unknown_letters};
pub(crate) use given_extents::{axes_in_order, permuted, unknown_axes};
pub use per_axis::PerAxis;
#[doc(hidden)]
pub use rules::{Rule, broken};
pub(crate) use summary::{SLOTS, Summary, slot, slot_of};
pub use swizzle::{SWIZZLE_NAMES, Swizzle};
#[doc(hidden)]
pub use template::{Template, Value};
pub(crate) use text::position;
pub use text::{ListText, Message, Name, Text, same_text};
#[doc(hidden)]
pub use weights::weight;
