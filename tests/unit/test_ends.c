/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/ends: what is behind the end of a section. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/check/ends.h"
#include "tests/unit/code_sample.h"

#define NOP   0xBF00u
#define BX_LR 0x4770u
#define BKPT  0xBEABu

/* The link has two functions of one object, f and g; g may be left out or made longer. */
struct linked {
    struct code_sample image;
    struct rp_section sections[4];
    struct rp_symbol symbols[2];
    struct rp_elf elf;
    struct rp_input_section inputs[4];
    struct rp_input_object object;
    struct rp_link_inputs link;
};

/* last: the last instruction of f. */
static void make(struct linked *l, uint32_t last) {
    *l = (struct linked){0};
    code_make(&l->image);
    uint32_t f = code_function(&l->image, "f");
    CODE(&l->image, NOP, last);
    uint32_t g = code_function(&l->image, "g");
    CODE(&l->image, BX_LR);
    for (size_t i = 0; i < COUNT(l->inputs); i++) {
        l->sections[i].name = "";
        l->inputs[i] = (struct rp_input_section){.object = &l->object, .section = &l->sections[i]};
    }
    l->sections[1] = (struct rp_section){
        .name = ".text.f", .flags = SHF_ALLOC | SHF_EXECINSTR, .size = 4, .align = 2};
    l->sections[3] = l->sections[1];
    l->sections[3].name = ".text.g";
    l->sections[3].size = 2;
    l->inputs[1].state = l->inputs[3].state = RP_INPUT_PLACED;
    l->inputs[1].addr = f;
    l->inputs[3].addr = g;
    l->symbols[1] = (struct rp_symbol){"f", 1, 4, STT_FUNC, STB_GLOBAL, 1};
    l->elf = (struct rp_elf){.sections = l->sections,
                             .section_count = COUNT(l->sections),
                             .symbols = l->symbols,
                             .symbol_count = COUNT(l->symbols)};
    l->object = (struct rp_input_object){.elf = &l->elf, .shown = "f.o", .sections = l->inputs};
    l->link.objects.items = &l->object;
    l->link.objects.count = 1;
}

static bool check(struct unit *u, struct linked *l) {
    code_read(&l->image, u, rp_core_families(&rp_cores[RP_CORE_M3], false, false));
    bool ok = rp_ends_check(&l->image.code, &l->link, &u->arena, &u->err);
    code_free(&l->image);
    return ok;
}

static void goes_on_in_the_object(void **state) {
    struct unit *u = *state;
    struct linked l;
    make(&l, NOP);
    ACCEPTED(u, check(u, &l));
    make(&l, NOP);
    l.inputs[3].state = RP_INPUT_DISCARDED;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "'.text.g', the next section in the object, does not");
    make(&l, NOP);
    l.inputs[3].addr += 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "f (f): execution runs off the end of its section");
    make(&l, NOP);
    l.inputs[3].addr -= 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "f (f): execution runs off the end of its section");
    make(&l, NOP);
    l.sections[3].flags = SHF_ALLOC;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "the end of the object's last section of code");
}

static void is_aligned(void **state) {
    struct unit *u = *state;
    struct linked l;
    make(&l, NOP);
    l.inputs[3].addr += 2;
    l.sections[3].align = 4;
    ACCEPTED(u, check(u, &l));
}

static void does_not_go_on(void **state) {
    struct unit *u = *state;
    struct linked l;
    static const uint32_t last[] = {BX_LR, BKPT};
    for (size_t i = 0; i < COUNT(last); i++) {
        make(&l, last[i]);
        l.inputs[3].state = RP_INPUT_DISCARDED;
        ACCEPTED(u, check(u, &l));
    }
}

/* The second half of ldr.w fp, [r0, #0xeab] looks like a BKPT. */
static void halves_are_not_instructions(void **state) {
    struct unit *u = *state;
    struct linked l;
    make(&l, NOP);
    memcpy(l.image.flash, "\xD0\xF8\xAB\xBE", 4);
    l.inputs[3].state = RP_INPUT_DISCARDED;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "does not follow it in the image");
}

/* Compiled functions end that way where control does not come. */
static void compilers_are_believed(void **state) {
    struct unit *u = *state;
    struct linked l;
    make(&l, NOP);
    l.inputs[3].state = RP_INPUT_DISCARDED;
    l.sections[2].name = ".comment";
    ACCEPTED(u, check(u, &l));
    assert_true((rp_code_mark(&l.image.code, l.inputs[3].addr) & RP_CODE_APART) != 0);
    make(&l, NOP);
    l.inputs[3].state = RP_INPUT_DISCARDED;
    l.sections[2].name = ".comment";
    l.symbols[1].size = 2; /* what is behind it is not the compiler's */
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "does not follow it in the image");
    assert_true((rp_code_mark(&l.image.code, l.inputs[3].addr) & RP_CODE_APART) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(goes_on_in_the_object),  UNIT(is_aligned),
        UNIT(does_not_go_on),         UNIT(halves_are_not_instructions),
        UNIT(compilers_are_believed),
    };
    return RUN(tests);
}
