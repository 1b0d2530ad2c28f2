/* SPDX-License-Identifier: Apache-2.0 */
/* Data types, arguments and tensor sizes: see model.h. */
#include "toolchain/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static const struct rp_dtype dtypes[] = {
    {"float32", "float", 4, true, true},  {"float64", "double", 8, true, true},
    {"int8", "int8_t", 1, false, true},   {"uint8", "uint8_t", 1, false, false},
    {"int16", "int16_t", 2, false, true}, {"uint16", "uint16_t", 2, false, false},
    {"int32", "int32_t", 4, false, true}, {"uint32", "uint32_t", 4, false, false},
    {"int64", "int64_t", 8, false, true}, {"uint64", "uint64_t", 8, false, false},
    {"bool", "_Bool", 1, false, false},
};

/* Other spellings: ARM's char is unsigned, int and long have 32 bits. */
static const struct {
    const char *spelling;
    const char *name;
} spellings[] = {
    {"float", "float32"},
    {"double", "float64"},
    {"bool", "bool"},
    {"char", "uint8"},
    {"signed char", "int8"},
    {"unsigned char", "uint8"},
    {"short", "int16"},
    {"signed short", "int16"},
    {"short int", "int16"},
    {"unsigned short", "uint16"},
    {"short unsigned int", "uint16"},
    {"int", "int32"},
    {"signed", "int32"},
    {"signed int", "int32"},
    {"unsigned", "uint32"},
    {"unsigned int", "uint32"},
    {"long", "int32"},
    {"long int", "int32"},
    {"signed long", "int32"},
    {"unsigned long", "uint32"},
    {"long unsigned int", "uint32"},
    {"long long", "int64"},
    {"long long int", "int64"},
    {"unsigned long long", "uint64"},
    {"long long unsigned int", "uint64"},
    {"signed short int", "int16"},
    {"unsigned short int", "uint16"},
    {"short unsigned", "uint16"},
    {"signed long int", "int32"},
    {"unsigned long int", "uint32"},
    {"long unsigned", "uint32"},
    {"signed long long", "int64"},
    {"signed long long int", "int64"},
    {"long long unsigned", "uint64"},
    {"unsigned long long int", "uint64"},
};

const struct rp_dtype *rp_dtype_find(const char *name) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(name, spellings[i].spelling) == 0)
            name = spellings[i].name;
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        if (strcmp(name, dtypes[i].name) == 0 || strcmp(name, dtypes[i].c_type) == 0)
            return &dtypes[i];
    return NULL;
}

/* ---- arguments ---- */

void rp_model_add_argument(struct rp_model *model, struct rp_arena *arena, bool is_output,
                           const struct rp_tensor *tensor) {
    struct rp_tensors *list = is_output ? &model->outputs : &model->inputs;
    const char *kind = is_output ? "out" : "in";
    rp_strings_push(arena, &model->entry.arguments, rp_format(arena, "%s%zu", kind, list->count));
    struct rp_tensor *copy = RP_PUSH(arena, list);
    *copy = *tensor;
    if (copy->name == NULL || copy->name[0] == '\0')
        copy->name = model->entry.arguments.items[model->entry.arguments.count - 1];
}

const struct rp_tensor *rp_tensor_at(const struct rp_model *model, const char *place) {
    bool input = rp_has_prefix(place, "in");
    const struct rp_tensors *list = input ? &model->inputs : &model->outputs;
    return &list->items[strtoul(place + (input ? 2 : 3), NULL, 10)];
}

char *rp_tensor_place(const struct rp_model *model, struct rp_arena *arena, const char *name) {
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (strcmp(lists[k]->items[i].name, name) == 0)
                return rp_format(arena, "%s%zu", k == 0 ? "in" : "out", i);
    return NULL;
}

/* The same input has to give the same image anywhere. */
void rp_model_prefix_maps(struct rp_arena *arena, const struct rp_model *model, bool debug_paths,
                          struct rp_strings *list) {
    for (size_t i = 0; i < model->code.sources.count; i++) {
        const char *dir = rp_path_dir(arena, model->code.sources.items[i]);
        const char *flag =
            rp_format(arena, "-f%s-prefix-map=%s/=", debug_paths ? "macro" : "file", dir);
        if (!rp_strings_have(list, flag) && strchr(dir, '=') == NULL)
            rp_strings_push(arena, list, flag);
    }
}

/* ---- sizes ---- */

uint64_t rp_tensor_elements(const struct rp_tensor *tensor) {
    uint64_t count = 1;
    for (unsigned i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

uint64_t rp_tensor_bytes(const struct rp_tensor *tensor) {
    return rp_tensor_elements(tensor) * tensor->dtype->size_bytes;
}

uint32_t rp_weights_threshold(const struct rp_model *model, const char *source, uint32_t by_size) {
    switch (model->weights.policy) {
    case RP_WEIGHTS_BY_SIZE:
        return by_size;
    case RP_WEIGHTS_OF_ARRAY: /* picked by its name afterwards */
        return 1;
    case RP_WEIGHTS_OF_SOURCE:
        return strcmp(source, model->weights.source) == 0;
    case RP_WEIGHTS_IN_FILE:
    case RP_WEIGHTS_IN_POOLS:
        break;
    }
    return 0;
}
