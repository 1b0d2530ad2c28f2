/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of runtime/format/reloc_signed.h: signature blocks that are wrong in one way each, and
 * what a device asks.
 */
#include "tests/unit/signed_sample.h"

/* ---- blocks that are wrong in one way ---- */

/* A whole S and one signature; skip: an entry that is left out, 0: none. */
static struct block make_block(uint32_t skip) {
    static const struct {
        uint32_t type, length;
        const char *value;
    } entries[] = {{1, 32, "0123456789abcdef0123456789abcdef"},
                   {2, 36, "0123456789abcdef0123456789abcdef\1\0\0\0"},
                   {3, 4, "flag"},
                   {4, 16, "0123456789abcdef"},
                   {5, 4, "name"},
                   {6, 8, "\1\2\3\4\5\6\7\x8"},
                   {7, 4, "\7\0\0\0"},
                   {8, 5, "class"},
                   {9, 8, "\1\0\0\0\1\0\0\0"}};
    static const uint8_t zeros[64];
    struct block block;
    put_head(&block);
    for (size_t i = 0; i < COUNT(entries); i++)
        if (entries[i].type != skip)
            put_entry(&block, entries[i].type, entries[i].value, entries[i].length);
    end_head(&block);
    put_entry(&block, 0x4001, zeros, 32);
    put_entry(&block, 0x4002, zeros, 64);
    return block;
}

static uint32_t read_block(const struct block *block) {
    struct reloc_signed s;
    uint8_t *exact = unit_exact(block->bytes, block->size);
    uint32_t code = reloc_signed_read(exact, block->size, &s);
    free(exact);
    return code;
}

static void asks_for_what_must_be_there(void **state) {
    (void)state;
    for (uint32_t skip = 0; skip <= 9; skip++) {
        struct block block = make_block(skip);
        bool optional = skip == 0 || skip == 2 || skip >= 8;
        assert_int_equal(read_block(&block), optional ? RELOC_OK : RELOC_N_SIGNED);
    }
}

/* Offsets in make_block(0). */
enum { AT_IMAGE = 8, AT_NAME = 112, AT_CLASS = 140, AT_API = 152, BLOCK_S = 164 };

static void refuses_changed_words(void **state) {
    static const struct {
        uint32_t at, word;
        const char *why;
    } changes[] = {
        {0, 0x4D535053, "magic"},
        {4, 2 | BLOCK_S << 16, "version"},
        {4, 1 | (BLOCK_S - 2) << 16, "size is no multiple of 4"},
        {4, 1 | (BLOCK_S + 4) << 16, "S reaches into the signature"},
        {4, 1 | 4 << 16, "S is shorter than its header"},
        {4, 1 | 0xFFFCu << 16, "S is longer than all"},
        {AT_IMAGE, 1 | 31 << 16, "another length"},
        {AT_IMAGE, 1 | 0xFFFFu << 16, "leaves S"},
        {AT_IMAGE, 0 | 32 << 16, "type 0"},
        {AT_IMAGE, 2 | 32 << 16, "order"},
        {AT_NAME, 5 | 0 << 16, "empty"},
        {AT_NAME, 5 | 3 << 16, "something in what fills up"},
        {AT_NAME + 4, 0x6D0A6E61, "a line end in the name"},
        {AT_NAME + 4, 0x6D7F6E61, "a control character in the name"},
        {AT_CLASS, 10 | 5 << 16, "unknown, and not to be skipped"},
        {AT_CLASS, 0x4001 | 5 << 16, "what belongs to a signature"},
        {AT_API, 8 | 8 << 16, "twice"},
        {AT_API, 0x8000 | 0 << 16, "empty, and to be skipped"},
        {AT_API, 0x8000 | 9 << 16, "ends behind S"},
        {AT_API, 0x8000 | 12 << 16, "ends behind S, at a multiple of 4"},
        {AT_API + 4, 2, "empty range of versions"},
        {BLOCK_S, 0x4002 | 32 << 16, "no hash of a key"},
        {BLOCK_S, 0x4001 | 31 << 16, "a shorter hash"},
        {BLOCK_S, 8 | 32 << 16, "a class that is not signed"},
        {BLOCK_S + 36, 0x4004 | 64 << 16, "unknown signature"},
        {BLOCK_S + 36, 0x4001 | 64 << 16, "a second hash"},
        {BLOCK_S + 36, 0x4002 | 60 << 16, "a shorter signature"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        struct block block = make_block(0);
        unit_put32(block.bytes + changes[i].at, changes[i].word);
        if (read_block(&block) != RELOC_N_SIGNED)
            fail_msg("accepted: %s", changes[i].why);
    }
}

/* S of make_block(0), but with another length of the entries of one type; skip: one is left out. */
static struct block with_length(uint32_t type, uint32_t length, uint32_t skip) {
    static const uint8_t text[] =
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    struct block block = make_block(0), made;
    put_head(&made);
    for (uint32_t at = 8; at < BLOCK_S;) {
        uint32_t word = unit_get32(block.bytes + at), own = word >> 16;
        if ((word & 0xFFFF) == type)
            put_entry(&made, type, text, length);
        else if ((word & 0xFFFF) != skip)
            put_entry(&made, word & 0xFFFF, block.bytes + at + 4, own);
        at += 4 + (own + 3) / 4 * 4;
    }
    return made;
}

static void end_block(struct block *block) {
    static const uint8_t zeros[64];
    end_head(block);
    put_entry(block, 0x4001, zeros, 32);
    put_entry(block, 0x4002, zeros, 64);
}

static void bounds_lengths(void **state) {
    static const struct {
        uint32_t type, least, most;
    } rows[] = {{1, 32, 32}, {2, 36, 36}, {3, 4, 4},  {4, 16, 16}, {5, 1, 64},
                {6, 8, 8},   {7, 4, 4},   {8, 1, 32}, {9, 8, 8}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (uint32_t length = 1; length <= 70; length++) {
            struct block block = with_length(rows[i].type, length, 0);
            end_block(&block);
            bool fits = length >= rows[i].least && length <= rows[i].most;
            assert_int_equal(read_block(&block), fits ? RELOC_OK : RELOC_N_SIGNED);
        }
}

/* An entry at the end that is there already, or should be further in front. */
static void refuses_another_order(void **state) {
    (void)state;
    for (uint32_t type = 1; type <= 9; type++) {
        struct block twice = with_length(0, 0, 0), late = with_length(0, 0, type), block = twice;
        uint32_t at = 8;
        while ((unit_get32(block.bytes + at) & 0xFFFF) != type)
            at += 4 + ((unit_get32(block.bytes + at) >> 16) + 3) / 4 * 4;
        uint32_t length = unit_get32(block.bytes + at) >> 16;
        put_entry(&twice, type, block.bytes + at + 4, length);
        put_entry(&late, type, block.bytes + at + 4, length);
        end_block(&twice);
        end_block(&late);
        assert_int_equal(read_block(&twice), RELOC_N_SIGNED);
        assert_int_equal(read_block(&late), type == 9 ? RELOC_OK : RELOC_N_SIGNED);
    }
}

/* Nothing is said by an entry without a value, so it is not allowed even where it would be skipped.
 */
static void refuses_empty_entries(void **state) {
    (void)state;
    for (uint32_t length = 0; length < 2; length++) {
        struct block block = with_length(0, 0, 0);
        put_entry(&block, 0x8001, "x", length);
        end_block(&block);
        assert_int_equal(read_block(&block), length != 0 ? RELOC_OK : RELOC_N_SIGNED);
    }
}

/* S of 512 bytes, and of more; and one whose size is no multiple of 4, with all else right. */
static void bounds_the_size(void **state) {
    static const uint8_t value[512] = {1};
    (void)state;
    for (uint32_t more = 0; more <= 8; more += 4) {
        struct block block = with_length(0, 0, 0);
        put_entry(&block, 0x8001, value, 512 - BLOCK_S - 4 + more);
        end_block(&block);
        assert_int_equal(read_block(&block), more == 0 ? RELOC_OK : RELOC_N_SIGNED);
    }
    for (uint32_t more = 1; more < 4; more++) {
        struct block block = make_block(0);
        memmove(block.bytes + BLOCK_S + more, block.bytes + BLOCK_S, 104);
        memset(block.bytes + BLOCK_S, 0xFF, more); /* like an entry to be skipped */
        unit_put32(block.bytes + 4, 1 | (BLOCK_S + more) << 16);
        block.size += more;
        assert_int_equal(read_block(&block), RELOC_N_SIGNED);
    }
}

/* What a later version adds is skipped if its type says so. */
static void skips_what_may_be_skipped(void **state) {
    struct block block = make_block(0);
    (void)state;
    unit_put32(block.bytes + AT_API, 0x8000 | 8 << 16);
    assert_int_equal(read_block(&block), RELOC_OK);
    unit_put32(block.bytes + AT_API, 0xFFFF | 7 << 16);
    assert_int_equal(read_block(&block), RELOC_OK);
    unit_put32(block.bytes + AT_API, 0x7FFF | 8 << 16);
    assert_int_equal(read_block(&block), RELOC_N_SIGNED);
}

static void counts_signatures(void **state) {
    struct block block = make_block(0);
    (void)state;
    for (uint32_t count = 0; count <= 6; count++) {
        struct block more = {.size = BLOCK_S};
        memcpy(more.bytes, block.bytes, BLOCK_S);
        for (uint32_t i = 0; i < count; i++, more.size += 104)
            memcpy(more.bytes + more.size, block.bytes + BLOCK_S, 104);
        assert_int_equal(read_block(&more) == RELOC_OK, count >= 1 && count <= 4);
        more.size += 4;
        assert_int_equal(read_block(&more), RELOC_N_SIGNED);
    }
}

/* ---- what a device asks ---- */

static void compares_class_api_and_counter(void **state) {
    struct block block = make_block(0), plain = make_block(8), any = make_block(9);
    struct reloc_signed s, without, all;
    (void)state;
    unit_put32(block.bytes + AT_API + 4, 3);
    unit_put32(block.bytes + AT_API + 8, 5);
    assert_int_equal(reloc_signed_read(block.bytes, block.size, &s), RELOC_OK);
    assert_int_equal(reloc_signed_read(plain.bytes, plain.size, &without), RELOC_OK);
    assert_int_equal(reloc_signed_read(any.bytes, any.size, &all), RELOC_OK);
    const uint8_t *class = (const uint8_t *)"class";
    assert_int_equal(reloc_signed_check_class(&s, class, 5), RELOC_OK);
    assert_int_equal(reloc_signed_check_class(&s, class, 4), RELOC_N_DEVICE_CLASS);
    assert_int_equal(reloc_signed_check_class(&s, (const uint8_t *)"clasS", 5),
                     RELOC_N_DEVICE_CLASS);
    assert_int_equal(reloc_signed_check_class(&s, NULL, 0), RELOC_N_DEVICE_CLASS);
    assert_int_equal(reloc_signed_check_class(&without, class, 5), RELOC_N_DEVICE_CLASS);
    assert_int_equal(reloc_signed_check_class(&without, NULL, 0), RELOC_OK);
    for (uint32_t version = 0; version < 10; version++) {
        assert_int_equal(reloc_signed_check_api(&s, version),
                         version >= 3 && version <= 5 ? RELOC_OK : RELOC_N_FIRMWARE_API);
        assert_int_equal(reloc_signed_check_api(&all, version), RELOC_OK);
        assert_int_equal(reloc_signed_check_counter(&s, version),
                         version <= 7 ? RELOC_OK : RELOC_N_SECURITY_COUNTER);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(asks_for_what_must_be_there),
        UNIT(refuses_changed_words),
        UNIT(bounds_lengths),
        UNIT(refuses_another_order),
        UNIT(refuses_empty_entries),
        UNIT(bounds_the_size),
        UNIT(skips_what_may_be_skipped),
        UNIT(counts_signatures),
        UNIT(compares_class_api_and_counter),
    };
    return RUN(tests);
}
