/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the words of a JSON text exactly as RFC 8259 defines them, but not their order. In: text.
 * Out: the offsets of the members' names, or an error for the first word that is not JSON.
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
    struct {          /* out: offsets of the members' names, in the order of the text */
        size_t *items;
        size_t count;
        size_t capacity;
    } names;
};

/* RP_E_MANIFEST with the line: a number, text or character is wrong, or nesting too deep. */
bool rp_json_text_check(struct rp_json_text *text, struct rp_arena *arena, struct rp_error *err);
/* Fails with "NAME:LINE: not valid JSON" and why, which may be ""; always returns false. */
bool rp_json_text_fails(const struct rp_json_text *text, size_t at, const char *why,
                        struct rp_error *err);
/* The line of an offset, from 1. */
unsigned rp_json_line(const struct rp_json_text *text, size_t at);

/* Bytes of the UTF-8 sequence at text (RFC 3629), or 0. */
size_t rp_utf8_length(const unsigned char *text);

#endif
