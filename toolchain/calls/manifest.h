/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON manifest of plain C functions: docs/CLI.md, "Manifest". */
#ifndef RP_TOOLCHAIN_CALLS_MANIFEST_H
#define RP_TOOLCHAIN_CALLS_MANIFEST_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/model.h"

/* Reads the file into the model. RP_E_MANIFEST. */
bool rp_manifest_load(struct rp_model *model, struct rp_arena *arena, const char *path,
                      struct rp_error *err);

#endif
