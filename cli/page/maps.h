/* SPDX-License-Identifier: Apache-2.0 */
/* A bar for each memory, and its parts. Pure. */
#ifndef RP_CLI_PAGE_MAPS_H
#define RP_CLI_PAGE_MAPS_H

#include "base/buf.h"
#include "cli/page/read.h"

/* Bytes of a memory, in their order; the sum of the parts is the figure of the report. */
struct rp_map_part {
    const char *name;
    const char *look;
    uint64_t bytes;
};
struct rp_map {
    enum rp_page_figure figure;
    uint64_t bytes;
    uint64_t device; /* bytes that the device has; 0: not known */
    struct rp_map_part *items;
    size_t count;
    size_t capacity;
};

/* false: the report does not have the figure. */
bool rp_map_make(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                 enum rp_page_figure figure);
/* The bar, 30 pixels high, as wide as what is around it. whole: bytes of its full length. */
void rp_map_write(struct rp_buf *out, const struct rp_map *map, uint64_t whole);

#endif
