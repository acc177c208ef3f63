//! Layouts of bytes whose elements are known.

use super::Folder;
use crate::{layout, printed};

/// An .npy file of these extents, whose elements are two bytes, and differ.
fn known(folder: &Folder, extents: &[usize]) -> (String, Vec<u16>) {
    let shape: Vec<String> = extents.iter().map(ToString::to_string).collect();
    let text =
        format!("{{'descr': '<u2', 'fortran_order': False, 'shape': ({},), }}", shape.join(", "));
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((text.len() as u16).to_le_bytes());
    file.extend(text.into_bytes());
    let elements: Vec<u16> =
        (0..extents.iter().product::<usize>()).map(|i| (i * 40503) as u16).collect();
    file.extend(elements.iter().flat_map(|own| own.to_le_bytes()));
    (folder.write("known.npy", file), elements)
}

#[test]
fn the_layout_of_known_elements_is_found() {
    let folder = Folder::new("found");
    let extents = [3, 20, 6, 10];
    let (like, elements) = known(&folder, &extents);
    let [_, c, h, w] = extents;
    let at = |n: usize, y: usize, x: usize, z: usize| elements[((n * c + y) * h + x) * w + z];
    // What lies at each offset, as the formats say: loops from slow to fast.
    let found = |length: usize, place: &dyn Fn([usize; 4]) -> usize| {
        let mut raw = vec![0xffffu16; length];
        for n in 0..3 {
            for y in 0..c {
                for x in 0..h {
                    for z in 0..w {
                        raw[place([n, y, x, z])] = at(n, y, x, z);
                    }
                }
            }
        }
        let bytes: Vec<u8> = raw.iter().flat_map(|own| own.to_le_bytes()).collect();
        let raw = folder.write("raw.bin", bytes);
        printed(&["find", &raw, "--like", &like, "--axes", "NCHW"])
    };
    let plain = found(3600, &|[n, y, x, z]| ((n * c + y) * h + x) * w + z);
    assert_eq!(plain.lines().next(), Some("layout!(NCHW<3, 20, 6, 10>, u16)"));
    let nhwc = found(3600, &|[n, y, x, z]| ((n * h + x) * w + z) * c + y);
    assert_eq!(nhwc, "layout!(NHWC<N = 3, C = 20, H = 6, W = 10>, u16)\n");
    let blocked = found(3 * 2 * 6 * 10 * 16, &|[n, y, x, z]| {
        (((n * 2 + y / 16) * h + x) * w + z) * 16 + y % 16
    });
    assert_eq!(blocked, "layout!(NCHW16c<3, 20, 6, 10>, u16, pad)\n");
    let twice = found(4 * 24 * 60, &|[n, y, x, z]| {
        ((y / 8 * h + x) * w + z) * 32 + y % 8 / 2 * 8 + n * 2 + y % 2
    });
    assert!(twice.contains("layout!(NCHW4c4n2c<3, 20, 6, 10>, u16, pad)\n"), "{twice}");
    let aligned = found(3 * 20 * 6 * 16, &|[n, y, x, z]| ((n * c + y) * h + x) * 16 + z);
    assert!(aligned.starts_with("layout!(NCHW<3, 20, 6, 10>, u16, align(H = 32))\n"), "{aligned}");
    let pitched = found(359 * 13 + 10, &|[n, y, x, z]| ((n * c + y) * h + x) * 13 + z);
    assert!(pitched.starts_with("layout!(NCHW<3, 20, 6, 10>, u16, pitch(H = 26))\n"), "{pitched}");
    let bottom_up = found(3600, &|[n, y, x, z]| ((n * c + y) * h + 5 - x) * w + z);
    assert_eq!(bottom_up, "layout!(NCHW<3, 20, 6, 10>, u16, strides = [1200, 60, -10, 1])\n");

    let raw = folder.write("raw.bin", vec![7; 7200]);
    let own = layout(&["find", &raw, "--like", &like]);
    assert_eq!(own.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&own.stdout).starts_with("no layout was found: "));
    for (arguments, code, part) in [
        (&["find", &raw][..], 2, "write layout find RAW --like KNOWN.npy"),
        (&["find", &raw, "--like", &like, "--axes", "NC"], 1, "and `axes` is `NC`; write a"),
        (&["find", &raw, "--like", &like, "--axes", "NCHH"], 1, "and `axes` is `NCHH`; write a"),
        (&["find", &raw, "--like", &raw], 1, "raw.bin: "),
    ] {
        let own = layout(arguments);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(own.status.code() == Some(code) && error.contains(part), "{arguments:?}: {error}");
    }
}
