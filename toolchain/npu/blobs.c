/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of the epoch controller: see blobs.h. */
#include "toolchain/npu/blobs.h"

#include <string.h>

#include "toolchain/npu/reader.h"
#include "toolchain/cread/expr.h"
#include "toolchain/cread/init.h"

#define SECTION "ECBLOB_CONST_SECTION"

struct reader {
    struct rp_csource source;
    struct rp_aton_blobs *out;
    struct rp_ctokens words; /* of the last directive */
    bool asked;              /* the directive before asks whether SECTION is defined */
};

/* Reads the bound between [ and ]. */
static bool read_bound(const struct rp_csource *source, const struct rp_ctoken *open,
                       struct rp_aton_blob *blob) {
    const struct rp_ctoken *end = source->head.items + source->head.count, *close = open + 1;
    struct rp_cvalue value = {0};
    while (close != end && !rp_ctoken_is(close, "]"))
        close++;
    blob->is_bounded = close != open + 1;
    if (close == end || close + 1 != end)
        return rp_csource_fail(source, RP_E_ATON, blob->line, "the array '%s' is not understood",
                               blob->symbol);
    if (blob->is_bounded && (!rp_cexpr_eval(open + 1, (size_t)(close - open - 1), &value) ||
                             value.label.len != 0 || value.number < 0 || value.number > UINT32_MAX))
        return rp_csource_fail(source, RP_E_ATON, blob->line, "the bound of '%s' is not understood",
                               blob->symbol);
    blob->elements = (uint64_t)value.number;
    return true;
}

/* Counts the values between { and }, from the = to after the ;. */
static bool count_values(struct rp_csource *source, uint64_t *count) {
    struct rp_cinit_list list;
    struct rp_cinit item;
    if (!rp_csource_next(source) || !rp_csource_value(source))
        return false;
    const struct rp_cinit value = rp_cinit_of(source);
    if (!rp_cinit_items(&value, &list))
        return rp_csource_fail(source, RP_E_ATON, value.line, "'{' expected in front of '%s'",
                               rp_cinit_text(source->arena, &value));
    while (rp_cinit_next(&list, &item))
        *count += item.count != 0;
    return rp_csource_expect(source, ";");
}

/* Reads the array in head, with its ; or = as the current token. */
static bool read_blob(struct reader *reader, const struct rp_ctoken *name) {
    struct rp_csource *source = &reader->source;
    bool initialised = rp_ctoken_is(&source->token, "=");
    const struct rp_ctoken *type = name != source->head.items ? name - 1 : name;
    uint64_t count = 0;
    struct rp_aton_blob blob = {.symbol = rp_aton_word(source, name),
                                .type = rp_aton_word(source, type),
                                .line = name->line,
                                .in_section = rp_ctokens_have(&source->head, SECTION),
                                .is_const = rp_ctokens_have(&source->head, "const")};
    if (!read_bound(source, name + 1, &blob) ||
        !(initialised ? count_values(source, &count) : rp_csource_next(source)))
        return false;
    if (!blob.is_bounded && !initialised)
        return rp_csource_fail(source, RP_E_ATON, blob.line,
                               "the array '%s' has neither a bound nor a value", blob.symbol);
    if (blob.is_bounded && count > blob.elements)
        return rp_csource_fail(source, RP_E_ATON, blob.line,
                               "'%s' has more initialisers (%llu) than elements", blob.symbol,
                               (unsigned long long)count);
    blob.elements = blob.is_bounded ? blob.elements : count;
    const struct rp_dtype *dtype = rp_aton_number_type(blob.type);
    blob.bytes = dtype != NULL && !dtype->is_float ? blob.elements * dtype->size_bytes : 0;
    *RP_PUSH(source->arena, reader->out) = blob;
    return true;
}

/* "#define SECTION" counts unless "#ifndef SECTION" or the like comes right before it. */
static bool take_aside(void *owner, const struct rp_ctoken *token) {
    struct reader *reader = owner;
    const struct rp_ctokens *words = &reader->words;
    if (token->kind != RP_CTOKEN_DIRECTIVE)
        return true;
    rp_cdirective_split(reader->source.arena, token, &reader->words);
    bool sets =
        words->count > 1 && rp_ctoken_is(&words->items[1], SECTION) &&
        (rp_ctoken_is(&words->items[0], "define") || rp_ctoken_is(&words->items[0], "undef"));
    if (sets && !reader->asked && reader->out->section_line == 0)
        reader->out->section_line = token->line;
    reader->asked = words->count != 0 && rp_ctoken_has_prefix(&words->items[0], "if") &&
                    rp_ctokens_have(words, SECTION);
    return true;
}

static void see_call(void *owner, const struct rp_ctoken *word) {
    struct reader *reader = owner;
    reader->out->copies = reader->out->copies || rp_ctoken_is(word, "ec_copy_blob");
    reader->out->relocates = reader->out->relocates || rp_ctoken_is(word, "ec_reloc");
}

static bool read_declaration(struct reader *reader) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *token = &source->token;
    if (!rp_csource_head(source))
        return false;
    if (token->kind == RP_CTOKEN_END && source->head.count != 0)
        return rp_csource_fail(source, RP_E_INPUT, source->head.items[0].line,
                               "a declaration does not end");
    if (rp_ctoken_is(token, "{") && !rp_ctokens_are_linkage(&source->head))
        return rp_csource_skip_braces(source, see_call);
    const struct rp_ctoken *name = rp_ctokens_name(&source->head, "[");
    bool is_blob = name != NULL && rp_ctoken_has_prefix(name, "_ec_blob_") &&
                   !rp_ctokens_have(&source->head, "extern");
    return is_blob && (rp_ctoken_is(token, "=") || rp_ctoken_is(token, ";"))
               ? read_blob(reader, name)
               : rp_csource_pass(source, NULL);
}

bool rp_aton_parse_blobs(struct rp_aton_blobs *out, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err) {
    struct reader reader = {.source = rp_aton_open(arena, text, err), .out = out};
    *out = (struct rp_aton_blobs){0};
    reader.source.aside = take_aside;
    reader.source.owner = &reader;
    bool ok = rp_csource_next(&reader.source);
    while (ok && reader.source.token.kind != RP_CTOKEN_END)
        ok = read_declaration(&reader);
    return ok;
}
