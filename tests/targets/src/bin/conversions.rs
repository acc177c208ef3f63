//! The conversions, for the Cortex-M0, whose board cannot hold everything in one program.
#![cfg_attr(target_os = "none", no_std, no_main)]

targets::board!({
    targets::run_conversions(|line| semihosting::println!("{line}"));
    0
});
