#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link in the Markdown pages leads to a file, and every anchor to a heading of it.

usage: links.py [FOLDER]   default: the source's root

Links in code are not looked at, and neither are those to other sites. Anchors are made as GitHub makes them.
Prints what is wrong, and "N passed, N failed, N skipped"; exit status 1 when a link is broken.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\[(?:[^\][]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")
NOT_OURS = ("build", ".git", "tests/fixtures")


def without_code(text):
    """The text with as many lines, but without blocks and spans of code."""
    out, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence is None and not mark:
            out.append("" if line.startswith("    ") else re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", line))
            continue
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = mark[1] if fence is None else None
        out.append("")
    return out


def headings(text):
    """The lines that are headings, with the code in them."""
    outside = without_code(text)
    return [line for i, line in enumerate(text.split("\n"))
            if re.match(r"#{1,6} ", line) and outside[i]]


def anchors(text):
    """The names of a page's headings: lower case, blanks to hyphens, without punctuation; a second one of a name is -1."""
    found = {}
    for line in headings(text):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip())
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = found.get(name)
        found[name] = 0 if number is None else number + 1
        if number is not None:
            found[f"{name}-{number + 1}"] = 0
    return set(found)


def broken(page, root):
    """How many links there are, and what is wrong with some."""
    count, wrong = 0, []
    text = "\n".join(without_code(page.read_text(encoding="utf-8")))
    for match in LINK.finditer(text):
        link = match[1]
        if ELSEWHERE.match(link):
            continue
        count += 1
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        where = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.end()) + 1}: {link}"
        if not target.is_relative_to(root) or not target.exists():
            wrong.append(f"{where}: there is no such file")
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text(encoding="utf-8"))):
            wrong.append(f"{where}: there is no such heading")
    return count, wrong


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    pages = [page for page in sorted(root.rglob("*.md"))
             if not any(page.is_relative_to(root / name) for name in NOT_OURS)]
    results = [broken(page, root) for page in pages]
    wrong = [text for _, texts in results for text in texts]
    for text in wrong:
        print(text)
    print(f"{sum(count for count, _ in results) - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
