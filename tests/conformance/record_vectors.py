"""Prints vectors of records: where fields of examples and of random records lie, by records_model.py.

    python3 tests/conformance/record_vectors.py > tests/src/records/vectors.json

Each vector has a text, the bytes of its buffers, and for each field samples: the coordinate on `axes`, then the buffer, the
place of the lowest bit of the element, and that of its highest one. Bit b is bit b % 8 of byte b / 8, the lowest first.
"""
import json
import random
import sys

from records_model import Record, Wrong, bits_of, cut

SEED, RANDOM, LEAST_SAMPLES = 59, 300, 5

EXAMPLES = [
    ("{ y: H W u8 pitch(H = 16), uv: H/2 W/2 2c u8 pitch(H = 16) }", dict(H=5, W=7)),
    ("{ y: H 16h W u8 pitch(H = 256) pitch(W = 1), uv: H/2 W/2 2c u8 align(H = 16) }", dict(H=5, W=16)),
    ("{ y: H W u8 align(H = 16), u: H/2 W/2 u8 align(H = 8), v: H/2 W/2 u8 align(H = 8) }", dict(H=5, W=7)),
    ("{ H W { _: u6, y: u10 } pitch(H = 32), H/2 W/2 2c { _: u6, uv: u10 } pitch(H = 32) }", dict(H=5, W=7)),
    ("H W { y: 2w[0] u8, uv: 2c[0] u8, y: 2w[1] u8, uv: 2c[1] u8 } pitch(H = 24)", dict(H=5, W=7)),
    ("H W { uv: 2c[0] u8, y: 2w[0] u8, uv: 2c[1] u8, y: 2w[1] u8 } pitch(H = 24)", dict(H=5, W=7)),
    ("H W { hi: 4w u8, lo: 4w u2 } pitch(H = 12)", dict(H=5, W=6)),
    ("H W { hi: 2w u8, lo: 2w u4 }", dict(H=5, W=6)),
    ("H W { hi: 4w u8, lo: 4w u6 }", dict(H=2, W=8)),
    ("H W { hi: 2w[0] u8, lo: 2w u4, hi: 2w[1] u8 }", dict(H=5, W=6)),
    ("H/2 { W/2 { r: u8, gr: u8 }, W/2 { gb: u8, b: u8 } }", dict(H=6, W=8)),
    ("P { k: S H D f16, v: S H D f16 }", dict(P=3, S=4, H=2, D=16)),
    ("k: P H D S 8d f16; v: P H D S f16", dict(P=3, S=4, H=2, D=16)),
    ("P S { c: D f8e4m3, s: D/128 f32, r: E bf16 }", dict(P=3, S=4, D=512, E=64)),
    ("{ q: H D K f16, k: G D K f16, v: G D K f16 }", dict(H=8, G=2, D=4, K=6)),
    ("H { q: D K f16, k: D K f16, v: D K f16 }", dict(H=8, D=4, K=6)),
    ("H { q: 4h D K f16, k: D K f16, v: D K f16 }", dict(H=8, D=4, K=6)),
    ("q: K N 2n 4n/2 u4; z: K/128 N 2n 4n/2 u4; s: K/128 N f16", dict(K=256, N=64)),
    ("q: K N 8k u4; z: K/128 N 8n u4; s: K/128 N f16; g: K i32", dict(K=256, N=64)),
    ("q: K N 8n 4k/2 4n/16 2k 2n/8 2k/8 u4; s: K/128 N 8n 8n/8 f16", dict(K=256, N=128)),
    ("q: M K f4e2m1; s: M K 32m 4m/32 4k/16 f8e4m3; g: f32", dict(M=256, K=256)),
    ("q: E u4 high_first; a: E/64 u8; b: E/16384 f32; o: f32", dict(E=40000)),
    ("q: N K f8e4m3; s: N/128 K/128 f32", dict(N=200, K=300)),
    ("H W { b: u5, g: u6, r: u5 }", dict(H=3, W=5)),
    ("H W { r: u10, g: u10, b: u10, a: u2 }", dict(H=3, W=5)),
    ("H W { 2e { b: u5, g: u6, r: u5 }, i: 4h 4w u2 }", dict(H=8, W=8)),
    ("N { x: f32 align(4), y: f32 align(4), z: f32 align(4), i: u16 align(2), c: u8 }", dict(N=10)),
    ("H W u12 high_first align(H = 1)", dict(H=3, W=5)),
    ("H W { r: u5, g: u6, b: u5 } high_first", dict(H=3, W=5)),
    ("P { k: S H D { d: f16, q: 32d i8 }, v: S H D { d: f16, q: 32d i8 } }", dict(P=2, S=3, H=4, D=64)),
    ("MK { d: f16, q: 16k 2k/16 u4 }", dict(M=2, K=64)),
    ("MK { d: f16, m: f16, h: 32k u1, q: 16k 2k/16 u4 }", dict(M=2, K=64)),
    ("MK { e: f8e8m0, q: 16k 2k/16 f4e2m1 }", dict(M=3, K=96)),
    ("MK { d: 4k/16 f8e4m3, q: 4k/16 8k 2k/8 f4e2m1 }", dict(M=2, K=128)),
    ("MK { 16k/16 { s: u4, m: u4 }, q: 2k/128 32k 4k/32 u2, d: f16, dm: f16 }", dict(M=2, K=512)),
    ("MK { h: 32k 8k/32 u1, q: 2k/128 32k 4k/32 u2, s: 8k/16 2k/128 u4, sh: 4k/16 4k/64 u2, d: f16 }", dict(M=2, K=512)),
    ("MK { d: f16, dm: f16, 4k/32 { s: 2k/128[0] u4, sh: 2k/128 u2 }, 4k/32 { m: 2k/128[0] u4, mh: 2k/128 u2 }, 4k/32 { s: 2k/128[1] u4, m: 2k/128[1] u4 }, h: 32k 8k/32 u1, q: 4k/64 32k 2k/32 u4 }", dict(M=2, K=512)),
    ("MK { q: 2k/128 2k/32 32k 2k/64 u4, h: 2k/128 32k 4k/32 u2, s: 16k/16 i8, d: f16 }", dict(M=2, K=512)),
    ("MK { q: 2k/128 32k 4k/32 u2, d: f16 }", dict(M=2, K=512)),
    ("MK { d: f16, sh: 8k/32 u2, s: 8k/32 u4, q: 8k/32 16k 2k/16 u4 }", dict(M=2, K=512)),
    ("MK { d: 8m f16, q: 2k/8 8m 8k 2k/16 i4 }", dict(M=16, K=64)),
    ("MK { d: 4m f16, q: 4k/4 4m 4k 2k/16 i4 }", dict(M=8, K=64)),
    ("MK { d: 16m f16, q: 16k 16m 2k/16 i4 }", dict(M=16, K=64)),
    ("MK { d: 8m f16, dm: 8m f16, 8k/32 { 4m/1 { s: 2m/4[0] u4, sh: 2m/4 u2 }, 4m/1 { m: 2m/4[0] u4, mh: 2m/4 u2 }, 4m/1 { s: 2m/4[1] u4, m: 2m/4[1] u4 } }, q: 4k/64 4k/8 8m 8k 2k/32 u4 }", dict(M=16, K=512)),
    ("N { q: K 2k/8 4n 8k 2k/16 i4, sum: 4n i32, scale: 4n f32, bias: 4n f32 } pad(N = last)", dict(N=11, K=33)),
    ("N { q: K 4k 4n 8k i8, sum: 4n i32, scale: 4n f32, bias: 4n f32 } pad(N = last)", dict(N=7, K=64)),
    ("G N { bias: 8n i32, w: K 8n 4k i8, _: 16 u8 } pad(N = keep)", dict(G=2, N=11, K=8)),
    ("G N { bias: 8n i32, w: K 4k-8n 8n 2k i8 } pad(N = keep)", dict(G=2, N=11, K=16)),
    ("{ w: A C D B 4b/4 32a 4b i8, c: A 32a i32, z: A 32a i32, _: A 32a i32 }", dict(A=40, B=16, C=2, D=3)),
    ("N { q: K u5 } align(4)", dict(N=3, K=7)),
    ("N { q: K u3 } align(4)", dict(N=2, K=50)),
    ("P { k: S H D { d: f16, q: 32d i8 }, v: S H D { d: f16, q: 32d i8 } }", dict(P=2, S=3, H=2, D=64)),
    ("N { e: u8, d: f16, w: u24, x: 3n/1 f64 }", dict(N=12)),
    ("A { a: 4b^2c 2c u4, b: 8d u16 high_first }", dict(A=3)),
    ("A B { a: 8a+4b 4b i24 }", dict(A=16, B=8)),
]


def text_of(text, extents, needs_pad):
    """The notation of the library: the digits before the braces, the extents, the rest."""
    named = ", ".join(f"{axis} = {extent}" for axis, extent in extents.items())
    named = f"<{named}>" if named else ""
    brace, semicolon = cut(text, "{"), cut(text, ";")
    colon = text.find(":")
    if semicolon < len(text) or 0 <= colon < brace:
        digits, rest = "", "{ " + text + (";" if semicolon == len(text) else "") + " }"
    elif brace < len(text):
        digits, rest = text[:brace].strip(), text[brace:]
    else:
        words = text.split()
        at = next(i for i, word in enumerate(words) if word[0].islower())
        digits, rest = " ".join(words[:at]), " ".join(words[at:])
    head = digits + named
    return (head + ", " if head else "") + rest + (" pad" if needs_pad else "")


def needs_pad(rec):
    for leaf in rec.leaves:
        for axis in leaf.axes:
            own = [d for d in leaf.path if d.axis == axis]
            share, blocks = leaf.shares[axis], 1
            for d in own:
                blocks *= d.size or 1
            if blocks > 1 and -(-rec.extents[axis] // share) % blocks:
                return True
    return False


def whole(node):
    if node.items is None:
        return bits_of(node.elem) % 8 == 0
    return any(whole(item) for item in node.items)


def strict(rec):
    """What the library asks for beyond the model: repeated bytes begin at bytes, alignments hold in nested groups, a field is in one buffer."""
    def walk(node, top):
        fits = not whole(node) or all(d.stride % 8 == 0 for d in node.digits if d.fixed is None)
        fits &= not whole(node) or node.off % 8 == 0
        fits &= top or node.items is None or getattr(node, "needs", 1) == 1
        return fits and all(walk(item, False) for item in node.items or [])
    reaches = all(
        leaf.padded[axis] >= rec.extents[axis] for leaf in rec.leaves for axis in leaf.axes
    )
    reaches &= all(len({leaf.buffer for leaf in pieces}) == 1 for pieces in rec.fields.values())
    return reaches and all(walk(node, True) for node in rec.buffers)


def items(node):
    return 1 + len(node.digits) + len(node.opts) + sum(map(items, node.items or []))


def vector(text, extents, rng, most):
    rec = Record(text, **extents)
    if not strict(rec) or sum(map(items, rec.buffers)) > 42:
        raise Wrong("the library refuses it")
    axes = sorted(rec.extents)
    fields = {}
    for name, pieces in rec.fields.items():
        samples = [[0] * len(axes), [rec.extents[axis] - 1 for axis in axes]]
        while len(samples) < most:
            samples.append([rng.randrange(rec.extents[axis]) for axis in axes])
        rows = []
        for sample in sorted(map(list, set(map(tuple, samples)))):
            buffer, places = rec.place(name, dict(zip(axes, sample)))
            rows.append(sample + [buffer, places[0], places[-1]])
        shares = [pieces[0].shares.get(axis, 0) for axis in axes]
        fields[name or ""] = {"shares": shares, "samples": rows}
    if sum(rec.bytes) < 3000:
        rec.check_disjoint()
    text = text_of(text, extents, needs_pad(rec))
    return {"text": text, "axes": "".join(axes), "bytes": rec.bytes, "fields": fields}


def factors(rng, n):
    out = []
    while n > 1:
        size = rng.choice([d for d in range(2, n + 1) if n % d == 0])
        out.append(size)
        n //= size
    return out


def blocks(rng, axis, share, covered):
    """Blocks of an axis from a share up to what they cover, in any order, all with weights."""
    out, weight = [], share
    for size in factors(rng, covered // share):
        out.append((size, weight))
        weight *= size
    rng.shuffle(out)
    return [f"{size}{axis.lower()}/{weight}" for size, weight in out]


def merged(rng, lists):
    out = []
    lists = [list(own) for own in lists if own]
    while lists:
        own = rng.choice(lists)
        out.append(own.pop(0))
        lists = [own for own in lists if own]
    return out


def random_field(rng, name, elements, outer, free, cover, extra=""):
    lists = []
    for axis in outer:
        if rng.random() < 0.75:
            share = rng.choice([d for d in range(1, cover[axis] + 1) if cover[axis] % d == 0])
            lists.append(blocks(rng, axis, share, cover[axis]))
    for axis in free:
        if rng.random() < 0.6:
            share = rng.choice([1, 1, 2, 3])
            covered = share * rng.choice([1, 2, 4])
            lists.append(merged(rng, [[f"{axis}/{covered}"], blocks(rng, axis, share, covered)]))
    digits = merged(rng, lists)
    changed = [i for i, d in enumerate(digits) if d[0].isdigit()]
    if rng.random() < 0.15 and len(changed) > 1:
        i, j = rng.sample(changed, 2)
        a, b = digits[i], digits[j]
        size = lambda d: int("".join(c for c in d.split("/")[0] if c.isdigit()))
        axis = lambda d: d.split("/")[0][-1]
        op = rng.choice("-+^")
        powers = all(size(d) & (size(d) - 1) == 0 for d in (a, b)) and size(b) <= size(a)
        if axis(a) != axis(b) and (op != "^" or powers):
            digits[i] = f"{a}{op}{b}"
    return f"{name}: {' '.join(digits)} {rng.choice(elements)}{extra}"


def random_record(rng):
    axes = rng.sample("ABCD", rng.choice([1, 2, 2, 3]))
    outer = [axis for axis in axes if rng.random() < 0.6]
    free = [axis for axis in axes if axis not in outer]
    cover = {axis: rng.choice([1, 2, 4, 6, 8, 12]) for axis in axes}
    extents = {axis: cover[axis] * rng.choice([1, 2, 3]) if axis in outer else rng.choice([1, 4, 5, 8, 12]) for axis in axes}
    if rng.random() < 0.2:
        axis = rng.choice(axes)
        extents[axis] = max(1, extents[axis] - rng.randrange(3))
    elements = rng.choice([
        ["u8", "f16", "i32", "bf16", "u24"], ["u1", "u2", "u4", "i4"], ["u5", "u3", "u10", "u4"], ["u8", "u4", "f16", "u16"],
    ])
    items = []
    for name in "abcd"[:rng.randrange(1, 5)]:
        kind = rng.random()
        extra = f" align({rng.choice([2, 4, 8])})" if rng.random() < 0.15 else ""
        field = random_field(rng, name, elements, outer, free, cover, extra)
        digits = field.split(":")[1].split()
        first = next((d for d in digits if d[0].isdigit() and "-" not in d and "+" not in d and "^" not in d), None)
        if kind < 0.12 and first:
            size = int("".join(c for c in first.split("/")[0] if c.isdigit()))
            if size <= 4 and not any(op in field for op in "-+^"):
                items += [field.replace(first, f"{first}[{step}]", 1) for step in rng.sample(range(size), size)]
                continue
        if kind > 0.85:
            inner = random_field(rng, name, elements, [], [], cover)
            inner += ", " + random_field(rng, "z", elements, [], [], cover)
            axis = rng.choice(outer) if outer else None
            own = " ".join(blocks(rng, axis, rng.choice([1, cover[axis]]), cover[axis])) if axis else ""
            field = f"g{name}: {own} {{ {inner} }}"
        items.append(field)
        if rng.random() < 0.1:
            items.append(f"_: {rng.choice(['u4', 'u8', '3 u8'])}")
    digits = " ".join(outer)
    if len(items) > 1 and not outer and rng.random() < 0.5:
        text = "; ".join(item for item in items if not item.startswith("_"))
    else:
        marks = f" pitch({outer[-1]} = {rng.choice([400, 600, 1001])})" if outer and rng.random() < 0.15 else ""
        text = f"{digits} {{ {', '.join(items)} }}{marks}" + (" high_first" if rng.random() < 0.1 else "")
    return " ".join(text.split()), extents


def digits_of(text):
    """The lower-case letters that follow a number."""
    return {b for a, b in zip(text, text[1:]) if a.isdigit()}


def main():
    rng = random.Random(SEED)
    vectors = [vector(text, extents, rng, 10) for text, extents in EXAMPLES if text]
    tried = 0
    while len(vectors) < len(EXAMPLES) + RANDOM:
        text, extents = random_record(rng)
        tried += 1
        extents = {axis: extents[axis] for axis in extents if axis in text or axis.lower() in digits_of(text)}
        try:
            vectors.append(vector(text, extents, rng, LEAST_SAMPLES))
        except (Wrong, AssertionError, KeyError):
            continue
    print(f"{tried} tried", file=sys.stderr)
    rows = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    print(f"[\n{rows}\n]")


main()
