# SPDX-License-Identifier: Apache-2.0
"""verify: images on emulated cores compute what a static build computes, and broken ones fail."""
import hashlib
import json
import re
import struct
import subprocess
import zlib

import imagebuilder as built
import kit
import reader
import standin
from kit import CROSS, EXAMPLES, MODELS, QEMU, check, each, equal, has, has_not, labels_in_turn, test

DIGITS = EXAMPLES / "digits"
SERIES = {"m0": "stm32f0", "m0plus": "stm32g0", "m23": "ra2l1", "m85": "ra8m1", "m3": "cortex-m3", "m4": "stm32f4", "m7": "stm32h7", "m33": "stm32u5", "m55": "stm32n6"}
SOURCES = {"digits_float": DIGITS / "digits_float.json", "digits_int8": DIGITS / "digits_int8.json",
           "tiny": EXAMPLES / "tiny" / "tiny.c", "features": MODELS / "features.c", "state": MODELS / "state.c",
           "functions": MODELS / "functions.c", "tensors": MODELS / "tensors.c"}
OTHER_VENDORS = {"nrf52840": "m4", "imxrt1010": "m7", "imxrt1060": "m7", "rp2350": "m33", "ensemble": "m55"}
QUICK = {"digits_float-m4", "features-m7", "state-m33", "tiny-m3", "tensors-m55"}


def make(case, name, core="m4", *words, out="out", **more):
    option = "--mcu" if core == "m3" else "--target"
    case.generate(SOURCES[name], option, SERIES[core], *words, out=out, target=None, **more)
    return case.dir / out / f"{name}_rel.bin"


def check_rows(text, runs=12):
    """The table: XIP and COPY, two places, instances A, B, A, all the same."""
    rows = [line.split() for line in text.splitlines() if re.match(r"(XIP|COPY) ", line)]
    equal(len(rows), runs, "rows")
    check(all(row[-1] == "same" for row in rows), f"rows:\n{text}")
    for mode in ("XIP", "COPY"):
        for place in ("1", "2"):
            equal([row[2] for row in rows if row[:2] == [mode, place]], ["A", "B", "A"], f"{mode} {place}")
    has(text, f"{runs} of {runs} runs bit-identical")


# ---- everything, everywhere ----

MATRIX = [f"{name}-{core}" for name in SOURCES for core in SERIES]


@each(MATRIX, slow=lambda label: label not in QUICK, spread=[*QUICK, *labels_in_turn(SOURCES, SERIES, 2)], needs=[QEMU])
def runs_as_the_static_build(case, label):
    """Whole and split, XIP and COPY, at two places, two live instances."""
    name, core = label.split("-")
    result = case.verify(make(case, name, core))
    check_rows(result.out)
    stand_in = {"m0plus": "m0", "m23": "m33", "m85": "m55"}.get(core, core)  # where the emulator lacks a core
    has(result.out, f"emulated Cortex-{stand_in.upper()} ", *(["made for Cortex-"] if stand_in != core else []))
    answer = json.loads(case.verify(make(case, name, core, "--split", out="split"), "--json", "--seed", "7").out)
    equal((answer["core"], answer["made_for"]), (stand_in.upper(), core.upper()), "cores")
    equal((answer["identical"], len(answer["runs"]), [run["identical"] for run in answer["runs"]]),
          (True, 12, 12 * [True]), "the split image")


@each(list(OTHER_VENDORS), needs=[QEMU])
def series_of_other_vendors(case, series):
    """A row for a chip runs where the row for its core does."""
    core = OTHER_VENDORS[series]
    case.generate(SOURCES["digits_float"], "--target", series, target=None)
    equal(case.report("digits_float")["target"]["series"], series, "series in the report")
    result = case.verify(case.dir / "out/digits_float_rel.bin")
    check_rows(result.out)
    stand_in = {"m0plus": "m0", "m23": "m33", "m85": "m55"}.get(core, core)  # where the emulator lacks a core
    has(result.out, f"emulated Cortex-{stand_in.upper()} ", *(["made for Cortex-"] if stand_in != core else []))


@test(needs=[QEMU])
def thresholds_of_the_build_are_used(case):
    """State in activations or in the instance's RAM: the same numbers."""
    for words in (["--acts-threshold", "0"], ["--weights-threshold", "0"],
                  ["--acts-threshold", "16", "--weights-threshold", "16"]):
        check_rows(case.verify(make(case, "state", "m4", *words, out="-".join(words))).out)


@test(needs=[QEMU])
def given_input_and_expected_output(case):
    image = make(case, "digits_float", "m7")
    given = ["--input", DIGITS / "image0.npy", "--expected", DIGITS / "probs0.npy"]
    check_rows(case.verify(image, *given, "--tolerance", "1e-5").out)
    has(case.verify(image, *given[:2], "--tolerance", "1e-5", status=2).err, "error RP2200: --tolerance '1e-5' goes with --expected")
    result = case.verify(image, *given, "--tolerance", "1e-12", status=8)
    has(result.err, "error RP2800", "differs from the expected one by", "1e-12 is allowed")
    image = make(case, "digits_int8", "m33")
    check_rows(case.verify(image, "--input", DIGITS / "image0_int8.npy", "--expected",
                           DIGITS / "scores0_int8.npy").out)
    data = bytearray((DIGITS / "scores0_int8.npy").read_bytes())
    data[-1] ^= 1
    wrong = case.write("wrong.npy", data)
    result = case.verify(image, "--input", DIGITS / "image0_int8.npy", "--expected", wrong, status=8)
    has(result.err, "error RP2800", "by 1")


@test(needs=[QEMU])
def known_answers(case):
    """tiny has one that can be worked out by hand; raw files work like npy."""
    image = make(case, "tiny", "m3")
    x = case.write("x.bin", struct.pack("<4f", 1, 2, 3, 4))
    y = case.write("y.bin", struct.pack("<2f", 5.5, -1.25))
    saved = case.dir / "saved.bin"
    check_rows(case.verify(image, "--input", x, "--expected", y, "--save-output", saved).out)
    equal(saved.read_bytes(), y.read_bytes(), "--save-output")
    image = make(case, "state", "m4", out="s")
    saved2 = [case.dir / "h.bin", case.dir / "mean.bin"]
    case.verify(image, "--input", case.write("zero.bin", bytes(4 * 8 * 3)), *sum(
        (["--save-output", file] for file in saved2), []))
    h = struct.unpack("<24f", saved2[0].read_bytes())
    equal([round(h[8 * i]) for i in range(3)], [5, 6, 7], "the counter of three runs")


@test(needs=[QEMU])
def bad_inputs_of_verify(case):
    image = make(case, "tiny", "m4")
    good = case.write("x.bin", bytes(16))
    for words, status, parts in (
            (["--input", case.write("short.bin", bytes(15))], 9, ["short.bin", "15 bytes"]),
            (["--input", case.dir / "none.bin"], 9, ["none.bin"]),
            (["--input", good, "--input", good], 2, ["1 inputs", "2 times"]),
            (["--input", DIGITS / "image0_int8.npy"], 9, ["image0_int8.npy"]),
            (["--input", good, "--expected", case.write("y.bin", bytes(4))], 9, ["y.bin"]),
            (["--expected", case.write("y2.bin", bytes(8)), "--tolerance", "x"], 2, ["'x'"]),
            (["--expected", case.dir / "y2.bin", "--tolerance", "-1"], 2, ["'-1'"]),
            (["--expected", case.dir / "y2.bin", "--tolerance", "inf"], 2, ["'inf'"]),
            (["--emulator", "false"], 8, ["static"]),
            (["--report", case.dir / "none.json"], 9, ["none.json"])):
        result = case.verify(image, *words, status=status)
        has(result.err, "relocpack: error RP2", *map(str, parts))
    has(case.verify(case.dir / "none_rel.bin", status=9).err, "none_rel.bin")
    (case.dir / "out/tiny_generate_rel.json").unlink()
    has(case.verify(image, status=2).err, "hint", "--report")
    check_rows(case.verify(image, "-m", SOURCES["tiny"], "--target", "f4").out)


@test(needs=[QEMU])
def image_of_another_core(case):
    """An M7 image on the M4 board: refused by the loader, not run."""
    image = make(case, "tiny", "m7")
    result = case.verify(image, "--report", case.dir / "none", "-m", SOURCES["tiny"], "--target", "f4", status=None)
    equal(result.status, 9, "a report that is not there")
    (case.dir / "out/tiny_generate_rel.json").unlink()
    result = case.verify(image, "-m", SOURCES["tiny"], "--target", "f4", status=8)
    has(result.err, "error RP2800")


@test(needs=[QEMU])
def emulator_that_hangs(case):
    image = make(case, "tiny", "m4")
    script = case.write("hang", "#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    result = case.verify(image, "--emulator", script, "--timeout", "1", status=8)
    has(result.err, "error RP2800", "within 1 second")


@each({"m4": "stm32l4", "m33": "stm32u5"}.items(), needs=[QEMU])
def a_stack_that_is_too_small(case, value):
    """Said of the static build, where it happens first, on cores that know the stack's limit and on others."""
    source = case.write("deep.c", "void deep(const float x[1], float y[1]) {\n    volatile float a[50000];\n"
                                  "    for (int i = 0; i < 50000; i++)\n        a[i] = x[0];\n    y[0] = a[7];\n}\n")
    case.generate(source, target=value[1])
    result = case.verify(case.dir / "out/deep_rel.bin", status=8)
    has(result.err, "static build: the core faulted", "the stack is too small", "128 KB of stack")


@test(needs=[QEMU])
def changed_source_is_found(case):
    """The image is compared with the results of the current source."""
    source = case.write("tiny.c", SOURCES["tiny"].read_text())
    case.generate(source, target="stm32h7")
    check_rows(case.verify(case.dir / "out/tiny_rel.bin").out)
    source.write_text(source.read_text().replace("1.5f", "1.25f"))
    result = case.verify(case.dir / "out/tiny_rel.bin", status=8)
    has(result.err, "error RP2800", "does not compute what the static build computes", f"hint: '{source}' has changed since the image")


@test(needs=[QEMU])
def quiet_verify(case):
    image = make(case, "tiny", "m4")
    result = case.verify(image, "-q")
    equal((result.out, result.err), ("", ""), "output with -q")


# ---- broken images ----

def fixed(data, weights_crc=False):
    """With checksums that fit the changed bytes: only running the image shows that it is broken."""
    data = bytearray(data)
    ro_size, ctx = (reader.word_at(data, word) & 0x0FFFFFFF for word in (16, 96))
    tables = reader.word_at(data, ro_size + ctx + 12) & 0x0FFFFFFF
    if tables:
        built.put(data, ro_size + ctx + 16, zlib.crc32(data[tables:ro_size]))
    at = len(data) - reader.TRAILER_BYTES
    equal(reader.word_at(data, at), reader.TRAILER_MAGIC, "place of the trailer")
    if weights_crc:
        start, end = (reader.word_at(data, word) & 0x0FFFFFFF for word in (44, 48))
        built.put(data, at + 76, zlib.crc32(data[start:end]))
        data[at + 56:at + 72] = hashlib.sha256(data[:end]).digest()[:16]
    built.put(data, at + 16, at, zlib.crc32(data[:at]))
    data[at + 24:at + 56] = hashlib.sha256(data[:at]).digest()
    built.put(data, at + 92, zlib.crc32(data[at:at + 92]))
    return bytes(data)


def symbol(case, elf, name):
    for line in case.run(f"{CROSS}nm", elf).out.splitlines():
        words = line.split()
        if words[-1] == name:
            return int(words[0], 16)
    raise kit.Failure(f"no symbol {name}")


def drop_fixup(case, data, image, elf):
    """The last word that leads into weights or activations is not set."""
    check(len(image.fixups) > 2, "the model has no fix-ups")
    at = image.ro_size - 8 * len(image.fixups) - 4
    equal(reader.word_at(data, at), len(image.fixups), "count of the fix-up table")
    table = data[at + 4 + 8:image.ro_size] + data[at + 4:at + 4 + 8]
    data[at + 4:image.ro_size] = table  # the first entry goes to the end, and the count leaves it out
    built.put(data, at, len(image.fixups) - 1)
    return fixed(data)


def drop_rel(case, data, image, elf):
    """The function pointer of the second layer stays a segment address."""
    place = (symbol(case, elf, "layers") & 0x0FFFFFFF) + 4
    check(place in image.rel and reader.word_at(image.ram_image, place) >> 28 == 2, "no function pointer")
    words = [word | 0x80000000 for word in image.rel if word != place]
    data[image.rel_start:image.rel_end] = struct.pack(f"<{len(words)}I", *words) + bytes(4)
    built.put(data, 40, 0x20000000 | image.rel_end - 4)
    return fixed(data)


def zero_got(case, data, image, elf):
    """The address of a variable that every run uses is set to 0."""
    want = symbol(case, elf, "calls")
    index = image.got.index(want)
    built.put(data, image.ro_size + image.got_start + 4 * index, 0)
    return fixed(data)


def flip_weight(case, data, image, elf):
    data[image.weights_start + (symbol(case, elf, "kernel") & 0x0FFFFFFF) + 4 * 5 + 2] ^= 0x40
    return fixed(data, weights_crc=True)


def flip_code(case, data, image, elf):
    """One immediate of the code: the choice of what the counter starts with."""
    at = image.ro_size + (symbol(case, elf, "calls") & 0x0FFFFFFF)
    data[at] ^= 1
    return fixed(data)


BROKEN = {"fixup": drop_fixup, "rel": drop_rel, "got": zero_got, "weight": flip_weight, "variable": flip_code}


@each(["model", "source", "runtime-lib"], needs=[QEMU])
def a_report_from_elsewhere(case, what):
    """A file that only the report names and that is not here: the option that gives its place here is named."""
    model = case.write("m.c", "float f(float);\nvoid m(const float in[2], float out[2]) { out[0] = f(in[0]); out[1] = f(in[1]); }\n")
    kernel = case.write("k.c", "float f(float x) { return x * 3; }\n")
    library = kit.compile_object(case, kernel, "k.o") if what == "runtime-lib" else None
    words = ["--runtime-lib", library] if library else ["--source", kernel]
    case.generate(model, *words)
    moved = {"model": model, "source": kernel, "runtime-lib": case.dir / "k.o"}[what]
    place = case.path(f"here/{moved.name}")
    moved.rename(place)
    image = case.dir / "out/m_rel.bin"
    error = case.verify(image, status=9).err
    has(error, "RP2900", str(moved), f"the report '{case.dir}/out/m_generate_rel.json' names it", f"--{what}")
    has(case.verify(image, f"--{what}", place).out, "12 of 12 runs bit-identical")


@test(needs=[QEMU])
def a_report_whose_files_are_all_elsewhere(case):
    """The options that give them are named at once, and those that have to be given again as a whole."""
    case.write("a/m.c", '#include "k.h"\nvoid m(const float in[2], float out[2]) { out[0] = f(in[0]); out[1] = g(in[1]); }\n')
    case.write("a/inc/k.h", "float f(float), g(float);\n")
    for name in "fg":
        case.write(f"a/{name}.c", f"float {name}(float x) {{ return x * {ord(name)}; }}\n")
    case.generate(case.dir / "a/m.c", "-I", case.dir / "a/inc", "--source", case.dir / "a/f.c", "--source", case.dir / "a/g.c")
    (case.dir / "a").rename(case.dir / "b")
    image = case.dir / "out/m_rel.bin"
    has(case.verify(image, status=9).err, "m.c'", "your copy with --model, --source (all 2 of them again), --include")
    words = ["--model", case.dir / "b/m.c"]
    for more in (["-I", case.dir / "b/inc"], ["--source", case.dir / "b/f.c", "--source", case.dir / "b/g.c"]):
        has(case.verify(image, *words, status=9).err, "RP2900", "give the path of your copy with")
        words += more
    has(case.verify(image, *words).out, "12 of 12 runs bit-identical")


@test(needs=[QEMU])
def compiles_little(case):
    """The model and its glue; what the two firmwares share, once; a backend for each; the loader."""
    image = make(case, "tiny")
    launcher = case.write("launcher", f'#!/bin/sh\ntr "\\n" " " <"${{2#@}}" >>{case.dir}/calls\necho >>{case.dir}/calls\nexec "$@"\n')
    launcher.chmod(0o755)
    case.verify(image, "--launcher", launcher)
    equal(sorted(re.findall(r" -c (?:\S*/)?(\S+)", (case.dir / "calls").read_text())),
          ["ai_reloc_network.c", "backend_loader.c", "backend_static.c", "firmware.c", "glue_c.c", "tiny.c"], "compiled")


def fill_words(plan):
    """The words that memory has in the runs of a plan (templates/harness/plan.h)."""
    steps = [struct.unpack_from("<16I", plan, at) for at in range(60, len(plan), 64)]
    return {step[14] for step in steps if step[0] == 6}


@each(["both", "copy-only", "input"], needs=[QEMU])
def one_inference(case, label):
    """One for each build and mode, with the figures of the first runs; and what was not tried is said."""
    modes = ["COPY"] if label == "copy-only" else ["XIP", "COPY"]
    source, words, more = SOURCES["digits_float" if label == "input" else "tiny"], [], []
    if label == "copy-only":
        source = case.write("sort.c", "#include <stdlib.h>\nint compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }\n"
                            "void sort(const char in[8], char out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i]; qsort(out, 8, 1, compare); }\n")
        more = ["-r", "copy-only", "--cflags=-fno-pic"]
    if label == "input":
        words = ["--input", DIGITS / "image0.npy", "--expected", DIGITS / "probs0.npy", "--tolerance", "1e-6"]
    case.generate(source, *more)
    image = next((case.dir / "out").glob("*_rel.bin"))
    emulator = case.write("emulator", f'#!/bin/sh\necho x >>{case.dir}/starts\nexec qemu-system-arm "$@"\n')
    emulator.chmod(0o755)
    whole = json.loads(case.verify(image, "--json", *words).out)
    once = json.loads(case.verify(image, "--json", "--once", "--emulator", emulator, "--workspace", case.dir / "work", *words).out)
    equal((case.dir / "starts").read_text(), "x\nx\n", "emulators")
    equal([(run["mode"], run["addresses"], run["instance"], run["run"]) for run in once["runs"]],
          [(mode, "1", 0, 1) for mode in modes], "runs")
    check(all(run in whole["runs"] for run in once["runs"]), f"{once['runs']}")
    equal((once["static"], once["outputs"]), (whole["static"], whole["outputs"]), "figures")
    equal((once["not_tried"], "not_tried" in whole), (["other_addresses", "second_instance", "second_run"], False), "not tried")
    equal(once["xip_refused"], label == "copy-only", "XIP refused")
    filled = [fill_words((case.dir / f"work/run-{name}/plan.bin").read_bytes()) for name in ("static", "1")]
    equal((len(filled[0] | filled[1]), once["fillings"], whole["fillings"]), (1 + len(modes), 1 + len(modes), 6), "fillings")
    text = case.verify(image, "--once", *words).out
    has(text, f"{len(modes)} of {len(modes)} runs bit-identical", f"filled in {1 + len(modes)} ways",
        "--once: other addresses, a second instance and a second run of an instance were not tried")
    has_not(case.verify(image, *words).out, "not tried")


@test(needs=[QEMU])
def one_inference_of_one_input(case):
    """Nothing is left out in silence: several inputs are refused. What differs, and what it depends on, is found."""
    image = make(case, "tiny")
    inputs = case.write("two.csv", "1,2,3,4\n5,6,7,8\n")
    has(case.verify(image, "--once", "--input", inputs, status=2).err, "RP2200", "--once", "2")
    image_path = make(case, "features", "m4", "--workspace", case.dir / "work", out="broken")
    label = next(iter(BROKEN))
    data = bytearray(image_path.read_bytes())
    image_path.write_bytes(BROKEN[label](case, data, reader.Image(bytes(data)), case.dir / "work/image.elf"))
    has(case.verify(image_path, "--once", status=8).err, "error RP2800")


@each(list(BROKEN), needs=[QEMU], always=list(BROKEN)[:1])
def broken_image_fails(case, label):
    image_path = make(case, "features", "m4", "--workspace", case.dir / "work")
    check_rows(case.verify(image_path).out)
    data = bytearray(image_path.read_bytes())
    image_path.write_bytes(BROKEN[label](case, data, reader.Image(bytes(data)), case.dir / "work/image.elf"))
    result = case.verify(image_path, status=8)
    has(result.err, "error RP2800")


@test(needs=[QEMU])
def damage_is_an_integrity_error(case):
    """Without a forged trailer nothing runs: the checksums reveal it first."""
    image_path = make(case, "features", "m4")
    data = image_path.read_bytes()
    image = reader.Image(data)
    for at in (image.weights_start + 3, image.ro_size - 4, 120, len(data) - 50, image.rel_end - 1):
        broken = bytearray(data)
        broken[at] ^= 0x40
        image_path.write_bytes(broken)
        result = case.verify(image_path, status=None)
        check(result.status == 8 or (result.status == 9 and at == image.rel_end - 1), result.show())
        has_not(result.err, "RP2800")
    image_path.write_bytes(data)
    case.generate(SOURCES["features"], "--split", out="split")
    path = case.dir / "split/features_data.bin"
    weights = bytearray(path.read_bytes())
    weights[7] ^= 1
    path.write_bytes(weights)
    has(case.verify(case.dir / "split/features_rel.bin", status=8).err, "error RP2801", "features_data.bin")
    path.unlink()
    has(case.verify(case.dir / "split/features_rel.bin", status=9).err, "features_data.bin")


@test(needs=[QEMU])
def weights_of_another_build(case):
    make(case, "state", "m4", "--split", out="a")
    other = case.write("state.c", SOURCES["state"].read_text().replace("{0.7f, -0.6f", "{0.7f, 0.6f"))
    case.generate(other, "--split", out="b")
    result = case.verify(case.dir / "a/state_rel.bin", "--weights", case.dir / "b/state_data.bin", status=8)
    has(result.err, "error RP2801", "state_data.bin")
    has_not(result.err, "RP2800")


# ---- accuracy ----

IMAGES = 20


def host_scores(case, name, values):
    """The model on the host: bytes of all outputs."""
    kind = "int8_t" if name == "digits_int8" else "float"
    main = case.write("main.c", f"""
#include <stdint.h>
#include <stdio.h>
void {name}(const {kind} image[1][8][8], {kind} scores[1][10]);
int main(void) {{
    {kind} image[1][8][8], scores[1][10];
    while (fread(image, sizeof image, 1, stdin) == 1) {{
        {name}((const {kind}(*)[8][8])image, scores);
        fwrite(scores, sizeof scores, 1, stdout);
    }}
    return 0;
}}
""")
    case.run("cc", "-O2", "-ffp-contract=off", main, DIGITS / f"{name}.c", "-lm", "-o", case.dir / "host")
    with open(values, "rb") as stdin:
        done = subprocess.run([case.dir / "host"], stdin=stdin, capture_output=True, check=True)
    return done.stdout


def accuracy(scores, labels):
    best = [row.index(max(row)) for row in scores]
    return sum(a == b for a, b in zip(best, labels)), best


@each(["digits_float-m7", "digits_int8-m4"], slow=lambda label: label.startswith("digits_float"), needs=[QEMU])
def accuracy_is_the_hosts(case, label):
    """Held-out images through the loaded image: predictions and accuracy are those of the host."""
    name, core = label.split("-")
    pixels = (DIGITS / "test_images_u8.bin").read_bytes()[:64 * IMAGES]
    labels = (DIGITS / "test_labels.bin").read_bytes()[:IMAGES]
    is_float = name == "digits_float"
    data = struct.pack(f"<{len(pixels)}f", *(p / 16 for p in pixels)) if is_float else bytes(
        (p - 128) & 0xFF for p in pixels)
    values, saved = case.write("images.bin", data), case.dir / "scores.bin"
    image = make(case, name, core)
    result = case.verify(image, "--input", values, "--save-output", saved)
    has(result.out, "runs bit-identical")
    form = f"<{10 * IMAGES}{'f' if is_float else 'b'}"
    got, want = struct.unpack(form, saved.read_bytes()), struct.unpack(form, host_scores(case, name, values))
    check(max(abs(a - b) for a, b in zip(got, want)) <= (1e-5 if is_float else 0), "scores")
    rows = [[list(all_[10 * i:10 * i + 10]) for i in range(IMAGES)] for all_ in (got, want)]
    ours, hosts = accuracy(rows[0], labels), accuracy(rows[1], labels)
    equal(ours, hosts, "right answers, and which")
    check(ours[0] >= IMAGES - 1, f"only {ours[0]} of {IMAGES} are right")


@test(needs=[QEMU], slow=True)
def model_of_several_files(case):
    """A user's wrapper around a model, in two sources: a batch in one call."""
    case.write("batch.json", json.dumps({
        "name": "batch", "entry": "batch_of", "defines": ["IMAGES=6", "DIGITS_INT8"],
        "sources": [str(MODELS / "batch_of.c"), str(DIGITS / "digits_int8.c")],
        "inputs": [{"name": "images", "dtype": "int8", "shape": [6, 8, 8]}],
        "outputs": [{"name": "digits", "dtype": "uint8", "shape": [6]},
                    {"name": "scores", "dtype": "int8", "shape": [6, 10]}]}))
    case.generate(case.dir / "batch.json", target="stm32u5")
    pixels = (DIGITS / "test_images_u8.bin").read_bytes()[:384]
    values = case.write("in.bin", bytes((p - 128) & 0xFF for p in pixels))
    digits = case.write("digits.bin", (DIGITS / "test_labels.bin").read_bytes()[:6])
    saved = [case.dir / "d.bin", case.dir / "s.bin"]
    check_rows(case.verify(case.dir / "out/batch_rel.bin", "--input", values, "--save-output", saved[0],
                           "--save-output", saved[1]).out)
    equal(saved[0].read_bytes(), digits.read_bytes(), "digits")
    equal(saved[1].read_bytes(), host_scores(case, "digits_int8", values), "scores")


# ---- observers, through the firmware of verify with a plan of our own ----

PLAN_STEPS, STEP_BYTES, CHECK, OBSERVE, UNOBSERVE, RUN = 60, 64, 1, 7, 8, 6


def steps_of(plan):
    return [plan[i:i + STEP_BYTES] for i in range(PLAN_STEPS, len(plan), STEP_BYTES)]


def observed_plan(plan):
    """verify's plan with a call-back on instance 0: before its first run on, after it off again."""
    head, out = bytearray(plan[:PLAN_STEPS]), []
    for step in steps_of(plan):
        kind, instance = struct.unpack_from("<2I", step)
        extra = lambda number: struct.pack("<2I", number, 0) + step[8:]
        if kind == RUN and instance == 0:
            out += [extra(OBSERVE), step, extra(UNOBSERVE), step]
        else:
            out.append(step)
    struct.pack_into("<I", head, 8, PLAN_STEPS + STEP_BYTES * len(out))
    struct.pack_into("<I", head, 36, len(out))
    return bytes(head) + b"".join(out)


def step_records(result):
    """(kind, instance, status, call-backs) of each step: STEP records, kind word 2 of plan.h."""
    at, found = 0, []
    while at + 8 <= len(result):
        kind, size = struct.unpack_from("<2I", result, at)
        if size == 72 and kind == RECORD_STEP:
            words = struct.unpack_from("<18I", result, at + 8)
            found.append((words[1], words[2], words[3], words[15]))
        at += 8 + (size + 3) // 4 * 4
    return found


RECORD_STEP = 2


def observe(case, image_path, env, nodes):
    workspace = case.dir / "verify-work"
    case.verify(image_path, "--workspace", workspace, env=env)
    run = workspace / "run-1"
    plan = (run / "plan.bin").read_bytes()
    area = hex(symbol(case, workspace / "loader/image.elf", "harness_plan"))
    image_at, = (struct.unpack_from("<4I", step)[3] for step in steps_of(plan)
                 if struct.unpack_from("<I", step)[0] == CHECK)
    (run / "plan.bin").write_bytes(observed_plan(plan))
    (run / "result.bin").unlink()
    case.run(QEMU, "-M", "mps2-an386", "-kernel", workspace / "loader/image.elf", "-display", "none", "-serial",
             "none", "-monitor", "none", "-parallel", "none", "-nodefaults", "-no-reboot",
             "-semihosting-config", "enable=on,target=native", "-icount", "shift=6",
             "-device", "loader,file=vectors.bin,addr=0,force-raw=on",
             "-device", f"loader,file=plan.bin,addr={area},force-raw=on",
             "-device", f"loader,file={image_path},addr={image_at:#x},force-raw=on", cwd=run)
    records = step_records((run / "result.bin").read_bytes())
    check(len(records) > 15, f"{len(records)} records")
    check(all(status == 0 for _, _, status, _ in records), f"steps: {records}")
    for i, (kind, instance, _, events) in enumerate(records):
        if kind == RUN:
            watched = records[i - 1][0] == OBSERVE
            equal(events, 2 * nodes if watched and instance == 0 else 0, f"call-backs of step {i}")
    equal(sum(kind == OBSERVE for kind, *_ in records), 4, "observed runs")


@test(needs=[QEMU])
def observers_of_plain_c(case):
    image = make(case, "tiny", "m4")
    observe(case, image, {}, nodes=1)


@each(["macro", "own_glue"], needs=[QEMU])
def observers_of_networks(case, kind):
    """Three nodes: two call-backs each, on the watched instance only, none after unregistering."""
    pack = standin.pack(case, (10, 0), macro=kind == "macro")
    case.generate(standin.network(case, (10, 0)), env={"STEDGEAI_CORE_DIR": pack})
    observe(case, case.dir / "out/network_rel.bin", {"STEDGEAI_CORE_DIR": pack}, nodes=3)


# ---- bytes that nobody wrote, state, and paths ----

@test
def outputs_that_are_written_in_part(case):
    """Bytes that no run writes are not compared: they are named and counted, and --strict makes them an error."""
    kit.need(QEMU)
    source = case.write("part.c", "void part(const float in[4], float out[64]) { for (int i = 0; i < 2; i++) out[i] = in[i] + in[i + 2]; }\n")
    case.generate(source)
    image = case.dir / "out/part_rel.bin"
    shown = case.verify(image)
    has(shown.out, "256 bytes of output each, of which 248 are never written")
    has(shown.err, "warning RP1076: output 0, out: of its bytes 8 to 255, 248 are never written (it has 256)", "declared longer")
    answer = json.loads(case.verify(image, "--json", "-q").out)
    equal((answer["identical"], answer["output_bytes"], answer["unwritten_bytes"]), (True, 256, 248), "counts")
    equal(answer["unwritten"], [{"output": 0, "first": 8, "last": 255, "bytes": 248}], "where")
    has(case.verify(image, "--strict", status=8).err, "error RP2800: output 0, out: of its bytes 8 to 255", "hint: the output may be declared longer")
    case.generate(case.write("rare.c", "void rare(const float in[4], float out[1]) { if (in[0] > 1e30f) out[0] = 1; }\n"))
    has(case.verify(case.dir / "out/rare_rel.bin").err, "warning RP1076: output 0, out: of its bytes 0 to 3, 4 are never written")
    has(case.verify(case.dir / "out/rare_rel.bin", "--strict", status=8).err, "error RP2800: ")
    has(case.verify(case.dir / "out/rare_rel.bin", "--once").err, "RP1076", "hint: one run may not write all of it: without --once")
    whole = case.write("whole.c", "void whole(const float in[4], float out[2]) { for (int i = 0; i < 2; i++) out[i] = in[i] + in[i + 2]; }\n")
    case.generate(whole)
    answer = json.loads(case.verify(case.dir / "out/whole_rel.bin", "--json", "--strict").out)
    equal((answer["unwritten_bytes"], answer["unwritten"]), (0, []), "all is written")


@test
def how_much_was_executed(case):
    """The share of the image's code that the runs executed, by all inputs; --min-coverage makes too little an error."""
    kit.need(QEMU)
    source = case.write("half.c", """static float far(float x) { float y = x; for (int i = 0; i < 9; i++) y = y * x + (float)i; return y / 3; }
                        void half(const float in[1], float out[1]) { out[0] = in[0] > 1e6f ? far(in[0]) : in[0]; }
                        """)
    case.generate(source)
    image, given, much = case.dir / "out/half_rel.bin", case.write("near.csv", "1\n"), case.write("both.csv", "1\n2e6\n")
    whole = case.report("half")["image"]["code_bytes"]
    shares = []
    for words in ([], ["--input", given], ["--input", much], ["--once"]):
        share = json.loads(case.verify(image, "--json", *words).out)["coverage"]
        equal(share["code_bytes"], whole, "the image's code")
        shares.append(share["executed_bytes"])
    check(shares[0] == shares[1] == shares[3] < shares[2] <= whole, f"more inputs, more code: {shares} of {whole}")
    percent = 100 * shares[0] // whole
    has(case.verify(image, "--min-coverage", str(percent)).out, f"executed {percent} % of the code ({shares[0]} of {whole} bytes); give --input for more")
    has(case.verify(image, "--min-coverage", str(percent + 1), status=8).err, "error RP2816", f"executed {percent} % of the code, --min-coverage is {percent + 1} %")
    case.verify(image, "--min-coverage", str(percent + 1), "--input", much)
    has(case.verify(image, "--min-coverage", "101", status=2).err, "at most 100")
    case.generate(source, "-r", "copy-only", "--cflags=-fno-pic", out="copied")
    share = json.loads(case.verify(case.dir / "copied/half_rel.bin", "--json").out)["coverage"]
    check(0 < share["executed_bytes"] < share["code_bytes"], f"copied: {share}")


@test
def how_much_was_executed_without_a_report(case):
    """How much code there is stands in the report of this very image."""
    kit.need(QEMU)
    image, words = make(case, "tiny"), ["--model", SOURCES["tiny"], "--target", "stm32f4", "--report"]
    other = make(case, "functions", out="other").with_name("functions_generate_rel.json")
    alone = case.write("alone/tiny_rel.bin", image.read_bytes())
    for subject, given in ((image, [*words, other]), (alone, words[:-1])):
        has_not(case.verify(subject, *given).out, "executed")
        check("code_bytes" not in json.loads(case.verify(subject, *given, "--json").out)["coverage"], "not known")
        has(case.verify(subject, *given, "--min-coverage", "1", status=2).err, "error RP2200", "is not known", "hint: its report")
    log_less = case.write("q", f"""#!/usr/bin/env python3
import os, sys
words = sys.argv[1:]
while "-d" in words: del words[words.index("-d"):words.index("-d") + 2]
os.execvp("{QEMU}", ["{QEMU}", *words])
""")
    log_less.chmod(0o755)
    check("coverage" not in json.loads(case.verify(image, "--json", "--emulator", log_less).out), "an emulator that logs nothing")
    has(case.verify(image, "--min-coverage", "1", "--emulator", log_less, status=8).err, "has not logged what it ran")


@test
def state_between_runs(case):
    """The same input gives other outputs after other runs, or it does not."""
    kit.need(QEMU)
    for name, wanted in (("state", True), ("tiny", False)):
        image = make(case, name)
        has(case.verify(image).out, *(["the model keeps state: the same input gives other outputs"] if wanted else []))
        equal(json.loads(case.verify(image, "--json").out)["keeps_state"], wanted, name)
    check("keeps_state" not in json.loads(case.verify(image, "--json", "--once").out), "one run says nothing of it")


@test
def files_named_from_here(case):
    """A relative emulator is that of the folder where the command was given; weights are for images that have some."""
    kit.need(QEMU)
    make(case, "tiny")
    script = case.write("bin/q", f"#!/bin/sh\nexec {QEMU} \"$@\"\n")
    script.chmod(0o755)
    has(case.verify("out/tiny_rel.bin", "--emulator", "bin/q").out, "12 of 12")
    has(case.verify("out/tiny_rel.bin", "--weights", "none", status=2).err, "'out/tiny_rel.bin' has no weights file")


@test(needs=[QEMU])
def bytes_behind_the_trailer(case):
    """They belong to nothing; erased memory may lie there."""
    case.generate(EXAMPLES / "tiny/tiny.c", "-q")
    image = next((case.dir / "out").glob("*_rel.bin"))
    whole = image.read_bytes()
    for more, said in ((b"x" * 8, True), (b"\xff" * 8, False)):
        image.write_bytes(whole + more)
        equal("warning RP1081" in case.verify(image, "--once").err, said, "the warning")
