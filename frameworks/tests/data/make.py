"""Writes a small model, a camera's frame, and what NumPy makes of it: model.onnx, frame.bin, planes.bin, screen.bin.

Needs the packages numpy and onnx. All numbers are sums of few powers of 2, so that float32 holds them exactly and
every order of sums gives the same bits.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent
HEIGHT, WIDTH, FILTERS = 6, 8, 2
random = np.random.default_rng(23)

# What the camera delivers: NHWC, 8 bits.
frame = random.integers(0, 256, (1, HEIGHT, WIDTH, 3), dtype=np.uint8)
weights = (random.integers(-8, 9, (FILTERS, 3, 3, 3)) / 8).astype(np.float32)
bias = np.array([0.25, -0.5], dtype=np.float32)

node = helper.make_node("Conv", ["image", "weights", "bias"], ["sums"], pads=[1, 1, 1, 1])
relu = helper.make_node("Relu", ["sums"], ["mask"])
image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])
mask = helper.make_tensor_value_info("mask", TensorProto.FLOAT, [1, FILTERS, HEIGHT, WIDTH])
constants = [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(bias, "bias")]
graph = helper.make_graph([node, relu], "edges", [image], [mask], constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, HERE / "model.onnx")

# The same in NumPy: planes of numbers from -1 to 1, a convolution, and 8 bits for the screen, NHWC.
planes = ((frame.astype(np.float32) - 128) / 128).transpose(0, 3, 1, 2)
padded = np.pad(planes, [(0, 0), (0, 0), (1, 1), (1, 1)])
sums = np.zeros((1, FILTERS, HEIGHT, WIDTH), dtype=np.float32)
for h in range(HEIGHT):
    for w in range(WIDTH):
        window = padded[0, :, h : h + 3, w : w + 3]
        sums[0, :, h, w] = (window * weights).sum(axis=(1, 2, 3)) + bias
result = np.maximum(sums, 0)
screen = np.clip(np.rint(result * 16), 0, 255).astype(np.uint8).transpose(0, 2, 3, 1)

frame.tofile(HERE / "frame.bin")
result.tofile(HERE / "planes.bin")
np.ascontiguousarray(screen).tofile(HERE / "screen.bin")
