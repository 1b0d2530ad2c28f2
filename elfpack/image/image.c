/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the image and the weights file: see image.h. */
#include "elfpack/image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "elfpack/insn/static_base.h"

static uint32_t align_up(uint32_t size, uint32_t align) {
    return (size + align - 1) & ~(align - 1);
}

uint64_t rp_weights_size(const struct rp_weights_source *weights) {
    uint64_t size = 0;
    for (; weights != NULL; weights = weights->next)
        size += weights->size + weights->padding;
    return size;
}

/* ---- in memory, the part before the weights: header, code, fix-ups, data, GOT, REL ---- */

static void put_header(uint8_t *head, const struct rp_layout *layout,
                       const struct rp_image_result *at) {
    uint32_t ram = layout->parts.format->ram;
    rp_put_le32(head + RELOC_HDR_MAGIC, RELOC_MAGIC);
    rp_put_le32(head + RELOC_HDR_FLAGS, layout->parts.header.flags);
    rp_put_le32(head + RELOC_HDR_DATA_START, ram);
    rp_put_le32(head + RELOC_HDR_DATA_END, ram | layout->parts.bounds.data_end);
    rp_put_le32(head + RELOC_HDR_DATA_DATA, RELOC_SEG_FLASH | layout->parts.bounds.ro_size);
    rp_put_le32(head + RELOC_HDR_BSS_START, ram | layout->parts.bounds.bss_start);
    rp_put_le32(head + RELOC_HDR_BSS_END, ram | layout->parts.bounds.bss_end);
    rp_put_le32(head + RELOC_HDR_GOT_START, ram | layout->parts.bounds.got_start);
    rp_put_le32(head + RELOC_HDR_GOT_END, ram | layout->parts.bounds.got_end);
    rp_put_le32(head + RELOC_HDR_REL_START, RELOC_SEG_FLASH | at->rel_start);
    rp_put_le32(head + RELOC_HDR_REL_END, RELOC_SEG_FLASH | at->rel_end);
    /* the last two words before the entry vector depend on the format */
    layout->parts.format->writer.put_weights(head, layout, at);
}

static void put_fixups(struct rp_buf *code, const struct rp_layout *layout) {
    if (layout->tables.fixups_at == 0)
        return;
    rp_put_le32(code->data + layout->tables.fixups_at, (uint32_t)layout->words.fixups.count);
    for (size_t i = 0; i < layout->words.fixups.count; i++) {
        rp_buf_le32(code, layout->words.fixups.items[i].where);
        rp_buf_le32(code, layout->words.fixups.items[i].target);
    }
    for (size_t i = 0; i < layout->words.compact.count; i++)
        rp_buf_le32(code, layout->words.compact.items[i]);
}

/* Words that the image sets itself are 0 in the file: a loader would abort on their segment. */
static void put_data(struct rp_buf *code, const struct rp_layout *layout) {
    size_t start = code->len;
    rp_buf_append(code, layout->parts.data->contents, layout->parts.data->size);
    const struct rp_fixups *lists[] = {&layout->words.fixups, &layout->words.nulled};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if ((lists[k]->items[i].where & RELOC_SEG_MASK) == layout->parts.format->ram)
                rp_put_le32(code->data + start + (lists[k]->items[i].where & RELOC_OFFSET_MASK), 0);
    rp_buf_align(code, layout->parts.format->align, 0);
}

static bool plan_offsets(const struct rp_image_spec *spec, struct rp_image_result *at,
                         struct rp_error *err) {
    const struct rp_layout *layout = spec->layout;
    uint64_t weights = rp_weights_size(&spec->weights);
    uint64_t rel_start = (uint64_t)layout->parts.bounds.ro_size +
                         align_up(layout->parts.data->size, layout->parts.format->align);
    uint64_t rel_end = rel_start + 4 * (uint64_t)layout->words.listed.count;
    const struct rp_format_writer *writer = &layout->parts.format->writer;
    uint64_t with_weights = writer->weights_align(spec) + weights + RELOC_TRL_BYTES;
    bool separate = spec->weights_path != NULL;
    const struct {
        const char *what;
        uint64_t bytes;
    } rows[] = {{"the image", rel_end + (separate ? RELOC_TRL_BYTES : with_weights)},
                {"the weights file", separate ? with_weights : 0},
                {"the activations", spec->acts_size > 0 ? (uint64_t)spec->acts_size : 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].bytes > RELOC_OFFSET_MASK)
            return rp_fail(err, RP_E_TOO_LARGE, "%s would have %llu bytes; at most %u are possible",
                           rows[i].what, (unsigned long long)rows[i].bytes, RELOC_OFFSET_MASK);
    at->rel_start = (uint32_t)rel_start;
    at->rel_end = (uint32_t)rel_end;
    at->trailer = at->rel_end;
    if ((weights != 0 || writer->places_empty) && !separate) {
        at->weights_start = align_up(at->rel_end, writer->weights_align(spec));
        at->weights_end = at->weights_start + (uint32_t)weights;
        at->trailer = align_up(at->weights_end, 4);
    }
    return true;
}

static bool build_code(struct rp_buf *code, const struct rp_image_spec *spec,
                       struct rp_image_result *result, struct rp_error *err) {
    const struct rp_layout *layout = spec->layout;
    const struct rp_format_writer *writer = &layout->parts.format->writer;
    if (!plan_offsets(spec, result, err))
        return false;
    rp_buf_append(code, layout->parts.flash->contents, layout->parts.flash->size);
    rp_static_base_apply(&layout->words.based, code->data);
    rp_buf_align(code, layout->parts.format->align, 0);
    put_fixups(code, layout);
    put_data(code, layout);
    size_t context =
        layout->parts.bounds.ro_size + (rp_parts_context(&layout->parts) & RELOC_OFFSET_MASK);
    if (!writer->put_context(code, context, spec, result, err))
        return false;
    put_header((uint8_t *)code->data, layout, result);
    for (size_t i = 0; i < layout->words.listed.count; i++)
        rp_buf_le32(code, layout->words.listed.items[i]);
    if (code->len != result->rel_end)
        return rp_fail(err, RP_E_INTERNAL,
                       "the image has %zu bytes up to its weights, but %u were planned", code->len,
                       result->rel_end);
    rp_buf_align(code, result->weights_start != 0 ? writer->weights_align(spec) : 1, 0);
    return true;
}

/* ---- files ---- */

struct out {
    const char *path;
    int fd;
    struct rp_digest *digest; /* of all that was written */
};

static bool out_open(struct out *out, const char *path, struct rp_error *err) {
    *out = (struct out){.path = path, .digest = rp_digest_new()};
    out->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return out->fd >= 0 || rp_fail_errno(err, errno, "cannot create", path);
}

static bool out_write(struct out *out, const void *bytes, size_t len, struct rp_error *err) {
    rp_digest_add(out->digest, bytes, len);
    return rp_write_all(out->fd, bytes, len) ||
           rp_fail_errno(err, errno, "cannot write", out->path);
}

static bool out_zeros(struct out *out, uint64_t count, struct rp_error *err) {
    static const uint8_t zeros[4096];
    for (; count > sizeof zeros; count -= sizeof zeros)
        if (!out_write(out, zeros, sizeof zeros, err))
            return false;
    return count == 0 || out_write(out, zeros, (size_t)count, err);
}

static bool out_pad(struct out *out, size_t align, struct rp_error *err) {
    size_t over = (size_t)(rp_digest_sum(out->digest).length % align);
    return over == 0 || out_zeros(out, align - over, err);
}

static bool out_part(struct out *out, const struct rp_weights_source *source,
                     struct rp_error *err) {
    if (source->size == 0)
        return true;
    int in = open(source->path, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", source->path, strerror(errno));
    const struct rp_copy copy = {in,           source->path, source->offset,
                                 source->size, out->fd,      out->path};
    bool ok = rp_copy_digest(&copy, out->digest, err);
    close(in);
    return ok;
}

static bool out_weights(struct out *out, const struct rp_weights_source *source,
                        struct rp_error *err) {
    for (; source != NULL; source = source->next)
        if (!out_part(out, source, err) || !out_zeros(out, source->padding, err))
            return false;
    return true;
}

static bool out_trailer(struct out *out, struct rp_trailer *trailer, struct rp_error *err) {
    uint8_t bytes[RELOC_TRL_BYTES];
    trailer->sum = rp_digest_sum(out->digest);
    rp_trailer_put(bytes, trailer);
    return out_write(out, bytes, sizeof bytes, err);
}

static bool out_close(struct out *out, bool ok, struct rp_error *err) {
    rp_digest_free(out->digest);
    if (out->fd >= 0 && close(out->fd) != 0 && ok)
        return rp_fail_errno(err, errno, "cannot write", out->path);
    return ok;
}

static bool write_weights(const struct rp_image_spec *spec, const struct rp_sum *code,
                          struct rp_trailer *trailer, struct rp_image_result *result,
                          struct rp_error *err) {
    struct out out;
    bool ok = out_open(&out, spec->weights_path, err) && out_weights(&out, &spec->weights, err);
    if (ok) {
        struct rp_sum payload = rp_digest_sum(out.digest);
        trailer->kind = RELOC_TRL_WEIGHTS;
        trailer->flags = RELOC_TRL_SPLIT;
        trailer->weights_length = (uint32_t)payload.length;
        trailer->weights_crc32 = payload.crc32;
        rp_build_id(trailer->build_id, code, &payload);
        ok = out_pad(&out, RELOC_WEIGHTS_ALIGN, err) && out_trailer(&out, trailer, err);
    }
    result->weights = rp_digest_sum(out.digest);
    return out_close(&out, ok, err);
}

static bool write_image(const struct rp_image_spec *spec, const struct rp_buf *code,
                        struct rp_trailer *trailer, struct rp_image_result *result,
                        struct rp_error *err) {
    struct out out;
    bool ok = out_open(&out, spec->image_path, err) && out_write(&out, code->data, code->len, err);
    trailer->kind = RELOC_TRL_IMAGE;
    if (ok && spec->weights_path == NULL) {
        struct rp_sum before = rp_digest_sum(out.digest);
        ok = out_weights(&out, &spec->weights, err);
        struct rp_sum after = rp_digest_sum(out.digest);
        /* No byte is read twice for the CRC-32 of the weights: crc(code ‖ weights) is
   join(crc(code), crc(weights)), and join is linear in its first part. */
        uint64_t length = after.length - before.length;
        trailer->weights_length = (uint32_t)length;
        trailer->weights_crc32 = after.crc32 ^ rp_crc32_join(before.crc32, 0, length);
        memcpy(trailer->build_id, after.sha256, RELOC_BUILD_ID_BYTES);
    }
    ok = ok && out_pad(&out, 4, err) && out_trailer(&out, trailer, err);
    result->image = rp_digest_sum(out.digest);
    return out_close(&out, ok, err);
}

bool rp_image_write(const struct rp_image_spec *spec, struct rp_image_result *result,
                    struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf code = {.arena = &arena};
    struct rp_trailer trailer = {0};
    *result = (struct rp_image_result){0};
    bool ok = build_code(&code, spec, result, err);
    if (ok && spec->check.check != NULL)
        ok = spec->check.check(spec->check.context, (const uint8_t *)code.data, code.len, result,
                               err);
    if (ok && spec->weights_path != NULL) {
        struct rp_sum sum = rp_sum_bytes(code.data, code.len);
        ok = write_weights(spec, &sum, &trailer, result, err);
    }
    ok = ok && write_image(spec, &code, &trailer, result, err);
    memcpy(result->build_id, trailer.build_id, RELOC_BUILD_ID_BYTES);
    rp_arena_release(&arena);
    return ok;
}

/* Reads the trailer of an open weights file of size bytes. */
static bool read_weights_trailer(int fd, uint64_t size, struct rp_trailer *trailer) {
    uint8_t bytes[RELOC_TRL_BYTES];
    uint64_t body = size - RELOC_TRL_BYTES;
    return size >= RELOC_TRL_BYTES &&
           pread(fd, bytes, sizeof bytes, (off_t)body) == (ssize_t)sizeof bytes &&
           rp_trailer_get(bytes, trailer) && trailer->kind == RELOC_TRL_WEIGHTS &&
           trailer->sum.length == body && trailer->weights_length <= body;
}

bool rp_is_weights_file(const char *path) {
    struct rp_trailer trailer;
    uint64_t size;
    int fd = rp_file_size(path, &size, NULL) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool found = fd >= 0 && read_weights_trailer(fd, size, &trailer);
    if (fd >= 0)
        close(fd);
    return found;
}

bool rp_weights_payload(const char *path, uint64_t *size, struct rp_error *err) {
    struct rp_trailer trailer;
    if (!rp_file_size(path, size, err))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    if (read_weights_trailer(fd, *size, &trailer))
        *size = trailer.weights_length;
    close(fd);
    return true;
}
