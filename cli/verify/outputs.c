/* SPDX-License-Identifier: Apache-2.0 */
/* What the loaded image computed: see outputs.h. */
#include "cli/verify/outputs.h"

#include "elfpack/image/integrity.h"
#include "toolchain/compile/depends.h"

static const struct rp_output *output_of(const struct rp_verification *verify, unsigned run,
                                         uint32_t index) {
    const struct rp_step_result *step = rp_answer_run(&verify->answers[0], run);
    return step != NULL ? rp_answer_output(&verify->answers[0], step->index, index) : NULL;
}

/* The model's outputs; when only the runtime knows them, as it reports them. */
static const struct rp_tensors *tensors_of(const struct rp_verification *verify) {
    const struct rp_tensors *known = &verify->model.model.outputs;
    return known->count != 0 ? known : &verify->answers[0].tensors[1];
}

/* Output number index of all runs, one after the other. */
static bool collect(const struct rp_verification *verify, uint32_t index, struct rp_samples *out,
                    struct rp_error *err) {
    const struct rp_tensors *tensors = tensors_of(verify);
    struct rp_buf all = {.arena = verify->arena};
    const struct rp_output *first = output_of(verify, 1, index);
    *out = (struct rp_samples){.count = verify->given.count};
    if (index < tensors->count)
        out->tensor = &tensors->items[index];
    for (unsigned run = 1; run <= verify->given.count; run++) {
        const struct rp_output *got = output_of(verify, run, index);
        if (got == NULL || got->size != first->size ||
            (out->tensor != NULL && got->size != rp_tensor_bytes(out->tensor)))
            return rp_fail(err, RP_E_VERIFY, "output %u has another size than declared", index);
        rp_buf_append(&all, got->data, got->size);
    }
    out->bytes = (struct rp_bytes){(const uint8_t *)rp_buf_text(&all), all.len};
    return true;
}

/* Two runs of the same inputs have the same text. */
static const char *inputs_text(const struct rp_verification *verify) {
    char sha256[2 * RELOC_SHA256_BYTES + 1];
    if (verify->given.bytes.size == 0)
        return rp_format(verify->arena, "seed %u", verify->options->seed);
    struct rp_sum sum = rp_sum_bytes(verify->given.bytes.data, verify->given.bytes.size);
    rp_hex(sha256, sum.sha256, sizeof sum.sha256);
    return rp_format(verify->arena, "sha256 %s", sha256);
}

struct rp_strings rp_verify_inputs(struct rp_verification *verify) {
    struct rp_strings read = {0};
    rp_files_read_list(&verify->read, &verify->model, &read);
    rp_build_depends(&verify->loader, &read);
    rp_strings_push(verify->arena, &read, verify->subject.path);
    return read;
}

bool rp_verify_outputs(struct rp_verification *verify, struct rp_error *err) {
    struct rp_assessment *assessment = &verify->verdict.assessment;
    const struct rp_assess_options *options = &verify->options->assess;
    struct rp_strings read;
    assessment->inputs = inputs_text(verify);
    while (output_of(verify, 1, (uint32_t)assessment->count) != NULL)
        assessment->count++;
    assessment->outputs = rp_alloc(verify->arena, assessment->count, sizeof *assessment->outputs);
    for (uint32_t i = 0; i < assessment->count; i++)
        if (!collect(verify, i, &assessment->outputs[i], err))
            return false;
    if (!rp_assess(assessment, verify->arena, options, err) ||
        (verify->given.reference.sets.count != 0 &&
         !rp_reference_compare(assessment, verify->arena, &verify->given.reference, err)))
        return false;
    read = rp_verify_inputs(verify);
    return rp_assess_save(assessment, verify->arena, options, &read, err);
}
