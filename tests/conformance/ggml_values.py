"""Compares blocks with ggml's C code, and writes `tests/src/records/ggml_values.json`.

`python3 ggml_values.py GGML [VERSION] > ../src/records/ggml_values.json`, where GGML is the folder `ggml` of llama.cpp, which
the crate `llama-cpp-sys-2` holds too. It compiles `ggml-quants.c` with `cc -O2 -ffp-contract=off`, and compares it with the
package `gguf` by the blocks and numbers of `gguf_values.json`. What it writes are hashes (FNV-1a, 64 bits) of what the
functions `dequantize_row_*` make of random blocks and `quantize_row_*_ref` of random numbers, from the generator below.
With `--library FILE` it only makes a library for benchmarks, with `-O3 -march=native`.
"""

import ctypes
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# The elements and bytes of a block.
SIZES = {
    "Q4_0": (32, 18), "Q4_1": (32, 20), "Q5_0": (32, 22), "Q5_1": (32, 24), "Q8_0": (32, 34), "Q8_1": (32, 36), "Q2_K": (256, 84),
    "Q3_K": (256, 110), "Q4_K": (256, 144), "Q5_K": (256, 176), "Q6_K": (256, 210), "IQ4_NL": (32, 18),
    "IQ4_XS": (256, 136), "TQ2_0": (256, 66), "MXFP4": (32, 17), "NVFP4": (64, 36),
}  # fmt: skip
QUANTIZED = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K MXFP4 NVFP4 IQ4_NL".split()
# The codes of zeros are those of the block before, or of a search whose scale is stored as 0: values are compared.
BY_VALUES = ["IQ4_NL", "Q3_K"]
BLOCKS = 1024


def compiled(ggml, output, *flags):
    sources = [f"-I{ggml}/include", f"-I{ggml}/src", f"{ggml}/src/ggml-quants.c"]
    # What only checks and messages call.
    missing = [f"-Wl,--defsym=ggml_{name}=0" for name in ("abort", "row_size", "type_name", "type_size")]
    flags = [*flags, "-ffp-contract=off", "-shared", "-fPIC", "-w", *missing]
    command = ["cc", *flags, *sources, "-o", output, "-lm"]
    subprocess.run(command, check=True)


def generator(seed):
    """Xorshift of 64 bits: its highest 32."""
    state = seed
    while True:
        state ^= state << 13 & 0xFFFF_FFFF_FFFF_FFFF
        state ^= state >> 7
        state ^= state << 17 & 0xFFFF_FFFF_FFFF_FFFF
        yield state >> 32


def random_blocks(name):
    """Random bytes. In a scale, the highest bits of an exponent are 0, so that values are finite."""
    elements, size = SIZES[name]
    words = generator(60 + size)
    blocks = bytearray(next(words) & 0xFF for _ in range(size * BLOCKS))
    scales = {"MXFP4": [0], "NVFP4": [0, 1, 2, 3], "Q4_1": [1, 3], "Q5_1": [1, 3], "Q4_K": [1, 3], "Q5_K": [1, 3]}
    last = {"Q2_K": [81, 83], "Q3_K": [109], "Q6_K": [209], "TQ2_0": [65]}
    mask = 0x3F if name == "NVFP4" else 0xBF
    for start in range(0, len(blocks), size):
        for place in scales.get(name) or last.get(name) or [1]:
            blocks[start + place] &= mask
    return bytes(blocks)


def random_numbers(count):
    """Numbers of both signs, or in some blocks of one, and of magnitudes that change from block to block: integers times
    a power of two. Those of some blocks are equal, and of some zero."""
    words = generator(7)

    def one(i, word):
        block, word = i // 32, word & 0xFFFF
        if block % 31 == 5 or i // 256 % 16 == 3:
            return 0.0
        whole = 77 if block % 29 == 7 else word if block % 11 == 1 else word - 0x8000
        return whole * 2.0 ** (block % 13 % (13 if i < count // 2 else 3) - 20)

    return [one(i, next(words)) for i in range(count)]


def hashed(words):
    own = 0xCBF2_9CE4_8422_2325
    for word in words:
        own = (own ^ word) * 0x100_0000_01B3 & 0xFFFF_FFFF_FFFF_FFFF
    return f"{own:016x}"


def dequantized(library, name, blocks):
    elements, size = SIZES[name]
    count = len(blocks) // size * elements
    values = (ctypes.c_float * count)()
    function = getattr(library, f"dequantize_row_{name.lower().replace('_k', '_K')}")
    function(blocks, values, ctypes.c_int64(count))
    return bytes(values)


def quantized(library, name, numbers):
    elements, size = SIZES[name]
    blocks = ctypes.create_string_buffer(len(numbers) // elements * size)
    values = (ctypes.c_float * len(numbers))(*numbers)
    getattr(library, f"quantize_row_{name.lower().replace('_k', '_K')}_ref")(values, blocks, ctypes.c_int64(len(numbers)))
    return blocks.raw


def words(values):
    """The bits of numbers, with one zero."""
    return [struct.unpack("<I", struct.pack("<f", value + 0.0))[0] for (value,) in struct.iter_unpack("<f", values)]


def compared(library):
    """The number of types and of blocks that differ from those of the package `gguf`."""
    table = json.loads((Path(__file__).parent / "../src/records/gguf_values.json").read_text())
    joined = lambda rows: bytes.fromhex("".join(rows))
    different = 0
    for name, entry in table.items():
        if name not in SIZES:
            continue
        blocks = bytearray(joined(entry["blocks"]))
        if name == "NVFP4":
            for i in range(len(blocks)):
                blocks[i] &= 0x7F if i % 36 < 4 else 0xFF
        own = dequantized(library, name, bytes(blocks))
        different += words(own) != words(joined(entry["values"]))
        if "quantized" in entry:
            numbers = [value for (value,) in struct.iter_unpack("<f", joined(entry["numbers"]))]
            own, size = quantized(library, name, numbers), SIZES[name][1]
            expected = joined(entry["quantized"])
            for i in range(0, len(own), size):
                if own[i : i + size] != expected[i : i + size]:
                    different += 1
                    print(f"{name}: block {i // size}", file=sys.stderr)
    return different


def main():
    ggml = sys.argv[1]
    if sys.argv[2:3] == ["--library"]:
        return compiled(ggml, sys.argv[3], "-O3", "-march=native")
    with tempfile.TemporaryDirectory() as folder:
        compiled(ggml, f"{folder}/ggml.so", "-O2")
        library = ctypes.CDLL(f"{folder}/ggml.so")
        different = compared(library)
        table = {"_about": f"ggml of {' '.join(sys.argv[2:])}: hashes of values of blocks, and of blocks of numbers"}
        for name in SIZES:
            table[name] = {}
            # ggml has no values of Q8_1.
            if name != "Q8_1":
                table[name]["values"] = hashed(words(dequantized(library, name, random_blocks(name))))
            if name in QUANTIZED:
                own = quantized(library, name, random_numbers(32 * BLOCKS))
                own = words(dequantized(library, name, own)) if name in BY_VALUES else own
                table[name]["blocks"] = hashed(own)
        print(json.dumps(table, indent=0))
    print(f"{different} differences from gguf", file=sys.stderr)
    return different > 0


sys.exit(main())
