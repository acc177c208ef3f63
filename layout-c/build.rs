//! Names the shared library, so that programs linked with it find it wherever it is installed.

fn main() {
    let system = std::env::var("CARGO_CFG_TARGET_OS");
    if matches!(system.as_deref(), Ok("linux" | "android" | "freebsd")) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,liblayout_c.so");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
