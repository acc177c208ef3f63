//! An inference on the emulated board mps2-an386: its instructions and its stack.
#![no_std]
#![no_main]

#[path = "../../../../../examples/networks/src/instructions.rs"]
mod instructions;
#[path = "../../../../../examples/firmware/src/stack.rs"]
mod stack;

use core::ffi::CStr;
use core::hint::black_box;

use cortex_m_rt::entry;
use semihosting::{process, sys::arm_compat::sys_write0};

/// The most bytes of stack.
const STACK: usize = if cfg!(feature = "microflow") { 512 << 10 } else { 4 << 10 };

#[cfg(not(feature = "microflow"))]
mod here {
    #[cfg(not(feature = "speech"))]
    use networks::person_detect as network;
    #[cfg(feature = "speech")]
    use networks::speech as network;
    use tensor_layout::arena::TakeOnce;

    static MEMORY: TakeOnce<network::ActivationsMemory> =
        TakeOnce::new(network::ActivationsMemory::ZEROED);

    /// Returns a function that infers from an input of zeros.
    pub(crate) fn inference() -> impl FnMut() {
        let memory = MEMORY.take().expect("nobody else takes it");
        move || {
            core::hint::black_box(network::infer(memory, |_| {}, |_| {}));
        }
    }
}

#[cfg(feature = "microflow")]
mod here {
    use microflow::buffer;

    #[cfg(not(feature = "speech"))]
    #[microflow::model("../../../../examples/networks/models/person_detect.tflite")]
    struct Network;
    #[cfg(feature = "speech")]
    #[microflow::model("../../../../examples/networks/models/speech.tflite")]
    struct Network;

    /// Returns a function that infers from an input of zeros.
    pub(crate) fn inference() -> impl FnMut() {
        #[cfg(not(feature = "speech"))]
        let input: buffer::Buffer4D<i8, 1, 96, 96, 1> = [buffer::Buffer2D::from_element([0])];
        #[cfg(feature = "speech")]
        let input = buffer::Buffer2D::<i8, 1, 1960>::from_element(0);
        move || {
            core::hint::black_box(Network::predict_quantized(core::hint::black_box(input)));
        }
    }
}

#[entry]
fn main() -> ! {
    let mut infer = black_box(here::inference());
    let depth = stack::stack(STACK, &mut infer);
    let count = instructions::instructions(&mut infer);
    print(c"", count as usize);
    print(c" instructions, ", depth);
    sys_write0(c" bytes of stack\n");
    process::exit(0)
}

/// Prints a text and a number, without the code of `core::fmt`.
fn print(text: &CStr, mut number: usize) {
    let mut digits = [0; 12];
    for digit in digits[..11].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    let first = digits[..10].iter().position(|digit| *digit != b'0').unwrap_or(10);
    sys_write0(text);
    sys_write0(CStr::from_bytes_until_nul(&digits[first..]).unwrap_or(c"?"));
}
