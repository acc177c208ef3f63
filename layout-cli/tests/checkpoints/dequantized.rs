//! Blocks of a record that become numbers, and blocks that stay as they are.

use std::fs;

use serde_json::json;

use super::{Folder, floats, gguf, read, safetensors, values};
use crate::{layout, printed};

/// A half as a number, from its definition.
fn of_half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let number = match exponent {
        0 => fraction * 2f32.powi(-24),
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -number } else { number }
}

/// Bytes of ggml's Q4_0 with small scales, and their numbers.
fn blocks(count: usize, seed: usize) -> (Vec<u8>, Vec<f32>) {
    let (mut bytes, mut numbers) = (Vec::new(), Vec::new());
    for i in 0..count {
        let scale = (0x2000 + (i * 37 + seed) % 0x1c00) as u16;
        let codes: Vec<u8> = (0..16).map(|at| (i * 31 + at * 89 + seed) as u8).collect();
        bytes.extend(scale.to_le_bytes());
        bytes.extend(&codes);
        let number = |code: u8| of_half(scale) * (f32::from(code) - 8.0);
        numbers.extend(codes.iter().map(|code| number(code & 15)));
        numbers.extend(codes.iter().map(|code| number(code >> 4)));
    }
    (bytes, numbers)
}

/// A GGUF file of tensors: names, types, shapes and bytes.
fn gguf_of(tensors: &[(&str, u32, &[usize], &[u8])]) -> Vec<u8> {
    let mut file = b"GGUF\x03\0\0\0".to_vec();
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend(0u64.to_le_bytes());
    let mut data: Vec<u8> = Vec::new();
    for (name, kind, shape, bytes) in tensors {
        file.extend((name.len() as u64).to_le_bytes());
        file.extend(name.as_bytes());
        file.extend((shape.len() as u32).to_le_bytes());
        shape.iter().rev().for_each(|&extent| file.extend((extent as u64).to_le_bytes()));
        file.extend(kind.to_le_bytes());
        file.extend((data.len() as u64).to_le_bytes());
        data.extend(*bytes);
        data.resize(data.len().next_multiple_of(32), 0);
    }
    file.resize(file.len().next_multiple_of(32), 0);
    file.extend(data);
    file
}

#[test]
fn blocks_become_numbers() {
    let folder = Folder::new("dequantized");
    let (m, k) = (700, 512);
    let (large, numbers) = blocks(m * k / 32, 3);
    let ((one, first), (two, second)) = (blocks(4 * 64 / 32, 5), blocks(2 * 64 / 32, 8));
    let (experts, deep) = blocks(2 * 3 * 64 / 32, 1);
    let file = gguf_of(&[
        ("large", 2, &[m, k], &large),
        ("a.q", 2, &[4, 64], &one),
        ("a.k", 2, &[2, 64], &two),
        ("experts", 2, &[2, 3, 64], &experts),
    ]);
    let input = folder.write("in.gguf", file);
    let output = folder.path("out.safetensors");
    let repacked = |rules: &str, more: &[&str]| {
        let rules = folder.write("rules.toml", rules);
        let all = ["repack", &input, &output, "--rules", &rules, "--memory", "8MiB", "--check"];
        printed(&[&all[..], more].concat());
    };

    let rules = "[[rule]]\nmatch = 'large'\naxes = 'MK'\nto = 'KM'\nelement = 'f32'\n\
                 [[rule]]\nfuse = ['*.q', '*.k']\nname = '{1}.qk'\naxis = 0\ngroups = 2\nelement = 'f32'\n\
                 [[rule]]\nmatch = 'experts'\nsplit = ['x', 'y', 'z']\naxis = 1\nelement = 'f32'\n";
    repacked(rules, &[]);
    let (own, _) = read(&output);
    let turned = values(&own["large"]);
    assert!(turned.iter().enumerate().all(|(i, &own)| own == numbers[i % m * k + i / m]));
    // A group has 2 rows of q and 1 of k.
    let fused = [&first[..128], &second[..64], &first[128..], &second[64..]].concat();
    assert_eq!(values(&own["a.qk"]), fused);
    let row = |expert: usize, row: usize| &deep[(expert * 3 + row) * 64..][..64];
    assert_eq!(own["y"].1, [2, 1, 64]);
    assert_eq!(values(&own["y"]), [row(0, 1), row(1, 1)].concat());

    let rules = "[[rule]]\nmatch = 'large'\naxes = 'MK'\nelement = 'f32'\nshard = 'K'\n[[rule]]\nmatch = '*'\n";
    repacked(rules, &["--ranks", "2"]);
    for rank in 0..2 {
        let (own, _) = read(folder.path(&format!("out.rank{rank}.safetensors")));
        let at = |i: usize| numbers[i / (k / 2) * k + rank * k / 2 + i % (k / 2)];
        let own = values(&own["large"]);
        assert!(own.iter().enumerate().all(|(i, &own)| own == at(i)));
    }
}

/// Blocks that a .safetensors file names go to GGUF as they are, with any number of axes before that of the blocks.
#[test]
fn blocks_go_from_one_format_to_the_other() {
    let folder = Folder::new("named");
    let input = folder.write(
        "in.safetensors",
        safetensors(&[("e", floats(&[2, 3, 64], 1)), ("w", floats(&[5, 32], 2))]),
    );
    let rules = folder.write(
        "quantize.toml",
        "[[rule]]\nmatch = 'e'\naxes = 'EMK'\nto = 'EMK<_, _, _>, ggml::Q8_0'\n\
         [[rule]]\nmatch = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q4_0'\n",
    );
    let kept = folder.write("keep.toml", "[[rule]]\nmatch = '*'\n");
    let [packed, at_once, later, back] =
        ["a.safetensors", "b.gguf", "c.gguf", "d.safetensors"].map(|name| folder.path(name));
    // GGUF has no place for the keys of the other format, and a line says so.
    for (from, to, rules) in
        [(&input, &packed, &rules), (&input, &at_once, &rules), (&packed, &later, &kept)]
    {
        let own = layout(&["repack", from, to, "--rules", rules, "--check"]);
        assert!(own.status.success(), "{}", String::from_utf8_lossy(&own.stderr));
    }
    assert_eq!(fs::read(&at_once).unwrap(), fs::read(&later).unwrap());
    printed(&["repack", &later, &back, "--rules", &kept]);
    let [own, other] = [&packed, &back].map(|path| read(path).0);
    assert!(own.iter().all(|(name, tensor)| other[name].2 == tensor.2));
    let text = printed(&["inspect", &later]);
    assert!(text.contains("[2, 3, 64]  ggml::Q8_0") && text.contains("[5, 32]"), "{text}");
}

/// Floats of four bits, two in a byte, are numbers where rules compute some, and stay as they are elsewhere.
#[test]
fn elements_of_half_a_byte_become_numbers() {
    let folder = Folder::new("halves");
    let (m, k) = (6, 64);
    let bytes: Vec<u8> = (0..m * k / 2).map(|i| (i * 37 + i / 9) as u8).collect();
    let number = |code: u8| {
        let size = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][usize::from(code & 7)];
        if code > 7 { -size } else { size }
    };
    let numbers: Vec<f32> =
        bytes.iter().flat_map(|own| [number(own & 15), number(own >> 4)]).collect();
    let stored = |shape: &[usize], bytes: &[u8]| ("F4".to_string(), shape.to_vec(), bytes.to_vec());
    let tensors = [("w", stored(&[m, k], &bytes)), ("odd", stored(&[2, 3], &[1, 2, 3]))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let output = folder.path("out.safetensors");
    let repacked = |rules: &str| {
        let text = format!("[[rule]]\nmatch = 'w'\n{rules}\n[[rule]]\nmatch = '*'\n");
        let rules = folder.write("rules.toml", text);
        layout(&["repack", &input, &output, "--rules", &rules, "--check"])
    };
    let tensor = |rules: &str| {
        let own = repacked(rules);
        assert!(own.status.success(), "{rules}: {}", String::from_utf8_lossy(&own.stderr));
        let (mut all, _) = read(&output);
        assert_eq!(all["odd"], tensors[1].1);
        all.remove("w").unwrap()
    };
    assert_eq!(tensor(""), tensors[0].1);
    assert_eq!(values(&tensor("element = 'f32'")), numbers);
    let turned = values(&tensor("axes = 'MK'\nto = 'KM'\nelement = 'f32'"));
    assert!(turned.iter().enumerate().all(|(i, &own)| own == numbers[i % m * k + i / m]));
    let blocks = tensor("axes = 'MK'\nto = 'MK<_, _>, ggml::Q8_0'");
    assert_eq!(blocks.2.len(), m * k / 32 * 34);
    let error = |rules: &str, part: &str| {
        let own = repacked(rules);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(own.status.code() == Some(1) && error.contains(part), "{rules}: {error}");
    };
    error("shard = 0", "tensor `w`: it holds elements of f4e2m1; write `element`, such as");
    error(
        "[[rule]]\nmatch = 'odd'\nelement = 'f32'",
        "rows of 3 elements of f4e2m1 end inside a byte",
    );
    let text = printed(&["inspect", &input]);
    assert!(text.contains("w     [6, 64]  f4e2m1"), "{text}");
    // Its rows end inside a byte: `layout!` refuses the text.
    assert!(!text.contains("layout!(AB<2, 3>"), "{text}");
}

/// The blocks of four rows side by side have the same values, and so have blocks in a .safetensors file.
#[test]
fn blocks_become_other_blocks() {
    let folder = Folder::new("requantized");
    let (m, k) = (700, 512);
    let (large, _) = blocks(m * k / 32, 3);
    let input = folder.write("in.gguf", gguf_of(&[("large", 2, &[m, k], &large)]));
    let rules = folder.write(
        "packed.toml",
        "[[rule]]\nmatch = 'large'\nname = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::q8_0x4_8'\n",
    );
    let packed = folder.path("packed.safetensors");
    printed(&["repack", &input, &packed, "--rules", &rules, "--memory", "8MiB"]);
    let [one, two] = ["ggml::Q8_0", "f32"].map(|to| {
        let text = format!("[[rule]]\nmatch = '*'\naxes = 'MK'\nto = 'MK<_, _>, {to}'\n");
        let rules = folder.write("unpacked.toml", text);
        let output = folder.path(&format!("{}.safetensors", to.len()));
        printed(&["repack", &packed, &output, "--rules", &rules, "--memory", "8MiB", "--check"]);
        output
    });
    // Rows from the middle of four on.
    // Without a key that computes values, no rule cuts blocks.
    for keys in [
        "split = ['x', 'y']\naxis = 0",
        "shard = 0",
        "axes = 'MK'",
        "axes = 'B'\npad = { B = 1000 }",
    ] {
        let rules = folder.write("cut.toml", format!("[[rule]]\nmatch = 'w'\n{keys}\n"));
        let output = folder.path("cut.safetensors");
        let own = layout(&["repack", &packed, &output, "--rules", &rules, "--ranks", "2"]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(
            error.contains("tensor `w`: it holds blocks of a record; write `element`"),
            "{keys}: {error}"
        );
    }
    // The letters are those of the record.
    let rules = folder.write("letters.toml", "[[rule]]\nmatch = '*'\nto = 'MK<_, _>, f32'\n");
    let output = folder.path("letters.safetensors");
    printed(&["repack", &packed, &output, "--rules", &rules, "--memory", "8MiB"]);
    assert_eq!(read(&output), read(&two));
    let rules = folder.write("half.toml", "[[rule]]\nmatch = 'w'\nelement = 'f32'\nshard = 'M'\n");
    let output = folder.path("half.safetensors");
    printed(&["repack", &packed, &output, "--rules", &rules, "--ranks", "2"]);
    let half = values(&read(folder.path("half.rank1.safetensors")).0["w"]);
    assert!(half == values(&read(&two).0["w"])[m / 2 * k..]);
    let text = printed(&["diff", &packed, &one]);
    assert!(text.starts_with("w: equal values, MK<700, 512>, { "), "{text}");
    let text = printed(&["diff", &two, &one]);
    assert!(text.starts_with("w: equal values, MK<700, 512>, f32 and MK<700, 512>, { "), "{text}");
}

#[test]
fn blocks_that_nothing_describes_are_kept() {
    let folder = Folder::new("undescribed");
    let bytes: Vec<u8> = (0..2 * 3 * 110).map(|i| (i * 7) as u8).collect();
    let file = gguf_of(&[("w", 21, &[3, 512], &bytes), ("b", 0, &[2], &[1; 8])]);
    let input = folder.write("in.gguf", &file);
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.gguf");
    printed(&["repack", &input, &output, "--rules", &rules]);
    let text = printed(&["inspect", &output]);
    assert!(text.contains("w     [3, 512]  ggml::IQ3_S    660"), "{text}");
    assert!(printed(&["diff", &input, &output]).starts_with("2 of 2 tensors have equal values"));
    let written = std::fs::read(&output).expect("the output");
    assert!(written.windows(bytes.len()).any(|own| own == bytes));

    let to = "[[rule]]\nmatch = 'w'\nelement = 'f32'\n[[rule]]\nmatch = '*'\n";
    let cut = gguf_of(&[("w", 21, &[3, 100], &bytes)]);
    let unknown = gguf_of(&[("w", 99, &[3, 512], &bytes)]);
    let blocks = folder.write("q.gguf", gguf());
    let shared = "[[rule]]\nmatch = 'q'\nshard = 0\n[[rule]]\nmatch = '*'\n";
    for (input, rules, output, part) in [
        (&input, to, "a.gguf", "it holds ggml::IQ3_S, and can be kept, dropped or renamed alone"),
        (&input, "[[rule]]\nmatch = '*'\n", "a.safetensors", "has no type of ggml::IQ3_S"),
        (&folder.write("cut.gguf", cut), to, "a.gguf", "has rows of 100 numbers, and a block of"),
        (&folder.write("x.gguf", unknown), to, "a.gguf", "has type 99 of GGUF, which this program"),
        (&blocks, shared, "a.gguf", "it holds blocks of a record; write `element`, such as"),
    ] {
        let rules = folder.write("rules.toml", rules);
        let own = layout(&["repack", input, &folder.path(output), "--rules", &rules]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(own.status.code() == Some(1) && error.contains(part), "{part}: {error}");
    }
}

#[test]
fn metadata_of_all_files_is_kept_or_named() {
    let folder = Folder::new("merged");
    let file = |name: &str, tensor: &str, texts: serde_json::Value| {
        let own = safetensors(&[(tensor, floats(&[2], 0))]);
        let text = String::from_utf8_lossy(&own[8..own.len() - 8]).into_owned();
        let text = text.replace(r#"{"format":"pt"}"#, &texts.to_string());
        let start = (text.len() as u64).to_le_bytes();
        folder.write(name, [&start[..], text.as_bytes(), &own[own.len() - 8..]].concat())
    };
    let one = file("1.safetensors", "a", json!({"format": "pt", "x": "1"}));
    let two = file("2.safetensors", "b", json!({"format": "pt", "y": "2"}));
    let three = file("3.safetensors", "c", json!({"x": "3", "z": "4"}));
    let four = folder.write("4.gguf", gguf());
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.safetensors");
    printed(&["repack", &one, &two, &output, "--rules", &rules]);
    assert_eq!(read(&output).1, json!({"format": "pt", "x": "1", "y": "2"}));
    let own = layout(&["repack", &one, &three, &four, &output, "--rules", &rules]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(
        error.contains("3.safetensors has 1 texts for keys of files before it, such as `x`, "),
        "{error}"
    );
    assert!(
        error.contains("4.gguf has metadata of its own, which the output does not have"),
        "{error}"
    );
    let (_, metadata) = read(&output);
    assert_eq!((&metadata["x"], &metadata["z"]), (&json!("1"), &json!("4")));
}
