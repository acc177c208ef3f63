"""Functions over arrays of NumPy, PyTorch and others."""

import numbers
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
_DTYPES = {element: name for name, element in _ELEMENTS.items()}
# The types of NumPy whose arrays have the buffer protocol.
_PLAIN = frozenset(np.dtype(letter) for letter in "?bBhHiIlLqQefdFD")
# The largest number of elements that NumPy copies faster than a call of ours begins.
_FEW = 2048
# The largest number of bytes without gaps that NumPy copies to new memory as fast as we do.
_NEAR = 1 << 22
# What DLPack calls memory that the CPU reads: its own, and that of it which a GPU reads too.
_HOST = (1, 3)


class _Array:
    """An array of any library, with its memory as an array of NumPy."""

    def __init__(self, array, what="the array"):
        torch = sys.modules.get("torch")
        # The functions of a library that keeps to the array API, and is neither NumPy nor PyTorch.
        self.namespace = None
        if torch is not None and isinstance(array, torch.Tensor):
            self._of_torch(torch, array, what)
        else:
            self._of_numpy(_numpy(array, what), what)
            if not isinstance(array, np.ndarray) and hasattr(array, "__array_namespace__"):
                self.namespace = array.__array_namespace__()
        if not self.memory.ndim:
            self.memory = self.memory.reshape(1)

    def _of_torch(self, torch, array, what):
        if array.device.type != "cpu":
            raise LayoutError(f"{what} lies on {array.device}; move it to the CPU, as `x.cpu()` does")
        if array.layout != torch.strided or array.is_quantized or array.is_conj() or array.is_neg():
            raise LayoutError(f"{what} is a tensor of PyTorch without plain strides; write `x.to_dense().resolve_conj()`")
        self.library, self.dtype, self.size = torch, array.dtype, array.element_size()
        self.name = str(array.dtype).removeprefix("torch.")
        plain = array.detach()
        words = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}.get(self.size)
        if words is not None:
            self.memory = plain.view(words).numpy()
        else:
            self.memory = torch.view_as_real(plain).numpy().view(np.dtype((np.void, self.size)))[..., 0]

    def _of_numpy(self, array, what):
        if isinstance(array, np.ma.MaskedArray):
            raise LayoutError(f"{what} has a mask, which would be lost; write `x.filled(0)` or `x.data`")
        if array.dtype.hasobject:
            raise LayoutError(f"{what} holds Python objects; give numbers")
        self.library, self.dtype, self.size = np, array.dtype, array.dtype.itemsize
        self.name = array.dtype.name if array.dtype.isnative else ""
        # Memory alone is of interest here, and the buffer protocol lacks types such as bfloat16.
        has_protocol = array.dtype in _PLAIN or not self.size
        self.memory = array if has_protocol else array.view(np.dtype((np.void, self.size)))

    @property
    def element(self):
        """The element type of a layout. One that layouts lack is moved as an integer of its size."""
        if self.known is None and self.size not in (1, 2, 4, 8):
            raise LayoutError(f"elements of {self.size} bytes are not those of a layout; `copy` takes any")
        return self.known or f"u{8 * self.size}"

    @property
    def known(self):
        """The element type of a layout that has the same numbers, or None."""
        return _ELEMENTS.get(self.name)

    @property
    def is_bits(self):
        """Whether elements stand for bits: unsigned integers, or those whose type NumPy does not know."""
        if self.library is np:
            return self.dtype.isnative and self.dtype.kind in "uV"
        return self.name.startswith("uint")

    @property
    def is_swapped(self):
        """Whether bytes have another order than those of the machine."""
        return self.library is np and not self.dtype.isnative

    def check_numbers(self, why):
        """Raise an error if the elements are none of a layout, so that their bits alone are known."""
        if self.is_swapped:
            raise LayoutError(f"elements of type {self.dtype} have bytes in another order; give `x.astype(x.dtype.newbyteorder('='))`")
        if self.known is None:
            raise LayoutError(f"layouts have no elements of type {self.dtype}, {why}")

    def check_elements(self, dtype, size, what):
        """Raise an error unless the elements are of this type, or bits of its size."""
        bits = self.library is np and self.dtype.kind in "uV" and self.size == size
        if self.dtype != dtype and not bits:
            raise LayoutError(
                f"{what} has elements of type {self.dtype}, and the result {dtype}; give an array of its type, or of unsigned "
                "integers of its size"
            )

    def empty(self, shape, dtype=None, order="C"):
        """A new array of the same library."""
        dtype = self.dtype if dtype is None else dtype
        if self.library is np:
            return np.empty(shape, dtype, order)
        if order == "F":
            backwards = self.library.empty(tuple(reversed(shape)), dtype=dtype, device="cpu")
            return backwards.permute(*reversed(range(len(shape))))
        return self.library.empty(tuple(shape), dtype=dtype, device="cpu")

    def returned(self, result):
        """A new array as one of the library of this array, over the same memory where DLPack has its type."""
        if self.namespace is None:
            return result
        try:
            return self.namespace.from_dlpack(result)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError):
            return self.namespace.asarray(result)

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


def _numpy(array, what):
    """An array as one of NumPy over the same memory."""
    if isinstance(array, np.ndarray):
        return array
    if isinstance(array, (list, tuple, int, float, complex, str)):
        raise LayoutError(f"{what} is of type {type(array).__name__}; give an array, as `numpy.asarray` makes")
    if hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] not in _HOST:
        raise LayoutError(f"{what} of type {type(array).__name__} lies on a device; copy it to the memory of the CPU")
    try:
        if hasattr(array, "__array__"):
            return np.asarray(array)
        return np.from_dlpack(array) if hasattr(array, "__dlpack__") else np.asarray(memoryview(array))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise LayoutError(f"{what} of type {type(array).__name__} has no memory that NumPy reads: {error}; give an array") from None


def _writable(out):
    """The memory of a destination, which is never that of a copy."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(out, torch.Tensor):
        if out.requires_grad:
            raise LayoutError("`out` requires a gradient, which a copy does not have; give `out.detach()`")
        return _Array(out, "`out`")
    if isinstance(out, np.ndarray):
        return _Array(out, "`out`")
    try:
        return _Array(np.asarray(memoryview(out)), "`out`")
    except TypeError:
        raise LayoutError(f"`out` of type {type(out).__name__} has no memory to write; give an array") from None


def _split(text):
    """A format and its options."""
    if not isinstance(text, str):
        raise LayoutError(f"a format is of type {type(text).__name__}; give a text such as 'NHWC', or a Layout")
    name, _, options = text.partition(",")
    if name.strip() in ("", "SCALAR"):
        raise LayoutError("a format names no axis; write a letter for each dimension, or `copy` an array without dimensions")
    return name.strip(), options.strip()


def _is_plain_array(x):
    """Whether Rust takes an array as it is."""
    return type(x) is np.ndarray and x.dtype in _PLAIN and x.ndim > 0


def _is_plain(text):
    """Whether a format is letters alone, so that an array has an axis for each."""
    return re.fullmatch(r"[A-Z]+", text) is not None


def _source_layout(array, source, extents):
    """The layout of an array, and the array with which it agrees."""
    if isinstance(source, Layout):
        return source, _checked(array, source)
    text, options = _split(source)
    shape = array.memory.shape
    known = dict(extents or {})
    letters = {letter.upper() for letter in re.findall(r"[A-Za-z]", text)}
    if len(shape) == 1 and letters <= set(known) and (len(letters) > 1 or options):
        # The buffer of a layout that is not an array, as `relayout` returns it.
        layout = Layout.of(text, known, array.element, options)
        return layout, _checked(array, layout)
    if _is_plain(text) and not options:
        if len(text) != len(shape):
            raise LayoutError(
                f"the array has {len(shape)} dimensions, and `{text}` names {len(text)} axes; give a letter for each dimension"
            )
        for letter, extent in zip(text, shape):
            if known.get(letter, extent) != extent:
                raise LayoutError(f"axis `{letter}` of the array has {extent} elements, and `extents` says {known[letter]}; leave it out")
        if not array.memory.size:
            # NumPy gives such arrays strides of 0, as if coordinates shared elements.
            return Layout.of(text, dict(zip(text, shape)), array.element), array
        strides = zip(shape, array.memory.strides)
        if any(extent > 1 and stride % array.size for extent, stride in strides):
            array.memory = _contiguous(array.memory)
        strides = [stride // array.size if array.size else 0 for stride in array.memory.strides]
        return Layout.from_strides(text, shape, strides, array.element), array
    # A layout with two of each block says which dimension is which axis.
    others = 2
    for number in re.findall(r"(?<![\d])\d+(?![\da-z])", text):
        others *= int(number)
    example = {letter: others for letter in letters}
    for number, letter in re.findall(r"(\d+)([a-z])", text):
        example[letter.upper()] *= int(number)
    axes = Layout.of(text, example, array.element).storage_axes
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


def _stored_shape(layout):
    """The shape of a buffer of a layout: an array, or elements one after another, or bytes."""
    if layout.element_bits < 8:
        return [layout.nbytes]
    try:
        return layout.storage_shape
    except LayoutError:
        return [len(layout)]


def _checked(array, layout):
    """The array in C order, if it has the shape and elements of a layout."""
    shape, given = _stored_shape(layout), list(array.memory.shape)
    if given != shape and given != [len(layout)]:
        raise LayoutError(f"the array has shape {given}, and `{layout}` is stored as {shape}; give an array of that shape")
    element = "u8" if layout.element_bits < 8 else layout.element
    if array.known != element and not array.is_bits:
        remedy = "`x.astype(x.dtype.newbyteorder('='))`" if array.is_swapped else "an array of its elements, or unsigned integers of their size"
        raise LayoutError(f"the array has elements of type {array.dtype}, and `{layout}` {element}; give {remedy}")
    if array.size != max(1, layout.element_bits // 8):
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


def _result(array, layout, out, dtype):
    """Where a result with elements of this type goes: the given array, or a new one."""
    shape = _stored_shape(layout)
    if layout.element_bits < 8:
        dtype = np.dtype(np.uint8)
        out = np.empty(shape, dtype) if out is None else out
    elif out is None:
        out = array.empty(shape, dtype)
    place = _writable(out)
    if list(place.memory.shape) != list(shape):
        raise LayoutError(
            f"`out` has shape {list(place.memory.shape)}, and `{layout}` is stored as {list(shape)}; give an array of that shape"
        )
    place.check_elements(dtype, max(1, layout.element_bits // 8), "`out`")
    if not place.memory.flags.c_contiguous:
        raise LayoutError("`out` has strides; give an array in C order, which has the whole layout")
    return out, place


def _destination_layout(destination, source, element, pad):
    if isinstance(destination, Layout):
        if destination.element != element:
            raise LayoutError(
                f"`{destination}` has elements of type {destination.element}, and the result {element}; give a layout of them"
            )
        return destination
    text, options = _split(destination)
    if pad is not None:
        options = f"{options}, {_padding(pad, element)}" if options else _padding(pad, element)
    return Layout.of(text, dict(zip(source.letters, source.extents)), element, options)


def _padding(pad, element):
    """The option that fills padding with a number."""
    if not isinstance(pad, (numbers.Real, np.bool_)):
        raise LayoutError(f"`pad` is of type {type(pad).__name__}; give a number")
    if pad == 0 and not np.signbit(float(pad)):
        return "pad"
    is_float = element.startswith(("f", "bf"))
    whole = isinstance(pad, (numbers.Integral, np.bool_)) or (not is_float and float(pad).is_integer())
    return f"pad = {int(pad) if whole else float(pad)!r}"


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
    written = isinstance(destination, str) and re.search(r"\bpad\s*=(?!\s*0\s*(,|$))", destination)
    if written or (pad is not None and pad != 0):
        array.check_numbers("so their bits are moved, and `pad` can be 0 alone; convert the array first, as `x.astype` does")
    from_layout, array = _source_layout(array, source, extents)
    to_layout = _destination_layout(destination, from_layout, from_layout.element, pad)
    plan = inner.Plan(from_layout, to_layout)
    result, place = _result(array, to_layout, out, array.dtype)
    plan._run_strided(array.memory, place.memory, parallel)
    return array.returned(result) if out is None else out


def copy(x, out=None, *, parallel=False):
    """Copy an array of any strides to a new one in C order, or to ``out`` of any strides and the same shape and type."""
    if _is_plain_array(x) and (out is None or _is_plain_array(out) and out.dtype == x.dtype):
        # Without what other arrays need: a call takes a microsecond.
        if out is None:
            if x.size <= _FEW or (x.nbytes <= _NEAR and x.flags.c_contiguous):
                return x.copy()
            out = np.empty(x.shape, x.dtype)
        inner.copy(x, out, parallel)
        return out
    array = _Array(x)
    if out is None:
        out = array.empty(x.shape if hasattr(x, "shape") else array.memory.shape)
        inner.copy(array.memory, _Array(out).memory, parallel)
        return array.returned(out)
    place = _writable(out)
    place.check_elements(array.dtype, array.size, "`out`")
    inner.copy(array.memory, place.memory, parallel)
    return out


def ascontiguousarray(x, order="C", *, parallel=False):
    """Return ``x`` if it has this order in memory, ``"C"`` or ``"F"``, and otherwise a copy of it that has."""
    if order not in ("C", "F"):
        raise LayoutError(f"order {order!r} is not 'C' or 'F'; give one of them")
    if _is_plain_array(x):
        flags = x.flags
        if x.size <= _FEW or (flags.c_contiguous if order == "C" else flags.f_contiguous):
            return np.asarray(x, order=order)
        out = np.empty(x.shape, x.dtype, order)
        inner.copy(x, out, parallel)
        return out
    array = _Array(x)
    flags = array.memory.flags
    if flags.c_contiguous if order == "C" else flags.f_contiguous:
        return x
    out = array.empty(x.shape, order=order)
    inner.copy(array.memory, _Array(out).memory, parallel)
    return array.returned(out)


def _list(value, kind, name):
    """Numbers as a list of floats or integers."""
    given = [] if value is None else np.ravel(value).tolist()
    if any(isinstance(each, bool) or not isinstance(each, numbers.Real) or kind(each) != each and kind is int for each in given):
        raise LayoutError(f"`{name}` has a value that is not {'an integer' if kind is int else 'a number'}; give numbers")
    if kind is int and any(abs(each) >= 2**31 for each in given):
        raise LayoutError(f"`{name}` has a value beyond 32 bits; give a value of the integer type")
    return [kind(each) for each in given]


# What each kind of conversion takes, in the order of the interface for C.
_PARAMETERS = {"cast": (), "quantize": ("scale", "zero_point"), "dequantize": ("scale", "zero_point"), "normalize": ("scale", "mean")}


def convert(
    x, source, destination, element, *, kind="cast", axis=None, scale=None, zero_point=None, mean=None,
    half_away=False, saturate=False, pad=None, out=None, extents=None,
):  # fmt: skip
    """Move an array to another layout, and its elements to type ``element``, such as ``"i8"``; one of the types is f32.

    ``kind`` is ``"cast"``, ``"quantize"``: ``round(x * (1 / scale)) + zero_point``, ``"dequantize"``:
    ``(x - zero_point) * scale``, or ``"normalize"``: ``(x - mean) * scale``. Results are rounded to the nearest integer, and to
    the even one of two, also by ``"cast"``: 1.5 becomes 2, where ``astype`` truncates. With ``axis``, a letter, the others are lists
    with one number for each of its coordinates. Elements of less than a byte are returned as bytes.

    Raises LayoutError as `relayout` does, and if the parameters do not belong to the kind.
    """
    array = _Array(x)
    if not isinstance(source, Layout):
        array.check_numbers("whose numbers could be converted; convert the array first, as `x.astype` does")
    if kind not in _PARAMETERS:
        raise LayoutError(f"kind {kind!r} is not a kind of conversion; write one of {', '.join(_PARAMETERS)}")
    taken = _PARAMETERS[kind]
    for name, value in (("scale", scale), ("zero_point", zero_point), ("mean", mean)):
        if value is not None and name not in taken:
            raise LayoutError(f"a conversion of kind {kind} has no `{name}`; leave it out")
        if value is None and name == "scale" and name in taken:
            raise LayoutError(f"a conversion of kind {kind} needs `scale`; give a number, or one for each coordinate of `axis`")
    if axis is not None and (not isinstance(axis, str) or len(axis) != 1):
        raise LayoutError(f"`axis` is {axis!r}; give one letter")
    from_layout, array = _source_layout(array, source, extents)
    to_layout = _destination_layout(destination, from_layout, element, pad)
    if not array.memory.flags.c_contiguous:
        packed = Layout.of(from_layout.letters, dict(zip(from_layout.letters, from_layout.extents)), array.element)
        array.memory, from_layout = _contiguous(array.memory), packed
    if not array.memory.flags.aligned or array.memory.ctypes.data % max(1, array.size):
        array.memory = _contiguous(array.memory)
    dtype = array.dtype_of(element) if to_layout.element_bits >= 8 else None
    result, place = _result(array, to_layout, out, dtype)
    scales = _list(scale, float, "scale")
    zero_points = _list(zero_point, int, "zero_point") if zero_point is not None else [0] * len(scales)
    means = _list(mean, float, "mean") if mean is not None else [0.0] * len(scales)
    inner.convert(
        (from_layout, to_layout), array.memory, place.memory, list(_PARAMETERS).index(kind), axis, scales, zero_points, means, half_away, saturate
    )
    return array.returned(result) if out is None else out
