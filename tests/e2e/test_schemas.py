# SPDX-License-Identifier: Apache-2.0
"""The schemas in docs/: what each command prints as JSON has one, named, and open to members that may come. That outputs conform is checked
wherever a test asks for JSON (kit.Case.relocpack)."""
import json
import re

from jsonschema import Draft202012Validator

import kit
import schemas
from kit import MODELS, check, each, equal, has, test

ALL = sorted(schemas.schemas())


def _closed(value, where):
    """Objects that refuse a member that is not named."""
    if isinstance(value, dict):
        if value.get("additionalProperties") is False or "unevaluatedProperties" in value:
            yield where
        for name, item in value.items():
            yield from _closed(item, f"{where}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from _closed(item, where)


def _loose(schema, where, inherited=None):
    """What a strict validator such as ajv refuses: a keyword of objects or arrays without that type, a member that is required and has no
    schema beside it, several types at once."""
    if not isinstance(schema, dict):
        return
    kind = schema.get("type", inherited)
    if isinstance(kind, list):
        yield f"{where}: several types"
    for words, type_ in ((("properties", "required", "additionalProperties", "minProperties", "propertyNames"), "object"),
                         (("items", "minItems", "uniqueItems"), "array"), (("pattern", "minLength"), "string"), (("minimum", "maximum"), ("integer", "number"))):
        if any(word in schema for word in words) and kind not in (type_, *type_):
            yield f"{where}: {words[0]} without its type"
    yield from (f"{where}: {name} is required, and has no schema" for name in schema.get("required", []) if name not in schema.get("properties", {}))
    for word in ("properties", "$defs"):
        for name, inner in schema.get(word, {}).items():
            yield from _loose(inner, f"{where}.{name}")
    for word in ("items", "additionalProperties"):
        yield from _loose(schema.get(word), f"{where}.{word}")
    for word in ("if", "then", "else", "not"):
        yield from _loose(schema.get(word), f"{where}.{word}", kind)
    for word in ("anyOf", "allOf", "oneOf"):
        for inner in schema.get(word, []):
            yield from _loose(inner, f"{where}.{word}", kind)


@each(ALL)
def strict_validators_take_it(case, name):
    equal(list(_loose(schemas.schemas()[name], name)), [], "what a strict validator refuses")


@each(ALL)
def open_and_named(case, name):
    schema = schemas.schemas()[name]
    Draft202012Validator.check_schema(schema)
    version = schema.get("properties", {}).get("schema_version", {"const": 1})
    number = version.get("const") or max(version["enum"])
    equal(schema["$id"], f"urn:relocpack:schema:{name}:{number}", "$id")
    equal(list(_closed(schema, name)), [], "objects that refuse what a later version may add")
    has((kit.ROOT / "docs/CLI.md").read_text(encoding="utf-8"), f"({name}.schema.json)")


@test
def shared_parts_are_equal(case):
    """Each schema stands alone, so that any validator takes it; what verify, run and profile share says the same."""
    defs = [schemas.schemas()[name]["$defs"] for name in ("verify", "run", "profile")]
    shared = sorted(name for name in defs[1] if name in defs[0])
    equal(shared, ["comparison", "frame", "labels", "node", "output", "profile"], "shared")
    for name in shared:
        for other in defs:
            equal(other.get(name, defs[0][name]), defs[0][name], name)
    file, inside = schemas.schemas()["profile"]["properties"], defs[0]["profile"]["properties"]
    equal({key: value for key, value in file.items() if key not in ("schema", "schema_version", "tool")}, inside, "profile in a file of its own")


@each(["verify", "inspect", "ops", "targets", "boards", "exports", "verify-signature", "explain"])
def failures_are_json_too(case, command):
    """Who asks for JSON gets it, whatever happens; a result that was printed is the only document."""
    for words, status in (([command, "none", "--json"], None), ([command, "--json", "--nope"], 2), ([command, "--nope", "--json"], 2)):
        shown = case.relocpack(*words, status=status)
        answer = json.loads(shown.out)
        equal((answer["schema_version"], answer["command"], answer["exit_code"]), (1, command, shown.status), "envelope")
        equal(shown.err.partition("\n")[0], f"relocpack: error {answer['error']['id']}: {answer['error']['message']}", "the same error")
    equal(case.relocpack(command, "none", status=None).out, "", "without --json")


@test
def each_command_with_json_has_one(case):
    """A command that offers --json has a schema; what it prints begins with the schema and its version."""
    commands = re.findall(r"^  ([a-z-]+) ", case.relocpack("--help").out, re.M)
    check(len(commands) > 8, f"commands: {commands}")
    offering = {name for name in commands if re.search(r"^\s+--json\b", case.relocpack(name, "--help").out, re.M)}
    known = set(schemas.PRINTED) | set(schemas.FILES)
    equal(offering, known - {"--version"}, "commands with --json")


@test
def versions_come_first(case):
    case.generate(MODELS / "features.c", "--split")
    image, weights = case.dir / "out/features_rel.bin", case.dir / "out/features_data.bin"
    archive = case.dir / "objects.a"
    case.run(f"{kit.CROSS}ar", "rcs", archive, kit.compile_object(case, MODELS / "features.c", case.dir / "features.o", pic=False))
    for words in (["targets"], ["targets", "--devices"], ["boards"], ["--version"], ["inspect", image], ["inspect", weights],
                  ["inspect", archive], ["ops", "--list"], ["verify", image], ["doctor"], ["explain"], ["explain", "RP2902", "RP1061"]):
        answer = json.loads(case.relocpack(*words, "--json").out)
        command = [] if words == ["--version"] else ["command"]
        equal((list(answer)[:len(command) + 3], answer["schema_version"], answer["tool"]["name"]),
              (["schema", "schema_version", *command, "tool"], 1, "relocpack"), " ".join(map(str, words)))
        equal(schemas.schemas()[answer["schema"].split(":")[3]]["$id"], answer["schema"], "the schema that it names")


@test
def what_does_not_conform_is_seen(case):
    """The check itself: a member too many, one too few, a number that is text."""
    good = json.loads(case.relocpack("targets", "--json").out)
    equal(schemas.faults("targets", good), [], "as it is")
    few = {"schema_version": 1, "targets": [{key: value for key, value in good["targets"][0].items() if key != "cpu"}]}
    equal(list(schemas.published("targets").iter_errors({**good, "more": 1})), [], "a member that a later version may have")
    for bad, said in (({**good, "more": 1}, "more"), (few, "cpu"), ({**good, "schema_version": "1"}, "schema_version")):
        check(any(said in fault for fault in schemas.faults("targets", bad)), f"{said}: not seen")
    shown = json.loads(case.relocpack("--version", "--json").out)
    check(schemas.of_run(["--version", "--json"], json.dumps({**shown, "name": "x"}), case.dir) != [], "of_run")
