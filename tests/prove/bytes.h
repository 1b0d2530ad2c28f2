/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the C library that the loaders call, over bytes: the proof assumes them. */
#ifndef PROVE_BYTES_H
#define PROVE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1));
    requires \separated(to + (0 .. size - 1), from + (0 .. size - 1));
    assigns to[0 .. size - 1];
    ensures \forall integer i; 0 <= i < size ==> to[i] == \old(from[i]);
*/
void memcpy(uint8_t *to, const uint8_t *from, size_t size);

/*@ requires \valid(to + (0 .. size - 1));
    assigns to[0 .. size - 1];
    ensures \forall integer i; 0 <= i < size ==> to[i] == byte;
*/
void memset(uint8_t *to, int byte, size_t size);

/*@ predicate same_bytes(uint8_t *a, uint8_t *b, integer size) =
      \forall integer i; 0 <= i < size ==> a[i] == b[i];
*/

/*@ requires \valid_read(a + (0 .. size - 1)) && \valid_read(b + (0 .. size - 1));
    assigns \nothing;
    ensures \result == 0 <==> same_bytes(a, b, size);
*/
int memcmp(const uint8_t *a, const uint8_t *b, size_t size);

#endif
