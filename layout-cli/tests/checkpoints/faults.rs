//! What is wrong is said in a sentence, and no output is left under its name.

use std::process::Command;

use super::super::{LAYOUT, layout, printed};
use super::archives::npy;
use super::{Folder, floats, safetensors};

/// Rules, and a part of the sentence about them. All are for tensors `a` of 4 x 6 and `b` of 3.
const RULES: &[(&str, &str)] = &[
    ("[[rule]]\nmatch = 'a'", "no rule fits 1 tensors, such as `b`; add a rule"),
    ("[[rule]]\nmatch = '*'\nname = 'c'", "two outputs are named `c`; write another `name`"),
    ("[[rule]]\n\nmatch = 'a'\ndorp = true", "rules.toml, line 4: `dorp` is not a key of a rule; "),
    ("[[rule]]\nmatch = ", "rules.toml, line 2: "),
    ("[[rule]]\nmatch = 3", "line 2: this is a number; write a text in quotes"),
    ("rule = 3", "line 1: `rule` is not a rule; write [[rule]] before each"),
    ("[[rule]]\nto = 'KM'", "line 1: a rule has one of `match` and `fuse`"),
    ("[[rule]]\nmatch = '*'\nto = 'KM'", "`to` needs the letters of the file's axes"),
    ("[[rule]]\nmatch = '*'\nname = '{2}'", "`{2}`: there is no `*` number 2"),
    ("[[rule]]\nmatch = '*'\naxes = 'MK'", "tensor `b`: its shape is [3], and `axes` is `MK`"),
    ("[[rule]]\nmatch = '*'\nelement = 'i8'", "f32 is not converted to i8"),
    ("[[rule]]\nmatch = '*'\nelement = 'f99'", "`f99` is not an element type of whole bytes"),
    ("[[rule]]\nmatch = '*'\nshard = 1", "`1` is not an axis"),
    ("[[rule]]\nmatch = '*'\ndrop = 'true'", "line 3: this is a text; write true or false"),
    ("[[rule]]\nmatch = '*'\npad = { M = 0 }", "line 3: this is 0; write a number from 1 on"),
    ("[[rule]]\nmatch = '*'\npad = { M = -1 }", "line 3: this is -1; write a number from 1 on"),
    ("[[rule]]\nmatch = '*'\ngroups = 2", "line 1: `axis` and `groups` belong to `fuse` or"),
    (
        "[[rule]]\nmatch = '*'\nsplit = []",
        "line 3: this is an empty list; write a list in brackets",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\npad = { MK = 8 }\n[[rule]]\nmatch = '*'",
        "`MK` is not an axis of MK",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nshard = 'MK'\n[[rule]]\nmatch = '*'",
        "`MK` is not an axis of MK",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nshard = ''\n[[rule]]\nmatch = '*'",
        "`` is not an axis of MK",
    ),
    (
        "[[rule]]\nmatch = 'a'\npad = { 0 = 9223372036854775807 }\n[[rule]]\nmatch = '*'",
        "an array of shape [9223372036854775807, 6] of f32 is too large",
    ),
    (
        "[[rule]]\nmatch = 'a'\nsplit = ['x', 'y']\naxis = 0\n\
         sizes = [9223372036854775810, 9223372036854775810]\n[[rule]]\nmatch = '*'",
        "the parts take too many of the 4 coordinates",
    ),
    (
        "[[rule]]\nfuse = ['a', 'b']\nname = 'c'\naxis = 0",
        "shapes [4, 6] and [3] differ besides axis 0",
    ),
    (
        "[[rule]]\nfuse = ['a', 'c']\nname = 'c'\naxis = 0\n[[rule]]\nmatch = '*'",
        "no tensor fits `c`; correct the pattern",
    ),
    ("[[rule]]\nfuse = ['a', 'a']\nname = 'c'\naxis = 0", "line 1: `fuse` has a pattern twice"),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MK4k'\n[[rule]]\nmatch = '*'",
        "in `MK4k<M = _, K = _>, f32`: axis `K` has extent 6, which is not a multiple of its block 4; write 4 or 8, or add the option `pad`",
    ),
    (
        "[[rule]]\nmatch = 'a'\nsplit = ['x', 'y']\naxis = 0\nsizes = [3, 2]\n[[rule]]\nmatch = '*'",
        "the parts take 5 of the 4",
    ),
    (
        "[[rule]]\nmatch = 'a'\nsplit = ['x', 'y', 'z']\naxis = 0\n[[rule]]\nmatch = '*'",
        "extent 4, which is not a multiple of 3",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MN'\n[[rule]]\nmatch = '*'",
        "tensor `a`: in `MN<M = _, K = _>, f32`: ",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MK<4, 7>, f32'\n[[rule]]\nmatch = '*'",
        "write `_` for extents",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MK4k'\n[[rule]]\nmatch = '*'",
        "axis `K` has extent 6",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q4_0'\n[[rule]]\nmatch = '*'",
        "`MK<_, _>, ggml::Q4_0`",
    ),
    (
        "[[rule]]\nmatch = 'a'\naxes = 'MK'\nto = 'MK<4, 6>, f32, strides = [0, 1], broadcast(M)'\n[[rule]]\nmatch = '*'",
        "cannot hold every element of the source",
    ),
    (
        "[[rule]]\nmatch = '*'\ndrop = true\nelement = 'f16'",
        "`drop` and changes exclude each other",
    ),
];

#[test]
fn wrong_rules_are_a_sentence() {
    let folder = Folder::new("rules");
    let input = folder
        .write("in.safetensors", safetensors(&[("a", floats(&[4, 6], 0)), ("b", floats(&[3], 0))]));
    let output = folder.path("out.safetensors");
    for (text, part) in RULES {
        let rules = folder.write("rules.toml", text);
        let own = layout(&["repack", &input, &output, "--rules", &rules]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert_eq!(own.status.code(), Some(1), "{text}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{text}: {error}");
        assert_eq!(folder.names(), ["in.safetensors", "rules.toml"], "{text}");
    }
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = 'c*'\n[[rule]]\nmatch = '*'");
    let own = layout(&["repack", &input, &output, "--rules", &rules, "--dry-run"]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(
        own.status.success() && error.ends_with("rules.toml, line 1: no tensor fits `c*`\n"),
        "{error}"
    );
    assert_eq!(folder.names(), ["in.safetensors", "rules.toml"]);
}

/// Nothing is written that cannot be read.
#[test]
fn outputs_have_the_limits_of_inputs() {
    let folder = Folder::new("limits");
    let names: Vec<String> = (0..4300).map(|number| format!("{number}")).collect();
    let tensors: Vec<_> = names.iter().map(|name| (name.as_str(), floats(&[0], 0))).collect();
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let long = "n".repeat(4090);
    for (name, part) in [
        (
            format!("{long}1234567"),
            "the name of a tensor has 4097 bytes, more than 4096; rename it",
        ),
        (
            format!("{long}{{1}}"),
            "headers have at most 16777216 bytes; correct the path, or save several",
        ),
        (String::new(), "the name of a tensor is empty; rename it"),
    ] {
        let more = if name.ends_with('}') { "" } else { "[[rule]]\nmatch = '*'\n" };
        let first = if more.is_empty() { "*" } else { "7" };
        let text = format!("[[rule]]\nmatch = '{first}'\nname = '{name}'\n{more}");
        let rules = folder.write("rules.toml", text);
        for output in ["out.safetensors", "out.gguf"] {
            let own = layout(&["repack", &input, &folder.path(output), "--rules", &rules]);
            let error = String::from_utf8_lossy(&own.stderr);
            assert_eq!(own.status.code(), Some(1), "{part}: {error}");
            let is_header = output == "out.gguf" && part.starts_with("headers");
            let part =
                if is_header { "its list of tensors takes more than 16777216 bytes" } else { part };
            assert!(error.contains(part) && error.lines().count() == 1, "{part}: {error}");
        }
        assert_eq!(folder.names(), ["in.safetensors", "rules.toml"]);
    }
}

/// A tensor of two bytes in a header.
const TENSOR: &str = r#"{"dtype":"U8","shape":[2],"data_offsets":[0,2]}"#;

/// A header with its length.
fn json(text: &str) -> Vec<u8> {
    [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
}

/// Files, and a part of the sentence about each.
fn wrong_files() -> Vec<(Vec<u8>, &'static str)> {
    let (tensor, layout_of_other) = (TENSOR, layout_of_other());
    let whole = safetensors(&[("a", floats(&[4, 6], 0))]);
    vec![
        (whole[..whole.len() - 1].to_vec(), "tensor `a` has 96 from byte"),
        (whole[..40].to_vec(), "it ends within its header; copy"),
        (vec![], "it ends too early"),
        (b"hello, world, this is text".to_vec(), "it is not a .safetensors, GGUF or .npy file"),
        (
            json(r#"{"a":3}"#),
            "expected an object of `dtype`, `shape` and `data_offsets`; save it again",
        ),
        (json(r#"{"a":{"dtype":"U8","shape":[2]}}"#), "tensor `a` lacks one of"),
        (
            json(&tensor.replace("U8", "F32").replace('{', r#"{"a":{"#).replace('}', "}}")),
            "takes 8 bytes, and has 2",
        ),
        (json(r#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[3,1]}}"#), "before it begins"),
        (
            json(r#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}"#),
            "the one before it ends at byte 0",
        ),
        (
            json(
                r#"{"a":{"dtype":"U8","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,3]}}"#,
            ),
            "takes more bytes than a file holds, and has 3; save it again",
        ),
        (
            [
                json(&format!(r#"{{"a":{tensor},"a":{}}}"#, tensor.replace("0,2", "2,4"))),
                vec![0; 4],
            ]
            .concat(),
            "two tensors are named `a`",
        ),
        (b"\x93NUMPY\x01\x00\x02\x00{}".to_vec(), "its header has no `descr`"),
        (
            [json(&layout_of_other.replace("v1:MK", "v7:MK")), vec![0; 2]].concat(),
            "reads those that begin with `v1:`",
        ),
    ]
}

/// GGUF files, and a part of the sentence about each.
fn wrong_gguf() -> Vec<(Vec<u8>, &'static str)> {
    let gguf = |bytes: &[u8]| [b"GGUF", bytes].concat();
    let align = [&[17, 0, 0, 0, 0, 0, 0, 0][..], b"general.alignment\x04\0\0\0\x40\0\0\0"].concat();
    let names = [&[0, 16, 0, 0, 0, 0, 0, 0][..], &[b'a'; 4096], &[0; 16]].concat().repeat(4096);
    vec![
        (gguf(&[9, 0, 0, 0, 0, 0, 0, 0]), "its version of GGUF is 9"),
        (
            gguf(&[3, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]),
            "more than 131072",
        ),
        (
            gguf(&[&[3, 0, 0, 0][..], &[0; 8], &[1], &[0; 7], &[255; 8]].concat()),
            "its keys take more than",
        ),
        (
            gguf(&[&[3, 0, 0, 0, 0, 0x11][..], &[0; 14], &names].concat()),
            "its list of tensors takes",
        ),
        (gguf(&[0, 0, 0, 3]), "it is big-endian, and little-endian files are read; "),
        (
            gguf(&[&[3, 0, 0, 0][..], &[0; 8], &[2], &[0; 7], &align, &align].concat()),
            "it has two keys `general.alignment`; ",
        ),
    ]
}

/// Files that are nearly right, and a part of the sentence about each.
fn nearly_right_files() -> Vec<(Vec<u8>, &'static str)> {
    let whole = safetensors(&[("a", floats(&[4, 6], 0))]);
    vec![
        ([&whole[..], &[0]].concat(), "it has 1 bytes after its last tensor"),
        (npy("<f4", "False", "(2,)", &[0; 9]), "it has 1 bytes after its last tensor"),
        (npy("<f4", "False", "(2,)", &[0; 7]), "bytes, and its tensor has 8 from byte"),
        (npy("|O", "False", "(2,)", &[0; 16]), "; save it as another type\n"),
        ([&40u64.to_le_bytes()[..], b"{}  "].concat(), "it ends within its header"),
        (changed(b"\x04\0\0\0\x40\0\0\0", b"\x04\0\0\0\0\0\0\x80"), "its alignment is 2147483648"),
        (
            changed(b"\x08\0\0\0\x40\0", b"\x08\0\0\0\0\0"),
            "begins at byte 0, and the one before it ends at byte 24",
        ),
        (changed(b"\x08\0\0\0\x40\0", b"\x08\0\0\0\x41\0"), "`q` begins at byte 65, and the one"),
        (changed(b"\x08\0\0\0\x40\0", b"\x08\0\0\0\x80\0"), "of which the next multiple of 64 is"),
        (changed(b"\x01\0\0\0\0\0\0\0q", b"\x01\0\0\0\0\0\0\0\xff"), "is not UTF-8"),
        (
            changed(b"\x01\0\0\0\0\0\0\0q", b"\x01\x20\0\0\0\0\0\0q"),
            "has 8193 bytes, more than 4096",
        ),
        (
            changed(b"\x09\0\0\0\x08\0\0\0", b"\x0d\0\0\0\x08\0\0\0"),
            "a value of type 13, and types",
        ),
        (
            changed(b"\x09\0\0\0\x08\0\0\0\x02", &deep()),
            "it has arrays in arrays, more than 4 deep",
        ),
    ]
}

/// The types and counts of arrays in one another.
fn deep() -> Vec<u8> {
    [&[9, 0, 0, 0][..], &b"\x09\0\0\0\x01\0\0\0\0\0\0\0".repeat(5)].concat()
}

/// A GGUF file in which other bytes replace some.
fn changed(from: &[u8], to: &[u8]) -> Vec<u8> {
    let file = super::gguf();
    let at = file.windows(from.len()).position(|own| own == from).expect("those bytes");
    [&file[..at], to, &file[at + from.len()..]].concat()
}

/// A header with a layout that is not that of the bytes.
fn layout_of_other() -> String {
    format!(r#"{{"__metadata__":{{"tensor_layout.a":"v1:MK<2, 2>, u8"}},"a":{TENSOR}}}"#)
}

#[test]
fn wrong_files_are_a_sentence() {
    let folder = Folder::new("files");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'");
    let output = folder.path("out.safetensors");
    for (bytes, part) in [wrong_files(), wrong_gguf(), nearly_right_files()].iter().flatten() {
        let input = folder.write("in.safetensors", bytes);
        let own = layout(&["repack", &input, &output, "--rules", &rules]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert_eq!(own.status.code(), Some(1), "{part}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{part}: {error}");
        assert_eq!(folder.names(), ["in.safetensors", "rules.toml"], "{part}");
    }
    // A layout of half bytes, which is kept alone.
    let half = layout_of_other().replace("v1:MK<2, 2>, u8", "v1:MK<2, 2>, i4");
    let input = folder.write("in.safetensors", [json(&half), vec![0; 2]].concat());
    printed(&["repack", &input, &output, "--rules", &rules]);
    std::fs::remove_file(&output).expect("an output");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\nshard = 0");
    let own = layout(&["repack", &input, &output, "--rules", &rules]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(error.contains("it has elements of i4"), "{error}");
    assert_eq!(folder.names(), ["in.safetensors", "rules.toml"]);
    // A layout that is not that of the bytes.
    let input = folder.write("in.safetensors", [json(&layout_of_other()), vec![0; 2]].concat());
    let text = printed(&["inspect", &input]);
    assert!(text.contains("  the layout of tensor `a` is `MK<2, 2>, u8`, 4 bytes, and"), "{text}");
    assert!(!text.contains("layout!("), "{text}");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\naxes = 'MK'\nto = 'KM'");
    let own = layout(&["repack", &input, &output, "--rules", &rules]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(
        error
            .contains("is `MK<2, 2>, u8`, 4 bytes, and the file has 2 bytes of u8; remove the key"),
        "{error}"
    );
}

#[test]
fn wrong_arguments_are_a_sentence() {
    let folder = Folder::new("arguments");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'");
    let input = folder.write("in.safetensors", safetensors(&[("a", floats(&[600, 600], 0))]));
    let bytes = std::fs::read(&input).expect("the input");
    let target = folder.path("y.safetensors");
    let [partial, journal] =
        ["y.safetensors.partial", "y.safetensors.journal"].map(|name| folder.write(name, &bytes));
    let linked = folder.path("linked.safetensors");
    std::fs::hard_link(&partial, &linked).expect("a link");
    let inner = folder.path("folder.safetensors");
    std::fs::create_dir(&inner).expect("a folder");
    let cases: &[(&[&str], i32, &str)] = &[
        (&["repack"], 2, "no input and output given"),
        (&["repack", &input, "x.safetensors"], 2, "`--rules` is missing"),
        (&["repack", &input, "x", "--rules", &rules], 1, "the format of x is not known"),
        (&["repack", &input, &input, "--rules", &rules], 1, "is an input too"),
        (&["repack", &partial, &target, "--rules", &rules], 1, "is an input too"),
        (&["repack", &journal, &target, "--rules", &rules], 1, "is an input too"),
        (&["repack", &linked, &target, "--rules", &rules], 1, "is an input too"),
        (&["repack", &input, &inner, "--rules", &rules], 1, "is a folder; name a file in it"),
        (&["repack", &input, "x.safetensors", "--rules"], 2, "`--rules` has no value"),
        (&["repack", &input, "x.npy", "--memory", "lots", "--rules", &rules], 2, "`lots` is not a"),
        (
            &["repack", &input, "x.safetensors", "--memory", "64KiB", "--rules", &rules],
            1,
            "the memory is 65536 bytes, and 1088 KiB are the least; give more memory",
        ),
        (
            &["repack", &input, "x.safetensors", "--ranks", "0", "--rules", &rules],
            2,
            "is not a number of ranks",
        ),
        (&["repack", &input, "x.npy", "--max-shard", "1MB", "--rules", &rules], 1, "have an index"),
        (&["repack", &input, "/proc/x.safetensors", "--rules", &rules], 1, "check the path"),
        (&["repack", &input, "/no/x.npy", "--rules", &rules], 1, "there is no folder /no; make it"),
        (
            &["repack", "missing.safetensors", "x.safetensors", "--rules", &rules],
            1,
            "missing.safetensors: ",
        ),
        (&["repack", &input, "x.safetensors", "--rules", "missing.toml"], 1, "missing.toml: "),
        (&["inspect", "--jsn"], 2, "`--jsn` is not an option; see layout inspect --help"),
        (&["inspect", "."], 1, ".: it is a folder; name a file"),
        (&[&input, "=>", "AB"], 2, "is a file; write layout inspect FILE, or layout FILE"),
        (&["repack", &input, "x.npy", "--memory=lots", "--rules", &rules], 2, "`lots` is not a"),
        (&["inspect", &input, "-"], 2, "`-` is standard input"),
        (&["inspect"], 2, "no file given"),
        (&["diff", &input], 2, "two files are compared"),
        (&[&input, "=>", "MK<_", "-o", "x.npy"], 1, "\n  MK<_\n    ^^"),
    ];
    for (arguments, code, part) in cases {
        let own = layout(arguments);
        let error = String::from_utf8_lossy(&own.stderr);
        assert_eq!(own.status.code(), Some(*code), "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
        assert!(matches!(error.lines().count(), 1 | 3), "{arguments:?}: {error}");
    }
    assert!([partial, journal].iter().all(|own| std::fs::read(own).is_ok_and(|own| own == bytes)));
}

/// An archive of many names, all of one array.
#[cfg(target_os = "linux")]
fn long_archive() -> Vec<u8> {
    let array = super::archives::npy("<f4", "False", "(0,)", &[]);
    let mut archive = super::archives::archive(&[("a.npy", &array)], false);
    let at = archive.windows(4).position(|own| own == b"PK\x01\x02").expect("a directory");
    let (entry, end) = (archive[at..].to_vec(), archive.split_off(archive.len() - 25));
    archive.truncate(at);
    for number in 0..65_000 {
        archive.extend(&entry[..28]);
        archive.extend(10u16.to_le_bytes());
        archive.extend(&entry[30..46]);
        archive.extend(format!("{number:06}.npy").bytes());
    }
    let directory = (archive.len() - at) as u32;
    let numbers =
        [&65_000u16.to_le_bytes()[..], &65_000u16.to_le_bytes(), &directory.to_le_bytes()].concat();
    archive.extend([&end[..8], &numbers, &(at as u32).to_le_bytes(), &end[20..]].concat());
    archive
}

/// A GGUF file with a long key, and with many tensors.
#[cfg(target_os = "linux")]
fn long_gguf() -> Vec<u8> {
    let text = |own: &str| [&(own.len() as u64).to_le_bytes()[..], own.as_bytes()].concat();
    let end = [&[1, 0, 0, 0][..], &[0; 8], &[24], &[0; 11]].concat();
    let tensors = (0..1 << 17).flat_map(|i| [text(&format!("{i:084}")), end.clone()].concat());
    let start = b"GGUF\x03\0\0\0\0\0\x02\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    let key = text(&"k".repeat((16 << 20) - 16));
    [start, key, vec![0; 5]].concat().into_iter().chain(tensors).collect()
}

/// A header may claim what it will: it takes at most 64 MiB, besides the program.
#[cfg(target_os = "linux")]
#[test]
fn headers_have_bounded_memory() {
    let folder = Folder::new("headers");
    let texts = [
        (0..400_000)
            .map(|i| format!(r#""{i}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#))
            .collect::<Vec<_>>(),
        vec![format!(
            r#""a":{{"dtype":"U8","shape":[{}0],"data_offsets":[0,0]}}"#,
            "0,".repeat(8_000_000)
        )],
        vec![format!(
            r#""{}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#,
            "n".repeat(16_000_000)
        )],
        vec![format!(
            r#""__metadata__":{{{}"":""}}"#,
            (0..1_500_000).map(|i| format!(r#""{i:x}":"","#)).collect::<String>()
        )],
    ];
    let mut files: Vec<Vec<u8>> = Vec::new();
    for text in texts {
        let mut text = format!("{{{}}}", text.join(",")).into_bytes();
        text.truncate((16 << 20) - 8);
        files.push([&(text.len() as u64).to_le_bytes()[..], &text].concat());
    }
    // A GGUF file that claims 2^60 texts, and one with many of them.
    let head = |count: u64| {
        let mut file = b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0k\x09\0\0\0\x08\0\0\0".to_vec();
        file.extend(count.to_le_bytes());
        file
    };
    files.push(head(1 << 60));
    files.push([head(1 << 60), vec![0; 17 << 20]].concat());
    // One with long layouts that are not UTF-8.
    let text = |own: &[u8]| [&(own.len() as u64).to_le_bytes()[..], own].concat();
    let key = [text(b"tensor_layout.a"), vec![8, 0, 0, 0], text(&vec![255; 15 << 20])].concat();
    files.push([b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0", &key[..], &key].concat());
    files.push(long_gguf());
    files.push(long_archive());
    // An index of many short names.
    let names: String = (0..1_200_000).map(|i| format!(r#""{i:x}":"","#)).collect();
    files.push(format!(r#"{{"x":[{{{names}"":3}}],"weight_map":{{"":""}}}}"#).into_bytes());
    files.push(format!(r#"{{"weight_map":{{{names}"":""}}}}"#).into_bytes());
    for (number, file) in files.iter().enumerate() {
        let name = if file.starts_with(b"{") { "in.index.json" } else { "in.safetensors" };
        let path = folder.write(name, file);
        let limited =
            format!("ulimit -v {}; exec {LAYOUT} inspect {path} >/dev/null", (64 + 24) << 10);
        let own = Command::new("sh").args(["-c", &limited]).output().expect("sh runs");
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(matches!(own.status.code(), Some(0 | 1)), "{number}: {error}");
        assert!(error.lines().count() <= 1, "{number}: {error}");
    }
}

/// A disk that takes no more.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_output() {
    let folder = Folder::new("full");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'");
    let input = folder.write("in.safetensors", safetensors(&[("a", floats(&[600, 600], 0))]));
    let output = folder.path("out.safetensors");
    let limited = format!(
        "ulimit -f 100; trap '' XFSZ; exec {LAYOUT} repack {input} {output} --rules {rules}"
    );
    let own = Command::new("sh").args(["-c", &limited]).output().expect("sh runs");
    let error = String::from_utf8_lossy(&own.stderr);
    assert_eq!(own.status.code(), Some(1), "{error}");
    assert!(error.contains("out.safetensors: ") && error.lines().count() == 1, "{error}");
    assert!(!folder.names().contains(&"out.safetensors".into()));
    // The same command goes on where there is room.
    assert!(layout(&["repack", &input, &output, "--rules", &rules, "--resume"]).status.success());
    assert_eq!(super::read(&output).0["a"], floats(&[600, 600], 0));
    assert_eq!(folder.names(), ["in.safetensors", "out.safetensors", "rules.toml"]);
}
