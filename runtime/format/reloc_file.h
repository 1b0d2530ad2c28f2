/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the checks of all files have in common: codes, words, segment addresses, CRC, trailer. In:
 * bytes, none of them trusted, and their number. Part of reloc_core.h.
 *
 * Comments that begin with an at sign are contracts in ACSL, which `make prove` holds the code to.
 */
#ifndef RELOC_FILE_H
#define RELOC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reloc_format.h"

/*
 * RELOC_E_name is negative. The functions here return RELOC_N_name, the same without its sign,
 * because such constants are shorter in Thumb; reloc_result restores the sign.
 */
enum reloc_error {
    RELOC_OK = 0,
#define X(name, value, text) RELOC_E_##name = value, RELOC_N_##name = -(value),
#include "reloc_errors.def"
#undef X
};

/*@ predicate reloc_code(integer code) = 0 <= code <= 0x7F; */

/*
 * The size of an image when nobody gave one (the documented API has none). Then offsets are bounded
 * by each other and by the ends that the header declares (28 bits), and nothing behind those ends
 * is read, except a trailer that is required. No caller can give this size: an image that long
 * would leave the address space.
 */
#define RELOC_SIZE_UNKNOWN UINT32_MAX

/* A small reader is one load; code that several places call is smaller as one function. */
#if defined(__GNUC__)
#define RELOC_INLINE static inline __attribute__((always_inline))
#ifdef AI_RELOC_HARDENED /* second_opinion has its own copy, of all but the CRC */
/* A return stands at the end of its function: skipped, it runs into no store of the same one. */
#pragma GCC optimize("no-reorder-blocks")
#define RELOC_OUTLINE __attribute__((unused)) static
#define RELOC_ONCE    __attribute__((noipa)) static
#else
#define RELOC_OUTLINE __attribute__((noinline, unused)) static
#endif
#else
#define RELOC_INLINE  static inline
#define RELOC_OUTLINE static
#endif
#ifndef RELOC_ONCE
#define RELOC_ONCE static inline
#endif

/* ---- bounded reading ---- */

/*@ logic integer reloc_le32(uint8_t *bytes, integer offset) =
      bytes[offset] + 0x100 * bytes[offset + 1] + 0x10000 * bytes[offset + 2] +
      0x1000000 * bytes[offset + 3];
*/

/*
 * A word at a multiple of 4 from an aligned address. On the target it is one load or store;
 * compilers that are not told so make four of it, as clang does by default.
 */
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && !defined(__ARM_BIG_ENDIAN)
typedef uint32_t __attribute__((may_alias)) reloc_word;
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    return *(const reloc_word *)(const void *)(bytes + offset);
}
RELOC_INLINE void reloc_put_le32(uint8_t *bytes, uint32_t offset, uint32_t word) {
    *(reloc_word *)(void *)(bytes + offset) = word;
}
/* One rotation, which compilers do not make of the arithmetic below. */
RELOC_INLINE uint32_t reloc_index(uint32_t offset) {
    return offset >> 2 | offset << 30;
}
#else
/*@ requires offset % 4 == 0 && \valid_read(bytes + (offset .. offset + 3));
    assigns \nothing;
    ensures \result == reloc_le32(bytes, offset);
*/
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    const uint8_t *p = bytes + offset;
    return p[0] + 0x100u * p[1] + 0x10000u * p[2] + 0x1000000u * p[3];
}
/*@ requires offset % 4 == 0 && \valid(bytes + (offset .. offset + 3));
    assigns bytes[offset .. offset + 3];
    ensures reloc_le32(bytes, offset) == word;
*/
RELOC_INLINE void reloc_put_le32(uint8_t *bytes, uint32_t offset, uint32_t word) {
    uint8_t *p = bytes + offset;
    uint32_t high = word / 0x10000u, low = word % 0x10000u;
    p[0] = (uint8_t)(low % 0x100u);
    p[1] = (uint8_t)(low / 0x100u);
    p[2] = (uint8_t)(high % 0x100u);
    p[3] = (uint8_t)(high / 0x100u);
}
/* The number of the word at an offset; a large one if the offset is no multiple of 4. */
/*@ assigns \nothing;
    ensures offset % 4 == 0 ==> 4 * \result == offset;
    ensures offset % 4 != 0 ==> \result > RELOC_OFFSET_MASK;
*/
RELOC_INLINE uint32_t reloc_index(uint32_t offset) {
    return offset / 4u + offset % 4u * 0x40000000u;
}
#endif

/*@ ensures size < RELOC_SIZE_UNKNOWN - 3 ==> size <= \result < size + 4 && \result % 4 == 0;
    assigns \nothing;
*/
static inline uint32_t reloc_round4(uint32_t size) {
    return (size + 3u) / 4u * 4u;
}

/* a - b, which may wrap around. Compilers make one subtraction of it. */
/*@ assigns \nothing;
    ensures \result == (a >= b ? a - b : a - b + UINT32_MAX + 1);
*/
RELOC_INLINE uint32_t reloc_minus(uint32_t a, uint32_t b) {
    return a >= b ? a - b : UINT32_MAX - (b - a) + 1u;
}

/*
 * The offset that a segment address has in the given segment. When it names another segment, the
 * result is above RELOC_OFFSET_MASK, and so above every bound it is compared with.
 */
/*@ requires segment <= RELOC_SEG_MASK;
    assigns \nothing;
    ensures \result <= RELOC_OFFSET_MASK <==> segment <= address <= segment + RELOC_OFFSET_MASK;
    ensures address == segment + \result || \result > RELOC_OFFSET_MASK;
*/
RELOC_INLINE uint32_t reloc_offset(uint32_t address, uint32_t segment) {
    return reloc_minus(address, segment);
}

/* CRC-32 as in zlib, four bits at a time: 64 bytes of table. */
static const uint32_t reloc_nibbles[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

/*@ logic uint32_t reloc_crc_nibble(uint32_t crc) =
      (uint32_t)((crc >> 4) ^ reloc_nibbles[crc & 15]);
    logic uint32_t reloc_crc_bytes(uint32_t crc, uint8_t *bytes, integer size) =
      size <= 0 ? crc
                : reloc_crc_nibble(reloc_crc_nibble(
                    (uint32_t)(reloc_crc_bytes(crc, bytes, size - 1) ^ bytes[size - 1])));
    logic integer reloc_crc(integer crc, uint8_t *bytes, integer size) =
      UINT32_MAX - reloc_crc_bytes((uint32_t)(UINT32_MAX - crc), bytes, size);
*/

/* crc: 0, or the CRC of the bytes before these. */
/*@ requires \valid_read(bytes + (0 .. size - 1));
    assigns \nothing;
    ensures \result == reloc_crc(crc, bytes, size);
*/
RELOC_ONCE uint32_t reloc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    crc = UINT32_MAX - crc;
    /*@ loop invariant 0 <= i <= size;
        loop invariant crc == reloc_crc_bytes((uint32_t)(UINT32_MAX - \at(crc, Pre)), bytes, i);
        loop assigns i, crc;
        loop variant size - i;
    */
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ reloc_nibbles[crc & 15u];
        crc = crc >> 4 ^ reloc_nibbles[crc & 15u];
    }
    return UINT32_MAX - crc;
}

/* ---- integrity trailer ---- */

/*@ predicate reloc_trailer(uint8_t *file, integer size, integer at, integer kind) =
      at + RELOC_TRL_BYTES <= size &&
      reloc_le32(file + at, RELOC_TRL_MAGIC) == RELOC_TRAILER_MAGIC &&
      reloc_le32(file + at, RELOC_TRL_SELF_CRC32) ==
        reloc_crc(0, file + at, RELOC_TRL_SELF_CRC32) &&
      reloc_le32(file + at, RELOC_TRL_VERSION) == 1 &&
      reloc_le32(file + at, RELOC_TRL_SIZE) == RELOC_TRL_BYTES &&
      reloc_le32(file + at, RELOC_TRL_KIND) == kind &&
      reloc_le32(file + at, RELOC_TRL_LENGTH) == at &&
      at + RELOC_TRL_BYTES + reloc_le32(file + at, RELOC_TRL_SIGNATURE_SIZE) <= size;
*/

/*
 * The trailer at offset at of a file of size bytes (at <= size), of the given kind. Stops: damage
 * in it, a file cut inside the trailer (TRAILER) or the signature (TRUNCATED). The caller compares
 * the CRC of the bytes before it.
 */
/*@ requires at <= size && at % 4 == 0 && at + RELOC_TRL_BYTES <= UINT32_MAX;
    requires at + RELOC_TRL_BYTES <= size ==> \valid_read(file + (0 .. at + RELOC_TRL_BYTES - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_trailer(file, size, at, kind);
*/
static inline uint32_t reloc_check_trailer_at(const uint8_t *file, uint32_t size, uint32_t at,
                                              uint32_t kind) {
    const uint8_t *trailer = file + at;
    uint32_t room = size - at;
    //@ assert room == size - at;
    if (room < RELOC_TRL_BYTES || reloc_get_le32(trailer, RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        reloc_crc32(0, trailer, RELOC_TRL_SELF_CRC32) !=
            reloc_get_le32(trailer, RELOC_TRL_SELF_CRC32) ||
        reloc_get_le32(trailer, RELOC_TRL_VERSION) != 1u ||
        reloc_get_le32(trailer, RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        reloc_get_le32(trailer, RELOC_TRL_KIND) != kind ||
        reloc_get_le32(trailer, RELOC_TRL_LENGTH) != at)
        return RELOC_N_TRAILER;
    return reloc_get_le32(trailer, RELOC_TRL_SIGNATURE_SIZE) <= room - RELOC_TRL_BYTES
               ? RELOC_OK
               : RELOC_N_TRUNCATED;
}

/*@ predicate reloc_fill(uint8_t *file, integer size, integer at) =
      (file[at] == 0 || file[at] == 0xFF) &&
      \forall integer i; at <= i < size ==> file[i] == file[at];
*/

/* Whether all bytes from at to the end look like erased or cleared memory: all ones, or 0. */
/*@ requires at < size && \valid_read(file + (at .. size - 1));
    assigns \nothing;
    ensures \result <==> reloc_fill(file, size, at);
*/
static inline bool reloc_is_fill(const uint8_t *file, uint32_t size, uint32_t at) {
    uint8_t fill = file[at];
    /*@ loop invariant \at(at, Pre) <= at <= size;
        loop invariant \forall integer i; \at(at, Pre) <= i < at ==> file[i] == fill;
        loop assigns at;
        loop variant size - at;
    */
    while (at < size && file[at] == fill)
        at++;
    return at == size && (fill == 0 || fill == 0xFF);
}

#endif
