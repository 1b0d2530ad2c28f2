/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of network.c: see directive.h. */
#include "toolchain/npu/directive.h"

#include <string.h>

#include "toolchain/cread/expr.h"

enum { WORDS_MAX = 64 }; /* the longest directive that matters has 15 without parentheses */

/*
 * Removes the parentheses from "(A != 1) || …", starting with token number first. They may enclose
 * an operand or whole comparisons; false for others.
 */
static bool strip_parentheses(struct rp_ctokens *words, size_t first) {
    size_t opened[WORDS_MAX], depth = 0, kept = 0;
    if (words->count > WORDS_MAX)
        return false;
    for (size_t i = first; i < words->count; i++) {
        const struct rp_ctoken token = words->items[i];
        bool closes = rp_ctoken_is(&token, ")");
        if (closes && depth == 0)
            return false;
        if (rp_ctoken_is(&token, "("))
            opened[depth++] = kept;
        else if (!closes)
            words->items[kept++] = token;
        if (!closes)
            continue;
        size_t from = opened[--depth];
        if (kept - from != 1 && (from % 4 != 0 || kept % 4 != 3))
            return false;
    }
    words->count = kept;
    return depth == 0;
}

/* "NAME != 1" or "1 != NAME": the index of one of the four numbers, or 4. */
static size_t read_comparison(const struct rp_ctoken *tokens, int64_t *number) {
    static const char *const names[] = {"LL_ATON_VERSION_MAJOR", "LL_ATON_VERSION_MINOR",
                                        "LL_ATON_VERSION_MICRO", "LL_ATON_VERSION_DEV"};
    bool first = tokens[0].kind == RP_CTOKEN_WORD;
    size_t name = 0;
    while (name < 4 && !rp_ctoken_is(&tokens[first ? 0 : 2], names[name]))
        name++;
    bool ok = rp_ctoken_is(&tokens[1], "!=") && rp_cexpr_integer(&tokens[first ? 2 : 0], number) &&
              *number >= 0 && *number <= INT32_MAX;
    return ok ? name : 4;
}

/* Four comparisons, joined by ||; words begin with "if". */
static bool understand_version(struct rp_ctokens *words, struct rp_aton_version *out) {
    unsigned *const numbers[] = {&out->major, &out->minor, &out->micro, &out->dev};
    bool seen[4] = {false};
    if (!strip_parentheses(words, 1) || words->count != 15)
        return false;
    for (size_t i = 0; i < 4; i++) {
        int64_t number = 0;
        size_t which = read_comparison(&words->items[4 * i], &number);
        if (which == 4 || seen[which] || (i != 3 && !rp_ctoken_is(&words->items[4 * i + 3], "||")))
            return false;
        seen[which] = true;
        *numbers[which] = (unsigned)number;
    }
    return true;
}

/* Once one line is understood, other questions about the version are the network's own affair. */
static bool read_version(struct rp_aton_reader *reader, struct rp_ctokens *words, unsigned line) {
    struct rp_aton_version version = {.known = true, .line = line};
    const struct rp_aton_version *have = &reader->out->version;
    if (!understand_version(words, &version)) {
        reader->unknown_version = reader->unknown_version != 0 ? reader->unknown_version : line;
        return true;
    }
    if (have->known && (have->major != version.major || have->minor != version.minor ||
                        have->micro != version.micro || have->dev != version.dev))
        return rp_aton_fail(reader, line, "another LL_ATON release than on line %u", have->line);
    if (have->known)
        return true;
    reader->after_version = true;
    reader->out->version = version;
    return true;
}

/* Keeps the name of the blobs' header as it is written. */
static void read_include(struct rp_aton_reader *reader, const struct rp_ctoken *name,
                         const struct rp_ctoken *directive) {
    static const char suffix[] = "_ecblobs.h";
    const char *end = directive->at + directive->len, *from = name->at + 1;
    bool system = rp_ctoken_is(name, "<");
    if (!system && name->kind != RP_CTOKEN_STRING)
        return;
    const char *close = memchr(from, system ? '>' : '"', (size_t)(end - from));
    size_t len = close != NULL ? (size_t)(close - from) : 0, least = sizeof suffix - 1;
    if (len <= least || memcmp(close - least, suffix, least) != 0)
        return;
    reader->out->blobs_header = rp_strndup(reader->source.arena, from, len);
    reader->out->blobs_line = directive->line;
    reader->out->blobs_system = system;
}

/* Is the directive within #if 0, up to its #else or #endif? */
static bool is_left_out(struct rp_aton_reader *reader, const struct rp_ctokens *words) {
    const struct rp_ctoken *word = &words->items[0];
    bool opens = rp_ctoken_has_prefix(word, "if"), zero = false;
    if (words->count == 2 && rp_ctoken_is(word, "if"))
        zero = rp_ctoken_is(&words->items[1], "0");
    if (reader->left_out != 0 || zero)
        reader->left_out += opens;
    else
        return false;
    if (rp_ctoken_is(word, "endif"))
        reader->left_out--;
    else if (reader->left_out == 1 && rp_ctoken_has_prefix(word, "el"))
        reader->left_out = 0;
    return true;
}

bool rp_aton_directive(struct rp_aton_reader *reader, const struct rp_ctoken *directive) {
    struct rp_ctokens *words = &reader->words;
    rp_cdirective_split(reader->source.arena, directive, words);
    if (words->count == 0)
        return true;
    const struct rp_ctoken *word = &words->items[0];
    bool left_out = is_left_out(reader, words);
    if (reader->in_rows && (rp_ctoken_has_prefix(word, "el") || rp_ctoken_is(word, "include")))
        return rp_aton_fail(reader, directive->line, "a table with #%.*s is not understood",
                            (int)(word->len < 16 ? word->len : 16), word->at);
    if (rp_ctoken_is(word, "if") && rp_ctokens_have(words, "LL_ATON_VERSION_MAJOR"))
        return read_version(reader, words, directive->line);
    if (reader->after_version && rp_ctoken_is(word, "error"))
        reader->out->version.is_error = true;
    else if (rp_ctoken_is(word, "endif"))
        reader->after_version = false;
    else if (rp_ctoken_is(word, "include") && words->count > 1 && !left_out)
        read_include(reader, &words->items[1], directive);
    return true;
}
