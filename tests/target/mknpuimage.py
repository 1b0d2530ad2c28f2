#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a linked ELF file (npu_loader_image.ld, --emit-relocs) into a Neural-ART image.

An independent writer: made from the description of the format alone, it shares nothing with the
packager. In: ELF file; out: the image, and with --split the params in a second file. The params are
PARAMS_BYTES bytes by the formula of npu_loader_image.h.
"""
import argparse
import struct
import zlib

from mkimage import Elf, trailer

FLASH, RAM = 0x20000000, 0x40000000
PARAMS_BYTES = 144
ENTRIES = ["ec_network_init", "ec_inference_init", "set_input", "get_input", "set_output",
           "get_output", "epoch_items", "output_buffers", "input_buffers", "internal_buffers"]
ENCRYPTION = ["weight_encryption", "blob_encryption"]


def round8(data, fill=b"\0"):
    return data + fill * (-len(data) % 8)


def header(elf, options, where):
    symbol = elf.symbols
    flags = 0x80080000 | 1 << 12 | 2 << 13 | options.cpuid | int(options.flags, 16) << 20
    words = [0x4E49424E, flags, RAM, symbol["data_end"], symbol["flash_end"], symbol["bss_start"],
             symbol["bss_end"], symbol["got_start"], symbol["got_end"], *where["rel"],
             symbol["image_pools"], where["params"]]
    names = ENTRIES + (ENCRYPTION if "image_" + ENCRYPTION[0] in symbol else [])
    words += [symbol["image_" + name] | 1 for name in names] + [symbol["image_ctx"]]
    return struct.pack("<%dI" % len(words), *words)


def pack(elf, options, params):
    symbol = elf.symbols
    flash = bytearray(elf.bytes(elf.sections[".flash"]))
    ram = bytearray(elf.bytes(elf.sections[".ram"]))
    assert len(flash) % 8 == 0 and len(flash) == symbol["flash_end"] - FLASH
    assert len(ram) == symbol["got_end"] - RAM
    ctx = symbol["image_ctx"] - RAM
    struct.pack_into("<II", ram, ctx + 48, len(params), zlib.crc32(params))
    words = elf.absolute_words(".flash") + elf.absolute_words(".ram")
    assert options.code_words == bool(elf.absolute_words(".flash")), "absolute words in the code"
    before = len(round8(bytes(flash + ram)))
    rel = struct.pack("<%dI" % len(words), *words)
    where = {"rel": (FLASH + before, FLASH + before + len(rel)),
             "params": 0 if options.split else len(round8(bytes(before) + rel))}
    first = header(elf, options, where)
    flash[:len(first)] = first
    image = round8(round8(bytes(flash + ram)) + rel)
    return image if options.split else image + params


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elf")
    parser.add_argument("image")
    parser.add_argument("--cpuid", type=lambda s: int(s, 16), required=True)
    parser.add_argument("--flags", default="6", help="bits 20 to 23, hexadecimal")
    parser.add_argument("--split", metavar="FILE")
    parser.add_argument("--trailer", action="store_true")
    parser.add_argument("--code-words", action="store_true", help="there are words to rebase there")
    options = parser.parse_args()
    params = bytes((i * 7 + 3) & 255 for i in range(PARAMS_BYTES))
    image = pack(Elf(options.elf), options, params)
    if options.trailer:
        image += trailer(1, image, params, options.split)
    open(options.image, "wb").write(image)
    if options.split:
        end = trailer(2, params, params, True) if options.trailer else b""
        open(options.split, "wb").write(params + end)


main()
