/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carries out the plan that the host placed in memory (plan.h): installs, initialises and runs a
 * model through one of the two back-ends, measures each call, checks what it wrote and what it
 * preserved, and writes all results to result.bin. It knows no addresses but the plan's.
 */
#include "harness.h"

#include <string.h>

#include "counter.h"
#include "hooks.h"
#include "host.h"
#include "memory.h"
#include "observe.h"
#include "format/reloc_core.h"
#include "result.h"
#include "tensors.h"

uint32_t harness_step = HARNESS_NO_STEP;
extern const uint32_t relocpack_heap_peak __attribute__((weak)); /* templates/heap.c, in a static build */

enum { MODE_XIP = 1, MODE_COPY = 2 }; /* AI_RELOC_RT_LOAD_MODE_* */

static struct harness_instance instances[HARNESS_INSTANCES];
static struct tensors tensors;
static uint32_t pattern; /* of the current step */

/* The current step: its fields in the plan, and the words of its record. */
struct step {
    const uint8_t *fields;
    struct harness_job job;
    enum harness_status status;
    uint64_t count;
    uint32_t stack_bytes, where, area, registers;
    bool overflowed; /* the last word of the stack was written */
    bool is_beside;  /* area: its guards were written, not image or weights themselves */
};

static uint32_t get_le32(const uint8_t *bytes, uint32_t offset) {
    const uint8_t *at = bytes + offset;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t field(const struct step *step, enum harness_step_field offset) {
    return get_le32(step->fields, (uint32_t)offset);
}

static struct harness_area_used area(const struct step *step, enum harness_step_field address) {
    /* The size is always the word behind the address */
    return (struct harness_area_used){field(step, address),
                                      get_le32(step->fields, (uint32_t)address + 4u)};
}

/* ---- what memory is filled with ---- */

static bool is_varied(enum harness_guarded area, uint32_t index, enum harness_side side) {
    uint32_t which = get_le32(harness_plan, PLAN_VARY_INDEX);
    uint32_t part = get_le32(harness_plan, PLAN_VARY_SIDE);
    return get_le32(harness_plan, PLAN_VARY_AREA) == (uint32_t)area &&
           (which == HARNESS_ANY || which == index) && (part == 0 || part == (uint32_t)side);
}

uint32_t harness_word(enum harness_guarded area, uint32_t index, enum harness_side side) {
    if (is_varied(area, index, side))
        return get_le32(harness_plan, PLAN_VARY_PATTERN);
    if (area == GUARDED_OUTPUT && side == SIDE_INSIDE)
        return ~pattern;
    return area == GUARDED_IMAGE || area == GUARDED_WEIGHTS ? get_le32(harness_plan, PLAN_PATTERN)
                                                            : pattern;
}

/* Fills the memory around the area, and notes it. */
static struct memory_guard *surround(struct harness_instance *of, enum harness_guarded area,
                                     struct harness_area_used used) {
    struct memory_guard *guard = &of->guards[area];
    *guard = (struct memory_guard){.address = used.address,
                                   .size_bytes = used.size_bytes,
                                   .guard_bytes = get_le32(harness_plan, PLAN_GUARD_BYTES),
                                   .before = harness_word(area, 0, SIDE_BEFORE),
                                   .inside = harness_word(area, 0, SIDE_INSIDE),
                                   .behind = harness_word(area, 0, SIDE_BEHIND)};
    if (used.size_bytes != 0)
        memory_fill_guards(guard);
    return guard;
}

/* The same for an area that the model may write. */
static void prepare(struct harness_instance *of, enum harness_guarded area,
                    struct harness_area_used used) {
    const struct memory_guard *guard = surround(of, area, used);
    memory_fill(used.address, used.size_bytes, guard->inside);
}

/* ---- one measured call ---- */

static void call(struct step *step, void (*function)(struct harness_job *job)) {
    struct counter_call to = {.function = (uint32_t)(uintptr_t)function,
                              .arguments = {(uint32_t)(uintptr_t)&step->job}};
    if (function == NULL) {
        step->status = STATUS_STEP;
        return;
    }
    uint32_t below = harness_word(GUARDED_STACK, 0, SIDE_BEFORE);
    memory_paint_stack(below);
    step->count = counter_measure(&to);
    uint32_t low = memory_stack_low(below);
    step->stack_bytes = low < to.sp ? to.sp - low : 0;
    step->overflowed = low == harness_stack.address;
    step->registers = counter_lost(&to);
    if (!step->job.done) {
        step->status = STATUS_API;
        harness_backend.explain(&step->job);
    }
}

/* Asks for the report, unmeasured; the buffers in it belong to the instance. */
static bool get_report(struct step *step, ai_network_report *report) {
    memset(report, 0, sizeof *report);
    step->job.report = report;
    harness_backend.report(&step->job);
    if (!step->job.done)
        step->status = STATUS_API;
    return step->job.done;
}

/* ---- steps ---- */

static void step_check(struct step *step) {
    struct harness_instance subject = {.image = area(step, STEP_IMAGE),
                                       .weights = area(step, STEP_WEIGHTS)};
    struct harness_instance *instance = step->job.instance;
    step->job.instance = &subject;
    call(step, harness_backend.check);
    step->job.instance = instance;
}

/* Notes the weights, and fills the activations and the memory around both. */
static void give_memory(const struct step *step) {
    struct harness_instance *of = step->job.instance;
    of->weights = area(step, STEP_WEIGHTS);
    of->weights_sum = memory_sum(of->weights.address, of->weights.size_bytes);
    of->acts = area(step, STEP_ACTS);
    (void)surround(of, GUARDED_WEIGHTS, of->weights);
    prepare(of, GUARDED_ACTS, of->acts);
}

static void step_load(struct step *step, uint32_t mode) {
    struct harness_instance *of = step->job.instance;
    if (of->created) {
        step->status = STATUS_STEP;
        return;
    }
    *of = (struct harness_instance){.image = area(step, STEP_IMAGE), .ram = area(step, STEP_RAM)};
    if (harness_backend.kind == BACKEND_STATIC)
        of->image = of->ram = (struct harness_area_used){0, 0};
    of->image_sum = memory_sum(of->image.address, of->image.size_bytes);
    (void)surround(of, GUARDED_IMAGE, of->image);
    prepare(of, GUARDED_RAM, of->ram);
    if (harness_backend.memory_at_load)
        give_memory(step);
    step->job.mode = mode;
    step->job.no_imports = (field(step, STEP_FLAGS) & STEP_FLAG_NO_IMPORTS) != 0;
    call(step, harness_backend.load);
    of->created = step->job.done;
}

static void step_init(struct step *step) {
    struct harness_instance *of = step->job.instance;
    if (!harness_backend.memory_at_load)
        give_memory(step);
    harness_backend.find_weights(&step->job);
    call(step, harness_backend.init);
    of->initialized = step->job.done;
}

static void step_report(struct step *step) {
    ai_network_report report;
    memset(&report, 0, sizeof report);
    step->job.report = &report;
    call(step, harness_backend.report);
    if (step->status != STATUS_OK)
        return;
    if (report.inputs == NULL || report.outputs == NULL)
        step->status = STATUS_REPORT;
    else
        tensors_describe(&report);
}

static enum harness_status load_inputs(const struct step *step) {
    struct harness_area_used input = area(step, STEP_INPUT);
    if (input.address != 0)
        return tensors_load(&tensors, input.address, input.size_bytes);
    tensors_seed(&tensors, field(step, STEP_SEED));
    return STATUS_OK;
}

static void step_run(struct step *step) {
    ai_network_report report;
    if (!get_report(step, &report))
        return;
    const struct harness_area_used io = {get_le32(harness_plan, PLAN_IO),
                                         get_le32(harness_plan, PLAN_IO_SIZE)};
    step->status = tensors_place(&tensors, &report, io, get_le32(harness_plan, PLAN_GUARD_BYTES));
    if (step->status == STATUS_OK)
        step->status = load_inputs(step);
    if (step->status != STATUS_OK)
        return;
    if (field(step, STEP_FLAGS) & STEP_FLAG_RECORD_INPUTS)
        tensors_record(tensors.input, tensors.inputs, RECORD_INPUT);
    step->job.input = tensors.input;
    step->job.output = tensors.output;
    call(step, harness_backend.run);
    tensors_record(tensors.output, tensors.outputs, RECORD_OUTPUT);
    if (tensors_guards_changed(&tensors, &step->where, &step->area))
        return;
    step->area = GUARDED_NONE;
}

static void step_destroy(struct step *step) {
    call(step, harness_backend.destroy);
    if (step->job.done)
        step->job.instance->created = step->job.instance->initialized = false;
}

static void step_observe(struct step *step) {
    step->job.notify = observe_node;
    call(step, harness_backend.observe);
    if (step->job.done)
        observe_begin(area(step, STEP_RAM), step->job.observer);
}

static void step_unobserve(struct step *step) {
    step->job.notify = observe_node;
    call(step, harness_backend.unobserve);
    if (step->job.done && !observe_record())
        step->status = STATUS_NODES;
}

static void step_fill(const struct step *step) {
    struct harness_area_used unused = area(step, STEP_RAM);
    memory_fill(unused.address, unused.size_bytes, harness_word(GUARDED_UNUSED, 0, SIDE_INSIDE));
}

static void step_sum(struct step *step) {
    struct harness_area_used of = area(step, STEP_RAM);
    step->job.value =
        (int32_t)reloc_crc32(0, (const uint8_t *)(uintptr_t)of.address, of.size_bytes);
}

static void step_hooks(struct step *step) {
    struct harness_area_used frames = area(step, STEP_RAM);
    if (frames.size_bytes != 0)
        hooks_begin(frames);
    else if (!hooks_end())
        step->status = STATUS_FRAMES;
}

static void perform(struct step *step, uint32_t kind) {
    switch (kind) {
    case STEP_CHECK:
        step_check(step);
        break;
    case STEP_LOAD_XIP:
    case STEP_LOAD_COPY:
        step_load(step, kind == STEP_LOAD_XIP ? MODE_XIP : MODE_COPY);
        break;
    case STEP_INIT:
        step_init(step);
        break;
    case STEP_REPORT:
        step_report(step);
        break;
    case STEP_RUN:
        step_run(step);
        break;
    case STEP_OBSERVE:
        step_observe(step);
        break;
    case STEP_UNOBSERVE:
        step_unobserve(step);
        break;
    case STEP_DESTROY:
        step_destroy(step);
        break;
    case STEP_FILL:
        step_fill(step);
        break;
    case STEP_SUM:
        step_sum(step);
        break;
    case STEP_HOOKS:
        step_hooks(step);
        break;
    default:
        step->status = STATUS_STEP;
    }
}

/* ---- what a step wrote ---- */

/*
 * Guards of every instance, because one may write into another's; those of RAM before those of
 * activations.
 */
static void check_guards(struct step *step) {
    for (uint32_t i = 0; i < HARNESS_INSTANCES; i++) {
        for (uint32_t which = 0; which < GUARDED_KINDS; which++) {
            const struct memory_guard *guard = &instances[i].guards[which];
            uint32_t where = 0;
            if (guard->size_bytes == 0 || !memory_guards_changed(guard, &where) ||
                step->area != GUARDED_NONE)
                continue;
            step->where = where;
            step->area = which;
            step->is_beside = which == GUARDED_IMAGE || which == GUARDED_WEIGHTS;
        }
    }
}

static void check_constants(struct step *step) {
    const struct harness_instance *of = step->job.instance;
    if (step->area != GUARDED_NONE)
        return;
    if (memory_sum(of->image.address, of->image.size_bytes) != of->image_sum) {
        step->where = of->image.address;
        step->area = GUARDED_IMAGE;
    } else if (memory_sum(of->weights.address, of->weights.size_bytes) != of->weights_sum) {
        step->where = of->weights.address;
        step->area = GUARDED_WEIGHTS;
    }
}

static void judge(struct step *step) {
    if (step->overflowed) {
        step->status = STATUS_STACK;
        return;
    }
    if (step->status == STATUS_API && (field(step, STEP_FLAGS) & STEP_FLAG_MUST_FAIL) != 0)
        step->status = STATUS_EXPECTED;
    else if (step->status == STATUS_OK && (field(step, STEP_FLAGS) & STEP_FLAG_MUST_FAIL) != 0)
        step->status = STATUS_NOT_REFUSED;
    if (step->status != STATUS_OK && step->status != STATUS_EXPECTED)
        return;
    if (step->registers != 0)
        step->status = STATUS_REGISTERS;
    else if (!step->is_beside && (step->area == GUARDED_IMAGE || step->area == GUARDED_WEIGHTS))
        step->status = STATUS_CHANGED;
    else if (step->area != GUARDED_NONE)
        step->status = STATUS_GUARD;
}

/* ---- records ---- */

static void record_step(const struct step *step) {
    const struct harness_instance *of = step->job.instance;
    uint32_t error;
    memcpy(&error, &step->job.error, sizeof error);
    const uint32_t words[] = {
        [RESULT_STEP_INDEX / 4] = harness_step,
        [RESULT_STEP_KIND / 4] = field(step, STEP_KIND),
        [RESULT_STEP_INSTANCE / 4] = field(step, STEP_INSTANCE),
        [RESULT_STEP_STATUS / 4] = (uint32_t)step->status,
        [RESULT_STEP_CODE / 4] = (uint32_t)step->job.code,
        [RESULT_STEP_ERROR / 4] = error,
        [RESULT_STEP_VALUE / 4] = (uint32_t)step->job.value,
        [RESULT_STEP_COUNT_LOW / 4] = (uint32_t)step->count,
        [RESULT_STEP_COUNT_HIGH / 4] = (uint32_t)(step->count >> 32),
        [RESULT_STEP_STACK / 4] = step->stack_bytes,
        [RESULT_STEP_RAM_HIGH / 4] = memory_high(&of->guards[GUARDED_RAM]),
        [RESULT_STEP_ACTS_HIGH / 4] = memory_high(&of->guards[GUARDED_ACTS]),
        [RESULT_STEP_WHERE / 4] = step->where,
        [RESULT_STEP_AREA / 4] = step->area,
        [RESULT_STEP_REGISTERS / 4] = step->registers,
        [RESULT_STEP_EVENTS / 4] = observe_events(),
        [RESULT_STEP_PATTERN / 4] = pattern,
        [RESULT_STEP_HEAP / 4] = &relocpack_heap_peak != NULL ? relocpack_heap_peak : 0,
    };
    _Static_assert(sizeof words == RESULT_STEP_BYTES, "the STEP record's words");
    result_begin(RECORD_STEP, sizeof words);
    result_bytes(words, sizeof words);
    result_end();
}

static void record_header(void) {
    result_begin(RECORD_HEADER, RESULT_HEADER_BYTES);
    result_word(HARNESS_RESULT_MAGIC);
    result_word(HARNESS_RESULT_VERSION);
    result_word(harness_backend.kind);
    result_word(*(const volatile uint32_t *)(uintptr_t)UINT32_C(0xE000ED00)); /* CPUID */
    result_word(counter_overhead());
    result_end();
}

void harness_record_fault(const uint32_t *words) {
    result_begin(RECORD_FAULT, 4 * FAULT_WORDS);
    result_bytes(words, 4 * FAULT_WORDS);
    result_end();
    (void)result_close();
}

/* ---- the plan ---- */

static bool must_skip(const struct harness_instance *of, uint32_t kind) {
    switch (kind) {
    case STEP_CHECK:
    case STEP_LOAD_XIP:
    case STEP_LOAD_COPY:
    case STEP_FILL:
    case STEP_SUM:
    case STEP_HOOKS:
        return false;
    case STEP_REPORT:
    case STEP_RUN:
        return !of->initialized;
    default:
        return !of->created;
    }
}

/* True if the step ended as it should. */
static bool run_step(const uint8_t *fields) {
    struct step step = {.fields = fields};
    uint32_t which = field(&step, STEP_INSTANCE);
    pattern = field(&step, STEP_PATTERN);
    if (pattern == 0)
        pattern = get_le32(harness_plan, PLAN_PATTERN);
    step.job.instance = &instances[which < HARNESS_INSTANCES ? which : 0];
    if (which >= harness_backend.instances)
        step.status = STATUS_STEP;
    else if (must_skip(step.job.instance, field(&step, STEP_KIND)))
        step.status = STATUS_SKIPPED;
    else {
        perform(&step, field(&step, STEP_KIND));
        check_guards(&step);
        check_constants(&step);
        judge(&step);
    }
    record_step(&step);
    return step.status == STATUS_OK || step.status == STATUS_EXPECTED;
}

static bool plan_usable(void) {
    if (get_le32(harness_plan, PLAN_MAGIC) != HARNESS_PLAN_MAGIC ||
        get_le32(harness_plan, PLAN_VERSION) != HARNESS_PLAN_VERSION ||
        get_le32(harness_plan, PLAN_BYTES) < PLAN_STEPS)
        return false;
    uint32_t room = (get_le32(harness_plan, PLAN_BYTES) - PLAN_STEPS) / STEP_BYTES;
    return get_le32(harness_plan, PLAN_STEP_COUNT) <= room &&
           get_le32(harness_plan, PLAN_GUARD_BYTES) <= HARNESS_GUARD_MAX &&
           get_le32(harness_plan, PLAN_CLOCK_HZ) != 0 &&
           get_le32(harness_plan, PLAN_COUNTER) <= COUNTER_NONE &&
           get_le32(harness_plan, PLAN_ICOUNT_SHIFT) < 16;
}

/* Between two plans the host may use memory that was around an instance which is no more. */
static void forget_ended(void) {
    for (uint32_t i = 0; i < HARNESS_INSTANCES; i++)
        if (!instances[i].created)
            instances[i] = (struct harness_instance){0};
}

/* The number of steps that failed. */
static uint32_t run_plan(void) {
    uint32_t steps = get_le32(harness_plan, PLAN_STEP_COUNT);
    uint32_t failed = 0;
    forget_ended();
    record_header();
    for (harness_step = 0; harness_step < steps; harness_step++)
        failed += run_step(harness_plan + PLAN_STEPS + harness_step * STEP_BYTES) ? 0 : 1;
    harness_step = HARNESS_NO_STEP;
    result_begin(RECORD_END, RESULT_END_BYTES);
    result_word(steps);
    result_word(failed);
    result_end();
    return failed;
}

uint32_t harness_main(void) {
    if (!plan_usable()) {
        host_print("harness: no usable plan in memory\n");
        return HARNESS_EXIT_PLAN;
    }
    counter_start(get_le32(harness_plan, PLAN_COUNTER), get_le32(harness_plan, PLAN_CLOCK_HZ),
                  get_le32(harness_plan, PLAN_ICOUNT_SHIFT));
    if (!counter_works()) {
        host_print("harness: instructions are not counted right (no -icount shift=6?)\n");
        return HARNESS_EXIT_COUNTER;
    }
    if (!result_open()) {
        host_print("harness: result.bin cannot be created\n");
        return HARNESS_EXIT_FILE;
    }
    uint32_t failed = run_plan();
    if (!result_close())
        return HARNESS_EXIT_FILE;
    return failed == 0 ? HARNESS_EXIT_OK : HARNESS_EXIT_STEP;
}
