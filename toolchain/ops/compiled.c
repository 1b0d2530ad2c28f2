/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes into which the Neural-ART compiler turned a model. In: the text of network.c and its
 * buffer tables; out: base nodes by number. The compiler's front end names nodes Kind_NUMBER. The
 * pieces that it splits them into have longer names (Conv2D_9_mul_scale_22), and so have their
 * buffers (Conv2D_9_weights). Of nodes inside blobs of the epoch controller, only the buffers show.
 * The functions of the other epochs have comments:
 *   scheduling epoch=20   nodes=1
 *   Unit= 27 [PROCESSOR 0], and in the next comment: kind=Softmax node=Softmax_210
 */
#include "toolchain/ops/compiled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/npu/network.h"

enum { MAX_DIGITS = 9, EPOCHS_MAX = 1 << 16 };

/* Names of the front end that differ from the model's kinds. */
static const struct {
    const char *prefix, *kinds;
} others[] = {
    {"AveragePool", "AveragePool GlobalAveragePool ReduceMean"},
    {"Conv2D", "Conv"},
    {"Dequantize", "DequantizeLinear"},
    {"Gemm", "Gemm MatMul"},
    {"LeakyReLU", "LeakyRelu"},
    {"MaxPool", "MaxPool GlobalMaxPool ReduceMax"},
    {"PReLU", "PRelu"},
    {"Quantize", "QuantizeLinear"},
    {"Reciprocal", "Reciprocal Div"},
    {"Relu", "Relu Clip"},
    {"Reshape", "Reshape Flatten Squeeze Unsqueeze"},
    {"Resize", "Resize Upsample"},
    {"Slice", "Slice Split"},
    {"Split", "Split Slice"},
};

static const char *kinds_of(struct rp_arena *arena, const char *name, size_t len) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strlen(others[i].prefix) == len && strncmp(others[i].prefix, name, len) == 0)
            return others[i].kinds;
    return rp_strndup(arena, name, len);
}

/* The length of "Conv2D_9" at the start of a name; 0 when there is no number. */
static size_t base_length(const char *name, size_t len, size_t *prefix) {
    for (size_t i = 1; i + 1 < len; i++) {
        size_t end = i + 1;
        while (name[i] == '_' && end < len && isdigit((unsigned char)name[end]))
            end++;
        *prefix = i;
        if (end > i + 1)
            return end - i - 1 <= MAX_DIGITS ? end : 0;
    }
    return 0;
}

/* The base node of a name; a name that is not the front end's stands for itself. */
static struct rp_ops_compiled_node named(struct rp_arena *arena, const char *name, size_t len) {
    size_t prefix = 0, base = base_length(name, len, &prefix);
    if (base == 0 || memmem(name, prefix, "_inserted_", strlen("_inserted_")) != NULL)
        return (struct rp_ops_compiled_node){.name = rp_strndup(arena, name, len),
                                             .kinds = "",
                                             .number = -1,
                                             .epoch = -1,
                                             .is_whole = true,
                                             .node = RP_GRAPH_NONE};
    return (struct rp_ops_compiled_node){.name = rp_strndup(arena, name, base),
                                         .kinds = kinds_of(arena, name, prefix),
                                         .number = strtoll(name + prefix + 1, NULL, 10),
                                         .epoch = -1,
                                         .is_whole = base == len,
                                         .node = RP_GRAPH_NONE};
}

/* ---- comments ---- */

/* For each epoch number, how many hybrid epochs of the table contain it. */
static int *find_hybrids(struct rp_arena *arena, const struct rp_aton *aton) {
    int *hybrids = rp_alloc(arena, EPOCHS_MAX + 1, sizeof *hybrids);
    for (size_t i = 0; i < aton->epochs.count; i++) {
        const struct rp_aton_epoch *e = &aton->epochs.items[i];
        if (e->kind == RP_ATON_EPOCH_HYBRID && e->epoch_num >= 0 &&
            e->last_epoch_num >= e->epoch_num && e->last_epoch_num < EPOCHS_MAX) {
            hybrids[e->epoch_num]++;
            hybrids[e->last_epoch_num + 1]--;
        }
    }
    for (size_t i = 0; i < EPOCHS_MAX; i++)
        hybrids[i + 1] += hybrids[i];
    return hybrids;
}

static bool skip(const char **at, const char *word) {
    if (strncmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    return true;
}

static void add_units(struct rp_ops_compiled *out, struct rp_arena *arena,
                      const struct rp_aton *aton, const char *text) {
    int64_t epoch = -1;
    bool processor = false, hybrid = false;
    const int *hybrids = find_hybrids(arena, aton);
    for (const char *at = strstr(text, "/* "); at != NULL; at = strstr(at, "/* ")) {
        at += strlen("/* ");
        if (skip(&at, "scheduling epoch=")) {
            epoch = strtoll(at, NULL, 10);
            hybrid = epoch >= 0 && epoch < EPOCHS_MAX && hybrids[epoch] > 0;
        } else if (skip(&at, "Unit= ")) {
            at += strcspn(at, "[*\n");
            processor = strncmp(at, "[PROCESSOR ", strlen("[PROCESSOR ")) == 0;
        } else if (skip(&at, "kind=")) {
            at += strcspn(at, " *\n");
            if (!skip(&at, " node="))
                continue;
            struct rp_ops_compiled_node compiled = named(arena, at, strcspn(at, " *\n"));
            compiled.unit = !processor ? RP_OPS_UNIT_HARDWARE
                            : hybrid   ? RP_OPS_UNIT_HYBRID
                                       : RP_OPS_UNIT_SOFTWARE;
            compiled.epoch = epoch;
            *RP_PUSH(arena, out) = compiled;
        }
    }
}

/* Only Conv2D_9_weights and Gemm_9_weights_transposed_3 count: others have gaps or are parts. */
static int64_t weights_of(const struct rp_aton_buffer *buffer, const char *base) {
    const char *rest = buffer->name + strlen(base);
    int64_t product = 1;
    if (strcmp(rest, "_weights") != 0 && strncmp(rest, "_weights_transposed_", 20) != 0)
        return 0;
    for (size_t i = 0; i < buffer->shape.count; i++)
        if (__builtin_mul_overflow(product, buffer->shape.items[i], &product))
            return 0;
    return buffer->shape.count != 0 && product > 0 ? product : 0;
}

/*
 * Each convolution has a quantiser with a buffer, which nothing executes. Outside of blobs, nothing
 * executes what has only a buffer either.
 */
static void add_buffers(struct rp_ops_compiled *out, struct rp_arena *arena,
                        const struct rp_aton *aton) {
    bool all = false;
    for (size_t i = 0; i < aton->epochs.count; i++)
        all = all || aton->epochs.items[i].kind == RP_ATON_EPOCH_BLOB;
    for (size_t i = 0; i < aton->buffers.count; i++) {
        const char *name = aton->buffers.items[i].name;
        struct rp_ops_compiled_node compiled = named(arena, name, strlen(name));
        compiled.is_whole = false;
        bool quantiser = strstr(compiled.kinds, "QuantizeLinear") != NULL ||
                         strstr(compiled.kinds, "DequantizeLinear") != NULL;
        if (compiled.number < 0 || quantiser)
            continue;
        compiled.weights = weights_of(&aton->buffers.items[i], compiled.name);
        if (all || compiled.weights != 0)
            *RP_PUSH(arena, out) = compiled;
    }
}

/* ---- one of each ---- */

static int by_number(const void *a, const void *b) {
    const struct rp_ops_compiled_node *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : strcmp(x->name, y->name);
}

static void merge(struct rp_ops_compiled_node *into, const struct rp_ops_compiled_node *from) {
    if (from->unit > into->unit)
        into->unit = from->unit;
    if (into->weights == 0)
        into->weights = from->weights;
    bool better = from->is_whole != into->is_whole ? from->is_whole : from->epoch < into->epoch;
    if (from->epoch >= 0 && (into->epoch < 0 || better)) {
        into->epoch = from->epoch;
        into->is_whole = from->is_whole;
    }
}

void rp_ops_read_compiled(struct rp_ops_compiled *out, struct rp_arena *arena,
                          const struct rp_aton *aton, const char *text) {
    *out = (struct rp_ops_compiled){0};
    add_units(out, arena, aton, text);
    add_buffers(out, arena, aton);
    if (out->count == 0)
        return;
    qsort(out->items, out->count, sizeof *out->items, by_number);
    size_t count = 1;
    for (size_t i = 1; i < out->count; i++)
        if (by_number(&out->items[count - 1], &out->items[i]) == 0)
            merge(&out->items[count - 1], &out->items[i]);
        else
            out->items[count++] = out->items[i];
    out->count = count;
}

const char *rp_ops_unit_name(enum rp_ops_unit unit) {
    return unit == RP_OPS_UNIT_SOFTWARE ? "software"
           : unit == RP_OPS_UNIT_HYBRID ? "hybrid"
                                        : "hardware";
}
