/* SPDX-License-Identifier: Apache-2.0 */
/* What the objects define and refer to: see parts.h. */
#include "cli/pipeline/parts.h"

#include <string.h>

#include "base/path.h"
#include "cli/pipeline/check.h"
#include "cli/pipeline/clang.h"
#include "cli/pipeline/imports.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/series.h"

/* ---- the objects ---- */

/* Are the weights in a file rather than in a compiled array? */
static bool takes_weights_file(const struct rp_package *package) {
    const struct rp_model_weights *weights = &package->model.weights;
    return weights->policy == RP_WEIGHTS_OF_ARRAY || weights->policy == RP_WEIGHTS_OF_SOURCE
               ? package->linked.scan.large.count == 0
               : weights->file != NULL;
}

/* Compiles the glue that has waited. Without weights and activations, init has no words to set. */
static bool make_glue(struct rp_package *package, struct rp_error *err) {
    struct rp_units *units = &package->build.units;
    bool any = false;
    package->linked.no_parts = package->linked.scan.large.count == 0 &&
                               !takes_weights_file(package) && !package->compiled.flags.is_static;
    for (size_t i = 0; i < units->count; i++) {
        struct rp_unit *unit = &units->items[i];
        if (!unit->later)
            continue;
        unit->later = false;
        any = true;
        if (package->linked.no_parts)
            rp_strings_push(package->arena, &unit->cc, "-DRP_NO_PARTS");
    }
    return !any || rp_build_make(&package->build, "objects", err);
}

/* Weights and activations whose section an author named, and code walks: no part takes it. */
static void leave_walked(struct rp_scan *scan) {
    size_t kept = 0;
    for (size_t i = 0; i < scan->large.count; i++)
        if (!rp_strings_have(&scan->authored.walked, scan->large.items[i].section))
            scan->large.items[kept++] = scan->large.items[i];
    scan->large.count = kept;
}

bool rp_package_scan(struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    const bool is_clang = package->input.compiler->is_clang;
    struct rp_scan_options options = {
        .acts_threshold =
            model->weights.policy == RP_WEIGHTS_BY_SIZE ? package->options->thresholds.acts : 0,
        .imports = rp_host_import_names(package),
        .core = package->target->core,
        .float_abi = package->target->float_abi,
        .convention = rp_package_convention(package),
        .variables = model->weights.policy == RP_WEIGHTS_OF_ARRAY,
        .constants = model->dialect->constants,
    };
    size_t own = rp_package_model_units(package);
    for (size_t i = 0; i < package->build.units.count; i++) {
        const struct rp_unit *unit = &package->build.units.items[i];
        if (i == own && is_clang && model->weights.policy != RP_WEIGHTS_OF_ARRAY)
            rp_clang_keep_large(package);
        if (i == own && !make_glue(package, err))
            return false;
        if (unit->waits)
            continue;
        options.shown = unit->source;
        options.large = i < own; /* the units begin with the model's */
        options.weights_threshold =
            rp_weights_threshold(model, unit->source, package->options->thresholds.weights);
        if (!rp_scan_file(&package->linked.scan, package->arena,
                          rp_build_object(&package->build, unit), &options, err))
            return false;
    }
    if (model->dialect->plain_functions && model->code.libraries.count == 0 &&
        !rp_strings_have(&package->linked.scan.defined, model->entry.name)) {
        rp_fail(err, RP_E_ENTRY, "%s: there is no function '%s'",
                package->build.units.items[0].source, model->entry.name);
        return rp_hint(err, "it must not be static, nor a C++ function without extern \"C\"");
    }
    options.shown = NULL;
    options.large = false;
    options.members_later = true;
    options.culprits = true; /* they tell which of the archives' own math functions can be used */
    for (size_t i = 0; i < model->code.libraries.count; i++)
        if (!rp_scan_file(&package->linked.scan, package->arena, model->code.libraries.items[i],
                          &options, err))
            return false;
    leave_walked(&package->linked.scan);
    return true;
}

/* ---- weights and activations ---- */

static const char *relative_object(const struct rp_package *package, const char *object) {
    size_t len = strlen(package->build.dir);
    return strncmp(object, package->build.dir, len) == 0 ? object + len + 1 : object;
}

/*
 * Does the section hold the array of weights? clang puts the name of a function before that of its
 * static variable.
 */
static bool holds_weights(const struct rp_model *model, const struct rp_large *large) {
    for (size_t i = 0; i < large->arrays.count; i++) {
        const char *name = large->arrays.items[i], *at = strstr(name, model->weights.symbol);
        if (at != NULL && (at == name || at[-1] == '.') &&
            !rp_has_prefix(at + strlen(model->weights.symbol), "_table"))
            return true;
    }
    return false;
}

/* st-ai: of all large constants, keeps only the array that holds the weights. */
static bool keep_weights_array(struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    const char *source = model->code.sources.items[0], *variable = NULL;
    struct rp_large *large = package->linked.scan.large.items;
    size_t kept = 0;
    for (size_t i = 0; i < package->linked.scan.large.count; i++)
        if (holds_weights(model, &large[i])) {
            if (large[i].variable)
                variable = large[i].section;
            else
                large[kept++] = large[i];
        }
    package->linked.scan.large.count = kept;
    if (kept == 0 && variable != NULL && model->weights.file == NULL) {
        rp_fail(err, RP_E_WEIGHTS,
                "%s: the array of weights, '%s...', is a variable with initial values (section "
                "'%s'), not a constant",
                source, model->weights.symbol, variable);
        return rp_hint(err, "declare it const, as the generator does");
    }
    if (kept > 1)
        return rp_fail(err, RP_E_WEIGHTS, "%s: the weights are in %zu arrays, %s and %s among them",
                       source, kept, large[0].section, large[1].section);
    if (kept == 1 && large->arrays.count > 1) {
        rp_fail(err, RP_E_WEIGHTS,
                "%s: section '%s' has %zu arrays, '%s' and '%s' among them, and the weights have "
                "to be in a section of their own",
                source, large->section, large->arrays.count, large->arrays.items[0],
                large->arrays.items[1]);
        return rp_hint(err, "remove the section attribute of the other arrays, or that of '%s'",
                       model->weights.symbol);
    }
    if (kept == 1 && (large->size < model->weights.size || large->size - model->weights.size >= 8))
        return rp_fail(err, RP_E_WEIGHTS,
                       "%s: the generated code declares %llu bytes of weights, the array has %u",
                       source, (unsigned long long)model->weights.size, large->size);
    return true;
}

/* stai: each buffer has an array of 8-byte words, or none has one. */
static bool check_weights_arrays(const struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    uint64_t total = 0, count = 0;
    for (size_t i = 0; i < package->linked.scan.large.count; i++) {
        total += package->linked.scan.large.items[i].array_bytes;
        count += package->linked.scan.large.items[i].arrays.count;
    }
    return model->weights.policy != RP_WEIGHTS_OF_SOURCE || count == 0 ||
           (total >= model->weights.size && total - model->weights.size < 8 * count) ||
           rp_fail(err, RP_E_WEIGHTS,
                   "%s: the network declares %llu bytes of weights, the arrays have %llu",
                   model->weights.source, (unsigned long long)model->weights.size,
                   (unsigned long long)total);
}

static bool take_weights_file(struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    uint64_t size = 0;
    if (model->weights.size == 0)
        return true;
    if (model->weights.file == NULL) {
        rp_fail(err, RP_E_WEIGHTS,
                "%s: the generated code declares %llu bytes of weights, but there is neither an "
                "array nor a file '%s_data.bin'",
                model->code.sources.items[0], (unsigned long long)model->weights.size,
                model->entry.name);
        return rp_hint(err, "put the .bin file from the same run of the generator beside the code, "
                            "or name it with --weights FILE");
    }
    if (!rp_weights_payload(model->weights.file, &size, err))
        return false;
    if (size != model->weights.size)
        return rp_fail(
            err, RP_E_WEIGHTS, "'%s' has %llu bytes of weights, the generated code declares %llu",
            model->weights.file, (unsigned long long)size, (unsigned long long)model->weights.size);
    package->linked.weights = (struct rp_weights_source){model->weights.file, 0, size};
    return true;
}

bool rp_package_find_weights(struct rp_package *package, struct rp_error *err) {
    if ((package->model.weights.policy == RP_WEIGHTS_OF_ARRAY &&
         !keep_weights_array(package, err)) ||
        !check_weights_arrays(package, err))
        return false;
    if (takes_weights_file(package))
        return take_weights_file(package, err);
    if (package->input.weights == NULL)
        return true;
    rp_fail(err, RP_E_USAGE,
            "--weights '%s' would not be used: the weights are in arrays of the generated code",
            package->input.weights);
    return rp_hint(err, "leave it out, or generate the network with its weights in a file");
}

bool rp_package_write_parts(struct rp_package *package, struct rp_error *err) {
    struct rp_buf weights = {.arena = package->arena}, acts = {.arena = package->arena};
    bool by_symbol = package->model.weights.policy == RP_WEIGHTS_OF_ARRAY;
    if (!rp_package_find_weights(package, err))
        return false;
    for (size_t i = 0; i < package->linked.scan.large.count; i++) {
        const struct rp_large *large = &package->linked.scan.large.items[i];
        rp_buf_puts(large->zero ? &acts : &weights,
                    rp_plan_part(package->arena, relative_object(package, large->object),
                                 large->section, by_symbol));
    }
    /* code that refers to the array gets an address in the weights part */
    if (by_symbol && package->linked.weights.path != NULL)
        rp_buf_printf(&weights, "PROVIDE(%s_array_u64 = .); BYTE(0)\n",
                      package->model.weights.symbol);
    return rp_package_write_placed(package, err) &&
           rp_build_write(&package->build, "weights.ld", weights.data, weights.len, err) &&
           rp_build_write(&package->build, "acts.ld", acts.data, acts.len, err);
}

/* ---- functions that are added ---- */

static void add_function(struct rp_package *package, const char *name) {
    if (rp_strings_have(&package->linked.scan.defined, name) ||
        rp_strings_have(rp_host_import_names(package), name))
        return;
    rp_strings_push(package->arena, &package->linked.math, name);
    rp_plan_math(&package->build, &package->compiled.flags, name);
}

static void add_math(struct rp_package *package) {
    const char *name;
    for (size_t i = 0; (name = rp_math_function(i)) != NULL; i++)
        if (!rp_math_is_libc(package->options) &&
            rp_strings_have(&package->linked.scan.wanted, name))
            add_function(package, name);
    /*
     * Members of libraries may want them: the link drops those that nothing does. A static build
     * has libgcc's.
     */
    for (size_t i = 0; !package->compiled.flags.is_static &&
                       (name = rp_math_baseline(package->target, i)) != NULL;
         i++)
        add_function(package, name);
}

static bool add_heap(struct rp_package *package, struct rp_error *err) {
    static const char *const names[] = {"malloc", "calloc", "realloc", "free"};
    enum { LEAST = 64, MOST = 256 << 20 };
    const unsigned bytes = package->options->heap;
    if (bytes == 0)
        return true;
    if (!package->format->package->has_heap)
        return rp_fail(err, RP_E_USAGE, "--heap: a %s image has no memory for a heap",
                       package->format->image->title);
    if (bytes < LEAST || bytes > MOST)
        return rp_fail(err, RP_E_USAGE, "--heap %u: a heap has %u bytes to %u MB", bytes, LEAST,
                       MOST >> 20);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (rp_strings_have(rp_host_import_names(package), names[i]))
            return rp_fail(
                err, RP_E_USAGE,
                "--heap: %s is imported from the firmware; leave out the one or the other",
                names[i]);
        if (rp_strings_have(&package->linked.scan.defined, names[i])) {
            rp_fail(err, RP_E_USAGE, "--heap: the model defines %s itself", names[i]);
            return rp_hint(err, "leave out --heap, or the file that defines it");
        }
    }
    rp_plan_heap(&package->build, &package->compiled.flags, rp_heap_bytes(package->options));
    return true;
}

bool rp_package_add_functions(struct rp_package *package, struct rp_error *err) {
    add_math(package);
    return add_heap(package, err);
}
