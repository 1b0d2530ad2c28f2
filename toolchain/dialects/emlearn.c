/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect emlearn: a header with everything in it. `int32_t NAME_predict(const int16_t *features,
 * int32_t features_length)` returns a class, or a number; `NAME_predict_proba` and `NAME_regress`
 * write to `float *out, int out_length` and return 0. How many features and outputs there are is
 * in the tables of the header, if anywhere: emlearn/trees.py, net.py and their templates.
 */
#include "toolchain/dialects/emlearn.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/cread/decl.h"
#include "toolchain/calls/said.h"
#include "toolchain/cread/token.h"
#include "toolchain/calls/declared.h"
#include "toolchain/compile/flags.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/calls.h"
#include "toolchain/calls/glue.h"

enum { TEXT_MAX = 1 << 30 };

static bool recognise(const char *path, const char *text) {
    return text != NULL && rp_has_suffix(path, ".h") &&
           (strstr(text, "generated using emlearn") != NULL || strstr(text, "<eml_") != NULL);
}

static bool load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                 struct rp_error *err) {
    if (!rp_path_is_file(input->path))
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': no such file", input->path);
    model->generator = "emlearn";
    model->name = rp_path_base(rp_path_stem(arena, input->path));
    rp_strings_push(arena, &model->code.sources, input->path);
    return input->entry == NULL || rp_entry_parse(model, arena, input->entry, err);
}

/* ---- numbers in the header ---- */

struct counts {
    uint32_t features, outputs; /* 0: not said */
    uint32_t highest;           /* index of a feature that is a number in the code */
};

/* The first and the last list of numbers in the braces of an initialiser, by position. */
struct row {
    uint32_t items[9]; /* 0: no number */
    unsigned count;
};

static uint32_t number_of(const struct rp_ctoken *token) {
    char text[16] = "";
    if (token->kind != RP_CTOKEN_NUMBER || token->len >= sizeof text)
        return 0;
    memcpy(text, token->at, token->len);
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    return *end == '\0' && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* Reads from after "NAME" through ";". A row is the text between innermost braces. */
static bool read_rows(struct rp_clexer *lex, struct row *first, struct row *last) {
    struct rp_ctoken token, before = {0};
    struct row row = {0};
    unsigned rows = 0, parentheses = 0;
    bool open = false;
    for (; rp_ctoken_next(lex, &token, NULL) && token.kind != RP_CTOKEN_END &&
           !rp_ctoken_is(&token, ";");
         before = token) {
        parentheses += (unsigned)rp_ctoken_is(&token, "(") - (unsigned)rp_ctoken_is(&token, ")");
        bool closes = rp_ctoken_is(&token, "}");
        if (rp_ctoken_is(&token, "{")) {
            row = (struct row){.count = 1};
            open = true;
        } else if (open && closes) {
            row.count -= rp_ctoken_is(&before, ",");
            *last = row;
            *first = rows++ == 0 ? row : *first;
            open = false;
        } else if (open && parentheses == 0 && rp_ctoken_is(&token, ",")) {
            row.count++;
        } else if (row.count - 1 < 9 && number_of(&token) != 0) {
            row.items[row.count - 1] = number_of(&token);
        }
    }
    return rows != 0;
}

/* { nodes, …, n_features, n_classes, }: nine members since leaves moved to a table. */
static void read_trees(struct rp_clexer *lex, struct counts *counts) {
    struct row row = {0}, last;
    if (read_rows(lex, &row, &last) && row.count == 9)
        counts->features = row.items[7], counts->outputs = row.items[8];
}

/* One { n_outputs, n_inputs, weights, biases, activation } for each layer. */
static void read_layers(struct rp_clexer *lex, struct counts *counts) {
    struct row first = {0}, last = {0};
    if (read_rows(lex, &first, &last) && first.count == 5 && last.count == 5)
        counts->features = first.items[1], counts->outputs = last.items[0];
}

/* The number in "= 12" or "[12". */
static uint32_t read_behind(struct rp_clexer lex, const char *sign) {
    struct rp_ctoken found, value;
    return rp_ctoken_next(&lex, &found, NULL) && rp_ctoken_is(&found, sign) &&
                   rp_ctoken_next(&lex, &value, NULL)
               ? number_of(&value)
               : 0;
}

/* The part of a function's name that follows the model's name. */
static const char *const kinds[] = {"_predict_proba", "_predict", "_regress1", "_regress"};

static char *model_of(struct rp_arena *arena, const char *function) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (rp_has_suffix(function, kinds[i]))
            return rp_strndup(arena, function, strlen(function) - strlen(kinds[i]));
    return rp_strdup(arena, function);
}

/* The counts in the tables of the function's model. */
static bool read_counts(struct counts *counts, struct rp_arena *arena,
                        const struct rp_function *function, const char *path,
                        struct rp_error *err) {
    struct rp_arena scratch = {0}; /* forests are long */
    struct rp_bytes text = {0};
    struct rp_ctoken token = {0}, before = {0};
    rp_file_note(path);
    if (!rp_file_look(&scratch, path, TEXT_MAX, &text, err))
        return false;
    const char *model = model_of(arena, function->name), *features = function->params[0].name;
    const char *layers = rp_format(arena, "%s_layers", model);
    const char *input = rp_format(arena, "%s_layer_0_input_length", model);
    const char *outputs = rp_format(arena, "%s_n_outputs", model);
    struct rp_clexer lex = {.at = (const char *)text.data,
                            .end = (const char *)text.data + text.size,
                            .path = path,
                            .line = 1};
    for (; rp_ctoken_next(&lex, &token, err) && token.kind != RP_CTOKEN_END; before = token) {
        if (rp_ctoken_is(&before, "EmlTrees") && rp_ctoken_is(&token, model))
            read_trees(&lex, counts);
        else if (rp_ctoken_is(&before, "EmlNetLayer") && rp_ctoken_is(&token, layers))
            read_layers(&lex, counts);
        else if (rp_ctoken_is(&before, "int") && rp_ctoken_is(&token, input))
            counts->features = read_behind(lex, "=");
        else if (rp_ctoken_is(&before, "int") && rp_ctoken_is(&token, outputs))
            counts->outputs = read_behind(lex, "=");
        else if (rp_ctoken_is(&token, features) && read_behind(lex, "[") > counts->highest)
            counts->highest = read_behind(lex, "[");
    }
    rp_arena_release(&scratch);
    return token.kind == RP_CTOKEN_END;
}

/* ---- the function ---- */

/* The named function, else the only NAME_predict in the header itself. */
static const struct rp_function *pick(const struct rp_functions *all, const char *header,
                                      const char *named) {
    const struct rp_function *found = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct rp_function *function = &all->items[i];
        bool wanted = named != NULL ? strcmp(function->name, named) == 0
                                    : strcmp(function->file, header) == 0 &&
                                          rp_has_suffix(function->name, "_predict");
        if (wanted && found != NULL)
            return NULL;
        found = wanted ? function : found;
    }
    return found;
}

static bool is_length(const struct rp_param *param) {
    return !param->is_pointer && param->dtype != NULL && !param->dtype->is_float;
}

/* (const T *features, int n), or the same followed by (…, T *out, int n). */
static bool is_known(const struct rp_function *function) {
    const struct rp_param *params = function->params;
    size_t count = function->param_count;
    return (count == 2 || count == 4) && params[0].is_pointer && params[0].is_const &&
           params[0].dtype != NULL && params[0].rank == 0 && is_length(&params[1]) &&
           (count == 2 ? function->returns != NULL
                       : params[2].is_pointer && !params[2].is_const && params[2].dtype != NULL &&
                             params[2].rank == 0 && is_length(&params[3]));
}

static void add_array(struct rp_model *model, struct rp_arena *arena, const struct rp_param *param,
                      uint32_t count) {
    const struct rp_tensor tensor = {
        .name = param->name, .dtype = param->dtype, .shape = {count}, .rank = 1};
    rp_model_add_argument(model, arena, !param->is_const, &tensor);
    rp_strings_push(arena, &model->entry.arguments, rp_format(arena, "%u", count));
}

static bool fail_counts(const struct rp_function *function, const struct counts *counts,
                        struct rp_error *err) {
    const struct rp_param *params = function->params;
    bool array = function->param_count == 4;
    rp_fail(err, RP_E_ENTRY, "%s:%u: nothing in the header says how many %s '%s' takes",
            function->file, function->line, array ? "features and outputs" : "features",
            function->name);
    rp_fail_in(err, function->file, function->line);
    if (array)
        return rp_hint(err,
                       "say it, with numbers for N (at least %u) and M: --entry '%s(in:%s[N], "
                       "N, out:%s[M], M) -> 0'",
                       counts->highest + 1, function->name, params[0].dtype->name,
                       params[2].dtype->name);
    return rp_hint(err,
                   "say it, with a number for N (at least %u): --entry '%s(in:%s[N], N) -> "
                   "out:%s[1]'",
                   counts->highest + 1, function->name, params[0].dtype->name,
                   function->returns->name);
}

static bool take(struct rp_model *model, struct rp_arena *arena, const struct rp_function *function,
                 struct rp_error *err) {
    const char *header = model->code.sources.items[0];
    struct counts counts = {0};
    if (!is_known(function)) {
        rp_fail(err, RP_E_ENTRY, "%s:%u: the declaration of '%s' is not one of emlearn's",
                function->file, function->line, function->name);
        rp_fail_in(err, function->file, function->line);
        const char *call = rp_said_suggest_call(arena, function->name, function->type);
        return call != NULL
                   ? rp_hint(err, "say the call, with numbers for N: --entry '%s'", call)
                   : rp_hint(err, "write a function that takes arrays and numbers, and calls it");
    }
    if (!read_counts(&counts, arena, function, header, err))
        return false;
    bool array = function->param_count == 4;
    if (counts.features == 0 || (array && counts.outputs == 0))
        return fail_counts(function, &counts, err);
    model->entry.name = function->name;
    add_array(model, arena, &function->params[0], counts.features);
    if (array) {
        add_array(model, arena, &function->params[2], counts.outputs);
        model->entry.result = "0";
        return true;
    }
    const struct rp_tensor result = {.dtype = function->returns, .shape = {1}, .rank = 1};
    rp_model_add_argument(model, arena, true, &result);
    model->entry.result = model->entry.arguments.items[--model->entry.arguments.count];
    return true;
}

static bool find_entry(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_functions *all, struct rp_error *err) {
    const char *header = model->code.sources.items[0];
    const struct rp_function *function = pick(all, rp_c_string(arena, header), model->entry.name);
    if (function != NULL)
        return take(model, arena, function, err);
    rp_fail(err, RP_E_ENTRY, "%s: %s", header,
            model->entry.name != NULL
                ? rp_format(arena, "there is no function '%s'", model->entry.name)
                : "it has no function NAME_predict, or several");
    rp_fail_in(err, header, 0);
    return rp_hint(err, "name one: --entry NAME_predict_proba");
}

/* ---- what --entry says against the tables ---- */

/* tables: "4 features", as they have them. */
static bool fail_count(const struct rp_model *model, const struct rp_function *function,
                       const char *tables, uint64_t said, struct rp_error *err) {
    rp_fail(err, RP_E_DECLARED, "%s:%u: the tables of '%s' have %s, %s says %llu", function->file,
            function->line, function->name, tables, model->entry.said_by, (unsigned long long)said);
    return rp_hint(err, "--entry %s takes the numbers from the tables", function->name);
}

/* The counts in the tables must equal the tensors' sizes and the lengths passed with them. */
static bool check_counts(const struct rp_model *model, struct rp_arena *arena,
                         const struct rp_function *function, struct rp_error *err) {
    struct counts counts = {0};
    const struct rp_strings *arguments = &model->entry.arguments;
    if (!is_known(function) || arguments->count != function->param_count)
        return true;
    if (!read_counts(&counts, arena, function, model->code.sources.items[0], err))
        return false;
    const uint32_t have[] = {counts.features, counts.outputs};
    const char *const what[] = {"features", "outputs"};
    for (size_t i = 0; i + 1 < arguments->count && i / 2 < 2; i += 2) {
        if (strncmp(arguments->items[i], "in", 2) != 0 &&
            strncmp(arguments->items[i], "out", 3) != 0)
            continue;
        uint64_t elements = rp_tensor_elements(rp_tensor_at(model, arguments->items[i]));
        uint64_t length = strtoull(arguments->items[i + 1], NULL, 0);
        if (have[i / 2] != 0 && elements != have[i / 2])
            return fail_count(model, function, rp_format(arena, "%u %s", have[i / 2], what[i / 2]),
                              elements, err);
        if (length != elements) {
            rp_fail(err, RP_E_DECLARED, "%s contradicts itself: %llu %s, and a length of %s",
                    model->entry.said_by, (unsigned long long)elements, what[i / 2],
                    arguments->items[i + 1]);
            return rp_hint(err, "behind each array, '%s' takes its length", function->name);
        }
        if (i == 0 && counts.features == 0 && counts.highest >= elements)
            return fail_count(model, function,
                              rp_format(arena, "at least %u features", counts.highest + 1),
                              elements, err);
    }
    return true;
}

static bool check_said(const struct rp_model *model, struct rp_arena *arena,
                       const struct rp_functions *all, struct rp_error *err) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, model->entry.name) == 0)
            return check_counts(model, arena, &all->items[i], err);
    return true;
}

static bool read_header(struct rp_model *model, struct rp_build *build, size_t first,
                        struct rp_error *err) {
    struct rp_functions *all = rp_alloc(build->arena, 1, sizeof *all);
    if (!rp_declared_read(model, build, first, all, err))
        return false;
    if (build->options->dry_run)
        return true;
    bool said = model->outputs.count != 0;
    /* --entry is compared with the declaration first, which lists the parameters */
    model->entry.called = model->entry.name;
    if (said ? !rp_declared_check(model, build->arena, NULL, err) ||
                   !check_said(model, build->arena, all, err)
             : !find_entry(model, build->arena, all, err))
        return false;
    model->entry.called = model->entry.name;
    return true;
}

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    size_t first = build->units.count;
    struct rp_unit *unit = rp_header_add(model, build, &flags->model);
    model->code.is_header = true;
    if (!rp_declared_preprocess(build, unit, &flags->model, true, err) ||
        !read_header(model, build, first, err))
        return false;
    if (build->options->dry_run && model->outputs.count == 0)
        return true;
    for (size_t i = 1; i < model->code.sources.count; i++)
        rp_build_add(build, model->code.sources.items[i], &flags->model);
    return rp_header_call(model, build, err) && rp_glue_c_add(model, build, flags, err);
}

const struct rp_dialect rp_dialect_emlearn = {
    .name = "emlearn",
    .models = "models of emlearn",
    .takes = RP_TAKES_USUAL | RP_TAKES_ENTRY,
    .image = &rp_image_cortex_m,
    .plain_functions = true,
    .recognise = recognise,
    .load = load,
    .plan = plan,
};
