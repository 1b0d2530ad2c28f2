/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a package that was linked and written. */
#ifndef RP_CLI_REPORT_FIGURES_H
#define RP_CLI_REPORT_FIGURES_H

#include "cli/figures.h"
#include "cli/report/report.h"

/* "gcc", "llvm" or "st-clang". */
const char *rp_toolchain_kind(const struct rp_package *package);
/* What two toolchains are compared by. */
struct rp_figures rp_figures_of(const struct rp_package *package,
                                const struct rp_image_result *image);
/* Words in RAM that the image sets at init. */
size_t rp_report_init_words(const struct rp_layout *layout);
/* Bytes of header, REL list and fix-up table. */
uint64_t rp_report_tables(const struct rp_layout *layout);
/* A figure of the memory, in bytes; 0 where the format has none. */
uint64_t rp_report_figure(const struct rp_report *report, enum rp_figure figure);

/* A constant table that holds pointers and therefore lies in RAM. */
struct rp_moved {
    const char *symbol;
    uint32_t size;
    const char *file;
};
struct rp_moved_list {
    struct rp_moved *items;
    size_t count;
    size_t capacity;
};
void rp_report_moved(const struct rp_package *package, struct rp_moved_list *out);

#endif
