/* SPDX-License-Identifier: Apache-2.0 */
/* Digests, copying while digesting, and the integrity trailer: see integrity.h. */
#include "elfpack/integrity.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"

enum { PIECE_BYTES = 256 * 1024, RING = 4 };

struct rp_digest {
    struct sha256_ctx sha;
    uint32_t crc;
    uint64_t length;
};

static void *must(void *memory) {
    if (memory == NULL) {
        fputs("relocpack: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static uint32_t crc_of(const void *bytes, size_t len) {
    return (uint32_t)crc32_z(0, bytes, len);
}

struct rp_digest *rp_digest_new(void) {
    struct rp_digest *digest = must(calloc(1, sizeof *digest));
    sha256_init(&digest->sha);
    return digest;
}

static void add_known_crc(struct rp_digest *digest, const void *bytes, size_t len, uint32_t crc) {
    sha256_update(&digest->sha, len, bytes);
    digest->crc = rp_crc32_join(digest->crc, crc, len);
    digest->length += len;
}

void rp_digest_add(struct rp_digest *digest, const void *bytes, size_t len) {
    if (len != 0)
        add_known_crc(digest, bytes, len, crc_of(bytes, len));
}

struct rp_sum rp_digest_sum(const struct rp_digest *digest) {
    struct sha256_ctx copy = digest->sha;
    struct rp_sum sum = {.length = digest->length, .crc32 = digest->crc};
    sha256_digest(&copy, sizeof sum.sha256, sum.sha256);
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

static bool add_file(struct rp_digest *digest, int fd, const char *path, struct rp_error *err) {
    uint8_t *piece = must(malloc(PIECE_BYTES));
    ssize_t got;
    do {
        got = read(fd, piece, PIECE_BYTES);
        if (got > 0)
            rp_digest_add(digest, piece, (size_t)got);
    } while (got > 0 || (got < 0 && errno == EINTR));
    free(piece);
    return got == 0 || rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
}

bool rp_sum_file(const char *path, struct rp_sum *sum, struct rp_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    struct rp_digest *digest = rp_digest_new();
    bool ok = add_file(digest, fd, path, err);
    *sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    close(fd);
    return ok;
}

uint32_t rp_crc32_join(uint32_t a, uint32_t b, uint64_t b_length) {
    return (uint32_t)crc32_combine(a, b, (z_off_t)b_length);
}

void rp_hex(char *out, const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

/* ---- copying: the caller's thread reads and writes, a second one digests ---- */

struct piece {
    uint8_t bytes[PIECE_BYTES];
    size_t len;
    bool crc_known;
    uint32_t crc;
};

struct ring {
    struct piece *pieces; /* RING of them */
    size_t filled;        /* pieces handed to the digesting thread so far */
    size_t digested;
    bool done;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct rp_digest *digest;
};

static void *digest_pieces(void *context) {
    struct ring *ring = context;
    pthread_mutex_lock(&ring->lock);
    for (;;) {
        while (ring->digested == ring->filled && !ring->done)
            pthread_cond_wait(&ring->changed, &ring->lock);
        if (ring->digested == ring->filled)
            break;
        struct piece *piece = &ring->pieces[ring->digested % RING];
        pthread_mutex_unlock(&ring->lock);
        uint32_t crc = piece->crc_known ? piece->crc : crc_of(piece->bytes, piece->len);
        add_known_crc(ring->digest, piece->bytes, piece->len, crc);
        pthread_mutex_lock(&ring->lock);
        ring->digested++;
        pthread_cond_broadcast(&ring->changed);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

static struct piece *free_piece(struct ring *ring) {
    pthread_mutex_lock(&ring->lock);
    while (ring->filled - ring->digested == RING)
        pthread_cond_wait(&ring->changed, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
    return &ring->pieces[ring->filled % RING];
}

static void hand_over(struct ring *ring, bool done) {
    pthread_mutex_lock(&ring->lock);
    ring->filled += !done;
    ring->done = done;
    pthread_cond_broadcast(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

static bool read_piece(const struct rp_copy *copy, uint64_t at, struct piece *piece,
                       struct rp_error *err) {
    uint64_t left = copy->size - at;
    piece->len = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
    for (size_t done = 0; done < piece->len;) {
        ssize_t got = pread(copy->in, piece->bytes + done, piece->len - done,
                            (off_t)(copy->offset + at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", copy->in_path,
                           got == 0 ? "it ends too early" : strerror(errno));
        done += (size_t)got;
    }
    return true;
}

static bool write_piece(const struct rp_copy *copy, const struct piece *piece,
                        struct rp_error *err) {
    for (size_t done = 0; done < piece->len;) {
        ssize_t put = write(copy->out, piece->bytes + done, piece->len - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return rp_fail_errno(err, errno, "cannot write", copy->out_path);
        done += (size_t)put;
    }
    return true;
}

static bool copy_pieces(const struct rp_copy *copy, struct ring *ring, struct rp_error *err) {
    for (uint64_t at = 0; at < copy->size;) {
        struct piece *piece = free_piece(ring);
        if (!read_piece(copy, at, piece, err))
            return false;
        /* SHA-256 costs about what reading and writing do; the CRC is shared out evenly. */
        piece->crc_known = ring->filled % 2 == 0;
        if (piece->crc_known)
            piece->crc = crc_of(piece->bytes, piece->len);
        at += piece->len;
        hand_over(ring, false);
        if (!write_piece(copy, piece, err))
            return false;
    }
    return true;
}

bool rp_copy_digest(const struct rp_copy *copy, struct rp_digest *digest, struct rp_error *err) {
    struct ring ring = {.digest = digest};
    ring.pieces = must(malloc(RING * sizeof *ring.pieces));
    pthread_mutex_init(&ring.lock, NULL);
    pthread_cond_init(&ring.changed, NULL);
    pthread_t thread;
    int why = pthread_create(&thread, NULL, digest_pieces, &ring);
    bool ok = why == 0 ? copy_pieces(copy, &ring, err)
                       : rp_fail(err, RP_E_SYSTEM, "cannot start a thread: %s", strerror(why));
    if (why == 0) {
        hand_over(&ring, true);
        pthread_join(thread, NULL);
    }
    pthread_cond_destroy(&ring.changed);
    pthread_mutex_destroy(&ring.lock);
    free(ring.pieces);
    return ok;
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
    rp_put_le32(out + RELOC_TRL_SELF_CRC32, crc_of(out, RELOC_TRL_SELF_CRC32));
}

bool rp_trailer_get(const uint8_t in[RELOC_TRL_BYTES], struct rp_trailer *trailer) {
    if (rp_get_le32(in + RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        rp_get_le32(in + RELOC_TRL_VERSION) != 1 ||
        rp_get_le32(in + RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        rp_get_le32(in + RELOC_TRL_SELF_CRC32) != crc_of(in, RELOC_TRL_SELF_CRC32))
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
