# SPDX-License-Identifier: Apache-2.0
"""Constructors: nothing in an image runs them. Those of unused code do not matter."""
import json

from kit import QEMU, each, has, test

FLAGS = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=auto", "-mfloat-abi=hard", "-fpic", "-msingle-pic-base",
         "-mpic-register=r9", "-mno-pic-data-is-text-relative", "-O2", "-ffunction-sections", "-fdata-sections"]
READY = """__attribute__((constructor)) static void setup(void) { __asm__ volatile(""); }
int ready_plus(int x) { return x + 3; }
"""
LOCAL = "static __thread int level = 4;\nint level_plus(int x) { return x + level++; }\n"
PLAIN = "int one_more(int x) { return x + 1; }\n"
MODEL = """int ready_plus(int), level_plus(int), one_more(int);
int helper(int x) { return %s(x); }
void unused(void) { ready_plus(1); level_plus(2); }
void entry(const float a[2], float b[1]) { b[0] = a[0] + (float)%s(2); }
"""


def verified(case, name):
    has(json.dumps(json.loads(case.verify(case.dir / f"out/{name}_rel.bin", "--json").out)), '"identical": true')


def archive(case):
    objects = []
    for name, text in (("ready", READY), ("local", LOCAL), ("plain", PLAIN)):
        objects.append(case.dir / f"{name}.o")
        case.run("arm-none-eabi-gcc", *FLAGS, "-c", case.write(f"{name}.c", text), "-o", objects[-1])
    case.run("arm-none-eabi-ar", "rcs", case.dir / "lib.a", *objects)
    return case.dir / "lib.a"


@test(needs=[QEMU])
def of_the_c_library(case):
    """exit brings a constructor of newlib along, whether or not anything calls it."""
    source = case.write("model.c", "#include <stdlib.h>\nvoid unused(void) { exit(1); }\n"
                                   "void entry(const float a[2], float b[1]) { b[0] = a[0] - a[1]; }\n")
    case.generate(source)
    verified(case, "model")
    used = case.write("used.c", "#include <stdlib.h>\nvoid entry(const float a[2], float b[1]) "
                                "{ if (a[0] > 1e30f) exit(1); b[0] = a[0]; }\n")
    has(case.refuse(6, "RP2600", used), "'_exit' needed by exit", "entry")


@test(needs=[QEMU])
def of_an_archive_that_is_not_used(case):
    library = archive(case)
    case.generate(case.write("model.c", MODEL % ("one_more", "one_more")), "--runtime-lib", library)
    verified(case, "model")


@each([("ready_plus", "RP2403", "lib.a(ready.o)", ".init_array"), ("level_plus", "RP2404", "lib.a(local.o)", ".tdata")])
def of_an_archive_that_is_used(case, what):
    name, error, member, section = what
    library = archive(case)
    source = case.write("model.c", MODEL % (name, "helper"))
    text = case.refuse(4, error, source, "--runtime-lib", library, "--cflags=-fno-inline")
    if error == "RP2403":
        has(text, member, section, f"the image uses '{name}' of this member", "called by helper", "model.c")


@each(["source", "object"])
def of_an_object(case, kind):
    """It is linked whole, so its constructors would run in any firmware."""
    archive(case)
    source = case.write("model.c", MODEL % ("one_more", "one_more"))
    words = ["--source", case.dir / "ready.c"] if kind == "source" else ["--runtime-lib", case.dir / "ready.o"]
    text = case.refuse(4, "RP2403", source, *words, "--runtime-lib", case.dir / "plain.o")
    has(text, "ready.", ".init_array", ": setup")
