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
    enum rp_figure figure;
    uint64_t bytes;
    struct rp_map_part *items;
    size_t count;
    size_t capacity;
};

/* false: the report does not have the figure. */
bool rp_map_make(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                 enum rp_figure figure);
/* The same of a memory of the device: an instance in RAM comes with its activations. */
void rp_map_of_use(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                   const struct rp_page_use *use);
/* The parts, 30 pixels high. whole: bytes of the full length of what is around them. */
void rp_map_write(struct rp_buf *out, const struct rp_map *map, uint64_t whole);

#endif
