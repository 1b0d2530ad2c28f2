/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect st-ai: networks for the vendor's runtime with the legacy C API (<name>.c, <name>_data.c,
 * <name>_data_params.c and headers), built against a vendor pack: headers in Middlewares/ST/AI/Inc,
 * kernels in Middlewares/ST/AI/Lib, the entry macro in Middlewares/ST/AI/Reloc/Inc.
 */
#include "toolchain/dialects/st_ai.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/dialects/nodes.h"
#include "toolchain/npu/pack.h"
#include "toolchain/npu/release.h"
#include "toolchain/calls/glue.h"
#include "toolchain/cread/define.h"

enum { HEADER_MAX = 16 << 20, SOURCE_MAX = 1 << 30 };

struct loading {
    struct rp_model *model;
    struct rp_arena *arena;
    const struct rp_input *input;
    const char *dir;       /* of the network */
    const char *stem;      /* C name in the generated code */
    int64_t weights_count; /* arrays of weights that the headers declare */
    struct rp_pack pack;
    struct rp_error *err;
};

static bool recognise(const char *path, const char *text) {
    return text != NULL && rp_has_suffix(path, ".c") &&
           strstr(text, "ai_platform_interface.h") != NULL &&
           strstr(text, "AI_NETWORK_OBJ") != NULL;
}

/* ---- the pack ---- */

#define MACRO_DIR "Reloc/Inc" /* of the pack's ai_reloc_network.h */

/*
 * Finds the pack's macro for the entry table. Only the macro for arrays of weights addresses
 * (loader 2.0) fits our loader and header; networks may include its header in any case.
 */
static void find_macro(struct loading *load) {
    if (load->pack.ai == NULL)
        return;
    const char *dir = rp_path_join(load->arena, load->pack.ai, MACRO_DIR);
    struct rp_bytes text;
    if (!rp_file_read(load->arena, rp_path_join(load->arena, dir, "ai_reloc_network.h"), HEADER_MAX,
                      &text, NULL))
        return;
    rp_strings_push(load->arena, &load->model->code.include_dirs, dir);
    load->model->st_ai.vendor_macro =
        strstr((const char *)text.data, "data_params_get") != NULL && load->model->st_ai.api >= 2 &&
        !load->input->compiler->is_clang &&
        load->weights_count <= 1 && /* our glue sets addresses of arrays, */
        load->input->imports.count == 0 && load->input->import_from == NULL; /* and binds imports */
}

/* Runtime 5.1 keeps an observer in memory of malloc. Older ones have none, nor types for it. */
static bool read_observer(struct loading *load) {
    const char *text = rp_find_header(load->model, load->arena, "ai_platform_interface.h");
    if (text == NULL || strstr(text, "ai_observer_exec_ctx") != NULL) {
        load->model->st_ai.observer_allocates =
            text != NULL && strstr(text, "ai_platform_observer_register_s") == NULL;
        return true;
    }
    rp_fail(load->err, RP_E_PACK,
            "'%s': %s, which has no observer; images need headers and kernels of 5.1 or later",
            load->input->path, rp_release_of_headers(load->model, load->arena));
    return rp_hint(load->err, "generate the network again with a newer release of the tool, and "
                              "name the headers and the archive of that release");
}

/* ---- the network ---- */

static bool read_sizes(struct loading *load) {
    const char *up = rp_upper(load->arena, load->stem);
    const char *const files[] = {rp_format(load->arena, "%s_data_params.h", load->stem),
                                 rp_format(load->arena, "%s_data.h", load->stem)};
    const char *weights = rp_format(load->arena, "AI_%s_DATA_WEIGHTS_SIZE", up);
    const char *acts = rp_format(load->arena, "AI_%s_DATA_ACTIVATIONS_SIZE", up);
    const char *count = rp_format(load->arena, "AI_%s_DATA_WEIGHTS_COUNT", up);
    int64_t weights_size = -1, acts_size = -1, weights_count = -1;
    bool found = false;
    for (size_t i = 0; i < 2; i++) {
        struct rp_bytes text;
        const char *path = rp_find_beside(load->model, load->arena, load->dir, files[i]);
        if (path == NULL || !rp_file_read(load->arena, path, HEADER_MAX, &text, NULL))
            continue;
        found = true;
        const char *data = (const char *)text.data;
        weights_size = weights_size < 0 ? rp_find_number(data, weights) : weights_size;
        acts_size = acts_size < 0 ? rp_find_number(data, acts) : acts_size;
        weights_count = weights_count < 0 ? rp_find_number(data, count) : weights_count;
        /* from 7.1 on it takes one parameter, before that a handle as well */
        if (i == 1)
            load->model->st_ai.api =
                strstr(data, "data_params_get(ai_network_params") != NULL ? 2 : 1;
    }
    if (weights_size < 0 || acts_size < 0) {
        rp_fail(load->err, RP_E_WEIGHTS, "%s: neither %s nor %s defines %s as a number", load->dir,
                files[0], files[1], weights_size < 0 ? weights : acts);
        return !found && rp_hint(load->err, "-I FOLDER names where the network's headers are");
    }
    load->weights_count = weights_count;
    load->model->weights.size = (uint64_t)weights_size;
    load->model->acts_size = (uint64_t)acts_size;
    return true;
}

static void add_if_there(struct loading *load, const char *suffix) {
    const char *path = rp_find_beside(load->model, load->arena, load->dir,
                                      rp_format(load->arena, "%s%s", load->stem, suffix));
    if (path != NULL)
        rp_strings_push(load->arena, &load->model->code.sources, path);
}

/* The source that has an array of weights of some name; *whole: it is the one for all of them. */
static bool find_arrays(struct loading *load, const char **source, bool *whole) {
    const char *start = rp_format(load->arena, "const ai_u64 s_%s_", load->stem);
    const struct rp_strings *sources = &load->model->code.sources;
    *source = NULL;
    *whole = false;
    for (size_t i = 0; i < sources->count && *source == NULL; i++) {
        struct rp_arena scratch = {0};
        struct rp_bytes text;
        rp_file_note(sources->items[i]);
        bool ok = rp_file_look(&scratch, sources->items[i], SOURCE_MAX, &text, load->err);
        const char *at = ok ? strstr((const char *)text.data, start) : NULL;
        if (at != NULL) {
            *source = sources->items[i];
            *whole = rp_has_prefix(at + strlen(start), "weights");
        }
        rp_arena_release(&scratch);
        if (!ok)
            return false;
    }
    return true;
}

/*
 * One array of weights, a file with its bytes, or (--split-weights) an array for each tensor. The
 * arrays' addresses are in the network's map of weights, so the image needs no more than one
 * address: its boot code sets them all.
 */
static bool find_weights(struct loading *load) {
    struct rp_model *model = load->model;
    struct rp_model_weights *weights = &model->weights;
    const char *source = NULL;
    bool whole = false;
    if (!find_arrays(load, &source, &whole))
        return false;
    /* a network with one tensor has one array, too */
    model->st_ai.split_weights = load->weights_count > 1 || (source != NULL && !whole);
    if (!model->st_ai.split_weights) {
        weights->policy = RP_WEIGHTS_OF_ARRAY;
        weights->symbol = rp_format(load->arena, "s_%s_weights", load->stem);
        weights->file = load->input->weights != NULL
                            ? load->input->weights
                            : rp_find_beside(model, load->arena, load->dir,
                                             rp_format(load->arena, "%s_data.bin", load->stem));
        return true;
    }
    weights->policy = RP_WEIGHTS_OF_SOURCE;
    weights->source = source;
    if (source != NULL)
        return true;
    rp_fail(load->err, RP_E_WEIGHTS,
            "%s: the weights are in %lld arrays, but the code has none of them, and where each of "
            "them begins in a file is not known",
            load->dir, (long long)load->weights_count);
    return rp_hint(load->err, "generate with the arrays in the C code, or without --split-weights");
}

/* The tool's version is in the network's configuration header; through 6.0, in its C file, too. */
static struct rp_release read_release(struct loading *load) {
    const char *text =
        rp_find_header(load->model, load->arena, rp_format(load->arena, "%s_config.h", load->stem));
    struct rp_bytes source;
    if (text == NULL && rp_file_read(load->arena, load->input->path, SOURCE_MAX, &source, NULL))
        text = (const char *)source.data;
    struct rp_release release = {-1, -1};
    if (text != NULL) {
        release.major = rp_find_number(text, "AI_TOOLS_VERSION_MAJOR");
        release.minor = rp_find_number(text, "AI_TOOLS_VERSION_MINOR");
    }
    if (release.major >= 0 && release.minor >= 0)
        load->model->generator = rp_format(load->arena, "st-ai %lld.%lld", (long long)release.major,
                                           (long long)release.minor);
    return release;
}

static bool load_model(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                       struct rp_error *err) {
    struct loading load = {.model = model, .arena = arena, .input = input, .err = err};
    load.dir = rp_path_dir(arena, input->path);
    load.stem = rp_path_base(rp_path_stem(arena, input->path));
    model->name = load.stem;
    model->entry.name = load.stem;
    model->needs.vendor_runtime = true;
    if (strcmp(rp_c_identifier(arena, load.stem), load.stem) != 0)
        return rp_fail(err, RP_E_INPUT,
                       "'%s': a network's file has to have its C name, which is an identifier",
                       input->path);
    rp_strings_push(arena, &model->code.sources, input->path);
    add_if_there(&load, "_data.c");
    add_if_there(&load, "_data_params.c");
    rp_strings_push(arena, &model->code.include_dirs, load.dir);
    if (!read_sizes(&load) || !rp_pack_open(&load.pack, model, arena, input, err))
        return false;
    if (load.pack.ai != NULL)
        rp_strings_push(arena, &model->code.include_dirs, rp_path_join(arena, load.pack.ai, "Inc"));
    find_macro(&load);
    const struct rp_network_release release = {read_release(&load), {-1, -1}, false};
    model->st_ai.network_header = rp_format(arena, "%s.h", load.stem);
    model->st_ai.data_header = rp_format(arena, "%s_data.h", load.stem);
    return find_weights(&load) && rp_pack_finish(&load.pack, model, arena, "ai_platform.h", err) &&
           read_observer(&load) && rp_release_check(model, arena, input, &release, err);
}

/* ---- units ---- */

static void define(struct rp_build *build, struct rp_strings *flags, const char *name,
                   const char *value) {
    rp_strings_push(build->arena, flags, rp_format(build->arena, "-D%s=%s", name, value));
}

static void add_glue(struct rp_model *model, struct rp_build *build,
                     const struct rp_plan_flags *flags) {
    struct rp_arena *arena = build->arena;
    struct rp_strings glue = {0};
    uint32_t word = rp_flags_word(flags);
    /* our glue patches the image, and rebases words */
    const bool vendor = model->st_ai.vendor_macro && !flags->is_static && !flags->rewrites;
    model->st_ai.vendor_table = vendor;
    /* an ai_reloc_network.h is in our own folder and, after a run with its output there, in the
       network's; the macro is in the pack's */
    for (size_t i = 0; vendor && i < model->code.include_dirs.count; i++)
        if (rp_has_suffix(model->code.include_dirs.items[i], MACRO_DIR))
            rp_strings_push(arena, &glue,
                            rp_format(arena, "-I%s", model->code.include_dirs.items[i]));
    rp_strings_append_each(arena, &glue, "-I", &model->code.include_dirs);
    rp_strings_append(arena, &glue, &flags->glue);
    rp_strings_append_each(arena, &glue, "-D", &model->code.defines);
    rp_strings_push(arena, &glue, "-Os"); /* called a few times a run: size counts */
    const char *up = rp_upper(arena, model->entry.name);
    define(build, &glue, "RP_NETWORK_H", rp_format(arena, "\"%s\"", model->st_ai.network_header));
    if (vendor) {
        rp_strings_push(arena, &glue, "-DAI_NETWORK_RELOC");
        define(build, &glue, "C_NAME", model->entry.name);
        define(build, &glue, "C_NAME_UP", up);
        define(build, &glue, "C_INC_DATA_FILE",
               rp_format(arena, "\"%s\"", model->st_ai.data_header));
        define(build, &glue, "VARIANT", rp_format(arena, "0x%05x", word & 0xFFFFFu));
    } else {
        define(build, &glue, "RP_NAME", model->entry.name);
        define(build, &glue, "RP_NAME_UP", up);
        define(build, &glue, "RP_DATA_H", rp_format(arena, "\"%s\"", model->st_ai.data_header));
        define(build, &glue, "RP_FLAGS", rp_format(arena, "0x%08xu", word));
        define(build, &glue, "RP_MAPS", model->st_ai.api >= 2 ? "1" : "0");
        define(build, &glue, "RP_SPLIT_WEIGHTS", model->st_ai.split_weights ? "1" : "0");
        define(build, &glue, "RP_OBSERVER_ALLOCATES", model->st_ai.observer_allocates ? "1" : "0");
    }
    rp_build_add(build,
                 rp_path_join(arena, build->options->data_dir,
                              vendor ? "templates/glue_vendor.c" : "templates/glue_st_ai.c"),
                 &glue);
}

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    (void)err;
    for (size_t i = 0; i < model->code.sources.count; i++)
        rp_build_add(build, model->code.sources.items[i], &flags->model);
    add_glue(model, build, flags);
    return true;
}

const struct rp_dialect rp_dialect_st_ai = {
    .name = "st-ai",
    .models = "networks of the vendor's tools",
    .takes = RP_TAKES_USUAL | RP_TAKES_WEIGHTS | RP_TAKES_CUSTOM,
    .image = &rp_image_cortex_m,
    .own_glue = true,
    .has_companions = true,
    .recognise = recognise,
    .load = load_model,
    .plan = plan,
    .name_nodes = rp_st_ai_name_nodes,
};
