#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what relocation costs: sizes and instructions of images against static builds of the same models.

usage: relocation.py [--target SERIES[,SERIES]] ['PATH | OPTIONS'...] [LIST.txt...]

A model is any input of `relocpack generate`, with its options behind the bar (-n names the row, and
--target there takes precedence over the one here). With a third field "| sizes" it is not executed. A
list has one model per line; # begins a comment. Prints Markdown, never a pass or a fail, never a time.
Missed goals are in bold and explained below the table.
"""
import collections
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "build/relocpack"
FIXTURES = ROOT / "tests/fixtures"
DEFAULTS = [ROOT / "examples/tiny/tiny.c", ROOT / "examples/digits/digits_float.c",
            ROOT / "examples/digits/digits_int8.c",
            *(FIXTURES / "models" / f"{name}.c" for name in ("features", "functions", "state", "tensors")),
            FIXTURES / "models/shapes.cpp", FIXTURES / "tvm/mix", FIXTURES / "tvm/old",
            f"{FIXTURES}/models/plain_trees.h | --entry 'plant_predict(in:int16[5], 5) -> out:int32[1]'"]
NOTHING = "void nothing(const float in[1], float out[1]) { (void)in, (void)out; }\n"
FLASH_GOAL, RAM_GOAL, SHARE = 1024, 256, 0.03
MEDIAN_GOAL, WORST_GOAL = 1.005, 1.02
NM = os.environ.get("CROSS_COMPILE", "arm-none-eabi-") + "nm"
HEAD = ["model", "core", "flash static", "+", "goal", "RAM static", "XIP +", "goal", "COPY", "weights", "acts", "GOT",
        "REL", "fix-ups", "patches", "run static", "image", "+", "%", "same"]


class Refused(Exception):
    pass


def tool(*words):
    done = subprocess.run([TOOL, *words], capture_output=True, text=True)
    if done.returncode:
        raise Refused(" ".join(done.stderr.split("\n")[:2]))
    return done.stdout


def symbols(elf):
    """Bytes of each name in flash and in RAM; initial values of RAM count in both."""
    flash, ram = collections.Counter(), collections.Counter()
    out = subprocess.run([NM, "-S", "-f", "sysv", elf], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        name, _, _, _, size, _, section = ([*(field.strip() for field in line.split("|")), *[""] * 7])[:7]
        if size and section in (".flash", ".data"):
            flash[name.split(".")[0]] += int(size, 16)
        if size and section in (".data", ".bss"):
            ram[name.split(".")[0]] += int(size, 16)
    return flash, ram


def largest(parts, count=7):
    chosen = [(name, size) for name, size in parts.most_common() if size > 0]
    rest = sum(parts.values()) - sum(size for _, size in chosen[:count])
    return ", ".join(f"{name} {size}" for name, size in chosen[:count]) + f", rest {rest:+}"


class Row:
    """One model on one target; only sizes if there is no file to run."""

    def __init__(self, text, target, work):
        fields = [field.strip() for field in str(text).split("|")] + ["", ""]
        self.path, self.options, self.runs = fields[0], shlex.split(fields[1]), fields[2] != "sizes"
        self.work = pathlib.Path(tempfile.mkdtemp(dir=work))
        if "--target" in self.options or "--mcu" in self.options:
            target = None
        self.options += ["--target", target] if target else []
        self.name = "/".join(pathlib.Path(self.path).with_suffix("").parts[-2:])
        for word, value in zip(self.options, self.options[1:]):
            if word == "-n":
                self.name = value
            if word in ("-r", "--cflags"):
                self.name += f" {value}"
        self.image, self.report = self.generate("--compare-static", "--workspace", self.work / "space")
        self.verified = json.loads(tool("verify", "--json", self.image)) if self.runs else None

    def generate(self, *more):
        out = self.work / "out"
        tool("generate", "-q", "--no-c-files", "-i", self.path, *self.options, "-o", out, *more)
        return next(out.glob("*_rel.bin")), json.loads(next(out.glob("*_generate_rel.json")).read_text())

    def instructions(self):
        """Instructions of a run: static, image."""
        return (self.verified["static"]["run_instructions"],
                max(run["run_instructions"] for run in self.verified["runs"]))

    def ratio(self):
        static, image = self.instructions()
        return image / static

    def cells(self):
        memory, words = self.report["memory"], self.report["relocations"]
        static = memory["static"]
        cells = [self.name, self.report["target"]["cpu"].removeprefix("cortex-"), static["flash"],
                 f"{static['delta_flash']:+}", flash_goal(static), static["ram"], f"{static['delta_ram']:+}",
                 ram_goal(static), memory["ram_copy"], memory["params"], memory["acts"], words["got_entries"],
                 words["rel_words"], words["fixup_words"], words["text_patches"]]
        if static["delta_flash"] > flash_goal(static):
            cells[3] = f"**{cells[3]}**"
        if static["delta_ram"] > ram_goal(static):
            cells[6] = f"**{cells[6]}**"
        if not self.runs:
            return cells + ["-"] * 5
        before, after = self.instructions()
        percent = f"{100 * (self.ratio() - 1):+.3f}"
        same = sum(run["identical"] for run in self.verified["runs"])
        modes = "COPY" if self.verified["xip_refused"] else "both"
        return cells + [before, after, f"{after - before:+}",
                        f"**{percent}**" if self.ratio() > WORST_GOAL else percent,
                        f"{same} of {len(self.verified['runs'])} {modes}"]

    def parts(self):
        """What the image has in addition to the static build, in flash and in RAM, by name."""
        words, sections = self.report["relocations"], self.report["image"]["sections"]
        size = {part["name"]: part["size_bytes"] for part in sections}
        flash, ram = symbols(self.work / "space/image.elf")
        static_flash, static_ram = symbols(self.work / "space/static/image.elf")
        glue = {item["name"] for item in self.report["symbols"] if item.get("file", "").startswith("glue_")}
        moved = {item["symbol"] for item in self.report["moved_to_ram"]}
        static = self.report["memory"]["static"]
        for image, plain, delta, others in (
                (flash, static_flash, static["delta_flash"],
                 {"header": size["header"], "REL": size["rel"], "GOT": size["got"],
                  "fix-ups": 4 + 8 * words["fixup_words"]}),
                (ram, static_ram, static["delta_ram"], {"GOT": size["got"]})):
            parts = collections.Counter(others)
            for name in (set(image) | set(plain)) - {"rp_entries", "rp_flags"}:  # they are in the header
                kind = "glue" if name in glue and name not in plain else f"{name} (moved)" if name in moved else name
                parts[kind] += image[name] - plain[name]
            parts["strings, alignment"] += delta - sum(parts.values())
            yield parts

    def with_a_register_less(self):
        """Instructions of the static build when it may not use one of the registers."""
        self.generate("--cflags=-ffixed-r10")
        return json.loads(tool("verify", "--json", self.image))["static"]["run_instructions"]


def flash_goal(static):
    return int(FLASH_GOAL + SHARE * static["flash"])


def ram_goal(static):
    return int(RAM_GOAL + SHARE * static["ram"])


def explain_sizes(row):
    static = row.report["memory"]["static"]
    flash, ram = row.parts()
    for what, goal, parts in (("flash", flash_goal(static), flash), ("ram", ram_goal(static), ram)):
        if static[f"delta_{what}"] > goal:
            print(f"- {row.name}, {what} {static[f'delta_{what}']:+} of {goal}: {largest(parts)}")


def explain_run(row, fixed):
    before, after = row.instructions()
    above = after - before - fixed
    line = f"- {row.name}, run {after - before:+} of {before}: {fixed} of the call, {above:+} of the code"
    if above / before > WORST_GOAL - 1 and row.report["toolchain"]["kind"] == "gcc":
        line += f"; the static build with a register less: {row.with_a_register_less() - before:+}"
    print(line)


def summary(rows, fixed):
    ratios = sorted(row.ratio() for row in rows if row.runs)
    statics = [row.report["memory"]["static"] for row in rows]
    same = [run["identical"] for row in rows if row.runs for run in row.verified["runs"]]
    print(f"\n{len(rows)} rows, {len(ratios)} of them executed; {sum(same)} of {len(same)} runs equal the static "
          f"build bit for bit.\n\n| | goal | |\n|---|---|---|")
    print(f"| run, median | {MEDIAN_GOAL} | {statistics.median(ratios):.4f} |")
    print(f"| run, worst | {WORST_GOAL} | {ratios[-1]:.4f}, {sum(r <= WORST_GOAL for r in ratios)} of {len(ratios)} "
          "within |")
    above = sorted(row.ratio() - fixed[row.report["target"]["cpu"]] / row.instructions()[0] for row in rows if row.runs)
    print(f"| the same without the fixed instructions | {WORST_GOAL} | {above[-1]:.4f}, "
          f"{sum(r <= WORST_GOAL for r in above)} of {len(above)} within |")
    for what, goal, text in (("flash", flash_goal, "1 KB + 3 %"), ("ram", ram_goal, "256 + 3 %")):
        deltas = sorted(static[f"delta_{what}"] for static in statics)
        met = sum(static[f"delta_{what}"] <= goal(static) for static in statics)
        print(f"| {what}, bytes | {text} | median {statistics.median(deltas):+}, worst {deltas[-1]:+}, "
              f"{met} of {len(statics)} within |")


def arguments(words):
    targets, models = ["stm32f4"], []
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--target":
            targets = words.pop(0).split(",")
        elif word.endswith(".txt"):
            lines = (line.split("#")[0].strip() for line in pathlib.Path(word).read_text().splitlines())
            models += [line for line in lines if line]
        else:
            models.append(word)
    return targets, models or DEFAULTS


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return
    targets, models = arguments(sys.argv[1:])
    rows, fixed = [], {}
    print("\n## what relocation costs: bytes and instructions, beside a static build\n")
    print("|" + "|".join(f" {word} " for word in HEAD) + "|\n|" + "---|" * len(HEAD))
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work) / "nothing.c"
        source.write_text(NOTHING)
        for target in targets:
            for model in models:
                try:
                    row = Row(model, target, work)
                except Refused as reason:
                    print(f"| {model} | {reason} |", flush=True)
                    continue
                print("| " + " | ".join(str(cell) for cell in row.cells()) + " |", flush=True)
                rows.append(row)
                cpu = row.report["target"]["cpu"]
                if cpu not in fixed:
                    before, after = Row(f"{source} | --mcu {cpu}", None, work).instructions()
                    fixed[cpu] = after - before
        if not any(row.runs for row in rows):
            return
        summary(rows, fixed)
        print("\nFixed instructions of a run: " + ", ".join(f"{cpu} {count}" for cpu, count in fixed.items()) + "\n")
        for row in rows:
            explain_sizes(row)
        for row in rows:
            if row.runs and row.ratio() > MEDIAN_GOAL:
                explain_run(row, fixed[row.report["target"]["cpu"]])


if __name__ == "__main__":
    main()
