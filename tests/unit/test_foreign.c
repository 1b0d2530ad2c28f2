/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/dialects/foreign.h and of explained messages,
 * toolchain/compile/messages.h.
 */
#include "toolchain/dialects/foreign.h"
#include "tests/unit/unit.h"
#include "toolchain/compile/messages.h"

static bool check(struct unit *unit, const char *path, const char *data, size_t size) {
    const struct rp_bytes file = {(const uint8_t *)data, size};
    unit->err = (struct rp_error){0};
    return rp_check_foreign(path, &file, &unit->err);
}

static void model_files(void **state) {
    static const struct {
        const char *path, *data;
        size_t size;
        const char *what, *generator; /* NULL: not foreign */
    } cases[] = {
        {"m.tflite", "\x1c\0\0\0TFL3", 8, "TensorFlow Lite", "stedgeai"},
        {"m.bin", "\x1c\0\0\0TFL3....", 12, "TensorFlow Lite", "relocpack ops m.bin"},
        {"m.tflite", "x", 1, "TensorFlow Lite", "relocpack ops"},
        {"a/m.onnx", "\x08\x07", 2, "ONNX", "onnx2c"},
        {"m.h5", "\211HDF\r\n", 6, "Keras", "keras2c"},
        {"m.keras", "PK\3\4", 4, "Keras", "emlearn"},
        {"m.pt", "PK\3\4", 4, "PyTorch", "ONNX export"},
        {"m.h5", "int x;", 6, NULL, NULL},
        {"m.zip", "PK\3\4", 4, NULL, NULL},
        {"m.c", "int x;", 6, NULL, NULL},
        {"m.c", "\1\2\3", 3, NULL, NULL},
        {"", "", 0, NULL, NULL},
    };
    struct unit *unit = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool ours = check(unit, cases[i].path, cases[i].data, cases[i].size);
        assert_int_equal(ours, cases[i].what == NULL);
        if (ours)
            continue;
        assert_int_equal(unit->err.id, RP_E_DIALECT);
        assert_non_null(strstr(unit->err.message, cases[i].what));
        assert_non_null(strstr(unit->err.hint, cases[i].generator));
        assert_string_equal(unit->err.file, cases[i].path);
    }
}

static void cplusplus(void **state) {
    static const char *const yes[] = {"namespace x {",
                                      "#pragma once\nclass Model {};",
                                      "template <typename T> T f(T);",
                                      "/* c */ template\n<int N> struct A;",
                                      "int a; class B;",
                                      "#ifndef A\n#define A\nnamespace n { }\n#endif"};
    static const char *const no[] = {
        "",
        "int class = 3;",
        "/* class A */ int x;",
        "// namespace a\nint x;",
        "const char *s = \"class A\";",
        "int template(int);",
        "int subclass_x; int my_namespace;",
        "#ifdef __cplusplus\nnamespace a {\n#if X\n#endif\nclass B;\n}\n#endif\nint x;",
        "#define CLASS class A\n",
        "char c = '\"'; int y; /*",
        "\"",
        "'\\",
        "class"};
    (void)state;
    for (size_t i = 0; i < COUNT(yes); i++)
        assert_true(rp_is_cplusplus_text(yes[i]));
    for (size_t i = 0; i < COUNT(no); i++)
        assert_false(rp_is_cplusplus_text(no[i]));
}

static void said(void **state) {
    static const struct {
        const char *text;
        bool cplusplus;
        enum rp_error_id id; /* 0: unknown */
        const char *message, *hint;
    } cases[] = {
        {"ld: error: image.elf uses VFP register arguments, a b/soft.o does not\nmore", false,
         RP_E_ABI_MISMATCH, "'a b/soft.o' passes floating-point arguments in core registers",
         "-mfloat-abi=hard"},
        {"x\n/bin/ld: error: glue_c.c uses VFP register arguments, image.elf does not\n", false,
         RP_E_ABI_MISMATCH,
         "the model's code passes floating-point arguments in core registers, "
         "but 'glue_c.c'",
         "--cflags"},
        {"a.o uses VFP register arguments, b.o did", false, 0, NULL, NULL},
        {"ld: error: fp16 format mismatch between a b/f.o and image.elf\nld: failed to merge",
         false, RP_E_ABI_MISMATCH, "'a b/f.o' uses another format of half-precision numbers",
         "-mfp16-format=ieee"},
        {"m.cpp:1:10: fatal error: cmath: No such file or directory\n", true, RP_E_HEADERS,
         "m.cpp:1:10: <cmath>", "libstdc++-arm-none-eabi-newlib"},
        {"m.h:1:10: fatal error: cmath: No such file or directory\n", false, RP_E_COMPILE,
         "compiled as C", "extern \"C\""},
        {"m.c:1:10: fatal error: math.h: No such file or directory\n", false, RP_E_HEADERS,
         "m.c:1:10: <math.h>", "libnewlib-arm-none-eabi"},
        {"m.c:1:10: fatal error: own/x.h: No such file or directory\n", false, RP_E_COMPILE,
         "own/x.h: No such file", "-I"},
        {"m.h:2:1: error: unknown type name 'class'\n", false, RP_E_COMPILE,
         "m.h:2:1: 'class' is C++", "#include \"m.h\""},
        {"m.h:2:1: error: unknown type name 'class'\n", true, 0, NULL, NULL},
        {"m.h:2:1: error: unknown type name 'classy'\n", false, 0, NULL, NULL},
        {"m.c:1:10: fatal error: no input files\n", false, 0, NULL, NULL},
        {"gcc: fatal error: cannot read spec file 'x': No such file or directory\n", false, 0, NULL,
         NULL},
        {"/usr/bin/ld: a b/m.c: in function `f':\n/w/m.c:2: multiple definition of `f'; "
         "o.c:/w/o.c:1: first defined here\n",
         false, RP_E_LINK, "a b/m.c: it defines 'f', which o.c defines as well", "static"},
        {"x\n/usr/bin/ld: l.a(m.o):(.data.v+0x0): multiple definition of `v'; "
         "o.c:(.data.v+0x0): first defined here\n",
         false, RP_E_LINK, "l.a(m.o): it defines 'v', which o.c defines as well", "static"},
        {": multiple definition of `v'", false, RP_E_LINK,
         "the model: it defines 'v', which another file defines as well", "static"},
        {"ld: m.o: in function `t':\n(.rodata+0x0): relocation truncated to fit: R_ARM_ABS16 "
         "against symbol `t' defined in .rodata section in m.o\n",
         false, RP_E_LINK, "m.o: an address or a distance does not fit", "32 bits"},
        {"m.o:(.text+0x0): relocation truncated to fit: R_ARM_THM_JUMP8 against `.text.g'\n", false,
         RP_E_LINK, "R_ARM_THM_JUMP8 of '.text.g'", "32 bits"},
        {"m.o:(.text+0x0): relocation truncated to fit: R_ARM_THM_JUMP8", false, 0, NULL, NULL},
        {"ld: m.o: in function `t':\n(.data+0x4): dangerous relocation: unsupported relocation\n",
         false, RP_E_LINK,
         "m.o: the linker does not support a relocation, at (.data+0x4): "
         "unsupported relocation",
         "readelf"},
        {"/bin/ld: m.c: in function `f':\n/w/m.c:21: undefined reference to `v'\n"
         "/bin/ld: image.elf: hidden symbol `v' isn't defined\n",
         false, RP_E_UNDEFINED, "'v' needed by m.c", "--runtime-lib"},
        {"l: `v' referenced in section `.text' of m.o: defined in discarded section `.data.z' of "
         "m.o\n",
         false, RP_E_ORPHAN, "m.o: the linker leaves out section '.data.z', where 'v' lies",
         "flags"},
        {"ld: no address assigned to the veneers output section .gnu.sgstubs\n", false, RP_E_ORPHAN,
         "cmse_nonsecure_entry", "firmware"},
        {"/usr/bin/ld: a b.a: error adding symbols: archive has no index; run ranlib to add one\n",
         false, RP_E_LINK, "a b.a: the archive has no index", "ranlib 'a b.a'"},
        {"/usr/bin/ld: error: a.a(b.o): conflicting use of R9\n", false, RP_E_ABI_MISMATCH,
         "a.a(b.o) states that r9 is a static base", "-r llvm"},
        {"", false, 0, NULL, NULL},
    };
    struct unit *unit = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        unit->err = (struct rp_error){0};
        assert_int_equal(rp_check_said(cases[i].text, cases[i].cplusplus, &unit->err),
                         cases[i].id == 0);
        assert_int_equal(unit->err.id, cases[i].id);
        if (cases[i].id == 0)
            continue;
        assert_non_null(strstr(unit->err.message, cases[i].message));
        assert_non_null(strstr(unit->err.hint, cases[i].hint));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(model_files), UNIT(cplusplus), UNIT(said)};
    return RUN(tests);
}
