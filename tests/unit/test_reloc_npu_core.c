/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of runtime/format/reloc_npu_core.h: images built by hand are accepted and described;
 * with any field changed they are refused with its code or leave a view that is in bounds. Each
 * input is a block of exactly its size, so that the sanitizer sees a read past its end.
 */
#include "runtime/format/reloc_npu_core.h"
#include "tests/unit/test_reloc_npu_causes.h"
#include "tests/unit/test_reloc_npu_images.h"
#include "tests/unit/unit.h"

static bool seen[64]; /* codes that some image was refused with */

static int32_t check_bytes(const uint8_t *bytes, uint32_t size, struct reloc_npu_view *v) {
    uint8_t *exact = unit_exact(bytes, size);
    int32_t code = reloc_npu_check(exact, size, v);
    assert_true(code <= 0 && code > -64);
    seen[-code] = true;
    free(exact);
    v->base.image = bytes;
    return code;
}

static int32_t check(const struct npu_image *image) {
    struct reloc_npu_view v;
    return check_bytes(image->bytes, image->size, &v);
}

static int32_t check_params(const struct npu_image *image, const struct npu_image *params) {
    struct reloc_npu_view v;
    assert_int_equal(check(image), RELOC_OK);
    assert_int_equal(reloc_npu_check(image->bytes, image->size, &v), RELOC_OK);
    uint8_t *exact = unit_exact(params->bytes, params->size);
    int32_t code = reloc_npu_check_params(&v, exact, params->size);
    seen[-code] = true;
    free(exact);
    return code;
}

/* ---- what is accepted, and how it is described ---- */

static void describes(uint32_t entries) {
    struct npu_image image = npu_build(entries);
    struct reloc_npu_view v;
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.entry_count, entries);
    assert_int_equal(v.base.ro_bytes, NPU_RO);
    assert_int_equal(v.base.data_end, NPU_DATA);
    assert_int_equal(v.base.got_end, NPU_GOT_END);
    assert_int_equal(v.base.bss_end, NPU_BSS_END);
    assert_int_equal(v.base.rel_start, NPU_REL);
    assert_int_equal(v.base.rel_end, NPU_REL_END);
    assert_int_equal(v.base.ctx, NPU_CTX);
    assert_int_equal(v.base.content_end, NPU_BYTES);
    assert_int_equal(v.base.trailer, 0);
    assert_string_equal(image.bytes + v.base.c_name, "tiny");
    assert_string_equal(image.bytes + v.rt_version_desc, "atonn");
    assert_int_equal(v.pools, NPU_POOLS);
    assert_int_equal(v.pool_count, NPU_ROWS);
    assert_int_equal(v.params_start, NPU_PARAMS);
    assert_int_equal(v.params_room, NPU_PARAMS_BYTES);
    assert_int_equal(v.params_need, NPU_PARAMS_BYTES);
    assert_int_equal(v.param_0_base, 0);
    assert_int_equal(v.params_bin_size, NPU_PARAMS_BYTES);
    assert_int_equal(v.ext_ram_size, NPU_EXT_RAM);
    assert_int_equal(v.rt_version, 0x01010100);
    assert_int_equal(v.rt_version_extra, 14);
    assert_int_equal(v.struct_sizes, 0x3038);
    assert_int_equal(v.interface_word, 0x40000000 + NPU_ITF);
    assert_false(v.needs_copy);
    assert_int_equal(reloc_npu_ram_xip(&v), 304);
    assert_int_equal(reloc_npu_ram_copy(&v), 304 + NPU_RO);
    struct reloc_npu_row row = v.rows[3];
    assert_int_equal(row.name, NPU_POOL);
    assert_int_equal(row.flags, 0x02010100);
    assert_int_equal(row.foff, 48);
    assert_int_equal(row.dst, 0x71000000);
    assert_int_equal(row.size, 16);
}

static void accepts_both_vectors(void **state) {
    (void)state;
    describes(11);
    describes(13);
}

/* The relative params pool need not be the first in the params: PARAM_0 counts from it. */
static void accepts_param_0_base(void **state) {
    struct npu_image image = npu_build(11);
    struct reloc_npu_view v;
    (void)state;
    npu_put(&image, NPU_ROW_AT + 8, 32);
    npu_put(&image, NPU_RO + 8, 0x80000000u + 32);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.param_0_base, 32);
    npu_put(&image, NPU_RO + 8, 0x80000000u + 33);
    assert_int_equal(check(&image), RELOC_E_REL_WORD);
}

static void accepts_code_to_rebase(void **state) {
    struct npu_image image = npu_build(11);
    struct reloc_npu_view v;
    (void)state;
    npu_put(&image, NPU_REL, 0x20000000u + NPU_TEXT);
    npu_put(&image, NPU_TEXT, 0x40000000u);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_true(v.needs_copy);
    npu_put(&image, NPU_REL, 0x20000000u + 92); /* the context, in the header */
    assert_int_equal(check(&image), RELOC_E_REL_ENTRY);
    npu_put(&image, NPU_REL, 0x20000000u + NPU_RO);
    assert_int_equal(check(&image), RELOC_E_REL_ENTRY);
}

/* LL_ATON 1.1.0: no sizes in the context, the interface one word further up. */
static void accepts_early_context(void **state) {
    struct npu_image image = npu_build(11);
    struct reloc_npu_view v;
    (void)state;
    npu_put(&image, NPU_CTX_AT + 40, 0x01010000);
    npu_put(&image, NPU_CTX_AT + 60, 0x20000000u + NPU_TEXT);
    assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
    assert_int_equal(v.struct_sizes, 0);
    assert_int_equal(v.interface_word, 0x20000000 + NPU_TEXT);
}

/* The vendor's packager does not count blobs in front of the params: the CRC covers the end. */
static void accepts_uncounted_blobs(void **state) {
    struct npu_image image = npu_build(11);
    (void)state;
    memmove(image.bytes + NPU_PARAMS + 16, image.bytes + NPU_PARAMS, NPU_PARAMS_BYTES);
    image.size += 16;
    assert_int_equal(check(&image), RELOC_OK);
    image.bytes[NPU_PARAMS + 20] ^= 1;
    assert_int_equal(check(&image), RELOC_E_PARAMS_CRC);
}

static void accepts_fill(void **state) {
    struct npu_image image = npu_build(11);
    (void)state;
    memset(image.bytes + image.size, 0xFF, 40);
    image.size += 40;
    assert_int_equal(check(&image), RELOC_OK);
    image.bytes[image.size - 3] = 0xFE;
    assert_int_equal(check(&image), RELOC_E_TRAILER);
    image = npu_build(13);
    (void)npu_split(&image);
    memset(image.bytes + NPU_PARAMS, 0, 8);
    image.size += 8;
    assert_int_equal(check(&image), RELOC_OK);
    image.bytes[image.size - 1] = 1;
    assert_int_equal(check(&image), RELOC_E_TRAILER);
}

static void accepts_trailer(void **state) {
    (void)state;
    for (uint32_t signature = 0; signature <= 32; signature += 32) {
        struct npu_image image = npu_build(11);
        struct reloc_npu_view v;
        npu_add_trailer(&image, RELOC_TRL_IMAGE, 0);
        npu_put(&image, NPU_BYTES + RELOC_TRL_SIGNATURE_SIZE, signature);
        npu_seal(&image);
        memset(image.bytes + image.size, 0x77, signature);
        image.size += signature;
        assert_int_equal(check_bytes(image.bytes, image.size, &v), RELOC_OK);
        assert_int_equal(v.base.trailer, NPU_BYTES);
        assert_int_equal(v.base.content_end, NPU_BYTES);
    }
}

/* Without a size nothing behind the declared ends is read: not the params either. */
static void accepts_unknown_size(void **state) {
    struct npu_image image = npu_build(11);
    struct reloc_npu_view v;
    (void)state;
    uint8_t *exact = unit_exact(image.bytes, NPU_REL_END);
    assert_int_equal(reloc_npu_check(exact, RELOC_SIZE_UNKNOWN, &v), RELOC_OK);
    assert_int_equal(v.params_room, RELOC_SIZE_UNKNOWN);
    assert_int_equal(v.params_need, NPU_PARAMS_BYTES);
    free(exact);
}

static int32_t check_word(uint32_t at, uint32_t word) {
    struct npu_image image = npu_build(13);
    npu_put(&image, at, word);
    return check(&image);
}

/*
 * The last value in bounds for each field, of which names_causes refuses the first one out of
 * bounds.
 */
static void accepts_last_values(void **state) {
    (void)state;
    assert_int_equal(check_word(NPU_CTX_AT + 64, 0x20000000u + NPU_RO - 4), RELOC_OK);
    assert_int_equal(check_word(NPU_CTX_AT + 64, 0x20000000u + NPU_RO), RELOC_E_CONTEXT);
    assert_int_equal(check_word(NPU_CTX_AT + 64, 0x40000000u + NPU_BSS_END - 4), RELOC_OK);
    assert_int_equal(check_word(NPU_CTX_AT + 32, 0x0FFFFFFF), RELOC_OK);
    assert_int_equal(check_word(NPU_ROW_AT + 36, NPU_EXT_RAM), RELOC_OK);
    assert_int_equal(check_word(NPU_ROW_AT + 16, 64), RELOC_OK);
    assert_int_equal(check_word(NPU_ROW_AT + 80 + 16, 0x0FFFFFFF), RELOC_OK);
    assert_int_equal(check_word(NPU_ROW_AT + 80 + 12, 0xFFFFF000), RELOC_OK);
    assert_int_equal(check_word(NPU_ROW_AT + 80 + 12, 0xFFFFF008), RELOC_E_POOL);
    assert_int_equal(check_word(NPU_ROW_AT + 80 + 12, 0), RELOC_OK);
    assert_int_equal(check_word(NPU_REL, 0x20000000u + NPU_TEXT), RELOC_OK);
    assert_int_equal(check_word(NPU_REL, 0x20000000u + NPU_TEXT - 4), RELOC_E_REL_ENTRY);
    assert_int_equal(check_word(NPU_REL, 0x20000000u + NPU_RO - 4), RELOC_OK);
    assert_int_equal(check_word(NPU_RO, 0x20000000u + NPU_RO), RELOC_OK);
    assert_int_equal(check_word(NPU_RO + NPU_DATA + 12, 0x90000000u + NPU_EXT_RAM), RELOC_OK);
}

/* A context whose end is that of the data; the pools end before it. */
static void accepts_context_at_end(void **state) {
    struct npu_image image = npu_build(11);
    enum { AT = NPU_DATA - RELOC_NPU_CTX_BYTES };
    (void)state;
    memmove(image.bytes + NPU_RO + AT, image.bytes + NPU_CTX_AT, RELOC_NPU_CTX_BYTES);
    npu_put(&image, NPU_RO + AT + 24, 0); /* also a REL word */
    npu_put(&image, NPU_ROW_AT + 40, 0);
    npu_put(&image, 92, 0x40000000u + AT);
    assert_int_equal(check(&image), RELOC_OK);
    npu_put(&image, 92, 0x40000004u + AT);
    assert_int_equal(check(&image), RELOC_E_CONTEXT);
}

/* Without padding: REL ends at a multiple of 8, and the params start there. */
static void accepts_params_behind_rel(void **state) {
    struct npu_image image = npu_build(11);
    (void)state;
    npu_put(&image, 40, 0x20000000u + NPU_REL_END - 4);
    npu_put(&image, 48, NPU_REL_END - 4);
    memmove(image.bytes + NPU_REL_END - 4, image.bytes + NPU_PARAMS, NPU_PARAMS_BYTES);
    image.size -= 8;
    assert_int_equal(check(&image), RELOC_OK);
}

/* The table may end with the data: a whole row is not needed for the end of it. */
static void accepts_table_at_end(void **state) {
    struct npu_image image = npu_build(11);
    (void)state;
    npu_put(&image, NPU_RO + NPU_ITF, 0);
    npu_put(&image, NPU_RO + 12, 0); /* no pool, no external RAM */
    npu_put(&image, 44, 0x40000000u + NPU_ITF);
    assert_int_equal(check(&image), RELOC_OK);
    npu_put(&image, NPU_RO + NPU_ITF, 0x20000000u + NPU_POOL);
    assert_int_equal(check(&image), RELOC_E_POOLS);
}

/* Two of the three marks are needed, and are enough. */
static void finds_trailer(void **state) {
    (void)state;
    for (uint32_t damaged = 0; damaged < 8; damaged++) {
        struct npu_image image = npu_build(11);
        npu_add_trailer(&image, RELOC_TRL_IMAGE, 0);
        uint32_t left = 3;
        static const uint32_t marks[] = {RELOC_TRL_MAGIC, RELOC_TRL_SIZE, RELOC_TRL_LENGTH};
        for (uint32_t i = 0; i < 3; i++)
            if (damaged >> i & 1) {
                image.bytes[NPU_BYTES + marks[i]] ^= 8;
                left--;
            }
        assert_int_equal(reloc_npu_find_trailer(image.bytes, NPU_PARAMS, image.size),
                         left >= 2 ? NPU_BYTES : 0);
        assert_int_equal(reloc_npu_find_trailer(image.bytes, NPU_PARAMS, image.size - 1), 0);
    }
}

/* ---- params in a file of their own ---- */

static void checks_params(void **state) {
    struct npu_image image = npu_build(11);
    struct npu_image params = npu_split(&image);
    (void)state;
    assert_int_equal(check_params(&image, &params), RELOC_OK);
    for (params.size = 0; params.size < NPU_PARAMS_BYTES; params.size++)
        assert_int_equal(check_params(&image, &params), RELOC_E_PARAMS_SIZE);
    params.bytes[5] ^= 2;
    assert_int_equal(check_params(&image, &params), RELOC_E_PARAMS_CRC);
}

static void checks_params_with_trailer(void **state) {
    struct npu_image image = npu_build(11);
    struct npu_image params = npu_split(&image);
    (void)state;
    npu_add_trailer(&image, RELOC_TRL_IMAGE, RELOC_TRL_SPLIT);
    assert_int_equal(check_params(&image, &params), RELOC_E_NO_TRAILER);
    npu_add_trailer(&params, RELOC_TRL_WEIGHTS, RELOC_TRL_SPLIT);
    assert_int_equal(check_params(&image, &params), RELOC_OK);
    for (uint32_t bit = 0; bit < 8 * params.size; bit++) {
        struct npu_image bad = params;
        bad.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(check_params(&image, &bad), RELOC_OK);
    }
    struct npu_image bad = params;
    npu_put(&bad, NPU_PARAMS_BYTES + RELOC_TRL_BUILD_ID, 0);
    npu_seal(&bad);
    assert_int_equal(check_params(&image, &bad), RELOC_E_BUILD_ID);
    bad = params;
    bad.bytes[1] ^= 1; /* other params, sealed */
    npu_put(&bad, NPU_PARAMS_BYTES + RELOC_TRL_WEIGHTS_CRC32,
            unit_crc32(bad.bytes, NPU_PARAMS_BYTES));
    npu_seal(&bad);
    assert_int_equal(check_params(&image, &bad), RELOC_E_PARAMS_CRC);
}

/* ---- what is refused ---- */

static void refuses_prefixes(void **state) {
    (void)state;
    for (uint32_t kind = 0; kind < 4; kind++) {
        struct npu_image image = npu_build(kind % 2 ? 13 : 11);
        if (kind >= 2)
            npu_add_trailer(&image, RELOC_TRL_IMAGE, 0);
        uint32_t whole = image.size;
        for (image.size = 0; image.size < whole; image.size++)
            if (kind < 2 || image.size != NPU_BYTES) /* all but the trailer: another packager's */
                assert_int_not_equal(check(&image), RELOC_OK);
    }
    struct npu_image image = npu_build(11);
    (void)npu_split(&image);
    for (image.size = 0; image.size < NPU_REL_END; image.size++)
        assert_int_not_equal(check(&image), RELOC_OK);
}

static void flips_each_bit_with_trailer(void **state) {
    (void)state;
    for (uint32_t split = 0; split < 2; split++) {
        struct npu_image good = npu_build(split ? 13 : 11);
        if (split)
            (void)npu_split(&good);
        npu_add_trailer(&good, RELOC_TRL_IMAGE, split ? RELOC_TRL_SPLIT : 0);
        for (uint32_t bit = 0; bit < 8 * good.size; bit++) {
            struct npu_image image = good;
            image.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_not_equal(check(&image), RELOC_OK);
        }
    }
}

/* The values in an accepted image are in bounds, whatever they are. */
static void require_bounds(const struct reloc_npu_view *v, uint32_t size) {
    const struct reloc_view *b = &v->base;
    assert_true(b->ro_bytes % 8 == 0 && b->ro_bytes + b->got_end <= b->rel_start);
    assert_true(b->rel_start <= b->rel_end && b->rel_end <= b->content_end);
    assert_true(b->content_end <= size && b->trailer <= size);
    assert_true(b->data_end <= b->got_start && b->got_end <= b->bss_end);
    assert_true(v->entry_count == 11 || v->entry_count == 13);
    assert_true(b->ctx + RELOC_NPU_CTX_BYTES <= b->data_end && v->pool_count <= 9);
    assert_true(v->pools + 20 * v->pool_count + 4 <= b->data_end);
    assert_true(v->params_start == 0 || v->params_need <= v->params_room);
    assert_true(v->params_start == 0 || v->params_start + v->params_room == b->content_end);
    for (uint32_t i = 0; i < v->pool_count; i++) {
        struct reloc_npu_row row = v->rows[i];
        uint64_t bytes = reloc_npu_round8(row.size);
        assert_true(row.dst + bytes <= UINT64_C(1) << 32);
        assert_true(!reloc_npu_row_has_params(row.flags) || row.foff + bytes <= v->params_need);
    }
}

static void try_image(const struct npu_image *image) {
    struct reloc_npu_view v;
    if (check_bytes(image->bytes, image->size, &v) == RELOC_OK)
        require_bounds(&v, image->size);
}

/* Sets each word of the parts that are read to values around every boundary, in every segment. */
static void mutates_each_word(void **state) {
    static const uint32_t offsets[] = {
        0,           96,        NPU_TEXT,    NPU_NAME,    NPU_RO,     NPU_CTX,
        NPU_POOLS,   NPU_DATA,  NPU_REL,     NPU_GOT_END, NPU_PARAMS, NPU_PARAMS_BYTES,
        NPU_REL_END, NPU_BYTES, NPU_BSS_END, 24,          0x0FFFFFFF};
    (void)state;
    for (uint32_t entries = 11; entries <= 13; entries += 2) {
        struct npu_image good = npu_build(entries);
        for (uint32_t at = 0; at < NPU_PARAMS; at += 4)
            for (uint32_t segment = 0; segment < 16; segment++)
                for (size_t o = 0; o < COUNT(offsets); o++)
                    for (uint32_t delta = 0; delta <= 16; delta++) {
                        struct npu_image image = good;
                        uint32_t offset = (offsets[o] + delta - 8) & 0x0FFFFFFF;
                        npu_put(&image, at, segment << 28 | offset);
                        try_image(&image);
                    }
    }
}

static void mutates_several_words(void **state) {
    struct npu_image good = npu_build(11);
    uint32_t random = 1;
    (void)state;
    for (uint32_t round = 0; round < 100000; round++) {
        struct npu_image image = good;
        for (uint32_t n = 0; n < 1 + round % 3; n++) {
            random = random * 1664525u + 1013904223u;
            uint32_t at = (random >> 8) % (NPU_PARAMS / 4) * 4;
            random = random * 1664525u + 1013904223u;
            uint32_t word = unit_get32(image.bytes + at) ^ 1u << (random >> 27);
            npu_put(&image, at, random >> 8 & 1 ? word : (word & 0xF0000000u) | random >> 23);
        }
        try_image(&image);
    }
}

static void names_causes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(npu_causes); i++) {
        struct npu_image image = npu_build(11);
        npu_put(&image, npu_causes[i].at, npu_causes[i].word);
        if (check(&image) != npu_causes[i].code)
            fail_msg("word %u = %08x: code %d instead of %d", npu_causes[i].at, npu_causes[i].word,
                     check(&image), npu_causes[i].code);
    }
}

/* Words for the external RAM need a pool there: without one nobody has to provide such RAM. */
static void refuses_ext_ram_without_pool(void **state) {
    struct npu_image good = npu_build(11);
    (void)state;
    npu_put(&good, NPU_ROW_AT + 24, 0x02030200); /* the pool at a fixed address */
    npu_put(&good, NPU_ROW_AT + 32, 0x35000000);
    for (uint32_t offset = 0; offset <= NPU_EXT_RAM; offset += 4) {
        struct npu_image image = good;
        npu_put(&image, NPU_RO + 12, 0x90000000u + offset);
        assert_int_equal(check(&image), RELOC_E_REL_WORD);
        npu_put(&image, NPU_RO + 12, 0);
        assert_int_equal(check(&image), RELOC_OK);
        npu_put(&image, NPU_RO + NPU_DATA + 12, 0x90000000u + offset);
        assert_int_equal(check(&image), RELOC_E_GOT_WORD);
    }
}

/* Ten rows fill the table; the vendor's loaders also refuse the tenth. */
static void refuses_ten_pools(void **state) {
    (void)state;
    for (uint32_t rows = 8; rows <= 10; rows++) {
        struct npu_image image = npu_build(11);
        /* over the pointers and the context: only that it ends */
        struct reloc_npu_view v = {.base = {.image = image.bytes,
                                            .ro_bytes = NPU_RO,
                                            .data_end = NPU_DATA,
                                            .header = {[RELOC_NPU_HDR_POOLS + 3] = 0x40}},
                                   .entry_count = 11};
        for (uint32_t i = 0; i < 10; i++) {
            npu_put(&image, NPU_RO + 20 * i, i < rows ? 0x20000000u + NPU_POOL : 0);
            npu_put(&image, NPU_RO + 20 * i + 4, 0x03020200);
            npu_put(&image, NPU_RO + 20 * i + 12, 0x34000000);
            npu_put(&image, NPU_RO + 20 * i + 16, 8);
        }
        assert_int_equal(reloc_npu_check_pools(&v), rows < 10 ? RELOC_OK : RELOC_N_POOLS);
        assert_int_equal(v.pool_count, rows < 10 ? rows : 9);
    }
}

static void names_trailer_causes(void **state) {
    static const struct cause causes[] = {
        {8, 92, RELOC_E_TRAILER},
        {12, RELOC_TRL_WEIGHTS, RELOC_E_TRAILER},
        {84, 1, RELOC_E_TRUNCATED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(causes); i++) {
        struct npu_image image = npu_build(11);
        npu_add_trailer(&image, RELOC_TRL_IMAGE, 0);
        npu_put(&image, NPU_BYTES + causes[i].at, causes[i].word);
        npu_seal(&image);
        assert_int_equal(check(&image), causes[i].code);
    }
    struct npu_image image = npu_build(11);
    npu_add_trailer(&image, RELOC_TRL_IMAGE, 0);
    image.bytes[NPU_TEXT] ^= 1;
    assert_int_equal(check(&image), RELOC_E_CRC);
}

/* Runs last: every code that the check returns was returned above by at least one image. */
static void reached_every_code(void **state) {
    (void)state;
    for (int32_t code = RELOC_E_TRUNCATED; code >= RELOC_E_BUILD_ID; code--)
        if (!seen[-code] && code != RELOC_E_WEIGHTS && code != RELOC_E_WEIGHTS_SIZE &&
            code != RELOC_E_REL_DUPLICATE)
            fail_msg("code %d was never returned", code);
    for (int32_t code = RELOC_E_POOLS; code >= RELOC_E_PARAMS_CRC; code--)
        if (!seen[-code])
            fail_msg("code %d was never returned", code);
}

/* Images of other packagers, in files that are not in the repository. */
static void accepts_files(void **state) {
    const char *paths = getenv("RELOCPACK_NPU_IMAGES");
    struct reloc_npu_view v;
    (void)state;
    if (paths == NULL || paths[0] == 0)
        skip(); /* RELOCPACK_NPU_IMAGES is not set */
    char *list = strdup(paths);
    uint8_t *bytes = malloc(1 << 24);
    for (char *path = strtok(list, ":"); path != NULL; path = strtok(NULL, ":")) {
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        uint32_t size = (uint32_t)fread(bytes, 1, 1 << 24, file);
        (void)fclose(file);
        if (check_bytes(bytes, size, &v) != RELOC_OK)
            fail_msg("%s: code %d", path, check_bytes(bytes, size, &v));
        require_bounds(&v, size);
    }
    free(bytes);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_both_vectors),
        cmocka_unit_test(accepts_param_0_base),
        cmocka_unit_test(accepts_code_to_rebase),
        cmocka_unit_test(accepts_early_context),
        cmocka_unit_test(accepts_uncounted_blobs),
        cmocka_unit_test(accepts_fill),
        cmocka_unit_test(accepts_trailer),
        cmocka_unit_test(accepts_unknown_size),
        cmocka_unit_test(accepts_last_values),
        cmocka_unit_test(accepts_context_at_end),
        cmocka_unit_test(accepts_params_behind_rel),
        cmocka_unit_test(accepts_table_at_end),
        cmocka_unit_test(finds_trailer),
        cmocka_unit_test(accepts_files),
        cmocka_unit_test(checks_params),
        cmocka_unit_test(checks_params_with_trailer),
        cmocka_unit_test(refuses_prefixes),
        cmocka_unit_test(flips_each_bit_with_trailer),
        cmocka_unit_test(mutates_each_word),
        cmocka_unit_test(mutates_several_words),
        cmocka_unit_test(names_causes),
        cmocka_unit_test(refuses_ext_ram_without_pool),
        cmocka_unit_test(refuses_ten_pools),
        cmocka_unit_test(names_trailer_causes),
        cmocka_unit_test(reached_every_code),
    };
    return RUN(tests);
}
