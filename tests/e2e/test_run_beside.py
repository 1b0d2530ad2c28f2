# SPDX-License-Identifier: Apache-2.0
"""
run --firmware: images run in a firmware that is on the board already and keeps running. The firmware is
tests/target/service_firmware.c, on QEMU; for Neural-ART with the stand-in pack, whose epochs run in software.
"""
import contextlib
import json
import pathlib
import re
import socket
import subprocess
import tempfile

import kit
import npu_kit
import test_npu_verify
import test_service
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, has_not, test

TARGET = kit.ROOT / "tests/target"
DIGITS = EXAMPLES / "digits"
TINY = EXAMPLES / "tiny" / "tiny.c"
M4, M55 = "mps2-an386", "mps3-an547"
SRAM = "{0x20100000, 0x100000, 1}"  # address, size, RELOCPACK_SERVICE_EXECUTE
NPUS = "{0x62000000, 0x8000000, 3}"  # and RELOCPACK_SERVICE_NPU; the networks have their pools at 0x64000000
PACK = ["ll_aton_runtime.c", "ll_aton_lib.c", "ll_aton_lib_sw_operators.c", "ll_aton_util.c", "ll_aton.c"]


def build(case, flags, sources, macros, name):
    elf = case.dir / name
    defined = [f"-D{key}={value}" for key, value in macros.items()]
    case.run(f"{CROSS}gcc", *flags, "-std=gnu11", "-O1", "-g", f"-I{case.dir}/out", *defined, "--specs=nosys.specs", "-nostartfiles",
             "-static", "-T", TARGET / "documented.ld", TARGET / "service_firmware.c", case.dir / "out/relocpack_service.c", *sources,
             "-lm", "-o", elf)
    return elf


def firmware(case, name="fw.elf", **macros):
    """For Cortex-M images, with the files that generate wrote into out."""
    flags = [*kit.target_flags(case, "stm32f4"), "-DAI_RELOC_NO_MALLOC", "-Wall", "-Wextra", "-Werror"]
    return build(case, flags, [case.dir / "out/ai_reloc_network.c"], {"AREAS": SRAM, **macros}, name)


def digits(case, *words):
    case.generate(DIGITS / "digits_int8.json", "--service", *words)
    return case.dir / "out/digits_int8_rel.bin"


def run(case, *words, board=M4, server=("--server", "qemu"), **more):
    return case.relocpack("run", *words, "--board", board, *server, **more)


def symbols(case, elf):
    lines = [line.split() for line in case.run(f"{CROSS}nm", elf).out.splitlines()]
    return {words[2]: int(words[0], 16) for words in lines if len(words) == 3}


# ---- Cortex-M ----

@each(["xip", "copy", "split"], needs=[QEMU])
def computes_what_verify_computes(case, way):
    image = digits(case, *(["--split"] if way == "split" else []))
    elf = firmware(case)
    given = ["--input", DIGITS / "image0_int8.npy"]
    case.verify(image, *given, "--save-output", case.dir / "want.bin")
    done = json.loads(run(case, image, "--firmware", elf, *given, "--repeat", "3", "--save-output", case.dir / "got.bin", "--json", "-",
                          *(["--mode", "copy"] if way == "copy" else [])).out)
    model, = done["images"]
    equal((case.dir / "got.bin").read_bytes(), (case.dir / "want.bin").read_bytes(), "output")
    equal((done["unit"], done["clock_hz"], model["mode"]), ("cycles", 1000000, "copy" if way == "copy" else "xip"), "facts")
    check(all(count > 1000 for count in model["inferences"]), "the firmware's own clock")
    check(100 < model["stack_bytes"] < 4096, "the stack of the thread that polls")
    for part in ("image_at", "ram_at", "acts_at"):
        at = int(model[part]["address"], 16)
        check(0x20100000 <= at and at + model[part]["size"] <= 0x20200000, f"{part} is in the firmware's area")


@test(needs=[QEMU])
def several_images_and_comparisons(case):
    image = digits(case)
    elf = firmware(case, CLOCK_HZ=0)
    case.generate(TINY, "--service", out="other")
    tiny = case.dir / "other/tiny_rel.bin"
    alone = json.loads(run(case, tiny, "--firmware", elf, "--json", "-").out)["images"][0]
    for words in ([], ["--no-overlay"]):
        done = json.loads(run(case, image, tiny, "--firmware", elf, *words, "--json", "-").out)
        equal(done["images"][1]["outputs"], alone["outputs"], "outputs of the second image")
        equal(done["clock_hz"], 25000000, "the board's clock, as the firmware does not say its own")
    given = ["--input", DIGITS / "image0_int8.npy"]
    has(run(case, image, "--firmware", elf, *given, "--compare", "verify", "--clock", "7").out, "bit-exact")
    at = symbols(case, elf)["relocpack_mailbox"]
    has(run(case, image, "--firmware", elf, "--mailbox", hex(at), "--address", "0x20140000").out, "0x20140000")


@contextlib.contextmanager
def board(elf, machine=M4):
    """QEMU, which runs the firmware whether somebody is connected or not; words of run, and a look at memory."""
    with tempfile.TemporaryDirectory() as folder:
        gdb, monitor = pathlib.Path(folder, "gdb"), pathlib.Path(folder, "monitor")
        server = subprocess.Popen([QEMU, "-M", machine, "-kernel", elf, "-display", "none", "-serial", "none", "-nodefaults",
                                   "-chardev", f"socket,path={gdb},server=on,wait=off,id=g", "-gdb", "chardev:g",
                                   "-monitor", f"unix:{monitor},server=on,wait=off"], stderr=subprocess.DEVNULL)
        try:
            kit.wait_for(lambda: gdb.exists() and monitor.exists(), "QEMU")
            with socket.socket(socket.AF_UNIX) as wire:
                # The socket's file is there before QEMU listens.
                kit.wait_for(lambda: wire.connect_ex(str(monitor)) == 0, "QEMU's monitor")
                stream = wire.makefile("rw", newline="\n")

                def look(address):
                    stream.write(f"xp /1wx {address:#x}\n")
                    stream.flush()
                    while not (found := re.search(rf"{address:016x}: 0x(\w+)", stream.readline())):
                        pass
                    return int(found[1], 16)
                yield ("--gdb", f"unix:{gdb}"), look
        finally:
            server.kill()
            server.wait()


def goes_on(look, *addresses):
    """The words change."""
    for address in addresses:
        before = look(address)
        kit.wait_for(lambda: look(address) != before, "the firmware's own work")  # pylint: disable=cell-var-from-loop


@test(needs=[QEMU])
def the_firmware_goes_on(case):
    """Before, between and after runs; nothing outside its areas is written, and the core is not reset."""
    image = digits(case)
    elf = firmware(case, BEFORE_INIT="(*(volatile uint32_t *)0x20300000)++")
    at = symbols(case, elf)
    with board(elf) as (server, look):
        goes_on(look, at["work"], at["ticks"])
        answers = []
        for _ in range(3):
            before = look(at["work"])
            answers.append(json.loads(run(case, image, "--firmware", elf, "--json", "-", server=server).out)["images"][0]["outputs"])
            check(look(at["work"]) > before, "work between the plans of a run")
            goes_on(look, at["work"], at["ticks"])
        equal(answers[1:], answers[:1] * 2, "outputs of several runs")
        equal(look(0x20300000), 1, "starts of the firmware")
        only = run(case, image, "--mailbox", hex(at["relocpack_mailbox"]), "--mode", "no-run", server=server)
        has(only.out, "sent, not run")
        goes_on(look, at["work"])


@test(needs=[QEMU])
def a_host_that_left(case):
    """In the middle of a plan, and with an instance installed: the next one finds a firmware that works."""
    image = digits(case)
    elf = firmware(case, RELOCPACK_SERVICE_BLOCK_BYTES=64)
    at = symbols(case, elf)
    with board(elf) as (server, look):
        for turns in (1, 2, 8, 15, 40):
            turn = at["relocpack_mailbox"] + 8
            before = look(turn)
            process = subprocess.Popen([case.tool, "run", image, "--board", M4, *server, "--firmware", elf, "--repeat", "100000", "-q"],
                                       cwd=case.dir, env=case.env, stderr=subprocess.DEVNULL)
            kit.wait_for(lambda: look(turn) >= before + turns, "turns")  # pylint: disable=cell-var-from-loop
            process.kill()
            process.wait()
            has(run(case, image, "--firmware", elf, server=server).out, "1 inference")
            goes_on(look, at["work"])


# ---- Neural-ART ----

def npu_firmware(case, made, name="fw.elf", **macros):
    """The pack's run-time, the loader and the service."""
    for path in made.out.iterdir():
        (case.dir / "out").mkdir(exist_ok=True)
        (case.dir / "out" / path.name).write_bytes(path.read_bytes())
    pack = npu_kit.pack(case, made.network.options.version)
    flags = test_service.npu_flags(pack)
    sources = [case.dir / "out/ll_aton_reloc_network.c", *(pack / npu_kit.LL_ATON / name for name in PACK)]
    return build(case, flags, sources, {"AREAS": NPUS, **macros}, name)


NETWORKS = {"mix": ((), dict(pools="mix", epoch_controller=True)),
            "split": (("split",), dict(pools="mix", version=npu_kit.V113, epoch_controller=True)),
            "users": (("split", "ecblob-in-params"), dict(user_inputs=True, user_outputs=True, epoch_controller=True)),
            "two": (("split",), dict(outputs=2, pools="both_params"))}


def npu_made(case, name):
    choice, changes = NETWORKS[name]
    return npu_kit.made(case, "--service", *npu_kit.words_of(*choice), **changes)


@each(list(NETWORKS), needs=[QEMU])
def neural_art(case, name):
    """What Python and verify compute, in both modes."""
    made = npu_made(case, name)
    net = made.network
    elf = npu_firmware(case, made)
    data = [net.input_data(i) for i in range(2)]
    given = ["--input", case.write("x.bin", b"".join(data))]
    outputs = [b"".join(parts) for parts in zip(*map(net.expected, data))]
    for mode in ("xip", "copy"):
        saving = [word for i in range(len(outputs)) for word in ("--save-output", case.dir / f"{mode}{i}.bin")]
        run(case, made.image_path, "--firmware", elf, "--mode", mode, *given, *saving, board=M55)
        equal([(case.dir / f"{mode}{i}.bin").read_bytes() for i in range(len(outputs))], outputs, mode)
    has(run(case, made.image_path, "--firmware", elf, *given, "--compare", "verify", board=M55, env=test_npu_verify.env(case, made)).out,
        "bit-exact")


@test(needs=[QEMU])
def neural_art_on_a_running_firmware(case):
    made = npu_made(case, "mix")
    elf = npu_firmware(case, made)
    at = symbols(case, elf)
    with board(elf, M55) as (server, look):
        answers = [json.loads(run(case, made.image_path, "--firmware", elf, "--json", "-", "--repeat", "2", board=M55, server=server).out)
                   for _ in range(3)]
        equal([answer["images"][0]["outputs"] for answer in answers[1:]], [answers[0]["images"][0]["outputs"]] * 2, "outputs")
        goes_on(look, at["work"], at["ticks"])


@test(needs=[QEMU])
def block_of_the_vendor(case):
    """A Neural-ART image tells its name, release, external RAM and security, run or not; its epochs come without --profile."""
    made = npu_made(case, "split")
    image = made.read()
    elf = npu_firmware(case, made)
    release = ".".join(map(str, image.rt_version[:3]))
    text = run(case, made.image_path, "--firmware", elf, board=M55).out
    has(text, f"cpuid=0xd22 c_name='{image.name}' 'Embedded ARM GCC' ll_aton={release}.{image.rt_version[3]}\n",
        f"ext_ram={image.ext_ram_size:,} split=True secure=True\n", "epoch (EC)", "EpochBlock_1")
    check(re.search(r"1 inference, \d+\.\d\d inf/s; ", text), text)
    own = lambda *words: json.loads(run(case, made.image_path, "--firmware", elf, "--json", "-", *words, board=M55).out)
    for words in ([], ["--mode", "no-run"]):
        got, = own(*words)["images"]
        equal([got[key] for key in ("name", "ll_aton", "ext_ram", "secure")],
              [image.name, f"{release}-{image.rt_version[3]}", image.ext_ram_size, True], f"members {words}")
        equal("profile" in got, not words, "profile")
    done = own("--repeat", "3")
    got, = done["images"]
    check(abs(got["inferences_per_second"] - done["clock_hz"] / sorted(got["inferences"])[1]) < 0.01, f"{got}")


@each(["xip", "copy"], needs=[QEMU])
def epochs_by_call_backs(case, mode):
    """The same epochs as verify shows, by the firmware's own clock; those of all of them are in the run."""
    made = npu_made(case, "mix")
    elf = npu_firmware(case, made)
    env = test_npu_verify.env(case, made)
    done = json.loads(run(case, made.image_path, "--firmware", elf, "--mode", mode, "--profile", "--json", "-", board=M55, env=env).out)
    profile = done["images"][0]["profile"]
    want = json.loads(case.verify(made.image_path, "--profile", "--json", env=env).out)["profile"]
    shape = lambda nodes: [(node["type"], node["name"], node["runs"]) for node in nodes]
    equal(shape(profile["nodes"]), shape(want["nodes"]), "epochs")
    equal((profile["parts"], profile["unit"], profile["mode"]), ("nodes", "cycles", mode.upper()), "profile")
    times = [node["cycles"] for node in profile["nodes"]]
    equal(sum(times), profile["totals"]["nodes"], "cycles of the nodes")
    check(0 < sum(times) <= profile["totals"]["observed_run"], f"{times} of {profile['totals']}")
    for node in profile["nodes"]:
        equal(sum(node["phases"].values()), node["cycles"], f"phases of {node['name']}")


# ---- what is wrong ----

@test(needs=[QEMU])
def images_of_the_other_kind(case):
    made = npu_made(case, "mix")
    npu = npu_firmware(case, made)
    case.generate(TINY, "--service", "--mcu", "m55", target=None, out="m55")
    tiny = case.dir / "m55/tiny_rel.bin"
    has(run(case, tiny, "--firmware", npu, board=M55, status=8).err, "is a Cortex-M image", "installs Neural-ART images")
    text = run(case, made.image_path, board=M55, status=8).err
    has(text, "is a Neural-ART image", "--firmware ELF", "--service")


@test
def options_that_are_for_the_runner(case):
    """No server exists, so whoever starts one first fails otherwise."""
    image = digits(case)
    elf = firmware(case)
    for words, status, parts in (
            (["--firmware", elf, "--stack", "4K"], 2, ["--stack", "the firmware's stack"]),
            (["--firmware", elf, "--host-source", "x.c"], 2, ["--host-source", "firmware itself"]),
            (["--firmware", elf, "--flash-at", "0x0"], 2, ["--flash-at", "no-flash"]),
            (["--firmware", elf, "--profile"], 2, ["--profile", "no call-backs", "verify --profile"]),
            (["--firmware", "none.elf"], 9, ["none.elf"]),
            (["--firmware", image], 9, ["digits_int8_rel.bin"]),
            (["--firmware", TINY], 9, ["tiny.c"]),
            (["--mailbox", "here"], 2, ["--mailbox 'here'"]),
            (["--mailbox", "0x20000001"], 2, ["not an address"]),
            (["--mailbox", " -18446744072954609664"], 2, ["not an address"]),
            (["--mailbox", "0"], 2, ["not an address"]),
            (["--mailbox", "0x100000000"], 2, ["not an address"])):
        result = case.relocpack("run", image, "--board", M4, "--server", "none-such --port {port}", *words, status=status)
        equal(result.err.count("relocpack: error"), 1, result.err)
        has(result.err, *parts)
    has(run(case, image, "--mailbox", "0x20000000", status=2).err, "--server qemu starts the firmware")
    case.run(f"{CROSS}strip", elf)
    has(run(case, image, "--firmware", elf, status=9).err, "no symbol relocpack_mailbox", "--mailbox ADDRESS")


SPOILT = {
    "never_polls": (dict(IN_LOOP="__asm__ volatile(\"nop\")"), ["did not answer within 2 seconds", "main", "relocpack_service_poll"]),
    "never_begins": (dict(BEFORE_INIT="for (;;) work++"), ["there is no mailbox at 0x", "relocpack_service_init"]),
    "other_version": (dict(AFTER_INIT="relocpack_mailbox[1]++; seal()"), ["mailbox has version 0x", "this is for 0x"]),
    "other_version_and_layout": (dict(AFTER_INIT="relocpack_mailbox[1]++"), ["mailbox has version 0x", "this is for 0x"]),
    "damaged_words": (dict(AFTER_INIT="relocpack_mailbox[9] ^= 1"), ["words are damaged"]),
    "unknown_images": (dict(AFTER_INIT="relocpack_mailbox[13] = 77; seal()"), ["unknown kind (77)"]),
    "no_areas": (dict(AFTER_INIT="relocpack_mailbox[14] = 0; seal()"), ["names 0 areas"]),
    "many_areas": (dict(AFTER_INIT="relocpack_mailbox[14] = 1000; seal()"), ["names 1000 areas"]),
    "no_room_for_plans": (dict(AFTER_INIT="relocpack_mailbox[9] = 32; seal()"), ["the place for plans", "at least 1024"]),
    "plan_anywhere": (dict(AFTER_INIT="relocpack_mailbox[8] = 0xE000ED00; seal()"), ["the place for plans", "the core's own"]),
    "block_without_end": (dict(AFTER_INIT="relocpack_mailbox[11] = 0xFFFFFFE0; seal()"), ["the block of results", "is wrong"]),
    "area_over_all": (dict(AREAS="{0, 0xFFFFFFE0, 1}"), ["area 1", "overlaps"]),
    "area_over_the_mailbox": (dict(AREAS="{0x20000000, 0x100000, 1}"), ["area 1", "overlaps"]),
    "area_over_devices": (dict(AREAS="{0x40000000, 0x10000, 1}"), ["area 1", "overlaps the devices"]),
    "area_that_wraps": (dict(AREAS="{0xFFFF0000, 0x20000, 1}"), ["area 1 has 131072 bytes"]),
    "area_that_is_odd": (dict(AREAS="{0x20100004, 0x1000, 1}"), ["area 1", "multiples of 32"]),
    "area_of_nothing": (dict(AREAS=f"{SRAM}, {{0x20200000, 0, 1}}"), ["area 2 has 0 bytes"]),
    "areas_over_each_other": (dict(AREAS=f"{SRAM}, {{0x20180000, 0x1000, 1}}"), ["area 2", "overlaps area 1"]),
    "area_that_is_small": (dict(AREAS="{0x20100000, 0x1000, 1}"), ["no room for", "4 KB at 0x20100000"]),
    "no_code_there": (dict(AREAS="{0x20100000, 0x100000, 0}"), ["no room for the image", "not for code"]),
    "memory_that_is_none": (dict(AREAS="{0x90000000, 0x100000, 1}"), ["0x90000000", "area 1 of the firmware's mailbox"]),
    "memory_that_ends": (dict(AREAS="{0x21F00000, 0x200000, 1}"), ["0x220ffffc", "area 1 of the firmware's mailbox"]),
}


@each(list(SPOILT), needs=[QEMU])
def a_firmware_that_is_wrong(case, what):
    image = digits(case)
    macros, parts = SPOILT[what]
    elf = firmware(case, **macros)
    result = run(case, image, "--firmware", elf, "--timeout", "2", status=None)
    check(result.status in (1, 8), f"status {result.status}: {result.err}")
    equal(result.err.count("relocpack: error"), 1, result.err)
    has(result.err, *parts)
    has_not(result.err, "Segmentation")


MODEL = """
void f(const float in[4], float out[4]) {{ for (int i = 0; i < 4; i++) out[i] = in[i]; {body} }}
"""


@each(["faults", "loops", "resets"], needs=[QEMU])
def a_model_that_does_not_return(case, what):
    """The firmware's own handler gets its faults; the next run finds what is there then."""
    body = {"faults": "*(volatile int *)0xF0000000 = 1;", "loops": "for (;;) {}",
            "resets": "*(volatile unsigned *)0xE000ED0C = 0x05FA0004;"}[what]
    source = case.write("f.c", MODEL.format(body=body))
    case.generate(source, "--entry", "f", "--service", "--debug")
    elf = firmware(case)
    result = run(case, case.dir / "out/f_rel.bin", "--firmware", elf, "--timeout", "2", status=8)
    has(result.err, *{"faults": ["of the firmware, in its handler of a fault", "0xf0000000"],
                      "loops": ["did not answer within 2 seconds", "f + 0x"], "resets": ["has started again"]}[what])


@test(needs=[QEMU])
def pools_outside_the_areas(case):
    made = npu_made(case, "mix")
    for areas, parts in (("{0x70000000, 0x1000000, 3}", ["has its pool", "does not give to the NPU"]),
                         ("{0x62000000, 0x8000000, 1}", ["marked as the NPU's"])):
        elf = npu_firmware(case, made, AREAS=areas)
        has(run(case, made.image_path, "--firmware", elf, board=M55, status=8).err, *parts)
