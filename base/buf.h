/* SPDX-License-Identifier: Apache-2.0 */
/* A growable byte buffer in an arena, and little-endian words. */
#ifndef RP_BASE_BUF_H
#define RP_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * Set arena and leave the rest 0. The bytes live as long as the arena. Once something has been
 * appended, data ends in a 0.
 */
struct rp_buf {
    struct rp_arena *arena;
    char *data;
    size_t len;
    size_t room;
};

void rp_buf_append(struct rp_buf *buf, const void *bytes, size_t len);
void rp_buf_puts(struct rp_buf *buf, const char *text);
void rp_buf_printf(struct rp_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rp_buf_vprintf(struct rp_buf *buf, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));
void rp_buf_le32(struct rp_buf *buf, uint32_t word);
/* Appends fill bytes until len is a multiple of align (a power of two). */
void rp_buf_align(struct rp_buf *buf, size_t align, unsigned char fill);
/*
 * Appends a quoted cell of a CSV file (RFC 4180). Names come from reports that anybody may have
 * written, and a spreadsheet would take one that begins with = + - or @ for a formula.
 */
void rp_buf_csv(struct rp_buf *buf, const char *text);
/* What was appended, or "". */
char *rp_buf_text(struct rp_buf *buf);

static inline uint32_t rp_get_le32(const void *bytes) {
    const unsigned char *b = bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline void rp_put_le32(void *bytes, uint32_t word) {
    unsigned char *b = bytes;
    b[0] = (unsigned char)word;
    b[1] = (unsigned char)(word >> 8);
    b[2] = (unsigned char)(word >> 16);
    b[3] = (unsigned char)(word >> 24);
}

#endif
