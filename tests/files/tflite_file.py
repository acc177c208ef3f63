"""Writes small.tflite: tensors of several types, and operators with and without an epilogue. Needs `tflite-micro`.

    python tests/files/tflite_file.py
"""

from pathlib import Path

import flatbuffers
import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

HERE = Path(__file__).resolve().parent


def tensor(model, name, kind, values=None, shape=None, scales=(), axis=0):
    """Adds a tensor, with its elements unless it is an activation, and returns its index."""
    own = schema.TensorT()
    own.name, own.type, own.buffer = name, kind, len(model.buffers)
    own.shape = list(values.shape if shape is None else shape)
    buffer = schema.BufferT()
    buffer.data = None if values is None else np.frombuffer(values.tobytes(), np.uint8)
    model.buffers.append(buffer)
    own.quantization = schema.QuantizationParametersT()
    if scales:
        own.quantization.scale, own.quantization.zeroPoint = list(scales), [0 if values is not None else -3] * len(scales)
        own.quantization.quantizedDimension = axis
    model.subgraphs[0].tensors.append(own)
    return len(model.subgraphs[0].tensors) - 1


def operator(model, code, inputs, outputs, options=None, kind=0):
    own = schema.OperatorCodeT()
    own.builtinCode = own.deprecatedBuiltinCode = code
    model.operatorCodes.append(own)
    op = schema.OperatorT()
    op.opcodeIndex, op.inputs, op.outputs = len(model.operatorCodes) - 1, inputs, outputs
    op.builtinOptions, op.builtinOptionsType = options, kind
    model.subgraphs[0].operators.append(op)


def main():
    types, codes = schema.TensorType, schema.BuiltinOperator
    model = schema.ModelT()
    model.version, model.operatorCodes, model.buffers = 3, [], []
    graph = schema.SubGraphT()
    graph.tensors, graph.operators = [], []
    model.subgraphs = [graph]
    input = tensor(model, "input", types.INT8, shape=[1, 4], scales=[0.5])
    dense = np.arange(-6, 6, dtype=np.int8).reshape(3, 4)
    weights = tensor(model, "dense/weights", types.INT8, dense, scales=[0.25])
    bias = tensor(model, "dense/bias", types.INT32, np.array([10, -20, 300], np.int32), scales=[0.125])
    output = tensor(model, "dense/output", types.INT8, shape=[1, 3], scales=[1.0])
    floats = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor(model, "floats", types.FLOAT32, floats)
    added = tensor(model, "added", types.INT8, np.arange(4, dtype=np.int8), scales=[0.5])
    options = schema.FullyConnectedOptionsT()
    options.fusedActivationFunction = schema.ActivationFunctionType.RELU
    operator(model, codes.FULLY_CONNECTED, [input, weights, bias], [output], options, schema.BuiltinOptions.FullyConnectedOptions)
    operator(model, codes.ADD, [input, added], [input])
    graph.inputs, graph.outputs = [input], [output]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    file = bytes(builder.Output())
    (HERE / "small.tflite").write_bytes(file)
    (HERE / "cut.tflite").write_bytes(file[:200])


main()
