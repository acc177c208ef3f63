"""TVM: `pip install apache-tvm`. Maps every coordinate through the layout's own index rule, and through index maps."""

import itertools

import tvm
from tvm import s_tir, tirx

from vectors import coordinates, offset, report, vectors


def flat(index, shape):
    """Row-major position of an index."""
    result = 0
    for i, extent in zip(index, shape):
        result = result * int(extent) + int(i)
    return result


checked, wrong = 0, []
for vector in vectors("TVM"):
    map_ = s_tir.sbijective_layout("NCHW", vector["name"])
    shape = map_.forward_shape(vector["extents"])
    for coordinate in coordinates(vector["extents"]):
        own = flat(map_.forward_index(list(coordinate)), shape)
        if own != offset(vector, coordinate):
            wrong.append(f"{vector['id']} at {coordinate}: {own}")
            break
    checked += 1
for system in ["cuBLASLt", "hipBLASLt", "oneDNN", "Ascend"]:
    # Blocks in any order are index maps: the text is what the library prints for these digits.
    for vector in vectors(system):
        names = "abcdefgh"[: len(vector["extents"])]
        terms = []
        for place, (axis, size, weight) in enumerate(vector["digits"]):
            above = [other[2] for other in vector["digits"] if other[0] == axis]
            remainder = "" if weight == max(above) else f" % {size}"
            terms.append(f"{names[axis]} // {weight}{remainder}")
        text = f"lambda {', '.join(names)}: ({', '.join(terms)},)"
        map_ = tirx.IndexMap.from_func(eval(text), ndim=len(names))
        shape = map_.map_shape(vector["extents"])
        # Each call takes TVM a millisecond.
        for coordinate in itertools.islice(coordinates(vector["extents"]), 0, None, 97):
            if flat(map_.map_indices(list(coordinate)), shape) != offset(vector, coordinate):
                wrong.append(f"{vector['id']} at {coordinate}")
                break
        checked += 1
try:
    s_tir.slayout("OIHW4i16o4i")
    wrong.append("OIHW4i16o4i is read, which the library refuses")
except Exception:
    pass
report("TVM", tvm.__version__, checked, wrong)
