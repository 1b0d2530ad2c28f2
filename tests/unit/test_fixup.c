/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/layout and elfpack/fixup: pointers that lead to before or behind their
 * array, addresses in two halves.
 */
#include "tests/unit/unit.h"

#include "elfpack/image/fixup.h"
#include "elfpack/image/layout.h"
#include "tests/unit/sample.h"

enum { ABS32 = 2, MOVW_ABS = 47, MOVT_ABS = 48 };

static bool make(struct unit *u, const struct sample *s, struct rp_layout *layout) {
    static const struct rp_linkmap map;
    return rp_layout_make(
        layout, &u->arena,
        &(struct rp_linked){.elf = &s->elf, .map = &map, .format = &rp_format_cortex_m}, &u->err);
}

/*
 * The symbol tells which part a word leads to: before its start or far behind it, the word is still
 * right.
 */
static void lists_pointers_beside_the_weights(void **state) {
    struct unit *u = *state;
    static const uint32_t words[][2] = {{0x3FFFFFFC, 0x4FFFFFFC},
                                        {0x40000000, 0x40000000},
                                        {0x47FFFFFC, 0x47FFFFFC},
                                        {0x38000000, 0x48000000}};
    for (size_t i = 0; i < COUNT(words); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        unit_put32(s.data + 0x2C, words[i][0]);
        sample_reloc(&s, S_RAM, 0x8000002C, ABS32, Y_W);
        ACCEPTED(u, make(u, &s, &l));
        bool found = false;
        for (size_t k = 0; k < l.words.fixups.count; k++)
            found = found || (l.words.fixups.items[k].where == 0x8000002C &&
                              l.words.fixups.items[k].target == words[i][1]);
        assert_true(found);
        unit_put32(s.data + 0x2C, 0x48000000);
        REFUSED(u, make(u, &s, &l), RP_E_TOO_LARGE, "at most 128 MiB");
        sample_free(&s);
    }
}

/* A MOVW or MOVT as stored: the first half-word is the low one. */
static uint32_t move(uint32_t type, uint32_t number, uint32_t half) {
    uint32_t first = (type == MOVW_ABS ? 0xF240u : 0xF2C0u) | (half >> 11 & 1) << 10 | half >> 12;
    return first | ((half >> 8 & 7) << 12 | number << 8 | (half & 0xFF)) << 16;
}

/* The entry loads two addresses of the weights, one around the other. */
static void load_two_addresses(struct sample *s) {
    static const uint32_t code[][3] = {
        {MOVW_ABS, 0, 4}, {MOVW_ABS, 1, 8}, {MOVT_ABS, 1, 0x4001}, {MOVT_ABS, 0, 0x4000}};
    s->elf.reloc_count = 0;
    for (uint32_t i = 0; i < COUNT(code); i++) {
        unit_put32(s->flash + 0x64 + 4 * i, move(code[i][0], code[i][1], code[i][2]));
        sample_reloc(s, S_FLASH, 0x20000064 + 4 * i, code[i][0], Y_W);
    }
}

/* The nearest half of the same symbol is of another address when it is in another register. */
static void pairs_halves_by_register(void **state) {
    struct unit *u = *state;
    static const uint32_t targets[] = {0x40000004, 0x40010008, 0x40010008, 0x40000004};
    struct sample s;
    struct rp_fixup fixup;
    sample_make(&s);
    load_two_addresses(&s);
    struct rp_parts parts = {.elf = &s.elf, .format = &rp_format_cortex_m};
    ACCEPTED(u, rp_parts_find(&parts, &u->err));
    for (size_t i = 0; i < COUNT(targets); i++) {
        ACCEPTED(u, rp_fixup_patch(&fixup, &parts, NULL, &s.relocs[i], &u->err));
        assert_int_equal(fixup.target, targets[i]);
    }
    s.elf.reloc_count--;
    REFUSED(u, rp_fixup_patch(&fixup, &parts, NULL, &s.relocs[0], &u->err), RP_E_RELOC_UNKNOWN,
            "holds half of the address of 'w'");
    sample_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lists_pointers_beside_the_weights),
        UNIT(pairs_halves_by_register),
    };
    return RUN(tests);
}
