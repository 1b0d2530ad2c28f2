/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/linkmap on maps as GNU ld 2.40 and lld 14 write them. */
#include "tests/unit/unit.h"

#include "elfpack/elf/linkmap.h"

static const char sample[] =
    "Archive member included to satisfy reference by file (symbol)\n"
    "\n"
    "/usr/lib/gcc/../arm none/libm.a(libm_a-wf_exp.o)\n"
    "                              obj/002.o (expf)\n"
    "lib/short.a(b.o)              /x/libm.a(libm_a-wf_exp.o) (__math_oflowf)\n"
    "/x/gone.a(unused.o)           obj/001.o (unused)\n"
    "\n"
    "Discarded input sections\n"
    "\n"
    " .text          0x0000000000000000        0x0 obj/001.o\n"
    " .text.unused   0x0000000000000000       0x40 obj/001.o\n"
    "\n"
    "Memory Configuration\n"
    "\n"
    "Name             Origin             Length             Attributes\n"
    "*default*        0x0000000000000000 0xffffffffffffffff\n"
    "\n"
    "Linker script and memory map\n"
    "\n"
    "LOAD obj/001.o\n"
    "START GROUP\n"
    "\n"
    ".flash          0x0000000020000000      0x200\n"
    "                0x0000000020000000        0x4 LONG 0x4e49424e\n"
    " *(.network_rt_flags)\n"
    " .network_rt_flags\n"
    "                0x0000000020000004        0x4 obj/001.o\n"
    " *fill*         0x0000000020000008       0x5c \n"
    " .text.entry    0x0000000020000064       0x20 obj/001.o\n"
    "                0x0000000020000064                entry\n"
    " .text.a_function_with_a_long_name\n"
    "                0x0000000020000084       0x1c /home/a user/my model/obj/002.o\n"
    "                0x0000000020000084                a_function_with_a_long_name\n"
    " .text.expf     0x00000000200000a0       0x60 /usr/lib/gcc/../arm "
    "none/libm.a(libm_a-wf_exp.o)\n"
    " .text.empty    0x0000000020000100        0x0 obj/003.o\n"
    " .text.b        0x0000000020000120        0x8 lib/short.a(b.o)\n"
    " .rodata.str1.4\n"
    "                0x0000000020000100       0x10 obj/001.o\n"
    "                                         0x14 (size before relaxing)\n"
    "\n"
    ".data           0x0000000080000000       0x40\n"
    " .data.rel.ro.t\n"
    "                0x0000000080000000       0x10 obj/001.o\n"
    " .got           0x0000000080000030       0x10 obj/001.o\n"
    "\n"
    ".weights        0x0000000040000000      0x400\n"
    " .rodata.w      0x0000000040000000      0x400 obj/001.o\n"
    "OUTPUT(image.elf elf32-littlearm)\n";

static void finds_what_covers_an_address(void **state) {
    struct unit *u = *state;
    static const struct {
        uint32_t addr;
        const char *section; /* NULL: nothing */
        const char *origin;
    } cases[] = {
        {0x20000004, ".network_rt_flags", "obj/001.o"},
        {0x20000007, ".network_rt_flags", "obj/001.o"},
        {0x20000008, NULL, NULL},
        {0x20000063, NULL, NULL},
        {0x20000064, ".text.entry", "obj/001.o"},
        {0x20000083, ".text.entry", "obj/001.o"},
        {0x20000084, ".text.a_function_with_a_long_name", "/home/a user/my model/obj/002.o"},
        {0x200000A0, ".text.expf", "libm.a(libm_a-wf_exp.o)"},
        {0x200000FF, ".text.expf", "libm.a(libm_a-wf_exp.o)"},
        {0x20000100, ".rodata.str1.4", "obj/001.o"},
        {0x20000110, NULL, NULL},
        {0x40000000, ".rodata.w", "obj/001.o"},
        {0x400003FF, ".rodata.w", "obj/001.o"},
        {0x40000400, NULL, NULL},
        {0x80000008, ".data.rel.ro.t", "obj/001.o"},
        {0x8000003C, ".got", "obj/001.o"},
        {0, NULL, NULL},
        {UINT32_MAX, NULL, NULL},
    };
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, sample);
    assert_int_equal(map.count, 9); /* discarded and empty ones are not there */
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_contribution *got = rp_linkmap_find(&map, cases[i].addr);
        assert_int_equal(got != NULL, cases[i].section != NULL);
        if (got == NULL)
            continue;
        assert_string_equal(got->section, cases[i].section);
        assert_string_equal(rp_contribution_origin(&u->arena, got), cases[i].origin);
    }
}

static void splits_archive_and_member(void **state) {
    struct unit *u = *state;
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, sample);
    const struct rp_contribution *expf = rp_linkmap_find(&map, 0x200000A0);
    assert_string_equal(expf->file, "/usr/lib/gcc/../arm none/libm.a");
    assert_string_equal(expf->member, "libm_a-wf_exp.o");
    assert_null(rp_linkmap_find(&map, 0x20000084)->member);
}

static void says_why_a_member_was_taken(void **state) {
    struct unit *u = *state;
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, sample);
    assert_int_equal(map.included.count, 2); /* nothing of the third was kept */
    const struct rp_included *first = &map.included.items[0], *second = &map.included.items[1];
    assert_string_equal(first->archive, "/usr/lib/gcc/../arm none/libm.a");
    assert_string_equal(first->member, "libm_a-wf_exp.o");
    assert_string_equal(first->symbol, "expf");
    assert_string_equal(first->wanted_by, "obj/002.o");
    assert_string_equal(second->archive, "lib/short.a");
    assert_string_equal(second->member, "b.o");
    assert_string_equal(second->symbol, "__math_oflowf");
    assert_string_equal(second->wanted_by, "/x/libm.a(libm_a-wf_exp.o)");
}

static void sorts_by_address(void **state) {
    struct unit *u = *state;
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, sample);
    for (size_t i = 1; i < map.count; i++)
        assert_true(map.items[i - 1].addr < map.items[i].addr);
}

/* Lines that are not understood cost no more than names in messages. */
static void passes_over_other_lines(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {
        "",
        "\n\n",
        "Linker script and memory map",
        "Linker script and memory map\n .text",
        "Linker script and memory map\n .text\n",
        "Linker script and memory map\n .text\n .data\n",
        "Linker script and memory map\n .text 0x\n .text 0x1\n .text 0x1 0x2\n .text 0x1 0x2 \n",
        "Linker script and memory map\n .text zero one two\n",
        "Archive member included to satisfy\n)\n  (\n  ()\n(x)\n",
        "Archive member included to satisfy\n              obj/1.o (f)\n",
        "Archive member included to satisfy\nlib.a(m.o)",
        "Archive member included to satisfy\nlib.a(m.o)\n  )\n",
        " .text 0x20000000 0x10 a.o\n",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rp_linkmap map = {0};
        char *exact = unit_exact(texts[i], strlen(texts[i]) + 1);
        rp_linkmap_parse(&map, &u->arena, exact);
        free(exact);
        for (size_t k = 0; k < map.count; k++)
            assert_true(map.items[k].size != 0);
        assert_int_equal(map.included.count, 0);
        assert_null(rp_linkmap_find(&map, 0x20000000));
    }
}

/* Any prefix parses, to the beginning of what the whole gives. */
static void reads_the_map_of_lld(void **state) {
    static const char text[] =
        "     VMA      LMA     Size Align Out     In      Symbol\n"
        "20000000 20000000      170    16 .flash\n"
        "20000000 20000000        4     1         LONG ( 0x4E49424E )\n"
        "20000060 20000060        4     2         obj/001.o:(.text.first)\n"
        "20000060 20000060        0     1                 $t.0\n"
        "20000061 20000061        4     1                 first\n"
        "20000064 20000064       1c     4         /my lib/libc.a(lib_a-memcpy.o):(.text.memcpy)\n"
        "20000080 20000080        0     1         obj/001.o:(.text)\n"
        "20000080 20000080        8     1         <internal>:(.flash)\n";
    struct unit *unit = *state;
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &unit->arena, text);
    assert_int_equal(map.count, 3);
    const struct rp_contribution *second = rp_linkmap_find(&map, 0x20000064);
    assert_string_equal(second->file, "/my lib/libc.a");
    assert_string_equal(second->member, "lib_a-memcpy.o");
    assert_string_equal(second->section, ".text.memcpy");
    assert_int_equal(second->size, 0x1C);
    assert_string_equal(rp_linkmap_find(&map, 0x20000063)->section, ".text.first");
    assert_null(rp_linkmap_find(&map, 0x20000000));
    assert_string_equal(rp_linkmap_find(&map, 0x20000087)->file, "<internal>");
}

static void takes_every_prefix(void **state) {
    struct unit *u = *state;
    for (size_t len = 0; len < sizeof sample; len++) {
        struct rp_linkmap map = {0};
        struct rp_arena arena = {0};
        char *text = unit_exact(sample, len + 1);
        text[len] = '\0';
        rp_linkmap_parse(&map, &arena, text);
        assert_true(map.count <= 9 && map.included.count <= 2);
        for (size_t i = 0; i < map.count; i++)
            assert_ptr_equal(rp_linkmap_find(&map, map.items[i].addr), &map.items[i]);
        free(text);
        rp_arena_release(&arena);
    }
    (void)u;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(finds_what_covers_an_address), UNIT(splits_archive_and_member),
        UNIT(says_why_a_member_was_taken),  UNIT(sorts_by_address),
        UNIT(passes_over_other_lines),      UNIT(takes_every_prefix),
        UNIT(reads_the_map_of_lld),
    };
    return RUN(tests);
}
