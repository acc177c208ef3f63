//! The C interface of `tensor-layout`: `include/tensor_layout.h` says what each function does.
//!
//! Every function checks what C cannot promise: null pointers, values that were not made, lengths, buffers that overlap.
//! What remains is the caller's promise, that pointers lead to as many bytes as the header says.
//!
//! - `c_text` writes texts and statuses, `c_stored` has values in the caller's memory.
//! - `c_layouts`, `c_plans`, `c_copies`, `c_conversions`, `c_records` and `c_checkpoints` have the functions.
// A library needs somebody's function for panics: that of std where there is an operating system.
#![cfg_attr(target_os = "none", no_std)]

#[cfg(feature = "std")]
mod c_checkpoints;
mod c_conversions;
mod c_copies;
mod c_layouts;
mod c_memory;
mod c_plans;
#[cfg(feature = "std")]
mod c_records;
mod c_stored;
mod c_text;

#[cfg(feature = "std")]
pub use c_checkpoints::{StoredTensorOfC, tl_checkpoint_list, tl_checkpoint_repack};
pub use c_conversions::{ConversionOfC, conversion_of, convert_bytes, tl_convert};
pub use c_copies::{tl_copy_new, tl_copy_run, tl_copy_run_parallel, tl_copy_strided};
pub use c_layouts::{
    FactsOfC, tl_coordinate, tl_describe, tl_explain, tl_from_strides, tl_offset, tl_parse,
    tl_print, tl_version,
};
pub use c_memory::has_own_threads;
pub use c_plans::{
    run_bytes, tl_plan_new, tl_plan_print, tl_plan_run, tl_plan_run_parallel, tl_relayout_cost,
};
#[cfg(feature = "std")]
pub use c_records::{
    DestinationOfC, RecordOfC, SourceOfC, tl_record_bytes, tl_record_dequantize, tl_record_move,
    tl_record_offset, tl_record_parse, tl_record_print, tl_record_quantize,
};
pub use c_stored::{CopyOfC, LayoutOfC, PlanOfC};
pub use c_text::{Fault, Status, TextOfC};

/// Without an operating system nothing else defines what a panic does. No function panics on input that the header
/// allows.
#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
