//! Links for a board if there is no operating system.

fn main() {
    let target = std::env::var("TARGET").expect("cargo sets it");
    let board = match target.as_str() {
        "thumbv7em-none-eabihf" => "mps2-an386",
        "riscv32imac-unknown-none-elf" => "riscv-virt",
        _ => return,
    };
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rustc-link-search={root}/../boards/{board}");
    // Cortex-M's link.x includes memory.x.
    if board == "riscv-virt" {
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
