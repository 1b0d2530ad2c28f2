# SPDX-License-Identifier: Apache-2.0
"""Budgets: sizes, shares of a device, growth from a baseline; limits that warn; the script of docs/guide/ci.md."""
import json
import re
import shutil

from jsonschema import Draft202012Validator

import pages
from kit import EXAMPLES, ROOT, check, each, equal, has, has_not, test

TINY = EXAMPLES / "tiny/tiny.c"


def budgets_of(case, *words, status=0, out="out"):
    result = case.generate(TINY, "-q", *words, out=out, status=status)
    report = case.report("tiny", out)
    validator = Draft202012Validator(json.loads((ROOT / "docs/report.schema.json").read_text()))
    equal([error.message for error in validator.iter_errors(report)], [], "schema")
    return result, report, report["budgets"]


@test
def shares_of_a_device(case):
    _, report, (budget, total) = budgets_of(case, "--device-flash", "1M", "--device-ram", "3K", "--budget", "flash=50%",
                                            "--budget", "total_ram_copy=99.5%")
    equal([budget["limit"], budget["given"], budget["level"]], [1 << 19, "50%", "fail"], "half of the flash")
    equal(total["limit"], 3072 * 995 // 1000, "rounded down")
    equal(total["value"], report["memory"]["ram_copy"] + report["memory"]["acts"], "RAM and activations")
    flash = report["memory"]["flash"]
    for size, status in ((flash, 0), (flash - 1, 7)):
        result, *_ = budgets_of(case, "--device-flash", str(size), "--budget", "flash=100%", status=status, out=f"at{status}")
    has(result.err, f"flash has {flash} bytes, its budget is {flash - 1} (100% of the device)")
    error = case.generate(TINY, "--budget", "ram_xip=50%", "--device-flash", "1M", out="none", status=2).err
    has(error, "error RP2200: budget 'ram_xip=50%'", "--device NAME")
    error = case.relocpack("generate", "-i", TINY, "--device", "stm32f446re", "--budget", "ext_ram=50%", status=2).err
    has(error, "error RP2200: budget 'ext_ram=50%'", "stm32f446re has no memory of that kind")


@test
def growth_from_a_baseline(case):
    base = case.dir / "base é.json"
    _, report, _ = budgets_of(case, "--update-baseline", base)
    memory = report["memory"]
    for value, growth, allowed in (("+0", 0, 0), ("+16", 16, 16), ("+2.5%", None, memory["flash"] * 25 // 1000)):
        _, _, (budget, total) = budgets_of(case, "--baseline", base, "--budget", f"flash={value}", "--budget", f"total_ram_xip={value}")
        equal(budget["limit"], memory["flash"] + allowed, value)
        if growth is not None:
            equal(total["limit"], memory["ram_xip"] + memory["acts"] + growth, "of a total")
    smaller = json.loads(base.read_text())
    smaller["model"]["name"] = "other"
    _, other, _ = budgets_of(case, "--baseline", case.write("other.json", json.dumps(smaller)), "--budget", "flash=+0")
    has([d["message"] for d in other["diagnostics"] if d["id"] == "RP1066"][0], "other.json", "'other'", "'tiny'")
    smaller = json.loads(base.read_text())
    smaller["memory"]["flash"] -= 1
    base.write_text(json.dumps(smaller))
    result, _, (budget,) = budgets_of(case, "--baseline", base, "--budget", "flash=+0", status=7)
    has(result.err, f"flash has {memory['flash']} bytes, its budget is {memory['flash'] - 1} (+0 on the baseline)")
    equal(budget["status"], "over", "status")
    kept = base.read_bytes()
    has(case.generate(TINY, "--baseline", base, "--update-baseline", base, out="same", status=2).err, "is an input")
    equal(base.read_bytes(), kept, "the baseline")
    has(case.generate(TINY, "--budget", "flash=+1%", out="none", status=2).err, "--baseline FILE")
    del smaller["memory"]["got"]
    base.write_text(json.dumps(smaller))
    has(case.generate(TINY, "--baseline", base, "--budget", "got=+1", out="none", status=9).err, "no figure for 'got'")
    for text in ("{}", "[]", "\x7fELF", '{"memory": {"flash": -1}}', '{"memory": {"flash": "many"}}'):
        base.write_text(text)
        has(case.generate(TINY, "--baseline", base, "--budget", "flash=+1", out="none", status=9).err, "base é.json")
    check(not (case.dir / "none").exists(), "nothing was written")


@test
def warnings(case):
    result, report, (budget, fail) = budgets_of(case, "--budget", "flash=warn:1", "--budget", "flash=1M")
    equal([budget["status"], budget["level"], fail["status"]], ["warn", "warn", "ok"], "status")
    equal([(d["severity"], d["message"]) for d in report["diagnostics"] if d["id"] == "RP1065"],
          [("warning", f"flash has {report['memory']['flash']} bytes, its budget is 1")], "diagnostic")
    result, report, _ = budgets_of(case, "--budget", "flash=warn:1", "--budget", "ram_xip=warn:1M", "--budget", "flash=2", status=7)
    has(result.err, "its budget is 2")
    has_not(result.err.partition("error RP2700")[2], "its budget is 1")
    text = (case.dir / "out/tiny_generate_report.txt").read_text()
    equal(re.findall(r"^   (\w+) +[\d,]+ of +[\d,]+  (\w+)$", text, re.M), [("flash", "warn"), ("ram_xip", "ok"), ("flash", "OVER")], "text")


@test
def warnings_that_were_asked_for(case):
    """A budget's warning is printed once: in the report on stdout, or on stderr when that is not there. Other notes are silent then."""
    words = ["--budget", "flash=warn:1", "--cflags=-fno-builtin", "-D", "UNUSED=1", "--import", "nowhere"]
    said = "warning RP1065: flash has"
    for more in ([], ["-q"], ["--json", "-"], ["-q", "--json", "-"]):
        shown = case.generate(TINY, *words, *more)
        quiet = bool(more)
        equal((said in shown.err, shown.err.count("RP10")), (quiet, int(quiet)), f"{more}: {shown.err}")
        check(more or "RP1065" in shown.out, "in the report")
    has_not(case.generate(TINY, "--budget", "flash=warn:1M", "-q").err, "RP1065")


@test
def files(case):
    file = case.write("b.json", json.dumps({"flash": {"warn": "25%", "fail": "50%"}, "ram_xip": "4K", "got": 77, "acts": 1 << 50}))
    *_, found = budgets_of(case, "--budget-file", file, "--device-flash", "1M")
    equal([(b["metric"], b["level"], b["limit"]) for b in found],
          [("flash", "warn", 1 << 18), ("flash", "fail", 1 << 19), ("ram_xip", "fail", 4096), ("got", "fail", 77),
           ("acts", "fail", (1 << 32) - 1)], "of a file")


WRONG = ["", "4Q", "-1", "+", "%", "+%", "50%%", "5 %", "1.%", "+-1", "warn:", "warn:warn:1", "1e3", "0x", "99999999999", "½"]


@each(WRONG)
def wrong_amounts(case, text):
    has(case.generate(TINY, "--budget", f"flash={text}", "--device-flash", "1M", out="none", status=2).err, "RP2200", f"flash={text}")
    file = case.write("b.json", json.dumps({"flash": {"warn": text}}))
    has(case.generate(TINY, "--budget-file", file, "--device-flash", "1M", out="none", status=2).err, "RP2200", "b.json", f"flash={text}")


@each(['{"flash": {}}', '{"flash": 1, "acts": 1, "flash": {}}', '{"flash": {"warm": 1}}', '{"flash": {"warn": []}}', '{"flash": null}', '{"flash": [1]}', '{"flash": 1.5}', '{"flash": {"fail": {}}}'])
def wrong_files(case, text):
    file = case.write("b.json", text)
    has(case.generate(TINY, "--budget-file", file, out="none", status=9).err, "RP2903", "b.json", "'flash'")


@test
def mistakes_are_named(case):
    """An empty or half option, and a misspelled level in a file; several limits of a key all hold."""
    for words in ("", "flash", "=64K"):
        has(case.generate(TINY, "--budget", words, out="none", status=2).err, f"error RP2200: --budget '{words}' is not KEY=N", "hint: for example")
    for value, level in (({"wran": "64K"}, "wran"), ({"warn": "1M", "fial": "2M"}, "fial"), ({"warn": "1M", "": 1}, "")):
        file = case.write("b.json", json.dumps({"flash": value}))
        error = case.generate(TINY, "--budget-file", file, out="none", status=9).err
        has(error, "error RP2903: ", f"b.json: 'flash': unknown member '{level}'; there are: warn fail")
        equal(f"did you mean {dict(wran='warn', fial='fail').get(level)}?" in error, level != "", "the hint")
    has(case.generate(TINY, "--budget", "flash=1M", "--budget", "flash=1", out="none", status=7).err, "its budget is 1")
    has(case.generate(TINY, "--budget", "flash=1", "--budget", "flash=1M", out="none", status=7).err, "its budget is 1")


@test
def a_file_without_a_budget(case):
    """It would pass whatever the image has."""
    error = case.generate(TINY, "--budget-file", case.write("b.json", " {}"), out="none", status=9).err
    has(error, "RP2903", "b.json: it limits nothing", 'hint: for example {"flash": "64K"}')
    check(not (case.dir / "none").exists(), "nothing was written")


@test(slow=True)
def script_of_the_guide(case):
    """It builds, compares with the last build, fails on a budget and on growth, and leaves the page."""
    found = {block.file: "\n".join(block.lines) + "\n" for block in pages.blocks((ROOT / "docs/guide/ci.md").read_text()) if block.file}
    check(len(found["ci.sh"].splitlines()) <= 15, "15 lines")
    scratch = pages.Scratch(case.dir, case.tool, case.env)
    (case.dir / "examples").unlink()
    shutil.copytree(EXAMPLES, case.dir / "examples")
    for name, text in found.items():
        case.write(name, text)

    def run():
        shutil.rmtree(case.dir / "last", ignore_errors=True)
        if (case.dir / "artifacts").exists():
            (case.dir / "artifacts").rename(case.dir / "last")
        return scratch.shell("sh ci.sh")

    equal(run(), (0, ""), "the first build")
    check(not list((case.dir / "artifacts").glob("*.md")), "nothing to compare with")
    equal(run(), (0, ""), "the second")
    has((case.dir / "artifacts/tiny.md").read_text(), "| flash |")
    source = case.dir / "examples/tiny/tiny.c"
    source.write_text(source.read_text().replace("static const float bias[2] =", "static volatile float bias[400] ="))
    status, said = run()
    equal(status, 7, said)
    has(said, "ram_xip grew from")
    for kind in ("html", "json", "xml", "sarif", "md"):
        check((case.dir / f"artifacts/tiny.{kind}").stat().st_size > 100, kind)
    case.write("budget.json", '{"flash": 10}')
    status, said = run()
    equal(status, 7, said)
    has(said, "its budget is 10")
    check((case.dir / "artifacts/digits_float.html").exists(), "the page is there when a budget is broken")
