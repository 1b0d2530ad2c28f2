/* SPDX-License-Identifier: Apache-2.0 */
/* Prints `ops --list` for people: the tables of operators and the rules, as in docs/OPS.md. */
#include "cli/ops/list.h"

#include <stdio.h>
#include <string.h>

#include "cli/ops/form.h"
#include "toolchain/ops/rules.h"
#include "toolchain/ops/tables.h"

const char *rp_ops_format_title(enum rp_graph_format format) {
    return format == RP_GRAPH_TFLITE ? "TFLite" : "ONNX";
}

void rp_ops_list_operators(const struct rp_ops_form *form) {
    static const char *const titles[] = {"format", "operator", "runs", "PyTorch", "comment", NULL};
    static const int widths[] = {-6, -26, -8, -27, -1};
    rp_ops_put_titles(form, titles, widths);
    for (size_t i = 0; rp_ops_operator_at(i) != NULL; i++) {
        const struct rp_ops_operator *row = rp_ops_operator_at(i);
        const char *cells[] = {
            rp_ops_format_title(row->format),         row->op,      rp_ops_place_name(row->place),
            row->pytorch != NULL ? row->pytorch : "", row->comment, NULL};
        rp_ops_put_row(form, cells, widths);
    }
}

/* "Conv Gemm" as "Conv, Gemm". */
static const char *kinds_of(const struct rp_ops_form *form, const struct rp_ops_rule *rule) {
    const char *text = "";
    for (const char *at = rule->kinds != NULL ? rule->kinds : "all"; *at != '\0';) {
        size_t len = strcspn(at, " ");
        text = rp_format(form->arena, "%s%s%.*s", text, text[0] != '\0' ? ", " : "", (int)len, at);
        at += len + (at[len] != '\0');
    }
    return rule->only_format
               ? rp_format(form->arena, "%s (%s)", text, rp_ops_format_title(rule->format))
               : text;
}

static void put_rule(const struct rp_ops_form *form, const struct rp_ops_rule *rule) {
    static const int widths[] = {-1, -1, -1, -1, -1, -1};
    const char *kinds = kinds_of(form, rule), *verdict = "";
    if (rule->place < RP_OPS_PLACES)
        verdict = rp_format(form->arena, "%s%s", rp_ops_place_name(rule->place),
                            rule->replaces ? ", replaces" : "");
    const char *advice = rule->advice != NULL ? rule->advice : "";
    if (form->markdown) {
        const char *cells[] = {rule->id, kinds, rule->when, verdict, advice, rule->section, NULL};
        rp_ops_put_row(form, cells, widths);
        return;
    }
    rp_ops_put_item(form, rp_format(form->arena, "%s: %s: %s: %s. %s%s(%s)", rule->id, kinds,
                                    verdict[0] != '\0' ? verdict : "advice only", rule->when,
                                    advice, advice[0] != '\0' ? " " : "", rule->section));
}

void rp_ops_list_rules(const struct rp_ops_form *form) {
    static const char *const titles[] = {"rule",   "operators", "condition", "runs",
                                         "advice", "section",   NULL};
    static const int widths[] = {-1, -1, -1, -1, -1, -1};
    if (form->markdown)
        rp_ops_put_titles(form, titles, widths);
    for (size_t i = 0; rp_ops_rule_at(i) != NULL; i++)
        put_rule(form, rp_ops_rule_at(i));
}
