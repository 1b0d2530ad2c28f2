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

/*
 * The headers have functions that only some settings use, or only the host. Where all is shipped as
 * one file, clang does not see that they are a header's; gcc does not mind static inline ones.
 */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#include "ll_aton_reloc_loader.h"
#include "neural_art/ll_aton_reloc_port.h" /* before reloc_core.h */

#include "neural_art/ll_aton_reloc_install.h"
#include "neural_art/ll_aton_reloc_table.h"
#include "neural_art/ll_aton_reloc_verify.h"
#include "loader/reloc_address.h"
#include "format/reloc_npu_core.h"
#include "loader/reloc_shim.h"

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
        return AI_RELOC_RT_ERR_PARAM_DESC;
    case RELOC_E_POOL_REGION: /* the image is right, and the packs' loaders would install it */
        return code;
    default:
        return AI_RELOC_RT_ERR_INVALID_BIN;
    }
}

/* ---- installation ---- */

/* Copies the caller's arguments and keeps pools away from them. */
static void plan_given(struct plan *plan, const ll_aton_reloc_install_args *args,
                       const NN_Instance_TypeDef *nn_instance) {
    ll_aton_reloc_install_args *own = &plan->args;
    *own = *args;
    plan->config = *args->config;
    plan->ext_ram_is_region = EXT_RAM_IS_REGION && own->regions == NULL;
    if (own->callbacks == NULL)
        own->callbacks = LL_ATON_RELOC_CALLBACKS;
    if (own->regions == NULL) {
        own->regions = FIRMWARE_REGIONS;
        own->region_count = UINT32_MAX;
    }
    uint32_t count = count_regions(own->regions, own->region_count);
    keep(plan, KEPT_ARGS, address_of(args), sizeof *args);
    keep(plan, KEPT_CONFIG, address_of(args->config), sizeof plan->config);
    keep(plan, KEPT_INSTANCE, address_of(nn_instance), sizeof *nn_instance);
    keep(plan, KEPT_CALLBACKS, address_of(own->callbacks), sizeof *own->callbacks);
    keep(plan, KEPT_REGIONS, address_of(own->regions), /* including the row that ends it */
         (uint32_t)sizeof *own->regions * (count + (count < own->region_count)));
    own->region_count = count;
}

static void start_instance(const struct plan *plan, NN_Instance_TypeDef *nn_instance) {
    uint32_t code_bytes = is_copy(plan) ? plan->view.base.ro_bytes : 0;
    uint32_t handle = plan->kept[KEPT_RAM].start + code_bytes + plan->view.base.ctx;
    nn_instance->network = context_at(handle)->itf_network;
    memset(&nn_instance->exec_state, 0, sizeof nn_instance->exec_state);
    nn_instance->exec_state.inst_reloc = handle;
    remember_firmware_r9();
}

#ifdef AI_RELOC_LOG
/* Names what is missing as rows of a table, because an integrator has to write them there. */
static void log_missing_regions(const struct plan *plan) {
    for (uint32_t i = 0; i < plan->view.pool_count; i++) {
        const struct reloc_npu_row *row = &plan->view.rows[i];
        uint32_t size = reloc_npu_round8(row->size);
        if (!reloc_npu_row_is_relative(row) && !is_in_place(plan, row) &&
            !is_allowed(plan, row->dst, size))
            AI_RELOC_LOG("  LL_ATON_RELOC_REGIONS lacks {0x%08x, %u}, for pool %s\r\n",
                         (unsigned)row->dst, (unsigned)size,
                         (const char *)(plan->view.base.image + row->name));
    }
}
#endif

/* With the sizes in args, or without. */
RELOC_OUTLINE int32_t install_args(const ll_aton_reloc_install_args *args, bool sized,
                                   NN_Instance_TypeDef *nn_instance, ai_reloc_signed_info *info) {
    struct plan plan;
    plan_info(&plan, info);
    if (args == NULL || nn_instance == NULL || args->config == NULL)
        return RELOC_E_ARGUMENT;
    plan.sized = sized;
    plan_given(&plan, args, nn_instance);
    const uint8_t *file = bytes_at(plan.args.file_ptr);
    uint32_t code = sized ? open_sized(file, plan.args.file_size, &plan.view)
                          : open_image(file, RELOC_SIZE_UNKNOWN, &plan.view);
    if (code == RELOC_OK)
        code = place(&plan, (uint8_t *)plan.config.exec_ram_addr);
    if (code == RELOC_OK)
        start_instance(&plan, nn_instance);
#ifdef AI_RELOC_LOG
    AI_RELOC_LOG("install of the image at %08x: code %d\r\n", (unsigned)plan.args.file_ptr,
                 (int)reloc_result(code));
    if (code == RELOC_N_POOL_REGION)
        log_missing_regions(&plan);
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
    return reloc_result(open_sized((const uint8_t *)image, size, &view));
}

int ll_aton_reloc_check_params(const void *image, uint32_t size, const void *params,
                               uint32_t params_size) {
    struct reloc_npu_view view;
    uint32_t code = open_sized((const uint8_t *)image, size, &view);
    return reloc_result(
        code != RELOC_OK ? code : check_params(&view, (const uint8_t *)params, params_size));
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
    return reloc_result(describe(&view, open_sized(bytes_at(file_ptr), file_size, &view), rt));
}

int ll_aton_reloc_get_info(const uintptr_t file_ptr, ll_aton_reloc_info *rt) {
    struct reloc_npu_view view;
    uint32_t code = describe(&view, open_image(bytes_at(file_ptr), RELOC_SIZE_UNKNOWN, &view), rt);
    return code == RELOC_OK ? AI_RELOC_RT_ERR_NONE : AI_RELOC_RT_ERR_INVALID_BIN;
}

/* The row in the image itself; its name is a FLASH segment address. */
ll_aton_reloc_mem_pool_desc *ll_aton_reloc_get_mem_pool_desc(const uintptr_t file_ptr, int index) {
    struct reloc_npu_view view;
    if (open_image(bytes_at(file_ptr), RELOC_SIZE_UNKNOWN, &view) != RELOC_OK || index < 0 ||
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
    uint32_t code = open_image(bytes_at(file_ptr), RELOC_SIZE_UNKNOWN, &view);
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
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
