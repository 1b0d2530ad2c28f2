/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader: checks an image, installs it in RAM and calls its entries with r9 = the RAM base. In:
 * images as docs/FORMAT.md describes them; reloc_core.h checks them. Out: handles. A handle is the
 * address of the image's context in the instance's RAM, which holds all state of the instance; this
 * file has no variables. Settings: reloc_port.h. Manual: docs/TARGET.md.
 */
#if defined(__CC_ARM)
#define _Static_assert(condition, text) /* Arm Compiler 5 has no C11 */
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* clang's -Os still inlines so much that the code grows by a third; gcc's does not. */
#if defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif

/*
 * The headers have functions that only some settings use, or only the host. Where all is shipped as
 * one file, clang does not see that they are a header's; gcc does not mind static inline ones.
 */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif

#include "ai_reloc_network.h"
#include "loader/reloc_port.h" /* and reloc_core.h, by its settings */
#include "loader/reloc_shim.h"

#include "cortex_m/ai_reloc_log.h"
#include "cortex_m/ai_reloc_signed_load.h"
#include "cortex_m/ai_reloc_checks.h"
#include "cortex_m/ai_reloc_install.h"

/* ---- instance: the context in RAM, as words ---- */

/*
 * Words by position. The image reads STATE to OBSERVER (docs/FORMAT.md). Once an observer is
 * registered, the three words that only describe the image hold what the call-back needs.
 */
enum ctx_word {
    CTX_STATE = RELOC_CTX_STATE / 4,
    CTX_NETWORK = RELOC_CTX_NETWORK / 4,
    CTX_RAM = RELOC_CTX_RAM_ADDR / 4,
    CTX_ROM = RELOC_CTX_ROM_ADDR / 4,
    CTX_ALLOCATED = RELOC_CTX_RAM_ALLOC / 4,
    CTX_USER_CALLBACK = RELOC_CTX_C_NAME / 4,
    CTX_USER_COOKIE = RELOC_CTX_ACTS_SIZE / 4,
    CTX_USER_R9 = RELOC_CTX_WEIGHTS_SIZE / 4,
    CTX_OBSERVER = RELOC_CTX_OBSERVER / 4
};

/*
 * Bits of the state word that belong to the loader. They are clear whenever create runs. Each has a
 * byte of its own, which can be written alone because the core is little-endian.
 */
#define STATE_BUSY     (UINT32_C(1) << 8)  /* one of the image's changing entries is running */
#define STATE_OBSERVED (UINT32_C(1) << 16) /* a call-back is registered */
#define STATE_ABORTED  (UINT32_C(1) << 24) /* the highest: it can only be destroyed */
#define STATE_VALID    (RELOC_STATE_INITIALIZED | RELOC_STATE_XIP | STATE_BUSY | STATE_OBSERVED)
enum state_byte { BYTE_BUSY = 1, BYTE_OBSERVED, BYTE_ABORTED };

static void mark(uint32_t *ctx, enum state_byte byte, bool on) {
    ((volatile uint8_t *)(void *)&ctx[CTX_STATE])[byte] = on;
}

/*
 * The context behind a handle, or NULL. Stops: NULL, a destroyed instance, and addresses of other
 * things. The state must be one of ours, and the header at rom_addr must lead back to the handle.
 * valid: the bits that it may have.
 */
RELOC_INLINE uint32_t *instance_of(ai_handle hdl, uint32_t valid) {
    uint32_t *ctx = (uint32_t *)hdl;
    if (hdl == NULL || address_of(hdl) % 4u != 0 || (ctx[CTX_STATE] & ~valid) != 0 ||
        (ctx[CTX_STATE] & RELOC_STATE_INITIALIZED) == 0)
        return NULL;
    const uint8_t *rom = bytes_at(ctx[CTX_ROM]);
    if (rom == NULL || reloc_get_le32(rom, RELOC_HDR_MAGIC) != RELOC_MAGIC)
        return NULL;
    uint32_t offset = reloc_get_le32(rom, RELOC_HDR_ENTRIES + 4u * RELOC_ENTRY_CTX);
    return ctx[CTX_RAM] + (offset & RELOC_OFFSET_MASK) == address_of(hdl) ? ctx : NULL;
}

/* Also an aborted one: for abort and destroy alone. */
RELOC_OUTLINE uint32_t *instance_or_aborted(ai_handle hdl) {
    return instance_of(hdl, STATE_VALID | STATE_ABORTED);
}

static uint32_t *instance(ai_handle hdl) {
    uint32_t *ctx = instance_or_aborted(hdl);
    return ctx != NULL && ctx[CTX_STATE] < STATE_ABORTED ? ctx : NULL;
}

/* Every run passes here. */
#ifdef __OPTIMIZE_SIZE__
#define INSTANCE_TO_RUN(hdl) instance(hdl)
#else
#define INSTANCE_TO_RUN(hdl) instance_of(hdl, STATE_VALID)
#endif

/*
 * Calls an entry of the image with r9 = its RAM base and passes the network. create gets the place
 * for the network instead, because it is the one that provides it. header: the words that were
 * checked, or those where the image runs. The order of the arguments leaves those of run in the
 * registers in which they arrive.
 */
static uint32_t call_of(uint32_t *ctx, const void *a1, const void *a2, enum reloc_entry entry,
                        const uint8_t *header) {
    uint32_t offset = reloc_get_le32(header, RELOC_HDR_ENTRIES + 4u * entry) & RELOC_OFFSET_MASK;
    struct reloc_target target = {ctx[CTX_ROM] + offset, ctx[CTX_RAM]};
    uint32_t a0 = entry == RELOC_ENTRY_CREATE ? address_of(&ctx[CTX_NETWORK]) : ctx[CTX_NETWORK];
    return reloc_call(a0, address_of(a1), address_of(a2), &target);
}

static uint32_t call(uint32_t *ctx, const void *a1, const void *a2, enum reloc_entry entry) {
    return call_of(ctx, a1, a2, entry, bytes_at(ctx[CTX_ROM]));
}

/*
 * Like call, for the entries that change the instance. Returns 0 if it is no instance, or busy with
 * another such entry.
 */
static uint32_t call_locked(ai_handle hdl, const void *a1, const void *a2, enum reloc_entry entry) {
    uint32_t *ctx = INSTANCE_TO_RUN(hdl);
    if (ctx == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return 0;
    if (ctx[CTX_STATE] & STATE_OBSERVED)
        ctx[CTX_USER_R9] = reloc_get_r9();
    uint32_t result = call(ctx, a1, a2, entry);
    mark(ctx, BYTE_BUSY, false);
    return result;
}

/* ---- errors ---- */

/* An ai_error as entries return it, in one word: the type in bits 7..0, the code above them. */
#define PACKED(type, code) ((uint32_t)AI_ERROR_##type | (uint32_t)AI_ERROR_CODE_##code << 8)

static ai_error unpack(uint32_t packed) {
    ai_error error;
    memcpy(&error, &packed, sizeof error);
    return error;
}

/* What the documented API returns for one of our codes. All faults of the image share one value. */
RELOC_OUTLINE uint32_t packed_of(uint32_t code) {
    static const uint16_t packed[] = {PACKED(INVALID_PARAM, INVALID_PTR), /* from ARGUMENT on */
                                      PACKED(TOOL_PLATFORM_API_MISMATCH, INVALID_FORMAT),
                                      PACKED(TOOL_PLATFORM_API_MISMATCH, INVALID_FORMAT),
                                      PACKED(INVALID_PARAM, OUT_OF_RANGE),
                                      PACKED(INVALID_PARAM, INVALID_PTR),
                                      PACKED(INVALID_PARAM, INVALID_SIZE),
                                      PACKED(INVALID_PARAM, INVALID_PTR),
                                      PACKED(ALLOCATION_FAILED, INVALID_SIZE)};
    _Static_assert(sizeof packed / sizeof packed[0] == RELOC_N_CREATE - RELOC_N_ARGUMENT, "codes");
    if (code == RELOC_OK)
        return 0;
    return code < RELOC_N_ARGUMENT || by_signature(code) ? PACKED(INVALID_HANDLE, INVALID_PTR)
                                                         : packed[code - RELOC_N_ARGUMENT];
}

/*
 * The handle of an instance that its image refused to create. It encodes the image's error and is
 * not a multiple of 4, so it is no address, and nothing has to be kept for it.
 */
static ai_handle error_handle(ai_error error) {
    uint32_t packed;
    memcpy(&packed, &error, sizeof packed);
    return (ai_handle)(packed << 2 | 1u);
}

static bool is_error_handle(ai_handle hdl) {
    return address_of(hdl) % 4u == 1u;
}

/* ---- installation ---- */

/*
 * The image may have patched its own code in create and in init (docs/FORMAT.md, "Fix-up table").
 * Where the application manages the caches, the image cannot tell it so.
 */
static void code_may_be_patched(const uint32_t *ctx) {
    const uint8_t *rom = bytes_at(ctx[CTX_ROM]);
    if ((ctx[CTX_STATE] & RELOC_STATE_XIP) == 0)
        prepare_code(rom, reloc_get_le32(rom, RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK);
}

/*
 * Runs create with the application's symbols; *packed is what it returns. If it fails, the context
 * is left as no instance.
 */
static uint32_t create(uint32_t *ctx, const ai_rel_network_load_args *args, uint32_t *packed,
                       const uint8_t *header) {
    uint32_t config[RELOC_CFG_BYTES / 4] = {RELOC_CONFIG_MAGIC, address_of(args->imports),
                                            args->import_count};
    *packed = call_of(ctx, args->imports != NULL ? config : NULL, NULL, RELOC_ENTRY_CREATE, header);
    uint32_t refused = config[RELOC_CFG_REFUSED / 4];
    if (args->refused_import != NULL)
        *args->refused_import = refused != 0 ? (const char *)args->obj + refused : NULL;
    if ((*packed & 0xFFu) == AI_ERROR_NONE) {
        *packed = 0;
        code_may_be_patched(ctx);
        return RELOC_OK;
    }
    ctx[CTX_STATE] = 0;
    if (refused == 0)
        return RELOC_N_CREATE;
    return config[RELOC_CFG_VERSION / 4] != 0 ? RELOC_N_IMPORT_VERSION : RELOC_N_IMPORT;
}

/*
 * Takes the RAM (the caller's, or the heap's when the caller gives no address or no size), installs
 * and creates. *packed: the image's error.
 */
static uint32_t load(const struct reloc_view *view, const ai_rel_network_load_args *args,
                     ai_handle *hdl, uint32_t *packed) {
    uint32_t code_bytes = args->mode == AI_RELOC_RT_LOAD_MODE_COPY ? view->ro_bytes : 0;
    uint32_t need = reloc_ram_xip(view) + code_bytes, size = args->ram_size;
    void *ram = args->ram_addr, *own = NULL;
    if (ram == NULL || size == 0) {
        ram = own = AI_RELOC_MALLOC(need);
        size = need;
        if (own == NULL)
            return RELOC_N_NO_MEMORY;
    }
    uint32_t code = place(view, args, (uint8_t *)ram, size, code_bytes);
    if (code == RELOC_OK) {
        uint32_t *ctx = (uint32_t *)(void *)((uint8_t *)ram + code_bytes + view->ctx);
        ctx[CTX_ALLOCATED] = address_of(own);
        code = create(ctx, args, packed, view->header);
        if (code == RELOC_OK)
            *hdl = ctx;
    }
    if (code != RELOC_OK && own != NULL)
        AI_RELOC_FREE(own);
    return code;
}

/* ---- the documented API, and the functions with a size ---- */

int32_t ai_rel_network_check(const void *obj, ai_size size) {
    struct reloc_view view;
    uint32_t code = open_sized(obj, size, &view);
    return reloc_result(code != RELOC_OK ? code : reloc_check_words(&view));
}

static uint32_t check_weights(const struct reloc_view *view, const void *weights, uint32_t size) {
    if (weights == NULL)
        return RELOC_N_ARGUMENT;
    if (address_of(weights) % 4u != 0 || size > 0u - address_of(weights))
        return RELOC_N_OBJECT;
    return reloc_check_weights_file(view, (const uint8_t *)weights, size);
}

int32_t ai_rel_network_check_weights(const void *obj, ai_size size, const void *weights,
                                     ai_size weights_size) {
    struct reloc_view view;
    uint32_t code = open_sized(obj, size, &view);
    return reloc_result(code != RELOC_OK ? code : check_weights(&view, weights, weights_size));
}

RELOC_OUTLINE uint32_t describe(const struct reloc_view *view, uint32_t code,
                                ai_rel_network_info *rt) {
    if (code != RELOC_OK)
        return code;
    if (rt == NULL)
        return RELOC_N_ARGUMENT;
    uint32_t base = address_of(view->image);
    rt->c_name = (const char *)(view->image + view->c_name);
    rt->variant = view->flags;
    rt->code_sz = view->ro_bytes;
    rt->weights = view->weights_start != 0 ? (ai_handle)(base + view->weights_start) : NULL;
    rt->weights_sz = view->weights_size;
    rt->acts_sz = view->acts_size;
    rt->rt_ram_xip = reloc_ram_xip(view);
    rt->rt_ram_copy = reloc_ram_copy(view);
    return RELOC_OK;
}

int32_t ai_rel_network_rt_get_info_sized(const void *obj, ai_size size, ai_rel_network_info *rt) {
    struct reloc_view view;
    return reloc_result(describe(&view, open_sized(obj, size, &view), rt));
}

ai_error ai_rel_network_rt_get_info(const void *obj, ai_rel_network_info *rt) {
    struct reloc_view view;
    return unpack(packed_of(describe(&view, open_image(obj, RELOC_SIZE_UNKNOWN, &view), rt)));
}

/* code: the result of opening the image. */
static uint32_t load_opened(const struct opened *opened, uint32_t code,
                            const ai_rel_network_load_args *args, ai_handle *hdl, ai_error *error) {
    const struct reloc_view *view = &opened->view;
    uint32_t packed = 0;
    if (hdl != NULL)
        *hdl = NULL; /* whatever fails, get_error and destroy take it */
    else if (code == RELOC_OK)
        code = RELOC_N_ARGUMENT;
    if (code == RELOC_OK)
        code = check_core(view->flags);
    if (code == RELOC_OK && args->mode != AI_RELOC_RT_LOAD_MODE_XIP &&
        args->mode != AI_RELOC_RT_LOAD_MODE_COPY)
        code = RELOC_N_MODE;
    if (code == RELOC_OK)
        code = load(view, args, hdl, &packed);
#ifdef AI_RELOC_LOG
    log_load(args, view, code);
#endif
    if (error != NULL)
        *error = unpack(packed != 0 ? packed : packed_of(code));
    return code;
}

static int32_t load_sized(const ai_rel_network_load_args *args, ai_handle *hdl, ai_error *error,
                          ai_reloc_signed_info *info) {
    struct opened opened;
    opened_begin(&opened, info);
    uint32_t code = args == NULL ? (uint32_t)RELOC_N_ARGUMENT
                                 : open_sized(args->obj, args->obj_size, &opened.view);
    return reloc_result(load_opened(&opened, code, args, hdl, error));
}

int32_t ai_rel_network_load_and_create_sized(const ai_rel_network_load_args *args, ai_handle *hdl,
                                             ai_error *error) {
    return load_sized(args, hdl, error, NULL);
}

ai_error ai_rel_network_load_and_create(const void *obj, ai_handle ram_addr, ai_size ram_size,
                                        uint32_t mode, ai_handle *hdl) {
    ai_rel_network_load_args args = {obj, 0, ram_addr, ram_size, mode, NULL, 0, NULL};
    struct opened opened;
    ai_error error;
    opened_begin(&opened, NULL);
    uint32_t code =
        load_opened(&opened, open_image(obj, RELOC_SIZE_UNKNOWN, &opened.view), &args, hdl, &error);
    if (code >= RELOC_N_CREATE && !by_signature(code))
        *hdl = error_handle(error);
    return error;
}

/* An aborted instance is not called again: nobody knows in which state the model is. */
ai_handle ai_rel_network_destroy(ai_handle hdl) {
    uint32_t *ctx = instance_or_aborted(hdl);
    if (is_error_handle(hdl))
        return AI_HANDLE_NULL;
    if (ctx == NULL)
        return hdl;
    if (ctx[CTX_STATE] < STATE_ABORTED) {
        if (!reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
            return hdl;
        if (call(ctx, NULL, NULL, RELOC_ENTRY_DESTROY) != 0) {
            mark(ctx, BYTE_BUSY, false);
            return hdl;
        }
    }
    void *allocated = (void *)ctx[CTX_ALLOCATED];
    ctx[CTX_STATE] = 0;
    if (allocated != NULL)
        AI_RELOC_FREE(allocated);
    return AI_HANDLE_NULL;
}

/* If the call returns after all, the instance is busy no more, but stays aborted. */
ai_bool ai_rel_network_abort(ai_handle hdl) {
    uint32_t *ctx = instance_or_aborted(hdl);
    if (ctx == NULL || (ctx[CTX_STATE] & (STATE_BUSY | STATE_ABORTED)) == 0)
        return false;
    mark(ctx, BYTE_ABORTED, true);
    return true;
}

/*
 * Whether the activations begin in the instance's RAM or in the code that it runs. The image's own
 * glue knows their length (docs/FORMAT.md).
 */
static bool is_over_instance(const uint32_t *ctx, const ai_handle *act) {
    const uint32_t *header = (const uint32_t *)ctx[CTX_ROM];
    uint32_t at = act != NULL ? address_of(act[0]) : 0;
    return at - ctx[CTX_RAM] < (header[RELOC_HDR_BSS_END / 4] & RELOC_OFFSET_MASK) ||
           at - ctx[CTX_ROM] < (header[RELOC_HDR_DATA_DATA / 4] & RELOC_OFFSET_MASK);
}

ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle *weights, const ai_handle *act) {
    const uint32_t *ctx = instance(hdl);
    bool done = ctx != NULL && !is_over_instance(ctx, act) &&
                call_locked(hdl, weights, act, RELOC_ENTRY_INIT_V2) != 0;
    if (done)
        code_may_be_patched((const uint32_t *)hdl);
    return done;
}

ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer *input, ai_buffer *output) {
    return (ai_i32)call_locked(hdl, input, output, RELOC_ENTRY_RUN);
}

ai_error ai_rel_network_get_error(ai_handle hdl) {
    uint32_t *ctx = instance(hdl);
    if (is_error_handle(hdl))
        return unpack(address_of(hdl) >> 2);
    return unpack(ctx != NULL ? call(ctx, NULL, NULL, RELOC_ENTRY_ERROR)
                              : packed_of(RELOC_N_OBJECT));
}

/* ---- report ---- */

/*
 * The two layouts (docs/FORMAT.md, "Report") are equal up to n_macc; from n_inputs on they differ
 * only in position. The image fills in the layout of its runtime, which only runtime_version tells:
 * n_macc has 64 bits from 8.1 on.
 */
enum report_layout {
    REPORT_RUNTIME_VERSION = 20, /* bytes: major, minor */
    REPORT_MACC32 = 44,
    REPORT_MACC64 = 48,
    REPORT_TAIL_BYTES = 76, /* n_inputs .. signature */
    REPORT_MACC64_SINCE = 0x0801,
    REPORT_BYTES = 136
};

/* The headers may be the vendor's: version 7.1 and later have one of the two. */
_Static_assert(sizeof(ai_error) == 4 && sizeof(ai_observer_exec_ctx) == 20, "image ABI");
_Static_assert(offsetof(ai_network_report, signature) + 4 - offsetof(ai_network_report, n_inputs) ==
                       REPORT_TAIL_BYTES &&
                   offsetof(ai_network_report, interface_api_version) == REPORT_MACC32 - 4,
               "the report of these headers has neither of the two layouts");

/* Converts what the image wrote into the layout of the header that this file is compiled with. */
static void convert_report(const uint8_t *raw, ai_network_report *report) {
    uint32_t version = (uint32_t)raw[REPORT_RUNTIME_VERSION] << 8 | raw[REPORT_RUNTIME_VERSION + 1];
    bool wide = version >= REPORT_MACC64_SINCE;
    uint32_t macc[2] = {reloc_get_le32(raw, wide ? REPORT_MACC64 : REPORT_MACC32),
                        wide ? reloc_get_le32(raw, REPORT_MACC64 + 4) : 0};
    if (sizeof report->n_macc == 4 && macc[1] != 0)
        macc[0] = UINT32_MAX;
    memmove(report, raw, REPORT_MACC32);
    memmove(&report->n_inputs, raw + (wide ? REPORT_MACC64 + 8 : REPORT_MACC32 + 4),
            REPORT_TAIL_BYTES);
    memcpy(&report->n_macc, macc, sizeof report->n_macc);
}

/* Where the larger of the two fits, the image fills the caller's report directly. */
ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report *report) {
    enum { NARROW = sizeof *report < REPORT_BYTES };
    uint32_t *ctx = instance(hdl);
    uint64_t own[NARROW ? REPORT_BYTES / 8 : 1]; /* aligned for either layout */
    void *raw = NARROW ? (void *)own : report;
    if (ctx == NULL || report == NULL)
        return false;
    memset(raw, 0, REPORT_BYTES);
    if (call(ctx, raw, NULL, RELOC_ENTRY_REPORT) == 0)
        return false;
    convert_report((const uint8_t *)raw, report);
    return true;
}

ai_bool ai_rel_network_get_info(ai_handle hdl, ai_network_report *report) {
    return ai_rel_network_get_report(hdl, report);
}

/* ---- observer ---- */

/*
 * The function that the image calls. It runs with the image's r9, uses none of the firmware's
 * variables, and calls the firmware's function with the r9 that init or run was called with.
 */
static ai_u32 on_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    const uint32_t *ctx = (const uint32_t *)cookie;
    struct reloc_target target = {ctx[CTX_USER_CALLBACK], ctx[CTX_USER_R9]};
    return reloc_call(ctx[CTX_USER_COOKIE], flags, address_of(node), &target);
}

/*
 * Hands the observer words of ctx to the image, which keeps their address. The caller holds the
 * lock.
 */
static ai_bool observe(uint32_t *ctx, ai_observer_node_cb cb, ai_handle cookie, ai_u32 flags) {
    ai_observer_exec_ctx *exec = (ai_observer_exec_ctx *)(void *)&ctx[CTX_OBSERVER];
    exec->on_node = on_node;
    exec->cookie = ctx;
    exec->flags = flags & AI_OBSERVER_MASK_EVT;
    exec->c_idx = exec->n_nodes = 0;
    exec->cur = NULL;
    ctx[CTX_USER_CALLBACK] = (uint32_t)cb;
    ctx[CTX_USER_COOKIE] = address_of(cookie);
    if (call(ctx, exec, NULL, RELOC_ENTRY_OBS_REGISTER) == 0)
        return false;
    mark(ctx, BYTE_OBSERVED, true);
    return true;
}

ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL || cb == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return false;
    ai_bool done = (ctx[CTX_STATE] & STATE_OBSERVED) == 0 && observe(ctx, cb, cookie, flags);
    mark(ctx, BYTE_BUSY, false);
    return done;
}

/* There is one at most, so nothing has to tell which. */
ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb cb,
                                            ai_handle cookie) {
    (void)cb, (void)cookie;
    uint32_t *ctx = INSTANCE_TO_RUN(hdl);
    if (ctx == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return false;
    ai_bool done = (ctx[CTX_STATE] & STATE_OBSERVED) != 0 &&
                   call(ctx, &ctx[CTX_OBSERVER], NULL, RELOC_ENTRY_OBS_UNREGISTER) != 0;
    if (done)
        mark(ctx, BYTE_OBSERVED, false);
    mark(ctx, BYTE_BUSY, false);
    return done;
}

ai_bool ai_rel_platform_observer_node_info(ai_handle hdl, ai_observer_node *node_info) {
    uint32_t *ctx = instance(hdl);
    return ctx != NULL && node_info != NULL &&
           call(ctx, node_info, NULL, RELOC_ENTRY_OBS_NODE_INFO) != 0;
}

#if defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#pragma clang attribute pop
#endif
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
