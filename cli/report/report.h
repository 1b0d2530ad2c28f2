/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report of `generate` is made from: the finished pipeline, what was written, and what was
 * asked for. json.h and text.h write the report.
 */
#ifndef RP_CLI_REPORT_REPORT_H
#define RP_CLI_REPORT_REPORT_H

#include <stdio.h>

#include "base/buf.h"
#include "base/diagnostic.h"
#include "base/json.h"
#include "cli/pipeline/compare.h"
#include "cli/figures.h"
#include "cli/pipeline/package.h"
#include "cli/amount.h"
#include "toolchain/compile/device.h"

struct rp_report_file {
    const char *name; /* in the output folder */
    struct rp_sum sum;
};

/* A part of the image, its files or its memory; see sections.h. */
struct rp_report_part {
    const char *name;    /* "header", "text+rodata", "padding", "trailer", … */
    const char *segment; /* in which offset counts: "flash", "ram", "file", "pools", "handed in" */
    const char *file;    /* name of the file that holds it, or NULL */
    int64_t offset;      /* in the segment; -1: none */
    uint64_t file_offset;
    uint64_t size; /* bytes */
    uint32_t align;
};

struct rp_report_parts {
    struct rp_report_part *items;
    size_t count;
    size_t capacity;
};

/* A limit for a figure of the memory; all in bytes. */
struct rp_budget {
    enum rp_figure figure;
    const char *given; /* "4K", "50%", "+2%" */
    struct rp_amount amount;
    bool is_warning; /* what is above it is a warning */
    uint64_t limit;
    uint64_t value;
};

/* What two compilers are compared by. */
struct rp_figures {
    const char *kind; /* "gcc", "llvm", "st-clang"; NULL: not known */
    const char *version;
    uint64_t main[RP_FIGURES_MAIN];
    size_t rel_words;
    size_t got_words;
    size_t fixup_words;
    size_t text_patches;
    bool xip_ok;
};

/* Where the image is meant to go; all 0: it was not said. */
struct rp_report_device {
    struct rp_device part; /* name NULL: none */
    unsigned flash, ram;   /* bytes for the model, if given */
};

/* What was asked for, and when. The report's part about the run itself. */
struct rp_report_run {
    const struct rp_source_options *source;
    const struct rp_strings *reloc; /* items of -r; "" marks that it was given */
    const char *output;             /* folder */
    struct rp_strings labels;       /* "KEY=VALUE" */
    bool reproducible;              /* write neither times nor paths */
    const char *started;            /* ISO 8601, UTC */
    const char *created;            /* the same as ctime(3) writes it, local time */
    double wall_s;
};

struct rp_report {
    const struct rp_package *package;
    struct rp_report_run run;
    struct rp_report_device device;
    bool split; /* the weights are in a file of their own */
    struct rp_image_result image;
    const char *image_name;   /* file name of the image */
    const char *weights_name; /* file name of the weights of a split image */
    struct rp_report_parts parts;
    struct rp_static_sizes static_sizes;
    struct rp_figures other;            /* of the other compiler */
    struct rp_diagnostics *diagnostics; /* of the command */
    struct {
        struct rp_report_file *items;
        size_t count;
        size_t capacity;
    } files;
    struct {
        struct rp_budget *items;
        size_t count;
        size_t capacity;
    } budgets;
};

/* What reports of a format of images have of their own. */
struct rp_report_format {
    const char *series_mark;  /* after the series in the head of the text */
    const char *weights_part; /* the part that has the weights: "weights" */
    uint32_t weights_align;   /* of these, at least */
    const char *acts_segment; /* where the activations lie: "handed in" */
    const char *copy_reason;  /* why an image with patches cannot run in place */
    const char *getter_type;  /* of the functions that return the address of a C array */
    bool getter_is_number;    /* that is a number */
    /* A figure in the details of the text; with rp_commas or without. */
    const char *(*detail)(struct rp_arena *arena, uint64_t value);
    /* What is added; NULL: nothing. */
    void (*text)(const struct rp_report *report, struct rp_buf *out);
    void (*json)(struct rp_json *root, const struct rp_report *report);
    void (*notes)(struct rp_report *report);
    /* Lines for the header of the C array. */
    void (*macros)(const struct rp_package *package, struct rp_buf *out);
    /* `generate --parse-only`, which needs no plan then. */
    void (*describe)(const struct rp_model *model, struct rp_arena *arena, FILE *out);
};

/* "ok", "warn", or over. */
const char *rp_budget_status(const struct rp_budget *budget, const char *over);
/* rp_diagnose for a report. */
struct rp_diagnostic *rp_report_say(struct rp_report *report, const char *id, const char *message);

#endif
