/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of a batch: see jobs.h. */
#include "cli/batch/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/batch/recipes.h"
#include "cli/commands.h"
#include "cli/generate/stamp.h"
#include "cli/terminal.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/series.h"

enum { LINES_MAX = 64 << 20, EXIT_MAX = 16 };
/* Between two looks at what has ended: more with many cells, which may be on a server. */
static const double POLL_S = 0.2, POLL_CELL_S = 0.0005;
static const char STAMP[] = "cell.stamp", LOG[] = "cell.log", LINES[] = "cell.jsonl",
                  EXIT[] = "cell.exit", MAKE_LOG[] = "make.log";

static const char *file_of(const struct rp_jobs *jobs, const struct rp_job *job, const char *name) {
    return rp_path_join(jobs->arena, job->folder, name);
}

/* ---- planning ---- */

static void add_words(const struct rp_jobs *jobs, struct rp_job *job) {
    struct rp_arena *arena = jobs->arena;
    rp_strings_append(arena, &job->words, &job->cell->words);
    if (jobs->launcher != NULL)
        rp_strings_push(arena, &job->words, rp_format(arena, "--launcher=%s", jobs->launcher));
    RP_PUSH_WORDS(arena, &job->words, rp_format(arena, "--output=%s", job->folder),
                  rp_format(arena, "--stamp=%s", file_of(jobs, job, STAMP)),
                  rp_format(arena, "--diagnostics=%s", file_of(jobs, job, LINES)), "--quiet");
}

static bool parse(const struct rp_jobs *jobs, struct rp_job *job, struct rp_error *err) {
    struct rp_error wrong = {0};
    struct rp_command_line line = {.argc = (int)job->words.count,
                                   .argv =
                                       rp_alloc(jobs->arena, job->words.count, sizeof *line.argv),
                                   .options = rp_alloc(jobs->arena, 1, sizeof *job->options)};
    for (size_t i = 0; i < job->words.count; i++)
        line.argv[i] = rp_strdup(jobs->arena, job->words.items[i]);
    job->options = line.options;
    if (rp_options_parse(&rp_command_generate, jobs->arena, &line, &wrong) &&
        rp_generate_take(job->options, &wrong) &&
        ((job->options->source.target.series == NULL && job->options->source.target.mcu == NULL) ||
         rp_target_find(job->options->source.target.series, job->options->source.target.mcu,
                        &wrong) != NULL))
        return true;
    rp_fail(err, wrong.id, "cell '%s': %s", job->cell->name, wrong.message);
    return wrong.hint != NULL && rp_hint(err, "%s", wrong.hint);
}

/* ---- what more than one cell would write ---- */

struct written {
    const char *path;
    const struct rp_job *job; /* NULL: a file of the batch's own */
};

struct writings {
    struct written *items;
    size_t count;
    size_t capacity;
};

/* What would lie below a file comes next after it. */
static int by_path(const void *a, const void *b) {
    const struct written *x = a, *y = b;
    size_t at = 0;
    while (x->path[at] != '\0' && x->path[at] == y->path[at])
        at++;
    int one = x->path[at] == '/' ? 1 : (unsigned char)x->path[at];
    int other = y->path[at] == '/' ? 1 : (unsigned char)y->path[at];
    return one != other ? one - other : (x->job > y->job) - (x->job < y->job);
}

/* An absolute path without "." and "..": the folders of cells need not be there yet. */
static const char *without_dots(struct rp_arena *arena, const char *path) {
    struct rp_buf out = {.arena = arena};
    while (*path != '\0') {
        size_t len = strcspn(++path, "/");
        bool up = len == 2 && memcmp(path, "..", 2) == 0;
        const char *last = up ? strrchr(rp_buf_text(&out), '/') : NULL;
        if (last != NULL)
            out.len = (size_t)(last - out.data);
        else if (!up && len != 0 && !(len == 1 && *path == '.'))
            rp_buf_printf(&out, "/%.*s", (int)len, path);
        path += len;
    }
    return rp_strndup(arena, rp_buf_text(&out), out.len);
}

/* Files that options name. A log is added to, and one workspace serves one cell at a time. */
static void find_writings(const struct rp_jobs *jobs, struct writings *found) {
    for (const struct rp_option *row = rp_generate_rows; row->long_name != NULL; row++) {
        const char *start = rp_format(jobs->arena, "--%s=", row->long_name);
        size_t len = strlen(start);
        if ((row->marks & RP_MARK_WRITES) == 0 || strcmp(row->long_name, "log") == 0 ||
            strcmp(row->long_name, "workspace") == 0)
            continue;
        for (size_t i = 0; i < jobs->count; i++) {
            const struct rp_job *job = &jobs->items[i];
            for (size_t k = 0; k < job->words.count; k++)
                if (strncmp(job->words.items[k], start, len) == 0 &&
                    job->words.items[k][len] == '/')
                    *RP_PUSH(jobs->arena, found) =
                        (struct written){without_dots(jobs->arena, job->words.items[k] + len), job};
        }
    }
}

static void find_own(const struct rp_jobs *jobs, struct writings *found) {
    static const char *const of_all[] = {RP_RECIPES_MAKE, RP_RECIPES_GOALS, "build.ninja",
                                         "batch.json", MAKE_LOG};
    static const char *const of_cell[] = {RP_RECIPES_ARGS, LOG, EXIT};
    for (size_t k = 0; k < sizeof of_all / sizeof of_all[0]; k++)
        *RP_PUSH(jobs->arena, found) = (struct written){
            without_dots(jobs->arena, rp_path_join(jobs->arena, jobs->output, of_all[k])), NULL};
    for (size_t i = 0; i < jobs->count; i++)
        for (size_t k = 0; k < sizeof of_cell / sizeof of_cell[0]; k++)
            *RP_PUSH(jobs->arena, found) = (struct written){
                without_dots(jobs->arena, file_of(jobs, &jobs->items[i], of_cell[k])), NULL};
}

static bool check_writings(const struct rp_jobs *jobs, struct rp_error *err) {
    struct writings found = {0};
    find_own(jobs, &found);
    find_writings(jobs, &found);
    qsort(found.items, found.count, sizeof *found.items, by_path);
    for (size_t i = 1; i < found.count; i++) {
        const struct written *one = &found.items[i - 1], *other = &found.items[i];
        size_t len = strlen(one->path);
        if (strncmp(one->path, other->path, len) == 0 && other->path[len] == '/') {
            rp_fail(err, RP_E_USAGE, "'%s' would be a file, and a folder for '%s'", one->path,
                    other->path + len + 1);
            return rp_hint(err, "give the model, variant or file another name");
        }
        if (one->job == other->job || strcmp(one->path, other->path) != 0)
            continue; /* generate refuses two of one cell */
        if (one->job == NULL || other->job == NULL) {
            rp_fail(err, RP_E_USAGE, "the cell '%s' would write '%s', which batch writes",
                    (one->job != NULL ? one : other)->job->cell->name, one->path);
            return rp_hint(err, "give the file another name");
        }
        rp_fail(err, RP_E_USAGE, "the cells '%s' and '%s' would both write '%s'",
                one->job->cell->name, other->job->cell->name, one->path);
        return rp_hint(err, "a path without '..' is in the folder of each cell");
    }
    return true;
}

/* Is there a file that is no page? What the cells read may be in any folder. */
static bool holds_something_else(struct rp_arena *arena, const char *path) {
    static const char page[] = "<!DOCTYPE html>";
    struct rp_bytes head;
    return rp_path_is_file(path) && rp_file_head(arena, path, strlen(page), &head, NULL) &&
           head.size != 0 && !rp_has_prefix((const char *)head.data, page);
}

/* The page is no file that the cells read, and none of the batch's own. */
static bool check_page(const struct rp_jobs *jobs, struct rp_error *err) {
    if (jobs->html == NULL)
        return true;
    struct writings own = {0};
    const char *page = without_dots(jobs->arena, jobs->html);
    bool is_input = rp_path_same(jobs->matrix, page), is_output = false;
    find_own(jobs, &own);
    for (size_t i = 0; i < own.count; i++)
        is_output = is_output || strcmp(own.items[i].path, page) == 0;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *job = &jobs->items[i];
        const char *folder = rp_format(jobs->arena, "%s/", job->folder);
        is_output = is_output || rp_has_prefix(page, folder) ||
                    rp_has_prefix(folder, rp_format(jobs->arena, "%s/", page));
        for (size_t k = 0; k < job->words.count; k++) {
            const char *value = strchr(job->words.items[k], '=');
            is_input =
                is_input || (value != NULL && value[1] == '/' && rp_path_same(value + 1, page));
        }
    }
    if (is_input)
        return rp_fail(err, RP_E_USAGE, "--html '%s' is an input and would be replaced", page);
    if (is_output)
        return rp_fail(err, RP_E_USAGE,
                       "--html '%s' is among the files of the cells and of the batch", page);
    return !holds_something_else(jobs->arena, page) ||
           rp_fail(err, RP_E_FOREIGN, "--html '%s' is there and is no page", page);
}

bool rp_jobs_plan(struct rp_jobs *jobs, const struct rp_matrix *matrix, struct rp_error *err) {
    jobs->items = rp_alloc(jobs->arena, matrix->count, sizeof *jobs->items);
    jobs->count = matrix->count;
    for (size_t i = 0; i < jobs->count; i++) {
        struct rp_job *job = &jobs->items[i];
        *job = (struct rp_job){.cell = &matrix->items[i],
                               .folder =
                                   rp_path_join(jobs->arena, jobs->output, matrix->items[i].name),
                               .state = RP_JOB_WAITING,
                               .exit_code = -1};
        add_words(jobs, job);
        if (!parse(jobs, job, err))
            return false;
    }
    return check_writings(jobs, err) && check_page(jobs, err);
}

void rp_jobs_look(struct rp_jobs *jobs) {
    struct rp_known known;
    rp_known_begin(&known, jobs->arena);
    for (size_t i = 0; i < jobs->count; i++) {
        struct rp_job *job = &jobs->items[i];
        const struct rp_stamp stamp = {job->options, file_of(jobs, job, STAMP), jobs->output};
        if (rp_stamp_is_current(&stamp, &known, &job->memory))
            job->state = RP_JOB_CURRENT;
    }
}

/* ---- writing ---- */

bool rp_jobs_write(struct rp_jobs *jobs, struct rp_error *err) {
    struct rp_strings names = {0};
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *job = &jobs->items[i];
        struct rp_buf text = {.arena = jobs->arena};
        rp_recipes_words(&text, &job->words);
        if ((!rp_path_is_dir(job->folder) && !rp_make_dirs(job->folder, err)) ||
            !rp_recipes_put(jobs->arena, file_of(jobs, job, RP_RECIPES_ARGS), &text, err))
            return false;
        rp_strings_push(jobs->arena, &names, job->cell->name);
    }
    return rp_recipes_write(jobs->arena, jobs->output, &names, &jobs->wrap, err);
}

/* ---- how they ended ---- */

/* The error in the lines of --diagnostics; NULL: none. */
static const char *error_in(struct rp_arena *arena, const char *path) {
    struct rp_bytes text;
    if (!rp_file_look(arena, path, LINES_MAX, &text, NULL))
        return NULL;
    const char *found = NULL;
    for (const char *at = (const char *)text.data; found == NULL && *at != '\0';) {
        size_t len = strcspn(at, "\n");
        struct rp_json *line = rp_json_parse(rp_strndup(arena, at, len), len, path, NULL);
        const char *id = rp_json_text(line, "id", NULL);
        const char *severity = rp_json_text(line, "severity", NULL);
        const char *message = rp_json_text(line, "message", NULL);
        if (id != NULL && severity != NULL && message != NULL && strcmp(severity, "error") == 0)
            found = rp_format(arena, "%s: %s", id, message);
        rp_json_free(line);
        at += len + (at[len] != '\0');
    }
    return found;
}

/* The last line that is not empty; "" if there is none. */
static const char *last_line(struct rp_arena *arena, const char *path) {
    struct rp_bytes text;
    if (!rp_file_look(arena, path, LINES_MAX, &text, NULL))
        return "";
    const char *from = (const char *)text.data, *end = from + strlen(from);
    while (end > from && strchr(" \t\r\n", end[-1]) != NULL)
        end--;
    const char *start = end;
    while (start > from && start[-1] != '\n')
        start--;
    return rp_strndup(arena, start, (size_t)(end - start));
}

static int read_exit(const struct rp_jobs *jobs, const struct rp_job *job) {
    struct rp_bytes text;
    char *end = NULL;
    if (!rp_file_look(jobs->arena, file_of(jobs, job, EXIT), EXIT_MAX, &text, NULL))
        return -1;
    long code = strtol((const char *)text.data, &end, 10);
    return end != (const char *)text.data && code >= 0 && code < 256 ? (int)code : -1;
}

static void judge(const struct rp_jobs *jobs, struct rp_job *job, bool interrupted) {
    static const char taken[] = "RP2103: ";
    const char *log = file_of(jobs, job, LOG);
    job->exit_code = read_exit(jobs, job);
    bool came = access(file_of(jobs, job, LINES), F_OK) == 0; /* generate makes it first of all */
    if ((job->exit_code == 0 && came) || access(file_of(jobs, job, STAMP), F_OK) == 0) {
        job->state = RP_JOB_BUILT;
        return;
    }
    const char *said = error_in(jobs->arena, file_of(jobs, job, LINES));
    bool begun = access(log, F_OK) == 0;
    if (!begun || (interrupted && (said == NULL || rp_has_prefix(said, taken))))
        return;
    job->state = RP_JOB_FAILED;
    const char *last = said == NULL ? last_line(jobs->arena, log) : "";
    job->error = said != NULL ? said
                 : last[0] != '\0'
                     ? rp_format(jobs->arena,
                                 "it ended without an error of its own; the last line "
                                 "of its log: %s",
                                 last)
                 : job->exit_code == 0
                     ? "its command ended well and made nothing: do the words of --wrap run what "
                       "follows them, and wait for its end?"
                     : "it ended and said nothing: was it killed, or could it not be started?";
}

/* ---- running ---- */

/* What an earlier run left must not be taken for the end of this one. */
static void forget(const struct rp_jobs *jobs, const struct rp_job *job) {
    const char *const files[] = {STAMP, LOG, LINES, EXIT};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)unlink(file_of(jobs, job, files[i]));
}

/* Says which cells have ended since the last time. */
static void say_ended(struct rp_jobs *jobs, size_t goals, size_t *ended) {
    struct rp_arena own = {0}; /* there is a next time, and many cells */
    struct rp_jobs look = *jobs;
    look.arena = &own;
    for (size_t i = 0; i < jobs->count; i++) {
        struct rp_job *job = &jobs->items[i];
        if (!job->selected || job->state == RP_JOB_CURRENT || job->said)
            continue;
        int code = read_exit(&look, job);
        if (code < 0) /* it goes on, or its exit code is being written */
            continue;
        job->said = true;
        ++*ended;
        rp_progress(jobs->quiet, "");
        if (!jobs->quiet)
            fprintf(stderr, "relocpack: [%zu/%zu] %s%s\n", *ended, goals, job->cell->name,
                    code != 0 ? ": failed" : "");
    }
    rp_progress(jobs->quiet, rp_format(&own, "%zu of %zu cells", *ended, goals));
    rp_arena_release(&own);
}

/* All of our environment: a job is a command as the user would start it. */
static void take_environment(struct rp_arena *arena, struct rp_strings *names,
                             struct rp_strings *changes) {
    for (char **at = environ; at != NULL && *at != NULL; at++)
        rp_strings_push(arena, names, rp_strndup(arena, *at, strcspn(*at, "=")));
    RP_PUSH_WORDS(arena, changes, "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKEFILES",
                  "GNUMAKEFLAGS");
}

static bool run_make(struct rp_jobs *jobs, const struct rp_strings *goals, struct rp_error *err) {
    struct rp_arena *arena = jobs->arena;
    struct rp_strings argv = {0}, names = {0}, changes = {0};
    size_t ended = 0;
    int status = 0;
    if (!rp_recipes_write_goals(arena, jobs->output, goals, err))
        return false;
    const char *log = rp_path_join(arena, jobs->output, MAKE_LOG);
    take_environment(arena, &names, &changes);
    RP_PUSH_WORDS(arena, &argv, "make", "--no-print-directory", "-rR", "-f", RP_RECIPES_MAKE, "-f",
                  RP_RECIPES_GOALS);
    rp_make_jobs(arena, jobs->jobs, &argv, &changes);
    if (jobs->keep_going)
        rp_strings_push(arena, &argv, "-k");
    rp_strings_push(arena, &argv, RP_RECIPES_GOAL);
    const struct rp_process process = {.argv = &argv,
                                       .cwd = jobs->output,
                                       .env = &changes,
                                       .passed = &names,
                                       .stdout_path = log,
                                       .stderr_path = log};
    struct rp_background *make = rp_process_start(&process, arena, err);
    if (make == NULL)
        return false;
    while (!rp_process_interrupted(err) && !rp_process_ended(make, &status)) {
        (void)rp_process_wait_for(-1, 0, POLL_S + POLL_CELL_S * (double)goals->count);
        say_ended(jobs, goals->count, &ended);
    }
    rp_process_stop(make);
    (void)unlink(rp_path_join(arena, jobs->output, RP_RECIPES_GOALS));
    say_ended(jobs, goals->count, &ended);
    rp_progress(jobs->quiet, "");
    return !rp_process_interrupted(err);
}

bool rp_jobs_run(struct rp_jobs *jobs, struct rp_error *err) {
    struct rp_strings goals = {0};
    size_t begun = 0;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct rp_job *job = &jobs->items[i];
        if (!job->selected || job->state == RP_JOB_CURRENT)
            continue;
        forget(jobs, job);
        rp_strings_push(jobs->arena, &goals, job->cell->name);
    }
    if (goals.count == 0)
        return true;
    bool ok = run_make(jobs, &goals, err);
    for (size_t i = 0; i < jobs->count; i++) {
        struct rp_job *job = &jobs->items[i];
        if (!job->selected || job->state == RP_JOB_CURRENT)
            continue;
        judge(jobs, job, rp_process_interrupted(NULL));
        begun += job->state != RP_JOB_WAITING;
    }
    if (ok && begun == 0)
        return rp_fail(err, RP_E_SYSTEM, "make ended before any cell was begun: %s",
                       last_line(jobs->arena, rp_path_join(jobs->arena, jobs->output, MAKE_LOG)));
    return ok;
}

/* ---- cells of earlier runs ---- */

struct others {
    struct rp_arena *arena;
    struct rp_known known;
    struct rp_map cells; /* of the matrix, by name */
    struct rp_strings *names;
};

static bool is_folder(const char *path, char kind) {
    return kind == 'd' || (kind == 'l' && rp_path_is_dir(path) && !rp_path_is_link(path));
}

static void find_in(struct others *others, const char *path, const char *name, unsigned deep) {
    struct rp_arena *arena = others->arena;
    const struct rp_known_folder *folder = rp_known_folder(&others->known, path);
    if (deep >= 2 && *rp_map_at(&others->cells, name, strlen(name)) == NULL &&
        access(rp_path_join(arena, path, RP_RECIPES_ARGS), F_OK) == 0)
        rp_strings_push(arena, others->names, name);
    for (size_t i = 0; deep < 3 && i < folder->count; i++) {
        const struct rp_known_entry *entry = &folder->items[i];
        if (entry->name[0] == '.' || entry->kind == 'f')
            continue;
        const char *below = rp_path_join(arena, path, entry->name);
        if (is_folder(below, entry->kind))
            find_in(others, below, rp_path_join(arena, name, entry->name), deep + 1);
    }
}

void rp_jobs_find_others(const struct rp_jobs *jobs, struct rp_strings *names) {
    struct others others = {.arena = jobs->arena, .cells = {.arena = jobs->arena}, .names = names};
    rp_known_begin(&others.known, jobs->arena);
    for (size_t i = 0; i < jobs->count; i++) {
        const char *name = jobs->items[i].cell->name;
        *rp_map_at(&others.cells, name, strlen(name)) = &jobs->items[i];
    }
    find_in(&others, jobs->output, "", 0);
}
