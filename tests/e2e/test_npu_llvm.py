# SPDX-License-Identifier: Apache-2.0
"""Neural-ART images made by clang and lld: that every address is one that loaders know, that the
emulated core computes with them what Python does, what the custom file chooses, and what is refused.

starm-clang is a script around clang here, found through extra_system_path, with the settings that
the toolchain of that name has built in.
"""
import json
import os
import pathlib
import re
import shutil

import kit
import npu_kit
import npu_networks as networks
import reader
from kit import CROSS, QEMU, check, each, equal, has, test
from npu_networks import V111, V113, V113_8

NEEDS = ["clang", "ld.lld", f"{CROSS}gcc"]
NEWLIB = pathlib.Path("/usr/lib/arm-none-eabi")
CORE = "thumb/v8-m.main+fp/hard"
TARGET = "--target=thumbv8m.main-unknown-none-eabihf"
PIC = ["-mthumb", "-fropi", "-frwpi", "-fshort-enums", "-Os", "-ffunction-sections", "-fdata-sections"]
TOOLCHAINS = {"llvm": ("LLVM", 9, "CLANG"), "st-clang": ("ST_CLANG", 10, "ST_CLANG")}
PLACES = [dict(rom=0x34180000, ram=0x341C0000, params=0x71000000, ext=0x90000000),
          dict(rom=0x70ABC008, ram=0x24000048, params=0x90123448, ext=0x91000058)]
RUNS = 2


def headers():
    if not (NEWLIB / "include/string.h").is_file():
        raise kit.Skip("newlib's headers are not where Debian has them")
    return NEWLIB / "include"


def pack(case, version=V111):
    """The stand-in with kernel archives of gcc, which verify wants, and of clang. Made once."""
    def make(folder):
        networks.pack(folder, version)
        npu_kit.build_archive(case, folder)
        ai = folder / npu_kit.AI
        obj = folder / "network_runtime.o"
        case.run("clang", TARGET, *PIC, "-isystem", headers(), f"-I{ai / 'Inc'}", "-c",
                 ai / "Lib/Src/network_runtime.c", "-o", obj)
        for name, _, _ in TOOLCHAINS.values():
            archive = ai / f"Lib/{name}/ARMCortexM55/NetworkRuntime1100_CM55_{name}_PIC.a"
            archive.parent.mkdir(parents=True)
            case.run(f"{CROSS}ar", "rcsD", archive, obj)
    return kit.cached(case, "npu-clang-pack-" + "-".join(map(str, version)), make)


def script(path, *words):
    """A program that notes its arguments beside it and runs clang with these words before them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    clang = shutil.which("clang")
    path.write_text(f'#!/bin/sh\nfor word; do case $word in @*) cat "${{word#@}}" ;; *) echo "$word" ;; esac; done '
                    f'>>"$0.log"\nexec {clang} {" ".join(words)} "$@"\n')
    path.chmod(0o755)
    return path


def custom(case, name="custom.json", **members):
    return case.write(name, json.dumps(members))


def words_for(case, toolchain):
    """Options that choose a toolchain."""
    if toolchain == "llvm":
        return ["--compatible-mode"]  # the stand-in wants short enums, as its firmware has them
    program = script(case.path("bin", "starm-clang"), "--target=thumbv8m.main-none-eabihf", "-D__starm__",
                     "-fshort-enums", "-fuse-ld=lld", f"-isystem {headers()}")
    return ["--custom", custom(case, extra_system_path=str(program.parent))]


def build(case, net, toolchain="llvm", choice=(), more=None, **options):
    """Output of generate for a network, in out/, the workspace in work/."""
    headers()
    root = pack(case, net.options.version)
    more = words_for(case, toolchain) if more is None else more
    npu_kit.generate(case, net, "-r", ",".join([toolchain, *choice]), *more, "--launcher", "none",
                     "--workspace", case.dir / "work", root=root, **options)
    return npu_kit.Made(net, case.dir / options.get("out", "out"), case.dir / "work", "")


# ---- structure ----

def symbols(case, made):
    """Name -> address; clang puts the function's name before that of its static variables."""
    table = {}
    for line in case.run(f"{CROSS}nm", made.workspace / "image.elf").out.splitlines():
        words = line.split()
        if len(words) == 3:
            table[words[2].rsplit(".", 1)[-1]] = int(words[0], 16)
    return table


def check_image(case, made, toolchain, choice):
    """The header, pools, and that all addresses lead to what the network's generator meant."""
    image, net, table = made.read(), made.network, symbols(case, made)
    _, number, name = TOOLCHAINS[toolchain]
    equal((image.toolchain, image.secure, image.is_async, image.dbg_info), (number, False, True, True), "flags")
    equal((image.cpuid, image.float_abi, image.fpu), ("D22", 2, 1), "core")
    has(image.rt_description, f"(RELOC.{name})")
    equal(image.got, [], "the GOT is empty")
    check(image.rel_flash, "there are words of read-only memory to rebase")
    blobs = npu_kit.check_pools(image, net, "ecblob-in-params" in choice and net.options.epoch_controller)
    npu_kit.check_words(image, net, table, blobs)
    for places in PLACES:
        memory = image.install(places, copy=True)
        npu_kit.check_tensors(image, net, table, places, memory)
        if net.options.epoch_controller:
            npu_kit.check_blobs(image, net, table, places, memory)
            npu_kit.check_epochs(image, net, table, places, memory)
        else:
            npu_kit.check_streams(image, net, table, places, memory)
    return image


def check_report(made, image):
    """COPY only, with the reason; the number of read-only words that are patched."""
    report = json.loads((made.out / f"{made.name}_generate_rel.json").read_text())
    equal(report["image"]["xip_ok"], False, "xip_ok")
    check(report["image"]["reasons"], "the reason is there")
    notes = [item["message"] for item in report["diagnostics"] if item["id"] == "RP1012"]
    equal(len(notes), 1, "notes RP1012")
    has(notes[0], f"{len(image.rel_flash)} words", "COPY mode only")
    has((made.out / f"{made.name}_generate_report.txt").read_text(), "sec=False")


def check_answers(case, made):
    """Every run in COPY mode gives the results of Python; XIP is refused. A custom file that chooses the compiler is named again."""
    net = made.network
    data = [net.input_data(i) for i in range(RUNS)]
    outputs = [b"".join(parts) for parts in zip(*map(net.expected, data))]
    given = ["--input", case.write("x.bin", b"".join(data))]
    for i, expected in enumerate(outputs):
        given += ["--expected", case.write(f"want{i}.bin", expected), "--save-output", case.dir / f"got{i}.bin"]
    env, choice = npu_kit.env_of(pack(case, net.options.version)), case.dir / "custom.json"
    if choice.exists():
        log = case.dir / "bin/starm-clang.log"
        log.unlink()
        has(case.verify(made.image_path, *given, env=env, status=2).err, "RP2202", "'extra_system_path'", f"'{case.dir / 'bin'}'", "--trust-report")
        check(not log.exists(), "the compiler of the file was started")
        given += ["--custom", choice]
    text = case.verify(made.image_path, *given, env=env).out
    for i, expected in enumerate(outputs):
        equal((case.dir / f"got{i}.bin").read_bytes(), expected, f"output {i} of the image")
    has(text, "against the expected outputs", "bit-exact", "runs bit-identical", "XIP mode: refused")


def check_all(case, made, toolchain, choice):
    check_report(made, check_image(case, made, toolchain, choice))
    check_answers(case, made)


ARRANGEMENTS = [(preset, word, toolchain) for toolchain in TOOLCHAINS for word in ("functions", "blobs")
                for preset in ("flash", "ext", "mix", "internal")]
QUICK = {("ext", "functions", "llvm"), ("mix", "blobs", "llvm"), ("mix", "blobs", "st-clang")}


SPREAD = [what for i, what in enumerate(ARRANGEMENTS) if (i + i // 4 + i // 8) % 2 == 0] + list(QUICK)


@each(ARRANGEMENTS, needs=[*NEEDS, QEMU], slow=lambda what: what not in QUICK, spread=SPREAD)
def image(case, what):
    preset, word, toolchain = what
    net = npu_kit.network(case, pools=preset, epoch_controller=word == "blobs")
    check_all(case, build(case, net, toolchain), toolchain, ())


VARIANTS = {
    "params": (("ecblob-in-params",), dict(pools="both_params")),
    "params_split": (("ecblob-in-params", "split"), dict(pools="mix", version=V113)),
    "params_early_1_1_3": (("ecblob-in-params",), dict(pools="ext", version=V113_8, user_outputs=True)),
    "params_internal": (("ecblob-in-params",), dict(pools="internal", version=V113)),
    "params_without_blobs": (("ecblob-in-params",), dict(pools="ext_mixed", epoch_controller=False)),
    "user": ((), dict(pools="ext", user_inputs=True, user_outputs=True)),
    "late": ((), dict(pools="mix", version=V113)),
    "late_functions": (("split",), dict(pools="both_params", version=V113, epoch_controller=False)),
    "shuffled": ((), dict(pools="both_params", shuffle=3, name="Person_Detect2")),
    "virtual": ((), dict(pools="virtual")),
}


@each(list(VARIANTS), needs=[*NEEDS, QEMU], slow=lambda label: label != "params_split")
def variant(case, label):
    choice, changes = VARIANTS[label]
    net = npu_kit.network(case, **{"epoch_controller": True, **changes})
    check_all(case, build(case, net, choice=choice), "llvm", choice)


@each(["-O0", "-O3", "-Oz"], needs=[*NEEDS, QEMU], slow=lambda flag: flag != "-Oz")
def optimised(case, flag):
    """Distances from the static base are in instructions or, with -Oz, in words."""
    net = npu_kit.network(case, pools="both_params", epoch_controller=True)
    made = build(case, net, choice=("ecblob-in-params",), more=["--compatible-mode", f"--cflags={flag}"])
    check_all(case, made, "llvm", ("ecblob-in-params",))
    types = (made.out / "network_generate_report.txt").read_text()
    equal("R_ARM_SBREL32" in types, flag == "-Oz", "words with a distance")


# ---- the rewritten files ----

def restored(text):
    """A rewritten file as it was before."""
    text = re.sub(r"\A.*?^#line 1 [^\n]*\n", "", text, flags=re.S | re.M)
    text = re.sub(r"\n#define rp_code_(?:[^\n]*\\\n)*[^\n]*\n#line \d+", "", text)
    text = re.sub(r"(\n#(?:else|elif|endif)[^\n]*)\n#line \d+", r"\1", text)
    text = re.sub(r" static const \w+ \(\*volatile rp_blob_\d+\)\[\] = &\w+;", "", text)
    return text.replace("rp_code_", "")


@test(needs=NEEDS)
def only_names_are_replaced(case):
    net = npu_kit.network(case, pools="mix", epoch_controller=True)
    made = build(case, net, choice=("ecblob-in-params",))
    for name in ("network.c", "network_ecblobs.h"):
        before = (net.folder / name).read_text()
        after = (made.workspace / "rewritten" / name).read_text()
        has(after, f'#line 1 "{net.folder / name}"\n')
        places = [(match.start(), match[0]) for match in re.finditer(r"\(\*rp_\w+\)", restored(after))]
        check(places, f"{name}: nothing was replaced")
        names = {**{f"(*{word})": label for label, word in labels_of(made).items()}, **blobs_of(after, made)}
        equal(re.sub(r"\(\*rp_(?:label|blob)_\d+\)", lambda match: names[match[0]], restored(after)), before,
              f"{name}, put back")


def labels_of(made):
    text = (made.workspace / "labels.c").read_text()
    return dict(re.findall(r"(?<=extern unsigned char )(\w+)\[\];\nunsigned char \(\*volatile (\w+)\)", text))


def blobs_of(text, made):
    text += (made.workspace / "rewritten/network_ecblobs.h").read_text()
    return {f"(*{word})": blob for word, blob in re.findall(r"\(\*volatile (rp_blob_\d+)\)\[\] = &(\w+);", text)}


@test(needs=NEEDS)
def nothing_to_rewrite(case):
    """Without relative pools the network is compiled unchanged."""
    made = build(case, npu_kit.network(case, pools="internal", epoch_controller=True))
    check(not (made.workspace / "rewritten").exists(), "no rewritten files")


@test(needs=NEEDS)
def diagnostics_name_the_users_lines(case):
    net = npu_kit.network(case, pools="ext", epoch_controller=True)
    for name in ("network.c", "network_ecblobs.h"):
        path = net.folder / name
        text = path.read_text()
        path.write_text(text + "\nint broken = missing;\n")
        line = (text + "\n").count("\n") + 1
        message = npu_kit.generate(case, net, "-r", "llvm", "--compatible-mode", root=pack(case), status=4).err
        has(message, "error RP2400", f"{name}:{line}:", "'missing'")
        path.write_text(text)


@test(needs=NEEDS)
def uses_that_cannot_be_told(case):
    net = npu_kit.network(case, pools="ext")
    path = net.folder / "network.c"
    text = path.read_text() + "\nint shadow(int _mem_pool_xSPI1_network) {\n  return 1;\n}\n"
    path.write_text(text)
    line = text.count("\n") - 2
    message = npu_kit.refuse(case, 9, "RP2900", net, "-r", "llvm", "--compatible-mode", root=pack(case))
    has(message, f"{path}:{line}: cannot tell whether code uses '_mem_pool_xSPI1_network'")


@test(needs=NEEDS)
def static_macro_is_found_by_the_compiler(case):
    """A macro that hides static: what is constant then has no other text, and clang says where."""
    net = npu_kit.network(case, pools="ext")
    path = net.folder / "network.c"
    text = path.read_text() + ("\n#define HIDDEN static\nconst void *hidden(void) {\n"
                               "  HIDDEN const void *at = _mem_pool_xSPI1_network;\n  return at;\n}\n")
    path.write_text(text)
    message = npu_kit.generate(case, net, "-r", "llvm", "--compatible-mode", root=pack(case), status=4).err
    has(message, f"network.c:{text.count(chr(10)) - 2}:", "not a compile-time constant")


@test(needs=NEEDS)
def same_image_anywhere(case):
    """Neither the workspace nor the network's folder shows, not even in __FILE__."""
    images = []
    for number, folder in enumerate(("one", "two/with a space", "three")):
        net = npu_kit.network(case, folder, pools="mix", epoch_controller=True)
        path = net.folder / "network.c"
        path.write_text(path.read_text().replace(
            "  LL_ATON_LIB_UNUSED(size);\n", "  static const char *volatile file = __FILE__;\n  (void)file;\n", 1))
        made = build(case, net, out=f"out{number}")
        shutil.move(made.workspace, case.dir / f"work{number}")
        images.append((case.dir / f"out{number}/network_rel.bin").read_bytes())
    check(b"\0network.c\0" in images[0], "__FILE__ is the name without folders")
    check(os.fsencode(case.dir) not in images[0], "no path of this test")
    equal([image == images[0] for image in images], [True] * 3, "the same bytes")


# ---- the custom file ----

def notes(program):
    return pathlib.Path(f"{program}.log").read_text().split("\n")


@test(needs=NEEDS)
def llvm_of_the_custom_file(case):
    """The compiler, the C library and the core that the file names, and none else."""
    root = case.dir / "llvm"
    program = script(root / "bin/clang")
    sysroot = root / "lib/clang-runtimes/newlib/arm-none-eabi/armv8m.main_hard_fp"
    copy_sysroot(sysroot)
    net = npu_kit.network(case, pools="mix", epoch_controller=True)
    choice = custom(case, llvm_install_path=str(root))
    made = build(case, net, more=["--compatible-mode", "--custom", choice])
    check_image(case, made, "llvm", ())
    said = notes(program)
    check(TARGET in said, "the default target")
    check(f"--sysroot={sysroot}" in said, "the C library of the installation")
    has((made.workspace / "libraries.ld").read_text(), f'"{sysroot}/lib/libc.a"')
    other = case.dir / "elsewhere"
    shutil.move(sysroot, other)
    choice = custom(case, llvm_install_path=str(root), llvm_sysroot=str(other),
                    target_triplet="thumbv8m.main-none-eabihf")
    pathlib.Path(f"{program}.log").unlink()
    build(case, net, more=["--compatible-mode", "--custom", choice], out="out2")
    said = notes(program)
    check("--target=thumbv8m.main-none-eabihf" in said and TARGET not in said, "the target of the file")
    check(f"--sysroot={other}" in said, "the C library of the file")


def copy_sysroot(folder):
    headers()
    (folder / "lib").mkdir(parents=True)
    (folder / "include").symlink_to(NEWLIB / "include")
    (folder / "lib/libc.a").symlink_to(NEWLIB / "newlib" / CORE / "libc.a")


@test(needs=NEEDS)
def clang_in_extra_system_path(case):
    """Searched before PATH, for -r llvm as well as for -r st-clang."""
    program = script(case.path("bin", "clang"))
    choice = custom(case, extra_system_path=str(program.parent))
    build(case, npu_kit.network(case), more=["--compatible-mode", "--custom", choice])
    check("-frwpi" in notes(program), "the compiler of the folder ran")


@test(needs=NEEDS)
def flags_of_st_clang(case):
    build(case, npu_kit.network(case), "st-clang")
    said = notes(case.dir / "bin/starm-clang")
    for word in ("-mcpu=cortex-m55", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-fno-short-wchar", "-fropi", "-frwpi",
                 "-fvisibility=protected", "-Os", "-std=gnu99", "-fno-builtin", "-fno-unwind-tables",
                 "-ffunction-sections", "-fdata-sections", "-fomit-frame-pointer", "-nostdlib"):
        check(word in said, f"{word} is not given")
    check(not [word for word in said if word.startswith(("-mcmse", "--target", "--sysroot", "-fuse-ld"))],
          "nothing that the toolchain has built in, and no secure code")


@test(needs=NEEDS)
def toolchains_that_are_not_there(case):
    net, root = npu_kit.network(case), pack(case)
    missing = custom(case, llvm_install_path=str(case.dir / "none"))
    message = npu_kit.refuse(case, 9, "RP2903", net, "-r", "llvm", "--custom", missing, root=root)
    has(message, "llvm_install_path", "none' is no folder")
    missing = custom(case, llvm_sysroot=str(case.dir / "none"))
    message = npu_kit.refuse(case, 9, "RP2903", net, "-r", "llvm", "--custom", missing, root=root)
    has(message, "llvm_sysroot", "none' is no folder")
    if shutil.which("starm-clang") is None:
        message = npu_kit.refuse(case, 3, "RP2300", net, "-r", "st-clang", root=root, hint="-r llvm needs only")
        has(message, "starm-clang", "was not found")


@test(needs=NEEDS)
def functions_that_no_library_has(case):
    """clang itself inserts calls of memcpy: without a C library that is an error with names."""
    copy_sysroot(case.dir / "sysroot")
    (case.dir / "sysroot/lib/libc.a").unlink()
    choice = custom(case, llvm_sysroot=str(case.dir / "sysroot"))
    message = npu_kit.refuse(case, 6, "RP2600", npu_kit.network(case), "-r", "llvm", "--compatible-mode", "--custom",
                             choice, root=pack(case))
    has(message, "'memcpy' needed by")


@test(needs=NEEDS)
def secure_mode_is_off(case):
    """With and without no-secure: clang cannot generate code for the secure state."""
    net = npu_kit.network(case)
    for number, choice in enumerate(((), ("no-secure",))):
        made = build(case, net, choice=choice, out=f"out{number}")
        equal(reader.NpuImage(made.image_path.read_bytes()).secure, False, "bit 20")
        check("-mcmse" not in (made.workspace / "obj/001.rsp").read_text(), "-mcmse")
