/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what the user named: see gather.h. */
#include "cli/page/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/facts/facts.h"
#include "cli/page/embed.h"

struct gathering {
    struct rp_page *page;
    struct rp_arena *arena;
    struct rp_page_builds builds; /* of all models */
    struct rp_strings *read;
};

/* in_folder: what is not a report is left out. */
static bool take_file(struct gathering *all, const char *path, bool in_folder,
                      struct rp_error *err) {
    struct rp_json *root = rp_document_read(all->arena, path, err);
    const enum rp_document_kind kind = rp_document_kind_of(root);
    bool ok = root != NULL;
    rp_strings_push(all->arena, all->read, path);
    if (ok && kind == RP_DOCUMENT_REPORT) {
        rp_page_look(RP_PUSH(all->arena, &all->builds), all->arena, path, root);
    } else if (ok && in_folder) {
        rp_strings_push(all->arena, &all->page->left_out, rp_path_base(path));
    } else if (ok) {
        ok = kind != RP_DOCUMENT_OTHER || rp_json_member(root, "profile") != NULL ||
             rp_fail(err, RP_E_INPUT,
                     "'%s' is neither a report of generate, nor what verify or run write", path);
        if (ok)
            *RP_PUSH(all->arena, &all->page->measured) =
                (struct rp_page_measured){path, rp_embed_measured(all->arena, root)};
    }
    rp_json_free(root);
    return ok;
}

static int by_time(const void *one, const void *other) {
    const struct rp_page_build *a = one, *b = other;
    int order = strcmp(a->started, b->started);
    return order != 0 ? order : strcmp(a->path, b->path);
}

/* The cells of a batch: one model may be in several. false: the folder is none of a batch. */
static bool find_cells(struct gathering *all, const char *folder, struct rp_strings *names,
                       struct rp_strings *paths) {
    const char *path = rp_path_join(all->arena, folder, "batch.json");
    struct rp_json *root = rp_path_is_file(path) ? rp_document_read(all->arena, path, NULL) : NULL;
    const char *tool = rp_json_text(rp_json_member(root, "tool"), "name", NULL);
    bool is_batch =
        tool != NULL && strcmp(tool, "relocpack") == 0 && rp_json_member(root, "cells") != NULL;
    const struct rp_json *cell = is_batch ? rp_json_first(rp_json_member(root, "cells")) : NULL;
    for (; cell != NULL; cell = rp_json_next(cell)) {
        const char *name = rp_json_text(cell, "folder", NULL);
        const char *report = rp_json_text(cell, "report", NULL);
        if (name == NULL || report == NULL)
            continue;
        rp_strings_push(all->arena, names, rp_strdup(all->arena, name));
        rp_strings_push(all->arena, paths,
                        rp_path_join(all->arena, folder, rp_strdup(all->arena, report)));
    }
    rp_json_free(root);
    return is_batch;
}

static bool take_cells(struct gathering *all, const struct rp_strings *names,
                       const struct rp_strings *paths, struct rp_error *err) {
    for (size_t i = 0; i < names->count; i++) {
        size_t before = all->builds.count;
        if (!take_file(all, paths->items[i], false, err))
            return false;
        if (all->builds.count != before)
            all->builds.items[before].model = names->items[i];
    }
    return true;
}

static bool take_folder(struct gathering *all, const char *folder, struct rp_error *err) {
    struct rp_strings names = {0}, paths = {0};
    size_t first = all->builds.count;
    bool timed = true;
    if (find_cells(all, folder, &names, &paths))
        return take_cells(all, &names, &paths, err);
    if (!rp_list_dir(all->arena, folder, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = rp_path_join(all->arena, folder, names.items[i]);
        if (names.items[i][0] != '.' && rp_has_suffix(path, ".json") && rp_path_is_file(path) &&
            !take_file(all, path, true, err))
            return false;
    }
    if (all->builds.count == first) { /* they may be in folders below it */
        names = (struct rp_strings){0};
        if (!rp_facts_find(&names, all->arena, folder, err))
            return false;
        for (size_t i = 0; i < names.count; i++)
            if (!take_file(all, rp_path_join(all->arena, folder, names.items[i]), false, err))
                return false;
    }
    for (size_t i = first; i < all->builds.count; i++)
        timed = timed && all->builds.items[i].started[0] != '\0';
    if (timed && all->builds.items != NULL)
        qsort(&all->builds.items[first], all->builds.count - first, sizeof *all->builds.items,
              by_time);
    return true;
}

/* A page with each build of a long history would be too large to be opened: older ones have only
 * their figures. */
enum { BUILDS_WHOLE = 30 };

static bool embed(struct rp_page_model *model, struct rp_arena *arena, struct rp_error *err) {
    for (size_t i = 0; i < model->builds.count; i++) {
        struct rp_page_build *build = &model->builds.items[i];
        struct rp_json *root = rp_document_read_report(arena, build->path, err);
        if (root == NULL)
            return false;
        const bool whole = model->builds.count - i <= BUILDS_WHOLE;
        build->embedded = rp_embed_report(arena, root, whole ? RP_EMBED_WHOLE : RP_EMBED_FIGURES);
        if (i == model->builds.count - 1) {
            model->now = rp_alloc(arena, 1, sizeof *model->now);
            rp_page_read(model->now, arena, root);
        }
        rp_json_free(root);
    }
    return true;
}

static struct rp_page_model *model_of(struct gathering *all, const char *name, bool one) {
    for (size_t i = 0; i < all->page->models.count; i++)
        if (one || strcmp(all->page->models.items[i].name, name) == 0)
            return &all->page->models.items[i];
    struct rp_page_model *model = RP_PUSH(all->arena, &all->page->models);
    *model = (struct rp_page_model){.name = name};
    return model;
}

bool rp_page_gather(struct rp_page *page, struct rp_arena *arena,
                    const struct rp_strings *arguments, struct rp_strings *read,
                    struct rp_error *err) {
    struct gathering all = {.page = page, .arena = arena, .read = read};
    bool folders = false;
    *page = (struct rp_page){.arena = arena};
    for (size_t i = 0; i < arguments->count; i++) {
        const char *path = arguments->items[i];
        bool folder = rp_path_is_dir(path);
        folders = folders || folder;
        if (!(folder ? take_folder(&all, path, err) : take_file(&all, path, false, err)))
            return false;
    }
    if (all.builds.count == 0)
        return rp_fail(err, RP_E_INPUT, "'%s' is not a report of generate, and none is given",
                       arguments->items[0]);
    for (size_t i = 0; i < all.builds.count; i++) {
        struct rp_page_model *model =
            model_of(&all, all.builds.items[i].model, !folders && all.builds.count == 2);
        model->name = all.builds.items[i].model;
        *RP_PUSH(arena, &model->builds) = all.builds.items[i];
    }
    for (size_t i = 0; i < page->models.count; i++)
        if (!embed(&page->models.items[i], arena, err))
            return false;
    return true;
}

bool rp_page_of(struct rp_page *page, struct rp_arena *arena, const char *name, const char *text,
                struct rp_error *err) {
    struct rp_json *root = rp_json_parse(text, strlen(text), name, err);
    bool ok = root != NULL && rp_document_check(root, name, err);
    if (ok) {
        *page = (struct rp_page){.arena = arena};
        struct rp_page_model *model = RP_PUSH(arena, &page->models);
        *model = (struct rp_page_model){.now = rp_alloc(arena, 1, sizeof *model->now)};
        struct rp_page_build *build = RP_PUSH(arena, &model->builds);
        rp_page_look(build, arena, name, root);
        rp_page_read(model->now, arena, root);
        build->embedded = rp_embed_report(arena, root, RP_EMBED_WHOLE);
        model->name = build->model;
    }
    rp_json_free(root);
    return ok;
}
