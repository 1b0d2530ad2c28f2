/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/layout and elfpack/fixup: pointers that lead to before or behind their
 * array. */
#include "tests/unit/unit.h"

#include "elfpack/layout.h"
#include "tests/unit/sample.h"

enum { ABS32 = 2 };

static bool make(struct unit *u, const struct sample *s, struct rp_layout *layout) {
    static const struct rp_linkmap map;
    return rp_layout_make(layout, &u->arena, &(struct rp_linked){&s->elf, &map, false}, &u->err);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lists_pointers_beside_the_weights),
    };
    return RUN(tests);
}
