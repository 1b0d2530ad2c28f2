/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/signed: the bytes of a signature block, against bytes that are written here
 * from docs/FORMAT.md; every strict prefix and every changed bit of signed images of both formats;
 * signatures that hold, but are of another image. test_reloc_signed.c has the reader alone.
 */
#include "tests/unit/signed_sample.h"

/* ---- signing, with the library ---- */

static const struct rp_statement statement = {.name = "kws-small",
                                              .version = {1, 4, 2, 77},
                                              .counter = 7,
                                              .device_class = "boiler",
                                              .has_api = true,
                                              .api_least = 3,
                                              .api_most = 5};

struct made {
    struct signed_sample sample;
    struct rp_buf s;     /* what is signed */
    struct rp_buf image; /* the signed image */
};

static void sign(struct unit *u, struct made *made, const struct rp_statement *said,
                 struct rp_key *const *keys, size_t count) {
    const struct signed_sample *sample = &made->sample;
    const struct rp_mapped file = {"image.bin", sample->image, sample->image_size};
    const struct rp_mapped weights = {"weights.bin", sample->weights, sample->weights_size};
    struct rp_signatures signatures = {.count = count};
    struct rp_subject subject;
    made->s = made->image = (struct rp_buf){.arena = &u->arena};
    ACCEPTED(
        u, rp_subject_read(&subject, &file, sample->weights_size != 0 ? &weights : NULL, &u->err));
    rp_signed_make(&made->s, &subject, said);
    for (size_t i = 0; i < count; i++) {
        signatures.items[i].type = rp_key_kind(keys[i])->type;
        memcpy(signatures.items[i].key_hash, rp_key_hash(keys[i]), 32);
        ACCEPTED(
            u, rp_key_sign(keys[i], made->s.data, made->s.len, signatures.items[i].value, &u->err));
    }
    ACCEPTED(u, rp_signed_write(&made->image, &subject, &made->s, &signatures, &u->err));
}

static enum rp_error_id verify(const struct made *made, const uint8_t *image, size_t size,
                               const struct rp_key *key) {
    return signed_sample_verify(image, (uint32_t)size, made->sample.weights,
                                made->sample.weights_size, key);
}

static struct rp_key *make_key(struct unit *u, uint32_t type) {
    struct rp_key *key = rp_key_make(rp_key_kind_of(type), &u->err);
    assert_non_null(key);
    return key;
}

/* ---- the bytes ---- */

/* The SHA-256 of the image up to code_end, and the trailer with two words of it cleared. */
static void put_image_sha(struct block *block, const struct signed_sample *sample) {
    uint8_t all[SIGNED_SAMPLE_MAX], sha[32];
    memcpy(all, sample->image, sample->code_end);
    memcpy(all + sample->code_end, sample->image + sample->trailer, 96);
    unit_put32(all + sample->code_end + 84, 0);
    unit_put32(all + sample->code_end + 92, 0);
    unit_sha256(sha, all, sample->code_end + 96);
    put_entry(block, 1, sha, 32);
}

static void put_weights_sha(struct block *block, const struct signed_sample *sample) {
    const uint8_t *weights = sample->image + sample->code_end;
    uint32_t size = sample->trailer - sample->code_end;
    uint8_t value[36];
    if (sample->weights_size != 0) {
        weights = sample->weights;
        size = sample->weights_size;
    }
    if (size == 0)
        return;
    unit_sha256(value, weights, size);
    unit_put32(value + 32, size);
    put_entry(block, 2, value, 36);
}

static void makes_the_bytes_of_the_format(void **state) {
    struct unit *u = *state;
    for (unsigned which = 0; which < SIGNED_SAMPLES; which++) {
        struct made made;
        struct block want;
        struct rp_key *key = make_key(u, RELOC_SIG_ED25519);
        signed_sample_make(&made.sample, which);
        sign(u, &made, &statement, &key, 1);
        put_head(&want);
        put_image_sha(&want, &made.sample);
        put_weights_sha(&want, &made.sample);
        put_entry(&want, 3, made.sample.image + 4, 4);
        put_entry(&want, 4, made.sample.image + made.sample.trailer + 56, 16);
        put_entry(&want, 5, "kws-small", 9);
        put_entry(&want, 6, "\1\4\2\0\x4d\0\0\0", 8);
        put_entry(&want, 7, "\7\0\0\0", 4);
        put_entry(&want, 8, "boiler", 6);
        put_entry(&want, 9, "\3\0\0\0\5\0\0\0", 8);
        end_head(&want);
        assert_int_equal(made.s.len, want.size);
        assert_memory_equal(made.s.data, want.bytes, want.size);
        put_entry(&want, 0x4001, rp_key_hash(key), 32);
        uint32_t trailer = made.sample.trailer, end = trailer + 96;
        assert_int_equal(made.image.len, end + want.size + 68);
        assert_memory_equal(made.image.data + end, want.bytes, want.size);
        assert_int_equal(unit_get32((uint8_t *)made.image.data + end + want.size), 0x00404002);
        assert_memory_equal(made.image.data, made.sample.image, trailer + 84);
        assert_int_equal(unit_get32((uint8_t *)made.image.data + trailer + 84), want.size + 68);
        rp_key_free(key);
    }
}

static void reads_back_what_was_said(void **state) {
    struct unit *u = *state;
    struct made made;
    struct reloc_signed s;
    struct rp_key *keys[] = {make_key(u, RELOC_SIG_ED25519), make_key(u, RELOC_SIG_ECDSA_P256),
                             make_key(u, RELOC_SIG_ECDSA_P256), make_key(u, RELOC_SIG_ED25519)};
    signed_sample_make(&made.sample, 0);
    sign(u, &made, &statement, keys, 4);
    uint32_t end = made.sample.trailer + 96;
    assert_int_equal(
        reloc_signed_read((uint8_t *)made.image.data + end, (uint32_t)made.image.len - end, &s),
        RELOC_OK);
    struct rp_statement said = rp_statement_of(&s, &u->arena);
    assert_string_equal(said.name, statement.name);
    assert_memory_equal(&said.version, &statement.version, sizeof said.version);
    assert_int_equal(said.counter, 7);
    assert_string_equal(said.device_class, "boiler");
    assert_int_equal(said.api_least, 3);
    assert_int_equal(said.api_most, 5);
    assert_int_equal(s.signatures, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(verify(&made, (uint8_t *)made.image.data, made.image.len, keys[i]), 0);
        rp_key_free(keys[i]);
    }
    struct rp_key *other = make_key(u, RELOC_SIG_ED25519);
    assert_int_equal(verify(&made, (uint8_t *)made.image.data, made.image.len, other),
                     RP_E_SIGNED_KEY);
    rp_key_free(other);
}

/* ---- everything that can be changed ---- */

/*
 * Cut anywhere behind the content. Up to the trailer's end the image may be read as one without
 * a trailer, or a damaged one; it is never taken for signed.
 */
static void refuses_every_strict_prefix(void **state) {
    struct unit *u = *state;
    struct rp_key *key = make_key(u, RELOC_SIG_ECDSA_P256);
    for (unsigned which = 0; which < SIGNED_SAMPLES; which++) {
        struct made made;
        struct reloc_signed s;
        signed_sample_make(&made.sample, which);
        sign(u, &made, &statement, &key, 1);
        uint32_t end = made.sample.trailer + 96;
        for (uint32_t size = 1; size < made.image.len; size++) {
            uint8_t *cut = unit_exact(made.image.data, size);
            assert_int_not_equal(verify(&made, cut, size, key), 0);
            if (size >= end && size != end)
                assert_int_equal(reloc_signed_read(cut + end, size - end, &s), RELOC_N_SIGNED);
            free(cut);
        }
        assert_int_equal(reloc_signed_read((uint8_t *)made.image.data + end, 0, &s),
                         RELOC_N_UNSIGNED);
        assert_int_equal(verify(&made, (uint8_t *)made.image.data, made.image.len, key), 0);
    }
    rp_key_free(key);
}

static void flip(uint8_t *bytes, uint32_t bit) {
    bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/*
 * Every bit of the file. First as damage; then as an attack, by somebody who makes the sums in the
 * trailer right again: these are the only bits for which that changes nothing.
 */
static void refuses_every_changed_bit_of_the_image(void **state) {
    struct unit *u = *state;
    static const uint32_t types[] = {RELOC_SIG_ED25519, RELOC_SIG_ECDSA_P256};
    for (unsigned which = 0; which < SIGNED_SAMPLES; which++) {
        struct made made;
        struct rp_key *key = make_key(u, types[which % 2]);
        signed_sample_make(&made.sample, which);
        sign(u, &made, &statement, &key, 1);
        uint8_t *image = (uint8_t *)made.image.data, before[96];
        uint32_t trailer = made.sample.trailer;
        memcpy(before, image + trailer, 96);
        for (uint32_t bit = 0; bit < 8 * made.image.len; bit++) {
            flip(image, bit);
            assert_int_not_equal(verify(&made, image, made.image.len, key), 0);
            signed_sample_seal(image, trailer);
            uint32_t at = bit / 8;
            bool is_sum = at >= trailer + 20 && (at < trailer + 56 || at >= trailer + 92) &&
                          at < trailer + 96;
            assert_int_equal(verify(&made, image, made.image.len, key) == 0, is_sum);
            memcpy(image + trailer, before, 96);
            if (at < trailer || at >= trailer + 96)
                flip(image, bit);
        }
        assert_int_equal(verify(&made, image, made.image.len, key), 0);
        rp_key_free(key);
    }
}

static void refuses_every_changed_bit_of_the_weights(void **state) {
    struct unit *u = *state;
    for (unsigned which = 1; which < SIGNED_SAMPLES; which += 3) { /* those with a file of it */
        struct made made;
        struct rp_key *key = make_key(u, RELOC_SIG_ED25519);
        signed_sample_make(&made.sample, which);
        sign(u, &made, &statement, &key, 1);
        uint8_t *image = (uint8_t *)made.image.data;
        uint32_t size = made.sample.weights_size, trailer = size - 96;
        assert_true(size > 96);
        for (uint32_t bit = 0; bit < 8 * size; bit++) {
            uint8_t before[96];
            memcpy(before, made.sample.weights + trailer, 96);
            flip(made.sample.weights, bit);
            if (bit < 8 * trailer) /* the sums of the weights right again: nothing is gained */
                signed_sample_seal(made.sample.weights, trailer);
            assert_int_equal(verify(&made, image, made.image.len, key), RP_E_SIGNED_WEIGHTS);
            memcpy(made.sample.weights + trailer, before, 96);
            if (bit < 8 * trailer)
                flip(made.sample.weights, bit);
        }
        assert_int_equal(verify(&made, image, made.image.len, key), 0);
        assert_int_equal(signed_sample_verify(image, (uint32_t)made.image.len, made.sample.weights,
                                              size - 1, key),
                         RP_E_SIGNED_WEIGHTS);
        assert_int_equal(signed_sample_verify(image, (uint32_t)made.image.len, NULL, 0, key),
                         RP_E_WEIGHTS);
        rp_key_free(key);
    }
}

/* S of another image: correct in itself. */
static void refuses_what_another_image_has(void **state) {
    struct unit *u = *state;
    struct made own, other;
    struct rp_key *key = make_key(u, RELOC_SIG_ED25519);
    signed_sample_make(&own.sample, 0);
    signed_sample_make(&other.sample, 0);
    other.sample.image[120] ^= 1; /* in the text */
    signed_sample_seal(other.sample.image, other.sample.trailer);
    sign(u, &own, &statement, &key, 1);
    sign(u, &other, &statement, &key, 1);
    uint32_t end = own.sample.trailer + 96;
    memcpy(own.image.data + end, other.image.data + end, own.image.len - end);
    assert_int_equal(verify(&own, (uint8_t *)own.image.data, own.image.len, key),
                     RP_E_SIGNED_IMAGE);
    unit_put32((uint8_t *)own.image.data + own.sample.trailer + 56, 5); /* the build id */
    signed_sample_seal((uint8_t *)own.image.data, own.sample.trailer);
    assert_int_equal(verify(&own, (uint8_t *)own.image.data, own.image.len, key),
                     RP_E_SIGNED_OTHER);
    rp_key_free(key);
}

/* Signs the size bytes at s in place of what made has. */
static enum rp_error_id verify_as(struct unit *u, struct made *made, const uint8_t *bytes,
                                  size_t size, const struct rp_key *key) {
    const struct signed_sample *sample = &made->sample;
    const struct rp_mapped file = {"image.bin", sample->image, sample->image_size};
    const struct rp_mapped weights = {"weights.bin", sample->weights, sample->weights_size};
    struct rp_signatures signatures = {.items = {{.type = rp_key_kind(key)->type}}, .count = 1};
    struct rp_buf s = {.arena = &u->arena}, image = {.arena = &u->arena};
    struct rp_subject subject;
    rp_buf_append(&s, bytes, size);
    memcpy(signatures.items[0].key_hash, rp_key_hash(key), 32);
    ACCEPTED(
        u, rp_subject_read(&subject, &file, sample->weights_size != 0 ? &weights : NULL, &u->err));
    ACCEPTED(u, rp_key_sign(key, bytes, size, signatures.items[0].value, &u->err));
    ACCEPTED(u, rp_signed_write(&image, &subject, &s, &signatures, &u->err));
    return verify(made, (uint8_t *)image.data, image.len, key);
}

/* A signature that holds, over facts that are not those of the image: by a faulty signer. */
static void refuses_what_was_signed_wrongly(void **state) {
    struct unit *u = *state;
    struct rp_key *key = make_key(u, RELOC_SIG_ED25519);
    for (unsigned which = 0; which < SIGNED_SAMPLES; which++) {
        struct made made;
        struct block s = {{0}, 0}, without;
        signed_sample_make(&made.sample, which);
        sign(u, &made, &statement, &key, 1);
        memcpy(s.bytes, made.s.data, made.s.len);
        bool has_weights = which != 2;
        uint32_t target = has_weights ? 84 : 44;
        assert_int_equal(verify_as(u, &made, s.bytes, made.s.len, key), 0);
        flip(s.bytes, 8 * (target + 4) + 12); /* FPU or not */
        assert_int_equal(verify_as(u, &made, s.bytes, made.s.len, key), RP_E_SIGNED_OTHER);
        flip(s.bytes, 8 * (target + 4) + 12);
        flip(s.bytes, 8 * (target + 12)); /* the build id */
        assert_int_equal(verify_as(u, &made, s.bytes, made.s.len, key), RP_E_SIGNED_OTHER);
        flip(s.bytes, 8 * (target + 12));
        put_head(&without);
        put_image_sha(&without, &made.sample);
        if (has_weights) {
            flip(s.bytes, 8 * 80); /* their length */
            assert_int_equal(verify_as(u, &made, s.bytes, made.s.len, key), RP_E_SIGNED_WEIGHTS);
            flip(s.bytes, 8 * 80);
        } else {
            put_entry(&without, 2, "0123456789abcdef0123456789abcdef\0\0\0", 36);
        }
        memcpy(without.bytes + without.size, s.bytes + target, made.s.len - target);
        without.size += (uint32_t)made.s.len - target;
        end_head(&without);
        assert_int_equal(verify_as(u, &made, without.bytes, without.size, key),
                         RP_E_SIGNED_WEIGHTS);
    }
    rp_key_free(key);
}

/* Flash that is read back: erased memory behind the signature; anything else is refused. */
static void allows_erased_memory_behind(void **state) {
    struct unit *u = *state;
    struct made made;
    struct rp_key *key = make_key(u, RELOC_SIG_ED25519);
    signed_sample_make(&made.sample, 2);
    sign(u, &made, &statement, &key, 1);
    size_t size = made.image.len;
    rp_buf_append(&made.image, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_int_equal(verify(&made, (uint8_t *)made.image.data, size + 8, key), 0);
    made.image.data[size + 3] = 1;
    assert_int_equal(verify(&made, (uint8_t *)made.image.data, size + 8, key), RP_E_INTEGRITY);
    rp_key_free(key);
}

/* ---- what is said ---- */

static void reads_versions(void **state) {
    static const char *const good[] = {"0.0.0", "1.4.2", "255.255.65535", "1.2.3+4294967295"};
    static const char *const bad[] = {"",
                                      "1",
                                      "1.2",
                                      "1.2.",
                                      "1.2.3.4",
                                      "256.0.0",
                                      "0.256.0",
                                      "0.0.65536",
                                      "1.2.3+",
                                      "1.2.3+4294967296",
                                      "1.2.3-4",
                                      " 1.2.3",
                                      "1.2.3 ",
                                      "-1.2.3",
                                      "v1.2.3",
                                      "1..2",
                                      "99999999999999999999.0.0"};
    struct unit *u = *state;
    struct rp_model_version version;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct rp_buf text = {.arena = &u->arena};
        assert_true(rp_model_version_read(good[i], &version));
        rp_model_version_put(&text, &version);
        assert_string_equal(text.data, good[i]);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(rp_model_version_read(bad[i], &version));
}

static void allows_texts_only(void **state) {
    (void)state;
    assert_true(rp_statement_text_ok("K\xc3\xbc"
                                     "che 1",
                                     8));
    assert_false(rp_statement_text_ok("K\xc3\xbc"
                                      "che 1",
                                      7));
    assert_false(rp_statement_text_ok("", 8));
    assert_false(rp_statement_text_ok("a\nb", 8));
    assert_false(rp_statement_text_ok("a\xff", 8));
    assert_false(rp_statement_text_ok("\xc2\x9b"
                                      "31m",
                                      8)); /* a control character of Latin-1 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(makes_the_bytes_of_the_format),
        UNIT(reads_back_what_was_said),
        UNIT(refuses_every_strict_prefix),
        UNIT(refuses_every_changed_bit_of_the_image),
        UNIT(refuses_every_changed_bit_of_the_weights),
        UNIT(refuses_what_was_signed_wrongly),
        UNIT(refuses_what_another_image_has),
        UNIT(allows_erased_memory_behind),
        UNIT(reads_versions),
        UNIT(allows_texts_only),
    };
    return RUN(tests);
}
