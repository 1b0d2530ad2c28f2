/* SPDX-License-Identifier: Apache-2.0 */
/* Expanding a matrix: see matrix.h. */
#include "cli/batch/matrix.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/batch/words.h"

enum { CELLS_MAX = 100000, NAME_MAX_BYTES = 100 };

enum axis { MODEL, TARGET, VARIANT, AXES };
static const char *const axis_names[AXES] = {"model", "target", "variant"};
static const char *const axis_lists[AXES] = {"models", "targets", "variants"};
/* Options that would contradict another axis. */
static const char *const axis_aliens[AXES] = {"target mcu", "input model", "target mcu"};

/* Members of the matrix that are no options. */
#define TOP "models targets variants include exclude budgets"

/* A value of an axis. */
struct value {
    const char *name;
    struct rp_batch_level level; /* its object is NULL for a text */
    const char *text;            /* the text */
};

struct values {
    struct value *items;
    size_t count;
    size_t capacity;
};

/* A cell while the matrix is expanded. */
struct growing {
    const char *names[AXES]; /* NULL: none */
    const struct value *values[AXES];
    struct rp_batch_levels included;
    bool is_excluded;
};

struct reading {
    struct rp_arena *arena;
    const struct rp_matrix_text *from;
    const struct rp_json *root;
    struct values axes[AXES];
    struct {
        struct growing *items;
        size_t count;
        size_t capacity;
    } cells;
    struct rp_error *err;
};

/* ---- names ---- */

/* Such a name is the same for make, ninja, shells and file systems. */
static bool is_safe(const char *name) {
    bool safe = isalnum((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c != '\0'; c++)
        safe = safe && (isalnum((unsigned char)*c) || strchr("_.+-", *c) != NULL);
    return safe && strlen(name) <= NAME_MAX_BYTES;
}

static bool check_name(const struct reading *all, const char *where, const char *name) {
    if (is_safe(name))
        return true;
    rp_fail(all->err, RP_E_MANIFEST, "%s: '%s' cannot be the name of a folder", where, name);
    return rp_hint(all->err,
                   "names are letters, digits and _ . + -, up to %d of them, and begin "
                   "with a letter, a digit or _",
                   NAME_MAX_BYTES);
}

static const struct value *find(const struct values *values, const char *name) {
    for (size_t i = 0; name != NULL && i < values->count; i++)
        if (strcmp(values->items[i].name, name) == 0)
            return &values->items[i];
    return NULL;
}

/* ---- axes ---- */

static bool has_target(const struct rp_json *object) {
    return rp_json_member(object, "target") != NULL || rp_json_member(object, "mcu") != NULL ||
           rp_json_member(object, "device") != NULL;
}

static bool read_value(struct reading *all, enum axis axis, const struct rp_json *item,
                       size_t index) {
    struct value value = {.text = rp_json_string(item)};
    const char *path = all->from->path;
    const char *place = rp_format(all->arena, "%s: %s[%zu]", path, axis_lists[axis], index);
    if (value.text == NULL && rp_json_type_of(item) != RP_JSON_OBJECT)
        return rp_fail(all->err, RP_E_MANIFEST, "%s is neither a text nor an object", place);
    value.name = value.text != NULL ? value.text : rp_json_text(item, "name", NULL);
    if (value.name == NULL)
        return rp_fail(all->err, RP_E_MANIFEST, "%s has no name", place);
    if (value.text != NULL && axis == MODEL) { /* a folder may end in / */
        size_t len = strlen(value.text);
        while (len > 1 && value.text[len - 1] == '/')
            len--;
        value.name =
            rp_path_stem(all->arena, rp_path_base(rp_strndup(all->arena, value.text, len)));
    }
    value.name = rp_strdup(all->arena, value.name);
    if (!check_name(all, place, value.name))
        return false;
    if (find(&all->axes[axis], value.name) != NULL)
        return rp_fail(all->err, RP_E_MANIFEST, "%s: two of the %s are called '%s'", path,
                       axis_lists[axis], value.name);
    value.level = (struct rp_batch_level){
        value.text == NULL ? item : NULL,
        rp_format(all->arena, "%s: %s '%s'", path, axis_names[axis], value.name), "name",
        axis_aliens[axis]};
    *RP_PUSH(all->arena, &all->axes[axis]) = value;
    return value.text != NULL || rp_batch_check_members(all->arena, &value.level, all->err);
}

static bool read_axis(struct reading *all, enum axis axis) {
    const struct rp_json *list = rp_json_member(all->root, axis_lists[axis]);
    size_t index = 0;
    if (list == NULL)
        return true;
    if (rp_json_type_of(list) != RP_JSON_ARRAY)
        return rp_fail(all->err, RP_E_MANIFEST, "%s: %s is not an array", all->from->path,
                       axis_lists[axis]);
    for (const struct rp_json *item = rp_json_first(list); item != NULL; item = rp_json_next(item))
        if (!read_value(all, axis, item, index++))
            return false;
    return true;
}

static bool expand(struct reading *all) {
    const struct values *axes = all->axes;
    size_t variants = axes[VARIANT].count != 0 ? axes[VARIANT].count : 1;
    if (axes[MODEL].count > CELLS_MAX || axes[TARGET].count > CELLS_MAX || variants > CELLS_MAX ||
        axes[MODEL].count * axes[TARGET].count > CELLS_MAX / variants)
        return rp_fail(all->err, RP_E_MANIFEST, "%s: more than %d cells", all->from->path,
                       CELLS_MAX);
    for (size_t m = 0; m < axes[MODEL].count; m++)
        for (size_t t = 0; t < axes[TARGET].count; t++)
            for (size_t v = 0; v < variants; v++) {
                struct growing *cell = RP_PUSH(all->arena, &all->cells);
                *cell = (struct growing){
                    .values = {&axes[MODEL].items[m], &axes[TARGET].items[t],
                               axes[VARIANT].count != 0 ? &axes[VARIANT].items[v] : NULL}};
                for (int i = 0; i < AXES; i++)
                    cell->names[i] = cell->values[i] != NULL ? cell->values[i]->name : NULL;
            }
    return true;
}

/* ---- exclude and include ---- */

/* What an entry names. NULL: any. */
static bool read_names(const struct reading *all, const struct rp_batch_level *level,
                       const char *names[AXES]) {
    for (int i = 0; i < AXES; i++) {
        const struct rp_json *name = rp_json_member(level->object, axis_names[i]);
        names[i] = rp_json_string(name);
        if (name != NULL && names[i] == NULL)
            return rp_fail(all->err, RP_E_MANIFEST, "%s: %s is not a text", level->where,
                           axis_names[i]);
        if (names[i] != NULL) {
            names[i] = rp_strdup(all->arena, names[i]);
            if (!check_name(all, level->where, names[i]))
                return false;
        }
    }
    return true;
}

static bool matches(const struct growing *cell, const char *const names[AXES]) {
    for (int i = 0; i < AXES; i++)
        if (names[i] != NULL && (cell->names[i] == NULL || strcmp(cell->names[i], names[i]) != 0))
            return false;
    return true;
}

static bool refuse_unknown(const struct reading *all, const char *where, enum axis axis,
                           const char *name) {
    struct rp_buf known = {.arena = all->arena};
    for (size_t i = 0; i < all->axes[axis].count; i++)
        rp_buf_printf(&known, "%s%s", i != 0 ? " " : "", all->axes[axis].items[i].name);
    rp_fail(all->err, RP_E_MANIFEST, "%s: there is no %s '%s'", where, axis_names[axis], name);
    rp_hint_nearest(all->err, name, "", rp_buf_text(&known));
    return rp_hint(all->err, "there are: %.900s", rp_buf_text(&known));
}

static bool exclude(struct reading *all, const struct rp_batch_level *level) {
    const char *names[AXES] = {0};
    if (!read_names(all, level, names))
        return false;
    for (const struct rp_json *item = rp_json_first(level->object); item != NULL;
         item = rp_json_next(item)) {
        const char *key = rp_json_key(item);
        bool is_axis = false;
        for (int i = 0; i < AXES; i++)
            is_axis = is_axis || strcmp(key, axis_names[i]) == 0;
        if (!is_axis) {
            rp_fail(all->err, RP_E_MANIFEST, "%s: the member '%s' is not known", level->where, key);
            return rp_hint(all->err, "members are model, target and variant");
        }
    }
    if (names[MODEL] == NULL && names[TARGET] == NULL && names[VARIANT] == NULL)
        return rp_fail(all->err, RP_E_MANIFEST, "%s: it would exclude everything", level->where);
    for (int i = 0; i < AXES; i++)
        if (names[i] != NULL && find(&all->axes[i], names[i]) == NULL)
            return refuse_unknown(all, level->where, (enum axis)i, names[i]);
    for (size_t i = 0; i < all->cells.count; i++)
        if (matches(&all->cells.items[i], names))
            all->cells.items[i].is_excluded = true;
    return true;
}

static bool is_same(const struct growing *cell, const char *const names[AXES]) {
    return matches(cell, names) && (names[VARIANT] != NULL || cell->names[VARIANT] == NULL);
}

static const char *folder_of(struct rp_arena *arena, const char *const names[AXES]) {
    return rp_format(arena, "%s/%s%s%s", names[MODEL], names[TARGET],
                     names[VARIANT] != NULL ? "/" : "",
                     names[VARIANT] != NULL ? names[VARIANT] : "");
}

/* count: cells that the entries of include did not add. */
static bool add_cell(struct reading *all, const struct rp_batch_level *level,
                     const char *const names[AXES], size_t count) {
    if (names[MODEL] == NULL || names[TARGET] == NULL) {
        rp_fail(all->err, RP_E_MANIFEST, "%s: it matches no cell", level->where);
        return rp_hint(all->err, "to add a cell, it needs a model and a target");
    }
    for (size_t i = count; i < all->cells.count; i++)
        if (is_same(&all->cells.items[i], names))
            return rp_fail(all->err, RP_E_MANIFEST, "%s: two cells have the folder '%s'",
                           level->where, folder_of(all->arena, names));
    struct growing *cell = RP_PUSH(all->arena, &all->cells);
    *cell = (struct growing){0};
    for (int i = 0; i < AXES; i++) {
        cell->names[i] = names[i];
        cell->values[i] = find(&all->axes[i], names[i]);
    }
    bool has_input = cell->values[MODEL] != NULL || rp_json_member(level->object, "input") != NULL;
    if (!has_input)
        return refuse_unknown(all, level->where, MODEL, names[MODEL]);
    *RP_PUSH(all->arena, &cell->included) = *level;
    return all->cells.count <= CELLS_MAX ||
           rp_fail(all->err, RP_E_MANIFEST, "%s: more than %d cells", all->from->path, CELLS_MAX);
}

/* count: cells before the first entry of include, which alone can match. */
static bool include(struct reading *all, const struct rp_batch_level *level, size_t count) {
    const char *names[AXES] = {0};
    bool found = false;
    if (!rp_batch_check_members(all->arena, level, all->err) || !read_names(all, level, names))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!all->cells.items[i].is_excluded && matches(&all->cells.items[i], names)) {
            *RP_PUSH(all->arena, &all->cells.items[i].included) = *level;
            found = true;
        }
    return found || add_cell(all, level, names, count);
}

static bool read_entries(struct reading *all, const char *key) {
    const struct rp_json *list = rp_json_member(all->root, key);
    size_t index = 0, count = all->cells.count;
    bool ok = list == NULL || rp_json_type_of(list) == RP_JSON_ARRAY ||
              rp_fail(all->err, RP_E_MANIFEST, "%s: %s is not an array", all->from->path, key);
    for (const struct rp_json *item = rp_json_first(list); ok && item != NULL;
         item = rp_json_next(item)) {
        const struct rp_batch_level level = {
            item, rp_format(all->arena, "%s: %s[%zu]", all->from->path, key, index++),
            "model target variant", "name"};
        ok = rp_json_type_of(item) == RP_JSON_OBJECT;
        if (!ok) {
            rp_fail(all->err, RP_E_MANIFEST, "%s is not an object", level.where);
            return rp_hint(all->err, "these are cells of the matrix; folders with headers are for "
                                     "the models, targets and variants");
        }
        ok = ok &&
             (strcmp(key, "exclude") == 0 ? exclude(all, &level) : include(all, &level, count));
    }
    return ok;
}

/* ---- cells ---- */

/* The options that a cell gets from its names alone. */
static void put_names(const struct reading *all, const struct growing *cell,
                      struct rp_strings *words) {
    const struct value *model = cell->values[MODEL], *target = cell->values[TARGET];
    rp_strings_push(all->arena, words, rp_format(all->arena, "--name=%s", cell->names[MODEL]));
    if (model != NULL && model->text != NULL)
        rp_strings_push(all->arena, words,
                        rp_format(all->arena, "--input=%s",
                                  rp_path_join(all->arena, all->from->dir, model->text)));
    bool says = target != NULL && target->level.object != NULL && has_target(target->level.object);
    for (size_t i = 0; i < cell->included.count; i++)
        says = says || rp_json_member(cell->included.items[i].object, "mcu") != NULL;
    if (!says)
        rp_strings_push(all->arena, words,
                        rp_format(all->arena, "--target=%s", cell->names[TARGET]));
}

/* generate has a default, which would be a folder in that of the images. */
static bool check_input(const struct reading *all, const struct rp_cell *cell) {
    for (size_t i = 0; i < cell->words.count; i++)
        if (rp_has_prefix(cell->words.items[i], "--input=") ||
            rp_has_prefix(cell->words.items[i], "--model="))
            return true;
    rp_fail(all->err, RP_E_MANIFEST, "%s: the cell '%s' has no input", all->from->path, cell->name);
    return rp_hint(all->err, "\"input\" of a model is a file or folder, from the matrix on");
}

static bool finish(const struct reading *all, const struct growing *growing,
                   struct rp_matrix *matrix) {
    struct rp_arena *arena = all->arena;
    struct rp_batch_levels levels = {0};
    const char *const *names = growing->names;
    struct rp_cell cell = {
        names[MODEL], names[TARGET], names[VARIANT], folder_of(arena, names), {0}};
    const struct rp_batch_places places = {all->from->dir,
                                           rp_path_join(arena, all->from->output, cell.name)};
    *RP_PUSH(arena, &levels) = (struct rp_batch_level){all->root, all->from->path, TOP, ""};
    for (int i = 0; i < AXES; i++)
        if (growing->values[i] != NULL && growing->values[i]->level.object != NULL)
            *RP_PUSH(arena, &levels) = growing->values[i]->level;
    for (size_t i = 0; i < growing->included.count; i++)
        *RP_PUSH(arena, &levels) = growing->included.items[i];
    put_names(all, growing, &cell.words);
    if (!rp_batch_words(arena, &levels, &places, &cell.words, all->err) || !check_input(all, &cell))
        return false;
    *RP_PUSH(arena, matrix) = cell;
    return true;
}

static bool read_budgets(const struct reading *all, struct rp_matrix *matrix) {
    const struct rp_json *list = rp_json_member(all->root, "budgets");
    const struct rp_json *item = rp_json_first(list);
    bool ok = list == NULL || (rp_json_type_of(list) == RP_JSON_ARRAY && item != NULL);
    for (; ok && item != NULL; item = rp_json_next(item)) {
        ok = rp_json_string(item) != NULL;
        if (ok)
            rp_strings_push(all->arena, &matrix->budgets,
                            rp_strdup(all->arena, rp_json_string(item)));
    }
    return ok || rp_fail(all->err, RP_E_MANIFEST, "%s: budgets is not an array of texts, or empty",
                         all->from->path);
}

static bool read_root(struct reading *all, struct rp_matrix *matrix) {
    const struct rp_batch_level top = {all->root, all->from->path, TOP,
                                       "name input model target mcu"};
    if (rp_json_type_of(all->root) != RP_JSON_OBJECT)
        return rp_fail(all->err, RP_E_MANIFEST, "%s: not a JSON object", all->from->path);
    if (!rp_batch_check_members(all->arena, &top, all->err))
        return false;
    for (int i = 0; i < AXES; i++)
        if (!read_axis(all, (enum axis)i))
            return false;
    if (!expand(all) || !read_entries(all, "exclude") || !read_entries(all, "include") ||
        !read_budgets(all, matrix))
        return false;
    for (size_t i = 0; i < all->cells.count; i++)
        if (!all->cells.items[i].is_excluded && !finish(all, &all->cells.items[i], matrix))
            return false;
    if (matrix->count != 0)
        return true;
    rp_fail(all->err, RP_E_MANIFEST, "%s: there is no cell", all->from->path);
    return rp_hint(all->err, "it needs \"models\" and \"targets\", each an array with something in "
                             "it that exclude leaves");
}

bool rp_matrix_read(struct rp_matrix *matrix, struct rp_arena *arena,
                    const struct rp_matrix_text *from, struct rp_error *err) {
    struct rp_json *root = rp_json_parse(from->text, from->size, from->path, err);
    struct reading all = {.arena = arena, .from = from, .root = root, .err = err};
    *matrix = (struct rp_matrix){0};
    bool ok = root != NULL && read_root(&all, matrix);
    rp_json_free(root);
    return ok;
}

bool rp_cell_matches(const struct rp_cell *cell, struct rp_arena *arena, const char *pattern) {
    const char *const names[AXES] = {cell->model, cell->target, cell->variant};
    for (int i = 0; i < AXES; i++) {
        size_t len = strcspn(pattern, "/");
        const char *part = rp_strndup(arena, pattern, len);
        if (names[i] == NULL || fnmatch(part, names[i], 0) != 0)
            return false;
        if (pattern[len] == '\0')
            return true;
        pattern += len + 1;
    }
    return false;
}
