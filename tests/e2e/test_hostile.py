# SPDX-License-Identifier: Apache-2.0
"""Malicious inputs: text that would become code, work without an end, files that are none, leftovers."""
import json
import os
import shutil

import glow_kit
import kit
from kit import EXAMPLES, QEMU, check, each, equal, has, has_not, test
from test_atomic import WORDS, contents, hidden, shim, wait_for_child
from test_tvm import MIX, SRC, copy, edit, packed, verified

TINY = EXAMPLES / "tiny" / "tiny.c"
SOON = 60  # seconds of CPU time; the faults that these tests stop took hours or all memory


# ---- text that would be code, or mean something to a terminal ----

NAMES = {"quotes": 'a"b\\"', "end": "x*/y", "percent": "%s%n", "directive": "#error", "trigraph": "what??/",
         "command": "$(touch PWNED)`touch PWNED`;touch PWNED", "response": "@etc", "long": "x" * 120}


@each(list(NAMES), needs=[QEMU])
def names_in_an_archive(case, label):
    """Names of an archive's files end in response files, object lists, messages of the compiler."""
    folder = copy(case, MIX)
    name = NAMES[label].replace("/", "_")
    (folder / SRC / "mix_lib1.c").rename(folder / SRC / f"{name}.c")
    case.generate(packed(folder, case.dir / "mix.tar"), cwd=case.dir)
    check(not list(case.dir.rglob("PWNED")), "a name was run")
    if label == "quotes":
        verified(case, case.dir / "out/mix_rel.bin")


@each([*NAMES, "newline", "escape"])
def names_in_metadata(case, label):
    """A name that no tensor of the code has is ignored; as a type it is refused explicitly."""
    name = {"newline": "a\nb", "escape": "\x1b[2Jx"}.get(label, NAMES.get(label))
    folder = copy(case, MIX)
    data = json.loads((folder / "metadata.json").read_text())
    row = data["modules"]["mix"]["memory"]["functions"]["main"][0]
    row["inputs"][name] = {"dtype": "int8", "size": 8}
    (folder / "metadata.json").write_text(json.dumps(data))
    case.generate(folder)
    shutil.rmtree(case.dir / "out")
    row["inputs"]["levels"]["dtype"] = name
    (folder / "metadata.json").write_text(json.dumps(data))
    message = case.refuse(9, "RP2900", folder)
    has_not(message, "\x1b")
    if label == "escape":
        has(message, "\\x1B[2Jx")


@test
def tensors_that_are_one_identifier(case):
    folder = copy(case, MIX)
    data = json.loads((folder / "metadata.json").read_text())
    inputs = data["modules"]["mix"]["memory"]["functions"]["main"][0]["inputs"]
    inputs["scores/0"] = {"dtype": "int8", "size": 16}
    (folder / "metadata.json").write_text(json.dumps(data))
    has(case.refuse(9, "RP2903", folder), "'scores_0'", "differ")


@test
def header_of_another_generation(case):
    """Its order of the inputs would be taken for that of the compiled code."""
    folder = copy(case, MIX)
    include = folder / "codegen/host/include"
    header = (include / "tvmgen_mix.h").read_text()
    (include / "tvmgen_new.h").write_text(header)
    case.generate(folder)
    shutil.rmtree(case.dir / "out")
    edit(include / "tvmgen_new.h", ("scores_0;", "other;"))
    has(case.refuse(9, "RP2900", folder), "tvmgen_new.h:", "struct tvmgen_mix_inputs is there twice")


@test
def comment_of_a_header(case):
    """Only a report contains the generator's name, escaped as JSON requires; a terminal gets no escape sequence."""
    said = '2022 \x1b[31m "q" \\ */ %s ??/ `touch PWNED` \x01'
    folder = glow_kit.bundle(case)
    edit(folder / "toy.h", ("2022-02-22 (test)", said))
    result = case.generate(folder)
    equal(case.report("toy")["model"]["generator"], f"Glow {said}", "generator")
    has_not(result.out + result.err, "\x1b[31m", "\x01")
    out = case.relocpack("generate", "-i", folder, "--target", "f4", "--parse-only").out
    has(out, "Glow 2022 \\x1B[31m")
    has_not(out, "\x1b")


@each(["inf", "1e300", "1e-300", "nan", "-1", "0"])
def scale_that_c_has_not(case, scale):
    folder = glow_kit.bundle(case)
    edit(folder / "toy.h", ("Type: float<1 x 8>", f"Type: i8[S:{scale} O:0][-1,1]<1 x 32>"))
    has(case.refuse(9, "RP2900", folder), "is not understood", f"S:{scale}")


@each(["name", "at", "get", "entry", "define"])
def manifest(case, member):
    """Text that becomes C is an identifier; other text may be anything."""
    code = 'x); } int y(void) { system("touch PWNED"'
    tensor = {"name": "x", "dtype": "float", "shape": [1]}
    data = {"sources": ["tiny.c"], "inputs": [dict(tensor)], "outputs": [dict(tensor, name="y")]}
    shutil.copy(TINY, case.dir)
    if member in ("at", "get"):
        data["inputs"][0][member] = code
    elif member == "define":
        data["defines"] = [f"X={code}`touch PWNED`$(touch PWNED)"]
    else:
        data[member] = code
    path = case.write("m.json", json.dumps(data))
    result = case.generate(path, status=None, cwd=case.dir)
    check(not list(case.dir.rglob("PWNED")), "it was run")
    if member != "define":
        check(result.status == 9 and "RP2903" in result.err, result.show())


# ---- work without an end ----

@test
def links_round_and_round(case):
    source = case.write("more/u.c", "int u(void) { return 1; }\n").parent
    for name in ("a", "b"):
        (source / name).symlink_to(".")
    has(case.refuse(9, "RP2900", TINY, "--source", source, timeout=SOON), "more/a", "is a link to a folder")


@test
def names_without_types(case):
    """Each name used to be searched for up to the end of the model's text."""
    folder = copy(case, MIX)
    with open(folder / "src/mix.relay", "r+", encoding="utf-8") as file:
        text = file.read()
        file.seek(0)
        file.write("def @main(" + "%x" * 1000000 + text[text.index("%"):])
    case.generate(folder, timeout=SOON)


@test
def tables_that_do_not_end(case):
    """Each used to be read up to a distant semicolon."""
    header = case.write("a.h", "/* generated using emlearn */\nint a_predict(const float *x, int n) { return n; }\n"
                        "#if 0\n" + "EmlTrees a " * 100000 + "\n#endif\n")
    has(case.refuse(9, "RP2902", header, timeout=SOON), "how many features")


@test
def pipes(case):
    for name, words in {"m.tar": ["--dialect", "tvm"], "m.h": ["--dialect", "glow"], "m.c": []}.items():
        os.mkfifo(case.dir / name)
        has(case.refuse(9, "RP2900", case.dir / name, *words, timeout=SOON), "it is not a regular file")


# ---- leftovers ----

@test
def workspace_of_another_archive(case):
    """A header that only the previous archive had is no longer there."""
    folder = copy(case, MIX)
    case.write("mlf/codegen/host/include/extra.h", "#define EXTRA 1\n")
    code = folder / SRC / "mix_lib1.c"
    code.write_text('#include "extra.h"\n' + code.read_text())
    case.generate(packed(folder, case.dir / "a.tar"), "--workspace", case.dir / "ws")
    (folder / "codegen/host/include/extra.h").unlink()
    has(case.refuse(4, "RP2400", packed(folder, case.dir / "b.tar"), "--workspace", case.dir / "ws"), "extra.h")


@each([("ENOSPC", "tar"), ("KILL", "tar"), ("ENOSPC", "source"), ("KILL", "source")], slow=lambda what: what[1] == "source")
def faults(case, what):
    """Like test_atomic, with inputs that are unpacked, and with further sources."""
    mode, kind = what
    words = ["-i", packed(MIX, case.dir / "mix.tar")] if kind == "tar" else [
        "-i", TINY, "--source", case.write("more/u.c", "int u(void) { return 1; }\n").parent, "--name", "mix"]
    out, runs = case.dir / "out", {"old": ["-i", TINY, "--name", "mix"], "new": words}
    files = {}
    for name, given in runs.items():
        case.relocpack("generate", *given, *WORDS, "-o", out)
        files[name] = contents(out)
        shutil.move(out, case.dir / name)
    states = []
    for number in range(1, 400, 3):
        mark = case.dir / "mark"
        mark.unlink(missing_ok=True)
        shutil.copytree(case.dir / "old", out)
        env = {"LD_PRELOAD": shim(case), "FAULT_AT": number, "FAULT_MODE": mode, "FAULT_MARK": mark}
        result = case.run(case.tool, "generate", *words, *WORDS, "-o", out, status=None, env=env)
        if not mark.exists():
            break
        wait_for_child(out)
        now = contents(out)
        states += [name for name in files if now == files[name]]
        check(now in files.values(), f"call {number}: {sorted(now)}\n{result.show()}")
        check(result.status != 0 or states[-1] == "new", f"call {number}: success with old files")
        if mode == "ENOSPC":
            equal(hidden(out), [], f"hidden files after call {number}")
            equal([name for name in os.listdir(case.tmp) if name.startswith("relocpack")], [], f"call {number}: workspaces")
        shutil.rmtree(out)
    check(len(states) > 10 and "old" in states, f"{states}")
