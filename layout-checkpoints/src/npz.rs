//! .npz files: a zip archive of .npy files, as `numpy.savez` writes it.

use std::io::{Read, Seek, SeekFrom};

use layout_types::files::{MOST_HEADER, MOST_NAME, MOST_TENSORS};

use crate::checkpoint_header::{CheckpointFormat, CheckpointHeader, Metadata};
use crate::error::{CheckpointError, FileResult, refuse};
use crate::npy;
use crate::stored_tensor::StoredTensor;

/// The most bytes of a directory. Each array takes more memory than its entry.
const MOST_DIRECTORY: usize = MOST_HEADER / 4;

/// The end of an archive without its comment, which has at most 65,535 bytes.
const END: usize = 22;
const MOST_COMMENT: u64 = 65_535;
/// A number of 4 bytes that stands for one of 8 bytes elsewhere.
const ELSEWHERE: u64 = 0xffff_ffff;

/// Whether a file begins as an archive does.
pub(crate) fn is_archive(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06")
}

/// A number of `count` bytes, all of which the caller has read.
fn number(bytes: &[u8], at: usize, count: usize) -> u64 {
    let own = bytes.iter().skip(at).take(count).rev();
    own.fold(0, |all, &byte| all << 8 | u64::from(byte))
}

fn broken<T>() -> FileResult<T> {
    refuse("its directory of arrays is broken; copy the whole file again")
}

/// Reads `length` bytes from byte `at` on.
fn piece(file: &mut (impl Read + Seek), at: u64, length: usize) -> FileResult<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { broken() }
}

/// Where the directory lies: its first byte, its bytes and its entries.
fn directory_of(file: &mut (impl Read + Seek)) -> FileResult<(u64, u64, u64)> {
    let length = file.seek(SeekFrom::End(0))?;
    let most = (MOST_COMMENT + END as u64).min(length);
    let tail = piece(file, length - most, most as usize)?;
    let Some(end) = tail.windows(END).rposition(|own| own.starts_with(b"PK\x05\x06")) else {
        return broken();
    };
    let own = &tail[end..];
    let all = [(16, 4), (12, 4), (10, 2)].map(|(at, count)| number(own, at, count));
    if all[0] < ELSEWHERE && all[1] < ELSEWHERE && all[2] < 0xffff {
        return Ok(all.into());
    }
    // The end of an archive of more than 4 GB, and before it the place of its long form.
    let Some(locator) = end.checked_sub(20).map(|at| &tail[at..end]) else { return broken() };
    let long = piece(file, number(locator, 8, 8), 56)?;
    if !locator.starts_with(b"PK\x06\x07") || !long.starts_with(b"PK\x06\x06") {
        return broken();
    }
    Ok((number(&long, 48, 8), number(&long, 40, 8), number(&long, 32, 8)))
}

pub(crate) fn read(file: &mut (impl Read + Seek)) -> FileResult<CheckpointHeader> {
    let (at, bytes, count) = directory_of(file)?;
    if bytes > MOST_DIRECTORY as u64 || count > MOST_TENSORS as u64 {
        return refuse(format!(
            "its directory has {count} arrays in {bytes} bytes, more than {MOST_TENSORS} in {MOST_DIRECTORY}; save several files"
        ));
    }
    let directory = piece(file, at, bytes as usize)?;
    let (mut rest, mut tensors) = (&directory[..], Vec::new());
    for _ in 0..count {
        let lengths = [28, 30, 32].map(|at| number(rest, at, 2) as usize);
        let [name, extra, comment] = lengths;
        let length = 46 + name + extra + comment;
        if !rest.starts_with(b"PK\x01\x02") || rest.len() < length {
            return broken();
        }
        let (entry, after) = rest.split_at(length);
        rest = after;
        let Ok(own) = std::str::from_utf8(&entry[46..46 + name]) else { return broken() };
        let of = |error| CheckpointError::of(format!("`{}`", own.escape_debug()), error);
        if own.len() > MOST_NAME {
            return refuse(format!(
                "the name of an array has {} bytes, more than {MOST_NAME}; rename it",
                own.len()
            ));
        }
        tensors.push(array(file, own, entry, &entry[46 + name..46 + name + extra]).map_err(of)?);
    }
    tensors.sort_by_key(|tensor: &StoredTensor| (tensor.at, tensor.bytes));
    let (format, metadata) = (CheckpointFormat::Npz, Metadata::Texts(Vec::new()));
    Ok(CheckpointHeader { format, tensors, metadata })
}

/// Reads the header of an array by its entry of the directory, of which `extra` is what other programs have added.
fn array(
    file: &mut (impl Read + Seek),
    name: &str,
    entry: &[u8],
    mut extra: &[u8],
) -> FileResult<StoredTensor> {
    let Some(name) = name.strip_suffix(".npy") else {
        return refuse("it is not an array; save arrays alone, by `numpy.savez`");
    };
    // An encrypted entry, or one of another method than bytes as they are.
    if number(entry, 8, 2) & 1 == 1 || number(entry, 10, 2) != 0 {
        return refuse(
            "it is compressed; save the arrays by `numpy.savez`, which does not compress them",
        );
    }
    let [mut bytes, stored, mut at] = [24, 20, 42].map(|at| number(entry, at, 4));
    while extra.len() >= 4 {
        let length = number(extra, 2, 2) as usize;
        let own = extra.get(4..4 + length).unwrap_or_default();
        if number(extra, 0, 2) == 1 {
            let mut longs = own.chunks_exact(8).map(|own| number(own, 0, 8));
            for long in [&mut bytes, &mut { stored }, &mut at] {
                if *long == ELSEWHERE {
                    *long = longs.next().unwrap_or(*long);
                }
            }
        }
        extra = extra.get(4 + length..).unwrap_or_default();
    }
    let local = piece(file, at, 30)?;
    if !local.starts_with(b"PK\x03\x04") {
        return broken();
    }
    let start = at.saturating_add(30 + number(&local, 26, 2) + number(&local, 28, 2));
    file.seek(SeekFrom::Start(start))?;
    let header = npy::read(&mut file.take(bytes))?;
    let [mut tensor] = <[StoredTensor; 1]>::try_from(header.tensors).or_else(|_| broken())?;
    if tensor.at.checked_add(tensor.bytes) != Some(bytes) {
        return refuse(format!(
            "it has {bytes} bytes, and its header and elements take {} and {}; save it again",
            tensor.at, tensor.bytes
        ));
    }
    tensor.at = tensor.at.saturating_add(start);
    tensor.name = name.into();
    Ok(tensor)
}
