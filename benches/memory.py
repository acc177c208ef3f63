"""NumPy's copies of the tensors of `cargo bench --bench memory`, into memory that exists and into new memory, in
microseconds of this thread: the fastest of some rounds. Arguments: megabytes, and rounds of each."""

import sys
import time

import numpy

numbers = [int(argument) for argument in sys.argv[1:]]
half = len(numbers) // 2
print(f"\nNumPy {numpy.__version__}\n")
print("| MB | copy into memory that exists | zeros | zeros, filled | copy | copy to NHWC |")
print("|---|---|---|---|---|---|")
for megabytes, rounds in zip(numbers[:half], numbers[half:]):
    source = numpy.ones((megabytes, 16, 125, 125), numpy.float32)
    there = numpy.ones_like(source)

    def zeros_filled():
        zeros = numpy.zeros_like(source)
        zeros.fill(1)

    calls = [
        lambda: numpy.copyto(there, source),
        lambda: numpy.zeros(source.shape, numpy.float32),
        zeros_filled,
        lambda: source.copy(),
        lambda: numpy.ascontiguousarray(source.transpose(0, 2, 3, 1)),
    ]
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            start = time.thread_time_ns()
            call()
            best[i] = min(best[i], time.thread_time_ns() - start)
    print(f"| {megabytes} | " + " | ".join(f"{own / 1000:.1f}" for own in best) + " |")
