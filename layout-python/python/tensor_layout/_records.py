"""Records: several tensors in one buffer, such as blocks of quantized weights."""

import math

import numpy as np

from . import _tensor_layout as inner
from ._arrays import _DTYPES, _ELEMENTS, _Array, _contiguous, _source_layout, _writable
from ._tensor_layout import LayoutError


def _float(dtype):
    """NumPy's type of a name such as float16 or bf16."""
    try:
        # NumPy has other meanings for some names of the library, such as f16.
        found = np.dtype(_DTYPES.get(dtype, dtype) if isinstance(dtype, str) else dtype)
    except TypeError:
        element = _ELEMENTS.get(dtype, dtype) if isinstance(dtype, str) else dtype
        found = _Array(np.empty(0, np.uint8)).dtype_of(element)
    if (_ELEMENTS.get(found.name) or "u").startswith(("f", "bf")):
        return found
    raise LayoutError(f"values of a record are floats, and `dtype` is {found}; give a type such as float32")


class Record(inner.Record):
    """Several tensors in one buffer: ``Record("MK<4096, 4096>, ggml::Q4_0")`` or ``Record("MK<8, 64>, { d: f16, q: 32k i8 }")``.

    Buffers are arrays of bytes, and a list of them where a record has several: NF4 of bitsandbytes is
    ``"<M = 8, K = 64>, { q: M K u4 high_first; s: M K/64 f32 } = s * nf4[q]"``. ``Record.known()`` lists the records with names.

    >>> import numpy as np
    >>> import tensor_layout as tl
    >>> blocks = tl.Record("MK<2, 64>, ggml::Q8_0")
    >>> packed = blocks.quantize(np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64))
    >>> packed.nbytes, float(blocks.dequantize(packed)[0, 0]), blocks.field(packed, "q")[0, 0]
    (136, -0.99993896484375, np.int8(-127))
    """

    __slots__ = ()

    def quantize(self, x, *, quantizer=None, out=None):
        """Store the numbers of an array with a dimension for each axis, and choose their scales.

        ``quantizer`` is ``"absmax"``, ``"signed_max"``, ``"min_max"``, ``"affine"``, ``"mx"``, ``"mx_ggml"``, ``"nvfp4"``
        or ``"fitted"``; by default it is that of the program which has these blocks.
        """
        array = _Array(x)
        array.check_numbers("whose numbers could be quantized; convert the array first, as `x.astype` does")
        if list(array.memory.shape) != list(self.extents):
            raise LayoutError(f"the array has shape {list(array.memory.shape)}, and `{self}` {self.extents}; give an array of that shape")
        if 0 in array.memory.strides:
            # A conversion of values reads an element for each coordinate.
            array.memory = _contiguous(array.memory)
        layout, array = _source_layout(array, self.letters, None)
        result = self._empty() if out is None else out
        self._quantize(layout, array.memory, self._written(result), quantizer)
        return result

    def dequantize(self, data, dtype="float32", *, out=None):
        """Compute the values of a record, as an array with a dimension for each axis."""
        result = np.empty(self.extents, _float(dtype)) if out is None else out
        place = _writable(result)
        if list(place.memory.shape) != list(self.extents):
            raise LayoutError(f"`out` has shape {list(place.memory.shape)}, and `{self}` {self.extents}; give an array of that shape")
        if not place.memory.flags.c_contiguous:
            raise LayoutError("`out` has strides; give an array in C order")
        if not (place.known or "").startswith(("f", "bf")):
            raise LayoutError(f"values of a record are floats, and `out` has elements of type {place.dtype}; give a type such as float32")
        layout, place = _source_layout(place, self.letters, None)
        self._dequantize(self._read(data), layout, place.memory)
        return result

    def relayout(self, data, record, *, out=None):
        """Move all fields to another record with the same fields, such as rows of blocks to blocks of eight rows."""
        result = record._empty() if out is None else out
        self._relayout(self._read(data), record, record._written(result))
        return result

    def field(self, data, name):
        """Read a field as an array of its own. Integers that NumPy lacks, such as u4 and u12, are stored in its next ones."""
        shape, element, buffer, (bits, stored) = self._field(name)
        parts = self._read(data)
        if [part.nbytes for part in parts] != self.buffers:
            raise LayoutError(f"the buffers have {[part.nbytes for part in parts]} bytes, and those of the record {self.buffers}; give these")
        dtype, count = _Array(np.empty(0, np.uint8)).dtype_of(element), math.prod(shape)
        if stored == "bits":
            packed = np.empty(count * ((bits + 7) // 8), np.uint8)
            self._read_field(name, parts[buffer], packed)
            each = np.unpackbits(packed, bitorder="little").reshape(*shape, (bits + 7) // 8 * 8)[..., :bits].astype(dtype)
            sign = each[..., -1] << (bits - 1) << 1 if dtype.kind == "i" else 0
            return (each << np.arange(bits, dtype=dtype)).sum(-1, dtype=dtype) - sign
        result = np.empty(shape, np.float32 if stored == "floats" else dtype)
        self._read_field(name, parts[buffer], result.reshape(-1).view(np.uint8))
        return result.astype(dtype, copy=False)

    def _empty(self):
        """New buffers."""
        made = [np.zeros(size, np.uint8) for size in self.buffers]
        return made[0] if len(made) == 1 else made

    def _parts(self, data, of):
        if isinstance(data, (list, tuple)):
            return [of(each) for each in data]
        return [of(data)]

    def _read(self, data):
        """The bytes of all buffers."""

        def one(own):
            memory = _Array(own).memory
            return memory if memory.flags.c_contiguous else _contiguous(memory)

        return self._parts(data, one)

    def _written(self, data):
        """The bytes of all buffers, to write them."""
        return self._parts(data, lambda own: _writable(own).memory)

