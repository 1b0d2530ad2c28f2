/* SPDX-License-Identifier: Apache-2.0 */
/* How much was executed: see coverage.h. */
#include "cli/verify/coverage.h"

#include <string.h>

#include "cli/verify/executed.h"

static struct rp_executed log_of(const struct rp_verification *verify) {
    const struct rp_placement *place = &verify->places.images[0];
    const uint32_t size = verify->subject.view.view.ro_bytes;
    struct rp_executed log = {.code = verify->subject.file.data, .size = size};
    if (!place->needs_copy)
        log.areas[log.area_count++] = (struct rp_area){place->image.address, size};
    else
        for (size_t i = 0; i < (place->once ? 1 : 2); i++)
            log.areas[log.area_count++] = (struct rp_area){place->ram[i].address, size};
    return log;
}

bool rp_coverage_begin(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_report_use *report = &verify->report;
    const unsigned least = verify->options->min_coverage;
    char build_id[2 * RELOC_BUILD_ID_BYTES + 1];
    if (least > 100)
        return rp_fail(err, RP_E_USAGE, "--min-coverage %u: a share is at most 100", least);
    rp_hex(build_id, verify->subject.view.trailer.build_id, RELOC_BUILD_ID_BYTES);
    if (verify->subject.view.has_trailer && report->build_id != NULL &&
        strcmp(report->build_id, build_id) == 0)
        verify->verdict.coverage.code_bytes = report->code_bytes;
    if (least == 0 || verify->verdict.coverage.code_bytes != 0)
        return true;
    rp_fail(err, RP_E_USAGE, "--min-coverage: how much code '%s' has is not known",
            verify->subject.path);
    return rp_hint(err, report->path == NULL
                            ? "its report says it: keep it beside the image, or give --report FILE"
                            : "its report is another image's, or of an older version: generate the "
                              "image again");
}

void rp_coverage_ask(struct rp_verification *verify, struct rp_job *job) {
    const struct rp_executed log = log_of(verify);
    struct rp_buf filter = {.arena = verify->arena};
    for (size_t i = 0; i < log.area_count; i++)
        rp_buf_printf(&filter, "%s0x%x+0x%x", i != 0 ? "," : "", log.areas[i].address,
                      log.areas[i].size);
    job->log_items = "in_asm";
    job->log_filter = rp_buf_text(&filter);
}

void rp_coverage_read(struct rp_verification *verify, const struct rp_job *job) {
    struct rp_executed log = log_of(verify);
    struct rp_mapped text;
    if (!rp_map_file(&text, rp_verify_log(verify, job), NULL))
        return;
    log.begins = rp_alloc(verify->arena, log.size / 2 + 1, 1);
    rp_executed_take(&log, (const char *)text.data, text.size);
    rp_unmap_file(&text);
    const uint32_t executed = rp_executed_bytes(&log), all = verify->verdict.coverage.code_bytes;
    verify->verdict.coverage.known = executed != 0;
    verify->verdict.coverage.executed_bytes = all != 0 && executed > all ? all : executed;
}

unsigned rp_coverage_percent(const struct rp_verify_result *verdict) {
    return (unsigned)(UINT64_C(100) * verdict->coverage.executed_bytes /
                      verdict->coverage.code_bytes);
}

bool rp_coverage_judge(const struct rp_verification *verify, struct rp_error *err) {
    const struct rp_verify_result *verdict = &verify->verdict;
    const unsigned least = verify->options->min_coverage;
    if (least == 0)
        return true;
    if (!verdict->coverage.known)
        return rp_fail(err, RP_E_VERIFY, "--min-coverage: the emulator has not logged what it ran");
    if (rp_coverage_percent(verdict) >= least)
        return true;
    rp_fail(err, RP_E_COVERAGE,
            "'%s': the runs executed %u %% of the code, --min-coverage is %u %%",
            verify->subject.path, rp_coverage_percent(verdict), least);
    return rp_hint(err, verdict->has_inputs
                            ? "give --input a file with more samples, or a lower --min-coverage"
                            : "seeded numbers reach only a part: give --input FILE with samples of "
                              "the model's own, or a lower --min-coverage");
}
