"""Element types of JAX. `.ci/python jax` installs it, and runs these."""

import jax.numpy
import pytest

import tensor_layout as tl


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "bool", "int4", "complex64"])
def test_elements(name):
    x = (jax.numpy.arange(840).reshape(2, 5, 7, 12) % 2).astype(name)
    moved = tl.relayout(x, "NHWC", "NCHW")
    assert moved.dtype == x.dtype and bool((moved == x.transpose(0, 3, 1, 2)).all())
