/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which definition a name stands for, by the rules of ELF (System V ABI, "Symbol Table" and
 * "Section Groups") and not by what the linker says: a step of rp_link_inputs_open. The linked
 * file's symbol table has to agree.
 */
#ifndef RP_ELFPACK_DEFINITIONS_H
#define RP_ELFPACK_DEFINITIONS_H

#include "elfpack/link_inputs.h"

/* RP_E_LINK_CHECK, RP_E_RESERVED. */
bool rp_definitions_find(struct rp_link_inputs *inputs, struct rp_error *err);

#endif
