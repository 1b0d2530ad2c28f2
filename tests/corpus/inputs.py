# SPDX-License-Identifier: Apache-2.0
"""Sets of inputs for a construct: zeros, edge values, and numbers that depend only on its name."""
import random
import struct

from cases import BYTES

FORMAT = {"f32": "f", "f64": "d", "b8": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i",
          "u32": "I", "i64": "q", "u64": "Q"}
FLOAT_EDGES = [1.0, -1.0, 0.5, -0.0, 3.0e38, 1.1754944e-38, 1e-40, -65504.0, 0.1, 1e10, -1e-10, 16777217.0]
RANDOM_SETS = 4


def edges(name):
    if name[0] == "f":
        return FLOAT_EDGES
    if name[0] == "b":
        return [0, 1]
    bits = 8 * BYTES[name]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name[0] == "i" else (0, (1 << bits) - 1)
    return [high, low, 1, high - 1, low + 1, 2, 7, high // 2, high // 3]


def number(name, rng):
    if name[0] == "f":
        return rng.uniform(-4, 4) if rng.random() < 0.8 else rng.uniform(-1000, 1000)
    if name[0] == "b":
        return rng.random() < 0.5
    bits = 8 * BYTES[name]
    value = rng.getrandbits(rng.choice((2, 4, 8, bits, bits)) if bits > 8 else bits)
    if name[0] != "i":
        return value
    return value - (1 << (bits - 1)) if value >> (bits - 1) or rng.random() < 0.5 else value


def pack(name, values):
    return struct.pack(f"<{len(values)}{FORMAT[name]}", *values)


def sets_of(case):
    """A list of sets; a set is the bytes of all inputs, one behind the other."""
    rng = random.Random(case.name)
    tensors = case.inputs
    sets = [b"".join(pack(name, [0] * count) for name, count in tensors)]
    sets += [b"".join(pack(name, [edges(name)[(i + turn) % len(edges(name))] for i in range(count)])
                      for name, count in tensors) for turn in (0, 5)]
    sets += [b"".join(pack(name, [number(name, rng) for _ in range(count)]) for name, count in tensors)
             for _ in range(RANDOM_SETS)]
    sets += [b"".join(pack(name, values) for (name, _), values in zip(tensors, one)) for one in case.sets]
    return sets
