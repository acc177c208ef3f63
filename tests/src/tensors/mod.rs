//! Buffers with a layout, and their elements.

mod element;
mod rows;
mod tensor;
