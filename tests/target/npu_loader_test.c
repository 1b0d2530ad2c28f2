/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the Neural-ART loader, for an emulated Cortex-M55 and the stand-in pack:
 * installs the images of npu_loader_blobs.S and checks every documented behaviour. Prints one line
 * per failed check, exits with their number (0 = passed). Compiled with -ffixed-r9: r9 holds a
 * canary all the time, so that a call that loses it shows. npu_loader.sh builds and runs it.
 */
#include "npu_loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_npu_core.h"

enum {
    XIP = AI_RELOC_RT_LOAD_MODE_XIP,
    COPY = AI_RELOC_RT_LOAD_MODE_COPY,
    CLEAR = AI_RELOC_RT_LOAD_MODE_CLEAR
};
#ifdef NPU_LOADER_ALT
static const int sealed_only = LL_ATON_RELOC_E_NO_TRAILER; /* what an image without one gets */
static const bool always = true; /* the NPU's cache, of pools that are not cacheable, too */
#else
static const int sealed_only = 0;
static const bool always = false;
#endif
static const uint32_t entry_count = LL_ATON_STANDIN_ENCRYPTION_INFO ? 13 : 11;

/* ---- describing ---- */

static void test_info(void) {
    ll_aton_reloc_info info;
    arena_reset(image_one_start, SIZE_OF(image_one));
    CHECK(ll_aton_reloc_get_info(IMAGE_START, &info) == 0);
    CHECK(strcmp(info.c_name, "image3") == 0 && info.acts_sz == 5000 && info.params_sz == 140);
    CHECK(strcmp(info.rt_version_desc, LL_ATON_VERSION_NAME) == 0);
    CHECK(info.rt_version_extra == LL_ATON_VERSION_DEV && info.ext_ram_sz == 48);
    CHECK(info.rt_ram_copy == info.rt_ram_xip + info.code_sz && info.params_off % 8 == 0);
    CHECK(has_params(IMAGE_START + info.params_off, 0, IMAGE_PARAMS_BYTES));
    CHECK(AI_RELOC_RT_GET_MAJOR(info.variant) == 8 && AI_RELOC_RT_ASYNC_MODE(info.variant) == 1);
    CHECK(ll_aton_reloc_get_info(IMAGE_START, NULL) == AI_RELOC_RT_ERR_INVALID_BIN);
    CHECK(ll_aton_reloc_get_info(0, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    CHECK(ll_aton_reloc_get_info(IMAGE_START + 4, &info) == AI_RELOC_RT_ERR_INVALID_BIN);
    for (int i = -1; i < 7; i++) {
        const ll_aton_reloc_mem_pool_desc *pool = ll_aton_reloc_get_mem_pool_desc(IMAGE_START, i);
        CHECK((pool != NULL) == (i >= 0 && i < IMAGE_POOLS));
        if (i == 2)
            CHECK(pool->dst == COPY_START && pool->size == COPY_BYTES &&
                  AI_RELOC_MPOOL_IS_COPY(pool->flags));
    }
    ll_aton_reloc_log_info(IMAGE_START);
#ifdef NPU_LOADER_ALT
    CHECK(log_lines == 4 + IMAGE_POOLS);
#endif
    struct reloc_npu_view view;
    CHECK(reloc_npu_check(image_one_start, SIZE_OF(image_one), &view) == 0);
    CHECK(view.entry_count == entry_count && view.base.trailer != 0);
}

static void test_check(void) {
    uint32_t size = SIZE_OF(image_split), params = SIZE_OF(image_params);
    CHECK(ll_aton_reloc_check(image_one_start, SIZE_OF(image_one)) == 0);
    CHECK(ll_aton_reloc_check(image_two_start, SIZE_OF(image_two)) == sealed_only);
    CHECK(ll_aton_reloc_check(NULL, 8) == LL_ATON_RELOC_E_OBJECT);
    CHECK(ll_aton_reloc_check(image_one_start, 95) == LL_ATON_RELOC_E_TRUNCATED);
    CHECK(ll_aton_reloc_check(image_one_start, UINT32_MAX) == LL_ATON_RELOC_E_OBJECT);
    CHECK(ll_aton_reloc_check_params(image_split_start, UINT32_MAX, image_params_start, params) ==
          LL_ATON_RELOC_E_OBJECT);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, image_params_start, UINT32_MAX) ==
          LL_ATON_RELOC_E_OBJECT);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, image_params_start + 2, params) ==
          LL_ATON_RELOC_E_OBJECT);
    CHECK(ll_aton_reloc_check(image_two_start, SIZE_OF(image_two) - 1) ==
          LL_ATON_RELOC_E_PARAMS_SIZE);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, image_params_start, params) == 0);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, image_params_start,
                                     IMAGE_PARAMS_BYTES) == LL_ATON_RELOC_E_NO_TRAILER);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, image_params_start, 143) ==
          LL_ATON_RELOC_E_PARAMS_SIZE);
    CHECK(ll_aton_reloc_check_params(image_split_start, size, NULL, 143) ==
          LL_ATON_RELOC_E_ARGUMENT);
    CHECK(ll_aton_reloc_check_params(image_two_start, SIZE_OF(image_two), image_params_start,
                                     IMAGE_PARAMS_BYTES) == sealed_only);
}

/* ---- a whole instance ---- */

static void check_io(NN_Instance_TypeDef *net) {
    uint8_t buffer[32];
    CHECK(ll_aton_reloc_set_input(net, 0, buffer, 16) == LL_ATON_User_IO_NOERROR);
    CHECK(ll_aton_reloc_set_input(net, 0, buffer, 15) == LL_ATON_User_IO_WRONG_SIZE);
    CHECK(ll_aton_reloc_set_input(net, 1, buffer, 16) == LL_ATON_User_IO_WRONG_INDEX);
    CHECK(ll_aton_reloc_get_input(net, 0) == buffer && ll_aton_reloc_get_input(net, 1) == NULL);
    CHECK(ll_aton_reloc_set_output(net, 0, buffer + 8, 32) == LL_ATON_User_IO_NOERROR);
    CHECK(ll_aton_reloc_get_output(net, 0) == buffer + 8);
    const LL_Buffer_InfoTypeDef *list = ll_aton_reloc_get_input_buffers_info(net, -1);
    CHECK(list == ll_aton_reloc_get_input_buffers_info(net, 0));
    CHECK(ll_aton_reloc_get_input_buffers_info(net, 1) == list + 1);
    CHECK(strcmp(list[1].name, "second") == 0);
    CHECK(ll_aton_reloc_get_input_buffers_info(net, 2) == NULL);
    CHECK(ll_aton_reloc_get_output_buffers_info(net, 0)->offset_end == 16);
    CHECK(ll_aton_reloc_get_output_buffers_info(net, 1) == NULL);
    CHECK(ll_aton_reloc_get_internal_buffers_info(net)->addr_base.p ==
          ll_aton_reloc_get_output_buffers_info(net, 0)->addr_base.p);
#if LL_ATON_STANDIN_ENCRYPTION_INFO
    uint32_t inst = net->exec_state.inst_reloc;
    CHECK(ai_rel_network_weight_encryption_info(inst) != NULL);
    CHECK(ai_rel_network_weight_encryption_info(inst) != ai_rel_network_blob_encryption_info(inst));
#endif
}

static unsigned firmware_epochs;
#if LL_ATON_STANDIN_INSTANCE_ARGUMENT
static void firmware_epoch(const LL_ATON_RT_EpochBlockItem_t *block,
                           const NN_Instance_TypeDef *net) {
    firmware_epochs += block != NULL && net != NULL && port_r9() == PORT_R9;
}
#define CALL_EPOCH(net, function, block)                                                           \
    ai_rel_call_start_end_function((net)->exec_state.inst_reloc, function, block, net)
#else
static void firmware_epoch(const void *block) {
    firmware_epochs += block != NULL && port_r9() == PORT_R9;
}
#define CALL_EPOCH(net, function, block)                                                           \
    ai_rel_call_start_end_function((net)->exec_state.inst_reloc, function, block)
#endif

/* Epoch functions of the image run with its r9, the firmware's with the firmware's. */
static void check_epochs(NN_Instance_TypeDef *net, uint32_t id, uint32_t ext) {
    const EpochBlock_ItemTypeDef *items = ll_aton_reloc_get_epoch_items(net);
    uint32_t seen;
    CHECK(items != NULL && EpochBlock_IsLastEpochBlock(items + 1));
    for (uint32_t i = 1; i <= 3; i++) {
        CALL_EPOCH(net, items->start_epoch_block, items);
        memcpy(&seen, at(ext), sizeof seen);
        CHECK(seen == id + i);
    }
    firmware_epochs = 0;
    CALL_EPOCH(net, firmware_epoch, items);
    CHECK(firmware_epochs == 1);
}

static void check_callbacks(NN_Instance_TypeDef *net, uint32_t id) {
    events_reset();
    concat_calls = 0;
    concat_result = (int)id;
    CHECK(ai_rel_network_ec_inference_init(net->exec_state.inst_reloc) && concat_calls == 1);
#ifdef NPU_LOADER_ALT
    CHECK(EVENTS_WERE({'c', 0x1230, id}, {'N', 0x4560, id}) && concat_r9 == PORT_R9);
#else
    CHECK(EVENTS_WERE({'x', 0x1230, id}, {'N', 0x4560, id}));
#endif
    CHECK(port_r9() == PORT_R9);
}

static bool works(NN_Instance_TypeDef *net, uint32_t id, uint32_t ext) {
    unsigned before = kit_failures;
    CHECK(ll_aton_reloc_is_valid(net) == 1);
    CHECK(ai_rel_network_ec_network_init(net->exec_state.inst_reloc));
    CHECK(net->network->network_name[0] == 'i');
    check_io(net);
    check_callbacks(net, id);
    check_epochs(net, id, ext);
    CHECK(port_r9() == PORT_R9);
    return kit_failures == before;
}

/* ---- modes, pools, caches ---- */

static uint32_t code_bytes(void) {
    ll_aton_reloc_info info;
    CHECK(ll_aton_reloc_get_info(IMAGE_START, &info) == 0);
    return info.code_sz;
}

/* Pools with params, in any mode, from params at that address. */
static void check_pools(uint32_t params) {
    CHECK(has_params(params, 0, IMAGE_PARAMS_BYTES));
    CHECK(has_params(EXT_START, EXT_FOFF, EXT_BYTES));
    CHECK(has_params(COPY_START, COPY_FOFF, 24) && has_params(COPY_RO, COPY_RO_FOFF, 24));
    arena_forget(EXT_START, EXT_BYTES);
    arena_forget(COPY_START, 24);
    arena_forget(COPY_RO, COPY_RO_BYTES);
}

/* The cache calls that are expected, in order. */
static struct event wanted[16];
static uint32_t wanted_count;
static void want(char kind, uint32_t start, uint32_t size) {
    struct event event = {kind, start, size};
    wanted[wanted_count++] = event;
}

static void want_pool(bool cacheable, uint32_t start, uint32_t size) {
    if (cacheable || always)
        want('N', start, size);
    want('D', start, size);
}

/* The RAM comes first and last, in between the pools: params is of the relative one with params. */
static void want_memory(uint32_t need, uint32_t params) {
    want('N', RAM_START, need);
    if (params != 0)
        want('N', params, 64);
    want_pool(false, EXT_START, 32);
    want_pool(false, COPY_START, 24);
    want_pool(true, COPY_RO, 24);
    if (always) /* not cleared, and so not written */
        want('N', RESET_START, 104);
    want('D', RAM_START, need);
}

static void test_mode(uint32_t mode) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    uintptr_t file = 0;
    arena_reset(image_one_start, SIZE_OF(image_one));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_one), mode, &config);
    uint32_t code = code_bytes(), need = config.exec_ram_size;
    uint32_t rom = mode & XIP ? IMAGE_START : RAM_START;
    uint32_t params = IMAGE_START + SIZE_OF(image_one) - 96 - IMAGE_PARAMS_BYTES;
    memset(&net, 0xEE, sizeof net);
    events_reset();
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    wanted_count = 0;
    want_memory(need, params);
    if (mode & XIP)
        want('D', rom, code);
    want('D', params, IMAGE_PARAMS_BYTES);
    want('I', rom, code);
    CHECK(events_were(wanted, wanted_count));
    check_pools(params);
    arena_forget(RAM_START, need);
    CHECK(arena_same());
    CHECK(ll_aton_reloc_get_file_ptr(&net, &file) == 0 && file == IMAGE_START);
    CHECK(net.exec_state.inference_started == 0);
    if (mode & COPY) /* the image is not needed any more, but for the params */
        memset(at(IMAGE_START), 0xDE, code);
    CHECK(works(&net, ID_ONE, EXT_START));
}

#ifndef NPU_LOADER_ALT
/* Params of which everything is copied are not cleaned, until one word leads there. */
static void test_params_copied(bool one_word) {
    static const uint32_t as_reset[] = {0x03020200, 0, RESET_START + 0x200};
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    struct reloc_npu_view view;
    uint32_t kept = 0, params = IMAGE_START + SIZE_OF(image_two) - IMAGE_PARAMS_BYTES;
    arena_reset(image_two_start, SIZE_OF(image_two));
    CHECK(reloc_npu_check(at(IMAGE_START), SIZE_OF(image_two), &view) == 0);
    uint8_t *data = at(IMAGE_START + view.base.ro_bytes);
    for (uint32_t i = 0; i < view.base.got_end; i += 4)
        if (data[i + 3] == RELOC_NPU_SEG_PARAM_0 >> 24 && !(one_word && kept++ == 0))
            memset(data + i, 0, 4);
    memcpy(data + view.pools + RELOC_NPU_POOL_FLAGS, as_reset, sizeof as_reset);
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_two), COPY, &config);
    events_reset();
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    wanted_count = 0;
    want_memory(config.exec_ram_size, 0);
    if (one_word)
        want('D', params, IMAGE_PARAMS_BYTES);
    want('I', RAM_START, view.base.ro_bytes);
    CHECK(events_were(wanted, wanted_count) && one_word == (kept != 0));
}

static void test_plain(uint32_t mode) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    arena_reset(image_two_start, SIZE_OF(image_two));
    (void)args_for(SIZE_OF(image_two), mode, &config);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == 0);
    CHECK(works(&net, ID_TWO, EXT_START));
}
#endif

/* Activations are cleared with CLEAR, and untouched without. */
static void test_clear(uint32_t mode) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    int expected = mode & CLEAR ? 0 : 0x5A;
    arena_reset(image_acts_start, SIZE_OF(image_acts));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_acts), mode, &config);
    events_reset();
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    CHECK(filled_with(EXT_START, EXT_BYTES, expected));
    CHECK(filled_with(RESET_START, 104, expected)); /* RESET_BYTES, rounded */
    CHECK(filled_with(EXT_START + EXT_BYTES, 64, 0x5A) && filled_with(RESET_START + 104, 64, 0x5A));
    arena_forget(EXT_START, EXT_BYTES);
    arena_forget(COPY_START, 24);
    arena_forget(COPY_RO, COPY_RO_BYTES);
    arena_forget(RESET_START, 104);
    arena_forget(RAM_START, config.exec_ram_size);
    CHECK(arena_same());
    CHECK(works(&net, ID_ACTS, EXT_START));
}

/* Params apart, with their size and without; and before those in the image. */
static void test_external_params(const uint8_t *image, uint32_t size, uint32_t id) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    arena_reset(image, size);
    ll_aton_reloc_install_args args = args_for(size, XIP, &config);
    config.ext_param_addr = PARAMS_START;
    args.params_size = SIZE_OF(image_params);
    if (id == ID_TWO)
        args.params_size = IMAGE_PARAMS_BYTES;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    check_pools(PARAMS_START);
    CHECK(ll_aton_reloc_get_output_buffers_info(&net, 0) != NULL && works(&net, id, EXT_START));
    CHECK(ll_aton_reloc_get_input_buffers_info(&net, 1)->addr_base.i == PARAMS_START);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == 0 && works(&net, id, EXT_START));
}

static void test_code_words(void) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    arena_reset(image_code_start, SIZE_OF(image_code));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_code), COPY, &config);
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0 && works(&net, ID_CODE, EXT_START));
    config.mode = XIP;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == LL_ATON_RELOC_E_NEEDS_COPY);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == AI_RELOC_RT_ERR_NOT_SUPPORTED);
}

/* A read-only pool that lies in the params where it belongs is neither copied nor refused. */
static void test_in_place(void) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    arena_reset(image_split_start, SIZE_OF(image_split));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_split), XIP, &config);
    args.params_size = SIZE_OF(image_params);
    config.ext_param_addr = COPY_RO - COPY_RO_FOFF;
    memcpy(at(config.ext_param_addr), image_params_start, SIZE_OF(image_params));
    arena_keep();
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    CHECK(has_params(config.ext_param_addr, 0, IMAGE_PARAMS_BYTES));
    CHECK(works(&net, ID_ONE, EXT_START));
}

static void test_regions(void) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    ll_aton_reloc_region regions[] = {{COPY_START, 24}, {COPY_RO, 0x1000}, {RESET_START, 104}};
    arena_reset(image_one_start, SIZE_OF(image_one));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_one), COPY, &config);
    args.regions = regions;
    args.region_count = 3;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0 && works(&net, ID_ONE, EXT_START));
    arena_keep();
    args.region_count = 2;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == LL_ATON_RELOC_E_POOL_REGION);
    args.region_count = 3;
    regions[0].size = 23;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == LL_ATON_RELOC_E_POOL_REGION);
    regions[0].size = 24;
    regions[2].address += 8;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == LL_ATON_RELOC_E_POOL_REGION);
    CHECK(arena_same());
}

/* Two instances of one image and one of another, in turns. */
static void test_instances(void) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef a, b, c;
    arena_reset(image_one_start, SIZE_OF(image_one));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_one), XIP, &config);
    CHECK(ll_aton_reloc_install_sized(&args, &a) == 0);
    config.exec_ram_addr = RAM_2_START;
    config.ext_ram_addr = EXT_START + 0x800;
    CHECK(ll_aton_reloc_install_sized(&args, &b) == 0);
    args.file_ptr = IMAGE_START + 0x4000;
    memcpy(at(IMAGE_START + 0x4000), image_acts_start, SIZE_OF(image_acts));
    args.file_size = SIZE_OF(image_acts);
    config.exec_ram_addr = RAM_2_START + 0x2000;
    config.exec_ram_size = 0x2000;
    config.ext_ram_addr = EXT_START + 0x1000;
    config.mode = COPY;
    CHECK(ll_aton_reloc_install_sized(&args, &c) == 0);
    CHECK(a.exec_state.inst_reloc != b.exec_state.inst_reloc);
    CHECK(works(&a, ID_ONE, EXT_START));
    CHECK(works(&c, ID_ACTS, EXT_START + 0x1000));
    CHECK(works(&b, ID_ONE, EXT_START + 0x800));
    check_callbacks(&a, ID_ONE);
    check_callbacks(&c, ID_ACTS);
}

/* ---- call-backs and handles ---- */

static unsigned replaced_calls;
static void replaced_clean(uintptr_t address, uint32_t size) {
    replaced_calls += address == 0x1230 && size == ID_ONE;
}

static void test_callbacks(void) {
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net;
    arena_reset(image_one_start, SIZE_OF(image_one));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_one), XIP, &config);
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    const struct ai_reloc_rt_ctx *ctx = (const struct ai_reloc_rt_ctx *)net.exec_state.inst_reloc;
    struct ll_aton_reloc_callback table = *ctx->cbs; /* the default one */
    const void *const *members = (const void *const *)(const void *)&table;
    for (uint32_t i = 0; i < sizeof table / sizeof(void *); i++)
        CHECK(members[i] != NULL);
    check_callbacks(&net, ID_ONE);
    table.ll_aton_cache_mcu_clean_range = replaced_clean;
    CHECK(ll_aton_reloc_set_callbacks(&net, &table) == 0);
    CHECK(ai_rel_network_ec_inference_init(net.exec_state.inst_reloc) && replaced_calls == 1);
    CHECK(ll_aton_reloc_set_callbacks(&net, NULL) == AI_RELOC_RT_ERR_ARG);
    CHECK(ll_aton_reloc_set_callbacks(NULL, &table) == AI_RELOC_RT_ERR_INVALID_HDL);
    args.callbacks = &table;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    CHECK(ai_rel_network_ec_inference_init(net.exec_state.inst_reloc) && replaced_calls == 2);
}

/* Everything that is no instance is refused by every function, without a fault. */
static void test_handles(void) {
    static uint32_t other[32];
    ll_aton_reloc_config config;
    NN_Instance_TypeDef net, bad;
    uintptr_t file;
    arena_reset(image_one_start, SIZE_OF(image_one));
    ll_aton_reloc_install_args args = args_for(SIZE_OF(image_one), XIP, &config);
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    memcpy(other, at(net.exec_state.inst_reloc), 68); /* a copy of a context is no instance */
    uint32_t handles[] = {0, (uint32_t)other, (uint32_t)other + 1, IMAGE_START,
                          net.exec_state.inst_reloc + 4};
    for (uint32_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        memset(&bad, 0, sizeof bad);
        bad.exec_state.inst_reloc = handles[i];
        const NN_Instance_TypeDef *p = i == 0 ? NULL : &bad;
        CHECK(ll_aton_reloc_is_valid(p) == AI_RELOC_RT_ERR_INVALID_HDL);
        CHECK(ll_aton_reloc_get_file_ptr(p, &file) == AI_RELOC_RT_ERR_INVALID_HDL);
        CHECK(ll_aton_reloc_set_input(p, 0, other, 16) == LL_ATON_User_IO_WRONG_INDEX);
        CHECK(ll_aton_reloc_set_output(p, 0, other, 16) == LL_ATON_User_IO_WRONG_INDEX);
        CHECK(ll_aton_reloc_get_input(p, 0) == NULL && ll_aton_reloc_get_output(p, 0) == NULL);
        CHECK(ll_aton_reloc_get_epoch_items(p) == NULL);
        CHECK(ll_aton_reloc_get_input_buffers_info(p, 0) == NULL);
        CHECK(ll_aton_reloc_get_output_buffers_info(p, 0) == NULL);
        CHECK(ll_aton_reloc_get_internal_buffers_info(p) == NULL);
        CHECK(!ai_rel_network_ec_network_init(handles[i]));
        CHECK(!ai_rel_network_ec_inference_init(handles[i]));
        CALL_EPOCH(&bad, firmware_epoch, NULL);
    }
    CHECK(ll_aton_reloc_get_file_ptr(&net, NULL) == AI_RELOC_RT_ERR_INVALID_HDL);
    CHECK(works(&net, ID_ONE, EXT_START));
}

int main(void);

int main(void) {
    port_set_r9();
#ifdef NPU_LOADER_DEFAULT
    test_destinations();
    return kit_result();
#endif
    test_info();
    test_check();
    test_mode(XIP);
    test_mode(COPY);
#ifndef NPU_LOADER_ALT
    test_plain(XIP);
    test_plain(COPY);
    test_params_copied(false);
    test_params_copied(true);
    test_external_params(image_two_start, SIZE_OF(image_two), ID_TWO);
#endif
    test_clear(XIP);
    test_clear(XIP | CLEAR);
    test_clear(COPY | CLEAR);
    test_external_params(image_split_start, SIZE_OF(image_split), ID_ONE);
    test_code_words();
    test_in_place();
    test_regions();
    test_instances();
    test_callbacks();
    test_handles();
    test_refusals();
    test_destinations();
    test_changes();
    test_mutations();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
