/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs and what they should be: see assess.h. */
#include "cli/tensors/assess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/tensors/record.h"
#include "cli/tensors/reference.h"

bool rp_assess_possible(const struct rp_assess_options *options, const char *reference,
                        struct rp_error *err) {
    double tolerance;
    bool compares = options->expected.count != 0 || options->compare != NULL || reference != NULL;
    for (size_t i = 0; i < options->saved.count; i++)
        if (!rp_output_is_possible(options->saved.items[i], err))
            return false;
    if (!rp_assess_tolerance(options, &tolerance, err))
        return false;
    return options->tolerance == NULL || compares ||
           rp_fail(err, RP_E_USAGE,
                   "--tolerance '%s' goes with --expected, --compare or --reference: without them, "
                   "it allows nothing",
                   options->tolerance);
}

/* strtod would also take infinity, which every difference is within, and hexadecimal numbers. */
bool rp_assess_tolerance(const struct rp_assess_options *options, double *out,
                         struct rp_error *err) {
    const char *text = options->tolerance != NULL ? options->tolerance : "0";
    char *end;
    *out = strtod(text, &end);
    bool is_plain = text[strspn(text, "0123456789.eE+-")] == '\0';
    return (is_plain && end != text && *end == '\0' && isfinite(*out) && *out >= 0.0) ||
           rp_fail(err, RP_E_USAGE, "--tolerance '%s' is not a number from 0 on", text);
}

static bool need_tensor(const struct rp_samples *output, size_t i, const char *option,
                        struct rp_error *err) {
    return output->tensor != NULL ||
           rp_fail(err, RP_E_USAGE, "%s: only the runtime knows the type of output %zu", option, i);
}

static bool compare_expected(struct rp_assessment *assessment, struct rp_arena *arena,
                             const struct rp_strings *files, struct rp_error *err) {
    if (files->count == 0)
        return true;
    if (assessment->count != files->count)
        return rp_fail(err, RP_E_USAGE, "the model has %zu outputs, --expected was given %zu times",
                       assessment->count, files->count);
    assessment->expected = rp_alloc(arena, files->count, sizeof *assessment->expected);
    for (size_t i = 0; i < files->count; i++) {
        const struct rp_samples *got = &assessment->outputs[i];
        struct rp_samples want;
        if (!need_tensor(got, i, "--expected", err) ||
            !rp_tensor_read(arena, files->items[i], got->tensor, &want, err))
            return false;
        if (want.count != got->count)
            return rp_fail(err, RP_E_INPUT, "'%s' holds %u outputs, there are %u inputs",
                           files->items[i], want.count, got->count);
        assessment->expected[i] = rp_compare_samples(arena, got, &want, &assessment->tolerance);
    }
    return true;
}

static bool count_classes(struct rp_assessment *assessment, struct rp_arena *arena,
                          const struct rp_assess_options *options, struct rp_error *err) {
    uint32_t *labels;
    size_t output = options->labels_output;
    if (options->labels == NULL)
        return true;
    if (output >= assessment->count)
        return rp_fail(err, RP_E_USAGE, "--labels-output %zu: the model has %zu output%s", output,
                       assessment->count, assessment->count == 1 ? "" : "s");
    if (!need_tensor(&assessment->outputs[output], output, "--labels", err))
        return false;
    struct rp_scores scores = rp_scores_of(&assessment->outputs[output]);
    if (!rp_labels_read(arena, options->labels, &scores, &labels, err))
        return false;
    struct rp_confusion *confusion = rp_alloc(arena, 1, sizeof *confusion);
    rp_confusion_of(confusion, arena, &scores, labels);
    confusion->path = options->labels;
    confusion->output = output;
    assessment->confusion = confusion;
    return true;
}

void rp_assess_note(struct rp_arena *arena, const struct rp_assess_options *options,
                    bool has_inputs, unsigned seed, struct rp_diagnostics *notes) {
    if (options->expected.count == 0 || has_inputs)
        return;
    rp_diagnose(arena, notes, "RP1079",
                rp_format(arena,
                          "without --input, --expected is compared with what the model makes "
                          "of generated numbers (--seed %u)",
                          seed));
}

bool rp_assess(struct rp_assessment *assessment, struct rp_arena *arena,
               const struct rp_assess_options *options, struct rp_error *err) {
    for (size_t i = 0; i < assessment->count && i < options->saved.count; i++)
        assessment->outputs[i].path = options->saved.items[i];
    return rp_assess_tolerance(options, &assessment->tolerance.absolute, err) &&
           compare_expected(assessment, arena, &options->expected, err) &&
           count_classes(assessment, arena, options, err) &&
           (options->compare == NULL ||
            rp_record_compare(assessment, arena, options->compare, err));
}

bool rp_assess_save(const struct rp_assessment *assessment, struct rp_arena *arena,
                    const struct rp_assess_options *options, const struct rp_strings *inputs,
                    struct rp_error *err) {
    const struct rp_strings *files = &options->saved;
    struct rp_outputs set;
    if (files->count == 0)
        return true;
    bool ok = rp_outputs_begin(&set, arena, NULL, err);
    for (size_t i = 0; ok && i < files->count; i++) {
        struct rp_buf bytes = {.arena = arena};
        ok = (i < assessment->count ||
              rp_fail(err, RP_E_USAGE, "--save-output: the model has no output %zu", i)) &&
             rp_tensor_format(&bytes, files->items[i], &assessment->outputs[i], err) &&
             rp_outputs_add_named(&set, files->items[i], bytes.data, bytes.len, err);
    }
    ok = ok && rp_outputs_check(&set, err) && rp_outputs_spare(&set, inputs, "an input", err) &&
         rp_outputs_commit(&set, err);
    if (!ok)
        rp_outputs_abort(&set);
    return ok;
}

static bool judge(const struct rp_compared *compared, size_t output, double tolerance,
                  struct rp_error *err) {
    if (compared->different == 0 || (compared->has_values && compared->beyond == 0))
        return true;
    if (compared->has_values)
        return rp_fail(err, RP_E_VERIFY,
                       "output %zu differs from the expected one by %g, %g is allowed: '%s'",
                       output, compared->largest, tolerance, compared->path);
    rp_fail(err, RP_E_VERIFY, "output %zu is not bit-identical to that of '%s': inference %u %s",
            output, compared->path, compared->first + 1,
            compared->different == 1 ? "differs" : "is the first that differs");
    return rp_hint(err, "with the values of the other run (--save-output), the difference can be "
                        "measured and a --tolerance applies");
}

bool rp_assess_judge(const struct rp_assessment *assessment, struct rp_error *err) {
    const struct rp_compared *const lists[] = {assessment->expected, assessment->other};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; lists[k] != NULL && i < assessment->count; i++)
            if (!judge(&lists[k][i], i, assessment->tolerance.absolute, err))
                return false;
    return assessment->reference == NULL || rp_reference_judge(assessment, err);
}
