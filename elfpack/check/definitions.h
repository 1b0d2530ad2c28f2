/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the definition of each name by the rules of ELF (System V ABI, "Symbol Table" and "Section
 * Groups"), without asking the linker. The linked file's symbol table has to agree. A step of
 * rp_link_inputs_open.
 */
#ifndef RP_ELFPACK_CHECK_DEFINITIONS_H
#define RP_ELFPACK_CHECK_DEFINITIONS_H

#include "elfpack/check/link_inputs.h"

/* What a symbol refers to. */
enum rp_referent_kind {
    RP_REF_SECTION,   /* in an input section */
    RP_REF_NUMBER,    /* absolute */
    RP_REF_LINKER,    /* an address that the linker script or the linker defines, or COMMON */
    RP_REF_NULL,      /* weak, and defined nowhere */
    RP_REF_DISCARDED, /* in a section that the linker discarded */
    RP_REF_UNDEFINED
};

struct rp_referent {
    enum rp_referent_kind kind;
    const char *name;
    uint32_t address; /* S, as linked */
    bool thumb;       /* T */
    const struct rp_input_section *section;
    uint32_t offset; /* in section */
    bool is_section; /* it is a section symbol */
    const struct rp_symbol *symbol;
};

/*
 * Fills inputs->definitions and inputs->symbols. RP_E_LINK_CHECK: the linked file has other
 * definitions. RP_E_RESERVED: an object defines a name of the linker script.
 */
bool rp_definitions_find(struct rp_link_inputs *inputs, struct rp_error *err);
/* Finds what a symbol of the object refers to. RP_E_LINK_CHECK: this cannot be determined. */
bool rp_definitions_resolve(const struct rp_link_inputs *inputs,
                            const struct rp_input_object *object, uint32_t symbol,
                            struct rp_referent *out, struct rp_error *err);
/* Does the linked file have a symbol of that name? */
bool rp_definitions_is_linked(const struct rp_link_inputs *inputs, const char *name);

#endif
