#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures transfers to a GDB server, and compares them with those of gdb-multiarch, if it is installed.

usage: transfer.py [--bytes N] [--runs N]

The server is QEMU's, on an idle machine of its own; each figure is the least of some runs. Prints Markdown, never a pass
or a fail: ratios, GDB's time divided by that of relocpack's client, so more than 1 is faster than GDB.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT, GDB = ROOT / "build/bench-transfer", "gdb-multiarch"
MACHINE, RAM = "mps2-an386", 0x21000000


def run(*words):
    begin = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"transfer.py: {' '.join(words[:2])}: {done.stderr}")
    return time.monotonic() - begin, done.stdout


def gdb(where, *commands):
    """Seconds of a GDB that runs commands. It does not detach: that would let the core run, and there is no program."""
    words = [word for command in ("set confirm off", "set architecture arm", f"target remote {where}", *commands, "disconnect")
             for word in ("-ex", command)]
    return run(GDB, "-nx", "-batch", *words)[0]


def measure(where, blob, folder, runs):
    """Least seconds of connect, write, read: ours; the same of GDB, whose start is taken off the other two."""
    ours, theirs = [], []
    back, size = os.path.join(folder, "back"), os.path.getsize(blob)
    for _ in range(runs):
        ours.append([float(word) for word in run(str(CLIENT), where, hex(RAM), blob)[1].split()])
        if shutil.which(GDB):
            place = where.removeprefix("unix:")
            theirs.append([gdb(place), gdb(place, f"restore {blob} binary {RAM:#x}"),
                           gdb(place, f"dump binary memory {back} {RAM:#x} {RAM + size:#x}")])
            if pathlib.Path(back).read_bytes() != pathlib.Path(blob).read_bytes():
                sys.exit("transfer.py: GDB reads something else")
    ours, theirs = [min(column) for column in zip(*ours)], [min(column) for column in zip(*theirs)]
    return ours, [theirs[0], *(seconds - theirs[0] for seconds in theirs[1:])] if theirs else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=16 << 20)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"## transfer of {options.bytes:,} bytes\n")
    print("| wire | connect | write | read | MB/s written | MB/s read |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        blob = os.path.join(folder, "blob")
        pathlib.Path(blob).write_bytes(random.Random(1).randbytes(options.bytes))
        for name, where in (("socket of this machine", f"unix:{folder}/gdb"), ("TCP", f"127.0.0.1:{20000 + os.getpid() % 20000}")):
            listen = f"{where},server=on,wait=off" if name != "TCP" else f"tcp:{where}"
            qemu = subprocess.Popen(["qemu-system-arm", "-M", MACHINE, "-S", "-display", "none", "-serial", "none", "-monitor",
                                     "none", "-nodefaults", "-gdb", listen], stderr=subprocess.DEVNULL)
            try:
                ours, theirs = measure(where, blob, folder, options.runs)
            finally:
                qemu.kill()
                qemu.wait()
            ratios = [f"{b / a:.2f}" for a, b in zip(ours, theirs)] if theirs else ["-"] * 3
            speeds = [f"{options.bytes / seconds / 1e6:.0f}" for seconds in ours[1:]]
            print(f"| {name} | {' | '.join(ratios + speeds)} |", flush=True)
    print("\nRatios: times of gdb-multiarch, divided by ours." if shutil.which(GDB) else f"\n{GDB} is not installed: no ratios.")


if __name__ == "__main__":
    main()
