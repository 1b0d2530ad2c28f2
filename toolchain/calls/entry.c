/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as the user writes them: see entry.h. */
#include "toolchain/calls/entry.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/cread/ucn.h"

struct text {
    const char *at;
    struct rp_model *typed;          /* --entry: tensors are added to it */
    const struct rp_call_text *said; /* a manifest's; with --entry, for messages only */
    struct rp_arena *arena;
    struct rp_error *err;
};

static bool text_fail(struct text *text, const char *what) {
    const struct rp_call_text *said = text->said;
    if (text->typed == NULL) {
        rp_fail(text->err, RP_E_MANIFEST, "%s: member '%s': '%s': %s at '%s'", said->path,
                said->key, said->text, what, text->at);
        return rp_hint(text->err, "write it like 'NAME', 'NAME(x, 4) -> y' or 'NAME(0) -> 0'");
    }
    if (*text->at == '\0')
        rp_fail(text->err, RP_E_ENTRY, "--entry '%s': %s at the end", said->text, what);
    else
        rp_fail(text->err, RP_E_ENTRY, "--entry '%s': %s at '%s'", said->text, what, text->at);
    return rp_hint(text->err, "write it like 'NAME(in:float[1,28,28], out:float[10])' or "
                              "'NAME(in:float[4], 4) -> out:int32[1]'");
}

static void skip_blanks(struct text *text) {
    text->at += strspn(text->at, " \t");
}

static bool accept(struct text *text, char c) {
    skip_blanks(text);
    if (*text->at != c)
        return false;
    text->at++;
    return true;
}

static char *take_word(struct text *text) {
    skip_blanks(text);
    const char *start = text->at;
    while (isalnum((unsigned char)*text->at) || *text->at == '_' ||
           (unsigned char)*text->at >= 0x80)
        text->at++;
    return text->at != start ? rp_strndup(text->arena, start, (size_t)(text->at - start)) : NULL;
}

/* "<float, 4>" behind a name of C++, if there is any. */
static bool skip_template(struct text *text) {
    unsigned depth = 0;
    if (*text->at != '<')
        return true;
    do {
        char c = *text->at++;
        if (!isalnum((unsigned char)c) && (c == '\0' || strchr("_:<>,* ", c) == NULL))
            return false;
        depth += (unsigned)(c == '<');
        depth -= (unsigned)(c == '>');
    } while (depth != 0);
    return true;
}

/*
 * The name of a function; with --entry also one of C++: "ns::Model<4>::run". "::run" says that run
 * is C++.
 */
static char *take_name(struct text *text) {
    if (text->typed == NULL)
        return take_word(text);
    skip_blanks(text);
    const char *start = text->at;
    text->at += rp_has_prefix(start, "::") ? 2 : 0;
    for (;;) {
        if (isspace((unsigned char)*text->at) || isdigit((unsigned char)*text->at) ||
            take_word(text) == NULL || !skip_template(text))
            return NULL;
        if (!rp_has_prefix(text->at, "::"))
            break;
        text->at += 2;
    }
    char *name = rp_strndup(text->arena, start, (size_t)(text->at - start));
    if (strpbrk(name, ":<") != NULL)
        text->typed->code.is_cplusplus = true;
    return rp_has_prefix(name, "::") ? name + 2 : name;
}

static bool take_dims(struct text *text, struct rp_tensor *tensor) {
    if (!accept(text, '['))
        return text_fail(text, "expected '['");
    do {
        skip_blanks(text);
        char *end;
        unsigned long value = isdigit((unsigned char)*text->at) ? strtoul(text->at, &end, 10) : 0;
        if (value == 0 || value > UINT32_MAX)
            return text_fail(text, "expected a dimension");
        if (tensor->rank == RP_RANK_MAX)
            return text_fail(text, "a tensor has up to 8 dimensions, there is another");
        tensor->shape[tensor->rank++] = (uint32_t)value;
        text->at = end;
    } while (accept(text, ',') || accept(text, 'x'));
    return accept(text, ']') || text_fail(text, "expected ']'");
}

/* ---- arguments and results: a place ("in0") or a number, NULL + error ---- */

static bool is_number_start(const char *at) {
    return isdigit((unsigned char)at[*at == '-']);
}

/* A number as C writes it. Its suffix says the type; without one, that is int or double. */
static char *take_number(struct text *text) {
    const char *start = text->at;
    char *integer_end, *float_end;
    errno = 0;
    (void)(*start == '-' ? (uint64_t)strtoll(start, &integer_end, 0)
                         : strtoull(start, &integer_end, 0));
    bool fits = errno == 0;
    (void)strtod(start, &float_end);
    bool is_float = *integer_end != '\0' && strchr(".eEpP", *integer_end) != NULL;
    const char *end = is_float ? float_end : integer_end;
    if (!is_float && !fits) {
        text_fail(text, "expected a number that 64 bits can hold");
        return NULL;
    }
    size_t suffix = strspn(end, is_float ? "fF" : "uUlL");
    if (suffix <= (is_float ? 1u : 3u) && !isalnum((unsigned char)end[suffix]) &&
        end[suffix] != '_' && end[suffix] != '.') {
        text->at = end + suffix;
        return rp_strndup(text->arena, start, (size_t)(text->at - start));
    }
    text_fail(text, "expected a number such as 4, -1, 10u or 0.5f");
    return NULL;
}

static const char *add_tensor(struct text *text, bool output, const struct rp_tensor *tensor) {
    struct rp_strings *places = &text->typed->entry.arguments;
    rp_model_add_argument(text->typed, text->arena, output, tensor);
    return places->items[--places->count]; /* the caller decides on its place */
}

/* "in:float[4]", "out scores:int8[10]"; "in data" if a header has the rest */
static const char *declare_tensor(struct text *text) {
    struct rp_tensor tensor = {0};
    char *direction = take_word(text);
    bool output = direction != NULL && strcmp(direction, "out") == 0;
    if (direction == NULL || (!output && strcmp(direction, "in") != 0)) {
        text_fail(text, "expected 'in' or 'out'");
        return NULL;
    }
    tensor.name = take_word(text);
    bool typed = accept(text, ':');
    if (!typed && text->typed->entry.types_known && tensor.name != NULL)
        return add_tensor(text, output, &tensor);
    if (!typed) {
        text_fail(text, "expected ':'");
        return NULL;
    }
    char *type = take_word(text);
    tensor.dtype = type != NULL ? rp_dtype_find(type) : NULL;
    if (tensor.dtype == NULL) {
        text_fail(text, "expected a type such as float, int8 or uint8");
        return NULL;
    }
    if (!take_dims(text, &tensor))
        return NULL;
    return add_tensor(text, output, &tensor);
}

static const char *name_tensor(struct text *text) {
    const char *start = text->at;
    const char *name = take_word(text);
    const struct rp_model *model = text->said->model;
    const char *place =
        name != NULL && model != NULL ? rp_tensor_place(model, text->arena, name) : NULL;
    if (place == NULL) {
        text->at = start;
        text_fail(text, model != NULL ? "expected a number or the name of a tensor"
                                      : "expected a number");
    }
    return place;
}

static const char *take_value(struct text *text) {
    skip_blanks(text);
    if (is_number_start(text->at))
        return take_number(text);
    return text->typed != NULL ? declare_tensor(text) : name_tensor(text);
}

static bool take_result(struct text *text, struct rp_call *call) {
    call->result = take_value(text);
    if (call->result == NULL || !isalpha((unsigned char)call->result[0]))
        return call->result != NULL;
    return rp_has_prefix(call->result, "out") ||
           text_fail(text, "what a function returns is an output, such as out:int32[1]");
}

static bool take_arguments(struct text *text, struct rp_call *call) {
    if (text->typed == NULL && accept(text, ')'))
        return true;
    do {
        const char *value = take_value(text);
        if (value == NULL)
            return false;
        rp_strings_push(text->arena, &call->arguments, value);
    } while (accept(text, ','));
    return accept(text, ')') || text_fail(text, "expected ')'");
}

static bool take_call(struct text *text, struct rp_call *call) {
    *call = (struct rp_call){.name = take_name(text)};
    bool cplusplus = call->name != NULL && strpbrk(call->name, ":<") != NULL;
    if (call->name == NULL || (!cplusplus && !rp_is_c_name(call->name)))
        return text_fail(text, "expected the name of a function");
    skip_blanks(text);
    bool alone = *text->at == '\0' || *text->at == '-';
    if (!alone &&
        !(accept(text, '(') ? take_arguments(text, call) : text_fail(text, "expected '('")))
        return false;
    skip_blanks(text);
    if (rp_has_prefix(text->at, "->")) {
        text->at += 2;
        if (!take_result(text, call))
            return false;
    }
    skip_blanks(text);
    return *text->at == '\0' || text_fail(text, "nothing more was expected");
}

bool rp_call_parse(struct rp_call *call, struct rp_arena *arena, const struct rp_call_text *said,
                   struct rp_error *err) {
    size_t len = strlen(said->text);
    struct text text = {rp_ucn_replace(arena, said->text, &len), NULL, said, arena, err};
    return take_call(&text, call);
}

bool rp_entry_parse(struct rp_model *model, struct rp_arena *arena, const char *spec,
                    struct rp_error *err) {
    const struct rp_call_text said = {.text = spec};
    struct rp_model found = *model;
    size_t len = strlen(spec);
    struct text text = {rp_ucn_replace(arena, spec, &len), &found, &said, arena, err};
    struct rp_call call;
    found.inputs = found.outputs = (struct rp_tensors){0};
    found.entry.arguments = (struct rp_strings){0};
    if (!take_call(&text, &call))
        return false;
    if (strchr(spec, '(') == NULL && call.result == NULL) { /* a name alone: all else stays */
        model->entry.name = call.name;
        model->code.is_cplusplus = found.code.is_cplusplus;
        return true;
    }
    if (found.outputs.count == 0)
        return text_fail(&text, "a model needs an output");
    *model = found;
    model->entry.name = call.name;
    model->entry.arguments = call.arguments;
    model->entry.result = call.result;
    model->entry.said_by = rp_format(arena, "--entry '%s'", spec);
    return true;
}
