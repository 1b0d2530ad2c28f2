/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From culprits to a message that a firmware engineer can act on: symbol, section, archive member,
 * and the chain of callers that brought the code in.
 */
#ifndef RP_ELFPACK_CULPRIT_H
#define RP_ELFPACK_CULPRIT_H

#include "base/buf.h"
#include "elfpack/layout.h"

/* Fails with the error that fits the gravest culprit; always returns false. */
bool rp_culprits_fail(const struct rp_layout *layout, struct rp_arena *arena,
                      const struct rp_linkmap *map, struct rp_error *err);
/* ", called by g (x.a(b.o)) <- entry (model.c)": how the user's code gets to what is at addr. */
void rp_culprit_put_callers(struct rp_buf *out, struct rp_arena *arena,
                            const struct rp_layout *layout, const struct rp_linkmap *map,
                            uint32_t addr);
/* The function or object that covers addr: the closest one at or before it, or NULL. */
const struct rp_symbol *rp_symbol_at(const struct rp_elf *elf, uint32_t addr);

#endif
