#!/usr/bin/env python3
"""Writes the firmware's data and what it must come to, by plain loops over coordinates:

    pip install numpy && python3 examples/firmware/data/make.py
"""

from pathlib import Path

import numpy as np

here = Path(__file__).parent
SIDE, CHANNELS, FILTERS = 16, 3, 8
INNER = SIDE - 2


def pixel(y, x, c):
    return (y * 37 + x * 11 + c * 83 + y * x * 5) % 256


def weight(o, i, y, x):
    return (o * 29 + i * 53 + y * 17 + x * 7 + o * i * y) % 255 - 127


def signed(value):
    return value % 256


frame = [pixel(y, x, c) for y in range(SIDE) for x in range(SIDE) for c in range(CHANNELS)]
weights = np.fromfunction(weight, (FILTERS, CHANNELS, 3, 3), dtype=int)
quantized = [
    pixel(y, x, c) - 128 if c < CHANNELS else 0
    for y in range(SIDE) for x in range(SIDE) for c in range(4)
]


def convolved(o, y, x):
    total = sum(
        (pixel(y + ky, x + kx, i) - 128) * weight(o, i, ky, kx)
        for i in range(CHANNELS) for ky in range(3) for kx in range(3)
    )
    return max(-128, min(127, total // 1024))


output = [
    convolved(4 * block + lane, y, x)
    for block in range(FILTERS // 4) for y in range(INNER) for x in range(INNER) for lane in range(4)
]
np.save(here / "weights.npy", weights.astype(np.int8))
for name, values in dict(frame=frame, input=quantized, output=output).items():
    (here / f"{name}.bin").write_bytes(bytes(map(signed, values)))
