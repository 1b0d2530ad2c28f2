/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of the corpus: runs many constructs in one start of QEMU, each as a static build and as
 * an image under the second loader, and writes all outputs to result.bin (semihosting), where
 * tests/corpus/run.py compares them. In: corpus_plan.h at CORPUS_PLAN. Linked with the linker's
 * default script; the vector table is made by board.py.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "corpus_plan.h"
#include "second_loader.h"

enum { GUARD_BYTES = 256, OUTPUT_ROOM = 4096, RESULT_ROOM = 65536 };
enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_EXIT_EXTENDED = 0x20, MODE_WB = 5 };

static const struct corpus_plan *const plan = (const struct corpus_plan *)CORPUS_PLAN;
static uint32_t result_file, current_job, flash_before;
static uint8_t result[RESULT_ROOM];
static uint32_t result_bytes;

void runner_reset(void);
void runner_fault(void);
_Noreturn void runner_main(void);
_Noreturn void runner_faulted(uint32_t pc);

static uint32_t semihost(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

_Noreturn static void leave(uint32_t status) {
    const uint32_t block[2] = {0x20026, status}; /* ADP_Stopped_ApplicationExit */
    for (;;)
        semihost(SYS_EXIT_EXTENDED, block);
}

static void flush(void) {
    const uint32_t block[3] = {result_file, (uint32_t)(uintptr_t)result, result_bytes};
    semihost(SYS_WRITE, block);
    result_bytes = 0;
}

static void record(uint32_t phase, uint32_t error, uint32_t detail, const void *data,
                   uint32_t bytes) {
    const struct corpus_record head = {current_job, phase, error, detail, bytes};
    if (RESULT_ROOM - result_bytes < sizeof head + bytes)
        flush();
    memcpy(result + result_bytes, &head, sizeof head);
    result_bytes += sizeof head;
    memcpy(result + result_bytes, data, bytes);
    result_bytes += bytes;
}

/* Does what must precede the first C function: enables FPU and MVE, disables lazy stacking. */
__attribute__((naked, used)) void runner_reset(void) {
    __asm__ volatile(
#if __ARM_ARCH_ISA_THUMB > 1
        "ldr r0, =0xE000ED88\n\t"
        "ldr r1, [r0]\n\t"
        "orr r1, r1, #0x00F00000\n\t"
        "str r1, [r0]\n\t"
#endif
        "dsb\n\t"
        "isb\n\t"
        "bl runner_main\n\t"
        ".ltorg");
}

__attribute__((naked, used)) void runner_fault(void) {
    __asm__ volatile("ldr r0, [sp, #24]\n\t"
                     "bl runner_faulted");
}

__attribute__((used)) _Noreturn void runner_faulted(uint32_t pc) {
    record(CORPUS_FAULT, 1, pc, "", 0);
    flush();
    leave(2);
}

/* ---- memory ---- */

static void *at(uint32_t address) {
    return (void *)(uintptr_t)address;
}

static void fill(uint32_t address, uint32_t bytes) {
    memset(at(address - GUARD_BYTES), (int)(plan->pattern & 0xFF), bytes + 2 * GUARD_BYTES);
}

static int is_guard_whole(uint32_t address, uint32_t bytes) {
    const uint8_t *before = at(address - GUARD_BYTES), *behind = at(address + bytes);
    for (uint32_t i = 0; i < GUARD_BYTES; i++)
        if (before[i] != (plan->pattern & 0xFF) || behind[i] != (plan->pattern & 0xFF))
            return 0;
    return 1;
}

/* ---- one run: inputs to fresh buffers, outputs from them ---- */

struct tensors {
    uint32_t input[CORPUS_TENSORS], output[CORPUS_TENSORS];
};

/* Lays out guarded buffers at multiples of 8 and fills the inputs from one set. */
static struct tensors lay_out(const struct corpus_job *job, uint32_t set) {
    struct tensors tensors = {{0}, {0}};
    uint32_t free = plan->scratch + GUARD_BYTES, from = job->inputs, one_set = 0;
    for (uint32_t i = 0; i < job->input_count; i++)
        one_set += job->input_bytes[i];
    from += set * one_set;
    for (uint32_t i = 0; i < job->input_count; i++) {
        fill(free, job->input_bytes[i]);
        memcpy(at(free), at(from), job->input_bytes[i]);
        tensors.input[i] = free;
        from += job->input_bytes[i];
        free = (free + job->input_bytes[i] + 2 * GUARD_BYTES + 7) & ~UINT32_C(7);
    }
    for (uint32_t i = 0; i < job->output_count; i++) {
        fill(free, job->output_bytes[i]);
        tensors.output[i] = free;
        free = (free + job->output_bytes[i] + 2 * GUARD_BYTES + 7) & ~UINT32_C(7);
    }
    return tensors;
}

/* Appends the outputs of a run; returns an error if anything beside them was written. */
static uint32_t collect(const struct corpus_job *job, const struct tensors *tensors, uint8_t *to,
                        uint32_t *bytes) {
    for (uint32_t i = 0; i < job->output_count; i++) {
        if (!is_guard_whole(tensors->output[i], job->output_bytes[i]))
            return CORPUS_GUARD;
        if (OUTPUT_ROOM - *bytes < job->output_bytes[i])
            return CORPUS_GUARD;
        memcpy(to + *bytes, at(tensors->output[i]), job->output_bytes[i]);
        *bytes += job->output_bytes[i];
    }
    return 0;
}

typedef uint32_t static_entry(uint32_t operation, const uint32_t *inputs, const uint32_t *outputs);

static void run_static(const struct corpus_job *job) {
    static uint8_t outputs[OUTPUT_ROOM];
    uint32_t bytes = 0, error = 0;
    static_entry *entry = (static_entry *)(uintptr_t)job->static_entry;
    entry(0, NULL, NULL);
    for (uint32_t set = 0; set < job->sets && error == 0; set++) {
        struct tensors tensors = lay_out(job, set);
        entry(1, tensors.input, tensors.output);
        error = collect(job, &tensors, outputs, &bytes);
    }
    record(CORPUS_STATIC, error, 0, outputs, bytes);
}

/* ---- images ---- */

struct side {
    struct second_place place;
    struct second_instance instance;
    uint32_t error, bytes;
    uint8_t outputs[OUTPUT_ROOM];
};

static void load(const struct corpus_job *job, struct side *side, uint32_t mode, uint32_t which) {
    uint32_t ram = job->ram[mode == SECOND_XIP ? which : 2 + which];
    uint32_t weights = which == 0 ? job->weights : job->weights_copy;
    side->place = (struct second_place){
        which == 0 ? job->image : job->image_copy, job->image_bytes, ram, mode,
        job->weights == 0 ? 0 : weights,           job->acts[which]};
    side->bytes = 0;
    fill(ram, mode == SECOND_XIP ? job->ram_xip : job->ram_copy);
    fill(job->acts[which], job->acts_bytes);
    side->error = second_load(&side->place, &side->instance);
    if (side->error == 0 && (side->instance.input_count != job->input_count ||
                             side->instance.output_count != job->output_count))
        side->error = SECOND_REPORT;
}

static void run_set(const struct corpus_job *job, struct side *side, uint32_t set) {
    if (side->error != 0)
        return;
    struct tensors tensors = lay_out(job, set);
    side->error = second_run(&side->instance, tensors.input, tensors.output);
    if (side->error == 0)
        side->error = collect(job, &tensors, side->outputs, &side->bytes);
}

/* Checksum of image and weights at both places. */
static uint32_t sum_of_flash(const struct corpus_job *job) {
    const uint32_t parts[][2] = {{job->image, job->image_bytes},
                                 {job->image_copy, job->image_bytes},
                                 {job->weights, job->weights_bytes},
                                 {job->weights_copy, job->weights_bytes}};
    uint32_t sum = 0;
    for (uint32_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        for (uint32_t i = 0; i < parts[part][1]; i++)
            sum = (sum ^ *(const uint8_t *)at(parts[part][0] + i)) * UINT32_C(16777619);
    return sum;
}

/* Checks the guards around RAM and activations, and that flash has not changed. */
static uint32_t what_broke(const struct corpus_job *job, uint32_t mode, uint32_t which) {
    uint32_t ram = job->ram[mode == SECOND_XIP ? which : 2 + which];
    if (!is_guard_whole(ram, mode == SECOND_XIP ? job->ram_xip : job->ram_copy) ||
        !is_guard_whole(job->acts[which], job->acts_bytes))
        return CORPUS_GUARD;
    if (sum_of_flash(job) != flash_before)
        return CORPUS_FLASH;
    return 0;
}

/* Two instances at two sets of addresses live side by side; the sets are run on both in turn. */
static void run_mode(const struct corpus_job *job, uint32_t mode, uint32_t first_phase) {
    static struct side sides[2];
    for (uint32_t i = 0; i < 2; i++)
        load(job, &sides[i], mode, i);
    for (uint32_t set = 0; set < job->sets; set++)
        for (uint32_t i = 0; i < 2; i++)
            run_set(job, &sides[i], set);
    for (uint32_t i = 0; i < 2; i++) {
        struct side *side = &sides[i];
        if (side->error == 0)
            side->error = second_destroy(&side->instance);
        if (side->error == 0)
            side->error = what_broke(job, mode, i);
        if (job->is_copy_only && mode == SECOND_XIP)
            side->error = side->error == SECOND_CREATE ? 0 : CORPUS_XIP_ACCEPTED;
        record(first_phase + i, side->error, side->instance.answer, side->outputs, side->bytes);
    }
}

static void run_job(const struct corpus_job *job) {
    current_job = job->number;
    record(CORPUS_BEGUN, 0, 0, "", 0);
    flush();
    run_static(job);
    flush();
    memcpy(at(job->image_copy), at(job->image), job->image_bytes);
    memcpy(at(job->weights_copy), at(job->weights), job->weights_bytes);
    flash_before = sum_of_flash(job);
    run_mode(job, SECOND_XIP, CORPUS_XIP_A);
    run_mode(job, SECOND_COPY, CORPUS_COPY_A);
    flush();
}

__attribute__((used)) _Noreturn void runner_main(void) {
    static const char name[] = "result.bin";
    const uint32_t block[3] = {(uint32_t)(uintptr_t)name, MODE_WB, sizeof name - 1};
    result_file = semihost(SYS_OPEN, block);
    for (uint32_t i = 0; i < plan->jobs; i++)
        run_job(&plan->job[i]);
    record(CORPUS_ENDED, 0, 0, "", 0);
    flush();
    leave(0);
}
