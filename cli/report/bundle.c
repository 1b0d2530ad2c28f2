/* SPDX-License-Identifier: Apache-2.0 */
/* A Glow bundle in the reports: see bundle.h. */
#include "cli/report/bundle.h"

#include "toolchain/dialects/glow.h"
#include "toolchain/dialects/glow_header.h"

struct field {
    const char *name;
    uint64_t value;
};

enum { FIELDS = 9 };

/* Offsets count from the start of the image; that of the activations memory counts in its part. */
static size_t list_fields(const struct rp_report *report, struct field fields[FIELDS]) {
    const struct rp_package *package = report->package;
    const struct rp_glow *glow = rp_glow_of(&package->model);
    const struct rp_symbol *entry = rp_elf_symbol(&package->linked.elf, glow->entry);
    const struct field all[FIELDS] = {
        {"const_mem_size", glow->constant_size},
        {"mut_mem_size", glow->mutable_size},
        {"act_mem_size", glow->activations_size},
        {"mem_align", glow->align},
        {"mut_mem_offset", 0},
        {"act_mem_offset", package->model.acts_size - glow->activations_size},
        {"code_size", package->placed.layout.parts.bounds.ro_size},
        {"entry_offset", entry != NULL ? entry->value & RELOC_OFFSET_MASK & ~UINT32_C(1) : 0},
        {"weights_offset", report->image.weights_start},
    };
    bool inside = report->image.weights_start != 0; /* the weights are not in a file of their own */
    for (size_t i = 0; i < FIELDS; i++)
        fields[i] = all[i];
    return inside ? FIELDS : FIELDS - 1;
}

static void put_tensors(struct rp_json *object, const char *key, const struct rp_glow *glow,
                        const struct rp_tensors *tensors) {
    struct rp_json *list = rp_json_new_array(object, key);
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        const struct rp_glow_tensor *of = rp_glow_find(glow, tensor->name);
        struct rp_json *item =
            RP_JSON_NEW(RP_JSON_S("name", tensor->name), RP_JSON_S("type", tensor->dtype->name),
                        RP_JSON_N("offset", of->offset), RP_JSON_N("size", of->size));
        struct rp_json *dims = rp_json_new_array(item, "dims");
        for (unsigned d = 0; d < tensor->rank; d++)
            rp_json_push_int(dims, tensor->shape[d]);
        rp_json_push(list, item);
    }
}

void rp_bundle_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_model *model = &report->package->model;
    const struct rp_glow *glow = rp_glow_of(model);
    struct field fields[FIELDS];
    if (glow == NULL)
        return;
    size_t count = list_fields(report, fields);
    struct rp_json *object = rp_json_new_object(root, "bundle");
    rp_json_put_string(object, "entry", glow->entry);
    for (size_t i = 0; i < count; i++)
        rp_json_put_int(object, fields[i].name, (int64_t)fields[i].value);
    put_tensors(object, "inputs", glow, &model->inputs);
    put_tensors(object, "outputs", glow, &model->outputs);
}

static void put_lines(struct rp_buf *out, const struct rp_glow *glow, const char *kind,
                      const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        const struct rp_glow_tensor *of = rp_glow_find(glow, tensor->name);
        rp_buf_printf(out, " %-20s = %s %s", kind, tensor->name, tensor->dtype->name);
        for (unsigned d = 0; d < tensor->rank; d++)
            rp_buf_printf(out, "[%u]", tensor->shape[d]);
        rp_buf_printf(out, ", %u bytes at %u\n", of->size, of->offset);
    }
}

void rp_bundle_text(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_model *model = &report->package->model;
    const struct rp_glow *glow = rp_glow_of(model);
    struct field fields[FIELDS];
    if (glow == NULL)
        return;
    size_t count = list_fields(report, fields);
    rp_buf_printf(
        out, "\n Bundle, entry %s\n %.80s\n", glow->entry,
        "--------------------------------------------------------------------------------");
    for (size_t i = 0; i < count; i++)
        rp_buf_printf(out, " %-20s = %llu\n", fields[i].name, (unsigned long long)fields[i].value);
    put_lines(out, glow, "input", &model->inputs);
    put_lines(out, glow, "output", &model->outputs);
}
