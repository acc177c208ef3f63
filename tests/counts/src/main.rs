//! Small jobs whose instructions `.ci/counts` counts: accesses, relayouts, plans, layouts, views and conversions.
//!
//! Each runs once to warm up, and once more between two marks. In Linux an emulator logs the function of each
//! instruction, and a mark is a call of `mark`; in WebAssembly it is a function of the host.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

mod accesses;
mod conversions;
mod moves;
mod values;

#[cfg(target_family = "wasm")]
mod host {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Begins or ends a job, whose name is UTF-8 text.
        safe fn mark(name: *const u8, length: usize);
    }

    pub(crate) fn begin(name: &str) {
        mark(name.as_ptr(), name.len());
    }

    pub(crate) fn end(name: &str) {
        mark(name.as_ptr(), name.len());
    }

    #[unsafe(no_mangle)]
    extern "C" fn _start() {
        super::run();
    }

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        core::arch::wasm32::unreachable()
    }
}

#[cfg(not(target_family = "wasm"))]
mod host {
    #[unsafe(no_mangle)]
    #[inline(never)]
    extern "C" fn mark() {
        std::hint::black_box(());
    }

    pub(crate) fn begin(_: &str) {
        mark();
    }

    pub(crate) fn end(name: &str) {
        mark();
        println!("{name}");
    }
}

/// Runs a job twice, the second time between two marks.
#[inline(never)]
fn count(name: &str, job: &mut dyn FnMut()) {
    job();
    host::begin(name);
    job();
    host::end(name);
}

/// Bytes that differ from their neighbors.
fn bytes<const N: usize>() -> [u8; N] {
    core::array::from_fn(|i| (i * 31 + i / 251 * 17) as u8)
}

/// The same numbers as floats.
fn floats<const N: usize>() -> [f32; N] {
    core::array::from_fn(|i| f32::from((i * 31 + i / 251 * 17) as u8))
}

fn run() {
    accesses::run();
    moves::run();
    values::run();
    conversions::run();
}

#[cfg(not(target_family = "wasm"))]
fn main() {
    run();
}
