# SPDX-License-Identifier: Apache-2.0
"""Builds the harness and its test model, writes plans, runs QEMU and reads results.

Part of harness.py. The numbers of plan.h and boards.h come from those files, through the
preprocessor; everything else is written independently of the host tool.
"""
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HARNESS = ROOT / "templates" / "harness"
RUNTIME = ROOT / "runtime"
PATTERN, GUARD = 0xA5C3E187, 256
TIME_LIMIT_S = 1800  # on however busy a machine

WARNINGS = """-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wcast-align=strict
    -Wwrite-strings -Wformat=2 -Wswitch-enum -Wnull-dereference -Werror""".split()
FLOAT = {"M3": "-mfloat-abi=soft", "M4": "-mfpu=fpv4-sp-d16 -mfloat-abi=hard",
         "M7": "-mfpu=fpv5-d16 -mfloat-abi=hard", "M33": "-mfpu=fpv5-sp-d16 -mfloat-abi=hard",
         "M55": "-mfloat-abi=hard"}
PIC = """-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative -fno-common
    -nostdlib -fno-tree-loop-distribute-patterns -fno-jump-tables""".split()
COMMON = ["start.c", "semihost.c", "counter.c", "memory.c", "result.c", "tensors.c", "harness.c"]


def preprocess(text):
    command = ["arm-none-eabi-gcc", "-E", "-P", f"-I{HARNESS}", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout


def number(text):
    return int(eval(re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)[uUlL]+\b", r"\1", text), {}))


def read_boards():
    """(core -> cpu, machine, part, clock, vectors), (core -> area -> (address, size))."""
    rows = '#define X(id, ...) @id, __VA_ARGS__@\nHARNESS_BOARDS(X)'
    areas = '#define X(board, area, address, size) @board, area, address, size@\nHARNESS_AREAS(X)'
    boards, places = {}, {}
    for row in preprocess('#include "boards.h"\n' + rows).split("@"):
        if row.count(",") == 5:
            core, cpu, machine, *rest = [part.strip().strip('"') for part in row.split(",")]
            boards[core] = (cpu, machine, *map(number, rest))
    for row in preprocess('#include "boards.h"\n' + areas).split("@"):
        if row.count(",") == 3 and "{" not in row:
            board, area, address, size = [part.strip() for part in row.split(",")]
            places.setdefault(board, {})[area] = (number(address), number(size))
    return boards, places


def read_constants():
    """Every enumerator and X-macro value of plan.h, by name."""
    values = {}
    text = preprocess('#include "plan.h"\n')
    for body in re.findall(r"enum \w*\s*\{(.*?)\}", text, re.S):
        following = 0
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            following = values[name] = number(value) if value else following
            following += 1
    return values


BOARDS, AREAS = read_boards()
P = read_constants()


def run_tool(command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def core_flags(core):
    return [f"-mcpu={BOARDS[core][0]}", "-mthumb", *FLOAT[core].split()]


def build_firmware(core, out, static, extra=()):
    area = AREAS[core]
    rom, ram = area["BIG" if static else "FIRMWARE"], area["IMAGE_A" if static else "DATA"]
    symbols = {"VECTORS": BOARDS[core][4], "ROM": rom[0], "ROM_SIZE": rom[1], "RAM": ram[0],
               "RAM_SIZE": ram[1], "STACK": area["STACK"][0], "STACK_SIZE": area["STACK"][1],
               "PLAN": area["PLAN"][0]}
    sources = [HARNESS / name for name in COMMON]
    sources += [HARNESS / "backend_static.c", HERE / "harness_model.c"] if static else [
        HARNESS / "backend_loader.c", RUNTIME / "ai_reloc_network.c"]
    run_tool(["arm-none-eabi-gcc", *WARNINGS, "-O2", "-g", *core_flags(core), "-ffreestanding",
              "-nostartfiles", "-DAI_RELOC_NO_MALLOC", "-DMODEL_STATIC", f"-I{HARNESS}",
              f"-I{RUNTIME}", *extra, *(f"-Wl,--defsym=HARNESS_{name}={value:#x}"
                                        for name, value in symbols.items()),
              f"-T{HARNESS / 'harness.ld'}",
              "-Wl,--fatal-warnings,-z,noexecstack,--no-warn-rwx-segments", *sources, "-o", out])


def build_image(core, elf, out, *options):
    run_tool(["arm-none-eabi-gcc", *WARNINGS, "-Os", *core_flags(core), *PIC, "-ffreestanding",
              f"-I{RUNTIME}", "-Wl,--emit-relocs", f"-T{HERE / 'loader_image.ld'}",
              HERE / "harness_model.c", "-lgcc", "-o", elf])
    fpu = [] if core == "M3" else ["--fpu"]
    run_tool([sys.executable, HERE / "mkimage.py", elf, out, "--cpuid", f"{BOARDS[core][2]:X}", *fpu,
              *options])


class Step(dict):
    """Fields of a step, by the names of enum harness_step_field without STEP_."""

    def __init__(self, kind, **fields):
        super().__init__(KIND=P["STEP_" + kind], **fields)

    def pack(self):
        words = [0] * (P["STEP_BYTES"] // 4)
        for name, value in self.items():
            words[P["STEP_" + name] // 4] = value
        return struct.pack(f"<{len(words)}I", *words)


def pack_plan(core, steps, **changes):
    io = AREAS[core]["IO"]
    fields = {"MAGIC": 0x4C505052, "VERSION": 1, "CLOCK_HZ": BOARDS[core][3], "ICOUNT_SHIFT": 6,
              "BYTES": P["PLAN_STEPS"] + P["STEP_BYTES"] * len(steps), "PATTERN": PATTERN,
              "GUARD_BYTES": GUARD, "IO": io[0], "IO_SIZE": io[1], "STEP_COUNT": len(steps)}
    words = [0] * (P["PLAN_STEPS"] // 4)
    for name, value in {**fields, **changes}.items():
        words[P["PLAN_" + name] // 4] = value
    return struct.pack(f"<{len(words)}I", *words) + b"".join(step.pack() for step in steps)


class Result:
    """What QEMU and result.bin said."""

    def __init__(self, status, text, data):
        self.status, self.text, self.data = status, text, data
        self.records = list(self.split(data))
        self.steps = [self.step(body) for kind, body in self.records if kind == P["RECORD_STEP"]]
        self.ended = any(kind == P["RECORD_END"] for kind, _ in self.records)

    @staticmethod
    def split(data):
        at = 0
        while at < len(data):
            kind, size = struct.unpack_from("<II", data, at)
            assert size <= len(data) - at - 8, "a record is longer than the file"
            yield kind, data[at + 8:at + 8 + size]
            at += 8 + (size + 3) // 4 * 4

    @staticmethod
    def step(body):
        names = {name[len("RESULT_STEP_"):].lower(): value for name, value in P.items()
                 if name.startswith("RESULT_STEP_")}
        step = {name: struct.unpack_from("<I", body, at)[0]
                for name, at in names.items() if at < len(body)}
        step["count"] = step["count_low"] | step["count_high"] << 32
        return step

    def data_of(self, kind, step):
        """The tensors that one step recorded, in order."""
        wanted = [body for k, body in self.records if k == P["RECORD_" + kind]]
        return [body[8:] for body in wanted if struct.unpack_from("<I", body)[0] == step]

    def bodies(self, kind):
        return [body for k, body in self.records if k == P["RECORD_" + kind]]


def emulate(core, firmware, folder, blobs, icount=True):
    """Runs a firmware in folder with blobs (bytes, address); returns a Result."""
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "result.bin"
    result.unlink(missing_ok=True)
    command = ["qemu-system-arm", "-M", BOARDS[core][1], "-kernel", str(firmware), "-display",
               "none", "-serial", "none", "-monitor", "none", "-parallel", "none", "-nodefaults",
               "-no-reboot", "-semihosting-config", "enable=on,target=native"]
    command += ["-icount", "shift=6"] if icount else []
    for i, (content, address) in enumerate(blobs):
        (folder / f"blob{i}.bin").write_bytes(content)
        command += ["-device", f"loader,file=blob{i}.bin,addr={address:#x},force-raw=on"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S, check=False)
    data = result.read_bytes() if result.exists() else b""
    return Result(done.returncode, done.stdout.decode(errors="replace"), data)
