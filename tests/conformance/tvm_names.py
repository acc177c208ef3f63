"""TVM: `pip install apache-tvm`. Maps every coordinate through the layout's own index rule."""

import tvm
from tvm import s_tir

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
try:
    s_tir.slayout("OIHW4i16o4i")
    wrong.append("OIHW4i16o4i is read, which the library refuses")
except Exception:
    pass
report("TVM", tvm.__version__, checked, wrong)
