"""Memory layouts of tensors: where each element lies, and moves between layouts as fast as memory.

>>> import numpy as np
>>> import tensor_layout as tl
>>> tl.Layout("NCHW4<2, 63, 3, 3>, f16")
Traceback (most recent call last):
    ...
tensor_layout.LayoutError: byte 9, `63`: axis `C` has extent 63, which is not a multiple of its block 4; write 60 or 64, \
or add the option `pad` to store the rest of the last block as padding
>>> image = np.arange(2 * 4 * 5 * 3, dtype=np.uint8).reshape(2, 4, 5, 3)
>>> blocks = tl.relayout(image, "NHWC", "NCHW4", pad=0)
>>> blocks.shape
(2, 1, 4, 5, 4)
>>> back = tl.relayout(blocks, "NCHW4", "NHWC", extents={"C": 3})
>>> bool((back == image).all())
True

Arrays are those of NumPy, PyTorch, JAX and other libraries of the array API, in the memory of the CPU, and whatever NumPy
takes by DLPack or the buffer protocol. Memory is read where it lies, and the result is of the same library. The GIL is
released while elements move: no other thread may write the source or use the destination meanwhile.
"""

from ._arrays import ascontiguousarray, convert, copy, relayout
from ._checkpoints import Checkpoint, StoredTensor, repack, save
from ._records import Record
from ._tensor_layout import Layout, LayoutError, Plan, relayout_cost

__all__ = [
    "Checkpoint", "Layout", "LayoutError", "Plan", "Record", "StoredTensor", "ascontiguousarray", "convert", "copy", "relayout",
    "relayout_cost", "repack", "save",
]  # fmt: skip
