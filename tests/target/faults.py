#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the list of faults for loader_faults.c: each instruction of the loader as NOP, each
conditional branch inverted.

In: the linked firmware. Out: the list, as the firmware reads it. The instructions are those that
objdump finds in the section loader_code; words of data between them have their own symbols.
"""
import argparse
import re
import struct
import subprocess

MAGIC = 0x544C5546
NOP = 0xBF00
LINE = re.compile(r"^\s*([0-9a-f]+):\t([0-9a-f]{4})(?: ([0-9a-f]{4}))?\s*\t(\S+)")


def instructions(elf):
    """(address, halfwords) of each instruction."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "-j", "loader_code", elf], check=True,
                          capture_output=True, text=True).stdout
    for line in text.splitlines():
        found = LINE.match(line)
        if found and not found.group(4).startswith("."):
            yield int(found.group(1), 16), [int(h, 16) for h in found.groups()[1:3] if h]


def inverted(halves):
    """The branch with the opposite condition, or None if this is no conditional branch."""
    first = halves[0]
    if len(halves) == 1:
        if first >> 12 == 0xD and first >> 8 & 0xF < 14:
            return [first ^ 0x100]
        if first & 0xF500 == 0xB100:  # CBZ, CBNZ
            return [first ^ 0x800]
    elif first >> 11 == 0x1E and halves[1] & 0xD000 == 0x8000 and first >> 7 & 7 != 7:
        return [first ^ 0x40, halves[1]]
    return None


def faults(elf):
    for address, halves in instructions(elf):
        yield address, [NOP] * len(halves)
        if inverted(halves):
            yield address, inverted(halves)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("elf")
    parser.add_argument("list")
    parser.add_argument("--installed", type=int, default=0, help="at most so many may install a bad image")
    parser.add_argument("--outside", type=int, default=0, help="at most so many may write outside")
    parser.add_argument("--every", type=int, default=1, help="only each so many-th fault")
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    rows = list(faults(options.elf))[options.first::options.every]
    assert rows, "no code in the section loader_code"
    with open(options.list, "wb") as out:
        out.write(struct.pack("<4I", MAGIC, len(rows), options.installed, options.outside))
        for address, halves in rows:
            out.write(struct.pack("<I2HI", address, *(halves + [0])[:2], 2 * len(halves)))


if __name__ == "__main__":
    main()
