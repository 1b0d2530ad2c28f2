/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens what the linker was given and finds where it went: each section of an object was placed or
 * discarded, as the map says, and each name has its definition. Of the linked file, this looks at
 * the symbol table; at bytes only to tell sections of one name apart.
 */
#ifndef RP_ELFPACK_CHECK_LINK_OPEN_H
#define RP_ELFPACK_CHECK_LINK_OPEN_H

#include "elfpack/check/link_inputs.h"

/*
 * RP_E_LINK_CHECK: what was linked, or the map, is not what it has to be; RP_E_RESERVED: an object
 * defines a name of the linker script or has a section that only the linker makes. Close with
 * rp_link_inputs_close, also after an error.
 */
bool rp_link_inputs_open(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err);

#endif
