/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report says, as a flat list of facts, so that two of them can be compared whatever they
 * report on: the report of `generate` (schema 2 and 3), the JSON of `verify` and `run`, a profile,
 * or an image alone, which tells less.
 */
#ifndef RP_CLI_FACTS_FACTS_H
#define RP_CLI_FACTS_FACTS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/document.h"

/* In the order in which they are shown. */
enum rp_fact_group {
    RP_FACT_MEMORY,    /* bytes; names are the keys of budgets */
    RP_FACT_TIME,      /* instructions or cycles of runs */
    RP_FACT_SECTIONS,  /* bytes */
    RP_FACT_SYMBOLS,   /* bytes */
    RP_FACT_LAYERS,    /* the same of nodes, in the order of execution */
    RP_FACT_FUNCTIONS, /* the same of functions, without what they call */
    RP_FACT_RELOCATIONS,
    RP_FACT_TENSORS,  /* text */
    RP_FACT_TOOLS,    /* text: compiler, flags, target, choices */
    RP_FACT_INPUTS,   /* text: what the image was made from */
    RP_FACT_WARNINGS, /* text */
    RP_FACT_GROUPS
};

struct rp_fact {
    enum rp_fact_group group;
    const char *name;  /* "flash", "conv3x3_relu", "toolchain.version" */
    const char *where; /* of a symbol: kind, section, file; of one of many values: the value */
    const char *text;  /* NULL: a number */
    int64_t number;    /* bytes, or as the group says */
};

struct rp_facts {
    struct rp_arena *arena;
    enum rp_document_kind source; /* what they were read from */
    const char *path;             /* as the user called it */
    const char *model;            /* its name; the file's when it is not known */
    struct rp_fact *items;
    size_t count;
    size_t capacity;
};

/* "memory", "sections", ... */
const char *rp_fact_group_name(enum rp_fact_group group);

/*
 * Reads a report or an image. RP_E_INPUT: it is neither; RP_E_MANIFEST: not JSON; errors of
 * rp_image_read.
 */
bool rp_facts_read(struct rp_facts *facts, struct rp_arena *arena, const char *path,
                   struct rp_error *err);
/* The same of JSON that rp_document_check has accepted; path is for the name and for messages. */
bool rp_facts_of(struct rp_facts *facts, struct rp_arena *arena, const char *path,
                 const struct rp_json *root, struct rp_error *err);
/*
 * The reports of `generate` in a folder and in those below it: paths from the folder on, sorted.
 * They end with _generate_rel.json; where none does, all .json files that are reports count.
 * RP_E_SYSTEM; RP_E_INPUT: there are none, or too many.
 */
bool rp_facts_find(struct rp_strings *paths, struct rp_arena *arena, const char *folder,
                   struct rp_error *err);

#endif
