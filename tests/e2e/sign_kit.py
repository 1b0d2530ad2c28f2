# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of signatures: an image in the test's folder, keys, and the three commands."""
import hashlib
import json
import os
import struct
import zlib

try:
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
except ImportError:
    hashes = serialization = ec = None

import kit
import npu_kit
import reader
from kit import equal, has

KINDS = ("ed25519", "p256")
SAID = ("--model-version", "1.4.2", "--security-counter", "7")
MODEL = """
static const float weights[1200] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static int calls;
void model(const float x[4], float y[4]);
void model(const float x[4], float y[4]) {
    calls++;
    for (int i = 0; i < 4; i++)
        y[i] = x[i] * weights[i] + weights[40 * i + (calls & 7)] + (float)calls * 0;
}
"""


def need_cryptography():
    if serialization is None:
        raise kit.Skip("python3-cryptography is not installed")


class Signing:
    """An image of a kind, in the test's folder, and a pair of keys of each type."""

    def __init__(self, case, kind="whole"):
        self.case = case
        shared = kit.cached(case, f"sign-{kind}", lambda folder: self._package(folder, kind))
        self.image, self.weights = case.dir / "image.bin", None
        source = next(shared.rglob("*_rel.bin"))
        self.image.write_bytes(source.read_bytes())
        for found in (*source.parent.glob("*_data.bin"), *source.parent.glob("*_rel_params.bin")):
            self.weights = case.dir / "weights.bin"
            self.weights.write_bytes(found.read_bytes())
        self.plain = self.image.read_bytes()
        self.more = () if self.weights is None else ("--weights", self.weights)
        keys = kit.cached(case, "sign-keys", self._keys)
        for name in os.listdir(keys):
            if name.endswith(".pem"):
                (case.dir / name).write_bytes((keys / name).read_bytes())

    def _package(self, folder, kind):
        if kind.startswith("npu"):
            words = ("-r", "split") if kind == "npu-split" else ()
            for path in npu_kit.made(self.case, *words).out.glob("*.bin"):
                (folder / path.name).write_bytes(path.read_bytes())
            return
        source = folder / "model.c"
        source.write_text(MODEL.replace("weights[i] + weights[40 * i + (calls & 7)]", "2").replace("static const float w", "// ") if kind == "bare" else MODEL)
        words = {"whole": (), "split": ("-r", "split"), "bare": ()}[kind]
        self.case.relocpack("generate", "-i", source, "-o", folder / "out", "--target", "stm32f4", *words)

    def _keys(self, folder):
        for kind in KINDS:
            for name in (kind, f"{kind}-2"):
                self.case.relocpack("keygen", "--type", kind, "-o", folder / f"{name}.pem")

    def sign(self, *words, key="ed25519.pem", said=SAID, status=0, **more):
        return self.case.relocpack("sign", self.image, *self.more, "--key", key, *said, *words, status=status, **more)

    def verify(self, *words, key="ed25519.pub.pem", status=0):
        return self.case.relocpack("verify-signature", self.image, *self.more, "--key", key, *words, status=status)

    def refused(self, error_id, *words, key="ed25519.pub.pem", status=8):
        """verify-signature says so, as text and as JSON."""
        result = self.verify(*words, key=key, status=status)
        has(result.err, f"error {error_id}: ")
        equal((result.out, result.err.count("error")), ("", 1), "one error, and no result")
        if status == 8:
            said = json.loads(self.verify(*words, "--json", key=key, status=8).out)
            equal((said["holds"], said["error"]["id"]), (False, error_id), "JSON")
        return result.err

    def block(self):
        """The signature block, read by the tests' own reader, which holds it against the image."""
        weights = None if self.weights is None else self.weights.read_bytes()
        major = self.image.read_bytes()[7] >> 4
        read = reader.read_npu if major == 8 else reader.read
        return read(self.image, self.weights).signed if weights is not None else read(self.image).signed

    def seal(self, data, trailer):
        """Writes data as the image, with the sums in its trailer made right again."""
        data = bytearray(data)
        data[trailer + 20:trailer + 24] = struct.pack("<I", zlib.crc32(data[:trailer]))
        data[trailer + 24:trailer + 56] = hashlib.sha256(data[:trailer]).digest()
        data[trailer + 92:trailer + 96] = struct.pack("<I", zlib.crc32(data[trailer:trailer + 92]))
        self.image.write_bytes(data)
