# SPDX-License-Identifier: Apache-2.0
"""Reads the corpus: each file of tests/corpus/constructs holds the constructs of one theme.

A file starts with the text that stands in front of each of its constructs. Then follows, for each:

    //@ case NAME [OPTION=VALUE, ...]     Python literals; continued in lines "//@   ..."
    source of the model
    //@ file PATH [OPTION=VALUE, ...]     more files of the same construct

Options of a case (all have a default):
    io        tensors, "f32:8, i32:4 > u8:10"; type and elements
    expect    "run", or the id of the error that refuses it; llvm: the same with -r llvm, "-" if it is left out there;
              copy: with -r copy-only; whole: with constants and arrays in code and data
    says      a text that the message of the refusal contains
    args      words for relocpack generate; cflags: words for both builds
    entry     --entry; "" for none; static: decl and call, in C, in0, out0, … being the tensors
    manifest  members of a manifest beside "sources"; init: in C, what the static build calls first
    cores     cores that have it, "M4 M7"
    without   of M0 and M23, which take what is C and has no options of its own, those that do not have it
    sets      more sets of inputs, each a list for each tensor
    own_math  the project's functions that the static build uses instead of the C library's
    aligned   the image is placed so that its constants have their alignment
    linked    flags for the static build's link
    slots     slots of 64 KB, for a larger static build
Options of a file:
    to        "source" (--source), "archive" (one for each name), "object", "joined" (by ld -r), "header"
    archive   name of the archive, or of what is joined; member: name of the member; ar: how it is made
    flags     compiler flags; pic: flags for the image instead of the usual ones, or False: none;
              clang=True: compiled by clang
    objcopy   options of objcopy for the object
"""
import ast
import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
CTYPES = {"f32": "float", "f64": "double", **{f"{s}{n}": f"{'u' * (s == 'u')}int{n}_t"
                                              for s in "iu" for n in (8, 16, 32, 64)}, "b8": "_Bool"}
BYTES = {name: int(name[1:]) // 8 for name in CTYPES}


@dataclasses.dataclass
class File:
    name: str
    text: str
    to: str = "source"
    archive: str = "kernels"
    member: str = ""
    ar: str = "qcs"
    flags: str = ""
    pic: object = True  # or flags, or False
    clang: bool = False
    objcopy: str = ""


@dataclasses.dataclass
class Case:
    name: str
    theme: str
    suffix: str
    text: str
    line: int
    files: list = dataclasses.field(default_factory=list)
    io: str = "u32:8 > u32:8"
    expect: str = "run"
    llvm: str = ""
    copy: str = ""
    whole: str = ""
    says: str = ""
    args: str = ""
    cflags: str = ""
    entry: str = "model"
    decl: str = ""
    call: str = ""
    init: str = ""
    manifest: dict = None
    cores: str = "M3 M4 M7 M33 M55"
    without: str = ""
    sets: list = dataclasses.field(default_factory=list)
    slots: int = 1
    aligned: bool = False
    linked: str = ""
    own_math: tuple = ()

    def runs_on(self, core):
        """Armv6-M and Armv8-M Baseline take what is C and has no options of its own."""
        if core not in ("M0", "M23"):
            return core in self.cores.split()
        texts = [self.text, *(file.text for file in self.files)]
        return (core not in self.without.split() and self.cores == Case.cores and self.suffix == ".c"
                and not self.cflags and not self.args and not any("asm" in text or "target(" in text
                                                                  for text in texts))

    def with_a_third_tensor(self):
        """The same with an input that it does not read: with three tensors, create makes their table."""
        plain = "void model(const uint32_t in[8], uint32_t out[8])"
        if plain not in self.text or (self.io, self.decl, self.call, self.manifest) != (Case.io, "", "", None):
            return self
        return dataclasses.replace(self, text=self.text.replace(plain, plain.replace(", uint32_t", ", const uint32_t unread_input[1], uint32_t")),
                                   io="u32:8, u32:1 > u32:8", sets=[[*one, [0]] for one in self.sets])

    @property
    def inputs(self):
        return tensors(self.io.split(">")[0])

    @property
    def outputs(self):
        return tensors(self.io.split(">")[1])

    def expected(self, variant):
        if variant == "llvm" and self.suffix == ".cpp":
            return "RP2400"
        return {"llvm": self.llvm, "copy": self.copy, "whole": self.whole}.get(variant) or self.expect


def tensors(text):
    """[(type, elements)] of "f32:8, i32:4"."""
    pairs = (part.strip().split(":") for part in text.split(",") if part.strip())
    return [(name, int(count)) for name, count in pairs]


def options_of(text):
    call = ast.parse(f"f({text})", mode="eval").body
    return {word.arg: ast.literal_eval(word.value) for word in call.keywords}


def blocks(text):
    """(kind, name, options, source, line) of each marker; first the text in front of all markers."""
    lines, at = text.split("\n"), 0
    kind, name, options, body, start = "prelude", "", "", [], 1
    while at < len(lines):
        found = re.match(r"//@ (case|file) (\S+)\s*(.*)", lines[at])
        if not found:
            body.append(lines[at])
            at += 1
            continue
        yield kind, name, options, body, start
        kind, name, options = found.groups()
        at += 1
        while at < len(lines) and lines[at].startswith("//@   "):
            options += " " + lines[at][6:]
            at += 1
        body, start = [], at + 1
    yield kind, name, options, body, start


def read_theme(path):
    prelude, cases = "", []
    for kind, name, options, body, line in blocks(path.read_text(encoding="utf-8")):
        text = "\n".join(body) + "\n"
        if kind == "prelude":
            prelude = text
        elif kind == "case":
            cases.append(Case(name, path.stem, path.suffix, prelude + text, line, **options_of(options)))
        else:
            cases[-1].files.append(File(name, text, **options_of(options)))
    return cases


def read_all():
    cases = [case for path in sorted((HERE / "constructs").iterdir()) for case in read_theme(path)]
    names = [case.name for case in cases]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"two constructs of one name: {twice}"
    return cases
