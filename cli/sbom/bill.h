/* SPDX-License-Identifier: Apache-2.0 */
/* What an image consists of and what it was made with, by its report. */
#ifndef RP_CLI_SBOM_BILL_H
#define RP_CLI_SBOM_BILL_H

#include "base/arena.h"
#include "base/json.h"

enum rp_part_kind {
    RP_PART_FILE,   /* of the image: what is shipped */
    RP_PART_LINKED, /* a member of an archive that is in the image */
    RP_PART_INPUT   /* a source, a header, weights: what the image was made from */
};

/* What is known of parts that the tools bring. */
struct rp_known_part {
    const char *product;  /* "newlib" */
    const char *supplier; /* who maintains it */
    const char *licence;  /* an expression of SPDX */
    const char *text;     /* of a licence that SPDX has no id for, or NULL */
};
extern const struct rp_known_part rp_known_runtime; /* what relocpack itself adds to an image */

struct rp_part {
    enum rp_part_kind kind;
    const char *name;
    const char *archive;               /* of a linked member */
    const char *version;               /* or NULL */
    const struct rp_known_part *known; /* whose it is, or NULL */
    const char *sha256;                /* 64 digits, or NULL */
};

struct rp_bill {
    struct rp_arena *arena;
    struct rp_json *report;        /* parsed */
    const char *model, *generator; /* generator: or NULL */
    const char *tool_version;      /* of relocpack when it made the image */
    const char *compiler, *compiler_version;
    const char *build_id; /* of the image, 32 digits, or NULL */
    const char *started;  /* ISO 8601, or NULL */
    const char *supplier; /* of the image, by the user, or NULL */
    const char *licence;  /* of image and model, by the user, or NULL */
    struct rp_part image;
    struct {
        struct rp_part *items;
        size_t count;
        size_t capacity;
    } parts; /* in the order of the report; the image is not among them */
};

/*
 * Reads a report of `generate`; free bill->report with rp_json_free. RP_E_INPUT, RP_E_MANIFEST: it
 * cannot be read, or is no report with hashes.
 */
bool rp_bill_read(struct rp_bill *bill, struct rp_arena *arena, const char *path,
                  struct rp_error *err);

#endif
