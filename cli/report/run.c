/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for, in the JSON report: see run.h. */
#include "cli/report/run.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "cli/report/trust.h"
#include "cli/source_rows.h"
#include "toolchain/compile/quote.h"
#include "toolchain/compile/series.h"

/* The rows of all options that say what a model is made from. Their offsets are in this struct. */
struct said {
    struct rp_source_options source;
};

static const struct rp_option rows[] = {RP_MODEL_ROW(struct said, NULL),
                                        RP_SOURCE_ROWS(struct said),
                                        RP_MODEL_WEIGHTS_ROW(struct said)};

enum { ROWS = sizeof rows / sizeof rows[0], HINT_WORDS_MAX = 700 };

static bool is_text(const struct rp_option *row) {
    return row->kind == RP_OPT_TEXT || row->kind == RP_OPT_MAYBE;
}

static bool is_list(const struct rp_option *row) {
    return row->kind == RP_OPT_LIST || row->kind == RP_OPT_FLAGS;
}

static const void *value_of(const struct rp_source_options *source, const struct rp_option *row) {
    return (const char *)source + row->offset;
}

/* ---- writing ---- */

static const char *recorded(struct rp_arena *arena, const char *text, enum rp_recorded how) {
    const char *path = how == RP_RECORD_PATH ? rp_path_absolute(arena, text, NULL) : text;
    return path != NULL ? path : text;
}

static void put_texts(struct rp_json *object, const struct rp_source_options *source,
                      enum rp_recorded how, struct rp_arena *arena) {
    for (size_t i = 0; i < ROWS; i++) {
        const char *text = NULL;
        if (rows[i].recorded == how && is_text(&rows[i]))
            text = *(const char *const *)value_of(source, &rows[i]);
        if (text != NULL)
            rp_json_put_string(object, rows[i].member, recorded(arena, text, how));
    }
}

static void put_list(struct rp_json *object, const char *key, const struct rp_strings *list,
                     enum rp_recorded how, struct rp_arena *arena) {
    struct rp_json *array = rp_json_new_array(object, key);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i][0] != '\0') /* an empty item marks that -r was given */
            rp_json_push_string(array, recorded(arena, list->items[i], how));
}

/* Writes the lists that are recorded in ways up to last, RP_RECORD_CHOICE or RP_RECORD_PATH. */
static void put_lists(struct rp_json *object, const struct rp_source_options *source,
                      enum rp_recorded last, struct rp_arena *arena) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].recorded != RP_RECORD_NOT && rows[i].recorded <= last && is_list(&rows[i]))
            put_list(object, rows[i].member, value_of(source, &rows[i]), rows[i].recorded, arena);
}

/* Leaves out words of --cflags that name a folder. */
void rp_choices_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_package *package = report->package;
    const struct rp_strings *cflags = &report->run.source->input.cflags;
    struct rp_json *choices = rp_json_new_object(root, "choices");
    struct rp_source_options made = *report->run.source;
    made.target.series = made.target.series != NULL ? package->target->series : NULL;
    made.target.mcu = made.target.mcu != NULL ? package->target->series : NULL;
    made.input.dialect = package->model.dialect->name;
    made.input.cflags = (struct rp_strings){0};
    for (size_t i = 0; i < cflags->count; i++)
        if (strchr(cflags->items[i], '/') == NULL)
            rp_strings_push(package->arena, &made.input.cflags, cflags->items[i]);
    put_texts(choices, &made, RP_RECORD_CHOICE, package->arena);
    put_lists(choices, &made, RP_RECORD_CHOICE, package->arena);
}

void rp_run_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_package *package = report->package;
    struct rp_arena *arena = package->arena;
    struct rp_json *run = rp_json_new_object(root, "run");
    struct rp_source_options made = *report->run.source;
    made.build.cross_compile = package->build_options.cross_compile;
    made.input.pack_dir = package->model.needs.pack_dir;
    made.input.cflags = package->input.cflags;
    rp_json_put_string(run, "started", report->run.started);
    rp_json_put_double(run, "wall_s", report->run.wall_s);
    rp_json_put_string(
        run, "input",
        recorded(arena, package->model_file != NULL ? package->model_file : package->input.path,
                 RP_RECORD_PATH));
    for (int how = RP_RECORD_CHOICE; how <= RP_RECORD_PATH; how++)
        put_texts(run, &made, (enum rp_recorded)how, arena);
    put_lists(run, &made, RP_RECORD_PATH, arena);
    put_list(run, "reloc", report->run.reloc, RP_RECORD_RUN, arena);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].recorded != RP_RECORD_NOT && rows[i].kind == RP_OPT_SIZE)
            rp_json_put_int(run, rows[i].member, *(const unsigned *)value_of(&made, &rows[i]));
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].recorded != RP_RECORD_NOT && rows[i].kind == RP_OPT_FLAG &&
            *(const bool *)value_of(&made, &rows[i]))
            rp_json_put_bool(run, rows[i].member, true);
}

/* ---- reading ---- */

/* The same way as for writing: a path of a report is no word that could be an option. */
static void take_text(struct rp_arena *arena, const struct rp_json *run,
                      const struct rp_option *row, const char **to) {
    const char *text = rp_json_text(run, row->member, NULL);
    if (*to == NULL && text != NULL)
        *to = rp_strdup(arena, recorded(arena, text, row->recorded));
}

static void take_flag(const struct rp_json *run, const struct rp_option *row, bool *to) {
    const struct rp_json *flag = rp_json_member(run, row->member);
    *to = *to || (flag != NULL && rp_json_truth(flag));
}

static void take_size(const struct rp_json *run, const struct rp_option *row, unsigned *to) {
    struct rp_source_options defaults = {0};
    int64_t size;
    rp_source_defaults(&defaults);
    if (*to == *(const unsigned *)value_of(&defaults, row) &&
        rp_json_integer(rp_json_member(run, row->member), 0, UINT32_MAX, &size))
        *to = (unsigned)size;
}

static void take_list(struct rp_arena *arena, const struct rp_json *run,
                      const struct rp_option *row, struct rp_strings *to) {
    const struct rp_json *item =
        to->count == 0 ? rp_json_first(rp_json_member(run, row->member)) : NULL;
    for (; item != NULL; item = rp_json_next(item))
        if (rp_json_string(item) != NULL)
            rp_strings_push(arena, to,
                            rp_strdup(arena, recorded(arena, rp_json_string(item), row->recorded)));
}

/* Does the value come from the report? said: the options as the user gave them. */
static bool is_reports(const struct rp_option *row, const struct rp_source_options *said,
                       const struct rp_source_options *source) {
    const void *before = value_of(said, row), *now = value_of(source, row);
    if (row->recorded == RP_RECORD_NOT)
        return false;
    if (is_list(row))
        return ((const struct rp_strings *)before)->count !=
               ((const struct rp_strings *)now)->count;
    return is_text(row) && *(const char *const *)before != *(const char *const *)now;
}

/* Is there a file that nobody but the report names? */
static bool names_files(const struct rp_source_options *said,
                        const struct rp_source_options *source) {
    bool any = said->input.path != source->input.path;
    for (size_t i = 0; i < ROWS; i++)
        any = any || (rows[i].recorded >= RP_RECORD_FOUND && is_reports(&rows[i], said, source));
    return any;
}

/* Adds the option with its value as words for a shell. */
static void put_option(struct rp_buf *out, const struct rp_option *row, const void *value) {
    const struct rp_strings *list = value;
    struct rp_buf words = {.arena = out->arena};
    if (row->kind == RP_OPT_LIST) {
        for (size_t i = 0; i < list->count; i++)
            rp_buf_printf(out, " --%s=%s", row->long_name,
                          rp_shell_quote(out->arena, list->items[i]));
        return;
    }
    if (row->kind == RP_OPT_FLAGS)
        for (size_t i = 0; i < list->count; i++)
            rp_buf_printf(&words, "%s%s", i != 0 ? " " : "", list->items[i]);
    else
        rp_buf_puts(&words, *(const char *const *)value);
    rp_buf_printf(out, " --%s=%s", row->long_name, rp_shell_quote(out->arena, rp_buf_text(&words)));
}

/* What the report alone names must not start or load anything. */
static bool check_trust(const struct rp_report_use *use, struct rp_arena *arena,
                        const struct rp_source_options *said,
                        const struct rp_source_options *source, struct rp_error *err) {
    struct rp_buf named = {.arena = arena}, words = {.arena = arena};
    bool takes_all = true; /* the command has all these options */
    for (size_t i = 0; i < ROWS; i++) {
        const char *starts =
            is_reports(&rows[i], said, source) ? rp_trust_starts(source, &rows[i]) : NULL;
        if (starts == NULL)
            continue;
        rp_buf_printf(&named, "%s --%s '%s'", named.len != 0 ? "," : "", rows[i].long_name, starts);
        put_option(&words, &rows[i], value_of(source, &rows[i]));
        takes_all = takes_all && rp_option_row(use->reader, rows[i].long_name) != NULL;
    }
    if (named.len == 0)
        return true;
    rp_fail(err, RP_E_UNTRUSTED, "the report '%s' names what would be started or loaded:%s",
            use->path, named.data);
    rp_fail_in(err, use->path, 0);
    if (!takes_all || words.len > HINT_WORDS_MAX)
        return rp_hint(err, RP_HINT_TRUST);
    return rp_hint(err,
                   "give your own value of each option, or this one again:%s, or " RP_HINT_TRUST,
                   words.data);
}

/*
 * Files that only the report names and that are not there. The input may be a folder. A value of
 * the user's takes the place of all that the report has, and a model that of its generator, too.
 */
static void find_missing(struct rp_report_use *use, struct rp_arena *arena,
                         const struct rp_source_options *said,
                         const struct rp_source_options *source) {
    struct rp_buf options = {.arena = arena};
    if (said->input.path != source->input.path && access(source->input.path, F_OK) != 0) {
        rp_strings_push(arena, &use->missing, source->input.path);
        rp_buf_puts(&options,
                    source->generator.name != NULL ? " --model (and --generator)" : " --model");
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].recorded != RP_RECORD_PATH || !is_reports(&rows[i], said, source))
            continue;
        const void *value = value_of(source, &rows[i]);
        const struct rp_strings *list = value;
        size_t count = is_list(&rows[i]) ? list->count : 1, before = use->missing.count;
        for (size_t k = 0; k < count; k++) {
            const char *path = is_list(&rows[i]) ? list->items[k] : *(const char *const *)value;
            if (access(path, F_OK) != 0)
                rp_strings_push(arena, &use->missing, path);
        }
        if (use->missing.count == before)
            continue;
        rp_buf_printf(&options, "%s --%s", options.len != 0 ? "," : "", rows[i].long_name);
        if (count > 1)
            rp_buf_printf(&options, " (all %zu of them again)", count);
    }
    use->missing_options = options.len != 0 ? rp_buf_text(&options) : NULL;
}

bool rp_run_read(struct rp_report_use *use, struct rp_arena *arena, const struct rp_json *run,
                 struct rp_source_options *source, struct rp_error *err) {
    const struct rp_source_options said = *source;
    const char *input = rp_json_text(run, "input", NULL);
    bool own_input = source->model != NULL || source->input.path != NULL;
    if (!own_input && input != NULL)
        source->input.path = rp_strdup(arena, recorded(arena, input, RP_RECORD_PATH));
    for (size_t i = 0; i < ROWS; i++) {
        void *to = (char *)source + rows[i].offset;
        if (rows[i].recorded != RP_RECORD_NOT && is_text(&rows[i]))
            take_text(arena, run, &rows[i], to);
        else if (rows[i].recorded != RP_RECORD_NOT && is_list(&rows[i]))
            take_list(arena, run, &rows[i], to);
        else if (rows[i].recorded != RP_RECORD_NOT && rows[i].kind == RP_OPT_FLAG)
            take_flag(run, &rows[i], to);
        else if (rows[i].recorded != RP_RECORD_NOT && rows[i].kind == RP_OPT_SIZE)
            take_size(run, &rows[i], to);
    }
    if (own_input) /* the report's generator is for the report's input */
        source->generator = said.generator;
    if (said.target.mcu != NULL) /* only one of the two names the target: the user's goes first */
        source->target.series = said.target.series;
    if (source->target.series != NULL)
        source->target.mcu = said.target.mcu;
    source->input.takes_fixed = true;
    source->input.custom_unsaid = !use->trusted && said.input.custom == NULL;
    find_missing(use, arena, &said, source);
    source->build.no_lto = !use->trusted && names_files(&said, source);
    return use->trusted || check_trust(use, arena, &said, source, err);
}
