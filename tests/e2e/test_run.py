# SPDX-License-Identifier: Apache-2.0
"""run: images on QEMU's GDB stub compute what verify's emulated core computes, and what is wrong is said first."""
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import time

import glow_kit
import kit
import stai_kit
import standin
import test_copy_only
from kit import EXAMPLES, FIXTURES, MODELS, QEMU, check, each, equal, has, has_not, labels_in_turn, test

DIGITS = EXAMPLES / "digits"
BOARDS = {"m3": "mps2-an385", "m4": "mps2-an386", "m7": "mps2-an500", "m33": "mps2-an505", "m55": "mps3-an547"}
SOURCES = {"digits_float": DIGITS / "digits_float.json", "digits_int8": DIGITS / "digits_int8.json",
           "tiny": EXAMPLES / "tiny" / "tiny.c", "features": MODELS / "features.c", "state": MODELS / "state.c",
           "functions": MODELS / "functions.c", "tensors": MODELS / "tensors.c"}
OUTPUTS = {"state": 2, "tensors": 11}
MODEL = """
static volatile int zero;
void f(const float in[4], float out[4]) {{ for (int i = 0; i < 4; i++) out[i] = in[i]; {body} }}
"""


def make(case, name, core="m4", *words, out="out"):
    case.generate(SOURCES[name], "--mcu", core, *words, out=out, target=None)
    return case.dir / out / f"{name}_rel.bin"


def make_text(case, text, core="m4", *words):
    source = case.write("f.c", text)
    case.generate(source, "--mcu", core, "--entry", "f", *words, target=None)
    return case.dir / "out/f_rel.bin"


def run(case, *words, board="mps2-an386", **more):
    return case.relocpack("run", *words, "--board", board, "--server", "qemu", **more)


def emulators(case):
    """QEMU processes that work in a folder of this case."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if "qemu" in (process / "comm").read_text() and os.readlink(process / "cwd").startswith(str(case.tmp)):
                found.append(process.name)
        except OSError:
            pass  # it has ended
    return found


def names(case, what, count):
    return [case.dir / f"{what}{i}.bin" for i in range(count)]


def saving(files):
    return [word for file in files for word in ("--save-output", file)]


# ---- everything, everywhere ----

MATRIX = [f"{name}-{core}" for name in SOURCES for core in BOARDS]


@each(MATRIX, slow=lambda label: True, spread=labels_in_turn(SOURCES, BOARDS, 2), needs=[QEMU])
def computes_what_verify_computes(case, label):
    """The same bytes and the same number of instructions, in place and copied, whole and split."""
    name, core = label.split("-")
    image = make(case, name, core)
    count = OUTPUTS.get(name, 1)
    want = names(case, "want", count)
    answer = json.loads(case.verify(image, "--json", *saving(want)).out)
    for mode in ("xip", "copy"):
        got = names(case, mode, count)
        done = json.loads(run(case, image, "--mode", mode, "--json", "-", *saving(got), board=BOARDS[core]).out)
        model, = done["images"]
        equal([file.read_bytes() for file in got], [file.read_bytes() for file in want], f"outputs, {mode}")
        row = next(row for row in answer["runs"] if row["mode"] == mode.upper())
        equal(model["inferences"], [row["run_instructions"]], f"instructions, {mode}")
        equal((model["mode"], done["unit"], model["stack_bytes"]), (mode, "instructions", row["stack_bytes"]), "more")
    split = make(case, name, core, "--split", out="split")
    got = names(case, "split", count)
    run(case, split, *saving(got), board=BOARDS[core])
    equal([file.read_bytes() for file in got], [file.read_bytes() for file in want], "outputs, split")
    equal(emulators(case), [], "emulators left")


def generated(case, what):
    """An image of a generator, the number of its outputs, and what verify needs besides."""
    env = {"STEDGEAI_CORE_DIR": standin.pack(case, (11, 0) if what == "stai" else (10, 0))} if what in ("st-ai", "stai") else {}
    make_it = {"tvm": lambda: FIXTURES / "tvm" / "mix", "glow": lambda: glow_kit.bundle(case),
               "st-ai": lambda: standin.network(case, (10, 0)), "stai": lambda: stai_kit.network(case)}
    case.generate(make_it[what](), env=env)
    image, = (case.dir / "out").glob("*_rel.bin")
    told = case.report(image.name.removesuffix("_rel.bin"))["model"]["outputs"]
    return image, len(told) or 1, env  # only the runtime knows those of st-ai


@each(["tvm", "glow", "st-ai", "stai"], needs=[QEMU])
def every_generator(case, what):
    image, count, env = generated(case, what)
    want, got = names(case, "want", count), names(case, "got", count)
    case.verify(image, *saving(want), env=env)
    for mode in ("copy",) if what == "glow" else ("xip", "copy"):
        run(case, image, "--mode", mode, *saving(got))
        equal([file.read_bytes() for file in got], [file.read_bytes() for file in want], f"outputs, {mode}")


@test(needs=[QEMU])
def given_inputs_and_repeats(case):
    """Several samples, each several times; the seeds of verify; figures and labels are those of verify."""
    image = make(case, "digits_int8", "m4")
    given = ["--input", DIGITS / "image0_int8.npy", "--expected", DIGITS / "scores0_int8.npy"]
    result = run(case, image, *given, "--repeat", "3", "--json", "run.json")
    has(result.out, "3 inferences", "bit-exact")
    model, = json.loads((case.dir / "run.json").read_text())["images"]
    equal((len(model["inferences"]), len(set(model["inferences"])), model["repeats_equal"]), (3, 1, True), "repeats")
    data = bytearray((DIGITS / "scores0_int8.npy").read_bytes())
    data[-1] ^= 1
    wrong = case.write("wrong.npy", data)
    has(run(case, image, "--input", DIGITS / "image0_int8.npy", "--expected", wrong, status=8).err, "error RP2800")
    image = make(case, "tiny", "m4")
    x = case.write("x.bin", struct.pack("<8f", 1, 2, 3, 4, 4, 3, 2, 1))
    run(case, image, "--input", x, "--save-output", case.dir / "y.bin")
    case.verify(image, "--input", x, "--save-output", case.dir / "v.bin")
    equal((case.dir / "y.bin").read_bytes(), (case.dir / "v.bin").read_bytes(), "two samples")


@test(needs=[QEMU])
def compared_with_the_emulator_and_with_another_run(case):
    image = make(case, "digits_int8", "m7")
    given = ["--input", DIGITS / "image0_int8.npy"]
    on = {"board": BOARDS["m7"]}
    has(run(case, image, *given, "--compare", "verify", **on).out, "bit-exact")
    run(case, image, *given, "--json", "first.json", "--save-output", "first.npy", **on)
    has(run(case, image, *given, "--mode", "copy", "--compare", "first.json", **on).out, "bit-exact")
    has(run(case, image, "--compare", "first.json", status=9, **on).err, "first.json", "inputs")
    source = case.write("g.c", "int g_calls; void g(const float in[2], float out[2]) { out[0] = in[0]; out[1] = in[1]; }")
    case.generate(source, "--mcu", "m4", "--entry", "g", target=None)
    source.write_text(source.read_text().replace("out[1] = in[1]", "out[1] = 2 * in[1]"))
    result = run(case, case.dir / "out/g_rel.bin", "--compare", "verify", status=8)
    has(result.err, "does not compute what the static build computes", "--compare verify")


@test(needs=[QEMU])
def a_state_lives_from_run_to_run(case):
    image = make(case, "state", "m33")
    result = run(case, image, "--repeat", "2", board=BOARDS["m33"])
    has(result.out, "run 2 computes something else", "has a state")


@test(needs=[QEMU])
def several_images(case):
    """One after the other in the same memory, or all installed at once; -i and words are images, as in the vendor's script."""
    first, second = make(case, "tiny", "m4", out="a"), make(case, "digits_int8", "m4", "--split", out="b")
    alone = [json.loads(run(case, image, "--json", "-").out)["images"][0] for image in (first, second)]
    for words in ([], ["--no-overlay"], ["--mode", "copy,no-overlay"]):
        done = json.loads(run(case, "-i", first, second, *words, "--json", "-").out)["images"]
        equal([model["outputs"] for model in done], [model["outputs"] for model in alone], f"outputs with {words}")
        areas = [[(int(model[part]["address"], 16), model[part]["size"]) for part in ("image_at", "ram_at", "acts_at")
                  if part in model] for model in done]
        shared = any(a < b + size_b and b < a + size_a for a, size_a in areas[0] for b, size_b in areas[1])
        equal(shared, words == [], f"shared memory with {words}")
    has(run(case, first, second, "--save-output", "x.bin", status=2).err, "for one image")


@test(needs=[QEMU])
def places(case):
    """Addresses that the user chooses, external RAM, and the order of the memories."""
    image = make(case, "digits_float", "m4", "--split")
    model, = json.loads(run(case, image, "--address", "0x21000100,0x21100000", "--json", "-").out)["images"]
    equal((model["image_at"]["address"], model["weights_at"]["address"]), ("0x21000100", "0x21100000"), "places")
    equal(model["ram_at"]["memory"], "SRAM", "internal RAM first")
    model, = json.loads(run(case, image, "--mode", "xip,ext", "--json", "-").out)["images"]
    equal((model["ram_at"]["memory"], model["acts_at"]["memory"]), ("EXTERNAL", "EXTERNAL"), "ext")
    large = make_text(case, "static const unsigned char w[5 << 20] = {1};\n"
                            "void f(const unsigned char in[4], unsigned char out[4]) "
                            "{ for (int i = 0; i < 4; i++) out[i] = in[i] + w[in[i] * 20000u]; }")
    model, = json.loads(run(case, large, "--json", "-").out)["images"]
    equal(model["image_at"]["memory"], "EXTERNAL", "what does not fit")


@test(needs=[QEMU])
def a_board_of_ones_own(case):
    """A small board; the file is read, and what does not fit is said before the emulator is started."""
    board = json.loads((kit.ROOT / "templates/boards/mps2-an386.json").read_text())
    board["memories"] = [{"name": "RAM", "address": "0x20000000", "size": "64K"}]
    file = case.write("small.json", json.dumps(board))
    tiny = make(case, "tiny", "m4")
    has(run(case, tiny, board=file).out, "in RAM")
    result = case.relocpack("run", make(case, "digits_float", "m4", out="d"), "--board", file, "--server", "none-such",
                            status=8)
    has(result.err, "no room for the image", "64 KB at 0x20000000")


@test
def a_board_that_says_something_to_the_terminal(case):
    board = json.loads((kit.ROOT / "templates/boards/mps2-an386.json").read_text())
    board["title"] = board["name"] = board["memories"][0]["name"] = "\x1b[2J\u202e\n"
    out = case.relocpack("boards", case.write("evil.json", json.dumps(board))).out
    equal(out.count("\\x1B[2J\\xE2\\x80\\xAE\\x0A"), 3, out)
    has_not(out, "\x1b", "\u202e")


# ---- what is wrong ----

@test(needs=[QEMU])
def said_before_anything_is_started(case):
    """No server exists, so whoever starts one first fails otherwise."""
    image = make(case, "tiny", "m4")
    split = make(case, "digits_float", "m4", "--split", out="split")
    m7 = make(case, "tiny", "m7", out="m7")
    cut = case.write("cut_rel.bin", image.read_bytes()[:100])
    for words, status, parts in (
            ([], 2, ["at least one image"]),
            ([m7], 8, ["RP2803", "0xc27", "Cortex-M4"]),
            ([cut], 9, ["cut_rel.bin"]),
            ([case.dir / "none_rel.bin"], 9, ["none_rel.bin"]),
            ([case.write("t.txt", "x")], 9, ["t.txt"]),
            ([image, "--board", "nucleo"], 2, ["unknown board 'nucleo'"]),
            ([image, "--board", "none.json"], 9, ["none.json"]),
            ([image, "--mode", "xip,copy"], 2, ["exclude"]),
            ([image, "--mode", "cpy"], 2, ["unknown --mode 'cpy'"]),
            ([image, "--repeat", "0"], 2, ["--repeat 0"]),
            ([image, "--overlay", "--no-overlay"], 2, ["exclude"]),
            ([image, "--address", "0x1000000000"], 2, ["not an address"]),
            ([image, "--address", "0x21000000,"], 2, ["not an address"]),
            ([image, "--address", "-1"], 2, ["not an address"]),
            ([image, "--address", " -18446744072954609664"], 2, ["not an address"]),
            ([image, "--tolerance", "inf"], 2, ["--tolerance 'inf'"]),
            ([image, "--tolerance", "1"], 2, ["--tolerance '1' goes with --expected"]),
            ([image, "--address", "0x50000000"], 8, ["in no memory of the board"]),
            ([image, "--address", "0x20000000"], 8, ["would overwrite"]),
            ([image, "--address", "0x21fffff0"], 8, ["in no memory of the board"]),
            ([image, "--flash-at", "0x21000000"], 8, ["is not flash"]),
            ([image, "--weights", "x.bin"], 2, ["--weights"]),
            ([split, "--weights", image], 9, []),
            ([image, "--stack", "64M"], 8, ["no RAM"]),
            ([image, "--host-source", "none.c"], 9, ["none.c"])):
        result = case.relocpack("run", "--board", "mps2-an386", "--server", "none-such-server --port {port}", *words,
                                status=status)
        equal(result.err.count("relocpack: error"), 1, result.err)
        has(result.err, *parts)
    result = case.relocpack("run", "-i", m7, "--board", "nucleo-h743zi", status=3, env={"PATH": "/usr/bin:/bin"})
    has(result.err, "ST-LINK_gdbserver")
    has(case.relocpack("run", image, "--board", "nucleo-h743zi", "--address", "0x30000000", "--server", "x", status=8).err,
        "0xc24")
    has(case.relocpack("run", m7, "--board", "nucleo-h743zi", "--address", "0x30000000", "--server", "x", status=8).err,
        "only after a firmware has set it up", "--no-reset")


@test(needs=[QEMU])
def another_core_answers(case):
    """The server's core is not that of the board: nothing is written."""
    image = make(case, "tiny", "m7")
    result = case.relocpack("run", image, "--board", "mps2-an500", "--server",
                            "qemu-system-arm -M mps2-an386 -S -display none -serial none -monitor none -parallel none "
                            "-nodefaults -gdb tcp:127.0.0.1:{port}", status=8)
    has(result.err, "error RP2803", "0xc24", "mps2-an500")
    equal(emulators(case), [], "emulators left")


QEMU_WORDS = ("-S -display none -serial none -monitor none -parallel none -nodefaults").split()


@test(needs=[QEMU])
def a_server_of_the_user(case):
    """Several runs on one server, which goes on; what an earlier run left in memory is not taken for this one's."""
    images = [make(case, "tiny", "m4"), make(case, "digits_int8", "m4", out="d")]
    alone = [json.loads(run(case, image, "--json", "-").out)["images"][0]["outputs"] for image in images]
    for words, said in ((["-icount", "shift=6"], None), ([], "-icount shift=6")):
        server = subprocess.Popen([QEMU, "-M", "mps2-an386", *QEMU_WORDS, *words, "-gdb", f"unix:{case.tmp}/gdb,server=on,wait=off"],
                                  cwd=case.tmp, stderr=subprocess.DEVNULL)
        try:
            kit.wait_for((case.tmp / "gdb").exists, "the server")
            for image, outputs in [] if said else [*zip(images, alone), *zip(images, alone)]:
                done = case.relocpack("run", image, "--board", "mps2-an386", "--gdb", f"unix:{case.tmp}/gdb", "--json", "-")
                equal(json.loads(done.out)["images"][0]["outputs"], outputs, "outputs")
            if said:
                has(case.relocpack("run", images[0], "--board", "mps2-an386", "--gdb", f"unix:{case.tmp}/gdb", status=8).err, said)
            equal(server.poll(), None, "the server")
        finally:
            server.kill()
            server.wait()
        (case.tmp / "gdb").unlink()


@test(needs=[QEMU])
def flash_that_the_server_does_not_program(case):
    """Said before the first write; no-flash compares with what is there."""
    board = json.loads((kit.ROOT / "templates/boards/mps2-an386.json").read_text())
    next(memory for memory in board["memories"] if memory["name"] == "EXTERNAL")["kind"] = "flash"
    file = case.write("flash.json", json.dumps(board))
    image = make(case, "tiny", "m4")
    has(run(case, image, "--flash-at", "0x21000000", board=file, status=8).err, "does not program flash at 0x21000000")
    has(run(case, image, "--flash-at", "0x21000000", "--mode", "no-flash", board=file, status=8).err, "is not in flash")


@test(needs=[QEMU])
def without_a_server(case):
    image = make(case, "tiny", "m4")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    result = case.relocpack("run", image, "--board", "mps2-an386", "--gdb", f"127.0.0.1:{port}", status=1)
    has(result.err, "error RP2105", str(port))
    result = case.relocpack("run", image, "--board", "mps2-an386", "--server", "false {port}", status=1)
    has(result.err, "error RP2106", "false")


@each(["undefined", "call", "write"], needs=[QEMU])
def a_fault_is_reported(case, how):
    body = {"undefined": "__asm__ volatile(\"udf #0\");", "call": "((void (*)(void))0xfffffff0u)();",
            "write": "*(volatile int *)0xf0000000u = zero;"}[how]
    image = make_text(case, MODEL.format(body=body), "m4", "--debug")
    for mode in ("xip", "copy"):
        result = run(case, image, "--mode", mode, status=8)
        has(result.err, "error RP2804", "at pc 0x", "r0    0x", "cfsr  0x")
        if how != "call":
            has(result.err, " in f + 0x", "(the image + 0x")
        if how == "undefined":
            has(result.err, "an undefined instruction")
    equal(emulators(case), [], "emulators left")


@test(needs=[QEMU])
def a_model_that_does_not_end(case):
    image = make_text(case, MODEL.format(body="while (zero == 0) {}"))
    result = run(case, image, "--timeout", "2", status=8)
    has(result.err, "error RP2803", "within 2 seconds", "pc 0x", "--timeout", "the image + 0x")
    equal(emulators(case), [], "emulators left")


@test(needs=[QEMU])
def a_stack_that_is_too_small(case):
    image = make_text(case, MODEL.format(body="volatile char a[6000]; for (int i = 0; i < 6000; i++) a[i] = (char)i;"))
    run(case, image)
    result = run(case, image, "--stack", "4K", status=8)
    has(result.err, "--stack")


@each(["SIGINT", "SIGTERM", "SIGKILL"], needs=[QEMU])
def a_signal_ends_the_server(case, name):
    image = make_text(case, MODEL.format(body="while (zero == 0) {}"))
    process = subprocess.Popen([case.tool, "run", image, "--board", "mps2-an386", "--server", "qemu"], env=case.env,
                               cwd=case.dir, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=kit.default_signals)
    kit.wait_for(lambda: emulators(case) or process.poll() is not None, "the emulator")
    check(process.poll() is None, "it has ended by itself")
    time.sleep(0.5)
    process.send_signal(getattr(signal, name))
    process.communicate(timeout=60)
    equal(process.returncode, -getattr(signal, name), "how it ended")
    kit.wait_for(lambda: not emulators(case), "the emulator's end")


@test(needs=[QEMU])
def copy_instead_of_xip(case):
    """--mode xip of an image that only works in a copy: a note, and COPY mode."""
    case.generate(case.write("model.c", test_copy_only.LIBRARY), "-r", "copy-only", "--weights-threshold", "64")
    image = case.dir / "out/model_rel.bin"
    result = run(case, image, "--mode", "xip")
    has(result.err, "note RP1072: ", "cannot run in place", "COPY mode")
    has(result.out, "mode           : ['copy']")
    for words in (["--mode", "copy"], ["--mode", "xip", "-q"], []):
        has_not(run(case, image, *words).err, "RP1072")


@each(["overlay", "no-overlay", "no-run"], needs=[QEMU])
def one_of_several(case, mode):
    """-n runs the image with that C name; all are sent, and outputs may then be asked for."""
    images = [make(case, name, "m4") for name in ("tiny", "digits_int8")]
    saving = [] if mode == "no-run" else ["--save-output", "y.bin"]
    names = lambda *words: [(image["name"], "inferences" in image) for image in json.loads(
        run(case, *images, "--json", "-", *words, *saving, cwd=case.dir).out)["images"]]
    for name in ("tiny", "digits_int8"):
        equal(names("-n", name, "--mode", mode if mode != "overlay" else "copy"),
              [(one, one == name and mode != "no-run") for one in ("tiny", "digits_int8")], name)
    if saving:
        has(run(case, *images, *saving, status=2, cwd=case.dir).err, "for one image", "--name NAME")
    has(run(case, *images, "--name", "tin", status=2).err, "--name 'tin': 0 of the images", "'tiny', 'digits_int8'")
    has(run(case, images[0], images[0], "--name", "tiny", status=2).err, "2 of the images")


@test(needs=[QEMU])
def the_vendors_options(case):
    """What scripts give to st_load_and_run.py."""
    image = make(case, "tiny", "m4")
    result = run(case, "-i", image, "--mode", "copy,usbc", "--cube-ide-dir", "/x", "--log", "run.log", "--verbosity", "0",
                 "--no-color", "--debug", "--address", "0x21000000,0x21800000")
    has(result.out, "model info", "c_name='tiny'", "board          : 'mps2-an386'", "mode           : ['copy']")
    check(re.search(r"acts/params=[\d,]+/[\d,]+ xip/copy=[\d,]+/[\d,]+", result.out), result.out)
    has(run(case, image, "--mode", "no-run").out, "sent, not run")
    (case.dir / "build").mkdir()
    image.rename(case.dir / "build/network_rel.bin")
    has(case.relocpack("run", "--board", "mps2-an386").out, "build/network_rel.bin")


@test(needs=[QEMU])
def the_board_of_the_core(case):
    """Without --board, the emulated board with the image's core is taken, and a note says so; with another server, the vendor's board."""
    source = case.write("model.c", "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n")
    for target, board in (("stm32f4", "mps2-an386"), ("stm32h7", "mps2-an500"), ("stm32u5", "mps2-an505")):
        case.generate(source, out=target, target=target)
        result = case.relocpack("run", case.dir / target / "model_rel.bin")
        has(result.err, f"note RP1075: no --board was given: running on the emulated board {board}")
        has(result.out, f"board          : '{board}'")
    has(case.relocpack("run", case.dir / "stm32f4/model_rel.bin", "--server", "stlink", status=None).err, "stm32n6570-dk has a Cortex-M55")
    case.generate(source, "--mcu", "cortex-m85", out="m85", target=None)
    has(case.relocpack("run", case.dir / "m85/model_rel.bin", status=None).err, "RP2803", "no emulated board has the core of", "hint: --board names")
