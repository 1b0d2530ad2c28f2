/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of runtime/format/reloc_npu_core.h on a copy of an image: words are rebased as the
 * format says, and images that have changed since they were checked are refused or written only
 * inside the copy. The copy is a block of exactly its size, so that the sanitizer sees a write past
 * its ends.
 */
#include "runtime/format/reloc_npu_core.h"
#include "tests/unit/test_reloc_npu_images.h"
#include "tests/unit/unit.h"

enum { ROM = 0x10000000, RAM = 0x30000000, PARAMS_AT = 0x50000000, EXT_AT = 0x60000000 };

/* A copy as the loader makes it, of exactly its size, so that the sanitizer sees a wrong write. */
static struct reloc_npu_bases copy_of(const struct reloc_npu_view *v, bool copy) {
    uint32_t first = copy ? 0 : v->base.ro_bytes;
    uint32_t bytes = v->base.ro_bytes + v->base.got_end - first;
    return (struct reloc_npu_bases){.rom = ROM,
                                    .ram = RAM,
                                    .param_0 = PARAMS_AT + v->param_0_base,
                                    .param_1 = EXT_AT,
                                    .first = first,
                                    .copy = unit_exact(v->base.image + first, bytes)};
}

/* What a word of the image becomes, by the description of the format. */
static uint32_t installed_word(uint32_t word) {
    static const uint32_t starts[16] = {[2] = ROM, [4] = RAM, [8] = PARAMS_AT, [9] = EXT_AT};
    return word == 0 ? 0 : starts[word >> 28] + (word & 0x0FFFFFFF);
}

static void installs_each_word(void **state) {
    (void)state;
    for (uint32_t copy = 0; copy < 2; copy++) {
        struct npu_image image = npu_build(11);
        struct reloc_npu_view v = {0};
        assert_int_equal(reloc_npu_check(image.bytes, image.size, &v), RELOC_OK);
        struct reloc_npu_bases to = copy_of(&v, copy != 0);
        assert_int_equal(reloc_npu_rebase_all(&v, &to), RELOC_OK);
        for (uint32_t at = to.first; at < NPU_RO + NPU_GOT_END; at += 4) {
            bool listed = at >= NPU_RO + NPU_DATA;
            for (uint32_t i = 0; i < NPU_REL_COUNT; i++)
                listed =
                    listed || unit_get32(image.bytes + NPU_REL + 4 * i) == 0x40000000 + at - NPU_RO;
            uint32_t word = unit_get32(image.bytes + at);
            assert_int_equal(unit_get32(to.copy + at - to.first),
                             listed ? installed_word(word) : word);
        }
        free(to.copy);
    }
}

/* Each word of data, GOT and REL changes after the check: all writes stay in the copy. */
static void changes_each_word(void **state) {
    static const uint32_t offsets[] = {0,          4,          NPU_TEXT,    NPU_RO - 4, NPU_RO,
                                       NPU_DATA,   NPU_REL,    NPU_GOT_END, NPU_BYTES,  64,
                                       0x0FFFFFFC, 0x00FFFFFF, NPU_DATA - 4};
    uint32_t taken = 0, refused = 0;
    (void)state;
    for (uint32_t at = NPU_RO; at < NPU_REL_END; at += 4)
        for (uint32_t i = 0; i < 2 * 16 * COUNT(offsets); i++) {
            struct npu_image image = npu_build(11);
            struct reloc_npu_view v = {0};
            assert_int_equal(reloc_npu_check(image.bytes, image.size, &v), RELOC_OK);
            struct reloc_npu_bases to = copy_of(&v, i % 2 != 0);
            npu_put(&image, at, i / 2 % 16 << 28 | offsets[i / 32]);
            uint32_t code = reloc_npu_rebase_all(&v, &to);
            taken += code == RELOC_OK;
            refused += code != RELOC_OK;
            for (uint32_t k = 0; k < NPU_TEXT / 4 && to.first == 0; k++) /* the header is not */
                assert_int_equal(unit_get32(to.copy + 4 * k), unit_get32(image.bytes + 4 * k));
            free(to.copy);
        }
    assert_true(taken > 1000 && refused > 1000);
}

static uint32_t ram_then_flash(uint32_t i, uint32_t count) {
    return i < count ? 0x40000000u + 4 * i : 0x20000000u + NPU_TEXT + 4 * (i - count);
}

static uint32_t flash_then_ram(uint32_t i, uint32_t count) {
    return ram_then_flash((i + count) % (2 * count), count);
}

static uint32_t in_turns(uint32_t i, uint32_t count) {
    return ram_then_flash(i / 2 + i % 2 * count, count);
}

static uint32_t flash_descending(uint32_t i, uint32_t count) {
    return ram_then_flash(i < count ? i : 3 * count - 1 - i, count);
}

static uint32_t repeated_at_end(uint32_t i, uint32_t count) {
    return ram_then_flash(i == 2 * count - 1 ? i - 1 : i, count);
}

/* A list of count words in RAM and as many in FLASH, each the address of the first. */
static uint32_t install_list(uint32_t (*entry)(uint32_t, uint32_t), uint32_t count, bool copy) {
    uint32_t ro = NPU_TEXT + 4 * count, rel = ro + 4 * count;
    uint8_t *bytes = calloc(rel + 8 * count, 1);
    assert_non_null(bytes);
    struct reloc_npu_view v = {.base = {.image = bytes,
                                        .ro_bytes = ro,
                                        .data_end = 4 * count,
                                        .got_start = 4 * count,
                                        .got_end = 4 * count,
                                        .bss_end = 4 * count,
                                        .rel_start = rel,
                                        .rel_end = rel + 8 * count},
                               .entry_count = 13};
    static const struct reloc_npu_bases none;
    for (uint32_t i = 0; i < 2 * count; i++) {
        unit_put32(bytes + NPU_TEXT + 4 * i, 0x40000000);
        unit_put32(bytes + rel + 4 * i, entry(i, count));
    }
    assert_int_equal(reloc_npu_rebase_all(&v, &none), RELOC_OK);
    assert_true(v.needs_copy);
    struct reloc_npu_bases to = copy_of(&v, copy);
    uint32_t code = reloc_npu_rebase_all(&v, &to);
    free(to.copy);
    free(bytes);
    return code;
}

/*
 * In any order and of any length: the time is linear. A word that is listed twice is found in the
 * copy.
 */
static void finds_duplicates_in_the_copy(void **state) {
    enum { COUNT_OF = 50000 };
    (void)state;
    assert_int_equal(install_list(ram_then_flash, COUNT_OF, true), RELOC_OK);
    assert_int_equal(install_list(flash_then_ram, COUNT_OF, true), RELOC_OK);
    assert_int_equal(install_list(in_turns, COUNT_OF, true), RELOC_OK);
    assert_int_equal(install_list(flash_descending, COUNT_OF, true), RELOC_OK);
    assert_int_equal(install_list(repeated_at_end, COUNT_OF, true), RELOC_N_REL_WORD);
    assert_int_equal(install_list(ram_then_flash, 2, false), RELOC_N_REL_ENTRY); /* XIP */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(installs_each_word),
        cmocka_unit_test(changes_each_word),
        cmocka_unit_test(finds_duplicates_in_the_copy),
    };
    return RUN(tests);
}
