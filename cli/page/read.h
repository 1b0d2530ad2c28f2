/* SPDX-License-Identifier: Apache-2.0 */
/* What a page shows of a report of `generate`, beyond its flat facts. */
#ifndef RP_CLI_PAGE_READ_H
#define RP_CLI_PAGE_READ_H

#include "cli/facts/facts.h"
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

struct rp_page_tensor {
    const char *name;
    const char *what; /* "input" */
    const char *type; /* "int8" */
    const char *shape;
    const char *scale; /* "0.5, zero point 3", or "" */
    uint64_t size;
};

struct rp_page_number {
    bool known;
    uint64_t bytes;
};

/* What a history shows of a report. */
struct rp_page_glance {
    const char *path;
    const char *model;
    const char *c_name;       /* in the image; "" if the report does not say */
    const char *started;      /* "" if the report does not say */
    struct rp_strings labels; /* "KEY=VALUE" */
    struct rp_page_number figures[RP_FIGURES_MAIN];
};

/* What an image takes of a memory of the device, as the report adds it up. */
struct rp_page_use {
    const char *region; /* "flash", "ram", "ext_ram" */
    bool is_copy;
    uint64_t used;
    uint64_t size;
};

/* A pool of a Neural-ART network. */
struct rp_page_pool {
    const char *name;
    const char *data;    /* "PARAM" */
    const char *address; /* "0x64005000"; "" where the image decides */
    uint64_t size;
};

struct rp_page_report {
    struct rp_facts facts;
    struct rp_page_glance glance;
    struct {
        struct rp_page_use *items;
        size_t count;
        size_t capacity;
    } uses;
    struct {
        struct rp_page_pool *items;
        size_t count;
        size_t capacity;
    } pools;
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
    struct {
        struct rp_page_tensor *items;
        size_t count;
        size_t capacity;
    } tensors;
};

/* root: a report that rp_document_check has accepted. path is for a model without a name. */
void rp_page_look(struct rp_page_glance *glance, struct rp_arena *arena, const char *path,
                  const struct rp_json *root);
/* The same of all that is in it; what is missing is left out. RP_E_INPUT: nothing is. */
bool rp_page_read(struct rp_page_report *report, struct rp_arena *arena, const char *path,
                  const struct rp_json *root, struct rp_error *err);

#endif
