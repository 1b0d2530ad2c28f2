/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the placement of each section in the map. Names suffice, except for sections of one name in
 * one object and for archives with several members of one name: there the symbol for which the
 * linker took a member, symbols of the linked file, references and contents decide. The checks that
 * follow find a wrong choice.
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
 * list of objects has changed. RP_E_LINK_CHECK: no member fits what the map says.
 */
bool rp_origins_choose(struct rp_link_inputs *inputs, bool *moved, struct rp_error *err);
/*
 * For a member that has a twin: does a symbol of the linked file, or a reference, show that the
 * section was placed?
 */
bool rp_origins_need(const struct rp_link_inputs *inputs, const struct rp_input_section *input);
/* The best placement that is not taken yet, or NULL. needed: prefer placed to discarded. */
struct rp_placed *rp_origins_find(const struct rp_link_inputs *inputs,
                                  const struct rp_input_section *input, bool needed);

#endif
