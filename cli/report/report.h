/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of `generate`: as JSON (docs/report.schema.json) and as the text block of the vendor's
 * tools with what that lacks. Sizes are integers in bytes; what is not known is absent.
 */
#ifndef RP_CLI_REPORT_REPORT_H
#define RP_CLI_REPORT_REPORT_H

#include "base/buf.h"
#include "base/diagnostic.h"
#include "base/json.h"
#include "cli/generate/generate.h"
#include "cli/pipeline/compare.h"

/* schema_version: 2 since sections cover the files, and imports are the firmware's only. */
enum { RP_REPORT_SCHEMA = 2 };

struct rp_report_file {
    const char *name; /* in the output folder */
    struct rp_sum sum;
};

/* A stretch of the image or its memory; report_sections.h. */
struct rp_report_part {
    const char *name;    /* "header", "text+rodata", "padding", "trailer", … */
    const char *segment; /* what offset counts in: "flash", "ram", "file", "pools", "handed in" */
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

struct rp_budget {
    const char *metric;
    uint64_t limit;
    uint64_t value;
};

/* -r compact: what the table does, or would have done, to the flash. */
struct rp_report_compact {
    bool tried;
    size_t words;        /* that the image rebases itself, */
    size_t table_bytes;  /* by a table of that size, */
    uint32_t code_bytes; /* by boot code of that size */
    int64_t saved_bytes; /* of flash by all this; used only when that is more than 0 */
};

/* What two compilers are compared by. */
struct rp_figures {
    const char *kind; /* "gcc", "llvm", "st-clang"; NULL: not known */
    const char *version;
    uint64_t flash; /* all bytes of the files */
    uint64_t weights;
    uint64_t acts;
    uint64_t ram_xip;
    uint64_t ram_copy;
    size_t rel_words;
    size_t got_words;
    size_t fixup_words;
    size_t text_patches;
    bool xip_ok;
};

struct rp_report {
    const struct rp_package *package;
    const struct rp_generate_options *options;
    struct rp_reloc_choice choice;
    struct rp_image_result image;
    const char *image_name;   /* of the file */
    const char *weights_name; /* of the file that a split image has */
    struct rp_report_parts parts;
    struct rp_static_sizes static_sizes;
    struct rp_report_compact compact;
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
    const char *started; /* ISO 8601, for the run part */
    double wall_s;
};

/* Adds a diagnostic. severity: "warning" or "note"; id: of docs/CLI.md; message: outlives it. */
struct rp_diagnostic *rp_report_say(struct rp_report *report, const char *severity, const char *id,
                                    const char *message);

/* Plain C: a note of the variables that keep their values from one run to the next. */
void rp_report_state(struct rp_report *report);

/* Words in RAM that the image sets at init. */
size_t rp_report_init_words(const struct rp_layout *layout);
/* Bytes of header, REL list and fix-up table. */
uint64_t rp_report_tables(const struct rp_layout *layout);
/* Memory figures by the names of --budget: flash, ram_xip, ram_copy, params, acts, got,
 * header_and_rel. */
bool rp_report_metric(const struct rp_report *report, const char *name, uint64_t *value);

/* Member "relocations". */
void rp_relocations_json(struct rp_json *root, const struct rp_report *report);
/* --budget and --budget-file of report->options into report->budgets. RP_E_USAGE, RP_E_MANIFEST. */
bool rp_budgets_read(struct rp_report *report, struct rp_arena *arena, struct rp_error *err);
/* RP_E_BUDGET when a figure is above its limit. */
bool rp_budgets_check(const struct rp_report *report, struct rp_error *err);

/* Members that describe a target. */
void rp_report_target(struct rp_json *object, const struct rp_target *target);
/* RP_E_INPUT when an input can no longer be read. Free with rp_json_free. */
struct rp_json *rp_report_json(const struct rp_report *report, struct rp_error *err);
void rp_report_text(const struct rp_report *report, struct rp_buf *out);

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

/* Code of one function or table that the image patches in a copy of itself. */
struct rp_patched {
    const char *symbol; /* or "" */
    const char *file;   /* "model.c", "libm.a" */
    const char *member; /* or NULL */
    unsigned count;     /* words and instructions */
};
struct rp_patched_list {
    struct rp_patched *items;
    size_t count;
    size_t capacity;
};
/* All of them, those with the most words first. */
void rp_report_patched(const struct rp_package *package, struct rp_patched_list *out);

#endif
