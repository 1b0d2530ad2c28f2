# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of Neural-ART images: pack copies with their kernel archive, networks, and images
that several tests look at, each made once; and check_made(), which checks all of an image against the
facts that the network's generator knows.

The pack is the stand-in of tests/fixtures/npu, as the release that npu_networks.pack() makes of it.
In: a Case of kit.py. It uses none of the tool's code, only the program.
"""
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import struct
import zlib

import kit
import npu_networks
import reader
from kit import CROSS, check, equal
from npu_networks import V111, V113, V113_8

AI = "Middlewares/ST/AI"
LL_ATON = npu_networks.LL_ATON
ARCHIVE_DIR = f"{AI}/Lib/GCC/ARMCortexM55"
ARCHIVE = f"{ARCHIVE_DIR}/NetworkRuntime1100_CM55_GCC_PIC.a"
RELEASES = {"1.1.1": V111, "1.1.3-8": V113_8, "1.1.3": V113}
# Where a loader may put the parts.
PLACES = [dict(rom=0x34180000, ram=0x341C0000, params=0x71000000, ext=0x90000000),
          dict(rom=0x70ABC008, ram=0x24000048, params=0x90123448, ext=0x91000058)]
CORE = ["-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]


NPU_RAM = [(start, start + 0x1C0000) for start in (0x24200000, 0x34200000)]  # AXISRAM3 to 6: docs/TARGET.md, section 12
FLASH = range(0x70000000, 0x90000000)


def regions_of(image):
    """The rows that the table of a firmware needs, as the JSON has them."""
    pools = [(pool, (pool.size + 7) // 8 * 8) for pool in image.pools
             if pool.flags >> 24 != 1 and not (pool.flags >> 24 == 2 and pool.dst in FLASH)]
    return [{"pool": pool.name, "address": f"0x{pool.dst:08x}", "size_bytes": size,
             "default": any(first <= pool.dst and pool.dst + size <= end for first, end in NPU_RAM)} for pool, size in pools]


def build_archive(case, pack):
    """The kernel archive of a pack copy, from its Lib/Src."""
    archive = pathlib.Path(pack, ARCHIVE)
    archive.parent.mkdir(parents=True, exist_ok=True)
    obj = archive.parent / "network_runtime.o"
    case.run(f"{CROSS}gcc", *CORE, "-Os", "-ffunction-sections", *kit.PIC, "-c",
             pathlib.Path(pack, AI, "Lib/Src/network_runtime.c"), "-o", obj, f"-I{pathlib.Path(pack, AI, 'Inc')}")
    archive.unlink(missing_ok=True)
    case.run(f"{CROSS}ar", "rcsD", archive, obj)
    obj.unlink()
    return archive


def pack(case, version=V111):
    """The pack of a release, made once; do not change it (copy_pack)."""
    def make(folder):
        npu_networks.pack(folder, version)
        build_archive(case, folder)
    return kit.cached(case, "npu-pack-" + "-".join(map(str, version)), make)


def copy_pack(case, version=V111, name="own pack"):
    """A copy for one test, which may change it."""
    return pathlib.Path(shutil.copytree(pack(case, version), case.dir / name))


def env_of(root):
    """Environment that names a pack; None: none."""
    return {"STEDGEAI_CORE_DIR": root}


def network(case, folder="net", **changes):
    """Writes a network into the test's folder; changes: fields of npu_networks.Options."""
    return npu_networks.generate(case.path(folder, "x").parent, **changes)


def source_of(net):
    return net.folder / f"{net.name}.c"


def generate(case, source, *words, version=None, root=None, target=None, **more):
    """
    Runs generate with the pack of the network's release. source: a Network, or a path with version.
    root: another pack. No target unless one is given: ll-aton has only one.
    """
    if isinstance(source, npu_networks.Network):
        version, source = version or source.options.version, source_of(source)
    env = {**env_of(root or pack(case, version or V111)), **more.pop("env", {})}
    return case.generate(source, *words, target=target, env=env, **more)


def refuse(case, status, error_id, source, *words, version=None, root=None, target=None, **more):
    """Like generate, but it has to fail (Case.refuse). Returns the message."""
    if isinstance(source, npu_networks.Network):
        version, source = version or source.options.version, source_of(source)
    env = {**env_of(root or pack(case, version or V111)), **more.pop("env", {})}
    return case.refuse(status, error_id, source, *words, target=target, env=env, **more)


@dataclasses.dataclass
class Made:
    """Files of one run; do not change them."""
    network: npu_networks.Network
    out: pathlib.Path
    workspace: pathlib.Path
    text: str                  # standard output

    @property
    def name(self):
        return self.network.name

    @property
    def image_path(self):
        return self.out / f"{self.name}_rel.bin"

    @property
    def params_path(self):
        """None: the parameters are in the image."""
        path = self.out / f"{self.name}_data.bin"
        return path if path.exists() else None

    def read(self):
        return reader.read_npu(self.image_path, self.params_path)


def made(case, *words, **changes):
    """
    Output of generate for a network (changes: fields of Options) with words as options, made once
    for all tests. words without paths: the network is named with -i, the output with -o.
    """
    options = npu_networks.Options(**changes)
    key = repr((words, dataclasses.astuple(options)))
    label = f"npu-{options.pools}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"

    def make(folder):
        net = npu_networks.generate(folder / "net", options)
        result = case.relocpack("generate", "-i", source_of(net), "-o", folder / "out", "--workspace",
                                folder / "work", *words, env=env_of(pack(case, options.version)))
        kit.sums_add_up(folder / "out")
        (folder / "stdout.txt").write_bytes(result.raw_out)
    folder = kit.cached(case, label, make)
    net = npu_networks.Network(options)
    net.folder = folder / "net"
    return Made(net, folder / "out", folder / "work", (folder / "stdout.txt").read_text())


def same_folders(got, want, what, leave_out=()):
    """Checks that two folders have the same files with the same bytes."""
    got, want = kit.snapshot(got), kit.snapshot(want)
    equal(sorted(got), sorted(want), f"files, {what}")
    for name, data in want.items():
        if name not in leave_out:
            equal(got[name] == data, True, f"{what}: {name} has the same bytes")


def size_of(path):
    return os.stat(path).st_size


def words_of(*items):
    return ["-r", ",".join(items)] if items else []


# ---- what the network says ----

def ranges(net):
    """Real pool -> [(first, end, is it a parameter)], addresses; relative pools have nominal ones."""
    found = {}
    for tensor in net.inputs + net.outputs + net.internals + net.params:
        if tensor.pool is None:
            continue
        first, end = tensor.pool.offset + tensor.start, tensor.pool.offset + tensor.end
        for pool in net.pools:
            low, high = max(first, pool.offset), min(end, pool.offset + pool.capacity)
            same = tensor.pool is pool if pool.relative else not pool.virtual and not tensor.pool.relative
            if same and low < high:
                found.setdefault(pool, []).append((low, high, tensor.param))
    return found


def span(rows):
    return max(end for _, end, _ in rows) - min(first for first, _, _ in rows) if rows else 0


def sizes(net):
    """(bytes of activations, of parameters) of all pools, as the vendor's tools count them."""
    params = [span([row for row in rows if row[2]]) for rows in ranges(net).values()]
    return sum(map(span, ranges(net).values())) - sum(params), sum(params)


def descriptors(net):
    """[(name, flags, foff, dst, size)] with blobs not counted, and the params without them."""
    rows, params = [], b""
    used = sorted(ranges(net).items(), key=lambda item: -item[0].offset)
    has_params = {pool: any(row[2] for row in found) for pool, found in used}
    order = sorted((pool for pool, _ in used if has_params[pool]),
                   key=lambda pool: not (pool.relative and pool.access == "READ_ONLY"))
    foffs = {}
    for pool in order:
        end = max(end for _, end, _ in ranges(net)[pool]) - pool.offset
        foffs[pool] = len(params)
        data = net.raws[pool.postfix].ljust(end, b"\0")
        params += data + bytes(-len(data) % 8)
    for pool, found in used:
        only = pool.access == "READ_ONLY"
        acts = any(not row[2] for row in found)
        kind = 1 if pool.relative else 2 if has_params[pool] else 3
        data = 2 if not has_params[pool] else 1 if only and not acts else 3
        attr = (1 if only else 2) | 4 * pool.cacheable
        first, end = min(row[0] for row in found), max(row[1] for row in found)
        start = first if kind == 3 else pool.offset
        rows.append((pool.postfix, kind << 24 | data << 16 | attr << 8 | (kind == 1 and not only),
                     foffs.get(pool, 0), 0 if kind == 1 else start, end - start))
    return rows, params


def blob_sizes(net):
    return {number: 8 * len(net.blob_file(number)) for number in net.blob_groups()}


# ---- checks ----

def symbols(case, made):
    """Name -> address in the linked file, without the numbers that the compiler adds."""
    table = {}
    for line in case.run(f"{CROSS}nm", made.workspace / "image.elf").out.splitlines():
        words = line.split()
        if len(words) == 3:
            table[re.sub(r"\.\d+$", "", words[2])] = int(words[0], 16)
    return table


def check_header(image, net, words):
    secure, dbg = "no-secure" not in words, "no-dbg-info" not in words
    flags = 0x80000000 | 1 << 22 | dbg << 21 | secure << 20 | 8 << 16 | 2 << 13 | 1 << 12 | 0xD22
    equal(f"{image.flags:08x}", f"{flags:08x}", "flags")
    late = net.options.version[2] >= 3
    equal((len(image.entries), image.header_bytes), (12, 104) if late else (10, 96), "entries and header")
    equal(image.header[12] == 0, "split" in words, "params_offset")
    if "split" not in words and "ecblob-in-params" not in words:
        equal(image.params_offset, reader.align(image.rel_end, 8), "params_offset")
    if late:
        equal(image.params_offset % 64 if "ecblob-in-params" in words and net.options.epoch_controller else 0, 0,
              "blobs of this release stand at cache lines")
    end = image.params_offset + image.params_size if image.params_offset else image.rel_end
    equal(len(image.data), end + 96, "the file ends behind its trailer")
    check(image.trailer is not None, "there is a trailer")


def check_entries(image, net, table):
    """Checks that the vector names the network's own functions, in the vendor's order."""
    want = ["LL_ATON_EC_Network_Init", "LL_ATON_EC_Inference_Init", "LL_ATON_Set_User_Input_Buffer",
            "LL_ATON_Get_User_Input_Buffer", "LL_ATON_Set_User_Output_Buffer", "LL_ATON_Get_User_Output_Buffer",
            "LL_ATON_EpochBlockItems", "LL_ATON_Output_Buffers_Info", "LL_ATON_Input_Buffers_Info",
            None, "LL_ATON_WeightEncryption_Info", "LL_ATON_BlobEncryption_Info"]
    for (entry, word), name in zip(image.entries.items(), want):
        full = f"{name}_{net.name}" if name else "LL_ATON_Internal_Buffers_Info_Default_Empty"
        equal(f"{word:08x}", f"{table[full] | 1:08x}", f"entry {entry}")
    equal(image.ctx, table["_network_rt_ctx"] & 0x0FFFFFFF, "ctx")
    equal(image.pools_at, table["_params_desc"] & 0x0FFFFFFF, "pool table")


def check_context(image, net, c_name=None):
    equal(image.name, c_name or net.name.lower(), "C name")
    equal((image.acts_size, image.params_used), sizes(net), "bytes of activations and parameters")
    equal(image.rt_version, net.options.version, "rt_version")
    number = "{}.{}.{}-{}".format(*net.options.version)
    equal(image.rt_description, f"atonn-v{number}-g{npu_networks.REVISION} (RELOC.GCC)", "rt_version_desc")


def check_pools(image, net, in_params):
    """Checks descriptors and params. Returns the bytes of blobs in the params."""
    want, raws = descriptors(net)
    blobs = image.params_size - len(raws) if in_params else 0
    if in_params:
        check(blobs >= sum(blob_sizes(net).values()), f"{blobs} bytes for blobs in the params")
        moved = lambda row: row[1] >> 24 != 1 or row[1] & 0xFF == 1
        want = [(*row[:2], row[2] + blobs * (row[1] >> 16 & 0xFF != 2 and moved(row)), *row[3:]) for row in want]
    got = [(pool.name, pool.flags, pool.foff, pool.dst, pool.size) for pool in image.pools]
    equal(got, want, "pool descriptors")
    equal(image.params[blobs:] == raws, True, "the params are the raw files, padded to 8, one after the other")
    equal(zlib.crc32(image.params), image.params_crc32, "CRC-32 of the params as shipped")
    return blobs


def base_of(image, net, pool, table, places):
    """Address of a pool; a relative pool has that of its label."""
    if pool.relative:
        return image.address(table[pool.label(net.name)], places)
    return pool.offset


def check_tensors(image, net, table, places, memory):
    """Checks that each parameter lies where its network looks for it."""
    for tensor in net.params:
        at = base_of(image, net, tensor.pool, table, places) + tensor.start
        equal(memory.get(at, tensor.size) == tensor.data, True, f"{tensor.name} at {at:#x}")


def check_streams(image, net, table, places, memory):
    """Checks the accelerator's configuration as code reads it: the addresses of all its tensors."""
    for layer in net.layers:
        for unit, tensor in zip((0, 1, 2, 9), layer.streams):
            if tensor is None or tensor.user:
                continue
            name = f"{layer.name}_dma_init_{'out' if unit == 9 else 'in'}_{unit}_{layer.number}"
            at = image.address(table[name], places)
            base, start, end = (memory.word(at + offset) for offset in (4, 8, 12))
            check_stream(image, net, tensor, table, places, memory, (base + start, end - start))


def check_stream(image, net, tensor, table, places, memory, got):
    """got: (address, bytes)."""
    want = base_of(image, net, tensor.pool, table, places) + tensor.start
    equal([hex(value) for value in got], [hex(want), hex(tensor.size)], f"address and bytes of {tensor.name}")
    if tensor.param:
        equal(memory.get(*got) == tensor.data, True, f"bytes of {tensor.name}")


def relocated(image, net, number, table, places, memory):
    """Words of a blob as the epoch controller gets them from ec_copy_blob and ec_reloc."""
    at = image.address(table[net.blob_name(number)], places)
    if memory.word(at) == npu_networks.BLOB_MAGIC:
        return [memory.word(at + 4 * i) for i in range(memory.word(at + 4) + 2)]
    equal(hex(memory.word(at)), hex(npu_networks.EC_MAGIC[net.options.version[2] >= 3]), "magic of a blob")
    relocs, blob = at + memory.word(at + 4), at + memory.word(at + 16)
    words = [memory.word(blob + 4 * i) for i in range(memory.word(blob + 4) + 2)]
    labels = {pool.postfix: name for name, pool in net.labels.items()}
    for i in range(memory.word(relocs)):
        name, count, places_at = (memory.word(relocs + 4 + 12 * i + 4 * k) for k in range(3))
        text = b""
        while memory.get(relocs + name + len(text), 1) != b"\0":
            text += memory.get(relocs + name + len(text), 1)
        if text.startswith(b"_user"):
            continue
        base = image.address(table[labels[text.decode()]], places)
        for k in range(count):
            words[memory.word(relocs + places_at + 4 * k)] += base
    return words


def check_blobs(image, net, table, places, memory):
    for number, layers in net.blob_groups().items():
        data = struct.pack(f"<{len(net.blob_file(number))}Q", *net.blob_file(number))
        at = image.address(table[net.blob_name(number)], places)
        equal(memory.get(at, len(data)) == data, True, f"bytes of blob {number}")
        words = relocated(image, net, number, table, places, memory)
        streams = [stream for layer in layers for stream in layer.streams if stream is not None]
        at = 2
        while words[at] >> 24 != npu_networks.EC_END:
            code = words[at] >> 24
            if code in (npu_networks.EC_STREAM_IN, npu_networks.EC_STREAM_OUT):
                tensor = streams.pop(0)
                if not tensor.user:
                    check_stream(image, net, tensor, table, places, memory, (words[at + 1], words[at + 2]))
            at += {npu_networks.EC_STREAM_IN: 3, npu_networks.EC_STREAM_OUT: 3, npu_networks.EC_CONVACC: 6}.get(code, 1)
        equal(streams, [], f"streams that blob {number} does not set")


def check_epochs(image, net, table, places, memory):
    """Checks that the table of epochs leads to the blobs, or to the memory of their copies."""
    if not net.options.epoch_controller:
        return
    at = image.address(table["ll_atonn_rt_epoch_block_array"], places)
    size = 0x30 if image.dbg_info else 0x14
    words = [memory.word(at + size * i + 8) for i in range(5)]
    names = [net.blob_name(n) + ("_ptr" if net.blob(n)[1] else "") for n in (1, 6)]
    equal([hex(word) for word in words if word], [hex(image.address(table[name], places)) for name in names],
          "addresses of the blobs in the epoch table")


def check_words(image, net, table, blobs):
    """Checks that labels and blobs have segment addresses that loaders know."""
    for label, pool in net.labels.items():
        base = 0x80000000 + blobs if pool.access == "READ_ONLY" else 0x90000000
        equal(hex(table[label]), hex(base), f"address of {label}")
    if net.options.epoch_controller:
        segment = 8 if blobs else 2
        for number in net.blob_groups():
            equal(table[net.blob_name(number)] >> 28, segment, f"segment of blob {number}")


def check_made(case, made, words, c_name=None):
    """Checks everything about one output."""
    image, net, table = made.read(), made.network, symbols(case, made)
    in_params = "ecblob-in-params" in words and net.options.epoch_controller
    check_header(image, net, words)
    check_entries(image, net, table)
    check_context(image, net, c_name)
    blobs = check_pools(image, net, in_params)
    check_words(image, net, table, blobs)
    for places in PLACES:
        memory = image.install(places)
        check_tensors(image, net, table, places, memory)
        if net.options.epoch_controller:
            check_blobs(image, net, table, places, memory)
            check_epochs(image, net, table, places, memory)
        else:
            check_streams(image, net, table, places, memory)
    return image
