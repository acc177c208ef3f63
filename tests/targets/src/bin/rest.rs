//! Layouts with extents known only at run time, relayouts in place, weighted blocks and swizzled tiles, for the
//! Cortex-M0, whose board cannot hold everything in one program.
#![cfg_attr(target_os = "none", no_std, no_main)]

targets::board!({
    targets::run_rest(|line| semihosting::println!("{line}"));
    0
});
