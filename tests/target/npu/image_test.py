#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages generated networks with relocpack, installs them with the loader, compares the answers.

usage: image_test.py [PART...]    PART: text that a case's name contains; default all cases
Environment: RELOCPACK (default build/relocpack), BUILD, JOBS and CI as static_test.py has them. Exit
status 0: all passed or skipped.

Firmware: the stand-in pack's run-time, runtime/ll_aton_reloc_network.c and npu_main.c, on QEMU's
mps3-an547. Every network in COPY and in XIP mode; what is expected comes from npu_networks.py.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import static_test as kit  # noqa: E402
from static_test import HERE, ROOT, V111, V113, V113_8, Options, npu_networks

REGIONS = "-DLL_ATON_RELOC_REGIONS=model_memory"  # a table of just the rows that the image's header says
TABLE = """#include "ll_aton_reloc_loader.h"
#include "{name}_rel.h"
const ll_aton_reloc_region model_memory[] = {{AI_{up}_RELOC_REGIONS {{0, 0}}}};
"""
IMAGE_AT, PARAMS_AT = 0x62000040, 0x63000080
MODES = {"xip": 1, "copy": 2, "copy-clear": 6}
CLEARED = ("mix", "internal")  # what CLEAR is tried with
RELOCPACK = pathlib.Path(os.environ.get("RELOCPACK", ROOT / "build/relocpack")).resolve()


def package(release, network, folder, words):
    """The image and the parameters of their own, when split."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    environment = dict(os.environ, RELOCPACK_DATADIR=str(ROOT), STEDGEAI_CORE_DIR=str(release.pack))
    kit.run_tool([RELOCPACK, "generate", "-i", network.folder, "--target", "stm32n6", "-o", out, "-r",
                  ",".join(["no-secure", *words])], env=environment)
    data = out / f"{network.name}_data.bin"
    return out / f"{network.name}_rel.bin", data if "split" in words else None


def run_case(release, name, options, words, mode):
    """Packages, installs, runs and compares one network; the error text, or None."""
    folder = release.folder / "cases" / name
    try:
        network = npu_networks.generate(folder / "network", options)
        image, params = package(release, network, folder, words)
        macros = [f"-DIMAGE={IMAGE_AT:#x}", f"-DMODE={mode}",
                  f"-DPARAMS={PARAMS_AT if params else 0:#x}", REGIONS]
        objects = [release.compile_once(HERE / "npu_main.c", macros),
                   release.compile_once(ROOT / "runtime/ll_aton_reloc_network.c", [REGIONS])]
        table = folder / "table.c"
        table.write_text(TABLE.format(name=network.name, up=network.name.upper()))
        objects.append(release.compile(table, folder / "table.o", [REGIONS, f"-I{image.parent}"]))
        elf = kit.link(release, objects, {}, folder / "firmware.elf")
        blobs = [(image, IMAGE_AT), *([(params, PARAMS_AT)] if params else [])]
        kit.compare(elf, network, blobs, folder)
    except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None


def networks():
    """(name, options, words of -r)"""
    for version in (V111, V113_8, V113):
        number = "{}.{}.{}-{}".format(*version)
        for preset in npu_networks.PRESETS:
            for controller in (False, True):
                options = Options(version=version, pools=preset, epoch_controller=controller)
                yield f"{number}-{preset}-{'ec' if controller else 'sw'}", options, ()
        for word, changes, words in (
                ("user", dict(user_inputs=True, user_outputs=True), ()),
                ("outputs", dict(outputs=2, pools="ext", name="two"), ()),
                ("shuffle", dict(shuffle=7, pools="ext"), ()),
                ("none", dict(internal="none", pools="ext"), ()),
                ("split", dict(pools="mix"), ("split",)),
                ("blobs", dict(pools="mix"), ("ecblob-in-params",)),
                ("blobs-split", dict(pools="mix"), ("ecblob-in-params", "split"))):
            for controller in (False, True):
                options = Options(version=version, epoch_controller=controller, **changes)
                yield f"{number}-{word}-{'ec' if controller else 'sw'}", options, words


def main():
    if not RELOCPACK.is_file():
        print(f"image_test.py: SKIPPED: {RELOCPACK} is missing", file=sys.stderr)
        return 1 if os.environ.get("CI") else 0
    with tempfile.TemporaryDirectory() as temporary:
        build = pathlib.Path(os.environ.get("BUILD", temporary)).resolve() / "npu-image"
        shutil.rmtree(build, ignore_errors=True)
        releases, work = kit.Releases(build), []
        for name, options, words in networks():
            for mode, bits in MODES.items():
                case = f"{name}-{mode}"
                if mode.endswith("clear") and options.pools not in CLEARED:
                    continue
                if sys.argv[1:] and not any(part in case for part in sys.argv[1:]):
                    continue
                release = releases[options.version]
                if not (release.pack / npu_networks.ARCHIVE).exists():
                    npu_networks.archive(release.pack)
                work.append((run_case, release, case, options, words, bits))
        return kit.run_jobs(work)


if __name__ == "__main__":
    sys.exit(main())
