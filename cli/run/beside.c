/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware on the board: see beside.h. */
#include "cli/run/beside.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "cli/harness/plan.h"
#include "cli/run/fault.h"
#include "toolchain/compile/board_file.h"
#include "toolchain/probe/memory.h"

enum { POLL_S = 10, PLAN_LEAST = 1024, BLOCK_LEAST = 64, AREA_ALIGN = 32 };

/* ---- before anything is started ---- */

static bool check_options(const struct rp_run *run, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    const struct {
        bool is_given;
        const char *option, *why;
    } refused[] = {
        {options->stack_bytes != 0, "--stack", "models run on the firmware's stack"},
        {options->host_sources.count != 0, "--host-source",
         "the firmware itself has to offer what images import"},
        {options->placed.flash != NULL, "--flash-at",
         "the firmware may be using the flash; --address with --mode no-flash takes what is there"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].is_given)
            return rp_fail(err, RP_E_USAGE, "%s is not for --firmware and --mailbox: %s",
                           refused[i].option, refused[i].why);
    return options->service.firmware != NULL || options->way.gdb != NULL ||
           options->way.server == NULL || strcmp(options->way.server, "qemu") != 0 ||
           rp_fail(err, RP_E_USAGE,
                   "--server qemu starts the firmware, so it wants --firmware, not only --mailbox");
}

static bool find_mailbox(struct rp_run *run, struct rp_error *err) {
    const char *text = run->options->service.mailbox;
    if (run->options->service.firmware != NULL) {
        const char *path = rp_path_absolute(run->arena, run->options->service.firmware, err);
        if (path == NULL || !rp_firmware_look(&run->firmware, run->arena, path, err))
            return false;
    }
    if (text != NULL) {
        char *end;
        errno = 0;
        unsigned long long value = strtoull(text, &end, 0);
        if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || value > UINT32_MAX ||
            value == 0 || value % 4 != 0)
            return rp_fail(err, RP_E_USAGE, "--mailbox '%s' is not an address such as 0x20000400",
                           text);
        run->firmware.mailbox = (uint32_t)value;
    }
    if (run->firmware.mailbox != 0)
        return true;
    rp_fail(err, RP_E_INPUT, "'%s' has no symbol relocpack_mailbox",
            run->options->service.firmware);
    return rp_hint(err, "the firmware needs relocpack_service.c, which `relocpack generate "
                        "--service` writes; for a file without symbols: --mailbox ADDRESS");
}

bool rp_beside_open(struct rp_run *run, struct rp_error *err) {
    run->options->way.no_reset = true;
    run->build.options = rp_alloc(run->arena, 1, sizeof *run->build.options);
    if (!check_options(run, err) || !find_mailbox(run, err) ||
        !rp_workspace_open(&run->build.workspace, run->arena, NULL, err))
        return false;
    run->build.dir = run->build.workspace.dir;
    return true;
}

/* ---- what the mailbox says ---- */

static bool check_images(const struct rp_run *run, struct rp_error *err) {
    const uint32_t kind = rp_mailbox_word(&run->mailbox, MAILBOX_IMAGES);
    const struct rp_format *wanted = rp_format_at(0);
    for (size_t i = 1; wanted != NULL && wanted->run->mailbox != kind; i++)
        wanted = rp_format_at(i);
    if (wanted == NULL)
        return rp_fail(err, RP_E_BOARD, "the firmware installs images of an unknown kind (%u)",
                       kind);
    for (size_t i = 0; i < run->images.count; i++) {
        const struct rp_subject *subject = &run->images.items[i].subject;
        if (subject->format != wanted)
            return rp_fail(err, RP_E_BOARD, "'%s' is a %s image, the firmware installs %s images",
                           subject->path, subject->format->image->title, wanted->image->title);
    }
    return true;
}

/* Memory that is spoken for: nothing else may overlap it. */
struct taken {
    struct {
        struct rp_area area;
        const char *what;
    } items[32];
    size_t count;
};

static bool overlap(struct rp_area a, struct rp_area b) {
    return a.address < b.address ? b.address - a.address < a.size : a.address - b.address < b.size;
}

/* Stops: memory of no or of impossible size, and memory that is in use for something else. */
static bool take(struct taken *taken, struct rp_area area, const char *what, uint32_t least,
                 struct rp_error *err) {
    if (area.size < least || area.size - 1 > UINT32_MAX - area.address ||
        area.address % AREA_ALIGN != 0 || area.size % AREA_ALIGN != 0)
        return rp_fail(err, RP_E_BOARD,
                       "the firmware's mailbox is wrong: %s has %u bytes at 0x%08x; at least %u, "
                       "and multiples of %d, are possible",
                       what, area.size, area.address, least, AREA_ALIGN);
    for (size_t i = 0; i < taken->count; i++)
        if (overlap(taken->items[i].area, area))
            return rp_fail(err, RP_E_BOARD,
                           "the firmware's mailbox is wrong: %s, %u bytes at 0x%08x, overlaps %s",
                           what, area.size, area.address, taken->items[i].what);
    taken->items[taken->count].area = area;
    taken->items[taken->count++].what = what;
    return true;
}

static struct rp_area area_at(const struct rp_run *run, uint32_t at) {
    return (struct rp_area){rp_mailbox_word(&run->mailbox, at),
                            rp_mailbox_word(&run->mailbox, at + 4)};
}

/* An area as a memory of the board: its name and whether it is external are the board's. */
static struct rp_board_memory memory_of(const struct rp_run *run, uint32_t number) {
    const uint32_t at = MAILBOX_AREAS + number * MAILBOX_AREA_BYTES;
    const uint32_t flags = rp_mailbox_word(&run->mailbox, at + MAILBOX_AREA_FLAGS);
    const struct rp_area area = area_at(run, at);
    const struct rp_board_memory *of = rp_board_holding(&run->board, area);
    return (struct rp_board_memory){
        .name = of != NULL ? of->name : rp_format(run->arena, "area %u", number + 1),
        .area = area,
        .no_execute = (flags & MAILBOX_AREA_EXECUTE) == 0,
        .is_external = of != NULL && of->is_external,
        .is_npus = (flags & MAILBOX_AREA_NPU) != 0,
    };
}

/* Is there memory? A firmware that reads where none is has a fault, which is harder to see. */
static bool try_area(const struct rp_run *run, struct rp_area area, uint32_t number,
                     struct rp_error *err) {
    static const uint8_t words[2][4] = {{0x5A, 0xA5, 0xC3, 0x3C}, {0xA5, 0x5A, 0x3C, 0xC3}};
    const uint32_t last = area.address + (area.size - 4);
    struct rp_error why = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < 2; i++)
        ok = rp_gdb_write(run->gdb, area.address, words[i], 4, &why) &&
             rp_gdb_write(run->gdb, last, words[i], 4, &why) &&
             rp_gdb_verify(run->gdb, area.address, words[i], 4, &why) &&
             rp_gdb_verify(run->gdb, last, words[i], 4, &why);
    return ok || rp_fail(err, why.id,
                         "area %u of the firmware's mailbox, %u bytes at 0x%08x, cannot be used: "
                         "%s",
                         number, area.size, area.address, why.message);
}

/*
 * The board's RAM is from now on what the mailbox names. The NPU reads all parts of a Neural-ART
 * image: code has its configuration in it.
 */
static bool take_areas(struct rp_run *run, struct rp_error *err) {
    const bool npus = run->images.items[0].subject.format->run->only_npus;
    const uint32_t count = rp_mailbox_word(&run->mailbox, MAILBOX_AREA_COUNT);
    struct taken taken = {.items = {{{0x40000000, 0x20000000}, "the devices"},
                                    {{0xE0000000, 0x20000000}, "the core's own addresses"},
                                    {{run->mailbox.address, MAILBOX_BYTES}, "the mailbox"}},
                          .count = 3};
    struct rp_board_memory *memories =
        rp_alloc(run->arena, run->board.memory_count + MAILBOX_AREAS_MAX, sizeof *memories);
    size_t usable = 0, all = 0;
    if (count == 0 || count > MAILBOX_AREAS_MAX)
        return rp_fail(err, RP_E_BOARD,
                       "the firmware's mailbox is wrong: it names %u areas of memory", count);
    if (!take(&taken, area_at(run, MAILBOX_PLAN), "the place for plans", PLAN_LEAST, err) ||
        !take(&taken, area_at(run, MAILBOX_BUFFER), "the block of results", BLOCK_LEAST, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_board_memory memory = memory_of(run, i);
        if (!take(&taken, memory.area, rp_format(run->arena, "area %u", i + 1), AREA_ALIGN, err) ||
            !try_area(run, memory.area, i + 1, err))
            return false;
        memories[all] = memory;
        all += !npus || memory.is_npus;
    }
    usable = all;
    for (size_t i = 0; i < run->board.memory_count; i++)
        if (run->board.memories[i].is_flash) {
            memories[all] = run->board.memories[i];
            memories[all++].needs_firmware = false;
        }
    run->board.memories = memories;
    run->board.memory_count = all;
    rp_space_of_ram(&run->space, &run->board, true, RP_RUN_GUARD);
    return usable != 0 ||
           rp_fail(err, RP_E_BOARD, "no area of the firmware's memory is marked as the NPU's");
}

/* ---- begin ---- */

/*
 * A plan that ends what an earlier host has left installed; most of its steps are skipped. It shows
 * that the firmware polls.
 */
static bool end_instances(struct rp_run *run, struct rp_error *err) {
    const unsigned timeout_s = run->mailbox.timeout_s;
    const struct rp_plan_head head = {.counter = COUNTER_NONE, .clock_hz = 1};
    struct rp_buf plan = {.arena = run->arena}, results = {.arena = run->arena};
    rp_plan_begin(&plan, &head);
    for (uint32_t i = 0; i < HARNESS_INSTANCES; i++)
        (void)rp_plan_step(&plan, STEP_DESTROY, i);
    run->mailbox.timeout_s = timeout_s < POLL_S ? timeout_s : POLL_S;
    bool ok = rp_mailbox_carry_out(&run->mailbox, &plan, &results, err);
    run->mailbox.timeout_s = timeout_s;
    return ok;
}

bool rp_beside_begin(struct rp_run *run, struct rp_error *err) {
    run->mailbox = (struct rp_mailbox){.gdb = run->gdb,
                                       .arena = run->arena,
                                       .address = run->firmware.mailbox,
                                       .timeout_s = run->options->timeout_s};
    run->board.counts_instructions = false;
    if (!rp_mailbox_join(&run->mailbox, err))
        return run->mailbox.stopped_at != 0 &&
               rp_hint(err, "the firmware has to call relocpack_service_init; is it the one that "
                            "--firmware or --mailbox is about?");
    const uint32_t clock_hz = rp_mailbox_word(&run->mailbox, MAILBOX_CLOCK_HZ);
    if (run->options->clock_hz == 0 && clock_hz != 0)
        run->board.clock_hz = clock_hz;
    if (!check_images(run, err) || !take_areas(run, err))
        return false;
    if (end_instances(run, err))
        return true;
    return run->mailbox.stopped_at != 0 &&
           rp_hint(err,
                   "that is %s; the firmware has to call relocpack_service_poll again and again",
                   rp_run_where(run, NULL, run->mailbox.stopped_at));
}
