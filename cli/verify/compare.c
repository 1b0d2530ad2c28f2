/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing outputs: see compare.h. */
#include "cli/verify/compare.h"

#include "cli/report/read.h"
#include "cli/verify/written.h"

uint64_t rp_output_compare(const struct rp_output *a, uint32_t fill_a, const struct rp_output *b,
                           uint32_t fill_b) {
    uint32_t size = a->size < b->size ? a->size : b->size;
    uint32_t at = 0;
    while (at < size && (a->data[at] == b->data[at] || (a->data[at] == rp_fill_byte(fill_a, at) &&
                                                        b->data[at] == rp_fill_byte(fill_b, at))))
        at++;
    return at;
}

static void compare_outputs(struct rp_comparison *row, const struct rp_answer *answer,
                            const struct rp_answer *fixed, const struct rp_step_result *want) {
    row->equal = true;
    for (uint32_t i = 0;; i++) {
        const struct rp_output *a = rp_answer_output(answer, row->run->index, i);
        const struct rp_output *b = rp_answer_output(fixed, want->index, i);
        if (a == NULL && b == NULL)
            break;
        row->outputs++;
        uint64_t same = a != NULL && b != NULL
                            ? rp_output_compare(a, RP_OUTPUT_FILL(row->run->pattern), b,
                                                RP_OUTPUT_FILL(want->pattern))
                            : 0;
        if (a != NULL && b != NULL && a->size == b->size && same == a->size)
            continue;
        row->wrong_output = i;
        row->wrong_byte = same;
        row->equal = false;
        break;
    }
    row->equal = row->equal && row->outputs != 0;
}

/* The last load of the run's instance before the run, or, with load false, the last init. */
static const struct rp_step_result *last_before(const struct rp_answer *answer,
                                                const struct rp_step_result *run, bool load) {
    const struct rp_step_result *found = NULL;
    for (const struct rp_step_result *s = answer->steps.items; s != run; s++)
        if (s->instance == run->instance &&
            (load ? s->kind == STEP_LOAD_XIP || s->kind == STEP_LOAD_COPY : s->kind == STEP_INIT))
            found = s;
    return found;
}

static bool compare_all(struct rp_verification *verify, struct rp_error *err) {
    struct rp_verify_result *verdict = &verify->verdict;
    verdict->equal = true;
    for (size_t k = 0; k < 2; k++) {
        const struct rp_answer *answer = &verify->answers[k];
        for (size_t i = 0; i < answer->steps.count; i++) {
            const struct rp_step_result *run = &answer->steps.items[i];
            if (run->kind != STEP_RUN)
                continue;
            const struct rp_step_result *want = rp_answer_run(&verify->fixed, run->run_number);
            struct rp_comparison *row = RP_PUSH(verify->arena, &verdict->comparisons);
            *row = (struct rp_comparison){.placement = &verify->places.images[k],
                                          .load = last_before(answer, run, true),
                                          .init = last_before(answer, run, false),
                                          .run = run};
            if (want == NULL || row->load == NULL || row->init == NULL)
                return rp_fail(err, RP_E_VERIFY, "the harness's answer lacks steps");
            compare_outputs(row, answer, &verify->fixed, want);
            verdict->equal = verdict->equal && row->equal;
        }
    }
    if (verdict->comparisons.count == 0)
        return rp_fail(err, RP_E_VERIFY, "the harness's answer has no run");
    /* with --once, fewer runs than patterns: each has another one */
    verdict->fillings = verdict->once ? 1 + verdict->comparisons.count : RP_PATTERNS;
    return true;
}

static void fill_verdict(struct rp_verification *verify) {
    struct rp_verify_result *verdict = &verify->verdict;
    verdict->image = verify->subject.path;
    verdict->board = verify->board;
    verdict->once = verify->options->once;
    verdict->xip_refused = verify->places.images[0].needs_copy;
    verdict->static_run = rp_answer_run(&verify->fixed, 1);
    verdict->heap.bytes = rp_heap_bytes(&verify->options->source);
    for (size_t i = 0; i < verify->fixed.steps.count; i++)
        if (verify->fixed.steps.items[i].heap > verdict->heap.peak)
            verdict->heap.peak = verify->fixed.steps.items[i].heap;
    verdict->static_init = verdict->static_run != NULL
                               ? last_before(&verify->fixed, verdict->static_run, false)
                               : NULL;
    for (uint32_t i = 0; verdict->static_run != NULL; i++) {
        const struct rp_output *output =
            rp_answer_output(&verify->fixed, verdict->static_run->index, i);
        if (output == NULL)
            break;
        verdict->output_bytes += output->size;
    }
}

/* Does the first input give other outputs after the others than before? Not known with --once. */
static void find_state(struct rp_verification *verify) {
    const struct rp_step_result *first = verify->verdict.static_run;
    const struct rp_step_result *again = rp_answer_run(&verify->fixed, verify->given.count + 1);
    const struct rp_output *a, *b;
    for (uint32_t i = 0; again != NULL && !verify->verdict.keeps_state &&
                         (a = rp_answer_output(&verify->fixed, first->index, i)) != NULL &&
                         (b = rp_answer_output(&verify->fixed, again->index, i)) != NULL;
         i++)
        verify->verdict.keeps_state = rp_output_compare(a, RP_OUTPUT_FILL(first->pattern), b,
                                                        RP_OUTPUT_FILL(again->pattern)) < a->size;
}

bool rp_verify_compare(struct rp_verification *verify, struct rp_error *err) {
    fill_verdict(verify);
    if (verify->verdict.static_init == NULL)
        return rp_fail(err, RP_E_VERIFY, "the static build did not run");
    find_state(verify);
    return rp_verify_written(verify, err) && compare_all(verify, err);
}

bool rp_outside_fail(const struct rp_verification *verify, struct rp_error *err) {
    const struct rp_verify_result *verdict = &verify->verdict;
    rp_fail(err, RP_E_OUTSIDE, "'%s': the outputs depend on %s%s", verify->subject.path,
            verdict->outside,
            verdict->outside_by_static ? "; so do those of the static build"
                                       : "; the static build has other bytes there");
    return rp_hint(err,
                   "the model's code reads outside a buffer, or before it has written there; or "
                   "it does not write an output: are inputs and outputs named the right way "
                   "round?");
}

/* The fill words change nothing, so the cause is not outside the image and its variables. */
static bool hint_inside(const struct rp_verify_result *verdict, struct rp_error *err) {
    size_t wrong[2] = {0}, runs[2] = {0}; /* in XIP mode, in COPY mode */
    for (size_t i = 0; i < verdict->comparisons.count; i++) {
        bool copied = verdict->comparisons.items[i].load->kind == STEP_LOAD_COPY;
        runs[copied]++;
        wrong[copied] += !verdict->comparisons.items[i].equal;
    }
    if (wrong[0] + wrong[1] == runs[0] + runs[1])
        return rp_hint(err, "all runs differ: unless the model takes an address for a number or "
                            "reads next to a variable, please report it with the model");
    for (size_t mode = 0; mode < 2; mode++)
        if (wrong[mode] == runs[mode] && wrong[!mode] == 0)
            return rp_hint(err,
                           "only the runs in %s mode differ: unless the model takes an address "
                           "for a number or reads next to a variable, please report it with the "
                           "model",
                           mode == 0 ? "XIP" : "COPY");
    return rp_hint(err, "the outputs change with the addresses: the code takes an address for a "
                        "number, or reads next to a variable, where the image has addresses");
}

/* Is the static build, which is new, of another source than the image? */
static void hint_changed(const struct rp_verification *verify, struct rp_error *err) {
    const struct rp_strings files = rp_package_files(&verify->model);
    const char *report = verify->options->report;
    const char *changed = report != NULL ? rp_report_changed(verify->arena, report, &files) : NULL;
    if (changed != NULL)
        rp_hint(err, "'%s' has changed since the image was made: generate the image again",
                changed);
}

bool rp_verify_judge(const struct rp_verification *verify, struct rp_error *err) {
    const struct rp_verify_result *verdict = &verify->verdict;
    if (!verdict->equal && verdict->outside_is_models)
        return rp_outside_fail(verify, err);
    if (!verdict->equal) {
        rp_fail(err, RP_E_VERIFY, "'%s' does not compute what the static build computes",
                verify->subject.path);
        hint_changed(verify, err);
        (void)(verdict->outside != NULL
                   ? rp_hint(err,
                             "the image's outputs, not those of the static build, change with %s",
                             verdict->outside)
                   : hint_inside(verdict, err));
        return false;
    }
    return true;
}
