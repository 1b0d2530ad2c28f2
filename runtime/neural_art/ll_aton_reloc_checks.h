/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Neural-ART loader checks of an image: its structure, and whether it fits the core, the
 * firmware and the pack's release. In: addresses, sizes, a view. Out: RELOC_OK or a code of
 * reloc_errors.def without its sign. Nothing is written but the view. Included by
 * ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_CHECKS_H
#define LL_ATON_RELOC_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ll_aton_lib.h"
#include "ll_aton_reloc_port.h" /* and reloc_core.h, by its settings */
#include "../loader/reloc_address.h"
#include "../format/reloc_npu_core.h"

/*@ predicate npu_given(uint8_t *file, integer size, struct reloc_npu_view *view) =
      reloc_npu_readable(file, size, file) &&
      \separated(view, file + (0 .. RELOC_NPU_HDR_BYTES_13 - 1)) &&
      (size == RELOC_SIZE_UNKNOWN ==>
         \separated(view, file + (reloc_npu_size_at(file, file) ..
                                  reloc_npu_size_at(file, file) + 3)));
*/

/* Opens an image of known (or RELOC_SIZE_UNKNOWN) size and fills view. */
/*@ requires \valid(view);
    requires file != \null ==> npu_given(file, size, view);
    assigns *view;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_checked(view);
    ensures \result == RELOC_OK ==> view->base.image == file && view->base.size == size;
    ensures \result == RELOC_OK ==> file != \null && reloc_address(file) % 4 == 0;
*/
RELOC_OUTLINE uint32_t open_image(const uint8_t *file, uint32_t size, struct reloc_npu_view *view) {
    if (file == NULL || reloc_address_of(file) % 4u != 0)
        return RELOC_N_OBJECT;
    return reloc_npu_check_image(file, size, view);
}

/*
 * A size that leads out of the address space is refused: a failed ftell gives the largest there is.
 */
/*@ requires \valid(view);
    requires file != \null && reloc_address(file) + size <= UINT32_MAX + 1 ==>
      npu_given(file, size, view);
    assigns *view;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_checked(view);
    ensures \result == RELOC_OK ==> view->base.image == file && view->base.size == size;
    ensures \result == RELOC_OK ==> reloc_address(file) + size <= UINT32_MAX + 1;
*/
static uint32_t open_sized(const uint8_t *file, uint32_t size, struct reloc_npu_view *view) {
    return size <= reloc_minus(0, reloc_address_of(file)) ? open_image(file, size, view)
                                                          : (uint32_t)RELOC_N_OBJECT;
}

/*@ requires \valid_read(view) && reloc_npu_sizes(view) && reloc_npu_trailer_place(view);
    requires params != \null && reloc_address(params) + size <= UINT32_MAX + 1 ==>
      reloc_npu_params_readable(view, params, size);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> params != \null && reloc_address(params) % 4 == 0;
    ensures \result == RELOC_OK ==> reloc_npu_params_ok(view, params, size);
*/
static uint32_t check_params(const struct reloc_npu_view *view, const uint8_t *params,
                             uint32_t size) {
    if (params == NULL)
        return RELOC_N_ARGUMENT;
    uint32_t address = reloc_address_of(params);
    return address % 4u == 0 && size <= reloc_minus(0, address)
               ? reloc_npu_check_params_file(view, params, size)
               : (uint32_t)RELOC_N_OBJECT;
}

/*@ assigns \nothing;
    ensures reloc_code(\result);
*/
static uint32_t check_flags(uint32_t flags) {
    uint32_t part = LL_ATON_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_N_CPU;
    if (RELOC_FLAGS_FPU(flags) && (LL_ATON_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_N_FPU;
    if ((flags & RELOC_NPU_FLAG_SECURE) != 0 && !FIRMWARE_SECURE)
        return RELOC_N_SECURE;
    if (((flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0) != FIRMWARE_DBG_INFO)
        return RELOC_N_DBG_INFO;
    return ((flags & RELOC_NPU_FLAG_ASYNC) != 0) != FIRMWARE_ASYNC ? RELOC_N_ASYNC : RELOC_OK;
}

/*
 * Whether image and firmware, which have the same version, have the same call-backs. An image from
 * the firmware's own build always does. 1.1.3 has two tables, and builds between them have an
 * unknown one.
 */
/*@ assigns \nothing; */
static bool same_callbacks(uint32_t extra) {
    if (extra == (uint32_t)LL_ATON_VERSION_DEV || FIRMWARE_RT_VERSION != RT_VERSION_1_1_3)
        return true;
    return LL_ATON_RELOC_GENERATION > 2 ? extra >= DEV_1_1_3_NEW : extra <= DEV_1_1_3_OLD;
}

/*
 * Stops: an image whose call-backs are those of another release, or whose structures have other
 * sizes; an interface that leaves the image.
 */
/*@ requires \valid_read(v) && v->base.ro_bytes <= RELOC_OFFSET_MASK;
    requires v->base.bss_end <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_interface(v, sizeof(char *));
*/
static uint32_t check_runtime(const struct reloc_npu_view *v) {
    enum { SIZES = sizeof(LL_Buffer_InfoTypeDef) | sizeof(EpochBlock_ItemTypeDef) << 8 };
    bool early = FIRMWARE_RT_VERSION < RELOC_NPU_CTX_SINCE;
    if ((v->rt_version & 0xFFFFFF00u) != FIRMWARE_RT_VERSION ||
        !same_callbacks(v->rt_version_extra))
        return RELOC_N_RUNTIME;
    if (!early && (v->struct_sizes & 0xFFFFu) != SIZES)
        return RELOC_N_STRUCT_SIZES;
    return reloc_npu_interface_valid(v, (uint32_t)sizeof(char *)) ? RELOC_OK : RELOC_N_CONTEXT;
}

#endif
