# SPDX-License-Identifier: Apache-2.0
"""Images for Cortex-M made by clang (-r llvm): they compute what the static build computes, in place and
copied; weights and tables are where gcc has them; and what is refused or noted.
"""
import json
import os
import shutil

import kit
import reader
import standin
from kit import CROSS, EXAMPLES, MODELS, QEMU, check, each, equal, has, has_not, in_turn, test
from test_copy_only import LIBRARY, SORTING
from test_generate import validate

NEEDS = ["clang", f"{CROSS}gcc"]
CORES = ["stm32f4", "stm32h7", "stm32u5", "stm32n6"]
SOURCES = {
    "tiny": EXAMPLES / "tiny/tiny.c", "digits_float": EXAMPLES / "digits/digits_float.json",
    "digits_int8": EXAMPLES / "digits/digits_int8.json", "features": MODELS / "features.c",
    "functions": MODELS / "functions.c", "state": MODELS / "state.c", "tensors": MODELS / "tensors.c",
}
# Vectors of floats crash clang 14 for Cortex-M55.
PLAIN = ["--cflags=-fno-vectorize"]


def answer_of(case, image, **more):
    return json.loads(case.verify(image, "--json", **more).out)


def in_place_and_copied(case, image, **more):
    answer = answer_of(case, image, **more)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, False, 12), "answer")
    equal({run["mode"] for run in answer["runs"]}, {"XIP", "COPY"}, "modes")


def generated(case, source, *words, name="model", **more):
    """The image and its report."""
    case.generate(source, "-r", more.pop("items", "llvm"), *words, **more)
    report = case.report(name)
    validate(report)
    image = reader.read(case.dir / f"out/{name}_rel.bin")
    equal((image.toolchain, report["toolchain"]["kind"]), (9, "llvm"), "compiler")
    return image, report


@each([(name, core) for name in SOURCES for core in CORES], needs=[QEMU, *NEEDS],
      slow=lambda what: what[1] != "stm32f4" and what[0] != "tiny", spread=in_turn(SOURCES, CORES, 2))
def verified(case, what):
    name, core = what
    words = (PLAIN if core == "stm32n6" else []) + (["-D", "ALL_DEFINED"] if name == "features" else [])
    image, report = generated(case, SOURCES[name], *words, name=name, target=core)
    equal((report["image"]["xip_ok"], report["image"]["reasons"]), (True, []), "in place")
    equal((image.got, report["relocations"]["text_patches"]), ([], 0), "no GOT, no patches")
    in_place_and_copied(case, case.dir / f"out/{name}_rel.bin")


@test(needs=[QEMU, "ccache", *NEEDS])
def a_cache_has_what_is_ours(case):
    """Files that clang's assembler reads are in no list, but our own sources read none: the cache has their objects."""
    calls = case.dir / "calls"
    clang = case.write("bin/clang", f'#!/bin/sh\necho "$*" >>{calls}\nexec {shutil.which("clang")} "$@"\n')
    clang.chmod(0o755)
    env = {"PATH": f"{clang.parent}:{os.environ['PATH']}", "CCACHE_DIR": case.dir / "cache"}
    numbers = []
    for _ in range(2):
        calls.unlink(missing_ok=True)
        generated(case, SOURCES["tiny"], name="tiny", env=env)
        case.verify(case.dir / "out/tiny_rel.bin", env=env)
        numbers.append(len(calls.read_text().splitlines()))
    check(numbers[0] > 12, f"the compiler runs {numbers[0]} times with an empty cache")
    check(numbers[1] < 8, f"the compiler runs {numbers[1]} times with a full one: to preprocess")


@test(needs=NEEDS)
def weak_symbols_that_nothing_defines(case):
    """Clang uses their distance, which changes with the image's place; gcc has a GOT word."""
    message = case.refuse(5, "RP2500", SOURCES["features"], "-r", "llvm")
    has(message, "nobody_defines_this", "weak", "with gcc")


@each(CORES, needs=[QEMU, *NEEDS], slow=lambda core: core != "stm32n6")
def vectors(case, core):
    """Plain loops, which clang vectorises on a core with vectors."""
    source = case.write("model.c", "static const float w[400] = {1, 2, [9] = 3, [399] = -1};\nstatic float s[400];\n"
                        "void model(const float in[400], float out[400]) {\n    for (int i = 0; i < 400; i++)\n"
                        "        out[i] = s[i] = in[i] * w[i] + s[i];\n}\n")
    image, _ = generated(case, source, target=core)
    equal(image.weights_size, 1600, "weights")
    in_place_and_copied(case, case.dir / "out/model_rel.bin")


@test(needs=[QEMU, *NEEDS])
def same_weights_as_of_gcc(case):
    """The same arrays, by size, including the constants that are reached through a table of pointers."""
    source = SOURCES["digits_float"]
    case.generate(source, out="gcc")
    image, report = generated(case, source, "--split", name="digits_float")
    gcc = case.report("digits_float", "gcc")
    equal(report["memory"]["params"], gcc["memory"]["params"], "bytes of weights")
    equal(sorted(reader.read(case.dir / "gcc/digits_float_rel.bin").weights),
          sorted((case.dir / "out/digits_float_data.bin").read_bytes()[:report["memory"]["params"]]), "bytes")
    equal([moved["symbol"] for moved in report["moved_to_ram"]], ["layers"], "tables in RAM")
    has(json.dumps(report["diagnostics"]), "RP1014", "5120 bytes of large zeroed arrays")
    equal(report["memory"]["acts"], 0, "activations")
    in_place_and_copied(case, case.dir / "out/digits_float_rel.bin")


PARTS = {"model.c": """extern const float table[100];
extern const char *const names[];
static const unsigned char own[300] = {9, 8, 7};
static float (*volatile function)(float);
static float half(float x) { return x / 2; }
void model(const float in[4], float out[4]) {
    static const signed char again[400] = {[3] = -1};
    function = half;
    for (int i = 0; i < 4; i++) {
        unsigned k = (unsigned)(in[i] * 100.0f) & 63u;
        out[i] = table[k] + (float)names[k & 1][0] + own[k] + again[k & 7] + function(in[i]);
    }
}
""", "other.c": """const float table[100] = {1, 2, [7] = 3, [14] = 4, [21] = 0.5f};
const char *const names[] = {"own", "table"};
"""}


def two_units(case, text=PARTS["model.c"]):
    for name, content in {**PARTS, "model.c": text}.items():
        case.write(name, content)
    return case.write("model.json", json.dumps({
        "name": "model", "sources": ["model.c", "other.c"], "entry": "model",
        "inputs": [{"name": "in", "dtype": "float32", "shape": [4]}],
        "outputs": [{"name": "out", "dtype": "float32", "shape": [4]}]}))


@test(needs=[QEMU, *NEEDS])
def constants_of_another_unit(case):
    image, report = generated(case, two_units(case), items="llvm,split")
    equal(image.weights_size, 400 + 300 + 400, "weights")
    equal([moved["symbol"] for moved in report["moved_to_ram"]], ["names"], "tables in RAM")
    in_place_and_copied(case, case.dir / "out/model_rel.bin")


@test(needs=[QEMU, *NEEDS])
def thresholds(case):
    image, _ = generated(case, two_units(case), "--weights-threshold", "0")
    equal(image.weights_size, 0, "weights")
    in_place_and_copied(case, case.dir / "out/model_rel.bin")
    image, _ = generated(case, two_units(case), "--weights-threshold", "350")
    equal(image.weights_size, 800, "weights")
    in_place_and_copied(case, case.dir / "out/model_rel.bin")


@test(needs=[QEMU, *NEEDS])
def constants_that_cannot_be_moved(case):
    """The user's own assembly refers to them: the table is patched in a copy, and named."""
    text = PARTS["model.c"].replace(
        "    function = half;\n", "    function = half;\n    const char *const *all;\n"
        "    __asm__(\"ldr %0, 1f\\n0:\\tadd %0, pc\\n\\tb 2f\\n\\t.balign 4\\n1:\\t.word names-(0b+4)\\n2:\""
        " : \"=r\"(all));\n").replace("names[k & 1]", "all[k & 1]")
    _, report = generated(case, two_units(case, text))
    equal(report["image"]["xip_ok"], False, "in place")
    has(report["image"]["reasons"][-1], "constant table 'names (", "other.c")
    equal(report["relocations"]["text_patches"], 2, "patches")
    has(json.dumps(report["diagnostics"]), "RP1016")
    answer = answer_of(case, case.dir / "out/model_rel.bin")
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, True, 6), "answer")


@test(needs=[QEMU, *NEEDS])
def code_that_must_not_grow(case):
    """If the code does not assemble with longer instructions, the weights stay with it."""
    clang = case.write("bin/clang", f"""#!/bin/sh
for word; do case $word in @*.rsp) rsp=${{word#@}} ;; esac; done
if grep -qs 'moved\\.s' "$rsp" && grep -qs 'rp_at\\.' "${{rsp%.rsp}}.moved.s"; then
    echo "model.c:1:1: error: out of range pc-relative fixup value" >&2; exit 1
fi
exec {shutil.which("clang")} "$@"
""")
    clang.chmod(0o755)
    env = {"PATH": f"{clang.parent}:{case.env['PATH']}"}
    image, report = generated(case, two_units(case), "--launcher", "none", env=env)
    equal((image.weights_size, report["image"]["xip_ok"]), (0, True), "weights, in place")
    has(json.dumps(report["diagnostics"]), "RP1015", "1100 bytes of large constants")
    in_place_and_copied(case, case.dir / "out/model_rel.bin")


@test(needs=[QEMU, *NEEDS])
def newlib(case):
    """Absolute words of newlib are refused, or patched in a copy."""
    source = case.write("model.c", LIBRARY)
    has(case.refuse(5, "RP2500", source, "-r", "llvm", hint="-r copy-only"), "lgammaf", "libm.a")
    _, report = generated(case, source, items="llvm,copy-only")
    equal(report["image"]["xip_ok"], False, "in place")
    equal(answer_of(case, case.dir / "out/model_rel.bin")["identical"], True, "answer")


@test(needs=[QEMU, *NEEDS])
def r9_in_use_by_the_caller(case):
    """gcc's qsort keeps a value of its own in r9; here a pointer to the comparison is a distance."""
    source = case.write("model.c", SORTING.replace("COUNT", "calls++;"))
    has(case.refuse(5, "RP2503", source, "-r", "llvm"), "qsort (libc.a(lib_a-qsort.o)) -> compare", "model.c")
    generated(case, case.write("model.c", SORTING.replace("COUNT", "")))
    in_place_and_copied(case, case.dir / "out/model_rel.bin")


V10, V70 = (10, 0), (7, 0)


@each([(version, weights) for version, weights in [("10", "params"), ("10", "raw"), ("10", "raw_array"), ("70", "bytes"),
                                                   ("70", "raw")]], needs=[QEMU, *NEEDS])
def vendor_runtime(case, what):
    """clang's code and a kernel archive from gcc, each with its own way to its data."""
    version, weights = {"10": V10, "70": V70}[what[0]], what[1]
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, version)}
    image, report = generated(case, standin.network(case, version, weights), name="network", env=env)
    equal(image.weights, standin.WEIGHTS, "weights")
    check(report["relocations"]["by_type"].get("R_ARM_GOT_BREL", 0) > 0, "the archive uses the GOT")
    in_place_and_copied(case, case.dir / "out/network_rel.bin", env=env)


# ---- two compilers ----

@test(needs=NEEDS)
def both_compilers(case):
    for words, kinds in ([[], ["gcc", "llvm"]], [["-r", "llvm"], ["llvm", "gcc"]]):
        case.generate(SOURCES["digits_int8"], *words, "--compare-toolchains", "--compare-static")
        report = case.report("digits_int8")
        validate(report)
        own, other = report["toolchains"]
        equal([own["kind"], other["kind"]], kinds, "compilers")
        for key in ("flash", "params", "acts", "ram_xip", "ram_copy"):
            equal(own[key], report["memory"][key], key)
        for key in ("rel_words", "got_entries", "fixup_words", "text_patches"):
            equal(own[key], report["relocations"][key], key)
        equal(own["params"], other["params"], "weights")
        check(own["flash"] != other["flash"] and own["xip_ok"] and other["xip_ok"], "both are built")
        text = (case.dir / "out/digits_int8_generate_report.txt").read_text()
        has(text, " By compiler\n", f"{own['ram_xip']:,}", "can run in place")


@test(needs=NEEDS)
def same_bytes_anywhere(case):
    for name in ("a", "b"):
        folder = case.path(name, "x").parent
        shutil.copy(SOURCES["tensors"], folder / "model.c")
        case.generate(folder / "model.c", "-r", "llvm", "--reproducible", out=f"out-{name}")
    equal(*[(case.dir / f"out-{name}/model_rel.bin").read_bytes() for name in ("a", "b")], "images")
    equal(*[(case.dir / f"out-{name}/model_generate_rel.json").read_bytes() for name in ("a", "b")], "reports")


@test(needs=[QEMU, *NEEDS])
def other_program(case):
    program = case.write("bin/starm-clang", f'#!/bin/sh\nexec {shutil.which("clang")} "$@"\n')
    program.chmod(0o755)
    env = {"PATH": f"{program.parent}:{case.env['PATH']}"}
    case.generate(SOURCES["state"], "-r", "st-clang", env=env)
    equal(reader.read(case.dir / "out/state_rel.bin").toolchain, 10, "compiler")
    equal(case.report("state")["toolchain"]["kind"], "st-clang", "compiler")
    in_place_and_copied(case, case.dir / "out/state_rel.bin", env=env)


@test(needs=NEEDS)
def inspected(case):
    generated(case, SOURCES["tiny"], name="tiny")
    told = case.relocpack("inspect", case.dir / "out/tiny_rel.bin").out
    has(told, "Embedded ARM CLANG")
    has_not(told, "patches")


# ---- errors ----

@test
def without_clang(case):
    folder = case.path("bin", "x").parent
    for name in ("make", f"{CROSS}gcc", "sh"):
        (folder / name).symlink_to(shutil.which(name))
    has(case.refuse(3, "RP2300", SOURCES["tiny"], "-r", "llvm", env={"PATH": folder}, hint="apt-get install clang"), "clang")


@test(needs=NEEDS)
def options_of_another_target(case):
    case.refuse(2, "RP2200", SOURCES["tiny"], "-r", "llvm", "--compatible-mode")
    case.refuse(2, "RP2200", SOURCES["tiny"], "-r", "llvm,st-clang")


@test(needs=NEEDS)
def smallest_size(case):
    """With -Oz clang emits words that GNU ld does not know."""
    source = case.write("model.c", "static int n;\nvoid model(const float in[1], float out[1]) { out[0] = in[0] + (float)n++; }\n")
    has(case.refuse(4, "RP2401", source, "-r", "llvm", "--cflags=-Oz"), "unsupported relocation", "model.c")


@test(needs=NEEDS)
def link_time_optimisation(case):
    for how in ((), ("-r", "llvm")):
        has(case.refuse(2, "RP2200", SOURCES["tiny"], *how, "--cflags=-flto"), "link-time")
