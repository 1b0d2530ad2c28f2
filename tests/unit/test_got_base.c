/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/got_base: which code takes the address of the GOT from r9, and which not.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/insn/got_base.h"
#include "tests/unit/elf_builder.h"

enum { NOP = 0xBF00, LDR_R3 = 0x4B03, ADD_R3_PC = 0x447B, HALVES = 10, LITERAL = 16 };

static const char *other; /* of the last object */

/*
 * An object whose eight half-words of code end in front of the literal, which leads to the ADD at
 * an offset. Returns its contents afterwards, from the first half-word on.
 */
static const uint8_t *take(struct unit *u, const uint16_t code[8], uint32_t add) {
    uint8_t text[2 * HALVES];
    struct elf_builder eb;
    struct rp_buf out = {.arena = &u->arena};
    for (unsigned i = 0; i < 8; i++) {
        text[2 * i] = (uint8_t)code[i];
        text[2 * i + 1] = (uint8_t)(code[i] >> 8);
    }
    unit_put32(text + LITERAL, LITERAL - add - 4);
    eb_begin(&eb, ET_REL);
    unsigned section =
        eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, sizeof text);
    eb.sections[section].data = text;
    eb.symbols[eb_symbol(&eb, "$t", STT_NOTYPE, section, 0)].bind = STB_LOCAL;
    eb.symbols[eb_symbol(&eb, "$d", STT_NOTYPE, section, LITERAL)].bind = STB_LOCAL;
    unsigned got = eb_symbol(&eb, "_GLOBAL_OFFSET_TABLE_", STT_NOTYPE, SHN_UNDEF, 0);
    eb_reloc(&eb, section, LITERAL, R_ARM_GOTPC, got);
    eb_write(&eb, &out);
    size_t size, at = 0;
    char *path = unit_write(u, "f.o", out.data, out.len);
    while (memcmp(out.data + at, text, sizeof text) != 0)
        at++;
    ACCEPTED(u, rp_got_base_take(&u->arena, path, &other, &u->err));
    const uint8_t *after = (uint8_t *)unit_slurp(u, "f.o", &size) + at;
    if (other != NULL)
        assert_memory_equal(after, text, sizeof text);
    return after;
}
#define TAKE(u, add, ...) take(u, (const uint16_t[8]){__VA_ARGS__}, add)

static void takes_what_gcc_writes(void **state) {
    struct unit *u = *state;
    const uint8_t *after = TAKE(u, 4, LDR_R3, NOP, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_null(other);
    assert_int_equal(after[4] | after[5] << 8, 0x464B /* mov r3, r9 */);
    assert_int_equal(unit_get32(after + LITERAL), 0);
    /* ldr.w r9, the literal; add r9, pc: the load would lose what is in r9 */
    after = TAKE(u, 4, 0xF8DF, 0x900C, 0x44F9, NOP, NOP, NOP, NOP, NOP);
    assert_null(other);
    assert_int_equal(unit_get32(after), 0x8000F3AF /* nop.w */);
}

static void leaves_what_others_read(void **state) {
    struct unit *u = *state;
    /* another reader, behind and in front; in an address; as a pair; as a byte */
    TAKE(u, 4, LDR_R3, NOP, ADD_R3_PC, 0x4A02 /* ldr r2 */, NOP, NOP, NOP, NOP);
    assert_string_equal(other, ".text+0x10");
    TAKE(u, 4, 0x4A03, LDR_R3, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, NOP, ADD_R3_PC, 0xA202 /* adr r2 */, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, NOP, ADD_R3_PC, NOP, 0xE9DF, 0x0101 /* ldrd r0, r1 */, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, NOP, ADD_R3_PC, NOP, 0xF89F, 0x2005 /* ldrb.w r2 */, NOP, NOP);
    assert_non_null(other);
    /* into another register; nothing reads it; read behind the ADD */
    TAKE(u, 4, 0x4A03, NOP, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, NOP, NOP, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 0, ADD_R3_PC, NOP, 0x4B02, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    /* in between, r3 is read, written, or an address; another instruction instead of the ADD */
    TAKE(u, 4, LDR_R3, 0x001A /* movs r2, r3 */, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, 0x3304 /* adds r3, #4 */, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, 0xCB04 /* ldmia r3!, {r2} */, ADD_R3_PC, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
    TAKE(u, 4, LDR_R3, NOP, 0x4403 /* add r3, r0 */, NOP, NOP, NOP, NOP, NOP);
    assert_non_null(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(takes_what_gcc_writes), UNIT(leaves_what_others_read)};
    return RUN(tests);
}
