/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and variables, as the user and as the code has them: see declared.h. */
#include "toolchain/calls/declared.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/make.h"
#include "toolchain/calls/dwarf.h"
#include "toolchain/calls/linked.h"
#include "toolchain/calls/said.h"
#include "toolchain/cread/decl_type.h"
#include "toolchain/cread/reduce.h"
#include "toolchain/dialect.h"

enum { TEXT_MAX = 1 << 30 };

/* ---- reading ---- */

/* The preprocessor knows which flags count. */
static const char plain_char[] = "#ifdef __CHAR_UNSIGNED__\n"
                                 "typedef unsigned char " RP_CDECL_PLAIN_CHAR ";\n"
                                 "#else\n"
                                 "typedef signed char " RP_CDECL_PLAIN_CHAR ";\n"
                                 "#endif\n";

static bool is_cplusplus(const char *path) {
    return !rp_has_suffix(path, ".c") && !rp_has_suffix(path, ".h");
}

/*
 * Writes the source without the numbers of its initialisers, if small is not NULL and that can be
 * done; the text, of which numbers may be hundreds of megabytes, is not kept.
 */
static bool write_reduced(struct rp_build *build, const struct rp_unit *unit, const char *name,
                          bool *small, struct rp_error *err) {
    struct rp_arena scratch = {0};
    struct rp_bytes text;
    struct rp_buf reduced = {.arena = &scratch};
    rp_file_note(unit->source);
    bool ok = rp_file_look(&scratch, unit->source, TEXT_MAX, &text, err);
    rp_buf_printf(&reduced, "# 1 \"%s\"\n", rp_c_string(&scratch, unit->source));
    if (ok && small != NULL && !is_cplusplus(unit->source) &&
        rp_cdecl_reduce((const char *)text.data, text.size, &reduced)) {
        *small = true;
        ok = rp_build_write(build, name, reduced.data, reduced.len, err);
    }
    rp_arena_release(&scratch);
    return ok;
}

bool rp_declared_preprocess(struct rp_build *build, struct rp_unit *unit,
                            const struct rp_strings *flags, bool header, struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    struct rp_strings with_dir = {0};
    bool small = false;
    if (unit->unread)
        return true;
    const char *name = rp_format(arena, "obj/%03u.c", unit->number);
    bool ok = write_reduced(build, unit, name, header ? NULL : &small, err);
    ok = ok && rp_build_write(build, "plain_char.h", plain_char, sizeof plain_char - 1, err);
    RP_PUSH_WORDS(arena, &with_dir, "-include", "plain_char.h");
    rp_strings_push(arena, &with_dir, "-iquote");
    rp_strings_push(arena, &with_dir, rp_path_dir(arena, unit->source));
    rp_strings_append(arena, &with_dir, flags);
    if (header) { /* as rp_header_add has it */
        rp_strings_push(arena, &with_dir,
                        rp_format(arena, "-I%s", rp_path_dir(arena, unit->source)));
        RP_PUSH_WORDS(arena, &with_dir, "-x", unit->cplusplus ? "c++" : "c");
    }
    rp_build_preprocess(build, unit, small ? name : unit->source, &with_dir);
    return ok;
}

bool rp_declared_read(struct rp_model *model, struct rp_build *build, size_t first,
                      struct rp_functions *out, struct rp_error *err) {
    if (!rp_build_make(build, "preprocess", err))
        return false;
    for (size_t i = first; i < build->units.count && !build->options->dry_run; i++) {
        struct rp_unit *unit = &build->units.items[i];
        struct rp_arena scratch = {0}; /* headers and C++ have their numbers in the text */
        struct rp_bytes text = {0};
        if (unit->cpp.count == 0)
            continue;
        const char *name = rp_format(build->arena, "obj/%03u.i", unit->number);
        size_t before = out->declared.count;
        bool ok = rp_file_look(&scratch, rp_build_path(build, name), TEXT_MAX, &text, err) &&
                  rp_build_key_text(build, unit, (const char *)text.data, err);
        const struct rp_c_text source = {(const char *)text.data, text.size, unit->source,
                                         unit->cplusplus || is_cplusplus(unit->source)};
        ok = ok && rp_cdecl_functions(build->arena, &source, out, err);
        rp_arena_release(&scratch);
        if (!ok)
            return false;
        for (size_t k = before; k < out->declared.count; k++)
            out->declared.items[k].unit = unit->number;
    }
    model->entry.declared = &out->declared;
    return true;
}

/* ---- finding ---- */

struct check {
    struct rp_model *model;
    struct rp_arena *arena;
    const struct rp_declared_list *compiler;
    struct rp_error *err;
};

/*
 * Finds a name for the linker; in_header: something that may be static, by its name in the source.
 * A definition wins over a declaration, a strong one over a weak one.
 */
static const struct rp_declared *find(const struct rp_declared_list *list, const char *name,
                                      bool in_header) {
    const struct rp_declared *found = NULL;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const struct rp_declared *item = &list->items[i];
        if (strcmp(in_header ? item->name : rp_declared_linked(item), name) != 0 ||
            (item->is_static && !in_header))
            continue;
        if (found == NULL || item->is_definition > found->is_definition ||
            (item->is_definition == found->is_definition && found->is_weak && !item->is_weak))
            found = item;
    }
    return found;
}

/* The compiler's reading of the definition that the text has, if there are several. */
static const struct rp_declared *find_same(const struct rp_declared_list *list,
                                           const struct rp_declared *text) {
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (strcmp(rp_declared_linked(&list->items[i]), rp_declared_linked(text)) == 0 &&
            list->items[i].line == text->line &&
            strcmp(rp_path_base(list->items[i].file), rp_path_base(text->file)) == 0)
            return &list->items[i];
    return NULL;
}

/* Who says how functions are called. */
static const char *speaker(const struct check *check) {
    return check->model->entry.said_by != NULL ? check->model->entry.said_by
                                               : "what was read of it";
}

static bool said_by_manifest(const struct check *check) {
    const char *said_by = check->model->entry.said_by;
    return said_by != NULL && said_by[0] != '-';
}

static char *where(const struct check *check, const struct rp_declared *declared) {
    return declared->line != 0 ? rp_format(check->arena, "%s:%u", declared->file, declared->line)
                               : rp_strdup(check->arena, declared->file);
}

static bool fail_readers(const struct check *check, const struct rp_declared *text,
                         const struct rp_declared *compiler) {
    rp_fail(check->err, RP_E_DECLARED,
            "%s: '%s' is read as '%s' from the source, as '%s' (%s) from the compiler's debug "
            "information",
            where(check, text), text->name, rp_ctype_text(check->arena, text->type, text->name),
            rp_ctype_text(check->arena, compiler->type, compiler->name), where(check, compiler));
    rp_fail_in(check->err, text->file, text->line);
    rp_fail_symbol(check->err, text->name);
    return rp_hint(check->err, "is it defined twice, or is its type changed by an attribute? "
                               "Declare it plainly, or call it from a function that is");
}

/* Debug information does not say it, and neither do the objects. */
static bool check_convention(const struct check *check, const char *name) {
    const struct rp_declared_list *list = check->model->entry.declared;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const struct rp_declared *item = &list->items[i];
        if (!item->has_pcs ||
            (item->name[0] != '\0' && strcmp(rp_declared_linked(item), name) != 0))
            continue;
        rp_fail(check->err, RP_E_DECLARED,
                "%s: '%s' %s a calling convention of its own (attribute pcs)", where(check, item),
                name, item->name[0] != '\0' ? "has" : "may have");
        rp_fail_in(check->err, item->file, item->line);
        rp_fail_symbol(check->err, name);
        return rp_hint(check->err, "call it from a function without that attribute");
    }
    return true;
}

/*
 * What both readers know of the name; {0}: neither knows it. false: they disagree, or it cannot be
 * called.
 */
static bool look_up(const struct check *check, const char *name, struct rp_declared *out) {
    bool header = check->model->code.is_header;
    if (!header && !check_convention(check, name)) /* with a header, the compiler makes the call */
        return false;
    const struct rp_declared *text = find(check->model->entry.declared, name, header);
    const struct rp_declared *compiler = text != NULL ? find_same(check->compiler, text) : NULL;
    if (compiler == NULL)
        compiler = find(check->compiler, name, header);
    *out = (struct rp_declared){0};
    if (text != NULL)
        *out = *text;
    else if (compiler != NULL)
        *out = *compiler;
    if (text == NULL || compiler == NULL)
        return true;
    if (strcmp(text->name, compiler->name) != 0 || !rp_ctype_agree(text->type, compiler->type))
        return fail_readers(check, text, compiler);
    out->type = rp_ctype_merge(check->arena, text->type, compiler->type);
    return true;
}

/* ---- one call ---- */

static bool is_place(const char *value) {
    return isalpha((unsigned char)value[0]);
}

static bool contradicts(const struct check *check, const struct rp_declared *declared,
                        const char *what, const char *why) {
    rp_fail(check->err, RP_E_DECLARED, "%s: '%s' contradicts %s: %s: %s", where(check, declared),
            rp_ctype_text(check->arena, declared->type, declared->name), speaker(check), what, why);
    rp_fail_in(check->err, declared->file, declared->line);
    rp_fail_symbol(check->err, declared->name);
    const char *call = declared->type->kind == RP_CTYPE_FUNCTION
                           ? rp_said_suggest_call(check->arena, declared->name, declared->type)
                           : NULL;
    const char *typed_by = check->model->entry.typed_by;
    if (typed_by != NULL && strcmp(declared->name, typed_by) == 0)
        return rp_hint(check->err, "correct --entry, or leave out its parentheses");
    if (call == NULL)
        return rp_hint(check->err, "write a function that takes arrays and numbers, and calls "
                                   "this one");
    return rp_hint(check->err, "say what is declared: --entry '%s', or correct the code", call);
}

static void note(const struct check *check, const char *symbol, const char *text) {
    struct rp_diagnostics *notes = &check->model->notes;
    if (check->compiler == NULL || check->model->entry.said_by == NULL)
        return;
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->items[i].message, text) == 0)
            return;
    rp_diagnose(check->arena, notes, "RP1030", text)->symbol = symbol;
}

/* A note on memory of which the code does not say what it holds. */
static void note_unsaid(const struct check *check, const struct rp_declared *declared,
                        const struct rp_tensor *tensor, const struct rp_ctype *type) {
    const struct rp_ctype *memory = type->kind == RP_CTYPE_POINTER ? type->of : type;
    const struct rp_ctype *element = rp_ctype_element(memory);
    if (element->kind == RP_CTYPE_VOID || element->kind == RP_CTYPE_UNKNOWN ||
        (element->is_byte && element->dtype != tensor->dtype))
        note(check, declared->name,
             rp_format(check->arena,
                       "'%s' declares '%s' as '%s': nothing confirms that it holds %s, as %s says",
                       declared->name, tensor->name, rp_ctype_text(check->arena, type, ""),
                       tensor->dtype->name, said_by_manifest(check) ? "the manifest" : "--entry"));
}

/* "float x[n]" with the number that the call has for n. */
static const struct rp_ctype *counted(const struct check *check, const struct rp_ctype *function,
                                      const struct rp_strings *values,
                                      const struct rp_ctype *type) {
    if (type->kind != RP_CTYPE_POINTER && type->kind != RP_CTYPE_ARRAY)
        return type;
    struct rp_ctype *copy = rp_alloc(check->arena, 1, sizeof *copy);
    *copy = *type;
    copy->of = counted(check, function, values, type->of);
    for (size_t i = 0; type->counted_by != NULL && i < function->param_count; i++)
        if (i < values->count && strcmp(function->params[i].name, type->counted_by) == 0)
            copy->count = rp_said_count(values->items[i]);
    return copy;
}

/* The call with each tensor at the parameter of its name, for a manifest. */
static const char *call_by_names(const struct check *check, const struct rp_declared *declared,
                                 const struct rp_strings *values) {
    struct rp_buf out = {.arena = check->arena};
    const char *result = check->model->entry.result;
    rp_buf_printf(&out, "%s(", declared->name);
    for (size_t i = 0; i < values->count; i++) {
        const char *name = declared->type->params[i].name, *value = values->items[i];
        bool named = is_place(value) && rp_tensor_place(check->model, check->arena, name) != NULL;
        rp_buf_printf(&out, "%s%s", i != 0 ? ", " : "",
                      named             ? name
                      : is_place(value) ? rp_tensor_at(check->model, value)->name
                                        : value);
    }
    rp_buf_puts(&out, ")");
    if (result != NULL)
        rp_buf_printf(&out, " -> %s",
                      is_place(result) ? rp_tensor_at(check->model, result)->name : result);
    return out.data;
}

/* A tensor is not called like another parameter to which a tensor is passed. */
static bool check_order(const struct check *check, const struct rp_declared *declared,
                        const struct rp_strings *values, size_t index) {
    const struct rp_cparam *params = declared->type->params;
    const struct rp_tensor *tensor = rp_tensor_at(check->model, values->items[index]);
    size_t other = strcmp(params[index].name, tensor->name) == 0 ? values->count : 0;
    while (other < values->count &&
           (!is_place(values->items[other]) || strcmp(params[other].name, tensor->name) != 0))
        other++;
    if (other == values->count)
        return true;
    rp_fail(check->err, RP_E_DECLARED,
            "%s: '%s' contradicts %s: the tensor '%s' is passed as parameter %zu, '%s', and "
            "parameter %zu has its name",
            where(check, declared), rp_ctype_text(check->arena, declared->type, declared->name),
            speaker(check), tensor->name, index + 1, params[index].name, other + 1);
    rp_fail_in(check->err, declared->file, declared->line);
    rp_fail_symbol(check->err, declared->name);
    return rp_hint(check->err,
                   said_by_manifest(check)
                       ? "say the order in the manifest: \"entry\": \"%s\", or give the tensors "
                         "other names"
                       : "pass the tensors in the order '%s', or give them other names",
                   call_by_names(check, declared, values));
}

static bool check_argument(const struct check *check, const struct rp_declared *declared,
                           const struct rp_strings *values, size_t index) {
    const struct rp_model *model = check->model;
    const struct rp_cparam *param = &declared->type->params[index];
    const char *value = values->items[index];
    const char *position = rp_format(check->arena, "parameter %zu", index + 1);
    if (!is_place(value)) {
        const char *why = rp_said_number(check->arena, value, param->type, model->code.is_header);
        return why == NULL || contradicts(check, declared, position, why);
    }
    bool input = rp_has_prefix(value, "in");
    const struct rp_tensor *tensor = rp_tensor_at(model, value);
    const struct rp_ctype *type = counted(check, declared->type, values, param->type);
    const char *why =
        rp_said_at_address(check->arena, tensor, type, input ? RP_SAID_READ : RP_SAID_WRITTEN);
    if (why == NULL) {
        note_unsaid(check, declared, tensor, param->type);
        return check_order(check, declared, values, index);
    }
    const char *what = rp_format(check->arena, "%s, '%s', is given as '%s'", position,
                                 rp_ctype_text(check->arena, type, param->name),
                                 rp_said_text(check->arena, tensor, input));
    return contradicts(check, declared, what, why);
}

static bool check_result(const struct check *check, const struct rp_declared *declared,
                         const char *result) {
    const struct rp_ctype *type = declared->type->of;
    const char *why = NULL, *what = "the result";
    if (result == NULL) { /* a struct is returned through a hidden parameter */
        bool plain = type->kind != RP_CTYPE_RECORD && type->kind != RP_CTYPE_OTHER;
        why = plain || check->model->code.is_header
                  ? NULL
                  : "a function that returns such a type cannot be called by its name alone";
    } else if (is_place(result)) {
        const struct rp_tensor *tensor = rp_tensor_at(check->model, result);
        what = rp_format(check->arena, "the result is given as '%s'",
                         rp_said_text(check->arena, tensor, false));
        why = check->model->entry.returns_address
                  ? rp_said_at_address(check->arena, tensor, type, RP_SAID_READ)
                  : rp_said_as_value(check->arena, tensor, type);
        if (why == NULL && check->model->entry.returns_address)
            note_unsaid(check, declared, tensor, type);
    } else {
        why = rp_said_number(check->arena, result, type, check->model->code.is_header);
    }
    return why == NULL || contradicts(check, declared, what, why);
}

static bool is_only(const struct rp_declared_list *list, const char *name) {
    size_t found = 0;
    for (size_t i = 0; list != NULL && i < list->count; i++)
        found += strcmp(list->items[i].name, name) == 0;
    return found == 1;
}

/* The function of a call has to be callable; declared->type NULL: nothing is known of it. */
static bool check_function(const struct check *check, const struct rp_call *call,
                           struct rp_declared *declared) {
    if (!look_up(check, call->name, declared))
        return false;
    /* of several functions of the name, and of one that was not read, the compiler decides: its
       arguments have the tensors' types */
    if (check->model->code.is_cplusplus && !is_only(check->model->entry.declared, call->name)) {
        declared->type = NULL;
        return true;
    }
    if (declared->type == NULL || declared->type->kind == RP_CTYPE_UNKNOWN) {
        note(check, call->name,
             rp_format(check->arena,
                       "nothing says how '%s' is declared: what is said is not "
                       "compared with anything",
                       call->name));
        declared->type = NULL;
        return true;
    }
    const struct rp_ctype *type = declared->type;
    if (type->kind != RP_CTYPE_FUNCTION)
        return contradicts(check, declared, "a call", "it is a variable");
    if (type->variadic)
        return contradicts(check, declared, "a call",
                           "functions with '...' get their arguments in other ways");
    if (check->model->code.is_header && type->param_count != call->arguments.count) {
        declared->type = NULL; /* the compiler sees the declaration and checks it */
        return true;
    }
    return type->params_unknown || type->param_count == call->arguments.count ||
           contradicts(check, declared, "a call",
                       rp_format(check->arena, "%zu argument%s given, %zu %s declared",
                                 call->arguments.count,
                                 call->arguments.count == 1 ? " is" : "s are", type->param_count,
                                 type->param_count == 1 ? "is" : "are"));
}

static bool check_call(const struct check *check, const struct rp_call *call) {
    struct rp_declared declared;
    if (call->name == NULL)
        return true;
    if (!check_function(check, call, &declared))
        return false;
    if (declared.type == NULL)
        return true;
    for (size_t i = 0; !declared.type->params_unknown && i < call->arguments.count; i++)
        if (!check_argument(check, &declared, &call->arguments, i))
            return false;
    return check_result(check, &declared, call->result);
}

/* ---- buffers that the model has itself ---- */

static bool check_get(const struct check *check, const struct rp_tensor *tensor, bool input) {
    const struct rp_call call = {tensor->get.name, tensor->get.arguments, NULL};
    struct rp_declared declared;
    if (!check_call(check, &call) || !look_up(check, call.name, &declared))
        return false;
    if (declared.type == NULL || declared.type->kind != RP_CTYPE_FUNCTION)
        return true;
    const struct rp_ctype *returns = declared.type->of;
    const char *why =
        rp_said_at_address(check->arena, tensor, returns, input ? RP_SAID_WRITTEN : RP_SAID_READ);
    if (why == NULL) {
        note_unsaid(check, &declared, tensor, returns);
        return true;
    }
    rp_fail(check->err, RP_E_DECLARED,
            "%s: '%s' contradicts %s: what it returns is given as the address of '%s': %s",
            where(check, &declared), rp_ctype_text(check->arena, declared.type, declared.name),
            speaker(check), rp_said_text(check->arena, tensor, input), why);
    rp_fail_in(check->err, declared.file, declared.line);
    rp_fail_symbol(check->err, declared.name);
    return rp_hint(check->err, "correct the tensor in the manifest, or the code");
}

static bool check_at(const struct check *check, const struct rp_tensor *tensor, bool input) {
    struct rp_declared declared;
    if (!look_up(check, tensor->at, &declared))
        return false;
    if (declared.type == NULL) {
        note(check, tensor->at,
             rp_format(check->arena,
                       "nothing says how '%s' is declared: what is said is not "
                       "compared with anything",
                       tensor->at));
        return true;
    }
    /* variables that are constant or too small are found in the linked file */
    const struct rp_ctype *element = rp_ctype_element(declared.type);
    uint64_t bytes = rp_said_bytes(declared.type);
    bool small = bytes != 0 && bytes < rp_tensor_bytes(tensor) &&
                 (element->kind == RP_CTYPE_POINTER || element->dtype == tensor->dtype);
    const char *why =
        small ? NULL : rp_said_in_variable(check->arena, tensor, declared.type, RP_SAID_READ);
    if (why == NULL)
        return true;
    rp_fail(check->err, RP_E_DECLARED, "%s: '%s' contradicts %s: it is given as holding '%s': %s",
            where(check, &declared), rp_ctype_text(check->arena, declared.type, declared.name),
            speaker(check), rp_said_text(check->arena, tensor, input), why);
    rp_fail_in(check->err, declared.file, declared.line);
    rp_fail_symbol(check->err, declared.name);
    return rp_hint(check->err, "'at' names the array itself; for a pointer, write a function that "
                               "returns it, and name that with 'get'");
}

static bool check_buffers(const struct check *check) {
    const struct rp_tensors *lists[] = {&check->model->inputs, &check->model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            if ((tensor->get.name != NULL && !check_get(check, tensor, k == 0)) ||
                (tensor->at != NULL && !check_at(check, tensor, k == 0)))
                return false;
        }
    return true;
}

/* ---- tensors that are parameters of an inner function, by their names ---- */

static const struct rp_cparam *find_param(const struct check *check, const struct rp_ctype *type,
                                          const char *tensor) {
    const char *buffer = rp_format(check->arena, "%s_buffer_var", tensor);
    for (size_t i = 0; i < type->param_count; i++)
        if (strcmp(type->params[i].name, tensor) == 0 || strcmp(type->params[i].name, buffer) == 0)
            return &type->params[i];
    return NULL;
}

static bool check_typed(const struct check *check) {
    const struct rp_tensors *lists[] = {&check->model->inputs, &check->model->outputs};
    struct rp_declared declared = {0};
    if (check->model->entry.typed_by == NULL)
        return true;
    if (!look_up(check, check->model->entry.typed_by, &declared))
        return false;
    if (declared.type == NULL || declared.type->kind != RP_CTYPE_FUNCTION)
        return true;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            const struct rp_cparam *param = find_param(check, declared.type, tensor->name);
            const char *why =
                param != NULL ? rp_said_at_address(check->arena, tensor, param->type, RP_SAID_READ)
                              : NULL;
            if (why != NULL)
                return contradicts(check, &declared, rp_said_text(check->arena, tensor, k == 0),
                                   why);
        }
    return true;
}

/* ---- the model ---- */

bool rp_declared_check(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_declared_list *compiler, struct rp_error *err) {
    const struct check check = {model, arena, compiler, err};
    if (compiler == NULL && !rp_linked_take(model, arena, err))
        return false;
    const struct rp_call calls[] = {
        {model->entry.called, model->entry.arguments, model->entry.result},
        model->entry.init,
        model->entry.destroy};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (!check_call(&check, &calls[i]))
            return false;
    return check_buffers(&check) && check_typed(&check);
}

static size_t model_units(const struct rp_model *model, const struct rp_build *build) {
    size_t units = build->model_units != 0 ? build->model_units : model->code.sources.count;
    return units < build->units.count ? units : build->units.count;
}

/* May this source define one of the names? A name whose definition was not read may be anywhere. */
static bool may_define(const struct rp_model *model, struct rp_arena *arena,
                       const struct rp_strings *names, const char *source) {
    const char *path = rp_c_string(arena, source);
    for (size_t i = 0; i < names->count; i++) {
        const struct rp_declared *text =
            find(model->entry.declared, names->items[i], model->code.is_header);
        if (text == NULL || !text->is_definition || strcmp(text->file, path) == 0)
            return true;
    }
    return model->code.is_header;
}

void rp_declared_ask_compiler(const struct rp_model *model, struct rp_build *build) {
    const struct rp_strings names = rp_linked_names(model, build->arena);
    for (size_t i = 0; names.count != 0 && i < model_units(model, build); i++)
        if (may_define(model, build->arena, &names, build->units.items[i].source))
            rp_build_types(build, &build->units.items[i]);
}

bool rp_declared_check_objects(struct rp_model *model, struct rp_build *build,
                               struct rp_error *err) {
    struct rp_declared_list found = {0};
    struct rp_arena *arena = build->arena;
    const struct rp_strings names = rp_linked_names(model, arena);
    if (names.count == 0)
        return true;
    for (size_t i = 0; i < model_units(model, build); i++) {
        const struct rp_unit *unit = &build->units.items[i];
        if (unit->waits)
            continue;
        const char *types =
            rp_build_path(build, rp_format(arena, "obj/%03u.types.o", unit->number));
        rp_dwarf_read(arena, unit->types.count != 0 ? types : rp_build_object(build, unit), &names,
                      &found);
    }
    for (size_t i = 0; i < model->code.libraries.count; i++)
        rp_dwarf_read(arena, model->code.libraries.items[i], &names, &found);
    return rp_declared_check(model, arena, &found, err);
}
