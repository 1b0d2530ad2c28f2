#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of `relocpack report` in a real browser: what their script shows, by mouse, keys, address and search, and whether all can read it.

usage: page.py RELOCPACK [FOLDER]

FOLDER: screenshots are left there. Needs chromium and what `relocpack generate` needs; axe-core comes from npm, into AXE (build/axe).
The last line is "N passed, N failed".
"""
import base64
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/browser")]
from browser import Browser  # noqa: E402 pylint: disable=wrong-import-position

WIDTHS = (360, 1280, 1920)
SCHEMES = ("light", "dark")
AXE = pathlib.Path(os.environ.get("AXE", ROOT / "build/axe"))
AXE_VERSION = "4.11.0"
HOSTILE = "</script></title><img src=x onerror=alert(1)>&amp;\"'`\u202egnp.exe -->]]><svg onload=a()>" + "n" * 300
passed, failed = 0, 0


def check(condition, what):
    global passed, failed  # pylint: disable=global-statement
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"FAILED  page: {what}", flush=True)


def equal(got, want, what):
    check(got == want, f"{what}: {got!r}, not {want!r}")


def relocpack(*words):
    return subprocess.run([TOOL, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


def axe_source():
    """The checker's script; None if npm cannot be had, which CI does not accept."""
    script = AXE / "node_modules/axe-core/axe.min.js"
    if not script.exists() and shutil.which("npm"):
        AXE.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", AXE, f"axe-core@{AXE_VERSION}"], check=False)
    return script.read_text() if script.exists() else None


# ---- reports and their pages ----

def many_of(report, count):
    """A report with so many functions of 64 bytes."""
    many = copy.deepcopy(report)
    section = next(s for s in many["image"]["sections"] if s["name"] == "text+rodata")
    section["size_bytes"] = count * 64
    many["symbols"] = [{"name": f"namespace_of_a_long_name_{i}", "kind": "function", "section": "text+rodata", "offset": 64 * i,
                        "size_bytes": 4 + i * 7919 % 60, "file": f"file{i % 50}.c"} for i in range(count)]
    return many


def hostile_of(report):
    bad = copy.deepcopy(report)
    bad["labels"] = {"commit": HOSTILE}
    bad["model"].update(name=HOSTILE, generator=HOSTILE)
    bad["toolchain"].update({"version": HOSTILE, "__proto__": HOSTILE, HOSTILE: HOSTILE})
    bad["diagnostics"] = [{"id": "RP1000", "severity": "warning", "message": HOSTILE}]
    for rows in (bad["symbols"], bad["model"]["inputs"], bad["image"]["sections"][-1:], bad["archive_members"]):
        for row in rows:
            for key in ("name", "file", "dtype", "archive", "member", "symbol"):
                if key in row:
                    row[key] = HOSTILE
    return bad


def odd_of(report):
    """Members of other types than the page expects."""
    return {"schema_version": 3, "memory": {"flash": 5, "ram_xip": 3}, "symbols": [1, None, {"name": 5}, {"name": "a", "section": "x", "size_bytes": 4}], "model": [],
            "toolchain": "x", "device": {"use": [1, {}], "memories": 3}, "image": {"sections": [None, {"name": "data", "segment": "ram", "size_bytes": 3}]},
            "budgets": [{}], "labels": [], "diagnostics": [{}], "relocations": report["relocations"], "choices": None}


def batch_of(report, folder):
    """The folder of a batch with 200 cells; one of them is over its budget."""
    cells = []
    for i in range(200):
        name = f"model{i % 40}/target{i // 40}"
        cell = copy.deepcopy(report)
        cell["model"]["name"] = f"model{i % 40}"
        cell["memory"]["flash"] += i
        if i == 7:
            cell["budgets"] = [{"metric": "flash", "level": "fail", "given": "1K", "limit": 1024, "value": cell["memory"]["flash"], "status": "over"}]
        (folder / name).mkdir(parents=True)
        (folder / name / "a_generate_rel.json").write_text(json.dumps(cell))
        cells.append({"model": cell["model"]["name"], "target": "t", "folder": name, "report": f"{name}/a_generate_rel.json"})
    (folder / "batch.json").write_text(json.dumps({"schema_version": 1, "tool": {"name": "relocpack"}, "cells": cells}))


def pages(folder):
    """The pages, and the report of the build that each shows."""
    digits, tiny = ROOT / "examples/digits/digits_float.c", ROOT / "examples/tiny/tiny.c"
    for name, source, words in (("one", digits, ["--budget", "flash=100K"]), ("two", digits, ["--cflags=-O3", "-r", "split"]), ("tiny", tiny, [])):
        relocpack("generate", "-q", "-i", source, "--device", "stm32f429zi", *words, "-o", folder / name)
    relocpack("generate", "-q", "-i", digits, "--target", "stm32f4", "--device-flash", "40K", "--device-ram", "6K", "-o", folder / "tight", "--html", folder / "tight.html")
    one, two, tiny = (folder / name / f"{model}_generate_rel.json" for name, model in (("one", "digits_float"), ("two", "digits_float"), ("tiny", "tiny")))
    (folder / "verify.json").write_text(relocpack("verify", "--profile", "--json", folder / "one/digits_float_rel.bin"))
    report = json.loads(one.read_text())
    (folder / "profile.json").write_text(json.dumps(json.loads((folder / "verify.json").read_text())["profile"]))
    for name, made in (("many", many_of(report, 20000)), ("hostile", hostile_of(report)), ("odd", odd_of(report))):
        (folder / f"{name}.json").write_text(json.dumps(made))
    batch_of(report, folder / "cells")
    (folder / "builds").mkdir()
    for day in range(1, 34):
        dated = copy.deepcopy(report)
        dated["run"]["started"] = f"2026-0{day // 30 + 1}-{day % 30 + 1:02}T00:00:00Z"
        dated["labels"] = {"branch": "main" if day < 30 else "next", "commit": f"c{day}"}
        dated["memory"]["flash"] += day * day % 11
        (folder / f"builds/{day:02}.json").write_text(json.dumps(dated))
    for name, words in {"plain": [one], "measured": [one, "verify.json"], "compared": [one, two], "many": ["many.json"], "hostile": ["hostile.json"], "odd": ["odd.json"],
                        "history": ["builds"], "batch": ["cells"], "models": [one, tiny, "two", "verify.json", "profile.json"],
                        "others": [tiny, "verify.json", "profile.json"]}.items():
        words = [word if isinstance(word, pathlib.Path) else folder / word for word in words]
        relocpack("report", *words, "--html", folder / f"{name}.html")
    relocpack("report", one, "--svg", folder / "plain.svg")
    return {"one": report, "two": json.loads(two.read_text())}


# ---- what a page shows ----

TOPS = "[...document.getElementById('rp-map').children].filter(c => !c.hasAttribute('aria-hidden')).map(c => c.title.split('\\n').slice(0, 2))"
COLUMN = """(kind, name) => { const heads = [...document.querySelectorAll(`table.${kind} thead tr > *`)], at = heads.findIndex(h => h.textContent === name);
  return [...document.querySelectorAll(`table.${kind} tbody tr`)].filter(r => r.cells.length > at).map(r => r.cells[at].textContent); }"""


def tops(browser):
    """Name and bytes of the parts of the map's first level."""
    return {name: int(said.split(" ", 1)[0].replace(",", "")) for name, said in browser.run(TOPS)}


def column(browser, kind, name):
    return browser.run(f"({COLUMN})('{kind}', '{name}')")


def say(browser, part, value, event="input"):
    browser.run(f"(() => {{ const e = document.getElementById('rp-{part}'); e.value = {json.dumps(value)}; e.dispatchEvent(new Event('{event}')); }})()")


def go(browser, address):
    """Follows an address; returns when the page shows it."""
    browser.run(f"new Promise((done, fail) => {{ addEventListener('hashchange', () => done(1), {{once: true}}); setTimeout(() => fail('no change'), 10000); {address}; }})")


def check_widths(browser, folder, name, axe):
    """No page is wider than its window, asks for anything or throws; axe-core finds nothing serious."""
    for width, scheme in ((width, scheme) for width in WIDTHS for scheme in SCHEMES):
        browser.look(width, scheme=scheme)
        browser.open(folder / f"{name}.html")
        check(browser.run("document.documentElement.scrollWidth") <= width, f"{name} overflows at {width} pixels")
        equal(browser.requests, [f"file://{folder}/{name}.html"], f"{name} asks for")
        equal(browser.errors, [], f"{name}: errors")
        check(browser.run("document.getElementById('rp-plain').hidden && !document.getElementById('rp-page').hidden"), f"{name}: the script shows the page")
        if axe:
            browser.run(axe + ";0")
            found = browser.run("axe.run().then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => [v.id, v.nodes[0].html.slice(0, 200)]))")
            equal(found, [], f"{name}, {width}, {scheme}: axe-core")
        if SHOTS:
            shot(browser, f"{name}-{width}-{scheme}")


def check_first_screen(browser, folder):
    """Verdict, flash, RAM, budgets, runs and part are what is seen first; bars of the RAM have one scale."""
    browser.look(1280)
    browser.open(folder / "measured.html")
    cards = browser.run("Object.fromEntries([...document.querySelectorAll('.card')].map(c => [c.querySelector('h2').textContent, c.querySelector('.value').textContent]))")
    equal(cards, {"Verdict": "OK", "Flash": "42,560", "RAM, XIP mode": "5,424", "Budgets": "kept", "Verified": "12 of 12", "Part": "stm32f429zi"}, "cards")
    check(browser.run("document.getElementById('rp-map').getBoundingClientRect().bottom") < 960, "the map is on the first screen")
    bars = browser.run("[...document.querySelectorAll('.s-free')].map(b => getComputedStyle(b).backgroundColor)")
    equal(len(set(bars)), 1, "free memory looks the same")
    browser.open(folder / "tight.html")
    equal(browser.run("[...document.querySelectorAll('.card.is-bad h2')].map(h => h.textContent)"), ["Verdict", "Flash"], "what does not fit")
    scales = browser.run("[...document.querySelectorAll('table.ram .part')].map(p => p.getBoundingClientRect().width / p.title.split('\\n')[1].split(' ')[0].replace(',', ''))")
    check(len(scales) > 6 and max(scales) < 1.1 * min(scales), f"one scale for the RAM: {scales}")


def check_sums(browser, folder, reports):
    """The parts of each level have the bytes of what they are in; the table has all symbols."""
    for name, report in (("plain", reports["one"]), ("compared", reports["two"])):
        browser.look(1280)
        browser.open(folder / f"{name}.html")
        sections = {}
        for section in report["image"]["sections"]:
            if "file" in section and section["size_bytes"]:
                sections[section["name"]] = section["size_bytes"]  # a split image has two trailers
        equal(tops(browser), sections, f"{name}: sections of the flash")
        equal(sorted(column(browser, "symbols", "name")), sorted(s["name"] for s in report["symbols"]), f"{name}: symbols")
        go(browser, "location.hash = '#flash/text'")
        equal(sum(tops(browser).values()), sections["text+rodata"], f"{name}: text+rodata")
        equal(sorted(column(browser, "symbols", "name")), sorted(s["name"] for s in report["symbols"] if s["section"] == "text+rodata"), f"{name}: symbols of a section")
        go(browser, "document.getElementById('rp-ram').click()")
        equal(sum(tops(browser).values()), report["memory"]["ram_xip"] + report["memory"]["acts"], f"{name}: RAM")
        equal(browser.run("[...document.querySelector('table.ram tbody').rows].filter(r => !r.className).map(r => r.cells[3].textContent)"),
              [f"{report['memory'][key] + report['memory']['acts']:,}" for key in ("ram_xip", "ram_copy")], f"{name}: RAM in both modes")
    browser.look(1280)
    browser.open(folder / "plain.html")
    areas = browser.run("""[...document.getElementById('rp-map').children].filter(c => !c.hasAttribute('aria-hidden')).map(c => [c, c.getBoundingClientRect()])
        .filter(([, box]) => box.width > 8 && box.height > 8).map(([c, box]) => {
        return box.width * box.height / Number(c.title.split('\\n')[1].split(' ')[0].replace(/,/g, '')); })""")
    check(max(areas) < 1.1 * min(areas), f"areas are bytes: {areas}")


def check_addresses(browser, folder):
    """A place has an address; Back, links and the keyboard lead from one to another."""
    browser.look(1280)
    browser.open(folder / "plain.html#flash/text/conv3x3_relu")
    heading = "document.querySelector('#rp-detail h2').textContent"
    equal(browser.run(heading), "conv3x3_relu()", "a symbol by its address")
    equal(browser.run("[...document.querySelectorAll('#rp-path a')].map(a => a.textContent.split(',')[0])"), ["Flash", "text+rodata", "digits_float.c"], "its path")
    go(browser, "document.querySelectorAll('#rp-path a')[1].click()")
    equal(browser.run(heading), "text+rodata", "by the path")
    go(browser, "history.back()")
    equal(browser.run(heading), "conv3x3_relu()", "back")
    go(browser, "[...document.querySelectorAll('table.symbols a')].find(a => a.textContent === 'softmax').click()")
    equal(browser.run("[location.hash, " + heading + "]"), ["#flash/text%2Brodata/digits_float.c/softmax()", "softmax()"], "from the table")
    go(browser, "location.hash = '#flash/text/memcpy'")
    check("asked for libc.a" in browser.run("document.getElementById('rp-detail').textContent"), "why it is linked")
    go(browser, "location.hash = '#ram/layers'")
    check("holds pointers" in browser.run("document.getElementById('rp-detail').textContent"), "why it is in RAM")
    for wrong in ("#flash/none/such", "#%E0%A4%A", "#x", "#__proto__/a", "#ram/~9/~~7"):
        browser.open(folder / f"plain.html{wrong}")
        check(browser.errors == [] and tops(browser), f"an address that is not there: {wrong}")
    browser.open(folder / "plain.html#flash")
    browser.run("document.querySelector('#rp-map > [tabindex=\"0\"]').focus()")
    focused = "document.activeElement.title.split('\\n')[0]"
    equal(browser.run(focused), "weights", "the largest section")
    for key, want in (("Enter", "digits_float.c"), ("Enter", "dense_weights"), ("ArrowRight", "conv2_weights"), ("Escape", "digits_float.c"), ("Escape", "weights")):
        browser.run("globalThis.moved = new Promise(done => addEventListener('hashchange', () => done(1), {once: true})), 1")
        browser.press(key)
        browser.run("moved" if key != "ArrowRight" else "1")
        equal(browser.run(focused), want, f"after {key}")


def check_search(browser, folder):
    """A search marks the map and filters the table."""
    browser.look(1280)
    browser.open(folder / "plain.html#flash/text/digits_float.c")
    say(browser, "search", "conv")
    rows = column(browser, "symbols", "name")
    check(len(rows) > 1 and all("conv" in row for row in rows), f"filtered: {rows}")
    marked = browser.run("[...document.getElementById('rp-map').children].filter(c => !c.classList.contains('dim')).map(c => c.title.split('\\n')[0])")
    check(len(marked) > 1 and all("conv" in name for name in marked), f"marked: {marked}")
    say(browser, "search", "no such name")
    equal((column(browser, "symbols", "name"), browser.run("document.getElementById('rp-found').textContent")), ([], "0 of 8 symbols"), "nothing found")


def check_colours(browser, folder):
    """By time, by change; compared with any build."""
    browser.look(1280)
    browser.open(folder / "measured.html#flash/text")
    say(browser, "colour", "time", "change")
    hot = browser.run("[...document.querySelectorAll('#rp-map .t-5')].map(c => c.title.split('\\n')[0])")
    equal(hot, ["conv3x3_relu()"], "most of the time")
    browser.open(folder / "compared.html#flash/text")
    say(browser, "colour", "change", "change")
    grown = browser.run("[...document.querySelectorAll('#rp-map .c-more.k-symbol')].map(c => c.title.split('\\n')[0]).sort()")
    equal(grown, ["conv3x3_relu()", "max_pool2x2()"], "what has grown")
    check("+888" in browser.run("document.getElementById('rp-cards').textContent"), "growth of the flash")
    say(browser, "before", "-1", "change")
    equal(browser.run("[...document.getElementById('rp-colour').options].map(o => o.value)"), ["kind"], "compared with none")
    browser.open(folder / "history.html")
    equal(browser.run("document.getElementById('rp-before').options.length"), 31, "builds to compare with")
    say(browser, "now", "3", "change")
    say(browser, "before", "4", "change")
    equal(column(browser, "changes", "change"), [f"{4 * 4 % 11 - 5 * 5 % 11:+}"], "an older build")
    check(browser.run("document.getElementById('rp-about').textContent").endswith("commit c4"), "its label")


def check_history(browser, folder):
    """The axis has labels that differ; a scale that is not from zero says so."""
    browser.look(1280)
    browser.open(folder / "history.html")
    part = "[...document.querySelectorAll('section')].find(s => s.querySelector('h2')?.textContent.startsWith('History'))"
    equal(browser.run(f"[...{part}.querySelector('select').options].map(o => o.textContent)"), ["branch", "commit", "time", "report"], "axes")
    ticks = browser.run(f"[...{part}.querySelectorAll('svg text')].map(t => t.textContent)")
    equal([ticks[0], ticks[-1]], ["c1", "c33"], "the axis has commits")
    equal(browser.run(f"[...{part}.querySelectorAll('circle')].length"), 33, "a dot for each build")
    check("axis from 0" in browser.run(f"{part}.querySelector('figcaption').textContent"), "from zero")
    browser.run(f"{part}.querySelector('input').click()")
    check("not from 0" in browser.run(f"{part}.querySelector('figcaption').textContent"), "another scale is said")


def check_batch(browser, folder):
    """200 cells are one table, which sorts; a map is drawn when it is asked for."""
    browser.look(1920)
    browser.open(folder / "batch.html")
    equal(len(column(browser, "models", "model")), 200, "rows")
    equal(browser.run("document.querySelectorAll('.map .cell').length"), 0, "maps at first")
    equal([word for word in column(browser, "models", "verdict") if word != "OK"], ["Not OK"], "verdicts")
    browser.run("[...document.querySelectorAll('table.models th button')].find(b => b.textContent === 'Flash').click()")
    flash = [int(cell.replace(",", "")) for cell in column(browser, "models", "Flash")]
    equal(flash, sorted(flash, reverse=True), "sorted")
    browser.run("document.querySelectorAll('table.models tbody button')[3].click()")
    check(browser.run("document.querySelectorAll('table.models .map.small .cell').length") > 10, "a map on demand")
    browser.run("document.querySelectorAll('table.models tbody button')[3].click()")
    equal(browser.run("document.querySelectorAll('table.models .map').length"), 0, "folded again")
    go(browser, "[...document.querySelectorAll('table.models a')].find(a => a.textContent === 'model7/target0').click()")
    equal(browser.run("[document.getElementById('rp-name').textContent, document.querySelector('.card .value').textContent]"), ["model7/target0", "Not OK"], "a cell")
    go(browser, "document.getElementById('rp-ram').click()")
    equal(browser.run("location.hash"), "#model7/target0/ram", "address of a cell's RAM")
    browser.open(folder / "batch.html#model7/target0/flash/text/softmax")
    equal(browser.run("document.querySelector('#rp-detail h2').textContent"), "softmax()", "a symbol of a cell")


def check_measured(browser, folder):
    """What was measured is with the model that it is about, or said to be with none."""
    shown = """[...document.querySelectorAll('section.measured')].map(s => [s.querySelector('small').textContent.trim().split(',')[0], Boolean(s.querySelector(':scope > p.note'))])"""
    verify, profile = ["verify.json", False], ["profile.json", True]
    browser.look(1280)
    for page, address, want in (("measured", "", [verify]), ("models", "#digits_float", [verify, profile]), ("models", "#tiny", [profile]),
                                ("models", "", [profile]), ("others", "", [["profile.json", False], ["verify.json", True]])):
        browser.open(folder / f"{page}.html{address}")
        equal(browser.run(shown), want, f"{page}{address}")


def check_harmless(browser, folder, reports):
    """No text becomes markup, and no odd member an error."""
    browser.look(1280)
    browser.run("1")
    for name in ("hostile", "odd"):
        for address in ("", "#ram", "#flash/text"):
            browser.open(folder / f"{name}.html{address}")
            equal((browser.errors, len(browser.requests)), ([], 1), f"{name}{address}")
            equal(browser.run("document.querySelectorAll('img, iframe, object, embed, [onload], [onerror], main script, script:not(#data) + script').length"), 0, f"{name}: elements")
            equal(browser.run("[...document.querySelectorAll('a')].filter(a => !a.getAttribute('href').startsWith('#')).length"), 0, f"{name}: links")
    browser.open(folder / "hostile.html")
    check("<img src=x onerror=alert(1)>" in browser.run("document.getElementById('rp-name').textContent"), "the name is shown as it is")
    equal(len(column(browser, "symbols", "name")), len(reports["one"]["symbols"]), "all symbols")


def check_order(browser, folder):
    """Numbers are in the order of their values, also where a column has words; names begin with a."""
    browser.look(1280)
    browser.open(folder / "compared.html")
    click = "[...document.querySelectorAll('table.changes thead th')].find(h => h.textContent === 'change')"
    for order, said in ((-1, "descending"), (1, "ascending")):
        browser.run(f"{click}.querySelector('button').click()")
        equal(browser.run(f"{click}.getAttribute('aria-sort')"), said, "said")
        cells = column(browser, "changes", "change")
        numbers = [int(cell.replace(",", "")) for cell in cells if cell != "changed"]
        check(len(numbers) > 2 and numbers == sorted(numbers, key=lambda value: order * value), f"sorted: {cells}")  # pylint: disable=cell-var-from-loop
        equal(set(cells[len(numbers):]), {"changed"}, "words are last")
    browser.open(folder / "plain.html")
    browser.run("document.querySelector('.symbols th button').click()")
    names = column(browser, "symbols", "name")
    check(names == sorted(names), f"names: {names}")


def check_without_script(browser, folder):
    """Readers without the script have the figures; paper has the largest symbols and says so, or all that a search leaves."""
    browser.look(1280, script=False)
    browser.open(folder / "plain.html")
    check(browser.run("document.getElementById('rp-plain').getClientRects().length && !document.getElementById('rp-page').getClientRects().length"), "the plain table")
    browser.look(900, media="print", scheme="dark")
    browser.open(folder / "many.html")
    rows = "[...document.querySelectorAll('.symbols tbody tr')].filter(r => r.getClientRects().length).length"
    equal(browser.run(rows), 60, "rows on paper")
    check(browser.run("document.querySelector('#rp-symbols .paper').getClientRects().length && document.querySelector('#rp-symbols .paper').textContent.includes('60 of 20,000')"), "paper says so")
    say(browser, "search", "name_41")
    equal(browser.run(rows), 111, "filtered rows on paper")
    equal(browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "paper is white")
    if SHOTS:
        shot(browser, "print")


CONTRAST = """(() => {
  const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  return Math.min(...[...document.querySelectorAll('#rp-map .cell')].map(c => ratio(light(getComputedStyle(c).color), light(getComputedStyle(c).backgroundColor)))); })()"""


def check_contrast(browser, folder):
    """4.5 is what WCAG 2 asks for at level AA, in each colour of a map."""
    for scheme in SCHEMES:
        for page, colours in (("measured", ("kind", "time")), ("compared", ("change",))):
            browser.look(1280, scheme=scheme)
            browser.open(folder / f"{page}.html")
            for colour in colours:
                say(browser, "colour", colour, "change")
                for memory in ("flash", "ram"):
                    browser.run(f"document.getElementById('rp-{memory}').click()")
                    worst = browser.run(CONTRAST)
                    check(worst >= 4.5, f"{scheme}, {colour}, {memory}: contrast {worst:.2f}")


def check_picture(browser, folder):
    """The picture alone: as wide as there is room, and nothing is loaded."""
    for width in (800, 1600):
        browser.look(width, scheme="dark")
        browser.open(folder / "plain.svg")
        check(browser.run("document.documentElement.scrollWidth") <= width, f"the picture overflows at {width} pixels")
        check(len(browser.requests) == 1 and browser.errors == [], f"the picture asks for {browser.requests}, {browser.errors}")


def check_many(browser, folder):
    """20,000 symbols: few of them are elements until somebody asks. The time is from the request to the end of the script; the median of five."""
    browser.look(1280)
    times = []
    for _ in range(5):
        browser.open(folder / "many.html")
        times.append(browser.run("new Promise(r => setTimeout(() => r(performance.getEntriesByType('navigation')[0].loadEventEnd)))"))
    print(f"page: 20,000 symbols, {(folder / 'many.html').stat().st_size:,} bytes: open after {sorted(times)[2]:.0f} ms")
    check(browser.run("document.querySelectorAll('*').length") < 10000, "elements at first")
    equal(len(column(browser, "symbols", "name")), 100, "rows at first")
    browser.run("document.querySelector('#rp-symbols button.more').click()")
    equal(len(column(browser, "symbols", "name")), 1100, "more rows")
    browser.run("[...document.querySelectorAll('.symbols th button')].find(b => b.textContent === 'bytes').click()")
    equal(column(browser, "symbols", "bytes")[0], "63", "the largest of all")
    go(browser, "[...document.getElementById('rp-map').children].find(c => c.title.includes('file31.c')).click()")
    seen = tops(browser)
    equal(len(seen), browser.run("state.root.inside.length"), "all symbols of a file")


def shot(browser, name):
    answer = browser.page("Page.captureScreenshot", captureBeyondViewport=True)
    (SHOTS / f"{name}.png").write_bytes(base64.b64decode(answer["data"]))


def main():
    axe = axe_source()
    if axe is None:
        print("SKIPPED page: axe-core is not there, and npm cannot get it", flush=True)
        check(os.environ.get("CI") != "true", "CI skips nothing")
    with tempfile.TemporaryDirectory() as name, Browser(pathlib.Path(name) / "browser") as browser:
        folder = pathlib.Path(name)
        reports = pages(folder)
        for page in ("measured", "compared", "history", "batch", "many"):
            check_widths(browser, folder, page, axe if page != "many" else None)
        check_first_screen(browser, folder)
        check_sums(browser, folder, reports)
        check_addresses(browser, folder)
        check_search(browser, folder)
        check_colours(browser, folder)
        check_history(browser, folder)
        check_batch(browser, folder)
        check_measured(browser, folder)
        check_harmless(browser, folder, reports)
        check_order(browser, folder)
        check_without_script(browser, folder)
        check_contrast(browser, folder)
        check_picture(browser, folder)
        check_many(browser, folder)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    TOOL = pathlib.Path(sys.argv[1]).resolve()
    SHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(main())
