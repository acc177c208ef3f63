"""Copies, relayouts and conversions against NumPy."""

import os
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import tensor_layout as tl

COUNT = int(os.environ.get("COPIES", 3000))
DTYPES = ["?", "i1", "u2", "f2", "<i4", ">i4", "f4", "f8", "i8", "c8", "c16", "V3", "V12", "V64", "M8[s]", "S5"]


def random_array(random, dtype):
    """An array of random shape and strides: permuted, flipped, with steps, and broadcast."""
    rank = random.integers(0, 6)
    shape = [int(random.integers(0 if random.random() < 0.02 else 1, 9)) for _ in range(rank)]
    steps = [int(random.integers(1, 4)) for _ in range(rank)]
    whole = [extent * step for extent, step in zip(shape, steps)]
    size = np.dtype(dtype).itemsize
    array = random.integers(0, 256, int(np.prod(whole)) * size, np.uint8).view(np.dtype((np.void, size)))
    array = array.reshape(whole).view(dtype) if size else array
    array = array[tuple(slice(None, None, step * (1 if random.random() < 0.6 else -1)) for step in steps) + (...,)]
    array = array.transpose(random.permutation(rank))
    if rank and random.random() < 0.2:
        array = np.broadcast_to(array[:1], array.shape) if array.shape[0] else array
    return array


def raw(array):
    """The bytes of an array, which compare where numbers such as NaN do not."""
    return np.array(array, order="C").tobytes()


def test_copies(random):
    for number in range(COUNT):
        x = random_array(random, DTYPES[number % len(DTYPES)])
        copied = tl.copy(x)
        assert copied.flags.c_contiguous and copied.dtype == x.dtype and copied.shape == x.shape
        assert raw(copied) == raw(x), (x.shape, x.strides, x.dtype)
        order = "CF"[number % 2]
        moved = tl.ascontiguousarray(x, order)
        assert moved.flags[order + "_CONTIGUOUS"] and raw(moved) == raw(x)
        if not x.ndim:
            continue
        # To a destination of other strides, between bytes that stay.
        axes = random.permutation(x.ndim)
        around = np.full([extent + 2 for extent in np.array(x.shape)[axes]], 0x5A, np.dtype((np.void, x.dtype.itemsize)))
        around.view(np.uint8)[...] = 0x5A
        inside = around[(slice(1, -1),) * x.ndim].transpose(np.argsort(axes)).view(x.dtype)
        expected = around.copy()
        expected[(slice(1, -1),) * x.ndim].transpose(np.argsort(axes)).view(x.dtype)[...] = x
        assert tl.copy(x, inside, parallel=number % 3 == 0) is inside
        assert around.tobytes() == expected.tobytes()


def test_copies_of_many_elements(random):
    for dtype, shape in [("u1", (67, 129, 33)), ("f4", (2,) * 18), ("f8", (40, 50, 60)), ("u2", (300, 500))]:
        x = random.integers(0, 200, shape).astype(dtype)
        for axes in [tuple(reversed(range(x.ndim))), tuple(random.permutation(x.ndim))]:
            assert np.array_equal(tl.copy(x.transpose(axes)), x.transpose(axes))
            assert np.array_equal(tl.copy(x.transpose(axes), parallel=True), x.transpose(axes))


@pytest.mark.parametrize("dtype", ["f4", "f2", "i1", "u4", "f8", "?", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2])
def test_relayouts(random, dtype):
    x = random.integers(0, 2, (2, 5, 7, 6)).astype(dtype)
    moved = tl.relayout(x, "NHWC", "NCHW")
    assert moved.dtype == x.dtype and raw(moved) == raw(x.transpose(0, 3, 1, 2))
    assert raw(tl.relayout(x[:, ::-1, :, 1::2], "NHWC", "NCHW")) == raw(x[:, ::-1, :, 1::2].transpose(0, 3, 1, 2))
    # Blocks of 4 channels, of which the second one is filled.
    blocks = tl.relayout(x, "NHWC", "NCHW4", pad=1)
    filled = np.concatenate([x, np.ones((2, 5, 7, 2), x.dtype)], 3).reshape(2, 5, 7, 2, 4).transpose(0, 3, 1, 2, 4)
    assert blocks.shape == (2, 2, 5, 7, 4) and raw(blocks) == raw(filled)
    assert raw(tl.relayout(blocks, "NCHW4", "NHWC", extents={"C": 6})) == raw(x)
    assert raw(tl.relayout(blocks[:, ::-1], "NCHW4", "NHWC", extents={"C": 6})) != raw(x)
    out = np.empty_like(blocks)
    assert tl.relayout(x, "NHWC", "NCHW4", pad=1, out=out, parallel=True) is out and raw(out) == raw(blocks)


def test_weights(random):
    x = random.standard_normal((32, 16, 3, 3)).astype("f4")
    packed = tl.relayout(x, "OIHW", "OIHW4i16o4i")
    expected = x.reshape(2, 16, 1, 4, 4, 3, 3).transpose(0, 2, 5, 6, 3, 1, 4)
    assert packed.shape == expected.shape and np.array_equal(packed, expected)
    assert np.array_equal(tl.relayout(packed, "OIHW4i16o4i", "OIHW"), x)


def test_conversions(random):
    x = (random.standard_normal((3, 4, 5)) * 50).astype("f4")
    codes = tl.convert(x, "CHW", "HWC", "i8", kind="quantize", scale=0.5, zero_point=3)
    expected = np.clip(np.rint(x * np.float32(2)) + 3, -128, 127).astype("i1")
    assert codes.dtype == np.int8 and np.array_equal(codes, expected.transpose(1, 2, 0))
    scales = [0.5, 1.0, 2.0]
    back = tl.convert(codes, "HWC", "CHW", "f32", kind="dequantize", axis="C", scale=scales, zero_point=[3, 3, 3])
    assert np.array_equal(back, (expected.astype("f4") - 3) * np.array(scales, "f4")[:, None, None])
    assert np.array_equal(tl.convert(x, "CHW", "CHW", "f16"), x.astype("f2"))
    small = tl.convert(x, "CHW", "CHW", "bf16")
    assert small.dtype == ml_dtypes.bfloat16 and np.array_equal(small, x.astype(ml_dtypes.bfloat16))
    image = random.integers(0, 256, (4, 6, 3), np.uint8)
    means, scales = [1.0, 2.0, 3.0], [0.5, 0.25, 2.0]
    planes = tl.convert(image, "HWC", "CHW", "f32", kind="normalize", axis="C", scale=scales, mean=means)
    expected = (image.astype("f4") - np.array(means, "f4")) * np.array(scales, "f4")
    assert np.array_equal(planes, expected.transpose(2, 0, 1))


def test_layouts():
    layout = tl.Layout("NCHW4<2, 6, 3, 3>, i8, pad")
    assert (layout.letters, layout.extents, layout.strides, layout.element) == ("NCHW", [2, 6, 3, 3], None, "i8")
    assert (layout.numel, len(layout), layout.nbytes, layout.storage_shape) == (108, 144, 144, [2, 2, 3, 3, 4])
    assert layout.offset([1, 5, 2, 1]) == ((1 * 2 + 1) * 9 + 2 * 3 + 1) * 4 + 1
    assert layout.coordinate(layout.offset([1, 5, 2, 1])) == [1, 5, 2, 1] and layout.coordinate(38) is None
    assert pickle.loads(pickle.dumps(layout)) == layout and hash(layout) == hash(tl.Layout(str(layout)))
    assert layout != tl.Layout("NCHW<2, 6, 3, 3>, i8") and eval(repr(layout), {"Layout": tl.Layout}) == layout
    assert "padding" in layout.explain() and layout._repr_svg_().startswith("<svg") and layout._repr_html_()
    assert tl.Layout("NCHW16c<1, 32, 7, 7>, f16").names()["oneDNN"] == "aBcd16b"
    strided = tl.Layout.from_strides("MK", [5, 7], [1, -6], "f32")
    assert strided.strides == [1, -6]
    plan = tl.Plan(tl.Layout("MK<64, 64>, f32"), tl.Layout("KM<M = 64, K = 64>, f32"))
    assert "->" in str(plan)


def wrong(call, *words):
    with pytest.raises((ValueError, IndexError, BufferError, TypeError)) as raised:
        call()
    for word in words:
        assert word in str(raised.value), raised.value


def test_wrong_inputs():
    x = np.zeros((2, 5, 7, 6), "f4")
    wrong(lambda: tl.Layout("NCHW4<2, 63, 3, 3>, f16"), "63", "write 60 or 64")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW4"), "extent 6", "pad")
    wrong(lambda: tl.relayout(x, "NHC", "NCH"), "4 dimensions", "3 axes")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHD"), "D")
    wrong(lambda: tl.relayout(x, "NCHW4", "NHWC"), "4 dimensions", "5")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW", out=np.zeros((2, 6, 5, 8), "f4")), "[2, 6, 5, 8]")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW", out=np.zeros((2, 6, 5, 7), "f8")), "float64")
    wrong(lambda: tl.relayout(x, "NHWC", "NHWC", out=x), "memory that overlap")
    wrong(lambda: tl.copy(x, x[::-1]), "memory that overlap")
    wrong(lambda: tl.copy(x, np.zeros((2, 5), "f4")), "shape")
    frozen = np.zeros_like(x)
    frozen.flags.writeable = False
    wrong(lambda: tl.copy(x, frozen), "read-only")
    wrong(lambda: tl.copy(x, np.broadcast_to(np.zeros((1, 5, 7, 6), "f4"), x.shape)), "read-only")
    wrong(lambda: tl.copy(np.array([object()] * 1000)), "objects")
    wrong(lambda: tl.ascontiguousarray(x, "K"), "order")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", kind="quantize", axis="C", scale=[1, 2], zero_point=[0, 0]), "C")
    wrong(lambda: tl.convert(x.astype("f8"), "NHWC", "NCHW", "i8"), "f32")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", kind="quantize"), "scale")
    wrong(lambda: tl.Layout("NCHW<1, 2, 3, 4>, f32").offset([0, 2, 0, 0]), "C")
    wrong(lambda: tl.relayout(np.zeros((2, 3), "c16"), "MK", "KM"), "16 bytes")
    wrong(lambda: tl.convert(np.zeros((2, 3), ">i4"), "MK", "KM", "f32"), ">i4", "astype")
    wrong(lambda: tl.convert(np.zeros((2, 3), ml_dtypes.float8_e3m4), "MK", "KM", "f32"), "float8_e3m4")
    wrong(lambda: tl.relayout(np.zeros((2, 3), ">f4"), "MK", "MK4k", pad=1), ">f4", "newbyteorder")
    wrong(lambda: tl.relayout(np.zeros((2, 3), ">f4"), "MK", "MK4k, pad = 1"), "newbyteorder")
    wrong(lambda: tl.relayout(np.zeros((2, 3), "c8"), "MK", "MK4k, pad = 5"), "`pad` can be 0 alone")
    wrong(lambda: tl.convert(np.zeros((2, 3), ">f4"), tl.Layout("MK<2, 3>, f32"), "MK", "i8"), ">f4", "newbyteorder")
    wrong(lambda: tl.relayout(np.zeros((2, 3), "c8"), tl.Layout("MK<2, 3>, f64"), "KM"), "complex64", "f64")
    assert np.array_equal(tl.relayout(np.ones((2, 3), "c8"), "MK", "MK4k, pad = 0")[:, 0, :3], np.ones((2, 3)))
    wrong(lambda: tl.copy(x, x.astype("i4")), "int32", "float32")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW", out=np.zeros((2, 6, 5, 7), ">f4")), ">f4")
    wrong(lambda: tl.relayout(np.zeros((3, 2), "f4"), tl.Layout("MK<2, 3>, f32"), "KM"), "[3, 2]")
    wrong(lambda: tl.relayout(np.zeros((2, 3), "i4"), tl.Layout("MK<2, 3>, f32"), "KM"), "int32")
    wrong(lambda: tl.convert(x, "NHWC", tl.Layout("NCHW<2, 6, 5, 7>, i32"), "i8"), "i32")
    plan = tl.Plan(tl.Layout("MK<2, 3>, u8"), tl.Layout("KM<M = 2, K = 3>, u8"))
    wrong(lambda: plan.run(np.zeros((2, 3), "u1")[::-1], np.zeros(6, "u1")), "the source has strides")
    wrong(lambda: plan.run(np.zeros(6, "u1"), np.zeros(12, "u1")[::2]), "the destination has strides")
    wrong(lambda: tl.copy(np.ones(()), np.float64(0)), "read-only")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW", extents={"C": 1}), "`extents` says 1")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", scale=2), "cast has no `scale`")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", kind="quantize", scale=2, mean=0), "`mean`")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", kind="quantize", scale=2, zero_point=2.7), "integer")
    wrong(lambda: tl.convert(x, "NHWC", "NCHW", "i8", kind="junk", scale=2), "junk")
    wrong(lambda: tl.copy([[1, 2]]), "list")
    wrong(lambda: tl.relayout(x, 3, "NCHW"), "int")
    wrong(lambda: tl.relayout(np.zeros(()), "", ""), "names no axis", "`copy`")
    wrong(lambda: tl.relayout(np.zeros(()), "SCALAR", "SCALAR"), "names no axis", "`copy`")
    wrong(lambda: tl.copy(np.ma.zeros(1000)), "mask")
    wrong(lambda: tl.relayout(x, "NHWC", "NCHW4", pad="1, align(M = 64)"), "number")
    wrong(lambda: tl.Layout("NCHW<1, 2, 3, 4>, f32").offset([0, -1, 0, 0]), "below 0")
    assert not x.any()


def test_odd_arrays():
    fields = np.zeros((20, 3), [("a", "i1"), ("b", "i4"), ("c", "f4")])
    fields["b"], fields["c"] = -1, 1.5
    moved = tl.relayout(fields["c"], "MK", "KM")
    assert moved.dtype == np.float32 and (moved == 1.5).all()
    assert (tl.convert(fields["b"], "MK", "KM", "f32") == -1).all()
    assert tl.copy(np.zeros(300, "V0")).shape == (300,)
    assert tl.convert(np.zeros((0, 3), "f4"), "MK", "KM", "i8").shape == (3, 0)
    unaligned = np.frombuffer(b"\0" + np.arange(6, dtype="f4").tobytes(), "f4", 6, 1).reshape(2, 3)
    assert np.array_equal(tl.convert(unaligned, "MK", "KM", "i8"), unaligned.T)
    for dtype in [ml_dtypes.float8_e4m3b11fnuz, ml_dtypes.float8_e8m0fnu, ml_dtypes.int4]:
        ones = np.ones((30, 20), dtype)
        assert raw(tl.copy(ones.T)) == raw(ones.T) and tl.relayout(ones, "MK", "KM").dtype == dtype
    # Elements of less than a byte are bytes.
    codes = tl.convert(np.arange(8, dtype="f4").reshape(2, 4), "MK", "MK", "u4")
    assert codes.tolist() == [0x10, 0x32, 0x54, 0x76]
    layouts = tl.Layout("MK<2, 4>, u4"), tl.Layout("KM<M = 2, K = 4>, u4")
    assert tl.relayout(codes, *layouts).tolist() == [0x40, 0x51, 0x62, 0x73]
    # A buffer with gaps is flat, and is read back.
    x = np.arange(6, dtype="u1").reshape(2, 3)
    aligned = tl.relayout(x, "MK", "KM, align(K = 64)")
    assert aligned.ndim == 1
    assert np.array_equal(tl.relayout(aligned, "KM, align(K = 64)", "MK", extents={"M": 2, "K": 3}), x)
    many = np.arange(8 * 8 * 16 * 16, dtype="f8").reshape(1, 1, 1, 1, 8, 8, 16, 16)
    assert tl.relayout(many, "NCHW8n8c16h16w", "NCHW").shape == (8, 8, 16, 16)
    assert tl.relayout(x, "MK", "MK4k", pad=True)[0, 0, 3] == 1 and tl.relayout(x, "MK", "MK4k", pad=7.0)[1, 0, 3] == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_uses_one_thread():
    x = np.arange(1 << 23, dtype="f4").reshape(1 << 11, 1 << 12)
    tl.copy(x.T, parallel=True)
    child = os.fork()
    if child == 0:
        same = np.array_equal(tl.copy(x.T, parallel=True), x.T)
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_program():
    program = os.path.join(os.path.dirname(sys.executable), "layout")
    ran = subprocess.run([program, "NCHW4<1, 6, 1, 2>, i8, pad"], capture_output=True, text=True)
    assert ran.returncode == 0 and "C % 4 has size 4" in ran.stdout
    ran = subprocess.run([program, "NCHW4<1, 6, 1, 2>, i8"], capture_output=True, text=True)
    assert ran.returncode == 1 and "write 4 or 8" in ran.stderr and not ran.stdout


def test_costs():
    pixels, planes, others = (tl.Layout(f"{text}, u8") for text in ("NHWC<N=1, C=64, H=9, W=9>", "NCHW<1, 64, 9, 9>", "MK<3, 5>"))
    assert tl.relayout_cost(pixels, pixels) == 0 < tl.relayout_cost(pixels, planes)
    with pytest.raises(tl.LayoutError):
        tl.relayout_cost(pixels, others)


def test_texts_in_place_of_layouts():
    pixels, planes = "HWC<H = 2, W = 3, C = 4>, u8", "CHW<C = 4, H = 2, W = 3>, u8"
    assert str(tl.Plan(pixels, planes)) == str(tl.Plan(tl.Layout(pixels), tl.Layout(planes)))
    assert tl.relayout_cost(pixels, planes) > 0 and tl.Layout.of("HW", {"H": 2, "W": 3}, "u8").nbytes == 6
    with pytest.raises(tl.LayoutError, match="of type .*int"):
        tl.Plan(pixels, 3)
