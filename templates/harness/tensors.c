/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and outputs of a run: see tensors.h. */
#include "tensors.h"

#include <string.h>

#include "harness.h"
#include "memory.h"
#include "result.h"

static uint32_t address_of(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static uint32_t format_bits(const ai_buffer *buffer) {
    uint32_t bits = AI_BUFFER_FMT_GET_BITS(buffer->format);
    return bits == 0 ? 8 : bits;
}

/*
 * One-bit tensors (binarised networks): the channels, the last stored dimension, fill whole words.
 */
static uint32_t packed_bits_bytes(const ai_buffer *buffer) {
    uint32_t channels = AI_BUFFER_SHAPE_SIZE(buffer) > AI_SHAPE_CHANNEL
                            ? AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_CHANNEL)
                            : 0;
    if (channels == 0)
        return (buffer->size + 7) / 8;
    return buffer->size / channels * ((channels + 31) / 32 * 4);
}

uint32_t tensor_bytes(const ai_buffer *buffer) {
    uint32_t bits = format_bits(buffer);
    if (bits == 1)
        return packed_bits_bytes(buffer);
    return (uint32_t)(((uint64_t)buffer->size * bits + 7) / 8);
}

/* ---- places ---- */

/* Takes the next place in [*at, end), behind a guard; false if there is none. */
static bool place(const struct tensors *tensors, ai_buffer *buffer, uint32_t *at, uint32_t end) {
    uint32_t bytes = tensor_bytes(buffer);
    uint32_t skip = tensors->guard_bytes;
    skip += (0u - (*at + skip)) & ((uint32_t)HARNESS_IO_ALIGN - 1u);
    if (skip > end - *at || bytes > end - *at - skip)
        return false;
    buffer->data = (ai_handle)(uintptr_t)(*at + skip);
    *at += skip + bytes;
    return true;
}

static bool place_all(struct tensors *tensors, uint32_t *at, uint32_t end) {
    for (uint32_t i = 0; i < tensors->inputs; i++)
        if (!place(tensors, &tensors->input[i], at, end))
            return false;
    for (uint32_t i = 0; i < tensors->outputs; i++)
        if (!place(tensors, &tensors->output[i], at, end))
            return false;
    return tensors->guard_bytes <= end - *at;
}

/* A part of the area, and its fill word. */
struct part {
    uint32_t address, end;
    uint32_t word;
    enum harness_guarded belongs_to;
};
enum { PARTS_PER_BUFFER = 3 };

/* The buffer at that position of the whole list, inputs first. */
static const ai_buffer *buffer_at(const struct tensors *tensors, uint32_t number) {
    return number < tensors->inputs ? &tensors->input[number]
                                    : &tensors->output[number - tensors->inputs];
}

static uint32_t word_of(const struct tensors *tensors, uint32_t number, enum harness_side side) {
    return number < tensors->inputs ? harness_word(GUARDED_INPUT, number, side)
                                    : harness_word(GUARDED_OUTPUT, number - tensors->inputs, side);
}

/*
 * The parts of the area in order, three for each buffer: before, inside, behind. The space between
 * two buffers is halved. False: that was the last part.
 */
static bool part_of(const struct tensors *tensors, uint32_t number, struct part *part) {
    uint32_t which = number / PARTS_PER_BUFFER;
    uint32_t count = tensors->inputs + tensors->outputs;
    if (which >= count)
        return false;
    const ai_buffer *buffer = buffer_at(tensors, which);
    enum harness_side side = (enum harness_side)(SIDE_BEFORE + number % PARTS_PER_BUFFER);
    uint32_t start = address_of(buffer->data);
    uint32_t end = start + tensor_bytes(buffer);
    uint32_t before = tensors->area, behind = tensors->area_end;
    if (which != 0) {
        const ai_buffer *last = buffer_at(tensors, which - 1);
        before = address_of(last->data) + tensor_bytes(last);
        before += (start - before) / 2;
    }
    if (which + 1 < count)
        behind = end + (address_of(buffer_at(tensors, which + 1)->data) - end) / 2;
    part->address = side == SIDE_BEFORE ? before : side == SIDE_INSIDE ? start : end;
    part->end = side == SIDE_BEFORE ? start : side == SIDE_INSIDE ? end : behind;
    part->word = word_of(tensors, which, side);
    part->belongs_to = which < tensors->inputs ? GUARDED_INPUT : GUARDED_OUTPUT;
    return true;
}

enum harness_status tensors_place(struct tensors *tensors, const ai_network_report *report,
                                  struct harness_area_used area, uint32_t guard_bytes) {
    struct part part;
    if (report->n_inputs > TENSORS_MAX || report->n_outputs > TENSORS_MAX)
        return STATUS_TENSORS;
    if (report->inputs == NULL || report->outputs == NULL || report->n_outputs == 0)
        return STATUS_REPORT;
    tensors->inputs = report->n_inputs;
    tensors->outputs = report->n_outputs;
    memcpy(tensors->input, report->inputs, report->n_inputs * sizeof(ai_buffer));
    memcpy(tensors->output, report->outputs, report->n_outputs * sizeof(ai_buffer));
    uint32_t at = area.address;
    tensors->guard_bytes = guard_bytes;
    if (!place_all(tensors, &at, area.address + area.size_bytes))
        return STATUS_IO_SIZE;
    tensors->area = area.address;
    tensors->area_end = at + guard_bytes;
    for (uint32_t i = 0; part_of(tensors, i, &part); i++)
        memory_fill(part.address, part.end - part.address, part.word);
    return STATUS_OK;
}

bool tensors_guards_changed(const struct tensors *tensors, uint32_t *where, uint32_t *which) {
    struct part part;
    for (uint32_t i = 0; part_of(tensors, i, &part); i++) {
        *which = part.belongs_to;
        if (i % PARTS_PER_BUFFER != 1 &&
            memory_changed(part.address, part.end - part.address, part.word, where))
            return true;
    }
    return false;
}

/* ---- contents ---- */

enum harness_status tensors_load(const struct tensors *tensors, uint32_t source, uint32_t size) {
    for (uint32_t i = 0; i < tensors->inputs; i++) {
        uint32_t bytes = tensor_bytes(&tensors->input[i]);
        if (bytes > size)
            return STATUS_INPUT_SIZE;
        memcpy(tensors->input[i].data, (const void *)(uintptr_t)source, bytes);
        source += bytes;
        size -= bytes;
    }
    return size == 0 ? STATUS_OK : STATUS_INPUT_SIZE;
}

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Bytes of one generated element: plan.h, "Seeded inputs". */
static uint32_t element_bytes(const ai_buffer *buffer) {
    uint32_t bits = format_bits(buffer);
    return bits == 16 || bits == 32 ? bits / 8 : 1;
}

static uint32_t element(const ai_buffer *buffer, uint32_t random) {
    uint32_t type = AI_BUFFER_FMT_GET_TYPE(buffer->format);
    uint32_t bits = 8 * element_bytes(buffer);
    if (bits == 32 && type == AI_BUFFER_FMT_TYPE_FLOAT) {
        /* Integers below 2^24 and a power of two: exact, whatever the core's rounding */
        float value = (float)((int32_t)(random >> 8) - 0x800000) / 8388608.0f;
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        return word;
    }
    return type == AI_BUFFER_FMT_TYPE_BOOL ? random >> 31 : random >> (32 - bits);
}

void tensors_seed(const struct tensors *tensors, uint32_t seed) {
    uint32_t state = seed == 0 ? UINT32_C(0x9E3779B9) : seed;
    for (uint32_t i = 0; i < tensors->inputs; i++) {
        const ai_buffer *buffer = &tensors->input[i];
        uint32_t each = element_bytes(buffer);
        uint8_t *data = (uint8_t *)buffer->data;
        for (uint32_t at = 0; at + each <= tensor_bytes(buffer); at += each) {
            uint32_t word = element(buffer, next_random(&state));
            memcpy(data + at, &word, each);
        }
    }
}

/* ---- records ---- */

void tensors_record(const ai_buffer *buffers, uint32_t count, enum harness_record type) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bytes = tensor_bytes(&buffers[i]);
        result_begin(type, RESULT_DATA_BYTES + bytes);
        result_word(harness_step);
        result_word(i);
        result_bytes(buffers[i].data, bytes);
        result_end();
    }
}

static const ai_intq_info_list *quantisation(const ai_buffer *buffer) {
    const ai_buffer_meta_info *meta = AI_BUFFER_META_INFO(buffer);
    if (meta == NULL || (meta->flags & AI_BUFFER_META_HAS_INTQ_INFO) == 0 ||
        meta->intq_info == NULL || meta->intq_info->info == NULL)
        return NULL;
    return meta->intq_info;
}

static void record_scales(const ai_intq_info_list *list) {
    for (uint32_t i = 0; i < list->size; i++) {
        uint32_t scale;
        memcpy(&scale, &list->info->scale[i], sizeof scale);
        int32_t zero = (list->flags & AI_BUFFER_META_FLAG_ZEROPOINT_U8)
                           ? ((const uint8_t *)list->info->zeropoint)[i]
                           : ((const int8_t *)list->info->zeropoint)[i];
        result_word(scale);
        result_word((uint32_t)zero);
    }
}

static void describe(const ai_buffer *buffer, uint32_t is_output, uint32_t index) {
    const ai_intq_info_list *list = quantisation(buffer);
    uint32_t scales = list != NULL ? list->size : 0;
    uint32_t dims = AI_BUFFER_SHAPE_SIZE(buffer);
    const uint32_t words[] = {harness_step,
                              is_output,
                              index,
                              (uint32_t)buffer->format,
                              buffer->size,
                              tensor_bytes(buffer),
                              address_of(buffer->data),
                              dims,
                              scales};
    _Static_assert(sizeof words == RESULT_TENSOR_TAIL, "the TENSOR record's fixed words");
    result_begin(RECORD_TENSOR, RESULT_TENSOR_TAIL + 4 * dims + 8 * scales);
    result_bytes(words, sizeof words);
    result_bytes(buffer->shape.data, 4 * dims);
    if (list != NULL)
        record_scales(list);
    result_end();
}

static uint32_t version_word(const ai_platform_version *version) {
    uint32_t word;
    memcpy(&word, version, sizeof word);
    return word;
}

void tensors_describe(const ai_network_report *report) {
    uint64_t macc = report->n_macc;
    const char *name = report->model_name;
    uint32_t length = 0;
    while (name != NULL && length < 255 && name[length] != '\0')
        length++;
    const uint32_t words[] = {harness_step,
                              report->n_inputs,
                              report->n_outputs,
                              report->n_nodes,
                              report->signature,
                              version_word(&report->runtime_version),
                              version_word(&report->tool_version),
                              (uint32_t)macc,
                              (uint32_t)(macc >> 32)};
    _Static_assert(sizeof words == RESULT_MODEL_NAME, "the MODEL record's fixed words");
    result_begin(RECORD_MODEL, RESULT_MODEL_NAME + length);
    result_bytes(words, sizeof words);
    result_bytes(name, length);
    result_end();
    for (uint32_t i = 0; i < report->n_inputs; i++)
        describe(&report->inputs[i], 0, i);
    for (uint32_t i = 0; i < report->n_outputs; i++)
        describe(&report->outputs[i], 1, i);
}
