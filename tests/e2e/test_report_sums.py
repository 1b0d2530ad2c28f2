# SPDX-License-Identifier: Apache-2.0
"""The numbers of a report match the files (sums.py; kit.py runs it after every generate). For both formats
and every kind of image, rows cover files and symbols name bytes; readers of reports follow the schema's version.
"""
import copy
import json
import re

import glow_kit
import kit
import npu_kit
import reader
import stai_kit
import standin
import sums
from kit import CROSS, EXAMPLES, FIXTURES, MODELS, QEMU, Failure, check, each, equal, has, test
from test_compact import TABLES
from test_copy_only import LIBRARY
from test_generate import validate

C_KINDS = {  # label: (source, options)
    "digits": (EXAMPLES / "digits/digits_float.json", []),
    "digits_split": (EXAMPLES / "digits/digits_float.json", ["-r", "split"]),
    "digits_c_files": (EXAMPLES / "digits/digits_int8.json", ["-r", "split,gen-c-file"]),
    "no_weights": (EXAMPLES / "tiny/tiny.c", ["--weights-threshold", "0", "-r", "split"]),
    "no_thresholds": (MODELS / "state.c", ["--weights-threshold", "0", "--acts-threshold", "0"]),
    "compact": (TABLES, ["-r", "compact", "--weights-threshold", "64"]),
    "compact_split": (TABLES, ["-r", "compact,split", "--weights-threshold", "64"]),
    "copy_only": (LIBRARY, ["-r", "copy-only", "--weights-threshold", "64"]),
    "copy_only_split": (LIBRARY, ["-r", "copy-only,compact,split", "--weights-threshold", "64"]),
    "libraries": (FIXTURES / "tvm/mix", ["-r", "split"]),
    "odd": ("const char w[301] = {1, 2};\nstatic char c = 1, d;\nstatic long long e __attribute__((aligned(32)));\n"
            "void model(const char in[3], char out[5]) { out[0] = in[0] + w[(unsigned char)in[1]] + c++ + d++ + (char)e++; }\n",
            []),
}
NPU_KINDS = {
    "plain": (dict(), []), "plain_split": (dict(), ["-r", "split"]),
    "blobs_split": (dict(pools="mix", epoch_controller=True), ["-r", "split,ecblob-in-params"]),
    "blobs": (dict(pools="mix", epoch_controller=True), ["-r", "ecblob-in-params"]),
    "ext": (dict(pools="ext_mixed"), ["-r", "gen-c-file"]),
}


def rows_of(report, name):
    return [row for row in report["image"]["sections"] if row["name"] == name]


def symbols_are_bytes(case, report, out, elf):
    """Each variable's and function's bytes are found where the report says they are."""
    names = {row["name"]: row for row in report["image"]["sections"] if "file" in row}
    symbols = {}
    for line in case.run(f"{CROSS}readelf", "-sW", elf).out.splitlines():
        words = line.split()
        if len(words) == 8 and words[3] in ("FUNC", "OBJECT") and words[6].isdigit():
            symbols.setdefault(words[7], []).append((int(words[1], 16), int(words[2], 0), words[3]))
    parts = {}
    for name, base in ((".flash", 0x20000000), (".weights", 0x40000000)):
        path = case.dir / f"part{name}"
        case.run(f"{CROSS}objcopy", "-O", "binary", "-j", name, elf, path)
        parts[base >> 28] = path.read_bytes() if path.exists() else b""
    found = 0
    for symbol in report["symbols"]:
        where, row = symbols.get(symbol["name"], []), names.get(symbol["section"])
        if len(where) != 1 or row is None or where[0][0] >> 28 not in parts:
            continue
        value, size, kind = where[0]
        equal(symbol["kind"], "function" if kind == "FUNC" else "object", f"kind of {symbol['name']}")
        at, data = value & 0x0FFFFFFE, (case.dir / out / row["file"]).read_bytes()
        start = row["file_offset"] + symbol["offset"]
        equal(data[start:start + size], parts[value >> 28][at:at + size], f"bytes of {symbol['name']}")
        found += 1
    return found


@each(list(C_KINDS))
def cortex_m(case, label):
    source, words = C_KINDS[label]
    source = case.write("model.c", source) if isinstance(source, str) else source
    result = case.generate(source, *words, "--workspace", case.dir / "work", target="stm32h7")
    path, = (case.dir / "out").glob("*_generate_rel.json")
    report = json.loads(path.read_text())
    validate(report)
    weights = next((case.dir / "out").glob("*_data.bin"), None)
    image = reader.read(next((case.dir / "out").glob("*_rel.bin")), weights)
    got = {row["name"]: (row.get("offset"), row["size_bytes"]) for row in report["image"]["sections"]}
    want = {"data": (0, image.data_end), "got": (image.got_start, image.got_end - image.got_start),
            "rel": (image.rel_start, image.rel_end - image.rel_start), "header": (0, 100)}
    equal({name: got[name] for name in want}, want, "rows against the header's words")
    equal(rows_of(report, "data")[0]["file_offset"], image.ro_size, "where the data is in the file")
    equal(got.get("fixups", (0, 0))[1] // 8, len(image.fixups) + len(image.patches), "fix-ups")
    check(symbols_are_bytes(case, report, "out", case.dir / "work/image.elf") >= 2, "no symbol was compared")
    for file in {row["file"] for row in report["image"]["sections"] if "file" in row}:
        size = (case.dir / "out" / file).stat().st_size
        has(result.out, f" {file}\n   ", f"   sum              {size:12,}\n")


@each(list(NPU_KINDS))
def neural_art(case, label):
    options, words = NPU_KINDS[label]
    made = npu_kit.made(case, *words, **options)
    report = json.loads((made.out / f"{made.name}_generate_rel.json").read_text())
    sums.check_sums(made.out)
    size = npu_kit.size_of(made.params_path) if made.params_path else 0
    has(made.text, f" params file size     = {size:,}\n")
    equal(made.params_path is not None, "split" in " ".join(words), "a file of params")
    equal(rows_of(report, "params")[0]["size_bytes"], made.read().params_size, "params without padding and trailer")


@test
def other_dialects(case):
    """Vendor's runtime with both kinds of weights, the newer API, a Glow bundle."""
    pack = standin.pack(case, (10, 0))
    for number, weights in enumerate(("params", "raw", "raw_array")):
        source = standin.network(case, (10, 0), weights, name=f"net{number}")
        for split in ([], ["--split"]):
            case.generate(source, *split, out=f"v{number}{len(split)}", env={"STEDGEAI_CORE_DIR": pack})
            validate(case.report("network", f"v{number}{len(split)}"))
    glow = glow_kit.bundle(case)
    for split in ([], ["--split"]):
        case.generate(glow, *split, out=f"glow{len(split)}")
    pack = standin.pack(case, (11, 0), macro=False, name="newer pack")
    source = stai_kit.network(case, folder="stai")
    for split in ([], ["--split"]):
        case.generate(source, *split, out=f"stai{len(split)}", env={"STEDGEAI_CORE_DIR": pack})


@test(needs=["clang"])
def with_clang(case):
    for items in ("llvm", "llvm,split"):
        case.generate(EXAMPLES / "digits/digits_float.json", "-r", items)
        validate(case.report("digits_float"))


@test
def what_does_not_add_up_is_found(case):
    """The check itself: every change of a number, and of a byte of the padding, is a fault."""
    case.generate(case.write("model.c", C_KINDS["odd"][0]), "-r", "split")
    folder, good = case.dir / "out", case.report("model")
    equal(list(sums.faults(folder, good)), [], "faults of a good report")
    count = 0
    for number, row in enumerate(good["image"]["sections"]):
        for key in ("size_bytes", "file_offset"):
            if key not in row or row["name"] == "weights" and "file" not in row:
                continue
            bad = copy.deepcopy(good)
            bad["image"]["sections"][number][key] += 1
            check(list(sums.faults(folder, bad)), f"{key} of {row['name']} + 1")
            bad["image"]["sections"].pop(number)
            if row["size_bytes"]:
                check(list(sums.faults(folder, bad)), f"without {row['name']}")
            count += 1
    check(count > 15, f"only {count} numbers")
    for key, value in (("section", "flash"), ("offset", 1 << 20), ("kind", "variable")):
        bad = copy.deepcopy(good)
        bad["symbols"][0][key] = value
        check(list(sums.faults(folder, bad)), f"symbol with another {key}")
    padding = [row for row in rows_of(good, "padding") if "file" in row]
    check(padding, "no padding in this image")
    image = folder / padding[0]["file"]
    data = bytearray(image.read_bytes())
    data[padding[0]["file_offset"]] = 1
    image.write_bytes(data)
    check(any("padding" in fault for fault in sums.faults(folder, good)), "padding that is not zero")
    try:
        kit.sums_add_up(folder)
    except Failure:
        return
    raise Failure("kit.sums_add_up() found nothing")


@test(needs=[QEMU])
def version_of_the_report(case):
    """verify reads reports of schema 2 and 3, and says so of others."""
    case.generate(EXAMPLES / "tiny/tiny.c")
    path = case.dir / "out/tiny_generate_rel.json"
    report = json.loads(path.read_text())
    equal(report["schema_version"], 3, "schema_version")
    for version in (2, 3):
        path.write_text(json.dumps({**report, "schema_version": version}))
        has(case.verify(case.dir / "out/tiny_rel.bin").out, "12 of 12")
    for version in (4, 1, 0, "2", None):
        path.write_text(json.dumps({**report, "schema_version": version}))
        result = case.verify(case.dir / "out/tiny_rel.bin", status=9)
        has(result.err, "error RP2900: ", "tiny_generate_rel.json", "schema_version", "--report")


@test
def imports_and_archive_members(case):
    """One key each: what the firmware has, and what the linker took out of archives."""
    case.generate(case.write("model.c", "#include <string.h>\nint hal_scale(int);\n"
                             "void model(const int in[64], int out[64]) {\n"
                             "    memset(out, 0, 4 * (unsigned)in[0]);\n    out[1] = hal_scale(in[1]);\n}\n"),
                  "--import", "hal_scale")
    report = case.report("model")
    validate(report)
    equal([entry["symbol"] for entry in report["imports"]], ["hal_scale"], "imports")
    check("memset" in [entry["symbol"] for entry in report["archive_members"]], "archive members")
    check(not re.search(r"imports_host", json.dumps(report)), "the old key")
