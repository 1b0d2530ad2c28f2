# SPDX-License-Identifier: Apache-2.0
"""A vendor pack and generated networks, made from tests/fixtures: no vendor file is needed or read.

pack() copies the stand-in pack, sets its version and builds the kernel archives; network() writes a
network in the layout of a tool version, with its weights in one of the three forms that generators use.
"""
import re
import shutil
import struct

import kit
from kit import CROSS, FIXTURES

SPLIT = {"hidden_weights": (0, 1536), "hidden_bias": (1536, 1632), "output_weights": (1632, 2400), "output_bias": (2400, 2432)}
CORES = {"M0+": "stm32g0", "M3": "cortex-m3", "M4": "stm32f4", "M7": "stm32h7", "M33": "stm32u5", "M55": "stm32n6"}
WEIGHTS = struct.pack("<608f", *((i * 29 % 61 - 30) / 64 for i in range(608)))
AI = "Middlewares/ST/AI"


def number(version):
    return f"{version[0]}{version[1]}0"


def archive_name(core, version, pic=True):
    return f"NetworkRuntime{number(version)}_C{core}_GCC{'_PIC' if pic else ''}.a"


def build_archive(case, ai, core, version, pic=True, skip=()):
    """Lib/GCC/ARMCortex<core>/NetworkRuntime<ver>_C<core>_GCC[_PIC].a out of Lib/Src."""
    folder = ai / "Lib/GCC" / f"ARMCortex{core}"
    folder.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in sorted((ai / "Lib/Src").glob("*.c")):
        if source.stem in skip:
            continue
        obj = folder / f"{source.stem}{'_pic' if pic else ''}.o"
        kit.compile_object(case, source, obj, CORES[core], pic,
                           [f"-I{ai / 'Inc'}", "-Wall", "-Wextra", "-Werror", "-fno-math-errno"])
        objects.append(obj)
    archive = folder / archive_name(core, version, pic)
    archive.unlink(missing_ok=True)
    case.run(f"{CROSS}ar", "rcsD", archive, *objects)
    for obj in objects:
        obj.unlink()
    return archive


def set_version(header, prefix, version):
    """The numbers of the two #define lines PREFIX_MAJOR and PREFIX_MINOR."""
    text = header.read_text()
    for part, value in (("MAJOR", version[0]), ("MINOR", version[1])):
        text, count = re.subn(rf"(#define {prefix}_{part}) \d+", rf"\1 {value}", text)
        kit.equal(count, 1, f"{prefix}_{part} in {header.name}")
    header.write_text(text)


def pack(case, version, cores=("M4",), macro=True, pic=(True,), name="pack"):
    """The root of a pack (what STEDGEAI_CORE_DIR names). macro: with the Reloc folder."""
    def make(folder):
        shutil.copytree(FIXTURES / "pack" / AI, folder / AI)
        ai = folder / AI
        set_version(ai / "Inc/ai_platform.h", "AI_PLATFORM_RUNTIME", version)
        if not macro:
            shutil.rmtree(ai / "Reloc")
        for core in cores:
            for kind in pic:
                build_archive(case, ai, core, version, kind)
    label = f"{name}-{number(version)}-{'-'.join(cores)}-{macro}-{len(pic)}{pic[0]}"
    return kit.cached(case, label, make)


def c_words(data):
    words = struct.unpack(f"<{len(data) // 8}Q", data)
    lines = [", ".join(f"0x{word:016x}U" for word in words[i:i + 3]) for i in range(0, len(words), 3)]
    return ",\n    ".join(lines)


def network(case, version, weights="params", name="model", data=WEIGHTS):
    """
    A folder with a network. weights: "params" (u64 array in network_data_params.c), "bytes" (in a
    function of network_data.c), "raw" (network_data.bin, nothing in C), "raw_array" (the same, the
    code names an array all the same), "split" (as with --split-weights: an array for each tensor in
    network_data_params.c, and a table of them).
    """
    buffers = version < (7, 1)
    folder = case.path(name, "network.c").parent
    shutil.copytree(FIXTURES / "networks" / ("buffers" if buffers else "maps"), folder, dirs_exist_ok=True)
    set_version(folder / "network_config.h", "AI_TOOLS_VERSION", version)
    if buffers:
        body = ", ".join(map(str, data)) if weights == "bytes" else None
        array = (f"    AI_ALIGNED(4) static const ai_u8 s_network_weights[{len(data)}] = {{{body}}};\n"
                 "    return AI_HANDLE_PTR(s_network_weights);\n" if body else "    return AI_HANDLE_NULL;\n")
        (folder / "network_data.c").write_text(
            '#include "network_data.h"\n\nai_handle ai_network_data_weights_get(void) {\n' + array + "}\n")
    elif weights == "params":
        (folder / "network_data_params.c").write_text(
            '#include "network_data_params.h"\n\nAI_ALIGNED(32)\nconst ai_u64 '
            f"s_network_weights_array_u64[{len(data) // 8}] = {{\n    {c_words(data)}}};\n")
    elif weights == "split":
        header = folder / "network_data_params.h"
        header.write_text(header.read_text().replace("WEIGHTS_COUNT     (1)", f"WEIGHTS_COUNT     ({len(SPLIT)})"))
        names = [f"s_network_{part}_array_u64" for part in SPLIT]
        arrays = [f"AI_ALIGNED(64)\nconst ai_u64 {name}[{(end - start) // 8}] = {{\n    {c_words(data[start:end])}}};\n"
                  for name, (start, end) in zip(names, SPLIT.values())]
        table = ", ".join(f"AI_HANDLE_PTR({name})" for name in names)
        (folder / "network_data_params.c").write_text(
            '#include "network_data_params.h"\n\n' + "\n".join(arrays) +
            f"\nai_handle g_network_weights_table[{len(SPLIT)} + 2] = {{AI_HANDLE_PTR(0xA1FACADE), {table}, AI_HANDLE_PTR(0xA1FACADE)}};\n")
    else:
        header = folder / "network_data_params.h"
        outside = "#define AI_NETWORK_DATA_WEIGHTS_OUTSIDE\n" if weights == "raw" else ""
        header.write_text(header.read_text().replace("#include", outside + "#include", 1))
        (folder / "network_data_params.c").write_text('#include "network_data_params.h"\n')
    if weights.startswith("raw"):
        (folder / "network_data.bin").write_bytes(data)
    return folder


def rename(folder, name):
    """The same network under another C name."""
    for path in list(folder.iterdir()):
        if path.suffix in (".c", ".h"):
            text = path.read_text()
            text = re.sub(r"\b(ai|g|s)_network_(?!params|report|s\b)", rf"\1_{name}_", text)
            text = re.sub(r"\bAI_NETWORK_(?!OBJ|PARAMS)", f"AI_{name.upper()}_", text)
            text = re.sub(r'"network(?=[_."])', f'"{name}', text)
            path.write_text(text)
        path.rename(folder / path.name.replace("network", name, 1))
    return folder


def reference(inputs, data=WEIGHTS):
    """What the network computes, in single precision."""
    def f32(value):
        return struct.unpack("<f", struct.pack("<f", value))[0]
    values = struct.unpack("<608f", data)

    def dense(x, at, rows):
        out = []
        for row in range(rows):
            total = values[at + rows * len(x) + row]
            for i, item in enumerate(x):
                total = f32(total + f32(values[at + row * len(x) + i] * item))
            out.append(total)
        return out
    hidden = [max(value, 0.0) for value in dense(inputs, 0, 24)]
    return dense(hidden, 408, 8)
