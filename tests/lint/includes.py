#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which file includes what: data flow has to show in the tree (docs/DESIGN.md).

usage: includes.py [--self-test]

Prints a line for each wrong #include; the last line is "N passed, N failed", in files. Rules:
- base includes base only; toolchain: base, runtime, templates' shared headers; elfpack: base,
  runtime; cli and tests: everything; runtime: nothing of the host.
- What is in quotes is written with its folder, but for runtime, templates and tests/math and
  tests/target: what is copied to, or built for, a target includes its neighbours by name.
- One file is the only one to know a library.
- The second loader and the firmware of the corpus share nothing with what they check: no header but
  their own and the C library's.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST = ("base", "toolchain", "elfpack", "cli", "tests")
ALLOWED = {
    "base": {"base"},
    "toolchain": {"base", "toolchain", "runtime", "templates"},
    "elfpack": {"base", "elfpack", "runtime"},
    "cli": {"base", "toolchain", "elfpack", "cli", "runtime", "templates"},
    "tests": {"base", "toolchain", "elfpack", "cli", "runtime", "templates", "tests"},
}
# Header (a pattern) and the files that may include it.
OWNED = {
    r"(libelf|gelf)\.h": {"elfpack/elf.c"},
    r"dwarf\.h|elfutils/.*": {"toolchain/calls/dwarf.c"},
    r"cjson/.*|cJSON\.h": {"base/json.c"},
    r"zlib\.h|nettle/.*": {"elfpack/integrity.c"},
    r"archive(_entry)?\.h": {"base/tar.c"},
    r"pb(_\w+)?\.h": {"toolchain/graph/protobuf.c"},
    r"spawn\.h": {"toolchain/build/process.c"},
}
# Second opinions, and the headers of their own: nothing of runtime/ and templates/ may be in them.
APART = {"tests/target/second_loader.c", "tests/target/second_loader.h", "tests/target/corpus_runner.c",
         "tests/target/corpus_plan.h"}
APART_HEADERS = {"second_loader.h", "corpus_plan.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
# Headers that C11 has for freestanding implementations, memcpy's, and a compiler's own.
TARGET_HEADERS = {"stdint.h", "stdbool.h", "intrinsics.h", "stddef.h", "stdarg.h", "float.h", "limits.h", "string.h"}
# One user of malloc, when the application asks for it; host builds of the math functions.
TARGET_EXCEPTIONS = {("runtime/reloc_port.h", "stdlib.h")}


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def wrong_library(path, name):
    for pattern, owners in OWNED.items():
        if re.fullmatch(pattern, name) and path not in owners:
            return f"only {', '.join(sorted(owners))} may include <{name}>"
    return None


def wrong_system(path, name):
    if path in APART and name not in TARGET_HEADERS:
        return f"<{name}>: what is a second opinion includes none of the first"
    if path.startswith("runtime/") and name not in TARGET_HEADERS:
        is_vendor = name.startswith(("ai_", "cmsis", "iccarm", "arm_"))
        if not is_vendor and (path, name) not in TARGET_EXCEPTIONS:
            return f"runtime knows nothing of the host, such as <{name}>"
    return None


def wrong_quoted(path, name):
    folder = path.split("/")[0]
    if path in APART and name not in APART_HEADERS:
        return f'"{name}": what is a second opinion includes none of the first'
    if folder not in HOST:
        return wrong_target(path, name)
    for_target = path.startswith(("tests/target/", "tests/math/", "tests/fixtures/", "tests/corpus/"))
    if "/" not in name and not for_target:
        return f'"{name}" is written without its folder'
    first = name.split("/")[0]
    if not for_target and first not in ALLOWED[folder]:
        return f'{folder} may not include "{name}"'
    if not for_target and not (ROOT / name).exists():
        return f'"{name}" does not exist'
    return None


def wrong_target(path, name):
    """runtime and templates: no header of the host, whatever the path to it is."""
    parts = [part for part in name.split("/") if part not in (".", "..")]
    if len(parts) > 1 and parts[0] not in ("runtime", "math", "templates", "harness"):
        return f'"{name}" is none of the target\'s headers'
    return None


def problems_of(path, text):
    for number, bracket, name in includes(text):
        own_rule = wrong_quoted if bracket == '"' else wrong_system
        problem = wrong_library(path, name) or own_rule(path, name)
        if problem:
            yield f"{path}:{number}: {problem}"


def self_test():
    """Each rule has to find its fault, and no fault has to be found in what is right."""
    bad = [("base/x.c", '"elfpack/elf.h"'), ("toolchain/x.c", '"elfpack/elf.h"'),
           ("elfpack/x.c", '"toolchain/model.h"'), ("elfpack/x.c", '"cli/options.h"'),
           ("runtime/x.h", '"base/buf.h"'), ("runtime/x.h", "<stdio.h>"),
           ("base/x.c", '"arena.h"'), ("base/x.c", '"../cli/options.h"'),
           ("elfpack/x.c", "<gelf.h>"), ("cli/x.c", "<cjson/cJSON.h>"),
           ("elfpack/image.c", "<zlib.h>"), ("cli/x.c", "<nettle/sha2.h>"),
           ("toolchain/build/build.c", "<spawn.h>"), ("templates/x.c", '"../base/buf.h"'),
           ("cli/x.c", '"cli/none.h"'), ("tests/target/second_loader.c", '"ai_reloc_network.h"'),
           ("tests/target/second_loader.h", "<reloc_format.h>"),
           ("tests/target/corpus_runner.c", '"../../runtime/reloc_core.h"')]
    good = [("base/x.c", '"base/buf.h"'), ("elfpack/elf.c", "<gelf.h>"), ("elfpack/x.c", "<elf.h>"),
            ("elfpack/x.c", '"runtime/reloc_core.h"'), ("runtime/x.h", '"reloc_format.h"'),
            ("runtime/x.h", "<stdint.h>"), ("tests/target/x.c", '"loader_kit.h"'),
            ("cli/x.c", '"elfpack/elf.h"'), ("base/json.c", "<cjson/cJSON.h>"),
            ("tests/target/second_loader.c", '"second_loader.h"')]
    for path, name in bad:
        if not list(problems_of(path, f"#include {name}\n")):
            sys.exit(f"includes.py: {path} may not include {name}, and nothing was said")
    for path, name in good:
        for problem in problems_of(path, f"  # include {name}\n"):
            sys.exit(f"includes.py: wrongly refused: {problem}")


def main():
    self_test()
    if sys.argv[1:] == ["--self-test"]:
        return 0
    passed = failed = 0
    for folder in (*HOST, "runtime", "templates"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".c", ".h", ".def"):
                continue
            path = file.relative_to(ROOT).as_posix()
            problems = list(problems_of(path, file.read_text(encoding="utf-8")))
            for problem in problems:
                print(problem)
            passed += not problems
            failed += bool(problems)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
