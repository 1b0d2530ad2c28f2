/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of the epoch controller: see blobs.h. */
#include "toolchain/npu/blobs.h"

#include <string.h>

#include "toolchain/npu/tokens.h"
#include "toolchain/npu/value.h"

#define SECTION "ECBLOB_CONST_SECTION"

/* The size of uint64_t and the like; 0: unknown. */
static unsigned size_of(const struct rp_ctoken *type) {
    static const struct {
        const char *name;
        unsigned size;
    } rows[] = {{"uint8_t", 1},  {"int8_t", 1},  {"uint16_t", 2}, {"int16_t", 2},
                {"uint32_t", 4}, {"int32_t", 4}, {"uint64_t", 8}, {"int64_t", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rp_ctoken_is(type, rows[i].name))
            return rows[i].size;
    return 0;
}

/* The bound between [ and ]; *bounded is false when there is none. */
static bool read_bound(const struct rp_aton_reader *reader, const struct rp_ctoken *open,
                       struct rp_aton_blob *blob) {
    const struct rp_ctoken *end = reader->head + reader->head_count, *close = open + 1;
    struct rp_cvalue value;
    while (close != end && !rp_ctoken_is(close, "]"))
        close++;
    blob->is_bounded = close != open + 1;
    if (close == end || close + 1 != end)
        return rp_aton_fail(reader, blob->line, "the array '%s' is not understood", blob->symbol);
    if (!blob->is_bounded)
        return true;
    if (!rp_cexpr_eval(open + 1, (size_t)(close - open - 1), &value) || value.label.len != 0 ||
        value.number < 0 || value.number > UINT32_MAX)
        return rp_aton_fail(reader, blob->line, "the bound of '%s' is not understood",
                            blob->symbol);
    blob->elements = (uint64_t)value.number;
    return true;
}

/* Counts the initialisers between { and }; moves from the = to after the ;. */
static bool count_initialisers(struct rp_aton_reader *reader, uint64_t *count) {
    bool empty = true; /* no token since the last comma */
    size_t depth = 0;
    *count = 0;
    if (!rp_aton_advance(reader) || !rp_aton_expect(reader, "{"))
        return false;
    while (depth != 0 || !rp_ctoken_is(&reader->token, "}")) {
        const struct rp_ctoken *token = &reader->token;
        char c = token->kind == RP_CTOKEN_PUNCT ? *token->at : ' ';
        if (token->kind == RP_CTOKEN_END)
            return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a brace is not closed",
                           reader->lexer.path, token->line);
        depth += c == '(' || c == '{' || c == '[';
        depth -= depth != 0 && (c == ')' || c == '}' || c == ']');
        bool comma = depth == 0 && c == ',';
        *count += !comma && empty;
        empty = comma;
        if (!rp_aton_advance(reader))
            return false;
    }
    return rp_aton_advance(reader) && rp_aton_expect(reader, ";");
}

/* The array in head, with its ; or = as the current token. */
static bool read_blob(struct rp_aton_reader *reader, const struct rp_ctoken *name,
                      struct rp_aton_blobs *out) {
    bool initialised = rp_ctoken_is(&reader->token, "=");
    const struct rp_ctoken *type = name != reader->head ? name - 1 : name;
    uint64_t count = 0, size = size_of(type);
    struct rp_aton_blob blob = {.symbol = rp_aton_word(reader, name),
                                .type = rp_aton_word(reader, type),
                                .line = name->line,
                                .in_section = rp_aton_head_has(reader, SECTION),
                                .is_const = rp_aton_head_has(reader, "const")};
    if (!read_bound(reader, name + 1, &blob) ||
        !(initialised ? count_initialisers(reader, &count) : rp_aton_advance(reader)))
        return false;
    if (!blob.is_bounded && !initialised)
        return rp_aton_fail(reader, blob.line, "the array '%s' has neither a bound nor a value",
                            blob.symbol);
    if (blob.is_bounded && count > blob.elements)
        return rp_aton_fail(reader, blob.line, "'%s' has more initialisers (%llu) than elements",
                            blob.symbol, (unsigned long long)count);
    blob.elements = blob.is_bounded ? blob.elements : count;
    blob.bytes = blob.elements * size;
    *RP_PUSH(reader->arena, out) = blob;
    return true;
}

struct calls {
    struct rp_aton_reader reader; /* first: see_call gets a pointer to it */
    bool copies, relocates;
    bool asked; /* the directive before asks whether SECTION is defined */
    unsigned section_line;
};

/* "#define SECTION" counts unless "#ifndef SECTION" or the like comes right before it. */
static void see_directive(struct rp_aton_reader *reader, const struct rp_ctoken *directive) {
    struct calls *calls = (struct calls *)(void *)reader;
    struct rp_clexer lexer = {directive->at + 1, directive->at + directive->len, reader->lexer.path,
                              directive->line, true};
    struct rp_ctoken word, token, before = {0};
    bool named = false, defined = false;
    if (!rp_ctoken_next(&lexer, &word, NULL))
        return;
    bool sets = rp_ctoken_is(&word, "define") || rp_ctoken_is(&word, "undef");
    for (before = word; rp_ctoken_next(&lexer, &token, NULL) && token.kind != RP_CTOKEN_END;) {
        if (token.kind == RP_CTOKEN_COMMENT)
            continue;
        named = named || rp_ctoken_is(&token, SECTION);
        defined = defined || (rp_ctoken_is(&token, SECTION) && before.at == word.at);
        before = token;
    }
    if (sets && defined && !calls->asked && calls->section_line == 0)
        calls->section_line = directive->line;
    calls->asked = named && rp_ctoken_has_prefix(&word, "if");
}

static void see_call(struct rp_aton_reader *reader, const struct rp_ctoken *word) {
    struct calls *calls = (struct calls *)(void *)reader;
    calls->copies = calls->copies || rp_ctoken_is(word, "ec_copy_blob");
    calls->relocates = calls->relocates || rp_ctoken_is(word, "ec_reloc");
}

/* The name of the controller's array that head defines, or NULL. */
static const struct rp_ctoken *blob_name(const struct rp_aton_reader *reader) {
    const struct rp_ctoken *name = rp_aton_head_name(reader, "[");
    bool is_blob = name != NULL && rp_ctoken_has_prefix(name, "_ec_blob_");
    return is_blob && !rp_aton_head_has(reader, "extern") ? name : NULL;
}

static bool read_declaration(struct rp_aton_reader *reader, struct rp_aton_blobs *out) {
    if (!rp_aton_read_head(reader))
        return false;
    const struct rp_ctoken *token = &reader->token, *name = blob_name(reader);
    if (token->kind == RP_CTOKEN_END && reader->head_count != 0)
        return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a declaration does not end",
                       reader->lexer.path, reader->head[0].line);
    if (token->kind == RP_CTOKEN_END)
        return true;
    if (rp_ctoken_is(token, "{") && !rp_aton_head_is_linkage(reader))
        return rp_aton_skip_braces(reader, see_call);
    if (name != NULL && (rp_ctoken_is(token, "=") || rp_ctoken_is(token, ";")))
        return read_blob(reader, name, out);
    if (rp_ctoken_is(token, "="))
        return rp_aton_skip_initializer(reader);
    return rp_aton_advance(reader);
}

bool rp_aton_parse_blobs(struct rp_aton_blobs *out, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err) {
    struct calls calls = {0};
    *out = (struct rp_aton_blobs){0};
    rp_aton_reader_init(&calls.reader, arena, text, err);
    calls.reader.see = see_directive;
    if (!rp_aton_advance(&calls.reader))
        return false;
    while (calls.reader.token.kind != RP_CTOKEN_END)
        if (!read_declaration(&calls.reader, out))
            return false;
    out->section_line = calls.section_line;
    out->copies = calls.copies;
    out->relocates = calls.relocates;
    return true;
}
