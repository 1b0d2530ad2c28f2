/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `ops` for people: columns, or the tables of Markdown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ops.h"
#include "cli/terminal.h"

enum { NAME_COLUMNS = 40 };

/* ---- rows: the same in both forms but for what is between the cells ---- */

struct form {
    struct rp_arena *arena;
    bool markdown;
};

static void put_escaped(const char *text) {
    for (putchar(' '); *text != '\0'; text++) {
        if (strchr("\\|`*<[", *text) != NULL) /* what a name must not mean in Markdown */
            putchar('\\');
        putchar(*text);
    }
    fputs(" |", stdout);
}

/* Cells up to a NULL, with their widths, negative for text; no blanks at the end of the line. */
static void put_row(const struct form *form, const char *const *cells, const int *widths) {
    int blanks = 0;
    fputs(form->markdown ? "|" : "", stdout);
    for (size_t i = 0; cells[i] != NULL; i++) {
        const char *text = rp_printable(form->arena, cells[i]);
        if (form->markdown) {
            put_escaped(text);
            continue;
        }
        int len = (int)strlen(text), width = abs(widths[i]), gap = len < width ? width - len : 0;
        int before = widths[i] > 0 ? gap : 0;
        if (len != 0)
            printf("%*s%s", blanks + before, "", text);
        blanks = (len != 0 ? 0 : blanks + before) + gap - before + 2;
    }
    putchar('\n');
}

static void put_titles(const struct form *form, const char *const *titles, const int *widths) {
    put_row(form, titles, widths);
    if (!form->markdown)
        return;
    putchar('|');
    for (size_t i = 0; titles[i] != NULL; i++)
        fputs(widths[i] < 0 ? "---|" : "---:|", stdout);
    putchar('\n');
}

static const char *number(const struct form *form, uint64_t value) {
    return rp_format(form->arena, "%" PRIu64, value);
}

/* "99.9 %"; all is 100 and none is 0, and nothing else is. */
static const char *share(const struct form *form, uint64_t part, uint64_t whole) {
    if (part == 0 || part == whole)
        return part == 0 ? "0 %" : "100 %";
    double percent = 100 * (double)part / (double)whole;
    return rp_format(form->arena, "%.1f %%", percent < 0.1 ? 0.1 : percent > 99.9 ? 99.9 : percent);
}

static void put_heading(const struct form *form, const char *text) {
    printf(form->markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

/* ---- parts ---- */

static const char *shown_name(struct rp_arena *arena, const char *name) {
    size_t len = strlen(name);
    return len <= NAME_COLUMNS
               ? name
               : rp_format(arena, "...%s", name + len - NAME_COLUMNS + strlen("..."));
}

static void put_nodes(const struct form *form, const struct rp_ops *ops) {
    static const char *const titles[] = {"node", "name",   "operator", "runs",
                                         "MACs", "reason", NULL};
    static const int widths[] = {5, -NAME_COLUMNS, -24, -11, 12, -1};
    put_titles(form, titles, widths);
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        const char *cells[] = {number(form, i),
                               shown_name(form->arena, node->node->name),
                               node->node->op,
                               node->is_folded ? "constant" : rp_ops_place_name(node->place),
                               node->macs_known ? number(form, node->macs) : "?",
                               node->reason,
                               NULL};
        put_row(form, cells, widths);
    }
}

static struct rp_ops_total sum_of(const struct rp_ops *ops) {
    struct rp_ops_total sum = {0};
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        sum.nodes += ops->totals[place].nodes;
        if (__builtin_add_overflow(sum.macs, ops->totals[place].macs, &sum.macs))
            sum.macs = UINT64_MAX;
    }
    return sum;
}

static void put_totals(const struct form *form, const struct rp_ops *ops) {
    static const char *const titles[] = {"runs", "nodes", "share", "MACs", "share", NULL};
    static const int widths[] = {-24, 6, 7, 14, 7};
    struct rp_ops_total sum = sum_of(ops);
    put_heading(form, "Summary");
    put_titles(form, titles, widths);
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        const struct rp_ops_total *total = &ops->totals[place];
        const char *cells[] = {rp_ops_place_name(place),
                               number(form, total->nodes),
                               share(form, total->nodes, sum.nodes),
                               number(form, total->macs),
                               share(form, total->macs, sum.macs),
                               NULL};
        put_row(form, cells, widths);
    }
    printf("%s%zu nodes are parts of others, %zu are constant.\n", form->markdown ? "\n" : "",
           ops->parts, ops->folded);
    if (ops->macs_unknown != 0)
        printf("MACs of %zu nodes are not known: the file does not have their shapes.\n",
               ops->macs_unknown);
}

static void put_groups(const struct form *form, const struct rp_ops_groups *groups) {
    static const char *const titles[] = {"operator", "nodes",       "HW",   "conditional", "SW_INT",
                                         "SW_FLOAT", "unsupported", "MACs", NULL};
    static const int widths[] = {-24, 6, 6, 11, 6, 8, 11, 14};
    put_heading(form, "Operators");
    put_titles(form, titles, widths);
    for (size_t i = 0; i < groups->count; i++) {
        const struct rp_ops_group *group = &groups->items[i];
        const char *cells[RP_OPS_PLACES + 4] = {group->op, number(form, group->nodes)};
        for (unsigned place = 0; place < RP_OPS_PLACES; place++)
            cells[place + 2] = number(form, group->places[place]);
        cells[RP_OPS_PLACES + 2] = number(form, group->macs);
        put_row(form, cells, widths);
    }
}

static void put_advice(const struct form *form, const struct rp_ops_advices *advices) {
    if (advices->count == 0)
        return;
    put_heading(form, "Advice");
    for (size_t i = 0; i < advices->count; i++) {
        const struct rp_ops_advice *advice = &advices->items[i];
        printf("%s%s: %s\n  (%s; nodes", form->markdown ? "- " : "", advice->rule->id,
               advice->rule->advice, advice->rule->when);
        for (size_t k = 0; k < advice->nodes.count; k++)
            printf(" %zu", advice->nodes.items[k]);
        puts(")");
    }
}

static const char *unit_of(const struct rp_ops_made *made) {
    return made != NULL ? rp_ops_unit_name(made->unit) : "";
}

static void put_compared(const struct form *form, const struct rp_ops_report *report) {
    static const char *const titles[] = {"node",  "name",       "operator", "predicted", "made",
                                         "epoch", "comparison", "made as",  NULL};
    static const int widths[] = {5, -NAME_COLUMNS, -24, -11, -8, 5, -10, -1};
    put_titles(form, titles, widths);
    for (size_t i = 0; i < report->network->nodes.count; i++) {
        const struct rp_ops_compared *row = &report->network->nodes.items[i];
        const struct rp_ops_node *node = &report->ops.nodes[row->node];
        const struct rp_ops_made *made = row->made;
        const char *cells[] = {
            number(form, row->node),
            shown_name(form->arena, node->node->name),
            node->node->op,
            rp_ops_place_name(node->place),
            unit_of(made),
            made != NULL && made->epoch >= 0 ? number(form, (uint64_t)made->epoch) : "",
            rp_ops_comparison_name(row->comparison),
            made != NULL ? made->name : "",
            NULL};
        put_row(form, cells, widths);
    }
}

static bool is_alike(const struct rp_ops *ops, const struct rp_ops_compared *a,
                     const struct rp_ops_compared *b) {
    const struct rp_ops_node *x = &ops->nodes[a->node], *y = &ops->nodes[b->node];
    return a->comparison == b->comparison && strcmp(unit_of(a->made), unit_of(b->made)) == 0 &&
           x->place == y->place && strcmp(x->node->op, y->node->op) == 0 &&
           strcmp(x->reason, y->reason) == 0;
}

/* Nodes that differ in the same way share a line, which stands where the first of them is. */
static void put_differences(const struct form *form, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    const struct rp_ops_compared *rows = network->nodes.items;
    bool *done = rp_alloc(form->arena, network->nodes.count + 1, sizeof *done);
    if (network->counts[RP_OPS_DIFFERS] != 0)
        put_heading(form, "Other than predicted");
    for (size_t i = 0; i < network->nodes.count; i++) {
        const struct rp_ops_node *node = &report->ops.nodes[rows[i].node];
        if (rows[i].comparison != RP_OPS_DIFFERS || done[i])
            continue;
        printf("%s%s: predicted %s%s%s, made %s: nodes", form->markdown ? "- " : "",
               rp_printable(form->arena, node->node->op), rp_ops_place_name(node->place),
               node->reason[0] != '\0' ? ", " : "", node->reason,
               rows[i].made != NULL ? unit_of(rows[i].made) : "nothing in software");
        for (size_t k = i; k < network->nodes.count; k++)
            if (is_alike(&report->ops, &rows[i], &rows[k])) {
                done[k] = true;
                printf(" %zu", rows[k].node);
            }
        putchar('\n');
    }
}

static void put_network(const struct form *form, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    if (network == NULL)
        return;
    const size_t *counts = network->counts;
    put_heading(form, rp_format(form->arena, "Compared with %s",
                                rp_printable(form->arena, report->network_path)));
    put_compared(form, report);
    put_differences(form, report);
    printf("\nEpochs of the compiler: %" PRIu64 " hardware, %" PRIu64 " software, %" PRIu64
           " hybrid, %" PRIu64 " others.\n",
           network->hardware, network->software, network->hybrid, network->other);
    printf(
        "Of %zu nodes %zu run where predicted, %zu elsewhere, %zu in hybrid epochs; %zu were not "
        "decided, %zu do not show.\n",
        network->nodes.count, counts[RP_OPS_AGREES], counts[RP_OPS_DIFFERS], counts[RP_OPS_HYBRID],
        counts[RP_OPS_UNDECIDED], counts[RP_OPS_NOT_SHOWN]);
    printf("The compiler put %zu nodes on the processor that are none of the model's.\n",
           network->inserted);
    puts(
        network->has_blobs
            ? "What does not show is in a blob of the epoch controller, and so in hardware, or a "
              "part of another node, or gone: nodes in software always show."
            : "What does not show has no epoch of its own: it is a part of another node, or gone.");
    puts("Nodes are matched by kind, weights and order: the compiler does not keep the model's "
         "names.");
}

static void put_closing(const struct form *form, const struct rp_ops *ops) {
    const struct rp_ops_total sum = sum_of(ops), *totals = ops->totals;
    printf("\n%zu of %zu operators", totals[RP_OPS_HW].nodes, sum.nodes);
    if (sum.macs != 0)
        printf(" and %s of the MACs", share(form, totals[RP_OPS_HW].macs, sum.macs));
    printf(" run in hardware; %zu in software",
           totals[RP_OPS_SW_INT].nodes + totals[RP_OPS_SW_FLOAT].nodes);
    if (totals[RP_OPS_CONDITIONAL].nodes != 0)
        printf(", %zu in one or the other", totals[RP_OPS_CONDITIONAL].nodes);
    if (totals[RP_OPS_UNSUPPORTED].nodes != 0)
        printf(", %zu not at all", totals[RP_OPS_UNSUPPORTED].nodes);
    puts(".");
}

/* What of the model was not looked at. */
static void put_left_out(const struct form *form, const struct rp_graph *graph) {
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
               rp_printable(form->arena, graph->tensors.items[last].elsewhere), elsewhere,
               form->markdown ? "\n" : "");
}

static void print(const struct rp_ops_report *report, bool markdown) {
    const struct form form = {report->arena, markdown};
    const struct rp_graph *graph = report->ops.graph;
    printf("%s%s: %s, %s\n%s", markdown ? "# " : "", rp_printable(report->arena, report->path),
           graph->format == RP_GRAPH_TFLITE ? "TFLite" : "ONNX",
           graph->producer[0] != '\0' ? rp_printable(report->arena, graph->producer)
                                      : "producer not named",
           markdown ? "\n" : "");
    put_left_out(&form, graph);
    put_nodes(&form, &report->ops);
    put_totals(&form, &report->ops);
    put_groups(&form, &report->groups);
    put_advice(&form, &report->advices);
    put_network(&form, report);
    put_closing(&form, &report->ops);
}

void rp_ops_print(const struct rp_ops_report *report) {
    print(report, false);
}

void rp_ops_print_markdown(const struct rp_ops_report *report) {
    print(report, true);
}

void rp_ops_list(bool markdown) {
    printf(markdown ? "| format | operator | runs | comment |\n|---|---|---|---|\n"
                    : "format  operator                    runs      comment\n");
    for (size_t i = 0; rp_ops_operator_at(i) != NULL; i++) {
        const struct rp_ops_operator *row = rp_ops_operator_at(i);
        printf(markdown ? "| %s | %s | %s | %s |\n" : "%-6s  %-26s  %-8s  %s\n",
               row->format == RP_GRAPH_TFLITE ? "TFLite" : "ONNX", row->op,
               rp_ops_place_name(row->place), row->comment);
    }
}
