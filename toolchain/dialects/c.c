/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect c: self-contained C or C++, as onnx2c and many others write it. The entry is a function
 * such as `void entry(const float in[1][28][28], float out[1][10])`: parameters that are const are
 * inputs, the others outputs. It is read from the preprocessed declaration, or given by --entry
 * or a JSON manifest. A header is a model only if its entry is given. Functions of C++ are called
 * from a C++ file that includes the model's first source.
 */
#include "toolchain/dialects/c.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "toolchain/cread/decl.h"
#include "toolchain/calls/said.h"
#include "toolchain/calls/declared.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/headers.h"
#include "toolchain/dialects/foreign.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/manifest.h"
#include "toolchain/calls/calls.h"
#include "toolchain/calls/linked.h"
#include "toolchain/calls/cplusplus.h"
#include "toolchain/calls/glue.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/messages.h"

enum { TEXT_MAX = 1 << 30, HEAD_BYTES = 2000 };

/* ---- recognition ---- */

/* A header of this name is C++. */
static bool is_cplusplus_header(const char *path) {
    return rp_has_suffix(path, ".hpp") || rp_has_suffix(path, ".hh") || rp_has_suffix(path, ".hxx");
}

static bool is_header(const char *path) {
    return rp_has_suffix(path, ".h") || is_cplusplus_header(path);
}

bool rp_c_is_cplusplus(const char *path) {
    return rp_has_suffix(path, ".cpp") || rp_has_suffix(path, ".cc") || rp_has_suffix(path, ".cxx");
}

/* Takes any C file. It stands last in the list, after all other dialects. */
static bool recognise(const char *path, const char *text) {
    bool code = rp_has_suffix(path, ".c") || rp_c_is_cplusplus(path) || is_header(path);
    return text != NULL && code && strstr(text, "LL_ATON_") == NULL &&
           strstr(text, "stai_network_") == NULL;
}

/* Functions of a header are called from a file that includes it; one header only. */
static bool check_headers(struct rp_model *model, struct rp_error *err) {
    const char *first = model->code.sources.items[0];
    struct rp_bytes text;
    struct rp_model_code *code = &model->code;
    code->is_header = is_header(first) || (code->is_cplusplus && rp_c_is_cplusplus(first));
    for (size_t i = 1; i < model->code.sources.count; i++)
        if (is_header(model->code.sources.items[i]))
            return rp_fail(
                err, RP_E_INPUT,
                "'%s' is a header: only the first of the sources may be one, others are included",
                model->code.sources.items[i]);
    if (code->is_cplusplus && !code->is_header) {
        rp_fail(err, RP_E_ENTRY, "--entry names a function of C++, but '%s' is C", first);
        return rp_hint(err, "a function of C has a name without '::'");
    }
    if (!is_header(first))
        return true;
    struct rp_arena scratch = {0}; /* it may hold all weights as numbers */
    rp_file_note(first);
    bool ok = rp_file_look(&scratch, first, TEXT_MAX, &text, err);
    code->is_cplusplus = code->is_cplusplus || is_cplusplus_header(first) ||
                         (ok && rp_is_cplusplus_text((const char *)text.data));
    rp_arena_release(&scratch);
    if (!ok)
        return false;
    if (code->is_cplusplus || model->outputs.count != 0 || model->entry.name != NULL)
        return true;
    rp_fail(err, RP_E_ENTRY, "'%s' is a header, and nothing says which function to call", first);
    return rp_hint(err, "say it: --entry 'NAME(in:float[4], 4) -> out:int32[1]'");
}

static bool load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                 struct rp_error *err) {
    if (rp_has_suffix(input->path, ".json")) {
        if (!rp_manifest_load(model, arena, input->path, err))
            return false;
    } else {
        model->name = rp_path_base(rp_path_stem(arena, input->path));
        rp_strings_push(arena, &model->code.sources, input->path);
    }
    if (input->entry != NULL && !rp_entry_parse(model, arena, input->entry, err))
        return false;
    for (size_t i = 0; i < model->code.sources.count; i++)
        if (!rp_path_is_file(model->code.sources.items[i]))
            return rp_fail(err, RP_E_INPUT, "cannot read '%s': no such file",
                           model->code.sources.items[i]);
    return check_headers(model, err);
}

/* ---- entry ---- */

/* numbers: even if some of the parameters are no arrays, about which take_param has more to say. */
static bool is_candidate(const struct rp_model *model, const struct rp_function *function,
                         bool numbers) {
    size_t inputs = 0, outputs = 0;
    for (size_t i = 0; i < function->param_count; i++) {
        const struct rp_param *param = &function->params[i];
        if (!param->is_pointer && !numbers)
            return false;
        inputs += param->is_pointer && param->is_const;
        outputs += param->is_pointer && !param->is_const;
    }
    return (!function->is_static || model->code.is_cplusplus) &&
           (!function->is_mangled || model->code.is_cplusplus) && inputs != 0 && outputs != 0;
}

/* Candidates for the entry: functions of one name, or functions that look like an entry. */
struct found {
    const struct rp_function *first;
    const struct rp_function *other; /* another one: which of them is not known */
};

/* A header may bring the same function into several sources. */
static bool is_same(const struct rp_function *one, const struct rp_function *other) {
    return one->line == other->line && strcmp(one->file, other->file) == 0 &&
           strcmp(one->name, other->name) == 0;
}

static void add_found(struct found *found, const struct rp_function *function) {
    if (found->first == NULL || (found->first->is_weak && !function->is_weak))
        found->first = function;
    else if (!function->is_weak && !is_same(found->first, function))
        found->other = function;
}

/* Static functions of a header can be called as well. */
static bool can_be_called(const struct rp_model *model, const struct rp_function *function) {
    return !function->is_static || model->code.is_header;
}

/* The named function; else "entry", the model's name, or the only one that looks like an entry. */
static struct found pick(struct rp_arena *arena, const struct rp_functions *all,
                         const struct rp_model *model) {
    struct found found = {0};
    const char *said = model->entry.name;
    if (said != NULL && model->code.is_cplusplus)
        said = rp_cplusplus_plain_name(arena, said);
    const char *const names[] = {said, "entry", model->c_name};
    for (size_t k = 0; k < (model->entry.name != NULL ? 1 : 3) && found.first == NULL; k++)
        for (size_t i = 0; names[k] != NULL && i < all->count; i++)
            if (can_be_called(model, &all->items[i]) && strcmp(all->items[i].name, names[k]) == 0)
                add_found(&found, &all->items[i]);
    for (size_t i = 0; said != NULL && found.first == NULL && i < all->count; i++)
        if (all->items[i].linked != NULL && strcmp(all->items[i].linked, said) == 0)
            found.first = &all->items[i];
    bool named = model->entry.name != NULL || found.first != NULL;
    for (int numbers = 0; !named && found.first == NULL && numbers <= 1; numbers++)
        for (size_t i = 0; i < all->count; i++)
            if (is_candidate(model, &all->items[i], numbers))
                add_found(&found, &all->items[i]);
    return found;
}

/* "f (line 3), g (line 9)"; with file names if there are several files. */
static void list_functions(struct rp_buf *out, const struct rp_functions *all,
                           const struct rp_model *model) {
    bool several = model->code.sources.count > 1;
    for (size_t i = 0; i < all->count && out->len < 600; i++) {
        const struct rp_function *function = &all->items[i];
        if (!can_be_called(model, function) || rp_has_prefix(function->name, "{"))
            continue;
        rp_buf_printf(out, "%s %s (", out->len != 0 ? "," : "", function->name);
        if (several)
            rp_buf_printf(out, "%s:%u)", rp_path_base(function->file), function->line);
        else
            rp_buf_printf(out, "line %u)", function->line);
    }
}

/* A call that --entry could name, with N for unknown numbers: of the first function of a class, or
 * of the last function of C, because helpers stand before their callers. NULL: there is none. */
static const char *suggest_entry(struct rp_arena *arena, const struct rp_functions *all,
                                 const struct rp_model *model) {
    bool is_cplusplus = model->code.is_cplusplus;
    const char *call = NULL;
    for (size_t i = 0; call == NULL && i < all->count; i++) {
        const struct rp_function *function = &all->items[is_cplusplus ? i : all->count - 1 - i];
        bool fits = is_cplusplus ? function->is_member
                                 : can_be_called(model, function) && !function->is_mangled;
        if (fits && function->param_count != 0 && function->type->kind == RP_CTYPE_FUNCTION &&
            function->name[0] != '{')
            call = rp_said_suggest_call(arena, function->name, function->type);
    }
    return call;
}

static bool fail_no_entry(const struct rp_functions *all, struct rp_model *model,
                          const struct found *found, struct rp_error *err) {
    model->entry.is_missing = found->first == NULL;
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    const char *source = model->code.sources.items[0];
    const char *others = model->code.sources.count > 1 ? " and the sources beside it" : "";
    list_functions(&list, all, model);
    const char *defined = list.len != 0 ? list.data : " none";
    const bool twice = found->first != NULL && found->other != NULL &&
                       strcmp(found->first->name, found->other->name) == 0;
    if (twice)
        rp_fail(err, RP_E_ENTRY, "two functions are called '%s': %s:%u and %s:%u",
                found->first->name, found->first->file, found->first->line, found->other->file,
                found->other->line);
    else if (model->entry.name != NULL)
        rp_fail(err, RP_E_ENTRY, "%s%s: there is no function '%s'; defined are%s", source, others,
                model->entry.name, defined);
    else
        rp_fail(err, RP_E_ENTRY,
                "%s%s: %s looks like the entry of a model (arrays, const ones for the inputs); "
                "defined are%s",
                source, others, found->first == NULL ? "no function" : "more than one function",
                defined);
    rp_fail_in(err, twice ? found->first->file : source, twice ? found->first->line : 0);
    const char *call = suggest_entry(&arena, all, model);
    bool open = call != NULL && (strstr(call, "[N") != NULL || strstr(call, ",N") != NULL ||
                                 strstr(call, "NUMBER") != NULL || strstr(call, "TYPE") != NULL);
    if (call != NULL)
        rp_hint(err, "name it: --entry '%s'%s", call,
                open ? ", with numbers for N and types such as float or int8" : "");
    else
        rp_hint(err, "name it: --entry NAME, or --entry 'NAME(in:TYPE[1,28,28], out:TYPE[10])' "
                     "with types such as float or int8");
    rp_arena_release(&arena);
    return false;
}

/* onnx2c writes a tensor without dimensions as a pointer, and all others as arrays. */
static bool is_scalar(const struct rp_model *model, const struct rp_function *function, size_t i) {
    return model->generator != NULL && strcmp(model->generator, "onnx2c") == 0 &&
           function->type->params[i].type->kind == RP_CTYPE_POINTER &&
           function->type->params[i].type->of->kind == RP_CTYPE_NUMBER;
}

/* Why a parameter's shape is not that of a tensor. */
static const char *shape_fault(struct rp_arena *arena, const struct rp_param *param,
                               const struct rp_ctype *type) {
    unsigned rank = 0;
    for (; type->kind == RP_CTYPE_ARRAY; type = type->of)
        rank++;
    if (param->unread != NULL)
        return rp_format(arena, "has a dimension that is not understood, [%s]", param->unread);
    if (rank > RP_RANK_MAX)
        return rp_format(arena, "has %u dimensions, a tensor has up to %d", rank, RP_RANK_MAX);
    return "does not say all of its dimensions, but an image's tensors have fixed ones";
}

static bool take_param(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_function *function, size_t index, struct rp_error *err) {
    const struct rp_param *param = &function->params[index];
    const char *why = NULL;
    bool scalar = is_scalar(model, function, index);
    if (!param->is_pointer)
        why = param->is_record ? "is neither an array nor a pointer"
                               : "is neither an array nor a pointer: if shapes depend on it, they "
                                 "are only known at run time, but an image's tensors have fixed "
                                 "ones";
    else if (param->dtype == NULL)
        why = "has no type that a tensor can have";
    else if (!scalar && (!param->dims_complete || param->rank == 0))
        why = shape_fault(arena, param, function->type->params[index].type);
    if (why != NULL) {
        rp_fail(err, RP_E_ENTRY, "%s:%u: parameter '%s' of '%s' (%s) %s", function->file,
                function->line, param->name, function->name, param->type, why);
        rp_fail_in(err, function->file, function->line);
        const char *call = rp_said_suggest_call(arena, function->name, function->type);
        if (call == NULL || param->is_record)
            return rp_hint(err,
                           "%swrite a function that takes arrays and numbers, and calls this "
                           "one",
                           param->is_record ? "a struct is no tensor: " : "");
        return rp_hint(err, "say it, with numbers for N: --entry '%s'", call);
    }
    struct rp_tensor tensor = {.name = param->name, .dtype = param->dtype, .rank = param->rank};
    memcpy(tensor.shape, param->shape, sizeof tensor.shape);
    if (scalar)
        tensor.shape[tensor.rank++] = 1;
    rp_model_add_argument(model, arena, !param->is_const, &tensor);
    return true;
}

/* A header's functions are called from a file that includes it, not its sources. */
static bool is_within_reach(const struct rp_model *model, const struct rp_function *function,
                            struct rp_error *err) {
    for (size_t i = 1; model->code.is_header && i < model->code.sources.count; i++) {
        if (strcmp(model->code.sources.items[i], function->file) != 0)
            continue;
        rp_fail(err, RP_E_ENTRY, "'%s' is defined in '%s', not in the header '%s'", function->name,
                function->file, model->code.sources.items[0]);
        rp_fail_in(err, function->file, function->line);
        return rp_hint(err, "give that file with -i, and the header's folder with -I");
    }
    return true;
}

static bool fail_value(struct rp_arena *arena, const struct rp_function *function,
                       struct rp_error *err) {
    const char *call = rp_said_suggest_call(arena, function->name, function->type);
    const struct rp_dtype *number = function->returns;
    rp_fail(err, RP_E_ENTRY, "%s:%u: '%s' returns a value, and nothing says what it means",
            function->file, function->line, function->name);
    rp_fail_in(err, function->file, function->line);
    if (call == NULL || strstr(call, " -> ") == NULL)
        return rp_hint(
            err, "write out the call: --entry '%s(in:TYPE[4], out:TYPE[2])' ignores the value",
            function->name);
    return rp_hint(err,
                   "write out the call: --entry '%s' makes it an output%s; with nothing behind "
                   "the ')' it is ignored",
                   call, number == NULL || number->is_float ? "" : ", '-> 0' expects that number");
}

static bool take_function(struct rp_model *model, struct rp_arena *arena,
                          const struct rp_function *function, struct rp_error *err) {
    model->entry.name = function->name;
    if (!is_within_reach(model, function, err))
        return false;
    if (function->is_mangled && !model->code.is_cplusplus) {
        rp_fail(err, RP_E_ENTRY, "%s:%u: '%s' is a C++ function: C cannot call it by that name",
                function->file, function->line, function->name);
        rp_fail_in(err, function->file, function->line);
        return rp_hint(err,
                       "name it as C++ does: --entry '::%s(in:TYPE[4], out:TYPE[2])'; or declare "
                       "it extern \"C\"",
                       function->name);
    }
    if (function->type->kind != RP_CTYPE_FUNCTION) {
        rp_fail(err, RP_E_ENTRY, "%s:%u: the declaration of '%s' is not understood", function->file,
                function->line, function->name);
        rp_fail_in(err, function->file, function->line);
        return rp_hint(err, "write out the call: --entry '%s(in:TYPE[4], out:TYPE[2])'",
                       function->name);
    }
    if (!function->returns_void)
        return fail_value(arena, function, err);
    for (size_t i = 0; i < function->param_count; i++)
        if (!take_param(model, arena, function, i, err))
            return false;
    if (model->outputs.count == 0) {
        rp_fail(err, RP_E_ENTRY, "%s:%u: '%s' has no output: every parameter is const",
                function->file, function->line, function->name);
        return rp_fail_in(err, function->file, function->line);
    }
    return true;
}

/* If the user gave no tensors, they are taken from the declaration. */
static bool find_entry(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_functions *all, struct rp_error *err) {
    const struct found found = pick(arena, all, model);
    if (found.first == NULL || found.other != NULL)
        return fail_no_entry(all, model, &found, err);
    return take_function(model, arena, found.first, err);
}

/* The given entry has to name one function, wherever it is defined; or overloads of C++. */
static bool check_said(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_functions *all, struct rp_error *err) {
    const struct found found = pick(arena, all, model);
    bool global = strchr(model->entry.name, ':') == NULL;
    if (model->code.is_cplusplus && found.first == NULL && global)
        return fail_no_entry(all, model, &found, err);
    return model->code.is_cplusplus || found.other == NULL ||
           fail_no_entry(all, model, &found, err);
}

/* ---- units ---- */

/*
 * "This file is computer-generated by onnx2c": the word behind "generated by". Preprocessing
 * removes comments, so the banner is read from the source itself.
 */
static void note_generator(struct rp_model *model, struct rp_arena *arena) {
    static const char by[] = "enerated by ";
    struct rp_bytes text;
    if (model->code.sources.count == 0 ||
        !rp_file_head(arena, model->code.sources.items[0], HEAD_BYTES, &text, NULL))
        return;
    const char *at = strstr((const char *)text.data, by);
    if (at != NULL)
        model->generator =
            rp_strndup(arena, at + strlen(by), strcspn(at + strlen(by), " \r\n\t*(,;"));
}

static bool add_sources(struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_error *err) {
    for (size_t i = 0; i < model->code.sources.count; i++) {
        const char *source = model->code.sources.items[i];
        struct rp_strings own = {0};
        bool header = i == 0 && model->code.is_header;
        bool included = header && model->code.is_cplusplus;
        if (rp_c_is_cplusplus(source) || included) /* C++ without features that need a runtime */
            RP_PUSH_WORDS(build->arena, &own, "-fno-rtti", "-fno-threadsafe-statics");
        if (included) /* as Arduino's sketches have them: generated headers rely on that */
            RP_PUSH_WORDS(build->arena, &own, "-include", "stdint.h", "-include", "string.h",
                          "-include", "math.h");
        rp_strings_append(build->arena, &own, &flags->model);
        struct rp_unit *unit =
            header ? rp_header_add(model, build, &own) : rp_build_add(build, source, &own);
        if (!rp_declared_preprocess(build, unit, &own, header, err))
            return false;
    }
    return true;
}

/* Is the entry, if there is one, declared in a way that our reader understands? */
static bool is_understood(const struct rp_model *model, struct rp_arena *arena,
                          const struct rp_functions *all) {
    const struct found found = pick(arena, all, model);
    return found.first == NULL || found.first->type->kind == RP_CTYPE_FUNCTION;
}

/* Text that our reader does not understand may not be C; the compiler's error then says more. */
static bool ask_what_else(struct rp_build *build, struct rp_error *err) {
    struct rp_error compiler = {0};
    if (!rp_build_make(build, "objects", &compiler))
        *err = compiler;
    return false;
}

/*
 * Reads what the sources declare. If the user gave everything, text that our reader does not
 * understand is no error: the compiler decides.
 */
static bool read_sources(struct rp_model *model, struct rp_build *build, size_t first,
                         struct rp_error *err) {
    struct rp_functions *all = rp_alloc(build->arena, 1, sizeof *all);
    struct rp_error unread = {0};
    bool said = model->outputs.count != 0;
    bool read = rp_declared_read(model, build, first, all, &unread);
    if (!read && rp_build_lend_arduino(build, "preprocess", first)) {
        unread = (struct rp_error){0};
        read = rp_declared_read(model, build, first, all, &unread);
    }
    if (build->options->dry_run)
        return true;
    if (!read && (!said || unread.id != RP_E_INPUT)) {
        *err = unread;
        return false;
    }
    if (said ? !check_said(model, build->arena, all, err)
             : !find_entry(model, build->arena, all, err))
        return !is_understood(model, build->arena, all) && ask_what_else(build, err);
    model->entry.called = model->entry.name;
    rp_calls_take_result(model, build->arena, all);
    if (model->code.is_cplusplus) {
        rp_cplusplus_choose(model, build->arena, all);
        model->entry.called = rp_cplusplus_plain_name(build->arena, model->entry.name);
    }
    return rp_declared_check(model, build->arena, NULL, err) && rp_linked_emit(model, build, err);
}

static bool plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    size_t first = build->units.count;
    note_generator(model, build->arena);
    if (!add_sources(model, build, flags, err) || !read_sources(model, build, first, err))
        return false;
    if (model->code.is_header && !rp_header_call(model, build, err))
        return false;
    return rp_glue_c_add(model, build, flags, err);
}

const struct rp_dialect rp_dialect_c = {
    .name = "c",
    .models = "plain C",
    .takes = RP_TAKES_USUAL | RP_TAKES_ENTRY,
    .image = &rp_image_cortex_m,
    .plain_functions = true,
    .recognise = recognise,
    .load = load,
    .plan = plan,
};
