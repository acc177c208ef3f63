"""Writes `tests/src/records/structs.json`: random structs with the alignment of C, by numpy's `align=True`.

`pip install numpy`, and run `python3 numpy_structs.py > ../src/records/structs.json`. Each entry has the fields of a struct as
a record writes them, the offset of each, and the size of the struct.
"""

import json
import random

import numpy

ELEMENTS = {"u8": "u1", "i8": "i1", "u16": "<u2", "f16": "<f2", "i32": "<i4", "f32": "<f4", "u64": "<u8", "f64": "<f8"}
rng = random.Random(59)


def struct(depth, prefix):
    """The fields as text, numpy's type, and the names of all elements."""
    texts, names, types, paths = [], [], [], []
    for number in range(rng.randrange(1, 6)):
        name = f"{'abcde'[number]}"
        names.append(name)
        if depth and rng.random() < 0.25:
            text, kind, inner = struct(depth - 1, f"{prefix}{name}.")
            texts.append(f"{name}: {{ {text} }}")
            paths += [(name,) + path for path in inner]
        else:
            element = rng.choice(list(ELEMENTS))
            kind = numpy.dtype(ELEMENTS[element])
            count = rng.choice([1, 1, 1, 3])
            digits = f"{count}z " if count > 1 else ""
            align = f" align({kind.alignment})" if kind.alignment > 1 else ""
            texts.append(f"{name}: {digits}{element}{align}")
            kind = numpy.dtype((kind, (count,))) if count > 1 else kind
            paths.append((name,))
        types.append(kind)
    return ", ".join(texts), numpy.dtype({"names": names, "formats": types}, align=True), paths


def offset(kind, path):
    total = 0
    for name in path:
        kind, own = kind.fields[name][:2]
        total += own
    return total


rows = []
while len(rows) < 60:
    text, kind, paths = struct(2, "")
    # A record has at most 44 items: fields, digits and marks.
    if text.count(":") + text.count("z ") + text.count("align") > 42:
        continue
    offsets = {".".join(path): offset(kind, path) for path in paths}
    rows.append(json.dumps({"fields": text, "size": kind.itemsize, "offsets": offsets}, separators=(",", ":")))
print("[\n" + ",\n".join(rows) + "\n]")
