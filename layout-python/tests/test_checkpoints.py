"""Files beside those of the packages `safetensors` and `gguf`, and beside what is written by hand."""

import json
import struct
import subprocess
import sys

import gguf
import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy

import tensor_layout as tl


@pytest.fixture
def tensors(random):
    return {
        "blocks.0.weight": random.normal(size=(6, 5)).astype(np.float32),
        "half": random.normal(size=(3, 4, 2, 2)).astype(np.float16),
        "codes": random.integers(-128, 128, (7,), np.int8),
        "scalar": np.array(2.5),
        "none": np.empty((0, 3), np.int64),
    }


def test_files_of_safetensors(tensors, tmp_path):
    theirs, ours = tmp_path / "theirs.safetensors", tmp_path / "ours.safetensors"
    safetensors.numpy.save_file(tensors, theirs, metadata={"format": "pt"})
    file = tl.Checkpoint(theirs)
    assert set(file) == set(tensors) and len(file) == 5 and file.metadata == {"format": "pt"}
    for name, own in tensors.items():
        stored = file[name]
        assert (stored.name, stored.shape, stored.nbytes) == (name, own.shape, own.nbytes)
        read = np.asarray(stored)
        assert read.dtype == own.dtype and np.array_equal(read, own) and not (own.size and read.flags.writeable)
    assert np.array_equal(file["half"][1:3, :, 1], tensors["half"][1:3, :, 1])
    tl.save(ours, {name: file[name] for name in file}, metadata=file.metadata)
    again = safetensors.numpy.load_file(ours)
    assert again.keys() == tensors.keys()
    assert all(np.array_equal(again[name], own) and again[name].dtype == own.dtype for name, own in tensors.items())


def test_layouts_of_files(tensors, tmp_path):
    path, half = tmp_path / "a.safetensors", tensors["half"]
    blocks = tl.Layout("NCHW4<3, 4, 2, 2>, f16")
    nibbles = tl.Layout("MK<2, 8>, u4")
    packed = np.arange(8, dtype=np.uint8)
    tl.save(path, {"half": (tl.relayout(half, "NCHW", blocks), blocks), "plain": half, "nibbles": (packed, nibbles)})
    file = tl.Checkpoint(path)
    assert file["half"].layout == blocks and file["half"].shape == (3, 1, 2, 2, 4) and file["plain"].layout is None
    assert np.array_equal(file["half"].relayout("NHWC"), half.transpose(0, 2, 3, 1))
    assert np.array_equal(file["plain"].relayout("NHWC", "NCHW"), half.transpose(0, 2, 3, 1))
    assert np.array_equal(file["nibbles"].array(), packed)
    turned = file["nibbles"].relayout("KM")
    assert turned[0] & 15 == packed[0] & 15 and turned[0] >> 4 == packed[4] & 15


def test_bfloat16(tmp_path):
    path = tmp_path / "a.safetensors"
    x = np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    tl.save(path, {"x": x})
    stored = tl.Checkpoint(path)["x"]
    assert stored.element == "bf16" and np.asarray(stored).dtype == x.dtype
    assert np.array_equal(stored.relayout("KM", "MK"), x.T)


def test_files_of_gguf(random, tmp_path):
    theirs, ours = tmp_path / "theirs.gguf", tmp_path / "ours.gguf"
    x = random.normal(size=(2, 4, 64)).astype(np.float32)
    codes = gguf.quants.quantize(x, gguf.GGMLQuantizationType.Q4_0)
    writer = gguf.GGUFWriter(theirs, "llama")
    writer.add_tensor("plain", x)
    writer.add_tensor("q", codes, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
    for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        write()
    file = tl.Checkpoint(theirs)
    stored = file["q"]
    assert (stored.element, stored.shape) == ("ggml::Q4_0", (2, 4, 64)) and stored.record.extents == [8, 64]
    expected = gguf.quants.dequantize(codes, gguf.GGMLQuantizationType.Q4_0)
    assert np.array_equal(stored.dequantize(), expected) and np.array_equal(file["plain"][0], x[0])
    assert np.array_equal(stored.bytes(), codes.ravel())
    rows = tl.Record("MK<8, 64>, ggml::Q4_0")
    tl.save(ours, {"q": (rows.quantize(x.reshape(8, 64)), rows), "plain": x}, metadata=file.metadata)
    read = gguf.GGUFReader(ours)
    assert read.fields["general.architecture"].contents() == "llama"
    assert {each.name: each.tensor_type.name for each in read.tensors} == {"q": "Q4_0", "plain": "F32"}
    assert np.array_equal(tl.Checkpoint(ours)["q"].dequantize(), expected.reshape(8, 64))


def test_arrays_of_numpy(random, tmp_path):
    x = random.integers(0, 1000, (3, 4)).astype(">i4")
    np.save(tmp_path / "x.npy", x)
    stored = tl.Checkpoint(tmp_path / "x.npy")["x"]
    assert np.array_equal(np.asarray(stored), x) and np.array_equal(stored[2], x[2])
    assert np.array_equal(stored.relayout("KM", "MK"), x.T)
    np.save(tmp_path / "columns.npy", np.asfortranarray(x.astype("f4")))
    stored = tl.Checkpoint(tmp_path / "columns.npy")["columns"]
    assert np.array_equal(stored, x) and np.array_equal(stored.relayout("BA"), x.T)
    assert np.array_equal(stored.relayout("KM", "MK"), x.T)
    tl.save(tmp_path / "y.npy", {"y": x.astype("i4").T})
    assert np.array_equal(np.load(tmp_path / "y.npy"), x.T)


def test_repacks(tensors, tmp_path):
    source, target, rules = tmp_path / "a.safetensors", tmp_path / "b.safetensors", tmp_path / "rules.toml"
    tl.save(source, tensors)
    text = "[[rule]]\nmatch = 'blocks.*.weight'\nname = 'layer.{1}'\naxes = 'MK'\nto = 'KM'\n[[rule]]\nmatch = '*'\n"
    rules.write_text(text)
    program = [sys.executable, "-c", "import sys; from tensor_layout._program import main; sys.exit(main())", "repack"]
    for run in (
        lambda: tl.repack(source, text, target, check=True),
        lambda: tl.repack([source], rules, target),
        lambda: subprocess.run([*program, source, target, "--rules", rules], check=True),
    ):
        run()
        moved = tl.Checkpoint(target)["layer.0"]
        assert moved.layout.letters == "MK" and np.array_equal(moved.array(), tensors["blocks.0.weight"].T)
        target.unlink()
    with pytest.warns(UserWarning, match="no tensor fits `absent`"):
        tl.repack(source, text + "[[rule]]\nmatch = 'absent'\n", target)


def broken(path, header, data=b""):
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def lying(folder):
    header = {"__metadata__": {"tensor_layout.w": "v1:MK16m<32, 4>, f32"}, "w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}
    return tl.Checkpoint(broken(folder / "lying.safetensors", header, bytes(16)))["w"]


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda at: tl.Checkpoint(), "no file"),
        (lambda at: tl.Checkpoint(3), "of type int"),
        (lambda at: tl.Checkpoint(at / "absent.safetensors"), "absent.safetensors"),
        (lambda at: tl.Checkpoint(broken(at / "b.safetensors", {"w": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}})), "copy"),
        (lambda at: lying(at).layout, "512 bytes, and the file has 16 bytes of f32; remove"),
        (lambda at: lying(at).relayout("KM"), "512 bytes, and the file has 16 bytes of f32; remove"),
        (lambda at: tl.save(at / "c.safetensors", {"x": np.zeros(3)}, metadata={"a": 3}), "has 3, and metadata are texts; give"),
        (lambda at: tl.save(at / "c.bin", {"x": np.zeros(3)}), "safetensors"),
        (lambda at: tl.save(at / "c.npy", {"x": np.zeros(3), "y": np.zeros(3)}), "one tensor"),
        (lambda at: tl.save(at / "c.safetensors", [np.zeros(3)]), "dictionary"),
        (lambda at: tl.save(at / "c.safetensors", {"x": np.zeros(3, np.complex64)}), "complex64"),
        (lambda at: tl.save(at / "c.safetensors", {"x": [1, 2]}), "`x` is of type list"),
        (lambda at: tl.save(at / "c.safetensors", {"x": np.zeros(3, ">f4")}), "newbyteorder"),
        (lambda at: tl.save(at / "c.safetensors", {"x": (np.zeros(3, ">f4"), tl.Layout("M<3>, f32"))}), "newbyteorder"),
        (lambda at: tl.repack([], "[[rule]]\nmatch = '*'", at / "y.npy"), "no file is given"),
        (lambda at: tl.repack(at / "x.npy", "[[rule]]\nmatch = '*'", at / "y.npy", ranks=0), "`ranks` is 0"),
        (lambda at: tl.save(at / "c.safetensors", {"x": (np.zeros(3), tl.Layout("M<4>, f64"))}), "shape"),
        (lambda at: tl.save(at / "c.safetensors", {"x": (np.zeros(17, np.uint8), tl.Record("MK<1, 32>, ggml::Q4_0"))}), "17 bytes"),
        (lambda at: tl.save(at / "c.gguf", {"x": np.zeros(3)}, metadata={"a": "b"}), "texts are metadata"),
        (lambda at: tl.save(at / "absent" / "c.npy", {"x": np.zeros(3)}), "absent"),
        (lambda at: tl.Checkpoint(at / "x.npy")["x"].relayout("KM"), "letters"),
        (lambda at: tl.Checkpoint(at / "x.npy")["x"].relayout("KM", "MKN"), "one letter"),
        (lambda at: tl.Checkpoint(at / "x.npy")["x"].dequantize(), "no blocks"),
        (lambda at: tl.repack(at / "x.npy", "absent.toml", at / "y.npy"), "absent.toml"),
        (lambda at: tl.repack(at / "x.npy", "[[rule]]\nmatsch = 'x'", at / "y.npy"), "rules, line 2: `matsch`"),
        (lambda at: tl.repack(at / "x.npy", "[[rule]]\nmatch = 'x'", at / "x.npy"), "input"),
    ],
)
def test_wrong_inputs(wrong, text, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((2, 3), np.float32))
    with pytest.raises(tl.LayoutError, match=text):
        wrong(tmp_path)
    assert not {each.suffix for each in tmp_path.iterdir()} & {".partial", ".journal"}
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(("c.", "y."))]
