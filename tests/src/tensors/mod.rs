//! Buffers with a layout, and their elements.

mod buffers;
mod doors;
mod element;
mod rows;
mod tensor;
