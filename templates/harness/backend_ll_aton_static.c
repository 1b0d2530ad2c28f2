/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-end of the harness for the static build of a Neural-ART network: the same generated file,
 * linked in. Its pools lie where the network or the linker says; the host places their contents.
 * HARNESS_NETWORK is the network's name in C.
 */
#include "ll_aton_model.h"
#include "static_got.h"

#define NAMED(prefix, name)  NAMED_(prefix, name)
#define NAMED_(prefix, name) prefix##name
#define OF_NETWORK(prefix)   NAMED(prefix, HARNESS_NETWORK)
#define DECLARE(name)        LL_ATON_DECLARE_NAMED_NN_PROTOS(name)

DECLARE(HARNESS_NETWORK);

/* Not the pack's macro: a network may have no table of internal buffers. */
static const NN_Interface_TypeDef interface = {
    .network_name = "static",
    .ec_network_init = OF_NETWORK(LL_ATON_EC_Network_Init_),
    .ec_inference_init = OF_NETWORK(LL_ATON_EC_Inference_Init_),
    .input_setter = OF_NETWORK(LL_ATON_Set_User_Input_Buffer_),
    .input_getter = OF_NETWORK(LL_ATON_Get_User_Input_Buffer_),
    .output_setter = OF_NETWORK(LL_ATON_Set_User_Output_Buffer_),
    .output_getter = OF_NETWORK(LL_ATON_Get_User_Output_Buffer_),
    .epoch_block_items = OF_NETWORK(LL_ATON_EpochBlockItems_),
    .output_buffers_info = OF_NETWORK(LL_ATON_Output_Buffers_Info_),
    .input_buffers_info = OF_NETWORK(LL_ATON_Input_Buffers_Info_),
};

static void load(struct harness_job *job) {
    NN_Instance_TypeDef *instance = ll_aton_take();
    job->done = instance != NULL;
    if (instance == NULL)
        return;
    instance->network = &interface;
    job->instance->handle = instance;
}

/* A static build has no codes. */
static void explain(struct harness_job *job) {
    (void)job;
}

static void init(struct harness_job *job) {
    uint32_t r9 = enter();
    ll_aton_init(job);
    leave(r9);
}

static void run(struct harness_job *job) {
    uint32_t r9 = enter();
    ll_aton_run(job);
    leave(r9);
}

static const LL_Buffer_InfoTypeDef *inputs(const NN_Instance_TypeDef *of) {
    return of->network->input_buffers_info();
}

static const LL_Buffer_InfoTypeDef *outputs(const NN_Instance_TypeDef *of) {
    return of->network->output_buffers_info();
}

static LL_ATON_User_IO_Result_t set_input(const NN_Instance_TypeDef *of, uint32_t num, void *buffer,
                                          uint32_t size) {
    return of->network->input_setter(num, buffer, size);
}

static LL_ATON_User_IO_Result_t set_output(const NN_Instance_TypeDef *of, uint32_t num,
                                           void *buffer, uint32_t size) {
    return of->network->output_setter(num, buffer, size);
}

const struct ll_aton_access ll_aton_access = {inputs, outputs, set_input, set_output};

const struct harness_backend harness_backend = {
    .kind = BACKEND_STATIC,
    .instances = 1,
    .memory_at_load = true,
    .load = load,
    .init = init,
    .report = ll_aton_report,
    .run = run,
    .observe = ll_aton_observe,
    .unobserve = ll_aton_unobserve,
    .destroy = ll_aton_destroy,
    .find_weights = ll_aton_start,
    .explain = explain,
};
