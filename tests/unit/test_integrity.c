/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/integrity: sums against a bitwise CRC-32 and a SHA-256 of the tests' own,
 * copying around the piece size, joining CRCs, the bytes of the trailer, weights files.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "elfpack/image/integrity.h"
#include "elfpack/image/reader.h"
#include "runtime/format/reloc_file.h"

enum { PIECE = 256 * 1024 };

static uint8_t *pattern(struct unit *u, size_t size) {
    uint8_t *bytes = rp_alloc(&u->arena, size + 1, 1);
    uint32_t x = 12345;
    for (size_t i = 0; i < size; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(x >> 24);
    }
    return bytes;
}

static void assert_sum(const struct rp_sum *sum, const void *bytes, size_t size) {
    uint8_t sha[32];
    unit_sha256(sha, bytes, size);
    assert_int_equal(sum->length, size);
    assert_int_equal(sum->crc32, unit_crc32(bytes, size));
    assert_memory_equal(sum->sha256, sha, 32);
}

/* The tests' own functions first: known answers of the CRC-32 catalogue and of FIPS 180-4. */
static void knows_the_published_values(void **state) {
    uint8_t sha[32];
    char hex[65];
    (void)state;
    assert_int_equal(unit_crc32("123456789", 9), 0xCBF43926);
    unit_sha256(sha, "abc", 3);
    rp_hex(hex, sha, 32);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    struct rp_sum sum =
        rp_sum_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    rp_hex(hex, sum.sha256, 32);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    sum = rp_sum_bytes("123456789", 9);
    assert_int_equal(sum.crc32, 0xCBF43926);
}

static void sums_any_length(void **state) {
    struct unit *u = *state;
    uint8_t *bytes = pattern(u, 1000);
    for (size_t size = 0; size < 300; size++) {
        uint8_t *exact = unit_exact(bytes, size);
        struct rp_sum sum = rp_sum_bytes(exact, size);
        assert_sum(&sum, exact, size);
        free(exact);
    }
}

/* The sum is the same in any parts, and with sums taken on the way. */
static void sums_in_parts(void **state) {
    struct unit *u = *state;
    uint8_t *bytes = pattern(u, 500);
    for (size_t cut = 0; cut <= 500; cut += 7) {
        struct rp_digest *digest = rp_digest_new();
        rp_digest_add(digest, bytes, cut);
        struct rp_sum half = rp_digest_sum(digest);
        assert_sum(&half, bytes, cut);
        rp_digest_add(digest, bytes + cut, 500 - cut);
        rp_digest_add(digest, NULL, 0);
        struct rp_sum whole = rp_digest_sum(digest);
        assert_sum(&whole, bytes, 500);
        rp_digest_free(digest);
    }
}

static void sums_files(void **state) {
    struct unit *u = *state;
    static const size_t sizes[] = {0, 1, PIECE - 1, PIECE, PIECE + 1};
    uint8_t *bytes = pattern(u, PIECE + 1);
    struct rp_sum sum;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char *path = unit_write(u, "f", bytes, sizes[i]);
        ACCEPTED(u, rp_sum_file(path, &sum, &u->err));
        assert_sum(&sum, bytes, sizes[i]);
    }
    REFUSED(u, rp_sum_file(unit_path(u, "no"), &sum, &u->err), RP_E_INPUT, "/no'");
    REFUSED(u, rp_sum_file(u->dir, &sum, &u->err), RP_E_INPUT, "Is a directory");
}

static void joins_crcs(void **state) {
    struct unit *u = *state;
    static const size_t lengths[] = {0, 1, 3, 64, 1000, 65536};
    uint8_t *bytes = pattern(u, 2 * 65536);
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (size_t k = 0; k < COUNT(lengths); k++) {
            uint32_t a = unit_crc32(bytes, lengths[i]);
            uint32_t b = unit_crc32(bytes + lengths[i], lengths[k]);
            assert_int_equal(rp_crc32_join(a, b, lengths[k]),
                             unit_crc32(bytes, lengths[i] + lengths[k]));
        }
}

/* Above 4 GiB, too: zeros doubled to 8 GiB, in one part and in two halves. */
static void joins_crcs_of_long_parts(void **state) {
    static const uint8_t zeros[4096];
    (void)state;
    uint32_t half = unit_crc32(zeros, 4096);
    uint64_t length = 4096;
    for (; length < UINT64_C(1) << 32; length *= 2)
        half = rp_crc32_join(half, half, length);
    uint32_t whole = rp_crc32_join(half, half, length);
    uint32_t one = unit_crc32("\1", 1);
    assert_int_equal(rp_crc32_join(rp_crc32_join(one, half, length), half, length),
                     rp_crc32_join(one, whole, 2 * length));
    assert_int_not_equal(rp_crc32_join(one, whole, 2 * length), rp_crc32_join(one, half, length));
}

/* Copies from the file "from" to the file at path to. */
static bool copy(struct unit *u, uint64_t offset, uint64_t size, const char *to,
                 struct rp_digest *digest) {
    const char *from = unit_path(u, "from");
    const struct rp_copy copy = {open(from, O_RDONLY | O_CLOEXEC),
                                 from,
                                 offset,
                                 size,
                                 open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
                                 to};
    assert_true(copy.in >= 0 && copy.out >= 0);
    bool ok = rp_copy_digest(&copy, digest, &u->err);
    assert_int_equal(close(copy.in), 0);
    assert_int_equal(close(copy.out), 0);
    return ok;
}

/* Sizes around one piece and several; also with a digest that has begun. */
/* It stands in for the loader's own wherever the host does the loader's checks. */
static void continues_crcs_like_the_loader(void **state) {
    struct unit *u = *state;
    uint8_t *bytes = pattern(u, 3000);
    for (uint32_t size = 0; size < 3000; size += 1 + size / 5)
        for (uint32_t cut = 0; cut <= size; cut += 1 + size / 7) {
            uint32_t first = rp_crc32_more(0, bytes, cut);
            assert_int_equal(first, reloc_crc32(0, bytes, cut));
            assert_int_equal(rp_crc32_more(first, bytes + cut, size - cut),
                             reloc_crc32(0, bytes, size));
        }
    assert_int_equal(rp_crc32_more(0x12345678, NULL, 0), 0x12345678);
}

static void hashes_twice_in_one_pass(void **state) {
    struct unit *u = *state;
    uint8_t *bytes = pattern(u, 300), want[32];
    for (size_t first = 0; first <= 300; first += 3) {
        struct rp_two_hashes hashes = rp_sha256_twice(bytes, first, 300);
        unit_sha256(want, bytes, first);
        assert_memory_equal(hashes.first, want, 32);
        unit_sha256(want, bytes, 300);
        assert_memory_equal(hashes.all, want, 32);
    }
}

static void copies_around_the_piece_size(void **state) {
    struct unit *u = *state;
    static const size_t sizes[] = {
        0,         1,         PIECE - 1,     PIECE,         PIECE + 1,
        2 * PIECE, 3 * PIECE, 4 * PIECE - 1, 4 * PIECE + 1, 9 * PIECE + 77};
    enum { OFFSET = 13 };
    uint8_t *bytes = pattern(u, 10 * PIECE);
    unit_write(u, "from", bytes, 10 * PIECE);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct rp_digest *digest = rp_digest_new();
        rp_digest_add(digest, bytes, OFFSET);
        ACCEPTED(u, copy(u, OFFSET, sizes[i], unit_path(u, "to"), digest));
        struct rp_sum sum = rp_digest_sum(digest);
        assert_sum(&sum, bytes, OFFSET + sizes[i]);
        rp_digest_free(digest);
        size_t got;
        char *written = unit_slurp(u, "to", &got);
        assert_int_equal(got, sizes[i]);
        assert_memory_equal(written, bytes + OFFSET, sizes[i]);
    }
}

static void refuses_short_files_and_full_disks(void **state) {
    struct unit *u = *state;
    static const size_t sizes[] = {1, 1000, 5 * PIECE};
    uint8_t *bytes = pattern(u, 5 * PIECE);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        unit_write(u, "from", bytes, sizes[i]);
        struct rp_digest *digest = rp_digest_new();
        REFUSED(u, copy(u, 0, sizes[i] + 1, unit_path(u, "to"), digest), RP_E_INPUT,
                "it ends too early");
        REFUSED(u, copy(u, sizes[i], 1, unit_path(u, "to"), digest), RP_E_INPUT,
                "it ends too early");
        REFUSED(u, copy(u, 0, sizes[i], "/dev/full", digest), RP_E_NO_SPACE, "/dev/full");
        rp_digest_free(digest);
    }
}

static void prints_hex(void **state) {
    char hex[9];
    (void)state;
    rp_hex(hex, (const uint8_t *)"\x00\x9f\xff\x10", 4);
    assert_string_equal(hex, "009fff10");
}

/* ---- the trailer ---- */

static struct rp_trailer sample_trailer(void) {
    struct rp_trailer trailer = {.kind = RELOC_TRL_WEIGHTS, .flags = RELOC_TRL_SPLIT};
    trailer.sum = rp_sum_bytes("payload", 7);
    memset(trailer.build_id, 0xB1, sizeof trailer.build_id);
    trailer.weights_length = 7;
    trailer.weights_crc32 = 0x12345678;
    return trailer;
}

/* Byte offsets of runtime/format/reloc_format.h, repeated here on purpose. */
static void writes_the_trailers_bytes(void **state) {
    struct rp_trailer trailer = sample_trailer();
    uint8_t want[96] = {0}, got[96];
    (void)state;
    memcpy(want, "RPIT", 4);
    unit_put32(want + 4, 1);
    unit_put32(want + 8, 96);
    unit_put32(want + 12, 2);
    unit_put32(want + 16, 7);
    unit_put32(want + 20, unit_crc32("payload", 7));
    unit_sha256(want + 24, "payload", 7);
    memset(want + 56, 0xB1, 16);
    unit_put32(want + 72, 7);
    unit_put32(want + 76, 0x12345678);
    unit_put32(want + 80, 1);
    unit_put32(want + 92, unit_crc32(want, 92));
    memset(got, 0xEE, sizeof got);
    rp_trailer_put(got, &trailer);
    assert_memory_equal(got, want, sizeof want);
}

static void reads_the_trailer_back(void **state) {
    struct rp_trailer trailer = sample_trailer(), got;
    uint8_t bytes[96];
    (void)state;
    rp_trailer_put(bytes, &trailer);
    assert_true(rp_trailer_get(bytes, &got));
    assert_int_equal(got.kind, trailer.kind);
    assert_int_equal(got.flags, trailer.flags);
    assert_int_equal(got.sum.length, 7);
    assert_int_equal(got.sum.crc32, trailer.sum.crc32);
    assert_memory_equal(got.sum.sha256, trailer.sum.sha256, 32);
    assert_memory_equal(got.build_id, trailer.build_id, 16);
    assert_int_equal(got.weights_length, 7);
    assert_int_equal(got.weights_crc32, 0x12345678);
}

static void refuses_every_damaged_trailer_bit(void **state) {
    struct rp_trailer trailer = sample_trailer(), got;
    uint8_t bytes[96];
    (void)state;
    rp_trailer_put(bytes, &trailer);
    for (unsigned bit = 0; bit < 96 * 8; bit++) {
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
        assert_false(rp_trailer_get(bytes, &got));
        bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1u << bit % 8);
    }
    for (unsigned word = 0; word < 3; word++) { /* magic, version, size, with a right self CRC */
        unit_put32(bytes + 4 * word, unit_get32(bytes + 4 * word) + 1);
        unit_put32(bytes + 92, unit_crc32(bytes, 92));
        assert_false(rp_trailer_get(bytes, &got));
        unit_put32(bytes + 4 * word, unit_get32(bytes + 4 * word) - 1);
    }
    unit_put32(bytes + 92, unit_crc32(bytes, 92));
    assert_true(rp_trailer_get(bytes, &got));
}

static bool read_weights(struct unit *u, const uint8_t *bytes, size_t size) {
    struct rp_mapped file;
    struct rp_trailer trailer;
    bool ok = rp_map_file(&file, unit_write(u, "w", bytes, size), &u->err) &&
              rp_weights_read(&trailer, &file, &u->err);
    rp_unmap_file(&file);
    return ok;
}

/* Without an image: CRC-32 and SHA-256 of the file, and the CRC-32 of the weights in it. */
static void checks_weights_files(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned at; /* a word of the trailer */
        const char *why;
    } rows[] = {{20, "CRC-32 of the content"}, {24, "SHA-256"}, {76, "CRC-32 of the weights"}};
    for (uint32_t weights = 160; weights >= 150; weights -= 10) { /* without fill, and with it */
        uint8_t *raw = pattern(u, 160 + 96), *tail = raw + 160;
        memset(raw + weights, 0, 160 - weights);
        const struct rp_trailer trailer = {.kind = RELOC_TRL_WEIGHTS,
                                           .sum = rp_sum_bytes(raw, 160),
                                           .weights_length = weights,
                                           .weights_crc32 = unit_crc32(raw, weights)};
        rp_trailer_put(tail, &trailer);
        ACCEPTED(u, read_weights(u, raw, 256));
        for (size_t i = 0; i < 256; i++) {
            raw[i] ^= 0x40;
            REFUSED(u, read_weights(u, raw, 256), RP_E_INTEGRITY, "");
            raw[i] ^= 0x40;
        }
        for (size_t i = 0; i < COUNT(rows); i++) {
            unit_put32(tail + rows[i].at, unit_get32(tail + rows[i].at) ^ 1);
            unit_put32(tail + 92, unit_crc32(tail, 92));
            REFUSED(u, read_weights(u, raw, 256), RP_E_INTEGRITY, rows[i].why);
            rp_trailer_put(tail, &trailer);
        }
    }
}

static void makes_build_ids(void **state) {
    struct rp_sum a = rp_sum_bytes("a", 1), b = rp_sum_bytes("b", 1);
    uint8_t id[16], swapped[16], both[64], want[32];
    (void)state;
    memcpy(both, a.sha256, 32);
    memcpy(both + 32, b.sha256, 32);
    unit_sha256(want, both, 64);
    rp_build_id(id, &a, &b);
    rp_build_id(swapped, &b, &a);
    assert_memory_equal(id, want, 16);
    assert_memory_not_equal(id, swapped, 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(knows_the_published_values),
        UNIT(sums_any_length),
        UNIT(sums_in_parts),
        UNIT(sums_files),
        UNIT(joins_crcs),
        UNIT(joins_crcs_of_long_parts),
        UNIT(continues_crcs_like_the_loader),
        UNIT(hashes_twice_in_one_pass),
        UNIT(copies_around_the_piece_size),
        UNIT(refuses_short_files_and_full_disks),
        UNIT(prints_hex),
        UNIT(writes_the_trailers_bytes),
        UNIT(reads_the_trailer_back),
        UNIT(refuses_every_damaged_trailer_bit),
        UNIT(checks_weights_files),
        UNIT(makes_build_ids),
    };
    return RUN(tests);
}
