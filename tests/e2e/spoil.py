#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spoils a linked file as a linker or a script could, for tests: no part of relocpack is used.

usage: spoil.py FOLDER KIND [ARGUMENT]      spoils image.elf or image.map in FOLDER
       spoil.py --list FOLDER               prints the kinds that image.elf has something for

Reads ELF and maps on its own. Prints what was done; exits 3 when there is nothing to spoil.
"""
import pathlib
import re
import struct
import sys

ABS32, REL32, GOT = 2, 3, 26
# Types whose field is the low bits of a second half-word, and those of one half-word.
WIDE = {10: "THM_CALL", 30: "THM_JUMP24", 51: "THM_JUMP19", 47: "THM_MOVW_ABS_NC", 48: "THM_MOVT_ABS",
        49: "THM_MOVW_PREL_NC", 50: "THM_MOVT_PREL", 87: "THM_MOVW_BREL_NC", 88: "THM_MOVT_BREL", 53: "THM_ALU_PREL_11_0",
        54: "THM_PC12"}
NARROW = {11: "THM_PC8", 102: "THM_JUMP11", 103: "THM_JUMP8"}
WORDS = {ABS32: "ABS32", REL32: "REL32", GOT: "GOT_BREL", 38: "TARGET1", 9: "SBREL32"}
NAMES = {**WIDE, **NARROW, **WORDS}


class Elf:
    def __init__(self, path):
        self.path, self.data = path, bytearray(path.read_bytes())
        table, = struct.unpack_from("<I", self.data, 32)
        size, count, names = struct.unpack_from("<HHH", self.data, 46)
        rows = [struct.unpack_from("<10I", self.data, table + i * size) for i in range(count)]
        text = rows[names][4]
        self.sections = [dict(zip(("name", "type", "flags", "addr", "offset", "size", "link", "info", "align", "entsize"), row))
                         for row in rows]
        for section in self.sections:
            end = self.data.index(0, text + section["name"])
            section["name"] = self.data[text + section["name"]:end].decode()

    def find(self, name):
        return next((s for s in self.sections if s["name"] == name), None)

    def offset(self, addr):
        """Where the byte at an address is in the file, or None."""
        for s in self.sections:
            if s["flags"] & 2 and s["type"] != 8 and s["addr"] <= addr < s["addr"] + s["size"]:
                return s["offset"] + addr - s["addr"]
        return None

    def word(self, addr):
        return struct.unpack_from("<I", self.data, self.offset(addr))[0]

    def put(self, addr, word):
        struct.pack_into("<I", self.data, self.offset(addr), word)

    def relocs(self):
        """(place, type, symbol index, offset of the entry in the file)"""
        for s in self.sections:
            if s["type"] == 9:
                for at in range(s["offset"], s["offset"] + s["size"], 8):
                    place, info = struct.unpack_from("<II", self.data, at)
                    if self.offset(place) is not None and place >= 0x20000000:
                        yield place, info & 255, info >> 8, at

    def symbols(self):
        """(name, value, size, info, section, offset of the entry)"""
        table = next(s for s in self.sections if s["type"] == 2)
        text = self.sections[table["link"]]["offset"]
        for at in range(table["offset"], table["offset"] + table["size"], 16):
            name, value, size, info, _, section = struct.unpack_from("<IIIBBH", self.data, at)
            yield self.data[text + name:self.data.index(0, text + name)].decode(), value, size, info, section, at

    def save(self):
        self.path.write_bytes(self.data)


class Nothing(Exception):
    pass


def first(items, what):
    for item in items:
        return item
    raise Nothing(f"no {what}")


def field(elf, _map, argument):
    """Changes one field of a type by the least possible amount."""
    number = next(key for key, name in NAMES.items() if name == argument)
    # the packer writes the start of the file
    place, = first(((p,) for p, t, _, _ in elf.relocs() if t == number and (p >> 28 != 2 or p >= 0x20000068)), argument)
    at = elf.offset(place)
    if number in WIDE:
        elf.data[at + 2] ^= 1
    elif number in NARROW:
        elf.data[at] ^= 1
    else:
        elf.put(place, (elf.word(place) + (4 if number == GOT else 1)) & 0xFFFFFFFF)
    return f"{argument} at {place:#x}"


# ---- placements, by the map: GNU ld's and lld's ----

GNU = re.compile(r"^ (\.[^\s(]+)\s+0x0*([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$", re.M)
LLD = re.compile(r"^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ {9}(\S*:\((\..*)\))$", re.M)


def placements(text):
    """(section, address, size, match) of everything in the flash, the data or the weights."""
    memory = text.find("Linker script and memory map")
    if memory >= 0:
        found = [(m[1], int(m[2], 16), int(m[3], 16), m) for m in GNU.finditer(text, memory)]
    else:
        found = [(m[4], int(m[1], 16), int(m[2], 16), m) for m in LLD.finditer(text)]
    return [item for item in found if item[1] >= 0x20000068 and item[2] >= 4 and "<internal>" not in item[3][0]
            and not item[0].startswith((".got", ".ARM", ".symtab", ".strtab", ".shstrtab", ".rel"))]


def plain_byte(elf, sections):
    """The address of a byte with no relocation near it, in one of these sections."""
    near = {place + i for place, _, _, _ in elf.relocs() for i in range(4)}
    for name, addr, size, _ in sections:
        for at in range(addr, addr + size):
            if elf.offset(at) is not None and at not in near:
                return name, at
    raise Nothing("no such byte")


def starting(map_text, *heads):
    return [item for item in placements(map_text) if item[0].startswith(heads)]


def flip(elf, addr):
    elf.data[elf.offset(addr)] ^= 0x10


def byte_of(*heads):
    def spoil(elf, map_text, _):
        name, at = plain_byte(elf, starting(map_text, *heads))
        flip(elf, at)
        return f"a byte of {name} at {at:#x}"
    return spoil


def weights(elf, _map, _):
    section = next((s for s in (elf.find(".weights"), elf.find(".ec_blobs")) if s and s["size"] > 8 and s["type"] != 8), None)
    if section is None:
        raise Nothing("no weights")
    elf.data[section["offset"] + section["size"] // 2] ^= 0x10
    return "a byte of the weights"


def left_out(elf, map_text, _):
    """Not placed; nothing takes its place, and the map says so."""
    name, addr, size, match = first((item for item in starting(map_text, ".text.") if elf.offset(item[1]) is not None), "function")
    at = elf.offset(addr)
    elf.data[at:at + size] = bytes(size)
    return f"{name} left out", map_text.replace(match[0] + "\n", "", 1)


def lost(_elf, map_text, _):
    """In the file, but not in the map."""
    name, _, _, match = first(starting(map_text, ".text."), "function")
    return f"{name} is not in the map", map_text.replace(match[0] + "\n", "", 1)


def twice(_elf, map_text, _):
    name, _, _, match = first(starting(map_text, ".text.", ".rodata."), "section")
    return f"{name} placed twice", map_text.replace(match[0], match[0] + "\n" + match[0], 1)


def moved(_elf, map_text, _):
    """In another part, which the map also says."""
    name, addr, _, match = first(starting(map_text, ".text."), "function")
    digits, other = f"{addr:08x}", f"{addr & 0xFFFFFFF | (0x80000000 if '0x' in match[0] else 0x40000000):08x}"
    return f"{name} placed in the RAM", map_text.replace(match[0], match[0].replace(digits, other), 1)


def swapped(elf, map_text, _):
    """Two sections of one size exchanged, so that all addresses lead to the wrong one."""
    by_size = {}
    for item in starting(map_text, ".rodata.", ".text."):
        if elf.offset(item[1]) is not None:
            by_size.setdefault(item[2], []).append(item)
    for size, items in by_size.items():
        for other in items[1:]:
            a, b = elf.offset(items[0][1]), elf.offset(other[1])
            if elf.data[a:a + size] != elf.data[b:b + size]:
                elf.data[a:a + size], elf.data[b:b + size] = elf.data[b:b + size], elf.data[a:a + size]
                return f"{items[0][0]} and {other[0]} swapped"
    raise Nothing("no two of one size")


def padding(elf, map_text, _):
    """A byte between two sections, behind the header."""
    used = sorted((addr, addr + size) for _, addr, size, _ in placements(map_text))
    for (_, end), (start, _) in zip(used, used[1:]):
        if end < start and start - end < 16 and end >> 28 == start >> 28 and elf.offset(end) is not None:
            elf.data[elf.offset(start - 1)] ^= 0x5A
            return f"padding at {start - 1:#x}"
    raise Nothing("no padding")


def thumb(elf, _map, _):
    """An address of a function without its Thumb bit, in data."""
    for place, kind, _, _ in elf.relocs():
        if kind == ABS32 and place >= 0x20000068 and elf.word(place) & 1 and elf.word(place) >> 28 == 2:
            elf.put(place, elf.word(place) & ~1)
            return f"Thumb bit at {place:#x}"
    raise Nothing("no address of a function")


def got(elf, _map, _):
    """Two words of the GOT exchanged."""
    data = elf.find(".data")
    words = sorted({elf.word(place) for place, kind, _, _ in elf.relocs() if kind == GOT})
    for a in words:
        for b in words:
            if elf.word(data["addr"] + a) != elf.word(data["addr"] + b):
                one, two = elf.word(data["addr"] + a), elf.word(data["addr"] + b)
                elf.put(data["addr"] + a, two)
                elf.put(data["addr"] + b, one)
                return f"GOT words {a:#x} and {b:#x} swapped"
    raise Nothing("no two words in the GOT")


def string(elf, map_text, _):
    """A character of a merged string."""
    flash = elf.find(".flash")
    pools = [(addr, size) for name, addr, size, _ in starting(map_text, ".rodata") if ".str" in name]
    pools += [(int(m[1], 16), int(m[2], 16)) for m in
              re.finditer(r"^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ +<internal>:\(\.flash\)$", map_text, re.M)]
    for addr, size in pools:
        for at in range(addr, addr + size):
            if flash["addr"] <= at and chr(elf.data[elf.offset(at)]).isalpha():
                elf.data[elf.offset(at)] ^= 2
                return f"a character at {at:#x}"
    raise Nothing("no merged string")


def symbol(elf, _map, _):
    """A function is said to be somewhere else."""
    name, value, _, _, _, at = first((row for row in elf.symbols() if row[3] & 15 == 2 and row[3] >> 4 and row[1] >> 28 == 2),
                                     "function")
    struct.pack_into("<I", elf.data, at + 4, value + 2)
    return f"symbol {name}"


def forgotten(elf, _map, _):
    """A relocation that --emit-relocs left out: the packer does not know the word."""
    base = elf.find(".data")
    for place, kind, symbol_at, at in elf.relocs():
        if kind == ABS32 and base["addr"] <= place < base["addr"] + base["size"] and elf.word(place) >> 28 in (2, 4, 8):
            struct.pack_into("<I", elf.data, at + 4, symbol_at << 8)
            return f"the relocation at {place:#x}"
    raise Nothing("no address in the data")


def magic(elf, _map, _):
    elf.data[elf.find(".flash")["offset"]] ^= 1
    return "data of the script"


KINDS = {"code": byte_of(".text"), "constant": byte_of(".rodata"), "data": byte_of(".data", ".network", ".params"),
         "weights": weights, "left_out": left_out, "lost": lost, "twice": twice, "moved": moved, "swapped": swapped,
         "padding": padding, "thumb": thumb, "got": got, "string": string, "symbol": symbol, "forgotten": forgotten,
         "magic": magic}


def spoil(folder, kind, argument=None, keep=False):
    """Describes the change, or raises Nothing."""
    folder = pathlib.Path(folder)
    elf = Elf(folder / "image.elf")
    map_text = (folder / "image.map").read_text()
    done = (field if kind == "field" else KINDS[kind])(elf, map_text, argument)
    done, map_text = done if isinstance(done, tuple) else (done, map_text)
    if not keep:
        elf.save()
        (folder / "image.map").write_text(map_text)
    return done


def possible(folder):
    """[(kind, argument)] of all changes that spoil can make there."""
    elf = Elf(pathlib.Path(folder) / "image.elf")
    types = sorted({kind for _, kind, _, _ in elf.relocs()})
    found = []
    for kind, argument in [("field", NAMES[number]) for number in types if number in NAMES] + [(name, None) for name in KINDS]:
        try:
            spoil(folder, kind, argument, keep=True)
            found.append((kind, argument))
        except Nothing:
            pass
    return found


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        for row in possible(sys.argv[2]):
            print(*row)
    else:
        try:
            print(spoil(*sys.argv[1:]))
        except Nothing as why:
            print(why)
            sys.exit(3)
