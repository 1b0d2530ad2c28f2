# SPDX-License-Identifier: Apache-2.0
"""Builds images byte by byte, without the tool, in the layout of a shipped image (image-format.md 2.1).

Every number below that a shipped image also has is that image's number; the code in it is made up.
"""
import struct

FLASH, RAM = 0x20000000, 0x80000000
FLAGS = 0x20085D21
DATA_END, GOT_START, GOT_END, BSS_END = 0x7A8, 0x7AC, 0x840, 0x8D4
RO, REL_START, REL_END = 0x2CEC, 0x352C, 0x372C
CTX, CTX_BYTES = 0x100, 60
NAME = 0x2C00
ACTS, WEIGHTS = 736, 42120
FLASH_WORDS, RAM_WORDS = 7, 121


def put(data, at, *words):
    struct.pack_into(f"<{len(words)}I", data, at, *words)


def shipped(split=False):
    """(image, weights file or None): 128 REL words, 37 GOT words, weights 4-aligned behind REL."""
    data = bytearray(REL_END)
    weights = bytes(i * 37 & 0xFF for i in range(WEIGHTS))
    put(data, 0, 0x4E49424E, FLAGS, RAM, RAM | DATA_END, FLASH | RO, RAM | GOT_END, RAM | BSS_END,
        RAM | GOT_START, RAM | GOT_END, FLASH | REL_START, FLASH | REL_END)
    if not split:
        put(data, 44, FLASH | REL_END, FLASH | REL_END + WEIGHTS)
    for i in range(11):
        put(data, 52 + 4 * i, FLASH | 0x400 + 32 * i | 1)
    put(data, 96, RAM | CTX)
    for at in range(100, RO, 2):
        struct.pack_into("<H", data, at, 0xBF00)  # nop
    data[NAME:NAME + 8] = b"network\0"
    rel = [CTX + 20] + [0x180 + 4 * i for i in range(FLASH_WORDS + RAM_WORDS - 1)]
    for number, where in enumerate(rel):
        target = FLASH | NAME + 16 * number if number < FLASH_WORDS else RAM | 0x180 + 4 * number
        put(data, RO + where, target)
        put(data, REL_START + 4 * number, RAM | where)
    put(data, RO + CTX + 24, ACTS, WEIGHTS)
    for i in range(34):  # functions with the Thumb bit, and variables; the last three words are 0
        put(data, RO + GOT_START + 4 * i, FLASH | 0x600 + 8 * i | 1 if i % 2 else RAM | 4 * i)
    return bytes(data) + (b"" if split else weights), weights if split else None
