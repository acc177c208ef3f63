//! Links for the board if there is no operating system.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        println!("cargo::rustc-link-search={root}/../boards/mps2-an386");
        println!("cargo::rustc-link-arg-bins=-Tlink.x");
    }
}
