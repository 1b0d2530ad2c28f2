/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/cread and toolchain/calls/said: any text gives functions with complete
 * parameters, or an error. Whatever it declares can be printed, and compared with what a user says
 * about it. Initialisers of the text as it stands come apart into pieces of their own tokens.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/cread/decl.h"
#include "toolchain/cread/init.h"
#include "toolchain/cread/outline.h"
#include "toolchain/cread/reduce.h"
#include "toolchain/calls/said.h"

static void require_param(const struct rp_param *param) {
    require(param->name != NULL && param->type != NULL && param->rank <= RP_RANK_MAX);
    for (unsigned i = 0; i < param->rank; i++)
        require(param->shape[i] != 0);
}

/* The part that is left out keeps its line ends, so lines stay where they are. */
static void require_reduced(struct rp_arena *arena, const char *text, size_t size) {
    struct rp_buf out = {.arena = arena};
    size_t want = 0, got = 0;
    if (rp_cdecl_reduce(text, size, &out)) {
        for (size_t i = 0; i < size; i++)
            want += text[i] == '\n';
        for (size_t i = 0; i < out.len; i++)
            got += out.data[i] == '\n';
        require(want == got && out.len <= size);
    }
}

/* Both readings of a type, and everything said about it; an accepted type has the right size. */
static void require_said(struct rp_arena *arena, const struct rp_ctype *type) {
    static const char *const numbers[] = {"0", "-1", "300u", "0x1p3f", "1e99", ""};
    static const char *const dtypes[] = {"int8", "float", "uint32", "bool"};
    struct rp_tensor tensor = {.name = "x", .shape = {4, 7}, .rank = 2};
    uint64_t bytes = rp_said_bytes(type);
    require(rp_ctype_text(arena, type, "x") != NULL);
    (void)rp_said_suggest_call(arena, "x", type);
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        tensor.dtype = rp_dtype_find(dtypes[i]);
        require(tensor.dtype != NULL && rp_said_text(arena, &tensor, i % 2 == 0) != NULL);
        (void)rp_said_at_address(arena, &tensor, type, i % 2 == 0 ? RP_SAID_READ : RP_SAID_WRITTEN);
        (void)rp_said_as_value(arena, &tensor, type);
        const char *why = rp_said_in_variable(arena, &tensor, type, RP_SAID_READ);
        require(why != NULL || bytes == 0 || bytes == 28u * tensor.dtype->size_bytes);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        (void)rp_said_number(arena, numbers[i], type, i % 2 == 0);
}

static void require_functions(struct rp_arena *arena, const char *text, size_t size,
                              bool cplusplus) {
    struct rp_error err = {0};
    struct rp_functions all = {0};
    const struct rp_c_text source = {text, size, "fuzz.c", cplusplus};
    bool ok = rp_cdecl_functions(arena, &source, &all, &err);
    require_error(ok, &err);
    for (size_t i = 0; i < all.count; i++) {
        require(all.items[i].name[0] != '\0' && all.items[i].file != NULL);
        require(cplusplus || !all.items[i].is_mangled);
        for (size_t k = 0; k < all.items[i].param_count; k++)
            require_param(&all.items[i].params[k]);
    }
    for (size_t i = 0; i < all.declared.count; i++)
        require_said(arena, all.declared.items[i].type);
}

/* What is defined is among the names, and what is understood has closed its braces. */
static void require_outline(struct rp_arena *arena, const char *text, size_t size) {
    struct rp_outline outline;
    rp_outline_read(&outline, arena, text, size);
    for (size_t i = 0; i < outline.defined.count; i++)
        require(rp_strings_have_sorted(&outline.names, outline.defined.items[i]));
    for (size_t i = 0; i < outline.macros.count; i++)
        require(outline.macros.items[i].name != NULL);
}

static void require_value(struct rp_arena *arena, const struct rp_cinit *value, unsigned depth) {
    struct rp_cinit_list list;
    struct rp_cinit item;
    double real;
    require(strlen(rp_cinit_text(arena, value)) <= 100);
    (void)rp_cinit_real(value, &real);
    (void)rp_cinit_string(arena, value);
    const struct rp_ctoken *at = value->tokens, *end = value->count != 0 ? at + value->count : at;
    for (bool more = depth < 8 && rp_cinit_items(value, &list); more && rp_cinit_next(&list, &item);
         at = item.tokens + item.count) {
        require(item.tokens > at && item.tokens + item.count < end);
        require_value(arena, &item, depth + 1);
    }
}

/* Reads declarations of raw text, and the initialisers of every second one. */
static void require_source(struct rp_arena *arena, const char *text, size_t size) {
    struct rp_error err = {0};
    struct rp_csource source = {
        .lexer = {.at = text, .end = text + size, .path = "fuzz.c", .line = 1},
        .arena = arena,
        .err = &err,
        .unclear = RP_E_INPUT};
    bool ok = rp_csource_next(&source), take = true;
    while (ok && source.token.kind != RP_CTOKEN_END) {
        ok = rp_csource_head(&source);
        (void)rp_ctokens_name(&source.head, "[");
        if (ok && rp_ctoken_is(&source.token, "=") && take) {
            ok = rp_csource_next(&source) && rp_csource_value(&source);
            const struct rp_cinit value = rp_cinit_of(&source);
            if (ok)
                require_value(arena, &value, 0);
        } else if (ok && rp_ctoken_is(&source.token, "{") && take)
            ok = rp_csource_skip_braces(&source, NULL);
        else
            ok = ok && rp_csource_pass(&source, NULL);
        take = !take;
    }
    require_error(ok, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    require_functions(&arena, (const char *)data, size, false);
    require_functions(&arena, (const char *)data, size, true);
    require_reduced(&arena, (const char *)data, size);
    require_outline(&arena, (const char *)data, size);
    require_source(&arena, (const char *)data, size);
    rp_arena_release(&arena);
    return 0;
}
