/* SPDX-License-Identifier: Apache-2.0 */
/* Universal character names: see ucn.h. */
#include "toolchain/cread/ucn.h"

#include <string.h>

/* The character of the name at a backslash, and the name's length; 0: it is none, or ASCII. */
static unsigned long character_at(const char *at, size_t left, size_t *len) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    unsigned long value = 0;
    *len = left > 1 && at[1] == 'u' ? 6 : left > 1 && at[1] == 'U' ? 10 : 0;
    if (*len == 0 || *len > left)
        return 0;
    for (size_t i = 2; i < *len; i++) {
        const char *digit = at[i] != '\0' ? strchr(digits, at[i]) : NULL;
        if (digit == NULL)
            return 0;
        value = value << 4 | ((unsigned long)(digit - digits) & 15);
    }
    return value >= 0x80 && value <= 0x10FFFF ? value : 0;
}

static char *put(char *to, unsigned long character) {
    unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(first[more] | character >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80 | ((character >> (6 * more)) & 0x3F));
    return to;
}

const char *rp_ucn_replace(struct rp_arena *arena, const char *text, size_t *len) {
    size_t left = *len, name;
    const char *at = text;
    while ((at = left != 0 ? memchr(at, '\\', left) : NULL) != NULL &&
           character_at(at, *len - (size_t)(at - text), &name) == 0)
        left = *len - (size_t)(++at - text);
    if (at == NULL)
        return text;
    char *copy = rp_alloc(arena, *len + 1, 1), *to = copy; /* names are longer than characters */
    for (at = text; at < text + *len;) {
        unsigned long character =
            *at == '\\' ? character_at(at, *len - (size_t)(at - text), &name) : 0;
        if (character != 0)
            to = put(to, character);
        else
            *to++ = *at, name = 1;
        at += name;
    }
    *len = (size_t)(to - copy);
    return copy;
}
