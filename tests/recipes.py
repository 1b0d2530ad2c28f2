#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows the recipes of CONTRIBUTING.md in a copy of the sources: a core, a figure and a note are added as it says, in the files that it
names and in no others; then the program is built, and has them.

usage: recipes.py FOLDER     which is replaced
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = "void twice(const float x[4], float y[4]) {\n    for (int i = 0; i < 4; i++)\n        y[i] = 2 * x[i];\n}\n"
# recipe: (file, what stands there, what is put before it)
RECIPES = {
    "core": [
        ("base/cores.def", "X(M52, ", 'X(M35P, 0xD31, "M35P", "M35P", "cortex-m35p", "cortex-m35p", V8M_MAIN, FPV5)\n'),
        ("runtime/format/reloc_format.h", "    RELOC_CPUID_M52 ", "    RELOC_CPUID_M35P = 0xD31,\n"),
        ("toolchain/compile/series.c", "#define M52F ", '#define M35PF CORE(M35P), "fpv5-sp-d16", RELOC_FLOAT_HARD, "single precision"\n'),
        ("toolchain/compile/series.def", 'SERIES("Arm", "cortex-m33"', 'SERIES("Arm", "cortex-m35p", M35PF, "Cortex-M35P Technical Reference Manual")\n'),
        ("templates/harness/boards.h", '    X(M23, "cortex-m23"', '    X(M35P, "cortex-m35p", "mps2-an505", 0xD21, 20000000, 0x10000000, "") \\\n'),
        ("templates/harness/boards.h", "    HARNESS_MEMORIES_3(X, M23,",
         "    HARNESS_MEMORIES_3(X, M35P, UINT32_C(0x10000000), UINT32_C(0x38000000), UINT32_C(0x80000000)) \\\n"),
        ("templates/harness/boards.h", "    X(M23, UINT32_C(0x38000000)",
         "    X(M35P, UINT32_C(0x38000000), UINT32_C(0x38020000), UINT32_C(0x10001000)) \\\n")],
    "figure of the memory": [
        ("cli/figures.def", "X(EXT_RAM, ", 'X(FIVE, "five", "Five bytes", FLASH)\n'),
        ("cli/report/figures.c", "        [RP_FIGURE_EXT_RAM] ", "        [RP_FIGURE_FIVE] = 5,\n")],
    "note or warning": [("base/notes.def", 'N("RP1002"', 'N("RP1099", "note", "a recipe was followed")\n')],
}


def check(condition, text):
    if not condition:
        print(text)
        print("0 passed, 1 failed")
        sys.exit(1)


def follow(copy):
    """Edits the copy; a file that the recipe does not name is a fault of the recipe."""
    page = (copy / "CONTRIBUTING.md").read_text()
    for name, edits in RECIPES.items():
        found = re.search(rf"\*\*A {name}\.\*\*(.*?)\n\n", page, re.S)
        check(found, f"CONTRIBUTING.md has no recipe for a {name}")
        for file, at, text in edits:
            check(file in found[1] or os.path.basename(file) in found[1], f"the recipe for a {name} does not name {file}")
            old = (copy / file).read_text()
            check(old.count(at) == 1, f"{file}: {at!r} is there {old.count(at)} times")
            (copy / file).write_text(old.replace(at, text + at))


def main():
    copy = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build", ".git"))
    follow(copy)
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CI")}

    def run(*words, status=0):
        done = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, check=False)
        check(done.returncode == status, f"{' '.join(words)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    run("make", "-j2")
    tool, image = "build/relocpack", "out/twice_rel.bin"
    (copy / "twice.c").write_text(MODEL)
    check("a recipe was followed" in run(tool, "explain", "RP1099"), "explain does not know the note")
    run(tool, "generate", "-q", "-i", "twice.c", "--mcu", "cortex-m35p", "-o", "out")
    report = json.loads((copy / "out/twice_generate_rel.json").read_text())
    check(report["memory"]["five"] == 5, "the report does not have the figure")
    check("five has 5 bytes" in run(tool, "generate", "-q", "-i", "twice.c", "--mcu", "cortex-m35p", "-o", "out", "--budget", "five=4", status=7),
          "the figure is not a budget")
    check("12 of 12" in run(tool, "verify", image), "the core cannot be emulated")
    shutil.rmtree(copy)
    print(f"{len(RECIPES)} passed, 0 failed")


if __name__ == "__main__":
    main()
