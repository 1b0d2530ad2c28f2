/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles an image: see profile.h. The emulator logs each block of instructions. Their sum has to
 * be what the firmware measures for the same call, to the instruction. Names come from the linked
 * file, which is made again; the image made from it has to be the one that is verified.
 */
#include "cli/verify/profile.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "cli/profile/again.h"
#include "cli/profile/execution.h"
#include "cli/profile/write.h"
#include "cli/verify/outputs.h"
#include "cli/verify/run.h"

/* Memory for the nodes' figures, at most. */
enum { NODES_BYTES = 1 << 20 };

struct profiling {
    struct rp_verification *verify;
    struct rp_profile *profile;
    struct rp_package image; /* made again */
    struct rp_scopes scopes;
    struct rp_call_tree calls;
    struct rp_execution log;
    struct rp_job job;
    struct rp_placement placement;
    uint32_t load; /* STEP_LOAD_XIP or STEP_LOAD_COPY */
};

/* ---- the linked file ---- */

static bool make_image(struct profiling *of, struct rp_error *err) {
    struct rp_verification *verify = of->verify;
    struct rp_source_options *options =
        rp_again_options(verify->arena, &verify->subject, &verify->options->source);
    options->build.workspace = rp_path_join(verify->arena, verify->model.build.dir, "image");
    options->build.keep = true; /* it is inside the other workspace, which is removed as a whole */
    return rp_again_make(&of->image, verify->arena, options, &verify->subject, err);
}

/* ---- what is where ---- */

/* Adds addresses to those that the emulator logs, as its option has them. */
static void add_piece(struct rp_buf *filter, uint32_t start, uint32_t end) {
    if (end > start)
        rp_buf_printf(filter, "%s0x%x+0x%x", filter->len != 0 ? "," : "", start, end - start);
}

/*
 * Functions of the firmware that are never part of a measured call, or are not counted in it (the
 * counter's interrupt), and would fill the log.
 */
static bool is_quiet(const struct rp_symbol *symbol) {
    static const char *const names[] = {"loop",
                                        "empty",
                                        "counter_overflow",
                                        "memory_fill",
                                        "memory_changed",
                                        "memory_high",
                                        "memory_fill_guards",
                                        "memory_guards_changed",
                                        "memory_sum",
                                        "memory_stack_low",
                                        "memory_paint_stack"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (symbol->type == STT_FUNC && strcmp(symbol->name, names[i]) == 0)
            return true;
    return false;
}

/* Adds a section of the firmware without its quiet functions. */
static void add_section(struct rp_buf *filter, const struct rp_elf *elf,
                        const struct rp_section *section) {
    uint32_t at = section->addr, end = section->addr + section->size;
    while (at < end) {
        const struct rp_symbol *next = NULL;
        for (size_t i = 0; i < elf->symbol_count; i++) {
            const struct rp_symbol *symbol = &elf->symbols[i];
            uint32_t start = symbol->value & ~UINT32_C(1);
            if (is_quiet(symbol) && start >= at && start < end && symbol->size != 0 &&
                (next == NULL || start < (next->value & ~UINT32_C(1))))
                next = symbol;
        }
        add_piece(filter, at, next != NULL ? next->value & ~UINT32_C(1) : end);
        at = next != NULL ? (next->value & ~UINT32_C(1)) + next->size : end;
    }
}

static bool add_firmware(struct profiling *of, struct rp_buf *filter, struct rp_error *err) {
    struct rp_elf elf;
    if (!rp_elf_open(&elf, of->verify->arena, of->verify->firmware.loader.path, err))
        return false;
    for (size_t i = 0; i < elf.section_count; i++) {
        const struct rp_section *section = &elf.sections[i];
        if ((section->flags & SHF_EXECINSTR) == 0 || section->contents == NULL)
            continue;
        uint8_t *bytes = rp_alloc(of->verify->arena, section->size, 1);
        memcpy(bytes, section->contents, section->size);
        const struct rp_code_part part = {.address = section->addr,
                                          .size = section->size,
                                          .linked = section->addr,
                                          .bytes = bytes};
        rp_scopes_add(&of->scopes, &elf, &part);
        add_section(filter, &elf, section);
    }
    const struct rp_symbol *gate = rp_elf_symbol(&elf, "call_with_canaries");
    if (gate != NULL) {
        of->log.gate = gate->value & ~UINT32_C(1);
        of->log.gate_size = gate->size;
    }
    rp_elf_close(&elf);
    return gate != NULL || rp_fail(err, RP_E_INTERNAL, "the firmware has no counter");
}

/* In place, the code is in the image; copied, it is first in the instance's RAM. */
static void add_image(struct profiling *of, struct rp_buf *filter) {
    const struct rp_subject *subject = &of->verify->subject;
    const struct rp_code_part part = {.address = of->load == STEP_LOAD_XIP
                                                     ? of->placement.image.address
                                                     : of->placement.ram[0].address,
                                      .size = subject->view.view.ro_bytes,
                                      .linked = RELOC_SEG_FLASH,
                                      .bytes = subject->file.data,
                                      .in_image = true};
    rp_scopes_add(&of->scopes, &of->image.linked.elf, &part);
    add_piece(filter, part.address, part.address + part.size);
}

/* ---- running ---- */

static bool take_log(void *context, const char *bytes, size_t size) {
    return rp_execution_take(context, bytes, size);
}

/*
 * The end of the largest free piece. Where the sizes of inputs and outputs are not known, they have
 * been given all of it.
 */
static struct rp_area place_nodes(struct rp_placement *place) {
    const struct rp_area all = {0, UINT32_MAX};
    struct rp_area free = rp_space_largest(&place->unused, all);
    uint32_t size = free.size / 4 < NODES_BYTES ? free.size / 4 & ~UINT32_C(7) : NODES_BYTES;
    uint32_t at = (free.address + (free.size - size)) & ~UINT32_C(7);
    if (at - place->io.address < place->io.size)
        place->io.size = at - HARNESS_GUARD_MAX - place->io.address;
    return (struct rp_area){at, size};
}

static bool check_log(const struct profiling *of, struct rp_error *err) {
    const struct rp_execution *log = &of->log;
    if (log->wrong != NULL)
        return rp_fail(err, RP_E_PROFILE, "the emulator's log is not understood: %s", log->wrong);
    switch (of->calls.limit) {
    case RP_CALLS_FINE:
        return true;
    case RP_CALLS_TOO_DEEP:
        return rp_fail(err, RP_E_PROFILE, "calls are nested too deeply to be profiled");
    case RP_CALLS_TOO_MANY:
        return rp_fail(err, RP_E_PROFILE, "there are too many chains of calls to be profiled");
    }
    return true;
}

static bool emulate(struct profiling *of, const char *filter, struct rp_error *err) {
    struct rp_verification *verify = of->verify;
    const struct rp_job_log log = {take_log, &of->log};
    of->job = (struct rp_job){.label = "profile",
                              .placement = &of->placement,
                              .plan = {.arena = verify->arena},
                              .log_items = "exec,nochain,op",
                              .log_filter = filter};
    struct rp_area nodes = place_nodes(&of->placement);
    rp_verify_plan_profile(&of->job.plan, verify->board, &of->placement, verify->options->seed,
                           nodes);
    if (!rp_verify_emulate_logged(verify, &of->job, &log, err))
        return false;
    (void)rp_execution_end(&of->log);
    return check_log(of, err) && rp_answer_check(&of->job.answer, "profiled image", err);
}

/* ---- what came out ---- */

static uint32_t weights_address(const struct profiling *of) {
    uint32_t inside = of->verify->subject.view.view.weights_start;
    return inside != 0 ? of->placement.image.address + inside : of->placement.weights.address;
}

static bool is_measured(uint32_t kind) {
    return kind != STEP_REPORT && kind != STEP_FILL && kind != STEP_SUM;
}

/* Every measured call has to have as many instructions in the log as the firmware counted. */
static bool check_sums(const struct profiling *of, struct rp_error *err) {
    const struct rp_answer *answer = &of->job.answer;
    size_t root = 0;
    for (size_t i = 0; i < answer->steps.count; i++) {
        const struct rp_step_result *step = &answer->steps.items[i];
        if (!is_measured(step->kind))
            continue;
        uint64_t logged = root < of->calls.roots.count ? of->calls.roots.items[root].count : 0;
        root++;
        if (logged != step->instructions)
            return rp_fail(err, RP_E_PROFILE,
                           "the emulator's log shows %llu instructions in step %u, the firmware "
                           "counted %llu: the log is not complete",
                           (unsigned long long)logged, step->index,
                           (unsigned long long)step->instructions);
    }
    return root == of->calls.roots.count ||
           rp_fail(err, RP_E_PROFILE, "the emulator's log shows %zu measured calls, not %zu",
                   of->calls.roots.count, root);
}

/* The index of the n-th measured call that is a run, and its step. */
static size_t run_at(const struct profiling *of, unsigned n, const struct rp_step_result **step) {
    const struct rp_answer *answer = &of->job.answer;
    size_t root = 0;
    for (size_t i = 0; i < answer->steps.count; i++) {
        *step = &answer->steps.items[i];
        if ((*step)->kind == STEP_RUN && n-- == 0)
            return root;
        root += is_measured((*step)->kind);
    }
    return SIZE_MAX;
}

static bool fill(struct profiling *of, struct rp_error *err) {
    struct rp_verification *verify = of->verify;
    struct rp_profile *profile = of->profile;
    const struct rp_step_result *run, *observed;
    size_t root = run_at(of, 0, &run);
    if (root == SIZE_MAX || run_at(of, 1, &observed) == SIZE_MAX)
        return rp_fail(err, RP_E_VERIFY, "the harness's answer has no run");
    *profile = (struct rp_profile){.arena = verify->arena,
                                   .unit = "instructions",
                                   .mode = of->load == STEP_LOAD_XIP ? "XIP" : "COPY",
                                   .run = run->instructions,
                                   .means = {.observed = observed->instructions},
                                   .stack = run->stack,
                                   .acts = run->acts_high,
                                   .weights = weights_address(of)};
    rp_profile_take_nodes(profile, &of->image.model, &of->job.answer);
    rp_calls_sum(&of->calls);
    rp_profile_take_calls(profile, &of->calls, root);
    return true;
}

bool rp_verify_profile(struct rp_verification *verify, struct rp_error *err) {
    struct profiling *of = rp_alloc(verify->arena, 1, sizeof *of);
    struct rp_buf filter = {.arena = verify->arena};
    of->verify = verify;
    of->profile = rp_alloc(verify->arena, 1, sizeof *of->profile);
    verify->verdict.profile = verify->options->profile ? of->profile : NULL;
    of->placement = verify->places.images[0];
    of->load = of->placement.needs_copy ? STEP_LOAD_COPY : STEP_LOAD_XIP;
    of->image.linked.elf.fd = -1;
    of->scopes.arena = of->calls.arena = verify->arena;
    of->calls.scopes = &of->scopes;
    of->log.calls = &of->calls;
    bool ok = make_image(of, err) && add_firmware(of, &filter, err);
    if (ok) {
        add_image(of, &filter);
        of->calls.entry = rp_again_entry(&of->image, &of->scopes);
    }
    ok = ok && emulate(of, filter.data, err) && check_sums(of, err) && fill(of, err);
    rp_package_close(&of->image);
    if (!ok || verify->options->profile_file == NULL)
        return ok;
    const struct rp_strings read = rp_verify_inputs(verify);
    return rp_profile_write(of->profile, verify->options->profile_file, &read, err);
}
