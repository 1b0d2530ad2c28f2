/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the loader where no image is used: the run-time must not call any of these. */
#include "semihost.h"

#include "ll_aton_reloc_network.h"

enum { EXIT_NO_LOADER = 20 };

#define NEVER(type, name)                                                                          \
    type name {                                                                                    \
        semihost_exit(EXIT_NO_LOADER);                                                             \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

NEVER(bool, ai_rel_network_ec_network_init(uintptr_t inst))
NEVER(bool, ai_rel_network_ec_inference_init(uintptr_t inst))
NEVER(LL_ATON_User_IO_Result_t,
      ai_rel_network_set_input(uintptr_t inst, uint32_t num, void *buffer, uint32_t size))
NEVER(void *, ai_rel_network_get_input(uintptr_t inst, uint32_t num))
NEVER(LL_ATON_User_IO_Result_t,
      ai_rel_network_set_output(uintptr_t inst, uint32_t num, void *buffer, uint32_t size))
NEVER(void *, ai_rel_network_get_output(uintptr_t inst, uint32_t num))
NEVER(const EpochBlock_ItemTypeDef *, ai_rel_network_get_epoch_items(uintptr_t inst))
NEVER(const LL_Buffer_InfoTypeDef *, ai_rel_network_get_output_buffers_info(uintptr_t inst))
NEVER(const LL_Buffer_InfoTypeDef *, ai_rel_network_get_input_buffers_info(uintptr_t inst))
NEVER(const LL_Buffer_InfoTypeDef *, ai_rel_network_get_internal_buffers_info(uintptr_t inst))
#if LL_ATON_STANDIN_INSTANCE_ARGUMENT
NEVER(void, ai_rel_call_start_end_function(uintptr_t inst, start_end_func_ptr fct,
                                           const LL_ATON_RT_EpochBlockItem_t *epoch_block,
                                           const NN_Instance_TypeDef *nn_instance))
#else
NEVER(void, ai_rel_call_start_end_function(uintptr_t inst, start_end_func_ptr fct,
                                           const void *epoch_block))
#endif
