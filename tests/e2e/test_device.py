# SPDX-License-Identifier: Apache-2.0
"""--device: sizes of parts and boards, used and free by region and mode."""
import json
import re

from jsonschema import Draft202012Validator

from kit import EXAMPLES, ROOT, check, equal, has, has_not, test

DIGITS = EXAMPLES / "digits/digits_float.c"


def report_of(case, *words, out="out"):
    case.relocpack("generate", "-q", "-i", DIGITS, "-o", case.dir / out, *words)
    report = json.loads((case.dir / out / "digits_float_generate_rel.json").read_text())
    validator = Draft202012Validator(json.loads((ROOT / "docs/report.schema.json").read_text()))
    equal([error.message for error in validator.iter_errors(report)], [], "schema")
    return report


def uses(report):
    for use in report["device"]["use"]:
        equal(use["free_bytes"], use["size_bytes"] - use["used_bytes"], "free")
        equal(use["per_mille"], -(-use["used_bytes"] * 1000 // use["size_bytes"]), "per mille")
    return {(use["region"], use["mode"]): (use["used_bytes"], use["size_bytes"]) for use in report["device"]["use"]}


@test
def used_and_free(case):
    report = report_of(case, "--device", "STM32F446RET6")
    memory = report["memory"]
    equal(report["target"]["series"], "stm32f4", "the device says the target")
    equal(uses(report), {("flash", "xip"): (memory["flash"], 512 << 10), ("flash", "copy"): (memory["flash"], 512 << 10),
                         ("ram", "xip"): (memory["ram_xip"] + memory["acts"], 128 << 10),
                         ("ram", "copy"): (memory["ram_copy"] + memory["acts"], 128 << 10)}, "use")
    text = (case.dir / "out/digits_float_generate_report.txt").read_text()
    has(text, "Of the device stm32f446re (DS10693)")
    check(re.search(rf"ram +COPY +{memory['ram_copy'] + memory['acts']:,} +131,072 ", text), "text")
    case.relocpack("verify", case.dir / "out/digits_float_rel.bin")  # the report has the target
    check("device" not in report_of(case, "--target", "stm32f4", out="without"), "no device without the option")


@test
def other_vendors(case):
    """The series follows from the device; a part without flash inside has no such region."""
    report = report_of(case, "--device", "nrf52840")
    equal((report["target"]["series"], report["target"]["fpu"]), ("nrf52840", "fpv4-sp-d16"), "target")
    equal((uses(report)["flash", "xip"][1], uses(report)["ram", "xip"][1]), (1 << 20, 256 << 10), "sizes")
    report = report_of(case, "--device", "rp2350", out="none")
    equal(report["target"]["series"], "rp2350", "series")
    equal([key[0] for key in uses(report)], ["ram", "ram"], "regions")
    equal(report_of(case, "--device", "mimxrt1011", out="single")["target"]["fpu"], "fpv5-sp-d16", "an M7 in single precision")


@test
def what_does_not_fit_is_negative(case):
    report = report_of(case, "--target", "h7", "--device-ram", "4K", "--device-flash", "1M")
    check("name" not in report["device"], "no name")
    equal(uses(report)["ram", "xip"][1], 4096, "size")
    check(report["device"]["use"][1]["free_bytes"] < 0, "over")
    has((case.dir / "out/digits_float_generate_report.txt").read_text(), "Of the memory for the model", "-1,")


@test
def boards_and_files(case):
    equal(uses(report_of(case, "--device", "nucleo-f446re"))["flash", "xip"][1], 512 << 10, "a board")
    board = json.loads((ROOT / "templates/boards/nucleo-f446re.json").read_text())
    board["memories"][1]["size"] = "96K"
    file = case.write("my board é.json", json.dumps(board))
    equal(uses(report_of(case, "--device", file))["flash", "xip"][1], 96 << 10, "a file")


@test
def wrong_devices(case):
    def refused(device, *words, status=2):
        return case.relocpack("generate", "-i", DIGITS, "--device", device, *words, status=status).err
    has(refused("nrf52840", "--target", "stm32h7"), "nrf52840", "cortex-m4", "cortex-m7", "stm32h7")
    has(refused("stm32f446rf"), "did you mean stm32f446re?")
    has_not(refused("$(touch x)\n"), "\n\n")
    refused("")
    refused("/nonexistent.json", status=9)
    refused(case.write("bad.json", "{"), status=9)
    check(not (case.dir / "x").exists(), "a name is no command")
    for words in (["--device-flash", "0"], ["--device-ram=0K"], ["--device-ram=-1"], ["--device-flash", "8G"], ["--device-flash="]):
        has(refused("stm32f446re", *words), words[0].split("=")[0], "is not a size in bytes, K or M above 0")


@test
def targets_list_them(case):
    schema = json.loads((ROOT / "docs/devices.schema.json").read_text())
    answer = json.loads(case.relocpack("targets", "--devices", "--json").out)
    equal([error.message for error in Draft202012Validator(schema).iter_errors(answer)], [], "schema")
    names = [device["name"] for device in answer["devices"]]
    equal(len(names), len(set(names)), "unique")
    both = case.relocpack("targets").out
    for name in names:
        has(both, f"\n{name} ")
