/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers that give an observer access to the tensors of a node: the documented macros of the
 * platform observer API, on the types of ai_reloc_types.h. Include it where a firmware would
 * include the vendor's core_common.h and core_private.h; if those are on the include path, they are
 * used. Chains and lists may be NULL here.
 */
#ifndef AI_RELOC_TENSOR_H
#define AI_RELOC_TENSOR_H

#include "ai_reloc_types.h"

#if defined(AI_PLATFORM_H)

#include "core_common.h"
#include "core_private.h"

#else

/* ---- lists of a node: node->tensors, or node->inner_tensors of a time-distributed one ---- */
enum ai_tensor_chain_type_e {
    AI_TENSOR_CHAIN_INPUT = 0,
    AI_TENSOR_CHAIN_OUTPUT = 1,
    AI_TENSOR_CHAIN_WEIGHTS = 2,
    AI_TENSOR_CHAIN_SCRATCH = 3,
    AI_TENSOR_CHAIN_SIZE = 4
};

/* The list at a position of a chain, or NULL. */
static inline ai_tensor_list *ai_reloc_tensor_list(const ai_tensor_chain *chain, ai_u16 type) {
    return chain != NULL && type < chain->size ? &chain->chain[type] : NULL;
}

/* The tensor at a position of a list, or NULL. */
static inline ai_tensor *ai_reloc_tensor(const ai_tensor_list *list, ai_size position) {
    return list != NULL && position < list->size ? list->tensor[position] : NULL;
}

#define GET_TENSOR_LIST_IN(chain)      ai_reloc_tensor_list(chain, AI_TENSOR_CHAIN_INPUT)
#define GET_TENSOR_LIST_OUT(chain)     ai_reloc_tensor_list(chain, AI_TENSOR_CHAIN_OUTPUT)
#define GET_TENSOR_LIST_WEIGTHS(chain) ai_reloc_tensor_list(chain, AI_TENSOR_CHAIN_WEIGHTS)
#define GET_TENSOR_LIST_SCRATCH(chain) ai_reloc_tensor_list(chain, AI_TENSOR_CHAIN_SCRATCH)

/* A loop over the tensors of a list, as two statements: declares t, and i in the loop. */
#define AI_FOR_EACH_TENSOR_LIST_DO(i, t, list)                                                     \
    ai_tensor *t;                                                                                  \
    for (ai_size i = 0; ((t) = ai_reloc_tensor(list, i)) != NULL; i++)

/* ---- one tensor ---- */
#define AI_TENSOR_SHAPE(t)         (&(t)->shape)
#define AI_TENSOR_GET_FMT(t)       ((t)->data->format)
#define AI_TENSOR_FMT_GET_SIGN(t)  AI_BUFFER_FMT_GET_SIGN(AI_TENSOR_GET_FMT(t))
#define AI_TENSOR_FMT_GET_BITS(t)  AI_BUFFER_FMT_GET_BITS(AI_TENSOR_GET_FMT(t))
#define AI_TENSOR_FMT_GET_FBITS(t) AI_BUFFER_FMT_GET_FBITS(AI_TENSOR_GET_FMT(t))
#define AI_TENSOR_FMT_GET_TYPE(t)  AI_BUFFER_FMT_GET_TYPE(AI_TENSOR_GET_FMT(t))

/* Bytes of the data; elements narrower than a byte are packed. */
static inline ai_size ai_reloc_tensor_bytes(const ai_tensor *t) {
    return (t->data->size * AI_TENSOR_FMT_GET_BITS(t) + 7u) / 8u;
}

/* Moves the data to address; the offset of data in it stays. */
static inline void ai_reloc_tensor_move(ai_tensor *t, ai_uptr address) {
    ai_uptr offset =
        AI_RELOC_RECAST(ai_uptr, t->data->data) - AI_RELOC_RECAST(ai_uptr, t->data->data_start);
    t->data->data_start = AI_RELOC_RECAST(ai_ptr, address);
    t->data->data = AI_RELOC_RECAST(ai_ptr, address + offset);
}

#define AI_TENSOR_ARRAY_BYTE_SIZE(t)     ai_reloc_tensor_bytes(t)
#define AI_TENSOR_ARRAY_GET_DATA_ADDR(t) AI_HANDLE_PTR((t)->data->data_start)
#define AI_TENSOR_ARRAY_UPDATE_DATA_ADDR(t, address)                                               \
    ai_reloc_tensor_move(t, AI_RELOC_RECAST(ai_uptr, address))

/* Scale and zero point of an integer tensor: 0 when it has none at that position. */
static inline const ai_intq_info *ai_reloc_tensor_intq(const ai_tensor *t, ai_size position) {
    const ai_intq_info_list *list = AI_RELOC_CAST(const ai_intq_info_list *, t->klass);
    return list != NULL && position < list->size ? list->info : NULL;
}

static inline ai_float ai_reloc_tensor_scale(const ai_tensor *t, ai_size position) {
    const ai_intq_info *info = ai_reloc_tensor_intq(t, position);
    return info != NULL ? info->scale[position] : 0;
}

static inline ai_i32 ai_reloc_tensor_zero_i8(const ai_tensor *t, ai_size position) {
    const ai_intq_info *info = ai_reloc_tensor_intq(t, position);
    return info != NULL ? AI_RELOC_CAST(const ai_i8 *, info->zeropoint)[position] : 0;
}

static inline ai_i32 ai_reloc_tensor_zero_u8(const ai_tensor *t, ai_size position) {
    const ai_intq_info *info = ai_reloc_tensor_intq(t, position);
    return info != NULL ? AI_RELOC_CAST(const ai_u8 *, info->zeropoint)[position] : 0;
}

#define AI_TENSOR_INTEGER_GET_SCALE(t, position)        ai_reloc_tensor_scale(t, position)
#define AI_TENSOR_INTEGER_GET_ZEROPOINT_I8(t, position) ai_reloc_tensor_zero_i8(t, position)
#define AI_TENSOR_INTEGER_GET_ZEROPOINT_U8(t, position) ai_reloc_tensor_zero_u8(t, position)

/* ---- dimensions of a shape; those that it does not have are 1 ---- */
#define AI_SHAPE_SIZE(shape)                            AI_RELOC_CAST(ai_i32, (shape)->size)
#define AI_SHAPE_ELEM(shape, position)                                                             \
    ((position) < (shape)->size                                                                    \
         ? AI_RELOC_CAST(const ai_shape_dimension *, (shape)->data)[position]                      \
         : 1u)
#define AI_SHAPE_IN_CH(shape) AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_IN_CHANNEL))
#define AI_SHAPE_CH(shape)    AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_CHANNEL))
#define AI_SHAPE_W(shape)     AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_WIDTH))
#define AI_SHAPE_H(shape)     AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_HEIGHT))
#define AI_SHAPE_D(shape)     AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_DEPTH))
#define AI_SHAPE_E(shape)     AI_RELOC_CAST(ai_i32, AI_SHAPE_ELEM(shape, AI_SHAPE_EXTENSION))

#endif
#endif
