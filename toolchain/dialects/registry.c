/* SPDX-License-Identifier: Apache-2.0 */
/* Which dialect an input is of: see registry.h. */
#include "toolchain/dialects/registry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/set.h"
#include "toolchain/dialects/foreign.h"
#include "toolchain/calls/imports.h"
#include "toolchain/dialects/c.h"
#include "toolchain/dialects/emlearn.h"
#include "toolchain/dialects/glow.h"
#include "toolchain/dialects/st_ai.h"
#include "toolchain/dialects/stai.h"
#include "toolchain/dialects/tvm.h"
#include "toolchain/npu/ll_aton.h"

enum { SOURCE_MAX = 1 << 30 };

static const struct rp_dialect *const dialects[] = {
    &rp_dialect_ll_aton, &rp_dialect_stai,    &rp_dialect_st_ai, &rp_dialect_tvm,
    &rp_dialect_glow,    &rp_dialect_emlearn, &rp_dialect_c};
enum { DIALECT_COUNT = sizeof dialects / sizeof dialects[0] };
/* Takes manifests, and any C that no other dialect takes. */
static const struct rp_dialect *const any_c = &rp_dialect_c;

static const struct rp_dialect *find_named(const char *name, struct rp_error *err) {
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        if (strcmp(dialects[i]->name, name) == 0)
            return dialects[i];
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        rp_buf_printf(&list, " %s", dialects[i]->name);
    rp_fail(err, RP_E_USAGE, "unknown --dialect \'%s\'; there are:%s", name, list.data);
    if (strcasecmp(name, "onnx") == 0 || strcasecmp(name, "tflite") == 0)
        rp_hint(err, "a dialect is how C code is written; --generator makes C of a model file");
    rp_hint_nearest(err, name, "", list.data);
    rp_arena_release(&arena);
    return NULL;
}

/*
 * The first dialect that takes the path. text is NULL for a folder. with_companions: only dialects
 * that may have other C files beside the model are asked.
 */
static const struct rp_dialect *ask_all(const char *path, const char *text, bool with_companions) {
    for (size_t i = 0; i < DIALECT_COUNT; i++)
        if ((!with_companions || dialects[i]->has_companions) && dialects[i]->recognise(path, text))
            return dialects[i];
    return NULL;
}

/* Is it model code by its name, rather than data or a file that this tool writes? */
static bool is_model_source(const char *name) {
    return rp_has_suffix(name, ".c") && !rp_has_suffix(name, "_data.c") &&
           !rp_has_suffix(name, "_data_params.c") && !rp_has_prefix(name, "ai_reloc_") &&
           !rp_has_prefix(name, "ll_aton_") && !rp_has_suffix(name, "_img_rel.c") &&
           !rp_has_suffix(name, "_img_data.c");
}

/* NAME_rel.c and NAME_rel_params.c beside NAME.c: the C arrays of --vendor-names. */
static bool is_image_of_another(const struct rp_strings *names, const char *name) {
    const char *tail = rp_has_suffix(name, "_rel_params.c") ? "_rel_params.c" : "_rel.c";
    size_t len = strlen(name) - (rp_has_suffix(name, tail) ? strlen(tail) : 0);
    for (size_t i = 0; len < strlen(name) && i < names->count; i++) {
        const char *other = names->items[i];
        if (strncmp(other, name, len) == 0 && strrchr(other, '.') == other + len &&
            (rp_has_suffix(other, ".c") || rp_c_is_cplusplus(other)))
            return true;
    }
    return false;
}

/* Model sources in a folder: all of them, and those of C++. */
struct sources {
    struct rp_buf list; /* their names, each behind a blank */
    size_t count, cplusplus;
};

/* The only model source, or NULL. */
static const char *only_source(const struct rp_strings *names, const char *dir,
                               struct sources *sources) {
    const char *found = NULL;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        bool cplusplus = rp_c_is_cplusplus(name) &&
                         rp_path_is_file(rp_path_join(sources->list.arena, dir, name));
        if (!cplusplus && (!is_model_source(name) || is_image_of_another(names, name)))
            continue;
        rp_buf_printf(&sources->list, " %s", name);
        sources->cplusplus += cplusplus;
        found = ++sources->count == 1 ? name : NULL;
    }
    return found;
}

/*
 * The only file in a folder whose name and text are wanted; NULL if there is none or more than one.
 * out lists them.
 */
static const char *only_file(struct rp_arena *arena, const char *dir,
                             const struct rp_strings *names,
                             bool (*is_wanted)(const char *path, const char *text),
                             struct rp_strings *out) {
    for (size_t i = 0; i < names->count; i++) {
        struct rp_arena scratch = {0};
        struct rp_bytes text;
        const char *path = rp_path_join(arena, dir, names->items[i]);
        if (is_wanted(path, NULL) && rp_file_look(&scratch, path, SOURCE_MAX, &text, NULL) &&
            is_wanted(path, (const char *)text.data))
            rp_strings_push(arena, out, path);
        rp_arena_release(&scratch);
    }
    return out->count == 1 ? out->items[0] : NULL;
}

/* The vendor's tools put other C files beside a network: wrappers, tests, weights as arrays. */
static bool is_network(const char *path, const char *text) {
    return is_model_source(rp_path_base(path)) &&
           (text == NULL || ask_all(path, text, true) != NULL);
}

/* Names the network that a wrapper is for: stai_X.c is that of X.c. */
static const struct rp_dialect *fail_wrapper(struct rp_arena *arena, const char *path,
                                             struct rp_error *err) {
    struct rp_strings names = {0}, networks = {0};
    const char *dir = rp_path_dir(arena, path), *base = rp_path_base(path);
    const char *network = NULL;
    if (rp_list_dir(arena, dir, &names, NULL))
        network = only_file(arena, dir, &names, is_network, &networks);
    if (rp_has_prefix(base, "stai_") &&
        rp_strings_have(&networks, rp_path_join(arena, dir, base + strlen("stai_"))))
        network = rp_path_join(arena, dir, base + strlen("stai_"));
    rp_fail(err, RP_E_DIALECT,
            "'%s' is a wrapper of a Neural-ART network, for firmware: the network itself is in "
            "another file",
            path);
    if (network != NULL)
        rp_hint(err, "-i %s", network);
    else
        rp_hint(err, "give the network.c of the same run, which defines LL_ATON_EpochBlockItems_…");
    return NULL;
}

static const struct rp_dialect *recognise_text(struct rp_arena *arena, const char *path,
                                               const struct rp_bytes *text, struct rp_error *err) {
    const char *chars = (const char *)text->data;
    if (text->size == 0) {
        rp_fail(err, RP_E_INPUT, "'%s' is empty", path);
        return NULL;
    }
    if (!rp_check_foreign(path, text, err))
        return NULL;
    bool binary = memchr(text->data, 0, text->size) != NULL;
    const struct rp_dialect *found =
        binary && rp_has_suffix(path, ".c") ? NULL : ask_all(path, chars, false);
    if ((found == NULL || found == any_c) && !rp_check_foreign_code(path, chars, err))
        return NULL;
    if (found != NULL)
        return found;
    if (binary)
        rp_fail(err, RP_E_INPUT, "'%s' is not a text file: it holds a 0 byte", path);
    else if (rp_is_npu_wrapper(chars))
        return fail_wrapper(arena, path, err);
    else {
        rp_fail(err, RP_E_DIALECT, "'%s' is not recognised as generated model code", path);
        rp_hint(err, "-i takes the C file that a model compiler wrote, its folder, or a manifest");
    }
    return NULL;
}

/* The text, which may hold all weights as numbers, is not kept. */
static const struct rp_dialect *recognise(struct rp_arena *arena, const char *path,
                                          struct rp_error *err) {
    struct rp_arena scratch = {0};
    struct rp_bytes text;
    const struct rp_dialect *found = rp_file_look(&scratch, path, SOURCE_MAX, &text, err)
                                         ? recognise_text(arena, path, &text, err)
                                         : NULL;
    rp_arena_release(&scratch);
    return found;
}

/* A manifest names its sources, as some reports do, which have a version. */
static bool is_manifest(const char *path, const char *text) {
    return rp_has_suffix(path, ".json") &&
           (text == NULL ||
            (strstr(text, "\"sources\"") != NULL && strstr(text, "\"schema_version\"") == NULL));
}

/* "'a', 'b' and 'c'" */
static const char *list_paths(struct rp_arena *arena, const struct rp_strings *paths) {
    struct rp_buf list = {.arena = arena};
    for (size_t i = 0; i < paths->count; i++)
        rp_buf_printf(&list, "%s'%s'",
                      i == 0                 ? ""
                      : i + 1 < paths->count ? ", "
                                             : " and ",
                      paths->items[i]);
    return rp_buf_text(&list);
}

static const char *fail_folder(const char *dir, struct sources *sources,
                               const struct rp_strings *networks, struct rp_error *err) {
    size_t count = sources->count;
    if (networks->count > 1) {
        const char *first = networks->items[0];
        bool manifests = rp_has_suffix(first, ".json");
        rp_fail(err, RP_E_INPUT, "folder '%s' has %zu %s: %s", dir, networks->count,
                manifests ? "manifests" : "networks", list_paths(sources->list.arena, networks));
        if (manifests)
            rp_hint(err, "name one: -i %s", first);
        else
            rp_hint(err, "name one: -i %s, or --name %.*s", first,
                    (int)strlen(rp_path_base(first)) - 2, rp_path_base(first));
        return NULL;
    }
    rp_fail(err, RP_E_INPUT, "folder '%s' has %s generated C file%s%s", dir,
            count == 0 ? "no" : "more than one", count == 0 ? "" : ":",
            count == 0 ? "" : rp_buf_text(&sources->list));
    rp_hint(err, "name the file: -i %s/FILE.c", dir);
    return NULL;
}

/* A folder without C may hold a model file that a generator would turn into C. */
static bool check_foreign_in(struct rp_arena *arena, const char *dir,
                             const struct rp_strings *names, struct rp_error *err) {
    for (size_t i = 0; i < names->count; i++) {
        const char *path = rp_path_join(arena, dir, names->items[i]);
        struct rp_bytes head;
        if (rp_path_is_file(path) && rp_file_head(arena, path, 16, &head, NULL) &&
            !rp_check_foreign(path, &head, err))
            return false;
    }
    return true;
}

/* NAME.c in a folder, or the same of C++; NULL if there is none. */
static const char *find_source(struct rp_arena *arena, const char *dir, const char *name) {
    static const char *const endings[] = {".c", ".cpp", ".cc", ".cxx"};
    for (size_t i = 0; name != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        const char *file = rp_path_join(arena, dir, rp_format(arena, "%s%s", name, endings[i]));
        if (rp_path_is_file(file))
            return file;
    }
    return NULL;
}

/*
 * The model in a folder: the only source that is not data, the only network, or, without C, the
 * only manifest.
 */
static const char *pick_in_folder(struct rp_arena *arena, const char *dir, const char *name,
                                  struct rp_error *err) {
    struct rp_strings names = {0}, found = {0};
    struct sources sources = {.list = {.arena = arena}};
    if (!rp_list_dir(arena, dir, &names, err))
        return NULL;
    const char *only = find_source(arena, dir, name);
    if (only != NULL)
        return only;
    const char *source = only_source(&names, dir, &sources);
    bool has_c = sources.count != sources.cplusplus;
    if (!has_c || sources.count > 1)
        only = only_file(arena, dir, &names, has_c ? is_network : is_manifest, &found);
    if (only == NULL && source != NULL && found.count == 0)
        only = rp_path_join(arena, dir, source);
    if (only == NULL) {
        if (sources.count == 0)
            found.count = 0;
        if (sources.count != 0 || check_foreign_in(arena, dir, &names, err))
            fail_folder(dir, &sources, &found, err);
    }
    return only;
}

static bool check_folders(const struct rp_strings *list, struct rp_error *err) {
    for (size_t i = 0; i < list->count; i++)
        if (!rp_path_is_dir(list->items[i]))
            return rp_fail(err, RP_E_INPUT, "-I '%s': no such folder", list->items[i]);
    return true;
}

static bool absolute_all(struct rp_arena *arena, struct rp_strings *list, struct rp_error *err) {
    for (size_t i = 0; i < list->count; i++) {
        list->items[i] = rp_path_absolute(arena, list->items[i], err);
        if (list->items[i] == NULL)
            return false;
    }
    return true;
}

/* Sources, each identified by device and inode. */
struct adding {
    struct rp_arena *arena;
    struct rp_set known;
};

/* A file is compiled once, under the name by which it was found first. */
static bool is_new(struct adding *adding, const char *path) {
    const struct rp_path_id id = rp_path_id(path);
    const char *text = rp_format(adding->arena, "%llx:%llx", (unsigned long long)id.device,
                                 (unsigned long long)id.file);
    return rp_set_add(adding->arena, &adding->known, text, NULL);
}

static bool add_sources(struct rp_model *model, struct rp_arena *arena,
                        const struct rp_input *input, struct rp_error *err) {
    struct adding adding = {.arena = arena};
    size_t kept = 0; /* a manifest may name a file twice */
    for (size_t i = 0; i < model->code.sources.count; i++)
        if (is_new(&adding, model->code.sources.items[i]) ||
            !rp_path_is_file(model->code.sources.items[i]))
            model->code.sources.items[kept++] = model->code.sources.items[i];
    model->code.sources.count = kept;
    for (size_t i = 0; i < input->sources.count; i++) {
        struct rp_strings found = {0};
        if (!rp_list_sources(arena, "--source", input->sources.items[i], &found, err))
            return false;
        bool is_folder = rp_path_is_dir(input->sources.items[i]);
        for (size_t k = 0; k < found.count; k++) {
            if (!is_new(&adding, found.items[k]))
                continue;
            rp_strings_push(arena, &model->code.sources, found.items[k]);
            if (is_folder)
                rp_strings_push(arena, &model->code.offered, found.items[k]);
        }
    }
    return true;
}

/*
 * A folder that a dialect takes as a whole may hold networks as well: sets *network to the one that
 * --name names, or to NULL when that names a Glow bundle. Neither of them is chosen silently.
 */
static bool check_beside(struct rp_arena *arena, const struct rp_dialect *whole,
                         const struct rp_input *input, const char **network, struct rp_error *err) {
    struct rp_strings names = {0}, networks = {0};
    *network = NULL;
    if (input->dialect != NULL)
        return true;
    if (!rp_list_dir(arena, input->path, &names, err))
        return false;
    only_file(arena, input->path, &names, is_network, &networks);
    if (networks.count == 0)
        return true;
    if (input->name != NULL) {
        const char *named = rp_path_join(arena, input->path, rp_format(arena, "%s.c", input->name));
        *network = rp_strings_have(&networks, named) ? named : NULL;
        if (*network != NULL || rp_path_is_file(rp_path_join(
                                    arena, input->path, rp_format(arena, "%s.h", input->name))))
            return true;
    }
    rp_fail(err, RP_E_INPUT, "folder '%s' has a model of dialect %s and the network '%s'",
            input->path, whole->name, networks.items[0]);
    return rp_hint(err, "name one: --dialect %s, or -i %s", whole->name, networks.items[0]);
}

/* Chooses the dialect and sets input->path to what it loads: a folder only if it takes one as a
 * whole.
 */
static const struct rp_dialect *choose(struct rp_arena *arena, struct rp_input *input,
                                       struct rp_error *err) {
    if (rp_path_is_dir(input->path)) {
        const struct rp_dialect *whole = ask_all(input->path, NULL, false);
        const char *network = NULL;
        if (whole != NULL && (input->dialect == NULL || strcmp(input->dialect, whole->name) == 0)) {
            if (!check_beside(arena, whole, input, &network, err))
                return NULL;
            if (network == NULL)
                return whole;
        }
        input->path = pick_in_folder(arena, input->path, input->name, err);
    }
    if (input->path == NULL)
        return NULL;
    if (input->dialect != NULL)
        return find_named(input->dialect, err);
    struct rp_bytes text;
    if (rp_has_suffix(input->path, ".json"))
        return !rp_file_look(arena, input->path, SOURCE_MAX, &text, NULL) ||
                       rp_check_foreign_code(input->path, (const char *)text.data, err)
                   ? any_c
                   : NULL;
    if (input->entry != NULL) { /* plain C, unless another dialect knows it better */
        const struct rp_dialect *found = recognise(arena, input->path, NULL);
        return found != NULL && (found->takes & RP_TAKES_ENTRY) != 0 ? found : any_c;
    }
    return recognise(arena, input->path, err);
}

/*
 * STM32CubeMX puts a network into Src and its headers into Inc, next to it. Tools that write
 * several files do not expect them to be parted, so the folder is as good as one of -I.
 */
static void add_inc(struct rp_model *model, struct rp_arena *arena, const char *path) {
    const char *dir = rp_path_dir(arena, path), *root = rp_path_dir(arena, dir);
    const char *header = rp_format(arena, "%s.h", rp_path_base(rp_path_stem(arena, path)));
    const char *inc =
        rp_path_join(arena, root, strcmp(rp_path_base(dir), "Src") == 0 ? "Inc" : "inc");
    if (strcasecmp(rp_path_base(dir), "src") != 0 ||
        rp_strings_have(&model->code.include_dirs, inc) ||
        rp_path_is_file(rp_path_join(arena, dir, header)) ||
        !rp_path_is_file(rp_path_join(arena, inc, header)))
        return;
    rp_strings_push(arena, &model->code.include_dirs, inc);
    rp_diagnose(arena, &model->notes, "RP1070",
                rp_format(arena,
                          "the network's headers are not in '%s' but in '%s', which is used "
                          "as if it were given with -I",
                          dir, inc));
}

/* --weights is only for generators that write such a file. */
static bool check_weights(const struct rp_dialect *dialect, struct rp_arena *arena,
                          struct rp_input *input, struct rp_error *err) {
    if (input->weights == NULL)
        return true;
    if ((dialect->takes & RP_TAKES_WEIGHTS) == 0) {
        rp_fail(err, RP_E_USAGE,
                "--weights '%s' is for networks whose weights are in a file (st-ai, stai, glow); "
                "'%s' is of dialect %s",
                input->weights, input->path, dialect->name);
        return rp_hint(err, "leave it out: weights are found in the generated code");
    }
    if (!rp_path_is_file(input->weights)) {
        rp_fail(err, RP_E_WEIGHTS, "--weights '%s': no such file", input->weights);
        return rp_fail_in(err, input->weights, 0);
    }
    input->weights = rp_path_absolute(arena, input->weights, err);
    return input->weights != NULL;
}

/* Options that are not for every dialect. */
static bool check_options(const struct rp_dialect *dialect, const struct rp_input *input,
                          struct rp_error *err) {
    const struct rp_npu_choice *choice = &input->npu;
    const struct {
        bool given;
        unsigned bit;
        const char *refusal; /* the models' name follows */
    } options[] = {
        {input->custom != NULL, RP_TAKES_CUSTOM,
         "--custom is for networks of the vendor's tools, not for"},
        {input->sources.count != 0, RP_TAKES_USUAL, "--source is not for"},
        {input->copy_only, RP_TAKES_USUAL, "-r copy-only is not for"},
        {input->compact, RP_TAKES_USUAL, "-r compact is not for"},
        {input->imports.count != 0, RP_TAKES_USUAL, "--import is not for"},
        {input->import_from != NULL, RP_TAKES_USUAL, "--import-from is not for"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given && (dialect->takes & options[i].bit) == 0)
            return rp_fail(err, RP_E_USAGE, "%s %s", options[i].refusal, dialect->models);
    return (dialect->takes & RP_TAKES_NPU_ITEMS) != 0 ||
           (!choice->no_secure && !choice->no_dbg_info && !choice->polling &&
            !choice->ecblob_in_params && !choice->compatible) ||
           rp_fail(
               err, RP_E_USAGE,
               "-r no-secure, no-dbg-info, polling, ecblob-in-params and --compatible-mode are for "
               "Neural-ART networks; '%s' is of dialect %s",
               input->path, dialect->name);
}

/* Only plain code may be C++: the others are called by what their dialect knows. */
static bool check_language(const struct rp_model *model, const struct rp_input *input,
                           struct rp_error *err) {
    return !model->code.is_cplusplus || model->dialect == any_c ||
           rp_fail(err, RP_E_ENTRY, "--entry '%s': %s have no functions of C++", input->entry,
                   model->dialect->models);
}

/* Adds what the command line gives. Of a manifest, it replaces what has the same name. */
static void take_given(struct rp_arena *arena, struct rp_strings *list,
                       const struct rp_strings *given, const char *ends) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *item = list->items[i];
        size_t len = strcspn(item, ends);
        bool again = false;
        for (size_t k = 0; k < given->count; k++)
            again = again || (strcspn(given->items[k], ends) == len &&
                              strncmp(given->items[k], item, len) == 0);
        if (!again)
            list->items[kept++] = item;
    }
    list->count = kept;
    rp_strings_append(arena, list, given);
}

/* A compiler replaces @FILE by the words of that file, also after -D; they may be options. */
static bool check_macros(const struct rp_strings *defines, struct rp_error *err) {
    for (size_t i = 0; i < defines->count; i++) {
        unsigned char first = (unsigned char)defines->items[i][0];
        if (!isalpha(first) && first != '_' && first != '$' && first < 0x80)
            return rp_fail(err, RP_E_USAGE, "the macro '%s' does not begin with a name",
                           defines->items[i]);
    }
    return true;
}

bool rp_dialect_load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                     struct rp_error *err) {
    struct rp_input found = *input;
    *model = (struct rp_model){0};
    found.path = rp_path_absolute(arena, input->path, err);
    const struct rp_dialect *dialect = found.path != NULL ? choose(arena, &found, err) : NULL;
    if (dialect == NULL)
        return false;
    model->dialect = dialect;
    if (input->target == NULL && dialect->target == NULL) {
        rp_fail(err, RP_E_USAGE, "the target is missing: --target SERIES or --mcu CORE");
        return rp_hint(err, "relocpack targets lists them");
    }
    if (!check_folders(&input->include_dirs, err))
        return false;
    rp_strings_append(arena, &model->code.include_dirs, &input->include_dirs);
    if (!absolute_all(arena, &model->code.include_dirs, err))
        return false;
    if (dialect->has_companions)
        add_inc(model, arena, found.path);
    rp_strings_append(arena, &model->code.libraries, &input->runtime_libs);
    rp_strings_append(arena, &model->imports.offers, &input->offers);
    if (input->import_from != NULL)
        rp_strings_push(arena, &model->code.used_files, input->import_from);
    if (!check_weights(dialect, arena, &found, err) || !check_options(dialect, &found, err) ||
        !dialect->load(model, arena, &found, err) || !check_language(model, input, err))
        return false;
    take_given(arena, &model->code.defines, &input->defines, "=(");
    take_given(arena, &model->imports.specs, &input->imports, "@");
    if (!check_macros(&model->code.defines, err) || !rp_imports_read(model, arena, err) ||
        !add_sources(model, arena, input, err) ||
        !absolute_all(arena, &model->code.include_dirs, err) ||
        !absolute_all(arena, &model->code.libraries, err))
        return false;
    if (input->name != NULL)
        model->name = input->name;
    model->c_name = rp_c_identifier(arena, model->name);
    return true;
}
