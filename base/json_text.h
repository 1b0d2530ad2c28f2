/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a JSON text, exactly as RFC 8259 has them. In: text; out: where the names of its
 * members are, or the first word that is not JSON. How words follow each other is not checked.
 */
#ifndef RP_BASE_JSON_TEXT_H
#define RP_BASE_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_json_text {
    const char *text; /* len bytes, then a 0 */
    size_t len;
    const char *name; /* for messages */
    struct {          /* filled in: offsets of the members' names, in their order */
        size_t *items;
        size_t count;
        size_t capacity;
    } names;
};

/* RP_E_MANIFEST with the line: a number, text, character or depth that is refused. */
bool rp_json_text_check(struct rp_json_text *text, struct rp_arena *arena, struct rp_error *err);
/* Fails with "NAME:LINE: not valid JSON" and why, which may be ""; always returns false. */
bool rp_json_text_fails(const struct rp_json_text *text, size_t at, const char *why,
                        struct rp_error *err);
/* The line of an offset, from 1. */
unsigned rp_json_line(const struct rp_json_text *text, size_t at);

/* Bytes of the UTF-8 sequence at text (RFC 3629), or 0. */
size_t rp_utf8_length(const unsigned char *text);

#endif
