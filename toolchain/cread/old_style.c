/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions in the style of K&R: see old_style.h. */
#include "toolchain/cread/old_style.h"

#include <string.h>

/* As a parameter, a function is a pointer to it. */
static const struct rp_ctype *as_parameter(struct rp_arena *arena, const struct rp_ctype *type) {
    if (type->kind != RP_CTYPE_FUNCTION)
        return type;
    struct rp_ctype *pointer = rp_alloc(arena, 1, sizeof *pointer);
    *pointer = (struct rp_ctype){.kind = RP_CTYPE_POINTER, .of = type};
    return pointer;
}

/* Takes the next declaration of parameters, up to its semicolon. */
static void take_declaration(struct rp_cdecl_scope *scope, struct rp_cdecl_range *range,
                             struct rp_cparam *params, size_t count) {
    struct rp_cdecl_declaration found;
    struct rp_cdecl_range one = {range->at, range->at};
    while (one.end != range->end && !rp_ctoken_is(one.end, ";"))
        one.end++;
    range->at = one.end + (one.end != range->end);
    rp_cdecl_read(scope, one, &found);
    for (size_t i = 0; i < found.names.count; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(params[k].name, found.names.items[i].name) == 0)
                params[k].type = as_parameter(scope->arena, found.names.items[i].type);
}

void rp_cdecl_read_old_style(struct rp_cdecl_scope *scope, struct rp_cdecl_range head,
                             struct rp_cdecl_range params, bool prototyped,
                             struct rp_cdecl_declaration *out) {
    static const struct rp_ctoken is_int = {.kind = RP_CTOKEN_WORD, .at = "int", .len = 3};
    const struct rp_ctype *outer = scope->function;
    rp_cdecl_read(scope, head, out);
    if (out->names.count != 1 || out->names.items[0].type->kind != RP_CTYPE_FUNCTION)
        return;
    struct rp_ctype *function = rp_alloc(scope->arena, 1, sizeof *function);
    *function = *out->names.items[0].type;
    const size_t count = function->param_count;
    struct rp_cparam *list = rp_alloc(scope->arena, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) /* what is not declared is an int */
        list[i] = (struct rp_cparam){
            .name = function->params[i].type->name != NULL ? function->params[i].type->name : "",
            .type = scope->type_name(scope, (struct rp_cdecl_range){&is_int, &is_int + 1})};
    function->params = list;
    scope->function = function; /* its parameters hide constants of their names */
    while (params.at != params.end)
        take_declaration(scope, &params, list, count);
    scope->function = outer;
    for (size_t i = 0; i < count && !prototyped; i++)
        list[i].type = rp_ctype_promoted(scope->arena, list[i].type);
    out->names.items[0].type = function;
}
