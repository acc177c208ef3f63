//! Layouts of extents found at run time, relayouts in place, of digits and of swizzled tiles, for the board that has no room for everything in one program: a Cortex-M0.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(all(target_os = "none", target_arch = "arm")))]
fn main() {}

#[cfg(all(target_os = "none", target_arch = "arm"))]
mod board {
    use cortex_m_rt::entry;
    use semihosting::{println, process};

    #[entry]
    fn main() -> ! {
        targets::run_rest(|line| println!("{line}"));
        process::exit(0)
    }
}
