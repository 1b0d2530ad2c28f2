/* SPDX-License-Identifier: Apache-2.0 */
/* C for the firmware: see c_files.h. */
#include "cli/generate/c_files.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "elfpack/image/c_array.h"

/* What is written, and how its macros and functions begin. */
struct writing {
    struct rp_generation *run;
    const struct rp_c_files *names;
    struct rp_buf *out;
    const char *macro; /* "AI_KWS_RELOC" */
    const char *name;  /* "ai_kws_reloc" */
    const struct rp_report_format *format;
};

static void put_macro(const struct writing *to, const char *what, const char *value) {
    rp_buf_printf(to->out, "#define %s_%-21s %s\n", to->macro, what, value);
}

static void put_number(const struct writing *to, const char *what, uint64_t value) {
    put_macro(to, what, rp_format(to->run->arena, "(%lluu)", (unsigned long long)value));
}

/* ---- sizes ---- */

static uint32_t max(uint32_t one, uint32_t other) {
    return one > other ? one : other;
}

static uint32_t align_of(const struct rp_section *section) {
    return section != NULL ? section->align : 1;
}

static void put_sizes(const struct writing *to) {
    const struct rp_report *report = &to->run->report;
    const struct rp_parts *parts = &to->run->package.placed.layout.parts;
    const uint32_t handed = to->run->package.model.calls.parts_align;
    const uint32_t code = max(align_of(parts->flash), align_of(parts->ec_blobs));
    const uint32_t weights = max(max(align_of(parts->weights), handed), RELOC_WEIGHTS_ALIGN);
    const uint32_t ram = max(align_of(parts->data), align_of(parts->bss));
    if (to->run->package.placed.layout.words.text_patches != 0)
        rp_buf_puts(to->out, "/* for COPY mode only: code is patched in the copy */\n");
    put_number(to, "RAM_SIZE_XIP", rp_parts_ram_xip(parts));
    put_number(to, "RAM_SIZE_COPY", rp_parts_ram_copy(parts));
    put_number(to, "RAM_ALIGNMENT", max(max(ram, code), RELOC_NPU_ALIGN));
    put_number(to, "ACTIVATIONS_SIZE", report->image.acts_size);
    if (to->run->package.format->image->counts_acts)
        put_number(to, "ACTIVATIONS_ALIGNMENT", max(max(align_of(parts->acts), handed), 8));
    put_number(to, "WEIGHTS_SIZE", report->image.weights_size);
    if (report->split) {
        put_number(to, "WEIGHTS_FILE_SIZE", report->image.weights.length);
        put_number(to, "WEIGHTS_ALIGNMENT", weights);
    }
    put_number(to, "IMAGE_SIZE", report->image.image.length);
    put_number(to, "IMAGE_ALIGNMENT", max(code, report->split ? RELOC_WEIGHTS_ALIGN : weights));
    if (to->format->macros != NULL)
        to->format->macros(&to->run->package, to->out);
}

/* ---- tensors ---- */

static bool is_bool(const struct rp_tensor *tensor) {
    return strcmp(tensor->dtype->name, "bool") == 0;
}

/* way: "IN", "OUT"; type: "in", "out". */
static void put_tensor(const struct writing *to, const struct rp_tensor *tensor, const char *way,
                       const char *type, size_t number) {
    struct rp_arena *arena = to->run->arena;
    const char *of = rp_format(arena, "%s_%zu", way, number);
    rp_buf_puts(to->out, "\n");
    put_macro(to, rp_format(arena, "%s_NAME", of),
              rp_format(arena, "\"%s\"", rp_c_string(arena, tensor->name)));
    put_number(to, rp_format(arena, "%s_SIZE", of), rp_tensor_elements(tensor));
    put_number(to, rp_format(arena, "%s_SIZE_BYTES", of), rp_tensor_bytes(tensor));
    if (tensor->quantised) {
        const char *scale = rp_format(arena, "%.9g", tensor->scale);
        const char *point = strpbrk(scale, ".e") != NULL ? "" : ".0";
        put_macro(to, rp_format(arena, "%s_SCALE", of), rp_format(arena, "(%s%sf)", scale, point));
        put_macro(to, rp_format(arena, "%s_ZERO_POINT", of),
                  rp_format(arena, "(%ld)", (long)tensor->zero_point));
    }
    rp_buf_printf(to->out, "typedef %s %s_%s_%zu", is_bool(tensor) ? "bool" : tensor->dtype->c_type,
                  to->name, type, number);
    for (unsigned i = 0; i < tensor->rank; i++)
        rp_buf_printf(to->out, "[%lu]", (unsigned long)tensor->shape[i]);
    rp_buf_puts(to->out, ";\n");
}

static bool any_bool(const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++)
        if (is_bool(&tensors->items[i]))
            return true;
    return false;
}

static void put_tensors(const struct writing *to, const struct rp_model *model) {
    if (model->inputs.count == 0 && model->outputs.count == 0)
        return; /* only the runtime knows them */
    rp_buf_puts(to->out, "\n/* Tensors; SIZE is the number of elements. */\n");
    put_number(to, "IN_NUM", model->inputs.count);
    put_number(to, "OUT_NUM", model->outputs.count);
    for (size_t i = 0; i < model->inputs.count; i++)
        put_tensor(to, &model->inputs.items[i], "IN", "in", i + 1);
    for (size_t i = 0; i < model->outputs.count; i++)
        put_tensor(to, &model->outputs.items[i], "OUT", "out", i + 1);
}

/* ---- files ---- */

static const char *getter(const struct writing *to, const char *what) {
    return rp_format(to->run->arena, "%s%s_%s_get(void)", to->format->getter_type, to->name, what);
}

static void put_getters(const struct writing *to) {
    if (to->names->image == NULL && to->names->weights == NULL)
        return;
    rp_buf_puts(to->out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    if (to->names->image != NULL)
        rp_buf_printf(to->out, "%s; /* the image */\n", getter(to, "img"));
    if (to->names->weights != NULL)
        rp_buf_printf(to->out, "%s; /* the weights file */\n", getter(to, "weights"));
    rp_buf_puts(to->out, "#ifdef __cplusplus\n}\n#endif\n");
}

static bool write_text(const struct writing *to, const char *name, const struct rp_buf *text,
                       struct rp_error *err) {
    return rp_file_write(rp_outputs_add(&to->run->outputs, name), text->data, text->len, err);
}

static bool write_header(const struct writing *to, struct rp_error *err) {
    const struct rp_model *model = &to->run->package.model;
    const bool bools = any_bool(&model->inputs) || any_bool(&model->outputs);
    rp_buf_printf(to->out,
                  RP_MADE_BY ": sizes and tensors of the image of model '%s'. Sizes are in bytes.\n"
                             " * Another image of the model may need more: the loader tells "
                             "(ai_rel_network_info). */\n"
                             "#ifndef %s_H\n#define %s_H\n\n%s#include <stdint.h>\n\n",
                  model->name, to->macro, to->macro, bools ? "#include <stdbool.h>\n" : "");
    put_sizes(to);
    put_tensors(to, model);
    put_getters(to);
    rp_buf_puts(to->out, "\n#endif\n");
    return write_text(to, to->names->header, to->out, err);
}

static bool write_array(const struct writing *to, const char *name, const struct rp_c_array *kind,
                        struct rp_error *err) {
    struct rp_c_array array = *kind;
    struct rp_generation *run = to->run;
    array.path = rp_path_join(run->arena, run->outputs.stage, kind->path);
    array.c_path = rp_outputs_add(&run->outputs, name);
    array.header = to->names->header;
    array.size = rp_format(run->arena, "%s_%s", to->macro, kind->size);
    array.alignment = rp_format(run->arena, "%s_%s", to->macro, kind->alignment);
    array.as_number = to->format->getter_is_number;
    return rp_c_array_write(&array, err);
}

bool rp_c_files_write(struct rp_generation *run, const struct rp_c_files *names,
                      struct rp_error *err) {
    const char *c_name = run->package.model.c_name;
    struct rp_buf header = {.arena = run->arena}, forward = {.arena = run->arena};
    const struct writing to = {
        .run = run,
        .names = names,
        .out = &header,
        .macro = rp_format(run->arena, "AI_%s_RELOC", rp_upper(run->arena, c_name)),
        .name = rp_format(run->arena, "ai_%s_reloc", c_name),
        .format = run->package.format->report,
    };
    const struct rp_c_array image = {.path = run->report.image_name,
                                     .size = "IMAGE_SIZE",
                                     .alignment = "IMAGE_ALIGNMENT",
                                     .getter = getter(&to, "img")};
    const struct rp_c_array weights = {.path = run->report.weights_name,
                                       .size = "WEIGHTS_FILE_SIZE",
                                       .alignment = "WEIGHTS_ALIGNMENT",
                                       .getter = getter(&to, "weights")};
    if ((names->image != NULL || names->weights != NULL) &&
        strpbrk(names->header, "\"\n") != NULL) {
        rp_fail(err, RP_E_USAGE, "no C file can include a header of the name '%s'", names->header);
        return rp_hint(err, "--name NAME gives the files another one");
    }
    rp_buf_printf(&forward, RP_MADE_BY ". */\n#include \"%s\"\n", names->header);
    return write_header(&to, err) &&
           (names->image == NULL || write_array(&to, names->image, &image, err)) &&
           (names->image_header == NULL || write_text(&to, names->image_header, &forward, err)) &&
           (names->weights == NULL || write_array(&to, names->weights, &weights, err));
}
