/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this project's ll_aton_reloc_network.c offers beyond the API of the pack's
 * ll_aton_reloc_network.h: known sizes, distinct codes, and an allow-list of pool destinations. A
 * firmware compiles this project's ll_aton_reloc_network.c in place of the pack's file of that
 * name, and includes the pack's header or this one. docs/TARGET.md explains modes, memory, caches
 * and the settings (ll_aton_reloc_port.h).
 */
#ifndef LL_ATON_RELOC_LOADER_H
#define LL_ATON_RELOC_LOADER_H

#ifdef LL_ATON_RELOC_CONFIG
#include LL_ATON_RELOC_CONFIG
#endif

#include <stddef.h>
#include <stdint.h>

#include "ai_reloc_verify.h"
#include "ll_aton_lib.h"
#include "ll_aton_reloc_network.h"
#include "ll_aton_version.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The codes that the functions below return: 0, or a negative LL_ATON_RELOC_E_*. reloc_errors.def
 * lists them with a text for each. (The application may have an X of its own.)
 */
#pragma push_macro("X")
#undef X
enum ll_aton_reloc_code {
    LL_ATON_RELOC_E_NONE = 0,
#define X(name, value, text) LL_ATON_RELOC_E_##name = value,
#include "format/reloc_errors.def"
#undef X
};
#pragma pop_macro("X")

/*
 * Checks a whole file of size bytes at image: every offset, word, string and pool, the params in
 * it, and the integrity trailer if there is one. Reads only. Returns 0 or LL_ATON_RELOC_E_OBJECT
 * (NULL, not a multiple of 4, or a size that leads out of the address space, such as that of a
 * failed ftell) to LL_ATON_RELOC_E_NO_TRAILER, or LL_ATON_RELOC_E_POOLS to
 * LL_ATON_RELOC_E_PARAMS_CRC.
 */
int ll_aton_reloc_check(const void *image, uint32_t size);

/*
 * Like ll_aton_reloc_check for image and the params_size bytes of params that belong to it. Also
 * returns LL_ATON_RELOC_E_ARGUMENT if params is NULL, and LL_ATON_RELOC_E_OBJECT as for the image.
 */
int ll_aton_reloc_check_params(const void *image, uint32_t size, const void *params,
                               uint32_t params_size);

/*
 * Like ll_aton_reloc_get_info, after ll_aton_reloc_check; LL_ATON_RELOC_E_ARGUMENT if rt is NULL.
 */
int32_t ll_aton_reloc_get_info_sized(uintptr_t file_ptr, uint32_t file_size,
                                     ll_aton_reloc_info *rt);

/* Memory that the firmware gives to models. A row of size 0 ends a table. */
typedef struct ll_aton_reloc_region_s {
    uintptr_t address;
    uint32_t size;
} ll_aton_reloc_region;

/*
 * The firmware's own table, if the setting LL_ATON_RELOC_REGIONS names one: pools at fixed
 * addresses, of any image and through any function, must lie in one of its rows. Without it they
 * must lie in the NPU's memories of the STM32N6 (AXISRAM3 to 6) or in config->ext_ram_addr; the
 * macro AI_NAME_RELOC_REGIONS of an image's NAME_rel.h has the rows that the image needs. With
 * LL_ATON_RELOC_ANY_REGION they may lie anywhere but over memory that the loader and the call use
 * (docs/TARGET.md).
 */
#ifdef LL_ATON_RELOC_REGIONS
extern const ll_aton_reloc_region LL_ATON_RELOC_REGIONS[];
#endif

/*
 * Arguments of ll_aton_reloc_install_sized; members that are 0 or NULL act as in
 * ll_aton_reloc_install.
 */
typedef struct ll_aton_reloc_install_args_s {
    uintptr_t file_ptr;
    uint32_t file_size; /* bytes at file_ptr, including params in the file and the trailer */
    const ll_aton_reloc_config *config;
    uint32_t params_size; /* bytes at config->ext_param_addr, if set, with the trailer */
    const ll_aton_reloc_region *regions;            /* replaces the table above; NULL: that table */
    uint32_t region_count;                          /* maximum number of rows of regions */
    const struct ll_aton_reloc_callback *callbacks; /* NULL: the default table */
} ll_aton_reloc_install_args;

/*
 * Like ll_aton_reloc_install, after ll_aton_reloc_check and ll_aton_reloc_check_params. Everything
 * is checked before the first write: on failure pools and *nn_instance are unchanged, and so is the
 * RAM, unless the image lists a word twice in REL or was changed meanwhile (LL_ATON_RELOC_E_CRC,
 * _GOT_WORD, _REL_ENTRY, _REL_WORD). Nothing is kept outside the instance (except the value of
 * LL_ATON_RELOC_FIRMWARE_R9), so several instances may be installed and used at the same time. The
 * image, external params, RAM and the call-back table must stay while the instance is in use.
 * Returns 0 or any LL_ATON_RELOC_E_*.
 */
int32_t ll_aton_reloc_install_sized(const ll_aton_reloc_install_args *args,
                                    NN_Instance_TypeDef *nn_instance);

/* ---- signed images: only with the setting LL_ATON_RELOC_SIGNED ---- */

/*
 * Like ll_aton_reloc_install_sized; *info, if it is not NULL, receives what the signature says.
 * With the setting, every function that installs verifies the image, and the params that it will
 * use, before a pool is written, and returns LL_ATON_RELOC_E_NO_TRAILER or LL_ATON_RELOC_E_UNSIGNED
 * to LL_ATON_RELOC_E_VERIFIER; the documented function AI_RELOC_RT_ERR_INVALID_BIN. The RAM is
 * cleared then.
 */
int32_t ll_aton_reloc_install_signed(const ll_aton_reloc_install_args *args,
                                     NN_Instance_TypeDef *nn_instance, ai_reloc_signed_info *info);

/* Verifies an image where it lies, with its params: as ai_rel_network_verify. */
int32_t ll_aton_reloc_verify(const void *image, uint32_t size, const void *params,
                             uint32_t params_size, ai_reloc_signed_info *info);

/* Raises the device's security counter, after the first good run: as ai_rel_network_commit. */
int32_t ll_aton_reloc_commit(const ai_reloc_signed_info *info);

/* Verify an image, then params in a file of their own, while they arrive: as ai_reloc_check_*. */
int32_t ll_aton_reloc_check_begin(ai_reloc_check *check);
int32_t ll_aton_reloc_check_update(ai_reloc_check *check, const void *bytes, uint32_t size);
int32_t ll_aton_reloc_check_end(ai_reloc_check *check, ai_reloc_signed_info *info);
int32_t ll_aton_reloc_check_params_begin(ai_reloc_check *check);
int32_t ll_aton_reloc_check_params_update(ai_reloc_check *check, const void *bytes, uint32_t size);
int32_t ll_aton_reloc_check_params_end(ai_reloc_check *check);

/*
 * What the documented functions return for a code: AI_RELOC_RT_ERR_*, or
 * LL_ATON_RELOC_E_POOL_REGION itself, since the packs' loaders have no such refusal.
 */
int ll_aton_reloc_error_of(int32_t code);

/* Also defined by the packs' loaders, but not declared by any header of theirs. */
const EpochBlock_ItemTypeDef *ll_aton_reloc_get_epoch_items(const NN_Instance_TypeDef *nn_instance);

#ifdef __cplusplus
}
#endif

#endif
