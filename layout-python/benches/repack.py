"""Repacks of a checkpoint beside a NumPy script and the converter functions of the package `gguf`, in one run.

`python benches/repack.py [MB]` makes a .safetensors file of f32 matrices in a new folder of the temporary files, which is in
memory when all read it. Each job writes a file, and waits until the disk has it.
"""

import os
import pathlib
import sys
import tempfile
import time

import gguf
import numpy as np
import safetensors.numpy

import tensor_layout as tl

# What `to` of a rule is, and what the others do with a matrix.
JOBS = {
    "keep": ("", lambda x: x),
    "transpose": ('axes = "MK"\nto = "KM"', lambda x: np.ascontiguousarray(x.T)),
    "to f16": ('element = "f16"', lambda x: x.astype(np.float16)),
    "Q8_0": ('axes = "MK"\nto = "MK<_, _>, ggml::Q8_0"', gguf.GGMLQuantizationType.Q8_0),
    "Q4_0": ('axes = "MK"\nto = "MK<_, _>, ggml::Q4_0"', gguf.GGMLQuantizationType.Q4_0),
}


def theirs(source, job, output):
    """What a script does: all of the file in memory, then the results, then the file."""
    tensors = safetensors.numpy.load_file(source)
    if callable(job):
        safetensors.numpy.save_file({name: job(x) for name, x in tensors.items()}, output)
    else:
        writer = gguf.GGUFWriter(output, "none")
        for name, x in tensors.items():
            writer.add_tensor(name, gguf.quants.quantize(x, job), raw_dtype=job)
        for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
            write()
    with open(output, "rb") as file:
        os.fsync(file.fileno())


def shortest(call, rounds=3):
    """The shortest time, and the shortest processor time."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return [min(each) for each in zip(*found)]


def main():
    size = (int(sys.argv[1]) if len(sys.argv) > 1 else 512) << 20
    random = np.random.default_rng(7)
    matrix = random.normal(size=(2048, 4096)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "in.safetensors"
        count = max(1, size // matrix.nbytes)
        safetensors.numpy.save_file({f"{number}.weight": matrix + number for number in range(count)}, source)
        print(f"{count * matrix.nbytes >> 20} MB; NumPy {np.__version__}\n\n| job | s | theirs, s | ratio | of processor time |")
        print("|---|---|---|---|---|")
        for name, (keys, job) in JOBS.items():
            rules = f'[[rule]]\nmatch = "*"\n{keys}\n'
            output = folder / ("out.safetensors" if callable(job) else "out.gguf")
            own = shortest(lambda: tl.repack(source, rules, output))
            other = shortest(lambda: theirs(source, job, output))
            ratios = [theirs / ours for theirs, ours in zip(other, own)]
            print(f"| {name} | {own[0]:.2f} | {other[0]:.2f} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
            output.unlink()


if __name__ == "__main__":
    main()
