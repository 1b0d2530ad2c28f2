# SPDX-License-Identifier: Apache-2.0
"""
Firmware in the manner of the vendor's documentation (tests/target/documented_*.c), with the files that
`generate` puts beside an image and nothing else of relocpack: compiled, run, outputs compared.
"""
import shutil

import kit
import stai_kit
import standin
from kit import CROSS, QEMU, each, equal, test

HERE = kit.ROOT / "tests/target"
SOURCES = ["documented_create.c", "documented_observe.c", "documented_board.c"]
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
INPUTS = [(i * 7 % 11 - 5) / 8 for i in range(16)]


def packed(case, *words, source=None, version=(10, 0), **more):
    """The image of a network, of the stand-in unless source names one, and the folder with the loader: its two files."""
    case.generate(source or standin.network(case, version), *words, env={"STEDGEAI_CORE_DIR": str(standin.pack(case, version, **more))})
    out = case.dir / "out"
    case.write("image.S", f'.section .image, "a", %progbits\n.balign 64\n.global image, weights\nimage:\n'
               f'.incbin "{next(out.glob("*_rel.bin"))}"\n.balign 16\nweights:\n'
               + "".join(f'.incbin "{path}"\n' for path in out.glob("*_data.bin")))
    return out


def flags(case, headers):
    """headers: folders, in their order on the include path."""
    expected = ", ".join(f"{value.hex()}f" for value in standin.reference(INPUTS))
    return [*kit.target_flags(case, "stm32f4"), "-O1", *WARNINGS, *(f"-I{folder}" for folder in headers),
            "-DEXPECTED=" + expected]


def run(case, loader, headers, *more, sources=SOURCES, failed=0):
    """loader: the source to compile. failed: the first check that fails, 0: none."""
    case.run(f"{CROSS}gcc", *flags(case, headers), *more, "--specs=nosys.specs", "-nostartfiles", "-static", "-T",
             HERE / "documented.ld", *(HERE / name for name in sources), loader, "image.S", "-o", "firmware.elf")
    done = case.run(QEMU, "-M", "mps2-an386", "-kernel", "firmware.elf", "-display", "none", "-serial", "none", "-monitor",
                    "none", "-semihosting-config", "enable=on,target=native", status=None)
    equal(done.status, failed, "first check that failed")


WAYS = {"xip": [], "copy": ["-DCOPY"], "heap": ["-DHEAP_RAM"], "heap-copy": ["-DHEAP_RAM", "-DCOPY"],
        "null-size": ["-DRAM_NULL"], "address-0": ["-DSIZE_0"]}


@each(list(WAYS), needs=[QEMU])
def two_files(case, way):
    """The loader's two files alone in a folder, plus the forwarding headers for the observer."""
    out = packed(case)
    (case.dir / "loader").mkdir()
    for name in ("ai_reloc_network.c", "ai_reloc_network.h"):
        shutil.copy(out / name, case.dir / "loader")
    run(case, case.dir / "loader/ai_reloc_network.c", [case.dir / "loader", kit.ROOT / "runtime/compat"], *WAYS[way])


@test(needs=[QEMU])
def parts(case):
    """With --loader-sources the forwarding headers are among the files. Weights in a file of their own."""
    out = packed(case, "-r", "split", "--loader-sources")
    run(case, out / "ai_reloc_network.c", [out], "-DWEIGHTS_ADDRESS=weights")


@test(needs=[QEMU])
def core_unchecked(case):
    """With AI_RELOC_RT_MCU_CHECKING=0 an image is installed on any core, here on one that does not identify itself."""
    out = packed(case)
    headers = [out, kit.ROOT / "runtime/compat"]
    unknown = ["-DAI_RELOC_READ_CPUID()=0u", "-DAI_RELOC_READ_CPACR()=0u"]
    run(case, out / "ai_reloc_network.c", headers, *unknown, failed=20)
    run(case, out / "ai_reloc_network.c", headers, *unknown, "-DAI_RELOC_RT_MCU_CHECKING=1", failed=20)
    run(case, out / "ai_reloc_network.c", headers, *unknown, "-DAI_RELOC_RT_MCU_CHECKING=0")


@each(["stai", "plain"], needs=[QEMU])
def nodes_without_tensors(case, kind):
    """All nodes of the report are there to be asked for; of their tensors nothing is known. The newer API tells of its parts."""
    sources = {"stai": lambda: stai_kit.network(case, nodes=3), "plain": lambda: kit.EXAMPLES / "tiny/tiny.c"}
    out = packed(case, source=sources[kind](), **(dict(version=(11, 0), macro=False) if kind == "stai" else {}))
    run(case, out / "ai_reloc_network.c", [out, kit.ROOT / "runtime/compat"], f"-DMODEL_NODES={3 if kind == 'stai' else 1}",
        *(["-DMODEL_ACTS_BYTES=76"] if kind == "stai" else []),
        sources=["documented_nodes.c", "documented_board.c"])


@each(["first", "last"], needs=[QEMU])
def vendors_headers(case, place):
    """A pack's headers are used even where forwarding headers exist; code that does not see them still fits."""
    out = packed(case, "--loader-sources")
    case.run(f"{CROSS}gcc", *flags(case, [out]), "-c", HERE / "documented_observe.c", "-o", "observe.o")
    inc = standin.pack(case, (10, 0)) / standin.AI / "Inc"
    headers = [inc, out] if place == "first" else [out, inc]
    text = case.run(f"{CROSS}gcc", *flags(case, headers), "-M", out / "ai_reloc_network.c").out
    kit.has(text, f"{inc}/ai_platform_interface.h")
    run(case, out / "ai_reloc_network.c", headers, sources=["documented_create.c", "documented_board.c", case.dir / "observe.o"])
