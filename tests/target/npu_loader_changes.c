/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images of which every single bit of header, context, pool table, GOT and REL is flipped, and
 * images that change while the loader works on them, as a DMA or another core would do it: from the
 * hooks of the core's identification and of the caches. What is written lies in the memory that was
 * given, and a refusal leaves all but the RAM as it was. See npu_loader_test.c.
 */
#include "npu_loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_npu_core.h"

enum { XIP = AI_RELOC_RT_LOAD_MODE_XIP, COPY = AI_RELOC_RT_LOAD_MODE_COPY };
#ifdef NPU_LOADER_ALT
enum { ALT = 1 }; /* a trailer is required, by the functions without a size, too */
#else
enum { ALT = 0 };
#endif
#ifndef ROUNDS
#define ROUNDS 4000
#endif

static ll_aton_reloc_config config;
static ll_aton_reloc_install_args args;
static NN_Instance_TypeDef net;

static void start(const uint8_t *image, uint32_t size, uint32_t mode) {
    arena_reset(image, size);
    args = args_for(size, mode, &config);
    args.regions = kit_regions;
    args.region_count = 3;
    memset(&net, 0xEE, sizeof net);
}

/* Where the checked image puts its pools, and nothing else. */
static void forget_pools(void) {
    arena_forget(COPY_START, 24);
    arena_forget(COPY_RO, COPY_RO_BYTES);
    arena_forget(RESET_START, 104);
    arena_forget(EXT_START, EXT_RAM_BYTES + 4);
}

static bool instance_untouched(void) {
    for (uint32_t i = 0; i < sizeof net; i++)
        if (((const uint8_t *)&net)[i] != 0xEE)
            return false;
    return true;
}

/* ---- one bit ---- */

static unsigned flips, taken, leaks;

/* The RAM is written before a word that is twice in REL is seen, and by no other refusal. */
static void flip(uint32_t offset, uint32_t bit, bool sealed) {
    uint32_t word = image_word(offset);
    put_image_word(offset, word ^ 1u << bit);
    memset(&net, 0xEE, sizeof net);
    arena_keep();
    bool plain = (flips++ & 1) != 0 && (!sealed || ALT);
    int code = plain ? ll_aton_reloc_install(IMAGE_START, &config, &net)
                     : (int)ll_aton_reloc_install_sized(&args, &net);
    if (code == 0) { /* pools may have moved within their regions */
        for (uint32_t i = 0; i < 3; i++)
            arena_forget(kit_regions[i].address, kit_regions[i].size);
        arena_forget(EXT_START, EXT_RAM_BYTES + 4);
        taken++;
    }
    if (code == 0 || code == LL_ATON_RELOC_E_REL_WORD ||
        (plain && !sealed && code == AI_RELOC_RT_ERR_INVALID_BIN))
        arena_forget(RAM_START, config.exec_ram_size);
    leaks += !arena_same() || (code != 0 && !instance_untouched());
    put_image_word(offset, word);
}

static void flip_part(uint32_t from, uint32_t end, bool sealed) {
    for (uint32_t at_word = from; at_word < end; at_word += 4)
        for (uint32_t bit = 0; bit < 32; bit++)
            flip(at_word, bit, sealed);
}

/* With a trailer none is taken. A word that is twice in REL is seen in the RAM only. */
static void test_flips(const uint8_t *image, uint32_t size, uint32_t mode, bool sealed) {
    struct reloc_npu_view view;
    start(image, size, mode);
    (void)reloc_npu_check(at(IMAGE_START), size, &view);
    const struct reloc_view *b = &view.base;
    flips = taken = leaks = 0;
    flip_part(0, reloc_npu_header_bytes(&view), sealed);
    flip_part(b->ro_bytes + b->ctx, b->ro_bytes + b->ctx + RELOC_NPU_CTX_BYTES, sealed);
    flip_part(b->ro_bytes + view.pools, b->ro_bytes + view.pools + 20 * view.pool_count + 4,
              sealed);
    flip_part(b->ro_bytes + b->got_start, b->ro_bytes + b->got_end, sealed);
    flip_part(b->rel_start, b->rel_end, sealed);
    CHECK(leaks == 0 && flips > 1500);
    CHECK(sealed ? taken == 0 : taken < flips / 2);
}

#ifndef NPU_LOADER_ALT
/* A word that is listed twice: in RAM it is not the file's word the second time. */
static void test_twice(uint32_t mode) {
    struct reloc_npu_view view;
    for (uint32_t i = 1; i < 6; i++) {
        start(image_two_start, SIZE_OF(image_two), mode);
        (void)reloc_npu_check(at(IMAGE_START), SIZE_OF(image_two), &view);
        uint32_t rel = view.base.rel_start;
        put_image_word(rel + 4 * i, image_word(rel));
        arena_keep();
        CHECK(ll_aton_reloc_install_sized(&args, &net) == LL_ATON_RELOC_E_REL_WORD);
        arena_forget(RAM_START, config.exec_ram_size);
        CHECK(arena_same() && instance_untouched());
    }
}

#endif

/* ---- changes between check and use ---- */

static uint32_t change_at, change_word, change_call, calls;

static void change(void) {
    if (calls++ == change_call)
        put_image_word(change_at, change_word);
}

/* Words of the GOT lead into the image and its memory, whatever the image says by now. */
static bool got_is_right(const struct reloc_npu_view *view, bool copy) {
    uint32_t rom = copy ? RAM_START : IMAGE_START;
    uint32_t ram = copy ? RAM_START + view->base.ro_bytes : RAM_START;
    for (uint32_t i = view->base.got_start; i < view->base.got_end; i += 4) {
        uint32_t word;
        memcpy(&word, at(ram + i), 4);
        if (word != 0 && word - rom > view->base.ro_bytes && word - ram > view->base.bss_end &&
            word - (IMAGE_START + view->params_start) > IMAGE_PARAMS_BYTES &&
            word - EXT_START > EXT_RAM_BYTES)
            return false;
    }
    return true;
}

/* With a trailer all that is copied is as it was checked, or refused. */
static bool copy_is_right(const struct reloc_npu_view *view, const uint8_t *image) {
    return memcmp(at(RAM_START), image, view->base.ro_bytes) == 0;
}

static void test_changing(const uint8_t *image, uint32_t size, bool sealed, unsigned rounds) {
    struct reloc_npu_view view;
    unsigned installed = 0, refused = 0, wrong = 0;
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t mode = 1 + random_u32() % 2;
        start(image, size, mode);
        (void)reloc_npu_check(at(IMAGE_START), size, &view);
        /* Params are copied as they are: they are not among what changes here. */
        change_at = random_u32() % (view.params_start / 4) * 4;
        if (random_u32() % 2)
            change_at = random_u32() % 2
                            ? random_u32() % 26 * 4
                            : view.base.ro_bytes +
                                  random_u32() % ((view.params_start - view.base.ro_bytes) / 4) * 4;
        change_word = random_word(image_word(change_at), size);
        if (random_u32() % 4 == 0) /* away from the RAM */
            change_word = 0x40000000u + random_u32() % 0x8000u / 4 * 4;
        change_call = random_u32() % 3 == 0 ? random_u32() % 6 : 0; /* mostly right after */
        calls = 0;
        kit_hook = change;
        bool done = ll_aton_reloc_install_sized(&args, &net) == 0;
        kit_hook = NULL;
        arena_forget(IMAGE_START + change_at, 4);
        arena_forget(RAM_START, config.exec_ram_size);
        if (done) {
            forget_pools();
            installed++;
            wrong += !got_is_right(&view, mode == COPY);
            wrong += sealed && mode == COPY && change_call == 0 && !copy_is_right(&view, image);
            wrong += !has_params(COPY_START, COPY_FOFF, COPY_BYTES);
        } else {
            refused++;
            wrong += !instance_untouched();
        }
        wrong += !arena_same();
    }
    CHECK(wrong == 0);
    CHECK(installed > rounds / 10);
    CHECK(refused > rounds / 50);
}

#ifndef NPU_LOADER_ALT
/* The words that were dangerous when they were read twice, each changed after the check. */
static void test_after_check(uint32_t offset, uint32_t word, uint32_t mode, bool installs) {
    start(image_two_start, SIZE_OF(image_two), mode);
    change_at = offset;
    change_word = word;
    change_call = calls = 0;
    kit_hook = change;
    bool done = ll_aton_reloc_install_sized(&args, &net) == 0;
    kit_hook = NULL;
    CHECK(done == installs && calls != 0 && image_word(offset) == word);
    arena_forget(IMAGE_START + offset, 4);
    arena_forget(RAM_START, config.exec_ram_size);
    if (done)
        forget_pools();
    CHECK(arena_same());
    CHECK(done ? ll_aton_reloc_is_valid(&net) == 1 || mode == XIP : instance_untouched());
}

static void test_named_changes(void) {
    struct reloc_npu_view view;
    start(image_two_start, SIZE_OF(image_two), COPY);
    (void)reloc_npu_check(at(IMAGE_START), SIZE_OF(image_two), &view);
    uint32_t pools = view.base.ro_bytes + view.pools, rel = view.base.rel_start;
    uint32_t place = view.base.ro_bytes + (image_word(rel) & RELOC_OFFSET_MASK);
    for (uint32_t mode = XIP; mode <= COPY; mode++) {
        static const uint32_t words[] = {8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48};
        for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
            test_after_check(words[i], 0x4000FFF8u, mode, true); /* header: not read again */
        for (uint32_t row = 0; row < view.pool_count; row++)
            for (uint32_t word = 1; word < 5; word++) /* nor are rows; */
                test_after_check(pools + 20 * row + 4 * word, ARENA_START, mode, true);
        test_after_check(rel, 0x40008000u, mode, false); /* out of the RAM */
        test_after_check(rel, 0x2000000Cu, mode, false); /* the header */
        test_after_check(rel, 0x40000001u, mode, false);
        test_after_check(rel, 0x70000000u, mode, false);
        test_after_check(place, 0x40008000u, mode, false);
        test_after_check(place, 0x80000000u + IMAGE_PARAMS_BYTES + 4, mode, false);
        test_after_check(place, 0x90000000u + EXT_RAM_BYTES + 4, mode, false);
        test_after_check(place, 0xA0000000u, mode, false);
    }
    test_after_check(rel, 0x20000000u + view.base.ro_bytes - 4, XIP, false); /* in the code: COPY */
}

#endif

void test_changes(void) {
#ifndef NPU_LOADER_ALT
    test_flips(image_two_start, SIZE_OF(image_two), COPY, false);
    test_flips(image_acts_start, SIZE_OF(image_acts) - 96, XIP, false);
    test_twice(XIP);
    test_twice(COPY);
    test_named_changes();
    test_changing(image_two_start, SIZE_OF(image_two), false, ROUNDS / 4);
#endif
    test_flips(image_one_start, SIZE_OF(image_one), COPY, true);
    test_changing(image_one_start, SIZE_OF(image_one), true, ROUNDS / 4);
}
