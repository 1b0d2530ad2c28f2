/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of runtime/format/reloc_core.h on the host: images built here word by word, every
 * strict prefix, every word with boundary values against a second, slower check, and every code of
 * reloc_errors.def. All images lie in buffers of their exact size, so that AddressSanitizer sees a
 * read too far. RELOCPACK_MUTATIONS=N asks for N random images. RELOCPACK_VENDOR_IMAGE=FILE:FILE…
 * adds images of another packager.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/format/reloc_core.h"
#include "tests/unit/test_reloc_images.h"
#include "tests/unit/unit.h"

/* ---- running the check ---- */

static bool seen[64]; /* by -code */

/* Where an image is installed: addresses that look like none of its own, and like some of them. */
static const struct reloc_bases places[] = {
    {0x08001000, 0x24000040, NULL}, {0x20000004, 0x20008000, NULL}, {0x90000000, 0x80000004, NULL}};

/* Installs as a loader does, in memory of the exact size, and compares with slow_install. */
static uint32_t install(const uint8_t *image, const struct reloc_view *view) {
    uint32_t code = RELOC_OK;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && code == RELOC_OK; i++) {
        uint8_t *ram = malloc(view->got_end), *want = malloc(view->got_end);
        assert_true(ram != NULL && want != NULL);
        memcpy(ram, image + view->ro_bytes, view->got_end);
        struct reloc_bases bases = {places[i].rom, places[i].ram, ram};
        code = reloc_rebase_all(view, &bases);
        slow_install(image, want, bases.rom, bases.ram);
        if (code == RELOC_OK)
            assert_memory_equal(ram, want, view->got_end);
        free(ram);
        free(want);
    }
    return code;
}

/* Checks size bytes of an image in a buffer that ends there, and installs it. */
static int32_t check_bytes(const uint8_t *bytes, uint32_t size, struct reloc_view *view) {
    uint8_t *exact = malloc(size != 0 ? size : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, size);
    int32_t code = reloc_core_check(exact, size, view);
    if (code == RELOC_OK)
        code = reloc_result(install(exact, view));
    free(exact);
    assert_true(code <= 0 && code > -64);
    seen[-code] = true;
    return code;
}

static int32_t check(const struct image *image) {
    struct reloc_view view;
    return check_bytes(image->bytes, image->size, &view);
}

/* ---- valid images ---- */

static void accepts_embedded(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.flags, 0x20085C24);
    assert_int_equal(v.ro_bytes, RO_BYTES);
    assert_int_equal(v.data_end, DATA_BYTES);
    assert_int_equal(v.got_start, GOT_START);
    assert_int_equal(v.got_end, GOT_END);
    assert_int_equal(v.bss_end, BSS_END);
    assert_int_equal(v.rel_start, REL_AT);
    assert_int_equal(v.rel_end, REL_END_AT);
    assert_int_equal(v.weights_start, WEIGHTS_AT);
    assert_int_equal(v.weights_end, CONTENT_BYTES);
    assert_int_equal(v.content_end, CONTENT_BYTES);
    assert_int_equal(v.trailer, 0);
    assert_int_equal(v.ctx, CTX_AT);
    assert_int_equal(v.c_name, NAME_AT);
    assert_int_equal(v.acts_size, 4096);
    assert_int_equal(v.weights_size, WEIGHTS_BYTES);
    assert_int_equal(reloc_ram_xip(&v), 152);
    assert_int_equal(reloc_ram_copy(&v), 152 + RO_BYTES);
}

static void accepts_split(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    split(&image);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.weights_start, 0);
    assert_int_equal(v.weights_end, 0);
    assert_int_equal(v.weights_size, WEIGHTS_BYTES);
    assert_int_equal(v.content_end, REL_END_AT);
}

/* An empty weights range means no weights at all, as for other loaders. */
static void accepts_empty_weights(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    put(&image, 48, 0x20000000u + WEIGHTS_AT);
    image.size = WEIGHTS_AT;
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.weights_start, 0);
    assert_int_equal(v.content_end, WEIGHTS_AT);
}

static void accepts_trailer(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.trailer, CONTENT_BYTES);
    image = build();
    split(&image);
    add_trailer(&image, RELOC_TRL_IMAGE, RELOC_TRL_SPLIT);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.trailer, SPLIT_BYTES);
    image.size += 8; /* erased flash behind it */
    memset(image.bytes + image.size - 8, 0xFF, 8);
    assert_int_equal(check(&image), RELOC_OK);
}

/* Without a size nothing behind the ends that the header declares is read. */
static void accepts_unknown_size(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    uint8_t *exact = malloc(image.size);
    assert_non_null(exact);
    memcpy(exact, image.bytes, image.size);
    assert_int_equal(reloc_core_check(exact, RELOC_SIZE_UNKNOWN, &v), RELOC_OK);
    free(exact);
}

/* The proportions of a shipped image: context of 60 bytes, zero words, a big RAM part, split. */
static void accepts_other_packager(void **state) {
    enum { RO = 0x2CEC, DATA = 0x7A8, GOT = 0x7AC, GOT_E = 0x840, BSS_E = 0x8D4, REL = 0x352C };
    static uint8_t bytes[0x372C];
    static const uint32_t words[13] = {0x4E49424E,
                                       0x20085D21,
                                       0x80000000,
                                       0x80000000 + DATA,
                                       0x20000000 + RO,
                                       0x80000000 + GOT_E,
                                       0x80000000 + BSS_E,
                                       0x80000000 + GOT,
                                       0x80000000 + GOT_E,
                                       0x20000000 + REL,
                                       0x2000372C,
                                       0,
                                       0};
    struct image part = {.size = 0};
    struct reloc_view v;
    (void)state;
    for (uint32_t i = 0; i < 13; i++)
        put(&part, 4 * i, words[i]);
    for (uint32_t i = 0; i < 11; i++)
        put(&part, 52 + 4 * i, 0x20000065 + 2 * i);
    put(&part, 96, 0x8000076C);
    memcpy(bytes, part.bytes, 100);
    memcpy(bytes + 0x2000, "network", 8);
    put(&part, 0, 0x20002000);
    put(&part, 4, 42120);
    put(&part, 8, 42120);
    memcpy(bytes + RO + 0x76C + 20, part.bytes, 12);
    for (uint32_t i = 0; i < 34; i++) { /* 37 GOT words, the last three 0 */
        put(&part, 0, i % 2 ? 0x20000065 + 4 * i : 0x80000000 + 4 * i);
        memcpy(bytes + RO + GOT + 4 * i, part.bytes, 4);
    }
    for (uint32_t i = 0; i < 128; i++) {
        put(&part, 0, 0x80000000 + 4 * i);
        memcpy(bytes + REL + 4 * i, part.bytes, 4);
    }
    assert_int_equal(check_bytes(bytes, sizeof bytes, &v), RELOC_OK);
    assert_int_equal(reloc_ram_xip(&v), 2260);
    assert_int_equal(reloc_ram_copy(&v), 13760);
    assert_int_equal(v.weights_size, 42120);
}

/* ---- prefixes ---- */

static void refuses_prefixes(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    for (uint32_t size = 0; size < CONTENT_BYTES; size++)
        assert_int_equal(check_bytes(image.bytes, size, &v), RELOC_E_TRUNCATED);
    split(&image);
    for (uint32_t size = 0; size < SPLIT_BYTES; size++)
        assert_int_equal(check_bytes(image.bytes, size, &v), RELOC_E_TRUNCATED);
}

/* A file cut exactly behind the content is a file without a trailer; nothing distinguishes them. */
static void refuses_prefixes_with_trailer(void **state) {
    struct image image = build();
    struct reloc_view v;
    (void)state;
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    for (uint32_t size = 0; size < FULL_BYTES; size++) {
        int32_t code = size < CONTENT_BYTES    ? RELOC_E_TRUNCATED
                       : size == CONTENT_BYTES ? RELOC_OK
                                               : RELOC_E_TRAILER;
        assert_int_equal(check_bytes(image.bytes, size, &v), code);
    }
}

/* ---- mutations ---- */

static void compare(const struct image *image) {
    bool expected = slow_check(image->bytes, image->size);
    if ((check(image) == RELOC_OK) != expected) {
        for (uint32_t at = 0; at < image->size; at += 4)
            fprintf(stderr, "%3u: %08x\n", at, get(image->bytes, at));
        fail_msg("code %d, expected %s", check(image), expected ? "acceptance" : "refusal");
    }
}

/* Every word of the image with values around every bound that there is. */
static void mutates_each_word(void **state) {
    static const uint32_t offsets[] = {
        0,       1,          2,      CTX_AT, RO_BYTES,   NAME_AT,    GOT_START,     GOT_END,
        BSS_END, DATA_BYTES, REL_AT, 100,    REL_END_AT, WEIGHTS_AT, CONTENT_BYTES, 0x0FFFFFFF};
    static const uint32_t segments[] = {0, 2, 4, 8, 15};
    struct image good = build();
    (void)state;
    for (uint32_t at = 0; at < good.size; at += 4)
        for (size_t s = 0; s < sizeof segments / sizeof segments[0]; s++)
            for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++)
                for (int32_t delta = -8; delta <= 8; delta++) {
                    struct image image = good;
                    uint32_t offset = (offsets[o] + (uint32_t)delta) & 0x0FFFFFFF;
                    put(&image, at, segments[s] << 28 | offset);
                    compare(&image);
                }
}

static void flips_each_bit(void **state) {
    struct image good = build();
    (void)state;
    for (uint32_t bit = 0; bit < 8 * good.size; bit++) {
        struct image image = good;
        image.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        compare(&image);
    }
}

/* With a trailer every flipped bit is noticed, even one that moves the end of the content. */
static void flips_each_bit_with_trailer(void **state) {
    struct image good = build();
    (void)state;
    add_trailer(&good, RELOC_TRL_IMAGE, 0);
    for (uint32_t bit = 0; bit < 8 * good.size; bit++) {
        struct image image = good;
        image.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(check(&image), RELOC_OK);
    }
}

/* The words that say where the image's own tables are, for tables from start to the end. */
static void add_tables(struct image *image, uint32_t start) {
    put(image, RO_BYTES + CTX_AT + 12, 0x20000000 + start);
    put(image, RO_BYTES + CTX_AT + 16, slow_crc32(image->bytes + start, RO_BYTES - start));
}

/* RELOCPACK_MUTATIONS=N: N images instead of 200,000, half of them with tables. */
static void mutates_several_words(void **state) {
    const char *asked = getenv("RELOCPACK_MUTATIONS");
    unsigned long rounds = asked != NULL ? strtoul(asked, NULL, 10) : 200000;
    struct image plain = build(), tables = plain;
    uint32_t random = 1;
    (void)state;
    add_tables(&tables, RO_BYTES - 16);
    for (unsigned long round = 0; round < rounds; round++) {
        struct image image = round % 4 < 2 ? plain : tables;
        for (uint32_t n = 0; n < 1 + round % 3; n++) {
            random = random * 1664525u + 1013904223u;
            uint32_t at = random >> 8 & (round % 2 ? 0xFC : 0x3C);
            random = random * 1664525u + 1013904223u;
            uint32_t word = get(image.bytes, at) ^ 1u << (random >> 27);
            put(&image, at, random >> 8 & 1 ? word : (word & 0xF0000000u) | random >> 23);
        }
        compare(&image);
    }
}

/* ---- each code, by its cause ---- */

struct cause {
    uint32_t at;
    uint32_t word;
    int32_t code;
};

static void names_causes(void **state) {
    static const struct cause causes[] = {
        {0, 0x4E49424F, RELOC_E_MAGIC},
        {4, 0x10085C24, RELOC_E_VERSION},
        {4, 0x21085C24, RELOC_E_VERSION},
        {4, 0x80085C24, RELOC_E_VERSION},
        {4, 0x20087C24, RELOC_E_FLAGS},
        {8, 0x80000004, RELOC_E_DATA},
        {12, 0x20000000 + DATA_BYTES, RELOC_E_DATA},
        {12, 0x80000000 + GOT_START + 1, RELOC_E_GOT},
        {28, 0x80000000 + GOT_END + 4, RELOC_E_GOT},
        {28, 0x80000000 + GOT_START + 2, RELOC_E_GOT},
        {32, 0x20000000 + GOT_END, RELOC_E_GOT},
        {20, 0x80000000 + GOT_END - 4, RELOC_E_BSS},
        {24, 0x80000000 + GOT_END - 4, RELOC_E_BSS},
        {24, 0x90000000 + BSS_END, RELOC_E_BSS},
        {16, 0x20000060, RELOC_E_CODE},
        {16, 0x20000000 + RO_BYTES + 2, RELOC_E_CODE},
        {16, 0x80000000 + RO_BYTES, RELOC_E_CODE},
        {36, 0x20000000 + REL_AT - 4, RELOC_E_REL},
        {36, 0x20000000 + REL_END_AT + 4, RELOC_E_REL},
        {40, 0x20000000 + REL_END_AT - 2, RELOC_E_REL},
        {40, 0x2FFFFFFC, RELOC_E_TRUNCATED},
        {44, 0x20000000 + REL_END_AT - 4, RELOC_E_WEIGHTS},
        {44, 0x20000000 + WEIGHTS_AT + 2, RELOC_E_WEIGHTS},
        {44, 0, RELOC_E_WEIGHTS},
        {48, 0x20000000 + WEIGHTS_AT - 4, RELOC_E_WEIGHTS},
        {48, 0x20000000 + CONTENT_BYTES + 1, RELOC_E_TRUNCATED},
        {48, 0x20000000 + CONTENT_BYTES - 1, RELOC_E_WEIGHTS_SIZE},
        {52, 0x20000064, RELOC_E_ENTRY},
        {56, 0x20000063, RELOC_E_ENTRY},
        {60, 0x20000001 + RO_BYTES, RELOC_E_ENTRY},
        {92, 0x80000065, RELOC_E_ENTRY},
        {96, 0x20000000 + CTX_AT, RELOC_E_CONTEXT},
        {96, 0x80000000 + CTX_AT + 2, RELOC_E_CONTEXT},
        {96, 0x80000000 + DATA_BYTES - 48, RELOC_E_CONTEXT},
        {96, 0x8FFFFFFC, RELOC_E_CONTEXT},
        {RO_BYTES + CTX_AT + 20, 0x20000000 + RO_BYTES, RELOC_E_NAME},
        {RO_BYTES + CTX_AT + 20, 0x20000010, RELOC_E_NAME},
        {RO_BYTES + CTX_AT + 20, 0, RELOC_E_NAME},
        {RO_BYTES + CTX_AT + 28, WEIGHTS_BYTES + 1, RELOC_E_WEIGHTS_SIZE},
        {RO_BYTES + CTX_AT + 24, 0x10000000, RELOC_E_CONTEXT},
        {RO_BYTES + CTX_AT + 24, 0xFFFFFFFD, RELOC_E_CONTEXT}, /* rounds up to 0 */
        {RO_BYTES + CTX_AT + 28, 0xFFFFFFFF, RELOC_E_CONTEXT},
        {RO_BYTES + CTX_AT + 12, 0x20000000 + RO_BYTES + 4, RELOC_E_TABLES},
        {RO_BYTES + CTX_AT + 12, 0x80000000, RELOC_E_TABLES},
        {RO_BYTES + CTX_AT + 12, 4, RELOC_E_TABLES},
        {RO_BYTES + GOT_START, 0x80000000 + BSS_END + 1, RELOC_E_GOT_WORD},
        {RO_BYTES + GOT_START, 0x20000000 + RO_BYTES + 1, RELOC_E_GOT_WORD},
        {RO_BYTES + GOT_START, 0x40000000, RELOC_E_GOT_WORD},
        {REL_AT, 0x80000002, RELOC_E_REL_ENTRY},
        {REL_AT, 0x20000000, RELOC_E_REL_ENTRY},
        {REL_AT + 12, 0x80000000 + DATA_BYTES, RELOC_E_REL_ENTRY},
        {REL_AT + 12, 0x80000000 + GOT_START, RELOC_E_REL_ENTRY},
        {REL_AT + 4, 0x80000000, RELOC_E_REL_DUPLICATE},
        {REL_AT + 12, 0x80000004, RELOC_E_REL_DUPLICATE},
        {RO_BYTES + 0, 0x20000000 + RO_BYTES + 1, RELOC_E_REL_WORD},
        {RO_BYTES + 4, 0xA0000000, RELOC_E_REL_WORD},
    };
    (void)state;
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        struct image image = build();
        put(&image, causes[i].at, causes[i].word);
        if (check(&image) != causes[i].code)
            fail_msg("word %u = %08x: code %d instead of %d", causes[i].at, causes[i].word,
                     check(&image), causes[i].code);
    }
}

static void accepts_unsorted_rel(void **state) {
    struct image image = build();
    (void)state;
    put(&image, REL_AT, 0x80000050);
    put(&image, REL_AT + 12, 0x80000000);
    assert_int_equal(check(&image), RELOC_OK);
}

/*
 * A list of count words that lead to the code, each of them once but for those that are told, in an
 * order that is far from sorted. One look at each entry tells.
 */
static uint32_t install_list(uint32_t count, uint32_t step, uint32_t twice) {
    struct reloc_view v = {.data_end = 4 * count,
                           .got_start = 4 * count,
                           .got_end = 4 * count,
                           .bss_end = 4 * count,
                           .rel_start = 4 * count,
                           .rel_end = 8 * count};
    uint8_t *bytes = calloc(count, 8), *ram = calloc(count, 4);
    assert_true(bytes != NULL && ram != NULL);
    for (uint32_t i = 0; i < count; i++) {
        unit_put32(bytes + 4 * i, 0x80000000 + 4 * i);
        unit_put32(bytes + v.rel_start + 4 * i,
                   0x80000000 + 4 * (uint32_t)((uint64_t)i * step % count));
    }
    if (twice != 0)
        unit_put32(bytes + v.rel_start + 4 * twice, 0x80000000);
    v.image = bytes;
    memcpy(ram, bytes, 4 * (size_t)count);
    struct reloc_bases bases = {0x20000000, 0x20000040, ram};
    uint32_t code = reloc_rebase_all(&v, &bases);
    for (uint32_t i = 0; code == RELOC_OK && i < count; i++)
        assert_int_equal(unit_get32(ram + 4 * i), 0x20000040 + 4 * i);
    free(bytes);
    free(ram);
    return code;
}

static void installs_long_unsorted_rel(void **state) {
    enum { COUNT = 1 << 20, STEP = 7919 };
    (void)state;
    assert_int_equal(install_list(COUNT, 1, 0), RELOC_OK);
    assert_int_equal(install_list(COUNT, STEP, 0), RELOC_OK);
    assert_int_equal(install_list(COUNT, STEP, COUNT - 1), RELOC_N_REL_DUPLICATE);
    assert_int_equal(install_list(COUNT, STEP, 1), RELOC_N_REL_DUPLICATE);
}

/* Every flipped bit in the tables, or in their location, is noticed without a trailer. */
static void flips_each_bit_of_tables(void **state) {
    enum { START = RO_BYTES - 16 };
    struct image good = build();
    (void)state;
    add_tables(&good, START);
    assert_int_equal(check(&good), RELOC_OK);
    for (uint32_t bit = 0; bit < 8 * good.size; bit++) {
        struct image image = good;
        image.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        compare(&image);
        if (bit / 8 - START < RO_BYTES - START || bit / 8 - (RO_BYTES + CTX_AT + 12) < 8)
            assert_int_equal(check(&image), RELOC_E_TABLES);
    }
    add_tables(&good, RO_BYTES); /* empty ones */
    assert_int_equal(check(&good), RELOC_OK);
    add_tables(&good, 0);
    assert_int_equal(check(&good), RELOC_OK);
}

static void refuses_name_without_end(void **state) {
    struct image image = build();
    (void)state;
    memset(image.bytes + NAME_AT, 'x', RO_BYTES - NAME_AT);
    assert_int_equal(check(&image), RELOC_E_NAME);
}

/* Changes to the trailer with its own CRC recomputed, so that the meaning is refused. */
static void names_trailer_causes(void **state) {
    static const struct cause causes[] = {
        {4, 2, RELOC_E_TRAILER},
        {8, 92, RELOC_E_TRAILER},
        {12, RELOC_TRL_WEIGHTS, RELOC_E_TRAILER},
        {16, CONTENT_BYTES - 4, RELOC_E_TRAILER},
        {84, 1, RELOC_E_TRUNCATED},
        {84, UINT32_MAX, RELOC_E_TRUNCATED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        struct image image = build();
        add_trailer(&image, RELOC_TRL_IMAGE, 0);
        put(&image, CONTENT_BYTES + causes[i].at, causes[i].word);
        seal(&image);
        assert_int_equal(check(&image), causes[i].code);
    }
    struct image image = build();
    add_trailer(&image, RELOC_TRL_IMAGE, 0);
    put(&image, CONTENT_BYTES + 20, 0);
    put(&image, CONTENT_BYTES + 92, slow_crc32(image.bytes + CONTENT_BYTES, 92));
    assert_int_equal(check(&image), RELOC_E_CRC);
    image.bytes[CONTENT_BYTES] ^= 1;
    assert_int_equal(check(&image), RELOC_E_TRAILER);
}

static void checks_weights_file(void **state) {
    struct image image = build();
    struct image weights = {.size = 32};
    struct reloc_view v;
    (void)state;
    split(&image);
    add_trailer(&image, RELOC_TRL_IMAGE, RELOC_TRL_SPLIT);
    add_trailer(&weights, RELOC_TRL_WEIGHTS, 0);
    assert_int_equal(reloc_core_check(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(reloc_core_check_weights(&v, weights.bytes, weights.size), RELOC_OK);
    for (uint32_t size = 0; size < weights.size; size++) {
        int32_t code = reloc_core_check_weights(&v, weights.bytes, size);
        assert_true(code < 0 && code > -64);
        seen[-code] = true;
    }
    weights.bytes[3] ^= 4;
    assert_int_equal(reloc_core_check_weights(&v, weights.bytes, weights.size), RELOC_E_CRC);
    put(&weights, 32 + 56, 0);
    seal(&weights);
    assert_int_equal(reloc_core_check_weights(&v, weights.bytes, weights.size), RELOC_E_BUILD_ID);
    seen[-RELOC_E_BUILD_ID] = true;
    v.trailer = 0; /* of another packager: only the length can be checked */
    assert_int_equal(reloc_core_check_weights(&v, weights.bytes, WEIGHTS_BYTES), RELOC_OK);
    assert_int_equal(reloc_core_check_weights(&v, weights.bytes, WEIGHTS_BYTES - 1),
                     RELOC_E_WEIGHTS_SIZE);
}

/* ---- small functions, and the list of codes ---- */

static void computes_crc32(void **state) {
    uint8_t bytes[256];
    (void)state;
    assert_int_equal(reloc_crc32(0, (const uint8_t *)"123456789", 9), 0xCBF43926);
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 37);
    for (uint32_t size = 0; size <= sizeof bytes; size++)
        assert_int_equal(
            reloc_crc32(reloc_crc32(0, bytes, size / 3), bytes + size / 3, size - size / 3),
            slow_crc32(bytes, size));
}

static void accepts_cores(void **state) {
    static const uint32_t parts[] = {0xC20, 0xC60, 0xC23, 0xC24, 0xC27, 0xD20,
                                     0xD21, 0xD24, 0xD22, 0xD23, 0xC21};
    static const char rows[] = "xxxxxxxxxx.xxxxxxxxxx...xxx.........xx..........x......"
                               ".....xxxxx.......xxxx........xxx........xxx........xxx...........x";
    (void)state; /* M0, M0+, M3, M4, M7, M23, M33, M52, M55, M85, M1 */
    for (size_t i = 0; i < COUNT(parts); i++)
        for (size_t k = 0; k < COUNT(parts); k++)
            for (int superset = 0; superset < 2; superset++)
                assert_int_equal(reloc_cpu_accepts(parts[i], parts[k], superset != 0),
                                 superset ? rows[i * COUNT(parts) + k] == 'x' : i == k);
}

static const struct {
    int32_t value;
    const char *text;
} list[] = {
#define X(name, value, text) {value, text},
#include "runtime/format/reloc_errors.def"
#undef X
};

/* Runs last: every code that the core returns was returned above by at least one image. */
static void reached_every_code(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        assert_true(list[i].value < 0 && list[i].text[0] != '\0');
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(list[i].value, list[k].value);
        bool loader_only = list[i].value == RELOC_E_OBJECT || list[i].value <= RELOC_E_ARGUMENT;
        if (!loader_only && !seen[-list[i].value])
            fail_msg("code %d was never returned", list[i].value);
    }
}

static void accepts_files(void **state) {
    static uint8_t bytes[1 << 20];
    struct reloc_view v;
    const char *paths = getenv("RELOCPACK_VENDOR_IMAGE");
    (void)state;
    if (paths == NULL || paths[0] == 0)
        skip(); /* RELOCPACK_VENDOR_IMAGE is not set */
    char *list_copy = strdup(paths);
    for (char *path = strtok(list_copy, ":"); path != NULL; path = strtok(NULL, ":")) {
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        uint32_t size = (uint32_t)fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        if (check_bytes(bytes, size, &v) != RELOC_OK)
            fail_msg("%s: code %d", path, check_bytes(bytes, size, &v));
    }
    free(list_copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_embedded),
        cmocka_unit_test(accepts_split),
        cmocka_unit_test(accepts_empty_weights),
        cmocka_unit_test(accepts_trailer),
        cmocka_unit_test(accepts_unknown_size),
        cmocka_unit_test(accepts_other_packager),
        cmocka_unit_test(accepts_files),
        cmocka_unit_test(refuses_prefixes),
        cmocka_unit_test(refuses_prefixes_with_trailer),
        cmocka_unit_test(mutates_each_word),
        cmocka_unit_test(flips_each_bit),
        cmocka_unit_test(flips_each_bit_of_tables),
        cmocka_unit_test(flips_each_bit_with_trailer),
        cmocka_unit_test(mutates_several_words),
        cmocka_unit_test(names_causes),
        cmocka_unit_test(accepts_unsorted_rel),
        cmocka_unit_test(installs_long_unsorted_rel),
        cmocka_unit_test(refuses_name_without_end),
        cmocka_unit_test(names_trailer_causes),
        cmocka_unit_test(checks_weights_file),
        cmocka_unit_test(computes_crc32),
        cmocka_unit_test(accepts_cores),
        cmocka_unit_test(reached_every_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
