/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader: checks an image, installs it in RAM, calls its entries with r9 = the RAM base.
 * In: images as docs/FORMAT.md describes them (reloc_core.h checks them). Out: handles, which are
 * the address of the image's context in the instance's RAM; all state of an instance lies there,
 * this file has no variables. Settings: reloc_port.h. Manual: docs/TARGET.md.
 */
#if defined(__CC_ARM)
#define _Static_assert(condition, text) /* Arm Compiler 5 has no C11 */
#endif

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ai_reloc_network.h"
#include "reloc_core.h"
#include "reloc_port.h"
#include "reloc_shim.h"

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

/* Bits of the state word that are the loader's own; clear whenever create runs. */
#define STATE_BUSY     (UINT32_C(1) << 8) /* one of the image's changing entries is running */
#define STATE_OBSERVED (UINT32_C(1) << 9) /* a call-back is registered */
#define STATE_VALID    (RELOC_STATE_INITIALIZED | RELOC_STATE_XIP | STATE_BUSY | STATE_OBSERVED)

static const uint8_t *bytes_at(uint32_t address) {
    return (const uint8_t *)address;
}

static uint32_t address_of(const void *pointer) {
    return (uint32_t)pointer;
}

/*
 * The context behind a handle, or NULL. Stops: NULL, a destroyed instance, and addresses of other
 * things: the state must be one of ours, and the header at rom_addr must lead back to the handle.
 */
static uint32_t *instance(ai_handle hdl) {
    uint32_t *ctx = (uint32_t *)hdl;
    if (hdl == NULL || address_of(hdl) % 4u != 0 || (ctx[CTX_STATE] & ~STATE_VALID) != 0 ||
        (ctx[CTX_STATE] & RELOC_STATE_INITIALIZED) == 0 || ctx[CTX_ROM] % 4u != 0)
        return NULL;
    const uint8_t *rom = bytes_at(ctx[CTX_ROM]);
    if (rom == NULL || reloc_get_le32(rom, RELOC_HDR_MAGIC) != RELOC_MAGIC)
        return NULL;
    uint32_t offset = reloc_get_le32(rom, RELOC_HDR_ENTRIES + 4u * RELOC_ENTRY_CTX);
    return ctx[CTX_RAM] + (offset & RELOC_OFFSET_MASK) == address_of(hdl) ? ctx : NULL;
}

/*
 * Calls an entry of the image with r9 = its RAM base, and with the network, which create is still
 * to tell: it gets the place for it. Entry addresses were checked at load. The order of the
 * arguments leaves those of run in the registers in which they come.
 */
static uint32_t call(uint32_t *ctx, const void *a1, const void *a2, enum reloc_entry entry) {
    uint32_t where = RELOC_HDR_ENTRIES + 4u * (uint32_t)entry;
    uint32_t offset = reloc_get_le32(bytes_at(ctx[CTX_ROM]), where) & RELOC_OFFSET_MASK;
    struct reloc_target target = {ctx[CTX_ROM] + offset, ctx[CTX_RAM]};
    uint32_t a0 = entry == RELOC_ENTRY_CREATE ? address_of(&ctx[CTX_NETWORK]) : ctx[CTX_NETWORK];
    return reloc_call(a0, address_of(a1), address_of(a2), &target);
}

/* As call, for the entries that change the instance: 0 if it is none, or busy with another. */
static uint32_t call_locked(ai_handle hdl, const void *a1, const void *a2, enum reloc_entry entry) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return 0;
    if (ctx[CTX_STATE] & STATE_OBSERVED)
        ctx[CTX_USER_R9] = reloc_get_r9();
    uint32_t result = call(ctx, a1, a2, entry);
    reloc_unlock(&ctx[CTX_STATE], STATE_BUSY);
    return result;
}

/* ---- errors ---- */

static ai_error make_error(uint32_t type, uint32_t code) {
    ai_error error = {.type = type & 0xFFu, .code = code & 0xFFFFFFu};
    return error;
}

/* What the documented API returns for one of our codes; all faults of the image are one there. */
static ai_error error_of_code(int32_t code) {
    enum { FIRST = RELOC_E_ARGUMENT, COUNT = RELOC_E_ARGUMENT - RELOC_E_CREATE };
    static const uint8_t type_and_code[COUNT][2] = {
        [FIRST - RELOC_E_ARGUMENT] = {AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR},
        [FIRST - RELOC_E_CPU] = {AI_ERROR_TOOL_PLATFORM_API_MISMATCH, AI_ERROR_CODE_INVALID_FORMAT},
        [FIRST - RELOC_E_FPU] = {AI_ERROR_TOOL_PLATFORM_API_MISMATCH, AI_ERROR_CODE_INVALID_FORMAT},
        [FIRST - RELOC_E_MODE] = {AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_OUT_OF_RANGE},
        [FIRST - RELOC_E_RAM_ADDRESS] = {AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR},
        [FIRST - RELOC_E_RAM_SIZE] = {AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_SIZE},
        [FIRST - RELOC_E_RAM_OVERLAP] = {AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR},
        [FIRST - RELOC_E_NO_MEMORY] = {AI_ERROR_ALLOCATION_FAILED, AI_ERROR_CODE_INVALID_SIZE}};
    uint32_t row = (uint32_t)(FIRST - code);
    if (code == RELOC_OK)
        return make_error(AI_ERROR_NONE, AI_ERROR_CODE_NONE);
    if (row >= COUNT)
        return make_error(AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
    return make_error(type_and_code[row][0], type_and_code[row][1]);
}

/* ---- checks ---- */

/* Checks an image of known (or RELOC_SIZE_UNKNOWN) size and fills view. */
static int32_t open_image(const void *obj, uint32_t size, struct reloc_view *view) {
    if (obj == NULL || address_of(obj) % 4u != 0)
        return RELOC_E_OBJECT;
    int32_t code = reloc_core_check((const uint8_t *)obj, size, view);
    if (code == RELOC_OK && REQUIRE_TRAILER && size != RELOC_SIZE_UNKNOWN && view->trailer == 0)
        return RELOC_E_NO_TRAILER;
    return code;
}

static int32_t check_core(uint32_t flags) {
    if (!AI_RELOC_RT_MCU_CHECKING)
        return RELOC_OK;
    uint32_t part = AI_RELOC_READ_CPUID() >> 4 & 0xFFFu;
    if (!reloc_cpu_accepts(RELOC_FLAGS_CPUID(flags), part, CPUID_SUPERSET))
        return RELOC_E_CPU;
    if (RELOC_FLAGS_FPU(flags) && (AI_RELOC_READ_CPACR() & CPACR_CP10_CP11) != CPACR_CP10_CP11)
        return RELOC_E_FPU;
    return RELOC_OK;
}

/* Whether need bytes at ram are usable for the image: aligned, no wrap, apart from the image. */
static int32_t check_ram(const struct reloc_view *view, uint32_t ram, uint32_t need) {
    uint32_t obj = address_of(view->image);
    if (ram == 0 || ram % RELOC_RAM_ALIGN != 0)
        return RELOC_E_RAM_ADDRESS;
    if (need > 0u - ram)
        return RELOC_E_RAM_SIZE;
    return ram - obj < view->content_end || obj - ram < need ? RELOC_E_RAM_OVERLAP : RELOC_OK;
}

/* ---- installation: nothing here can fail, everything was checked ---- */

static uint32_t rebase(uint32_t word, uint32_t rom, uint32_t ram) {
    if (word == 0)
        return 0;
    return (word & RELOC_OFFSET_MASK) + ((word & RELOC_SEG_MASK) == RELOC_SEG_RAM ? ram : rom);
}

static void install_data(const struct reloc_view *view, uint8_t *ram, uint32_t rom) {
    uint32_t *words = (uint32_t *)(void *)ram;
    uint32_t base = address_of(ram);
    memcpy(ram, view->image + view->ro_bytes, view->got_end);
    memset(ram + view->got_end, 0, reloc_ram_xip(view) - view->got_end);
    for (uint32_t i = view->got_start / 4u; i < view->got_end / 4u; i++)
        words[i] = rebase(words[i], rom, base);
    for (uint32_t at = view->rel_start; at < view->rel_end; at += 4u) {
        uint32_t i = (reloc_get_le32(view->image, at) & RELOC_OFFSET_MASK) / 4u;
        words[i] = rebase(words[i], rom, base);
    }
}

/* Makes what was written at rom fetchable as instructions. */
static void prepare_code(const uint8_t *rom, uint32_t size) {
    AI_RELOC_DCACHE_CLEAN(rom, size);
    AI_RELOC_ICACHE_INVALIDATE(rom, size);
    reloc_barrier();
}

/*
 * The image may have patched its own code, in create and in init (docs/FORMAT.md, "Fix-up table"):
 * where caches are the application's, the image cannot say so to them.
 */
static void code_may_be_patched(const uint32_t *ctx) {
    const uint8_t *rom = bytes_at(ctx[CTX_ROM]);
    if ((ctx[CTX_STATE] & RELOC_STATE_XIP) == 0)
        prepare_code(rom, reloc_get_le32(rom, RELOC_HDR_DATA_DATA) & RELOC_OFFSET_MASK);
}

/* Installs in block and returns the context. In COPY mode the code comes first, then the data. */
static uint32_t *install(const struct reloc_view *view, uint8_t *block, uint32_t mode) {
    const uint8_t *rom = view->image;
    uint8_t *ram = block;
    uint32_t state = RELOC_STATE_INITIALIZED | RELOC_STATE_XIP;
    if (mode == AI_RELOC_RT_LOAD_MODE_COPY) {
        rom = block;
        ram = block + view->ro_bytes;
        state = RELOC_STATE_INITIALIZED;
        memcpy(block, view->image, view->ro_bytes);
    }
    install_data(view, ram, address_of(rom));
    uint32_t *ctx = (uint32_t *)(void *)(ram + view->ctx);
    ctx[CTX_STATE] = state;
    ctx[CTX_RAM] = address_of(ram);
    ctx[CTX_ROM] = address_of(rom);
    prepare_code(rom, view->ro_bytes);
    return ctx;
}

/* Runs create, with the application's symbols; what fails leaves a context that is no instance. */
static int32_t create(uint32_t *ctx, const ai_rel_network_load_args *args, ai_error *error) {
    uint32_t config[RELOC_CFG_BYTES / 4] = {RELOC_CONFIG_MAGIC, address_of(args->imports),
                                            args->import_count};
    uint32_t packed = call(ctx, args->imports != NULL ? config : NULL, NULL, RELOC_ENTRY_CREATE);
    uint32_t refused = config[RELOC_CFG_REFUSED / 4];
    *error = make_error(packed & 0xFFu, packed >> 8);
    if (args->refused_import != NULL)
        *args->refused_import = refused != 0 ? (const char *)args->obj + refused : NULL;
    if (error->type == AI_ERROR_NONE) {
        code_may_be_patched(ctx);
        return RELOC_OK;
    }
    ctx[CTX_STATE] = 0;
    if (refused == 0)
        return RELOC_E_CREATE;
    return config[RELOC_CFG_VERSION / 4] != 0 ? RELOC_E_IMPORT_VERSION : RELOC_E_IMPORT;
}

/* Takes the RAM (the caller's or the heap's), installs and creates. *hdl is written on success. */
static int32_t load(const struct reloc_view *view, const ai_rel_network_load_args *args,
                    ai_handle *hdl, ai_error *error) {
    bool copy = args->mode == AI_RELOC_RT_LOAD_MODE_COPY;
    uint32_t need = copy ? reloc_ram_copy(view) : reloc_ram_xip(view);
    bool own = args->ram_addr == NULL && args->ram_size == 0;
    uint8_t *ram = (uint8_t *)(own ? AI_RELOC_MALLOC(need) : args->ram_addr);
    if (own && ram == NULL)
        return RELOC_E_NO_MEMORY;
    int32_t code = check_ram(view, address_of(ram), need);
    if (code == RELOC_OK && !own && args->ram_size < need)
        code = RELOC_E_RAM_SIZE;
    if (code == RELOC_OK) {
        uint32_t *ctx = install(view, ram, args->mode);
        ctx[CTX_ALLOCATED] = own ? address_of(ram) : 0;
        code = create(ctx, args, error);
        if (code == RELOC_OK)
            *hdl = ctx;
    }
    if (code != RELOC_OK && own)
        AI_RELOC_FREE(ram);
    return code;
}

#ifdef AI_RELOC_LOG
static void log_load(const ai_rel_network_load_args *args, const struct reloc_view *view,
                     int32_t code) {
    if (code != RELOC_OK) {
        AI_RELOC_LOG("image at %08x: not loaded, code %d\r\n",
                     (unsigned)address_of(args != NULL ? args->obj : NULL), (int)code);
        return;
    }
    AI_RELOC_LOG("image at %08x: %s, flags %08x, %s\r\n", (unsigned)address_of(args->obj),
                 (const char *)(view->image + view->c_name), (unsigned)view->flags,
                 args->mode == AI_RELOC_RT_LOAD_MODE_COPY ? "COPY" : "XIP");
    AI_RELOC_LOG("  code %u, data %u, GOT %u, bss %u, REL %u bytes\r\n", (unsigned)view->ro_bytes,
                 (unsigned)view->data_end, (unsigned)(view->got_end - view->got_start),
                 (unsigned)(view->bss_end - view->got_end),
                 (unsigned)(view->rel_end - view->rel_start));
    AI_RELOC_LOG("  RAM XIP %u, COPY %u; activations %u; weights %u at %u\r\n",
                 (unsigned)reloc_ram_xip(view), (unsigned)reloc_ram_copy(view),
                 (unsigned)view->acts_size, (unsigned)view->weights_size,
                 (unsigned)view->weights_start);
}
#endif

/* ---- the documented API, and the functions with a size ---- */

int32_t ai_rel_network_check(const void *obj, ai_size size) {
    struct reloc_view view;
    return open_image(obj, size, &view);
}

int32_t ai_rel_network_check_weights(const void *obj, ai_size size, const void *weights,
                                     ai_size weights_size) {
    struct reloc_view view;
    int32_t code = open_image(obj, size, &view);
    if (code == RELOC_OK && weights == NULL)
        return RELOC_E_ARGUMENT;
    return code != RELOC_OK
               ? code
               : reloc_core_check_weights(&view, (const uint8_t *)weights, weights_size);
}

int32_t ai_rel_network_rt_get_info_sized(const void *obj, ai_size size, ai_rel_network_info *rt) {
    struct reloc_view view;
    int32_t code = open_image(obj, size, &view);
    if (code != RELOC_OK)
        return code;
    if (rt == NULL)
        return RELOC_E_ARGUMENT;
    uint32_t base = address_of(obj);
    rt->c_name = (const char *)(view.image + view.c_name);
    rt->variant = view.flags;
    rt->code_sz = view.ro_bytes;
    rt->weights = view.weights_start != 0 ? (ai_handle)(base + view.weights_start) : NULL;
    rt->weights_sz = view.weights_size;
    rt->acts_sz = view.acts_size;
    rt->rt_ram_xip = reloc_ram_xip(&view);
    rt->rt_ram_copy = reloc_ram_copy(&view);
    return RELOC_OK;
}

ai_error ai_rel_network_rt_get_info(const void *obj, ai_rel_network_info *rt) {
    return error_of_code(ai_rel_network_rt_get_info_sized(obj, RELOC_SIZE_UNKNOWN, rt));
}

int32_t ai_rel_network_load_and_create_sized(const ai_rel_network_load_args *args, ai_handle *hdl,
                                             ai_error *error) {
    struct reloc_view view;
    ai_error created = make_error(AI_ERROR_NONE, AI_ERROR_CODE_NONE);
    int32_t code = args == NULL || hdl == NULL ? (int32_t)RELOC_E_ARGUMENT
                                               : open_image(args->obj, args->obj_size, &view);
    if (code == RELOC_OK)
        code = check_core(view.flags);
    if (code == RELOC_OK && args->mode != AI_RELOC_RT_LOAD_MODE_XIP &&
        args->mode != AI_RELOC_RT_LOAD_MODE_COPY)
        code = RELOC_E_MODE;
    if (code == RELOC_OK)
        code = load(&view, args, hdl, &created);
#ifdef AI_RELOC_LOG
    log_load(args, &view, code);
#endif
    if (error != NULL)
        *error = created.type != AI_ERROR_NONE ? created : error_of_code(code);
    return code;
}

ai_error ai_rel_network_load_and_create(const void *obj, ai_handle ram_addr, ai_size ram_size,
                                        uint32_t mode, ai_handle *hdl) {
    ai_rel_network_load_args args = {obj, RELOC_SIZE_UNKNOWN, ram_addr, ram_size, mode, NULL, 0,
                                     NULL};
    ai_error error;
    (void)ai_rel_network_load_and_create_sized(&args, hdl, &error);
    return error;
}

ai_handle ai_rel_network_destroy(ai_handle hdl) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return hdl;
    if (call(ctx, NULL, NULL, RELOC_ENTRY_DESTROY) != 0) {
        reloc_unlock(&ctx[CTX_STATE], STATE_BUSY);
        return hdl;
    }
    void *allocated = (void *)ctx[CTX_ALLOCATED];
    ctx[CTX_STATE] = 0;
    if (allocated != NULL)
        AI_RELOC_FREE(allocated);
    return AI_HANDLE_NULL;
}

ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle *weights, const ai_handle *act) {
    bool done = call_locked(hdl, weights, act, RELOC_ENTRY_INIT_V2) != 0;
    if (done)
        code_may_be_patched((const uint32_t *)hdl);
    return done;
}

ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer *input, ai_buffer *output) {
    return (ai_i32)call_locked(hdl, input, output, RELOC_ENTRY_RUN);
}

ai_error ai_rel_network_get_error(ai_handle hdl) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL)
        return error_of_code(RELOC_E_OBJECT);
    uint32_t packed = call(ctx, NULL, NULL, RELOC_ENTRY_ERROR);
    return make_error(packed & 0xFFu, packed >> 8);
}

/* ---- report ---- */

/*
 * The two layouts (docs/FORMAT.md, "Report"): equal up to n_macc, and from n_inputs on but for the
 * place. The image fills the one of its runtime, which only runtime_version tells: n_macc has 64
 * bits from 8.1 on.
 */
enum report_layout {
    REPORT_RUNTIME_VERSION = 20, /* bytes: major, minor */
    REPORT_MACC32 = 44,
    REPORT_MACC64 = 48,
    REPORT_TAIL_BYTES = 76, /* n_inputs .. signature */
    REPORT_MACC64_SINCE = 0x0801,
    REPORT_BYTES = 136
};

/* The headers may be the vendor's: 7.1 and later have one of the two. */
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
    memcpy(report, raw, REPORT_MACC32);
    memcpy(&report->n_macc, macc, sizeof report->n_macc);
    memcpy(&report->n_inputs, raw + (wide ? REPORT_MACC64 + 8 : REPORT_MACC32 + 4),
           REPORT_TAIL_BYTES);
}

ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report *report) {
    uint32_t *ctx = instance(hdl);
    uint64_t raw[REPORT_BYTES / 8]; /* aligned for either layout */
    if (ctx == NULL || report == NULL)
        return false;
    memset(raw, 0, sizeof raw);
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
 * What the image calls: runs with the image's r9, uses none of the firmware's variables, and calls
 * the firmware's function with the r9 that init or run was called with.
 */
static ai_u32 on_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    const uint32_t *ctx = (const uint32_t *)cookie;
    struct reloc_target target = {ctx[CTX_USER_CALLBACK], ctx[CTX_USER_R9]};
    return reloc_call(ctx[CTX_USER_COOKIE], flags, address_of(node), &target);
}

/* The observer words of ctx go to the image, which keeps their address. Locked by the caller. */
static ai_bool observe(uint32_t *ctx, ai_observer_node_cb cb, ai_handle cookie, ai_u32 flags) {
    ai_observer_exec_ctx *exec = (ai_observer_exec_ctx *)(void *)&ctx[CTX_OBSERVER];
    memset(exec, 0, sizeof *exec);
    exec->on_node = on_node;
    exec->cookie = ctx;
    exec->flags = flags & AI_OBSERVER_MASK_EVT;
    ctx[CTX_USER_CALLBACK] = (uint32_t)cb;
    ctx[CTX_USER_COOKIE] = address_of(cookie);
    if (call(ctx, exec, NULL, RELOC_ENTRY_OBS_REGISTER) == 0)
        return false;
    ctx[CTX_STATE] |= STATE_OBSERVED;
    return true;
}

ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL || cb == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return false;
    ai_bool done = (ctx[CTX_STATE] & STATE_OBSERVED) == 0 && observe(ctx, cb, cookie, flags);
    reloc_unlock(&ctx[CTX_STATE], STATE_BUSY);
    return done;
}

ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb cb,
                                            ai_handle cookie) {
    uint32_t *ctx = instance(hdl);
    if (ctx == NULL || !reloc_lock(&ctx[CTX_STATE], STATE_BUSY))
        return false;
    ai_bool done = (ctx[CTX_STATE] & STATE_OBSERVED) != 0 &&
                   ctx[CTX_USER_CALLBACK] == (uint32_t)cb &&
                   ctx[CTX_USER_COOKIE] == address_of(cookie) &&
                   call(ctx, &ctx[CTX_OBSERVER], NULL, RELOC_ENTRY_OBS_UNREGISTER) != 0;
    reloc_unlock(&ctx[CTX_STATE], STATE_BUSY | (done ? STATE_OBSERVED : 0));
    return done;
}

ai_bool ai_rel_platform_observer_node_info(ai_handle hdl, ai_observer_node *node_info) {
    uint32_t *ctx = instance(hdl);
    return ctx != NULL && node_info != NULL &&
           call(ctx, node_info, NULL, RELOC_ENTRY_OBS_NODE_INFO) != 0;
}
