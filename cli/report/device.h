/* SPDX-License-Identifier: Apache-2.0 */
/* What the image takes of the device: used and free, by region and mode. */
#ifndef RP_CLI_REPORT_DEVICE_H
#define RP_CLI_REPORT_DEVICE_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"

/* One region in one mode. */
struct rp_device_use {
    const char *region; /* "flash", "ram", "ext_ram" */
    const char *mode;   /* "xip", "copy" */
    uint64_t used;
    uint64_t size;
};
enum { RP_DEVICE_USES = 6 };

/* Fills uses in and returns how many there are: those whose size is known. */
size_t rp_device_uses(const struct rp_report *report, struct rp_device_use uses[RP_DEVICE_USES]);
/* Size of the region that a figure of --budget lies in; 0: not known. */
uint64_t rp_device_size_for(const struct rp_report *report, enum rp_figure figure);
/* Both do nothing without a device. */
void rp_device_json(struct rp_json *root, const struct rp_report *report);
void rp_device_text(const struct rp_report *report, struct rp_buf *out);

#endif
