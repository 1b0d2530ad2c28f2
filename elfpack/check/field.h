/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes what a linker has to write at the place of a relocation, from the object's own bytes:
 * "ELF for the Arm Architecture" (AAELF32), "Relocation codes" and "Encoding of addends". Written
 * independently of reloc.c and thumb.c, because it checks them. Pure.
 */
#ifndef RP_ELFPACK_CHECK_FIELD_H
#define RP_ELFPACK_CHECK_FIELD_H

#include <stdbool.h>
#include <stdint.h>

/* How the value of a field is computed. */
enum rp_field_kind {
    RP_FIELD_UNKNOWN,
    RP_FIELD_NONE,    /* a mark: nothing is written */
    RP_FIELD_ADDRESS, /* (S + A) | T */
    RP_FIELD_PC,      /* ((S + A) | T) - P, or - Pa */
    RP_FIELD_BASE,    /* ((S + A) | T) - B(S) */
    RP_FIELD_GOT,     /* GOT(S) + A - GOT_ORG */
    RP_FIELD_GOT_PC   /* GOT(S) + A - P */
};

enum { RP_FIELD_MAX = 4 }; /* bytes */

enum rp_field_kind rp_field_kind(uint32_t type);
/* Bytes of the field; 0 for marks and unknown types. */
uint32_t rp_field_size(uint32_t type);
/* Is the field a word that holds the whole value, rather than bits of an instruction? */
bool rp_field_is_word(uint32_t type);
/* Is the relocation that of a branch or a call? */
bool rp_field_is_branch(uint32_t type);
/* The addend of a REL entry, which the object's bytes hold. */
int32_t rp_field_addend(uint32_t type, const uint8_t *bytes);
/* Writes value, computed from S, A, T and P, into the object's bytes; false: it does not fit. */
bool rp_field_put(uint32_t type, uint8_t *bytes, uint32_t value);
/* Is P the place rounded down to a multiple of 4? */
bool rp_field_rounds_place(uint32_t type);

#endif
