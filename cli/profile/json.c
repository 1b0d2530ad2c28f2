/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as JSON: see json.h. */
#include "cli/profile/json.h"

static void put_bytes(struct rp_json *object, const char *key, uint32_t bytes) {
    if (bytes != HARNESS_ANY)
        rp_json_put_int(object, key, (int64_t)bytes);
}

/* What the run-time says of a node's tensors. */
static void put_tensors(struct rp_json *object, const struct rp_profile *profile,
                        const struct rp_node_result *node) {
    put_bytes(object, "input_bytes", node->in);
    put_bytes(object, "output_bytes", node->out);
    put_bytes(object, "weights_bytes", node->weights);
    put_bytes(object, "scratch_bytes", node->scratch);
    if (node->weights_at != 0 && profile->weights != 0 && node->weights_at >= profile->weights)
        rp_json_put_int(object, "weights_offset", (int64_t)node->weights_at - profile->weights);
}

static struct rp_json *part_json(const struct rp_profile *profile, size_t index) {
    static const char *const phases[HARNESS_NODE_TIMES] = {"start", "run", "end"};
    const struct rp_part *part = &profile->parts.items[index];
    struct rp_json *object =
        RP_JSON_NEW(RP_JSON_N("c_id", index), RP_JSON_S("m_id", part->id),
                    RP_JSON_S("type", part->type), RP_JSON_S("name", part->name),
                    RP_JSON_N("runs", part->runs), RP_JSON_N(profile->unit, part->time));
    if (profile->clock_hz != 0)
        rp_json_put_double(object, "ms", 1e3 * (double)part->time / profile->clock_hz);
    if (profile->has_phases) {
        struct rp_json *times = rp_json_new_object(object, "phases");
        for (size_t i = 0; i < HARNESS_NODE_TIMES; i++)
            rp_json_put_int(times, phases[i], (int64_t)part->times[i]);
    }
    if (part->node != NULL)
        put_tensors(object, profile, part->node);
    return object;
}

static const char *place_of(bool in_image) {
    return in_image ? "image" : "firmware";
}

static struct rp_json *frame_json(const struct rp_profile *profile, uint32_t index) {
    const struct rp_call_tree *calls = profile->calls;
    const struct rp_frame *frame = &calls->frames.items[index];
    const struct rp_scope *scope = &calls->scopes->list.items[frame->scope];
    struct rp_json *object = RP_JSON_NEW(
        RP_JSON_S("name", scope->name), RP_JSON_S("in", place_of(scope->in_image)),
        RP_JSON_B("inlined", scope->parent != RP_NO_SCOPE), RP_JSON_N("calls", frame->calls),
        RP_JSON_N("own", frame->own), RP_JSON_N("total", frame->total));
    if (frame->first == RP_NO_FRAME)
        return object;
    struct rp_json *children = rp_json_new_array(object, "calls_to");
    for (uint32_t child = frame->first; child != RP_NO_FRAME;
         child = calls->frames.items[child].next)
        rp_json_push(children, frame_json(profile, child));
    return object;
}

static void put_functions(struct rp_json *object, const struct rp_profile *profile) {
    const struct rp_frame *frames = profile->calls->frames.items;
    struct rp_json *functions = rp_json_new_array(object, "functions");
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct rp_function *function = &profile->functions.items[i];
        rp_json_push(functions, RP_JSON_NEW(RP_JSON_S("name", function->name),
                                            RP_JSON_S("in", place_of(function->in_image)),
                                            RP_JSON_B("inlined", function->inlined),
                                            RP_JSON_N("calls", function->calls),
                                            RP_JSON_N("own", function->own),
                                            RP_JSON_N("total", function->total)));
    }
    struct rp_json *tree = rp_json_new_array(object, "tree");
    for (uint32_t child = frames[profile->root].first; child != RP_NO_FRAME;
         child = frames[child].next)
        rp_json_push(tree, frame_json(profile, child));
}

static const char *method_of(const struct rp_profile *profile) {
    static const char *const methods[] = {[RP_BY_LOG] = "log",
                                          [RP_BY_CALL_BACKS] = "call-backs",
                                          [RP_BY_HOOKS] = "hooks",
                                          [RP_BY_BREAKPOINTS] = "breakpoints"};
    return methods[profile->means.by];
}

static void put_means(struct rp_json *totals, const struct rp_profile_means *means) {
    if (means->observed != 0)
        rp_json_put_int(totals, "observed_run", (int64_t)means->observed);
    if (means->by == RP_BY_HOOKS || means->by == RP_BY_BREAKPOINTS)
        RP_JSON_PUT(totals, RP_JSON_N("taken_off", means->taken_off),
                    RP_JSON_B("rough", means->is_rough));
    if (means->by == RP_BY_BREAKPOINTS)
        RP_JSON_PUT(totals, RP_JSON_N("stops", means->stops), RP_JSON_N("runs", means->runs));
}

void rp_profile_put(struct rp_json *object, const struct rp_profile *profile) {
    uint64_t parts = 0;
    RP_JSON_PUT(object, RP_JSON_S("unit", profile->unit), RP_JSON_S("mode", profile->mode),
                RP_JSON_S("parts", profile->is_by_nodes ? "nodes" : "functions"),
                RP_JSON_S("method", method_of(profile)));
    struct rp_json *nodes = rp_json_new_array(object, "nodes");
    for (size_t i = 0; i < profile->parts.count; i++) {
        parts += profile->parts.items[i].time;
        rp_json_push(nodes, part_json(profile, i));
    }
    struct rp_json *totals = rp_json_new_object(object, "totals");
    RP_JSON_PUT(totals, RP_JSON_N("run", profile->run), RP_JSON_N("nodes", parts),
                RP_JSON_N("stack_bytes", profile->stack), RP_JSON_N("acts_bytes", profile->acts));
    if (profile->calls != NULL)
        rp_json_put_int(totals, "firmware", (int64_t)profile->outside);
    put_means(totals, &profile->means);
    if (profile->clock_hz != 0)
        rp_json_put_int(totals, "clock_hz", (int64_t)profile->clock_hz);
    if (profile->calls != NULL)
        put_functions(object, profile);
}
