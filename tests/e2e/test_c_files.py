# SPDX-License-Identifier: Apache-2.0
"""C for the firmware: the header with sizes and tensors, which is always written; image and weights as arrays."""
import re

import kit
from kit import CROSS, EXAMPLES, MODELS, QEMU, check, each, equal, has, has_not, test

DIGITS = EXAMPLES / "digits/digits_int8.json"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
CXX = "g++"


def macros(case, name, out="out"):
    """{NAME: text of the value} of the header."""
    text = (case.dir / out / f"{name}_rel.h").read_text()
    return dict(re.findall(rf"^#define AI_{name.upper()}_RELOC_(\w+) +(\S.*)$", text, re.M))


def number(text):
    return int(text.strip("()u"))


def check_header(case, name, out="out"):
    """Macros against the report; types against the sizes of tensors, by three compilers."""
    report, found = case.report(name, out), macros(case, name, out)
    sections = {row["name"]: row for row in report["image"]["sections"]}
    files = {row["path"]: row["size_bytes"] for row in report["files"]}
    want = {"RAM_SIZE_XIP": report["memory"]["ram_xip"], "RAM_SIZE_COPY": report["memory"]["ram_copy"],
            "ACTIVATIONS_SIZE": report["memory"]["acts"], "WEIGHTS_SIZE": sections["weights"]["size_bytes"],
            "IMAGE_SIZE": files[f"{name}_rel.bin"]}
    if report["image"]["split"]:
        want["WEIGHTS_FILE_SIZE"] = files[f"{name}_data.bin"]
    equal({key: number(found[key]) for key in want}, want, "sizes")
    lines = [f'#include "{name}_rel.h"', "#define SAME(a, b) typedef char same_##a[(b) ? 1 : -1]"]
    for way in ("in", "out"):
        tensors = report["model"][f"{way}puts"]
        equal(number(found[f"{way.upper()}_NUM"]), len(tensors), f"number of {way}puts")
        for place, tensor in enumerate(tensors, 1):
            of = f"{way.upper()}_{place}"
            equal(found[f"{of}_NAME"], f'"{tensor["name"]}"', "name")
            equal(number(found[f"{of}_SIZE_BYTES"]), tensor["size_bytes"], f"bytes of {of}")
            lines.append(f"SAME({way}{place}, sizeof(ai_{name}_reloc_{way}_{place}) == AI_{name.upper()}_RELOC_{of}_SIZE_BYTES);")
            equal(f"{of}_SCALE" in found, "scale" in tensor, f"scale of {of}")
            if "scale" in tensor:
                equal((float(found[f"{of}_SCALE"].strip("()f")), int(found[f"{of}_ZERO_POINT"].strip("()"))),
                      (tensor["scale"], tensor["zero_point"]), f"quantisation of {of}")
    source = case.write("use.c", "\n".join(lines) + "\n")
    for compiler, *flags in ((f"{CROSS}gcc", "-std=c99"), ("cc", "-std=c11"), (CXX, "-x", "c++", "-std=c++11")):
        case.run(compiler, *flags, *STRICT, "-Wno-unused-local-typedefs", f"-I{case.dir / out}", "-c", source, "-o", "use.o")
    return found


HEADERS = {"quantised": DIGITS, "float": EXAMPLES / "digits/digits_float.json", "types": MODELS / "tensors.c",
           "no-weights": EXAMPLES / "tiny/tiny.c"}


@each(HEADERS, needs=[CXX])
def header_says_the_sizes(case, label):
    case.generate(HEADERS[label], *([] if label != "quantised" else ["-r", "split"]))
    name = HEADERS[label].stem
    found = check_header(case, name)
    equal("WEIGHTS_FILE_SIZE" in found, label == "quantised", "size of the weights file")
    has_not((case.dir / f"out/{name}_rel.h").read_text(), "_get(void)")
    has((case.dir / f"out/{name}_generate_report.txt").read_text(), f"/{name}_rel.h")


@test(needs=[CXX])
def alignments(case):
    """A model whose variables and weights want more than usual: the macros say it, the arrays have it."""
    case.write("wide.c", """
__attribute__((aligned(64))) static const float table[1024] = {1.5f, 2};
__attribute__((aligned(32))) static float kept[8];
void wide(const float x[8], float y[8]);
void wide(const float x[8], float y[8]) {
    for (int i = 0; i < 8; i++) {
        kept[i] += x[i];
        y[i] = kept[i] + table[(i * 77 + (int)x[0]) & 1023];
    }
}
""")
    for words, key in (([], "IMAGE"), (["-r", "split,gen-c-weights"], "WEIGHTS")):
        case.generate(case.dir / "wide.c", *words, "-r", "gen-c-file", out=key)
        found = check_header(case, "wide", key)
        equal(number(found["RAM_ALIGNMENT"]) >= 32, True, "alignment of the RAM")
        equal(number(found[f"{key}_ALIGNMENT"]), 64, f"alignment of {key}")
        source = case.dir / key / ("wide_img_data.c" if key == "WEIGHTS" else "wide_img_rel.c")
        case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", "-std=c99", *STRICT, "-c", source, "-o", "array.o")
        rows = [line.split() for line in case.run(f"{CROSS}readelf", "-SW", "array.o").out.splitlines() if " .rodata " in line]
        equal([row[-1] for row in rows], ["64"], f"alignment of the section: {rows}")


@test(needs=[CXX])
def awkward_names(case):
    case.write("m.json", r'{"sources": ["m.c"], "entry": "f", "name": "a_b", "inputs": [{"name": "in \"quoted\" \\ */", "dtype": "bool",'
               r' "shape": [2]}], "outputs": [{"name": "?", "dtype": "uint8", "shape": [1], "scale": 1, "zero_point": -0}]}')
    case.write("m.c", "#include <stdbool.h>\nvoid f(const bool *x, unsigned char *y) { *y = x[0]; }\n")
    case.generate(case.dir / "m.json")
    header = case.dir / "out/a_b_rel.h"
    has(header.read_text(), '_OUT_1_SCALE           (1.0f)', "#include <stdbool.h>")
    source = case.write("use.c", '#include "a_b_rel.h"\nconst char n[] = AI_A_B_RELOC_IN_1_NAME;\nai_a_b_reloc_in_1 x;\n'
                        "const float s = AI_A_B_RELOC_OUT_1_SCALE;\n")
    for compiler, *flags in (("cc", "-std=c99"), (CXX, "-x", "c++")):
        case.run(compiler, *flags, *STRICT, "-Wno-missing-declarations", f"-I{case.dir / 'out'}", "-c", source, "-o", "use.o")
    has((case.dir / "use.o").read_bytes().decode("latin-1"), 'in "quoted" \\ */')


FIRMWARE = r"""
#include <string.h>
#include "ai_reloc_network.h"
#include "digits_int8_rel.h"
static uint8_t ram[AI_DIGITS_INT8_RELOC_RAM_SIZE_MODE] __attribute__((aligned(AI_DIGITS_INT8_RELOC_RAM_ALIGNMENT)));
static uint8_t acts[AI_DIGITS_INT8_RELOC_ACTIVATIONS_SIZE] __attribute__((aligned(AI_DIGITS_INT8_RELOC_ACTIVATIONS_ALIGNMENT)));
static ai_digits_int8_reloc_in_1 image = {{{IMAGE}}};
static ai_digits_int8_reloc_out_1 scores;
static const ai_digits_int8_reloc_out_1 expected = {{{SCORES}}};

__attribute__((noinline)) static int check(void) {
    ai_rel_network_load_args args = {.obj = ai_digits_int8_reloc_img_get(), .obj_size = AI_DIGITS_INT8_RELOC_IMAGE_SIZE,
                                     .ram_addr = ram, .ram_size = sizeof ram, .mode = AI_RELOC_RT_LOAD_MODE_MODE};
    ai_handle net = AI_HANDLE_NULL;
    ai_network_report report;
    if (ai_rel_network_load_and_create_sized(&args, &net, NULL) != 0)
        return 2;
    ai_handle weights[] = {(ai_handle)(uintptr_t)ai_digits_int8_reloc_weights_get()}, activations[] = {acts};
    if (!ai_rel_network_init(net, weights, activations) || !ai_rel_network_get_report(net, &report))
        return 3;
    report.inputs[0].data = AI_HANDLE_PTR(image);
    report.outputs[0].data = AI_HANDLE_PTR(scores);
    if (ai_rel_network_run(net, report.inputs, report.outputs) != 1)
        return 4;
    return memcmp(scores, expected, sizeof scores) == 0 ? 0 : 5;
}
extern uint32_t stack_top[], data_start[], data_end[], data_load[];
void reset(void);
void reset(void) {
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
    memcpy(data_start, data_load, (size_t)((char *)data_end - (char *)data_start));
    volatile uint32_t block[] = {0x20026, (uint32_t)check()};
    register uint32_t r0 __asm__("r0") = 0x20;
    register volatile uint32_t *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
    for (;;) { }
}
__attribute__((section(".vectors"), used)) static const struct { void *stack; void (*start)(void); } vectors = {stack_top, reset};
"""
SCRIPT = """
ENTRY(reset)
MEMORY { FLASH : ORIGIN = 0, LENGTH = 4M  RAM : ORIGIN = 0x20000000, LENGTH = 4M }
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text* .rodata*) } > FLASH
  .ARM.exidx : { *(.ARM.exidx*) } > FLASH
  .data : { data_start = .; *(.data*) . = ALIGN(4); data_end = .; } > RAM AT > FLASH
  data_load = LOADADDR(.data);
  .bss : { *(.bss* COMMON) } > RAM
  stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
"""


def numbers_of(path):
    """The bytes of an .npy file of int8 as C."""
    data = path.read_bytes()
    data = data[10 + int.from_bytes(data[8:10], "little"):]
    return ", ".join(str(byte - 256 if byte > 127 else byte) for byte in data)


@each(["XIP", "COPY"], needs=[QEMU])
def firmware_of_the_header_alone(case, mode):
    """Buffers, types, image and weights all come from what generate wrote; the outputs are those of the example."""
    case.generate(DIGITS, "-r", "split,gen-c-file,gen-c-weights", "--target", "stm32f4")
    out, digits = case.dir / "out", EXAMPLES / "digits"
    text = FIRMWARE.replace("SIZE_MODE", f"SIZE_{mode}").replace("LOAD_MODE_MODE", f"LOAD_MODE_{mode}")
    text = text.replace("{{{IMAGE}}}", "{{{%s}}}" % "}, {".join(
        ", ".join(numbers_of(digits / "image0_int8.npy").split(", ")[row * 8:row * 8 + 8]) for row in range(8)))
    case.write("main.c", text.replace("{{{SCORES}}}", "{{%s}}" % numbers_of(digits / "scores0_int8.npy")))
    case.write("board.ld", SCRIPT)
    case.run(f"{CROSS}gcc", *kit.target_flags(case, "stm32f4"), "-Os", "-std=c11", *STRICT, f"-I{out}", "-nostartfiles", "-DAI_RELOC_NO_MALLOC",
             "--specs=nosys.specs", "-T", "board.ld", "main.c", out / "digits_int8_img_rel.c", out / "digits_int8_img_data.c",
             out / "ai_reloc_network.c", "-o", "firmware.elf")
    done = case.run(QEMU, "-M", "mps2-an386", "-kernel", "firmware.elf", "-display", "none", "-serial", "none", "-monitor",
                    "none", "-semihosting-config", "enable=on,target=native", status=None)
    equal(done.status, 0, "first check that failed")


@test
def names_and_leftovers(case):
    """Which files there are, with our names and the vendor's; those of runs with other choices are removed."""
    every = {"_data.bin", "_rel.h", "_img_rel.c", "_img_rel.h", "_img_data.c", "_rel.c", "_rel_params.c", "_rel_params.bin"}
    for words, want in ((["-r", "split,gen-c-file,gen-c-weights"], {"_data.bin", "_rel.h", "_img_rel.c", "_img_rel.h", "_img_data.c"}),
                        (["-r", "split", "--gen-c-weights"], {"_data.bin", "_rel.h", "_img_data.c"}),
                        (["-r", "split,gen-c-file,gen-c-weights", "--vendor-names"],
                         {"_rel_params.bin", "_rel.h", "_rel.c", "_rel_params.c"}),
                        ([], {"_rel.h"}), (["--no-c-files", "-r", "split,gen-c-file,gen-c-weights"], {"_data.bin"})):
        case.generate(DIGITS, *words)
        equal({name for name in every if (case.dir / f"out/digits_int8{name}").exists()}, want, f"files with {words}")
    has(case.refuse(2, "RP2200", DIGITS, "-r", "gen-c-weights"), "gen-c-weights goes with split")


@test
def folder_with_arrays_is_an_input(case):
    """Where the model is, its own arrays are not taken for models."""
    case.write("net/model.c", (EXAMPLES / "digits/digits_float.c").read_text())
    for names in ([], ["--vendor-names"]):
        for _ in range(2):
            case.generate(case.dir / "net", "-r", "split,gen-c-file,gen-c-weights", *names, out="net")
    check((case.dir / "net/model_rel_params.c").exists(), "array of the weights")


@test(needs=[CXX])
def model_without_weights(case):
    """Nothing to split off: no array of weights, and no error."""
    case.generate(EXAMPLES / "tiny/tiny.c", "-r", "split,gen-c-weights")
    check(not (case.dir / "out/tiny_img_data.c").exists(), "an array of nothing")
    check_header(case, "tiny")
