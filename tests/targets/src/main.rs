//! Runs everything and prints the results: through semihosting without an operating system, and in WebAssembly
//! through a function of the host.
#![cfg_attr(any(target_os = "none", target_family = "wasm"), no_std, no_main)]

#[cfg(target_os = "none")]
targets::board!({
    targets::run_all(|line| semihosting::println!("{line}"));
    0
});

/// WebAssembly without a system: `_start` runs all, and traps where something is wrong.
#[cfg(target_family = "wasm")]
mod wasm {
    use core::fmt::{self, Write};

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Prints UTF-8 text.
        safe fn print(text: *const u8, length: usize);
    }

    struct Out;

    impl Write for Out {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            print(text.as_ptr(), text.len());
            Ok(())
        }
    }

    #[unsafe(no_mangle)]
    extern "C" fn _start() {
        targets::run_all(|line| writeln!(Out, "{line}").expect("the host prints"));
    }

    #[panic_handler]
    fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
        let _ = writeln!(Out, "{info}");
        core::arch::wasm32::unreachable()
    }
}

#[cfg(not(any(target_os = "none", target_family = "wasm")))]
fn main() {
    targets::run_all(|line| println!("{line}"));
}
