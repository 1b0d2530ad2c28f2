/* SPDX-License-Identifier: Apache-2.0 */
/* Text for HTML, SVG and JSON: see markup.h. */
#include "cli/page/markup.h"

#include <string.h>

#include "base/printable.h"

/* Appends printable text, with what the markup or JSON cannot have replaced. */
static void append(struct rp_buf *out, const char *text, bool json) {
    static const struct {
        const char *plain, *entity, *json;
    } rows[] = {{"&", "&amp;", "\\u0026"},
                {"<", "&lt;", "\\u003c"},
                {">", "&gt;", "\\u003e"},
                {"\"", "&quot;", "\\\""},
                {"'", "&#39;", "'"},
                {"\\", "\\", "\\\\"},
                {"\n", "\n", "\\n"},
                {"\t", "\t", "\\t"},
                {"\xEF\xBF\xBE", "\xEF\xBF\xBD", "\xEF\xBF\xBD"},
                {"\xEF\xBF\xBF", "\xEF\xBF\xBD", "\xEF\xBF\xBD"}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    while (*text != '\0') {
        size_t plain = strcspn(text, "&<>\"'\\\n\t\xEF"), i = 0;
        rp_buf_append(out, text, plain);
        text += plain;
        while (i < ROWS && strncmp(text, rows[i].plain, strlen(rows[i].plain)) != 0)
            i++;
        if (i < ROWS) {
            rp_buf_puts(out, json ? rows[i].json : rows[i].entity);
            text += strlen(rows[i].plain);
        } else if (*text != '\0') {
            rp_buf_append(out, text++, 1);
        }
    }
}

const char *rp_markup(struct rp_arena *arena, const char *text) {
    struct rp_buf out = {.arena = arena};
    append(&out, rp_printable(arena, text), false);
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

void rp_markup_json(struct rp_buf *out, const char *text) {
    rp_buf_puts(out, "\"");
    append(out, rp_printable_lines(out->arena, text), true);
    rp_buf_puts(out, "\"");
}

const char *rp_share(struct rp_arena *arena, uint64_t part, uint64_t whole) {
    const double percent = whole != 0 ? 100 * (double)part / (double)whole : 0;
    return whole == 0                      ? ""
           : percent > 0 && percent < 0.05 ? "under 0.1 %"
                                           : rp_format(arena, "%.1f %%", percent);
}
