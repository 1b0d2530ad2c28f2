# SPDX-License-Identifier: Apache-2.0
"""A reader of signature blocks that shares nothing with the tool; it was written from docs/FORMAT.md. And signatures
by others: OpenSSL's command line, and python3-cryptography."""
import hashlib
import struct

KEY_HASH, ED25519, ECDSA_P256 = 0x4001, 0x4002, 0x4003
NAMES = {1: "image", 2: "weights", 3: "target", 4: "build_id", 5: "name", 6: "version", 7: "counter", 8: "device_class", 9: "api"}
SIZES = {1: (32, 32), 2: (36, 36), 3: (4, 4), 4: (16, 16), 5: (1, 64), 6: (8, 8), 7: (4, 4), 8: (1, 32), 9: (8, 8)}


class BlockError(Exception):
    """Something that the format does not allow."""


def demand(condition, what):
    if not condition:
        raise BlockError(what)


def entries(data):
    """(type, value) of all that is in data."""
    while data:
        demand(len(data) >= 4, "an entry is cut off")
        kind, length = struct.unpack_from("<HH", data)
        room = (length + 3) // 4 * 4
        demand(len(data) >= 4 + room, f"entry {kind:#x} is cut off")
        demand(not any(data[4 + length:4 + room]), f"entry {kind:#x}: what fills up is not zero")
        yield kind, data[4:4 + length]
        data = data[4 + room:]


class Block:
    """s: the bytes that are signed; said: what they say; signatures: [(hash of the key, type, signature)]."""

    def __init__(self, data):
        demand(data[:4] == b"RPSM", f"magic {data[:4]}")
        version, size = struct.unpack_from("<HH", data, 4)
        demand(version == 1 and size % 4 == 0 and 8 <= size <= min(512, len(data)), f"version {version}, {size} bytes")
        self.s, self.said, last = data[:size], {}, 0
        for kind, value in entries(self.s[8:]):
            demand(kind > last, f"entry {kind:#x} is out of order")
            demand(kind in SIZES, f"entry {kind:#x} is not one that relocpack writes")
            demand(SIZES[kind][0] <= len(value) <= SIZES[kind][1], f"entry {kind:#x} of {len(value)} bytes")
            self.said[NAMES[kind]], last = value, kind
        demand({"image", "target", "build_id", "name", "version", "counter"} <= set(self.said), f"entries {set(self.said)}")
        rest = list(entries(data[size:]))
        demand(2 <= len(rest) <= 8 and len(rest) % 2 == 0, f"{len(rest)} entries of signatures")
        self.signatures = []
        for (kind, key), (how, signature) in zip(rest[::2], rest[1::2]):
            demand(kind == KEY_HASH and len(key) == 32, f"entry {kind:#x} of {len(key)} bytes where a key's hash should be")
            demand(how in (ED25519, ECDSA_P256) and len(signature) == 64, f"entry {how:#x} of {len(signature)} bytes")
            self.signatures.append((key, how, signature))

    def matches(self, image, trailer, code_end, weights_file):
        """Does what is signed speak of this image, with its trailer at that place, and of these weights?"""
        head = bytearray(image[trailer:trailer + 96])
        head[84:88] = head[92:96] = bytes(4)
        demand(self.said["image"] == hashlib.sha256(image[:code_end] + head).digest(), "SHA-256 of the image")
        weights = weights_file if weights_file is not None else image[code_end:trailer]
        if weights:
            demand(self.said["weights"] == hashlib.sha256(weights).digest() + struct.pack("<I", len(weights)), "SHA-256 of the weights")
        else:
            demand(head[80] == 1 or "weights" not in self.said, "weights of an image that has none")
        demand(self.said["target"] == image[4:8] and self.said["build_id"] == head[56:72], "target and build id")


def der(signature):
    """r and s as ASN.1, for OpenSSL."""
    def number(half):
        half = half.lstrip(b"\0") or b"\0"
        half = (b"\0" if half[0] & 0x80 else b"") + half
        return b"\x02" + bytes([len(half)]) + half
    both = number(signature[:32]) + number(signature[32:])
    return b"\x30" + bytes([len(both)]) + both
