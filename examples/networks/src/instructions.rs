//! Counts instructions on an emulated board.

/// The instructions of `run`, at most some 16 million times 40. The emulator must count time in them, one a nanosecond:
/// `-icount shift=0`.
#[cfg(target_arch = "arm")]
pub(crate) fn instructions(run: impl FnOnce()) -> u32 {
    const NANOSECONDS: u32 = 40;
    const CONTROL: *mut u32 = 0xe000_e010_usize as _;
    const RELOAD: *mut u32 = 0xe000_e014_usize as _;
    const CURRENT: *mut u32 = 0xe000_e018_usize as _;
    // SAFETY: the registers of the system timer, which nothing else uses.
    unsafe { RELOAD.write_volatile(0xff_ffff) };
    // SAFETY: as above.
    unsafe { CURRENT.write_volatile(0) };
    // SAFETY: as above.
    unsafe { CONTROL.write_volatile(5) };
    // SAFETY: as above.
    let start = unsafe { CURRENT.read_volatile() };
    run();
    // SAFETY: as above.
    let end = unsafe { CURRENT.read_volatile() };
    (start.wrapping_sub(end) & 0xff_ffff) * NANOSECONDS
}

/// The same by the register that counts instructions.
#[cfg(target_arch = "riscv32")]
pub(crate) fn instructions(run: impl FnOnce()) -> u32 {
    let count = || {
        let count: u32;
        // SAFETY: it reads a register.
        unsafe { core::arch::asm!("csrr {0}, minstret", out(reg) count) };
        count
    };
    let start = count();
    run();
    count().wrapping_sub(start)
}
