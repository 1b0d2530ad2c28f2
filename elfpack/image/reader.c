/* SPDX-License-Identifier: Apache-2.0 */
/* Reads image files: see reader.h. */
#include "elfpack/image/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

bool rp_map_file(struct rp_mapped *file, const char *path, struct rp_error *err) {
    struct stat st;
    *file = (struct rp_mapped){.path = path};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    const char *why = NULL;
    rp_file_note(path);
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        why = "it is not a regular file";
    else if (st.st_size == 0)
        why = "it is empty";
    else if ((uint64_t)st.st_size > RELOC_OFFSET_MASK)
        why = "it is larger than an image can be (256 MiB)";
    void *data = why == NULL ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (why == NULL && data == MAP_FAILED)
        why = strerror(errno);
    if (why != NULL)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, why);
    file->data = data;
    file->size = (uint32_t)st.st_size;
    return true;
}

void rp_unmap_file(struct rp_mapped *file) {
    union {
        const uint8_t *read_only;
        void *plain;
    } address = {.read_only = file->data};
    if (file->data != NULL)
        munmap(address.plain, file->size);
    file->data = NULL;
}

const char *rp_reloc_error_text(int32_t code) {
    switch (code) {
#define X(name, value, text)                                                                       \
    case value:                                                                                    \
        return text;
#include "runtime/format/reloc_errors.def"
#undef X
    default:
        return "no error";
    }
}

/* Counts a word that is 0 or an address in one of the segments, as has been checked. */
static void count_word(struct rp_word_counts *counts, const struct rp_image_format *format,
                       uint32_t word) {
    const struct rp_format_place *place = format->places;
    while (place->name != NULL && place->base != (word & RELOC_SEG_MASK))
        place++;
    uint32_t *const of[] = {[RP_SEG_FLASH] = &counts->flash,
                            [RP_SEG_RAM] = &counts->ram,
                            [RP_SEG_PARAM_0] = &counts->params,
                            [RP_SEG_PARAM_1] = &counts->ext_ram};
    ++*(place->name != NULL && of[place->segment] != NULL ? of[place->segment] : &counts->zero);
}

static void count_words(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    for (uint32_t at = view->got_start; at < view->got_end; at += 4)
        count_word(&image->got, image->format, reloc_data_word(view, at));
    for (uint32_t at = view->rel_start; at < view->rel_end; at += 4) {
        uint32_t entry = rp_get_le32(view->image + at), offset = entry & RELOC_OFFSET_MASK;
        bool in_flash = (entry & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
        image->rel_in_flash += in_flash;
        count_word(&image->rel, image->format,
                   in_flash ? rp_get_le32(view->image + offset) : reloc_data_word(view, offset));
    }
}

/*
 * Checks the SHA-256; the loader's check has compared the CRC-32 of the same bytes. Also computes
 * sha256, that of the whole file, because one pass gives both.
 */
static bool check_hash(uint8_t sha256[RELOC_SHA256_BYTES], const struct rp_trailer *trailer,
                       const struct rp_mapped *file, struct rp_error *err) {
    if (trailer->sum.length > file->size)
        return rp_fail(err, RP_E_INTEGRITY, "'%s' has %u bytes, but its trailer says %llu",
                       file->path, file->size, (unsigned long long)trailer->sum.length);
    struct rp_two_hashes hashes =
        rp_sha256_twice(file->data, (size_t)trailer->sum.length, file->size);
    memcpy(sha256, hashes.all, sizeof hashes.all);
    return memcmp(hashes.first, trailer->sum.sha256, sizeof hashes.first) == 0 ||
           rp_fail(err, RP_E_INTEGRITY,
                   "'%s': the SHA-256 of the content does not match its integrity trailer",
                   file->path);
}

static int32_t check_any_version(struct rp_image_view *image, const struct rp_mapped *file) {
    image->format = &rp_format_cortex_m;
    int32_t code = image->format->reader.check(image, file);
    const struct rp_image_format *other =
        code == RELOC_E_VERSION ? rp_format_find(RELOC_FLAGS_MAJOR(image->view.flags)) : NULL;
    if (other == NULL || other == image->format)
        return code;
    image->format = other;
    return other->reader.check(image, file);
}

/* With a trailer, the loader's check skips the context's own CRC of the params. */
static bool check_params(const struct rp_image_view *image, const struct rp_mapped *file,
                         struct rp_error *err) {
    const struct reloc_npu_view *npu = &image->npu;
    if (!image->has_trailer || npu->params_start == 0)
        return true;
    return rp_crc32_bytes(file->data + npu->params_start, npu->params_bin_size) ==
               npu->params_bin_crc32 ||
           rp_fail(err, RP_E_INTEGRITY, "'%s': %s", file->path,
                   rp_reloc_error_text(RELOC_E_PARAMS_CRC));
}

/* Checks that trailer and header agree on where the weights are. */
static bool check_split(const struct rp_image_view *image, const struct rp_mapped *file,
                        struct rp_error *err) {
    const struct reloc_view *view = &image->view;
    bool split = (image->trailer.flags & RELOC_TRL_SPLIT) != 0;
    if (split ? view->weights_start == 0
              : image->trailer.weights_length <= view->weights_end - view->weights_start)
        return true;
    return rp_fail(err, RP_E_INTEGRITY, "'%s': %s", file->path,
                   rp_reloc_error_text(RELOC_E_TRAILER));
}

/*
 * Refuses a word that REL lists twice. The loader notices when it rebases, which is not done here.
 */
static bool check_unique(const struct rp_image_view *image, const struct rp_mapped *file,
                         struct rp_error *err) {
    const struct reloc_view *view = &image->view;
    uint8_t *seen = rp_heap(view->rel_end / 8 + 1);
    bool twice = false;
    for (uint32_t at = view->rel_start; at < view->rel_end; at += 4) {
        uint32_t entry = rp_get_le32(view->image + at), place = entry & RELOC_OFFSET_MASK;
        if ((entry & RELOC_SEG_MASK) != RELOC_SEG_FLASH)
            place += view->ro_bytes; /* where its load image lies, before REL */
        twice = twice || (seen[place / 8] >> place % 8 & 1) != 0;
        seen[place / 8] = (uint8_t)(seen[place / 8] | 1u << place % 8);
    }
    free(seen);
    return !twice || rp_fail(err, RP_E_IMAGE, "'%s': %s", file->path,
                             rp_reloc_error_text(RELOC_E_REL_DUPLICATE));
}

bool rp_image_read(struct rp_image_view *image, const struct rp_mapped *file,
                   struct rp_error *err) {
    *image = (struct rp_image_view){0};
    int32_t code = check_any_version(image, file);
    if (code == RELOC_E_TABLES) { /* is the file damaged, or were the tables wrong when made? */
        uint32_t trailer = reloc_check_trailer(&image->view);
        code = trailer != RELOC_OK ? reloc_result(trailer) : code;
    }
    if (code != RELOC_OK) {
        bool integrity =
            code == RELOC_E_CRC || code == RELOC_E_TRAILER || code == RELOC_E_PARAMS_CRC;
        rp_fail(err, integrity ? RP_E_INTEGRITY : RP_E_IMAGE, "'%s': %s", file->path,
                rp_reloc_error_text(code));
        return code == RELOC_E_POOL_PARAMS && image->npu.params_bin_size == 0 &&
               rp_hint(err, "it was packaged without its params: initialisers of the network's "
                            "pools were missing");
    }
    if (!check_unique(image, file, err))
        return false;
    count_words(image);
    if (!image->format->reader.describe(image, file, err))
        return false;
    image->has_trailer = image->view.trailer != 0;
    return !image->has_trailer ||
           ((rp_trailer_get(file->data + image->view.trailer, &image->trailer) ||
             rp_fail(err, RP_E_INTEGRITY, "'%s': the trailer is damaged", file->path)) &&
            check_split(image, file, err) &&
            check_hash(image->sha256, &image->trailer, file, err) &&
            check_params(image, file, err));
}

void rp_image_sha256(uint8_t out[RELOC_SHA256_BYTES], const struct rp_image_view *image,
                     const struct rp_mapped *file) {
    if (image->has_trailer) {
        memcpy(out, image->sha256, RELOC_SHA256_BYTES);
    } else {
        struct rp_two_hashes hashes = rp_sha256_twice(file->data, 0, file->size);
        memcpy(out, hashes.all, sizeof hashes.all);
    }
}

uint32_t rp_image_above(const struct rp_image_view *image, uint32_t id) {
    for (uint32_t i = 0; i < image->npu.pool_count; i++) {
        const struct reloc_npu_row *row = &image->npu.rows[i];
        if (reloc_npu_row_is_relative(row) && RELOC_NPU_POOL_GET_ID(row->flags) == id &&
            (RELOC_NPU_POOL_GET_ATTR(row->flags) & RELOC_NPU_POOL_CACHEABLE) != 0)
            return RELOC_NPU_EXTERNAL_ADDR;
    }
    return 0;
}

/* Texts for a weights file where those of the loader speak of the image. */
static const char *weights_error_text(int32_t code) {
    switch (code) {
    case RELOC_E_CRC:
        return "the CRC-32 of the weights does not match their integrity trailer";
    case RELOC_E_WEIGHTS_SIZE:
        return "the weights are shorter than the model declares";
    default:
        return rp_reloc_error_text(code);
    }
}

bool rp_weights_check(const struct rp_image_view *image, const struct rp_mapped *weights,
                      struct rp_error *err) {
    struct rp_trailer trailer;
    uint8_t sha256[RELOC_SHA256_BYTES];
    int32_t code = image->format->reader.check_weights(image, weights);
    if (code != RELOC_OK)
        return rp_fail(err,
                       code == RELOC_E_WEIGHTS_SIZE || code == RELOC_E_PARAMS_SIZE ? RP_E_WEIGHTS
                                                                                   : RP_E_INTEGRITY,
                       "'%s': %s", weights->path, weights_error_text(code));
    /* a params file needs no trailer if the image also contains its params */
    if (!image->has_trailer ||
        (!image->format->reader.needs_trailers && (image->trailer.flags & RELOC_TRL_SPLIT) == 0))
        return true;
    uint32_t at =
        (image->needs.weights + RELOC_WEIGHTS_ALIGN - 1) & ~(uint32_t)(RELOC_WEIGHTS_ALIGN - 1);
    return (rp_trailer_get(weights->data + at, &trailer) ||
            rp_fail(err, RP_E_INTEGRITY, "'%s': the trailer is damaged", weights->path)) &&
           check_hash(sha256, &trailer, weights, err);
}

bool rp_weights_read(struct rp_trailer *trailer, const struct rp_mapped *file,
                     struct rp_error *err) {
    if (file->size < RELOC_TRL_BYTES ||
        !rp_trailer_get(file->data + file->size - RELOC_TRL_BYTES, trailer) ||
        trailer->kind != RELOC_TRL_WEIGHTS ||
        trailer->sum.length != file->size - (uint32_t)RELOC_TRL_BYTES ||
        trailer->weights_length > trailer->sum.length)
        return rp_fail(err, RP_E_INTEGRITY, "'%s': the trailer is damaged", file->path);
    uint8_t sha256[RELOC_SHA256_BYTES];
    uint32_t crc = rp_crc32_bytes(file->data, (size_t)trailer->sum.length);
    if (crc != trailer->sum.crc32)
        return rp_fail(err, RP_E_INTEGRITY,
                       "'%s': the CRC-32 of the content does not match its integrity trailer",
                       file->path);
    if (!check_hash(sha256, trailer, file, err))
        return false;
    if (trailer->weights_length != trailer->sum.length) /* there is fill before the trailer */
        crc = rp_crc32_bytes(file->data, trailer->weights_length);
    return crc == trailer->weights_crc32 ||
           rp_fail(err, RP_E_INTEGRITY,
                   "'%s': the CRC-32 of the weights does not match their integrity trailer",
                   file->path);
}

uint32_t rp_image_stray(const struct rp_image_view *image, const struct rp_mapped *file) {
    if (!image->has_trailer)
        return 0;
    const uint32_t trailer = image->view.trailer;
    const uint64_t end = (uint64_t)trailer + RELOC_TRL_BYTES +
                         rp_get_le32(file->data + trailer + RELOC_TRL_SIGNATURE_SIZE);
    return end >= file->size || reloc_is_fill(file->data, file->size, (uint32_t)end)
               ? 0
               : file->size - (uint32_t)end;
}
