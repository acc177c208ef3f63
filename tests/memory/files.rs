//! Headers of files that claim more than follows.

use std::io::{self, Read};

use tensor_layout::adapters::{npy, safetensors};
use tensor_layout::{Dynamic, ElementType, Layout, Tensor};

use crate::allocator::{Counts, measured, refusing};

/// A .npy file whose header claims this many bytes, and that ends after `given` of them.
fn short(claimed: usize, given: usize) -> impl Read {
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({claimed}, 1), }}\n");
    let length = (header.len() as u16).to_le_bytes();
    let before = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat();
    io::Cursor::new(before).chain(io::repeat(7).take(given as u64))
}

/// The most bytes for a file after this many have arrived: what it takes before any has, and 16 times as many.
fn most(given: usize) -> isize {
    ((1 << 20) + 17 * given + (64 << 10)) as isize
}

/// Reads the tensor of a file that ends too early, and returns the error.
fn read(claimed: usize, given: usize) -> (String, Counts) {
    let file = short(claimed, given);
    measured(|| {
        let file = npy::File::open(file).unwrap();
        let layout = Layout::of("HW", file.shape(), ElementType::U8).unwrap();
        let layout = Dynamic::<u8, 2>::new(layout).unwrap();
        file.read(layout).map(|_| ()).unwrap_err().to_string()
    })
}

/// The same for an array.
fn array(claimed: usize, given: usize) -> (String, Counts) {
    let file = short(claimed, given);
    measured(|| npy::File::open(file).unwrap().array().map(|_| ()).unwrap_err().to_string())
}

#[test]
fn a_claim_allocates_nothing() {
    let largest = isize::MAX as usize;
    for claimed in [2000, (1 << 20) + 1, 3_000_000_000usize, largest / 1024, largest] {
        for given in [0, 1, 1999, (1 << 20) - 1, 1 << 20, 3_000_000, 5 << 20] {
            for read in [read, array] {
                if given < claimed {
                    let (error, counts) = read(claimed, given);
                    let text = format!("file ends after {given} of the {claimed} bytes of its");
                    assert!(error.starts_with(&text), "{error}");
                    assert!(counts.peak <= most(given), "{claimed}, {given}: {counts:?}");
                }
            }
        }
    }
}

#[test]
fn files_of_every_length_arrive_whole() {
    // Beside the sizes at which a buffer grows.
    const MIB: usize = 1 << 20;
    for size in [0, 1, 2, MIB - 1, MIB, MIB + 1, 3 * MIB + 5, 16 * MIB + 15, 16 * MIB + 16] {
        let bytes = || (0..size).map(|i| (i % 251) as u8);
        let mut header = Vec::new();
        short(size, 0).read_to_end(&mut header).unwrap();
        let file = header.into_iter().chain(bytes()).collect::<Vec<_>>();
        let layout = Layout::of("HW", &[size, 1], ElementType::U8).unwrap();
        let layout = Dynamic::<u8, 2>::new(layout).unwrap();
        // A reader that gives odd numbers of bytes at a time, and more bytes after the array.
        let mut reader =
            Some(&file[..]).into_iter().chain([&[9; 5][..]]).flat_map(|file| file.chunks(99_991));
        let mut rest: &[u8] = &[];
        let reader = Parts(move |buffer: &mut [u8]| {
            if rest.is_empty() {
                rest = reader.next().unwrap_or_default();
            }
            let count = rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            rest = &rest[count..];
            count
        });
        let (tensor, counts) = measured(|| npy::read(layout, reader).unwrap());
        assert!(bytes().eq(tensor.buffer().iter().copied()), "{size}");
        assert!(counts.peak as usize <= size + size / 16 + (64 << 10), "{size}: {counts:?}");
    }
}

/// A reader that is a function.
struct Parts<F>(F);

impl<F: FnMut(&mut [u8]) -> usize> Read for Parts<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok((self.0)(buffer))
    }
}

#[test]
fn what_memory_does_not_hold_is_an_error() {
    // The file goes on, and memory ends.
    let (claimed, endless) = (3_000_000_000usize, 1 << 60);
    for refused in 0..3 {
        let file = short(claimed, endless);
        let (error, _) = refusing(refused, || {
            npy::File::open(file).unwrap().array().map(|_| ()).unwrap_err().to_string()
        });
        assert!(error.starts_with("could not allocate the 3000000000 bytes of layout "), "{error}");
    }
}

#[test]
fn claims_of_other_files() {
    let header =
        r#"{"a":{"dtype":"F32","shape":[1125899906842624],"data_offsets":[0,4503599627370496]}}"#;
    let file = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[7; 8]].concat();
    let (result, counts) = measured(|| safetensors::File::new(&file).map(|_| ()));
    assert!(result.is_err() && counts.peak < 64 << 10, "{counts:?}");
    let mut long = file.clone();
    long[..8].copy_from_slice(&90_000_000u64.to_le_bytes());
    let (result, counts) = measured(|| safetensors::File::new(&long).map(|_| ()));
    assert!(result.is_err() && counts.peak < 64 << 10, "{counts:?}");
    // Entries of a file are written one after the other.
    let layout = Layout::of("HW", &[1024, 1024], ElementType::F32).unwrap();
    let tensor = Tensor::zeroed_in(Dynamic::<f32, 2>::new(layout).unwrap()).unwrap();
    let names = ["a", "b", "c", "d"];
    let entries = names.map(|name| (name, safetensors::Entry::new(&tensor).unwrap()));
    let (result, counts) = refusing(0, || safetensors::write(entries, io::sink()));
    assert!(result.is_ok() && counts.peak < 64 << 10, "{counts:?}");
}
