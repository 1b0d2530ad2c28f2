#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands in README.md, docs/guide/*.md and the README of the example firmware.

usage: pages.py PROGRAM [PAGE...]   runs all pages, or these, and writes the output of their examples again

What a fenced block is, by its language and by an HTML comment on the line in front of it:

  sh                             commands: they have to succeed
  console                        commands behind "$ ", each with its output; a line "..." stands for any lines
  <!-- file: NAME -->            the text of a file that later commands of the page use
  <!-- not run: REASON -->       needs what a test does not have, such as a vendor's pack

The blocks of a page run in one scratch folder, in their order, with the source's examples/ and a small model.onnx
in it and the program on the PATH. The folder's own path is left out of what is printed. Numbers in the output depend on the versions of compiler and emulator: a tenth more or less is the
same, and hashes and addresses are not compared.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import model_files as onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "examples/firmware/README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/guide").glob("*.md"))]
ANY = "..."


class Stale(Exception):
    """A page does not say what the program does."""


class Block:
    """lines: those between the fences. first: the number of the first of them, from 0."""
    def __init__(self, language, comment, first, lines):
        self.language, self.first, self.lines = language, first, lines
        self.file = comment.removeprefix("file: ") if comment.startswith("file: ") else None
        self.run = not self.file and not comment.startswith("not run: ") and language in ("sh", "console")


def blocks(text):
    lines, found, comment, i = text.split("\n"), [], "", 0
    while i < len(lines):
        if lines[i].startswith("```"):
            end = lines.index("```", i + 1)
            found.append(Block(lines[i][3:], comment, i + 1, lines[i + 1:end]))
            i = end
        said = re.fullmatch(r"<!-- (.*) -->", lines[i])
        comment = said[1] if said else comment if not lines[i] else ""
        i += 1
    return found


def sessions(lines):
    """The commands of a console block: [command, its output as the page has it]."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1][0] += "\n" + line
        else:
            found[-1][1].append(line)
    return found


NUMBER = r"\d[\d,]*(?:\.\d+)?"


def same_line(stated, got):
    def words(line):
        return " ".join(re.sub(NUMBER, "0", re.sub(r"\b(?:0x)?[0-9a-f]{8,}\b", "x", line)).split())
    return words(stated) == words(got)


def near(stated, got):
    def numbers(line):
        return [float(n.replace(",", "")) for n in re.findall(NUMBER, re.sub(r"\b(?:0x)?[0-9a-f]{8,}\b", "x", line))]
    return all(abs(a - b) <= max(8, 0.1 * max(a, b)) for a, b in zip(numbers(stated), numbers(got)))


def fresh(stated, got, where):
    """The stated output with the lines that were printed now. Fails where the words differ."""
    out, at, gap = [], 0, False
    for line in stated:
        if line == ANY:
            gap = True
            out.append(line)
            continue
        while gap and at < len(got) and not same_line(line, got[at]):
            at += 1
        if at >= len(got) or not same_line(line, got[at]):
            raise Stale(f"{where}: not printed (any more): {line!r}; printed was:\n" + "\n".join(got))
        out.append(got[at])
        at, gap = at + 1, False
    if at < len(got) and not gap:
        raise Stale(f"{where}: also printed: {got[at]!r}")
    return out


def small_model():
    """A quantised convolution with ReLU, and what a hardware for integers cannot do behind it."""
    scales = [onnx.constant("s", onnx.FLOAT, [], struct.pack("<f", 0.5)), onnx.constant("z", onnx.INT8, [], b"\0"),
              onnx.constant("w", onnx.INT8, [8, 4, 3, 3], bytes(288))]
    nodes = [onnx.node("QuantizeLinear", ["image", "s", "z"], ["q"]), onnx.node("DequantizeLinear", ["q", "s", "z"], ["d"]),
             onnx.node("DequantizeLinear", ["w", "s", "z"], ["k"]),
             onnx.node("Conv", ["d", "k"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]), onnx.node("Relu", ["c"], ["r"]),
             onnx.node("QuantizeLinear", ["r", "s", "z"], ["o"]), onnx.node("DequantizeLinear", ["o", "s", "z"], ["f"]),
             onnx.node("Erf", ["f"], ["y"])]
    return onnx.model(nodes, scales, [("image", onnx.FLOAT, [1, 4, 32, 32])], [("y", onnx.FLOAT, [1, 8, 32, 32])])


class Scratch:
    def __init__(self, folder, program, environment=None):
        self.folder = pathlib.Path(folder)
        os.symlink(ROOT / "examples", self.folder / "examples")
        (self.folder / "model.onnx").write_bytes(small_model())
        (self.folder / ".bin").mkdir()
        os.symlink(os.path.realpath(program), self.folder / ".bin/relocpack")
        self.environment = dict(environment or os.environ)
        self.environment["relocpack_DIR"] = str(ROOT / "runtime/cmake")  # for CMake's find_package
        self.environment["PATH"] = f"{self.folder}/.bin:{self.environment['PATH']}"
        settings = self.folder / ".config/gdb/gdbinit"
        settings.parent.mkdir(parents=True)
        settings.write_text("set remotetimeout 600\n")  # on a busy machine QEMU may take longer to start than GDB waits
        self.environment["XDG_CONFIG_HOME"] = str(self.folder / ".config")

    def shell(self, command):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode(errors="replace").replace(f"{self.folder}/", "").rstrip("\n")


def run_block(block, scratch, where):
    """The block's lines with the output that was printed now."""
    if block.file:
        path = scratch.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(block.lines) + "\n", encoding="utf-8")
    elif block.run and block.language == "sh":
        status, printed = scratch.shell("\n".join(block.lines))
        if status:
            raise Stale(f"{where}: exit status {status}:\n{printed}")
    elif block.run:
        out = []
        for command, stated in sessions(block.lines):
            status, printed = scratch.shell(command)
            if status and not any("error RP" in line for line in stated):
                raise Stale(f"{where}: {command}: exit status {status}:\n{printed}")
            out += ["$ " + command, *fresh(stated, [line.rstrip() for line in printed.split("\n")] if printed else [],
                                           f"{where}: {command}")]
        return "\n".join(out).split("\n")
    return block.lines


def run_page(page, scratch):
    """The text of the page with the output of now, and how many lines of it have numbers that are no longer right."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines, far = text.split("\n"), []
    for block in blocks(text):
        where = f"{page}:{block.first + 1}"
        now = run_block(block, scratch, where)
        far += [f"{where}: {old!r} is now {new!r}" for old, new in zip(block.lines, now) if not near(old, new)]
        lines[block.first:block.first + len(block.lines)] = now
    return "\n".join(lines), far


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for page in sys.argv[2:] or PAGES:
        folder = tempfile.mkdtemp()
        try:
            text, _ = run_page(page, Scratch(folder, sys.argv[1]))
            (ROOT / page).write_text(text, encoding="utf-8")
        except Stale as stale:
            sys.exit(str(stale))
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
