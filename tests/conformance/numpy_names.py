"""TensorRT, Ascend, RKNN and MLIR: their documents' own recipe, pad, reshape and transpose, in NumPy."""

import re

import numpy

from vectors import coordinates, offset, report, vectors

# Axes in memory order, each with the block that is split off, after padding to it: from the documents.
RECIPES = {
    "kCHW4": ([0, 1, 2, 3, "b1"], {1: 4}),
    "kHWC8": ([0, 2, 3, 1], {1: -8}),
    "kCDHW32": ([0, 1, 2, 3, 4, "b1"], {1: 32}),
    "kDLA_LINEAR": ([0, 1, 2, 3], {3: -64}),
    "NC1HWC0": ([0, 1, 2, 3, "b1"], {1: 16}),
    "NC1HWC2": ([0, 1, 2, 3, "b1"], {1: 16}),
    "FRACTAL_NZ": ([1, 0, "b0", "b1"], {0: 16, 1: 16}),
}


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def recipe(vector):
    """The recipe of a name, or of MLIR's lists."""
    if vector["system"] == "MLIR":
        lists = dict(re.findall(r"(\w+) = \[([^]]*)\]", vector["name"]))
        rank = len(vector["extents"])
        positions, tiles = numbers(lists["inner_dims_pos"]), numbers(lists["inner_tiles"])
        outer = numbers(lists.get("outer_dims_perm", "")) or list(range(rank))
        return outer + [f"b{axis}" for axis in positions], dict(zip(positions, tiles))
    return RECIPES[vector["name"]]


def stored(vector):
    """An index tensor as the system stores it; -1 is padding."""
    order, blocks = recipe(vector)
    extents = vector["extents"]
    index = numpy.arange(numpy.prod(extents)).reshape(extents)
    padding = [(0, -extent % abs(blocks.get(axis, 1))) for axis, extent in enumerate(extents)]
    index = numpy.pad(index, padding, constant_values=-1)
    # A negative number is rounding up alone.
    shape, names = [], []
    for axis, extent in enumerate(index.shape):
        block = blocks.get(axis, 0)
        shape += [extent // block, block] if block > 0 else [extent]
        names += [axis, f"b{axis}"] if block > 0 else [axis]
    return index.reshape(shape).transpose([names.index(name) for name in order]).ravel()


checked, wrong = 0, []
for system in ["TensorRT", "Ascend", "RKNN", "MLIR"]:
    for vector in vectors(system):
        memory = stored(vector)
        same = len(memory) == vector["length"] and all(
            memory[offset(vector, coordinate)] == position
            for position, coordinate in enumerate(coordinates(vector["extents"]))
        )
        if not same:
            wrong.append(vector["id"])
        checked += 1
report("documents", "NumPy " + numpy.__version__, checked, wrong)
