/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of nodes: see nodes.h. The legacy API declares each node,
 *   AI_LAYER_OBJ_DECLARE(dense_1_layer, 1, DENSE_TYPE, ...)
 * the last one first. The newer one calls kernels one after the other, each between two call-backs,
 *   LITE_KERNEL_SECTION BEGIN dense_1          (a comment)
 *   _STAI_NETWORK_EVENT_NODE_START_CB(1, ...); forward_lite_dense_if32of32wf32(...);
 * or in a function forward_lite_dense_1.
 */
#include "toolchain/dialects/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/cread/token.h"

#define LAYER "AI_LAYER_OBJ_DECLARE"
#define EVENT "_EVENT_NODE_START_CB"
enum { TEXT_MAX = 1 << 30 };

/* What the code says of one node. */
struct declared {
    uint32_t id;
    const char *type, *name;
    size_t place; /* in the order of execution */
};

struct declarations {
    struct rp_arena *arena;
    struct declared *items;
    size_t count;
    size_t capacity;
};

/* Without that end. */
static const char *without(struct rp_arena *arena, const char *text, size_t len, const char *end) {
    size_t tail = strlen(end);
    bool has = len > tail && memcmp(text + len - tail, end, tail) == 0;
    return rp_strndup(arena, text, has ? len - tail : len);
}

/* A word that begins like this: what is behind that, else the word. */
static const char *behind(const char *word, const char *start) {
    return rp_has_prefix(word, start) ? word + strlen(start) : word;
}

/* The next token that is neither a comment nor a directive. */
static bool next_token(struct rp_clexer *lexer, struct rp_ctoken *token) {
    do
        if (!rp_ctoken_next(lexer, token, NULL) || token->kind == RP_CTOKEN_END)
            return false;
    while (token->kind == RP_CTOKEN_COMMENT || token->kind == RP_CTOKEN_DIRECTIVE);
    return true;
}

/* Nodes of one id keep the order in which they are executed. */
static int by_place(const void *a, const void *b) {
    const struct declared *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place ? 1 : strcmp(x->name, y->name);
}

/* ---- the legacy API ---- */

/* NAME, ID, TYPE behind the opening parenthesis; false: something else. */
static bool read_layer(struct rp_clexer *lexer, struct declarations *out) {
    static const enum rp_ctoken_kind kinds[] = {RP_CTOKEN_PUNCT,  RP_CTOKEN_WORD,  RP_CTOKEN_PUNCT,
                                                RP_CTOKEN_NUMBER, RP_CTOKEN_PUNCT, RP_CTOKEN_WORD};
    struct rp_ctoken tokens[sizeof kinds / sizeof kinds[0]];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!next_token(lexer, &tokens[i]) || tokens[i].kind != kinds[i])
            return false;
    *RP_PUSH(out->arena, out) = (struct declared){
        .id = (uint32_t)strtoul(tokens[3].at, NULL, 0),
        .name = without(out->arena, tokens[1].at, tokens[1].len, "_layer"),
        .type = without(out->arena, tokens[5].at, tokens[5].len, "_TYPE"),
        .place = SIZE_MAX - out->count, /* the last one comes first */
    };
    return true;
}

static void read_layers(const struct rp_bytes *text, struct declarations *out) {
    struct rp_clexer lexer = {
        .at = (const char *)text->data, .end = (const char *)text->data + text->size, .line = 1};
    struct rp_ctoken token;
    while (next_token(&lexer, &token))
        if (token.kind == RP_CTOKEN_WORD && rp_ctoken_is(&token, LAYER))
            (void)read_layer(&lexer, out);
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, by_place);
}

/* ---- the newer API ---- */

static size_t place_of(const struct rp_strings *sections, const char *name) {
    size_t place = 0;
    while (place < sections->count && strcmp(sections->items[place], name) != 0)
        place++;
    return place;
}

/* The kernel that is called behind the call-back: "dense_if32of32wf32", "slice". */
static const char *read_kernel(struct rp_clexer *lexer, struct rp_arena *arena) {
    struct rp_ctoken token;
    while (next_token(lexer, &token) && !rp_ctoken_is(&token, ";"))
        ;
    if (!next_token(lexer, &token) || token.kind != RP_CTOKEN_WORD)
        return "";
    const char *word = rp_strndup(arena, token.at, token.len);
    return behind(behind(word, "forward_"), "lite_");
}

/*
 * Sections are in the order of execution. Where the call-backs are in a function, it stands before
 * them all.
 */
static void read_events(const struct rp_bytes *text, struct declarations *out) {
    static const char section[] = "LITE_KERNEL_SECTION BEGIN ";
    struct rp_clexer lexer = {
        .at = (const char *)text->data, .end = (const char *)text->data + text->size, .line = 1};
    struct rp_ctoken token;
    struct rp_strings sections = {0};
    const char *name = "";
    while (rp_ctoken_next(&lexer, &token, NULL) && token.kind != RP_CTOKEN_END) {
        bool is_text = token.kind == RP_CTOKEN_COMMENT || token.kind == RP_CTOKEN_WORD;
        const char *word = rp_strndup(out->arena, token.at, is_text ? token.len : 0);
        const char *begin = token.kind == RP_CTOKEN_COMMENT ? strstr(word, section) : NULL;
        if (begin != NULL) {
            begin += strlen(section);
            name = rp_strndup(out->arena, begin, strcspn(begin, " \t\r\n*"));
            rp_strings_push(out->arena, &sections, name);
        } else if (rp_has_prefix(word, "forward_lite_")) {
            name = behind(word, "forward_lite_");
        } else if (token.kind == RP_CTOKEN_WORD && rp_has_suffix(word, EVENT) &&
                   next_token(&lexer, &token) && next_token(&lexer, &token) &&
                   token.kind == RP_CTOKEN_NUMBER) {
            uint32_t id = (uint32_t)strtoul(token.at, NULL, 0);
            const char *kernel = read_kernel(&lexer, out->arena);
            *RP_PUSH(out->arena, out) = (struct declared){.id = id, .name = name, .type = kernel};
        }
    }
    for (size_t i = 0; i < out->count; i++)
        out->items[i].place = place_of(&sections, out->items[i].name);
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, by_place);
}

/* ---- names ---- */

/* The declaration of a node: nodes of one id are taken in the order of their execution. */
static const struct declared *find(const struct declarations *in, const struct rp_node *nodes,
                                   size_t index) {
    size_t before = 0;
    for (size_t i = 0; i < index; i++)
        before += nodes[i].id == nodes[index].id;
    for (size_t i = 0; i < in->count; i++) {
        const struct declared *one = &in->items[i];
        if (one->id == nodes[index].id && before-- == 0)
            return one;
    }
    return NULL;
}

static void give_names(const struct declarations *in, struct rp_node *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct declared *one = find(in, nodes, i);
        nodes[i].label = rp_format(in->arena, "%u", nodes[i].id);
        nodes[i].name = one != NULL ? one->name : "";
        nodes[i].type_name = one != NULL && one->type[0] != '\0'
                                 ? one->type
                                 : rp_format(in->arena, "type %u", nodes[i].type);
    }
}

/* Sources without the marker are not looked at in detail: weights are long. */
static void read_all(const struct rp_model *model, struct declarations *out, const char *marker,
                     void (*read)(const struct rp_bytes *text, struct declarations *out)) {
    for (size_t i = 0; i < model->code.sources.count; i++) {
        struct rp_arena scratch = {0};
        struct rp_bytes text;
        rp_file_note(model->code.sources.items[i]);
        if (rp_file_look(&scratch, model->code.sources.items[i], TEXT_MAX, &text, NULL) &&
            strstr((const char *)text.data, marker) != NULL)
            read(&text, out);
        rp_arena_release(&scratch);
    }
}

void rp_st_ai_name_nodes(const struct rp_model *model, struct rp_arena *arena,
                         struct rp_node *nodes, size_t count) {
    struct declarations found = {.arena = arena};
    read_all(model, &found, LAYER, read_layers);
    give_names(&found, nodes, count);
}

void rp_stai_name_nodes(const struct rp_model *model, struct rp_arena *arena, struct rp_node *nodes,
                        size_t count) {
    struct declarations found = {.arena = arena};
    read_all(model, &found, EVENT, read_events);
    give_names(&found, nodes, count);
}
