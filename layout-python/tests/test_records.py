"""Records: blocks of numbers beside what loops of NumPy make of them."""

import pickle

import numpy as np
import pytest

import tensor_layout as tl


def q8_0(x):
    """ggml's Q8_0: 32 numbers as a scale in half precision and integers."""
    blocks = x.reshape(-1, 32)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(127)
    inverse = np.divide(np.float32(1), scale, out=np.zeros_like(scale), where=scale > 0)
    scaled = blocks * inverse
    codes = (np.sign(scaled) * np.floor(np.abs(scaled) + np.float32(0.5))).astype(np.int8)
    return np.concatenate([scale.astype(np.float16).view(np.uint8), codes.view(np.uint8)], axis=1)


def test_blocks(random):
    x = random.normal(size=(6, 96)).astype(np.float32)
    record = tl.Record("MK<6, 96>, ggml::Q8_0")
    expected = q8_0(x)
    packed = record.quantize(x)
    assert np.array_equal(packed, expected.ravel())
    # Other strides, another element, and memory that exists.
    assert np.array_equal(record.quantize(np.asfortranarray(x)), packed)
    turned = np.repeat(x[::-1], 2, axis=1)[::-1, ::2]
    assert turned.strides[0] < 0 and np.array_equal(record.quantize(turned), packed)
    halves = x.astype(np.float16)
    assert np.array_equal(record.quantize(halves), q8_0(halves.astype(np.float32)).ravel())
    same = np.broadcast_to(x[:1, :1], x.shape)
    assert np.array_equal(record.quantize(same), record.quantize(same.copy()))
    empty = tl.Record("MK<0, 96>, ggml::Q8_0")
    assert empty.dequantize(empty.quantize(x[:0])).shape == (0, 96)
    out = np.empty(record.nbytes, np.uint8)
    assert record.quantize(x, out=out) is out and np.array_equal(out, packed)

    scales = expected[:, :2].copy().view(np.float16).reshape(6, 3)
    codes = expected[:, 2:].view(np.int8).reshape(6, 96)
    assert np.array_equal(record.field(packed, "d"), scales)
    assert np.array_equal(record.field(packed, "q"), codes) and record.field(packed, "q").dtype == np.int8
    values = codes * np.repeat(scales.astype(np.float32), 32, axis=1)
    assert np.array_equal(record.dequantize(packed), values)
    assert np.array_equal(record.dequantize(packed, "float16"), values.astype(np.float16))


def test_repacks(random):
    rows, packed = tl.Record("MK<8, 64>, ggml::Q4_0"), tl.Record("MK<8, 64>, ggml::q4_0x8_8")
    data = random.integers(0, 256, rows.nbytes, np.uint8)
    moved = rows.relayout(data, packed)
    assert np.array_equal(packed.relayout(moved, rows), data)
    codes = rows.field(data, "q")
    assert codes.dtype == np.uint8 and codes.max() < 16
    assert np.array_equal(packed.field(moved, "q"), codes.astype(np.int8) - 8)
    low = np.array([rows.bit_offset("q", [3, 5]) // 8, rows.bit_offset("q", [3, 21]) // 8])
    assert low[0] == low[1] and data[low[0]] == codes[3, 5] | codes[3, 21] << 4


def test_facts():
    record = tl.Record("MK<2, 64>, ggml::Q4_0")
    assert (record.letters, record.extents, record.buffers, record.nbytes) == ("MK", [2, 64], [72], 72)
    assert (record.fields, record.value, record.name) == (["d", "q"], "d * (q - 8)", "ggml::Q4_0")
    assert tl.Record(str(record)) == record == pickle.loads(pickle.dumps(record)) and "72 bytes" in record.explain()
    apart = tl.Record("<M = 2, K = 64>, { q: M K i8; d: M K/32 f16 } = d * q")
    assert len(apart.quantize(np.ones((2, 64), np.float32))) == 2


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda of: tl.Record("MK<2, 63>, ggml::Q4_0"), "63"),
        (lambda of: tl.Record("MK<2, 64>, ggml::Q4_9"), "Q4_9"),
        (lambda of: of.quantize(np.zeros((2, 63), np.float32)), "shape"),
        (lambda of: of.quantize(np.zeros((2, 64), np.complex64)), "numbers"),
        (lambda of: of.quantize(np.zeros((2, 64), np.float32), quantizer="best"), "absmax"),
        (lambda of: of.dequantize(np.zeros(71, np.uint8)), "71"),
        (lambda of: of.dequantize(np.zeros(72, np.uint8), "int32"), "`dtype` is int32"),
        (lambda of: of.dequantize(np.zeros(72, np.uint8), "real"), "of type real"),
        (lambda of: of.dequantize(np.zeros(72, np.uint8), out=np.zeros((2, 64), np.int8)), "`out` has elements of type int8"),
        (lambda of: of.dequantize([np.zeros(72, np.uint8)] * 2), "2"),
        (lambda of: of.field(np.zeros(72, np.uint8), "e"), "e"),
        (lambda of: of.relayout(np.zeros(72, np.uint8), tl.Record("MK<2, 32>, ggml::Q4_0")), "32|axes"),
        (lambda of: of.quantize(np.zeros((2, 64), np.float32), out=np.zeros(71, np.uint8)), "71"),
        (lambda of: of.dequantize(np.zeros(72, np.uint8), out=np.zeros((2, 128), np.float32)[:, ::2]), "has strides"),
        (lambda of: of.dequantize(np.zeros(72, np.uint8), out=np.zeros((2, 64), "u1,f4")["f1"]), "has strides"),
    ],
)
def test_wrong_inputs(wrong, text):
    with pytest.raises(tl.LayoutError, match=text):
        wrong(tl.Record("MK<2, 64>, ggml::Q4_0"))


def test_nf4(random):
    """Blocks of bitsandbytes: rows of nibbles, the first one high, and a scale in an array of its own."""
    table = np.array(
        [-1.0, -0.6961928, -0.52507305, -0.3949175, -0.28444138, -0.18477343, -0.09105004, 0.0, 0.0795803, 0.1609302, 0.2461123,
         0.33791524, 0.44070983, 0.562617, 0.72295684, 1.0], np.float32
    )  # fmt: skip
    x = random.normal(size=(8, 128)).astype(np.float32)
    record = tl.Record("<M = 8, K = 128>, { q: M K u4 high_first; s: M K/64 f32 } = s * nf4[q]")
    codes, scales = record.quantize(x)
    greatest = np.abs(x.reshape(8, 2, 64)).max(axis=2)
    assert np.array_equal(scales.view(np.float32).reshape(8, 2), greatest)
    nearest = np.abs(x.reshape(8, 2, 64, 1) / greatest[..., None, None] - table).argmin(axis=3).reshape(8, 128)
    assert np.array_equal(codes.reshape(8, 64), nearest[:, ::2] << 4 | nearest[:, 1::2])
    values = (table[nearest].reshape(8, 2, 64) * greatest[..., None]).reshape(8, 128)
    assert np.allclose(record.dequantize([codes, scales]), values, rtol=1e-6, atol=0)
    assert record.dequantize([codes, scales], "bf16").dtype.name == "bfloat16"
    assert tl.Record.known()["ggml::Q4_0"].startswith("MK<_, _>, {")


def test_fields_of_other_bits(random):
    pixels = random.integers(0, 1 << 16, 6, np.uint16)
    record = tl.Record("K<6>, { b: u5, g: u6, r: u5 }")
    for name, shift, bits in (("b", 0, 5), ("g", 5, 6), ("r", 11, 5)):
        field = record.field(pixels.view(np.uint8), name)
        assert field.dtype == np.uint8 and np.array_equal(field, pixels >> shift & (1 << bits) - 1)
    far = random.integers(-1 << 62, 1 << 62, 5)
    assert np.array_equal(tl.Record("K<5>, { a: i63, b: u1 }").field(far.view(np.uint8), "a"), far)
    words = tl.Record("K<2>, { a: i12, b: u20 }")
    bits = np.array([0x7654389A, 0x000018FF], np.uint32)
    assert words.field(bits.view(np.uint8), "a").tolist() == [-0x766, -0x701] and words.field(bits.view(np.uint8), "b").dtype == np.uint32
    mixed = tl.Record("MK<1, 1>, { b: f64, a: u8 }")
    number = mixed.field(np.append(np.array([1e300]).view(np.uint8), np.uint8(7)), "b")
    assert number.dtype == np.float64 and number == 1e300
    assert tl.Record("MK<1, 32>, ggml::Q8_0").dequantize(np.zeros(34, np.uint8), "f16").dtype == np.float16
    apart = tl.Record("<K = 4>, { a: K u8; b: K f32 }")
    with pytest.raises(tl.LayoutError, match="bytes, and those of the record"):
        apart.field(np.zeros(4, np.uint8), "b")
