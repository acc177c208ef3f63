"""Checkpoints: the tensors of .safetensors, GGUF and .npy files."""

import math
import os
import sys
import warnings
from collections.abc import Mapping

import numpy as np

from . import _tensor_layout as inner
from ._arrays import _Array, _checked, _contiguous, _stored_shape, relayout
from ._records import Record
from ._tensor_layout import Layout, LayoutError


class StoredTensor:
    """A tensor of a file. Its bytes are read when they are asked for.

    ``name``, ``shape``, ``element`` (``"f16"``, ``"ggml::Q4_0"``), ``nbytes``, and where the bytes lie: ``path`` and ``offset``.
    ``tensor[3:5]`` reads a piece, and ``numpy.asarray(tensor)`` all. The file may not change while an array of it is used.
    """

    __slots__ = ("_fault", "_is_big_endian", "_layout", "element", "name", "nbytes", "offset", "path", "shape")

    def __init__(self, described):
        self.name, shape, self.element, self._layout, self.path, self.offset, self.nbytes, self._is_big_endian, self._fault = described
        # An array of NumPy in Fortran's order has the shape of its memory.
        self.shape = tuple(shape[::-1] if self._is_fortran else shape)

    def __repr__(self):
        layout = f", {self._layout}" if self._layout else ""
        return f"<StoredTensor {self.name!r}: {self.element} {list(self.shape)}{layout}>"

    @property
    def _is_fortran(self):
        return self._layout is not None and self.path.suffix in (".npy", ".npz")

    @property
    def layout(self):
        """The layout that the file says, or None."""
        self._check_text()
        return Layout(self._layout) if self._layout and "{" not in self._layout else None

    @property
    def record(self):
        """The record of a tensor of blocks, or None. Its axes are rows, M, and columns, K, unless the file says more."""
        self._check_text()
        if self._layout and "{" in self._layout:
            return Record(self._layout)
        if "::" not in self.element:
            return None
        *rows, columns = self.shape
        return Record(f"MK<{math.prod(rows)}, {columns}>, {self.element}")

    def _check_text(self):
        """Raise an error if the text in the file is not that of its bytes."""
        if self._fault:
            raise LayoutError(self._fault)

    def bytes(self):
        """The bytes of the file, as a read-only array over it."""
        return self._mapped(np.dtype(np.uint8), [self.nbytes])

    def array(self):
        """A read-only array over the file. Elements that NumPy lacks are those of ml_dtypes if it is installed, and otherwise
        unsigned integers of their size; blocks of a record are bytes."""
        dtype = _dtype(self.element)
        if self._is_fortran:
            return self._mapped(dtype, self.shape[::-1]).T
        return self._mapped(dtype, self.shape if self.nbytes == dtype.itemsize * math.prod(self.shape) else [self.nbytes])

    def __array__(self, dtype=None, copy=None):
        array = self.array()
        return np.array(array, dtype) if copy or (dtype is not None and copy is None) else array

    def __getitem__(self, index):
        return self.array()[index]

    def relayout(self, destination, axes=None, *, pad=None, out=None, parallel=False):
        """The tensor as an array in another layout, such as ``"NCHW4"``. ``axes`` are the letters of the shape, such as
        ``"NCHW"``, where the file has no layout."""
        layout = self.layout
        if self._is_fortran:
            # NumPy's order of an array is its strides: no file names its axes.
            axes, layout = axes or layout.letters, None
        if self.record is not None:
            raise LayoutError(f"`{self.name}` has blocks of a record; call `dequantize`, or `record.relayout` with `bytes()`")
        if layout is None and axes is None:
            raise LayoutError(f"`{self.name}` has no layout in its file; give the letters of its axes, as axes='OIHW' for four")
        if layout is None and len(axes) != len(self.shape):
            raise LayoutError(f"`{self.name}` has shape {list(self.shape)}, and `axes` is {axes!r}; give one letter for each axis")
        if self._is_fortran or self._is_big_endian:
            return relayout(self.array(), axes, destination, pad=pad, out=out, parallel=parallel)
        if layout is None:
            layout = Layout.of(axes, dict(zip(axes, self.shape)), self.element)
        elif axes not in (None, layout.letters):
            raise LayoutError(f"`{self.name}` has layout `{layout}` in its file; leave out `axes`")
        stored = self._mapped(_dtype(layout.element), _stored_shape(layout))
        return relayout(stored, layout, destination, pad=pad, out=out, parallel=parallel)

    def dequantize(self, dtype="float32"):
        """The values of blocks, as an array of the tensor's shape."""
        record = self.record
        if record is None:
            raise LayoutError(f"`{self.name}` holds {self.element} and no blocks; call `array`")
        values = record.dequantize(self.bytes(), dtype)
        return values.reshape(self.shape) if "::" in self.element else values

    def _mapped(self, dtype, shape):
        dtype = dtype.newbyteorder(">") if self._is_big_endian else dtype
        if not self.nbytes:
            return np.empty(shape, dtype)
        try:
            mapped = np.memmap(self.path, np.uint8, "r", self.offset, (self.nbytes,))
        except ValueError:
            raise LayoutError(f"{self.path} has changed since its header was read; open it again") from None
        return mapped.view(np.ndarray).view(dtype).reshape(shape)


class Checkpoint(Mapping):
    """The tensors of files by their names: ``Checkpoint("model.safetensors")["lm_head.weight"]``.

    .safetensors, GGUF and .npy files; ``model.safetensors.index.json`` stands for the files that it lists. Headers alone are
    read. ``metadata`` is a dictionary of texts, or an object for `save` if the file is GGUF.

    >>> import os, tempfile
    >>> import numpy as np
    >>> import tensor_layout as tl
    >>> path = os.path.join(tempfile.mkdtemp(), "small.safetensors")
    >>> tl.save(path, {"weight": np.arange(6, dtype=np.float32).reshape(2, 3)})
    >>> file = tl.Checkpoint(path)
    >>> file["weight"], file["weight"][1].tolist()
    (<StoredTensor 'weight': f32 [2, 3]>, [3.0, 4.0, 5.0])
    >>> file["weight"].relayout("MK4k", "MK", pad=0).shape
    (2, 1, 4)
    """

    def __init__(self, *paths):
        _check_host()
        if not paths:
            raise LayoutError("no file is given; name one or more")
        described, self.metadata = inner.read_headers([_path(each) for each in paths])
        self._tensors = {each[0]: StoredTensor(each) for each in described}

    def __getitem__(self, name):
        return self._tensors[name]

    def __iter__(self):
        return iter(self._tensors)

    def __len__(self):
        return len(self._tensors)

    def __repr__(self):
        return f"<Checkpoint of {len(self)} tensors>"


def save(path, tensors, metadata=None):
    """Write a .safetensors, .gguf or .npy file, as the path ends.

    ``tensors`` has an array for each name, or an array and its Layout, or bytes and their Record, which the file then says.
    The file has its name when it is whole.
    """
    _check_host()
    if not isinstance(tensors, Mapping):
        raise LayoutError(f"`tensors` is of type {type(tensors).__name__}; give a dictionary of names and arrays")
    written = [(name, *_written(name, value)) for name, value in tensors.items()]
    texts = metadata.items() if isinstance(metadata, Mapping) else ()
    for other in (each for pair in texts for each in pair if not isinstance(each, str)):
        raise LayoutError(f"`metadata` has {other!r}, and metadata are texts; give `str` of it")
    if metadata and isinstance(metadata, dict) and not str(_path(path)).endswith(".safetensors"):
        raise LayoutError("texts are metadata of .safetensors files alone; leave out `metadata`, or give that of a GGUF file")
    inner.write_file(_path(path), written, {} if metadata is None else metadata)


def repack(inputs, rules, output, *, ranks=1, memory=None, resume=False, check=False):
    """Make one checkpoint of others by rules, as ``layout repack`` does: keep, rename, move to layouts, cast, fuse, split, pad,
    shard, quantize. ``inputs`` is a path or a list of them, and ``rules`` a path of TOML, or its text.

    >>> import os, tempfile
    >>> import numpy as np
    >>> import tensor_layout as tl
    >>> folder = tempfile.mkdtemp()
    >>> source, target = os.path.join(folder, "a.safetensors"), os.path.join(folder, "b.safetensors")
    >>> tl.save(source, {"up": np.ones((2, 3), np.float32)})
    >>> tl.repack(source, "[[rule]]\\nmatch = 'up'\\nname = 'down'\\naxes = 'MK'\\nto = 'KM'", target)
    >>> tl.Checkpoint(target)["down"]
    <StoredTensor 'down': f32 [3, 2], KM<M = 2, K = 3>, f32>
    """
    single = isinstance(inputs, (str, os.PathLike))
    if not single and not inputs:
        raise LayoutError("no file is given; name one or more")
    if ranks < 1:
        raise LayoutError(f"`ranks` is {ranks}, and an output is for one rank at least; give 1 or more")
    is_text = isinstance(rules, str) and ("\n" in rules or rules.lstrip().startswith("[["))
    try:
        text = rules if is_text else open(rules, encoding="utf-8").read()
    except OSError as error:
        raise LayoutError(f"{rules}: {error.strerror}; name a file of rules, or give their text, in several lines") from None
    inputs = [_path(each) for each in ([inputs] if single else inputs)]
    names = (text, "rules" if is_text else str(_path(rules)))
    for text in inner.run_repack(inputs, names, _path(output), (ranks, memory), (resume, check)):
        warnings.warn(text, stacklevel=2)


def _check_host():
    if sys.byteorder == "big":
        raise LayoutError("files are little endian, and this machine is not; use `numpy.load` and `numpy.save`")


def _path(path):
    try:
        return os.fspath(path)
    except TypeError:
        raise LayoutError(f"a path is of type {type(path).__name__}; give a text or a `pathlib.Path`") from None


def _dtype(element):
    """NumPy's type for elements of a file: that of their bits if it has no other, and bytes if they have no whole ones."""
    try:
        return _Array(np.empty(0, np.uint8)).dtype_of(element)
    except LayoutError:
        return np.dtype(np.uint16 if element == "bf16" else np.uint8)


def _written(name, value):
    """The element, shape, layout and memory of a tensor."""
    own, layout = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    array = _Array(own, f"`{name}`")
    if layout is None:
        array.check_numbers("so a file would not say what they are; save their bytes")
        shape = getattr(own, "shape", array.memory.shape)
        element, text = array.known, None
    elif isinstance(layout, Layout):
        array = _checked(array, layout)
        element, shape, text = layout.element if layout.element_bits >= 8 else "u8", _stored_shape(layout), str(layout)
    elif isinstance(layout, Record):
        if len(layout.buffers) != 1 or array.memory.nbytes != layout.nbytes:
            raise LayoutError(f"`{name}` has {array.memory.nbytes} bytes, and its record buffers of {layout.buffers}; give one of them")
        is_known = layout.name is not None and len(layout.extents) == 2
        element, shape = (layout.name, layout.extents) if is_known else ("u8", [layout.nbytes])
        text = str(layout)
    else:
        raise LayoutError(f"`{name}` has a {type(layout).__name__} beside its array; give a Layout or a Record")
    memory = array.memory if array.memory.flags.c_contiguous else _contiguous(array.memory)
    return element, list(shape), text, memory
