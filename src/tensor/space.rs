//! Memory spaces: types that say where a buffer lies.

use core::marker::PhantomData;

use super::Tensor;
use layout_types::LayoutType;
use layout_types::spec::{LayoutError, Rule};

/// A memory space. Implement it for a type of your own; a function that takes tensors of one space accepts no others.
///
/// ```
/// use tensor_layout::tensor::{BufferIn, Space};
/// use tensor_layout::{Dynamic, ElementType, Layout, LayoutType, Tensor};
///
/// struct Gpu;
/// impl Space for Gpu {}
///
/// /// What the driver gives.
/// struct DeviceBuffer {
///     bytes: usize,
/// }
///
/// impl BufferIn<Gpu> for DeviceBuffer {
///     fn bytes(&self) -> usize {
///         self.bytes
///     }
/// }
///
/// let layout = Layout::of("NCHW", &[1, 3, 4, 4], ElementType::F32)?;
/// let layout = Dynamic::<f32, 4>::new(layout)?;
/// let image = Tensor::<_, _, Gpu>::in_space(layout, DeviceBuffer { bytes: 192 })?;
/// // Views move no data, so they are had anywhere; `image.get([0; 4])` does not compile.
/// let row = image.into_view::<1>(|layout| layout.index('N', 0)?.index('C', 1)?.index('H', 2))?;
/// assert_eq!(row.layout().offset(&[3]), 27);
/// # Ok::<(), tensor_layout::LayoutError>(())
/// ```
pub trait Space {}

/// The memory that this program reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Host;

impl Space for Host {}

/// A buffer in a memory space. Its value stands for memory there, as a handle does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a buffer in memory space `{S}`",
    label = "not a buffer in `{S}`",
    note = "implement its length: `impl BufferIn<{S}> for {Self} {{ fn bytes(&self) -> usize {{ .. }} }}`"
)]
pub trait BufferIn<S: Space> {
    /// Returns the length in bytes.
    fn bytes(&self) -> usize;
}

impl<L: LayoutType, B: BufferIn<S>, S: Space> Tensor<L, B, S> {
    /// Makes a tensor over `buffer`, which lies in a memory space other than the host's.
    ///
    /// # Errors
    /// The length of the buffer in bytes differs from [`Layout::bytes`](crate::Layout::bytes).
    pub fn in_space(layout: L, buffer: B) -> Result<Self, LayoutError> {
        let (needed, given) = (layout.layout().bytes(), buffer.bytes());
        if needed != given {
            return Err(LayoutError(Rule::BufferBytes { needed, given }));
        }
        Ok(Self { layout, buffer, space: PhantomData })
    }

    /// Returns the handle of the buffer.
    pub fn handle(&self) -> &B {
        &self.buffer
    }
}
