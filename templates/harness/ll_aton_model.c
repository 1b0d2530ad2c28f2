/* SPDX-License-Identifier: Apache-2.0 */
/* Neural-ART instances for the harness: see ll_aton_model.h. */
#include "ll_aton_model.h"

#include <stdbool.h>
#include <string.h>

#include "observe.h"
#include "tensors.h"

static struct {
    NN_Instance_TypeDef instance;
    bool taken;
} slots[HARNESS_INSTANCES];
static uint32_t running; /* number of initialised instances, which share the run-time */

NN_Instance_TypeDef *ll_aton_take(void) {
    for (uint32_t i = 0; i < HARNESS_INSTANCES; i++) {
        if (slots[i].taken)
            continue;
        memset(&slots[i].instance, 0, sizeof slots[i].instance);
        slots[i].taken = true;
        return &slots[i].instance;
    }
    return NULL;
}

static void give_back(const NN_Instance_TypeDef *instance) {
    for (uint32_t i = 0; i < HARNESS_INSTANCES; i++)
        if (&slots[i].instance == instance)
            slots[i].taken = false;
}

static NN_Instance_TypeDef *instance_of(const struct harness_job *job) {
    return job->instance->handle;
}

/* Not measured: the first instance would cost more than the rest. */
void ll_aton_start(struct harness_job *job) {
    (void)job;
    if (running == 0)
        LL_ATON_RT_RuntimeInit();
}

void ll_aton_init(struct harness_job *job) {
    running++;
    LL_ATON_RT_Init_Network(instance_of(job));
    job->done = true;
}

void ll_aton_destroy(struct harness_job *job) {
    if (job->instance->initialized) {
        LL_ATON_RT_DeInit_Network(instance_of(job));
        if (--running == 0)
            LL_ATON_RT_RuntimeDeInit();
    }
    give_back(instance_of(job));
    job->done = true;
}

/* ---- the report ---- */

static ai_buffer_format format_of(const LL_Buffer_InfoTypeDef *buffer) {
    ai_u32 type = AI_BUFFER_FMT_TYPE_Q;
    ai_u32 is_signed = buffer->Qunsigned ? 0 : 1u << 23;
    if (buffer->type == DataType_FLOAT || buffer->type == DataType_DOUBLE) {
        type = AI_BUFFER_FMT_TYPE_FLOAT;
        is_signed = 1u << 23;
    } else if (buffer->type == DataType_BOOL) {
        type = AI_BUFFER_FMT_TYPE_BOOL;
        is_signed = 0;
    }
    return (ai_buffer_format)(is_signed | type << 17 | (ai_u32)buffer->nbits << 7 | 64u);
}

/* A table ends with an unnamed buffer; parameters may stand behind the others. */
static uint32_t count(const LL_Buffer_InfoTypeDef *list) {
    uint32_t number = 0;
    while (list != NULL && list[number].name != NULL && !list[number].is_param)
        number++;
    return number;
}

static void list_buffers(ai_buffer *out, const LL_Buffer_InfoTypeDef *list, uint32_t number) {
    for (uint32_t i = 0; i < number && i < TENSORS_MAX; i++)
        out[i] = (ai_buffer){.format = format_of(&list[i]),
                             .data = LL_Buffer_addr_start(&list[i]),
                             .size = LL_Buffer_len(&list[i]) * 8u / list[i].nbits,
                             .shape = {.size = list[i].ndims,
                                       .data = (ai_shape_dimension *)(uintptr_t)list[i].shape}};
}

void ll_aton_report(struct harness_job *job) {
    static ai_buffer inputs[TENSORS_MAX], outputs[TENSORS_MAX];
    const LL_Buffer_InfoTypeDef *in = ll_aton_access.inputs(instance_of(job));
    const LL_Buffer_InfoTypeDef *out = ll_aton_access.outputs(instance_of(job));
    ai_network_report *report = job->report;
    report->inputs = inputs;
    report->outputs = outputs;
    report->n_inputs = (ai_u16)count(in);
    report->n_outputs = (ai_u16)count(out);
    list_buffers(inputs, in, report->n_inputs);
    list_buffers(outputs, out, report->n_outputs);
    job->done = in != NULL && out != NULL;
}

/* ---- one inference ---- */

/* Buffers that the user allocates are the harness's own. */
static void *place_of(const LL_Buffer_InfoTypeDef *buffer, const ai_buffer *own) {
    return buffer->is_user_allocated ? own->data : LL_Buffer_addr_start(buffer);
}

/* The NPU reads memory, not the core's cache. */
static bool give_inputs(const struct harness_job *job, const LL_Buffer_InfoTypeDef *list) {
    for (uint32_t i = 0; i < count(list); i++) {
        const uint32_t size = LL_Buffer_len(&list[i]);
        void *place = place_of(&list[i], &job->input[i]);
        if (!list[i].is_user_allocated)
            memcpy(place, job->input[i].data, size);
        else if (ll_aton_access.set_input(instance_of(job), i, place, size) !=
                 LL_ATON_User_IO_NOERROR)
            return false;
        LL_ATON_Cache_MCU_Clean_Range((uintptr_t)place, size);
    }
    return true;
}

/* What the core has written there must not overwrite what the NPU writes. */
static bool give_outputs(const struct harness_job *job, const LL_Buffer_InfoTypeDef *list) {
    for (uint32_t i = 0; i < count(list); i++) {
        const uint32_t size = LL_Buffer_len(&list[i]);
        void *place = place_of(&list[i], &job->output[i]);
        if (list[i].is_user_allocated &&
            ll_aton_access.set_output(instance_of(job), i, place, size) != LL_ATON_User_IO_NOERROR)
            return false;
        LL_ATON_Cache_MCU_Clean_Invalidate_Range((uintptr_t)place, size);
    }
    return true;
}

static void take_outputs(const struct harness_job *job, const LL_Buffer_InfoTypeDef *list) {
    for (uint32_t i = 0; i < count(list); i++) {
        const uint32_t size = LL_Buffer_len(&list[i]);
        void *place = place_of(&list[i], &job->output[i]);
        LL_ATON_Cache_MCU_Invalidate_Range((uintptr_t)place, size);
        if (!list[i].is_user_allocated)
            memcpy(job->output[i].data, place, size);
    }
}

void ll_aton_run(struct harness_job *job) {
    NN_Instance_TypeDef *instance = instance_of(job);
    const LL_Buffer_InfoTypeDef *outputs = ll_aton_access.outputs(instance);
    job->done = give_inputs(job, ll_aton_access.inputs(instance)) && give_outputs(job, outputs);
    if (!job->done)
        return;
    LL_ATON_RT_RetValues_t next;
    while ((next = LL_ATON_RT_RunEpochBlock(instance)) != LL_ATON_RT_DONE) {
        job->value++; /* epoch blocks */
        if (next == LL_ATON_RT_WFE)
            LL_ATON_OSAL_WFE();
    }
    take_outputs(job, outputs);
    LL_ATON_RT_Reset_Network(instance);
}

/* ---- epochs ---- */

/* The run-time calls it directly, with the firmware's r9. */
static void on_epoch(LL_ATON_RT_Callbacktype_t type, const NN_Instance_TypeDef *instance,
                     const EpochBlock_ItemTypeDef *block) {
    (void)instance;
    if (type > LL_ATON_RT_Callbacktype_POST_END)
        return;
    const struct observed_node node = {
        .key = (uint32_t)(uintptr_t)block,
        .type = block->flags,
#ifdef LL_ATON_EB_DBG_INFO
        .id = (uint16_t)block->epoch_num | (uint32_t)(uint16_t)block->last_epoch_num << 16,
#else
        .id = HARNESS_ANY,
#endif
    };
    observe_moment(&node, (uint32_t)type);
}

/* Two moments of an epoch, as the run-time notifies them, for observe_begin. */
static ai_u32 as_epoch(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    static const EpochBlock_ItemTypeDef block;
    (void)cookie;
    (void)node;
    on_epoch(flags & AI_OBSERVER_PRE_EVT ? LL_ATON_RT_Callbacktype_PRE_START
                                         : LL_ATON_RT_Callbacktype_POST_START,
             NULL, &block);
    return 0;
}

void ll_aton_observe(struct harness_job *job) {
    static const ai_observer_exec_ctx observer = {.on_node = as_epoch};
    instance_of(job)->exec_state.epoch_callback_function = on_epoch;
    job->observer = &observer;
    job->done = true;
}

void ll_aton_unobserve(struct harness_job *job) {
    job->done = instance_of(job)->exec_state.epoch_callback_function == on_epoch;
    instance_of(job)->exec_state.epoch_callback_function = NULL;
}
