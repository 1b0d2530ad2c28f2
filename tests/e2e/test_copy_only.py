# SPDX-License-Identifier: Apache-2.0
"""Code that is not position-independent, patched by the image itself in a copy (-r copy-only)."""
import json
import pathlib
import shutil

import kit
import npu_kit
import reader
import standin
from kit import EXAMPLES, QEMU, check, each, equal, has, in_turn, test

LIBRARY = """#include <math.h>
static const float table[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.5f};
static const char *const names[] = {"a", "bc", "d"};
void model(const float in[8], float out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = lgammaf(in[i]) + expf(in[i] * table[i]) + names[i % 3][0] + j1f(in[i]);
}
"""
SORTING = """#include <stdlib.h>
static int calls;
static int compare(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    COUNT
    return (x > y) - (x < y);
}
void model(const float in[8], float out[9]) {
    calls = 0;
    for (int i = 0; i < 8; i++)
        out[i] = in[i];
    qsort(out, 8, sizeof *out, compare);
    out[8] = (float)calls;
}
"""
FLAGS = {"newlib": [], "words": ["-fno-pic"], "halves": ["-fno-pic", "-mslow-flash-data"], "fast": ["-fno-pic", "-O3"]}
V10 = (10, 0)
CORES = ["stm32f4", "stm32h7", "stm32u5", "stm32n6", "stm32f0", "stm32g0", "ra2l1", "ra8m1"]


def verified(case, image, runs=6):
    """COPY mode computes what the static build computes; XIP mode is refused."""
    answer = json.loads(case.verify(image, "--json").out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, True, runs), "answer")
    equal({run["mode"] for run in answer["runs"]}, {"COPY"}, "modes")


DROPPED = """typedef float (*function)(float);
static float more(float x) { return x + 1; }
static float twice(float x) { return x * 2; }
__attribute__((section(".rodata.mine"))) const int before = 7;
__attribute__((section(".rodata.mine"))) const function table[2] = {more, twice};
float unused(int k, float x);
float unused(int k, float x) { return table[k & 1](x) + before; }
float scale(float x);
float scale(float x) { return x * 3; }
"""


@test(needs=["clang", QEMU])
def tables_that_the_link_drops(case):
    """Objects of clang have tables that would have to be patched, and the image has none: the rounds come to an end."""
    source = case.write("m.c", "float scale(float x);\nvoid m(const float x[2], float y[2]);\n"
                        "void m(const float x[2], float y[2]) { y[0] = scale(x[0]); y[1] = scale(x[1]); }\n")
    case.generate(source, "--source", case.write("k.c", DROPPED), "-r", "llvm,copy-only")
    equal(case.report("m")["relocations"]["text_patches"], 0, "patches")
    has(case.verify(case.dir / "out/m_rel.bin").out, "bit-identical")


# MOVW and MOVT, which Armv6-M lacks
@each([(flags, core) for flags in FLAGS for core in CORES if flags != "halves" or core not in ("stm32f0", "stm32g0")], needs=[QEMU],
      slow=lambda what: what[1] != "stm32f4",
      spread=[what for what in in_turn(FLAGS, CORES, 4) if what != ("halves", "stm32f0") and what != ("halves", "stm32g0")])
def patched(case, what):
    flags, core = what
    source = case.write("model.c", LIBRARY)
    words = [f"--cflags={flag}" for flag in FLAGS[flags]]
    for items in ("copy-only", "copy-only,split"):
        case.generate(source, "-r", items, "--weights-threshold", "64", *words, target=core)
        report = json.loads((case.dir / "out/model_generate_rel.json").read_text())
        types = report["relocations"]["by_type"]
        check(report["relocations"]["text_patches"] >= 9, f"{types}")
        equal(report["image"]["xip_ok"], False, "xip_ok")
        check(any("patched" in text for text in report["image"]["reasons"]), f"{report['image']['reasons']}")
        if flags == "halves":
            equal(types["R_ARM_THM_MOVW_ABS_NC"], types["R_ARM_THM_MOVT_ABS"], "pairs")
        told = json.loads(case.relocpack("inspect", "--json", case.dir / "out/model_rel.bin").out)
        equal(told["text_patches"], report["relocations"]["text_patches"], "inspect")
        verified(case, case.dir / "out/model_rel.bin")


TABLES = """static const unsigned char first[50000] = {1, 2, 3};
static const unsigned char second[90000] = {4, 5, [70000] = 9, [80001] = 7};
static int calls;
float look_up(unsigned k) {
    calls++;
    return (float)(first[k] + 10 * second[k] + second[70000 + k] + second[80001 - k] + 100 * calls);
}
"""


@test(needs=[QEMU, "clang"])
def archive_of_clang(case):
    """Halves of addresses far from the start of their part, and apart from each other."""
    case.write("tables.c", TABLES)
    case.run("clang", "--target=thumbv7em-none-eabihf", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-O2",
             "-c", "tables.c", "-o", "tables.o")
    case.run(f"{kit.CROSS}ar", "rcsD", "libtables.a", "tables.o")
    source = case.write("model.c", "float look_up(unsigned k);\nvoid model(const float in[4], float out[4]) {\n"
                        "    for (int i = 0; i < 4; i++)\n        out[i] = look_up((unsigned)(in[i] * 100.0f) & 3u);\n}\n")
    case.generate(source, "-r", "copy-only", "--runtime-lib", case.dir / "libtables.a")
    image = case.dir / "out/model_rel.bin"
    halves = [(where >> 28, target & 0x0FFFFFFF) for where, target in reader.read(image).patches if where >> 28 != reader.FLASH]
    check(len(halves) >= 6 and any(offset > 0xC350 for _, offset in halves), f"{halves}")
    verified(case, image)


@test
def boot_code_is_not_patched(case):
    """What create patches, and with what, lies in front of the first place that a table may name."""
    source = case.write("model.c", "int of_host(int);\n" + LIBRARY.replace("j1f(in[i])", "of_host(i)"))
    for items in ("copy-only", "copy-only,compact"):
        case.generate(source, "-r", items, "--import", "of_host", "--debug")
        lines = case.run(f"{kit.CROSS}nm", "out/model_rel.elf").out.splitlines()
        symbols = {name: int(address, 16) for address, _, name in map(str.split, lines)}
        boot = {name for name in symbols if name.startswith("rp_boot_")}
        check(len(boot) >= 3, f"{boot}")
        equal({name for name in boot if symbols[name] >= symbols["_rp_code_end"]}, set(), "boot code that a table may name")
        check(symbols["rp_create"] < symbols["_rp_code_end"] <= symbols["model"], f"{symbols}")


@test
def not_without_the_option(case):
    source = case.write("model.c", LIBRARY)
    error = case.refuse(5, "RP2500", source, hint="-r copy-only")
    has(error, "lgammaf", "libm.a(lib_a-wf_lgamma.o)", "called by model")
    case.refuse(5, "RP2500", source, "--cflags=-fno-pic", "--cflags=-mslow-flash-data")


@test(needs=[QEMU])
def nothing_to_patch(case):
    """Such an image also works in place; it has the boot code without needing it."""
    case.generate(EXAMPLES / "tiny" / "tiny.c", "-r", "copy-only")
    image = reader.read(case.dir / "out/tiny_rel.bin")
    equal(image.patches, [], "patches")
    answer = json.loads(case.verify(case.dir / "out/tiny_rel.bin", "--json").out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, False, 12), "answer")


@test(needs=[QEMU])
def ordinary_archive(case):
    """The vendor's runtime as built for static use."""
    pack = standin.pack(case, V10, pic=(True, False), name="both")
    ordinary = pack / standin.AI / "Lib/GCC/ARMCortexM4" / standin.archive_name("M4", V10, pic=False)
    source = standin.network(case, V10)
    case.generate(source, "-r", "copy-only", "--runtime-lib", ordinary, env={"STEDGEAI_CORE_DIR": pack})
    image = case.dir / "out/network_rel.bin"
    check(len(reader.read(image).patches) > 0, "the archive is position-independent")
    answer = json.loads(case.verify(image, "--json", env={"STEDGEAI_CORE_DIR": pack}).out)
    equal((answer["identical"], answer["xip_refused"]), (True, True), "answer")


MIXED = """extern float dirty_sum(const float *, int), dirty_scale(int), clean_sum(const float *, int);
void model(const float in[4], float out[4]) {
    out[0] = dirty_sum(in, 4);
    out[1] = clean_sum(in, 4);
    out[2] = dirty_scale((int)in[0] & 3);
    out[3] = 0.5f * out[1];
}
"""
SUM = """static int PREFIX_calls;
static const float PREFIX_scales[4] = {1, 2, 3, 4}, *const PREFIX_which[2] = {PREFIX_scales, PREFIX_scales + 1};
float PREFIX_sum(const float *in, int n) {
    float sum = PREFIX_calls++;
    for (int i = 0; i < n; i++)
        sum += in[i] * PREFIX_which[i & 1][i / 2];
    return sum;
}
float PREFIX_scale(int i) { return PREFIX_scales[i] + PREFIX_calls; }
"""


def mixed_archive(case, flags):
    """One member is position-independent, the other is not. Also returns readelf's output for the latter."""
    for prefix, words in (("clean", None), ("dirty", flags)):
        source = case.write(f"{prefix}.c", SUM.replace("PREFIX", prefix))
        kit.compile_object(case, source, case.dir / f"{prefix}.o", pic=words is None, more=words or ())
    archive = case.dir / "libmixed.a"
    case.run(f"{kit.CROSS}ar", "rcsD", archive, case.dir / "clean.o", case.dir / "dirty.o")
    rows = [line.split()[2] for line in case.run(f"{kit.CROSS}readelf", "-rW", case.dir / "dirty.o").out.splitlines()
            if "_ABS" in line]
    return archive, rows


@each(["words", "halves"], needs=[QEMU])
def mixed_members(case, label):
    """Exactly the code that needs it is patched, and the report says where it came from."""
    archive, rows = mixed_archive(case, ["-mslow-flash-data"] if label == "halves" else [])
    source = case.write("model.c", MIXED)
    has(case.refuse(5, "RP2500", source, "--runtime-lib", archive, hint="-r copy-only"), "libmixed.a(dirty.o)")
    text = case.generate(source, "-r", "copy-only", "--runtime-lib", archive).out
    told = case.report("model")["relocations"]
    equal((told["text_patches"], len(reader.read(case.dir / "out/model_rel.bin").patches)), (len(rows), len(rows)), "patches")
    equal({(item["file"], item["member"]) for item in told["patched"]}, {("libmixed.a", "dirty.o")}, "where")
    equal(sum(item["count"] for item in told["patched"]), len(rows), "sum")
    check({"dirty_sum", "dirty_scale"} <= {item["symbol"] for item in told["patched"]}, f"{told['patched']}")
    has(text, "dirty_sum", "libmixed.a(dirty.o)")
    verified(case, case.dir / "out/model_rel.bin")
    summary = json.loads(case.relocpack("inspect", "--json", archive).out)
    equal([item["fit"] for item in summary["fitness"]], ["clean", "copy-only"], "inspect")
    dirty = summary["fitness"][1]
    equal(dirty["words"] + 2 * dirty["pairs"], len(rows), "words and pairs that inspect foresees")
    check(label == "words" or dirty["pairs"] > 0, f"{dirty}")


# ---- the C library's mathematics ----

MATHS = """#include <math.h>
void model(const float in[16], float out[32]) {
    for (int i = 0; i < 16; i++) {
        out[i] = expf(4.0f * in[i]);
        out[16 + i] = tanhf(3.0f * in[i]);
    }
}
"""


@each(CORES, needs=[QEMU], slow=lambda core: core != "stm32f4")
def math_of_the_c_library(case, core):
    """newlib's own expf and tanhf, patched, give bit for bit the results of a static build that also uses them."""
    source = case.write("model.c", MATHS)
    error = case.refuse(5, "RP2500", source, "--math", "libc", hint="-r copy-only", target=core)
    has(error, "libm.a(lib_a-")
    for out, words in (("own", []), ("out", ["--math", "libc"])):
        case.generate(source, "-r", "copy-only", *words, target=core, out=out)
    report = case.report("model")
    members = {item["member"] for item in report["archive_members"] if item.get("member")}
    check(any("exp" in name for name in members) and any("tanh" in name for name in members), f"{members}")
    equal(report["run"]["math"], "libc", "run")
    check({item["file"] for item in report["relocations"]["patched"]} <= {"libm.a", "libc.a"}, "where patches are")
    verified(case, case.dir / "out/model_rel.bin")
    equal(case.report("model", "own")["relocations"]["text_patches"], 0, "patches with our own functions")


@test
def math_of_somebody_else(case):
    has(case.refuse(2, "RP2200", case.write("model.c", MATHS), "--math", "cmsis"), "own libc")


# ---- r9 ----

KERNEL = """float kernel(const float *in, int n, float (*each)(float)) {
    register int kept __asm__("r9") = n;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        __asm__ volatile("" : "+r"(kept));
        sum += each(in[i]) * (float)kept;
    }
    return sum;
}
"""
CALLED = """float kernel(const float *in, int n, float (*each)(float));
static int calls;
static const float scales[2] = {2, 3};
static float scaled(float x) { float scale = scales[calls++ & 1]; return x * scale; }
void model(const float in[6], float out[2]) {
    calls = 0;
    out[0] = kernel(in, 6, scaled);
    out[1] = (float)calls;
}
"""

@test
def r9_in_use_by_the_caller(case):
    """qsort keeps a value of its own in r9 while it calls code that finds its variables through r9, or by patched addresses."""
    source = case.write("model.c", SORTING.replace("COUNT", "calls++;"))
    has(case.refuse(5, "RP2503", source, hint="compile the first function with -ffixed-r9, or use -r copy-only"),
        "qsort (libc.a(lib_a-qsort.o)) -> compare", "model.c")
    case.generate(source, "-r", "copy-only")
    verified(case, case.dir / "out/model_rel.bin")
    equal(reader.read(case.dir / "out/model_rel.bin").got, [], "GOT")


@test(needs=[QEMU])
def archive_with_r9_of_its_own(case):
    """An archive for static use calls the model back, which has variables; the model's own assembly still needs the right r9."""
    kernel = case.write("kernel.c", KERNEL)
    flags = [*kit.target_flags(case, "stm32f4"), "-O2", "-ffunction-sections"]
    case.run(f"{kit.CROSS}gcc", *flags, "-c", kernel, "-o", case.dir / "kernel.o")
    case.run(f"{kit.CROSS}ar", "qcs", case.dir / "libkernel.a", case.dir / "kernel.o")
    source = case.write("model.c", CALLED)
    words = ["-r", "copy-only", "--runtime-lib", case.dir / "libkernel.a"]
    case.generate(source, *words)
    verified(case, case.dir / "out/model_rel.bin")
    reader_of_r9 = case.write("asm.c", 'int kept;\n__attribute__((naked)) float by_r9(float x) '
                                       '{ __asm__("ldr r3, 1f\\nldr r3, [r9, r3]\\nbx lr\\n1: .word kept(GOT)"); }\n')
    source = case.write("model.c", CALLED.replace("static float scaled", "float by_r9(float);\nstatic float scaled").replace("x * scale", "by_r9(x)"))
    has(case.refuse(5, "RP2503", source, *words, "--source", reader_of_r9, hint="compile the first function with -ffixed-r9\n"), "kernel", "by_r9")


@test(needs=[QEMU])
def archive_that_needs_r9(case):
    """Besides newlib's qsort, which has its own r9: the model's code has none then, neither as a base nor for values."""
    flags = [*kit.target_flags(case, "stm32f4"), *kit.PIC, "-O2", "-ffunction-sections"]
    lib = case.write("lib.c", "static int n;\nfloat lib(float x) { return x + n++; }\n")
    case.run(f"{kit.CROSS}gcc", *flags, "-c", lib, "-o", case.dir / "lib.o")
    busy = " ".join(f"int v{i} = (int)in[{i}];" for i in range(8))
    source = case.write("model.c", SORTING.replace("COUNT", "calls++;").replace("void model(", "extern float lib(float);\n"
                        "static __attribute__((noinline)) int busy(const float *in, float *out) {\n    " + busy + "\n    for (int i = 0; i < 8; i++) { "
                        "out[i] += lib(out[i]); v0 += v1; v2 ^= v3; v4 += v5; v6 -= v7; v1 ^= v0; v3 += i; v5 -= v2; v7 ^= v4; }\n"
                        "    return v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;\n}\nvoid model(").replace("= (float)calls", "= (float)(calls + busy(in, out))"))
    case.generate(source, "-r", "copy-only", "--runtime-lib", case.dir / "lib.o")
    has((case.dir / "out/model_rel.h").read_text(), "for COPY mode only")
    has((case.dir / "out/model_generate_report.txt").read_text(), "sections; for COPY mode only")
    verified(case, case.dir / "out/model_rel.bin")


@test(needs=[QEMU])
def r9_in_use_and_not_needed(case):
    case.generate(case.write("model.c", SORTING.replace("COUNT", "")))
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal((answer["identical"], answer["xip_refused"]), (True, False), "answer")


# ---- errors ----

@test
def neural_art(case):
    npu_kit.refuse(case, 2, "RP2200", npu_kit.network(case), "-r", "copy-only")


@test
def half_of_an_address_alone(case):
    """Nothing tells where a MOVT without its MOVW leads."""
    source = case.write("model.c", "static int value[40] = {1};\nvoid model(const float in[1], float out[1]) {\n"
                        "    unsigned high;\n    __asm__(\"movt %0, :upper16:value\" : \"=r\"(high));\n"
                        "    out[0] = in[0] + high + value[(int)in[0]];\n    value[0]++;\n}\n")
    has(case.refuse(5, "RP2501", source, "-r", "copy-only", "--cflags=-fno-pic"), "R_ARM_THM_MOVT_ABS", "value")


# ---- firmware that exists ----

PLAIN = ["tiny", "weights", "patched", "split"]


@each(PLAIN, needs=[QEMU])
def loader_that_knows_nothing_of_it(case, label):
    """The verification firmware with a loader that was written from the format's description alone."""
    share = shutil.copytree(pathlib.Path(case.tool).parent.parent / "share/relocpack", case.dir / "share")
    shutil.copy(kit.ROOT / "tests/target/plain_loader.c", share / "runtime/ai_reloc_network.c")
    source, words = {
        "tiny": (EXAMPLES / "tiny/tiny.c", []), "weights": (EXAMPLES / "digits/digits_int8.json", []),
        "patched": (case.write("model.c", LIBRARY), ["-r", "copy-only", "--weights-threshold", "64",
                                                     "--cflags=-fno-pic", "--cflags=-mslow-flash-data"]),
        "split": (case.write("model.c", LIBRARY), ["-r", "copy-only,split", "--weights-threshold", "64"]),
    }[label]
    case.generate(source, *words)
    image = next((case.dir / "out").glob("*_rel.bin"))
    answer = json.loads(case.verify(image, "--json", env={"RELOCPACK_DATADIR": share}).out)
    patched = "copy-only" in " ".join(words)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, patched, 6 if patched else 12), "answer")
