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
