/* SPDX-License-Identifier: Apache-2.0 */
/* What a run took, from its calls: see profile.h. */
#include "cli/profile/profile.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

static int by_own(const void *a, const void *b) {
    const struct rp_function *x = a, *y = b;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The row of a scope. Inlined copies of one function have one row. */
static struct rp_function *function_of(struct rp_profile *profile, const struct rp_scope *scope) {
    bool inlined = scope->parent != RP_NO_SCOPE;
    for (size_t i = 0; inlined && i < profile->functions.count; i++) {
        struct rp_function *row = &profile->functions.items[i];
        if (row->inlined && row->in_image == scope->in_image && strcmp(row->name, scope->name) == 0)
            return row;
    }
    struct rp_function *row = RP_PUSH(profile->arena, &profile->functions);
    *row =
        (struct rp_function){.name = scope->name, .in_image = scope->in_image, .inlined = inlined};
    return row;
}

/* Is the frame inside another copy of the same inlined function? Then it has its time already. */
static bool is_nested(const struct rp_call_tree *calls, uint32_t frame) {
    const struct rp_scope *scopes = calls->scopes->list.items;
    const char *name = scopes[calls->frames.items[frame].scope].name;
    for (uint32_t at = calls->frames.items[frame].parent; at != RP_NO_FRAME;
         at = calls->frames.items[at].parent) {
        uint32_t scope = calls->frames.items[at].scope;
        if (scope != RP_NO_SCOPE && scopes[scope].parent != RP_NO_SCOPE &&
            strcmp(scopes[scope].name, name) == 0)
            return true;
    }
    return false;
}

/* Frames of the root follow each other. */
static void add_functions(struct rp_profile *profile, uint32_t end) {
    const struct rp_call_tree *calls = profile->calls;
    const struct rp_scope *scopes = calls->scopes->list.items;
    size_t *rows = rp_alloc(profile->arena, calls->scopes->list.count, sizeof *rows);
    for (uint32_t i = profile->root + 1; i < end; i++) {
        const struct rp_frame *frame = &calls->frames.items[i];
        const struct rp_scope *scope = &scopes[frame->scope];
        if (rows[frame->scope] == 0)
            rows[frame->scope] =
                (size_t)(function_of(profile, scope) - profile->functions.items) + 1;
        struct rp_function *row = &profile->functions.items[rows[frame->scope] - 1];
        row->calls += frame->calls;
        row->own += frame->own;
        row->total += row->inlined && is_nested(calls, i) ? 0 : frame->total;
        profile->outside += scope->in_image ? 0 : frame->own;
    }
    qsort(profile->functions.items, profile->functions.count, sizeof *profile->functions.items,
          by_own);
}

/* ---- parts ---- */

static bool is_inlined(const struct rp_call_tree *calls, uint32_t frame) {
    return calls->scopes->list.items[calls->frames.items[frame].scope].parent != RP_NO_SCOPE;
}

/* The frame of the model's entry, or RP_NO_FRAME. */
static uint32_t find_entry(const struct rp_call_tree *calls, uint32_t root, uint32_t end) {
    for (uint32_t i = root + 1; i < end; i++)
        if (calls->frames.items[i].level == 0)
            return i;
    return RP_NO_FRAME;
}

/* Does it only call one function, once, and hardly anything itself? */
static bool passes_on(const struct rp_call_tree *calls, uint32_t frame) {
    const struct rp_frame *of = &calls->frames.items[frame];
    return of->first != RP_NO_FRAME && of->first == of->last &&
           calls->frames.items[of->first].calls <= 1 && of->own <= of->total / 20;
}

static void add_part(struct rp_profile *profile, uint32_t frame, uint64_t runs, uint64_t time) {
    const struct rp_call_tree *calls = profile->calls;
    const struct rp_scope *scope = &calls->scopes->list.items[calls->frames.items[frame].scope];
    *RP_PUSH(profile->arena, &profile->parts) =
        (struct rp_part){.id = "-",
                         .type = is_inlined(calls, frame) ? "inlined" : "function",
                         .name = scope->name,
                         .runs = runs,
                         .time = time};
}

/*
 * Each call that the frame makes is a part; so is each inlined copy in it. Where these are too many
 * for a list, each function is one.
 */
static void add_children(struct rp_profile *profile, uint32_t frame) {
    const struct rp_frame *frames = profile->calls->frames.items, *of = &frames[frame];
    for (size_t i = 0; !of->made_more && i < of->made.count; i++) {
        const struct rp_call_made *made = &of->made.items[i];
        add_part(profile, made->frame, 1,
                 is_inlined(profile->calls, made->frame) ? frames[made->frame].total : made->count);
    }
    for (uint32_t child = of->first; of->made_more && child != RP_NO_FRAME;
         child = frames[child].next)
        add_part(profile, child, frames[child].calls != 0 ? frames[child].calls : 1,
                 frames[child].total);
    for (uint32_t child = of->first; !of->made_more && child != RP_NO_FRAME;
         child = frames[child].next)
        if (frames[child].calls == 0 && !is_inlined(profile->calls, child)) /* shared code */
            add_part(profile, child, 1, frames[child].total);
    if (profile->parts.count != 0 && of->own != 0)
        add_part(profile, frame, of->calls, of->own);
}

/* Where the entry only calls one function that does nearly all, that one's calls are the parts. */
static void add_parts(struct rp_profile *profile, uint32_t end) {
    const struct rp_call_tree *calls = profile->calls;
    uint32_t frame = find_entry(calls, profile->root, end);
    if (frame == RP_NO_FRAME)
        return;
    while (passes_on(calls, frame) && calls->frames.items[frame].level + 1 < RP_CALLS_LEVELS)
        frame = calls->frames.items[frame].first;
    add_children(profile, frame);
    if (profile->parts.count == 0)
        add_part(profile, frame, calls->frames.items[frame].calls,
                 calls->frames.items[frame].total);
}

static void add_node(struct rp_profile *profile, const struct rp_node_result *result,
                     const struct rp_node *node) {
    struct rp_part *part = RP_PUSH(profile->arena, &profile->parts);
    *part = (struct rp_part){.id = node->label,
                             .type = node->type_name,
                             .name = node->name,
                             .runs = result->runs,
                             .node = result};
    for (size_t i = 0; i < HARNESS_NODE_TIMES; i++) {
        part->times[i] = result->times[i];
        part->time += result->times[i];
    }
    profile->has_phases = profile->has_phases || result->times[1] != 0 || result->times[2] != 0;
}

void rp_profile_take_nodes(struct rp_profile *profile, const struct rp_model *model,
                           const struct rp_answer *answer) {
    const size_t count = answer->observed.count;
    struct rp_node *nodes = rp_alloc(profile->arena, count + 1, sizeof *nodes);
    if (model->dialect->name_nodes == NULL || count <= 1) /* one: the model as a whole */
        return;
    for (size_t i = 0; i < count; i++)
        nodes[i] = (struct rp_node){.type = answer->observed.items[i].type,
                                    .id = answer->observed.items[i].id};
    model->dialect->name_nodes(model, profile->arena, nodes, count);
    for (size_t i = 0; i < count; i++)
        add_node(profile, &answer->observed.items[i], &nodes[i]);
    profile->is_by_nodes = true;
    profile->means.by = RP_BY_CALL_BACKS;
}

void rp_profile_take_calls(struct rp_profile *profile, const struct rp_call_tree *calls,
                           size_t index) {
    profile->calls = calls;
    profile->root = calls->roots.items[index].frame;
    uint32_t end = index + 1 < calls->roots.count ? calls->roots.items[index + 1].frame
                                                  : (uint32_t)calls->frames.count;
    add_functions(profile, end);
    if (!profile->is_by_nodes)
        add_parts(profile, end);
}
