/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys and signatures; keys.c is the only user of OpenSSL's libcrypto. Ed25519 (RFC 8032) and ECDSA
 * with P-256 and SHA-256 (FIPS 186-5). Private keys are PEM files of PKCS #8,
 * encrypted or not, or of SEC 1 for P-256; public keys are PEM files of SubjectPublicKeyInfo.
 */
#ifndef RP_ELFPACK_IMAGE_KEYS_H
#define RP_ELFPACK_IMAGE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "runtime/format/reloc_signed.h"

/* A key that was read or made; free it with rp_key_free. */
struct rp_key;

/* A kind of key and of the signatures that it makes. */
struct rp_key_kind {
    const char *name;  /* as for --type */
    const char *shown; /* for messages */
    uint32_t type;     /* enum reloc_signature_type */
};
/* By position, NULL past the end. */
const struct rp_key_kind *rp_key_kind_at(size_t index);
/* By the type of a signature, or NULL. */
const struct rp_key_kind *rp_key_kind_of(uint32_t type);

/*
 * Asks for the passphrase of the key file at path: copies at most room bytes to out and returns
 * their number, or -1 with an error.
 */
struct rp_passphrase {
    int (*read)(void *context, const char *path, char *out, size_t room, struct rp_error *err);
    void *context;
};
enum { RP_PASSPHRASE_MAX = 1024 };

/* Makes a new key. RP_E_SYSTEM: libcrypto failed. RP_E_KEY: it made a key that it cannot export. */
struct rp_key *rp_key_make(const struct rp_key_kind *kind, struct rp_error *err);
/*
 * Reads a key from size bytes, the text of a file. path is for messages. RP_E_KEY: it is not such a
 * PEM text, the passphrase is wrong, or the kind of key is not supported. A passphrase that cannot
 * be read gives the error of passphrase->read.
 */
struct rp_key *rp_key_read_private(const void *text, size_t size, const char *path,
                                   const struct rp_passphrase *passphrase, struct rp_error *err);
struct rp_key *rp_key_read_public(const void *text, size_t size, const char *path,
                                  struct rp_error *err);
void rp_key_free(struct rp_key *key);

/*
 * Appends the PEM text of the key; passphrase NULL: not encrypted. RP_E_SYSTEM: libcrypto failed.
 */
bool rp_key_write_private(const struct rp_key *key, const char *passphrase, struct rp_buf *out,
                          struct rp_error *err);
bool rp_key_write_public(const struct rp_key *key, struct rp_buf *out, struct rp_error *err);
const struct rp_key_kind *rp_key_kind(const struct rp_key *key);
/* SHA-256 of the DER SubjectPublicKeyInfo: named curve, point not compressed. */
const uint8_t *rp_key_hash(const struct rp_key *key);

/* Signs size bytes with a private key. RP_E_SYSTEM: libcrypto failed. */
bool rp_key_sign(const struct rp_key *key, const void *bytes, size_t size,
                 uint8_t signature[RELOC_SIG_VALUE_BYTES], struct rp_error *err);
/* Is the signature over these bytes valid? */
bool rp_key_verify(const struct rp_key *key, const void *bytes, size_t size,
                   const uint8_t signature[RELOC_SIG_VALUE_BYTES]);
/*
 * Accepts a signature that another program made: its 64 bytes or, for ECDSA, DER as OpenSSL writes
 * it. false when it is neither.
 */
bool rp_signature_take(const struct rp_key_kind *kind, const void *bytes, size_t size,
                       uint8_t signature[RELOC_SIG_VALUE_BYTES]);

#endif
