# SPDX-License-Identifier: Apache-2.0
"""What pipelines read of a run: --annotate, --sarif, --junit, of runs that succeed and of runs that fail."""
import json
import os
import re
import xml.etree.ElementTree as ElementTree

from jsonschema import Draft202012Validator

from kit import EXAMPLES, check, each, equal, has, has_not, test

TINY = EXAMPLES / "digits/digits_float.c"
BAD = "\nint a = b;\nvoid model(const float in[4], float out[4]) { out[0] = in[0]; }\n"
ODD = "a b,c:d%é'$(x).c"


def closed(**properties):
    """An object with these members and no other; a name with a ? may be absent."""
    names = {name.rstrip("Q"): value for name, value in properties.items()}
    return {"type": "object", "additionalProperties": False, "properties": names,
            "required": [name for name in properties if not name.endswith("Q")]}


TEXT, COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}
LEVEL, ID = {"enum": ["note", "warning", "error"]}, {"type": "string", "pattern": "^RP[12][0-9]{3}$"}
MESSAGE = closed(text=TEXT)
PHYSICAL = closed(artifactLocation=closed(uri={"type": "string", "pattern": r"^(file:///)?([\w.~/-]|%[0-9A-F]{2})+$"}),
                  region=closed(startLine={"type": "integer", "minimum": 1}, startColumn={"const": 1}))
# the part of SARIF 2.1.0 that is used
SARIF = {"$defs": {"location": closed(physicalLocation=PHYSICAL, logicalLocationsQ={"type": "array", "items": closed(name=TEXT)})}}
LIST = {"type": "array"}
RULE = closed(id=ID, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE, helpUri={"type": "string", "pattern": "^urn:relocpack:RP"},
              defaultConfiguration=closed(level=LEVEL))
RESULT = closed(ruleId=ID, ruleIndexQ=COUNT, level=LEVEL, message=MESSAGE,
                locations={**LIST, "items": {"$ref": "#/$defs/location"}, "minItems": 1})
RUN = closed(tool=closed(driver=closed(name={"const": "relocpack"}, version=TEXT, semanticVersion=TEXT, informationUri=TEXT,
                                       rules={**LIST, "items": RULE, "uniqueItems": True})),
             invocations={**LIST, "items": closed(executionSuccessful={"type": "boolean"}, exitCode=COUNT), "minItems": 1},
             properties=closed(command=TEXT), results={**LIST, "items": RESULT}, columnKind={"const": "utf16CodeUnits"})
SARIF.update(closed(version={"const": "2.1.0"}, runs={**LIST, "items": RUN, "minItems": 1, "maxItems": 1},
                    **{"$schema": {"type": "string"}}))


def sarif_of(path, status):
    log = json.loads(path.read_text())
    equal([error.message for error in Draft202012Validator(SARIF).iter_errors(log)], [], "schema")
    run, = log["runs"]
    equal(run["invocations"], [{"executionSuccessful": status not in (1, 2, 3), "exitCode": status}], "invocation")
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        equal(rules[result["ruleIndex"]]["id"], result["ruleId"], "rule")
    return run["results"], {rule["id"] for rule in rules}


def junit_of(path):
    """The cases, whose totals have to be right."""
    root = ElementTree.parse(path).getroot()
    cases = root.findall(".//testcase")
    for element in (root, root.find("testsuite")):
        equal({name: int(element.get(name)) for name in ("tests", "failures", "errors")},
              {"tests": len(cases), "failures": len(root.findall(".//failure")), "errors": len(root.findall(".//error"))}, "totals")
        check(0 <= float(element.get("time")) < 1000, "seconds")
    equal(cases[-1].get("time"), root.get("time"), "the command's own case has the time")
    return cases


def unescaped(text):
    """As the runner of GitHub reads it."""
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


@test
def the_same_in_all_forms(case):
    """A compiler error: file and line, whatever the name is."""
    case.write(ODD, BAD)
    env = {"GITHUB_WORKSPACE": str(case.dir.parent)}
    run = case.relocpack("generate", "-i", case.dir / ODD, "--target", "h7", "--annotate", "gitlab=gl.json", "--sarif", "s.sarif",
                         "--diagnostics", "d.jsonl", status=4, cwd=case.dir, env=env)
    has_not(run.err, "::error")
    wanted = [(line["id"], line.get("line")) for line in map(json.loads, (case.dir / "d.jsonl").read_text().splitlines())]
    results, _ = sarif_of(case.dir / "s.sarif", 4)
    places = [result["locations"][0]["physicalLocation"] for result in results]
    equal([(result["ruleId"], place["region"]["startLine"]) for result, place in zip(results, places)],
          [(name, line or 1) for name, line in wanted], "SARIF")
    entries = json.loads((case.dir / "gl.json").read_text())
    equal([(entry["check_name"], entry["location"]["lines"]["begin"]) for entry in entries],
          [(name, line or 1) for name, line in wanted], "GitLab")
    equal({entry["location"]["path"] for entry in entries}, {f"{case.dir.name}/{ODD}"}, "path from the checkout")
    equal(len({entry["fingerprint"] for entry in entries}), len(entries), "fingerprints")
    for entry in entries:
        check(set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}, f"{entry}")
        equal(entry["severity"], "critical", "severity")
    run = case.relocpack("generate", "-i", case.dir / ODD, "--target", "h7", "--annotate=github", status=4, env=env)
    equal(run.out, "", "standard output")
    lines = [re.fullmatch(r"::error (file=([^,:]*),line=(\d+),)?title=([^,:]*)::(.*)", line)
             for line in run.err.splitlines() if line.startswith("::")]
    equal([(line[4], line[3] and int(line[3])) for line in lines], wanted, "GitHub")
    equal(unescaped(lines[1][2]), f"{case.dir.name}/{ODD}", "file")
    has(unescaped(lines[0][5]), "\n", "hint: ")


@test
def the_pipeline_is_recognised(case):
    wrong = ["generate", "-i", case.write("m.c", BAD), "--target", "h7"]
    has_not(case.relocpack(*wrong, status=4, env={"GITHUB_ACTIONS": "true"}).err, "::error")
    has(case.relocpack(*wrong, "--annotate", status=4, env={"GITHUB_ACTIONS": "true"}).err, "::error")
    has_not(case.relocpack(*wrong, "--annotate", status=4, env={"GITHUB_ACTIONS": "", "GITLAB_CI": ""}, cwd=case.dir).err, "::")
    check(not (case.dir / "gl-code-quality-report.json").exists(), "no file elsewhere")
    case.relocpack(*wrong, "--annotate", status=4, env={"GITLAB_CI": "true", "GITHUB_ACTIONS": ""}, cwd=case.dir)
    check(json.loads((case.dir / "gl-code-quality-report.json").read_text()), "GitLab's file")
    has(case.relocpack(*wrong, "--annotate=githup", status=2).err, "did you mean github?")
    case.relocpack(*wrong, "--annotate=gitlab=", status=2)


@test
def notes_and_success(case):
    """Success is written as well: GitLab takes an absent file for an error."""
    source = case.write("m.c", "static float s; void model(const float in[4], float out[4]) { s += in[0]; out[0] = s; }\n")
    case.relocpack("generate", "-q", "-i", source, "--entry", "model(in:float[4], out:float[4])", "--target", "h7", "-o", case.dir / "out",
                   "--import", "nothing", "--sarif", case.dir / "s", "--annotate", f"gitlab={case.dir}/g")
    results, rules = sarif_of(case.dir / "s", 0)
    has(" ".join(result["ruleId"] for result in results), "RP1017")
    equal(len(json.loads((case.dir / "g").read_text())), len(results), "GitLab")
    said = json.loads((case.dir / "out/m_generate_rel.json").read_text())["diagnostics"]
    equal([result["level"] for result in results], [note["severity"] for note in said], "levels")
    ids = set(re.findall(r"\| (RP[12]\d{3}) \|", (EXAMPLES.parent / "docs/CLI.md").read_text()))
    equal(rules, ids, "every id is a rule")


FAILURES = {  # label: (status, id, words)
    "unknown option": (2, "RP2200", ["generate", "--nope"]),
    "late usage error": (2, "RP2200", ["generate", "-i", TINY, "--target", "h7", "--cflags", "-E"]),
    "missing input": (9, "RP2900", ["generate", "-i", "none.c", "--target", "h7"]),
    "missing tool": (3, "RP2300", ["generate", "-i", TINY, "--target", "h7", "--cross-compile", "none-"]),
    "full disk": (1, "RP2101", ["generate", "-i", TINY, "--target", "h7", "--json=/dev/full"]),
    "broken budget": (7, "RP2700", ["generate", "-q", "-i", TINY, "--target", "h7", "--budget", "flash=1"]),
    "verify": (9, "RP2900", ["verify", "none.bin"]),
    "run": (9, "RP2900", ["run", "--board", "mps2-an386", "none.bin"]),
    "run's board": (2, "RP2200", ["run", "--board", "none", "none.bin"]),
    "diff": (2, "RP2200", ["diff", "one"]),
    "inspect": (9, "RP2900", ["inspect", "none.bin"]),
    "ops": (9, "RP2900", ["ops", "none.tflite"]),
}


SIGNATURES = {  # label: (code, options, line)
    "size": ("\nvoid f(const float *in, float out[2]) { out[0] = in[0]; }\n", [], 2),
    "value": ("int f(const float in[2]) { return (int)in[0]; }\n", ["--entry", "f"], 1),
    "no output": ("\n\nvoid f(const float in[2]) { (void)in; }\n", ["--entry", "f"], 3),
    "two": ("\nvoid f(const float in[2], float out[2]) { out[0] = in[0]; }\nvoid g(const float in[2], float out[2]) { out[0] = in[0]; }\n", [], None),
    "none": ("void f(const float in[2], float out[2]) { out[0] = in[0]; }\n", ["--entry", "h"], None),
}


@each(list(SIGNATURES))
def place_of_a_signature(case, label):
    """RP2902 is about a function, or a file: every form says where that is."""
    code, words, line = SIGNATURES[label]
    source = case.write("m.c", code)
    options = ["--sarif", "s", "--diagnostics", "d", "--annotate=gitlab=g"]
    case.relocpack("generate", "-q", "-i", source, *words, "--target", "h7", "-o", "out", *options, status=9, cwd=case.dir)
    (result,), _ = sarif_of(case.dir / "s", 9)
    (place,) = result["locations"]
    equal((result["ruleId"], place["physicalLocation"]["artifactLocation"]["uri"].rsplit("/", 1)[-1], place["physicalLocation"]["region"]["startLine"]),
          ("RP2902", "m.c", line or 1), "SARIF")
    (found,) = json.loads((case.dir / "g").read_text())
    equal((found["location"]["path"].rsplit("/", 1)[-1], found["location"]["lines"]["begin"]), ("m.c", line or 1), "GitLab")
    said = json.loads((case.dir / "d").read_text())
    equal((said["file"], said.get("line")), (str(source), line), "JSON lines")


@each(list(FAILURES))
def failures(case, label):
    """The error is in every file, and nothing of an earlier run is left."""
    status, name, words = FAILURES[label]
    has_junit = words[0] in ("verify", "run")
    options = ["--sarif", "s", "--diagnostics", "d", "--annotate=gitlab=g"] + ["--junit", "j"] * has_junit
    case.relocpack("ops", "--list", "--sarif", "s", "--annotate=gitlab=g", cwd=case.dir)  # the earlier run
    run = case.relocpack(words[0], *options, *words[1:], status=status, cwd=case.dir)
    results, _ = sarif_of(case.dir / "s", status)
    equal(results[-1]["ruleId"], name, "SARIF")
    has(run.err, f"error {name}: {results[-1]['message']['text'].splitlines()[0]}")
    equal(json.loads((case.dir / "g").read_text())[-1]["check_name"], name, "GitLab")
    equal(json.loads((case.dir / "d").read_text().splitlines()[-1])["id"], name, "JSON lines")
    if has_junit:
        equal(junit_of(case.dir / "j")[-1].find("error").get("type"), name, "JUnit")


@test
def files_that_cannot_be_written(case):
    words = ["ops", "--list"]
    model = case.write("model.c", BAD)
    other = case.write("other.sarif", '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []}')
    for option in ("--sarif=", "--annotate=gitlab="):
        has(case.relocpack(*words, f"{option}{model}", status=2).err, "holds something else")
        case.relocpack(*words, f"{option}{other}", status=2)
        case.relocpack(*words, f"{option}{case.dir}", status=1)
        case.relocpack(*words, f"{option}/nonexistent/x", status=1)
        case.relocpack(*words, f"{option}/dev/full", "--diagnostics", case.dir / "d", status=1)
        has((case.dir / "d").read_text(), "RP2101")
        case.relocpack(*words, f"{option}{case.dir}/d", "--diagnostics", case.dir / "d", status=2)
    equal(model.read_text(), BAD, "the model")
    has(other.read_text(), '"runs": []')
    equal(sorted(path.name for path in case.dir.iterdir() if path.is_file()), ["d", "model.c", "other.sarif"], "files")


TWICE = {  # label: (words, what the message says); each option names a file that is not there yet
    "json": (["generate", "-i", TINY, "--target", "h7", "-o", "out", "--sarif", "x", "--json", "x"], "--sarif and by --json"),
    "depfile": (["generate", "-i", TINY, "--target", "h7", "-o", "out", "--sarif", "x", "--depfile", "./x"], "--sarif and by --depfile"),
    "html": (["generate", "-i", TINY, "--target", "h7", "-o", "out", "--annotate=gitlab=x", "--html", "x"], "by --annotate gitlab and by --html"),
    "log": (["generate", "-i", TINY, "--target", "h7", "-o", "out", "--sarif", "x", "--log", "x"], "--sarif and by --log"),
    "image": (["generate", "-i", TINY, "--target", "h7", "-o", "out", "--sarif", "out/digits_float_rel.bin"], "output of its own"),
    "link": (["ops", "--list", "--sarif", "x", "--annotate=gitlab=link"], "two outputs"),
    "profile": (["verify", "--junit", "x.json", "--profile-file", "./x.json", "none.bin"], "--junit and by --profile-file"),
    "tensors": (["verify", "--sarif", "x.npy", "--save-output", "x.npy", "none.bin"], "--sarif and by --save-output"),
    "input": (["run", "--junit", "x.npy", "--input", "x.npy", "none.bin"], "--junit and by --input"),
    "results": (["run", "--junit", "x", "--json", "./x", "none.bin"], "--junit and by --json"),
    "page": (["report", "--html", "x", "--sarif", "x", "none.json"], "--sarif and by --html"),
    "json first": (["verify", "--json", "--sarif", "-", "none.bin"], "own output is there"),
    "quiet json": (["verify", "-q", "--json", "--diagnostics", "-", "none.bin"], "own output is there"),
    "text first": (["verify", "--junit", "-", "none.bin"], "or add -q"),
    "always text": (["inspect", "--sarif", "/dev/stdout", "none.bin"], "own output is there"),
}


@each(list(TWICE))
def one_file_for_two(case, label):
    """Refused before anything is written, whether the file is there or not; the other outputs tell of it."""
    words, said = TWICE[label]
    (case.dir / "out").mkdir()
    (case.dir / "link").symlink_to("x")
    run = case.relocpack(*words, "--diagnostics", "d", status=2, cwd=case.dir) if "--diagnostics" not in words else \
        case.relocpack(*words, status=2, cwd=case.dir)
    has(run.err, said)
    asked = "--json" in words and words[0] == "verify"  # then the error is the only document there
    equal(json.loads(run.out)["exit_code"] if asked else run.out, 2 if asked else "", "standard output")
    if "--diagnostics" not in words:
        has((case.dir / "d").read_text(), "RP2200")


@test
def the_hint_is_of_the_first_error(case):
    case.write("x", "something else")
    has_not(case.relocpack("ops", "--list", "--diagnostics", "none/d", "--sarif", "x", status=1, cwd=case.dir).err, "remove this one")


@test
def stdout_alone(case):
    """With -q the standard output may hold one of them."""
    case.relocpack("generate", "-q", "-i", TINY, "--mcu", "m4", "-o", "out", cwd=case.dir)
    for option, start in (("--sarif", "{"), ("--junit", "<?xml"), ("--annotate=gitlab=-", "[")):
        words = [option] if "=" in option else [option, "-"]
        check(case.relocpack("verify", "-q", *words, "out/digits_float_rel.bin", cwd=case.dir).out.startswith(start), option)


@test
def texts_that_others_would_read_as_more(case):
    """Braces are placeholders in SARIF, and control characters and broken UTF-8 are for no terminal."""
    odd = os.fsencode(case.dir) + b"/{0}\xff\x1b.c"
    with open(odd, "w") as file:
        file.write("void model(const float in[4], float out[4]) { if (in[0]) { out[0] = 1; } else } \n")
    case.relocpack("generate", "-i", odd, "--entry", "model(in:float[4], out:float[4])", "--target", "h7",
                   "--sarif", "s", "--annotate=gitlab=g", status=None, cwd=case.dir)
    text = (case.dir / "s").read_text() + (case.dir / "g").read_text()
    check("\ufffd" not in text and "\\u001b" not in text and "\x1b" not in text, "bytes of the name")
    results, _ = sarif_of(case.dir / "s", json.loads((case.dir / "s").read_text())["runs"][0]["invocations"][0]["exitCode"])
    has(" ".join(one["message"]["text"] for one in results), "{{0}}\\xFF")
    for one in results:
        equal(re.findall(r"(?<!\{)(?:\{\{)*\{(?!\{)", one["message"]["text"]), [], "braces that stand alone")
    equal({one["location"]["path"] for one in json.loads((case.dir / "g").read_text())}, {"{0}\\xFF\\x1B.c"}, "path")


@test
def junit_of_verify_and_run(case):
    """Names that XML cannot hold, and as many cases as the JSON has runs."""
    case.relocpack("generate", "-q", "-i", TINY, "--mcu", "m4", "-o", case.dir / "out")
    odd = os.fsencode(case.dir) + b"/out/<&\"'>]]>\x01\x1f\xff\xef\xbf\xbf\n.bin"
    os.rename(case.dir / "out/digits_float_rel.bin", odd)
    report = case.dir / "out/digits_float_generate_rel.json"
    answer = json.loads(case.relocpack("verify", "--json", "--report", report, "--junit", case.dir / "v.xml", odd).out)
    cases = junit_of(case.dir / "v.xml")
    equal(len(cases), len(answer["runs"]) + 1, "runs and the command")
    has(cases[0].get("classname"), "<&\"'>]]>\\x01\\x1F\\xFF\\xEF\\xBF\\xBF\n.bin")
    equal([int(one.find("properties/property[@name='stack_bytes']").get("value")) for one in cases[:-1]],
          [run["stack_bytes"] for run in answer["runs"]], "properties")
    case.relocpack("run", "-q", "--board", "mps2-an386", "--repeat", "3", "--junit", case.dir / "r.xml", odd)
    equal([one.get("name") for one in junit_of(case.dir / "r.xml")], ["input 1, run 1", "input 1, run 2", "input 1, run 3", "run"], "run")


@test
def junit_of_a_difference(case):
    """Outputs that differ are failures; the file's code is not what the report says."""
    source = case.write("m.c", "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n")
    case.relocpack("generate", "-q", "-i", source, "--mcu", "m4", "-o", case.dir / "out")
    source.write_text(source.read_text().replace("* 2", "* 3"))
    case.relocpack("verify", "-q", "--junit", case.dir / "v.xml", case.dir / "out/m_rel.bin", status=8)
    cases = junit_of(case.dir / "v.xml")
    check(len(cases) > 4 and all(one.find("failure") is not None for one in cases), "every run differs")
    has(cases[-1].find("failure").text, "does not compute")


@test
def outputs_are_looked_at_first(case):
    """A folder that is not there is found before anything is built or run."""
    for words in (["run", "--board", "mps2-an386", "--json", "/nonexistent/x.json"], ["verify", "--profile-file", "/nonexistent/x"],
                  ["verify", "--save-output", "/nonexistent/x.npy"], ["run", "--save-output", "/nonexistent/x.npy"]):
        has(case.relocpack(*words, "none.bin", status=1).err, "/nonexistent")
