/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result of `ops` for people, as columns or as Markdown tables. */
#include "cli/ops/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/ops/form.h"
#include "cli/ops/list.h"
#include "toolchain/ops/compare.h"
#include "toolchain/ops/compiled.h"
#include "toolchain/ops/macs.h"
#include "toolchain/ops/summary.h"
#include "toolchain/ops/tables.h"

enum { NAME_COLUMNS = 40, OPERATOR_COLUMNS = 24, OPERATOR_COLUMNS_MOST = 48 };

/* "99.9 %". Only all is 100 %, and only none is 0 %. */
static const char *share(const struct rp_ops_form *form, uint64_t part, uint64_t whole) {
    if (part == 0 || part == whole)
        return part == 0 ? "0 %" : "100 %";
    double percent = 100 * (double)part / (double)whole;
    return rp_format(form->arena, "%.1f %%", percent < 0.1 ? 0.1 : percent > 99.9 ? 99.9 : percent);
}

/* ---- parts ---- */

/* The width of the column of operators; a custom one can have any name. */
static int operator_width(const struct rp_ops_form *form, const struct rp_ops_groups *groups) {
    int most = OPERATOR_COLUMNS;
    for (size_t i = 0; i < groups->count; i++) {
        int columns = rp_ops_columns(rp_ops_shown(form, groups->items[i].op));
        most = columns > most ? columns : most;
    }
    return -(most < OPERATOR_COLUMNS_MOST ? most : OPERATOR_COLUMNS_MOST);
}

static void put_nodes(const struct rp_ops_form *form, const struct rp_ops *ops, int op_width) {
    static const char *const titles[] = {"node", "name",   "operator", "runs",
                                         "MACs", "reason", NULL};
    const int widths[] = {5, -NAME_COLUMNS, op_width, -11, 12, -1};
    rp_ops_put_titles(form, titles, widths);
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        const char *cells[] = {rp_ops_number(form, i),
                               rp_ops_shortened(form, node->node->name, NAME_COLUMNS),
                               node->node->op,
                               node->is_folded ? "constant" : rp_ops_place_name(node->place),
                               node->macs_known ? rp_ops_number(form, node->macs) : "?",
                               node->reason,
                               NULL};
        rp_ops_put_row(form, cells, widths);
    }
}

static struct rp_ops_total sum_of(const struct rp_ops *ops) {
    struct rp_ops_total sum = {0};
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        sum.nodes += ops->totals[place].nodes;
        rp_ops_add_macs(&sum.macs, ops->totals[place].macs);
    }
    return sum;
}

static void put_totals(const struct rp_ops_form *form, const struct rp_ops *ops) {
    static const char *const titles[] = {"runs", "nodes", "share", "MACs", "share", NULL};
    static const int widths[] = {-24, 6, 7, 14, 7};
    struct rp_ops_total sum = sum_of(ops);
    rp_ops_put_heading(form, "Summary");
    rp_ops_put_titles(form, titles, widths);
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        const struct rp_ops_total *total = &ops->totals[place];
        const char *cells[] = {rp_ops_place_name(place),
                               rp_ops_number(form, total->nodes),
                               share(form, total->nodes, sum.nodes),
                               rp_ops_number(form, total->macs),
                               share(form, total->macs, sum.macs),
                               NULL};
        rp_ops_put_row(form, cells, widths);
    }
    printf("%sParts of other nodes: %zu. Constant: %zu.\n", form->markdown ? "\n" : "", ops->parts,
           ops->folded);
    if (ops->macs_unknown != 0)
        printf("MACs not known: %zu, as the file does not have the shapes, or MACs are not counted "
               "for the operator.\n",
               ops->macs_unknown);
}

static void put_groups(const struct rp_ops_form *form, const struct rp_ops_groups *groups,
                       int op_width) {
    static const char *const titles[] = {"operator", "nodes",       "HW",   "conditional", "SW_INT",
                                         "SW_FLOAT", "unsupported", "MACs", NULL};
    const int widths[] = {op_width, 6, 6, 11, 6, 8, 11, 14};
    rp_ops_put_heading(form, "Operators");
    rp_ops_put_titles(form, titles, widths);
    for (size_t i = 0; i < groups->count; i++) {
        const struct rp_ops_group *group = &groups->items[i];
        const char *cells[RP_OPS_PLACES + 4] = {group->op, rp_ops_number(form, group->nodes)};
        for (unsigned place = 0; place < RP_OPS_PLACES; place++)
            cells[place + 2] = rp_ops_number(form, group->places[place]);
        cells[RP_OPS_PLACES + 2] = rp_ops_number(form, group->macs);
        rp_ops_put_row(form, cells, widths);
    }
}

static void put_advice(const struct rp_ops_form *form, const struct rp_ops_advices *advices) {
    if (advices->count == 0)
        return;
    rp_ops_put_heading(form, "Advice");
    for (size_t i = 0; i < advices->count; i++) {
        const struct rp_ops_advice *advice = &advices->items[i];
        rp_ops_put_item(
            form, rp_format(form->arena, "%s: %s (%s; %s)", advice->rule->id, advice->rule->advice,
                            advice->rule->when,
                            rp_ops_node_list(form, advice->nodes.items, advice->nodes.count)));
    }
}

static const char *unit_of(const struct rp_ops_compiled_node *compiled) {
    return compiled != NULL ? rp_ops_unit_name(compiled->unit) : "";
}

static void put_compared(const struct rp_ops_form *form, const struct rp_ops_report *report,
                         int op_width) {
    static const char *const titles[] = {"node",  "name",       "operator", "predicted", "made",
                                         "epoch", "comparison", "made as",  NULL};
    const int widths[] = {5, -NAME_COLUMNS, op_width, -11, -8, 5, -10, -1};
    rp_ops_put_titles(form, titles, widths);
    for (size_t i = 0; i < report->network->nodes.count; i++) {
        const struct rp_ops_compared *row = &report->network->nodes.items[i];
        const struct rp_ops_node *node = &report->ops.nodes[row->node];
        const struct rp_ops_compiled_node *compiled = row->compiled;
        const char *cells[] = {rp_ops_number(form, row->node),
                               rp_ops_shortened(form, node->node->name, NAME_COLUMNS),
                               node->node->op,
                               rp_ops_place_name(node->place),
                               unit_of(compiled),
                               compiled != NULL && compiled->epoch >= 0
                                   ? rp_ops_number(form, (uint64_t)compiled->epoch)
                                   : "",
                               rp_ops_comparison_name(row->comparison),
                               compiled != NULL ? compiled->name : "",
                               NULL};
        rp_ops_put_row(form, cells, widths);
    }
}

static bool is_alike(const struct rp_ops *ops, const struct rp_ops_compared *a,
                     const struct rp_ops_compared *b) {
    const struct rp_ops_node *x = &ops->nodes[a->node], *y = &ops->nodes[b->node];
    return a->comparison == b->comparison &&
           strcmp(unit_of(a->compiled), unit_of(b->compiled)) == 0 && x->place == y->place &&
           strcmp(x->node->op, y->node->op) == 0 && strcmp(x->reason, y->reason) == 0;
}

/* Nodes that differ in the same way share an item, at the place of the first of them. */
static void put_differences(const struct rp_ops_form *form, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    const struct rp_ops_compared *rows = network->nodes.items;
    bool *done = rp_alloc(form->arena, network->nodes.count + 1, sizeof *done);
    size_t *alike = rp_alloc(form->arena, network->nodes.count + 1, sizeof *alike);
    if (network->counts[RP_OPS_DIFFERS] != 0)
        rp_ops_put_heading(form, "Other than predicted");
    for (size_t i = 0; i < network->nodes.count; i++) {
        size_t count = 0;
        if (rows[i].comparison != RP_OPS_DIFFERS || done[i])
            continue;
        for (size_t k = i; k < network->nodes.count; k++)
            if (is_alike(&report->ops, &rows[i], &rows[k])) {
                done[k] = true;
                alike[count++] = rows[k].node;
            }
        const struct rp_ops_node *node = &report->ops.nodes[rows[i].node];
        rp_ops_put_item(form, rp_format(form->arena, "%s: predicted %s%s%s, made %s: %s",
                                        node->node->op, rp_ops_place_name(node->place),
                                        node->reason[0] != '\0' ? ", " : "", node->reason,
                                        rows[i].compiled != NULL ? unit_of(rows[i].compiled)
                                                                 : "nothing in software",
                                        rp_ops_node_list(form, alike, count)));
    }
}

static void put_network(const struct rp_ops_form *form, const struct rp_ops_report *report,
                        int op_width) {
    const struct rp_ops_network *network = report->network;
    if (network == NULL)
        return;
    const size_t *counts = network->counts;
    rp_ops_put_heading(form, rp_format(form->arena, "Compared with %s", report->network_path));
    put_compared(form, report, op_width);
    put_differences(form, report);
    printf("\nEpochs of the compiler: %" PRIu64 " hardware, %" PRIu64 " software, %" PRIu64
           " hybrid, %" PRIu64 " others.\n",
           network->hardware, network->software, network->hybrid, network->other);
    printf(
        "Of %zu nodes %zu run where predicted, %zu elsewhere, %zu in hybrid epochs; %zu undecided, "
        "%zu not shown.\n",
        network->nodes.count, counts[RP_OPS_AGREES], counts[RP_OPS_DIFFERS], counts[RP_OPS_HYBRID],
        counts[RP_OPS_UNDECIDED], counts[RP_OPS_NOT_SHOWN]);
    printf("Nodes on the processor that the compiler put in: %zu.\n", network->inserted);
    puts(
        network->has_blobs
            ? "What does not show is in a blob of the epoch controller, and so in hardware, or a "
              "part of another node, or gone: nodes in software always show."
            : "What does not show has no epoch of its own: it is a part of another node, or gone.");
    puts("Nodes are matched by kind, weights and order: the compiler does not keep the model's "
         "names.");
}

static void put_closing(const struct rp_ops_form *form, const struct rp_ops *ops) {
    const struct rp_ops_total sum = sum_of(ops), *totals = ops->totals;
    printf("\n%zu of %zu operators", totals[RP_OPS_HW].nodes, sum.nodes);
    if (sum.macs != 0)
        printf(" and %s of the %sMACs", share(form, totals[RP_OPS_HW].macs, sum.macs),
               ops->macs_unknown != 0 ? "known " : "");
    printf(" run in hardware; %zu in software",
           totals[RP_OPS_SW_INT].nodes + totals[RP_OPS_SW_FLOAT].nodes);
    if (totals[RP_OPS_CONDITIONAL].nodes != 0)
        printf(", %zu in one or the other", totals[RP_OPS_CONDITIONAL].nodes);
    if (totals[RP_OPS_UNSUPPORTED].nodes != 0)
        printf(", %zu not at all", totals[RP_OPS_UNSUPPORTED].nodes);
    puts(".");
}

/* Says which parts of the model were not looked at. */
static void put_left_out(const struct rp_ops_form *form, const struct rp_graph *graph) {
    size_t elsewhere = 0, last = 0;
    for (size_t i = 0; i < graph->tensors.count; i++)
        if (graph->tensors.items[i].elsewhere != NULL) {
            elsewhere++;
            last = i;
        }
    if (graph->inner_graphs != 0)
        printf("Not judged: graphs beside the main one, such as those of If and WHILE: %zu.\n%s",
               graph->inner_graphs, form->markdown ? "\n" : "");
    if (elsewhere != 0)
        printf("Not read: values of constants, in other files ('%s'): %zu.\n%s",
               rp_ops_shown(form, graph->tensors.items[last].elsewhere), elsewhere,
               form->markdown ? "\n" : "");
}

static void print(const struct rp_ops_report *report, bool markdown) {
    const struct rp_ops_form form = {report->arena, markdown};
    const struct rp_graph *graph = report->ops.graph;
    const int op_width = operator_width(&form, &report->groups);
    printf("%s%s: %s, %s\n%s", markdown ? "# " : "", rp_ops_shown(&form, report->path),
           rp_ops_format_title(graph->format),
           graph->producer[0] != '\0' ? rp_ops_shown(&form, graph->producer) : "producer not named",
           markdown ? "\n" : "");
    put_left_out(&form, graph);
    put_nodes(&form, &report->ops, op_width);
    put_totals(&form, &report->ops);
    put_groups(&form, &report->groups, op_width);
    put_advice(&form, &report->advices);
    put_network(&form, report, op_width);
    put_closing(&form, &report->ops);
}

void rp_ops_print(const struct rp_ops_report *report) {
    print(report, false);
}

void rp_ops_print_markdown(const struct rp_ops_report *report) {
    print(report, true);
}
