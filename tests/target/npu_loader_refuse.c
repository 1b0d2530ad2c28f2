/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that the Neural-ART loader refuses, each with its code, and that nothing at all was
 * done then: no byte of the arena written, no cache touched, the instance as it was. And thousands
 * of damaged images: refused or installed, nothing but the memory that was given is written. See
 * npu_loader_test.c.
 */
#include "npu_loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

enum { XIP = AI_RELOC_RT_LOAD_MODE_XIP, COPY = AI_RELOC_RT_LOAD_MODE_COPY };
#ifdef NPU_LOADER_ALT
enum { ALT = 1 }; /* a trailer is required */
#else
enum { ALT = 0 };
#endif
#define SCS_CPACR (*(volatile uint32_t *)0xE000ED88u)

static ll_aton_reloc_config config;
static ll_aton_reloc_install_args args;

static void start(const uint8_t *image, uint32_t size, uint32_t mode) {
    arena_reset(image, size);
    args = args_for(size, mode, &config);
}
#define START(name, mode) start(name##_start, SIZE_OF(name), mode)

static void refuse(int32_t code, unsigned line) {
    NN_Instance_TypeDef net;
    memset(&net, 0xEE, sizeof net);
    events_reset();
    int32_t result = ll_aton_reloc_install_sized(&args, &net);
    kit_check(result == code, "the code", line);
    if (result != code) {
        port_print("  code ");
        port_print_u32((uint32_t)-result);
        port_print("\n");
    }
    kit_check(arena_same() && events_were(NULL, 0), "nothing is written", line);
    for (uint32_t i = 0; i < sizeof net; i++)
        kit_check(((const uint8_t *)&net)[i] == 0xEE, "the instance is as it was", line);
}
#define REFUSE(code) refuse(LL_ATON_RELOC_E_##code, __LINE__)

#ifndef NPU_LOADER_ALT
/* One word of the image or its context, changed for one installation. */
static void refuse_word(uint32_t offset, uint32_t word, int32_t code, unsigned line) {
    uint32_t old;
    memcpy(&old, at(IMAGE_START + offset), 4);
    memcpy(at(IMAGE_START + offset), &word, 4);
    arena_keep();
    refuse(code, line);
    memcpy(at(IMAGE_START + offset), &old, 4);
    arena_keep();
}
#define REFUSE_WORD(offset, word, code) refuse_word(offset, word, LL_ATON_RELOC_E_##code, __LINE__)
#endif

/* ---- arguments ---- */

static void test_arguments(void) {
    static const uint32_t modes[] = {0, 3, 4, 7, 8, 9, UINT32_MAX};
    START(image_one, COPY);
    NN_Instance_TypeDef net;
    CHECK(ll_aton_reloc_install_sized(NULL, &net) == LL_ATON_RELOC_E_ARGUMENT);
    CHECK(ll_aton_reloc_install_sized(&args, NULL) == LL_ATON_RELOC_E_ARGUMENT);
    CHECK(ll_aton_reloc_install(IMAGE_START, NULL, &net) == AI_RELOC_RT_ERR_ARG);
    for (uint32_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        config.mode = modes[i];
        REFUSE(MODE);
    }
    START(image_one, COPY);
    args.file_ptr += 2;
    REFUSE(OBJECT);
    args.file_ptr = 0;
    REFUSE(OBJECT);
    args.file_ptr = IMAGE_START;
    config.exec_ram_size--;
    REFUSE(RAM_SIZE);
    config.exec_ram_size = UINT32_MAX;
    config.exec_ram_addr = 0xFFFFFFF8u;
    REFUSE(RAM_SIZE);
    config.exec_ram_addr = 0;
    REFUSE(RAM_ADDRESS);
    config.exec_ram_addr = RAM_START + 4;
    REFUSE(RAM_ADDRESS);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == AI_RELOC_RT_ERR_MEMORY);
}

/* The image's own params, when others are given: not written over either. */
static void test_overlap_unused_params(void) {
    START(image_one, XIP);
    uint32_t params = IMAGE_START + SIZE_OF(image_one) - 96 - IMAGE_PARAMS_BYTES;
    args.params_size = IMAGE_PARAMS_BYTES;
    config.ext_param_addr = PARAMS_START;
    for (uint32_t offset = 0; offset < IMAGE_PARAMS_BYTES; offset += IMAGE_PARAMS_BYTES - 8) {
        config.ext_ram_addr = params + offset;
        REFUSE(OVERLAP);
        config.ext_ram_addr = EXT_START;
        config.exec_ram_addr = params + offset;
        REFUSE(RAM_OVERLAP);
        config.exec_ram_addr = RAM_START;
    }
}

static void test_overlaps(void) {
    START(image_one, COPY);
    uint32_t need = config.exec_ram_size, size = SIZE_OF(image_one);
    uint32_t rams[] = {IMAGE_START,
                       IMAGE_START + 8,
                       IMAGE_START - need + 8,
                       (IMAGE_START + size - 104) & ~7u,
                       IMAGE_START + size - 96,
                       IMAGE_START + size - 8}; /* the last two: in the trailer */
    uint32_t pools[] = {COPY_START,       COPY_START + 16,        COPY_START - need + 8, COPY_RO,
                        RESET_START + 96, RESET_START - need + 8, EXT_START + 40u,       EXT_START};
    for (uint32_t i = 0; i < sizeof rams / sizeof rams[0]; i++) {
        config.exec_ram_addr = rams[i];
        REFUSE(RAM_OVERLAP);
    }
    for (uint32_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        config.exec_ram_addr = pools[i];
        REFUSE(OVERLAP);
    }
    START(image_one, COPY);
    uint32_t exts[] = {IMAGE_START,          IMAGE_START + size - 120, IMAGE_START + size - 96,
                       RAM_START + need - 8, COPY_START - 40,          RESET_START + 96};
    for (uint32_t i = 0; i < sizeof exts / sizeof exts[0]; i++) {
        config.ext_ram_addr = exts[i] & ~7u;
        REFUSE(OVERLAP);
    }
    test_overlap_unused_params();
    START(image_split, XIP); /* pools over the params */
    config.ext_param_addr = COPY_START - 136;
    args.params_size = SIZE_OF(image_params);
    memcpy(at(config.ext_param_addr), image_params_start, SIZE_OF(image_params));
    arena_keep();
    REFUSE(OVERLAP);
    config.ext_param_addr = RAM_START - 136;
    memcpy(at(config.ext_param_addr), image_params_start, SIZE_OF(image_params));
    arena_keep();
    REFUSE(RAM_OVERLAP);
}

#ifndef NPU_LOADER_ALT
static void test_ext_ram(void) {
    START(image_one, COPY);
    config.ext_ram_addr = 0;
    REFUSE(EXT_RAM);
    config.ext_ram_addr = EXT_START + 4;
    REFUSE(EXT_RAM);
    config.ext_ram_addr = EXT_START;
    config.ext_ram_size--;
    REFUSE(EXT_RAM);
    config.ext_ram_size = UINT32_MAX;
    config.ext_ram_addr = 0xFFFFFFF8u;
    REFUSE(EXT_RAM);
    NN_Instance_TypeDef net;
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == AI_RELOC_RT_ERR_PARAM_ADDR);
}

static void test_params(void) {
    START(image_split, COPY);
    REFUSE(PARAMS_ADDRESS); /* neither in the image nor given */
    config.ext_param_addr = PARAMS_START + 4;
    REFUSE(PARAMS_ADDRESS);
    config.ext_param_addr = 0xFFFFFFF8u;
    REFUSE(PARAMS_ADDRESS);
    config.ext_param_addr = (uintptr_t)image_params_start; /* not external memory */
    args.params_size = SIZE_OF(image_params);
    REFUSE(CACHEABLE);
    config.ext_param_addr = PARAMS_START;
    args.params_size = IMAGE_PARAMS_BYTES - 1;
    REFUSE(PARAMS_SIZE);
    args.params_size = IMAGE_PARAMS_BYTES;
    REFUSE(NO_TRAILER);
    args.params_size = SIZE_OF(image_params) - 1;
    REFUSE(TRAILER);
    args.params_size = UINT32_MAX; /* what a failed ftell gives */
    REFUSE(OBJECT);
    args.params_size = 0u - PARAMS_START + 1;
    REFUSE(OBJECT);
    args.params_size = 0;
    REFUSE(PARAMS_SIZE);
    args.params_size = SIZE_OF(image_params);
    *at(PARAMS_START + 5) ^= 1;
    arena_keep();
    REFUSE(CRC);
    *at(PARAMS_START + 5) ^= 1;
    START(image_one, COPY);
    config.ext_param_addr = PARAMS_START; /* those of a build without a trailer */
    *at(PARAMS_START + 5) ^= 1;
    arena_keep();
    args.params_size = IMAGE_PARAMS_BYTES;
    REFUSE(PARAMS_CRC);
}

/* ---- the image against the firmware ---- */

static void test_flags(void) {
    static const uint32_t parts[] = {0xC60, 0xC23, 0xC24, 0xC27, 0xD21, 0xD23, 0};
    START(image_two, COPY);
    uint32_t flags = image_word(RELOC_HDR_FLAGS);
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        REFUSE_WORD(RELOC_HDR_FLAGS, (flags & ~0xFFFu) | parts[i], CPU);
    REFUSE_WORD(RELOC_HDR_FLAGS, flags ^ RELOC_NPU_FLAG_EB_DBG_INFO, DBG_INFO);
    REFUSE_WORD(RELOC_HDR_FLAGS, flags ^ RELOC_NPU_FLAG_ASYNC, ASYNC);
    REFUSE_WORD(RELOC_HDR_FLAGS, flags | RELOC_NPU_FLAG_SECURE, SECURE);
    REFUSE_WORD(RELOC_HDR_FLAGS, flags ^ 1u << 24, VERSION);
    REFUSE_WORD(RELOC_HDR_FLAGS, flags ^ 10u << 28, VERSION);
    uint32_t cpacr = SCS_CPACR;
    SCS_CPACR = cpacr & ~0x00F00000u;
    REFUSE(FPU);
    SCS_CPACR = cpacr;
}

static uint32_t ctx_offset(void) {
    uint32_t vector = LL_ATON_STANDIN_ENCRYPTION_INFO ? 100u : 92u;
    return (image_word(vector) & RELOC_OFFSET_MASK) +
           (image_word(RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK);
}

/* 1.1.3 has two tables of call-backs. The firmware's own build is always right. */
static void test_builds(void) {
    static const uint32_t builds[] = {0, 5, 8, 9, 100, 101, 261, 262, 263};
    for (uint32_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
        NN_Instance_TypeDef net;
        START(image_two, COPY);
        bool right = LL_ATON_VERSION_MICRO != 3 || builds[i] == LL_ATON_VERSION_DEV ||
                     (LL_ATON_VERSION_DEV >= 262 ? builds[i] >= 262 : builds[i] <= 8);
        memcpy(at(IMAGE_START + ctx_offset() + RELOC_NPU_CTX_RT_VERSION_EXTRA), &builds[i], 4);
        arena_keep();
        if (right)
            CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
        else
            REFUSE(RUNTIME);
    }
}

static void test_runtime(void) {
    START(image_two, COPY);
    uint32_t ctx = ctx_offset();
    uint32_t version = image_word(ctx + RELOC_NPU_CTX_RT_VERSION);
    uint32_t sizes = image_word(ctx + RELOC_NPU_CTX_STRUCT_SIZES);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_RT_VERSION, version ^ 2u << 8, RUNTIME);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_RT_VERSION, version ^ 1u << 17, RUNTIME);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_RT_VERSION, version ^ 2u << 24, RUNTIME);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_STRUCT_SIZES, sizes + 1, STRUCT_SIZES);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_STRUCT_SIZES, sizes + 256, STRUCT_SIZES);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_PARAMS_BIN_CRC32, 0, PARAMS_CRC);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_C_NAME, 0, NAME);
    REFUSE_WORD(ctx + RELOC_NPU_CTX_ACTS_SIZE, 0xFFFFFFFDu, CONTEXT); /* rounds to 0 */
    REFUSE_WORD(ctx + RELOC_NPU_CTX_PARAMS_SIZE, 0xFFFFFFF9u, CONTEXT);
    REFUSE_WORD(0, 0, MAGIC);
    REFUSE_WORD(RELOC_HDR_GOT_END, RELOC_NPU_SEG_RAM, GOT);
    REFUSE_WORD(RELOC_NPU_HDR_POOLS, RELOC_NPU_SEG_FLASH, POOLS);
    REFUSE_WORD(RELOC_NPU_HDR_PARAMS_OFFSET, 104, PARAMS);
    uint32_t pools = (image_word(RELOC_NPU_HDR_POOLS) & RELOC_OFFSET_MASK) +
                     (image_word(RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK);
    REFUSE_WORD(pools + RELOC_NPU_POOL_FLAGS, 0x05010500, POOL);
    REFUSE_WORD(pools + RELOC_NPU_POOL_FOFF, 88, POOL_PARAMS);
    REFUSE_WORD(pools + 20 + RELOC_NPU_POOL_FLAGS, 0x01010100, POOL_ID);
    REFUSE_WORD(pools + 40 + RELOC_NPU_POOL_DST, COPY_RO + 16, OVERLAP); /* one another */
    REFUSE_WORD(pools + 40 + RELOC_NPU_POOL_DST, IMAGE_START + 16, OVERLAP);
    REFUSE_WORD(pools + 80 + RELOC_NPU_POOL_DST, EXT_START + 40, OVERLAP);
}

static void test_damage(void) {
    START(image_code, COPY);
    config.mode = XIP;
    REFUSE(NEEDS_COPY);
    START(image_one, COPY);
    *at(IMAGE_START + 200) ^= 4;
    arena_keep();
    REFUSE(CRC);
    START(image_one, COPY);
    args.file_size -= 4;
    REFUSE(TRAILER);
    args.file_size = 90;
    REFUSE(TRUNCATED);
    static const uint32_t sizes[] = {UINT32_MAX, 0u - IMAGE_START + 1, 0x90000001u};
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) { /* out of the address space */
        args.file_size = sizes[i];
        REFUSE(OBJECT);
    }
    args.file_size = SIZE_OF(image_one);
    static const ll_aton_reloc_region none = {0, 0};
    args.regions = &none;
    args.region_count = 1;
    REFUSE(POOL_REGION);
}

void test_refusals(void) {
    test_arguments();
    test_overlaps();
    test_ext_ram();
    test_params();
    test_flags();
    test_builds();
    test_runtime();
    test_damage();
}
#else
/* What the functions without a size say: the image is read up to its trailer, and so are params. */
static void refuse_plain(unsigned line) {
    NN_Instance_TypeDef net;
    events_reset();
    kit_check(ll_aton_reloc_install(IMAGE_START, &config, &net) == AI_RELOC_RT_ERR_INVALID_BIN,
              "the vendor's code", line);
    kit_check(arena_same() && events_were(NULL, 0), "nothing is written", line);
}

static void test_required(void) {
    NN_Instance_TypeDef net;
    ll_aton_reloc_info info;
    START(image_one, XIP);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == 0);
    CHECK(ll_aton_reloc_get_mem_pool_desc(IMAGE_START, 0) != NULL);
    START(image_one, XIP);
    *at(IMAGE_START + SIZE_OF(image_one) - 96 - 5) ^= 1; /* the params */
    arena_keep();
    refuse_plain(__LINE__);
    REFUSE(CRC);
    START(image_split, XIP);
    config.ext_param_addr = PARAMS_START;
    args.params_size = SIZE_OF(image_params);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == 0);
    for (uint32_t offset = 0; offset < SIZE_OF(image_params); offset += 11) {
        START(image_split, XIP);
        config.ext_param_addr = PARAMS_START;
        *at(PARAMS_START + offset) ^= 0x10;
        arena_keep();
        refuse_plain(__LINE__);
    }
    START(image_one, XIP);
    memset(at(IMAGE_START + SIZE_OF(image_one) - 96), 0xFF, 96);
    arena_keep();
    refuse_plain(__LINE__);
    REFUSE(NO_TRAILER);
    CHECK(ll_aton_reloc_get_info(IMAGE_START, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    CHECK(ll_aton_reloc_get_mem_pool_desc(IMAGE_START, 0) == NULL);
    args.file_size -= 96;
    REFUSE(NO_TRAILER);
    args.file_size -= 4;
    REFUSE(PARAMS_SIZE);
}

/* Lesser cores' images run. */
static void test_superset(void) {
    static const uint32_t parts[] = {RELOC_CPUID_M33, RELOC_CPUID_M7};
    for (uint32_t i = 0; i < 2; i++) {
        NN_Instance_TypeDef net;
        uint32_t trailer = SIZE_OF(image_one) - RELOC_TRL_BYTES;
        START(image_one, XIP);
        put_image_word(RELOC_HDR_FLAGS, (image_word(RELOC_HDR_FLAGS) & ~0xFFFu) | parts[i]);
        put_image_word(trailer + RELOC_TRL_CRC32, reloc_crc32(0, at(IMAGE_START), trailer));
        put_image_word(trailer + RELOC_TRL_SELF_CRC32,
                       reloc_crc32(0, at(IMAGE_START + trailer), RELOC_TRL_SELF_CRC32));
        arena_keep();
        if (i != 0)
            REFUSE(CPU);
        else
            CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    }
}

void test_refusals(void) {
    test_required();
    test_superset();
    test_arguments();
    test_overlaps();
}
#endif

/* ---- damaged images ---- */

#ifndef ROUNDS
#define ROUNDS 4000
#endif
static void damage(uint32_t bytes) {
    uint32_t code = image_word(RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK;
    for (uint32_t n = random_u32() % 3 + 1; n != 0; n--) {
        uint32_t offset = random_u32() % 3 == 0 ? random_u32() % 26 : random_u32() % (bytes / 4);
        if (random_u32() % 3 == 0 && code < bytes) /* data, GOT, REL, params */
            offset = code / 4 + random_u32() % ((bytes - code) / 4);
        uint32_t word = random_word(image_word(4 * offset), bytes);
        memcpy(at(IMAGE_START + 4 * offset), &word, 4);
    }
}

/* With a trailer no change at all gets through. */
static void test_sealed(unsigned rounds) {
    NN_Instance_TypeDef net;
    unsigned accepted = 0;
    START(image_one, XIP);
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t offset = random_u32() % (SIZE_OF(image_one) / 4) * 4;
        uint32_t word = random_word(image_word(offset), SIZE_OF(image_one));
        if (word == image_word(offset))
            continue;
        memcpy(at(IMAGE_START + offset), &word, 4);
        accepted += ll_aton_reloc_install_sized(&args, &net) == 0;
        memcpy(at(IMAGE_START + offset), image_one_start + offset, 4);
    }
    CHECK(accepted == 0 && arena_same());
}

/* What is installed writes the RAM, the external RAM and the allowed regions, and nothing else. */
static void test_installed(unsigned rounds) {
    NN_Instance_TypeDef net;
    unsigned installed = 0, bad = 0;
    for (unsigned i = 0; i < rounds; i++) {
        START(image_acts, COPY);
        args.file_size -= 96; /* without the trailer */
        args.regions = kit_regions;
        args.region_count = 3;
        config.mode = 1 + random_u32() % 2 + 4 * (random_u32() % 2);
        damage(args.file_size);
        arena_forget(IMAGE_START, args.file_size);
        bool plain = random_u32() % 2 != 0;
        int code = plain ? ll_aton_reloc_install(IMAGE_START, &config, &net)
                         : (int)ll_aton_reloc_install_sized(&args, &net);
        if (code == LL_ATON_RELOC_E_REL_WORD || (plain && code == AI_RELOC_RT_ERR_INVALID_BIN))
            arena_forget(config.exec_ram_addr, config.exec_ram_size); /* twice in REL */
        if (code == 0) {
            installed++;
            for (uint32_t k = 0; k < 3; k++)
                arena_forget(kit_regions[k].address, kit_regions[k].size);
            arena_forget(config.exec_ram_addr, config.exec_ram_size);
            arena_forget(config.ext_ram_addr, config.ext_ram_size);
        }
        bad += !arena_same();
    }
    CHECK(bad == 0 && installed < rounds);
    /* In ALT only what is damaged to what it was: its trailer is still there. */
    CHECK(ALT ? installed < rounds / 20 : installed > rounds / 20);
}

void test_mutations(void) {
    test_installed(ROUNDS);
    test_sealed(ROUNDS / 2);
}
