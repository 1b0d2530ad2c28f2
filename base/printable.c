/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text harmless for terminals: see printable.h. */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Characters that can make one text look like another: marks and overrides of the writing
 * direction, invisible ones (those of Unicode's Default_Ignorable_Code_Point that are in use), and
 * line and paragraph separators.
 */
static bool is_deceptive(uint32_t code) {
    static const uint32_t ranges[][2] = {
        {0x00AD, 0x00AD}, {0x034F, 0x034F},   {0x061C, 0x061C},   {0x115F, 0x1160},
        {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/*
 * Bytes of the UTF-8 character at text; 0: it is invalid, a control character (C0, DEL, C1) or
 * deceptive.
 */
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
    bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0) || is_deceptive(code);
    return code < least[more] || code > 0x10FFFF || is_surrogate || is_control ? 0 : more + 1;
}

/* Which line ends, tabs and commands of pipelines are kept. */
enum kept { KEPT_TEXT, KEPT_LINES, KEPT_MESSAGE };

static bool is_kept(const char *all, const char *at, enum kept kept) {
    if (kept == KEPT_MESSAGE && *at == '\n')
        return strncmp(at + 1, "  ", 2) == 0;
    if (kept == KEPT_TEXT)
        return *at != '\n' && *at != '\t';
    if (*at == '\n' || *at == '\t')
        return true;
    if (kept == KEPT_MESSAGE && strncmp(at, "::", 2) == 0) { /* at the beginning of a line? */
        const char *before = at;
        while (before != all && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        return before != all && before[-1] != '\n';
    }
    return !(kept == KEPT_MESSAGE && strncmp(at, "##[", 3) == 0);
}

static const char *escape(struct rp_arena *arena, const char *text, enum kept kept) {
    static const char digits[] = "0123456789ABCDEF";
    const char *all = text;
    char *result = rp_alloc(arena, strlen(text) + 1, 4), *to = result;
    while (*text != '\0') {
        bool is_end = *text == '\n' || *text == '\t';
        size_t bytes = is_end ? 1 : printable_bytes((const unsigned char *)text);
        if (bytes == 0 || !is_kept(all, text, kept)) {
            unsigned char byte = (unsigned char)*text++;
            *to++ = '\\';
            *to++ = 'x';
            *to++ = digits[byte >> 4];
            *to++ = digits[byte & 15];
            continue;
        }
        for (; bytes != 0; bytes--)
            *to++ = *text++;
    }
    return result;
}

const char *rp_printable(struct rp_arena *arena, const char *text) {
    return escape(arena, text, KEPT_TEXT);
}

const char *rp_printable_lines(struct rp_arena *arena, const char *text) {
    return escape(arena, text, KEPT_LINES);
}

const char *rp_printable_message(struct rp_arena *arena, const char *text) {
    return escape(arena, text, KEPT_MESSAGE);
}
