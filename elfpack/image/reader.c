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

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "elfpack/image/compact.h"

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

const char *rp_entry_name(size_t index) {
    static const char *const names[RELOC_ENTRY_COUNT] = {"create",
                                                         "init",
                                                         "init_v2",
                                                         "run",
                                                         "report",
                                                         "error",
                                                         "destroy",
                                                         "forward",
                                                         "plt_obs_register",
                                                         "plt_obs_unregister",
                                                         "plt_obs_node_info",
                                                         "ctx"};
    return names[index];
}

const char *rp_npu_entry_name(size_t count, size_t index) {
    static const char *const names[] = {"ec_network_init", "ec_inference_init", "input_setter",
                                        "input_getter",    "output_setter",     "output_getter",
                                        "epoch_items",     "output_buffers",    "input_buffers",
                                        "internal_buffers"};
    static const char *const encryption[] = {"weight_encryption_info", "blob_encryption_info"};
    if (index + 1 == count)
        return "ctx";
    return index < RELOC_NPU_ENTRY_CTX ? names[index] : encryption[index - RELOC_NPU_ENTRY_CTX];
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
static void count_word(struct rp_word_counts *counts, uint32_t word, bool is_npu) {
    switch (word & RELOC_SEG_MASK) {
    case RELOC_SEG_FLASH:
        counts->flash++;
        return;
    case RELOC_SEG_RAM: /* PARAM_0 of Neural-ART images */
        counts->ram += !is_npu;
        counts->params += is_npu;
        return;
    case RELOC_NPU_SEG_RAM:
        counts->ram++;
        return;
    case RELOC_NPU_SEG_PARAM_1:
        counts->ext_ram++;
        return;
    default:
        counts->zero++;
    }
}
_Static_assert(RELOC_NPU_SEG_PARAM_0 == RELOC_SEG_RAM, "one nibble, two segments");

static void count_words(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    for (uint32_t at = view->got_start; at < view->got_end; at += 4)
        count_word(&image->got, reloc_data_word(view, at), image->is_npu);
    for (uint32_t at = view->rel_start; at < view->rel_end; at += 4) {
        uint32_t entry = rp_get_le32(view->image + at), offset = entry & RELOC_OFFSET_MASK;
        bool in_flash = (entry & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
        image->rel_in_flash += in_flash;
        count_word(&image->rel,
                   in_flash ? rp_get_le32(view->image + offset) : reloc_data_word(view, offset),
                   image->is_npu);
    }
}

/*
 * Counts a compact table only if its addresses are in ascending order and lie in the data, and the
 * words there are 0 or addresses in the image (the ends of parts included).
 */
static void count_compact(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    struct rp_compact table = rp_compact_find(view->image, RELOC_HDR_BYTES + 4, view->ro_bytes);
    uint32_t bytes = table.bytes + 4, where, next = 0;
    if (table.at == NULL)
        return;
    while (rp_compact_next(&table, &where)) {
        uint32_t offset = where ^ RELOC_SEG_RAM;
        bool fits = offset % 4 == 0 && offset >= next && offset <= view->data_end - 4;
        uint32_t word = fits ? reloc_data_word(view, offset) : 0;
        if (!fits || (word != 0 && (word ^ RELOC_SEG_FLASH) > view->ro_bytes &&
                      (word ^ RELOC_SEG_RAM) > view->bss_end)) {
            image->compact = (struct rp_word_counts){0};
            return;
        }
        count_word(&image->compact, word, false);
        next = offset + 4;
    }
    image->compact_bytes = bytes;
}

static bool is_fixup(const struct reloc_view *view, uint32_t where, uint32_t target) {
    uint32_t offset = where & RELOC_OFFSET_MASK;
    bool external =
        target == RELOC_SEG_WEIGHTS || target == RELOC_SEG_ACTS || target == RELOC_SEG_IMPORT;
    switch (where & RELOC_SEG_MASK) {
    case RELOC_SEG_RAM:
        return external && offset < view->got_end;
    case RELOC_FIXUP_CODE_WORD:
    case RELOC_FIXUP_CODE_MOVW:
    case RELOC_FIXUP_CODE_MOVT:
        return (external || target == RELOC_SEG_FLASH || target == RELOC_SEG_RAM) &&
               offset >= RELOC_HDR_BYTES && offset < view->ro_bytes;
    default:
        return false;
    }
}

/*
 * Recognises the fix-up table by its form alone: it ends the read-only part, or precedes the
 * compact table there; its first word is the number of its entries, and each entry is one of
 * reloc_format.h.
 */
static uint32_t count_fixups(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    uint32_t end = view->ro_bytes - image->compact_bytes;
    image->patches = 0;
    uint32_t most = (end - RELOC_HDR_BYTES - 4) / RELOC_FIXUP_BYTES;
    for (uint32_t count = 1; count <= most; count++) {
        const uint8_t *entry = view->image + end - count * RELOC_FIXUP_BYTES;
        uint32_t where = rp_get_le32(entry), target = rp_get_le32(entry + 4) & RELOC_SEG_MASK;
        if (!is_fixup(view, where, target))
            return 0;
        image->patches += (where & RELOC_SEG_MASK) != RELOC_SEG_RAM;
        if (rp_get_le32(entry - 4) == count)
            return count;
    }
    image->patches = 0;
    return 0;
}

/*
 * The two tables at the end of the read-only part. A compact table counts only if it follows a
 * fix-up table, which may be empty.
 */
static void count_tables(struct rp_image_view *image) {
    count_compact(image);
    image->fixups = count_fixups(image);
    uint32_t end = image->view.ro_bytes - image->compact_bytes;
    if (image->compact_bytes == 0 || image->fixups != 0 ||
        rp_get_le32(image->view.image + end - 4) == 0)
        return;
    image->compact = (struct rp_word_counts){0};
    image->compact_bytes = 0;
}

const uint8_t *rp_next_import(const uint8_t *import) {
    return import + 4 + ((strlen((const char *)import + 4) + 4) & ~(size_t)3);
}

/*
 * Finds the list of imports, which ends where the fix-up table starts: rows, their size, their
 * number.
 */
static bool find_imports(struct rp_image_view *image, const char *path, struct rp_error *err) {
    const struct reloc_view *view = &image->view;
    uint32_t table = view->ro_bytes - image->compact_bytes - RELOC_FIXUP_BYTES * image->fixups - 4,
             highest = 0;
    bool any = false;
    for (uint32_t i = 0; i < image->fixups; i++) {
        uint32_t target = rp_get_le32(view->image + table + 8 + RELOC_FIXUP_BYTES * i);
        bool import = (target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT;
        if (import && RELOC_IMPORT_INDEX(target) > highest)
            highest = RELOC_IMPORT_INDEX(target);
        any = any || import;
    }
    if (!any)
        return true;
    const uint8_t *end = view->image + table - 8;
    uint32_t room = table - RELOC_HDR_BYTES, bytes = room >= 8 ? rp_get_le32(end) : 0;
    image->import_count = room >= 8 ? rp_get_le32(end + 4) : 0;
    bool ok = room >= 8 && bytes <= room - 8 && bytes % 4 == 0 && image->import_count > highest;
    const uint8_t *row = ok ? end - bytes : end;
    uint32_t left = image->import_count;
    image->imports = row;
    for (; ok && left != 0 && end - row >= 8; left--) {
        ok = memchr(row + 4, '\0', (size_t)(end - row) - 4) != NULL;
        row = ok ? rp_next_import(row) : row;
    }
    return (ok && left == 0 && row == end) ||
           rp_fail(err, RP_E_IMAGE, "'%s': the list of imports is damaged", path);
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

/*
 * Version 1.0 (tool versions 6 and 7.0) has the same header but different calling conventions.
 * Loaders of version 2.0 refuse it; describing it is harmless.
 */
static int32_t check_any_version(struct rp_image_view *image, const struct rp_mapped *file) {
    int32_t code = reloc_core_check(file->data, file->size, &image->view);
    if (code != RELOC_E_VERSION)
        return code;
    uint32_t major = RELOC_FLAGS_MAJOR(image->view.flags);
    if (major == 1 && RELOC_FLAGS_MINOR(image->view.flags) == 0) {
        uint32_t parts = reloc_check_parts(&image->view);
        return reloc_result(parts != RELOC_OK ? parts : reloc_check_words(&image->view));
    }
    image->is_npu = major == RELOC_NPU_MAJOR;
    if (image->is_npu)
        code = reloc_npu_check(file->data, file->size, &image->npu);
    image->view = image->is_npu ? image->npu.base : image->view;
    return code;
}

/* With a trailer, the loader's check skips the context's own CRC of the params. */
static bool check_params(const struct rp_image_view *image, const struct rp_mapped *file,
                         struct rp_error *err) {
    const struct reloc_npu_view *npu = &image->npu;
    if (!image->is_npu || !image->has_trailer || npu->params_start == 0)
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
    if (!image->is_npu)
        count_tables(image);
    if (!find_imports(image, file->path, err))
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

uint32_t rp_image_ram_xip(const struct rp_image_view *image) {
    return image->is_npu ? reloc_npu_ram_xip(&image->npu) : reloc_ram_xip(&image->view);
}

uint32_t rp_image_ram_copy(const struct rp_image_view *image) {
    return image->is_npu ? reloc_npu_ram_copy(&image->npu) : reloc_ram_copy(&image->view);
}

bool rp_image_needs_copy(const struct rp_image_view *image) {
    return image->is_npu ? image->npu.needs_copy : image->patches != 0;
}

uint32_t rp_image_acts(const struct rp_image_view *image) {
    return image->is_npu ? reloc_npu_round8(image->npu.ext_ram_size) : image->view.acts_size;
}

uint32_t rp_image_above(const struct rp_image_view *image, uint32_t id) {
    for (uint32_t i = 0; image->is_npu && i < image->npu.pool_count; i++) {
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
    int32_t code = image->is_npu
                       ? reloc_npu_check_params(&image->npu, weights->data, weights->size)
                       : reloc_core_check_weights(&image->view, weights->data, weights->size);
    if (code != RELOC_OK)
        return rp_fail(err,
                       code == RELOC_E_WEIGHTS_SIZE || code == RELOC_E_PARAMS_SIZE ? RP_E_WEIGHTS
                                                                                   : RP_E_INTEGRITY,
                       "'%s': %s", weights->path, weights_error_text(code));
    /* a params file needs no trailer if the image also contains its params */
    if (!image->has_trailer || (image->is_npu && (image->trailer.flags & RELOC_TRL_SPLIT) == 0))
        return true;
    uint32_t size = image->is_npu ? image->npu.params_bin_size : image->view.weights_size;
    uint32_t at = (size + RELOC_WEIGHTS_ALIGN - 1) & ~(uint32_t)(RELOC_WEIGHTS_ALIGN - 1);
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
