/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack report`: a page and a picture of reports. In: reports of generate, what verify and run
 * wrote, folders of reports. Out: an HTML file, an SVG file, figures as CSV and for Prometheus.
 */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/page/gather.h"
#include "cli/page/history.h"
#include "cli/page/picture.h"
#include "cli/report/ci/diagnostics.h"

struct report_options {
    const char *html;
    const char *svg;
    const char *csv;
    const char *prometheus;
    struct rp_diagnosed diagnosed;
};

#define AT(member) offsetof(struct report_options, member)
// clang-format off
static const struct rp_option rows[] = {
    {0, "html", RP_OPT_TEXT, AT(html), "FILE", "write a page that needs nothing else", NULL},
    {0, "svg", RP_OPT_TEXT, AT(svg), "FILE", "write the maps of the memory as a picture", NULL},
    {0, "csv", RP_OPT_TEXT, AT(csv), "FILE", "write the figures of each build as a table, with its labels", NULL},
    {0, "prometheus", RP_OPT_TEXT, AT(prometheus), "FILE", "write the figures of each model's last build for Prometheus, with its labels", NULL},
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

static bool write_files(struct rp_arena *arena, const struct report_options *options,
                        const struct rp_page *page, const struct rp_strings *read,
                        struct rp_error *err) {
    struct rp_outputs outputs;
    struct rp_buf html = {.arena = arena}, svg = {.arena = arena}, csv = {.arena = arena},
                  prometheus = {.arena = arena};
    if (options->html != NULL)
        rp_page_html(&html, page);
    if (options->svg != NULL)
        rp_page_svg(&svg, &page->models.items[0]);
    if (options->csv != NULL)
        rp_history_csv(&csv, page);
    if (options->prometheus != NULL)
        rp_history_prometheus(&prometheus, page);
    bool ok =
        rp_outputs_begin(&outputs, arena, NULL, err) &&
        rp_outputs_add_named(&outputs, options->html, html.data, html.len, err) &&
        rp_outputs_add_named(&outputs, options->svg, svg.data, svg.len, err) &&
        rp_outputs_add_named(&outputs, options->csv, csv.data, csv.len, err) &&
        rp_outputs_add_named(&outputs, options->prometheus, prometheus.data, prometheus.len, err) &&
        rp_outputs_check(&outputs, err) && rp_outputs_spare(&outputs, read, "an input", err) &&
        rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    return ok;
}

static int run_report(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                      struct rp_error *err) {
    const struct report_options *options = given;
    struct rp_page page;
    struct rp_strings read = {0};
    if (arguments->count == 0 || (options->html == NULL && options->svg == NULL &&
                                  options->csv == NULL && options->prometheus == NULL)) {
        rp_fail(err, RP_E_USAGE,
                "report takes reports or folders of them, and --html FILE, --svg FILE, --csv FILE "
                "or --prometheus FILE");
        if (arguments->count == 1)
            rp_hint(err, "relocpack report %s --html page.html", arguments->items[0]);
        return -1;
    }
    if (!rp_page_gather(&page, arena, arguments, &read, err))
        return -1;
    if (options->svg != NULL && page.models.count > 1) {
        rp_fail(err, RP_E_USAGE, "--svg shows one model; there are '%s', '%s'%s",
                page.models.items[0].name, page.models.items[1].name,
                page.models.count > 2 ? " and more" : "");
        return -1;
    }
    return write_files(arena, options, &page, &read, err) ? 0 : -1;
}

const struct rp_command rp_command_report = {
    "report",  "[options] REPORT.json|FOLDER...", "Writes a page to look at, or a picture",
    rows,      sizeof(struct report_options),     NULL,
    run_report};
