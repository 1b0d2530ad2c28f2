/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline from generated code to an image: see package.h. */
#include "cli/pipeline/package.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "cli/pipeline/clang.h"
#include "cli/pipeline/imports.h"
#include "cli/pipeline/check.h"
#include "cli/pipeline/code.h"
#include "cli/pipeline/r9.h"
#include "elfpack/startup.h"
#include "toolchain/calls/declared.h"
#include "toolchain/npu/plan.h"

enum { MAP_MAX = 256 << 20 };

/* ---- compiling ---- */

static bool ask_version(struct rp_package *package, struct rp_error *err) {
    struct rp_strings argv = {0};
    const char *version;
    RP_PUSH_WORDS(package->arena, &argv, package->build.cc,
                  package->build_options.compiler != NULL ? "-dumpversion" : "-dumpfullversion");
    if (!rp_build_ask(&package->build, &argv, &version, err))
        return false;
    package->compiler_version = rp_strndup(package->arena, version, strcspn(version, "\r\n"));
    return strtol(version, NULL, 10) >= 8 ||
           rp_fail(err, RP_E_TOOL_OLD, "'%s' is of version '%s'; 8 or later is needed",
                   package->build.cc, package->compiler_version);
}

bool rp_package_compile(struct rp_package *package, bool is_static, struct rp_error *err) {
    if (!rp_build_begin(&package->build, package->arena, &package->build_options, err))
        return false;
    package->flags = (struct rp_plan_flags){.is_static = is_static};
    rp_plan_flags(&package->flags, &package->build, &package->model, &package->input);
    return (package->options->dry_run || ask_version(package, err)) &&
           rp_clang_takes_sources(package, err) &&
           package->dialect->plan(&package->model, &package->build, &package->flags, err) &&
           (is_static || rp_clang_move_constants(package, err)) &&
           rp_build_make(&package->build, "objects", err) &&
           (is_static || package->options->dry_run ||
            rp_declared_check_objects(&package->model, &package->build, err));
}

/* ---- parts of their own ---- */

size_t rp_package_model_units(const struct rp_package *package) {
    return package->build.model_units != 0 ? package->build.model_units
                                           : package->model.sources.count;
}

static bool scan_objects(struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    struct rp_scan_options options = {
        .weights_threshold = model->constants_are_weights ? package->options->weights_threshold : 0,
        .acts_threshold = model->constants_are_weights ? package->options->acts_threshold : 0,
        .imports = rp_host_import_names(package),
        .cpuid = package->target->cpuid,
        .float_abi = package->target->float_abi,
        .convention = rp_clang_convention(package),
        .tvm = strcmp(model->dialect, "tvm") == 0,
    };
    size_t own = rp_package_model_units(package);
    for (size_t i = 0; i < package->build.units.count; i++) {
        const struct rp_unit *unit = &package->build.units.items[i];
        options.shown = unit->source;
        options.large = i < own; /* the units begin with the model's */
        if (model->weights_symbol != NULL)
            options.weights_threshold = 1;
        if (model->weights_source != NULL)
            options.weights_threshold = strcmp(unit->source, model->weights_source) == 0;
        if (!rp_scan_file(&package->scan, package->arena, rp_build_object(&package->build, unit),
                          &options, err))
            return false;
    }
    if (rp_is_clang(package) && model->weights_symbol == NULL)
        rp_clang_keep_large(package);
    if (model->constants_are_weights && model->libraries.count == 0 &&
        !rp_strings_have(&package->scan.defined, model->entry)) {
        rp_fail(err, RP_E_ENTRY, "%s: there is no function '%s'",
                package->build.units.items[0].source, model->entry);
        return rp_hint(err, "it must not be static, nor a C++ function without extern \"C\"");
    }
    options.shown = NULL;
    options.large = false;
    options.members_later = true;
    options.impure = true; /* to know which of the archives' own math functions can be used */
    for (size_t i = 0; i < model->libraries.count; i++)
        if (!rp_scan_file(&package->scan, package->arena, model->libraries.items[i], &options, err))
            return false;
    return true;
}

static const char *relative_object(const struct rp_package *package, const char *object) {
    size_t len = strlen(package->build.dir);
    return strncmp(object, package->build.dir, len) == 0 ? object + len + 1 : object;
}

/* st-ai: the one array that holds the weights, out of all large constants. */
static bool keep_weights_array(struct rp_package *package, struct rp_error *err) {
    struct rp_model *model = &package->model;
    /* clang puts the name of a function before that of its static variable */
    const char *name = rp_format(package->arena, ".%s", model->weights_symbol);
    const char *table = rp_format(package->arena, "%s_table", name);
    size_t kept = 0;
    for (size_t i = 0; i < package->scan.large.count; i++)
        if (strstr(package->scan.large.items[i].section, name) != NULL &&
            strstr(package->scan.large.items[i].section, table) == NULL)
            package->scan.large.items[kept++] = package->scan.large.items[i];
    package->scan.large.count = kept;
    if (kept > 1)
        return rp_fail(err, RP_E_WEIGHTS, "%s: the weights are in %zu arrays, %s and %s among them",
                       model->sources.items[0], kept, package->scan.large.items[0].section,
                       package->scan.large.items[1].section);
    if (kept == 1 && (package->scan.large.items[0].size < model->weights_size ||
                      package->scan.large.items[0].size - model->weights_size >= 8))
        return rp_fail(err, RP_E_WEIGHTS,
                       "%s: the generated code declares %llu bytes of weights, the array has %u",
                       model->sources.items[0], (unsigned long long)model->weights_size,
                       package->scan.large.items[0].size);
    return true;
}

/* stai: one array for each buffer, of 8-byte words; or none. */
static bool check_weights_arrays(const struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    uint64_t total = 0, count = package->scan.large.count;
    for (size_t i = 0; i < count; i++)
        total += package->scan.large.items[i].size;
    return model->weights_source == NULL || count == 0 ||
           (total >= model->weights_size && total - model->weights_size < 8 * count) ||
           rp_fail(err, RP_E_WEIGHTS,
                   "%s: the network declares %llu bytes of weights, the arrays have %llu",
                   model->weights_source, (unsigned long long)model->weights_size,
                   (unsigned long long)total);
}

/* A weights file beside the code takes the place of the array, when there is to be one. */
static bool use_weights_file(struct rp_package *package, struct rp_buf *weights,
                             struct rp_error *err) {
    struct rp_model *model = &package->model;
    uint64_t size = 0;
    if (model->weights_size == 0)
        return true;
    if (model->weights_file == NULL) {
        rp_fail(err, RP_E_WEIGHTS,
                "%s: the generated code declares %llu bytes of weights, but there is neither an "
                "array nor a file '%s_data.bin'",
                model->sources.items[0], (unsigned long long)model->weights_size, model->entry);
        return rp_hint(err, "put the .bin file of the same generation beside the code, or name it "
                            "with --weights FILE");
    }
    if (!rp_weights_payload(model->weights_file, &size, err))
        return false;
    if (size != model->weights_size)
        return rp_fail(
            err, RP_E_WEIGHTS, "'%s' has %llu bytes of weights, the generated code declares %llu",
            model->weights_file, (unsigned long long)size, (unsigned long long)model->weights_size);
    rp_strings_push(package->arena, &model->used_files, model->weights_file);
    package->weights = (struct rp_weights_source){model->weights_file, 0, size};
    /* code that names the array gets an address in the weights part */
    if (model->weights_symbol != NULL)
        rp_buf_printf(weights, "PROVIDE(%s_array_u64 = .); BYTE(0)\n", model->weights_symbol);
    return true;
}

/* Is a file, and no array of the compiled code, what the weights are in? */
static bool takes_weights_file(const struct rp_package *package) {
    const struct rp_model *model = &package->model;
    return model->weights_symbol != NULL || model->weights_source != NULL
               ? package->scan.large.count == 0
               : model->weights_file != NULL;
}

/* Weights that are compiled in would be taken, and the file that the user named would not. */
static bool check_weights_choice(const struct rp_package *package, struct rp_error *err) {
    if (package->input.weights == NULL || takes_weights_file(package))
        return true;
    rp_fail(err, RP_E_USAGE,
            "--weights '%s' would not be used: the weights are in arrays of the generated code",
            package->input.weights);
    return rp_hint(err, "leave it out, or generate the network with its weights in a file");
}

/*
 * Variables with initial values in sections that are named as zeros are: by name, in whatever
 * object, which costs the zeros of that name their room in the file. Names that a pattern of the
 * linker would not mean are left out, and the check of the link refuses what became of them.
 */
static bool write_filled(struct rp_package *package, struct rp_error *err) {
    struct rp_buf out = {0};
    for (size_t i = 0; i < package->scan.filled.count; i++) {
        const char *name = package->scan.filled.items[i];
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$") ==
            strlen(name))
            rp_buf_printf(&out, "*(%s)\n", name);
    }
    bool ok = rp_build_write(&package->build, "data.ld", out.data, out.len, err);
    rp_buf_release(&out);
    return ok;
}

static bool write_parts(struct rp_package *package, struct rp_error *err) {
    struct rp_buf weights = {0}, acts = {0};
    bool by_symbol = package->model.weights_symbol != NULL;
    bool ok = (!by_symbol || keep_weights_array(package, err)) &&
              check_weights_arrays(package, err) && check_weights_choice(package, err);
    for (size_t i = 0; ok && i < package->scan.large.count; i++) {
        const struct rp_large *large = &package->scan.large.items[i];
        rp_buf_puts(large->zero ? &acts : &weights,
                    rp_plan_part(package->arena, relative_object(package, large->object),
                                 large->section, by_symbol));
    }
    if (ok && takes_weights_file(package))
        ok = use_weights_file(package, &weights, err);
    ok = ok && write_filled(package, err) &&
         rp_build_write(&package->build, "weights.ld", weights.data, weights.len, err) &&
         rp_build_write(&package->build, "acts.ld", acts.data, acts.len, err);
    rp_buf_release(&weights);
    rp_buf_release(&acts);
    return ok;
}

/* Functions that the objects want, we have, and neither model nor firmware has. */
static void add_math(struct rp_package *package) {
    const struct rp_strings *imports = rp_host_import_names(package);
    if (rp_math_is_libc(package->options))
        return;
    for (size_t i = 0; rp_math_function(i) != NULL; i++) {
        const char *name = rp_math_function(i);
        if (!rp_strings_have(&package->scan.wanted, name) ||
            rp_strings_have(&package->scan.defined, name) || rp_strings_have(imports, name))
            continue;
        rp_strings_push(package->arena, &package->math, name);
        rp_plan_math(&package->build, &package->flags, name);
    }
}

/*
 * Tables for unwinding are left out of an image, but what they name brings the unwinder along, and
 * that malloc. What the model has of its own is kept.
 */
static void leave_unwinder(struct rp_package *package) {
    static const char *const names[] = {"__aeabi_unwind_cpp_pr0", "__aeabi_unwind_cpp_pr1",
                                        "__aeabi_unwind_cpp_pr2"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *option = rp_format(package->arena, "--defsym=%s=0", names[i]);
        if (rp_strings_have(&package->scan.wanted, names[i]) &&
            !rp_strings_have(&package->scan.defined, names[i]) &&
            !rp_strings_have(&package->scan.unwinder, names[i]) &&
            !rp_strings_have(&package->model.link_options, option))
            rp_strings_push(package->arena, &package->model.link_options, option);
    }
}

/* ---- linking ---- */

static bool open_linked(struct rp_package *package, struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(package->arena, rp_build_path(&package->build, "image.map"), MAP_MAX, &text,
                      err))
        return false;
    package->map_text = (const char *)text.data;
    rp_linkmap_parse(&package->map, package->arena, package->map_text);
    for (size_t i = 0; i < package->map.count; i++)
        package->map.items[i].file = rp_package_source_of(package, package->map.items[i].file);
    return rp_elf_open(&package->elf, package->arena, rp_build_path(&package->build, "image.elf"),
                       err);
}

/* The params of a Neural-ART image: blobs, then the pools' initialisers, each a multiple of 8. */
static void chain_params(struct rp_package *package) {
    const struct rp_npu *npu = package->model.npu;
    const struct rp_section *blobs = package->layout.ec_blobs;
    struct rp_weights_source *last = &package->weights;
    if (blobs != NULL)
        *last = (struct rp_weights_source){package->elf.path, blobs->file_offset, blobs->size};
    for (size_t i = 0; i < npu->order_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[npu->order[i]];
        struct rp_weights_source *part = last;
        if (last->size != 0) {
            part = rp_alloc(package->arena, 1, sizeof *part);
            last->next = part;
        }
        *part = (struct rp_weights_source){.path = pool->raw,
                                           .size = pool->raw_size,
                                           .padding = pool->file_bytes - pool->raw_size};
        last = part;
    }
}

/* Where the weights' bytes are, and how many of them count. */
static bool find_weights(struct rp_package *package, struct rp_error *err) {
    const struct rp_section *section = package->layout.weights;
    if (package->model.npu != NULL) {
        chain_params(package);
        return true;
    }
    if (package->weights.path != NULL || section == NULL)
        return true;
    package->weights =
        (struct rp_weights_source){package->elf.path, section->file_offset, section->size};
    if (package->model.weights_symbol != NULL)
        package->weights.size = package->model.weights_size;
    return package->weights.size <= section->size ||
           rp_fail(err, RP_E_INTERNAL, "the weights array lost %llu bytes in the link",
                   (unsigned long long)(package->weights.size - section->size));
}

/*
 * The network and the pack's sources have to be compiled with one idea of an epoch's struct, which
 * macros change. The context of LL_ATON 1.1.0 does not tell its size.
 */
static bool check_epochs(const struct rp_package *package, struct rp_error *err) {
    const struct rp_npu *npu = package->model.npu;
    const struct rp_layout *layout = &package->layout;
    uint32_t want = (rp_layout_context_word(layout, RELOC_NPU_CTX_STRUCT_SIZES) >> 8 & 0xFFu) *
                    (uint32_t)(npu->aton.epochs.count + 1);
    if (rp_layout_context_word(layout, RELOC_NPU_CTX_RT_VERSION) < RELOC_NPU_CTX_SINCE)
        return true;
    for (size_t i = 0; i < package->elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->elf.symbols[i];
        if (strstr(symbol->name, "ll_atonn_rt_epoch_block_array") != NULL && symbol->size != want)
            return rp_fail(err, RP_E_ENTRY_ABI,
                           "the table of epochs of '%s' has %u bytes, the pack's runtime expects "
                           "%u: they were compiled with other macros",
                           npu->aton.network, symbol->size, want);
    }
    return true;
}

/* A variable that is too small for a tensor is not its buffer: it may point to it. */
static bool check_buffer(const struct rp_package *package, const struct rp_tensor *tensor,
                         bool is_input, struct rp_error *err) {
    const struct rp_elf *elf = &package->elf;
    unsigned long long bytes = rp_tensor_bytes(tensor);
    for (size_t i = 0; tensor->at != NULL && i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (strcmp(symbol->name, tensor->at) != 0 || symbol->section == 0)
            continue;
        if (symbol->size < bytes) {
            rp_fail(err, RP_E_MANIFEST, "tensor '%s' has %llu bytes, the variable '%s' %u",
                    tensor->name, bytes, tensor->at, symbol->size);
            return rp_hint(err, "'at' names the array itself; for a pointer, write a function that "
                                "returns it, and name that with 'get'");
        }
        if (is_input && symbol->value < RELOC_SEG_RAM)
            return rp_fail(err, RP_E_MANIFEST, "the variable '%s' of input '%s' is constant",
                           tensor->at, tensor->name);
    }
    return true;
}

static bool check_buffers(const struct rp_package *package, struct rp_error *err) {
    const struct rp_tensors *lists[] = {&package->model.inputs, &package->model.outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (!check_buffer(package, &lists[k]->items[i], k == 0, err))
                return false;
    return true;
}

static bool lay_out(struct rp_package *package, struct rp_error *err) {
    const struct rp_npu *npu = package->model.npu;
    const struct rp_linked linked = {
        .elf = &package->elf,
        .map = &package->map,
        .imports = &package->imports,
        .format = npu != NULL ? RP_FORMAT_NEURAL_ART : RP_FORMAT_CORTEX_M,
        .convention = rp_clang_convention(package),
        .copy_only = package->input.copy_only,
        .compact = package->input.compact,
        .weights_by_call = package->model.vendor_table,
    };
    return rp_layout_make(&package->layout, package->arena, &linked, err) &&
           rp_startup_check(&package->layout, package->arena, &package->map, err) &&
           rp_package_check_code(package, err) && (npu == NULL || check_epochs(package, err));
}

/* What the layout refuses of the model's code, and says with callers and hints. */
static bool is_of_the_model(enum rp_error_id id) {
    return id == RP_E_UNDEFINED || id == RP_E_NOT_PIC || id == RP_E_TLS ||
           id == RP_E_RELOC_UNKNOWN || id == RP_E_ORPHAN || id == RP_E_INIT_ARRAY ||
           id == RP_E_TOO_LARGE || id == RP_E_ENTRY_ABI;
}

/* Where the layout finds the linked file odd, or nothing wrong, what the objects say counts. */
static bool check_and_lay_out(struct rp_package *package, struct rp_error *err) {
    struct rp_error wrong = {0};
    bool is_right = rp_package_check_link(package, &wrong);
    bool laid_out = wrong.id != RP_E_RESERVED && lay_out(package, err);
    if (!is_right && !is_of_the_model(err->id))
        *err = wrong;
    if (is_right && laid_out && package->link.undefined != NULL)
        return rp_fail(err, RP_E_LINK_CHECK,
                       "'%s' is not defined, and the linked file does not show that it is needed",
                       package->link.undefined);
    return is_right && laid_out;
}

static bool link_objects(struct rp_package *package, struct rp_error *err) {
    if (!rp_clang_patch_tables(package, err) || !scan_objects(package, err) ||
        !rp_package_check_names(package, err) || !write_parts(package, err) ||
        !rp_host_imports_settle(package, err))
        return false;
    add_math(package);
    leave_unwinder(package);
    rp_plan_link(&package->build, &package->model, &package->flags);
    if (!rp_build_make(&package->build, "link", err)) {
        rp_package_blame_names(package, err);
        return false;
    }
    return open_linked(package, err) && check_buffers(package, err) &&
           check_and_lay_out(package, err) && find_weights(package, err);
}

/* Of a model in several sources, some may work on pointers alone. Archives are as they are. */
static bool may_free_r9(const struct rp_package *package) {
    return package->build.model_units > 1 && package->model.libraries.count == 0 &&
           package->model.constants_are_weights && !package->input.copy_only &&
           !rp_is_clang(package);
}

bool rp_package_link(struct rp_package *package, struct rp_error *err) {
    if (package->options->dry_run) {
        rp_plan_link(&package->build, &package->model, &package->flags);
        return rp_build_make(&package->build, "link", err);
    }
    size_t units = package->build.units.count, plain = 0;
    if (may_free_r9(package) && !rp_package_free_r9(package, &plain, err))
        return false;
    if (link_objects(package, err))
        return true;
    if (err->id != RP_E_R9 || plain == 0)
        return false;
    *err = (struct rp_error){0};
    package->build.units.count = units;
    package->math.count = 0;
    package->scan = (struct rp_scan){0};
    package->map = (struct rp_linkmap){0};
    package->layout = (struct rp_layout){0};
    rp_link_close(&package->link);
    rp_elf_close(&package->elf);
    return rp_package_keep_r9(package, err) && link_objects(package, err);
}

bool rp_package_compile_static(struct rp_package *package, struct rp_error *err) {
    if (!rp_package_compile(package, true, err) || !scan_objects(package, err))
        return false;
    add_math(package);
    return true;
}

/* The assembler reads the file itself, under a name that needs no quoting. */
static bool link_weights(struct rp_package *package, struct rp_error *err) {
    const char *name = rp_build_path(&package->build, "weights.raw");
    const char *path = rp_path_absolute(package->arena, package->weights.path, err);
    (void)unlink(name);
    return path != NULL &&
           (symlink(path, name) == 0 || rp_fail_errno(err, errno, "cannot create", name));
}

bool rp_package_embed_weights(struct rp_package *package, struct rp_error *err) {
    struct rp_buf text = {0};
    struct rp_sum sum = {0};
    char digest[2 * RELOC_SHA256_BYTES + 1];
    const char *symbol = package->model.weights_symbol;
    if (symbol != NULL && !keep_weights_array(package, err))
        return false;
    if (!takes_weights_file(package) || package->model.weights_size == 0)
        return true;
    bool ok = use_weights_file(package, &text, err) && link_weights(package, err) &&
              rp_sum_file(package->weights.path, &sum, err);
    rp_hex(digest, sum.sha256, sizeof sum.sha256);
    rp_buf_release(&text);
    rp_buf_printf(&text, "@ %s: compiler caches look at this text only\n", digest);
    rp_buf_puts(&text, ".section .rodata.rp_weights, \"a\", %progbits\n.balign 64\n"
                       ".global rp_static_weights\nrp_static_weights:\n");
    if (symbol != NULL)
        rp_buf_printf(&text, ".global %s_array_u64\n%s_array_u64:\n", symbol, symbol);
    rp_buf_printf(&text, ".incbin \"weights.raw\", 0, %llu\n",
                  (unsigned long long)package->weights.size);
    ok = ok && rp_build_write(&package->build, "weights.S", text.data, text.len, err);
    if (ok)
        rp_build_add(&package->build, "weights.S", &package->flags.glue);
    rp_buf_release(&text);
    return ok;
}

bool rp_package_link_static(struct rp_package *package, struct rp_error *err) {
    if (!rp_package_compile_static(package, err) || !write_parts(package, err))
        return false;
    rp_plan_link(&package->build, &package->model, &package->flags);
    return rp_build_make(&package->build, "link", err) && open_linked(package, err);
}

bool rp_package_write(struct rp_package *package, const char *image_path, const char *weights_path,
                      struct rp_image_result *result, struct rp_error *err) {
    bool own = package->model.weights_symbol == NULL && package->model.npu == NULL;
    const struct rp_image_spec spec = {
        .layout = &package->layout,
        .weights = package->weights,
        .acts_size = !own                            ? -1
                     : package->model.acts_size != 0 ? (int64_t)package->model.acts_size
                                                     : (int64_t)package->layout.acts_size,
        .weights_size = own ? (int64_t)package->weights.size : -1,
        .weights_align = package->model.calls.parts_align,
        .image_path = image_path,
        .weights_path = weights_path,
        .check = {rp_package_check_image, package},
    };
    return rp_image_write(&spec, result, err);
}

void rp_package_close(struct rp_package *package) {
    rp_link_close(&package->link);
    rp_elf_close(&package->elf);
    rp_build_end(&package->build);
}

const char *rp_package_source_of(const struct rp_package *package, const char *object) {
    const char *base = rp_path_base(object);
    unsigned long number = strtoul(base, NULL, 10);
    bool ours =
        rp_has_prefix(object, "obj/") && number != 0 && number <= package->build.units.count;
    if (!ours)
        return object;
    const char *source = package->build.units.items[number - 1].source;
    return rp_has_prefix(source, package->data_dir) ? rp_path_base(source) : source;
}
