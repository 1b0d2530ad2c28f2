# SPDX-License-Identifier: Apache-2.0
"""Archives and objects made by hand in odd ways: each gives a correct image, or is refused with a message
that names the oddity."""
import kit
from kit import CROSS, QEMU, check, each, equal, has, test

ENTRY = """float f(float), g(float);
void entry(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = g(in[i]) - f(in[i]); }
"""


def archive(case, name, members, letters="qc"):
    """members: (file in a folder of its own, C or assembly)"""
    objects = []
    for i, (member, text) in enumerate(members):
        source = case.write(f"src/{i}{'.S' if text.startswith('.') else '.c'}", text)
        objects.append(kit.compile_object(case, source, case.path(f"obj/{i}/{member}")))
    case.run(f"{CROSS}ar", letters, case.path(name), *objects)
    return case.dir / name


GROUP = """.syntax unified
.thumb
.section .text.%s,"axG",%%progbits,group,comdat
.thumb_func
.type %s,%%function
%s: bx lr
.section .text.%s,"ax"
.global %s
.type %s,%%function
.thumb_func
%s: b %s
"""


@test
def local_of_another_group(case):
    """The linker takes the group from one object, and the other needs a local symbol of its own group."""
    members = [(f"{name}.o", GROUP % (("inner",) * 3 + (name,) * 4 + ("inner",))) for name in "fg"]
    error = case.refuse(4, "RP2401", case.write("model.c", ENTRY), "--runtime-lib", archive(case, "lib.a", members))
    has(error, "'inner' is needed", "COMDAT", "lib.a")


@test(needs=[QEMU])
def position_independent_code_in_the_static_build(case):
    """It finds its variables by r9 there, too; the model, with more values than registers, would use r9 for one of them."""
    library = case.write("lib.c", "int count, table[4] = {1, 2, 3, 4};\nint next(int x) { return table[x & 3] + count++; }\n")
    model = case.write("m.c", """int next(int x);
void m(const int in[12], int out[12]) {
    int a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
    for (int i = 0; i < 12; i++) {
        int n = next(in[i]);
        a += n; b ^= a; c += b; d ^= c; e += d; f ^= e; g += f; h ^= g;
        out[i] = h + n;
    }
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = h;
}
""")
    case.generate(model, "--runtime-lib", kit.compile_object(case, library, "lib.o"))
    has(case.verify(case.dir / "out/m_rel.bin").out, "12 of 12 runs bit-identical")


@test
def label_behind_all_variables(case):
    """gcc refers to variables from a label, which may lie past the last of them: a loader would refuse its address."""
    code = case.write("k.c", "static float s[4]; static int big[2][4] __attribute__((aligned(4096))); static unsigned n;\n"
                             "static char odd[5]; static short z[8];\n"
                             "float f(float x) { big[0][n & 3]++; n++; odd[n % 5] = (char)n; s[n & 3] += x; z[n & 7]++;\n"
                             "    return s[0] + big[0][1] + odd[2] + z[3]; }\nfloat g(float x) { return x; }\n")
    flags = [*kit.target_flags(case, "stm32f4"), "-O2", "-fpic", "-msingle-pic-base", "-mpic-register=r9",
             "-mno-pic-data-is-text-relative"]
    model = case.write("model.c", ENTRY)
    case.run(f"{CROSS}gcc", *flags, "-c", code, "-o", "k.o")
    has(case.refuse(5, "RP2502", model, "--runtime-lib", case.dir / "k.o", hint="-fno-section-anchors"), ".LANCHOR")
    case.run(f"{CROSS}gcc", *flags, "-fno-section-anchors", "-c", code, "-o", "k.o")
    case.generate(model, "--runtime-lib", case.dir / "k.o")
    case.relocpack("inspect", case.dir / "out/model_rel.bin")


@test
def distance_to_nothing(case):
    text = (".syntax unified\n.thumb\n.section .text.f,\"ax\"\n.weak nothing\n.global f\n.thumb_func\nf: ldr r0, 1f\nadr r1, 1f\n"
            "add r0, r1\nbx lr\n.align 2\n1: .word nothing - 1b\n")
    error = case.refuse(5, "RP2500", case.write("model.c", ENTRY), "--runtime-lib",
                        archive(case, "lib.a", [("f.o", text), ("g.o", "float g(float x) { return x; }\n")]))
    has(error, "an undefined weak symbol", "nothing", "lib.a(f.o)")


@each([(form, kind) for form in ("object", "archive") for kind in ("fat", "slim")], needs=[QEMU])
def link_time_optimisation(case, what):
    """Of objects that hold machine code beside, the linker takes that; others it compiles itself."""
    form, kind = what
    source = case.write("k.c", "float f(float x) { return x * 2; }\nfloat g(float x) { return x * x; }\n")
    flags = [*kit.target_flags(case, "stm32f4"), "-O2", "-fpic", "-msingle-pic-base", "-mpic-register=r9",
             "-mno-pic-data-is-text-relative", "-flto", "-ffat-lto-objects" if kind == "fat" else "-fno-fat-lto-objects"]
    library = "k.o"
    case.run(f"{CROSS}gcc", *flags, "-c", source, "-o", library)
    if form == "archive":
        library = "libk.a"
        case.run(f"{CROSS}gcc-ar", "rc", library, "k.o")
    case.generate(case.write("model.c", ENTRY), "--runtime-lib", library, cwd=case.dir)
    has(case.verify(case.dir / "out/model_rel.bin", "--trust-report").out, "12 of 12 runs bit-identical")


@test(needs=[QEMU])
def link_time_optimisation_of_a_part(case):
    """An object made of two, of which only one has code for link-time optimisation: nothing of the other is lost."""
    flags = [*kit.target_flags(case, "stm32f4"), "-O2", "-fpic", "-msingle-pic-base", "-mpic-register=r9",
             "-mno-pic-data-is-text-relative"]
    weak = case.write("a.c", "__attribute__((weak, noinline)) float g(float x) { return -1000; }\nfloat f(float x) { return x; }\n")
    strong = case.write("b.c", "float g(float x) { return 3 * x; }\n")
    case.run(f"{CROSS}gcc", *flags, "-flto", "-ffat-lto-objects", "-c", weak, "-o", "a.o")
    case.run(f"{CROSS}gcc", *flags, "-c", strong, "-o", "b.o")
    case.run(f"{CROSS}ld", "-r", "a.o", "b.o", "-o", "ab.o")
    case.generate(case.write("model.c", ENTRY), "--runtime-lib", "ab.o", cwd=case.dir)
    has(case.verify(case.dir / "out/model_rel.bin").out, "12 of 12 runs bit-identical")


@test
def link_time_optimisation_of_two_kinds(case):
    """One object has no machine code, so the linker compiles both and drops the other's: the error says what to do."""
    flags = [*kit.target_flags(case, "stm32f4"), "-O2", *kit.PIC, "-flto"]
    for name, kind in (("f", "fat"), ("g", "slim")):
        source = case.write(f"{name}.c", f"int n{name} = 3; float {name}(float x) {{ return x * n{name}++; }}\n")
        case.run(f"{CROSS}gcc", *flags, "-ffat-lto-objects" if kind == "fat" else "-fno-fat-lto-objects", "-c", source, "-o", f"{name}.o")
    words = ["--runtime-lib", case.dir / "f.o", "--runtime-lib", case.dir / "g.o"]
    has(case.refuse(4, "RP2406", case.write("model.c", ENTRY), *words, hint="with -ffat-lto-objects, or none"), "f.o")
    case.run(f"{CROSS}gcc", *flags, "-ffat-lto-objects", "-c", case.dir / "g.c", "-o", "g.o")
    case.generate(case.dir / "model.c", *words)


@test(needs=[QEMU], slow=True)
def more_sections_than_16_bits_count(case):
    """Among the numbers of sections are those that mean something else where a number has 16 bits."""
    one = '.section .text.f%d,"ax",%%progbits\n.thumb_func\n.global f%d\n.type f%d,%%function\nf%d: adds r0, #%d\nbx lr\n'
    source = case.write("many.s", ".syntax unified\n.thumb\n" + "".join(one % (i, i, i, i, i % 8) for i in range(65600)))
    case.run(f"{CROSS}as", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", source, "-o", "many.o")
    wanted = [3, *range(65517, 65525), 65599]
    model = "".join(f"int f{i}(int);\n" for i in wanted) + "void m(const int a[1], int b[1]) { b[0] = " + "(".join(
        f"f{i}" for i in wanted) + "(a[0]" + ")" * len(wanted) + "; }\n"
    case.generate(case.write("m.c", model), "--runtime-lib", "many.o", cwd=case.dir)
    has(case.verify(case.dir / "out/m_rel.bin").out, "12 of 12 runs bit-identical")


# ---- several members of one name; order in which the linker takes members ----

INNER = "static float s = %d;\nstatic __attribute__((noinline)) float inner(float x) { return x + s++; }\n"
WEAK = "__attribute__((weak, noinline)) float h(float x) { return x * %d; }\n"
# f pulls in what has g, which stands first in the archive, or shares the name.
PULLED = {
    "same_bytes": [("k.o", "float far(float);\nfloat g(float x) { return far(x) * 2; }\n"),
                   ("k.o", "float g(float);\nfloat f(float x) { return g(x) * 2; }\n"),
                   ("far.o", "float far(float x) { return x + 5; }\n")],
    "one_not_taken": [("k.o", "float other(float x) { return x * 3; }\n"), ("k.o", "float g(float x) { return x * 2; }\n"),
                      ("k.o", "float g(float);\nfloat f(float x) { return g(x) + 2; }\n")],
    "one_not_needed": [("k.o", INNER % 1 + "float other(float x) { return inner(x); }\nfloat g(float x) { return x + 7; }\n"),
                       ("k.o", INNER % 1 + "float g(float);\nfloat f(float x) { return inner(x) + g(x); }\n")],
    "other_values": [("k.o", INNER % 9 + "float g(float x) { return inner(x); }\n"),
                     ("k.o", INNER % 5 + "float g(float);\nfloat f(float x) { return inner(x) + g(x); }\n")],
    "identical": [("k.o", "float f(float x) { return x * 2; }\n")] * 2,
    "first_weak": [("g.o", WEAK % 3 + "float g(float x) { return h(x) * 2; }\n"),
                   ("f.o", WEAK % 2 + "float g(float);\nfloat f(float x) { return g(x) + h(x); }\n")],
}


@each(sorted(PULLED), needs=[QEMU])
def pulled(case, name):
    source = case.write("model.c", "float f(float);\nvoid entry(const float in[4], float out[4]) {\n"
                                   "    for (int i = 0; i < 4; i++) out[i] = f(in[i]);\n}\n")
    case.generate(source, "--runtime-lib", archive(case, "lib.a", PULLED[name]))
    has(case.verify(case.dir / "out/model_rel.bin").out, "12 of 12 runs")


@each(["archive_first", "object_first"], needs=[QEMU])
def weak_in_object_and_archive(case, order):
    """The first one counts: a member that is taken at once, or an object behind the archive."""
    path = archive(case, "lib.a", [("f.o", WEAK % 2 + "float f(float x) { return h(x); }\n")])
    other = kit.compile_object(case, case.write("g.c", WEAK % 3 + "float g(float x) { return h(x) * 2; }\n"), case.dir / "g.o")
    files = [path, other] if order == "archive_first" else [other, path]
    case.generate(case.write("model.c", ENTRY), *(word for file in files for word in ("--runtime-lib", file)))
    has(case.verify(case.dir / "out/model_rel.bin").out, "12 of 12 runs")


OPENS = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int opened;
int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    size_t len = strlen(path);
    opened += len >= 5 && strcmp(path + len - 5, "lib.a") == 0;
    return next(path, flags, mode);
}
__attribute__((destructor)) static void say(void) {
    extern char *program_invocation_short_name;
    FILE *file = strcmp(program_invocation_short_name, "relocpack") == 0 ? fopen(getenv("OPENS"), "w") : NULL;
    if (file != NULL)
        fprintf(file, "%d", opened), fclose(file);
}
"""


@test
def opened_as_often_whatever_is_used(case):
    """One pass over an archive for each purpose, not for each member that the image takes."""
    case.run("cc", "-shared", "-fPIC", "-o", "opens.so", case.write("opens.c", OPENS), "-ldl")
    opened = []
    for count in (3, 40):
        names = [f"f{i}" for i in range(count)]
        for name in names:
            case.write(f"{count}/{name}.c", f"int {name}(int x) {{ return x * 3 + {len(name)}; }}\n")
        case.run(f"{CROSS}gcc", *kit.target_flags(case, "stm32f4"), *kit.PIC, "-c", *(f"{name}.c" for name in names),
                 cwd=case.dir / str(count))
        case.run(f"{CROSS}ar", "qc", "lib.a", *(f"{name}.o" for name in names), cwd=case.dir / str(count))
        calls = "".join(f"out[0] = {name}(out[0]);" for name in names)
        model = case.write("model.c", "".join(f"int {name}(int);\n" for name in names) +
                           f"void entry(const int in[1], int out[1]) {{ out[0] = in[0]; {calls} }}\n")
        case.generate(model, "--runtime-lib", case.dir / str(count) / "lib.a",
                      env={"LD_PRELOAD": str(case.dir / "opens.so"), "OPENS": str(case.dir / "opens")})
        equal(len(case.report("model")["archive_members"]), count, "members used")
        opened.append(int((case.dir / "opens").read_text()))
    equal(opened[1], opened[0], "times that the archive was opened")
    check(1 <= opened[0] <= 12, f"the archive was opened {opened[0]} times")
