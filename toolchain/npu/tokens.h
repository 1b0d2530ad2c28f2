/* SPDX-License-Identifier: Apache-2.0 */
/* Moving through generated C, token by token, declaration by declaration. */
#ifndef RP_TOOLCHAIN_NPU_TOKENS_H
#define RP_TOOLCHAIN_NPU_TOKENS_H

#include "toolchain/npu/reader.h"

/* Moves to the next token of code; comments and directives on the way are taken in. */
bool rp_aton_advance(struct rp_aton_reader *reader);
/*
 * Reads into head up to, not including, the ; = { or } that ends a declaration or statement; that
 * is then the current token (or RP_CTOKEN_END).
 */
bool rp_aton_read_head(struct rp_aton_reader *reader);
/* The token of head in front of the first [ or (; NULL when there is none. */
const struct rp_ctoken *rp_aton_head_name(const struct rp_aton_reader *reader, const char *open);
bool rp_aton_head_has(const struct rp_aton_reader *reader, const char *word);
/*
 * Passes over { … } from its opening brace on, to the token behind. The words that are called, f (,
 * are given to see when it is not NULL.
 */
bool rp_aton_skip_braces(struct rp_aton_reader *reader,
                         void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *word));
/* Passes over an initialiser, from behind the = to behind the ;. */
bool rp_aton_skip_initializer(struct rp_aton_reader *reader);

#endif
