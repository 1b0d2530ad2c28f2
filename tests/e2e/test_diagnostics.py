# SPDX-License-Identifier: Apache-2.0
"""--diagnostics: notes, warnings and the error as JSON lines, of runs that succeed and of runs that fail."""
import json
import os
import threading

import kit
from kit import EXAMPLES, ROOT, check, each, equal, has, test

SCHEMA = ROOT / "docs/diagnostics.schema.json"
FLOAT = "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n"


def validator():
    try:
        import jsonschema
    except ImportError:
        raise kit.Skip("python3-jsonschema is not installed") from None
    schema = json.loads(SCHEMA.read_text())
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def parsed(text):
    """Lines, each an object that the schema accepts; the text ends with a line end."""
    check(text == "" or text.endswith("\n"), f"no line end: {text!r}")
    lines = [json.loads(line) for line in text.splitlines()]
    kind = validator()
    for line in lines:
        equal([error.message for error in kind.iter_errors(line)], [], f"faults of {line}")
    return lines


def lines_of(case, source, *words, **more):
    """The result of generate and its lines; the file `said` of an earlier run must not be left."""
    path = case.dir / "said.jsonl"
    path.write_text('{"id":"RP9999","severity":"note","message":"of an earlier run"}\n')
    result = case.generate(source, "--diagnostics", path, *words, **more)
    return result, parsed(path.read_text())


# ---- failures: id, message, and where ----

FAILURES = {  # label: (status, id, source, words, members of the error)
    "syntax": (4, "RP2400", FLOAT + "int x = y;\n", [], {}),
    "undefined": (6, "RP2600", FLOAT.replace("in[i] * 2", "other(in[i])").replace("void model", "float other(float);\nvoid model"),
                  [], {"symbol": "other"}),
    "absolute": (5, "RP2500", "__asm__(\".thumb_func\\n.global f\\n.type f,%function\\nf: ldr r0, =f\\nbx lr\\n.size f,.-f\\n"
                 ".ltorg\");\nvoid f(void);\n" + FLOAT.replace("{ for", "{ f(); for"), [], {}),
    "entry": (9, "RP2902", "int x;\n", [], {}),
    "usage": (2, "RP2200", FLOAT, ["--target", "none"], {}),
    "no_file": (9, "RP2900", None, [], {}),
}


@each(list(FAILURES))
def failures(case, label):
    status, error_id, text, words, members = FAILURES[label]
    source = case.write("model.c", text) if text is not None else case.dir / "none.c"
    result, lines = lines_of(case, source, *words, status=status, target=None if "--target" in words else "stm32f4")
    error = [line for line in lines if line["severity"] == "error"][0]
    equal(error["id"], error_id, "id")
    has(result.err, f"error {error_id}: {error['message'].splitlines()[0]}")
    if "hint" in error:
        has(result.err, f"hint: {error['hint']}")
    equal("relocpack: hint: " in result.err, "hint" in error, "a hint")
    equal({key: error.get(key) for key in members}, members, "members")
    check(not (case.dir / "out").exists(), "an output of a run that failed")


@test
def compiler_errors_have_file_and_line(case):
    source = case.write("model.c", "\nint a = b;\n" + FLOAT + "int c = d;\n#error three\n")
    _, lines = lines_of(case, source, status=4)
    equal(lines[0]["id"], "RP2400", "the error of the run")
    places = [(line["id"], line["severity"], os.path.basename(line["file"]), line["line"], line["message"])
              for line in lines[1:] if line["severity"] == "error"]
    check(("RP2400", "error", "model.c", 5, "#error three") in places
          or ("RP2400", "error", "model.c", 2, "'b' undeclared here (not in a function)") in places, f"{places}")
    plain = case.write("network/a.cpp", 'extern "C" void a(const float in[2], float out[2]) { out[0] = in[0] + none; }\n')
    _, lines = lines_of(case, plain, status=4)
    equal([(os.path.basename(line["file"]), line["line"]) for line in lines[1:] if line["severity"] == "error"],
          [("a.cpp", 1)], "place in C++")


@test
def broken_json_has_a_line(case):
    _, lines = lines_of(case, case.write("model.json", '{\n  "sources": [\n'), status=9)
    equal((lines[0]["id"], os.path.basename(lines[0]["file"])), ("RP2903", "model.json"), "place")
    check(lines[0]["line"] >= 2, f"line {lines[0]['line']}")


@test
def options_that_are_wrong(case):
    """Also when the command line itself cannot be parsed, in front of or behind the option."""
    source, path = case.write("model.c", FLOAT), case.dir / "said.jsonl"
    for words in (["--none", "--diagnostics", path], [f"--diagnostics={path}", "--none"]):
        path.unlink(missing_ok=True)
        result = case.relocpack("generate", "-i", source, *words, status=2)
        lines = parsed(path.read_text())
        equal([line["id"] for line in lines], ["RP2200"], "ids")
        has(lines[0]["message"], "--none")
        has(result.err, "error RP2200")
    result = case.relocpack("generate", "-i", source, "--none", "--diagnostics", status=2)
    has(result.err, "--none")


# ---- success ----

@test
def nothing_to_say(case):
    _, lines = lines_of(case, EXAMPLES / "tiny/tiny.c")
    equal(lines, [], "lines")
    check((case.dir / "out/tiny_rel.bin").exists(), "the image")


@test
def notes_are_those_of_the_report(case):
    source = case.write("model.c", FLOAT)
    result, lines = lines_of(case, source, "--import", "nobody", "--import", "nothing")
    equal([(line["id"], line["severity"]) for line in lines], [("RP1017", "note")] * 2, "ids")
    equal(lines, case.report("model")["diagnostics"], "diagnostics of the report")
    for line in lines:
        has(result.out, f" note RP1017: {line['message']}\n")


@test
def budgets_all_of_them(case):
    """The error names each exceeded limit; the files are written."""
    words = ["--budget", "flash=1", "--budget", "ram_xip=1", "--budget", "acts=1M", "--budget", "ram_copy=1"]
    result, lines = lines_of(case, EXAMPLES / "tiny/tiny.c", *words, status=7)
    equal([line["id"] for line in lines], ["RP2700"], "ids")
    has(lines[0]["message"], "flash has ", "ram_xip has ", "ram_copy has ", "its budget is 1")
    check("acts" not in lines[0]["message"], "a budget that is kept")
    has(result.err, lines[0]["message"])
    check((case.dir / "out/tiny_rel.bin").exists(), "the image")
    equal([entry["status"] for entry in case.report("tiny")["budgets"]], ["over", "over", "ok", "over"], "report")


@test
def place_in_the_message(case):
    """A file with blanks in its name, with and without a line."""
    for text, wanted in (("int x;\n", None), ("struct a { int x; ;\n", 1)):
        source = case.write("a b/c d.c", text)
        _, lines = lines_of(case, source, status=9)
        equal((lines[-1]["file"], lines[-1].get("line")), (str(source), wanted), lines[-1]["message"])


@test
def standard_output_and_fifo(case):
    source = case.write("model.c", "int x;\n")
    result = case.generate(source, "--diagnostics", "-", status=9)
    equal([line["id"] for line in parsed(result.out)], ["RP2902"], "ids on the standard output")
    fifo = case.dir / "fifo"
    os.mkfifo(fifo)
    got = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
    reader.start()
    case.generate(source, "--diagnostics", fifo, status=9)
    reader.join(30)
    equal([line["id"] for line in parsed(got[0])], ["RP2902"], "ids in a FIFO")
    check(fifo.is_fifo(), "the FIFO is one still")


@test
def other_files_are_spared(case):
    """An input, or any file with other contents, is not replaced; an empty file or an own one is."""
    source = case.write("model.c", FLOAT)
    for path in (source, case.write("notes.txt", "mine\n"), case.dir):
        before = kit.snapshot(case.dir)
        result = case.generate(source, "--diagnostics", path, status=None)
        check(result.status in (1, 2), result.show())
        has(result.err, str(path))
        equal(kit.snapshot(case.dir), before, "files")
    for content in ("", '{"id":"RP1001","severity":"note","message":"x"}\n'):
        case.generate(source, "--diagnostics", case.write("said", content))
        equal((case.dir / "said").read_text(), "", "lines")


@test
def cannot_be_written(case):
    result = case.generate(EXAMPLES / "tiny/tiny.c", "--diagnostics", case.dir / "none/said", status=1)
    has(result.err, "error RP2100", "none/said")
    check(not (case.dir / "out").exists(), "files of a run whose diagnostics cannot be written")


# ---- other commands ----

@test
def other_commands(case):
    path = case.dir / "said"
    text = case.write("text.txt", "no image\n" * 20)
    for argv, status, ids in ((("inspect", text), 9, ["RP2905"]), (("verify", text), 9, ["RP2905"]),
                              (("ops", text), 9, ["RP2900"]), (("inspect",), 2, ["RP2200"]),
                              (("ops", "--json", "--markdown", text), 2, ["RP2200"])):
        path.write_text("")
        result = case.relocpack(argv[0], "--diagnostics", path, *argv[1:], status=status)
        equal([line["id"] for line in parsed(path.read_text())], ids, f"{argv}")
        has(result.err, ids[0])
    for command in ("generate", "verify", "inspect", "ops"):
        has(case.relocpack(command, "--help", "all").out, "--diagnostics FILE")
