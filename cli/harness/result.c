/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harness answered: see result.h. The answer comes from an emulator, so its sizes are
 * checked.
 */
#include "cli/harness/result.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/image/reader.h"
#include "toolchain/compile/board.h"

static const char *status_text(uint32_t status) {
    switch (status) {
#define X(name, value, text)                                                                       \
    case value:                                                                                    \
        return text;
        HARNESS_STATUS(X)
#undef X
    default:
        return "an unknown status";
    }
}

static const char *kind_text(uint32_t kind) {
    static const char *const texts[] = {
        "",        "check",     "load (XIP)", "load (COPY)", "init",     "report", "run",
        "observe", "unobserve", "destroy",    "fill",        "checksum", "hooks"};
    return kind < sizeof texts / sizeof texts[0] ? texts[kind] : "unknown step";
}

static void take_step(struct rp_answer *answer, struct rp_arena *arena, const uint8_t *payload) {
    struct rp_step_result *step = RP_PUSH(arena, &answer->steps);
    *step = (struct rp_step_result){
        .index = rp_get_le32(payload + RESULT_STEP_INDEX),
        .kind = rp_get_le32(payload + RESULT_STEP_KIND),
        .instance = rp_get_le32(payload + RESULT_STEP_INSTANCE),
        .status = rp_get_le32(payload + RESULT_STEP_STATUS),
        .code = (int32_t)rp_get_le32(payload + RESULT_STEP_CODE),
        .error = rp_get_le32(payload + RESULT_STEP_ERROR),
        .value = rp_get_le32(payload + RESULT_STEP_VALUE),
        .stack = rp_get_le32(payload + RESULT_STEP_STACK),
        .ram_high = rp_get_le32(payload + RESULT_STEP_RAM_HIGH),
        .acts_high = rp_get_le32(payload + RESULT_STEP_ACTS_HIGH),
        .where = rp_get_le32(payload + RESULT_STEP_WHERE),
        .area = rp_get_le32(payload + RESULT_STEP_AREA),
        .pattern = rp_get_le32(payload + RESULT_STEP_PATTERN),
        .heap = rp_get_le32(payload + RESULT_STEP_HEAP),
    };
    step->instructions = (uint64_t)rp_get_le32(payload + RESULT_STEP_COUNT_HIGH) << 32 |
                         rp_get_le32(payload + RESULT_STEP_COUNT_LOW);
}

/* Positions in ai_buffer.format: docs/FORMAT.md, "Buffer formats". NULL: a format of its own. */
static const struct rp_dtype *dtype_of(uint32_t format) {
    enum { TYPE_FLOAT = 1, TYPE_BOOL = 3 };
    const uint32_t type = format >> 17 & 0xF, bits = format >> 7 & 0x7F;
    char name[16];
    if (type == TYPE_BOOL)
        return rp_dtype_find("bool");
    snprintf(name, sizeof name, "%s%u",
             type == TYPE_FLOAT        ? "float"
             : (format >> 23 & 1) != 0 ? "int"
                                       : "uint",
             bits);
    return rp_dtype_find(name);
}

/*
 * A shape comes as batch, channel, width, height and so on; in C the channel is the innermost
 * dimension. Outer dimensions of 1 are left out: they are there to fill the four.
 */
static void take_shape(struct rp_tensor *tensor, const uint8_t *dims, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = rp_get_le32(dims + (i == 0 ? 0 : 4 * (count - i)));
        if (tensor->rank != 0 || size != 1 || i == count - 1)
            tensor->shape[tensor->rank++] = size;
    }
}

/* A tensor whose bytes are not those of its type and shape is described as bytes. */
static bool take_tensor(struct rp_answer *answer, struct rp_arena *arena, const uint8_t *payload,
                        uint32_t size) {
    if (size < RESULT_TENSOR_TAIL)
        return false;
    const uint32_t dims = rp_get_le32(payload + RESULT_TENSOR_DIMS);
    const uint32_t scales = rp_get_le32(payload + RESULT_TENSOR_SCALES);
    const uint32_t bytes = rp_get_le32(payload + RESULT_TENSOR_DATA_BYTES);
    const uint32_t index = rp_get_le32(payload + RESULT_TENSOR_INDEX);
    const bool is_output = rp_get_le32(payload + RESULT_TENSOR_IS_OUTPUT) != 0;
    if (dims > RP_RANK_MAX || scales > (1u << 24) ||
        size < RESULT_TENSOR_TAIL + 4 * dims + 8 * scales)
        return false;
    struct rp_tensor *tensor = RP_PUSH(arena, &answer->tensors[is_output]);
    *tensor = (struct rp_tensor){
        .name = rp_format(arena, "%s_%u", is_output ? "output" : "input", index),
        .dtype = dtype_of(rp_get_le32(payload + RESULT_TENSOR_FORMAT)),
    };
    if (dims != 0)
        take_shape(tensor, payload + RESULT_TENSOR_TAIL, dims);
    const bool known = tensor->dtype != NULL && rp_tensor_bytes(tensor) == bytes;
    if (!known) {
        tensor->dtype = rp_dtype_find("uint8");
        tensor->shape[0] = bytes;
        tensor->rank = 1;
    }
    if (known && scales == 1) {
        const uint8_t *at = payload + RESULT_TENSOR_TAIL + 4 * dims;
        uint32_t word = rp_get_le32(at);
        float scale;
        memcpy(&scale, &word, sizeof scale);
        tensor->quantised = true;
        tensor->scale = (double)scale;
        tensor->zero_point = (int32_t)rp_get_le32(at + 4);
    }
    return true;
}

static void take_node(struct rp_answer *answer, struct rp_arena *arena, const uint8_t *payload) {
    struct rp_node_result *node = RP_PUSH(arena, &answer->observed);
    *node = (struct rp_node_result){
        .index = rp_get_le32(payload + RESULT_NODE_INDEX),
        .type = rp_get_le32(payload + RESULT_NODE_TYPE),
        .id = rp_get_le32(payload + RESULT_NODE_ID),
        .runs = rp_get_le32(payload + RESULT_NODE_RUNS),
        .in = rp_get_le32(payload + RESULT_NODE_IN),
        .out = rp_get_le32(payload + RESULT_NODE_OUT),
        .weights = rp_get_le32(payload + RESULT_NODE_WEIGHTS),
        .scratch = rp_get_le32(payload + RESULT_NODE_SCRATCH),
        .weights_at = rp_get_le32(payload + RESULT_NODE_WEIGHTS_AT),
    };
    for (size_t i = 0; i < HARNESS_NODE_TIMES; i++) {
        const uint8_t *at = payload + RESULT_NODE_TIMES + 8 * i;
        node->times[i] = (uint64_t)rp_get_le32(at + 4) << 32 | rp_get_le32(at);
    }
}

static bool take_record(struct rp_answer *answer, struct rp_arena *arena, uint32_t type,
                        const uint8_t *payload, uint32_t size) {
    switch (type) {
    case RECORD_STEP:
        if (size < RESULT_STEP_BYTES)
            return false;
        take_step(answer, arena, payload);
        return true;
    case RECORD_OUTPUT:
        if (size < RESULT_DATA_BYTES)
            return false;
        *RP_PUSH(arena, &answer->outputs) = (struct rp_output){
            rp_get_le32(payload + RESULT_DATA_STEP), rp_get_le32(payload + RESULT_DATA_INDEX),
            payload + RESULT_DATA_BYTES, size - RESULT_DATA_BYTES};
        return true;
    case RECORD_MODEL:
        if (size < RESULT_MODEL_NAME)
            return false;
        answer->model_name =
            rp_strndup(arena, (const char *)payload + RESULT_MODEL_NAME, size - RESULT_MODEL_NAME);
        answer->nodes = rp_get_le32(payload + RESULT_MODEL_NODES);
        return true;
    case RECORD_TENSOR:
        return take_tensor(answer, arena, payload, size);
    case RECORD_FRAME:
        if (size < RESULT_FRAME_BYTES)
            return false;
        *RP_PUSH(arena, &answer->frames) = (struct rp_frame_result){
            .index = rp_get_le32(payload + RESULT_FRAME_INDEX),
            .parent = rp_get_le32(payload + RESULT_FRAME_PARENT),
            .function = rp_get_le32(payload + RESULT_FRAME_FUNCTION),
            .calls = rp_get_le32(payload + RESULT_FRAME_CALLS),
            .time = rp_get_le32(payload + RESULT_FRAME_TIME) |
                    (uint64_t)rp_get_le32(payload + RESULT_FRAME_TIME + 4) << 32,
            .inside = rp_get_le32(payload + RESULT_FRAME_INSIDE),
        };
        return true;
    case RECORD_FAULT:
        if (size < 4 * FAULT_WORDS)
            return false;
        answer->faulted = true;
        for (size_t i = 0; i < FAULT_WORDS; i++)
            answer->fault[i] = rp_get_le32(payload + 4 * i);
        return true;
    case RECORD_NODE:
        if (size < RESULT_NODE_BYTES)
            return false;
        take_node(answer, arena, payload);
        return true;
    case RECORD_END:
        answer->ended = true;
        return true;
    default: /* header, inputs: not needed here */
        return true;
    }
}

/* Finds the load that each step belongs to, and numbers the runs since that load. */
static void relate(struct rp_answer *answer) {
    const char *modes[HARNESS_INSTANCES] = {0};
    unsigned runs[HARNESS_INSTANCES] = {0};
    for (size_t i = 0; i < answer->steps.count; i++) {
        struct rp_step_result *step = &answer->steps.items[i];
        if (step->instance >= HARNESS_INSTANCES)
            continue;
        if (step->kind == STEP_LOAD_XIP || step->kind == STEP_LOAD_COPY) {
            modes[step->instance] = step->kind == STEP_LOAD_XIP ? "XIP" : "COPY";
            runs[step->instance] = 0;
        }
        step->mode = modes[step->instance];
        if (step->kind == STEP_RUN)
            step->run_number = ++runs[step->instance];
    }
}

bool rp_answer_read(struct rp_answer *answer, struct rp_arena *arena, const struct rp_bytes *bytes,
                    struct rp_error *err) {
    *answer = (struct rp_answer){0};
    bool ok = bytes->size >= RECORD_PAYLOAD + RESULT_HEADER_BYTES &&
              rp_get_le32(bytes->data) == RECORD_HEADER &&
              rp_get_le32(bytes->data + RECORD_PAYLOAD) == HARNESS_RESULT_MAGIC;
    size_t at = 0;
    while (ok && bytes->size - at >= RECORD_PAYLOAD) {
        uint32_t type = rp_get_le32(bytes->data + at);
        uint32_t size = rp_get_le32(bytes->data + at + RECORD_PAYLOAD_BYTES);
        size_t left = bytes->size - at - RECORD_PAYLOAD;
        ok = size <= left &&
             take_record(answer, arena, type, bytes->data + at + RECORD_PAYLOAD, size);
        size_t padded = ((size_t)size + 3) & ~(size_t)3;
        at += RECORD_PAYLOAD + (padded <= left ? padded : left);
    }
    relate(answer);
    return ok || rp_fail(err, RP_E_VERIFY, "the harness's answer is damaged at byte %zu", at);
}

const struct rp_step_result *rp_answer_run(const struct rp_answer *answer, unsigned number) {
    for (size_t i = 0; i < answer->steps.count; i++)
        if (answer->steps.items[i].kind == STEP_RUN && answer->steps.items[i].run_number == number)
            return &answer->steps.items[i];
    return NULL;
}

const struct rp_output *rp_answer_output(const struct rp_answer *answer, uint32_t step,
                                         uint32_t index) {
    for (size_t i = 0; i < answer->outputs.count; i++)
        if (answer->outputs.items[i].step == step && answer->outputs.items[i].index == index)
            return &answer->outputs.items[i];
    return NULL;
}

static bool fail_step(const struct rp_step_result *step, const char *what, struct rp_error *err) {
    char where[64] = "", code[160] = "";
    if (step->where != 0)
        snprintf(where, sizeof where, " at 0x%08x", step->where);
    if (step->code != 0)
        snprintf(code, sizeof code, ": %s", rp_reloc_error_text(step->code));
    else if (step->error != 0)
        snprintf(code, sizeof code, ": ai_error type 0x%02x code 0x%02x", step->error & 0xFF,
                 step->error >> 8);
    return rp_fail(err, RP_E_VERIFY, "%s: %s of instance %u%s%s: %s%s%s", what,
                   kind_text(step->kind), step->instance, step->mode != NULL ? ", mode " : "",
                   step->mode != NULL ? step->mode : "", status_text(step->status), where, code);
}

/*
 * A refusal that the plan expects is good only when its reason is that the image cannot run in
 * place.
 */
static bool is_good(const struct rp_step_result *step) {
    return step->status == STATUS_OK ||
           (step->status == STATUS_EXPECTED &&
            (step->code == RELOC_E_NEEDS_COPY || step->code == RELOC_E_CREATE));
}

/* Bits of CFSR: B3.2.15 of the Armv7-M Architecture Reference Manual; 20: of the Armv8-M one. */
const char *rp_fault_cause(uint32_t cfsr) {
    static const struct {
        uint32_t bit;
        const char *text;
    } causes[] = {
        {0, "an instruction was fetched from memory that is not executable"},
        {1, "a load or store to memory that is protected"},
        {8, "an instruction could not be fetched"},
        {9, "a load or store to an address that holds nothing"},
        {10, "an earlier store to an address that holds nothing"},
        {16, "an undefined instruction"},
        {17, "a jump to an address without the Thumb bit"},
        {18, "a wrong return from an exception"},
        {19, "an instruction of the FPU, which is switched off or not there"},
        {24, "an unaligned access"},
        {25, "a division by zero"},
    };
    if (rp_fault_is_overflow(cfsr))
        return "the stack is too small";
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if ((cfsr >> causes[i].bit & 1) != 0)
            return causes[i].text;
    return "a fault whose cause the core does not give";
}

bool rp_fault_is_overflow(uint32_t cfsr) {
    const uint32_t bits = UINT32_C(1) << 4 | UINT32_C(1) << 12 | UINT32_C(1) << 20;
    return (cfsr & bits) != 0;
}

static bool fail_fault(const struct rp_answer *answer, const char *what, struct rp_error *err) {
    uint32_t cfsr = answer->fault[FAULT_CFSR];
    rp_fail(err, RP_E_VERIFY, "%s: the core faulted in step %u: %s (pc 0x%08x, CFSR 0x%08x)", what,
            answer->fault[FAULT_STEP], rp_fault_cause(cfsr), answer->fault[FAULT_PC], cfsr);
    return rp_fault_is_overflow(cfsr) &&
           rp_hint(err, "there are %u KB of stack: make large arrays of functions static",
                   HARNESS_STACK_BYTES / 1024);
}

bool rp_answer_check(const struct rp_answer *answer, const char *what, struct rp_error *err) {
    for (size_t i = 0; i < answer->steps.count; i++)
        if (!is_good(&answer->steps.items[i]))
            return fail_step(&answer->steps.items[i], what, err);
    if (answer->faulted)
        return fail_fault(answer, what, err);
    return answer->ended ||
           rp_fail(err, RP_E_VERIFY, "%s: the harness stopped before its plan was done", what);
}
