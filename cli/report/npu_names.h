/* SPDX-License-Identifier: Apache-2.0 */
/* Names of flags in Neural-ART images, for reports and `inspect`. */
#ifndef RP_CLI_REPORT_NPU_NAMES_H
#define RP_CLI_REPORT_NPU_NAMES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"

/* "Embedded ARM GCC" … for the toolchain in a flags word. */
const char *rp_toolchain_name(uint32_t flags);
/* "RELOC.PARAM.0.RCACHED", as the vendor's tools write it. */
const char *rp_pool_flags_text(struct rp_arena *arena, uint32_t flags);
/* Adds the same to a pool's object, as members flags, type, data, attr and id. */
void rp_pool_json(struct rp_json *pool, uint32_t flags);

#endif
