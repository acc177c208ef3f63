"""Writes npy_headers.json beside it: which headers of .npy files numpy reads, and as what.

    pip install numpy && python3 tests/files/npy_headers.py

`adapters::npy_headers` of the tests compares the library with it.
"""

import io
import json
import random
import struct
import sys
import warnings
from pathlib import Path

import numpy as np
from numpy.lib._format_impl import _read_array_header
from numpy.lib.format import read_magic

HERE = Path(__file__).parent

# A number in front of a type means several of it.
ORDERS = ["", "<", ">", "=", "|"]
KINDS = "".join(chr(code) for code in range(33, 127) if chr(code) not in "\\'")
SIZES = ["", "0", "1", "2", "3", "4", "5", "8", "12", "16", "32", "04", "+4", " 4", "4 ", "-4", "4.", "4x"]

# Names besides those of an order, a letter and a size.
NAMES = sorted({name for name in np.sctypeDict if isinstance(name, str)}) + [
    *("str", "bytes", "object", "void", "datetime64", "timedelta64", "unicode", "longdouble", "intp"),
    *("<float32", "=float32", "|int8", "Float32", "FLOAT32", "int0", "float_", "bool8", "int4", "bfloat16"),
    *("float8_e4m3fn", "float8_e5m2", "f1", "f4,i4", "f4,", "2f4", "1f4", "(2,)f4", "<(2,)f4", "", "<", ">>f4"),
    *("f4 ", " f4", "f\t4", "f00000000000000000004", "f4294967300", "f99999999999999999999", "f\u0664"),
    *("M8[ns]", "<M8[D]", "m8[25s]", "M8[", "M8[x]", "datetime64[ns]", "timedelta64[s]", "S5", "<U7", "V2", "<V2"),
    *("O", "|O8", "T", "a5", "c1", "fF", "??", "e2", "d8", "F8", "u", "i", "c4", "f16", "g", "G", "c32"),
]

# Headers that the library reads, if numpy does: version and dictionary.
READ = [
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"),
    ((2, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"),
    ((3, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }"),
    ((1, 0), "{'descr': '>i2', 'fortran_order': True, 'shape': (1, 2, 3)}"),
    ((1, 0), "{'shape': (2, 3), 'descr': 'int16', 'fortran_order': False}"),
    ((1, 0), "{'fortran_order': False, 'shape': (6,), 'descr': 'h'}"),
    ((1, 0), '{"descr": "<i2", "fortran_order": False, "shape": (6, )}'),
    ((1, 0), "{'descr':'<i2','fortran_order':False,'shape':(6,)}"),
    ((1, 0), " { 'descr' : '<i2' ,\n 'fortran_order' : False ,\t'shape' : ( 2 ,\n3 , ) , } \n\n"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (3L, 2L), }"),
    ((2, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6L,), }"),
    ((1, 0), "{u'descr': u'<i2', u'fortran_order': False, U'shape': (6,), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': ( ), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (0,), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 3), }"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 1, 6, 1), }"),
    ((1, 0), "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3), }"),
    ((1, 0), "{'descr': '>c16', 'fortran_order': True, 'shape': (2, 3), }"),
]

# Headers that neither reads, and with a reason those that numpy alone reads.
REFUSED = [
    ((3, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (3L, 2L), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': 6, }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': [6], }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6.0,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': ('6',), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (2 3), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (2,,3), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (06,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6LL,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6l,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': None, }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': 0, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': 'False', 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': Falsehood, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': false, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': b'<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': 3, 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': None, 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,), 'more': 1}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'Shape': (6,)}", ""),
    ((1, 0), "{b'descr': '<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,)", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,)}}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,)} x", ""),
    ((1, 0), "{'descr': '<i2' 'fortran_order': False, 'shape': (6,)}", ""),
    ((1, 0), "{'descr' '<i2', 'fortran_order': False, 'shape': (6,)}", ""),
    ((1, 0), "{'descr: '<i2', 'fortran_order': False, 'shape': (6,)}", ""),
    ((1, 0), "{, 'descr': '<i2', 'fortran_order': False, 'shape': (6,)}", ""),
    ((1, 0), "['descr', '<i2', 'fortran_order', False, 'shape', (6,)]", ""),
    ((1, 0), "", ""),
    ((1, 0), "{}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,)}\0", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (-6,)}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999,)}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (9223372036854775808,)}", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", ""),
    ((1, 0), "{'d\u00e9scr': '<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': '<\u00e92', 'fortran_order': False, 'shape': (6,), }", ""),
    ((3, 0), "{'descr': '<i\u0662', 'fortran_order': False, 'shape': (6,), }", ""),
    ((3, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (\u0666,), }", ""),
    ((0, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 1), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((4, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,), }", ""),
    ((1, 0), "{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (6,), }", "records"),
    ((1, 0), "{'descr': [('\u00e9', '<i2')], 'fortran_order': False, 'shape': (6,), }", "records"),
    ((3, 0), "{'descr': [('\u0666', '<i2')], 'fortran_order': False, 'shape': (6,), }", "records"),
    ((1, 0), "{'descr': [('\\x41]', '<i2')], 'fortran_order': False, 'shape': (6,), }", "records"),
    ((1, 0), "{'descr': ('<i2', (2,)), 'fortran_order': False, 'shape': (3,), }", ""),
    ((1, 0), "{'descr': 'i2,', 'fortran_order': False, 'shape': (6,), }", "records"),
    ((1, 0), "{'descr': '1i2', 'fortran_order': False, 'shape': (6,), }", "records"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (True, 6), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (-1,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (0x6,), }", "hexadecimal"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (0_6,), }", ""),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (+6,), }", "a sign"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (00,), }", "zeros in front"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6 L,), }", "an L that stands alone"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': ((6,)), }", "brackets"),
    ((1, 0), "({'descr': '<i2', 'fortran_order': False, 'shape': (6,), })", "brackets"),
    ((1, 0), "{'descr': ('<i2'), 'fortran_order': False, 'shape': (6,), }", "brackets"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (6,), } # six", "a comment"),
    ((1, 0), "{'d\\x65scr': '<i2', 'fortran_order': False, 'shape': (6,), }", "an escape"),
    ((1, 0), "{'descr': '<i\\x32', 'fortran_order': False, 'shape': (6,), }", "an escape"),
    ((1, 0), "{'descr': '<' 'i2', 'fortran_order': False, 'shape': (6,), }", "two strings"),
    ((1, 0), "{'descr': '''<i2''', 'fortran_order': False, 'shape': (6,), }", "three quotes"),
    ((1, 0), "{'descr': r'<i2', 'fortran_order': False, 'shape': (6,), }", "a raw string"),
    ((1, 0), "{'descr': '<i2', 'fortran_order': False, 'shape': (7,), 'shape': (6,), }", "a key that occurs twice"),
]

# Types and shapes that numpy saves.
SAVED = [
    *(("?", (2,)), ("i1", (0,)), ("u1", (4, 1)), ("<i2", ()), ("<u2", (1, 2)), ("<i4", (2, 1, 3)), ("<u4", (5,))),
    *(("<i8", (100,)), ("<u8", (3, 2)), ("<f2", (2, 2)), ("<f4", (1, 1, 1, 7)), ("<f8", (12, 10))),
    *(("<c8", (2, 3)), ("<c8", ()), ("<c16", (3,)), ("<c16", (0, 2))),
]

# What random headers consist of. Of the last ones, only numpy reads some.
PARTS = ["{", "}", "'descr'", "'fortran_order'", "'shape'", ":", ",", "'<i2'", "'i1'", "False", "True", "(", ")", "6"]
PARTS += ["(2, 3)", "(6,)", "()", "3L", " ", "\n", "u'shape'", '"descr"', "[('a', '<i2')]"]
FOREIGN = ["-1", "0x6", "[", "]", "#", "\\", "00", "''"]


def data(count):
    """Bytes that are no NaN, in any type."""
    return bytes((index * 37 + 11) % 64 for index in range(count))


def file(version, text, array):
    """A file with this dictionary and these bytes."""
    text = text.encode("utf8" if version[0] == 3 else "latin1")
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + length + text + array


def loaded(version, text, array):
    """What numpy reads: type, shape, whether in Fortran order, and the elements in little-endian C order."""
    whole = file(version, text, array)
    try:
        found = np.load(io.BytesIO(whole))
    except Exception:
        return None
    stream = io.BytesIO(whole)
    shape, is_fortran, _ = _read_array_header(stream, read_magic(stream))
    assert shape == found.shape
    elements = None
    if found.dtype.kind in "biufc":
        elements = np.ascontiguousarray(found).astype(found.dtype.newbyteorder("<")).tobytes().hex()
    return {"type": found.dtype.str, "shape": shape, "fortran": is_fortran, "elements": elements}


def saved(type, shape):
    """A file that numpy writes."""
    buffer = io.BytesIO()
    np.save(buffer, np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(type))
    return {"type": type, "shape": shape, "file": buffer.getvalue().hex()}


def typed(name):
    """A dictionary of this type."""
    return f"{{'descr': {name!r}, 'fortran_order': False, 'shape': (2,), }}"


def dtype(name):
    """numpy's own name of a type, or None."""
    try:
        return str(np.dtype(name).str)
    except Exception:
        return None


def random_header(source):
    """A header with some parts replaced, and whether some are numpy's alone."""
    fields = [
        ["'descr'", ":", source.choice(["'<i2'", "'h'", '"int16"', "u'>u2'", "'i1'", "'?'"])],
        ["'fortran_order'", ":", source.choice(["False", "True"])],
        ["'shape'", ":", source.choice(["(6,)", "(2,3)", "(1L, 6)", "()", "(3 , 2 , )", "(0, 7)"])],
    ]
    source.shuffle(fields)
    parts = ["{", *fields[0], ",", *fields[1], ",", *fields[2], "}"]
    for _ in range(source.randrange(3)):
        at, part = source.randrange(len(parts)), source.choice(PARTS * 2 + FOREIGN)
        match source.randrange(3):
            case 0:
                parts[at] = part
            case 1:
                parts.insert(at, part)
            case _:
                del parts[at]
    text = "".join(parts)
    return text, any(part in text for part in FOREIGN)


warnings.simplefilter("ignore")
source = random.Random(55)
product = {order + kind + size for order in ORDERS for kind in KINDS for size in SIZES}
names, read, refused, drawn = [], [], [], []
for name in dict.fromkeys(NAMES):
    if "'" not in name:
        names.append({"name": name, "loaded": loaded((3, 0), typed(name), data(64))})
for version, text in READ:
    found = loaded(version, text, data(96))
    assert found, text
    read.append({"version": version, "text": text, "loaded": found})
for version, text, reason in REFUSED:
    assert (loaded(version, text, data(12)) is not None) == (reason != ""), (text, reason)
    refused.append({"version": version, "text": text, "reason": reason})
for _ in range(500):
    text, foreign = random_header(source)
    drawn.append({"text": text, "foreign": foreign, "loaded": loaded((1, 0), text, data(12))})
vectors = {
    "_about": "python3 tests/files/npy_headers.py wrote this. A type of `product` is an order, a kind and a size; "
    "those that numpy does not have are left out. `elements` are hexadecimal, in little-endian C order, from a little-endian "
    "machine. Bytes of an array are `(37 * index + 11) % 64`: 64 for `names`, 96 for `read`, 12 for the others.",
    "numpy": np.__version__,
    "python": sys.version.split()[0],
    "orders": ORDERS,
    "kinds": KINDS,
    "sizes": SIZES,
    "product": {name: dtype(name) for name in sorted(product) if dtype(name)},
    "names": names,
    "read": read,
    "refused": refused,
    "drawn": drawn,
    "saved": [saved(*entry) for entry in SAVED],
}
lines = [f" {json.dumps(key)}: " for key in vectors]
for index, value in enumerate(vectors.values()):
    if isinstance(value, list) and value and isinstance(value[0], dict):
        lines[index] += "[\n" + ",\n".join("  " + json.dumps(entry) for entry in value) + "\n ]"
    else:
        lines[index] += json.dumps(value)
(HERE / "npy_headers.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
count = sum(1 for entry in drawn if entry["loaded"])
print(len(vectors["product"]), "of", len(product), "types,", count, "drawn headers read")
