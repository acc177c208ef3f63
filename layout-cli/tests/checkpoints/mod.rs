//! Checkpoints, as a user of the program has them. Files are written and read here by code of their own.

mod any_bytes;
mod archives;
mod cached;
mod changed_headers;
mod compared;
mod dequantized;
mod faults;
mod found;
mod killed;
mod quantized;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{layout, printed};

/// A folder for the files of a test.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("layout-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").into()
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), bytes).expect("a file");
        self.path(name)
    }

    /// The names of the files.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|own| own.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A tensor: the type's name, the shape and the bytes.
pub(super) type Stored = (String, Vec<usize>, Vec<u8>);

/// The bytes of a .safetensors file.
pub(super) fn safetensors(tensors: &[(&str, Stored)]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".into(), json!({"format": "pt"}));
    let mut data: Vec<u8> = Vec::new();
    for (name, (dtype, shape, bytes)) in tensors {
        let start = data.len();
        data.extend(bytes);
        let offsets = [start, data.len()];
        header.insert(
            (*name).into(),
            json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}),
        );
    }
    let text = Value::from(header).to_string();
    let mut file = (text.len() as u64).to_le_bytes().to_vec();
    file.extend(text.into_bytes());
    file.extend(data);
    file
}

/// The tensors of a .safetensors file, and its metadata.
pub(super) fn read(path: impl AsRef<Path>) -> (BTreeMap<String, Stored>, Value) {
    let file = fs::read(path).expect("the file");
    let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&file[8..8 + length]).expect("JSON");
    let mut tensors = BTreeMap::new();
    let mut metadata = Value::Null;
    for (name, own) in header.as_object().unwrap() {
        if name == "__metadata__" {
            metadata = own.clone();
            continue;
        }
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let numbers =
            |key: &str| -> Vec<usize> { own[key].as_array().unwrap().iter().map(number).collect() };
        let offsets = numbers("data_offsets");
        let bytes = file[8 + length + offsets[0]..8 + length + offsets[1]].to_vec();
        let dtype = own["dtype"].as_str().unwrap().to_string();
        tensors.insert(name.clone(), (dtype, numbers("shape"), bytes));
    }
    (tensors, metadata)
}

/// A tensor whose elements tell their places.
pub(super) fn floats(shape: &[usize], seed: usize) -> Stored {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| ((i * 7 + seed) % 1999) as f32 - 1000.0);
    ("F32".into(), shape.to_vec(), values.flat_map(f32::to_le_bytes).collect())
}

fn values((_, _, bytes): &Stored) -> Vec<f32> {
    bytes.chunks(4).map(|own| f32::from_le_bytes(own.try_into().unwrap())).collect()
}

/// The elements of a matrix at these rows.
fn rows(of: &Stored, rows: impl IntoIterator<Item = usize>) -> Vec<f32> {
    let (all, columns) = (values(of), of.1[1]);
    rows.into_iter().flat_map(|row| all[row * columns..(row + 1) * columns].to_vec()).collect()
}

#[test]
fn tensors_are_fused_split_and_shared_out() {
    let folder = Folder::new("fused");
    let (q, k, all) = (floats(&[8, 6], 1), floats(&[4, 6], 2), floats(&[12, 5], 3));
    let tensors = [("a.q", q.clone()), ("a.k", k.clone()), ("a.all", all.clone())];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rules = folder.write(
        "rules.toml",
        "[[rule]]\nfuse = ['*.q', '*.k']\nname = '{1}.qk'\naxis = 0\ngroups = 2\nshard = 0\n\
         [[rule]]\nmatch = '*.all'\nsplit = ['{1}.x', '{1}.y']\nsizes = [8, 4]\naxis = 'M'\naxes = 'MK'\nshard = 'M'\n",
    );
    let output = folder.path("out.safetensors");
    let table = printed(&["repack", &input, &output, "--rules", &rules, "--dry-run"]);
    let expected = "input  bytes  output  bytes  layout\n\
                    a.q      192  a.qk      288  [12, 6] f32\n\
                    + a.k     96\n\
                    a.all    240  a.x       160  MK<8, 5>, f32\n\
                    a.all    240  a.y        80  MK<4, 5>, f32\n";
    assert!(
        table.starts_with(expected) && table.ends_with(" bytes in all, with headers\n"),
        "{table}"
    );
    printed(&["repack", &input, &output, "--rules", &rules, "--check"]);
    let (own, metadata) = read(&output);
    // A group has 4 rows of q and 2 of k.
    let fused = [rows(&q, 0..4), rows(&k, 0..2), rows(&q, 4..8), rows(&k, 2..4)].concat();
    assert_eq!((own["a.qk"].1.as_slice(), values(&own["a.qk"])), (&[12, 6][..], fused));
    assert_eq!(values(&own["a.x"]), rows(&all, 0..8));
    assert_eq!(values(&own["a.y"]), rows(&all, 8..12));
    assert_eq!(metadata["format"], "pt");
    assert_eq!(metadata["tensor_layout.a.y"], "v1:MK<4, 5>, f32");
    let layout: tensor_layout::Layout = "MK<4, 5>, f32".parse().expect("a layout");
    assert_eq!(metadata["tensor_layout.a.y"], layout.versioned().to_string());

    printed(&["repack", &input, &output, "--rules", &rules, "--ranks", "2", "--check"]);
    for rank in 0..2 {
        let (own, _) = read(folder.path(&format!("out.rank{rank}.safetensors")));
        let fused = [rows(&q, 4 * rank..4 * rank + 4), rows(&k, 2 * rank..2 * rank + 2)].concat();
        assert_eq!(values(&own["a.qk"]), fused);
        assert_eq!(values(&own["a.x"]), rows(&all, 4 * rank..4 * rank + 4));
        assert_eq!(values(&own["a.y"]), rows(&all, 8 + 2 * rank..10 + 2 * rank));
    }
}

#[test]
fn the_least_memory_is_enough_for_short_rows() {
    let folder = Folder::new("least");
    let (m, k) = (700, 900);
    let tensors = [("w", floats(&[m, k], 5))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let output = folder.path("out.safetensors");
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = 'KM'\n");
    printed(&["repack", &input, &output, "--rules", &rules, "--memory", "1088KiB"]);
    let (turned, own) = (values(&read(&output).0["w"]), values(&tensors[0].1));
    assert!(turned.iter().enumerate().all(|(i, &value)| value == own[i % m * k + i / m]));
}

#[test]
fn bands_of_a_large_tensor_join() {
    let folder = Folder::new("bands");
    let (m, k) = (700, 900);
    let tensors = [("w", floats(&[m, k], 5)), ("b", floats(&[3], 0)), ("none", floats(&[0, 4], 0))];
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let own = values(&tensors[0].1);
    let at = |row: usize, column: usize| if row < m { own[row * k + column] } else { 0.0 };
    let output = folder.path("out.safetensors");
    let repacked = |to: &str| {
        let text =
            format!("[[rule]]\nmatch = 'w'\naxes = 'MK'\nto = '{to}'\n[[rule]]\nmatch = '*'\n");
        let rules = folder.write("rules.toml", text);
        printed(&["repack", &input, &output, "--rules", &rules, "--memory", "2500KiB", "--check"]);
        let (mut all, _) = read(&output);
        assert_eq!(all["b"], tensors[1].1);
        assert_eq!(all["none"], tensors[2].1);
        all.remove("w").unwrap()
    };
    let turned = repacked("KM");
    assert_eq!(turned.1, [k, m]);
    assert!(values(&turned).iter().enumerate().all(|(i, &own)| own == at(i % m, i / m)));
    let blocked = repacked("MK16m<_, _>, f32, pad");
    assert_eq!(blocked.1, [m.div_ceil(16), k, 16]);
    let place = |i: usize| (i / (16 * k) * 16 + i % 16, i / 16 % k);
    let is_right = |(i, &own): (usize, &f32)| own == at(place(i).0, place(i).1);
    assert!(values(&blocked).iter().enumerate().all(is_right));
    let half = repacked("MK<_, _>, f16");
    // These whole numbers have the bits of a float of 16 bits.
    let bits = |value: f32| {
        let bits = value.to_bits();
        let exponent = ((bits >> 23 & 255) as i32 - 112).max(0) as u32;
        let of_number = exponent << 10 | bits >> 13 & 1023;
        (bits >> 16 & 0x8000 | if value == 0.0 { 0 } else { of_number }) as u16
    };
    let halves = half.2.chunks(2).map(|own| u16::from_le_bytes(own.try_into().unwrap()));
    assert!(halves.zip(&own).all(|(half, &own)| half == bits(own)));

    // From the layout that travels, back to the first one, and compared by value.
    repacked("MK16m<_, _>, f32, pad");
    let rules = folder.write(
        "back.toml",
        "[[rule]]\nmatch = 'w'\nto = 'MK'\naxes = 'MK'\n[[rule]]\nmatch = '*'\n",
    );
    let back = folder.path("back.safetensors");
    printed(&["repack", &output, &back, "--rules", &rules, "--memory", "3MiB"]);
    assert_eq!(read(&back).0["w"], tensors[0].1);
    let text = printed(&["diff", &output, &back]);
    assert!(
        text.starts_with("w: equal values, MK16m<700, 900>, f32, pad and MK<700, 900>, f32\n"),
        "{text}"
    );
    let mut other = tensors.clone();
    other[0].1.2[4 * (2 * k + 3)] ^= 1;
    let other = folder.write("other.safetensors", safetensors(&other));
    let differ = layout(&["diff", &other, &output]);
    assert_eq!(differ.status.code(), Some(1));
    let text = String::from_utf8_lossy(&differ.stdout);
    assert!(text.contains("w: values differ, first at [2, 3], by at most 0.0"), "{text}");
}

#[test]
fn an_npy_file_moves_to_one_layout() {
    let folder = Folder::new("npy");
    let array = |order: &str, descr: &str, bytes: &[u8]| {
        let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (2, 3), }}");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((text.len() as u16).to_le_bytes());
        file.extend(text.into_bytes());
        file.extend(bytes);
        file
    };
    // The same array in the order of C, and big endian in that of Fortran.
    let plain = folder.write("a.npy", array("False", "<i2", &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]));
    let other = folder.write("b.npy", array("True", ">i2", &[0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]));
    for input in [&plain, &other] {
        let output = folder.path("out.npy");
        let own = layout(&[input, "=>", "MK2m<_, _>, i16", "-o", &output]);
        let error = String::from_utf8_lossy(&own.stderr);
        let lost = "becomes `MK2m<2, 3>, i16`, and .npy has no place for this text";
        assert!(own.status.success() && error.contains(lost), "{error}");
        let file = fs::read(&output).unwrap();
        assert!(file.ends_with(&[1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]), "{input}");
        assert!(String::from_utf8_lossy(&file).contains("(1, 3, 2)"), "{input}");
    }
    // A format alone, and a name that holds an arrow and spaces.
    let named = folder.write(" a => b.npy", fs::read(&plain).expect("the array"));
    let output = folder.path("turned.npy");
    layout(&[&named, "=>", "BA", "-o", &output]);
    let file = fs::read(&output).expect("an output");
    assert!(file.ends_with(&[1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0]), "{file:?}");
    let own = layout(&[&named, "=>", "AC<_, 7>, i16", "-o", &output]);
    let error = String::from_utf8_lossy(&own.stderr);
    assert!(error.starts_with("layout: `AC<_, 7>, i16`: tensor ` a => b`: "), "{error}");
    let text = printed(&["inspect", &plain]);
    assert!(text.contains("\na     [2, 3]  i16         12  layout!(AB<2, 3>, i16)\n"), "{text}");
    assert!(text.ends_with("\n1 tensor, 12 bytes\n"), "{text}");
    // A layout would say nothing about the order of bytes.
    let text = printed(&["inspect", &other]);
    assert!(text.contains("  big endian; repack it") && !text.contains("layout!"), "{text}");
    let text: Value = serde_json::from_str(&printed(&["inspect", "--json", &other])).unwrap();
    assert_eq!((&text[0]["ready"], &text[0]["is_big_endian"]), (&json!(""), &json!(true)));
    let text: Value = serde_json::from_str(&printed(&["inspect", "--json", &plain])).unwrap();
    assert_eq!(text[0]["shape"], json!([2, 3]));
    assert!(printed(&["--version"]).starts_with("layout 0."));
}

/// The bytes of a GGUF file with an array of texts, an alignment, a matrix of floats and one of Q8_0.
pub(super) fn gguf() -> Vec<u8> {
    let text = |own: &str| [&(own.len() as u64).to_le_bytes()[..], own.as_bytes()].concat();
    let numbers = |own: &[u64]| own.iter().flat_map(|own| own.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = b"GGUF\x03\0\0\0".to_vec();
    file.extend(numbers(&[2, 2]));
    file.extend(
        [text("tokens"), vec![9, 0, 0, 0, 8, 0, 0, 0], numbers(&[2]), text("a"), text("bc")]
            .concat(),
    );
    file.extend([text("general.alignment"), vec![4, 0, 0, 0, 64, 0, 0, 0]].concat());
    file.extend(
        [text("f"), vec![2, 0, 0, 0], numbers(&[3, 2]), vec![0; 4], numbers(&[0])].concat(),
    );
    file.extend(
        [text("q"), vec![2, 0, 0, 0], numbers(&[64, 2]), vec![8, 0, 0, 0], numbers(&[64])].concat(),
    );
    file.resize(file.len().next_multiple_of(64), 0);
    file.extend((0..24).chain([0; 40]));
    file.extend((0..136).chain([0; 56]));
    file
}

#[test]
fn gguf_keeps_what_it_has() {
    let folder = Folder::new("gguf");
    let input = folder.write("in.gguf", gguf());
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.gguf");
    printed(&["repack", &input, &output, "--rules", &rules]);
    assert_eq!(fs::read(&output).unwrap(), gguf());
    let text = printed(&["inspect", &output]);
    let blocks = "q     [2, 64]  ggml::Q8_0    136  layout!(AB<2, 64>, ggml::Q8_0(k = b))\n";
    assert!(text.contains(blocks), "{text}");
    let output = folder.path("out.safetensors");
    let own = layout(&["repack", &input, &output, "--rules", &rules]);
    let error = String::from_utf8_lossy(&own.stderr);
    let lost = "layout: warning: the output has none of the 2 keys of the input's metadata; ";
    assert!(own.status.success() && error.starts_with(lost), "{error}");
    let (own, metadata) = read(&output);
    // The blocks are bytes, and their record travels as text.
    assert_eq!(own["q"], ("U8".into(), vec![136], (0..136).collect()));
    let text = metadata["tensor_layout.q"].as_str().expect("a text");
    assert!(text.starts_with("v1:MK<2, 64>, "), "{text}");
    assert!(printed(&["inspect", &output]).contains("  layout!(MK<2, 64>, { "));
    assert_eq!(own["f"], ("F32".into(), vec![2, 3], (0..24).collect()));
}

#[test]
fn an_index_is_the_files_that_it_lists() {
    let folder = Folder::new("index");
    folder.write("1.safetensors", safetensors(&[("a", floats(&[2], 0))]));
    folder.write("2.safetensors", safetensors(&[("b", floats(&[3], 1))]));
    let index = json!({"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}});
    let index = folder.write("model.safetensors.index.json", index.to_string());
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\nname = 'x.{1}'");
    let output = folder.path("out.safetensors");
    printed(&["repack", &index, "-o", &output, "--rules", &rules]);
    assert_eq!(read(&output).0["x.b"], floats(&[3], 1));
    // Files beside the index alone are opened.
    let (inner, name) = (folder.path("1.safetensors"), folder.0.file_name().unwrap());
    for file in [&inner, &format!("../{}/1.safetensors", name.display()), "./1.safetensors", ".."] {
        let index = json!({"weight_map": {"a": file}}).to_string();
        let own = layout(&["inspect", &folder.write("other.index.json", index)]);
        let error = String::from_utf8_lossy(&own.stderr);
        assert!(
            error.contains(&format!("it lists `{file}`, and an index lists files beside")),
            "{error}"
        );
    }
    // A terminal obeys no name.
    let file = folder.write("4.safetensors", safetensors(&[("\u{1b}[2J\n", floats(&[2], 0))]));
    let text = printed(&["inspect", &file]);
    assert!(text.contains("\n\\u{1b}[2J\\n  [2]") && !text.contains('\u{1b}'), "{text}");
    let text = printed(&["repack", &file, &output, "--rules", &rules, "--dry-run"]);
    assert!(text.contains("\\u{1b}[2J\\n") && !text.contains('\u{1b}'), "{text}");
    // A key of a tensor that the input does not have is not one of the output's.
    let header = json!({
        "__metadata__": {"tensor_layout.b": "v1:KM<4, 2>, f32", "x": "y"},
        "a": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]},
    })
    .to_string();
    let start = (header.len() as u64).to_le_bytes();
    let input = folder.write("3.safetensors", [&start[..], header.as_bytes(), &[0; 32]].concat());
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = 'a'\nname = 'b'\naxes = 'MK'");
    printed(&["repack", &input, "-o", &output, "--rules", &rules]);
    assert_eq!(read(&output).1, json!({"tensor_layout.b": "v1:MK<4, 2>, f32", "x": "y"}));
}

#[test]
fn outputs_have_several_files_and_an_index() {
    let folder = Folder::new("sharded");
    let sizes = [("a", 30), ("b", 20), ("c", 60), ("d", 0), ("e", 10)];
    let tensors = sizes.map(|(name, extent)| (name, floats(&[extent], extent)));
    let input = folder.write("in.safetensors", safetensors(&tensors));
    let rules = folder.write("rules.toml", "[[rule]]\nmatch = '*'\n");
    let output = folder.path("out.safetensors");
    let repacked = |most: &str| {
        printed(&["repack", &input, &output, "--rules", &rules, "--max-shard", most, "--check"])
    };
    repacked("200");
    let files = [1, 2, 3].map(|i| format!("out-0000{i}-of-00003.safetensors"));
    let index = folder.path("out.safetensors.index.json");
    let text: Value = serde_json::from_slice(&fs::read(&index).unwrap()).expect("JSON");
    assert_eq!(text["metadata"]["total_size"], 480);
    for (i, (name, own)) in tensors.iter().enumerate() {
        let file = &files[[0, 0, 1, 2, 2][i]];
        assert_eq!(text["weight_map"][name], json!(file));
        assert_eq!(&read(folder.path(file)).0[*name], own);
    }
    let [one, two, three] = files;
    let all = ["in.safetensors", &one, &two, &three, "out.safetensors.index.json", "rules.toml"];
    assert_eq!(folder.names(), all);
    assert!(printed(&["diff", &input, &index]).starts_with("5 of 5 tensors have equal values"));
    repacked("5GB");
    assert_eq!(read(&output).0["c"], tensors[2].1);
}

/// The rules and commands of the guide's page.
#[test]
fn the_guide_runs() {
    let page = include_str!("../../../src/guide/checkpoints.md");
    let block = |kind: &str| {
        let (_, rest) = page.split_once(&format!("```{kind}\n")).expect("a block");
        rest.split_once("```").expect("its end").0
    };
    let folder = Folder::new("guide");
    folder.write("rules.toml", block("toml"));
    let tensors = [
        ("l.0.q_proj.weight", floats(&[8, 4], 0)),
        ("l.0.k_proj.weight", floats(&[4, 4], 1)),
        ("l.0.v_proj.weight", floats(&[4, 4], 2)),
        ("l.0.down_proj.weight", floats(&[32, 4], 3)),
        ("l.0.conv.weight", floats(&[5, 3, 3, 3], 4)),
        ("l.0.inv_freq", floats(&[4], 5)),
        ("norm", floats(&[4], 6)),
    ];
    folder.write("model.safetensors", safetensors(&tensors));
    for line in block("sh").lines() {
        let arguments: Vec<String> = line
            .split(' ')
            .skip(1)
            .map(|word| if word.contains('.') { folder.path(word) } else { word.into() })
            .collect();
        let output = layout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let error = String::from_utf8_lossy(&output.stderr);
        // Fused tensors have other names, which is what the last command prints.
        assert_eq!(output.status.code(), Some(i32::from(line.contains("diff"))), "{line}: {error}");
    }
    let (own, metadata) = read(folder.path("packed.safetensors"));
    assert_eq!(own.len(), 4);
    assert_eq!(metadata["tensor_layout.l.0.down_proj.weight"], "v1:MK16m<32, 4>, f32");
}
