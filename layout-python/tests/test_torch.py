"""Tensors of PyTorch. `.ci/python torch` installs it, and runs these."""

import numpy as np
import pytest
import safetensors.torch
import torch

import tensor_layout as tl


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int8, torch.uint8, torch.bool, torch.int64])
def test_relayouts(dtype):
    x = torch.randint(0, 2, (2, 5, 7, 6)).to(dtype)
    moved = tl.relayout(x, "NHWC", "NCHW")
    assert moved.dtype == dtype and torch.equal(moved, x.permute(0, 3, 1, 2))
    blocks = tl.relayout(x, "NHWC", "NCHW4", pad=0)
    assert blocks.dtype == dtype and torch.equal(tl.relayout(blocks, "NCHW4", "NHWC", extents={"C": 6}), x)
    assert torch.equal(tl.copy(x.permute(3, 1, 0, 2)), x.permute(3, 1, 0, 2).contiguous())


def test_gradients_and_conversions():
    x = torch.randn(3, 4, 5, requires_grad=True)
    assert torch.equal(tl.copy(x.transpose(0, 2)), x.detach().transpose(0, 2))
    codes = tl.convert(x, "CHW", "HWC", "i8", kind="quantize", scale=0.1, zero_point=2)
    expected = torch.quantize_per_tensor(x.detach(), 0.1, 2, torch.qint8).int_repr().permute(1, 2, 0)
    assert codes.dtype == torch.int8 and torch.equal(codes, expected)
    assert torch.equal(tl.convert(x, "CHW", "CHW", "bf16"), x.detach().bfloat16())


def test_wrong_tensors():
    with pytest.raises(tl.LayoutError, match="strides"):
        tl.copy(torch.eye(30).to_sparse())
    with pytest.raises(tl.LayoutError, match="move it to the CPU"):
        tl.copy(torch.empty(300, device="meta"))
    assert isinstance(tl.copy(np.zeros(3)), np.ndarray)


def test_files_of_repacks(tmp_path):
    source, target = tmp_path / "in.safetensors", tmp_path / "out.safetensors"
    q, k, w = torch.randn(8, 6), torch.randn(4, 6), torch.randn(6, 10).bfloat16()
    others = {"scalar": torch.tensor(2.5), "none": torch.empty(0, 3, dtype=torch.int64)}
    safetensors.torch.save_file({"a.q": q, "a.k": k, "w": w, **others}, source, metadata={"format": "pt"})
    rules = """
[[rule]]
fuse = ["*.q", "*.k"]
name = "{1}.qk"
axis = 0
shard = 0
[[rule]]
match = "w"
axes = "MK"
to = "KM"
element = "f32"
[[rule]]
match = "*"
"""
    tl.repack(source, rules, target)
    tl.repack(source, rules, target, ranks=2)
    for name, parts in (("out", (q, k)), ("out.rank0", (q[:4], k[:2])), ("out.rank1", (q[4:], k[2:]))):
        found = safetensors.torch.load_file(tmp_path / f"{name}.safetensors")
        expected = {"a.qk": torch.cat(parts), "w": w.T.float(), **others}
        assert found.keys() == expected.keys()
        assert all(found[name].dtype == own.dtype and torch.equal(found[name], own) for name, own in expected.items())
