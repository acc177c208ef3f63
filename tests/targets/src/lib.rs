//! Relayouts that every kind of machine runs against a naive move: a program without std that
//! prints what it finds, so that microcontrollers can be asked too.
#![no_std]

mod check;
mod convert;
mod dynamic;
mod in_place;
mod mixed;
mod naive;
#[cfg(target_os = "none")]
mod offsets;
mod orders;
#[path = "../../../examples/firmware/src/stack.rs"]
mod stack;
mod statics;
mod sub_byte;
mod views;

use core::fmt::Arguments;

pub use stack::stack;

/// The program of a board, which exits with what an expression is, 0 for success, and a program of an operating system,
/// which does nothing. A panic prints and exits with an error, which is semihosting's panic handler.
#[macro_export]
macro_rules! board {
    ($status:expr) => {
        #[cfg(not(target_os = "none"))]
        fn main() {}

        #[cfg(target_os = "none")]
        mod start {
            #[cfg(target_arch = "arm")]
            use cortex_m_rt::entry;
            #[cfg(target_arch = "riscv32")]
            use riscv_rt::entry;

            #[entry]
            fn main() -> ! {
                semihosting::process::exit($status)
            }
        }
    };
}

/// Runs everything that fits one program, and prints what was done. A target without atomics is a Cortex-M0,
/// whose memory holds the rest only as programs of their own.
///
/// # Panics
/// With the first thing that is wrong.
pub fn run_all(print: fn(Arguments<'_>)) {
    print(format_args!("{} relayouts between types", statics::run()));
    print(format_args!("{} relayouts between values", dynamic::run()));
    print(format_args!("{} relayouts of half bytes", sub_byte::run()));
    print(format_args!("{} views", views::run()));
    #[cfg(target_os = "none")]
    print(format_args!("{} bytes of stack for an offset", offsets::run()));
    if cfg!(target_has_atomic = "32") {
        run_rest(print);
        run_conversions(print);
    }
}

/// Tests layouts with extents known only at run time, relayouts in place, weighted blocks and swizzled tiles, and prints
/// the number of tests.
///
/// # Panics
/// With the first that is wrong.
pub fn run_rest(print: fn(Arguments<'_>)) {
    print(format_args!(
        "{} layouts of extents found at run time, alone and in relayouts",
        mixed::run()
    ));
    print(format_args!("{} relayouts in place", in_place::run()));
    print(format_args!(
        "{} relayouts of blocks in another order and of swizzled tiles",
        orders::run()
    ));
}

/// Runs the conversions, and prints how many.
///
/// # Panics
/// With the first that is wrong.
pub fn run_conversions(print: fn(Arguments<'_>)) {
    print(format_args!("{} relayouts that convert", convert::run()));
}
