//! .npz files: archives of arrays, as numpy writes them.

use super::{Folder, floats, read, safetensors};
use crate::{layout, printed};

/// The bytes of an .npy file.
pub(super) fn npy(descr: &str, fortran: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    [file, text.into_bytes(), bytes.to_vec()].concat()
}

/// An archive of files that are not compressed, with numbers of 8 bytes where `is_long`.
pub(super) fn archive(files: &[(&str, &[u8])], is_long: bool) -> Vec<u8> {
    let numbers = |own: &[u32]| own.iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
    let longs = |own: &[u64]| own.iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
    let shorts = |own: &[u16]| own.iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let (at, size, length) = (all.len(), bytes.len(), name.len() as u16);
        // numpy's local headers have the long form always.
        all.extend(
            [&b"PK\x03\x04"[..], &shorts(&[45, 0, 0, 0, 0]), &numbers(&[0, !0, !0])].concat(),
        );
        all.extend([shorts(&[length, 20]), name.as_bytes().to_vec(), shorts(&[1, 16])].concat());
        all.extend([longs(&[size as u64; 2]), bytes.to_vec()].concat());
        let own = |own: usize| if is_long { !0 } else { own as u32 };
        let extra = match is_long {
            true => {
                [shorts(&[7, 2, 9, 1, 24]), longs(&[size as u64, size as u64, at as u64])].concat()
            }
            false => Vec::new(),
        };
        directory.extend([&b"PK\x01\x02"[..], &shorts(&[45, 45, 0, 0, 0, 0])].concat());
        directory.extend(numbers(&[0, own(size), own(size)]));
        directory.extend(shorts(&[length, extra.len() as u16, 0, 0, 0]));
        directory.extend([numbers(&[0, own(at)]), name.as_bytes().to_vec(), extra].concat());
    }
    let (at, size, count) = (all.len() as u64, directory.len() as u64, files.len() as u64);
    all.extend(directory);
    let end = all.len() as u64;
    if is_long {
        all.extend(
            [&b"PK\x06\x06"[..], &longs(&[44]), &shorts(&[45, 45]), &numbers(&[0, 0])].concat(),
        );
        all.extend(longs(&[count, count, size, at]));
        all.extend([&b"PK\x06\x07"[..], &numbers(&[0]), &longs(&[end]), &numbers(&[1])].concat());
    }
    let own = |own: u64| if is_long { !0 } else { own as u32 };
    let count = if is_long { !0 } else { count as u16 };
    all.extend([&b"PK\x05\x06"[..], &shorts(&[0, 0, count, count])].concat());
    all.extend([numbers(&[own(size), own(at)]), shorts(&[3]), b"xyz".to_vec()].concat());
    all
}

/// Little memory is enough for an array whose first axis is the fastest: each read gives many of its elements.
#[test]
fn an_array_in_fortran_order_is_turned_in_little_memory() {
    let folder = Folder::new("turned");
    let extent = 28;
    let number = |i: usize| (i as u32).to_le_bytes();
    let bytes: Vec<u8> = (0..extent * extent * extent * extent).flat_map(number).collect();
    let input = folder.write("in.npy", npy("<u4", "True", "(28, 28, 28, 28)", &bytes));
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.safetensors");
    printed(&["repack", &input, &output, "--rules", &rules, "--memory", "1088KiB"]);
    let (all, _) = read(&output);
    let (_, _, turned) = all.values().next().expect("a tensor");
    for (i, own) in turned.chunks(4).enumerate() {
        let [a, b, c, d] = [3, 2, 1, 0].map(|power| i / extent.pow(power) % extent);
        assert_eq!(own, number(((d * extent + c) * extent + b) * extent + a), "{i}");
    }
}

#[test]
fn an_archive_is_its_arrays() {
    let folder = Folder::new("archives");
    let (w, b) = (floats(&[30, 7], 1), floats(&[5], 2));
    let turned: Vec<u8> = (0..6u8).flat_map(|i| [0, i / 2 + i % 2 * 3]).collect();
    let files = [
        ("w.npy", npy("<f4", "False", "(30, 7)", &w.2)),
        ("layers/b.npy", npy("<f4", "False", "(5,)", &b.2)),
        ("turned.npy", npy(">i2", "True", "(2, 3)", &turned)),
        ("none.npy", npy("<f4", "False", "(0, 4)", &[])),
        ("one.npy", npy("<f8", "False", "()", &1f64.to_le_bytes())),
    ];
    let files = files.each_ref().map(|(name, own)| (*name, &own[..]));
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.safetensors");
    for is_long in [false, true] {
        let input = folder.write("in.npz", archive(&files, is_long));
        printed(&["repack", &input, &output, "--rules", &rules, "--check"]);
        let (all, _) = read(&output);
        assert_eq!((&all["w"], &all["layers/b"], all.len()), (&w, &b, 5));
        let whole = (0..6u8).flat_map(|i| [i, 0]).collect();
        assert_eq!(all["turned"], ("I16".into(), vec![2, 3], whole));
        assert_eq!((&all["none"].1, &all["one"].1), (&vec![0, 4], &Vec::new()));
    }
    let text = printed(&["inspect", &folder.path("in.npz")]);
    assert!(
        text.contains("\nw         [30, 7]  f32        840  layout!(AB<30, 7>, f32)\n"),
        "{text}"
    );
    assert!(text.contains("  8  layout!(SCALAR, f64)\n"), "{text}");
    assert!(text.contains("  0  no elements; make its layout at run time\n"), "{text}");
}

#[test]
fn wrong_archives_are_a_sentence() {
    let folder = Folder::new("broken");
    let one = npy("<f4", "False", "(2,)", &[0; 8]);
    let good = archive(&[("a.npy", &one)], false);
    let at = |needle: &[u8]| good.windows(needle.len()).position(|own| own == needle).unwrap();
    let (directory, end) = (at(b"PK\x01\x02"), at(b"PK\x05\x06"));
    let with = |at: usize, own: u8| {
        let mut file = good.clone();
        file[at] = own;
        file
    };
    let broken = "its directory of arrays is broken; copy the whole file again";
    for (file, part) in [
        (with(directory + 10, 8), "`a.npy`: it is compressed; save the arrays by `numpy.savez`"),
        (with(directory + 8, 1), "`a.npy`: it is compressed"),
        (with(directory + 24, 0), "`a.npy`: it "),
        (with(directory + 46, 0xff), broken),
        (with(directory + 42, 9), broken),
        (with(directory + 43, 9), broken),
        (with(directory, 0), broken),
        (with(directory + 28, 250), broken),
        (with(end + 16, 3), broken),
        (with(end + 15, 255), "its directory has 1 arrays in 4278"),
        (good[..end].to_vec(), broken),
        (b"PK\x03\x04".to_vec(), broken),
        (archive(&[("a.txt", &one)], false), "`a.txt`: it is not an array"),
        (archive(&[("a.npy", b"nothing of the kind")], false), "`a.npy`: "),
        (
            archive(&[("a.npy", &[&one[..], b"x"].concat())], false),
            "header and elements take 67 and 8",
        ),
        (archive(&[("a.npy", &one), ("a.npy", &one)], false), "two tensors are named `a`"),
    ] {
        let input = folder.write("in.npz", file);
        let own = layout(&["inspect", &input]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(own.status.code() == Some(1) && error.contains(part), "{part}: {error}");
        assert_eq!(error.lines().count(), 1, "{part}: {error}");
    }
    let input = folder.write("in.safetensors", safetensors(&[("a", floats(&[2], 0))]));
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let own = layout(&["repack", &input, &folder.path("x.npz"), "--rules", &rules]);
    assert!(String::from_utf8_lossy(&own.stderr).contains("the format of"));
}
