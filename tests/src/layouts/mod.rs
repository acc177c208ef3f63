//! Layouts: what is promised, what other systems print, laws, and extents known at run time.

mod contract;
mod defined_formats;
mod digit_types;
mod digits;
mod dynamic;
mod element_table;
mod elements;
mod extremes;
mod formats;
mod forms;
mod laws;
mod mixed;
mod named_extents;
mod notation;
mod notation_types;
mod pitches;
mod sentences;
mod shared_offsets;
mod specs;
mod strides;
mod swizzle_types;
mod swizzles;
mod tables;
mod twelve_axes;
mod values;
