/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that no run has written: see written.h. */
#include "cli/verify/written.h"

#include "cli/terminal.h"

enum { SURE_BYTES = 8 }; /* a shorter output may be one that is rarely written: only a warning */

/* Does each run of the answer leave the byte as the memory was filled? */
static bool leaves(const struct rp_answer *answer, uint32_t output, uint32_t at) {
    for (size_t i = 0; i < answer->steps.count; i++) {
        const struct rp_step_result *run = &answer->steps.items[i];
        const struct rp_output *held =
            run->kind == STEP_RUN ? rp_answer_output(answer, run->index, output) : NULL;
        if (held != NULL && at < held->size &&
            held->data[at] != rp_fill_byte(RP_OUTPUT_FILL(run->pattern), at))
            return false;
    }
    return true;
}

bool rp_verify_written(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_tensors *tensors = &verify->model.model.outputs;
    struct rp_verify_result *verdict = &verify->verdict;
    const struct rp_output *output;
    for (uint32_t i = 0;
         (output = rp_answer_output(&verify->fixed, verdict->static_run->index, i)) != NULL; i++) {
        struct rp_unwritten found = {.output = i,
                                     .name = i < tensors->count ? tensors->items[i].name : NULL,
                                     .size = output->size};
        for (uint32_t at = 0; at < output->size; at++) {
            if (!leaves(&verify->fixed, i, at) || !leaves(&verify->answers[0], i, at) ||
                !leaves(&verify->answers[1], i, at))
                continue;
            found.first = found.bytes == 0 ? at : found.first;
            found.last = at;
            found.bytes++;
        }
        if (found.bytes == found.size && found.size >= SURE_BYTES)
            return rp_fail(err, RP_E_VERIFY,
                           "the model does not write output %u%s%s: inputs and outputs may be "
                           "confused",
                           i, found.name != NULL ? ", " : "", found.name != NULL ? found.name : "");
        if (found.bytes == 0)
            continue;
        *RP_PUSH(verify->arena, &verdict->unwritten) = found;
        verdict->unwritten_bytes += found.bytes;
    }
    return true;
}

bool rp_verify_tell_unwritten(struct rp_verification *verify, struct rp_error *err) {
    const char *hint =
        verify->options->once
            ? "one run may not write all of it: without --once, there are more"
            : "the output may be declared longer than what the model writes (--entry or the "
              "manifest says how long it is), or other inputs write more of it: --input";
    const struct rp_verify_result *verdict = &verify->verdict;
    struct rp_diagnostics told = {0};
    for (size_t i = 0; i < verdict->unwritten.count; i++) {
        const struct rp_unwritten *part = &verdict->unwritten.items[i];
        const char *text = rp_format(
            verify->arena,
            "output %u%s%s: of its bytes %llu to %llu, %llu are never written (it "
            "has %llu)",
            part->output, part->name != NULL ? ", " : "", part->name != NULL ? part->name : "",
            (unsigned long long)part->first, (unsigned long long)part->last,
            (unsigned long long)part->bytes, (unsigned long long)part->size);
        if (verify->options->strict) {
            rp_fail(err, RP_E_VERIFY, "%s", text);
            return rp_hint(err, "%s", hint);
        }
        rp_diagnose(verify->arena, &told, "RP1076", text)->hint = hint;
    }
    const uint32_t stray = rp_image_stray(&verify->subject.view, &verify->subject.file);
    if (stray != 0)
        rp_diagnose(verify->arena, &told, "RP1081",
                    rp_format(verify->arena,
                              "'%s' has %u bytes behind its trailer that belong to nothing",
                              verify->subject.path, stray));
    rp_tell_notes(verify->arena, &verify->options->diagnosed.list, &told,
                  verify->options->source.console.quiet);
    return true;
}
