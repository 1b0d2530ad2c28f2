/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of a weights or params file (rp_is_weights_file). */
#ifndef RP_CLI_INSPECT_WEIGHTS_H
#define RP_CLI_INSPECT_WEIGHTS_H

#include "base/arena.h"
#include "elfpack/image/reader.h"

/* Fails with RP_E_INTEGRITY when the file is damaged. */
bool rp_inspect_weights(struct rp_arena *arena, const struct rp_mapped *file, bool json,
                        struct rp_error *err);

#endif
