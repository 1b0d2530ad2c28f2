# SPDX-License-Identifier: Apache-2.0
"""inspect: our images, one as others ship them, damaged ones, ELF files and archives."""
import hashlib
import json
import zlib

import imagebuilder as built
import kit
import reader
from kit import CROSS, EXAMPLES, MODELS, check, each, equal, has, has_not, matches, test


def inspect(case, path, *argv, **more):
    return case.relocpack("inspect", path, *argv, **more)


def sections(report):
    return {part["name"]: (part["offset"], part["size_bytes"]) for part in report["sections"]}


# ---- a shipped image ----

@each(["whole", "split"])
def shipped_layout(case, kind):
    data, weights = built.shipped(split=kind == "split")
    path = case.write("network_rel.bin", data)
    text = inspect(case, path).out
    has(text, "v2.0 'Embedded ARM GCC' cpuid=D21 fpu=True float-abi=2", "2260 bytes in XIP mode",
        "13760 in COPY mode", "128 words: 7 to flash, 121 to RAM, 0 zero",
        "37 words: 17 to flash, 17 to RAM, 3 zero", "no trailer")
    report = json.loads(inspect(case, path, "--json").out)
    want = {"kind": "image", "version": "2.0", "flags": "0x20085d21", "cpuid": "D21", "fpu": True,
            "float_abi": 2, "ram_xip": 2260, "ram_copy": 13760, "acts_size": 736,
            "weights_size": 42120, "weights_inside": kind == "whole", "name": "network",
            "file_size_bytes": len(data)}
    equal({key: report.get(key) for key in want}, want, "JSON")
    check("integrity" not in report, "there is no trailer")
    parts = sections(report)
    equal(parts["data"], (0, 0x7A8), "data")
    equal(parts["got"], (0x7AC, 0x840 - 0x7AC), "GOT")
    equal(parts["bss"], (0x840, 0x8D4 - 0x840), "bss")
    equal(parts["rel"], (0x352C, 512), "REL")
    equal(parts["weights"], (0x372C, 42120) if kind == "whole" else (0, 0), "weights")
    if kind == "split":
        file = case.write("network_data.bin", weights)
        inspect(case, path, "--weights", file)
        file.write_bytes(weights[:-4])
        has(inspect(case, path, "--weights", file, status=9).err, "network_data.bin")


@test
def strings_are_harmless(case):
    """The name does not reach the terminal unescaped."""
    data = bytearray(built.shipped()[0])
    word = [int.from_bytes(data[at:at + 4], "little") & 0x0FFFFFFF for at in range(0, 100, 4)]
    place = word[4] + word[24] + 20  # the context's name
    at = int.from_bytes(data[place:place + 4], "little") & 0x0FFFFFFF
    data[at:at + 5] = b"\x1b]\r\xfe\0"
    text = inspect(case, case.write("hostile_rel.bin", data)).out
    has(text, "name         \\x1B]\\x0D\\xFE\n")
    has_not(text, "\x1b", "\r")


@test
def other_versions_are_named(case):
    data = bytearray(built.shipped()[0])
    for word in (0x80085D21, 0x30085D21):
        built.put(data, 4, word)
        result = inspect(case, case.write("other.bin", data), status=9)
        has(result.err, "error RP2905")


# ---- ours ----

@test
def our_image(case):
    case.generate(MODELS / "features.c", "--split", target="stm32u5")
    path, weights = case.dir / "out/features_rel.bin", case.dir / "out/features_data.bin"
    image = reader.read(path, weights)
    report = json.loads(inspect(case, path, "--weights", weights, "--json").out)
    want = {"ram_xip": image.ram_xip, "ram_copy": image.ram_copy, "acts_size": image.acts_size,
            "weights_size": image.weights_size, "weights_inside": False, "cpuid": "D21",
            "fixup_words": len(image.fixups), "name": "features"}
    equal({key: report.get(key) for key in want}, want, "JSON")
    equal(report["rel"]["words"], len(image.rel), "REL words")
    equal(report["got"]["words"], len(image.got), "GOT words")
    equal(report["got"]["zero"], image.got.count(0), "zero GOT words")
    equal(report["integrity"]["build_id"], image.trailer.build_id.hex(), "build id")
    equal({key: int(word, 16) for key, word in report["entries"].items()}, image.entries, "entries")
    text = inspect(case, path).out
    has(text, image.trailer.build_id.hex(), "in a file of their own",
        f"{len(image.fixups)} words set by the image at init")


def trailer_fixed(data):
    """The same bytes with a trailer that fits them, as a careful forger would write it."""
    data = bytearray(data)
    at = len(data) - reader.TRAILER_BYTES
    equal(reader.word_at(data, at), reader.TRAILER_MAGIC, "place of the trailer")
    built.put(data, at + 16, at, zlib.crc32(data[:at]))
    data[at + 24:at + 56] = hashlib.sha256(data[:at]).digest()
    built.put(data, at + 92, zlib.crc32(data[at:at + 92]))
    return bytes(data)


@test
def every_flipped_byte_is_found(case):
    case.generate(EXAMPLES / "tiny" / "tiny.c")
    data = (case.dir / "out/tiny_rel.bin").read_bytes()
    path = case.dir / "flipped.bin"
    for at in list(range(0, 120)) + list(range(120, len(data), 13)) + list(range(len(data) - 96, len(data))):
        broken = bytearray(data)
        broken[at] ^= 0x10
        path.write_bytes(broken)
        result = inspect(case, path, status=None)
        check(result.status in (8, 9), f"byte {at} flipped: status {result.status}\n{result.err}")
        matches(result.err, r"error RP2(801|905|900): ")


@test
def every_cut_is_found(case):
    case.generate(EXAMPLES / "tiny" / "tiny.c")
    data = (case.dir / "out/tiny_rel.bin").read_bytes()
    image = reader.Image(data)
    path = case.dir / "cut.bin"
    for size in sorted({*range(0, len(data), 17), 99, 100, image.ro_size, image.rel_start,
                        len(data) - 1, len(data) - 95}):
        if size == image.rel_end:
            continue  # nothing missing but the trailer: an image without one
        path.write_bytes(data[:size])
        result = inspect(case, path, status=None)
        check(result.status in (8, 9), f"cut to {size} bytes: status {result.status}")
    path.write_bytes(data[:image.rel_end])
    has(inspect(case, path).out, "no trailer")


HEADER_FAULTS = {
    "magic": (0, 0x4E49424F), "major": (4, 0x30085C24), "minor": (4, 0x21085C24),
    "data_start": (8, 0x80000004), "data_end_segment": (12, 0x20000010),
    "data_data_unaligned": (16, None, 2), "data_data_outside": (16, 0x20FFFFF0),
    "bss_before_got": (20, 0x80000000), "bss_end_before_start": (24, 0x80000000),
    "bss_end_segment": (24, 0x20000100), "got_reversed": (28, None, 64), "got_segment": (32, 0x200000B0),
    "rel_outside": (40, 0x2FFFFFFC), "rel_reversed": (36, 0x2FFFFFFC), "one_weights_word": (44, 0x20000064),
    "weights_outside": (48, 0x2FFFFFFC), "entry_outside": (52, 0x2FFFFFFD), "entry_no_thumb": (56, None, -1),
    "entry_in_header": (60, 0x20000021), "entry_zero": (64, 0), "entry_segment": (68, 0x80000101),
    "ctx_outside": (96, 0x80FFFFF0), "ctx_unaligned": (96, None, 2), "ctx_segment": (96, 0x20000000),
}


@each(list(HEADER_FAULTS))
def bad_header(case, label):
    """A damaged word that the checksums do not show, because they were recomputed."""
    at, word, *add = HEADER_FAULTS[label]
    source = EXAMPLES / "digits" / "digits_int8.json" if "weights" in label else EXAMPLES / "tiny/tiny.c"
    case.generate(source)
    path = next((case.dir / "out").glob("*_rel.bin"))
    data = bytearray(path.read_bytes())
    built.put(data, at, word if word is not None else reader.word_at(data, at) + add[0] & 0xFFFFFFFF)
    path.write_bytes(trailer_fixed(data))
    has(inspect(case, path, status=9).err, "error RP2905")


@test
def words_of_unknown_segments_are_found(case):
    case.generate(MODELS / "state.c")
    path = case.dir / "out/state_rel.bin"
    data = path.read_bytes()
    image = reader.Image(data)
    first_got = image.ro_size + image.got_start + 4 * next(i for i, w in enumerate(image.got) if w)
    rel_word = image.ro_size + image.rel[-1]
    last_rel = image.rel_end - 4
    for at, word in ((first_got, 0x40000000), (first_got, 0x20000000 | image.ro_size + 4),
                     (rel_word, 0x60000000), (rel_word, 0x80000000 | image.bss_end + 4),
                     (last_rel, 0x80000000 | image.data_end), (last_rel, 0x20000064),
                     (last_rel, 0x80000002)):
        broken = bytearray(data)
        built.put(broken, at, word)
        path.write_bytes(trailer_fixed(broken))
        has(inspect(case, path, status=9).err, "error RP2905")


@test
def weights_of_another_build(case):
    case.generate(MODELS / "state.c", "--split", out="a")
    changed = (MODELS / "state.c").read_text().replace("0.5f, -0.25f, 0.125f", "0.5f, -0.25f, 0.25f")
    case.generate(case.write("state.c", changed), "--split", out="b")
    result = inspect(case, case.dir / "a/state_rel.bin", "--weights", case.dir / "b/state_data.bin",
                     status=8)
    has(result.err, "error RP2801", "state_data.bin")
    inspect(case, case.dir / "b/state_rel.bin", "--weights", case.dir / "b/state_data.bin")
    data = bytearray((case.dir / "b/state_data.bin").read_bytes())
    data[5] ^= 1
    file = case.write("flipped.bin", data)
    has(inspect(case, case.dir / "b/state_rel.bin", "--weights", file, status=8).err, "RP2801")


@test
def not_an_image(case):
    for name, content in (("text.txt", "hello\n"), ("zeros.bin", bytes(5000)), ("short.bin", b"NBIN")):
        has(inspect(case, case.write(name, content), status=9).err, "error RP2905", name)
    has(inspect(case, case.write("empty.bin", b""), status=9).err, "empty")
    has(inspect(case, case.dir / "missing.bin", status=9).err, "missing.bin", "No such file")
    has(inspect(case, case.dir, status=9).err, "not a regular file")
    has(case.relocpack("inspect", status=2).err, "inspect takes one file")


# ---- ELF files and archives ----

@test
def objects(case):
    source = case.write("part.c", """
extern int other;
int number = 4;
int *const table[] = {&number, &other};
static const int big[100] = {1};
int take(int i) { return *table[i] + big[i] + other; }
int idle(int i) { return i; }
""")
    clean = kit.compile_object(case, source, case.dir / "clean.o")
    dirty = kit.compile_object(case, source, case.dir / "dirty.o", pic=False)
    has(inspect(case, clean).out, "position-independent")
    has_not(inspect(case, clean).out, "not position-independent")
    text = inspect(case, dirty).out
    has(text, "not position-independent", "take", ".text.take", "table")
    has_not(text, "idle")
    report = json.loads(inspect(case, dirty, "--json").out)
    equal((report["kind"], report["position_independent"], report["members"]), ("elf", False, 1), "JSON")
    culprit = next(item for item in report["culprits"] if item["symbol"] == "take")
    equal(culprit["section"], ".text.take", "section")
    archive = case.dir / "lib both.a"
    case.run(f"{CROSS}ar", "rcs", archive, clean, dirty)
    report = json.loads(inspect(case, archive, "--json").out)
    equal((report["members"], {item["member"] for item in report["culprits"]}), (2, {"dirty.o"}), "archive")
    has(inspect(case, archive).out, "2 ELF files", "dirty.o")


@test
def undefined_symbols(case):
    """As `nm -u` lists them; in an archive, without those that another member defines."""
    one = kit.compile_object(case, case.write("one.c", """
float expf(float);
extern int shared __attribute__((weak));
extern int optional __attribute__((weak));
static int own(void) { return 1; }
int first(void) { return (int)expf((float)shared) + (&optional != 0) + own(); }
"""), case.dir / "one.o")
    two = kit.compile_object(case, case.write("two.c", """
float expf(float);
int first(void);
extern int shared;
int common;
int second(void) { return first() + (int)expf((float)shared) + common; }
"""), case.dir / "two.o")
    names = case.run(f"{CROSS}nm", "-u", one).out.split()
    listed = json.loads(inspect(case, one, "--json").out)["undefined"]
    equal([item["symbol"] for item in listed], sorted(set(names) - {"U", "w"}), "nm -u")
    equal({item["symbol"]: item["weak"] for item in listed if item["symbol"] in ("expf", "shared")}, {"expf": False, "shared": True}, "weak")
    matches(inspect(case, one).out, r"(?m)^\d undefined symbols:\n(?:  .*\n)*  expf\n(?:  .*\n)*  optional +\(weak\)\n")
    case.run(f"{CROSS}ar", "rcs", case.dir / "lib.a", one, two)
    listed = {item["symbol"]: (item["weak"], item["members"]) for item in json.loads(inspect(case, case.dir / "lib.a", "--json").out)["undefined"]}
    equal({name: listed.get(name) for name in ("expf", "shared", "optional", "first", "common", "own")},
          {"expf": (False, ["one.o", "two.o"]), "shared": (False, ["one.o", "two.o"]), "optional": (True, ["one.o"]), "first": None, "common": None,
           "own": None}, "of the archive")
    matches(inspect(case, case.dir / "lib.a").out, r"(?m)^  expf +needed by one.o, two.o$")
    alone = kit.compile_object(case, case.write("alone.c", "int alone(int x) { return x; }\n"), case.dir / "alone.o")
    equal(json.loads(inspect(case, alone, "--json").out)["undefined"], [], "nothing is missing")
    has_not(inspect(case, alone).out, "undefined symbol")


@test
def damaged_objects(case):
    obj = kit.compile_object(case, case.write("part.c", "int f(void) { return 1; }\n"), case.dir / "o.o")
    data = obj.read_bytes()
    for size in range(4, len(data), 41):
        result = inspect(case, case.write("cut.o", data[:size]), status=None)
        check(result.status in (0, 9), f"cut to {size}: {result.show()}")
        if size < 52:
            equal(result.status, 9, f"cut to {size} bytes")
    host = case.dir / "host.o"
    case.run("cc", "-c", case.dir / "part.c", "-o", host)
    has(inspect(case, host, status=9).err, "error RP2906", "host.o")
    has(inspect(case, case.write("bad.a", b"!<arch>\n" + b"x" * 200), status=9).err, "bad.a", "RP2906")
    archive = case.dir / "whole.a"
    case.run(f"{CROSS}ar", "rcs", archive, obj)
    whole = archive.read_bytes()
    has(inspect(case, archive).out, "1 ELF file,")
    for size in (len(whole) - 30, len(whole) // 2, 80, 30):
        has(inspect(case, case.write("cut.a", whole[:size]), status=9).err, "cut.a", "error RP2906")


@test
def c_library_is_not_position_independent(case):
    """The statements of docs and messages about expf are true for the installed C library."""
    libm = case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard",
                    "-mfpu=fpv4-sp-d16", "-print-file-name=libm.a").out.strip()
    report = json.loads(inspect(case, libm, "--json").out)
    check(report["members"] > 50 and not report["position_independent"], "libm.a")
    check(any("exp" in item["member"] for item in report["culprits"]), "nothing about exp")


@test
def what_copy_only_could_do(case):
    """Clean, possible with -r copy-only, impossible; and the summary's words for each."""
    sources = {
        "clean": ("int f(int x) { return x + 1; }\n", ["-fpic"]),
        "dirty": ("extern int a[9], b; int *p(int i) { return i ? a + i : &b; }\n", []),
        "halves": ("extern int c[9]; int *q(int i) { return c + i; }\n", ["-mslow-flash-data"]),
        "thread": ("static _Thread_local int t; int u(void) { return t++; }\n", ["-ftls-model=local-exec"]),
        "other": ("extern int e; int v(void) { return e; }\n", ["-fPIC"]),
        "early": ("int w; __attribute__((constructor)) static void x(void) { w = 1; }\n", []),
        "nine": ("int y(int); int z(int i) { register int r __asm__(\"r9\") = i; __asm__ volatile(\"\" : \"+r\"(r)); "
                 "return y(i) + y(i + 1) + r; }\n", []),
        "packed": ("extern int g; const struct __attribute__((packed)) { char c; int *p; } h = {1, &g};\n", []),
    }
    archive = case.dir / "libmany.a"
    for name, (text, words) in sources.items():
        kit.compile_object(case, case.write(f"{name}.c", text), case.dir / f"{name}.o", pic=False, more=words)
        case.run(f"{CROSS}ar", "rcs", archive, case.dir / f"{name}.o")
    report = json.loads(inspect(case, archive, "--json").out)
    fits = {item["member"].removesuffix(".o"): item for item in report["fitness"]}
    equal({name: item["fit"] for name, item in fits.items()},
          {"clean": "clean", "dirty": "copy-only", "halves": "copy-only", "thread": "no", "other": "no", "early": "no",
           "nine": "clean", "packed": "no"}, "fits")
    equal((fits["dirty"]["words"] > 0, fits["dirty"]["pairs"], fits["halves"]["pairs"]), (True, 0, 1), "counts")
    equal([name for name, item in fits.items() if item["keeps_r9"]], ["nine"], "r9")
    has(" ".join(fits["thread"]["reasons"]), "thread-local")
    has(" ".join(fits["other"]["reasons"]), "-msingle-pic-base", "R_ARM_BASE_PREL")
    has(" ".join(fits["early"]["reasons"]), "constructors", ".init_array")
    has(" ".join(fits["packed"]["reasons"]), "not 4-aligned")
    equal(report["summary"], {"clean": 2, "copy-only": 2, "no": 4, "keep_r9": 1}, "summary")
    text = inspect(case, archive).out
    has(text, "8 members: 2 clean, 2 with -r copy-only, 4 not", "1 keeps a value in r9", "with -r copy-only: 0 words, 1 pairs")
    has(inspect(case, case.dir / "clean.o").out, "1 member: 1 clean, 0 with -r copy-only, 0 not")


@test
def archive_word_counts(case):
    source = case.write("two.c", "extern int a, b; int *p(int i) { return i ? &a : &b; }\n")
    dirty = kit.compile_object(case, source, case.dir / "two.o", pic=False)
    report = json.loads(inspect(case, dirty, "--json").out)
    equal(sum(item["count"] for item in report["culprits"]),
          len([line for line in case.run(f"{CROSS}readelf", "-r", dirty).out.splitlines()
               if "ABS" in line and ".debug" not in line]), "absolute relocations")
