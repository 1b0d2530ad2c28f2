# SPDX-License-Identifier: Apache-2.0
"""Bills of materials: what is linked, against the linker's map; inputs and files, against their bytes; the three forms."""
import hashlib
import json
import re

import kit
import npu_kit
from kit import CROSS, check, each, equal, has, test

MODEL = """
#include <math.h>
#include <string.h>
#include "scale.h"
static const float weights[300] = {1, 2, 3};
void model(const float x[8], float y[8]);
void model(const float x[8], float y[8]) {
    float copy[8] = {0};
    memcpy(copy, x, x[0] > 0 ? sizeof copy : 16);
    for (int i = 0; i < 8; i++)
        y[i] = expf(copy[i]) * SCALE + weights[i * 30] + (float)((long long)(x[i] * 1e6f) / (long long)(x[0] + 3));
}
"""
PLACED = re.compile(r"^ \S+\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+\.a)\((\S+)\)$", re.M)


def packaged(case, *words):
    case.write("scale.h", "#define SCALE 3\n")
    case.write("model.c", MODEL)
    case.generate(case.dir / "model.c", "-r", "split", "--workspace", case.dir / "work", *words)
    return case.dir / "out/model_generate_rel.json"


def bill(case, report, form="cyclonedx", *words):
    return json.loads(case.relocpack("sbom", report, "--format", form, *words).out)


def linked_by_map(case):
    """[(archive, member)] of which something is in the image, read from the linker's map alone."""
    text = (case.dir / "work/image.map").read_text()
    text = re.sub(r"^( \S+)\n\s+0x", r"\1 0x", text[text.index("Linker script and memory map"):], flags=re.M)
    return sorted({(path.rsplit("/", 1)[-1], member) for address, size, path, member in PLACED.findall(text)
                   if int(address, 16) and int(size, 16)})


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def member_hash(case, archive, member):
    path = case.run(f"{CROSS}gcc", *kit.target_flags(case, "stm32f4"), f"-print-file-name={archive}").out.strip()
    return sha256(case.run(f"{CROSS}ar", "p", path, member).raw_out)


@test
def linked_parts_are_those_of_the_map(case):
    report = packaged(case, "--target", "stm32f4")
    wanted = linked_by_map(case)
    check(len(wanted) >= 3, f"members in the map: {wanted}")
    parts = [row for row in bill(case, report)["components"] if row["bom-ref"].startswith("linked-")]
    equal(sorted((row["group"], row["name"]) for row in parts), wanted, "linked components")
    shown = case.run(f"{CROSS}gcc", "-E", "-dM", "-include", "newlib.h", "-x", "c", "/dev/null").out
    newlib = re.search(r'_NEWLIB_VERSION "(.+)"', shown)[1]
    for row in parts:
        equal(row["hashes"], [{"alg": "SHA-256", "content": member_hash(case, row["group"], row["name"])}], f"hash of {row['name']}")
        version = case.run(f"{CROSS}gcc", "-dumpfullversion").out.strip() if row["group"] == "libgcc.a" else newlib
        equal(row.get("version"), version, f"version of {row['name']}")
    linked = [row for row in bill(case, report, "spdx")["relationships"] if row["relationshipType"] == "STATIC_LINK"]
    equal(len(linked), len(wanted) + 1, "relations of SPDX: those, and relocpack's own part")


@test
def cyclonedx(case):
    report = packaged(case)
    document = bill(case, report)
    equal((document["bomFormat"], document["specVersion"], document["version"]), ("CycloneDX", "1.6", 1), "form")
    kit.matches(document["serialNumber"], r"^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$")
    image = document["metadata"]["component"]
    equal((image["type"], image["name"]), ("firmware", "model_rel.bin"), "subject")
    equal(image["hashes"][0]["content"], sha256((case.dir / "out/model_rel.bin").read_bytes()), "hash of the image")
    rows = document["components"]
    references = [row["bom-ref"] for row in rows]
    equal(len(set(references)), len(references), "names of parts")
    network = next(row for row in rows if row["type"] == "machine-learning-model")
    equal(network["modelCard"]["modelParameters"], {"inputs": [{"format": "float32[8]"}], "outputs": [{"format": "float32[8]"}]}, "model card")
    found = {row["name"]: row for row in rows}
    equal(found["model_data.bin"]["hashes"][0]["content"], sha256((case.dir / "out/model_data.bin").read_bytes()), "weights")
    for name in ("model.c",):
        equal(found[name]["hashes"][0]["content"], sha256((case.dir / name).read_bytes()), name)
        equal(found[name]["scope"], "excluded", f"{name} is not shipped")
    shipped = {row["bom-ref"] for row in rows if row.get("scope") != "excluded"}
    equal(set(document["dependencies"][0]["dependsOn"]), shipped, "what the image depends on")
    tools = {row["name"]: row["version"] for row in document["metadata"]["tools"]["components"]}
    equal(tools["gcc"], case.run(f"{CROSS}gcc", "-dumpfullversion").out.strip(), "compiler")


@test
def spdx(case):
    document = bill(case, packaged(case), "spdx")
    packages = {row["SPDXID"]: row for row in document["packages"]}
    equal(len(packages), len(document["packages"]), "names of packages")
    for row in document["relationships"]:
        check({row["spdxElementId"], row["relatedSpdxElement"]} <= {*packages, "SPDXRef-DOCUMENT"}, f"a relation to nothing: {row}")
    related = {row["relatedSpdxElement"] for row in document["relationships"]} | {row["spdxElementId"] for row in document["relationships"]}
    equal(set(packages) - related, set(), "packages that nothing relates to")
    for name in packages:
        kit.matches(name, r"^SPDXRef-[a-zA-Z0-9.-]+$")
    equal(packages["SPDXRef-image"]["checksums"][0]["checksumValue"], sha256((case.dir / "out/model_rel.bin").read_bytes()), "image")


@test
def suppliers_and_licences(case):
    """Those of the image are the user's word; those of what the tools bring are known."""
    report = packaged(case)
    words = ["--supplier", "Example GmbH", "--license", "(MIT OR Apache-2.0) AND LicenseRef-x"]
    document = bill(case, report, "cyclonedx", *words)
    ours = ("Example GmbH", [{"expression": words[3]}])
    rows = {row["bom-ref"]: row for row in [document["metadata"]["component"], *document["components"]]}
    for name in ("image", "model"):
        equal((rows[name]["supplier"]["name"], rows[name]["licenses"]), ours, name)
    equal(document["metadata"]["supplier"], {"name": "Example GmbH"}, "of the document")
    equal(rows["runtime"]["licenses"], [{"expression": "Apache-2.0"}], "relocpack's own part")
    for row in rows.values():
        if row.get("group") == "libgcc.a":
            equal(row["licenses"], [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}], "libgcc")
        elif row.get("group") in ("libc.a", "libm.a"):
            has(row["licenses"][0]["license"]["name"], "COPYING.NEWLIB")
            equal(row["supplier"]["name"], "The newlib project", "newlib")
        check("licenses" in row or row["bom-ref"].startswith(("input", "file")), f"no licence: {row}")
    document = bill(case, report, "spdx", *words)
    packages = {row["SPDXID"]: row for row in document["packages"]}
    equal((packages["SPDXRef-image"]["supplier"], packages["SPDXRef-image"]["licenseDeclared"]), ("Organization: Example GmbH", words[3]), "SPDX")
    own = {row["licenseId"] for row in document["hasExtractedLicensingInfos"]}
    declared = {name for row in packages.values() for name in re.findall(r"LicenseRef-newlib", row["licenseDeclared"])}
    equal(own, declared, "each licence without an id has its text")
    has(document["creationInfo"]["creators"][-1], "Organization: Example GmbH")
    plain = bill(case, report)["metadata"]
    check("licenses" not in plain["component"] and "supplier" not in plain, "nothing is claimed that was not said")
    has(case.relocpack("sbom", report, "--supplier", "", status=2).err, "--supplier: the name is empty")
    for wrong in ("", "MIT Apache-2.0", "MIT OR", "AND MIT", "(MIT", "MIT)", "my licence!", "()"):
        has(case.relocpack("sbom", report, "--license", wrong, status=2).err, f"--license '{wrong}' is not an expression of SPDX")


@test
def provenance(case):
    document = bill(case, packaged(case, "--cflags=-O1"), "provenance", "--builder", "https://ci.example/model")
    equal((document["_type"], document["predicateType"]), ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"), "form")
    equal({row["name"]: row["digest"]["sha256"] for row in document["subject"]},
          {name: sha256((case.dir / "out" / name).read_bytes()) for name in ("model_rel.bin", "model_data.bin")}, "subject")
    definition = document["predicate"]["buildDefinition"]
    equal(definition["externalParameters"]["cflags"], ["-O1"], "choices")
    resolved = {row["name"]: row["digest"]["sha256"] for row in definition["resolvedDependencies"]}
    equal(resolved["model.c"], sha256((case.dir / "model.c").read_bytes()), "source")
    equal(document["predicate"]["runDetails"]["builder"]["id"], "https://ci.example/model", "builder")


@each(["cyclonedx", "spdx", "provenance"])
def same_report_same_bytes(case, form):
    report = packaged(case, "--reproducible")
    first = case.relocpack("sbom", report, "--format", form).raw_out
    packaged(case, "--reproducible")
    case.relocpack("sbom", report, "--format", form, "-o", "bill.json")
    equal((case.dir / "bill.json").read_bytes() == first, True, "written again, of the image that was made again")


WRONG = {"nothing": ((), "takes one report"), "two": (("a", "b"), "takes one report"), "absent": (("none.json",), "none.json"),
         "form": (("REPORT", "--format", "xml"), "cyclonedx spdx provenance"), "image": (("IMAGE",), "model_rel.bin"),
         "other json": (("other.json",), "is not a report of generate"), "itself": (("REPORT", "-o", "REPORT"), "is an input")}


@each(WRONG)
def wrong_words(case, label):
    words, said = WRONG[label]
    report = packaged(case)
    case.write("other.json", '{"files": [{"path": "x.bin"}, 7, null], "inputs": 3, "archive_members": [[]]}')
    names = {"REPORT": report, "IMAGE": case.dir / "out/model_rel.bin"}
    result = case.relocpack("sbom", *(names.get(word, word) for word in words), status=None)
    check(result.status > 0 and result.status != 70, f"exit status {result.status}")
    has(result.err, said)
    equal(json.loads(report.read_text())["model"]["name"], "model", "the report is as before")


@test
def hashes_and_times_have_their_form(case):
    """A report that was written or cut by another program; parts of the image's hash make the serial number."""
    report = packaged(case)
    good = json.loads(report.read_text())
    for where, change in (("files", {"sha256": "ab"}), ("files", {"sha256": "z" * 64}), ("archive_members", {"sha256": ""}),
                          ("inputs", {"sha256": "0" * 65}), ("run", {"started": "yesterday"}), ("run", {"started": ""})):
        bad = json.loads(json.dumps(good))
        (bad[where] if where == "run" else bad[where][0]).update(change)
        if where == "files":
            next(row for row in bad["files"] if row["path"].endswith(".bin")).update(change)
        for form in ("cyclonedx", "spdx", "provenance"):
            has(case.relocpack("sbom", case.write("bad.json", json.dumps(bad)), "--format", form, status=9).err, "sha256 is not a SHA-256" if "sha256" in change else "run.started is not a time")


@test
def neural_art(case):
    """A report of the other format, with pools among its inputs."""
    made = npu_kit.made(case, pools="mix", epoch_controller=True)
    document = bill(case, made.out / "network_generate_rel.json")
    check(any(row["type"] == "machine-learning-model" for row in document["components"]), "the model")
