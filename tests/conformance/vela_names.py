"""Ethos-U: `pip install ethos-u-vela`. Asks Vela for the address of every coordinate."""

import importlib.metadata

from ethosu.vela.architecture_features import Accelerator, create_default_arch
from ethosu.vela.data_type import DataType
from ethosu.vela.shape4d import Shape4D
from ethosu.vela.tensor import MemArea, MemType, Tensor, TensorFormat

from vectors import coordinates, offset, report, vectors

arch = create_default_arch(Accelerator.Ethos_U55_128)
checked, wrong = 0, []
for vector in vectors("Ethos-U"):
    n, c, h, w = vector["extents"]
    tensor = Tensor([n, h, w, c], DataType.int8, vector["id"])
    tensor.force_linear_format = False
    tensor.set_format(TensorFormat[vector["name"]], arch)
    tensor.mem_area, tensor.mem_type = MemArea.Sram, MemType.Scratch
    tensor.address = 0
    strides = tensor.get_strides(Shape4D(n, h, w, c))
    for coordinate in coordinates(vector["extents"]):
        at = [coordinate[0], coordinate[2], coordinate[3], coordinate[1]]
        own = tensor.address_for_coordinate(at, strides=strides, op_shape4D=Shape4D(n, h, w, c))
        if own != offset(vector, coordinate):
            wrong.append(f"{vector['id']} at {coordinate}: {own}")
            break
    checked += 1
report("Ethos-U", "ethos-u-vela " + importlib.metadata.version("ethos-u-vela"), checked, wrong)
