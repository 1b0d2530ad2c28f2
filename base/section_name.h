/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges the name of an ELF section. In: a name. Out: can a linker script have it as a pattern, and
 * does it say what the section is for?
 */
#ifndef RP_BASE_SECTION_NAME_H
#define RP_BASE_SECTION_NAME_H

#include <stdbool.h>

/* Does it have only letters, digits and "._$", which are not wildcards or syntax for a linker? */
bool rp_section_name_is_plain(const char *name);
/*
 * Did the code's author choose the name (".sdram", "ExternalFlashSection")? Names of compilers, the
 * C library and relocpack's linker scripts say what a section is for; such a name does not.
 */
bool rp_section_name_is_free(const char *name);

#endif
