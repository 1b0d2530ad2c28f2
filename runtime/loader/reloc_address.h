/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers as numbers, and back: the one place where a loader does that.
 *
 * The proof assumes what these contracts say, which is what a flat address space is: bytes that
 * can be read do not lie beyond its end, and ranges of different addresses have no byte in common.
 */
#ifndef RELOC_ADDRESS_H
#define RELOC_ADDRESS_H

#include <stdint.h>

/*@ axiomatic reloc_addresses {
      logic integer reloc_address(uint8_t *p) reads \nothing;
      logic uint8_t *reloc_at(integer address) reads \nothing;
      predicate reloc_apart(integer a, integer a_size, integer b, integer b_size) =
        a + a_size <= b || b + b_size <= a;
      axiom reloc_flat:
        \forall uint8_t *p, *q, integer m, n;
          reloc_apart(reloc_address(p), m, reloc_address(q), n) ==>
          \separated(p + (0 .. m - 1), q + (0 .. n - 1));
      axiom reloc_no_end{L}:
        \forall uint8_t *p, integer n;
          \valid_read(p + (0 .. n - 1)) ==> reloc_address(p) + n <= UINT32_MAX + 1;
    }
*/

/*@ assigns \nothing;
    ensures \result == reloc_address(bytes);
*/
static inline uint32_t reloc_address_of(const uint8_t *bytes)
#ifdef __FRAMAC__
    ;
#else
{
    return (uint32_t)bytes;
}

static inline uint32_t address_of(const void *pointer) {
    return (uint32_t)pointer;
}
#endif

/*@ assigns \nothing;
    ensures \result == reloc_at(address);
*/
static inline const uint8_t *bytes_at(uint32_t address)
#ifdef __FRAMAC__
    ;
#else
{
    return (const uint8_t *)address;
}
#endif

#endif
