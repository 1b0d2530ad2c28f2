/* SPDX-License-Identifier: Apache-2.0 */
/* A memory as a tree: sections, archives or files, members, symbols. Pure. */
#ifndef RP_CLI_PAGE_TREE_H
#define RP_CLI_PAGE_TREE_H

#include "cli/page/read.h"

enum rp_tree_kind {
    RP_TREE_ROOT,
    RP_TREE_SECTION,
    RP_TREE_ARCHIVE,
    RP_TREE_FILE,
    RP_TREE_SYMBOL,
    RP_TREE_SMALL, /* what is too small to be drawn one by one */
    RP_TREE_REST   /* bytes that nothing else names */
};

/* A node's bytes are those of its children; each byte of the memory is in one leaf. */
struct rp_tree {
    enum rp_tree_kind kind;
    const char *name;
    const char *look; /* which class it is drawn with */
    uint64_t bytes;
    struct rp_tree **children; /* the largest first */
    size_t count;
    size_t capacity;
};

/* Everything in the files: image and weights. */
struct rp_tree *rp_tree_flash(struct rp_arena *arena, const struct rp_page_report *report);
/* What an instance has in RAM in XIP mode, and the activations. */
struct rp_tree *rp_tree_ram(struct rp_arena *arena, const struct rp_page_report *report);
/* The class that a section is drawn with: "s-text", "s-other". */
const char *rp_section_look(const char *name);

#endif
