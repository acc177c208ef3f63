"""Compares the networks of examples/networks with TensorFlow Lite for Microcontrollers, or writes their test vectors.

    pip install tflite-micro
    cargo build --release --package networks
    python tests/conformance/networks.py [SEED]     compares 100 inputs of each network
    python tests/conformance/networks.py steps [SEED]  compares the outputs of all steps of 100 inputs of each network, on
                                                    this machine and on emulated boards of a Cortex-M4 and a RISC-V
    python tests/conformance/networks.py write      writes examples/networks/src/vectors
    python tests/conformance/networks.py time       prints times of an inference on one thread, also of LiteRT if the
                                                    package ai-edge-litert is there

Inputs are random or have a structure; the functions `kinds` here and `write_input` there make the same ones.
"""

import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tflite_micro import runtime

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "examples/networks"
# The number of bytes of an input, and the outputs of the steps by their index in the file.
NETWORKS = {
    "person_detect": ((1, 96, 96, 1), [
        34, 51, 54, 55, 58, 59, 62, 63, 66, 67, 70, 71, 74, 75, 78, 79, 82, 83, 86, 35, 38, 39, 42, 43, 46, 47, 50, 27, 28, 87,
    ]),
    "speech": ((1, 1960), [2, 6, 9]),
}


def make(kind, seed, count):
    """An input as bytes."""
    i = np.arange(count, dtype=np.uint64)
    if kind in (0, 4):
        states, state = [], seed
        for _ in range(count):
            state = (state * 1664525 + 1013904223) % 2**32
            states.append(state >> 24)
        random = np.array(states, np.uint64)
        values = random if kind == 0 else (random >> 4) + seed
    elif kind == 1:
        values = np.full(count, seed, np.uint64)
    elif kind == 2:
        values = i * seed
    else:
        values = np.where((i // 8 + i // 480) % 2 == 0, seed, 2**32 - 1 - seed)
    return values.astype(np.uint64).astype(np.uint8).view(np.int8)


class Peer:
    """A network in the other runtime, which keeps the outputs of all steps."""

    def __init__(self, name):
        self.shape, self.steps = NETWORKS[name]
        keep = runtime.InterpreterConfig.kPreserveAllTensors
        path = str(HERE / f"models/{name}.tflite")
        self.network = runtime.Interpreter.from_file(path, intrepreter_config=keep)

    def run(self, kind, seed):
        """The outputs, and those of all steps."""
        self.network.set_input(make(kind, seed, int(np.prod(self.shape))).reshape(self.shape), 0)
        self.network.invoke()
        outputs = self.network.get_output(0).reshape(-1).astype(int).tolist()
        return outputs, [self.tensor(step) for step in self.steps]

    def tensor(self, index):
        return np.array(self.network.GetTensor(index, 0)["tensor_data"]).astype(np.int8).tobytes()


def fnv(parts):
    """The FNV-1a hash of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in b"".join(parts):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def hundred(seed):
    """The kinds and seeds of 100 inputs."""
    return [((0, 0, 1, 2, 3, 4)[case % 6], (seed * 1000003 + case * 7919) % 2**32) for case in range(100)]


def write(folder, cases):
    """Writes the results of inputs, with hashes of the outputs of all steps."""
    for name in NETWORKS:
        peer, rows = Peer(name), []
        for kind, seed in cases:
            outputs, steps = peer.run(kind, seed)
            rows.append(f"    Case {{ kind: {kind}, seed: {seed}, outputs: {outputs}, hash: {fnv(steps):#x} }},\n")
        static = f"pub static DATA_{name.upper()}: [Case<{len(outputs)}>; {len(cases)}]"
        head = f"/// Cases for [`{name}`].\n#[unsafe(no_mangle)]\n{static} = [\n"
        (folder / f"{name}.in").write_text(head + "".join(rows) + "];\n")


def steps(seed):
    """Runs the tests of the networks with other test vectors."""
    board = "-nographic -semihosting-config enable=on,target=native -kernel"
    runners = {
        "thumbv7em-none-eabihf": f"qemu-system-arm -M mps2-an386 {board}",
        "riscv32imac-unknown-none-elf": f"qemu-system-riscv32 -M virt -bios none {board}",
    }
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), hundred(seed))
        environment = os.environ | {"NETWORKS_VECTORS": folder}
        speed = ["--profile", "firmware", "--config", "profile.firmware.opt-level=3", "--package", "networks"]
        runs = [("this machine", ["cargo", "test", "--release", "--package", "networks"])]
        for target, runner in runners.items():
            environment[f"CARGO_TARGET_{target.upper().replace('-', '_')}_RUNNER"] = runner
            runs.append((target, ["cargo", "run", *speed, "--target", target]))
        for where, command in runs:
            subprocess.run([*command, "--quiet"], check=True, cwd=ROOT, env=environment)
            print(f"{where}: all steps of 100 inputs of each network are equal, seed {seed}")


def microseconds(run):
    """The least time of an inference."""
    times = []
    end = time.perf_counter() + 2
    while len(times) < 20 or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def lite_rt(path, values, **options):
    """The time by LiteRT on one thread."""
    from ai_edge_litert import schema_py_generated as schema
    from ai_edge_litert.interpreter import Interpreter
    import flatbuffers

    # It refuses biases whose scales belong to an axis that they do not have.
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(path.read_bytes(), 0))
    for tensor in model.subgraphs[0].tensors:
        if tensor.quantization and tensor.quantization.quantizedDimension >= len(tensor.shape):
            tensor.quantization.quantizedDimension = 0
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    network = Interpreter(model_content=bytes(builder.Output()), num_threads=1, **options)
    network.allocate_tensors()
    network.set_tensor(network.get_input_details()[0]["index"], values)
    return microseconds(network.invoke)


def measure():
    print("| microseconds | here | tflite-micro | LiteRT with XNNPACK | LiteRT, reference |\n|---|---|---|---|---|")
    for name, (shape, _) in NETWORKS.items():
        values = make(0, 3, int(np.prod(shape))).reshape(shape)
        with tempfile.NamedTemporaryFile() as file:
            file.write(values.tobytes())
            file.flush()
            program = [ROOT / "target/release/networks", name, file.name, "200"]
            own = float(subprocess.run(program, check=True, capture_output=True, text=True).stderr.split()[0])
        path = HERE / f"models/{name}.tflite"
        micro = runtime.Interpreter.from_file(str(path))
        micro.set_input(values, 0)
        cells = [own, microseconds(micro.invoke)]
        try:
            from ai_edge_litert.interpreter import OpResolverType

            reference = {"experimental_op_resolver_type": OpResolverType.BUILTIN_REF}
            cells += [lite_rt(path, values), lite_rt(path, values, **reference)]
        except ImportError:
            cells += ["-", "-"]
        print(f"| {name} |", " | ".join(f"{cell:.0f}" if isinstance(cell, float) else cell for cell in cells), "|")


def compare(seed):
    bad = 0
    for name in NETWORKS:
        peer, seen = Peer(name), set()
        for kind, own in hundred(seed):
            expected, _ = peer.run(kind, own)
            with tempfile.NamedTemporaryFile() as file:
                file.write(make(kind, own, int(np.prod(peer.shape))).tobytes())
                file.flush()
                program = [ROOT / "target/release/networks", name, file.name]
                printed = subprocess.run(program, check=True, capture_output=True, text=True).stdout
            found = [int(word) for word in printed.split()]
            seen.add(tuple(found))
            if found != expected:
                bad += 1
                print(f"{name}, kind {kind}, seed {own}: {found}, and {expected} there")
        print(f"{name}: 100 inputs, {len(seen)} different outputs")
    print(f"tflite-micro {version('tflite-micro')}, seed {seed}: {bad} differences")
    return bad > 0


mode = next((mode for mode in ("write", "time", "steps") if mode in sys.argv[1:2]), None)
seed = int(next((word for word in sys.argv[1:] if word.isdigit()), time.time()))
if mode == "write":
    write(HERE / "src/vectors", [(kind, seed) for kind in range(5) for seed in (3 + kind, 200 + 11 * kind)])
elif mode == "time":
    measure()
elif mode == "steps":
    steps(seed)
else:
    sys.exit(compare(seed))
