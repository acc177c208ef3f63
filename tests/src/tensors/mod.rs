//! Buffers with a layout, and their elements.

mod element;
mod tensor;
