/* SPDX-License-Identifier: Apache-2.0 */
/* Types of C. See type.h. */
#include "toolchain/cread/type.h"

#include <string.h>

#include "base/buf.h"

enum { TEXT_DEPTH = 16 }; /* depth of pointers and arrays; nobody reads more */

const struct rp_ctype rp_ctype_unknown = {.kind = RP_CTYPE_UNKNOWN, .name = "?"};

const char *rp_declared_linked(const struct rp_declared *declared) {
    return declared->linked != NULL ? declared->linked : declared->name;
}

const struct rp_ctype *rp_ctype_as_const(struct rp_arena *arena, const struct rp_ctype *type) {
    if (type->is_const)
        return type;
    struct rp_ctype *copy = rp_alloc(arena, 1, sizeof *copy);
    *copy = *type;
    if (type->kind == RP_CTYPE_ARRAY)
        copy->of = rp_ctype_as_const(arena, type->of);
    else
        copy->is_const = true;
    return copy;
}

const struct rp_ctype *rp_ctype_element(const struct rp_ctype *type) {
    while (type->kind == RP_CTYPE_ARRAY)
        type = type->of;
    return type;
}

bool rp_ctype_is_const(const struct rp_ctype *type) {
    return rp_ctype_element(type)->is_const;
}

const struct rp_ctype *rp_ctype_promoted(struct rp_arena *arena, const struct rp_ctype *type) {
    if (type->kind != RP_CTYPE_NUMBER || type->dtype != rp_dtype_find("float32"))
        return type;
    struct rp_ctype *promoted = rp_alloc(arena, 1, sizeof *promoted);
    *promoted = (struct rp_ctype){.kind = RP_CTYPE_NUMBER,
                                  .dtype = rp_dtype_find("float64"),
                                  .name = "double /* promoted float */"};
    return promoted;
}

/* ---- text ---- */

static char *function_text(struct rp_arena *arena, const struct rp_ctype *type, const char *name,
                           unsigned depth);

/* Writes from the inside out, as C does: "const float (*x)[28]". */
static char *declare(struct rp_arena *arena, const struct rp_ctype *type, const char *name,
                     unsigned depth) {
    if (depth > TEXT_DEPTH)
        return rp_format(arena, "... %s", name);
    switch (type->kind) {
    case RP_CTYPE_POINTER: {
        bool inner = type->of->kind == RP_CTYPE_ARRAY || type->of->kind == RP_CTYPE_FUNCTION;
        const char *star = type->is_const && name[0] != '\0' ? "*const "
                           : type->is_const                  ? "*const"
                                                             : "*";
        return declare(arena, type->of, rp_format(arena, inner ? "(%s%s)" : "%s%s", star, name),
                       depth + 1);
    }
    case RP_CTYPE_ARRAY:
        return declare(arena, type->of,
                       type->count != 0
                           ? rp_format(arena, "%s[%llu]", name, (unsigned long long)type->count)
                           : rp_format(arena, "%s[]", name),
                       depth + 1);
    case RP_CTYPE_FUNCTION:
        return function_text(arena, type, name, depth);
    case RP_CTYPE_UNKNOWN:
    case RP_CTYPE_VOID:
    case RP_CTYPE_NUMBER:
    case RP_CTYPE_ENUM:
    case RP_CTYPE_OTHER:
    case RP_CTYPE_RECORD:
        break;
    }
    return rp_format(arena, "%s%s%s%s", type->is_const ? "const " : "",
                     type->name != NULL ? type->name : "?", name[0] != '\0' ? " " : "", name);
}

static char *function_text(struct rp_arena *arena, const struct rp_ctype *type, const char *name,
                           unsigned depth) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(&out, "%s(", name);
    for (size_t i = 0; i < type->param_count; i++) {
        const struct rp_cparam *param = &type->params[i];
        rp_buf_printf(&out, "%s%s", i != 0 ? ", " : "",
                      declare(arena, param->type, param->name, depth + 1));
    }
    rp_buf_puts(&out, type->variadic           ? ", ..."
                      : type->param_count != 0 ? ""
                      : type->params_unknown   ? ""
                                               : "void");
    rp_buf_puts(&out, ")");
    char *text = declare(arena, type->of, out.data, depth + 1);
    return text;
}

char *rp_ctype_text(struct rp_arena *arena, const struct rp_ctype *type, const char *name) {
    return declare(arena, type, name, 0);
}

/* ---- two readings ---- */

static bool is_address(const struct rp_ctype *type) {
    return type->kind == RP_CTYPE_POINTER || type->kind == RP_CTYPE_ARRAY;
}

static bool functions_agree(const struct rp_ctype *a, const struct rp_ctype *b);

static bool agree(const struct rp_ctype *a, const struct rp_ctype *b, bool may_decay) {
    if (a->kind == RP_CTYPE_UNKNOWN || b->kind == RP_CTYPE_UNKNOWN)
        return true;
    if (may_decay && is_address(a) && is_address(b))
        return agree(a->of, b->of, false);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case RP_CTYPE_NUMBER: /* whether char is signed is an option of the compiler */
        return a->dtype == b->dtype || (a->is_byte && b->is_byte);
    case RP_CTYPE_ENUM:
        return a->dtype == NULL || b->dtype == NULL || a->dtype == b->dtype;
    case RP_CTYPE_ARRAY:
        return (a->count == 0 || b->count == 0 || a->count == b->count) &&
               agree(a->of, b->of, false);
    case RP_CTYPE_POINTER:
        return agree(a->of, b->of, false);
    case RP_CTYPE_FUNCTION:
        return functions_agree(a, b);
    case RP_CTYPE_UNKNOWN:
    case RP_CTYPE_VOID:
    case RP_CTYPE_OTHER:
    case RP_CTYPE_RECORD:
        break;
    }
    return true;
}

static bool functions_agree(const struct rp_ctype *a, const struct rp_ctype *b) {
    if (!agree(a->of, b->of, false))
        return false;
    if (a->params_unknown || b->params_unknown)
        return true;
    if (a->param_count != b->param_count || a->variadic != b->variadic)
        return false;
    for (size_t i = 0; i < a->param_count; i++)
        if (!agree(a->params[i].type, b->params[i].type, true))
            return false;
    return true;
}

bool rp_ctype_agree(const struct rp_ctype *a, const struct rp_ctype *b) {
    return agree(a, b, false);
}

static struct rp_ctype *copy_of(struct rp_arena *arena, const struct rp_ctype *type) {
    struct rp_ctype *copy = rp_alloc(arena, 1, sizeof *copy);
    *copy = *type;
    return copy;
}

static const struct rp_ctype *merge_function(struct rp_arena *arena, const struct rp_ctype *text,
                                             const struct rp_ctype *compiler) {
    struct rp_ctype *both = copy_of(arena, compiler);
    both->of = rp_ctype_merge(arena, text->of, compiler->of);
    if (text->params_unknown)
        return both;
    if (compiler->params_unknown) {
        both->params = text->params;
        both->param_count = text->param_count;
        both->params_unknown = false;
        return both;
    }
    struct rp_cparam *params = rp_alloc(arena, both->param_count + 1, sizeof *params);
    for (size_t i = 0; i < both->param_count; i++) {
        const struct rp_cparam *by_text = &text->params[i], *by_compiler = &compiler->params[i];
        params[i].name = by_text->name[0] != '\0' ? by_text->name : by_compiler->name;
        params[i].type = rp_ctype_merge(arena, by_text->type, by_compiler->type);
    }
    both->params = params;
    return both;
}

const struct rp_ctype *rp_ctype_merge(struct rp_arena *arena, const struct rp_ctype *text,
                                      const struct rp_ctype *compiler) {
    if (text->kind == RP_CTYPE_UNKNOWN)
        return text->is_const ? rp_ctype_as_const(arena, compiler) : compiler;
    if (compiler->kind == RP_CTYPE_UNKNOWN)
        return text;
    if (is_address(text) && is_address(compiler)) { /* only the text has the outermost dimension */
        struct rp_ctype *both = copy_of(arena, text->kind == RP_CTYPE_ARRAY ? text : compiler);
        both->of = rp_ctype_merge(arena, text->of, compiler->of);
        if (both->kind == RP_CTYPE_ARRAY && both->count == 0)
            both->count = compiler->count;
        return both;
    }
    if (text->kind == RP_CTYPE_FUNCTION && compiler->kind == RP_CTYPE_FUNCTION)
        return merge_function(arena, text, compiler);
    /* gcc loses the const of an array's elements when the array has a name */
    return text->is_const ? rp_ctype_as_const(arena, compiler) : compiler;
}
