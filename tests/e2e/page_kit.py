# SPDX-License-Identifier: Apache-2.0
"""Reads pages and pictures of `relocpack report` as a browser does, and holds them to the reports they are of.

Shared by the end-to-end tests and by those in a real browser. It knows the reports' schema and nothing of the tool.
"""
import base64
import collections
import hashlib
import html.parser
import re

VOID = {"meta", "link", "br", "img", "input", "hr", "base", "source"}


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children, self.text = [], ""

    def get(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)

    def classes(self):
        return (self.get("class") or "").split()

    def all(self, tag=None, kind=None):
        for child in self.children:
            if (tag is None or child.tag == tag) and (kind is None or kind in child.classes()):
                yield child
            yield from child.all(tag, kind)

    def words(self):
        return self.text + "".join(child.words() for child in self.children)


class Page(html.parser.HTMLParser):
    """The elements of an HTML or SVG file. Wrong nesting is an error."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)
        self.feed(text)
        self.close()
        if self.at is not self.root:
            raise ValueError(f"<{self.at.tag}> is not closed")

    def handle_starttag(self, tag, attrs):
        if len(dict(attrs)) != len(attrs):
            raise ValueError(f"<{tag}> has an attribute twice")
        element = Element(tag, dict(attrs), self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.at = self.at.parent

    def handle_endtag(self, tag):
        if tag != self.at.tag:
            raise ValueError(f"</{tag}> closes <{self.at.tag}>")
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.text += data


def check_alone(text):
    """Nothing is loaded, and nothing but its own script can run."""
    page = Page(text)
    links = [(element.tag, name, value) for element in page.root.all() for name, value in element.attributes.items()
             if name in ("src", "href", "xlink:href", "srcset", "data", "action", "background", "poster") or name.startswith("on")
             or name == "style"]
    wrong = [link for link in links if not (link[0] == "a" and re.fullmatch(r"#m\d+", link[2]))]
    if wrong:
        raise ValueError(f"links: {wrong[:3]}")
    for url in re.findall(r"url\(([^)]*)\)|@import", text):
        if not re.fullmatch(r"#rp-[a-f]", url):
            raise ValueError(f"the style loads {url!r}")
    policy, = (e.get("content") for e in page.root.all("meta") if e.get("http-equiv") == "Content-Security-Policy")
    for tag, word in (("style", "style-src"), ("script", "script-src")):
        parts = [e.text for e in page.root.all(tag)]
        digest = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
        if len(parts) != 1 or f"{word} 'sha256-{digest}'" not in policy:
            raise ValueError(f"<{tag}> is not what the policy allows")
    if not policy.startswith("default-src 'none';"):
        raise ValueError(f"policy: {policy}")
    return page


def number(element):
    return int(element.get("data-b"))


def title(element):
    return next(child for child in element.children if child.tag == "title").words()


def leaves(element):
    """The rectangles without rectangles in them, after adding up: each has the bytes of those inside."""
    inside = [child for child in element.children if "n" in child.classes()]
    if not inside:
        return [element]
    if sum(map(number, inside)) != number(element):
        raise ValueError(f"{title(element) if 'n' in element.classes() else 'map'}: {sum(map(number, inside))} of {number(element)} bytes")
    return [leaf for child in inside for leaf in leaves(child)]


def sections_of(report, name):
    """Name and size of the sections in a map, as the report has them: a split image has two trailers."""
    wanted = (lambda s: "file" in s) if name == "Flash" else (lambda s: s["segment"] == "ram" or s["name"] == "activations")
    return sorted((s["name"], s["size_bytes"]) for s in report["image"]["sections"] if wanted(s) and s["size_bytes"])


def check_device(root, report):
    """The bars of the device have what the report says of it, activations and all; each row of the report is one of them."""
    bars = {bar.get("data-region"): bar for bar in root.all("svg", "use-of")}
    rows = report.get("device", {}).get("use", [])
    for row in rows:
        names = [f"{row['region']}-{row['mode']}"] + [f"{row['region']}-xip"] * (row["region"] != "ram")
        bar = next((bars[name] for name in names if name in bars), None)
        if bar is None:
            raise ValueError(f"no bar for {row}")
        got = [number(bar), int(bar.get("data-of")), sum(number(part) for part in bar.all("svg", "p"))]
        if got != [row["used_bytes"], row["size_bytes"], row["used_bytes"]]:
            raise ValueError(f"{row}: the bar and its parts have {got}")
        if any(title(part).startswith("in no section") for part in bar.all("svg", "p")):
            raise ValueError(f"{row}: a part has no name")
        text = f" of {row['size_bytes']:,} ({row['per_mille'] // 10}.{row['per_mille'] % 10} %), {abs(row['free_bytes']):,} "
        text += "too many" if row["free_bytes"] < 0 else "free"
        if text not in root.words():
            raise ValueError(f"{row}: the page does not say{text!r}")
    if len(bars) != len({(row["region"], row["mode"] if row["region"] == "ram" else "", row["used_bytes"]) for row in rows}):
        raise ValueError(f"bars {sorted(bars)} for {rows}")


def check_sums(root, report, models=1):
    """Bars, maps and tables below an element have the report's figures, to the byte."""
    bars = {bar.get("data-figure"): bar for bar in root.all("svg", "bar-of")}
    figures = {name: report["memory"][name] for name in ("flash", "ram_xip", "ram_copy", "params", "acts") if name in report["memory"]}
    got = {name: number(bar) for name, bar in bars.items() if not name.startswith("before ")}
    if got != figures:
        raise ValueError(f"bars: {got}, the report has {figures}")
    for name, bar in bars.items():
        parts = [number(part) for part in bar.all("svg", "p")]
        if sum(parts) != number(bar):
            raise ValueError(f"{name}: its parts have {sum(parts)} bytes of {number(bar)}")
    maps = {}
    for drawn in root.all("svg", "treemap"):
        maps[drawn.get("data-name")] = drawn  # the last: this build
    for name, drawn in maps.items():
        wanted = sections_of(report, name)
        top = sorted((title(child).rsplit("\n", 1)[0], number(child)) for child in drawn.children if "n" in child.classes())
        if top != wanted:
            raise ValueError(f"{name}: {top}, the report has {wanted}")
        found = leaves(drawn)
        if sum(map(number, found)) != sum(size for _, size in wanted):
            raise ValueError(f"{name}: leaves have {sum(map(number, found))} bytes")
        shown = collections.Counter(title(leaf).rsplit("\n", 1)[0] for leaf in found if "k-y" in leaf.classes())
        names = collections.Counter(s["name"] + "()" * (s["kind"] == "function") for s in report["symbols"]
                                    if s["section"] in dict(wanted) and s["size_bytes"])
        if shown != names:
            raise ValueError(f"{name}: more {shown - names}, less {names - shown}")
    if models == 1 and set(maps) != {"Flash", "RAM"}:
        raise ValueError(f"maps: {set(maps)}")
    return maps
