//! Sets `cfg` options for kernels that the compiler does not have, or that would otherwise be long conditions.

use std::env::var;
use std::process::Command;

fn main() {
    check_std();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=AVX512_MODEL");
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    println!("cargo::rustc-check-cfg=cfg(avx512_model)");
    println!("cargo::rustc-check-cfg=cfg(dsp)");
    println!("cargo::rustc-check-cfg=cfg(small_code)");
    println!("cargo::rustc-check-cfg=cfg(unaligned_words)");
    println!("cargo::rustc-check-cfg=cfg(unoptimized)");
    println!("cargo::rustc-check-cfg=cfg(vectors)");
    // For tests on CPUs without AVX-512.
    let is_model = var("AVX512_MODEL").is_ok_and(|value| value == "1");
    if is_model {
        println!("cargo::rustc-cfg=avx512_model");
    }
    // If the profile optimizes for size, kernels are the loops that a user would write.
    if var("OPT_LEVEL").is_ok_and(|level| matches!(level.as_str(), "s" | "z")) {
        println!("cargo::rustc-cfg=small_code");
    }
    // Without optimization each value has a place of its own on the stack, so a kernel that everything is inlined into
    // takes hundreds of KiB of it.
    if var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
    // Arm CPUs that access words at any address, if their operating system allows it. Cortex-M0 and Cortex-M23 do not.
    // Cortex-R does, but the compiler does not rely on it.
    let target = var("TARGET").unwrap_or_default();
    if ["thumbv7m-", "thumbv7em-", "thumbv8m.main-", "armv7-", "thumbv7neon-"]
        .iter()
        .any(|name| target.starts_with(name))
    {
        println!("cargo::rustc-cfg=unaligned_words");
    }
    // Cortex-M CPUs with instructions for two products at once.
    if target.starts_with("thumbv7em-") {
        println!("cargo::rustc-cfg=dsp");
    }
    let has =
        |name: &str, value: &str| var(name).is_ok_and(|all| all.split(',').any(|own| own == value));
    let is = |arch: &str, feature: &str| {
        has("CARGO_CFG_TARGET_ARCH", arch) && has("CARGO_CFG_TARGET_FEATURE", feature)
    };
    let is_little = has("CARGO_CFG_TARGET_ENDIAN", "little");
    // The program detects AVX-512, and calls kernels that are compiled for it.
    if is("x86_64", "sse2") && var("CARGO_FEATURE_STD").is_ok() && !is_model {
        println!("cargo::rustc-cfg=avx512");
    }
    if is("x86_64", "sse2") || is("aarch64", "neon") && is_little || is("wasm32", "simd128") {
        println!("cargo::rustc-cfg=vectors");
    }
}

/// Prints an error for feature `std` without an operating system, and before Rust 1.89, whose standard library is the
/// first to detect AVX-512.
fn check_std() {
    if var("CARGO_FEATURE_STD").is_err() {
        return;
    }
    // A microcontroller.
    if var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let target = var("TARGET").unwrap_or_default();
        println!(
            "cargo::error=feature `std` of tensor-layout needs an operating system, and `{target}` has none; depend on \
             tensor-layout with `default-features = false`"
        );
    }
    let compiler = Command::new(var("RUSTC").unwrap_or("rustc".into())).arg("--version").output();
    // `rustc 1.85.1 (4eb161250 2025-03-15)`
    let Some(version) = compiler.ok().and_then(|output| String::from_utf8(output.stdout).ok())
    else {
        return;
    };
    let mut numbers = version.split([' ', '.', '-']).skip(1).map(str::parse::<u32>);
    if let (Some(Ok(1)), Some(Ok(minor @ ..89))) = (numbers.next(), numbers.next()) {
        println!(
            "cargo::error=feature `std` of tensor-layout needs Rust 1.89 or later, and this is Rust 1.{minor}; update \
             Rust, or depend on tensor-layout with `default-features = false`"
        );
    }
}
