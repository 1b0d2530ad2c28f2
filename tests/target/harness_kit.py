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
FLOAT = {"M0": "-mfloat-abi=soft", "M3": "-mfloat-abi=soft", "M4": "-mfpu=fpv4-sp-d16 -mfloat-abi=hard",
         "M7": "-mfpu=fpv5-d16 -mfloat-abi=hard", "M33": "-mfpu=fpv5-sp-d16 -mfloat-abi=hard",
         "M55": "-mfloat-abi=hard"}
PIC = """-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative -fno-common
    -nostdlib -fno-tree-loop-distribute-patterns -fno-jump-tables""".split()
COMMON = ["start.c", "semihost.c", "systick.c", "counter.c", "memory.c", "observe.c", "hooks.c", "result.c", "tensors.c",
          "harness.c"]


def preprocess(text):
    command = ["arm-none-eabi-gcc", "-E", "-P", f"-I{HARNESS}", "-x", "c", "-"]
    return subprocess.run(command, input=text, text=True, check=True, capture_output=True).stdout


def number(text):
    return int(eval(re.sub(r"\b(0x[0-9A-Fa-f]+|\d+)[uUlL]+\b", r"\1", text), {}))


# Where these tests have things: (memory, offset, size). Guards fit between.
LAYOUT = {"IMAGE_A": ("CODE", 0x41230, 0x80000), "RAM_A": ("SRAM", 0x51234, 0x100000),
          "ACTS_A": ("SRAM", 0x1524E0, 0x140000), "IMAGE_B": ("SRAM", 0x293654, 0x100000),
          "RAM_B": ("EXTERNAL", 0x402468, 0x100000), "ACTS_B": ("EXTERNAL", 0x5036A0, 0x140000),
          "IO": ("EXTERNAL", 0x644B00, 0x0F0000), "BIG": ("EXTERNAL", 0x735550, 0x8CA800)}


def rows_of(macro, columns):
    """The rows of an X-macro of boards.h, each a list of texts."""
    rows = preprocess(f'#include "boards.h"\n#define X(...) @__VA_ARGS__@\n{macro}(X)').split("@")
    found = [[part.strip().strip('"') for part in row.split(",")] for row in rows if row.count(",") == columns - 1]
    return [row for row in found if "{" not in "".join(row) and "define" not in "".join(row)]


def read_boards():
    """(core -> cpu, machine, part, clock, vectors, setting), (core -> area -> (address, size))."""
    boards = {core: (cpu, machine, *map(number, rest), setting)
              for core, cpu, machine, *rest, setting in rows_of("HARNESS_BOARDS", 7)}
    memories = {(core, name): number(address) for core, name, address, _ in rows_of("HARNESS_MEMORIES", 4)}
    places = {}
    for core, *addresses in rows_of("HARNESS_PLACES", 4):
        stack, plan, firmware = map(number, addresses)
        places[core] = {"STACK": (stack, P["HARNESS_STACK_BYTES"]), "PLAN": (plan, P["HARNESS_PLAN_BYTES"]),
                        "FIRMWARE": (firmware, 0x40000 - 0x1000), "STATIC": (memories[core, "EXTERNAL"], 0x400000)}
        for name, (memory, offset, size) in LAYOUT.items():
            places[core][name] = (memories[core, memory] + offset, size)
    return boards, places


def read_constants():
    """Every enumerator and X-macro value of plan.h and boards.h, by name."""
    values = {"HARNESS_ANY": 0xFFFFFFFF}
    text = preprocess('#include "plan.h"\n#include "boards.h"\n')
    for body in re.findall(r"enum \w*\s*\{(.*?)\}", text, re.S):
        following = 0
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            following = values[name] = number(value) if value else following
            following += 1
    return values


P = read_constants()
BOARDS, AREAS = read_boards()


def run_tool(command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def core_flags(core):
    return [f"-mcpu={BOARDS[core][0]}", "-mthumb", *FLOAT[core].split()]


def link_flags(core, area):
    """Of a firmware in that area: the linker's own script, and what it does not say."""
    stack, top = AREAS[core]["STACK"][0], sum(AREAS[core]["STACK"])
    symbols = {"stack_start": stack, "stack_end": top - P["HARNESS_HANDLER_STACK_BYTES"], "handler_stack_end": top,
               "plan": AREAS[core]["PLAN"][0]}
    return ["-nostartfiles", *(f"-Wl,--defsym=harness_{name}={value:#x}" for name, value in symbols.items()),
            f"-Wl,-Ttext-segment={AREAS[core][area][0]:#x},-e,harness_reset",
            "-Wl,--fatal-warnings,-z,noexecstack"]


def reset_blob(core, firmware):
    """What a reset takes, and where: the vector table, which begins with the stack and the entry."""
    listed = subprocess.run(["arm-none-eabi-nm", firmware], text=True, check=True, capture_output=True).stdout
    address = int(re.search(r"^(\w+) \w harness_vectors$", listed, re.M)[1], 16)
    data = firmware.read_bytes()
    entry, headers = struct.unpack_from("<2I", data, 24)
    size, count = struct.unpack_from("<2H", data, 42)
    for at in range(headers, headers + size * count, size):
        _, offset, start, _, length = struct.unpack_from("<5I", data, at)
        if start <= address < start + length:
            table = data[offset + address - start:][:64]
    assert struct.unpack_from("<2I", table) == (sum(AREAS[core]["STACK"]), entry | 1), "the vector table"
    return table, BOARDS[core][4]


def build_firmware(core, out, static, extra=()):
    sources = [HARNESS / name for name in COMMON]
    sources += [HARNESS / "backend_static.c", HERE / "harness_model.c"] if static else [
        HARNESS / "backend_loader.c", RUNTIME / "ai_reloc_network.c"]
    run_tool(["arm-none-eabi-gcc", *WARNINGS, "-O2", "-g", *core_flags(core), "-ffreestanding",
              "-DAI_RELOC_NO_MALLOC", "-DMODEL_STATIC", f"-I{HARNESS}", f"-I{RUNTIME}", *extra,
              *link_flags(core, "STATIC" if static else "FIRMWARE"), *sources, "-o", out])


def build_image(core, elf, out, *options):
    run_tool(["arm-none-eabi-gcc", *WARNINGS, "-Os", *core_flags(core), *PIC, "-ffreestanding",
              f"-I{RUNTIME}", "-Wl,--emit-relocs", f"-T{HERE / 'loader_image.ld'}",
              HERE / "harness_model.c", "-lgcc", "-o", elf])
    fpu = [] if core in ("M0", "M3") else ["--fpu"]
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
    fields = {"MAGIC": 0x4C505052, "VERSION": P["HARNESS_PLAN_VERSION"], "CLOCK_HZ": BOARDS[core][3], "ICOUNT_SHIFT": 6,
              "BYTES": P["PLAN_STEPS"] + P["STEP_BYTES"] * len(steps), "PATTERN": PATTERN,
              "GUARD_BYTES": GUARD, "IO": io[0], "IO_SIZE": io[1], "STEP_COUNT": len(steps),
              "VARY_INDEX": P["HARNESS_ANY"]}
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
    blobs = [reset_blob(core, firmware), *blobs]
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "result.bin"
    result.unlink(missing_ok=True)
    setting = ["-global", BOARDS[core][5]] if BOARDS[core][5] else []
    command = ["qemu-system-arm", "-M", BOARDS[core][1], *setting, "-kernel", str(firmware), "-display",
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
