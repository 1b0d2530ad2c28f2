/* SPDX-License-Identifier: Apache-2.0 */
/* Printing the verdict: see print.h. */
#include "cli/verify/print.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/profile/json.h"
#include "cli/profile/text.h"
#include "cli/tensors/record.h"
#include "cli/tensors/text.h"
#include "cli/terminal.h"
#include "cli/verify/coverage.h"
#include "toolchain/compile/series.h"

static double percent_more(uint64_t value, uint64_t base) {
    return base != 0 ? 100.0 * ((double)value / (double)base - 1.0) : 0.0;
}

static void print_row(const struct rp_comparison *row, uint64_t static_run) {
    printf("%-5s %s    %c %u   %10llu %10llu %12llu %+6.2f %%  %8u %9u %7u  ", row->load->mode,
           row->placement->label, (char)('A' + (int)row->run->instance), row->run->run_number,
           (unsigned long long)row->load->instructions, (unsigned long long)row->init->instructions,
           (unsigned long long)row->run->instructions,
           percent_more(row->run->instructions, static_run), row->run->ram_high,
           row->run->acts_high, row->run->stack);
    if (row->equal)
        printf("%ssame%s\n", rp_colour(stdout, RP_GREEN), rp_colour(stdout, RP_PLAIN));
    else
        printf("%sDIFFERS%s in output %u at byte %llu\n", rp_colour(stdout, RP_RED),
               rp_colour(stdout, RP_PLAIN), row->wrong_output, (unsigned long long)row->wrong_byte);
}

void rp_verdict_print(const struct rp_verify_result *verdict, struct rp_arena *arena) {
    struct rp_buf tables = {.arena = arena};
    uint64_t static_run = verdict->static_run->instructions;
    size_t equal = 0;
    const struct rp_board *board = verdict->board;
    printf("%s on an emulated Cortex-%s (%s), instructions\n", rp_path_base(verdict->image),
           rp_core_label(board->runs_on), board->machine);
    if (strcmp(board->runs_on, board->core) != 0)
        printf("made for Cortex-%s, which cannot be emulated: all instructions of the image are "
               "the same on Cortex-%s\n",
               rp_core_label(board->core), rp_core_label(board->runs_on));
    printf("\n");
    printf("%-5s %s %s %s %10s %10s %12s %8s  %8s %9s %7s  %s\n", "mode", "addr", "inst", "run",
           "install", "init", "run", "", "RAM", "acts", "stack", "outputs");
    printf("%-19s %10s %10llu %12llu %8s  %8s %9s %7u\n", "static", "",
           (unsigned long long)verdict->static_init->instructions, (unsigned long long)static_run,
           "", "", "", verdict->static_run->stack);
    for (size_t i = 0; i < verdict->comparisons.count; i++) {
        const struct rp_comparison *row = &verdict->comparisons.items[i];
        /* with many inputs, only the first one and runs that differ are worth a line */
        if (row->run->run_number == 1 || verdict->comparisons.count <= 12 || !row->equal)
            print_row(row, static_run);
        equal += row->equal;
    }
    printf("\n");
    if (verdict->equal)
        printf(
            "memory around the buffers, and what nothing is in, was filled in %zu ways: no output "
            "depends on it\n",
            verdict->fillings);
    printf("%zu of %zu runs bit-identical to the static build, %llu bytes of output each", equal,
           verdict->comparisons.count, (unsigned long long)verdict->output_bytes);
    if (verdict->unwritten_bytes != 0)
        printf(", of which %llu are never written", (unsigned long long)verdict->unwritten_bytes);
    printf("\n");
    if (verdict->coverage.known && verdict->coverage.code_bytes != 0)
        printf("the runs executed %u %% of the code (%u of %u bytes)%s\n",
               rp_coverage_percent(verdict), verdict->coverage.executed_bytes,
               verdict->coverage.code_bytes,
               verdict->coverage.executed_bytes == verdict->coverage.code_bytes ? ""
               : verdict->has_inputs ? "; other inputs may execute more"
                                     : "; give --input for more");
    if (verdict->heap.bytes != 0)
        printf("the runs used %u of the %u bytes of --heap\n", verdict->heap.peak,
               verdict->heap.bytes);
    if (verdict->keeps_state)
        printf("the model keeps state: the same input gives other outputs after other runs\n");
    if (verdict->xip_refused)
        printf("XIP mode: refused by the loader, as it has to be\n");
    if (verdict->once)
        printf(
            "--once: other addresses, a second instance and a second run of an instance were not "
            "tried\n");
    rp_assessment_text(&tables, &verdict->assessment);
    printf("%s", rp_buf_text(&tables));
    if (verdict->profile != NULL) {
        struct rp_buf text = {.arena = verdict->profile->arena};
        rp_profile_print(verdict->profile, false, &text);
        printf("\n%s", rp_buf_text(&text));
    }
}

static void put_step(struct rp_json *object, const char *key, const struct rp_step_result *step) {
    rp_json_put_int(object, key, (int64_t)step->instructions);
}

/* With --once. */
static const char *const not_tried[] = {"other_addresses", "second_instance", "second_run"};

void rp_verdict_print_json(const struct rp_verify_result *verdict, struct rp_arena *arena) {
    struct rp_json *root = RP_JSON_PUT(
        rp_document("verify", 1, "verify"), RP_JSON_S("image", rp_path_base(verdict->image)),
        RP_JSON_S("core", verdict->board->runs_on), RP_JSON_S("made_for", verdict->board->core),
        RP_JSON_S("machine", verdict->board->machine), RP_JSON_B("identical", verdict->equal),
        RP_JSON_N("fillings", verdict->fillings));
    if (verdict->once) {
        struct rp_json *left = rp_json_new_array(root, "not_tried");
        for (size_t i = 0; i < sizeof not_tried / sizeof not_tried[0]; i++)
            rp_json_push_string(left, not_tried[i]);
    }
    if (verdict->outside != NULL)
        rp_json_put(root, "outside",
                    RP_JSON_NEW(RP_JSON_S("read", verdict->outside),
                                RP_JSON_B("by_static_build", verdict->outside_by_static)));
    rp_json_put_bool(root, "xip_refused", verdict->xip_refused);
    if (!verdict->once)
        rp_json_put_bool(root, "keeps_state", verdict->keeps_state);
    rp_json_put_int(root, "output_bytes", (int64_t)verdict->output_bytes);
    rp_json_put_int(root, "unwritten_bytes", (int64_t)verdict->unwritten_bytes);
    struct rp_json *unwritten = rp_json_new_array(root, "unwritten");
    for (size_t i = 0; i < verdict->unwritten.count; i++) {
        const struct rp_unwritten *part = &verdict->unwritten.items[i];
        rp_json_push(unwritten,
                     RP_JSON_NEW(RP_JSON_N("output", part->output), RP_JSON_N("first", part->first),
                                 RP_JSON_N("last", part->last), RP_JSON_N("bytes", part->bytes)));
    }
    if (verdict->coverage.known) {
        struct rp_json *coverage = rp_json_new_object(root, "coverage");
        rp_json_put_int(coverage, "executed_bytes", verdict->coverage.executed_bytes);
        if (verdict->coverage.code_bytes != 0)
            rp_json_put_int(coverage, "code_bytes", verdict->coverage.code_bytes);
    }
    struct rp_json *fixed = rp_json_new_object(root, "static");
    put_step(fixed, "init_instructions", verdict->static_init);
    put_step(fixed, "run_instructions", verdict->static_run);
    rp_json_put_int(fixed, "stack_bytes", verdict->static_run->stack);
    if (verdict->heap.bytes != 0)
        RP_JSON_PUT(fixed, RP_JSON_N("heap_bytes", verdict->heap.bytes),
                    RP_JSON_N("heap_used_bytes", verdict->heap.peak));
    struct rp_json *runs = rp_json_new_array(root, "runs");
    for (size_t i = 0; i < verdict->comparisons.count; i++) {
        const struct rp_comparison *row = &verdict->comparisons.items[i];
        struct rp_json *item = RP_JSON_NEW(
            RP_JSON_S("mode", row->load->mode), RP_JSON_S("addresses", row->placement->label),
            RP_JSON_N("instance", row->run->instance), RP_JSON_N("run", row->run->run_number));
        put_step(item, "install_instructions", row->load);
        put_step(item, "init_instructions", row->init);
        put_step(item, "run_instructions", row->run);
        RP_JSON_PUT(item, RP_JSON_N("ram_bytes", row->run->ram_high),
                    RP_JSON_N("acts_bytes", row->run->acts_high),
                    RP_JSON_N("stack_bytes", row->run->stack), RP_JSON_B("identical", row->equal));
        rp_json_push(runs, item);
    }
    rp_record_put(root, arena, &verdict->assessment);
    if (verdict->profile != NULL)
        rp_profile_put(rp_json_new_object(root, "profile"), verdict->profile);
    rp_print_json(root);
}

void rp_verdict_cases(const struct rp_verify_result *verdict, struct rp_arena *arena,
                      struct rp_cases *cases) {
    for (size_t i = 0; i < verdict->comparisons.count; i++) {
        const struct rp_comparison *row = &verdict->comparisons.items[i];
        struct rp_case *one = RP_PUSH(arena, cases);
        *one = (struct rp_case){.group = rp_path_base(verdict->image),
                                .name = rp_format(arena, "%s, addresses %s, instance %c, run %u",
                                                  row->load->mode, row->placement->label,
                                                  (char)('A' + (int)row->run->instance),
                                                  row->run->run_number)};
        if (!row->equal)
            one->failure =
                rp_format(arena, "output %u differs from the static build's at byte %llu",
                          row->wrong_output, (unsigned long long)row->wrong_byte);
        const struct {
            const char *name;
            uint64_t value;
        } figures[] = {{"install_instructions", row->load->instructions},
                       {"init_instructions", row->init->instructions},
                       {"run_instructions", row->run->instructions},
                       {"ram_bytes", row->run->ram_high},
                       {"acts_bytes", row->run->acts_high},
                       {"stack_bytes", row->run->stack}};
        for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
            rp_strings_push(
                arena, &one->properties,
                rp_format(arena, "%s=%llu", figures[k].name, (unsigned long long)figures[k].value));
    }
}

void rp_reference_cases(const struct rp_verify_result *verdict, struct rp_arena *arena,
                        struct rp_cases *cases) {
    const struct rp_assessment *assessment = &verdict->assessment;
    for (size_t i = 0; assessment->reference != NULL && i < assessment->reference->sets.count;
         i++) {
        const struct rp_reference_set *set = &assessment->reference->sets.items[i];
        size_t output = rp_reference_wrong(assessment, i);
        struct rp_case *one = RP_PUSH(arena, cases);
        *one = (struct rp_case){
            .group = rp_path_base(verdict->image),
            .name = rp_format(arena, "reference, %s", rp_path_base(set->dir)),
        };
        if (output != assessment->count)
            one->failure = rp_format(arena, "output %zu is not that of the reference", output);
    }
}
