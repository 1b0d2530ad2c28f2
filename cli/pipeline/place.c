/* SPDX-License-Identifier: Apache-2.0 */
/* From a linked package to the layout of its image: see place.h. */
#include "cli/pipeline/place.h"

#include <string.h>

#include "cli/pipeline/check.h"
#include "cli/pipeline/code.h"
#include "elfpack/elf/startup.h"

/* ---- the weights ---- */

/* Blobs, then the pools' initial bytes. */
static void chain_pools(struct rp_package *package) {
    const struct rp_model_weights *weights = &package->model.weights;
    const struct rp_section *blobs = package->placed.layout.parts.ec_blobs;
    struct rp_weights_source *last = &package->placed.weights;
    if (blobs != NULL)
        *last =
            (struct rp_weights_source){package->linked.elf.path, blobs->file_offset, blobs->size};
    for (size_t i = 0; i < weights->pools.count; i++) {
        const struct rp_weights_pool *pool = &weights->pools.items[i];
        struct rp_weights_source *part = last;
        if (last->size != 0) {
            part = rp_alloc(package->arena, 1, sizeof *part);
            last->next = part;
        }
        *part = (struct rp_weights_source){
            .path = pool->path, .size = pool->size, .padding = pool->padding};
        last = part;
    }
}

/* Where the weights' bytes are, and how many of them count. */
static bool find_weights(struct rp_package *package, struct rp_error *err) {
    const struct rp_section *section = package->placed.layout.parts.weights;
    const struct rp_model_weights *declared = &package->model.weights;
    struct rp_weights_source *weights = &package->placed.weights;
    if (declared->policy == RP_WEIGHTS_IN_POOLS) {
        chain_pools(package);
    } else {
        *weights = package->linked.weights;
        if (weights->path == NULL && section != NULL)
            *weights = (struct rp_weights_source){
                package->linked.elf.path, section->file_offset,
                declared->policy == RP_WEIGHTS_OF_ARRAY ? declared->size : section->size};
    }
    /* several arrays have gaps between them, which the generated code does not count */
    const bool counts =
        package->model.dialect->own_glue && declared->policy != RP_WEIGHTS_OF_SOURCE;
    package->placed.declared_weights = counts ? -1 : (int64_t)weights->size;
    return section == NULL || weights->path != package->linked.elf.path ||
           weights->size <= section->size ||
           rp_fail(err, RP_E_INTERNAL, "the weights array lost %llu bytes in the link",
                   (unsigned long long)(weights->size - section->size));
}

/* ---- the image ---- */

/* A variable that is too small for a tensor is not its buffer; it may be a pointer to it. */
static bool check_buffer(const struct rp_package *package, const struct rp_tensor *tensor,
                         bool is_input, struct rp_error *err) {
    const struct rp_elf *elf = &package->linked.elf;
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

static const struct rp_symbol *buffer_of(const struct rp_package *package,
                                         const struct rp_tensor *tensor) {
    return tensor->at != NULL ? rp_elf_symbol(&package->linked.elf, tensor->at) : NULL;
}

/* Variables may have several names, and lie in each other. */
static bool check_overlap(const struct rp_package *package, const struct rp_tensors *tensors,
                          struct rp_error *err) {
    for (size_t i = 0; i < tensors->count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct rp_tensor *a = &tensors->items[k], *b = &tensors->items[i];
            const struct rp_symbol *at = buffer_of(package, a), *other = buffer_of(package, b);
            if (at != NULL && other != NULL && at->value < other->value + rp_tensor_bytes(b) &&
                other->value < at->value + rp_tensor_bytes(a))
                return rp_fail(err, RP_E_MANIFEST,
                               "the variables '%s' of tensor '%s' and '%s' of tensor '%s' overlap",
                               a->at, a->name, b->at, b->name);
        }
    return true;
}

static bool lay_out(struct rp_package *package, struct rp_error *err) {
    const struct rp_linked linked = {
        .elf = &package->linked.elf,
        .map = &package->linked.map,
        .imports = &package->linked.imports,
        .format = package->format->image,
        .convention = rp_package_convention(package),
        .copy_only = package->input.copy_only,
        .compact = package->input.compact,
        .weights_by_call = package->model.st_ai.vendor_table,
    };
    return rp_layout_make(&package->placed.layout, package->arena, &linked, err);
}

/*
 * If the link is wrong, that is the error, unless the layout refuses the model's code or a section:
 * then it names callers and gives hints.
 */
static struct rp_verdict check_and_lay_out(struct rp_package *package, struct rp_error *err) {
    struct rp_error wrong = {0};
    const bool is_right = rp_package_check_link(package, &wrong);
    if (!rp_package_check_members(package, err))
        return rp_verdict(RP_FAILED);
    const struct rp_layout *layout = &package->placed.layout;
    const bool reserved = package->placed.link.inputs.reserved;
    const bool laid_out = !reserved && lay_out(package, err);
    if (!laid_out && !reserved &&
        (is_right || layout->parts.unplaced || layout->culprits.count != 0))
        return rp_verdict(RP_FAILED);
    if (!is_right) {
        *err = wrong;
        return rp_verdict(RP_FAILED);
    }
    if (!rp_startup_check(&package->linked.elf, package->arena, &package->linked.map, err))
        return rp_verdict(RP_FAILED);
    const struct rp_verdict verdict = rp_package_check_code(package, err);
    if (verdict.kind != RP_SETTLED)
        return verdict;
    const struct rp_package_format *format = package->format->package;
    if (format->check_linked != NULL && !format->check_linked(package, err))
        return rp_verdict(RP_FAILED);
    if (package->placed.link.undefined == NULL)
        return verdict;
    rp_fail(err, RP_E_LINK_CHECK,
            "'%s' is not defined, and the linked file does not show that it is needed",
            package->placed.link.undefined);
    return rp_verdict(RP_FAILED);
}

struct rp_verdict rp_package_place(struct rp_package *package, struct rp_error *err) {
    const struct rp_tensors *lists[] = {&package->model.inputs, &package->model.outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (!check_buffer(package, &lists[k]->items[i], k == 0, err))
                return rp_verdict(RP_FAILED);
    if (!check_overlap(package, &package->model.inputs, err) ||
        !check_overlap(package, &package->model.outputs, err))
        return rp_verdict(RP_FAILED);
    const struct rp_verdict verdict = check_and_lay_out(package, err);
    return verdict.kind == RP_SETTLED && !find_weights(package, err) ? rp_verdict(RP_FAILED)
                                                                     : verdict;
}
