#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signed images on emulated cores: the loader with AI_RELOC_SIGNED, and the adapters of runtime/verify.

usage: signed.py [--all] RELOCPACK CORE...   CORE: m4 m33, and m55 for the Neural-ART loader. --all: every bit, not a
sample
The images are made by mkimage.py and signed by RELOCPACK, with keys made here.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

import crypto

HERE = crypto.HERE
ROOT = HERE.parent.parent
RUNTIME, HARNESS = ROOT / "runtime", ROOT / "templates/harness"
MACHINES = {"m4": ("M4", "mps2-an386", "0", "C24"), "m33": ("M33", "mps2-an505", "0x10000000", "D21"),
            "m55": ("M55", "mps3-an547", "0", "D22")}
PIC = "-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative".split()
WARN = """-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
-Wundef -Wcast-qual -Wwrite-strings -Wformat=2 -Wswitch-enum -Wnull-dereference -Werror""".split()
GCC = "arm-none-eabi-gcc"
PACK = ROOT / "tests/fixtures/npu/pack"
ATON = ["-DLL_ATON_RT_RELOC", "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6", "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL", "-DLL_ATON_EB_DBG_INFO",
        "-isystem", str(PACK / "Middlewares/ST/AI/Npu/ll_aton"), "-isystem", str(PACK / "scripts/N6_reloc/resources/platform/stm32n6")]
SAID = "--model-version 1.4.2 --security-counter 7 --device-class boiler --firmware-api 3..5".split()


def do(*words, **more):
    """Runs a program; its standard output."""
    return subprocess.run([str(w) for w in words], check=True, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, **more).stdout


def places(core):
    """Where a board has its stack and its firmware, from boards.h."""
    text = '#include "boards.h"\n#undef UINT32_C\n#define UINT32_C(v) v\n' \
           "#define X(board, stack, plan, firmware) @board:stack:plan:firmware\nHARNESS_PLACES(X)\n"
    out = subprocess.run([GCC, "-E", "-P", f"-I{HARNESS}", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True).stdout
    rows = [row.split(":") for row in re.sub(r"\s", "", out).split("@")]
    row = next(r for r in rows if r[0] == MACHINES[core][0])
    return int(row[1], 0), row[3]


class Bench:
    """Builds and runs test firmware for one core, in a folder."""

    def __init__(self, core, relocpack, sources, folder):
        self.core, self.relocpack, self.sources = core, relocpack.resolve(), sources
        self.dir = folder / core
        self.dir.mkdir(parents=True, exist_ok=True)
        _, self.machine, self.vectors, self.part = MACHINES[core]
        self.flags = crypto.CORES[core]
        self.stack, self.rom = places(core)
        self.passed = self.failed = 0
        self.figures = {}

    def plain_images(self):
        """one.bin, two.bin without a trailer, split.bin with split_weights.bin; none is signed."""
        elf = self.dir / "image.elf"
        do(GCC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-Os", *self.flags, *PIC, "-ffreestanding", "-fno-common", "-DIMAGE_ID=3",
           "-DIMAGE_MAJOR=9", f"-I{RUNTIME}", "-nostdlib", f"-Wl,--emit-relocs,-T,{HERE}/loader_image.ld", HERE / "loader_image.c", "-o", elf)
        for name, words in (("one", ["--trailer"]), ("two", []), ("split", ["--trailer", "--split", "split_weights.bin"])):
            do(sys.executable, HERE / "mkimage.py", elf, f"{name}.bin", "--cpuid", self.part, "--fpu", *words, cwd=self.dir)

    def sign(self, name, key, *words):
        do(self.relocpack, "sign", name, "--key", key, *SAID, *words, cwd=self.dir)

    def keygen(self, kind, name):
        do(self.relocpack, "keygen", "--type", kind, "-o", name, cwd=self.dir)

    def build(self, name, sources, library, *words, loader="ai_reloc_network.c", blobs="loader_blobs.S"):
        archive = crypto.build(library, self.core, self.sources, self.dir)
        define = [f"-Wl,--defsym=HARNESS_{k}={v}" for k, v in (
            ("VECTORS", self.vectors), ("ROM", self.rom), ("ROM_SIZE", "0x3f000"), ("RAM", self.stack + 0x20000), ("RAM_SIZE", "0x40000"),
            ("STACK", self.stack), ("STACK_SIZE", "0x20000"))]
        flags = [*WARN, "-Os", "-g", "-ffixed-r9", "-ffunction-sections", "-fdata-sections", *self.flags, *words, "-DPORT_FPU=1",
                 "-DAI_RELOC_SIGNED", "-DLL_ATON_RELOC_SIGNED", *crypto.headers(library, self.sources), f"-I{RUNTIME}", f"-I{HERE}", f"-I{HARNESS}", "-I."]
        adapter = f"verify-{library}.o"
        do(GCC, *flags, "-c", RUNTIME / f"verify/{library}.c", "-o", adapter, cwd=self.dir)
        do(GCC, *flags, "--specs=nosys.specs", "-nostartfiles", *define, "-Wl,--gc-sections", "-Wl,-z,noexecstack", f"-Wl,-T,{HERE}/firmware.ld",
           *[HERE / s for s in sources], RUNTIME / loader, adapter, HARNESS / "semihost.c",
           HERE / "loader_port.c", HERE / blobs, archive, "-o", f"{name}.elf", cwd=self.dir)

    def run(self, name, *options):
        done = subprocess.run(["qemu-system-arm", "-M", self.machine, "-kernel", f"{name}.elf", *options, "-display", "none", "-serial", "none",
                               "-monitor", "none", "-parallel", "none", "-nodefaults", "-no-reboot", "-semihosting-config",
                               "enable=on,target=native"], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=1800, check=False)
        good = done.returncode == 0 and re.search(r"(?m)^passed$", done.stdout)
        self.passed += bool(good)
        self.failed += not good
        print(f"{self.core} {name}: {'passed' if good else 'FAILED'}", flush=True)
        if not good:
            print(done.stdout, flush=True)
        return done.stdout


def compiles(bench, _):
    """The loader of the core with signatures: by both compilers, as parts and as one file, with nothing undefined but the C library."""
    made = bench.dir / "made"
    do("make", "-s", "--no-print-directory", "-C", ROOT, f"B={made}", "loaders")
    name, more = ("ll_aton_reloc_network", ATON) if bench.core == "m55" else ("ai_reloc_network", [])
    flags = [*WARN, *bench.flags, *more, "-DAI_RELOC_SIGNED", "-DLL_ATON_RELOC_SIGNED", "-DAI_RELOC_NO_MALLOC", "-Os"]
    texts = []
    for folder in (RUNTIME, made / "loader"):
        do(GCC, *flags, "-Wcast-align=strict", "-c", folder / f"{name}.c", "-o", "loader.o", cwd=bench.dir)
        texts.append(do("arm-none-eabi-size", "loader.o", cwd=bench.dir).splitlines()[1].split()[0])
    if shutil.which("clang"):
        headers = subprocess.run([GCC, "-M", "-x", "c", "-"], input="#include <string.h>", capture_output=True, text=True, check=True).stdout
        newlib = pathlib.Path(re.search(r"(\S+)/string\.h", headers).group(1))
        do("clang", "--target=arm-none-eabi", *flags, "-Wcast-align", "-fshort-enums", "-isystem", newlib, "-c", RUNTIME / f"{name}.c",
           "-o", "clang.o", cwd=bench.dir)
    undefined = {line.split()[-1] for line in do("arm-none-eabi-nm", "-u", "loader.o", cwd=bench.dir).splitlines() if " U " in line}
    allowed = r"memcpy|memset|memmove|memcmp|ai_reloc_firmware_verifier|_*LL_ATON_LIB_.*|[mn][cp]u_cache_.*"
    good = texts[0] == texts[1] and not [u for u in undefined if not re.fullmatch(allowed, u)]
    bench.passed += good
    bench.failed += not good
    print(f"{bench.core} compiles: {'passed' if good else f'FAILED: {texts} {undefined}'}; {texts[0]} bytes")


def logic(bench, whole):
    bench.keygen("p256", "logic.pem")
    bench.plain_images()
    bench.sign("one.bin", "logic.pem")
    bench.sign("split.bin", "logic.pem", "--weights", "split_weights.bin")
    config = ["-DAI_RELOC_CONFIG=\"loader_config.h\"", "-DAI_RELOC_VERIFIER=(*kit_verifier)"]
    bench.build("signed_test", ["signed_test.c", "signed_arrival.c", "signed_kit.c", "loader_kit.c"], "bearssl", *config,
                f"-DSIGNED_STRIDE={1 if whole else 3}")
    bench.run("signed_test")
    bench.build("code_only", ["signed_test.c", "signed_arrival.c", "signed_kit.c", "loader_kit.c"], "bearssl", *config,
                "-DAI_RELOC_SIGNED_WEIGHTS=0", "-DSIGNED_CODE_ONLY", "-DSIGNED_STRIDE=31")
    bench.run("code_only")
    bench.build("signed_flicker", ["loader_flicker.c", "loader_trial.c", "signed_kit.c", "loader_kit.c"], "bearssl", *config[1:],
                "-DAI_RELOC_NO_MALLOC", f"-DFLICKER_LOADS={1200 if whole else 300}")
    print(re.search(r"(?m)^refused.*", bench.run("signed_flicker", "-icount", "shift=6")).group())


def der_of(bench, name):
    """The SubjectPublicKeyInfo of a public key, by OpenSSL alone."""
    return subprocess.run(["openssl", "pkey", "-pubin", "-in", f"{name}.pub.pem", "-outform", "DER"], cwd=bench.dir, check=True,
                          stdout=subprocess.PIPE).stdout


def signed_by_openssl(bench, name, weights, key, kind):
    """Signs an image with no help of relocpack's: S as docs/FORMAT.md has it, the signature by OpenSSL's command line."""
    image = (bench.dir / name).read_bytes()
    trailer = bytearray(image[-96:])
    files = (bench.dir / weights).read_bytes()
    trailer[84:88] = trailer[92:96] = bytes(4)
    entries = [(1, hashlib.sha256(image[:-96] + trailer).digest()), (2, hashlib.sha256(files).digest() + struct.pack("<I", len(files))),
               (3, image[4:8]), (4, bytes(trailer[56:72])), (5, b"by openssl"), (6, struct.pack("<BBHI", 1, 4, 2, 0)),
               (7, struct.pack("<I", 7)), (8, b"boiler"), (9, struct.pack("<II", 3, 5))]
    body = b"".join(struct.pack("<HH", t, len(v)) + v + bytes(-len(v) % 4) for t, v in entries)
    s = b"RPSM" + struct.pack("<HH", 1, 8 + len(body)) + body
    (bench.dir / "s.bin").write_bytes(s)
    if kind == "p256":
        do("openssl", "dgst", "-sha256", "-sign", f"{key}.pem", "-out", "s.sig", "s.bin", cwd=bench.dir)
        der = (bench.dir / "s.sig").read_bytes()
        r = int.from_bytes(der[4:4 + der[3]], "big")
        value = r.to_bytes(32, "big") + int.from_bytes(der[6 + der[3]:], "big").to_bytes(32, "big")
    else:
        do("openssl", "pkeyutl", "-sign", "-inkey", f"{key}.pem", "-rawin", "-in", "s.bin", "-out", "s.sig", cwd=bench.dir)
        value = (bench.dir / "s.sig").read_bytes()
    block = s + struct.pack("<HH", 0x4001, 32) + hashlib.sha256(der_of(bench, key)).digest()
    block += struct.pack("<HH", 0x4003 if kind == "p256" else 0x4002, 64) + value
    trailer[84:88] = struct.pack("<I", len(block))
    trailer[92:96] = struct.pack("<I", zlib.crc32(trailer[:92]))
    (bench.dir / name).write_bytes(image[:-96] + trailer + block)


def table(bench, key, kind, header="ai_reloc_network.h"):
    """The firmware's table of keys, with one that it never sees before the one in use."""
    der = der_of(bench, key)
    rows = [(0x4002, bytes(32), bytes(64)),
            (0x4003, hashlib.sha256(der).digest(), der[-64:]) if kind == "p256" else (0x4002, hashlib.sha256(der).digest(), der[-32:])]
    text = f'#include "{header}"\nconst ai_reloc_key ai_reloc_keys[] = {{\n'
    for number, digest, value in rows:
        text += "    {%d, {%s}, {%s}},\n" % (number, ", ".join(map(str, digest)), ", ".join(map(str, value)))
    (bench.dir / "signed_keys.h").write_text(text + "};\nconst uint32_t ai_reloc_key_count = 2;\n")


def sizes(bench, name, library):
    """Flash and RAM of library and adapter in a firmware, from the linker's map."""
    flash = ram = 0
    text = (bench.dir / f"{name}.map").read_text().split("Linker script and memory map")[1]
    for section, size, path in re.findall(r"(?m)^ (\.(?:text|rodata|data|bss)\S*)\s+0x[0-9a-f]+ +0x([0-9a-f]+) (\S+)$", text):
        if f"/lib{library}-" in path or f"verify-{library}" in path:
            flash += int(size, 16) * (not section.startswith(".bss"))
            ram += int(size, 16) * section.startswith((".data", ".bss"))
    return flash, ram


def adapters(bench, whole):
    bench.keygen("p256", "p256.pem")
    bench.keygen("p256", "p256-other.pem")
    bench.keygen("ed25519", "ed25519.pem")
    bench.keygen("ed25519", "ed25519-other.pem")
    for library, kind, words in (("bearssl", "p256", []), ("psa", "p256", ["-DSIGNED_PSA"]), ("libsodium", "ed25519", [])):
        bench.plain_images()
        (bench.dir / "two.bin").write_bytes((bench.dir / "one.bin").read_bytes())
        bench.sign("one.bin", f"{kind}.pem")
        bench.sign("two.bin", f"{kind}-other.pem")
        bench.sign("two.bin", f"{kind}.pem")
        signed_by_openssl(bench, "split.bin", "split_weights.bin", kind, kind)
        table(bench, kind, kind)
        name = f"adapter_{library}"
        bench.build(name, ["signed_adapter.c", "loader_kit.c"], library, "-DAI_RELOC_CONFIG=\"loader_config.h\"", *words,
                    f"-DSIGNED_STRIDE={(5 if library == 'psa' else 1) if whole else 97}", f"-Wl,-Map={name}.map")
        out = bench.run(name, "-icount", "shift=2")
        figures = dict(re.findall(r"(?m)^([^\n:]+): (\d+)$", out))
        figures["flash"], figures["RAM"] = sizes(bench, name, library)
        bench.figures[library] = figures
        print("\n".join(f"{bench.core} {library}: {what}: {value}" for what, value in figures.items()))


def faults(bench, whole):
    """Glitches in the loader, with images that only the signature refuses: hardened, none may get through. A sample, or all of them."""
    if bench.core != "m4":
        return
    bench.keygen("p256", "faults.pem")
    bench.plain_images()
    bench.sign("one.bin", "faults.pem")
    config = ["-DAI_RELOC_VERIFIER=(*faults_verifier)", "-DAI_RELOC_NO_MALLOC", "-DAI_RELOC_HARDENED"]
    do(GCC, *WARN, "-Os", "-g", "-ffixed-r9", *bench.flags, *config, "-DAI_RELOC_SIGNED", "-c", RUNTIME / "ai_reloc_network.c",
       "-o", "faults_loader.o", cwd=bench.dir)
    do("arm-none-eabi-objcopy", "--rename-section", ".text=loader_code", "--set-section-alignment", ".text=4096", "faults_loader.o", cwd=bench.dir)
    bench.build("signed_faults", ["loader_faults.c", "loader_faults_signed.c", "loader_kit.c"], "bearssl", *config, "-DFAULT_HASHES=1",
                "-DFAULT_PLAN_AT=0x20200000u", loader=bench.dir / "faults_loader.o")
    do(sys.executable, HERE / "faults.py", "signed_faults.elf", "faults.bin", "--every", 1 if whole else 16, cwd=bench.dir)
    out = bench.run("signed_faults", "-icount", "shift=6,sleep=off", "-device", "loader,file=faults.bin,addr=0x20200000")
    print("\n".join(re.findall(r"(?m)^\d+ faults.*", out)))


def npu(bench, whole):
    """The Neural-ART loader, with the stand-in pack."""
    do(GCC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-Os", *bench.flags, *PIC, *ATON, "-ffreestanding", "-fno-common", "-DIMAGE_ID=3",
       "-DIMAGE_ACTIV=0", "-DIMAGE_CODE_WORDS=0", f"-I{HERE}", "-nostdlib", f"-Wl,--emit-relocs,-T,{HERE}/npu_loader_image.ld",
       HERE / "npu_loader_image.c", "-o", bench.dir / "image.elf")
    for name, words in (("one", []), ("two", []), ("split", ["--split", "split_params.bin"]), ("acts", []), ("code", [])):
        do(sys.executable, HERE / "mknpuimage.py", "image.elf", f"{name}.bin", "--cpuid", bench.part, "--trailer", *words, cwd=bench.dir)
    bench.keygen("p256", "npu.pem")
    bench.keygen("p256", "npu-other.pem")
    bench.sign("one.bin", "npu.pem")
    bench.sign("two.bin", "npu-other.pem")
    bench.sign("split.bin", "npu.pem", "--weights", "split_params.bin")
    table(bench, "npu", "p256", "ll_aton_reloc_loader.h")
    bench.build("npu_signed", ["npu_signed_test.c", "npu_loader_kit.c"], "bearssl", *ATON, "-DLL_ATON_RELOC_CONFIG=\"npu_loader_config.h\"",
                f"-DSIGNED_STRIDE={1 if whole else 67}", loader="ll_aton_reloc_network.c", blobs="npu_loader_blobs.S")
    bench.run("npu_signed")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", metavar="STEP", help="faults has all of its faults only so, with --all")
    parser.add_argument("relocpack", type=pathlib.Path)
    parser.add_argument("cores", nargs="+", choices=sorted(MACHINES))
    options = parser.parse_args()
    folder = options.relocpack.resolve().parent / "signed" / ("all" if options.all else "sample")
    try:
        sources = crypto.fetch(folder.parent / "sources")
    except crypto.Missing as why:
        print(f"signed.py: SKIPPED: no sources of cryptographic libraries: {why}", file=sys.stderr)
        sys.exit(1 if os.environ.get("CI") else 0)
    failed = passed = 0
    for core in options.cores:
        bench = Bench(core, options.relocpack, sources, folder)
        for pem in bench.dir.glob("*.pem"):
            pem.unlink()
        for step in (compiles, npu) if core == "m55" else (compiles, logic, adapters, faults):
            if step.__name__ == options.only or not options.only and (step != faults or not options.all):
                step(bench, options.all)
        passed += bench.passed
        failed += bench.failed
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
