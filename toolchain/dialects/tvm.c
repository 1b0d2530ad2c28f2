/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect tvm: ahead-of-time models of TVM as C, a folder or tar in Model Library Format or one of
 * its files. The entry is `int32_t tvmgen_<model>_run(struct tvmgen_<model>_inputs *, struct
 * tvmgen_<model>_outputs *)`, structs of pointers; older code takes the pointers themselves.
 * Workspaces are variables of the code, pools that it is handed, or taken by
 * TVMBackendAllocWorkspace from an arena (templates/tvm_backend.c).
 */
#include "toolchain/dialects/tvm.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/flags.h"
#include "toolchain/dialects/foreign.h"
#include "toolchain/dialects/tvm_plan.h"
#include "toolchain/dialects/tvm_read.h"
#include "toolchain/calls/entry.h"

enum { ARENA_ALIGN = 16, BLOCK_BYTES = 16 };

struct loading {
    struct rp_model *model;
    struct rp_arena *arena;
    const struct rp_input *input;
    struct rp_tvm *tvm;
    struct rp_tvm_code code;
    struct rp_model said; /* tensors of --entry */
    const struct rp_tvm_function *entry;
    const char *id;          /* "default" of tvmgen_default_run */
    struct rp_buf arguments; /* of the call */
    struct rp_buf pools;
    struct rp_error *err;
};

static bool recognise(const char *path, const char *text) {
    if (text == NULL)
        return rp_mlf_is_folder(path);
    if (rp_mlf_is_tar(path))
        return true;
    bool header = rp_has_suffix(path, ".h") && rp_has_prefix(rp_path_base(path), "tvmgen_");
    return (header || rp_has_suffix(path, ".c")) && strstr(text, "tvmgen_") != NULL;
}

/* ---- the entry ---- */

/* "default" of "tvmgen_default_run"; NULL if the name ends differently. */
static const char *model_of(struct rp_arena *arena, const char *function, const char *suffix) {
    size_t head = strlen("tvmgen_"), tail = strlen(suffix), len = strlen(function);
    return len > head + tail && rp_has_suffix(function, suffix)
               ? rp_strndup(arena, function + head, len - head - tail)
               : NULL;
}

/* The only function with that ending; of several, the one named by --entry. */
static bool pick(struct loading *load, const char *suffix) {
    struct rp_buf names = {.arena = load->arena};
    bool several = false;
    for (size_t i = 0; i < load->code.functions.count; i++) {
        const struct rp_tvm_function *function = &load->code.functions.items[i];
        const char *id = model_of(load->arena, function->name, suffix);
        bool unwanted =
            load->said.entry.name != NULL && strcmp(load->said.entry.name, function->name) != 0;
        if (id == NULL || !function->defined || unwanted ||
            (load->entry != NULL && strcmp(load->entry->name, function->name) == 0))
            continue;
        rp_buf_printf(&names, " %s", function->name);
        several = load->entry != NULL;
        load->entry = function;
        load->id = id;
    }
    if (several) {
        rp_fail(load->err, RP_E_ENTRY, "'%s' has several models:%s", load->input->path, names.data);
        rp_hint(load->err, "name one: --entry %s", load->entry->name);
    }
    return !several;
}

static bool find_entry(struct loading *load) {
    static const char *const suffixes[] = {"_run", "_run_model", "___tvm_main__"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0] && load->entry == NULL; i++)
        if (!pick(load, suffixes[i]))
            return false;
    if (load->entry != NULL)
        return true;
    rp_fail(load->err, RP_E_ENTRY, "'%s' does not define the function '%s'", load->input->path,
            load->said.entry.name != NULL ? load->said.entry.name : "tvmgen_<model>_run");
    return rp_hint(load->err, RP_HINT_TVM_AOT);
}

/* ---- tensors ---- */

/* "int8_t *" of the inner function's parameter, which is called like the tensor. */
static const struct rp_dtype *type_in_code(const struct loading *load, const char *tensor) {
    const char *name = rp_format(load->arena, "tvmgen_%s___tvm_main__", load->id);
    const char *buffer = rp_format(load->arena, "%s_buffer_var", tensor);
    for (size_t i = 0; i < load->code.functions.count; i++) {
        const struct rp_tvm_function *function = &load->code.functions.items[i];
        for (size_t k = 0; strcmp(function->name, name) == 0 && k < function->count; k++) {
            const struct rp_tvm_param *param = &function->items[k];
            const struct rp_dtype *dtype =
                rp_dtype_find(rp_strndup(load->arena, param->type, strcspn(param->type, " *")));
            if ((strcmp(param->name, buffer) == 0 || strcmp(param->name, tensor) == 0) &&
                dtype != NULL)
                return dtype;
        }
    }
    return NULL;
}

static const struct rp_mlf_tensor *find_described(const struct loading *load, const char *name,
                                                  bool is_output) {
    const struct rp_mlf_tensors *list = &load->tvm->mlf.tensors;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].is_output == is_output && strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

/* What the code says about its elements, for a hint. */
static const char *type_name(const struct loading *load, const char *tensor, bool is_output) {
    const struct rp_mlf_tensor *described = find_described(load, tensor, is_output);
    const struct rp_dtype *dtype = described != NULL && described->dtype != NULL
                                       ? described->dtype
                                       : type_in_code(load, tensor);
    return dtype != NULL ? dtype->name : "float"; /* an example */
}

static const struct rp_tvm_struct *find_role(const struct loading *load, const char *role) {
    return rp_tvm_find_struct(&load->code, rp_format(load->arena, "tvmgen_%s_%s", load->id, role));
}

/* Every tensor as --entry could give it. */
static bool fail_unsaid(struct loading *load, const char *name, const char *what) {
    struct rp_buf text = {.arena = load->arena};
    static const char *const roles[] = {"in", "out"};
    for (size_t k = 0; k < 2; k++) {
        const struct rp_tvm_struct *list =
            find_role(load, rp_format(load->arena, "%sputs", roles[k]));
        for (size_t i = 0; list != NULL && i < list->members.count; i++)
            rp_buf_printf(&text, "%s%s %s:%s[1,2]", text.len != 0 ? ", " : "", roles[k],
                          list->members.items[i], type_name(load, list->members.items[i], k == 1));
    }
    rp_fail(load->err, RP_E_ENTRY, "%s:%u: '%s': nothing says the %s of '%s'", load->entry->file,
            load->entry->line, load->entry->name, what, name);
    rp_fail_in(load->err, load->entry->file, load->entry->line);
    rp_hint(load->err, "say type and shape of all tensors: --entry '%s(%.800s)'", load->entry->name,
            text.len != 0 ? text.data : "in:float[1,2], out:float[1,2]");
    return false;
}

/* The size in header or metadata, which have to agree; 0 if neither has it. */
static bool find_size(struct loading *load, const char *name, const struct rp_mlf_tensor *described,
                      uint64_t *size) {
    const char *macro =
        rp_upper(load->arena, rp_format(load->arena, "TVMGEN_%s_%s_SIZE", load->id, name));
    *size = rp_tvm_find_size(&load->code, macro);
    if (described == NULL || *size == described->size_bytes)
        return true;
    if (*size != 0)
        return rp_fail(load->err, RP_E_INPUT, "tensor '%s' has %llu bytes in %s, %llu by %s", name,
                       (unsigned long long)described->size_bytes, load->tvm->mlf.metadata_path,
                       (unsigned long long)*size, macro);
    *size = described->size_bytes;
    return true;
}

/* From metadata, the header's sizes, the model's text and the inner function's declaration. */
static bool derive(struct loading *load, bool is_output, struct rp_tensor *tensor) {
    const struct rp_mlf_tensor *described = find_described(load, tensor->name, is_output);
    const char *relay = (const char *)load->tvm->mlf.relay.data;
    struct rp_tensor written = {0};
    uint64_t size;
    if (!find_size(load, tensor->name, described, &size))
        return false;
    bool shaped = relay != NULL &&
                  rp_tvm_relay(load->arena, relay, is_output ? NULL : tensor->name, &written);
    if (described != NULL && described->dtype == NULL)
        return rp_fail(load->err, RP_E_INPUT,
                       "%s: tensor '%s' is of type '%s', which is not "
                       "supported",
                       load->tvm->mlf.metadata_path, tensor->name, described->dtype_name);
    tensor->dtype = described != NULL ? described->dtype
                    : shaped          ? written.dtype
                                      : type_in_code(load, tensor->name);
    if (tensor->dtype == NULL)
        return fail_unsaid(load, tensor->name, size != 0 ? "type" : "type and size");
    if (shaped && written.dtype == tensor->dtype &&
        (size == 0 || rp_tensor_bytes(&written) == size)) {
        tensor->rank = written.rank;
        memcpy(tensor->shape, written.shape, sizeof tensor->shape);
        return true;
    }
    if (size == 0)
        return fail_unsaid(load, tensor->name, "size");
    tensor->rank = 1;
    tensor->shape[0] = (uint32_t)(size / tensor->dtype->size_bytes);
    return size % tensor->dtype->size_bytes == 0 ||
           rp_fail(load->err, RP_E_INPUT, "tensor '%s' has %llu bytes, which is no number of %s",
                   tensor->name, (unsigned long long)size, tensor->dtype->name);
}

/* ---- --entry against the code ---- */

static bool contradicts(struct loading *load, const struct rp_tensor *said, const char *name,
                        const char *who, const char *what) {
    rp_fail(load->err, RP_E_DECLARED, "tensor '%s': --entry says %s and %llu bytes, %s says %s",
            name, said->dtype->name, (unsigned long long)rp_tensor_bytes(said), who, what);
    return rp_hint(load->err, "--entry %s takes what the code says", load->entry->name);
}

static bool check_dtype(struct loading *load, const struct rp_tensor *said, const char *name,
                        const char *who, const struct rp_dtype *dtype) {
    return dtype == NULL || dtype == said->dtype || contradicts(load, said, name, who, dtype->name);
}

/* type: as a parameter declares it, or NULL. For void pointers, the inner function has the type. */
static bool check_said_tensor(struct loading *load, const struct rp_tensor *said, const char *name,
                              const char *type, bool is_output) {
    const struct rp_mlf_tensor *described = find_described(load, name, is_output);
    const char *relay = (const char *)load->tvm->mlf.relay.data;
    const char *inner = rp_format(load->arena, "tvmgen_%s___tvm_main__", load->id);
    struct rp_tensor written = {0};
    uint64_t size;
    if (!find_size(load, name, described, &size) ||
        (type != NULL &&
         !check_dtype(load, said, name, load->entry->name,
                      rp_dtype_find(rp_strndup(load->arena, type, strcspn(type, " *"))))) ||
        !check_dtype(load, said, name, inner, type_in_code(load, name)) ||
        (described != NULL &&
         !check_dtype(load, said, name, load->tvm->mlf.metadata_path, described->dtype)))
        return false;
    if (size != 0 && size != rp_tensor_bytes(said))
        return contradicts(load, said, name, "the generated code",
                           rp_format(load->arena, "%llu bytes", (unsigned long long)size));
    bool shaped = relay != NULL && size == 0 &&
                  rp_tvm_relay(load->arena, relay, is_output ? NULL : name, &written);
    return !shaped || written.dtype == NULL || written.dtype != said->dtype ||
           rp_tensor_bytes(&written) == rp_tensor_bytes(said) ||
           contradicts(
               load, said, name, "the model's text",
               rp_format(load->arena, "%llu bytes", (unsigned long long)rp_tensor_bytes(&written)));
}

/* Finds it in --entry by its name, or by its place if it has none; NULL if it is not there. */
static const struct rp_tensor *find_said(const struct loading *load, const char *name,
                                         bool is_output) {
    const struct rp_tensors *list = is_output ? &load->said.outputs : &load->said.inputs;
    size_t place = is_output ? load->model->outputs.count : load->model->inputs.count;
    const char *unnamed = rp_format(load->arena, is_output ? "out%zu" : "in%zu", place);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return place < list->count && strcmp(list->items[place].name, unnamed) == 0
               ? &list->items[place]
               : NULL;
}

static bool add_tensor(struct loading *load, const char *name, bool is_output) {
    struct rp_tensor tensor = {0};
    if (load->said.entry.arguments.count != 0) {
        const struct rp_tensor *said = find_said(load, name, is_output);
        if (said == NULL)
            return fail_unsaid(load, name, "type and shape");
        tensor = *said;
        if (!check_said_tensor(load, said, name, NULL, is_output))
            return false;
    }
    tensor.name = name;
    if (tensor.dtype == NULL && !derive(load, is_output, &tensor))
        return false;
    rp_model_add_argument(load->model, load->arena, is_output, &tensor);
    return true;
}

static bool check_said(struct loading *load) {
    return load->said.entry.arguments.count == 0 ||
           load->said.entry.arguments.count == load->model->entry.arguments.count ||
           rp_fail(load->err, RP_E_ENTRY, "--entry names %zu tensors, '%s' takes %zu",
                   load->said.entry.arguments.count, load->entry->name,
                   load->model->entry.arguments.count);
}

/* ---- parameters ---- */

static bool add_members(struct loading *load, const struct rp_tvm_struct *list, bool is_output) {
    for (size_t i = 0; i < list->members.count; i++)
        if (!add_tensor(load, list->members.items[i], is_output))
            return false;
    rp_buf_puts(&load->arguments, is_output ? "out" : "in");
    return true;
}

/* Memory that is passed to the code. We provide it, as large as the header says. */
static bool add_pools(struct loading *load, const struct rp_tvm_struct *list) {
    rp_buf_puts(&load->arguments, "(void *[]){");
    for (size_t i = 0; i < list->members.count; i++) {
        const char *macro =
            rp_upper(load->arena, rp_format(load->arena, "TVMGEN_%s_%s_WORKSPACE_POOL_SIZE",
                                            load->id, list->members.items[i]));
        uint64_t size = rp_tvm_find_size(&load->code, macro);
        if (size == 0 || size > RELOC_OFFSET_MASK)
            return rp_fail(load->err, RP_E_INPUT,
                           "%s:%u: '%s' takes the memory pool '%s', and %s does not say its size",
                           load->entry->file, load->entry->line, load->entry->name,
                           list->members.items[i], macro);
        rp_buf_printf(&load->pools,
                      "__attribute__((aligned(%d))) unsigned char rp_tvm_pool_%zu[%llu];\n",
                      ARENA_ALIGN, i, (unsigned long long)size);
        rp_buf_printf(&load->arguments, "%srp_tvm_pool_%zu", i != 0 ? ", " : "", i);
    }
    rp_buf_puts(&load->arguments, "}");
    return true;
}

static bool add_struct(struct loading *load, const struct rp_tvm_param *param) {
    static const char *const roles[] = {"inputs", "outputs", "workspace_pools"};
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        const char *name = rp_format(load->arena, "tvmgen_%s_%s", load->id, roles[i]);
        const struct rp_tvm_struct *list = rp_tvm_find_struct(&load->code, name);
        if (strcmp(param->type, rp_format(load->arena, "struct %s *", name)) != 0)
            continue;
        if (list == NULL)
            return rp_fail(load->err, RP_E_INPUT, "%s:%u: nothing defines struct %s",
                           load->entry->file, load->entry->line, name);
        return i == 2 ? add_pools(load, list) : add_members(load, list, i == 1);
    }
    return rp_fail(load->err, RP_E_ENTRY,
                   "%s:%u: '%s' takes a '%s', which the application would have to supply: not "
                   "supported",
                   load->entry->file, load->entry->line, load->entry->name, param->type);
}

static const char *member_at(const struct rp_tvm_struct *list, size_t index) {
    return list != NULL && index < list->members.count ? list->members.items[index] : NULL;
}

static bool is_called(const struct loading *load, const struct rp_tvm_param *param,
                      const char *tensor) {
    return strcmp(param->name, tensor) == 0 ||
           strcmp(param->name, rp_format(load->arena, "%s_buffer_var", tensor)) == 0;
}

/* The member that the parameter is called like, or NULL. */
static const char *member_of(const struct loading *load, const struct rp_tvm_struct *list,
                             const struct rp_tvm_param *param) {
    for (size_t i = 0; list != NULL && i < list->members.count; i++)
        if (is_called(load, param, list->members.items[i]))
            return list->members.items[i];
    return NULL;
}

/* A tensor is not called like another parameter. who: where its name is from. */
static bool check_name(struct loading *load, size_t index, const char *tensor, const char *who) {
    const struct rp_tvm_function *entry = load->entry;
    size_t other = is_called(load, &entry->items[index], tensor) ? entry->count : 0;
    while (other < entry->count && !is_called(load, &entry->items[other], tensor))
        other++;
    if (other == entry->count)
        return true;
    rp_fail(load->err, RP_E_DECLARED,
            "%s:%u: '%s' of %s is parameter %zu of '%s', '%s', but parameter %zu by its name",
            entry->file, entry->line, tensor, who, index + 1, entry->name, entry->items[index].name,
            other + 1);
    struct rp_buf text = {.arena = load->arena};
    for (size_t i = 0; i < entry->count; i++) {
        const char *input = member_of(load, find_role(load, "inputs"), &entry->items[i]);
        const char *output = member_of(load, find_role(load, "outputs"), &entry->items[i]);
        const char *name = input != NULL ? input : output != NULL ? output : "NAME";
        rp_buf_printf(&text, "%s%s %s:%s[1,2]", i != 0 ? ", " : "", output != NULL ? "out" : "in",
                      name, type_name(load, name, output != NULL));
    }
    return rp_hint(load->err,
                   "say all tensors in the order of the parameters: --entry '%s(%.800s)'",
                   entry->name, text.data);
}

/*
 * The tensors themselves. A parameter called like a member of the structs that the header has for
 * another way to call the model is that tensor; of any other, the place says which one it is, and
 * inputs come first. --entry may say something else.
 */
static bool add_pointer(struct loading *load, size_t index) {
    const struct rp_tvm_param *param = &load->entry->items[index];
    const struct rp_tvm_struct *in = find_role(load, "inputs"), *out = find_role(load, "outputs");
    const char *as_input = member_of(load, in, param), *as_output = member_of(load, out, param);
    size_t inputs = in != NULL ? in->members.count : 0;
    const struct rp_strings *said = &load->said.entry.arguments;
    bool named = as_input != NULL || as_output != NULL;
    bool is_output = said->count != 0 ? index < said->count && said->items[index][0] == 'o'
                     : named          ? as_input == NULL
                                      : index >= inputs;
    size_t place = is_output ? load->model->outputs.count : load->model->inputs.count;
    const struct rp_tensors *list = is_output ? &load->said.outputs : &load->said.inputs;
    const char *own = is_output ? as_output : as_input;
    const char *name = own != NULL ? own : member_at(is_output ? out : in, place);
    if (named && own == NULL)
        return rp_fail(load->err, RP_E_DECLARED,
                       "%s:%u: parameter '%s' of '%s' is an %s by --entry, and one of the %s by "
                       "the struct's members",
                       load->entry->file, load->entry->line, param->name, load->entry->name,
                       is_output ? "output" : "input", is_output ? "inputs" : "outputs");
    if (said->count != 0 && place < list->count) {
        const struct rp_tensor *tensor = &list->items[place];
        if (!check_name(load, index, tensor->name, "--entry") ||
            !check_said_tensor(load, tensor, name != NULL ? name : tensor->name, param->type,
                               is_output))
            return false;
        rp_model_add_argument(load->model, load->arena, is_output, tensor);
    } else if (said->count != 0 || name == NULL)
        return fail_unsaid(load, param->name, "direction");
    else if (!check_name(load, index, name, "the struct") || !add_tensor(load, name, is_output))
        return false;
    rp_buf_printf(&load->arguments, is_output ? "out[%zu]" : "in[%zu]", place);
    return true;
}

/* One star: "void *", "int8_t *"; neither a number nor a workspace that the code itself has. */
static bool is_tensor(const struct rp_tvm_param *param) {
    const char *star = strchr(param->type, '*');
    return star != NULL && star[1] == '\0' && strstr(param->name, "workspace_") == NULL &&
           strcmp(param->name, "args") != 0;
}

static bool add_params(struct loading *load) {
    const struct rp_tvm_function *entry = load->entry;
    for (size_t i = 0; i < entry->count; i++) {
        const struct rp_tvm_param *param = &entry->items[i];
        bool is_struct = rp_has_prefix(param->type, "struct ");
        rp_buf_puts(&load->arguments, i != 0 ? ", " : "");
        if (!is_struct && !is_tensor(param)) {
            rp_fail(load->err, RP_E_ENTRY,
                    "%s:%u: '%s' takes '%s %s': it is not called with tensors alone", entry->file,
                    entry->line, entry->name, param->type, param->name);
            return rp_hint(load->err, "generate with --executor-aot-interface-api=c "
                                      "--executor-aot-unpacked-api=1");
        }
        if (is_struct ? !add_struct(load, param) : !add_pointer(load, i))
            return false;
    }
    return check_said(load) && (load->model->outputs.count != 0 ||
                                rp_fail(load->err, RP_E_ENTRY, "%s:%u: '%s' has no output",
                                        entry->file, entry->line, entry->name));
}

/* ---- memory ---- */

/* -D goes before the header. */
static uint64_t workspace_size(const struct loading *load) {
    const char *macro =
        rp_format(load->arena, "TVMGEN_%s_WORKSPACE_SIZE", rp_upper(load->arena, load->id));
    size_t len = strlen(macro);
    for (size_t i = 0; i < load->input->defines.count; i++) {
        const char *given = load->input->defines.items[i];
        if (rp_has_prefix(given, macro) && given[len] == '=')
            return strtoull(given + len + 1, NULL, 0);
    }
    uint64_t size = rp_tvm_find_size(&load->code, macro);
    return size > load->tvm->mlf.workspace_bytes ? size : load->tvm->mlf.workspace_bytes;
}

/* The generator's figure leaves out the header of each workspace and its alignment. */
static bool size_arena(struct loading *load) {
    uint64_t bytes = workspace_size(load);
    if (load->code.allocations == 0)
        return true;
    if (bytes == 0 || bytes > RELOC_OFFSET_MASK) {
        rp_fail(load->err, RP_E_INPUT,
                "'%s' takes workspaces at run time, and nothing says how much they are together",
                load->input->path);
        return rp_hint(load->err, "say it: -D TVMGEN_%s_WORKSPACE_SIZE=BYTES",
                       rp_upper(load->arena, load->id));
    }
    load->tvm->arena_bytes = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN +
                             load->code.allocations * (BLOCK_BYTES + ARENA_ALIGN);
    return true;
}

/* ---- loading ---- */

static bool read_code(struct loading *load) {
    struct rp_mlf *mlf = &load->tvm->mlf;
    const struct rp_mlf_files *lists[] = {&mlf->headers, &mlf->sources};
    const struct rp_strings *dirs = &load->input->include_dirs;
    for (size_t i = 0; mlf->headers.count == 0 && i < dirs->count; i++)
        if (!rp_mlf_add_headers(mlf, load->arena, dirs->items[i], load->err))
            return false;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (!rp_tvm_read(&load->code, load->arena, &lists[k]->items[i], load->err))
                return false;
    return true;
}

static void add_files(struct loading *load) {
    const struct rp_mlf *mlf = &load->tvm->mlf;
    struct rp_model *model = load->model;
    if (mlf->in_tar) {
        rp_strings_push(load->arena, &model->code.used_files, mlf->path);
        return;
    }
    for (size_t i = 0; i < mlf->sources.count; i++)
        rp_strings_push(load->arena, &model->code.sources, mlf->sources.items[i].path);
    for (size_t i = 0; i < mlf->headers.count; i++)
        rp_strings_push(load->arena, &model->code.used_files, mlf->headers.items[i].path);
    if (mlf->metadata.data != NULL)
        rp_strings_push(load->arena, &model->code.used_files, mlf->metadata_path);
    rp_strings_append(load->arena, &model->code.include_dirs, &mlf->include_dirs);
}

/* How templates/glue_c.c calls it: the structs are passed as arrays of pointers. */
static void write_calls(struct loading *load) {
    struct rp_arena *arena = load->arena;
    const char *name = load->entry->name;
    struct rp_buf text = {.arena = load->arena};
    rp_buf_printf(&text, "extern int32_t %s(", name);
    for (size_t i = 0; i < load->entry->count; i++)
        rp_buf_puts(&text, i != 0 ? ", void *" : "void *");
    rp_buf_puts(&text, ");\nextern void rp_tvm_begin(void);\nextern int rp_tvm_end(void);\n");
    for (const char *at = load->pools.data; at != NULL; at = strchr(at + 1, '\n')) {
        const char *pool = strstr(at, "rp_tvm_pool_");
        if (pool == NULL)
            break;
        rp_buf_printf(&text, "extern unsigned char %.*s[];\n", (int)strcspn(pool, "["), pool);
    }
    load->model->calls.declarations = rp_strdup(arena, text.data);
    load->model->calls.run = rp_format(
        arena,
        load->tvm->arena_bytes != 0 ? "rp_tvm_begin(), %s(%s) == 0 && rp_tvm_end()" : "%s(%s) == 0",
        name, load->arguments.data);
    load->tvm->pools = load->pools.len != 0 ? rp_strdup(arena, load->pools.data) : NULL;
}

static bool load_all(struct loading *load) {
    struct rp_mlf *mlf = &load->tvm->mlf;
    struct rp_model *model = load->model;
    if (load->input->entry != NULL &&
        !rp_entry_parse(&load->said, load->arena, load->input->entry, load->err))
        return false;
    if (!rp_mlf_load(mlf, load->arena, load->input->path, load->err) || !read_code(load) ||
        !find_entry(load) || !rp_mlf_describe(mlf, load->arena, load->id, load->err) ||
        !add_params(load) || !size_arena(load))
        return false;
    model->name = load->id;
    model->entry.name = load->entry->name;
    model->entry.typed_by = rp_format(load->arena, "tvmgen_%s___tvm_main__", load->id);
    model->entry.said_by = load->said.entry.said_by;
    model->generator = "TVM";
    model->own = load->tvm;
    add_files(load);
    write_calls(load);
    return true;
}

static bool load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                 struct rp_error *err) {
    struct loading load = {.model = model,
                           .arena = arena,
                           .input = input,
                           .tvm = rp_alloc(arena, 1, sizeof *load.tvm),
                           .arguments = {.arena = arena},
                           .pools = {.arena = arena},
                           .err = err};
    return load_all(&load);
}

const struct rp_dialect rp_dialect_tvm = {
    .name = "tvm",
    .models = "models of TVM",
    .takes = RP_TAKES_USUAL | RP_TAKES_ENTRY,
    .image = &rp_image_cortex_m,
    .plain_functions = true,
    .constants = ".rodata.tvm",
    .recognise = recognise,
    .load = load,
    .plan = rp_tvm_plan,
    .handed = &rp_tvm_handed,
};
