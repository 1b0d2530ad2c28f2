/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/compile/flags.h: flags and argument lists; nothing is run. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "elfpack/elf/scan.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/dialects/c.h"
#include "toolchain/compile/series.h"

static const char *const pic[] = {"-fpic", "-msingle-pic-base", "-mpic-register=r9",
                                  "-mno-pic-data-is-text-relative", "-fvisibility=hidden"};

static bool has(const struct rp_strings *list, const char *text) {
    return rp_strings_have(list, text);
}

static size_t index_of(const struct rp_strings *list, const char *text) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return i;
    fail_msg("'%s' is not in the list", text);
    return 0;
}

static struct rp_plan_flags flags_of(struct unit *u, const struct rp_model *model,
                                     const struct rp_input *input, bool is_static) {
    const struct rp_build_options options = {.data_dir = "/data"};
    const struct rp_build build = {.arena = &u->arena, .options = &options, .dir = "/ws"};
    struct rp_plan_flags flags = {.is_static = is_static};
    rp_plan_flags(&flags, &build, model, input);
    return flags;
}

/* Every unit follows the convention of the image format; a static build has none of it. */
static void flags_follow_the_convention(void **state) {
    struct unit *u = *state;
    struct rp_error err = {0};
    struct rp_model model = {.dialect = &rp_dialect_c};
    for (size_t i = 0; rp_target_at(i) != NULL; i++) {
        struct rp_input input = {.target = rp_target_at(i), .compiler = &rp_gcc};
        struct rp_plan_flags image = flags_of(u, &model, &input, false);
        struct rp_plan_flags fixed = flags_of(u, &model, &input, true);
        for (size_t k = 0; k < COUNT(pic); k++) {
            assert_true(has(&image.model, pic[k]) && has(&image.glue, pic[k]));
            assert_false(has(&fixed.model, pic[k]) || has(&fixed.glue, pic[k]));
        }
        assert_false(has(&image.model, RP_FREE_R9));
        assert_true(has(&fixed.model, "-fno-pic") && !has(&image.model, "-fno-pic"));
        assert_true(has(&image.model, "-ffunction-sections") &&
                    has(&image.model, "-fdata-sections"));
        struct rp_strings core = {0};
        rp_target_flags(input.target, &u->arena, &core);
        assert_true(has(&image.model, core.items[0]));
        assert_true(has(&image.glue, "-I/data/runtime"));
        assert_false(has(&image.model, "-I/data/runtime"));
        assert_ptr_equal(image.target, input.target);
        assert_int_equal(fixed.is_static, true);
    }
    assert_int_equal(err.id, 0);
}

/* Then gcc may use r9 in generated code, and in no other. */
static void frees_r9(void **state) {
    struct unit *u = *state;
    const struct rp_model model = {.dialect = &rp_dialect_c};
    const struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    const struct rp_build_options options = {.data_dir = "/data"};
    const struct rp_build build = {.arena = &u->arena, .options = &options, .dir = "/ws"};
    struct rp_plan_flags flags = {.free_r9 = true};
    rp_plan_flags(&flags, &build, &model, &input);
    assert_true(has(&flags.model, RP_FREE_R9) && has(&flags.model, "-fpic"));
    assert_false(has(&flags.model, "-msingle-pic-base") || has(&flags.model, "-mpic-register=r9"));
    assert_true(has(&flags.glue, "-msingle-pic-base") && !has(&flags.glue, RP_FREE_R9));
}

/* The user's flags come last and reach generated code only; folders and macros in order. */
static void adds_the_users_flags(void **state) {
    struct unit *u = *state;
    struct rp_model model = {.dialect = &rp_dialect_c};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    rp_strings_push(&u->arena, &model.code.include_dirs, "/a b");
    rp_strings_push(&u->arena, &model.code.include_dirs, "/c");
    rp_strings_push(&u->arena, &model.code.defines, "X=1 2");
    rp_strings_push(&u->arena, &input.cflags, "-O3");
    struct rp_plan_flags flags = flags_of(u, &model, &input, false);
    assert_int_equal(index_of(&flags.model, "-O3"), flags.model.count - 1);
    assert_true(index_of(&flags.model, "-I/a b") < index_of(&flags.model, "-I/c"));
    assert_true(has(&flags.model, "-DX=1 2"));
    assert_false(has(&flags.glue, "-O3") || has(&flags.glue, "-DX=1 2") ||
                 has(&flags.glue, "-I/c"));
}

/* The sources' folders must not get into the image; each is mapped once. */
static void hides_folders(void **state) {
    struct unit *u = *state;
    struct rp_model model = {.dialect = &rp_dialect_c};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    rp_strings_push(&u->arena, &model.code.sources, "/home/me/a.c");
    rp_strings_push(&u->arena, &model.code.sources, "/home/me/b.c");
    rp_strings_push(&u->arena, &model.code.sources,
                    "/x=y/c.c"); /* gcc would split it at the wrong = */
    struct rp_plan_flags flags = flags_of(u, &model, &input, false);
    size_t maps = 0;
    for (size_t i = 0; i < flags.model.count; i++)
        maps += strncmp(flags.model.items[i], "-ffile-prefix-map=", 18) == 0;
    assert_int_equal(maps, 1);
    assert_true(has(&flags.model, "-ffile-prefix-map=/home/me/=") ||
                has(&flags.model, "-ffile-prefix-map=/home/me=") ||
                has(&flags.model, "-ffile-prefix-map=/home/me=."));
}

/*
 * Debug information names the sources' folders, __FILE__ still does not; without paths neither
 * does. A static build has none.
 */
static void keeps_debug_information(void **state) {
    struct unit *u = *state;
    struct rp_model model = {.dialect = &rp_dialect_c};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc, .debug = true};
    rp_strings_push(&u->arena, &model.code.sources, "/home/me/a.c");
    struct rp_plan_flags bare = flags_of(u, &model, &input, false);
    input.debug_paths = true;
    struct rp_plan_flags flags = flags_of(u, &model, &input, false);
    struct rp_plan_flags fixed = flags_of(u, &model, &input, true);
    assert_true(has(&flags.glue, "-g") && has(&flags.model, "-g") && !has(&fixed.glue, "-g"));
    assert_true(flags.debug && !fixed.debug && !fixed.debug_paths);
    assert_true(has(&flags.model, "-fdebug-prefix-map=/ws=."));
    assert_true(has(&flags.model, "-fmacro-prefix-map=/home/me/="));
    assert_false(has(&flags.model, "-ffile-prefix-map=/home/me/="));
    assert_true(has(&bare.model, "-ffile-prefix-map=/home/me/="));
    assert_true(has(&bare.glue, "-fdebug-prefix-map=/data=relocpack"));
    assert_false(has(&flags.glue, "-fdebug-prefix-map=/data=relocpack"));
    input.compiler = &rp_llvm;
    struct rp_plan_flags clang = flags_of(u, &model, &input, false);
    assert_true(has(&clang.model, "-gline-tables-only") && !has(&clang.model, "-g"));

    struct rp_build_options build_options = {.data_dir = "/data"};
    struct rp_build build = {.arena = &u->arena, .options = &build_options, .dir = "/ws"};
    rp_plan_link(&build, &model, &flags);
    assert_true(index_of(&build.link, "/data/templates/debug.ld") <
                index_of(&build.link, "/data/templates/image.ld"));
    rp_plan_link(&build, &model, &fixed);
    assert_false(has(&build.link, "/data/templates/debug.ld"));
}

static void links(void **state) {
    struct unit *u = *state;
    static const char *const options[] = {"--gc-sections", "--emit-relocs",
                                          "--orphan-handling=error",
                                          "--unresolved-symbols=ignore-all", "-Map=image.map"};
    struct rp_model model = {.dialect = &rp_dialect_c};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    struct rp_build_options build_options = {.data_dir = "/data"};
    struct rp_build build = {.arena = &u->arena, .options = &build_options, .dir = "/ws"};
    struct rp_plan_flags flags = flags_of(u, &model, &input, false);
    struct rp_strings none = {0};
    rp_build_add(&build, "/a.c", &none);
    rp_build_add(&build, "/b.c", &none);
    rp_strings_push(&u->arena, &model.code.libraries, "/lib/k.a");
    rp_plan_link(&build, &model, &flags);
    size_t count = build.link.count;
    rp_plan_link(&build, &model, &flags);
    assert_int_equal(build.link.count, count); /* made anew, not appended to */
    for (size_t i = 0; i < COUNT(options); i++)
        assert_string_equal(build.link.items[index_of(&build.link, options[i]) - 1], "-Xlinker");
    assert_string_equal(build.link.items[index_of(&build.link, "-T") + 1],
                        "/data/templates/image.ld");
    assert_true(index_of(&build.link, "obj/001.o") < index_of(&build.link, "obj/002.o"));
    size_t start = index_of(&build.link, "--start-group"),
           end = index_of(&build.link, "--end-group");
    static const char *const grouped[] = {"/lib/k.a", "-lm", "-lc", "-lgcc"};
    for (size_t i = 0; i < COUNT(grouped); i++)
        assert_true(index_of(&build.link, grouped[i]) > start &&
                    index_of(&build.link, grouped[i]) < end);
    assert_true(has(&build.link, "-nostdlib") && has(&build.link, "-nostartfiles"));
    assert_string_equal(build.link.items[build.link.count - 2], "-o");
    assert_string_equal(build.link.items[build.link.count - 1], "image.elf");
}

/* A static build has another script and no entry table, but keeps the entry. */
static void links_statically(void **state) {
    struct unit *u = *state;
    struct rp_model model = {.dialect = &rp_dialect_c, .entry.name = "run_net"};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    struct rp_build_options options = {.data_dir = "/data"};
    struct rp_build build = {.arena = &u->arena, .options = &options, .dir = "/ws"};
    struct rp_plan_flags flags = flags_of(u, &model, &input, true);
    rp_plan_link(&build, &model, &flags);
    assert_string_equal(build.link.items[index_of(&build.link, "-T") + 1],
                        "/data/templates/static.ld");
    assert_string_equal(build.link.items[index_of(&build.link, "-u") + 1], "run_net");
    flags.is_static = false;
    rp_plan_link(&build, &model, &flags);
    assert_false(has(&build.link, "-u"));
}

static void names_parts(void **state) {
    struct unit *u = *state;
    assert_string_equal(rp_plan_part(&u->arena, "obj/001.o", ".rodata.w", false),
                        "obj/001.o(\".rodata.w\")\n");
    assert_string_equal(rp_plan_part(&u->arena, "obj/001.o", ".rodata.w", true),
                        "KEEP(obj/001.o(\".rodata.w\"))\n");
}

/* The list is that of runtime/math, and every function has a source. */
static void adds_math_functions(void **state) {
    struct unit *u = *state;
    struct rp_model model = {.dialect = &rp_dialect_c};
    struct rp_input input = {.target = rp_target_at(0), .compiler = &rp_gcc};
    struct rp_build_options options = {.data_dir = "."};
    struct rp_build build = {.arena = &u->arena, .options = &options, .dir = "/ws"};
    struct rp_plan_flags flags = flags_of(u, &model, &input, false);
    size_t count = 0;
    for (const char *name; (name = rp_math_function(count)) != NULL; count++) {
        rp_plan_math(&build, &flags, name);
        const struct rp_unit *unit = &build.units.items[count];
        assert_string_equal(unit->source, rp_format(&u->arena, "runtime/math/%s.c", name));
        assert_int_equal(access(unit->source, R_OK), 0);
        assert_true(has(&unit->cc, "-fno-builtin") && has(&unit->cc, "-ffp-contract=off"));
        assert_true(has(&unit->cc, "-msingle-pic-base"));
    }
    assert_true(count > 30);
    assert_null(rp_math_function(SIZE_MAX));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(flags_follow_the_convention),
        UNIT(frees_r9),
        UNIT(adds_the_users_flags),
        UNIT(hides_folders),
        UNIT(keeps_debug_information),
        UNIT(links),
        UNIT(links_statically),
        UNIT(names_parts),
        UNIT(adds_math_functions),
    };
    return RUN(tests);
}
