# SPDX-License-Identifier: Apache-2.0
"""Neural-ART images and the compiler cache: what it finds by the names of headers, without a run of the
preprocessor, and that no header which comes first on the search path is overlooked then. And what is compiled
without the NPU's registers: the entry glue, and networks that do not name them.
"""
import npu_kit
from kit import CROSS, check, each, equal, has, has_not, test
from npu_kit import LL_ATON

PACK_UNITS = 7
NETWORK, GLUE, ALL = 1, 9, 10  # the last is a mathematical function
SHADOW = """#include_next <{}>
#ifndef SHADOW
#define SHADOW
static const char shadow[] __attribute__((used)) = "shadow";
#endif
"""


def counted(case, source, *words, **more):
    """Packages with ccache into work/; how often it found an object, and how."""
    log = case.dir / "log"
    log.unlink(missing_ok=True)
    env = {"CCACHE_DIR": case.dir / "cache", "CCACHE_STATSLOG": log, **more.pop("env", {})}
    npu_kit.generate(case, source, "--launcher", "ccache", "--workspace", case.dir / "work", *words, env=env, **more)
    lines = log.read_text().splitlines()
    return {word: lines.count(word) for word in ("direct_cache_hit", "preprocessed_cache_hit", "cache_miss")}


def object_of(case, number):
    return (case.dir / f"work/obj/{number:03}.o").read_bytes()


@test(needs=["ccache"])
def second_network_of_a_pack(case):
    """ccache has everything except the network and the glue, and needs no preprocessor to see it."""
    counts = [counted(case, npu_kit.network(case, changes.get("name", "first"), **changes))
              for changes in ({}, dict(pools="mix", name="other", seed=5), {})]
    equal([counts[0]["direct_cache_hit"], counts[0]["preprocessed_cache_hit"]], [0, 0], "hits of the first")
    check(counts[1]["direct_cache_hit"] >= PACK_UNITS and counts[1]["cache_miss"] <= 2, f"the second: {counts[1]}")
    equal(counts[2]["cache_miss"], 0, "misses of the first, once more")


@each(["network", "pack", "folder"], needs=["ccache"])
def header_that_comes_first(case, where):
    """A new header that is found before one that was read: no object made without it is taken."""
    root, net = npu_kit.copy_pack(case), npu_kit.network(case)
    name, number = {"network": ("ll_sw.h", 1), "pack": ("layers.h", 4), "folder": ("ll_sw.h", 1)}[where]
    folder = {"network": net.folder, "pack": root / LL_ATON, "folder": case.path("first/x").parent}[where]
    words = ["-I", folder] if where == "folder" else []
    if where == "folder":  # below a folder of -I
        source = npu_kit.source_of(net)
        source.write_text(source.read_text().replace('"ll_sw.h"', '"below/ll_sw.h"'))
        below = case.path("second/below/ll_sw.h")
        below.write_text('#include <ll_sw.h>\n')
        words += ["-I", below.parent.parent]
        folder = folder / "below"
    counted(case, net, *words, root=root)
    equal(counted(case, net, *words, root=root)["cache_miss"], 0, "misses of the second run")
    before = object_of(case, number)
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(SHADOW.format(name))
    counted(case, net, *words, root=root)
    after = object_of(case, number)
    has(after, b"shadow")
    has_not(before, b"shadow")
    npu_kit.generate(case, net, *words, "--launcher", "none", "--workspace", case.dir / "work", root=root)
    equal(object_of(case, number) == after, True, "the object is what the compiler alone makes")


@each(["network", "pack", "blobs"], needs=["ccache"])
def changed_file(case, what):
    """The same names, other contents: that one unit is compiled again."""
    root, net = npu_kit.copy_pack(case), npu_kit.network(case, epoch_controller=True, pools="mix")
    path, number = {"network": (npu_kit.source_of(net), 1), "pack": (root / LL_ATON / "ll_sw_float.c", 4),
                    "blobs": (net.folder / f"{net.name}_ecblobs.h", 1)}[what]
    counted(case, net, root=root)
    before = object_of(case, number)
    path.write_text(path.read_text() + "\nconst char *rp_more(void);\nconst char *rp_more(void) { return \"more\"; }\n")
    equal(counted(case, net, root=root)["cache_miss"], 1, "what is compiled again")
    check(object_of(case, number) != before, "the object is another")
    npu_kit.generate(case, net, "--launcher", "none", root=root, out="alone")
    npu_kit.same_folders(case.dir / "out", case.dir / "alone", "with and without a cache",
                         [f"{net.name}_generate_rel.json", f"{net.name}_generate_report.txt"])


UNKNOWN = {
    "passed": (["--pass-env", "CPATH"], 0), "cflags": (["--cflags=-isystem .", "--cflags=-Wall"], ALL - 1),
    "many": ([], ALL - 1), "usual": (["--cflags=-g"], ALL),
}


@each(list(UNKNOWN), needs=["ccache"])
def folders_that_are_not_known(case, label):
    """Where headers may be in folders whose names were not listed, the preprocessed text is compared."""
    words, direct = UNKNOWN[label]
    net = npu_kit.network(case)
    if label == "many":
        for number in range(4001):
            (net.folder / f"{number}.txt").touch()
    for _ in range(2):
        counts = counted(case, net, *words)
    equal([counts["direct_cache_hit"], counts["cache_miss"]], [direct, 0], "found by names, and not found")


@each(["../above.h", "below/../../above.h"], needs=["ccache"])
def header_above_the_folders(case, name):
    """It is outside of the folders that were listed, so no cache is asked for that unit."""
    net = npu_kit.network(case)
    source = npu_kit.source_of(net)
    (net.folder / "below").mkdir()
    (net.folder.parent / "above.h").write_text("#define ABOVE 1\n")
    source.write_text(f'#include "{name}"\n' + source.read_text())
    counted(case, net)
    has((case.dir / "work/units.mk").read_text(), "ALONE := 001\n")


@test(needs=["ccache"])
def more_in_the_key(case):
    """Files that the user wants ccache to compare are compared, and make expands nothing of their names."""
    net = npu_kit.network(case)
    extra = case.write("extra $(shell touch here)", "1")
    env = {"CCACHE_EXTRAFILES": extra}
    counted(case, net, env=env)
    equal(counted(case, net, env=env)["cache_miss"], 0, "misses of the second run")
    extra.write_text("2")
    check(counted(case, net, env=env)["cache_miss"] >= GLUE, "all is compiled again")
    equal(list(case.dir.rglob("here")), [], "what make made of the name")


# ---- the NPU's registers ----

def unit_without(case, number, *, shadow):
    """Compiles a unit once more as the workspace's response file says, with or without our ATON.h."""
    work = case.dir / "work"
    lines = (work / f"obj/{number:03}.rsp").read_text().splitlines()
    kept = [line for line in lines if shadow or "templates/npu/no_registers" not in line]
    equal(len(lines) - len(kept), 0 if shadow else 1, "lines that name our ATON.h")
    (work / "unit.rsp").write_text("\n".join(kept).replace(f"obj/{number:03}.", "unit.") + "\n")
    case.run(f"{CROSS}gcc", "@unit.rsp", cwd=work, env={"SOURCE_DATE_EPOCH": "0"})
    return (work / "unit.o").read_bytes(), (work / "unit.d").read_text()


@each(["1.1.1", "1.1.3-8", "1.1.3"])
def no_registers_are_needed(case, release):
    """The objects of network and glue are the same, whether the pack's ATON.h is read or not."""
    net = npu_kit.network(case, version=npu_kit.RELEASES[release], epoch_controller=True)
    npu_kit.generate(case, net, "--workspace", case.dir / "work")
    for unit in (NETWORK, GLUE):
        (without, read), (whole, read_whole) = (unit_without(case, unit, shadow=shadow) for shadow in (True, False))
        equal(without == whole, True, f"the object of unit {unit}")
        has_not(read, "stm32n6/ATON.h")
        has(read_whole, "stm32n6/ATON.h")


@each({
    "text": "unsigned char units[ATON_STRENG_NUM];\n",
    "macro": "int port(void) {\n    return UNIT_SRC;\n}\n",
    "header": '#include "beside.h"\n',
    "hidden": "",
    "option": "",
    "folder": '#include "elsewhere.h"\n',
    "environment": '#include "elsewhere.h"\n',
    "spliced": '#\\\ninclude "beside.h"\n',
    "pasted": "#define AT(x) AT##x\n#if AT(ON_STRENG_NUM) > 0\nint streng;\n#endif\n",
    "meant": "#if UNITS > 0\nint units;\n#endif\n",
}.items())
def network_with_registers(case, value):
    """A network that may name registers gets them, and the image is the same as with them always."""
    label, line = value
    net = npu_kit.network(case, epoch_controller=True)
    (net.folder / "beside.h").write_text("extern unsigned char units[ATON_STRENG_NUM];\n")
    own = case.write("own.h", "#define UNIT_SRC ATON_CONVACC_NUM\n")
    if label == "hidden":  # the pack's headers include it, and find the network's
        (net.folder / "mcu_cache.h").write_text("#include_next <mcu_cache.h>\n")
    source = npu_kit.source_of(net)
    source.write_text(source.read_text() + line)
    case.write("more/elsewhere.h", "#ifdef ATON_STRENG_NUM\nint more;\n#endif\n")
    words = {"option": [f"--cflags=-include {own}"], "macro": [f"--cflags=-include {own}"],
             "folder": ["-I", case.dir / "more"], "environment": ["--pass-env", "CPATH"], "meant": ["-D", "UNITS=RASTA_VERSION_MAJOR"]}.get(label, [])
    npu_kit.generate(case, net, "--workspace", case.dir / "work", *words, env={"CPATH": case.dir / "more"})
    has((case.dir / f"work/obj/{NETWORK:03}.d").read_text(), "stm32n6/ATON.h")


@test
def glue_of_an_unknown_release(case):
    """Nobody has looked whether the glue of a later release needs the registers: it gets them."""
    version = (1, 1, 4, 1)
    net = npu_kit.network(case, version=version)
    npu_kit.generate(case, net, "--workspace", case.dir / "work")
    has((case.dir / f"work/obj/{GLUE:03}.d").read_text(), "npu/no_registers/ATON.h", "stm32n6/ATON.h")
