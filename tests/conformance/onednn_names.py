"""oneDNN: `pip install onednn-cpu-gomp`, the library itself. Asks it for the strides and blocks of every tag.

The library's offset of a coordinate is the sum of its strides times what the blocks leave of each axis, plus the place
in the blocks, as its documents say.
"""

import ctypes
import glob
import importlib.metadata
import pathlib
import sys

from vectors import coordinates, offset, report, vectors

# Numbers of `dnnl_query_t` in oneDNN 3.
STRIDES, PADDED_DIMS, INNER_NBLKS, INNER_BLKS, INNER_IDXS = 14, 260, 263, 264, 265
F32 = 3

library = ctypes.CDLL(glob.glob(sys.prefix + "/lib/libdnnl.so.3")[0])
library.dnnl_fmt_tag2str.restype = ctypes.c_char_p
library.dnnl_memory_desc_query.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
library.dnnl_memory_desc_destroy.argtypes = [ctypes.c_void_p]
tags = {library.dnnl_fmt_tag2str(i).decode(): i for i in range(2, 2000)}
del tags["unknown fmt_tag"]


class Memory:
    """What the library has for a tag over extents."""

    def __init__(self, tag, extents):
        self.rank = len(extents)
        self.handle = ctypes.c_void_p()
        dims = (ctypes.c_int64 * self.rank)(*extents)
        status = library.dnnl_memory_desc_create_with_tag(
            ctypes.byref(self.handle), self.rank, dims, F32, tags[tag]
        )
        assert status == 0, f"{tag}: status {status}"
        count = self.number(INNER_NBLKS)
        self.blocks = list(zip(self.numbers(INNER_IDXS, count), self.numbers(INNER_BLKS, count)))
        self.strides = self.numbers(STRIDES, self.rank)
        self.padded = self.numbers(PADDED_DIMS, self.rank)
        library.dnnl_memory_desc_destroy(self.handle)

    def number(self, what):
        value = ctypes.c_int()
        assert library.dnnl_memory_desc_query(self.handle, what, ctypes.byref(value)) == 0
        return value.value

    def numbers(self, what, count):
        values = ctypes.POINTER(ctypes.c_int64)()
        assert library.dnnl_memory_desc_query(self.handle, what, ctypes.byref(values)) == 0
        return values[:count]

    def offset(self, coordinate):
        rest, place, step = list(coordinate), 0, 1
        for axis, size in reversed(self.blocks):
            place += rest[axis] % size * step
            rest[axis] //= size
            step *= size
        return place + sum(index * stride for index, stride in zip(rest, self.strides))


def digits(tag, extents):
    """The rule that the library has for tags: axis, size and weight of each digit."""
    outer, blocks, number = [], [], 0
    for character in tag:
        if character.isdigit():
            number = 10 * number + int(character)
        elif number:
            blocks, number = blocks + [(ord(character) - ord("a"), number)], 0
        else:
            outer.append(ord(character.lower()) - ord("a"))
    weights, fastest_first = [1] * len(extents), []
    for axis, size in reversed(blocks):
        fastest_first.append([axis, size, weights[axis]])
        weights[axis] *= size
    for axis in reversed(outer):
        fastest_first.append([axis, -(-extents[axis] // weights[axis]), weights[axis]])
    return fastest_first[::-1]


def few(extents):
    """The first and last coordinates of each axis, and one between."""
    picks = [sorted({0, extent // 2, extent - 1}) for extent in extents]
    return ([pick[i] for pick, i in zip(picks, index)] for index in coordinates(map(len, picks)))


checked, wrong, unknown = 0, [], []
for vector in vectors("oneDNN"):
    if vector["name"] not in tags:
        unknown.append(vector["name"])
        continue
    memory = Memory(vector["name"], vector["extents"])
    at = coordinates(vector["extents"])
    if any(memory.offset(coordinate) != offset(vector, coordinate) for coordinate in at):
        wrong.append(vector["id"])
    checked += 1
names = pathlib.Path(__file__).parents[2] / "layout-names/src/onednn_tags.txt"
for tag in names.read_text().split():
    if tag not in tags:
        unknown.append(tag)
        continue
    rank = next((i for i, letter in enumerate(tag) if letter.isdigit()), len(tag))
    extents = [33 + axis if rank < 4 else 17 + axis for axis in range(rank)]
    vector = {"digits": digits(tag, extents)}
    memory = Memory(tag, extents)
    own = [memory.offset(coordinate) for coordinate in few(extents)]
    if own != [offset(vector, coordinate) for coordinate in few(extents)]:
        wrong.append(tag)
    checked += 1
print(f"tags that this version does not have: {len(unknown)}: {' '.join(unknown[:4])} ..")
report("oneDNN", importlib.metadata.version("onednn-cpu-gomp"), checked, wrong)
