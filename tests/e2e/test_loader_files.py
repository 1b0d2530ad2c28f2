# SPDX-License-Identifier: Apache-2.0
"""
The loader's files beside an image: a source and a header made from the parts in runtime/ (runtime/amalgamate.awk),
or the parts themselves. To a compiler the whole equals the parts, and it needs nothing else.
"""
import os
import re

import kit
import npu_kit
import standin
from kit import CROSS, EXAMPLES, check, each, equal, has, test

RUNTIME = kit.ROOT / "runtime"
TINY = EXAMPLES / "tiny" / "tiny.c"
STAND_IN = kit.FIXTURES / "npu/pack"
FORWARDING = sorted(path.name for path in (RUNTIME / "compat").iterdir())
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# The vendor's, used where they are found.
OTHERS = {"ai_platform.h", "ai_platform_interface.h", "core_common.h", "core_private.h", "ll_aton_reloc_network.h"}


def alone(case, made, folder="alone"):
    """The loader's files, copied into a folder of their own."""
    for path in made.glob("*reloc_*.[ch]"):
        case.write(f"{folder}/{path.name}", path.read_bytes())
    return case.dir / folder


def tokens(case, source, *flags):
    """The words of a source after preprocessing, without the names of its files."""
    return case.run(f"{CROSS}gcc", "-E", "-P", "-std=c11", *flags, source).out.split()


SETTINGS = {
    "plain": [], "no-heap": ["-DAI_RELOC_NO_MALLOC"], "log": ["-DAI_RELOC_LOG_ENABLE=1"],
    "macc32": ["-DAI_RELOC_REPORT_MACC64=0"], "strict": ["-DAI_RELOC_REQUIRE_TRAILER", "-DAI_RELOC_CPUID_SUPERSET"],
    "unchecked": ["-DAI_RELOC_RT_MCU_CHECKING=0"], "config": ['-DAI_RELOC_CONFIG="own_config.h"'],
    "iar": ["-D__ICCARM__"], "armcc": ["-D__CC_ARM"], "c++": ["-D__cplusplus=201103L"], "vendor": None,
}


@test
def says_what_the_parts_say(case):
    """The same to a compiler, under each setting, with each compiler's shim, with and without a pack."""
    case.generate(TINY)
    folder = alone(case, case.dir / "out")
    equal(kit.visible(folder), ["ai_reloc_network.c", "ai_reloc_network.h"], "files")
    case.write("own/own_config.h", "#define AI_RELOC_MALLOC(size) take(size)\n#define AI_RELOC_FREE(p) give(p)\n")
    case.write("own/intrinsics.h", "int of_the_compiler;\n")
    seen = set()
    for label, flags in SETTINGS.items():
        if flags is None:
            flags = [f"-I{standin.pack(case, (10, 0)) / standin.AI / 'Inc'}"]
        for name in ("ai_reloc_network.c", "ai_reloc_network.h"):
            flags = [f"-I{case.dir / 'own'}", *flags]
            whole = tokens(case, folder / name, *flags)
            equal(whole == tokens(case, RUNTIME / name, *flags), True, f"{name}, {label}")
            seen.add(tuple(whole))
    check(len(seen) > len(SETTINGS), "the settings make no difference")


@test
def npu_says_what_the_parts_say(case):
    made = npu_kit.made(case)
    folder = alone(case, made.out)
    equal(kit.visible(folder), ["ll_aton_reloc_loader.h", "ll_aton_reloc_network.c"], "files")
    packs = [STAND_IN / "Middlewares/ST/AI/Npu/ll_aton", STAND_IN / "scripts/N6_reloc/resources/platform/stm32n6"]
    flags = ["-mcpu=cortex-m55", "-mthumb", "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6", "-DLL_ATON_RT_RELOC",
             "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL", *(f"-I{path}" for path in packs)]
    for more in ([], ["-DLL_ATON_EB_DBG_INFO"], ["-D__ICCARM__", f"-I{case.dir}"]):
        case.write("intrinsics.h", "int of_the_compiler;\n")
        for name in kit.visible(folder):
            whole = tokens(case, folder / name, *flags, *more)
            equal(whole == tokens(case, RUNTIME / name, *flags, *more), True, f"{name} {more}")
            check(len(whole) > 1000, f"{name} is empty")


@test
def nothing_else_is_needed(case):
    """None of our own includes is left, except those of the pair; others are somebody else's."""
    case.generate(TINY)
    for made in (case.dir / "out", npu_kit.made(case).out):
        names = {path.name for path in made.glob("*reloc_*.[ch]")}
        for name in names:
            left = set(INCLUDE.findall((made / name).read_text()))
            equal({name for name in left - names if (RUNTIME / name).exists()}, set(), f"parts that {name} includes")
    left = set(INCLUDE.findall((case.dir / "out/ai_reloc_network.h").read_text()))
    equal(left - OTHERS, set(), "headers that may be included")
    folder = alone(case, case.dir / "out")
    case.write("user.c", '#include "ai_reloc_network.h"\nAI_ALIGN(8) static char c[3];\nint f(const ai_observer_node *n);\n'
               "int f(const ai_observer_node *n) {\n    return GET_TENSOR_LIST_IN(n->tensors) != NULL && "
               'ai_reloc_signature_text(c, "k") != 0 && AI_RELOC_E_CRC < 0;\n}\n')
    for standard in ("-std=c11", "-std=gnu99", "-std=c++11"):
        language = "c++" if "++" in standard else "c"
        case.run(f"{CROSS}g++" if language == "c++" else f"{CROSS}gcc", *kit.target_flags(case, "stm32f4"), "-Wall", "-Wextra",
                 "-Werror", "-Wno-return-type", standard, f"-I{folder}", "-x", language, "-c", "user.c", "-o", "user.o")


SETTINGS_OF_USERS = [(), ("-DAI_RELOC_HARDENED",), ("-DAI_RELOC_SIGNED",), ("-DAI_RELOC_SIGNED", "-DAI_RELOC_HARDENED"), ("-DAI_RELOC_LOG_ENABLE=1",),
                     ("-DAI_RELOC_REQUIRE_TRAILER",), ("-DAI_RELOC_NO_MALLOC",), ("-DAI_RELOC_CPUID_SUPERSET",)]
CLANG = ("clang", "--target=arm-none-eabi", "-isystem", "/usr/lib/arm-none-eabi/include", "-isystem", "/usr/include/newlib")
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Werror", "-mthumb", "-c", "-o", "/dev/null")


@each([" ".join(words) for words in SETTINGS_OF_USERS], needs=["clang"])
def no_warning(case, settings):
    """As it is written beside an image: one file, of which clang says what a static function of a header need not fear."""
    case.generate(TINY)
    folder = alone(case, case.dir / "out")
    compilers = [(f"{CROSS}gcc",)] + ([] if "HARDENED" in settings else [CLANG])  # the second copy of the checks is for gcc
    for compiler in compilers:
        for level, standard in (("-Os", "c11"), ("-O1", "c17"), ("-O2", "c2x"), ("-O3", "c11")):
            for core in ("cortex-m0", "cortex-m33"):
                case.run(*compiler, f"-mcpu={core}", f"-std={standard}", level, *STRICT, *settings.split(), folder / "ai_reloc_network.c")


@test(needs=["clang"])
def npu_no_warning(case):
    folder = alone(case, npu_kit.made(case).out)
    packs = [STAND_IN / "Middlewares/ST/AI/Npu/ll_aton", STAND_IN / "scripts/N6_reloc/resources/platform/stm32n6"]
    flags = ["-mcpu=cortex-m55", "-std=c11", "-fshort-enums", "-DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6", "-DLL_ATON_RT_RELOC",
             "-DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL", *(word for path in packs for word in ("-isystem", path))]
    for settings in ([], ["-DAI_RELOC_SIGNED"]):
        for level in ("-Os", "-O1", "-O2", "-O3"):
            for compiler in ((f"{CROSS}gcc",), CLANG):
                case.run(*compiler, *flags, level, *STRICT, *settings, folder / "ll_aton_reloc_network.c")


@test(needs=["clang++"])
def no_warning_in_cplusplus(case):
    case.generate(TINY)
    folder = alone(case, case.dir / "out")
    case.write("user.cc", """#include "ai_reloc_network.h"
ai_handle f(ai_tensor *t, ai_buffer *b, const char *text, uint32_t *out) {
    static const int fixed = 3;
    AI_TENSOR_ARRAY_UPDATE_DATA_ADDR(t, AI_TENSOR_ARRAY_GET_DATA_ADDR(t));
    *out = AI_BUFFER_FMT_GET_BITS(b->format) + AI_TENSOR_ARRAY_BYTE_SIZE(t) + (ai_reloc_signature_digits(text, out) != nullptr);
    *AI_BUFFER_DATA(b, ai_i8) = 1;
    AI_TENSOR_ARRAY_UPDATE_DATA_ADDR(t, *out);
    t->data->data = static_cast<ai_ptr>(AI_HANDLE_PTR(0x20000000u));
    return AI_BUFFER_FMT_GET_FBITS(b->format) + AI_SHAPE_CH(&t->shape) != 0 ? AI_HANDLE_PTR(&fixed) : AI_HANDLE_NULL;
}
""")
    for compiler in ((f"{CROSS}g++",), ("clang++", *CLANG[1:])):
        for standard in ("c++11", "c++14", "c++17", "c++20"):
            case.run(*compiler, "-mcpu=cortex-m4", f"-std={standard}", "-Wold-style-cast", "-Wno-missing-declarations", *STRICT, f"-I{folder}", "user.cc")


@test
def the_same_twice(case):
    """The same bytes wherever and in whatever time zone it is made."""
    case.generate(TINY)
    for name, beside in (("ai_reloc_network.c", "ai_reloc_network.h"), ("ai_reloc_network.h", "")):
        version = case.relocpack("--version").out.split()[1]
        again = case.run("awk", "-f", "amalgamate.awk", "-v", f"version={version}", "-v", f"beside={beside}", RUNTIME / name,
                         cwd=RUNTIME, env={"TZ": "Asia/Tokyo"}).raw_out
        equal(again == (case.dir / "out" / name).read_bytes(), True, name)


# ---- --loader-sources ----

@test
def parts(case):
    """The parts as they are in runtime/, with everything that they include."""
    case.generate(TINY, "--loader-sources")
    network = npu_kit.source_of(npu_kit.made(case).network)
    npu_kit.generate(case, network, "--loader-sources", out="npu")
    for out in (case.dir / "out", case.dir / "npu"):
        parts = {path.name: path for path in RUNTIME.rglob("*.*") if path.suffix in (".c", ".h", ".def") and path.parent.name != "math"}
        names = set(kit.visible(out)) & set(parts)
        for name in names:
            flat = re.sub(r'^(#include ")[^"]*/', r"\1", parts[name].read_text(), flags=re.M)
            equal((out / name).read_text(), flat, name)
            missing = {part for part in INCLUDE.findall(flat) if part in parts} - names
            equal(missing, set(), f"what {name} includes")
        equal(set(FORWARDING) <= names, out.name == "out", "forwarding headers")
        check("reloc_core.h" in names and "reloc_errors.def" in names, "parts")


@each([[], ["--loader-sources"], ["--service"]])
def without_c_files(case, words):
    """The loader is the same for all images, and does not count as a C file of this one."""
    case.generate(TINY, *words)
    case.generate(TINY, *words, "--no-c-files", out="fewer")
    gone = set(os.listdir(case.dir / "out")) - set(os.listdir(case.dir / "fewer"))
    equal(gone, {"tiny_rel.h"}, "files that --no-c-files leaves out")


@test
def header_of_others(case):
    """A file that has the name of a forwarding header is kept in the folder; one of ours is replaced."""
    case.generate(TINY, "--loader-sources")
    case.generate(TINY, "--loader-sources")
    for name in FORWARDING:
        kept = case.write(f"out/{name}", "/* SPDX-License-Identifier: Apache-2.0 */\n/* the vendor's */\n")
        has(case.refuse(2, "RP2200", TINY, "--loader-sources"), name, "another's header")
        kept.unlink()


@test
def part_as_input(case):
    """A model's file with the name of a part of the loader is not replaced."""
    case.write("in/reloc_core.h", "#define K 3\n")
    case.write("in/part.c", '#include "reloc_core.h"\n' + TINY.read_text())
    has(case.refuse(2, "RP2200", case.dir / "in/part.c", "--loader-sources", out="in"), "reloc_core.h", "is an input")


@test
def own_runtime_as_output(case):
    """The files from which the loader is made are not replaced by the result."""
    tool = case.dir / "tool"
    for folder in ("templates", "runtime"):
        kit.shutil.copytree(kit.ROOT / folder, tool / folder)
    env = {"RELOCPACK_DATADIR": str(tool)}
    has(case.refuse(2, "RP2200", TINY, out="tool/runtime", env=env), "ai_reloc_network.c", "a file of relocpack")


# ---- the generator ----

def amalgamate(case, files, **more):
    for name, text in files.items():
        case.write(f"parts/{name}", text)
    return case.run("awk", "-f", RUNTIME / "amalgamate.awk", case.dir / "parts" / next(iter(files)), **more)


GUARDED = "#ifndef {0}_H\n#define {0}_H\n{1}\n#endif\n"
SOUND = {
    "conditional": {"a.c": '#if ONE\n#include "b.h"\n#else\nint other;\n#endif\nint last;\n', "b.h": GUARDED.format("B", "int b;")},
    "twice": {"a.c": '#include "b.h"\n#include "b.h"\n#include "c.h"\n', "b.h": GUARDED.format("B", "int b;"),
              "c.h": GUARDED.format("C", '#include "b.h"\nint c;')},
    "table": {"a.c": '#define X(n) int n;\n#include "t.def"\n#undef X\n#define X(n) n +\nint sum =\n#include "t.def"\n0;\n',
              "t.def": "X(one)\nX(two)\n"},
    "within": {"a.c": '#if ONE\n#include "b.h"\n#if TWO\n#include "b.h"\n#endif\nint a;\n#endif\n',
               "b.h": GUARDED.format("B", "int b;")},
    "mutual": {"a.c": '#include "b.h"\n', "b.h": GUARDED.format("B", '#include "c.h"\nint b;'),
               "c.h": GUARDED.format("C", '#include "b.h"\nint c;')},
}


@each(list(SOUND))
def generator(case, label):
    """To the preprocessor the result equals its source, and it needs none of the parts."""
    whole = case.write("whole/a.c", amalgamate(case, SOUND[label]).raw_out)
    for flags in ([], ["-DONE"], ["-DONE=1"], ["-DONE=1", "-DTWO=1"]):
        equal(tokens(case, whole, *flags), tokens(case, case.dir / "parts/a.c", *flags), f"{label} {flags}")


REFUSED = {
    "else": '#if ONE\n#include "b.h"\n#else\n#include "b.h"\n#endif\n',
    "behind": '#if ONE\n#include "b.h"\n#endif\n#include "b.h"\n',
    "other-header": '#if ONE\n#include "b.h"\n#endif\n#include "c.h"\n',
    "open": '#if ONE\n#include "b.h"\n',
}


@each(list(REFUSED))
def generator_refuses(case, label):
    """A part that would be missing where the condition of its first use does not hold."""
    files = {"a.c": REFUSED[label], "b.h": GUARDED.format("B", "int b;"), "c.h": GUARDED.format("C", '#include "b.h"')}
    has(amalgamate(case, files, status=1).err, "a.c" if label == "open" else "b.h")
