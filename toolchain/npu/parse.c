/* SPDX-License-Identifier: Apache-2.0 */
/* network.c at file scope: which function is which, labels, what is called. See parse.h. */
#include "toolchain/npu/parse.h"

#include <string.h>

#include "toolchain/npu/comment.h"
#include "toolchain/npu/directive.h"
#include "toolchain/npu/table.h"
#include "toolchain/npu/value.h"

/* ---- functions ---- */

static void see_call(void *owner, const struct rp_ctoken *word) {
    struct rp_aton_reader *reader = owner;
    struct rp_strings *list = rp_ctoken_has_prefix(word, "LL_ATON_LIB_") ? &reader->out->functions
                              : rp_ctoken_has_prefix(word, "ll_sw_forward_")
                                  ? &reader->out->sw_kernels
                                  : NULL;
    /* the only macro of that name */
    if (list != NULL && !rp_ctoken_is(word, "LL_ATON_LIB_UNUSED"))
        rp_strings_push(reader->source.arena, list, rp_aton_word(&reader->source, word));
}

/* All functions that are named after a network have to name the same one. */
static bool check_network(struct rp_aton_reader *reader, const struct rp_ctoken *word,
                          size_t prefix_len) {
    const char *name =
        rp_strndup(reader->source.arena, word->at + prefix_len, word->len - prefix_len);
    if (*name == '\0')
        return rp_aton_fail(reader, word->line, "a function without the network's name");
    if (reader->out->network == NULL)
        reader->out->network = name;
    if (strcmp(name, reader->out->network) != 0)
        return rp_aton_fail(reader, word->line,
                            "functions of two networks, '%s' and '%s', are in this file",
                            reader->out->network, name);
    return true;
}

/* A function definition, its { being the current token. */
static bool read_function(struct rp_aton_reader *reader, const struct rp_ctoken *word) {
    static const struct {
        const char *prefix;
        enum rp_aton_table table; /* RP_ATON_TABLES: epochs */
    } rows[] = {{"LL_ATON_EpochBlockItems_", RP_ATON_TABLES},
                {"LL_ATON_Input_Buffers_Info_", RP_ATON_INPUT},
                {"LL_ATON_Output_Buffers_Info_", RP_ATON_OUTPUT},
                {"LL_ATON_Internal_Buffers_Info_", RP_ATON_INTERNAL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!rp_ctoken_has_prefix(word, rows[i].prefix))
            continue;
        enum rp_aton_table table = rows[i].table;
        bool epochs = table == RP_ATON_TABLES;
        bool *seen = epochs ? &reader->has_epochs : &reader->has_table[table];
        if (!check_network(reader, word, strlen(rows[i].prefix)))
            return false;
        if (*seen)
            return rp_aton_fail(reader, word->line, "'%.*s' is there twice",
                                (int)(word->len < 200 ? word->len : 200), word->at);
        *seen = true;
        return epochs ? rp_aton_read_epochs(reader) : rp_aton_read_buffers(reader, table);
    }
    return rp_csource_skip_braces(&reader->source, see_call);
}

/* ---- declarations ---- */

/* Takes "extern unsigned char name[];" */
static void take_label(struct rp_aton_reader *reader) {
    const struct rp_ctokens *head = &reader->source.head;
    const struct rp_ctoken *name = rp_ctokens_name(head, "[");
    if (name != NULL && rp_ctoken_is(&head->items[0], "extern") && rp_ctokens_have(head, "char"))
        *RP_PUSH(reader->source.arena, &reader->labels) = (struct rp_aton_label){
            rp_aton_word(&reader->source, name), reader->source.token.line, 0};
}

/* Reads one declaration or definition; the end of the text counts as an empty one. */
static bool read_declaration(struct rp_aton_reader *reader, unsigned *linkage) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *token = &source->token;
    const struct rp_ctokens *head = &source->head;
    if (!rp_csource_head(source))
        return false;
    if (token->kind == RP_CTOKEN_END && head->count != 0)
        return rp_csource_fail(source, RP_E_INPUT, head->items[0].line,
                               "a declaration does not end");
    if (rp_ctoken_is(token, "{") && !rp_ctokens_are_linkage(head)) {
        const struct rp_ctoken *function = rp_ctokens_name(head, "(");
        return function != NULL ? read_function(reader, function)
                                : rp_csource_skip_braces(source, NULL);
    }
    *linkage += rp_ctoken_is(token, "{");
    if (rp_ctoken_is(token, "}") && (*linkage)-- == 0)
        return rp_csource_fail(source, RP_E_INPUT, token->line,
                               "a closing brace without an opening one");
    if (rp_ctoken_is(token, "=")) { /* tables may refer to arrays of this name */
        const struct rp_ctoken *name = rp_ctokens_name(head, "[");
        if (name != NULL && rp_ctoken_has_prefix(name, "buff_info"))
            return rp_aton_read_array(reader, &reader->globals);
    } else {
        take_label(reader);
    }
    return rp_csource_pass(source, NULL);
}

static bool take_aside(void *owner, const struct rp_ctoken *token) {
    return (token->kind == RP_CTOKEN_COMMENT ? rp_aton_comment : rp_aton_directive)(owner, token);
}

/* ---- the whole file ---- */

static bool check_complete(const struct rp_aton_reader *reader) {
    unsigned last = reader->source.token.line;
    if (!reader->has_epochs)
        return rp_aton_fail(reader, last,
                            "no function LL_ATON_EpochBlockItems_<name>: this is not a network "
                            "of the Neural-ART compiler");
    for (int table = RP_ATON_INPUT; table < RP_ATON_TABLES; table++)
        if (!reader->has_table[table])
            return rp_aton_fail(reader, last, "the function with the %s buffers of '%s' is missing",
                                rp_aton_table_name((enum rp_aton_table)table),
                                reader->out->network);
    if (!reader->out->version.known && reader->unknown_version != 0)
        return rp_aton_fail(reader, reader->unknown_version,
                            "which LL_ATON release this line asks for is not understood: "
                            "comparisons of LL_ATON_VERSION_MAJOR, _MINOR, _MICRO and _DEV with "
                            "!= and || are expected");
    if (reader->out->pools.count == 0)
        return rp_aton_fail(reader, last,
                            "the comments that describe the memory pools are missing");
    return true;
}

bool rp_aton_parse(struct rp_aton *out, struct rp_arena *arena, const struct rp_aton_text *text,
                   struct rp_error *err) {
    struct rp_aton_reader reader = {.source = rp_aton_open(arena, text, err), .out = out};
    unsigned linkage = 0;
    *out = (struct rp_aton){.path = text->path,
                            .git_description = "",
                            .git_sha = "",
                            .build_date = "",
                            .model_file = "",
                            .mpool_file = ""};
    reader.source.aside = take_aside;
    reader.source.owner = &reader;
    if (!rp_csource_next(&reader.source))
        return false;
    while (reader.source.token.kind != RP_CTOKEN_END)
        if (!read_declaration(&reader, &linkage))
            return false;
    rp_strings_sort(&out->functions);
    rp_strings_sort(&out->sw_kernels);
    return check_complete(&reader) && rp_aton_finish_pools(&reader);
}
