/* SPDX-License-Identifier: Apache-2.0 */
/* What verify, run and profiles have written, for a page: time of layers and functions. */
#ifndef RP_CLI_PAGE_MEASURED_H
#define RP_CLI_PAGE_MEASURED_H

#include "base/buf.h"
#include "cli/page/read.h"

struct rp_page_profile {
    const char *image; /* "digits_float, XIP mode"; "" if the file does not say */
    const char *unit;  /* "instructions" */
    struct rp_facts facts;
};

struct rp_page_image {
    const char *file; /* "digits_float_rel.bin", or "" */
    const char *name; /* in the image; "" if the file does not say */
};

struct rp_page_measured {
    struct rp_facts facts; /* of the whole file */
    const char *unit;
    struct {
        struct rp_page_profile *items;
        size_t count;
        size_t capacity;
    } profiles;
    struct {
        struct rp_page_image *items; /* none: a profile, which does not name its image */
        size_t count;
        size_t capacity;
    } images;
};

/* path is for the heading and for messages. RP_E_INPUT: it is nothing of the kind. */
bool rp_page_measured_read(struct rp_page_measured *measured, struct rp_arena *arena,
                           const char *path, const struct rp_json *root, struct rp_error *err);
/* Are all its images those of the report? */
bool rp_page_is_measured(const struct rp_page_measured *measured,
                         const struct rp_page_glance *glance);
/* The section of a page. known: the page has the report that it belongs to. */
void rp_page_measured_write(struct rp_buf *out, const struct rp_page_measured *measured,
                            bool known);

#endif
