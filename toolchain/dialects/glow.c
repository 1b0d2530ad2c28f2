/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect glow: AOT bundles, as NXP's eIQ tools write them. A bundle is a header, compiled
 * code (an ELF object, or an archive named like one) and raw weights, side by side. The code is
 * linked as it is; the glue calls it with the addresses of its three memories.
 */
#include "toolchain/dialects/glow.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/flags.h"
#include "toolchain/dialects/glow_header.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/glue.h"

enum { HEADER_MAX = 256 << 10 };

/* ---- recognition ---- */

static bool is_header(struct rp_arena *arena, const char *path) {
    struct rp_bytes text;
    return rp_has_suffix(path, ".h") && rp_file_look(arena, path, HEADER_MAX, &text, NULL) &&
           rp_glow_is_header((const char *)text.data);
}

/* Lists the headers of bundles in a folder. */
static bool list_headers(struct rp_arena *arena, const char *dir, struct rp_strings *out,
                         struct rp_error *err) {
    struct rp_strings names = {0};
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = rp_path_join(arena, dir, names.items[i]);
        if (is_header(arena, path))
            rp_strings_push(arena, out, path);
    }
    return true;
}

static bool recognise(const char *path, const char *text) {
    struct rp_arena arena = {0};
    struct rp_strings headers = {0};
    if (text != NULL)
        return rp_has_suffix(path, ".o") ||
               (rp_has_suffix(path, ".h") &&
                (rp_glow_is_header(text) || strstr(text, "_GLOW_BUNDLE_") != NULL));
    bool found = list_headers(&arena, path, &headers, NULL) && headers.count != 0;
    rp_arena_release(&arena);
    return found;
}

static const struct rp_glow *own(const struct rp_model *model) {
    return model->own;
}

/* ---- files ---- */

/* The header is the input itself, the one named like the object, or the only one in the folder. */
static const char *find_header(struct rp_arena *arena, const struct rp_input *input,
                               struct rp_error *err) {
    bool folder = rp_path_is_dir(input->path);
    struct rp_strings headers = {0};
    if (!folder && !rp_has_suffix(input->path, ".o"))
        return input->path;
    const char *dir = folder ? input->path : rp_path_dir(arena, input->path);
    const char *stem = !folder               ? rp_path_stem(arena, input->path)
                       : input->name != NULL ? rp_path_join(arena, dir, input->name)
                                             : NULL;
    if (stem != NULL && is_header(arena, rp_format(arena, "%s.h", stem)))
        return rp_format(arena, "%s.h", stem);
    if (!list_headers(arena, dir, &headers, err))
        return NULL;
    if (headers.count == 1)
        return headers.items[0];
    if (headers.count == 0)
        rp_fail(err, RP_E_INPUT, "'%s': there is no header of a Glow bundle beside it",
                input->path);
    else
        rp_fail(err, RP_E_INPUT, "'%s': there is more than one bundle: %s, %s", input->path,
                headers.items[0], headers.items[1]);
    rp_hint(err, "name the header: -i %s/NAME.h", dir);
    return NULL;
}

struct beside {
    const char *suffix; /* ".o" */
    enum rp_error_id id;
    const char *dir;
    const char *names[3]; /* header's file name, function, macros' prefix */
};

/* Finds a file by any of the names; *found is NULL if there is none. Two different files are an
   error. */
static bool find_beside(struct rp_arena *arena, const struct beside *wanted, const char **found,
                        struct rp_error *err) {
    *found = NULL;
    for (size_t i = 0; i < sizeof wanted->names / sizeof wanted->names[0]; i++) {
        const char *path = rp_path_join(arena, wanted->dir,
                                        rp_format(arena, "%s%s", wanted->names[i], wanted->suffix));
        if (!rp_path_is_file(path) || (*found != NULL && rp_path_same(*found, path)))
            continue;
        if (*found != NULL) {
            rp_fail(err, wanted->id, "two files could belong to the bundle: '%s' and '%s'", *found,
                    path);
            return rp_hint(err, "keep one, named like the header");
        }
        *found = path;
    }
    return true;
}

static bool find_object(struct rp_model *model, struct rp_arena *arena,
                        const struct rp_input *input, struct beside wanted, struct rp_error *err) {
    const char *object = rp_has_suffix(input->path, ".o") ? input->path : NULL;
    wanted.suffix = ".o";
    wanted.id = RP_E_INPUT;
    if (object == NULL && !find_beside(arena, &wanted, &object, err))
        return false;
    if (object != NULL) {
        rp_strings_push(arena, &model->code.libraries, object);
        return true;
    }
    if (model->code.libraries.count != 0)
        return true; /* it may be in an archive that the user gave */
    rp_fail(err, RP_E_INPUT, "'%s': there is no '%s.o' beside it", own(model)->path,
            wanted.names[0]);
    return rp_hint(err, "put the bundle's object there, or give it with --runtime-lib");
}

static bool fail_no_weights(const struct rp_model *model, const struct beside *wanted,
                            struct rp_arena *arena, struct rp_error *err) {
    struct beside text = *wanted;
    const char *found;
    text.suffix = ".weights.txt";
    (void)find_beside(arena, &text, &found, NULL);
    rp_fail(err, RP_E_WEIGHTS,
            "'%s' declares %u bytes of weights, but there is no '%s.weights.bin' beside it%s%s%s",
            own(model)->path, own(model)->constant_size, wanted->names[0],
            found != NULL ? "; '" : "", found != NULL ? found : "",
            found != NULL ? "' is the same as text, which is not read" : "");
    return rp_hint(err, "give the binary file that Glow wrote together with the header: put it "
                        "there, or name it with --weights FILE");
}

static bool find_weights(struct rp_model *model, struct rp_arena *arena, struct beside wanted,
                         const char *given, struct rp_error *err) {
    const struct rp_glow *glow = own(model);
    uint64_t size = 0;
    wanted.suffix = ".weights.bin";
    wanted.id = RP_E_WEIGHTS;
    model->weights.policy = RP_WEIGHTS_IN_FILE;
    if (given != NULL)
        model->weights.file = given;
    else if (!find_beside(arena, &wanted, &model->weights.file, err))
        return false;
    if (model->weights.file == NULL)
        return glow->constant_size == 0 || fail_no_weights(model, &wanted, arena, err);
    if (!rp_file_size(model->weights.file, &size, err))
        return false;
    return size == glow->constant_size ||
           rp_fail(err, RP_E_WEIGHTS,
                   "'%s' has %llu bytes, '%s' declares %u (%s_CONSTANT_MEM_SIZE)",
                   model->weights.file, (unsigned long long)size, glow->path, glow->constant_size,
                   glow->prefix);
}

/* ---- tensors ---- */

/* A tensor of --entry has a name of the header; type and shape may be left to the header. */
static bool take_said(struct rp_glow *glow, struct rp_tensor *said, bool is_output,
                      struct rp_error *err) {
    struct rp_glow_tensor *of = rp_glow_find(glow, said->name);
    if (of == NULL || of->direction != RP_GLOW_UNKNOWN)
        return rp_fail(err, RP_E_ENTRY, "--entry: tensor '%s' is %s '%s'", said->name,
                       of == NULL ? "not in" : "named twice; it is in", glow->path);
    of->direction = is_output ? RP_GLOW_OUTPUT : RP_GLOW_INPUT;
    if (said->dtype == NULL) {
        *said = of->tensor;
        return true;
    }
    if (of->tensor.dtype != NULL && of->tensor.dtype != said->dtype)
        return rp_fail(err, RP_E_ENTRY, "--entry: tensor '%s' is %s, '%s' says %s", said->name,
                       said->dtype->name, glow->path, of->type);
    said->quantised = of->tensor.quantised;
    said->scale = of->tensor.scale;
    said->zero_point = of->tensor.zero_point;
    of->tensor = *said;
    return true;
}

static bool take_entry(struct rp_model *model, struct rp_glow *glow, struct rp_error *err) {
    for (size_t i = 0; i < model->inputs.count; i++)
        if (!take_said(glow, &model->inputs.items[i], false, err))
            return false;
    for (size_t i = 0; i < model->outputs.count; i++)
        if (!take_said(glow, &model->outputs.items[i], true, err))
            return false;
    for (size_t i = 0; i < glow->tensors.count; i++)
        if (glow->tensors.items[i].direction == RP_GLOW_UNKNOWN &&
            glow->tensors.items[i].type != NULL) /* without a comment: perhaps no tensor */
            return rp_fail(err, RP_E_ENTRY, "--entry does not say whether tensor '%s' is in or out",
                           glow->tensors.items[i].tensor.name);
    return true;
}

static bool take_names(struct rp_model *model, struct rp_arena *arena, struct rp_glow *glow,
                       struct rp_error *err) {
    if (!rp_glow_direct(glow, err))
        return false;
    for (size_t i = 0; i < glow->tensors.count; i++)
        rp_model_add_argument(model, arena, glow->tensors.items[i].direction == RP_GLOW_OUTPUT,
                              &glow->tensors.items[i].tensor);
    return true;
}

static bool check_types(const struct rp_glow *glow, const struct rp_tensors *tensors,
                        struct rp_error *err) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        if (tensor->dtype != NULL && tensor->rank != 0)
            continue;
        const char *type = rp_glow_find(glow, tensor->name)->type;
        rp_fail(err, RP_E_ENTRY, "%s: tensor '%s' has no type and shape that a report can have%s%s",
                glow->path, tensor->name, type != NULL ? ": " : "", type != NULL ? type : "");
        return rp_hint(err, "say them: --entry '%s(in NAME:float[1,28,28], out NAME:float[10])'",
                       glow->entry);
    }
    return true;
}

static bool take_tensors(struct rp_model *model, struct rp_arena *arena, struct rp_glow *glow,
                         const char *spec, struct rp_error *err) {
    if (spec != NULL && !rp_entry_parse(model, arena, spec, err))
        return false;
    if (spec != NULL && strcmp(model->entry.name, glow->entry) != 0)
        return rp_fail(err, RP_E_ENTRY, "--entry: the function of '%s' is '%s', not '%s'",
                       glow->path, glow->entry, model->entry.name);
    if (!(model->outputs.count != 0 ? take_entry(model, glow, err)
                                    : take_names(model, arena, glow, err)))
        return false;
    model->entry.name = glow->entry;
    return check_types(glow, &model->inputs, err) && check_types(glow, &model->outputs, err) &&
           rp_glow_check(glow, err);
}

/* ---- how it is called ---- */

static const struct rp_glow_tensor *place_of(const struct rp_model *model,
                                             const struct rp_tensor *tensor) {
    return rp_glow_find(own(model), tensor->name);
}

static void put_copies(struct rp_buf *out, const struct rp_model *model, const char *kind,
                       const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_glow_tensor *of = place_of(model, &tensors->items[i]);
        rp_buf_printf(out, "    rp_bundle_%s(%s[%zu], %uu, %uu);\n", kind, kind, i, of->offset,
                      of->size);
    }
}

static const char copies[] =
    "static inline void rp_bundle_in(const void *from, uint32_t at, uint32_t size) {\n"
    "    if (from != rp_acts + at)\n"
    "        rp_move(rp_acts + at, from, size);\n"
    "}\n"
    "static inline void rp_bundle_out(void *to, uint32_t at, uint32_t size) {\n"
    "    if (to != rp_acts + at)\n"
    "        rp_move(to, rp_acts + at, size);\n"
    "}\n"
    "static int rp_bundle_run(void **in, void **out) {\n"
    "    (void)in;\n";

/* The activations memory follows the mutable one. A tensor that is already in place is not copied.
 */
static char *run_function(const struct rp_model *model, struct rp_arena *arena, uint32_t acts_at) {
    const struct rp_glow *glow = own(model);
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(&out, "extern %s %s(uint8_t *, uint8_t *, uint8_t *);\n",
                  glow->returns_int ? "int" : "void", glow->entry);
    rp_buf_puts(&out, copies);
    put_copies(&out, model, "in", &model->inputs);
    rp_buf_printf(&out, "    %s%s(rp_weights, rp_acts, rp_acts + %uu)%s;\n",
                  glow->returns_int ? "if (" : "", glow->entry, acts_at,
                  glow->returns_int ? " != 0)\n        return 0" : "");
    put_copies(&out, model, "out", &model->outputs);
    rp_buf_puts(&out, "    return 1;\n}\n");
    return rp_buf_text(&out);
}

static void put_places(struct rp_buf *out, const struct rp_model *model, bool is_output,
                       bool placed) {
    const struct rp_tensors *tensors = is_output ? &model->outputs : &model->inputs;
    for (size_t i = 0; i < tensors->count; i++) {
        rp_buf_printf(out, "rp_%s[%zu].data = ", is_output ? "outputs" : "inputs", i);
        if (placed)
            rp_buf_printf(out, "rp_acts + %uu, ", place_of(model, &tensors->items[i])->offset);
        else
            rp_buf_puts(out, "NULL, ");
    }
}

/* From init to destroy, the buffers in the report are where the bundle has its tensors. */
static char *place_buffers(const struct rp_model *model, struct rp_arena *arena, bool placed) {
    struct rp_buf out = {.arena = arena};
    put_places(&out, model, false, placed);
    put_places(&out, model, true, placed);
    rp_buf_puts(&out, "1");
    return rp_buf_text(&out);
}

static void put_signature(struct rp_buf *out, const struct rp_model *model, const char *kind,
                          const struct rp_tensors *tensors) {
    rp_buf_printf(out, " %s=%zu", strcmp(kind, "in") == 0 ? "inputs" : "outputs", tensors->count);
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        const struct rp_glow_tensor *of = place_of(model, tensor);
        rp_buf_printf(out, " %s%zu_name=%s %s%zu_offset=%u %s%zu_size=%u %s%zu_type=%s %s%zu_dims=",
                      kind, i, tensor->name, kind, i, of->offset, kind, i, of->size, kind, i,
                      tensor->dtype->name, kind, i);
        for (unsigned d = 0; d < tensor->rank; d++)
            rp_buf_printf(out, "%s%u", d != 0 ? "," : "", tensor->shape[d]);
    }
}

/* The fields of a loadable module's control block: docs/TARGET.md, "Glow bundles". */
static char *signature(const struct rp_model *model, struct rp_arena *arena) {
    const struct rp_glow *glow = own(model);
    struct rp_buf out = {.arena = arena};
    rp_buf_printf(
        &out, "glow entry=%s const_mem_size=%u mut_mem_size=%u act_mem_size=%u mem_align=%u",
        glow->entry, glow->constant_size, glow->mutable_size, glow->activations_size, glow->align);
    put_signature(&out, model, "in", &model->inputs);
    put_signature(&out, model, "out", &model->outputs);
    return rp_buf_text(&out);
}

static void set_calls(struct rp_model *model, struct rp_arena *arena) {
    const struct rp_glow *glow = own(model);
    uint32_t acts_at = (glow->mutable_size + glow->align - 1) & ~(glow->align - 1);
    model->acts_size = (uint64_t)acts_at + glow->activations_size;
    model->weights.size = glow->constant_size;
    model->calls = (struct rp_calls){
        .declarations = run_function(model, arena, acts_at),
        .init = place_buffers(model, arena, true),
        .run = "rp_bundle_run(in, out)",
        .destroy = rp_format(arena, "(void)(%s)", place_buffers(model, arena, false)),
        .parts_align = glow->align,
        .signature = signature(model, arena),
    };
}

/* clang made the objects, with other sizes of wchar_t and enums. */
static void set_link(struct rp_model *model, struct rp_arena *arena) {
    RP_PUSH_WORDS(arena, &model->needs.link_options, "--no-wchar-size-warning",
                  "--no-enum-size-warning");
}

/* ---- loading ---- */

static struct rp_glow *read_header(struct rp_model *model, struct rp_arena *arena, const char *path,
                                   struct rp_error *err) {
    struct rp_glow *glow = rp_alloc(arena, 1, sizeof *glow);
    struct rp_bytes text;
    if (!rp_file_read(arena, path, HEADER_MAX, &text, err))
        return NULL;
    const struct rp_glow_text source = {path, (const char *)text.data, text.size};
    rp_strings_push(arena, &model->code.used_files, path);
    model->name = rp_path_base(rp_path_stem(arena, path));
    return rp_glow_parse(glow, arena, &source, err) ? glow : NULL;
}

static bool load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                 struct rp_error *err) {
    const char *path = find_header(arena, input, err);
    struct rp_glow *glow = path != NULL ? read_header(model, arena, path, err) : NULL;
    if (glow == NULL)
        return false;
    model->own = glow;
    model->entry.types_known = true;
    model->needs.may_patch = true;
    model->generator = glow->version != NULL ? rp_format(arena, "Glow %s", glow->version) : "Glow";
    const struct beside wanted = {.dir = rp_path_dir(arena, path),
                                  .names = {model->name, glow->entry, glow->prefix}};
    if (!find_object(model, arena, input, wanted, err) ||
        !find_weights(model, arena, wanted, input->weights, err) ||
        !take_tensors(model, arena, glow, input->entry, err))
        return false;
    set_calls(model, arena);
    set_link(model, arena);
    return true;
}

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    for (size_t i = 0; i < model->code.sources.count; i++)
        rp_build_add(build, model->code.sources.items[i], &flags->model);
    return rp_glue_c_add(model, build, flags, err);
}

const struct rp_dialect rp_dialect_glow = {
    .name = "glow",
    .models = "Glow bundles",
    .takes = RP_TAKES_USUAL | RP_TAKES_ENTRY | RP_TAKES_WEIGHTS,
    .image = &rp_image_cortex_m,
    .recognise = recognise,
    .load = load,
    .plan = plan,
};

const struct rp_glow *rp_glow_of(const struct rp_model *model) {
    return model->dialect == &rp_dialect_glow ? model->own : NULL;
}
