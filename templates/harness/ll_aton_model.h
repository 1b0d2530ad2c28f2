/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of both Neural-ART back-ends: presents an instance of the pack's run-time as a
 * model with a report, and runs it from the harness's buffers.
 */
#ifndef HARNESS_LL_ATON_MODEL_H
#define HARNESS_LL_ATON_MODEL_H

#include "harness.h"

/* The release before has neither this header nor the names of the caches' functions. */
#if !__has_include("ll_aton_rt_user_api.h")
#error "this pack's LL_ATON is older than 1.1.1: images can be made for it, not verified or run by the service"
#endif
#include "ll_aton_rt_user_api.h"
#include "part.h"

/* How one build reaches the tables and the user-allocated buffers of an instance. */
struct ll_aton_access {
    const LL_Buffer_InfoTypeDef *(*inputs)(const NN_Instance_TypeDef *of);
    const LL_Buffer_InfoTypeDef *(*outputs)(const NN_Instance_TypeDef *of);
    LL_ATON_User_IO_Result_t (*set_input)(const NN_Instance_TypeDef *of, uint32_t num, void *buffer,
                                          uint32_t size);
    LL_ATON_User_IO_Result_t (*set_output)(const NN_Instance_TypeDef *of, uint32_t num,
                                           void *buffer, uint32_t size);
};
extern const struct ll_aton_access ll_aton_access;

/* A free instance, all zero, for the handle of a harness_instance; NULL: there is none. */
PART NN_Instance_TypeDef *ll_aton_take(void);
/* The back-end's functions except load, check and explain; call start before init. */
PART void ll_aton_start(struct harness_job *job);
PART void ll_aton_init(struct harness_job *job);
PART void ll_aton_report(struct harness_job *job);
PART void ll_aton_run(struct harness_job *job);
PART void ll_aton_observe(struct harness_job *job);
PART void ll_aton_unobserve(struct harness_job *job);
PART void ll_aton_destroy(struct harness_job *job);

#endif
