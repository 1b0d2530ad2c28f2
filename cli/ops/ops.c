/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack ops`: where the operators of a model will run on an STM32N6, and why. */

#include <string.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/ops/form.h"
#include "cli/ops/json.h"
#include "cli/ops/list.h"
#include "cli/ops/text.h"
#include "cli/report/ci/diagnostics.h"
#include "cli/terminal.h"
#include "toolchain/graph/quantisation.h"
#include "toolchain/graph/read.h"
#include "toolchain/ops/compare.h"
#include "toolchain/ops/judge.h"
#include "toolchain/ops/summary.h"

enum { MODEL_MAX = 1 << 30 };

struct ops_options {
    bool json, markdown, strict, list;
    const char *network, *quantisation;
    struct rp_diagnosed diagnosed;
};

static const struct rp_option rows[] = {
    {0, "json", RP_OPT_FLAG, offsetof(struct ops_options, json), NULL, "print JSON", NULL},
    {0, "markdown", RP_OPT_FLAG, offsetof(struct ops_options, markdown), NULL,
     "print Markdown tables", NULL},
    {0, "strict", RP_OPT_FLAG, offsetof(struct ops_options, strict), NULL,
     "exit with code 8 unless every operator is HW; without it, only when an operator is "
     "unsupported",
     NULL},
    {0, "list", RP_OPT_FLAG, offsetof(struct ops_options, list), NULL,
     "print the tables of operators and rules; needs no model", NULL},
    {0, "network", RP_OPT_TEXT, offsetof(struct ops_options, network), "FILE",
     "compare node by node with the network.c that the Neural-ART compiler made from the model",
     NULL},
    {0, "quantisation", RP_OPT_TEXT, offsetof(struct ops_options, quantisation), "FILE",
     "types and scales of a model written by ST's front end (default: NAME_Q.json beside "
     "NAME.onnx)",
     NULL},
    RP_DIAGNOSTICS_ROWS(offsetof(struct ops_options, diagnosed)),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static void list(struct rp_arena *arena, const struct ops_options *options) {
    const struct rp_ops_form form = {arena, options->markdown};
    if (options->json) {
        rp_ops_list_json();
        return;
    }
    rp_ops_list_operators(&form);
    rp_ops_put_heading(&form, "Rules");
    rp_ops_list_rules(&form);
}

static bool check_usage(const struct ops_options *options, size_t models, struct rp_error *err) {
    if (models != (options->list ? 0U : 1U)) {
        rp_fail(err, RP_E_USAGE,
                options->list ? "ops --list takes no model" : "ops needs one model file");
        return rp_hint(err, "relocpack ops MODEL.tflite, or MODEL.onnx");
    }
    if (options->list &&
        (options->strict || options->network != NULL || options->quantisation != NULL))
        return rp_fail(err, RP_E_USAGE,
                       "--list takes no --strict, --network or --quantisation: they are for a "
                       "model");
    return !(options->json && options->markdown) ||
           rp_fail(err, RP_E_USAGE, "--json and --markdown exclude each other");
}

/* ST's front end writes float weights, and their quantisation into another file. */
static bool quantise(struct rp_graph *graph, const struct rp_ops_report *report, const char *path,
                     struct rp_error *err) {
    bool needed = strncmp(graph->producer, "Cube.AI", strlen("Cube.AI")) == 0;
    struct rp_bytes text;
    if (path == NULL && !needed)
        return true;
    if (path == NULL)
        path = rp_format(report->arena, "%s_Q.json", rp_path_stem(report->arena, report->path));
    if (!rp_file_read(report->arena, path, MODEL_MAX, &text, err)) {
        if (needed)
            rp_hint(err,
                    "ST's front end wrote this model, and its quantisation into a file _Q.json: "
                    "name that file with --quantisation, or give the model that the front end "
                    "read");
        return false;
    }
    return rp_graph_quantise(graph, report->arena, path, &text, err);
}

static bool judge(struct rp_ops_report *report, const char *quantisation, struct rp_error *err) {
    struct rp_bytes file;
    struct rp_graph *graph = rp_alloc(report->arena, 1, sizeof *graph);
    if (!rp_file_read(report->arena, report->path, MODEL_MAX, &file, err) ||
        !rp_graph_read(graph, report->arena, &file, report->path, err) ||
        !quantise(graph, report, quantisation, err))
        return false;
    rp_ops_judge(&report->ops, report->arena, graph);
    rp_ops_group(&report->groups, &report->ops);
    rp_ops_advise(&report->advices, &report->ops);
    return true;
}

static bool compare(struct rp_ops_report *report, struct rp_diagnostics *notes,
                    struct rp_error *err) {
    struct rp_bytes text;
    if (report->network_path == NULL)
        return true;
    struct rp_ops_network *network = rp_alloc(report->arena, 1, sizeof *network);
    report->network = network;
    if (!rp_file_read(report->arena, report->network_path, MODEL_MAX, &text, err))
        return false;
    bool ok = rp_ops_compare(network, &report->ops, report->network_path, &text, err);
    if (!ok && err->hint == NULL)
        rp_hint(err,
                "--network takes the network.c that the Neural-ART compiler made of the model");
    if (ok && network->is_doubtful)
        rp_diagnose(report->arena, notes, "RP1060",
                    rp_format(report->arena,
                              "network '%s': %zu of its %zu nodes with weights are found in the "
                              "model: is it of this model?",
                              report->network_path, network->weighted_found, network->weighted))
            ->file = report->network_path;
    return ok;
}

static int run_ops(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                   struct rp_error *err) {
    struct ops_options *options = given;
    struct rp_diagnostics *notes = &options->diagnosed.list;
    if (!check_usage(options, arguments->count, err))
        return -1;
    if (options->list) {
        list(arena, options);
        return RP_EXIT_OK;
    }
    struct rp_ops_report report = {
        .path = arguments->items[0], .arena = arena, .network_path = options->network};
    if (!judge(&report, options->quantisation, err) || !compare(&report, notes, err))
        return -1;
    rp_print_notes(arena, notes);
    if (options->json)
        rp_ops_print_json(&report);
    else if (options->markdown)
        rp_ops_print_markdown(&report);
    else
        rp_ops_print(&report);
    /* an unsupported operator is a failure even without --strict */
    size_t bad = report.ops.totals[RP_OPS_UNSUPPORTED].nodes;
    for (unsigned place = RP_OPS_HW + 1; options->strict && place < RP_OPS_PLACES; place++)
        bad += report.ops.totals[place].nodes;
    return bad == 0 ? RP_EXIT_OK : RP_EXIT_VERIFY;
}

const struct rp_command rp_command_ops = {
    "ops",
    "[options] MODEL.tflite|MODEL.onnx",
    "Says which operators of a model run on the Neural-ART hardware, which in software, and why",
    rows,
    sizeof(struct ops_options),
    NULL,
    run_ops};
