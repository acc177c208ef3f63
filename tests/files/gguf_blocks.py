"""Writes `q4_0_blocks.npy` beside it: 8 x 64 weights in blocks of Q4_0, which are the bytes of a row each, by the package gguf;
and `fortran_u8.npy`, two of the blocks in Fortran order.

    pip install gguf && python3 tests/files/gguf_blocks.py

`GGUFReader(..).tensors[i].data` has the same form for a tensor of a file.
"""

from pathlib import Path

import numpy
from gguf import GGMLQuantizationType, quants

weights = numpy.sin(numpy.arange(8 * 64, dtype=numpy.float32)).reshape(8, 64)
blocks = quants.quantize(weights, GGMLQuantizationType.Q4_0)
folder = Path(__file__).parent
numpy.save(folder / "q4_0_blocks.npy", blocks)
numpy.save(folder / "fortran_u8.npy", numpy.asfortranarray(blocks[0].reshape(2, 18)))
