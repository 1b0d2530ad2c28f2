/* SPDX-License-Identifier: Apache-2.0 */
/* Prints rows, headings and paragraphs of `ops`. See form.h. */
#include "cli/ops/form.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/terminal.h"

enum { LINE_COLUMNS = 100 };

/* Does the character mean something in Markdown? An underscore inside a word does not. */
static bool is_markup(const char *text, size_t at) {
    if (text[at] == '_')
        return at == 0 || !isalnum((unsigned char)text[at - 1]) ||
               !isalnum((unsigned char)text[at + 1]);
    return strchr("\\|`*<[~&", text[at]) != NULL;
}

const char *rp_ops_shown(const struct rp_ops_form *form, const char *text) {
    text = rp_printable(form->arena, text);
    if (!form->markdown)
        return text;
    char *result = rp_alloc(form->arena, strlen(text) + 1, 2), *to = result;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (is_markup(text, i))
            *to++ = '\\';
        *to++ = text[i];
    }
    return result;
}

static bool is_first_byte(char byte) {
    return ((unsigned char)byte & 0xC0u) != 0x80; /* of a UTF-8 character */
}

static int columns(const char *text, size_t len) {
    int count = 0;
    for (size_t i = 0; i < len; i++)
        count += is_first_byte(text[i]);
    return count;
}

int rp_ops_columns(const char *text) {
    return columns(text, strlen(text));
}

const char *rp_ops_shortened(const struct rp_ops_form *form, const char *text, int most) {
    text = rp_printable(form->arena, text);
    int surplus = rp_ops_columns(text) - most;
    if (form->markdown || surplus <= 0)
        return text;
    for (surplus += (int)strlen("..."); surplus > 0 || !is_first_byte(*text); text++)
        surplus -= is_first_byte(*text);
    return rp_format(form->arena, "...%s", text);
}

void rp_ops_put_row(const struct rp_ops_form *form, const char *const *cells, const int *widths) {
    int blanks = 0;
    fputs(form->markdown ? "|" : "", stdout);
    for (size_t i = 0; cells[i] != NULL; i++) {
        const char *text = rp_ops_shown(form, cells[i]);
        if (form->markdown) {
            printf(" %s |", text);
            continue;
        }
        int len = rp_ops_columns(text), width = abs(widths[i]), gap = len < width ? width - len : 0;
        int before = widths[i] > 0 ? gap : 0;
        if (len != 0)
            printf("%*s%s", blanks + before, "", text);
        blanks = (len != 0 ? 0 : blanks + before) + gap - before + 2;
    }
    putchar('\n');
}

void rp_ops_put_titles(const struct rp_ops_form *form, const char *const *titles,
                       const int *widths) {
    rp_ops_put_row(form, titles, widths);
    if (!form->markdown)
        return;
    putchar('|');
    for (size_t i = 0; titles[i] != NULL; i++)
        fputs(widths[i] < 0 ? "---|" : "---:|", stdout);
    putchar('\n');
}

void rp_ops_put_heading(const struct rp_ops_form *form, const char *text) {
    printf(form->markdown ? "\n## %s\n\n" : "\n%s\n", rp_ops_shown(form, text));
}

void rp_ops_put_item(const struct rp_ops_form *form, const char *text) {
    int column = 0;
    fputs(form->markdown ? "- " : "", stdout);
    for (const char *word = rp_ops_shown(form, text); *word != '\0';) {
        size_t len = strcspn(word, " ");
        int width = columns(word, len);
        bool wraps = !form->markdown && column + 1 + width >= LINE_COLUMNS;
        if (column != 0)
            fputs(wraps ? "\n  " : " ", stdout);
        column = column == 0 ? width : (wraps ? 2 : column + 1) + width;
        printf("%.*s", (int)len, word);
        word += len + strspn(word + len, " ");
    }
    putchar('\n');
}

const char *rp_ops_number(const struct rp_ops_form *form, uint64_t value) {
    return rp_format(form->arena, "%" PRIu64, value);
}

const char *rp_ops_node_list(const struct rp_ops_form *form, const size_t *nodes, size_t count) {
    struct rp_buf text = {.arena = form->arena};
    rp_buf_printf(&text, count == 1 ? "node" : "nodes");
    for (size_t i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && nodes[last + 1] == nodes[last] + 1;)
            last++;
        rp_buf_printf(&text, last == i ? " %zu" : " %zu-%zu", nodes[i], nodes[last]);
    }
    return text.data;
}
