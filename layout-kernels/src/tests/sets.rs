//! Which sets of kernels the tests force: none that the machine has may be left out in silence.

// Of another system it is not known what it would say.
#![cfg(any(not(target_arch = "x86_64"), not(feature = "std"), target_os = "linux"))]

use std::vec::Vec;

use super::forced::sets;

/// What the operating system says that the CPU can do.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn has(features: &[&str]) -> bool {
    let info = std::fs::read_to_string("/proc/cpuinfo").expect("a list of what the CPU can do");
    let flags = info.lines().find(|line| line.starts_with("flags")).expect("a line of flags");
    features.iter().all(|feature| flags.split_whitespace().any(|flag| flag == *feature))
}

/// The names of those that are there.
fn there<'a>(all: &[(&'a str, bool)]) -> Vec<&'a str> {
    all.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect()
}

#[test]
#[cfg(all(target_arch = "x86_64", feature = "std"))]
fn none_of_the_cpu_is_left_out() {
    let avx512 = has(&["avx512f", "avx512bw", "avx512vl"]);
    let expected = [
        ("portable", true),
        ("words", true),
        ("words_elsewhere", true),
        ("sse2", true),
        ("avx2", has(&["avx2"])),
        ("avx512", avx512),
        ("vbmi", avx512 && has(&["avx512vbmi"])),
    ];
    assert_eq!(sets(), there(&expected));
}

/// Elsewhere the sets are those that the program is compiled for: what each target must have is
/// written down here by its name.
#[test]
#[cfg(not(all(target_arch = "x86_64", feature = "std")))]
fn none_of_the_target_is_left_out() {
    let expected = [
        ("portable", true),
        ("words", true),
        ("words_elsewhere", true),
        ("neon", cfg!(target_arch = "aarch64")),
        ("sse2", cfg!(target_arch = "x86_64")),
        ("avx2", cfg!(target_feature = "avx2")),
    ];
    assert_eq!(sets(), there(&expected));
}
