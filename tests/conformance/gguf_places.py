"""Writes `tests/src/records/gguf.json`: which elements each bit of a block belongs to, by the package `gguf`.

`pip install gguf`, and run `python3 gguf_places.py > ../src/records/gguf.json`. One bit of a random block is changed at a time,
and the elements whose dequantized values change are those that the bit belongs to. Blocks with values that are not finite
are left out. An entry is an element for a bit of one element, and else the first element and their number.
"""

import json
from importlib.metadata import version

import numpy
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, quants

BASES = 40
TYPES = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS TQ2_0 MXFP4 NVFP4".split()

rng = numpy.random.default_rng(59)


def values(blocks, kind):
    with numpy.errstate(all="ignore"):
        return quants.dequantize(blocks, kind)


def places(kind):
    elements, size = GGML_QUANT_SIZES[kind]
    changed = numpy.zeros((8 * size, elements), bool)
    found = 0
    while found < BASES:
        block = rng.integers(0, 256, size, dtype=numpy.uint8)
        base = values(block[None], kind)[0]
        if not numpy.isfinite(base).all():
            continue
        found += 1
        bits = numpy.arange(8 * size)
        others = numpy.repeat(block[None], 8 * size, axis=0)
        others[bits, bits // 8] ^= (1 << bits % 8).astype(numpy.uint8)
        changed |= values(others, kind).view(numpy.uint32) != base.view(numpy.uint32)
    entries = []
    for row in changed:
        which = numpy.flatnonzero(row).tolist()
        assert which or kind.name == "NVFP4", kind
        entries.append(which[0] if len(which) == 1 else [which[0], len(which)] if which else [])
    return {"elements": elements, "bytes": size, "bits": entries}


print("{")
print(f'"_about": "gguf {version("gguf")}, numpy {numpy.__version__}: the elements of each bit of a block",')
rows = [f'"{name}": {json.dumps(places(GGMLQuantizationType[name]), separators=(",", ":"))}' for name in TYPES if name in GGMLQuantizationType.__members__]
print(",\n".join(rows))
print("}")
