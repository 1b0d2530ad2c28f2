/* SPDX-License-Identifier: Apache-2.0 */
/* network.c at file scope: which function is which, labels, what is called. See parse.h. */
#include "toolchain/npu/parse.h"

#include <stdlib.h>
#include <string.h>

#include "toolchain/npu/comment.h"
#include "toolchain/npu/table.h"
#include "toolchain/npu/tokens.h"
#include "toolchain/npu/value.h"

/* ---- functions ---- */

static void see_call(struct rp_aton_reader *reader, const struct rp_ctoken *word) {
    struct rp_strings *list = rp_ctoken_has_prefix(word, "LL_ATON_LIB_") ? &reader->out->functions
                              : rp_ctoken_has_prefix(word, "ll_sw_forward_")
                                  ? &reader->out->sw_kernels
                                  : NULL;
    /* the only macro of that name */
    if (list != NULL && !rp_ctoken_is(word, "LL_ATON_LIB_UNUSED"))
        rp_strings_push(reader->arena, list, rp_aton_word(reader, word));
}

/* All functions that are named after a network have to name the same one. */
static bool check_network(struct rp_aton_reader *reader, const struct rp_ctoken *word,
                          size_t prefix_len) {
    const char *name = rp_strndup(reader->arena, word->at + prefix_len, word->len - prefix_len);
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
    return rp_aton_skip_braces(reader, see_call);
}

/* ---- declarations ---- */

/* "extern unsigned char name[];" */
static void read_extern(struct rp_aton_reader *reader) {
    const struct rp_ctoken *name = rp_aton_head_name(reader, "[");
    if (name == NULL || !rp_ctoken_is(&reader->head[0], "extern") ||
        !rp_aton_head_has(reader, "char"))
        return;
    *RP_PUSH(reader->arena, &reader->labels) =
        (struct rp_aton_label){rp_aton_word(reader, name), reader->token.line, 0};
}

/* One declaration or definition; the end of the text counts as an empty one. */
static bool read_declaration(struct rp_aton_reader *reader, unsigned *linkage) {
    if (!rp_aton_read_head(reader))
        return false;
    const struct rp_ctoken *token = &reader->token;
    if (token->kind == RP_CTOKEN_END && reader->head_count == 0)
        return true;
    if (token->kind == RP_CTOKEN_END)
        return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a declaration does not end",
                       reader->lexer.path, reader->head[0].line);
    if (rp_ctoken_is(token, "{") && rp_aton_head_is_linkage(reader)) {
        ++*linkage;
        return rp_aton_advance(reader);
    }
    if (rp_ctoken_is(token, "{")) {
        const struct rp_ctoken *function = rp_aton_head_name(reader, "(");
        return function != NULL ? read_function(reader, function)
                                : rp_aton_skip_braces(reader, NULL);
    }
    if (rp_ctoken_is(token, "=")) { /* tables may refer to arrays of this name */
        const struct rp_ctoken *name = rp_aton_head_name(reader, "[");
        bool wanted = name != NULL && rp_ctoken_has_prefix(name, "buff_info");
        return wanted ? rp_aton_read_array(reader, &reader->globals)
                      : rp_aton_skip_initializer(reader);
    }
    if (rp_ctoken_is(token, "}") && (*linkage)-- == 0)
        return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a closing brace without an opening one",
                       reader->lexer.path, token->line);
    read_extern(reader);
    return rp_aton_advance(reader);
}

/* ---- the whole file ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_unique(struct rp_strings *list) {
    size_t kept = 0;
    if (list->count != 0)
        qsort(list->items, list->count, sizeof *list->items, compare_names);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || strcmp(list->items[kept - 1], list->items[i]) != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static bool check_complete(const struct rp_aton_reader *reader) {
    unsigned last = reader->token.line;
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
    struct rp_aton_reader reader;
    unsigned linkage = 0;
    *out = (struct rp_aton){.path = text->path,
                            .git_description = "",
                            .git_sha = "",
                            .build_date = "",
                            .model_file = "",
                            .mpool_file = ""};
    rp_aton_reader_init(&reader, arena, text, err);
    reader.out = out;
    if (!rp_aton_advance(&reader))
        return false;
    while (reader.token.kind != RP_CTOKEN_END)
        if (!read_declaration(&reader, &linkage))
            return false;
    sort_unique(&out->functions);
    sort_unique(&out->sw_kernels);
    return check_complete(&reader) && rp_aton_finish_pools(&reader);
}
