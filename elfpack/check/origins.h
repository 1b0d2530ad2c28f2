/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the placement of each section in the map. Names suffice, unless an object has several
 * sections, or an archive several members, of the same name: then the symbol for which the linker
 * took a member, symbols of the linked file, references and contents decide. Later checks find a
 * wrong choice.
 */
#ifndef RP_ELFPACK_CHECK_ORIGINS_H
#define RP_ELFPACK_CHECK_ORIGINS_H

#include <stdbool.h>

#include "base/error.h"
#include "elfpack/check/link_inputs.h"

/* Fills inputs->origins. */
void rp_origins_sort(struct rp_link_inputs *inputs);
/*
 * Keeps only the members that were linked, in the order in which the linker took them. *moved: the
 * list of objects has changed. RP_E_LINK_CHECK: no member fits the map.
 */
bool rp_origins_choose(struct rp_link_inputs *inputs, bool *moved, struct rp_error *err);
/*
 * For a member with a namesake: does a symbol of the linked file, or a reference, show that the
 * section was placed?
 */
bool rp_origins_need(const struct rp_link_inputs *inputs, const struct rp_input_section *input);
/* The best placement that no section has taken yet, or NULL. needed: prefer placed to discarded. */
struct rp_placed *rp_origins_find(const struct rp_link_inputs *inputs,
                                  const struct rp_input_section *input, bool needed);

#endif
