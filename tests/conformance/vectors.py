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


def report(system, version, checked, disagreements):
    """Prints what was compared; ends with 1 where something differs."""
    print(f"{system}, {version}: {checked} vectors, {len(disagreements)} disagreements")
    for line in disagreements:
        print(f"  {line}")
    raise SystemExit(1 if disagreements or not checked else 0)
