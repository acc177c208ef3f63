"""Writes small_floats.json: what ml_dtypes (`pip install ml_dtypes numpy`) makes of every code of its floats of at most
8 bits, the codes that it makes of all 16-bit floats and of `f32` around them, and the widths and ranges of its small
integers. Codes are runs: how often a code follows, and the code, in the order of the bits of the source. Run it as `python3 tests/files/small_floats.py`."""

import json
import math
import pathlib

import ml_dtypes
import numpy

NAMES = {
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e3m4": "float8_e3m4",
    "f8e4m3ieee": "float8_e4m3",
    "f8e8m0": "float8_e8m0fnu",
    "f6e2m3": "float6_e2m3fn",
    "f6e3m2": "float6_e3m2fn",
    "f4e2m1": "float4_e2m1fn",
}


def text(value):
    return str(value) if math.isnan(value) or math.isinf(value) else repr(value)


def runs(codes):
    ends = numpy.flatnonzero(numpy.diff(codes)).tolist() + [len(codes) - 1]
    starts = [0] + [end + 1 for end in ends[:-1]]
    return " ".join(f"{end + 1 - start}*{codes[start]:x}" for start, end in zip(starts, ends))


sources = {
    "f16": numpy.arange(2**16, dtype=numpy.uint16).view(numpy.float16),
    "bf16": numpy.arange(2**16, dtype=numpy.uint16).view(ml_dtypes.bfloat16),
}
# The neighbors of all bf16 and of all numbers half-way between two.
halves = numpy.arange(2**17, dtype=numpy.uint32)[:, None] << 15
near = (halves + numpy.array([-1, 0, 1])).astype(numpy.uint32).ravel()
sources["f32"] = near.view(numpy.float32)

lines = []
for own, name in NAMES.items():
    kind = getattr(ml_dtypes, name)
    info = ml_dtypes.finfo(kind)
    codes = numpy.arange(2**info.bits, dtype=numpy.uint8).view(kind)
    with numpy.errstate(all="ignore"):
        values = [text(float(value)) for value in codes.astype(numpy.float32)]
        nearest = {of: runs(source.astype(kind).view(numpy.uint8)) for of, source in sources.items()}
    facts = {"name": name, "bits": info.bits, "bytes": numpy.dtype(kind).itemsize, "values": " ".join(values)}
    facts["nearest"] = nearest
    lines.append(f'"{own}": {json.dumps(facts)}')
for own, name in {f"{s[0]}{bits}": f"{s}{bits}" for s in ["int", "uint"] for bits in [1, 2, 4]}.items():
    info = ml_dtypes.iinfo(getattr(ml_dtypes, name))
    facts = {"name": name, "bits": info.bits, "range": [int(info.min), int(info.max)]}
    lines.append(f'"{own}": {json.dumps(facts)}')
about = f"ml_dtypes {ml_dtypes.__version__}, numpy {numpy.__version__}: python3 tests/files/small_floats.py"
lines.insert(0, f'"_about": {json.dumps(about)}')
path = pathlib.Path(__file__).with_name("small_floats.json")
path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
