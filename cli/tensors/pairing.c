/* SPDX-License-Identifier: Apache-2.0 */
/* Which test vector belongs to which tensor: see pairing.h. */
#include "cli/tensors/pairing.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/tensors/file.h"
#include "toolchain/graph/read.h"

enum { MODEL_MAX = 2000 << 20 };
static const size_t NOBODY = SIZE_MAX;

/* ---- the model file ---- */

static bool take_names(struct rp_vectors *vectors, struct rp_arena *arena, const char *path,
                       const struct rp_graph *graph, struct rp_error *err) {
    bool is_input = strcmp(vectors->kind, "input") == 0;
    const int32_t *indexes = is_input ? graph->inputs : graph->outputs;
    for (size_t i = 0; i < (is_input ? graph->input_count : graph->output_count); i++) {
        const struct rp_graph_tensor *tensor = &graph->tensors.items[indexes[i]];
        if (is_input && tensor->element == RP_ELEMENT_OTHER)
            return rp_fail(err, RP_E_INPUT,
                           "'%s': input '%s' is no tensor: a sequence, a map or an optional value",
                           path, tensor->name);
        rp_strings_push(arena, &vectors->names, tensor->name);
        if (is_input && tensor->consumers == 0)
            rp_strings_push(arena, &vectors->idle, tensor->name);
    }
    for (size_t i = 0; is_input && i < graph->tensors.count; i++)
        if (graph->tensors.items[i].constant)
            rp_strings_push(arena, &vectors->idle, graph->tensors.items[i].name);
    return true;
}

bool rp_pairing_names(struct rp_vectors *vectors, struct rp_arena *arena, const char *path,
                      struct rp_error *err) {
    struct rp_bytes file;
    struct rp_graph graph;
    if (!rp_file_read(arena, path, MODEL_MAX, &file, err) ||
        !rp_graph_read(&graph, arena, &file, path, err))
        return false;
    if (graph.format != RP_GRAPH_ONNX) {
        rp_fail(err, RP_E_INPUT, "--reference '%s': TFLite files come without test vectors", path);
        return rp_hint(err, "save inputs and outputs as input_0.npy and output_0.npy, and name "
                            "their folder");
    }
    return take_names(&vectors[0], arena, path, &graph, err) &&
           take_names(&vectors[1], arena, path, &graph, err);
}

/* ---- pairs ---- */

/* Names of vectors by position. */
static bool name_vectors(struct rp_strings *out, const struct rp_vectors *vectors,
                         struct rp_arena *arena, const struct rp_strings *files,
                         struct rp_error *err) {
    if (vectors->names.count == files->count) {
        *out = vectors->names;
        return true;
    }
    for (size_t i = 0; i < files->count; i++) {
        struct rp_numbers numbers = {.dtype = rp_dtype_find("uint8")};
        if (!rp_numbers_read(arena, files->items[i], &numbers, err))
            return false;
        rp_strings_push(arena, out, numbers.name != NULL ? numbers.name : "");
    }
    return true;
}

/* Does code call a tensor so that has this name in the model? */
static bool is_called(struct rp_arena *arena, const char *name, const char *called) {
    static const char prefix[] = "tensor_";
    const char *identifier = rp_c_identifier(arena, name);
    return *name != '\0' &&
           (strcmp(called, name) == 0 || strcmp(called, identifier) == 0 ||
            (rp_has_prefix(called, prefix) && strcmp(called + sizeof prefix - 1, identifier) == 0));
}

/* The only vector of the tensor's name, or NOBODY. */
static size_t find_named(struct rp_arena *arena, const struct rp_strings *names,
                         const char *called) {
    size_t found = NOBODY;
    for (size_t i = 0; i < names->count; i++)
        if (is_called(arena, names->items[i], called)) {
            if (found != NOBODY)
                return NOBODY;
            found = i;
        }
    return found;
}

/* Of more vectors than tensors, those of constants and of inputs that nothing uses are left out. */
static size_t drop_idle(const struct rp_vectors *vectors, const struct rp_strings *names,
                        size_t wanted, size_t *kept) {
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
        if (names->count - i + count <= wanted || !rp_strings_have(&vectors->idle, names->items[i]))
            kept[count++] = i;
    return count;
}

/* at: a tensor, the vector of its name, and the one at its position. */
static bool fail_contradiction(const struct rp_vectors *vectors, const struct rp_strings *files,
                               const struct rp_tensors *tensors, const size_t at[3],
                               struct rp_error *err) {
    rp_fail(
        err, RP_E_INPUT, "%s %zu of the image, '%s', has the name of '%s' and the position of '%s'",
        vectors->kind, at[0], tensors->items[at[0]].name, files->items[at[1]], files->items[at[2]]);
    return rp_hint(err, "names decide when all tensors have that of a vector, and positions when "
                        "none contradicts them");
}

bool rp_pairing_of(struct rp_vectors *vectors, struct rp_arena *arena,
                   const struct rp_strings *files, const struct rp_tensors *tensors,
                   struct rp_error *err) {
    struct rp_strings names = {0};
    size_t wanted = tensors->count != 0 ? tensors->count : files->count;
    size_t *order = rp_alloc(arena, files->count + wanted + 1, sizeof *order);
    size_t *named = rp_alloc(arena, wanted + 1, sizeof *named);
    bool by_name = tensors->count != 0;
    if (!name_vectors(&names, vectors, arena, files, err))
        return false;
    if (drop_idle(vectors, &names, wanted, order) != wanted)
        return rp_fail(err, RP_E_INPUT, "the image has %zu %s%s, the reference %zu%s%s%s", wanted,
                       vectors->kind, wanted == 1 ? "" : "s", files->count,
                       files->count == 0 ? "" : ": '", files->count == 0 ? "" : files->items[0],
                       files->count == 0   ? ""
                       : files->count == 1 ? "'"
                                           : "' and the files beside it");
    for (size_t i = 0; i < tensors->count; i++) {
        named[i] = find_named(arena, &names, tensors->items[i].name);
        by_name = by_name && named[i] != NOBODY;
        for (size_t k = 0; k < i; k++)
            by_name = by_name && named[k] != named[i];
    }
    for (size_t i = 0; !by_name && i < tensors->count; i++)
        if (named[i] != NOBODY && named[i] != order[i])
            return fail_contradiction(vectors, files, tensors, (size_t[]){i, named[i], order[i]},
                                      err);
    vectors->order = by_name ? named : order;
    vectors->used = wanted;
    return true;
}
