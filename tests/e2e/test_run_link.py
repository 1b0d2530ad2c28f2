# SPDX-License-Identifier: Apache-2.0
"""run: GDB servers with other abilities than QEMU's, wires that damage packets, servers that end or hang, and those of
Debian without a probe. Whatever happens, the outputs are right or there is an error, and no server is left."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import gdb_proxy
import kit
from kit import EXAMPLES, QEMU, check, each, equal, has, matches, test
from test_run import emulators, make

STUB = pathlib.Path(__file__).with_name("gdb_stub.py")
BOARD = "mps2-an386"
# Part of the machine's external memory, which a stub has as flash.
FLASH, BLOCK = 0x21800000, 0x2000


def stub(*options):
    """A server as a command line."""
    return " ".join([sys.executable, "-B", str(STUB), "127.0.0.1:{port}", BOARD, *options])


def no_server_left(case):
    left = [process.parent.name for process in pathlib.Path("/proc").glob("[0-9]*/cmdline")
            if str(case.dir).encode() in read(process) or str(case.tmp).encode() in read(process)]
    equal((left, emulators(case)), ([], []), "processes")


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""  # it has ended


def outputs(case, image, name, *words, **more):
    """What run saves, and what it prints."""
    file = case.dir / f"{name}.bin"
    result = case.relocpack("run", image, "--save-output", file, *words, **more)
    return file.read_bytes() if result.status == 0 else None, result


def wanted(case, image):
    case.verify(image, "--save-output", case.dir / "want.bin")
    return (case.dir / "want.bin").read_bytes()


# ---- servers ----

@each(["--binary", "--no-breakpoints", "--no-registers --no-description", "--runs --packet-size 80", "--packet-size 41",
       "--no-breakpoints --binary --packet-size 65"], slow=lambda label: True, needs=[QEMU])
def servers_lack_things(case, options):
    """With X or without, without breakpoints, single registers or a description, with small packets and run lengths."""
    image = make(case, "digits_int8")
    got, _ = outputs(case, image, "got", "--board", BOARD, "--server", stub(options, "--log", str(case.dir / "log")))
    equal(got, wanted(case, image), "outputs")
    log = (case.dir / "log").read_text()
    equal(log.count("\n'X2") > 1, "--binary" in options, "X is used, not only tried")
    no_server_left(case)


def with_flash(case):
    ram = {"name": "SRAM", "address": "0x20000000", "size": "4M"}
    flash = {"name": "FLASH", "address": hex(FLASH), "size": "1M", "kind": "flash"}
    board = {"name": "with-flash", "series": "cortex-m4", "clock_hz": 25000000, "counter": "instructions",
             "memories": [ram, flash], "servers": {"machine": BOARD}}
    return case.write("board.json", json.dumps(board))


@each(["--packet-size 1000", "--binary --packet-size 83"], needs=[QEMU])
def programs_flash(case, options):
    """An image that begins in the middle of a block runs from flash; the rest of the block is as it was."""
    image, board = make(case, "digits_float"), with_flash(case)
    at = FLASH + 0x1230
    server = stub(options, "--flash", f"{FLASH:#x},0x100000,{BLOCK:#x}", "--log", str(case.dir / "log"))
    got, result = outputs(case, image, "got", "--board", board, "--server", server, "--mode", "xip", "--flash-at", hex(at))
    equal(got, wanted(case, image), "outputs")
    has(result.out, f"{at:#010x}", "FLASH")
    log = (case.dir / "log").read_text()
    blocks = (0x1230 + image.stat().st_size + BLOCK - 1) // BLOCK * BLOCK
    has(log, f"vFlashErase:{FLASH:x},{blocks:x}", f"vFlashWrite:{FLASH:x}:", "vFlashDone", f"{'x' if '--binary' in options else 'm'}{FLASH:x},")
    no_server_left(case)


@test(needs=[QEMU])
def flash_that_fails(case):
    """The server's words say why."""
    image, board = make(case, "tiny"), with_flash(case)
    flash = ["--flash", f"{FLASH:#x},0x100000,{BLOCK:#x}"]
    for more, words in ((["--fail-flash"], ["finish programming the flash", "E.verify"]),
                        (["--end-at", "vFlashWrite"], ["program", "is lost"])):
        _, result = outputs(case, image, "got", "--board", board, "--server", stub(*flash, *more), "--flash-at", hex(FLASH),
                            status=1)
        has(result.err, "error RP2105", *words)
    _, result = outputs(case, image, "got", "--board", board, "--server", "qemu", "--flash-at", hex(FLASH), status=None)
    check(result.status != 0, "QEMU programs no flash")
    has(result.err, "flash")
    no_server_left(case)


# ---- servers that end or hang, at each kind of request ----

REQUESTS = ["qSupported", "qXfer", "[?]", "m", "[MX]", "[pP]", "Z0", "c$", "z0", "D"]


@each(REQUESTS, slow=lambda label: True, needs=[QEMU])
def ends_in_the_middle(case, request):
    """An error names what was being done. What comes after the outputs does not matter any more."""
    image = make(case, "tiny")
    _, result = outputs(case, image, "got", "--board", BOARD, "--server", stub("--end-at", request), status=None)
    if result.status != 0:
        equal(result.status, 1, "status")
        matches(result.err, r"error RP2105: cannot .* is lost|error RP2106: the GDB server ended")
    check(result.status != 0 or request in ("z0", "D"), "it went on without a server")
    no_server_left(case)


@each(["qSupported", "m", "c$"], slow=lambda label: True, needs=[QEMU])
def hangs_in_the_middle(case, request):
    """The wait ends by itself, and so does the server."""
    image = make(case, "tiny")
    begin = time.monotonic()
    _, result = outputs(case, image, "got", "--board", BOARD, "--server", stub("--hang-at", request), "--timeout", "5",
                        status=1)
    check(time.monotonic() - begin < kit.BUSY, "it hangs")
    matches(result.err, r"error RP\d+: cannot .*(does not answer|no longer answers)|did not answer within 5 seconds")
    no_server_left(case)


# ---- a wire with faults ----

def through(case, image, proxy_options, *words, **more):
    """run over a wire that a proxy makes worse; QEMU's server runs on its own."""
    folder = tempfile.TemporaryDirectory()  # a socket's path is short
    qemu, wire = pathlib.Path(folder.name, "qemu"), pathlib.Path(folder.name, "wire")
    server = subprocess.Popen([QEMU, "-M", BOARD, "-S", "-display", "none", "-serial", "none", "-monitor", "none", "-nodefaults",
                               "-icount", "shift=6", "-gdb", f"unix:{qemu},server=on,wait=off"], stderr=subprocess.DEVNULL)
    try:
        kit.wait_for(qemu.exists, "QEMU")
        proxy = gdb_proxy.Proxy(f"unix:{wire}", f"unix:{qemu}", **proxy_options)
        proxy.start()
        got, result = outputs(case, image, "got", "--board", BOARD, "--gdb", f"unix:{wire}", *words, **more)
        proxy.join(kit.BUSY)
    finally:
        server.kill()
        server.wait()
        folder.cleanup()
    return got, result, proxy


@each([str(seed) for seed in range(24)], spread=("0", "1"), slow=lambda label: True, needs=[QEMU])
def a_wire_with_faults(case, seed):
    """The outputs are right, or it is said what failed."""
    image = make(case, "tiny")
    want = wanted(case, image)
    done = faults = 0
    for i in range(3):
        got, result, proxy = through(case, image, {"seed": 100 * int(seed) + i, "rate": (0.003, 0.02, 0.1)[i]}, status=None)
        faults += sum(proxy.faults.values())
        check(result.status in (0, 1), f"status {result.status}: {result.err}")
        if result.status == 0:
            equal(got, want, "outputs")
            done += 1
        else:
            matches(result.err, r"error RP21\d\d: .{20}")
    check(faults > 10, "there were no faults")


@test(needs=[QEMU])
def a_wire_without_faults(case):
    """The proxy itself changes nothing, and repeats do not end a run."""
    image = make(case, "tiny")
    got, _, proxy = through(case, image, {})
    equal(got, wanted(case, image), "outputs")
    equal(proxy.faults, {}, "faults")
    got, _, proxy = through(case, image, {"rate": 0.05, "kinds": ("split", "nak"), "seed": 3}, status=None)
    check(got is None or got == wanted(case, image), "outputs")


@each(["close", "hang"], slow=lambda label: True, needs=[QEMU])
def a_wire_that_ends(case, how):
    """At any packet: an error, never an output file that is not complete."""
    image = make(case, "tiny")
    _, _, proxy = through(case, image, {})
    for part in (1, 3, 5, 7) if how == "close" else (2, 6):
        _, result, _ = through(case, image, {f"{how}_at": max(1, proxy.packets * part // 8)}, status=1)
        has(result.err, "error RP21")


# ---- servers of Debian, without a probe ----

@test(needs=["openocd"])
def openocd_without_a_probe(case):
    image = make(case, "tiny")
    _, result = outputs(case, image, "got", "--board", "nucleo-f446re", "--server", "openocd", "--probe", "066BFF30", status=1)
    has(result.err, "error RP2106: the GDB server ended with status 1", "'adapter serial 066BFF30'", "Error: open failed",
        "hint: is the probe connected")
    no_server_left(case)


@test(needs=["pyocd-gdbserver"])
def pyocd_without_a_probe(case):
    image = make(case, "tiny")
    _, result = outputs(case, image, "got", "--board", "nucleo-f446re", "--server", "pyocd", status=1)
    has(result.err, "error RP2106: the GDB server", "pyocd", "hint: ")
    no_server_left(case)


@each([name for name, program in (("jlink", "JLinkGDBServerCLExe"), ("stlink", "ST-LINK_gdbserver"),
                                  ("probe-rs", "probe-rs"), ("blackmagic", "-")) if shutil.which(program) is None])
def servers_that_are_not_there(case, name):
    image = make(case, "tiny")
    _, result = outputs(case, image, "got", "--board", "nucleo-f446re", "--server", name, status=None)
    check(result.status in (2, 3), f"status {result.status}")
    has(result.err, "error RP2", "hint: ", "--gdb" if name == "blackmagic" else name if name == "probe-rs" else "install")
