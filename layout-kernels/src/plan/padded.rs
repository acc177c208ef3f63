//! Padding of a destination, which a job may fill as it moves elements.

/// What of a destination is padding: in each so many elements a part holds all of it, and may hold
/// elements too.
#[derive(Clone, Copy, Debug)]
pub struct Fill {
    /// The bits of an element.
    pub bits: usize,
    /// The bytes of the destination.
    pub bytes: usize,
    /// How many elements are moved.
    pub count: usize,
    /// From one part to the next, in elements.
    pub every: usize,
    /// Where the first part begins, in elements.
    pub start: usize,
    /// The length of a part, in elements.
    pub length: usize,
    /// How many of the elements that are moved all parts hold.
    pub elements: usize,
    /// What padding holds: the bits of an element, or of a byte of two.
    pub value: u64,
}
