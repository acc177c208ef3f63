"""MLIR: `pip install iree-base-compiler iree-base-runtime numpy`. Compiles `linalg.pack` and runs it on indices."""

import importlib.metadata
import re

import iree.compiler
import iree.runtime
import numpy

from vectors import coordinates, offset, report, vectors


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def packed(vector):
    """The pack of a tensor that holds its own indices; -1 is padding."""
    extents, name = vector["extents"], vector["name"].replace("%zero", "%pad")
    lists = {key: numbers(of) for key, of in re.findall(r"(\w+) = \[([^]]*)\]", name)}
    outer = [
        -(-extent // dict(zip(lists["inner_dims_pos"], lists["inner_tiles"])).get(axis, 1))
        for axis, extent in enumerate(extents)
    ]
    outer = [outer[axis] for axis in lists.get("outer_dims_perm", range(len(outer)))]
    source, result = (
        f"tensor<{'x'.join(map(str, shape))}xf32>" for shape in (extents, outer + lists["inner_tiles"])
    )
    text = f"""
    func.func @main(%source: {source}) -> {result} {{
      %pad = arith.constant -1.0 : f32
      %empty = tensor.empty() : {result}
      %packed = linalg.pack %source {name} into %empty : {source} -> {result}
      return %packed : {result}
    }}"""
    options = {"target_backends": ["llvm-cpu"], "extra_args": ["--iree-llvmcpu-target-cpu=generic"]}
    module = iree.compiler.compile_str(text, **options)
    context = iree.runtime.SystemContext(config=iree.runtime.Config("local-sync"))
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, module))
    index = numpy.arange(numpy.prod(extents), dtype=numpy.float32).reshape(extents)
    return context.modules.module.main(index).to_host().ravel()


checked, wrong = 0, []
for vector in vectors("MLIR"):
    memory = packed(vector)
    places = [offset(vector, at) for at in coordinates(vector["extents"])]
    same = len(memory) == vector["length"] and all(memory[at] == i for i, at in enumerate(places))
    if not same or sum(memory < 0) != len(memory) - len(places):
        wrong.append(vector["id"])
    checked += 1
report("MLIR", "IREE " + importlib.metadata.version("iree-base-compiler"), checked, wrong)
