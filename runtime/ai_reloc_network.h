/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Installs and runs relocatable model images on Cortex-M: the vendor's documented API
 * (ai_rel_network_*, ai_rel_platform_observer_*), source-compatible, and a few additions. In: the
 * address of an image in memory. Out: a handle to an executable instance of the model. A firmware
 * compiles ai_reloc_network.c and includes this header. docs/TARGET.md explains modes, memory,
 * caches, threads and the settings of ai_reloc_network.c.
 */
#ifndef AI_RELOC_NETWORK_H
#define AI_RELOC_NETWORK_H

#include "ai_reloc_types.h"
#include "ai_reloc_verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names that the packs for Neural-ART also have ---- */

/*
 * A pack's ll_aton_reloc_network.h has macros and a struct of these names for its own images. A
 * file may include both headers in any order: the names then mean what the pack says, and this
 * header adds only what the pack lacks. ai_rel_rt_ctx is always this loader's struct.
 */
#if defined(LL_ATON_RT_RELOC) && defined(__has_include)
#if __has_include("ll_aton_reloc_network.h")
#include "ll_aton_reloc_network.h"
#endif
#endif

#ifdef AI_RELOC_RT_VERSION_MAJOR
#define AI_RELOC_RT_CTX_TAG ai_rel_rt_ctx_s
#else
#define AI_RELOC_RT_CTX_TAG              ai_reloc_rt_ctx

/* The version of images, as in their flags word. */
#define AI_RELOC_RT_VERSION_MAJOR        2
#define AI_RELOC_RT_VERSION_MINOR        0

/* Execution modes; exactly one is given to ai_rel_network_load_and_create. */
#define AI_RELOC_RT_LOAD_MODE_XIP        (1 << 0) /* code runs where the image lies */
#define AI_RELOC_RT_LOAD_MODE_COPY       (1 << 1) /* code is copied to RAM and runs there */

/* Causes, for firmware that names them. No function of this header returns them. */
#define AI_RELOC_RT_ERR_NONE             0
#define AI_RELOC_RT_ERR_INVALID_BIN      (-1)
#define AI_RELOC_RT_ERR_MEMORY           (-2)
#define AI_RELOC_RT_ERR_NOT_SUPPORTED    (-3)

/* Fields of ai_rel_network_info.variant (the flags word of the image) and their values. */
#define AI_RELOC_RT_GET_MAJOR(variant)   ((int)(((variant) >> 28) & 0xF))
#define AI_RELOC_RT_GET_MINOR(variant)   ((int)(((variant) >> 24) & 0xF))
#define AI_RELOC_RT_GET_VARIANT(variant) ((variant)&0xFFFFF)
#define AI_RELOC_RT_FPU_USED(variant)    (((variant) >> 12) & 0x1)
#define AI_RELOC_RT_GET_CPUID(variant)   ((variant)&0xFFF)
#define AI_RELOC_RT_SET_FLAGS(variant)                                                             \
    (((AI_RELOC_RT_VERSION_MAJOR << 4 | AI_RELOC_RT_VERSION_MINOR) << 24) | ((variant)&0xFFFFF))
#define AI_RELOC_ARM_CORTEX_M0P           (0xC60UL) /* CPUID part numbers */
#define AI_RELOC_ARM_CORTEX_M3            (0xC23UL)
#define AI_RELOC_ARM_CORTEX_M4            (0xC24UL)
#define AI_RELOC_ARM_CORTEX_M7            (0xC27UL)
#define AI_RELOC_ARM_CORTEX_M33           (0xD21UL)
#define AI_RELOC_ARM_CORTEX_M55           (0xD22UL)
#define AI_RELOC_TOOLCHAIN_ARM_EMBEDDED   (0x8UL)
#define AI_RELOC_TOOLCHAIN_FP_ABI_SOFT    (0x0UL)
#define AI_RELOC_TOOLCHAIN_FP_ABI_SOFTFP  (0x1UL)
#define AI_RELOC_TOOLCHAIN_FP_ABI_HARD    (0x2UL)

/* ai_rel_rt_ctx.state. The loader uses further bits of its own there. */
#define AI_RELOC_RT_STATE_NOT_INITIALIZED 0
#define AI_RELOC_RT_STATE_INITIALIZED     (1 << 0)
#define AI_RELOC_RT_STATE_XIP_MODE        (1 << 1)
#endif

/* ---- names of this header alone ---- */

#define AI_RELOC_RT_ERR_PARAM                 (-4)
#define AI_RELOC_RT_GET_POST_OPTIONS(variant) (((variant) >> 20) & 0xF)
#define AI_RELOC_RT_GET_COPTS(variant)        (((variant) >> 12) & 0xF) /* float ABI, FPU */
#define AI_RELOC_RT_GET_TOOLCHAIN(variant)    (((variant) >> 16) & 0xF)
#define AI_RELOC_RT_GET_FLOAT_ABI(variant)    (((variant) >> 13) & 0x3)

/*
 * The read-only structure behind a handle: an instance's words, where the loader and the image have
 * them. Once an observer is registered, c_name, act_size and weights_size hold something else.
 */
typedef struct AI_RELOC_RT_CTX_TAG {
    volatile uint32_t state; /* AI_RELOC_RT_STATE_* */
    ai_handle network;       /* the image's own handle */
    uint32_t ram_addr;       /* where the image's RAM part lies */
    uint32_t rom_addr;       /* where its code lies */
    uint32_t ram_alloc_addr; /* allocated by AI_RELOC_MALLOC; 0: nothing */
    const char *c_name;
    const uint32_t act_size;
    const uint32_t weights_size;
    ai_observer_exec_ctx obs_ctx; /* the function that the image calls for an observer */
} ai_rel_rt_ctx;

/* Rounds a size of RAM up to where the next buffer may start (4 bytes). */
#define AI_RELOC_ROUND_UP(size) (((size) + 3u) & ~3u)

/* What an image needs; sizes in bytes. Pointers lead into the image. */
typedef struct ai_rel_network_info_s {
    const char *c_name;  /* C name of the model */
    ai_u32 variant;      /* AI_RELOC_RT_GET_* */
    ai_size code_sz;     /* read-only part: header, text, rodata */
    ai_handle weights;   /* in the image; NULL: they are in a file of their own */
    ai_size weights_sz;  /* also when they are in a file of their own */
    ai_size acts_sz;     /* activations, at least */
    ai_size rt_ram_xip;  /* RAM for XIP mode */
    ai_size rt_ram_copy; /* RAM for COPY mode */
} ai_rel_network_info;

/*
 * Describes the image at obj without installing it. The size of obj is not known here, so its
 * offsets are bounded only by each other: prefer ai_rel_network_rt_get_info_sized for bytes from
 * outside. Words to rebase are not checked; ai_rel_network_check checks them. Returns
 * {AI_ERROR_NONE, AI_ERROR_CODE_NONE}; {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR} if obj
 * is not a valid image of version 2.0 at a multiple of 4; {AI_ERROR_INVALID_PARAM,
 * AI_ERROR_CODE_INVALID_PTR} if rt is NULL. *rt is written only on success.
 */
ai_error ai_rel_network_rt_get_info(const void *obj, ai_rel_network_info *rt);

/*
 * Installs the image at obj in ram_size bytes at ram_addr (a multiple of 4, not overlapping the
 * image, executable in COPY mode) and creates an instance, whose handle goes to *hdl. The RAM
 * belongs to the instance until ai_rel_network_destroy. If ram_addr is NULL or ram_size is 0, the
 * RAM comes from AI_RELOC_MALLOC. On failure only the RAM has been written and nothing stays
 * allocated; *hdl is NULL, or, if the image's create failed, receives a value that is valid only
 * for ai_rel_network_get_error. Both are harmless for it and for ai_rel_network_destroy. Returns,
 * besides the image's own error from create:
 *   {INVALID_HANDLE, INVALID_PTR}              obj is not a valid image
 *   {TOOL_PLATFORM_API_MISMATCH, INVALID_FORMAT} built for another core, or the FPU is off
 *   {INVALID_PARAM, OUT_OF_RANGE}              mode is not exactly one of XIP and COPY
 *   {INVALID_PARAM, INVALID_PTR}               hdl NULL, RAM misaligned or over the image
 *   {INVALID_PARAM, INVALID_SIZE}              ram_size too small
 *   {ALLOCATION_FAILED, INVALID_SIZE}          AI_RELOC_MALLOC returned NULL
 */
ai_error ai_rel_network_load_and_create(const void *obj, ai_handle ram_addr, ai_size ram_size,
                                        uint32_t mode, ai_handle *hdl);

/*
 * Destroys an instance and frees its RAM if it was allocated. Returns AI_HANDLE_NULL, or hdl if
 * nothing was done because hdl is not an instance, it is in use, or the image refused.
 */
ai_handle ai_rel_network_destroy(ai_handle hdl);

/*
 * For an instance whose init, run, register or unregister will not return because it faulted or its
 * task was killed. Afterwards only ai_rel_network_destroy accepts the instance, and this function
 * again, even if that call should return; destroy frees the memory without calling the image. Call
 * this where the image is known to run no more (a fault handler has to make sure that it does not
 * return into it). Returns ai_false if hdl is not an instance or is not in use.
 */
ai_bool ai_rel_network_abort(ai_handle hdl);

/*
 * Completes an instance: weights and act point to arrays of addresses, one per buffer of the model
 * (usually one each). Returns ai_false if hdl is not an instance or is in use, if the activations
 * lie in the instance's own RAM or in the code that it runs, or if the image refused
 * (ai_rel_network_get_error tells why). May be called again with other addresses.
 */
ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle *weights, const ai_handle *act);

/*
 * Runs the model on input[n_inputs] and output[n_outputs], as ai_rel_network_get_report describes
 * them. Returns the number of batches done. 0 or less is an error (see ai_rel_network_get_error); 0
 * is also returned if hdl is not an instance or is in use.
 */
ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer *input, ai_buffer *output);

/*
 * Describes an instance, after ai_rel_network_init. The report has the layout of the headers that
 * this file was compiled with, whatever layout the image has. Returns ai_false if hdl is not an
 * instance, if report is NULL (*report is untouched), or if the image refused. Both names are one
 * function.
 */
ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report *report);
ai_bool ai_rel_network_get_info(ai_handle hdl, ai_network_report *report);

/*
 * The first error that the model reported since the last call, or the one with which
 * ai_rel_network_load_and_create failed; {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR} if
 * hdl is neither an instance nor left by such a failure.
 */
ai_error ai_rel_network_get_error(ai_handle hdl);

/* ---- observer: one call-back per instance ---- */

/*
 * Calls cb(cookie, event flags, node) for the events in flags (AI_OBSERVER_INIT_EVT, _PRE_EVT,
 * _POST_EVT) from within init and run, with the firmware's r9. Returns ai_false if hdl is not an
 * instance or is in use, if cb is NULL, or if a call-back is already registered.
 */
ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags);
/*
 * Returns ai_false if hdl is not an instance or is in use, or if no call-back is registered. There
 * is at most one, so cb and cookie are ignored, as in the vendor's loader.
 */
ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb cb,
                                            ai_handle cookie);
/* Describes the node at index node_info->c_idx; ai_false past the last node. Call it after init. */
ai_bool ai_rel_platform_observer_node_info(ai_handle hdl, ai_observer_node *node_info);

/* ---- additions of this loader: known size, distinct codes ---- */

/*
 * The codes that the functions below return: 0, or a negative AI_RELOC_E_*. reloc_errors.def lists
 * them with a text for each. (The application may have an X of its own.)
 */
#pragma push_macro("X")
#undef X
enum ai_reloc_code {
    AI_RELOC_E_NONE = 0,
#define X(name, value, text) AI_RELOC_E_##name = value,
#include "format/reloc_errors.def"
#undef X
};
#pragma pop_macro("X")

/*
 * Checks a whole file of size bytes at obj: every offset, word and string, and the integrity
 * trailer if there is one. Reads only. Only a load finds a word that REL lists twice. A size that
 * leads out of the address space is AI_RELOC_E_OBJECT, as for all functions with a size. Returns 0
 * or AI_RELOC_E_OBJECT to AI_RELOC_E_NO_TRAILER, or AI_RELOC_E_TABLES.
 */
int32_t ai_rel_network_check(const void *obj, ai_size size);

/* Like ai_rel_network_check for obj and the weights_size bytes of weights that belong to it. */
int32_t ai_rel_network_check_weights(const void *obj, ai_size size, const void *weights,
                                     ai_size weights_size);

/*
 * Like ai_rel_network_rt_get_info, after ai_rel_network_check; AI_RELOC_E_ARGUMENT if rt is NULL.
 */
int32_t ai_rel_network_rt_get_info_sized(const void *obj, ai_size size, ai_rel_network_info *rt);

/* A function or variable of the firmware that images may import by name. */
typedef struct ai_rel_import_s {
    const char *name;
    uint32_t version;    /* what an image asks for has to be the same, or 0 */
    const void *address; /* for a function: with its Thumb bit, as in C */
} ai_rel_import;

/* What `relocpack exports` writes as C, for imports and import_count below. */
extern const ai_rel_import relocpack_exports[];
extern const uint32_t relocpack_export_count;

/*
 * Arguments of ai_rel_network_load_and_create, the size, and symbols. Initialise it as a whole (as
 * in `= {.obj = image, ...}` or `= {0}`), so that members that are not named, including those of
 * later versions, are 0.
 */
typedef struct ai_rel_network_load_args_s {
    const void *obj;
    ai_size obj_size; /* bytes at obj */
    ai_handle ram_addr;
    ai_size ram_size;
    uint32_t mode;
    const ai_rel_import *imports; /* import_count rows, read during the call only; may be NULL */
    uint32_t import_count;
    const char **refused_import; /* NULL, or gets the name of the import that is not met, in obj;
                                    NULL when that was not the reason */
} ai_rel_network_load_args;

/*
 * Like ai_rel_network_load_and_create, after ai_rel_network_check. Returns 0 or any AI_RELOC_E_*;
 * then *hdl is NULL.
 * If error is not NULL, it receives what ai_rel_network_load_and_create would have returned: with
 * AI_RELOC_E_CREATE, _IMPORT and _IMPORT_VERSION that is the image's own error. An image with
 * imports can be loaded only with this function and a table (AI_RELOC_E_CREATE without one). Do not
 * pass a table with images of other packagers: their create receives it as its config, which they
 * expect to be NULL.
 */
int32_t ai_rel_network_load_and_create_sized(const ai_rel_network_load_args *args, ai_handle *hdl,
                                             ai_error *error);

/* ---- signed images: only with the setting AI_RELOC_SIGNED ---- */

/*
 * Like ai_rel_network_load_and_create_sized; *info, if it is not NULL, receives what the signature
 * says, when the image itself is what failed or nothing did. With the setting, every function that
 * loads verifies the image first and returns AI_RELOC_E_NO_TRAILER or AI_RELOC_E_UNSIGNED to
 * AI_RELOC_E_VERIFIER; the documented function {AI_ERROR_INVALID_HANDLE,
 * AI_ERROR_CODE_INVALID_PTR}. The RAM is cleared then.
 */
int32_t ai_rel_network_load_signed(const ai_rel_network_load_args *args, ai_handle *hdl,
                                   ai_error *error, ai_reloc_signed_info *info);

/*
 * Verifies an image where it lies, with its weights: those in the file always, those apart if
 * weights, of weights_size bytes, is not NULL. An image whose weights are apart needs them
 * (AI_RELOC_E_SIGNED_WEIGHTS without). *info is written only on success; it may be NULL.
 */
int32_t ai_rel_network_verify(const void *obj, ai_size size, const void *weights,
                              ai_size weights_size, ai_reloc_signed_info *info);

/*
 * Raises the device's security counter to the image's, if that is higher: images with a lower one
 * are refused from then on. To be called after the first good run, never before.
 */
int32_t ai_rel_network_commit(const ai_reloc_signed_info *info);

/*
 * Verifies an image while it arrives: begin, update with the file's bytes in order, in pieces of
 * any size, then end. Returns 0 or a code; after a failure every call returns the same one, until
 * begin. Only after end has returned 0 is the image one that a load would accept, if
 * ai_rel_network_check finds it whole where it was written. info may be NULL.
 */
int32_t ai_reloc_check_begin(ai_reloc_check *check);
int32_t ai_reloc_check_update(ai_reloc_check *check, const void *bytes, ai_size size);
int32_t ai_reloc_check_end(ai_reloc_check *check, ai_reloc_signed_info *info);

/* The same for weights in a file of their own, after ai_reloc_check_end with the same check. */
int32_t ai_reloc_check_weights_begin(ai_reloc_check *check);
int32_t ai_reloc_check_weights_update(ai_reloc_check *check, const void *bytes, ai_size size);
int32_t ai_reloc_check_weights_end(ai_reloc_check *check);

#ifdef __cplusplus
}
#endif

/* With the vendor's types, helpers for tensors are in the vendor's core_private.h. */
#ifndef AI_PLATFORM_H
#include "ai_reloc_tensor.h"
#endif
#include "ai_reloc_signature.h"

#endif
