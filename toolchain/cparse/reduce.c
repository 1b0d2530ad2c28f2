/* SPDX-License-Identifier: Apache-2.0 */
/* C text with what is inside braces left out: see rp_cdecl_reduce in decl.h. */
#include <ctype.h>
#include <string.h>

#include "toolchain/cparse/decl.h"

const char *rp_cdecl_skip_dull(const char *at, const char *end) {
    static const char dull[256] = {
        ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1,
        ['7'] = 1, ['8'] = 1, ['9'] = 1, ['.'] = 1, [','] = 1, [' '] = 1, ['-'] = 1,
        ['+'] = 1, ['f'] = 1, ['e'] = 1, ['x'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1,
        ['d'] = 1, ['u'] = 1, ['U'] = 1, ['F'] = 1, ['\t'] = 1};
    while (at < end && dull[(unsigned char)*at])
        at++;
    return at;
}

/* The end of a directive: a line that does not end in a backslash. */
static const char *directive_end(const char *at, const char *end) {
    while (at < end && *at != '\n') {
        if (*at == '\\' && end - at > 1)
            at++;
        at++;
    }
    return at;
}

static const char *comment_end(const char *at, const char *end) {
    if (at[1] == '/')
        return directive_end(at, end);
    for (at += 2; end - at >= 2 && !(at[0] == '*' && at[1] == '/'); at++)
        ;
    return end - at >= 2 ? at + 2 : end;
}

static const char *quote_end(const char *at, const char *end) {
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n') {
        if (*at == '\\' && end - at > 1)
            at++;
        at++;
    }
    return at < end ? at + 1 : end;
}

/* The end of the piece at: a directive, comment, string, or one character. */
static const char *piece_end(const char *at, const char *end, bool line_start) {
    if (*at == '#' && line_start)
        return directive_end(at, end);
    if (*at == '/' && end - at > 1 && (at[1] == '/' || at[1] == '*'))
        return comment_end(at, end);
    return *at == '"' || *at == '\'' ? quote_end(at, end) : at + 1;
}

static void keep_newlines(struct rp_buf *out, const char *at, const char *end) {
    for (at = memchr(at, '\n', (size_t)(end - at)); at != NULL;
         at = memchr(at + 1, '\n', (size_t)(end - at - 1)))
        rp_buf_append(out, "\n", 1);
}

/* The word that ends at *len of what was kept; *len is then in front of it. */
static bool last_word_is(const struct rp_buf *out, size_t *len, const char *word) {
    size_t end = *len;
    while (end > 0 && isspace((unsigned char)out->data[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 &&
           (isalnum((unsigned char)out->data[start - 1]) || out->data[start - 1] == '_'))
        start--;
    *len = start;
    return end - start == strlen(word) && memcmp(out->data + start, word, end - start) == 0;
}

/* Does "enum" or "enum TAG" stand before the brace? Its constants may be dimensions. */
static bool is_enum(const struct rp_buf *out) {
    size_t len = out->len;
    if (last_word_is(out, &len, "enum"))
        return true;
    return last_word_is(out, &len, "enum"); /* in front of the tag */
}

bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out) {
    const char *end = text + len;
    unsigned depth = 0;
    bool line_start = true, kept = false;
    for (const char *at = text; at < end;) {
        const char *next_at = depth != 0 ? rp_cdecl_skip_dull(at, end) : at;
        if (next_at == at)
            next_at = piece_end(at, end, line_start);
        bool directive = *at == '#' && line_start;
        bool one = next_at == at + 1;
        if (one && *at == '{' && depth == 0)
            kept = is_enum(out);
        if (one && *at == '}' && depth-- == 0)
            return false;
        if (depth == 0 || directive || kept)
            rp_buf_append(out, at, (size_t)(next_at - at));
        else
            keep_newlines(out, at, next_at);
        depth += one && *at == '{';
        line_start = *at == '\n' || (line_start && isspace((unsigned char)*at));
        at = next_at;
    }
    return depth == 0;
}
