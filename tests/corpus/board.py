# SPDX-License-Identifier: Apache-2.0
"""Runs many constructs in one start of QEMU: memory maps, the plan, result.bin.

A job is a dict with the construct's number, both builds and its inputs. Each has its own slot of
memory, for which the static build is linked, and its image lies behind those of the others. The
jobs take turns with the rest of the memory.
"""
import dataclasses
import pathlib
import struct
import subprocess

import build
from cases import BYTES

TARGET = pathlib.Path(__file__).resolve().parents[1] / "target"
SLOT, SLOTS = 0x10000, 180
PATTERN = 0xA7
TIME_LIMIT_S = 60
PHASES = ["begun", "static", "XIP, first place", "XIP, second place", "COPY, first place",
          "COPY, second place", "fault", "ended"]
BEGUN, STATIC, FAULT, ENDED = 0, 1, 6, 7
ERRORS = {1: "header", 2: "a word that leads nowhere", 3: "create failed", 4: "init failed", 5: "report",
          6: "run failed", 7: "destroy failed", 8: "registers were changed", 100: "written outside",
          101: "the image was changed", 102: "XIP was not refused"}


@dataclasses.dataclass
class Board:
    machine: str
    vectors: int  # and the firmware behind
    stack: int  # its end
    scratch: int  # about 3 MB
    external: int  # 16 MB
    plan: int = 0  # the firmware is 1 MB behind; 0: PLAN behind the vectors
    options: tuple = ()  # of QEMU


BOARDS = {
    "M0": Board("microbit", 0x00000000, 0x20010000, 0x20010000, 0x21000000, 0x20800000,
                ("-global", "nrf51-soc.sram-size=0x2000000")),
    "M23": Board("mps2-an505", 0x10000000, 0x38010000, 0x38010000, 0x80000000),  # an M33, which runs its code
    "M3": Board("mps2-an385", 0x00000000, 0x20010000, 0x20010000, 0x21000000),
    "M4": Board("mps2-an386", 0x00000000, 0x20010000, 0x20010000, 0x21000000),
    "M7": Board("mps2-an500", 0x00000000, 0x20010000, 0x20010000, 0x60000000),
    "M33": Board("mps2-an505", 0x10000000, 0x38010000, 0x38010000, 0x80000000),
    "M55": Board("mps3-an547", 0x00000000, 0x20010000, 0x21000000, 0x60000000),
}
PLAN = 0x40000  # behind the vectors
# In the scratch memory.
TENSORS, RAM_A, ACTS_A, WEIGHTS_B = 0x0, 0x40000, 0x140000, 0x240000
# In the external memory: slots of static builds, images with weights and inputs, then as above.
IMAGES, RAM_B, ACTS_B, IMAGE_B, END = SLOT * SLOTS, 0xD00000, 0xE00000, 0xF00000, 0x1000000


def plan_of(board):
    return board.plan or board.vectors + PLAN


def slot_address(core, slot):
    return BOARDS[core].external + slot * SLOT


def firmware(core, folder):
    """The runner, linked with the default script behind the vector table."""
    board, out = BOARDS[core], folder / f"runner-{core}.elf"
    build.must(["arm-none-eabi-gcc", *build.CORES[core][1].split(), "-std=c11", "-O2", "-g", "-Wall",
                "-Wextra", "-Werror", f"-DCORPUS_PLAN={plan_of(board):#x}", "-nostartfiles",
                f"-Wl,-Ttext-segment={board.plan + 0x100000 if board.plan else board.vectors + 0x1000:#x},-z,max-page-size=0x1000,-e,runner_reset",
                TARGET / "corpus_runner.c", TARGET / "second_loader.c", "-o", out], folder)
    symbols = build.run(["arm-none-eabi-nm", out], folder).stdout.decode()
    address = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}
    vectors = [board.stack, address["runner_reset"] | 1] + [address["runner_fault"] | 1] * 14
    (folder / f"vectors-{core}.bin").write_bytes(struct.pack("<16I", *vectors))
    return out


def place(base, wanted, times):
    """An address behind base that has each (offset, alignment) exactly, and none with more than asked."""
    step = max(4, min(align for _, align in wanted))
    largest = max(4, max(align for _, align in wanted))
    start = (base + largest - 1) // largest * largest + step * times
    for at in range(start, start + 2 * largest + step, step):
        if all((at + offset) % max(4, align) == 0 for offset, align in wanted):
            return at
    raise build.Broken(f"no address gives all parts their alignment: (offset, alignment) {wanted}")


def ram_places(core, job):
    """RAM for XIP and COPY, two each; in COPY mode the code comes first, and both are aligned."""
    board = BOARDS[core]
    in_copy = [(0, job["align_code"]), (job["read_only"], job["align_ram"])]
    return [place(base, wanted, times) for wanted in ([(0, job["align_ram"])], in_copy)
            for base, times in ((board.scratch + RAM_A, 1), (board.external + RAM_B, 3))]


class Memory:
    """Bytes in order, placed by next address."""

    def __init__(self, start, end):
        self.start, self.end, self.data = start, end, bytearray()

    def add(self, content, *wanted):
        at = place(self.start + len(self.data), wanted, 1)
        self.data += bytes(at - self.start - len(self.data)) + content
        assert self.start + len(self.data) <= self.end, "the constructs of a batch are too large"
        return at


def words_of(core, job, images):
    board, case = BOARDS[core], job["case"]
    in_image = [(0, job["align_code"])]
    of_weights = [(0, max(16, job["align_weights"]))]
    if job["weights_at"]:
        in_image.append((job["weights_at"], of_weights[0][1]))
    image, weights, weights_copy = images.add(job["image"], *in_image), 0, 0
    if job["weights"]:
        weights = images.add(job["weights"], *of_weights)
        weights_copy = place(board.scratch + WEIGHTS_B, of_weights, 3)
    acts = [place(board.scratch + ACTS_A, [(0, job["align_acts"])], 1),
            place(board.external + ACTS_B, [(0, job["align_acts"])], 3)]
    sizes = [[count * BYTES[kind] for kind, count in side] for side in (case.inputs, case.outputs)]
    return [job["number"], int(not job["xip_ok"]), job["entry"], image, len(job["image"]),
            place(board.external + IMAGE_B, in_image, 5), weights, len(job["weights"]), weights_copy,
            *ram_places(core, job), job["ram_xip"], job["ram_copy"], *acts, job["acts"], len(sizes[0]),
            len(sizes[1]), *(sizes[0] + [0] * 4)[:4], *(sizes[1] + [0] * 4)[:4], len(job["sets"]),
            images.add(b"".join(job["sets"]), (0, 8))]


def emulate(core, folder, jobs):
    """Runs the jobs; returns [(number, phase, error, detail, bytes)]."""
    board = BOARDS[core]
    statics = bytearray(IMAGES)
    images = Memory(board.external + IMAGES, board.external + RAM_B)
    words = [len(jobs), board.scratch + TENSORS, PATTERN]
    for job in jobs:
        for address, content in job["segments"]:
            at = address - board.external
            statics[at:at + len(content)] = content
        words += words_of(core, job, images)
    (folder / "plan.bin").write_bytes(struct.pack(f"<{len(words)}I", *words))
    (folder / "external.bin").write_bytes(statics + images.data)
    result = folder / "result.bin"
    result.unlink(missing_ok=True)
    blobs = [(f"../../vectors-{core}.bin", board.vectors), ("plan.bin", plan_of(board)),
             ("external.bin", board.external)]
    command = ["qemu-system-arm", "-M", board.machine, *board.options, "-kernel", f"../../runner-{core}.elf", "-display", "none",
               "-serial", "none", "-monitor", "none", "-parallel", "none", "-nodefaults", "-no-reboot",
               "-semihosting-config", "enable=on,target=native"]
    for name, address in blobs:
        command += ["-device", f"loader,file={name},addr={address:#x},force-raw=on"]
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S, check=False)
        said = done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        said = f"stopped after {TIME_LIMIT_S} s"
    return records(result.read_bytes() if result.exists() else b""), said


def records(data):
    found, at = [], 0
    while len(data) - at >= 20:
        *head, size = struct.unpack_from("<5I", data, at)
        found.append((*head, data[at + 20:at + 20 + size]))
        at += 20 + size
    return found


def run_all(core, folder, jobs):
    """Starts QEMU until all jobs were tried: a fault or an endless loop fails only its own job.

    Returns number → {phase: (error, detail, bytes)}, or a text for a job that did not end.
    """
    results, left = {}, list(jobs)
    folder.mkdir(parents=True, exist_ok=True)
    while left:
        found, said = emulate(core, folder, left)
        for number, phase, error, detail, content in found:
            results.setdefault(number, {})[phase] = (error, detail, content)
        if any(phase == ENDED for _, phase, *_ in found):
            return results
        begun = [number for number, phase, *_ in found if phase == BEGUN]
        if not begun:
            raise build.Broken(f"QEMU did not start a job: {said}")
        fault = results[begun[-1]].get(FAULT)
        last = PHASES[max((p for p in results[begun[-1]] if p < FAULT), default=0)]
        why = f"fault at {fault[1]:#x}" if fault else f"lockup or endless: {said.strip()[-200:]}"
        results[begun[-1]] = f"{why}, after: {last}"
        left = [job for job in left if job["number"] not in set(begun)]
    return results
