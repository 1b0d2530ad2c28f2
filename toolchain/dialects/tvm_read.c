/* SPDX-License-Identifier: Apache-2.0 */
/* Reading TVM's generated C: see tvm_read.h. */
#include "toolchain/dialects/tvm_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/cread/token.h"

struct reading {
    struct rp_tvm_code *code;
    struct rp_arena *arena;
    struct rp_clexer lexer;
    struct rp_error *err;
};

static char *copy(const struct reading *read, const struct rp_ctoken *token) {
    return rp_strndup(read->arena, token->at, token->len);
}

/* The next token that is not a comment. */
static bool next(struct reading *read, struct rp_ctoken *token) {
    do {
        if (!rp_ctoken_next(&read->lexer, token, read->err))
            return false;
    } while (token->kind == RP_CTOKEN_COMMENT);
    return true;
}

/* ---- #define TVMGEN_…_SIZE 123 ---- */

static void take_size(struct reading *read, const struct rp_ctoken *token) {
    char *text = copy(read, token);
    char *name = text + 1 + strspn(text + 1, " \t");
    if (!rp_has_prefix(name, "define"))
        return;
    name += strlen("define");
    name += strspn(name, " \t");
    size_t len = strcspn(name, " \t\r\n(");
    char *end, *value = name + len + strspn(name + len, " \t(");
    unsigned long long number = strtoull(value, &end, 0);
    if (!rp_has_prefix(name, "TVMGEN_") || !isdigit((unsigned char)*value) || number > UINT32_MAX ||
        strchr(" \t\r\n)uUlL", *end) == NULL)
        return;
    *RP_PUSH(read->arena, &read->code->sizes) =
        (struct rp_tvm_size){rp_strndup(read->arena, name, len), number};
}

/* ---- struct tvmgen_x_inputs { void* a; void* b; }; ---- */

static bool wrong_member(struct reading *read, const char *name, const struct rp_ctoken *token) {
    return rp_fail(read->err, RP_E_INPUT,
                   "%s:%u: struct %s: only pointers are understood in it, not '%.*s'",
                   read->lexer.path, token->line, name, (int)token->len, token->at);
}

/* Refuses headers of two generations side by side: we cannot know which one the compiler takes. */
static bool push_struct(struct reading *read, const struct rp_tvm_struct *found, unsigned line) {
    const struct rp_tvm_struct *before = rp_tvm_find_struct(read->code, found->name);
    if (before == NULL) {
        *RP_PUSH(read->arena, &read->code->structs) = *found;
        return true;
    }
    bool same = before->members.count == found->members.count;
    for (size_t i = 0; same && i < found->members.count; i++)
        same = strcmp(before->members.items[i], found->members.items[i]) == 0;
    return same ||
           rp_fail(read->err, RP_E_INPUT, "%s:%u: struct %s is there twice, with other members",
                   read->lexer.path, line, found->name);
}

static bool take_struct(struct reading *read, const char *name) {
    struct rp_tvm_struct found = {.name = name};
    struct rp_ctoken token, last = {0};
    unsigned stars = 0;
    for (;;) {
        if (!next(read, &token))
            return false;
        if (rp_ctoken_is(&token, "}"))
            break;
        if (rp_ctoken_is(&token, ";")) {
            if (stars != 1 || last.kind != RP_CTOKEN_WORD)
                return wrong_member(read, name, last.at != NULL ? &last : &token);
            rp_strings_push(read->arena, &found.members, copy(read, &last));
            stars = 0;
        } else if (rp_ctoken_is(&token, "*")) {
            stars++;
        } else if (token.kind != RP_CTOKEN_WORD) {
            return wrong_member(read, name, &token);
        }
        last = token;
    }
    return push_struct(read, &found, token.line);
}

/* ---- int32_t tvmgen_x_run(struct tvmgen_x_inputs *inputs, …) ---- */

static void push_param(struct reading *read, struct rp_tvm_function *function, struct rp_buf *type,
                       const struct rp_ctoken *last) {
    bool named = last->kind == RP_CTOKEN_WORD && type->len > last->len;
    if (type->len != 0)
        *RP_PUSH(read->arena, function) = (struct rp_tvm_param){
            .type = rp_strndup(read->arena, type->data, type->len - (named ? last->len + 1 : 0)),
            .name = named ? copy(read, last) : "",
        };
    type->len = 0;
}

/* Parameters up to the closing parenthesis; anything unusual becomes part of a type's text. */
static bool take_params(struct reading *read, struct rp_tvm_function *function) {
    struct rp_buf type = {.arena = read->arena};
    struct rp_ctoken token, last = {0};
    bool ok;
    while ((ok = next(read, &token)) && token.kind != RP_CTOKEN_END && !rp_ctoken_is(&token, ")")) {
        if (rp_ctoken_is(&token, ","))
            push_param(read, function, &type, &last);
        else
            rp_buf_printf(&type, "%s%.*s", type.len != 0 ? " " : "", (int)token.len, token.at);
        last = token;
    }
    push_param(read, function, &type, &last);
    return ok;
}

static bool is_entry(const struct rp_ctoken *token) {
    static const char *const ends[] = {"_run", "_run_model", "___tvm_main__"};
    bool is = false;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t len = strlen(ends[i]);
        is = is || (token->len > len && memcmp(token->at + token->len - len, ends[i], len) == 0);
    }
    return is && rp_ctoken_has_prefix(token, "tvmgen_");
}

static bool take_function(struct reading *read, const struct rp_ctoken *name) {
    struct rp_tvm_function *function = RP_PUSH(read->arena, &read->code->functions);
    struct rp_clexer here;
    struct rp_ctoken after;
    *function = (struct rp_tvm_function){
        .name = copy(read, name), .file = read->lexer.path, .line = name->line};
    if (!take_params(read, function))
        return false;
    here = read->lexer;
    if (!next(read, &after))
        return false;
    function->defined = rp_ctoken_is(&after, "{");
    read->lexer = here;
    return true;
}

/* ---- a file ---- */

/* before and token are neighbours. A call has no type in front of it. */
static bool take_token(struct reading *read, const struct rp_ctoken *before,
                       const struct rp_ctoken *token) {
    struct rp_clexer here = read->lexer;
    struct rp_ctoken after;
    if (token->kind == RP_CTOKEN_DIRECTIVE)
        take_size(read, token);
    if (token->kind != RP_CTOKEN_WORD)
        return true;
    if (rp_ctoken_is(token, "TVMBackendAllocWorkspace"))
        read->code->allocations++;
    bool type = rp_ctoken_is(before, "int32_t") || rp_ctoken_is(before, "int");
    bool structure = rp_ctoken_is(before, "struct") && rp_ctoken_has_prefix(token, "tvmgen_");
    if (!structure && !(type && is_entry(token)))
        return true;
    if (!next(read, &after))
        return false;
    if (structure && rp_ctoken_is(&after, "{"))
        return take_struct(read, copy(read, token));
    if (!structure && rp_ctoken_is(&after, "("))
        return take_function(read, token);
    read->lexer = here;
    return true;
}

bool rp_tvm_read(struct rp_tvm_code *code, struct rp_arena *arena, const struct rp_mlf_file *file,
                 struct rp_error *err) {
    const char *text = (const char *)file->text.data;
    struct reading read = {
        code,
        arena,
        {.at = text, .end = text + file->text.size, .path = file->path, .line = 1},
        err};
    struct rp_ctoken before = {0}, token;
    do {
        if (!next(&read, &token) || !take_token(&read, &before, &token))
            return false;
        before = token;
    } while (token.kind != RP_CTOKEN_END);
    return true;
}

const struct rp_tvm_struct *rp_tvm_find_struct(const struct rp_tvm_code *code, const char *name) {
    for (size_t i = 0; i < code->structs.count; i++)
        if (strcmp(code->structs.items[i].name, name) == 0)
            return &code->structs.items[i];
    return NULL;
}

uint64_t rp_tvm_find_size(const struct rp_tvm_code *code, const char *name) {
    for (size_t i = 0; i < code->sizes.count; i++)
        if (strcmp(code->sizes.items[i].name, name) == 0)
            return code->sizes.items[i].value;
    return 0;
}

/* ---- the model's text ---- */

/* "Tensor[(1, 4), float32]"; "(4)" and "(4,)" have one dimension. */
static bool take_type(struct rp_arena *arena, const char *at, struct rp_tensor *tensor) {
    if (!rp_has_prefix(at, "Tensor[("))
        return false;
    at += strlen("Tensor[(");
    while (isdigit((unsigned char)*at)) {
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (value == 0 || value > UINT32_MAX || tensor->rank == RP_RANK_MAX)
            return false;
        tensor->shape[tensor->rank++] = (uint32_t)value;
        at = end + strspn(end, ", ");
    }
    if (!rp_has_prefix(at, "), "))
        return false;
    at += strlen("), ");
    tensor->dtype = rp_dtype_find(rp_strndup(arena, at, strcspn(at, "]")));
    return tensor->dtype != NULL && tensor->rank != 0;
}

bool rp_tvm_relay(struct rp_arena *arena, const char *text, const char *name,
                  struct rp_tensor *tensor) {
    const char *at = strstr(text, "def @main(");
    const char *end = at != NULL ? strstr(at, "{\n") : NULL;
    if (end == NULL)
        return false;
    if (name == NULL) {
        const char *arrow = strstr(at, ") -> ");
        return arrow != NULL && arrow < end && take_type(arena, arrow + strlen(") -> "), tensor);
    }
    for (at = strchr(at, '%'); at != NULL && at < end; at = strchr(at + 1, '%')) {
        static const char sign[] = ": Tensor[";
        size_t len = strcspn(at + 1, "%"); /* up to the next name: each byte is looked at once */
        const char *colon = memmem(at + 1, len, sign, strlen(sign));
        if (colon == NULL || colon > end)
            continue;
        const char *given = rp_strndup(arena, at + 1, (size_t)(colon - at - 1));
        if (strcmp(rp_c_identifier(arena, given), name) == 0)
            return take_type(arena, colon + strlen(": "), tensor);
    }
    return false;
}
