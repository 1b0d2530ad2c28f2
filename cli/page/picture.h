/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of one model as an SVG, and its figures in words, which the plain table has too. Pure.
 */
#ifndef RP_CLI_PAGE_PICTURE_H
#define RP_CLI_PAGE_PICTURE_H

#include "base/buf.h"
#include "cli/page/read.h"

/* "42,704 bytes", and the difference to the build before. */
const char *rp_picture_figure(struct rp_arena *arena, const struct rp_page_model *model,
                              enum rp_figure figure);
/* "Flash of the device"; "42,704 bytes of 65,536 (65.2 %), 22,832 free", per cent rounded up. */
const char *rp_picture_use_name(const struct rp_page_report *report, const struct rp_page_use *use);
const char *rp_picture_use(struct rp_arena *arena, const struct rp_page_use *use);
void rp_page_svg(struct rp_buf *out, const struct rp_page_model *model);

#endif
