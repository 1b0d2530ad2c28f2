# SPDX-License-Identifier: Apache-2.0
"""examples/firmware, copied as its users copy it: built, run, updated, with the power cut, on two boards."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

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
    has("\n".join(lines), "slot 1: image 2, 1024 bytes, failed", "start\nstart\n")
    case.generate(EXAMPLES / "tiny/tiny.c", "--mcu", "cortex-m4" if board == BOARDS[0] else "cortex-m33", target=None)
    lines = device(case, board, "--update", case.dir / "out/tiny_rel.bin", "--update", fine)
    equal(models(lines), [OLD, OLD, NEW], "a model with other tensors")
    has("\n".join(lines), "image 2 on trial: refused, 1")
    case.generate(FIRMWARE / "models/fine.c", "--mcu", "cortex-m7", target=None)
    junk = case.write("junk", "x" * 3000)
    cut, flipped = case.dir / "cut", case.dir / "flipped"
    whole = fine.read_bytes()
    cut.write_bytes(whole[:900])
    flipped.write_bytes(whole[:700] + bytes([whole[700] ^ 1]) + whole[701:])
    for path in (junk, cut, flipped):
        said = device(case, board, "--update", path, status=1)
        has(said, "this is no image for this device")
        has_not(said, "installed")
    lines = device(case, board, "--update", case.dir / "out/fine_rel.bin", "--update", fine)
    equal(models(lines), [OLD, OLD, NEW], "a model for another core")


@test(needs=NEEDS)
def models_that_do_not_fit(case):
    """Too much RAM, weights that are elsewhere, no end: the device goes back, and says so. A file of just the slot's size, and a larger one."""
    built(case, BOARDS[0])
    for name, words in (("hungry", ()), ("apart", ("-r", "split")), ("hanging", ())):
        source = EXAMPLES / "digits/digits_int8.json" if name == "apart" else FIRMWARE / f"models/{name}.c"
        if name == "hungry":
            text = (FIRMWARE / "models/fine.c").read_text().replace("float sum = 0;", "static volatile float much[2000] = {1}; float sum = much[1];")
            source = case.write("hungry.c", text)
        case.generate(source, "--mcu", "cortex-m4", "-n", name, *words, target=None)
        said = device(case, BOARDS[0], "--update", case.dir / f"out/{name}_rel.bin", status=1)
        has(said, "slot 1: image 2, ", ", failed\n" + OLD, "the new image failed, and the device went back")
        if name == "hungry":
            has(said, "image 2 on trial: refused, -37\n")
    room = 0x10000 - 4 * 32
    for size, answer in ((room, "this is no image for this device"), (room + 1, "larger than a slot"), (2 * room, "larger than a slot")):
        has(device(case, BOARDS[0], "--update", case.write("full", "x" * size), status=1), answer)
    has(case.run("python3", FIRMWARE / "device.py", "--serial", "none", status=1).err, "No such file", "none")
    has(case.run("python3", FIRMWARE / "device.py", "--serial", "/dev/null", status=1).err, "device.py: ")


@test(needs=NEEDS)
def serial_line(case):
    """device.py at a line that is there before it and after it, and is ended in the middle of a transfer."""
    built(case, BOARDS[0])
    emulator = subprocess.Popen([QEMU, "-M", BOARDS[0], "-kernel", case.dir / "fw/firmware.elf", "-display", "none", "-monitor", "none",
                                 "-serial", "pty"], stdout=subprocess.PIPE, text=True)
    try:
        line = re.search(r"/dev/\S+", emulator.stdout.readline())[0]

        def talk(*words, status=0):
            return case.run("python3", case.dir / "copy/device.py", "--serial", line, *words, status=status).out.splitlines()
        equal(models(talk()), [OLD], "status")
        ended = subprocess.Popen(["python3", case.dir / "copy/device.py", "--serial", line, "--update", case.write("much", "x" * 60000)],
                                 stdout=subprocess.PIPE, text=True)
        while "send the image" not in ended.stdout.readline():
            pass
        ended.kill()
        ended.wait()
        equal(models(talk("--update", image(case, "fine"))), [OLD, NEW], "an update after a transfer that was broken off")
        equal(models(talk()), [NEW], "status")
    finally:
        emulator.kill()
        emulator.wait()


@test(needs=NEEDS)
def device_killed(case):
    """QEMU does not outlive the program that started it."""
    built(case, BOARDS[0])
    for kill in (signal.SIGTERM, signal.SIGKILL):
        talking = subprocess.Popen(["python3", case.dir / "copy/device.py", "--qemu", BOARDS[0], case.dir / "fw/firmware.elf", "--update",
                                    image(case, "hanging")], stdout=subprocess.PIPE, text=True)
        while "installed" not in talking.stdout.readline():
            pass
        children = pathlib.Path(f"/proc/{talking.pid}/task/{talking.pid}/children").read_text().split()
        equal(len(children), 1, "children")
        talking.send_signal(kill)
        talking.wait()
        while pathlib.Path(f"/proc/{children[0]}/cmdline").is_file() and pathlib.Path(f"/proc/{children[0]}/cmdline").read_bytes():
            time.sleep(0.05)


@each(BOARDS, needs=NEEDS)
def power_cuts(case, board):
    """A sample of all operations, and all near the end: the old model or the new one runs, and the next update works."""
    built(case, board)
    fine = image(case, "fine")
    blocks = -(-fine.stat().st_size // 1024)
    operations = 4 + blocks * 1024 // 32 + 3  # sectors, units, cells
    for at in (1, 3, 4, 5, 6, 25, *range(operations - 3, operations + 2)):
        lines = device(case, board, "--cut", str(at), "--update", fine, "--update", fine)
        found = models(lines)
        equal(found[0], OLD, "delivered")
        check(found[1] in (OLD, NEW), f"cut at {at}: {found}")
        equal(found[1] == NEW, at > operations, f"new model after a cut at {at} of {operations}")
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
    for part, changed in (("!= ~pairs[2 * i + 1]", "== 0"), ("return slot.confirmed &&", "return"), ("is_newer(slot, newest)", "is_newer(newest, slot)"),
                          ("= slot.confirmed || (!slot.tried && !only_confirmed)", "= true"), ("&& !only_confirmed", ""), ("check(slots_image(which), slot.length)", "check != 0"),
                          ("slots_read(stays).number + 1", "1"), ("!is_blank(which, TRIED)", "read_cell(which, TRIED, more)"),
                          ("i < CELL_SIZE; i++", "i < 8; i++"), (" - 1 < INT32_MAX", " - 1 < 1000 && slot.number > than.number"),
                          ("&& !keep(running)", "&& !slots_read(running).confirmed"), ("is_newer(slots_read(0), slots_read(1)) ? 0 : 1", "1"),
                          ("words[2] <= SLOT_IMAGE_MAX", "true"), ("words[0] == MAGIC", "true"), ("count > SLOT_IMAGE_MAX - update->length", "count > SLOT_IMAGE_MAX")):
        equal(text.count(part), 1, f"places of {part}")
        run(case.write("slots.c", text.replace(part, changed)), 1)


@test()
def every_line_fault(case):
    """Each byte of a transfer lost, changed and repeated. Each safeguard is needed."""
    def run(receiver, status):
        case.run("cc", "-O2", "-Wall", "-Wextra", f"-I{FIRMWARE}/test", f"-I{FIRMWARE}/src", "-o", "lossy_line", FIRMWARE / "test/lossy_line.c", receiver)
        return case.run("./lossy_line", status=status)
    has(run(FIRMWARE / "src/xmodem.c", 0).out, "the file arrived")
    text = (FIRMWARE / "src/xmodem.c").read_text()
    for part, changed in (("before == EOT &&", "kind == EOT ||"), ("inverse == 255 - number", "true"), ("low == (crc & 0xFF)", "true"),
                          ("|| number != last", "|| true"), ("left -= byte >= 0;", ""), ("cancels >= 2 && kind < 0", "cancels >= 1 && kind < 0"), ("cancels >= 2 && kind < 0", "kind == CAN && before == CAN")):
        equal(text.count(part), 1, f"places of {part}")
        run(case.write("xmodem.c", text.replace(part, changed)), 1)


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
