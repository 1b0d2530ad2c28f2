/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON manifest, in which the user describes files, tensors and calls: see manifest.h. */
#include "toolchain/calls/manifest.h"

#include <float.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "toolchain/calls/entry.h"

enum { MANIFEST_MAX = 4 << 20 };

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

static bool take_identifier(struct manifest *manifest, const struct rp_json *value,
                            const char **out) {
    const char *text = rp_json_string(value);
    if (text == NULL || !rp_is_c_name(text))
        return wrong(manifest, rp_json_key(value), "a C identifier");
    *out = rp_strdup(manifest->arena, text);
    return true;
}

/* A call is a string: see toolchain/calls/entry.h. */
static bool take_call(struct manifest *manifest, const struct rp_json *value,
                      const struct rp_model *model, struct rp_call *call) {
    const char *key = rp_json_key(value);
    const struct rp_call_text text = {rp_json_string(value), key, manifest->path, model};
    if (text.text == NULL)
        return wrong(manifest, key, "a function or a call of one");
    return rp_call_parse(call, manifest->arena, &text, manifest->err);
}

/* A call without a result. */
static bool take_plain_call(struct manifest *manifest, const struct rp_json *value,
                            struct rp_call *call) {
    return take_call(manifest, value, NULL, call) &&
           (call->result == NULL || wrong(manifest, rp_json_key(value), "a call without '->'"));
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

static bool wrong_member(struct manifest *manifest, const struct rp_json *member) {
    const char *key = rp_json_key(member), *text = rp_json_string(member);
    rp_fail(manifest->err, RP_E_MANIFEST,
            "%s: a tensor's member '%s' is not known or of the wrong type", manifest->path, key);
    if (strcmp(key, "dtype") == 0 && text != NULL)
        return rp_hint_nearest(manifest->err, text, "",
                               "float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 "
                               "bool float double");
    return rp_hint_nearest(manifest->err, key, "", "name dtype shape scale zero_point get at");
}

static bool take_tensor_member(struct manifest *manifest, const struct rp_json *value,
                               struct rp_tensor *tensor) {
    const char *key = rp_json_key(value);
    int64_t number;
    if (strcmp(key, "get") == 0)
        return take_plain_call(manifest, value, &tensor->get);
    if (strcmp(key, "at") == 0)
        return take_identifier(manifest, value, &tensor->at);
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
        return wrong_member(manifest, value);
    return true;
}

/* ai_buffer holds the zero point in the type of the tensor. */
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

static bool take_member(struct manifest *manifest, const struct rp_json *value) {
    const char *key = rp_json_key(value);
    struct rp_model *model = manifest->model;
    const struct {
        const char *key;
        bool paths;
        struct rp_strings *list;
    } lists[] = {{"sources", true, &model->code.sources},
                 {"include_dirs", true, &model->code.include_dirs},
                 {"libraries", true, &model->code.libraries},
                 {"defines", false, &model->code.defines},
                 {"imports", false, &model->imports.specs}};
    if (strcmp(key, "name") == 0)
        return take_identifier(manifest, value, &model->name);
    if (strcmp(key, "init") == 0)
        return take_call(manifest, value, NULL, &model->entry.init);
    if (strcmp(key, "destroy") == 0)
        return take_plain_call(manifest, value, &model->entry.destroy);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(key, lists[i].key) == 0)
            return take_strings(manifest, value, lists[i].paths, lists[i].list);
    if (strcmp(key, "inputs") == 0)
        return take_tensors(manifest, value, false);
    if (strcmp(key, "outputs") == 0)
        return take_tensors(manifest, value, true);
    if (strcmp(key, "entry") == 0 || strcmp(key, "arguments") == 0)
        return true; /* these name tensors and are read last */
    rp_fail(manifest->err, RP_E_MANIFEST, "%s: member '%s' is not known", manifest->path, key);
    return rp_hint_nearest(manifest->err, key, "",
                           "name entry sources init destroy inputs outputs arguments include_dirs "
                           "libraries defines imports");
}

static bool names_differ(struct manifest *manifest) {
    const struct rp_tensors *lists[] = {&manifest->model->inputs, &manifest->model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const char *name = lists[k]->items[i].name;
            const char *place = rp_tensor_place(manifest->model, manifest->arena, name);
            if (place != NULL &&
                strcmp(place, rp_format(manifest->arena, "%s%zu", k == 0 ? "in" : "out", i)) != 0)
                return rp_fail(manifest->err, RP_E_MANIFEST, "%s: two tensors are named '%s'",
                               manifest->path, name);
        }
    return true;
}

/* How often a tensor is passed: as an argument, as the result, or in a buffer of the model. */
static size_t uses_of(const struct rp_model *model, const struct rp_tensor *tensor,
                      const char *place) {
    size_t uses = (size_t)(tensor->at != NULL) + (size_t)(tensor->get.name != NULL) +
                  (size_t)(model->entry.result != NULL && strcmp(model->entry.result, place) == 0);
    for (size_t i = 0; i < model->entry.arguments.count; i++)
        uses += strcmp(model->entry.arguments.items[i], place) == 0;
    return uses;
}

static bool each_used_once(struct manifest *manifest) {
    const struct rp_model *model = manifest->model;
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            const char *place = rp_tensor_place(model, manifest->arena, tensor->name);
            if (uses_of(model, tensor, place) != 1)
                return rp_fail(
                    manifest->err, RP_E_MANIFEST,
                    "%s: tensor '%s' has to be handed over once: in the entry's 'arguments', "
                    "as its result, by 'get' or by 'at'",
                    manifest->path, tensor->name);
        }
    return true;
}

static bool is_same_call(const struct rp_call *a, const struct rp_call *b) {
    bool same = a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0 &&
                a->arguments.count == b->arguments.count;
    for (size_t i = 0; same && i < a->arguments.count; i++)
        same = strcmp(a->arguments.items[i], b->arguments.items[i]) == 0;
    return same;
}

/* Two inputs in one buffer would overwrite each other; an output may be where an input was. */
static bool buffers_differ(struct manifest *manifest) {
    const struct rp_tensors *lists[] = {&manifest->model->inputs, &manifest->model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            for (size_t n = 0; n < i; n++) {
                const struct rp_tensor *a = &lists[k]->items[n], *b = &lists[k]->items[i];
                bool at = a->at != NULL && b->at != NULL && strcmp(a->at, b->at) == 0;
                if (at || is_same_call(&a->get, &b->get))
                    return rp_fail(manifest->err, RP_E_MANIFEST,
                                   "%s: the %s '%s' and '%s' are in one buffer: '%s': '%s'",
                                   manifest->path, k == 0 ? "inputs" : "outputs", a->name, b->name,
                                   at ? "at" : "get", at ? a->at : a->get.name);
            }
    return true;
}

/* Without a list, the inputs, then the outputs that the model has no buffers for. */
static void default_order(struct manifest *manifest) {
    struct rp_model *model = manifest->model;
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            const char *place = rp_tensor_place(model, manifest->arena, tensor->name);
            if (uses_of(model, tensor, place) == 0)
                rp_strings_push(manifest->arena, &model->entry.arguments, place);
        }
}

/* The order of the entry's parameters, by tensor name. */
static bool listed_order(struct manifest *manifest, const struct rp_json *list) {
    for (const struct rp_json *item = rp_json_first(list); item != NULL;
         item = rp_json_next(item)) {
        const char *name = rp_json_string(item);
        const char *place =
            name != NULL ? rp_tensor_place(manifest->model, manifest->arena, name) : NULL;
        if (place == NULL)
            return false;
        rp_strings_push(manifest->arena, &manifest->model->entry.arguments, place);
    }
    return rp_json_type_of(list) == RP_JSON_ARRAY;
}

/* "entry": a name, or a call that says the arguments itself; else "arguments" may list them. */
static bool take_entry(struct manifest *manifest, const struct rp_json *root) {
    struct rp_model *model = manifest->model;
    const struct rp_json *entry = rp_json_member(root, "entry");
    const struct rp_json *list = rp_json_member(root, "arguments");
    struct rp_call call = {0};
    if (entry != NULL && !take_call(manifest, entry, model, &call))
        return false;
    model->entry.name = call.name;
    model->entry.arguments = (struct rp_strings){0};
    model->entry.result = call.result;
    bool said = entry != NULL && strchr(rp_json_string(entry), '(') != NULL;
    if ((said || call.result != NULL) && model->outputs.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST,
                       "%s: member 'outputs' is missing: 'entry' says how tensors are handed over",
                       manifest->path);
    if (said && list != NULL)
        return rp_fail(manifest->err, RP_E_MANIFEST,
                       "%s: both 'entry' and 'arguments' say the arguments", manifest->path);
    if (said)
        model->entry.arguments = call.arguments;
    else if (list == NULL)
        default_order(manifest);
    else if (!listed_order(manifest, list))
        return wrong(manifest, "arguments", "an array of tensor names, each tensor once");
    return each_used_once(manifest);
}

static bool take_root(struct manifest *manifest, const struct rp_json *root) {
    struct rp_model *model = manifest->model;
    if (rp_json_type_of(root) != RP_JSON_OBJECT)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: not a JSON object", manifest->path);
    for (const struct rp_json *value = rp_json_first(root); value != NULL;
         value = rp_json_next(value))
        if (!take_member(manifest, value))
            return false;
    if (model->inputs.count != 0 && model->outputs.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST,
                       "%s: member 'outputs' is missing: say all tensors or none", manifest->path);
    if (model->code.sources.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'sources' is missing",
                       manifest->path);
    if (model->inputs.count != 0 && model->outputs.count == 0)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'outputs' is missing",
                       manifest->path);
    if (model->outputs.count != 0 && rp_json_member(root, "entry") == NULL)
        return rp_fail(manifest->err, RP_E_MANIFEST, "%s: member 'entry' is missing",
                       manifest->path);
    return names_differ(manifest) && buffers_differ(manifest) && take_entry(manifest, root);
}

bool rp_manifest_load(struct rp_model *model, struct rp_arena *arena, const char *path,
                      struct rp_error *err) {
    struct manifest manifest = {model, arena, path, rp_path_dir(arena, path), err};
    struct rp_json *root = rp_json_read(arena, path, MANIFEST_MAX, err);
    if (root == NULL)
        return false;
    model->name = rp_path_base(rp_path_stem(arena, path));
    rp_strings_push(arena, &model->code.used_files, path);
    bool ok = take_root(&manifest, root);
    model->entry.said_by = model->outputs.count != 0 ? path : NULL;
    rp_json_free(root);
    return ok;
}
