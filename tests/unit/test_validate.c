/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/validate: an object, a map and the linked file, byte by byte; then each of
 * them spoiled in every way in which a linker or a script could spoil it.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "tests/unit/link_sample.h"

enum { A = SHF_ALLOC, X = SHF_EXECINSTR, W = SHF_WRITE };
enum { ABS32 = 2 };

static bool check(struct unit *u, struct link_sample *l) {
    bool ok = link_sample_check(l, u);
    link_sample_close(l);
    return ok;
}

static void takes_what_is_right(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l);
    ACCEPTED(u, check(u, &l));
}

/* The same with explicit addends, as in RELA. */
static void takes_explicit_addends(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l);
    l.object.rela = 1;
    l.object.relocs[LR_GO_CALL].addend = -4;
    l.object.relocs[LR_P_V].addend = 4;
    ACCEPTED(u, check(u, &l));
    l.object.relocs[LR_P_V].addend = 0;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "R_ARM_ABS32 to 'v' makes 1c 00 00 80");
}

/* The last string of a section may lack its terminator, which linkers add. */
static void takes_a_string_without_its_end(void **state) {
    struct unit *u = *state;
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        struct link_sample l;
        link_sample_make(&l);
        l.object.sections[LS_STRINGS].size = 17;
        l.object.symbols[LY_TEXT].value = 12;
        l.flash[LINK_GO + 12] -= 6; /* the linked file has it once, in front */
        l.flash[LINK_STRINGS + 5] = (uint8_t)spoiled;
        if (spoiled == 0)
            ACCEPTED(u, check(u, &l));
        else
            REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
                    "R_ARM_REL32 to 'text' does not lead to that string");
    }
}

static void sees_every_byte(void **state) {
    struct unit *u = *state;
    for (unsigned i = 0; i < LINK_FLASH + LINK_DATA; i++) {
        struct link_sample l;
        link_sample_make(&l);
        (i < LINK_FLASH ? l.flash : l.data - LINK_FLASH)[i] ^= 0x11;
        assert_false(check(u, &l));
        assert_int_equal(u->err.id, RP_E_LINK_CHECK);
        u->err = (struct rp_error){0};
    }
}

static void names_section_object_and_bytes(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l);
    l.flash[LINK_GO + 5] = 0xBE;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "section '.text.go' of model.c, offset 0x5 (address 0x20000075): the object has bf 00 "
            "bf, but the linked file has be 00 bf");
    link_sample_make(&l);
    l.data[0] = 0x80; /* the Thumb bit */
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "section '.data.p' of model.c, offset 0x0 (address 0x80000000): R_ARM_ABS32 to 'f' "
            "makes 81 00 00 20, but the linked file has 80 00 00 20");
    link_sample_make(&l);
    l.data[8] = 0x14;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "the word of the GOT at 0x80000008");
    link_sample_make(&l);
    l.flash[LINK_GO + 8] = 12;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "word of the GOT at 0x8000000c");
    link_sample_make(&l);
    l.flash[LINK_GO + 12] = 0x08;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "does not lead to that string or constant");
    link_sample_make(&l);
    l.flash[8] = 1;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "comes from no object");
    link_sample_make(&l);
    l.data[13] = 1;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "but nothing refers to it");
}

/* The map with one text replaced by another. */
static void spoil_map(struct unit *u, struct link_sample *l, const char *from, const char *to) {
    const char *at = strstr(l->map, from);
    assert_non_null(at);
    l->map = rp_format(&u->arena, "%.*s%s%s", (int)(at - l->map), l->map, to, at + strlen(from));
}

static void sees_what_the_map_hides(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *from, *to, *part;
    } cases[] = {
        {" .text.f        0x20000080        0x4 a.o\n", "", "'.text.f' (4 bytes) was lost"},
        {" .text.gone      0x00000000        0x4 a.o\n", "", "'.text.gone' (4 bytes) was lost"},
        {".text.gone      0x00000000        0x4", ".text.gone      0x00000000        0x8",
         "has 4 bytes, but the linker discarded 8"},
        {" .text.f        0x20000080        0x4 a.o\n",
         " .text.f        0x20000080        0x4 a.o\n .text.f        0x20000080        0x4 a.o\n",
         "placed twice"},
        {".text.f        0x20000080        0x4", ".text.f        0x20000080        0x2",
         "has 4 bytes"},
        {".text.f        0x20000080", ".text.f        0x80000020",
         "but the linked file does not have it there"},
        {".data.p        0x80000000", ".data.p        0x20000000", "is writable"},
        {".data.p        0x80000000", ".data.p        0xa0000000", "holds an address"},
        {".bss.v         0x8000001c", ".bss.v         0x80000020",
         "'v' of model.c would be at 0x80000020"},
        {"LOAD a.o", "LOAD b.o", "did not load its object 'a.o'"},
        {" .text.f ", " .text.g ", "was lost"},
        {"OUTPUT(", " .text.stub     0x2000008c        0x4 linker stubs\nOUTPUT(",
         "a stub of the linker"},
        {"LONG 0x4e49424e", "LONG 0x4e49424f", "where the linker script puts"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct link_sample l;
        link_sample_make(&l);
        spoil_map(u, &l, cases[i].from, cases[i].to);
        REFUSED(u, check(u, &l), RP_E_LINK_CHECK, cases[i].part);
    }
}

static void refuses_what_cannot_be_there(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l); /* contents in a part without */
    l.object.sections[LS_V].type = SHT_PROGBITS;
    l.object.sections[LS_V].data = "\0\0\0\5\0\0\0";
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "has contents (0x05 at offset 0x3)");
    link_sample_make(&l); /* an address in a part without */
    l.object.sections[LS_V].type = SHT_PROGBITS;
    eb_reloc(&l.object, LS_V, 4, ABS32, LY_F);
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "holds an address at offset 0x4");
    link_sample_make(&l); /* zeros may be */
    l.object.sections[LS_V].type = SHT_PROGBITS;
    ACCEPTED(u, check(u, &l));
    link_sample_make(&l); /* a branch to data */
    l.object.sections[LS_F].flags = A;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is a branch to something that is not code");
    link_sample_make(&l); /* a variable in read-only memory, and the entry vector's own */
    l.object.sections[LS_F].flags = A | X | W;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is writable, but could not be written there");
    l.own = true;
    ACCEPTED(u, check(u, &l));
    link_sample_make(&l);
    l.object.sections[LS_P].flags = A | W | SHF_TLS;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is thread-local");
    link_sample_make(&l);
    l.object.relocs[LR_GO_CALL].type = 97;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "the value of R_ARM_GOT_BREL12 cannot be checked");
    link_sample_make(&l);
    l.object.relocs[LR_P_V].place = 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "overlaps another field");
    link_sample_make(&l); /* code in the RAM, by its flags; but a variable may be called so */
    l.object.sections[LS_P].flags = A | W | X;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is code, which cannot run from there");
    eb_symbol(&l.object, "p", STT_OBJECT, LS_P, 0);
    eb_symbol(&l.elf, "p", STT_OBJECT, 2, 0x80000000);
    ACCEPTED(u, check(u, &l));
    link_sample_make(&l);
    l.object.relocs[LR_GO_CALL].symbol = LY_GONE;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "'gone' leads into a section that the linker discarded");
    link_sample_make(&l);
    l.object.symbols[LY_V].name = "_rp_got_end";
    REFUSED(u, check(u, &l), RP_E_RESERVED, "the linker script defines as well");
    link_sample_make(&l);
    l.object.sections[LS_GONE].name = ".got";
    REFUSED(u, check(u, &l), RP_E_RESERVED, "only the linker may make");
    link_sample_make(&l);
    l.elf.symbols[1].value += 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "'f' of model.c would be at 0x20000081");
}

static void tells_undefined_symbols(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l);
    l.object.symbols[LY_F].section = 0;
    l.elf.symbols[1].name = "other";
    REFUSED(u, check(u, &l), RP_E_UNDEFINED, "f");
    l.object.symbols[LY_F].bind = STB_WEAK; /* a branch to it is a no-op, its address is 0 */
    memset(l.data, 0, 4);
    memcpy(l.flash + LINK_GO, "\xAF\xF3\x00\x80", 4);
    ACCEPTED(u, check(u, &l));
    memcpy(l.flash + LINK_GO, "\x00\xF0\x00\xF8", 4);
    ACCEPTED(u, check(u, &l));
    memcpy(l.flash + LINK_GO, "\x00\xF0\x02\xF8", 4);
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "R_ARM_THM_CALL to 'f'");
}

/* Puts two COMMON variables into .bss: 8 bytes, and 4 that start at this distance from them. */
static void add_commons(struct unit *u, struct link_sample *l, uint32_t distance) {
    static const uint32_t first = 0x80000024;
    spoil_map(u, l, ".bss            0x8000001c        0x8",
              ".bss            0x8000001c       0x14");
    spoil_map(u, l, "OUTPUT(", " COMMON         0x80000024        0xc a.o\nOUTPUT(");
    l->elf.sections[3].size += 12;
    for (uint32_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "common_a" : "common_b";
        unsigned symbol = eb_symbol(&l->object, name, STT_OBJECT, SHN_COMMON, 4);
        l->object.symbols[symbol].size = i == 0 ? 8 : 4;
        eb_symbol(&l->elf, name, STT_OBJECT, 3, first + i * distance);
    }
}

/* They overlap by the size of the first, not by that of the second, which fits their distance. */
static void tells_overlapping_commons(void **state) {
    struct unit *u = *state;
    struct link_sample l;
    link_sample_make(&l);
    add_commons(u, &l, 8);
    ACCEPTED(u, check(u, &l));
    link_sample_make(&l);
    add_commons(u, &l, 4);
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "the COMMON variables 'common_a' and 'common_b' overlap");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(takes_what_is_right),
        UNIT(takes_explicit_addends),
        UNIT(takes_a_string_without_its_end),
        UNIT(sees_every_byte),
        UNIT(names_section_object_and_bytes),
        UNIT(sees_what_the_map_hides),
        UNIT(refuses_what_cannot_be_there),
        UNIT(tells_undefined_symbols),
        UNIT(tells_overlapping_commons),
    };
    return RUN(tests);
}
