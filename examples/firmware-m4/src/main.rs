//! The firmware on a Cortex-M4. It exits with 0 if every byte is as expected.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "arm")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "arm"))]
mod board {
    use cortex_m_rt::entry;
    use semihosting::process;

    #[entry]
    fn main() -> ! {
        // This register enables the floating-point unit. After the write below, floating-point instructions
        // fault.
        const ACCESS: *mut u32 = 0xe000_ed88_usize as _;
        // SAFETY: it is a register of the processor that nothing else uses, and no float is in use.
        unsafe { ACCESS.write_volatile(0) };
        process::exit(firmware::run())
    }
}
