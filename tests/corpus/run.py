#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpus: small constructs of C, C++ and assembly, each built statically and as an image, which
the second loader (tests/target/second_loader.c) runs. Every byte of every output must be equal, or the
construct must be refused with the error that its options name (tests/corpus/cases.py).

usage: run.py [--spread some|rest|all [--turn T]] [--cores "M4 M7"] [--variants "gcc split"] [--seeds N] [--jobs N] [--tool PROGRAM]
              [--keep FOLDER] [--list] [PATTERN...]

--spread all runs every third construct once, with the cores and variants in turn, --spread some a third of these, which
--turn says, and --spread rest the others; without it, all constructs run on all cores, in all variants. --seeds adds models that generator.py writes. PATTERN selects constructs by a part of
their name. Prints the failures, and last "N passed, N failed".
"""
import argparse
import concurrent.futures
import fnmatch
import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import board  # noqa: E402
import build  # noqa: E402
import cases  # noqa: E402
import generator  # noqa: E402
import inputs  # noqa: E402

MAIN_CORES = ["M4", "M7", "M33", "M55"]
BASELINE = ["M0", "M23"]  # one in so many of what these take, in a spread
BASELINE_STEP = 8
# A spread has mostly the first; every core meets every variant.
SPREAD_VARIANTS = ["gcc", "split", "llvm", "compact", "gcc", "whole"]
SPREAD_STEP = 3
SOME = 3  # --spread some: one in so many of these
OFFSET = 0x0FFFFFFF


class Wrong(Exception):
    """A construct that does not behave as expected."""


def job_of(case, number, folder, slot, core):
    """The facts that board.py needs, from the image's header and context and from the report's alignments."""
    out = folder / "out"
    name = "model"
    image = (out / f"{name}_rel.bin").read_bytes()
    report = json.loads((out / f"{name}_generate_rel.json").read_text())
    weights = (out / f"{name}_data.bin").read_bytes() if (out / f"{name}_data.bin").exists() else b""
    word = struct.unpack_from("<25I", image)
    read_only, ram = word[4] & OFFSET, (word[6] & OFFSET) + 3 & ~3
    context = read_only + (word[24] & OFFSET)
    align = {part["name"]: part["align"] for part in report["image"]["sections"]}
    entry, segments = build.segments(folder / "static.elf")
    start = board.slot_address(core, slot)
    for address, content in segments:
        if not start <= address <= start + case.slots * board.SLOT - len(content):
            raise build.Broken("the static build is larger than its slot: slots=2 or more")
    return {"number": number, "case": case, "image": image, "weights": weights, "entry": entry,
            "segments": segments, "xip_ok": report["image"]["xip_ok"], "read_only": read_only, "ram_xip": ram,
            "ram_copy": ram + (read_only + 3 & ~3), "acts": struct.unpack_from("<I", image, context + 24)[0],
            "weights_at": word[11] & OFFSET,
            # Alignments above 8 are reported (RP1001); the format itself promises only multiples of 4. Code of
            # the C library wants 64 only for speed.
            "align_code": align["text+rodata"] if case.aligned else 4,
            "align_ram": more_than(8, max(align[part] for part in ("data", "got", "bss"))),
            "align_acts": max(16, align["activations"]), "align_weights": align["weights"],
            "sets": inputs.sets_of(case)}


def more_than(usual, align):
    return align if align > usual else 4


def check_refusal(case, expected, status, said):
    if expected == "run":
        if status != 0:
            raise Wrong(f"refused, exit {status}:\n{said.strip()[-900:]}")
        return
    if expected == "?":
        found = re.search(r"error (RP\d+): .*", said)
        print(f"LEARNED {case.name}: {found[0][6:] if found else 'run' if status == 0 else said}")
        return
    if status == 0:
        raise Wrong(f"packaged, and {expected} was expected")
    for text in (f"error {expected}: ", case.says if expected == case.expect else ""):
        if text not in said:
            raise Wrong(f"not said: {text!r}, exit {status}:\n{said.strip()[-900:]}")


class Round:
    """Constructs on one core: (case, variant)."""

    def __init__(self, core, label, chosen, options):
        self.core, self.chosen, self.options = core, chosen, options
        self.folder = options.folder / f"{core}-{label}"
        self.failed = {}

    def prepare(self, number, slot):
        """A job, or None if the construct is refused as it should be."""
        case, variant = self.chosen[number]
        folder = self.folder / case.name
        shutil.rmtree(folder, ignore_errors=True)
        build.write_sources(case, folder)
        status, said = build.build_image(case, self.core, folder, variant, self.options)
        (folder / "said.txt").write_text(said)
        check_refusal(case, case.expected(variant), status, said)
        if status != 0:
            return None
        address = board.slot_address(self.core, slot)
        build.build_static(case, self.core, folder, address, variant == "llvm")
        job = job_of(case, number, folder, slot, self.core)
        board.ram_places(self.core, job)
        return job

    def batches(self):
        """Lists of (number, slot) that share a start of QEMU."""
        batch, used = [], 0
        for number, (case, _) in enumerate(self.chosen):
            if used + case.slots > board.SLOTS:
                yield batch
                batch, used = [], 0
            batch.append((number, used))
            used += case.slots
        yield batch

    def fail(self, number, why):
        case, variant = self.chosen[number]
        self.failed[f"{case.name} ({variant})"] = str(why)

    def run(self, pool):
        for turn, batch in enumerate(self.batches()):
            futures = {pool.submit(self.prepare, *item): item[0] for item in batch}
            jobs = []
            for future in concurrent.futures.as_completed(futures):
                try:
                    jobs.append(future.result())
                except (Wrong, build.Broken) as why:
                    self.fail(futures[future], why)
            jobs = sorted(filter(None, jobs), key=lambda job: job["number"])
            if jobs:
                self.compare(jobs, board.run_all(self.core, self.folder / f"qemu{turn}", jobs))

    def compare(self, jobs, results):
        for job in jobs:
            result = results.get(job["number"], "did not run")
            if isinstance(result, str):
                self.fail(job["number"], result)
                continue
            problem = difference(job, result)
            if problem:
                self.fail(job["number"], problem)


def difference(job, result):
    """The failure that the phases of a job show, or None."""
    wanted = result[board.STATIC][2]
    bytes_of_all = len(job["sets"]) * sum(n * cases.BYTES[kind] for kind, n in job["case"].outputs)
    if result[board.STATIC][0] or len(wanted) != bytes_of_all:
        return f"the static build: {board.ERRORS.get(result[board.STATIC][0], 'no output')}"
    for phase in (2, 3, 4, 5):
        error, detail, got = result[phase]
        if error:
            return f"{board.PHASES[phase]}: {board.ERRORS.get(error, error)} ({detail:#x})"
        if got != wanted and not (phase in (2, 3) and not job["xip_ok"]):
            at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
            return (f"{board.PHASES[phase]}: byte {at} of {len(wanted)} differs: "
                    f"{got[at & ~3:][:16].hex(' ', 4)}, static {wanted[at & ~3:][:16].hex(' ', 4)}")
    return None


def rounds_of(chosen, options):
    """[(core, label, [(case, variant)])], every other one with a third tensor."""
    return [(core, label, [(case.with_a_third_tensor() if (i + turn) % 2 else case, variant)
                           for i, (case, variant) in enumerate(some)])
            for turn, (core, label, some) in enumerate(plain_rounds_of(chosen, options))]


def plain_rounds_of(chosen, options):
    cores = options.cores.split()
    if not options.spread:
        return [(core, variant, [(case, variant) for case in chosen
                                 if case.runs_on(core) and case.expected(variant) != "-"
                                 and not (variant == "llvm" and core in ("M0", "M23"))])
                for variant in options.variants.split() for core in cores]
    found = {core: [] for core in MAIN_CORES}
    for i, case in enumerate(chosen[::SPREAD_STEP]):
        can = [core for core in MAIN_CORES if core in case.cores.split()]
        if can:
            variant = SPREAD_VARIANTS[i // len(MAIN_CORES) % len(SPREAD_VARIANTS)]
            found[can[i % len(can)]].append((case, variant if case.expected(variant) != "-" else "gcc"))
    for offset, core in enumerate(BASELINE):
        some = [case for case in chosen if case.runs_on(core)][offset::BASELINE_STEP]
        variants = [variant for variant in SPREAD_VARIANTS if variant != "llvm"]
        found[core] = [(case, variant if case.expected(variant) != "-" else "gcc")
                       for case, variant in zip(some, itertools.cycle(variants))]
    parts = {"some": [options.turn % SOME], "all": range(SOME),
             "rest": [i for i in range(SOME) if i != options.turn % SOME]}[options.spread]
    return [(core, "spread", [item for part in parts for item in found[core][part::SOME]]) for core in cores]


def run_rounds(chosen, options):
    passed, failed = 0, 0
    for core in options.cores.split():
        board.firmware(core, options.folder)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for core, label, some in rounds_of(chosen, options):
            if not some:
                continue
            one = Round(core, label, some, options)
            one.run(pool)
            for name, why in one.failed.items():
                print(f"FAILED {core} {name}: {why}\n", file=sys.stderr, flush=True)
            passed, failed = passed + len(some) - len(one.failed), failed + len(one.failed)
            if sys.stderr.isatty() or os.environ.get("RUN_VERBOSE"):
                print(f"{core} {label}: {len(some)} constructs, {len(one.failed)} failed", file=sys.stderr)
    return passed, failed


# Name of a fault, and what it changes in an image: offset of REL's end, of the data, of create's vector.
FAULTS = [
    ("a word that is not rebased", lambda image, word: put(image, 40, word[10] - 4)),
    ("a value of a variable", lambda image, word: put(image, (word[4] & OFFSET) + (word[3] & OFFSET) - 4, 1)),
    ("the GOT one word late", lambda image, word: put(image, 28, word[7] + 4)),
    ("bss too short", lambda image, word: put(image, 24, word[5])),
    ("another entry", lambda image, word: put(image, 64, word[17])),
]
FAULTY = """#include <stdint.h>
static uint32_t a = 5, b[9], *p = &a, last[2] = {7, 8};
static uint32_t *volatile list[2] = {b + 8, &last[1]};
void model(const uint32_t in[8], uint32_t out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = (*p += in[i]) + (*list[i & 1] ^= in[i]) + b[i] + last[0];
}
"""


def put(image, at, value):
    return image[:at] + struct.pack("<I", value) + image[at + 4:]


def self_test(options):
    """An intact image passes, and each fault in it is found."""
    case = cases.Case("self_test", "self", ".c", FAULTY, 1)
    one = Round("M4", "self", [(case, "gcc")], options)
    board.firmware("M4", options.folder)
    right = one.prepare(0, 0)
    jobs = [right]
    for number, (_, spoil) in enumerate(FAULTS, 1):
        image = spoil(right["image"], struct.unpack_from("<25I", right["image"]))
        jobs.append({**right, "number": number, "image": image})
    results = board.run_all("M4", one.folder / "qemu", jobs)
    found = [isinstance(results.get(job["number"]), str) or difference(job, results[job["number"]]) for job in jobs]
    for (name, _), seen in zip([("nothing", None), *FAULTS], found):
        if bool(seen) != (name != "nothing"):
            print(f"FAILED self-test: {name}: {seen}", file=sys.stderr)
    return len(found), (bool(found[0])) + found[1:].count(None)


def parse():
    parser = argparse.ArgumentParser(description="The corpus of constructs")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--spread", choices=("some", "rest", "all"), help="every third construct, once, or a part of them")
    parser.add_argument("--turn", type=int, default=0, metavar="T", help="which part")
    parser.add_argument("--cores", default=" ".join(MAIN_CORES))
    parser.add_argument("--variants", default="gcc split whole compact copy llvm")
    parser.add_argument("--seeds", type=int, default=0, help="models of generator.py")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count())
    parser.add_argument("--tool", default=str(build.ROOT / "build" / "relocpack"))
    parser.add_argument("--waiting", action="store_true", help="also those without an expectation")
    parser.add_argument("--keep", metavar="FOLDER", help="keep all files there")
    parser.add_argument("--list", action="store_true", help="list the constructs and stop")
    return parser.parse_args()


def main():
    options = parse()
    chosen = cases.read_all() + [generator.case_of(seed) for seed in
                                 range(options.first_seed, options.first_seed + options.seeds)]
    if options.patterns:
        chosen = [case for case in chosen if any(pattern in case.name or fnmatch.fnmatch(case.name, pattern)
                                                 for pattern in options.patterns)]
    if not options.patterns and not options.waiting:
        chosen = [case for case in chosen if case.expect != "?"]
    if options.list:
        for case in chosen:
            print(f"{case.name:30} {case.theme:12} {case.expect}")
        return 0
    base = options.keep or tempfile.mkdtemp(prefix="relocpack-corpus-")
    options.folder = pathlib.Path(base).resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        passed, failed = run_rounds(chosen, options)
        if not options.patterns and "M4" in options.cores.split():
            tests, missed = self_test(options)
            passed, failed = passed + tests - missed, failed + missed
    finally:
        if not options.keep:
            shutil.rmtree(base, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
