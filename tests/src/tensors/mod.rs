//! Buffers with a layout, and their elements.

mod element;
mod rows;
mod static_views;
mod tensor;
mod visits;
