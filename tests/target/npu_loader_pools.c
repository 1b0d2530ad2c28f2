/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an image may put its pools: over nothing that the call, the loader or another pool uses,
 * whatever else is allowed; and only into the regions of the call, of the firmware's table, or
 * those there are by default. What is refused is refused with its code and leaves all memory as it
 * was. See npu_loader_test.c.
 */
#include "npu_loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

enum { XIP = AI_RELOC_RT_LOAD_MODE_XIP, COPY = AI_RELOC_RT_LOAD_MODE_COPY };
enum { ROW_EXT = 1, ROW_COPY = 2, ROW_COPY_RO = 3, ROW_RESET = 4 };
#if defined(NPU_LOADER_ALT)
enum { BUILD_ANY = 1, BUILD_TABLE = 0 };
#elif defined(NPU_LOADER_DEFAULT)
enum { BUILD_ANY = 0, BUILD_TABLE = 0 };
#else
enum { BUILD_ANY = 0, BUILD_TABLE = 1 };
#endif

extern uint8_t harness_handler_stack_end[]; /* firmware.ld: the first word of the vector table */

/* What belongs to the firmware, where tests compare it before and after. */
static struct {
    uint32_t before[8];
    ll_aton_reloc_config config;
    ll_aton_reloc_install_args args;
    NN_Instance_TypeDef net;
    ll_aton_reloc_region regions[4];
    struct ll_aton_reloc_callback callbacks;
    uint8_t variable[64];
    uint32_t after[8];
} own, kept;

/* An image whose pools may be anywhere, as far as the call's regions say. */
static void start(uint32_t mode) {
    memset(&own, 0xEE, sizeof own);
    memset(&own.callbacks, 0, sizeof own.callbacks);
    arena_reset(image_one_start, SIZE_OF(image_one));
    own.args = args_for(SIZE_OF(image_one), mode, &own.config);
    own.regions[0] = (ll_aton_reloc_region){0, UINT32_MAX};
    own.args.regions = own.regions;
    own.args.region_count = 1;
    own.args.callbacks = &own.callbacks;
}

/* The trailer is made anew, as somebody would who chooses what the image does. */
static void seal(void) {
    uint32_t trailer = SIZE_OF(image_one) - RELOC_TRL_BYTES;
    put_image_word(trailer + RELOC_TRL_CRC32, reloc_crc32(0, at(IMAGE_START), trailer));
    put_image_word(trailer + RELOC_TRL_SELF_CRC32,
                   reloc_crc32(0, at(IMAGE_START + trailer), RELOC_TRL_SELF_CRC32));
    arena_keep();
}

static uint32_t row_at(uint32_t row) {
    return (image_word(RELOC_NPU_HDR_POOLS) & RELOC_OFFSET_MASK) +
           (image_word(RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK) + RELOC_NPU_POOL_BYTES * row;
}

static void place(uint32_t row, uint32_t dst) {
    put_image_word(row_at(row) + RELOC_NPU_POOL_DST, dst);
    seal();
}

/*
 * The sized function gives the code, the vendor's what it is folded into; nothing is written. An
 * image with several such pools may be refused for the region of one before another overlaps.
 */
static void refused(int32_t code, bool plain, unsigned line) {
    kept = own;
    events_reset();
    if (plain) {
        int got = ll_aton_reloc_install(IMAGE_START, &own.config, &own.net);
        kit_check(got == ll_aton_reloc_error_of(code) ||
                      (code == LL_ATON_RELOC_E_OVERLAP && got == LL_ATON_RELOC_E_POOL_REGION),
                  "the vendor's code", line);
    } else
        kit_check(ll_aton_reloc_install_sized(&own.args, &own.net) == code, "the code", line);
    kit_check(arena_same() && events_were(NULL, 0), "nothing is written", line);
    kit_check(memcmp(&own, &kept, sizeof own) == 0, "the firmware's objects are as they were",
              line);
}
#define REFUSED(code)       refused(LL_ATON_RELOC_E_##code, false, __LINE__)
#define REFUSED_PLAIN(code) refused(LL_ATON_RELOC_E_##code, true, __LINE__)

static bool installs(void) {
    NN_Instance_TypeDef net;
    bool done = ll_aton_reloc_install_sized(&own.args, &net) == 0;
    arena_reset(image_one_start, SIZE_OF(image_one));
    return done;
}

static bool installs_plain(void) {
    NN_Instance_TypeDef net;
    bool done = ll_aton_reloc_install(IMAGE_START, &own.config, &net) == 0;
    arena_reset(image_one_start, SIZE_OF(image_one));
    return done;
}

/* Each of the image's pools, copied and cleared, to a range: its start, its end, just before. */
static void refused_over(uint32_t first, uint32_t size, unsigned line) {
    static const uint32_t modes[] = {XIP, COPY, COPY | AI_RELOC_RT_LOAD_MODE_CLEAR};
    for (uint32_t row = ROW_COPY; row <= ROW_RESET; row++) {
        uint32_t places[] = {first & ~7u, (first + size - 1) & ~7u, (first & ~7u) - 16};
        for (uint32_t i = 0; i < 3; i++) {
            start(modes[row - ROW_COPY]);
            place(row, places[i]);
            refused(LL_ATON_RELOC_E_OVERLAP, false, line);
            refused(LL_ATON_RELOC_E_OVERLAP, true, line);
        }
    }
}
#define REFUSED_OVER(...) refused_over(__VA_ARGS__, __LINE__)
#define OBJECT(member)    (uint32_t) & own.member, sizeof own.member

static void test_objects(void) {
    uint32_t local[4] = {1, 2, 3, 4};
    REFUSED_OVER(OBJECT(config));
    REFUSED_OVER(OBJECT(net));
    REFUSED_OVER((uint32_t)local, sizeof local);              /* the stack: this frame, */
    REFUSED_OVER((uint32_t)local - 600, 8);                   /* those of the loader, */
    REFUSED_OVER((uint32_t)harness_handler_stack_end - 8, 8); /* and up to its top */
    CHECK(local[0] == 1 && local[1] == 2 && local[2] == 3 && local[3] == 4);
    start(COPY);
    uint32_t need = own.config.exec_ram_size;
    REFUSED_OVER(IMAGE_START, SIZE_OF(image_one));
    start(COPY);
    place(ROW_COPY, RAM_START + need - 8);
    REFUSED(OVERLAP);
    place(ROW_COPY, EXT_START + 40);
    REFUSED(OVERLAP);
    place(ROW_COPY, COPY_RO + 16);
    REFUSED(OVERLAP);
    /* what only the sized function has */
    const uint32_t objects[][2] = {
        {OBJECT(args)}, {OBJECT(regions[0])}, {OBJECT(callbacks)}, {PARAMS_START, 8}};
    for (uint32_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        start(COPY);
        own.config.ext_param_addr = objects[i][0] == PARAMS_START ? PARAMS_START : 0;
        own.args.params_size = IMAGE_PARAMS_BYTES;
        for (uint32_t row = ROW_COPY; row <= ROW_RESET; row++) {
            start(COPY);
            own.config.ext_param_addr = objects[i][0] == PARAMS_START ? PARAMS_START : 0;
            own.args.params_size = IMAGE_PARAMS_BYTES;
            place(row, objects[i][0] & ~7u);
            REFUSED(OVERLAP);
            place(row, (objects[i][0] + objects[i][1] - 1) & ~7u);
            REFUSED(OVERLAP);
        }
    }
}

/* A pool there, of an image whose other pools are in their regions. Nothing is written. */
static void stack_is(uint32_t place_at, bool stack, unsigned line) {
    start(COPY);
    own.args.regions = kit_regions;
    own.args.region_count = 3;
    place(ROW_COPY, place_at & ~7u);
    refused(stack ? LL_ATON_RELOC_E_OVERLAP : LL_ATON_RELOC_E_POOL_REGION, false, line);
}
#define STACK(place_at)     stack_is(place_at, true, __LINE__)
#define NOT_STACK(place_at) stack_is(place_at, false, __LINE__)

/* Where the stack ends: main and process stack, with the core's limits and without. */
static void test_stack(void) {
    uint32_t top = (uint32_t)harness_handler_stack_end, sp, old, control;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    __asm__ volatile("mrs %0, msplim" : "=r"(old));
    STACK(sp - 1500);
    NOT_STACK(sp - 4096);
    STACK(top - 8);
    NOT_STACK(top);
    __asm__ volatile("msr msplim, %0" : : "r"(sp - 8192));
    STACK(sp - 8192);
    NOT_STACK(sp - 8192 - 64);
    STACK(top - 8);
    __asm__ volatile("msr msplim, %0" : : "r"(old));
    __asm__ volatile("mrs %0, control" : "=r"(control));
    __asm__ volatile("mov r0, sp\n\tmsr psp, r0\n\tmsr control, %0\n\tisb"
                     :
                     : "r"(control | 2)
                     : "r0", "memory");
    STACK(sp - 1500);
    NOT_STACK(sp - 4096);
    STACK(sp + 2048);
    NOT_STACK(sp + 8192);
    __asm__ volatile("msr psplim, %0" : : "r"(sp - 8192));
    STACK(sp - 8192);
    NOT_STACK(sp - 8192 - 64);
    __asm__ volatile("mov r0, #0\n\tmsr psplim, r0\n\tmsr control, %0\n\tisb"
                     :
                     : "r"(control)
                     : "r0", "memory");
}

/* Also what the caller gives may not lie over what the call uses. */
static void test_given(void) {
    const uint32_t objects[][2] = {
        {OBJECT(config)}, {OBJECT(args)}, {OBJECT(net)}, {OBJECT(regions[0])}};
    for (uint32_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        start(XIP);
        own.config.exec_ram_addr = objects[i][0] & ~7u;
        REFUSED(RAM_OVERLAP);
        start(XIP);
        own.config.ext_ram_addr = objects[i][0] & ~7u;
        REFUSED(OVERLAP);
    }
}

/* A variable of the firmware, and memory that nobody has given. */
static void test_variable(void) {
    uint32_t variable = ((uint32_t)own.variable + 7) & ~7u;
    start(COPY);
    own.args.regions = kit_regions;
    own.args.region_count = UINT32_MAX; /* it ends at its row of size 0 */
    CHECK(installs());
    for (uint32_t row = ROW_COPY; row <= ROW_RESET; row++) {
        start(COPY);
        own.args.regions = kit_regions;
        own.args.region_count = 3;
        place(row, variable);
        REFUSED(POOL_REGION);
        place(row, ARENA_START);
        REFUSED(POOL_REGION);
        own.args.regions = NULL;
        if (!BUILD_ANY) {
            REFUSED(POOL_REGION);
            REFUSED_PLAIN(POOL_REGION);
            place(row, variable);
            REFUSED(POOL_REGION);
            REFUSED_PLAIN(POOL_REGION);
        }
    }
    start(COPY);
    own.args.region_count = 0; /* no region at all */
    REFUSED(POOL_REGION);
}

/* A region that leads out of the address space is none: it does not begin again at 0. */
static void test_wrap(void) {
    start(COPY);
    own.regions[0] = (ll_aton_reloc_region){COPY_START, UINT32_MAX};
    REFUSED(POOL_REGION);
    own.regions[0] = (ll_aton_reloc_region){COPY_START, 0u - COPY_START + 1};
    REFUSED(POOL_REGION);
    own.regions[0] = (ll_aton_reloc_region){COPY_START, 0u - COPY_START};
    CHECK(installs());
    start(COPY);
    own.regions[0] = (ll_aton_reloc_region){0, COPY_START}; /* from the first address on */
    own.regions[1] = (ll_aton_reloc_region){COPY_START, 0x3000};
    own.args.region_count = 2;
    CHECK(installs());
    own.args.region_count = 1;
    REFUSED(POOL_REGION);
}

/* The last byte of a pool, rounded up to 8, is in the region. */
static void test_ends(void) {
    start(COPY);
    own.regions[0] = (ll_aton_reloc_region){COPY_START, 24};
    own.regions[1] = (ll_aton_reloc_region){COPY_RO, 24};
    own.regions[2] = (ll_aton_reloc_region){RESET_START, 104};
    own.args.region_count = 3;
    CHECK(installs());
    for (uint32_t i = 0; i < 3; i++) {
        own.regions[i].size--;
        REFUSED(POOL_REGION);
        own.regions[i].size++;
        own.regions[i].address += 8;
        REFUSED(POOL_REGION);
        own.regions[i].address -= 8;
    }
    own.regions[1].size = 0; /* the table ends there */
    unsigned before = log_lines;
    REFUSED(POOL_REGION);
    CHECK(!BUILD_ANY || log_lines == before + 3); /* the installation, and each missing row */
}

/* All pools at fixed addresses become activations, which an installation does not write. */
static void only_activations(uint32_t first, uint32_t second, uint32_t third) {
    const uint32_t rows[3][4] = {{0x03020200, 0, first, COPY_BYTES},
                                 {0x03020200, 0, second, COPY_RO_BYTES},
                                 {0x03020200, 0, third, RESET_BYTES}};
    start(COPY);
    own.args.regions = NULL;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 4; k++)
            put_image_word(row_at(ROW_COPY + i) + RELOC_NPU_POOL_FLAGS + 4 * k, rows[i][k]);
    seal();
}

/* Without a table: AXISRAM3 to 6 of the STM32N6, both aliases, and the caller's external RAM. */
#ifdef NPU_LOADER_DEFAULT
static void test_default(void) {
    static const uint32_t starts[] = {0x24200000, 0x34200000};
    const uint32_t bytes = 4 * 448 * 1024;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t end = starts[i] + bytes;
        only_activations(starts[i], starts[1 - i] + 64, end - 104);
        CHECK(installs() && (only_activations(starts[i], starts[i] + 24, end - 104), true));
        CHECK(installs_plain());
        only_activations(starts[i] - 8, starts[i] + 64, starts[i] + 128);
        REFUSED(POOL_REGION);
        REFUSED_PLAIN(POOL_REGION);
        only_activations(starts[i], starts[i] + 64, end - 96);
        REFUSED(POOL_REGION);
        REFUSED_PLAIN(POOL_REGION);
        only_activations(starts[i], starts[i] + 64, 0x34100000); /* AXISRAM2 is the CPU's */
        REFUSED(POOL_REGION);
        CHECK(ll_aton_reloc_install(IMAGE_START, &own.config, &own.net) == -58); /* not just -8 */
        own.regions[0] = (ll_aton_reloc_region){starts[i], 88};
        own.regions[1] = (ll_aton_reloc_region){0x34100000, 104};
        own.args.regions = own.regions;
        own.args.region_count = 2;
        CHECK(installs());
        only_activations(starts[i], starts[i] + 64, 0x34100000);
        only_activations(starts[i], starts[i] + 64, 0x90000000);
        REFUSED_PLAIN(POOL_REGION);
    }
    only_activations(EXT_START + 48, EXT_START + 128, EXT_START + 256);
    REFUSED(POOL_REGION); /* behind the external RAM that is given */
    own.config.ext_ram_size = 0x1000;
    CHECK(installs());
    only_activations(EXT_START + 40, EXT_START + 128, EXT_START + 256);
    own.config.ext_ram_size = 0x1000;
    REFUSED(OVERLAP); /* in what the relative pool has of it */
    only_activations(EXT_START + 48, EXT_START + 128, EXT_START + 256);
    own.config.ext_ram_size = UINT32_MAX; /* a size that leads out of the address space is none */
    REFUSED(POOL_REGION);
    REFUSED_PLAIN(POOL_REGION);
}
#else
static void test_default(void) {
    only_activations(COPY_START, COPY_RO, RESET_START);
    CHECK(installs());
    only_activations(COPY_START, COPY_RO, RESET_START);
    CHECK(installs_plain());
    only_activations(COPY_START, COPY_RO, EXT_START + 128);
    own.config.ext_ram_size = 0x1000;
    if (BUILD_TABLE) { /* the table says all */
        REFUSED(POOL_REGION);
        REFUSED_PLAIN(POOL_REGION);
        only_activations(COPY_START, COPY_RO, 0x34200000);
        REFUSED(POOL_REGION);
    }
    only_activations(COPY_START, COPY_RO, 0x90000000);
    CHECK(installs_plain() == (BUILD_ANY != 0));
}
#endif

/* 0 is an address like others: a pool there is cleared. The vector table is there, so it is saved.
 */
static void test_zero(void) {
    volatile uint32_t *volatile zero = NULL;
    uint32_t saved[RESET_BYTES / 4], left = 0;
    start(XIP | AI_RELOC_RT_LOAD_MODE_CLEAR);
    place(ROW_RESET, 0);
    for (uint32_t i = 0; i < RESET_BYTES / 4; i++) {
        saved[i] = zero[i];
        zero[i] = i != 0 ? ~i : saved[0]; /* which tells the end of the stack */
    }
    CHECK(installs());
    for (uint32_t i = 0; i < RESET_BYTES / 4; i++) {
        left |= zero[i];
        zero[i] = saved[i];
    }
    CHECK(left == 0);
}

void test_destinations(void) {
    test_objects();
    test_stack();
    test_given();
    test_variable();
    test_wrap();
    test_ends();
    test_zero();
    test_default();
}
