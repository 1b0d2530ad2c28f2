# SPDX-License-Identifier: Apache-2.0
"""Compares the numbers of a report with the files beside it: check_sums() runs on the report of every
generate of every test. It uses nothing of the tool; files are read as bytes.

Files: the rows of `image.sections` that name a file cover each of its bytes once, in order; padding is
zeros; the trailer begins where the format says. RAM: the rows add up to `ram_xip`. Symbols lie in the
section that they name.
"""
import json
import os
import pathlib

TRAILER_BYTES, TRAILER_MAGIC = 96, b"RPIT"


def path_of(folder, file):
    """A report has U+FFFD for bytes that are not UTF-8."""
    names = [name for name in os.listdir(folder) if os.fsencode(name).decode("utf-8", "replace") == file]
    return folder / (names[0] if names else file)


def cover(folder, report, file, rows):
    """Faults of the rows of one file."""
    data, at = path_of(folder, file).read_bytes(), 0
    for row in rows:
        name, start, size = row["name"], row["file_offset"], row["size_bytes"]
        if start != at:
            yield f"{file}: {name} begins at {start}, the row before ends at {at}"
        at = start + size
        if name == "padding" and any(data[start:at]):
            yield f"{file}: padding at {start} is not zero"
        if name == "padding" and size == 0:
            yield f"{file}: padding of no bytes at {start}"
    if at != len(data):
        yield f"{file}: rows end at {at}, the file has {len(data)} bytes"
    last = rows[-1]
    if last["name"] != "trailer" or last["size_bytes"] != TRAILER_BYTES:
        yield f"{file}: the last row is {last}"
    elif data[last["file_offset"]:][:4] != TRAILER_MAGIC:
        yield f"{file}: no trailer at {last['file_offset']}"
    listed = {entry["path"]: entry["size_bytes"] for entry in report["files"]}
    if listed.get(file) != len(data):
        yield f"{file}: files[] has {listed.get(file)} bytes, the file {len(data)}"


def memory(report):
    """Faults of the figures that are sums of rows."""
    rows, figures = report["image"]["sections"], report["memory"]
    def sizes(*names):
        return sum(row["size_bytes"] for row in rows if row["name"] in names)
    ram = sum(row["size_bytes"] for row in rows if row["segment"] == "ram")
    if ram != figures["ram_xip"]:
        yield f"rows of the RAM have {ram} bytes, ram_xip is {figures['ram_xip']}"
    in_files = sum(row["size_bytes"] for row in rows if "file" in row)
    if in_files != figures["flash"]:
        yield f"rows of the files have {in_files} bytes, flash is {figures['flash']}"
    for figure, names in (("acts", ["activations"]), ("got", ["got"]),
                          ("header_and_rel", ["header", "rel", "fixups", "compact"])):
        if sizes(*names) != figures[figure]:
            yield f"{names} have {sizes(*names)} bytes, {figure} is {figures[figure]}"


def symbols(report):
    """Faults of symbols that are not in the section that they name."""
    sizes = {row["name"]: row["size_bytes"] for row in report["image"]["sections"]}
    for symbol in report["symbols"]:
        size = sizes.get(symbol["section"])
        if size is None or symbol["section"] in ("padding", "trailer"):
            yield f"{symbol['name']}: there is no section {symbol['section']}"
        elif symbol["offset"] + symbol["size_bytes"] > size:
            yield f"{symbol['name']}: outside {symbol['section']}, which has {size} bytes"
        if symbol["kind"] not in ("function", "object"):
            yield f"{symbol['name']}: kind {symbol['kind']}"


def faults(folder, report):
    files = {}
    for row in report["image"]["sections"]:
        if "file" in row:
            files.setdefault(row["file"], []).append(row)
    if len(files) != 1 + report["image"]["split"]:
        yield f"rows of files {sorted(files)}, split is {report['image']['split']}"
    for file, rows in files.items():
        yield from cover(pathlib.Path(folder), report, file, rows)
    yield from memory(report)
    yield from symbols(report)


def check_sums(folder):
    """Checks all reports in a folder; ValueError names the figure that does not add up."""
    for path in sorted(pathlib.Path(folder).glob("*_generate_rel.json")):
        wrong = list(faults(folder, json.loads(path.read_text())))
        if wrong:
            raise ValueError(f"{path.name}: " + "; ".join(wrong[:10]))
