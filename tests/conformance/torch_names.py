"""PyTorch: `pip install torch`. Strides, and what `is_contiguous` answers."""

import torch

from vectors import report, vectors

checked, wrong = 0, []
for vector in vectors("PyTorch"):
    format_ = getattr(torch, vector["name"])
    empty = torch.empty(vector["extents"], memory_format=format_)
    moved = torch.empty(vector["extents"]).contiguous(memory_format=format_)
    own = {name: moved.is_contiguous(memory_format=getattr(torch, name)) for name in vector["is_contiguous"]}
    found = (list(empty.stride()), list(moved.stride()), own)
    if found != (vector["strides_empty"], vector["strides_contiguous"], vector["is_contiguous"]):
        wrong.append(f"{vector['id']}: {found}")
    checked += 1
report("PyTorch", torch.__version__, checked, wrong)
