/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes model_glue.h, which tells templates/glue_c.c the model's tensors and how to call it. Names
 * in it are identifiers or numbered; free text goes into string literals, escaped.
 */
#include "toolchain/calls/glue.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/series.h"
#include "toolchain/calls/calls.h"

/* Words of an image for the buffers, besides the shapes. */
enum {
    KEPT = 8,         /* for each that is in the file: 7, and one in REL */
    MADE_WORD = 1,    /* for each that create makes */
    MADE_CODE = 12,   /* its code, for the core where it is longest; and as many as a shape has */
    MADE_REACH = 255, /* a word says in 8 bits where the shape is */
};

/* Positions in ai_buffer.format: docs/FORMAT.md, "Buffer formats". */
static uint32_t buffer_format(const struct rp_dtype *dtype) {
    enum { TYPE_FLOAT = 1, TYPE_Q = 2, TYPE_BOOL = 3, NO_FRACTION = 64 };
    uint32_t type = dtype->is_float ? TYPE_FLOAT : TYPE_Q;
    if (strcmp(dtype->name, "bool") == 0)
        type = TYPE_BOOL;
    return (uint32_t)dtype->is_signed << 23 | type << 17 | (dtype->size_bytes * 8) << 7 |
           NO_FRACTION;
}

/*
 * Batch, channel, width, height (then depth, extension). The innermost dimension of the C array is
 * the channel, as in the vendor's tensors; a leading 1 is the batch. Beyond six dimensions, the
 * outer ones are multiplied into the last.
 */
static unsigned buffer_shape(const struct rp_tensor *tensor, uint32_t shape[6]) {
    bool batch = tensor->rank > 1 && tensor->shape[0] == 1;
    unsigned count = 1;
    for (unsigned i = 0; i < 6; i++)
        shape[i] = 1;
    for (unsigned i = tensor->rank; i-- > (unsigned)batch;) {
        if (count < 6)
            shape[count++] = tensor->shape[i];
        else
            shape[5] *= tensor->shape[i];
    }
    return count < 4 ? 4 : count;
}

static void put_quantisation(struct rp_buf *out, const struct rp_tensor *tensor, const char *id) {
    bool is_signed = tensor->dtype->is_signed;
    rp_buf_printf(out, "static const ai_float rp_scale_%s = %#.9gf;\n", id, tensor->scale);
    rp_buf_printf(out, "static const %s rp_zero_%s = %d;\n", is_signed ? "ai_i8" : "ai_u8", id,
                  tensor->zero_point);
    rp_buf_printf(out, "static ai_intq_info rp_intq_%s = {&rp_scale_%s, &rp_zero_%s};\n", id, id,
                  id);
    rp_buf_printf(out,
                  "static ai_intq_info_list rp_list_%s = {AI_BUFFER_META_FLAG_SCALE_FLOAT | "
                  "AI_BUFFER_META_FLAG_ZEROPOINT_%s, 1, &rp_intq_%s};\n",
                  id, is_signed ? "S8" : "U8", id);
    rp_buf_printf(out,
                  "static ai_buffer_meta_info rp_meta_%s = {AI_BUFFER_META_HAS_INTQ_INFO, "
                  "&rp_list_%s};\n",
                  id, id);
}

static bool has_meta(const struct rp_tensor *tensor) {
    return tensor->quantised && tensor->dtype->size_bytes == 1;
}

/*
 * The shapes of all tensors, in one array: they overlap where they can. made: create makes the
 * buffers from a word for each, which it can if all have one rank.
 */
struct shapes {
    uint32_t *items; /* room for six for each tensor */
    size_t count;
    unsigned rank; /* no shape has less */
    bool made;
};

static unsigned shape_in(const struct shapes *shapes, const struct rp_tensor *tensor,
                         uint32_t shape[6]) {
    unsigned rank = buffer_shape(tensor, shape);
    return rank < shapes->rank ? shapes->rank : rank;
}

/* Where a shape is in the array, or begins when its end still has to be added to the array. */
static size_t find_shape(const struct shapes *shapes, const uint32_t *shape, unsigned rank) {
    size_t at = 0;
    for (unsigned i = 0; at + i < shapes->count && i < rank;)
        if (shapes->items[at + i] == shape[i])
            i++;
        else
            at++, i = 0;
    return at;
}

static void add_shapes(struct shapes *shapes, const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        uint32_t shape[6];
        unsigned rank = shape_in(shapes, &tensors->items[i], shape);
        size_t at = find_shape(shapes, shape, rank);
        for (; at + rank > shapes->count; shapes->count++)
            shapes->items[shapes->count] = shape[shapes->count - at];
    }
}

/* Returns the highest rank; *meta: whether one has more than create can make. */
static unsigned highest_rank(const struct rp_tensors *tensors, bool *meta) {
    uint32_t shape[6];
    unsigned highest = 4;
    for (size_t i = 0; i < tensors->count; i++) {
        unsigned rank = buffer_shape(&tensors->items[i], shape);
        highest = rank > highest ? rank : highest;
        *meta = *meta || has_meta(&tensors->items[i]);
    }
    return highest;
}

static struct shapes shapes_of(const struct rp_model *model, struct rp_arena *arena,
                               unsigned rank) {
    struct shapes shapes = {.items = rp_alloc(arena, model->inputs.count + model->outputs.count + 1,
                                              6 * sizeof *shapes.items),
                            .rank = rank};
    add_shapes(&shapes, &model->inputs);
    add_shapes(&shapes, &model->outputs);
    return shapes;
}

/* Decides, by the words of the image, who makes the buffers. */
static struct shapes find_shapes(const struct rp_model *model, struct rp_arena *arena) {
    const size_t count = model->inputs.count + model->outputs.count;
    bool meta = false;
    unsigned in = highest_rank(&model->inputs, &meta), out = highest_rank(&model->outputs, &meta);
    unsigned rank = in > out ? in : out;
    struct shapes kept = shapes_of(model, arena, 4), made = shapes_of(model, arena, rank);
    made.made = !meta && made.count + count <= MADE_REACH &&
                made.count + MADE_WORD * count + MADE_CODE + rank < kept.count + KEPT * count;
    return made.made ? made : kept;
}

static void put_shapes(struct rp_buf *out, const struct shapes *shapes) {
    for (size_t i = 0; i < shapes->count; i++)
        rp_buf_printf(out, "%s%u", i != 0 ? ", " : "", shapes->items[i]);
}

/* at: number of words from the first shape to theirs. Each says how far behind its shape it ends.
 */
static void put_words(struct rp_buf *out, const struct rp_tensors *tensors,
                      const struct shapes *shapes, size_t at) {
    for (size_t i = 0; i < tensors->count; i++) {
        uint32_t shape[6];
        unsigned rank = shape_in(shapes, &tensors->items[i], shape);
        rp_buf_printf(out, ", 0x%08zx",
                      (size_t)buffer_format(tensors->items[i].dtype) << 8 |
                          (at + i + 1 - find_shape(shapes, shape, rank)));
    }
}

static void put_buffers(struct rp_buf *out, const struct rp_tensors *tensors, const char *kind,
                        const struct shapes *shapes) {
    for (size_t i = 0; i < tensors->count; i++) {
        char id[32];
        snprintf(id, sizeof id, "%s%zu", kind, i);
        if (has_meta(&tensors->items[i]))
            put_quantisation(out, &tensors->items[i], id);
    }
    rp_buf_printf(out, "#define RP_%sPUT_TABLE", kind[0] == 'i' ? "IN" : "OUT");
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        uint32_t shape[6];
        unsigned rank = shape_in(shapes, tensor, shape);
        rp_buf_printf(out, " \\\n    {0x%08x, NULL, ", buffer_format(tensor->dtype));
        if (has_meta(tensor))
            rp_buf_printf(out, "&rp_meta_%s%zu", kind, i);
        else
            rp_buf_puts(out, "NULL");
        rp_buf_printf(out, ", 0, %lluu, {1, %u, (ai_shape_dimension *)rp_shapes + %zu}},",
                      (unsigned long long)rp_tensor_elements(tensor), rank,
                      find_shape(shapes, shape, rank));
    }
    if (tensors->count == 0)
        rp_buf_puts(out, " {0}");
    rp_buf_puts(out, "\n");
}

static void put_tensors(struct rp_buf *out, const struct rp_model *model) {
    struct shapes shapes = find_shapes(model, out->arena);
    if (shapes.made) {
        rp_buf_puts(out, "#define RP_WORDS ");
        put_shapes(out, &shapes);
        put_words(out, &model->inputs, &shapes, shapes.count);
        put_words(out, &model->outputs, &shapes, shapes.count + model->inputs.count);
        rp_buf_puts(out, "\n");
        return;
    }
    rp_buf_puts(out, "static const ai_shape_dimension rp_shapes[] = {");
    put_shapes(out, &shapes);
    rp_buf_puts(out, "};\n");
    put_buffers(out, &model->inputs, "in", &shapes);
    put_buffers(out, &model->outputs, "out", &shapes);
}

/* They are one string literal, so that one address leads to all of them. */
static void put_names(struct rp_buf *out, const struct rp_model *model) {
    const char *signature =
        model->calls.signature != NULL ? model->calls.signature : model->entry.name;
    size_t at = strlen(model->c_name) + 1;
    rp_buf_printf(out, "#define RP_NAMES \"%s\" \"\\0\" ", model->c_name);
    if (strcmp(signature, model->c_name) == 0)
        at = 0;
    else
        rp_buf_printf(out, "\"%s\" \"\\0\" ", signature);
    rp_buf_puts(out, "\"relocpack\"\n");
    rp_buf_printf(out, "#define RP_SIGNATURE_AT %zu\n#define RP_TOOL_AT %zu\n", at,
                  at + strlen(signature) + 1);
}

static void put_calls(struct rp_buf *out, const struct rp_model *model, struct rp_arena *arena) {
    const struct rp_calls calls =
        model->calls.run != NULL ? model->calls : rp_calls_by_name(model, arena);
    if (calls.declarations != NULL)
        rp_buf_puts(out, calls.declarations);
    if (calls.parts_align != 0)
        rp_buf_printf(out,
                      "#define RP_PARTS_ALIGN %uu\n#define RP_WEIGHTS_SIZE %lluu\n"
                      "#define RP_ACTS_SIZE %lluu\n",
                      calls.parts_align, (unsigned long long)model->weights.size,
                      (unsigned long long)model->acts_size);
    if (calls.init != NULL)
        rp_buf_printf(out, "#define RP_INIT() (%s)\n", calls.init);
    if (calls.destroy != NULL)
        rp_buf_printf(out, "#define RP_DESTROY() %s\n", calls.destroy);
    rp_buf_printf(out, "#define RP_CALL(in, out) (%s)\n", calls.run);
}

/* No microcontroller has memory for more. Products of dimensions wrap only far above. */
static bool check_sizes(const struct rp_tensors *tensors, struct rp_error *err) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        uint64_t bytes = tensor->dtype->size_bytes;
        for (unsigned d = 0; d < tensor->rank; d++)
            if (__builtin_mul_overflow(bytes, tensor->shape[d], &bytes) ||
                bytes > RELOC_OFFSET_MASK)
                return rp_fail(err, RP_E_TOO_LARGE, "tensor '%s' has more than 256 MiB",
                               tensor->name);
    }
    return true;
}

bool rp_glue_c_write(const struct rp_model *model, struct rp_build *build, uint32_t flags_word,
                     struct rp_error *err) {
    if (model->entry.name == NULL) /* a dry run knows no entry */
        return build->options->dry_run;
    if (!check_sizes(&model->inputs, err) || !check_sizes(&model->outputs, err))
        return false;
    struct rp_buf out = {.arena = build->arena};
    rp_buf_puts(&out, "/* Generated: what templates/glue_c.c needs to know of the model. */\n");
    put_names(&out, model);
    rp_buf_printf(&out, "#define RP_FLAGS 0x%08xu\n", flags_word);
    put_calls(&out, model, build->arena);
    put_tensors(&out, model);
    return rp_build_write(build, "model_glue.h", out.data, out.len, err);
}

uint32_t rp_flags_word(const struct rp_plan_flags *flags) {
    const struct rp_target *target = flags->target;
    return RELOC_FLAGS(RELOC_MAJOR, RELOC_MINOR, flags->compiler->tool, target->float_abi,
                       target->fpu != NULL, target->core->part);
}

bool rp_glue_c_add(const struct rp_model *model, struct rp_build *build,
                   const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_strings glue = {0};
    build->model_units = build->units.count;
    rp_strings_append(build->arena, &glue, &flags->glue);
    rp_strings_push(build->arena, &glue, "-I.");
    /* It is called a few times a run, so its size matters. All of it is used: in one section, its
       branches are short. Where it patches code, the linker puts its boot code before what may be
       patched. */
    rp_strings_push(build->arena, &glue, "-Os");
    if (!rp_strings_have(&glue, "-DRP_COPY_ONLY"))
        rp_strings_push(build->arena, &glue, "-fno-function-sections");
    const struct shapes shapes = find_shapes(model, build->arena);
    if (shapes.made)
        rp_strings_push(build->arena, &glue, rp_format(build->arena, "-DRP_MADE=%u", shapes.rank));
    rp_strings_push(build->arena, &glue,
                    rp_format(build->arena, "-DRP_INPUTS=%zu", model->inputs.count));
    rp_strings_push(build->arena, &glue,
                    rp_format(build->arena, "-DRP_OUTPUTS=%zu", model->outputs.count));
    if (model->calls.parts_align != 0)
        rp_strings_push(build->arena, &glue, "-DRP_PARTS");
    struct rp_unit *unit = rp_build_add(
        build, rp_path_join(build->arena, build->options->data_dir, "templates/glue_c.c"), &glue);
    rp_build_trust_names(build, unit);
    unit->key = "model_glue.h";
    unit->later = !flags->is_static && !build->options->dry_run;
    return rp_glue_c_write(model, build, rp_flags_word(flags), err);
}
