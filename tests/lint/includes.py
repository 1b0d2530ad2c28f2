#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which file includes which: the tree has to show how data flows (docs/DESIGN.md).

usage: includes.py [--self-test]

Prints a line for each wrong #include and for each circle; the last line is "N passed, N failed", in files. Rules:
- The host's code is divided into rooms, which are folders, sub-folders and single files. A room includes only the
  rooms that its row of ROOMS names, all of which stand above it, so there is no circle of folders.
- A folder of the host has at most 24 .c files.
- Two files do not include each other, directly or through others. A .c file and its .h count as one.
- runtime and templates include nothing of the host. Tests may include everything.
- Names in quotes are written with their folder. Files that are copied to a target or built for one (runtime,
  templates, tests/math, tests/target) include their neighbours by name.
- Only one file knows each library.
- The second loader and the corpus firmware share nothing with the code that they check: they include only their
  own headers and the C library's.
"""
import collections
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES_MAX = 24
HOST = ("base", "toolchain", "elfpack", "cli", "tests")
# Room: the rooms that it may include besides itself. Each row names only rooms above it. A file belongs to the room
# with the longest name that its path begins with, and a folder's name stands for its sub-folders that have a row
# above. ANY is every room above.
ANY = "*"
ROOMS = {
    "runtime": (), "templates": (), "base": (),
    "elfpack/elf": ("base", "runtime"),
    "elfpack/insn": ("base", "elfpack/elf"),
    "elfpack/image": ("base", "runtime", "elfpack/elf", "elfpack/insn"),
    "elfpack/check": ("base", "runtime", "elfpack/elf", "elfpack/insn", "elfpack/image"),
    "toolchain/model": ("base",),
    "toolchain/dialect": ("base", "toolchain/model"),
    "toolchain/cread": ("base", "toolchain/model"),
    "toolchain/graph": ("base",),
    "toolchain/compile": ("base", "runtime", "templates", "toolchain/model", "toolchain/dialect"),
    "toolchain/calls": ("base", "runtime", "toolchain/model", "toolchain/dialect", "toolchain/cread", "toolchain/compile"),
    "toolchain/npu": ("base", "runtime", "toolchain/model", "toolchain/dialect", "toolchain/cread", "toolchain/compile"),
    "toolchain/probe": ("base", "toolchain/compile"),
    "toolchain/ops": ("base", "toolchain/graph", "toolchain/npu"),
    "toolchain/generators": ("base", "runtime", "toolchain/graph", "toolchain/compile", "toolchain/npu"),
    "toolchain/dialects": ("base", "runtime", "toolchain"),
    "cli/version": (),
    "cli/figures": (),
    "cli/document": ("base", "cli/version"),
    "cli/terminal": ("base",),
    "cli/options": ("base", "toolchain/compile", "cli/version", "cli/terminal"),
    "cli/commands": ("cli/options",),
    "cli/amount": ("base", "cli/options"),
    "cli/format": ("elfpack/elf",),
    "cli/pipeline": ("base", "runtime", "templates", "elfpack", "toolchain", "cli/terminal", "cli/format"),
    "cli/source_rows": ("cli/options", "cli/pipeline"),
    "cli/report/ci": ("base", "elfpack/image", "toolchain/compile", "cli/version", "cli/options"),
    "cli/report": ("base", "runtime", "elfpack", "toolchain", "cli/version", "cli/figures", "cli/document", "cli/terminal", "cli/options", "cli/amount",
                   "cli/source_rows", "cli/pipeline", "cli/report/ci"),
    "cli/facts": ("base", "elfpack", "cli/document", "cli/report"),
    "cli/page": ("base", "elfpack", "cli/version", "cli/figures", "cli/document", "cli/options", "cli/commands", "cli/facts", "cli/report"),
    "cli/harness": ("base", "templates", "elfpack", "toolchain", "cli/format"),
    "cli/tensors": ("base", "elfpack", "toolchain/model", "toolchain/graph", "cli/document"),
    "cli/profile": ("base", "templates", "elfpack", "toolchain", "cli/document", "cli/pipeline", "cli/harness"),
    "cli/boards": (ANY,), "cli/doctor": (ANY,), "cli/targets": (ANY,), "cli/inspect": (ANY,), "cli/ops": (ANY,),
    "cli/diff": (ANY,), "cli/exports": (ANY,), "cli/sbom": (ANY,), "cli/sign": (ANY,),
    "cli/generate": (ANY,), "cli/completion": (ANY,), "cli/verify": (ANY,), "cli/run": (ANY,), "cli/formats": (ANY,), "cli/batch": (ANY,),
    "cli/main": (ANY,),
    "tests": (ANY,),
}
# Rooms of one command each: they do not include each other.
COMMANDS = {"cli/boards", "cli/doctor", "cli/targets", "cli/inspect", "cli/ops", "cli/diff", "cli/exports", "cli/sbom", "cli/sign", "cli/generate", "cli/run", "cli/verify"}
# Header (a pattern) and the files that may include it.
OWNED = {
    r"(libelf|gelf)\.h": {"elfpack/elf/elf.c"},
    r"dwarf\.h|elfutils/.*": {"toolchain/calls/dwarf.c"},
    r"cjson/.*|cJSON\.h": {"base/json.c"},
    r"zlib\.h|openssl/sha\.h": {"elfpack/image/integrity.c"},
    r"openssl/(?!sha\.h).*": {"elfpack/image/keys.c"},
    r"archive(_entry)?\.h": {"base/tar.c"},
    r"pb(_\w+)?\.h": {"toolchain/graph/protobuf.c"},
    r"spawn\.h": {"toolchain/compile/process.c"},
}
# Second opinions, and the headers of their own: nothing of runtime/ and templates/ may be in them.
APART = {"tests/target/second_loader.c", "tests/target/second_loader.h", "tests/target/corpus_runner.c",
         "tests/target/corpus_plan.h"}
APART_HEADERS = {"second_loader.h", "corpus_plan.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
# Headers that C11 has for freestanding implementations, memcpy's, and a compiler's own.
TARGET_HEADERS = {"stdint.h", "stdbool.h", "intrinsics.h", "stddef.h", "stdarg.h", "float.h", "limits.h", "string.h"}
# One user of malloc, when the application asks for it; host builds of the math functions.
# What each room of runtime/ may include besides its own files and those of runtime/ itself, which firmware includes.
RUNTIME_ROOMS = {"format": (), "loader": ("format",), "cortex_m": ("format", "loader"), "neural_art": ("format", "loader"),
                 "image": ("format",)}
ZEPHYR = "runtime/zephyr/"  # what is built with Zephyr alone
TARGET_EXCEPTIONS = {("runtime/loader/reloc_port.h", "stdlib.h"), ("runtime/verify/psa.c", "psa/crypto.h"),
                     ("runtime/verify/libsodium.c", "sodium/crypto_hash_sha256.h"),
                     ("runtime/verify/libsodium.c", "sodium/crypto_sign_ed25519.h")}


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
    if path.startswith("runtime/") and not path.startswith(ZEPHYR) and name not in TARGET_HEADERS:
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
    if not for_target and not may_include(room_of(path), room_of(name)):
        return f'{room_of(path) or "a file in no room"} may not include "{name}"'
    if not for_target and not (ROOT / name).exists():
        return f'"{name}" does not exist'
    return None


def room_of(path):
    parts = re.sub(r"\.\w+$", "", path).split("/")
    names = ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return next((name for name in names if name in ROOMS), None)


def may_include(room, other):
    """Whether the table has an arrow from one room to the other. A folder stands for its sub-folders."""
    if room is None or other is None or room == other:
        return room is not None and room == other
    if {room, other} <= COMMANDS:
        return False
    order = list(ROOMS)
    return order.index(other) < order.index(room) and any(
        name in (ANY, other) or other.startswith(name + "/") for name in ROOMS[room])


def wrong_target(path, name):
    """runtime and templates: no header of the host, whatever the path to it is."""
    parts = [part for part in name.split("/") if part not in (".", "..")]
    if len(parts) > 1 and parts[0] not in (*RUNTIME_ROOMS, "runtime", "math", "templates", "harness") and (path, name) not in TARGET_EXCEPTIONS:
        return f'"{name}" is none of the target\'s headers'
    room, other = (os.path.relpath(os.path.dirname(file), "runtime") for file in (path, os.path.join(os.path.dirname(path), name)))
    if room in RUNTIME_ROOMS and "/" in name and other not in (".", *RUNTIME_ROOMS[room]):
        return f'runtime/{room} may not include "{name}"'
    return None


def problems_of(path, text):
    for number, bracket, name in includes(text):
        own_rule = wrong_quoted if bracket == '"' else wrong_system
        problem = wrong_library(path, name) or own_rule(path, name)
        if problem:
            yield f"{path}:{number}: {problem}"


def arrows_of(texts):
    """Unit (a path without its suffix): the units that its files include."""
    arrows = {}
    for path, text in texts.items():
        unit = pathlib.PurePath(path).with_suffix("").as_posix()
        named = {pathlib.PurePath(name).with_suffix("").as_posix() for _, bracket, name in includes(text) if bracket == '"'}
        arrows.setdefault(unit, set()).update(named - {unit})
    return arrows


def circles_of(texts):
    """Each circle of files, as the units on it in order; one for each set of units that reach each other."""
    arrows, done = arrows_of(texts), set()
    for start in sorted(arrows):
        if start not in done:
            way = way_back(arrows, start)
            done.update(way)
            if way:
                yield way


def way_back(arrows, start):
    """The shortest way along the arrows from a unit back to it; empty when there is none."""
    ways, seen = [[start]], set()
    while ways:
        way = ways.pop(0)
        for unit in sorted(arrows.get(way[-1], ())):
            if unit == start:
                return way
            if unit not in seen:
                seen.add(unit)
                ways.append(way + [unit])
    return []


def test_circles():
    """A circle is found through headers and sources; a line of files that meets again is none."""
    circle = {"base/a.c": '#include "base/a.h"\n#include "base/b.h"\n', "base/a.h": "", "base/b.h": '#include "base/c.h"\n',
              "base/c.c": '#include "base/a.h"\n', "base/d.c": '#include "base/a.h"\n'}
    line = {"base/a.c": '#include "base/a.h"\n#include "base/b.h"\n#include "base/c.h"\n', "base/b.c": '#include "base/c.h"\n'}
    if list(circles_of(circle)) != [["base/a", "base/b", "base/c"]] or list(circles_of(line)):
        sys.exit("includes.py: does not find circles")


def test_arrows():
    """The table has no arrow that runs up, and one that does is refused by name."""
    for room, others in ROOMS.items():
        above = list(ROOMS)[:list(ROOMS).index(room)]
        if any(other != ANY and not any(name == other or name.startswith(other + "/") for name in above) for other in others):
            sys.exit(f"includes.py: {room} names a room that is not above it")
    for path, name, room in (
            ("toolchain/graph/x.c", "toolchain/ops/x.h", "toolchain/graph"), ("toolchain/model.c", "toolchain/dialect.h", "toolchain/model"),
            ("toolchain/compile/x.h", "toolchain/npu/x.h", "toolchain/compile"), ("elfpack/elf/x.c", "elfpack/insn/insn.h", "elfpack/elf"),
            ("toolchain/x.c", "base/buf.h", "a file in no room"), ("cli/pipeline/x.c", "cli/report/x.h", "cli/pipeline"),
            ("cli/report/x.c", "cli/verify/x.h", "cli/report"), ("cli/verify/x.c", "cli/inspect/x.h", "cli/verify"),
            ("cli/options.c", "cli/main.h", "cli/options")):
        if list(problems_of(path, f'#include "{name}"\n')) != [f'{path}:1: {room} may not include "{name}"']:
            sys.exit(f"includes.py: {path} may not include {name}, and that was not said")


def self_test():
    """Each rule has to find its fault, and must find none in correct files."""
    test_circles()
    test_arrows()
    bad = [("base/x.c", '"elfpack/elf/elf.h"'), ("toolchain/x.c", '"elfpack/elf/elf.h"'),
           ("elfpack/image/x.c", '"toolchain/model.h"'), ("elfpack/image/x.c", '"cli/options.h"'),
           ("runtime/x.h", '"base/buf.h"'), ("runtime/format/x.h", '"../loader/reloc_port.h"'), ("runtime/x.h", "<stdio.h>"),
           ("base/x.c", '"arena.h"'), ("base/x.c", '"../cli/options.h"'),
           ("elfpack/check/x.c", "<gelf.h>"), ("cli/x.c", "<cjson/cJSON.h>"),
           ("elfpack/image/image.c", "<zlib.h>"), ("elfpack/image/signed.c", "<openssl/evp.h>"), ("elfpack/image/keys.c", "<openssl/sha.h>"),
           ("toolchain/compile/build.c", "<spawn.h>"), ("templates/x.c", '"../base/buf.h"'),
           ("cli/x.c", '"cli/none.h"'), ("tests/target/second_loader.c", '"ai_reloc_network.h"'),
           ("tests/target/second_loader.h", "<reloc_format.h>"),
           ("tests/target/corpus_runner.c", '"../../runtime/format/reloc_core.h"')]
    good = [("base/x.c", '"base/buf.h"'), ("elfpack/elf/elf.c", "<gelf.h>"), ("elfpack/check/x.c", "<elf.h>"),
            ("elfpack/image/x.c", '"runtime/format/reloc_core.h"'), ("runtime/x.h", '"reloc_format.h"'),
            ("runtime/x.h", "<stdint.h>"), ("runtime/image/x.h", '"../format/reloc_format.h"'), ("tests/target/x.c", '"loader_kit.h"'),
            ("cli/verify/x.c", '"elfpack/elf/elf.h"'), ("base/json.c", "<cjson/cJSON.h>"),
            ("tests/target/second_loader.c", '"second_loader.h"'), ("cli/report/x.c", '"cli/options.h"'),
            ("toolchain/dialects/x.c", '"toolchain/model.h"')]
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
    texts = {}
    for folder in (*HOST, "runtime", "templates"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix not in (".c", ".h", ".def"):
                continue
            path = file.relative_to(ROOT).as_posix()
            texts[path] = file.read_text(encoding="utf-8")
            problems = list(problems_of(path, texts[path]))
            for problem in problems:
                print(problem)
            passed += not problems
            failed += bool(problems)
    folders = collections.Counter(str(pathlib.PurePath(path).parent) for path in texts if path.endswith(".c"))
    for folder, count in folders.items():
        if count > FILES_MAX and folder.split("/")[0] in HOST[:4]:
            print(f"{folder}: {count} .c files, of at most {FILES_MAX}: what stands in a folder of its own?")
            failed += 1
    for circle in circles_of({path: text for path, text in texts.items() if path.split("/")[0] in HOST[:4]}):
        print(f"{circle[0]}: a circle of files: {' -> '.join(circle + circle[:1])}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
