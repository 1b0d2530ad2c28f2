# SPDX-License-Identifier: Apache-2.0
"""An image reader that shares nothing with the tool or its loader; it was written from docs/FORMAT.md.

read() checks everything that the format says and returns an Image. Image.load() does what a plain
firmware loader of format 2.0 does, on byte arrays, and returns the resulting memory.

read_npu() and NpuImage are the same for Neural-ART images, version 8.0: NpuImage.install() returns
a Memory, which has the bytes at every address.
"""
import hashlib
import struct
import zlib

import signatures

MAGIC, TRAILER_MAGIC = 0x4E49424E, 0x54495052
FLASH, RAM, WEIGHTS, ACTS, IMPORT = 0x2, 0x8, 0x4, 0xA, 0xC
CODE_MOVW, CODE_MOVT = 0x1, 0x3  # in the fix-up table only
COMPACT_END = 0xE
CODE = (FLASH, CODE_MOVW, CODE_MOVT)
HEADER_BYTES, TRAILER_BYTES, CTX_BYTES = 100, 96, 52
ENTRIES = ("create", "init", "init_v2", "run", "report", "error", "destroy", "forward",
           "plt_obs_register", "plt_obs_unregister", "plt_obs_node_info", "ctx")
PARTS = {"C20": "M0", "C60": "M0+", "D20": "M23", "D23": "M85", "D24": "M52", "C23": "M3", "C24": "M4", "C27": "M7", "D21": "M33", "D22": "M55"}


class ImageError(Exception):
    """Something that the format does not allow."""


def demand(condition, what):
    if not condition:
        raise ImageError(what)


def words_of(data, start=0, end=None):
    part = bytes(data[start:end])
    return list(struct.unpack(f"<{len(part) // 4}I", part[:len(part) // 4 * 4]))


def word_at(data, offset):
    demand(0 <= offset <= len(data) - 4, f"a word at {offset:#x} of {len(data):#x} bytes")
    return struct.unpack_from("<I", data, offset)[0]


def offset_in(word, segment, what):
    demand(word >> 28 == segment, f"{what}: {word:#010x} is not in segment {segment:X}")
    return word & 0x0FFFFFFF


def align(value, to):
    return (value + to - 1) // to * to


class Trailer:
    def __init__(self, data, at, kind):
        demand(len(data) - at >= TRAILER_BYTES, "trailer: cut off")
        words = words_of(data, at, at + TRAILER_BYTES)
        demand(words[0] == TRAILER_MAGIC, f"trailer: magic {words[0]:#x}")
        demand(words[1:4] == [1, TRAILER_BYTES, kind], f"trailer: version, size, kind {words[1:4]}")
        demand(words[4] == at, f"trailer: length {words[4]}, but it lies at {at}")
        demand(words[5] == zlib.crc32(data[:at]), "trailer: CRC-32 of the content")
        demand(data[at + 24:at + 56] == hashlib.sha256(data[:at]).digest(), "trailer: SHA-256")
        self.build_id = bytes(data[at + 56:at + 72])
        self.weights_length, self.weights_crc32, self.flags = words[18:21]
        demand(words[22] == 0, "trailer: reserved word")
        demand(words[23] == zlib.crc32(data[at:at + 92]), "trailer: its own CRC-32")
        self.signature = bytes(data[at + TRAILER_BYTES:])
        demand(len(self.signature) == words[21], "bytes behind the trailer")
        demand(kind == 1 or not self.signature, "a signature behind a weights file")
        demand(self.flags in (0, 1), "trailer: flags")


def signed_of(image, weights_at, weights_file):
    """The signature block of an image, held against the image; None when it is not signed."""
    if not image.trailer.signature:
        return None
    block, at = signatures.Block(image.trailer.signature), len(image.data) - len(image.trailer.signature) - TRAILER_BYTES
    block.matches(image.data, at, weights_at or at, weights_file)
    return block


class Image:
    """data: the bytes of the file; weights: those of the weights file, or None."""

    def __init__(self, data, weights=None):
        self.data = bytes(data)
        self.weights_file = weights
        self._header()
        self._entries()
        self._context()
        self._rebased_words()
        self._compact()
        self._fixups()
        self._tables()
        self._weights()

    # ---- header ----

    def _header(self):
        data = self.data
        demand(len(data) >= HEADER_BYTES, "shorter than a header")
        h = words_of(data, 0, HEADER_BYTES)
        demand(h[0] == MAGIC, f"magic {h[0]:#x}")
        self.flags = h[1]
        demand(h[1] >> 24 == 0x20, f"version byte {h[1] >> 24:#x}")
        demand(h[1] & 0x00F08000 == 0, f"reserved flag bits {h[1]:#x}")
        self.toolchain, self.float_abi = h[1] >> 16 & 15, h[1] >> 13 & 3
        self.fpu, self.cpuid = h[1] >> 12 & 1, f"{h[1] & 0xFFF:03X}"
        demand(h[2] == RAM << 28, f"data_start {h[2]:#x}")
        self.data_end = offset_in(h[3], RAM, "data_end")
        self.ro_size = offset_in(h[4], FLASH, "data_data")
        self.bss_start = offset_in(h[5], RAM, "bss_start")
        self.bss_end = offset_in(h[6], RAM, "bss_end")
        self.got_start = offset_in(h[7], RAM, "got_start")
        self.got_end = offset_in(h[8], RAM, "got_end")
        self.rel_start = offset_in(h[9], FLASH, "rel_start")
        self.rel_end = offset_in(h[10], FLASH, "rel_end")
        demand((h[11] == 0) == (h[12] == 0), "one of two weights words is 0")
        self.weights_start = offset_in(h[11], FLASH, "weights_start") if h[11] else 0
        self.weights_end = offset_in(h[12], FLASH, "weights_end") if h[12] else 0
        demand(0 <= self.data_end <= self.got_start <= self.got_end, "data and GOT out of order")
        demand(self.got_end == self.bss_start, "a plain loader copies up to bss_start")
        demand(self.bss_start <= self.bss_end, "bss out of order")
        for name in ("ro_size", "got_start", "got_end", "rel_start", "rel_end"):
            demand(getattr(self, name) % 4 == 0, f"{name} is not a multiple of 4")
        demand(HEADER_BYTES < self.ro_size, "no code")
        demand(self.rel_start == self.ro_size + self.got_end, "REL does not follow the GOT")
        demand(self.rel_start <= self.rel_end <= len(data), "REL out of the file")
        if self.weights_start:
            demand(self.rel_end <= self.weights_start < self.weights_end <= len(data), "weights")
        self.ram_xip = align(self.bss_end, 4)
        self.ram_copy = self.ram_xip + align(self.ro_size, 4)
        self.ram_image = data[self.ro_size:self.ro_size + self.got_end]

    def _entries(self):
        self.entries = dict(zip(ENTRIES, words_of(self.data, 52, HEADER_BYTES)))
        for name, word in self.entries.items():
            if name == "ctx":
                self.ctx = offset_in(word, RAM, "ctx")
                continue
            offset = offset_in(word, FLASH, f"entry {name}")
            demand(offset & 1 == 1, f"entry {name}: no Thumb bit")
            demand(HEADER_BYTES < offset < self.ro_size, f"entry {name}: outside the code")

    def _context(self):
        demand(self.ctx % 4 == 0 and self.ctx + CTX_BYTES <= self.data_end, "ctx outside the data")
        ctx = words_of(self.ram_image, self.ctx, self.ctx + CTX_BYTES)
        demand(ctx[:3] == [0] * 3 and ctx[8:] == [0] * 5, "ctx: what the loader sets is not 0")
        self.tables, self.tables_crc32 = ctx[3:5]  # where the loader puts addresses
        name = offset_in(ctx[5], FLASH, "c_name")
        demand(HEADER_BYTES <= name < self.ro_size, "c_name outside the read-only part")
        end = self.data.find(b"\0", name, self.ro_size)
        demand(end >= 0, "c_name does not end")
        self.name = self.data[name:end].decode()
        self.acts_size, self.weights_size = ctx[6], ctx[7]

    # ---- words to rebase ----

    def _check_target(self, word, what):
        if word == 0:
            return
        segment, offset = word >> 28, word & 0x0FFFFFFF
        demand(segment in (FLASH, RAM), f"{what}: {word:#010x} names no segment that loaders know")
        limit = self.ro_size if segment == FLASH else self.bss_end
        demand(offset <= limit, f"{what}: {word:#010x} is outside its part")

    def _rebased_words(self):
        self.got = words_of(self.ram_image, self.got_start, self.got_end)
        self.rel = [offset_in(word, RAM, "REL entry")
                    for word in words_of(self.data, self.rel_start, self.rel_end)]
        demand(self.rel == sorted(set(self.rel)), "REL is not sorted, or has an entry twice")
        for i, word in enumerate(self.got):
            self._check_target(word, f"GOT word {i}")
        for offset in self.rel:
            demand(offset % 4 == 0 and offset + 4 <= self.data_end, f"REL entry {offset:#x}")
            self._check_target(word_at(self.ram_image, offset), f"word at RAM {offset:#x}")
        demand(self.ctx + 20 in self.rel, "REL does not list the context's c_name")

    def _compact(self):
        """Words that the image rebases itself: SHT_RELR, with an end mark that gives its length."""
        self.compact, self.tables_end = [], self.ro_size
        end = word_at(self.data, self.ro_size - 4)
        if end >> 28 != COMPACT_END:
            return
        size = end & 0x0FFFFFFF
        demand(size % 4 == 0 and size <= self.ro_size - 4 - HEADER_BYTES, f"compact table of {size} bytes")
        self.tables_end -= size + 4
        table = words_of(self.data, self.tables_end, self.ro_size - 4)
        demand(not table or table[0] % 2 == 0, "the compact table begins with a bitmap")
        place = None
        for entry in table:
            if entry % 2 == 0:
                place = offset_in(entry, RAM, "entry of the compact table")
                self.compact.append(place)
                place += 4
                continue
            demand(entry != 1, "an empty bitmap in the compact table")
            self.compact += [place + 4 * (bit - 1) for bit in range(1, 32) if entry >> bit & 1]
            place += 4 * 31
        demand(self.compact == sorted(set(self.compact)), "the compact table is not in order")
        demand(not set(self.compact) & set(self.rel), "a word is in REL and in the compact table")
        for offset in self.compact:
            demand(offset % 4 == 0 and offset + 4 <= self.data_end, f"compact table: {offset:#x}")
            demand(word_at(self.ram_image, offset) != 0, f"compact table: the word at {offset:#x} is 0")
            self._check_target(word_at(self.ram_image, offset), f"word at RAM {offset:#x}")

    def _fixups(self):
        """Nothing points to the table: it is found by its shape, from its end."""
        self.fixups = []
        found = []
        for at in range(self.tables_end - 8, HEADER_BYTES, -8):
            where, target = word_at(self.data, at), word_at(self.data, at + 4)
            handed_in = target >> 28 in (WEIGHTS, ACTS, IMPORT)
            if not (where >> 28 == RAM and handed_in) and not (
                    where >> 28 in CODE and (handed_in or target >> 28 in (FLASH, RAM))):
                break
            found.insert(0, (where, target))
            if word_at(self.data, at - 4) == len(found):
                self.fixups = found
                break
        self.patches = [(where, target) for where, target in self.fixups if where >> 28 != RAM]
        self.fixups = [(where & 0x0FFFFFFF, target) for where, target in self.fixups if where >> 28 == RAM]
        self._patches()
        places = [where for where, _ in self.fixups]
        demand(places == sorted(set(places)), "fix-ups are not sorted, or one is there twice")
        for where, target in self.fixups:
            demand(where % 4 == 0 and where + 4 <= self.got_end, f"fix-up place {where:#x}")
            demand(word_at(self.ram_image, where) == 0, f"the word of fix-up {where:#x} is not 0")
            demand(where not in self.rel + self.compact, f"fix-up {where:#x} is also rebased")
            if target >> 28 == IMPORT:
                continue
            limit = self.weights_size if target >> 28 == WEIGHTS else self.acts_size
            demand(target & 0x0FFFFFFF <= limit, f"fix-up target {target:#010x} outside its part")

    def _tables(self):
        """Where the tables begin, imports first, and their CRC; both are 0 if there are none."""
        count = len(self.fixups) + len(self.patches)
        begin = self.tables_end - 8 * count - 4
        if any(target >> 28 == IMPORT for _, target in self.fixups + self.patches):
            begin -= 8 + word_at(self.data, begin - 8)
        if not self.tables:
            demand(not count and not self.tables_crc32, "tables, and the context does not say where")
            return
        demand(self.tables == FLASH << 28 | begin, f"the context says that the tables are at {self.tables:#x}, not {begin:#x}")
        demand(self.tables_crc32 == zlib.crc32(self.data[begin:self.ro_size]), "CRC-32 of the tables")

    def _patches(self):
        """Code that the image patches in a copy of itself: words, and halves of addresses in MOVW and MOVT."""
        table = self.tables_end - 8 * (len(self.fixups) + len(self.patches)) - 4 if self.patches else 0
        demand(self.patches == sorted(set(self.patches)), "patches are not sorted, or one is there twice")
        for where, target in self.patches:
            at, kind = where & 0x0FFFFFFF, where >> 28
            demand(HEADER_BYTES <= at <= table - 4, f"patch outside the code: {where:#x}")
            word = word_at(self.data, at)
            if target >> 28 == IMPORT:  # the file has the address of the stub there
                continue
            if kind == FLASH:
                demand(at % 4 == 0 and word == target, f"the word at {at:#x} is not {target:#x}")
                continue
            opcode = 0xF240 if kind == CODE_MOVW else 0xF2C0
            demand(at % 2 == 0 and word & 0xFBF0 == opcode, f"no {opcode:#x} at {at:#x}")
            half = (word & 0xF) << 12 | (word >> 10 & 1) << 11 | (word >> 28 & 7) << 8 | word >> 16 & 0xFF
            demand(half == (target & 0xFFFF if kind == CODE_MOVW else target >> 16), f"the half at {at:#x}")

    # ---- weights and trailers ----

    def _weights(self):
        end = self.weights_end or self.rel_end
        if self.weights_start:
            demand(self.weights_start % 16 == 0, "weights are not 16-aligned")
            demand(any(self.weights_start == align(self.rel_end, 16 << i) for i in range(9)), "a hole before the weights")
            demand(not any(self.data[self.rel_end:self.weights_start]), "padding is not zero")
            demand(self.weights_end - self.weights_start == self.weights_size, "weights size")
            self.weights = self.data[self.weights_start:self.weights_end]
        else:
            self.weights = None
        at = align(end, 4)
        demand(not any(self.data[end:at]), "padding is not zero")
        self.trailer = Trailer(self.data, at, 1) if len(self.data) > at else None
        if self.trailer is not None:
            self._build_id(end)
            self.signed = signed_of(self, self.weights_start, self.weights_file)
        elif self.weights_file is not None:
            self.weights = bytes(self.weights_file[:self.weights_size])

    def _build_id(self, end):
        trailer, code = self.trailer, hashlib.sha256(self.data[:end])
        demand(trailer.weights_length == self.weights_size, "trailer: weights length")
        demand(trailer.flags == (self.weights_size != 0 and not self.weights_start),
               "trailer: flag for weights in a file of their own")
        if self.weights_file is not None:
            self._weights_trailer()
            both = hashlib.sha256(code.digest() + hashlib.sha256(self.weights).digest())
            demand(trailer.build_id == both.digest()[:16], "build id of image and weights")
        elif trailer.flags == 0:
            demand(trailer.build_id == code.digest()[:16], "build id")
        if self.weights is not None:
            demand(trailer.weights_crc32 == zlib.crc32(self.weights), "trailer: weights CRC-32")

    def _weights_trailer(self):
        size, at = self.weights_size, align(self.weights_size, 16)
        demand(not self.weights_start, "weights in the image and in a file")
        demand(not any(self.weights_file[size:at]), "padding of the weights file is not zero")
        theirs = Trailer(self.weights_file, at, 2)
        self.weights = bytes(self.weights_file[:size])
        demand(theirs.build_id == self.trailer.build_id, "build ids of image and weights differ")
        demand(theirs.weights_length == size and theirs.flags == 1, "weights trailer")
        demand(theirs.weights_crc32 == self.trailer.weights_crc32 == zlib.crc32(self.weights),
               "weights trailer: CRC-32")

    # ---- loading ----

    def load(self, rom, ram):
        """
        Loads as firmware in the field does, code at rom (in COPY mode that is in RAM, too) and data
        at ram. Returns (read-only part, RAM) as they then are.
        """
        flash = bytearray(self.data[:self.ro_size])
        memory = bytearray(self.ram_image[:self.bss_start]) + bytes(self.bss_end - self.bss_start)

        def rebase(offset):
            word = word_at(memory, offset)
            base = {FLASH: rom, RAM: ram}.get(word >> 28)
            demand(word == 0 or base is not None, f"the loader stops at {word:#010x}")
            if word != 0:
                struct.pack_into("<I", memory, offset, base + (word & 0x0FFFFFFF) & 0xFFFFFFFF)

        for offset in range(self.got_start, self.got_end, 4):
            rebase(offset)
        for offset in self.rel:
            rebase(offset)
        return flash, memory

    def create(self, memory, rom, ram):
        """Changes the data as the image's own boot code does in create."""
        for offset in self.compact:
            word = word_at(memory, offset)
            base = {FLASH: rom, RAM: ram}[word >> 28]
            struct.pack_into("<I", memory, offset, base + (word & 0x0FFFFFFF) & 0xFFFFFFFF)

    def initialize(self, memory, weights, acts):
        """Does what the image's own boot code does in init_v2."""
        for where, target in self.fixups:
            base = weights if target >> 28 == WEIGHTS else acts
            struct.pack_into("<I", memory, where, base + (target & 0x0FFFFFFF) & 0xFFFFFFFF)


# ---- Neural-ART, version 8.0 ----

NPU_RAM, PARAM_0, PARAM_1 = 0x4, 0x8, 0x9
NPU_ENTRIES = ("ec_network_init", "ec_inference_init", "set_input", "get_input", "set_output", "get_output",
               "epoch_items", "output_buffers", "input_buffers", "internal_buffers")
NPU_ENTRIES_LATE = ("weight_encryption", "blob_encryption")
NPU_CTX_BYTES, NPU_POOL_BYTES, NPU_POOLS_MAX = 68, 20, 9
RELOC, COPY, RESET = 1, 2, 3          # types of pools
PARAM, ACTIV, MIXED = 1, 2, 3         # what they hold
ATTRS = (1, 2, 5, 6)                  # READ, WRITE, and both cacheable
EXTERNAL = 0x60000000


class NpuPool:
    """A row of the table of pool descriptors."""

    def __init__(self, image, at):
        self.at = at
        self.name_word, self.flags, self.foff, self.dst, self.size = words_of(image.ram_image, at,
                                                                              at + NPU_POOL_BYTES)
        self.name = image.string(self.name_word, f"name of the pool at RAM {at:#x}")
        self.type, self.data = self.flags >> 24, self.flags >> 16 & 0xFF
        self.attr, self.id = self.flags >> 8 & 0xFF, self.flags & 0xFF
        self.check(image)

    def check(self, image):
        name = f"pool {self.name}"
        demand(self.attr in ATTRS, f"{name}: attributes {self.attr}")
        kinds = {(RELOC, PARAM): 0, (RELOC, ACTIV): 1, (RELOC, MIXED): 1, (COPY, MIXED): 0, (COPY, PARAM): 0,
                 (RESET, ACTIV): 0}
        demand((self.type, self.data) in kinds, f"{name}: type {self.type}, data {self.data}")
        demand(self.id == kinds[self.type, self.data], f"{name}: id {self.id}")
        demand((self.dst == 0) == (self.type == RELOC), f"{name}: destination {self.dst:#x}")
        demand(self.size > 0, f"{name}: no bytes")
        demand(self.at in image.rel_ram, f"{name}: REL does not list its name")
        if self.data == ACTIV:
            demand(self.foff == 0, f"{name}: an offset in the params, of which it has none")
        else:
            demand(self.foff % 8 == 0, f"{name}: offset {self.foff} in the params")
            demand(self.foff <= image.params_size and self.size <= image.params_size - self.foff,
                   f"{name}: {self.foff} + {self.size} is outside the {image.params_size} bytes of params")


class NpuImage:
    """data: the bytes of the file; params: those of the params file, or None."""

    def __init__(self, data, params=None):
        self.data, self.params_file = bytes(data), params
        self._header()
        self._entries()
        self._context()
        self._rebased_words()
        self._pools()
        self._params()

    def string(self, word, what):
        at = offset_in(word, FLASH, what)
        demand(self.header_bytes <= at < self.ro_size, f"{what}: outside the read-only part")
        end = self.data.find(b"\0", at, self.ro_size)
        demand(end >= 0, f"{what}: does not end")
        return self.data[at:end].decode()

    def _header(self):
        demand(len(self.data) >= 104, "shorter than a header")
        h = self.header = words_of(self.data, 0, 104)
        demand(h[0] == MAGIC, f"magic {h[0]:#x}")
        self.flags = h[1]
        demand(h[1] >> 24 == 0x80, f"version byte {h[1] >> 24:#x}")
        demand(h[1] & 0x00808000 == 0, f"reserved flag bits {h[1]:#x}")
        self.is_async, self.dbg_info, self.secure = (bool(h[1] >> bit & 1) for bit in (22, 21, 20))
        self.toolchain, self.float_abi = h[1] >> 16 & 15, h[1] >> 13 & 3
        self.fpu, self.cpuid = h[1] >> 12 & 1, f"{h[1] & 0xFFF:03X}"
        demand(h[2] == NPU_RAM << 28, f"data_start {h[2]:#x}")
        names = ("data_end", "bss_start", "bss_end", "got_start", "got_end")
        for name, word in zip(names, (h[3], h[5], h[6], h[7], h[8])):
            setattr(self, name, offset_in(word, NPU_RAM, name))
        self.ro_size = offset_in(h[4], FLASH, "data_data")
        self.rel_start, self.rel_end = offset_in(h[9], FLASH, "rel_start"), offset_in(h[10], FLASH, "rel_end")
        self.pools_at, self.params_offset = offset_in(h[11], NPU_RAM, "params_start"), h[12]
        demand(0 < self.data_end <= self.got_start <= self.got_end, "data and GOT out of order")
        demand(self.got_start - self.data_end < 8, "a hole between data and GOT")
        demand(self.got_end <= self.bss_start <= self.bss_end, "bss out of order")
        demand(self.bss_start - self.got_end < 8, "a plain loader clears from bss_start on only")
        demand(self.ro_size % 8 == 0, f"the read-only part has {self.ro_size} bytes")
        for name in ("got_start", "got_end"):
            demand(getattr(self, name) % 4 == 0, f"{name} is not a multiple of 4")
        demand(self.rel_start == self.ro_size + align(self.got_end, 8), "REL does not follow the GOT")
        demand(self.rel_start <= self.rel_end <= len(self.data), "REL out of the file")
        demand((self.rel_end - self.rel_start) % 4 == 0, "REL is not whole words")
        demand(not any(self.data[self.ro_size + self.got_end:self.rel_start]), "padding behind the GOT")
        self.ram_xip = align(self.bss_end, 8)
        self.ram_copy = self.ram_xip + align(self.ro_size, 8)
        self.ram_image = self.data[self.ro_size:self.ro_size + self.got_end]

    def _entries(self):
        """Only the context's word is in RAM; it ends the vector of 11 or of 13."""
        names = [*NPU_ENTRIES]
        if self.header[23] >> 28 != NPU_RAM:
            names += NPU_ENTRIES_LATE
        self.header_bytes = 4 * (13 + len(names) + 1)
        demand(self.header_bytes < self.ro_size, "no code")
        self.entries = dict(zip(names, self.header[13:]))
        self.ctx = offset_in(self.header[13 + len(names)], NPU_RAM, "ctx")
        for name, word in self.entries.items():
            offset = offset_in(word, FLASH, f"entry {name}")
            demand(offset & 1 == 1, f"entry {name}: no Thumb bit")
            demand(self.header_bytes < offset < self.ro_size, f"entry {name}: outside the code")

    def _context(self):
        demand(self.ctx % 4 == 0 and self.ctx + NPU_CTX_BYTES <= self.data_end, "ctx outside the data")
        c = words_of(self.ram_image, self.ctx, self.ctx + NPU_CTX_BYTES)
        demand(c[:5] == [0] * 5 and c[15] == 0, "ctx: what the loader sets is not 0")
        self.name = self.string(c[5], "c_name")
        self.acts_size, self.params_used, self.ext_ram_size = c[6:9]
        self.rt_description = self.string(c[9], "rt_version_desc")
        self.rt_version = (c[10] >> 24, c[10] >> 16 & 0xFF, c[10] >> 8 & 0xFF, c[11])
        demand(c[10] & 0xFF == 0, f"rt_version {c[10]:#x}")
        self.params_size, self.params_crc32 = c[12:14]
        demand(c[14] == 0x38 | (0x30 if self.dbg_info else 0x14) << 8, f"sizes of structs {c[14]:#x}")
        demand(c[16] >> 28 in (FLASH, NPU_RAM), f"itf_network {c[16]:#x}")

    def _rebased_words(self):
        self.got = words_of(self.ram_image, self.got_start, self.got_end)
        self.rel = words_of(self.data, self.rel_start, self.rel_end)
        demand(self.rel == sorted(set(self.rel)), "REL is not sorted, or has an entry twice")
        self.rel_ram = {word & 0x0FFFFFFF for word in self.rel if word >> 28 == NPU_RAM}
        self.rel_flash = {word & 0x0FFFFFFF for word in self.rel if word >> 28 == FLASH}
        demand(len(self.rel) == len(self.rel_ram) + len(self.rel_flash), "REL names another segment")
        for offset in self.rel_ram:
            demand(offset % 4 == 0 and offset + 4 <= self.data_end, f"REL entry RAM {offset:#x}")
        for offset in self.rel_flash:
            demand(offset % 4 == 0 and self.header_bytes <= offset <= self.ro_size - 4,
                   f"REL entry FLASH {offset:#x}")
        for member in (20, 36, 64):
            demand(self.ctx + member in self.rel_ram, f"REL does not list the context's word {member}")

    def _check_targets(self):
        params = self.params_size
        limits = {FLASH: self.ro_size, NPU_RAM: self.bss_end, PARAM_0: params, PARAM_1: self.ext_ram_size}
        words = [(f"GOT word {i}", word) for i, word in enumerate(self.got)]
        words += [(f"RAM {at:#x}", word_at(self.ram_image, at)) for at in self.rel_ram]
        words += [(f"FLASH {at:#x}", word_at(self.data, at)) for at in self.rel_flash]
        for what, word in words:
            if word != 0:
                demand(word >> 28 in limits, f"{what}: {word:#010x} names no segment that loaders know")
                demand(word & 0x0FFFFFFF <= limits[word >> 28], f"{what}: {word:#010x} is outside its part")

    def _pools(self):
        self.pools = []
        at = self.pools_at
        demand(at % 4 == 0, "the pool table is not aligned")
        while True:
            demand(at + NPU_POOL_BYTES <= self.data_end, "the pool table does not end in the data")
            if word_at(self.ram_image, at) == 0:
                break
            self.pools.append(NpuPool(self, at))
            at += NPU_POOL_BYTES
        demand(not any(self.ram_image[at:at + NPU_POOL_BYTES]), "the last row of the table is not empty")
        demand(len(self.pools) <= NPU_POOLS_MAX, f"{len(self.pools)} pools")
        for number in (0, 1):
            same = [pool.name for pool in self.pools if pool.type == RELOC and pool.id == number]
            demand(len(same) <= 1, f"relative pools with id {number}: {same}")
        external = [pool.size for pool in self.pools if pool.type == RELOC and pool.id == 1]
        demand(self.ext_ram_size == sum(external), f"external RAM: {self.ext_ram_size}, its pool {external}")
        self._check_targets()

    # ---- params and trailers ----

    def _params(self):
        size, end = self.params_size, self.rel_end
        if self.params_offset:
            at = self.params_offset
            demand(self.params_file is None, "params in the image and in a file")
            demand(at % 8 == 0 and self.rel_end <= at < self.rel_end + 64, f"params at {at:#x}")
            demand(at + size <= len(self.data), "params out of the file")
            demand(not any(self.data[self.rel_end:at]), "padding behind REL is not zero")
            self.params, end = self.data[at:at + size], at + size
        else:
            demand(size == 0 or self.params_file is not None, "the params are nowhere")
            self.params = bytes(self.params_file[:size]) if size else b""
        demand(zlib.crc32(self.params) == self.params_crc32, "CRC-32 of the params")
        at = align(end, 4)
        demand(not any(self.data[end:at]), "padding is not zero")
        self.trailer = Trailer(self.data, at, 1) if len(self.data) > at else None
        if self.trailer is not None:
            self._trailers(end)
            self.signed = signed_of(self, self.params_offset, self.params_file)

    def _trailers(self, end):
        ours, code = self.trailer, hashlib.sha256(self.data[:end])
        demand((ours.weights_length, ours.weights_crc32) == (self.params_size, self.params_crc32),
               "trailer: length and CRC-32 of the params")
        demand(ours.flags == (self.params_file is not None), "trailer: flag for params in their own file")
        if self.params_file is None:
            demand(ours.build_id == code.digest()[:16], "build id")
            return
        at = align(self.params_size, 16)
        theirs = Trailer(self.params_file, at, 2)
        demand(not any(self.params_file[self.params_size:at]), "padding of the params file is not zero")
        demand((theirs.weights_length, theirs.weights_crc32, theirs.flags) ==
               (self.params_size, self.params_crc32, 1), "trailer of the params")
        both = hashlib.sha256(code.digest() + hashlib.sha256(self.params).digest()).digest()[:16]
        demand(ours.build_id == theirs.build_id == both, "build id of image and params")

    # ---- installing ----

    def base_of_segments(self, places):
        """places: dict of rom, ram, params, ext. The relative read-only pool is the base of segment 8."""
        first = [pool.foff for pool in self.pools if pool.type == RELOC and pool.id == 0]
        return {FLASH: places["rom"], NPU_RAM: places["ram"], PARAM_1: places["ext"],
                PARAM_0: places["params"] + (first[0] if first else 0)}

    def address(self, word, places):
        """The address that a loader makes from a segment address; places as for install()."""
        bases = self.base_of_segments(places)
        demand(word >> 28 in bases, f"the loader stops at {word:#010x}")
        return bases[word >> 28] + (word & 0x0FFFFFFF) & 0xFFFFFFFF

    def install(self, places, copy=False):
        """Installs as a loader does. Returns a Memory of the result."""
        flash = bytearray(self.data[:self.ro_size])
        ram = bytearray(self.ram_image) + bytes(self.bss_end - self.got_end)

        def rebase(part, offset):
            word = word_at(part, offset)
            if word != 0:
                struct.pack_into("<I", part, offset, self.address(word, places))

        for offset in range(self.got_start, self.got_end, 4):
            rebase(ram, offset)
        for offset in self.rel_ram:
            rebase(ram, offset)
        demand(copy or not self.rel_flash, "an image for COPY mode only")
        for offset in self.rel_flash:
            rebase(flash, offset)
        memory = Memory()
        memory.add(places["rom"], flash)
        memory.add(places["ram"], ram)
        memory.add(places["params"], self.params)
        if self.ext_ram_size:
            memory.add(places["ext"], bytearray(self.ext_ram_size))
        for pool in self.pools:
            to = places["ext"] if pool.type == RELOC else pool.dst
            if pool.type == RESET:
                memory.add(to, bytearray(pool.size))
            elif (pool.type, pool.data) in ((COPY, PARAM), (COPY, MIXED), (RELOC, MIXED)):
                memory.add(to, bytearray(self.params[pool.foff:pool.foff + pool.size]))
        return memory


class Memory:
    """Bytes at addresses; the last ones added win."""

    def __init__(self):
        self.parts = []

    def add(self, at, data):
        self.parts.insert(0, (at, data))

    def get(self, at, size):
        for start, data in self.parts:
            if start <= at and at + size <= start + len(data):
                return bytes(data[at - start:at - start + size])
        raise ImageError(f"nothing has {size} bytes at {at:#010x}")

    def word(self, at):
        return struct.unpack("<I", self.get(at, 4))[0]


def read_npu(path, params=None):
    with open(path, "rb") as file:
        data = file.read()
    if params is not None:
        with open(params, "rb") as file:
            params = file.read()
    return NpuImage(data, params)


def read(path, weights=None):
    with open(path, "rb") as file:
        data = file.read()
    if weights is not None:
        with open(weights, "rb") as file:
            weights = file.read()
    return Image(data, weights)
