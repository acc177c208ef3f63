//! Lists with one value for each axis.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use super::factor::MAX_RANK;

/// One value for each axis, in coordinate order: a coordinate, or strides. It dereferences to a slice.
///
/// ```
/// use tensor_layout::{Layout, PerAxis};
///
/// let image = Layout::parse("NHWC<N = 1, C = 3, H = 4, W = 5>, u8")?;
/// let strides: PerAxis<isize> = image.strides().expect("no blocks");
/// assert_eq!(strides, [60, 1, 15, 3]);
/// assert_eq!((strides.len(), strides[2]), (4, 15));
/// assert_eq!(image.coordinate(16).as_deref(), Some(&[0, 1, 1, 0][..]));
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct PerAxis<T> {
    values: [T; MAX_RANK],
    rank: usize,
}

impl<T: Copy> PerAxis<T> {
    /// The first `rank` of these values.
    #[doc(hidden)]
    pub const fn new(values: [T; MAX_RANK], rank: usize) -> Self {
        assert!(rank <= MAX_RANK);
        Self { values, rank }
    }

    /// The values as a slice, in a `const fn`.
    pub const fn as_slice(&self) -> &[T] {
        self.values.split_at(self.rank).0
    }
}

impl<T: Copy> Deref for PerAxis<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for PerAxis<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(formatter)
    }
}

impl<T: Copy + PartialEq> PartialEq for PerAxis<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Eq> Eq for PerAxis<T> {}

impl<T: Copy + Hash> Hash for PerAxis<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl<T: Copy + PartialEq> PartialEq<[T]> for PerAxis<T> {
    fn eq(&self, other: &[T]) -> bool {
        self.as_slice() == other
    }
}

impl<T: Copy + PartialEq> PartialEq<&[T]> for PerAxis<T> {
    fn eq(&self, other: &&[T]) -> bool {
        self.as_slice() == *other
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq<[T; N]> for PerAxis<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.as_slice() == other
    }
}

impl<T: Copy + PartialEq> PartialEq<PerAxis<T>> for [T] {
    fn eq(&self, other: &PerAxis<T>) -> bool {
        self == other.as_slice()
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq<PerAxis<T>> for [T; N] {
    fn eq(&self, other: &PerAxis<T>) -> bool {
        self == other.as_slice()
    }
}

impl<'a, T: Copy> IntoIterator for &'a PerAxis<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> core::slice::Iter<'a, T> {
        self.as_slice().iter()
    }
}
