/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Neural-ART loader: checks an image, installs it with its pools, and calls its entries with r9
 * = the RAM base. It replaces the pack's file of this name. In: images as docs/FORMAT.md describes
 * them; reloc_npu_core.h checks them. Out: an NN_Instance_TypeDef whose inst_reloc is the address
 * of the image's context in the instance's RAM, which holds all state of the instance. Settings:
 * ll_aton_reloc_port.h. Manual: docs/TARGET.md.
 */
#if defined(LL_ATON_RT_RELOC)

#if defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#pragma clang attribute push(__attribute__((minsize)), apply_to = function) /* -Os as gcc has it   \
                                                                             */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ll_aton_reloc_loader.h"
#include "ll_aton_reloc_plan.h" /* and ll_aton_reloc_port.h, before reloc_core.h */
#include "ll_aton_reloc_table.h"
#include "ll_aton_reloc_verify.h"
#include "reloc_npu_core.h"
#include "reloc_shim.h"

typedef struct ai_reloc_rt_ctx context;

_Static_assert(offsetof(context, cbs) == RELOC_NPU_CTX_CALLBACKS &&
                   offsetof(context, rt_version) == RELOC_NPU_CTX_RT_VERSION &&
                   offsetof(context, itf_network) == (FIRMWARE_RT_VERSION >= RELOC_NPU_CTX_SINCE
                                                          ? RELOC_NPU_CTX_INTERFACE
                                                          : RELOC_NPU_CTX_INTERFACE_EARLY) &&
                   sizeof(context) <= RELOC_NPU_CTX_BYTES,
               "the context of this pack has another layout");

/* ---- instances ---- */

static context *context_at(uint32_t handle) {
    return (context *)handle;
}

/* Whether the image's entry vector has 11 words, the last of which is the context. */
static bool has_short_vector(const uint8_t *rom) {
    uint32_t at = RELOC_NPU_HDR_ENTRIES + 4u * RELOC_NPU_ENTRY_CTX;
    return (reloc_get_le32(rom, at) & RELOC_SEG_MASK) == RELOC_NPU_SEG_RAM;
}

/*
 * Whether a handle is the context of an installed image. Stops: 0, instances that were never
 * installed, and addresses of other things: the header at rom_addr must lead back to the handle.
 */
static bool is_instance(uint32_t handle) {
    if (handle == 0 || handle % 4u != 0)
        return false;
    const context *ctx = context_at(handle);
    if ((ctx->state & ~(uint32_t)(RELOC_STATE_INITIALIZED | RELOC_STATE_XIP)) != 0 ||
        (ctx->state & RELOC_STATE_INITIALIZED) == 0 || ctx->rom_addr == 0 || ctx->rom_addr % 4u)
        return false;
    const uint8_t *rom = bytes_at(ctx->rom_addr);
    if (reloc_get_le32(rom, RELOC_HDR_MAGIC) != RELOC_MAGIC)
        return false;
    uint32_t at = RELOC_NPU_HDR_ENTRIES +
                  4u * (has_short_vector(rom) ? RELOC_NPU_ENTRY_CTX : RELOC_NPU_ENTRY_CTX_13);
    return ctx->ram_addr + (reloc_get_le32(rom, at) ^ RELOC_NPU_SEG_RAM) == handle;
}

/* Calls an entry of the image with r9 = its RAM base; 0 if the handle is not an instance. */
static uint32_t call(uint32_t handle, enum reloc_npu_entry entry, uint32_t a0, const void *a1,
                     uint32_t a2) {
    if (!is_instance(handle))
        return 0;
    const context *ctx = context_at(handle);
    const uint8_t *rom = bytes_at(ctx->rom_addr);
    if (entry >= RELOC_NPU_ENTRY_CTX && has_short_vector(rom))
        return 0;
    uint32_t word = reloc_get_le32(rom, RELOC_NPU_HDR_ENTRIES + 4u * (uint32_t)entry);
    struct reloc_target target = {ctx->rom_addr + (word & RELOC_OFFSET_MASK), ctx->ram_addr};
    return reloc_call(a0, address_of(a1), a2, &target);
}

/* ---- errors ---- */

int ll_aton_reloc_error_of(int32_t code) {
    switch (code) {
    case RELOC_OK:
        return AI_RELOC_RT_ERR_NONE;
    case RELOC_E_RAM_ADDRESS:
    case RELOC_E_RAM_SIZE:
    case RELOC_E_RAM_OVERLAP:
        return AI_RELOC_RT_ERR_MEMORY;
    case RELOC_E_NEEDS_COPY:
        return AI_RELOC_RT_ERR_NOT_SUPPORTED;
    case RELOC_E_ARGUMENT:
    case RELOC_E_MODE:
        return AI_RELOC_RT_ERR_ARG;
    case RELOC_E_EXT_RAM:
    case RELOC_E_PARAMS_ADDRESS:
    case RELOC_E_CACHEABLE:
        return AI_RELOC_RT_ERR_PARAM_ADDR;
    case RELOC_E_POOLS:
    case RELOC_E_POOL:
    case RELOC_E_POOL_ID:
    case RELOC_E_POOL_PARAMS:
    case RELOC_E_OVERLAP:
    case RELOC_E_POOL_REGION:
        return AI_RELOC_RT_ERR_PARAM_DESC;
    default:
        return AI_RELOC_RT_ERR_INVALID_BIN;
    }
}

/* ---- installation ---- */

/* Whether the NPU's cache may hold lines of a pool: its own, or (a setting) another model's. */
static bool may_be_cached(uint32_t flags) {
    return NPU_CACHE_ALWAYS != 0 || is_cacheable(flags);
}

/*
 * Writes size bytes from source, or zeros. The NPU's dirty lines are written back first, so that
 * they cannot overwrite them later.
 */
static void write_pool(uint32_t flags, uint32_t start, const uint8_t *source, uint32_t size) {
    void *pool = (void *)start;
    if (may_be_cached(flags))
        LL_ATON_RELOC_NPU_CACHE(start, size);
    if (source != NULL)
        memcpy(pool, source, size);
    else
        memset(pool, 0, size);
    LL_ATON_RELOC_DCACHE_CLEAN(start, size);
}

/* Returns whether the pool is params that stay where they are. */
static bool install_pool(const struct plan *plan, const struct reloc_npu_row *row) {
    uint32_t size = reloc_npu_round8(row->size);
    uint32_t start = row->dst;
    const uint8_t *source = bytes_at(plan->params + row->foff);
    if (reloc_npu_row_is_relative(row))
        start = RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM
                    ? (uint32_t)plan->config.ext_ram_addr
                    : plan->params + row->foff;
    if (!reloc_npu_row_has_params(row->flags))
        source = NULL;
    bool stays = start == address_of(source);
    if (!stays && (source != NULL || (plan->config.mode & AI_RELOC_RT_LOAD_MODE_CLEAR) != 0))
        write_pool(row->flags, start, source, size);
    else if (may_be_cached(row->flags)) /* not written, but the NPU's cached lines may be old */
        LL_ATON_RELOC_NPU_CACHE(start, size);
    return stays && source != NULL;
}

/* Whether the NPU's cache is in use. If it is not, it may not even have a clock. */
static bool uses_npu_cache(const struct reloc_npu_view *view) {
    for (uint32_t i = 0; i < view->pool_count; i++)
        if (is_cacheable(view->rows[i].flags))
            return true;
    return NPU_CACHE_ALWAYS != 0;
}

/*
 * In COPY mode the code comes first in the RAM, then the data. The image may have changed since it
 * was checked (by DMA, another core, or because it is a file in external flash). So the copy gets
 * the header words that were checked, the CRC is computed again over the copy, and each word to
 * rebase is checked as it stands in RAM.
 */
static uint32_t install_code(struct plan *plan, struct reloc_npu_bases *bases) {
    const struct reloc_view *v = &plan->view.base;
    uint32_t block = plan->config.exec_ram_addr;
    uint32_t ro_bytes = is_copy(plan) ? v->ro_bytes : 0, bytes = ro_bytes + v->got_end;
    bases->first = v->ro_bytes - ro_bytes;
    bases->rom = is_copy(plan) ? block : address_of(v->image);
    bases->ram = block + ro_bytes;
    bases->words = (uint32_t *)block;
    if (uses_npu_cache(&plan->view))
        LL_ATON_RELOC_NPU_CACHE(block, plan->need);
    memcpy(bases->words, v->image + bases->first, bytes);
    if (v->trailer != 0 &&
        reloc_crc32(is_copy(plan) ? 0 : v->crc_ro, bytes_at(block), bytes) != v->crc_data)
        return RELOC_N_CRC;
    if (is_copy(plan)) {
        memcpy(bases->words, v->header, reloc_npu_header_bytes(&plan->view));
    }
    memset((void *)(block + bytes), 0, plan->need - bytes);
    return rebase(plan, bases, bytes);
}

static uint32_t install(struct plan *plan, NN_Instance_TypeDef *nn_instance) {
    struct reloc_npu_view *v = &plan->view;
    struct reloc_npu_bases bases;
    uint32_t interface = 0;
    bases.param_0 = plan->params + v->param_0_base;
    bases.param_1 = plan->config.ext_ram_addr;
    uint32_t code = install_code(plan, &bases);
    if (code != RELOC_OK)
        return code;
    bool params_in_place = v->uses_param_0 && params_bytes(v) != 0;
    for (uint32_t i = 0; i < v->pool_count; i++)
        if (install_pool(plan, &v->rows[i]))
            params_in_place = true;
    (void)reloc_npu_resolve(v, &bases, v->interface_word, &interface); /* it is in the image */
    context *ctx = context_at(bases.ram + v->base.ctx);
    ctx->state = RELOC_STATE_INITIALIZED | (is_copy(plan) ? 0u : (uint32_t)RELOC_STATE_XIP);
    ctx->file_addr = address_of(v->base.image);
    ctx->ram_addr = bases.ram;
    ctx->rom_addr = bases.rom;
    ctx->cbs = (struct ll_aton_reloc_callback *)address_of(plan->args.callbacks);
    ctx->ll_instance = nn_instance;
    ctx->itf_network = (const NN_Interface_TypeDef *)interface;
    nn_instance->network = ctx->itf_network;
    memset(&nn_instance->exec_state, 0, sizeof nn_instance->exec_state);
    nn_instance->exec_state.inst_reloc = address_of(ctx);
    remember_firmware_r9();
    LL_ATON_RELOC_DCACHE_CLEAN(plan->config.exec_ram_addr, plan->need);
    if (!is_copy(plan)) /* the image and the params may just have been received */
        LL_ATON_RELOC_DCACHE_CLEAN(bases.rom, v->base.ro_bytes);
    if (params_in_place)
        LL_ATON_RELOC_DCACHE_CLEAN(plan->params, params_bytes(v));
    LL_ATON_RELOC_ICACHE_INVALIDATE(bases.rom, v->base.ro_bytes);
    reloc_barrier();
    return RELOC_OK;
}

/* With the sizes in args, or without. */
RELOC_OUTLINE int32_t install_args(const ll_aton_reloc_install_args *args, bool sized,
                                   NN_Instance_TypeDef *nn_instance, ai_reloc_signed_info *info) {
    struct plan plan;
    plan_info(&plan, info);
    if (args == NULL || nn_instance == NULL || args->config == NULL)
        return RELOC_E_ARGUMENT;
    plan.sized = sized;
    plan_given(&plan, args, nn_instance);
    uint32_t code = sized ? open_sized(plan.args.file_ptr, plan.args.file_size, &plan.view)
                          : open_image(plan.args.file_ptr, RELOC_SIZE_UNKNOWN, &plan.view);
    if (code == RELOC_OK)
        code = make_plan(&plan);
    if (code == RELOC_OK)
        code = install(&plan, nn_instance);
#ifdef AI_RELOC_LOG
    AI_RELOC_LOG("install of the image at %08x: code %d\r\n", (unsigned)plan.args.file_ptr,
                 (int)reloc_result(code));
#endif
    return reloc_result(code);
}

int32_t ll_aton_reloc_install_sized(const ll_aton_reloc_install_args *args,
                                    NN_Instance_TypeDef *nn_instance) {
    return install_args(args, true, nn_instance, NULL);
}

/* ---- the documented functions ---- */

int ll_aton_reloc_install(const uintptr_t file_ptr, const ll_aton_reloc_config *config,
                          NN_Instance_TypeDef *nn_instance) {
    ll_aton_reloc_install_args args = {
        .file_ptr = file_ptr, .config = config, .params_size = RELOC_SIZE_UNKNOWN};
    return ll_aton_reloc_error_of(install_args(&args, false, nn_instance, NULL));
}

int ll_aton_reloc_check(const void *image, uint32_t size) {
    struct reloc_npu_view view;
    return reloc_result(open_sized(address_of(image), size, &view));
}

int ll_aton_reloc_check_params(const void *image, uint32_t size, const void *params,
                               uint32_t params_size) {
    struct reloc_npu_view view;
    uint32_t code = open_sized(address_of(image), size, &view);
    return reloc_result(code != RELOC_OK ? code : check_params(&view, params, params_size));
}

int ll_aton_reloc_set_callbacks(const NN_Instance_TypeDef *nn_instance,
                                const struct ll_aton_reloc_callback *cbs) {
    if (nn_instance == NULL || !is_instance(nn_instance->exec_state.inst_reloc))
        return AI_RELOC_RT_ERR_INVALID_HDL;
    if (cbs == NULL)
        return AI_RELOC_RT_ERR_ARG;
    context_at(nn_instance->exec_state.inst_reloc)->cbs =
        (struct ll_aton_reloc_callback *)address_of(cbs);
    return AI_RELOC_RT_ERR_NONE;
}

int ll_aton_reloc_is_valid(const NN_Instance_TypeDef *nn_instance) {
    return nn_instance != NULL && is_instance(nn_instance->exec_state.inst_reloc)
               ? 1
               : AI_RELOC_RT_ERR_INVALID_HDL;
}

int ll_aton_reloc_get_file_ptr(const NN_Instance_TypeDef *nn_instance, uintptr_t *file_ptr) {
    if (nn_instance == NULL || file_ptr == NULL || !is_instance(nn_instance->exec_state.inst_reloc))
        return AI_RELOC_RT_ERR_INVALID_HDL;
    *file_ptr = context_at(nn_instance->exec_state.inst_reloc)->file_addr;
    return AI_RELOC_RT_ERR_NONE;
}

RELOC_OUTLINE uint32_t describe(const struct reloc_npu_view *view, uint32_t code,
                                ll_aton_reloc_info *rt) {
    if (code != RELOC_OK)
        return code;
    if (rt == NULL)
        return RELOC_N_ARGUMENT;
    const struct reloc_view *v = &view->base;
    memset(rt, 0, sizeof *rt);
    rt->c_name = (const char *)(v->image + v->c_name);
    rt->variant = v->flags;
    rt->code_sz = v->ro_bytes;
    rt->params_off = view->params_start;
    rt->params_sz = v->weights_size;
    rt->acts_sz = v->acts_size;
    rt->ext_ram_sz = reloc_npu_round8(view->ext_ram_size);
    rt->rt_ram_xip = reloc_npu_ram_xip(view);
    rt->rt_ram_copy = reloc_npu_ram_copy(view);
    rt->rt_version_desc = (const char *)(v->image + view->rt_version_desc);
    rt->rt_version = view->rt_version;
    rt->rt_version_extra = view->rt_version_extra;
    return RELOC_OK;
}

int32_t ll_aton_reloc_get_info_sized(uintptr_t file_ptr, uint32_t file_size,
                                     ll_aton_reloc_info *rt) {
    struct reloc_npu_view view;
    return reloc_result(describe(&view, open_sized(file_ptr, file_size, &view), rt));
}

int ll_aton_reloc_get_info(const uintptr_t file_ptr, ll_aton_reloc_info *rt) {
    struct reloc_npu_view view;
    uint32_t code = describe(&view, open_image(file_ptr, RELOC_SIZE_UNKNOWN, &view), rt);
    return code == RELOC_OK ? AI_RELOC_RT_ERR_NONE : AI_RELOC_RT_ERR_INVALID_BIN;
}

/* The row in the image itself; its name is a FLASH segment address. */
ll_aton_reloc_mem_pool_desc *ll_aton_reloc_get_mem_pool_desc(const uintptr_t file_ptr, int index) {
    struct reloc_npu_view view;
    if (open_image(file_ptr, RELOC_SIZE_UNKNOWN, &view) != RELOC_OK || index < 0 ||
        (uint32_t)index >= view.pool_count)
        return NULL;
    return (ll_aton_reloc_mem_pool_desc *)(file_ptr + view.base.ro_bytes + view.pools +
                                           RELOC_NPU_POOL_BYTES * (uint32_t)index);
}

/* ---- the image's entries, as the pack's runtime calls them ---- */

bool ai_rel_network_ec_network_init(uintptr_t inst) {
    return (call(inst, RELOC_NPU_ENTRY_EC_NETWORK_INIT, 0, NULL, 0) & 0xFFu) != 0;
}

bool ai_rel_network_ec_inference_init(uintptr_t inst) {
    return (call(inst, RELOC_NPU_ENTRY_EC_INFERENCE_INIT, 0, NULL, 0) & 0xFFu) != 0;
}

LL_ATON_User_IO_Result_t ai_rel_network_set_input(uintptr_t inst, uint32_t num, void *buffer,
                                                  uint32_t size) {
    if (!is_instance(inst))
        return LL_ATON_User_IO_WRONG_INDEX;
    return (LL_ATON_User_IO_Result_t)call(inst, RELOC_NPU_ENTRY_SET_INPUT, num, buffer, size);
}

void *ai_rel_network_get_input(uintptr_t inst, uint32_t num) {
    return (void *)call(inst, RELOC_NPU_ENTRY_GET_INPUT, num, NULL, 0);
}

LL_ATON_User_IO_Result_t ai_rel_network_set_output(uintptr_t inst, uint32_t num, void *buffer,
                                                   uint32_t size) {
    if (!is_instance(inst))
        return LL_ATON_User_IO_WRONG_INDEX;
    return (LL_ATON_User_IO_Result_t)call(inst, RELOC_NPU_ENTRY_SET_OUTPUT, num, buffer, size);
}

void *ai_rel_network_get_output(uintptr_t inst, uint32_t num) {
    return (void *)call(inst, RELOC_NPU_ENTRY_GET_OUTPUT, num, NULL, 0);
}

const EpochBlock_ItemTypeDef *ai_rel_network_get_epoch_items(uintptr_t inst) {
    return (const EpochBlock_ItemTypeDef *)call(inst, RELOC_NPU_ENTRY_EPOCH_ITEMS, 0, NULL, 0);
}

const LL_Buffer_InfoTypeDef *ai_rel_network_get_output_buffers_info(uintptr_t inst) {
    return (const LL_Buffer_InfoTypeDef *)call(inst, RELOC_NPU_ENTRY_OUTPUT_BUFFERS, 0, NULL, 0);
}

const LL_Buffer_InfoTypeDef *ai_rel_network_get_input_buffers_info(uintptr_t inst) {
    return (const LL_Buffer_InfoTypeDef *)call(inst, RELOC_NPU_ENTRY_INPUT_BUFFERS, 0, NULL, 0);
}

const LL_Buffer_InfoTypeDef *ai_rel_network_get_internal_buffers_info(uintptr_t inst) {
    return (const LL_Buffer_InfoTypeDef *)call(inst, RELOC_NPU_ENTRY_INTERNAL_BUFFERS, 0, NULL, 0);
}

#if LL_ATON_RELOC_GENERATION >= 2
const LL_Streng_EncryptionTypedef *ai_rel_network_weight_encryption_info(uintptr_t inst) {
    return (const LL_Streng_EncryptionTypedef *)call(inst, RELOC_NPU_ENTRY_WEIGHT_ENCRYPTION, 0,
                                                     NULL, 0);
}

const LL_Streng_EncryptionTypedef *ai_rel_network_blob_encryption_info(uintptr_t inst) {
    return (const LL_Streng_EncryptionTypedef *)call(inst, RELOC_NPU_ENTRY_BLOB_ENCRYPTION, 0, NULL,
                                                     0);
}
#endif

/*
 * Epoch functions of the image run with the image's r9. Epochs that the firmware's own library
 * inserts have functions outside the image, which get the caller's r9.
 */
static void call_epoch(uint32_t handle, uint32_t function, const void *a0, const void *a1) {
    if (!is_instance(handle))
        return;
    const context *ctx = context_at(handle);
    uint32_t ro_bytes = reloc_get_le32(bytes_at(ctx->rom_addr), RELOC_HDR_DATA_DATA);
    struct reloc_target target = {function, reloc_get_r9()};
    if (function - ctx->rom_addr < (ro_bytes & RELOC_OFFSET_MASK))
        target.r9 = ctx->ram_addr;
    (void)reloc_call(address_of(a0), address_of(a1), 0, &target);
}

#if LL_ATON_RELOC_GENERATION >= 3
void ai_rel_call_start_end_function(uintptr_t inst, start_end_func_ptr fct,
                                    const LL_ATON_RT_EpochBlockItem_t *epoch_block,
                                    const NN_Instance_TypeDef *nn_instance) {
    call_epoch(inst, (uint32_t)fct, epoch_block, nn_instance);
}
#else
void ai_rel_call_start_end_function(uintptr_t inst, start_end_func_ptr fct,
                                    const void *epoch_block) {
    call_epoch(inst, (uint32_t)fct, epoch_block, NULL);
}
#endif

/* ---- the same for the application, by instance ---- */

static uint32_t handle_of(const NN_Instance_TypeDef *nn_instance) {
    return nn_instance != NULL ? nn_instance->exec_state.inst_reloc : 0;
}

/* The element at that index of a list that ends with an unnamed one; below 0: the list. */
static const LL_Buffer_InfoTypeDef *buffer_at(const LL_Buffer_InfoTypeDef *list, int32_t num) {
    if (num < 0 || list == NULL)
        return list;
    for (; list->name != NULL && !list->is_param; list++, num--)
        if (num == 0)
            return list;
    return NULL;
}

const LL_Buffer_InfoTypeDef *
ll_aton_reloc_get_input_buffers_info(const NN_Instance_TypeDef *nn_instance, int32_t num) {
    return buffer_at(ai_rel_network_get_input_buffers_info(handle_of(nn_instance)), num);
}

const LL_Buffer_InfoTypeDef *
ll_aton_reloc_get_output_buffers_info(const NN_Instance_TypeDef *nn_instance, int32_t num) {
    return buffer_at(ai_rel_network_get_output_buffers_info(handle_of(nn_instance)), num);
}

const LL_Buffer_InfoTypeDef *
ll_aton_reloc_get_internal_buffers_info(const NN_Instance_TypeDef *nn_instance) {
    return ai_rel_network_get_internal_buffers_info(handle_of(nn_instance));
}

const EpochBlock_ItemTypeDef *
ll_aton_reloc_get_epoch_items(const NN_Instance_TypeDef *nn_instance) {
    return ai_rel_network_get_epoch_items(handle_of(nn_instance));
}

LL_ATON_User_IO_Result_t ll_aton_reloc_set_input(const NN_Instance_TypeDef *nn_instance,
                                                 uint32_t num, void *buffer, uint32_t size) {
    return ai_rel_network_set_input(handle_of(nn_instance), num, buffer, size);
}

void *ll_aton_reloc_get_input(const NN_Instance_TypeDef *nn_instance, uint32_t num) {
    return ai_rel_network_get_input(handle_of(nn_instance), num);
}

LL_ATON_User_IO_Result_t ll_aton_reloc_set_output(const NN_Instance_TypeDef *nn_instance,
                                                  uint32_t num, void *buffer, uint32_t size) {
    return ai_rel_network_set_output(handle_of(nn_instance), num, buffer, size);
}

void *ll_aton_reloc_get_output(const NN_Instance_TypeDef *nn_instance, uint32_t num) {
    return ai_rel_network_get_output(handle_of(nn_instance), num);
}

/* ---- log ---- */

#ifdef AI_RELOC_LOG
static void log_pools(const struct reloc_npu_view *view) {
    for (uint32_t i = 0; i < view->pool_count; i++) {
        const struct reloc_npu_row *row = &view->rows[i];
        AI_RELOC_LOG("  pool %u: %s flags %08x foff %u dst %08x size %u\r\n", (unsigned)i,
                     (const char *)(view->base.image + row->name), (unsigned)row->flags,
                     (unsigned)row->foff, (unsigned)row->dst, (unsigned)row->size);
    }
}

void ll_aton_reloc_log_info(const uintptr_t file_ptr) {
    struct reloc_npu_view view;
    uint32_t code = open_image(file_ptr, RELOC_SIZE_UNKNOWN, &view);
    if (code != RELOC_OK) {
        AI_RELOC_LOG("image at %08x: not valid, code %d\r\n", (unsigned)file_ptr,
                     (int)reloc_result(code));
        return;
    }
    const struct reloc_view *v = &view.base;
    AI_RELOC_LOG("image at %08x: %s, flags %08x, %u entries\r\n", (unsigned)file_ptr,
                 (const char *)(v->image + v->c_name), (unsigned)v->flags,
                 (unsigned)view.entry_count);
    AI_RELOC_LOG("  LL_ATON: %s, %08x-%u\r\n", (const char *)(v->image + view.rt_version_desc),
                 (unsigned)view.rt_version, (unsigned)view.rt_version_extra);
    AI_RELOC_LOG("  code %u, data %u, GOT %u, bss %u, REL %u bytes\r\n", (unsigned)v->ro_bytes,
                 (unsigned)v->data_end, (unsigned)(v->got_end - v->got_start),
                 (unsigned)(v->bss_end - v->got_end), (unsigned)(v->rel_end - v->rel_start));
    AI_RELOC_LOG("  RAM XIP %u, COPY %u, external %u; activations %u; params %u at %u\r\n",
                 (unsigned)reloc_npu_ram_xip(&view), (unsigned)reloc_npu_ram_copy(&view),
                 (unsigned)view.ext_ram_size, (unsigned)v->acts_size, (unsigned)v->weights_size,
                 (unsigned)view.params_start);
    log_pools(&view);
}
#else
void ll_aton_reloc_log_info(const uintptr_t file_ptr) {
    (void)file_ptr;
}
#endif

#if defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#pragma clang attribute pop
#endif

#endif
