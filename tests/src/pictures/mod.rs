//! Pictures and explanations, read back and held against the oracle.

mod drawn;
mod explained;
mod files;
mod machines;
mod placed;
mod scan;
