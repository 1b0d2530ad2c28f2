/* SPDX-License-Identifier: Apache-2.0 */
/* What the picture, the plain table and the figures of builds need of reports of `generate`. */
#ifndef RP_CLI_PAGE_READ_H
#define RP_CLI_PAGE_READ_H

#include "base/arena.h"
#include "base/json.h"
#include "cli/figures.h"

struct rp_page_section {
    const char *name;
    const char *segment;
    bool in_file; /* the image file, or that of the weights */
    uint64_t size;
};

struct rp_page_symbol {
    const char *name;
    const char *archive; /* NULL: none */
    const char *file;    /* the archive's member, or the file; "" if it is not known */
    const char *place;   /* the section's name */
    size_t section;      /* its index; SIZE_MAX if the report has no such section */
    size_t order;        /* in the report */
    uint64_t offset;     /* in the section; UINT64_MAX if it is not known */
    uint64_t size;
    uint64_t own; /* bytes of the section that are no other symbol's */
    bool is_function;
};

struct rp_page_number {
    bool known;
    uint64_t bytes;
};

/* A report among others. */
struct rp_page_build {
    const char *path;
    const char *model;
    const char *started;      /* "" if the report does not say */
    const char *embedded;     /* JSON for the page's script */
    struct rp_strings labels; /* "KEY=VALUE" */
    struct rp_page_number figures[RP_FIGURES_MAIN];
};
struct rp_page_builds {
    struct rp_page_build *items;
    size_t count;
    size_t capacity;
};

/* What verify or run wrote, or a profile. */
struct rp_page_measured {
    const char *path;
    const char *embedded;
};

/* What an image takes of a memory of the device, as the report adds it up. */
struct rp_page_use {
    const char *region; /* "flash", "ram", "ext_ram" */
    bool is_copy;
    uint64_t used;
    uint64_t size;
};

struct rp_page_report {
    const char *subtitle; /* "stm32h7 · gcc 12.2.1" */
    struct rp_page_number figures[RP_FIGURES_MAIN];
    struct {
        struct rp_page_use *items;
        size_t count;
        size_t capacity;
    } uses;
    struct {
        struct rp_page_section *items;
        size_t count;
        size_t capacity;
    } sections;
    struct {
        struct rp_page_symbol *items; /* by section, archive, file; then the largest first */
        size_t count;
        size_t capacity;
    } symbols;
};

struct rp_page_model {
    const char *name;
    struct rp_page_builds builds; /* the oldest first */
    struct rp_page_report *now;   /* the last of them */
};

/* root: a report that rp_document_check has accepted. path is for a model without a name. */
void rp_page_look(struct rp_page_build *build, struct rp_arena *arena, const char *path,
                  const struct rp_json *root);
/* The same of all that the picture shows; what is missing is left out. */
void rp_page_read(struct rp_page_report *report, struct rp_arena *arena,
                  const struct rp_json *root);

#endif
