/* SPDX-License-Identifier: Apache-2.0 */
/* A signature that another program makes, so that the private key never is in a file here. */
#ifndef RP_CLI_SIGN_SIGNER_H
#define RP_CLI_SIGN_SIGNER_H

#include "elfpack/image/keys.h"

struct rp_signer {
    const char *command;             /* words with {input}, {digest} and {output} */
    const struct rp_strings *passed; /* variables of the environment that are handed on */
    const struct rp_key *key;        /* the public one */
    const struct rp_buf *bytes;      /* to be signed */
};

/*
 * Runs the program once. It finds the bytes to be signed in the file {input}, or their SHA-256 in
 * {digest}, and writes the signature to {output}. RP_E_USAGE, RP_E_TOOL_MISSING, RP_E_SIGNER when
 * it fails or its signature does not hold for the public key, RP_E_SYSTEM, RP_E_INTERRUPTED.
 */
bool rp_signer_sign(struct rp_arena *arena, const struct rp_signer *signer,
                    uint8_t signature[RELOC_SIG_VALUE_BYTES], struct rp_error *err);

#endif
