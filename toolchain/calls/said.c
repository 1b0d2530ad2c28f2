/* SPDX-License-Identifier: Apache-2.0 */
/* What the user says of a value, compared with its declared type: see said.h. */
#include "toolchain/calls/said.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* ---- shapes ---- */

/* The number of elements or bytes that the dimensions of an array make. */
struct extent {
    uint64_t known; /* product of the known dimensions */
    bool complete;  /* all of them are known */
    bool any;
};

static struct extent extent_of(const struct rp_ctype *type, bool from_pointer) {
    struct extent extent = {.known = 1, .complete = !from_pointer};
    for (; type->kind == RP_CTYPE_ARRAY; type = type->of) {
        if (type->count == 0 || extent.known > UINT64_MAX / type->count) {
            extent.complete = false;
            continue;
        }
        extent.known *= type->count;
        extent.any = true;
    }
    return extent;
}

static const char *check_extent(struct rp_arena *arena, const struct rp_tensor *tensor,
                                const struct extent *extent, bool bytes) {
    uint64_t said = bytes ? rp_tensor_bytes(tensor) : rp_tensor_elements(tensor);
    const char *unit = bytes ? "bytes" : "elements";
    if (extent->complete ? said == extent->known : said % extent->known == 0)
        return NULL;
    return rp_format(arena,
                     extent->complete ? "%llu %s are given, %llu are declared"
                                      : "%llu %s are given, a multiple of %llu is declared",
                     (unsigned long long)said, unit, (unsigned long long)extent->known);
}

/* ---- elements ---- */

static const char *no_tensor(struct rp_arena *arena, const char *what) {
    return rp_format(arena, "%s is no tensor", what);
}

static bool is_integer(const struct rp_dtype *dtype) {
    return !dtype->is_float && strcmp(dtype->name, "bool") != 0;
}

static const char *check_number(struct rp_arena *arena, const struct rp_tensor *tensor,
                                const struct rp_ctype *type) {
    const char *said = tensor->dtype->name;
    if (type->kind == RP_CTYPE_ENUM && type->dtype == NULL)
        return is_integer(tensor->dtype)
                   ? NULL
                   : rp_format(arena, "%s is given, '%s' is declared, which is an integer", said,
                               type->name);
    if (type->dtype == tensor->dtype)
        return NULL;
    return strcmp(type->name, type->dtype->name) == 0 || type->kind == RP_CTYPE_NUMBER
               ? rp_format(arena, "%s is given, %s is declared", said, type->dtype->name)
               : rp_format(arena, "%s is given, '%s' is declared, which is %s", said, type->name,
                           type->dtype->name);
}

/* The memory at an address, or of a variable: dimensions around elements. */
static const char *check_memory(struct rp_arena *arena, const struct rp_tensor *tensor,
                                const struct rp_ctype *type, bool from_pointer,
                                enum rp_said_use use) {
    const struct rp_ctype *element = rp_ctype_element(type);
    const struct extent extent = extent_of(type, from_pointer);
    if (element->is_const && use == RP_SAID_WRITTEN)
        return "it would be written, but is declared const";
    switch (element->kind) {
    case RP_CTYPE_VOID:
    case RP_CTYPE_UNKNOWN:
        return NULL;
    case RP_CTYPE_NUMBER:
    case RP_CTYPE_ENUM: {
        const char *why = element->is_byte ? NULL : check_number(arena, tensor, element);
        return why != NULL ? why : check_extent(arena, tensor, &extent, element->is_byte);
    }
    case RP_CTYPE_RECORD:
        return no_tensor(arena, from_pointer ? "a pointer to a struct" : "a struct");
    case RP_CTYPE_POINTER:
        return no_tensor(arena, from_pointer ? "a pointer to pointers" : "a pointer");
    case RP_CTYPE_FUNCTION:
        return no_tensor(arena, from_pointer ? "a pointer to a function" : "a function");
    case RP_CTYPE_OTHER:
    case RP_CTYPE_ARRAY:
        break;
    }
    return rp_format(arena, "%s is given, '%s' is declared, which no tensor can have",
                     tensor->dtype->name, element->name);
}

const char *rp_said_at_address(struct rp_arena *arena, const struct rp_tensor *tensor,
                               const struct rp_ctype *type, enum rp_said_use use) {
    switch (type->kind) {
    case RP_CTYPE_UNKNOWN:
        return NULL;
    case RP_CTYPE_POINTER:
        return check_memory(arena, tensor, type->of, true, use);
    case RP_CTYPE_ARRAY: /* as a parameter: its address */
        return check_memory(arena, tensor, type, false, use);
    case RP_CTYPE_VOID:
        return "a tensor is given, nothing is declared";
    case RP_CTYPE_NUMBER:
    case RP_CTYPE_ENUM:
    case RP_CTYPE_OTHER:
    case RP_CTYPE_RECORD:
    case RP_CTYPE_FUNCTION:
        break;
    }
    return "a tensor is given, a value is declared, not an address";
}

const char *rp_said_in_variable(struct rp_arena *arena, const struct rp_tensor *tensor,
                                const struct rp_ctype *type, enum rp_said_use use) {
    return check_memory(arena, tensor, type, false, use);
}

uint64_t rp_said_bytes(const struct rp_ctype *type) {
    const struct rp_ctype *element = rp_ctype_element(type);
    const struct extent extent = extent_of(type, false);
    uint64_t size = element->kind == RP_CTYPE_POINTER ? 4
                    : element->dtype != NULL          ? element->dtype->size_bytes
                                                      : element->size_bytes;
    return extent.complete && size != 0 && extent.known <= UINT64_MAX / size ? extent.known * size
                                                                             : 0;
}

const char *rp_said_as_value(struct rp_arena *arena, const struct rp_tensor *tensor,
                             const struct rp_ctype *type) {
    switch (type->kind) {
    case RP_CTYPE_UNKNOWN:
        return NULL;
    case RP_CTYPE_NUMBER:
    case RP_CTYPE_ENUM:
        return check_number(arena, tensor, type);
    case RP_CTYPE_VOID:
        return rp_format(arena, "%s is given, nothing is declared", tensor->dtype->name);
    case RP_CTYPE_OTHER:
    case RP_CTYPE_RECORD:
    case RP_CTYPE_POINTER:
    case RP_CTYPE_ARRAY:
    case RP_CTYPE_FUNCTION:
        break;
    }
    return rp_format(arena, "%s is given, '%s' is declared", tensor->dtype->name,
                     rp_ctype_text(arena, type, ""));
}

/* ---- numbers ---- */

/* A numeric constant of C. */
struct constant {
    bool is_float;
    bool is_single; /* 0.5f */
    bool is_wide;   /* long long */
    bool negative;
    uint64_t size; /* without its sign */
};

static struct constant read_constant(const char *text) {
    struct constant constant = {.negative = *text == '-'};
    const char *digits = text + constant.negative;
    char *end;
    constant.size = strtoull(digits, &end, 0);
    constant.is_float = *end != '\0' && strchr(".eEpP", *end) != NULL;
    size_t len = strlen(text);
    constant.is_single = constant.is_float && (text[len - 1] == 'f' || text[len - 1] == 'F');
    bool is_unsigned = strpbrk(end, "uU") != NULL || (digits[0] == '0' && digits[1] != '\0');
    constant.is_wide =
        !constant.is_float &&
        (strstr(end, "ll") != NULL || strstr(end, "LL") != NULL || constant.size > UINT32_MAX ||
         (constant.size > (uint64_t)INT32_MAX + constant.negative && !is_unsigned));
    return constant;
}

uint64_t rp_said_count(const char *argument) {
    bool number = argument[0] >= '0' && argument[0] <= '9';
    const struct constant constant = read_constant(number ? argument : "0");
    return constant.is_float ? 0 : constant.size;
}

/* Can the type hold that value? */
static bool fits(const struct constant *constant, const struct rp_dtype *dtype) {
    if (strcmp(dtype->name, "bool") == 0)
        return constant->size <= 1 && !constant->negative;
    unsigned bits = 8 * dtype->size_bytes - dtype->is_signed;
    uint64_t most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (constant->negative && constant->size != 0)
        return dtype->is_signed && constant->size <= most + 1;
    return constant->size <= most;
}

static const char *check_integer(struct rp_arena *arena, const char *number,
                                 const struct rp_dtype *dtype, bool converted) {
    const struct constant constant = read_constant(number);
    if (constant.is_float)
        return rp_format(arena, "the number %s is given, %s is declared", number, dtype->name);
    if (!fits(&constant, dtype))
        return rp_format(arena, "the number %s is given, %s is declared, which does not have it",
                         number, dtype->name);
    bool wide = dtype->size_bytes == 8;
    if (converted || constant.is_wide == wide)
        return NULL;
    return rp_format(arena, "the number %s of %u bits is given, %s is declared: write %s%s", number,
                     constant.is_wide ? 64 : 32, dtype->name,
                     rp_strndup(arena, number, strcspn(number, "uUlL")), wide ? "ll" : "");
}

static const char *check_float(struct rp_arena *arena, const char *number,
                               const struct rp_dtype *dtype, bool converted) {
    const struct constant constant = read_constant(number);
    bool single = dtype->size_bytes == 4;
    if (converted || (constant.is_float && constant.is_single == single))
        return NULL;
    const char *digits =
        rp_strndup(arena, number, strcspn(number, constant.is_float ? "fF" : "uUlL"));
    return rp_format(arena, "the number %s is given, %s is declared: write %s%s%s", number,
                     dtype->name, digits, constant.is_float ? "" : ".0", single ? "f" : "");
}

const char *rp_said_number(struct rp_arena *arena, const char *number, const struct rp_ctype *type,
                           bool converted) {
    const struct constant constant = read_constant(number);
    switch (type->kind) {
    case RP_CTYPE_UNKNOWN:
        return NULL;
    case RP_CTYPE_NUMBER:
        return type->dtype->is_float ? check_float(arena, number, type->dtype, converted)
                                     : check_integer(arena, number, type->dtype, converted);
    case RP_CTYPE_ENUM:
        return check_integer(arena, number,
                             type->dtype != NULL ? type->dtype : rp_dtype_find("int32"), converted);
    case RP_CTYPE_POINTER:
    case RP_CTYPE_ARRAY: /* what a pointer to anything points to is unknown */
        return !constant.is_float && !constant.is_wide &&
                       (constant.size == 0 || type->of->kind == RP_CTYPE_VOID)
                   ? NULL
                   : rp_format(arena, "the number %s is given, the pointer '%s' is declared",
                               number, rp_ctype_text(arena, type, ""));
    case RP_CTYPE_VOID:
        return rp_format(arena, "the number %s is given, nothing is declared", number);
    case RP_CTYPE_OTHER:
    case RP_CTYPE_RECORD:
    case RP_CTYPE_FUNCTION:
        break;
    }
    return rp_format(arena, "the number %s is given, '%s' is declared", number,
                     rp_ctype_text(arena, type, ""));
}

const char *rp_said_in_c(struct rp_arena *arena, const char *number) {
    const struct constant constant = read_constant(number);
    const bool is_least =
        constant.is_wide ? constant.size == UINT64_C(1) << 63 : constant.size == UINT64_C(1) << 31;
    if (!constant.negative || constant.is_float || !is_least || number[1] == '0')
        return number;
    return rp_format(arena, "(-%llu%s - 1)", (unsigned long long)constant.size - 1,
                     constant.is_wide ? "ll" : "");
}

/* ---- text ---- */

char *rp_said_text(struct rp_arena *arena, const struct rp_tensor *tensor, bool is_input) {
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(&out, "%s %s:%s[", is_input ? "in" : "out", tensor->name, tensor->dtype->name);
    for (unsigned i = 0; i < tensor->rank; i++)
        rp_buf_printf(&out, "%s%u", i != 0 ? "," : "", tensor->shape[i]);
    rp_buf_puts(&out, "]");
    return out.data;
}

/* What --entry could say of a parameter, with N for unknown numbers; NULL: it is no tensor. */
static char *suggest(struct rp_arena *arena, const struct rp_cparam *param, bool is_output) {
    const struct rp_ctype *type = param->type;
    struct rp_buf out = {.arena = arena};
    bool address = type->kind == RP_CTYPE_POINTER || type->kind == RP_CTYPE_ARRAY;
    const struct rp_ctype *memory = type->kind == RP_CTYPE_POINTER ? type->of : type;
    const struct rp_ctype *element = rp_ctype_element(memory);
    bool number = (element->kind == RP_CTYPE_NUMBER || element->kind == RP_CTYPE_ENUM) &&
                  element->dtype != NULL;
    if (!address || (!number && element->kind != RP_CTYPE_VOID && element->kind != RP_CTYPE_ENUM &&
                     element->kind != RP_CTYPE_UNKNOWN))
        return NULL;
    rp_buf_printf(&out, "%s%s%s:%s[", is_output ? "out" : "in", param->name[0] != '\0' ? " " : "",
                  param->name, number ? element->dtype->name : "TYPE");
    unsigned rank = type->kind == RP_CTYPE_POINTER;
    for (const struct rp_ctype *of = memory; of->kind == RP_CTYPE_ARRAY; of = of->of)
        rank++;
    if (type->kind == RP_CTYPE_POINTER)
        rp_buf_puts(&out, memory->kind == RP_CTYPE_ARRAY ? "N," : "N");
    unsigned long long joined = 1; /* dimensions beyond those that a tensor has */
    for (; memory->kind == RP_CTYPE_ARRAY; memory = memory->of) {
        if (rank > RP_RANK_MAX && memory->count != 0) {
            joined *= memory->count;
            rank--;
            continue;
        }
        rp_buf_puts(&out, memory->count != 0 ? "" : "N");
        if (memory->count != 0)
            rp_buf_printf(&out, "%llu", joined * memory->count);
        joined = 1;
        rp_buf_puts(&out, memory->of->kind == RP_CTYPE_ARRAY ? "," : "");
    }
    rp_buf_puts(&out, "]");
    return out.data;
}

static bool is_const_memory(const struct rp_ctype *type) {
    return rp_ctype_is_const(type->kind == RP_CTYPE_POINTER ? type->of : type);
}

char *rp_said_suggest_call(struct rp_arena *arena, const char *name, const struct rp_ctype *type) {
    struct rp_buf out = {.arena = arena};
    bool has_input = false; /* if nothing is const, the first tensor may be one */
    bool has_output = false;
    for (size_t i = 0; i < type->param_count; i++)
        has_input = has_input || is_const_memory(type->params[i].type);
    rp_buf_printf(&out, "%s(", name);
    for (size_t i = 0; i < type->param_count; i++) {
        const struct rp_cparam *param = &type->params[i];
        const struct rp_ctype *type_of = param->type;
        const bool is_output = has_input && !is_const_memory(type_of);
        const char *tensor = suggest(arena, param, is_output);
        has_output = has_output || (tensor != NULL && is_output);
        has_input = has_input || tensor != NULL;
        bool number = type_of->kind == RP_CTYPE_NUMBER || type_of->kind == RP_CTYPE_ENUM;
        if (tensor == NULL && !number)
            return NULL;
        rp_buf_printf(&out, "%s%s", i != 0 ? ", " : "", tensor != NULL ? tensor : "NUMBER");
    }
    rp_buf_puts(&out, ")");
    if (type->kind != RP_CTYPE_FUNCTION)
        return out.data;
    const struct rp_cparam result = {.name = "", .type = type->of};
    const char *address = suggest(arena, &result, true);
    if (type->of->kind == RP_CTYPE_NUMBER)
        rp_buf_printf(&out, " -> out:%s[1]", type->of->dtype->name);
    else if (address != NULL)
        rp_buf_printf(&out, " -> %s", address);
    else if (!has_output)
        return NULL;
    return out.data;
}
