/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prediction beside what the Neural-ART compiler made: epochs, and the nodes that it left to
 * the processor. In: judged nodes and network.c; out: agreement by kind. Node names of the file
 * before the compiler are lost (Conv2D_7); its comments have the kind of each software node:
 *   Unit= 27 [PROCESSOR 0], and in the next comment: kind=Softmax node=Softmax_210
 */
#include <stdlib.h>
#include <string.h>

#include "toolchain/aton.h"
#include "toolchain/ops.h"

enum { NEAR = 40 }; /* bytes between the two comments */

static void count_epochs(struct rp_ops_network *out, const struct rp_aton *aton) {
    for (size_t i = 0; i < aton->epochs.count; i++) {
        const struct rp_aton_epoch *e = &aton->epochs.items[i];
        bool range = e->epoch_num >= 0 && e->last_epoch_num >= e->epoch_num;
        uint64_t number = range ? (uint64_t)(e->last_epoch_num - e->epoch_num) + 1 : 1;
        bool blob = e->kind == RP_ATON_EPOCH_BLOB;
        out->has_blobs = out->has_blobs || blob;
        out->hardware += blob || e->kind == RP_ATON_EPOCH_HW ? number : 0;
        out->software += e->kind == RP_ATON_EPOCH_SW ? number : 0;
        out->hybrid += e->kind == RP_ATON_EPOCH_HYBRID ? number : 0;
        out->other +=
            e->kind == RP_ATON_EPOCH_OTHER || e->kind == RP_ATON_EPOCH_INTERNAL ? number : 0;
    }
}

static struct rp_ops_made_kind *kind_of(struct rp_ops_network *out, struct rp_arena *arena,
                                        const char *kind) {
    for (size_t i = 0; i < out->kinds.count; i++)
        if (strcmp(out->kinds.items[i].kind, kind) == 0)
            return &out->kinds.items[i];
    struct rp_ops_made_kind *row = RP_PUSH(arena, &out->kinds);
    *row = (struct rp_ops_made_kind){.kind = kind};
    return row;
}

static void count_predicted(struct rp_ops_network *out, const struct rp_ops *ops) {
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        if (!rp_ops_stands(node))
            continue;
        const char *kind = node->kind[0] != '\0' ? node->kind : "not listed";
        kind_of(out, ops->arena, kind)->predicted[node->place]++;
        out->nodes++;
    }
}

/* A matrix product is compiled as a convolution, whose name still says it. */
static const char *model_kind(struct rp_arena *arena, const char *kind, size_t len,
                              const char *name) {
    if (strncmp(name, "Gemm_", 5) == 0 && len == 4 && strncmp(kind, "Conv", 4) == 0)
        return "Gemm";
    return rp_strndup(arena, kind, len);
}

/*
 * Nodes stand in the functions of their epochs, which begin with a comment
 *   scheduling epoch=20   nodes=1
 */
static bool is_hybrid(const struct rp_aton *aton, const char *text, const char *at) {
    static const char mark[] = "scheduling epoch=";
    size_t len = strlen(mark);
    while (at > text && strncmp(at, mark, len) != 0)
        at--;
    if (at == text)
        return false;
    long long number = strtoll(at + len, NULL, 10);
    for (size_t i = 0; i < aton->epochs.count; i++) {
        const struct rp_aton_epoch *e = &aton->epochs.items[i];
        if (e->kind == RP_ATON_EPOCH_HYBRID && e->epoch_num <= number &&
            number <= e->last_epoch_num)
            return true;
    }
    return false;
}

static void count_made(struct rp_ops_network *out, struct rp_arena *arena,
                       const struct rp_aton *aton, const char *text) {
    struct rp_strings seen = {0};
    for (const char *at = strstr(text, "[PROCESSOR "); at != NULL;
         at = strstr(at + 1, "[PROCESSOR ")) {
        const char *kind = strstr(at, "kind="), *name = strstr(at, " node=");
        if (kind == NULL || name == NULL || kind - at > NEAR || name < kind)
            continue;
        kind += strlen("kind=");
        name += strlen(" node=");
        size_t len = strcspn(kind, " */\n");
        const char *whole = rp_strndup(arena, name, strcspn(name, " */\n"));
        if (rp_strings_have(&seen, whole))
            continue;
        rp_strings_push(arena, &seen, whole);
        struct rp_ops_made_kind *row = kind_of(out, arena, model_kind(arena, kind, len, whole));
        *(is_hybrid(aton, text, at) ? &row->hybrid : &row->software) += 1;
    }
}

/*
 * So many of a kind are left to the processor: first those that were predicted to be in software,
 * then those that might be; what is left was predicted for the hardware.
 */
static void agree(struct rp_ops_network *out, struct rp_ops_made_kind *row) {
    const size_t *p = row->predicted;
    size_t software = p[RP_OPS_SW_INT] + p[RP_OPS_SW_FLOAT], left = row->software + row->hybrid;
    size_t right = left < software ? left : software;
    left -= right;
    left -= left < p[RP_OPS_CONDITIONAL] ? left : p[RP_OPS_CONDITIONAL];
    size_t wrong = left < p[RP_OPS_HW] ? left : p[RP_OPS_HW];
    row->agree = right + p[RP_OPS_HW] - wrong;
    out->agree += row->agree;
    out->undecided += p[RP_OPS_CONDITIONAL];
    out->inserted += left - wrong;
}

bool rp_ops_compare(struct rp_ops_network *out, const struct rp_ops *ops, const char *path,
                    const struct rp_bytes *text, struct rp_error *err) {
    const struct rp_aton_text source = {path, (const char *)text->data, text->size};
    struct rp_aton aton = {0};
    *out = (struct rp_ops_network){0};
    if (!rp_aton_parse(&aton, ops->arena, &source, err))
        return false;
    out->name = aton.network;
    count_epochs(out, &aton);
    count_predicted(out, ops);
    count_made(out, ops->arena, &aton, source.bytes);
    for (size_t i = 0; i < out->kinds.count; i++)
        agree(out, &out->kinds.items[i]);
    return true;
}
