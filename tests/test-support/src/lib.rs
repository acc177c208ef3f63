//! What the tests of several packages share. It knows nothing of the library, so that an oracle may use it.

mod coordinates;
pub mod elements;
mod random;
#[cfg(feature = "vectors")]
pub mod vectors;

pub use coordinates::{coordinates, coordinates_of_rank};
pub use random::Random;
