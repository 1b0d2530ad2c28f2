/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/compile/cflags.h: options that change code are accepted, others refused
 * by name.
 */
#include "tests/unit/unit.h"

#include "base/path.h"
#include "toolchain/compile/cflags.h"

static struct rp_strings split(struct unit *u, const char *text) {
    struct rp_strings words = {0};
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        rp_strings_push(&u->arena, &words, rp_strndup(&u->arena, text, len));
        text += len + (text[len] == ' ');
    }
    return words;
}

static void takes_what_changes_code(void **state) {
    struct unit *u = *state;
    static const char *const good[] = {"",
                                       "-O3",
                                       "-Ofast -g3 -ggdb",
                                       "-DX -DX=1 -D X -UX -U X",
                                       "-I/x -I /x -isystem x -iquotex",
                                       "-include x.h -imacros x.h",
                                       "-std=c99 -ansi --std=gnu11",
                                       "-Wall -Wno-error -w -pedantic",
                                       "-ffast-math -fno-common -funroll-loops",
                                       "-mcpu=cortex-m4 -mthumb -mfpu=auto",
                                       "--param x=1 --param=x=1",
                                       "-Xclang -disable-O0-optnone -mllvm -x",
                                       "-pipe -nostdinc",
                                       "-Wa,-mimplicit-it=thumb",
                                       "-fno-vectorize -ffp-contract=off",
                                       "--sysroot=/x",
                                       "-mpic-register=r9",
                                       "-D -E",
                                       "-I -c"};
    for (size_t i = 0; i < COUNT(good); i++) {
        const struct rp_strings words = split(u, good[i]);
        ACCEPTED(u, rp_cflags_check(&words, &u->err));
    }
}

/* Paths as the current folder has them; files that are not there are searched for. */
static void knows_where_paths_begin(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"-O2 -DA=b/c -I/x -I=x -isystem =y -I$SYSROOT/z",
         "-O2 -DA=b/c -I/x -I=x -isystem =y -I$SYSROOT/z"},
        {"-Ix -I x/y -isystem x -idirafterx", "-I@x -I @x/y -isystem @x -idirafter@x"},
        {"-iquote . -L.. --sysroot=x", "-iquote @ -L@.. --sysroot=@x"},
        {"-include none.h -imacros Makefile -includeMakefile",
         "-include none.h -imacros @Makefile -include@Makefile"},
        {"-specs=nano.specs --specs=Makefile", "-specs=nano.specs --specs=@Makefile"},
        {"-I", "-I"},
    };
    char *here = rp_path_absolute(&u->arena, "x", &u->err);
    here[strlen(here) - 1] = '\0';
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_strings words = split(u, cases[i][0]), want = split(u, cases[i][1]);
        struct rp_strings got;
        ACCEPTED(u, rp_cflags_absolute(&u->arena, &words, &got, &u->err));
        assert_int_equal(got.count, want.count);
        for (size_t k = 0; k < got.count; k++) {
            const char *at = strchr(want.items[k], '@'), *word = want.items[k];
            if (at != NULL)
                word = rp_format(&u->arena, "%.*s%s%s", (int)(at - word), word, here, at + 1);
            assert_string_equal(got.items[k], word);
        }
    }
}

static void refuses_what_changes_the_output(void **state) {
    struct unit *u = *state;
    static const char *const bad[] = {"-E",           "-S",
                                      "-c",           "-o x",
                                      "-ox",          "-fsyntax-only",
                                      "-M",           "-MM",
                                      "-MD",          "-MMD",
                                      "-MF x",        "-MP",
                                      "-MT x",        "-MQ x",
                                      "-###",         "--help",
                                      "--version",    "-dM",
                                      "-dumpversion", "-print-search-dirs",
                                      "-B/x",         "-B x",
                                      "-wrapper x",   "@file",
                                      "-I @file",     "-D @file -O2",
                                      "-D@file",      "-isystem@file",
                                      "x.c",          "-",
                                      "--",           "-x c++",
                                      "-xc",          "-flto",
                                      "-flto=4",      "-mpic-register=r10",
                                      "-save-temps",  "--save-temps=obj",
                                      "-emit-llvm",   "--preprocess",
                                      "--assemble",   "--output=x",
                                      "-P",           "-C",
                                      "-r",           "-shared",
                                      "-Wp,-MD,x",    "-pg",
                                      "-time",        "-D",
                                      "-O2 -include", "-O2 -E",
                                      "-D X -E",      "-analyze",
                                      "--analyze",    "-T x",
                                      "-e x",         "-ftest -S"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const struct rp_strings words = split(u, bad[i]);
        REFUSED(u, rp_cflags_check(&words, &u->err), RP_E_USAGE, "--cflags '");
    }
}

/* What a report may say by itself: each of these is allowed, or would be refused by the next test.
 */
static void knows_what_starts_nothing(void **state) {
    struct unit *u = *state;
    static const char *const good[] = {
        "",
        "-O3 -Os -Og -Ofast",
        "-g -g3 -ggdb -ggdb3 -gdwarf-4 -gno-column-info",
        "-DX -D X=1 -UX -U X",
        "-I/x -I /x -isystem x -iquotex -idirafter /y",
        "-include x.h -imacros x.h -isysroot /x",
        "-std=c99 -std=gnu++17 -ansi --std=gnu11",
        "-Wall -Wno-error -Werror=x -Wframe-larger-than=9 -w -pedantic",
        "-ffast-math -fno-common -fno-integrated-as -ffp-contract=off",
        "-ffile-prefix-map=/a=/b -fvisibility=hidden",
        "-mcpu=cortex-m4+nofp -mthumb -mfpu=auto -mno-unaligned-access",
        "--param x=1 --param=x=1"};
    for (size_t i = 0; i < COUNT(good); i++) {
        const struct rp_strings words = split(u, good[i]);
        assert_null(rp_cflags_starts(&words));
    }
}

static void knows_what_may_start_programs(void **state) {
    struct unit *u = *state;
    static const char *const bad[] = {"-B/x",
                                      "-B",
                                      "-specs=x",
                                      "--specs=nano.specs",
                                      "-fplugin=x",
                                      "-fplugin=x.so",
                                      "-fpass-plugin=x.so",
                                      "-fplugin-arg-x-y=z",
                                      "-fmodule-mapper=|x",
                                      "-fuse-ld=x",
                                      "-fopt-info=x",
                                      "-fdump-tree-all=x",
                                      "-fprofile-use=x",
                                      "-wrapper",
                                      "@x",
                                      "-I @x",
                                      "-include @x",
                                      "--param @x",
                                      "-Wa,-a=x",
                                      "-Wp,-fplugin=x",
                                      "-Wl,-plugin",
                                      "-Xclang",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-Xlinker",
                                      "-mllvm",
                                      "-mllvm=-load=x",
                                      "-iplugindir=x",
                                      "--sysroot=/x",
                                      "--target=x",
                                      "--gcc-toolchain=/x",
                                      "-gcc-toolchain",
                                      "-gsplit-dwarf=x",
                                      "--config",
                                      "-resource-dir",
                                      "-no-integrated-cpp",
                                      "-L/x",
                                      "-lx",
                                      "-save-temps",
                                      "-dumpdir",
                                      "-x",
                                      "-o",
                                      "x.c",
                                      "-"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rp_strings words = split(u, bad[i]);
        const char *last = words.items[words.count - 1];
        assert_ptr_equal(rp_cflags_starts(&words), last);
        words = split(u, rp_format(&u->arena, "-O2 -D X %s", bad[i]));
        assert_string_equal(rp_cflags_starts(&words), last);
    }
    const struct rp_strings empty = {.items = (const char *[]){""}, .count = 1};
    assert_non_null(rp_cflags_starts(&empty));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(takes_what_changes_code),         UNIT(knows_where_paths_begin),
        UNIT(refuses_what_changes_the_output), UNIT(knows_what_starts_nothing),
        UNIT(knows_what_may_start_programs),
    };
    return RUN(tests);
}
