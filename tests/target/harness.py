#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the verification firmware (templates/harness) on the emulated boards.

usage: harness.py [CORE...]    CORE: m0 m3 m4 m7 m33 m55, default all
Environment: BUILD (folder for what is built, default a temporary one), CI (when set, a missing tool
is a failure instead of a skip). Exit status 0: all passed or skipped.

The model (harness_model.c) has known answers, and misbehaves when its input says so: everything that
the harness is there to find must be found, with the right address, and everything else be right.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

TOOLS = ("arm-none-eabi-gcc", "qemu-system-arm")
ACTS_BYTES, ACTS_USED, X_SIZE, WHAT_SIZE = 64, 40, 12, 5
RAM_SPARE = 4  # of the RAM that is given, bytes more than needed
(COMPUTE, ABOVE_ACTS, BELOW_ACTS, ABOVE_OUTPUT, CALL_NULL, LOSE_R8, LOSE_R9, OVERFLOW_STACK, FAIL,
 BELOW_RAM, WRITE_IMAGE, WRITE_WEIGHTS, LOOP, USE_STACK, READ_NOWHERE, READ_NULL, READ_BYTE, NODES) = range(18)
READ_X, READ_WHAT, READ_Y, READ_ECHO, READ_ACTS, READ_WEIGHTS, READ_RAM, READ_IMAGE = range(8)


def need_tools():
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"harness.py: SKIPPED: {missing[0]} is missing", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 0)


need_tools()
sys.dont_write_bytecode = True
import harness_kit as kit  # noqa: E402  (it runs the compiler at once)
from harness_kit import AREAS, P, Step  # noqa: E402


def seeded(seed, count):
    """The first words of plan.h's generator."""
    state, words = seed or 0x9E3779B9, []
    for _ in range(count):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        words.append(state)
    return words


def seeded_input(seed):
    words = seeded(seed, X_SIZE + WHAT_SIZE)
    x = [((word >> 8) - 0x800000) / 0x800000 for word in words[:X_SIZE]]
    return struct.pack(f"<{X_SIZE}f", *x) + bytes(word >> 24 for word in words[X_SIZE:])


def chosen_input(behaviour, number=0):
    what = bytes([behaviour, number & 0xFF, number >> 8, 0x80, 0x7F])
    return struct.pack(f"<{X_SIZE}f", *range(X_SIZE)) + what


def expected_output(given, run):
    """What the model answers to an input in its run number run (from 1)."""
    x = struct.unpack_from(f"<{X_SIZE}f", given)
    single = lambda value: struct.unpack("<f", struct.pack("<f", value))[0]
    y = []
    for i in range(4):
        total = 0.0
        for j in range(3):
            total = single(total + single((j + 1) * x[3 * i + j]))
        y.append(single(total + run))
    return [struct.pack("<4f", *y), bytes((byte + 1) & 0xFF for byte in given[4 * X_SIZE:])]


class Suite:
    """One core: its firmwares and image, and the checks."""

    def __init__(self, core, folder):
        self.core, self.folder, self.area = core, folder, AREAS[core]
        self.failed = self.checks = 0
        folder.mkdir(parents=True, exist_ok=True)
        self.static = folder / "static.elf"
        self.loader = folder / "loader.elf"
        kit.build_firmware(core, self.static, True)
        kit.build_firmware(core, self.loader, False)
        image, split, weights = (folder / name for name in ("i.bin", "s.bin", "w.bin"))
        kit.build_image(core, folder / "i.elf", image, "--trailer")
        kit.build_image(core, folder / "i.elf", split, "--trailer", "--split", weights)
        self.image, self.split, self.weights = (
            path.read_bytes() for path in (image, split, weights))
        header = struct.unpack_from("<25I", self.image)
        self.ram_xip = (header[6] & 0xFFFFFFF) + 3 & ~3
        self.ram_copy = self.ram_xip + (header[4] & 0xFFFFFFF)

    def check(self, name, condition, detail=""):
        self.checks += 1
        if not condition:
            self.failed += 1
            print(f"harness.py: FAILED: {self.core}: {name}: {detail}", file=sys.stderr)

    def equal(self, name, got, want):
        self.check(name, got == want, f"got {got!r}, want {want!r}")

    # ---- steps ----

    def place(self, kind):
        return self.area[kind][0]

    def load(self, mode, instance=0, image=None, **more):
        letter, image = "AB"[instance], image or self.image
        size = self.ram_xip if mode == "XIP" else self.ram_copy
        fields = dict(INSTANCE=instance, IMAGE=self.place("IMAGE_" + letter),
                      IMAGE_SIZE=len(image), RAM=self.place("RAM_" + letter),
                      RAM_SIZE=size + RAM_SPARE)
        return Step("LOAD_" + mode, **{**fields, **more})

    def init(self, instance=0, **more):
        return Step("INIT", INSTANCE=instance, ACTS=self.place("ACTS_" + "AB"[instance]),
                    ACTS_SIZE=ACTS_BYTES, **more)

    def given(self, index, size=4 * X_SIZE + WHAT_SIZE):
        """Input number index, which emulate places in BIG, below any weights."""
        return dict(INPUT=self.place("BIG") + self.area["BIG"][1] - 0x10000 + 0x100 * index,
                    INPUT_SIZE=size)

    # ---- emulations ----

    def emulate(self, firmware, steps, inputs=(), blobs=(), icount=True, **plan):
        blobs = [(kit.pack_plan(self.core, steps, **plan), self.place("PLAN")), *blobs]
        for i, content in enumerate(inputs):
            blobs.append((content, self.given(i)["INPUT"]))
        return kit.emulate(self.core, firmware, self.folder / "run", blobs, icount)

    def run_static(self, inputs=(), steps=None, **more):
        """Loads, initialises, then steps, or one run for each input."""
        if steps is None:
            steps = [Step("RUN", **self.given(i)) for i in range(len(inputs))]
        before = [Step("LOAD_XIP"), self.init()]
        return self.emulate(self.static, before + steps, inputs, **more)

    def run_loader(self, mode, inputs, **more):
        steps = [self.load(mode), self.init()]
        steps += [Step("RUN", **self.given(i)) for i in range(len(inputs))]
        blobs = [(self.image, self.place("IMAGE_A"))]
        return self.emulate(self.loader, steps, inputs, blobs, **more)

    def statuses(self, result):
        names = {value: name[7:] for name, value in P.items() if name.startswith("STATUS_")}
        return [names[step["status"]] for step in result.steps]

    # ---- tests: a correct model ----

    def test_results(self):
        steps = [Step("REPORT"), Step("RUN", SEED=7, FLAGS=P["STEP_FLAG_RECORD_INPUTS"]),
                 Step("RUN", **self.given(0)), Step("DESTROY"), Step("LOAD_COPY"), self.init(),
                 Step("RUN", **self.given(0))]
        given = chosen_input(COMPUTE)
        result = self.run_static([given], steps)
        self.equal("statuses", self.statuses(result), ["OK"] * 9)
        self.equal("exit", (result.status, result.ended), (P["HARNESS_EXIT_OK"], True))
        inputs = b"".join(result.data_of("INPUT", 3))
        self.equal("seeded inputs", inputs, seeded_input(7))
        self.equal("run 1", result.data_of("OUTPUT", 3), expected_output(inputs, 1))
        self.equal("run 2", result.data_of("OUTPUT", 4), expected_output(given, 2))
        self.equal("after a new create", result.data_of("OUTPUT", 8), expected_output(given, 1))
        self.equal("activations", result.steps[3]["acts_high"], ACTS_USED)
        self.check_report(result)
        again = self.run_static([given], steps)
        self.check("two emulations give the same bytes", result.data == again.data)

    def check_report(self, result):
        model, = result.bodies("MODEL")
        self.equal("model name", model[P["RESULT_MODEL_NAME"]:], b"harness_model")
        self.equal("model", struct.unpack_from("<9I", model), (2, 2, 2, 1, 0x5160, 9, 1, 12, 0))
        x, what, y, echo = result.bodies("TENSOR")
        self.equal("x", struct.unpack_from("<6I", x), (2, 0, 0, 0x01821040, 12, 48))
        self.equal("x, shape", struct.unpack_from("<6I", x, 28), (4, 0, 1, 3, 4, 1))
        self.equal("what", struct.unpack_from("<6I", what), (2, 0, 1, 0x00840440, 5, 5))
        self.equal("what, scale", struct.unpack_from("<4Ifi", what, 28), (2, 1, 1, 5, 0.5, -3))
        self.equal("y", struct.unpack_from("<3I", y), (2, 1, 0))
        self.equal("echo", struct.unpack_from("<3I", echo), (2, 1, 1))

    def test_counts(self):
        """Loops of 2000 instructions a number, up to ten times past the counter's 24 bits."""
        numbers = [1, 2, 3, 1000, 50000]
        steps = []
        for i in range(len(numbers)): # each is the first run: soft float takes time by value
            steps += [Step("RUN", **self.given(i)), Step("DESTROY"), Step("LOAD_XIP"), self.init()]
        result = self.run_static([chosen_input(LOOP, n) for n in numbers], steps)
        counts = [step["count"] for step in result.steps if step["kind"] == P["STEP_RUN"]]
        self.equal("loop", [n - counts[0] for n in counts], [2000 * (n - 1) for n in numbers])
        self.check("the rest of a run", 100 < counts[0] - 2000 < 4000, counts[0])

    def test_stack(self):
        result = self.run_static([chosen_input(USE_STACK, 0), chosen_input(USE_STACK, 20)])
        one, many = (step["stack"] for step in result.steps[2:])
        self.check("stack", 20 * 256 <= many - one <= 20 * 320, (one, many))

    def test_relocated(self):
        """Both modes, A and B alive at once, A again; after destroy once more."""
        steps = [Step("CHECK", IMAGE=self.place("IMAGE_A"), IMAGE_SIZE=len(self.image))]
        runs = []
        for mode in ("XIP", "COPY", "XIP"):
            steps += [self.load(mode, 0), self.load(mode, 1), self.init(0), self.init(1)]
            runs.append(len(steps))
            steps += [Step("RUN", INSTANCE=i, **self.given(0)) for i in (0, 1, 0)]
            steps += [Step("DESTROY", INSTANCE=i) for i in (0, 1)]
        given = chosen_input(COMPUTE, 77)
        blobs = [(self.image, self.place("IMAGE_A")), (self.image, self.place("IMAGE_B"))]
        result = self.emulate(self.loader, steps, [given], blobs)
        self.equal("relocated", set(self.statuses(result)), {"OK"})
        self.equal("relocated, exit", (result.status, result.ended), (0, True))
        for first in runs:
            for step, run in ((first, 1), (first + 1, 1), (first + 2, 2)):
                self.equal(f"step {step}", result.data_of("OUTPUT", step),
                           expected_output(given, run))
        self.equal("RAM, XIP", result.steps[runs[0]]["ram_high"], self.ram_xip)
        self.equal("RAM, COPY", result.steps[runs[1]]["ram_high"], self.ram_copy)
        first, again = (result.steps[at:at + 7] for at in (1, 19))
        self.equal("XIP twice costs the same", [s["count"] for s in first],
                   [s["count"] for s in again])

    def test_split(self):
        weights = dict(WEIGHTS=self.place("BIG"), WEIGHTS_SIZE=len(self.weights))
        given = chosen_input(COMPUTE)
        steps = [Step("CHECK", IMAGE=self.place("IMAGE_A"), IMAGE_SIZE=len(self.split), **weights)]
        steps += [self.load("COPY", image=self.split), self.init(**weights),
                  Step("RUN", **self.given(0)), Step("RUN", **self.given(1))]
        blobs = [(self.split, self.place("IMAGE_A")), (self.weights, self.place("BIG"))]
        result = self.emulate(self.loader, steps, [given, chosen_input(WRITE_WEIGHTS)], blobs)
        self.equal("split", self.statuses(result), ["OK"] * 4 + ["CHANGED"])
        self.equal("split, output", result.data_of("OUTPUT", 3), expected_output(given, 1))
        self.equal("weights written", self.found(result), (self.place("BIG"), "WEIGHTS"))

    def test_observer(self):
        steps = [self.load("XIP"), self.init(), Step("OBSERVE"), Step("RUN", **self.given(0)),
                 Step("UNOBSERVE"), Step("RUN", **self.given(0)), Step("UNOBSERVE", FLAGS=P[
                     "STEP_FLAG_MUST_FAIL"])]
        image = [(self.image, self.place("IMAGE_A"))]
        for firmware, blobs in ((self.static, ()), (self.loader, image)):
            result = self.emulate(firmware, steps, [chosen_input(COMPUTE)], blobs)
            self.equal("observer", self.statuses(result), ["OK"] * 6 + ["EXPECTED"])
            self.equal("events", [step["events"] for step in result.steps], [0, 0, 0, 2, 0, 0, 0])

    def observed(self, *behaviours, room=4):
        """One run without call-backs, then all with them: (STEP records, NODE records) of the whole plan."""
        area = dict(RAM=self.place("BIG"), RAM_SIZE=room * P["HARNESS_NODE_ROOM"])
        steps = [self.load("XIP"), self.init(), Step("RUN", **self.given(0)), Step("OBSERVE", **area)]
        steps += [Step("RUN", **self.given(i)) for i in range(len(behaviours))] + [Step("UNOBSERVE")]
        result = self.emulate(self.loader, steps, [chosen_input(*behaviour) for behaviour in behaviours],
                              [(self.image, self.place("IMAGE_A"))])
        nodes = [struct.unpack("<10I3Q", body) for body in result.bodies("NODE")]
        return result, nodes

    def test_node_times(self):
        """A node's time is that of its instructions: a loop of known length shows all of its own, whatever the
        call-backs cost, through wraps of the counter as well."""
        for first, second in ((1, 5), (1, 12000)):
            short, (node,) = self.observed((LOOP, first & 0xFFFF))
            both, (sum_of,) = self.observed((LOOP, first), (LOOP, second))
            self.equal("statuses", self.statuses(both), ["OK"] * 7)
            self.equal("node", node[:9], (0, 100, 0, 1) + (P["HARNESS_ANY"],) * 4 + (0,))
            self.equal("of two runs", (sum_of[3], sum_of[10] - 2 * node[10]), (2, 2000 * (second - first)))
            plain, watched = short.steps[2]["count"], short.steps[4]["count"]
            self.equal("inside the run", (0 < plain - node[10] < 200, node[11:]), (True, (0, 0)))
            self.equal("call-backs", 0 < node[9] < watched - plain < 1000, True)

    def test_nodes(self):
        result, nodes = self.observed((NODES, 3), (NODES, 3))
        self.equal("nodes", self.statuses(result), ["OK"] * 7)
        self.equal("order, type, id, runs", [node[:4] for node in nodes],
                   [(i, 100 + i, 2 * i, 2) for i in range(4)])
        self.equal("a node's own call-backs", {node[10] for node in nodes[1:]} < set(range(64)), True)
        result, nodes = self.observed((NODES, 4), room=4)
        self.equal("too many", (self.statuses(result), len(nodes)), (["OK"] * 5 + ["NODES"], 4))

    # ---- tests: a model that does what it must not ----

    def found(self, result):
        names = {value: name[8:] for name, value in P.items() if name.startswith("GUARDED_")}
        step = result.steps[-1]
        return step["where"], names[step["area"]]

    def check_found(self, name, result, status, *where):
        self.equal(name, self.statuses(result)[-1], status)
        self.equal(name + ", exit", (result.status, result.ended), (P["HARNESS_EXIT_STEP"], True))
        if where:
            self.equal(name + ", where", self.found(result), where)

    def test_guards(self):
        acts, ram = self.place("ACTS_A"), self.place("RAM_A")
        above = acts + ACTS_BYTES
        for offset in (0, 1, kit.GUARD - 1):
            for run in (self.run_static, lambda inputs: self.run_loader("COPY", inputs)):
                self.check_found("above activations", run([chosen_input(ABOVE_ACTS, offset)]),
                                 "GUARD", above + offset, "ACTS")
                self.check_found("below activations", run([chosen_input(BELOW_ACTS, offset)]),
                                 "GUARD", acts - 1 - offset, "ACTS")
                result = run([chosen_input(ABOVE_OUTPUT, offset)])
                self.check_found("above the output", result, "GUARD")
                self.equal("above the output, area", self.found(result)[1], "OUTPUT")
            self.check_found("below the instance RAM",
                             self.run_loader("XIP", [chosen_input(BELOW_RAM, offset)]),
                             "GUARD", ram - 1 - offset, "RAM")
        result = self.run_static([chosen_input(ABOVE_ACTS), chosen_input(COMPUTE)])
        self.equal("a guard is reported once", self.statuses(result)[2:], ["GUARD", "OK"])

    def test_constants(self):
        for number in (0, 99, len(self.image) - 1):
            result = self.run_loader("XIP", [chosen_input(WRITE_IMAGE, number)])
            self.check_found("image written", result, "CHANGED", self.place("IMAGE_A"), "IMAGE")
        result = self.run_loader("COPY", [chosen_input(WRITE_WEIGHTS)])
        self.check_found("weights in the image written", result, "CHANGED",
                         self.place("IMAGE_A"), "IMAGE")

    def test_registers(self):
        result = self.run_static([chosen_input(LOSE_R8)])
        self.check_found("r8 lost", result, "REGISTERS")
        self.equal("r8", result.steps[-1]["registers"], 1 << 8)
        result = self.run_static([chosen_input(LOSE_R9)])
        self.check_found("r9 lost", result, "REGISTERS")
        self.equal("r9", result.steps[-1]["registers"], 1 << 9)
        # an image may do with r9 what it likes: the loader restores it
        steps = [self.load("COPY"), self.init(), Step("RUN", **self.given(0))]
        result = self.emulate(self.loader, steps, [chosen_input(LOSE_R8)],
                              [(self.image, self.place("IMAGE_A"))])
        self.equal("r8, relocated", result.steps[-1]["registers"], 1 << 8)

    def check_fault(self, name, result):
        self.equal(name + ", exit", (result.status, result.ended),
                   (P["HARNESS_EXIT_FAULT"], False))
        self.check(name + ", registers are printed",
                   "pc         0x" in result.text and "cfsr       0x" in result.text, result.text)
        fault, = result.bodies("FAULT") or [bytes(4 * P["FAULT_WORDS"])]
        words = struct.unpack(f"<{P['FAULT_WORDS']}I", fault)
        self.equal(name + ", step", words[P["FAULT_STEP"]], 2)
        self.check(name + ", cfsr", (words[P["FAULT_CFSR"]] != 0) == (self.core != "M0"))  # which has no such register
        return words

    def test_faults(self):
        for run in (self.run_static, lambda inputs: self.run_loader("XIP", inputs)):
            words = self.check_fault("NULL call", run([chosen_input(CALL_NULL)]))
            self.equal("NULL call, pc", (words[P["FAULT_HAS_FRAME"]], words[P["FAULT_PC"]]), (1, 0))
            words = self.check_fault("read of nothing", run([chosen_input(READ_NOWHERE)]))
            self.check("read of nothing, address", self.core == "M0" or
                       0x1F000000 in (words[P["FAULT_BFAR"]], words[P["FAULT_MMFAR"]]), words)
            if self.core == "M0":  # no MPU: there is flash
                continue
            words = self.check_fault("read at NULL", run([chosen_input(READ_NULL, 4)]))
            self.equal("read at NULL, address", words[P["FAULT_MMFAR"]], 4)
            words = self.check_fault("stack overflow", run([chosen_input(OVERFLOW_STACK)]))
            self.check("stack overflow, where",
                       words[P["FAULT_SP"]] < self.place("STACK") + 0x400, hex(words[P["FAULT_SP"]]))

    # ---- tests: what memory is filled with ----

    PLAN_WORD, STEP_WORD, OTHER_WORD = 0x11223344, 0x55667788, 0x99AABBCC
    SIDES = {"BEFORE": -1, "INSIDE": 0, "BEHIND": 1}

    def filled(self):
        """(area, index, what to read, offsets of a byte before, inside and behind it, word and address)."""
        x, y, code = 4 * X_SIZE, 16, self.ram_copy - self.ram_xip  # which lies in front of the model's RAM
        ram = self.ram_xip + RAM_SPARE
        step, plan = self.STEP_WORD, self.PLAN_WORD
        return [("INPUT", 0, READ_X, (-1, None, x), step, 0), ("INPUT", 1, READ_WHAT, (-3, None, WHAT_SIZE), step, 0),
                ("OUTPUT", 0, READ_Y, (-2, 3, y), step, 0), ("OUTPUT", 1, READ_ECHO, (-kit.GUARD // 2, 1, 6), step, 0),
                ("ACTS", 0, READ_ACTS, (-kit.GUARD, ACTS_USED, ACTS_BYTES), step, self.place("ACTS_A")),
                ("WEIGHTS", 0, READ_WEIGHTS, (-1, None, len(self.weights)), plan, self.place("BIG")),
                ("RAM", 0, READ_RAM, (-code - 4, ram - 1, ram), step, self.place("RAM_A") + code)]

    def read_filled(self, **plan):
        """What READ_BYTE gives for each part of filled()."""
        parts = [(area, index, side, which, offset, word, address)
                 for area, index, which, offsets, word, address in self.filled()
                 for side, offset in zip(self.SIDES, offsets) if offset is not None]
        inputs = [struct.pack(f"<{X_SIZE}f", *range(X_SIZE)) + struct.pack("<BhBB", READ_BYTE, offset, which, 0)
                  for _, _, _, which, offset, _, _ in parts]
        weights = dict(WEIGHTS=self.place("BIG"), WEIGHTS_SIZE=len(self.weights))
        steps = [self.load("COPY", image=self.split, PATTERN=self.STEP_WORD),
                 self.init(PATTERN=self.STEP_WORD, **weights)]
        steps += [Step("RUN", PATTERN=self.STEP_WORD, **self.given(i)) for i in range(len(parts))]
        blobs = [(self.split, self.place("IMAGE_A")), (self.weights, self.place("BIG"))]
        result = self.emulate(self.loader, steps, inputs, blobs, PATTERN=self.PLAN_WORD, **plan)
        self.equal("reading changes nothing", set(self.statuses(result)), {"OK"})
        return [(*part, result.data_of("OUTPUT", 2 + i)[1][0]) for i, part in enumerate(parts)]

    def expect_filled(self, name, parts, is_varied):
        for area, index, side, which, offset, word, address, got in parts:
            word = word ^ 0xFFFFFFFF if (area, side) == ("OUTPUT", "INSIDE") else word
            word = self.OTHER_WORD if is_varied(area, index, side) else word
            self.equal(f"{name}: {area} {index} {side}", hex(got), hex(word >> 8 * (address + offset & 3) & 0xFF))

    def test_fill(self):
        self.expect_filled("fill", self.read_filled(), lambda *_: False)
        for area in ("INPUT", "OUTPUT", "ACTS", "WEIGHTS", "RAM"):
            vary = dict(VARY_AREA=P["GUARDED_" + area], VARY_PATTERN=self.OTHER_WORD)
            self.expect_filled(f"vary {area}", self.read_filled(**vary), lambda a, i, s, area=area: a == area)
        for area, index, side in (("INPUT", 0, "BEHIND"), ("INPUT", 1, "BEFORE"), ("OUTPUT", 1, "BEFORE"),
                                  ("OUTPUT", 0, "INSIDE"), ("RAM", 0, "BEHIND")):
            vary = dict(VARY_AREA=P["GUARDED_" + area], VARY_PATTERN=self.OTHER_WORD, VARY_INDEX=index,
                        VARY_SIDE=P["SIDE_" + side])
            self.expect_filled(f"vary {area} {index} {side}", self.read_filled(**vary),
                               lambda *part, want=(area, index, side): part == want)

    def test_fill_of_unused(self):
        """FILL steps, and what surrounds an image that is executed in place."""
        image = self.place("IMAGE_A")
        beside = image + len(self.image) + kit.GUARD
        inputs = [struct.pack(f"<{X_SIZE}f", *range(X_SIZE)) + struct.pack("<BhBB", READ_BYTE, at, READ_IMAGE, 0)
                  for at in (-1, len(self.image), len(self.image) + kit.GUARD)]
        steps = [Step("FILL", RAM=beside, RAM_SIZE=100), self.load("XIP"), self.init()]
        steps += [Step("RUN", **self.given(i)) for i in range(3)]
        for changes, wanted in (({}, 3 * [self.PLAN_WORD]),
                                (dict(VARY_AREA=P["GUARDED_IMAGE"]), [self.OTHER_WORD] * 2 + [self.PLAN_WORD]),
                                (dict(VARY_AREA=P["GUARDED_UNUSED"]), [self.PLAN_WORD] * 2 + [self.OTHER_WORD])):
            result = self.emulate(self.loader, steps, inputs, [(self.image, image)], PATTERN=self.PLAN_WORD,
                                  VARY_PATTERN=self.OTHER_WORD, **changes)
            self.equal("statuses", set(self.statuses(result)), {"OK"})
            got = [result.data_of("OUTPUT", 3 + i)[1][0] for i in range(3)]
            at = [image - 1, image + len(self.image), beside]
            self.equal(f"unused {changes}", got, [word >> 8 * (where & 3) & 0xFF for word, where in zip(wanted, at)])

    # ---- tests: refusals ----

    def test_failures(self):
        result = self.run_static([chosen_input(FAIL), chosen_input(COMPUTE)])
        self.equal("error of the model", self.statuses(result)[2:], ["API", "OK"])
        self.equal("its code", result.steps[2]["error"], 0x11 | 0x10 << 8)
        must = P["STEP_FLAG_MUST_FAIL"]
        steps = [Step("RUN", FLAGS=must, **self.given(i)) for i in (0, 1)]
        result = self.run_static([chosen_input(FAIL), chosen_input(COMPUTE)], steps)
        self.equal("must fail", self.statuses(result)[2:], ["EXPECTED", "NOT_REFUSED"])
        steps = [Step("RUN", **self.given(0, size)) for size in (52, 54)]
        steps += [Step("CHECK"), Step("LOAD_XIP", INSTANCE=1), Step("LOAD_XIP"), Step("OBSERVE")]
        result = self.run_static([chosen_input(COMPUTE)], steps)
        self.equal("not possible", self.statuses(result)[2:],
                   ["INPUT_SIZE", "INPUT_SIZE", "STEP", "STEP", "STEP", "OK"])
        result = self.run_static([], [Step("RUN")], IO_SIZE=kit.GUARD * 5)
        self.equal("no room for inputs and outputs", self.statuses(result)[2:], ["IO_SIZE"])

    def test_bad_image(self):
        broken = bytearray(self.image)
        broken[len(broken) - 100] ^= 1
        blobs = [(bytes(broken), self.place("IMAGE_A")), (b"NOPE", self.place("IMAGE_B"))]
        must = dict(FLAGS=P["STEP_FLAG_MUST_FAIL"])
        check = Step("CHECK", IMAGE=self.place("IMAGE_A"), IMAGE_SIZE=len(broken), **must)
        steps = [check, self.load("XIP", 0, RAM_SIZE=self.ram_xip - 4, **must),
                 self.load("XIP", 0, RAM=self.place("RAM_A") + 2, **must),
                 self.load("COPY", 1), self.init(1), Step("RUN", INSTANCE=1),
                 Step("DESTROY", INSTANCE=1)]
        result = self.emulate(self.loader, steps, (), blobs)
        self.equal("a bad trailer does not explain a refusal by the documented function",
                   [step["code"] for step in result.steps[1:3]], [0, 0])
        blobs[0] = (self.image, self.place("IMAGE_A"))
        steps[0]["IMAGE_SIZE"] -= 1
        result = self.emulate(self.loader, steps, (), blobs)
        self.equal("bad image", self.statuses(result),
                   ["EXPECTED"] * 3 + ["API"] + ["SKIPPED"] * 3)
        codes = [step["code"] - 2**32 if step["code"] else 0 for step in result.steps]
        self.equal("codes of the loader", codes, [-20, -37, -36, -3, 0, 0, 0])

    def test_plan(self):
        for change in (dict(MAGIC=0), dict(VERSION=1), dict(STEP_COUNT=3), dict(BYTES=8),
                       dict(GUARD_BYTES=1 << 20), dict(CLOCK_HZ=0)):
            result = self.run_static([], [], **change)
            self.equal(f"plan with {change}", result.status, P["HARNESS_EXIT_PLAN"])
        result = self.run_static([], [], ICOUNT_SHIFT=7)
        self.equal("wrong icount shift", result.status, P["HARNESS_EXIT_COUNTER"])
        result = self.run_static([], [], icount=False)
        self.equal("no icount", result.status, P["HARNESS_EXIT_COUNTER"])

    def test_areas(self):
        """Guards fit between the areas of a board, and none overlap."""
        rows = sorted((address, size, name) for name, (address, size) in self.area.items())
        for (address, size, name), (following, _, other) in zip(rows, rows[1:]):
            apart = 0 if {name, other} <= {"VECTORS", "FIRMWARE", "STACK", "DATA", "PLAN"} else 512
            self.check(f"{name} and {other}", following - address - size >= apart)


def main():
    cores = [core.upper() for core in sys.argv[1:]] or list(kit.FLOAT)
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        build = pathlib.Path(os.environ.get("BUILD") or temporary).resolve()
        for core in cores:
            suite = Suite(core, build / core)
            for name in [name for name in dir(Suite) if name.startswith("test_")]:
                try:
                    getattr(suite, name)()
                except (subprocess.TimeoutExpired, ValueError, IndexError, struct.error) as error:
                    suite.check(name, False, repr(error))
            print(f"{core}: {suite.checks - suite.failed} of {suite.checks} checks passed")
            failed += suite.failed
    return 1 if failed else 0


sys.exit(main())
