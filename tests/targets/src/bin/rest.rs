//! Layouts with extents known only at run time, relayouts in place, weighted blocks and swizzled tiles, for the
//! Cortex-M0, whose board cannot hold everything in one program.
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
