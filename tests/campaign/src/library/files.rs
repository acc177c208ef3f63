//! Tensors in files.

use tensor_layout::Layout;

#[cfg(feature = "files")]
use super::layouts::with_rank;

/// A file, and the buffer that was read from it.
pub(super) type Written = (Vec<u8>, Vec<u8>);

/// Writes a tensor of 32-bit floats as an .npy file, reads that with the same layout, and gives the file
/// and the buffer that was read.
///
/// # Errors
/// What the library says against it: `Ok(None)` where that is about writing, which some layouts cannot.
pub fn npy(layout: &Layout, buffer: &[u8]) -> Result<Option<Written>, String> {
    #[cfg(feature = "files")]
    return with_rank!(layout.rank(), npy_of[](layout, buffer));
    #[cfg(not(feature = "files"))]
    {
        let _ = (layout, buffer);
        Ok(None)
    }
}

#[cfg(feature = "files")]
fn npy_of<const RANK: usize>(layout: &Layout, buffer: &[u8]) -> Result<Option<Written>, String> {
    use bytemuck::cast_slice;
    use tensor_layout::adapters::npy;
    use tensor_layout::{Dynamic, Tensor};

    let units: &[f32] = cast_slice(buffer);
    let dynamic = Dynamic::<f32, RANK>::new(*layout).map_err(|error| error.to_string())?;
    let copy = super::tensors::aligned_copy(dynamic, units)?;
    let units = copy.as_ref().map_or(units, |copy| copy.buffer());
    let tensor = Tensor::with_layout(dynamic, units).map_err(|error| error.to_string())?;
    let mut file = Vec::new();
    if npy::write_storage(&tensor, &mut file).is_err() {
        return match file.is_empty() {
            true => Ok(None),
            false => Err("a refused file has a beginning".to_string()),
        };
    }
    let again = npy::read(dynamic, &file[..]).map_err(|error| format!("reading again: {error}"))?;
    let bytes = cast_slice(again.buffer()).to_vec();
    Ok(Some((file, bytes)))
}
