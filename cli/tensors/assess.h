/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The outputs that a command has got from a model: saved, and compared with what they should be.
 * In: the outputs of all inferences and the options. Out: an assessment, which text.h and record.h
 * show, and a judgement.
 */
#ifndef RP_CLI_TENSORS_ASSESS_H
#define RP_CLI_TENSORS_ASSESS_H

#include "cli/tensors/compare.h"

struct rp_assess_options {
    struct rp_strings saved; /* --save-output */
    struct rp_strings expected;
    const char *tolerance; /* NULL: 0 */
    const char *labels;
    unsigned labels_output;
    const char *compare; /* JSON of another run */
};

// clang-format off
/* Their rows in the command's table; at: the struct's place in the command's options. */
#define RP_ASSESS_ROWS(at) \
    {0, "save-output", RP_OPT_LIST, (at) + offsetof(struct rp_assess_options, saved), "FILE", "write the image's output to FILE, .npy, .csv or raw; one option for each output", NULL, .group = RP_HELP_VALUES}, \
    {0, "expected", RP_OPT_LIST, (at) + offsetof(struct rp_assess_options, expected), "FILE", "output tensor to compare with, .npy, .csv or raw; one option for each output", NULL, .group = RP_HELP_VALUES}, \
    {0, "tolerance", RP_OPT_TEXT, (at) + offsetof(struct rp_assess_options, tolerance), "X", "largest absolute difference from --expected and --compare (default: 0)", NULL, .group = RP_HELP_VALUES}, \
    {0, "labels", RP_OPT_TEXT, (at) + offsetof(struct rp_assess_options, labels), "FILE", "class of each sample: print accuracy and confusion matrix", NULL, .group = RP_HELP_VALUES}, \
    {0, "labels-output", RP_OPT_NUMBER, (at) + offsetof(struct rp_assess_options, labels_output), "N", "output that --labels is about, from 0 (default: 0)", NULL, .group = RP_HELP_VALUES}, \
    {0, "compare", RP_OPT_TEXT, (at) + offsetof(struct rp_assess_options, compare), "FILE", "outputs to compare with: what --json printed for another run", NULL, .group = RP_HELP_VALUES}
// clang-format on

/* Fails with RP_E_USAGE unless --tolerance is a finite number from 0 on. */
bool rp_assess_tolerance(const struct rp_assess_options *options, double *out,
                         struct rp_error *err);
/*
 * Is --tolerance as above, with something to compare (reference: the value of
 * --reference, or NULL), and can --save-output be written, as far as the folders tell? For commands
 * to ask before they begin. RP_E_USAGE, RP_E_SYSTEM.
 */
bool rp_assess_possible(const struct rp_assess_options *options, const char *reference,
                        struct rp_error *err);
/* Notes (RP1079) that --expected is compared with the outputs of seeded inputs. */
void rp_assess_note(struct rp_arena *arena, const struct rp_assess_options *options,
                    bool has_inputs, unsigned seed, struct rp_diagnostics *notes);
/* Reads the files that the options name, and fills what they ask for. */
bool rp_assess(struct rp_assessment *assessment, struct rp_arena *arena,
               const struct rp_assess_options *options, struct rp_error *err);
/* Writes --save-output: all files or none, and none over one of the inputs, which were read. */
bool rp_assess_save(const struct rp_assessment *assessment, struct rp_arena *arena,
                    const struct rp_assess_options *options, const struct rp_strings *inputs,
                    struct rp_error *err);
/* Fails with RP_E_VERIFY when an output is further away than the tolerance allows. */
bool rp_assess_judge(const struct rp_assessment *assessment, struct rp_error *err);

#endif
