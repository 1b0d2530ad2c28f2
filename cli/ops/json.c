/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result of `ops` as JSON. Keys and their order are part of the interface. */
#include "cli/ops/json.h"

#include "base/json.h"
#include "cli/document.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "toolchain/ops/compare.h"
#include "toolchain/ops/compiled.h"
#include "toolchain/ops/rules.h"
#include "toolchain/ops/summary.h"
#include "toolchain/ops/tables.h"

enum { SCHEMA_VERSION = 1 };

/* Readers of JSON have 53 bits for a number. Larger ones are left out. */
static void put_macs(struct rp_json *object, const char *key, uint64_t macs) {
    if (macs <= (uint64_t)1 << 53)
        rp_json_put_int(object, key, (int64_t)macs);
}

static struct rp_json *new_document(void) {
    return rp_document("ops", SCHEMA_VERSION, "ops");
}

static const char *format_name(enum rp_graph_format format) {
    return format == RP_GRAPH_TFLITE ? "tflite" : "onnx";
}

static void add_model(struct rp_json *json, const struct rp_ops_report *report) {
    const struct rp_graph *graph = report->ops.graph;
    struct rp_json *model = rp_json_new_object(json, "model");
    rp_json_put_string(model, "path", report->path);
    rp_json_put_string(model, "format", format_name(graph->format));
    if (graph->producer[0] != '\0')
        rp_json_put_string(model, "producer", graph->producer);
    if (graph->format == RP_GRAPH_ONNX)
        rp_json_put_int(model, "opset", graph->opset);
    rp_json_put_int(model, "graphs_not_judged", (int64_t)graph->inner_graphs);
    struct rp_json *elsewhere = rp_json_new_array(model, "constants_elsewhere");
    for (size_t i = 0; i < graph->tensors.count; i++)
        if (graph->tensors.items[i].elsewhere != NULL)
            rp_json_push_string(elsewhere, graph->tensors.items[i].name);
}

static void add_made(struct rp_json *item, const struct rp_ops_compared *compared) {
    const struct rp_ops_compiled_node *compiled = compared->compiled;
    rp_json_put_string(item, "comparison", rp_ops_comparison_name(compared->comparison));
    if (compiled == NULL)
        return;
    struct rp_json *object = rp_json_new_object(item, "made");
    rp_json_put_string(object, "runs", rp_ops_unit_name(compiled->unit));
    rp_json_put_string(object, "name", compiled->name);
    if (compiled->epoch >= 0)
        rp_json_put_int(object, "epoch", compiled->epoch);
}

/* compared is NULL when the node was not compared. */
static void add_node(struct rp_json *list, const struct rp_ops_node *node, size_t index,
                     const struct rp_ops_compared *compared) {
    struct rp_json *item =
        RP_JSON_NEW(RP_JSON_N("index", index), RP_JSON_S("name", node->node->name),
                    RP_JSON_S("operator", node->node->op));
    if (node->is_folded)
        rp_json_put_bool(item, "constant", true);
    else
        rp_json_put_string(item, "runs", rp_ops_place_name(node->place));
    rp_json_put_string(item, "reason", node->reason);
    if (node->part_of != RP_GRAPH_NONE)
        rp_json_put_int(item, "part_of", node->part_of);
    if (node->macs_known)
        put_macs(item, "macs", node->macs);
    struct rp_json *rules = rp_json_new_array(item, "rules");
    for (size_t i = 0; i < node->rules.count; i++)
        rp_json_push_string(rules, node->rules.items[i]->id);
    if (compared != NULL)
        add_made(item, compared);
    rp_json_push(list, item);
}

static void add_nodes(struct rp_json *json, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    struct rp_json *list = rp_json_new_array(json, "nodes");
    size_t next = 0; /* index of the next compared node */
    for (size_t i = 0; i < report->ops.count; i++) {
        const struct rp_ops_compared *compared = NULL;
        if (network != NULL && next < network->nodes.count && network->nodes.items[next].node == i)
            compared = &network->nodes.items[next++];
        add_node(list, &report->ops.nodes[i], i, compared);
    }
}

static void add_summary(struct rp_json *json, const struct rp_ops_report *report) {
    const struct rp_ops *ops = &report->ops;
    struct rp_json *summary = rp_json_new_object(json, "summary");
    struct rp_json *places = rp_json_new_object(summary, "runs");
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        struct rp_json *total = rp_json_new_object(places, rp_ops_place_name(place));
        rp_json_put_int(total, "nodes", (int64_t)ops->totals[place].nodes);
        put_macs(total, "macs", ops->totals[place].macs);
    }
    RP_JSON_PUT(summary, RP_JSON_N("parts", ops->parts), RP_JSON_N("constants", ops->folded),
                RP_JSON_N("macs_unknown", ops->macs_unknown));
    struct rp_json *operators = rp_json_new_array(summary, "operators");
    for (size_t i = 0; i < report->groups.count; i++) {
        const struct rp_ops_group *group = &report->groups.items[i];
        struct rp_json *item =
            RP_JSON_NEW(RP_JSON_S("operator", group->op), RP_JSON_N("nodes", group->nodes));
        for (unsigned place = 0; place < RP_OPS_PLACES; place++)
            rp_json_put_int(item, rp_ops_place_name(place), (int64_t)group->places[place]);
        put_macs(item, "macs", group->macs);
        rp_json_push(operators, item);
    }
}

static void add_advice(struct rp_json *json, const struct rp_ops_advices *advices) {
    struct rp_json *list = rp_json_new_array(json, "advice");
    for (size_t i = 0; i < advices->count; i++) {
        const struct rp_ops_advice *advice = &advices->items[i];
        struct rp_json *item = RP_JSON_NEW(
            RP_JSON_S("rule", advice->rule->id), RP_JSON_S("when", advice->rule->when),
            RP_JSON_S("advice", advice->rule->advice), RP_JSON_S("section", advice->rule->section));
        if (advice->rule->place < RP_OPS_PLACES)
            rp_json_put_string(item, "runs", rp_ops_place_name(advice->rule->place));
        put_macs(item, "macs", advice->macs);
        struct rp_json *nodes = rp_json_new_array(item, "nodes");
        for (size_t k = 0; k < advice->nodes.count; k++)
            rp_json_push_int(nodes, (int64_t)advice->nodes.items[k]);
        rp_json_push(list, item);
    }
}

static void add_network(struct rp_json *json, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    if (network == NULL)
        return;
    struct rp_json *item = rp_json_new_object(json, "network");
    rp_json_put_string(item, "path", report->network_path);
    rp_json_put_string(item, "name", network->name);
    rp_json_put(item, "epochs",
                RP_JSON_NEW(RP_JSON_N("hardware", network->hardware),
                            RP_JSON_N("software", network->software),
                            RP_JSON_N("hybrid", network->hybrid),
                            RP_JSON_N("other", network->other)));
    rp_json_put_bool(item, "has_blobs", network->has_blobs);
    rp_json_put_int(item, "nodes", (int64_t)network->nodes.count);
    for (unsigned i = 0; i < RP_OPS_COMPARISONS; i++)
        rp_json_put_int(item, rp_ops_comparison_name(i), (int64_t)network->counts[i]);
    rp_json_put_int(item, "inserted", (int64_t)network->inserted);
    rp_json_put_bool(item, "doubtful", network->is_doubtful);
}

void rp_ops_print_json(const struct rp_ops_report *report) {
    struct rp_json *json = new_document();
    add_model(json, report);
    add_nodes(json, report);
    add_summary(json, report);
    add_advice(json, &report->advices);
    add_network(json, report);
    rp_print_json(json);
}

/* A rule for all operators has no "operators". */
static void add_rule(struct rp_json *list, const struct rp_ops_rule *rule) {
    struct rp_json *item = RP_JSON_NEW(RP_JSON_S("rule", rule->id));
    if (rule->only_format)
        rp_json_put_string(item, "format", format_name(rule->format));
    if (rule->kinds != NULL) {
        struct rp_json *operators = rp_json_new_array(item, "operators");
        char word[64];
        int used = 0;
        for (const char *at = rule->kinds; sscanf(at, "%63s%n", word, &used) == 1; at += used)
            rp_json_push_string(operators, word);
    }
    rp_json_put_string(item, "when", rule->when);
    if (rule->place < RP_OPS_PLACES)
        rp_json_put_string(item, "runs", rp_ops_place_name(rule->place));
    RP_JSON_PUT(item, RP_JSON_B("replaces", rule->replaces), RP_JSON_S("advice", rule->advice),
                RP_JSON_S("section", rule->section));
    rp_json_push(list, item);
}

void rp_ops_list_json(void) {
    struct rp_json *json = new_document();
    struct rp_json *list = rp_json_new_array(json, "operators");
    for (size_t i = 0; rp_ops_operator_at(i) != NULL; i++) {
        const struct rp_ops_operator *row = rp_ops_operator_at(i);
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("format", format_name(row->format)),
                                       RP_JSON_S("operator", row->op),
                                       RP_JSON_S("runs", rp_ops_place_name(row->place)),
                                       RP_JSON_S("comment", row->comment),
                                       RP_JSON_S("pytorch", row->pytorch)));
    }
    struct rp_json *rules = rp_json_new_array(json, "rules");
    for (size_t i = 0; rp_ops_rule_at(i) != NULL; i++)
        add_rule(rules, rp_ops_rule_at(i));
    rp_print_json(json);
}
