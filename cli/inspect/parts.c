/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of both kinds of images: see parts.h. */
#include "cli/inspect/parts.h"

#include <stdio.h>

#include "base/printable.h"
#include "cli/report/npu_names.h"
#include "elfpack/image/image.h"

void rp_inspect_trailer(const struct rp_trailer *trailer) {
    char hex[2 * RELOC_SHA256_BYTES + 1];
    rp_hex(hex, trailer->build_id, sizeof trailer->build_id);
    printf("build id     %s\n", hex);
    rp_hex(hex, trailer->sum.sha256, sizeof trailer->sum.sha256);
    printf("integrity    %llu bytes, CRC-32 %08x and SHA-256 are right\n             %s\n",
           (unsigned long long)trailer->sum.length, trailer->sum.crc32, hex);
}

void rp_inspect_integrity(const struct rp_image_view *image) {
    if (image->has_trailer)
        rp_inspect_trailer(&image->trailer);
    else
        printf("integrity    no trailer\n");
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
    printf("RAM          %u bytes in XIP mode, %u in COPY mode\n", image->needs.ram_xip,
           image->needs.ram_copy);
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
    RP_JSON_PUT(object, RP_JSON_N("words", words), RP_JSON_N("flash", counts->flash),
                RP_JSON_N("ram", counts->ram), RP_JSON_N("zero", counts->zero));
    return object;
}

void rp_inspect_trailer_json(struct rp_json *root, const struct rp_trailer *trailer,
                             uint64_t offset) {
    char sha256[2 * RELOC_SHA256_BYTES + 1], build_id[2 * RELOC_BUILD_ID_BYTES + 1];
    rp_hex(sha256, trailer->sum.sha256, sizeof trailer->sum.sha256);
    rp_hex(build_id, trailer->build_id, sizeof trailer->build_id);
    rp_json_put(root, "integrity",
                RP_JSON_NEW(RP_JSON_N("trailer_offset", offset),
                            RP_JSON_N("length", trailer->sum.length),
                            RP_JSON_W("crc32", trailer->sum.crc32), RP_JSON_S("sha256", sha256),
                            RP_JSON_S("build_id", build_id)));
}

void rp_inspect_integrity_json(struct rp_json *root, const struct rp_image_view *image) {
    if (image->has_trailer)
        rp_inspect_trailer_json(root, &image->trailer, image->view.trailer);
}

void rp_inspect_parts_json(struct rp_json *root, const struct rp_inspect_part *parts,
                           size_t count) {
    struct rp_json *list = rp_json_new_array(root, "sections");
    for (size_t i = 0; i < count; i++)
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("name", parts[i].name),
                                       RP_JSON_S("segment", parts[i].segment),
                                       RP_JSON_N("offset", parts[i].start),
                                       RP_JSON_N("size_bytes", parts[i].end - parts[i].start)));
}

void rp_inspect_head_json(struct rp_json *root, const struct rp_mapped *file,
                          const struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    char text[16];
    RP_JSON_PUT(root, RP_JSON_S("kind", "image"), RP_JSON_S("format", image->format->name),
                RP_JSON_N("file_size_bytes", file->size),
                RP_JSON_S("name", (const char *)view->image + view->c_name));
    snprintf(text, sizeof text, "%u.%u", RELOC_FLAGS_MAJOR(view->flags),
             RELOC_FLAGS_MINOR(view->flags));
    RP_JSON_PUT(root, RP_JSON_S("version", text), RP_JSON_W("flags", view->flags),
                RP_JSON_S("toolchain", rp_toolchain_name(view->flags)));
    snprintf(text, sizeof text, "%03X", RELOC_FLAGS_CPUID(view->flags));
    RP_JSON_PUT(root, RP_JSON_S("cpuid", text), RP_JSON_B("fpu", RELOC_FLAGS_FPU(view->flags) != 0),
                RP_JSON_N("float_abi", RELOC_FLAGS_FLOAT_ABI(view->flags)),
                RP_JSON_N("ram_xip", image->needs.ram_xip),
                RP_JSON_N("ram_copy", image->needs.ram_copy));
}
