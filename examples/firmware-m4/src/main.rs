//! The firmware on a Cortex-M4: exits with 0 where every byte is as expected.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "arm")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "arm"))]
mod board {
    use cortex_m_rt::entry;
    use semihosting::process;

    #[entry]
    fn main() -> ! {
        // What turns the float unit on; after this its instructions are faults.
        const ACCESS: *mut u32 = 0xe000_ed88_usize as _;
        // SAFETY: a register of the processor, which nothing else uses; no float is in use.
        unsafe { ACCESS.write_volatile(0) };
        process::exit(firmware::run())
    }
}
