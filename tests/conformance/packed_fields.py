"""Writes `tests/src/records/packed.json`: packed weights as other libraries wrote them, and the codes in each field.

`python3 packed_fields.py VECTORS > ../src/records/packed.json`, where VECTORS are the composites and the rotation that the
packers of AutoGPTQ, compressed-tensors, ggml, XNNPACK, KleidiAI and oneDNN wrote, with their inputs. The codes are computed
from the inputs by the formulas of those libraries. Codes of a field are listed with the last axis of `axes` the fastest.
"""

import json
import struct
import sys

import numpy


def words(values):
    return struct.pack(f"<{len(values)}I", *values)


def raw(value, bits):
    return int(value) & ((1 << bits) - 1)


def f32(values):
    return [int(code) for code in numpy.asarray(values, numpy.float32).view(numpy.uint32).ravel()]


def flat(array, bits):
    return [raw(value, bits) for value in numpy.asarray(array).ravel()]


def nibbles(rows):
    """Codes of rows of bytes: a block's byte e % 16 holds elements e and e + 16."""
    return numpy.concatenate([rows & 15, rows >> 4], axis=-1)


def blocks(data, size, rows):
    return numpy.frombuffer(data, numpy.uint8).reshape(rows, -1, size)


def halves(part):
    return part.copy().view("<u2")[..., 0]


def six_bits(b):
    """The scales and the minima in the 12 bytes of a block of Q4_K."""
    b = b.astype(int)
    low = [(b[..., j] & 63, b[..., j + 4] & 63) for j in range(4)]
    high = [(b[..., j + 4] & 15 | b[..., j - 4] >> 6 << 4, b[..., j + 4] >> 4 | b[..., j] >> 6 << 4) for j in range(4, 8)]
    return [numpy.stack([pair[i] for pair in low + high], axis=-1) for i in range(2)]


def gptq(own):
    inputs = own["inputs"]
    weights = numpy.array(inputs["weights"])
    assert weights.shape == (32, 1)
    return "N<N = 1, K = 32>, { q: K u3 }", words(own["expected"]["int32_words"]), {"q": ("KN", flat(weights, 3))}


def compressed(own):
    bits = int(own["inputs"]["element_bits"])
    values = numpy.array(own["inputs"]["values"]) + (1 << bits - 1)
    n, k = values.shape
    text = f"N<N = {n}, K = {k}>, {{ q: K u{bits} }} align(4)"
    return text, words(own["expected"]["int32_words"]), {"q": ("NK", flat(values, bits))}


def ggml(own):
    name, inputs = own["id"].split("-")[1], own["inputs"]
    data = bytes.fromhex(own["expected"]["bytes"])
    size = inputs["layout"]["bytes"]
    rows = blocks(data, size, 1)
    k = int(inputs["elements"])
    fields = {}
    if name in ("Q4_0", "Q4_1", "MXFP4"):
        at = {"Q4_0": 2, "Q4_1": 4, "MXFP4": 1}[name]
        fields["q"] = ("MK", flat(nibbles(rows[..., at:]), 4))
    elif name == "Q8_0":
        fields["q"] = ("MK", flat(rows[..., 2:], 8))
    elif name == "Q4_K":
        codes = rows[..., 16:].reshape(1, -1, 4, 32)
        fields["q"] = ("MK", flat(numpy.stack([codes & 15, codes >> 4], axis=-2), 4))
        scales, minima = six_bits(rows[..., 4:16])
        fields |= {"s": ("MK", flat(scales & 15, 4)), "sh": ("MK", flat(scales >> 4, 2))}
        fields |= {"m": ("MK", flat(minima & 15, 4)), "mh": ("MK", flat(minima >> 4, 2))}
        fields["dm"] = ("MK", flat(halves(rows[..., 2:4]), 16))
    else:
        codes = rows[..., :64].reshape(1, -1, 2, 1, 32) >> numpy.array([0, 2, 4, 6])[:, None] & 3
        fields = {"q": ("MK", flat(codes, 2)), "d": ("MK", flat(halves(rows[..., 64:]), 16))}
    if name == "MXFP4":
        fields["e"] = ("MK", flat(rows[..., 0], 8))
    elif name != "TQ2_0":
        fields["d"] = ("MK", flat(halves(rows[..., :2]), 16))
    check(name, rows, fields, own["expected"]["dequantised_f32_hex"])
    return f"MK<1, {k}>, ggml::{name}", data, fields


def check(name, rows, fields, expected):
    """That the codes give the values that the library gives."""
    q = numpy.array(fields["q"][1], numpy.float32)
    at = {"TQ2_0": 64}.get(name, 0)
    if name in ("MXFP4", "Q4_K"):
        return
    d = rows[..., at:at + 2].copy().view(numpy.float16)[..., 0].astype(numpy.float32).ravel()
    d = numpy.repeat(d, q.size // d.size)
    if name == "Q4_1":
        m = rows[..., 2:4].copy().view(numpy.float16).astype(numpy.float32).ravel()
        own = d * q + numpy.repeat(m, q.size // m.size)
    elif name == "Q8_0":
        own = d * numpy.where(q > 127, q - 256, q)
    else:
        own = d * (q - (8 if name == "Q4_0" else 1))
    assert (own == numpy.frombuffer(bytes.fromhex(expected), "<f4")).all(), name


def repack(own):
    kind, interleave = own["id"].split("-")[2:4]
    inputs, interleave = own["inputs"], int(interleave[2:])
    rows, data = int(inputs["rows"]), bytes.fromhex(inputs["source"])
    k = int(inputs["k"])
    name = f"ggml::{kind}_{interleave}"
    if kind == "q4_Kx8":
        source = blocks(data, 144, rows)
        codes = source[..., 16:].reshape(rows, -1, 4, 32)
        scales, minima = six_bits(source[..., 4:16])
        fields = {
            "d": halves(source[..., :2]), "dm": halves(source[..., 2:4]), "s": scales & 15, "sh": scales >> 4,
            "m": minima & 15, "mh": minima >> 4, "q": numpy.stack([codes & 15, codes >> 4], axis=-2),
        }
        bits = dict(d=16, dm=16, s=4, sh=2, m=4, mh=2, q=4)
    elif kind.startswith("q8_0"):
        source = blocks(data, 34, rows)
        fields, bits = {"d": halves(source[..., :2]), "q": source[..., 2:]}, dict(d=16, q=8)
    elif kind.startswith("q4_0"):
        source = blocks(data, 18, rows)
        fields, bits = {"d": halves(source[..., :2]), "q": nibbles(source[..., 2:]) ^ 8}, dict(d=16, q=4)
    else:
        source = blocks(data, 17, rows)
        fields, bits = {"e": source[..., 0], "q": nibbles(source[..., 1:])}, dict(e=8, q=4)
    fields = {field: ("MK", flat(codes, bits[field])) for field, codes in fields.items()}
    return f"MK<{rows}, {k}>, {name}", bytes.fromhex(own["expected"]["hex"]), fields


def xnnpack(own):
    inputs = own["inputs"]
    n, k, nr, kr, sr, izp, kzp = (int(inputs[key]) for key in ("nc", "kc", "nr", "kr", "sr", "input_zero_point", "kernel_zero_point"))
    is_float = "f32" in own["id"]
    weights = numpy.array(inputs["weights"])
    weights = weights.reshape(n, k) if inputs["weight_order"] == "goi" else weights.reshape(k, n).T
    bias = numpy.array(inputs["bias"])
    element = "f32" if is_float else "u8" if "qu8" in own["id"] else "i8"
    digits = f"K {nr}n {kr}k" if sr == 1 else f"K {sr}k-{nr}n {nr}n {kr}k"
    text = f"N<N = {n}, K = {k}>, {{ b: {nr}n {'f32' if is_float else 'i32'}, w: {digits} {element} }} pad(N = keep, K = kzp)"
    if is_float:
        fields = {"b": ("N", f32(bias)), "w": ("NK", f32(weights))}
    else:
        # qu8 folds the zero point of the weights in as well.
        folded = bias - izp * weights.sum(1) + k * izp * kzp
        fields = {"b": ("N", flat(folded, 32)), "w": ("NK", flat(weights, 8))}
    return text, bytes.fromhex(own["expected"]["hex"]), fields


def kleidiai(own):
    kind, inputs = own["id"].split("-")[1], own["inputs"]
    packed = bytes.fromhex(own["expected"]["hex"])
    if kind == "lhs":
        return left(own, packed)
    n, k, nr, kr = (int(inputs[key]) for key in ("n", "k", "nr", "kr"))
    if kind == "qsi4c32pscalef16":
        source = blocks(bytes.fromhex(inputs["rhs_hex"]), 18, n)
        codes = f"{32 // kr}k/{kr // 2} {nr}n {kr // 2}k 2k/16 i4"
        fields = {"d": ("NK", flat(halves(source[..., :2]), 16)), "q": ("NK", flat(nibbles(source[..., 2:]) ^ 8, 4))}
        return f"NK<N = {n}, K = {k}>, {{ d: {nr}n f16, q: {codes} }} pad(N = last)", packed, fields
    tail = f"sum: {nr}n i32, scale: {nr}n f32, bias: {nr}n f32 }} pad(N = last, K = 0)"
    scale = numpy.array(inputs["scale"], numpy.float32)
    if kind == "qsi8cxp":
        codes = numpy.array(inputs["rhs"]).reshape(n, k)
        text = f"N<N = {n}, K = {k}>, {{ q: K {32 // kr}k {nr}n {kr}k i8, {tail}"
        sums, bits = codes.sum(1) * int(inputs["lhs_zero_point"]), 8
    else:
        rows = numpy.frombuffer(bytes.fromhex(inputs["rhs_hex"]), numpy.uint8).reshape(n, -1)
        codes = numpy.stack([rows & 15, rows >> 4], axis=-1).reshape(n, -1)[:, :k] ^ int(inputs["rhs_zero_point"])
        length = kr // int(inputs["sr"])
        text = f"N<N = {n}, K = {k}>, {{ q: K {16 // length}k/{length} {nr}n {length}k 2k/16 i4, {tail}"
        signed = codes.astype(int) - (codes >> 3).astype(int) * 16
        sums, bits, scale = 16 * signed.sum(1), 4, scale / 16
    fields = {"q": ("NK", flat(codes, bits)), "sum": ("N", flat(sums, 32)), "scale": ("N", f32(scale)), "bias": ("N", f32(inputs["bias"]))}
    return text, packed, fields


def left(own, packed):
    """Activations. The f16 scales of qsi8d32p are wrong in the vectors, so only its codes are compared."""
    inputs = own["inputs"]
    m, k, mr, kr = (int(inputs[key]) for key in ("m", "k", "mr", "kr"))
    values = numpy.array(inputs["lhs"], numpy.float32).reshape(m, k)
    away = lambda x: numpy.sign(x) * numpy.floor(numpy.abs(x) + numpy.float32(0.5))
    if "qsi8d32p" in own["id"]:
        parts = values.reshape(m, -1, 32)
        scale = numpy.abs(parts).max(-1, keepdims=True) / numpy.float32(127)
        codes = away(parts * (numpy.float32(1) / scale))
        text = f"MK<{m}, {k}>, {{ d: {mr}m f16, q: {32 // kr}k {mr}m {kr}k i8 }}"
        return text, packed, {"q": ("MK", flat(codes, 8))}
    low, high = numpy.minimum(values.min(1), 0), numpy.maximum(values.max(1), 0)
    factor = numpy.float32(255) / (high - low)
    bottom, top = low * factor, high * factor
    zero = numpy.where((-128 + bottom) + (127 + top) > 0, -128 - bottom, 127 - top)
    zero = numpy.rint(numpy.clip(zero, -128, 127))
    codes = numpy.clip(away(values * factor[:, None]) + zero[:, None], -128, 127)
    text = f"M<M = {m}, K = {k}>, {{ q: K {32 // kr}k {mr}m {kr}k i8, nzp: {mr}m i32, scale: {mr}m f32 }} pad(M = keep, K = last)"
    return text, packed, {"q": ("MK", flat(codes, 8)), "nzp": ("M", flat(-zero, 32)), "scale": ("M", f32(1 / factor))}


def onednn(own):
    inputs, expected = own["inputs"], own["expected"]
    a, b, c, d = inputs["extents"]
    weights = numpy.array(inputs["weights"]).reshape(a, b, c, d)
    data = bytes.fromhex(expected.get("hex", ""))[:expected["weight_bytes"]].ljust(expected["weight_bytes"], b"\0")
    data += struct.pack(f"<{len(expected['compensation'])}i", *expected["compensation"])
    size = 32 if a == 32 else 16
    order = f"A C D B 4b/4 {size}a 4b" if a == 32 else f"A B C D {size}a 4b"
    tail = f"A {size}a i32"
    text = f"<A = {a}, B = {b}, C = {c}, D = {d}>, {{ w: {order} i8, c: {tail}, z: {tail}, _: {tail} }} pad"
    sums = weights.sum((1, 2, 3))
    fields = {"c": ("A", flat(-128 * sums, 32))}
    if "hex" in expected:
        fields["w"] = ("ABCD", flat(weights, 8))
    if "zp" in own["id"]:
        fields["z"] = ("A", flat(-sums, 32))
    return text, data, fields


def rotation(own):
    """The offsets, in units of f32, as codes: a buffer whose elements are their own offsets."""
    expected = own["expected"]
    text = "N<N = 8, K = 8>, { b: 8n u32, w: K 4k-8n 8n u32 }"
    return text, words(range(expected["length"])), {"w": ("NK", expected["offsets"])}


READERS = [
    ("xnn-rotation", rotation), ("gptq", gptq), ("ct-", compressed), ("ggml-repack", repack), ("ggml-", ggml), ("xnn-", xnnpack),
    ("kai-", kleidiai), ("dnnl-", onednn),
]

vectors = json.load(open(sys.argv[1]))["vectors"]
rows = []
for own in vectors:
    if own["kind"] in ("composite", "rotation"):
        reader = next(reader for start, reader in READERS if own["id"].startswith(start))
        text, data, fields = reader(own)
        fields = {name: {"axes": axes, "codes": codes} for name, (axes, codes) in fields.items()}
        rows.append(json.dumps({"id": own["id"], "text": text, "hex": data.hex(), "fields": fields}, separators=(",", ":")))
print("[\n" + ",\n".join(rows) + "\n]")
