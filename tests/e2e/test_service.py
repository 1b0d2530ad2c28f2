# SPDX-License-Identifier: Apache-2.0
"""The service: a file that a firmware adds, so that `run` sends images to it and runs them there."""
import kit
import npu_kit
import standin
from kit import CROSS, EXAMPLES, each, equal, has, test

TINY = EXAMPLES / "tiny" / "tiny.c"
WARNINGS = ["-std=gnu11", "-Os", "-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Wconversion", "-Wstrict-prototypes", "-Werror"]
SERVICE = ["relocpack_service.c", "relocpack_service.h"]
# Everything else is static.
OWN_NAMES = ("relocpack_", "harness_", "ll_aton_access")


# ---- the file ----

def compiled(case, folder, *flags):
    """The object of the service, compiled beside a loader; its symbols."""
    case.run(f"{CROSS}gcc", *WARNINGS, *flags, "-c", folder / SERVICE[0], "-o", case.dir / "service.o")
    lines = [line.split() for line in case.run(f"{CROSS}nm", case.dir / "service.o").out.splitlines()]
    return {words[-1]: words[-2] for words in lines}


@each(["stm32f3", "stm32f4", "stm32h7", "stm32u5"])
def compiles_beside_the_loader(case, series):
    case.generate(TINY, "--service", target=series)
    out = case.dir / "out"
    equal([name for name in SERVICE if name in kit.visible(out)], SERVICE, "files")
    symbols = compiled(case, out, *kit.target_flags(case, series))
    equal([name for name, kind in symbols.items() if kind in "TDBRC" and not name.startswith(OWN_NAMES)], [],
          "names that a firmware might have too")
    needed = {name for name, kind in symbols.items() if kind == "U"}
    equal({name for name in needed if not name.startswith("ai_rel_")}, {"memcpy", "memset"}, "what it needs")


@test
def compiles_with_the_vendors_types(case):
    case.generate(TINY, "--service")
    compiled(case, case.dir / "out", *kit.target_flags(case, "stm32f4"), f"-I{standin.pack(case, (10, 0)) / standin.AI / 'Inc'}")


def npu_flags(pack):
    """How the pack's own sources are compiled."""
    resources = pack / "scripts/N6_reloc/resources/platform"
    return [*npu_kit.CORE, "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6", "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL",
            "-DLL_ATON_RT_MODE=LL_ATON_RT_ASYNC", "-DLL_ATON_SW_FALLBACK", "-DLL_ATON_RT_RELOC", "-DLL_ATON_EB_DBG_INFO",
            "-mcmse", f"-I{pack / npu_kit.LL_ATON}", f"-I{resources / 'stm32n6'}", f"-I{resources}"]


@each(list(npu_kit.RELEASES))
def compiles_with_the_pack(case, release):
    version = npu_kit.RELEASES[release]
    network = npu_kit.network(case, version=version)
    npu_kit.generate(case, network, "--service")
    symbols = compiled(case, case.dir / "out", *npu_flags(npu_kit.pack(case, version)), "-Wno-conversion")
    equal([name for name, kind in symbols.items() if kind in "TDBRC" and not name.startswith(OWN_NAMES)], [],
          "names that a firmware might have too")
    has(" ".join(symbols), "ll_aton_reloc_install_sized")


@test
def is_not_written_over(case):
    """Not in place of the loader's sources."""
    tool = case.dir / "tool"
    for folder in ("templates", "runtime"):
        kit.shutil.copytree(kit.ROOT / folder, tool / folder)
    error = case.refuse(2, "RP2200", TINY, "--service", out="tool/templates/harness", env={"RELOCPACK_DATADIR": str(tool)})
    has(error, "relocpack_service.c", "a file of relocpack")
