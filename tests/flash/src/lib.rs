//! Functions that `.ci/flash` links one by one, each as a program without an operating system, to measure the flash
//! that a panic or an error costs. They are compiled and optimized together, once.
#![cfg_attr(target_os = "none", no_std)]

#[cfg(target_os = "none")]
mod cases;

#[cfg(target_os = "none")]
mod handler {
    use core::fmt::{self, Write};
    use core::panic::PanicInfo;

    /// A port that takes the bytes of a message.
    struct Port;

    impl Write for Port {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                // SAFETY: the program is linked, not run. Its board would have a register at this address.
                unsafe { (0x4000_0000 as *mut u8).write_volatile(byte) };
            }
            Ok(())
        }
    }

    #[panic_handler]
    fn panic(panic: &PanicInfo<'_>) -> ! {
        if cfg!(feature = "print") {
            let _ = write!(Port, "{panic}");
        }
        loop {
            let _ = Port.write_str("!");
        }
    }
}
