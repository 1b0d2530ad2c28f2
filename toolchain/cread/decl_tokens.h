/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of one declaration, before its declarators are read. */
#ifndef RP_TOOLCHAIN_CREAD_DECL_TOKENS_H
#define RP_TOOLCHAIN_CREAD_DECL_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "toolchain/cread/source.h"

/* The index of the parenthesis that closes the one at open; 0: none does. */
size_t rp_decl_closing(const struct rp_ctokens *decl, size_t open);
/* The index of the ( that opens the parameters: that of "name (" in a declarator; 0 for none. */
size_t rp_decl_params(const struct rp_ctokens *decl);
/* "enum", attributes, a tag, ": int": do constants follow the { that was just read? */
bool rp_decl_opens_enum(const struct rp_ctokens *decl);
/*
 * "void (f)(int)" is "void f(int)": the parentheses keep a macro f from being expanded. Drops them
 * when the next ( has been read.
 */
void rp_decl_drop_parentheses(struct rp_ctokens *decl);

#endif
