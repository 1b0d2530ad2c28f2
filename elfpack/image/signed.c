/* SPDX-License-Identifier: Apache-2.0 */
/* Signed images on the host: see signed.h. */
#include "elfpack/image/signed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

/* ---- the image ---- */

bool rp_subject_read(struct rp_subject *subject, const struct rp_mapped *file,
                     const struct rp_mapped *weights, struct rp_error *err) {
    *subject = (struct rp_subject){.file = file, .weights = weights};
    if (!rp_image_read(&subject->image, file, err))
        return false;
    if (!subject->image.has_trailer) {
        rp_fail(err, RP_E_IMAGE, "'%s' has no integrity trailer, which a signature covers",
                file->path);
        return rp_hint(err, "only relocpack generate writes one; other packagers do not");
    }
    const struct reloc_view *view = &subject->image.view;
    subject->content = reloc_signed_content(view, view->weights_start, file->data + view->trailer);
    subject->signature_size =
        rp_get_le32(file->data + subject->content.trailer + RELOC_TRL_SIGNATURE_SIZE);
    const uint32_t stray = rp_image_stray(&subject->image, file);
    if (stray != 0)
        return rp_fail(err, RP_E_INTEGRITY,
                       "'%s' has %u bytes after its trailer that belong to nothing", file->path,
                       stray);
    bool separate = subject->content.weights_apart;
    if (separate && weights == NULL) {
        rp_fail(err, RP_E_WEIGHTS, "'%s' has its weights in a separate file, which is needed",
                file->path);
        return rp_hint(err, "--weights FILE names it: NAME_data.bin or NAME_rel_params.bin");
    }
    return separate || weights == NULL ||
           rp_fail(err, RP_E_WEIGHTS, "'%s' has no weights file, so '%s' does not belong to it",
                   file->path, weights->path);
}

/* ---- what the signer states ---- */

/* Reads a decimal number of at most `most` at *text, and moves *text past it. */
static bool read_number(const char **text, uint32_t most, uint32_t *number) {
    uint64_t value = 0;
    const char *at = *text;
    while (isdigit((unsigned char)*at) && value <= most)
        value = 10 * value + (uint64_t)(*at++ - '0');
    if (at == *text || value > most)
        return false;
    *text = at;
    *number = (uint32_t)value;
    return true;
}

bool rp_model_version_read(const char *text, struct rp_model_version *version) {
    uint32_t major, minor, revision, build = 0;
    const char *at = text;
    if (!read_number(&at, UINT8_MAX, &major) || *at++ != '.' ||
        !read_number(&at, UINT8_MAX, &minor) || *at++ != '.' ||
        !read_number(&at, UINT16_MAX, &revision))
        return false;
    if (*at == '+') {
        at++;
        if (!read_number(&at, UINT32_MAX, &build))
            return false;
    }
    *version = (struct rp_model_version){(uint8_t)major, (uint8_t)minor, (uint16_t)revision, build};
    return *at == '\0';
}

void rp_model_version_put(struct rp_buf *out, const struct rp_model_version *version) {
    rp_buf_printf(out, "%u.%u.%u", version->major, version->minor, version->revision);
    if (version->build != 0)
        rp_buf_printf(out, "+%u", version->build);
}

bool rp_statement_text_ok(const char *text, size_t most) {
    struct rp_arena arena = {0};
    size_t len = strlen(text);
    bool ok = len != 0 && len <= most && strcmp(rp_printable(&arena, text), text) == 0;
    rp_arena_release(&arena);
    return ok;
}

static const char *text_of(const struct reloc_signed *s, uint32_t type, struct rp_arena *arena) {
    return s->at[type] != 0
               ? rp_strndup(arena, (const char *)s->bytes + s->at[type], s->length[type])
               : NULL;
}

struct rp_statement rp_statement_of(const struct reloc_signed *s, struct rp_arena *arena) {
    const uint8_t *version = s->bytes + s->at[RELOC_SGN_MODEL_VERSION];
    struct rp_statement statement = {
        .name = text_of(s, RELOC_SGN_MODEL_NAME, arena),
        .version = {version[0], version[1], (uint16_t)(rp_get_le32(version) >> 16),
                    rp_get_le32(version + 4)},
        .counter = reloc_signed_word(s, RELOC_SGN_SECURITY_COUNTER),
        .device_class = text_of(s, RELOC_SGN_DEVICE_CLASS, arena),
        .has_api = s->at[RELOC_SGN_FIRMWARE_API] != 0,
    };
    if (statement.has_api) {
        statement.api_least = reloc_signed_word(s, RELOC_SGN_FIRMWARE_API);
        statement.api_most = rp_get_le32(s->bytes + s->at[RELOC_SGN_FIRMWARE_API] + 4);
    }
    return statement;
}

/* ---- the signed structure S ---- */

/* SHA-256 of the code followed by the trailer in its signed form. */
static struct rp_sum sum_of_image(const struct rp_subject *subject) {
    uint8_t trailer[RELOC_TRL_BYTES];
    reloc_signed_trailer(&subject->content, trailer);
    struct rp_digest *digest = rp_digest_new();
    rp_digest_add(digest, subject->file->data, subject->content.code_end);
    rp_digest_add(digest, trailer, sizeof trailer);
    struct rp_sum sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    return sum;
}

/* SHA-256 of the weights in the image, or of the whole weights file. */
static struct rp_sum sum_of_weights(const struct rp_subject *subject) {
    const struct reloc_signed_content *content = &subject->content;
    return content->weights_apart ? rp_sum_bytes(subject->weights->data, subject->weights->size)
                                  : rp_sum_bytes(subject->file->data + content->code_end,
                                                 content->trailer - content->code_end);
}

static void put_entry(struct rp_buf *out, uint32_t type, const void *value, size_t length) {
    rp_buf_le32(out, type | (uint32_t)length << 16);
    rp_buf_append(out, value, length);
    rp_buf_align(out, 4, 0);
}

static void put_words(struct rp_buf *out, uint32_t type, uint32_t first, const uint32_t *second) {
    uint8_t words[8];
    rp_put_le32(words, first);
    rp_put_le32(words + 4, second != NULL ? *second : 0);
    put_entry(out, type, words, second != NULL ? 8 : 4);
}

void rp_signed_make(struct rp_buf *out, const struct rp_subject *subject,
                    const struct rp_statement *statement) {
    struct rp_buf s = {.arena = out->arena};
    struct rp_sum sum = sum_of_image(subject);
    const struct rp_model_version *version = &statement->version;
    rp_buf_le32(&s, RELOC_SIGNED_MAGIC);
    rp_buf_le32(&s, 0); /* version and size: set below */
    put_entry(&s, RELOC_SGN_IMAGE_SHA256, sum.sha256, sizeof sum.sha256);
    if (subject->content.has_weights) {
        uint8_t value[RELOC_SHA256_BYTES + 4];
        struct rp_sum weights = sum_of_weights(subject);
        memcpy(value, weights.sha256, RELOC_SHA256_BYTES);
        rp_put_le32(value + RELOC_SHA256_BYTES, (uint32_t)weights.length);
        put_entry(&s, RELOC_SGN_WEIGHTS_SHA256, value, sizeof value);
    }
    put_words(&s, RELOC_SGN_TARGET, subject->content.flags, NULL);
    put_entry(&s, RELOC_SGN_BUILD_ID, subject->image.trailer.build_id, RELOC_BUILD_ID_BYTES);
    put_entry(&s, RELOC_SGN_MODEL_NAME, statement->name, strlen(statement->name));
    put_words(&s, RELOC_SGN_MODEL_VERSION,
              version->major | (uint32_t)version->minor << 8 | (uint32_t)version->revision << 16,
              &version->build);
    put_words(&s, RELOC_SGN_SECURITY_COUNTER, statement->counter, NULL);
    if (statement->device_class != NULL)
        put_entry(&s, RELOC_SGN_DEVICE_CLASS, statement->device_class,
                  strlen(statement->device_class));
    if (statement->has_api)
        put_words(&s, RELOC_SGN_FIRMWARE_API, statement->api_least, &statement->api_most);
    rp_put_le32(s.data + RELOC_SGN_VERSION, 1u | (uint32_t)s.len << 16);
    rp_buf_append(out, s.data, s.len);
}

bool rp_signed_fail(const struct rp_subject *subject, uint32_t code, struct rp_error *err) {
    static const struct {
        uint32_t code;
        enum rp_error_id id;
    } ids[] = {
        {RELOC_N_UNSIGNED, RP_E_UNSIGNED},
        {RELOC_N_SIGNED, RP_E_SIGNED},
        {RELOC_N_SIGNED_TARGET, RP_E_SIGNED_OTHER},
        {RELOC_N_SIGNED_BUILD_ID, RP_E_SIGNED_OTHER},
        {RELOC_N_SIGNED_IMAGE, RP_E_SIGNED_IMAGE},
        {RELOC_N_SIGNED_WEIGHTS, RP_E_SIGNED_WEIGHTS},
        {RELOC_N_SIGNED_KEY, RP_E_SIGNED_KEY},
        {RELOC_N_SIGNATURE, RP_E_SIGNATURE},
        {RELOC_N_DEVICE_CLASS, RP_E_DEVICE_CLASS},
        {RELOC_N_FIRMWARE_API, RP_E_FIRMWARE_API},
        {RELOC_N_SECURITY_COUNTER, RP_E_SECURITY_COUNTER},
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (ids[i].code == code)
            return rp_fail(err, ids[i].id, "'%s': %s", subject->file->path,
                           rp_reloc_error_text(reloc_result(code)));
    return code == RELOC_OK;
}

bool rp_signed_read(const struct rp_subject *subject, struct reloc_signed *s,
                    struct rp_error *err) {
    return rp_signed_fail(subject, reloc_signed_of_image(&subject->content, s), err);
}

struct rp_signed_digests rp_signed_digests(const struct rp_subject *subject,
                                           const struct reloc_signed *s) {
    struct rp_sum image = sum_of_image(subject);
    struct rp_signed_digests equal = {.weights = true};
    equal.image = reloc_signed_equal(image.sha256, s->bytes + s->at[RELOC_SGN_IMAGE_SHA256],
                                     RELOC_SHA256_BYTES);
    const uint8_t *signed_weights = s->bytes + s->at[RELOC_SGN_WEIGHTS_SHA256];
    bool available = !subject->content.weights_apart || subject->weights != NULL;
    if (s->at[RELOC_SGN_WEIGHTS_SHA256] != 0 && available) {
        struct rp_sum weights = sum_of_weights(subject);
        equal.weights = weights.length == rp_get_le32(signed_weights + RELOC_SHA256_BYTES) &&
                        reloc_signed_equal(weights.sha256, signed_weights, RELOC_SHA256_BYTES);
    }
    return equal;
}

bool rp_signed_check(const struct rp_subject *subject, const struct reloc_signed *s,
                     struct rp_error *err) {
    if (!rp_signed_fail(subject, reloc_signed_check_content(s, &subject->content), err))
        return false;
    struct rp_signed_digests equal = rp_signed_digests(subject, s);
    /* Weights first: the trailer has a hash of weights in the image, so the image then differs,
       too. */
    return (equal.weights || rp_signed_fail(subject, RELOC_N_SIGNED_WEIGHTS, err)) &&
           (equal.image || rp_signed_fail(subject, RELOC_N_SIGNED_IMAGE, err));
}

/* ---- the signed file ---- */

bool rp_signed_write(struct rp_buf *out, const struct rp_subject *subject, const struct rp_buf *s,
                     const struct rp_signatures *signatures, struct rp_error *err) {
    uint32_t trailer_at = subject->content.trailer;
    uint32_t size = (uint32_t)s->len + (uint32_t)signatures->count * RELOC_SIG_BYTES;
    uint8_t trailer[RELOC_TRL_BYTES];
    if (size > RELOC_OFFSET_MASK - RELOC_TRL_BYTES - trailer_at)
        return rp_fail(err, RP_E_TOO_LARGE, "'%s' would be larger than an image can be (256 MiB)",
                       subject->file->path);
    memcpy(trailer, subject->file->data + trailer_at, sizeof trailer);
    rp_put_le32(trailer + RELOC_TRL_SIGNATURE_SIZE, size);
    rp_put_le32(trailer + RELOC_TRL_SELF_CRC32, rp_crc32_bytes(trailer, RELOC_TRL_SELF_CRC32));
    rp_buf_append(out, subject->file->data, trailer_at);
    rp_buf_append(out, trailer, sizeof trailer);
    rp_buf_append(out, s->data, s->len);
    for (size_t i = 0; i < signatures->count; i++) {
        const struct rp_signature *item = &signatures->items[i];
        put_entry(out, RELOC_SIG_KEY_HASH, item->key_hash, RELOC_SIG_KEY_HASH_BYTES);
        put_entry(out, item->type, item->value, RELOC_SIG_VALUE_BYTES);
    }
    return true;
}
