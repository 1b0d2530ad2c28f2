# SPDX-License-Identifier: Apache-2.0
"""Where sections with names of their own go: variables to the RAM with their initial values, code to the
flash, whatever they are called; names of the image's own entry code and linker script are refused.
"""
import struct

import kit
import reader
from kit import CROSS, QEMU, check, each, has, test

ENTRY = "void entry(const int in[4], int out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * %s; }\n"
VALUES = struct.pack("<4i", 5, -6, 7, 80)
LIST = "{5, -6, 7, 80}"


def named(section, more=""):
    return f'int own[4] __attribute__((section("{section}"))) = {LIST};{more}\n' + ENTRY % "own[i]++"


def assembled(section, flags="aw"):
    return (f'__asm__(".section {section},\\"{flags}\\",%progbits\\n.balign 4\\n.global own\\nown: .word 5, -6, 7, 80\\n'
            '.previous\\n");\nextern int own[4];\n') + ENTRY % "own[i]++"


# Initial values although the section's name promises none.
FILLED = {"tensor_arena": named(".tensor_arena"), "bss": assembled(".bss.own")}
WAYS = {"m4": ("stm32f4", []), "m7": ("stm32h7", []), "m33": ("stm32u5", []), "m55": ("stm32n6", []), "m0": ("stm32f0", []),
        "llvm": ("stm32h7", ["-r", "llvm"]), "compact": ("stm32h7", ["-r", "compact"]), "copy": ("stm32h7", ["-r", "copy-only"])}


def in_data(case, name):
    """The values are in what a loader copies to the RAM."""
    image = reader.read(case.dir / f"out/{name}_rel.bin")
    check(VALUES in image.ram_image, f"the initial values are not in the data: {image.ram_image.hex()}")


@each([(kind, way) for kind in FILLED for way in WAYS], needs=["clang"])
def filled(case, row):
    kind, way = row
    target, words = WAYS[way]
    case.generate(case.write("model.c", FILLED[kind]), *words, target=target)
    in_data(case, "model")


@each(list(FILLED))
def filled_in_an_archive(case, kind):
    obj = kit.compile_object(case, case.write("part.c", FILLED[kind].replace("entry", "part")), case.dir / "part.o")
    case.run(f"{CROSS}ar", "rcs", case.dir / "libpart.a", obj)
    source = case.write("model.c", "void part(const int *, int *);\nvoid entry(const int in[4], int out[4]) { part(in, out); }\n")
    case.generate(source, "--runtime-lib", case.dir / "libpart.a")
    in_data(case, "model")


@test
def zeros_cost_nothing(case):
    """An arena of zeros stays in the part without contents."""
    text = 'static int arena[512] __attribute__((section(".tensor_arena")));\n' + ENTRY % "++arena[100 * i]"
    case.generate(case.write("model.c", text))
    image = reader.read(case.dir / "out/model_rel.bin")
    check(len(image.ram_image) < 1024, "zeros are in the file")


FUNCTION = '__attribute__((section("%s"), noinline)) int own(int x) { return 3 * x; }\n' + ENTRY % "own(i)"
RIGHT = {
    "rodata": (named(".rodata.own"), []), "text": (named(".text.own"), []), "text_llvm": (named(".text.own"), ["-r", "llvm"]),
    "rodata_tvm": (named(".rodata.tvm"), []), "large": (named(".rodata.own", "\nint more[400] = {[3] = 1};"), ["-r", "compact"]),
    "table": ('int a, b;\nint *const own[2] __attribute__((section(".rodata.own"))) = {&a, &b};\n' + ENTRY % "*own[i & 1]", []),
    "function": (FUNCTION % ".data.own", []),
    # before, at the end of and behind arrays in the weights, the RAM and the flash
    "before": ("const int w[100] = {1, 2, 3};\nconst int *p = w - 1, *q = w + 100, *r = w + 300;\n" + ENTRY % "p[i + 1] + q[i - 100] + r[i - 300]", []),
    "before_llvm": ("const int w[100] = {1, 2, 3};\nconst int *p = w - 1, *r = w + 300;\n" + ENTRY % "p[i + 1] + r[i - 300]", ["-r", "llvm"]),
    "before_copy": ("const int w[100] = {1, 2, 3};\nconst int *const p = w - 1;\n" + ENTRY % "p[i + 1]", ["-r", "copy-only"]),
    "before_compact": ("const int w[100] = {1, 2, 3};\nconst int *p = w - 1;\nconst int *t[40] = {w, w + 1, w + 2};\n" + ENTRY % "(p[i + 1] + *t[i & 1])",
                       ["-r", "compact"]),
    "before_acts": ("static int a[100];\nint *p = a - 1, *q = a + 100;\n" + ENTRY % "(p[i + 1] += q[i - 100] + 1)", []),
    "before_data": ("static int a[4] = {1, 2};\nint *p = a - 4, *q = a + 4;\n" + ENTRY % "(p[i + 4] + q[i - 4])", []),
}


@each(list(RIGHT), needs=[QEMU, "clang"])
def right(case, label):
    text, words = RIGHT[label]
    case.generate(case.write("model.c", text), *words)
    has(case.verify(case.dir / "out/model_rel.bin").out, " runs bit-identical to the static build")


@test
def pointer_that_no_loader_follows(case):
    text = "static int a[4] = {1, 2};\nint *p = a - 5000;\n" + ENTRY % "p[i + 5000]"
    has(case.refuse(5, "RP2500", case.write("model.c", text)), "p in section ", "leads out of the part", "model.c")


RESERVED = {
    "context": (named(".network_rt_ctx"), "'.network_rt_ctx'"), "flags": (named(".network_rt_flags"), "'.network_rt_flags'"),
    "vector": (named(".network_rt_init"), "'.network_rt_init'"), "imports": (named(".rp_imports"), "'.rp_imports'"),
    "fixups": (assembled(".rp_fixups", "a"), "'.rp_fixups'"), "got": ("int _rp_got_start = 7;\n" + ENTRY % "_rp_got_start", "'_rp_got_start'"),
    "table": ("__attribute__((weak)) int _rp_fixups = 7;\n" + ENTRY % "_rp_fixups", "'_rp_fixups'"),
    "weak": ("__attribute__((weak)) int rp_instance[4];\n" + ENTRY % "rp_instance[i]", "'rp_instance'"),
    "strong": ("int rp_entries[4] = {1};\n" + ENTRY % "rp_entries[i]", "'rp_entries'"),
    "common": ("int rp_flags[4] __attribute__((common));\n" + ENTRY % "rp_flags[i]", "'rp_flags'"),
    "function": ("int rp_instance(int x) { return x; }\n" + ENTRY % "rp_instance(i)", "'rp_instance'"),
}


@each(list(RESERVED))
def refused(case, label):
    text, name = RESERVED[label]
    has(case.refuse(4, "RP2407", case.write("model.c", text), hint="another name"), name, "model.c")


@each(list(RESERVED))
def refused_in_an_archive(case, label):
    text, name = RESERVED[label]
    obj = kit.compile_object(case, case.write("part.c", text.replace("entry", "part")), case.dir / "part.o")
    case.run(f"{CROSS}ar", "rcs", case.dir / "libpart.a", obj)
    source = case.write("model.c", "void part(const int *, int *);\nvoid entry(const int in[4], int out[4]) { part(in, out); }\n")
    has(case.refuse(4, "RP2407", source, "--runtime-lib", case.dir / "libpart.a"), name, "libpart.a(part.o)")


@test
def not_linked_is_not_refused(case):
    """An unused member may have any name."""
    for name, text in (("part", "int part(int x) { return 2 * x; }\n"), ("other", "int rp_instance;\n")):
        kit.compile_object(case, case.write(f"{name}.c", text), case.dir / f"{name}.o")
    case.run(f"{CROSS}ar", "rcs", case.dir / "libpart.a", case.dir / "part.o", case.dir / "other.o")
    source = case.write("model.c", "int part(int);\n" + ENTRY % "part(i)")
    case.generate(source, "--runtime-lib", case.dir / "libpart.a")


@test
def static_names_are_the_models_own(case):
    """Local symbols are not confused with anything."""
    text = ("static int rp_instance = 3, _rp_data_end = 4, _rp_got_start = 5;\n"
            "__attribute__((noinline)) static int rp_boot_rebase(int x) { return x + _rp_got_start++; }\n")
    source = case.write("model.c", text + ENTRY % "(rp_instance++ + _rp_data_end++ + rp_boot_rebase(i))")
    for words in ([], ["-r", "compact"]):
        case.generate(source, *words)
        reader.read(case.dir / "out/model_rel.bin")


@test
def code_and_data_in_one_section(case):
    """Neither place is right for both parts."""
    source = case.write("model.c", assembled(".text.own", "awx").replace("own: .word", "nop\\nnop\\nown: .word"))
    has(case.refuse(4, "RP2406", source), "'.text.own'", "model.c", "is code")


@test
def names_that_patterns_do_not_mean(case):
    """A name with a wildcard in it cannot be listed for the linker, so it is refused by name."""
    source = case.write("model.c", assembled(".bss.a*b"))
    has(case.refuse(4, "RP2406", source), ".bss.a*b", "model.c", "all zeros")
