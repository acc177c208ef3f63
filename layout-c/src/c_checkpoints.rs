//! Functions of files of tensors. They allocate, and need a library for an operating system.

use core::ffi::{CStr, c_char, c_void};
use std::ffi::CString;
use std::path::{Path, PathBuf};

use layout_checkpoints::{
    Checkpoint, CheckpointError, Repack, RepackOptions, RepackRules, StoredTensor,
};

use crate::c_layouts::text_of;
use crate::c_memory::slice;
use crate::c_stored::{exported, null};
use crate::c_text::{Fault, Status, report_caught};

/// A tensor of a file: `tl_stored_tensor`.
#[repr(C)]
#[derive(Debug)]
pub struct StoredTensorOfC {
    size: usize,
    name: *const c_char,
    element: *const c_char,
    layout: *const c_char,
    file: *const c_char,
    rank: usize,
    shape: *const usize,
    at: u64,
    bytes: u64,
}

/// Returns a path or a text that ends with a 0.
///
/// # Safety
/// The text must be null or end with a 0, and stay as it is while the result is used.
unsafe fn ended<'a>(text: *const c_char) -> Result<&'a str, Fault> {
    if text.is_null() {
        return Err(null());
    }
    // SAFETY: the text is not null, and the caller promises the rest.
    unsafe { CStr::from_ptr(text) }
        .to_str()
        .map_err(|_| Fault::Fixed(Status::Text, "a path is not UTF-8; give one that is"))
}

/// Opens files.
///
/// # Safety
/// The list must be null or have `count` texts that end with a 0.
unsafe fn opened(files: *const *const c_char, count: usize) -> Result<Checkpoint, Fault> {
    // SAFETY: the caller's promise.
    let files = unsafe { slice(files, count) }?;
    // SAFETY: the caller's promise.
    let path = |text: &*const c_char| Ok(PathBuf::from(unsafe { ended(*text) }?));
    let files = files.iter().map(path).collect::<Result<Vec<_>, Fault>>()?;
    Ok(Checkpoint::open(&files)?)
}

exported! { report_caught;
    /// Lists the tensors of files.
    fn tl_checkpoint_list(
        files: *const *const c_char,
        count: usize,
        found: Option<unsafe extern "C" fn(*mut c_void, *const StoredTensorOfC)>,
        state: *mut c_void,
    ) {
        let found = found.ok_or_else(null)?;
        // SAFETY: the caller's promise.
        let checkpoint = unsafe { opened(files, count) }?;
        let describe = |(number, tensor): (usize, &StoredTensor)| {
            let text = |text: &str| {
                CString::new(text).map_err(|_| {
                    CheckpointError::new(format!(
                        "the name of tensor {number}, {text:?}, has a character 0; rename it"
                    ))
                })
            };
            let (name, element) = (text(&tensor.name)?, text(&tensor.content.to_string())?);
            let layout = tensor.layout.as_deref().map(text).transpose()?;
            let file = text(&checkpoint.path(number).to_string_lossy())?;
            let tensor = StoredTensorOfC {
                size: size_of::<StoredTensorOfC>(),
                name: name.as_ptr(),
                element: element.as_ptr(),
                layout: layout.as_ref().map_or(core::ptr::null(), |text| text.as_ptr()),
                file: file.as_ptr(),
                rank: tensor.shape.len(),
                shape: tensor.shape.as_ptr(),
                at: tensor.at,
                bytes: tensor.bytes,
            };
            // SAFETY: the caller's function takes what the header says.
            unsafe { found(state, &raw const tensor) };
            Ok(())
        };
        checkpoint.tensors().enumerate().try_for_each(describe)
    }

    /// Makes one checkpoint of others by rules.
    fn tl_checkpoint_repack(
        files: *const *const c_char,
        count: usize,
        rules: *const c_char,
        length: usize,
        output: *const c_char,
        ranks: usize,
        memory: usize,
    ) {
        // SAFETY: the caller's promise.
        let checkpoint = unsafe { opened(files, count) }?;
        // SAFETY: the caller's promise.
        let rules = RepackRules::parse(unsafe { text_of(rules, length) }?, "rules")?;
        // SAFETY: the caller's promise.
        let output = Path::new(unsafe { ended(output) }?);
        let mut options = RepackOptions::default();
        if memory > 0 {
            options.memory = memory;
        }
        options.ranks = ranks;
        Ok(Repack::new(checkpoint, &rules, output, options)?.run(false, &|_| {})?)
    }
}
