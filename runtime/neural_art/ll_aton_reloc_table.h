/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default table of functions that an image calls in the firmware. It has the members of the
 * pack's struct ll_aton_reloc_callback, in its order. It is filled by name, and its size tells when
 * a release has other members. Included by ll_aton_reloc_network.c only.
 *
 * The image's call-back stubs save and restore its r9, but they call with it. Firmware that
 * reserves r9 (-ffixed-r9 and one value in it from start to end) defines LL_ATON_RELOC_FIRMWARE_R9.
 * Then each member is a stub here that sets r9 to its value at the last installation. Position-
 * independent firmware that reaches its own data through r9 cannot use this table.
 */
#ifndef LL_ATON_RELOC_TABLE_H
#define LL_ATON_RELOC_TABLE_H

#include "ll_aton_lib.h"
#include "ll_aton_reloc_network.h"
#include "ll_aton_reloc_port.h"
#include "../loader/reloc_shim.h"

#ifndef LL_ATON_RELOC_CALLBACKS

/* ---- what the image reports; the pack's cache functions are inline ---- */

static void table_assert(const char *file, int line, const char *function, const char *text) {
    (void)file, (void)line, (void)function, (void)text;
#ifdef AI_RELOC_LOG
    AI_RELOC_LOG("image: %s:%d: %s: %s\r\n", file, line, function, text);
#endif
    LL_ATON_RELOC_FATAL();
}

static void table_error(int code, int line, const char *function) {
    (void)code, (void)line, (void)function;
#ifdef AI_RELOC_LOG
    AI_RELOC_LOG("image: error %d, line %d: %s\r\n", code, line, function);
#endif
    LL_ATON_RELOC_FATAL();
}

static void table_mcu_clean(uintptr_t address, uint32_t size) {
    LL_ATON_Cache_MCU_Clean_Range(address, size);
}

static void table_mcu_invalidate(uintptr_t address, uint32_t size) {
    LL_ATON_Cache_MCU_Invalidate_Range(address, size);
}

static void table_mcu_clean_invalidate(uintptr_t address, uint32_t size) {
    LL_ATON_Cache_MCU_Clean_Invalidate_Range(address, size);
}

static void table_npu_clean(uintptr_t address, uint32_t size) {
    LL_ATON_Cache_NPU_Clean_Range(address, size);
}

static void table_npu_clean_invalidate(uintptr_t address, uint32_t size) {
    LL_ATON_Cache_NPU_Clean_Invalidate_Range(address, size);
}

/* ---- members: E(name, function) each ---- */

#define MEMBERS_SERVICES(E)                                                                        \
    E(assert_func, table_assert)                                                                   \
    E(ll_lib_error, table_error)                                                                   \
    E(ll_aton_cache_mcu_clean_range, table_mcu_clean)                                              \
    E(ll_aton_cache_mcu_invalidate_range, table_mcu_invalidate)                                    \
    E(ll_aton_cache_mcu_clean_invalidate_range, table_mcu_clean_invalidate)                        \
    E(ll_aton_cache_npu_clean_range, table_npu_clean)                                              \
    E(ll_aton_cache_npu_clean_invalidate_range, table_npu_clean_invalidate)
#define MEMBERS_LIB(E)                                                                             \
    E(ll_aton_lib_concat, LL_ATON_LIB_Concat)                                                      \
    E(ll_aton_lib_cast, LL_ATON_LIB_Cast)                                                          \
    E(ll_aton_lib_softmax, LL_ATON_LIB_Softmax)                                                    \
    E(ll_aton_lib_dma_imagetorow, LL_ATON_LIB_DMA_ImageToRow)                                      \
    E(ll_aton_lib_dma_spacetodepth, LL_ATON_LIB_DMA_SpaceToDepth)                                  \
    E(ll_aton_lib_dma_rowtoimage, LL_ATON_LIB_DMA_RowToImage)                                      \
    E(ll_aton_lib_dma_depthtospace, LL_ATON_LIB_DMA_DepthToSpace)                                  \
    E(ll_aton_lib_dma_outputs_slice_splitlike, LL_ATON_LIB_DMA_Outputs_Slice_SplitLike)            \
    E(ll_aton_lib_dma_transpose, LL_ATON_LIB_DMA_Transpose)
#define MEMBERS_SPLIT(E, prefix)                                                                   \
    E(ll_aton_lib_dma_outputs_flat_copy, prefix##LL_ATON_LIB_DMA_Outputs_Flat_Copy)                \
    E(ll_aton_lib_dma_outputs_channel_split_aton,                                                  \
      prefix##LL_ATON_LIB_DMA_Outputs_Channel_Split_Aton)                                          \
    E(ll_aton_lib_dma_outputs_channel_split_batched,                                               \
      prefix##LL_ATON_LIB_DMA_Outputs_Channel_Split_Batched)
#define MEMBERS_PAD(E)                                                                             \
    E(ll_aton_lib_dma_pad_memset, LL_ATON_LIB_DMA_Pad_Memset)                                      \
    E(ll_aton_lib_dma_pad_filling, LL_ATON_LIB_DMA_Pad_Filling)

#if LL_ATON_RELOC_GENERATION <= 1
#define MEMBERS(E) MEMBERS_SERVICES(E) MEMBERS_LIB(E) MEMBERS_SPLIT(E, ) MEMBERS_PAD(E)
#elif LL_ATON_RELOC_GENERATION == 2
#define MEMBERS(E)                                                                                 \
    MEMBERS_SERVICES(E)                                                                            \
    MEMBERS_LIB(E)                                                                                 \
    MEMBERS_SPLIT(E, )                                                                             \
    MEMBERS_PAD(E)                                                                                 \
    E(ll_aton_lib_async_memcpy, LL_ATON_LIB_Async_Memcpy)                                          \
    E(ll_aton_lib_dma_pad_4loop_filling, LL_ATON_LIB_DMA_Pad_4Loop_Filling)
#else
#define MEMBERS(E)                                                                                 \
    MEMBERS_SERVICES(E)                                                                            \
    MEMBERS_LIB(E)                                                                                 \
    MEMBERS_SPLIT(E, __)                                                                           \
    E(ll_aton_lib_pad_std, LL_ATON_LIB_Pad_Standard)                                               \
    E(ll_aton_lib_pad_4loop, LL_ATON_LIB_Pad_4Loop)
#endif

/* ---- the table ---- */

#ifdef LL_ATON_RELOC_FIRMWARE_R9
static uint32_t firmware_r9;
/*
 * Ends in a jump, so that arguments stay where they are, including those on the stack; a call may
 * change r12. Symbols are operands instead of text, so that link-time optimisation sees them.
 */
#define MEMBER_STUB(member, function)                                                              \
    RELOC_NAKED static void stub_##member(void) {                                                  \
        __asm__ volatile("movw r12, #:lower16:%c0\n\t"                                             \
                         "movt r12, #:upper16:%c0\n\t"                                             \
                         "ldr r9, [r12]\n\t"                                                       \
                         "b %c1"                                                                   \
                         :                                                                         \
                         : "i"(&firmware_r9), "i"(function));                                      \
    }
#define MEMBER_ENTRY(member, function)                                                             \
    .member = (__typeof__(((struct ll_aton_reloc_callback *)0)->member))stub_##member,
MEMBERS(MEMBER_STUB)
#else
#define MEMBER_ENTRY(member, function) .member = function,
#endif
#define MEMBER_COUNT(member, function) +1

static const struct ll_aton_reloc_callback default_callbacks = {MEMBERS(MEMBER_ENTRY)};
_Static_assert(sizeof default_callbacks == sizeof(void *) * (0 MEMBERS(MEMBER_COUNT)),
               "this release of LL_ATON has other call-backs: define LL_ATON_RELOC_CALLBACKS");
#define LL_ATON_RELOC_CALLBACKS (&default_callbacks)

#endif

/* Called at each installation. */
static inline void remember_firmware_r9(void) {
#if defined(LL_ATON_RELOC_FIRMWARE_R9) && defined(MEMBER_STUB)
    firmware_r9 = reloc_get_r9();
#endif
}

#endif
