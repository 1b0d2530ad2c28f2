/* SPDX-License-Identifier: Apache-2.0 */
/* What a page says of a model, as HTML: figures with their tables. Pure. */
#ifndef RP_CLI_PAGE_CONTENT_H
#define RP_CLI_PAGE_CONTENT_H

#include "base/buf.h"
#include "cli/page/chart.h"

struct rp_page_model {
    const char *name;
    struct rp_history builds; /* the oldest first; the last is shown, and compared with the one
                                 before it */
    struct rp_page_report *now, *before; /* before: NULL if there is only one */
};

/* Heights of the pictures in pixels. */
enum { RP_BAR_HEIGHT = 30, RP_FLASH_HEIGHT = 420, RP_RAM_HEIGHT = 220 };

/* The full length of a figure's bar: the largest of those alike. */
uint64_t rp_content_scale(const struct rp_page_model *model, enum rp_figure figure);
/* "42,704 bytes", and the difference to the build before. */
const char *rp_content_figure(struct rp_arena *arena, const struct rp_page_model *model,
                              enum rp_figure figure);
/* "Flash of the device"; "42,704 bytes of 65,536 (65.2 %), 22,832 free", per cent rounded up. */
const char *rp_content_use_name(const struct rp_page_report *report, const struct rp_page_use *use);
const char *rp_content_use(struct rp_arena *arena, const struct rp_page_use *use);
/* The parts of a memory of the device, and where they or the device end. */
void rp_content_use_bar(struct rp_buf *out, const struct rp_page_report *report,
                        const struct rp_page_use *use);
void rp_content_memory(struct rp_buf *out, const struct rp_page_model *model);
void rp_content_maps(struct rp_buf *out, const struct rp_page_model *model);
void rp_content_symbols(struct rp_buf *out, const struct rp_page_report *report);
/* Memory pools of a Neural-ART network. */
void rp_content_pools(struct rp_buf *out, const struct rp_page_report *report);
void rp_content_tensors(struct rp_buf *out, const struct rp_page_report *report);
/* Name and value of each fact of a group. */
void rp_content_facts(struct rp_buf *out, const struct rp_facts *facts, enum rp_fact_group group,
                      const char *heading);
/* What differs from the build before. */
void rp_content_changes(struct rp_buf *out, const struct rp_page_model *model);
void rp_content_history(struct rp_buf *out, const struct rp_page_model *model);
/* Tools, flags, inputs, warnings. */
void rp_content_build(struct rp_buf *out, const struct rp_page_report *report);

#endif
