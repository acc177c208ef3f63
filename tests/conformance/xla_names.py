"""XLA: `pip install jaxlib`. Its parser reads each text; its order and tiles give the offset of each coordinate.

No CPU backend stores tiles, so the offset is the rule of XLA's documents, applied to what the parser found.
"""

import importlib.metadata

from jaxlib import xla_client

from vectors import coordinates, offset, report, vectors


def layout(shape):
    """The layout that XLA's parser finds in the text of a shape."""
    text = f"HloModule m\nENTRY e {{ ROOT p = {shape} parameter(0) }}"
    module = xla_client.hlo.hlo_module_from_text(text)
    computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
    return computation.program_shape().parameter_shapes()[0].layout()


def tiled(index, dims, tile):
    """An index and extents of which the last are cut into tiles."""
    outer = len(dims) - len(tile)
    pairs = list(zip(index[outer:], dims[outer:], tile))
    index = index[:outer] + [i // t for i, _, t in pairs] + [i % t for i, _, t in pairs]
    return index, dims[:outer] + [-(-d // t) for _, d, t in pairs] + list(tile)


def place(coordinate, extents, layout):
    order = layout.minor_to_major()[::-1]
    index, dims = [coordinate[axis] for axis in order], [extents[axis] for axis in order]
    for tile in layout.tiling():
        index, dims = tiled(index, dims, tile)
    result = 0
    for i, d in zip(index, dims):
        result = result * d + i
    return result


checked, wrong = 0, []
for vector in vectors("XLA"):
    extents = vector["extents"]
    shape = f"{vector['element']}[{','.join(map(str, extents))}]{vector['name']}"
    found = layout(shape)
    if found.to_string() != vector["name"]:
        wrong.append(f"{vector['id']}: {found.to_string()}")
    if any(place(at, extents, found) != offset(vector, at) for at in coordinates(extents)):
        wrong.append(vector["id"])
    checked += 1
report("XLA", "jaxlib " + importlib.metadata.version("jaxlib"), checked, wrong)
