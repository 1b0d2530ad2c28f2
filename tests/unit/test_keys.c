/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/keys: published signatures, keys in several forms, signatures of other
 * programs, and what is refused.
 */
#include "tests/unit/unit.h"

#include "elfpack/image/keys.h"

/* RFC 8032 section 7.1, test 3; the private and public key as OpenSSL writes them. */
static const char rfc8032_private[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3\n"
    "-----END PRIVATE KEY-----\n";
static const char rfc8032_public[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU=\n"
    "-----END PUBLIC KEY-----\n";
static const char rfc8032_hash[] =
    "8d39ba50abe50f77b6bb8ae7b6927aff7ffbeba35ad2837c0e51e82bcbcc60d5";
static const char rfc8032_signature[] =
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";

/* RFC 6979 section A.2.5, message "sample" with SHA-256; the same key with a compressed point. */
static const char rfc6979_public[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7\n"
    "Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==\n"
    "-----END PUBLIC KEY-----\n";
static const char rfc6979_compressed[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADYP7UuiVanTHJYet0xjVtaMBJuJI7\n"
    "Yfps5mliLmDyn7Y=\n"
    "-----END PUBLIC KEY-----\n";
static const char rfc6979_hash[] =
    "5a7a78cca4a0f420d9bc62bb669c3c2759e39f723d3ae10dcbe0f0815a07ecd4";
static const char rfc6979_signature[] =
    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";

static void from_hex(uint8_t *out, const char *hex) {
    for (size_t i = 0; hex[2 * i] != '\0'; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
}

static void assert_hash(const struct rp_key *key, const char *hex) {
    uint8_t hash[32];
    from_hex(hash, hex);
    assert_memory_equal(rp_key_hash(key), hash, 32);
}

/* ---- passphrases for keys that are read ---- */

struct answer {
    const char *text; /* NULL: there is none */
    unsigned asked;
};

static int give(void *context, const char *path, char *out, size_t room, struct rp_error *err) {
    struct answer *answer = context;
    answer->asked++;
    assert_string_equal(path, "key.pem");
    if (answer->text == NULL) {
        rp_fail(err, RP_E_KEY, "no answer");
        return -1;
    }
    assert_true(strlen(answer->text) < room);
    memcpy(out, answer->text, strlen(answer->text));
    return (int)strlen(answer->text);
}

static struct rp_key *private_key(struct unit *u, const char *text, struct answer *answer) {
    struct answer none = {NULL, 0};
    const struct rp_passphrase passphrase = {give, answer != NULL ? answer : &none};
    return rp_key_read_private(text, strlen(text), "key.pem", &passphrase, &u->err);
}

static struct rp_key *public_key(struct unit *u, const char *text) {
    return rp_key_read_public(text, strlen(text), "key.pem", &u->err);
}

/* ---- published values ---- */

static void signs_as_rfc_8032_says(void **state) {
    struct unit *u = *state;
    uint8_t want[64], got[64];
    struct rp_key *key = private_key(u, rfc8032_private, NULL);
    struct rp_key *public = public_key(u, rfc8032_public);
    assert_non_null(key);
    assert_non_null(public);
    from_hex(want, rfc8032_signature);
    ACCEPTED(u, rp_key_sign(key, "\xaf\x82", 2, got, &u->err));
    assert_memory_equal(got, want, 64);
    assert_true(rp_key_verify(public, "\xaf\x82", 2, got));
    assert_hash(key, rfc8032_hash);
    assert_hash(public, rfc8032_hash);
    rp_key_free(key);
    rp_key_free(public);
}

static void verifies_what_rfc_6979_has(void **state) {
    struct unit *u = *state;
    uint8_t signature[64];
    const char *const forms[] = {rfc6979_public, rfc6979_compressed};
    from_hex(signature, rfc6979_signature);
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct rp_key *key = public_key(u, forms[i]);
        assert_non_null(key);
        assert_hash(key, rfc6979_hash); /* whatever form the file has */
        assert_true(rp_key_verify(key, "sample", 6, signature));
        assert_false(rp_key_verify(key, "simple", 6, signature));
        rp_key_free(key);
    }
}

/* Each bit of the signature and of what is signed; and numbers that no signature has. */
static void refuses_every_changed_bit(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; rp_key_kind_at(i) != NULL; i++) {
        uint8_t bytes[40], signature[64], zero[64] = {0}, ones[64];
        struct rp_key *key = rp_key_make(rp_key_kind_at(i), &u->err);
        assert_non_null(key);
        memset(bytes, 0x5A, sizeof bytes);
        memset(ones, 0xFF, sizeof ones);
        ACCEPTED(u, rp_key_sign(key, bytes, sizeof bytes, signature, &u->err));
        for (unsigned bit = 0; bit < 8 * 64; bit++) {
            signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_false(rp_key_verify(key, bytes, sizeof bytes, signature));
            signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (unsigned bit = 0; bit < 8 * sizeof bytes; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_false(rp_key_verify(key, bytes, sizeof bytes, signature));
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        assert_false(rp_key_verify(key, bytes, sizeof bytes - 1, signature));
        assert_false(rp_key_verify(key, bytes, sizeof bytes, zero));
        assert_false(rp_key_verify(key, bytes, sizeof bytes, ones));
        assert_true(rp_key_verify(key, bytes, sizeof bytes, signature));
        rp_key_free(key);
    }
}

/* ---- files ---- */

/* A pair that was written is read back as the same key, encrypted or not. */
static void writes_and_reads(void **state) {
    struct unit *u = *state;
    static const char *const passphrases[] = {NULL, "correct horse"};
    for (size_t i = 0; rp_key_kind_at(i) != NULL; i++) {
        for (size_t k = 0; k < COUNT(passphrases); k++) {
            struct rp_buf private = {.arena = &u->arena}, public = {.arena = &u->arena};
            struct answer answer = {passphrases[k], 0}, wrong = {"correct house", 0};
            struct rp_key *key = rp_key_make(rp_key_kind_at(i), &u->err);
            ACCEPTED(u, rp_key_write_private(key, passphrases[k], &private, &u->err));
            ACCEPTED(u, rp_key_write_public(key, &public, &u->err));
            CONTAINS(private.data, k == 0 ? "BEGIN PRIVATE KEY" : "BEGIN ENCRYPTED PRIVATE KEY");
            struct rp_key *again = private_key(u, private.data, &answer);
            struct rp_key *other = public_key(u, public.data);
            assert_non_null(again);
            assert_non_null(other);
            assert_int_equal(answer.asked, k);
            assert_memory_equal(rp_key_hash(again), rp_key_hash(key), 32);
            assert_memory_equal(rp_key_hash(other), rp_key_hash(key), 32);
            assert_ptr_equal(rp_key_kind(other), rp_key_kind_at(i));
            if (k == 1) {
                REFUSED(u, private_key(u, private.data, &wrong) != NULL, RP_E_KEY,
                        "passphrase is wrong");
                wrong.text = NULL;
                REFUSED(u, private_key(u, private.data, &wrong) != NULL, RP_E_KEY, "no answer");
            }
            REFUSED(u, private_key(u, public.data, NULL) != NULL, RP_E_KEY, "a public key");
            REFUSED(u, public_key(u, private.data) != NULL, RP_E_KEY, "a private key");
            rp_key_free(key);
            rp_key_free(again);
            rp_key_free(other);
        }
    }
}

/* Every strict prefix, and texts that are no keys. */
static void refuses_what_is_no_key(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {
        "",
        "key",
        "-----BEGIN PUBLIC KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    };
    /* without the last line's end, dashes or trailing blanks nothing is missing */
    const char *dashes = strstr(rfc6979_public, "-----END PUBLIC KEY-----");
    for (const char *end = rfc6979_public; end < dashes + 10; end++)
        REFUSED(u,
                rp_key_read_public(rfc6979_public, (size_t)(end - rfc6979_public), "key.pem",
                                   &u->err) != NULL,
                RP_E_KEY, "key.pem");
    for (size_t i = 0; i < COUNT(texts); i++) {
        REFUSED(u, private_key(u, texts[i], NULL) != NULL, RP_E_KEY, "key.pem");
        REFUSED(u, public_key(u, texts[i]) != NULL, RP_E_KEY, "key.pem");
    }
}

/* Changes each letter of a key in turn; returns how often the message has that part. */
static size_t damaged(struct unit *u, char *text, bool is_private, const char *part) {
    size_t count = 0;
    for (char *at = strchr(text, '\n') + 1; *at != '-'; at++) {
        char good = *at;
        if (good == '\n' || good == '=')
            continue;
        *at = good == 'A' ? 'B' : 'A';
        struct rp_key *other = is_private ? private_key(u, text, NULL) : public_key(u, text);
        assert_true(other != NULL || strstr(u->err.message, "damaged") != NULL ||
                    strstr(u->err.message, "of the type") != NULL);
        count += other == NULL && strstr(u->err.message, part) != NULL;
        u->err = (struct rp_error){0};
        rp_key_free(other);
        *at = good;
    }
    return count;
}

static void damaged_keys_are_called_so(void **state) {
    struct unit *u = *state;
    struct rp_key *key = rp_key_make(rp_key_kind_of(RELOC_SIG_ECDSA_P256), &u->err);
    struct rp_buf private = {.arena = &u->arena}, public = {.arena = &u->arena};
    ACCEPTED(u, rp_key_write_private(key, NULL, &private, &u->err));
    ACCEPTED(u, rp_key_write_public(key, &public, &u->err));
    rp_key_free(key);
    /* the private number has 43 letters, the point 86 */
    assert_true(damaged(u, private.data, true, "private and public parts differ") > 30);
    assert_true(damaged(u, public.data, false, "its public key is damaged") > 80);
}

/* ---- signatures that others made ---- */

static void takes_raw_and_der(void **state) {
    const struct rp_key_kind *p256 = rp_key_kind_of(RELOC_SIG_ECDSA_P256);
    const struct rp_key_kind *ed25519 = rp_key_kind_of(RELOC_SIG_ED25519);
    uint8_t raw[64], got[64], der[72] = {0x30, 70, 0x02, 33, 0};
    uint8_t small[] = {0x30, 6, 0x02, 1, 7, 0x02, 1, 9}, want[64] = {[31] = 7, [63] = 9};
    (void)state;
    from_hex(raw, rfc6979_signature);
    memcpy(der + 5, raw, 32); /* r and s have their first bit set, so a 0 byte is in front */
    memcpy(der + 37, "\x02\x21", 3);
    memcpy(der + 40, raw + 32, 32);
    assert_true(rp_signature_take(p256, der, 72, got));
    assert_memory_equal(got, raw, 64);
    assert_true(rp_signature_take(p256, small, sizeof small, got));
    assert_memory_equal(got, want, 64);
    assert_true(rp_signature_take(p256, raw, 64, got));
    assert_memory_equal(got, raw, 64);
    assert_true(rp_signature_take(ed25519, raw, 64, got));
    assert_memory_equal(got, raw, 64);
    assert_false(rp_signature_take(ed25519, der, 72, got));
    for (size_t size = 0; size < 72; size++)
        assert_int_equal(rp_signature_take(p256, der, size, got), size == 64);
    assert_false(rp_signature_take(p256, small, sizeof small - 1, got));
    uint8_t longer[sizeof small + 1] = {0};
    memcpy(longer, small, sizeof small);
    assert_false(rp_signature_take(p256, longer, sizeof longer, got));
}

/* DER that happens to have 64 bytes is not taken for r and s. */
static void takes_der_of_64_bytes(void **state) {
    const struct rp_key_kind *p256 = rp_key_kind_of(RELOC_SIG_ECDSA_P256);
    uint8_t der[64] = {0x30, 62, 0x02, 29}, got[64], want[64] = {0};
    (void)state;
    memset(der + 4, 0x11, 29);
    memcpy(der + 33, "\x02\x1d", 2);
    memset(der + 35, 0x22, 29);
    memset(want + 3, 0x11, 29);
    memset(want + 35, 0x22, 29);
    assert_true(rp_signature_take(p256, der, 64, got));
    assert_memory_equal(got, want, 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(signs_as_rfc_8032_says),    UNIT(verifies_what_rfc_6979_has),
        UNIT(refuses_every_changed_bit), UNIT(writes_and_reads),
        UNIT(refuses_what_is_no_key),    UNIT(takes_raw_and_der),
        UNIT(takes_der_of_64_bytes),     UNIT(damaged_keys_are_called_so),
    };
    return RUN(tests);
}
