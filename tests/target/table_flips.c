/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each bit of some words of an image flipped in turn, and addresses in its tables replaced by all
 * others, the image loaded and initialised, on the emulated core. The MPU makes everything but this
 * firmware's own variables, the block that holds the instance's RAM and the block that holds the
 * activations read only, and what is no memory unreadable; in the two blocks, what is outside of
 * the RAM and of the activations is compared. The model is not run.
 *
 * flips_plan.h, made by the test, has:
 *   FLIPS_PLAIN       1: the loader is plain_loader.c, which checks nothing
 *   FLIPS_SIZE        bytes of the image without its trailer
 *   FLIPS_WEIGHTS     where the weights are: an offset in what was assembled in
 *   FLIPS_ACTS        bytes of activations
 *   FLIPS_RAM_XIP, FLIPS_RAM_COPY   bytes of RAM
 *   FLIPS_XIP         1: the image can be executed in place
 *   FLIPS_INIT        1: init runs no code of the model
 *   FLIPS_RANGES      {start, end, enum kind}, ... of words to flip, by file offset
 *   FLIPS_SWEEPS      {file offset, segment, first offset in it, last one, step}, ... of words to
 *                     replace; those that name code are offsets where none may be patched
 *   FLIPS_KEPT        offset of the first word of the data that an entry may name
 *   FLIPS_IMPORTS     rows of ai_rel_import, or nothing
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ai_reloc_network.h"
#include "loader_port.h"
#include "loader_trial.h"
#include "format/reloc_format.h"
#include "semihost.h"

enum kind { IN_TABLES, IN_LOADER_LISTS };
#include "flips_plan.h"

enum { MMFAR = 0xD34, MPU_CTRL = 0xD94, MPU_RNR = 0xD98, MPU_RBAR = 0xD9C, MPU_RASR = 0xDA0 };
enum { BLOCK = 0x8000, RAM_AT = 0x2004, ACTS_AT = 0x2000, PATTERN = 0xA7 };
enum { REPORTS = 8 }; /* failures, then it ends */

extern uint8_t flips_rw[], flips_ram[BLOCK], flips_acts[BLOCK], flips_rw_end[]; /* table_flips.ld */
extern uint8_t flips_ram_end[], flips_rom[], flips_rom_end[];
extern uint32_t image[]; /* assembled in by the test: the image, then what is apart from it */

static const struct range {
    uint32_t start, end;
    enum kind kind;
} ranges[] = {FLIPS_RANGES};

/* Words that become each address of a segment, up to an offset; the last has at 0. */
static const struct sweep {
    uint32_t at, segment, first, end, step;
} sweeps[] = {FLIPS_SWEEPS{0, 0, 0, 0, 0}};

/* ---- the MPU ---- */

/* Armv7-M: bytes is a power of two and start a multiple of it. */
static void region(uint32_t number, const void *start, const void *end, bool writable) {
    uint32_t base = (uint32_t)start;
    TRIAL_SCS(MPU_RNR) = number;
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
    uint32_t size_log2 = 31u - (uint32_t)__builtin_clz((uint32_t)end - base);
    TRIAL_SCS(MPU_RBAR) = base;
    TRIAL_SCS(MPU_RASR) = (writable ? 0x030B0000u : 0x060B0000u) | (size_log2 - 1u) << 1 | 1u;
#else
    TRIAL_SCS(0xDC0) = 0xFF; /* MAIR0: normal memory */
    TRIAL_SCS(MPU_RBAR) = base | (writable ? 1u : 3u) << 1;
    TRIAL_SCS(MPU_RASR) = ((uint32_t)end - 32u) | 1u; /* RLAR */
#endif
}

static void protect(bool on) {
    TRIAL_SCS(MPU_CTRL) = on ? 1 : 0; /* no default map */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

static void set_up_regions(void) {
    region(0, flips_rom, flips_rom_end, false);
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
    region(1, flips_rw, flips_ram_end, false); /* those with higher numbers count */
    region(2, flips_rw, flips_ram, true);
    region(3, flips_ram, flips_acts, true);
    region(4, flips_acts, flips_rw_end, true);
#else
    region(1, flips_rw, flips_rw_end, true);
    region(2, flips_rw_end, flips_ram_end, false);
#endif
}

/* ---- one trial ---- */

enum api { API_PLAIN, API_CUT, API_TRAILER };
static struct {
    uint32_t mode;
    enum api api;
    ai_error error;
    int32_t code; /* of the functions with a size */
    ai_handle hdl;
    ai_bool initialised;
} job;
static uint32_t ram_bytes[3]; /* by mode */

/* What the image imports: 0, as if it were a variable that nobody has set. */
static const uint32_t zeros[16] __attribute__((unused));
static const ai_rel_import imports[] = {FLIPS_IMPORTS{NULL, 0, NULL}};
enum { IMPORT_COUNT = sizeof imports / sizeof imports[0] - 1 };

static void load_and_init(void) {
    const ai_rel_network_load_args args = {.obj = image,
                                           .obj_size =
                                               FLIPS_SIZE + (job.api == API_TRAILER ? 96 : 0),
                                           .ram_addr = flips_ram + RAM_AT,
                                           .ram_size = ram_bytes[job.mode],
                                           .mode = job.mode,
                                           .imports = IMPORT_COUNT != 0 ? imports : NULL,
                                           .import_count = IMPORT_COUNT};
    const ai_handle weights[] = {(uint8_t *)image + FLIPS_WEIGHTS, NULL};
    const ai_handle acts[] = {flips_acts + ACTS_AT, NULL};
    protect(true);
    if (job.api == API_PLAIN)
        job.error = ai_rel_network_load_and_create(args.obj, args.ram_addr, args.ram_size,
                                                   args.mode, &job.hdl);
    else
        job.code = ai_rel_network_load_and_create_sized(&args, &job.hdl, &job.error);
    if (job.error.type == AI_ERROR_NONE && FLIPS_INIT)
        job.initialised = ai_rel_network_init(job.hdl, weights, acts);
    protect(false);
}

static bool is_pattern(const uint8_t *at, const uint8_t *end) {
    for (; at < end && ((uint32_t)at & 3u) != 0; at++)
        if (*at != PATTERN)
            return false;
    for (; at < end; at += 4)
        if (*(const uint32_t *)(const void *)at != PATTERN * 0x01010101u)
            return false;
    return true;
}

/* Whether a block has kept its pattern but for size bytes at an offset; these get it back. */
static bool intact(uint8_t *block, uint32_t at, uint32_t size) {
    bool kept = is_pattern(block, block + at) && is_pattern(block + at + size, block + BLOCK);
    memset(kept ? block + at : block, PATTERN, kept ? size : BLOCK);
    return kept;
}

/* Returns whether the functions came back. */
static bool attempt(uint32_t mode, enum api api) {
    job.mode = mode;
    job.api = api;
    job.hdl = &job;
    job.code = 0;
    job.initialised = ai_false;
    job.error = (ai_error){AI_ERROR_NONE, AI_ERROR_CODE_NONE};
    bool returned = trial(load_and_init, true);
    protect(false);
    return returned;
}

/* ---- what has to be so ---- */

static uint32_t trials, refused, not_created, not_initialised, initialised, failures;

static void tell(void) {
    semihost_print_hex("trials ", trials);
    semihost_print_hex("refused ", refused);
    semihost_print_hex("not_created ", not_created);
    semihost_print_hex("not_initialised ", not_initialised);
    semihost_print_hex("initialised ", initialised);
    semihost_print_hex("failures ", failures);
}

static void fail(const char *what, uint32_t at, uint32_t bit) {
    failures++;
    semihost_print(what);
    semihost_print_hex(" at ", at);
    semihost_print_hex("  bit, or 32 + offset ", bit);
    semihost_print_hex("  mode ", job.mode);
    semihost_print_hex("  api ", job.api);
    semihost_print_hex("  error ", job.error.type | (uint32_t)job.error.code << 8);
    semihost_print_hex("  exception ", trial_fault.exception);
    semihost_print_hex("  cfsr ", trial_fault.cfsr);
    semihost_print_hex("  data address ", TRIAL_SCS(MMFAR));
    semihost_print_hex("  pc ", trial_fault.pc);
    if (failures == REPORTS) {
        tell();
        semihost_exit(1);
    }
}

static void count_result(void) {
    trials++;
    if (job.error.type == AI_ERROR_CREATE_FAILED)
        not_created++;
    else if (job.error.type != AI_ERROR_NONE)
        refused++;
    else if (job.initialised)
        initialised++;
    else
        not_initialised++;
}

/* With the loader that checks: before anything is written, whatever the tables say. */
static bool refused_rightly(void) {
    return job.error.type == AI_ERROR_INVALID_HANDLE &&
           job.error.code == AI_ERROR_CODE_INVALID_PTR &&
           job.code == (job.api == API_PLAIN ? 0 : AI_RELOC_E_TABLES) && job.hdl == NULL;
}

static void judge(bool returned, const struct range *range, uint32_t at, uint32_t bit) {
    bool untouched = !FLIPS_PLAIN && (range->kind != IN_LOADER_LISTS || job.api == API_TRAILER);
    if (!returned)
        fail("fault", at, bit);
    else if (!FLIPS_PLAIN && range->kind != IN_LOADER_LISTS && !refused_rightly())
        fail("not refused", at, bit);
    else if (job.api == API_TRAILER && job.code == 0)
        fail("not refused with a trailer", at, bit);
    count_result();
    if (!intact(flips_ram, RAM_AT, untouched ? 0 : ram_bytes[job.mode]))
        fail("RAM written", at, bit);
    if (!intact(flips_acts, ACTS_AT, untouched ? 0 : FLIPS_ACTS))
        fail("activations written", at, bit);
}

/* Loads with another word at a file offset. number: a bit of it, or which of the sweep's. */
static void change(const struct range *range, uint32_t at, uint32_t number, uint32_t word) {
    uint32_t old = image[at / 4];
    image[at / 4] = word;
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++)
        for (enum api api = API_PLAIN; api <= API_TRAILER; api++)
            if (FLIPS_PLAIN ? api == (IMPORT_COUNT != 0 ? API_CUT : API_PLAIN)
                            : api != API_TRAILER || number % 2 == mode % 2) /* one of the modes */
                judge(attempt(mode, api), range, at, number);
    image[at / 4] = old;
}

/* What is not damaged is loaded and initialised, in each way: the firmware itself is right. */
static void check_undamaged(void) {
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++)
        for (enum api api = API_PLAIN; api <= API_TRAILER; api++) {
            if (IMPORT_COUNT != 0 && api == API_PLAIN)
                continue;
            bool works = mode == AI_RELOC_RT_LOAD_MODE_COPY || FLIPS_XIP;
            bool returned = attempt(mode, api);
            if (!returned || (job.error.type == AI_ERROR_NONE) != works ||
                job.initialised != (works && FLIPS_INIT))
                fail("undamaged: not right", 0, 0);
            if (!intact(flips_ram, RAM_AT, ram_bytes[mode]) ||
                !intact(flips_acts, ACTS_AT, FLIPS_ACTS))
                fail("undamaged: written outside", 0, 0);
        }
}

#if FLIPS_PLAIN
ai_error plain_create_again(ai_handle hdl); /* plain_loader.c */

static void create_again(void) {
    protect(true);
    job.error = plain_create_again(job.hdl);
    protect(false);
}

/*
 * Tables may name words of the GOT. So the boot code uses none: a second create comes back whatever
 * is there.
 */
static void check_spoiled_got(void) {
    enum { RAM_ADDR = 2 }; /* of the context */
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++) {
        (void)attempt(mode, IMPORT_COUNT != 0 ? API_CUT : API_PLAIN);
        if (job.error.type == AI_ERROR_NONE) {
            uint8_t *ram = (uint8_t *)((uint32_t *)job.hdl)[RAM_ADDR];
            for (uint32_t at = image[RELOC_HDR_GOT_START / 4]; at < image[RELOC_HDR_GOT_END / 4];
                 at += 4)
                *(uint32_t *)(void *)(ram + (at - RELOC_SEG_RAM)) = 0xFFFFFFF0u;
            if (!trial(create_again, true))
                fail("GOT spoiled: fault in create", 0, 0);
            protect(false);
        }
        if (!intact(flips_ram, RAM_AT, ram_bytes[mode]) || !intact(flips_acts, ACTS_AT, FLIPS_ACTS))
            fail("GOT spoiled: written outside", 0, 0);
    }
}

/* A header that leaves no word to name: the words that an entry names lie far outside. */
static void check_short_data(const struct sweep *sweep) {
    static const uint8_t ends[] = {RELOC_HDR_DATA_END / 4, RELOC_HDR_GOT_START / 4,
                                   RELOC_HDR_GOT_END / 4};
    uint32_t old[sizeof ends];
    for (uint32_t bytes = FLIPS_KEPT - 4; bytes <= FLIPS_KEPT; bytes += 4) {
        for (uint32_t i = 0; i < sizeof ends; i++) {
            old[i] = image[ends[i]];
            image[ends[i]] = RELOC_SEG_RAM + bytes;
        }
        change(&ranges[0], sweep->at, 32 + 0x0F000000, RELOC_SEG_RAM + 0x0F000000);
        for (uint32_t i = 0; i < sizeof ends; i++)
            image[ends[i]] = old[i];
    }
}
#endif

static void run_sweep(const struct sweep *sweep) {
    for (uint32_t offset = sweep->first; offset <= sweep->end; offset += sweep->step) {
        uint32_t before = initialised;
        if (sweep->segment + offset != image[sweep->at / 4])
            change(&ranges[0], sweep->at, 32 + offset, sweep->segment + offset);
        if (sweep->segment != RELOC_SEG_RAM && initialised != before)
            fail("patched where no code is", sweep->at, 32 + offset);
    }
}

int main(void) {
    ram_bytes[AI_RELOC_RT_LOAD_MODE_XIP] = FLIPS_RAM_XIP;
    ram_bytes[AI_RELOC_RT_LOAD_MODE_COPY] = FLIPS_RAM_COPY;
    if (RAM_AT + FLIPS_RAM_COPY + 0x1000 > BLOCK || ACTS_AT + FLIPS_ACTS + 0x1000 > BLOCK)
        return 2;
    memset(flips_ram, PATTERN, BLOCK);
    memset(flips_acts, PATTERN, BLOCK);
    trial_start();
    set_up_regions();
    check_undamaged();
    for (const struct range *range = ranges; range < ranges + sizeof ranges / sizeof ranges[0];
         range++)
        for (uint32_t at = range->start; at < range->end; at += 4)
            for (uint32_t bit = 0; bit < 32; bit++)
                change(range, at, bit, image[at / 4] ^ UINT32_C(1) << bit);
    for (const struct sweep *sweep = sweeps; sweep->at != 0; sweep++)
        run_sweep(sweep);
#if FLIPS_PLAIN
    check_spoiled_got();
    for (const struct sweep *sweep = sweeps; sweep->at != 0; sweep++)
        if (sweep->segment == RELOC_SEG_RAM)
            check_short_data(sweep);
#endif
    tell();
    return failures != 0;
}
