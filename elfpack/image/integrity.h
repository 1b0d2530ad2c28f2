/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Digests and the integrity trailer; integrity.c is the only user of zlib (CRC-32) and of
 * libcrypto's SHA-256. Bytes of the trailer: runtime/format/reloc_format.h.
 */
#ifndef RP_ELFPACK_IMAGE_INTEGRITY_H
#define RP_ELFPACK_IMAGE_INTEGRITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/format/reloc_format.h"

/* Running CRC-32 and SHA-256 over a sequence of bytes. */
struct rp_digest;

struct rp_sum {
    uint64_t length; /* bytes */
    uint32_t crc32;
    uint8_t sha256[RELOC_SHA256_BYTES];
};

struct rp_digest *rp_digest_new(void);
void rp_digest_add(struct rp_digest *digest, const void *bytes, size_t len);
/* The sum so far; the digest can go on. */
struct rp_sum rp_digest_sum(const struct rp_digest *digest);
void rp_digest_free(struct rp_digest *digest);

struct rp_sum rp_sum_bytes(const void *bytes, size_t len);
/* RP_E_INPUT: the file cannot be read. */
bool rp_sum_file(const char *path, struct rp_sum *sum, struct rp_error *err);
/* SHA-256 alone, as RP_SHA256_HEX bytes of text. RP_E_INPUT: the file cannot be read. */
enum { RP_SHA256_HEX = 2 * RELOC_SHA256_BYTES + 1 };
bool rp_sha256_file(const char *path, char *hex, struct rp_error *err);
uint32_t rp_crc32_bytes(const void *bytes, size_t len);
/* Continues crc, the CRC-32 of the bytes before these (0 at the start); len 0 returns crc. */
uint32_t rp_crc32_more(uint32_t crc, const uint8_t *bytes, uint32_t len);
/* SHA-256 of the first bytes (at most len), and of all len bytes, in one pass. */
struct rp_two_hashes {
    uint8_t first[RELOC_SHA256_BYTES], all[RELOC_SHA256_BYTES];
};
struct rp_two_hashes rp_sha256_twice(const uint8_t *bytes, size_t first, size_t len);
/* CRC-32 of A followed by B, from those of A and B and the length of B. */
uint32_t rp_crc32_join(uint32_t a, uint32_t b, uint64_t b_length);
/* CRC-32 of a part of a file. RP_E_INPUT: the file cannot be read or is shorter. */
bool rp_crc32_part(const char *path, uint64_t offset, uint64_t size, uint32_t *crc32,
                   struct rp_error *err);
uint32_t rp_crc32_zeros(uint64_t count);
/* Writes 2 * len lower-case hexadecimal digits and a terminating 0. */
void rp_hex(char *out, const uint8_t *bytes, size_t len);

/*
 * Copies size bytes, from offset on, from the file descriptor in to the file descriptor out, and
 * adds them to digest. It needs two buffers of 128 KiB, whatever the size; a second thread computes
 * the SHA-256 meanwhile. in_path and out_path are for messages. RP_E_INPUT: in cannot be read or is
 * shorter than offset + size. RP_E_NO_SPACE, RP_E_SYSTEM: out cannot be written, or no thread.
 */
struct rp_copy {
    int in;
    const char *in_path;
    uint64_t offset;
    uint64_t size;
    int out;
    const char *out_path;
};
bool rp_copy_digest(const struct rp_copy *copy, struct rp_digest *digest, struct rp_error *err);

/* The fields of a trailer. */
struct rp_trailer {
    uint32_t kind; /* enum reloc_trailer_kind */
    uint32_t flags;
    struct rp_sum sum; /* of the bytes before the trailer */
    uint8_t build_id[RELOC_BUILD_ID_BYTES];
    uint32_t weights_length;
    uint32_t weights_crc32;
};

void rp_trailer_put(uint8_t out[RELOC_TRL_BYTES], const struct rp_trailer *trailer);
/* false when the bytes are not a trailer: wrong magic, version, size or self CRC. */
bool rp_trailer_get(const uint8_t in[RELOC_TRL_BYTES], struct rp_trailer *trailer);
/* The id that an image and its separate weights file share, made from the sums of both. */
void rp_build_id(uint8_t out[RELOC_BUILD_ID_BYTES], const struct rp_sum *code,
                 const struct rp_sum *weights);

#endif
