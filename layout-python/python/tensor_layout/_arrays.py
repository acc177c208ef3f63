"""Functions over arrays of NumPy, PyTorch and others."""

import re
import sys

import numpy as np

from . import _tensor_layout as inner
from ._tensor_layout import Layout, LayoutError

# The element types of layouts by the names that NumPy, PyTorch and ml_dtypes give them.
_ELEMENTS = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2",
}  # fmt: skip
# NumPy copies arrays of up to so many elements before our call has begun.
_FEW = 256
_DTYPES = {element: name for name, element in _ELEMENTS.items()}


class _Array:
    """An array of any library, with its memory as an array of NumPy."""

    def __init__(self, array, what="the array"):
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(array, torch.Tensor):
            if array.device.type != "cpu":
                raise LayoutError(f"{what} lies on {array.device}; move it to the CPU, as `x.cpu()` does")
            if array.layout != torch.strided or array.is_quantized or array.is_conj() or array.is_neg():
                raise LayoutError(f"{what} is a tensor of PyTorch without plain strides; write `x.to_dense().resolve_conj()`")
            self.library, self.dtype = torch, array.dtype
            size = array.element_size()
            words = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}.get(size)
            plain = array.detach()
            self.memory = (plain.view(words) if words is not None else torch.view_as_real(plain)).numpy()
            if not array.ndim:
                self.memory = self.memory.reshape(1)
            self.name = str(array.dtype).removeprefix("torch.")
            self.size = size
            return
        if not isinstance(array, np.ndarray):
            try:
                array = np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)
            except (AttributeError, TypeError):
                array = np.asarray(memoryview(array))
        if array.dtype.hasobject:
            raise LayoutError(f"{what} holds Python objects; give numbers")
        self.library, self.dtype = np, array.dtype
        self.size = array.dtype.itemsize
        # Memory alone is of interest here, and the buffer protocol lacks types such as bfloat16.
        has_protocol = array.dtype.char in "?bBhHiIlLqQefdFD" or not self.size
        self.memory = array if has_protocol else array.view(np.dtype((np.void, self.size)))
        if not array.ndim:
            self.memory = self.memory.reshape(1)
        self.name = array.dtype.name if array.dtype.isnative else ""

    @property
    def element(self):
        """The element type of a layout. One that layouts lack is moved as an integer of its size."""
        known = _ELEMENTS.get(self.name)
        if known is None and self.size not in (1, 2, 4, 8):
            raise LayoutError(f"elements of {self.size} bytes are not those of a layout; `copy` takes any")
        return known or f"u{8 * self.size}"

    def empty(self, shape, dtype=None, order="C"):
        """A new array of the same library."""
        dtype = self.dtype if dtype is None else dtype
        if self.library is np:
            return np.empty(shape, dtype, order)
        if order == "F":
            return self.library.empty(tuple(reversed(shape)), dtype=dtype).permute(*reversed(range(len(shape))))
        return self.library.empty(tuple(shape), dtype=dtype)

    def dtype_of(self, element):
        """The library's type for elements of a layout."""
        name = _DTYPES.get(element)
        if self.library is np and name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            try:
                import ml_dtypes
            except ImportError:
                raise LayoutError(f"NumPy has no {name}; install ml_dtypes, or give `out` of unsigned integers") from None
            return np.dtype(getattr(ml_dtypes, name))
        if name is None:
            raise LayoutError(f"no array has elements of type {element}; give `out` of their bytes")
        return np.dtype(name) if self.library is np else getattr(self.library, name)


def _split(text):
    """A format and its options."""
    name, _, options = text.partition(",")
    return name.strip(), options.strip()


def _is_plain(text):
    """Whether a format is letters alone, so that an array has an axis for each."""
    return re.fullmatch(r"[A-Z]+", text) is not None


def _source_layout(array, source, extents):
    """The layout of an array, and the array with which it agrees."""
    if isinstance(source, Layout):
        return source, _checked(array, source)
    text, options = _split(source)
    shape = array.memory.shape
    if _is_plain(text) and not options:
        if len(text) != len(shape):
            raise LayoutError(
                f"the array has {len(shape)} dimensions, and `{text}` names {len(text)} axes; give a letter for each dimension"
            )
        if any(stride % array.size for stride in array.memory.strides):
            array = _Array(copy(array.memory.view(np.dtype((np.void, array.size)))))
        strides = [stride // array.size for stride in array.memory.strides]
        return Layout.from_strides(text, shape, strides, array.element), array
    letters = {letter.upper() for letter in re.findall(r"[A-Za-z]", text)}
    known = dict(extents or {})
    # A layout with more than one of each block says which dimension is which axis.
    blocks = 1
    for number in re.findall(r"\d+", text):
        blocks *= int(number)
    example = Layout.of(text, {letter: 2 * blocks for letter in letters}, array.element, "")
    axes = example.storage_axes
    if len(axes) != len(shape):
        raise LayoutError(
            f"the array has {len(shape)} dimensions, and `{text}` stores {len(axes)}, one for each axis and block: "
            f"{', '.join(axes)}; give an array of these"
        )
    stored = {letter: 1 for letter in letters}
    for letter, size in zip(axes, shape):
        stored[letter] *= size
    for letter, size in stored.items():
        known.setdefault(letter, size)
    if any(known[letter] != stored[letter] for letter in letters):
        options = f"{options}, pad" if options else "pad"
    layout = Layout.of(text, known, array.element, options)
    return layout, _checked(array, layout)


def _checked(array, layout):
    """The array, if it has the shape and element of a layout."""
    if 8 * array.size != layout.element_bits and not (layout.element_bits < 8 and array.size == 1):
        raise LayoutError(
            f"the array has elements of {array.size} bytes, and those of `{layout}` have {layout.element_bits} bits; "
            "give an array of its elements"
        )
    if not array.memory.flags.c_contiguous:
        array.memory = _contiguous(array.memory)
    return array


def _contiguous(memory):
    moved = np.empty(memory.shape, memory.dtype)
    inner.copy(memory, moved)
    return moved


def _result(array, layout, out, dtype=None):
    """Where the result of a relayout goes: the given array, or a new one."""
    try:
        shape = layout.storage_shape
    except LayoutError:
        shape = [len(layout)]
    if out is None:
        out = array.empty(shape, dtype)
    place = _Array(out, "`out`")
    if list(place.memory.shape) != list(shape):
        raise LayoutError(
            f"`out` has shape {list(place.memory.shape)}, and `{layout}` is stored as {list(shape)}; give an array of that shape"
        )
    if 8 * place.size != layout.element_bits and layout.element_bits >= 8:
        raise LayoutError(
            f"`out` has elements of {place.size} bytes, and those of `{layout}` have {layout.element_bits // 8}; "
            "give an array of its elements"
        )
    if not place.memory.flags.c_contiguous:
        raise LayoutError("`out` has strides; give an array in C order, which has the whole layout")
    return out, place


def _destination_layout(destination, source, element, pad):
    if isinstance(destination, Layout):
        return destination
    text, options = _split(destination)
    if pad is not None:
        padding = "pad" if pad == 0 else f"pad = {pad}"
        options = f"{options}, {padding}" if options else padding
    return Layout.of(text, dict(zip(source.letters, source.extents)), element, options)


def relayout(x, source, destination, *, pad=None, out=None, extents=None, parallel=False):
    """Move an array to another layout.

    ``source`` and ``destination`` are formats such as ``"NHWC"``, ``"NCHW4"`` or ``"OIHW4i16o4i"``, with options after a
    comma such as ``"NHWC, align(W = 64)"``, or layouts. A format of letters names the dimensions of ``x`` in their order;
    ``x`` may have any strides. Other formats have a dimension for each axis and block, slowest first, as the result has.

    ``pad`` is the number that fills blocks which an extent does not, and without it these are an error. ``extents`` gives
    the extents of a padded source by their letters.

    Raises LayoutError if the layouts do not describe the same tensor, or the array has another shape.
    """
    array = _Array(x)
    from_layout, array = _source_layout(array, source, extents)
    to_layout = _destination_layout(destination, from_layout, from_layout.element, pad)
    plan = inner.Plan(from_layout, to_layout)
    out, place = _result(array, to_layout, out)
    plan.run(array.memory, place.memory, parallel)
    return out


def copy(x, out=None, *, parallel=False):
    """Copy an array of any strides to a new one in C order, or to ``out`` of any strides and the same shape."""
    if type(x) is np.ndarray and x.size <= _FEW and not x.dtype.hasobject and (out is None or type(out) is np.ndarray):
        if out is None:
            return np.array(x, order="C")
        if out.shape == x.shape and out.dtype == x.dtype and out.flags.writeable and not np.may_share_memory(x, out):
            out[...] = x
            return out
    array = _Array(x)
    if out is None:
        out = array.empty(x.shape if hasattr(x, "shape") else array.memory.shape)
    inner.copy(array.memory, _Array(out, "`out`").memory, parallel)
    return out


def ascontiguousarray(x, order="C", *, parallel=False):
    """Return ``x`` if it has this order in memory, ``"C"`` or ``"F"``, and otherwise a copy of it that has."""
    if order not in ("C", "F"):
        raise LayoutError(f"order {order!r} is not 'C' or 'F'; give one of them")
    if type(x) is np.ndarray and x.size <= _FEW and not x.dtype.hasobject:
        return np.asarray(x, order=order)
    array = _Array(x)
    flags = array.memory.flags
    if flags.c_contiguous if order == "C" else flags.f_contiguous:
        return x
    out = array.empty(x.shape, order=order)
    inner.copy(array.memory, _Array(out).memory, parallel)
    return out


def _list(value, kind):
    if value is None:
        return []
    return [kind(each) for each in np.ravel(value)]


def convert(
    x, source, destination, element, *, kind="cast", axis=None, scale=None, zero_point=None, mean=None,
    half_away=False, saturate=False, pad=None, out=None, extents=None,
):  # fmt: skip
    """Move an array to another layout, and its elements to type ``element``, such as ``"i8"``; one of the types is f32.

    ``kind`` is ``"cast"``, ``"quantize"``: ``round(x * (1 / scale)) + zero_point``, ``"dequantize"``:
    ``(x - zero_point) * scale``, or ``"normalize"``: ``(x - mean) * scale``. With ``axis``, a letter, the others are lists
    with one number for each of its coordinates.
    """
    array = _Array(x)
    from_layout, array = _source_layout(array, source, extents)
    to_layout = _destination_layout(destination, from_layout, element, pad)
    if not array.memory.flags.c_contiguous:
        packed = Layout.of(from_layout.letters, dict(zip(from_layout.letters, from_layout.extents)), array.element, "")
        array.memory, from_layout = _contiguous(array.memory), packed
    if out is None and to_layout.element_bits < 8:
        out = np.empty(to_layout.nbytes, np.uint8)
        place = _Array(out)
    else:
        out, place = _result(array, to_layout, out, None if out is not None else array.dtype_of(element))
    count = len(_list(scale, float))
    zero_points = _list(zero_point, int) if zero_point is not None else [0] * count
    means = _list(mean, float) if mean is not None else [0.0] * count
    inner.convert(
        (from_layout, to_layout), array.memory, place.memory, kind, axis, _list(scale, float), zero_points, means,
        half_away, saturate,
    )  # fmt: skip
    return out
