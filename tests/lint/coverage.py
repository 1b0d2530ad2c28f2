#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line coverage by gcov of the given sources; their objects are below a folder.

usage: coverage.py OBJECTS SOURCE...

Prints "percent covered/lines source", the least covered first, and the sum.
"""
import re
import subprocess
import sys

RESULT = re.compile(r"File '([^']+)'\nLines executed:([0-9.]+)% of (\d+)")


def main():
    folder, sources = sys.argv[1], sys.argv[2:]
    rows = []
    for source in sources:
        data = f"{folder}/{source[:-2]}.gcda"
        text = subprocess.run(["gcov", "-n", data], capture_output=True, text=True, check=True).stdout
        for name, percent, lines in RESULT.findall(text):
            if name == source:
                rows.append((float(percent), int(lines), source))
    for percent, lines, source in sorted(rows):
        print(f"{percent:6.1f} %  {round(percent * lines / 100):4}/{lines:<4} {source}")
    lines = sum(row[1] for row in rows)
    covered = sum(row[0] * row[1] / 100 for row in rows)
    print(f"{100 * covered / lines:6.1f} %  {round(covered):4}/{lines:<4} all")


if __name__ == "__main__":
    main()
