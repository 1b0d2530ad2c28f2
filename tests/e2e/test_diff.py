# SPDX-License-Identifier: Apache-2.0
"""diff: what changed from one report, image or folder to another, and limits of growth."""
import csv
import io
import json
import shutil

from jsonschema import Draft202012Validator

import kit
from kit import EXAMPLES, QEMU, ROOT, check, each, equal, has, has_not, matches, test

VALIDATOR = Draft202012Validator(json.loads((ROOT / "docs/diff.schema.json").read_text()))
DIGITS = EXAMPLES / "digits/digits_float.c"
TEXTS = ("relocations", "tensors", "tools", "inputs", "warnings")
NUMBERS = ("memory", "time", "sections", "symbols", "layers", "functions")


def difference(case, old, new, *words, **more):
    """The JSON of diff, which has to be valid, and whose numbers have to be differences."""
    answer = json.loads(case.relocpack("diff", old, new, "--format", "json", *words, **more).out)
    equal([error.message for error in VALIDATOR.iter_errors(answer)], [], "schema")
    for comparison in answer["comparisons"]:
        for group in NUMBERS:
            for row in comparison[group]:
                equal(row.get("new", 0) - row.get("old", 0), row["change"], f"change of {row}")
                check(group in NUMBERS[:2] or row["change"] != 0 or "old_name" in row or ("old" in row) != ("new" in row),
                      f"{group}: {row} has not changed")
    return answer


def two(case):
    """Reports of a model and of one that was renamed in part and built with other flags."""
    case.generate(DIGITS, out="old")
    source = case.write("digits_float.c", DIGITS.read_text().replace("max_pool2x2", "pool"))
    case.generate(source, "--cflags=-fno-tree-loop-optimize", out="new")
    return [case.dir / side / "digits_float_generate_rel.json" for side in ("old", "new")]


def rows(comparison, group):
    return {row["name"]: row for row in comparison[group]}


@test
def all_formats(case):
    reports = two(case)
    old, new = (json.loads(path.read_text()) for path in reports)
    comparison, = difference(case, *reports)["comparisons"]
    equal({name: (row["old"], row["new"]) for name, row in rows(comparison, "memory").items()},
          {name: (old["memory"][name], new["memory"][name]) for name in new["memory"]}, "memory")
    sizes = [{(s["name"], s["section"]): s["size_bytes"] for s in report["symbols"]} for report in (old, new)]
    names = {"pool" if name == "max_pool2x2" else name for side in sizes for name, _ in side}
    equal({row["name"] for row in comparison["symbols"]} - {"max_pool2x2"} - names, set(), "symbols")
    equal([row["name"] for row in comparison["tools"]], ["toolchain.flags", "choices.cflags"], "flags")
    equal(rows(comparison, "inputs")["digits_float.c"]["new"], new["inputs"][0]["sha256"], "inputs")
    text = case.relocpack("diff", *reports).out
    flash = [f"{report['memory']['flash']:,}" for report in (old, new)]
    matches(text, rf"\n +flash +{flash[0]} +{flash[1]} +[+-]?[\d,]+")
    has(text, "choices.cflags", "-fno-tree-loop-optimize")
    check(not any(line != line.rstrip() for line in text.splitlines()), "blanks at ends of lines")
    markdown = case.relocpack("diff", *reports, "--format", "markdown").out
    has(markdown, f"**digits\\_float**: flash {flash[1]}", f"| flash | {flash[0]} | {flash[1]} |",
        "<details><summary>tools: 2 changed</summary>")
    equal(markdown.count("<details>"), markdown.count("</details>"), "folds")
    table = list(csv.DictReader(io.StringIO(case.relocpack("diff", *reports, "--format", "csv").out)))
    equal({row["name"]: (int(row["old"]), int(row["new"])) for row in table if row["group"] == "memory"},
          {name: (old["memory"][name], new["memory"][name]) for name in new["memory"]}, "CSV")


@test
def nothing_changed(case):
    """A baseline is the same for the same image, and differs from its report in nothing."""
    case.generate(DIGITS, "--update-baseline", case.dir / "first.json")
    case.generate(DIGITS, "--update-baseline", case.dir / "second.json", out="other")
    baseline = (case.dir / "first.json").read_text()
    equal((case.dir / "second.json").read_text(), baseline, "baseline")
    has_not(baseline, str(case.dir), '"wall_s"')
    out = case.relocpack("diff", "--baseline", case.dir / "first.json", case.dir / "out/digits_float_generate_rel.json").out
    has(out, "nothing has changed")
    comparison, = difference(case, case.dir / "first.json", case.dir / "second.json", "--fail-on", "flash=+0,acts=+0%")["comparisons"]
    equal([comparison[group] for group in (*NUMBERS[2:], *TEXTS)], [[]] * (len(NUMBERS) - 2 + len(TEXTS)), "what has changed")
    printed = case.relocpack("generate", "-i", DIGITS, "--target", "stm32f4", "-o", "out", "--update-baseline", "-").out
    equal(printed, baseline, "to the standard output")
    case.refuse(2, "RP2200", DIGITS, "--update-baseline", DIGITS)


@test
def renamed(case):
    """By size, section and file; not what has another size; each only once."""
    report = {"schema_version": 2, "memory": {"flash": 100}, "symbols": [
        {"name": name, "section": "data", "file": file, "size_bytes": size}
        for name, file, size in (("a", "m.c", 10), ("b", "m.c", 10), ("c", "m.c", 12), ("d", "n.c", 10), ("same", "m.c", 10), ("same", "m.c", 14))]}
    other = json.loads(json.dumps(report))
    for symbol, name in zip(other["symbols"], ("x", "y", "z", "d2", "same", "same")):
        symbol["name"] = name
    other["symbols"][2]["size_bytes"] = 13
    other["symbols"][5]["size_bytes"] = 15
    files = [case.write(name, json.dumps(what)) for name, what in (("old.json", report), ("new.json", other))]
    comparison, = difference(case, *files)["comparisons"]
    equal({(row.get("old_name"), row["name"], row["change"]) for row in comparison["symbols"]},
          {("a", "x", 0), ("b", "y", 0), ("d", "d2", 0), (None, "c", -12), (None, "z", 13), (None, "same", 1)}, "symbols")
    has(case.relocpack("diff", *files).out, "a > x", "renamed")


def flash(case, name, *figures):
    return case.write(name, json.dumps({"schema_version": 1, "model": {"name": "m"}, "memory": dict(zip(("flash", "acts"), figures))}))


LIMITS = {"size": ("flash=+100", 0), "size_less": ("flash=+99", 7), "percent": ("flash=+10%", 0), "percent_less": ("flash=+9.999%", 7),
       "k": ("flash=+1K", 0), "several": ("flash=+1K,acts=+0", 0), "second": ("flash=+1K,flash=+0%", 7), "shrinks": ("acts=+0%", 0)}


@each(list(LIMITS))
def limits(case, label):
    words, status = LIMITS[label]
    old, new = flash(case, "old.json", 1000, 50), flash(case, "new.json", 1100, 40)
    result = case.relocpack("diff", old, new, "--fail-on", words, status=status)
    has(result.out, "1,100")
    if status:
        has(result.err, "error RP2700: flash grew from 1000 to 1100, the limit is +")
        exceeded, = difference(case, old, new, "--fail-on", words, status=7)["exceeded"]
        equal((exceeded["model"], exceeded["name"], exceeded["change"]), ("m", "flash", 100), "exceeded")


@test
def from_nothing(case):
    """What was 0, or was not there, grows by more than any per cent."""
    old, new = flash(case, "old.json", 0), flash(case, "new.json", 1, 5)
    for words in ("flash=+1000%", "acts=+1000%", "acts=+4"):
        case.relocpack("diff", old, new, "--fail-on", words, status=7)
    case.relocpack("diff", old, new, "--fail-on", "flash=+1,acts=+5")
    case.relocpack("diff", new, old, "--fail-on", "flash=+0,acts=+0")


WRONG_LIMITS = {"key": "flsh=+1", "sign": "flash=1", "none": "", "unit": "flash=+1X", "less": "flash=-1", "empty": "flash=+", "text": "flash"}


@each(list(WRONG_LIMITS))
def limits_that_are_wrong(case, label):
    words = WRONG_LIMITS[label]
    old, new = flash(case, "old.json", 1000), flash(case, "new.json", 1100)
    result = case.relocpack("diff", old, new, f"--fail-on={words}", status=2)
    has(result.err, "error RP2200", "--fail-on", "hint")


@test
def folders(case):
    """By path; what only one of them has is listed."""
    for side, models in (("old", "abd"), ("new", "bcd")):
        for model in models:
            flash(case, f"{side}/models/{model}/{model}_generate_rel.json", 100 if side == "old" else 110)
        case.write(f"{side}/notes.json", "{}")
    answer = difference(case, case.dir / "old", case.dir / "new")
    equal([c["new"].rsplit("/", 1)[1][0] for c in answer["comparisons"]], ["b", "d"], "compared")
    equal((answer["only_old"], answer["only_new"]), (["models/a/a_generate_rel.json"], ["models/c/c_generate_rel.json"]), "others")
    answer = difference(case, case.dir / "old", case.dir / "new", "--fail-on", "flash=+9%", status=7)
    equal(len(answer["exceeded"]), 2, "exceeded")
    text = case.relocpack("diff", case.dir / "old", case.dir / "new").out
    has(text, "only in the old folder: models/a/", "only in the new folder: models/c/")
    (case.dir / "empty").mkdir()
    has(case.relocpack("diff", case.dir / "old", case.dir / "empty", status=9).err, "RP2900", "has no reports")
    has(case.relocpack("diff", case.dir / "old", DIGITS, status=2).err, "RP2200", "is a folder")


@test
def images(case):
    """Without reports."""
    two(case)
    for split in ("old", "new"):
        (case.dir / split / "digits_float_generate_rel.json").unlink()
    files = [case.dir / side / "digits_float_rel.bin" for side in ("old", "new")]
    comparison, = difference(case, *files)["comparisons"]
    memory = rows(comparison, "memory")
    equal([memory["flash"]["old"], memory["flash"]["new"]], [file.stat().st_size for file in files], "flash")
    equal(memory["params"]["change"], 0, "params")
    case.generate(DIGITS, "-r", "split", out="split")
    comparison, = difference(case, files[0], case.dir / "split/digits_float_rel.bin")["comparisons"]
    check("new" not in rows(comparison, "memory")["flash"], "flash of an image whose weights are elsewhere is not known")
    damaged = case.write("damaged_rel.bin", files[0].read_bytes()[:-100])
    has(case.relocpack("diff", files[0], damaged, status=9).err, "error RP29", "damaged_rel.bin")


@test(needs=[QEMU])
def measured(case):
    """What verify, run and profiles write."""
    two(case)
    made = {side: {} for side in ("old", "new")}
    for side, files in made.items():
        image = case.dir / side / "digits_float_rel.bin"
        files["verify"] = case.write(f"{side}_verify.json", case.verify(image, "--profile", "--json").out)
        files["run"] = case.dir / f"{side}_run.json"
        case.relocpack("run", image, "--board", "mps2-an386", "-q", "--json", files["run"])
        files["profile"] = case.dir / f"{side}_profile.json"
        files["profile"].write_text(json.dumps(json.loads(files["verify"].read_text())["profile"]))
    for kind in ("verify", "run", "profile"):
        comparison, = difference(case, made["old"][kind], made["new"][kind])["comparisons"]
        time = rows(comparison, "time")
        key = {"verify": "xip.run", "run": "digits_float.xip.run", "profile": "profile.run"}[kind]
        want = [next(r["run_instructions"] for r in json.loads(made[side]["verify"].read_text())["runs"] if r["mode"] == "XIP") for side in made]
        equal([time[key]["old"], time[key]["new"]], want, f"{kind}: instructions")
        if kind != "run":
            check("conv3x3_relu" in rows(comparison, "layers"), f"layers: {comparison['layers']}")
            check("pool" in rows(comparison, "functions"), f"functions: {comparison['functions']}")
        case.relocpack("diff", made["old"][kind], made["new"][kind], "--fail-on", f"{key}=+0",
                       status=7 if want[1] > want[0] else 0)


# ---- bad input ----

EVIL = "=1+1|<b>\x1b[31m\"`\n"


@test
def names_that_do_harm(case):
    """No escape sequence for a terminal, no formula for a spreadsheet, no HTML for a page."""
    what = {"schema_version": 2, "model": {"name": EVIL}, "memory": {"flash": 1, EVIL: 5},
            "symbols": [{"name": EVIL, "section": EVIL, "file": EVIL, "size_bytes": 4}], "choices": {"cflags": [EVIL]},
            "diagnostics": [{"id": "RP1", "severity": "warning", "message": EVIL}]}
    old, new = case.write("old.json", json.dumps({"schema_version": 1, "memory": {}})), case.write("new.json", json.dumps(what))
    for form in ("text", "markdown"):
        out = case.relocpack("diff", flash(case, "o.json", 1), new, "--format", form).out
        check("\x1b" not in out, f"{form}: {out!r}")
        check(form == "text" or "<b>" not in out.replace("\\<b>", ""), out)
    table = list(csv.DictReader(io.StringIO(case.relocpack("diff", flash(case, "o.json", 1), new, "--format", "csv").out)))
    check(all(not (cell or "").startswith(("=", "+", "@")) for row in table for cell in row.values()), f"{table}")
    has(case.relocpack("diff", old, new, status=9).err, "RP2900", "old.json")


NO_REPORTS = {"text": b"hello", "empty": b"", "array": b"[1, 2]", "other": b'{"a": 1}', "version": b'{"memory": {"flash": 1}, "schema_version": 3}',
       "deep": b'{"memory": ' * 3000 + b"1" + b"}" * 3000, "binary": bytes(range(256)), "cut": b'{"memory": {"flash": 1'}


@each(list(NO_REPORTS))
def files_that_are_no_reports(case, label):
    bad = case.write("bad.json", NO_REPORTS[label])
    good = flash(case, "good.json", 1)
    for pair in ((bad, good), (good, bad)):
        result = case.relocpack("diff", *pair, status=9)
        has(result.err, "error RP29", "bad.json")
        equal(result.out, "", "output")


@test
def odd_values(case):
    """Types other than those that a report has; numbers that are none."""
    odd = {"schema_version": 2, "memory": {"flash": "x", "acts": -5, "got": 1e300, "params": None, "deep": {"a": {"b": 7}}},
           "image": [], "symbols": {"name": 3}, "model": 7, "inputs": "x", "diagnostics": [3, None], "toolchain": {"flags": [1, [2]]}}
    answer = difference(case, flash(case, "old.json", 5, 5), case.write("odd.json", json.dumps(odd)))
    memory = rows(answer["comparisons"][0], "memory")
    equal((memory["acts"]["new"], memory["deep.a.b"]["new"]), (-5, 7), "numbers")


@test
def many(case):
    """Thousands of symbols; a comment has the first hundred."""
    symbols = [{"name": f"s{i}", "section": "data", "file": "m.c", "size_bytes": i + 1} for i in range(5000)]
    old = case.write("old.json", json.dumps({"schema_version": 2, "memory": {"flash": 1}, "symbols": symbols}))
    for symbol in symbols:
        symbol["size_bytes"] *= 2
    new = case.write("new.json", json.dumps({"schema_version": 2, "memory": {"flash": 1}, "symbols": symbols}))
    changes = difference(case, old, new, timeout=20)["comparisons"][0]["symbols"]
    equal([row["name"] for row in changes[:2]] + [len(changes)], ["s4999", "s4998", 5000], "symbols")
    markdown = case.relocpack("diff", old, new, "--format", "markdown").out
    has(markdown, "symbols: 5000 changed", "and 4900 more")
    check(len(markdown) < 65536, "a comment on GitHub")


@test
def usage(case):
    report = flash(case, "r.json", 1)
    for words in ([], [report], [report, report, report], ["--baseline", report], ["--format", "xml", report, report]):
        has(case.relocpack("diff", *words, status=2).err, "error RP2200")
    shutil.copy(report, case.dir / "-x.json")
    case.relocpack("diff", "--", "-x.json", report, cwd=case.dir)
