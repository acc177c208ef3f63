"""Copies of permuted arrays beside NumPy and PyTorch: the time of each over that of `tensor_layout.copy`, in one run.

`python benches/peers.py [SEED] [RANDOM]`: RANDOM permutations of random shapes follow those of the list. With one thread,
and with PyTorch's and ours on all. Without PyTorch, NumPy alone.
"""

import functools
import math
import sys
import time

import numpy as np

import tensor_layout as tl

try:
    import torch
except ImportError:
    torch = None

# A shape, its element, and the order of its axes in the result, or "flip", which reverses all.
LIST = [
    ((2048, 2048), "f4", (1, 0)),
    ((2048, 2048), "u1", (1, 0)),
    ((8, 2048, 256), "f4", (0, 2, 1)),
    ((4096, 4096), "f4", (1, 0)),
    ((8000, 8000), "f4", (1, 0)),
    ((12800, 12801), "f8", (1, 0)),
    ((257, 257, 257), "f8", (2, 1, 0)),
    ((61, 59, 63, 57), "f8", (3, 2, 1, 0)),
    ((23, 21, 25, 27, 29), "f8", (4, 3, 2, 1, 0)),
    ((11, 13, 15, 17, 19, 21), "f8", (5, 4, 3, 2, 1, 0)),
    ((56, 256, 256), "f8", (1, 2, 0)),
    ((1366, 800, 3), "f8", (2, 0, 1)),
    ((10, 10, 10, 100, 10, 10, 10), "f4", (3, 0, 1, 2, 4, 5, 6)),
    ((2,) * 22, "f4", tuple(reversed(range(22)))),
    ((5,) * 9, "f4", tuple(reversed(range(9)))),
    ((7,) * 8, "f4", tuple(reversed(range(8)))),
    ((2,) * 28, "u1", tuple(reversed(range(28)))),
    ((686, 686, 128), "u2", (1, 0, 2)),
    ((4096, 4096), "f4", "flip"),
]


def shortest(call, clock, least=0.15, rounds=5):
    """The shortest time of some rounds, in seconds."""
    found, spent, done = math.inf, 0.0, 0
    while spent < least or done < rounds:
        done += 1
        start = clock()
        call()
        own = clock() - start
        # A clock of processor time may stand still for a moment.
        found, spent = min(found, own or found), spent + own
    return found


def ratios(shape, dtype, axes, threads):
    """The times of NumPy, PyTorch and ours, to memory that exists and to new memory."""
    x = np.arange(math.prod(shape)).astype(dtype).reshape(shape)
    view = x[::-1, ::-1] if axes == "flip" else x.transpose(axes)
    there = np.empty(view.shape, dtype)
    parallel = threads > 1
    # What other programs do on the same core is not counted where one thread does all.
    best = functools.partial(shortest, clock=time.perf_counter if parallel else time.thread_time)
    times = {
        "numpy": (best(lambda: np.copyto(there, view)), best(lambda: view.copy("C"))),
        "ours": (best(lambda: tl.copy(view, there, parallel=parallel)), best(lambda: tl.copy(view, parallel=parallel))),
    }
    # PyTorch has no views that go backwards, no unsigned integers of 16 bits in older versions, and few axes.
    if torch is not None and axes != "flip" and len(shape) <= 24 and dtype != "u2":
        torch.set_num_threads(threads)
        view, there = torch.from_numpy(x).permute(axes), torch.from_numpy(there)
        times["torch"] = (
            best(lambda: there.copy_(view)),
            best(lambda: view.clone(memory_format=torch.contiguous_format)),
        )
    return times


def some(random):
    """A random shape of 64 KB to 16 MB, and an order of its axes."""
    rank = int(random.integers(2, 7))
    dtype = ["u1", "f2", "f4", "f8"][random.integers(4)]
    count = 2 ** random.uniform(16, 24) / np.dtype(dtype).itemsize
    parts = random.dirichlet(np.ones(rank)) * math.log(count)
    shape = tuple(max(1, round(math.exp(part))) for part in parts)
    while True:
        axes = tuple(int(axis) for axis in random.permutation(rank))
        if axes != tuple(range(rank)):
            return shape, dtype, axes


def report(name, all_ratios):
    """The geometric mean, the least, and the share above .9."""
    mean = math.exp(sum(map(math.log, all_ratios)) / len(all_ratios))
    share = sum(ratio >= 0.9 for ratio in all_ratios) / len(all_ratios)
    print(f"{name}: {mean:.2f} in geometric mean of {len(all_ratios)}, least {min(all_ratios):.2f}, {share:.0%} at .9 or more")


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else time.time_ns() % 2**32
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print(f"seed {seed}; NumPy {np.__version__}, PyTorch {torch.__version__ if torch else 'not installed'}")
    random = np.random.default_rng(seed)
    for threads in (1, 2):
        found = {}
        print(f"\n{threads} thread{'s' if threads > 1 else ''}\n\n| shape | element | order | NumPy | new | PyTorch | new |")
        print("|---|---|---|---|---|---|---|")
        for number, (shape, dtype, axes) in enumerate(LIST + [some(random) for _ in range(count)]):
            times = ratios(shape, dtype, axes, threads)
            ours = times.pop("ours")
            cells = []
            for peer in ("numpy", "torch"):
                for which, what in enumerate(("there", "new")):
                    ratio = times[peer][which] / ours[which] if peer in times else None
                    cells.append(f"{ratio:.2f}" if ratio else "-")
                    if ratio:
                        found.setdefault(f"{peer}, {what}", []).append(ratio)
            if number < len(LIST):
                order = axes if axes == "flip" else "reversed" if len(axes) > 8 else axes
                size = f"{shape[0]}^{len(shape)}" if len(set(shape)) == 1 and len(shape) > 3 else "x".join(map(str, shape))
                print(f"| {size} | {dtype} | {order} | {' | '.join(cells)} |", flush=True)
        print()
        for name, all_ratios in found.items():
            report(name, all_ratios)


if __name__ == "__main__":
    main()
