/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack batch`: a matrix of models, targets and variants in; a folder with an image for each
 * cell out. A make runs `relocpack generate` for those that are not up to date.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/path.h"
#include "cli/batch/summary.h"
#include "cli/commands.h"
#include "cli/page/gather.h"
#include "cli/terminal.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/quote.h"

enum { MATRIX_MAX = 64 << 20 };
enum format { TEXT, MARKDOWN, JSON, FORMATS };

struct batch_options {
    const char *output;
    unsigned jobs;
    struct rp_strings only;
    bool list;
    bool keep_going;
    bool emit;
    bool quiet;
    const char *wrap;
    const char *launcher;
    struct rp_strings budgets;
    const char *format;
    const char *html;
    struct rp_diagnosed diagnosed;
};

#define AT(member) offsetof(struct batch_options, member)
// clang-format off
static const struct rp_option rows[] = {
    {'o', "output", RP_OPT_TEXT, AT(output), "DIR", "folder for all cells (default: build)", NULL},
    {'j', "jobs", RP_OPT_NUMBER, AT(jobs), "N", "cells at a time (default: the outer make's jobs, else one per processor)", NULL},
    {0, "only", RP_OPT_LIST, AT(only), "CELLS", "cells whose MODEL/TARGET/VARIANT matches, with * and ? as in file names; fewer parts match all that follow", NULL},
    {0, "list", RP_OPT_FLAG, AT(list), NULL, "list the cells and which of them are up to date; make and write nothing", NULL},
    {'k', "keep-going", RP_OPT_FLAG, AT(keep_going), NULL, "go on when a cell fails", NULL},
    {0, "emit", RP_OPT_FLAG, AT(emit), NULL, "write the Makefile and build.ninja, and run neither", NULL},
    {0, "wrap", RP_OPT_TEXT, AT(wrap), "WORDS", "words in front of each cell's command, such as 'srun -n1'; quotes keep blanks, there is no shell", NULL},
    {0, "launcher", RP_OPT_TEXT, AT(launcher), "CMD", "compiler launcher of all cells, as of generate", NULL},
    {0, "budget", RP_OPT_LIST, AT(budgets), "[CELLS:]KEY=[warn:]SIZE", "fail (or warn) when the sum of KEY over cells is above SIZE; KEY as of generate, CELLS as of --only (default: all)", NULL},
    {0, "format", RP_OPT_TEXT, AT(format), "FORMAT", "of the summary: text (default), markdown or json", NULL},
    {0, "html", RP_OPT_TEXT, AT(html), "FILE", "write a page of all cells, as `relocpack report` does", NULL},
    {'q', "quiet", RP_OPT_FLAG, AT(quiet), NULL, "print the summary and errors only", NULL},
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    RP_JUNIT_ROW(AT(diagnosed)),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

struct batch {
    struct rp_arena *arena;
    const struct batch_options *options;
    const char *path; /* of the matrix */
    enum format format;
    struct rp_matrix matrix;
    struct rp_jobs jobs;
    struct rp_summary summary;
};

static void defaults(void *target) {
    struct batch_options *options = target;
    options->output = "build";
}

static bool read_format(const char *text, enum format *format, struct rp_error *err) {
    static const char *const names[FORMATS] = {"text", "markdown", "json"};
    for (int i = 0; i < FORMATS; i++)
        if (text == NULL || strcmp(text, names[i]) == 0) {
            *format = (enum format)i;
            return true;
        }
    return rp_fail(err, RP_E_USAGE, "unknown --format \'%s\'; there are: text markdown json", text);
}

/*
 * One name for a folder, however it was called, because stamps have it: without links, "." and
 * "..". What is not there yet will be made below what is.
 */
static const char *plain_folder(struct rp_arena *arena, const char *path, struct rp_error *err) {
    char *plain = realpath(path, NULL);
    if (plain == NULL && errno == ENOENT && strcmp(path, "/") != 0 && path[0] != '\0') {
        const char *base = rp_path_base(path);
        const char *above = plain_folder(arena, rp_path_dir(arena, path), err);
        bool same = base[0] == '\0' || strcmp(base, ".") == 0;
        return above == NULL || same ? above : rp_path_join(arena, above, base);
    }
    const char *copy = plain != NULL ? rp_strdup(arena, plain) : NULL;
    if (plain == NULL)
        rp_fail_errno(err, errno, "cannot use the folder", path);
    free(plain);
    return copy;
}

static bool read_matrix(struct batch *batch, struct rp_error *err) {
    struct rp_bytes text;
    const char *output = plain_folder(batch->arena, batch->options->output, err);
    if (output == NULL || !rp_file_read(batch->arena, batch->path, MATRIX_MAX, &text, err))
        return false;
    const char *dir = plain_folder(batch->arena, rp_path_dir(batch->arena, batch->path), err);
    const struct rp_matrix_text from = {(const char *)text.data, text.size, batch->path, dir,
                                        output};
    batch->jobs.output = output;
    return dir != NULL && rp_matrix_read(&batch->matrix, batch->arena, &from, err);
}

/*
 * A launcher or a wrapper by a path is meant from here, and run elsewhere. A variable may stand in
 * its place.
 */
static const char *program_from_here(struct rp_arena *arena, const char *word) {
    bool path = word[strcspn(word, "=/")] == '/';
    const char *absolute = path ? rp_path_absolute(arena, word, NULL) : NULL;
    return absolute != NULL ? absolute : word;
}

static bool take_options(struct batch *batch, struct rp_error *err) {
    const struct batch_options *options = batch->options;
    struct rp_jobs *jobs = &batch->jobs;
    if (!read_format(options->format, &batch->format, err))
        return false;
    if (options->list && options->emit)
        return rp_fail(err, RP_E_USAGE, "--list and --emit exclude each other");
    if ((options->list || options->emit) && options->html != NULL)
        return rp_fail(err, RP_E_USAGE, "--html goes with a batch that is run");
    *jobs = (struct rp_jobs){.arena = batch->arena,
                             .matrix = batch->path,
                             .jobs = options->jobs,
                             .keep_going = options->keep_going,
                             .quiet = options->quiet};
    if (options->launcher != NULL) {
        const char *rest = options->launcher + strcspn(options->launcher, " ");
        const char *first =
            rp_strndup(batch->arena, options->launcher, (size_t)(rest - options->launcher));
        jobs->launcher =
            rp_format(batch->arena, "%s%s", program_from_here(batch->arena, first), rest);
    }
    if (options->html != NULL) {
        const char *dir = plain_folder(batch->arena, rp_path_dir(batch->arena, options->html), err);
        if (dir == NULL)
            return false;
        jobs->html = rp_path_join(batch->arena, dir, rp_path_base(options->html));
    }
    if (options->wrap != NULL) {
        if (!rp_split_words(batch->arena, options->wrap, &jobs->wrap, err))
            return false;
        jobs->wrap.items[0] = program_from_here(batch->arena, jobs->wrap.items[0]);
    }
    return rp_output_is_possible(options->html, err);
}

/* --only. RP_E_USAGE: a pattern that fits no cell. */
static bool select_cells(struct batch *batch, struct rp_error *err) {
    const struct rp_strings *only = &batch->options->only;
    for (size_t i = 0; i < batch->jobs.count; i++)
        batch->jobs.items[i].selected = only->count == 0;
    for (size_t k = 0; k < only->count; k++) {
        size_t found = 0;
        for (size_t i = 0; i < batch->jobs.count; i++)
            if (rp_cell_matches(batch->jobs.items[i].cell, batch->arena, only->items[k])) {
                batch->jobs.items[i].selected = true;
                found++;
            }
        if (found == 0) {
            rp_fail(err, RP_E_USAGE, "--only '%s' matches no cell", only->items[k]);
            return rp_hint(err, "--list lists the cells");
        }
    }
    return true;
}

static bool plan(struct batch *batch, struct rp_error *err) {
    struct rp_summary *summary = &batch->summary;
    if (!take_options(batch, err) || !read_matrix(batch, err) ||
        !rp_jobs_plan(&batch->jobs, &batch->matrix, err) || !select_cells(batch, err))
        return false;
    *summary = (struct rp_summary){.arena = batch->arena,
                                   .matrix = batch->path,
                                   .output = batch->options->output,
                                   .jobs = &batch->jobs};
    struct rp_strings budgets = {0};
    rp_strings_append(batch->arena, &budgets, &batch->matrix.budgets);
    rp_strings_append(batch->arena, &budgets, &batch->options->budgets);
    for (size_t i = 0; i < budgets.count; i++)
        if (!rp_summary_budget(summary, budgets.items[i], err))
            return false;
    return true;
}

/* Two batches at a time would do the same work twice. Where folders cannot be locked, they do. */
static bool lock(const struct batch *batch, int *fd, struct rp_error *err) {
    const char *output = batch->jobs.output;
    if (!rp_make_dirs(output, err))
        return false;
    *fd = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return rp_fail_errno(err, errno, "cannot open", output);
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    if (!batch->options->quiet)
        fprintf(stderr, "relocpack: waiting for another batch in '%s'\n",
                rp_printable(batch->arena, output));
    while (flock(*fd, LOCK_EX) != 0 && errno == EINTR)
        if (rp_process_interrupted(err))
            return false;
    return true;
}

static void print_summary(const struct batch *batch, const char *json) {
    struct rp_buf out = {.arena = batch->arena};
    if (batch->format == JSON)
        rp_buf_puts(&out, json);
    else
        rp_summary_text(&batch->summary, batch->format == MARKDOWN, &out);
    (void)fputs(rp_buf_text(&out), stdout);
    (void)fflush(stdout); /* before the error, also where both go to one log */
}

/* batch.json and the page. */
static bool write_files(struct batch *batch, const char *json, struct rp_error *err) {
    struct rp_arena *arena = batch->arena;
    struct rp_outputs outputs;
    struct rp_strings read = {0}, folder = {0};
    struct rp_buf html = {.arena = arena};
    struct rp_page page;
    const char *path = rp_path_join(arena, batch->jobs.output, "batch.json");
    bool ok = rp_outputs_begin(&outputs, arena, NULL, err) &&
              rp_outputs_add_named(&outputs, path, json, strlen(json), err) &&
              rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    if (!ok || batch->options->html == NULL)
        return ok;
    rp_strings_push(arena, &folder, batch->jobs.output);
    if (!rp_page_gather(&page, arena, &folder, &read, err))
        return false;
    rp_page_html(&html, &page);
    ok = rp_outputs_begin(&outputs, arena, NULL, err) &&
         rp_outputs_add_named(&outputs, batch->options->html, html.data, html.len, err) &&
         rp_outputs_check(&outputs, err) && rp_outputs_spare(&outputs, &read, "an input", err) &&
         rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    return ok;
}

static bool run(struct batch *batch, struct rp_cases *cases, struct rp_error *err) {
    const struct batch_options *options = batch->options;
    rp_jobs_look(&batch->jobs);
    bool ok = options->list || rp_jobs_write(&batch->jobs, err);
    if (ok && !options->list && !options->emit)
        ok = rp_jobs_run(&batch->jobs, err);
    if (!ok && rp_process_signal() == 0)
        return false;
    rp_summary_read(&batch->summary);
    rp_summary_cases(&batch->summary, cases);
    struct rp_json *root = rp_summary_json(&batch->summary);
    char *text = rp_json_print(root);
    const char *json = rp_strdup(batch->arena, text);
    free(text);
    rp_json_free(root);
    print_summary(batch, json);
    if (options->list || options->emit)
        return true;
    struct rp_error unwritten = {0};
    bool written = write_files(batch, json, &unwritten);
    ok = ok && rp_summary_check(&batch->summary, err); /* cells that failed come first */
    if (ok && !written)
        *err = unwritten;
    return ok && written;
}

static int run_batch(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                     struct rp_error *err) {
    struct batch_options *options = given;
    struct batch batch = {.arena = arena, .options = options};
    int fd = -1;
    if (arguments->count != 1) {
        rp_fail(err, RP_E_USAGE, "batch takes one matrix, a JSON file");
        return -1;
    }
    batch.path = arguments->items[0];
    bool ok = plan(&batch, err) && (options->list || lock(&batch, &fd, err)) &&
              run(&batch, &options->diagnosed.cases, err);
    if (fd >= 0)
        close(fd);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_batch = {
    "batch",
    "[options] MATRIX.json",
    "Makes an image for each cell of a matrix: models, targets, variants",
    rows,
    sizeof(struct batch_options),
    defaults,
    run_batch};
