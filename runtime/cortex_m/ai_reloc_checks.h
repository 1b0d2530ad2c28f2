/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the loader checks before a load: the image, the core, the RAM; and with AI_RELOC_HARDENED
 * all of that a second time (ai_reloc_second.h). In: the arguments of the functions in
 * ai_reloc_network.h. Out: RELOC_OK or a code. Nothing is written. Included by ai_reloc_network.c
 * only.
 */
#ifndef AI_RELOC_CHECKS_H
#define AI_RELOC_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "../ai_reloc_network.h"
#include "ai_reloc_signed_load.h"
#include "../loader/reloc_address.h"
#include "../loader/reloc_port.h" /* and reloc_core.h, by its settings */

/*@ predicate reloc_given(uint8_t *obj, integer size, struct reloc_view *view) =
      reloc_readable(obj, size, obj) && \separated(view, obj + (0 .. RELOC_HDR_BYTES - 1));
*/

/*
 * Opens an image of known (or RELOC_SIZE_UNKNOWN) size and fills view. A size that leads out of the
 * address space is refused: a failed ftell gives the largest size there is.
 */
/*@ requires \valid(view);
    requires obj != \null ==> reloc_given(obj, size, view);
    assigns *view;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_checked(view);
    ensures \result == RELOC_OK ==> view->image == obj && view->size == size;
    ensures \result == RELOC_OK ==> obj != \null && reloc_address(obj) % 4 == 0;
*/
static uint32_t open_image(const uint8_t *obj, uint32_t size, struct reloc_view *view) {
    if (obj == NULL || reloc_address_of(obj) % 4u != 0)
        return RELOC_N_OBJECT;
    return reloc_check_image(obj, size, view);
}

/*@ requires \valid(view);
    requires obj != \null && reloc_address(obj) + size <= UINT32_MAX + 1 ==>
      reloc_given(obj, size, view);
    assigns *view;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_checked(view);
    ensures \result == RELOC_OK ==> view->image == obj && view->size == size;
    ensures \result == RELOC_OK ==> reloc_address(obj) + size <= UINT32_MAX + 1;
*/
static uint32_t open_sized(const uint8_t *obj, uint32_t size, struct reloc_view *view) {
    return size <= reloc_minus(0, reloc_address_of(obj)) ? open_image(obj, size, view)
                                                         : (uint32_t)RELOC_N_OBJECT;
}

/*@ assigns \nothing;
    ensures reloc_code(\result);
*/
static uint32_t check_core(uint32_t flags) {
    if (!AI_RELOC_RT_MCU_CHECKING)
        return RELOC_OK;
    uint32_t part = AI_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_N_CPU;
    if (RELOC_FLAGS_FPU(flags) && (AI_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_N_FPU;
    return RELOC_OK;
}

/*
 * Whether need bytes of size at ram can be used for the image: aligned, without wrapping around,
 * and apart from what is still read of the image.
 */
/*@ requires \valid_read(view) && reloc_checked(view);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      ram % RELOC_RAM_ALIGN == 0 && need <= size && ram + need <= UINT32_MAX + 1;
    ensures \result == RELOC_OK ==>
      reloc_apart(ram, need, reloc_address(view->image), view->content_end);
*/
static uint32_t check_ram(const struct reloc_view *view, uint32_t ram, uint32_t size,
                          uint32_t need) {
    uint32_t obj = reloc_address_of(view->image);
    if (ram % RELOC_RAM_ALIGN != 0)
        return RELOC_N_RAM_ADDRESS;
    if (need > size || need > reloc_minus(0, ram))
        return RELOC_N_RAM_SIZE;
    return reloc_minus(ram, obj) >= needed_bytes(view) && reloc_minus(obj, ram) >= need
               ? RELOC_OK
               : RELOC_N_RAM_OVERLAP;
}

/* What the second opinion says: no code, and no number that a glitch leaves in a register. */
enum { SECOND_OK = 0x5A00 };

#ifdef AI_RELOC_HARDENED
#include "ai_reloc_second.h"
#else
/* No second opinion: that of the first copy of the checks holds. */
/*@ assigns \nothing;
    ensures \result == SECOND_OK || \result != RELOC_OK && reloc_code(\result);
*/
static inline uint32_t second_opinion(const ai_rel_network_load_args *args,
                                      const struct reloc_view *first, uint32_t ram,
                                      uint32_t ram_size) {
    (void)args, (void)first, (void)ram, (void)ram_size;
    return SECOND_OK;
}
#endif

#endif
