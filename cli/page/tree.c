/* SPDX-License-Identifier: Apache-2.0 */
/* A memory as a tree: see tree.h. */
#include "cli/page/tree.h"

#include <stdlib.h>
#include <string.h>

const char *rp_section_look(const char *name) {
    static const struct {
        const char *name, *look;
    } looks[] = {{"text+rodata", "s-text"}, {"weights", "s-weights"}, {"params", "s-weights"},
                 {"data", "s-data"},        {"got", "s-got"},         {"bss", "s-bss"},
                 {"activations", "s-acts"}, {"header", "s-head"},     {"rel", "s-rel"},
                 {"fixups", "s-rel"},       {"compact", "s-rel"}};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        if (strcmp(name, looks[i].name) == 0)
            return looks[i].look;
    return "s-other";
}

static struct rp_tree *add(struct rp_arena *arena, struct rp_tree *parent, enum rp_tree_kind kind,
                           const char *name, const char *look) {
    struct rp_tree *node = rp_alloc(arena, 1, sizeof *node);
    *node = (struct rp_tree){.kind = kind, .name = name, .look = look};
    parent->children = rp_grow(arena, parent->children, parent->count, &parent->capacity,
                               sizeof *parent->children);
    parent->children[parent->count++] = node;
    return node;
}

static void add_leaf(struct rp_arena *arena, struct rp_tree *parent, const struct rp_tree *leaf) {
    if (leaf->bytes != 0)
        add(arena, parent, leaf->kind, leaf->name, leaf->look)->bytes = leaf->bytes;
}

static bool is_same(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Symbols of one file, from first on; returns the index behind the last. */
static size_t add_symbols(struct rp_arena *arena, struct rp_tree *file,
                          const struct rp_page_report *report, size_t first) {
    const struct rp_page_symbol *symbols = report->symbols.items, *own = &symbols[first];
    size_t i;
    for (i = first;
         i < report->symbols.count && symbols[i].section == own->section &&
         is_same(symbols[i].archive, own->archive) && strcmp(symbols[i].file, own->file) == 0;
         i++) {
        const bool is_code = strcmp(file->look, "s-text") == 0 && symbols[i].is_function;
        file->bytes += symbols[i].own;
        add_leaf(arena, file,
                 &(struct rp_tree){.kind = RP_TREE_SYMBOL,
                                   .name = symbols[i].is_function
                                               ? rp_format(arena, "%s()", symbols[i].name)
                                               : symbols[i].name,
                                   .look = is_code ? "s-code" : file->look,
                                   .bytes = symbols[i].own});
    }
    return i;
}

/* All of a section; rest: bytes that no symbol has. */
static void add_section(struct rp_arena *arena, struct rp_tree *root,
                        const struct rp_page_report *report, size_t index) {
    const struct rp_page_section *section = &report->sections.items[index];
    if (section->size == 0)
        return;
    struct rp_tree *node =
        add(arena, root, RP_TREE_SECTION, section->name, rp_section_look(section->name));
    struct rp_tree rest = {RP_TREE_REST, "without a symbol", "s-rest", section->size, NULL, 0, 0};
    struct rp_tree *archive = NULL;
    const char *of = NULL;
    size_t i = 0;
    node->bytes = section->size;
    while (i < report->symbols.count && report->symbols.items[i].section < index)
        i++;
    while (i < report->symbols.count && report->symbols.items[i].section == index) {
        const struct rp_page_symbol *symbol = &report->symbols.items[i];
        if (symbol->archive != NULL && (archive == NULL || !is_same(of, symbol->archive)))
            archive = add(arena, node, RP_TREE_ARCHIVE, symbol->archive, node->look);
        of = symbol->archive;
        struct rp_tree *file =
            add(arena, of != NULL ? archive : node, RP_TREE_FILE,
                symbol->file[0] != '\0' ? symbol->file : "unknown file", node->look);
        i = add_symbols(arena, file, report, i);
        rest.bytes -= file->bytes;
        if (of != NULL)
            archive->bytes += file->bytes;
    }
    if (node->count != 0)
        add_leaf(arena, node, &rest);
}

static int by_size(const void *one, const void *other) {
    const struct rp_tree *const *a = one, *const *b = other;
    if ((*a)->bytes != (*b)->bytes)
        return (*a)->bytes > (*b)->bytes ? -1 : 1;
    return strcmp((*a)->name, (*b)->name);
}

/* The largest first; what has no bytes is left out. */
static void sort(struct rp_tree *node) {
    size_t kept = 0;
    if (node->count == 0)
        return;
    qsort(node->children, node->count, sizeof(struct rp_tree *), by_size);
    for (size_t i = 0; i < node->count; i++)
        if (node->children[i]->bytes != 0)
            node->children[kept++] = node->children[i];
    node->count = kept;
    for (size_t i = 0; i < node->count; i++)
        sort(node->children[i]);
}

struct rp_tree *rp_tree_flash(struct rp_arena *arena, const struct rp_page_report *report) {
    struct rp_tree *root = rp_alloc(arena, 1, sizeof *root);
    const uint64_t flash = report->figures[RP_FIGURE_FLASH].bytes;
    *root = (struct rp_tree){.kind = RP_TREE_ROOT, .name = "Flash", .look = "s-rest"};
    for (size_t i = 0; i < report->sections.count; i++)
        if (report->sections.items[i].in_file) {
            add_section(arena, root, report, i);
            root->bytes += report->sections.items[i].size;
        }
    if (flash > root->bytes) { /* what an older report does not tell */
        const struct rp_tree rest = {
            RP_TREE_REST, "in no section", "s-rest", flash - root->bytes, NULL, 0, 0};
        add_leaf(arena, root, &rest);
        root->bytes = flash;
    }
    sort(root);
    return root;
}

struct rp_tree *rp_tree_ram(struct rp_arena *arena, const struct rp_page_report *report) {
    struct rp_tree *root = rp_alloc(arena, 1, sizeof *root);
    *root = (struct rp_tree){.kind = RP_TREE_ROOT, .name = "RAM", .look = "s-rest"};
    for (size_t i = 0; i < report->sections.count; i++) {
        const struct rp_page_section *section = &report->sections.items[i];
        if (strcmp(section->segment, "ram") == 0 || strcmp(section->name, "activations") == 0) {
            add_section(arena, root, report, i);
            root->bytes += section->size;
        }
    }
    sort(root);
    return root;
}
