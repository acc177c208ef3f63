//! Comparisons of values, and names of files that are not text.

use std::fs;

use super::{Folder, Stored, floats, layout, safetensors};

#[test]
fn values_of_other_elements_are_compared() {
    let folder = Folder::new("compared");
    let list = |dtype: &str, bytes: Vec<u8>, size| (dtype.into(), vec![bytes.len() / size], bytes);
    let single =
        |own: &[f32]| list("F32", own.iter().flat_map(|own| own.to_le_bytes()).collect(), 4);
    let half = |own: &[u16]| list("F16", own.iter().flat_map(|own| own.to_le_bytes()).collect(), 2);
    // 1, 2.5 and 3 are halves.
    let first = [
        ("kept", single(&[1.0, 2.5])),
        ("rounded", half(&[0x3c00, 0x4100, 0x4200])),
        ("wide", list("F64", 0.1f64.to_le_bytes().to_vec(), 8)),
        ("zero", single(&[1.0, 0.0])),
        ("whole", single(&[1.0])),
        ("lost", single(&[1.0, f32::NAN])),
    ];
    let second = [
        ("kept", half(&[0x3c00, 0x4100])),
        ("rounded", single(&[1.0, 2.25, 7.0])),
        ("wide", single(&[0.1])),
        ("zero", single(&[1.0, -0.0])),
        ("whole", list("I32", vec![1, 0, 0, 0], 4)),
        ("lost", single(&[1.5, 5.0])),
    ];
    let write = |name: &str, tensors: &[(&str, Stored)]| folder.write(name, safetensors(tensors));
    let own = layout(&["diff", &write("1.safetensors", &first), &write("2.safetensors", &second)]);
    assert_eq!(
        String::from_utf8_lossy(&own.stdout),
        "kept: equal values, [2] of f32 and [2] of f16\n\
         rounded: values differ, first at [1], by at most 4\n\
         wide: values differ, first at [0], by at most 0.0000000014901161138336505\n\
         zero: bits of equal numbers differ, first at [1]\n\
         whole: [1] of f32 and [1] of i32\n\
         lost: values differ, first at [0], by at most inf\n\
         1 of 6 tensors have equal values\n"
    );
}

/// Names of files are bytes, and not all are text.
#[cfg(unix)]
#[test]
fn names_of_files_are_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new("bytes");
    let path = |name: &[u8]| folder.0.join(OsStr::from_bytes(name)).into_os_string();
    let (input, rules) = (path(b"\xff.safetensors"), path(b"\xfd.toml"));
    let (output, third) = (path(b"\xfe.safetensors"), path(b"\xfc.safetensors"));
    fs::write(&input, safetensors(&[("a", floats(&[3], 0))])).expect("a file");
    fs::write(&rules, "[[rule]]\nmatch = '*'\n").expect("a file");
    let run = |arguments: &[&OsStr]| {
        let own = std::process::Command::new(crate::LAYOUT).args(arguments).output();
        let own = own.expect("the program runs");
        assert!(own.status.success(), "{}", String::from_utf8_lossy(&own.stderr));
    };
    let [repack, diff, find] = ["repack", "diff", "inspect"].map(OsStr::new);
    run(&[
        repack,
        &input,
        &output,
        OsStr::new("--rules"),
        &rules,
        OsStr::new("--max-shard"),
        OsStr::new("1MB"),
    ]);
    run(&[&output, OsStr::new("=>"), OsStr::new("M"), OsStr::new("-o"), &third]);
    run(&[diff, &input, &output]);
    run(&[find, &third]);
}
