/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that are not what this tool packages, and what their owner can do with them. */
#ifndef RP_TOOLCHAIN_DIALECTS_FOREIGN_H
#define RP_TOOLCHAIN_DIALECTS_FOREIGN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file.h"

/*
 * A model file of a training framework, by its first bytes and the end of its name: RP_E_DIALECT
 * says what it is and how it becomes C. true: it is no such file.
 */
bool rp_check_foreign(const char *path, const struct rp_bytes *file, struct rp_error *err);

/* Does the text declare something that only C++ has, outside comments and strings? */
bool rp_is_cplusplus_text(const char *text);

#endif
