/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that the Neural-ART loader checks before it writes: the image against the firmware,
 * and the plan of an installation against the memory it is given. In: the arguments of
 * ll_aton_reloc_install_sized. Out: a struct plan that lists everything that will be written, or a
 * code of reloc_errors.def without its sign. Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_PLAN_H
#define LL_ATON_RELOC_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ll_aton_reloc_loader.h"
#include "ll_aton_reloc_port.h" /* and reloc_core.h, by its settings */
#include "ll_aton_reloc_table.h"
#include "reloc_npu_core.h"

static uint32_t address_of(const void *pointer) {
    return (uint32_t)pointer;
}

static const uint8_t *bytes_at(uint32_t address) {
    return (const uint8_t *)address;
}

/* ---- checks of the image against the firmware ---- */

RELOC_OUTLINE uint32_t open_image(uint32_t file, uint32_t size, struct reloc_npu_view *view) {
    return file == 0 || file % 4u != 0 ? (uint32_t)RELOC_N_OBJECT
                                       : reloc_npu_check_image(bytes_at(file), size, view);
}

/*
 * A size that leads out of the address space is refused: a failed ftell gives the largest there is.
 */
static uint32_t open_sized(uint32_t file, uint32_t size, struct reloc_npu_view *view) {
    return size > 0u - file ? (uint32_t)RELOC_N_OBJECT : open_image(file, size, view);
}

static uint32_t check_params(const struct reloc_npu_view *view, const void *params, uint32_t size) {
    if (params == NULL)
        return RELOC_N_ARGUMENT;
    return address_of(params) % 4u != 0 || size > 0u - address_of(params)
               ? (uint32_t)RELOC_N_OBJECT
               : reloc_npu_check_params_file(view, (const uint8_t *)params, size);
}

static uint32_t check_flags(uint32_t flags) {
    uint32_t part = LL_ATON_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_N_CPU;
    if (RELOC_FLAGS_FPU(flags) && (LL_ATON_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_N_FPU;
    if ((flags & RELOC_NPU_FLAG_SECURE) != 0 && !FIRMWARE_SECURE)
        return RELOC_N_SECURE;
    if (((flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0) != FIRMWARE_DBG_INFO)
        return RELOC_N_DBG_INFO;
    return ((flags & RELOC_NPU_FLAG_ASYNC) != 0) != FIRMWARE_ASYNC ? RELOC_N_ASYNC : RELOC_OK;
}

/*
 * Whether image and firmware, which have the same version, have the same call-backs. An image from
 * the firmware's own build always does. 1.1.3 has two tables, and builds between them have an
 * unknown one.
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
static uint32_t check_runtime(const struct reloc_npu_view *v) {
    enum { SIZES = sizeof(LL_Buffer_InfoTypeDef) | sizeof(EpochBlock_ItemTypeDef) << 8 };
    bool early = FIRMWARE_RT_VERSION < RELOC_NPU_CTX_SINCE;
    if ((v->rt_version & 0xFFFFFF00u) != FIRMWARE_RT_VERSION ||
        !same_callbacks(v->rt_version_extra))
        return RELOC_N_RUNTIME;
    if (!early && (v->struct_sizes & 0xFFFFu) != SIZES)
        return RELOC_N_STRUCT_SIZES;
    return reloc_npu_interface_valid(v, (uint32_t)sizeof(char *)) ? RELOC_OK : RELOC_N_CONTEXT;
}

/* ---- where pools may be ---- */

#if defined(LL_ATON_RELOC_REGIONS) && defined(LL_ATON_RELOC_ANY_REGION)
#error "define LL_ATON_RELOC_REGIONS (a table) or LL_ATON_RELOC_ANY_REGION, not both"
#elif defined(LL_ATON_RELOC_REGIONS)
enum { EXT_RAM_IS_REGION = 0 };
#define FIRMWARE_REGIONS LL_ATON_RELOC_REGIONS
#else
enum { EXT_RAM_IS_REGION = 1 };
static const ll_aton_reloc_region default_regions[] = {
#ifdef LL_ATON_RELOC_ANY_REGION
    {0, UINT32_MAX},
#else
    {0x24200000, 0x1C0000}, /* AXISRAM3 to 6 of the STM32N6 (RM0486, memory map), not secure */
    {0x34200000, 0x1C0000}, /* the same, secure */
#endif
    {0, 0}};
#define FIRMWARE_REGIONS default_regions
#endif

/* ---- the plan of an installation: all that is written, but for nn_instance itself ---- */

struct range {
    uint32_t start;
    uint32_t size;
};

/*
 * First the memory that must not be written (image, params, config, args, instance, regions,
 * call-backs; the stack), then the memory that will be written (RAM, external RAM, pools).
 */
enum { RANGES = 7 + 1 + 2 + RELOC_NPU_POOLS_MAX };

/* args and config are copies, so nothing that is written changes them. */
struct plan {
    struct reloc_npu_view view;
    ll_aton_reloc_install_args args;
    ll_aton_reloc_config config;
    bool sized;             /* args gives the sizes of image and params */
    bool ext_ram_is_region; /* the whole of the external RAM, besides args.regions */
    uint32_t need;          /* bytes of RAM */
    uint32_t params;        /* address */
    uint32_t range_count;
    struct range ranges[RANGES];
#ifdef LL_ATON_RELOC_SIGNED
    ai_reloc_signed_info *info; /* may be NULL */
#endif
};

static bool is_copy(const struct plan *plan) {
    return (plan->config.mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
}

/* Neither range wraps. a is not empty; b may be empty and then overlaps nothing. */
static bool overlap(struct range a, struct range b) {
    return a.start - b.start < b.size || (b.size != 0 && b.start - a.start < a.size);
}

RELOC_OUTLINE void reserve(struct plan *plan, uint32_t start, uint32_t size) {
    struct range range = {start, size};
    plan->ranges[plan->range_count++] = range;
}

/* Copies the caller's arguments and keeps pools away from them. */
static void plan_given(struct plan *plan, const ll_aton_reloc_install_args *args,
                       const NN_Instance_TypeDef *nn_instance) {
    ll_aton_reloc_install_args *own = &plan->args;
    uint32_t count = 0;
    *own = *args;
    plan->config = *args->config;
    plan->range_count = 0;
    plan->ext_ram_is_region = EXT_RAM_IS_REGION && own->regions == NULL;
    if (own->callbacks == NULL)
        own->callbacks = LL_ATON_RELOC_CALLBACKS;
    if (own->regions == NULL) {
        own->regions = FIRMWARE_REGIONS;
        own->region_count = UINT32_MAX;
    }
    while (count < own->region_count && own->regions[count].size != 0)
        count++;
    reserve(plan, address_of(args), sizeof *args);
    reserve(plan, address_of(args->config), sizeof plan->config);
    reserve(plan, address_of(nn_instance), sizeof *nn_instance);
    reserve(plan, address_of(own->callbacks), sizeof *own->callbacks);
    reserve(plan, address_of(own->regions), /* including the row that ends it */
            (uint32_t)sizeof *own->regions * (count + (count < own->region_count)));
    own->region_count = count;
}

/* Adds a range that will be written; false if it overlaps one that is already there. */
RELOC_OUTLINE bool add_range(struct plan *plan, uint32_t start, uint32_t size) {
    struct range range = {start, size};
    for (uint32_t i = 0; i < plan->range_count; i++)
        if (overlap(range, plan->ranges[i]))
            return false;
    reserve(plan, start, size);
    return true;
}

static uint32_t plan_mode(const struct plan *plan) {
    uint32_t mode = plan->config.mode;
    uint32_t where = mode & (AI_RELOC_RT_LOAD_MODE_XIP | AI_RELOC_RT_LOAD_MODE_COPY);
    if ((mode & ~(where | AI_RELOC_RT_LOAD_MODE_CLEAR)) != 0 ||
        (where != AI_RELOC_RT_LOAD_MODE_XIP && where != AI_RELOC_RT_LOAD_MODE_COPY))
        return RELOC_N_MODE;
    return plan->view.needs_copy && !is_copy(plan) ? RELOC_N_NEEDS_COPY : RELOC_OK;
}

/* Bytes of params that the model or the loader may read. */
static uint32_t params_bytes(const struct reloc_npu_view *v) {
    return v->params_need > v->params_bin_size ? v->params_need : v->params_bin_size;
}

/* The caller's params take precedence over those in the image, as in the vendor's loader. */
static uint32_t plan_params(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    uint32_t external = plan->config.ext_param_addr, size = plan->args.params_size;
    plan->params = external;
    if (external == 0 && v->params_start != 0)
        plan->params = address_of(v->base.image) + v->params_start;
    if (plan->params == 0 || plan->params % RELOC_NPU_ALIGN != 0 ||
        params_bytes(v) > 0u - plan->params)
        return RELOC_N_PARAMS_ADDRESS;
    if (external == 0 || (!plan->sized && !RELOC_REQUIRE_TRAILER))
        return RELOC_OK;
    return plan->sized && size > 0u - external
               ? (uint32_t)RELOC_N_OBJECT
               : reloc_npu_check_params_file(v, bytes_at(external), size);
}

/*
 * Bytes of the file, including params and trailer. Without a size the params end where they may be
 * read.
 */
static uint32_t file_bytes(const struct reloc_npu_view *v) {
    uint32_t end = v->base.content_end;
    if (v->base.size != RELOC_SIZE_UNKNOWN)
        return v->base.size;
    if (v->params_start != 0 && v->base.trailer == 0)
        end = v->params_start + params_bytes(v);
    return v->base.trailer != 0 ? v->base.trailer + RELOC_TRL_BYTES : end;
}

/* The memory that the caller gives, apart from everything that the call uses. */
static uint32_t plan_memory(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    const ll_aton_reloc_config *config = &plan->config;
    uint32_t ram = config->exec_ram_addr, ext = config->ext_ram_addr;
    uint32_t ext_size = reloc_npu_round8(v->ext_ram_size), low, high;
    reserve(plan, address_of(v->base.image), file_bytes(v));
    reserve(plan, plan->params, params_bytes(v));
    plan->need = is_copy(plan) ? reloc_npu_ram_copy(v) : reloc_npu_ram_xip(v);
    if (ram == 0 || ram % RELOC_NPU_ALIGN != 0)
        return RELOC_N_RAM_ADDRESS;
    if (config->exec_ram_size < plan->need || plan->need > 0u - ram)
        return RELOC_N_RAM_SIZE;
    if (!add_range(plan, ram, plan->need))
        return RELOC_N_RAM_OVERLAP;
    if (ext % RELOC_NPU_ALIGN != 0 ||
        (v->has_ext_ram && (ext == 0 || config->ext_ram_size < ext_size || ext_size > 0u - ext)))
        return RELOC_N_EXT_RAM;
    if (v->has_ext_ram && !add_range(plan, ext, ext_size))
        return RELOC_N_OVERLAP;
    LL_ATON_RELOC_STACK_RANGE(low, high);
    reserve(plan, low, high - low);
    return RELOC_OK;
}

static bool is_cacheable(uint32_t flags) {
    return (RELOC_NPU_POOL_GET_ATTR(flags) & RELOC_NPU_POOL_CACHEABLE) != 0;
}

/*
 * A relative pool lies in the params or in the external RAM. Stops: a cacheable one outside
 * external memory.
 */
static uint32_t plan_relative(const struct plan *plan, const struct reloc_npu_row *row) {
    uint32_t start = RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM
                         ? (uint32_t)plan->config.ext_ram_addr
                         : plan->params;
    return is_cacheable(row->flags) && start <= RELOC_NPU_EXTERNAL_ADDR ? RELOC_N_CACHEABLE
                                                                        : RELOC_OK;
}

/* Whether params at a fixed address lie there already, so that nothing is copied or written. */
static bool is_in_place(const struct plan *plan, const struct reloc_npu_row *row) {
    return RELOC_NPU_POOL_GET_TYPE(row->flags) == RELOC_NPU_POOL_COPY &&
           RELOC_NPU_POOL_GET_DATA(row->flags) == RELOC_NPU_POOL_PARAM &&
           row->dst == plan->params + row->foff;
}

/*
 * Whether size bytes at start lie in a region. A region that leads out of the address space does
 * not count.
 */
static bool is_inside(uint32_t start, uint32_t size, uint32_t address, uint32_t bytes) {
    uint32_t offset = start - address;
    return bytes - 1u <= ~address && offset < bytes && size <= bytes - offset;
}

static bool is_allowed(const struct plan *plan, uint32_t start, uint32_t size) {
    const ll_aton_reloc_region *row = plan->args.regions;
    for (uint32_t i = 0; i < plan->args.region_count; i++)
        if (is_inside(start, size, row[i].address, row[i].size))
            return true;
    return plan->ext_ram_is_region && plan->config.ext_ram_addr != 0 &&
           is_inside(start, size, plan->config.ext_ram_addr, plan->config.ext_ram_size);
}

static uint32_t plan_absolute(struct plan *plan, const struct reloc_npu_row *row) {
    uint32_t size = reloc_npu_round8(row->size);
    if (is_in_place(plan, row))
        return RELOC_OK;
    if (!add_range(plan, row->dst, size))
        return RELOC_N_OVERLAP;
    return is_allowed(plan, row->dst, size) ? RELOC_OK : RELOC_N_POOL_REGION;
}

static uint32_t plan_pools(struct plan *plan) {
    uint32_t code = RELOC_OK;
    for (uint32_t i = 0; i < plan->view.pool_count && code == RELOC_OK; i++) {
        const struct reloc_npu_row *row = &plan->view.rows[i];
        code = reloc_npu_row_is_relative(row) ? plan_relative(plan, row) : plan_absolute(plan, row);
    }
    return code;
}

static uint32_t make_plan(struct plan *plan) {
    uint32_t code;
    if ((code = check_flags(plan->view.base.flags)) != RELOC_OK ||
        (code = check_runtime(&plan->view)) != RELOC_OK || (code = plan_mode(plan)) != RELOC_OK ||
        (code = plan_params(plan)) != RELOC_OK || (code = plan_memory(plan)) != RELOC_OK)
        return code;
    return plan_pools(plan);
}

#endif
