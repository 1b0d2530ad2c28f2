# SPDX-License-Identifier: Apache-2.0
"""Dense tables of words to rebase, applied by the image itself (-r compact)."""
import json
import pathlib
import re
import shutil

import kit
import npu_kit
import reader
import standin
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, in_turn, test
from test_generate import check_words

TABLES = """#include <math.h>
static const float weights[80] = {1, 2, 3, 4, 5};
static const char *const names[200] = {[0 ... 199] = "zero", [7] = "seven", [100] = "hundred"};
static const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
static const float *const rows[100] = {[0 ... 49] = a, [50 ... 99] = b};
static float twice(float x) { return 2 * x; }
static float half(float x) { return x / 2; }
static float (*const operations[3])(float) = {twice, half, twice};
static struct { int used; const char *name; long values[30]; } nodes[5] = {{1, "n", {7}}, {2, "m", {8}}, {3, "k", {9}}};
static int counter = 3;
static int *const counters[2] = {&counter, &counter};
static const float *const ends[2] = {weights + 3, weights};
void model(const float in[4], float out[4]) {
    for (int i = 0; i < 4; i++) {
        unsigned k = (unsigned)(in[i] * 10.0f) & 63u;
        out[i] = names[k + 100][0] + names[7][0] + rows[k][i] + rows[k + 30][3 - i] + ends[k & 1][i] +
                 operations[k % 3](in[i]) + *counters[k & 1] + weights[k] + nodes[k % 3].name[0] * nodes[1].used;
        counter++;
    }
#ifdef DIRTY
    out[3] += lgammaf(in[0]);
#endif
}
"""
CORES = ["stm32f4", "stm32h7", "stm32u5", "stm32n6", "stm32f0", "stm32g0", "ra2l1", "ra8m1"]
COMBINATIONS = ["compact", "compact,split", "compact,copy-only", "compact,gen-c-file", "compact,copy-only,split,gen-c-file"]


def make(case, items, *words, target="stm32f4", out="out"):
    """The image, and the relocations of its report."""
    case.generate(case.write("model.c", TABLES), *(["-r", items] if items else []), "--weights-threshold", "64", *words,
                  target=target, out=out)
    weights = case.dir / out / "model_data.bin"
    return (reader.read(case.dir / out / "model_rel.bin", weights if weights.exists() else None),
            case.report("model", out)["relocations"])


def verified(case, image, xip=True, **more):
    answer = json.loads(case.verify(image, "--json", **more).out)
    equal((answer["identical"], answer["xip_refused"], len(answer["runs"])), (True, not xip, 12 if xip else 6), "answer")


def linked_words(case, workspace):
    """RAM words that hold addresses, as binutils list them, except those that lead to the weights."""
    text = case.run(f"{CROSS}readelf", "-rW", workspace / "image.elf").out
    part = text.split("'.rel.data'")[1].split("Relocation section")[0]
    rows = [line.split() for line in part.splitlines() if "R_ARM_ABS32" in line]
    return sorted(int(row[0], 16) & 0x0FFFFFFF for row in rows if not row[3].startswith("4"))


@each([(items, core) for items in COMBINATIONS for core in CORES], needs=[QEMU],
      slow=lambda what: what[1] != "stm32f4", spread=in_turn(COMBINATIONS, CORES, 2))
def dense(case, what):
    items, core = what
    rest = ",".join(item for item in items.split(",") if item != "compact")
    words = ["-D", "DIRTY"] if "copy-only" in items else []
    plain, _ = make(case, rest, *words, target=core, out="plain")
    image, told = make(case, items, *words, "--workspace", case.dir / "work", target=core)
    equal(sorted(image.rel + image.compact), plain.rel, "words to rebase")
    equal(sorted(image.rel + image.compact), linked_words(case, case.dir / "work"), "words that binutils list")
    equal(image.rel, [image.ctx + 20], "what is left in REL")
    compact = told["compact"]
    equal((compact["used"], compact["rel_words"], compact["table_bytes"], told["rel_words"]),
          (True, len(image.compact), image.ro_size - image.tables_end, 1), "report")
    equal(len(image.fixups), len(plain.fixups), "fix-ups")
    smaller = plain.rel_end - image.rel_end
    check(abs(smaller - compact["saved_bytes"]) <= 32 and smaller > 900, f"{smaller} bytes less: {compact}")
    check(abs(image.ro_size - plain.ro_size - compact["ram_copy_bytes"]) <= 32, f"{image.ro_size - plain.ro_size}: {compact}")
    shown = json.loads(case.relocpack("inspect", "--json", case.dir / "out/model_rel.bin").out)
    equal((shown["compact"]["words"], shown["compact"]["table_bytes"]), (len(image.compact), compact["table_bytes"]), "inspect")
    verified(case, case.dir / "out/model_rel.bin", xip="copy-only" not in items)
    has((case.dir / "out/model_generate_report.txt").read_text(), f"compact: {len(image.compact)} words in ")


@test
def words_are_those_of_a_link_there(case):
    """A relink at other addresses agrees with loader and boot code."""
    make(case, "compact", "--workspace", case.dir / "work")
    image = check_words(case, "model", case.dir / "work")
    check(len(image.compact) > 300, f"{len(image.compact)} words")


@test(needs=[QEMU])
def not_when_it_is_larger(case):
    for out, words in (("plain", []), ("out", ["-r", "compact"])):
        text = case.generate(EXAMPLES / "tiny/tiny.c", *words, out=out).out
    has(text, "more than the list: not used")
    compact = case.report("tiny")["relocations"]["compact"]
    check(not compact["used"] and compact["saved_bytes"] <= 0, f"{compact}")
    equal((case.dir / "out/tiny_rel.bin").read_bytes(), (case.dir / "plain/tiny_rel.bin").read_bytes(), "image")
    verified(case, case.dir / "out/tiny_rel.bin")


@test
def old_spelling(case):
    _, first = make(case, "compact")
    case.generate(case.dir / "model.c", "--compact", "--weights-threshold", "64", out="other")
    equal(case.report("model", "other")["relocations"], first, "relocations")
    check("compact" not in make(case, "")[1], "a report of what was not asked for")


def share_with(case, name, change):
    """The tool's own files, with one file of the runtime changed."""
    share = shutil.copytree(pathlib.Path(case.tool).parent.parent / "share/relocpack", case.dir / "share")
    path = share / "runtime" / name
    path.write_text(change(path.read_text()))
    return {"RELOCPACK_DATADIR": share}


@each(["compact", "compact,copy-only,split"], needs=[QEMU])
def loader_that_knows_nothing_of_it(case, items):
    make(case, items, *(["-D", "DIRTY"] if "copy-only" in items else []))
    plain = (kit.ROOT / "tests/target/plain_loader.c").read_text()
    verified(case, case.dir / "out/model_rel.bin", xip="copy-only" not in items,
             env=share_with(case, "ai_reloc_network.c", lambda _: plain))


@test(needs=[QEMU])
def created_twice(case):
    """Words that are rebased already stay as they are."""
    def twice(text):
        calls = re.findall(r"\*packed =\s+call_of\([^;]*RELOC_ENTRY_CREATE[^;]*;", text)
        equal(len(calls), 1, "calls of create in the loader")
        return text.replace(calls[0], f"{calls[0]}\n    {calls[0]}")
    make(case, "compact")
    verified(case, case.dir / "out/model_rel.bin", env=share_with(case, "ai_reloc_network.c", twice))


@test(needs=[QEMU])
def vendors_runtime(case):
    """Our glue has the entry there; the vendor's table of entries would not call the boot code."""
    pack = standin.pack(case, (10, 0))
    folder = standin.network(case, (10, 0))
    source = folder / "network.c"
    text = source.read_text()
    text = text.replace("static void set(", "static ai_array *const biases[300] = {[0 ... 299] = &hidden_bias_array, [9] = &output_bias_array};\n"
                        "static void set(", 1)
    text = text.replace("set(arrays[i],", "set(i == 1 ? biases[(unsigned long)base % 8] : arrays[i],", 1)
    source.write_text(text)
    env = {"STEDGEAI_CORE_DIR": pack}
    case.generate(source, "-r", "compact", env=env)
    image = reader.read(case.dir / "out/network_rel.bin")
    equal(image.rel, [image.ctx + 20], "what is left in REL")
    check(len(image.compact) >= 300, f"{len(image.compact)} words")
    verified(case, case.dir / "out/network_rel.bin", env=env)


@test
def neural_art(case):
    has(npu_kit.refuse(case, 2, "RP2200", npu_kit.network(case), "-r", "compact"), "compact")
