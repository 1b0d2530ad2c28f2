# SPDX-License-Identifier: Apache-2.0
"""examples/firmware, copied as its users copy it: built, run, updated, with the power cut, on two boards."""
import os
import shutil

import kit
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, has_not, test

FIRMWARE = EXAMPLES / "firmware"
BOARDS = ["mps2-an386", "mps2-an505"]
OLD, NEW = "model coarse, image 1: largest error 0.133", "model fine, image 2: largest error 0.018"
NEEDS = ["cmake", "ninja", QEMU]


def built(case, board):
    """The build folder of a copy."""
    shutil.copytree(FIRMWARE, case.dir / "copy")
    env = {"PATH": f"{os.path.dirname(case.tool)}:{os.environ['PATH']}", "relocpack_DIR": str(kit.ROOT / "runtime/cmake")}
    case.run("cmake", "-G", "Ninja", "-S", "copy", "-B", "fw", f"-DBOARD={board}", env=env)
    case.run("cmake", "--build", "fw", env=env)
    return case.dir / "fw"


def device(case, board, *words, status=0):
    """What the device prints."""
    result = case.run("python3", case.dir / "copy/device.py", "--qemu", board, case.dir / "fw/firmware.elf", *words, status=status)
    return result.out.splitlines() if status == 0 else result.out + result.err


def image(case, name):
    return case.dir / f"fw/{name}/{name}_rel.bin"


def models(lines):
    """The lines that say which model runs after each start."""
    return [line for line in lines if line.startswith(("model ", "no model")) or " is refused: " in line]


@each(BOARDS, needs=NEEDS)
def updates(case, board):
    """Update, three in a row, so that both slots are written; models that fault or are for others; no image at all."""
    built(case, board)
    fine, coarse, broken = (image(case, name) for name in ("fine", "coarse", "broken"))
    equal(models(device(case, board)), [OLD], "delivered")
    lines = device(case, board, "--update", fine, "--update", coarse, "--update", fine)
    equal(models(lines), [OLD, NEW, OLD.replace("image 1", "image 3"), NEW.replace("image 2", "image 4")], "three updates")
    lines = device(case, board, "--update", broken, "--update", fine)
    equal(models(lines), [OLD, OLD, NEW], "a model that faults")
    has("\n".join(lines), "slot 1: image 2, 2048 bytes, failed", "start\nstart\n")
    case.generate(EXAMPLES / "tiny/tiny.c", "--mcu", "cortex-m4" if board == BOARDS[0] else "cortex-m33", target=None)
    lines = device(case, board, "--update", case.dir / "out/tiny_rel.bin", "--update", fine)
    equal(models(lines), [OLD, OLD, NEW], "a model with other tensors")
    has("\n".join(lines), "image 2 on trial: refused, 1")
    case.generate(FIRMWARE / "models/fine.c", "--mcu", "cortex-m7", target=None)
    junk = case.write("junk", "x" * 3000)
    cut = case.dir / "cut"
    cut.write_bytes(fine.read_bytes()[:1000])
    for path in (junk, cut):
        said = device(case, board, "--update", path, status=1)
        has(said, "this is no image for this device")
        has_not(said, "installed")
    lines = device(case, board, "--update", case.dir / "out/fine_rel.bin", "--update", fine)
    equal(models(lines), [OLD, OLD, NEW], "a model for another core")


OPERATIONS = 4 + 2048 // 32 + 3  # sectors, units, cells


@each(BOARDS, needs=NEEDS)
def power_cuts(case, board):
    """A sample of all operations, and all near the end: the old model or the new one runs, and the next update works."""
    built(case, board)
    fine = image(case, "fine")
    for at in (1, 3, 4, 5, 6, 37, *range(OPERATIONS - 3, OPERATIONS + 2)):
        lines = device(case, board, "--cut", str(at), "--update", fine, "--update", fine)
        found = models(lines)
        equal(found[0], OLD, "delivered")
        check(found[1] in (OLD, NEW), f"cut at {at}: {found}")
        equal(found[1] == NEW, at > OPERATIONS, f"new model after a cut at {at} of {OPERATIONS}")
        equal(found[2], NEW, f"after the next update, a cut at {at} before")  # the last cut is in the second update


@each(["32", "16", "8", "4"])
def every_power_cut(case, unit):
    """Against a model of the flash, at every operation. Each safeguard is needed: without it, the test fails."""
    def run(slots, status):
        case.run("cc", "-O2", "-Wall", "-Wextra", f"-DFLASH_UNIT={unit}", f"-I{FIRMWARE}/test", f"-I{FIRMWARE}/src", "-o", "power_cut",
                 FIRMWARE / "test/power_cut.c", slots)
        return case.run("./power_cut", status=status)
    has(run(FIRMWARE / "src/slots.c", 0).out, "the old or the new image ran")
    text = (FIRMWARE / "src/slots.c").read_text()
    for part, changed in (("!= ~pairs[2 * i + 1]", "== 0"), ("!slots_read(running).confirmed", "false"), ("slot.number > number", "slot.number < number"),
                          ("slot.confirmed || !slot.tried", "true"), ("check(slots_image(which), slot.length)", "check != 0"),
                          ("slots_read(running).number + 1", "1"), ("!is_blank(which, TRIED)", "read_cell(which, TRIED, more)")):
        equal(text.count(part), 1, f"places of {part}")
        run(case.write("slots.c", text.replace(part, changed)), 1)


@test(needs=["cmake", "ninja"])
def nucleo(case):
    """The board with real flash: compiles, and everything is where it belongs."""
    elf = built(case, "nucleo-h743zi") / "firmware.elf"
    rows = {row[1]: (int(row[3], 16), int(row[5], 16)) for line in case.run(f"{CROSS}readelf", "-SW", elf).out.splitlines()
            if (row := line.replace("[ ", "[").split())[1:2] and row[1].startswith(".") and len(row) > 6}
    equal(rows[".vectors"][0], 0x08000000, "vector table")
    equal(rows[".delivered"], (0x08100000, 0x40000), "slot 0")
    check(rows[".text"][0] + rows[".text"][1] < 0x08100000, "the firmware is in bank 1")
    data = case.dir / "slot"
    case.run(f"{CROSS}objcopy", "-O", "binary", "-j", ".delivered", elf, data)
    equal(data.read_bytes().startswith(image(case, "coarse").read_bytes()), True, "image in slot 0")
