//! Packed files as caches, and in memory without a copy.

use layout_checkpoints::{Checkpoint, CheckpointHeader};
use tensor_layout::records::Record;
use tensor_layout::{Dynamic, Layout, Tensor};

use super::{Folder, floats, gguf, safetensors, values};
use crate::{layout, printed};

fn typed<const RANK: usize>(text: &str) -> Dynamic<f32, RANK> {
    Dynamic::new(Layout::parse(text).expect("a layout")).expect("of these elements")
}

#[test]
fn a_cache_is_fresh_or_written_again() {
    let folder = Folder::new("cached");
    let mut tensors = [("w", floats(&[8, 6], 0))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rule = "[[rule]]\nmatch = '*'\naxes = 'MK'\nto = 'MK4m'\n";
    let rules = folder.write("rules.toml", rule);
    for output in ["out.safetensors", "out.gguf"].map(|name| folder.path(name)) {
        let time = || std::fs::metadata(&output).and_then(|own| own.modified()).expect("a time");
        // Whether the output is another file than before.
        let is_written = |input: &str| {
            let before = std::fs::metadata(&output).is_ok().then(time);
            std::thread::sleep(std::time::Duration::from_millis(20));
            let own = layout(&["repack", input, &output, "--rules", &rules, "--cached"]);
            assert!(own.status.success(), "{}", String::from_utf8_lossy(&own.stderr));
            before != Some(time())
        };
        assert!(is_written(&input) && !is_written(&input));
        // Bytes that change, rules that change, an output of other rules, and one that is cut off.
        tensors[0].1.2[5] ^= 1;
        folder.write("in.safetensors", safetensors(&tensors));
        assert!(is_written(&input) && !is_written(&input));
        folder.write("rules.toml", format!("# another text\n{rule}"));
        assert!(is_written(&input) && !is_written(&input));
        let file = std::fs::read(&output).expect("the output");
        std::fs::write(&output, &file[..file.len() - 32]).expect("a shorter one");
        assert!(is_written(&input) && !is_written(&input));
        // The key of an input is not that of an output.
        let copy = folder.path(&output.rsplit('/').next().expect("a name").replace("out", "copy"));
        printed(&["repack", &output, &copy, "--rules", &rules]);
        let all = std::fs::read(copy).expect("the copy");
        assert!(!String::from_utf8_lossy(&all).contains("tensor_layout_key"));
        // Without the option, all is written.
        for _ in 0..2 {
            let before = time();
            std::thread::sleep(std::time::Duration::from_millis(20));
            let own = layout(&["repack", &input, &output, "--rules", &rules]);
            assert!(own.status.success() && time() != before);
        }
        assert!(is_written(&input));
        // What has the key is compared all the same where that is asked for.
        let mut file = std::fs::read(&output).expect("the output");
        let check =
            || layout(&["repack", &input, &output, "--rules", &rules, "--cached", "--check"]);
        assert!(check().status.success());
        *file.last_mut().expect("a byte") ^= 1;
        std::fs::write(&output, &file).expect("another byte");
        let error = String::from_utf8_lossy(&check().stderr).into_owned();
        // GGUF ends with padding, which is not compared.
        let is_padded = output.ends_with("gguf");
        assert!(
            is_padded || error.contains("bytes differ from those that the inputs give"),
            "{error}"
        );
        folder.write("rules.toml", rule);
    }
    let own = layout(&["repack", &input, &folder.path("x.npy"), "--rules", &rules, "--cached"]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(error.contains("an .npy file has no place for the key of a cache"), "{error}");
}

#[test]
fn a_packed_file_is_used_in_place() {
    let folder = Folder::new("mapped");
    let tensors = [("w", floats(&[8, 6], 0)), ("b", floats(&[3], 1))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rules = folder.write(
        "rules.toml",
        "[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = 'MK4m'\n[[rule]]\nmatch = '*'\n",
    );
    let output = folder.path("out.safetensors");
    printed(&["repack", &input, &output, "--rules", &rules]);
    let file = std::fs::read(&output).expect("the output");
    // Words, as those of a mapped page.
    let mut words = vec![0u64; file.len().div_ceil(8)];
    let mapped = tensor_layout::plain::cast_mut(&mut words);
    mapped[..file.len()].copy_from_slice(&file);
    let mapped = &mapped[..file.len()];
    let header = CheckpointHeader::read(&mut &mapped[..]).expect("a header");
    let find = |name: &str| header.tensors.iter().find(|own| own.name == name).expect("a tensor");
    let own = values(&tensors[0].1);
    let packed = find("w").tensor_in(mapped, typed::<2>("MK4m<8, 6>, f32")).expect("in place");
    assert!(mapped.as_ptr_range().contains(&packed.buffer().as_ptr().cast()));
    assert!((0..48).all(|i| packed[[i / 6, i % 6]] == own[i]));
    let bias = find("b").tensor_in(mapped, typed::<1>("N<3>, f32")).expect("an array");
    assert_eq!(bias[[1]], values(&tensors[1].1)[1]);
    let refused =
        |text: &str| find("w").tensor_in(mapped, typed::<2>(text)).unwrap_err().to_string();
    let part =
        "is MK4m<8, 6>, f32 in its file, and not `MK<8, 6>, f32`; repack it, or read it into";
    assert!(refused("MK<8, 6>, f32").contains(part));
    let cut = find("w").tensor_in(&mapped[..100], typed::<2>("MK4m<8, 6>, f32")).unwrap_err();
    assert!(
        cut.to_string().starts_with("the file has 100 bytes, and tensor `w` has 192 from byte")
    );
}

/// Into another layout, or a refusal.
#[test]
fn a_tensor_is_read_into_a_layout() {
    let folder = Folder::new("read");
    let tensors = [("w", floats(&[8, 6], 0))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = 'MK4m'\n");
    let output = folder.path("out.safetensors");
    printed(&["repack", &input, &output, "--rules", &rules]);
    let own = values(&tensors[0].1);
    let checkpoint = Checkpoint::open(&[&output]).expect("the output");
    let turned: Tensor<Dynamic<f32, 2>> =
        checkpoint.read_tensor("w", typed("KM<K = 6, M = 8>, f32")).expect("another layout");
    assert!((0..48).all(|i| turned.buffer()[i] == own[i % 8 * 6 + i / 8]));
    for (name, text, part) in [
        (
            "w",
            "AB<8, 6>, f32",
            "has f32 of shape [8, 6] and axes MK, which `AB<8, 6>, f32` has not",
        ),
        ("w", "MK<6, 8>, f32", "has f32 of shape [8, 6] and axes MK"),
        ("x", "MK<6, 8>, f32", "there is no tensor `x`"),
    ] {
        let error = checkpoint.read_tensor(name, typed::<2>(text)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn blocks_are_used_in_place() {
    let folder = Folder::new("blocks");
    let input = folder.write("in.gguf", gguf());
    let file = gguf();
    let header = CheckpointHeader::read(&mut &file[..]).expect("a header");
    let blocks = header.tensors.iter().find(|own| own.name == "q").expect("blocks");
    let record = |text: &str| Record::parse(text).expect("a record");
    let own = blocks.record_in(&file, record("MK<2, 64>, ggml::Q8_0")).expect("in place");
    // The file's bytes are 0, 1, 2 and so on: two of a scale, and 32 codes.
    assert_eq!(own.field::<i8>("q").expect("codes").get([1, 33]), Some(105));
    assert!(blocks.record_in(&file, record("MK<2, 64>, ggml::Q4_0")).is_err());
    let numbers = Checkpoint::open(&[&input])
        .and_then(|own| own.read_tensor("q", typed::<2>("MK<2, 64>, f32")));
    // The first scale is 0x0100, and the codes of its block are 2 and more.
    assert_eq!(numbers.expect("numbers")[[0, 1]], 3.0 * 256.0 * 2f32.powi(-24));
}
