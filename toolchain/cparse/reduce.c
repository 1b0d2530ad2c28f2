/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out what is inside braces. See reduce.h. */
#include "toolchain/cparse/reduce.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "toolchain/cparse/token.h"

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

/* Appends the whole text, or only its line ends. */
static void take(struct rp_buf *out, const char *at, const char *end, bool whole) {
    if (whole)
        rp_buf_append(out, at, (size_t)(end - at));
    else
        for (; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
            rp_buf_append(out, "\n", 1);
}

/* Is this the last word of the first *len kept bytes? Moves *len in front of the last word. */
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

/* Does "enum" or "enum TAG" precede the brace? Its constants may be dimensions. */
static bool is_enum(const struct rp_buf *out) {
    size_t len = out->len;
    if (last_word_is(out, &len, "enum"))
        return true;
    return last_word_is(out, &len, "enum"); /* in front of the tag */
}

bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out) {
    struct rp_clexer lex = {.at = text, .end = text + len, .path = "", .line = 1};
    struct rp_ctoken token = {.kind = RP_CTOKEN_PUNCT};
    unsigned depth = 0;
    bool kept = false;
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        lex.at += 3; /* a byte order mark: compilers take it at the start of a file alone */
    while (token.kind != RP_CTOKEN_END) {
        const char *from = lex.at;
        if (depth != 0)
            lex.at = rp_cdecl_skip_dull(lex.at, lex.end);
        if (!rp_ctoken_next(&lex, &token, NULL))
            return false;
        take(out, from, token.at, depth == 0 || kept);
        if (rp_ctoken_is(&token, "{") && depth == 0)
            kept = is_enum(out);
        if (rp_ctoken_is(&token, "}") && depth-- == 0)
            return false;
        take(out, token.at, lex.at, depth == 0 || kept || token.kind == RP_CTOKEN_DIRECTIVE);
        depth += rp_ctoken_is(&token, "{");
    }
    return depth == 0;
}
