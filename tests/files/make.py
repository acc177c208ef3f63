"""Writes the files beside it, and tokens.npy of the examples, with numpy and with the safetensors package:

    pip install numpy safetensors && python3 tests/files/make.py

Elements count up from 0 in C order unless a line says otherwise.
"""

from itertools import product
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import as_strided
from safetensors import TensorSpec, serialize
from safetensors.numpy import save_file

HERE = Path(__file__).parent


def count(shape, dtype):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


np.save(HERE / "image_hwc.npy", count((2, 4, 3), np.uint8))
np.save(HERE / "planes_f16.npy", count((1, 3, 2, 4), np.float16))
np.save(HERE / "blocked_i8.npy", count((2, 2, 3, 1, 4), np.int8))
np.save(HERE / "big_endian_f32.npy", count((2, 3), ">f4"))
np.save(HERE / "big_endian_i64.npy", count((2, 3), ">i8"))
np.save(HERE / "fortran_f64.npy", np.asfortranarray(count((2, 3, 4), np.float64)))
np.save(HERE / "fortran_square_i32.npy", np.asfortranarray(count((3, 3), np.int32)))
np.save(HERE / "scalar_u32.npy", np.array(7, np.uint32))
np.save(HERE / "empty_i16.npy", count((0, 3), np.int16))
np.save(HERE / "row_i16.npy", count((1, 3, 1), np.int16))
np.save(HERE / "bool.npy", np.array([True, False]))
np.save(HERE / "record.npy", np.zeros(2, [("a", "<i4"), ("b", "<f4")]))
for path in ["bshd_f32.npy", "../../examples/data/tokens.npy"]:
    np.save(HERE / path, count((2, 3, 4, 5), np.float32))

# Weights of 8 filters, of which each is larger than the one before it and filter 3 is all zeros.
weights = np.sin(count((8, 4, 3, 3), np.float64)) * np.arange(1, 9).reshape(8, 1, 1, 1)
weights[3] = 0
np.save(HERE / "weights_f32.npy", weights.astype(np.float32))
np.save(HERE / "weights_fortran_f32.npy", np.asfortranarray(weights.astype(np.float32)))
np.save(HERE / "weights_big_endian_f64.npy", weights.astype(">f8"))
weights[1, 2, 0, 1] = np.nan
np.save(HERE / "weights_nan_f16.npy", weights.astype(np.float16))
(HERE / "weights_f32.bin").write_bytes(np.load(HERE / "weights_f32.npy").tobytes())
(HERE / "truncated.npy").write_bytes((HERE / "weights_f32.npy").read_bytes()[:1000])
(HERE / "text.npy").write_text("No array at all.\n")

# Reshapes that move nothing: shape, strides, new shape, and its strides, all in elements, or `-`
# where numpy says that there is no such view. An axis of one coordinate has any stride.
arrays = [
    ((6,), (1,)),
    ((6,), (-2,)),
    ((2, 6), (6, 1)),
    ((2, 6), (1, 2)),
    ((2, 1, 6), (6, 6, 1)),
    ((2, 1, 6), (6, 100, 1)),
    ((1, 4, 3), (5, 3, 1)),
    ((4, 3, 1), (3, 1, 0)),
    ((4, 1, 3), (6, 2, 1)),
    ((3, 4), (0, 1)),
    ((3, 4), (4, 0)),
    ((1, 1), (7, -3)),
    ((0, 3), (3, 1)),
    ((2, 1, 2, 3), (6, 1, 3, 1)),
]
lines = []
for shape, strides in arrays:
    array = as_strided(np.zeros(1, np.int8), shape, strides)
    sizes = [n for n in range(1, 13) if array.size % n == 0] if array.size else [0, 1, 3]
    for rank in range(5):
        for new in product(sizes, repeat=rank):
            if np.prod(new, dtype=int) != array.size or new.count(1) > 2:
                continue
            try:
                found = array.reshape(new, copy=False).strides
            except ValueError:
                found = "-"
            columns = [shape, strides, new, found]
            lines.append(",".join(" ".join(map(str, column)) for column in columns))
(HERE / "reshapes.csv").write_text("\n".join(lines) + "\n")

save_file(
    {
        "conv.weight": count((2, 1, 3, 3), np.float32),
        "conv.packed": count((1, 2, 1, 1, 4, 2), np.int8),
        "bias": count((3,), np.float64),
        "empty": count((0, 4), np.uint8),
        "scalar": np.array(7, np.int64),
    },
    HERE / "numpy.safetensors",
)

# Element types that numpy does not have, as bits.
raw = {
    "bf16": ("bfloat16", np.array([0x3F80, 0xC000], np.uint16)),
    "f8": ("float8_e4m3fn", np.array([1, 2, 3], np.uint8)),
    "flags": ("bool", np.array([1, 0], np.uint8)),
}
spec = {
    name: TensorSpec(dtype=dtype, shape=bits.shape, data_ptr=bits.ctypes.data, data_len=bits.nbytes)
    for name, (dtype, bits) in raw.items()
}
(HERE / "raw.safetensors").write_bytes(serialize(spec))
