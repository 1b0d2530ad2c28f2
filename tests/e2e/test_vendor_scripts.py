# SPDX-License-Identifier: Apache-2.0
"""Scripts written for the vendor's tools: custom files, the place of the pack, file names, blanks in lists, the
log; and releases of network and runtime that differ.
"""
import json
import os
import pathlib
import re

import kit
import npu_kit
import reader
import stai_kit
import standin
from kit import CROSS, EXAMPLES, QEMU, check, each, equal, has, has_not, test
import test_stai_api as stai_api
from test_diagnostics import parsed

V10 = (10, 0)
FLOAT = "void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * 2; }\n"


def env_of(pack, **more):
    return {"STEDGEAI_CORE_DIR": pack, **more}


# ---- the custom file ----

@test
def members_of_the_vendor(case):
    """Keys that the vendor's scripts read are warnings here, null is no value, other keys are errors."""
    pack, source = standin.pack(case, V10), standin.network(case, V10)
    case.generate(source, env=env_of(pack))
    whole = (case.dir / "out/network_rel.bin").read_bytes()
    custom = case.write("custom.json", json.dumps({
        "resources_dir": "{RESOURCES_DIR}/mine", "dev": {}, "dev.rt_lib_path": None, "dev.rt_aton_root_dir": "x",
        "runtime_network_lib": None, "llvm_install_path": "", "target_triplet": None, "_note": 1,
        "stedgeai_install_path": str(pack)}))
    said = case.dir / "said"
    result = case.generate(source, "--custom", custom, "--diagnostics", said, env=env_of(None), out="custom")
    equal((case.dir / "custom/network_rel.bin").read_bytes() == whole, True, "the same image")
    lines = [line for line in parsed(said.read_text()) if line["id"] == "RP1062"]
    equal([re.search("member '([^']*)'", line["message"]).group(1) for line in lines],
          ["resources_dir", "dev", "dev.rt_lib_path", "dev.rt_aton_root_dir"], "members")
    for line in lines:
        equal((line["severity"], line["file"]), ("warning", str(custom)), "warning")
        has(result.out, line["message"])
    case.write("custom.json", '{"runtime_network_libs": "x"}')
    case.refuse(9, "RP2903", source, "--custom", custom, hint="did you mean runtime_network_lib?", out="bad")
    case.write("custom.json", '{"device": "x"}')
    has(case.refuse(9, "RP2903", source, "--custom", custom, out="bad"), "'device' is not known")


@each(["runtime_network_lib", "extra_system_path", "stedgeai_install_path", "llvm_install_path", "llvm_sysroot"])
def paths_that_are_not_there(case, key):
    pack, source = standin.pack(case, V10), standin.network(case, V10)
    for value in ("/nowhere/at/all", "~/no such thing"):
        custom = case.write("custom.json", json.dumps({key: value}))
        message = case.refuse(9, "RP2903", source, "--custom", custom, env=env_of(pack), hint="correct the path")
        has(message, f"member '{key}'", "is no file" if key == "runtime_network_lib" else "is no folder")
    custom = case.write("custom.json", json.dumps({key: str(case.dir if key == "runtime_network_lib" else custom)}))
    has(case.refuse(9, "RP2903", source, "--custom", custom, env=env_of(pack)), f"member '{key}'")


@test
def neural_art_too(case):
    made_pack, net = npu_kit.pack(case), npu_kit.network(case)
    custom = case.write("custom.json", json.dumps({"resources_dir": "x", "stedgeai_install_path": str(made_pack)}))
    result = npu_kit.generate(case, net, "--custom", custom, env={"STEDGEAI_CORE_DIR": None})
    has(result.out, "warning RP1062: custom.json: member 'resources_dir'")


# ---- where the pack is ----

@test
def pack_of_the_executable(case):
    """STEDGEAI_CORE_EXE: PACK/Utilities/linux/stedgeai, through links; it goes before STEDGEAI_CORE_DIR."""
    pack, source = npu_kit.shutil.copytree(standin.pack(case, V10), case.dir / "a pack"), standin.network(case, V10)
    program = pathlib.Path(pack) / "Utilities/linux/stedgeai"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    link = case.dir / "stedgeai"
    link.symlink_to(program)
    for number, exe in enumerate((program, link, os.path.relpath(program, case.dir))):
        case.generate(source, out=f"out{number}", env=env_of(None, STEDGEAI_CORE_EXE=exe))
        equal(case.report("network", f"out{number}")["run"]["pack_dir"], str(pack), "pack")
        case.generate(source, out=f"out{number}", env=env_of("/nowhere", STEDGEAI_CORE_EXE=exe))
    has(case.relocpack("doctor", env=env_of(None, STEDGEAI_CORE_EXE=program), status=None).out, str(pack))
    for exe in ("/nowhere/Utilities/linux/stedgeai", "/bin/sh"):
        case.generate(source, out="dir", env=env_of(pack, STEDGEAI_CORE_EXE=exe))
        case.refuse(9, "RP2900", source, out="none", env=env_of(None, STEDGEAI_CORE_EXE=exe), hint="STEDGEAI_CORE_EXE")


# ---- names and lists ----

@test
def blanks_in_lists(case):
    source = EXAMPLES / "digits/digits_float.json"
    for number, items in enumerate(("split, gen-c-file", " split ,gen-c-file ", "split,\tgen-c-file,", "split ,, gen-c-file")):
        case.generate(source, "-r", items, out=f"out{number}")
        names = set(kit.visible(case.dir / f"out{number}"))
        check({"digits_float_data.bin", "digits_float_img_rel.c", "digits_float_img_rel.h"} <= names, f"{items!r}: {names}")
        equal(case.report("digits_float", f"out{number}")["run"]["reloc"], ["split", "gen-c-file"], "run.reloc")
    case.generate(source, "-r", "split gen-c-file", out="bad", status=2)


@test(needs=[QEMU], always=True)
def names_of_the_vendor(case):
    """NAME_rel_params.bin, NAME_rel.c and .h: found by verify and inspect; those of other runs are removed."""
    source = EXAMPLES / "digits/digits_float.json"
    case.generate(source, "-r", "split,gen-c-file", "--vendor-names")
    names = set(kit.visible(case.dir / "out"))
    check({"digits_float_rel.bin", "digits_float_rel_params.bin", "digits_float_rel.c", "digits_float_rel.h"} <= names, f"{names}")
    check(not any(name.endswith(("_data.bin", "_img_rel.c", "_img_rel.h")) for name in names), f"{names}")
    has((case.dir / "out/digits_float_rel.c").read_text(), '#include "digits_float_rel.h"')
    case.run(f"{CROSS}gcc", "-c", case.dir / "out/digits_float_rel.c", "-o", case.dir / "x.o")
    files = {row["file"] for row in case.report("digits_float")["image"]["sections"] if "file" in row}
    equal(files, {"digits_float_rel.bin", "digits_float_rel_params.bin"}, "files of the sections")
    has(case.verify(case.dir / "out/digits_float_rel.bin").out, "12 of 12")
    has(case.relocpack("inspect", case.dir / "out/digits_float_rel_params.bin").out, "of the same build")
    for words, there in ((["-r", "split,gen-c-file"], {"_data.bin", "_img_rel.c", "_img_rel.h", "_rel.h"}),
                         (["-r", "split,gen-c-file", "--vendor-names"], {"_rel_params.bin", "_rel.c", "_rel.h"}), ([], {"_rel.h"})):
        case.generate(source, *words)
        every = {"_data.bin", "_img_rel.c", "_img_rel.h", "_rel_params.bin", "_rel.c", "_rel.h"}
        got = {suffix for suffix in every if (case.dir / f"out/digits_float{suffix}").exists()}
        equal(got, there, f"files with {words}")
    case.write("net/model.c", FLOAT)
    for _ in range(2):  # where the model is: the array is not taken for another
        case.generate(case.dir / "net", "-r", "gen-c-file", "--vendor-names", out="net")
    mine = case.write("out/digits_float_rel.c", "int mine;\n")
    case.generate(source)
    equal(mine.read_text(), "int mine;\n", "a file that is not ours")


@test
def names_of_the_vendor_for_neural_art(case):
    net = npu_kit.network(case)
    npu_kit.generate(case, net, "-r", "split", "--vendor-names")
    params = case.dir / f"out/{net.name}_rel_params.bin"
    reader.read_npu(case.dir / f"out/{net.name}_rel.bin", params)
    has(case.relocpack("inspect", params).out, "of the same build")


# ---- the log ----

@test
def log_of_a_whole_run(case):
    """The command line, each command, what they print, notes, the error, the exit code; appended."""
    log = case.dir / "a log.txt"
    source = case.write("model.c", "#warning seen\nstatic int calls;\n" + FLOAT.replace("{ for", "{ calls++; for") +
                        "int get(void) { return calls; }\n")
    case.generate(source, "--entry", "model", "--import", "nobody", "--log", log)
    text = log.read_text()
    has(text, "relocpack: version ", ", generate -i ", f" --log '{log}'\n", f"{CROSS}gcc", "-mcpu=cortex-m4", "seen",
        "relocpack: note RP1017: ", "relocpack: exit code 0\n")
    check(text.index("-mcpu=cortex-m4") < text.index("seen") < text.index("note RP1017"), "the order of a run")
    before = len(text)
    bad = case.write("bad.c", FLOAT + "int x = y;\n")
    case.generate(bad, "--log", log, status=4)
    equal(log.read_text()[:before], text, "the log of the run before")
    has(log.read_text()[before:], "bad.c", "'y' undeclared", "error RP2400: ", "relocpack: hint: ", "relocpack: exit code 4\n")
    case.generate(case.dir / "none.c", "--log", log, status=9)
    has(log.read_text(), "error RP2900: ", "relocpack: exit code 9\n")
    has(case.generate(source, "--log", case.dir / "none/log", status=1).err, "error RP2100", "none/log")
    for name in ("model.c", "bad.c"):  # an input is spared, whatever fails
        before = (case.dir / name).read_bytes()
        case.generate(case.dir / name, "--log", case.dir / name, status=2)
        case.generate(case.dir / "none.c", "--log", case.dir / name, status=9)
        equal((case.dir / name).read_bytes(), before, name)


# ---- releases ----

def set_release(source, release):
    config = next(pathlib.Path(source).glob("*_config.h"))
    for part, value in zip(("MAJOR", "MINOR"), release):
        config.write_text(re.sub(rf"(AI_TOOLS_VERSION_{part}\s+)\S+", rf"\g<1>{value}", config.read_text()))


def told(case, source, pack, *words):
    """The warning about releases of a run, or None."""
    said = case.dir / "said"
    case.generate(source, "--diagnostics", said, *words, env=env_of(pack))
    lines = [line for line in parsed(said.read_text()) if line["id"] == "RP1063"]
    check(len(lines) < 2, f"{lines}")
    return lines[0] if lines else None


@test(needs=[QEMU])
def network_and_runtime_of_other_releases(case):
    """All are named: an error if structs are known to differ, else a warning; none if they belong together."""
    pack, source = standin.pack(case, V10), standin.network(case, V10)
    for release in (V10, (2, 0)):  # ST Edge AI Core 2.0 has runtime 10.0
        set_release(source, release)
        equal(told(case, source, pack), None, f"{release} with 10.0")
    for release, runtime in (((2, 2), "10.2"), ((3, 0), "11.0"), ((9, 0), "9.0"), ((1, 0), "9.x")):
        set_release(source, release)
        line = told(case, source, pack)
        equal(line["severity"], "warning", "severity")
        has(line["message"], f"version {release[0]}.{release[1]} ", f"whose runtime is {runtime}",
            "ai_platform.h is of runtime 10.0", f"{standin.archive_name('M4', V10)} of 10.0")
        has(line["hint"], "relocpack verify")
    for release, runtime in (((8, 0), "8.0"), ((4, 0), "12.0"), ((7, 2), "7.2"), ((6, 0), "6.0")):
        set_release(source, release)
        has(case.refuse(9, "RP2920", source, env=env_of(pack), hint="--allow-release-mismatch"),
            f"whose runtime is {runtime}", "10.0", "structs")
    line = told(case, source, pack, "--allow-release-mismatch")  # what both hints say works
    has(line["message"], "version 6.0", "runtime 10.0", "structs")
    equal(case.report("network")["run"]["allow_release_mismatch"], True, "it is recorded")
    has(case.verify(case.dir / "out/network_rel.bin", env=env_of(pack)).out, "12 of 12")


@test
def archive_of_another_release(case):
    """The number in an archive's name, whoever names it; the headers say theirs in either of two files."""
    pack, source = npu_kit.shutil.copytree(standin.pack(case, V10), case.dir / "p"), standin.network(case, V10)
    folder = pack / standin.AI / "Lib/GCC/ARMCortexM4"
    archive = folder / standin.archive_name("M4", V10)
    for number, said in (("1010", "10.1"), ("1020", "10.2"), ("1100", "11.0")):
        archive = archive.rename(folder / f"NetworkRuntime{number}_CM4_GCC_PIC.a")
        has(told(case, source, pack)["message"], f"{archive.name} of {said}", "runtime 10.0")
    other = archive.rename(folder / "libNetworkRuntime720_CM4_GCC_PIC.a")
    has(case.refuse(9, "RP2920", source, "--runtime-lib", other, env=env_of(pack), hint="--allow-release"),
        f"{other.name} of 7.2", "runtime 10.0")
    other = other.rename(folder / "NetworkRuntime1001_CM4_GCC_PIC.a")  # the last digit counts corrections
    equal(told(case, source, pack), None, "10.0.1")
    other.rename(folder / "kernels.a")
    equal(told(case, source, pack, "--runtime-lib", folder / "kernels.a"), None, "no number")
    (pack / standin.AI / "Inc/core_datatypes.h").write_text("#define AI_PLATFORM_RUNTIME_MAJOR    (12)\n"
                                                            "#define AI_PLATFORM_RUNTIME_MINOR    (0)\n")
    has(case.refuse(9, "RP2920", source, "--runtime-lib", folder / "kernels.a", env=env_of(pack), hint="--allow-release"),
        "core_datatypes.h is of runtime 12.0")


@test
def newer_networks_of_other_releases(case):
    """stai: releases since 10.1 pass other parameters to kernels, so that each is an error."""
    pack, header = npu_kit.shutil.copytree(standin.pack(case, V10), case.dir / "p"), "Inc/stai.h"
    for tool, pack_tool, fits in (((2, 0, 0), (2, 0), True), ((3, 0, 0), (2, 1), False), ((2, 0, 0), (2, 2), False),
                                  ((1, 0, 0), (1, 0), True)):
        source = stai_kit.network(case, tool=tool)
        text = (pack / standin.AI / header).read_text().split("#define STAI_TOOLS")[0]
        (pack / standin.AI / header).write_text(text + f"#define STAI_TOOLS_VERSION_MAJOR ({pack_tool[0]})\n"
                                                       f"#define STAI_TOOLS_VERSION_MINOR ({pack_tool[1]})\n")
        archive = next((pack / standin.AI / "Lib/GCC/ARMCortexM4").glob("*.a"))
        archive.rename(archive.parent / f"NetworkRuntime{pack_tool[0] + 8}{pack_tool[1]}0_CM4_GCC_PIC.a")
        if fits:
            equal(told(case, source, pack), None, f"{tool} with {pack_tool}")
            continue
        has(case.refuse(9, "RP2920", source, env=env_of(pack), hint="--allow-release-mismatch"),
            f"by version {tool[0]}.{tool[1]} of the tool, whose runtime is {tool[0] + 8}.{tool[1]}",
            f"stai.h is of runtime {pack_tool[0] + 8}.{pack_tool[1]}", f"{pack_tool[0] + 8}{pack_tool[1]}0_CM4_GCC_PIC.a")
        equal(told(case, source, pack, "--allow-release-mismatch")["severity"], "warning", "severity")


# ---- -r copy-only where nothing needs it ----

@test(needs=[QEMU])
def copy_only_that_is_not_needed(case):
    """The image is the same as without it, and works in both modes."""
    source = EXAMPLES / "tiny/tiny.c"
    case.generate(source, out="plain")
    said = case.dir / "said"
    case.generate(source, "-r", "copy-only", "--diagnostics", said)
    equal([line["id"] for line in parsed(said.read_text())], ["RP1064"], "ids")
    equal((case.dir / "out/tiny_rel.bin").read_bytes() == (case.dir / "plain/tiny_rel.bin").read_bytes(), True, "image")
    equal(case.report("tiny")["image"]["xip_ok"], True, "xip_ok")
    has(case.verify(case.dir / "out/tiny_rel.bin").out, "12 of 12")
    env = env_of(standin.pack(case, V10))
    network = standin.network(case, V10)
    case.generate(network, out="plain", env=env)
    case.generate(network, "-r", "copy-only", env=env)
    equal((case.dir / "out/network_rel.bin").read_bytes() == (case.dir / "plain/network_rel.bin").read_bytes(), True,
          "image of a network")


# ---- the loaders' log ----

@each(["1", "0", "NDEBUG"])
def loader_log(case, value):
    """AI_RELOC_LOG_ENABLE as the vendor's loader has it: printf when it is 1, and not with NDEBUG."""
    case.generate(EXAMPLES / "tiny/tiny.c")
    words = ["-DAI_RELOC_LOG_ENABLE=1", "-DNDEBUG"] if value == "NDEBUG" else [f"-DAI_RELOC_LOG_ENABLE={value}"]
    case.run(f"{CROSS}gcc", *kit.target_flags(case, "stm32f4"), "-Os", "-Wall", "-Wextra", "-Werror", "-Wundef", *words, "-c",
             case.dir / "out/ai_reloc_network.c", "-o", case.dir / "loader.o")
    undefined = case.run(f"{CROSS}nm", "-u", case.dir / "loader.o").out
    equal("printf" in undefined, value == "1", f"printf in {undefined}")


# ---- a network in several folders ----

def parted(folder, headers, data=None):
    """Moves a network's headers, and its files of weights, to other folders."""
    for file in list(folder.iterdir()):
        target = headers if file.suffix == ".h" else data if data and file.suffix in (".raw", ".bin") else None
        if target:
            target.mkdir(parents=True, exist_ok=True)
            file.rename(target / file.name)


def flat_and_parted(case, what):
    """(environment, the C file in CubeMX's Src, the image of the same network in one folder)"""
    if what == "ll-aton":
        net = npu_kit.network(case, "Core/Src", pools="mix", epoch_controller=True)
        env, source = npu_kit.env_of(npu_kit.pack(case)), net.folder / "network.c"
    elif what == "stai":
        env = stai_api.env_of(case)
        source = stai_kit.network(case, raw=True, folder="Core/Src")
    else:
        env = env_of(standin.pack(case, V10))
        standin.network(case, V10, weights="raw").rename(case.path("Core/Src", "x").parent)
        source = case.dir / "Core/Src/network.c"
    target = None if what == "ll-aton" else "f4"
    case.generate(source, target=target, env=env, out="flat")
    return env, target, source, (case.dir / "flat/network_rel.bin").read_bytes()


@each(["st-ai", "stai", "ll-aton"])
def headers_in_inc(case, what):
    """CubeMX's Src and Inc: Inc is found, and the run says so; the image is that of a single folder."""
    env, target, source, image = flat_and_parted(case, what)
    (source.parent / "main.c").write_text("int main(void) { return 0; }\n")
    parted(source.parent, case.dir / "Core/Inc")
    said = case.dir / "said"
    for given in (source, source.parent):
        case.generate(given, "--diagnostics", said, target=target, env=env)
        check((case.dir / "out/network_rel.bin").read_bytes() == image, f"the image from {given}")
        notes = [line for line in parsed(said.read_text()) if line["id"] == "RP1070"]
        equal(len(notes), 1, "notes")
        has(notes[0]["message"], str(case.dir / "Core/Src"), str(case.dir / "Core/Inc"))


@each(["st-ai", "stai", "ll-aton"])
def headers_and_data_in_other_folders(case, what):
    """-I is searched for what stands beside a network otherwise; without it, the error says so."""
    env, target, source, image = flat_and_parted(case, what)
    headers, data = case.dir / "headers", case.dir / "data"
    parted(source.parent, headers, data)
    case.generate(source, "-I", "headers", "-I", data, target=target, env=env, cwd=case.dir)
    check((case.dir / "out/network_rel.bin").read_bytes() == image, "the image")
    message = case.generate(source, target=target, env=env, status=9, out="refused").err
    has(message, "error RP29")
    if what != "ll-aton":
        has(message, "hint: -I FOLDER")
    else:
        has(case.generate(source, "-I", headers, target=target, env=env, status=9, out="refused").err, "with -I")


@test
def initialisers_of_the_network_in_another_folder(case):
    """A network in the folder of -I has its own files; those of the C file's folder come first."""
    net = npu_kit.network(case, "mine", pools="mix")
    other = npu_kit.network(case, "other", pools="mix", seed=7)
    env = npu_kit.env_of(npu_kit.pack(case))
    case.generate(net.folder / "network.c", target=None, env=env, out="flat")
    case.generate(net.folder / "network.c", "-I", other.folder, target=None, env=env)
    check((case.dir / "out/network_rel.bin").read_bytes() == (case.dir / "flat/network_rel.bin").read_bytes(), "the image")
    (net.folder / "network_atonbuf.xSPI2.raw").unlink()
    has(case.generate(net.folder / "network.c", "-I", other.folder, target=None, env=env, status=9, out="no").err,
        "error RP2904", "pool xSPI2", str(net.folder / "network_atonbuf.xSPI2.raw"))
