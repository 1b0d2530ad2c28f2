# SPDX-License-Identifier: Apache-2.0
"""What each command prints as JSON, held against the schema in docs/ that names it."""
import functools
import json
import pathlib

from jsonschema import Draft202012Validator

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
# Command → schema of what its --json prints, or of the file that it takes.
PRINTED = {name: name for name in ("verify", "inspect", "ops", "targets", "boards", "exports", "verify-signature", "doctor", "explain")} | {"--version": "version"}
FILES = {"generate": "report", "run": "run"}


@functools.cache
def schemas():
    """Name → schema, of all files in docs/."""
    return {path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8")) for path in sorted(DOCS.glob("*.schema.json"))}


def closed(schema):
    """The schema without its openness: published ones let new members come, the tests know all that there are."""
    if isinstance(schema, list):
        return [closed(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: value if key in ("if", "then", "else") else closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" or isinstance(schema.get("properties"), dict):
        whole.setdefault("additionalProperties", False)
    return whole


@functools.cache
def validator(name):
    return Draft202012Validator(closed(schemas()[name]))


@functools.cache
def published(name):
    return Draft202012Validator(schemas()[name])


def _told(error):
    """The reasons that say something: of alternatives, those of the one that fits best."""
    if not error.context:
        return [f"{error.json_path}: {error.message}"]
    ways = {}
    for inner in error.context:
        ways.setdefault(inner.schema_path[0], []).append(inner)
    return [line for inner in min(ways.values(), key=lambda way: (any(not inner.path for inner in way), len(way))) for line in _told(inner)]


def faults(name, value):
    """Why a value is not what the schema of this name says, as lines."""
    errors = [*validator(name).iter_errors(value), *published(name).iter_errors(value)]
    return [line for error in errors for line in _told(error)]


def _members(pairs):
    """An object; a member that is in it twice is told, as relocpack itself would not read it again."""
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"a member is there twice: {names}"
    return dict(pairs)


def _texts(words, out, cwd):
    """(schema, text) of all that a command line asks for as JSON."""
    command = words[0]
    asked = {"--json": FILES.get(command), "--profile-file": "profile"}
    for option, name in asked.items():
        value = words[words.index(option) + 1] if name and option in words[:-1] else ""
        if value == "-" and out.startswith("{"):
            yield name, out
        elif value.endswith(".json") and (path := pathlib.Path(cwd, value)).is_file():
            yield name, path.read_text(encoding="utf-8")
    if command in PRINTED and "--json" in words and out.startswith("{"):
        name = "devices" if "--devices" in words else PRINTED[command]
        yield "error" if "exit_code" in json.loads(out) else name, out


def of_run(argv, out, cwd):
    """The faults of the JSON that a command line printed or wrote; [] if there is none."""
    words = [str(word) for word in argv] or [""]
    return [fault for name, text in _texts(words, out, cwd) for fault in faults(name, json.loads(text, object_pairs_hook=_members))]
