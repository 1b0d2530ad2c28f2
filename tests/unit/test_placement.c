/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/placement on maps as GNU ld 2.40 and lld 14 write them. */
#include "tests/unit/unit.h"

#include "elfpack/check/placement.h"

static const char HEAD[] =
    "Archive member included to satisfy reference by file (symbol)\n\n"
    "/a b/libm.a(wf_exp.o)\n                              obj/002.o (expf)\n"
    "lib/short.a(b.o)              /a b/libm.a(wf_exp.o) (f)\n"
    "lib/short.a(b.o)              obj/001.o (g)\n\n"
    "Allocating common symbols\nCommon symbol       size              file\n\nx   0x4   a.o\n\n"
    "Discarded input sections\n\n"
    " .text          0x00000000        0x0 obj/001.o\n"
    " .text.unused_and_long\n                0x00000000       0x40 obj/001.o\n\n"
    "Memory Configuration\n\n"
    "Name             Origin             Length             Attributes\n"
    "*default*        0x00000000         0xffffffff\n\n"
    "Linker script and memory map\n\nLOAD obj/001.o\nSTART GROUP\nLOAD /a b/libm.a\nEND GROUP\n\n";

static const char BODY[] =
    ".weights        0x40000000        0x1\n"
    "                0x40000000                PROVIDE (w_array_u64 = .)\n"
    "                0x40000000        0x1 BYTE 0x0\n\n"
    ".flash          0x20000000       0x80\n"
    "                0x20000000        0x4 LONG 0x4e49424e\n"
    " *(.network_rt_flags)\n"
    " .network_rt_flags\n                0x20000004        0x4 obj/002.o\n"
    "                0x20000004                rp_flags\n"
    "                0x00000001                        ASSERT ((. == 0x8), one flags word)\n"
    "                0x00000034                        . = 0x34\n"
    " *fill*         0x20000008       0x2c ff\n"
    " INPUT_SECTION_FLAGS (!SHF_WRITE) *(.text .text.*)\n"
    " .text.a        0x20000034       0x20 /a b/libm.a(wf_exp.o)\n"
    " *fill*         0x20000054        0x2 \n"
    " .rodata.str1.1\n                0x20000056        0xa obj/001.o\n"
    "                                  0xe (size before relaxing)\n"
    "                0x20000060                        . = ALIGN (0x4)\n"
    "                [!provide]                        PROVIDE (other = .)\n"
    " obj/001.o(.rodata.x)\n\n"
    ".a_long_output_section\n                0x80000000       0x10\n"
    " *(COMMON)\n COMMON         0x80000000       0x10 obj/001.o\n"
    "                0x80000000                _rp_got_end = .\n\n"
    ".rel.iplt       0x80000010        0x0 load address 0x20000080\n"
    "/DISCARD/\n *(.ARM.exidx*)\nOUTPUT(image.elf elf32-littlearm)\nLOAD linker stubs\n";

static char *joined(struct unit *u, const char *a, const char *b) {
    return rp_format(&u->arena, "%s%s", a, b);
}

static void reads_all_that_gnu_ld_says(void **state) {
    struct unit *u = *state;
    struct rp_placements map;
    ACCEPTED(u, rp_placements_read(&map, &u->arena, joined(u, HEAD, BODY), &u->err));
    static const struct rp_placed want[] = {
        {RP_PLACED_INPUT, "", ".text", "obj/001.o", NULL, 0, 0, 0, true},
        {RP_PLACED_INPUT, "", ".text.unused_and_long", "obj/001.o", NULL, 0, 0x40, 0, true},
        {RP_PLACED_DATA, ".weights", NULL, NULL, NULL, 0x40000000, 1, 0},
        {RP_PLACED_DATA, ".flash", NULL, NULL, NULL, 0x20000000, 4, 0x4E49424E},
        {RP_PLACED_INPUT, ".flash", ".network_rt_flags", "obj/002.o", NULL, 0x20000004, 4},
        {RP_PLACED_FILL, ".flash", NULL, NULL, NULL, 0x20000008, 0x2C},
        {RP_PLACED_INPUT, ".flash", ".text.a", "/a b/libm.a", "wf_exp.o", 0x20000034, 0x20},
        {RP_PLACED_FILL, ".flash", NULL, NULL, NULL, 0x20000054, 2},
        {RP_PLACED_INPUT, ".flash", ".rodata.str1.1", "obj/001.o", NULL, 0x20000056, 10},
        {RP_PLACED_INPUT, ".a_long_output_section", "COMMON", "obj/001.o", NULL, 0x80000000, 16},
    };
    assert_int_equal(map.placed.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct rp_placed *got = &map.placed.items[i];
        assert_int_equal(got->kind, want[i].kind);
        assert_int_equal(got->discarded, want[i].discarded);
        assert_int_equal(got->addr, want[i].addr);
        assert_int_equal(got->size, want[i].size);
        assert_true(got->value == want[i].value);
        if (!got->discarded)
            assert_string_equal(got->output, want[i].output);
        assert_int_equal(got->section != NULL, want[i].section != NULL);
        if (got->section != NULL) {
            assert_string_equal(got->section, want[i].section);
            assert_string_equal(got->file, want[i].file);
        }
        assert_int_equal(got->member != NULL, want[i].member != NULL);
        if (got->member != NULL)
            assert_string_equal(got->member, want[i].member);
    }
    assert_int_equal(map.loaded.count, 3);
    assert_string_equal(map.loaded.items[1], "/a b/libm.a");
    assert_int_equal(map.assigned.count, 2);
    assert_string_equal(map.assigned.items[0], "w_array_u64");
    assert_string_equal(map.assigned.items[1], "_rp_got_end");
    assert_int_equal(map.members.count, 3);
    assert_string_equal(map.members.items[0].archive, "/a b/libm.a");
    assert_string_equal(map.members.items[1].member, "b.o");
    assert_string_equal(map.members.items[2].member, "b.o");
    assert_string_equal(map.members.items[0].symbol, "expf");
    assert_string_equal(map.members.items[0].wanted_by, "obj/002.o");
}

static void refuses_lines_that_it_does_not_know(void **state) {
    struct unit *u = *state;
    static const char *const lines[] = {
        "  two blanks\n",
        " .text.x        0x20000000       0x20\n",     /* no file */
        " .text.x        0x20000000       0x2g a.o\n", /* no number */
        " .text.x        20000000         0x20 a.o\n", /* not as ld writes it */
        " .text.x        0x120000000      0x20 a.o\n", /* more than 32 bits */
        " *fill*         0x20000000 much\n",
        "                0x20000000        0x4 WORD 0x1\n",
        "                0x20000000        0x4 LONG one\n",
        "                0x20000000       0x10\n", /* no output section before it */
        "                no address\n",
        ".flash          0x20000000\n",
        ".flash          0x20000000       0x80 at 0x4\n",
        " .text.alone\n                0x20000000                symbol\n",
        "                                  0xe (size after relaxing)\n",
    };
    struct rp_placements map;
    for (size_t i = 0; i < COUNT(lines); i++)
        REFUSED(u, rp_placements_read(&map, &u->arena, joined(u, HEAD, lines[i]), &u->err),
                RP_E_LINK_CHECK, "of the linker's map is not understood");
    REFUSED(u, rp_placements_read(&map, &u->arena, "", &u->err), RP_E_LINK_CHECK, "no memory map");
    REFUSED(u, rp_placements_read(&map, &u->arena, "Discarded input sections\n\n .x\n", &u->err),
            RP_E_LINK_CHECK, "no memory map");
}

static const char LLD[] = "     VMA      LMA     Size Align Out     In      Symbol\n";

static void reads_all_that_lld_says(void **state) {
    struct unit *u = *state;
    struct rp_placements map;
    static const char body[] =
        "20000000 20000000     1118    16 .flash\n"
        "20000000 20000000        4     1         LONG ( 0x4E49424E )\n"
        "20000004 20000004        4     4         obj/010.o:(.network_flags)\n"
        "20000004 20000004        4     1                 _network_flags\n"
        "20000008 20000008       2c     1         . += 44\n"
        "20000034 20000034       42     2         /a b/lib.a(net.o):(.text.f)\n"
        "20000076 20000076      145     1         <internal>:(.flash)\n"
        "40000000 40000000        0     1         _rp_pools = .\n"
        "90000140 90000140        0     1 _rp_blob_bytes = SIZEOF ( .ec_blobs )\n"
        "       0        0       40     1 .ARM.attributes\n";
    ACCEPTED(u, rp_placements_read(&map, &u->arena, joined(u, LLD, body), &u->err));
    assert_true(map.lld);
    assert_int_equal(map.placed.count, 4);
    assert_true(map.placed.items[0].value == 0x4E49424E);
    assert_string_equal(map.placed.items[2].file, "/a b/lib.a");
    assert_string_equal(map.placed.items[2].member, "net.o");
    assert_string_equal(map.placed.items[2].section, ".text.f");
    assert_string_equal(map.placed.items[3].file, "<internal>");
    assert_int_equal(map.members.count, 1);
    assert_int_equal(map.assigned.count, 2);
    static const char *const lines[] = {
        "20000000 20000000        4     1     odd\n",
        "20000000 20000000        4     1         odd\n",
        "20000000 20000000        4     1         LONG ( x )\n",
        "20000000 20000000        4\n",
        "zzz\n",
        "120000000 20000000       4     1         a.o:(.text)\n",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        REFUSED(u, rp_placements_read(&map, &u->arena, joined(u, LLD, lines[i]), &u->err),
                RP_E_LINK_CHECK, "is not understood");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_all_that_gnu_ld_says),
        UNIT(refuses_lines_that_it_does_not_know),
        UNIT(reads_all_that_lld_says),
    };
    return RUN(tests);
}
