/* SPDX-License-Identifier: Apache-2.0 */
/* Reads TVM's generated C: see tvm_read.h. */
#include "toolchain/dialects/tvm_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/cread/init.h"
#include "toolchain/cread/source.h"

struct reading {
    struct rp_tvm_code *code;
    struct rp_csource source;
};

static char *copy(const struct reading *read, const struct rp_ctoken *token) {
    return rp_strndup(read->source.arena, token->at, token->len);
}

/* Takes "#define TVMGEN_…_SIZE 123". */
static bool take_aside(void *owner, const struct rp_ctoken *token) {
    struct reading *read = owner;
    struct rp_ctokens words = {0};
    int64_t number;
    if (token->kind != RP_CTOKEN_DIRECTIVE)
        return true;
    rp_cdirective_split(read->source.arena, token, &words);
    if (rp_cdirective_number(&words, &number) && rp_ctoken_has_prefix(&words.items[1], "TVMGEN_") &&
        number >= 0 && number <= UINT32_MAX)
        *RP_PUSH(read->source.arena, &read->code->sizes) =
            (struct rp_tvm_size){copy(read, &words.items[1]), (uint64_t)number};
    return true;
}

static void see_call(void *owner, const struct rp_ctoken *word) {
    struct reading *read = owner;
    read->code->allocations += rp_ctoken_is(word, "TVMBackendAllocWorkspace");
}

/* ---- struct tvmgen_x_inputs { void* a; void* b; }; ---- */

/* Refuses headers of two generations side by side: we cannot know which one the compiler takes. */
static bool push_struct(struct reading *read, const struct rp_tvm_struct *found, unsigned line) {
    const struct rp_tvm_struct *before = rp_tvm_find_struct(read->code, found->name);
    if (before == NULL) {
        *RP_PUSH(read->source.arena, &read->code->structs) = *found;
        return true;
    }
    bool same = before->members.count == found->members.count;
    for (size_t i = 0; same && i < found->members.count; i++)
        same = strcmp(before->members.items[i], found->members.items[i]) == 0;
    return same || rp_csource_fail(&read->source, RP_E_INPUT, line,
                                   "struct %s is there twice, with other members", found->name);
}

/* Takes the members of a struct, whose opening brace is the current token. */
static bool take_struct(struct reading *read, const char *name) {
    struct rp_csource *source = &read->source;
    struct rp_tvm_struct found = {.name = name};
    for (;;) {
        if (!rp_csource_next(source) || !rp_csource_head(source))
            return false;
        const struct rp_ctokens *head = &source->head;
        if (head->count == 0 && rp_ctoken_is(&source->token, "}"))
            return push_struct(read, &found, source->token.line);
        unsigned stars = 0;
        size_t i = 0;
        for (; i < head->count; i++)
            if (rp_ctoken_is(&head->items[i], "*"))
                stars++;
            else if (head->items[i].kind != RP_CTOKEN_WORD)
                break;
        bool plain = i == head->count && rp_ctoken_is(&source->token, ";");
        const struct rp_ctoken *last = i < head->count   ? &head->items[i]
                                       : plain && i != 0 ? &head->items[i - 1]
                                                         : &source->token;
        if (!plain || stars != 1 || last->kind != RP_CTOKEN_WORD)
            return rp_csource_fail(source, RP_E_INPUT, last->line,
                                   "struct %s: only pointers are understood in it, not '%.*s'",
                                   name, (int)last->len, last->at);
        rp_strings_push(source->arena, &found.members, copy(read, last));
    }
}

/* ---- int32_t tvmgen_x_run(struct tvmgen_x_inputs *inputs, …) ---- */

static bool is_entry(const struct rp_ctoken *token) {
    static const char *const ends[] = {"_run", "_run_model", "___tvm_main__"};
    bool is = false;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t len = strlen(ends[i]);
        is = is || (token->len > len && memcmp(token->at + token->len - len, ends[i], len) == 0);
    }
    return is && rp_ctoken_has_prefix(token, "tvmgen_");
}

/* Takes a function and its parameters. Anything unusual becomes part of a type's text. */
static void take_function(struct reading *read, const struct rp_cinit *value) {
    struct rp_arena *arena = read->source.arena;
    struct rp_tvm_function *function = RP_PUSH(arena, &read->code->functions);
    struct rp_cinit_list list;
    struct rp_cinit param;
    *function = (struct rp_tvm_function){.name = copy(read, value->tokens),
                                         .file = read->source.lexer.path,
                                         .line = value->line,
                                         .defined = rp_ctoken_is(&read->source.token, "{")};
    for (bool more = rp_cinit_items(value, &list); more && rp_cinit_next(&list, &param);) {
        struct rp_buf type = {.arena = arena};
        const struct rp_ctoken *last = param.tokens + param.count - 1;
        bool named = param.count > 1 && last->kind == RP_CTOKEN_WORD;
        for (size_t i = 0; i < param.count - named; i++)
            rp_buf_printf(&type, "%s%.*s", i != 0 ? " " : "", (int)param.tokens[i].len,
                          param.tokens[i].at);
        if (param.count != 0)
            *RP_PUSH(arena, function) = (struct rp_tvm_param){
                .type = rp_buf_text(&type), .name = named ? copy(read, last) : ""};
    }
}

/* ---- a file ---- */

/*
 * Takes what stands between two of the signs ; = { }, at whatever depth: branches of #if need not
 * have their braces in pairs. A call has no type in front of it.
 */
static bool take_head(struct reading *read) {
    const struct rp_ctokens *head = &read->source.head;
    const struct rp_ctoken *items = head->items;
    for (size_t i = 0; i + 1 < head->count; i++) {
        bool type = rp_ctoken_is(&items[i], "int32_t") || rp_ctoken_is(&items[i], "int");
        struct rp_cinit function;
        if (rp_ctoken_is(&items[i + 1], "("))
            see_call(read, &items[i]);
        if (type && is_entry(&items[i + 1]) && rp_cinit_call(head, &items[i + 1], &function))
            take_function(read, &function);
    }
    if (head->count < 2 || !rp_ctoken_is(&read->source.token, "{"))
        return true;
    const struct rp_ctoken *tag = &items[head->count - 1];
    return !rp_ctoken_is(&tag[-1], "struct") || !rp_ctoken_has_prefix(tag, "tvmgen_") ||
           take_struct(read, copy(read, tag));
}

bool rp_tvm_read(struct rp_tvm_code *code, struct rp_arena *arena, const struct rp_mlf_file *file,
                 struct rp_error *err) {
    const char *text = (const char *)file->text.data;
    struct reading read = {
        .code = code,
        .source = {
            .lexer = {.at = text, .end = text + file->text.size, .path = file->path, .line = 1},
            .arena = arena,
            .err = err,
            .aside = take_aside,
            .owner = &read}};
    bool ok = rp_csource_next(&read.source);
    while (ok && read.source.token.kind != RP_CTOKEN_END)
        ok = rp_csource_head(&read.source) && take_head(&read) &&
             rp_csource_pass(&read.source, see_call);
    return ok;
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
