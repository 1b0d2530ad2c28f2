/* SPDX-License-Identifier: Apache-2.0 */
/* Moving through generated C, token by token, declaration by declaration. */
#ifndef RP_TOOLCHAIN_NPU_TOKENS_H
#define RP_TOOLCHAIN_NPU_TOKENS_H

#include "toolchain/npu/reader.h"

/* Moves to the next token of code, and takes in the comments and directives on the way. */
bool rp_aton_advance(struct rp_aton_reader *reader);
/*
 * Reads a declaration or statement into head, up to the ; = { or } that ends it, which becomes the
 * current token (or RP_CTOKEN_END).
 */
bool rp_aton_read_head(struct rp_aton_reader *reader);
/* The token of head before the first open, which is "[" or "("; NULL: there is none. */
const struct rp_ctoken *rp_aton_head_name(const struct rp_aton_reader *reader, const char *open);
bool rp_aton_head_has(const struct rp_aton_reader *reader, const char *word);
/* Is it extern "C", whose braces hold declarations? */
bool rp_aton_head_is_linkage(const struct rp_aton_reader *reader);
/*
 * Passes over { … }, from its opening brace to the token after it. see, if not NULL, gets the words
 * that are called, as in f (.
 */
bool rp_aton_skip_braces(struct rp_aton_reader *reader,
                         void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *word));
/* Passes over an initialiser, from after the = to after the ;. */
bool rp_aton_skip_initializer(struct rp_aton_reader *reader);

#endif
