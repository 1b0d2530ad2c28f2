# SPDX-License-Identifier: Apache-2.0
"""Reads pages and pictures of `relocpack report` as a browser does, and holds them to the reports they are of.

Shared by the end-to-end tests and by those in a real browser. It knows the reports' schema and nothing of the tool.
"""
import base64
import collections
import hashlib
import html.parser
import json
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
    if links:
        raise ValueError(f"links: {links[:3]}")
    if re.search(r"url\(|@import|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text):
        raise ValueError("the page loads something, or its script makes markup of text")
    policy, = (e.get("content") for e in page.root.all("meta") if e.get("http-equiv") == "Content-Security-Policy")
    for tag, word in (("style", "style-src"), ("script", "script-src")):
        parts = [e.text for e in page.root.all(tag) if e.get("type") is None]
        digest = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
        if len(parts) != 1 or f"{word} 'sha256-{digest}'" not in policy:
            raise ValueError(f"<{tag}> is not what the policy allows")
    if not policy.startswith("default-src 'none';"):
        raise ValueError(f"policy: {policy}")
    data(page)
    return page


def data(page):
    """What the script reads: JSON in the only other element of its kind, which nothing in it can end."""
    element, = (e for e in page.root.all("script") if e.get("type") is not None)
    if element.attributes != {"type": "application/json", "id": "data"} or re.search("[<>&]", element.text):
        raise ValueError(f"data: {element.attributes}")
    return json.loads(element.text)


# Members of a report that a page has. Not among them: paths of the user's machine.
MEMBERS = {"schema_version", "tool", "labels", "generator", "toolchain", "inputs", "model", "target", "image", "memory", "device", "pools", "runtime",
           "symbols", "imports", "archive_members", "moved_to_ram", "relocations", "budgets", "choices", "diagnostics"}


def of_page(report):
    """A report as its page has it."""
    run = {"run": {key: value for key, value in report["run"].items() if key == "started"}} if "run" in report else {}
    return {key: value for key, value in report.items() if key in MEMBERS} | run


def rows(root):
    """First and last cell of each row of the plain tables."""
    return [(row.children[0].words(), row.children[-1].words()) for row in root.all("tr")]


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
    """Pages and pictures say what the report says of the device; each row of it is one of theirs."""
    said = re.findall(r" bytes( of [\d,]+ \([\d.]+ %\), [\d,]+ (?:free|too many))", "".join(part.words() for part in root.all() if part.tag in ("td", "text")))
    uses = {(row["region"], row["mode"] if row["region"] == "ram" else "", row["used_bytes"]): row for row in report.get("device", {}).get("use", [])}
    wanted = [f" of {row['size_bytes']:,} ({row['per_mille'] // 10}.{row['per_mille'] % 10} %), {abs(row['free_bytes']):,} " + ("too many" if row["free_bytes"] < 0 else "free")
              for row in uses.values()]
    if sorted(said) != sorted(wanted):
        raise ValueError(f"device: {said}, the report has {wanted}")


def check_picture(root, report):
    """Bars and maps of a picture have the report's figures, to the byte."""
    got = {bar.get("data-figure"): number(bar) for bar in root.all("svg", "bar-of")}
    figures = {name: report["memory"][name] for name in ("flash", "ram_xip", "ram_copy", "params", "acts") if name in report["memory"]}
    if got != figures:
        raise ValueError(f"bars: {got}, the report has {figures}")
    uses = [(bar.get("data-region"), number(bar)) for bar in root.all("svg", "use-of")]
    if any((f"{row['region']}-{row['mode']}", row["used_bytes"]) not in uses for row in report.get("device", {}).get("use", []) if row["region"] == "ram"):
        raise ValueError(f"uses: {uses}")
    maps = {drawn.get("data-name"): drawn for drawn in root.all("svg", "treemap")}
    for name, drawn in maps.items():
        wanted = sections_of(report, name)
        found = leaves(drawn)
        if sum(map(number, found)) != sum(size for _, size in wanted):
            raise ValueError(f"{name}: leaves have {sum(map(number, found))} bytes")
        shown = collections.Counter(title(leaf).rsplit("\n", 1)[0] for leaf in found if "k-y" in leaf.classes())
        names = collections.Counter(s["name"] + "()" * (s["kind"] == "function") for s in report["symbols"] if s["section"] in dict(wanted))
        if shown - names:
            raise ValueError(f"{name}: more {shown - names}")
    if set(maps) != {"Flash", "RAM"}:
        raise ValueError(f"maps: {set(maps)}")
