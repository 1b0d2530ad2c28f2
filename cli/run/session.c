/* SPDX-License-Identifier: Apache-2.0 */
/* An image on the board: see session.h. */
#include "cli/run/session.h"

#include <string.h>

#include "cli/harness/plan.h"
#include "cli/run/fault.h"
#include "cli/tensors/file.h"
#include "cli/terminal.h"
#include "elfpack/image/integrity.h"
#include "toolchain/probe/memory.h"

enum {
    FIGURES_MAX = 256 << 10,
    BLOCK = 16 << 10,
    SHOWN = 256 << 10 /* bytes that take a while */,
    TRIES = 3,
    PATTERN = 1 /* of rp_verify_pattern */
};

/* ---- plans ---- */

static void begin(const struct rp_run *run, const struct rp_run_image *image, struct rp_buf *plan) {
    const struct rp_plan_head head = {
        .counter = run->board.counts_instructions ? COUNTER_INSTRUCTIONS : COUNTER_CYCLES,
        .clock_hz = run->board.clock_hz,
        .pattern = rp_verify_pattern(PATTERN),
        /* around an address of the user there may be other memory, or none */
        .guard_bytes = image->is_fixed ? 0 : RP_RUN_GUARD,
        .io = image->at.io,
    };
    *plan = (struct rp_buf){.arena = run->arena};
    rp_plan_begin(plan, &head);
}

static void put_area(char *step, enum harness_step_field at, struct rp_area area) {
    rp_put_le32(step + at, area.size != 0 ? area.address : 0);
    rp_put_le32(step + at + 4, area.size);
}

/* Carries a plan out; every step has to succeed. */
static bool carry_out(struct rp_run *run, const struct rp_run_image *image,
                      const struct rp_buf *plan, struct rp_answer *answer, struct rp_error *err) {
    struct rp_buf results = {.arena = run->arena};
    if (!rp_mailbox_carry_out(&run->mailbox, plan, &results, err))
        return run->mailbox.stopped_at != 0 && rp_run_hint_late(run, image, err);
    const struct rp_bytes bytes = {(const uint8_t *)results.data, results.len};
    if (!rp_answer_read(answer, run->arena, &bytes, err))
        return false;
    if (answer->faulted)
        return rp_run_fail_fault(run, image, answer, err);
    bool overflowed = false;
    for (size_t i = 0; i < answer->steps.count; i++)
        overflowed = overflowed || answer->steps.items[i].status == STATUS_STACK;
    return rp_answer_check(answer, image->subject.path, err) ||
           (overflowed && !run->is_beside &&
            rp_hint(err, "--stack SIZE gives it more than %u bytes", run->options->stack_bytes));
}

/* The result of the step of that kind. */
static bool take_result(const struct rp_answer *answer, uint32_t kind, struct rp_step_result *out,
                        struct rp_error *err) {
    for (size_t i = 0; i < answer->steps.count; i++)
        if (answer->steps.items[i].kind == kind) {
            *out = answer->steps.items[i];
            return true;
        }
    return rp_fail(err, RP_E_BOARD, "the firmware's answer lacks a step");
}

/* ---- sending ---- */

struct transfer {
    const struct rp_run_image *image; /* that it belongs to */
    const char *what;
    uint32_t address;
    const uint8_t *bytes;
    uint32_t size;
    bool flash, is_there;
};

/*
 * Asks for the CRC-32 of each block from the first one on, as many as a plan holds; *wrong is the
 * first block that is not as it was sent, or the first one that was not asked for.
 */
static bool confirm(struct rp_run *run, const struct transfer *transfer, uint32_t *block,
                    bool *good, struct rp_error *err) {
    const uint32_t blocks = (transfer->size + BLOCK - 1) / BLOCK, first = *block;
    const uint32_t most = (rp_mailbox_plan_room(&run->mailbox) - PLAN_STEPS) / STEP_BYTES;
    struct rp_buf plan;
    struct rp_answer answer = {0};
    begin(run, transfer->image, &plan);
    for (uint32_t i = first; i < blocks && i - first < most; i++) {
        const uint32_t at = i * BLOCK, left = transfer->size - at;
        put_area(rp_plan_step(&plan, STEP_SUM, 0), STEP_RAM,
                 (struct rp_area){transfer->address + at, left < BLOCK ? left : BLOCK});
    }
    if (!carry_out(run, transfer->image, &plan, &answer, err))
        return false;
    *good = true;
    for (size_t i = 0; *good && i < answer.steps.count; i++) {
        const uint32_t at = *block * BLOCK, left = transfer->size - at;
        *good = answer.steps.items[i].value ==
                rp_crc32_bytes(transfer->bytes + at, left < BLOCK ? left : BLOCK);
        *block += *good;
    }
    return true;
}

/* Called while bytes are on their way. */
static void show_progress(void *context, uint32_t address, size_t done, size_t size) {
    const struct rp_run *run = context;
    (void)address;
    if (size >= SHOWN)
        rp_progress(run->options->source.console.quiet,
                    rp_format(run->arena, "sending %zu of %zu KB", done >> 10, size >> 10));
}

static bool send_from(struct rp_run *run, const struct transfer *transfer, uint32_t block,
                      uint32_t size, struct rp_error *err) {
    const uint32_t at = block * BLOCK;
    if (transfer->is_there)
        return true;
    return transfer->flash
               ? rp_gdb_flash(run->gdb, transfer->address + at, transfer->bytes + at, size, err)
               : rp_gdb_write(run->gdb, transfer->address + at, transfer->bytes + at, size, err);
}

/* Sends all, then each block again that is not as it was sent. */
static bool send(struct rp_run *run, const struct transfer *transfer, struct rp_error *err) {
    const uint32_t blocks = (transfer->size + BLOCK - 1) / BLOCK;
    const struct rp_gdb_progress progress = {show_progress, run};
    uint32_t block = 0;
    rp_gdb_on_progress(run->gdb, &progress);
    if (!send_from(run, transfer, 0, transfer->size, err))
        return false;
    for (unsigned tries = 0; block < blocks;) {
        bool good = true;
        if (!confirm(run, transfer, &block, &good, err))
            return false;
        if (good)
            continue;
        const uint32_t at = block * BLOCK, left = transfer->size - at;
        if (transfer->is_there)
            return rp_fail(err, RP_E_BOARD,
                           "%s of '%s' is not in flash at 0x%08x: byte %u and those behind it "
                           "differ. Leave out no-flash to program it",
                           transfer->what, transfer->image->subject.path, transfer->address, at);
        if (tries++ == TRIES)
            return rp_fail(err, RP_E_BOARD,
                           "the memory at 0x%08x does not keep %s of '%s': its CRC-32 is wrong "
                           "after %d tries",
                           transfer->address + at, transfer->what, transfer->image->subject.path,
                           TRIES);
        if (!send_from(run, transfer, block, left < BLOCK ? left : BLOCK, err))
            return false;
    }
    return true;
}

bool rp_session_deploy(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_mapped weights = {0};
    struct transfer transfer = {.image = image,
                                .what = "the image",
                                .address = image->at.image.address,
                                .bytes = image->subject.file.data,
                                .size = image->subject.file.size,
                                .flash = image->is_in_flash,
                                .is_there = image->is_in_flash && run->mode.is_there};
    if (!send(run, &transfer, err))
        return false;
    if (image->at.weights.size == 0)
        return true;
    if (!rp_map_file(&weights, image->subject.weights_path, err))
        return false;
    transfer.what = "the weights file";
    transfer.address = image->at.weights.address;
    transfer.bytes = weights.data;
    transfer.size = image->at.weights.size;
    transfer.flash = image->are_weights_in_flash;
    transfer.is_there = transfer.flash && run->mode.is_there;
    bool ok = (weights.size >= transfer.size ||
               rp_fail(err, RP_E_CHANGED, "'%s' has become shorter", weights.path)) &&
              send(run, &transfer, err);
    rp_unmap_file(&weights);
    return ok;
}

/* ---- the model ---- */

bool rp_session_install(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_buf plan;
    struct rp_answer answer = {0};
    begin(run, image, &plan);
    char *check = rp_plan_step(&plan, STEP_CHECK, image->instance);
    put_area(check, STEP_IMAGE, image->at.image);
    put_area(check, STEP_WEIGHTS, image->at.weights);
    const uint32_t kind = image->is_copied ? STEP_LOAD_COPY : STEP_LOAD_XIP;
    char *load = rp_plan_step(&plan, kind, image->instance);
    rp_put_le32(load + STEP_FLAGS,
                image->subject.view.import_count == 0 ? STEP_FLAG_NO_IMPORTS : 0);
    put_area(load, STEP_IMAGE, image->at.image);
    put_area(load, STEP_RAM, image->at.ram);
    char *init = image->subject.format->run->memory_at_load
                     ? load
                     : rp_plan_step(&plan, STEP_INIT, image->instance);
    put_area(init, STEP_WEIGHTS, image->at.weights);
    put_area(init, STEP_ACTS, image->at.acts);
    if (init == load)
        (void)rp_plan_step(&plan, STEP_INIT, image->instance);
    (void)rp_plan_step(&plan, STEP_REPORT, image->instance);
    if (!carry_out(run, image, &plan, &answer, err) ||
        !take_result(&answer, kind, &image->load, err) ||
        !take_result(&answer, STEP_INIT, &image->init, err))
        return false;
    image->nodes = answer.nodes;
    image->inputs = answer.tensors[0];
    image->outputs = answer.tensors[1];
    return true;
}

static uint64_t bytes_of(const struct rp_tensors *tensors) {
    uint64_t sum = 0;
    for (size_t i = 0; i < tensors->count; i++)
        sum += rp_tensor_bytes(&tensors->items[i]);
    return sum;
}

/* Given inputs lie at the end of the memory for inputs and outputs. */
static bool place_input(struct rp_run_image *image, struct rp_area *input, struct rp_error *err) {
    const uint64_t size = bytes_of(&image->inputs);
    const uint64_t room = image->at.io.size;
    if (size + HARNESS_IO_ALIGN > room)
        return rp_fail(err, RP_E_BOARD,
                       "the inputs of '%s' have %llu bytes: no room for them beside the model, "
                       "where %u bytes are free",
                       image->subject.path, (unsigned long long)size, image->at.io.size);
    const uint32_t end = image->at.io.address + image->at.io.size;
    const uint32_t at = (end - (uint32_t)size) / HARNESS_IO_ALIGN * HARNESS_IO_ALIGN;
    *input = (struct rp_area){at, (uint32_t)size};
    image->at.io.size = at - image->at.io.address;
    return true;
}

/* Sends input number sample of each tensor, one after the other. */
static bool send_input(struct rp_run *run, const struct rp_run_image *image, struct rp_area input,
                       uint32_t sample, struct rp_error *err) {
    uint8_t *all = rp_alloc(run->arena, input.size + 1, 1);
    size_t at = 0;
    for (size_t i = 0; i < image->inputs.count; i++) {
        size_t size = (size_t)rp_tensor_bytes(&image->inputs.items[i]);
        memcpy(all + at, run->inputs.samples[i].bytes.data + sample * size, size);
        at += size;
    }
    const struct transfer transfer = {.image = image,
                                      .what = "the input",
                                      .address = input.address,
                                      .bytes = all,
                                      .size = input.size};
    return send(run, &transfer, err);
}

static void take_outputs(const struct rp_run *run, const struct rp_answer *answer,
                         const struct rp_step_result *step, struct rp_run_image *image) {
    struct rp_inference *inference = RP_PUSH(run->arena, &image->inferences);
    *inference = (struct rp_inference){
        .count = step->instructions,
        .stack = step->stack,
        .outputs = rp_alloc(run->arena, image->outputs.count, sizeof(struct rp_bytes)),
    };
    image->ram_high = step->ram_high > image->ram_high ? step->ram_high : image->ram_high;
    image->acts_high = step->acts_high > image->acts_high ? step->acts_high : image->acts_high;
    for (uint32_t i = 0; i < image->outputs.count; i++) {
        const struct rp_output *output = rp_answer_output(answer, step->index, i);
        if (output != NULL)
            inference->outputs[i] = (struct rp_bytes){output->data, output->size};
    }
}

static bool infer(struct rp_run *run, struct rp_run_image *image, struct rp_area input,
                  uint32_t sample, struct rp_error *err) {
    struct rp_buf plan;
    struct rp_answer answer = {0};
    begin(run, image, &plan);
    char *step = rp_plan_step(&plan, STEP_RUN, image->instance);
    put_area(step, STEP_INPUT, input);
    rp_put_le32(step + STEP_SEED, run->options->given.seed + sample);
    struct rp_step_result result = {0};
    if (!carry_out(run, image, &plan, &answer, err) ||
        !take_result(&answer, STEP_RUN, &result, err))
        return false;
    take_outputs(run, &answer, &result, image);
    return true;
}

bool rp_session_infer(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_area input = {0, 0};
    const struct rp_area io = image->at.io;
    const uint32_t total = run->inputs.count * run->options->given.repeat;
    if (run->inputs.samples != NULL && !place_input(image, &input, err))
        return false;
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t sample = i / run->options->given.repeat;
        rp_progress(run->options->source.console.quiet,
                    rp_format(run->arena, "running inference %u of %u", i + 1, total));
        if ((run->inputs.samples != NULL && i % run->options->given.repeat == 0 &&
             !send_input(run, image, input, sample, err)) ||
            !infer(run, image, input, sample, err))
            return false;
    }
    image->at.io = io;
    return true;
}

/* Memory for figures, out of that for inputs and outputs. */
static struct rp_area take_figures(struct rp_run_image *image) {
    const uint32_t size =
        (image->at.io.size / 2 < FIGURES_MAX ? image->at.io.size / 2 : FIGURES_MAX) &
        ~(uint32_t)(HARNESS_IO_ALIGN - 1);
    image->at.io.size -= size + HARNESS_IO_ALIGN;
    const uint32_t end = image->at.io.address + image->at.io.size + HARNESS_IO_ALIGN;
    return (struct rp_area){end & ~(uint32_t)(HARNESS_IO_ALIGN - 1), size};
}

bool rp_session_look(struct rp_run *run, struct rp_run_image *image, struct rp_session_look *look,
                     struct rp_error *err) {
    const uint32_t after = look->step == STEP_OBSERVE ? STEP_UNOBSERVE : look->step;
    const struct rp_area io = image->at.io;
    struct rp_area input = {0, 0};
    struct rp_buf plan;
    struct rp_step_result result = {0};
    const struct rp_area figures = take_figures(image);
    if (!rp_session_install(run, image, err) ||
        (run->inputs.samples != NULL &&
         (!place_input(image, &input, err) || !send_input(run, image, input, 0, err))))
        return false;
    begin(run, image, &plan);
    if (look->step != 0)
        put_area(rp_plan_step(&plan, look->step, image->instance), STEP_RAM, figures);
    char *step = rp_plan_step(&plan, STEP_RUN, image->instance);
    put_area(step, STEP_INPUT, input);
    rp_put_le32(step + STEP_SEED, run->options->given.seed);
    if (look->step != 0)
        (void)rp_plan_step(&plan, after, image->instance);
    if (!carry_out(run, image, &plan, &look->answer, err) ||
        !take_result(&look->answer, STEP_RUN, &result, err))
        return false;
    take_outputs(run, &look->answer, &result, image);
    look->inference = &image->inferences.items[image->inferences.count - 1];
    image->at.io = io;
    return rp_session_destroy(run, image, err);
}

bool rp_session_destroy(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_buf plan;
    struct rp_answer answer = {0};
    begin(run, image, &plan);
    (void)rp_plan_step(&plan, STEP_DESTROY, image->instance);
    return carry_out(run, image, &plan, &answer, err);
}
