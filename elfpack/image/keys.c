/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and signatures, by means of libcrypto: see keys.h. */
#include "elfpack/image/keys.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "elfpack/image/integrity.h"

enum {
    COORDINATE_BYTES = 32, /* a coordinate of a point of P-256, or half a signature */
    SPKI_BYTES_MAX = 91,
    SALT_BYTES = 16,
    /* of PBKDF2 with HMAC-SHA-256, as OWASP's Password Storage Cheat Sheet of 2023 asks */
    ROUNDS = 600000
};

#define DAMAGED_HINT "restore it from your backup: no other key can take its place"

struct rp_key {
    EVP_PKEY *pkey;
    const struct rp_key_kind *kind;
    uint8_t hash[RELOC_SIG_KEY_HASH_BYTES];
};

static const struct rp_key_kind kinds[] = {
    {"ed25519", "Ed25519", RELOC_SIG_ED25519},
    {"p256", "ECDSA P-256", RELOC_SIG_ECDSA_P256},
};

const struct rp_key_kind *rp_key_kind_at(size_t index) {
    return index < sizeof kinds / sizeof kinds[0] ? &kinds[index] : NULL;
}

const struct rp_key_kind *rp_key_kind_of(uint32_t type) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

/* The reason that libcrypto gives. */
static const char *reason(void) {
    unsigned long code = ERR_peek_last_error();
    const char *text = code != 0 ? ERR_reason_error_string(code) : NULL;
    return text != NULL ? text : "it gives no reason";
}

static bool fail_crypto(struct rp_error *err, const char *what) {
    return rp_fail(err, RP_E_SYSTEM, "libcrypto cannot %s: %s", what, reason());
}

/* ---- the public key as SubjectPublicKeyInfo ---- */

/* A coordinate of a public key of P-256, big-endian. name: which, as libcrypto calls it. */
static bool get_coordinate(const EVP_PKEY *pkey, const char *name, uint8_t *out) {
    BIGNUM *number = NULL;
    bool ok = EVP_PKEY_get_bn_param(pkey, name, &number) == 1 &&
              BN_bn2binpad(number, out, COORDINATE_BYTES) == COORDINATE_BYTES;
    BN_free(number);
    return ok;
}

/*
 * Writes the SubjectPublicKeyInfo (RFC 8410 section 4, RFC 5480 section 2) and returns its size, or
 * 0. libcrypto would keep the form in which it read the key, and the hash must not depend on that.
 */
static size_t put_public(const struct rp_key *key, uint8_t out[SPKI_BYTES_MAX]) {
    static const uint8_t ed25519[] = {0x30, 0x2A, 0x30, 0x05, 0x06, 0x03,
                                      0x2B, 0x65, 0x70, 0x03, 0x21, 0x00};
    static const uint8_t p256[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48,
                                   0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
                                   0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
    if (key->kind->type == RELOC_SIG_ED25519) {
        size_t size = COORDINATE_BYTES;
        memcpy(out, ed25519, sizeof ed25519);
        return EVP_PKEY_get_raw_public_key(key->pkey, out + sizeof ed25519, &size) == 1 &&
                       size == COORDINATE_BYTES
                   ? sizeof ed25519 + size
                   : 0;
    }
    memcpy(out, p256, sizeof p256);
    return get_coordinate(key->pkey, OSSL_PKEY_PARAM_EC_PUB_X, out + sizeof p256) &&
                   get_coordinate(key->pkey, OSSL_PKEY_PARAM_EC_PUB_Y,
                                  out + sizeof p256 + COORDINATE_BYTES)
               ? sizeof p256 + 2 * (size_t)COORDINATE_BYTES
               : 0;
}

/* The kind of a key; NULL if it is not supported, and then name is what to call it. */
static const struct rp_key_kind *kind_of(const EVP_PKEY *pkey, char *name, size_t room) {
    const char *type = EVP_PKEY_get0_type_name(pkey);
    size_t len;
    if (EVP_PKEY_is_a(pkey, "ED25519"))
        return &kinds[0];
    snprintf(name, room, "%s", type != NULL ? type : "unknown");
    if (!EVP_PKEY_is_a(pkey, "EC"))
        return NULL;
    if (EVP_PKEY_get_group_name(pkey, name, room, &len) != 1)
        snprintf(name, room, "EC with explicit parameters");
    return strcmp(name, "prime256v1") == 0 || strcmp(name, "P-256") == 0 ? &kinds[1] : NULL;
}

/* Takes ownership of pkey, even when it fails. */
static struct rp_key *key_of(EVP_PKEY *pkey, const char *path, struct rp_error *err) {
    char name[64];
    uint8_t spki[SPKI_BYTES_MAX];
    struct rp_key *key = rp_heap(sizeof *key);
    *key = (struct rp_key){.pkey = pkey, .kind = kind_of(pkey, name, sizeof name)};
    size_t size = key->kind != NULL ? put_public(key, spki) : 0;
    if (key->kind == NULL) {
        rp_fail(err, RP_E_KEY, "'%s': the key is of the type %s", path, name);
        rp_hint(err, "keys are of the types Ed25519 and P-256; relocpack keygen makes them");
    } else if (size == 0) {
        rp_fail(err, RP_E_KEY, "'%s': the key has no public part: %s", path, reason());
    } else {
        struct rp_sum sum = rp_sum_bytes(spki, size);
        memcpy(key->hash, sum.sha256, sizeof key->hash);
        return key;
    }
    rp_key_free(key);
    return NULL;
}

void rp_key_free(struct rp_key *key) {
    if (key == NULL)
        return;
    EVP_PKEY_free(key->pkey);
    free(key);
}

const struct rp_key_kind *rp_key_kind(const struct rp_key *key) {
    return key->kind;
}

const uint8_t *rp_key_hash(const struct rp_key *key) {
    return key->hash;
}

struct rp_key *rp_key_make(const struct rp_key_kind *kind, struct rp_error *err) {
    ERR_clear_error();
    EVP_PKEY *pkey = kind->type == RELOC_SIG_ED25519 ? EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")
                                                     : EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    if (pkey == NULL) {
        fail_crypto(err, "make a key");
        return NULL;
    }
    return key_of(pkey, "new key", err);
}

/* ---- reading ---- */

struct passphrase_request {
    const struct rp_passphrase *passphrase;
    const char *path;
    bool asked;
    struct rp_error err;
};

/* Called by libcrypto for an encrypted key. */
static int give_passphrase(char *out, int room, int writing, void *context) {
    struct passphrase_request *request = context;
    (void)writing;
    request->asked = true;
    return request->passphrase->read(request->passphrase->context, request->path, out, (size_t)room,
                                     &request->err);
}

/* Is there a line "-----BEGIN ... NAME-----"? */
static bool has_label(const void *text, size_t size, const char *label) {
    struct rp_arena arena = {0};
    bool has = strstr(rp_strndup(&arena, text, size), label) != NULL;
    rp_arena_release(&arena);
    return has;
}

static void *refuse(struct rp_error *err, const char *path, const char *what, const char *hint) {
    rp_fail(err, RP_E_KEY, "'%s': %s", path, what);
    if (hint != NULL)
        rp_hint(err, "%s", hint);
    return NULL;
}

struct rp_key *rp_key_read_private(const void *text, size_t size, const char *path,
                                   const struct rp_passphrase *passphrase, struct rp_error *err) {
    struct passphrase_request request = {.passphrase = passphrase, .path = path};
    ERR_clear_error();
    BIO *bio = BIO_new_mem_buf(text, (int)size);
    if (bio == NULL)
        rp_out_of_memory();
    EVP_PKEY *pkey = PEM_read_bio_PrivateKey(bio, NULL, give_passphrase, &request);
    BIO_free(bio);
    /* A P-256 key file has both parts, and they might not belong together. One of Ed25519 has only
       the private part, which may be any bytes. */
    EVP_PKEY_CTX *check = pkey != NULL && EVP_PKEY_is_a(pkey, "EC")
                              ? EVP_PKEY_CTX_new_from_pkey(NULL, pkey, NULL)
                              : NULL;
    bool differs = check != NULL && EVP_PKEY_pairwise_check(check) != 1;
    EVP_PKEY_CTX_free(check);
    if (pkey != NULL && !differs)
        return key_of(pkey, path, err);
    EVP_PKEY_free(pkey);
    if (pkey != NULL)
        return refuse(err, path, "the key is damaged: its private and public parts differ",
                      DAMAGED_HINT);
    if (request.err.id != 0) {
        rp_fail_with(err, &request.err);
        return NULL;
    }
    if (request.asked)
        return refuse(err, path, "the passphrase is wrong, or the key is damaged", NULL);
    if (has_label(text, size, "-----BEGIN PUBLIC KEY-----"))
        return refuse(err, path, "this is a public key, but a private one is needed",
                      "with --signer, the public key is enough: another program signs");
    if (has_label(text, size, "PRIVATE KEY-----") && !has_label(text, size, "BEGIN OPENSSH"))
        return refuse(err, path, "its private key is damaged", DAMAGED_HINT);
    return refuse(err, path, "it has no private key in PEM format",
                  "relocpack keygen makes one; openssl pkey -inform DER converts one to PEM");
}

/* Public keys are not encrypted; without this hook, libcrypto would ask on the terminal. */
static int give_none(char *out, int room, int writing, void *context) {
    (void)out, (void)room, (void)writing, (void)context;
    return -1;
}

struct rp_key *rp_key_read_public(const void *text, size_t size, const char *path,
                                  struct rp_error *err) {
    ERR_clear_error();
    BIO *bio = BIO_new_mem_buf(text, (int)size);
    if (bio == NULL)
        rp_out_of_memory();
    EVP_PKEY *pkey = PEM_read_bio_PUBKEY(bio, NULL, give_none, NULL);
    BIO_free(bio);
    if (pkey != NULL)
        return key_of(pkey, path, err);
    if (has_label(text, size, "PRIVATE KEY-----"))
        return refuse(err, path, "this is a private key, but the public one is needed",
                      "keygen writes it as NAME.pub.pem; or: openssl pkey -in KEY.pem -pubout");
    if (has_label(text, size, "-----BEGIN PUBLIC KEY-----"))
        return refuse(err, path, "its public key is damaged", DAMAGED_HINT);
    return refuse(err, path, "it has no public key in PEM format",
                  "such a file begins with -----BEGIN PUBLIC KEY-----; to take it from a "
                  "certificate: openssl x509 -pubkey -noout");
}

/* ---- writing ---- */

/* Appends what was written to the BIO, and frees the BIO. */
static bool take_text(BIO *bio, bool ok, struct rp_buf *out, struct rp_error *err) {
    char *text;
    long size = ok ? BIO_get_mem_data(bio, &text) : 0;
    if (size > 0)
        rp_buf_append(out, text, (size_t)size);
    BIO_free(bio);
    return size > 0 || fail_crypto(err, "write the key");
}

/* PKCS #8, encrypted by AES-256-CBC with a key from PBKDF2. NULL: libcrypto failed. */
static X509_SIG *encrypt(const EVP_PKEY *pkey, const char *passphrase) {
    uint8_t salt[SALT_BYTES];
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(pkey);
    X509_ALGOR *how = RAND_bytes(salt, sizeof salt) == 1
                          ? PKCS5_pbe2_set_iv(EVP_aes_256_cbc(), ROUNDS, salt, sizeof salt, NULL,
                                              NID_hmacWithSHA256)
                          : NULL;
    X509_SIG *done = info != NULL && how != NULL
                         ? PKCS8_set0_pbe(passphrase, (int)strlen(passphrase), info, how)
                         : NULL;
    if (done == NULL)
        X509_ALGOR_free(how);
    PKCS8_PRIV_KEY_INFO_free(info);
    return done;
}

bool rp_key_write_private(const struct rp_key *key, const char *passphrase, struct rp_buf *out,
                          struct rp_error *err) {
    ERR_clear_error();
    BIO *bio = BIO_new(BIO_s_secmem());
    if (bio == NULL)
        rp_out_of_memory();
    if (passphrase == NULL)
        return take_text(
            bio, PEM_write_bio_PKCS8PrivateKey(bio, key->pkey, NULL, NULL, 0, NULL, NULL) == 1, out,
            err);
    X509_SIG *encrypted = encrypt(key->pkey, passphrase);
    bool ok = encrypted != NULL && PEM_write_bio_PKCS8(bio, encrypted) == 1;
    X509_SIG_free(encrypted);
    return take_text(bio, ok, out, err);
}

bool rp_key_write_public(const struct rp_key *key, struct rp_buf *out, struct rp_error *err) {
    ERR_clear_error();
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL)
        rp_out_of_memory();
    return take_text(bio, PEM_write_bio_PUBKEY(bio, key->pkey) == 1, out, err);
}

/* ---- signatures ---- */

/* r and s of a DER signature as 64 bytes; false unless all bytes are such DER. */
static bool from_der(const uint8_t *der, size_t size, uint8_t *signature) {
    const uint8_t *at = der;
    ECDSA_SIG *sig = size <= 80 ? d2i_ECDSA_SIG(NULL, &at, (long)size) : NULL;
    bool ok =
        sig != NULL && at == der + size &&
        BN_bn2binpad(ECDSA_SIG_get0_r(sig), signature, COORDINATE_BYTES) == COORDINATE_BYTES &&
        BN_bn2binpad(ECDSA_SIG_get0_s(sig), signature + COORDINATE_BYTES, COORDINATE_BYTES) ==
            COORDINATE_BYTES;
    ECDSA_SIG_free(sig);
    return ok;
}

/* A signature of 64 bytes as DER, to be freed with OPENSSL_free. Returns its size; 0: failed. */
static int to_der(const uint8_t *signature, uint8_t **der) {
    ECDSA_SIG *sig = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, COORDINATE_BYTES, NULL);
    BIGNUM *s = BN_bin2bn(signature + COORDINATE_BYTES, COORDINATE_BYTES, NULL);
    if (sig == NULL || r == NULL || s == NULL || ECDSA_SIG_set0(sig, r, s) != 1)
        rp_out_of_memory();
    *der = NULL;
    int size = i2d_ECDSA_SIG(sig, der);
    ECDSA_SIG_free(sig);
    return size > 0 ? size : 0;
}

/* The hash that a signature is computed over; NULL: Ed25519 hashes by itself. */
static const EVP_MD *hash_of(const struct rp_key *key) {
    return key->kind->type == RELOC_SIG_ED25519 ? NULL : EVP_sha256();
}

bool rp_key_sign(const struct rp_key *key, const void *bytes, size_t size,
                 uint8_t signature[RELOC_SIG_VALUE_BYTES], struct rp_error *err) {
    uint8_t made[128];
    size_t made_size = sizeof made;
    ERR_clear_error();
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL)
        rp_out_of_memory();
    bool ok = EVP_DigestSignInit(context, NULL, hash_of(key), NULL, key->pkey) == 1 &&
              EVP_DigestSign(context, made, &made_size, bytes, size) == 1 &&
              rp_signature_take(key->kind, made, made_size, signature);
    EVP_MD_CTX_free(context);
    return ok || fail_crypto(err, "sign");
}

bool rp_key_verify(const struct rp_key *key, const void *bytes, size_t size,
                   const uint8_t signature[RELOC_SIG_VALUE_BYTES]) {
    const uint8_t *value = signature;
    uint8_t *der = NULL;
    size_t value_size = RELOC_SIG_VALUE_BYTES;
    if (key->kind->type == RELOC_SIG_ECDSA_P256) {
        value_size = (size_t)to_der(signature, &der);
        value = der;
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL)
        rp_out_of_memory();
    bool ok = value_size != 0 &&
              EVP_DigestVerifyInit(context, NULL, hash_of(key), NULL, key->pkey) == 1 &&
              EVP_DigestVerify(context, value, value_size, bytes, size) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_free(der);
    return ok;
}

bool rp_signature_take(const struct rp_key_kind *kind, const void *bytes, size_t size,
                       uint8_t signature[RELOC_SIG_VALUE_BYTES]) {
    /* DER may have 64 bytes as well, if both numbers are short; nothing else is valid DER then. */
    if (kind->type == RELOC_SIG_ECDSA_P256 && from_der(bytes, size, signature))
        return true;
    if (size != RELOC_SIG_VALUE_BYTES)
        return false;
    memcpy(signature, bytes, RELOC_SIG_VALUE_BYTES);
    return true;
}
