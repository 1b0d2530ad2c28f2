# SPDX-License-Identifier: Apache-2.0
"""diff: what changed from one report, image or folder to another, and limits of growth."""
import csv
import hashlib
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
    return case.write(name, json.dumps({"schema_version": 2, "model": {"name": "m"}, "memory": dict(zip(("flash", "acts"), figures))}))


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
    case.relocpack("diff", new, old, "--fail-on", "flash=+0")


@test
def limits_that_nothing_can_be_said_of(case):
    """What the new report does not have any more, or what was not compared, does not pass."""
    old, new = flash(case, "old.json", 1, 5), flash(case, "new.json", 1)
    result = case.relocpack("diff", old, new, "--fail-on", "flash=+0,acts=+0", status=9)
    has(result.out, "gone")
    has(result.err, "error RP2900: --fail-on acts=+0", "new.json")
    flash(case, "one/a_generate_rel.json", 1)
    flash(case, "other/b_generate_rel.json", 1)
    folders_of_it = case.dir / "one", case.dir / "other"
    result = case.relocpack("diff", *folders_of_it, "--fail-on", "flash=+0", status=9)
    has(result.out, "only in the old folder: a_")
    has(result.err, "error RP2900", "nothing was compared")
    table = list(csv.DictReader(io.StringIO(case.relocpack("diff", *folders_of_it, "--format", "csv").out)))
    equal([(row["group"], row["name"], row["old"], row["new"]) for row in table],
          [("reports", "a_generate_rel.json", "yes", ""), ("reports", "b_generate_rel.json", "", "yes")], "CSV")


WRONG_LIMITS = {"key": "flsh=+1", "sign": "flash=1", "none": "", "unit": "flash=+1X", "less": "flash=-1", "empty": "flash=+", "text": "flash", "end": "flash=+1K,", "middle": "flash=+1,,acts=+1",
                "start": ",flash=+1", "comma": ",", "blank": "flash=+1, "}


@each(list(WRONG_LIMITS))
def limits_that_are_wrong(case, label):
    words = WRONG_LIMITS[label]
    old, new = flash(case, "old.json", 1000), flash(case, "new.json", 1100)
    result = case.relocpack("diff", old, new, f"--fail-on={words}", status=2)
    has(result.err, "error RP2200", "--fail-on", "hint")
    for more in (["--fail-on", "flash=+9%", f"--fail-on={words}"], [f"--fail-on={words}", "--fail-on="]):
        has(case.relocpack("diff", old, new, *more, status=2).err, "error RP2200: --fail-on")


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
    has(case.relocpack("diff", "../old", ".", cwd=case.dir / "new").out, "../old/models/b/b_generate_rel.json > models/b/b_generate_rel.json")


@test
def folders_of_one_model(case):
    """The same model for several devices: each line says which one it is about."""
    for side, size in (("old", 100), ("new", 110)):
        for device in ("f4", "h7"):
            flash(case, f"{side}/{device}/m_generate_rel.json", size)
    sides = case.dir / "old", case.dir / "new"
    for words in ([], ["--format", "markdown"]):
        result = case.relocpack("diff", *sides, "--fail-on", "flash=+9%", *words, status=7)
        for device in ("f4", "h7"):
            where = f"m ({case.dir}/new/{device})"
            has(result.err, f"{where}: flash grew from 100 to 110")
            has(result.out.replace("\\", ""), f"{where}: flash grew by +10", f"**{where}**: flash" if words else f"new/{device}/m_")
    table = list(csv.DictReader(io.StringIO(case.relocpack("diff", *sides, "--format", "csv").out)))
    equal([row["model"] for row in table], [f"m ({case.dir}/new/{device})" for device in ("f4", "h7")], "CSV")
    exceeded = difference(case, *sides, "--fail-on", "flash=+9%", status=7)["exceeded"]
    equal([row["report"] for row in exceeded], [f"{case.dir}/new/{device}/m_generate_rel.json" for device in ("f4", "h7")], "JSON")


@test
def folders_with_names_of_the_user(case):
    """What generate --json has written; what is no report is left alone."""
    for side in ("old", "new"):
        flash(case, f"{side}/kws.json", 1)
        flash(case, f"{side}/.hidden.json", 1)
        case.write(f"{side}/notes.json", '{"a": 1}')
        case.write(f"{side}/broken.json", "{")
    answer = difference(case, case.dir / "old", case.dir / "new")
    equal([c["new"].rsplit("/", 1)[1] for c in answer["comparisons"]], ["kws.json"], "compared")
    flash(case, "old/sub/m_generate_rel.json", 1)
    flash(case, "new/sub/m_generate_rel.json", 1)
    answer = difference(case, case.dir / "old", case.dir / "new")
    equal([c["new"].rsplit("/", 1)[1] for c in answer["comparisons"]], ["m_generate_rel.json"], "the names of generate come first")


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
    other = case.write("digits_float.c", DIGITS.read_text().replace("0.9549f", "0.9548f"))
    case.generate(other, out="other")
    retrained = case.dir / "other/digits_float_rel.bin"
    case.generate(DIGITS, out="again")
    comparison, = difference(case, case.dir / "again/digits_float_rel.bin", retrained)["comparisons"]
    equal([row["change"] for row in comparison["memory"]], [0] * len(comparison["memory"]), "sizes")
    equal(comparison["inputs"], [{"name": "image", **{key: hashlib.sha256(file.read_bytes()).hexdigest() for key, file in
                                                      (("old", case.dir / "again/digits_float_rel.bin"), ("new", retrained))}}], "SHA-256")
    damaged = case.write("damaged_rel.bin", files[0].read_bytes()[:-100])
    has(case.relocpack("diff", files[0], damaged, status=9).err, "error RP29", "damaged_rel.bin")
    weights = case.dir / "split/digits_float_data.bin"
    has(case.relocpack("diff", weights, weights, status=9).err, "error RP2900", "neither a report nor an image")


@test
def different_kinds(case):
    """Only what both have is compared: the rest is not gone."""
    case.generate(DIGITS)
    report, image = (case.dir / "out" / f"digits_float_{end}" for end in ("generate_rel.json", "rel.bin"))
    comparison, = difference(case, report, image)["comparisons"]
    equal([(row["name"], row["change"]) for row in comparison["memory"]],
          [(name, 0) for name in ("ram_xip", "ram_copy", "params", "got", "flash", "acts")], "memory")
    equal([comparison[group] for group in (*NUMBERS[1:], *TEXTS)], [[]] * (len(NUMBERS) + len(TEXTS) - 1), "the rest")
    case.relocpack("diff", report, image, "--fail-on", "flash=+0")
    has(case.relocpack("diff", report, image, "--fail-on", "header_and_rel=+0", status=2).err, "no figure 'header_and_rel'")
    measured = case.write("verify.json", json.dumps({"image": "m", "runs": [{"mode": "XIP", "addresses": "1", "run_instructions": 5}]}))
    has(case.relocpack("diff", report, measured, "--fail-on", "flash=+0", status=9).err,
        "is a report of generate", "is what verify writes", "no figure in common")
    profiled = case.write("profiled.json", json.dumps({**json.loads(measured.read_text()), "profile": {
        "unit": "instructions", "nodes": [{"name": "conv", "instructions": 7}], "functions": [{"name": "f", "own": 7}]}}))
    for pair in ((measured, profiled), (profiled, measured)):
        comparison, = difference(case, *pair)["comparisons"]
        equal((comparison["layers"], comparison["functions"]), ([], []), "where only one has them")
    newer = case.write("newer.json", json.dumps({**json.loads(measured.read_text()), "schema_version": 2}))
    has(case.relocpack("diff", measured, newer, status=9).err, "newer.json", "schema_version is not 1 to 1")


@test
def other_models(case):
    old = case.write("old.json", json.dumps({"schema_version": 2, "model": {"name": "a_b"}, "memory": {"flash": 1}}))
    has(case.relocpack("diff", old, flash(case, "new.json", 1)).out, "m (was a_b): ")
    has(case.relocpack("diff", old, flash(case, "new.json", 1), "--format", "markdown").out, "**m** (was a\\_b): flash 1\n")


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
        markdown = case.relocpack("diff", made["old"][kind], made["new"][kind], "--format", "markdown").out.splitlines()[0]
        check(kind == "profile" or f" {want[1]:,}" in markdown, f"summary: {markdown}")
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
    for side in ("one", "two"):
        flash(case, f"{side}/{side}<b>&lt;_generate_rel.json", 1)
    out = case.relocpack("diff", case.dir / "one", case.dir / "two", "--format", "markdown").out
    has(out, "one\\<b>\\&lt;\\_generate", "two\\<b>")
    old, new = case.write("old.json", json.dumps({"schema_version": 2, "memory": {}})), case.write("new.json", json.dumps(what))
    for form in ("text", "markdown", "csv"):
        out = case.relocpack("diff", flash(case, "o.json", 1), new, "--format", form).out
        check("\x1b" not in out, f"{form}: {out!r}")
        check(form != "markdown" or "<b>" not in out.replace("\\<b>", ""), out)
    table = list(csv.DictReader(io.StringIO(case.relocpack("diff", flash(case, "o.json", 1), new, "--format", "csv").out)))
    check(all(not (cell or "").startswith(("=", "+", "@")) for row in table for cell in row.values()), f"{table}")
    has(case.relocpack("diff", old, new, status=9).err, "RP2900", "old.json")


NO_REPORTS = {"text": b"hello", "empty": b"", "array": b"[1, 2]", "other": b'{"a": 1}', "version": b'{"memory": {"flash": 1}, "schema_version": 4}',
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
    for tensor in ({"scale": 1}, {"scale": 1, "zero_point": None}, {"scale": [], "zero_point": "x"}, 3):
        broken = {"schema_version": 2, "memory": {"flash": 1}, "model": {"inputs": [tensor], "outputs": [[tensor]]}}
        difference(case, flash(case, "old.json", 5, 5), case.write("odd.json", json.dumps(broken)))
    files = [case.write(f"{kind}.json", json.dumps({"schema_version": 2, "memory": {"flash": 1}, "target": {"fpu": fpu}}))
             for kind, fpu in (("number", 7), ("text", "none"))]
    for pair in (files, files[::-1]):
        row, = difference(case, *pair)["comparisons"][0]["tools"]
        equal({row["old"], row["new"]}, {7, "none"}, "a number and a text")
        for form in ("text", "markdown", "csv"):
            has(case.relocpack("diff", *pair, "--format", form).out, "target.fpu", "7", "none")
    odd = {"schema_version": 2, "memory": {"acts": 5, "deep": {"a": {"b": 7}}},
           "image": [], "symbols": {"name": 3}, "model": 7, "inputs": "x", "diagnostics": [3, None], "toolchain": {"flags": [1, [2]]}}
    answer = difference(case, flash(case, "old.json", 5, 5), case.write("odd.json", json.dumps(odd)))
    memory = rows(answer["comparisons"][0], "memory")
    equal((memory["acts"]["new"], memory["deep.a.b"]["new"]), (5, 7), "numbers")
    for wrong in ("x", -5, 1e300, None, 1.5, 1 << 62):
        bad = case.write("bad.json", json.dumps({"schema_version": 2, "memory": {"flash": wrong}}))
        for pair in ((bad, files[0]), (files[0], bad)):
            result = case.relocpack("diff", *pair, "--fail-on", "flash=+10%", status=9)
            has(result.err, "memory.flash is not a whole number")


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
