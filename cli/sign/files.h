/* SPDX-License-Identifier: Apache-2.0 */
/* Key files and passphrases, as the commands name them. */
#ifndef RP_CLI_SIGN_FILES_H
#define RP_CLI_SIGN_FILES_H

#include "elfpack/image/keys.h"

/*
 * Reads a private key. passphrase_file: where the passphrase of an encrypted one is, "-" for the
 * standard input, NULL to ask on the terminal. RP_E_KEY, RP_E_INPUT, RP_E_INTERRUPTED.
 */
struct rp_key *rp_private_key(struct rp_arena *arena, const char *path, const char *passphrase_file,
                              struct rp_error *err);
struct rp_key *rp_public_key(struct rp_arena *arena, const char *path, struct rp_error *err);
/* The passphrase for a new key; from the terminal it is asked for twice. NULL with an error. */
const char *rp_new_passphrase(struct rp_arena *arena, const char *passphrase_file,
                              struct rp_error *err);

/* A whole number of 32 bits, decimal; false: it is none. */
bool rp_read_u32(const char *text, uint32_t *number);

#endif
