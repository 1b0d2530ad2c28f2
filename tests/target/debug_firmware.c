/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware to be looked at with a debugger: three instances of one image, two in XIP mode and one
 * in COPY mode, each with activations of its own. It calls `created` and `ready` when they are,
 * runs them in turn, destroys the second and calls `done`. COPY: all are in COPY mode. Start-up:
 * documented_board.c. WEIGHTS: the name of the weights, where the image does not hold them.
 */
#include <ai_reloc_network.h>
#include <stdint.h>

#include "documented.h"

#ifdef WEIGHTS
extern const uint8_t WEIGHTS[];
#endif

enum { INSTANCES = 3, RAM_BYTES = 16 * 1024, TENSORS = 4, TENSOR_BYTES = 4096 };

ai_handle nets[INSTANCES];
static uint32_t ram[INSTANCES][RAM_BYTES / 4];
static uint64_t acts[INSTANCES][RAM_BYTES / 8];
static float values[2 * TENSORS][TENSOR_BYTES / 4];
int limit = 1; /* the model of the tests has a variable of this name, too */

void created(void);
void ready(void);
void done(void);

__attribute__((noipa)) void created(void) {}

__attribute__((noipa)) void ready(void) {}

__attribute__((noipa)) void done(void) {}

static void create(int number) {
#ifdef COPY
    uint32_t mode = AI_RELOC_RT_LOAD_MODE_COPY;
#else
    uint32_t mode =
        number == INSTANCES - 1 ? AI_RELOC_RT_LOAD_MODE_COPY : AI_RELOC_RT_LOAD_MODE_XIP;
#endif
    ai_error error =
        ai_rel_network_load_and_create(image, ram[number], sizeof ram[number], mode, &nets[number]);
    CHECK(10 + number, error.type == AI_ERROR_NONE);
}

static void init(int number, const ai_rel_network_info *info) {
#ifdef WEIGHTS
    const ai_handle weights[] = {(ai_handle)WEIGHTS}, activations[] = {acts[number]};
    (void)info->weights;
#else
    const ai_handle weights[] = {info->weights}, activations[] = {acts[number]};
#endif
    CHECK(19, info->acts_sz <= sizeof acts[number]);
    CHECK(20 + number, ai_rel_network_init(nets[number], weights, activations));
}

static void fill(ai_buffer *to, const ai_buffer *from, int count, int first) {
    CHECK(30, count <= TENSORS);
    for (int i = 0; i < count; i++) {
        to[i] = from[i];
        to[i].data = values[first + i];
    }
}

__attribute__((noipa)) static void run(int number) {
    ai_network_report report;
    ai_buffer in[TENSORS], out[TENSORS];
    CHECK(40 + number, ai_rel_network_get_report(nets[number], &report));
    fill(in, report.inputs, report.n_inputs, 0);
    fill(out, report.outputs, report.n_outputs, TENSORS);
    CHECK(50 + number, ai_rel_network_run(nets[number], in, out) == 1);
}

int main(void) {
    ai_rel_network_info info;
    CHECK(1, ai_rel_network_rt_get_info(image, &info).type == AI_ERROR_NONE);
    for (int i = 0; i < INSTANCES; i++)
        create(i);
    created();
    for (int i = 0; i < INSTANCES; i++)
        init(i, &info);
    limit++;
    for (unsigned i = 0; i < TENSOR_BYTES / 4; i++)
        values[0][i] = (float)(i % 17) / 16;
    ready();
    for (int i = 0; i < INSTANCES; i++)
        run(i);
    CHECK(60, ai_rel_network_destroy(nets[1]) == AI_HANDLE_NULL);
    done();
    return 0;
}
