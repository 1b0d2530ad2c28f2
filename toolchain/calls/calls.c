/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as C text: see calls.h. */
#include "toolchain/calls/calls.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/calls/cplusplus.h"
#include "toolchain/calls/said.h"

/* ---- one call ---- */

static bool is_place(const char *value) {
    return isalpha((unsigned char)value[0]);
}

/* "in12" as C text. A model is not likely to have such names. */
static void put_place(struct rp_buf *out, const char *place) {
    int letters = rp_has_prefix(place, "in") ? 2 : 3;
    rp_buf_printf(out, "rp_%.*s[%s]", letters, place, place + letters);
}

/* NAME(rp_in[0], 4) */
static void put_call(struct rp_buf *out, const struct rp_call *call) {
    rp_buf_printf(out, "%s(", call->name);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const char *value = call->arguments.items[i];
        rp_buf_puts(out, i != 0 ? ", " : "");
        if (is_place(value))
            put_place(out, value);
        else
            rp_buf_puts(out, rp_said_in_c(out->arena, value));
    }
    rp_buf_puts(out, ")");
}

/* Buffers are addresses; a number has the type that C gives it. */
static void put_declaration(struct rp_buf *out, const char *type, const struct rp_call *call) {
    rp_buf_printf(out, "extern %s %s(", type, call->name);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const char *value = call->arguments.items[i];
        rp_buf_puts(out, i != 0 ? ", " : "");
        if (is_place(value))
            rp_buf_puts(out, "void *");
        else
            rp_buf_printf(out, "__typeof__(%s)", rp_said_in_c(out->arena, value));
    }
    rp_buf_printf(out, "%s);\n", call->arguments.count == 0 ? "void" : "");
}

/* What the function returns, in C. */
static char *return_type(const struct rp_model *model, struct rp_arena *arena,
                         const struct rp_call *call) {
    if (call->result == NULL)
        return rp_strdup(arena, "void");
    if (is_place(call->result) && model->entry.returns_address)
        return rp_strdup(arena, "void *");
    if (is_place(call->result))
        return rp_strdup(arena, rp_tensor_at(model, call->result)->dtype->c_type);
    return rp_format(arena, "__typeof__(%s)", rp_said_in_c(arena, call->result));
}

/* The call as an expression that is not 0 on success. */
static void put_checked(struct rp_buf *out, const struct rp_model *model,
                        const struct rp_call *call) {
    bool output = call->result != NULL && is_place(call->result);
    if (output && model->entry.returns_address) {
        rp_buf_puts(out, "rp_copy(");
        put_place(out, call->result);
        rp_buf_puts(out, ", ");
        put_call(out, call);
        rp_buf_printf(out, ", %lluu)",
                      (unsigned long long)rp_tensor_bytes(rp_tensor_at(model, call->result)));
        return;
    }
    rp_buf_puts(out, "(");
    if (output) {
        rp_buf_printf(out, "*(%s *)", rp_tensor_at(model, call->result)->dtype->c_type);
        put_place(out, call->result);
        rp_buf_puts(out, " = ");
    }
    put_call(out, call);
    if (call->result == NULL || output)
        rp_buf_puts(out, ", 1)");
    else
        rp_buf_printf(out, " == %s)", rp_said_in_c(out->arena, call->result));
}

/* ---- buffers that the model owns ---- */

static bool has_buffer(const struct rp_tensor *tensor) {
    return tensor->at != NULL || tensor->get.name != NULL;
}

static const char copy_function[] =
    "static inline int rp_copy(void *to, const void *from, unsigned bytes) {\n"
    "    if (to == NULL || from == NULL)\n"
    "        return 0;\n"
    "    memcpy(to, from, bytes);\n"
    "    return 1;\n"
    "}\n";

static void put_address(struct rp_buf *out, const struct rp_tensor *tensor) {
    if (tensor->at != NULL)
        rp_buf_printf(out, "(void *)&%s", tensor->at);
    else
        put_call(out, &tensor->get);
}

static void put_buffers(struct rp_buf *out, const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        if (tensor->at != NULL)
            rp_buf_printf(out, "extern char %s[];\n", tensor->at);
        else if (tensor->get.name != NULL)
            put_declaration(out, "void *", &tensor->get);
    }
}

/* ---- the model ---- */

void rp_calls_take_result(struct rp_model *model, struct rp_arena *arena,
                          const struct rp_functions *all) {
    struct rp_model_entry *entry = &model->entry;
    size_t count = entry->arguments.count;
    const char *name = rp_cplusplus_plain_name(arena, entry->name);
    const char *last = count != 0 ? entry->arguments.items[count - 1] : "";
    const char *result = entry->result;
    if (result == NULL && rp_has_prefix(last, "out")) {
        result = last;
        count--;
    }
    if (result == NULL || !rp_has_prefix(result, "out"))
        return;
    bool several = rp_tensor_elements(rp_tensor_at(model, result)) != 1, found = false;
    entry->returns_address = several;
    for (size_t i = 0; i < all->declared.count; i++) {
        const struct rp_declared *one = &all->declared.items[i];
        const struct rp_ctype *type = one->type;
        if (type->kind != RP_CTYPE_FUNCTION || type->params_unknown ||
            (strcmp(one->name, name) != 0 && strcmp(rp_declared_linked(one), name) != 0))
            continue;
        if (type->param_count == entry->arguments.count && entry->result == NULL)
            return;
        bool address = type->of->kind == RP_CTYPE_POINTER;
        if (type->param_count != count ||
            (!address && (several || type->of->kind == RP_CTYPE_VOID)))
            continue;
        found = true;
        entry->returns_address = address;
    }
    if (entry->result == NULL && found) {
        entry->result = result;
        entry->arguments.count = count;
    }
}

static struct rp_call entry_of(const struct rp_model *model) {
    return (struct rp_call){model->entry.name, model->entry.arguments, model->entry.result};
}

/* Copies inputs into the model's buffers, calls the entry, copies outputs out of them. */
static void put_run(struct rp_buf *out, const struct rp_model *model) {
    const struct rp_call entry = entry_of(model);
    for (size_t i = 0; i < model->inputs.count; i++) {
        const struct rp_tensor *tensor = &model->inputs.items[i];
        if (!has_buffer(tensor))
            continue;
        rp_buf_puts(out, "rp_copy(");
        put_address(out, tensor);
        rp_buf_printf(out, ", rp_in[%zu], %lluu) && ", i,
                      (unsigned long long)rp_tensor_bytes(tensor));
    }
    put_checked(out, model, &entry);
    for (size_t i = 0; i < model->outputs.count; i++) {
        const struct rp_tensor *tensor = &model->outputs.items[i];
        if (!has_buffer(tensor))
            continue;
        rp_buf_printf(out, " && rp_copy(rp_out[%zu], ", i);
        put_address(out, tensor);
        rp_buf_printf(out, ", %lluu)", (unsigned long long)rp_tensor_bytes(tensor));
    }
}

/* Functions, not macros, so that no name of the glue interferes. */
static void put_functions(struct rp_buf *out, const struct rp_model *model, const char *linkage) {
    rp_buf_puts(out, copy_function);
    rp_buf_printf(out,
                  "%sint rp_model_run(void **rp_in, void **rp_out) {\n    (void)rp_in;\n"
                  "    (void)rp_out;\n    return ",
                  linkage);
    put_run(out, model);
    rp_buf_puts(out, ";\n}\n");
    if (model->entry.init.name != NULL) {
        rp_buf_printf(out, "%sint rp_model_init(void) {\n    return ", linkage);
        put_checked(out, model, &model->entry.init);
        rp_buf_puts(out, ";\n}\n");
    }
    if (model->entry.destroy.name != NULL) {
        rp_buf_printf(out, "%svoid rp_model_destroy(void) {\n    ", linkage);
        put_call(out, &model->entry.destroy);
        rp_buf_puts(out, ";\n}\n");
    }
}

static struct rp_calls calls_of(const struct rp_model *model, const char *declarations) {
    return (struct rp_calls){
        .declarations = declarations,
        .init = model->entry.init.name != NULL ? "rp_model_init()" : NULL,
        .run = "rp_model_run(in, out)",
        .destroy = model->entry.destroy.name != NULL ? "rp_model_destroy()" : NULL,
    };
}

struct rp_calls rp_calls_by_name(const struct rp_model *model, struct rp_arena *arena) {
    struct rp_buf out = {.arena = arena};
    const struct rp_call calls[] = {entry_of(model), model->entry.init, model->entry.destroy};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i].name != NULL)
            put_declaration(&out, return_type(model, arena, &calls[i]), &calls[i]);
    put_buffers(&out, &model->inputs);
    put_buffers(&out, &model->outputs);
    put_functions(&out, model, "static inline ");
    return calls_of(model, out.data);
}

/* ---- a header ---- */

static const char *wrapper_of(const struct rp_model *model) {
    return model->code.is_cplusplus ? "header_calls.cpp" : "header_calls.c";
}

static const char prototypes[] = "int rp_model_init(void);\n"
                                 "int rp_model_run(void **in, void **out);\n"
                                 "void rp_model_destroy(void);\n";

struct rp_unit *rp_header_add(const struct rp_model *model, struct rp_build *build,
                              const struct rp_strings *flags) {
    const char *header = model->code.sources.items[0];
    struct rp_strings with_header = {0};
    rp_strings_append(build->arena, &with_header, flags);
    /* a table of another release or a function of other types would run with wrong numbers */
    if (!model->code.is_cplusplus)
        RP_PUSH_WORDS(build->arena, &with_header, "-Werror=incompatible-pointer-types",
                      "-Werror=int-conversion", "-Werror=implicit-function-declaration");
    rp_strings_push(build->arena, &with_header, "-Werror=overflow");
    rp_strings_push(build->arena, &with_header,
                    rp_format(build->arena, "-I%s", rp_path_dir(build->arena, header)));
    rp_strings_push(build->arena, &with_header, "-include");
    rp_strings_push(build->arena, &with_header, header);
    struct rp_unit *unit = rp_build_add(build, wrapper_of(model), &with_header);
    unit->source = header;
    unit->cplusplus = model->code.is_cplusplus;
    return unit;
}

bool rp_header_call(struct rp_model *model, struct rp_build *build, struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    rp_buf_printf(&out,
                  "/* Generated: calls of a header's functions. */\n"
                  "#include <stdint.h>\n#include <string.h>\n%s%s%s",
                  model->code.is_cplusplus ? "extern \"C\" {\n" : "", prototypes,
                  model->code.is_cplusplus ? "}\n" : "");
    if (model->code.is_cplusplus)
        rp_cplusplus_put(&out, model);
    else
        put_functions(&out, model, "");
    bool ok = rp_build_write(build, wrapper_of(model), out.data, out.len, err);
    model->calls = calls_of(model, prototypes);
    model->calls.signature = model->entry.name;
    model->entry.name = "rp_model_run";
    return ok;
}
