"""Arrays of other libraries: of the array API's own, and of JAX, which `.ci/python jax` installs."""

import array_api_strict
import numpy as np
import pytest

import tensor_layout as tl

LIBRARIES = [array_api_strict]
try:
    import jax.numpy

    LIBRARIES.append(jax.numpy)
except ImportError:
    pass


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
def test_results_are_of_the_same_library(library, random):
    given = random.integers(0, 100, (2, 5, 7, 6)).astype(np.float32)
    x = library.asarray(given)
    moved = given.transpose(0, 3, 1, 2)
    for result, expected in [
        (tl.relayout(x, "NHWC", "NCHW"), moved),
        (tl.copy(library.permute_dims(x, (3, 1, 0, 2))), given.transpose(3, 1, 0, 2)),
        (tl.ascontiguousarray(library.permute_dims(x, (3, 1, 0, 2))), given.transpose(3, 1, 0, 2)),
        (tl.convert(x, "NHWC", "NCHW", "i8"), moved.astype(np.int8)),
    ]:
        assert type(result) is type(x)
        assert np.asarray(result).dtype == expected.dtype and np.array_equal(np.asarray(result), expected)
    assert np.array_equal(np.asarray(x), given)
    out = np.empty((2, 6, 5, 7), np.float32)
    assert tl.relayout(x, "NHWC", "NCHW", out=out) is out and np.array_equal(out, moved)


def test_arrays_on_devices():
    class OnDevice:
        """What CuPy's arrays say of themselves."""

        shape = (2, 3)

        def __dlpack_device__(self):
            return (2, 0)

        def __dlpack__(self, **_):
            raise AssertionError("memory of a device is not asked for")

    with pytest.raises(tl.LayoutError, match="lies on a device; copy it"):
        tl.copy(OnDevice())
    with pytest.raises(tl.LayoutError, match="`out`"):
        tl.copy(np.zeros((2, 3)), out=OnDevice())
