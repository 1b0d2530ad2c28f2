/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of both kinds of images: see parts.h. */
#include "cli/inspect/parts.h"

#include <stdio.h>

#include "base/printable.h"
#include "cli/report/npu_names.h"
#include "elfpack/image.h"

void rp_inspect_integrity(const struct rp_image_view *image) {
    char hex[2 * RELOC_SHA256_BYTES + 1];
    if (!image->has_trailer) {
        printf("integrity    no trailer\n");
        return;
    }
    rp_hex(hex, image->trailer.build_id, sizeof image->trailer.build_id);
    printf("build id     %s\n", hex);
    rp_hex(hex, image->trailer.sum.sha256, sizeof image->trailer.sum.sha256);
    printf("integrity    %llu bytes, CRC-32 %08x and SHA-256 are right\n             %s\n",
           (unsigned long long)image->trailer.sum.length, image->trailer.sum.crc32, hex);
}

void rp_inspect_head(const struct rp_mapped *file, const struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    struct rp_arena arena = {0};
    printf("image        %s, %u bytes\n", file->path, file->size);
    printf("name         %s\n", rp_printable(&arena, (const char *)view->image + view->c_name));
    rp_arena_release(&arena);
    printf("version      v%u.%u '%s' cpuid=%03X fpu=%s float-abi=%u\n",
           RELOC_FLAGS_MAJOR(view->flags), RELOC_FLAGS_MINOR(view->flags),
           rp_toolchain_name(view->flags), RELOC_FLAGS_CPUID(view->flags),
           RELOC_FLAGS_FPU(view->flags) != 0 ? "True" : "False",
           RELOC_FLAGS_FLOAT_ABI(view->flags));
    if (RELOC_FLAGS_MAJOR(view->flags) < RELOC_MAJOR)
        printf("             an older calling convention: loaders of version 2.0 refuse it\n");
    printf("RAM          %u bytes in XIP mode, %u in COPY mode\n", rp_image_ram_xip(image),
           rp_image_ram_copy(image));
}

void rp_inspect_parts(const struct rp_inspect_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        printf("%-12s %-6s %08x-%08x %10u bytes\n", parts[i].name, parts[i].segment, parts[i].start,
               parts[i].end, parts[i].end - parts[i].start);
    printf("\n");
}

struct rp_json *rp_inspect_counts_json(struct rp_json *root, const char *key, uint32_t words,
                                       const struct rp_word_counts *counts) {
    struct rp_json *object = rp_json_new_object(root, key);
    rp_json_put_int(object, "words", words);
    rp_json_put_int(object, "flash", counts->flash);
    rp_json_put_int(object, "ram", counts->ram);
    rp_json_put_int(object, "zero", counts->zero);
    return object;
}

void rp_inspect_integrity_json(struct rp_json *root, const struct rp_image_view *image) {
    char hex[2 * RELOC_SHA256_BYTES + 1];
    if (!image->has_trailer)
        return;
    struct rp_json *object = rp_json_new_object(root, "integrity");
    rp_json_put_int(object, "trailer_offset", image->view.trailer);
    rp_json_put_int(object, "length", (int64_t)image->trailer.sum.length);
    rp_json_put_word(object, "crc32", image->trailer.sum.crc32);
    rp_hex(hex, image->trailer.sum.sha256, sizeof image->trailer.sum.sha256);
    rp_json_put_string(object, "sha256", hex);
    rp_hex(hex, image->trailer.build_id, sizeof image->trailer.build_id);
    rp_json_put_string(object, "build_id", hex);
}

void rp_inspect_parts_json(struct rp_json *root, const struct rp_inspect_part *parts,
                           size_t count) {
    struct rp_json *list = rp_json_new_array(root, "sections");
    for (size_t i = 0; i < count; i++) {
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "name", parts[i].name);
        rp_json_put_string(item, "segment", parts[i].segment);
        rp_json_put_int(item, "offset", parts[i].start);
        rp_json_put_int(item, "size_bytes", parts[i].end - parts[i].start);
        rp_json_push(list, item);
    }
}

void rp_inspect_head_json(struct rp_json *root, const struct rp_mapped *file,
                          const struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    char text[16];
    rp_json_put_string(root, "kind", "image");
    rp_json_put_int(root, "file_size_bytes", file->size);
    rp_json_put_string(root, "name", (const char *)view->image + view->c_name);
    snprintf(text, sizeof text, "%u.%u", RELOC_FLAGS_MAJOR(view->flags),
             RELOC_FLAGS_MINOR(view->flags));
    rp_json_put_string(root, "version", text);
    rp_json_put_word(root, "flags", view->flags);
    rp_json_put_string(root, "toolchain", rp_toolchain_name(view->flags));
    snprintf(text, sizeof text, "%03X", RELOC_FLAGS_CPUID(view->flags));
    rp_json_put_string(root, "cpuid", text);
    rp_json_put_bool(root, "fpu", RELOC_FLAGS_FPU(view->flags) != 0);
    rp_json_put_int(root, "float_abi", RELOC_FLAGS_FLOAT_ABI(view->flags));
    rp_json_put_int(root, "ram_xip", rp_image_ram_xip(image));
    rp_json_put_int(root, "ram_copy", rp_image_ram_copy(image));
}
