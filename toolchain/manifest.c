/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What plain C cannot say, said by the user: the --entry text and the JSON manifest. Both fill in
 * entry, tensors and arguments of a model.
 */
#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "toolchain/dialect.h"

enum { MANIFEST_MAX = 4 << 20 };

/* ---- --entry 'NAME(in:float[1,28,28], out:float[10])' ---- */

struct text {
    const char *all;
    const char *at;
    struct rp_arena *arena;
    struct rp_error *err;
};

static bool text_fail(struct text *text, const char *what) {
    rp_fail(text->err, RP_E_ENTRY, "--entry '%s': %s at '%s'", text->all, what, text->at);
    return rp_hint(text->err, "write it like 'NAME(in:float[1,28,28], out:float[10])'");
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

static char *take_word(struct text *text, const char *more) {
    skip_blanks(text);
    const char *start = text->at;
    while (isalnum((unsigned char)*text->at) || *text->at == '_' ||
           (*text->at != '\0' && strchr(more, *text->at) != NULL))
        text->at++;
    return text->at != start ? rp_strndup(text->arena, start, (size_t)(text->at - start)) : NULL;
}

static bool take_dims(struct text *text, struct rp_tensor *tensor) {
    if (!accept(text, '['))
        return text_fail(text, "expected '['");
    do {
        skip_blanks(text);
        char *end;
        unsigned long value = isdigit((unsigned char)*text->at) ? strtoul(text->at, &end, 10) : 0;
        if (value == 0 || value > UINT32_MAX || tensor->rank == RP_RANK_MAX)
            return text_fail(text, "expected a dimension");
        tensor->shape[tensor->rank++] = (uint32_t)value;
        text->at = end;
    } while (accept(text, ',') || accept(text, 'x'));
    return accept(text, ']') || text_fail(text, "expected ']'");
}

/* "in:float[4]", "out scores:int8[10]" */
static bool take_argument(struct rp_model *model, struct text *text) {
    struct rp_tensor tensor = {0};
    char *direction = take_word(text, "");
    bool output = direction != NULL && strcmp(direction, "out") == 0;
    if (direction == NULL || (!output && strcmp(direction, "in") != 0))
        return text_fail(text, "expected 'in' or 'out'");
    tensor.name = take_word(text, "");
    if (!accept(text, ':'))
        return text_fail(text, "expected ':'");
    char *type = take_word(text, "");
    tensor.dtype = type != NULL ? rp_dtype_find(type) : NULL;
    if (tensor.dtype == NULL)
        return text_fail(text, "expected a type such as float, int8 or uint8");
    if (!take_dims(text, &tensor))
        return false;
    rp_model_add_argument(model, text->arena, output, &tensor);
    return true;
}

bool rp_entry_parse(struct rp_model *model, struct rp_arena *arena, const char *spec,
                    struct rp_error *err) {
    struct text text = {spec, spec, arena, err};
    char *name = take_word(&text, "");
    if (name == NULL || isdigit((unsigned char)name[0]))
        return text_fail(&text, "expected the name of a function");
    model->entry = name;
    if (!accept(&text, '('))
        return *text.at == '\0' || text_fail(&text, "expected '('");
    model->inputs.count = model->outputs.count = model->arguments.count = 0;
    do {
        if (!take_argument(model, &text))
            return false;
    } while (accept(&text, ','));
    if (!accept(&text, ')'))
        return text_fail(&text, "expected ')'");
    skip_blanks(&text);
    if (*text.at != '\0')
        return text_fail(&text, "nothing more was expected");
    return model->outputs.count != 0 || text_fail(&text, "a model needs an output");
}

/* ---- the JSON manifest ---- */

struct manifest {
    struct rp_model *model;
    struct rp_arena *arena;
    const char *path;
    const char *dir;
    struct rp_error *err;
};

static bool wrong(struct manifest *manifest, const char *key, const char *want) {
    return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member '%s' has to be %s", manifest->path,
                   key, want);
}

static bool take_strings(struct manifest *manifest, const struct rp_json *value, bool paths,
                         struct rp_strings *out) {
    const char *key = rp_json_key(value);
    if (rp_json_type_of(value) != RP_JSON_ARRAY)
        return wrong(manifest, key, "an array of strings");
    for (const struct rp_json *item = rp_json_first(value); item != NULL;
         item = rp_json_next(item)) {
        const char *text = rp_json_string(item);
        if (text == NULL || text[0] == '\0')
            return wrong(manifest, key, "an array of strings");
        rp_strings_push(manifest->arena, out,
                        paths ? rp_path_join(manifest->arena, manifest->dir, text)
                              : rp_strdup(manifest->arena, text));
    }
    return true;
}

static bool take_shape(struct manifest *manifest, const struct rp_json *value,
                       struct rp_tensor *tensor) {
    for (const struct rp_json *item = rp_json_first(value); item != NULL;
         item = rp_json_next(item)) {
        int64_t number;
        if (tensor->rank == RP_RANK_MAX || !rp_json_integer(item, 1, UINT32_MAX, &number))
            return wrong(manifest, "shape", "an array of at most 8 positive integers");
        tensor->shape[tensor->rank++] = (uint32_t)number;
    }
    return tensor->rank != 0 || wrong(manifest, "shape", "an array of at most 8 positive integers");
}

static bool take_tensor_member(struct manifest *manifest, const struct rp_json *value,
                               struct rp_tensor *tensor) {
    const char *key = rp_json_key(value);
    int64_t number;
    if (strcmp(key, "name") == 0 && rp_json_string(value) != NULL)
        tensor->name = rp_strdup(manifest->arena, rp_json_string(value));
    else if (strcmp(key, "dtype") == 0 && rp_json_string(value) != NULL &&
             rp_dtype_find(rp_json_string(value)) != NULL)
        tensor->dtype = rp_dtype_find(rp_json_string(value));
    else if (strcmp(key, "shape") == 0 && rp_json_type_of(value) == RP_JSON_ARRAY)
        return take_shape(manifest, value, tensor);
    else if (strcmp(key, "scale") == 0 && rp_json_type_of(value) == RP_JSON_NUMBER &&
             rp_json_number(value) >= FLT_MIN && rp_json_number(value) <= FLT_MAX)
        tensor->scale = rp_json_number(value);
    else if (strcmp(key, "zero_point") == 0 &&
             rp_json_integer(value, INT32_MIN, INT32_MAX, &number))
        tensor->zero_point = (int32_t)number;
    else
        return rp_fail(manifest->err, RP_E_MANIFEST,
                       "%s: a tensor's member '%s' is not known or of the wrong type",
                       manifest->path, key);
    return true;
}

/* ai_buffer holds the zero point in the tensor's own type. */
static bool check_quantisation(struct manifest *manifest, const struct rp_tensor *tensor) {
    unsigned bits = 8 * tensor->dtype->size_bytes;
    int64_t span = bits >= 32 ? INT64_C(1) << 32 : INT64_C(1) << bits;
    int64_t low = tensor->dtype->is_signed ? -span / 2 : 0, high = low + span - 1;
    if (!tensor->quantised)
        return true;
    if (tensor->dtype->is_float || tensor->zero_point < low || tensor->zero_point > high)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: zero_point %d does not fit into %s",
                       manifest->path, tensor->zero_point, tensor->dtype->name);
    return true;
}

static bool take_tensors(struct manifest *manifest, const struct rp_json *value, bool output) {
    if (rp_json_type_of(value) != RP_JSON_ARRAY)
        return wrong(manifest, rp_json_key(value), "an array of tensors");
    for (const struct rp_json *item = rp_json_first(value); item != NULL;
         item = rp_json_next(item)) {
        struct rp_tensor tensor = {0};
        if (rp_json_type_of(item) != RP_JSON_OBJECT)
            return wrong(manifest, rp_json_key(value), "an array of tensors");
        for (const struct rp_json *member = rp_json_first(item); member != NULL;
             member = rp_json_next(member))
            if (!take_tensor_member(manifest, member, &tensor))
                return false;
        tensor.quantised = rp_json_member(item, "scale") != NULL;
        if (tensor.dtype == NULL || tensor.rank == 0)
            return rp_fail(manifest->err, RP_E_MANIFEST, "%s: a tensor needs dtype and shape",
                           manifest->path);
        if (!check_quantisation(manifest, &tensor))
            return false;
        rp_model_add_argument(manifest->model, manifest->arena, output, &tensor);
    }
    return true;
}

static bool take_identifier(struct manifest *manifest, const struct rp_json *value,
                            const char **out) {
    const char *text = rp_json_string(value);
    if (text == NULL || strcmp(rp_c_identifier(manifest->arena, text), text) != 0)
        return wrong(manifest, rp_json_key(value), "a C identifier");
    *out = rp_strdup(manifest->arena, text);
    return true;
}

static bool take_member(struct manifest *manifest, const struct rp_json *value) {
    const char *key = rp_json_key(value);
    struct rp_model *model = manifest->model;
    if (strcmp(key, "name") == 0)
        return take_identifier(manifest, value, &model->name);
    if (strcmp(key, "entry") == 0)
        return take_identifier(manifest, value, &model->entry);
    if (strcmp(key, "sources") == 0)
        return take_strings(manifest, value, true, &model->sources);
    if (strcmp(key, "include_dirs") == 0)
        return take_strings(manifest, value, true, &model->include_dirs);
    if (strcmp(key, "libraries") == 0)
        return take_strings(manifest, value, true, &model->libraries);
    if (strcmp(key, "defines") == 0)
        return take_strings(manifest, value, false, &model->defines);
    if (strcmp(key, "imports") == 0)
        return take_strings(manifest, value, false, &model->import_specs);
    if (strcmp(key, "inputs") == 0)
        return take_tensors(manifest, value, false);
    if (strcmp(key, "outputs") == 0)
        return take_tensors(manifest, value, true);
    if (strcmp(key, "arguments") == 0)
        return true; /* names tensors: read last */
    return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member '%s' is not known", manifest->path,
                   key);
}

/* "in2" or "out0" for the tensor of that name, or NULL. */
static char *place_of(struct manifest *manifest, const char *name) {
    const struct rp_tensors *lists[] = {&manifest->model->inputs, &manifest->model->outputs};
    for (size_t k = 0; name != NULL && k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (strcmp(lists[k]->items[i].name, name) == 0)
                return rp_format(manifest->arena, "%s%zu", k == 0 ? "in" : "out", i);
    return NULL;
}

static bool names_differ(struct manifest *manifest) {
    const struct rp_tensors *lists[] = {&manifest->model->inputs, &manifest->model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const char *name = lists[k]->items[i].name;
            const char *place = place_of(manifest, name);
            if (place != NULL &&
                strcmp(place, rp_format(manifest->arena, "%s%zu", k == 0 ? "in" : "out", i)) != 0)
                return rp_fail(manifest->err, RP_E_MANIFEST, "%s: two tensors are named '%s'",
                               manifest->path, name);
        }
    return true;
}

/* The order of the entry's parameters, by tensor name; without it, inputs then outputs. */
static bool order_arguments(struct manifest *manifest, const struct rp_json *root) {
    struct rp_model *model = manifest->model;
    const struct rp_json *list = rp_json_member(root, "arguments");
    struct rp_strings ordered = {0};
    if (list == NULL) {
        for (size_t i = 0; i < model->inputs.count; i++)
            rp_strings_push(manifest->arena, &ordered, rp_format(manifest->arena, "in%zu", i));
        for (size_t i = 0; i < model->outputs.count; i++)
            rp_strings_push(manifest->arena, &ordered, rp_format(manifest->arena, "out%zu", i));
    }
    for (const struct rp_json *item = rp_json_first(list); item != NULL;
         item = rp_json_next(item)) {
        char *place = place_of(manifest, rp_json_string(item));
        for (size_t i = 0; place != NULL && i < ordered.count; i++)
            if (strcmp(ordered.items[i], place) == 0)
                place = NULL;
        if (place == NULL)
            return wrong(manifest, "arguments", "an array of tensor names, each tensor once");
        rp_strings_push(manifest->arena, &ordered, place);
    }
    if ((list != NULL && rp_json_type_of(list) != RP_JSON_ARRAY) ||
        ordered.count != model->inputs.count + model->outputs.count)
        return wrong(manifest, "arguments", "an array of tensor names, each tensor once");
    model->arguments = ordered;
    return true;
}

static bool take_root(struct manifest *manifest, const struct rp_json *root) {
    struct rp_model *model = manifest->model;
    if (rp_json_type_of(root) != RP_JSON_OBJECT)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: not a JSON object", manifest->path);
    for (const struct rp_json *value = rp_json_first(root); value != NULL;
         value = rp_json_next(value)) {
        if (rp_json_member(root, rp_json_key(value)) != value)
            return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member '%s' stands there twice",
                           manifest->path, rp_json_key(value));
        if (!take_member(manifest, value))
            return false;
    }
    if (model->inputs.count != 0 && model->outputs.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST,
                       "%s: member 'outputs' is missing: say all tensors or none", manifest->path);
    if (model->sources.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'sources' is missing",
                       manifest->path);
    if (model->inputs.count != 0 && model->outputs.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'outputs' is missing",
                       manifest->path);
    if (model->outputs.count != 0 && model->entry == NULL)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'entry' is missing",
                       manifest->path);
    return names_differ(manifest) && order_arguments(manifest, root);
}

bool rp_manifest_load(struct rp_model *model, struct rp_arena *arena, const char *path,
                      struct rp_error *err) {
    struct rp_bytes text;
    struct manifest manifest = {model, arena, path, rp_path_dir(arena, path), err};
    if (!rp_file_read(arena, path, MANIFEST_MAX, &text, err))
        return false;
    struct rp_json *root = rp_json_parse((const char *)text.data, text.size, path, err);
    if (root == NULL)
        return false;
    model->name = rp_path_base(rp_path_stem(arena, path));
    rp_strings_push(arena, &model->used_files, path);
    bool ok = take_root(&manifest, root);
    rp_json_free(root);
    return ok;
}
