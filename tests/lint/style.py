#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sizes: functions have at most 80 lines and 5 parameters, files at most 600 lines. Also checks the
assembler functions for Arm Compiler 5, which no compiler here reads: one instruction on each line.

usage: style.py

Reads every C file of the repository except generated ones (examples, fixtures' models). Prints a line
for each one that is too large; the last line is "N passed, N failed", in files.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("base", "cli", "elfpack", "toolchain", "runtime", "templates", "tests")
LEFT_OUT = ("tests/fixtures/", "tests/corpus/constructs/")
LINES_OF_FUNCTION, PARAMETERS, LINES_OF_FILE = 80, 5, 600
# Functions of the vendor's API and of a C library, whose parameters are given: file and function.
GIVEN = {("runtime/ai_reloc_network.c", "ai_rel_network_load_and_create"),
         ("tests/e2e/fault.c", "copy_file_range"), ("toolchain/calls/dwarf.c", "find_nothing")}
STRINGS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
# A definition starts in column 0 and its last ) is followed by the brace of the body.
HEAD = re.compile(r"^(?!typedef|struct [^(]*\{|#)[A-Za-z_][^;{}#=]*?\b(\w+)\s*\(([^;{}]*)\)\s*\{",
                  re.MULTILINE)
# A function of armcc's embedded assembler, and the form of its lines.
ASM_FUNCTION = re.compile(r"^static __asm\b[^{;]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
OPERAND = r"(?:r\d+|sp|lr|pc|#\d+|\[r\d+(?:, #\d+)?\]|\{\w+(?:, \w+)*\})"
ASM_LINE = re.compile(rf"    (?:PRESERVE8|[a-z]+ {OPERAND}(?:, {OPERAND})*)")
ASM_FILE = "runtime/loader/reloc_shim_armcc.h"


def blank(match):
    """Keeps the line ends and nothing that could be taken for code."""
    return '""' + "\n" * match[0].count("\n")


def without_directives(text):
    """Macros hold unbalanced braces; their lines stay as empty ones."""
    lines, inside = [], False
    for line in text.split("\n"):
        directive = inside or line.lstrip().startswith("#")
        inside = directive and line.endswith("\\")
        lines.append("" if directive else line)
    return "\n".join(lines)


def end_of_body(text, brace):
    depth = 0
    for at in range(brace, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return len(text)


def count_parameters(text):
    """Commas outside inner parentheses; (void) and () are none."""
    depth, count = 0, 1
    for char in text:
        depth += (char == "(") - (char == ")")
        count += char == "," and depth == 0
    return 0 if text.strip() in ("", "void") else count


def functions(text):
    """Name, first line, lines, parameters."""
    text = without_directives(STRINGS.sub(blank, text))
    at = 0
    while (match := HEAD.search(text, at)) is not None:
        end = end_of_body(text, match.end() - 1)
        first = text.count("\n", 0, match.start()) + 1
        last = text.count("\n", 0, end) + 1
        yield match[1], first, last - first + 1, count_parameters(match[2])
        at = end + 1


def wrong_assembler(text):
    """Lines of __asm functions that are not one instruction; a complaint if a function cannot be read."""
    bodies = ASM_FUNCTION.findall(text)
    if len(bodies) != text.count("__asm"):
        yield "an __asm function that is not read here"
    for body in bodies:
        for line in body.splitlines():
            if not ASM_LINE.fullmatch(line):
                yield line.strip()


def problems_of(path, text):
    for line in wrong_assembler(text) if path == ASM_FILE else ():
        yield f"{path}: one instruction on each line of assembler: {line}"
    lines = text.count("\n")
    if lines > LINES_OF_FILE:
        yield f"{path}: {lines} lines, at most {LINES_OF_FILE}"
    for name, first, length, parameters in functions(text):
        if length > LINES_OF_FUNCTION:
            yield f"{path}:{first}: {name} has {length} lines, at most {LINES_OF_FUNCTION}"
        if parameters > PARAMETERS and (path, name) not in GIVEN:
            yield f"{path}:{first}: {name} has {parameters} parameters, at most {PARAMETERS}"


def self_test():
    body = "    x++; /* } */ y = '}'; s = \"}\";\n" * 90
    found = list(functions("static int\nf(int a, int (*b)(int, int)) {\n" + body + "}\n\nvoid g(void)"
                           "\n{\n}\nstruct s { int a; };\nint t[] = { 1 };\n"))
    if found != [("f", 1, 93, 2), ("g", 95, 3, 0)]:
        sys.exit(f"style.py: does not read functions: {found}")
    for line in ("mov r0, r9 bx lr", "push{r2, lr} ldr r9, [ r3, #4 ]", ""):
        if not list(wrong_assembler("static __asm int f(int a) {\n    PRESERVE8\n    " + line + "\n}\n")):
            sys.exit(f"style.py: takes '{line}' for an instruction")


def main():
    self_test()
    passed = failed = 0
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.[ch]")):
            path = file.relative_to(ROOT).as_posix()
            if path.startswith(LEFT_OUT):
                continue
            problems = list(problems_of(path, file.read_text(encoding="utf-8")))
            for problem in problems:
                print(problem)
            passed += not problems
            failed += bool(problems)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
