# SPDX-License-Identifier: Apache-2.0
"""Model files for `relocpack ops`, written by hand with the few fields of ONNX and TFLite that are needed.

Parts of ONNX (protobuf) are bytes. Parts of TFLite (FlatBuffers) are a Part: all its offsets are
relative and lead forward, so it can stand anywhere.
"""
import collections
import struct

FLOAT, INT8 = 1, 3  # of ONNX


# ---- ONNX: field numbers of onnx.proto ----

def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + b"".join(field(8, number) for number in value) + field(20, 7)


def node(op, inputs, outputs, domain="", **attributes):
    return (b"".join(field(1, name) for name in inputs) + b"".join(field(2, name) for name in outputs)
            + field(3, op.lower()) + field(4, op)
            + b"".join(field(5, attribute(*pair)) for pair in attributes.items()) + field(7, domain))


def value(name, kind, dims):
    shape = b"".join(field(1, field(1, size)) for size in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def constant(name, kind, dims, raw):
    return b"".join(field(1, size) for size in dims) + field(2, kind) + field(8, name) + field(9, raw)


def model(nodes, constants=(), inputs=(), outputs=(), inner=(), producer="test"):
    graph = b"".join(field(1, item) for item in nodes) + field(2, "g")
    graph += b"".join(field(5, item) for item in constants)
    graph += b"".join(field(11, value(*item)) for item in inputs)
    graph += b"".join(field(12, value(*item)) for item in outputs)
    graph += b"".join(field(13, value(*item)) for item in inner)
    return field(1, 8) + field(2, producer) + field(7, graph) + field(8, field(1, "") + field(2, 17))


# ---- TFLite: a field of a table is None, the bytes of a number, or a Part; order as in the schema ----

TFLITE_FLOAT, TFLITE_INT8 = 0, 9
Part = collections.namedtuple("Part", "start data")


def number(form, *values):
    return struct.pack("<" + form * len(values), *values)


def padded(data):
    return data + bytes(-len(data) % 4)


def vector(data, width=1):
    return Part(0, number("I", len(data) // width) + data)


def ints(*values):
    return vector(number("i", *values), 4)


def floats(*values):
    return vector(number("f", *values), 4)


def text(content):
    content = content.encode() if isinstance(content, str) else content
    return Part(0, vector(content).data + b"\0")


def refer(head, places, parts):
    """head followed by the parts, with the offsets that lead to them filled in."""
    out, tail, at = bytearray(head), [], len(head)
    for place, part in zip(places, parts):
        struct.pack_into("<I", out, place, at + part.start - place)
        tail.append(padded(part.data))
        at += len(tail[-1])
    return bytes(out) + b"".join(tail)


def table(*fields):
    offsets, places, body = [], [], b""
    start = len(padded(bytes(4 + 2 * len(fields))))
    for item in fields:
        offsets.append(0 if item is None else 4 + len(body))
        if isinstance(item, Part):
            places.append(start + offsets[-1])
        body += b"" if item is None else bytes(4) if isinstance(item, Part) else item
    shape = padded(number("H", 4 + 2 * len(fields), 4 + len(body), *offsets))
    head = shape + number("i", start) + padded(body)
    return Part(start, refer(head, places, [item for item in fields if isinstance(item, Part)]))


def tables(*parts):
    places = range(4, 4 + 4 * len(parts), 4)
    return Part(0, refer(number("I", len(parts)) + bytes(4 * len(parts)), places, parts))


def tensor(name, kind, dims, buffer=0, scales=()):
    quantisation = table(None, None, floats(*scales), vector(bytes(8 * len(scales)), 8)) if scales else None
    return table(ints(*dims), number("B", kind), number("I", buffer), text(name), quantisation)


def operator(code, inputs, outputs, *options):
    """options: the kind of the union, and its table."""
    kind, value = options or (None, None)
    return table(number("I", code), ints(*inputs), ints(*outputs), kind and number("B", kind), value)


def subgraph(tensors, operators, inputs, outputs):
    return table(tables(*tensors), ints(*inputs), ints(*outputs), tables(*operators))


def code(builtin, custom=None):
    return table(number("b", min(builtin, 127)), custom and text(custom), number("i", 1), number("i", builtin))


def tflite(codes, subgraphs, buffers=(), version=3):
    """codes: numbers of builtin operators, or Parts; the empty first buffer is added."""
    parts = [item if isinstance(item, Part) else code(item) for item in codes]
    data = [table()] + [table(vector(item)) for item in buffers]
    root = table(number("I", version), tables(*parts), tables(*subgraphs), text("test"), tables(*data))
    return number("I", 8 + root.start) + b"TFL3" + root.data
