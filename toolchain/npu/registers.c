/* SPDX-License-Identifier: Apache-2.0 */
/* Does a network name the NPU's registers: see registers.h. */
#include "toolchain/npu/registers.h"

#include <ctype.h>
#include <string.h>

#include "base/path.h"

static bool is_word_char(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool begins(const char *word, size_t len, const char *prefix) {
    size_t prefix_len = strlen(prefix);
    return len >= prefix_len && memcmp(word, prefix, prefix_len) == 0;
}

static bool ends(const char *word, size_t len, const char *suffix) {
    size_t suffix_len = strlen(suffix);
    return len >= suffix_len && memcmp(word + len - suffix_len, suffix, suffix_len) == 0;
}

static bool is_register(const char *word, size_t len) {
    static const char *const addresses[] = {"ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDR",
                                            "ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR"};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        if (len == strlen(addresses[i]) && begins(word, len, addresses[i]))
            return false;
    return begins(word, len, "ATON") || begins(word, len, "RASTA_") ||
           begins(word, len, "LL_ATON_OSAL_") || ends(word, len, "_DST") || ends(word, len, "_SRC");
}

/* Words may be made of parts: by ##, also written %:%:, or by a trigraph, which may be # or \. */
static bool is_joining(const char *at, size_t left) {
    return begins(at, left, "##") || begins(at, left, "%:%:") || begins(at, left, "?\?");
}

/*
 * Does the word begin a directive? # may be written %: and a comment may follow it, or the line may
 * go on in the next one.
 */
static bool is_directive(const char *text, const char *word) {
    while (word > text && (isspace((unsigned char)word[-1]) || word[-1] == '\\'))
        word--;
    return word > text && strchr("#:/", word[-1]) != NULL;
}

/* at: after the word include. Is it a file whose words are not read here? */
static bool includes_other(struct rp_arena *arena, const char *at, const char *end,
                           const struct rp_aton_beside *beside) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == end || (*at != '"' && *at != '<'))
        return true;
    const char *close = memchr(at + 1, *at == '<' ? '>' : '"', (size_t)(end - at - 1));
    if (close == NULL)
        return true;
    char *name = rp_strndup(arena, at + 1, (size_t)(close - at - 1));
    return (beside->blobs_header == NULL || strcmp(name, beside->blobs_header) != 0) &&
           rp_path_is_file(rp_path_join(arena, beside->folder, name));
}

bool rp_aton_option_names_registers(const char *option) {
    static const char *const parts[] = {"ATON", "RASTA_", "_SRC", "_DST", "##", "%:%:", "?\?"};
    bool names = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        names = names || strstr(option, parts[i]) != NULL;
    return names;
}

bool rp_aton_names_registers(struct rp_arena *arena, const struct rp_aton_text *text,
                             const struct rp_aton_beside *beside) {
    const char *at = text->bytes, *end = at + text->size;
    while (at < end) {
        const char *word = at;
        while (at < end && is_word_char(*at))
            at++;
        size_t len = (size_t)(at - word);
        bool cut = len != 0 && end - at >= 2 && *at == '\\' && isspace((unsigned char)at[1]);
        if (cut || is_register(word, len) || is_joining(at, (size_t)(end - at)))
            return true;
        if ((begins(word, len, "include") || begins(word, len, "import")) &&
            is_directive(text->bytes, word) && includes_other(arena, at, end, beside))
            return true;
        at += len == 0;
    }
    return false;
}
