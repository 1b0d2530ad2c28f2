/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as JSON (docs/report.schema.json). Sizes are integers in bytes. A member whose value
 * is not known is absent.
 */
#ifndef RP_CLI_REPORT_JSON_H
#define RP_CLI_REPORT_JSON_H

#include "base/json.h"
#include "cli/report/report.h"

/* Members that describe a target. */
void rp_report_target(struct rp_json *object, const struct rp_target *target);
/*
 * If the run is to be reproducible, without times and paths of this machine. RP_E_INPUT when an
 * input can no longer be read. Free with rp_json_free.
 */
struct rp_json *rp_report_json(const struct rp_report *report, struct rp_error *err);

#endif
