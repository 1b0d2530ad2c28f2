#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a linked ELF file (loader_image.ld, --emit-relocs) into a relocatable image.

An independent writer: made from the description of the format alone, it shares nothing with the
packager. In: ELF file; out: the image, and with --split the weights in a second file.
"""
import argparse
import hashlib
import struct
import zlib

FLASH, RAM = 0x20000000, 0x80000000
R_ARM_ABS32 = 2
ENTRIES = ["create", "init", "init_v2", "run", "report", "error", "destroy", "forward",
           "obs_register", "obs_unregister", "obs_node_info"]


class Elf:
    """The few things of a 32-bit little-endian ELF file that are needed here."""

    def __init__(self, path):
        self.data = open(path, "rb").read()
        assert self.data[:7] == b"\x7fELF\x01\x01\x01", "not a 32-bit little-endian ELF file"
        shoff, = struct.unpack_from("<I", self.data, 32)
        shentsize, shnum, shstrndx = struct.unpack_from("<HHH", self.data, 46)
        rows = [struct.unpack_from("<10I", self.data, shoff + i * shentsize) for i in range(shnum)]
        self.rows = rows
        strings = self.bytes(rows[shstrndx])
        self.sections = {self.text(strings, row[0]): row for row in rows}
        names = self.bytes(self.sections[".strtab"])
        symbols = self.bytes(self.sections[".symtab"])
        self.symbols = {}
        for at in range(0, len(symbols), 16):
            name, value = struct.unpack_from("<II", symbols, at)
            self.symbols[self.text(names, name)] = value

    def bytes(self, row):
        return self.data[row[4]:row[4] + row[5]]

    @staticmethod
    def text(table, at):
        return table[at:table.index(b"\0", at)].decode()

    def absolute_words(self, section):
        """Addresses of the R_ARM_ABS32 words in a section."""
        row = self.sections.get(".rel" + section)
        data = self.bytes(row) if row else b""
        pairs = struct.iter_unpack("<II", data)
        return sorted({where for where, info in pairs if info & 0xFF == R_ARM_ABS32})


def trailer(kind, content, weights, split):
    build_id = b"0123456789abcdef"
    body = struct.pack("<4sIIIII", b"RPIT", 1, 96, kind, len(content), zlib.crc32(content))
    body += hashlib.sha256(content).digest() + build_id
    body += struct.pack("<IIIII", len(weights), zlib.crc32(weights), 1 if split else 0, 0, 0)
    return body + struct.pack("<I", zlib.crc32(body))


def pack(elf, options, weights):
    symbol = elf.symbols
    flash = bytearray(elf.bytes(elf.sections[".flash"]))
    ram = elf.bytes(elf.sections[".ram"])
    assert not elf.absolute_words(".flash"), "the code is not position-independent"
    assert len(flash) == symbol["flash_end"] - FLASH and len(ram) == symbol["got_end"] - RAM
    rel = struct.pack("<%dI" % len(elf.absolute_words(".ram")), *elf.absolute_words(".ram"))
    rel_start = FLASH + len(flash) + len(ram)
    rel_end = rel_start + len(rel)
    gap = -(rel_end - FLASH) % options.weights_align
    where = (0, 0) if options.split else (rel_end + gap, rel_end + gap + len(weights))
    flags = 0x20080000 | int(options.fpu) << 12 | (2 if options.fpu else 0) << 13 | options.cpuid
    words = [0x4E49424E, flags, RAM, symbol["data_end"], symbol["flash_end"], symbol["bss_start"],
             symbol["bss_end"], symbol["got_start"], symbol["got_end"], rel_start, rel_end, *where]
    words += [symbol["image_" + name] | 1 for name in ENTRIES] + [symbol["image_ctx"]]
    flash[:100] = struct.pack("<25I", *words)
    image = bytes(flash) + ram + rel
    return image if options.split else image + bytes(gap) + weights


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elf")
    parser.add_argument("image")
    parser.add_argument("--cpuid", type=lambda s: int(s, 16), required=True)
    parser.add_argument("--fpu", action="store_true")
    parser.add_argument("--split", metavar="FILE")
    parser.add_argument("--weights-align", type=int, default=4)
    parser.add_argument("--trailer", action="store_true")
    options = parser.parse_args()
    weights = struct.pack("<8i", *range(1, 9))
    image = pack(Elf(options.elf), options, weights)
    if options.trailer:
        image += bytes(-len(image) % 4)
        image += trailer(1, image, weights, options.split)
    open(options.image, "wb").write(image)
    if options.split:
        payload = weights + bytes(-len(weights) % 16)
        end = trailer(2, payload, weights, True) if options.trailer else b""
        open(options.split, "wb").write(payload + end)


if __name__ == "__main__":
    main()
