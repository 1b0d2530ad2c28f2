/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses inside Thumb-2 instructions (Armv7-M Architecture Reference Manual, A7.7). Pure. */
#ifndef RP_ELFPACK_INSN_THUMB_H
#define RP_ELFPACK_INSN_THUMB_H

#include <stdbool.h>
#include <stdint.h>

/* 32-bit instructions are passed as stored: the first half-word in bits 15..0. */
enum { RP_THUMB_REGISTER = 0x0F000000 }; /* the destination of a MOVW or MOVT */

/* The 16-bit constant of a MOVW (encoding T3) or MOVT (T1). */
uint32_t rp_thumb_half(uint32_t instruction);
/* The target of a BL or B.W (T4) at place; conditional: of a B<c>.W (T3). */
uint32_t rp_thumb_branch(uint32_t instruction, uint32_t place, bool conditional);
/*
 * Does a word or instruction with a relocation of this type (R_ARM_SBREL32,
 * R_ARM_THM_MOVW_BREL[_NC], R_ARM_THM_MOVT_BREL) hold its part of a distance from want to want +
 * room? The addend in the source is no longer known; anything up to the symbol's size is accepted.
 */
bool rp_thumb_is_distance(uint32_t type, uint32_t word, uint32_t want, uint32_t room);

#endif
