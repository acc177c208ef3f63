//! Finds the test vectors, in the folder NETWORKS_VECTORS if that is set, and links for a board if there is no operating
//! system.

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let vectors =
        std::env::var("NETWORKS_VECTORS").unwrap_or_else(|_| format!("{root}/src/vectors"));
    println!("cargo::rustc-env=VECTORS={vectors}");
    println!("cargo::rerun-if-env-changed=NETWORKS_VECTORS");
    let target = std::env::var("TARGET").expect("cargo sets it");
    let board = match target.as_str() {
        "thumbv7em-none-eabihf" => "mps2-an386",
        "riscv32imac-unknown-none-elf" => "riscv-virt",
        _ => return,
    };
    println!("cargo::rustc-link-search={root}/../boards/{board}");
    // Cortex-M's link.x includes memory.x.
    if board == "riscv-virt" {
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
