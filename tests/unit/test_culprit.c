/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/culprit: what an image cannot have is named, with who needs it. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/culprit.h"
#include "elfpack/layout.h"
#include "tests/unit/sample.h"

enum { ABS32 = 2, REL32 = 3, THM_CALL = 10, MOVT_ABS = 48, TLS_LE32 = 108 };

static const char map_text[] = "Linker script and memory map\n"
                               " .text.entry    0x20000064 0x20 obj/001.o\n"
                               " .data.table    0x80000000 0x10 /lib/libx.a(table.o)\n";

static bool make(struct unit *u, const struct sample *s, struct rp_layout *layout) {
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, map_text);
    return rp_layout_make(layout, &u->arena, &(struct rp_linked){&s->elf, &map, false}, &u->err);
}

/* Every name at once, and who needs it, in which section of which object. */
static void names_all_undefined_symbols(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    uint32_t one = sample_symbol(&s, "missing_one", SHN_UNDEF, 0);
    uint32_t two = sample_symbol(&s, "missing_two", SHN_UNDEF, 0);
    sample_reloc(&s, S_FLASH, 0x2000006C, THM_CALL, one);
    sample_reloc(&s, S_RAM, 0x80000004, ABS32, two);
    sample_reloc(&s, S_FLASH, 0x2000006E, THM_CALL, one); /* the same again: said once */
    assert_false(make(u, &s, &l));
    CONTAINS(u->err.message, "2 undefined symbol references:");
    CONTAINS(u->err.message, "'missing_one' needed by entry in section .text.entry of obj/001.o");
    CONTAINS(u->err.message, "'missing_two' needed by table in section .data.table of "
                             "libx.a(table.o)");
    assert_true(u->err.hint[0] != '\0');
    REFUSED(u, false, RP_E_UNDEFINED, "missing_one");
    sample_free(&s);
}

static void refuses_an_undefined_entry(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.relocs[0].symbol = sample_symbol(&s, "net_create", SHN_UNDEF, 0);
    REFUSED(u, make(u, &s, &l), RP_E_UNDEFINED, "'net_create' needed by");
    sample_free(&s);
}

/* One relocation that cannot be, its error and a phrase of the message. */
static void refuses_each_culprit(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned section, type, symbol;
        uint32_t place;
        enum rp_error_id id;
        const char *part;
    } cases[] = {
        {S_FLASH, TLS_LE32, Y_TABLE, 0x2000006C, RP_E_TLS, "R_ARM_TLS_LE32 to table"},
        {S_FLASH, 57, Y_TABLE, 0x2000006C, RP_E_RELOC_UNKNOWN, "(type 57)"},
        {S_FLASH, 255, Y_TABLE, 0x2000006C, RP_E_RELOC_UNKNOWN, "(type 255)"},
        {S_FLASH, ABS32, Y_TABLE, 0x2000006C, RP_E_NOT_PIC,
         "read-only memory, R_ARM_ABS32 to table"},
        {S_FLASH, ABS32, Y_ENTRY, 0x20000064, RP_E_NOT_PIC, "entry in section .text.entry"},
        {S_FLASH, MOVT_ABS, Y_W, 0x2000006C, RP_E_NOT_PIC, "R_ARM_THM_MOVT_ABS to w"},
        {S_FLASH, REL32, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, REL32, Y_W, 0x2000006C, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, THM_CALL, Y_NUMBER, 0x2000006C, RP_E_NOT_PIC, "fixed address"},
        {S_WEIGHTS, ABS32, Y_TABLE, 0x40000000, RP_E_NOT_PIC, "absolute address in the weights"},
        {S_RAM, REL32, Y_ENTRY, 0x80000000, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, 96, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "distance from code to the GOT"},
        {S_FLASH, 9, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "another static base"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        sample_reloc(&s, cases[i].section, cases[i].place, cases[i].type, cases[i].symbol);
        REFUSED(u, make(u, &s, &l), cases[i].id, cases[i].part);
        assert_int_equal(l.culprits.count, 1);
        sample_free(&s);
    }
}

/* The gravest first: undefined, thread-local, unknown, not position-independent. */
static void reports_the_gravest(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    sample_reloc(&s, S_FLASH, 0x2000006C, ABS32, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, 57, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_RELOC_UNKNOWN, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, TLS_LE32, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_TLS, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, THM_CALL, sample_symbol(&s, "gone", SHN_UNDEF, 0));
    REFUSED(u, make(u, &s, &l), RP_E_UNDEFINED, "1 undefined symbol reference:");
    sample_free(&s);
}

static void refuses_long_branch_stubs(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    uint32_t stub = sample_symbol(&s, "__helper_veneer", S_FLASH, 0x20000081);
    ACCEPTED(u, make(u, &s, &l)); /* data of such a name is no stub */
    s.symbols[stub].type = STT_FUNC;
    REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "long-branch stub of the linker to __helper_veneer");
    sample_free(&s);
}

static void finds_the_holder(void **state) {
    struct sample s;
    (void)state;
    sample_make(&s);
    assert_ptr_equal(rp_symbol_at(&s.elf, 0x20000064), &s.symbols[Y_ENTRY]);
    assert_ptr_equal(rp_symbol_at(&s.elf, 0x20000083), &s.symbols[Y_ENTRY]);
    assert_ptr_equal(rp_symbol_at(&s.elf, 0x20000084), &s.symbols[Y_NAME]);
    assert_ptr_equal(rp_symbol_at(&s.elf, 0x8000000F), &s.symbols[Y_TABLE]);
    assert_null(rp_symbol_at(&s.elf, 0x20000063));
    sample_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(names_all_undefined_symbols), UNIT(refuses_an_undefined_entry),
        UNIT(refuses_each_culprit),        UNIT(reports_the_gravest),
        UNIT(refuses_long_branch_stubs),   UNIT(finds_the_holder),
    };
    return RUN(tests);
}
