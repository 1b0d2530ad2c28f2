/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that the Neural-ART loader checks before it writes: the image against the firmware,
 * and the plan of an installation against the memory it is given. In: what the caller of
 * ll_aton_reloc_install_sized gave. Out: a struct plan that can be carried out without any further
 * check, or a code of reloc_errors.def. Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_PLAN_H
#define LL_ATON_RELOC_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ll_aton_reloc_loader.h"
#include "ll_aton_reloc_port.h"
#include "reloc_npu_core.h"

static uint32_t address_of(const void *pointer) {
    return (uint32_t)pointer;
}

static const uint8_t *bytes_at(uint32_t address) {
    return (const uint8_t *)address;
}

/* ---- checks of the image against the firmware ---- */

static int32_t open_image(uint32_t file, uint32_t size, struct reloc_npu_view *view) {
    if (file == 0 || file % 4u != 0)
        return RELOC_E_OBJECT;
    int32_t code = reloc_npu_check(bytes_at(file), size, view);
    if (code == RELOC_OK && REQUIRE_TRAILER && size != RELOC_SIZE_UNKNOWN &&
        view->base.trailer == 0)
        return RELOC_E_NO_TRAILER;
    return code;
}

static int32_t check_flags(uint32_t flags) {
    uint32_t part = LL_ATON_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_E_CPU;
    if (RELOC_FLAGS_FPU(flags) && (LL_ATON_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_E_FPU;
    if ((flags & RELOC_NPU_FLAG_SECURE) != 0 && !FIRMWARE_SECURE)
        return RELOC_E_SECURE;
    if (((flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0) != FIRMWARE_DBG_INFO)
        return RELOC_E_DBG_INFO;
    return ((flags & RELOC_NPU_FLAG_ASYNC) != 0) != FIRMWARE_ASYNC ? RELOC_E_ASYNC : RELOC_OK;
}

/*
 * Whether image and firmware, of one version, have the same call-backs. An image of the very build
 * of the firmware always has; 1.1.3 has two tables, and builds between them have an unknown one.
 */
static bool same_callbacks(uint32_t extra) {
    if (extra == (uint32_t)LL_ATON_VERSION_DEV || FIRMWARE_RT_VERSION != RT_VERSION_1_1_3)
        return true;
    return LL_ATON_RELOC_GENERATION > 2 ? extra >= DEV_1_1_3_NEW : extra <= DEV_1_1_3_OLD;
}

/*
 * Stops: an image whose call-backs are those of another release, or whose structures have other
 * sizes; an interface that leaves the image.
 */
static int32_t check_runtime(const struct reloc_npu_view *v) {
    enum { SIZES = sizeof(LL_Buffer_InfoTypeDef) | sizeof(EpochBlock_ItemTypeDef) << 8 };
    bool early = FIRMWARE_RT_VERSION < RELOC_NPU_CTX_SINCE;
    if ((v->rt_version & 0xFFFFFF00u) != FIRMWARE_RT_VERSION ||
        !same_callbacks(v->rt_version_extra))
        return RELOC_E_RUNTIME;
    if (!early && (v->struct_sizes & 0xFFFFu) != SIZES)
        return RELOC_E_STRUCT_SIZES;
    return reloc_npu_interface_valid(v, (uint32_t)sizeof(char *)) ? RELOC_OK : RELOC_E_CONTEXT;
}

/* ---- the plan of an installation: everything that is written, known before the first write ----
 */

struct range {
    uint32_t start;
    uint32_t size;
};

/* What must not be written, and what will be: image, params, RAM, external RAM, pools. */
enum { RANGE_IMAGE, RANGE_PARAMS, RANGE_RAM, RANGE_POOLS, RANGES = RANGE_POOLS + 1 + 9 };
_Static_assert(RELOC_NPU_POOLS_MAX == 9, "ranges of a plan");

struct plan {
    struct reloc_npu_view view;
    const ll_aton_reloc_install_args *args;
    const ll_aton_reloc_config *config;
    uint32_t need;   /* bytes of RAM */
    uint32_t params; /* address */
    uint32_t range_count;
    struct range ranges[RANGES];
};

static bool is_copy(const struct plan *plan) {
    return (plan->config->mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
}

/* Neither range wraps. An empty one overlaps nothing. */
static bool overlap(struct range a, struct range b) {
    return a.size != 0 && b.size != 0 && (a.start - b.start < b.size || b.start - a.start < a.size);
}

/* Adds a range that is written; false if it overlaps one there. */
static bool add_range(struct plan *plan, uint32_t start, uint32_t size) {
    struct range range = {start, size};
    for (uint32_t i = 0; i < plan->range_count; i++)
        if (overlap(range, plan->ranges[i]))
            return false;
    plan->ranges[plan->range_count++] = range;
    return true;
}

static int32_t plan_mode(const struct plan *plan) {
    uint32_t mode = plan->config->mode;
    uint32_t where = mode & (AI_RELOC_RT_LOAD_MODE_XIP | AI_RELOC_RT_LOAD_MODE_COPY);
    if ((mode & ~(where | AI_RELOC_RT_LOAD_MODE_CLEAR)) != 0 ||
        (where != AI_RELOC_RT_LOAD_MODE_XIP && where != AI_RELOC_RT_LOAD_MODE_COPY))
        return RELOC_E_MODE;
    return plan->view.needs_copy && !is_copy(plan) ? RELOC_E_NEEDS_COPY : RELOC_OK;
}

/* Bytes of params that the model or the loader may read. */
static uint32_t params_bytes(const struct reloc_npu_view *v) {
    return v->params_need > v->params_bin_size ? v->params_need : v->params_bin_size;
}

/* The caller's params go before those in the image, as in the vendor's loader. */
static int32_t plan_params(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    uint32_t external = plan->config->ext_param_addr;
    plan->params = external;
    if (external == 0 && v->params_start != 0)
        plan->params = address_of(v->base.image) + v->params_start;
    if (plan->params == 0 || plan->params % RELOC_NPU_ALIGN != 0 ||
        params_bytes(v) > 0u - plan->params)
        return RELOC_E_PARAMS_ADDRESS;
    if (external == 0 || plan->args->params_size == LL_ATON_RELOC_SIZE_UNKNOWN)
        return RELOC_OK;
    return reloc_npu_check_params(v, bytes_at(external), plan->args->params_size);
}

/* Of the file, with params and trailer. Without a size params end where they may be read. */
static uint32_t file_bytes(const struct reloc_npu_view *v) {
    if (v->base.size != RELOC_SIZE_UNKNOWN)
        return v->base.size;
    return v->params_start != 0 ? v->params_start + params_bytes(v) : v->base.content_end;
}

static int32_t plan_ram(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    const ll_aton_reloc_config *config = plan->config;
    uint32_t ram = config->exec_ram_addr;
    struct range image = {address_of(v->base.image), file_bytes(v)};
    struct range params = {plan->params, params_bytes(v)};
    plan->ranges[RANGE_IMAGE] = image;
    plan->ranges[RANGE_PARAMS] = params;
    plan->range_count = RANGE_RAM;
    plan->need = is_copy(plan) ? reloc_npu_ram_copy(v) : reloc_npu_ram_xip(v);
    if (ram == 0 || ram % RELOC_NPU_ALIGN != 0)
        return RELOC_E_RAM_ADDRESS;
    if (config->exec_ram_size < plan->need || plan->need > 0u - ram)
        return RELOC_E_RAM_SIZE;
    return add_range(plan, ram, plan->need) ? RELOC_OK : RELOC_E_RAM_OVERLAP;
}

static bool is_cacheable(uint32_t flags) {
    return (RELOC_NPU_POOL_GET_ATTR(flags) & RELOC_NPU_POOL_CACHEABLE) != 0;
}

static int32_t plan_relative(struct plan *plan, struct reloc_npu_row row) {
    uint32_t start = plan->params;
    uint32_t ext = plan->config->ext_ram_addr;
    bool external = RELOC_NPU_POOL_GET_ID(row.flags) == RELOC_NPU_POOL_ID_EXT_RAM;
    if (external) {
        uint32_t size = reloc_npu_round8(plan->view.ext_ram_size);
        if (ext == 0 || ext % RELOC_NPU_ALIGN != 0 || plan->config->ext_ram_size < size ||
            size > 0u - ext)
            return RELOC_E_EXT_RAM;
        if (!add_range(plan, ext, size))
            return RELOC_E_OVERLAP;
        start = ext;
    }
    return is_cacheable(row.flags) && start <= RELOC_NPU_EXTERNAL_ADDR ? RELOC_E_CACHEABLE
                                                                       : RELOC_OK;
}

/* Whether params at a fixed address lie there already: nothing to copy, nothing that is written. */
static bool is_in_place(const struct plan *plan, struct reloc_npu_row row) {
    return RELOC_NPU_POOL_GET_TYPE(row.flags) == RELOC_NPU_POOL_COPY &&
           RELOC_NPU_POOL_GET_DATA(row.flags) == RELOC_NPU_POOL_PARAM &&
           row.dst == plan->params + row.foff;
}

/* The firmware's regions, when it gives any, are where an image may place pools. */
static bool is_allowed(const ll_aton_reloc_install_args *args, uint32_t start, uint32_t size) {
    for (uint32_t i = 0; args->regions != NULL && i < args->region_count; i++) {
        uint32_t offset = start - args->regions[i].address;
        if (offset < args->regions[i].size && size <= args->regions[i].size - offset)
            return true;
    }
    return args->regions == NULL;
}

static int32_t plan_absolute(struct plan *plan, struct reloc_npu_row row) {
    uint32_t size = reloc_npu_round8(row.size);
    if (is_in_place(plan, row))
        return RELOC_OK;
    if (!is_allowed(plan->args, row.dst, size))
        return RELOC_E_POOL_REGION;
    return add_range(plan, row.dst, size) ? RELOC_OK : RELOC_E_OVERLAP;
}

static int32_t plan_pools(struct plan *plan) {
    int32_t code = RELOC_OK;
    if (plan->config->ext_ram_addr % RELOC_NPU_ALIGN != 0)
        return RELOC_E_EXT_RAM;
    for (uint32_t i = 0; i < plan->view.pool_count && code == RELOC_OK; i++) {
        struct reloc_npu_row row = reloc_npu_row(&plan->view, i);
        code = RELOC_NPU_POOL_GET_TYPE(row.flags) == RELOC_NPU_POOL_RELOC
                   ? plan_relative(plan, row)
                   : plan_absolute(plan, row);
    }
    return code;
}

static int32_t make_plan(struct plan *plan) {
    int32_t code;
    if ((code = check_flags(plan->view.base.flags)) != RELOC_OK ||
        (code = check_runtime(&plan->view)) != RELOC_OK || (code = plan_mode(plan)) != RELOC_OK ||
        (code = plan_params(plan)) != RELOC_OK || (code = plan_ram(plan)) != RELOC_OK)
        return code;
    return plan_pools(plan);
}

#endif
