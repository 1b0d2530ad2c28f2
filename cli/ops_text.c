/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `ops` for people: columns, or the tables of Markdown. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/ops.h"
#include "cli/terminal.h"

enum { NAME_COLUMNS = 40 };

/* ---- cells: a row is the same in both forms but for what is between them ---- */

struct form {
    struct rp_arena *arena;
    bool markdown;
};

static void put_cell(const struct form *form, const char *text, int width) {
    text = rp_printable(form->arena, text);
    if (!form->markdown) {
        printf("%*s  ", width, text);
        return;
    }
    for (putchar(' '); *text != '\0'; text++) {
        if (strchr("\\|`*<[", *text) != NULL) /* what a name must not mean in Markdown */
            putchar('\\');
        putchar(*text);
    }
    fputs(" |", stdout);
}

static void put_number(const struct form *form, uint64_t number, int width) {
    put_cell(form, rp_format(form->arena, "%" PRIu64, number), width);
}

static void begin_row(const struct form *form) {
    fputs(form->markdown ? "|" : "", stdout);
}

/* Titles with their widths, negative for text; the first 0 ends them. */
static void put_titles(const struct form *form, const char *const *titles, const int *widths) {
    begin_row(form);
    size_t count = 0;
    for (; titles[count] != NULL; count++)
        put_cell(form, titles[count], widths[count]);
    putchar('\n');
    if (!form->markdown)
        return;
    putchar('|');
    for (size_t i = 0; i < count; i++)
        fputs(widths[i] < 0 ? "---|" : "---:|", stdout);
    putchar('\n');
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
        begin_row(form);
        put_number(form, i, 5);
        put_cell(form, shown_name(form->arena, node->node->name), -NAME_COLUMNS);
        put_cell(form, node->node->op, -24);
        put_cell(form, node->is_folded ? "constant" : rp_ops_place_name(node->place), -11);
        if (node->macs_known)
            put_number(form, node->macs, 12);
        else
            put_cell(form, "?", 12);
        put_cell(form, node->reason, -1);
        putchar('\n');
    }
}

static void put_totals(const struct form *form, const struct rp_ops *ops) {
    static const char *const titles[] = {"runs", "nodes", "MACs", NULL};
    static const int widths[] = {-24, 6, 14};
    put_heading(form, "Summary");
    put_titles(form, titles, widths);
    for (unsigned place = 0; place < RP_OPS_PLACES; place++) {
        begin_row(form);
        put_cell(form, rp_ops_place_name(place), -24);
        put_number(form, ops->totals[place].nodes, 6);
        put_number(form, ops->totals[place].macs, 14);
        putchar('\n');
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
        begin_row(form);
        put_cell(form, group->op, -24);
        put_number(form, group->nodes, 6);
        for (unsigned place = 0; place < RP_OPS_PLACES; place++)
            put_number(form, group->places[place], widths[place + 2]);
        put_number(form, group->macs, 14);
        putchar('\n');
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

static void put_kinds(const struct form *form, const struct rp_ops_network *network) {
    static const char *const titles[] = {"kind",     "HW",          "conditional",
                                         "software", "unsupported", "made: software",
                                         "hybrid",   "agree",       NULL};
    static const int widths[] = {-24, 6, 11, 8, 11, 14, 6, 6};
    put_titles(form, titles, widths);
    for (size_t i = 0; i < network->kinds.count; i++) {
        const struct rp_ops_made_kind *row = &network->kinds.items[i];
        const size_t *p = row->predicted;
        begin_row(form);
        put_cell(form, row->kind, -24);
        put_number(form, p[RP_OPS_HW], 6);
        put_number(form, p[RP_OPS_CONDITIONAL], 11);
        put_number(form, p[RP_OPS_SW_INT] + p[RP_OPS_SW_FLOAT], 8);
        put_number(form, p[RP_OPS_UNSUPPORTED], 11);
        put_number(form, row->software, 14);
        put_number(form, row->hybrid, 6);
        put_number(form, row->agree, 6);
        putchar('\n');
    }
}

static void put_network(const struct form *form, const struct rp_ops_report *report) {
    const struct rp_ops_network *network = report->network;
    if (network == NULL)
        return;
    put_heading(form, rp_format(form->arena, "Compared with %s",
                                rp_printable(form->arena, report->network_path)));
    put_kinds(form, network);
    printf("%sEpochs of the compiler: %" PRIu64 " hardware, %" PRIu64 " software, %" PRIu64
           " hybrid, %" PRIu64 " others.\n",
           form->markdown ? "\n" : "", network->hardware, network->software, network->hybrid,
           network->other);
    printf("%zu of %zu nodes run where predicted, %zu were not decided; the compiler put %zu "
           "software nodes in.\n",
           network->agree, network->nodes, network->undecided, network->inserted);
    puts("Nodes are matched by kind and number: the compiler does not keep their names.");
    if (network->has_blobs)
        puts("What is in the epoch controller's blobs does not show: all but the software nodes "
             "count as hardware.");
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
