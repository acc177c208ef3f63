"""Writes `q4_0_blocks.npy` beside it: 8 x 64 weights in blocks of Q4_0, which are the bytes of a row each, by the package gguf;
`fortran_u8.npy`, two of the blocks in Fortran order; and `tensors.gguf` with the same blocks, numbers, and keys of all kinds.

    pip install gguf && python3 tests/files/gguf_blocks.py

`GGUFReader(..).tensors[i].data` has the same form for a tensor of a file.
"""

from pathlib import Path

import numpy
from gguf import GGMLQuantizationType, GGUFWriter, quants

weights = numpy.sin(numpy.arange(8 * 64, dtype=numpy.float32)).reshape(8, 64)
blocks = quants.quantize(weights, GGMLQuantizationType.Q4_0)
folder = Path(__file__).parent
numpy.save(folder / "q4_0_blocks.npy", blocks)
numpy.save(folder / "fortran_u8.npy", numpy.asfortranarray(blocks[0].reshape(2, 18)))

writer = GGUFWriter(folder / "tensors.gguf", "tests")
writer.add_custom_alignment(64)
writer.add_array("tests.words", ["a", "of", "three"])
writer.add_array("tests.numbers", [1, 2, 3])
writer.add_bool("tests.flag", True)
writer.add_float64("tests.number", 0.5)
writer.add_tensor("blk.0.attn_q.weight", blocks, raw_dtype=GGMLQuantizationType.Q4_0)
writer.add_tensor("blk.0.attn_norm.weight", numpy.arange(3, dtype=numpy.float32))
writer.add_tensor("conv", numpy.arange(24, dtype=numpy.int16).reshape(2, 3, 4))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
