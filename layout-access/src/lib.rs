//! The cost of a memory access: bank conflicts of shared memory, and sectors of global memory.
//!
//! This crate is the inside of `tensor-layout`, whose feature `access` exports it; depend on that one.
//!
//! An [`Access`] is what one instruction of a group of lanes reads or writes: the start of each lane, and the number
//! of bytes of each. It comes from a layout whose axes are lanes and the values of a lane. [`conflicts`] counts its
//! bank conflicts, and [`coalescing`] its sectors. [`padding`] and [`swizzle`] search for a change that removes the
//! conflicts, or say why there is none. [`Banks`] and [`Segments`] describe memories. Everything is a `const fn` and
//! exact.
//!
//! ```
//! use tensor_layout::access::{Access, Banks, conflicts, padding, swizzle};
//! use tensor_layout::{Swizzle, layout, view};
//!
//! // 32 lanes read a column of a 32x32 tile.
//! type Tile = layout!(MK<32, 32>, f32);
//! const COLUMN: Access = Access::of(&view!(Tile::LAYOUT, index('K', 0)), "M");
//! const _: () = assert!(conflicts(&COLUMN, &Banks::NVIDIA).degree() == 32);
//!
//! // One row of 32 elements takes 128 bytes. 4 more bytes for each row remove the conflicts,
//! assert_eq!(padding(&[COLUMN], 128, &Banks::NVIDIA), Ok(4));
//! type Padded = layout!(MK<32, 32>, f32, align(M = 132));
//! const PADDED: Access = Access::of(&view!(Padded::LAYOUT, index('K', 0)), "M");
//! const _: () = assert!(conflicts(&PADDED, &Banks::NVIDIA).degree() == 1);
//!
//! // and so does a swizzle, here of byte addresses.
//! assert_eq!(swizzle(&[COLUMN], &Banks::NVIDIA), Ok(Swizzle::new(5, 2, 5)));
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod bank;
mod pattern;
mod remedy;
mod segment;

pub use bank::{Banks, Conflicts, conflicts};
pub use pattern::Access;
pub use remedy::{Unresolved, padding, swizzle};
pub use segment::{Coalescing, Segments, coalescing};
