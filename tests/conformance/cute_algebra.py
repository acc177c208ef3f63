"""Writes `tests/src/algebra/cute.json`: CuTe's algebra of random layouts, made by CuTe's own Python.

`pip download --no-deps nvidia-cutlass==4.2.0.0`, unpack `pycute` out of the wheel beside this script or on
`PYTHONPATH`, and run `python3 cute_algebra.py > ../src/algebra/cute.json`. Layouts are lists of shapes and
strides with the first mode fastest, flattened; modes of tiles and of what counts them are lists of such.
Results are kept where they are what their definition says for every index: pycute does not check that a shape
divides what it cuts. Blocked and raked products are put together from pycute's logical product as CuTe's C++
headers do it.
"""

import json
import random
import sys

from pycute import Layout, coalesce, complement, composition, flatten, left_inverse, logical_divide
from pycute import logical_product, make_layout, right_inverse, zipped_divide

random.seed(24)
sys.setrecursionlimit(10000)


def flat(layout):
    """Shapes and strides, one mode at least."""
    shape, stride = layout.shape, layout.stride
    if not isinstance(shape, tuple):
        return [[shape], [stride]]
    return [list(flatten(shape)), list(flatten(stride))]


def modes(layout):
    return [flat(layout[i]) for i in range(len(layout.shape))]


def compact(most=5, limit=512):
    """Strides in some order without gaps, then perhaps with gaps."""
    while True:
        shape = [random.choice([1, 2, 2, 3, 4, 4, 5, 6, 8]) for _ in range(random.randint(1, most))]
        order = random.sample(range(len(shape)), len(shape))
        stride, space = [0] * len(shape), random.choice([1, 1, 1, 2, 3, 4])
        for mode in order:
            stride[mode] = space
            space *= shape[mode] * random.choice([1, 1, 1, 1, 2, 3])
        if space <= limit:
            return Layout(tuple(shape), tuple(stride))


def dense(most=3, limit=512):
    while True:
        shape = [random.choice([2, 3, 4, 4, 6, 8, 12, 16]) for _ in range(random.randint(1, most))]
        order = random.sample(range(len(shape)), len(shape))
        stride, space = [0] * len(shape), 1
        for mode in order:
            stride[mode] = space
            space *= shape[mode]
        if space <= limit:
            return Layout(tuple(shape), tuple(stride))


def tile_of(size):
    """A tile that divides `size` coordinates."""
    divisors = [d for d in range(1, size + 1) if size % d == 0]
    extent = random.choice(divisors)
    steps = [d for d in divisors if size % (extent * d) == 0]
    return Layout(extent, random.choice(steps))


def values(layout):
    return [layout(i) for i in range(layout.size())]


def unary(count, operation, make, holds):
    for _ in range(count):
        a = make()
        try:
            result = operation(a)
        except AssertionError:
            continue
        if holds(a, result):
            yield {"a": flat(a), "result": flat(result)}


def compositions(count):
    while count:
        a, b = compact(), compact(3, 64)
        if max(values(b)) >= a.size():
            continue
        try:
            result = composition(a, b)
        except AssertionError:
            continue
        if values(result) == [a(i) for i in values(b)]:
            count -= 1
            yield {"a": flat(a), "b": flat(b), "result": flat(result)}


def complements(count):
    while count:
        a = compact(3, 64)
        room = max(stride * shape for shape, stride in zip(*flat(a)))
        size = room * random.randint(1, 6)
        try:
            result = complement(a, size)
        except AssertionError:
            continue
        if sorted(i + j for i in values(a) for j in values(result)) == list(range(size)):
            count -= 1
            yield {"a": flat(a), "count": size, "result": flat(result)}


def divisions(count):
    while count:
        a = compact()
        tile = tile_of(a.size())
        try:
            result = logical_divide(a, tile)
        except AssertionError:
            continue
        if sorted(values(result)) == sorted(values(a)):
            count -= 1
            yield {"a": flat(a), "b": flat(tile), "result": modes(result)}


def by_mode(count, operation):
    while count:
        a = compact(3, 512)
        tilers = tuple(tile_of(a.shape[i]) for i in range(len(a.shape)))
        try:
            result = operation(a, tilers)
        except AssertionError:
            continue
        if sorted(values(result)) == sorted(values(a)):
            count -= 1
            parts = [modes(result[i]) for i in range(len(result.shape))]
            yield {"a": flat(a), "tilers": [flat(tiler) for tiler in tilers], "result": parts}


def products(count, kind):
    while count:
        rank = random.randint(1, 2)
        a, b = dense(rank, 24), dense(rank, 24)
        if len(a.shape) != rank or len(b.shape) != rank:
            continue
        try:
            result = logical_product(a, b)
        except AssertionError:
            continue
        copies = [result[1](i) for i in range(b.size())]
        if len(set(i + j for i in values(a) for j in copies)) != a.size() * b.size():
            continue
        count -= 1
        if kind == "logical":
            yield {"a": flat(a), "b": flat(b), "result": modes(result)}
            continue
        # The modes of the copies, in the places of those of `b`.
        placed = [composition(complement(a, a.size() * b.cosize()), b[i]) for i in range(rank)]
        pairs = [(a[i], placed[i]) for i in range(rank)]
        zipped = [make_layout(*(pair if kind == "blocked" else pair[::-1])) for pair in pairs]
        yield {"a": flat(a), "b": flat(b), "result": [flat(mode) for mode in zipped]}


def is_right(a, result):
    return all(a(result(i)) == i for i in range(result.size()))


def is_left(a, result):
    return all(result(a(i)) == i for i in range(a.size()))


table = {
    "made_by": "pycute of nvidia-cutlass 4.2.0.0, tests/conformance/cute_algebra.py",
    "composition": list(compositions(120)),
    "complement": list(complements(60)),
    "logical_divide": list(divisions(60)),
    "logical_divide_by_mode": list(by_mode(40, logical_divide)),
    "zipped_divide_by_mode": list(by_mode(40, zipped_divide)),
    "logical_product": list(products(40, "logical")),
    "blocked_product": list(products(30, "blocked")),
    "raked_product": list(products(30, "raked")),
    "right_inverse": list(unary(60, right_inverse, compact, is_right)),
    "left_inverse": list(unary(60, left_inverse, compact, is_left)),
    "coalesce": list(unary(40, coalesce, compact, lambda a, r: values(a) == values(r))),
}
lines = []
for name, cases in table.items():
    if name == "made_by":
        lines.append(f'"{name}":{json.dumps(cases)}')
        continue
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    lines.append(f'"{name}":[\n{rows}\n]')
print("{\n" + ",\n".join(lines) + "\n}")
print({name: len(cases) for name, cases in table.items() if name != "made_by"}, file=sys.stderr)
