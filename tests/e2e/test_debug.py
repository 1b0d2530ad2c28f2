# SPDX-License-Identifier: Apache-2.0
"""
generate --debug: the image stays the same, and a debugger finds its way through instances of it. The debugger is
gdb-multiarch, the board is QEMU; the firmware is tests/target/debug_firmware.c.
"""
import re
import shlex
import shutil

import kit
import glow_kit
import npu_kit
import stai_kit
import standin
import test_npu_llvm
import test_stai_api
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, has_not, matches, test

GDB = "gdb-multiarch"
TARGET = kit.ROOT / "tests/target"
FACTORS = [(i * 7 % 13 - 6) / 8 for i in range(80)]

# A model whose parts are all there: weights, activations, data and zeros.
MODEL = """\
#include <stdint.h>
static const float factors[80] = {%s};
static float hidden[80];
static int begun;
int limit = 80;
__attribute__((noipa)) static float kernel(const float *in, float *out, int count, float bias) {
    float sum = 0;
    if (count == 0) /* here */
        return bias;
    for (int i = 0; i < count; i++) {
        out[i] = in[i] * factors[i] + bias;
        sum += out[i];
    }
    return sum;
}
void model(const float in[80], float out[1]) {
    begun++;
    out[0] = kernel(in, hidden, limit, 0.5f);
}
""" % ", ".join(f"{value}f" for value in FACTORS)
HERE = next(number for number, line in enumerate(MODEL.split("\n"), 1) if "here" in line)

# QEMU's machine, and where its memories are.
BOARDS = {"m3": ("cortex-m3", "mps2-an385", ()), "m4": ("cortex-m4", "mps2-an386", ()), "m7": ("cortex-m7", "mps2-an500", ()),
          "m33": ("cortex-m33", "mps2-an505", ("-Wl,--defsym=ROM=0x10000000,--defsym=RAM=0x38000000",)),
          "m55": ("cortex-m55", "mps3-an547", ())}


def plain_model(case, core="m4", *words, **more):
    source = case.write("my model/model.c", MODEL)
    case.generate(source, "--entry", "model", "--debug", "--mcu", BOARDS[core][0], *words, target=None, **more)
    return source


def flags_of(case, core):
    case.compiled = None  # the flags of a core are asked for, not those of a series
    return kit.target_flags(case, BOARDS[core][0])


def firmware(case, core="m4", *words, name="model", also="", script=TARGET / "documented.ld"):
    """The firmware with the image, and how QEMU runs it for a debugger."""
    case.write("image.S", f'.section .image, "a", %progbits\n.balign 64\n.global image\nimage:\n'
               f'.incbin "{case.dir / "out" / name}_rel.bin"\n{also}')
    case.run(f"{CROSS}gcc", *flags_of(case, core), "-g", "-O1", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{case.dir}/out",
             *BOARDS[core][2], *words, "--specs=nosys.specs", "-nostartfiles", "-static", "-T", script,
             TARGET / "debug_firmware.c", TARGET / "documented_board.c", case.dir / "out" / "ai_reloc_network.c", "image.S",
             "-o", "firmware.elf")
    return ["firmware.elf", "-ex", f"target remote | {QEMU} -M {BOARDS[core][1]} -kernel firmware.elf -display none "
            "-serial none -monitor none -semihosting-config enable=on,target=native -S -gdb stdio 2> qemu.log"]


def gdb(case, start, *commands):
    """What GDB says, from its commands on. An error does not end it; then the output has it."""
    words = [word for command in ("echo begin\\n", *commands, "kill") for word in ("-ex", command)]
    done = case.run("sh", "-c", 'exec "$@" 2>&1', "sh", GDB, "-nx", "-batch", "-ex", "set pagination off", "-ex", "set width 0",
                    "-ex", "set remotetimeout 600",  # two seconds otherwise, in which a busy machine may not start QEMU
                    *start, *words, status=None)
    case.write("gdb.log", done.out)
    return done.out.split("begin\n", 1)[1]


def until(place):
    return [f"tbreak {place}", "continue"]


SOURCE = "source out/model_rel.gdb"


# ---- the files ----

WAYS = {"gcc": [], "compact": ["-r", "compact"], "copy-only": ["-r", "copy-only"], "split": ["-r", "split"],
        "c-array": ["-r", "gen-c-file"], "llvm": ["-r", "llvm"], "libc": ["--math", "libc", "-r", "copy-only"]}


@each(list(WAYS))
def same_image(case, way):
    """Every file that was there without --debug has the same bytes with it, but for the reports."""
    if way == "llvm":
        kit.need("clang")
    for model in ("digits_float", "digits_int8"):
        plain, debug = case.dir / f"plain-{model}", case.dir / f"debug-{model}"
        case.generate(EXAMPLES / f"digits/{model}.json", *WAYS[way], out=plain)
        case.generate(EXAMPLES / f"digits/{model}.json", *WAYS[way], "--debug", out=debug)
        equal(sorted(set(kit.visible(debug)) - set(kit.visible(plain))), [f"{model}_rel.elf", f"{model}_rel.gdb"], "new files")
        for name in kit.visible(plain):
            if "generate" not in name:
                equal((debug / name).read_bytes(), (plain / name).read_bytes(), name)


def st_ai(case):
    return standin.network(case, (10, 0)), {"STEDGEAI_CORE_DIR": standin.pack(case, (10, 0))}


def ll_aton(case, pack=npu_kit.pack):
    return npu_kit.source_of(npu_kit.network(case)), npu_kit.env_of(pack(case))


DIALECTS = {"st-ai": st_ai, "stai": lambda case: (stai_kit.network(case), test_stai_api.env_of(case)),
            "tvm": lambda case: (kit.FIXTURES / "tvm/mix", {}), "ll-aton": ll_aton,
            "ll-aton-llvm": lambda case: ll_aton(case, test_npu_llvm.pack),
            "glow": lambda case: (glow_kit.bundle(case), {}),
            "glow-table": lambda case: (glow_kit.bundle(case, flags=glow_kit.TABLE), {})}


@each(list(DIALECTS))
def same_image_of(case, dialect):
    """The same for generators whose kernels come in archives, or compiled."""
    words = ["-r", "llvm", "--compatible-mode"] if dialect.endswith("-llvm") else []
    if words:
        kit.need(*test_npu_llvm.NEEDS)
    source, env = DIALECTS[dialect](case)
    for out, more in (("plain", []), ("debug", ["--debug"])):
        case.generate(source, *words, *more, out=out, env=env, target=None if dialect.startswith("ll-aton") else "stm32f4")
    image = next((case.dir / "plain").glob("*_rel.bin"))
    equal((case.dir / "debug" / image.name).read_bytes(), image.read_bytes(), "image")
    has(case.run(f"{CROSS}objdump", "--dwarf=decodedline", case.dir / f"debug/{image.stem}.elf").out, ".c")


@test
def listed(case):
    """Both files are in the reports, and are gone after a run without --debug; files of others stay."""
    plain_model(case)
    names = [row["path"] for row in case.report("model")["files"]]
    has(names, "model_rel.elf", "model_rel.gdb")
    has((case.dir / "out/model_generate_report.txt").read_text(), f" {case.dir}/out/model_rel.elf\n {case.dir}/out/model_rel.gdb\n")
    case.generate("my model/model.c", "--entry", "model")
    kit.has_not(kit.visible(case.dir / "out"), "model_rel.elf", "model_rel.gdb")
    case.write("out/model_rel.gdb", "my own\n")
    case.write("out/model_rel.elf", "my own\n")
    case.generate("my model/model.c", "--entry", "model")
    has(kit.visible(case.dir / "out"), "model_rel.elf", "model_rel.gdb")


@test
def elf_file(case):
    """
    Made of the only link: ordinary section names, bytes of the image, none of weights and activations, no relocations,
    the build id.
    """
    source = plain_model(case)
    commands = case.generate(source, "--entry", "model", "--debug", "-v", "--mcu", "cortex-m4", target=None).err.splitlines()
    equal(len([line for line in commands if line.endswith("-o image.elf")]), 1, "links")
    image = (case.dir / "out/model_rel.bin").read_bytes()
    report = case.report("model")
    sections = {}
    for row in case.run(f"{CROSS}readelf", "-SW", "out/model_rel.elf").out.splitlines():
        found = re.match(r"\s*\[ *\d+\] (\S+)\s+(\S+)\s+([0-9a-f]{8}) ([0-9a-f]{6}) ([0-9a-f]{6})", row)
        if found:
            sections[found[1]] = (found[2], int(found[4], 16), int(found[5], 16))
    elf = (case.dir / "out/model_rel.elf").read_bytes()
    at = 0
    for name in (".text", ".data"):
        kind, offset, size = sections[name]
        equal((kind, elf[offset:offset + size]), ("PROGBITS", image[at:at + size]), name)
        at += size
    for name in (".bss", ".weights", ".acts"):
        equal(sections[name][0], "NOBITS", name)
    equal((sections[".weights"][2], sections[".acts"][2]), (320, 320), "weights and activations")
    check(not [name for name in sections if name.startswith(".rel")], "there are no relocations")
    has(case.run(f"{CROSS}readelf", "-n", "out/model_rel.elf").out, report["image"]["integrity"]["build_id"])
    text = case.run(f"{CROSS}addr2line", "-f", "-e", "out/model_rel.elf", "0x20000100").out
    has_not(text, "??")
    matches(case.run(f"{CROSS}nm", "out/model_rel.elf").out, r"^2[0-9a-f]{7} t kernel$")
    has(case.run(f"{CROSS}objdump", "--dwarf=info", "out/model_rel.elf").out, str(source))


@test
def reproducible(case):
    """With --reproducible, both files are the same in another folder, and know no folder."""
    for folder in ("here", "there/deeper"):
        case.write(f"{folder}/model.c", MODEL)
        case.generate(case.dir / folder / "model.c", "--entry", "model", "--debug", "--reproducible", out=case.dir / folder / "out")
    for name in kit.visible(case.dir / "here/out"):
        equal((case.dir / "there/deeper/out" / name).read_bytes(), (case.dir / "here/out" / name).read_bytes(), name)
    for name in ("model_rel.elf", "model_rel.gdb"):
        has_not((case.dir / "here/out" / name).read_bytes(), str(case.base).encode(), str(kit.ROOT).encode())


# ---- instances ----

def shown(tag, expression, form="%d"):
    return f'printf "{tag} {form}\\n", {expression}'


def values(text):
    """What `shown` prints, by tag: the values in their order."""
    found = {}
    for tag, value in re.findall(r"^(\w+) (\S+)$", text, re.M):
        found.setdefault(tag, []).append(value)
    return found


# What is asked at each stop in the kernel: which instance's parts are shown, and how the caller is reached.
LOOK = [shown("in", "in == &values[0][0]"), shown("out", "((unsigned)out - (unsigned)acts) / sizeof acts[0]"),
        shown("count", "count"), shown("bias", "bias", "%g"), shown("hidden", "((unsigned)&hidden - (unsigned)acts) / sizeof acts[0]"),
        shown("factor", "factors[2]", "%g"), shown("data", "((unsigned)&limit - (unsigned)ram) / sizeof ram[0]"),
        shown("zeros", "((unsigned)&begun - (unsigned)ram) / sizeof ram[0]"), shown("begun", "begun"),
        shown("copied", "(unsigned)$pc - (unsigned)ram < sizeof ram"), "backtrace", "info symbol $pc"]
FRAMES = ["kernel", "model", "reloc_call", "ai_rel_network_run", "run", "main"]


def check_stops(text, numbers, source):
    """numbers: the instances in which the kernel stops, in their order."""
    got = values(text)
    numbers = [str(number) for number in numbers]
    for tag in ("out", "hidden", "data", "zeros"):
        equal(got[tag], numbers, f"which instance {tag} belongs to")
    equal(got["copied"], [str(int(number == "2")) for number in numbers], "which code is in the RAM")
    for tag, value in (("in", "1"), ("count", "80"), ("bias", "0.5"), ("factor", f"{FACTORS[2]:g}"), ("begun", "1")):
        equal(got[tag], [value] * len(numbers), tag)
    equal(text.count(f" at {source}:{HERE}\n{HERE}\t"), len(numbers), "stops at the line")
    frames = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+) \(", text, re.M)
    equal([name for name in frames if name in FRAMES], FRAMES * len(numbers), "backtraces")
    equal(len(re.findall(r"^kernel( \+ \d+)? in section \.text of .*/model_rel\.elf$", text, re.M)), len(numbers), "symbols")


@each(list(BOARDS), needs=[GDB, QEMU])
def instances(case, core):
    """
    A breakpoint by file and line stops in XIP and in COPY instances, with arguments, variables of all parts and a
    backtrace into the firmware. The instances that share their code have their own variables.
    """
    source = plain_model(case, core)
    text = gdb(case, firmware(case, core), SOURCE, *until("ready"), "relocpack-load nets[0]", "relocpack-load nets[2]",
               f"break model.c:{HERE}", "info breakpoints", "continue", *LOOK, "disable", *until("run"), "relocpack-load nets[1]",
               "enable", "continue", *LOOK, "continue", *LOOK)
    check_stops(text, [0, 1, 2], source)
    has(text, "(2 locations)", "runs the same code; variables are now those of 0x")


@test(needs=[GDB, QEMU])
def before_init(case):
    """Before init, data and zeros are shown, and weights and activations are nowhere; afterwards all is."""
    source = plain_model(case, "m4", "-r", "split")
    start = firmware(case, "m4", "-DWEIGHTS=more_weights", also=".global more_weights\n.balign 16\nmore_weights:\n"
                     f'.incbin "{case.dir}/out/model_data.bin"\n')
    place = [shown("activations", "&hidden", "%x"), shown("factors", "&factors", "%x"), shown("limit", "'model.c'::limit")]
    text = gdb(case, start, SOURCE, *until("created"), "relocpack-load nets[2]", *place, *until("ready"), "relocpack-load nets[2]",
               *place, shown("acts", "acts[2]", "%x"), shown("weights", "more_weights", "%x"), f"break model.c:{HERE}", "continue", *LOOK,
               "relocpack-unload nets[2]", "echo unloaded\\n", "info symbol kernel", "relocpack-load $r9", "info symbol kernel")
    text, after = text.split("unloaded\n")
    matches(after, r'^No symbol "kernel" in current context.*^kernel in section .text of ')
    got = values(text)
    equal([got["activations"], got["factors"]], [["f8000000", got["acts"][0]], ["f8000000", got["weights"][0]]], "places")
    equal(got["limit"], ["80", "80"], "data")
    check_stops(text, [2], source)


@each(["copy-only", "halves", "compact", "llvm"], needs=[GDB, QEMU])
def ways(case, way):
    """Images that change their own code or words, and images of clang: there, places and callers are known."""
    if way == "llvm":
        kit.need("clang")
    flags = {"copy-only": "-fno-pic", "halves": "-fno-pic -mslow-flash-data", "llvm": "-Wno-unknown-attributes"}.get(way, "-O2")
    source = plain_model(case, "m4", "-r", "copy-only" if way == "halves" else way, "--cflags", flags)
    copies = ["-DCOPY"] if "-fno-pic" in flags else []
    equal(case.report("model")["image"]["xip_ok"], not copies, "the image does not patch its code")
    look = LOOK
    if way == "halves":  # the code has no whole address of weights or activations
        look = [command for command in LOOK if "hidden" not in command and "factors" not in command] + [
            shown("hidden", "2"), shown("factor", f"{FACTORS[2]}", "%g"), "print factors[2]"]
    if way == "llvm":
        look = ["backtrace", shown("copied", "(unsigned)$pc - (unsigned)ram < sizeof ram")]
    text = gdb(case, firmware(case, "m4", *copies), SOURCE, *until("ready"), "relocpack-load nets[2]",
               f"break model.c:{HERE}", *until("run if number == 2"), "continue", *look)
    has_not(text, "relocpack: ")
    if way == "halves":
        has(text, "Cannot access memory at address 0xf8")
    if way != "llvm":
        check_stops(text, [2], source)
        return
    equal(values(text)["copied"], ["1"], "which code")
    has(text, f"kernel () at {source}:{HERE}\n{HERE}\t")


@test(needs=[GDB, QEMU])
def image_in_an_array(case):
    """Code in a variable of the firmware, as an XIP image that is a C array is: found once the variable has no symbol."""
    source = plain_model(case, "m4")
    script = (TARGET / "documented.ld").read_text().replace(" . = ALIGN(64); *(.image) }", " }\n    .image : { *(.image) }")
    start = firmware(case, "m4", also=".type image, %object\n.size image, . - image\n", script=case.write("apart.ld", script))
    look = [SOURCE, *until("ready"), "relocpack-load nets[0]", "break kernel", "continue"]
    case.run(f"{CROSS}objcopy", "--strip-symbol=image", "firmware.elf", "stripped.elf")
    has(gdb(case, start, *look), " in image ()")
    has(gdb(case, ["stripped.elf", *start[1:]], *look), f" at {source}:")


@test(needs=[GDB, QEMU])
def vendor_runtime(case):
    """A network for the vendor's runtime: its own code has lines, kernels of the archive have names."""
    source, env = st_ai(case)
    case.generate(source, "--debug", env=env)
    text = gdb(case, firmware(case, name="network"), "source out/network_rel.gdb", *until("ready"), "relocpack-load nets[0]",
               "relocpack-load nets[2]", "break ai_network_run", "continue", "backtrace", "continue", "continue", "backtrace",
               shown("copied", "(unsigned)$pc - (unsigned)ram < sizeof ram"))
    place = next(source.parent.rglob("network.c")) if source.is_file() else source / "network.c"
    equal(len(re.findall(rf"^#0 +ai_network_run \(network=0x[0-9a-f]+.*?\) at {re.escape(str(place))}:\d+$", text, re.M)), 2,
          f"stops in the network\n{text}")
    equal(len(re.findall(r"^#\d+ .* main \(\) at ", text, re.M)), 2, "backtraces to main")
    equal(values(text)["copied"], ["1"], "the copy's code is in the RAM")


NPU_SESSION = """\
set pagination off
set width 0
target remote | sh again.sh
source {out}/network_rel.gdb
break LL_ATON_RT_Init_Network
set $wanted = 2
while $wanted >= 0
  continue
  set $net = *(unsigned *)($r0 + {handle})
  if (*(unsigned *)$net & 2) == $wanted
    relocpack-load $net
    disable 1
    tbreak network.c:{line}
    continue
    backtrace
    info args
    printf "mode %d\\n", $wanted
    printf "code %d\\n", (unsigned)$pc - *(unsigned *)($net + 12)
    printf "first %d\\n", ((EpochBlock_ItemTypeDef *)epoch_block)->epoch_num
    enable 1
    set $wanted = $wanted - 2
  end
end
kill
"""


@test(needs=[GDB, QEMU])
def neural_art(case):
    """
    An epoch of a network for the NPU, in the verification firmware and the pack's run-time: a stand-in for the
    emulator starts the debugger instead.
    """
    source, env = ll_aton(case)
    case.generate(source, "--debug", env=env, target=None)
    ll_dir = npu_kit.pack(case) / "Middlewares/ST/AI/Npu/ll_aton"
    case.write("place.c", "#include <stddef.h>\n#include \"ll_aton_NN_interface.h\"\n"
               "const char place[offsetof(NN_Instance_TypeDef, exec_state.inst_reloc)] = {1};\n")
    case.run(f"{CROSS}gcc", "-mcpu=cortex-m55", "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6", "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL",
             "-DLL_ATON_RT_MODE=LL_ATON_RT_ASYNC", "-DLL_ATON_RT_RELOC", f"-I{ll_dir}", "-c", "place.c")
    handle = int(case.run(f"{CROSS}nm", "-S", "place.o").out.split()[1], 16)
    line = next(number for number, text in enumerate(source.read_text().split("\n"), 1) if "LL_Convacc_Init(0, " in text)
    case.write("session.gdb", NPU_SESSION.format(out=case.dir / "out", handle=handle, line=line))
    case.write("emulator", f"""\
#!/usr/bin/env python3
import os, shlex, sys
words, gdb = sys.argv[1:], {str(case.dir / "gdb.log")!r}
kernel = words[words.index("-kernel") + 1]
if "loader" in kernel and not os.path.exists(gdb):
    with open("again.sh", "w") as script:
        script.write("exec {QEMU} " + shlex.join(words) + " -S -gdb stdio 2> qemu.log\\n")
    os.dup2(os.open(gdb, os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(1, 2)
    os.execvp("{GDB}", ["{GDB}", "-nx", "-batch", kernel, "-x", {str(case.dir / "session.gdb")!r}])
os.execvp("{QEMU}", ["{QEMU}", *words])
""").chmod(0o755)
    case.verify("out/network_rel.bin", "--emulator", case.dir / "emulator", env=env, status=None)
    text = (case.dir / "gdb.log").read_text()
    got = values(text)
    equal([got.get(tag) for tag in ("mode", "first")], [["2", "0"], ["1", "1"]], f"stops in the network\n{text}")
    equal(got["code"][0], got["code"][1], "offsets in the code")
    equal(len(re.findall(rf"^#0 +LL_ATON_Start_EpochBlock_1 \(epoch_block=0x[0-9a-f]+ <.*>\) at {re.escape(str(source))}:{line}$",
                         text, re.M)), 2, f"stops at the line\n{text}")
    equal(len(re.findall(r"^#\d+ .* harness_main \(\)", text, re.M)), 2, "backtraces into the firmware")


# ---- what is refused ----

@test(needs=[GDB, QEMU])
def bad_handles(case):
    """No instance, one that was destroyed, and memory that is not there: said, and an error for scripts."""
    plain_model(case)
    start = firmware(case)
    failed = 'Undefined command: "relocpack-failed".'
    text = gdb(case, start, SOURCE, "relocpack-load", "relocpack-load nets[0]", "relocpack-load 0x20000002", "relocpack-load values",
               "relocpack-unload nets[0]", "relocpack-load no_such", *until("done"), "relocpack-load nets[1]",
               "relocpack-load nets[0]", "relocpack-unload nets[0]", "relocpack-unload nets[0]", "info symbol kernel")
    equal(text.count(failed), 5, f"errors\n{text}")
    has(text, "usage: relocpack-load HANDLE [ELF]", "relocpack: 0x0 is no handle: ", "relocpack: 0x20000002 is no handle: ",
        "relocpack: no instance at 0x", 'No symbol "no_such" in current context', 'No symbol "kernel" in current context')
    matches(text, r"no instance at 0x[0-9a-f]+: not created yet, or destroyed \(its state is 0x0\)")
    equal(text.count("No symbol file found"), 2, f"nothing to unload\n{text}")


@test(needs=[GDB, QEMU])
def other_builds(case):
    """An image of another build, an ELF file of another build, none, and one that was moved."""
    plain_model(case)
    start = firmware(case)
    shutil.copytree(case.dir / "out", case.dir / "first")
    case.write("my model/model.c", MODEL.replace("0.5f", "0.25f"))
    case.generate("my model/model.c", "--entry", "model", "--debug")
    text = gdb(case, start, SOURCE, *until("done"), "relocpack-load nets[0]", "info symbol kernel", "source first/model_rel.gdb",
               "relocpack-load nets[0]", "info symbol kernel", "relocpack-load nets[0] first/none.elf",
               "relocpack-load nets[0] first/model_rel.elf", "info symbol kernel")
    matches(text, r"of another build than those whose NAME_rel.gdb was sourced.*No symbol \"kernel\".*"
            r"the ELF file is of another build than the image at 0x[0-9a-f]+; its symbols were removed again.*No symbol \"kernel\".*"
            r"first/none.elf: No such file or directory.*kernel in section .text of ")


@test
def nothing_built(case):
    """Nothing is written where nothing is built, and nothing when one of the files cannot be written."""
    source = case.write("model.c", MODEL)
    case.generate(source, "--entry", "model", "--debug", "--parse-only")
    check(not (case.dir / "out").exists(), "no output")
    case.write("out/model_rel.elf/x", "")
    has(case.refuse(1, "RP2100", source, "--entry", "model", "--debug"), "model_rel.elf': Is a directory")
