/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue of a Neural-ART image: the pack's own macro AI_RELOC_NETWORK defines flags word, entry
 * vector and context; the table of pool descriptors is ours.
 *
 * Variables: MODEL_CONF (npu_conf.h, generated: names and sizes); npu_pools.h, generated: one
 * RP_POOL(name, flags, foff, dst, size) per row.
 */
#include <stdint.h>

#include "ll_aton_NN_interface.h"

#include MODEL_CONF

#define RP_JOIN(prefix, name)  prefix##name
#define RP_NAMED(prefix, name) RP_JOIN(prefix, name)
#define RP_DECLARE(name)       LL_ATON_DECLARE_NAMED_NN_PROTOS(name)

RP_DECLARE(C_FCT_SUFFIX);

/* The macro of LL_ATON 1.1.0 only knows the name Default. */
#define LL_ATON_EC_Network_Init_Default       RP_NAMED(LL_ATON_EC_Network_Init_, C_FCT_SUFFIX)
#define LL_ATON_EC_Inference_Init_Default     RP_NAMED(LL_ATON_EC_Inference_Init_, C_FCT_SUFFIX)
#define LL_ATON_Set_User_Input_Buffer_Default RP_NAMED(LL_ATON_Set_User_Input_Buffer_, C_FCT_SUFFIX)
#define LL_ATON_Get_User_Input_Buffer_Default RP_NAMED(LL_ATON_Get_User_Input_Buffer_, C_FCT_SUFFIX)
#define LL_ATON_Set_User_Output_Buffer_Default                                                     \
    RP_NAMED(LL_ATON_Set_User_Output_Buffer_, C_FCT_SUFFIX)
#define LL_ATON_Get_User_Output_Buffer_Default                                                     \
    RP_NAMED(LL_ATON_Get_User_Output_Buffer_, C_FCT_SUFFIX)
#define LL_ATON_EpochBlockItems_Default     RP_NAMED(LL_ATON_EpochBlockItems_, C_FCT_SUFFIX)
#define LL_ATON_Output_Buffers_Info_Default RP_NAMED(LL_ATON_Output_Buffers_Info_, C_FCT_SUFFIX)
#define LL_ATON_Input_Buffers_Info_Default  RP_NAMED(LL_ATON_Input_Buffers_Info_, C_FCT_SUFFIX)

#include "ll_aton_reloc_network.h"

AI_RELOC_NETWORK();

/* Its address is the number of bytes that blobs take at the start of the params. */
extern const unsigned char _rp_blob_bytes[];
#define RP_BLOB_BYTES (uint32_t) _rp_blob_bytes

#define RP_POOL(name, flags, foff, dst, size) {name, flags, foff, dst, size},
static ll_aton_reloc_mem_pool_desc __attribute__((used, section(".params_desc"))) _params_desc[] = {
#include "npu_pools.h"
    {0, 0, 0, 0, 0},
};
