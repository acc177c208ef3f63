//! Conversions of values: from the value rule of one record or layout to that of another, tile by tile.

mod code_runs;
mod codes;
mod computed_fields;
mod field_rule;
mod field_tile;
mod levels;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;
mod planned_side;
mod quantizer;
mod quantizer_choice;
mod quantizer_search;
mod rule_form;
mod scale_groups;
mod side;
mod stored_numbers;
mod tile_boxes;
mod writing;

pub use plan::ValuePlan;
pub use quantizer::Quantizer;
pub use side::ValueSide;
