/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions for a graph that was judged, and for its printed form. */
#ifndef RP_TESTS_FUZZ_FUZZ_OPS_H
#define RP_TESTS_FUZZ_FUZZ_OPS_H

#include "tests/fuzz/fuzz.h"

#include "base/json.h"
#include "cli/ops/json.h"
#include "cli/ops/text.h"
#include "toolchain/ops/judge.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/summary.h"

static inline void require_text(const char *text) {
    require(text != NULL);
    for (; *text != '\0'; text++)
        require((unsigned char)*text >= 0x20 && *text != 0x7F);
}

static inline void add_macs(uint64_t *sum, uint64_t macs) {
    if (__builtin_add_overflow(*sum, macs, sum))
        *sum = UINT64_MAX;
}

/* ---- nodes ---- */

/* Parts lead, maybe by other parts, to a node that stands for itself. */
static inline void require_part(const struct rp_ops *ops, const struct rp_ops_node *node) {
    for (size_t steps = 0; node->part_of != RP_GRAPH_NONE; steps++) {
        require(steps < ops->count && node->part_of >= 0 && (size_t)node->part_of < ops->count);
        node = &ops->nodes[node->part_of];
    }
    require(rp_ops_is_standalone(node));
}

static inline void require_judged(const struct rp_ops *ops, const struct rp_ops_node *node) {
    require(node->node == &ops->graph->nodes.items[node - ops->nodes]);
    require(node->place < RP_OPS_PLACES && node->kind != NULL);
    require_text(node->reason);
    require(node->macs_known || node->macs == 0);
    require((node->row == NULL) == (node->kind[0] == '\0'));
    if (node->part_of != RP_GRAPH_NONE)
        require_part(ops, node);
    require(rp_ops_is_standalone(node) || node->rules.count == 0);
    /* Dropout is in no table, and not unsupported */
    require(!rp_ops_is_standalone(node) || node->row != NULL || node->place == RP_OPS_UNSUPPORTED ||
            (node->place != RP_OPS_HW && strcmp(node->node->op, "Dropout") == 0));
    for (size_t i = 0; i < node->rules.count; i++)
        require(node->rules.items[i]->id[0] != '\0');
}

static inline void require_totals(const struct rp_ops *ops) {
    struct rp_ops_total totals[RP_OPS_PLACES] = {{0}};
    size_t parts = 0, folded = 0, unknown = 0, standing = 0;
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        require_judged(ops, node);
        parts += node->part_of != RP_GRAPH_NONE;
        folded += node->part_of == RP_GRAPH_NONE && node->is_folded;
        if (!rp_ops_is_standalone(node))
            continue;
        unknown += !node->macs_known;
        totals[node->place].nodes++;
        add_macs(&totals[node->place].macs, node->macs);
    }
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        standing += totals[place].nodes;
        require(totals[place].nodes == ops->totals[place].nodes &&
                totals[place].macs == ops->totals[place].macs);
    }
    require(parts == ops->parts && folded == ops->folded && unknown == ops->macs_unknown);
    require(ops->count == ops->graph->nodes.count && standing + parts + folded == ops->count);
}

/* ---- summaries ---- */

static inline void require_groups(const struct rp_ops_groups *groups, const struct rp_ops *ops) {
    size_t nodes[RP_OPS_PLACES] = {0};
    for (size_t i = 0; i < groups->count; i++) {
        const struct rp_ops_group *group = &groups->items[i];
        size_t sum = 0;
        require_text(group->op);
        require(group->first < ops->count && (i == 0 || group[-1].first < group->first));
        for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
            nodes[place] += group->places[place];
            sum += group->places[place];
        }
        require(sum == group->nodes && sum != 0);
    }
    for (unsigned place = 0; place < RP_OPS_PLACES; place++)
        require(nodes[place] == ops->totals[place].nodes);
}

static inline void require_advice(const struct rp_ops_advices *advices, const struct rp_ops *ops) {
    for (size_t i = 0; i < advices->count; i++) {
        const struct rp_ops_advice *advice = &advices->items[i];
        require(advice->rule->advice != NULL && advice->nodes.count != 0);
        for (size_t k = 0; k < advice->nodes.count; k++)
            require(advice->nodes.items[k] < ops->count &&
                    (k == 0 || advice->nodes.items[k - 1] < advice->nodes.items[k]));
    }
}

/* ---- printed text ---- */

/* Counts the bars that are not escaped. */
static inline size_t count_bars(const char *line, const char *end) {
    size_t count = 0;
    for (; line < end; line++) {
        count += *line == '|';
        line += *line == '\\' && line + 1 < end;
    }
    return count;
}

/* Lines of printable characters; in a Markdown table every row has the same number of cells. */
static inline void require_lines(const char *text, bool markdown) {
    size_t bars = 0;
    for (const char *end; *text != '\0'; text = end + 1) {
        end = strchr(text, '\n');
        require(end != NULL);
        size_t here = markdown && *text == '|' ? count_bars(text, end) : 0;
        require(bars == 0 || here == 0 || here == bars);
        bars = here;
        for (; text < end; text++)
            require((unsigned char)*text >= 0x20 && *text != 0x7F);
    }
}

static inline char *printed(void (*print)(const struct rp_ops_report *report),
                            const struct rp_ops_report *report, size_t *size) {
    char *text = NULL;
    FILE *before = stdout;
    stdout = open_memstream(&text, size);
    require(stdout != NULL);
    print(report);
    require(fclose(stdout) == 0);
    stdout = before;
    return text;
}

static inline void require_printed(const struct rp_ops_report *report) {
    size_t size;
    struct rp_error err = {0};
    char *text = printed(rp_ops_print, report, &size);
    require_lines(text, false);
    free(text);
    text = printed(rp_ops_print_markdown, report, &size);
    require_lines(text, true);
    free(text);
    text = printed(rp_ops_print_json, report, &size);
    struct rp_json *json = rp_json_parse(text, size, "json", &err);
    require(json != NULL && rp_json_count(rp_json_member(json, "nodes")) == report->ops.count);
    rp_json_free(json);
    free(text);
}

static inline void require_ops(struct rp_arena *arena, const struct rp_graph *graph) {
    struct rp_ops_report report = {.path = "fuzz", .arena = arena};
    rp_ops_judge(&report.ops, arena, graph);
    rp_ops_group(&report.groups, &report.ops);
    rp_ops_advise(&report.advices, &report.ops);
    require_totals(&report.ops);
    require_groups(&report.groups, &report.ops);
    require_advice(&report.advices, &report.ops);
    require_printed(&report);
}

#endif
