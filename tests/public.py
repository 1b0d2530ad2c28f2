#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages generated code of other projects and compares what comes out with what came out before.

usage: public.py [--table FILE] [--update] [--strict] [--tool PROGRAM] [--jobs N] FOLDER [PATTERN...]

FOLDER holds checkouts that you have, as owner/name or owner+name. The table, by default
FOLDER/inputs.tsv, has a row for each input, with tabs between its columns:

    repository  owner/name
    commit      a checkout with a .git at another commit is skipped
    path        of the input in the checkout
    dialect     which the program has to recognise
    options     of `relocpack generate`, quoted as for a shell; {repo} is the checkout, {repo:owner/name}
                that of another repository
    exit, error, sizes, files   what came out: exit status, id of the error, sizes of the sections in
                bytes, and the first 16 hexadecimal digits of the SHA-256 of each binary file

Lines that begin with # are comments. --update writes the last four columns of each input that is
there; a new row may leave them out. Without it, an input that was packaged and is refused now is a
failure, and so are a crash, another dialect, and a row that was never recorded. Other differences
are reported as changed, because another compiler changes code as well; --strict makes them failures.
PATTERN selects rows by a part of repository and path.

The last line is "N passed, N failed, N skipped". Exit status 0: some passed and none failed.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ("repository", "commit", "path", "dialect", "options", "exit", "error", "sizes", "files")
CAME_OUT = COLUMNS[5:]
LONGEST_S = 900


def read_table(path):
    """Returns the lines of the table: a dict for a row, text for a comment."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            lines.append(line)
            continue
        values = line.split("\t")
        if not 5 <= len(values) <= len(COLUMNS):
            sys.exit(f"{path}:{number}: {len(values)} columns; a row has 5 to {len(COLUMNS)}")
        lines.append(dict(zip(COLUMNS, values + [""] * (len(COLUMNS) - len(values)))))
    return lines


def write_table(path, lines):
    text = "".join((line if isinstance(line, str) else "\t".join(line[c] for c in COLUMNS)) + "\n" for line in lines)
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def checkout(folder, name):
    """Returns the checkout of a repository, or None."""
    for path in (folder / name, folder / name.replace("/", "+")):
        if path.is_dir():
            return path.resolve()
    return None


def command_of(folder, row):
    """Returns the input and the options of a row, or why they cannot be used."""
    repo = checkout(folder, row["repository"])
    if repo is None:
        return None, "no checkout"
    if (repo / ".git").exists():
        head = subprocess.run(["git", "-C", repo, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        if head.stdout.strip() != row["commit"]:
            return None, f"the checkout is at {head.stdout.strip()[:12] or 'no commit'}"
    if not (repo / row["path"]).exists():
        return None, "the checkout does not have it"
    for other in re.findall(r"\{repo:([^}]+)\}", row["options"]):
        if checkout(folder, other) is None:
            return None, f"no checkout of {other}, which it needs"
    words = [re.sub(r"\{repo(?::([^}]+))?\}", lambda name: str(checkout(folder, name[1]) if name[1] else repo), word)
             for word in shlex.split(row["options"])]
    return ["-i", repo / row["path"], *words], None


def package(tool, words):
    """Returns the columns of what comes out, the recognised dialect and the message."""
    with tempfile.TemporaryDirectory(prefix="public-") as folder:
        out, report = pathlib.Path(folder, "out"), pathlib.Path(folder, "report.json")
        command = [tool, "generate", "-q", *words, "-o", out, "--json", report, "-j1"]
        try:
            # None of the inputs needs a terminal, and a generator that asks would wait for ever.
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                                  errors="replace", timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            return dict(zip(CAME_OUT, ("timeout", "", "", ""))), "", f"still running after {LONGEST_S} s"
        error = re.search(r"error (RP\d{4})", done.stderr)
        came = dict(zip(CAME_OUT, (str(done.returncode), error.group(1) if error else "", "", "")))
        if done.returncode:
            return came, "", " / ".join(done.stderr.split("\n")).strip(" /")
        said = json.loads(report.read_text())
        came["sizes"] = " ".join(f"{s['name']}={s['size_bytes']}" for s in said["image"]["sections"])
        came["files"] = " ".join(f"{path.name}={hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
                                 for path in sorted(out.glob("*.bin")))
        return came, said["model"]["dialect"], ""


def judge(row, came, dialect, message, options):
    """Returns whether the row passed, and what there is to report about it."""
    if came["exit"] == "timeout" or (came["exit"] != "0" and not came["error"]):
        return False, f"broke off, exit {came['exit']}: {message}"
    if dialect and dialect != row["dialect"]:
        return False, f"dialect {dialect} instead of {row['dialect']}"
    if options.update:
        return True, f"refused: {message}" if came["error"] else ""
    if not row["exit"]:
        return False, "nothing is recorded; --update records it"
    if row["exit"] == "0" and came["exit"] != "0":
        return False, f"refused now: {message}"
    changes = [f"{c} {row[c] or '-'} -> {came[c] or '-'}" for c in CAME_OUT if row[c] != came[c]]
    return not (changes and options.strict), "changed: " + "; ".join(changes) if changes else ""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--tool", default=str(ROOT / "build" / "relocpack"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.table = options.table or options.folder / "inputs.tsv"
    return options


def main():
    options = arguments()
    lines = read_table(options.table)
    rows = [row for row in lines if isinstance(row, dict) and (
        not options.patterns or any(p in f"{row['repository']}/{row['path']}" for p in options.patterns))]

    def run(row):
        words, why_not = command_of(options.folder, row)
        return (None, why_not) if why_not else (package(options.tool, words), None)

    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for row, (result, why_not) in zip(rows, pool.map(run, rows)):
            passed, what = (None, why_not) if why_not else judge(row, *result, options)
            outcome = "skipped" if passed is None else "passed" if passed else "failed"
            counts[outcome] += 1
            if what:
                print(f"{outcome:7} {row['repository']} {row['path']}: {what}", flush=True)
            if options.update and passed:
                row.update(result[0])
    if options.update:
        write_table(options.table, lines)
    print(", ".join(f"{number} {outcome}" for outcome, number in counts.items()))
    return 0 if counts["passed"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
