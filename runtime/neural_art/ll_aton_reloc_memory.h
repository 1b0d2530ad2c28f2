/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the Neural-ART loader may write: the memory that the firmware gives to pools, and the
 * memory that no pool may touch. In: addresses and sizes in bytes. Out: whether they are allowed.
 * Nothing is written. Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_MEMORY_H
#define LL_ATON_RELOC_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "../ll_aton_reloc_loader.h"
#include "ll_aton_reloc_port.h" /* and reloc_core.h, by its settings */

/* ---- where pools may be ---- */

#if defined(LL_ATON_RELOC_REGIONS) && defined(LL_ATON_RELOC_ANY_REGION)
#error "define LL_ATON_RELOC_REGIONS (a table) or LL_ATON_RELOC_ANY_REGION, not both"
#elif defined(LL_ATON_RELOC_REGIONS)
enum { EXT_RAM_IS_REGION = 0 };
#define FIRMWARE_REGIONS LL_ATON_RELOC_REGIONS
#else
enum { EXT_RAM_IS_REGION = 1 };
static const ll_aton_reloc_region default_regions[] = {
#ifdef LL_ATON_RELOC_ANY_REGION
    {0, UINT32_MAX},
#else
    {RELOC_NPU_RAM_ADDR, RELOC_NPU_RAM_BYTES},
    {RELOC_NPU_RAM_ADDR_SECURE, RELOC_NPU_RAM_BYTES},
#endif
    {0, 0}};
#define FIRMWARE_REGIONS default_regions
#endif

/*@ // A pool at a fixed address is in memory that the firmware gives to models: in a row of the
    // table that is in force or, if that is the default one, in the caller's external RAM.
    axiomatic npu_firmware {
      predicate npu_given_to_models(integer address, integer bytes) reads \nothing;
    }
    predicate npu_inside(integer start, integer size, integer address, integer bytes) =
      address <= start && start + size <= address + bytes <= UINT32_MAX + 1;
    predicate npu_for_models(integer start, integer size) =
      \exists integer address, bytes;
        npu_given_to_models(address, bytes) && npu_inside(start, size, address, bytes);
    predicate npu_regions(ll_aton_reloc_region *row, integer count) =
      \forall integer i; 0 <= i < count ==> npu_given_to_models(row[i].address, row[i].size);
    // a row of size 0 ends a table
    predicate npu_region_table(ll_aton_reloc_region *row, integer count) =
      \exists integer end; 0 <= end <= count && \valid_read(row + (0 .. end - 1)) &&
        (end < count ==> \valid_read(row + end) && row[end].size == 0);
*/

/* How many rows a table of regions has. */
/*@ requires npu_region_table(row, most);
    assigns \nothing;
    ensures \result <= most && \valid_read(row + (0 .. \result - 1));
*/
static uint32_t count_regions(const ll_aton_reloc_region *row, uint32_t most) {
    uint32_t count = 0;
    /*@ loop invariant 0 <= count <= most && \valid_read(row + (0 .. count - 1));
        loop invariant \forall integer i; 0 <= i < count ==> row[i].size != 0;
        loop assigns count;
        loop variant most - count;
    */
    while (count < most && row[count].size != 0)
        count++;
    return count;
}

/*
 * Whether size bytes at start lie in a region. A region that leads out of the address space does
 * not count.
 */
/*@ assigns \nothing;
    ensures \result ==> npu_inside(start, size, address, bytes);
*/
static bool is_inside(uint32_t start, uint32_t size, uint32_t address, uint32_t bytes) {
    uint32_t offset = reloc_minus(start, address);
    return offset < bytes && size <= bytes - offset && bytes - 1u <= UINT32_MAX - address;
}

/*@ requires \valid_read(row + (0 .. count - 1)) && npu_regions(row, count);
    assigns \nothing;
    ensures \result ==> npu_for_models(start, size);
*/
static bool is_in_region(const ll_aton_reloc_region *row, uint32_t count, uint32_t start,
                         uint32_t size) {
    /*@ loop invariant 0 <= i <= count;
        loop assigns i;
        loop variant count - i;
    */
    for (uint32_t i = 0; i < count; i++) {
        //@ assert npu_given_to_models(row[i].address, row[i].size);
        if (is_inside(start, size, row[i].address, row[i].size))
            return true;
    }
    return false;
}

/* ---- where they must not be ---- */

/*
 * The memory that an installation uses, in the order in which it becomes known. The RAM is apart
 * from what is before it, the external RAM too, and pools at fixed addresses from all of it.
 */
enum kept {
    KEPT_ARGS,
    KEPT_CONFIG,
    KEPT_INSTANCE,
    KEPT_CALLBACKS,
    KEPT_REGIONS,
    KEPT_IMAGE,
    KEPT_PARAMS,
    KEPT_RAM,
    KEPT_EXT_RAM, /* empty if the image needs none */
    KEPT_STACK,
    KEPT
};

struct range {
    uint32_t start; /* address */
    uint32_t size;  /* 0: nothing is there */
};

/*@ logic integer npu_minus(integer a, integer b) = a >= b ? a - b : a - b + UINT32_MAX + 1;
    // no byte is in both; the second may be empty
    predicate npu_apart(integer a, integer a_size, integer b, integer b_size) =
      b_size == 0 || npu_minus(a, b) >= b_size && npu_minus(b, a) >= a_size;
    predicate npu_clear(struct range *kept, integer count, integer start, integer size) =
      \forall integer i; 0 <= i < count ==> npu_apart(start, size, kept[i].start, kept[i].size);
*/

/*@ assigns \nothing;
    ensures \result <==> npu_apart(a, a_size, b, b_size);
*/
static inline bool are_apart(uint32_t a, uint32_t a_size, uint32_t b, uint32_t b_size) {
    return b_size == 0 || (reloc_minus(a, b) >= b_size && reloc_minus(b, a) >= a_size);
}

/* Whether size bytes at start are apart from the first count parts of the memory. */
/*@ requires \valid_read(kept + (0 .. count - 1));
    assigns \nothing;
    ensures \result ==> npu_clear(kept, count, start, size);
    ensures \result && KEPT_IMAGE < count ==>
      npu_apart(start, size, kept[KEPT_IMAGE].start, kept[KEPT_IMAGE].size);
*/
RELOC_OUTLINE bool is_clear(const struct range *kept, uint32_t count, uint32_t start,
                            uint32_t size) {
    /*@ loop invariant 0 <= i <= count && npu_clear(kept, i, start, size);
        loop assigns i;
        loop variant count - i;
    */
    for (uint32_t i = 0; i < count; i++)
        if (!are_apart(start, size, kept[i].start, kept[i].size))
            return false;
    return true;
}

#endif
