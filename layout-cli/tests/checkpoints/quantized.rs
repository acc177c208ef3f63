//! Tensors that are quantized to blocks of a record.

use super::{Folder, floats, read, rows, safetensors, values};
use crate::{layout, printed};

/// ggml's Q8_0 of 32 numbers: a scale as a half, and integers.
fn block(numbers: &[f32]) -> (u16, Vec<u8>) {
    let greatest = numbers.iter().fold(0f32, |most, own| most.max(own.abs()));
    let scale = greatest / 127.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let codes = numbers.iter().map(|own| (own * inverse).round() as i8 as u8).collect();
    (half(scale), codes)
}

/// The half nearest to a number from 2^-14 to 2^15, or 0.
fn half(number: f32) -> u16 {
    if number == 0.0 {
        return 0;
    }
    let bits = number.to_bits() - (112 << 23);
    let (kept, rest) = (bits >> 13, bits & 0x1fff);
    let is_above = rest > 0x1000 || rest == 0x1000 && kept & 1 == 1;
    (kept + u32::from(is_above)) as u16
}

#[test]
fn rows_become_blocks() {
    let folder = Folder::new("quantized");
    let (m, k) = (404, 1024);
    let mut weights = floats(&[m, k], 5);
    weights.2[..128].fill(0);
    let tensors = [("w", weights.clone()), ("b", floats(&[3], 0)), ("none", floats(&[0, 64], 0))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let repacked = |to: &str, more: &str| {
        let text = format!(
            "[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = '{to}'\n{more}\n[[rule]]\nmatch = 'none'\naxes = 'MK'\n\
             to = 'MK<_, _>, ggml::Q8_0'\n[[rule]]\nmatch = '*'\n"
        );
        let rules = folder.write("rules.toml", text);
        let output = folder.path("out.safetensors");
        printed(&["repack", &input, &output, "--rules", &rules, "--memory", "2560KiB", "--check"]);
        let (mut all, metadata) = read(&output);
        assert_eq!((&all["b"], all["none"].2.len()), (&tensors[1].1, 0));
        let text = metadata["tensor_layout.w"].as_str().expect("a text").to_string();
        (all.remove("w").unwrap(), text)
    };

    let blocks: Vec<_> = values(&weights).chunks(32).map(block).collect();
    let plain: Vec<u8> = blocks
        .iter()
        .flat_map(|(scale, codes)| [&scale.to_le_bytes()[..], codes].concat())
        .collect();
    let (own, text) = repacked("MK<_, _>, ggml::Q8_0", "");
    assert_eq!((own.0.as_str(), own.1, own.2 == plain), ("U8", vec![plain.len()], true));
    assert!(text.starts_with("v1:MK<404, 1024>, { d: f16, q: 32k i8 }"), "{text}");

    // Four rows side by side: their scales, then eight codes of each in turn.
    let mut packed = Vec::new();
    for four in blocks.chunks(4 * k / 32) {
        for column in 0..k / 32 {
            let of = |row: usize| &four[row * k / 32 + column];
            (0..4).for_each(|row| packed.extend(of(row).0.to_le_bytes()));
            for part in 0..4 {
                (0..4).for_each(|row| packed.extend(&of(row).1[8 * part..8 * part + 8]));
            }
        }
    }
    assert!(repacked("MK<_, _>, ggml::q8_0x4_8", "quantizer = 'absmax'").0.2 == packed);

    // GGUF has the type.
    let rules = folder.write(
        "gguf.toml",
        "[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q8_0'\n[[rule]]\nmatch = '*'\n",
    );
    let output = folder.path("out.gguf");
    let own = layout(&["repack", &input, &output, "--rules", &rules, "--memory", "2560KiB"]);
    assert!(own.status.success(), "{}", String::from_utf8_lossy(&own.stderr));
    let text = printed(&["inspect", &output]);
    assert!(text.contains("[404, 1024]  ggml::Q8_0"), "{text}");
    let file = std::fs::read(&output).expect("the file");
    assert!(file.windows(400).any(|own| *own == plain[..400]));
    assert_eq!(rows(&weights, 0..1)[..32], [0.0; 32]);
}

#[test]
fn what_cannot_be_quantized() {
    let folder = Folder::new("unquantized");
    // What can be, without rules.
    let one = folder.write("one.safetensors", safetensors(&[("w", floats(&[2, 64], 0))]));
    let output = folder.path("blocks.safetensors");
    printed(&[&one, "=>", "MK<_, _>, ggml::Q8_0", "-o", &output]);
    assert_eq!(read(&output).0["w"].1, [136]);
    std::fs::remove_file(&one).and_then(|()| std::fs::remove_file(&output)).expect("two files");
    let tensors = [("w", floats(&[6, 64], 0)), ("i", ("I32".into(), vec![2, 32], vec![0; 256]))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    for (rule, part) in [
        ("match = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q9_0'", "`ggml::Q9_0`"),
        ("match = 'w'\naxes = 'KM'\nto = 'MK<_, _>, ggml::Q8_0'", "axis `K` has extent 6"),
        ("match = 'w'\naxes = 'MK'\nto = 'MK<6, 32>, ggml::Q8_0'", "write `_` for extents"),
        ("match = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::q8_0x4_8'", "M"),
        ("match = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q4_K'", "K"),
        ("match = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q8_0'\nquantizer = 'best'", "absmax"),
        ("match = 'w'\nquantizer = 'absmax'", "`quantizer` chooses the scales of a record; write"),
        (
            "match = 'w'\naxes = 'MK'\nto = 'MK<_, _>, ggml::Q8_0'\nelement = 'f16'",
            "leave out `element`",
        ),
        (
            "match = 'w'\naxes = 'MK'\nto = '<M = _, K = _>, { q: M K i8; d: M K/32 f16 } = d * q'",
            "2 buffers",
        ),
    ] {
        let rules = folder.write("rules.toml", format!("[[rule]]\n{rule}\n[[rule]]\nmatch = '*'"));
        let output = folder.path("out.safetensors");
        let own = layout(&["repack", &input, &output, "--rules", &rules]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert_eq!(own.status.code(), Some(1), "{rule}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{rule}: {error}");
        assert_eq!(folder.names(), ["in.safetensors", "rules.toml"], "{rule}");
    }
}
