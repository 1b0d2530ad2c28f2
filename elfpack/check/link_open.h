/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens what was linked and finds where it went: each section of an object was placed or discarded
 * according to the map, and each name has its definition. From the linked file, this uses the
 * symbol table, and bytes only to tell sections of the same name apart.
 */
#ifndef RP_ELFPACK_CHECK_LINK_OPEN_H
#define RP_ELFPACK_CHECK_LINK_OPEN_H

#include "elfpack/check/link_inputs.h"

/*
 * RP_E_LINK_CHECK: objects, map and linked file contradict each other. RP_E_RESERVED: an object
 * defines a name of the linker script or has a section that only the linker may make. RP_E_ELF,
 * RP_E_INPUT: a file cannot be read. Close with rp_link_inputs_close, even after an error.
 */
bool rp_link_inputs_open(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err);

#endif
