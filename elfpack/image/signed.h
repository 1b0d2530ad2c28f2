/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images on the host: makes the signed structure, called S, from an image, and checks it
 * against one. Keys and signatures are the business of keys.h. In: an image file and, if its
 * weights are separate, their file. Out: S, or a file that ends in it. Bytes:
 * runtime/format/reloc_signed.h.
 */
#ifndef RP_ELFPACK_IMAGE_SIGNED_H
#define RP_ELFPACK_IMAGE_SIGNED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "elfpack/image/reader.h"
#include "runtime/format/reloc_signed.h"

/* An image with a trailer, and its weights file. */
struct rp_subject {
    const struct rp_mapped *file;
    const struct rp_mapped *weights; /* NULL: none was given */
    struct rp_image_view image;
    struct reloc_signed_content content;
    uint32_t signature_size; /* bytes of S and signatures after the trailer */
};

/*
 * Reads an image that is signed or can be. RP_E_IMAGE: it is wrong or has no trailer.
 * RP_E_INTEGRITY: it is damaged, or something follows its signature. RP_E_WEIGHTS: its weights are
 * separate and no file was given, or the other way round. Does not check that the weights belong to
 * it.
 */
bool rp_subject_read(struct rp_subject *subject, const struct rp_mapped *file,
                     const struct rp_mapped *weights, struct rp_error *err);

struct rp_model_version {
    uint8_t major, minor;
    uint16_t revision;
    uint32_t build;
};

/* What the signer states; the rest of S follows from the image. */
struct rp_statement {
    const char *name;
    struct rp_model_version version;
    uint32_t counter;
    const char *device_class; /* NULL: all devices */
    bool has_api;
    uint32_t api_least, api_most;
};

/* "1.4.2" or "1.4.2+77"; false when it is not a version or a number is too large. */
bool rp_model_version_read(const char *text, struct rp_model_version *version);
/* Writes the version in that form. */
void rp_model_version_put(struct rp_buf *out, const struct rp_model_version *version);
/* Is the text 1 to `most` bytes of UTF-8 without control characters? */
bool rp_statement_text_ok(const char *text, size_t most);
/* The statement in S; its texts are in the arena. */
struct rp_statement rp_statement_of(const struct reloc_signed *s, struct rp_arena *arena);

/* Appends S. */
void rp_signed_make(struct rp_buf *out, const struct rp_subject *subject,
                    const struct rp_statement *statement);
/*
 * Does S hold for the image and its weights? Signatures are not checked. Errors of rp_signed_fail,
 * such as RP_E_SIGNED_IMAGE.
 */
bool rp_signed_check(const struct rp_subject *subject, const struct reloc_signed *s,
                     struct rp_error *err);
/* Finds S in the image. RP_E_UNSIGNED: there is none. RP_E_SIGNED: it is malformed. */
bool rp_signed_read(const struct rp_subject *subject, struct reloc_signed *s, struct rp_error *err);
/* Are the two digests in S those of image and weights? weights: true if there are none. */
struct rp_signed_digests {
    bool image;
    bool weights;
};
struct rp_signed_digests rp_signed_digests(const struct rp_subject *subject,
                                           const struct reloc_signed *s);

/* A signature: its type, enum reloc_signature_type, the hash of its key, and its value. */
struct rp_signature {
    uint32_t type;
    uint8_t key_hash[RELOC_SIG_KEY_HASH_BYTES];
    uint8_t value[RELOC_SIG_VALUE_BYTES];
};
struct rp_signatures {
    struct rp_signature items[RELOC_SIG_MAX];
    size_t count;
};

/*
 * Appends the file with S and signatures after its trailer, in place of those that it has.
 * RP_E_TOO_LARGE: the file would be larger than an image can be.
 */
bool rp_signed_write(struct rp_buf *out, const struct rp_subject *subject, const struct rp_buf *s,
                     const struct rp_signatures *signatures, struct rp_error *err);
/* Sets the error for a code of reloc_signed.h and returns false; true for RELOC_OK. */
bool rp_signed_fail(const struct rp_subject *subject, uint32_t code, struct rp_error *err);

#endif
