/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect stai: networks for the vendor's runtime with the newer C API (<name>.c, <name>_data.c and
 * headers; functions stai_<name>_init, _run, ...), built against a vendor pack like st-ai.
 * The entry glue for plain C treats them as a model whose buffers templates/glue_stai.h hands over.
 */
#include "toolchain/dialects/stai.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/flags.h"
#include "toolchain/npu/pack.h"
#include "toolchain/npu/release.h"
#include "toolchain/dialects/foreign.h"
#include "toolchain/dialects/stai_tensors.h"
#include "toolchain/calls/glue.h"
#include "toolchain/cread/define.h"
#include "toolchain/dialects/nodes.h"

enum {
    NODES_MAX = UINT16_MAX,
    TEXT_MAX = 1 << 30,
    BUFFERS_MAX = 64,
    BUFFER_ALIGN = 8,
    PART_MAX = 256 << 20
};

struct loading {
    struct rp_model *model;
    struct rp_arena *arena;
    const char *dir; /* of the network */
    const char *stem;
    const char *prefix; /* "STAI_NETWORK_" */
    const char *source; /* texts */
    const char *header;
    const char *weights; /* file that the user named, or NULL */
    struct rp_network_release release;
    struct rp_error *err;
};

static bool recognise(const char *path, const char *text) {
    return text != NULL && rp_has_suffix(path, ".c") && strstr(text, "stai_return_code") != NULL &&
           strstr(text, "STAI_INIT_TENSOR") != NULL && !rp_is_npu_wrapper(text);
}

/* ---- sizes ---- */

static bool number(struct loading *load, const char *name, int64_t most, int64_t *out) {
    const char *macro = rp_format(load->arena, "%s%s", load->prefix, name);
    *out = rp_find_number(load->header, macro);
    return (*out >= 0 && *out <= most) ||
           rp_fail(load->err, RP_E_WEIGHTS, "%s/%s.h does not define %s as a number from 0 to %lld",
                   load->dir, load->stem, macro, (long long)most);
}

/* Buffers of one kind: adds their macros to names and their sizes, each rounded up, to sum. */
static bool take_buffers(struct loading *load, const char *several, const char *one,
                         struct rp_buf *names, uint64_t *sum) {
    int64_t count, size;
    if (!number(load, rp_format(load->arena, "%s_NUM", several), BUFFERS_MAX, &count))
        return false;
    for (int64_t i = 1; i <= count; i++) {
        const char *name = rp_format(load->arena, "%s_%lld_SIZE_BYTES", one, (long long)i);
        if (!number(load, name, PART_MAX, &size))
            return false;
        rp_buf_printf(names, "%s%s, ", load->prefix, name);
        *sum += ((uint64_t)size + BUFFER_ALIGN - 1) & ~(uint64_t)(BUFFER_ALIGN - 1);
    }
    return *sum <= PART_MAX ||
           rp_fail(load->err, RP_E_TOO_LARGE, "'%s/%s.h': buffers of %llu bytes, 256 MiB at most",
                   load->dir, load->stem, (unsigned long long)*sum);
}

/* In a file, buffers follow each other; where they begin is known only without padding. */
static bool check_weights(struct loading *load, uint64_t rounded) {
    const struct rp_model *model = load->model;
    if (model->weights.policy == RP_WEIGHTS_OF_SOURCE || model->weights.size == 0)
        return true;
    if (model->weights.file == NULL) {
        rp_fail(load->err, RP_E_WEIGHTS,
                "'%s/%s.c' declares %llu bytes of weights, but there are neither arrays in "
                "'%s_data.c' nor a file '%s_data.bin'",
                load->dir, load->stem, (unsigned long long)model->weights.size, load->stem,
                load->stem);
        return rp_hint(load->err, "put the file from the same run of the generator beside the "
                                  "code, or name it with --weights FILE");
    }
    return rounded - model->weights.size < BUFFER_ALIGN ||
           rp_fail(load->err, RP_E_WEIGHTS,
                   "'%s': where its buffers of weights begin is not known, for their sizes are no "
                   "multiples of %d",
                   model->weights.file, (int)BUFFER_ALIGN);
}

/* Writes the macros that glue_stai.h needs. */
static bool declare(struct loading *load, struct rp_buf *out) {
    struct rp_buf acts = {.arena = load->arena}, weights = {.arena = load->arena};
    int64_t weights_size = 0;
    uint64_t rounded = 0;
    bool ok = take_buffers(load, "ACTIVATIONS", "ACTIVATION", &acts, &load->model->acts_size) &&
              take_buffers(load, "STATES", "STATE", &acts, &load->model->acts_size) &&
              take_buffers(load, "WEIGHTS", "WEIGHT", &weights, &rounded) &&
              number(load, "WEIGHTS_SIZE_BYTES", PART_MAX, &weights_size);
    rp_buf_printf(out,
                  "#include \"%s.h\"\n#define RP_FN(name) stai_%s_##name\n"
                  "#define RP_DEF(NAME) %s##NAME\n#define RP_STAI_SIZES %s\n"
                  "#define RP_STAI_WEIGHTS_SIZES %s\n#define RP_CALLS \"glue_stai.h\"\n"
                  "#define RP_REPORT_PARTS rp_stai_report\n",
                  load->stem, load->stem, load->prefix, acts.len != 0 ? acts.data : "",
                  weights.len != 0 ? weights.data : "");
    int64_t macc = rp_find_number(load->header, rp_format(load->arena, "%sMACC_NUM", load->prefix));
    if (macc >= 0)
        rp_buf_printf(out, "#define RP_MACC %lldu\n", (long long)macc);
    int64_t nodes =
        rp_find_number(load->header, rp_format(load->arena, "%sNODES_NUM", load->prefix));
    if (nodes > 0 && nodes <= NODES_MAX)
        rp_buf_printf(out, "#define RP_STAI_NODES %lldu\n#define RP_NODES RP_STAI_NODES\n",
                      (long long)nodes);
    load->model->weights.size = (uint64_t)weights_size;
    return ok && check_weights(load, rounded);
}

/* ---- files ---- */

static const char *beside(struct loading *load, const char *suffix) {
    return rp_find_beside(load->model, load->arena, load->dir,
                          rp_format(load->arena, "%s%s", load->stem, suffix));
}

static bool read_text(struct loading *load, const char *path, const char **text) {
    struct rp_bytes bytes;
    if (!rp_file_read(load->arena, path, TEXT_MAX, &bytes, load->err))
        return false;
    *text = (const char *)bytes.data;
    return true;
}

/* Its text, which may hold all weights as numbers, is not kept. */
static bool has_arrays(struct loading *load, const char *path, bool *out) {
    struct rp_arena scratch = {0};
    struct rp_bytes bytes;
    rp_file_note(path);
    bool ok = rp_file_look(&scratch, path, TEXT_MAX, &bytes, load->err);
    *out = ok && strstr((const char *)bytes.data, "] = {") != NULL;
    rp_arena_release(&scratch);
    return ok;
}

static bool read_network(struct loading *load, const char *path) {
    struct rp_model *model = load->model;
    const char *init = rp_format(load->arena, "stai_%s_init(", load->stem);
    const char *header = beside(load, ".h");
    if (!read_text(load, path, &load->source))
        return false;
    if (header == NULL) {
        rp_fail(load->err, RP_E_INPUT, "'%s': its header '%s/%s.h' was not found", path, load->dir,
                load->stem);
        return rp_hint(load->err, "-I FOLDER names where the network's headers are");
    }
    if (!read_text(load, header, &load->header))
        return false;
    if (strcmp(rp_c_identifier(load->arena, load->stem), load->stem) != 0 ||
        strstr(load->source, init) == NULL)
        return rp_fail(load->err, RP_E_INPUT,
                       "'%s' has no function %s): a network's file has to have its C name", path,
                       init);
    const struct rp_stai_text text = {path, load->source, load->header, load->prefix};
    rp_strings_push(load->arena, &model->code.sources, path);
    const char *data = beside(load, "_data.c");
    bool in_arrays = false;
    if (data != NULL) {
        rp_strings_push(load->arena, &model->code.sources, data);
        if (!has_arrays(load, data, &in_arrays))
            return false;
    }
    model->weights.policy = in_arrays ? RP_WEIGHTS_OF_SOURCE : RP_WEIGHTS_IN_FILE;
    if (in_arrays)
        model->weights.source = data;
    else
        model->weights.file = load->weights != NULL ? load->weights : beside(load, "_data.bin");
    return rp_stai_tensors(model, load->arena, &text, load->err);
}

/* The numbers after a member, ".tool_version = STAI_INIT_VERSION(3, 0, 0)": "3.0.0", or NULL. */
static const char *read_version(struct loading *load, const char *member,
                                struct rp_release *release) {
    const char *start = rp_format(load->arena, "%s = STAI_INIT_VERSION(", member);
    const char *at = strstr(load->source, start);
    *release = (struct rp_release){-1, -1};
    if (at == NULL)
        return NULL;
    at += strlen(start);
    char *plain = rp_strndup(load->arena, at, strcspn(at, ")\n"));
    size_t kept = 0;
    for (const char *c = plain; *c != '\0'; c++)
        if (isdigit((unsigned char)*c) || *c == ',')
            plain[kept++] = *c == ',' ? '.' : *c;
    plain[kept] = '\0';
    char *end = plain;
    if (isdigit((unsigned char)*plain))
        release->major = strtol(plain, &end, 10);
    if (end != plain && end[0] == '.' && isdigit((unsigned char)end[1]))
        release->minor = strtol(end + 1, NULL, 10);
    return plain;
}

static void read_releases(struct loading *load) {
    const char *tool = read_version(load, ".tool_version", &load->release.tool);
    read_version(load, ".runtime_version", &load->release.runtime);
    load->release.newer_api = true;
    if (tool != NULL)
        load->model->generator = rp_format(load->arena, "stai %s", tool);
}

/* The generator's digits for the model, which the report repeats. */
static const char *model_signature(const struct loading *load) {
    const char *text = rp_find_define(
        load->header, rp_format(load->arena, "%sORIGIN_MODEL_SIGNATURE", load->prefix));
    size_t len = text != NULL && *text == '"' ? strspn(text + 1, "0123456789abcdefABCDEFx") : 0;
    return len != 0 && text[len + 1] == '"' ? rp_strndup(load->arena, text + 1, len) : NULL;
}

/* The functions that an application calls to run the network. */
static void take_roots(struct rp_model *model, struct rp_arena *arena, const char *stem) {
    static const char *const names[] = {
        "init",        "get_weights",  "set_weights", "set_activations", "set_states", "set_inputs",
        "set_outputs", "set_callback", "run",         "deinit"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        rp_strings_push(arena, &model->entry.roots, rp_format(arena, "stai_%s_%s", stem, names[i]));
    RP_PUSH_WORDS(arena, &model->entry.roots, "stai_runtime_init", "stai_runtime_deinit");
}

static bool load_model(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                       struct rp_error *err) {
    struct loading load = {.model = model, .arena = arena, .err = err};
    struct rp_buf declarations = {.arena = arena};
    struct rp_pack pack;
    load.weights = input->weights;
    load.dir = rp_path_dir(arena, input->path);
    load.stem = rp_path_base(rp_path_stem(arena, input->path));
    load.prefix = rp_format(arena, "STAI_%s_", rp_upper(arena, load.stem));
    model->name = load.stem;
    model->entry.name = load.stem;
    model->needs.vendor_runtime = true;
    take_roots(model, arena, load.stem);
    bool ok = read_network(&load, input->path) && declare(&load, &declarations);
    model->calls = (struct rp_calls){
        .declarations = rp_strdup(arena, ok ? declarations.data : ""),
        .init = "rp_stai_init(weights, activations)",
        .run = "rp_stai_run(in, out)",
        .destroy = "rp_stai_deinit()",
        .signature = ok ? model_signature(&load) : NULL,
    };
    if (!ok || !rp_pack_open(&pack, model, arena, input, err))
        return false;
    read_releases(&load);
    rp_strings_push(arena, &model->code.include_dirs, load.dir);
    if (pack.ai != NULL)
        rp_strings_push(arena, &model->code.include_dirs, rp_path_join(arena, pack.ai, "Inc"));
    return input->describe_only || (rp_pack_finish(&pack, model, arena, "stai.h", err) &&
                                    rp_release_check(model, arena, input, &load.release, err));
}

/* ---- units ---- */

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    struct rp_plan_flags glue = *flags;
    glue.glue = (struct rp_strings){0};
    rp_strings_append(build->arena, &glue.glue, &flags->glue);
    rp_strings_push(build->arena, &glue.glue, "-DAI_RELOC_OWN_TYPES");
    rp_strings_push(build->arena, &glue.glue,
                    rp_format(build->arena, "-I%s",
                              rp_path_join(build->arena, build->options->data_dir, "templates")));
    rp_strings_append_each(build->arena, &glue.glue, "-I", &model->code.include_dirs);
    for (size_t i = 0; i < model->code.sources.count; i++)
        rp_build_add(build, model->code.sources.items[i], &flags->model);
    bool ok = rp_glue_c_add(model, build, &glue, err);
    build->units.items[build->units.count - 1].own = false; /* it includes the network's header */
    return ok;
}

const struct rp_dialect rp_dialect_stai = {
    .name = "stai",
    .models = "networks of the vendor's tools",
    .takes = RP_TAKES_USUAL | RP_TAKES_WEIGHTS | RP_TAKES_CUSTOM,
    .image = &rp_image_cortex_m,
    .has_companions = true,
    .recognise = recognise,
    .load = load_model,
    .plan = plan,
    .name_nodes = rp_stai_name_nodes,
};
