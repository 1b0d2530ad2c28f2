#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of `relocpack report` in a real browser: sums, overflow, requests, keys, contrast and speed.

usage: page.py RELOCPACK [FOLDER]

FOLDER: screenshots are left there. Needs chromium and what `relocpack generate` needs. The last line is "N passed, N failed".
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/e2e"), str(ROOT / "tests/browser")]
import page_kit  # noqa: E402 pylint: disable=wrong-import-position
from browser import Browser  # noqa: E402 pylint: disable=wrong-import-position

WIDTHS = (360, 768, 1600)
passed, failed = 0, 0


def check(condition, what):
    global passed, failed  # pylint: disable=global-statement
    passed, failed = passed + bool(condition), failed + (not condition)
    if not condition:
        print(f"FAILED  page: {what}", flush=True)


def relocpack(*words):
    return subprocess.run([TOOL, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


def pages(folder):
    """Name: the page and the report of the build that it shows."""
    digits = ROOT / "examples/digits/digits_float.c"
    for name, words in (("one", ["--device", "stm32f429zi"]), ("two", ["--device", "stm32f429zi", "--cflags=-O3", "-r", "split"])):
        relocpack("generate", "-q", "-i", digits, *words, "-o", folder / name)
    reports = [folder / name / "digits_float_generate_rel.json" for name in ("one", "two")]
    profile = folder / "verify.json"
    profile.write_text(relocpack("verify", "--profile", "--json", folder / "one/digits_float_rel.bin"))
    report = json.loads(reports[0].read_text())
    many = json.loads(reports[0].read_text())
    section = next(s for s in many["image"]["sections"] if s["name"] == "text+rodata")
    section["size_bytes"] = 5000 * 64
    many["symbols"] = [{"name": f"namespace_of_a_long_name_{i}", "kind": "function", "section": "text+rodata", "offset": 64 * i,
                        "size_bytes": 4 + i * 7919 % 60, "file": f"file{i % 50}.c"} for i in range(5000)]
    (folder / "many.json").write_text(json.dumps(many))
    history = folder / "history"
    history.mkdir()
    for day in range(1, 30):
        report["run"]["started"] = f"2026-01-{day:02}T00:00:00Z"
        report["memory"]["flash"] += day * day % 11
        (history / f"{day}.json").write_text(json.dumps(report))
    for name, words in (("plain", reports[:1]), ("measured", [reports[0], profile]), ("compared", reports), ("many", [folder / "many.json"]),
                        ("history", [history])):
        relocpack("report", *words, "--html", folder / f"{name}.html")
    relocpack("report", reports[0], "--svg", folder / "plain.svg")
    return {"plain": reports[0], "measured": reports[0], "compared": reports[1], "many": folder / "many.json"}


def dom(browser):
    return page_kit.Page(browser.run("document.documentElement.outerHTML")).root


def check_widths(browser, folder, name):
    for width in WIDTHS:
        browser.look(width)
        browser.open(folder / f"{name}.html")
        check(browser.run("document.documentElement.scrollWidth") <= width, f"{name} overflows at {width} pixels")
        check(browser.requests == [f"file://{folder}/{name}.html"], f"{name} asks for {browser.requests}")
        check(browser.errors == [], f"{name}: {browser.errors}")
        overlaps = browser.run("""[...document.querySelectorAll('svg.treemap text, svg.bar-of text, svg.use-of text')].filter(text => {
            const box = text.getBBox(), room = text.parentNode.getBoundingClientRect();
            return getComputedStyle(text).display != 'none' && box.x + box.width > room.width + 8; }).length""")
        check(overlaps == 0, f"{name}: {overlaps} texts are longer than their boxes at {width} pixels")
        if SHOTS:
            shot(browser, f"{name}-{width}")


AREAS = """(() => { let worst = 1;
  document.querySelectorAll('svg.treemap, svg.treemap .n').forEach(parent => {
    const rows = [...parent.children].filter(c => c.classList.contains('n')).map(c => {
      const box = c.getBoundingClientRect(); return box.width * box.height / Number(c.dataset.b); });
    const all = rows.filter(Number.isFinite), mean = all.reduce((a, b) => a + b, 0) / all.length;
    if (mean > 1) all.forEach(one => worst = Math.max(worst, one / mean, mean / one)); });
  return worst; })()"""


def check_areas(browser, folder):
    """The area of each part is its share of the bytes, with the script and without."""
    for script in (True, False):
        browser.look(1280, script=script)
        browser.open(folder / "plain.html")
        worst = browser.run(AREAS)
        check(worst < 1.05, f"areas differ from bytes by a factor of {worst:.3f}")


def check_keys(browser, folder):
    """Into the largest section and out again, with the keyboard alone."""
    browser.look(1280)
    browser.open(folder / "plain.html")
    focused = "document.activeElement.querySelector(':scope > title')?.textContent"
    browser.run("document.querySelector('svg.treemap > .n').focus()")
    section = browser.run(focused)
    check(section and section.startswith("weights"), f"the first section: {section}")
    browser.press("Enter")
    check(browser.run("document.querySelector('nav.tools').children.length") == 2, "a path to go back")
    check((browser.run(focused) or "").startswith("digits_float.c"), "the file is in focus")
    browser.press("Enter")
    first = browser.run(focused)
    browser.press("ArrowRight")
    check(browser.run(focused) not in (None, first), "the next symbol")
    browser.press("Escape")
    browser.press("Escape")
    check(browser.run(focused) == section, "out again")
    browser.run("(() => { const i = document.querySelector('.symbols').closest('section').querySelector('input');"
                "i.value = 'conv'; i.dispatchEvent(new Event('input')); })()")
    rows = browser.run("[...document.querySelectorAll('.symbols tbody tr')].filter(r => !r.hidden).map(r => r.cells[0].textContent)")
    check(rows and all("conv" in row for row in rows), f"filtered: {rows}")
    named = browser.run("[...document.querySelectorAll('svg[role=img], svg[role=group], input, button, [role=region]')]"
                        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).length")
    check(named == 0, f"{named} parts have no name for a screen reader")


CONTRAST = """(() => {
  const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  const all = [];
  document.querySelectorAll('svg.treemap text, svg.bar-of text, svg.use-of text').forEach(t =>
    all.push(ratio(light(getComputedStyle(t).fill), light(getComputedStyle(t.parentNode.querySelector(':scope > rect')).fill))));
  document.querySelectorAll('h1, h2, p, td, th, small, figcaption').forEach(t =>
    all.push(ratio(light(getComputedStyle(t).color), light(getComputedStyle(document.body).backgroundColor))));
  return Math.min(...all); })()"""


def check_colours(browser, folder):
    """4.5 is what WCAG 2 asks for at level AA."""
    for scheme in ("light", "dark"):
        browser.look(1280, scheme=scheme)
        browser.open(folder / "measured.html")
        worst = browser.run(CONTRAST)
        check(worst >= 4.5, f"{scheme}: contrast {worst:.2f}")
        if SHOTS:
            shot(browser, scheme)
    browser.look(900, media="print", scheme="dark")
    browser.open(folder / "measured.html")
    check(browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "paper is white")
    if SHOTS:
        shot(browser, "print")


SORTED = """(() => {
  const heads = [...document.querySelectorAll('table.changes thead th')], head = heads.find(h => h.textContent === 'change');
  head.querySelector('button').click();
  const column = () => [...document.querySelectorAll('table.changes tbody tr')].map(row => row.cells[heads.indexOf(head)].textContent);
  const falling = column(), said = head.getAttribute('aria-sort');
  head.querySelector('button').click();
  return [falling, said, column(), head.getAttribute('aria-sort')]; })()"""


def check_order(browser, folder):
    """Numbers are in the order of their values, also where a column has words; names begin with a."""
    browser.look(1280)
    browser.open(folder / "compared.html")
    falling, first, rising, second = browser.run(SORTED)
    check([first, second] == ["descending", "ascending"], f"said: {first}, {second}")
    for column, order in ((falling, -1), (rising, 1)):
        numbers = [int(cell.replace(",", "")) for cell in column if cell != "changed"]
        check(len(numbers) > 2 and numbers == sorted(numbers, key=lambda value: order * value), f"sorted: {column}")
        check(set(column[len(numbers):]) == {"changed"}, f"words are last: {column}")
    browser.open(folder / "plain.html")
    browser.run("document.querySelector('.symbols th button').click()")
    names = browser.run("[...document.querySelectorAll('.symbols tbody tr')].map(r => r.cells[0].textContent)")
    check(names == sorted(names) and browser.run("document.querySelector('.symbols th').getAttribute('aria-sort')") == "ascending", "names")


def check_paper(browser, folder):
    """Paper has the largest symbols and says so, or all that a filter leaves."""
    browser.look(900, media="print")
    browser.open(folder / "many.html")
    rows = "[...document.querySelectorAll('.symbols tr')].filter(r => r.getClientRects().length && r.cells[0].localName === 'th' && r.dataset.b).length"
    check(browser.run(rows) == 60, f"{browser.run(rows)} rows on paper")
    said = browser.run("document.querySelector('.paper').getClientRects().length && document.querySelector('.paper').textContent")
    check(said and "60 of 5,000" in said, f"paper says {said}")
    browser.run("(() => { const i = document.querySelector('.symbols').closest('section').querySelector('input');"
                "i.value = 'name_41'; i.dispatchEvent(new Event('input')); })()")
    check(browser.run(rows) == 111, f"{browser.run(rows)} filtered rows on paper")


def check_picture(browser, folder):
    """The picture alone: as wide as there is room, and nothing is loaded."""
    for width in (800, 1600):
        browser.look(width, scheme="dark")
        browser.open(folder / "plain.svg")
        check(browser.run("document.documentElement.scrollWidth") <= width, f"the picture overflows at {width} pixels")
        check(len(browser.requests) == 1 and browser.errors == [], f"the picture asks for {browser.requests}, {browser.errors}")


def check_speed(browser, folder):
    """From the request to the end of the load event, which is after the script; the median of five."""
    browser.look(1280)
    times = []
    for _ in range(5):
        browser.open(folder / "many.html")
        times.append(browser.run("new Promise(r => setTimeout(() => r(performance.getEntriesByType('navigation')[0].loadEventEnd)))"))
    print(f"page: 5,000 symbols, {(folder / 'many.html').stat().st_size:,} bytes: open after {sorted(times)[2]:.0f} ms")
    browser.run("document.querySelector('.symbols th button').click()")
    check(browser.run("document.querySelector('.symbols tbody').rows.length") == 5000, "sorted: all symbols are in one table")


def shot(browser, name):
    import base64  # pylint: disable=import-outside-toplevel
    answer = browser.page("Page.captureScreenshot", captureBeyondViewport=True)
    (SHOTS / f"{name}.png").write_bytes(base64.b64decode(answer["data"]))


def main():
    with tempfile.TemporaryDirectory() as name, Browser(pathlib.Path(name) / "browser") as browser:
        folder = pathlib.Path(name)
        for page, report in pages(folder).items():
            check_widths(browser, folder, page)
            for script in (True, False):
                browser.look(1280, script=script)
                browser.open(folder / f"{page}.html")
                root = dom(browser)
                try:
                    page_kit.check_sums(root, json.loads(report.read_text()))
                    check(True, page)
                except ValueError as error:
                    check(False, f"{page}, script {script}: {error}")
        check_widths(browser, folder, "history")
        check_areas(browser, folder)
        check_keys(browser, folder)
        check_colours(browser, folder)
        check_order(browser, folder)
        check_paper(browser, folder)
        check_picture(browser, folder)
        check_speed(browser, folder)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    TOOL = pathlib.Path(sys.argv[1]).resolve()
    SHOTS = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sys.exit(main())
