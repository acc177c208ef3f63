"""CuTe: `pip install tensor-layouts nvidia-cutlass`, two implementations of its algebra in Python.

The second brings NVIDIA's own, `pycute`. It has no layouts with a swizzle, so its swizzle is applied to its offsets.
"""

import ast
import importlib.metadata
import itertools
import re

import pycute
import tensor_layouts

from vectors import expected, vectors, report


def parts(vector):
    """Swizzle, start, shape and strides of a text. With a pointer, the swizzle counts bytes; its start is 0."""
    text = vector["name"]
    found = re.match(r"Sw<(\d+),(\d+),(-?\d+)> o (.*?) o ", text)
    shape, stride = map(ast.literal_eval, text[found.end() if found else 0 :].split(":"))
    if not found:
        return None, 0, shape, stride
    bits, base, shift = (int(number) for number in found.groups()[:3])
    pointer = re.match(r"smem_ptr\[(\d+)b\]", found[4])
    if pointer:
        return (bits, base + 3 - int(pointer[1]).bit_length() + 1, shift), 0, shape, stride
    return (bits, base, shift), int(found[4]), shape, stride


def nested(shape, index):
    """A coordinate of a shape out of one number, the leftmost digit fastest."""
    if isinstance(shape, int):
        return index % shape
    result = []
    for item in shape:
        result.append(nested(item, index))
        index //= pycute.product(item)
    return tuple(result)


def offsets(vector, layout, swizzle):
    """The offsets of a vector, in its order: colexicographic where the text alone says the extents."""
    _, _, shape, _ = parts(vector)
    if "extents" not in vector:
        return [swizzle(layout(i)) for i in range(vector["size"])]
    at = itertools.product(*map(range, vector["extents"]))
    return [swizzle(layout(*map(nested, shape, coordinate))) for coordinate in at]


def same(number):
    return number


def compare(package, make, swizzle_of):
    checked, wrong = 0, []
    for vector in vectors("CuTe"):
        swizzle, start, shape, stride = parts(vector)
        own = swizzle_of(*swizzle) if swizzle else same
        found = offsets(vector, make(shape, stride), lambda at: own(at + start))
        if not expected(vector, found):
            wrong.append(f"{package}: {vector['id']}")
        checked += 1
    return checked, wrong


checked, wrong = 0, []
for package, name, make, swizzle_of in [
    ("tensor-layouts", "tensor-layouts", tensor_layouts.Layout, tensor_layouts.Swizzle),
    ("pycute", "nvidia-cutlass", pycute.Layout, pycute.Swizzle),
]:
    count, differ = compare(package, make, swizzle_of)
    checked, wrong = checked + count, wrong + differ
versions = [f"{name} {importlib.metadata.version(name)}" for name in ("tensor-layouts", "nvidia-cutlass")]
report("CuTe", ", ".join(versions), checked, wrong)
