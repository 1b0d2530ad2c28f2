/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which placement of the map is which section's. Names tell, but for sections of one name in one
 * object and for archives with several members of one name: there the symbol for which the linker
 * took a member, symbols of the linked file, references and contents tell. A wrong choice is found
 * by the checks that follow.
 */
#ifndef RP_ELFPACK_ORIGINS_H
#define RP_ELFPACK_ORIGINS_H

#include <stdbool.h>

#include "base/error.h"
#include "elfpack/link_inputs.h"

/* Fills inputs->origins. */
void rp_origins_sort(struct rp_link_inputs *inputs);
/*
 * Leaves the members that were linked, in the order in which the linker took them. *moved: the list
 * of objects has changed. RP_E_LINK_CHECK: no member fits what the map says.
 */
bool rp_origins_choose(struct rp_link_inputs *inputs, bool *moved, struct rp_error *err);
/* Of a member that has a twin: was it placed, by a symbol of the linked file or a reference? */
bool rp_origins_need(const struct rp_link_inputs *inputs, const struct rp_input_section *input);
/* The placement that is not taken and fits best, or NULL. needed: placed rather than discarded. */
struct rp_placed *rp_origins_find(const struct rp_link_inputs *inputs,
                                  const struct rp_input_section *input, bool needed);

#endif
