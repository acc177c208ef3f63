//! The networks on a microcontroller: all test vectors, then the stack and the instructions of one inference each.

// The file of a library.
#[allow(unreachable_pub)]
#[path = "../../firmware/src/stack.rs"]
mod stack;

use core::ptr::addr_of_mut;

#[cfg(target_arch = "arm")]
use cortex_m_rt::entry;
use networks::{person_detect, speech, vectors};
#[cfg(target_arch = "riscv32")]
use riscv_rt::entry;
use semihosting::{println, process};

static mut ARENA: [i8; person_detect::ARENA] = [0; person_detect::ARENA];
static mut PICTURE: person_detect::Picture = [[[0; 1]; 96]; 96];
static mut SPECTRUM: speech::Spectrum = [[[0; 1]; 40]; 49];

/// The most bytes of stack of an inference.
const STACK: usize = 1024;

#[entry]
fn main() -> ! {
    // SAFETY: `main` runs once, and nothing else uses these statics.
    let arena = unsafe { &mut *addr_of_mut!(ARENA) };
    // SAFETY: as above.
    let picture = unsafe { &mut *addr_of_mut!(PICTURE) };
    // SAFETY: as above.
    let spectrum = unsafe { &mut *addr_of_mut!(SPECTRUM) };
    let wrong = vectors::check_person_detect(picture, arena);
    println!("| network | stack | instructions |\n|---|---|---|");
    let own = measure("person_detect", || {
        core::hint::black_box(person_detect::infer(picture, arena, |_, _| {}));
    });
    let mut is_right = wrong.is_none() && own;
    if let Some((arena, _)) = arena.split_first_chunk_mut() {
        is_right &= vectors::check_speech(spectrum, arena).is_none();
        is_right &= measure("speech", || {
            core::hint::black_box(speech::infer(spectrum, arena, |_, _| {}));
        });
    }
    process::exit(if is_right { 0 } else { 1 })
}

/// Prints the costs of an inference. Returns whether its stack is within the limit.
fn measure(name: &str, mut infer: impl FnMut()) -> bool {
    let depth = stack::stack(2 * STACK, &mut infer);
    let count = instructions(infer);
    println!("| {name} | {depth} | {count} |");
    depth <= STACK
}

/// The instructions of `run`, where the emulator counts time in them, one a nanosecond: `-icount shift=0`.
#[cfg(target_arch = "arm")]
fn instructions(run: impl FnOnce()) -> u32 {
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
fn instructions(run: impl FnOnce()) -> u32 {
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
