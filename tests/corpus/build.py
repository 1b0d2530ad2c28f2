# SPDX-License-Identifier: Apache-2.0
"""Builds a construct twice: as an image, by relocpack, and statically, by the toolchain alone.

The static build shares nothing with the project: it uses GNU ld's default script, no list of section
names, and a driver of its own that calls the entry; every loadable segment goes where the ELF file
wants it, with zeros where it says so. So it cannot lose what a linker script of ours loses.
"""
import json
import os
import pathlib
import shlex
import struct
import subprocess
import threading
import zlib

from cases import CTYPES

ROOT = pathlib.Path(__file__).resolve().parents[2]
CROSS = "arm-none-eabi-"
PIC = ["-fpic", "-msingle-pic-base", "-mpic-register=r9", "-mno-pic-data-is-text-relative"]
CORES = {  # --target, or --mcu, and flags of the compiler, as `relocpack targets` has them
    "M0": ("stm32f0", "-mcpu=cortex-m0 -mthumb -mfloat-abi=soft"),
    "M23": ("ra2l1", "-mcpu=cortex-m23 -mthumb -mfloat-abi=soft"),
    "M3": ("cortex-m3", "-mcpu=cortex-m3 -mthumb -mfloat-abi=soft"),
    "M4": ("stm32f4", "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"),
    "M7": ("stm32h7", "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16"),
    "M33": ("stm32u5", "-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16"),
    "M55": ("stm32n6", "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard -mfpu=auto"),
}
VARIANTS = {"gcc": [], "split": ["-r", "split"], "llvm": ["-r", "llvm"], "compact": ["-r", "compact"],
            "copy": ["-r", "copy-only"], "whole": ["--weights-threshold", "0", "--acts-threshold", "0"]}
DRIVERS = threading.Lock()
DRIVER = """#include <stdint.h>
#include <stddef.h>
{decl}
extern void (*const __init_array_start[])(void), (*const __init_array_end[])(void);
uint32_t corpus_entry(uint32_t operation, void *const *in, void *const *out) {{
    {names}
    if (operation == 0) {{
        for (void (*const *init)(void) = __init_array_start; init != __init_array_end; init++)
            (*init)();
        {init}
        return 0;
    }}
    {call}
    return 0;
}}
"""


class Broken(Exception):
    """The construct itself does not build, which is a fault of the corpus."""


def run(command, cwd, env=None):
    return subprocess.run([str(word) for word in command], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)


def must(command, cwd):
    done = run(command, cwd)
    if done.returncode != 0:
        raise Broken(f"{shlex.join(map(str, command))}\n{done.stdout.decode(errors='replace')[-1500:]}")


def driver_of(case):
    kinds = [(f"in{i}", "const ", name) for i, (name, _) in enumerate(case.inputs)]
    kinds += [(f"out{i}", "", name) for i, (name, _) in enumerate(case.outputs)]
    names = " ".join(f"{const}{CTYPES[kind]} *{name} = {name.rstrip('0123456789')}"
                     f"[{name.lstrip('inout')}]; (void){name};" for name, const, kind in kinds)
    parameters = ", ".join(f"{const}{CTYPES[kind]} *" for _, const, kind in kinds)
    decl = case.decl or f"void model({parameters});"
    call = case.call or f"model({', '.join(name for name, _, _ in kinds)})"
    return DRIVER.format(decl=decl, names=names, call=call + ";", init=case.init + ";" if case.init else "")


def write_sources(case, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ("model" + case.suffix)).write_text(case.text, encoding="utf-8")
    for file in case.files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")
    if case.manifest is not None:
        sources = ["model" + case.suffix] + [file.name for file in case.files if file.to == "source"]
        (folder / "model.json").write_text(json.dumps({"sources": sources, **case.manifest}))


def compiler(case, core, clang):
    flags = CORES[core][1].split()
    if case.suffix == ".cpp":  # Debian's packages have no C++ run-time library
        flags += ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"]
    elif clang:
        flags = [flag for flag in flags if flag != "-mfpu=auto"]
        return ["clang", "--target=arm-none-eabi", "-isystem", "/usr/lib/arm-none-eabi/include", *flags,
                "-fshort-enums", "-O2", *case.cflags.split()]
    return [CROSS + "gcc", *flags, "-O2", *case.cflags.split()]


def compile_part(file, core, out, folder, pic):
    """One file of an archive or an object, and what is done to it afterwards."""
    of_image = PIC if file.pic is True else (file.pic or "").split()
    flags = [*CORES[core][1].split(), "-O2", *(of_image if pic else []), *file.flags.split()]
    if file.clang:
        flags = ["--target=arm-none-eabi", "-isystem", "/usr/lib/arm-none-eabi/include", "-fshort-enums",
                 *(flag for flag in flags if flag != "-mfpu=auto" and flag not in PIC)]
    out.parent.mkdir(exist_ok=True)
    must(["clang" if file.clang else CROSS + "gcc", *flags, "-c", folder / file.name, "-o", out], folder)
    if file.objcopy:
        must([CROSS + "objcopy", *file.objcopy.split(), out], folder)
    return out


def libraries(case, core, folder, pic):
    """Archives and objects of the construct's files, in the order of their first file."""
    prefix = "pic" if pic else "plain"
    made, members = [], {}
    for number, file in enumerate(case.files):
        if file.to not in ("archive", "object", "joined"):
            continue
        place = folder / f"{prefix}{number}" / file.member if file.member else folder / f"{prefix}{number}.o"
        part = compile_part(file, core, place, folder, pic)
        out = part if file.to == "object" else folder / f"{prefix}-{file.archive}.{'a' if file.to == 'archive' else 'o'}"
        if out not in made:
            made.append(out)
        members.setdefault(out, (file, []))[1].append(part)
    for out, (file, parts) in members.items():
        if file.to == "archive":
            out.unlink(missing_ok=True)
            must([CROSS + "ar", file.ar, out, *parts], folder)
        elif file.to == "joined":
            must([CROSS + "ld", "-r", *parts, "-o", out], folder)
    return made


def compile_driver(case, core, folder):
    """The driver's object: most constructs have the same."""
    text = driver_of(case)
    out = folder.parent / f"driver-{zlib.crc32(text.encode()):08x}.o"
    with DRIVERS:
        if not out.exists():
            out.with_suffix(".c").write_text(text, encoding="utf-8")
            must([CROSS + "gcc", *CORES[core][1].split(), "-O2", "-w", "-c", out.with_suffix(".c"), "-o", out],
                 folder)
    return out


def build_static(case, core, folder, address, clang=False):
    """Path of the ELF file, linked for address."""
    compile_ = compiler(case, core, clang)
    sources = ["model" + case.suffix] + [file.name for file in case.files if file.to == "source"]
    objects = [folder / f"static{i}.o" for i in range(len(sources))]
    for source, out in zip(sources, objects):
        if clang and pathlib.Path(source).suffix not in (".c", ".h"):
            compile_ = compiler(case, core, False)
        must([*compile_, "-c", folder / source, "-o", out], folder)
    objects += [ROOT / "runtime/math" / f"{name}.c" for name in case.own_math]
    gcc = [CROSS + "gcc", *CORES[core][1].split(), "-O2", *case.linked.split()]
    out = folder / "static.elf"
    must([*gcc, "-ffp-contract=off", "-nostartfiles", "--specs=nosys.specs",
          f"-Wl,-Ttext-segment={address:#x},-z,max-page-size=0x1000,-e,corpus_entry",
          "-w", compile_driver(case, core, folder), *objects, *libraries(case, core, folder, False), "-lm", "-o", out],
         folder)
    return out


def command_of(case, core, folder, variant, tool):
    words = [tool, "generate", "--mcu" if CORES[core][0].startswith("cortex") else "--target", CORES[core][0], "-o", folder / "out", "--no-c-files",
             "--name", "model", "-i", folder / ("model.json" if case.manifest is not None else "model" + case.suffix)]
    if case.manifest is None and case.entry:
        words += ["--entry", case.entry]
    for file in case.files:
        if file.to == "source" and case.manifest is None:
            words += ["--source", folder / file.name]
    for library in libraries(case, core, folder, True):
        words += ["--runtime-lib", library]
    words += [f"--cflags={case.cflags}"] if case.cflags else []
    return [*words, *shlex.split(case.args), *VARIANTS[variant], "-j", "1"]


def build_image(case, core, folder, variant, options):
    """(exit status, all output)."""
    env = {**os.environ, "CCACHE_DIR": str(options.folder / "ccache"), "LC_ALL": "C.UTF-8"}
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        env.pop(name, None)
    done = run(command_of(case, core, folder, variant, options.tool), folder, env)
    return done.returncode, done.stdout.decode(errors="replace")


def segments(elf):
    """(entry, [(address, bytes, with zeros)]) of what an ELF file loads."""
    data = elf.read_bytes()
    entry, at, size, count = (*struct.unpack_from("<II", data, 24), *struct.unpack_from("<HH", data, 42))
    found = []
    for i in range(count):
        kind, offset, address, _, in_file, in_memory, _, _ = struct.unpack_from("<8I", data, at + i * size)
        if kind == 1 and in_memory:
            found.append((address, data[offset:offset + in_file] + bytes(in_memory - in_file)))
    return entry | 1, found
