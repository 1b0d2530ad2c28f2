/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for, in the JSON report: see run.h. */
#include "cli/report/run.h"

#include <string.h>

#include "base/path.h"
#include "cli/source_rows.h"
#include "toolchain/build/series.h"

/* The rows of all options that say what a model is made from. Their offsets are in this struct. */
struct said {
    struct rp_source_options source;
};

static const struct rp_option rows[] = {RP_SOURCE_ROWS(struct said),
                                        RP_MODEL_WEIGHTS_ROW(struct said)};

enum { ROWS = sizeof rows / sizeof rows[0] };

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
}

/* ---- reading ---- */

static void take_text(struct rp_arena *arena, const struct rp_json *run,
                      const struct rp_option *row, const char **to) {
    const char *text = rp_json_string(rp_json_member(run, row->member));
    bool is_said = *to != NULL && (row->preset == NULL || strcmp(*to, row->preset) != 0);
    if (!is_said && text != NULL)
        *to = rp_strdup(arena, text);
}

static void take_list(struct rp_arena *arena, const struct rp_json *run,
                      const struct rp_option *row, struct rp_strings *to) {
    const struct rp_json *item =
        to->count == 0 ? rp_json_first(rp_json_member(run, row->member)) : NULL;
    for (; item != NULL; item = rp_json_next(item))
        if (rp_json_string(item) != NULL)
            rp_strings_push(arena, to, rp_strdup(arena, rp_json_string(item)));
}

void rp_run_read(struct rp_arena *arena, const struct rp_json *run,
                 struct rp_source_options *source) {
    const char *series = source->target.series, *mcu = source->target.mcu;
    const char *input = rp_json_string(rp_json_member(run, "input"));
    bool own_input = source->model != NULL || source->input.path != NULL;
    struct rp_generator_choice own_generator = source->generator;
    if (!own_input && input != NULL)
        source->input.path = rp_strdup(arena, input);
    for (size_t i = 0; i < ROWS; i++) {
        void *to = (char *)source + rows[i].offset;
        if (rows[i].recorded != RP_RECORD_NOT && is_text(&rows[i]))
            take_text(arena, run, &rows[i], to);
        else if (rows[i].recorded != RP_RECORD_NOT && is_list(&rows[i]))
            take_list(arena, run, &rows[i], to);
    }
    if (own_input) /* the report's generator is for the report's input */
        source->generator = own_generator;
    if (mcu != NULL) /* only one of the two names the target: the user's choice goes first */
        source->target.series = series;
    if (source->target.series != NULL)
        source->target.mcu = mcu;
}
