/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page to look at, and a picture: what reports say, as one HTML file that needs nothing else, or
 * as one SVG. The page has the reports themselves in it, and a script that shows them; C adds a
 * plain table for readers without the script. The same reports give the same bytes. Pure.
 */
#ifndef RP_CLI_PAGE_PAGE_H
#define RP_CLI_PAGE_PAGE_H

#include "base/buf.h"
#include "cli/page/read.h"

struct rp_page {
    struct rp_arena *arena;
    struct {
        struct rp_page_model *items;
        size_t count;
        size_t capacity;
    } models;
    struct {
        struct rp_page_measured *items;
        size_t count;
        size_t capacity;
    } measured;                 /* what verify and run wrote */
    struct rp_strings left_out; /* JSON files of a folder that are not reports */
};

void rp_page_html(struct rp_buf *out, const struct rp_page *page);

#endif
