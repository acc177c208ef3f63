//! Links for a board if there is no operating system, and passes on how the program is compiled.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(small_code)");
    if matches!(std::env::var("OPT_LEVEL").as_deref(), Ok("s" | "z")) {
        println!("cargo::rustc-cfg=small_code");
    }
    let target = std::env::var("TARGET").expect("cargo sets it");
    let board = match target.as_str() {
        "thumbv6m-none-eabi" => "microbit",
        "thumbv7em-none-eabihf" => "mps2-an386",
        "riscv32imac-unknown-none-elf" => "riscv-virt",
        _ => return,
    };
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rustc-link-search={root}/../../examples/boards/{board}");
    // Cortex-M's link.x includes memory.x.
    if board == "riscv-virt" {
        println!("cargo::rustc-link-arg-bins=-Tmemory.x");
    }
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
