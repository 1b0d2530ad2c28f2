/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares what the report of an image says of its tensors with what it should say, in two
 * instances at once, again after they have been destroyed, and after a second create. The RAM is
 * not 0 before. tensor_plan.h, made by the test, has
 *   TENSOR_PLAIN       1: the loader is plain_loader.c, which can call create again
 *   TENSOR_XIP         1: the image can be executed in place
 *   TENSOR_ROOM        bytes for the RAM of an instance
 *   TENSOR_INPUTS      how many of the tensors are inputs
 *   TENSOR_WANTED      {format, elements, rank, {dimensions}}, ... of the inputs and outputs
 *   TENSOR_NAME, TENSOR_SIGNATURE   strings
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ai_reloc_network.h"
#include "semihost.h"
#include "tensor_plan.h"

extern uint8_t flips_ram[]; /* table_flips.ld */
extern uint8_t image[];

static const struct wanted {
    uint32_t format, elements, rank, shape[6];
} wanted[] = {TENSOR_WANTED};

static uint32_t compared, failures;

static void check(bool holds, const char *what, uint32_t tensor) {
    compared++;
    if (!holds) {
        failures++;
        semihost_print(what);
        semihost_print_hex(" of tensor ", tensor);
    }
}

static void check_buffer(const ai_buffer *buffer, uint32_t tensor) {
    const struct wanted *want = &wanted[tensor];
    check((uint32_t)buffer->format == want->format, "format", tensor);
    check(buffer->data == NULL && buffer->meta_info == NULL && buffer->flags == 0, "rest", tensor);
    check(buffer->size == want->elements, "size", tensor);
    check(buffer->shape.type == 1 && buffer->shape.size == want->rank, "rank", tensor);
    check(memcmp(buffer->shape.data, want->shape, 4 * want->rank) == 0, "shape", tensor);
}

static void check_report(ai_handle hdl) {
    enum { COUNT = sizeof wanted / sizeof wanted[0] };
    ai_network_report report;
    memset(&report, 0xA5, sizeof report);
    check(ai_rel_network_get_report(hdl, &report), "report", COUNT);
    check(report.n_inputs == TENSOR_INPUTS && report.n_outputs == COUNT - TENSOR_INPUTS, "number",
          COUNT);
    check(strcmp(report.model_name, TENSOR_NAME) == 0, "name", COUNT);
    check(strcmp(report.model_signature, TENSOR_SIGNATURE) == 0, "signature", COUNT);
    check(strcmp(report.tool_revision, "relocpack") == 0, "tool", COUNT);
    check(strcmp(report.model_datetime, "") == 0, "date", COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        check_buffer(i < TENSOR_INPUTS ? &report.inputs[i] : &report.outputs[i - TENSOR_INPUTS], i);
}

static ai_handle load(uint32_t mode, uint8_t *ram) {
    ai_handle hdl = NULL;
    memset(ram, 0x5A, TENSOR_ROOM);
    ai_error error = ai_rel_network_load_and_create(image, ram, TENSOR_ROOM, mode, &hdl);
    check(error.type == AI_ERROR_NONE, "create", error.type);
    return hdl;
}

#if TENSOR_PLAIN
ai_error plain_create_again(ai_handle hdl); /* plain_loader.c */
#else
static void on_node(void) {}
static ai_u32 observe(ai_handle cookie, ai_u32 flags, const ai_observer_node *node) {
    (void)cookie, (void)flags, (void)node;
    on_node();
    return 0;
}
#endif

static void change(ai_handle hdl) {
#if TENSOR_PLAIN
    check(plain_create_again(hdl).type == AI_ERROR_NONE, "second create", 0);
#else /* the loader takes the word of the name for its own */
    check(ai_rel_platform_observer_register(hdl, observe, NULL, AI_OBSERVER_PRE_EVT), "observer",
          0);
#endif
}

int main(void) {
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++)
        for (uint32_t again = 0; again < 2 && (TENSOR_XIP || mode > AI_RELOC_RT_LOAD_MODE_XIP);
             again++) {
            ai_handle first = load(mode, flips_ram), second = load(mode, flips_ram + TENSOR_ROOM);
            check_report(first);
            check_report(second);
            change(first);
            check_report(first);
            check_report(second);
            (void)ai_rel_network_destroy(first);
            check_report(second);
            (void)ai_rel_network_destroy(second);
        }
    semihost_print_hex("compared ", compared);
    semihost_print_hex("failures ", failures);
    return 0;
}
