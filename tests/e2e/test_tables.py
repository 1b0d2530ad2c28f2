# SPDX-License-Identifier: Apache-2.0
"""
Damage in an image's own tables: fix-ups, compact table, list of imports. Each bit is flipped, on the emulated core,
under the loader and under one that checks nothing, where only the image's own boot code bounds what is written.
"""
import pathlib
import shutil

import glow_kit
import kit
import reader
import stai_kit
import standin
from kit import CROSS, QEMU, check, each, equal, test

HERE = kit.ROOT / "tests/target"
# machine, series, vectors, ROM, RAM
BOARDS = {"m4": ("mps2-an386", "stm32f4", 0, 0x1000, 0x20000000), "m7": ("mps2-an500", "stm32h7", 0, 0x1000, 0x20000000),
          "m33": ("mps2-an505", "stm32u5", 0x10000000, 0x10001000, 0x38000000),
          "m55": ("mps3-an547", "stm32n6", 0, 0x01000000, 0x21000000)}
MODEL = """#include <math.h>
static const float weights[40] = {1, 2, 3, 4, 5};
static float scratch[24];
static const float *const part[2] = {weights + 3, weights};
static float *const places[2] = {scratch + 4, scratch};
static float twice(float x) { return 2 * x; }
static float (*const operations[2])(float) = {twice, twice};
const char *names[NAMES] = {[0 ... NAMES - 1] = "a", [3] = "b"};
static int counter = 3;
#ifdef HOST
extern int calibration;
extern const float gains[4];
extern float host_multiply(float a, float b);
static float (*const of_host[2])(float, float) = {host_multiply, host_multiply};
#endif
#ifdef MORE /* tensors: create makes the table of them */
void model(const float in[4], float out[4], const int more[3], unsigned char rest[2][3]) {
    rest[1][2] = (unsigned char)more[2];
#else
void model(const float in[4], float out[4]) {
#endif
    for (int i = 0; i < 4; i++) {
        places[i & 1][i] = part[i & 1][i] + names[(unsigned)in[i] % NAMES][0];
        out[i] = operations[i & 1](in[i]) + scratch[i] + weights[i] + counter++;
#ifdef HOST
        out[i] += of_host[i & 1](in[i], gains[i]) + calibration;
#endif
#ifdef DIRTY
        out[i] += lgammaf(in[i]);
#endif
    }
}
"""
IMPORTS = ["calibration", "gains@2", "host_multiply@7"]
HOST = ["-D", "HOST", *(word for name in IMPORTS for word in ("--import", name))]
WORDS, HALVES = ["--cflags=-fno-pic"], ["--cflags=-fno-pic", "--cflags=-mslow-flash-data"]
IMAGES = {
    "fixups": [], "split": ["-r", "split"], "compact": ["-r", "compact"],
    "words": ["-r", "copy-only", *WORDS], "halves": ["-r", "copy-only", *HALVES],
    "imports": HOST, "compact-imports": ["-r", "compact", *HOST],
    "more": ["-D", "MORE"], "more-imports": ["-D", "MORE", *HOST], "more-compact": ["-D", "MORE", "-r", "compact", *HOST],
    "more-all": ["-D", "MORE", "-r", "compact,copy-only,split", *HALVES, *HOST],
    "llvm": ["-r", "llvm,compact"], "all": ["-r", "compact,copy-only,split", *HALVES, *HOST],
}


def data_files(case):
    return pathlib.Path(case.tool).parent.parent / "share/relocpack"


def share_with(case, name, old, new):
    """The tool's own files, one of them changed."""
    share = shutil.copytree(data_files(case), case.dir / "share")
    path = share / name
    text = path.read_text()
    check(old in text, f"{old!r} in {name}")
    path.write_text(text.replace(old, new))
    return share


def packed(case, label, board="m4", share=None):
    """Image, the bytes behind it that the test assembles in, and where in both the weights are."""
    case.generate(case.write("model.c", MODEL), "--weights-threshold", "64", "--acts-threshold", "64",
                  "-D", f"NAMES={120 if 'compact' in str(IMAGES[label]) else 8}", *IMAGES[label],
                  target=BOARDS[board][1], env={"RELOCPACK_DATADIR": share} if share else None)
    path, data = case.dir / "out/model_rel.bin", case.dir / "out/model_data.bin"
    image = reader.read(path, data if data.exists() else None)
    equal(bool(image.compact), "compact" in str(IMAGES[label]), "compact table")
    apart = image.weights_file or b""
    return image, apart, image.weights_start or reader.align(len(image.data), 64)


def ranges_of(image):
    """File offsets of the words whose bits are flipped."""
    begin, context = image.tables & 0x0FFFFFFF, image.ro_size + image.ctx
    rows = [(begin, image.ro_size, "IN_TABLES"), (context + 12, context + 20, "IN_TABLES"),
            (image.ro_size + image.got_start, image.ro_size + image.got_end, "IN_LOADER_LISTS"),
            (image.rel_start, image.rel_end, "IN_LOADER_LISTS")]
    return rows


def without_places_in_code(image, first, end):
    """If the running code itself were patched, nobody could predict what it does."""
    table = image.tables_end - 8 * (len(image.fixups) + len(image.patches)) - 4
    skipped = [at for at in range(table + 4, image.tables_end, 8) if reader.word_at(image.data, at) >> 28 != reader.RAM]
    starts, ends = [first] + [at + 4 for at in skipped], skipped + [end]
    return [(a, b, "IN_TABLES") for a, b in zip(starts, ends) if a < b]


def sweeps_of(image):
    """
    The place of the first entry of each kind in the tables. In the RAM, it becomes each place of the instance; in
    code, each place of the tables and some behind them, where nothing is patched.
    """
    table = image.tables_end - 8 * (len(image.fixups) + len(image.patches)) - 4
    rows, seen = [], set()
    for at in range(table + 4, image.tables_end, 8):
        where, target = reader.word_at(image.data, at), reader.word_at(image.data, at + 4)
        in_ram = where >> 28 == reader.RAM
        kind = (where >> 28, target >> 28 if in_ram else 0)
        if kind not in seen:
            seen.add(kind)
            tables = image.tables & 0x0FFFFFFF
            rows.append((at, where & 0xF0000000, *((0, image.ram_xip + 8, 4) if in_ram else (tables - 3, image.ro_size + 8, 1))))
    if image.compact:
        rows.append((image.tables_end, reader.RAM << 28, 0, image.ram_xip + 8, 4))
    return rows


def rows_of(image, plain):
    rows = ranges_of(image)
    if not plain:
        return rows
    return without_places_in_code(image, rows[0][0], rows[0][1]) + [row for row in rows[1:] if row[2] == "IN_TABLES"]


def plan(image, weights_at, label, plain):
    rows = "".join(f'{{"{name.split("@")[0]}", {(name + "@0").split("@")[1]}, zeros}}, ' for name in IMPORTS)
    values = {
        "PLAIN": int(plain), "KEPT": 76, "SIZE": len(image.data) - 96, "WEIGHTS": weights_at, "ACTS": image.acts_size,
        "RAM_XIP": image.ram_xip, "RAM_COPY": image.ram_copy, "XIP": int(not image.patches), "INIT": 1,
        "RANGES": ", ".join("{%d, %d, %s}" % row for row in rows_of(image, plain)),
        "SWEEPS": "".join("{%d, %du, %d, %d, %d}, " % row for row in sweeps_of(image)) if plain else "",
        "IMPORTS": rows if "HOST" in IMAGES[label] else "",
    }
    return "".join(f"#define FLIPS_{name} {value}\n" for name, value in values.items())


def emulate(case, source, board, loader, image, apart, *flags):
    """Compiles a test firmware with the image in it; what it counted, by name."""
    machine, series, vectors, rom, ram = BOARDS[board]
    case.write("image.bin", image)
    case.write("apart.bin", apart)
    case.write("image.S", '.section .image, "aw", %progbits\n.balign 64\n.global image\nimage:\n.incbin "image.bin"\n'
               '.balign 64\n.incbin "apart.bin"\n.space 64\n')
    harness = kit.ROOT / "templates/harness"
    case.run(f"{CROSS}gcc", *kit.target_flags(case, series), "-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-ffixed-r9",
             "-DPORT_FPU=1", "-DAI_RELOC_NO_MALLOC", *flags, f"-I{case.dir}", f"-I{loader.parent}", f"-I{data_files(case) / 'runtime'}",
             f"-I{HERE}", f"-I{harness}", "--specs=nosys.specs", "-nostartfiles", "-static", f"-Wl,--defsym=FLIPS_VECTORS={vectors:#x}",
             f"-Wl,--defsym=FLIPS_ROM={rom:#x}", f"-Wl,--defsym=FLIPS_RAM={ram:#x}", "-Wl,-z,noexecstack", "-Wl,-T",
             HERE / "table_flips.ld", HERE / source, HERE / "loader_trial.c", HERE / "loader_port.c", harness / "semihost.c", loader,
             "image.S", "-o", "firmware.elf")
    done = case.run(QEMU, "-M", machine, "-kernel", "firmware.elf", "-display", "none", "-serial", "none", "-monitor", "none",
                    "-parallel", "none", "-nodefaults", "-no-reboot", "-semihosting-config", "enable=on,target=native",
                    status=None, timeout=100)
    told = dict(line.split() for line in done.err.splitlines() if len(line.split()) == 2)
    check("failures" in told, f"the firmware did not end:\n{done.show()}")
    return {name: int(value, 16) for name, value in told.items()}, done.err


def flipped(case, label, board="m4", plain=False, share=None):
    """Counts, and the firmware's text about each failure."""
    image, apart, weights_at = packed(case, label, board, share)
    case.write("flips_plan.h", plan(image, weights_at, label, plain))
    loader = HERE / "plain_loader.c" if plain else (share or data_files(case)) / "runtime/ai_reloc_network.c"
    more = ["-DPLAIN_IMPORTS"] if plain and "HOST" in IMAGES[label] else []
    return emulate(case, "table_flips.c", board, loader, image.data, apart, *more)


@each([(label, board) for label in IMAGES for board in BOARDS], needs=[QEMU], slow=lambda what: what[1] != "m4",
      spread=[(label, "m4") for label in IMAGES])
def refused_by_the_loader(case, what):
    """Before anything is written, in XIP and COPY, by the functions with and without a size, and with a trailer."""
    label, board = what
    told, text = flipped(case, label, board)
    equal(told["failures"], 0, text)
    check(told["refused"] > 1000, f"{told}")


@each([(label, board) for label in IMAGES for board in BOARDS], needs=[QEMU], slow=lambda what: what[1] != "m4",
      spread=[(label, "m4") for label in IMAGES])
def bounded_by_the_image(case, what):
    """Under a loader that checks nothing: create or init fails, or writes only where it may."""
    label, board = what
    told, text = flipped(case, label, board, plain=True)
    equal(told["failures"], 0, text)
    check(told["not_created"] + told["not_initialised"] > 100 and told["initialised"] > 100, f"{told}")


# ---- activations ----

ODD = """unsigned char odd[5];
float scratch[24];
void model(const float in[4], float out[4]) {
    for (int i = 0; i < 4; i++) {
        scratch[i] = in[i];
        out[i] = scratch[i] + (float)odd[i % 5]++;
    }
}
"""
GLUES = ["c", "copy-only", "glow", "stai", "st-ai", "st-ai-7.0"]


def model_of(case, glue):
    """Source, options, environment."""
    if glue == "glow":
        return glow_kit.bundle(case), [], {}
    if glue == "stai":
        return stai_kit.network(case), [], {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0), macro=False)}
    if glue.startswith("st-ai"):
        version, weights = ((7, 0), "bytes") if glue.endswith("7.0") else ((10, 0), "params")
        return standin.network(case, version, weights), [], {"STEDGEAI_CORE_DIR": standin.pack(case, version, macro=False)}
    more = ["-r", "copy-only", *WORDS] if glue == "copy-only" else []
    return case.write("model.c", ODD), ["--acts-threshold", "64", *more], {}


def beside(case, glue, plain, share=None):
    source, words, env = model_of(case, glue)
    case.generate(source, *words, env={**env, **({"RELOCPACK_DATADIR": share} if share else {})})
    image = reader.read(next((case.dir / "out").glob("*_rel.bin")))
    values = {"PLAIN": int(plain), "XIP": int(not image.patches), "ACTS": image.acts_size, "CODE": image.ro_size,
              "RAM": image.bss_end, "WEIGHTS": image.weights_start, "IMAGE": len(image.data),
              "ERROR": int(not glue.startswith("st-ai"))}
    case.write("apart_plan.h", "".join(f"#define APART_{name} {value}\n" for name, value in values.items()))
    loader = HERE / "plain_loader.c" if plain else (share or data_files(case)) / "runtime/ai_reloc_network.c"
    return emulate(case, "acts_apart.c", "m4", loader, image.data, b"")


@each([(glue, loader) for glue in GLUES for loader in ("loader", "plain")], needs=[QEMU])
def activations_apart(case, what):
    """They may lie next to the instance's RAM and its code, but share nothing with them."""
    glue, loader = what
    told, text = beside(case, glue, loader == "plain")
    equal(told["failures"], 0, text)
    check(told["taken"] >= 2 and told["refused"] >= 30, f"{told}")
    equal(told["least"], 1 if glue in ("c", "copy-only") else 4, "bytes shared, at least")


# ---- these tests can fail ----

BOOT, CORE = "runtime/image/image_boot.h", "runtime/format/reloc_core.h"
BROKEN = {
    "loader-crc": (CORE, "    if (word == 0)\n        return RELOC_OK;\n    uint32_t start", "    return RELOC_OK;\n    uint32_t start", "fixups", False),
    "loader-rel": (CORE, "> last)", "> 0x3FFFFFFFu + 0 * last)", "fixups", False),
    "place": (BOOT, " && offset < end", "", "fixups", True),
    "kept": (BOOT, "RP_BOOT_KEPT", "RELOC_CTX_BYTES", "fixups", True),
    "count": (BOOT, "if (at >= end)", "if (at == 0)", "imports", True),
    "compact-place": (BOOT, "if (!rp_boot_is_word(offset, data_end))\n                    return 0;", "", "compact", True),
}
BROKEN_APART = {
    "before-ram": ("ram - address >= bytes &&", "", "c", True), "before-code": (" && flash - address >= bytes", "", "c", True),
    "in-ram": ("address - ram >= rp_boot_header(flash, RELOC_HDR_BSS_END) - RELOC_SEG_RAM &&", "", "c", True),
    "in-code": ("address - flash >= rp_boot_header(flash, RELOC_HDR_DATA_DATA) - RELOC_SEG_FLASH &&", "", "stai", True),
}


@each(list(BROKEN), needs=[QEMU])
def finds(case, label):
    """A removed check is noticed."""
    name, old, new, image, plain = BROKEN[label]
    check(flipped(case, image, plain=plain, share=share_with(case, name, old, new))[0]["failures"] > 0, "not seen")


@each(list(BROKEN_APART), needs=[QEMU])
def finds_apart(case, label):
    old, new, glue, plain = BROKEN_APART[label]
    check(beside(case, glue, plain, share_with(case, BOOT, old, new))[0]["failures"] > 0, "not seen")
