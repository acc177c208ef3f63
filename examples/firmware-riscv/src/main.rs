//! The firmware on a RISC-V without floating-point unit. It exits with 0 if every byte is as expected.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "riscv32")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "riscv32"))]
mod board {
    use riscv_rt::entry;
    use semihosting::process;

    #[entry]
    fn main() -> ! {
        process::exit(firmware::run())
    }
}
