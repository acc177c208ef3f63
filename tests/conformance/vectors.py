"""Reads vectors.json for the runners: one system's vectors, with the offset that each digit list gives."""

import itertools
import json
import pathlib


def vectors(system):
    """The vectors of a system."""
    text = pathlib.Path(__file__).with_name("vectors.json").read_text()
    return [vector for vector in json.loads(text)["vectors"] if vector["system"] == system]


def coordinates(extents):
    """Every coordinate, the last axis fastest."""
    return itertools.product(*map(range, extents))


def offset(vector, coordinate):
    """The offset of a coordinate, in elements."""
    result = 0
    for axis, size, weight in vector["digits"]:
        result = result * size + coordinate[axis] // weight % size
    return result


def expected(vector, offsets):
    """Whether these are the offsets that a vector has in its tables."""
    for key in ("offsets", "offsets_colexicographic"):
        if key in vector:
            return offsets == vector[key]
    hash_ = 0xCBF29CE484222325
    for value in offsets:
        for byte in value.to_bytes(4, "little"):
            hash_ = ((hash_ ^ byte) * 0x100000001B3) % 2**64
    samples = all(offsets[position] == value for position, value in vector["samples"])
    return samples and len(offsets) == vector["count"] and f"{hash_:016x}" == vector["fnv1a64"]


def report(system, version, checked, disagreements):
    """Prints what was compared; ends with 1 where something differs."""
    print(f"{system}, {version}: {checked} vectors, {len(disagreements)} disagreements")
    for line in disagreements:
        print(f"  {line}")
    raise SystemExit(1 if disagreements or not checked else 0)
