//! The relayouts on this machine, without an emulator.

#[test]
fn this_machine() {
    targets::run_all(|line| println!("{line}"));
}
