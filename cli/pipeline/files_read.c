/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a run reads: see files_read.h. */
#include "cli/pipeline/files_read.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/set.h"
#include "elfpack/image/integrity.h"
#include "toolchain/compile/depends.h"

enum { YOUNG_S = 3 };

void rp_files_read_begin(struct rp_files_read *inputs, struct rp_arena *arena) {
    *inputs = (struct rp_files_read){.arena = arena};
    rp_file_journal(arena, &inputs->read);
}

void rp_files_read_end(struct rp_files_read *inputs) {
    (void)inputs;
    rp_file_journal(NULL, NULL);
}

/* The files whose hashes are in the report, and the weights. names: empty. */
static void named_files(const struct rp_package *package, struct rp_strings *names) {
    const struct rp_model *model = &package->model;
    struct rp_strings files = rp_package_files(package);
    struct rp_set seen = {0};
    if (model->weights.file != NULL)
        rp_strings_push(package->arena, &files, model->weights.file);
    for (size_t i = 0; i < files.count; i++)
        if (rp_set_add(package->arena, &seen, files.items[i], NULL))
            rp_strings_push(package->arena, names, files.items[i]);
}

/* ---- changes ---- */

bool rp_files_read_stamp(struct rp_files_read *inputs, const struct rp_package *package,
                         struct rp_error *err) {
    struct rp_strings names = {0};
    named_files(package, &names);
    for (size_t i = 0; i < names.count; i++) {
        struct rp_read_state *stamp = RP_PUSH(inputs->arena, &inputs->stamps);
        *stamp = (struct rp_read_state){.path = names.items[i]};
        if (stat(stamp->path, &stamp->st) != 0)
            return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", stamp->path, strerror(errno));
        stamp->young = S_ISREG(stamp->st.st_mode) && time(NULL) - stamp->st.st_ctime < YOUNG_S;
        if (stamp->young && !rp_sum_file(stamp->path, &stamp->sum, err))
            return false;
    }
    return true;
}

static bool same_time(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Every change of contents sets st_ctim, and nobody can set it back. */
static bool is_same(const struct rp_read_state *stamp, struct rp_error *err) {
    struct stat st;
    struct rp_sum sum;
    if (stat(stamp->path, &st) != 0 || st.st_dev != stamp->st.st_dev ||
        st.st_ino != stamp->st.st_ino || st.st_size != stamp->st.st_size ||
        !same_time(&st.st_mtim, &stamp->st.st_mtim) || !same_time(&st.st_ctim, &stamp->st.st_ctim))
        return false;
    return !stamp->young || (rp_sum_file(stamp->path, &sum, err) &&
                             memcmp(sum.sha256, stamp->sum.sha256, sizeof sum.sha256) == 0);
}

bool rp_files_read_unchanged(const struct rp_files_read *inputs, struct rp_error *err) {
    for (size_t i = 0; i < inputs->stamps.count; i++) {
        const struct rp_read_state *stamp = &inputs->stamps.items[i];
        if (is_same(stamp, err))
            continue;
        rp_fail(err, RP_E_CHANGED, "'%s' was changed while the model was built from it",
                stamp->path);
        return rp_hint(err, "run it again; when a build writes that file, let relocpack wait for "
                            "the build");
    }
    return true;
}

/* ---- lists ---- */

/* Adds the files that words of a text name, which count from the current folder or from dir. */
static void files_in(struct rp_arena *arena, const char *text, const char *dir,
                     struct rp_strings *names) {
    static const char gaps[] = " \t\n=,";
    for (text += strspn(text, gaps); *text != '\0'; text += strspn(text, gaps)) {
        size_t len = strcspn(text, gaps);
        const char *word = rp_strndup(arena, text, len), *below = rp_path_join(arena, dir, word);
        if (rp_path_is_file(below))
            rp_strings_push(arena, names, below);
        else if (rp_path_is_file(word))
            rp_strings_push(arena, names, word);
        text += len;
    }
}

/* The same of all texts in a JSON value. */
static void files_in_json(struct rp_arena *arena, const struct rp_json *value, const char *dir,
                          struct rp_strings *names) {
    const char *text = rp_json_string(value);
    if (text != NULL)
        files_in(arena, text, dir, names);
    for (const struct rp_json *at = rp_json_first(value); at != NULL; at = rp_json_next(at))
        files_in_json(arena, at, dir, names);
}

/*
 * A generator and the files that its command names, such as a script; and those that a JSON file
 * among these names in turn, as a profile of stedgeai names a memory pool. What it reads beside
 * them is not known.
 */
static void generator_files(const struct rp_package *package, struct rp_strings *names) {
    enum { PROFILE_MAX = 1 << 20 };
    struct rp_arena *arena = package->arena;
    const struct rp_strings *line = &package->generated.line;
    for (size_t i = 0; i < line->count; i++) {
        const char *name =
            i == 0 ? rp_find_program(arena, line->items[i]) : rp_generate_file_of(line->items[i]);
        struct rp_bytes text;
        if (name == NULL)
            continue;
        rp_strings_push(arena, names, name);
        if (!rp_has_suffix(name, ".json") || !rp_file_look(arena, name, PROFILE_MAX, &text, NULL))
            continue;
        struct rp_json *root = rp_json_parse((const char *)text.data, text.size, name, NULL);
        if (root != NULL)
            files_in_json(arena, root, rp_path_dir(arena, name), names);
        rp_json_free(root);
    }
}

void rp_files_read_list(const struct rp_files_read *inputs, struct rp_package *package,
                        struct rp_strings *names) {
    struct rp_strings all = {0};
    struct rp_set seen = {0};
    for (size_t i = 0; i < names->count; i++)
        (void)rp_set_add(inputs->arena, &seen, names->items[i], NULL);
    named_files(package, &all);
    generator_files(package, &all);
    rp_strings_append(inputs->arena, &all, &inputs->read);
    rp_build_depends(&package->build, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *path = rp_path_absolute(inputs->arena, all.items[i], NULL);
        if (path != NULL && !rp_workspace_is_own(&package->build.workspace, path) &&
            access(path, F_OK) == 0 && rp_set_add(inputs->arena, &seen, path, NULL))
            rp_strings_push(inputs->arena, names, path);
    }
}

bool rp_files_read_spare_log(const struct rp_files_read *inputs, const struct rp_package *package,
                             struct rp_error *err) {
    struct rp_strings names = {0};
    const char *log = package->options->console.log;
    named_files(package, &names);
    rp_strings_append(package->arena, &names, &inputs->read);
    for (size_t i = 0; log != NULL && i < names.count; i++)
        if (rp_path_same(log, names.items[i]))
            return rp_fail(err, RP_E_USAGE, "--log '%s' is an input: nothing is added to it", log);
    return true;
}

void rp_files_read_depfile(struct rp_buf *out, const char *goal, const struct rp_strings *names,
                           const struct rp_package *package) {
    struct rp_strings named = {0};
    rp_depends_quote(out, goal, true);
    rp_buf_puts(out, ":");
    for (size_t i = 0; i < names->count; i++) {
        rp_buf_puts(out, " \\\n ");
        rp_depends_quote(out, names->items[i], false);
    }
    rp_buf_puts(out, "\n");
    named_files(package, &named);
    rp_strings_sort(&named);
    for (size_t i = 0; i < names->count; i++) {
        if (rp_strings_have_sorted(&named, names->items[i]))
            continue;
        rp_buf_puts(out, "\n");
        rp_depends_quote(out, names->items[i], true);
        rp_buf_puts(out, ":\n");
    }
}
