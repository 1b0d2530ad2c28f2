/* SPDX-License-Identifier: Apache-2.0 */
/* Digests, copying while digesting, and the integrity trailer: see integrity.h. */
#include "elfpack/image/integrity.h"

/* SHA256_…, which OpenSSL 3 marks as deprecated: EVP costs 6 million instructions to set up */
#define OPENSSL_API_COMPAT 10101
#include <errno.h>
#include <fcntl.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"

enum { PIECE_BYTES = 128 * 1024 };

struct rp_digest {
    SHA256_CTX sha;
    uint32_t crc;
    uint64_t length;
};

struct rp_digest *rp_digest_new(void) {
    struct rp_digest *digest = rp_heap(sizeof *digest);
    SHA256_Init(&digest->sha);
    return digest;
}

/* What to compute; the length counts what the CRC-32 covers. */
enum { WITH_SHA256 = 1, WITH_CRC32 = 2 };

static void add(struct rp_digest *digest, unsigned sums, const void *bytes, size_t len) {
    if (len == 0) /* zlib takes NULL as a request to start anew */
        return;
    if ((sums & WITH_SHA256) != 0)
        SHA256_Update(&digest->sha, bytes, len);
    if ((sums & WITH_CRC32) != 0) {
        digest->crc = (uint32_t)crc32_z(digest->crc, bytes, len);
        digest->length += len;
    }
}

void rp_digest_add(struct rp_digest *digest, const void *bytes, size_t len) {
    add(digest, WITH_SHA256 | WITH_CRC32, bytes, len);
}

struct rp_sum rp_digest_sum(const struct rp_digest *digest) {
    SHA256_CTX copy = digest->sha;
    struct rp_sum sum = {.length = digest->length, .crc32 = digest->crc};
    SHA256_Final(sum.sha256, &copy);
    return sum;
}

void rp_digest_free(struct rp_digest *digest) {
    free(digest);
}

struct rp_sum rp_sum_bytes(const void *bytes, size_t len) {
    struct rp_digest *digest = rp_digest_new();
    rp_digest_add(digest, bytes, len);
    struct rp_sum sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    return sum;
}

/* Adds a whole file to the digest, piece by piece. */
static bool add_file(struct rp_digest *digest, unsigned sums, const char *path,
                     struct rp_error *err) {
    uint8_t *piece = rp_heap(PIECE_BYTES);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : 0;
    if (fd >= 0) {
        do {
            got = read(fd, piece, PIECE_BYTES);
            if (got > 0)
                add(digest, sums, piece, (size_t)got);
        } while (got > 0 || (got < 0 && errno == EINTR));
    }
    if (got < 0)
        rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    free(piece);
    return got == 0;
}

bool rp_sum_file(const char *path, struct rp_sum *sum, struct rp_error *err) {
    struct rp_digest *digest = rp_digest_new();
    bool ok = add_file(digest, WITH_SHA256 | WITH_CRC32, path, err);
    *sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    return ok;
}

bool rp_sha256_file(const char *path, char *hex, struct rp_error *err) {
    struct rp_digest *digest = rp_digest_new();
    bool ok = add_file(digest, WITH_SHA256, path, err);
    const struct rp_sum sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    rp_hex(hex, sum.sha256, sizeof sum.sha256);
    return ok;
}

uint32_t rp_crc32_bytes(const void *bytes, size_t len) {
    return (uint32_t)crc32_z(0, bytes, len);
}

uint32_t rp_crc32_more(uint32_t crc, const uint8_t *bytes, uint32_t len) {
    return len != 0 ? (uint32_t)crc32_z(crc, bytes, len) : crc; /* NULL would start anew */
}

struct rp_two_hashes rp_sha256_twice(const uint8_t *bytes, size_t first, size_t len) {
    struct rp_two_hashes hashes;
    SHA256_CTX all, part;
    SHA256_Init(&all);
    SHA256_Update(&all, bytes, first);
    part = all;
    SHA256_Final(hashes.first, &part);
    SHA256_Update(&all, bytes + first, len - first);
    SHA256_Final(hashes.all, &all);
    return hashes;
}

uint32_t rp_crc32_join(uint32_t a, uint32_t b, uint64_t b_length) {
    return (uint32_t)crc32_combine(a, b, (z_off_t)b_length);
}

void rp_hex(char *out, const uint8_t *bytes, size_t len) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

/* ---- copying: one thread copies and computes the CRC-32, another the SHA-256 ---- */

/* One pass over a part of a file. */
struct pass {
    const struct rp_copy *copy;
    struct rp_digest *digest;
    unsigned sums; /* added to the digest */
    bool writes;   /* copies the bytes to copy->out */
    enum { PASSED, ENDED_EARLY, NOT_READ, NOT_WRITTEN } end;
    int errnum; /* of the last two */
};

/* Works in pieces that are small enough to stay in the core's cache. */
static void *run_pass(void *context) {
    struct pass *pass = context;
    const struct rp_copy *copy = pass->copy;
    uint8_t *piece = rp_heap(PIECE_BYTES);
    for (uint64_t at = 0; pass->end == PASSED && at < copy->size;) {
        uint64_t left = copy->size - at;
        ssize_t got = pread(copy->in, piece, left < PIECE_BYTES ? (size_t)left : PIECE_BYTES,
                            (off_t)(copy->offset + at));
        if (got > 0) {
            add(pass->digest, pass->sums, piece, (size_t)got);
            if (pass->writes && !rp_write_all(copy->out, piece, (size_t)got))
                pass->end = NOT_WRITTEN;
            at += (uint64_t)got;
        } else if (got == 0) {
            pass->end = ENDED_EARLY;
        } else if (errno != EINTR) {
            pass->end = NOT_READ;
        }
        pass->errnum = errno;
    }
    free(piece);
    return NULL;
}

static bool check_pass(const struct pass *pass, struct rp_error *err) {
    const struct rp_copy *copy = pass->copy;
    if (pass->end == NOT_WRITTEN)
        return rp_fail_errno(err, pass->errnum, "cannot write", copy->out_path);
    return pass->end == PASSED ||
           rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", copy->in_path,
                   pass->end == NOT_READ ? strerror(pass->errnum) : "it ends too early");
}

bool rp_copy_digest(const struct rp_copy *copy, struct rp_digest *digest, struct rp_error *err) {
    struct pass sha = {.copy = copy, .digest = digest, .sums = WITH_SHA256};
    struct pass rest = {.copy = copy, .digest = digest, .sums = WITH_CRC32, .writes = true};
    pthread_t thread;
    int why = pthread_create(&thread, NULL, run_pass, &sha);
    if (why != 0)
        return rp_fail(err, RP_E_SYSTEM, "cannot start a thread: %s", strerror(why));
    run_pass(&rest);
    pthread_join(thread, NULL);
    return check_pass(&rest, err) && check_pass(&sha, err);
}

bool rp_crc32_part(const char *path, uint64_t offset, uint64_t size, uint32_t *crc32,
                   struct rp_error *err) {
    struct rp_digest digest = {.crc = 0};
    int in = open(path, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    const struct rp_copy part = {.in = in, .in_path = path, .offset = offset, .size = size};
    struct pass pass = {.copy = &part, .digest = &digest, .sums = WITH_CRC32};
    run_pass(&pass);
    close(in);
    *crc32 = digest.crc;
    return check_pass(&pass, err);
}

uint32_t rp_crc32_zeros(uint64_t count) {
    static const uint8_t zeros[4096];
    uLong crc = 0;
    for (; count > sizeof zeros; count -= sizeof zeros)
        crc = crc32_z(crc, zeros, sizeof zeros);
    return count != 0 ? (uint32_t)crc32_z(crc, zeros, (size_t)count) : (uint32_t)crc;
}

/* ---- the trailer ---- */

void rp_trailer_put(uint8_t out[RELOC_TRL_BYTES], const struct rp_trailer *trailer) {
    memset(out, 0, RELOC_TRL_BYTES);
    rp_put_le32(out + RELOC_TRL_MAGIC, RELOC_TRAILER_MAGIC);
    rp_put_le32(out + RELOC_TRL_VERSION, 1);
    rp_put_le32(out + RELOC_TRL_SIZE, RELOC_TRL_BYTES);
    rp_put_le32(out + RELOC_TRL_KIND, trailer->kind);
    rp_put_le32(out + RELOC_TRL_LENGTH, (uint32_t)trailer->sum.length);
    rp_put_le32(out + RELOC_TRL_CRC32, trailer->sum.crc32);
    memcpy(out + RELOC_TRL_SHA256, trailer->sum.sha256, RELOC_SHA256_BYTES);
    memcpy(out + RELOC_TRL_BUILD_ID, trailer->build_id, RELOC_BUILD_ID_BYTES);
    rp_put_le32(out + RELOC_TRL_WEIGHTS_LENGTH, trailer->weights_length);
    rp_put_le32(out + RELOC_TRL_WEIGHTS_CRC32, trailer->weights_crc32);
    rp_put_le32(out + RELOC_TRL_FLAGS, trailer->flags);
    rp_put_le32(out + RELOC_TRL_SELF_CRC32, rp_crc32_bytes(out, RELOC_TRL_SELF_CRC32));
}

bool rp_trailer_get(const uint8_t in[RELOC_TRL_BYTES], struct rp_trailer *trailer) {
    if (rp_get_le32(in + RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        rp_get_le32(in + RELOC_TRL_VERSION) != 1 ||
        rp_get_le32(in + RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        rp_get_le32(in + RELOC_TRL_SELF_CRC32) != rp_crc32_bytes(in, RELOC_TRL_SELF_CRC32))
        return false;
    *trailer = (struct rp_trailer){
        .kind = rp_get_le32(in + RELOC_TRL_KIND),
        .flags = rp_get_le32(in + RELOC_TRL_FLAGS),
        .weights_length = rp_get_le32(in + RELOC_TRL_WEIGHTS_LENGTH),
        .weights_crc32 = rp_get_le32(in + RELOC_TRL_WEIGHTS_CRC32),
    };
    trailer->sum.length = rp_get_le32(in + RELOC_TRL_LENGTH);
    trailer->sum.crc32 = rp_get_le32(in + RELOC_TRL_CRC32);
    memcpy(trailer->sum.sha256, in + RELOC_TRL_SHA256, RELOC_SHA256_BYTES);
    memcpy(trailer->build_id, in + RELOC_TRL_BUILD_ID, RELOC_BUILD_ID_BYTES);
    return true;
}

void rp_build_id(uint8_t out[RELOC_BUILD_ID_BYTES], const struct rp_sum *code,
                 const struct rp_sum *weights) {
    uint8_t both[2 * RELOC_SHA256_BYTES];
    memcpy(both, code->sha256, RELOC_SHA256_BYTES);
    memcpy(both + RELOC_SHA256_BYTES, weights->sha256, RELOC_SHA256_BYTES);
    struct rp_sum sum = rp_sum_bytes(both, sizeof both);
    memcpy(out, sum.sha256, RELOC_BUILD_ID_BYTES);
}
