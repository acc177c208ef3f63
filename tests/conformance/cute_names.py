"""CuTe: `pip install tensor-layouts`, an implementation of its algebra in Python."""

import ast
import importlib.metadata

from tensor_layouts import Layout

from vectors import report, vectors


def one_or_tuple(text):
    """`(4,(2,3))` as tuples; CuTe writes a tuple of one as `(8)`, which Python reads as 8."""
    return ast.literal_eval(text)


checked, wrong = 0, []
for vector in vectors("CuTe"):
    shape, stride = map(one_or_tuple, vector["name"].split(":"))
    layout = Layout(shape, stride)
    own = [layout(i) for i in range(vector["size"])]
    if own != vector["offsets_colexicographic"]:
        wrong.append(f"{vector['id']}: {own}")
    checked += 1
report("CuTe", "tensor-layouts " + importlib.metadata.version("tensor-layouts"), checked, wrong)
