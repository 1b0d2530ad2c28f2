#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what signed images cost on the target: the loader's part, and each adapter with its library.

usage: signed.py [CORE...]    CORE: m4 m33, default both
Prints Markdown. Flash and RAM are those that the linker keeps, without the C library; instructions and stack are measured
on the emulator. Without the libraries' sources, nothing is measured.
"""
import contextlib
import io
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/target"))
import crypto  # noqa: E402
import signed  # noqa: E402


def loader(core, folder):
    """Bytes of the loader without signatures, and what they add: to loads, for arrival, for the rest."""
    sizes = {}
    for words in ([], ["-DAI_RELOC_SIGNED"]):
        signed.do(signed.GCC, "-std=c11", "-Os", "-ffunction-sections", "-fdata-sections", *crypto.CORES[core], "-DAI_RELOC_NO_MALLOC", *words,
                  "-c", signed.RUNTIME / "ai_reloc_network.c", "-o", folder / "size.o")
        text = signed.do("arm-none-eabi-size", "-A", folder / "size.o")
        sizes[bool(words)] = {name: int(size) for name, size in re.findall(r"(?m)^(\.(?:text|rodata)\S*) +(\d+)", text)}
    plain, all_of_it = sum(sizes[False].values()), sum(sizes[True].values())
    arrival = sum(size for name, size in sizes[True].items() if re.search(r"ai_reloc_check_|reloc_arrive", name))
    rest = sum(size for name, size in sizes[True].items() if re.search(r"network_verify|in_place|commit", name))
    return plain, all_of_it - plain - arrival - rest, arrival, rest


def main():
    try:
        sources = crypto.fetch(ROOT / "build/signed/sources")
    except crypto.Missing as why:
        sys.exit(f"signed.py: no sources of cryptographic libraries: {why}")
    print("| core | loader | loads verify | arrival | ai_rel_network_verify, commit |\n|---|---|---|---|---|")
    benches = []
    for core in sys.argv[1:] or ["m4", "m33"]:
        bench = signed.Bench(core, ROOT / "build/relocpack", sources, ROOT / "build/signed/bench")
        for pem in bench.dir.glob("*.pem"):
            pem.unlink()
        print("| %s | %d | +%d | +%d | +%d |" % (core, *loader(core, bench.dir)))
        benches.append(bench)
    print("\n| core | adapter | flash | RAM | heap | stack | signature, 1000 instructions | SHA-256, instructions per byte |\n|---|---|---|---|---|---|---|---|")
    for bench in benches:
        with contextlib.redirect_stdout(io.StringIO()):
            signed.adapters(bench, False)
        for library, f in bench.figures.items():
            print(f"| {bench.core} | {library} | {f['flash']} | {f['RAM']} | {f.get('heap at most', '–')} | {f['stack of ai_rel_network_verify']} | "
                  f"{f['verify, 1000 instructions']} | {int(f['SHA-256 of 16 KB, 1000 instructions']) / 16.384:.0f} |")
    sys.exit(any(bench.failed for bench in benches))


if __name__ == "__main__":
    main()
