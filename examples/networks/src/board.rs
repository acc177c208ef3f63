//! The networks on a microcontroller: all test vectors, and the stack of an inference. With feature `costs` it prints
//! the stack and the instructions.

// The file of a library.
#[allow(unreachable_pub)]
#[path = "../../firmware/src/stack.rs"]
mod stack;

#[cfg(feature = "costs")]
#[path = "instructions.rs"]
mod instructions;

use core::hint::black_box;

#[cfg(target_arch = "arm")]
use cortex_m_rt::entry;
use networks::{person_detect, speech, vectors};
#[cfg(target_arch = "riscv32")]
use riscv_rt::entry;
use semihosting::process;
use tensor_layout::arena::TakeOnce;

// Names of data that `.ci/linked` expects.
#[unsafe(no_mangle)]
static DATA_PERSON_DETECT_MEMORY: TakeOnce<person_detect::ActivationsMemory> =
    TakeOnce::new(person_detect::ActivationsMemory::ZEROED);
#[unsafe(no_mangle)]
static DATA_SPEECH_MEMORY: TakeOnce<speech::ActivationsMemory> =
    TakeOnce::new(speech::ActivationsMemory::ZEROED);

/// The most bytes of stack of an inference.
const STACK: usize = 1024;

/// Exits with 0, or with 1 and 2 for what is wrong with a network, or with 3 for too much stack.
#[entry]
fn main() -> ! {
    let (Some(pictures), Some(spectra)) =
        (DATA_PERSON_DETECT_MEMORY.take(), DATA_SPEECH_MEMORY.take())
    else {
        process::exit(4)
    };
    if vectors::check_person_detect(pictures).is_some() {
        process::exit(1)
    }
    let most = measure("person_detect", || {
        black_box(person_detect::infer(pictures, |_| {}, |_| {}));
    });
    if vectors::check_speech(spectra).is_some() {
        process::exit(2)
    }
    let most = most.max(measure("speech", || {
        black_box(speech::infer(spectra, |_| {}, |_| {}));
    }));
    process::exit(if most <= STACK { 0 } else { 3 })
}

/// Returns the bytes of stack of an inference.
#[inline(never)]
fn measure(_name: &str, mut infer: impl FnMut()) -> usize {
    let depth = stack::stack(2 * STACK, &mut infer);
    #[cfg(feature = "costs")]
    {
        let count = instructions::instructions(infer);
        semihosting::println!("{_name}: {depth} bytes of stack, {count} instructions");
    }
    depth
}
