/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/installed: the image of a small link, spoiled.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "tests/unit/image_sample.h"

enum { NONE = 0 };

static const uint32_t P = RELOC_SEG_RAM, V = RELOC_SEG_RAM | LINK_DATA;
static const uint32_t TO_W = RELOC_SEG_RAM | LINK_TO_W;

static bool check_bytes(struct unit *u, const struct image_sample *image) {
    uint8_t *exact = unit_exact(image->bytes, image->size);
    bool ok =
        image_sample_check(&image->l.link, exact, image->size, image->weights_by_call, &u->err);
    free(exact);
    return ok;
}

static bool check(struct unit *u, struct image_sample *image) {
    assert_true(link_sample_check(&image->l, u));
    image_sample_write(image);
    bool ok = check_bytes(u, image);
    link_sample_close(&image->l);
    return ok;
}

static void takes_what_is_right(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    ACCEPTED(u, check(u, &image));
    image_sample_make(&image); /* zeros that round the read-only part up to 8 bytes */
    image.more = 1;
    ACCEPTED(u, check(u, &image));
    image_sample_make(&image);
    image.more = 2;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "ends in bytes that belong to no table");
}

static bool is_between(uint32_t i, uint32_t from, uint32_t size) {
    return i - from < size;
}

/*
 * Except words of the header that installing does not need, places that fix-ups overwrite, and the
 * upper half of an address whose lower half a MOVW holds.
 */
static void sees_every_byte(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    assert_true(link_sample_check(&image.l, u));
    image_sample_write(&image);
    for (uint32_t i = 0; i < image.size; i++) {
        if (is_between(i, RELOC_HDR_DATA_START, RELOC_HDR_ENTRIES - RELOC_HDR_DATA_START) ||
            is_between(i, LINK_ABS, 8) || is_between(i, LINK_FLASH + 6, 2) ||
            is_between(i, image.data + LINK_TO_W, 4))
            continue;
        image.bytes[i] ^= 0x04;
        if (check_bytes(u, &image))
            fail_msg("the byte at 0x%x may be anything", i);
        assert_int_equal(u->err.id, RP_E_IMAGE_CHECK);
        u->err = (struct rp_error){0};
        image.bytes[i] ^= 0x04;
    }
    ACCEPTED(u, check_bytes(u, &image));
    link_sample_close(&image.l);
}

/* The image without its last bytes, down to where a loader copies it or reads a list. */
static void refuses_what_is_cut_off(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    assert_true(link_sample_check(&image.l, u));
    image_sample_write(&image);
    while (image.size-- > 0)
        REFUSED(u, check_bytes(u, &image), RP_E_IMAGE_CHECK, "0x");
    link_sample_close(&image.l);
}

static void checks_sizes_of_the_header(void **state) {
    struct unit *u = *state;
    static const struct {
        uint32_t at, word;
        const char *part;
    } cases[] = {
        {RELOC_HDR_DATA_DATA, 0, "no header"},
        {RELOC_HDR_DATA_DATA, 0x2FFFFFFF, "do not fit"},
        {RELOC_HDR_BSS_START, 0x8FFFFFFF, "do not fit"},
        {RELOC_HDR_BSS_END, 0x80000018, "do not fit"},
        {RELOC_HDR_BSS_START, 0x80000014, "word of the context"},
        {RELOC_HDR_GOT_END, 0x80000024, "do not fit"},
        {RELOC_HDR_GOT_END, 0x80000004, "do not fit"},
        {RELOC_HDR_GOT_END, 0x80000008, "0x80000008"}, /* a GOT that nobody rebases */
        {RELOC_HDR_REL_END, 0x20000000, "not in the file"},
        {RELOC_HDR_REL_END, 0x20000FFC, "not in the file"},
    };
    struct image_sample image;
    image_sample_make(&image);
    assert_true(link_sample_check(&image.l, u));
    for (size_t i = 0; i < COUNT(cases); i++) {
        image_sample_write(&image);
        unit_put32(image.bytes + cases[i].at, cases[i].word);
        REFUSED(u, check_bytes(u, &image), RP_E_IMAGE_CHECK, cases[i].part);
    }
    link_sample_close(&image.l);
}

/* A word has to move and does not, or the other way round. */
static void sees_lists_that_are_wrong(void **state) {
    struct unit *u = *state;
    static const struct {
        uint32_t last; /* of REL, or NONE */
        const char *part;
    } cases[] = {
        {NONE, "R_ARM_ABS32 to 'v'"},
        {0x80000000, "stop at a word that is not an address, at 0x80000000"}, /* twice */
        {0x80000018, "a loader would stop at a word"},                        /* of the weights */
        {0x80000008, "the word of the GOT at 0x80000008"}, /* which is rebased anyway */
        {0x80000002, "leads nowhere"},
        {0x80000024, "leads nowhere"},
        {0x20000080, "leads nowhere"}, /* which a loader may not write */
        {0x40000000, "leads nowhere"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct image_sample image;
        image_sample_make(&image);
        image.rel[2] = cases[i].last;
        image.rel_count = cases[i].last == NONE ? 1 : 3;
        REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, cases[i].part);
    }
}

static void applies_fixups(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned index;
        struct rp_fixup fixup; /* in its place; where 0: left out */
        const char *part;
    } cases[] = {
        {1, {0, 0}, "R_ARM_THM_MOVT_ABS to 'v'"},
        {2, {0, 0}, "R_ARM_ABS32 to 'w'"},
        {1,
         {0x30000094, 0x80000020},
         "moves with another one"}, /* though its half is the same here */
        {0, {0x10000090, 0x80000020}, "R_ARM_THM_MOVW_ABS_NC to 'v'"},
        {0, {0x20000090, 0x8000001C}, "offset 0x0 (address 0x20000090)"}, /* a word over both */
        {0, {0x40000090, 0x8000001C}, "leads nowhere"},
        {0, {0x10000FF0, 0x8000001C}, "leads nowhere"},
        {0, {0x10000090, 0x50000000}, "leads nowhere"},
        {2, {0x80000018, 0x40000004}, "R_ARM_ABS32 to 'w'"},
        {2, {0x80000018, 0xA0000000}, "R_ARM_ABS32 to 'w'"},
        {2, {0x80000018, 0xC0080000}, "leads nowhere"}, /* there are no imports */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct image_sample image;
        image_sample_make(&image);
        image.fixups[cases[i].index] = cases[i].fixup;
        if (cases[i].fixup.where == 0) {
            image.fixups[cases[i].index] = image.fixups[2];
            image.fixup_count = 2;
        }
        REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, cases[i].part);
    }
}

/* The object has the boot code that applies the compact table. */
static void make_compact(struct image_sample *image) {
    image_sample_make(image);
    image->l.own = true;
    eb_symbol(&image->l.object, "rp_boot_rebase", STT_FUNC, LS_F, 1);
    eb_symbol(&image->l.elf, "rp_boot_rebase", STT_FUNC, 1, 0x20000081);
    image->rel_count = 1; /* p[1] by the table */
    image->compact[0] = P + 4;
    image->compact[1] = RELOC_COMPACT_END;
    image->compact_count = 2;
}

static void applies_compact_tables(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    make_compact(&image);
    ACCEPTED(u, check(u, &image));
    make_compact(&image); /* both words, the second by its bit */
    image.rel_count = 0;
    image.compact[0] = P;
    image.compact[1] = 3;
    image.compact[2] = RELOC_COMPACT_END;
    image.compact_count = 3;
    ACCEPTED(u, check(u, &image));
    make_compact(&image);
    image.l.own = false; /* a function of the model that is called so rebases nothing */
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "ends in bytes that belong to no table");
    make_compact(&image);
    image.compact[0] = P;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "a loader would stop at a word");
    make_compact(&image);
    image.compact_count = 1;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "no end");
    make_compact(&image);
    image.compact[0] = RELOC_SEG_FLASH | LINK_ABS;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "the compact table leads nowhere");
    make_compact(&image);
    image.compact[0] = P + 0x100;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "the compact table leads nowhere");
}

/* One word of the image, as it is written, replaced by another. */
static void sees_words_without_a_reason(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    assert_true(link_sample_check(&image.l, u));
    image_sample_write(&image);
    unit_put32(image.bytes + image.data + LINK_GOT + 4, V);
    REFUSED(u, check_bytes(u, &image), RP_E_IMAGE_CHECK,
            "nothing refers to a word of the GOT that is not 0, at 0x8000000c");
    image_sample_write(&image);
    unit_put32(image.bytes + LINK_FIXUPS, 4);
    REFUSED(u, check_bytes(u, &image), RP_E_IMAGE_CHECK,
            "fix-up table is not in the read-only part");
    link_sample_close(&image.l);
}

/* A function of the firmware in place of f, in p[0]; its name is among the constants. */
static void make_import(struct image_sample *image) {
    static const uint8_t list[8] = {1, 0, 0, 0, 'f'};
    image_sample_make(image);
    memcpy(image->l.abs, list, 8);
    memcpy(image->l.flash + LINK_ABS, list, 8);
    image->l.object.relocs[LR_MOVW].type = image->l.object.relocs[LR_MOVT].type = R_ARM_NONE;
    eb_symbol(&image->l.elf, "_rp_imports", STT_NOTYPE, 1, 0x20000000 + LINK_ABS);
    eb_symbol(&image->l.elf, "_rp_imports_end", STT_NOTYPE, 1, 0x20000000 + LINK_ABS + 8);
    image->fixups[0] = (struct rp_fixup){P, RELOC_IMPORT_TARGET(0, 0)};
    image->fixups[1] = (struct rp_fixup){TO_W, RELOC_SEG_WEIGHTS};
    image->fixup_count = 2;
    image->rel[0] = P + 4;
    image->rel_count = 1;
}

static void sets_imports(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    make_import(&image);
    ACCEPTED(u, check(u, &image));
    make_import(&image);
    image.fixups[0].target = RELOC_IMPORT_TARGET(0, 4);
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "R_ARM_ABS32 to 'f'");
    make_import(&image);
    image.fixups[0].target = RELOC_IMPORT_TARGET(1, 0);
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "leads nowhere");
    make_import(&image);
    image.l.abs[4] = image.l.flash[LINK_ABS + 4] = 'g'; /* f is the image's own then */
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "R_ARM_ABS32 to 'f'");
}

static void knows_words_of_the_packer(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    image.own[0] = IMAGE_ACTS + 4;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "section '.ctx' of model.c, offset 0x0");
    image_sample_make(&image); /* zero, as the object has it: nothing was written */
    image.own[1] = 0;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "a word of the context");
    image_sample_make(&image); /* a runtime that sets its pointers to the weights by itself */
    image.weights_by_call = true;
    image.fixup_count = 2;
    ACCEPTED(u, check(u, &image));
    image_sample_make(&image);
    image.weights_by_call = true;
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "R_ARM_ABS32 to 'w' makes 00 00 00 00");
}

static void follows_the_entry_vector(void **state) {
    struct unit *u = *state;
    struct image_sample image;
    image_sample_make(&image);
    image.l.object.relocs[LR_ENTRIES + 3].symbol = LY_V;
    unit_put32(image.l.flash + LINK_ENTRIES + 12, V);
    REFUSED(u, check(u, &image), RP_E_IMAGE_CHECK, "does not lead to code, at 0x00000040");
    image_sample_make(&image);
    assert_true(link_sample_check(&image.l, u));
    image_sample_write(&image);
    unit_put32(image.bytes + LINK_ENTRIES, 0x20000081); /* another function */
    REFUSED(u, check_bytes(u, &image), RP_E_IMAGE_CHECK, "entry vector is not as it was linked");
    link_sample_close(&image.l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(takes_what_is_right),
        UNIT(sees_every_byte),
        UNIT(refuses_what_is_cut_off),
        UNIT(checks_sizes_of_the_header),
        UNIT(sees_lists_that_are_wrong),
        UNIT(applies_fixups),
        UNIT(applies_compact_tables),
        UNIT(sees_words_without_a_reason),
        UNIT(sets_imports),
        UNIT(knows_words_of_the_packer),
        UNIT(follows_the_entry_vector),
    };
    return RUN(tests);
}
