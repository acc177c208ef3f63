"""Writes `tests/src/records/gguf_values.json`: values of random blocks and blocks of numbers, by the package `gguf`.

`pip install gguf`, and run `python3 gguf_values.py > ../src/records/gguf_values.json`. Of each type, `blocks` are bytes
and `values` what `gguf` makes of them, `numbers` are f32 and `quantized` their blocks, all as hexadecimal digits of their
bytes in little endian. Random blocks whose values are not finite are left out.
"""

import json
from importlib.metadata import version

import numpy
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, quants

TYPES = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS TQ2_0 MXFP4 NVFP4".split()
QUANTIZED = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 MXFP4".split()

rng = numpy.random.default_rng(60)


def random_blocks(kind, count):
    size = GGML_QUANT_SIZES[kind][1]
    found = []
    while len(found) < count:
        block = rng.integers(0, 256, size, dtype=numpy.uint8)
        with numpy.errstate(all="ignore"):
            values = quants.dequantize(block[None], kind)[0]
        if numpy.isfinite(values).all():
            found.append((block, values))
    return [numpy.stack(part) for part in zip(*found)]


def numbers():
    """Blocks of 32: random ones of several sizes, ties, one sign, equal magnitudes, one number, zeros, tiny and large ones."""
    blocks = [rng.standard_normal(32) * scale for scale in (1, 1, 1, 1e-3, 300)]
    blocks.append(numpy.arange(32) / 2 - 8)
    blocks.append(numpy.where(numpy.arange(32) % 2, 4.0, -4.0))
    blocks.append(numpy.where(numpy.arange(32) % 2, -4.0, 4.0))
    blocks.append(rng.integers(-127, 128, 32) + 0.5)
    blocks.append(rng.random(32) + 1)
    blocks.append(-rng.random(32) - 1)
    blocks.append(numpy.eye(32)[7])
    blocks.append(numpy.zeros(32))
    blocks.append(rng.standard_normal(32) * 1e-12)
    return numpy.array(blocks, numpy.float32)


def hexadecimal(array):
    return [row.tobytes().hex() for row in array]


table = {"_about": f"gguf {version('gguf')}, numpy {version('numpy')}: values of blocks, and blocks of numbers"}
for name in TYPES:
    kind = GGMLQuantizationType[name]
    blocks, values = random_blocks(kind, 2 if name.endswith(("K", "XS")) else 4)
    entry = {"blocks": hexadecimal(blocks), "values": hexadecimal(values.astype("<f4"))}
    if name in QUANTIZED:
        inputs = numbers()
        with numpy.errstate(all="ignore"):
            entry["quantized"] = hexadecimal(quants.quantize(inputs, kind))
        entry["numbers"] = hexadecimal(inputs)
    table[name] = entry
print(json.dumps(table, indent=0))
