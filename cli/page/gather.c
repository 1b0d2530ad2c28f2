/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what the user named: see gather.h. */
#include "cli/page/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"

struct gathering {
    struct rp_page *page;
    struct rp_arena *arena;
    struct rp_history builds; /* of all models */
    struct rp_strings *read;
};

/* in_folder: what is no report is left out. */
static bool take_file(struct gathering *all, const char *path, bool in_folder,
                      struct rp_error *err) {
    struct rp_json *root = rp_document_read(all->arena, path, err);
    struct rp_page_measured measured = {0};
    bool ok = root != NULL;
    rp_strings_push(all->arena, all->read, path);
    if (ok && rp_document_kind_of(root) == RP_DOCUMENT_REPORT) {
        rp_page_look(RP_PUSH(all->arena, &all->builds), all->arena, path, root);
    } else if (ok && in_folder) {
        rp_strings_push(all->arena, &all->page->left_out, rp_path_base(path));
    } else if (ok) {
        ok = rp_page_measured_read(&measured, all->arena, path, root, err);
        if (ok)
            *RP_PUSH(all->arena, &all->page->measured) = measured;
    }
    rp_json_free(root);
    return ok;
}

static int by_time(const void *one, const void *other) {
    const struct rp_page_glance *a = one, *b = other;
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

static bool read_whole(struct rp_page_report **report, struct rp_arena *arena, const char *path,
                       struct rp_error *err) {
    struct rp_json *root = rp_document_read_report(arena, path, err);
    *report = rp_alloc(arena, 1, sizeof **report);
    bool ok = root != NULL && rp_page_read(*report, arena, path, root, err);
    rp_json_free(root);
    return ok;
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
    for (size_t i = 0; i < page->models.count; i++) {
        struct rp_page_model *model = &page->models.items[i];
        const struct rp_history *builds = &model->builds;
        if (!read_whole(&model->now, arena, builds->items[builds->count - 1].path, err) ||
            (builds->count > 1 &&
             !read_whole(&model->before, arena, builds->items[builds->count - 2].path, err)))
            return false;
    }
    return true;
}
