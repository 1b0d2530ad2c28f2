#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates reports of `relocpack generate` against docs/report.schema.json.

usage: check_schema.py REPORT.json...

Besides the schema it checks what that leaves open: a member that it does not name, whole numbers
that are written with point or exponent, and a member that occurs twice.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import schemas  # noqa: E402

# The only members that may hold a fraction.
FRACTIONS = {"wall_s", "scale"}


class Fraction(float):
    """A number that was written with a point or an exponent."""


def once(pairs):
    """A JSON object in which no member may occur twice."""
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"members given twice: {', '.join(twice)}")
    return dict(pairs)


def fractions(value, where="$", name=None):
    """Numbers with a fraction where a whole number is meant."""
    if isinstance(value, Fraction) and name not in FRACTIONS:
        yield f"{where}: {float(value)!r} is not written as a whole number"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from fractions(item, f"{where}.{key}", key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from fractions(item, f"{where}[{i}]", name)


def faults(validator, path):
    """All faults of one report, as lines of text."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        report = json.loads(text, parse_float=Fraction, object_pairs_hook=once)
    except (OSError, ValueError) as error:
        return [str(error)]
    found = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(report)]
    return found + list(fractions(report))


def main(paths):
    if not paths:
        print(__doc__.strip().splitlines()[2], file=sys.stderr)
        return 2
    bad = [f"{path}: {fault}" for path in paths for fault in faults(schemas.validator("report"), path)]
    for line in bad:
        print(line, file=sys.stderr)
    print(f"{len(paths)} reports, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
