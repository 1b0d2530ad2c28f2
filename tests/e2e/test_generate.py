# SPDX-License-Identifier: Apache-2.0
"""generate: every target, every spelling of -r, and that files, reports and bytes agree."""
import json
import re
import struct
import subprocess
import zlib

import kit
import reader
from kit import CROSS, EXAMPLES, MODELS, SCHEMA, check, each, equal, has, has_not, matches, test

SOURCES = {"digits_float": EXAMPLES / "digits" / "digits_float.json",
           "digits_int8": EXAMPLES / "digits" / "digits_int8.json",
           "tiny": EXAMPLES / "tiny" / "tiny.c"}
LOADER = ["ai_reloc_network.c", "ai_reloc_network.h"]
# Series, core, CPUID part, FPU: from the specification, not from the tool.
TARGETS = {
    "stm32f0": ("cortex-m0", "C20", 0), "stm32c0": ("cortex-m0plus", "C60", 0), "stm32g0": ("cortex-m0plus", "C60", 0),
    "stm32l0": ("cortex-m0plus", "C60", 0), "stm32u0": ("cortex-m0plus", "C60", 0), "stm32wb0": ("cortex-m0plus", "C60", 0),
    "stm32f3": ("cortex-m4", "C24", 1), "stm32f4": ("cortex-m4", "C24", 1),
    "stm32g4": ("cortex-m4", "C24", 1), "stm32wb": ("cortex-m4", "C24", 1),
    "stm32l4": ("cortex-m4", "C24", 1), "stm32l4r": ("cortex-m4", "C24", 1),
    "stm32l5": ("cortex-m33", "D21", 1), "stm32u3": ("cortex-m33", "D21", 1),
    "stm32h5": ("cortex-m33", "D21", 1), "stm32wba": ("cortex-m33", "D21", 1),
    "stm32u5": ("cortex-m33", "D21", 1), "stm32f7": ("cortex-m7", "C27", 1),
    "stm32h7": ("cortex-m7", "C27", 1), "stm32n6": ("cortex-m55", "D22", 1),
    "cortex-m0": ("cortex-m0", "C20", 0), "cortex-m0plus": ("cortex-m0plus", "C60", 0), "cortex-m23": ("cortex-m23", "D20", 0),
    "cortex-m52": ("cortex-m52", "D24", 1), "cortex-m85": ("cortex-m85", "D23", 1),
    "cortex-m3": ("cortex-m3", "C23", 0), "cortex-m4": ("cortex-m4", "C24", 1),
    "cortex-m7": ("cortex-m7", "C27", 1), "cortex-m33": ("cortex-m33", "D21", 1),
    "cortex-m55": ("cortex-m55", "D22", 1),
}
OTHERS = {  # by vendor; the core with its FPU: the series
    "Analog Devices": {"m4": "max78000 max78002"},
    "Alif": {"m55": "ensemble"},
    "Ambiq": {"m4": "apollo3 apollo4", "m55": "apollo510"},
    "Infineon": {"m4": "psoc6 xmc4000"},
    "Microchip": {"m0plus": "samd21 saml21", "m4": "samd51 same54", "m7": "same70 samv71"},
    "Nordic": {"m0": "nrf51", "m4": "nrf52832 nrf52833 nrf52840", "m33": "nrf5340 nrf54l nrf91"},
    "NXP": {"m7": "imxrt1010 imxrt1020 imxrt1050 imxrt1060 imxrt1160 imxrt1170", "m33": "imxrt500 imxrt600 lpc55s69 mcxn94x"},
    "Raspberry Pi": {"m0plus": "rp2040", "m33": "rp2350"},
    "Renesas": {"m23": "ra2a1 ra2l1", "m85": "ra8d1 ra8m1", "m4": "ra4m1 ra6m3", "m33": "ra4m3 ra6m4 ra6m5"},
    "Silicon Labs": {"m4": "efm32gg11", "m33": "efr32mg24"},
    "TI": {"m4": "cc13x2 cc26x2 msp432p4"},
}
ONE_EACH = ("nrf51", "rp2040", "ra2l1", "ra8m1", "nrf52840", "imxrt1010", "imxrt1060", "rp2350", "ensemble")  # each core and FPU
SPREAD = [*TARGETS, *ONE_EACH]
VENDORS = {series: "Arm" if series.startswith("cortex") else "ST" for series in TARGETS}
for vendor, cores in OTHERS.items():
    for of_core, names in cores.items():
        for other in names.split():
            TARGETS[other] = (f"cortex-{of_core}", {"m0": "C20", "m0plus": "C60", "m23": "D20", "m4": "C24", "m7": "C27", "m33": "D21",
                                                     "m55": "D22", "m85": "D23"}[of_core], int(of_core not in ("m0", "m0plus", "m23")))
            VENDORS[other] = vendor
SINGLE_M7 = ("stm32f7", "imxrt1010")
DOUBLE = [name for name, (cpu, *_) in TARGETS.items() if cpu in ("cortex-m7", "cortex-m52", "cortex-m55", "cortex-m85") and name not in SINGLE_M7]


# ---- reports against files ----

def number(text, label):
    found = matches(text, rf"^ {re.escape(label)} += ([0-9,]+)( |$)")
    return int(found.group(1).replace(",", ""))


def validate(report):
    try:
        import jsonschema
    except ImportError:
        raise kit.Skip("python3-jsonschema is not installed") from None
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(report)


def check_files(folder, report):
    for file in report["files"]:
        data = (folder / file["path"]).read_bytes()
        equal(file["size_bytes"], len(data), f"size of {file['path']} in the report")
        equal(file["sha256"], kit.sha256(folder / file["path"]), f"SHA-256 of {file['path']}")
        equal(file["crc32"], f"{zlib.crc32(data):#010x}", f"CRC-32 of {file['path']}")


def check_json(image, report, folder, name):
    size = len(image.data) + (len(image.weights_file) if image.weights_file else 0)
    want = {"flash": size, "ram_xip": image.ram_xip, "ram_copy": image.ram_copy,
            "params": image.weights_size, "acts": image.acts_size,
            "got": image.got_end - image.got_start}
    table = report["memory"]["header_and_rel"] - 100 - 4 * len(image.rel) - 8 * len(image.fixups)
    check(table == 4 or (table == 0 and not image.fixups), f"header_and_rel: {table} bytes too many")
    equal({key: report["memory"][key] for key in want}, want, "memory in the report")
    equal(report["image"]["flags"], f"{image.flags:#010x}", "flags in the report")
    equal(report["image"]["split"], image.weights_file is not None, "split in the report")
    equal(report["image"]["entries"], {key: f"{word:#010x}" for key, word in image.entries.items()},
          "entries in the report")
    equal(report["image"]["integrity"]["build_id"], image.trailer.build_id.hex(), "build id")
    equal(report["relocations"]["rel_words"], len(image.rel), "REL words in the report")
    equal(report["model"]["name"], name, "name in the report")
    check_files(folder, report)


def check_text(image, text):
    equal(number(text, "XIP size"), image.ram_xip, "XIP size in the text")
    equal(number(text, "COPY size"), image.ram_copy, "COPY size in the text")
    equal(number(text, "params size"), image.weights_size, "params size in the text")
    equal(number(text, "acts size"), image.acts_size, "acts size in the text")
    equal(number(text, "binary file size"), len(image.data), "binary file size in the text")
    equal(number(text, "params file size"), len(image.weights_file or b""), "params file size")
    parts = matches(text, r"data\(([0-9,]+)\)\+got\(([0-9,]+)\)\+bss\(([0-9,]+)\)")
    data, got, bss = (int(part.replace(",", "")) for part in parts.groups())
    equal(got, image.got_end - image.got_start, "GOT size in the text")
    equal(data + got + bss, image.ram_xip, "data + got + bss in the text")
    return int(matches(text, r"header\+rel:([0-9,]+)\(").group(1).replace(",", ""))


def check_output(case, name, out="out"):
    """Checks everything that generate wrote into a folder; returns the image."""
    folder = case.dir / out
    weights = folder / f"{name}_data.bin"
    image = reader.read(folder / f"{name}_rel.bin", weights if weights.exists() else None)
    equal(image.name, name, "name in the image")
    report = case.report(name, out)
    validate(report)
    check_json(image, report, folder, name)
    extra = check_text(image, (folder / f"{name}_generate_report.txt").read_text())
    equal(extra, report["memory"]["header_and_rel"], "header+rel in text and JSON")
    return image


# ---- targets ----

@test
def targets_are_the_documented_ones(case):
    listed = {line["series"]: line for line in json.loads(case.relocpack("targets", "--json").out)["targets"]}
    equal(set(listed), set(TARGETS), "series and cores")
    for series, (cpu, cpuid, fpu) in TARGETS.items():
        equal(listed[series]["cpu"], cpu, f"core of {series}")
        equal(listed[series]["cpuid"], cpuid, f"CPUID of {series}")
        equal(listed[series]["float_abi"], "hard" if fpu else "soft", f"float ABI of {series}")
        if fpu and cpu == "cortex-m7":
            equal("sp" in listed[series]["fpu"], series not in DOUBLE, f"FPU of {series}")
        equal(listed[series]["vendor"], VENDORS[series], f"vendor of {series}")
        check(listed[series]["source"], f"{series} has no source")


@test
def targets_are_a_table_of_vendors(case):
    """The columns are aligned, and each vendor has one line above its series."""
    first, *lines = case.relocpack("targets").out.partition("\n\n")[0].splitlines()
    equal(first, "series        core          CPUID  flags", "head")
    found, vendor = {}, None
    for line in lines:
        if line.startswith("# "):
            vendor = line[2:]
            check(vendor not in found.values(), f"{vendor} twice")
            continue
        series, cpu, cpuid = (part.strip() for part in (line[:14], line[14:28], line[28:35]))
        equal((cpu, cpuid), TARGETS[series][:2], f"columns of {series}")
        code = "cortex-m55" if cpu in ("cortex-m52", "cortex-m85") else cpu  # whose instructions these have
        check(line[35:].startswith(f"-mcpu={code} -mthumb "), line)
        found[series] = vendor
    equal(found, VENDORS, "vendors")
    equal(list(dict.fromkeys(found.values()))[::len(OTHERS) + 1], ["ST", "Arm"], "the first and the last")


@each(list(TARGETS), spread=SPREAD)
def for_target(case, target):
    cpu, cpuid, fpu = TARGETS[target]
    option = "--mcu" if target.startswith("cortex") else "--target"
    for name, source in SOURCES.items():
        for choice in ([], ["split,gen-c-files"]):
            out = f"{name}-{len(choice)}"
            result = case.generate(source, option, target, "-r", *choice, out=out, target=None)
            image = check_output(case, name, out)
            equal((image.cpuid, image.fpu, image.float_abi, image.toolchain),
                  (cpuid, fpu, 2 * fpu, 8), "flags")
            check_text(image, result.out)
            has(result.out, f'(series="{target}")', f"cpuid={cpuid}")
            equal(case.report(name, out)["target"]["cpu"], cpu, "core in the report")
            check_instructions(case, image, cpu, target)


def check_instructions(case, image, cpu, target):
    """The code is for the right core: no FPU instruction for M3, double precision only where it has it."""
    code = case.write("code.bin", image.data[100:image.ro_size])
    text = case.run(f"{CROSS}objdump", "-D", "-b", "binary", "-m", "arm", "-M", "force-thumb",
                    code).out
    if cpu in ("cortex-m0", "cortex-m0plus", "cortex-m23", "cortex-m3"):
        has_not(text, "vmov\t", "vmul.f32", "vpush")
    elif target not in DOUBLE:
        has_not(text, "vadd.f64", "vmul.f64", "vdiv.f64")


# ---- -r ----

SPELLINGS = {
    "none": ([], False, False), "bare": (["-r"], False, False),
    "split": (["-r", "split"], True, False), "file": (["-r", "gen-c-file"], False, True),
    "files": (["-r", "gen-c-files"], False, True),
    "both": (["-r", "split,gen-c-files"], True, True),
    "attached": (["-rsplit"], True, False), "equals": (["--relocatable=split"], True, False),
    "reloc": (["--reloc", "split,gen-c-file"], True, True),
    "relocate": (["--relocate=gen-c-file"], False, True),
    "own_option": (["--split"], True, False), "own_options": (["--split", "--gen-c-file"], True, True),
    "repeated": (["-r", "split", "-r", "gen-c-file"], True, True),
    "shortened": (["--relocatab", "split"], True, False),
    "before_option": (["-r", "--split"], True, False),
    "no_c_files": (["-r", "gen-c-file", "--no-c-files"], False, False),
}


@each(list(SPELLINGS))
def spelling(case, label):
    words, split, c_files = SPELLINGS[label]
    case.generate(SOURCES["digits_int8"], *words)
    image = check_output(case, "digits_int8")
    want = ["digits_int8_generate_rel.json", "digits_int8_generate_report.txt", "digits_int8_rel.bin"]
    want += ["digits_int8_data.bin"] if split else []
    want += ["digits_int8_img_rel.c", "digits_int8_img_rel.h"] if c_files else []
    want += [*LOADER, *(["digits_int8_rel.h"] if "--no-c-files" not in words else [])]
    equal(kit.visible(case.dir / "out"), sorted(want), "files")
    equal(sorted(kit.snapshot(case.dir / "out")), sorted(want), "hidden files")
    equal(image.weights_file is not None, split, "weights in a file of their own")
    check(image.weights_size > 9000, f"weights of {image.weights_size} bytes")
    listed = [line.strip() for line in (case.dir / "out" / want[1]).read_text().splitlines()]
    for name in want:
        check(any(line.endswith(f"/{name}") for line in listed), f"{name} is not in the text report")
    if c_files:
        check_c_array(case, image)


def check_c_array(case, image):
    """Compiled by host and target compilers, the array holds the bytes of the file."""
    folder = case.dir / "out"
    main = case.write("show.c", """
#include <stdio.h>
#include "digits_int8_img_rel.h"
int main(void) {
    printf("%u %u %u %u %u\\n", (unsigned)AI_DIGITS_INT8_RELOC_RAM_SIZE_XIP,
           (unsigned)AI_DIGITS_INT8_RELOC_RAM_SIZE_COPY, (unsigned)AI_DIGITS_INT8_RELOC_IMAGE_SIZE,
           (unsigned)AI_DIGITS_INT8_RELOC_ACTIVATIONS_SIZE,
           (unsigned)AI_DIGITS_INT8_RELOC_WEIGHTS_SIZE);
    fwrite(ai_digits_int8_reloc_img_get(), 1, AI_DIGITS_INT8_RELOC_IMAGE_SIZE, stdout);
    return (int)((unsigned long)ai_digits_int8_reloc_img_get() & 3);
}
""")
    source = folder / "digits_int8_img_rel.c"
    strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{folder}"]
    case.run("cc", *strict, main, source, "-o", case.dir / "show")
    shown = case.run(case.dir / "show").raw_out
    first, _, data = shown.partition(b"\n")
    equal([int(word) for word in first.split()],
          [image.ram_xip, image.ram_copy, len(image.data), image.acts_size, image.weights_size],
          "macros of the header")
    equal(data, image.data, "the C array")
    case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", *strict, "-c", source, "-o",
             case.dir / "array.o")


@test
def loader_sources_compile_alone(case):
    case.generate(SOURCES["tiny"])
    for cpu in ("cortex-m3", "cortex-m4", "cortex-m33"):
        case.run(f"{CROSS}gcc", f"-mcpu={cpu}", "-mthumb", "-std=c11", "-Wall", "-Wextra", "-Werror",
                 "-c", "ai_reloc_network.c", "-o", case.dir / "loader.o", cwd=case.dir / "out")
        wanted = case.run(f"{CROSS}nm", "-u", case.dir / "loader.o").out.split()
        extra = set(wanted) - {"U", "memcpy", "memmove", "memset", "memcmp", "malloc", "free"}
        equal(extra, set(), "undefined symbols of the loader")


# ---- every word, against a link at other addresses ----

def relink(case, workspace, places):
    """Links the workspace's objects again with other bases: {part: bytes}."""
    words = (workspace / "link.rsp").read_text()
    found = matches(words, r"-T\n([^\n]*image\.ld)\n")
    with open(found.group(1), encoding="utf-8") as file:
        script = file.read()
    for part, old in (("weights", "0x40000000"), ("acts", "0xA0000000"), ("flash", "0x20000000"),
                      ("data", "0x80000000")):
        check(script.count(f".{part} {old}") == 1, "the linker script is not as this test knows it")
        script = script.replace(f".{part} {old}", f".{part} {places[part]:#x}")
    (workspace / "other.ld").write_text(script)
    words = words.replace("-o\nimage.elf\n", "-o\nother.elf\n").replace(found.group(1), "other.ld")
    (workspace / "other.rsp").write_text(words)
    case.run(f"{CROSS}gcc", "@other.rsp", cwd=workspace)
    parts = {}
    for part in ("flash", "data", "weights"):
        out = workspace / f"{part}.bin"
        case.run(f"{CROSS}objcopy", "-O", "binary", "-j", f".{part}", workspace / "other.elf", out)
        parts[part] = bytearray(out.read_bytes() if out.exists() else b"")
    return parts


def check_words(case, name, workspace, out="out", own_context=True):
    """
    A plain loader and the image's own fix-ups turn the file into what a linker makes of the same
    objects at those addresses.
    """
    weights_file = case.dir / out / f"{name}_data.bin"
    image = reader.read(case.dir / out / f"{name}_rel.bin",
                        weights_file if weights_file.exists() else None)
    for rom, ram, weights, acts in ((0x08012340, 0x24000100, 0x50010010, 0x60020020),
                                    (0x60000000, 0x10000040, 0x20000000, 0x30000100)):
        flash, memory = image.load(rom, ram)
        image.create(memory, rom, ram)
        image.initialize(memory, weights, acts)
        want = relink(case, workspace, {"flash": rom, "data": ram, "weights": weights, "acts": acts})
        table = 8 * len(image.fixups) + 4 if image.fixups else 0
        end = image.tables_end - table
        compare_words("FLASH", bytes(flash[100:end]), bytes(want["flash"][100:end]))
        if image.tables:
            struct.pack_into("<2I", want["data"], image.ctx + 12, image.tables, image.tables_crc32)
        if own_context:
            struct.pack_into("<2I", want["data"], image.ctx + 24, image.acts_size, image.weights_size)
        compare_words("RAM", bytes(memory[:image.got_end]), bytes(want["data"][:image.got_end]))
        equal(want["weights"][:image.weights_size], image.weights or b"", "weights")
        check(bytes(memory[image.got_end:]) == bytes(image.bss_end - image.got_end), "bss is not clear")
        for name_of, word in image.entries.items():
            if name_of != "ctx":
                linked = reader.word_at(want["flash"], 52 + 4 * reader.ENTRIES.index(name_of))
                equal(rom + (word & 0x0FFFFFFF), linked, f"entry {name_of}")
    return image


def compare_words(segment, got, want):
    equal(len(got), len(want), f"bytes of {segment}")
    for at in range(0, len(got), 4):
        if got[at:at + 4] != want[at:at + 4]:
            raise kit.Failure(f"{segment} word {at:#x} is {got[at:at + 4][::-1].hex()} after loading, "
                              f"a link at these addresses has {want[at:at + 4][::-1].hex()}")


@each(["digits_float", "digits_int8", "tiny", "features", "state", "functions", "tensors"])
def words_are_those_of_a_link_there(case, name):
    source = SOURCES.get(name, MODELS / f"{name}.c")
    for target in ("stm32f4", "stm32n6"):
        for split in ([], ["--split"]):
            out, workspace = f"{target}{len(split)}", case.dir / f"work-{target}{len(split)}"
            case.generate(source, *split, "--workspace", workspace, out=out, target=target)
            image = check_words(case, name, workspace, out)
            if name == "features":
                check(len(image.fixups) > 10 and len(image.rel) > 10, "the model tests nothing")


@test
def thresholds_move_arrays(case):
    """0 keeps constants with the code and variables with the RAM: the same words in other places."""
    for weights, acts in (("0", "256"), ("256", "0"), ("0", "0"), ("16", "16"), ("1K", "1K")):
        out, workspace = f"w{weights}a{acts}", case.dir / f"work-{weights}-{acts}"
        case.generate(MODELS / "features.c", "--weights-threshold", weights, "--acts-threshold", acts,
                      "--workspace", workspace, out=out)
        image = check_words(case, "features", workspace, out)
        equal(image.weights_size == 0, weights in ("0", "1K"), f"no weights with {weights}")
        equal(image.acts_size == 0, acts in ("0", "1K"), f"no activations with {acts}")


# ---- names ----

@test
def name_sets_files_and_identifier(case):
    case.generate(SOURCES["tiny"], "--name", "my-model 2", "-r", "gen-c-file")
    check("my-model 2_rel.bin" in kit.visible(case.dir / "out"), "file name")
    image = reader.read(case.dir / "out" / "my-model 2_rel.bin")
    equal(image.name, "my_model_2", "C name")
    has((case.dir / "out" / "my-model 2_rel.h").read_text(), "ai_my_model_2_reloc_img_get",
        "AI_MY_MODEL_2_RELOC_IMAGE_SIZE")


@test
def folder_as_input(case):
    folder = case.dir / "st_ai_output"
    folder.mkdir()
    (folder / "tiny.c").write_bytes(SOURCES["tiny"].read_bytes())
    case.relocpack("generate", "--target", "F4", cwd=case.dir)  # both defaults: input and output
    reader.read(case.dir / "build" / "tiny_rel.bin")
    case.relocpack("generate", "--target", "h7", "-m", folder, "-o", "named", "-q", cwd=case.dir)
    reader.read(case.dir / "named" / "tiny_rel.bin")


@test
def smallest_manifest_reads_the_declaration(case):
    (case.dir / "tiny.c").write_bytes(SOURCES["tiny"].read_bytes())
    manifest = case.write("m.json", '{"sources": ["tiny.c"], "entry": "tiny"}')
    case.generate(manifest)
    model = case.report("m")["model"]
    equal([(t["name"], t["dtype"], t["shape"]) for t in model["inputs"] + model["outputs"]],
          [("x", "float32", [1, 4]), ("y", "float32", [1, 2])], "tensors")
    equal([entry["path"] for entry in case.report("m")["inputs"]], ["m.json", "tiny.c"], "inputs")


@test
def entry_on_the_command_line(case):
    case.generate(SOURCES["tiny"], "--entry", "tiny(in a:float[4], out b:float32[1x2])")
    model = case.report("tiny")["model"]
    equal([(t["name"], t["shape"]) for t in model["inputs"] + model["outputs"]],
          [("a", [4]), ("b", [1, 2])], "tensors")


@test
def returned_value_can_be_ignored(case):
    source = case.write("value.c", "int model(const float *in, float *out) { *out = *in; return 1; }\n")
    case.generate(source, "--entry", "model(in:float[1], out:float[1])")
    reader.read(case.dir / "out" / "value_rel.bin")


@test
def quantisation_is_reported(case):
    case.generate(SOURCES["digits_int8"])
    tensor = case.report("digits_int8")["model"]["inputs"][0]
    equal((tensor["dtype"], tensor["shape"], tensor["size_bytes"], tensor["scale"],
           tensor["zero_point"]), ("int8", [1, 8, 8], 64, 0.0625, -128), "input tensor")


@test
def inputs_are_listed_with_their_hashes(case):
    case.generate(SOURCES["digits_float"])
    listed = {entry["path"]: entry for entry in case.report("digits_float")["inputs"]}
    for name in ("digits_float.json", "digits_float.c"):
        data = (EXAMPLES / "digits" / name).read_bytes()
        equal(listed[name]["size_bytes"], len(data), f"size of {name}")
        equal(listed[name]["sha256"], kit.sha256(EXAMPLES / "digits" / name), f"hash of {name}")


@test
def tables_that_moved_to_ram_are_named(case):
    case.generate(MODELS / "features.c")
    report = case.report("features")
    moved = {entry["symbol"] for entry in report["moved_to_ram"]}
    check({"layers", "parts", "nodes", "names"} <= moved, f"moved to RAM: {moved}")
    text = (case.dir / "out" / "features_generate_report.txt").read_text()
    has(text, "Constant tables with pointers", "nodes", "features.c")
    imports = {entry["symbol"]: entry["member"] for entry in report["archive_members"]}
    check(any("memset" in member for member in imports.values()) or imports == {} or "memset" in
          imports, f"imports: {imports}")


@test
def alignment_beyond_the_usual_is_a_warning(case):
    source = case.write("aligned.c", """
#include <stdalign.h>
alignas(64) static float sums[4] = {1, 2, 3, 4};
void entry(const float in[1], float out[1]) { sums[3] += in[0]; out[0] = sums[3]; }
""")
    case.generate(source)
    report = case.report("aligned")
    [said] = [entry["message"] for entry in report["diagnostics"] if entry["id"] == "RP1001"]
    start = next(part["file_offset"] for part in report["image"]["sections"] if part["name"] == "data")
    copied = f". In COPY mode: the RAM's address + {start} has to be a multiple of 64" if start % 64 else ""
    check(said == f"section 'data' wants an alignment of 64 bytes: place the RAM at a multiple of that{copied}", said)
    case.write("aligned.c", """
#include <stdalign.h>
alignas(32) static const float few[4] = {1, 2, 3, 4};
void entry(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = few[(int)in[i] & 3]; }
""")
    case.generate(source)
    said = [entry["message"] for entry in case.report("aligned")["diagnostics"] if entry["id"] == "RP1001"]
    check(said == ["section 'text+rodata' wants an alignment of 32 bytes: place the image at a multiple of that"], f"{said}")
    case.write("aligned.c", """
#include <stdalign.h>
alignas(64) static const float many[600] = {1, 2, 3, 4};
void entry(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = many[(int)in[i] & 511]; }
""")
    for words, what in ((["-r", "split"], "the weights file"), ([], "the image")):
        case.generate(source, *words)
        said = [entry["message"] for entry in case.report("aligned")["diagnostics"] if entry["id"] == "RP1001"]
        equal(said, [f"section 'weights' wants an alignment of 64 bytes: place {what} at a multiple of that"], "note")
    equal(reader.read(case.dir / "out/aligned_rel.bin").weights_start % 64, 0, "where the weights are, from an image that is placed so")


@test
def words_of_the_got_that_lead_too_far(case):
    """They count from the start of the activations, with a sign in 28 bits."""
    text = """
static float a[SIZE], b[SIZE], c[SIZE];
void entry(const float in[1], float out[1]) { a[3] += in[0]; b[5] += a[3]; c[7] += b[5]; out[0] = c[7]; }
"""
    case.generate(case.write("near.c", text.replace("SIZE", "10 << 20")))
    has(case.refuse(9, "RP2907", case.write("far.c", text.replace("SIZE", "17 << 20"))), "a pointer to '", "128 MiB")


@test
def unwinder_that_is_more_than_named(case):
    """Its address is not 0 in a static build."""
    source = case.write("unwinder.c", """
extern int __aeabi_unwind_cpp_pr1(int);
int (*volatile routine)(int) = __aeabi_unwind_cpp_pr1;
void entry(const float in[1], float out[1]) { out[0] = in[0] + (routine != 0); }
""")
    has(case.refuse(6, "RP2600", source, hint="unwind"), "__exidx_start")


@test
def compare_static_reports_both(case):
    case.generate(SOURCES["digits_float"], "--compare-static")
    memory = case.report("digits_float")["memory"]
    check(memory["static"]["flash"] > 500 and memory["static"]["ram"] >= 0, "static sizes")
    validate(case.report("digits_float"))
    text = (case.dir / "out" / "digits_float_generate_report.txt").read_text()
    line = matches(text, r"^ flash += +([0-9,]+) +([0-9,]+) +([-+][0-9.]+)%")
    static, reloc = (int(group.replace(",", "")) for group in line.groups()[:2])
    equal(static, memory["static"]["flash"], "static flash")
    image = reader.read(case.dir / "out" / "digits_float_rel.bin")
    equal(reloc, image.rel_end, "relocatable flash")
    check(abs(float(line.group(3)) - (100.0 * reloc / static - 100.0)) < 0.06, "percentage")


@test
def budgets(case):
    case.generate(SOURCES["tiny"], "--budget", "flash=64K", "--budget", "ram_xip=4096")
    report = case.report("tiny")
    equal([(b["metric"], b["limit"], b["status"]) for b in report["budgets"]],
          [("flash", 65536, "ok"), ("ram_xip", 4096, "ok")], "budgets")
    equal(report["budgets"][0]["value"], report["memory"]["flash"], "value of a budget")
    result = case.generate(SOURCES["tiny"], "--budget", "ram_copy=100", "--budget", "flash=1M",
                           out="over", status=7)
    has(result.err, "error RP2700: ram_copy has ", ", its budget is 100")
    image = reader.read(case.dir / "over" / "tiny_rel.bin")  # everything is written before
    equal(case.report("tiny", "over")["budgets"][0]["status"], "over", "status")
    file = case.write("budget.json", json.dumps({"flash": len(image.data), "ram_xip": image.ram_xip}))
    case.generate(SOURCES["tiny"], "--budget-file", file, out="exact")
    file.write_text(json.dumps({"flash": len(image.data) - 1}))
    has(case.generate(SOURCES["tiny"], "--budget-file", file, out="one", status=7).err,
        f"flash has {len(image.data)} bytes, its budget is {len(image.data) - 1}")


@test
def json_and_depfile_elsewhere(case):
    source = case.dir / "model of mine.c"
    source.write_bytes(SOURCES["tiny"].read_bytes())
    case.generate(source, "--entry", "tiny", "--json", case.dir / "r.json", "--depfile", case.dir / "d.mk",
                  "--name", "m")
    equal((case.dir / "r.json").read_bytes(), (case.dir / "out" / "m_generate_rel.json").read_bytes(),
          "--json")
    subprocess.run(["touch", "-d", "-2 seconds", case.dir / "out" / "m_rel.bin"], check=True)
    subprocess.run(["touch", "-d", "-3 hours", source], check=True)
    target = str(case.dir / "out" / "m_rel.bin")
    make = ["make", "-s", "-f", "-", target]
    rule = (case.dir / "d.mk").read_text() + f"\n{escape_target(target)}:\n\t@echo stale\n"
    check_make(case, make, rule, "", "nothing changed")
    subprocess.run(["touch", "-d", "now", source], check=True)
    check_make(case, make, rule, "stale\n", "the source changed")
    source.rename(case.dir / "gone.c")
    missing = subprocess.run(make, input=rule.encode(), capture_output=True, cwd=case.dir, check=False)
    has(missing.stderr.decode(), "model of mine.c")


def escape_target(path):
    return path.replace(" ", "\\ ")


def check_make(case, argv, rule, want, when):
    done = subprocess.run(argv, input=rule.encode(), capture_output=True, cwd=case.dir, check=False,
                          env=case.env)
    equal((done.returncode, done.stdout.decode(), done.stderr.decode()), (0, want, ""), when)


@test
def second_run_replaces_everything(case):
    case.generate(SOURCES["digits_float"], "-r", "split,gen-c-file")
    first = kit.snapshot(case.dir / "out")
    case.generate(SOURCES["digits_float"], "-r", "split,gen-c-file", "-D", "UNUSED=1")
    second = kit.snapshot(case.dir / "out")
    equal(sorted(first), sorted(second), "files")
    equal(first["digits_float_rel.bin"], second["digits_float_rel.bin"], "image")
    check_output(case, "digits_float")


@test
def nothing_stale_stays(case):
    """A weights file or C array of an earlier build would look as if it belonged to this one."""
    case.generate(SOURCES["digits_int8"], "-r", "split,gen-c-file")
    case.write("out/notes.txt", "mine")
    case.generate(SOURCES["digits_int8"])
    image = check_output(case, "digits_int8")
    check(image.weights_start != 0, "the image is whole")
    left = kit.visible(case.dir / "out")
    for name in ("digits_int8_data.bin", "digits_int8_img_rel.c", "digits_int8_img_rel.h"):
        check(name not in left, f"{name} of the earlier build is still there")
    check("notes.txt" in left, "somebody else's file is gone")


@test
def files_of_others_stay(case):
    """Files with these names that the tool did not write are left alone."""
    mine = {"digits_int8_data.bin": b"my own data", "digits_int8_img_rel.c": b"int mine;\n"}
    for name, content in mine.items():
        case.write(f"out/{name}", content)
    case.generate(SOURCES["digits_int8"])
    for name, content in mine.items():
        equal((case.dir / "out" / name).read_bytes(), content, name)
