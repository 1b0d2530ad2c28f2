# SPDX-License-Identifier: Apache-2.0
"""inspect of Neural-ART images: everything that an independent reader finds in them, by name."""
import json
import re
import struct
import zlib

import npu_kit
import reader
from kit import check, each, equal, has, has_not, test
from npu_networks import V113

TYPES, DATA = ("UNUSED", "RELOC", "COPY", "RESET"), ("UNDEF", "PARAM", "ACTIV", "MIXED")
EXTERNAL = 0x60000000
ATTRS = {1: "READ", 2: "WRITE", 5: "RCACHED", 6: "WCACHED"}
SEGMENTS = {2: "flash", 4: "ram", 8: "params", 9: "ext_ram"}


def inspect(case, path, *words, **more):
    return case.relocpack("inspect", path, *words, **more)


def count(words):
    """Words, grouped by where they lead."""
    result = dict.fromkeys(("flash", "ram", "params", "ext_ram", "zero"), 0)
    for word in words:
        result[SEGMENTS[word >> 28] if word else "zero"] += 1
    return {"words": len(words), **result}


def pool_of(pool):
    """A row as the JSON has it."""
    kind, data, attr, number = pool.flags.to_bytes(4, "big")
    return {"name": pool.name, "flags": f"0x{pool.flags:08x}", "type": TYPES[kind], "data": DATA[data],
            "attr": ATTRS[attr], "id": number, "foff": pool.foff, "dst": f"0x{pool.dst:08x}",
            "size_bytes": pool.size}


def above(image, number):
    """Where the loader wants the relative pool with that number: the vendor's refuses a cacheable one elsewhere."""
    flags = [pool.flags.to_bytes(4, "big") for pool in image.pools]
    return EXTERNAL if any(kind == 1 and at == number and attr & 4 for kind, _, attr, at in flags) else 0


def check_json(report, image, made):
    version = "{}.{}.{}-{}".format(*image.rt_version)
    late = image.rt_version[2] >= 3
    want = {
        "kind": "image", "file_size_bytes": len(image.data), "name": image.name, "version": "8.0",
        "flags": f"0x{image.flags:08x}", "toolchain": "Embedded ARM GCC", "cpuid": "D22", "fpu": True,
        "float_abi": 2, "ram_xip": image.ram_xip, "ram_copy": image.ram_copy, "secure": image.secure,
        "dbg_info": image.dbg_info, "async": image.is_async, "needs_copy": False, "rel_in_flash": 0,
        "runtime": {"description": image.rt_description, "version": version},
        "struct_sizes": {"ll_buffer_info": 0x38, "epochblock_item": 0x30 if image.dbg_info else 0x14},
        "ext_ram_size": image.ext_ram_size, "ext_ram_above": above(image, 1), "params_above": above(image, 0),
        "weights_size": image.params_used, "acts_size": image.acts_size,
        "params_inside": made.params_path is None, "params_bin_size": image.params_size,
        "params_bin_crc32": f"0x{image.params_crc32:08x}", "got": count(image.got),
        "rel": count([reader.word_at(image.ram_image, entry & 0x0FFFFFFF) for entry in image.rel]),
        "pools": [pool_of(pool) for pool in image.pools], "regions": npu_kit.regions_of(image)}
    equal({key: report.get(key) for key in want}, want, "JSON")
    entries = {"ctx": f"0x{0x40000000 | image.ctx:08x}"}
    equal(report["entries"]["ctx"], entries["ctx"], "ctx")
    equal([int(word, 16) for word in report["entries"].values()][:-1], list(image.entries.values()), "entries")
    equal(len(report["entries"]), 13 if late else 11, "words of the vector")
    equal("weight_encryption_info" in report["entries"], late, "entries of the later vector")
    parts = {part["name"]: (part["offset"], part["size_bytes"]) for part in report["sections"]}
    inside = image.params_size if made.params_path is None else 0
    equal(parts, {"header": (0, image.header_bytes),
                  "text+rodata": (image.header_bytes, image.ro_size - image.header_bytes),
                  "data": (0, image.data_end), "got": (image.got_start, image.got_end - image.got_start),
                  "bss": (image.got_end, image.bss_end - image.got_end),
                  "rel": (image.rel_start, image.rel_end - image.rel_start),
                  "params": (image.params_offset, inside)}, "sections")
    at = len(image.data) - reader.TRAILER_BYTES
    equal(report["integrity"]["length"], at, "length of the content")
    equal(report["integrity"]["build_id"], image.trailer.build_id.hex(), "build id")


CASES = {
    "whole": ((), dict(pools="mix")), "split": (("split",), dict(pools="both_params", version=V113)),
    "blobs": (("split", "ecblob-in-params"), dict(pools="mix", version=V113, epoch_controller=True)),
    "blobs_inside": (("ecblob-in-params", "no-secure"), dict(pools="ext", epoch_controller=True)),
    "uncached": ((), dict(pools="mix", cacheable=())),
    "no_dbg_info": (("no-dbg-info",), dict(pools="internal_two")), "polling": (("polling",), dict(pools="mix")), "virtual": ((), dict(pools="virtual")),
}


@each(list(CASES))
def ours(case, label):
    choice, changes = CASES[label]
    made = npu_kit.made(case, *npu_kit.words_of(*choice), **changes)
    image = made.read()
    equal(image.is_async, "polling" not in choice, "the flag")
    check_json(json.loads(inspect(case, made.image_path, "--json").out), image, made)
    text = inspect(case, made.image_path).out
    has(text, "v8.0 'Embedded ARM GCC' cpuid=D22 fpu=True float-abi=2", f"name         {image.name}\n",
        f"{image.ram_xip} bytes in XIP mode, {image.ram_copy} in COPY mode", image.rt_description,
        "secure code" if image.secure else "any code", "polling" if "polling" in choice else "asynchronous", "SHA-256 are right",
        "with debug" if image.dbg_info else "without debug", f"CRC-32 {image.params_crc32:08x}",
        "in the image, right" if made.params_path is None else "in a file of their own")
    for number, line in ((0, "the file has" if made.params_path else "the image has"), (1, "it has")):
        line = f"             {line} to lie above 0x60000000: the NPU reads through its cache\n"
        (has if above(image, number) else has_not)(text, line)
    has_not(text, "COPY mode only", "older calling convention")
    for pool in image.pools:
        row = [line for line in text.splitlines() if line.startswith(f" | {pool.name} ")]
        equal(len(row), 1, f"rows of {pool.name}")
        has(row[0], f"0x{pool.flags:08x}", f"{pool.foff}", f"0x{pool.dst:08x}", f"{pool.size}")
    check_regions_text(text, image)
    check_regions_text(made.text, image)
    if made.params_path is not None:
        inspect(case, made.image_path, "--weights", made.params_path)


def check_regions_text(text, image):
    want = [f"{{{row['address']}, {row['size_bytes']}}} for {row['pool']}: "
            + ("firmware without a table has it, too" if row["default"] else "only firmware with this row installs the image")
            for row in npu_kit.regions_of(image)]
    equal(re.findall(r"\{0x[0-9a-f]{8}, \d+\} for .*", text), want, "rows of the firmware's table")


# AXISRAM5 and 6 of the networks: outside, at the end of the NPU's memories, and one byte too far; secure and not.
BASES = {"cpu_ram": (0x34100000, [False, False]), "npu_ram": (0x34200000, [True, True]), "npu_ram_ns": (0x24200000, [True, True]),
         "end": (0x343C0000 - 0x6000, [False, True]), "external": (0x90000000, [False, False]), "before": (0x341FA800, [True, False])}


@each(list(BASES))
def regions_that_firmware_has_by_default(case, label):
    """Only pools in AXISRAM3 to 6 need no table: not AXISRAM2, and not external RAM at a fixed address."""
    base, default = BASES[label]
    made = npu_kit.made(case, pools="internal_two", base=base)
    rows = json.loads(inspect(case, made.image_path, "--json").out)["regions"]
    equal([row["default"] for row in rows], default, "in the default table")
    equal(rows, npu_kit.regions_of(made.read()), "rows")
    check_regions_text(inspect(case, made.image_path).out, made.read())


@test
def regions_of_relative_pools_and_flash(case):
    """Neither needs a row; the macro for the firmware's table is empty then."""
    made = npu_kit.made(case, pools="ext")
    equal(json.loads(inspect(case, made.image_path, "--json").out)["regions"], [], "rows")
    has_not(made.text, "LL_ATON_RELOC_REGIONS")
    made = npu_kit.made(case, pools="internal", base=0x71000000)
    rows = json.loads(inspect(case, made.image_path, "--json").out)["regions"]
    flags = [pool.flags >> 24 for pool in made.read().pools]
    equal((flags, rows), ([2], []), "params that lie in flash already")


@test
def names_of_pools_are_those_of_the_report(case):
    """generate and inspect use the same vocabulary."""
    made = npu_kit.made(case, pools="mix")
    report = json.loads((made.out / "network_generate_rel.json").read_text())
    equal(json.loads(inspect(case, made.image_path, "--json").out)["pools"], report["pools"], "pools")
    table = made.text
    for pool in made.read().pools:
        line = next(line for line in inspect(case, made.image_path).out.splitlines() if f"| {pool.name} " in line)
        has(table, line.split("|")[2].split()[1])


def as_others_write(made):
    """An image as the vendor's tool leaves it: no trailer; (image, params file or None)."""
    data = made.image_path.read_bytes()
    params = made.params_path.read_bytes() if made.params_path else None
    return data[:-reader.TRAILER_BYTES], params and params[:made.read().params_size]


@test
def images_of_other_tools(case):
    """Without trailers; the CRC of the params counts, and blobs in the params may not be in it."""
    whole, split = npu_kit.made(case, pools="mix"), npu_kit.made(case, "-r", "split", pools="mix")
    data, _ = as_others_write(whole)
    path = case.write("whole_rel.bin", data)
    report = json.loads(inspect(case, path, "--json").out)
    check("integrity" not in report, "there is no trailer")
    has(inspect(case, path).out, "no trailer")
    broken = bytearray(data)
    broken[-1] ^= 1
    has(inspect(case, case.write("bad.bin", broken), status=8).err, "error RP2801", "CRC-32 of the params")
    image, params = as_others_write(split)
    path = case.write("split_rel.bin", image)
    inspect(case, path, "--weights", case.write("params.bin", params))
    result = inspect(case, path, "--weights", case.write("short.bin", params[:-8]), status=9)
    has(result.err, "error RP2904", "short.bin")
    wrong = case.write("wrong.bin", params[:-1] + bytes([params[-1] ^ 1]))
    has(inspect(case, path, "--weights", wrong, status=8).err, "error RP2801", "wrong.bin")
    # the vendor's tool writes size and CRC of what comes behind the blobs
    made = npu_kit.made(case, "-r", "ecblob-in-params", pools="mix", epoch_controller=True)
    data, image = bytearray(as_others_write(made)[0]), made.read()
    blobs = image.params_size - len(npu_kit.descriptors(made.network)[1])
    check(blobs > 0, "blobs in the params")
    rest = image.params[blobs:]
    struct.pack_into("<2I", data, image.ro_size + image.ctx + 48, len(rest), zlib.crc32(rest))
    report = json.loads(inspect(case, case.write("blobs_rel.bin", data), "--json").out)
    equal(report["params_bin_size"], len(rest), "params_bin_size")


HOSTILE, SHOWN = b"\x1b[2J\n\x7f\xff\xc3\xa4\xc2\x9b\0", "\\x1B[2J\\x0A\\x7F\\xFF\u00e4\\xC2\\x9B"


def strings_of(report):
    return "|".join([report["name"], report["runtime"]["description"], *(pool["name"] for pool in report["pools"])])


@test
def strings_are_harmless(case):
    """Names and descriptions do not reach the terminal unescaped, and JSON stays valid."""
    made = npu_kit.made(case, pools="mix")
    image = made.read()
    ctx = image.ro_size + image.ctx
    row = image.ro_size + (struct.unpack_from("<I", image.data, 44)[0] & 0x0FFFFFFF)
    for place, line in ((ctx + 20, f"name         {SHOWN}\n"), (ctx + 36, f"runtime      {SHOWN}, LL_ATON"),
                        (row, f"\n | {SHOWN} ")):
        data = bytearray(as_others_write(made)[0])
        at = struct.unpack_from("<I", data, place)[0] & 0x0FFFFFFF
        data[at:at + len(HOSTILE)] = HOSTILE
        path = case.write("hostile_rel.bin", data)
        text = inspect(case, path).out
        has(text, line)
        has_not(text, "\x1b", "\x7f", "\x9b")
        report = inspect(case, path, "--json").out
        check("\x1b[2J\n\x7f\ufffd\u00e4\x9b" in strings_of(json.loads(report)), "the string in the JSON")


@test
def packaged_without_params(case):
    """What other tools write for a missing initialiser."""
    made = npu_kit.made(case, "-r", "split", pools="flash")
    data, image = bytearray(as_others_write(made)[0]), made.read()
    struct.pack_into("<2I", data, image.ro_size + image.ctx + 48, 0, 0)
    result = inspect(case, case.write("empty_rel.bin", data), status=9)
    has(result.err, "error RP2905", "initial contents of a pool", "hint", "without its params")


@test
def params_of_other_builds(case):
    made = npu_kit.made(case, "-r", "split", pools="mix")
    for words, changes in ((("-r", "split"), dict(seed=99)), (("-r", "split,no-secure"), {})):
        other = npu_kit.made(case, *words, pools="mix", **changes)
        result = inspect(case, made.image_path, "--weights", other.params_path, status=8)
        has(result.err, "error RP2801", "network_data.bin")
    has(result.err, "was not made together with this image")  # the params are the same


@test
def every_damage_is_found(case):
    """Each byte of the whole file in turn: no change goes unnoticed, nothing crashes."""
    data = npu_kit.made(case, pools="flash").image_path.read_bytes()
    for at in [*range(0, 112), *range(112, len(data), 97), *range(len(data) - 96, len(data))]:
        broken = bytearray(data)
        broken[at] ^= 0x55
        result = inspect(case, case.write("broken_rel.bin", broken), status=None)
        check(result.status in (8, 9), f"byte {at}: {result.show()}")
    for size in (0, 1, 4, 95, 96, 103, 104, len(data) // 2, len(data) - 97, len(data) - 1):
        result = inspect(case, case.write("cut_rel.bin", data[:size]), status=None)
        check(result.status in (8, 9), f"{size} bytes: {result.show()}")
