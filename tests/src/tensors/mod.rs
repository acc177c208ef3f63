//! Buffers with a layout, and their elements.

mod attacks;
mod buffers;
mod doors;
mod element;
mod element_types;
mod elements;
mod lanes;
mod rows;
mod static_views;
mod sub_byte;
mod tensor;
mod visits;
mod window;
