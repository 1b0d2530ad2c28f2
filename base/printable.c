/* SPDX-License-Identifier: Apache-2.0 */
/* Text made harmless for terminals: see printable.h. */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes of the UTF-8 character at text; 0 if it is invalid or a control character (C0, DEL, C1). */
static size_t printable_bytes(const unsigned char *text) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* by the number of further bytes */
    size_t more = text[0] < 0xC0 ? 0u : 1u + (text[0] >= 0xE0) + (text[0] >= 0xF0);
    uint32_t code = more == 0 ? text[0] : text[0] & 0x3Fu >> more;
    if ((more == 0 && code >= 0x80) || text[0] >= 0xF8)
        return 0;
    for (size_t i = 1; i <= more; i++) {
        if ((text[i] & 0xC0u) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3Fu);
    }
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    return code < least[more] || code > 0x10FFFF || is_surrogate || is_control ? 0 : more + 1;
}

static const char *escape(struct rp_arena *arena, const char *text, const char *kept) {
    static const char digits[] = "0123456789ABCDEF";
    char *result = rp_alloc(arena, strlen(text) + 1, 4), *to = result;
    while (*text != '\0') {
        bool keep = strchr(kept, *text) != NULL;
        size_t bytes = keep ? 1 : printable_bytes((const unsigned char *)text);
        if (bytes == 0) {
            unsigned char byte = (unsigned char)*text++;
            *to++ = '\\';
            *to++ = 'x';
            *to++ = digits[byte >> 4];
            *to++ = digits[byte & 15];
        }
        for (; bytes != 0; bytes--)
            *to++ = *text++;
    }
    return result;
}

const char *rp_printable(struct rp_arena *arena, const char *text) {
    return escape(arena, text, "");
}

const char *rp_printable_lines(struct rp_arena *arena, const char *text) {
    return escape(arena, text, "\n\t");
}
