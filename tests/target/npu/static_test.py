#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the stand-in of the LL_ATON pack and its network generator, without any image.

usage: static_test.py [--spread] [PART...]    PART: text that a case's name contains; default all cases
--spread: every third case.
Environment: BUILD (folder for what is built, default a temporary one), JOBS, CI (when set, a missing
tool is a failure instead of a skip). Exit status 0: all passed or skipped.

Links generated networks with the pack's run-time for QEMU's mps3-an547 (labels by --defsym, weights
by QEMU's loader) and compares what they answer with what npu_networks.py computes, for every
setting of the generator. Then compiles the image side with gcc and, when it is there, clang.
"""
import concurrent.futures
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
TOOLS = ("arm-none-eabi-gcc", "qemu-system-arm")


def need_tools():
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"{pathlib.Path(sys.argv[0]).name}: SKIPPED: {missing[0]} is missing", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 0)


need_tools()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
sys.path.insert(0, str(HERE.parent))
import harness_kit  # noqa: E402  (it runs the compiler at once)
import jobs  # noqa: E402
import npu_networks  # noqa: E402
from npu_networks import LL_ATON, V111, V113, V113_8, Options  # noqa: E402

PLATFORM = "scripts/N6_reloc/resources/platform"
WARNINGS = """-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
    -Wwrite-strings -Werror""".split()
GENERATED = ["-Wno-missing-prototypes"]  # as compilers write networks
CORE = "-mthumb -mcpu=cortex-m55 -mfpu=fpv4-sp-d16 -mtune=cortex-m55 -mfloat-abi=hard".split()
DEFINES = """-DLL_ATON_DUMP_DEBUG_API -DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6
    -DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL -DLL_ATON_RT_MODE=LL_ATON_RT_ASYNC -DLL_ATON_SW_FALLBACK
    -DLL_ATON_RT_RELOC -DLL_ATON_EB_DBG_INFO""".split()
FIRMWARE = """ll_aton ll_aton_util ll_aton_lib ll_aton_lib_sw_operators ll_sw_integer ll_sw_float
    ecloader ll_aton_runtime""".split()
IMAGE = """ll_aton ll_aton_util ll_aton_lib_sw_operators ll_sw_integer ll_sw_float ecloader
    ll_aton_reloc_callbacks""".split()
IMAGE_DEFINES = ["-DBUILD_AI_NETWORK_RELOC", "-DLL_ATON_DBG_BUFFER_INFO_EXCLUDED=1"]
IMAGE_GCC = """-fpic -mno-pic-data-is-text-relative -msingle-pic-base -mpic-register=r9 -std=gnu99
    -mno-thumb-interwork -ffast-math -fsingle-precision-constant -fvisibility=hidden
    -fno-unwind-tables -fstack-reuse=all -ffunction-sections -fdata-sections -fno-math-errno
    -fomit-frame-pointer -fno-builtin -Os""".split()
IMAGE_CLANG = """--target=thumbv8.1m.main-none-eabihf -mcpu=cortex-m55 -mfpu=fpv4-sp-d16
    -mfloat-abi=hard -fropi -frwpi -fshort-enums -std=gnu99 -ffunction-sections -fdata-sections
    -fno-builtin -Os""".split()
# Where the labels of relative pools lie on the board: not where the compiler said.
LABELS = {"xSPI2": 0x68001000, "xSPI1": 0x6A002000}
RUNS = 3
COUNTS = "inferences starts ends waits mcu_clean mcu_invalidate npu_clean internals".split()


def run_tool(command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more)
    if done.returncode:
        text = done.stdout.decode(errors="replace")
        raise AssertionError(f"{' '.join(map(str, command[:1]))}: status {done.returncode}\n{text}")
    return done.stdout.decode(errors="replace")


def includes(pack):
    return [f"-I{pack / LL_ATON}", f"-I{pack / PLATFORM / 'stm32n6'}", f"-I{pack / PLATFORM}",
            f"-I{pack / 'Middlewares/ST/AI/Inc'}", f"-I{ROOT / 'templates/harness'}",
            f"-I{ROOT / 'runtime'}"]  # last: the pack's own headers are the ones meant


class Release:
    """A pack of one version, and its firmware objects."""

    def __init__(self, folder, version):
        self.folder, self.version = folder, version
        self.shared, self.lock = {}, threading.Lock()
        self.pack = npu_networks.pack(folder / "pack", version)
        self.flags = ["-O2", "-std=gnu11", "-ffunction-sections", *CORE, *WARNINGS, *DEFINES,
                      *includes(self.pack)]
        sources = [self.pack / LL_ATON / f"{name}.c" for name in FIRMWARE]
        sources += [self.pack / "Middlewares/ST/AI/Lib/Src/network_runtime.c"]
        sources += [ROOT / "templates/harness" / name for name in ("start.c", "semihost.c")]
        self.objects = [self.compile(source, folder / f"{source.stem}.o") for source in sources]

    def compile(self, source, out, extra=()):
        run_tool(["arm-none-eabi-gcc", *self.flags, *extra, "-c", source, "-o", out])
        return out

    def compile_once(self, source, extra=()):
        """What does not depend on the network: one object for all cases with the same options."""
        key = (source, *extra)
        with self.lock:
            if key not in self.shared:
                self.shared[key] = self.compile(source, self.folder / f"shared{len(self.shared)}.o", extra)
            return self.shared[key]


def link(release, objects, labels, elf):
    """A firmware where the harness with the loader is."""
    places = [f"-Wl,--defsym={label}={value:#x}" for label, value in labels.items()]
    run_tool(["arm-none-eabi-gcc", *CORE, *harness_kit.link_flags("M55", "FIRMWARE"), *places, "-Wl,--gc-sections",
              *objects, *release.objects, "-lm", "-o", elf])
    return elf


def link_static(release, network, folder, extra):
    """A firmware with the network."""
    objects = [release.compile(network.folder / f"{network.name}.c", folder / "network.o",
                               [*GENERATED, *extra]),
               release.compile_once(HERE / "npu_main.c", [f"-DNETWORK={network.name}", *extra]),
               release.compile_once(HERE / "no_loader.c")]
    labels = {label: LABELS[pool.postfix] for label, pool in network.labels.items()}
    return link(release, objects, labels, folder / "static.elf")


def emulate(elf, blobs, folder):
    """Runs a firmware in a folder with blobs (file in the folder, address)."""
    command = ["qemu-system-arm", "-M", "mps3-an547", "-kernel", elf, "-display", "none", "-serial",
               "none", "-monitor", "none", "-parallel", "none", "-nodefaults", "-no-reboot",
               "-semihosting-config", "enable=on,target=native"]
    reset, vectors = harness_kit.reset_blob("M55", elf)
    (folder / "reset.bin").write_bytes(reset)
    for name, address in [("reset.bin", vectors), *blobs]:
        command += ["-device", f"loader,file={name},addr={address:#x},force-raw=on"]
    run_tool(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=harness_kit.TIME_LIMIT_S)


def compare(elf, network, blobs, folder):
    """Runs RUNS inferences; what they answer must be what Python says."""
    given = [network.input_data(i) for i in range(RUNS)]
    (folder / "inputs.bin").write_bytes(b"".join(given))
    emulate(elf, blobs, folder)
    got = (folder / "outputs.bin").read_bytes()
    want = b"".join(b"".join(network.expected(data)) for data in given)
    assert got == want, f"outputs:\n  got  {got.hex()}\n  want {want.hex()}"
    check_counts(network, folder)


def check_counts(network, folder):
    counts = dict(zip(COUNTS, struct.unpack(f"<{len(COUNTS)}I",
                                            (folder / "counts.bin").read_bytes())))
    engine = len(network.blob_groups()) if network.options.epoch_controller else len(network.layers)
    want = {"inferences": RUNS, "internals": 2 * RUNS, "starts": (engine + 5) * RUNS,
            "ends": (engine + 5) * RUNS, "waits": (engine + 2) * RUNS}
    got = {name: counts[name] for name in want}
    assert got == want, f"counts: got {got}, want {want}"
    assert counts["mcu_clean"] and counts["mcu_invalidate"], counts


def run_case(release, name, options, extra):
    """Builds, runs and compares one network; the error text, or None."""
    folder = release.folder / "cases" / name
    try:
        network = npu_networks.generate(folder / "network", options)
        elf = link_static(release, network, folder, extra)
        blobs = []
        for postfix, data in network.raws.items():
            pool = network.by_postfix[postfix]
            (folder / f"{postfix}.bin").write_bytes(data)
            blobs.append((f"{postfix}.bin", LABELS[postfix] if pool.relative else pool.offset))
        compare(elf, network, blobs, folder)
    except (AssertionError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None


def compilers():
    """Command lines for the image side: gcc, and clang when it is there."""
    return [command for command in (["arm-none-eabi-gcc", *CORE, *IMAGE_GCC], clang()) if command]


def image_flags(release):
    return [*WARNINGS, *DEFINES, *IMAGE_DEFINES, *includes(release.pack)]


def runtime_case(release, name, compiler):
    """Compiles the pack's own sources for images, which no network has a part in: no warnings."""
    folder = release.folder / "runtime" / name
    folder.mkdir(parents=True)
    try:
        for part in IMAGE:
            run_tool([*compiler, *image_flags(release), "-c", release.pack / LL_ATON / f"{part}.c",
                      "-o", folder / f"{part}.o"])
    except AssertionError as error:
        return str(error)
    return None


def image_case(release, name, options, extra):
    """Compiles the image side of a network: no warnings, and the sizes that images promise."""
    folder = release.folder / "images" / name
    try:
        network = npu_networks.generate(folder, options)
        conf = folder / "conf.h"
        macros = dict(C_NAME=f'"{network.name}"', C_FCT_SUFFIX=network.name, ACTS_SZ=1, PARAMS_SZ=2,
                      EXT_RAM_SZ=3, PARAMS_BIN_SZ=4, PARAMS_BIN_CRC32=5, RUNTIME_DESC='"x"',
                      RUNTIME_VERSION="0x01010100", RUNTIME_VERSION_DEV=6)
        conf.write_text("".join(f"#define {key} {value}\n" for key, value in macros.items()))
        source = folder / f"{network.name}_reloc.c"
        source.write_text((folder / f"{network.name}.c").read_text()
                          + '#include "ll_aton_reloc_network.h"\nAI_RELOC_NETWORK();\n')
        for compiler in compilers():
            out = folder / f"{pathlib.Path(compiler[0]).name}.o"
            run_tool([*compiler, *image_flags(release), '-DMODEL_CONF="conf.h"', f"-I{folder}", *GENERATED, *extra,
                      "-c", source, "-o", out])
            check_sizes(out, release)
    except AssertionError as error:
        return str(error)
    return None


def clang():
    """clang as a cross-compiler with newlib's headers, or None."""
    if shutil.which("clang") is None:
        return None
    headers = "/usr/include/newlib"
    if not pathlib.Path(headers).is_dir():
        headers = run_tool(["arm-none-eabi-gcc", "-print-sysroot"]).strip() + "/include"
    return ["clang", *IMAGE_CLANG, "-isystem", headers]


def check_sizes(out, release):
    symbols = {}
    for line in run_tool(["arm-none-eabi-nm", "-S", out]).splitlines():
        words = line.split()
        if len(words) == 4:
            symbols[words[3]] = int(words[1], 16)
    want = {"_network_rt_ctx": 68, "_network_flags": 4,
            "_network_entries": 52 if release.version[2] >= 3 else 44}
    got = {name: symbols.get(name) for name in want}
    assert got == want, f"sizes: got {got}, want {want}"


def cases():
    """(name, options, compiler options)"""
    for version in (V111, V113_8, V113):
        number = "{}.{}.{}-{}".format(*version)
        for preset in npu_networks.PRESETS:
            for controller in (False, True):
                options = Options(version=version, pools=preset, epoch_controller=controller)
                yield f"{number}-{preset}-{'ec' if controller else 'sw'}", options, ()
        for word, changes in (
                ("user", dict(user_inputs=True, user_outputs=True)),
                ("user-in", dict(user_inputs=True, pools="internal")),
                ("outputs", dict(outputs=2, user_outputs=True, pools="ext")),
                ("shuffle", dict(shuffle=7, pools="ext")), ("none", dict(internal="none")),
                ("missing", dict(internal="missing")),
                ("missing-params", dict(params_info=False)), ("used", dict(unused=False)),
                ("sections", dict(sections=True, pools="both_params")),
                ("base", dict(base=0x67000000, name="other_name", seed=5, pools="internal_two")),
                ("cacheable", dict(cacheable=("AXISRAM5",)))):
            for controller in (False, True):
                options = Options(version=version, epoch_controller=controller, **changes)
                yield f"{number}-{word}-{'ec' if controller else 'sw'}", options, ()
        for bounds in ("explicit", "implicit"):
            yield (f"{number}-{bounds}", Options(version=version, epoch_controller=True, pools="ext",
                                                 bounds=bounds), ())
        yield f"{number}-ndebug", Options(version=version, pools="mix"), (
            "-DLL_ATON_DBG_BUFFER_INFO_EXCLUDED=1",)


def run_jobs(work):
    """[(function, release, name, ...)]: runs all, prints what failed; the exit status."""
    program = pathlib.Path(sys.argv[0]).name
    calls = [(lambda job: (job, job[0](*job[1:])), job) for job in work]
    number = int(os.environ.get("JOBS", 0)) or None
    failed = [job for job in jobs.results(concurrent.futures.ThreadPoolExecutor, calls, number) if job[1]]
    for (kind, _, name, *_), error in failed:
        print(f"{program}: FAILED: {kind.__name__} {name}: {error}", file=sys.stderr)
    print(f"{len(work) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not work else 0


class Releases(dict):
    """Version -> Release, built when first asked for."""

    def __init__(self, build):
        super().__init__()
        self.build = build

    def __missing__(self, version):
        self[version] = Release(self.build / "{}.{}.{}-{}".format(*version), version)
        return self[version]


def main():
    if clang() is None:
        print("static_test.py: clang is missing: images by gcc only", file=sys.stderr)
    with tempfile.TemporaryDirectory() as temporary:
        build = pathlib.Path(os.environ.get("BUILD", temporary)).resolve() / "npu-static"
        shutil.rmtree(build, ignore_errors=True)
        releases, work = Releases(build), []
        parts, step = sys.argv[1:], 1
        if parts[:1] == ["--spread"]:
            parts, step = parts[1:], 3
        for name, options, extra in list(cases())[::step]:
            if parts and not any(part in name for part in parts):
                continue
            if options.internal != "missing":  # a firmware calls all functions of the interface
                work.append((run_case, releases[options.version], name, options, extra))
            work.append((image_case, releases[options.version], name, options, ()))
        for release in list(releases.values()):
            work += [(runtime_case, release, compiler[0], compiler) for compiler in compilers()]
        return run_jobs(work)


if __name__ == "__main__":
    sys.exit(main())
