"""Writes the files in `recipes`: what numpy computes for the jobs of the cookbook. Nothing here knows layouts; the
tests in `src/recipes` do the same jobs with the library and compare.

    pip install numpy && python3 tests/files/recipes.py
"""

import json
import struct
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

FOLDER = Path(__file__).parent / "recipes"
FOLDER.mkdir(exist_ok=True)
random = np.random.default_rng(7)


def save(name, array):
    np.save(FOLDER / f"{name}.npy", np.ascontiguousarray(array))


# A camera's frame [n, h, w, c], normalized to [n, c, h, w], through a small network, and its mask as gray levels.
frame = random.integers(0, 256, (1, 10, 12, 3), np.uint8)
means = np.array([0.485, 0.456, 0.406], np.float32)
deviations = np.array([0.229, 0.224, 0.225], np.float32)
image = ((frame / np.float32(255) - means) / deviations).astype(np.float32).transpose(0, 3, 1, 2)
filters = random.normal(0, 0.2, (4, 3, 3, 3)).astype(np.float32)
mix = random.uniform(0.2, 1, 4).astype(np.float32)
padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
hidden = np.einsum("nchwrs,ocrs->nohw", sliding_window_view(padded, (3, 3), (2, 3)), filters)
mask = np.clip(np.einsum("nohw,o->nhw", np.maximum(hidden, 0), mix), 0, 1).astype(np.float32)[:, None]
for name, array in [("frame", frame), ("image", image), ("filters", filters), ("mix", mix), ("mask", mask)]:
    save(f"camera_{name}", array)
save("camera_gray", np.rint(mask.astype(np.float64) * 255).astype(np.uint8))

# Weights of 8 filters of 5 channels: a scale for each filter, integers in blocks of 4 x 4 with zeros as padding, sums.
weights = random.normal(0, 1, (8, 5, 3, 3)).astype(np.float32)
scales = np.abs(weights).max((1, 2, 3)) / np.float32(127)
integers = np.rint(weights / scales[:, None, None, None]).astype(np.int8)
blocks = np.pad(integers, ((0, 0), (0, 3), (0, 0), (0, 0))).reshape(2, 4, 2, 4, 3, 3)
save("weights", weights)
save("weights_scales", scales)
save("weights_packed", blocks.transpose(0, 2, 4, 5, 3, 1))  # O I h w 4i 4o
save("weights_sums", integers.astype(np.int64).sum((1, 2, 3)))
# A .safetensors file is the length of its header, the header, and the elements, here at an odd address.
header = json.dumps({"conv": {"dtype": "F32", "shape": weights.shape, "data_offsets": [0, weights.nbytes]}})
header += " " * (-len(header) % 8 + 1)
parts = [struct.pack("<Q", len(header)), header.encode(), weights.tobytes()]
(FOLDER / "weights.safetensors").write_bytes(b"".join(parts))

# A depthwise convolution of 3 x 3.
x = random.integers(-128, 128, (1, 8, 6, 7)).astype(np.int8)
filters = random.integers(-128, 128, (8, 3, 3)).astype(np.int8)
windows = sliding_window_view(x.astype(np.int32), (3, 3), (2, 3))
save("kernel_x", x)
save("kernel_filters", filters)
save("kernel_y", np.einsum("nchwrs,crs->nchw", windows, filters.astype(np.int32)))

# What an accelerator has in its memory: vectors of 16 channels, rows that begin at multiples of 256 bytes.
picture = random.integers(0, 256, (1, 3, 5, 7), np.uint8)
memory = np.zeros((5, 256), np.uint8)
for h in range(5):
    for w in range(7):
        memory[h, 16 * w : 16 * w + 3] = picture[0, :, h, w]
save("accelerator_picture", picture)
save("accelerator_memory", memory.ravel())

# Attention of one query over 11 tokens of two heads.
keys, values = random.normal(0, 1, (2, 11, 2, 8)).astype(np.float32)
query = random.normal(0, 1, (2, 8)).astype(np.float32)
scores = np.exp(np.einsum("thd,hd->ht", keys, query) / np.sqrt(np.float32(8)))
for name, array in [("keys", keys), ("values", values), ("query", query)]:
    save(f"cache_{name}", array)
save("cache_output", np.einsum("ht,thd->hd", scores / scores.sum(1, keepdims=True), values))

# Magnitudes of frames of 16 samples, 8 apart.
signal = (np.sin(np.arange(64) * 0.7) + random.normal(0, 0.1, 64)).astype(np.float32)
frames = sliding_window_view(signal, 16)[::8] * np.hanning(16)
save("audio_signal", signal)
save("audio_magnitudes", np.abs(np.fft.rfft(frames)).astype(np.float32))

# Buffers of layouts that a configuration names. `x` is [n, c, h, w].
x = np.arange(2 * 6 * 3 * 4).reshape(2, 6, 3, 4).astype(np.int16)
padded = np.pad(x, ((0, 0), (0, 2), (0, 0), (0, 0)), constant_values=7)
rows = np.zeros((2, 6, 3, 8), np.int16)
rows[..., :4] = x
buffers = {
    "NCHW<2, 6, 3, 4>, i16": x,
    "NHWC<N = 2, C = 6, H = 3, W = 4>, i16": x.transpose(0, 2, 3, 1),
    "CHWN<N = 2, C = 6, H = 3, W = 4>, i16": x.transpose(1, 2, 3, 0),
    "NCHW4<2, 6, 3, 4>, i16, pad = 7": padded.reshape(2, 2, 4, 3, 4).transpose(0, 1, 3, 4, 2),
    "CHWN2c<N = 2, C = 6, H = 3, W = 4>, i16": x.reshape(2, 3, 2, 3, 4).transpose(1, 3, 4, 0, 2),
    "NCHW<2, 6, 3, 4>, i16, align(H = 16)": rows,
    "NCHW2h2w<2, 6, 3, 4>, i16, pad": np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 0)))
    .reshape(2, 6, 2, 2, 2, 2)
    .transpose(0, 1, 2, 4, 3, 5),
}
save("config_x", x)
for index, buffer in enumerate(buffers.values()):
    save(f"config_{index}", buffer.ravel())
(FOLDER / "config.txt").write_text("".join(f"{layout}\n" for layout in buffers))

# What steps make of a probe whose elements are numbers of their coordinates, in NHWC: where its axes went.
n, c, h, w = np.ogrid[:1, :3, :4, :5]
probe = (1000 * n + 100 * c + 10 * h + w).astype(np.uint16)
save("mixup_NCHW", probe.ravel())
save("mixup_NHWC", probe.transpose(0, 2, 3, 1).ravel())
save("mixup_NWHC", probe.transpose(0, 3, 2, 1).ravel())
save("mixup_none", probe.transpose(0, 2, 3, 1).reshape(1, 3, 4, 5).transpose(0, 2, 3, 1).ravel())
