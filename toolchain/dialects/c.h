/* SPDX-License-Identifier: Apache-2.0 */
/* Self-contained C or C++, whoever wrote it. */
#ifndef RP_TOOLCHAIN_DIALECTS_C_H
#define RP_TOOLCHAIN_DIALECTS_C_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_c;

/* Is it a source of C++, by its name? */
bool rp_c_is_cplusplus(const char *path);

#endif
