# SPDX-License-Identifier: Apache-2.0
"""report: what pages embed and say without their script, and pictures, held to the reports. tests/browser has the script."""
import copy
import csv
import io
import json
import os
import xml.etree.ElementTree as ElementTree

import npu_kit
import page_kit
from kit import EXAMPLES, QEMU, check, each, equal, has, has_not, test

DIGITS = EXAMPLES / "digits/digits_float.c"
HOSTILE = "</script></title><img src=x onerror=alert(1)>&amp;\"'`\x01\x7f\u202egnp.exe\u2066 -->]]><svg onload=a()>" + "n" * 3000


def report_of(case, *words, out="out", source=DIGITS):
    case.generate(source, *words, out=out)
    return next((case.dir / out).glob("*_generate_rel.json"))


def page_of(case, *arguments, **more):
    """The page and its text, and nothing on the outputs."""
    run = case.relocpack("report", *arguments, "--html", "page.html", cwd=case.dir, **more)
    equal(run.out + run.err, "", "outputs")
    text = (case.dir / "page.html").read_text()
    return page_kit.check_alone(text), text


def change(case, report, name, **members):
    """A copy of a report with other members."""
    return case.write(name, json.dumps({**copy.deepcopy(report), **members}))


MODELS = {"plain": lambda case: report_of(case), "split": lambda case: report_of(case, "-r", "split"),
          "device": lambda case: report_of(case, "--device", "stm32f429zi"),
          "too_small": lambda case: report_of(case, "--device-flash", "40K", "--device-ram", "6K"),
          "copy_only": lambda case: report_of(case, "-r", "copy-only", "--device", "stm32f429zi"),
          "npu_device": lambda case: next(npu_kit.made(case, "--device", "stm32n657x0").out.glob("*_generate_rel.json")),
          "npu": lambda case: next(npu_kit.made(case).out.glob("*_generate_rel.json"))}


@each(list(MODELS))
def sums(case, label):
    path = MODELS[label](case)
    report = json.loads(path.read_text())
    page, _ = page_of(case, path)
    build, = page_kit.data(page)["models"][0]["builds"]
    equal((build["path"], build["report"]), (path.name, page_kit.of_page(report)), "what the script reads")
    page_kit.check_device(page.root, report)
    rows = page_kit.rows(page.root)
    for key, name in (("flash", "Flash"), ("ram_xip", "RAM, XIP mode"), ("acts", "Activations")):
        check((name, f"{report['memory'][key]:,} bytes") in rows, f"{name} of {rows[:8]}")
    largest = sorted(report["symbols"], key=lambda symbol: -symbol["size_bytes"])[:100]
    equal([row for row in rows if row in {(s["name"], f"{s['size_bytes']:,}") for s in largest}][-len(largest):],
          [(s["name"], f"{s['size_bytes']:,}") for s in largest], "table of symbols")
    case.relocpack("report", path, "--svg", "a.svg", cwd=case.dir)
    picture = (case.dir / "a.svg").read_text()
    ElementTree.fromstring(picture)
    page_kit.check_picture(page_kit.Page(picture).root, report)
    has_not(picture.replace("http://www.w3.org/2000/svg", ""), "<script", "http", "href")
    equal("device" in report, label in ("device", "too_small", "copy_only", "npu_device"), "a device")


@test
def no_name_does_harm(case):
    """Names from a report are text: no element more, and no byte that XML or a reader of bytes would trip over."""
    path = report_of(case)
    report = json.loads(path.read_text())
    plain, _ = page_of(case, path)
    report["model"]["name"] = HOSTILE
    report["labels"] = {"commit": HOSTILE}
    report[HOSTILE] = report["toolchain"][HOSTILE] = HOSTILE
    for rows, key in ((report["symbols"], "name"), (report["symbols"], "file"), (report["model"]["inputs"], "name")):
        for row in rows:
            row[key] = HOSTILE + row.get(key, "")
    report["model"]["inputs"][0]["dtype"] = HOSTILE
    report["toolchain"]["version"] = HOSTILE
    page, text = page_of(case, case.write("hostile.json", json.dumps(report)))
    equal(sorted({e.tag for e in page.root.all()}), sorted({e.tag for e in plain.root.all()}), "kinds of elements")
    equal(len(list(page.root.all("script"))), 2, "scripts")
    has_not(text, "\x01", "\x7f", "\u202e", "\u2066")
    model, = page_kit.data(page)["models"]
    shown = HOSTILE.replace("\x01", "\\x01").replace("\x7f", "\\x7F").replace("\u202e", "\\xE2\\x80\\xAE").replace("\u2066", "\\xE2\\x81\\xA6")
    equal([model["name"], model["builds"][0]["report"]["toolchain"][shown]], [shown] * 2, "names in the data")
    case.relocpack("report", "hostile.json", "--svg", "a.svg", cwd=case.dir)
    ElementTree.parse(case.dir / "a.svg")
    bad = path.read_bytes().replace(b"dense_weights", b"a\xe9\xff\xed\xa0\x80\xf4\x90\x80\x80\\uffff\\ufffe\\u0085\\u2028z")
    (case.dir / "bytes.json").write_bytes(bad)
    page_of(case, "bytes.json")
    case.relocpack("report", "bytes.json", "--svg", "a.svg", cwd=case.dir)
    ElementTree.parse(case.dir / "a.svg")


def builds_of(page):
    model, = page_kit.data(page)["models"]
    return model["builds"]


@test
def two_builds_and_more(case):
    old = report_of(case, out="old")
    new = report_of(case, "--cflags=-O3", out="new")
    reports = [json.loads(path.read_text()) for path in (old, new)]
    page, text = page_of(case, old, new)
    equal([(build["path"], build["report"]) for build in builds_of(page)],
          [(f"{name}/digits_float_generate_rel.json", page_kit.of_page(report)) for name, report in zip(("old", "new"), reports)], "both builds")
    growth = reports[1]["memory"]["flash"] - reports[0]["memory"]["flash"]
    has(text, f"{growth:+,} since the build before")
    folder = case.dir / "history"
    folder.mkdir()
    for day in (*range(3, 34), 1, 2):
        report = copy.deepcopy(reports[0])
        report["run"]["started"] = f"2026-0{day // 30 + 1}-{day % 30 + 1:02}T00:00:00Z"
        report["memory"]["flash"] += day
        (folder / f"{99 - day}.json").write_text(json.dumps(report))
    (folder / "other.json").write_text("{}")
    (folder / "note.txt").write_text("x")
    page, text = page_of(case, folder)
    equal(page_kit.data(page)["left_out"], ["other.json"], "what is not a report")
    equal([build["report"]["memory"]["flash"] for build in builds_of(page)], [reports[0]["memory"]["flash"] + day for day in range(1, 34)], "in order")
    equal(["symbols" in build["report"] for build in builds_of(page)], [False] * 3 + [True] * 30, "old builds have only their figures")
    (folder / "bad.json").write_text("{")
    case.relocpack("report", folder, "--html", "x", status=9, cwd=case.dir)
    check(not (case.dir / "x").exists(), "no page")
    page, _ = page_of(case, case.dir / "old", report_of(case, out="tiny", source=EXAMPLES / "tiny/tiny.c"))
    equal([model["name"] for model in page_kit.data(page)["models"]], ["digits_float", "tiny"], "models")
    equal([name for name, _ in page_kit.rows(page.root)], ["model", "digits_float", "tiny"], "the plain table")
    has(case.relocpack("report", "old", "tiny", "--svg", "x", status=2, cwd=case.dir).err, "--svg shows one model")


@test
def labels_of_builds(case):
    """What generate says of a build, as columns and as labels of metrics."""
    tiny = EXAMPLES / "tiny/tiny.c"
    (case.dir / "h").mkdir()
    github = {"GITHUB_SHA": "cafe1", "GITHUB_HEAD_REF": "", "GITHUB_REF_NAME": "main", "GITHUB_RUN_ID": "7"}
    gitlab = {"CI_COMMIT_SHA": "cafe2", "CI_COMMIT_REF_NAME": "dev", "CI_PROJECT_PATH": "a/b"}
    builds = [([], None), (["--label", "ci"], github), (["--label", "ci", "--label", 'who=="me"\\\nx', "--label", "commit=mine"], gitlab)]
    for i, (words, env) in enumerate(builds):
        case.generate(tiny, *words, "--reproducible", "--update-baseline", case.dir / "base.json", out=f"o{i}", env=env)
        (case.dir / f"h/{i}.json").write_bytes((case.dir / f"o{i}/tiny_generate_rel.json").read_bytes())
    reports = [json.loads((case.dir / f"h/{i}.json").read_text()) for i in range(3)]
    equal([report.get("labels") for report in reports],
          [None, {"commit": "cafe1", "branch": "main", "pipeline": "7"},
           {"commit": "mine", "branch": "dev", "repository": "a/b", "who": '="me"\\\nx'}], "labels")
    check("labels" not in json.loads((case.dir / "base.json").read_text()), "the baseline is of the image alone")
    case.relocpack("report", "h", "--csv", "h.csv", "--prometheus", "h.prom", cwd=case.dir)
    rows = list(csv.DictReader(io.StringIO((case.dir / "h.csv").read_text())))
    equal([(row["model"], row["report"], row["commit"], row["who"], int(row["flash_bytes"])) for row in rows],
          [("tiny", f"h/{i}.json", *said, reports[i]["memory"]["flash"])
           for i, said in enumerate([("", ""), ("cafe1", ""), ("mine", '\'="me"\\\nx')])], "rows")
    lines = [line for line in (case.dir / "h.prom").read_text().splitlines() if line[0] != "#"]
    equal(lines[0], f'relocpack_flash_bytes{{model="tiny",commit="mine",branch="dev",repository="a/b",who="=\\"me\\"\\\\\\nx"}} {reports[2]["memory"]["flash"]}', "metric")
    equal(len(lines), 5, "figures of the last build")
    for wrong in ("x", "=1", "1a=2", "a-b=1", "model=m", "__name__=x", "flash_bytes=7"):
        has(case.generate(tiny, "--label", wrong, out="no", status=2).err, f"--label '{wrong}'")
    words = ["--label", "ci", "--stamp", case.dir / "stamp"]
    for commit, built in (("1", True), ("1", False), ("2", True)):
        has(case.generate(tiny, *words, out="s", env=github | {"GITHUB_SHA": commit}).out, *([] if built else ["is up to date"]))
        equal(json.loads((case.dir / "s/tiny_generate_rel.json").read_text())["labels"]["commit"], commit, "the label of this commit")


@test(needs=(QEMU,))
def time_of_layers(case):
    """Pages have the runs and the profile of what was measured, without the tree of calls and without folders."""
    path = report_of(case, "--target", "stm32h7")
    image = case.dir / "out/digits_float_rel.bin"
    verified = json.loads(case.write("verify.json", case.relocpack("verify", "--profile", "--json", image).out).read_text())
    case.relocpack("run", image, "--board", "mps2-an500", "--profile", "--json", case.dir / "run.json")
    ran = json.loads((case.dir / "run.json").read_text())
    case.write("profile.json", json.dumps(verified["profile"]))
    page, text = page_of(case, path, "verify.json", "run.json", "profile.json")
    measured = page_kit.data(page)["measured"]
    profile = {key: value for key, value in verified["profile"].items() if key != "tree"}
    equal([row["path"].rsplit("/", 1)[-1] for row in measured], ["verify.json", "run.json", "profile.json"], "files")
    equal((measured[0]["document"]["runs"], measured[0]["document"]["profile"]), (verified["runs"], profile), "of verify")
    equal(measured[1]["document"]["images"][0]["profile"]["nodes"], ran["images"][0]["profile"]["nodes"], "of run")
    equal(measured[2]["document"]["nodes"], profile["nodes"], "a profile")
    has_not(text, str(case.dir), '"tree"')


@test
def the_same_bytes(case):
    path = report_of(case, "--html", case.dir / "own.html")
    _, text = page_of(case, path)
    for _ in range(2):
        equal(page_of(case, path)[1], text, "page")
    equal((case.dir / "own.html").read_text(), text, "of generate")
    equal(case.relocpack("report", path, "--html", "-").out, text, "standard output")
    run = case.generate(DIGITS, "--html", "-")
    equal(page_kit.check_alone(run.out).root.children[0].tag, "html", "generate --html -")


WRONG = {  # label: (status, what the report becomes)
    "empty": (9, ""), "truncated": (9, None), "an array": (9, "[]"), "a number": (9, "1"), "no memory": (9, {"memory": 1}),
    "negative": (9, {"memory": {"flash": -1}}), "too large": (9, {"memory": {"flash": 1 << 40}}), "half a byte": (9, {"memory": {"flash": 0.5}}),
    "text": (9, {"memory": {"flash": "1"}}), "symbols": (9, {"symbols": [{"name": "a", "section": "data", "size_bytes": -5}]}),
    "nothing but memory": (0, {"schema_version": 2, "memory": {"flash": 5}, "only": True}), "odd kinds": (0, {"symbols": [1, None, {"name": 5}], "model": [], "toolchain": "x"}),
    "overlaps": (0, {"symbols": [{"name": f"s{i}", "kind": "function", "section": "data", "offset": 4 * i, "size_bytes": 4294967295} for i in range(9)]}),
    "nesting": (9, "[" * 5000),
}


@each(list(WRONG))
def wrong_reports(case, label):
    status, content = WRONG[label]
    text = report_of(case).read_text()
    if content is None:
        content = text[:len(text) // 2]
    if isinstance(content, dict):
        content = json.dumps(content if content.pop("only", False) else {**json.loads(text), **content})
    case.write("a.json", content)
    run = case.relocpack("report", "a.json", "--html", "a.html", "--svg", "a.svg", "--sarif", "s", status=status, cwd=case.dir)
    equal((case.dir / "a.html").exists(), status == 0, "page")
    equal((case.dir / "a.svg").exists(), status == 0, "picture")
    if status == 0:
        page_kit.check_alone((case.dir / "a.html").read_text())
        for drawn in page_kit.Page((case.dir / "a.svg").read_text()).root.all("svg", "treemap"):
            page_kit.leaves(drawn)
        ElementTree.parse(case.dir / "a.svg")
    else:
        has(run.err, "a.json")


@test
def wrong_words(case):
    path = report_of(case)
    for words in ([], [path], ["--html", "x"]):
        case.relocpack("report", *words, status=2)
    before = path.read_bytes()
    has(case.relocpack("report", path, "--html", path, status=2).err, "an input")
    case.relocpack("report", path, "--html", "same", "--svg", "same", status=2, cwd=case.dir)
    case.relocpack("report", path, "--html", "/nonexistent/x", status=1)
    case.relocpack("report", path, "--html", "/dev/full", status=1)
    case.relocpack("report", path, "--svg", case.dir, status=1)
    case.relocpack("report", case.dir / "none", "--html", "x", status=9, cwd=case.dir)
    os.mkdir(case.dir / "empty")
    case.relocpack("report", case.dir / "empty", "--html", "x", status=9, cwd=case.dir)
    equal(path.read_bytes(), before, "the report")
    equal(sorted(p.name for p in case.dir.iterdir() if p.is_file()), [], "files")


@test
def thousands_of_symbols(case):
    """30,000 symbols: the page has all of them; a picture sums up what nobody would see, and no byte is lost."""
    report = json.loads(report_of(case).read_text())
    section = next(s for s in report["image"]["sections"] if s["name"] == "text+rodata")
    section["size_bytes"] = 30000 * 16
    report["symbols"] = [{"name": f"f{i}", "kind": "function", "section": "text+rodata", "offset": 16 * i, "size_bytes": 1 + i % 16,
                          "file": f"file{i % 40}.c"} for i in range(30000)]
    path = case.write("many.json", json.dumps(report))
    page, _ = page_of(case, path, timeout=20)
    equal(builds_of(page)[0]["report"]["symbols"], report["symbols"], "symbols")
    case.relocpack("report", path, "--svg", "a.svg", cwd=case.dir)
    drawn = list(page_kit.Page((case.dir / "a.svg").read_text()).root.all("svg", "treemap"))[0]
    found = page_kit.leaves(drawn)
    equal(sum(map(page_kit.number, found)), page_kit.number(drawn), "bytes")
    check(len(found) < 5000 and any(page_kit.title(leaf).split("\n")[0].endswith(" smaller") for leaf in found), f"{len(found)} leaves")
