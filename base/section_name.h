/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the name of an ELF section says. In: a name. Out: may it be written as a pattern in a linker
 * script, and does it say what the section is for?
 */
#ifndef RP_BASE_SECTION_NAME_H
#define RP_BASE_SECTION_NAME_H

#include <stdbool.h>

/* Only letters, digits and "._$": no linker takes it for a wildcard or for syntax. */
bool rp_section_name_is_plain(const char *name);
/*
 * Is the name one that an author chose (".sdram", "ExternalFlashSection")? Those of compilers, of
 * the C library and of our linker scripts say what a section is for; this one does not.
 */
bool rp_section_name_is_free(const char *name);

#endif
