/* SPDX-License-Identifier: Apache-2.0 */
/* Text for HTML and SVG: see markup.h. */
#include "cli/page/markup.h"

#include <string.h>

#include "base/printable.h"

enum { NAME_MOST = 160 }; /* characters of a name in a table */

/* U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069; and U+FFFE, U+FFFF, which XML lacks. */
static bool is_mark(const unsigned char *text) {
    if (text[0] == 0xEF)
        return text[1] == 0xBF && text[2] >= 0xBE;
    if (text[0] != 0xE2)
        return false;
    return (text[1] == 0x80 && (text[2] == 0x8E || text[2] == 0x8F)) ||
           (text[1] == 0x80 && text[2] >= 0xAA && text[2] <= 0xAE) ||
           (text[1] == 0x81 && text[2] >= 0xA6 && text[2] <= 0xA9);
}

static void append(struct rp_buf *out, const char *text) {
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (; *text != '\0'; text++) {
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
            if (*text == entities[i].character)
                entity = entities[i].entity;
        bool mark = is_mark((const unsigned char *)text);
        if (mark)
            text += 2;
        if (mark || entity != NULL)
            rp_buf_puts(out, mark ? "\xEF\xBF\xBD" : entity);
        else
            rp_buf_append(out, text, 1);
    }
}

const char *rp_markup(struct rp_arena *arena, const char *text) {
    struct rp_buf out = {.arena = arena};
    const char *plain = rp_printable(arena, text);
    if (strpbrk(plain, "&<>\"'\xE2\xEF") == NULL)
        return plain;
    append(&out, plain);
    return rp_buf_text(&out);
}

const char *rp_markup_cut(struct rp_arena *arena, const char *text, size_t most) {
    const char *plain = rp_printable(arena, text);
    size_t characters = 0, end = 0;
    for (size_t i = 0; plain[i] != '\0'; i++) {
        characters += ((unsigned char)plain[i] & 0xC0u) != 0x80;
        if (characters <= most - 1)
            end = i + 1;
    }
    return rp_markup(
        arena, characters <= most ? plain : rp_format(arena, "%.*s\xE2\x80\xA6", (int)end, plain));
}

void rp_markup_name(struct rp_buf *out, const char *tag, const char *name) {
    const char *shown = rp_markup_cut(out->arena, name, NAME_MOST);
    bool cut = strlen(name) > NAME_MOST;
    rp_buf_printf(out, "<%s class=\"name\"%s%s%s>%s</%.*s>", tag, cut ? " title=\"" : "",
                  cut ? rp_markup(out->arena, name) : "", cut ? "\"" : "", shown,
                  (int)strcspn(tag, " "), tag);
}

const char *rp_share(struct rp_arena *arena, uint64_t part, uint64_t whole) {
    const double percent = whole != 0 ? 100 * (double)part / (double)whole : 0;
    return whole == 0                      ? ""
           : percent > 0 && percent < 0.05 ? "under 0.1 %"
                                           : rp_format(arena, "%.1f %%", percent);
}
